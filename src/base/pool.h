// pool.h: threads that are kept for the next task.
//
// A thread that waits is at work some 20 microseconds after it is told to; a new one takes twice that to make and once
// more to end, and may stay on the caller's processor for a while. Threads of the pool are never ended. They block all
// signals. A process made by fork() begins with none.
#ifndef LS_BASE_POOL_H
#define LS_BASE_POOL_H

#include <stdbool.h>

typedef struct LsTask {
  void (*run)(void *context);
  void *context;
  bool is_over;              // the pool's
} LsTask;

// Runs the task on another thread. It is the caller's memory, untouched until ls_pool_wait. False: there is no thread.
bool ls_pool_start(LsTask *task);
void ls_pool_wait(LsTask *task);

#endif
