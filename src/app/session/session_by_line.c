// session_by_line.c: moving by source lines: a visit is what a warp does on a line before it comes to another one.
#include "app/session/session_parts.h"

// Asks for instructions of every line but that of `key`.
static void other_lines(Session *session, int key, TraceQuery *query) {
  uint8_t *set = code_set(session->code);
  for (int pc = 0; pc < code_count(session->code); pc++) {
    int other = code_key(session->code, pc);
    set[pc] = other >= 0 && other != key;
  }
  ses_warp_query(session, query);
  query->pcs = set;
}

static int key_at(Session *session, uint64_t step) {
  TraceEvent event;
  return ses_event_at(session, step, &event) ? code_key(session->code, event.pc) : -1;
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
  uint8_t *set = code_set(session->code);
  for (int pc = 0; pc < code_count(session->code); pc++) set[pc] = code_key(session->code, pc) == key;
  if (before != UINT64_MAX) return ses_search(session, before, 1, &query, &found) && found < step ? found : start;
  TraceEvent event;
  bool known = block && ses_event_at(session, block->first, &event);
  if (known && event.warp == session->warp && key_at(session, block->first) == key) return block->first;
  return block && ses_search(session, block->first, 1, &query, &found) && found < step ? found : start;
}

// Where to look at a visit that begins at `start`: its first event of interest, else the start.
static uint64_t telling_event(Session *session, uint64_t start) {
  TraceQuery query;
  TraceEvent event;
  uint64_t found, end = UINT64_MAX;
  if (!ses_event_at(session, start, &event)) return start;
  bool itself = code_is_notable(session->code, event.pc) && trace_kind_interesting((TraceKind)event.kind);
  if (itself && (event.kind != TRACE_BRANCH || event.flags & TRACE_DIVERGES)) return start;
  other_lines(session, key_at(session, start), &query);
  if (ses_search(session, start, 1, &query, &found)) end = found;
  ses_warp_query(session, &query);
  query.kinds = ses_interesting_kinds();
  query.pcs = code_notable(session->code);
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

// Where visits of a line of the file at the cursor begin; false if it has no instructions.
static bool line_query(Session *session, int64_t line, int file, TraceQuery *query) {
  const SesCode *code = session->code;
  uint8_t *set = code_set(session->code);
  bool any = false;
  for (int pc = 0; pc < code_count(code); pc++) {
    bool here = code_line(code, pc) == line && code_file(code, pc) == file;
    set[pc] = here && code_starts(code, pc);
    any |= here;
  }
  ses_warp_query(session, query);
  query->pcs = set;
  return any;
}

bool ses_goto_line(Session *session, const Command *command) {
  TraceQuery query;
  TraceEvent event;
  uint64_t found;
  long long line = command->arg;
  const Scene *scene = ses_scene(session);
  if (!scene) return false;
  if (!line_query(session, line, scene->file, &query))
    return ses_complain(session, "line %lld has no instructions", line);
  if (ses_search(session, session->step, 1, &query, &found)) {
    ses_go(session, found);
    return true;
  }
  const TraceBlock *block = ses_block(session);
  if (block && ses_search(session, block->first, 1, &query, &found)) {
    ses_go(session, found);
    ses_say(session, "from the start: this was the last time that warp %d ran line %lld", session->warp, line);
    return true;
  }
  query.warp = -1;
  query.block = -1;
  if (!ses_search(session, 0, 1, &query, &found)) return ses_complain(session, "no recorded warp ran line %lld", line);
  if (ses_event_at(session, found, &event)) session->warp = event.warp;
  ses_go(session, found);
  return true;
}
