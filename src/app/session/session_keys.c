// session_keys.c: what keys do in every mode: typing, choosing, panels.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/session_impl.h"

// ---- typing ----------------------------------------------------------------------------------------------------------

static void type_code(Session *session, uint32_t code) {
  char utf8[5];
  int bytes = ls_utf8_encode(code, utf8);
  size_t length = strlen(session->input);
  if (length + (size_t)bytes < sizeof session->input) memcpy(session->input + length, utf8, (size_t)bytes + 1);
}

static void untype(Session *session) {
  size_t length = strlen(session->input);
  while (length > 0 && ((unsigned char)session->input[length - 1] & 0xc0) == 0x80) length--;
  session->input[length > 0 ? length - 1 : 0] = 0;
}

static bool printable(uint32_t code) { return code >= ' ' && code != 127 && code < KEYX_UP; }

static bool typing_key(Session *session, uint32_t code) {
  char text[sizeof session->input];
  if (code == KEY_RETURN_) {
    SesMode mode = session->mode;
    memcpy(text, session->input, sizeof text);
    ses_close_panel(session);
    return mode == SES_FIND ? ses_find_start(session, text) : ses_line_command(session, text);
  }
  if (code == KEY_ESC_ || (code == KEY_BACKSPACE_ && !session->input[0])) {
    ses_close_panel(session);
    return true;
  }
  if (code == KEY_BACKSPACE_) untype(session);
  else if (printable(code)) type_code(session, code);
  else return false;
  return true;
}

// ---- choosing a block, warp or lane ----------------------------------------------------------------------------------

static int64_t pick_last(Session *session) {
  if (session->mode == SES_PICK_WARP) return ses_warps(session) - 1;
  if (session->mode == SES_PICK_LANE) return 31;
  return (int64_t)LS_MIN(ses_grid_blocks(session), (uint64_t)INT32_MAX) - 1;
}

// -1 is the row before the first: the warp of the event, no lane.
static int64_t pick_first(Session *session) { return session->mode == SES_PICK_BLOCK ? 0 : -1; }

static bool pick_done(Session *session) {
  CommandId id = session->mode == SES_PICK_BLOCK ? CMD_SET_BLOCK : session->mode == SES_PICK_WARP ? CMD_SET_WARP : CMD_SET_LANE;
  int64_t value = session->pick;
  if (session->input[0] && !ls_parse_i64(session->input, &value)) value = INT32_MAX;
  ses_close_panel(session);
  return ses_command(session, &(Command){.id = id, .arg = value});
}

static void pick_move(Session *session, int64_t by) {
  session->input[0] = 0;
  session->pick = (int)LS_CLAMP(session->pick + by, pick_first(session), pick_last(session));
}

static bool pick_key(Session *session, uint32_t code) {
  switch (command_for_key(code, CTX_X)) {
    case CMD_UP: case CMD_STEP_BACK: pick_move(session, -1); return true;
    case CMD_DOWN: case CMD_STEP_NEXT: pick_move(session, 1); return true;
    case CMD_PAGE_UP: pick_move(session, -8); return true;
    case CMD_PAGE_DOWN: pick_move(session, 8); return true;
    case CMD_FIRST: pick_move(session, INT32_MIN); return true;
    case CMD_LAST: pick_move(session, INT32_MAX); return true;
    case CMD_ENTER: return pick_done(session);
    case CMD_CANCEL: case CMD_QUIT: case CMD_BLOCK: case CMD_WARP: case CMD_LANE: ses_close_panel(session); return true;
    default: break;
  }
  int64_t number;
  bool minus = code == '-' && !session->input[0] && pick_first(session) < 0;
  if (code == KEY_BACKSPACE_) untype(session);
  else if (minus || (code >= '0' && code <= '9' && strlen(session->input) < 10)) type_code(session, code);
  else return false;
  if (ls_parse_i64(session->input, &number) && number >= pick_first(session) && number <= pick_last(session))
    session->pick = (int)number;
  return true;
}

// ---- parameters ------------------------------------------------------------------------------------------------------

static bool param_enter(Session *session) {
  char text[sizeof session->input];
  memcpy(text, session->input, sizeof text);
  session->input[0] = 0;
  if (text[0]) return ses_param_type(session, session->pick, text);
  ses_close_panel(session);
  return true;
}

static bool param_turn(Session *session, int direction) {
  session->input[0] = 0;
  int64_t arg = (int64_t)((uint64_t)session->pick << 32 | (uint32_t)direction);
  return ses_set_param(session, &(Command){.id = CMD_SET_PARAM, .arg = arg});
}

static bool param_key(Session *session, uint32_t code) {
  int rows = ses_param_count(session);
  bool typing = session->input[0] != 0;
  if (code == KEY_BACKSPACE_) {
    untype(session);
    return true;
  }
  // Digits begin a value; what follows may be a word or a sign.
  bool minus = code == '-' && ses_param_is_signed(session, session->pick);
  if ((code >= '0' && code <= '9') || minus || (typing && printable(code))) {
    type_code(session, code);
    return true;
  }
  switch (command_for_key(code, CTX_X)) {
    case CMD_UP: session->pick = LS_MAX(session->pick - 1, 0); break;
    case CMD_DOWN: session->pick = LS_CLAMP(session->pick + 1, 0, LS_MAX(rows - 1, 0)); break;
    case CMD_STEP_BACK: case CMD_SLOWER: return param_turn(session, -1);
    case CMD_STEP_NEXT: case CMD_FASTER: return param_turn(session, 1);
    case CMD_ENTER: return param_enter(session);
    case CMD_CANCEL:
      if (typing) session->input[0] = 0;
      else ses_close_panel(session);
      return true;
    case CMD_PARAMS: case CMD_QUIT: ses_close_panel(session); return true;
    default: return false;
  }
  session->input[0] = 0;
  return true;
}

// ---- help and comparison ---------------------------------------------------------------------------------------------

static bool help_key(Session *session, uint32_t code) {
  switch (command_for_key(code, CTX_X)) {
    case CMD_UP: session->pick = LS_MAX(session->pick - 1, 0); return true;
    case CMD_DOWN: session->pick = LS_MIN(session->pick + 1, (int)CMD_GOTO - 1); return true;
    case CMD_PAGE_UP: session->pick = LS_MAX(session->pick - 10, 0); return true;
    case CMD_PAGE_DOWN: session->pick = LS_MIN(session->pick + 10, (int)CMD_GOTO - 1); return true;
    case CMD_HELP: case CMD_CANCEL: case CMD_QUIT: case CMD_ENTER: ses_close_panel(session); return true;
    default: return false;
  }
}

static bool compare_choose(Session *session) {
  SesImpl *impl = ses_impl(session);
  if (session->pick < 0 || session->pick >= impl->choice_count) return false;
  RunRequest request;
  run_request_copy(&request, &impl->choices[session->pick].request);
  snprintf(impl->other_label, sizeof impl->other_label, "%s", impl->choices[session->pick].label);
  ses_close_panel(session);
  ses_want_changed(session, &request, true);
  return true;
}

static bool compare_key(Session *session, uint32_t code) {
  int last = LS_MAX(ses_compare_count(session) - 1, 0);
  switch (command_for_key(code, CTX_X)) {
    case CMD_UP: session->pick = LS_MAX(session->pick - 1, 0); return true;
    case CMD_DOWN: session->pick = LS_MIN(session->pick + 1, last); return true;
    case CMD_FIRST: case CMD_PAGE_UP: session->pick = 0; return true;
    case CMD_LAST: case CMD_PAGE_DOWN: session->pick = last; return true;
    case CMD_ENTER: return compare_choose(session);
    case CMD_CANCEL: case CMD_QUIT: case CMD_COMPARE: ses_close_panel(session); return true;
    default: return false;
  }
}

// ---- lists -----------------------------------------------------------------------------------------------------------

static bool list_key(Session *session, uint32_t code) {
  int last = LS_MAX(ses_list_count(session) - 1, 0), by = 0;
  switch (command_for_key(code, CTX_X)) {
    case CMD_UP: by = -1; break;
    case CMD_DOWN: by = 1; break;
    case CMD_PAGE_UP: by = -8; break;
    case CMD_PAGE_DOWN: by = 8; break;
    case CMD_FIRST: by = -last; break;
    case CMD_LAST: by = last; break;
    case CMD_STEP_BACK: session->list_skip = LS_MAX(session->list_skip - 1, 0); return true;
    case CMD_STEP_NEXT: session->list_skip++; return true;   // drawing knows where it ends
    case CMD_ENTER: return ses_list_choose(session);
    case CMD_CANCEL: case CMD_QUIT: case CMD_FAULTS: case CMD_OUTPUT: ses_close_panel(session); return true;
    default: return false;
  }
  session->pick = LS_CLAMP(session->pick + by, 0, last);
  session->list_skip = 0;
  return true;
}

// ---- dispatch --------------------------------------------------------------------------------------------------------

bool ses_mode_key(Session *session, uint32_t code) {
  switch (session->mode) {
    case SES_FIND: case SES_COMMAND_LINE: return typing_key(session, code);
    case SES_PICK_BLOCK: case SES_PICK_WARP: case SES_PICK_LANE: return pick_key(session, code);
    case SES_PARAMS: return param_key(session, code);
    case SES_HELP: return help_key(session, code);
    case SES_COMPARE_PICK: return compare_key(session, code);
    case SES_WAVES: return ses_waves_key(session, code);
    case SES_FAULTS: case SES_OUTPUT: return list_key(session, code);
    default: return false;
  }
}

bool ses_key(Session *session, AppKey key) {
  if (key.code == KEYX_MOUSE) return ses_click(session, key.x, key.y, key.button);
  if (key.code == KEY_NONE_ || key.code == KEYX_RESIZE) return false;
  if (session->mode != SES_NORMAL) {
    session->message[0] = 0;
    return ses_mode_key(session, key.code);
  }
  if (key.code >= '0' && key.code <= '9') {
    session->message[0] = 0;
    session->mode = SES_COMMAND_LINE;
    session->input[0] = 0;
    type_code(session, key.code);
    return true;
  }
  CommandId id = command_for_key(key.code, CTX_X);
  return id != CMD_NONE && ses_command(session, &(Command){.id = id});
}

bool ses_open_panel(Session *session, const Command *command) {
  session->input[0] = 0;
  session->pick = 0;
  session->playing = false;
  switch (command->id) {
    case CMD_BLOCK: session->mode = SES_PICK_BLOCK; session->pick = (int)session->block; break;
    case CMD_WARP: session->mode = SES_PICK_WARP; session->pick = session->warp; break;
    case CMD_LANE: session->mode = SES_PICK_LANE; session->pick = LS_MAX(session->lane, 0); break;
    case CMD_FIND: session->mode = SES_FIND; break;
    case CMD_LINE_COMMAND: session->mode = SES_COMMAND_LINE; break;
    case CMD_HELP: session->mode = SES_HELP; break;
    case CMD_COMPARE: session->mode = SES_COMPARE_PICK; break;
    case CMD_PARAMS:
      if (!ses_can_rerun(session)) return true;
      session->mode = SES_PARAMS;
      break;
    default: return false;
  }
  return true;
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
