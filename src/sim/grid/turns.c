// turns.c: the executor: instructions of a group of lanes, slices of groups, turns of warps.
#include "sim/grid/turns.h"
#include <stdatomic.h>
#include "sim/check/fault.h"
#include "sim/check/unset.h"
#include "sim/core/event.h"
#include "sim/core/ownership.h"
#include "sim/core/path.h"
#include "sim/core/sched.h"
#include "sim/core/sums.h"
#include "sim/grid/block_wait.h"
#include "sim/grid/meet.h"
#include "sim/grid/rounds.h"
#include "sim/grid/run.h"
#include "sim/grid/spin.h"
#include "sim/grid/stints.h"

// ---- events --------------------------------------------------------------------------------------------------------

static void emit_exec(SimExec *exec, const SimInst *inst, uint32_t mask) {
  sim_event(exec, inst, mask);
  sim_emit(exec);
}

// Of n instructions in a row that all active lanes executed. Leaves the program counter behind them.
static void emit_line(SimExec *exec, const SimInst *inst, int n) {
  TraceSink *sink = exec->sink;
  bool at_once = sink && sink->line && !exec->block.deferred;
  for (; n > 0 && (!at_once || exec->group->joined); n--, inst++, exec->pc++) emit_exec(exec, inst, exec->active);
  if (!n) return;
  sim_line_start(exec);
  exec->block.events += (uint64_t)n;
  exec->pc += n;
  sim_line_end(exec);
}

// ---- instructions --------------------------------------------------------------------------------------------------

// Straight lines are counted where they start and end; sums over these differences count every instruction.
static inline void count_lines(SimExec *exec, int32_t pc, int n, int64_t times) {
  exec->run_warps[pc] += times;
  exec->run_warps[pc + n] -= times;
  if (exec->active_count < SIM_LANES) {
    exec->run_missing[pc] += (SIM_LANES - exec->active_count) * times;
    exec->run_missing[pc + n] -= (SIM_LANES - exec->active_count) * times;
  }
  if (!exec->partial) return;
  exec->run_partial[pc] += times;
  exec->run_partial[pc + n] -= times;
}

static inline void count_line(SimExec *exec, int32_t pc, int n) { count_lines(exec, pc, n, 1); }

static void advance(SimExec *exec, int n) {
  SimBlock *b = &exec->block;
  b->left -= n;
  b->slice -= n;
  b->executed += (uint64_t)n;
}

static bool must_stop(const SimExec *exec) {
  return exec->stopping || (exec->hooks && exec->block.events >= exec->hooks->stop_at);
}

// Replays know which lanes ever wrote a register.
static void note_written(SimExec *exec, int32_t pc, uint32_t mask) {
  const SimDests *dests = &exec->hooks->dests[pc];
  uint32_t *written = exec->hooks->written + (size_t)sim_warp_index(exec) * (size_t)exec->hooks->written_count;
  for (int i = 0; i < dests->count; i++) written[dests->regs[i]] |= mask;
}

// How many events may come before a replay stops.
static int room_before_stop(const SimExec *exec, int n) {
  if (!exec->hooks) return n;
  uint64_t room = exec->hooks->stop_at - exec->block.events;
  return (uint64_t)n > room ? (int)room : n;
}

// Instructions from here on, up to n, whose events nobody wants to see one by one. Lanes that are apart take turns in
// front of everything but arithmetic, and with a seed they may meet there: `mixed` is false.
static int quiet_from(const SimExec *exec, const SimInst *line, int n, bool mixed) {
  int quiet = LS_MIN((int)line->quiet, n);
  if (!line->takes_params || (mixed && exec->sums_up && !exec->recording && exec->alone)) return quiet;
  for (int i = 0; i < quiet; i++) if (line[i].kind != TRACE_EXEC) return i;   // a parameter
  return quiet;
}

static void run_quiet(SimExec *exec, const SimInst *line, int n) {
  uint8_t *regs = exec->regs;
  uint32_t mask = exec->active;
  for (const SimInst *in = line, *end = line + n; in < end; in++) in->op.run(regs, &in->op, mask);
  for (int i = 0; i < n && exec->hooks; i++) note_written(exec, exec->pc + i, exec->active);
  if (exec->recording) { emit_line(exec, line, n); return; }
  exec->block.events += (uint64_t)n;
  exec->pc += n;
}

static inline uint32_t guarded(const SimExec *exec, const SimInst *in) {
  if (in->guard == SIM_NO_SLOT) return exec->active;
  uint32_t p = sim_pred(exec->regs, in->guard);
  return exec->active & (in->guard_negate ? ~p : p);
}

// Others of the warp that could run have their turn.
static bool is_spent(const SimExec *exec) { return !exec->alone && exec->block.slice <= 0; }

// ---- passes of lines -----------------------------------------------------------------------------------------------

static inline void end_pass(SimExec *exec) { exec->own_pass->end = 0; }

// A new pass of a line up to `end`, unless the warp was in it last, and its stint ended there.
static void take_up_pass(SimExec *exec, int32_t end) {
  SimPass *pass = exec->own_pass;
  if (pass->end != end || pass->mask != exec->active)
    *pass = (SimPass){.number = exec->pass_count += SIM_PASS, .end = end, .mask = exec->active};
  exec->pass = pass->number;
}

// n instructions of a line are about to be executed, or less.
static inline void start_pass(SimExec *exec, const SimInst *line, int n) {
  if (exec->takes_turns) take_up_pass(exec, line->pc + n);
  else exec->pass += SIM_PASS;
}

// ---- lines ---------------------------------------------------------------------------------------------------------

// Runs a straight line, up to an access or a branch if these are not to be part of it: `mixed`. SIM_GO, or what an
// access or a branch says.
static SimNext run_line(SimExec *exec, const SimInst *line, bool mixed) {
  end_pass(exec);
  int n = room_before_stop(exec, LS_MIN((int)line->run, exec->block.left)), i = 0;
  int32_t start = exec->pc;
  SimNext next = SIM_GO;
  while (i < n && next == SIM_GO && !(i && is_spent(exec))) {
    int quiet = line[i].quiet ? quiet_from(exec, line + i, n - i, mixed) : 0;
    if (quiet) {
      run_quiet(exec, line + i, quiet);
      advance(exec, quiet);
      i += quiet;
      continue;
    }
    if (!mixed) break;
    int32_t pc = exec->pc;
    uint32_t mask = guarded(exec, &line[i]);
    next = line[i].handler(exec, &line[i], mask);
    if (exec->hooks) note_written(exec, pc, mask);
    advance(exec, 1);
    i++;
    n = i + room_before_stop(exec, n - i);
    if (must_stop(exec)) break;
  }
  count_line(exec, start, i);
  return next;
}

static void note_jump(SimExec *exec, const SimInst *in, uint32_t taken) {
  const SimBranch *b = in->more;
  *sim_line_act(exec, in, exec->pc) = (TraceAct){.pc = exec->pc, .kind = TRACE_BRANCH, .taken = taken,
                                                 .target = b->target, .reconverge = b->reconverge};
  sim_line_jump(exec, taken ? b->target : exec->pc + 1);
}

// All lanes go one way, as they mostly do.
static inline bool jump_together(SimExec *exec, const SimInst *in, uint32_t taken, bool is_told) {
  if (!in->jumps || (taken && taken != exec->active) || exec->block.alert) return false;
  const SimBranch *b = in->more;
  sim_sum_event(exec, exec->pc);
  if (is_told) note_jump(exec, in, taken);
  exec->pc = taken ? b->target : exec->pc + 1;
  return true;
}

// The branch behind n instructions of a line that began at start.
__attribute__((always_inline))
static inline SimNext run_last(SimExec *exec, const SimInst *in, int32_t start, int n, bool is_told) {
  uint32_t taken = guarded(exec, in);
  count_line(exec, start, n + 1);
  if (jump_together(exec, in, taken, is_told)) { advance(exec, n + 1); return SIM_GO; }
  if (is_told) sim_line_end(exec);
  advance(exec, n);   // whoever spins is known by what was executed before
  SimNext next = in->handler(exec, in, taken);
  advance(exec, 1);
  return next;
}

// Among n instructions from here on, loads of parameters: the same for all lanes.
static void note_params(SimExec *exec, const SimInst *line, int n) {
  static const uint64_t apart[SIM_LANES];
  uint32_t shape = exec->active == SIM_FULL;
  for (const SimInst *in = line, *end = line + n; in < end; in++) {
    if (in->kind == TRACE_EXEC) continue;
    const SimMem *m = in->more;
    *sim_line_act(exec, in, in->pc) = (TraceAct){
        .pc = in->pc, .kind = in->kind, .space = TRACE_PARAM, .width = m->width, .shape = shape, .target = -1,
        .reconverge = -1, .at = (uint64_t)m->offset, .apart = apart};
  }
}

// The same of n instructions, where nobody wants to know more than sums, or is told of the line as one.
__attribute__((always_inline))
static inline SimNext run_part_of_line(SimExec *exec, const SimInst *line, int n, bool is_told) {
  uint8_t *regs = exec->regs;
  uint32_t mask = exec->active;
  int i = 0;
  int32_t start = exec->pc;
  for (const SimInst *in = line;;) {
    int quiet = LS_MIN((int)in->quiet, n - i);
    if (is_told && in->takes_params) note_params(exec, in, quiet);
    for (const SimInst *end = in + quiet; in < end; in++) in->op.run(regs, &in->op, mask);
    exec->block.events += (uint64_t)quiet;
    exec->pc += quiet;
    i += quiet;
    if (i == n) break;
    if (in->kind == TRACE_BRANCH) return run_last(exec, in, start, i, is_told);
    SimNext next = (in->together || exec->steady ? in->lean : in->handler)(exec, in, mask);
    in++;
    i++;
    if (next == SIM_GO) sim_catch_up(exec, in->pc);
    if (next == SIM_GO && !exec->stopping) continue;
    count_line(exec, start, i);
    advance(exec, i);
    return next;
  }
  count_line(exec, start, n);
  advance(exec, n);
  return SIM_GO;
}

static inline const SimInst *after(const SimInst *in) {
  return (const SimInst *)(const void *)((const uint8_t *)in + in->hop);
}

// Runs a line without what may be left out of it, up to its end, the branch there, or what does not go on. Comes back
// with the first instruction that was not executed.
__attribute__((always_inline))
static inline const SimInst *run_members(SimExec *exec, const SimInst *in, int n, SimNext *next, bool is_told) {
  uint8_t *regs = exec->regs;
  uint32_t mask = exec->active;
  const SimInst *last = in + n;
  if (is_told && in->takes_params) note_params(exec, in, in->quiet);
  unsigned step = in->step;
  if (in->left_out) { step = in->then; in = after(in); }
  for (;;) {
    for (; step == SIM_STEP_PLAIN; in = after(in)) {
      in->op.run(regs, &in->op, mask);
      step = in->then;
    }
    if (step != SIM_STEP_LEAN || in == last) break;   // the rest of the warp has to come for that one
    *next = in->lean(exec, in, mask);
    if (*next != SIM_GO || exec->stopping) { in++; break; }
    if (is_told && in->then != SIM_STEP_OUT && in[1].takes_params) note_params(exec, in + 1, in[1].quiet);
    step = in->then;
    in = after(in);
  }
  if (*next == SIM_GO) sim_catch_up(exec, in->pc);
  return in;
}

// The branch at the end of a line goes back to its start, with all lanes. Nobody wants to see it.
static inline bool goes_round(const SimExec *exec, const SimInst *end, const SimInst *line) {
  const SimBranch *b = end->more;
  return end->jumps && b->target == line->pc && guarded(exec, end) == exec->active && !exec->block.alert;
}

// Many rounds of a loop at once, if that can be.
static bool run_rounds(SimExec *exec, const SimInst *line, int n) {
  SimRoundsDone done;
  if (!sim_rounds_run(exec, line, &done)) return false;
  if (done.rounds) {
    count_lines(exec, line->pc, n, done.rounds);
    sim_sum_times(exec, line[n - 1].pc, (uint64_t)done.rounds);
  }
  int part = done.stop ? (int)(done.stop - line) : 0, all = done.rounds * n + part;
  if (part) count_line(exec, line->pc, part);
  exec->block.events += (uint64_t)all;
  exec->pc = done.again ? line->pc + part : line->pc + n;
  advance(exec, all);
  return true;
}

// The same of a line that is executed to its end; and again, if it is a loop.
__attribute__((always_inline))
static inline SimNext run_whole_line(SimExec *exec, const SimInst *line, int n, bool is_told) {
  SimNext next = SIM_GO;
  const SimInst *end;
  int64_t rounds = 0;
  for (;; rounds++) {
    if (!is_told && line->rounds && run_rounds(exec, line, n)) {
      if (rounds) count_lines(exec, line->pc, n, rounds);
      if (rounds) sim_sum_times(exec, line[n - 1].pc, (uint64_t)rounds);
      return SIM_GO;
    }
    end = run_members(exec, line, n, &next, is_told);
    if (end != line + n - 1 || end->kind != TRACE_BRANCH || next != SIM_GO || exec->stopping) break;
    if (exec->block.left < 2 * n || !goes_round(exec, end, line)) break;
    if (is_told) note_jump(exec, end, exec->active);
    exec->block.events++;
    exec->pc = line->pc;
    advance(exec, n);
  }
  if (rounds) {
    count_lines(exec, line->pc, n, rounds);
    sim_sum_times(exec, line[n - 1].pc, (uint64_t)rounds);
  }
  int done = (int)(end - line);
  if (done == n - 1 && end->kind == TRACE_BRANCH && next == SIM_GO && !exec->stopping)
    return run_last(exec, end, line->pc, done, is_told);
  count_line(exec, line->pc, done);
  advance(exec, done);
  return next;
}

static SimNext run_one(SimExec *exec, const SimInst *in);

// Instructions that are executed in one go.
static inline int line_length(const SimExec *exec, const SimInst *in) {
  return exec->active == SIM_FULL && !exec->group->forced ? in->full_run : in->run;
}

static SimNext run_bare(SimExec *exec, const SimInst *in) {
  int n = line_length(exec, in);
  if (!n) return run_one(exec, in);
  start_pass(exec, in, n);
  if (exec->steady && n <= exec->block.left) return run_whole_line(exec, in, n, false);
  return run_part_of_line(exec, in, LS_MIN(n, exec->block.left), false);
}

// The same while lines are told as one. What is none tells of itself.
static SimNext run_told(SimExec *exec, const SimInst *in) {
  int n = line_length(exec, in);
  if (n && !exec->group->joined) {
    if (exec->line.from < 0) sim_line_start(exec);
    start_pass(exec, in, n);
    bool whole = exec->steady && n <= exec->block.left;
    return whole ? run_whole_line(exec, in, n, true) : run_part_of_line(exec, in, LS_MIN(n, exec->block.left), true);
  }
  sim_line_end(exec);
  return in->run ? run_line(exec, in, true) : run_one(exec, in);   // the first event of those that joined is special
}

// A guard that holds for no lane: the warp passes the instruction.
static SimNext skip(SimExec *exec, const SimInst *in) {
  if (in->kind == TRACE_EXEC ? exec->recording : sim_wants_event(exec)) emit_exec(exec, in, 0);
  else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

static SimNext run_plain(SimExec *exec, const SimInst *in, uint32_t mask) {
  in->op.run(exec->regs, &in->op, mask);
  if (exec->recording) emit_exec(exec, in, mask); else sim_skip_event(exec);
  exec->pc++;
  return SIM_GO;
}

static SimNext run_one(SimExec *exec, const SimInst *in) {
  end_pass(exec);
  uint32_t mask = guarded(exec, in);
  int32_t pc = exec->pc;
  int active = exec->active_count;
  exec->wrote = mask;
  uint32_t good = in->watched ? sim_unset_before(exec, pc, mask) : SIM_FULL;
  SimNext next;
  if (!mask && in->kind != TRACE_BRANCH) next = skip(exec, in);
  else next = in->handler ? in->handler(exec, in, mask) : run_plain(exec, in, mask);
  if (next == SIM_WAIT) return next;
  if (in->watched) sim_unset_after(exec, pc, good);
  if (exec->hooks) note_written(exec, pc, exec->wrote);
  exec->tally_warps[pc]++;
  exec->tally_lanes[pc] += (uint64_t)(in->kind == TRACE_BRANCH ? active : sim_popcount(exec->wrote));
  if (exec->partial) exec->tally_partial[pc]++;
  advance(exec, 1);
  return next;
}

// ---- lanes that run apart ------------------------------------------------------------------------------------------

static bool is_straight(const SimInst *in) { return !in->handler || in->access == SIM_MEMORY_ACCESS; }

// With a seed, lanes may run apart from one access to memory on up to where something holds them together: a branch, a
// barrier, an operation of the warp. Without __syncwarp() nothing promises that they do not.
static bool part_lanes(SimExec *exec, const SimInst *in) {
  if (in->access != SIM_MEMORY_ACCESS || exec->active_count < 2 || sim_random(exec) % 4) return false;
  int32_t end = exec->pc + 1;
  bool another = false;
  for (; end != exec->stop_pc && is_straight(&exec->code[end]); end++) another |= exec->code[end].handler != NULL;
  uint32_t some = exec->active & (uint32_t)sim_random(exec);
  if (!another || !some || some == exec->active) return false;
  sim_sched_split(exec, some, exec->pc, exec->pc, end);
  return true;
}

// A stint that is used up may go on to the end of its line, and what it executes is still told as one.
static inline bool has_left(SimExec *exec) {
  return exec->block.left > 0 || (exec->takes_turns && sim_stint_extend(exec, exec->pc));
}

// A line in one go, although the stint is used up within it, if it will go on beyond. What was not come to is not
// promised.
static SimNext run_beyond(SimExec *exec, const SimInst *in, bool bare) {
  SimBlock *b = &exec->block;
  int32_t left = b->left, more = sim_stint_more(exec, in->pc + left, left);
  uint64_t before = b->executed;
  b->left += more;
  SimNext next = bare ? run_bare(exec, in) : run_told(exec, in);
  if (next != SIM_GO && !b->over && b->executed - before < (uint64_t)left) b->left -= more;
  return next;
}

static inline SimNext run_straight(SimExec *exec, const SimInst *in, bool bare) {
  if (exec->takes_turns && (int32_t)in->run > exec->block.left) return run_beyond(exec, in, bare);
  return bare ? run_bare(exec, in) : run_told(exec, in);
}

// Runs the picked group until it waits, parts, ends, or its slice is used up. True if it was stopped before that, or
// its stint is over.
static bool run_group(SimExec *exec) {
  SimBlock *b = &exec->block;
  bool may_part = exec->seed && exec->sched == SIM_ITS;
  bool mixed = !may_part && !exec->program->options.path;
  bool bare = exec->bare, whole = (bare || exec->tells_lines) && mixed && exec->alone;
  while (whole && exec->pc != exec->stop_pc && !exec->stopping && has_left(exec)) {
    const SimInst *in = &exec->code[exec->pc];
    if (run_straight(exec, in, bare) == SIM_GO) continue;
    end_pass(exec);
    sim_line_end(exec);
    return false;
  }
  sim_line_end(exec);
  while (b->left > 0 && (exec->alone || b->slice > 0)) {
    if (exec->pc == exec->stop_pc) {
      if (sim_sched_arrive(exec)) return false;
      continue;
    }
    if (must_stop(exec)) return true;
    const SimInst *in = &exec->code[exec->pc];
    if (exec->program->options.path && sim_path_stops(exec, in)) return false;
    if (may_part && part_lanes(exec, in)) return false;
    SimNext next;
    if (!in->run || !(mixed || quiet_from(exec, in, 1, mixed))) next = run_one(exec, in);
    else next = run_line(exec, in, mixed);
    if (next != SIM_GO) return false;
  }
  return exec->takes_turns && b->left <= 0 && (exec->alone || b->slice > 0);
}

// ---- turns ---------------------------------------------------------------------------------------------------------

static bool is_set(const _Atomic bool *flag) { return flag && atomic_load_explicit(flag, memory_order_relaxed); }

void sim_poll(SimExec *exec) {
  SimExec *told = exec->helps ? exec->helps : exec;
  exec->poll_at = exec->executed + exec->block.executed + 65536;
  if (is_set(exec->cancel) || is_set(exec->crew_stop)) exec->stopping = exec->canceled = true;
  sim_progress(told, told->grid.ended, false);
}

// How many instructions may still be executed, at least one; 0: that was it.
static uint64_t budget_left(SimExec *exec) {
  const SimBlock *b = &exec->block;
  uint64_t spent = exec->executed + b->executed + b->charged + (exec->grid.begun - 1) * sim_block_cost(exec->program);
  if (spent >= exec->budget) { sim_fault_budget(exec); return 0; }
  // the turn would be shorter
  if (sim_is_worker(exec) && exec->budget - spent < SIM_TURN) { sim_give_up(exec); return 0; }
  return exec->budget - spent;
}

static void turn_start(SimExec *exec) {
  SimBlock *b = &exec->block;
  b->turn_charged = b->charged;
  sim_spin_turn_start(exec);
  sim_wait_turn_start(exec);
  if (exec->executed + b->executed >= exec->poll_at) sim_poll(exec);
}

static void turn_end(SimExec *exec) {
  SimBlock *b = &exec->block;
  if (b->left <= 0 && !b->wait.yielded) { b->idle_turns++; exec->warp->turns++; }
  sim_spin_turn_end(exec);
  sim_wait_turn_end(exec);
}

// As long as instructions are left of it. False: the run stops here (the turn may be taken up again).
static bool go_on(SimExec *exec) {
  SimBlock *b = &exec->block;
  while (b->left > 0 && !exec->stopping && sim_sched_pick(exec)) {
    uint64_t before = b->executed;
    b->resume = run_group(exec);
    sim_sched_leave(exec);
    b->round_progress |= b->executed != before;
    if (must_stop(exec)) return false;
  }
  return true;
}

static void whole_start(SimExec *exec) {
  SimBlock *b = &exec->block;
  uint64_t turn = SIM_TURN, budget = budget_left(exec);
  if (!budget) return;
  bool waits = exec->warp->asleep;   // who waits for another block comes to where that shows
  if (exec->seed && !b->watching && !waits && exec->warp->turns < 8) turn = 1 + sim_random(exec) % 512;
  b->left = (int32_t)LS_MIN(turn, budget);
  turn_start(exec);
  b->in_turn = true;
}

// One warp's turn in one piece.
static bool run_whole(SimExec *exec) {
  SimBlock *b = &exec->block;
  if (!exec->warp->group_count && !b->in_turn) return true;
  if (!b->in_turn) whole_start(exec);
  if (!go_on(exec)) return false;
  turn_end(exec);
  b->in_turn = false;
  return !exec->stopping;
}

// What it knows of its registers is the running warp's own.
static void take_up_kin(SimExec *exec) {
  int warp = sim_warp_index(exec);
  exec->own_pass = &exec->passes[warp];
  exec->kin = &exec->kins[(size_t)warp * (exec->program->kin_count + 1)];
}

static void stint_start(SimExec *exec) {
  uint64_t budget = budget_left(exec);
  if (!budget) return;
  if (!exec->warp->stint.open) turn_start(exec);
  sim_stint_start(exec, budget);
  exec->block.in_turn = true;
}

// One warp's stint of its turn.
static bool run_stint(SimExec *exec) {
  SimBlock *b = &exec->block;
  if (!b->in_turn && sim_stint_none(exec)) return true;
  take_up_kin(exec);
  if (!b->in_turn) stint_start(exec);
  do {
    if (!go_on(exec)) return false;
  } while (!exec->stopping && b->resume && sim_stint_extend(exec, exec->warp->groups[exec->warp->picked].pc));
  if (!exec->stopping && sim_stint_end(exec)) turn_end(exec);
  b->in_turn = false;
  return !exec->stopping;
}

// False: the run stops here.
static bool run_turn(SimExec *exec, int warp) {
  exec->warp = &exec->warps[warp];
  exec->regs = exec->files + (size_t)warp * exec->program->file_bytes;
  exec->partial = warp == exec->warp_count - 1 && launch_threads(exec->program->launch) % 32 != 0;
  return exec->takes_turns ? run_stint(exec) : run_whole(exec);
}

static bool run_round(SimExec *exec) {
  SimBlock *b = &exec->block;
  do {
    for (; b->turn < exec->warp_count; b->turn++)
      if (!run_turn(exec, (int)b->order[b->turn])) return false;
  } while (exec->takes_turns && sim_stints_pass(exec));
  return true;
}

static void round_start(SimExec *exec) {
  SimBlock *b = &exec->block;
  for (int i = 0; i < exec->warp_count; i++) b->order[i] = (uint32_t)i;
  for (int i = exec->warp_count - 1; exec->seed && i > 0; i--) {
    int j = (int)(sim_random(exec) % (unsigned)(i + 1));
    uint32_t other = b->order[j];
    b->order[j] = b->order[i];
    b->order[i] = other;
  }
  b->turn = 0;
  if (exec->program->options.path) sim_path_round(exec);
  b->round_progress = false;
  b->in_round = true;
  sim_spin_round_start(exec);
  sim_wait_round_start(exec);
  if (exec->takes_turns) sim_stints_start(exec);
}

static bool anybody_lives(const SimExec *exec) {
  for (int k = 0; k < exec->warp_count; k++) if (exec->warps[k].live) return true;
  return false;
}

bool sim_block_go(SimExec *exec) {
  SimBlock *b = &exec->block;
  sim_sums_start(exec);
  for (int k = 0; k < exec->warp_count && exec->takes_turns; k++) exec->passes[k].end = 0;
  if (b->wait.hopeless || b->wait.awaits) sim_fault_livelock(exec);
  for (; !exec->stopping;) {
    if (!b->in_round) round_start(exec);
    if (!run_round(exec)) return false;
    b->in_round = false;
    if (!anybody_lives(exec)) return true;
    sim_spin_round_end(exec);
    if (sim_wait_round_end(exec)) return false;
    if (!b->round_progress && !sim_sync_force(exec)) sim_fault_deadlock(exec);
  }
  return false;
}
