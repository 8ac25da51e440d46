// lines.c: straight lines executed as one: passes of them, what may be left out, rounds of loops, and what is told.
#include "sim/grid/lines.h"
#include "sim/core/event.h"
#include "sim/core/sums.h"
#include "sim/grid/circuits.h"
#include "sim/grid/dots.h"
#include "sim/grid/rounds.h"
#include "sim/grid/step.h"
#include "sim/grid/stints.h"
#include "sim/grid/whole.h"

// ---- passes of lines ------------------------------------------------------------------------------------------------

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

// ---- lines ----------------------------------------------------------------------------------------------------------

void sim_jump_act(TraceAct *act, const SimInst *in, uint32_t taken) {
  const SimBranch *b = in->more;
  act->kind = TRACE_BRANCH;
  act->taken = taken;
  act->target = b->target;
  act->reconverge = b->reconverge;
}

void sim_param_act(TraceAct *act, const SimInst *in, uint32_t active) {
  static const uint64_t apart[SIM_LANES];
  const SimMem *m = in->more;
  act->space = TRACE_PARAM;
  act->width = m->width;
  act->shape = active == SIM_FULL;
  act->at = (uint64_t)m->offset;
  act->apart = apart;
}

static void note_jump(SimExec *exec, const SimInst *in, uint32_t taken) {
  sim_jump_act(sim_line_act(exec, in, exec->pc), in, taken);
  sim_line_jump(exec, taken ? ((const SimBranch *)in->more)->target : exec->pc + 1);
}

// All lanes go one way, as they mostly do.
static inline bool jump_together(SimExec *exec, const SimInst *in, uint32_t taken, bool is_told) {
  if (!in->jumps || (taken && taken != exec->active) || exec->block.alert) return false;
  const SimBranch *b = in->more;
  if (b->leave_count && exec->stop_pc >= 0) return false;
  sim_sum_event(exec, exec->pc);
  if (is_told) note_jump(exec, in, taken);
  exec->pc = taken ? b->target : exec->pc + 1;
  return true;
}

// The branch behind n instructions of a line that began at start.
__attribute__((always_inline))
static inline SimNext run_last(SimExec *exec, const SimInst *in, int32_t start, int n, bool is_told) {
  uint32_t taken = sim_guarded(exec, in);
  sim_count_line(exec, start, n + 1);
  if (jump_together(exec, in, taken, is_told)) { sim_advance(exec, n + 1); return SIM_GO; }
  if (is_told) sim_line_end(exec);
  sim_advance(exec, n);   // whoever spins is known by what was executed before
  SimNext next = in->handler(exec, in, taken);
  sim_advance(exec, 1);
  return next;
}

// Among n instructions from here on, loads of parameters: the same for all lanes.
static void note_params(SimExec *exec, const SimInst *line, int n) {
  for (const SimInst *in = line, *end = line + n; in < end; in++)
    if (in->kind != TRACE_EXEC) sim_param_act(sim_line_act(exec, in, in->pc), in, exec->active);
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
    sim_count_line(exec, start, i);
    sim_advance(exec, i);
    return next;
  }
  sim_count_line(exec, start, n);
  sim_advance(exec, n);
  return SIM_GO;
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
  if (in->left_out) { step = in->then; in = sim_inst_after(in); }
  for (;;) {
    for (; step == SIM_STEP_PLAIN; in = sim_inst_after(in)) {
      in->op.run(regs, &in->op, mask);
      step = in->then;
    }
    if (step == SIM_STEP_DOT) {   // of a line that is told it is a load like others
      const SimInst *end = is_told ? NULL : sim_dots_run(exec, in->dot);
      step = SIM_STEP_LEAN;
      if (end) { step = end->then; in = sim_inst_after(end); continue; }
    }
    if (step != SIM_STEP_LEAN || in == last) break;   // the rest of the warp has to come for that one
    *next = in->lean(exec, in, mask);
    if (*next != SIM_GO || exec->stopping) { in++; break; }
    if (is_told && in->then != SIM_STEP_OUT && in[1].takes_params) note_params(exec, in + 1, in[1].quiet);
    step = in->then;
    in = sim_inst_after(in);
  }
  if (*next == SIM_GO) sim_catch_up(exec, in->pc);
  return in;
}

// The branch at the end of a line goes back to its start, with all lanes. Nobody wants to see it.
static inline bool goes_round(const SimExec *exec, const SimInst *end, const SimInst *line) {
  const SimBranch *b = end->more;
  return end->jumps && b->target == line->pc && sim_guarded(exec, end) == exec->active && !exec->block.alert;
}

bool sim_lines_rounds(SimExec *exec, const SimInst *line, int n) {
  SimRoundsDone done;
  if (!sim_rounds_run(exec, line, &done)) return false;
  if (done.rounds) {
    sim_count_lines(exec, line->pc, n, done.rounds);
    sim_sum_times(exec, line[n - 1].pc, (uint64_t)done.rounds);
  }
  int part = done.stop ? (int)(done.stop - line) : 0, all = done.rounds * n + part;
  if (part) sim_count_line(exec, line->pc, part);
  exec->block.events += (uint64_t)all;
  exec->pc = done.again ? line->pc + part : line->pc + n;
  sim_advance(exec, all);
  return true;
}

SimNext sim_lines_up_to_loop(SimExec *exec, const SimInst *line) {
  const SimInst *loop = line + line->to_loop, *in = line->left_out ? sim_inst_after(line) : line;
  SimNext next = SIM_GO;
  for (; in < loop && next == SIM_GO && !exec->stopping; in = sim_inst_after(in)) {
    if (in->step == SIM_STEP_PLAIN) { in->op.run(exec->regs, &in->op, exec->active); continue; }
    next = in->lean(exec, in, exec->active);
    if (next != SIM_GO || exec->stopping) { loop = in + 1; break; }
  }
  if (next == SIM_GO) sim_catch_up(exec, loop->pc);
  sim_count_line(exec, line->pc, (int)(loop - line));
  sim_advance(exec, (int)(loop - line));
  return next;
}

// The same of a line that is executed to its end; and again, if it is a loop.
__attribute__((always_inline))
static inline SimNext run_whole_line(SimExec *exec, const SimInst *line, int n, bool is_told) {
  SimNext next = SIM_GO;
  const SimInst *end;
  int64_t rounds = 0;
  if (!is_told && sim_lines_leads_to_loop(exec, line)) return sim_lines_up_to_loop(exec, line);
  for (;; rounds++) {
    if (!is_told && line->rounds && sim_lines_rounds(exec, line, n)) {
      if (rounds) sim_count_lines(exec, line->pc, n, rounds);
      if (rounds) sim_sum_times(exec, line[n - 1].pc, (uint64_t)rounds);
      return SIM_GO;
    }
    end = run_members(exec, line, n, &next, is_told);
    if (end != line + n - 1 || end->kind != TRACE_BRANCH || next != SIM_GO || exec->stopping) break;
    if (exec->block.left < 2 * n || !goes_round(exec, end, line)) break;
    if (is_told) note_jump(exec, end, exec->active);
    exec->block.events++;
    exec->pc = line->pc;
    sim_advance(exec, n);
  }
  if (rounds) {
    sim_count_lines(exec, line->pc, n, rounds);
    sim_sum_times(exec, line[n - 1].pc, (uint64_t)rounds);
  }
  int done = (int)(end - line);
  if (done == n - 1 && end->kind == TRACE_BRANCH && next == SIM_GO && !exec->stopping)
    return run_last(exec, end, line->pc, done, is_told);
  sim_count_line(exec, line->pc, done);
  sim_advance(exec, done);
  return next;
}

// Instructions that are executed in one go.
static inline int line_length(const SimExec *exec, const SimInst *in) {
  return exec->active == SIM_FULL && !exec->group->forced ? in->full_run : in->run;
}

static SimNext run_bare(SimExec *exec, const SimInst *in) {
  int n = line_length(exec, in);
  if (!n) return sim_step_one(exec, in);
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
  // The first event of those that joined is special.
  return in->run ? sim_step_line(exec, in, true) : sim_step_one(exec, in);
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

bool sim_lines_run(SimExec *exec, bool bare) {
  bool follows = bare && sim_circuits_are_on(exec);
  while (exec->pc != exec->stop_pc && !exec->stopping && has_left(exec)) {
    const SimInst *in = &exec->code[exec->pc];
    if (follows && in->heads && sim_circuits_at(exec, in)) continue;
    bool is_on_way = follows && sim_circuits_follows(exec), whole = !is_on_way && sim_whole_may_run(exec, in);
    uint64_t before = exec->block.executed;
    SimNext next = whole ? sim_whole_run(exec, in) : run_straight(exec, in, bare);
    if (is_on_way) sim_circuits_follow(exec, in, before);
    if (next == SIM_GO) continue;
    sim_end_pass(exec);
    sim_line_end(exec);
    return false;
  }
  if (follows && exec->block.left <= 0) sim_circuits_leave(exec);
  sim_line_end(exec);
  return true;
}
