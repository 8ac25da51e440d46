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
static bool is_open(const LessonStep *step) { return step->answered || step->skipped; }

static void put_option(Pen *pen, const LessonStep *step, int index) {
  const LessonQuestion *question = &step->question;
  bool given = step->answered && !step->skipped && (int)step->given == index, right = (int)question->answer == index;
  Role role = !is_open(step) ? ROLE_TEXT : right ? ROLE_GOOD : given ? ROLE_ALARM : ROLE_DIM;
  char label[16];
  snprintf(label, sizeof label, "%d%s", index + 1, !is_open(step) ? " " : right ? "✓" : given ? "✗" : " ");
  put_word(pen, label, (int)strlen(label), 0, !is_open(step) ? ROLE_CURSOR : role, STYLE_BOLD);
  pen->indent = 3;
  pen->col = 3;
  int space = 0;
  put_span(pen, question->options[index], (int)strlen(question->options[index]), 0, role, &space);
  pen->indent = 0;
  end_paragraph(pen);
}

// What stands for an answer here: the options have numbers.
static void answer_words(const LessonQuestion *question, double value, LsText *out) {
  if (question->kind == QUESTION_CHOICE) ls_text_addf(out, "number %d", (int)value + 1);
  else lesson_answer_text(question, value, out);
}

static void put_verdict(Pen *pen, const LessonStep *step) {
  LsText answer = {0}, given = {0};
  char line[512];
  answer_words(&step->question, step->question.answer, &answer);
  answer_words(&step->question, step->given, &given);
  if (step->skipped) snprintf(line, sizeof line, "It is %s.", ls_text_str(&answer));
  else if (step->right) snprintf(line, sizeof line, "Right: %s.", ls_text_str(&answer));
  else snprintf(line, sizeof line, "You said %s; it is %s.", ls_text_str(&given), ls_text_str(&answer));
  blank_row(pen);
  put_text(pen, line, step->right ? ROLE_GOOD : ROLE_WAITING);
  if (step->question.because && step->question.because[0]) put_text(pen, step->question.because, ROLE_TEXT);
  ls_text_free(&answer);
  ls_text_free(&given);
}

static void put_tips(Pen *pen, const char **tips, int count, int shown) {
  for (int i = 0; i < shown && i < count; i++) put_labeled(pen, "Tip:", ROLE_CURSOR, tips[i], ROLE_TEXT);
}

static void put_question(Pen *pen, const LessonStep *step) {
  const LessonQuestion *question = &step->question;
  blank_row(pen);
  put_text(pen, question->prompt, ROLE_CURSOR);
  if (question->kind == QUESTION_CHOICE) {
    if (!pen->low) blank_row(pen);
    for (int i = 0; i < question->option_count; i++) put_option(pen, step, i);
  }
  if (!is_open(step)) {
    static const char *const how[] = {"Type its number, then Enter.", "Type a number, then Enter.",
                                      "Press Enter, then type lanes: 0-3,7 or 0x8f or even, odd, all, none."};
    if (!pen->low) blank_row(pen);
    if (!pen->low || question->kind == QUESTION_MASK) put_text(pen, how[question->kind], ROLE_DIM);
  } else {
    put_verdict(pen, step);
  }
  put_tips(pen, question->tips, question->tip_count, step->tips_shown);
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
  if (step->kind == LESSON_END && step->missed && !step->answered)
    put_labeled(&pen, "r", ROLE_CURSOR, step->missed == 1 ? "asks it again." : "asks these again.", ROLE_DIM);
  end_paragraph(&pen);
  return pen.row;
}
