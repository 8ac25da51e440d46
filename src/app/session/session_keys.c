// session_keys.c: what a key does: it is the open panel's, begins a number, or means a command.
#include "app/session/session_parts.h"

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
