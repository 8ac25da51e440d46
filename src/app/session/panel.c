// panel.c: opens and closes the panels of a session, and says where the open one stands.
#include "app/session/panel.h"

#include "app/session/session.h"

static const SesPanel *panel_of(const Session *session, CommandId id) {
  for (const SesPanelRow *row = session->panels; row && row->panel; row++)
    if (row->opens == id) return row->panel;
  return NULL;
}

bool ses_open_panel(Session *session, CommandId id) {
  const SesPanel *panel = panel_of(session, id);
  if (!panel) return false;
  if ((session->untold || session->hides) && (id == CMD_FAULTS || id == CMD_FINDINGS))
    return ses_complain(session, "answer first: what this run does wrong is told then");
  ses_close_panel(session);
  session->message[0] = 0;
  session->panel = panel;
  session->pick = session->list_skip = 0;
  if (panel->open && !panel->open(session)) {
    session->panel = NULL;
    return true;
  }
  ses_play_stop(session);
  return true;
}

void ses_close_panel(Session *session) {
  if (session->panel && session->panel->close) session->panel->close(session);
  session->panel = NULL;
  session->input[0] = 0;
}

Rect ses_panel_rect(const Session *session, const Layout *layout) {
  switch (session->panel->place) {
    case PANEL_LINE: return layout->footer;
    case PANEL_FOCUS: return layout->focus;
    case PANEL_SCREEN: return (Rect){0, layout->title.h, layout->footer.w, layout->footer.y - layout->title.h};
    default: return layout->panel;
  }
}

unsigned ses_panel_flag(const Session *session) {
  static const unsigned flags[] = {[PANEL_SIDE] = LAYOUT_PANEL, [PANEL_LIST] = LAYOUT_LIST, [PANEL_FOCUS] = LAYOUT_ZOOM,
                                   [PANEL_SCREEN] = 0};
  return session->panel ? flags[session->panel->place] : 0;
}

int ses_panel_keys(const Session *session, const FooterKey **keys) {
  const SesPanel *panel = session->panel;
  *keys = panel->keys;
  return panel->keys_now ? panel->keys_now(session, keys) : panel->key_count;
}
