// stand.h: where the speaker of a demo stands, as it goes to students: kernel, parameters and place, no picture.
//
//   {"scene":2,"kernel":"transpose_32x32","values":"type=double","step":1184,"warp":3,"focus":"banks"}
//
// What is as usual is left out, so a step takes some 100 bytes. A student's program makes the run itself; whatever
// comes is checked here for its form, and by the book of kernels and the session for what it means.
#ifndef LS_APP_STAND_H
#define LS_APP_STAND_H

#include "app/course/lesson_want.h"
#include "app/session/session.h"
#include "app/stage/line.h"
#include "app/stage/talk.h"

enum { STAND_NAME = 64, STAND_VALUES = 240, STAND_LINE = 1400 /* bytes of a line at most */ };

// A run: a lecture kernel and how it is run.
typedef struct StandRun {
  char kernel[STAND_NAME + 1];         // "": none
  char values[STAND_VALUES + 1];       // those that are not as usual: "N=64 type=double"
  char profile[STAND_NAME + 1];        // "": the usual one
  bool stack, compiled, recorded;
  int launch;                          // of a program, from 1; 0: the first
} StandRun;

typedef struct StageStand {
  StandRun run, beside;
  char model[STAND_NAME + 1], model_values[STAND_VALUES + 1];   // in the place of a kernel; ""
  uint64_t step;
  int64_t block; int warp, lane, variant, margin;   // -1: as it is
  char focus[STAND_NAME + 1];          // "": follows the event
  bool zoom;
  int scene;                           // from 1; 0: not known
  bool black, hidden;                  // nothing is shown; the picture waits until a question is answered
  int ask, options, round;             // the question, from 0, -1: none; what can be voted for
  bool open;                           // now
} StageStand;

extern const StageStand stand_nowhere;

// model, values: what is shown in the place of a kernel, or NULL. session may be NULL.
void stand_of(StageStand *stand, Talk *talk, Session *session, const Model *model, const ModelValues *values);
void stand_write(const StageStand *stand, LsText *line);
// False: the line is none, and *stand is as it was.
bool stand_read(StageStand *stand, char *line);
bool stand_same_run(const StandRun *a, const StandRun *b);

// The run as a request. False with LS_EREQUEST: this version has no such kernel, or other parameters. *request is for
// run_request_fini in any case.
bool stand_request(const StandRun *run, RecipeBook *book, RunRequest *request, LsErr *err);
// Brings a session on that run to the place; what the run has not got stays as it is.
void stand_go(const StageStand *stand, Session *session);
// The command line that leads to the place: "lanescope explore transpose_32x32 --at 1184 --focus banks"; "" if none
// does.
void stand_words(const StageStand *stand, LsText *out);

#endif
