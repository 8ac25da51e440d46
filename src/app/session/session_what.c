// session_what.c: what a word of the course means, asked on the ':' line.
#include "app/run/glossary.h"
#include "app/session/session_parts.h"

bool ses_what(Session *session, const char *words) {
  LsText text = {0};
  bool known = glossary_tell(session->book, words, &text);
  if (known) ses_say(session, "%s", ls_text_str(&text));
  else ses_complain(session, "%s", ls_text_str(&text));
  ls_text_free(&text);
  return true;
}
