// cure_race.c: what orders two accesses, or makes that they need no order.
#include <stdlib.h>
#include <string.h>

#include "model/causes/cure_parts.h"

typedef struct Race {
  const CureOf *of;
  const TraceFault *f;
  int pc, other;             // the later access and the earlier one, as they ran; other is pc where it is the same
  Reach reach;
} Race;

static Race race_of(const CureOf *of, const TraceFault *f) {
  return (Race){of, f, f->pc, f->other_pc < 0 ? f->pc : f->other_pc, reach_of(f)};
}

static const PtxInstr *code(const Race *r, int pc) { return &r->of->module->code[pc]; }
static bool is_atomic(const Race *r, int pc) { return flow_is_atomic(r->of->module, code(r, pc)); }

static void name_thread(const Race *r, uint32_t thread, LsText *out) {
  const uint32_t *dim = r->of->info->launch.block;
  if (dim[1] * dim[2] == 1) ls_text_addf(out, "thread %u", thread);
  else ls_text_addf(out, "thread (%u,%u,%u)", thread % dim[0], thread / dim[0] % dim[1], thread / dim[0] / dim[1]);
}

// ---- atomics -------------------------------------------------------------------------------------------------------

// a[i] += 1 by two threads: both halves are of such an update. How far apart the threads are does not matter.
static bool is_update(const Race *r, FlowUpdate *update) {
  FlowUpdate other = {.load = -1};
  if (is_atomic(r, r->pc) || is_atomic(r, r->other)) return false;
  int a = flow_update_of(r->of->flow, r->pc, update), b = flow_update_of(r->of->flow, r->other, &other);
  return a >= 0 && b >= 0 && flow_line(r->of->flow, a) == flow_line(r->of->flow, b);
}

bool race_is_exact(const CureOf *of, const TraceFault *f) {
  bool known = f->space != TRACE_SHARED || reach_of(f) == REACH_LANES;
  return f->kind == FAULT_RACE && (known || (f->other_pc >= 0 && flow_is_store(of->flow, f->other_pc)));
}

// If any fault of the cause is between a store and a load that is no half of an update, the cause is none.
static bool all_update(const CureOf *of, const Cause *cause, FlowUpdate *update) {
  FlowUpdate any = {.load = -1};
  for (int i = 0; i < cause->member_count; i++) {
    const TraceFault *f = &of->faults[cause->members[i]];
    Race r = race_of(of, f);
    if (r.pc >= 0 && race_is_exact(of, f) && !is_update(&r, &any)) return false;
  }
  Race r = race_of(of, &of->faults[cause->witness]);
  return is_update(&r, update);
}

static void add_atomic(const Race *r, const char *name, LsText *out) {
  const char *array = array_name(r->of, r->f);
  ls_text_addf(out, "Use %s: ", name);
  add_line(r->of, r->pc, out);
  ls_text_addf(out, " reads %s, changes the value and writes it back, and another thread does the same in between, "
               "so a change is lost.", array);
  if (strcmp(name, "atomicCAS") == 0) ls_text_add(out, " No single atomic does this change: atomicCAS in a loop.");
}

// One side is an atomic, the other is not.
static bool cure_half_atomic(const Race *r, Cause *cause, LsText *out) {
  bool late = is_atomic(r, r->pc);
  int plain = late ? r->other : r->pc, atomic = late ? r->pc : r->other;
  if (late == is_atomic(r, r->other) || flow_lock(r->of->flow, plain) < 0) return false;
  if (!flow_is_exchange(r->of->module, code(r, atomic)) || !flow_is_store(r->of->flow, plain)) return false;
  cure_at(r->of, cause, CURE_ATOMIC_TOO, plain);
  ls_text_addf(out, "Give the lock back with atomicExch: at ");
  add_line(r->of, plain, out);
  ls_text_addf(out, " %s is written without an atomic, while ", array_name(r->of, r->f));
  add_line(r->of, atomic, out);
  ls_text_add(out, " uses one. What the lock guards needs __threadfence() before it is given back.");
  return true;
}

static bool cure_lock(const Race *r, Cause *cause, LsText *out) {
  int lock = flow_lock(r->of->flow, r->pc);
  if (lock < 0 || flow_lock(r->of->flow, r->other) < 0) return false;
  cure_at(r->of, cause, CURE_LOCK_FENCE, lock);
  ls_text_add(out, "The lock (");
  add_line(r->of, lock, out);
  ls_text_addf(out, ") lets in one thread at a time, but does not make the next one see %s: put __threadfence() "
               "behind taking the lock and before giving it back, and access %s through volatile.",
               array_name(r->of, r->f), array_name(r->of, r->f));
  return true;
}

// ---- the index -----------------------------------------------------------------------------------------------------

static int axis_that_differs(uint32_t a, uint32_t b, const uint32_t dim[3], uint8_t used) {
  uint32_t p[3] = {a % dim[0], a / dim[0] % dim[1], a / dim[0] / dim[1]};
  uint32_t q[3] = {b % dim[0], b / dim[0] % dim[1], b / dim[0] / dim[1]};
  for (int k = 0; k < 3; k++)
    if (p[k] != q[k] && !(used >> k & 1)) return k;
  return -1;
}

static void add_both_write(const Race *r, const FlowSlice *at, LsText *out) {
  ls_text_addf(out, "Does the index at ");
  add_line(r->of, r->pc, out);
  if (r->reach == REACH_BLOCKS) {
    int axis = axis_that_differs(r->f->block, r->f->other_block, r->of->info->launch.grid, at->ctaid);
    ls_text_addf(out, " have blockIdx.%c? Blocks %u and %u come to the same elements of %s. If all blocks are to "
                 "write the same, let one of them do it.", "xyz"[LS_MAX(axis, 0)], r->f->other_block, r->f->block,
                 array_name(r->of, r->f));
    return;
  }
  int axis = axis_that_differs(r->f->thread, r->f->other_thread, r->of->info->launch.block, at->tid);
  ls_text_addf(out, " have threadIdx.%c? Two threads that only differ in it come to the same element of %s.",
               "xyz"[LS_MAX(axis, 0)], array_name(r->of, r->f));
}

static void add_one_thread(const Race *r, LsText *out) {
  ls_text_addf(out, "All threads come to the same element at ");
  add_line(r->of, r->pc, out);
  ls_text_addf(out, ": choose one, as in if (threadIdx.x == 0)%s, or give each an element of %s of its own.",
               r->reach == REACH_BLOCKS ? " of one block" : "", array_name(r->of, r->f));
}

static bool out_of_bounds_there(const Race *r) {
  for (int i = 0; i < r->of->count; i++) {
    const TraceFault *f = &r->of->faults[i];
    if (f->kind == FAULT_OUT_OF_BOUNDS && flow_line(r->of->flow, f->pc) == flow_line(r->of->flow, r->pc)) return true;
  }
  return false;
}

// One line that two threads execute at the same element though each should have its own.
static bool cure_index(const Race *r, Cause *cause, LsText *out) {
  Flow *flow = r->of->flow;
  bool writes = flow_is_store(flow, r->pc) || flow_is_store(flow, r->other);
  if (!writes || flow_line(flow, r->pc) != flow_line(flow, r->other)) return false;
  FlowSlice at = flow_address(flow, flow_is_store(flow, r->pc) ? r->pc : r->other);
  const uint32_t *block = r->of->info->launch.block, *grid = r->of->info->launch.grid;
  if (at.loaded || at.atomic >= 0) return false;
  bool other_axis = r->reach == REACH_BLOCKS ? axis_that_differs(r->f->block, r->f->other_block, grid, at.ctaid) >= 0
                                             : axis_that_differs(r->f->thread, r->f->other_thread, block, at.tid) >= 0;
  if (!at.tid && !at.ctaid) {
    cure_at(r->of, cause, CURE_ONE_THREAD, r->pc);
    add_one_thread(r, out);
  } else if (other_axis && (r->reach != REACH_BLOCKS || r->f->thread == r->f->other_thread)) {
    CureKind kind = r->reach == REACH_BLOCKS ? CURE_BLOCK_INDEX : at.tid ? CURE_THREAD_INDEX : CURE_ONE_THREAD;
    cure_at(r->of, cause, kind, r->pc);
    if (kind == CURE_ONE_THREAD) add_one_thread(r, out);
    else add_both_write(r, &at, out);
  } else if (r->reach == REACH_BLOCKS && at.looped && at.ctaid && at.tid) {
    cure_at(r->of, cause, CURE_STRIDE, r->pc);
    ls_text_addf(out, "The loop of one block comes to elements of another: is its step the number of all threads, "
                 "gridDim.x * blockDim.x?");
  } else if (at.tid && (r->reach != REACH_BLOCKS || at.ctaid) && !at.looped && out_of_bounds_there(r)) {
    cure_at(r->of, cause, CURE_GUARD, r->pc);
    ls_text_addf(out, "Two threads compute the same index: threads beyond the end of a row come to the next one. "
                 "Compare each coordinate with its own limit (x with the width, y with the height) before ");
    add_line(r->of, r->pc, out);
    ls_text_addc(out, '.');
  } else {
    return false;
  }
  return true;
}

// Threads meet at one element in one execution of a store: no barrier comes between, whose store stays is open.
static bool cure_one_store(const Race *r, Cause *cause, LsText *out) {
  Flow *flow = r->of->flow;
  if (r->pc != r->other || !flow_is_store(flow, r->pc) || is_atomic(r, r->pc)) return false;
  if (flow_reaches(flow, r->pc, r->pc, flow_is_barrier, false)) return false;   // or they meet in different rounds
  cure_at(r->of, cause, CURE_ONE_STORE, r->pc);
  ls_text_addf(out, "Several threads store to the same element of %s at ", array_name(r->of, r->f));
  add_line(r->of, r->pc, out);
  ls_text_add(out, ", and whose store stays is not defined. Give each an element of its own, let one of them store, or say "
              "which value wins by an atomic: atomicMax, atomicMin.");
  return true;
}

// ---- between blocks ------------------------------------------------------------------------------------------------

static bool cure_fence(const Race *r, Cause *cause, LsText *out) {
  Flow *flow = r->of->flow;
  int store = flow_is_store(flow, r->other) ? r->other : r->pc;
  int flag = flow_next(flow, store, flow_is_announcement, flow_is_fence);
  if (flag < 0 || flow_is_store(flow, r->pc) == flow_is_store(flow, r->other)) return false;
  if (flow_line(flow, flag) == flow_line(flow, store) || flow_is_foreign(flow, flag, store)) return false;
  if (flow_is_barrier(r->of->module, code(r, flag))) return false;   // of all blocks: it has its fence
  int block_fence = flow_next(flow, store, flow_is_block_fence, flow_is_announcement);
  cure_at(r->of, cause, block_fence >= 0 ? CURE_FENCE_SCOPE : CURE_FENCE, block_fence >= 0 ? block_fence : store);
  if (block_fence >= 0) {
    ls_text_add(out, "Use __threadfence(): the __threadfence_block() at ");
    add_line(r->of, block_fence, out);
    ls_text_add(out, " is for the threads of the own block, and another block looks.");
    return true;
  }
  cause->other_line = flow_line(flow, flag);
  ls_text_add(out, "Put __threadfence() between ");
  add_line(r->of, store, out);
  ls_text_addf(out, ", which writes %s, and ", array_name(r->of, r->f));
  add_line(r->of, flag, out);
  ls_text_add(out, ", which tells others that it is there: without it they may see the second before the first.");
  return true;
}

// Neighbors are read and the own element is written, in one array: a[i] = a[i - 1] + a[i + 1].
static bool is_in_place(const Race *r) {
  Flow *flow = r->of->flow;
  bool late = flow_is_store(flow, r->pc);
  int store = late ? r->pc : r->other, load = late ? r->other : r->pc;
  if (!flow_is_store(flow, store) || flow_is_store(flow, load) || !flow_feeds(flow, load, store)) return false;
  uint64_t from = flow_address(flow, load).params, to = flow_address(flow, store).params;
  return from == to && !(from & (from - 1));   // of two that change places no element is read and written at once
}

static void cure_in_place(const Race *r, Cause *cause, LsText *out) {
  cure_at(r->of, cause, CURE_TWO_BUFFERS, flow_is_store(r->of->flow, r->pc) ? r->pc : r->other);
  ls_text_addf(out, "Write into a second buffer: elements of %s that one block reads are overwritten by another, "
               "which may come first.", array_name(r->of, r->f));
}

static void cure_blocks(const Race *r, Cause *cause, LsText *out) {
  bool waits = flow_next(r->of->flow, r->other, flow_is_barrier, NULL) >= 0;
  cure_at(r->of, cause, CURE_ORDER_BLOCKS, r->pc);
  ls_text_add(out, "Blocks run in any order");
  if (waits) ls_text_add(out, ", and __syncthreads() waits for the own block only");
  ls_text_add(out, ". Use an atomic, publish the data with __threadfence() and a flag that the other block looks at, "
              "let all blocks meet at grid.sync(), or launch a second kernel: the end of a kernel orders everything.");
}

// ---- within a block ------------------------------------------------------------------------------------------------

typedef struct Gap { int first, second; bool carried, in_statement; } Gap;   // a barrier belongs behind first

// Between which of the two accesses nothing waits: on the way forward, or on the way round the loop.
static Gap gap_of(const Race *r) {
  Flow *flow = r->of->flow;
  int lo = LS_MIN(r->pc, r->other), hi = LS_MAX(r->pc, r->other);
  int low = flow_line(flow, lo), high = flow_line(flow, hi);
  bool forward = lo != hi && flow_reaches(flow, lo, hi, flow_is_barrier, true);
  bool back = flow_reaches(flow, hi, lo, flow_is_barrier, false);
  if (forward && low < high) return (Gap){lo, hi, false, false};
  if (back) return (Gap){hi, lo, true, false};
  if (!forward) return (Gap){r->other, r->pc, flow_line(flow, r->other) >= flow_line(flow, r->pc), false};
  bool statement = low == high && !flow_is_store(flow, lo) && flow_is_store(flow, hi) && flow_feeds(flow, lo, hi);
  return (Gap){lo, hi, !statement, statement};
}

static void add_where(const Cause *cause, LsText *out) {
  int first = cause->line, second = cause->other_line;
  if (cause->carried && first == second)
    ls_text_addf(out, "at the end of each round of the loop, behind line %d", first);
  else if (cause->carried)
    ls_text_addf(out, "behind line %d, before the next round of the loop comes to line %d", first, second);
  else ls_text_addf(out, "between line %d and line %d", first, second);
}

// Who comes to the first line, and who does not wait for that at the second. Of a fault within one line nobody knows.
static void add_why(const Race *r, const Gap *gap, LsText *out) {
  Flow *flow = r->of->flow;
  bool late_first = gap->first == r->pc && gap->first != r->other;
  uint32_t first = late_first ? r->f->thread : r->f->other_thread;
  uint32_t second = late_first ? r->f->other_thread : r->f->thread;
  bool wrote = flow_is_store(flow, gap->first) || is_atomic(r, gap->first);
  ls_text_add(out, " Nothing makes ");
  name_thread(r, second, out);
  ls_text_addf(out, " (line %d) wait until ", flow_line(flow, gap->second));
  name_thread(r, first, out);
  ls_text_addf(out, " has %s %s (line %d).", wrote ? "written" : "read", array_name(r->of, r->f),
               flow_line(flow, gap->first));
}

static bool decided_by_thread(const Race *r, int pc) {
  int branch = pc < 0 ? -1 : flow_control(r->of->flow, pc);
  return branch >= 0 && flow_condition(r->of->flow, branch).tid;
}

static void wait_words(const Race *r, const Gap *gap, const Cause *cause, LsText *out) {
  bool lanes = reach_of(&r->of->faults[cause->witness]) == REACH_LANES;
  const char *wait = lanes ? "__syncwarp()" : "__syncthreads()";
  if (cause->cure == CURE_READ_FIRST) {
    ls_text_addf(out, "Read into a variable first, then %s, and only then write: line %d reads elements of %s that "
                 "other threads write at line %d.", wait, cause->line, array_name(r->of, r->f), cause->other_line);
    if (lanes) ls_text_add(out, " Since Volta the lanes of a warp need not run in step.");
    return;
  }
  ls_text_addf(out, "Put %s ", wait);
  add_where(cause, out);
  bool conditional = !lanes && (decided_by_thread(r, gap->first) || decided_by_thread(r, gap->second));
  ls_text_addf(out, "%s.", conditional ? ", outside of the condition, so that all threads come to it" : "");
  if (r->f == &r->of->faults[cause->witness]) add_why(r, gap, out);
  if (lanes) ls_text_add(out, " Since Volta the lanes of a warp need not run in step.");
}

// The fault that tells where: the witness, or the first one of which the instructions are known.
static Race where_to_wait(const CureOf *of, const Cause *cause) {
  for (int i = 0; i < cause->member_count; i++)
    if (race_is_exact(of, &of->faults[cause->members[i]])) return race_of(of, &of->faults[cause->members[i]]);
  return race_of(of, &of->faults[cause->witness]);
}

static void cure_wait(const CureOf *of, Cause *cause, LsText *out) {
  Race r = where_to_wait(of, cause);
  Gap gap = gap_of(&r);
  bool lanes = reach_of(&of->faults[cause->witness]) == REACH_LANES;
  cure_at(of, cause, gap.in_statement ? CURE_READ_FIRST : lanes ? CURE_SYNCWARP : CURE_BARRIER, gap.first);
  cause->other_line = flow_line(of->flow, gap.second);
  cause->carried = gap.carried;
  wait_words(&r, &gap, cause, out);
}

void cure_between(const CureOf *of, Cause *cause, int line, int other_line) {
  Race r = where_to_wait(of, cause);
  LsText text = {0};
  Gap gap = gap_of(&r);
  cause->line = line;
  cause->other_line = other_line;
  cause->carried = gap.carried;
  wait_words(&r, &gap, cause, &text);
  free(cause->advice);
  cause->advice = ls_text_take(&text);
}

void cure_race(const CureOf *of, Cause *cause, LsText *out) {
  Race r = race_of(of, &of->faults[cause->witness]);
  FlowUpdate update;
  if (r.pc < 0 || r.other < 0) return;
  for (int i = 0; i < cause->member_count; i++) {
    Race any = race_of(of, &of->faults[cause->members[i]]);
    if (any.pc >= 0 && cure_half_atomic(&any, cause, out)) return;
  }
  bool updates = all_update(of, cause, &update);
  bool global = r.f->space == TRACE_GLOBAL;
  if (global && cure_lock(&r, cause, out)) return;
  if (updates) {
    FlowSlice at = flow_address(of->flow, r.pc);
    bool own = r.reach == REACH_BLOCKS && at.ctaid && at.tid && at.looped && !at.loaded;
    if (own && cure_index(&r, cause, out)) return;
    cure_at(of, cause, CURE_ATOMIC, r.pc);
    add_atomic(&r, update.what, out);
    bool lost = r.reach == REACH_BLOCKS && !at.ctaid && at.tid && !at.loaded && r.f->thread == r.f->other_thread;
    if (lost) ls_text_add(out, " If each block has elements of its own, blockIdx is missing in the index.");
    return;
  }
  if (r.f->kind == FAULT_LOST_UPDATE) return;
  if (cure_index(&r, cause, out)) return;
  if (r.reach == REACH_BLOCKS) {
    if (cure_fence(&r, cause, out)) return;
    if (is_in_place(&r)) cure_in_place(&r, cause, out);
    else cure_blocks(&r, cause, out);
    return;
  }
  if (!cure_one_store(&r, cause, out)) cure_wait(of, cause, out);
}
