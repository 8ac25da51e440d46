// course.h: the lessons there are, in order. script/course.c reads them from lessons/course.lua.
#ifndef LS_APP_COURSE_H
#define LS_APP_COURSE_H

#include "app/course/progress.h"
#include "base/mem.h"
#include "base/text.h"

// What of the lectures a lesson is about, by the names of our notes: claims "C008", questions "EQ1", errata "E38".
typedef struct CourseCovers {
  const char **claims; int claim_count;
  const char **questions; int question_count;
  const char **errata; int erratum_count;
} CourseCovers;

// What a lesson is about, in a picture: a view of a run at a place, or a model.
typedef struct CoursePicture {
  const char *kernel, *view, *at;   // view as of export; at as of --at: a step, "line:16", "end"
  const char *model;                // in place of these; else NULL
  const char **values; int value_count;     // "threads=32", of the kernel or the model; others keep their defaults
  int variant, warp;                // -1: as it is
  int cols;                         // that it needs
} CoursePicture;

typedef struct CourseLesson {
  const char *id;              // "L03"
  const char *name;            // "warps": a word for the command line
  const char *title;           // "Warps and SIMT"
  const char *glimpse;         // one line of what you will see
  const char **kernels; int kernel_count;   // recipes it is about, to explore even while it is planned
  const char **needs; int need_count;       // ids of lessons that should come before
  CourseCovers covers;
  const CoursePicture *pictures; int picture_count;   // the best first
  int minutes;
  int steps, questions;        // screens of text, and how many of them ask something; 0 while it is planned
  const char *file;            // in the folder of lessons; NULL: planned, cannot be opened
} CourseLesson;

// Questions of a skill ("L03.warps"), drawn for the first to the last time, for a student of this seed. Or a claim
// ("C027"), held against what comes out; or a room of the museum ("E57"); or a quiz; or a demo.
typedef struct CourseDrill {
  const char *skill; uint64_t seed; int first, last;
  const char *claim, *room;
  const char *demo;            // name of a file in demos/, or the path of one
  const struct CourseQuiz *quiz;
  const struct CourseExam *exam;
} CourseDrill;

// The questions of a family ("FQ5"), of a lesson ("L11"), or, both NULL, of the whole course: as many (mix), else as
// many
// as fit the first two, and of the course those that are due.
typedef struct CourseQuiz { const char *family, *lesson; int mix; } CourseQuiz;

// A question of an exam: of a skill, drawn from this seed (a word) as one of a class, "2.free"; class NULL: of any, by
// the look with this number. Or the open question of a family.
typedef struct CourseExamItem { const char *skill, *seed, *class; int look; const char *family; } CourseExamItem;
typedef struct CourseExam { const CourseExamItem *items; int count; } CourseExam;

// A question of the lectures, and the skills that ask for the same with numbers.
typedef struct CourseFamily {
  const char *id, *topic, *where, *lesson;     // "FQ5", "Bank conflicts", place in the lectures, "L11"
  const char **skills; int skill_count;        // "L11.degree"
  bool open;                                   // it has an open question with a model answer
} CourseFamily;

// A claim of the lectures, without what comes out for it. All texts but id, topic, says and verdict may be NULL.
typedef struct CourseClaim {
  const char *id, *topic;      // "C027", "Occupancy and resources"
  const char *says;
  const char *verdict;         // the one that is expected: "wrong"
  const char *on;              // what it is held against: "run", "occupancy", ...
  const char *erratum, *lesson;
  const char *why;             // why it comes out so, or what it would take to measure it
} CourseClaim;

// A mistake of the lectures: a room with a run, or a card without one (kernel NULL).
typedef struct CourseRoom {
  const char *id, *title, *wing, *says, *cure;
  const char *kernel, *form;   // form may be NULL
  const char *kind;            // of a card: "does not compile", "number", ...
  const char *lesson;          // may be NULL
  const char *source;          // the lecture that it is from; NULL: none
} CourseRoom;

// A demo for a lecture hall, as its file says before anything is run.
typedef struct CourseDemo {
  const char *name, *title;    // "banks", "One column nobody uses"
  const char *where, *note;    // the lecture that it belongs to; a note for the speaker. May be NULL
  double minutes;
  int scenes, beats, asks;     // beats: what Page Down goes through
  const struct LessonWant *wants; int want_count;   // the runs that it shows
} CourseDemo;

struct LessonScript;
typedef struct Course Course;
struct Course {
  const char *title;
  CourseLesson *lessons; int count;
  // Loads a lesson's script. Made by script/course.c.
  struct LessonScript *(*open)(Course *course, const CourseLesson *lesson, LsErr *err);
  // The same of questions from the lesson's bank, whether the lesson is written or not. The drill is borrowed.
  struct LessonScript *(*drill)(Course *course, const CourseLesson *lesson, const CourseDrill *drill, LsErr *err);
  // Names of the skills in a lesson's bank, none if it has no bank. False if the bank has a bug.
  bool (*skills)(Course *course, const CourseLesson *lesson, LsArena *arena, const char ***names, int *count,
                 LsErr *err);
  // The claims, in the order of their topics. False if a file of them has a bug.
  bool (*claims)(Course *course, LsArena *arena, CourseClaim **list, int *count, LsErr *err);
  // The museum, in the order of its wings. False if a file of it has a bug.
  bool (*museum)(Course *course, LsArena *arena, CourseRoom **list, int *count, LsErr *err);
  // The families of questions. False if their file, or a bank, has a bug.
  bool (*families)(Course *course, LsArena *arena, CourseFamily **list, int *count, LsErr *err);
  // The demos by name, or the one of this name or path, as their files say. False if one of them has a mistake.
  bool (*demos)(Course *course, const char *name, LsArena *arena, CourseDemo **list, int *count, LsErr *err);
  void (*free)(Course *course);
};

// By id or name, in any case: "L03", "l3", "3", "warps". NULL with the nearest names there are.
const CourseLesson *course_find(const Course *course, const char *name, LsErr *err);

typedef enum CourseState { COURSE_PLANNED, COURSE_NEW, COURSE_BEGUN, COURSE_DONE } CourseState;
CourseState course_state(const CourseLesson *lesson, Progress *progress, ProgressLesson *place);   // place may be NULL
const char *course_state_name(CourseState state);      // "planned", "new", "begun", "done"
// The lesson to go on with: the first one begun, else the first new one that can be opened; NULL if all are done.
const CourseLesson *course_next(const Course *course, Progress *progress);
// Lessons done, and lessons that can be opened.
void course_count(const Course *course, Progress *progress, int *done, int *open);

#endif
