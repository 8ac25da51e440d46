// files.c: looks through a folder for .cu and .ptx files.
#include "app/own/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static int by_time(const void *left, const void *right) {
  const OwnEntry *a = left, *b = right;
  if (a->saved != b->saved) return a->saved > b->saved ? -1 : 1;
  return strcmp(a->name, b->name);
}

static void take(const char *folder, const char *name, OwnFiles *files) {
  struct stat status;
  if (name[0] == '.' || !ownfile_is_one(name) || files->count == OWN_FILES) return;
  char *path = ls_path_join(folder, name);
  if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
    OwnEntry *entry = &files->items[files->count++];
    entry->path = ls_arena_format(files->arena, "%s", strcmp(folder, ".") == 0 ? name : path);
    entry->name = ls_path_base(entry->path);
    entry->saved = status.st_mtime;
    entry->bytes = status.st_size;
  }
  free(path);
}

bool ownfiles_list(const char *folder, OwnFiles *files, LsErr *err) {
  *files = (OwnFiles){.arena = ls_arena_new()};
  files->items = LS_NEW_ARRAY(files->arena, OwnEntry, OWN_FILES);
  DIR *dir = opendir(folder);
  if (!dir) return ls_fail(err, LS_EIO, "cannot read %s: %s", LS_QUOTE_PATH(folder), strerror(errno));
  for (const struct dirent *entry; (entry = readdir(dir));) take(folder, entry->d_name, files);
  closedir(dir);
  qsort(files->items, (size_t)files->count, sizeof *files->items, by_time);
  return true;
}

void ownfiles_free(OwnFiles *files) {
  ls_arena_free(files->arena);
  *files = (OwnFiles){0};
}

static const char first_name[] = "saxpy.cu";
static const char first_text[] =
    "// saxpy.cu: y becomes a * x + y, one element for each thread.\n"
    "__global__ void saxpy(float a, const float *x, float *y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n)\n"
    "    y[i] = a * x[i] + y[i];\n"
    "}\n";

char *ownfiles_begin(const char *folder, LsErr *err) {
  char *path = strcmp(folder, ".") == 0 ? ls_strdup(first_name) : ls_path_join(folder, first_name);
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
  bool made = file >= 0 && write(file, first_text, strlen(first_text)) == (ssize_t)strlen(first_text);
  int reason = errno;
  if (file >= 0) close(file);
  if (made) return path;
  ls_fail(err, LS_EIO, "cannot write %s: %s", LS_QUOTE_PATH(path), strerror(reason));
  free(path);
  return NULL;
}

void ownfiles_age(int64_t saved, int64_t now, LsText *out) {
  static const struct { int64_t seconds; const char *unit; } units[] = {
      {365 * 24 * 60 * 60, "year"}, {24 * 60 * 60, "day"}, {60 * 60, "hour"}, {60, "minute"}};
  for (int i = 0; i < LS_COUNT(units); i++) {
    int64_t count = (now - saved) / units[i].seconds;
    if (count < 1) continue;
    ls_text_addf(out, "%lld %s%s ago", (long long)count, units[i].unit, count == 1 ? "" : "s");
    return;
  }
  ls_text_add(out, "just now");
}
