// compile_folder.c: a temporary folder, its removal, and the shell that removes it after a kill -9.
#include "device/compile/compile_folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "device/child.h"

struct CompileFolder {
  char *path;
  Child guard;   // pid 0: it could not start; then the folder is removed by us alone
};

// Lines are the group to end, 0 for none; the last one is "done". Nobody hears what it says: that must not end it.
static const char guard_script[] =
    "exec >/dev/null 2>&1; trap '' HUP INT TERM PIPE; group=0; "
    "while read -r word; do test \"$word\" = done && exit; group=$word; done; "
    "test \"$group\" = 0 || kill -s KILL -- \"-$group\"; rm -rf -- \"$1\"";

static void start_guard(CompileFolder *folder) {
  char *argv[] = {(char *)"/bin/sh", (char *)"-c", (char *)guard_script, (char *)"sh", folder->path, NULL};
  if (!child_start_listener(&folder->guard, argv, NULL)) folder->guard.pid = 0;
}

static void tell_guard(CompileFolder *folder, const char *line) {
  if (folder->guard.pid > 0) child_write(&folder->guard, line, strlen(line));   // a few bytes fit into any pipe
}

CompileFolder *compile_folder_new(LsErr *err) {
  const char *dir = getenv("TMPDIR");
  if (!dir || !*dir) dir = "/tmp";
  char *path = ls_format("%s/lanescope-XXXXXX", dir);
  if (!mkdtemp(path)) {
    ls_fail(err, LS_EIO, "cannot make a folder for temporary files in %s: %s", LS_QUOTE_PATH(dir), strerror(errno));
    free(path);
    return NULL;
  }
  CompileFolder *folder = ls_alloc(sizeof *folder);
  folder->path = path;
  start_guard(folder);
  return folder;
}

const char *compile_folder_path(const CompileFolder *folder) { return folder->path; }

void compile_folder_watch(CompileFolder *folder, pid_t group) {
  char line[24];
  snprintf(line, sizeof line, "%ld\n", (long)group);
  tell_guard(folder, line);
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
  (void)status, (void)kind;
  if (place->level > 0) remove(path);
  return 0;
}

// All that is in the folder; links are removed, not followed.
static void remove_files(const char *path) {
  enum { OPEN_FOLDERS = 8 };
  nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

// Processes that were just killed may leave a last file.
static void remove_folder(const char *path) {
  enum { TIMES = 50 };
  for (int i = 0; i < TIMES; i++) {
    remove_files(path);
    if (rmdir(path) == 0 || errno != ENOTEMPTY) return;
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  }
}

void compile_folder_free(CompileFolder *folder) {
  enum { GRACE_MS = 2000 };
  if (!folder) return;
  remove_folder(folder->path);
  tell_guard(folder, "done\n");
  child_end(&folder->guard, GRACE_MS);
  child_free(&folder->guard);
  free(folder->path);
  free(folder);
}
