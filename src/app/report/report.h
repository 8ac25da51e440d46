// report.h: what a student has done, to be handed in at the student's own wish: a file of JSON, or a table.
//
//     progress ── report_gather ──▶ Report ── report_json, report_csv ──▶ a file ── report_read.h ──▶ Report
//
// There are days in it, but no times of day, no machine and no path. The texts of open answers are in it only where
// that is asked for. Nothing is sent: the student gives the file to whom it is for.
#ifndef LS_APP_REPORT_H
#define LS_APP_REPORT_H

#include "app/course/course.h"
#include "base/mem.h"

enum { REPORT_FORMAT = 1, REPORT_NAME = 80 };   // REPORT_NAME: characters of a name

// A wrong first answer, and the words that met it: the name of the misconception. NULL: nobody foresaw it.
typedef struct ReportWrong { const char *given, *says; int count; } ReportWrong;

typedef struct ReportLesson {
  const char *id;                    // "L11"
  bool done;
  int right, asked, looked;          // at the first try; answered; answered after looking at the run, which is practice
  int minutes;                       // between answers, of a pause not more than REPORT_PAUSE
} ReportLesson;
enum { REPORT_PAUSE = 10 };          // minutes

typedef struct ReportSkill {
  const char *id, *family;           // "L11.degree"; "FQ5" or NULL
  int seen, right;                   // answered, and right at once
  double score;                      // the sum of all answers, each 0 to 1: less than 1 after tips
  int box;                           // of its cards (fsrs.h)
  double chance;                     // of a right answer on the day of the report
  const char *first, *last;          // days of the first and the last answer, "2026-11-22"; NULL: not told
  int lapses;                        // days on which it was forgotten
  int sure, sure_wrong;              // answers that were given as sure; those of them that were wrong
  const ReportWrong *wrong; int wrong_count;   // the commonest first
} ReportSkill;

typedef struct ReportOpen {
  const char *id;                    // a family, "FQ5", or a place in a lesson, "L11.cure"
  const double *points; int of;      // 0, 0.5 (ticked, but not shown in the text) or 1 for each point
  int words;
  const char *text;                  // NULL: not to be told
} ReportOpen;

// An exercise that was handed to the judge, so often; whether it passed once, and the best score, which counts
// something ("sectors") of which less is better; NAN and "": it has none.
typedef struct ReportExercise {
  const char *name;
  bool passed;
  int tries;
  double score; const char *counts;
} ReportExercise;
// A question that the student says is wrong, and why: the skill, which draw of it for which seed, what was answered.
typedef struct ReportDoubt { const char *skill; int draw; const char *seed, *given, *words; } ReportDoubt;

typedef struct Report {
  LsArena *arena;                    // of all that is in it
  const char *program, *course;      // version of the program; course_hash of its course
  const char *who, *made;            // name of the student; day
  ReportLesson *lessons; int lesson_count;
  ReportSkill *skills; int skill_count;
  ReportOpen *open; int open_count;
  ReportExercise *practice; int practice_count;
  ReportDoubt *doubts; int doubt_count;
} Report;

typedef struct ReportWish {
  const char *as;                    // NULL: the name that was made once by chance
  bool texts;                        // of open answers
  int64_t now;                       // seconds since 1970
} ReportWish;

// False with *err: the name is none, or the course cannot be read. report_free also then.
bool report_gather(Report *report, Course *course, Progress *progress, const ReportWish *wish, LsErr *err);
void report_free(Report *report);

// One to REPORT_NAME characters without control characters, beginning with a letter or digit: what could be a formula
// in a table is no name.
bool report_is_name(const char *name);
// Adds a friendly name made by chance, "otter-4127": the same for a student as long as the progress is kept.
void report_alias(Progress *progress, LsText *out);

// report_write.c: JSON with a line for each lesson, skill and answer; or lines of who, skill, seen, right, first, last,
// chance.
void report_json(const Report *report, LsText *out);
void report_csv(const Report *report, LsText *out);
// A cell of a table, quoted where it has to be (RFC 4180).
void report_add_cell(LsText *out, const char *text);

#endif
