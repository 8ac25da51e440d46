// run_query.c: finding lines and events of a run from what a lesson says of them.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "script/fields.h"
#include "script/mod_run.h"

static const char what_query[] = "the event";
static const char *const query_fields[] = {"line", "kind", "space", "warp", "block", "nth", "diverging", NULL};
enum { VISIT_LIMIT = 1000000 };

// The file that the kernel's own code begins in: where a recipe's source only includes others.
static int file_of_entry(const Run *run) {
  int file = -1, line = 0;
  const PtxFunc *f = run->module ? &run->module->funcs[run->entry] : NULL;
  for (int pc = f ? f->first : 0; f && pc < f->first + f->count && file < 0; pc++)
    ptx_line_of(run->module, pc, &file, &line);
  return file;
}

int run_query_file(const Run *run) {
  const char *wanted = run->request.recipe ? recipe_form(run->request.recipe, &run->request.values)->source : NULL;
  for (int i = 0; run->module && i < run->module->file_count; i++)
    if (!wanted || strcmp(ls_path_base(run->module->files[i]), wanted) == 0) return i;
  return file_of_entry(run);
}

static int line_with(lua_State *L, const Run *run, const char *text) {
  int file = run_query_file(run), line = 1;
  const char *source = file >= 0 && file < run->info.source_count ? run->info.sources[file].text : NULL;
  if (!source) return luaL_error(L, "the source of the kernel is not known");
  const char *found = strstr(source, text);
  if (!found) return luaL_error(L, "no line of %s has '%s' in it", run->module->files[file], text);
  for (const char *p = source; p < found; p++) line += *p == '\n';
  return line;
}

int run_query_line(lua_State *L, int index, const Run *run) {
  if (lua_type(L, index) == LUA_TSTRING) return line_with(L, run, lua_tostring(L, index));
  lua_Integer line = luaL_checkinteger(L, index);
  if (line < 1 || line > INT32_MAX) return luaL_error(L, "there is no line %I", (LUAI_UACINT)line);
  return (int)line;
}

static uint32_t kind_bit(lua_State *L, const char *name) {
  for (int kind = 0; kind < TRACE_KIND_COUNT; kind++)
    if (strcmp(trace_kind_name((TraceKind)kind), name) == 0) return 1u << kind;
  luaL_error(L, "there is no kind of event '%s'", name);
  return 0;
}

static int space_number(lua_State *L, const char *name) {
  for (int space = 0; space < TRACE_SPACE_COUNT; space++)
    if (strcmp(trace_space_name((TraceSpace)space), name) == 0) return space;
  return luaL_error(L, "there is no memory space '%s'", name);
}

// One byte per instruction: 1 if it comes from the line.
static void mark_line(lua_State *L, int table, const Run *run, RunQuery *query) {
  lua_getfield(L, table, "line");
  if (lua_isnil(L, -1)) return;    // nil keeps the stack in shape
  int file = run_query_file(run), line = run_query_line(L, -1, run), at_file, at_line;
  query->pcs = lua_newuserdatauv(L, (size_t)LS_MAX(run->module->code_count, 1), 0);
  lua_remove(L, -2);
  for (int pc = 0; pc < run->module->code_count; pc++)
    query->pcs[pc] = ptx_line_inner(run->module, pc, &at_file, &at_line) && at_file == file && at_line == line;
  query->trace.pcs = query->pcs;
}

void run_query_read(lua_State *L, int index, const Run *run, RunQuery *query) {
  luaL_checktype(L, index, LUA_TTABLE);
  field_check_names(L, index, query_fields, what_query);
  *query = (RunQuery){.space = -1};
  trace_query_init(&query->trace);
  const char *kind = field_string_or(L, index, "kind", NULL, what_query, NULL);
  const char *space = field_string_or(L, index, "space", NULL, what_query, NULL);
  if (kind) query->trace.kinds = kind_bit(L, kind);
  if (space) query->space = space_number(L, space);
  query->trace.warp = (int)field_integer_or(L, index, "warp", -1, what_query);
  query->trace.block = field_integer_or(L, index, "block", -1, what_query);
  query->trace.diverging_only = field_bool(L, index, "diverging", what_query);
  query->nth = field_integer_or(L, index, "nth", 1, what_query);
  if (query->nth < 1) luaL_error(L, "%s: nth counts from 1", what_query);
  mark_line(L, index, run, query);
}

// Kernel parameters are read with loads too, which nobody means who says "the first load".
static bool fits(const RunQuery *query, const TraceEvent *event) {
  bool access = event->kind == TRACE_LOAD || event->kind == TRACE_STORE || event->kind == TRACE_ATOM;
  if (query->space >= 0) return access && event->space == query->space;
  return !access || event->space != TRACE_PARAM || query->trace.kinds == 0;
}

static bool matches_first(const RunQuery *query, const TraceEvent *event) {
  const TraceQuery *trace = &query->trace;
  return (!trace->kinds || trace->kinds & 1u << event->kind) && (trace->block < 0 || trace->block == event->block) &&
         (trace->warp < 0 || trace->warp == event->warp) && (!trace->pcs || trace->pcs[event->pc]) &&
         (!trace->diverging_only || (event->kind == TRACE_BRANCH && event->flags & TRACE_DIVERGES));
}

bool run_query_find(lua_State *L, const Run *run, const RunQuery *query, uint64_t *step, int64_t *count) {
  *count = 0;
  if (!run->trace || trace_steps(run->trace) == 0) return luaL_error(L, "the run was not recorded");
  TraceEvent event;
  uint64_t at = 0;
  LsErr err = {0};
  bool found = trace_event(run->trace, 0, &event, &err);     // a search starts after a step, so the first one is by hand
  bool match = found && event.pc >= 0 && matches_first(query, &event);
  for (int visits = 0; found && visits < VISIT_LIMIT; visits++) {
    script_charge(L, 4);
    if (match && fits(query, &event) && ++*count == query->nth) {
      *step = at;
      return true;
    }
    uint64_t next;
    match = found = trace_find(run->trace, at, 1, &query->trace, &next, &err) &&
        trace_event(run->trace, next, &event, &err);
    at = next;
  }
  return false;
}
