// races.c: races in global memory: a word that another warp or block wrote, with nothing that orders the two.
//
// Every word that was written plainly remembers who wrote it last. Between warps of a block the clocks of shadow.c say
// what is ordered. Between blocks only fences and atomics can order anything; a kernel that has fences is trusted to
// use them. Storing the value that is there already is not told. Reads are not remembered, so a read before a write is
// only found when the blocks or warps happen to run the other way round.
//
// These faults have no event of their own: what is told must not depend on which blocks ran before.
#include "sim/internal.h"

static const uint64_t MOST_BYTES = 64u << 20;   // larger buffers are not checked
enum { LINE = 128 };

static void tell_race(Sim *sim, const SimInst *inst, uint32_t lane, const SimOwner *o) {
  const SimMem *m = inst->more;
  uint32_t block = o->block - 1;
  sim_fault(sim, &(SimFaultPlace){.kind = FAULT_RACE,
                                  .mask = 1u << lane,
                                  .space = TRACE_GLOBAL,
                                  .addr = sim->addr[lane],
                                  .size = m->width,
                                  .has_addr = true,
                                  .writes = inst->kind != TRACE_LOAD,
                                  .other_pc = (int32_t)(o->info >> 10),
                                  .has_other = true,
                                  .other_thread = (o->info & 31) * SIM_LANES + (o->info >> 5 & 31),
                                  .other_block = block,
                                  .text = "writes",
                                  .silent = true});
}

static bool is_race(const Sim *sim, const SimOwner *o) {
  if (!o->block) return false;
  if (o->block != sim->block.number + 1) return !sim->has_fences;
  uint32_t warp = o->writer & 31;
  return (int)warp != sim_warp_index(sim) && o->writer >> SIM_CELL_SHIFT > sim->warp->clock[warp];
}

// A store of what is there already changes nothing, whoever comes first.
static bool stores_the_same(Sim *sim, const SimMem *m, const SimSpan *span, uint32_t lane) {
  uint64_t value = sim_lane(sim->regs, m->data[0], m->data_bytes[0], lane);
  return m->vec == 1 && memcmp((const void *)(span->origin + sim->addr[lane]), &value, m->elem) == 0;
}

static void check_owner(Sim *sim, const SimInst *inst, const SimSpan *span, uint32_t lane, const SimOwner *o) {
  bool writes = inst->kind == TRACE_STORE;
  if (is_race(sim, o) && !(writes && stores_the_same(sim, inst->more, span, lane))) tell_race(sim, inst, lane, o);
}

static SimOwner owner_now(const Sim *sim, uint32_t lane) {
  uint32_t warp = (uint32_t)sim_warp_index(sim);
  return (SimOwner){sim->block.number + 1, sim->block.epoch << SIM_CELL_SHIFT | warp,
                    (uint32_t)sim->pc << 10 | lane << 5 | warp};
}

static SimOwner *table(SimOwner **owners, uint64_t count) {
  if (!*owners) *owners = ls_alloc((count + 4) * sizeof **owners);
  return *owners;
}

static void check_words(Sim *sim, const SimInst *inst, const SimSpan *span, uint32_t mask) {
  const SimMem *m = inst->more;
  SimAlloc *a = span->alloc;
  SIM_FOR_LANES(i, mask) {
    uint64_t offset = sim->addr[i] - a->base;
    if (a->line_owners) check_owner(sim, inst, span, i, &a->line_owners[offset / LINE]);
    for (int word = 0; word < m->width / 4 && a->owners; word++)
      check_owner(sim, inst, span, i, &a->owners[offset / 4 + (uint64_t)word]);
  }
}

static void own_words(Sim *sim, const SimInst *inst, SimAlloc *a, uint32_t mask) {
  const SimMem *m = inst->more;
  SimOwner *owners = table(&a->owners, a->size / 4);
  SIM_FOR_LANES(i, mask)
    for (int word = 0; word < m->width / 4; word++)
      owners[(sim->addr[i] - a->base) / 4 + (uint64_t)word] = owner_now(sim, i);
}

// Comes before the bytes are moved. Parts of words are left out. A store that fills a line owns it as a whole.
void sim_races_access(Sim *sim, const SimInst *inst, const SimSpan *span, const SimFit *fit, uint32_t mask) {
  const SimMem *m = inst->more;
  SimAlloc *a = span->alloc;
  if (m->strong || m->width < 4 || sim->hooks || a->is_const || a->size > MOST_BYTES) return;
  uint64_t line = (sim->addr[0] - a->base) / LINE;
  bool whole = fit->contiguous && mask == SIM_FULL && m->width == 4 && (sim->addr[0] - a->base) % LINE == 0;
  if (whole && !a->owners) {
    if (a->line_owners) check_owner(sim, inst, span, 0, &a->line_owners[line]);
  } else if (a->owners || a->line_owners) {
    check_words(sim, inst, span, mask);
  }
  if (inst->kind != TRACE_STORE) return;
  if (whole) table(&a->line_owners, a->size / LINE)[line] = owner_now(sim, 0);
  else own_words(sim, inst, a, mask);
}
