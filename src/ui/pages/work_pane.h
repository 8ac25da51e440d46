// work_pane.h: the source of a kernel with the region that the student writes: an editor, lines to be put in order, or
// versions to choose from; and the try of it, in the background.
#ifndef LS_UI_WORK_PANE_H
#define LS_UI_WORK_PANE_H

#include "app/course/edit.h"
#include "app/course/lesson.h"
#include "app/footer.h"
#include "app/keys.h"
#include "app/own/watch.h"
#include "app/run/job.h"
#include "ui/term/canvas.h"

typedef struct WorkPane {
  Lesson *lesson;              // borrowed
  LessonWork *work;            // of the current step; NULL: it has none
  Edit edit;                   // of the blank, of the lines
  bool typing;                 // keys go into the text
  int order[WORK_PIECES + 1];  // ORDER: pieces as they stand; -1 is the rule, below which lines belong nowhere
  int rows, chosen;            // of the order, with the rule; the row that the cursor is on
  Job *job; double seconds;    // of the run that is made
  int scroll;                  // rows that the student moved the source
  char *path; Watch *watch;    // of the file that $EDITOR has; NULL
  double clock;
} WorkPane;

// For the current step of the lesson; of a step that is no work nothing stays.
void work_pane_show(WorkPane *pane, Lesson *lesson);
void work_pane_fini(WorkPane *pane);
void work_pane_draw(WorkPane *pane, Canvas *canvas, Rect rect);
int work_pane_least(const WorkPane *pane);       // rows that the source needs to be of use
// What a key came to. A lesson with a bug: *err says so.
typedef enum WorkKey { WORK_KEY_NONE, WORK_KEY_USED, WORK_KEY_TRIED } WorkKey;
WorkKey work_pane_key(WorkPane *pane, AppKey key, char message[512]);
// True if the picture changed. *ended: a try is over.
bool work_pane_tick(WorkPane *pane, double seconds, bool *ended, LsErr *err);
bool work_pane_busy(const WorkPane *pane);       // wants ticks
bool work_pane_cancel(WorkPane *pane);           // a try under way
// The line of shell that opens the source in $EDITOR, from then on watched; caller frees. NULL: nothing to be edited.
char *work_pane_editor(WorkPane *pane, char message[512]);
const FooterKey *work_pane_keys(const WorkPane *pane, int *count);   // for the footer; NULL: the step is no work
// The text that a try would try; caller frees.
char *work_pane_text(const WorkPane *pane);

#endif
