// view_screen.c: the whole explorer, put together from views by the layout, with the panel that is open.
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "ui/views/frame.h"
#include "ui/views/view.h"

// ---- top and bottom
// --------------------------------------------------------------------------------------------------

// Where the numbers come from: "emulator · its · H200", and which of the two cuts it is; shorter and shorter.
typedef struct Provenance { char words[3][160]; } Provenance;

static void provenance(const Session *session, Provenance *out) {
  const char *code = session->run->info.code && strcmp(session->run->info.code, "compiled") == 0 ? " · as compiled" :
      "";
  for (int i = 0; i < 3; i++) {
    LsText text = {0};
    run_where(session->run, (RunDetail)(RUN_IN_FULL - i), &text);
    snprintf(out->words[i], sizeof out->words[i], "%s%s", ls_text_str(&text), code);
    ls_text_free(&text);
  }
}

static void step_words(const Session *session, char *out, size_t size) {
  char at[32], all[32];
  snprintf(out, size, "step %s of %s", ls_group_digits(session->step, at), ls_group_digits(session->steps, all));
}

static void speed_words(const Session *session, char *out, size_t size) {
  const char *state = ses_plays(session) ? "playing" : "paused";
  if (session->speed >= 0) snprintf(out, size, "%s · %d×", state, 1 << LS_MIN(session->speed, 20));
  else snprintf(out, size, "%s · 1/%d×", state, 1 << LS_MIN(-session->speed, 20));
}

static void draw_title(Session *session, Canvas *canvas) {
  LsText news[2] = {{0}, {0}}, found[2] = {{0}, {0}};
  bool alarming = ses_title_news(session, false, &news[0]);
  ses_title_news(session, true, &news[1]);
  for (int i = 0; i < 2; i++) ses_title_found(session, i == 1, &found[i]);
  char block[32], warp[32], lane[32], right[80], state[32];
  Provenance from;
  const char *name = session->run->info.title ? session->run->info.title : session->run->info.kernel;
  char digits[32];
  snprintf(block, sizeof block, "block %s", ls_group_digits(session->block, digits));
  snprintf(warp, sizeof warp, "warp %d", session->warp);
  snprintf(lane, sizeof lane, "lane %d", session->lane);
  provenance(session, &from);
  step_words(session, right, sizeof right);
  speed_words(session, state, sizeof state);
  const char *how = session->run->is_outdated ? "recorded, older kernel" : run_how(session->run);
  FrameTitle title = {.crumbs = {"lanescope", name ? name : "", block, warp, lane}, .crumb_count = session->lane >=
                      0 ? 5 : 4,
                      .middle = {from.words[0], from.words[1], from.words[2], how},
                      .news = {ls_text_str(&news[0]), ls_text_str(&news[1])}, .alarming = alarming,
                      .found = {found[0].length ? ls_text_str(&found[0]) : NULL, ls_text_str(&found[1])},
                      .right = right,
                      .right_brief = strncmp(right, "step ", 5) == 0 ? right + 5 : NULL, .state = state,
                      .needs_name = session->run->program != NULL};
  const char *crumb = session->panel ? session->panel->crumb : NULL;
  if (crumb && session->run->program) title.crumbs[1] = session->run->program->name;
  if (crumb) title.crumbs[2] = crumb, title.crumb_count = 3, title.right = title.right_brief = title.state = NULL;
  frame_title(canvas, &title);
  for (int i = 0; i < 2; i++) ls_text_free(&news[i]), ls_text_free(&found[i]);
}

// What q does, the last word of the footer says: it closes what covers the screen first.
static unsigned footer_context(const Session *session) {
  unsigned context = session->layout_flags & LAYOUT_RAIL ? CTX_X | CTX_L : CTX_X;
  if (session->run->program) context |= CTX_P;
  return session->lowest && !session->zoom && !session->other ? context | CTX_LOWEST : context;
}

static void draw_bottom(Session *session, Canvas *canvas) {
  const SesPanel *panel = session->panel;
  if (panel && panel->place == PANEL_LINE) return;
  if (panel) {
    const FooterKey *keys;
    int count = ses_panel_keys(session, &keys);
    frame_keys(canvas, keys, count);
  }
  if (!panel && (!session->stage || session->other)) frame_footer(canvas, footer_context(session));
  if (panel && panel->place == PANEL_SCREEN) return;
  if (session->message[0]) frame_message(canvas, session->message, session->message_is_error);
}

// ---- panes
// -----------------------------------------------------------------------------------------------------------

typedef void PaneDraw(Session *session, Canvas *canvas, Rect rect);

static void pane(Session *session, Canvas *canvas, Rect rect, PaneDraw *draw) {
  if (rect.w <= 0 || rect.h <= 0) return;
  Rect old = canvas_clip(canvas, rect);
  draw(session, canvas, rect);
  canvas_clip(canvas, old);
}

// Both ran at the same place, with other values.
static bool has_other_values(const Run *a, const Run *b) {
  LsText one = {0}, other = {0};
  run_where(a, RUN_IN_BRIEF, &one);
  run_where(b, RUN_IN_BRIEF, &other);
  bool same_place = strcmp(ls_text_str(&one), ls_text_str(&other)) == 0;
  ls_text_free(&one);
  ls_text_free(&other);
  return same_place && a->info.parameters && b->info.parameters && strcmp(a->info.parameters, b->info.parameters) != 0;
}

// Whose picture it is: where it ran or its values if both are the same code, else what it is.
static void draw_name(const Session *session, const char *label, bool same, Canvas *canvas, Rect row) {
  LsText name = {0};
  if (same) run_where(session->run, RUN_IN_BRIEF, &name);
  else ls_text_add(&name, label);
  canvas_text_cut(canvas, row.x + 2, row.y, row.w - 4, ROLE_TITLE, STYLE_BOLD, ls_text_str(&name));
  ls_text_free(&name);
}

static void draw_named(Session *session, const char *label, bool same, Canvas *canvas, Rect rect) {
  if (rect.w <= 0) return;
  draw_name(session, label, same, canvas, rect);
  pane(session, canvas, (Rect){rect.x, rect.y + 1, rect.w, rect.h - 1}, view_focus);
}

static void draw_sides(Session *session, Canvas *canvas, const Layout *layout) {
  Session *peer = ses_peer(session);
  bool same = !layout->other.w;
  const char *title = session->run->info.title ? session->run->info.title : session->run->info.kernel;
  if (!session->hides) pane(session, canvas, layout->middle, same ? view_difference : view_peer_totals);
  bool values = same && peer && has_other_values(session->run, peer->run);
  if (values) title = session->run->info.parameters;
  draw_named(session, title ? title : "this run", same && !values, canvas, layout->left);
  if (!peer) return;
  pane(peer, canvas, layout->other, view_draw_source);
  const char *beside = values ? peer->run->info.parameters : session->other_label;
  draw_named(peer, beside, same && !values, canvas, layout->right);
}

static void draw_panel(Session *session, Canvas *canvas, const Layout *layout) {
  if (session->panel) pane(session, canvas, ses_panel_rect(session, layout), session->panel->draw);
}

static void draw_no_steps(Session *session, Canvas *canvas) {
  Rect words = {4, 3, LS_MIN(canvas->cols - 8, 76), canvas->rows - 5};
  const char *text = "This run recorded no steps: --blocks chooses which blocks are recorded.";
  const TraceFault *first = run_fault_row(session->run, 0);
  if (first && trace_fault_grade(first) == GRADE_FAULT) text = first->message;
  if (session->message[0]) text = session->message;
  canvas_text_wrap(canvas, words, 0, ROLE_TEXT, 0, text);
}

// The registers of an inspected lane need the room of the memory pane.
static void make_room_for_registers(const Session *session, Layout *layout) {
  if (session->lane < 0 || !session->show_ptx || !layout->memory.w) return;
  layout->variables.h += layout->memory.h;
  layout->memory.w = 0;
}

void explorer_draw(Session *session, Canvas *canvas) {
  Layout layout;
  session->cols = canvas->cols;
  session->rows = canvas->rows;
  session->room = view_room;
  session->stage = session->stage_wish ? session->stage_wish == SES_STAGE_ON : canvas->stage;
  canvas->stage = session->stage;
  ses_layout(session, &layout);
  if (layout.too_small) {
    frame_too_small(canvas, LAYOUT_LEAST_COLS, session->stage ? LAYOUT_STAGE_ROWS : LAYOUT_LEAST_ROWS);
    return;
  }
  make_room_for_registers(session, &layout);
  if (layout.title.w) draw_title(session, canvas);
  if (!session->steps) {
    draw_no_steps(session, canvas);
    draw_bottom(session, canvas);
    if (session->panel && session->panel->place == PANEL_LINE) draw_panel(session, canvas, &layout);
    return;
  }
  pane(session, canvas, layout.source, view_draw_source);
  pane(session, canvas, layout.ptx, view_draw_ptx);
  pane(session, canvas, layout.lanes, view_draw_lanes);
  pane(session, canvas, layout.variables, view_draw_variables);
  pane(session, canvas, layout.memory, view_draw_memory);
  if (!session->panel || session->panel->place != PANEL_FOCUS) pane(session, canvas, layout.focus, view_focus);
  if (!session->hides) pane(session, canvas, layout.so_far, view_draw_sofar);
  if (!session->hides) pane(session, canvas, layout.bar, view_draw_timebar);
  if (layout.left.w || layout.other.w) draw_sides(session, canvas, &layout);
  draw_panel(session, canvas, &layout);
  draw_bottom(session, canvas);
}

void view_draw_screen(Session *session, Canvas *canvas, Rect rect) {
  (void)rect;   // the whole canvas
  explorer_draw(session, canvas);
}
