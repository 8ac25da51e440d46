// session_find.c: finding things in a run: lines, words of the source, opcodes, kinds of events.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/session/session_parts.h"

typedef enum MatchKind { MATCH_NONE, MATCH_PCS, MATCH_KINDS, MATCH_DIVERGENT, MATCH_CONFLICT } MatchKind;

struct SesFind { MatchKind match; uint32_t kinds; uint8_t *pcs; };

// What is looked for; nothing at first.
static SesFind *find_of(Session *session) {
  if (session->find) return session->find;
  session->find = ls_alloc(sizeof *session->find);
  session->find->pcs = ls_alloc((size_t)code_count(session->code) + 1);
  return session->find;
}

void find_free(SesFind *find) {
  if (find) free(find->pcs);
  free(find);
}

bool ses_is_finding(const Session *session) {
  return session->search[0] && session->find && session->find->match != MATCH_NONE;
}

// ---- what a text can mean --------------------------------------------------------------------------------------------

typedef struct LineWanted { Session *session; const char *text; long long line; bool word; } LineWanted;

// A line matches where a visit of it begins, so that n goes from visit to visit and not through every instruction.
static bool match_lines(const LineWanted *wanted, bool (*is_wanted)(const LineWanted *wanted, int file, int line)) {
  const SesCode *code = wanted->session->code;
  SesFind *find = find_of(wanted->session);
  bool any = false;
  for (int pc = 0; pc < code_count(code); pc++) {
    int line = code_line(code, pc);
    bool here = line > 0 && code_starts(code, pc) && is_wanted(wanted, code_file(code, pc), line);
    find->pcs[pc] = here;
    any |= here;
  }
  if (any) find->match = MATCH_PCS;
  return any;
}

static bool is_line(const LineWanted *wanted, int file, int line) { return (void)file, wanted->line == line; }

static bool word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool has_text(const char *line, const char *text, bool word) {
  size_t length = strlen(text);
  for (const char *at = line; (at = strcasestr(at, text)); at++) {
    bool whole = (at == line || !word_char(at[-1])) && !word_char(at[length]);
    if (whole || !word) return true;
  }
  return false;
}

static bool line_has(const LineWanted *wanted, int file, int line) {
  const char *const *lines;
  return line <= ses_file_lines(wanted->session, file, &lines) && has_text(lines[line - 1], wanted->text, wanted->word);
}

static bool match_opcode(Session *session, const char *text) {
  SesFind *find = find_of(session);
  bool any = false;
  for (int pc = 0; pc < code_count(session->code); pc++) {
    find->pcs[pc] = ptx_is_called(&session->run->module->code[pc], text);
    any |= find->pcs[pc];
  }
  if (any) find->match = MATCH_PCS;
  return any;
}

static bool match_kind(SesFind *find, const char *text) {
  if (strcasecmp(text, "conflict") == 0 || strcasecmp(text, "conflicts") == 0) find->match = MATCH_CONFLICT;
  else if (strcasecmp(text, "divergent") == 0 || strcasecmp(text, "divergence") == 0) find->match = MATCH_DIVERGENT;
  for (int kind = 0; kind < TRACE_KIND_COUNT && find->match == MATCH_NONE; kind++) {
    if (strcasecmp(trace_kind_name((TraceKind)kind), text) != 0) continue;
    find->match = MATCH_KINDS;
    find->kinds = 1u << kind;
  }
  return find->match != MATCH_NONE;
}

static bool resolve(Session *session, const char *text) {
  LineWanted wanted = {.session = session, .text = text};
  int64_t line;
  if (ls_parse_i64(text, &line)) {
    wanted.line = line;
    return match_lines(&wanted, is_line);
  }
  if (match_kind(find_of(session), text)) return true;
  wanted.word = true;
  if (match_lines(&wanted, line_has)) return true;
  if (match_opcode(session, text)) return true;
  wanted.word = false;
  return match_lines(&wanted, line_has);
}

// ---- going through matches -------------------------------------------------------------------------------------------

static void match_query(Session *session, TraceQuery *query) {
  const SesFind *find = find_of(session);
  trace_query_init(query);
  if (!session->warp_follows) {
    query->block = session->block;
    query->warp = session->warp;
  }
  switch (find->match) {
    case MATCH_PCS: query->pcs = find->pcs; break;
    case MATCH_KINDS: query->kinds = find->kinds; break;
    case MATCH_DIVERGENT:
      query->kinds = 1u << TRACE_BRANCH;
      query->diverging_only = true;
      break;
    default: query->kinds = 1u << TRACE_LOAD | 1u << TRACE_STORE; break;
  }
}

static bool conflicts(const TraceEvent *event) {
  int ideal;
  return event->space == TRACE_SHARED && event->addr && event->mask &&
         bank_count(event->kind == TRACE_LOAD, event->mask, event->width, event->addr, &ideal) > ideal;
}

// Accesses at instructions that the counters know to be free of conflicts need not be looked at one by one.
static void narrow_conflicts(Session *session, TraceQuery *query) {
  const Counters *counters = session->run->counters;
  uint8_t *set = code_set(session->code);
  for (int pc = 0; pc < code_count(session->code); pc++) {
    const CounterSet *of = counters ? counters_at(counters, pc) : NULL;
    set[pc] = !of || of->value[COUNTER_SHARED_LOAD_BANK_CONFLICTS] || of->value[COUNTER_SHARED_STORE_BANK_CONFLICTS];
  }
  query->pcs = set;
}

// Places in the code are looked for in the shown warp, and only then in the others; kinds of events in all of them.
static bool in_shown_warp(Session *session, uint64_t start, int dir, uint64_t *found) {
  TraceQuery query;
  if (find_of(session)->match != MATCH_PCS) return false;
  match_query(session, &query);
  query.block = session->block;
  query.warp = session->warp;
  return ses_search(session, start, dir, &query, found);
}

static bool next_match(Session *session, uint64_t start, int dir, uint64_t *found) {
  TraceQuery query;
  TraceEvent event;
  if (in_shown_warp(session, start, dir, found)) return true;
  match_query(session, &query);
  if (find_of(session)->match != MATCH_CONFLICT) return ses_search(session, start, dir, &query, found);
  narrow_conflicts(session, &query);
  while (ses_search(session, start, dir, &query, &start)) {
    if (!ses_event_at(session, start, &event)) return false;
    if (!conflicts(&event)) continue;
    *found = start;
    return true;
  }
  return false;
}

bool ses_find_next(Session *session, int dir) {
  uint64_t found;
  if (next_match(session, session->step, dir, &found)) ses_go(session, found);
  else ses_say(session, "no %s match of \"%s\"", dir < 0 ? "earlier" : "later", session->search);
  return true;
}

bool ses_find(Session *session, const char *text) {
  uint64_t found;
  find_of(session)->match = MATCH_NONE;
  while (*text == ' ') text++;
  snprintf(session->search, sizeof session->search, "%.127s", text);
  if (!*text || session->steps == 0) return true;
  if (!resolve(session, session->search)) {
    ses_complain(session, "nothing is called \"%s\": find takes a line number, words of the source, a variable, an opcode, or a "
                 "kind of event (load, store, atomic, branch, divergent, conflict, barrier, shuffle, vote, fault, note)", session->search);
    session->search[0] = 0;
    return true;
  }
  if (next_match(session, session->step, 1, &found)) {
    ses_go(session, found);
  } else if (next_match(session, session->step, -1, &found)) {
    // Behind the last match: on from the first one.
    next_match(session, 0, 1, &found);
    ses_go(session, found);
    ses_say(session, "from the start: no later match of \"%s\"", session->search);
  } else {
    ses_say(session, "the recorded steps have no match of \"%s\"", session->search);
    session->search[0] = 0;   // n and N mean events of interest again
  }
  return true;
}
