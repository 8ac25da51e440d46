// scene.c: the state at the cursor, gathered once per step: event, warps, lines, values, totals, sentence.
#include <stdlib.h>
#include <string.h>

#include "app/session/scene/scene_impl.h"

// Copies an event with its arrays, which live only until the trace is asked again.
static void keep_event(TraceEvent *to, const TraceEvent *from, uint64_t *addr, uint64_t *value, uint64_t *result,
                       uint8_t *source) {
  *to = *from;
  if (from->addr) to->addr = memcpy(addr, from->addr, 32 * sizeof *addr);
  if (from->value) to->value = memcpy(value, from->value, 32 * sizeof *value);
  if (from->result) to->result = memcpy(result, from->result, 32 * sizeof *result);
  if (from->source) to->source = memcpy(source, from->source, 32 * sizeof *source);
}

static void operand_values(SimReplay *replay, const TraceEvent *event, const PtxInstr *instr, const PtxOperand *operand,
                           uint64_t *out, bool *has) {
  if (operand->kind == PTX_OPD_VEC && operand->elem_count > 0) operand = &operand->elems[0];
  if (operand->kind == PTX_OPD_IMM) {
    for (int lane = 0; lane < 32; lane++) out[lane] = operand->imm;
    *has = true;
  } else if (operand->kind == PTX_OPD_REG || operand->kind == PTX_OPD_SUM) {
    uint32_t written;
    *has = sim_replay_reg(replay, event->warp, instr->func, operand->reg, out, &written);
    for (int lane = 0; lane < 32; lane++) out[lane] += (uint64_t)operand->offset;
  }
}

// What a load brought or a store wrote, from the registers after the event.
static void read_values(Session *session, const TraceEvent *event, SimReplay *replay, uint64_t *value,
                        uint64_t *result, bool *has) {
  const PtxModule *module = session->run->module;
  if (event->kind != TRACE_LOAD && event->kind != TRACE_STORE) return;
  if (!module || event->pc < 0 || event->pc >= module->code_count) return;
  const PtxInstr *instr = &module->code[event->pc];
  if (instr->operand_count < 2) return;
  bool load = event->kind == TRACE_LOAD;
  operand_values(replay, event, instr, &instr->operands[load ? 0 : 1], load ? result : value, has);
}

static Bounds bounds_in_run(const Session *session, const TraceEvent *event) {
  return bounds_of(ses_info(session), session->run->faults, session->run->fault_count, event);
}

static void gather_event(Session *session, Scene *scene) {
  TraceEvent event;
  ses_event_at(session, session->step, &event);   // a damaged place is an event without an instruction
  keep_event(&scene->event, &event, scene->addr, scene->value, scene->result, scene->source);
  scene->bounds = bounds_in_run(session, &scene->event);
  scene->has_values = event.flags & TRACE_VALUES;
}

static bool focus_query(const Session *session, FocusKind focus, TraceQuery *query) {
  trace_query_init(query);
  query->kinds = focus_kinds(focus);
  query->block = session->block;
  query->warp = session->warp;
  query->pcs = code_notable(session->code);
  return query->kinds != 0;
}

// Shared and global accesses are the same kind of event: a few steps over the wrong ones, then it is given up.
enum { FOCUS_TRIES = 400 };

// The last event before the cursor that a picture is for.
static bool find_before(Session *session, FocusKind focus, TraceEvent *event) {
  TraceQuery query;
  uint64_t at = session->step;
  if (!focus_query(session, focus, &query)) return false;
  for (int i = 0; i < FOCUS_TRIES && ses_search(session, at, -1, &query, &at); i++)
    if (ses_event_at(session, at, event) && focus_looks_for(focus, event)) return true;
  return false;
}

bool scene_has_picture(Session *session, FocusKind focus) {
  TraceEvent event;
  if (focus == FOCUS_PROGRAM && !session->run->program) return false;
  if (!focus_kinds(focus)) return true;   // it is not about events
  return (ses_event_at(session, session->step, &event) && focus_shows(focus, &event)) ||
      find_before(session, focus, &event);
}

static void find_focus(Session *session, Scene *scene) {
  TraceEvent event;
  scene->has_focus = focus_shows(session->focus, &scene->event);
  if (scene->has_focus) {
    scene->focus = scene->event;
  } else if (find_before(session, session->focus, &event)) {
    scene->has_focus = true;
    keep_event(&scene->focus, &event, scene->focus_addr, scene->focus_value, scene->focus_result, scene->focus_source);
  }
}

static void gather_focus(Session *session, Scene *scene) {
  find_focus(session, scene);
  scene->focus_bounds = scene->has_focus ? bounds_in_run(session, &scene->focus) : (Bounds){0};
}

static void gather_warps(Session *session, Scene *scene) {
  scene->warp_count = ses_warps(session);
  memset(scene->warps, 0, sizeof scene->warps);
  if (!trace_warps(session->run->trace, session->step, scene->warps, NULL)) scene->warp_count = 0;
  for (int w = 0; w < 32; w++) {
    int pc = w < scene->warp_count ? scene->warps[w].pc : -1;
    if (pc >= 0 && code_line(session->code, pc) <= 0) pc = ses_lined_pc(session, w, session->step);
    scene->warp_line[w] = code_line(session->code, pc);
  }
}

// Line of the event; code without a line of its own belongs to the line its warp was on.
static void gather_line(Session *session, Scene *scene) {
  const SesCode *code = session->code;
  int pc = ses_lined_pc(session, scene->event.warp, session->step);
  scene->line = code_line(code, pc);
  if (pc >= 0) scene->file = code_file(code, pc);
  if (pc >= 0 || session->scene->made) return;
  for (int i = 0; i < code_count(code) && scene->file == 0; i++)
    if (code_line(code, i) > 0) scene->file = code_file(code, i);
}

// Totals of a long saved trace become known bit by bit; until then they are asked for again.
static void gather_totals(Session *session, Scene *scene) {
  memset(&scene->so_far, 0, sizeof scene->so_far);
  scene->so_far_known = run_totals_at(session->run, session->step, &scene->so_far);
}

static void gather_values(Session *session, Scene *scene) {
  SimReplay *replay;
  if (!scene_seek_warp(session, session->step, scene->event.warp, &replay)) return;
  if (!(scene->event.flags & TRACE_VALUES)) {
    read_values(session, &scene->event, replay, scene->value, scene->result, &scene->has_values);
    if (scene->has_values && scene->event.kind == TRACE_STORE) scene->event.value = scene->value;
    if (scene->has_values && scene->event.kind == TRACE_LOAD) scene->event.result = scene->result;
    if (scene->has_focus && scene->focus.step == session->step) scene->focus = scene->event;
  }
}

// What is not of a step: totals that are known by now, another picture.
static void refresh(Session *session, Scene *scene) {
  if (!scene->so_far_known) gather_totals(session, scene);
  if (!scene->has_focus || !focus_looks_for(session->focus, &scene->focus)) gather_focus(session, scene);
  scene_renew_words(session);
  scene_picture_words(session);
}

static void gather(Session *session, Scene *scene, bool same_step) {
  scene->values_pending = false;
  scene->astray[0] = 0;
  if (!same_step) {
    gather_event(session, scene);
    gather_warps(session, scene);
    gather_line(session, scene);
  }
  gather_focus(session, scene);
  scene_gather_vars(session);
  gather_values(session, scene);
  scene_gather_arrays(session);
  if (!same_step) {
    scene_event_words(session);
    gather_totals(session, scene);
  }
  scene->step = session->step;
}

const Scene *ses_scene(Session *session) {
  SceneState *state = session->scene;
  Scene *scene = &state->scene;
  if (session->steps == 0) return NULL;
  bool same_step = state->made && scene->step == session->step;
  bool same_warp = state->warp == session->warp && state->lane == session->lane;
  if (same_step && same_warp && !state->go_on) {
    refresh(session, scene);
    return scene;
  }
  state->go_on = false;
  gather(session, scene, same_step);
  state->made = true;
  state->warp = session->warp;
  state->lane = session->lane;
  scene_picture_words(session);
  return scene;
}

bool scene_is_pending(const Session *session) { return session->steps && scene_of(session)->values_pending; }

void scene_go_on(Session *session) {
  session->scene->go_on = true;
  ses_scene(session);
}

bool scene_counts(const Session *session) { return session->steps && !scene_of(session)->so_far_known; }

SceneState *scene_new(Session *session) {
  SceneState *state = ls_alloc(sizeof *state);
  state->vars = scene_vars_new();
  state->arrays = scene_arrays_new(session);
  state->words = scene_words_new();
  return state;
}

void scene_free(SceneState *state) {
  if (!state) return;
  scene_vars_free(state->vars);
  scene_arrays_free(state->arrays);
  scene_words_free(state->words);
  free(state);
}
