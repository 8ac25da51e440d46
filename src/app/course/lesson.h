// lesson.h: a lesson as a list of screens that grows while the student goes on.
//
// The script (Lua, behind LessonScript) is a coroutine. It asks for things: run this kernel, show that place, say this,
// ask that. The host answers the first two itself; the others become steps, one screen of text each, beside a place in
// the explorer. Steps once made are kept, so going back is only an index. What a student answered is saved, and a
// lesson that is opened again runs its script forward over the saved answers to where it was left.
//
//        script: run ─ show ─ say ─ predict ──────── show ─ explain ─ try ───────────────── check ─ end
//        steps:                0      1 answer ->             2         3 goal met ->        4
//
// Whoever drives it (a page of the screen, --auto, a test) draws lesson_current, and calls the functions below. Runs
// take their time, and whose time that is is the driver's choice: lesson_open and lesson_next make them at once and
// return when they are done. A screen that has to stay alive calls lesson_begin and lesson_go, which make none, and
// gives the lesson what it wants when it is there. Until then the lesson stands where it stood; a run that was stopped
// is wanted as before, so that nothing is lost.
//
//   LessonMove move = lesson_go(lesson, &err);
//   if (move == LESSON_RUNS) job = job_start(lesson_wants(lesson));         // and go on drawing
//   ...
//   lesson_give(lesson, job_take(job, &err));                              // later
//   move = lesson_go(lesson, &err);
#ifndef LS_APP_LESSON_H
#define LS_APP_LESSON_H

#include "app/course/course.h"
#include "app/course/lesson_want.h"
#include "app/course/progress.h"
#include "app/course/question.h"
#include "app/course/skills.h"
#include "app/course/work.h"
#include "app/course/writing.h"
#include "app/models/model.h"
#include "app/run/run.h"
#include "app/session/session.h"

typedef enum LessonKind {
  LESSON_SAY,          // text
  LESSON_PREDICT,      // a question before the run is looked at
  LESSON_EXPLAIN,      // text about what is shown
  LESSON_TRY,          // parameters are unlocked, and a goal is set
  LESSON_CHECK,        // a question at the end
  LESSON_WORK,         // code is written, compiled and run
  LESSON_WRITE,        // words of one's own: a text held against a model answer, or a list told from memory
  LESSON_END,          // the last screen: what was learned, and the score
  LESSON_RUN, LESSON_SHOW, LESSON_DRAW, LESSON_SKILLS, LESSON_CHECKED, LESSON_SCORED,   // between script and host only
} LessonKind;
const char *lesson_kind_name(LessonKind kind);   // "predict"

typedef struct LessonGoal {
  const char *wanted;                      // "find a stride with no conflicts"
  const char **params; int param_count;    // those that may be changed; none given: all
  const char **solution; int solution_count;  // assignments that reach it, "s=33"
  const char **tips; int tip_count;
  int script;                              // for LessonScript
} LessonGoal;

// Where the explorer goes. -1 (and no_step) mean: leave as it is.
typedef struct LessonPlace {
  int run;                     // of lesson_run; -1: no kernel is shown
  int beside;                  // another one, at its right; -1: none
  const char *label;           // what that one is called; "": by what differs
  uint64_t step;
  int64_t block; int warp, lane;
  int focus, variant;          // FocusKind; -1: follows the event
  int margin;                  // index as in Session, -1
  bool zoom, show_ptx, hex;
  bool code;                   // the source has the room of the picture
  const Model *model;          // a picture without a kernel in its place, at these values; NULL: none
  ModelValues values;
} LessonPlace;

// What LESSON_DRAW wants: questions for a slot, see SkillWish.
typedef struct LessonDrawWant {
  const char *slot;
  const char **skills; int skill_count, needed, wanted;
  bool due;
} LessonDrawWant;

// again: when each of the skills comes back, in days, 0: now; or whether it rests. NULL where that was not asked for.
typedef struct LessonAgain { int days; bool rests; } LessonAgain;
typedef struct LessonDraws { uint64_t seed; SkillDraw *items; int count; LessonAgain *again; } LessonDraws;

// What came out for a claim or in a room of the museum, in words; now and today may be NULL. Of a room: what the checks
// have to tell, what they tell, and whether they do.
typedef struct LessonClaim {
  const char *value, *now, *today, *verdict;
  bool agrees;                 // the verdict is the expected one
} LessonClaim;

enum { LESSON_SURE = 1, LESSON_THINKS, LESSON_GUESSES };   // how sure a student is of an answer
const char *lesson_sure_word(int sure);                    // "sure", "think so", "guess"

// What a demo adds to a step, which is a beat of it: what one Page Down brings.
typedef enum StageKind { STAGE_SCENE, STAGE_ASK, STAGE_REVEAL, STAGE_WHATIF, STAGE_KEEP } StageKind;
typedef struct LessonStaging {
  StageKind kind;
  int scene;                   // it belongs to this one, from 1
  const char *note;            // for the speaker; NULL: none
  int seconds;                 // that it should take; 0: nobody says
  bool big, hide;              // at stage size; without what gives an answer away
  const char *change;          // of STAGE_WHATIF: "type=double"; else NULL
} LessonStaging;

typedef struct LessonStep {
  LessonKind kind;
  const char *id;              // names it in the lesson, and its answer among the saved ones; "": the number does
  const char *title, *text;    // light markup: `code`, *emphasis*; paragraphs part at an empty line; a line that starts
                               // with "- " or a blank stands alone
  LessonQuestion question;     // PREDICT, CHECK
  LessonGoal goal;             // TRY; WORK: its words and tips
  LessonWork *work;            // WORK; else NULL
  LessonWriting *writing;      // WRITE; else NULL
  LessonPlace place;
  LessonWant want;             // RUN: what it wants
  LessonDrawWant draw;         // DRAW; SKILLS: of which skills
  SkillCheck checked;          // CHECKED: what came of the check; SCORED: of the events of a trace
  const char *skill;           // PREDICT, CHECK, SCORED: it was drawn for this one, "L03.warps"; NULL
  const char *class;           // PREDICT, CHECK: draws of the same class are equally hard, "2.free"; NULL
  int times;                   // the same: so many draws of the skill came before
  bool again;                  // PREDICT, CHECK: asked once more: not part of the score
  int missed;                  // END: questions that were not right at once and can be asked again (lesson_redo)
  const char *next;            // END: id of the lesson to go on with; NULL: none
  LessonClaim *claim;          // END of a claim or a room; else NULL
  LessonStaging *stage;        // of a demo's step; else NULL
  bool sees; LessonPlace after;    // PREDICT, CHECK: the place that is shown after the answer, if any
  bool hides;                  // PREDICT, CHECK: of the run beside it only the source is seen until the answer
  bool opens; LessonPlace behind;  // PREDICT, CHECK: the run or the model that the answer is from, to be looked at then
  // state
  bool answered, right, skipped;   // TRY: answered means that the goal was met
  double given, last;          // the first answer, which counts; the last one
  int tries;                   // answers so far: while it is not answered, 1 means that it is tried again
  const char *said;            // what meets the last answer, which was wrong; NULL
  char words[2][PROGRESS_WORDS];   // TEXT: the first answer as it was typed, and the last one
  bool asks_sure;              // the first answer is there, but not yet how sure the student is of it
  int sure;                    // LESSON_SURE ... ; 0: not asked
  bool looked;                 // moved or changed what is shown before the first answer: practice
  int tips_shown, tips_before; // now; when the first answer was given
  double score;                // of the answer, 0 to 1, once it is answered
  double seconds;              // of thinking before the first answer
  const char *met;             // what met the first answer, if it was wrong and foreseen; NULL
  char note[256];              // TRY: what the last run says about the goal
} LessonStep;

// ---- the script behind it (made by script/lesson.c) ---------------------------------------------------------------

typedef struct LessonReply {   // what the last request gets
  double answer; bool right;   // PREDICT, CHECK, TRY (right: reached)
  double score;                // PREDICT, CHECK: 0 to 1
  const char *words;           // of a TEXT, as it was typed; NULL
  Run *run;                    // RUN; lives as long as the lesson
  int run_index;
  const LessonDraws *draws;    // DRAW, SKILLS
} LessonReply;

// What a student made to reach a goal: a run, or a model at some values.
typedef struct LessonTried { Run *run; const Model *model; const ModelValues *values; } LessonTried;

typedef struct LessonScript LessonScript;
struct LessonScript {
  // Goes on to the next request; strings go to the arena. At the end kind is LESSON_END and title NULL. A bug in the
  // lesson is an error with file and line, after which the script cannot go on.
  bool (*resume)(LessonScript *script, const LessonReply *reply, LsArena *arena, LessonStep *request, LsErr *err);
  // Does it reach a goal? note gets the goal's own words about it.
  bool (*reached)(LessonScript *script, int goal, const LessonTried *tried, bool *met, LsText *note, LsErr *err);
  void (*free)(LessonScript *script);
};

// ---- host ---------------------------------------------------------------------------------------------------------

typedef struct Lesson Lesson;

// All arguments are borrowed for the life of the lesson. Stands on the step where the student left. progress may be
// NULL.
Lesson *lesson_open(Course *course, const char *name, RecipeBook *book, Progress *progress, LsErr *err);
// The same without a run: stands on its cover, from which lesson_go leads to the step where the student left.
Lesson *lesson_begin(Course *course, const char *name, RecipeBook *book, Progress *progress, LsErr *err);
// The lesson that the end of this one points to, on its cover; NULL: it points to none, or with *err it cannot be read.
Lesson *lesson_following(const Lesson *lesson, LsErr *err);
// Questions of a skill, as a lesson without an end screen of its own: stands on the first. The drill is borrowed.
Lesson *lesson_drill(Course *course, const CourseDrill *drill, RecipeBook *book, LsErr *err);
// The same on its cover, from which lesson_go leads to the first.
Lesson *lesson_drill_begin(Course *course, const CourseDrill *drill, RecipeBook *book, LsErr *err);
// A claim: on its cover, from which lesson_go leads to its one step. device: where its runs are made in place of the
// emulator, and where it rests on a recording, "cuda"; NULL: as the claim says. It stays with the caller.
Lesson *lesson_claim(Course *course, const char *id, const char *device, RecipeBook *book, LsErr *err);
// A quiz, on its cover: drawn questions, whose answers are marked in progress (NULL: nowhere). The names in
// the quiz are borrowed.
Lesson *lesson_quiz(Course *course, const CourseQuiz *quiz, RecipeBook *book, Progress *progress, LsErr *err);
// The questions of an exam, on its cover. Everything is borrowed.
Lesson *lesson_exam(Course *course, const CourseExam *exam, RecipeBook *book, LsErr *err);
// A room of the museum, on its cover: a few steps.
Lesson *lesson_room(Course *course, const char *id, RecipeBook *book, LsErr *err);
// A demo, by the name of its file in demos/ or a path, on its cover; its steps are its beats. The name is borrowed.
Lesson *lesson_demo(Course *course, const char *name, RecipeBook *book, LsErr *err);
void lesson_free(Lesson *lesson);                        // NULL is fine

const CourseLesson *lesson_info(const Lesson *lesson);
const Progress *lesson_progress(const Lesson *lesson);   // NULL if there is none
const LessonStep *lesson_current(const Lesson *lesson);  // never NULL
const char *lesson_step_kind(const LessonStep *step);    // the same of a step; of code that is written "modify", "make"
bool lesson_asks(const LessonStep *step);                // PREDICT, CHECK
bool lesson_waits(const LessonStep *step);               // for an answer, or until its goal is reached
const LessonStep *lesson_at(const Lesson *lesson, int index);   // of those that are known; NULL: it is none
int lesson_index(const Lesson *lesson);                  // of the current step, from 0
int lesson_steps(const Lesson *lesson);                  // in all, as far as known
enum { LESSON_STEP_TEXT = 40 };
void lesson_step_text(const Lesson *lesson, char *out, size_t size);   // "step 3 of 47"; "step 3" as long as nobody
                                                                       // knows
void lesson_score(const Lesson *lesson, int *right, int *asked);   // without what was looked at
int lesson_practice(const Lesson *lesson);               // questions answered after looking

typedef enum LessonMove {
  LESSON_MOVED,        // the current step is another one
  LESSON_WAITS,        // a question wants an answer or a goal is not reached: answer, or lesson_skip
  LESSON_AT_END,       // there is nothing beyond
  LESSON_RUNS,         // of lesson_go only: a run is wanted first
  LESSON_BROKEN,       // the lesson has a bug: *err has file and line
} LessonMove;
LessonMove lesson_next(Lesson *lesson, LsErr *err);      // makes the runs that are wanted on the way
LessonMove lesson_go(Lesson *lesson, LsErr *err);        // makes none
bool lesson_on_cover(const Lesson *lesson);
const RunRequest *lesson_wants(const Lesson *lesson);    // NULL: no run
void lesson_give(Lesson *lesson, Run *run);              // what it wants; takes ownership
// A run that failed without a place of its own failed at the line of the lesson that wants it.
void lesson_blame(const Lesson *lesson, LsErr *err);
bool lesson_back(Lesson *lesson);                        // false at the first step

// Answers the question of the current step. The first answer counts; where there are words or a tip for a wrong one,
// the question stays open for a second. False if there is no question or it was answered.
bool lesson_answer(Lesson *lesson, double value);
// The same from what was typed: also how sure the student is, where that is asked. False with *err if it is no answer.
bool lesson_answer_typed(Lesson *lesson, const char *typed, LsErr *err);
// LESSON_SURE ...: after an answer that asks for it (step->asks_sure).
bool lesson_sure(Lesson *lesson, int sure);
// The student moves the explorer or changes a parameter. An answer after that is practice: it does not score.
void lesson_looks(Lesson *lesson);
// The student is there: a key, a line. The time of an answer is measured between these, and long breaks do not count.
void lesson_touch(Lesson *lesson);
// Gives the answer away, or leaves the goal; lesson_next works then. It does not count as right.
void lesson_skip(Lesson *lesson);
// The student holds a drawn question to be wrong, and says what is in a line: it is kept (doubts.h). False if the
// current step asks nothing drawn, or nothing is said.
bool lesson_doubt(Lesson *lesson, const char *words);
// The answer was given, and there is something behind it to look at (step->behind).
bool lesson_opens(const Lesson *lesson);
// At the end: what was not right at once is to be asked again, and lesson_go leads there. False if there is nothing of
// that kind, or it was asked again.
bool lesson_redo(Lesson *lesson);
// One more tip of the current step; false if there is none left. step->tips_shown says how many to show.
bool lesson_tip(Lesson *lesson);
// TRY: judges a run that the student made. True if the goal is reached (step->answered). step->note says why not.
bool lesson_observe(Lesson *lesson, Run *run, LsErr *err);
// The same of the model that the step shows.
bool lesson_observe_model(Lesson *lesson, const ModelValues *values, LsErr *err);

// ---- lesson_work.c: steps in which code is written ----
LessonWork *lesson_work(const Lesson *lesson);           // of the current step; NULL: it is none of these
// A try of a text. The driver makes each run that is wanted and gives it, or why there is none; false of the last two:
// the lesson has a bug (lesson_work_give), nothing is wanted any more.
bool lesson_work_begin(Lesson *lesson, const char *text);
bool lesson_work_wants(const Lesson *lesson, RunRequest *request);   // for run_request_fini
bool lesson_work_give(Lesson *lesson, Run *run, const LsErr *why, LsErr *err);
// The same at once. True if it passes; false with *err if the lesson has a bug.
bool lesson_work_try(Lesson *lesson, const char *text, LsErr *err);
bool lesson_work_solve(Lesson *lesson, LsErr *err);      // with its solution
// For tests: every answer that the lesson knows is as it says, right or wrong.
bool lesson_work_check(Lesson *lesson, LsErr *err);

// ---- lesson_writing.c: steps in which words of one's own are written ----
// The text is finished. A list is done with it; of another one the points are ticked then. False if there is nothing to
// hand in.
bool lesson_hand_in(Lesson *lesson, const char *text);
// Ticks a point, with the word of the text that says it (-1: none), or takes the tick back. False if it cannot be.
bool lesson_tick(Lesson *lesson, int point, int word);
bool lesson_untick(Lesson *lesson, int point);
// All points that were met are ticked.
bool lesson_close_writing(Lesson *lesson);
void lesson_write_alone(Lesson *lesson);                 // with the model answer

// What a word of the course means ("is a warp"), or false and why that is not known.
bool lesson_what(const Lesson *lesson, const char *words, LsText *out);

// A run of the lesson (place.run), borrowed.
Run *lesson_run(const Lesson *lesson, int index);
// lesson_show.c. Makes *session (may be NULL before) stand at the place of the current step: `r`, and after every move.
// *session stays as it is, also NULL, if the step shows no kernel.
void lesson_show(const Lesson *lesson, Session **session);
void lesson_show_at(const Lesson *lesson, const LessonPlace *place, Session **session);   // the same of any place
// True if the student may change parameter `index` of the shown recipe now.
bool lesson_unlocks(const Lesson *lesson, const Recipe *recipe, int index);

// A step as plain text, markup taken out: title, text, question with its options, tips and verdict as far as known.
void lesson_print_step(const LessonStep *step, LsText *out);
// Its parts: title and text; the text alone; what is asked or set as goal, if anything; what was answered, whether
// that is right, and
// why.
void lesson_print_text(const LessonStep *step, LsText *out);
void lesson_print_body(const LessonStep *step, LsText *out);
void lesson_print_question(const LessonStep *step, LsText *out);
void lesson_print_verdict(const LessonStep *step, LsText *out);
// writing_text.c. The same of WRITE; "4.5 of 6 points".
void writing_print_question(const LessonStep *step, LsText *out);
void writing_print_verdict(const LessonStep *step, LsText *out);
void writing_score_words(const LessonWriting *writing, LsText *out);
// markup.c. Takes the next piece of marked-up text: *style 0 plain, 1 `code`, 2 *emphasis*. False at the end.
bool lesson_span(const char **text, const char **start, int *length, int *style);

// lesson_answer.c: the same of a step alone, without saving it; and what is saved of it.
bool step_answer(LessonStep *step, double value);
bool step_answer_typed(LessonStep *step, const char *typed, LsErr *err);
bool step_sure(LessonStep *step, int sure);
// The first answer in words, or the last one.
void step_answer_text(const LessonStep *step, bool first, LsText *out);
void step_skip(LessonStep *step);
bool step_is_open(const LessonStep *step);             // a first answer was wrong, a second one is waited for
ProgressAnswer step_saved(const LessonStep *step);
void step_recall(LessonStep *step, const ProgressAnswer *saved);

// lesson_score.c: what a right answer counts now, 0 to 1, and after one more tip: all at once, less after tips and
// after a wrong answer, nothing after the answer or the run was looked at. An answer that is partly right counts its
// share.
double step_worth(const LessonStep *step);
double step_worth_after_tip(const LessonStep *step);
// Both in words while a drawn question waits: "With a tip it counts 0.6."; and what the answer counts in the end, if
// that is not all or nothing.
void step_worth_words(const LessonStep *step, LsText *out);
bool step_at_once(const LessonStep *step);             // right by the first answer, without a tip
// usual: the median of the student's times for the skill, 0: not known.
FsrsMark step_mark(const LessonStep *step, double usual);
// The same of a trace, by how many of its events were right; of its score, that share.
FsrsMark step_trace_mark(int right, int total);
void step_given_text(const LessonStep *step, LsText *out);   // the first answer, by words that another draw has, too
// Seconds between two signs of the student, on the monotonic clock, that count as thinking; before 0: the first one.
double lesson_thinking(double before, double now);

// Plays the rest of a lesson by itself: right answers, the goals' own solutions. each (may be NULL) sees every step
// after it was answered. False if the lesson has a bug or a solution does not reach its goal.
typedef void LessonEach(void *context, const Lesson *lesson, const LessonStep *step);
bool lesson_auto(Lesson *lesson, LessonEach *each, void *context, LsErr *err);

#endif
