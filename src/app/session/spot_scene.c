// spot_scene.c: a place of the explorer as a scene of a demo, in Lua.
#include "app/session/spot_scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/session_parts.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/output.h"

enum { FILE_LIMIT = 1 << 20, VISITS = 100000, LEAST_TEXT = 4 };

// ---- Lua ------------------------------------------------------------------------------------------------------------

static void add_text(const char *text, LsText *out) {
  ls_text_addc(out, '"');
  for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
    if (*p < ' ') ls_text_addf(out, "\\%03d", *p);
    else ls_text_addf(out, *p == '"' || *p == '\\' ? "\\%c" : "%c", *p);
  }
  ls_text_addc(out, '"');
}

static void add_field(const char *name, const char *text, LsText *out) {
  ls_text_addf(out, ", %s = ", name);
  add_text(text, out);
}

static void add_number(const char *name, uint64_t number, LsText *out) {
  ls_text_addf(out, ", %s = %" PRIu64, name, number);
}

// ---- the run --------------------------------------------------------------------------------------------------------

static bool can_be_shown(const RunRequest *request, LsErr *err) {
  if (!request->recipe)
    return ls_fail(err, LS_EREQUEST, "a demo shows lecture kernels; this is a run of %s", LS_QUOTE(request->what));
  if (request->text) return ls_fail(err, LS_EREQUEST, "a demo shows the kernel's own code, and this is another one");
  if (request->launch_name) return ls_fail(err, LS_EREQUEST, "a demo cannot show a launch that a kernel makes");
  if (request->blocks)
    return ls_fail(err, LS_EREQUEST, "a demo cannot say which blocks are recorded: :set blocks= and add the scene again");
  return true;
}

static void add_values(const RunRequest *request, LsText *out) {
  const Recipe *recipe = request->recipe;
  RecipeValues usual;
  int count = 0;
  recipe_defaults(recipe, &usual);
  for (int i = 0; i < recipe->param_count; i++) {
    if (request->values.value[i] == usual.value[i]) continue;
    LsText value = {0};
    int64_t number;
    recipe_value_text(&recipe->params[i], request->values.value[i], &value);
    bool form = i == 0 && recipe_has_forms(recipe);
    if (form) {
      add_field("form", ls_text_str(&value), out);
    } else {
      ls_text_addf(out, "%s%s = ", count++ ? ", " : ", params = { ", recipe->params[i].name);
      if (ls_parse_i64(ls_text_str(&value), &number)) ls_text_add(out, ls_text_str(&value));
      else add_text(ls_text_str(&value), out);
    }
    ls_text_free(&value);
  }
  if (count) ls_text_add(out, " }");
}

// As a scene makes it if nothing is said.
static void add_how(const RunRequest *request, LsText *out) {
  RunRequest usual;
  run_request_init(&usual);
  usual.recipe = request->recipe;
  usual.cut = DEV_WRITTEN;
  run_request_use_cut(&usual);
  bool emulated = strcmp(request->device, "auto") == 0 || strcmp(request->device, "emu") == 0;
  if (!emulated) add_field("device", request->device, out);
  if ((emulated || request->cut_given) && request->cut != usual.cut)
    add_field("cut", request->cut == DEV_WRITTEN ? "written" : "compiled", out);
  if (request->sched == SIM_STACK) add_field("sched", "stack", out);
  if (request->order_given) add_field("order", request->order == SIM_WHOLE ? "whole" : "turns", out);
  if (strcmp(request->profile, usual.profile) != 0) add_field("profile", request->profile, out);
  if (request->seed != usual.seed) add_number("seed", request->seed, out);
  if (request->launch_number) add_number("launch", (uint64_t)request->launch_number, out);
  if (request->order_of) add_field("order_of", request->order_of, out);
  run_request_fini(&usual);
}

static void add_run(const RunRequest *request, LsText *out) {
  ls_text_add(out, "kernel = ");
  add_text(request->recipe->name, out);
  add_values(request, out);
  add_how(request, out);
}

// ---- the step -------------------------------------------------------------------------------------------------------

// One byte for each instruction that comes from the line; false: it is not in the file that a demo's lines are of.
static bool mark_line(const Run *run, int pc, uint8_t *pcs, int *line) {
  const char *source = recipe_form(run->request.recipe, &run->request.values)->source;
  int file, at_file, at_line;
  if (!source || !ptx_line_inner(run->module, pc, &file, line)) return false;
  if (strcmp(ls_path_base(run->module->files[file]), source) != 0) return false;
  for (int i = 0; i < run->module->code_count; i++)
    pcs[i] = ptx_line_inner(run->module, i, &at_file, &at_line) && at_file == file && at_line == *line;
  return true;
}

static bool is_access(const TraceEvent *event) {
  return event->kind == TRACE_LOAD || event->kind == TRACE_STORE || event->kind == TRACE_ATOM;
}

static bool is_like(const TraceEvent *event, const TraceQuery *query, const TraceEvent *wanted) {
  bool same = event->pc >= 0 && query->pcs[event->pc] && event->kind == wanted->kind;
  return same && (!is_access(event) || event->space == wanted->space);
}

// Which one it is of the events of its line, kind and space, from 1; 0: too far on.
static uint64_t count_visits(const Run *run, uint64_t step, const TraceQuery *query, const TraceEvent *wanted) {
  LsErr err = {0};
  TraceEvent event;
  uint64_t visits = 0, at = 0;
  for (int looked = 0; at <= step && looked < VISITS; looked++) {
    if (!trace_event(run->trace, at, &event, &err)) return 0;
    visits += is_like(&event, query, wanted);
    if (at == step) return visits;
    if (!trace_find(run->trace, at, 1, query, &at, &err)) return 0;
  }
  return 0;
}

// A piece of the line that no line before it has, as a demo looks for it; false: its number has to do.
static bool line_words(Session *session, int line, LsText *out) {
  const char *const *lines, *path;
  int count = ses_source_lines(session, &lines, &path);
  if (line > count) return false;
  const char *text = lines[line - 1] + strspn(lines[line - 1], " \t");
  if (strlen(text) < LEAST_TEXT) return false;
  for (int i = 0; i < line - 1; i++)
    if (strstr(lines[i], text)) return false;
  ls_text_add(out, text);
  return true;
}

static bool add_line(Session *session, LsText *out) {
  const Run *run = session->run;
  const TraceEvent *event = &ses_scene(session)->event;
  int line = 0;
  if (!run->module || event->pc < 0) return false;
  uint8_t *pcs = ls_alloc((size_t)run->module->code_count + 1);
  TraceQuery query;
  trace_query_init(&query);
  query.pcs = pcs;
  query.kinds = 1u << event->kind;
  bool known = mark_line(run, event->pc, pcs, &line);
  uint64_t nth = known ? count_visits(run, session->step, &query, event) : 0;
  free(pcs);
  if (!nth) return false;
  LsText words = {0};
  ls_text_add(out, ",\n        at = { line = ");
  if (line_words(session, line, &words)) add_text(ls_text_str(&words), out);
  else ls_text_addf(out, "%d", line);
  add_field("kind", trace_kind_name((TraceKind)event->kind), out);
  if (is_access(event)) add_field("space", trace_space_name((TraceSpace)event->space), out);
  if (nth > 1) add_number("nth", nth, out);
  ls_text_add(out, " }");
  ls_text_free(&words);
  return true;
}

// ---- what is shown --------------------------------------------------------------------------------------------------

static void add_shown(Session *session, LsText *out) {
  Session *fresh = ses_new(run_share(session->run));
  ses_go(fresh, session->step);
  bool other_warp = session->warp != fresh->warp;   // a pane that follows the event takes the warp along
  if (!session->focus_auto || other_warp) add_field("focus", focus_name(session->focus), out);
  if (session->variant[session->focus]) add_number("variant", (uint64_t)session->variant[session->focus], out);
  if (other_warp) add_number("warp", (uint64_t)session->warp, out);
  if (session->lane >= 0) add_number("lane", (uint64_t)session->lane, out);
  if (session->margin_chosen) add_field("margin", ses_margin_name(session->margin), out);
  if (session->zoom) ls_text_add(out, ", zoom = true");
  if (session->show_ptx) ls_text_add(out, ", ptx = true");
  if (session->hex) ls_text_add(out, ", hex = true");
  ses_free(fresh);
}

static void add_other(const Session *session, LsText *out) {
  ls_text_add(out, ",\n        compare = { ");
  add_run(&session->other->request, out);
  ls_text_add(out, " }");
  if (session->other_label[0]) add_field("label", session->other_label, out);
}

bool spot_scene(Session *session, LsText *out, LsErr *err) {
  if (!can_be_shown(&session->run->request, err)) return false;
  if (session->other && !can_be_shown(&session->other->request, err)) return false;
  if (!session->steps) return ls_fail(err, LS_EREQUEST, "nothing was recorded, so there is no place to show");
  ls_text_add(out, "scene { ");
  add_run(&session->run->request, out);
  if (!add_line(session, out)) ls_text_addf(out, ",\n        at = %" PRIu64, session->step);
  add_shown(session, out);
  if (session->other) add_other(session, out);
  if (session->stage) ls_text_add(out, ", big = true");
  ls_text_add(out, " }\n");
  return true;
}

// ---- the file -------------------------------------------------------------------------------------------------------

static bool is_demo(const char *text) {
  for (const char *p = text; p; p = (p = strchr(p, '\n')) ? p + 1 : NULL) {
    p += strspn(p, " \t");
    if (ls_starts_with(p, "demo") && strchr(" {(\t", p[strlen("demo")])) return true;
  }
  return false;
}

static bool old_text(const char *path, LsText *out, LsErr *err) {
  if (!ls_file_exists(path)) {
    ls_text_add(out, "demo { title = ");
    add_text(ls_path_base(path), out);
    ls_text_add(out, ", minutes = 3 }\n");
    return true;
  }
  char *text = ls_file_read(path, FILE_LIMIT, NULL, err);
  if (!text) return false;
  bool ok = is_demo(text) || ls_fail(err, LS_EREQUEST, "%s is no demo: there is no demo { ... } in it", LS_QUOTE_PATH(path));
  if (ok) ls_text_add(out, text);
  if (ok && out->length && out->data[out->length - 1] != '\n') ls_text_addc(out, '\n');
  free(text);
  return ok;
}

bool spot_scene_append(Session *session, const char *path, LsErr *err) {
  LsText text = {0};
  bool ok = old_text(path, &text, err) && spot_scene(session, &text, err) &&
            ls_output_write(path, ls_text_str(&text), text.length, err);
  ls_text_free(&text);
  return ok;
}
