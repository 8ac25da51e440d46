// exam_print.c: an exam on paper: questions wrapped to 80 columns, with blanks for the answers or with the answers.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/exam_text.h"
#include "cli/plain_place.h"

enum { INDENT = 4, WIDTH = EXAM_TEXT_COLUMNS - INDENT, ROWS_LIMIT = 400, LANES = 32, LANES_PER_ROW = 16 };
enum { OPEN_LINES = 14, BLANK = 24, NAME = 40 };
static const char dashes[] = "________________________________________________________________________________";

// ---- lines ---------------------------------------------------------------------------------------------------------

static void put_blanks(LsText *out, int count) { ls_text_addf(out, "%*s", count, ""); }

// A line wrapped, its rows so far from the left; the first one behind a label.
static void put_wrapped(LsText *out, int indent, const char *label, const char *line) {
  size_t starts[ROWS_LIMIT];
  int columns = EXAM_TEXT_COLUMNS - indent, rows = LS_MIN(writing_rows(line, columns, starts, ROWS_LIMIT), ROWS_LIMIT);
  for (int i = 0; i < rows; i++) {
    size_t end = i + 1 < rows ? starts[i + 1] : strlen(line);
    while (end > starts[i] && line[end - 1] == ' ') end--;
    int before = i ? indent : indent - (int)strlen(label);
    put_blanks(out, end > starts[i] || !i ? before : 0);
    ls_text_addf(out, "%s%.*s\n", i ? "" : label, (int)(end - starts[i]), line + starts[i]);
  }
}

// A text without its markup, line by line.
static void put_text(LsText *out, int indent, const char *label, const char *text) {
  LsText plain = {0};
  const char *start;
  for (int length, style; text && lesson_span(&text, &start, &length, &style);)
    ls_text_addn(&plain, start, (size_t)length);
  char *copy = ls_strdup(ls_text_str(&plain)), *rest = copy, *line;
  while ((line = strsep(&rest, "\n")) != NULL) {
    if (*line) put_wrapped(out, indent, label, line);
    else if (rest) ls_text_add(out, "\n");
    label = "";
  }
  free(copy);
  ls_text_free(&plain);
}

// ---- room for answers ----------------------------------------------------------------------------------------------

// 32 boxes with the numbers of the lanes above them.
static void put_lanes(LsText *out) {
  for (int first = 0; first < LANES; first += LANES_PER_ROW) {
    put_blanks(out, INDENT);
    for (int lane = first; lane < first + LANES_PER_ROW; lane++)
      ls_text_addf(out, "%s%2d", lane == first ? "" : lane % 8 == 0 ? "   " : " ", lane);
    ls_text_add(out, "\n");
    put_blanks(out, INDENT);
    for (int lane = first; lane < first + LANES_PER_ROW; lane++)
      ls_text_addf(out, "%s[ ]", lane > first && lane % 8 == 0 ? "  " : "");
    ls_text_add(out, first + LANES_PER_ROW < LANES ? "\n\n" : "\n");
  }
}

static void put_blank(LsText *out, const char *label, int length, const char *unit) {
  put_blanks(out, INDENT);
  ls_text_addf(out, "%s %.*s", label, length, dashes);
  if (unit && *unit) ls_text_addf(out, " %s", unit);
  ls_text_add(out, "\n");
}

static void put_order_blanks(LsText *out, const LessonQuestion *question) {
  put_blanks(out, INDENT);
  ls_text_add(out, "Their order, by numbers:");
  for (int i = 0; i < question->option_count; i++) ls_text_add(out, " ___");
  ls_text_add(out, "\n");
  if (question->spare) put_wrapped(out, INDENT, "", question->spare == 1 ? "One of them belongs nowhere."
                                                                         : "Some of them belong nowhere.");
}

static void put_room(const LessonStep *step, LsText *out) {
  const LessonQuestion *question = &step->question;
  for (int i = 0; step->writing && i < OPEN_LINES; i++) {
    put_blanks(out, INDENT);
    ls_text_addf(out, "%.*s\n\n", WIDTH, dashes);
  }
  if (step->writing) return;
  switch (question->kind) {
    case QUESTION_NUMBER: put_blank(out, "Answer:", BLANK, question->unit); break;
    case QUESTION_TEXT: put_blank(out, "Answer:", BLANK, NULL); break;
    case QUESTION_LINE: put_blank(out, "Line:", BLANK / 4, NULL); break;
    case QUESTION_MASK: put_lanes(out); break;
    case QUESTION_ORDER: put_order_blanks(out, question); break;
    case QUESTION_CHOICE: case QUESTION_SEVERAL: break;   // their options have boxes
  }
}

// Options have letters, lines numbers, as on the screen in lines of text.
static void put_options(const LessonQuestion *question, LsText *out) {
  bool numbers = question->kind == QUESTION_ORDER || question->kind == QUESTION_LINE;
  for (int i = 0; i < question->option_count && question->kind != QUESTION_TEXT; i++) {
    char label[24];
    if (numbers) snprintf(label, sizeof label, "%2d  ", i + 1);
    else snprintf(label, sizeof label, "%s %c) ", question->kind == QUESTION_CHOICE ? "( )" : "[ ]", 'a' + i);
    put_text(out, INDENT + (int)strlen(label), label, question->options[i]);
  }
  if (question->kind == QUESTION_SEVERAL) put_wrapped(out, INDENT, "", "Cross all that are true.");
}

// ---- answers -------------------------------------------------------------------------------------------------------

static void put_key(const LessonStep *step, LsText *out) {
  LsText words = {0};
  const LessonWriting *writing = step->writing;
  ls_text_add(&words, "=> ");
  if (writing) ls_text_add(&words, writing->model);
  else lesson_answer_text(&step->question, step->question.answer, &words);
  put_text(out, INDENT, "", ls_text_str(&words));
  if (!writing && *step->question.because) put_text(out, INDENT, "", step->question.because);
  for (int i = 0; writing && i < writing->point_count; i++) put_text(out, INDENT + 4, "[ ] ", writing->points[i].says);
  ls_text_free(&words);
}

// ---- questions -----------------------------------------------------------------------------------------------------

// A question about a run: what the explorer would show, in words.
static void put_place(const ExamPrint *print, const LessonStep *step, LsText *out) {
  Session *session = NULL;
  char *words = NULL;
  size_t size = 0;
  lesson_show_at(print->paper->lesson, &step->place, &session);
  FILE *file = session ? open_memstream(&words, &size) : NULL;
  if (file) {
    plain_place(session, file);
    fclose(file);
    put_text(out, INDENT, "", words);
    ls_text_add(out, "\n");
  }
  ses_free(session);
  free(words);
}

static void put_question(const ExamPrint *print, int place, LsText *out) {
  const LessonStep *step = &print->paper->questions[place].step;
  char label[16];
  snprintf(label, sizeof label, "%2d. ", place + 1);
  put_text(out, INDENT, label, step->title);
  ls_text_add(out, "\n");
  if (!step->writing && *step->text) {
    put_text(out, INDENT, "", step->text);
    ls_text_add(out, "\n");
  }
  put_place(print, step, out);
  put_text(out, INDENT, "", step->question.prompt);
  if (!step->writing && step->question.option_count) ls_text_add(out, "\n");
  if (!step->writing) put_options(&step->question, out);
  bool crossed = step->question.kind == QUESTION_CHOICE && !step->writing;
  if (print->key || !crossed) ls_text_add(out, "\n");
  if (print->key) put_key(step, out);
  else put_room(step, out);
}

// ---- pages ---------------------------------------------------------------------------------------------------------

static int lines_of(const char *text) {
  int lines = 0;
  for (; *text; text++) lines += *text == '\n';
  return lines;
}

// "Midterm, key                01234567, page 2"
static void put_head(const ExamPrint *print, int page, LsText *out) {
  char left[EXAM_TITLE * 4 + 16], right[64];
  snprintf(left, sizeof left, "%s%s", print->exam->title, print->key ? ", key" : "");
  if (print->pages) snprintf(right, sizeof right, "%s, page %d", print->who, page);
  else snprintf(right, sizeof right, "%s", print->who);
  int room = EXAM_TEXT_COLUMNS - ls_utf8_width(right) - 2;
  left[ls_utf8_within(left, room)] = 0;
  ls_text_add(out, left);
  put_blanks(out, EXAM_TEXT_COLUMNS - ls_utf8_width(left) - ls_utf8_width(right));
  ls_text_addf(out, "%s\n\n", right);
}

static void put_name(const ExamPrint *print, LsText *out) {
  const Exam *exam = print->exam;
  if (print->key) return;
  ls_text_addf(out, "%d question%s, %d minute%s.   Name: %.*s\n\n", exam->count, exam->count == 1 ? "" : "s",
               exam->minutes, exam->minutes == 1 ? "" : "s", NAME, dashes);
}

// Lines of a question that is longer than what is left of a page go on on the next one.
static void put_paged(const ExamPrint *print, const char *text, int *row, int *page, LsText *out) {
  for (const char *end; *text; text = end + (*end == '\n')) {
    end = text + strcspn(text, "\n");
    if (print->pages && *row >= EXAM_TEXT_ROWS) {
      ls_text_add(out, "\f");
      put_head(print, ++*page, out);
      *row = 2;
    }
    ls_text_addf(out, "%.*s\n", (int)(end - text), text);
    ++*row;
  }
}

void exam_print_text(const ExamPrint *print, LsText *out) {
  int page = 1;
  put_head(print, page, out);
  put_name(print, out);
  int row = lines_of(ls_text_str(out));
  for (int place = 0; place < print->paper->count; place++) {
    LsText question = {0};
    put_question(print, place, &question);
    ls_text_add(&question, "\n");
    int lines = lines_of(ls_text_str(&question));
    if (row + lines > EXAM_TEXT_ROWS && lines <= EXAM_TEXT_ROWS - 2) row = EXAM_TEXT_ROWS;
    put_paged(print, ls_text_str(&question), &row, &page, out);
    ls_text_free(&question);
  }
}
