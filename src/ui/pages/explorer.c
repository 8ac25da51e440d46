// explorer.c: the whole explorer, put together from views by the layout.
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "ui/pages/frame.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

// ---- top and bottom --------------------------------------------------------------------------------------------------

// Where the numbers come from: "emulator · its · H200", and which of the two cuts it is; shorter and shorter.
typedef struct Provenance { char words[3][160]; } Provenance;

static void provenance(const Session *session, Provenance *out) {
  const char *code = session->run->info.code && strcmp(session->run->info.code, "compiled") == 0 ? " · as compiled" : "";
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
  const char *state = session->playing ? "playing" : "paused";
  if (session->speed >= 0) snprintf(out, size, "%s · %d×", state, 1 << LS_MIN(session->speed, 20));
  else snprintf(out, size, "%s · 1/%d×", state, 1 << LS_MIN(-session->speed, 20));
}

static void draw_title(Session *session, Canvas *canvas) {
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
  FrameTitle title = {.crumbs = {"lanescope", name ? name : "", block, warp, lane}, .crumb_count = session->lane >= 0 ? 5 : 4,
                      .middle = {from.words[0], from.words[1], from.words[2], how}, .right = right, .state = state};
  frame_title(canvas, &title);
}

static const FrameKey params_keys[] = {
    {"↑↓", "up down", "choose"}, {"←→", "left right", "change"}, {"esc", NULL, "close"}};
static const FrameKey choice_keys[] = {{"↑↓", "up down", "choose"}, {"⏎", "enter", "take it"}, {"esc", NULL, "close"}};
static const FrameKey list_keys[] = {{"↑↓", "up down", "choose"}, {"⏎", "enter", "go there"}, {"esc", NULL, "close"}};
static const FrameKey help_keys[] = {{"↑↓", "up down", "scroll"}, {"esc", NULL, "close"}};

static const FrameKey waves_keys[] = {{"←→", "left right", "block"}, {"↑↓", "up down", "SM"}, {"⇧←→", "H L", "time"},
                                      {"+ -", NULL, "zoom"}, {"⏎", "enter", "show block"}, {"v", NULL, "rows"},
                                      {"esc", NULL, "close"}};

static void draw_pick_prompt(Session *session, Canvas *canvas, const char *what) {
  char prompt[48];
  LsText help = {0};
  ses_pick_help(session, &help);
  snprintf(prompt, sizeof prompt, "%s ", what);
  char picked[16];
  snprintf(picked, sizeof picked, "%d", session->pick);
  frame_prompt(canvas, prompt, session->input[0] ? session->input : picked, ls_text_str(&help));
  ls_text_free(&help);
}

// What q does, the last word of the footer says: it closes what covers the screen first.
static unsigned footer_context(const Session *session) {
  unsigned context = session->layout_flags & LAYOUT_RAIL ? CTX_X | CTX_L : CTX_X;
  return session->lowest && !session->zoom && !session->other ? context | CTX_LOWEST : context;
}

static void draw_bottom(Session *session, Canvas *canvas) {
  switch (session->mode) {
    case SES_FIND: frame_prompt(canvas, "/", session->input, "a line, a variable, a kind of event"); return;
    case SES_COMMAND_LINE: frame_prompt(canvas, ":", session->input, "goto 1184   line 16   set sched=stack"); return;
    case SES_PICK_BLOCK: draw_pick_prompt(session, canvas, "block"); return;
    case SES_PICK_WARP: draw_pick_prompt(session, canvas, "warp"); return;
    case SES_PICK_LANE: draw_pick_prompt(session, canvas, "lane"); return;
    case SES_PARAMS: frame_keys(canvas, params_keys, LS_COUNT(params_keys)); break;
    case SES_FAULTS: case SES_OUTPUT: frame_keys(canvas, list_keys, LS_COUNT(list_keys)); break;
    case SES_COMPARE_PICK: frame_keys(canvas, choice_keys, LS_COUNT(choice_keys)); break;
    case SES_HELP: frame_keys(canvas, help_keys, LS_COUNT(help_keys)); return;
    case SES_WAVES: frame_keys(canvas, waves_keys, LS_COUNT(waves_keys)); break;
    default: frame_footer(canvas, footer_context(session)); break;
  }
  if (session->message[0]) frame_message(canvas, session->message, session->message_is_error);
}

// ---- panes -----------------------------------------------------------------------------------------------------------

typedef void PaneDraw(Session *session, Canvas *canvas, Rect rect);

static void pane(Session *session, Canvas *canvas, Rect rect, PaneDraw *draw) {
  if (rect.w <= 0 || rect.h <= 0) return;
  Rect old = canvas_clip(canvas, rect);
  draw(session, canvas, rect);
  canvas_clip(canvas, old);
}

// One side of a comparison: source above, focus below.
static void draw_side(Session *session, Canvas *canvas, Rect rect) {
  int focus = LS_CLAMP(rect.h * 2 / 5, 6, 16);
  pane(session, canvas, (Rect){rect.x, rect.y, rect.w, rect.h - focus}, view_draw_source);
  pane(session, canvas, (Rect){rect.x, rect.y + rect.h - focus, rect.w, focus}, view_focus);
}

// A row with whose picture is below; returns what is below it.
static Rect named_pane(Canvas *canvas, Rect rect, const Session *session) {
  LsText where = {0};
  if (rect.w <= 0) return rect;
  run_where(session->run, RUN_IN_BRIEF, &where);
  canvas_text_cut(canvas, rect.x + 2, rect.y, rect.w - 4, ROLE_TITLE, STYLE_BOLD, ls_text_str(&where));
  ls_text_free(&where);
  return (Rect){rect.x, rect.y + 1, rect.w, rect.h - 1};
}

static void draw_same(Session *session, Canvas *canvas, const Layout *layout) {
  Session *peer = ses_peer(session);
  pane(session, canvas, layout->middle, view_difference);
  pane(session, canvas, named_pane(canvas, layout->left, session), view_focus);
  if (peer) pane(peer, canvas, named_pane(canvas, layout->right, peer), view_focus);
}

static void draw_sides(Session *session, Canvas *canvas, const Layout *layout) {
  Session *peer = ses_peer(session);
  if (layout->source.w) {   // one source for both
    draw_same(session, canvas, layout);
    return;
  }
  pane(session, canvas, layout->left, draw_side);
  pane(session, canvas, layout->middle, view_peer_totals);
  if (peer) pane(peer, canvas, layout->right, draw_side);
}

static void draw_panel(Session *session, Canvas *canvas, Rect rect) {
  if (session->mode == SES_PARAMS) pane(session, canvas, rect, panel_params);
  if (session->mode == SES_COMPARE_PICK) pane(session, canvas, rect, panel_compare_pick);
  if (session->mode == SES_FAULTS || session->mode == SES_OUTPUT) pane(session, canvas, rect, panel_list);
}

static void draw_no_steps(Session *session, Canvas *canvas) {
  Rect words = {4, 3, LS_MIN(canvas->cols - 8, 76), canvas->rows - 5};
  const char *text = "This run recorded no steps: --blocks chooses which blocks are recorded.";
  if (session->run->fault_count) text = session->run->faults[0].message;
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
  ses_layout(session, &layout);
  if (layout.too_small) return;
  make_room_for_registers(session, &layout);
  draw_title(session, canvas);
  if (!session->steps) {
    draw_no_steps(session, canvas);
    draw_bottom(session, canvas);
    return;
  }
  pane(session, canvas, layout.source, view_draw_source);
  pane(session, canvas, layout.ptx, view_draw_ptx);
  pane(session, canvas, layout.lanes, view_draw_lanes);
  pane(session, canvas, layout.variables, view_draw_variables);
  pane(session, canvas, layout.memory, view_draw_memory);
  pane(session, canvas, layout.focus, session->mode == SES_WAVES ? view_waves_page : view_focus);
  pane(session, canvas, layout.so_far, view_draw_sofar);
  pane(session, canvas, layout.bar, view_draw_timebar);
  if (layout.middle.w) draw_sides(session, canvas, &layout);
  draw_panel(session, canvas, layout.panel);
  unsigned contexts = session->layout_flags & LAYOUT_RAIL ? CTX_X | CTX_L : CTX_X;
  if (session->mode == SES_HELP) panel_help(canvas, (Rect){0, 1, canvas->cols, canvas->rows - 2}, contexts, session->pick);
  draw_bottom(session, canvas);
}

void view_draw_screen(Session *session, Canvas *canvas, Rect rect) {
  (void)rect;   // the whole canvas
  explorer_draw(session, canvas);
}
