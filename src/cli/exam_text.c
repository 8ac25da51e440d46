// exam_text.c: the key of an exam as text.
#include "cli/exam_text.h"

#include <string.h>

// The part of a step that says the answer, as if it had been given away.
static void put_answer(const PaperQuestion *asked, LsText *out) {
  LessonStep step = asked->step;
  step_skip(&step);
  lesson_print_verdict(&step, out);
}

static void put_points(const LessonWriting *writing, LsText *out) {
  ls_text_addf(out, "a good answer: %s\nits points:\n", writing->model);
  for (int i = 0; i < writing->point_count; i++) ls_text_addf(out, "  %d) %s\n", i + 1, writing->points[i].says);
}

void exam_key_text(const Exam *exam, const ExamPaper *paper, const char *who, LsText *out) {
  ls_text_addf(out, "%s, key for %s\n", exam->title, who);
  for (int i = 0; i < paper->count; i++) {
    const PaperQuestion *asked = &paper->questions[i];
    const ExamItem *item = &exam->items[asked->item];
    ls_text_addf(out, "\n%d. %s (%s, %s)\n", i + 1, asked->step.title, item->family,
                 item->skill ? item->skill : "open");
    lesson_print_body(&asked->step, out);
    if (asked->step.writing) ls_text_addf(out, "? %s\n", asked->step.question.prompt);
    else lesson_print_question(&asked->step, out);
    if (asked->step.writing) put_points(asked->step.writing, out);
    else put_answer(asked, out);
  }
}
