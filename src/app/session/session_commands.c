// session_commands.c: what every command does: those that are a line or two are here, the others come from the files
// below.
#include <string.h>

#include "app/session/session_parts.h"

// Panes that this warp has nothing for are passed over.
static bool turn_focus(Session *session, const Command *command) {
  int by = command->id == CMD_FOCUS_NEXT ? 1 : FOCUS_COUNT - 1, focus = (int)session->focus;
  do {
    focus = (focus + by) % FOCUS_COUNT;
  } while (!scene_has_picture(session, (FocusKind)focus));
  session->focus = (FocusKind)focus;
  session->focus_auto = false;
  return true;
}

static bool set_focus(Session *session, const Command *command) {
  if (command->arg < 0 || command->arg >= FOCUS_COUNT) return false;
  session->focus = (FocusKind)command->arg;
  session->focus_auto = false;
  return true;
}

static bool automatic(Session *session, const Command *command) {
  (void)command;
  session->focus_auto = session->warp_follows = true;
  session->array_shown = -1;
  ses_go(session, session->step);
  return true;
}

static bool turn_variant(Session *session, const Command *command) {
  int count = focus_variants(session->focus);
  (void)command;
  if (session->focus == FOCUS_WAVES) session->waves.rows = (WaveRows)((session->waves.rows + 1) % WAVES_ROWS_COUNT);
  if (session->focus == FOCUS_WAVES) return true;
  session->variant[session->focus] = (session->variant[session->focus] + 1) % count;
  if (count == 1) ses_say(session, "this pane has one form only");
  return true;
}

static bool toggle(Session *session, const Command *command) {
  switch (command->id) {
    case CMD_ZOOM: session->zoom = !session->zoom; break;
    case CMD_HEX: session->hex = !session->hex; break;
    case CMD_PTX: session->show_ptx = !session->show_ptx; break;
    case CMD_PANE_NEXT: session->pane = (SesPane)((session->pane + 1) % PANE_COUNT); break;
    case CMD_MARGIN:
      session->margin = (session->margin + 1) % ses_margin_count();
      session->margin_chosen = true;
      break;
    default: return false;
  }
  return true;
}

// Which instructions have a line is another question then: what was made of the answers is made anew.
static bool switch_headers(Session *session, const Command *command) {
  (void)command;
  ses_switch_headers(session);
  ses_say(session, session->headers ? "by line through the headers of the toolkit, too"
          : "by line over the headers of the toolkit");
  return true;
}

// As written or as compiled: another run of the same thing.
static bool switch_code(Session *session, const Command *command) {
  (void)command;
  if (!ses_can_rerun(session)) return true;
  RunRequest request;
  run_request_copy(&request, ses_request(session));
  bool written = strcmp(ses_info(session)->code ? ses_info(session)->code : "", "written") == 0;
  request.cut = written ? DEV_COMPILED : DEV_WRITTEN;
  request.cut_given = true;
  ses_want_changed(session, &request, false);
  return true;
}

// What only a page can do, of a file of one's own.
static bool ask_page(Session *session, const Command *command) {
  if (session->is_own) session->wants = (int)command->id;
  else ses_complain(session, "this is for a kernel of your own: lanescope explore FILE.cu");
  return true;
}

static bool cancel(Session *session, const Command *command) {
  (void)command;
  if (session->panel) ses_close_panel(session);
  else if (ses_plays(session)) ses_play_stop(session);
  else if (session->lane >= 0) session->lane = -1;
  else if (session->zoom) session->zoom = false;
  else if (session->other) ses_close_compare(session);
  else return false;
  return true;
}

static bool quit(Session *session, const Command *command) {
  (void)command;
  if (session->panel) ses_close_panel(session);
  else if (session->zoom) session->zoom = false;
  else if (session->other) ses_close_compare(session);
  else session->want_quit = true;
  return true;
}

static bool text_line(Session *session, const Command *command) {
  Command meant = {.id = CMD_NONE};
  const char *text = command->text ? command->text : "";
  LineResult result = ses_read_line(session, text, &meant);
  if (result == LINE_COMMAND) ses_command(session, &meant);
  if (result == LINE_TRY && !ses_command(session, &meant)) ses_line_unknown(session, text);
  return true;
}

bool ses_click(Session *session, AppKey mouse) {
  CommandId then = CMD_NONE;
  bool changed = ses_mouse(session, mouse, &then);
  return then == CMD_NONE ? changed : ses_command(session, &(Command){.id = then});
}

static bool click(Session *session, const Command *command) {
  int x = (int)(command->arg >> 32), y = (int)(int32_t)command->arg;
  return ses_click(session, (AppKey){.code = KEYX_MOUSE, .x = x, .y = y, .button = 1});
}

// ---- the table -------------------------------------------------------------------------------------------------------

static bool (*const handlers[CMD_COUNT])(Session *session, const Command *command) = {
    [CMD_STEP_BACK] = ses_go_event, [CMD_STEP_NEXT] = ses_go_event,
    [CMD_FIRST] = ses_go_event, [CMD_LAST] = ses_go_event,
    [CMD_LINE_BACK] = ses_go_line, [CMD_LINE_NEXT] = ses_go_line,
    [CMD_WARP_BACK] = ses_go_warp_event, [CMD_WARP_NEXT] = ses_go_warp_event,
    [CMD_EVENT_NEXT] = ses_go_interest, [CMD_EVENT_BACK] = ses_go_interest,
    [CMD_LAUNCH_NEXT] = ses_go_launch, [CMD_LAUNCH_BACK] = ses_go_launch,
    [CMD_MARK_NEXT] = ses_go_mark, [CMD_MARK_BACK] = ses_go_mark,
    [CMD_UP] = ses_move, [CMD_DOWN] = ses_move, [CMD_PAGE_UP] = ses_move, [CMD_PAGE_DOWN] = ses_move,
    [CMD_PLAY] = ses_play, [CMD_FASTER] = ses_change_speed, [CMD_SLOWER] = ses_change_speed,
    [CMD_FOCUS_NEXT] = turn_focus, [CMD_FOCUS_BACK] = turn_focus, [CMD_FOCUS_AUTO] = automatic,
    [CMD_SET_FOCUS] = set_focus, [CMD_VARIANT] = turn_variant, [CMD_ZOOM] = toggle, [CMD_PANE_NEXT] = toggle,
    [CMD_MARGIN] = toggle, [CMD_PTX] = toggle, [CMD_HEX] = toggle, [CMD_HEADERS] = switch_headers, [CMD_CODE] = switch_code, [CMD_WRITER] = ses_writer,
    [CMD_ORDERS] = ses_orders, [CMD_EDIT] = ask_page, [CMD_MESSAGES] = ask_page, [CMD_LAUNCH] = ask_page,
    [CMD_CANCEL] = cancel, [CMD_QUIT] = quit, [CMD_GOTO] = ses_goto, [CMD_GOTO_LINE] = ses_goto_line,
    [CMD_SET_WARP] = ses_set_warp, [CMD_SET_BLOCK] = ses_set_block, [CMD_SET_LANE] = ses_set_lane,
    [CMD_SET_PARAM] = ses_set_param, [CMD_TEXT] = text_line, [CMD_CLICK] = click,
};

bool ses_command(Session *session, const Command *command) {
  if ((int)command->id < 0 || command->id >= CMD_COUNT) return false;
  if (command->id == CMD_CANCEL && session->message[0] && !session->panel && !ses_plays(session)) {
    session->message[0] = 0;
    return true;
  }
  if (handlers[command->id]) {
    session->message[0] = 0;
    return handlers[command->id](session, command);
  }
  return ses_open_panel(session, command->id);
}
