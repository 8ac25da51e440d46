// paper.h: the questions of an exam as one student gets them: drawn from the exam's seed and the ID, in an order of the
// student's own. The same two give the same paper on every machine.
#ifndef LS_APP_PAPER_H
#define LS_APP_PAPER_H

#include "app/course/lesson.h"
#include "app/exam/exam.h"

typedef struct PaperQuestion {
  int item;                    // of the exam
  LessonStep step;             // as it is asked, nothing answered; its texts belong to the lesson
} PaperQuestion;

typedef struct ExamPaper {
  Lesson *lesson;              // has the runs that questions show
  PaperQuestion questions[EXAM_ITEMS]; int count;
  LsDigest digest;             // of all that is asked, with the right answers
} ExamPaper;

// Makes the runs behind the draws, which may take some seconds. who: as of exam_who; "": the paper that nobody gets, by
// which versions of the course are compared. Course and book are borrowed for the paper's life.
ExamPaper *exam_paper(const Exam *exam, const char *who, Course *course, RecipeBook *book, LsErr *err);
void exam_paper_free(ExamPaper *paper);    // NULL is fine
// Chooses the class of each draw of a new exam, and notes its questions. To be done before it is sealed.
bool exam_settle(Exam *exam, Course *course, RecipeBook *book, LsErr *err);

#endif
