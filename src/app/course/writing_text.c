// writing_text.c: what a student wrote, what it is held against, and what came of it, as plain text.
#include <string.h>

#include "app/course/lesson.h"

static void add_lines(const char *label, const char *text, LsText *out) {
  ls_text_addf(out, "%s:\n", label);
  const char *start;
  int length, style;
  while (lesson_span(&text, &start, &length, &style)) ls_text_addn(out, start, (size_t)length);
  ls_text_add(out, "\n");
}

static void add_point(const LessonWriting *writing, int index, LsText *out) {
  const WritingPoint *point = &writing->points[index];
  size_t start, end;
  ls_text_addf(out, "  %d %s %s", index + 1, point->ticked ? "[x]" : "[ ]", point->says);
  if (point->ticked && writing_word(writing->text, point->word, &start, &end))
    ls_text_addf(out, " (\"%.*s\")", (int)(end - start), writing->text + start);
  ls_text_add(out, "\n");
}

void writing_score_words(const LessonWriting *writing, LsText *out) {
  double score = writing_score(writing);
  ls_text_addf(out, "%g of %d point%s", score, writing->point_count, writing->point_count == 1 ? "" : "s");
}

void writing_print_question(const LessonStep *step, LsText *out) {
  ls_text_addf(out, "? %s\n", step->question.prompt);
}

// The model answer is seen once a text was handed in, or was given up.
void writing_print_verdict(const LessonStep *step, LsText *out) {
  const LessonWriting *writing = step->writing;
  if (!writing->text && !step->skipped) return;
  bool own = writing->text && strcmp(writing->text, writing->model) != 0;
  if (own) ls_text_addf(out, "yours:\n%s\n", writing->text);
  add_lines(writing->is_list ? "the list" : "the model answer", writing->model, out);
  if (writing->point_count) ls_text_add(out, "its points:\n");
  for (int i = 0; i < writing->point_count; i++) add_point(writing, i, out);
  if (!step->answered || !writing->point_count) return;
  writing_score_words(writing, out);
  ls_text_add(out, "\n");
}
