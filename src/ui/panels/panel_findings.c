// panel_findings.c: what the run wastes: choosing a finding, and going to the place that shows it.
#include "base/mem.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

static bool open(Session *session) {
  if (ses_finding_count(session)) return true;
  if (ses_findings(session) && ses_findings(session)->good_count) return true;   // it is worth seeing that nothing is
  ses_say(session, "%s", ses_findings(session) ? "nothing that is known of this run is wasted"
          : "too little is known of this run to judge it");
  return false;
}

static bool go(Session *session) {
  int row = session->pick;
  ses_close_panel(session);
  return ses_go_finding(session, row);
}

static bool key(Session *session, uint32_t code) {
  int last = LS_MAX(ses_finding_count(session) - 1, 0), by = 0;
  switch (command_for_key(code, CTX_X)) {
    case CMD_UP: case CMD_EVENT_BACK: by = -1; break;
    case CMD_DOWN: case CMD_EVENT_NEXT: by = 1; break;
    case CMD_PAGE_UP: session->list_skip = LS_MAX(session->list_skip - 8, 0); return true;
    case CMD_PAGE_DOWN: session->list_skip += 8; return true;
    case CMD_FIRST: by = -last; break;
    case CMD_LAST: by = last; break;
    case CMD_STEP_BACK: session->list_skip = LS_MAX(session->list_skip - 1, 0); return true;
    case CMD_STEP_NEXT: session->list_skip++; return true;   // drawing knows where it ends
    case CMD_ENTER: return go(session);
    case CMD_COMPARE: ses_close_panel(session); return ses_open_panel(session, CMD_COMPARE);
    case CMD_FINDINGS: case CMD_CANCEL: case CMD_QUIT: ses_close_panel(session); return true;
    default: return false;
  }
  session->pick = LS_CLAMP(session->pick + by, 0, last);
  session->list_skip = 0;
  return true;
}

static const FooterKey keys[] = {{"↑↓", "up down", "choose"}, {"⏎", "enter", "go there"}, {"←→", "left right", "more"},
                                 {"c", NULL, "compare"}, {"esc", NULL, "close"}};

const SesPanel panel_findings = {
    .place = PANEL_SCREEN, .keys = keys, .key_count = LS_COUNT(keys), .open = open, .key = key,
    .draw = view_draw_findings,
};
