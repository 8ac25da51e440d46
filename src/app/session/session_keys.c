// session_keys.c: what a key does: it is the open panel's, begins a number, or means a command.
#include "app/session/session_parts.h"

// A digit begins a line command.
static bool begin_number(Session *session, uint32_t digit) {
  if (!ses_open_panel(session, CMD_LINE_COMMAND)) return false;
  session->input[0] = (char)digit;
  session->input[1] = 0;
  return true;
}

// What is played stops at any key, which does nothing else; but its speed can be changed, and the page can be left.
static bool stops(Session *session, uint32_t code) {
  CommandId id = command_for_key(code, CTX_X);
  bool goes_on = id == CMD_FASTER || id == CMD_SLOWER || id == CMD_QUIT || id == CMD_PLAY;
  if (!ses_plays(session) || goes_on) return false;
  ses_play_stop(session);
  return true;
}

bool ses_key(Session *session, AppKey key) {
  if (key.code == KEYX_MOUSE) {
    if (ses_plays(session)) ses_play_stop(session);
    return ses_click(session, key);
  }
  if (key.code == KEY_NONE_ || key.code == KEYX_RESIZE) return false;
  if (session->panel) {
    session->message[0] = 0;
    return session->panel->key(session, key.code);
  }
  if (stops(session, key.code)) return true;
  if (key.code >= '0' && key.code <= '9') return begin_number(session, key.code);
  CommandId id = command_for_key(key.code, CTX_X);
  return id != CMD_NONE && ses_command(session, &(Command){.id = id});
}
