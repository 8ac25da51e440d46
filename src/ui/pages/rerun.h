// rerun.h: runs the kernel again in the background when a session wants it, while the page stays alive.
#ifndef LS_UI_RERUN_H
#define LS_UI_RERUN_H

#include "app/run/job.h"
#include "app/run/orders_job.h"
#include "ui/pages/page.h"

// Embedded; zero it to start. At most one of the jobs: a run, or other orders of the one that is shown.
typedef struct Rerun { Job *job; OrdersJob *orders; double seconds; LsErr failure; } Rerun;

// Starts what the session wants (a newer wish drops an older run), takes what is done. True if the picture changed.
bool rerun_tick(Rerun *rerun, Session *session, double seconds);
// What went wrong with the run that ended last, if a line at the bottom is too little for it: a page to open, once; else NULL.
Page *rerun_failure(Rerun *rerun);
bool rerun_cancel(Rerun *rerun);                    // false if nothing is running
bool rerun_works(const Rerun *rerun);               // a job is under way
bool rerun_active(const Rerun *rerun, const Session *session);
// Progress in the place of the footer, once it has taken long enough to be noticed.
void rerun_draw(const Rerun *rerun, Canvas *canvas);
void rerun_fini(Rerun *rerun);

#endif
