// registers.c: one thread that asks the assembler.
#include "app/run/registers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "device/compile/assemble.h"

struct Registers {
  pthread_t thread;
  bool started;
  _Atomic bool cancel, done;
  int count;
  bool measured;
  char *ptx; size_t length;
  char *kernel;
  int cc;
};

static void *work(void *context) {
  Registers *r = context;
  r->count = assemble_registers(r->ptx, r->length, r->kernel, r->cc, &r->cancel);
  r->done = true;
  return NULL;
}

Registers *registers_ask(const Run *run) {
  Registers *r = ls_alloc(sizeof *r);
  const TraceMeasure *m = run_measure(run);
  const ArchProfile *arch = run_profile(run);
  r->measured = m && m->registers;
  r->count = r->measured ? (int)m->registers : 0;
  r->cc = arch ? 10 * arch->cc_major + arch->cc_minor : 0;
  bool asks = !r->measured && run->info.ptx && run->info.kernel && r->cc;
  r->done = !asks;
  if (!asks) return r;
  r->ptx = ls_strndup(run->info.ptx, run->info.ptx_length);
  r->length = run->info.ptx_length;
  r->kernel = ls_strdup(run->info.kernel);
  r->started = pthread_create(&r->thread, NULL, work, r) == 0;
  if (!r->started) r->done = true;   // else done is the thread's from here on: it may have answered already
  return r;
}

static void wait_for(Registers *r) {
  if (r->started) pthread_join(r->thread, NULL);
  r->started = false;
}

bool registers_known(Registers *r) { return r->done; }

int registers_count(Registers *r) {
  wait_for(r);
  return r->count;
}

void registers_words(Registers *r, LsText *out) {
  wait_for(r);
  if (!r->count) ls_text_add(out, "Registers are not known, and not counted.");
  else if (r->measured) ls_text_addf(out, "%d registers a thread, as the driver compiled it.", r->count);
  else ls_text_addf(out, "%d registers a thread, as ptxas compiles it for sm_%d.", r->count, r->cc);
}

void registers_free(Registers *r) {
  if (!r) return;
  r->cancel = true;
  wait_for(r);
  free(r->ptx);
  free(r->kernel);
  free(r);
}
