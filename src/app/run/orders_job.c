// orders_job.c: one thread that tries a launch in other orders.
#include "app/run/orders_job.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/mem.h"

struct OrdersJob {
  Run *run;
  uint64_t seeds;
  RunProgress progress;
  pthread_t thread;
  bool started;
  Orders *orders;
  LsErr err;
  _Atomic bool done;         // set last: the two above may be read then
};

static void *work(void *context) {
  OrdersJob *job = context;
  job->orders = orders_new(job->run, job->seeds, &job->progress, &job->err);
  job->done = true;
  return NULL;
}

OrdersJob *orders_job_start(Run *run, uint64_t seeds) {
  OrdersJob *job = ls_alloc(sizeof *job);
  job->run = run_share(run);
  job->seeds = seeds;
  job->progress.stage = "starting";
  job->progress.permille = -1;
  job->started = pthread_create(&job->thread, NULL, work, job) == 0;
  if (!job->started) {
    ls_fail(&job->err, LS_ENOMEM, "the system gives no further thread: close other programs and try again");
    job->done = true;
  }
  return job;
}

const Run *orders_job_run(const OrdersJob *job) { return job->run; }
bool orders_job_done(const OrdersJob *job) { return job->done; }
const RunProgress *orders_job_progress(const OrdersJob *job) { return &job->progress; }
void orders_job_cancel(OrdersJob *job) { job->progress.cancel = true; }

Orders *orders_job_take(OrdersJob *job, LsErr *err) {
  if (job->started) pthread_join(job->thread, NULL);
  Orders *orders = job->orders;
  if (!orders && err) *err = job->err;
  run_free(job->run);
  free(job);
  return orders;
}

void orders_job_free(OrdersJob *job) {
  if (!job) return;
  orders_job_cancel(job);
  orders_free(orders_job_take(job, NULL));
}
