// work_text.c: code that a student writes, as lines of text: for pipes and screen readers.
#include <stdlib.h>
#include <string.h>

#include "app/course/work.h"

static void add_numbered(const char *text, int first, LsText *out) {
  for (int line = first; *text; line++) {
    int length = (int)strcspn(text, "\n");
    ls_text_addf(out, "%4d  %.*s\n", line, length, text);
    text += length + (text[length] == '\n');
  }
}

// The last lines of a text, as many as fit around the region.
static const char *last_lines(const char *text, int lines) {
  const char *p = text + strlen(text);
  if (p > text) p--;                       // the end of the last line
  while (p > text && lines > 0)
    if (*--p == '\n' && --lines == 0) return p + 1;
  return p;
}

static int count_lines(const char *text) {
  int lines = 0;
  for (; *text; text++) lines += *text == '\n';
  return lines;
}

static void add_first_lines(const char *text, int first, int lines, LsText *out) {
  const char *end = text;
  for (int i = 0; i < lines && *end; i++) end += strcspn(end, "\n") + (end[strcspn(end, "\n")] == '\n');
  char *cut = ls_strndup(text, (size_t)(end - text));
  add_numbered(cut, first, out);
  free(cut);
}

void work_print_code(const LessonWork *work, LsText *out) {
  enum { AROUND = 12 };
  const char *before = last_lines(work->before, AROUND);
  int first = work->first_line - count_lines(before);
  ls_text_addf(out, "%s:\n", work->file);
  add_numbered(before, first, out);
  if (work->kind == WORK_FILL) {
    ls_text_addf(out, "%4d  %s%s____%s   <- fill in\n", work->first_line, work->indent, work->left, work->right);
  } else if (work->kind == WORK_WRITE) {
    add_numbered(work->text ? work->text : work->starter, work->first_line, out);
  } else {
    ls_text_addf(out, "%4d  ...   <- these, in order%s:\n", work->first_line,
                 work->spare_count ? "; not all of them belong here" : "");
    for (int i = 0; i < work->piece_count; i++)
      ls_text_addf(out, "  %2d)  %s\n", i + 1, work->pieces[work->shuffle[i]]);
  }
  int after = work->first_line + 1 + count_lines(work->original);
  add_first_lines(work->after + (*work->after == '\n'), after, AROUND, out);
}

void work_print_options(const LessonWork *work, LsText *out) {
  if (work->kind == WORK_ORDER || work_can_compile()) return;
  ls_text_add(out, "No compiler is here; choose:\n");
  for (int i = 0; i < work_options(work); i++) {
    const WorkAnswer *answer = work_option(work, i);
    ls_text_addf(out, "  %c) %s\n", 'a' + i, answer->name);
    if (strchr(answer->text, '\n')) add_numbered(answer->text, work->first_line, out);
  }
}

// The line of what was tried, without its indent.
static void add_source_line(const LessonWork *work, int line, LsText *out) {
  char *source = work_source(work, work->text);
  const char *at = ls_line_at(source, line);
  if (at) at += strspn(at, " \t");
  if (at && *at && *at != '\n') ls_text_addf(out, ", %.*s", (int)strcspn(at, "\n"), at);
  free(source);
}

static void add_row(const LessonWork *work, const WorkRow *row, LsText *out) {
  if (!row->done) return;
  if (*row->values && work->run_count > 1) ls_text_addf(out, "%s: ", row->values);
  if (row->line) {
    ls_text_addf(out, "line %d", row->line);
    add_source_line(work, row->line, out);
    ls_text_add(out, "\n  ");
  }
  ls_text_addf(out, "%s%s%s\n", row->right ? "right" : "", row->right && *row->note ? ", " : "", row->note);
}

void work_print_result(const LessonWork *work, LsText *out) {
  if (work->state == WORK_OPEN || work->state == WORK_RUNNING) return;
  if (work->message_count) ls_text_add(out, "it does not compile:\n");
  for (int i = 0; i < work->message_count; i++)
    ls_text_addf(out, "line %d: %s\n", work->messages[i].line, work->messages[i].text);
  if (work->failure[0]) ls_text_addf(out, "%s\n", work->failure);
  for (int i = 0; i < work->run_count; i++) add_row(work, &work->rows[i], out);
  if (work->says) ls_text_addf(out, "%s\n", work->says);
  ls_text_add(out, work->state == WORK_PASSED ? "it works\n" : "not yet\n");
}
