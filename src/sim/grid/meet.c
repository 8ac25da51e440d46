// meet.c: lanes of a warp that meet on a member mask: they wait until all that the mask names are there.
#include "sim/grid/meet.h"
#include <string.h>
#include "sim/check/fault.h"
#include "sim/core/place.h"
#include "sim/core/sched.h"

uint32_t sim_members_of(SimExec *exec, const SimWarpOp *op, uint32_t lane) {
  return op->members == SIM_NO_SLOT ? SIM_FULL : sim_u32(exec->regs, op->members)[lane];
}

// Groups that wait with the same members for the same operation; any bar.warp.sync meets any other.
static bool waits_here(const SimExec *exec, const SimLanes *g, const SimLanes *other) {
  if (other->state != SIM_GROUP_SYNC || other->members != g->members) return false;
  return other->pc == g->pc ||
         (exec->code[other->pc].kind == TRACE_SYNCWARP && exec->code[g->pc].kind == TRACE_SYNCWARP);
}

static uint32_t lanes_there(const SimExec *exec, const SimWarp *w, const SimLanes *g) {
  uint32_t lanes = g->mask;
  for (int i = 0; i < w->group_count; i++) if (waits_here(exec, g, &w->groups[i])) lanes |= w->groups[i].mask;
  return lanes;
}

// Lanes that ended may have been the last that a group waited for: it tries again.
void sim_sync_recheck(SimExec *exec, SimWarp *w) {
  for (int i = 0; i < w->group_count; i++) {
    SimLanes *g = &w->groups[i];
    if (g->state == SIM_GROUP_SYNC && !(g->members & w->live & ~lanes_there(exec, w, g))) g->state = SIM_GROUP_RUN;
  }
}

static void report_missing(SimExec *exec, uint32_t lanes, uint32_t members, uint32_t missing, FaultKind kind,
                           const char *why) {
  LsText text = {0};
  ls_text_addf(&text, "the member mask 0x%08x names ", members);
  sim_fault_lanes(missing, &text);
  ls_text_addf(&text, ", which %s", why);
  sim_fault(exec, &(SimFaultPlace){.kind = kind, .mask = lanes, .text = ls_text_str(&text)});
  ls_text_free(&text);
}

// What moves or multiplies matrices and names no members: it is for all lanes of a warp, also those that do not exist.
static bool is_for_warp(const SimExec *exec, int32_t pc) {
  uint8_t kind = exec->code[pc].kind;
  return kind == TRACE_MATRIX || kind == TRACE_LOAD || kind == TRACE_STORE;
}

static void report_partial(SimExec *exec, uint32_t lanes) {
  LsText text = {0};
  sim_fault_lanes(lanes, &text);
  ls_text_addf(&text, " execute%s this without ", lanes & (lanes - 1) ? "" : "s");
  sim_fault_lanes(~lanes, &text);
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_PARTIAL_WARP, .mask = lanes, .text = ls_text_str(&text)});
  ls_text_free(&text);
}

// A mask may name lanes that have ended: nobody waits for them.
static void report_ended(SimExec *exec, uint32_t lanes, uint32_t members, uint32_t ended) {
  bool one = !(ended & (ended - 1));
  uint32_t expected = sim_sched_expected(exec, exec->warp, lanes, ended);
  if (expected) report_missing(exec, lanes, members, expected, FAULT_BAD_MASK, "went past without coming here");
  else report_missing(exec, lanes, members, ended, FAULT_EXITED_LANES,
                      one ? "ends without it: it takes no part" : "end without it: they take no part");
}

static void report_unnamed(SimExec *exec, uint32_t lanes, uint32_t members) {
  LsText text = {0};
  sim_fault_lanes(lanes, &text);
  bool one = __builtin_popcount(lanes) == 1;
  ls_text_addf(&text, " execute%s this with the member mask 0x%08x, which does not name %s", one ? "s" : "", members,
               one ? "it" : "them");
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_BAD_MASK, .mask = lanes, .text = ls_text_str(&text)});
  ls_text_free(&text);
}

// Nobody of the block can run: the first group that waits for lanes of its warp goes on without them.
bool sim_sync_force(SimExec *exec) {
  for (int k = 0; k < exec->warp_count; k++) {
    SimWarp *w = &exec->warps[k];
    for (int i = 0; i < w->group_count; i++) {
      SimLanes *g = &w->groups[i];
      if (g->state != SIM_GROUP_SYNC) continue;
      exec->warp = w;
      exec->group = g;
      exec->regs = exec->files + (size_t)k * exec->program->file_bytes;
      exec->active = g->mask;
      exec->pc = g->pc;
      g->forced = true;
      g->state = SIM_GROUP_RUN;
      if (!is_for_warp(exec, g->pc))
        report_missing(exec, g->mask, g->members, g->members & w->live & ~lanes_there(exec, w, g), FAULT_BAD_MASK,
                       "never come here: they wait elsewhere");
      exec->group = NULL;
      return true;
    }
  }
  return false;
}

// The other groups that were waiting run on behind the instruction; those with the same way back join this one.
static void join_waiting(SimExec *exec) {
  SimWarp *w = exec->warp;
  SimLanes *g = exec->group;
  int32_t pc = g->pc;
  for (int i = 0; i < w->group_count; i++) {
    SimLanes *other = &w->groups[i];
    if (other == g || !waits_here(exec, g, other)) continue;
    bool same = other->conv == g->conv && other->depth == g->depth && other->pc == pc;
    other->state = SIM_GROUP_RUN;
    other->forced = false;
    if (!same) { other->pc++; other->joined = true; continue; }
    g->mask |= other->mask;
    g->joined = true;
    memmove(other, other + 1, sizeof *other * (size_t)(w->group_count - i - 1));
    w->group_count--;
    if (w->picked > i) w->picked--;
    if (g > other) g--;
    i--;
  }
  exec->group = g;
  w->prefer = w->picked;
}

static void wait_for(SimExec *exec, uint32_t mask, uint32_t members) {
  if (mask != exec->active) sim_sched_split(exec, mask, exec->pc, exec->pc + 1, -1);
  SimLanes *g = exec->group;
  g->state = SIM_GROUP_SYNC;
  g->members = members;
}

// Of the lanes in mask those that name the same members as the first one.
static uint32_t lanes_that_agree(SimExec *exec, const SimWarpOp *op, uint32_t mask, uint32_t members) {
  uint32_t same = 0;
  if (op->members == SIM_NO_SLOT || op->fixed_members) return mask;
  if (sim_same_everywhere(sim_u32(exec->regs, op->members))) return mask;
  SIM_FOR_LANES(i, mask) if (sim_members_of(exec, op, i) == members) same |= 1u << i;
  return same;
}

// The usual case: a whole warp, and all of its lanes name all.
static bool is_whole_meeting(SimExec *exec, const SimWarpOp *op, uint32_t mask) {
  if (mask != SIM_FULL || op->members == SIM_NO_SLOT || exec->group->forced) return false;
  const uint32_t *members = sim_u32(exec->regs, op->members);
  return members[0] == SIM_FULL && (op->fixed_members || sim_same_everywhere(members));
}

uint32_t sim_gather_members(SimExec *exec, const SimWarpOp *op, uint32_t mask, SimNext *next) {
  SimLanes *g = exec->group;
  if (is_whole_meeting(exec, op, mask)) {
    g->members = SIM_FULL;
    g->pc = exec->pc;
    *next = SIM_GO;
    return mask;
  }
  uint32_t members = sim_members_of(exec, op, (uint32_t)__builtin_ctz(mask));
  uint32_t same = lanes_that_agree(exec, op, mask, members);
  *next = SIM_WAIT;
  if (same != mask) {   // one after the other; they part for no longer than this
    sim_sched_split(exec, same, exec->pc, exec->pc, exec->pc + 1);
    exec->warp->prefer = exec->warp->picked;
    return 0;
  }
  if (mask & ~members) report_unnamed(exec, mask & ~members, members);
  *next = SIM_GO;
  if (op->members == SIM_NO_SLOT) return mask;
  g->members = members;
  g->pc = exec->pc;
  uint32_t there = exec->sched == SIM_STACK ? mask : lanes_there(exec, exec->warp, g) & ~(g->mask & ~mask);
  uint32_t missing = members & exec->warp->live & ~there;
  if (exec->sched == SIM_STACK) {
    uint32_t ended = members & exec->warp->exist & ~mask;
    uint32_t expected = sim_sched_expected(exec, exec->warp, mask, missing);
    exec->warp->apart |= missing ? mask : 0;
    bool matrix = is_for_warp(exec, exec->pc);
    if (matrix && mask != SIM_FULL) report_partial(exec, mask);
    const char *why = "do not execute it together with the others";
    if (matrix) return mask;
    if (expected) report_missing(exec, mask, members, expected, FAULT_BAD_MASK, why);
    else if (ended) report_ended(exec, mask, members, ended);
    return mask;
  }
  if (missing && !g->forced) {
    wait_for(exec, mask, members);
    *next = SIM_WAIT;
    return 0;
  }
  uint32_t ended = members & exec->warp->exist & ~exec->warp->live;
  if (is_for_warp(exec, exec->pc)) { if (there != SIM_FULL) report_partial(exec, there); }
  else if (ended && !g->forced) report_ended(exec, mask, members, ended);
  if (there != mask) { if (mask == exec->active) join_waiting(exec); else there = mask; }
  exec->group->forced = false;
  *next = there == mask ? SIM_GO : SIM_YIELD;
  return there;
}
