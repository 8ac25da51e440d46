// strong.c: which pairs of accesses may not meet, and the last strong accesses of a word.
#include "sim/check/strong.h"
#include "sim/check/fault.h"
#include "sim/check/happens_before.h"

// ---- pairs ---------------------------------------------------------------------------------------------------------

static bool is_guess_and_atomic(uint32_t guess, uint32_t atomic) {
  return guess & SIM_GUESSES && atomic & SIM_STRONG && !(atomic & SIM_VOLATILE);
}

bool sim_meets_guess(const SimExec *exec, const SimInst *inst, int32_t other_pc) {
  const SimMem *m = inst->more;
  const SimInst *other = other_pc >= 0 ? &exec->code[other_pc] : NULL;
  if (!other || other->kind != TRACE_LOAD || other->access != SIM_MEMORY_ACCESS) return false;
  return is_guess_and_atomic(((const SimMem *)other->more)->how, m->how);
}

SimConflict sim_conflict(uint32_t mine, uint32_t theirs, bool same_block) {
  if (!((mine | theirs) & SIM_WRITES)) return SIM_NO_CONFLICT;
  if (is_guess_and_atomic(mine, theirs) || is_guess_and_atomic(theirs, mine)) return SIM_UNCHECKED_READ;
  if (!(mine & theirs & SIM_STRONG)) return SIM_RACE;
  if (!same_block && (mine | theirs) & SIM_BLOCK_SCOPE) return SIM_RACE_OF_SCOPES;
  if (mine & SIM_UPDATES && theirs & SIM_WRITES) return SIM_LOST_UPDATE;
  if (theirs & SIM_UPDATES && mine & SIM_WRITES) return SIM_LOST_UPDATE;
  if (!(mine & theirs & SIM_VOLATILE)) return SIM_NO_CONFLICT;
  uint32_t reader = !(mine & SIM_WRITES) ? mine : !(theirs & SIM_WRITES) ? theirs : 0;
  return reader & SIM_LOOKS ? SIM_NO_CONFLICT : SIM_RACE_OF_VOLATILES;
}

// ---- the last ones -------------------------------------------------------------------------------------------------

SimStrongAccess sim_strong_now(const SimExec *exec, uint32_t how, uint32_t lane, uint32_t bytes) {
  uint32_t warp = (uint32_t)sim_warp_index(exec);
  return (SimStrongAccess){.block = exec->block.number + 1, .writer = exec->block.epoch << SIM_CELL_SHIFT | warp,
                           .info = (uint32_t)exec->reported_pc << 10 | lane << 5 | warp,
                           .number = exec->strong_number, .how = (uint16_t)how, .bytes = (uint16_t)bytes};
}

static uint32_t warp_of(const SimStrongAccess *a) { return a->writer & 31; }

static uint32_t lane_of(const SimStrongAccess *a) { return a->info >> 5 & 31; }

void sim_strong_note(SimStrongAccess last[SIM_STRONG_LAST], const SimStrongAccess *now) {
  sim_strong_note_as(last, now, now->info);
}

void sim_strong_note_look(SimStrongReads *reads, const SimStrongAccess *now) {
  if (!(now->how & SIM_LOOKS)) return;
  if (reads->looks[0].block != now->block) reads->looks[1] = reads->looks[0];
  reads->looks[0] = (SimLook){now->block, now->number};
}

// ---- order ---------------------------------------------------------------------------------------------------------

// Whoever looks sees what was published, and a volatile access after that does not come before it, fence or not.
static bool is_ordered(const SimExec *exec, const SimStrongAccess *o, const SimStrongAccess *now) {
  const SimWarp *w = exec->warp;
  uint32_t warp = warp_of(o), epoch = o->writer >> SIM_CELL_SHIFT, lane = lane_of(now);
  if (o->block != exec->block.number + 1)
    return exec->program->has_fences && sim_happens_before_has(exec, o->block - 1, (int)warp, epoch);
  if ((int)warp != sim_warp_index(exec))
    return epoch <= w->clock[warp] || (now->how & SIM_STRONG && epoch <= w->seen[warp]);
  uint32_t met = o->how & SIM_WRITES ? w->lanes_met : w->lanes_read;
  return exec->sched == SIM_STACK || epoch <= met || lane_of(o) == lane ||
         (int32_t)(o->info >> 10) == exec->reported_pc;
}

// A thread of the block has seen the flag since it was set, and may set it again.
static bool has_looked(const SimStrongReads *reads, const SimStrongAccess *o, uint32_t block) {
  for (int i = 0; reads && i < 2; i++)
    if (reads->looks[i].block == block && reads->looks[i].number > o->number) return true;
  return false;
}

static SimConflict conflict_with(const SimExec *exec, const SimStrongAccess *o, const SimStrongReads *reads,
                                 const SimStrongAccess *now) {
  if (!o->block || !(o->bytes & now->bytes)) return SIM_NO_CONFLICT;
  SimConflict kind = sim_conflict(now->how, o->how, o->block == now->block);
  if (!kind || is_ordered(exec, o, now)) return SIM_NO_CONFLICT;
  return has_looked(reads, o, now->block) ? SIM_NO_CONFLICT : kind;
}

const SimStrongAccess *sim_strong_conflict(const SimExec *exec, const SimStrongWrites *writes,
                                           const SimStrongReads *reads, const SimStrongAccess *now, SimConflict *kind) {
  for (int i = 0; writes && i < SIM_STRONG_LAST; i++)
    if ((*kind = conflict_with(exec, &writes->last[i], reads, now))) return &writes->last[i];
  for (int i = 0; reads && i < SIM_STRONG_LAST; i++)
    if ((*kind = conflict_with(exec, &reads->last[i], reads, now))) return &reads->last[i];
  return NULL;
}

// ---- telling -------------------------------------------------------------------------------------------------------

void sim_strong_fault(SimExec *exec, SimFaultPlace *what, SimConflict kind, uint32_t mine, uint32_t theirs) {
  what->kind = kind == SIM_LOST_UPDATE      ? FAULT_LOST_UPDATE
               : kind == SIM_UNCHECKED_READ ? FAULT_UNCHECKED_READ
                                            : FAULT_RACE;
  what->writes = mine & SIM_WRITES;
  what->text = theirs & SIM_WRITES ? "writes" : "reads";
  what->updates = mine & SIM_UPDATES;
  if (kind == SIM_RACE_OF_SCOPES) what->why = "the atomics of one of them are for its own block only";
  if (kind == SIM_RACE_OF_VOLATILES) what->why = "volatile does not order them";
  sim_fault(exec, what);
}
