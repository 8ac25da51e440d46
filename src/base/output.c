// output.c: files without a name, or aside, that become their targets.
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

enum { NAMES = 100 };   // of files aside that are tried

// The n-th name for a file beside the target; short, since the target's own may be as long as names can be.
static char *name_aside(const char *target, int n) {
  int folder = (int)(ls_path_base(target) - target);
  return ls_format("%.*s.lanescope-%ld-%d.part", folder, target, (long)getpid(), n);
}

// Where the file will be: behind links. NULL: it has to be written directly.
static char *target_of(const char *path, const struct stat *old) {
  static const char *const places[] = {"/dev/std", "/dev/fd/", "/proc/"};   // names of what is open already
  struct stat link;
  for (int i = 0; i < LS_COUNT(places); i++)
    if (ls_starts_with(path, places[i])) return NULL;
  if (old->st_mode) return S_ISREG(old->st_mode) && old->st_uid == geteuid() ? realpath(path, NULL) : NULL;
  return lstat(path, &link) == 0 ? NULL : ls_strdup(path);   // a link to nothing
}

static int open_unnamed(const char *target) {
  int folder = (int)(ls_path_base(target) - target);
  char *path = folder ? ls_strndup(target, (size_t)folder) : ls_strdup(".");
  int fd = ls_file_exists("/proc/self/fd") ? open(path, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
  free(path);
  return fd;
}

static void open_aside(LsOutput *output) {
  output->fd = open_unnamed(output->target);
  for (int n = 0; output->fd < 0 && n < NAMES; n++) {
    output->aside = name_aside(output->target, n);
    output->fd = open(output->aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (output->fd >= 0) return;
    int error = errno;
    free(output->aside);
    output->aside = NULL;
    if (error != EEXIST) return;
  }
}

bool ls_output_open(LsOutput *output, const char *path, LsErr *err) {
  struct stat old;
  *output = (LsOutput){.fd = -1};
  if (stat(path, &old) != 0) old = (struct stat){0};
  bool writable = !old.st_mode || access(path, W_OK) == 0;
  if (writable) output->target = target_of(path, &old);
  if (output->target) open_aside(output);
  if (output->fd >= 0 && old.st_mode) (void)!fchmod(output->fd, old.st_mode & 0777);
  if (output->fd >= 0) return true;
  free(output->target);
  output->target = NULL;
  output->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return output->fd >= 0 || ls_fail(err, LS_EIO, "cannot write %s: %s", LS_QUOTE_PATH(path), strerror(errno));
}

// The unnamed file gets the name aside: only a name can take another one's place.
static int give_name(LsOutput *output) {
  char self[64];
  snprintf(self, sizeof self, "/proc/self/fd/%d", output->fd);
  int error = EEXIST;
  for (int n = 0; n < NAMES && error == EEXIST; n++) {
    char *name = name_aside(output->target, n);
    if (linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
      output->aside = name;
      return 0;
    }
    error = errno;
    free(name);
  }
  return error;
}

int ls_output_commit(LsOutput *output) {
  int error = output->target && !output->aside ? give_name(output) : 0;
  if (close(output->fd) != 0 && !error) error = errno;
  output->fd = -1;
  if (!error && output->target && rename(output->aside, output->target) != 0) error = errno;
  if (!error) {
    free(output->aside);
    output->aside = NULL;
  }
  ls_output_drop(output);
  return error;
}

static bool write_all(int fd, const char *data, size_t size) {
  for (size_t at = 0; at < size;) {
    ssize_t n = write(fd, data + at, size - at);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) at += (size_t)n;
  }
  return true;
}

bool ls_output_write(const char *path, const char *data, size_t size, LsErr *err) {
  LsOutput output;
  if (!ls_output_open(&output, path, err)) return false;
  bool written = write_all(output.fd, data, size);
  int number = written ? ls_output_commit(&output) : errno;
  if (!written) ls_output_drop(&output);
  return !number || ls_fail(err, LS_EIO, "cannot write %s: %s", LS_QUOTE_PATH(path), strerror(number));
}

void ls_output_drop(LsOutput *output) {
  if (output->fd >= 0) close(output->fd);
  if (output->aside) unlink(output->aside);
  free(output->aside);
  free(output->target);
  *output = (LsOutput){.fd = -1};
}
