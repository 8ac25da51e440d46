// quick.c: races and bytes that nobody wrote, for the accesses that most kernels consist of: all lanes, whole words, in
// a row or in two, or at one place or two. Of these shared memory's cells are looked at 16 at a time, and global memory
// that nobody may write needs no look. All else goes to shadow.c and races.c.
#include "sim/check/quick.h"
#include <string.h>
#include "sim/check/access_history.h"
#include "sim/check/shadow.h"
#include "sim/check/shadow_words.h"
#include "sim/core/place.h"

enum { WORD = 4, HALF = 16 };

bool sim_quick_fits(const SimInst *inst, const SimShape *s) {
  const SimMem *m = inst->more;
  if (!s->is_plain || m->width != WORD || s->like.mask != SIM_FULL || s->generic) return false;
  if (s->space == TRACE_SHARED) return s->form == SIM_FORM_ROW || (inst->kind == TRACE_LOAD && s->form != SIM_FORM_ANY);
  return s->span.alloc && inst->kind == TRACE_LOAD && !s->span.alloc->may_be_written;
}

// ---- bytes that nobody wrote ---------------------------------------------------------------------------------------

static bool all_ones(const uint8_t *init, size_t bytes) {
  uint64_t wrong = 0, word;
  for (size_t i = 0; i < bytes; i += sizeof word) {
    memcpy(&word, init + i, sizeof word);
    wrong |= word ^ 0x0101010101010101ull;
  }
  return !wrong;
}

static bool is_one(const uint8_t *init) {
  uint32_t word;
  memcpy(&word, init, sizeof word);
  return word == 0x01010101u;
}

static bool all_written(const SimExec *exec, const SimShape *s, const uint8_t *init) {
  uint64_t high = s->places[HALF];
  switch (s->form) {
  case SIM_FORM_ROW: return all_ones(init, (size_t)WORD * SIM_LANES);
  case SIM_FORM_SAME: return is_one(init);
  case SIM_FORM_HALF_ROWS: return all_ones(init, (size_t)WORD * HALF) && all_ones(init + high, (size_t)WORD * HALF);
  case SIM_FORM_HALF_SAME: return is_one(init) && is_one(init + high);
  default: return exec->lane_ops->all_written32((uintptr_t)init, s->places);
  }
}

// ---- shared memory -------------------------------------------------------------------------------------------------

static bool may_read(const SimExec *exec, const SimLateRead *read, const SimActor *actor) {
  const SimLaneOps *ops = exec->lane_ops;
  const SimCells *cells = &exec->shadow->cells;
  bool twice = read->high != read->word;   // else the upper half stands for both
  if (read->in_rows) return (!twice || ops->may_read_row(cells, read->word, 0, actor)) &&
                            ops->may_read_row(cells, read->high, HALF, actor);
  return (!twice || sim_cell_may_read(cells, read->word, HALF - 1, actor)) &&
         sim_cell_may_read(cells, read->high, SIM_LANES - 1, actor);
}

static uint32_t info_of(const SimExec *exec, const SimActor *actor) {
  return (uint32_t)exec->reported_pc << 10 | (actor->writer & 31);
}

// One word is noted as read by the last of the lanes that read it (shadow.c does the same).
static bool read_places(SimExec *exec, const SimShape *s, uint64_t word) {
  const SimActor *actor = sim_shadow_actor(exec);
  const SimLateRead read = {.epoch = actor->writer & ~31u, .ordered = actor->ordered, .info = info_of(exec, actor),
                            .word = (uint32_t)word, .high = (uint32_t)(word + s->places[HALF] / WORD),
                            .in_rows = s->form == SIM_FORM_ROW || s->form == SIM_FORM_HALF_ROWS};
  if (!sim_shadow_reads_are_safe(exec->shadow, actor) && !may_read(exec, &read, actor)) return false;
  sim_shadow_read_late(exec, &read);
  return true;
}

static bool write_row(SimExec *exec, uint64_t word) {
  const SimLaneOps *ops = exec->lane_ops;
  const SimCells *cells = &exec->shadow->cells;
  SimActor actor = *sim_shadow_actor(exec);
  actor.info = info_of(exec, &actor);
  sim_shadow_note_late(exec);
  if (!ops->may_write_row(cells, word, 0, &actor) ||
      !ops->may_write_row(cells, word + HALF, HALF, &actor))
    return false;
  ops->note_write_row(cells, word, 0, &actor);
  ops->note_write_row(cells, word + HALF, HALF, &actor);
  sim_shadow_writes(exec);
  exec->warp->stored = exec->block.epoch;
  return true;
}

static bool judge_shared(SimExec *exec, const SimShape *s, uint64_t offset) {
  bool init = exec->checks & SIM_CHECK_INIT && !exec->block.shared_whole && !sim_shadow_is_whole(exec);
  if (init && !s->is_store && !all_written(exec, s, exec->shared_init + offset)) return false;
  if (exec->checks & SIM_CHECK_RACE) {
    if (exec->block.async_copies || offset % WORD) return false;
    if (s->form != SIM_FORM_ROW && exec->warp->stored > exec->warp->lanes_met) return false;
    exec->reported_pc = exec->pc;
    if (exec->program->own_code) exec->reported_pc = sim_reported_pc(exec, exec->warp, exec->group, exec->pc);
    uint64_t word = offset / WORD;
    if (!(s->is_store ? write_row(exec, word) : read_places(exec, s, word))) return false;
  }
  if (init && s->is_store) memset(exec->shared_init + offset, 1, (size_t)WORD * SIM_LANES);
  return true;
}

// ---- global memory -------------------------------------------------------------------------------------------------

// A load of what the kernel never writes.
static bool judge_global(const SimExec *exec, const SimShape *s, uint64_t offset) {
  const SimAlloc *a = s->span.alloc;
  if (exec->checks & SIM_CHECK_RACE && exec->history->pieces[a->number]) return false;
  return !(exec->checks & SIM_CHECK_INIT) || !a->init || all_written(exec, s, a->init + offset);
}

bool sim_quick_judge(SimExec *exec, const SimShape *s, const uint8_t *place) {
  if (s->space == TRACE_SHARED) return judge_shared(exec, s, (uint64_t)(place - exec->shared));
  return judge_global(exec, s, (uint64_t)(place - s->span.alloc->bytes));
}
