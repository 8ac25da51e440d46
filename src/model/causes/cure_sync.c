// cure_sync.c: what is to be done where threads wait for others that do not come.
#include "model/causes/cure_parts.h"

// The nearest branch above that hangs on the thread; the nearest at all, if none does; -1.
static int branch_of_threads(const CureOf *of, int pc, int own) {
  Flow *flow = of->flow;
  int nearest = pc < 0 ? -1 : flow_control(flow, pc);
  bool library = pc >= 0 && flow_is_foreign(flow, pc, own);   // its own branches are not meant
  for (int b = nearest; b >= 0; b = flow_outward(flow, pc, b)) {
    if (library && (flow_line(flow, b) == flow_line(flow, own) || flow_is_foreign(flow, b, own))) continue;
    FlowSlice slice = flow_condition(flow, b);
    if (slice.tid || slice.loaded) return b;
  }
  return library ? -1 : nearest;
}

static void add_condition(const CureOf *of, int branch, LsText *out) {
  if (branch < 0) { ls_text_add(out, "A condition"); return; }
  ls_text_add(out, "The condition at ");
  add_line(of, branch, out);
}

void cure_barrier(const CureOf *of, Cause *cause, LsText *out) {
  int pc = of->faults[cause->witness].pc, branch = branch_of_threads(of, pc, pc);
  cure_at(of, cause, CURE_MOVE_BARRIER, pc);
  cause->other_line = flow_line(of->flow, branch);
  add_condition(of, branch, out);
  ls_text_add(out, " lets some threads of a warp past __syncthreads() at ");
  add_line(of, pc, out);
  ls_text_add(out, ": move it out of the condition, so that every thread of the block comes to it, the same number "
              "of times.");
}

void cure_mask(const CureOf *of, Cause *cause, LsText *out) {
  int pc = of->faults[cause->witness].pc, branch = branch_of_threads(of, pc, pc);
  cure_at(of, cause, CURE_MOVE_CALL, pc);
  cause->other_line = flow_line(of->flow, branch);
  add_condition(of, branch, out);
  ls_text_add(out, " keeps the missing lanes away from ");
  if (cause->other_line == cause->line) ls_text_add(out, "the call");
  else add_line(of, pc, out);
  ls_text_add(out, ": let all lanes come to the call, those without work with a value that changes nothing, and "
              "choose the result behind it; or compute the mask with __ballot_sync() before the lanes part.");
}

// ---- nobody can go on ----------------------------------------------------------------------------------------------

static bool cure_lock(const CureOf *of, int pc, Cause *cause, LsText *out) {
  const PtxModule *m = of->module;
  Flow *flow = of->flow;
  if (!flow_is_exchange(m, &m->code[pc])) return false;
  int barrier = flow_next(flow, pc, flow_is_barrier, flow_is_exchange);
  int release = flow_next(flow, pc, flow_is_exchange, NULL);
  if (barrier >= 0 && release >= 0 && flow_reaches(flow, barrier, release, NULL, true)) {
    cure_at(of, cause, CURE_LOCK_BARRIER, barrier);
    ls_text_add(out, "Take the barrier at ");
    add_line(of, barrier, out);
    ls_text_add(out, " out of the lock: who holds it waits there for threads that wait for the lock at ");
    add_line(of, pc, out);
    ls_text_addc(out, '.');
    return true;
  }
  int held = flow_next(flow, pc, flow_is_fence, flow_is_exchange);
  if (held >= 0 && flow_ends(flow, held, flow_is_exchange)) {
    cure_at(of, cause, CURE_LOCK_RELEASE, pc);
    ls_text_add(out, "Give the lock of ");
    add_line(of, pc, out);
    ls_text_add(out, " back on every way: one of them returns, or goes on, without doing it.");
    return true;
  }
  cure_at(of, cause, CURE_LOCK_RETRY, pc);
  ls_text_add(out, "Let the lane that gets the lock at ");
  add_line(of, pc, out);
  ls_text_add(out, " do its work and give it back inside the loop: while (!done) if (atomicCAS(...) == 0) { ...; "
              "done = true; }. Lanes that wait for it can keep it from going on.");
  return true;
}

static bool cure_left(const CureOf *of, int pc, int own, Cause *cause, LsText *out) {
  int branch = branch_of_threads(of, pc, own);
  if (branch < 0 && pc != own) branch = branch_of_threads(of, own, own);   // the library's code is a function
  bool barrier = flow_is_barrier(of->module, &of->module->code[pc]) || flow_is_foreign(of->flow, pc, own);
  if (!barrier || branch < 0 || !flow_condition(of->flow, branch).tid) return false;
  cure_at(of, cause, CURE_STAY, own);
  cause->other_line = flow_line(of->flow, branch);
  add_condition(of, branch, out);
  ls_text_add(out, " keeps threads away from ");
  add_line(of, own, out);
  ls_text_add(out, ", where all have to come: no return before it, and no barrier in a condition.");
  return true;
}

void cure_stuck(const CureOf *of, Cause *cause, LsText *out) {
  const TraceFault *f = &of->faults[cause->witness];
  int pc = f->pc;
  if (pc < 0) return;
  int spin = f->kind == FAULT_LIVELOCK ? flow_spin(of->flow, pc) : -1;
  if (spin >= 0 && !flow_is_foreign(of->flow, spin, pc) && cure_lock(of, spin, cause, out)) return;
  if (cure_left(of, spin >= 0 ? spin : pc, pc, cause, out) || f->kind != FAULT_LIVELOCK || spin < 0) return;
  FlowSlice at = flow_address(of->flow, spin);
  bool for_block = f->other_pc >= 0;   // the emulator knows for which
  if ((!for_block && !at.ctaid && at.atomic < 0 && !at.loaded) || flow_is_foreign(of->flow, spin, pc)) return;
  cure_at(of, cause, CURE_TICKETS_FOR_BLOCKS, spin);
  ls_text_add(out, "The loop at ");
  add_line(of, spin, out);
  ls_text_add(out, " waits for another block. Blocks begin in any order, and only as many at a time as the device "
              "has room for: take the number of the block from an atomic ticket, and wait for lower numbers only.");
}
