// error.c: filling and printing LsErr.
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void set_place(LsErr *err, const char *file, int line, int col) {
  snprintf(err->file, sizeof err->file, "%s", file ? file : "");
  err->line = line;
  err->col = col;
}

bool ls_fail(LsErr *err, LsErrKind kind, const char *format, ...) {
  if (!err) return false;
  err->kind = kind;
  set_place(err, NULL, 0, 0);
  va_list args;
  va_start(args, format);
  vsnprintf(err->message, sizeof err->message, format, args);
  va_end(args);
  return false;
}

bool ls_fail_at(LsErr *err, LsErrKind kind, const char *file, int line, int col, const char *format, ...) {
  if (!err) return false;
  err->kind = kind;
  set_place(err, file, line, col);
  va_list args;
  va_start(args, format);
  vsnprintf(err->message, sizeof err->message, format, args);
  va_end(args);
  return false;
}

void ls_err_append(LsErr *err, const char *format, ...) {
  if (!err) return;
  size_t used = strlen(err->message);
  if (used + 2 >= sizeof err->message) return;
  if (used) err->message[used++] = '\n';
  va_list args;
  va_start(args, format);
  vsnprintf(err->message + used, sizeof err->message - used, format, args);
  va_end(args);
}

void ls_err_text(const LsErr *err, char *out, size_t size) {
  if (!err->file[0]) snprintf(out, size, "%s", err->message);
  else if (!err->line) snprintf(out, size, "%s: %s", err->file, err->message);
  else if (!err->col) snprintf(out, size, "%s:%d: %s", err->file, err->line, err->message);
  else snprintf(out, size, "%s:%d:%d: %s", err->file, err->line, err->col, err->message);
}

int ls_err_exit_status(const LsErr *err) {
  switch (err->kind) {
    case LS_OK: return 0;
    case LS_EFAULT: return 1;
    case LS_EENV: return 3;
    case LS_ECANCEL: return 130;
    default: return 2;
  }
}
