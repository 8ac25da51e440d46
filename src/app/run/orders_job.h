// orders_job.h: other orders of a launch, tried by a worker thread so that the screen stays alive.
#ifndef LS_APP_ORDERS_JOB_H
#define LS_APP_ORDERS_JOB_H

#include "app/run/orders.h"

typedef struct OrdersJob OrdersJob;
// Becomes a further owner of the run until the job is taken; all calls on the thread of the other owners.
OrdersJob *orders_job_start(Run *run, uint64_t seeds);
const Run *orders_job_run(const OrdersJob *job);
bool orders_job_done(const OrdersJob *job);
const RunProgress *orders_job_progress(const OrdersJob *job);
void orders_job_cancel(OrdersJob *job);              // it is done soon after
// Waits for the end. NULL with an error if it failed or was canceled (LS_ECANCEL). Frees the job.
Orders *orders_job_take(OrdersJob *job, LsErr *err);
void orders_job_free(OrdersJob *job);                // cancels, waits, drops the result; NULL is fine

#endif
