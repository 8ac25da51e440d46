// shadow_strong.c: strong accesses to words of shared memory.
//
// They are remembered beside the weak ones, so that an atomic does not hide the store before it. The word's cell gets
// the strong access for a writer, which makes others take a closer look; the weak writer is kept meanwhile.
#include "sim/check/fault.h"
#include "sim/check/shadow_words.h"

SimStrongCell *sim_shadow_strong_at(const struct SimShadow *shadow, uint64_t word) {
  uint32_t at = shadow->slow[word].strong;
  return at ? &shadow->strong[at - 1] : NULL;
}

static bool is_on_top(const struct SimShadow *shadow, uint64_t word) {
  return shadow->cells.writer[word] & SIM_CELL_MORE && shadow->slow[word].on_top;
}

uint32_t sim_shadow_weak_writer(const struct SimShadow *shadow, uint64_t word) {
  return is_on_top(shadow, word) ? sim_shadow_strong_at(shadow, word)->weak_writer : shadow->cells.writer[word];
}

void sim_shadow_forget_strong(struct SimShadow *shadow) {
  for (int i = 0; i < shadow->strong_count; i++) {
    SimSlowCell *slow = &shadow->slow[shadow->strong[i].word];
    if (is_on_top(shadow, shadow->strong[i].word)) shadow->cells.writer[shadow->strong[i].word] = 0;
    slow->strong = 0;
    slow->on_top = false;
  }
  shadow->strong_count = 0;
}

static uint32_t how_of(const SimWordAccess *a) { return a->how | (a->writes ? SIM_WRITES : 0); }

// A store of what is there already changes nothing, whoever comes first.
static bool is_harmless(const SimExec *exec, SimConflict kind, uint32_t lane) {
  return kind == SIM_RACE_OF_VOLATILES && exec->unchanged >> lane & 1;
}

bool sim_shadow_check_strong(SimExec *exec, const SimInst *inst, uint64_t word, const SimWordAccess *a) {
  const SimStrongCell *cell = sim_shadow_strong_at(exec->shadow, word);
  const SimMem *m = inst->more;
  SimConflict kind;
  if (!cell) return false;
  SimStrongAccess now = sim_strong_now(exec, how_of(a), a->lane, a->bytes);
  const SimStrongAccess *o = sim_strong_conflict(exec, &cell->writes, &cell->reads, &now, &kind);
  if (!o || is_harmless(exec, kind, a->lane)) return false;
  SimFaultPlace what = {.mask = 1u << a->lane, .space = TRACE_SHARED, .addr = exec->addr[a->lane], .size = m->width,
                        .has_addr = true, .other_pc = (int32_t)(o->info >> 10), .has_other = true,
                        .other_thread = (o->info & 31) * SIM_LANES + (o->info >> 5 & 31),
                        .other_block = exec->block.number};
  sim_strong_fault(exec, &what, kind, now.how, o->how);
  return true;
}

SimStrongCell *sim_shadow_strong_cell(struct SimShadow *shadow, uint64_t word) {
  if (!shadow->slow[word].strong) {
    SimStrongCell fresh = {.word = word};
    LS_PUSH(shadow->strong, shadow->strong_count, shadow->strong_capacity, fresh);
    shadow->slow[word].strong = (uint32_t)shadow->strong_count;
  }
  return sim_shadow_strong_at(shadow, word);
}

static SimStrongCell *put_on_top(struct SimShadow *shadow, uint64_t word, const SimStrongAccess *now) {
  SimStrongCell *cell = sim_shadow_strong_cell(shadow, word);
  if (!is_on_top(shadow, word)) cell->weak_writer = shadow->cells.writer[word];
  shadow->cells.writer[word] = now->writer | SIM_CELL_MORE;
  shadow->slow[word].on_top = true;
  return cell;
}

void sim_shadow_note_strong(SimExec *exec, uint64_t word, const SimWordAccess *a) {
  SimStrongAccess now = sim_strong_now(exec, how_of(a), a->lane, a->bytes);
  SimStrongCell *cell = put_on_top(exec->shadow, word, &now);
  sim_strong_note(a->writes ? cell->writes.last : cell->reads.last, &now);
  sim_strong_note_look(&cell->reads, &now);
}

// ---- atomics that are noted late -----------------------------------------------------------------------------------

static void note_late(void *owner, uint32_t word, const SimStrongAccess *now, uint32_t info) {
  struct SimShadow *shadow = owner;
  sim_strong_note_as(put_on_top(shadow, word, now)->writes.last, now, info);
  shadow->last_write = LS_MAX(shadow->last_write, now->writer);
}

void sim_shadow_note_atomics(struct SimShadow *shadow) { sim_late_atomics_note(shadow->atomics, note_late, shadow); }

// Nobody in the block is in a race with it but who accesses its words in another way.
static bool meets_block(const SimInst *inst) {
  const SimMem *m = inst->more;
  uint32_t others = SIM_VOLATILE | SIM_LOOKS | SIM_UPDATES | SIM_GUESSES;
  return inst->kind == TRACE_ATOM && m->op < PTX_AT_CAS && !m->later && m->width % 4 == 0 &&
         (m->how & (SIM_STRONG | others)) == SIM_STRONG;
}

// Are all accesses that are noted, but for late ones, ordered before what the running warp does?
static bool is_all_before(SimExec *exec) {
  const struct SimShadow *shadow = exec->shadow;
  const SimActor *actor = sim_shadow_actor(exec);
  uint32_t ordered = exec->warp_count == 1 ? actor->own_ordered : LS_MIN(actor->ordered, actor->own_ordered);
  return shadow->last_write < ordered && shadow->last_read < ordered;
}

bool sim_shadow_late_atomic(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimMem *m = inst->more;
  struct SimShadow *shadow = exec->shadow;
  if (!meets_block(inst)) return false;
  sim_shadow_note_reads(exec);
  if (!is_all_before(exec)) return false;
  SimStrongAccess now = sim_strong_now(exec, m->how | SIM_WRITES, 0, 15);
  for (uint64_t k = 0; k < m->width; k += 4)
    if (!sim_late_atomics_add(&shadow->atomics, exec->lane_ops, &now, exec->addr, 0 - k, mask, note_late, shadow))
      return false;
  exec->warp->stored = exec->block.epoch;
  return true;
}
