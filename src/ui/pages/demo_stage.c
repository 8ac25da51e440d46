// demo_stage.c: pictures of a demo for the last row of a hall: one of them, or two beside one another, and one sentence.
#include <string.h>

#include "base/mem.h"
#include "ui/pages/demo_page.h"
#include "ui/models/pictures.h"
#include "ui/pages/rail.h"
#include "ui/views/stretch.h"
#include "ui/views/view.h"

enum { SIDE = 2, FEWEST_PICTURE_ROWS = 8, TEXT_COLS = 76, BESIDE_COLS = 2 * LAYOUT_SIDE_W };

bool demo_page_reveals(const DemoPage *self) {
  const DemoBeat *beat = talk_beat(&self->talk);
  bool reveals = beat && beat->kind == STAGE_REVEAL && !self->talk.off_script && self->session;
  return reveals && (ses_plays(self->session) || self->session->phase > 0);
}

static void embolden(Canvas *canvas, Rect rect) {
  for (int y = rect.y; y < rect.y + rect.h && y < canvas->rows; y++)
    for (int x = rect.x; x < rect.x + rect.w && x < canvas->cols; x++)
      canvas->cells[y * canvas->cols + x].style |= STYLE_BOLD;
}

static int text_rows(int cols, const char *text) {
  return rail_text(NULL, (Rect){0, 0, cols - 2 * SIDE, 0}, 0, 0, text, ROLE_TEXT);
}

static void draw_text(Canvas *canvas, Rect rect, const char *text) {
  rail_text(canvas, rect, 0, 0, text, ROLE_TEXT);
  embolden(canvas, rect);
}

// What the beat says; where that is nothing, what the picture is about.
static void words_of(DemoPage *self, LsText *out) {
  demo_text(talk_beat(&self->talk), out);
  if (!out->length && self->session->steps) ls_text_add(out, view_picture_words(ses_scene(self->session)));
}

// The sentence stands at the bottom; what is left above it is the picture's.
static Rect place_words(Canvas *canvas, const char *text, bool told) {
  int rows = text_rows(canvas->cols, text), most = LS_MAX(canvas->rows - FEWEST_PICTURE_ROWS - 1, 1);
  rows = LS_MIN(rows, most);
  int below = canvas->rows > LAYOUT_STAGE_ROWS + rows ? 1 : 0;
  Rect words = {SIDE, canvas->rows - rows - below, canvas->cols - 2 * SIDE, rows};
  if (rows && told) draw_text(canvas, words, text);
  if (text_rows(canvas->cols, text) > rows)
    canvas_text(canvas, canvas->cols - 1, words.y + rows - 1, ROLE_ALARM, STYLE_BOLD, "▾");
  return (Rect){0, 0, canvas->cols, words.y - (rows > 0)};
}

static void draw_picture(Session *session, Canvas *canvas, Rect rect) {
  bool zoomed = session->zoom, staged = session->stage;
  session->zoom = session->stage = true;   // of the other side, too
  stretch_picture(session->focus, session, canvas, rect);
  session->zoom = zoomed;
  session->stage = staged;
}

static void draw_named(Session *session, const char *name, Canvas *canvas, Rect rect) {
  canvas_text_cut(canvas, rect.x + SIDE, rect.y, rect.w - 2 * SIDE, ROLE_TITLE, STYLE_BOLD, name);
  draw_picture(session, canvas, (Rect){rect.x, rect.y + 1, rect.w, rect.h - 1});
}

static const char *name_of(const Session *session) {
  const Run *run = session->run;
  bool same = session->other && session->other->request.recipe == run->request.recipe;
  if (same && run->info.parameters && *run->info.parameters) return run->info.parameters;
  return run->info.title ? run->info.title : run->info.kernel;
}

static void draw_both(Session *session, Canvas *canvas, Rect rect) {
  Session *peer = ses_peer(session);
  bool beside = rect.w >= BESIDE_COLS;
  Rect one = rect, other = rect;
  if (beside) one.w = rect.w / 2, other.x += one.w, other.w -= one.w;
  else one.h = rect.h / 2, other.y += one.h, other.h -= one.h;
  draw_named(session, name_of(session), canvas, one);
  if (peer) draw_named(peer, session->other_label, canvas, other);
}

static void prepare(Session *session, Canvas *canvas) {
  session->cols = canvas->cols;
  session->rows = canvas->rows;
  session->room = view_room;
  session->stage = true;
  session->ascii = canvas->ascii;
}

void demo_draw_pictures(Session *session, Canvas *canvas, Rect rect) {
  prepare(session, canvas);
  if (!session->steps) return;
  if (session->other) draw_both(session, canvas, rect);
  else draw_picture(session, canvas, rect);
}

void demo_draw_stage(DemoPage *self, Canvas *canvas) {
  Session *session = self->session;
  LsText text = {0};
  prepare(session, canvas);
  words_of(self, &text);
  Rect rect = place_words(canvas, ls_text_str(&text), !demo_page_reveals(self));
  ls_text_free(&text);
  demo_draw_pictures(session, canvas, rect);
}

void demo_draw_hidden(DemoPage *self, Canvas *canvas) {
  Session *session = self->session;
  LsText text = {0};
  prepare(session, canvas);
  demo_text(talk_beat(&self->talk), &text);
  Rect rect = place_words(canvas, ls_text_str(&text), true);
  ls_text_free(&text);
  if (session->steps) view_draw_source(session, canvas, rect);
}

void demo_draw_model(DemoPage *self, Canvas *canvas) {
  LsText text = {0};
  demo_text(talk_beat(&self->talk), &text);
  Rect rect = place_words(canvas, ls_text_str(&text), true);
  model_pane_draw(&self->pane, canvas, rect, true);
  ls_text_free(&text);
}

void demo_draw_words(DemoPage *self, Canvas *canvas, const char *text) {
  LsText own = {0};
  if (!text) demo_text(talk_beat(&self->talk), &own);
  if (!text) text = ls_text_str(&own);
  int width = LS_MIN(canvas->cols - 4 * SIDE, TEXT_COLS);
  int rows = rail_text(NULL, (Rect){0, 0, width, 0}, 0, 0, text, ROLE_TEXT);
  Rect rect = {(canvas->cols - width) / 2, LS_MAX((canvas->rows - rows) / 2, 1), width, LS_MIN(rows, canvas->rows - 2)};
  const DemoBeat *beat = talk_beat(&self->talk);
  if (beat && rect.y > 2)
    canvas_text_cut(canvas, rect.x, rect.y - 2, width, ROLE_TITLE, STYLE_BOLD, demo_info(self->demo)->title);
  draw_text(canvas, rect, text);
  ls_text_free(&own);
}

static bool words_fit(int rows, int most, LsText *why) {
  if (rows <= most) return true;
  ls_text_addf(why, "the text has %d rows, and there is room for %d", rows, most);
  return false;
}

// The rows of a picture under its words, and those without which it is not true.
static bool picture_fits(DemoPage *self, const Canvas *canvas, int words, LsText *why) {
  Session *session = self->session;
  int rows = canvas->rows - words - 1, least;
  if (self->pane.model) {
    least = model_room(self->pane.model, &self->pane.values, canvas->cols).least;
  } else {
    FocusRoom room = {0};
    bool beside = canvas->cols >= BESIDE_COLS;
    view_room(session, session->focus, session->other && beside ? canvas->cols / 2 : canvas->cols, &room);
    if (session->other) rows = (beside ? rows : rows / 2) - 1;
    least = room.least - (*view_picture_words(ses_scene(session)) != 0);   // its own sentence is not told here
  }
  if (rows >= least) return true;
  ls_text_addf(why, "the picture needs %d rows, and has %d", least, rows);
  return false;
}

bool demo_stage_fits(DemoPage *self, const Canvas *canvas, LsText *why) {
  const DemoBeat *beat = talk_beat(&self->talk);
  LsText text = {0};
  demo_text(beat, &text);
  bool model = self->pane.model && !talk_hides(&self->talk);
  bool alone = beat->kind == STAGE_KEEP || (beat->place.run < 0 && !model);
  bool pictured = !alone && !talk_hides(&self->talk) && (model || self->session->steps);
  int width = LS_MIN(canvas->cols - 4 * SIDE, TEXT_COLS);
  int rows = alone ? rail_text(NULL, (Rect){0, 0, width, 0}, 0, 0, ls_text_str(&text), ROLE_TEXT)
                   : text_rows(canvas->cols, ls_text_str(&text));
  int most = alone ? canvas->rows - 2 : canvas->rows - FEWEST_PICTURE_ROWS - 1;
  ls_text_free(&text);
  return words_fit(rows, most, why) && (!pictured || picture_fits(self, canvas, rows, why));
}
