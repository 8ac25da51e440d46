// run_facts.c: the facts of one event as a Lua table: who did it, where, and what the models say it costs.
#include "model/model.h"
#include "script/mod_run.h"

static const char strict_key[] = "lanescope.strict";

static int l_missing(lua_State *L) { return luaL_error(L, "there is no '%s' here", luaL_tolstring(L, 2, NULL)); }

void run_facts_strict(lua_State *L) {
  if (luaL_newmetatable(L, strict_key)) {
    lua_pushcfunction(L, l_missing);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
}

static void set_integer(lua_State *L, const char *name, int64_t value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, name);
}

static void set_text(lua_State *L, const char *name, const char *value) {
  lua_pushstring(L, value);
  lua_setfield(L, -2, name);
}

static void set_bool(lua_State *L, const char *name, bool value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, name);
}

// A table by lane, 0 to 31, of the lanes in the mask.
static void set_lanes(lua_State *L, const char *name, uint32_t mask, const uint64_t *values) {
  if (!values) return;
  lua_createtable(L, 0, 32);
  for (int lane = 0; lane < 32; lane++) {
    if (!(mask >> lane & 1)) continue;
    lua_pushinteger(L, (lua_Integer)values[lane]);
    lua_rawseti(L, -2, lane);
  }
  lua_setfield(L, -2, name);
}

static void add_place(lua_State *L, const Run *run, const TraceEvent *event) {
  int file, line;
  bool known = run->module && ptx_line_inner(run->module, event->pc, &file, &line);
  set_integer(L, "step", (int64_t)event->step);
  set_integer(L, "block", event->block);
  set_integer(L, "warp", event->warp);
  set_integer(L, "line", known ? line : 0);
  set_text(L, "kind", trace_kind_name((TraceKind)event->kind));
  set_integer(L, "active", event->active);
  set_integer(L, "mask", event->mask);
  set_integer(L, "lanes", __builtin_popcount(event->mask));
}

static void add_global(lua_State *L, const TraceEvent *event) {
  Coalescing coalescing;
  coal_analyze(event, COAL_SECTORS_32, &coalescing);
  set_integer(L, "sectors", coalescing.sectors);
  set_integer(L, "lines", coalescing.line_count);
  set_integer(L, "bytes_used", coalescing.bytes_used);
  set_integer(L, "bytes_moved", coalescing.bytes_moved);
  set_integer(L, "ideal_sectors", coalescing.ideal_sectors);
  set_integer(L, "alignment", coalescing.alignment);
}

static void add_shared(lua_State *L, const TraceEvent *event) {
  Banking banking;
  bank_analyze(event, BANK_32X4, &banking);
  set_integer(L, "wavefronts", banking.wavefronts);
  set_integer(L, "ideal", banking.ideal);
  set_integer(L, "conflicts", banking.conflicts);
  set_integer(L, "degree", banking.degree);
  set_integer(L, "distinct_words", banking.distinct_words);
  set_integer(L, "banks_used", banking.banks_used);
}

static void add_access(lua_State *L, const TraceEvent *event) {
  set_text(L, "space", trace_space_name((TraceSpace)event->space));
  set_integer(L, "width", event->width);
  set_lanes(L, "addresses", event->mask, event->addr);
  if (event->space == TRACE_GLOBAL) add_global(L, event);
  if (event->space == TRACE_SHARED) add_shared(L, event);
}

static void add_atomic(lua_State *L, const TraceEvent *event) {
  Atomics atomics;
  atomic_analyze(event, &atomics);
  set_integer(L, "queues", atomics.queue_count);
  set_integer(L, "longest_queue", atomics.longest);
  set_lanes(L, "results", event->mask, event->result);
}

static void add_exchange(lua_State *L, const TraceEvent *event) {
  set_integer(L, "members", event->members);
  set_lanes(L, "values", event->mask, event->value);
  set_lanes(L, "results", event->mask, event->result);
  if (!event->source) return;
  uint64_t sources[32];
  for (int lane = 0; lane < 32; lane++) sources[lane] = event->source[lane];
  set_lanes(L, "sources", event->mask, sources);
}

static void add_kind(lua_State *L, const TraceEvent *event) {
  switch (event->kind) {
    case TRACE_ATOM: add_atomic(L, event); add_access(L, event); break;
    case TRACE_LOAD:
    case TRACE_STORE: add_access(L, event); break;
    case TRACE_BRANCH:
    case TRACE_VOTE: set_integer(L, "taken", event->taken); break;
    case TRACE_BARRIER:
      set_integer(L, "arrived", event->arrived);
      set_integer(L, "expected", event->expected);
      break;
    default: break;
  }
  if (event->kind == TRACE_BRANCH) set_bool(L, "diverges", event->flags & TRACE_DIVERGES);
  uint32_t exchanges =
      1u << TRACE_SHUFFLE | 1u << TRACE_VOTE | 1u << TRACE_MATCH | 1u << TRACE_REDUX | 1u << TRACE_SYNCWARP;
  if (exchanges >> event->kind & 1) add_exchange(L, event);
}

static void add_sentence(lua_State *L, const Run *run, const TraceEvent *event) {
  LsText text = {0};
  char copy[1024];
  SentenceAbout about = run_about(run);
  sentence_of(&about, event, &text);
  snprintf(copy, sizeof copy, "%s", ls_text_str(&text));
  ls_text_free(&text);             // before Lua may raise an error
  set_text(L, "sentence", copy);
}

void run_facts_push(lua_State *L, Run *run, uint64_t step) {
  TraceEvent event;
  LsErr err = {0};
  if (!trace_event(run->trace, step, &event, &err)) luaL_error(L, "%s", err.message);
  lua_newtable(L);
  add_place(L, run, &event);
  add_kind(L, &event);
  add_sentence(L, run, &event);
  run_facts_strict(L);
}
