// step.c: instructions one by one, and straight lines whose instructions may have to be told one by one.
#include "sim/grid/step.h"
#include "sim/check/unset.h"
#include "sim/core/event.h"

// ---- events ---------------------------------------------------------------------------------------------------------

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

// ---- straight lines -------------------------------------------------------------------------------------------------

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

int sim_step_quiet(const SimExec *exec, const SimInst *line, int n, bool mixed) {
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

// Others of the warp that could run have their turn.
static bool is_spent(const SimExec *exec) { return !exec->alone && exec->block.slice <= 0; }

SimNext sim_step_line(SimExec *exec, const SimInst *line, bool mixed) {
  sim_end_pass(exec);
  int n = room_before_stop(exec, LS_MIN((int)line->run, exec->block.left)), i = 0;
  int32_t start = exec->pc;
  SimNext next = SIM_GO;
  while (i < n && next == SIM_GO && !(i && is_spent(exec))) {
    int quiet = line[i].quiet ? sim_step_quiet(exec, line + i, n - i, mixed) : 0;
    if (quiet) {
      run_quiet(exec, line + i, quiet);
      sim_advance(exec, quiet);
      i += quiet;
      continue;
    }
    if (!mixed) break;
    int32_t pc = exec->pc;
    uint32_t mask = sim_guarded(exec, &line[i]);
    next = line[i].handler(exec, &line[i], mask);
    if (exec->hooks) note_written(exec, pc, mask);
    sim_advance(exec, 1);
    i++;
    n = i + room_before_stop(exec, n - i);
    if (sim_must_stop(exec)) break;
  }
  sim_count_line(exec, start, i);
  return next;
}

// ---- one by one -----------------------------------------------------------------------------------------------------

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

SimNext sim_step_one(SimExec *exec, const SimInst *in) {
  sim_end_pass(exec);
  uint32_t mask = sim_guarded(exec, in);
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
  sim_advance(exec, 1);
  return next;
}
