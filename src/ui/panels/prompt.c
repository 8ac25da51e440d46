// prompt.c: typing a line of text into the last line of the screen.
#include "ui/panels/prompt.h"

#include <string.h>

bool prompt_key(Session *session, uint32_t code, bool (*done)(Session *session, const char *text)) {
  char text[sizeof session->input];
  if (code == KEY_RETURN_) {
    memcpy(text, session->input, sizeof text);
    ses_close_panel(session);
    return done(session, text);
  }
  if (code == KEY_ESC_ || (code == KEY_BACKSPACE_ && !session->input[0])) {
    ses_close_panel(session);
    return true;
  }
  if (code == KEY_BACKSPACE_) panel_untype(session);
  else if (panel_printable(code)) panel_type(session, code);
  else return false;
  return true;
}
