// fault.c: faults of the kernel as sentences: what happened, at which thread, at which line.
#include "sim/check/fault.h"
#include "sim/core/event.h"
#include "sim/core/ownership.h"
#include "sim/core/place.h"

// ---- where ---------------------------------------------------------------------------------------------------------

static void add_coordinates(const char *what, uint32_t number, const uint32_t dim[3], LsText *out) {
  ls_text_addf(out, "%s (%u,%u,%u)", what, number % dim[0], number / dim[0] % dim[1], number / dim[0] / dim[1]);
}

static void add_thread(const SimProgram *program, uint32_t thread, LsText *out) {
  add_coordinates("thread", thread, program->launch->block, out);
}

// ---- sentences -----------------------------------------------------------------------------------------------------

static const char *verb(const SimExec *exec, const SimFaultPlace *p) {
  if (exec->pc >= 0 && exec->code[exec->pc].kind == TRACE_ATOM) return "updates";
  return p->writes ? "writes" : "reads";
}

static void add_access(const SimExec *exec, const SimFaultPlace *p, TraceFault *f, LsText *out) {
  ls_text_addf(out, " %s %d byte%s at ", verb(exec, p), p->size, p->size == 1 ? "" : "s");
  sim_fault_add_place(exec->program, p, f, out);
  if (p->kind == FAULT_MISALIGNED) ls_text_addf(out, ", an address that is no multiple of %d", p->size);
  if (p->kind == FAULT_UNINITIALIZED) ls_text_add(out, ", which nobody has written");
}

static void add_race(const SimExec *exec, const SimFaultPlace *p, TraceFault *f, LsText *out) {
  ls_text_addf(out, " %s ", p->writes ? "writes" : "reads");
  sim_fault_add_place(exec->program, p, f, out);
  ls_text_addf(out, ", which ");
  add_thread(exec->program, p->other_thread, out);
  if (p->other_block != f->block) add_coordinates(" of block", p->other_block, exec->program->launch->grid, out);
  ls_text_addf(out, " %s", p->text);
  if (p->other_pc >= 0 && p->other_pc != f->pc) {
    ls_text_add(out, " at ");
    sim_fault_where(exec->program, p->other_pc, out);
  }
  if (p->why) ls_text_addf(out, "; %s", p->why);
  else if (p->other_block != f->block) ls_text_add(out, "; nothing orders the two blocks");
  else if (p->other_thread / SIM_LANES == f->thread / SIM_LANES) ls_text_add(out, " with no __syncwarp() in between");
  else ls_text_add(out, " with no barrier in between");
}

// A first guess, read plainly, and an atomic, in either order.
static void add_unchecked_read(const SimExec *exec, const SimFaultPlace *p, TraceFault *f, LsText *out) {
  ls_text_add(out, p->writes ? " updates " : " reads ");
  sim_fault_add_place(exec->program, p, f, out);
  ls_text_add(out, p->writes ? ", which " : " plainly, which ");
  add_thread(exec->program, p->other_thread, out);
  if (p->other_block != f->block) add_coordinates(" of block", p->other_block, exec->program->launch->grid, out);
  ls_text_add(out, p->writes ? " reads plainly" : " updates");
  if (p->other_pc >= 0) {
    ls_text_add(out, " at ");
    sim_fault_where(exec->program, p->other_pc, out);
  }
  ls_text_add(out, "; atomicCAS checks what was read");
}

// Who loads and stores, and who may store in between.
static void add_lost_update(const SimExec *exec, const SimFaultPlace *p, TraceFault *f, LsText *out) {
  ls_text_add(out, p->updates ? " changes " : " stores to ");
  sim_fault_add_place(exec->program, p, f, out);
  ls_text_add(out, p->updates ? " by a load and a store, and " : ", which ");
  add_thread(exec->program, p->other_thread, out);
  if (p->other_block != f->block) add_coordinates(" of block", p->other_block, exec->program->launch->grid, out);
  ls_text_add(out, p->updates ? " may store there in between" : " changes by a load and a store, perhaps in between");
  if (p->other_pc < 0 || p->other_pc == f->pc) return;
  ls_text_add(out, " at ");
  sim_fault_where(exec->program, p->other_pc, out);
}

// text: "into" or "from", as the copy goes.
static void add_copy(const SimExec *exec, const SimFaultPlace *p, TraceFault *f, LsText *out) {
  ls_text_addf(out, " %s ", verb(exec, p));
  sim_fault_add_place(exec->program, p, f, out);
  ls_text_addf(out, ", %s which ", p->text);
  add_thread(exec->program, p->other_thread, out);
  ls_text_add(out, " has started an asynchronous copy at ");
  sim_fault_where(exec->program, p->other_pc, out);
  ls_text_add(out, " that nobody has waited for");
}

static void add_what(const SimExec *exec, const SimFaultPlace *p, TraceFault *f, LsText *out) {
  switch (p->kind) {
  case FAULT_RACE: add_race(exec, p, f, out); return;
  case FAULT_UNCHECKED_READ: add_unchecked_read(exec, p, f, out); return;
  case FAULT_LOST_UPDATE: add_lost_update(exec, p, f, out); return;
  case FAULT_PENDING_COPY: add_copy(exec, p, f, out); return;
  case FAULT_TRAP: ls_text_addf(out, ": %s", p->text ? p->text : "the kernel executed trap"); return;
  case FAULT_DIVIDE_BY_ZERO: ls_text_add(out, " divides an integer by zero"); return;
  case FAULT_STACK_OVERFLOW: ls_text_add(out, " is inside more calls than its stack can hold"); return;
  case FAULT_INACTIVE_SOURCE:
    ls_text_addf(out, " takes its value from lane %d, which takes no part in this shuffle: what it gets is not defined",
                 p->lane);
    return;
  default: break;
  }
  if ((p->text || p->does) && p->has_addr) f->object = sim_fault_object(exec->program, p, &f->distance);
  if (p->does) ls_text_addf(out, " %s", p->does);
  else if (p->text) ls_text_addf(out, ": %s", p->text);
  else if (p->has_addr) add_access(exec, p, f, out);
}

static char *sentence(const SimExec *exec, const SimFaultPlace *p, TraceFault *f) {
  LsText out = {0};
  if (p->mask) {
    if (!trace_fault_def(p->kind)->of_many) {
      add_thread(exec->program, f->thread, &out);
      ls_text_add(&out, " of ");
    }
    add_coordinates("block", f->block, exec->program->launch->grid, &out);
    add_what(exec, p, f, &out);
    ls_text_add(&out, "; ");
    sim_fault_where(exec->program, f->pc, &out);
  } else {
    add_coordinates("block", f->block, exec->program->launch->grid, &out);
    ls_text_addf(&out, ": %s", p->text ? p->text : trace_fault_name(p->kind));
  }
  return ls_text_take(&out);
}

// ---- telling -------------------------------------------------------------------------------------------------------

static void emit_event(SimExec *exec, int index, uint32_t mask) {
  SimFaultState *state = &exec->fault_states[index];
  if (state->in_block && state->block == exec->block.number) return;
  *state = (SimFaultState){exec->block.events, exec->block.number, true};
  if (!sim_wants_event(exec)) { sim_skip_event(exec); return; }
  if (exec->recording && exec->faults[index].step == UINT64_MAX && !exec->block.deferred)
    exec->faults[index].step = exec->step;
  int warp = exec->warp ? sim_warp_index(exec) : 0;
  exec->event = (TraceEvent){.step = exec->step,
                             .block = exec->block.number,
                             .warp = (uint16_t)warp,
                             .kind = trace_fault_grade(&exec->faults[index]) == GRADE_FAULT ? TRACE_FAULT : TRACE_NOTE,
                             .pc = exec->faults[index].pc,
                             .active = exec->active,
                             .mask = mask,
                             .target = -1,
                             .reconverge = -1,
                             .fault = index};
  sim_emit(exec);
}

// Its step is behind what is still to be told of the line.
static int add_fault(SimExec *exec, const SimFaultPlace *p, int32_t pc, int32_t other_pc) {
  if (sim_wants_event(exec)) sim_line_tell(exec);
  uint32_t warp = exec->warp ? (uint32_t)sim_warp_index(exec) : 0;
  TraceFault f = {.kind = (uint8_t)p->kind,
                  .space = (uint8_t)p->space,
                  .block = exec->block.number,
                  .pc = pc,
                  .other_pc = other_pc,
                  .thread = warp * SIM_LANES + (p->mask ? (uint32_t)__builtin_ctz(p->mask) : 0),
                  .addr = p->addr,
                  .size = p->size,
                  .object = -1,
                  .other_block = p->other_block,
                  .other_thread = p->other_thread,
                  .count = 1};
  f.step = exec->recording && !exec->block.deferred ? exec->step : UINT64_MAX;   // deferred_events.c knows it later
  f.message = sentence(exec, p, &f);
  LS_PUSH(exec->faults, exec->fault_count, exec->fault_capacity, f);
  LS_PUSH(exec->fault_states, exec->fault_state_count, exec->fault_state_capacity, ((SimFaultState){0}));
  if (exec->sink && exec->sink->fault) exec->sink->fault(exec->sink, &f);
  return exec->fault_count - 1;
}

// How far apart the two of a race are: lanes, warps or blocks. Each is a fault of its own, since the widest says what is
// needed to order them, whichever came first.
static int distance_of(const SimExec *exec, const SimFaultPlace *p) {
  if (p->kind != FAULT_RACE || !p->has_other) return 0;
  if (p->other_block != exec->block.number) return 2;
  return p->other_thread / SIM_LANES != (uint32_t)sim_warp_index(exec);
}

// Which of the faults it is: 1 + its index, 0 if it has none yet.
static int *known_fault(SimExec *exec, FaultKind kind, int32_t pc, int32_t other_pc, int distance) {
  int32_t first = pc, second = other_pc;
  if (kind == FAULT_UNCHECKED_READ) { first = LS_MIN(pc, other_pc); second = LS_MAX(pc, other_pc); }   // either way
  LsKey key = {{(uint64_t)kind, (uint64_t)first, (uint64_t)second, (uint64_t)distance}};
  return ls_table_at(&exec->fault_of, &key);
}

void sim_fault_know(SimExec *exec, const TraceFault *fault) {
  bool is_race = fault->kind == FAULT_RACE, far = fault->other_thread / SIM_LANES != fault->thread / SIM_LANES;
  int distance = !is_race ? 0 : fault->other_block != fault->block ? 2 : far;
  int *known = known_fault(exec, (FaultKind)fault->kind, fault->pc, fault->other_pc, distance);
  TraceFault copy = *fault;
  copy.message = ls_strdup(fault->message);
  LS_PUSH(exec->faults, exec->fault_count, exec->fault_capacity, copy);
  LS_PUSH(exec->fault_states, exec->fault_state_count, exec->fault_state_capacity, ((SimFaultState){0}));
  if (!*known) *known = exec->fault_count;
}

void sim_fault_expected(SimExec *exec, int index) {
  emit_event(exec, index, 1u << exec->faults[index].thread % SIM_LANES);
}

void sim_fault(SimExec *exec, const SimFaultPlace *p) {
  if (sim_is_worker(exec)) { sim_give_up(exec); return; }   // it is told by the run on one thread
  sim_line_tell(exec);
  int32_t pc = p->mask || exec->group ? sim_reported_pc(exec, exec->warp, exec->group, exec->pc) : -1;
  int32_t other_pc = p->has_other ? p->other_pc : -1;
  int *known = known_fault(exec, p->kind, pc, other_pc, distance_of(exec, p));
  bool again = *known;
  if (!again) *known = add_fault(exec, p, pc, other_pc) + 1;
  int index = *known - 1;
  if (again) exec->faults[index].count++;
  if (!p->once || !again) emit_event(exec, index, p->mask);
  if (trace_fault_def(p->kind)->stops && !p->goes_on) exec->stopping = exec->failed = true;
}
