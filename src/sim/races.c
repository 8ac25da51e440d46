// races.c: races in global memory: a word that another lane, warp or block accessed too, with nothing that orders the
// two, and at least one of them writes.
//
// Every word remembers who wrote it last, and two different warps that read it, the latest of them; reads only where
// the kernel may write at all (written.c). A warp that accesses a whole line of 128 bytes at once is remembered once.
// Within a block the clocks of shadow.c say what is ordered. Between blocks nothing is, unless the first one has
// published what it did (a fence and then an atomic or volatile write) and this one has looked at such a place since
// (published.c).
// Atomics and volatile accesses do not race with their like. A store of the value that is there is not told. Parts of
// words are left out, for neighbors may write them.
//
// A fault is an event once, the first time. Which blocks ran before decides whether it is told, so a replay, which
// may begin with any block, has to be told about these events (sim_replay_expect).
#include "sim/internal.h"

static const uint64_t MOST_BYTES = 64u << 20, MOST_READ_BYTES = 16u << 20;   // larger buffers are not checked
enum { LINE = 128 };

typedef struct Place { uint32_t lane, other_lane; bool writes, other_writes; } Place;

static void tell_race(Sim *sim, const SimInst *inst, const Place *p, const SimOwner *o) {
  const SimMem *m = inst->more;
  SimFaultPlace place = {.kind = FAULT_RACE, .mask = 1u << p->lane, .addr = sim->addr[p->lane]};
  place.space = place.addr >= SIM_IMAGE_BASE ? TRACE_TEXTURE : TRACE_GLOBAL;
  place.size = m->width;
  place.has_addr = place.has_other = place.once = true;
  place.writes = p->writes;
  place.other_pc = (int32_t)(o->info >> 10);
  place.other_thread = (o->info & 31) * SIM_LANES + p->other_lane;
  place.other_block = o->block - 1;
  place.text = p->other_writes ? "writes" : "reads";
  sim_fault(sim, &place);
}

// ---- order ---------------------------------------------------------------------------------------------------------

static bool block_has_published(const Sim *sim, const SimOwner *o) {
  if (sim->block.looked && o->writer & SIM_CELL_MORE) return true;
  return sim_publish_knows(sim, o->block - 1, (int)(o->writer & 31), o->writer >> SIM_CELL_SHIFT);
}

static bool is_ordered(const Sim *sim, const SimOwner *o, const Place *p) {
  const SimWarp *w = sim->warp;
  uint32_t warp = o->writer & 31, epoch = o->writer >> SIM_CELL_SHIFT;
  if (o->block != sim->block.number + 1) return sim->has_fences && block_has_published(sim, o);
  if ((int)warp != sim_warp_index(sim)) return epoch <= w->clock[warp];
  return sim->options.sched == SIM_STACK || epoch <= w->lanes_met || p->lane == p->other_lane ||
         (int32_t)(o->info >> 10) == sim->told_pc;
}

// ---- checking ------------------------------------------------------------------------------------------------------

// A store of what is there already changes nothing, whoever comes first.
static bool stores_the_same(Sim *sim, const SimInst *inst, const SimSpan *span, uint32_t lane) {
  const SimMem *m = inst->more;
  if (inst->kind != TRACE_STORE || m->vec != 1) return false;
  uint64_t value = sim_lane(sim->regs, m->data[0], m->data_bytes[0], lane);
  return memcmp((const void *)(span->origin + sim->addr[lane]), &value, m->elem) == 0;
}

static void check_one(Sim *sim, const SimInst *inst, const SimSpan *span, const SimOwner *o, const Place *p) {
  const SimMem *m = inst->more;
  if (!o->block || (m->strong && o->writer & SIM_CELL_MORE) || is_ordered(sim, o, p)) return;
  if (!stores_the_same(sim, inst, span, p->lane)) tell_race(sim, inst, p, o);
}

static void check_word(Sim *sim, const SimInst *inst, const SimSpan *span, uint32_t lane, uint64_t offset) {
  const SimAlloc *a = span->alloc;
  Place p = {.lane = lane, .other_lane = (uint32_t)(offset % LINE / 4), .other_writes = true};
  p.writes = inst->kind != TRACE_LOAD;
  if (a->line_owners) check_one(sim, inst, span, &a->line_owners[offset / LINE], &p);
  for (int k = 0; k < 2 && p.writes && a->line_readers; k++) {
    p.other_writes = false;
    check_one(sim, inst, span, &a->line_readers[offset / LINE * 2 + (uint64_t)k], &p);
  }
  if (a->owners) {
    const SimOwner *o = &a->owners[offset / 4];
    p.other_writes = true;
    p.other_lane = o->info >> 5 & 31;
    check_one(sim, inst, span, o, &p);
  }
  for (int k = 0; k < 2 && p.writes && a->readers; k++) {
    const SimOwner *o = &a->readers[offset / 4 * 2 + (uint64_t)k];
    p.other_writes = false;
    p.other_lane = o->info >> 5 & 31;
    check_one(sim, inst, span, o, &p);
  }
}

static bool is_untouched(const SimAlloc *a) { return !a->owners && !a->line_owners && !a->readers && !a->line_readers; }

static void check_words(Sim *sim, const SimInst *inst, const SimSpan *span, uint32_t mask, bool whole) {
  const SimMem *m = inst->more;
  const SimAlloc *a = span->alloc;
  if (is_untouched(a) || (inst->kind == TRACE_LOAD && !a->owners && !a->line_owners)) return;
  if (whole && !a->owners && !a->readers) { check_word(sim, inst, span, 0, sim->addr[0] - a->base); return; }
  SIM_FOR_LANES(i, mask)
    for (uint64_t k = 0; k < m->width; k += 4) check_word(sim, inst, span, i, sim->addr[i] - a->base + k);
}

// ---- remembering ---------------------------------------------------------------------------------------------------

static SimOwner *table(SimOwner **owners, uint64_t count) {
  if (!*owners) *owners = ls_alloc((count + 4) * sizeof **owners);
  return *owners;
}

static SimOwner owner_now(const Sim *sim, bool strong, uint32_t lane) {
  uint32_t warp = (uint32_t)sim_warp_index(sim), more = strong ? SIM_CELL_MORE : 0;
  return (SimOwner){.block = sim->block.number + 1, .writer = sim->block.epoch << SIM_CELL_SHIFT | more | warp,
                    .info = (uint32_t)sim->told_pc << 10 | lane << 5 | warp};
}

static void add_reader(SimOwner *readers, SimOwner now) {
  bool same = readers[0].block == now.block && (readers[0].writer & 31) == (now.writer & 31);
  if (!same) readers[1] = readers[0];
  readers[0] = now;
}

static void remember(Sim *sim, const SimInst *inst, SimAlloc *a, uint32_t mask) {
  const SimMem *m = inst->more;
  bool writes = inst->kind != TRACE_LOAD;
  SimOwner *owners = writes ? table(&a->owners, a->size / 4) : table(&a->readers, a->size / 4 * 2);
  SIM_FOR_LANES(i, mask)
    for (uint64_t k = 0; k < m->width; k += 4) {
      uint64_t word = (sim->addr[i] - a->base + k) / 4;
      SimOwner now = owner_now(sim, m->strong, i);
      if (writes) owners[word] = now; else add_reader(&owners[word * 2], now);
    }
}

static void remember_line(Sim *sim, const SimInst *inst, SimAlloc *a) {
  uint64_t line = (sim->addr[0] - a->base) / LINE;
  SimOwner now = owner_now(sim, false, 0);
  if (inst->kind == TRACE_STORE) table(&a->line_owners, a->size / LINE)[line] = now;
  else add_reader(&table(&a->line_readers, a->size / LINE * 2)[line * 2], now);
}

// Comes before the bytes are moved.
void sim_races_access(Sim *sim, const SimInst *inst, const SimSpan *span, const SimFit *fit, uint32_t mask) {
  const SimMem *m = inst->more;
  SimAlloc *a = span->alloc;
  if (sim->hooks) { sim_replay_told(sim); return; }
  if (m->width < 4 || a->is_const || a->size > MOST_BYTES) return;
  bool whole = fit->contiguous && mask == SIM_FULL && m->width == 4 && !m->strong;
  whole &= (sim->addr[0] - a->base) % LINE == 0;
  check_words(sim, inst, span, mask, whole);
  if (inst->kind == TRACE_LOAD && (!a->may_be_written || a->size > MOST_READ_BYTES)) return;
  if (whole && inst->kind != TRACE_ATOM) remember_line(sim, inst, a);
  else remember(sim, inst, a, mask);
}
