// session_findings.c: what the run wastes, as places to go to: their order in the list, where n stops, the margin's
// number.
#include <string.h>

#include "app/session/session_parts.h"

// A saved trace is judged when its first picture is on the screen; a long one when somebody asks.
enum { UNASKED_STEPS = 400000 };

// What of the machine a kind of finding wastes: the mark of the time bar and of the source; and the number in the
// margin that tells most about it (SES_MARGIN_...; -1: none).
static const struct { char mark; int margin; } kinds[FINDING_KIND_COUNT] = {
    [FINDING_BANK_CONFLICT] = {'c', SES_MARGIN_CONFLICTS},
    [FINDING_UNCOALESCED] = {'s', SES_MARGIN_SECTORS},
    [FINDING_UNUSED_BYTES] = {'s', SES_MARGIN_SECTORS},
    [FINDING_RELOADED] = {'s', SES_MARGIN_EXECUTIONS},
    [FINDING_DIVERGENCE] = {'l', SES_MARGIN_LANES},
    [FINDING_PARTIAL_WARPS] = {'l', SES_MARGIN_LANES},
    [FINDING_CONTENDED_ATOMIC] = {'c', SES_MARGIN_EXECUTIONS},
    [FINDING_LOCAL_MEMORY] = {'s', SES_MARGIN_EXECUTIONS},
    [FINDING_SERIALIZED_CONSTANT] = {'c', SES_MARGIN_EXECUTIONS},
    [FINDING_REDUNDANT_BARRIER] = {'b', -1},
    [FINDING_IDLE_TAIL] = {0, -1},
    [FINDING_LOW_OCCUPANCY] = {0, -1},
};

const Findings *ses_findings(const Session *session) { return session->untold ? NULL : session->run->findings; }

bool ses_findings_wait(const Session *session) {
  return !session->run->findings && session->steps && session->steps <= UNASKED_STEPS;
}

static const Findings *known(Session *session) { return session->run->counters ? run_findings(session->run) : NULL; }

bool ses_findings_learn(Session *session) {
  if (!ses_findings_wait(session) || !known(session)) return false;
  ses_choose_margin(session);
  return true;
}

// ---- in the order of the list
// ----------------------------------------------------------------------------------------

// Those of a line come before those of the launch as a whole: they are places to go to.
static const Finding *nth(const Findings *all, int row) {
  for (int launch = 0; launch < 2; launch++)
    for (int i = 0; all && i < all->count; i++) {
      if ((all->items[i].line == 0) != launch) continue;
      if (row-- == 0) return &all->items[i];
    }
  return NULL;
}

int ses_finding_count(Session *session) {
  const Findings *all = known(session);
  return all ? all->count : 0;
}

const Finding *ses_finding(Session *session, int row) { return nth(known(session), row); }

char ses_finding_mark(const Finding *finding) { return kinds[finding->kind].mark; }

bool ses_go_finding(Session *session, int row) {
  const Finding *finding = ses_finding(session, row);
  if (!finding) return true;
  if (finding->step < session->steps) {
    session->warp_follows = true;
    ses_go(session, finding->step);
  } else if (finding->line == 0) {
    return ses_open_panel(session, CMD_WAVES);
  } else {
    ses_say(session, "line %d is in no block that is recorded: --blocks, or b, records others", finding->line);
  }
  return true;
}

// ---- in time
// ---------------------------------------------------------------------------------------------------------

bool ses_finding_pcs(Session *session, uint8_t *set) {
  const Findings *all = ses_findings(session);
  bool any = false;
  memset(set, 0, (size_t)code_count(session->code));
  for (int i = 0; all && i < all->count; i++) {
    int pc = all->items[i].pc;
    if (pc < 0 || pc >= code_count(session->code)) continue;
    set[pc] = 1;
    any = true;
  }
  return any;
}

char ses_line_finding(Session *session, int line) {
  const Findings *all = ses_findings(session);
  const Scene *scene = ses_scene(session);
  for (int i = 0; all && scene && i < all->count; i++) {
    const Finding *finding = &all->items[i];   // lines are listed in this order
    if (finding->line && code_line(session->code, finding->pc) == line &&
        code_file(session->code, finding->pc) == scene->file)
      return kinds[finding->kind].mark;
  }
  return 0;
}

void ses_choose_margin(Session *session) {
  const Findings *all = ses_findings(session);
  if (session->margin_chosen || !all) return;
  const Finding *worst = nth(all, 0);
  int margin = worst ? kinds[worst->kind].margin : -1;
  session->margin = LS_MAX(margin, 0);
}
