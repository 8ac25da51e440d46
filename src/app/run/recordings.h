// recordings.h: traces of lecture kernels that were made on a real GPU and come with lanescope.
//
// They lie in assets/recordings as NAME.compiled.lst and NAME.written.lst, with a word between for others than the defaults:
// NAME.lecture..., NAME.timing..., NAME.form-plain...; make recordings makes them. What each of them holds, its parameters and its
// GPU, is in the trace itself.
#ifndef LS_APP_RECORDINGS_H
#define LS_APP_RECORDINGS_H

#include "app/run/run.h"

typedef struct Recording {
  char *path, *parameters, *code, *device_name, *date, *driver;   // owned; date and driver may be NULL
  uint64_t steps, blocks;          // recorded in full, of all launches of a program
  size_t bytes;
  bool is_outdated;                // the kernel that comes with lanescope has become another one since
} Recording;
typedef struct Recordings {
  Recording *items; int count, capacity;
  LsText unread;                   // a line for each file that is damaged or cut off
} Recordings;

// Those of a kernel, in the order of their file names.
void recordings_of(const char *kernel, Recordings *out);
void recordings_fini(Recordings *recordings);
bool recordings_has(const char *kernel);   // cheap: by the names of files
// "N=4096 threads=256, as compiled, on NVIDIA H200, 2026-11-20"; ", of an older kernel" if it is outdated
void recording_words(const Recording *recording, LsText *out);
bool recording_is_outdated(const TraceInfo *info);
// Makes a request for this kernel one for that recording: its device, values and cut.
void recording_request(const Recording *recording, RunRequest *request);

// The recording of what a request asks for: the kernel, the values of its parameters, and its cut, which may be the other one
// unless it was asked for. Every event of it can be read. Caller frees. NULL: says what is recorded.
char *recording_find(const RunRequest *request, LsErr *err);

#endif
