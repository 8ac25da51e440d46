// cursor.c: the trace at the cursor: its event, its block, searching from it, whether it moves by itself; and what is said to the user.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/session/session_parts.h"

int ses_warps(const Session *session) { return LS_CLAMP((int)launch_warps(&ses_info(session)->launch), 1, 32); }

uint64_t ses_grid_blocks(const Session *session) { return launch_blocks(&ses_info(session)->launch); }

void ses_say(Session *session, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(session->message, sizeof session->message, format, args);
  va_end(args);
  session->message_is_error = false;
}

bool ses_complain(Session *session, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(session->message, sizeof session->message, format, args);
  va_end(args);
  session->message_is_error = true;
  return true;
}

bool ses_plays(const Session *session) { return session->playing || session->play.act == PLAY_UNFOLDS; }

void ses_play_stop(Session *session) {
  session->play.was_playing = session->playing;
  session->playing = false;
  session->play.act = PLAY_STANDS;
}

bool ses_event_at(Session *session, uint64_t step, TraceEvent *event) {
  LsErr err = {0};
  if (trace_event(session->run->trace, step, event, &err)) return true;
  memset(event, 0, sizeof *event);
  event->pc = -1;
  ses_complain(session, "%s", err.message[0] ? err.message : "the trace is damaged here");
  return false;
}

const TraceBlock *ses_block(const Session *session) {
  if (!session->run->trace || !session->steps) return NULL;
  int count, at = trace_block_at(session->run->trace, session->step);
  const TraceBlock *blocks = trace_blocks(session->run->trace, &count);
  return at >= 0 && at < count ? &blocks[at] : NULL;
}

bool ses_search(Session *session, uint64_t start, int dir, const TraceQuery *query, uint64_t *found) {
  return session->run->trace && trace_find(session->run->trace, start, dir, query, found, NULL);
}

void ses_warp_query(const Session *session, TraceQuery *query) {
  trace_query_init(query);
  query->block = session->block;
  query->warp = session->warp;
}

uint32_t ses_interesting_kinds(void) {
  uint32_t kinds = 0;
  for (int kind = 0; kind < TRACE_KIND_COUNT; kind++)
    if (trace_kind_interesting((TraceKind)kind)) kinds |= 1u << kind;
  return kinds;
}
