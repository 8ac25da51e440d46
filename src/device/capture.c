// capture.c: standard output or standard error into a file without a name, and back.
#include "device/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"

bool capture_begin(Capture *capture, int from, LsErr *err) {
  fflush(stdout);
  *capture = (Capture){.from = from, .saved = fcntl(from, F_DUPFD_CLOEXEC, 3), .file = memfd_create("output", MFD_CLOEXEC)};
  if (capture->saved >= 0 && capture->file >= 0 && dup2(capture->file, from) >= 0) return true;
  ls_fail(err, LS_EIO, "standard output cannot be caught: %s", strerror(errno));
  if (capture->saved >= 0) close(capture->saved);
  if (capture->file >= 0) close(capture->file);
  return false;
}

char *capture_end(Capture *capture, size_t limit) {
  fflush(stdout);
  dup2(capture->saved, capture->from);
  close(capture->saved);
  off_t end = lseek(capture->file, 0, SEEK_END);
  size_t size = end > 0 ? LS_MIN((size_t)end, limit) : 0, done = 0;
  char *text = ls_alloc(size + 1);
  while (done < size) {
    ssize_t n = pread(capture->file, text + done, size - done, (off_t)done);
    if (n <= 0) break;
    done += (size_t)n;
  }
  close(capture->file);
  text[done] = '\0';
  return text;
}
