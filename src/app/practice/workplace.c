// workplace.c: a starter becomes the student's file, which nobody overwrites.
#include "app/practice/workplace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/practice/judge_code.h"
#include "base/file.h"

char *workplace_path(const Exercise *exercise) {
  const char *named = getenv("LANESCOPE_PRACTICE");
  return ls_format("%s/%s.cu", named && *named ? named : "lanescope-practice", exercise->name);
}

// Made by us or not at all: two windows may begin at once, and a link that leads elsewhere is followed by nobody.
static int create(const char *path, LsErr *err) {
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0 && errno != EEXIST) ls_fail(err, LS_EIO, "cannot make %s: %s", LS_QUOTE_PATH(path), strerror(errno));
  return fd;
}

static bool write_all(int fd, const char *path, const char *text, LsErr *err) {
  size_t length = strlen(text);
  bool ok = true;
  for (ssize_t n; ok && length; text += n, length -= (size_t)n) {
    n = write(fd, text, length);
    if (n < 0) ok = ls_fail(err, LS_EIO, "cannot write %s: %s", LS_QUOTE_PATH(path), strerror(errno)), n = 0;
  }
  if (close(fd) != 0 && ok) ok = ls_fail(err, LS_EIO, "cannot write %s: %s", LS_QUOTE_PATH(path), strerror(errno));
  if (!ok) unlink(path);
  return ok;
}

static bool make_folder(const char *path, LsErr *err) {
  char *folder = ls_strndup(path, (size_t)(ls_path_base(path) - path));
  bool ok = !*folder || ls_make_dirs(folder, err);
  free(folder);
  return ok;
}

bool workplace_begin(const Exercise *exercise, const char *path, bool *is_new, LsErr *err) {
  char *from = exercise_file(exercise, "starter"), *text = judge_read(from, err);
  LsErr failure = {0};
  bool ok = text && make_folder(path, err);
  int fd = ok ? create(path, &failure) : -1;
  if (ok && fd < 0) ok = failure.kind == LS_OK;
  if (!ok && failure.kind && err) *err = failure;
  *is_new = fd >= 0;
  if (fd >= 0) ok = write_all(fd, path, text, err);
  free(text);
  free(from);
  return ok;
}
