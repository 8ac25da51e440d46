// session_go.c: moves the cursor: to a step, an event on or back, an event of the warp, a mark. The focus pane follows.
#include "app/session/session_parts.h"

// The pane follows the event at the cursor, else the last one of its warp that has a pane: stepping back and on shows
// the same picture at the same step. Branches that all lanes take together are passed over.
static void update_focus(Session *session) {
  TraceEvent event;
  if (!session->focus_auto || !ses_event_at(session, session->step, &event)) return;
  if (focus_of(&event, &session->focus)) return;
  TraceQuery query;
  trace_query_init(&query);
  query.kinds = focus_all_kinds();
  query.block = event.block;
  query.warp = event.warp;
  query.pcs = code_notable(session->code);
  query.diverging_only = true;
  uint64_t at = session->step;
  for (int tries = 0; tries < 64 && ses_search(session, at, -1, &query, &at); tries++)
    if (ses_event_at(session, at, &event) && focus_of(&event, &session->focus)) return;
  session->focus = FOCUS_GEOMETRY;
}

void ses_go(Session *session, uint64_t step) {
  if (session->steps == 0) return;
  TraceEvent event;
  session->step = LS_MIN(step, session->steps - 1);
  if (ses_event_at(session, session->step, &event)) {
    session->block = event.block;
    if (session->warp_follows) session->warp = LS_MIN(event.warp, ses_warps(session) - 1);
  }
  session->scroll[PANE_SOURCE] = 0;
  session->phase = 0;
  session->play.has_shown = false;
  if (session->play.act == PLAY_UNFOLDS) session->play.act = PLAY_STANDS;
  update_focus(session);
}

// Behind the wall is another launch, if this is one of a program.
static void tell_end(Session *session, int dir) {
  const char *end = dir < 0 ? "first" : "last";
  int next = ses_launch_rank(session) + dir;
  if (next < 1 || next > ses_launch_count(session)) {
    ses_say(session, "this is the %s step", end);
    return;
  }
  LsText here = {0}, there = {0};
  const HostProgram *program = session->run->program;
  program_launch_name(program, program_launch_step(program, ses_launch(session)), &here);
  ses_launch_name(session, ses_launch_at(session, next), &there);
  ses_say(session, "this is the %s step of launch %s; %s opens launch %s", end, ls_text_str(&here), dir < 0 ? "{" : "}",
          ls_text_str(&there));
  ls_text_free(&here);
  ls_text_free(&there);
}

bool ses_go_event(Session *session, const Command *command) {
  if (session->steps == 0) return false;
  uint64_t last = session->steps - 1, step = session->step;
  switch (command->id) {
    case CMD_FIRST: step = 0; break;
    case CMD_LAST: step = last; break;
    case CMD_STEP_BACK:
      if (step == 0) tell_end(session, -1);
      else step--;
      break;
    default:
      if (step == last) tell_end(session, 1);
      else step++;
  }
  ses_go(session, step);
  return true;
}

bool ses_go_warp_event(Session *session, const Command *command) {
  if (session->steps == 0) return false;
  TraceQuery query;
  uint64_t found;
  ses_warp_query(session, &query);
  int dir = command->id == CMD_WARP_BACK ? -1 : 1;
  if (ses_search(session, session->step, dir, &query, &found)) ses_go(session, found);
  else ses_say(session, "warp %d has no %s event in this block", session->warp, dir < 0 ? "earlier" : "later");
  return true;
}

// Marks are what the time bar marks: faults, branches that diverge, barriers where the last warp arrives.
bool ses_go_mark(Session *session, const Command *command) {
  if (session->steps == 0) return false;
  int dir = command->id == CMD_MARK_BACK ? -1 : 1;
  TraceQuery query;
  TraceEvent event;
  trace_query_init(&query);
  query.kinds = 1u << TRACE_FAULT | 1u << TRACE_BARRIER | 1u << TRACE_BRANCH;
  query.diverging_only = true;
  uint64_t at = session->step;
  while (ses_search(session, at, dir, &query, &at)) {
    if (!ses_event_at(session, at, &event)) break;
    if (event.kind == TRACE_BARRIER && !(event.flags & TRACE_LAST_ARRIVAL)) continue;
    ses_go(session, at);
    return true;
  }
  ses_say(session, "no mark %s this step", dir < 0 ? "before" : "after");
  return true;
}

bool ses_goto(Session *session, const Command *command) {
  session->held.rows = 0;   // another place: panes begin anew
  if (session->steps == 0) return false;
  if (command->arg < 0 || (uint64_t)command->arg >= session->steps)
    return ses_complain(session, "there is no step %lld: steps go from 0 to %llu", (long long)command->arg,
                        (unsigned long long)session->steps - 1);
  ses_go(session, (uint64_t)command->arg);
  return true;
}
