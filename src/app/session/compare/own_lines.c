// own_lines.c: which lines of the shown source the other form of its kernel has not.
#include <stdlib.h>
#include <string.h>

#include "app/session/session_parts.h"

enum { MOST_LINES = 512 };   // a longer file is no form of a lecture kernel

typedef struct Texts { const char *const *line; int count; } Texts;

static const char *without_indent(const char *line) { return line + strspn(line, " \t"); }

static bool same_line(const char *a, const char *b) { return strcmp(without_indent(a), without_indent(b)) == 0; }

// Lengths of the longest common subsequences of what follows line i of one and line k of the other, row by row.
static uint16_t *common_lengths(Texts one, Texts other) {
  size_t columns = (size_t)other.count + 1;
  uint16_t *length = ls_alloc(sizeof *length * columns * ((size_t)one.count + 1));
  for (int i = one.count - 1; i >= 0; i--)
    for (int k = other.count - 1; k >= 0; k--) {
      uint16_t *here = length + (size_t)i * columns + (size_t)k;
      if (same_line(one.line[i], other.line[k])) *here = (uint16_t)(here[columns + 1] + 1);
      else *here = LS_MAX(here[columns], here[1]);
    }
  return length;
}

static bool *lines_missing_from(Texts one, Texts other) {
  size_t columns = (size_t)other.count + 1;
  uint16_t *length = common_lengths(one, other);
  bool *missing = ls_alloc(sizeof *missing * ((size_t)one.count + 1));
  for (int i = 0, k = 0; i < one.count; i++) {
    const uint16_t *here = length + (size_t)i * columns + (size_t)k;
    while (k < other.count && !same_line(one.line[i], other.line[k]) && here[1] == here[0]) here++, k++;
    bool common = k < other.count && same_line(one.line[i], other.line[k]);
    missing[i] = !common;
    k += common;
  }
  free(length);
  return missing;
}

static Texts shown_lines(Session *session) {
  const char *path;
  Texts texts = {0};
  texts.count = ses_source_lines(session, &texts.line, &path);
  return texts;
}

static Session *other_side(const Session *session) { return session->peer ? session->peer : session->peer_of; }

bool *ses_own_lines(Session *session) {
  Session *other = other_side(session);
  if (!other || !other->steps || !session->steps) return NULL;
  const RunRequest *a = &session->run->request, *b = &other->run->request;
  if (!a->recipe || a->recipe != b->recipe || recipe_form(a->recipe, &a->values) == recipe_form(b->recipe, &b->values))
    return NULL;
  Texts own = shown_lines(session), others = shown_lines(other);
  return own.count > MOST_LINES || others.count > MOST_LINES ? NULL : lines_missing_from(own, others);
}

static bool is_comment(const char *line) { return strncmp(without_indent(line), "//", 2) == 0; }

// Index of the first line of code that the other side has not got, and how many common lines come before it; -1: none.
static int first_own(Session *session, int *common) {
  Texts texts = shown_lines(session);
  bool *own = ses_own_lines(session);
  int found = -1;
  *common = 0;
  for (int i = 0; own && found < 0 && i < texts.count; i++) {
    if (own[i] && !is_comment(texts.line[i])) found = i;
    *common += !own[i];
  }
  free(own);
  return found;
}

// Index of the line behind so many common ones.
static int behind_common(Session *session, int common) {
  Texts texts = shown_lines(session);
  bool *own = ses_own_lines(session);
  int at = 0;
  for (; own && common > 0 && at < texts.count; at++) common -= !own[at];
  free(own);
  return LS_MIN(at, texts.count - 1);
}

int ses_first_own_line(Session *session) {
  int common, here = first_own(session, &common);
  if (here >= 0) return here + 1;
  Session *other = other_side(session);
  if (!other || first_own(other, &common) < 0) return 0;
  return behind_common(session, common) + 1;
}
