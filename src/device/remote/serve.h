// serve.h: the server's end of the protocol: requests in, runs out. What `lanescope serve-run` does.
#ifndef LS_DEVICE_SERVE_H
#define LS_DEVICE_SERVE_H

#include "device/device.h"

typedef struct ServeOptions {
  const Device *(*find)(const char *name, LsErr *err);   // what runs "cuda" and "emu" in this process
  const char *program;                                   // this program's version, for the greeting
} ServeOptions;

// Greets, and runs one request after the other until the input ends: true. False: the other side is of another version, or talks
// nonsense, or does not listen. While a request runs, the end of the input ends the whole process at once.
// Whoever calls this sees to it that nothing else writes to `out`.
bool serve_run(int in, int out, const ServeOptions *options, LsErr *err);

// Libraries, and kernels that print, write to standard output: that goes to standard error from here on. Returns the descriptor of
// what standard output was, for the protocol alone; -1 if there is none.
int serve_take_output(void);

#endif
