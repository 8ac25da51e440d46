// result.h: what a student did in an exam, line by line, as the file FILE.ID.result has it.
//
//   lanescope exam result 1
//   CODE 0 begin EXAM WHO PAPER VERSION WALL BOOT BOOT-ID      sum of the exam, ID, digest of the paper; the clocks
//   CODE 48210 answer 3 0-15,31                                milliseconds since the start; item of the exam, as typed
//   CODE 51007 clear 3
//   CODE 92000 resume WALL BOOT BOOT-ID                        after the program was left, or ended
//   CODE 92000 again WALL BOOT BOOT-ID                         the same after the file was gone, with all answers
//   CODE 1800000 end time                                      or "end handed": nothing may follow
//
// CODE is made as exam.h says, 32 hexadecimal digits of it. A line is on disk before the student goes on, so a program
// that is ended at any moment loses at most the line that it was writing, which has no end of line then.
#ifndef LS_APP_RESULT_H
#define LS_APP_RESULT_H

#include "app/exam/exam.h"

// Both clocks of a machine, in milliseconds: that of the day, which can be set, and that since it was started, which
// cannot, and goes on while the machine sleeps. boot: names the start.
typedef struct ExamTime { int64_t wall, since_boot; char boot[40]; } ExamTime;
void exam_time_now(ExamTime *now);

// How much of the time is gone: what both clocks say since `from`, the larger of the two. A clock that is set back
// gives no time, and a machine that is started again takes none but what the clock of the day says.
typedef struct ExamClock { ExamTime from; int64_t gone; } ExamClock;   // gone: milliseconds, at `from`
int64_t exam_clock_gone(const ExamClock *clock, const ExamTime *now);

typedef struct ExamAnswer { char *text; int64_t at; } ExamAnswer;   // text NULL: none. at: milliseconds since the start

typedef enum ResultEnd { RESULT_OPEN, RESULT_HANDED, RESULT_TIME } ResultEnd;

typedef struct ExamResult {
  char who[EXAM_ID + 1];
  LsDigest paper;
  char version[32];
  int64_t begun;               // by the clock of the day, milliseconds since 1970
  ExamAnswer answers[EXAM_ITEMS];
  int changes, resumes;        // answers that replaced others; how often it was taken up again
  bool again;                  // an earlier file was gone
  ResultEnd end;
  ExamClock clock;             // as of the last begin or resume
  int64_t gone;                // of the last line
  int lines;                   // with the heading
  LsDigest key, code;          // code: of the last line
  size_t whole;                // bytes of whole lines; the file may have the beginning of one more
} ExamResult;

enum { RESULT_OK, RESULT_NOT_ONE, RESULT_OTHER_EXAM, RESULT_CHANGED };
// Reads and checks a result of this exam. In what is not RESULT_OK, *err says what and where. result_fini also then.
int result_read(const Exam *exam, const char *path, ExamResult *result, LsErr *err);
int result_parse(const Exam *exam, const char *text, const char *path, ExamResult *result, LsErr *err);
void result_fini(ExamResult *result);

// ---- writing: the text of lines, which changes the result as reading it would ----
void result_begin(const Exam *exam, const char *who, const LsDigest *paper, const ExamTime *now, ExamResult *result,
                  LsText *out);
void result_resume(ExamResult *result, const ExamTime *now, bool again, LsText *out);
void result_answer(ExamResult *result, int item, const char *text, int64_t gone, LsText *out);   // text NULL: clear
void result_end(ExamResult *result, ResultEnd end, int64_t gone, LsText *out);

// The code to be written down when it is handed in: "7KQ2-XW9F-M3TA", of all that is in the result.
enum { RESULT_RECEIPT = 16 };
void result_receipt(const ExamResult *result, char out[RESULT_RECEIPT]);

#endif
