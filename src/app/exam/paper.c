// paper.c: draws the questions of an exam for a student.
#include "app/exam/paper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/exam/exam_draw.h"

enum { SEED_DIGITS = 16 };

// All but the exam's own seed and the ID: of one student's paper.
static LsDigest paper_key(const Exam *exam, const char *who) {
  char label[EXAM_ID + 16];
  snprintf(label, sizeof label, "paper %s", who);
  return ls_hmac_text(&exam->seed, label);
}

// The place of each item is decided by a number of its own; open questions come last.
static void mix(const Exam *exam, const LsDigest *key, int order[EXAM_ITEMS]) {
  uint64_t place[EXAM_ITEMS];
  for (int i = 0; i < exam->count; i++) {
    char label[32];
    snprintf(label, sizeof label, "place %d", i);
    place[i] = exam_number(key, label) >> 1 | (exam->items[i].skill ? 0 : UINT64_C(1) << 63);
    int at = i;
    for (; at > 0 && place[order[at - 1]] > place[i]; at--) order[at] = order[at - 1];
    order[at] = i;
  }
}

static CourseExamItem wish_of(const Exam *exam, const LsDigest *key, int item, char seed[SEED_DIGITS + 1]) {
  char label[32], hex[LS_DIGEST_HEX];
  snprintf(label, sizeof label, "draw %d", item);
  LsDigest digest = ls_hmac_text(key, label);
  ls_digest_hex(&digest, hex);
  snprintf(seed, SEED_DIGITS + 1, "%.*s", SEED_DIGITS, hex);
  const ExamItem *wanted = &exam->items[item];
  snprintf(label, sizeof label, "look %d", item);
  if (!wanted->skill) return (CourseExamItem){.family = wanted->family};
  return (CourseExamItem){.skill = wanted->skill, .seed = seed, .class = wanted->class,
                          .look = (int)(exam_number(&exam->seed, label) >> 40)};
}

// ---- what is asked, as a digest ------------------------------------------------------------------------------------

static void add_question(const PaperQuestion *asked, LsText *out) {
  const LessonQuestion *question = &asked->step.question;
  ls_text_addf(out, "%d %d\n%s\n%s\n%s\n", asked->item, (int)question->kind, asked->step.text, question->prompt,
               question->unit ? question->unit : "");
  for (int i = 0; i < question->option_count; i++) ls_text_addf(out, "%d %s\n", i, question->options[i]);
  ls_text_addf(out, "%.17g %.17g %d", question->answer, question->tolerance, question->spare);
  for (int i = 0; i < question->other_count; i++) ls_text_addf(out, " %.17g", question->others[i]);
  const LessonWriting *writing = asked->step.writing;
  for (int i = 0; writing && i < writing->point_count; i++) ls_text_addf(out, "\n%s", writing->points[i].says);
  ls_text_add(out, "\n");
}

static LsDigest digest_of(const ExamPaper *paper) {
  LsText text = {0};
  for (int i = 0; i < paper->count; i++) add_question(&paper->questions[i], &text);
  LsDigest digest = ls_sha256(ls_text_str(&text), text.length);
  ls_text_free(&text);
  return digest;
}

// ---- drawing -------------------------------------------------------------------------------------------------------

// A lesson goes on only when a question is done with; the paper keeps it as it was asked.
static bool take_questions(ExamPaper *paper, int wanted, LsErr *err) {
  LessonMove move = lesson_next(paper->lesson, err);
  while (move == LESSON_MOVED && lesson_waits(lesson_current(paper->lesson)) && paper->count < wanted) {
    paper->questions[paper->count++].step = *lesson_current(paper->lesson);
    lesson_skip(paper->lesson);
    move = lesson_next(paper->lesson, err);
  }
  if (move == LESSON_BROKEN) return false;
  return paper->count == wanted || ls_fail(err, LS_EREQUEST, "the course gives %d questions of the exam's %d",
                                           paper->count, wanted);
}

static bool is_settled(const Exam *exam) {
  for (int i = 0; i < exam->count; i++)
    if (exam->items[i].skill && !exam->items[i].class) return false;
  return true;
}

ExamPaper *exam_paper(const Exam *exam, const char *who, Course *course, RecipeBook *book, LsErr *err) {
  LsDigest key = paper_key(exam, who);
  int order[EXAM_ITEMS];
  char seeds[EXAM_ITEMS][SEED_DIGITS + 1];
  CourseExamItem items[EXAM_ITEMS];
  mix(exam, &key, order);
  for (int i = 0; i < exam->count; i++) items[i] = wish_of(exam, &key, order[i], seeds[i]);
  CourseExam wish = {items, exam->count};
  ExamPaper *paper = ls_alloc(sizeof *paper);
  paper->lesson = lesson_exam(course, &wish, book, err);
  if (!paper->lesson || !take_questions(paper, exam->count, err)) {
    if (is_settled(exam))
      ls_err_append(err, "The exam was made by lanescope %s, this is %s: it has to have the same questions.",
                    exam->version, LS_VERSION);
    exam_paper_free(paper);
    return NULL;
  }
  for (int i = 0; i < paper->count; i++) paper->questions[i].item = order[i];
  paper->digest = digest_of(paper);
  return paper;
}

void exam_paper_free(ExamPaper *paper) {
  if (!paper) return;
  lesson_free(paper->lesson);
  free(paper);
}

bool exam_settle(Exam *exam, Course *course, RecipeBook *book, LsErr *err) {
  ExamPaper *paper = exam_paper(exam, "", course, book, err);
  for (int i = 0; paper && i < paper->count; i++) {
    const char *class = paper->questions[i].step.class;
    if (class) exam->items[paper->questions[i].item].class = ls_arena_strdup(exam->arena, class);
  }
  bool ok = paper != NULL;
  exam_paper_free(paper);
  // As every student gets it, of these classes.
  paper = ok ? exam_paper(exam, "", course, book, err) : NULL;
  if (paper) exam->questions = paper->digest;
  exam_paper_free(paper);
  return paper != NULL;
}
