// scene.c: the state at the cursor, gathered once per step: event, warps, lines, values, totals, sentence.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/session_impl.h"

void scene_clear(Session *session) {
  SesImpl *impl = ses_impl(session);
  impl->scene_made = impl->vars_made = false;
  impl->slot_count = impl->fixed_arrays = impl->array_count = 0;
  impl->slot_func = -1;
  free(impl->vars_now);
  free(impl->vars_before);
  free(impl->vars_shown);
  free(impl->arrays);
  free(impl->words);
  impl->words = NULL;
  impl->word_count = impl->word_capacity = 0;
  impl->vars_now = impl->vars_before = impl->vars_shown = NULL;
  impl->arrays = NULL;
  impl->array_capacity = 0;
  memset(&impl->scene, 0, sizeof impl->scene);
  impl->picture_key = (struct PictureKey){.kind = -1};
}

// Copies an event with its arrays, which live only until the trace is asked again.
static void keep_event(TraceEvent *to, const TraceEvent *from, uint64_t *addr, uint64_t *value, uint64_t *result, uint8_t *source) {
  *to = *from;
  if (from->addr) to->addr = memcpy(addr, from->addr, 32 * sizeof *addr);
  if (from->value) to->value = memcpy(value, from->value, 32 * sizeof *value);
  if (from->result) to->result = memcpy(result, from->result, 32 * sizeof *result);
  if (from->source) to->source = memcpy(source, from->source, 32 * sizeof *source);
}

bool scene_seek(Session *session, uint64_t step, SimReplay **replay) {
  return scene_seek_warp(session, step, session->warp, replay);
}

bool scene_seek_warp(Session *session, uint64_t step, int warp, SimReplay **replay) {
  Scene *scene = &ses_impl(session)->scene;
  LsErr err = {0};
  const TraceBlock *block = ses_block(session);
  if (scene->values_pending) return false;   // this turn's time is spent
  *replay = block ? run_seek(session->run, block, step, warp, session->patience, &err) : NULL;
  if (*replay) return true;
  if (block && err.kind == LS_ECANCEL) scene->values_pending = true;
  if (err.kind == LS_EUNSUPPORTED) snprintf(scene->astray, sizeof scene->astray, "%.250s", err.message);
  if (!scene->why_not[0])
    snprintf(scene->why_not, sizeof scene->why_not, "%.250s",
             scene->values_pending ? "on the way there ..." : err.message[0] ? err.message : "this run cannot be executed again");
  return false;
}

static void operand_values(SimReplay *replay, const TraceEvent *event, const PtxInstr *instr, const PtxOperand *operand,
                           uint64_t *out, bool *has) {
  if (operand->kind == PTX_OPD_VEC && operand->elem_count > 0) operand = &operand->elems[0];
  if (operand->kind == PTX_OPD_IMM) {
    for (int lane = 0; lane < 32; lane++) out[lane] = operand->imm;
    *has = true;
  } else if (operand->kind == PTX_OPD_REG) {
    uint32_t written;
    *has = sim_replay_reg(replay, event->warp, instr->func, operand->reg, out, &written);
  }
}

// What a load brought or a store wrote, from the registers after the event.
void scene_values(Session *session, const TraceEvent *event, SimReplay *replay, uint64_t *value, uint64_t *result, bool *has) {
  const PtxModule *module = session->run->module;
  if (event->kind != TRACE_LOAD && event->kind != TRACE_STORE) return;
  if (!module || event->pc < 0 || event->pc >= module->code_count) return;
  const PtxInstr *instr = &module->code[event->pc];
  if (instr->operand_count < 2) return;
  bool load = event->kind == TRACE_LOAD;
  operand_values(replay, event, instr, &instr->operands[load ? 0 : 1], load ? result : value, has);
}

static void gather_event(Session *session, Scene *scene) {
  TraceEvent event;
  ses_event_at(session, session->step, &event);   // a damaged place is an event without an instruction
  keep_event(&scene->event, &event, scene->addr, scene->value, scene->result, scene->source);
  scene->has_values = event.flags & TRACE_VALUES;
}

static bool focus_query(const Session *session, FocusKind focus, TraceQuery *query) {
  trace_query_init(query);
  query->kinds = focus_kinds(focus);
  query->block = session->block;
  query->warp = session->warp;
  query->pcs = ((SesImpl *)session->impl)->notable;
  return query->kinds != 0;
}

// Shared and global accesses are the same kind of event: a few steps over the wrong ones, then it is given up.
enum { FOCUS_TRIES = 400 };

static void gather_focus(Session *session, Scene *scene) {
  TraceEvent event;
  TraceQuery query;
  uint64_t at = session->step;
  scene->has_focus = false;
  if (focus_shows(session->focus, &scene->event)) {
    scene->has_focus = true;
    scene->focus = scene->event;
    return;
  }
  if (!focus_query(session, session->focus, &query)) return;
  for (int i = 0; i < FOCUS_TRIES && ses_search(session, at, -1, &query, &at); i++) {
    if (!ses_event_at(session, at, &event) || !focus_looks_for(session->focus, &event)) continue;
    keep_event(&scene->focus, &event, scene->focus_addr, scene->focus_value, scene->focus_result, scene->focus_source);
    scene->has_focus = true;
    return;
  }
}

static void gather_warps(Session *session, Scene *scene) {
  SesImpl *impl = ses_impl(session);
  scene->warp_count = ses_warps(session);
  memset(scene->warps, 0, sizeof scene->warps);
  if (!trace_warps(session->run->trace, session->step, scene->warps, NULL)) scene->warp_count = 0;
  for (int w = 0; w < 32; w++) {
    int pc = w < scene->warp_count ? scene->warps[w].pc : -1;
    bool lined = pc >= 0 && pc < impl->code_count && impl->pc_line[pc] > 0;
    if (pc >= 0 && !lined) pc = scene_lined_pc(session, w, session->step);
    scene->warp_line[w] = pc >= 0 ? impl->pc_line[pc] : 0;
  }
}

// Line of the event; code without a line of its own belongs to the line its warp was on.
static void gather_line(Session *session, Scene *scene) {
  SesImpl *impl = ses_impl(session);
  int pc = scene_lined_pc(session, scene->event.warp, session->step);
  scene->line = pc >= 0 ? impl->pc_line[pc] : 0;
  if (pc >= 0) scene->file = impl->pc_file[pc];
  if (pc >= 0 || impl->scene_made) return;
  for (int i = 0; i < impl->code_count && scene->file == 0; i++)
    if (impl->pc_line[i] > 0) scene->file = impl->pc_file[i];
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
    scene_values(session, &scene->event, replay, scene->value, scene->result, &scene->has_values);
    if (scene->has_values && scene->event.kind == TRACE_STORE) scene->event.value = scene->value;
    if (scene->has_values && scene->event.kind == TRACE_LOAD) scene->event.result = scene->result;
    if (scene->has_focus && scene->focus.step == scene->step) scene->focus = scene->event;
  }
}

const Scene *ses_scene(Session *session) {
  SesImpl *impl = ses_impl(session);
  Scene *scene = &impl->scene;
  if (session->steps == 0) return NULL;
  bool same_step = impl->scene_made && scene->step == session->step;
  bool same_warp = impl->scene_warp == session->warp && impl->scene_lane == session->lane;
  if (same_step && same_warp && !impl->go_on) {
    if (!scene->so_far_known) gather_totals(session, scene);
    if (!scene->has_focus || !focus_looks_for(session->focus, &scene->focus)) gather_focus(session, scene);
    scene_picture_words(session);
    return scene;
  }
  scene->values_pending = impl->go_on = false;
  scene->astray[0] = 0;
  if (!same_step) {
    gather_event(session, scene);
    gather_warps(session, scene);
    gather_line(session, scene);
  }
  gather_focus(session, scene);
  scene_vars(session);
  gather_values(session, scene);
  scene_arrays(session);
  if (!same_step) {
    scene_event_words(session);
    gather_totals(session, scene);
  }
  scene->step = session->step;
  impl->scene_made = true;
  impl->scene_warp = session->warp;
  impl->scene_lane = session->lane;
  scene_picture_words(session);
  return scene;
}
