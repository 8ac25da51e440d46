// session_settings.c: what `:set` changes of the screen, and not of the run.
#include <string.h>

#include "app/session/session_parts.h"

static void say_motion(Session *session) {
  ses_say(session, session->motion ? "events unfold while they are played" : "events are played without motion");
}

// A setting that is on or off. tell: says what it is now.
static const struct { const char *name; size_t offset; void (*tell)(Session *session); } switches[] = {
    {"motion", offsetof(Session, motion), say_motion},
};

bool ses_set_screen(Session *session, const char *name, const char *value) {
  for (int i = 0; i < LS_COUNT(switches); i++) {
    if (strcmp(switches[i].name, name) != 0) continue;
    bool on = strcmp(value, "on") == 0;
    if (!on && strcmp(value, "off") != 0) return ses_complain(session, "%s is on or off, not \"%.40s\"", name, value);
    *(bool *)((char *)session + switches[i].offset) = on;
    switches[i].tell(session);
    return true;
  }
  return false;
}
