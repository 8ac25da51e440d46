// lesson_want.h: the run that a lesson asks for, in its own words, as a request.
#ifndef LS_APP_LESSON_WANT_H
#define LS_APP_LESSON_WANT_H

#include "app/run/run.h"

typedef struct LessonWant {
  const char *kernel;
  const char **values; int value_count;    // "N=1024", "form=lecture"
  const char *sched;                       // "its", "stack" or NULL
  const char *cut;                         // "written", "compiled" or NULL
  const char *order;                       // of warps: "turns", "whole" or NULL
  const char *device;                      // "emu", "recorded" or NULL: the emulator, the same answers on every machine
  const char *profile;                     // "v100"; NULL: the usual one
  const char *sizes;                       // "timing", "lecture" or NULL: the recipe's defaults
  uint64_t seed;
  const char *order_of;                    // "0101": the order of a witness of stats --orders; NULL: none
  int launch;                              // of a program, from 1; 0: the first
  const char *file; int line;              // where the lesson asks for it, for messages; NULL, 0: not known
} LessonWant;

// False with LS_EREQUEST: no such kernel, parameter, profile, or sizes that the recipe does not have. *request is for
// run_request_fini in any case.
bool lesson_want_request(const LessonWant *want, RecipeBook *book, RunRequest *request, LsErr *err);

#endif
