// rail.c: lays out a step: title, marked-up text, question, tips, verdict.
#include "ui/pages/rail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

// Where the next word goes. Rows are counted from the top of the text, whether they are shown or not.
typedef struct Pen {
  Canvas *canvas;
  Rect rect;
  int skip, row, col, indent;
  bool low;                  // rows are few
  bool fresh;                // nothing stands on this row yet
  bool exact;                // a line that stands alone: its blanks are kept, so that tables stay in columns
} Pen;

static void new_row(Pen *pen) {
  pen->row++;
  pen->col = pen->indent;
  pen->fresh = true;
}

static void end_paragraph(Pen *pen) {
  if (!pen->fresh) new_row(pen);
}

static void blank_row(Pen *pen) {
  end_paragraph(pen);
  if (pen->row) new_row(pen);
}

// One word (no blanks inside), wrapped as a whole; longer than a row, it is cut there.
static void put_word(Pen *pen, const char *word, int length, int space_before, Role role, int style) {
  char text[256];
  snprintf(text, sizeof text, "%.*s", length, word);
  int width = ls_utf8_width(text), room = pen->rect.w - pen->col;
  if (!pen->fresh && width + space_before > room) new_row(pen), space_before = 0;
  if (pen->fresh) space_before = 0;
  pen->col += space_before;
  int y = pen->rect.y + pen->row - pen->skip;
  if (pen->row >= pen->skip && y < pen->rect.y + pen->rect.h)
    canvas_text_cut(pen->canvas, pen->rect.x + pen->col, y, LS_MAX(pen->rect.w - pen->col, 1), role, style, text);
  pen->col += width;
  pen->fresh = false;
}

static const Role span_roles[] = {ROLE_TEXT, ROLE_ACTIVE, ROLE_TEXT};
static const int span_styles[] = {0, 0, STYLE_BOLD};

// A piece of one style, inside a line of the text.
static void put_span(Pen *pen, const char *start, int length, int style, Role role, int *space) {
  const char *p = start, *end = start + length;
  while (p < end) {
    size_t blanks = strspn(p, " ");
    if (blanks > (size_t)(end - p)) blanks = (size_t)(end - p);
    if (blanks) *space = pen->exact ? (int)blanks : 1;
    p += blanks;
    size_t word = strcspn(p, " ");
    if (word > (size_t)(end - p)) word = (size_t)(end - p);
    if (!word) continue;
    put_word(pen, p, (int)word, *space, style == 1 ? span_roles[1] : role, span_styles[style]);
    *space = 0;
    p += word;
  }
}

// A line of the text; lines of a paragraph flow together, an empty one parts paragraphs, "- " and blanks stand alone.
static void put_line(Pen *pen, const char *line, size_t length, Role role) {
  if (length == 0) {
    blank_row(pen);
    return;
  }
  bool item = length > 2 && line[0] == '-' && line[1] == ' ', alone = line[0] == ' ';
  if (item || alone) end_paragraph(pen);
  if (alone) pen->col += (int)strspn(line, " ");
  pen->exact = alone;
  char *copy = ls_strndup(line, length);
  const char *text = copy, *start;
  int span, style;
  int space = !pen->fresh;
  if (item) {
    put_word(pen, "-", 1, 0, ROLE_DIM, 0);
    text += 2;
    pen->indent = 2;
    space = 1;
  }
  while (lesson_span(&text, &start, &span, &style)) put_span(pen, start, span, style, role, &space);
  free(copy);
  pen->exact = false;
  if (item || alone) {
    pen->indent = 0;
    end_paragraph(pen);
  }
}

static void put_text(Pen *pen, const char *text, Role role) {
  while (*text) {
    size_t length = strcspn(text, "\n");
    put_line(pen, text, length, role);
    text += length + (text[length] == '\n');
  }
  end_paragraph(pen);
}

static void put_labeled(Pen *pen, const char *label, Role label_role, const char *text, Role role) {
  blank_row(pen);
  put_word(pen, label, (int)strlen(label), 0, label_role, STYLE_BOLD);
  pen->indent = 0;
  put_text(pen, text, role);
}

// ---- questions -----------------------------------------------------------------------------------------------------

// The answer may be seen: it was given, or given away.
static bool is_told(const LessonStep *step) { return step->answered || step->skipped; }

// How an option is marked: the right one when that may be seen, and those that were taken for it.
static Role option_role(const LessonStep *step, int index, const char **mark) {
  bool first = step->tries > 0 && (int)step->given == index, last = step->tries > 1 && (int)step->last == index;
  bool right = is_told(step) && (int)step->question.answer == index, wrong = !right && (first || last);
  *mark = right ? "✓" : wrong ? "✗" : " ";
  return right ? ROLE_GOOD : wrong ? ROLE_ALARM : is_told(step) ? ROLE_DIM : ROLE_TEXT;
}

static void put_option(Pen *pen, const LessonStep *step, int index) {
  const LessonQuestion *question = &step->question;
  const char *mark;
  Role role = option_role(step, index, &mark);
  char label[16];
  snprintf(label, sizeof label, "%d%s", index + 1, mark);
  put_word(pen, label, (int)strlen(label), 0, role == ROLE_TEXT ? ROLE_CURSOR : role, STYLE_BOLD);
  pen->indent = 3;
  pen->col = 3;
  int space = 0;
  put_span(pen, question->options[index], (int)strlen(question->options[index]), 0, role, &space);
  pen->indent = 0;
  end_paragraph(pen);
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
  blank_row(pen);
  bool good = is_told(step) && !step->skipped && question_is_right(&step->question, step->last);
  put_text(pen, ls_text_str(&line), good ? ROLE_GOOD : ROLE_WAITING);
  if (step->said) put_text(pen, step->said, ROLE_TEXT);
  if (step->sure == 1 && step->tries == 1 && !good) put_text(pen, "You were sure: look twice at this one.", ROLE_TEXT);
  if (is_told(step) && *step->question.because) put_text(pen, step->question.because, ROLE_TEXT);
  if (step->looked) put_text(pen, "You looked first: this is practice and does not count.", ROLE_DIM);
  ls_text_free(&line);
}

static void put_tips(Pen *pen, const char **tips, int count, int shown) {
  for (int i = 0; i < shown && i < count; i++) put_labeled(pen, "Tip:", ROLE_CURSOR, tips[i], ROLE_TEXT);
}

static void put_how(Pen *pen, const LessonQuestion *question) {
  static const char *const how[] = {"Type its number, then Enter.", "Type a number, then Enter.",
                                    "Press Enter, then type lanes: 0-3,7 or 0x8f or even, odd, all, none.",
                                    "Press Enter, then the numbers of all that are true: 1 3, or none.",
                                    "Press Enter, then their order: 3 1 2.",
                                    "Type the number of a line, then Enter.",
                                    "Press Enter, then type a word or two."};
  if (!pen->low) blank_row(pen);
  if (!pen->low || question->kind >= QUESTION_MASK) put_text(pen, how[question->kind], ROLE_DIM);
}

static void put_question(Pen *pen, const LessonStep *step) {
  const LessonQuestion *question = &step->question;
  blank_row(pen);
  put_text(pen, question->prompt, ROLE_CURSOR);
  if (question->kind == QUESTION_CHOICE) {
    if (!pen->low) blank_row(pen);
    for (int i = 0; i < question->option_count; i++) put_option(pen, step, i);
  }
  if (step->tries || step->skipped) put_verdict(pen, step);
  if (step->asks_sure) put_labeled(pen, "How sure are you?", ROLE_CURSOR, "1 sure, 2 think so, 3 guess", ROLE_TEXT);
  else if (!is_told(step) && !step->tries) put_how(pen, question);
  put_tips(pen, question->tips, question->tip_count, step->tips_shown);
  if (!is_told(step) && step->tries) put_labeled(pen, "Once more.", ROLE_CURSOR, "The first answer counts.", ROLE_DIM);
}

static void put_solution(Pen *pen, const LessonGoal *goal) {
  LsText way = {0};
  for (int i = 0; i < goal->solution_count; i++) ls_text_addf(&way, "%s%s", i ? ", " : "", goal->solution[i]);
  put_labeled(pen, "One way:", ROLE_DIM, ls_text_str(&way), ROLE_TEXT);
  ls_text_free(&way);
}

static void put_goal(Pen *pen, const LessonStep *step) {
  put_labeled(pen, "Goal:", ROLE_CURSOR, step->goal.wanted, ROLE_TEXT);
  if (step->answered && !step->skipped) put_labeled(pen, "Reached.", ROLE_GOOD, step->note, ROLE_GOOD);
  else if (step->note[0]) put_labeled(pen, "Not yet:", ROLE_WAITING, step->note, ROLE_TEXT);
  else if (step->place.model) put_labeled(pen, "←→", ROLE_CURSOR, "change the chosen parameter.", ROLE_DIM);
  else put_labeled(pen, "p", ROLE_CURSOR, "opens the parameters.", ROLE_DIM);
  if (step->skipped) put_solution(pen, &step->goal);
  put_tips(pen, step->goal.tips, step->goal.tip_count, step->tips_shown);
}

// ---- code that is written ------------------------------------------------------------------------------------------

// Lines of code stand alone, with their blanks.
static void put_code(Pen *pen, const char *code) {
  while (*code) {
    size_t length = strcspn(code, "\n");
    char *line = ls_format(" %.*s", (int)length, code);
    put_line(pen, line, strlen(line), ROLE_ACTIVE);
    free(line);
    code += length + (code[length] == '\n');
  }
}

static void put_row(Pen *pen, const LessonWork *work, const WorkRow *row) {
  LsText words = {0};
  if (!row->done) return;
  if (*row->values && work->run_count > 1) ls_text_addf(&words, "%s%s", row->values, *row->note ? ": " : "");
  if (row->line) ls_text_addf(&words, "line %d: ", row->line);
  ls_text_add(&words, row->note);
  if (row->right && !words.length) ls_text_add(&words, "the result is right");
  put_word(pen, row->right ? "✓" : "✗", 3, 0, row->right ? ROLE_GOOD : ROLE_ALARM, STYLE_BOLD);
  int space = 1;
  pen->indent = 2;
  put_span(pen, ls_text_str(&words), (int)words.length, 0, row->right ? ROLE_DIM : ROLE_TEXT, &space);
  pen->indent = 0;
  end_paragraph(pen);
  ls_text_free(&words);
}

static void put_messages(Pen *pen, const LessonWork *work) {
  if (work->message_count) put_text(pen, "It does not compile.", ROLE_ALARM);
  for (int i = 0; i < work->message_count; i++) {
    char line[300];
    snprintf(line, sizeof line, "line %d: %s", work->messages[i].line, work->messages[i].text);
    put_word(pen, "✗", 3, 0, ROLE_ALARM, STYLE_BOLD);
    int space = 1;
    pen->indent = 2;
    put_span(pen, line, (int)strlen(line), 0, ROLE_TEXT, &space);
    pen->indent = 0;
    end_paragraph(pen);
  }
  if (work->failure[0]) put_text(pen, work->failure, ROLE_WAITING);
}

static void put_choices(Pen *pen, const LessonWork *work) {
  if (work->kind == WORK_ORDER || work_can_compile()) return;
  blank_row(pen);
  for (int i = 0; i < work->answer_count; i++) {
    char label[16];
    snprintf(label, sizeof label, "%d%s", i + 1, i == work->chosen ? "▸" : " ");
    put_word(pen, label, (int)strlen(label), 0, ROLE_CURSOR, STYLE_BOLD);
    const char *name = work_option(work, i)->name;
    int space = 0;
    pen->indent = pen->col = 3;
    put_span(pen, name, (int)strlen(name), 0, i == work->chosen ? ROLE_TEXT : ROLE_DIM, &space);
    pen->indent = 0;
    end_paragraph(pen);
  }
}

static const char *how_to_work(const LessonWork *work) {
  if (work->kind == WORK_ORDER)
    return work->spare_count ? "J and K move the line; what belongs nowhere goes below the rule. Enter tries it."
                             : "J and K move the line. Enter tries it.";
  if (!work_can_compile()) return "No compiler is here: choose, then Enter.";
  return work->kind == WORK_FILL ? "Enter, write, and Enter again tries it." : "Enter writes, Esc tries it.";
}

static void put_tried(Pen *pen, const LessonStep *step) {
  const LessonWork *work = step->work;
  if (work->state == WORK_OPEN && !step->answered) {
    blank_row(pen);
    put_text(pen, how_to_work(work), ROLE_DIM);
    return;
  }
  if (work->state == WORK_OPEN) return;
  blank_row(pen);
  if (work->state == WORK_PASSED) put_text(pen, "It works.", ROLE_GOOD);
  put_messages(pen, work);
  for (int i = 0; i < work->run_count; i++) put_row(pen, work, &work->rows[i]);
  if (work->says) {
    blank_row(pen);
    put_text(pen, work->says, work->state == WORK_PASSED ? ROLE_TEXT : ROLE_WAITING);
  }
}

static void put_work(Pen *pen, const LessonStep *step) {
  const LessonWork *work = step->work;
  if (*step->goal.wanted) put_labeled(pen, "Goal:", ROLE_CURSOR, step->goal.wanted, ROLE_TEXT);
  put_choices(pen, work);
  put_tried(pen, step);
  if (step->skipped && !step->answered) {
    blank_row(pen);
    put_text(pen, "One way:", ROLE_DIM);
    put_code(pen, work->answers[0].text);
  }
  if ((step->answered || step->skipped) && *work->because) {
    blank_row(pen);
    put_text(pen, work->because, ROLE_TEXT);
  }
  put_tips(pen, step->goal.tips, step->goal.tip_count, step->tips_shown);
}

int rail_text(Canvas *canvas, Rect rect, int skip, int row, const char *text, Role role) {
  Pen pen = {.canvas = canvas, .rect = rect, .skip = skip, .row = row, .fresh = true};
  put_text(&pen, text, role);
  return pen.row;
}

int rail_draw(const Lesson *lesson, Canvas *canvas, Rect rect, bool low, int skip) {
  const LessonStep *step = lesson_current(lesson);
  Pen pen = {.canvas = canvas, .rect = rect, .skip = skip, .low = low, .fresh = true};
  if (!low && step->title && *step->title) {
    int space = 0;
    put_span(&pen, step->title, (int)strlen(step->title), 2, ROLE_TITLE, &space);
    blank_row(&pen);
  }
  if (step->text) put_text(&pen, step->text, ROLE_TEXT);
  if (step->kind == LESSON_PREDICT || step->kind == LESSON_CHECK) put_question(&pen, step);
  if (step->kind == LESSON_TRY) put_goal(&pen, step);
  if (step->work) put_work(&pen, step);
  if (step->kind == LESSON_END && step->missed && !step->answered)
    put_labeled(&pen, "r", ROLE_CURSOR, step->missed == 1 ? "asks it again." : "asks these again.", ROLE_DIM);
  end_paragraph(&pen);
  return pen.row;
}
