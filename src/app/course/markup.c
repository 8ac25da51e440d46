// markup.c: takes the light markup of lessons apart.
#include <string.h>

#include "app/course/lesson.h"

bool lesson_span(const char **text, const char **start, int *length, int *style) {
  const char *at = *text;
  if (!*at) return false;
  *style = 0;
  if (*at == '`' || *at == '*') {
    const char *end = strchr(at + 1, *at), *newline = strchr(at + 1, '\n');
    bool spaced = *at == '*' && (at[1] == ' ' || at[1] == 0);       // a multiplication sign
    if (end && end > at + 1 && !spaced && (!newline || end < newline)) {
      *style = *at == '`' ? 1 : 2;
      *start = at + 1;
      *length = (int)(end - at - 1);
      *text = end + 1;
      return true;
    }
    at++;
  }
  at += strcspn(at, "`*");
  *start = *text;
  *length = (int)(at - *text);
  *text = at;
  return true;
}
