// work.h: code that a student writes in a lesson: a blank is filled, lines are put in order, or lines are written anew.
// It takes the place of a region of a lecture kernel's source, is compiled, run on several sets of parameters, and
// judged.
//
//     kernels/NAME.cu    before   __global__ void f() {
//                        region     int lane = ____ ;          what is written
//                        after    ...
//
// A try goes through its runs one by one: whoever drives it makes the run that is wanted, and gives it, or why there is
// none.
//
//   work_begin(work, "threadIdx.x % 32");
//   while (work_wants(work, book, &request, &err)) { run = run_new(...); work_give(work, run, &why); judge it ... }
#ifndef LS_APP_WORK_H
#define LS_APP_WORK_H

#include "app/course/lesson_want.h"

typedef enum WorkKind { WORK_FILL, WORK_WRITE, WORK_ORDER } WorkKind;
const char *work_kind_name(WorkKind kind);   // "modify", "make", "parsons"

// An answer that is known beforehand: what comes of it is shipped, for machines without a compiler.
typedef struct WorkAnswer {
  const char *name;          // in a list of them: the text itself where it is one line
  const char *text;
  const char *says;          // what meets it; ""
  bool right;
} WorkAnswer;

typedef struct WorkMessage { int line; char text[240]; } WorkMessage;   // of a compiler; line of the source, 0: none
enum { WORK_RUNS = 8, WORK_MESSAGES = 6, WORK_NOTE = 512, WORK_PIECES = 24 };

typedef enum WorkState { WORK_OPEN, WORK_RUNNING, WORK_FAILED, WORK_PASSED } WorkState;

// One set of parameters of a try.
typedef struct WorkRow {
  char values[80];           // "stride=3"; "" if there is but one set
  bool done, right;
  int line;                  // of the source, where something is wrong; 0: nowhere
  char note[WORK_NOTE];
} WorkRow;

typedef struct LessonWork {
  WorkKind kind;
  const char *id;
  const char *from, *to;     // pieces of the region's first and last line
  const char *left, *right;  // FILL: the line around its blank
  const char *starter;       // WRITE: what is there to begin with
  const char **pieces; int piece_count;   // ORDER: all pieces, the right ones first and in order, then the spare ones
  int spare_count;
  const WorkAnswer *answers; int answer_count;   // the first is the solution
  LessonWant *runs; int run_count;
  bool any_result, any_faults;   // a wrong result, a fault is no failure by itself
  int script;                // for LessonScript; 0: nobody judges beyond result and faults
  const char *because;       // said when it is done
  // work_settle
  const char *file;          // "bank_patterns.cu"
  const char *before, *after, *indent;
  int first_line;            // of the region
  const char *original;      // its text
  int shuffle[WORK_PIECES];  // ORDER: the pieces as they are shown first
  // state
  WorkState state;
  char *text;                // tried last; owned, as what follows
  WorkRow rows[WORK_RUNS];
  int at;                    // the row that is run
  WorkMessage messages[WORK_MESSAGES]; int message_count;   // it does not compile
  char failure[WORK_NOTE];   // or there is nobody to compile it, or the run could not be made
  const char *says;          // to the answer that was given; NULL
  int tries;
  int chosen;                // of work_option, where one is chosen; -1: none yet
  Run *run;                  // the last one of the try: to be looked at
} LessonWork;

// Finds the region in the kernel's source. Texts go to the arena. False with LS_EREQUEST: the kernel, or a line, is not
// there.
bool work_settle(LessonWork *work, RecipeBook *book, LsArena *arena, LsErr *err);
void work_fini(LessonWork *work);              // what the tries left

// The whole source with a text in the place of the region; caller frees.
char *work_source(const LessonWork *work, const char *text);
// ORDER: the text of pieces in this order; caller frees.
char *work_ordered(const LessonWork *work, const int *order, int count);
// The pieces that a text is made of, in their order; returns how many, 0: it is made of others.
int work_take_order(const LessonWork *work, const char *text, int *order);
// "3 1 2" as pieces, counted from 1 as they were shown. False with LS_EREQUEST.
bool work_parse_order(const LessonWork *work, const char *text, int *order, int *count, LsErr *err);
// The known answer with this text, blanks and line ends aside; -1.
int work_find_answer(const LessonWork *work, const char *text);
// Whether what the student thinks of can be compiled here; else they choose among the answers. Looked up once.
bool work_can_compile(void);
// The first line of an order that does not fit the solution, from 1; 0: it is the solution.
int work_first_misplaced(const LessonWork *work, const char *text);

void work_recall(LessonWork *work, const char *text);   // what was tried last, when the lesson was left
void work_begin(LessonWork *work, const char *text);
// The request of the row that is next; for run_request_fini. False: the try is over (err->kind LS_OK), or the request
// cannot be made.
bool work_wants(const LessonWork *work, RecipeBook *book, RunRequest *request, LsErr *err);
// What came of it: a run, which the work owns then, or why there is none. True if the run is still to be judged: it
// is work->run.
bool work_give(LessonWork *work, Run *run, const LsErr *why);
// What the lesson says of that run. The try goes on, or is over.
void work_judged(LessonWork *work, bool right, const char *note);

// work_text.c: what came of a try, as lines for people. All that was said of it, or the region and the task.
void work_print_code(const LessonWork *work, LsText *out);
void work_print_options(const LessonWork *work, LsText *out);
void work_print_result(const LessonWork *work, LsText *out);
// The answers as they are offered where nothing can be compiled, the solution and the wrong ones: how many, and
// which one
// stands at a place, from 0.
int work_options(const LessonWork *work);
const WorkAnswer *work_option(const LessonWork *work, int place);

#endif
