// error.h: one value that says what went wrong, where, and what to do about it.
//
// A function that can fail returns bool or a pointer and takes `LsErr *err` last. On failure it fills *err once, at
// the spot, with `return ls_fail(err, LS_EPARSE, "...")`. The text is for the person at the terminal. err may be NULL.
#ifndef LS_BASE_ERROR_H
#define LS_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The kinds map onto exit codes: LS_EENV gives 3, LS_EFAULT gives 1, LS_ECANCEL 130, all others 2.
typedef enum LsErrKind {
  LS_OK,
  LS_EPARSE,        // a text (PTX, DWARF, Lua, launch argument) is malformed; file, line, col and caret are set if known
  LS_EREQUEST,      // the request is bad: unknown kernel, wrong argument, value out of range
  LS_EUNSUPPORTED,  // well formed, but lanescope cannot do it
  LS_EFORMAT,       // a trace file is not one, is corrupt or of a newer version
  LS_EIO,           // the system said no: errno text is in the message
  LS_EENV,          // the environment lacks something: no GPU, no compiler
  LS_EFAULT,        // the kernel or its check failed
  LS_ECANCEL,       // the user canceled
  LS_ENOMEM,
} LsErrKind;

typedef struct LsErr {
  LsErrKind kind;
  char message[2048];  // may hold several lines; no trailing newline
  char file[256];      // "" if not about a file
  int line, col;       // 1-based; 0 if unknown
} LsErr;

// Fills *err (if not NULL) and returns false, so that failing is one line.
bool ls_fail(LsErr *err, LsErrKind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));

// The same with a place; message gets "FILE:LINE:COL: " in front when printed with ls_err_print.
bool ls_fail_at(LsErr *err, LsErrKind kind, const char *file, int line, int col, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

// Appends a line to the message (a caret line, a hint).
void ls_err_append(LsErr *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Writes "FILE:LINE:COL: message" into out (size bytes, always terminated).
void ls_err_text(const LsErr *err, char *out, size_t size);

// 2, 3 or 1: the exit status that design of the command line gives this kind.
int ls_err_exit_status(const LsErr *err);

#endif
