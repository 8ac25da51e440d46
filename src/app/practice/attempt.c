// attempt.c: from a saved file to its verdict.
#include "app/practice/attempt.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/own/watch.h"
#include "base/file.h"

enum { FILE_LIMIT = 8 << 20 };

struct Attempt {
  const Exercise *exercise;
  char *path;
  bool was_made, is_starter;
  Watch *watch;
  bool settling, again;            // it is being saved; it was saved while it was judged
  pthread_t thread; bool running;
  _Atomic bool done;               // the thread is, and made, made_ok and made_err are what came of it
  RunProgress progress;
  uint64_t seed;
  Verdict made; bool made_ok; LsErr made_err;
  Verdict verdict; bool has_verdict;
  LsErr err;                       // LS_OK: it could be judged
  int count, told;
};

// ---- the file ------------------------------------------------------------------------------------------------------

const char *attempt_folder(void) {
  const char *folder = getenv("LANESCOPE_PRACTICE");
  return folder && *folder ? folder : "lanescope-practice";
}

char *attempt_file(const Exercise *exercise, const char *folder) {
  char *name = ls_format("%s.cu", exercise->name), *path = ls_path_join(folder ? folder : attempt_folder(), name);
  free(name);
  return path;
}

static char *starter_text(const Exercise *exercise, size_t *size, LsErr *err) {
  char *from = exercise_file(exercise, "starter"), *text = ls_file_read(from, FILE_LIMIT, size, err);
  free(from);
  return text;
}

static bool make_file(Attempt *attempt, const char *folder, LsErr *err) {
  size_t size;
  LsErr why = {0};
  char *text = starter_text(attempt->exercise, &size, err);
  if (!text) return false;
  bool ok = ls_make_dirs(folder, &why) && ls_file_create(attempt->path, text, size, &why);
  free(text);
  if (!ok) return ls_fail(err, LS_EREQUEST, "%s cannot be written: %s; go to a folder of your own, or name one in "
                          "LANESCOPE_PRACTICE", attempt->path, why.message);
  return attempt->was_made = true;
}

static bool equals_starter(const Attempt *attempt) {
  size_t size = 0, own = 0;
  char *starter = starter_text(attempt->exercise, &size, NULL);
  char *text = ls_file_read(attempt->path, FILE_LIMIT, &own, NULL);
  bool same = starter && text && size == own && memcmp(starter, text, size) == 0;
  free(starter);
  free(text);
  return same;
}

// ---- judging -------------------------------------------------------------------------------------------------------

static void *work(void *context) {
  Attempt *attempt = context;
  JudgeRequest request = {.path = attempt->path, .seed = attempt->seed};
  attempt->made_err = (LsErr){0};
  attempt->made_ok = judge_file(attempt->exercise, &request, &attempt->progress, &attempt->made, &attempt->made_err);
  atomic_store(&attempt->done, true);
  return NULL;
}

void attempt_judge(Attempt *attempt) {
  if (attempt->running) {
    attempt->again = true;
    attempt_cancel(attempt);
    return;
  }
  attempt->again = false;
  memset(&attempt->progress, 0, sizeof attempt->progress);
  attempt->progress.stage = "judging";
  atomic_store(&attempt->done, false);
  attempt->seed = judge_seed();
  attempt->running = pthread_create(&attempt->thread, NULL, work, attempt) == 0;
  if (!attempt->running) ls_fail(&attempt->err, LS_ENOMEM, "the system gives no further thread: close other programs "
                                 "and try again");
}

void attempt_cancel(Attempt *attempt) { attempt->progress.cancel = true; }

static void forget_verdict(Attempt *attempt) {
  if (attempt->has_verdict) verdict_fini(&attempt->verdict);
  attempt->has_verdict = false;
}

// What came of it, unless the file is another one by now.
static void take(Attempt *attempt) {
  pthread_join(attempt->thread, NULL);
  attempt->running = false;
  bool stale = attempt->again || (!attempt->made_ok && attempt->made_err.kind == LS_ECANCEL);
  if (stale && attempt->made_ok) verdict_fini(&attempt->made);
  if (stale) return;
  forget_verdict(attempt);
  attempt->told++;
  attempt->count += attempt->made_ok;
  attempt->err = attempt->made_ok ? (LsErr){0} : attempt->made_err;
  attempt->has_verdict = attempt->made_ok;
  if (attempt->made_ok) attempt->verdict = attempt->made;
}

bool attempt_look(Attempt *attempt, double now) {
  bool news = false, was_settling = attempt->settling;
  if (attempt->running && atomic_load(&attempt->done)) {
    take(attempt);
    news = true;
    if (attempt->again) attempt_judge(attempt);
  }
  WatchNews seen = watch_look(attempt->watch, now);
  attempt->settling = seen == WATCH_SETTLING;
  if (seen == WATCH_CHANGED) {
    attempt->is_starter = equals_starter(attempt);
    attempt_judge(attempt);
  } else if (seen == WATCH_GONE) {
    forget_verdict(attempt);
    attempt->told++;
    ls_fail(&attempt->err, LS_EREQUEST, "%s is gone; put it back, or leave and come again for a new starter",
            attempt->path);
  }
  return news || attempt->running || attempt->settling != was_settling || seen == WATCH_CHANGED || seen == WATCH_GONE;
}

// ---- life and looks ------------------------------------------------------------------------------------------------

Attempt *attempt_open(const Exercise *exercise, const char *folder, LsErr *err) {
  Attempt *attempt = ls_alloc(sizeof *attempt);
  attempt->exercise = exercise;
  attempt->path = attempt_file(exercise, folder);
  if (!ls_file_exists(attempt->path) && !make_file(attempt, folder ? folder : attempt_folder(), err)) {
    attempt_free(attempt);
    return NULL;
  }
  attempt->is_starter = attempt->was_made || equals_starter(attempt);
  attempt->watch = watch_new(attempt->path);
  if (!attempt->is_starter) attempt_judge(attempt);
  return attempt;
}

void attempt_free(Attempt *attempt) {
  if (!attempt) return;
  if (attempt->running) {
    attempt_cancel(attempt);
    pthread_join(attempt->thread, NULL);
    if (attempt->made_ok) verdict_fini(&attempt->made);
  }
  forget_verdict(attempt);
  watch_free(attempt->watch);
  free(attempt->path);
  free(attempt);
}

const char *attempt_path(const Attempt *attempt) { return attempt->path; }
bool attempt_was_made(const Attempt *attempt) { return attempt->was_made; }
bool attempt_is_starter(const Attempt *attempt) { return attempt->is_starter; }
bool attempt_is_busy(const Attempt *attempt) { return attempt->running || attempt->settling; }
int attempt_fd(const Attempt *attempt) { return watch_fd(attempt->watch); }
int attempt_period(const Attempt *attempt) { return watch_period(attempt->watch); }
int attempt_told(const Attempt *attempt) { return attempt->told; }
int attempt_count(const Attempt *attempt) { return attempt->count; }

const RunProgress *attempt_progress(const Attempt *attempt) { return attempt->running ? &attempt->progress : NULL; }
const Verdict *attempt_verdict(const Attempt *attempt) { return attempt->has_verdict ? &attempt->verdict : NULL; }
const LsErr *attempt_error(const Attempt *attempt) { return attempt->err.kind != LS_OK ? &attempt->err : NULL; }

void attempt_keep(Attempt *attempt, Progress *progress) {
  if (attempt->has_verdict) verdict_keep(&attempt->verdict, progress);
}
