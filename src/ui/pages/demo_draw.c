// demo_draw.c: which picture of a demo fills the window: the explorer, a stage, a question, words, or nothing.
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "ui/pages/demo_page.h"
#include "ui/pages/rail.h"
#include "ui/term/theme.h"
#include "ui/views/frame.h"
#include "ui/views/view.h"

static const double NOTICED_AFTER = 0.08;   // seconds; shorter runs come without a flash of progress

bool demo_page_is_big(const DemoPage *self, const Canvas *canvas) {
  const DemoBeat *beat = talk_beat(&self->talk);
  if (canvas->rows < LAYOUT_LEAST_ROWS) return true;
  if (self->stage_chosen) return self->stage;
  return self->stage || canvas->stage || (beat && beat->staging && beat->staging->big);
}

// ---- beside the explorer --------------------------------------------------------------------------------------------

int demo_rail_rows(const void *context, int cols) {
  const DemoPage *self = context;
  const DemoBeat *beat = talk_beat(&self->talk);
  if (!beat) return 0;
  LsText text = {0};
  demo_text(beat, &text);
  int rows = 1 + rail_text(NULL, (Rect){0, 0, cols - 2, 0}, 0, 0, ls_text_str(&text), ROLE_TEXT);
  ls_text_free(&text);
  return rows;
}

static void draw_rail(const DemoPage *self, Canvas *canvas, Rect rect) {
  enum { AROUND = 10 };   // of canvas_rule
  const DemoBeat *beat = talk_beat(&self->talk);
  LsText text = {0}, place = {0};
  char right[48] = "";
  static const char off_script[] = "off script, PgDn returns";
  demo_text(beat, &text);
  demo_place_text(self->demo, beat, &place);
  int ready = demo_ready(self->demo), all = demo_beats(self->demo);
  if (ready < all) snprintf(right, sizeof right, "%d of %d ready", ready, all);
  int below = demo_rail_rows(self, rect.w) - rect.h;
  if (below > 0) snprintf(right, sizeof right, "▾ %d more row%s", below, below == 1 ? "" : "s");
  if (self->talk.off_script) snprintf(right, sizeof right, "%s", off_script);
  bool fits = (int)place.length + ls_utf8_width(right) + AROUND <= rect.w;
  canvas_rule(canvas, rect.x, rect.y, rect.w, fits || !self->talk.off_script ? ls_text_str(&place) : "", right);
  if (self->talk.off_script)
    canvas_text(canvas, rect.x + rect.w - 3 - ls_utf8_width(right), rect.y, ROLE_CURSOR, STYLE_BOLD, right);
  Rect old = canvas_clip(canvas, rect), words = {rect.x + 1, rect.y + 1, rect.w - 2, rect.h - 1};
  if (!demo_page_reveals(self)) rail_text(canvas, words, 0, 0, ls_text_str(&text), ROLE_TEXT);
  canvas_clip(canvas, old);
  ls_text_free(&text);
  ls_text_free(&place);
}

static void draw_keys(Canvas *canvas) {
  static const FooterKey keys[] = {
      {"pgdn", NULL, "next"}, {"pgup", NULL, "back"}, {"1-9", NULL, "scene"}, {"b", NULL, "black"},
      {"F5", NULL, "start"}, {"s", NULL, "stage"}, {":p", NULL, "what if"}, {"?", NULL, "help"}, {"q", NULL, "leave"}};
  frame_keys(canvas, keys, LS_COUNT(keys));
}

// Where an enlarged picture leaves no room for the text.
static void draw_off_script(Canvas *canvas) {
  static const char words[] = " off script, PgDn returns ";
  int width = ls_utf8_width(words), y = canvas->stage ? canvas->rows - 1 : 0;
  Rect place = {canvas->cols - width, y, width, 1};
  canvas_fill(canvas, place, ' ', ROLE_TEXT, 0);
  canvas_background(canvas, place, ROLE_SELECTED);
  canvas_text(canvas, place.x, y, ROLE_CURSOR, STYLE_BOLD, words);
}

static void draw_explorer(DemoPage *self, Canvas *canvas) {
  Layout layout;
  Session *session = self->session;
  explorer_draw(session, canvas);
  ses_layout(session, &layout);
  bool covered = session->panel && session->panel->place == PANEL_SCREEN;
  if (!covered && layout.rail.w) draw_rail(self, canvas, layout.rail);
  else if (!session->panel && self->talk.off_script) draw_off_script(canvas);
  if (!session->panel && !session->message[0] && !canvas->stage && !self->talk.off_script) draw_keys(canvas);
}

// ---- by itself ------------------------------------------------------------------------------------------------------

static void draw_opening(const DemoPage *self, Canvas *canvas) {
  const CourseDemo *info = demo_info(self->demo);
  LsText text = {0};
  ls_text_addf(&text, "%s\n\n%d scene%s, %g minute%s", info->title, demo_scenes(self->demo),
               demo_scenes(self->demo) == 1 ? "" : "s", info->minutes, info->minutes == 1 ? "" : "s");
  if (info->where) ls_text_addf(&text, "\n%s", info->where);
  demo_draw_words((DemoPage *)self, canvas, ls_text_str(&text));
  ls_text_free(&text);
}

// On a light stage, too, where nothing drawn is white.
static void draw_black(Canvas *canvas) {
  canvas->stage = true;
  if (!theme_is_dark()) canvas_background(canvas, (Rect){0, 0, canvas->cols, canvas->rows}, ROLE_TEXT);
}

// ---- what goes on ---------------------------------------------------------------------------------------------------

static bool draw_preparing(const DemoPage *self, Canvas *canvas) {
  bool waits = self->talk.beat < 0 || self->wanted >= 0;
  if (!self->job || !waits || self->waited < NOTICED_AFTER) return false;
  const RunProgress *progress = job_progress(self->job);
  char note[RUN_NOTE], where[80];
  run_note(progress, note);
  snprintf(where, sizeof where, "%d of %d ready%s%.30s", demo_ready(self->demo), demo_beats(self->demo),
           note[0] ? ", " : "", note);
  frame_progress(canvas, &(FrameProgress){progress->stage, where, self->waited, progress->permille, progress->bytes});
  return true;
}

// What students type: at the beginning, and with every question for who came late.
static void draw_invitation(const DemoPage *self, Canvas *canvas) {
  char line[300], words[320];
  const DemoBeat *beat = talk_beat(&self->talk);
  bool wanted = !beat || self->talk.beat == 0 || beat->kind == STAGE_ASK;
  if (!wanted || self->talk.off_script || !demo_net_invites(self, line, sizeof line)) return;
  snprintf(words, sizeof words, " %s ", line);
  int width = LS_MIN(ls_utf8_width(words), canvas->cols), y = canvas->rows - 1;
  Rect place = {canvas->cols - width, y, width, 1};
  canvas_fill(canvas, place, ' ', ROLE_TEXT, 0);
  canvas_background(canvas, place, ROLE_SELECTED);
  canvas_text_cut(canvas, place.x, y, width, ROLE_TEXT, STYLE_BOLD, words);
}

void demo_draw_bottom(DemoPage *self, Canvas *canvas) {
  bool panel = self->session && self->session->panel;
  if (draw_preparing(self, canvas) || panel) return;
  draw_invitation(self, canvas);
  if (self->message[0]) frame_message(canvas, self->message, self->broken);
  if (self->session) rerun_draw(&self->rerun, canvas);
}

void demo_draw(DemoPage *self, Canvas *canvas) {
  const DemoBeat *beat = talk_beat(&self->talk);
  if (self->talk.black) {
    draw_black(canvas);
    return;
  }
  canvas->stage = self->big = demo_page_is_big(self, canvas);
  if (!beat) {
    draw_opening(self, canvas);
    demo_draw_bottom(self, canvas);
    return;
  }
  bool runs = self->session && beat->place.run >= 0;
  if (runs && self->talk.off_script) draw_explorer(self, canvas);
  else if (beat->kind == STAGE_ASK) demo_draw_vote(self, canvas);
  else if (beat->kind == STAGE_KEEP) demo_draw_words(self, canvas, NULL);
  else if (self->pane.model && !talk_hides(&self->talk)) demo_draw_model(self, canvas);
  else if (!runs) demo_draw_words(self, canvas, NULL);
  else if (talk_hides(&self->talk)) demo_draw_hidden(self, canvas);
  else if (canvas->stage) demo_draw_stage(self, canvas);
  else draw_explorer(self, canvas);
  if (self->pane.model && self->talk.off_script) draw_off_script(canvas);
  demo_draw_bottom(self, canvas);
}

// ---- what does not fit ----------------------------------------------------------------------------------------------

static bool rail_fits(DemoPage *self, const Canvas *canvas, LsText *why) {
  Layout layout;
  ses_layout(self->session, &layout);
  int rows = demo_rail_rows(self, layout.rail.w);
  if (rows <= layout.rail.h) return true;
  ls_text_addf(why, "the text has %d rows, and %d of them are seen", rows - 1, layout.rail.h - 1);
  return (void)canvas, false;
}

bool demo_draw_fits(DemoPage *self, const Canvas *canvas, LsText *why) {
  const DemoBeat *beat = talk_beat(&self->talk);
  LsText what = {0};
  bool runs = self->session && beat->place.run >= 0, words = beat->kind == STAGE_KEEP || (!runs && !self->pane.model);
  bool stage = words || self->pane.model || talk_hides(&self->talk) || self->big;
  bool fits = beat->kind == STAGE_ASK ? demo_vote_fits(self, canvas, &what)
              : stage                 ? demo_stage_fits(self, canvas, &what)
                                      : rail_fits(self, canvas, &what);
  if (!fits) ls_text_addf(why, "beat %d, scene %d: %s", self->talk.beat + 1, beat->scene, ls_text_str(&what));
  ls_text_free(&what);
  return fits;
}
