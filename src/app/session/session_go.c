// session_go.c: moving the cursor.
#include <stdlib.h>
#include <string.h>

#include "app/session/session_impl.h"

bool ses_event_at(Session *session, uint64_t step, TraceEvent *event) {
  LsErr err = {0};
  if (trace_event(session->run->trace, step, event, &err)) return true;
  memset(event, 0, sizeof *event);
  event->pc = -1;
  ses_complain(session, "%s", err.message[0] ? err.message : "the trace is damaged here");
  return false;
}

const TraceBlock *ses_block(Session *session) {
  if (!session->run->trace || !session->steps) return NULL;
  int count, at = trace_block_at(session->run->trace, session->step);
  const TraceBlock *blocks = trace_blocks(session->run->trace, &count);
  return at >= 0 && at < count ? &blocks[at] : NULL;
}

bool ses_search(Session *session, uint64_t start, int dir, const TraceQuery *query, uint64_t *found) {
  return session->run->trace && trace_find(session->run->trace, start, dir, query, found, NULL);
}

// ---- focus -----------------------------------------------------------------------------------------------------------

// The pane follows the event at the cursor, else the last one of its warp that has a pane: stepping back and on shows
// the same picture at the same step. Branches that all lanes take together are passed over.
void ses_update_focus(Session *session) {
  TraceEvent event;
  if (!session->focus_auto || !ses_event_at(session, session->step, &event)) return;
  if (focus_of(&event, &session->focus)) return;
  TraceQuery query;
  trace_query_init(&query);
  query.kinds = focus_all_kinds();
  query.block = event.block;
  query.warp = event.warp;
  query.pcs = ses_impl(session)->notable;
  query.diverging_only = true;
  uint64_t at = session->step;
  for (int tries = 0; tries < 64 && ses_search(session, at, -1, &query, &at); tries++)
    if (ses_event_at(session, at, &event) && focus_of(&event, &session->focus)) return;
  session->focus = FOCUS_GEOMETRY;
}

// ---- the cursor ------------------------------------------------------------------------------------------------------

void ses_go(Session *session, uint64_t step) {
  if (session->steps == 0) return;
  TraceEvent event;
  session->step = LS_MIN(step, session->steps - 1);
  if (ses_event_at(session, session->step, &event)) {
    session->block = event.block;
    if (session->warp_follows) session->warp = LS_MIN(event.warp, ses_warps(session) - 1);
  }
  session->scroll[PANE_SOURCE] = 0;
  session->wave = 0;
  ses_impl(session)->wave_seconds = 0;
  ses_update_focus(session);
}

bool ses_go_event(Session *session, const Command *command) {
  if (session->steps == 0) return false;
  uint64_t last = session->steps - 1, step = session->step;
  switch (command->id) {
    case CMD_FIRST: step = 0; break;
    case CMD_LAST: step = last; break;
    case CMD_STEP_BACK:
      if (step == 0) ses_say(session, "this is the first step");
      else step--;
      break;
    default:
      if (step == last) ses_say(session, "this is the last step");
      else step++;
  }
  ses_go(session, step);
  return true;
}

static void warp_query(const Session *session, TraceQuery *query) {
  trace_query_init(query);
  query->block = session->block;
  query->warp = session->warp;
}

bool ses_go_warp_event(Session *session, const Command *command) {
  if (session->steps == 0) return false;
  TraceQuery query;
  uint64_t found;
  warp_query(session, &query);
  int dir = command->id == CMD_WARP_BACK ? -1 : 1;
  if (ses_search(session, session->step, dir, &query, &found)) ses_go(session, found);
  else ses_say(session, "warp %d has no %s event in this block", session->warp, dir < 0 ? "earlier" : "later");
  return true;
}

// ---- by line ---------------------------------------------------------------------------------------------------------

// Asks for instructions of every line but that of `key`.
static void other_lines(Session *session, int key, TraceQuery *query) {
  SesImpl *impl = ses_impl(session);
  for (int pc = 0; pc < impl->code_count; pc++) impl->scratch[pc] = impl->pc_key[pc] >= 0 && impl->pc_key[pc] != key;
  warp_query(session, query);
  query->pcs = impl->scratch;
}

static int key_at(Session *session, uint64_t step) {
  SesImpl *impl = ses_impl(session);
  TraceEvent event;
  if (!ses_event_at(session, step, &event) || event.pc < 0 || event.pc >= impl->code_count) return -1;
  return impl->pc_key[event.pc];
}

// The line the shown warp is on: that of its last event with a line; -1 before the first.
static int key_of_warp(Session *session) {
  TraceQuery query;
  TraceEvent event;
  uint64_t found;
  int own = -1;
  if (ses_event_at(session, session->step, &event) && event.warp == session->warp) own = key_at(session, session->step);
  if (own >= 0) return own;
  other_lines(session, -1, &query);
  return ses_search(session, session->step, -1, &query, &found) ? key_at(session, found) : -1;
}

// First event of the visit that the event at `step` belongs to.
static uint64_t visit_start(Session *session, uint64_t step) {
  TraceQuery query;
  uint64_t found, start = step;
  const TraceBlock *block = ses_block(session);
  int key = key_at(session, step);
  other_lines(session, key, &query);
  uint64_t before = ses_search(session, step, -1, &query, &found) ? found : UINT64_MAX;
  // The first event of that line behind the last one of another line.
  SesImpl *impl = ses_impl(session);
  for (int pc = 0; pc < impl->code_count; pc++) impl->scratch[pc] = impl->pc_key[pc] == key;
  if (before != UINT64_MAX) return ses_search(session, before, 1, &query, &found) && found < step ? found : start;
  TraceEvent event;
  if (block && ses_event_at(session, block->first, &event) && event.warp == session->warp && key_at(session, block->first) == key)
    return block->first;
  return block && ses_search(session, block->first, 1, &query, &found) && found < step ? found : start;
}

static uint32_t interesting_kinds(void) {
  uint32_t kinds = 0;
  for (int kind = 0; kind < TRACE_KIND_COUNT; kind++)
    if (trace_kind_interesting((TraceKind)kind)) kinds |= 1u << kind;
  return kinds;
}

// Where to look at a visit that begins at `start`: its first event of interest, else the start.
static uint64_t telling_event(Session *session, uint64_t start) {
  SesImpl *impl = ses_impl(session);
  TraceQuery query;
  TraceEvent event;
  uint64_t found, end = UINT64_MAX;
  if (!ses_event_at(session, start, &event)) return start;
  bool itself = event.pc >= 0 && event.pc < impl->code_count && impl->notable[event.pc] &&
      trace_kind_interesting((TraceKind)event.kind);
  if (itself && (event.kind != TRACE_BRANCH || event.flags & TRACE_DIVERGES)) return start;
  other_lines(session, key_at(session, start), &query);
  if (ses_search(session, start, 1, &query, &found)) end = found;
  warp_query(session, &query);
  query.kinds = interesting_kinds();
  query.pcs = impl->notable;
  query.diverging_only = true;
  return ses_search(session, start, 1, &query, &found) && found < end ? found : start;
}

static bool line_next(Session *session) {
  TraceQuery query;
  uint64_t found;
  other_lines(session, key_of_warp(session), &query);
  if (ses_search(session, session->step, 1, &query, &found)) ses_go(session, telling_event(session, found));
  else ses_say(session, "warp %d runs no further line in this block", session->warp);
  return true;
}

static bool line_back(Session *session) {
  TraceQuery query;
  uint64_t found;
  other_lines(session, key_of_warp(session), &query);
  if (!ses_search(session, session->step, -1, &query, &found)) {
    uint64_t start = key_at(session, session->step) >= 0 ? visit_start(session, session->step) : session->step;
    if (start == session->step) ses_say(session, "warp %d ran no line before this one", session->warp);
    else ses_go(session, start);
    return true;
  }
  ses_go(session, telling_event(session, visit_start(session, found)));
  return true;
}

bool ses_go_line(Session *session, const Command *command) {
  if (session->steps == 0) return false;
  return command->id == CMD_LINE_NEXT ? line_next(session) : line_back(session);
}

bool ses_goto_line(Session *session, const Command *command) {
  SesImpl *impl = ses_impl(session);
  TraceQuery query;
  uint64_t found;
  const Scene *scene = ses_scene(session);
  if (!scene) return false;
  warp_query(session, &query);
  bool any = false;
  for (int pc = 0; pc < impl->code_count; pc++) {
    bool here = impl->pc_line[pc] == command->arg && impl->pc_file[pc] == scene->file;
    impl->scratch[pc] = here && impl->line_start[pc];
    any |= here;
  }
  query.pcs = impl->scratch;
  if (!any) return ses_complain(session, "line %lld has no instructions", (long long)command->arg);
  if (ses_search(session, session->step, 1, &query, &found)) {
    ses_go(session, found);
    return true;
  }
  const TraceBlock *block = ses_block(session);
  if (block && ses_search(session, block->first, 1, &query, &found)) {
    ses_go(session, found);
    ses_say(session, "from the start: this was the last time that warp %d ran line %lld", session->warp, (long long)command->arg);
    return true;
  }
  query.warp = -1;
  query.block = -1;
  if (!ses_search(session, 0, 1, &query, &found))
    return ses_complain(session, "no recorded warp ran line %lld", (long long)command->arg);
  TraceEvent event;
  if (ses_event_at(session, found, &event)) session->warp = event.warp;
  ses_go(session, found);
  return true;
}

// ---- interest --------------------------------------------------------------------------------------------------------

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

bool ses_go_interest(Session *session, const Command *command) {
  int dir = command->id == CMD_EVENT_BACK ? -1 : 1;
  if (session->steps == 0) return false;
  if (session->search[0] && ses_impl(session)->match != MATCH_NONE) return ses_find_next(session, dir);
  if (go_difference(session, dir)) return true;
  TraceQuery events, faults;
  trace_query_init(&events);
  if (!session->warp_follows) warp_query(session, &events);
  faults = events;
  events.kinds = interesting_kinds() & ~(1u << TRACE_FAULT);
  events.pcs = ses_impl(session)->notable;
  events.diverging_only = true;
  faults.kinds = 1u << TRACE_FAULT;
  uint64_t found;
  if (nearer(session, dir, &events, &faults, &found)) ses_go(session, found);
  else ses_say(session, "nothing of interest %s this step", dir < 0 ? "before" : "after");
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
  if (session->steps == 0) return false;
  if (command->arg < 0 || (uint64_t)command->arg >= session->steps)
    return ses_complain(session, "there is no step %lld: steps go from 0 to %llu", (long long)command->arg,
                        (unsigned long long)session->steps - 1);
  ses_go(session, (uint64_t)command->arg);
  return true;
}

// ---- warp, block, lane -----------------------------------------------------------------------------------------------

bool ses_set_warp(Session *session, const Command *command) {
  if (command->arg == -1) {
    session->warp_follows = true;
    ses_go(session, session->step);
    ses_say(session, "the shown warp is again that of the event");
    return true;
  }
  if (command->arg < 0 || command->arg >= ses_warps(session))
    return ses_complain(session, "there is no warp %lld: a block has warps 0 to %d", (long long)command->arg,
                        ses_warps(session) - 1);
  session->warp = (int)command->arg;
  session->warp_follows = false;
  return true;
}

bool ses_set_lane(Session *session, const Command *command) {
  if (command->arg < -1 || command->arg > 31)
    return ses_complain(session, "there is no lane %lld: lanes go from 0 to 31", (long long)command->arg);
  session->lane = (int)command->arg;
  return true;
}

// A block that was not recorded is recorded by a new run, together with the present one.
bool ses_record_block(Session *session, uint32_t block) {
  if (!ses_can_rerun(session)) return true;
  RunRequest request;
  run_request_copy(&request, ses_request(session));
  free(request.blocks);
  request.blocks = ls_format("%u,%u", session->block, block);
  ses_want(session, &request, false);
  ses_impl(session)->want_block = block;
  return true;
}

bool ses_set_block(Session *session, const Command *command) {
  int count;
  if (session->steps == 0) return false;
  if (command->arg < 0 || (uint64_t)command->arg >= ses_grid_blocks(session))
    return ses_complain(session, "there is no block %lld: the grid has blocks 0 to %llu", (long long)command->arg,
                        (unsigned long long)ses_grid_blocks(session) - 1);
  const TraceBlock *here = ses_block(session), *blocks = trace_blocks(session->run->trace, &count);
  uint64_t offset = here ? session->step - here->first : 0;
  for (int i = 0; i < count; i++) {
    if (blocks[i].block != (uint32_t)command->arg || !blocks[i].count) continue;
    ses_go(session, blocks[i].first + LS_MIN(offset, blocks[i].count - 1));
    return true;
  }
  return ses_record_block(session, (uint32_t)command->arg);
}
