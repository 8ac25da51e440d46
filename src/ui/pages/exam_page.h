// exam_page.h: what the files of an exam's page share: its state, and how it is drawn.
#ifndef LS_UI_EXAM_PAGE_H
#define LS_UI_EXAM_PAGE_H

#include "app/exam/sitting.h"
#include "ui/pages/answer_input.h"
#include "ui/pages/list.h"
#include "ui/pages/page.h"
#include "ui/pages/writing_pane.h"

typedef enum Mode { MODE_QUESTION, MODE_LIST, MODE_LEAVE, MODE_OVER } Mode;

typedef struct ExamPage {
  Page base;
  Sitting *sitting;
  RecipeBook *book;
  Mode mode;
  LessonStep step;           // the question shown
  Session *session;          // NULL until a question shows a run
  bool shows;                // this one does
  AnswerInput answer;        // the one that is being made
  WritingPane writing;       // of an open question
  double unsaved;            // seconds since its text was saved, if it changed since then; < 0: it did not
  List list;
  int skip, rows, room;      // rows of the text scrolled away; its rows in all, and how many are seen
  char message[512];
} ExamPage;

static inline int exam_page_count(const ExamPage *self) { return self->sitting->paper->count; }

static inline const char *exam_page_given(const ExamPage *self) {   // the answer to the question shown
  return sitting_answer_of(self->sitting, self->sitting->at);
}

void exam_page_draw(Page *page, Canvas *canvas);

#endif
