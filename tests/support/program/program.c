// program.c: a home of our own, and commands whose output is kept.
#include "program.h"

#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"

enum { PATIENCE_MS = 240000 };

static char directory[4096];   // below $TMPDIR

static void give_up(const char *what) {
  perror(what);
  exit(99);
}

// Variables that the sanitizers, the loader and coverage need; all others are dropped.
static const char *const kept[] = {"PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "GCOV_PREFIX",
                                   "GCOV_PREFIX_STRIP", "MONKEY_KEYS", "TMPDIR"};

static void clean_environment(const char *build) {
  char *values[LS_COUNT(kept)];
  for (int i = 0; i < LS_COUNT(kept); i++) values[i] = getenv(kept[i]) ? ls_strdup(getenv(kept[i])) : NULL;
  clearenv();
  for (int i = 0; i < LS_COUNT(kept); i++) {
    if (values[i]) setenv(kept[i], values[i], 1);
    free(values[i]);
  }
  char *path = ls_format("%s:%s", build, getenv("PATH") ? getenv("PATH") : "/bin:/usr/bin");
  setenv("PATH", path, 1);
  free(path);
  setenv("B", build, 1);
  setenv("S", LS_SOURCE_DIR, 1);
  setenv("HOME", directory, 1);
  setenv("TERM", "xterm-256color", 1);
  setenv("LC_ALL", "C.UTF-8", 1);
}

void program_set_up(void) {
  char build[4096];
  ssize_t length = readlink("/proc/self/exe", build, sizeof build - 1);
  if (length < 0) give_up("/proc/self/exe");
  build[length] = 0;
  for (int up = 0; up < 4; up++) *strrchr(build, '/') = 0;   // BUILD/tests/unit/cli/test_program_x
  const char *below = getenv("TMPDIR");
  snprintf(directory, sizeof directory, "%s/lanescope-test-XXXXXX", below && *below ? below : "/tmp");
  if (!mkdtemp(directory) || chdir(directory) != 0) give_up(directory);
  clean_environment(build);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
  (void)status, (void)type, (void)place;
  return remove(path);
}

void program_tear_down(void) {
  if (chdir("/") == 0) nftw(directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *program_directory(void) { return directory; }

long long program_now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static pid_t start(const char *line, int out[2], int err[2]) {
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) give_up("pipe");
  pid_t child = fork();
  if (child != 0) return child;
  setpgid(0, 0);
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(out[1], STDOUT_FILENO);
  dup2(err[1], STDERR_FILENO);
  execl("/bin/sh", "sh", "-c", line, (char *)NULL);
  _exit(127);
}

// Reads both until both end; false if that takes too long.
static bool collect(int out, int err, LsText texts[2]) {
  struct pollfd fds[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  long long end = program_now_ms() + PATIENCE_MS;
  while (fds[0].fd >= 0 || fds[1].fd >= 0) {
    long long left = end - program_now_ms();
    if (left <= 0 || poll(fds, 2, (int)left) < 0) return false;
    for (int i = 0; i < 2; i++) {
      char bytes[4096];
      if (fds[i].fd < 0 || !fds[i].revents) continue;
      ssize_t n = read(fds[i].fd, bytes, sizeof bytes);
      if (n > 0) ls_text_addn(&texts[i], bytes, (size_t)n);
      else fds[i].fd = -1;
    }
  }
  return true;
}

void program_run(ProgramRun *run, const char *line) {
  int out[2], err[2], status = 0;
  LsText texts[2] = {0};
  pid_t child = start(line, out, err);
  close(out[1]);
  close(err[1]);
  bool ended = collect(out[0], err[0], texts);
  if (!ended) kill(-child, SIGKILL);
  waitpid(child, &status, 0);
  close(out[0]);
  close(err[0]);
  run->status = !ended ? -1 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run->out_size = texts[0].length;
  run->out = texts[0].data ? ls_text_take(&texts[0]) : ls_strdup("");
  run->err = texts[1].data ? ls_text_take(&texts[1]) : ls_strdup("");
}

void program_run_free(ProgramRun *run) {
  free(run->out);
  free(run->err);
}

bool program_matches(const char *pattern, const char *text) {
  const char *star = NULL, *after = NULL;
  for (;;) {
    if (*pattern == '*') star = pattern++, after = text;
    else if (*pattern == *text && *text) pattern++, text++;
    else if (!*pattern && !*text) return true;
    else if (star && *after) pattern = star + 1, text = ++after;
    else return false;
  }
}
