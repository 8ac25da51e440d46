// watch.c: files by their state (cheap) and contents (where the state is another one); inotify says when to look.
#include "app/own/watch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/text.h"

enum { FILES = 64, LIMIT = 64 << 20, PERIOD_MS = 1000 };

struct Watch {
  char *files[FILES]; int count;       // the first is the file itself
  uint64_t contents, state;            // as last told
  uint64_t pending; double since;      // a state that is not told yet
  bool waits, gone;
  int fd;
  bool foreign;                        // on a file system that others change
};

// ---- what is included -----------------------------------------------------------------------------------------------

static void add_file(Watch *watch, const char *path) {
  for (int i = 0; i < watch->count; i++)
    if (strcmp(watch->files[i], path) == 0) return;
  if (watch->count < FILES) watch->files[watch->count++] = ls_strdup(path);
}

// Those that are not there may come: they are watched, too.
static void add_includes(Watch *watch, const char *path, const char *text) {
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *p = line + strspn(line, " \t");
    if (*p != '#') continue;
    p += 1 + strspn(p + 1, " \t");
    if (!ls_starts_with(p, "include")) continue;
    p += 7 + strspn(p + 7, " \t");
    if (*p != '"' || !p[1 + strcspn(p + 1, "\"\n")]) continue;
    int folder = (int)(ls_path_base(path) - path), length = (int)strcspn(p + 1, "\"\n");
    char *full = p[1] == '/' ? ls_strndup(p + 1, (size_t)length) : ls_format("%.*s%.*s", folder, path, length, p + 1);
    add_file(watch, full);
    free(full);
  }
}

static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t both[2] = {a, b};
  return ls_hash64(both, sizeof both);
}

// Reads all of them, and finds anew which they are.
static uint64_t read_contents(Watch *watch) {
  uint64_t hash = 0;
  while (watch->count > 1) free(watch->files[--watch->count]);
  for (int i = 0; i < watch->count; i++) {
    size_t size = 0;
    char *text = ls_file_read(watch->files[i], LIMIT, &size, NULL);
    hash = mix(hash, text ? ls_hash64(text, size) : 1);
    if (text) add_includes(watch, watch->files[i], text);
    free(text);
  }
  return hash;
}

static uint64_t state_of(const Watch *watch) {
  uint64_t state = 0;
  for (int i = 0; i < watch->count; i++) {
    struct stat s;
    uint64_t parts[5] = {0};
    if (stat(watch->files[i], &s) == 0) {
      parts[0] = (uint64_t)s.st_ino + 1;
      parts[1] = (uint64_t)s.st_size;
      parts[2] = (uint64_t)s.st_mtim.tv_sec;
      parts[3] = (uint64_t)s.st_mtim.tv_nsec;
      parts[4] = (uint64_t)s.st_dev;
    }
    state = mix(state, ls_hash64(parts, sizeof parts));
  }
  return state;
}

// ---- inotify --------------------------------------------------------------------------------------------------------

// Folders are watched, not files: a file that takes another's place is not the one that was watched.
static void watch_folder(const Watch *watch, const char *path) {
  const uint32_t what = IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE;
  int length = (int)(ls_path_base(path) - path);
  char *folder = length ? ls_strndup(path, (size_t)length) : ls_strdup(".");
  if (watch->fd >= 0) inotify_add_watch(watch->fd, folder, what);   // twice is once
  free(folder);
}

// Where a link leads, the file is changed.
static void watch_folders(const Watch *watch) {
  for (int i = 0; i < watch->count; i++) {
    char *real = realpath(watch->files[i], NULL);
    watch_folder(watch, watch->files[i]);
    if (real) watch_folder(watch, real);
    free(real);
  }
}

static bool is_foreign(const char *path) {
  static const long local[] = {0xEF53, 0x58465342, 0x9123683E, 0x01021994, 0x794C7630, 0x2FC12FC1, 0xF2F52010,
                               0x858458F6};
  struct statfs fs;   // ext, XFS, Btrfs, tmpfs, overlay, ZFS, F2FS, ramfs: only this machine changes them
  if (statfs(path, &fs) != 0) return true;
  for (int i = 0; i < LS_COUNT(local); i++)
    if ((unsigned long)fs.f_type == (unsigned long)local[i]) return false;
  return true;
}

static void drain(const Watch *watch) {
  char bytes[4096];
  while (watch->fd >= 0 && read(watch->fd, bytes, sizeof bytes) > 0) continue;
}

// ---- looking --------------------------------------------------------------------------------------------------------

Watch *watch_new(const char *path) {
  Watch *watch = ls_alloc(sizeof *watch);
  watch->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  watch->foreign = is_foreign(path);
  add_file(watch, path);
  watch->contents = read_contents(watch);
  watch->state = state_of(watch);
  watch_folders(watch);
  return watch;
}

void watch_free(Watch *watch) {
  if (!watch) return;
  if (watch->fd >= 0) close(watch->fd);
  while (watch->count) free(watch->files[--watch->count]);
  free(watch);
}

// A file that is away or empty is probably about to come back.
static bool is_missing(const Watch *watch, bool *away) {
  struct stat s;
  *away = stat(watch->files[0], &s) != 0;
  return *away || s.st_size == 0;
}

static WatchNews settled(Watch *watch, bool away) {
  watch->waits = false;
  watch->state = watch->pending;
  if (away) {
    bool known = watch->gone;
    watch->gone = true;
    return known ? WATCH_SAME : WATCH_GONE;
  }
  uint64_t before = watch->contents;
  bool back = watch->gone;
  watch->gone = false;
  watch->contents = read_contents(watch);
  watch->state = state_of(watch);   // of what it includes now
  watch_folders(watch);
  return back || watch->contents != before ? WATCH_CHANGED : WATCH_SAME;
}

WatchNews watch_look(Watch *watch, double now) {
  drain(watch);
  uint64_t state = state_of(watch);
  bool away, missing = is_missing(watch, &away);
  if (!watch->waits && state == watch->state) return WATCH_SAME;
  if (!watch->waits || state != watch->pending) {
    watch->waits = true;
    watch->pending = state;
    watch->since = now;
    return WATCH_SETTLING;
  }
  if (now - watch->since < (missing ? WATCH_MISSING : WATCH_SETTLED)) return WATCH_SETTLING;
  return settled(watch, away);
}

int watch_fd(const Watch *watch) { return watch->fd; }
int watch_period(const Watch *watch) { return watch->fd < 0 || watch->foreign ? PERIOD_MS : 0; }
int watch_files(const Watch *watch) { return watch->count; }
