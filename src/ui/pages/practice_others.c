// practice_others.c: judges the other ways, one after the other.
#include "ui/pages/practice_others.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"

enum { SOURCE_LIMIT = 8 << 20 };

struct PracticeOthers {
  const Exercise *exercise;
  uint64_t seed;
  PracticeOther *items; int count;
  RunProgress progress;
  pthread_t thread; bool running;
  _Atomic int done;                // so many are judged, and no more changed
  int seen;
  bool *judged;
};

static void *work(void *context) {
  PracticeOthers *self = context;
  for (int i = 0; i < self->count && !self->progress.cancel; i++) {
    char *path = exercise_file(self->exercise, self->items[i].name);
    JudgeRequest request = {.path = path, .seed = self->seed, .alone = true, .fast = true};
    self->judged[i] = judge_file(self->exercise, &request, &self->progress, &self->items[i].verdict, NULL);
    free(path);
    atomic_store(&self->done, i + 1);
  }
  atomic_store(&self->done, self->count);
  return NULL;
}

PracticeOthers *practice_others_start(const Exercise *exercise, uint64_t seed) {
  PracticeOthers *self = ls_alloc(sizeof *self);
  self->exercise = exercise;
  self->seed = seed;
  self->count = exercise->other_count;
  self->items = ls_alloc((size_t)LS_MAX(self->count, 1) * sizeof *self->items);
  self->judged = ls_alloc((size_t)LS_MAX(self->count, 1) * sizeof *self->judged);
  for (int i = 0; i < self->count; i++)
    self->items[i] = (PracticeOther){.name = exercise->others[i].name, .what = exercise->others[i].what};
  self->running = pthread_create(&self->thread, NULL, work, self) == 0;
  if (!self->running) self->done = self->count;
  return self;
}

void practice_others_free(PracticeOthers *self) {
  if (!self) return;
  self->progress.cancel = true;
  if (self->running) pthread_join(self->thread, NULL);
  for (int i = 0; i < self->count; i++)
    if (self->judged[i]) verdict_fini(&self->items[i].verdict);
  free(self->items);
  free(self->judged);
  free(self);
}

bool practice_others_busy(const PracticeOthers *self) { return self->seen < self->count; }

bool practice_others_look(PracticeOthers *self) {
  int done = atomic_load(&self->done);
  bool news = done > self->seen;
  for (; self->seen < done; self->seen++) self->items[self->seen].known = self->judged[self->seen];
  return news;
}

const PracticeOther *practice_others(const PracticeOthers *self, int *count) {
  *count = self->count;
  return self->items;
}

char *practice_other_text(const Exercise *exercise, const PracticeOther *other, LsErr *err) {
  char *path = exercise_file(exercise, other->name), *text = ls_file_read(path, SOURCE_LIMIT, NULL, err);
  free(path);
  return text;
}
