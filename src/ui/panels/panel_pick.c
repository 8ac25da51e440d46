// panel_pick.c: the number of a block, a warp or a lane, typed or gone through.
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "ui/panels/panel.h"
#include "ui/views/frame.h"

typedef struct Pick {
  const SesPanel *panel;
  const char *what;
  CommandId sets;
  int64_t first;                                        // -1 is the row before 0: the warp of the event, no lane
  int64_t (*last)(const Session *session);
  int (*now)(const Session *session);
  void (*help)(const Session *session, LsText *out);    // range and meaning
} Pick;

static int64_t last_block(const Session *session) {
  return (int64_t)LS_MIN(ses_grid_blocks(session), (uint64_t)INT32_MAX) - 1;
}
static int64_t last_warp(const Session *session) { return ses_warps(session) - 1; }
static int64_t last_lane(const Session *session) { return (void)session, 31; }

static int block_now(const Session *session) { return (int)session->block; }
static int warp_now(const Session *session) { return session->warp; }
static int lane_now(const Session *session) { return LS_MAX(session->lane, 0); }

static void block_help(const Session *session, LsText *out) {
  unsigned long long last = ses_grid_blocks(session) - 1;
  ls_text_addf(out, "0 to %llu; a block that is not recorded runs again", last);
}
static void warp_help(const Session *session, LsText *out) {
  ls_text_addf(out, "0 to %d; -1 follows the event", ses_warps(session) - 1);
}
static void lane_help(const Session *session, LsText *out) {
  (void)session;
  ls_text_add(out, "0 to 31; -1 inspects none");
}

static const Pick picks[] = {
    {&panel_block, "block", CMD_SET_BLOCK, 0, last_block, block_now, block_help},
    {&panel_warp, "warp", CMD_SET_WARP, -1, last_warp, warp_now, warp_help},
    {&panel_lane, "lane", CMD_SET_LANE, -1, last_lane, lane_now, lane_help},
};

static const Pick *pick_of(const Session *session) {
  int i = 0;
  while (i + 1 < LS_COUNT(picks) && picks[i].panel != session->panel) i++;
  return &picks[i];
}

static bool open(Session *session) {
  session->pick = pick_of(session)->now(session);
  return true;
}

// ---- keys ------------------------------------------------------------------------------------------------------------

static bool done(Session *session, const Pick *pick) {
  int64_t value = session->pick;
  if (session->input[0] && !ls_parse_i64(session->input, &value)) value = INT32_MAX;
  ses_close_panel(session);
  return ses_command(session, &(Command){.id = pick->sets, .arg = value});
}

static bool move(Session *session, const Pick *pick, int64_t by) {
  session->input[0] = 0;
  session->pick = (int)LS_CLAMP(session->pick + by, pick->first, pick->last(session));
  return true;
}

static bool typed(Session *session, const Pick *pick, uint32_t code) {
  int64_t number;
  bool minus = code == '-' && !session->input[0] && pick->first < 0;
  if (code == KEY_BACKSPACE_) panel_untype(session);
  else if (minus || (code >= '0' && code <= '9' && strlen(session->input) < 10)) panel_type(session, code);
  else return false;
  bool known = ls_parse_i64(session->input, &number) && number >= pick->first && number <= pick->last(session);
  if (known) session->pick = (int)number;
  return true;
}

static bool key(Session *session, uint32_t code) {
  const Pick *pick = pick_of(session);
  switch (command_for_key(code, CTX_X)) {
    case CMD_UP: case CMD_STEP_BACK: return move(session, pick, -1);
    case CMD_DOWN: case CMD_STEP_NEXT: return move(session, pick, 1);
    case CMD_PAGE_UP: return move(session, pick, -8);
    case CMD_PAGE_DOWN: return move(session, pick, 8);
    case CMD_FIRST: return move(session, pick, INT32_MIN);
    case CMD_LAST: return move(session, pick, INT32_MAX);
    case CMD_ENTER: return done(session, pick);
    case CMD_CANCEL: case CMD_QUIT: case CMD_BLOCK: case CMD_WARP: case CMD_LANE: ses_close_panel(session); return true;
    default: return typed(session, pick, code);
  }
}

static void draw(Session *session, Canvas *canvas, Rect rect) {
  char prompt[48], picked[16];
  const Pick *pick = pick_of(session);
  LsText help = {0};
  (void)rect;
  pick->help(session, &help);
  snprintf(prompt, sizeof prompt, "%s ", pick->what);
  snprintf(picked, sizeof picked, "%d", session->pick);
  frame_prompt(canvas, prompt, session->input[0] ? session->input : picked, ls_text_str(&help));
  ls_text_free(&help);
}

const SesPanel panel_block = {.place = PANEL_LINE, .open = open, .key = key, .draw = draw};
const SesPanel panel_warp = {.place = PANEL_LINE, .open = open, .key = key, .draw = draw};
const SesPanel panel_lane = {.place = PANEL_LINE, .open = open, .key = key, .draw = draw};
