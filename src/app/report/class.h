// class.h: what a class can do, summed up from the reports of its students.
//
//     class_new ── class_add, as often as there is a report ── class_end ──▶ skills, lessons, students
//
// A report is not kept: a few numbers of each of its skills are, so that ten thousand reports have room. Reports on
// another course are not mixed in: their questions are others. Of a student who handed in twice the newest counts.
#ifndef LS_APP_REPORT_CLASS_H
#define LS_APP_REPORT_CLASS_H

#include "app/report/report.h"

// A wrong answer, over all students. says NULL: nobody foresaw it.
typedef struct ClassWrong { const char *given, *says; int skill, students; int64_t count; } ClassWrong;

typedef struct ClassSkill {
  const char *id, *lesson;           // "L11.degree", "L11"
  const char *family, *topic;        // "FQ5" or NULL; of the family, or the lesson's title
  int students;                      // who answered it
  int64_t seen, right;               // answers, and those that were right at once
  int64_t sure, sure_wrong;          // answers that were given as sure; those of them that were wrong
  int sure_wrong_students;
  int doubts;                        // students who said that a question of it is wrong
  int first_wrong, wrong_count;      // in the list of wrong answers, the commonest first
  int first_doubt, doubt_count;      // in the list of doubts
} ClassSkill;

// What a student says is wrong with a question, which is drawn again with these.
typedef struct ClassDoubt { int skill, student, draw; const char *seed, *given, *words; } ClassDoubt;

typedef struct ClassLesson { const char *id, *title; int begun, done; } ClassLesson;
// share: of the points, the mean of its students.
typedef struct ClassOpen { const char *id, *topic; int students; double share; } ClassOpen;

typedef struct ClassExercise { const char *name; int tried, passed; } ClassExercise;   // students

typedef struct ClassStudent {
  const char *who, *made;
  int64_t answers;                   // to questions; and how many skills had one, how many lessons were begun: all 0
  int skills, lessons;               // of who has not begun
  double points;                     // of class->of
} ClassStudent;

struct ClassRows;
typedef struct Class {
  LsArena *arena;
  const char *course;                // hash of the course whose reports count
  bool mixed;                        // those of others, too
  ClassSkill *skills; int skill_count;        // of the course, in its order
  ClassLesson *lessons; int lesson_count;
  ClassOpen *open; int open_count;
  ClassExercise *exercises; int exercise_count;
  ClassWrong *wrong; int wrong_count;         // skill by skill
  ClassDoubt *doubts; int doubt_count;        // skill by skill, then by their students
  ClassStudent *students; int student_count;  // by their names
  double of;                         // points that there are: 1 for each skill, a half for each open question
  int64_t answers; int begun;        // of all; students who have begun
  int others, older, unknown;        // reports on other courses; reports for which there is a newer one; skills that
                                     // the course does not have
  struct ClassRows *rows;
} Class;

// lesson: only its skills and its open questions count; NULL: all. False with *err; class_free also then.
bool class_new(Class *self, Course *course, const CourseLesson *lesson, bool mixed, LsErr *err);
void class_free(Class *self);
// Exercises of practice whose students are counted: before class_add. The names are copied.
void class_exercises(Class *self, const char *const *names, int count);

typedef enum ClassTaken {
  CLASS_TAKEN,
  CLASS_NEWER,       // takes the place of an older one of the same student
  CLASS_OLDER,       // there is a newer one
  CLASS_OTHER,       // of another course: left out
} ClassTaken;
ClassTaken class_add(Class *self, const Report *report);
// Sums up; nothing is added afterwards.
void class_end(Class *self);

// Share of right answers, 0 to 1; -1 where nobody answered.
double class_share(const ClassSkill *skill);
// Orders of the skills for whoever looks at them. Where nobody answered comes last, but in the course's own order.
typedef enum ClassOrder { CLASS_WORST, CLASS_ASKED, CLASS_SURE, CLASS_COURSE, CLASS_ORDERS } ClassOrder;
const char *class_order_name(ClassOrder order);    // "worst first"
void class_order(const Class *self, ClassOrder order, int *rows);   // room for skill_count

// Students, as their index, until each returns false: those who gave this wrong answer and how often, and those who
// never answered this skill.
typedef bool ClassEach(void *context, int student, int count);
void class_each_wrong(const Class *self, int wrong, ClassEach *each, void *context);
void class_each_without(const Class *self, int skill, ClassEach *each, void *context);

// Of fewer students than this nothing is told where nobody is to be known.
enum { CLASS_FEW = 5 };

#endif
