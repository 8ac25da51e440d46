// exam_draw.c: the page of an exam as it looks: the question with its answer, the boxes, the list, the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/pages/exam_page.h"
#include "ui/pages/rail.h"
#include "ui/views/frame.h"
#include "ui/views/view.h"

enum { TEXT_WIDTH = 90, TOP = 1, LIST_TOP = 2, HURRY_MS = 5 * 60 * 1000 };

static void draw_title(const ExamPage *self, Canvas *canvas) {
  LsText left = {0}, brief = {0};
  int64_t time = sitting_left(self->sitting);
  sitting_time_text(time, false, &brief);
  ls_text_addf(&left, "%s left", ls_text_str(&brief));
  bool hurry = time < HURRY_MS && !sitting_over(self->sitting);
  FrameTitle title = {.crumbs = {"lanescope", "exam", self->sitting->exam->title}, .crumb_count = 3,
                      .right = hurry || sitting_over(self->sitting) ? "" : ls_text_str(&left)};
  if (hurry) title.news[0] = ls_text_str(&left), title.news[1] = ls_text_str(&brief);
  title.alarming = hurry;
  frame_title(canvas, &title);
  ls_text_free(&left);
  ls_text_free(&brief);
}

// One box a question: full where it has an answer, and the one shown marked.
static void draw_boxes(const ExamPage *self, Canvas *canvas, Rect rect) {
  enum { WIDE = 6, NARROW = 4 };
  int each = exam_page_count(self) * WIDE <= rect.w ? WIDE : NARROW, per_row = rect.w / each, y = rect.y + rect.h + 1;
  int first = self->sitting->at / per_row * per_row;
  for (int place = first; place < exam_page_count(self) && place < first + per_row; place++) {
    bool here = place == self->sitting->at, done = sitting_answer_of(self->sitting, place) != NULL;
    int x = rect.x + 1 + (place - first) * each, style = here ? STYLE_BOLD | STYLE_REVERSE : 0;
    Role role = here ? ROLE_CURSOR : done ? ROLE_GOOD : ROLE_DIM;
    int end = canvas_textf(canvas, x, y, role, style, "%d", place + 1);
    canvas_put(canvas, end, y, done ? 0x25a0 : 0x25a1, done ? ROLE_GOOD : ROLE_DIM, 0);   // ■ □
  }
}

static void answer_words(const ExamPage *self, int place, LsText *out) {
  const char *typed = sitting_answer_of(self->sitting, place);
  LessonStep step;
  sitting_step(self->sitting, place, &step);
  bool text = step.writing || step.question.kind == QUESTION_TEXT;
  if (!typed) ls_text_add(out, "not answered");
  else if (text) ls_text_addf(out, "%.*s", (int)strcspn(typed, "\n"), typed);
  else if (step.question.kind == QUESTION_CHOICE)
    ls_text_addf(out, "%d  %s", (int)step.given + 1, step.question.options[(int)step.given]);
  else if (step.question.kind == QUESTION_SEVERAL) question_typed(&step.question, step.given, out);
  else lesson_answer_text(&step.question, step.given, out);
}

// The question as it is answered: what was chosen is marked as if it were being made.
static int put_question(ExamPage *self, Canvas *canvas, Rect rect, int skip) {
  static const char how[] = "Enter on an empty line, or Esc, ends it; it is saved as you write.";
  if (self->step.writing) return writing_pane_draw_text(&self->writing, &self->step, how, canvas, rect, skip);
  AnswerInput shown = self->answer;
  if (!shown.open && exam_page_given(self)) {
    bool choice = self->step.question.kind == QUESTION_CHOICE;
    shown = (AnswerInput){.open = true, .at = choice ? (int)self->step.given : -1};
    snprintf(shown.text, sizeof shown.text, "%s", exam_page_given(self));
  }
  LessonStep step = self->step;
  step.title = "";           // which stands in the rule
  int rows = rail_draw_step(&step, canvas, rect, self->shows, skip, &shown);
  self->answer.row = shown.row;
  if (!exam_page_given(self) || self->answer.open) return rows;
  LsText words = {0};
  ls_text_add(&words, "Your answer: ");
  answer_words(self, self->sitting->at, &words);
  rows = rail_text(canvas, rect, skip, rows + 1, ls_text_str(&words), ROLE_GOOD);
  ls_text_free(&words);
  return rows;
}

// What is written or chosen is to be seen.
static void follow(ExamPage *self) {
  int row = self->step.writing && self->writing.typing ? self->writing.row : self->answer.open ? self->answer.row : -1;
  if (row >= 0) self->skip = LS_CLAMP(self->skip, row - self->room + 1, row);
  self->skip = LS_CLAMP(self->skip, 0, LS_MAX(self->rows - self->room, 0));
}

static void draw_question(ExamPage *self, Canvas *canvas, Rect rect) {
  char title[200];
  snprintf(title, sizeof title, "Question %d of %d · %s", self->sitting->at + 1, exam_page_count(self),
           self->step.title);
  int air = self->shows ? 1 : 2;
  Rect text = {rect.x + 1, rect.y + air, rect.w - 2, rect.h - air};
  self->rows = put_question(self, canvas, (Rect){text.x, text.y, text.w, 0}, 0);
  self->room = text.h;
  follow(self);
  bool below = self->rows - self->skip > text.h;
  const char *state = exam_page_given(self) ? "answered" : "";
  canvas_rule(canvas, rect.x, rect.y, rect.w, title, below ? "PgDn more below" : state);
  Rect old = canvas_clip(canvas, rect);
  put_question(self, canvas, text, self->skip);
  canvas_clip(canvas, old);
}

static void draw_list(ExamPage *self, Canvas *canvas) {
  enum { NUMBER_X = 3, TITLE_X = 7, TITLE_W = 28 };
  int answer_x = TITLE_X + LS_MIN(TITLE_W, canvas->cols / 3) + 2;
  canvas_rule(canvas, 0, 1, canvas->cols, "All questions", NULL);
  list_place(&self->list, LIST_TOP, canvas->rows - LIST_TOP - 3);
  for (int row = self->list.top; list_shows(&self->list, row); row++) {
    int y = self->list.y + row - self->list.top;
    bool done = sitting_answer_of(self->sitting, row) != NULL;
    LsText words = {0};
    answer_words(self, row, &words);
    list_mark(&self->list, canvas, 0, canvas->cols, row);
    canvas_textf(canvas, NUMBER_X, y, ROLE_ACTIVE, 0, "%2d", row + 1);
    canvas_text_cut(canvas, TITLE_X, y, answer_x - TITLE_X - 1, ROLE_TEXT, 0,
                    self->list.text(self->list.context, row));
    canvas_text_cut(canvas, answer_x, y, canvas->cols - answer_x - 2, done ? ROLE_GOOD : ROLE_DIM, 0,
                    ls_text_str(&words));
    ls_text_free(&words);
  }
  list_count(&self->list, canvas, NUMBER_X);
}

static void draw_over(const ExamPage *self, Canvas *canvas) {
  enum { MARGIN = 4, LEAST_Y = 4 };
  const Sitting *sitting = self->sitting;
  char receipt[RESULT_RECEIPT];
  LsText words = {0};
  result_receipt(&sitting->result, receipt);
  ls_text_addf(&words, "%s %d of %d questions are answered.\n\nThe result is %s\n\nYour receipt is",
               sitting->result.end == RESULT_TIME ? "The time is over." : "It is handed in.", sitting_answered(sitting),
               exam_page_count(self), sitting->path);
  Rect rect = {MARGIN, LEAST_Y, LS_MIN(canvas->cols - 2 * MARGIN, TEXT_WIDTH), canvas->rows - LEAST_Y - 2};
  int row = rail_text(canvas, rect, 0, 0, ls_text_str(&words), ROLE_TEXT);
  row = rail_text(canvas, rect, 0, row + 1, receipt, ROLE_GOOD);
  rail_text(canvas, rect, 0, row + 1, "Write it down: it stands for all that is in the result, which cannot be changed "
            "any more without changing it.", ROLE_DIM);
  ls_text_free(&words);
}

// Which have no answer: "2 and 5".
static void ask_to_leave(const ExamPage *self, Canvas *canvas) {
  LsText words = {0};
  int open = exam_page_count(self) - sitting_answered(self->sitting), said = 0;
  ls_text_add(&words, "Hand it in? ");
  if (open) ls_text_addf(&words, "No answer yet: ");
  for (int place = 0; open && place < exam_page_count(self); place++)
    if (!sitting_answer_of(self->sitting, place))
      ls_text_addf(&words, "%s%d", !said ? "" : said == open - 1 ? " and " : ", ", place + 1), said++;
  ls_text_addf(&words, "%sh hands it in, and nothing can be changed then. l leaves: the time goes on, the same command "
               "leads back. Esc stays.", open ? ". " : "");
  frame_message(canvas, ls_text_str(&words), false);
  ls_text_free(&words);
}

static const char *prompt_help(const LessonStep *step) {
  switch (step->question.kind) {
    case QUESTION_MASK: return "arrows, Space sets lanes; Enter takes it";
    case QUESTION_SEVERAL: return "arrows, Space takes and leaves; Enter ends";
    case QUESTION_ORDER: return "arrows, J K move a line; Enter takes it";
    default: return "Enter takes it, Esc leaves it as it was";
  }
}

static void draw_bottom(const ExamPage *self, Canvas *canvas) {
  static const FooterKey asking[] = {{"⏎", "enter", "answer"}, {"←→", "left right", "question"}, {"l", NULL, "list"},
                                    {"x", NULL, "take the answer back"}, {"q", NULL, "hand in"}};
  static const FooterKey typing[] = {{"⏎⏎", "enter twice", "end"}, {"esc", NULL, "keys of the exam"}};
  static const FooterKey listing[] = {{"↑↓", "up down", "choose"}, {"⏎", "enter", "go there"}, {"esc", NULL, "back"}};
  static const FooterKey ended[] = {{"⏎", "enter", "leave"}};
  if (self->mode == MODE_LEAVE) ask_to_leave(self, canvas);
  else if (self->answer.open)
    frame_prompt(canvas, "answer ", self->answer.text, self->message[0] ? self->message : prompt_help(&self->step));
  else if (self->message[0]) frame_message(canvas, self->message, false);
  else if (self->mode == MODE_OVER) frame_keys(canvas, ended, LS_COUNT(ended));
  else if (self->mode == MODE_LIST) frame_keys(canvas, listing, LS_COUNT(listing));
  else if (self->writing.typing) frame_keys(canvas, typing, LS_COUNT(typing));
  else frame_keys(canvas, asking, LS_COUNT(asking));
}

// Beside the explorer where the question shows a run, which stands still; else alone, in the middle of a wide screen.
static void draw_asked(ExamPage *self, Canvas *canvas) {
  int w = LS_MIN(canvas->cols, TEXT_WIDTH);
  Rect rect = {(canvas->cols - w) / 2, TOP, w, canvas->rows - TOP - 4};
  if (self->shows) {
    Layout layout;
    explorer_draw(self->session, canvas);
    ses_layout(self->session, &layout);
    rect = layout.rail;
  }
  draw_question(self, canvas, rect);
  if (!self->shows) draw_boxes(self, canvas, rect);
}

void exam_page_draw(Page *page, Canvas *canvas) {
  ExamPage *self = (ExamPage *)page;
  if (self->mode == MODE_OVER) draw_over(self, canvas);
  else if (self->mode == MODE_LIST) draw_list(self, canvas);
  else draw_asked(self, canvas);
  draw_title(self, canvas);
  draw_bottom(self, canvas);
}
