// reading.c: compiles, parses, and looks at what the kernels take.
#include "app/own/reading.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/own/hostcode.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "device/device.h"

enum { LIMIT = 64 << 20 };

struct Reading {
  char *path;
  _Atomic bool cancel;
  const char *_Atomic compiler;
  pthread_t thread;
  bool started;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool done;                     // guarded by mutex, as are the two below
  OwnFile *file;
  LsErr err;
};

void ownfile_free(OwnFile *file) {
  if (!file) return;
  sigfile_free(file->kernels);
  free(file->source);
  free(file->path);
  free(file);
}

bool ownfile_is_one(const char *path) { return ls_ends_with(path, ".cu") || ls_ends_with(path, ".ptx"); }

static void on_compiler(void *context, const char *compiler) { ((Reading *)context)->compiler = compiler; }

static char *ptx_of(const char *path, Reading *reading, size_t *length, LsErr *err) {
  if (!ls_ends_with(path, ".cu")) return ls_file_read(path, LIMIT, length, err);
  DevSource source = {.path = path, .cut = DEV_WRITTEN};
  if (reading) source.cancel = &reading->cancel, source.starts = on_compiler, source.context = reading;
  return dev_compile(&source, length, err);
}

static OwnFile *read_file(const char *path, Reading *reading, LsErr *err) {
  size_t length = 0;
  double start = ls_clock();
  char *ptx = ptx_of(path, reading, &length, err);
  double seconds = ls_clock() - start;
  PtxModule *module = ptx ? ptx_parse(path, ptx, length, err) : NULL;
  free(ptx);
  if (!module) return NULL;
  OwnFile *file = ls_alloc(sizeof *file);
  file->path = ls_strdup(path);
  file->kernels = sigfile_new(module);
  file->seconds = seconds;
  const char *compiler = reading ? reading->compiler : NULL;
  if (compiler) snprintf(file->compiler, sizeof file->compiler, "%s",
                         strcmp(compiler, "nvrtc") == 0 ? "NVRTC" : compiler);
  if (ls_ends_with(path, ".cu")) file->source = ls_file_read(path, LIMIT, NULL, NULL);
  file->has_main = file->source && hostcode_has_main(file->source);
  if (file->kernels->count) return file;
  ownfile_free(file);
  ls_fail_at(err, LS_EREQUEST, path, 0, 0, "there is no kernel in it: no __global__ function that the compiler keeps.\n"
             "A template is kept where it is used or instantiated: template __global__ void scale<float>(float *);");
  return NULL;
}

OwnFile *ownfile_read(const char *path, LsErr *err) { return read_file(path, NULL, err); }

static void *work(void *context) {
  Reading *reading = context;
  LsErr err = {0};
  OwnFile *file = read_file(reading->path, reading, &err);
  pthread_mutex_lock(&reading->mutex);
  reading->file = file;
  reading->err = err;
  reading->done = true;
  pthread_cond_broadcast(&reading->changed);
  pthread_mutex_unlock(&reading->mutex);
  return NULL;
}

Reading *reading_start(const char *path) {
  Reading *reading = ls_alloc(sizeof *reading);
  reading->path = ls_strdup(path);
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&reading->changed, &clock);
  pthread_condattr_destroy(&clock);
  pthread_mutex_init(&reading->mutex, NULL);
  reading->started = pthread_create(&reading->thread, NULL, work, reading) == 0;
  if (!reading->started) work(reading);   // no further thread: then the screen waits
  return reading;
}

bool reading_wait(Reading *reading, int milliseconds) {
  struct timespec until = ls_clock_after(milliseconds);
  pthread_mutex_lock(&reading->mutex);
  int status = milliseconds > 0 ? 0 : ETIMEDOUT;
  while (!reading->done && status != ETIMEDOUT)
    status = pthread_cond_timedwait(&reading->changed, &reading->mutex, &until);
  bool done = reading->done;
  pthread_mutex_unlock(&reading->mutex);
  return done;
}

bool reading_done(const Reading *reading) { return reading_wait((Reading *)reading, 0); }   // looking takes the lock

const char *reading_compiler(const Reading *reading) { return reading->compiler; }

OwnFile *reading_take(Reading *reading, LsErr *err) {
  if (reading->started) pthread_join(reading->thread, NULL);
  OwnFile *file = reading->file;
  if (!file && err) *err = reading->err;
  pthread_cond_destroy(&reading->changed);
  pthread_mutex_destroy(&reading->mutex);
  free(reading->path);
  free(reading);
  return file;
}

void reading_free(Reading *reading) {
  if (!reading) return;
  reading->cancel = true;
  ownfile_free(reading_take(reading, NULL));
}
