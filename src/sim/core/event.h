// event.h: events of a run: made, handed over, counted, and kept back while an earlier block waits.
#ifndef LS_SIM_EVENT_H
#define LS_SIM_EVENT_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/core/exec.h"

TraceEvent *sim_event(SimExec *exec, const SimInst *inst, uint32_t mask);   // filled as far as all kinds share
void sim_emit(SimExec *exec);                              // hands exec->event over and counts it
void sim_emit_summed(SimExec *exec);                       // the same of one that the sink is told in a sum
static inline bool sim_wants_event(const SimExec *exec) {
  return exec->recording || (exec->sink && exec->sink->access);
}
// Counts an event that nobody wants to see.
static inline void sim_skip_event(SimExec *exec) { exec->block.events++; }

// ---- lines ---------------------------------------------------------------------------------------------------------
void sim_line_start(SimExec *exec);                        // what is executed from here on is told as one
void sim_line_flush(SimExec *exec, int32_t end);           // tells what there is, up to `end`
void sim_line_end(SimExec *exec);                          // the same up to the program counter, and no more
// What the instruction at pc does, to be filled. Executed or not, it is told behind those before it.
static inline TraceAct *sim_line_act(SimExec *exec, const SimInst *inst, int32_t pc) {
  SimLine *line = &exec->line;
  if (line->count == SIM_LINE_ACTS) sim_line_flush(exec, pc);
  TraceAct *act = &line->acts[line->count++];
  *act = (TraceAct){.pc = pc, .kind = inst->kind, .target = -1, .reconverge = -1};
  return act;
}
// The same of a shuffle: with a row, to be filled too.
static inline TraceAct *sim_line_row(SimExec *exec, const SimInst *inst, TraceRow **row) {
  SimLine *line = &exec->line;
  if (line->row_count == SIM_LINE_ROWS) sim_line_flush(exec, inst->pc);
  TraceAct *act = sim_line_act(exec, inst, inst->pc);
  act->row = *row = &line->rows[line->row_count++];
  return act;
}
// The same of an atomic: with what it does, to be filled too.
static inline TraceAct *sim_line_atoms(SimExec *exec, const SimInst *inst, TraceAtoms **atoms) {
  SimLine *line = &exec->line;
  if (line->atoms_count == SIM_LINE_ATOMS) sim_line_flush(exec, inst->pc);
  TraceAct *act = sim_line_act(exec, inst, inst->pc);
  act->atoms = *atoms = &line->atoms[line->atoms_count++];
  return act;
}
// Something is to be told of the instruction at exec->pc, behind what it did itself.
static inline void sim_line_tell(SimExec *exec) {
  if (exec->line.from >= 0) sim_line_flush(exec, exec->pc + exec->line.is_ahead);
}
// The instruction at exec->pc tells of itself; what is behind it is told as one again.
static inline void sim_line_pass(SimExec *exec) {
  if (exec->line.from < 0) return;
  sim_line_flush(exec, exec->pc);
  exec->line.first = exec->line.from = exec->pc + 1;
}
// The jump at exec->pc goes to `target`.
static inline void sim_line_jump(SimExec *exec, int32_t target) {
  exec->line.before += exec->pc + 1 - exec->line.from;
  exec->line.from = target;
}

// ---- deferred_events.c ---------------------------------------------------------------------------------------------
void sim_defer_event(SimExec *exec);                       // exec->event, of a block that is not the one being shown
void sim_deferred_flush(SimExec *exec);                    // no block is left: shows them, block by block
void sim_deferred_free(SimExec *exec);
uint64_t sim_deferred_count(const SimExec *exec);

#endif
