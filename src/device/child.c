// child.c: starting another program, its pipes, and its end.
#include "device/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"

enum { SAID_MOST = 4096, TERM_GRACE_MS = 50, PATIENCE_MS = 5000, KILL_GRACE_MS = 5000 };

extern char **environ;

// ---- starting ------------------------------------------------------------------------------------------------------

// The shell gets the prefix as it was written; the folder comes as $1, so that nothing in its name needs quoting.
static char *shell_line(const char *prefix, const char *arg) {
  return ls_format("PATH=\"$PATH:$1\"; export PATH; shift; %s lanescope %s", prefix, arg);
}

static char *own_folder(void) {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return ls_strdup("/usr/bin");
  path[length] = 0;
  char *slash = strrchr(path, '/');
  return ls_strndup(path, slash && slash != path ? (size_t)(slash - path) : 1);
}

// The streams, a session of its own, and none of our signal settings.
static int spawn(pid_t *pid, const char *path, char *const argv[], char *const environment[], const int ends[3]) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (int i = 0; i < 3; i++) posix_spawn_file_actions_adddup2(&actions, ends[i], i);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int error = posix_spawnp(pid, path, &actions, &attributes, argv, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

static void close_end(int *end) {
  if (*end >= 0) close(*end);
  *end = -1;
}

// Three pipes: ours[i] and theirs[i] are the ends for stream i.
static bool make_pipes(int ours[3], int theirs[3], LsErr *err) {
  for (int i = 0; i < 3; i++) ours[i] = theirs[i] = -1;
  for (int i = 0; i < 3; i++) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
      for (int k = 0; k < i; k++) close(ours[k]), close(theirs[k]);
      return ls_fail(err, LS_EIO, "cannot make a pipe: %s", strerror(errno));
    }
    ours[i] = ends[i == 0];
    theirs[i] = ends[i != 0];
    fcntl(ours[i], F_SETFL, O_NONBLOCK);
  }
  return true;
}

bool child_start(Child *child, const char *prefix, const char *arg, LsErr *err) {
  *child = (Child){.in = -1, .out = -1, .error = -1};
  int ours[3], theirs[3];
  if (!make_pipes(ours, theirs, err)) return false;
  char *folder = own_folder(), *line = prefix ? shell_line(prefix, arg) : NULL;
  char *shell[] = {"sh", "-c", line, "sh", folder, NULL}, *self[] = {"lanescope", (char *)arg, NULL};
  int error = spawn(&child->pid, prefix ? "/bin/sh" : "/proc/self/exe", prefix ? shell : self, environ, theirs);
  free(folder);
  free(line);
  for (int i = 0; i < 3; i++) close(theirs[i]);
  child->in = ours[0];
  child->out = ours[1];
  child->error = ours[2];
  if (!error) return true;
  child->pid = 0;
  child_free(child);
  return ls_fail(err, LS_EENV, "cannot start %s: %s", prefix ? "/bin/sh" : "a second lanescope", strerror(error));
}

// Ours, with another TMPDIR (borrowed). Caller frees the list.
static char **environment_with(char *tmpdir) {
  int count = 0, kept = 0;
  while (environ[count]) count++;
  char **list = ls_alloc((size_t)(count + 2) * sizeof *list);
  for (int i = 0; i < count; i++)
    if (strncmp(environ[i], "TMPDIR=", 7) != 0) list[kept++] = environ[i];
  list[kept] = tmpdir;
  return list;
}

static bool start_words(Child *child, char *const argv[], char *const environment[], bool listens, LsErr *err) {
  *child = (Child){.in = -1, .out = -1, .error = -1};
  int ours[3], theirs[3];
  if (!make_pipes(ours, theirs, err)) return false;
  int ends[3] = {theirs[0], theirs[1], theirs[1]};
  if (!listens) close_end(&ours[0]);
  close(ours[2]);
  int error = spawn(&child->pid, argv[0], argv, environment, ends);
  for (int i = 0; i < 3; i++) close(theirs[i]);
  child->in = ours[0];
  child->out = ours[1];
  if (!error) return true;
  child->pid = 0;
  child_free(child);
  return ls_fail(err, LS_EENV, "cannot start %s: %s", argv[0], strerror(error));
}

bool child_start_program(Child *child, char *const argv[], const char *tmpdir, LsErr *err) {
  char *variable = ls_format("TMPDIR=%s", tmpdir), **environment = environment_with(variable);
  bool started = start_words(child, argv, environment, false, err);
  free(environment);
  free(variable);
  return started;
}

bool child_start_listener(Child *child, char *const argv[], LsErr *err) { return start_words(child, argv, environ, true, err); }

// ---- talking -------------------------------------------------------------------------------------------------------

// Keeps the end of it. Control characters are not for a screen.
void child_note(Child *child, const char *bytes, size_t size) {
  LsText *said = &child->said;
  for (size_t i = 0; i < size; i++) {
    unsigned char c = (unsigned char)bytes[i];
    if (c == '\n' || c == '\t' || (c >= ' ' && c != 127)) ls_text_addc(said, (char)c);
  }
  if (said->length <= 2 * SAID_MOST) return;
  char *rest = ls_strdup(said->data + said->length - SAID_MOST);
  ls_text_clear(said);
  ls_text_add(said, rest);
  free(rest);
}

static void gather(Child *child) {
  char bytes[4096];
  for (int turns = 0; child->error >= 0 && turns < 64; turns++) {   // bounded: a flood must not hold up the caller
    ssize_t n = read(child->error, bytes, sizeof bytes);
    if (n > 0) child_note(child, bytes, (size_t)n);
    else if (n == 0 || (errno != EAGAIN && errno != EINTR)) close_end(&child->error);
    if (n <= 0) return;
  }
}

void child_wait(Child *child, bool writing, int milliseconds) {
  struct pollfd ends[3] = {
      {.fd = child->out, .events = POLLIN}, {.fd = child->error, .events = POLLIN},
      {.fd = writing ? child->in : -1, .events = POLLOUT}};
  poll(ends, 3, milliseconds);
  gather(child);
}

ssize_t child_read(Child *child, void *bytes, size_t size) {
  if (child->out < 0) return -1;
  ssize_t n = read(child->out, bytes, size);
  if (n > 0) return n;
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  close_end(&child->out);
  return -1;
}

// Writing to a pipe that nobody reads raises SIGPIPE in this thread: it is held back, and taken away again.
static ssize_t write_quietly(int fd, const void *bytes, size_t size) {
  sigset_t pipe_signal, before, pending;
  sigpending(&pending);
  bool was_pending = sigismember(&pending, SIGPIPE);
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  ssize_t n = write(fd, bytes, size);
  int error = errno;
  if (n < 0 && error == EPIPE && !was_pending)
    while (sigtimedwait(&pipe_signal, NULL, &(struct timespec){0}) < 0 && errno == EINTR) continue;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = error;
  return n;
}

ssize_t child_write(Child *child, const void *bytes, size_t size) {
  if (child->in < 0) return -1;
  ssize_t n = write_quietly(child->in, bytes, size);
  if (n >= 0) return n;
  if (errno == EAGAIN || errno == EINTR) return 0;
  close_end(&child->in);
  return -1;
}

// ---- the end -------------------------------------------------------------------------------------------------------

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

// Whether it has ended by then. It stays in the table of processes, and its group keeps its number.
static bool ended_within(Child *child, int milliseconds) {
  for (int64_t until = (int64_t)ls_clock_ms() + milliseconds;;) {
    siginfo_t info = {0};
    int result = waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT);
    if ((result == 0 && info.si_pid == child->pid) || (result < 0 && errno != EINTR)) return true;
    if ((int64_t)ls_clock_ms() >= until) return false;
    gather(child);
    nap();
  }
}

static void drain(Child *child) {
  char bytes[4096];
  for (int turns = 0; turns < 64 && child_read(child, bytes, sizeof bytes) > 0; turns++) continue;
  gather(child);
}

// Whether it has ended by then, and all that it started, too: nobody holds an end of its pipes.
static bool silent_within(Child *child, int milliseconds) {
  for (int64_t until = (int64_t)ls_clock_ms() + milliseconds;;) {
    drain(child);
    if (child->out < 0 && child->error < 0 && ended_within(child, 0)) return true;
    if ((int64_t)ls_clock_ms() >= until) return false;
    nap();
  }
}

// Takes the ended child, and whatever it left behind in its group, out of the system.
static void bury(Child *child) {
  kill(-child->pid, SIGKILL);
  while (waitpid(child->pid, &child->status, 0) < 0 && errno == EINTR) continue;
  child->pid = 0;
}

// Children that a thread sees off.
static struct { pthread_mutex_t mutex; pthread_cond_t changed; int count; } leaving = {
    .mutex = PTHREAD_MUTEX_INITIALIZER};

// Waits are not to depend on somebody setting the time of day.
static void use_steady_clock(void) {
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&leaving.changed, &clock);
  pthread_condattr_destroy(&clock);
}

static void lock_leaving(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, use_steady_clock);
  pthread_mutex_lock(&leaving.mutex);
}

static void count_leaving(int change) {
  lock_leaving();
  leaving.count += change;
  pthread_cond_broadcast(&leaving.changed);
  pthread_mutex_unlock(&leaving.mutex);
}

static void *see_off(void *context) {
  Child *child = context;
  silent_within(child, PATIENCE_MS);
  bury(child);
  close_end(&child->out);
  close_end(&child->error);
  ls_text_free(&child->said);
  free(child);
  count_leaving(-1);
  return NULL;
}

// A child that was asked to end and needs a while for it, as srun does to cancel its job: killed at once, it would leave the job
// behind. A thread waits in our place.
static void leave_to_thread(Child *child) {
  Child *old = ls_alloc(sizeof *old);
  *old = *child;
  old->said = (LsText){0};
  child->pid = 0;
  child->out = child->error = -1;
  pthread_t thread;
  count_leaving(1);
  if (pthread_create(&thread, NULL, see_off, old) == 0) pthread_detach(thread);
  else see_off(old);
}

// Bounded: a process that even SIGKILL does not end hangs in the kernel, in a driver mostly.
void child_settle(void) {
  struct timespec until = ls_clock_after(PATIENCE_MS + KILL_GRACE_MS);
  lock_leaving();
  while (leaving.count && pthread_cond_timedwait(&leaving.changed, &leaving.mutex, &until) != ETIMEDOUT) continue;
  pthread_mutex_unlock(&leaving.mutex);
}

void child_end(Child *child, int grace) {
  close_end(&child->in);
  if (child->pid > 0 && !ended_within(child, grace)) {
    child->killed = true;
    kill(-child->pid, SIGTERM);
    if (!silent_within(child, TERM_GRACE_MS)) leave_to_thread(child);
  }
  if (child->pid > 0) bury(child);
  gather(child);
  close_end(&child->out);
  close_end(&child->error);
}

void child_fate(const Child *child, LsText *out) {
  int status = child->status;
  if (WIFSIGNALED(status)) ls_text_addf(out, "was ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
  else ls_text_addf(out, "ended with status %d", WEXITSTATUS(status));
}

void child_free(Child *child) {
  child_end(child, 0);
  ls_text_free(&child->said);
}
