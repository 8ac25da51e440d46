// scene_vars.c: variables of the shown warp by name, each lane at its own place in the code.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/scene/scene_impl.h"

enum { MAX_SLOTS = 512, MAX_FIELDS = 16 };

struct SceneVars {
  LsArena *arena;                   // names of fields
  VarSlot *slots; int slot_count;
  int func;                         // that the slots are of
  SceneVar *now, *before, *shown;   // slot_count each
  bool made; int made_func;         // now holds what was read last, of this function
};

SceneVars *scene_vars_new(void) {
  SceneVars *vars = ls_alloc(sizeof *vars);
  vars->arena = ls_arena_new();
  vars->slots = LS_NEW_ARRAY(vars->arena, VarSlot, MAX_SLOTS);
  vars->func = -1;
  return vars;
}

void scene_vars_free(SceneVars *vars) {
  ls_arena_free(vars->arena);
  free(vars->now);
  free(vars->before);
  free(vars->shown);
  free(vars);
}

int scene_vars_func(const Session *session) { return session->scene->vars->func; }

const VarSlot *scene_slots(const Session *session, int *count) {
  *count = session->scene->vars->slot_count;
  return session->scene->vars->slots;
}

static bool scalar(const PtxDwType *type) {
  return type && type->kind != PTX_DW_STRUCT && type->kind != PTX_DW_ARRAY && type->size >= 1 && type->size <= 8;
}

static void add_slot(SceneVars *vars, const PtxDwVar *dw, const char *name, const PtxDwType *type, int64_t offset) {
  if (vars->slot_count >= MAX_SLOTS || !scalar(type)) return;
  VarSlot *slot = &vars->slots[vars->slot_count++];
  *slot = (VarSlot){name, type->name ? type->name : "", dw, offset, type->kind, (uint8_t)type->size};
}

static void add_fields(SceneVars *vars, const PtxDwVar *dw, const PtxDwType *type) {
  for (int i = 0; i < type->field_count && i < MAX_FIELDS; i++) {
    const PtxDwField *field = &type->fields[i];
    if (!field->name || !scalar(field->type)) continue;
    add_slot(vars, dw, ls_arena_format(vars->arena, "%s.%s", dw->name, field->name), field->type, field->offset);
  }
}

// A function sees its own variables and those of the whole file.
static bool seen_from(const PtxDwVar *dw, int func) { return dw->func == func || (dw->func < 0 && dw->place_count > 0); }

// Of a function that another file, as a header of the toolkit, had inlined here.
static bool from_elsewhere(const PtxModule *module, const PtxDwVar *dw) {
  int file, line, home;
  if (!dw->inlined || dw->func < 0 || dw->scope_first < 0 || dw->scope_first >= module->code_count) return false;
  return ptx_line_inner(module, dw->scope_first, &file, &line) &&
         ptx_line_of(module, module->funcs[dw->func].first, &home, &line) &&
         file != home;
}

enum { RANK_OWN, RANK_PARAM, RANK_ELSEWHERE, RANK_COUNT };

static int rank_of(const PtxModule *module, const PtxDwVar *dw) {
  return from_elsewhere(module, dw) ? RANK_ELSEWHERE : dw->is_param ? RANK_PARAM : RANK_OWN;
}

// The scalars of a function in order of declaration, then its parameters, which are less news, and those of headers last.
static void collect_slots(Session *session, int func) {
  SceneVars *vars = session->scene->vars;
  const PtxDebugInfo *info = session->run->module ? session->run->module->debuginfo : NULL;
  vars->slot_count = 0;
  vars->func = func;
  vars->made = false;
  for (int rank = 0; info && rank < RANK_COUNT; rank++)
    for (int i = 0; i < info->var_count; i++) {
      const PtxDwVar *dw = &info->vars[i];
      if (!seen_from(dw, func) || !dw->type || !dw->name || rank_of(session->run->module, dw) != rank) continue;
      if (dw->type->kind == PTX_DW_STRUCT) add_fields(vars, dw, dw->type);
      else add_slot(vars, dw, dw->name, dw->type, 0);
    }
  size_t room = (size_t)vars->slot_count + 1;
  vars->now = ls_realloc(vars->now, room * sizeof(SceneVar));
  vars->before = ls_realloc(vars->before, room * sizeof(SceneVar));
  vars->shown = ls_realloc(vars->shown, room * sizeof(SceneVar));
}

// Where every lane of the shown warp stands: the instruction it would execute next, or its last one if it has ended. A
// lane inside a wrapper of the toolkit stands, for people, at the call.
static void lane_places(Session *session, SimReplay *replay, uint64_t step, int next[32]) {
  const PtxModule *module = session->run->module;
  SimGroup groups[32];
  int home = -2;
  for (int lane = 0; lane < 32; lane++) next[lane] = scene_of(session)->warps[session->warp].lane_pc[lane];
  int count = sim_replay_groups(replay, session->warp, groups, 32);
  for (int g = 0; g < LS_MIN(count, 32); g++) {
    int pc = groups[g].pc;
    if (pc < 0 || pc >= module->code_count) continue;
    if (code_is_foreign(session->code, module->code[pc].func)) {
      if (home == -2) home = ses_lined_pc(session, session->warp, step);
      pc = home;
    }
    for (int lane = 0; lane < 32; lane++)
      if (groups[g].mask >> lane & 1) next[lane] = pc;
  }
}

static TraceSpace trace_space(PtxPlaceKind kind) {
  switch (kind) {
    case PTX_PLACE_SHARED: return TRACE_SHARED;
    case PTX_PLACE_GLOBAL: return TRACE_GLOBAL;
    case PTX_PLACE_CONST: return TRACE_CONST;
    case PTX_PLACE_PARAM: return TRACE_PARAM;
    default: return TRACE_LOCAL;
  }
}

static bool read_scalar(SimReplay *replay, TraceSpace space, uint32_t thread, uint64_t addr, int size, uint64_t *bits) {
  uint8_t bytes[8] = {0}, init[8] = {0};
  if (sim_replay_read(replay, space, thread, addr, (uint64_t)size, bytes, init) != (uint64_t)size) return false;
  for (int i = 0; i < size; i++)
    if (!init[i] && space != TRACE_PARAM) return false;
  memcpy(bits, bytes, sizeof bytes);
  return true;
}

static void read_memory(Session *session, SimReplay *replay, const VarSlot *slot, const PtxPlace *place, uint32_t lanes,
                        SceneVar *var) {
  uint64_t addr;
  if (!sim_replay_var(replay, place->var, &addr)) return;
  addr += (uint64_t)(place->offset + slot->offset);
  TraceSpace space = trace_space((PtxPlaceKind)place->kind);
  uint64_t bits = 0;
  bool same = space != TRACE_LOCAL, known = false;
  for (int lane = 0, first = 1; lane < 32; lane++) {
    if (!(lanes >> lane & 1)) continue;
    if (first || !same) known = read_scalar(replay, space, (uint32_t)(session->warp * 32 + lane), addr, slot->size, &bits);
    first = 0;
    if (!known) continue;
    var->bits[lane] = bits;
    var->valid |= 1u << lane;
  }
}

static void read_place(Session *session, SimReplay *replay, const VarSlot *slot, const PtxPlace *place, uint32_t lanes,
                       SceneVar *var) {
  if (place->kind != PTX_PLACE_REG) {
    read_memory(session, replay, slot, place, lanes, var);
    return;
  }
  uint64_t values[32];
  uint32_t written = 0;
  if (!sim_replay_reg(replay, session->warp, slot->dw->func, place->reg, values, &written)) return;
  uint64_t keep = slot->size < 8 ? (1ull << 8 * slot->size) - 1 : UINT64_MAX;
  for (int lane = 0; lane < 32; lane++) {
    if (!(lanes & written & 1u << lane)) continue;
    var->bits[lane] = values[lane] & keep;
    var->valid |= 1u << lane;
  }
}

// The block of a function's own body opens behind its prologue; for people its variables are there from the first line.
static bool visible_at(Session *session, const PtxDwVar *dw, int pc) {
  if (pc < 0 || dw->func < 0) return pc >= 0;
  return ptx_var_in_scope(dw, pc) || (dw->depth <= 1 && session->run->module->code[pc].func == dw->func);
}

// Lanes may stand at different instructions: each is read from the place that holds where it stands.
static void read_var(Session *session, SimReplay *replay, const VarSlot *slot, const int next[32], SceneVar *var) {
  *var = (SceneVar){.name = slot->name, .type = slot->type, .kind = slot->kind, .size = slot->size, .is_param = slot->dw->is_param};
  const PtxPlace *places[32];
  for (int lane = 0; lane < 32; lane++) {
    bool sees = visible_at(session, slot->dw, next[lane]);
    places[lane] = sees ? ptx_var_place(slot->dw, next[lane]) : NULL;
    if (sees) var->in_scope = true;
  }
  uint32_t left = UINT32_MAX;
  for (int lane = 0; lane < 32; lane++) {
    if (!(left >> lane & 1) || !places[lane]) continue;
    uint32_t lanes = 0;
    for (int other = lane; other < 32; other++)
      if (places[other] == places[lane]) lanes |= 1u << other;
    read_place(session, replay, slot, places[lane], lanes, var);
    left &= ~lanes;
  }
}

static void read_vars(Session *session, SimReplay *replay, uint64_t step, SceneVar *out) {
  const SceneVars *vars = session->scene->vars;
  int next[32];
  lane_places(session, replay, step, next);
  for (int i = 0; i < vars->slot_count; i++) read_var(session, replay, &vars->slots[i], next, &out[i]);
}

// The function whose variables are shown: where the warp's running lanes stand, or where it was last.
static int shown_func(Session *session, SimReplay *replay) {
  const PtxModule *module = session->run->module;
  const TraceWarp *warp = &scene_of(session)->warps[session->warp];
  int next[32], pc = warp->pc;
  lane_places(session, replay, session->step, next);
  for (int lane = 0; lane < 32; lane++)
    if ((warp->active >> lane & 1) && next[lane] >= 0) {
      pc = next[lane];
      break;
    }
  if (pc < 0 || pc >= module->code_count) return session->run->entry;
  return module->code[pc].func;
}

static void mark_changes(SceneVars *vars, const TraceEvent *event, bool have_before) {
  for (int i = 0; i < vars->slot_count; i++) {
    SceneVar *now = &vars->now[i];
    now->changed = 0;
    for (int lane = 0; have_before && lane < 32; lane++) {
      const SceneVar *old = &vars->before[i];
      uint32_t bit = 1u << lane;
      if ((now->valid & bit) && (!(old->valid & bit) || old->bits[lane] != now->bits[lane])) now->changed |= bit;
    }
    if (!now->is_param) now->changed &= event->mask;
    else now->changed = 0;
  }
}

// One row per name: of several scopes with the same name the innermost one that is open.
static int choose_rows(SceneVars *vars) {
  int count = 0;
  for (int i = 0; i < vars->slot_count; i++) {
    const SceneVar *var = &vars->now[i];
    int at = 0;
    while (at < count && strcmp(vars->shown[at].name, var->name) != 0) at++;
    if (at == count) vars->shown[count++] = *var;
    else if (var->in_scope && (var->valid || !vars->shown[at].valid)) vars->shown[at] = *var;
  }
  return count;
}

// Compiled code names no values; what brings the names back depends on what is shown.
static const char *way_to_names(const Session *session) {
  const RunRequest *request = &session->run->request;
  if (ls_ends_with(request->what ? request->what : "", ".ptx")) return "this PTX has no names for values: nvcc -ptx -G writes them";
  if (!request->recipe && !session->run->device)   // a saved trace
    return "compiled code has no names for values: lanescope trace --code written keeps them";
  return "compiled code has no names for values: press o for the kernel as written";
}

static bool no_names(Session *session) {
  Scene *scene = scene_of(session);
  const PtxModule *module = session->run->module;
  const char *why = NULL;
  if (!module) why = "the PTX of this run is not known";
  else if (!module->debuginfo || !module->debug) why = way_to_names(session);
  if (why) snprintf(scene->why_not, sizeof scene->why_not, "%s", why);
  return why != NULL;
}

// Values before the event: what was just shown where that is the event before, else from the replay.
static bool values_before(Session *session) {
  SceneVars *vars = session->scene->vars;
  Scene *scene = scene_of(session);
  SimReplay *replay;
  if (scene->event.warp != session->warp) return false;
  bool kept = vars->made && session->scene->made && scene->step + 1 == session->step && session->scene->warp == session->warp &&
              vars->made_func == vars->func;
  if (kept) {
    memcpy(vars->before, vars->now, sizeof(SceneVar) * (size_t)vars->slot_count);
    return true;
  }
  if (!scene_seek(session, session->step - 1, &replay)) return false;
  read_vars(session, replay, session->step - 1, vars->before);
  return true;
}

void scene_gather_vars(Session *session) {
  SceneVars *vars = session->scene->vars;
  Scene *scene = scene_of(session);
  SimReplay *replay;
  scene->vars = NULL;
  scene->var_count = 0;
  scene->values_known = false;
  scene->why_not[0] = 0;
  if (no_names(session)) return;
  int func = vars->func;
  // The function is known only at the step itself; the values before it are read first to go through time once.
  bool have_before = func >= 0 && values_before(session);
  if (!scene_seek(session, session->step, &replay)) return;
  func = shown_func(session, replay);
  if (func != vars->func) {
    collect_slots(session, func);
    have_before = values_before(session);
    if (!scene_seek(session, session->step, &replay)) return;
  }
  read_vars(session, replay, session->step, vars->now);
  mark_changes(vars, &scene->event, have_before);
  vars->made_func = func;
  vars->made = true;
  scene->vars = vars->shown;
  scene->var_count = choose_rows(vars);
  scene->values_known = true;
}
