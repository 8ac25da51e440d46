// marks.h: what a result is worth: each answer held against the paper that its ID gets here.
//
// A drawn question gives a point or none: several and order are all or nothing, and no answer is no point. An open
// question gives the share of its points that a teacher has ticked; until then it gives nothing, and is counted as
// open.
//
// Ticks stand in a file beside the result, one line each, made and checked with the word, and bound to the text that
// was ticked:
//
//   lanescope exam ticks 1
//   CODE 7 4 1 3                                               item 7 of the exam, of 4 points the first and the third
#ifndef LS_APP_MARKS_H
#define LS_APP_MARKS_H

#include "app/exam/paper.h"
#include "app/exam/result.h"

typedef enum MarkVerdict { MARK_NONE, MARK_RIGHT, MARK_WRONG, MARK_OPEN, MARK_TICKED } MarkVerdict;   // NONE: no answer
typedef struct Mark { MarkVerdict verdict; double points; int64_t at; } Mark;   // at: milliseconds since the start

typedef struct ExamMarks {
  Mark items[EXAM_ITEMS];      // by item of the exam
  double points, of;           // of: with the open ones
  int answered, open;          // open: answered, and not ticked yet
} ExamMarks;

// Whether a bit for each point of an open question's text is known. false: nobody ticked it.
typedef struct ExamTicks { bool given[EXAM_ITEMS]; uint32_t points[EXAM_ITEMS]; } ExamTicks;

// False with why it cannot be marked: another version of the course asks this ID something else, or the time was over
// when it was answered. ticks may be NULL.
bool marks_of(const Exam *exam, const ExamPaper *paper, const ExamResult *result, const ExamTicks *ticks,
              ExamMarks *marks, LsErr *err);

// ---- ticks ----
char *ticks_path(const char *result_path);   // caller frees
// A file that is not there has none. False: it was changed, or is of another word, exam or text.
bool ticks_read(const Exam *exam, const LsDigest *master, const ExamResult *result, const char *path, ExamTicks *ticks,
                LsErr *err);
void ticks_text(const Exam *exam, const LsDigest *master, const ExamResult *result, const ExamTicks *ticks,
                LsText *out);

#endif
