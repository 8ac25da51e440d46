// lesson_writing_lines.c: a rubric or a list from memory as a conversation.
#include "cli/lesson_writing_lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/plain.h"

void lesson_writing_say(const Lesson *lesson, FILE *out) {
  const LessonWriting *writing = lesson_current(lesson)->writing;
  if (!writing->text) fputs("Write as many lines as you like; an empty line ends them.\n", out);
  else fputs("Which points does your text make? Their numbers, each with a word of yours that says it: 1=bank 3=odd.\n"
             "A number alone counts half; none says that there are none.\n", out);
}

// The line and those that follow it, to an empty one.
static void read_text(const char *line, FILE *in, LsText *text) {
  char *more = NULL;
  size_t room = 0;
  ssize_t length = 0;
  ls_text_add(text, line);
  while (length >= 0) {
    length = getline(&more, &room, in);
    while (length > 0 && strchr("\r\n", more[length - 1])) more[--length] = 0;
    if (length <= 0) break;
    ls_text_addf(text, "\n%s", more);
  }
  free(more);
}

static void hand_in(Lesson *lesson, const char *line, FILE *in, FILE *out) {
  LsText text = {0}, seen = {0};
  read_text(line, in, &text);
  lesson_hand_in(lesson, ls_text_str(&text));
  writing_print_verdict(lesson_current(lesson), &seen);
  plain_print(out, "%s", ls_text_str(&seen));
  if (lesson_waits(lesson_current(lesson))) lesson_writing_say(lesson, out);
  ls_text_free(&text);
  ls_text_free(&seen);
}

// "3" or "3=word". False, with a line about it, if there is no such point or word.
static bool tick(Lesson *lesson, char *part, FILE *out) {
  const LessonWriting *writing = lesson_current(lesson)->writing;
  char *word = strchr(part, '=');
  int64_t number;
  if (word) *word++ = 0;
  if (!ls_parse_i64(part, &number) || number < 1 || number > writing->point_count) {
    plain_print(out, "There is no point %s; they are 1 to %d.\n", part, writing->point_count);
    return false;
  }
  int place = word && *word ? writing_find_word(writing->text, word) : -1;
  if (word && place < 0) {
    plain_print(out, "No word of your text begins with %s.\n", word);
    return false;
  }
  return lesson_tick(lesson, (int)number - 1, place);
}

static void take_points(Lesson *lesson, const char *line, FILE *out) {
  char *copy = ls_strdup(line), *rest = copy, *part;
  bool ok = true;
  while (ok && strcmp(line, "none") != 0 && (part = strsep(&rest, " ,;")))
    if (*part) ok = tick(lesson, part, out);
  free(copy);
  if (!ok) return;
  LsText score = {0};
  lesson_close_writing(lesson);
  writing_score_words(lesson_current(lesson)->writing, &score);
  plain_print(out, "%s\n", ls_text_str(&score));
  ls_text_free(&score);
}

void lesson_writing_line(Lesson *lesson, const char *line, FILE *in, FILE *out) {
  if (lesson_current(lesson)->writing->text) take_points(lesson, line, out);
  else hand_in(lesson, line, in, out);
}
