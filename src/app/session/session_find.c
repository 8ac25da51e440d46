// session_find.c: finding things in a run, and the ':' line.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/session/session_impl.h"

// ---- what a text can mean --------------------------------------------------------------------------------------------

// A line matches where a visit of it begins, so that n goes from visit to visit and not through every instruction.
static bool match_lines(SesImpl *impl, bool (*wanted)(const void *context, int file, int line), const void *context) {
  bool any = false;
  for (int pc = 0; pc < impl->code_count; pc++) {
    bool here = impl->pc_line[pc] > 0 && impl->line_start[pc] && wanted(context, impl->pc_file[pc], impl->pc_line[pc]);
    impl->match_pcs[pc] = here;
    any |= here;
  }
  if (any) impl->match = MATCH_PCS;
  return any;
}

typedef struct LineWanted { const SesImpl *impl; const char *text; long long line; bool word; } LineWanted;

static bool is_line(const void *context, int file, int line) {
  (void)file;
  return ((const LineWanted *)context)->line == line;
}

static bool word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool has_text(const char *line, const char *text, bool word) {
  size_t length = strlen(text);
  for (const char *at = line; (at = strcasestr(at, text)); at++) {
    bool whole = (at == line || !word_char(at[-1])) && !word_char(at[length]);
    if (whole || !word) return true;
  }
  return false;
}

static bool line_has(const void *context, int file, int line) {
  const LineWanted *wanted = context;
  if (file < 0 || file >= wanted->impl->source_count) return false;
  const SourceLines *source = &wanted->impl->sources[file];
  return line <= source->count && has_text(source->lines[line - 1], wanted->text, wanted->word);
}

static bool match_opcode(Session *session, const char *text) {
  SesImpl *impl = ses_impl(session);
  bool any = false;
  for (int pc = 0; pc < impl->code_count; pc++) {
    impl->match_pcs[pc] = ptx_is_called(&session->run->module->code[pc], text);
    any |= impl->match_pcs[pc];
  }
  if (any) impl->match = MATCH_PCS;
  return any;
}

static bool match_kind(SesImpl *impl, const char *text) {
  if (strcasecmp(text, "conflict") == 0 || strcasecmp(text, "conflicts") == 0) impl->match = MATCH_CONFLICT;
  else if (strcasecmp(text, "divergent") == 0 || strcasecmp(text, "divergence") == 0) impl->match = MATCH_DIVERGENT;
  else {
    for (int kind = 0; kind < TRACE_KIND_COUNT; kind++)
      if (strcasecmp(trace_kind_name((TraceKind)kind), text) == 0) {
        impl->match = MATCH_KINDS;
        impl->match_kinds = 1u << kind;
        return true;
      }
    return false;
  }
  return true;
}

static bool resolve(Session *session, const char *text) {
  SesImpl *impl = ses_impl(session);
  LineWanted wanted = {.impl = impl, .text = text};
  int64_t line;
  const char *const *lines;
  const char *path;
  ses_source_lines(session, &lines, &path);   // splits the sources
  if (ls_parse_i64(text, &line)) {
    wanted.line = line;
    return match_lines(impl, is_line, &wanted);
  }
  if (match_kind(impl, text)) return true;
  wanted.word = true;
  if (match_lines(impl, line_has, &wanted)) return true;
  if (match_opcode(session, text)) return true;
  wanted.word = false;
  return match_lines(impl, line_has, &wanted);
}

// ---- going through matches -------------------------------------------------------------------------------------------

static void match_query(Session *session, TraceQuery *query) {
  SesImpl *impl = ses_impl(session);
  trace_query_init(query);
  if (!session->warp_follows) {
    query->block = session->block;
    query->warp = session->warp;
  }
  switch (impl->match) {
    case MATCH_PCS: query->pcs = impl->match_pcs; break;
    case MATCH_KINDS: query->kinds = impl->match_kinds; break;
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
  SesImpl *impl = ses_impl(session);
  const Counters *counters = session->run->counters;
  for (int pc = 0; pc < impl->code_count; pc++) {
    const CounterSet *set = counters ? counters_at(counters, pc) : NULL;
    impl->scratch[pc] = !set || set->value[COUNTER_SHARED_LOAD_BANK_CONFLICTS] || set->value[COUNTER_SHARED_STORE_BANK_CONFLICTS];
  }
  query->pcs = impl->scratch;
}

// Places in the code are looked for in the shown warp, and only then in the others; kinds of events in all of them.
static bool in_shown_warp(Session *session, uint64_t start, int dir, uint64_t *found) {
  TraceQuery query;
  if (ses_impl(session)->match != MATCH_PCS) return false;
  match_query(session, &query);
  query.block = session->block;
  query.warp = session->warp;
  return ses_search(session, start, dir, &query, found);
}

static bool next_match(Session *session, uint64_t start, int dir, uint64_t *found) {
  SesImpl *impl = ses_impl(session);
  TraceQuery query;
  TraceEvent event;
  if (in_shown_warp(session, start, dir, found)) return true;
  match_query(session, &query);
  if (impl->match != MATCH_CONFLICT) return ses_search(session, start, dir, &query, found);
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
  SesImpl *impl = ses_impl(session);
  uint64_t found;
  impl->match = MATCH_NONE;
  while (*text == ' ') text++;
  snprintf(session->search, sizeof session->search, "%.127s", text);
  if (!*text || session->steps == 0) return true;
  if (!resolve(session, session->search)) {
    ses_complain(session, "nothing is called \"%s\": find takes a line number, words of the source, a variable, an opcode, or a "
                 "kind of event (load, store, atomic, branch, divergent, conflict, barrier, shuffle, vote, fault)", session->search);
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

// ---- the ':' line ----------------------------------------------------------------------------------------------------

static bool numbered(Session *session, const char *word, const char *rest) {
  static const struct { const char *word; CommandId id; } rows[] = {
      {"goto", CMD_GOTO}, {"step", CMD_GOTO}, {"line", CMD_GOTO_LINE}, {"block", CMD_SET_BLOCK}, {"warp", CMD_SET_WARP},
      {"lane", CMD_SET_LANE},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    if (strcmp(rows[i].word, word) != 0 || !*rest) continue;
    Command command = {.id = rows[i].id};
    if (!ls_parse_i64(rest, &command.arg)) return ses_complain(session, "%s takes a whole number, not \"%.40s\"", word, rest);
    return ses_command(session, &command) || true;
  }
  return false;
}

// The places that have a name, as --at has them.
static bool named_place(Session *session, const char *place) {
  int64_t line;
  if (ls_starts_with(place, "line:") && ls_parse_i64(place + strlen("line:"), &line))
    return ses_command(session, &(Command){.id = CMD_GOTO_LINE, .arg = line}) || true;
  if (strcmp(place, "start") == 0) return ses_command(session, &(Command){.id = CMD_FIRST}) || true;
  if (strcmp(place, "end") == 0) return ses_command(session, &(Command){.id = CMD_LAST}) || true;
  if (strcmp(place, "fault") != 0) return false;
  const Run *run = session->run;
  for (int i = 0; i < run->fault_count; i++)
    if (run->faults[i].step < session->steps) return ses_go_fault(session, i);
  return run->fault_count ? ses_go_fault(session, 0) : ses_complain(session, "nothing went wrong in this run");
}

bool ses_line_command(Session *session, const char *text) {
  char word[32];
  int64_t step;
  while (*text == ' ' || *text == ':') text++;
  if (!*text) return true;
  if (ls_parse_i64(text, &step)) return ses_command(session, &(Command){.id = CMD_GOTO, .arg = step});
  size_t length = strcspn(text, " ");
  snprintf(word, sizeof word, "%.*s", (int)LS_MIN(length, sizeof word - 1), text);
  const char *rest = text + length;
  while (*rest == ' ') rest++;
  if (strcmp(word, "set") == 0) return ses_set_line(session, rest);
  if (strcmp(word, "goto") == 0 && named_place(session, rest)) return true;
  if (numbered(session, word, rest)) return true;
  if (strcmp(word, "q") == 0 || strcmp(word, "quit") == 0) {
    session->want_quit = true;
    return true;
  }
  CommandId id = command_by_name(word);
  if (id != CMD_NONE && id != CMD_LINE_COMMAND && !*rest && ses_command(session, &(Command){.id = id})) return true;
  return ses_complain(session,
                      "there is no \":%s\"; there is goto N, line N, block N, warp N, lane N, set NAME=VALUE, q, and every "
                      "command of the help", word);
}
