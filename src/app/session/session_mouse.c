// session_mouse.c: what a click means, through the layout that is on the screen; up and down in the pane that has the
// focus.
#include "app/session/session_parts.h"

static bool inside(Rect rect, int x, int y) {
  return rect.w > 0 && x >= rect.x && x < rect.x + rect.w && y >= rect.y && y < rect.y + rect.h;
}

static bool click_bar(Session *session, const Layout *layout, int x) {
  if (session->steps == 0) return false;
  int launch;
  uint64_t step = ses_time_bar_at(session, layout->bar.w - 2, x - layout->bar.x - 1, &launch);
  if (launch) ses_want_launch(session, launch);
  else ses_go(session, step);
  return true;
}

static bool click_source(Session *session, const Layout *layout, int y) {
  SesSourceRow rows[SES_SOURCE_ROWS];
  int shown = ses_source_rows(session, layout->source, rows),
      row = y - layout->source.y - (layout->source.h >= LAYOUT_RULE_H);
  if (row < 0 || row >= shown) return false;
  int line = rows[row].line;
  session->pane = PANE_SOURCE;
  return ses_goto_line(session, &(Command){.id = CMD_GOTO_LINE, .arg = line});
}

// The lanes pane has a rule and a row of lane numbers above its warps.
static bool click_lanes(Session *session, const Layout *layout, int y) {
  int row = y - layout->lanes.y - 2, warps[32], shown = ses_lanes_rows(session, layout->lanes.h - 2, warps);
  if (row < 0) return false;
  session->pane = PANE_LANES;
  return row < shown && ses_set_warp(session, &(Command){.id = CMD_SET_WARP, .arg = warps[row]});
}

static bool click_variables(Session *session, const Layout *layout, int y) {
  const Scene *scene = ses_scene(session);
  int row = y - layout->variables.y - 1 + session->scroll[PANE_VARIABLES];
  session->pane = PANE_VARIABLES;
  if (scene && row >= 0 && row < scene->var_count) session->var_shown = row;
  return true;
}

// The keys of the open panel are in the footer while it is open.
static bool click_footer(Session *session, int x, CommandId *then) {
  FooterItem items[FOOTER_ROOM];
  const SesPanel *panel = session->panel;
  if (panel) {
    const FooterKey *keys;
    int count = ses_panel_keys(session, &keys);
    uint32_t key = footer_key_at(session->cols, !session->ascii, keys, count, x);
    return key != KEY_NONE_ && panel->key(session, key);
  }
  unsigned context = CTX_X | (session->lowest ? CTX_LOWEST : 0) | (session->run->program ? CTX_P : 0);
  int count = footer_compute(session->cols - 1, context, !session->ascii, items);
  for (int i = 0; i < count; i++)
    if (x >= items[i].x && x < items[i].x + items[i].w) *then = items[i].command;
  return false;
}

static bool press(Session *session, const Layout *layout, int x, int y, CommandId *then) {
  if (inside(layout->bar, x, y)) return click_bar(session, layout, x);
  if (inside(layout->footer, x, y)) return click_footer(session, x, then);
  if (inside(layout->panel, x, y)) return false;
  if (session->steps == 0) return false;
  if (inside(layout->source, x, y)) return click_source(session, layout, y);
  if (inside(layout->lanes, x, y)) return click_lanes(session, layout, y);
  if (inside(layout->variables, x, y)) return click_variables(session, layout, y);
  if (session->focus == FOCUS_WAVES && inside(layout->focus, x, y)) return ses_open_panel(session, CMD_WAVES);
  if (inside(layout->memory, x, y)) session->pane = PANE_MEMORY;
  return inside(layout->memory, x, y);
}

static bool wheel(Session *session, const Layout *layout, int x, int y, int by, CommandId *then) {
  const Rect panes[PANE_COUNT] = {[PANE_SOURCE] = layout->source, [PANE_LANES] = layout->lanes,
                                  [PANE_VARIABLES] = layout->variables, [PANE_MEMORY] = layout->memory};
  if (session->panel) return session->panel->key(session, by < 0 ? KEYX_UP : KEYX_DOWN);
  for (int pane = 0; pane < PANE_COUNT; pane++) {
    if (!inside(panes[pane], x, y)) continue;
    int least = pane == PANE_VARIABLES || pane == PANE_LANES ? 0 : -(1 << 24);
    int most = pane == PANE_LANES ? ses_warps(session) - 1 : 1 << 24;
    session->scroll[pane] = LS_CLAMP(session->scroll[pane] + 3 * by, least, most);
    return true;
  }
  *then = by < 0 ? CMD_STEP_BACK : CMD_STEP_NEXT;
  return true;
}

static bool click_panel(Session *session, const Layout *layout, AppKey mouse) {
  const SesPanel *panel = session->panel;
  if (!panel || !panel->click) return false;
  Rect rect = ses_panel_rect(session, layout);
  return inside(rect, mouse.x, mouse.y) && panel->click(session, rect, mouse);
}

bool ses_mouse(Session *session, AppKey mouse, CommandId *then) {
  Layout layout;
  int x = mouse.x, y = mouse.y, button = mouse.button;
  ses_layout(session, &layout);
  if (layout.too_small) return false;
  if (click_panel(session, &layout, mouse)) return true;
  if (button == 4 || button == 5) return wheel(session, &layout, x, y, button == 4 ? -1 : 1, then);
  if (button == 6) return inside(layout.bar, x, y) && click_bar(session, &layout, x);
  if (button != 1) return false;
  session->message[0] = 0;
  return press(session, &layout, x, y, then);
}

// ---- up and down in a pane -------------------------------------------------------------------------------------------

static int page_rows(Session *session) {
  Layout layout;
  ses_layout(session, &layout);
  Rect panes[PANE_COUNT] = {[PANE_SOURCE] = layout.source, [PANE_LANES] = layout.lanes,
                            [PANE_VARIABLES] = layout.variables, [PANE_MEMORY] = layout.memory};
  return LS_MAX(panes[session->pane].h - 2, 1);
}

static void move_variable(Session *session, int by) {
  const Scene *scene = ses_scene(session);
  int last = scene ? scene->var_count - 1 : -1;
  session->var_shown = LS_CLAMP(session->var_shown + by, -1, last);
  int rows = page_rows(session), first = session->scroll[PANE_VARIABLES];
  session->scroll[PANE_VARIABLES] = LS_CLAMP(first, LS_MAX(session->var_shown - rows + 1, 0), LS_MAX(session->var_shown, 0));
}

bool ses_move(Session *session, const Command *command) {
  bool up = command->id == CMD_UP || command->id == CMD_PAGE_UP;
  bool page = command->id == CMD_PAGE_UP || command->id == CMD_PAGE_DOWN;
  int by = (up ? -1 : 1) * (page ? page_rows(session) : 1);
  if (session->steps == 0) return false;
  switch (session->pane) {
    case PANE_LANES: {
      int warp = LS_CLAMP(session->warp + by, 0, ses_warps(session) - 1);
      return ses_set_warp(session, &(Command){.id = CMD_SET_WARP, .arg = warp});
    }
    case PANE_VARIABLES: move_variable(session, by); return true;
    case PANE_SOURCE: {
      const char *const *lines;
      const char *path;
      int count = ses_source_lines(session, &lines, &path);
      session->scroll[PANE_SOURCE] = LS_CLAMP(session->scroll[PANE_SOURCE] + by, -count, count);
      return true;
    }
    default: session->scroll[PANE_MEMORY] = LS_CLAMP(session->scroll[PANE_MEMORY] + by, -(1 << 24), 1 << 24); return true;
  }
}
