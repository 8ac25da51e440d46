// file.c: whole files, paths, and where lanescope's own files are.
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

static bool read_all(FILE *file, const char *path, size_t limit, LsText *text, LsErr *err) {
  char buffer[65536];
  size_t n;
  while ((n = fread(buffer, 1, sizeof buffer, file)) > 0) {
    ls_text_addn(text, buffer, n);
    if (text->length > limit) return ls_fail(err, LS_EREQUEST, "%s is larger than %zu bytes", LS_QUOTE_PATH(path),
                                             limit);
  }
  if (ferror(file)) return ls_fail(err, LS_EIO, "cannot read %s: %s", LS_QUOTE_PATH(path), strerror(errno));
  return true;
}

// Opening a pipe would wait for its writer, and a device may never end.
static FILE *open_regular(const char *path, LsErr *err) {
  struct stat info;
  FILE *file = NULL;
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
    ls_fail(err, LS_EREQUEST, "%s is %s", LS_QUOTE_PATH(path),
            S_ISDIR(info.st_mode) ? "a directory" : "no regular file");
  else if (!(file = fopen(path, "rb")))
    ls_fail(err, errno == ENOENT ? LS_EREQUEST : LS_EIO, "cannot open %s: %s", LS_QUOTE_PATH(path), strerror(errno));
  return file;
}

char *ls_file_read(const char *path, size_t limit, size_t *size, LsErr *err) {
  FILE *file = open_regular(path, err);
  if (!file) return NULL;
  LsText text = {0};
  bool ok = read_all(file, path, limit, &text, err);
  fclose(file);
  if (!ok) {
    ls_text_free(&text);
    return NULL;
  }
  if (size) *size = text.length;
  return ls_text_take(&text);
}

bool ls_file_create(const char *path, const void *data, size_t size, LsErr *err) {
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const char *at = data;
  bool ok = fd >= 0;
  for (ssize_t n; ok && size; at += n, size -= (size_t)n) {
    n = write(fd, at, size);
    if (n < 0) ok = false, n = 0;
  }
  if (fd >= 0 && close(fd) != 0) ok = false;
  if (!ok) ls_fail(err, LS_EIO, "%s", strerror(errno));
  if (!ok && fd >= 0) unlink(path);
  return ok;
}

bool ls_file_write(const char *path, const void *data, size_t size, LsErr *err) {
  FILE *file = fopen(path, "wb");
  if (!file) return ls_fail(err, LS_EIO, "cannot write %s: %s", LS_QUOTE_PATH(path), strerror(errno));
  bool ok = fwrite(data, 1, size, file) == size;
  ok = fclose(file) == 0 && ok;
  return ok || ls_fail(err, LS_EIO, "cannot write %s: %s", LS_QUOTE_PATH(path), strerror(errno));
}

bool ls_file_begins(const char *path, const void *magic, size_t size) {
  char start[64];
  FILE *file = size <= sizeof start ? open_regular(path, NULL) : NULL;
  if (!file) return false;
  bool same = fread(start, 1, size, file) == size && memcmp(start, magic, size) == 0;
  fclose(file);
  return same;
}

bool ls_file_exists(const char *path) { return access(path, F_OK) == 0; }

bool ls_file_newer(const char *path, const char *than) {
  struct stat a, b;
  if (stat(path, &a) != 0 || stat(than, &b) != 0) return false;
  if (a.st_mtim.tv_sec != b.st_mtim.tv_sec) return a.st_mtim.tv_sec > b.st_mtim.tv_sec;
  return a.st_mtim.tv_nsec > b.st_mtim.tv_nsec;
}

bool ls_make_dirs(const char *path, LsErr *err) {
  char *copy = ls_strdup(path);
  bool ok = true;
  for (char *p = copy + 1; ok; p++) {
    if (*p && *p != '/') continue;
    char was = *p;
    *p = 0;
    ok = mkdir(copy, 0700) == 0 || errno == EEXIST;
    if (!ok) ls_fail(err, LS_EIO, "cannot make the directory %s: %s", LS_QUOTE_PATH(copy), strerror(errno));
    *p = was;
    if (!was) break;
  }
  free(copy);
  return ok;
}

const char *ls_path_base(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

char *ls_path_join(const char *dir, const char *name) {
  size_t n = strlen(dir);
  return ls_format("%s%s%s", dir, n && dir[n - 1] == '/' ? "" : "/", name);
}

char *ls_path_with_suffix(const char *path, const char *suffix) {
  const char *base = ls_path_base(path), *dot = strrchr(base, '.');
  int length = dot && dot != base ? (int)(dot - path) : (int)strlen(path);
  return ls_format("%.*s%s", length, path, suffix);
}

// The directory of the running program, "" if the system does not say.
static void program_dir(char *out, size_t size) {
  ssize_t n = readlink("/proc/self/exe", out, size - 1);
  out[n > 0 ? n : 0] = 0;
  char *slash = strrchr(out, '/');
  if (slash) *slash = 0;
}

static char *existing(const char *dir, const char *relative) {
  if (!dir || !*dir) return NULL;
  char *probe = ls_path_join(dir, "kernels");
  bool found = ls_file_exists(probe);
  free(probe);
  return found ? ls_path_join(dir, relative) : NULL;
}

// A folder that was named is the one that is meant, or the name is wrong.
static char *named_data_path(const char *dir, const char *relative, LsErr *err) {
  char *path = existing(dir, relative);
  if (!path)
    ls_fail(err, LS_EENV, "LANESCOPE_DATA is %s, but lanescope's own files are not there; point it at the directory that holds "
            "kernels, lessons, lua and assets, or unset it", LS_QUOTE_PATH(dir));
  return path;
}

char *ls_data_path(const char *relative, LsErr *err) {
  const char *named = getenv("LANESCOPE_DATA");
  if (named && *named) return named_data_path(named, relative, err);
  char beside[4096], shared[4200], status[4200];
  program_dir(beside, sizeof beside);
  snprintf(shared, sizeof shared, "%s/../share/lanescope", beside);
  // In a build tree (config.status stands there) the files are those of its source, whatever is installed.
  snprintf(status, sizeof status, "%s/config.status", beside);
  const char *source = ls_file_exists(status) ? LS_SOURCE_DIR : NULL;
  const char *dirs[] = {beside, source, shared, LS_DATA_DIR, LS_SOURCE_DIR};
  for (int i = 0; i < LS_COUNT(dirs); i++) {
    char *path = existing(dirs[i], relative);
    if (path) return path;
  }
  ls_fail(err, LS_EENV, "lanescope's own files are missing (looked beside the program and in %s); "
          "install it, or point LANESCOPE_DATA at the directory that holds kernels, lessons, lua and assets", LS_DATA_DIR);
  return NULL;
}

char *ls_xdg_path(const char *which, const char *relative) {
  static const char *const fallback[][2] = {
      {"CONFIG", ".config"}, {"STATE", ".local/state"}, {"CACHE", ".cache"}, {"DATA", ".local/share"}};
  char variable[32];
  snprintf(variable, sizeof variable, "XDG_%s_HOME", which);
  const char *dir = getenv(variable), *home = getenv("HOME");
  const struct passwd *user = home && *home ? NULL : getpwuid(getuid());
  if (dir && *dir == '/') return ls_format("%s/lanescope/%s", dir, relative);
  const char *below = ".";
  for (int i = 0; i < LS_COUNT(fallback); i++)
    if (strcmp(fallback[i][0], which) == 0) below = fallback[i][1];
  return ls_format("%s/%s/lanescope/%s", home && *home ? home : user ? user->pw_dir : "", below, relative);
}
