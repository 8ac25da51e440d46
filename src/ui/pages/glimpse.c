// glimpse.c: makes the run of a lesson's picture, unfolds its event once, and draws it.
#include "ui/pages/glimpse.h"

#include <stdlib.h>
#include <string.h>

#include "app/models/models.h"
#include "base/mem.h"
#include "ui/models/pictures.h"
#include "ui/pages/page.h"
#include "ui/views/view.h"

static const double REST = 0.1, UNFOLDS = 1.6;   // seconds
// WORDS_ROWS: from which on there is room for its sentence. ENOUGH_ROWS: a model counts what it leaves out.
enum { LEAST_ROWS = 5, ENOUGH_ROWS = 10, WORDS_ROWS = 14 };

static void drop(Glimpse *glimpse) {
  job_free(glimpse->job);
  ses_free(glimpse->session);
  *glimpse = (Glimpse){.book = glimpse->book};
}

void glimpse_stop(Glimpse *glimpse) {
  job_free(glimpse->job);
  glimpse->job = NULL;
  glimpse->rested = 0;
}

void glimpse_fini(Glimpse *glimpse) { drop(glimpse); }

// ---- choosing ------------------------------------------------------------------------------------------------------

static const CoursePicture *fitting(const CourseLesson *lesson, int cols) {
  for (int i = 0; i < lesson->picture_count; i++)
    if (lesson->pictures[i].cols <= cols) return &lesson->pictures[i];
  return NULL;
}

static void open_model(Glimpse *glimpse) {
  const CoursePicture *picture = glimpse->picture;
  glimpse->model = model_named(picture->model);
  if (!glimpse->model) return;
  model_defaults(glimpse->model, &glimpse->values);
  for (int i = 0; i < picture->value_count; i++) model_set(glimpse->model, &glimpse->values, picture->values[i], NULL);
}

void glimpse_choose(Glimpse *glimpse, const CourseLesson *lesson, int cols) {
  const CoursePicture *picture = fitting(lesson, cols);
  if (picture == glimpse->picture) return;
  drop(glimpse);
  glimpse->picture = picture;
  if (picture && picture->model) open_model(glimpse);
}

// ---- its run -------------------------------------------------------------------------------------------------------

static void start(Glimpse *glimpse) {
  const CoursePicture *picture = glimpse->picture;
  const Recipe *recipe = glimpse->book ? glimpse->book->get(glimpse->book, picture->kernel, NULL) : NULL;
  RunRequest request;
  glimpse->still = !recipe || recipe->model;
  if (glimpse->still) return;
  run_request_init(&request);
  request.what = ls_strdup(picture->kernel);
  request.recipe = recipe;
  recipe_defaults(recipe, &request.values);
  for (int i = 0; i < picture->value_count; i++) recipe_set(recipe, &request.values, picture->values[i], NULL);
  run_request_use_cut(&request);
  glimpse->job = job_start(&request);
  run_request_fini(&request);
}

static bool go_to_place(Session *session, const CoursePicture *picture) {
  SesWish wish = {.at = picture->at, .focus = -1, .variant = picture->variant, .warp = picture->warp, .lane = -1,
                  .margin = -1};
  const View *view = view_find(picture->view);
  for (int i = 0; i < FOCUS_COUNT; i++)
    if (view && view_of_focus((FocusKind)i) == view) wish.focus = i;
  return view && ses_wish(session, &wish, NULL);
}

static void take(Glimpse *glimpse) {
  Run *run = job_take(glimpse->job, NULL);
  glimpse->job = NULL;
  glimpse->session = run && run->trace && trace_steps(run->trace) ? ses_new(run) : NULL;
  if (run && !glimpse->session) run_free(run);
  bool there = glimpse->session && go_to_place(glimpse->session, glimpse->picture);
  glimpse->still = !there;
  if (there) return;
  ses_free(glimpse->session);
  glimpse->session = NULL;
}

static bool unfold(Glimpse *glimpse, double seconds) {
  Session *session = glimpse->session;
  if (ses_scene(session)->values_pending) ses_tick(session, seconds);
  bool unfolds = session->motion && ses_parts(session) > 1 && glimpse->played < UNFOLDS;
  glimpse->played += seconds;
  session->phase = unfolds ? LS_CLAMP(glimpse->played / UNFOLDS, 0.01, 1.0) : 0;
  glimpse->still = !unfolds && !ses_scene(session)->values_pending;
  return true;
}

bool glimpse_waits(const Glimpse *glimpse) {
  return glimpse->picture && glimpse->picture->kernel && !glimpse->still;
}

bool glimpse_tick(Glimpse *glimpse, double seconds) {
  if (!glimpse_waits(glimpse)) return false;
  if (glimpse->session) return unfold(glimpse, seconds);
  glimpse->rested += seconds;
  if (!glimpse->job && glimpse->rested >= REST) start(glimpse);
  if (!glimpse->job || !job_done(glimpse->job)) return false;
  take(glimpse);
  return true;
}

// ---- drawing -------------------------------------------------------------------------------------------------------

static bool has_room(const Glimpse *glimpse, Rect rect) {
  int least = LEAST_ROWS;
  FocusRoom room;
  if (glimpse->model) least = LS_MIN(model_room(glimpse->model, &glimpse->values, rect.w).least + 1, ENOUGH_ROWS);
  const View *view = glimpse->session ? view_find(glimpse->picture->view) : NULL;
  for (int i = 0; view && i < FOCUS_COUNT; i++)
    if (view_of_focus((FocusKind)i) == view) view_room(glimpse->session, (FocusKind)i, rect.w, &room), least =
        room.least;
  return rect.h >= LS_MAX(least, LEAST_ROWS);
}

bool glimpse_draw(Glimpse *glimpse, Canvas *canvas, Rect rect) {
  if ((!glimpse->session && !glimpse->model) || !has_room(glimpse, rect)) return false;
  Rect clip = canvas_clip(canvas, rect);
  if (glimpse->model) {
    canvas_rule(canvas, rect.x, rect.y, rect.w, glimpse->model->recipe.name, NULL);
    model_draw(glimpse->model, &glimpse->values, canvas, (Rect){rect.x, rect.y + 1, rect.w, rect.h - 1});
  } else {
    glimpse->session->cols = canvas->cols, glimpse->session->rows = canvas->rows;
    const View *view = view_find(glimpse->picture->view);
    if (rect.h >= WORDS_ROWS) view_draw(view, glimpse->session, canvas, rect);
    else view->draw(glimpse->session, canvas, rect);
  }
  canvas_clip(canvas, clip);
  return true;
}
