// rail_question.c: what is asked, what may be chosen, the verdict.
#include "ui/pages/rail_question.h"

#include <stdio.h>
#include <string.h>

#include "app/course/question_pick.h"
#include "base/mem.h"

// The answer may be seen: it was given, or given away.
static bool is_told(const LessonStep *step) { return step->answered || step->skipped; }

// How an option is marked: the right one when that may be seen, and those that were taken for it.
static Role option_role(const LessonStep *step, int index, const char **mark) {
  bool first = step->tries > 0 && (int)step->given == index, last = step->tries > 1 && (int)step->last == index;
  bool right = is_told(step) && (int)step->question.answer == index, wrong = !right && (first || last);
  *mark = right ? "✓" : wrong ? "✗" : " ";
  return right ? ROLE_GOOD : wrong ? ROLE_ALARM : is_told(step) ? ROLE_DIM : ROLE_TEXT;
}

// A row with a label in front; reversed where the mark stands. The text keeps clear of the label.
static void put_item(Pen *pen, const char *label, Role label_role, bool marked, const char *text, Role role) {
  if (marked) pen->mark_row = pen->row;
  pen_word(pen, label, (int)strlen(label), 0, label_role, STYLE_BOLD | (marked ? STYLE_REVERSE : 0));
  pen->indent = pen->col = ls_utf8_width(label) + 1;
  int space = 0;
  const char *start;
  for (int length, style; lesson_span(&text, &start, &length, &style);) pen_span(pen, start, length, style, role,
      &space);
  pen->indent = 0;
  pen_end(pen);
}

static bool is_marked(const AnswerInput *input, int place) {
  return input && input->open && !input->typed && input->at == place;
}

static void put_option(Pen *pen, const LessonStep *step, const AnswerInput *input, int index) {
  const char *mark;
  Role role = option_role(step, index, &mark);
  char label[16];
  snprintf(label, sizeof label, "%d%s", index + 1, mark);
  bool marked = is_marked(input, index) && input->text[0];
  put_item(pen, label, role == ROLE_TEXT ? ROLE_CURSOR : role, marked, step->question.options[index], role);
}

// What stands there: the answer that is being made, the right one where it may be seen, else the last one.
static double shown_value(const LessonStep *step, const AnswerInput *input) {
  const LessonQuestion *question = &step->question;
  if (input && input->open) return answer_value(input, step);
  bool last_right = step->tries && question_is_right(question, step->last);
  if (is_told(step) && !last_right) return question->answer;
  return step->tries || step->asks_sure ? step->last : question_nothing_picked(question);
}

// One of several: with a box. Where the answer may be seen it is the right one, and what was judged wrongly is crossed.
static void put_box(Pen *pen, const LessonStep *step, const AnswerInput *input, int index) {
  const LessonQuestion *question = &step->question;
  bool set = (uint32_t)shown_value(step, input) >> index & 1;
  bool missed = is_told(step) && step->tries && ((uint32_t)step->last ^ (uint32_t)question->answer) >> index & 1;
  Role role = !is_told(step) ? ROLE_TEXT : missed ? ROLE_ALARM : set ? ROLE_GOOD : ROLE_DIM;
  char label[24];
  snprintf(label, sizeof label, "%d%s[%s]", index + 1, missed ? "✗" : " ", set ? "x" : " ");
  put_item(pen, label, role == ROLE_TEXT ? ROLE_CURSOR : role, is_marked(input, index), question->options[index], role);
}

static int place_of_line(double order, int line) {
  for (int place = 0; place < QUESTION_LINES; place++)
    if (question_line_at(order, place) == line) return place;
  return -1;
}

static void put_order(Pen *pen, const LessonStep *step, const AnswerInput *input) {
  const LessonQuestion *question = &step->question;
  double value = shown_value(step, input);
  int placed = question_placed(question, value);
  for (int place = 0; place < question->option_count; place++) {
    int line = question_line_shown(question, value, place);
    bool missed = is_told(step) && step->tries && place_of_line(step->last, line) != place_of_line(value, line);
    Role role = missed ? ROLE_ALARM : place >= placed ? ROLE_DIM : is_told(step) ? ROLE_GOOD : ROLE_TEXT;
    char label[16];
    if (place == placed) pen_text(pen, "-- belong nowhere:", ROLE_DIM);
    snprintf(label, sizeof label, "%d%s", line, missed ? "✗" : " ");
    put_item(pen, label, role == ROLE_TEXT ? ROLE_CURSOR : role, is_marked(input, place), question->options[line - 1],
             role);
  }
}

// 32 lanes in groups of eight, with the number of the first one above each.
static void put_lanes(Pen *pen, const LessonStep *step, const AnswerInput *input) {
  enum { LANES = 32, GROUP = 8 };
  uint32_t mask = (uint32_t)shown_value(step, input);
  if (!pen->low) pen_blank(pen);
  pen_end(pen);
  for (int lane = 0; lane < LANES; lane += GROUP) {
    if (lane >= 10) pen_cell(pen, lane + lane / GROUP, (uint32_t)('0' + lane / 10), ROLE_DIM, 0);
    pen_cell(pen, lane + lane / GROUP + (lane >= 10), (uint32_t)('0' + lane % 10), ROLE_DIM, 0);
  }
  pen_end(pen);
  for (int lane = 0; lane < LANES; lane++) {
    bool set = mask >> lane & 1;
    if (is_marked(input, lane)) pen->mark_row = pen->row;
    pen_cell(pen, lane + lane / GROUP, set ? 0x25a0 : 0x25a1, set ? ROLE_ACTIVE : ROLE_DIM,
             is_marked(input, lane) ? STYLE_REVERSE : 0);
  }
  pen_end(pen);
}

static void put_line(Pen *pen, const LessonStep *step, const AnswerInput *input) {
  if (!input || !input->open || !input->text[0]) return;
  LsText line = {0};
  lesson_answer_text(&step->question, answer_value(input, step), &line);
  pen_end(pen);
  pen_text(pen, ls_text_str(&line), ROLE_ACTIVE);
  ls_text_free(&line);
}

static void put_choices(Pen *pen, const LessonStep *step, const AnswerInput *input) {
  const LessonQuestion *question = &step->question;
  bool listed = question->kind == QUESTION_CHOICE || question->kind == QUESTION_SEVERAL || question->kind ==
      QUESTION_ORDER;
  if (listed && !pen->low) pen_blank(pen);
  for (int i = 0; i < question->option_count && question->kind == QUESTION_CHOICE; i++) put_option(pen, step, input, i);
  for (int i = 0; i < question->option_count && question->kind == QUESTION_SEVERAL; i++) put_box(pen, step, input, i);
  if (question->kind == QUESTION_ORDER) put_order(pen, step, input);
  if (question->kind == QUESTION_MASK && !is_told(step)) put_lanes(pen, step, input);
  if (question->kind == QUESTION_LINE) put_line(pen, step, input);
}

static void several_words(uint32_t bits, LsText *out) {
  if (!bits) ls_text_add(out, "none of them");
  for (int i = 0, count = 0; i < QUESTION_OPTIONS; i++)
    if (bits >> i & 1) ls_text_addf(out, "%s%d", count++ ? ", " : "", i + 1);
}

// What stands for an answer here: the options have numbers.
static void answer_words(const LessonStep *step, double value, LsText *out) {
  const LessonQuestion *question = &step->question;
  if (question->kind == QUESTION_CHOICE) ls_text_addf(out, "number %d", (int)value + 1);
  else if (question->kind == QUESTION_TEXT && value < 0) step_answer_text(step, value == step->given, out);
  else if (question->kind == QUESTION_SEVERAL) several_words((uint32_t)value, out);
  else if (question->kind == QUESTION_LINE) ls_text_addf(out, "line %d", (int)value);
  else lesson_answer_text(question, value, out);
}

static void verdict(const LessonStep *step, LsText *out) {
  const LessonQuestion *question = &step->question;
  bool again = step->tries > 1, last_right = question_is_right(question, step->last);
  if (step->skipped) ls_text_add(out, "It is ");
  else if (last_right) ls_text_add(out, again ? "At the second try: " : "Right: ");
  else if (!is_told(step)) ls_text_add(out, "Not ");
  if (is_told(step) && !last_right) {
    ls_text_add(out, "You said ");
    answer_words(step, step->given, out);
    ls_text_add(out, again ? ", then " : "");
    if (again) answer_words(step, step->last, out);
    ls_text_add(out, "; it is ");
  }
  answer_words(step, is_told(step) ? question->answer : step->last, out);
  ls_text_add(out, ".");
}

static void put_verdict(Pen *pen, const LessonStep *step) {
  LsText line = {0};
  verdict(step, &line);
  pen_blank(pen);
  bool good = is_told(step) && !step->skipped && question_is_right(&step->question, step->last);
  pen_text(pen, ls_text_str(&line), good ? ROLE_GOOD : ROLE_WAITING);
  if (step->said) pen_text(pen, step->said, ROLE_TEXT);
  if (step->sure == LESSON_SURE && step->tries == 1 && !good) pen_text(pen, "You were sure: look twice at this one.",
      ROLE_TEXT);
  if (is_told(step) && *step->question.because) pen_text(pen, step->question.because, ROLE_TEXT);
  if (step->looked && is_told(step)) pen_text(pen, "You looked first: this is practice and does not count.", ROLE_DIM);
  ls_text_free(&line);
}

static void put_worth(Pen *pen, const LessonStep *step) {
  LsText words = {0};
  if (step->tries || step->tips_shown) step_worth_words(step, &words);   // the first price is among the keys
  if (words.length) pen_text(pen, ls_text_str(&words), ROLE_DIM);
  ls_text_free(&words);
}

void rail_tips(Pen *pen, const char **tips, int count, int shown) {
  for (int i = 0; i < shown && i < count; i++) pen_labeled(pen, "Tip:", ROLE_CURSOR, tips[i], ROLE_TEXT);
}

static void put_how(Pen *pen, const LessonQuestion *question) {
  static const char *const how[] = {
      [QUESTION_CHOICE] = "Type its number, then Enter.",
      [QUESTION_NUMBER] = "Type a number, then Enter.",
      [QUESTION_MASK] = "Space, then set lanes with arrows and Space; or type 0-3,7 or 0x8f or even, odd, all, none.",
      [QUESTION_SEVERAL] = "Space, then take all that are true; or type 1 3, or none.",
      [QUESTION_ORDER] = "Space, then move lines with J and K; or type their order, 3 1 2.",
      [QUESTION_LINE] = "Go to a line with Up and Down, or type its number, then Enter.",
      [QUESTION_TEXT] = "Press Enter, then type a word or two.",
  };
  if (!pen->low) pen_blank(pen);
  if (!pen->low || question->kind >= QUESTION_MASK) pen_text(pen, how[question->kind], ROLE_DIM);
}

void rail_question(Pen *pen, const LessonStep *step, const AnswerInput *input) {
  const LessonQuestion *question = &step->question;
  pen_blank(pen);
  pen_text(pen, question->prompt, ROLE_CURSOR);
  put_choices(pen, step, input);
  if (step->tries || step->skipped) put_verdict(pen, step);
  if (step->asks_sure) pen_labeled(pen, "How sure are you?", ROLE_CURSOR, "1 sure, 2 think so, 3 guess", ROLE_TEXT);
  else if (!is_told(step) && !step->tries) put_how(pen, question);
  if (step->looked && !is_told(step)) pen_text(pen, "You looked: this is practice now.", ROLE_DIM);
  rail_tips(pen, question->tips, question->tip_count, step->tips_shown);
  const char *counts = step->skill ? "" : "The first answer counts.";
  if (!is_told(step) && step->tries) pen_labeled(pen, "Once more.", ROLE_CURSOR, counts, ROLE_DIM);
  put_worth(pen, step);
}
