// pool.c: threads that are kept for the next task.
#include "base/pool.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include "base/mem.h"

typedef struct PoolThread {
  struct PoolThread *next;   // of those that are idle
  pthread_cond_t wake;
  LsTask *task;              // NULL: none yet
} PoolThread;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;   // guards all that follows, and tasks' is_over
static pthread_cond_t over = PTHREAD_COND_INITIALIZER;      // a task is
static PoolThread *idle;

// Only the thread that called fork() is in the child.
static void forget_all(void) {
  mutex = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  over = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
  idle = NULL;
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, forget_all); }

static void *serve(void *context) {
  PoolThread *me = context;
  pthread_mutex_lock(&mutex);
  for (;;) {
    while (!me->task) pthread_cond_wait(&me->wake, &mutex);
    LsTask *task = me->task;
    pthread_mutex_unlock(&mutex);
    task->run(task->context);
    pthread_mutex_lock(&mutex);
    me->task = NULL;
    me->next = idle;
    idle = me;
    task->is_over = true;
    pthread_cond_broadcast(&over);
  }
  return NULL;
}

// A signal must not meet it.
static bool start_thread(PoolThread *thread) {
  pthread_t id;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool ok = pthread_create(&id, NULL, serve, thread) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (ok) pthread_detach(id);
  return ok;
}

static bool start_with_new(LsTask *task) {
  PoolThread *thread = ls_alloc(sizeof *thread);
  thread->task = task;
  pthread_cond_init(&thread->wake, NULL);
  if (start_thread(thread)) return true;
  pthread_cond_destroy(&thread->wake);
  free(thread);
  return false;
}

bool ls_pool_start(LsTask *task) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  pthread_mutex_lock(&mutex);
  PoolThread *thread = idle;
  task->is_over = false;
  if (thread) {
    idle = thread->next;
    thread->task = task;
    pthread_cond_signal(&thread->wake);
  }
  pthread_mutex_unlock(&mutex);
  return thread || start_with_new(task);
}

void ls_pool_wait(LsTask *task) {
  pthread_mutex_lock(&mutex);
  while (!task->is_over) pthread_cond_wait(&over, &mutex);
  pthread_mutex_unlock(&mutex);
}
