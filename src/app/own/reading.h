// reading.h: a .cu or .ptx read for its kernels, on a thread of its own, since a compiler takes its time.
//
//   Reading *reading = reading_start("saxpy.cu");
//   while (!reading_done(reading)) draw(...);
//   OwnFile *file = reading_take(reading, &err);     // always joins the thread and frees the reading
#ifndef LS_APP_READING_H
#define LS_APP_READING_H

#include "app/own/signature.h"

typedef struct OwnFile {
  char *path;
  char *source;                  // text of the .cu; NULL for PTX
  SigFile *kernels;              // never NULL; at least one
  char compiler[24];             // "nvcc"; "": nothing was compiled now
  double seconds;                // that it took
  bool has_main;
} OwnFile;
void ownfile_free(OwnFile *file);                       // NULL is fine
// The same without a thread.
OwnFile *ownfile_read(const char *path, LsErr *err);
bool ownfile_is_one(const char *path);                  // by its name: .cu or .ptx

typedef struct Reading Reading;
Reading *reading_start(const char *path);
bool reading_done(const Reading *reading);
bool reading_wait(Reading *reading, int milliseconds);  // true if it is done
const char *reading_compiler(const Reading *reading);   // that is at work; NULL
OwnFile *reading_take(Reading *reading, LsErr *err);    // waits. NULL: it does not compile, has no kernel, was canceled
void reading_free(Reading *reading);                    // cancels, waits; NULL is fine

#endif
