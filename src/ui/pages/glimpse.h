// glimpse.h: the picture of a lesson beside the list of them: a view of a real run, made in the background, or a model.
//
// The course names pictures of a lesson, the best first; drawn is the first that fits the columns there are.
#ifndef LS_UI_GLIMPSE_H
#define LS_UI_GLIMPSE_H

#include "app/course/course.h"
#include "app/models/model.h"
#include "app/run/job.h"
#include "app/session/session.h"
#include "ui/term/canvas.h"

typedef struct Glimpse {
  RecipeBook *book;                // borrowed
  const CoursePicture *picture;    // chosen; NULL: none
  double rested;                   // seconds that it has been chosen: who goes through the list starts no runs
  Job *job;
  Session *session;                // owned; of a kernel, once it has run
  const Model *model; ModelValues values;
  double played; bool still;       // how far its event has unfolded, in seconds; it stands
} Glimpse;

// The picture of this lesson in so many columns; the one before goes.
void glimpse_choose(Glimpse *glimpse, const CourseLesson *lesson, int cols);
bool glimpse_waits(const Glimpse *glimpse);                  // ticks are wanted
bool glimpse_tick(Glimpse *glimpse, double seconds);         // true if the picture changed
bool glimpse_draw(Glimpse *glimpse, Canvas *canvas, Rect rect);   // false: there is none, or it has no room
// Its run is given up, until it is chosen for a while again: a recipe is used by one run at a time, and what a key
// opens
// may want it.
void glimpse_stop(Glimpse *glimpse);
void glimpse_fini(Glimpse *glimpse);

#endif
