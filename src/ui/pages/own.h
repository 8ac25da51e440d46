// own.h: the file of one's own kernel, watched while its explorer is open.
//
// Saved, it is compiled and run in the background, and takes the place of the run that is shown; what became of it is
// said in a line.
//
// Of a lecture kernel, a saved trace, or what has no file, nothing is watched, and all of this does nothing.
#ifndef LS_UI_OWN_H
#define LS_UI_OWN_H

#include "app/own/watch.h"
#include "ui/pages/page.h"

typedef struct Own {
  char *path;                    // NULL: nothing is watched
  Watch *watch;
  Job *job;                      // of the new version
  bool settling, waiting;        // it is being saved; it was, while another run was on its way
  double seconds;                // of the job
  LsErr failure;                 // of the last version; LS_OK: it ran
} Own;

void own_init(Own *own, Session *session, Page *page);     // the page is told what to listen to
void own_fini(Own *own);
// Looks at the file, starts what is to be run, takes what is done. busy: a run that the session wanted is under way,
// and comes first. True if the picture changed.
bool own_tick(Own *own, Session *session, bool busy, double seconds);
bool own_active(const Own *own);                           // ticks are wanted
bool own_cancel(Own *own);                                 // false if nothing is running
void own_draw(const Own *own, Canvas *canvas);             // progress in the place of the footer
// The command line that edits the file where the cursor is. Caller frees.
char *own_editor(const Own *own, Session *session);
Page *own_messages(const Own *own);                        // the compiler's words in full; NULL: there are none

#endif
