// session_interest.c: to the next match of a search, the next difference of two runs, the next place where something is wasted,
// or the next event of interest.
#include "app/session/session_parts.h"

// The nearer of what two queries find.
static bool nearer(Session *session, int dir, const TraceQuery *a, const TraceQuery *b, uint64_t *found) {
  uint64_t one, two;
  bool has_one = ses_search(session, session->step, dir, a, &one), has_two = ses_search(session, session->step, dir, b, &two);
  if (has_one && has_two) *found = (one < two) == (dir > 0) ? one : two;
  else if (has_one || has_two) *found = has_one ? one : two;
  return has_one || has_two;
}

// Beside another run of the same code: the next event that differs. False: there is none at all.
static bool go_difference(Session *session, int dir) {
  const Difference *d = ses_difference(session);
  if (!d || !d->done || !d->item_count) return false;
  int item = difference_next(d, session->step, dir);
  if (item >= 0) ses_go(session, d->items[item].left);
  else ses_say(session, "no difference %s this step", dir < 0 ? "before" : "after");
  return true;
}

bool ses_find_interest(Session *session, int dir, uint64_t *found) {
  TraceQuery events, faults;
  trace_query_init(&events);
  if (!session->warp_follows) ses_warp_query(session, &events);
  faults = events;
  events.kinds = ses_interesting_kinds() & ~(1u << TRACE_FAULT);
  events.pcs = code_notable(session->code);
  events.diverging_only = true;
  faults.kinds = 1u << TRACE_FAULT;
  return nearer(session, dir, &events, &faults, found);
}

// Where something is wasted, or goes wrong. False: nothing is wasted anywhere, so that n goes by events of interest.
static bool go_finding(Session *session, int dir) {
  uint8_t *set = code_set(session->code);
  if (!ses_finding_pcs(session, set)) return false;
  TraceQuery wasted, faults;
  uint64_t found;
  trace_query_init(&wasted);
  if (!session->warp_follows) ses_warp_query(session, &wasted);
  faults = wasted;
  wasted.pcs = set;
  wasted.diverging_only = true;   // a branch that keeps the lanes together wastes none of them
  faults.kinds = 1u << TRACE_FAULT;
  if (nearer(session, dir, &wasted, &faults, &found)) ses_go(session, found);
  else ses_say(session, "no finding %s this step: f lists them", dir < 0 ? "before" : "after");
  return true;
}

bool ses_go_interest(Session *session, const Command *command) {
  int dir = command->id == CMD_EVENT_BACK ? -1 : 1;
  uint64_t found;
  if (session->steps == 0) return false;
  if (ses_is_finding(session)) return ses_find_next(session, dir);
  if (go_difference(session, dir) || go_finding(session, dir)) return true;
  if (ses_find_interest(session, dir, &found)) ses_go(session, found);
  else ses_say(session, "nothing of interest %s this step", dir < 0 ? "before" : "after");
  return true;
}
