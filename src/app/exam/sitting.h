// sitting.h: a student at an exam: questions to go back and forth among, answers that may be changed until the end, and
// the time. What is done is in the result's file before anything else happens.
#ifndef LS_APP_SITTING_H
#define LS_APP_SITTING_H

#include "app/exam/paper.h"
#include "app/exam/result.h"

typedef struct Sitting {
  const Exam *exam;            // borrowed, as is the paper
  const ExamPaper *paper;
  ExamResult result;
  char *path;                  // of the result
  int fd;
  int at;                      // the question shown, by its place in the paper
  bool resumed, anew;          // it had been begun before; and what was done then is gone
  void (*clock)(ExamTime *now);   // exam_time_now, or a test's
} Sitting;

// What may be left out (NULL): another clock than that of the machine; a file that notes when it began, so that a
// result that is removed begins anew without its answers, but not with new time.
typedef struct SittingPlace { const char *result, *note; void (*clock)(ExamTime *now); } SittingPlace;

// Begins, or goes on where it was left. False: the file is another's, was changed, or cannot be written; is open in
// another window. One that has ended is opened, too: sitting_over.
bool sitting_open(Sitting *sitting, const Exam *exam, const ExamPaper *paper, const char *who,
                  const SittingPlace *place, LsErr *err);
void sitting_close(Sitting *sitting);

// "it goes on where it was left"; "": it has just begun.
const char *sitting_how_resumed(const Sitting *sitting);

int64_t sitting_gone(const Sitting *sitting);          // milliseconds since the start
int64_t sitting_left(const Sitting *sitting);          // until the end; not below 0
bool sitting_over(const Sitting *sitting);             // ended: nothing can be answered
// Ends it if the time is up: true if that happened now. To be called as time goes by.
bool sitting_tick(Sitting *sitting, LsErr *err);

const PaperQuestion *sitting_question(const Sitting *sitting, int place);
const char *sitting_answer_of(const Sitting *sitting, int place);   // as typed; NULL: none
int sitting_answered(const Sitting *sitting);          // how many
// Takes an answer as it was typed; of an open question any text. False: it is no answer, the time is up, or it cannot
// be saved.
bool sitting_answer(Sitting *sitting, int place, const char *typed, LsErr *err);
bool sitting_clear(Sitting *sitting, int place, LsErr *err);
bool sitting_hand_in(Sitting *sitting, LsErr *err);

// The question with the answer so far, as what draws and prints questions wants it: nothing in it says whether that is
// right.
void sitting_step(const Sitting *sitting, int place, LessonStep *step);
// "12:05" to go; "1:02:05"; with words "12 minutes 5 seconds".
void sitting_time_text(int64_t milliseconds, bool words, LsText *out);

#endif
