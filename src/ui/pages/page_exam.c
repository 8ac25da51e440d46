// page_exam.c: an exam on the screen: a question with its answer, all of them as a row of boxes, and the time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/pages/exam_page.h"
#include "ui/pages/rail.h"
#include "ui/views/view.h"

enum { PERIOD_MS = 500, SAVE_SECONDS = 10, LAST_SECONDS = 2 };


// ---- moving --------------------------------------------------------------------------------------------------------

static int rail_rows(const void *context, int cols) {
  const ExamPage *self = context;
  return 2 + rail_draw_step(&self->step, NULL, (Rect){0, 0, cols - 2, 0}, true, 0, NULL);
}

static void show_run(ExamPage *self) {
  const Lesson *lesson = self->sitting->paper->lesson;
  self->shows = lesson_run(lesson, self->step.place.run) != NULL;
  if (!self->shows) return;
  lesson_show_at(lesson, &self->step.place, &self->session);
  self->session->book = self->book;
  self->session->untold = self->step.hides;
  self->session->hides = self->step.hides ? SES_HIDES_PICTURE : SES_HIDES_NOTHING;
  self->session->layout_flags = LAYOUT_RAIL | (self->step.place.code ? LAYOUT_CODE : 0);
  self->session->room = view_room;
  self->session->rail_rows = rail_rows;
  self->session->rail_context = self;
}

// Shows the question where the sitting stands, with its answer.
static void show_question(ExamPage *self) {
  sitting_step(self->sitting, self->sitting->at, &self->step);
  self->mode = sitting_over(self->sitting) ? MODE_OVER : MODE_QUESTION;
  self->skip = 0;
  self->answer = (AnswerInput){.at = -1};
  self->unsaved = -1;
  writing_pane_reset(&self->writing);
  if (self->step.writing && exam_page_given(self)) {
    ls_text_add(&self->writing.text, exam_page_given(self));
    self->writing.cursor = self->writing.text.length;
  }
  show_run(self);
}

static void say(ExamPage *self, const LsErr *err) {
  snprintf(self->message, sizeof self->message, "%.500s", err->message);
}

static void save_writing(ExamPage *self) {
  LsErr err = {0};
  char *text = self->unsaved >= 0 ? writing_pane_text(&self->writing) : NULL;
  bool ok = text ? sitting_answer(self->sitting, self->sitting->at, text, &err)
                 : self->unsaved < 0 || sitting_clear(self->sitting, self->sitting->at, &err);
  self->unsaved = -1;
  if (!ok) say(self, &err);
  free(text);
}

static void go_to(ExamPage *self, int place) {
  if (place < 0 || place >= exam_page_count(self)) return;
  save_writing(self);
  self->sitting->at = place;
  show_question(self);
}

static void go_on(ExamPage *self) {
  bool last = self->sitting->at + 1 == exam_page_count(self);
  if (!last) go_to(self, self->sitting->at + 1);
  else snprintf(self->message, sizeof self->message, "That was the last question. l lists all, q hands it in.");
}

// ---- answering -----------------------------------------------------------------------------------------------------

static void submit(ExamPage *self) {
  LsErr err = {0};
  if (!sitting_answer(self->sitting, self->sitting->at, self->answer.text, &err)) return say(self, &err);
  show_question(self);
  snprintf(self->message, sizeof self->message, "Noted. It can be changed until the end.");
}

static bool typing_key(ExamPage *self, AppKey key) {
  AnswerEvent event = answer_key(&self->answer, &self->step, key);
  if (event == ANSWER_GIVEN) submit(self);
  return event != ANSWER_UNUSED;
}

// Whoever begins without typing goes on from the answer that is there.
static bool begins_answer(ExamPage *self, AppKey key) {
  if (self->step.writing || !answer_begin(&self->answer, &self->step, key, !self->shows, 0)) return false;
  if (!exam_page_given(self) || self->answer.typed) return true;
  snprintf(self->answer.text, sizeof self->answer.text, "%s", exam_page_given(self));
  bool one = self->step.question.kind == QUESTION_CHOICE || self->step.question.kind == QUESTION_LINE;
  if (one) self->answer.at = (int)self->step.given - (self->step.question.kind == QUESTION_LINE);
  self->answer.typed = self->step.question.kind == QUESTION_NUMBER || self->step.question.kind == QUESTION_TEXT;
  return true;
}

static void writing_key(ExamPage *self, AppKey key) {
  writing_pane_type(&self->writing, key.code);
  if (self->unsaved < 0) self->unsaved = 0;
  if (self->writing.typing) return;
  save_writing(self);
  if (!self->message[0]) snprintf(self->message, sizeof self->message, "Noted. It can be changed until the end.");
  sitting_step(self->sitting, self->sitting->at, &self->step);
}

static void clear(ExamPage *self) {
  LsErr err = {0};
  if (!sitting_clear(self->sitting, self->sitting->at, &err)) return say(self, &err);
  show_question(self);
}

// ---- keys ----------------------------------------------------------------------------------------------------------

static const char *row_text(void *context, int row) {
  return sitting_question(((const ExamPage *)context)->sitting, row)->step.title;
}

static void open_list(ExamPage *self) {
  save_writing(self);
  self->mode = MODE_LIST;
  self->list = (List){.count = exam_page_count(self), .chosen = self->sitting->at, .text = row_text, .context = self};
}

static bool list_mode_key(ExamPage *self, AppKey key) {
  bool searching = self->list.searching;
  ListResult result = list_key(&self->list, key);
  if (result == LIST_OPEN) go_to(self, self->list.chosen);
  else if (result == LIST_IGNORED && !searching) self->mode = MODE_QUESTION;
  return true;
}

static bool leave_key(ExamPage *self, AppKey key) {
  LsErr err = {0};
  self->mode = MODE_QUESTION;
  if (key.code == 'l') self->base.closed = true;
  if (key.code != 'h') return true;
  if (!sitting_hand_in(self->sitting, &err)) say(self, &err);
  else show_question(self);
  return true;
}

static void scroll(ExamPage *self, int by) { self->skip = LS_MAX(self->skip + by, 0); }

static bool question_key(ExamPage *self, AppKey key) {
  bool open = self->step.writing != NULL;
  if (open && key.code == KEY_RETURN_) return self->writing.typing = true;
  if (begins_answer(self, key)) return true;
  switch (key.code) {
    case KEYX_RIGHT: case ' ': go_on(self); break;
    case KEYX_LEFT: case KEY_BACKSPACE_: go_to(self, self->sitting->at - 1); break;
    case KEYX_HOME: go_to(self, 0); break;
    case KEYX_END: go_to(self, exam_page_count(self) - 1); break;
    case KEYX_UP: scroll(self, -1); break;
    case KEYX_DOWN: scroll(self, 1); break;
    case KEYX_PGUP: scroll(self, -LS_MAX(self->room - 1, 1)); break;
    case KEYX_PGDN: scroll(self, LS_MAX(self->room - 1, 1)); break;
    case 'l': open_list(self); break;
    case 'x': clear(self); break;
    case 'q': save_writing(self), self->mode = MODE_LEAVE; break;
    default: return false;
  }
  return true;
}

static bool exam_key(Page *page, AppKey key) {
  ExamPage *self = (ExamPage *)page;
  bool said = self->message[0] != 0;
  self->message[0] = 0;
  if (self->mode == MODE_OVER) return page->closed = key.code == 'q' || key.code == KEY_RETURN_ || key.code == KEY_ESC_;
  if (self->mode == MODE_LIST) return list_mode_key(self, key);
  if (self->mode == MODE_LEAVE) return leave_key(self, key);
  if (self->writing.typing) return writing_key(self, key), true;
  bool used = self->answer.open ? typing_key(self, key) : question_key(self, key);
  return used || said;
}

// ---- time ----------------------------------------------------------------------------------------------------------

static bool exam_tick(Page *page, double seconds) {
  ExamPage *self = (ExamPage *)page;
  LsErr err = {0};
  if (self->mode == MODE_OVER) return false;
  if (self->unsaved >= 0) self->unsaved += seconds;
  bool last = sitting_left(self->sitting) < LAST_SECONDS * 1000;
  if (self->unsaved >= SAVE_SECONDS || (last && self->unsaved >= 0)) save_writing(self);
  if (sitting_tick(self->sitting, &err)) {
    show_question(self);
    if (err.kind != LS_OK) say(self, &err);
  }
  return true;
}

static void page_exam_free(Page *page) {
  ExamPage *self = (ExamPage *)page;
  if (self->mode != MODE_OVER) save_writing(self);
  writing_pane_reset(&self->writing);
  ses_free(self->session);
  free(self);
}

static const PageClass exam_class = {exam_page_draw, exam_key, exam_tick, page_exam_free};

Page *page_exam_new(Sitting *sitting, RecipeBook *book) {
  ExamPage *self = ls_alloc(sizeof *self);
  self->base.class = &exam_class;
  self->base.period_ms = PERIOD_MS;
  self->sitting = sitting;
  self->book = book;
  show_question(self);
  const char *how = sitting_how_resumed(sitting);
  if (*how) snprintf(self->message, sizeof self->message, "%c%s.", how[0] - 'a' + 'A', how + 1);
  return &self->base;
}
