// session_wish.c: a place and what is shown there, as options and links give it: --at line:16 --focus banks --warp 3.
#include <inttypes.h>
#include <string.h>

#include "app/session/session_parts.h"

enum { LINE_EVENTS = 500 };   // of one visit of a line that are looked through

static void send(Session *session, CommandId id, int64_t arg) {
  ses_command(session, &(Command){.id = id, .arg = arg});
}

static bool go_to_line(Session *session, const char *text, LsErr *err) {
  uint64_t line;
  if (!ls_parse_u64(text, &line))
    return ls_fail(err, LS_EREQUEST, "line:N needs a line number, not '%s'", LS_QUOTE(text));
  Command command = {.id = CMD_GOTO_LINE, .arg = (int64_t)line};
  if (ses_command(session, &command) && !session->message_is_error) return true;
  return ls_fail(err, LS_EREQUEST, "no recorded step is on line %s", LS_QUOTE(text));
}

// What is worth a picture: the event that the chosen pane is about; for the whole screen any event of interest.
static bool worth_showing(const Scene *scene, bool for_pane) {
  if (for_pane) return scene->has_focus && scene->focus.step == scene->step;
  bool parameter = (scene->event.kind == TRACE_LOAD || scene->event.kind == TRACE_STORE) &&
      scene->event.space == TRACE_PARAM;
  return trace_kind_interesting((TraceKind)scene->event.kind) && !parameter && scene->event.kind != TRACE_BRANCH;
}

// From the first event of a line on to the first one worth a picture, if the line has one.
static void look_along_line(Session *session, bool for_pane) {
  uint64_t start = session->step;
  int line = ses_scene(session)->line;
  for (int i = 0; i < LINE_EVENTS && ses_scene(session)->line == line; i++) {
    if (worth_showing(ses_scene(session), for_pane)) return;
    uint64_t before = session->step;
    send(session, CMD_WARP_NEXT, 0);
    if (session->step == before) break;
  }
  send(session, CMD_GOTO, (int64_t)start);
}

static bool go_to_fault(Session *session, LsErr *err) {
  const Run *run = session->run;
  for (int i = 0; i < run->fault_count; i++) {
    const TraceFault *fault = run_fault_row(run, i);
    if (fault->step == UINT64_MAX) continue;
    return ses_command(session, &(Command){.id = CMD_GOTO, .arg = (int64_t)fault->step});
  }
  if (!run->fault_count) return ls_fail(err, LS_EREQUEST, "nothing went wrong in this run");
  return ls_fail(err, LS_EREQUEST, "what went wrong happened in block %u, which is not recorded: add --blocks %u",
                 run_fault_row(run, 0)->block, run_fault_row(run, 0)->block);
}

bool ses_go_named(Session *session, const char *at, const char *option, LsErr *err) {
  uint64_t step = 0;
  if (ls_starts_with(at, "line:")) return go_to_line(session, at + strlen("line:"), err);
  if (strcmp(at, "fault") == 0) return go_to_fault(session, err);
  if (strcmp(at, "end") == 0) step = session->steps - 1;
  else if (!ls_parse_u64(at, &step))
    return ls_fail(err, LS_EREQUEST, "--%s takes a step, line:N, fault or end, not '%s'", option, LS_QUOTE(at));
  if (step >= session->steps)
    return ls_fail(err, LS_EREQUEST, "there is no step %" PRIu64 ": they go from 0 to %" PRIu64, step,
                   session->steps - 1);
  return ses_command(session, &(Command){.id = CMD_GOTO, .arg = (int64_t)step});
}

static bool choose_warp(Session *session, int warp, LsErr *err) {
  if (warp < 0) return true;
  if (warp >= ses_warps(session))
    return ls_fail(err, LS_EREQUEST, "--warp takes a number from 0 to %d, not %d", ses_warps(session) - 1, warp);
  send(session, CMD_SET_WARP, warp);
  return true;
}

bool ses_wish(Session *session, const SesWish *wish, LsErr *err) {
  if (!session->steps) return ls_fail(err, LS_EREQUEST, "nothing was recorded, so there is no place to go to");
  if (wish->at && !ses_go_named(session, wish->at, "at", err)) return false;
  if (wish->focus >= 0) send(session, CMD_SET_FOCUS, wish->focus);
  if (wish->at && ls_starts_with(wish->at, "line:")) look_along_line(session, wish->focus >= 0);
  if (!choose_warp(session, wish->warp, err)) return false;
  if (wish->lane >= 0) send(session, CMD_SET_LANE, wish->lane);
  if (wish->variant >= 0) session->variant[session->focus] = wish->variant % focus_variants(session->focus);
  if (wish->margin >= 0) session->margin = wish->margin, session->margin_chosen = true;
  if (wish->zoom) session->zoom = true;
  return true;
}
