// session_settings.c: what `:set` changes of the screen, and not of the run.
#include <string.h>

#include "app/session/session_parts.h"

static void set_motion(Session *session, bool on) {
  session->motion = on;
  ses_say(session, on ? "events unfold while they are played" : "events are played without motion");
}

static void set_stage(Session *session, bool on) { session->stage_wish = on ? SES_STAGE_ON : SES_STAGE_OFF; }

static const struct { const char *name; void (*set)(Session *session, bool on); } switches[] = {
    {"motion", set_motion},
    {"stage", set_stage},
};

bool ses_set_screen(Session *session, const char *name, const char *value) {
  for (int i = 0; i < LS_COUNT(switches); i++) {
    if (strcmp(switches[i].name, name) != 0) continue;
    bool on = strcmp(value, "on") == 0;
    if (!on && strcmp(value, "off") != 0) return ses_complain(session, "%s is on or off, not \"%.40s\"", name, value);
    switches[i].set(session, on);
    return true;
  }
  return false;
}
