// capture.h: what a library writes to standard output or standard error, caught instead of printed.
//
// NVIDIA's driver prints what kernels print when it waits for them, and on standard error which assertion of theirs failed. Where
// standard output carries something else (a protocol), that has to go elsewhere. The whole process is concerned: one capture of
// each at a time.
#ifndef LS_DEVICE_CAPTURE_H
#define LS_DEVICE_CAPTURE_H

#include <stddef.h>
#include "base/error.h"

typedef struct Capture { int from, saved, file; } Capture;

bool capture_begin(Capture *capture, int from, LsErr *err);   // from: 1 or 2
// It is what it was. Returns what was written meanwhile, `limit` bytes of it at most; caller frees.
char *capture_end(Capture *capture, size_t limit);

#endif
