// sandbox.c: a worker with limits, in namespaces of its own.
#include "device/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

enum { MOST_SAID = 1 << 20, MOST_FILES = 256, MOST_PROCESSES = 512, MOST_WRITTEN = 64 << 20 };

#if defined(__SANITIZE_ADDRESS__)
enum { BOUNDS_MEMORY = 0 };        // its shadow takes more address space than any machine has memory
#else
enum { BOUNDS_MEMORY = 1 };
#endif

// ---- namespaces ----------------------------------------------------------------------------------------------------

static bool write_all(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  bool ok = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
  if (file >= 0) close(file);
  return ok;
}

// We stay who we are, in a namespace that has nobody else (user_namespaces(7)).
static bool map_ourselves(uid_t user, gid_t group) {
  char line[64];
  write_all("/proc/self/setgroups", "deny");   // not there before Linux 3.19
  snprintf(line, sizeof line, "%lu %lu 1", (unsigned long)user, (unsigned long)user);
  if (!write_all("/proc/self/uid_map", line)) return false;
  snprintf(line, sizeof line, "%lu %lu 1", (unsigned long)group, (unsigned long)group);
  return write_all("/proc/self/gid_map", line);
}

// What is forked from now on is apart.
static bool isolate(void) {
  uid_t user = geteuid();
  gid_t group = getegid();
  return unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC) == 0 && map_ourselves(user, group);
}

static int try_isolation(void) {
  if (!isolate()) return errno ? LS_MIN(errno, 255) : 255;
  pid_t child = fork();
  int status = 0;
  if (child == 0) _exit(0);
  return child > 0 && waitpid(child, &status, 0) == child && status == 0 ? 0 : 255;
}

static const char *reason(int error) {
  switch (error) {
    case ENOSPC: return "none are allowed (sysctl user.max_user_namespaces)";
    case EPERM: case EACCES: return "the system forbids them (a container, kernel.unprivileged_userns_clone, "
                                    "kernel.apparmor_restrict_unprivileged_userns)";
    case 255: return "the system refuses them";
    default: return strerror(error);
  }
}

bool sandbox_isolates(LsErr *why) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) _exit(try_isolation());
  bool ended = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
  if (ended && WEXITSTATUS(status) == 0) return true;
  return ls_fail(why, LS_EENV, "user namespaces are not to be had: %s", reason(ended ? WEXITSTATUS(status) : 255));
}

// ---- limits --------------------------------------------------------------------------------------------------------

// Lower than what is allowed already, never higher.
static void limit(int resource, uint64_t value) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0) return;
  rlim_t most = LS_MIN((rlim_t)value, now.rlim_max);
  setrlimit(resource, &(struct rlimit){most, most});
}

// Processes are counted for each user, so a limit on them means something in a namespace only.
static void set_limits(const SandboxLimits *limits, bool isolated) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, (uint64_t)limits->seconds + 1);
  limit(RLIMIT_NOFILE, MOST_FILES);
  limit(RLIMIT_FSIZE, MOST_WRITTEN);
  if (BOUNDS_MEMORY) limit(RLIMIT_AS, limits->memory);
  if (isolated) limit(RLIMIT_NPROC, MOST_PROCESSES);
}

void sandbox_clear_environment(const char *folder) {
  static const char *const kept[] = {"PATH", "LANESCOPE_DATA", "LANESCOPE_COMPILER", "LANESCOPE_ARCH",
                                     "LANESCOPE_NVRTC", "LANESCOPE_ISA", "VIRTUAL_ENV", "CONDA_PREFIX",
                                     "LD_LIBRARY_PATH", "ASAN_OPTIONS"};
  static const char *const homes[] = {"HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
                                      "XDG_DATA_HOME"};
  char *values[LS_COUNT(kept)];
  for (int i = 0; i < LS_COUNT(kept); i++) values[i] = getenv(kept[i]) ? ls_strdup(getenv(kept[i])) : NULL;
  clearenv();
  for (int i = 0; i < LS_COUNT(kept); i++) {
    if (values[i]) setenv(kept[i], values[i], 1);
    free(values[i]);
  }
  for (int i = 0; i < LS_COUNT(homes); i++) setenv(homes[i], folder, 1);
  setenv("LANG", "C.UTF-8", 1);
}

// ---- the worker ----------------------------------------------------------------------------------------------------

static int be_worker(const SandboxLimits *limits, bool isolated, SandboxWork *work, void *context, int descriptor) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, 0), dup2(nothing, 1), dup2(nothing, 2);
  set_limits(limits, isolated);
  return work(context, descriptor);
}

// Until its end, the end of the time, or a bound; what is beyond the bound is thrown away.
static bool listen_to(int pipe_end, const SandboxLimits *limits, LsText *said) {
  uint64_t until = ls_clock_ms() + (uint64_t)(limits->seconds * 1000);
  char bytes[4096];
  for (;;) {
    int64_t left = (int64_t)until - (int64_t)ls_clock_ms();
    struct pollfd ends[] = {{.fd = pipe_end, .events = POLLIN}, {.fd = limits->lifeline}};
    if (left <= 0) return false;
    if (poll(ends, 2, (int)LS_MIN(left, 60000)) <= 0) continue;
    if (ends[1].revents) return false;
    if (!ends[0].revents) continue;
    ssize_t count = read(pipe_end, bytes, sizeof bytes);
    if (count == 0) return true;
    if (count > 0 && said->length < MOST_SAID) ls_text_addn(said, bytes, (size_t)count);
  }
}

static void judge_end(pid_t worker, bool on_time, SandboxAnswer *answer) {
  if (!on_time) kill(worker, SIGKILL);
  while (waitpid(worker, &answer->status, 0) < 0 && errno == EINTR) continue;
  bool fine = WIFEXITED(answer->status) && WEXITSTATUS(answer->status) == 0;
  answer->end = !on_time ? SANDBOX_LATE : fine ? SANDBOX_DONE : SANDBOX_DIED;
  if (WIFSIGNALED(answer->status) && WTERMSIG(answer->status) == SIGXCPU) answer->end = SANDBOX_LATE;
}

bool sandbox_run(const SandboxLimits *limits, SandboxWork *work, void *context, SandboxAnswer *answer, LsErr *err) {
  int ends[2];
  *answer = (SandboxAnswer){.end = SANDBOX_DIED};
  if (pipe2(ends, O_CLOEXEC) != 0) return ls_fail(err, LS_EIO, "cannot make a pipe: %s", strerror(errno));
  bool isolated = sandbox_isolates(NULL) && isolate();   // half of it would be worse than none
  pid_t worker = fork();
  if (worker == 0) {
    close(ends[0]);
    _exit(be_worker(limits, isolated, work, context, ends[1]));
  }
  close(ends[1]);
  if (worker > 0) judge_end(worker, listen_to(ends[0], limits, &answer->said), answer);
  close(ends[0]);
  return worker > 0 || ls_fail(err, LS_EIO, "cannot start another process: %s", strerror(errno));
}
