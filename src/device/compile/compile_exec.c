// compile_exec.c: compilers run as programs without a shell, and nvcc.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "device/child.h"
#include "device/compile/compile.h"

enum { LOOK_MS = 20, GRACE_MS = 2000, MOST_WORDS = 1 << 20 };

int compile_capture(char *const argv[], CompileFolder *folder, const _Atomic bool *cancel, LsText *output) {
  Child child;
  char bytes[4096];
  bool canceled = false;
  if (!child_start_program(&child, argv, folder ? compile_folder_path(folder) : "/tmp", NULL)) return -1;
  if (folder) compile_folder_watch(folder, child.pid);
  for (ssize_t n = 0; n >= 0 && !canceled;) {
    child_wait(&child, false, LOOK_MS);
    while ((n = child_read(&child, bytes, sizeof bytes)) > 0)
      if (output->length < MOST_WORDS) ls_text_addn(output, bytes, (size_t)n);
    canceled = cancel && *cancel;
  }
  if (canceled) kill(-child.pid, SIGKILL);   // it has nothing to put in order that is not removed here
  child_end(&child, GRACE_MS);
  int status = child.status;
  child_free(&child);
  if (folder) compile_folder_watch(folder, 0);
  return canceled ? COMPILE_CANCELED : WIFEXITED(status) ? WEXITSTATUS(status) : COMPILE_KILLED;
}

// ---- which of them work --------------------------------------------------------------------------------------------

// A program that answered --version, as long as its file stays the same one: asking clang takes as long as a fifth of
// compiling a kernel.
typedef struct Working { char *path, *version; struct stat file; struct Working *next; } Working;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;   // guards the list, which only grows
static Working *working;

static char *program_in(const char *folder, size_t length, const char *name, struct stat *file) {
  char *path = length ? ls_format("%.*s/%s", (int)length, folder, name) : ls_strdup(name);
  if (stat(path, file) == 0 && S_ISREG(file->st_mode) && access(path, X_OK) == 0) return path;
  free(path);
  return NULL;
}

// Where a program is that is started by this name, as execvp looks for it; NULL: nowhere.
static char *find_program(const char *name, struct stat *file) {
  const char *at = strchr(name, '/') ? "" : getenv("PATH");
  for (at = at ? at : "/bin:/usr/bin";; at++) {
    size_t length = strcspn(at, ":");
    char *path = program_in(at, length, name, file);
    if (path || !*(at += length)) return path;
  }
}

static bool is_same_file(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
         a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool has_worked(const char *path, const struct stat *file, LsText *version) {
  pthread_mutex_lock(&mutex);
  const Working *w = working;
  while (w && !(strcmp(w->path, path) == 0 && is_same_file(&w->file, file))) w = w->next;
  pthread_mutex_unlock(&mutex);
  if (w) ls_text_add(version, w->version);
  return w;
}

static void note_working(const char *path, const struct stat *file, const LsText *version) {
  Working *w = ls_alloc(sizeof *w);
  *w = (Working){ls_strdup(path), ls_strdup(ls_text_str(version)), *file, NULL};
  pthread_mutex_lock(&mutex);
  w->next = working;
  working = w;
  pthread_mutex_unlock(&mutex);
}

static bool works(const char *name, LsText *version) {
  struct stat file;
  char *argv[] = {(char *)name, (char *)"--version", NULL}, *path = find_program(name, &file);
  ls_text_clear(version);
  bool known = path && has_worked(path, &file, version), good = known;
  if (path && !known) good = compile_capture(argv, NULL, NULL, version) == 0;
  if (good && !known) note_working(path, &file, version);
  free(path);
  return good;
}

const char *compile_first_working(const char *const *candidates, int count, LsText *version) {
  for (int i = 0; i < count; i++)
    if (works(candidates[i], version)) return candidates[i];
  return NULL;
}

// ---- running one ---------------------------------------------------------------------------------------------------

char *compile_run(const char *name, char *const argv[], const DevSource *source, CompileFolder *folder, const char *out, size_t *length,
                  LsErr *err) {
  enum { LACKS = 3 };
  LsText messages = {0};
  int status = compile_capture(argv, folder, source->cancel, &messages);
  char *text = NULL;
  if (status == 0) {
    text = ls_file_read(out, 256u << 20, length, err);
  } else if (status == COMPILE_CANCELED) {
    ls_fail(err, LS_ECANCEL, "compiling %s was canceled", LS_QUOTE_PATH(source->path));
  } else if (status == COMPILE_KILLED) {
    ls_fail(err, LS_EREQUEST, "%s does not compile: %s itself was ended by the system, over this source or for want of "
            "memory", LS_QUOTE_PATH(source->path), name);
  } else if (status == LACKS || status == COMPILE_NOT_FOUND || status < 0) {
    ls_fail(err, LS_EENV, "%s did not start", name);
  } else {
    ls_fail(err, LS_EREQUEST, "%s does not compile:", LS_QUOTE_PATH(source->path));
    ls_err_append(err, "%s", ls_text_str(&messages));
  }
  ls_text_free(&messages);
  return text;
}

static const char *const nvcc_names[] = {"nvcc", "/usr/local/cuda/bin/nvcc"};

static bool nvcc_find(char *where, size_t size) {
  LsText version = {0};
  const char *name = compile_first_working(nvcc_names, LS_COUNT(nvcc_names), &version);
  const char *release = strstr(ls_text_str(&version), "release ");
  if (name) snprintf(where, size, "%s, %.*s", name, release ? (int)strcspn(release, "\n,") : 0, release ? release : "");
  ls_text_free(&version);
  return name != NULL;
}

static char *nvcc_compile(const DevSource *source, size_t *length, LsErr *err) {
  LsText version = {0};
  const char *name = compile_first_working(nvcc_names, LS_COUNT(nvcc_names), &version);
  ls_text_free(&version);
  CompileFolder *folder = name ? compile_folder_new(err) : NULL;
  if (!name) ls_fail(err, LS_EENV, "nvcc is not here");
  if (!folder) return NULL;
  char arch[40], define[COMPILE_DEFINE], *out = ls_path_join(compile_folder_path(folder), "out.ptx");
  snprintf(arch, sizeof arch, "-arch=compute_%.8s", compile_arch(source, NULL));
  char *argv[] = {(char *)name, (char *)"-ptx", arch, (char *)(source->cut == DEV_WRITTEN ? "-G" : "-lineinfo"),
                  (char *)"-std=c++17", (char *)source->path, (char *)"-o", out,
                  (char *)(source->separate ? "-rdc=true" : compile_define(source, define)),
                  (char *)(source->separate ? compile_define(source, define) : NULL), NULL};
  char *text = compile_run("nvcc", argv, source, folder, out, length, err);
  compile_folder_free(folder);
  free(out);
  return text;
}

const Compiler compiler_nvcc = {.name = "nvcc", .find = nvcc_find, .compile = nvcc_compile};
