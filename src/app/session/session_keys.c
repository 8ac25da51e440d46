// session_keys.c: what keys do: the open panel's, a number, or a command; up and down in the pane that has the focus.
#include "app/session/session_impl.h"

// A digit begins a line command. What plays goes on meanwhile.
static bool begin_number(Session *session, uint32_t digit) {
  bool playing = session->playing;
  if (!ses_open_panel(session, CMD_LINE_COMMAND)) return false;
  session->playing = playing;
  session->input[0] = (char)digit;
  session->input[1] = 0;
  return true;
}

bool ses_key(Session *session, AppKey key) {
  if (key.code == KEYX_MOUSE) return ses_click(session, key);
  if (key.code == KEY_NONE_ || key.code == KEYX_RESIZE) return false;
  if (session->panel) {
    session->message[0] = 0;
    return session->panel->key(session, key.code);
  }
  if (key.code >= '0' && key.code <= '9') return begin_number(session, key.code);
  CommandId id = command_for_key(key.code, CTX_X);
  return id != CMD_NONE && ses_command(session, &(Command){.id = id});
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
