// quick.c: races and bytes that nobody wrote, for the accesses that most kernels consist of: all lanes, whole words, in
// a row or in two, or at one place or two. Of these shared memory's cells are looked at 16 at a time, global memory
// that nobody may write needs no look, and quick_rows.c looks at what is written. All else goes to shadow.c
// and races.c.
#include "sim/check/quick.h"
#include <string.h>
#include "sim/check/access_history.h"
#include "sim/check/shadow.h"
#include "sim/check/shadow_words.h"
#include "sim/core/dots.h"
#include "sim/core/place.h"

enum { WORD = 4, HALF = 16 };

// ---- how -----------------------------------------------------------------------------------------------------------

static bool is_one_lane(const SimShape *s) { return !(s->like.mask & (s->like.mask - 1)); }

static SimJudge of_shared(const SimShape *s) {
  if (s->form == SIM_FORM_SOME) return SIM_JUDGE_QUICKLY;
  if (s->is_store) return s->form == SIM_FORM_ROW ? SIM_JUDGE_QUICKLY : SIM_JUDGE_SLOWLY;
  return s->form != SIM_FORM_ANY ? SIM_JUDGE_READ : SIM_JUDGE_SLOWLY;
}

// Is it a part of what the kernel writes?
static bool changes(const SimShape *s) {
  const SimAlloc *a = s->span.alloc;
  return (s->is_store || a->may_be_written) && !a->is_const;
}

static SimJudge of_global(const SimExec *exec, const SimShape *s) {
  const SimAlloc *a = s->span.alloc;
  if (changes(s)) return sim_quick_rows_fit(s) ? SIM_JUDGE_QUICKLY : SIM_JUDGE_SLOWLY;
  return a->init || exec->history->pieces[a->number] ? SIM_JUDGE_QUICKLY : SIM_JUDGE_NOTHING;
}

void sim_quick_learn(const SimExec *exec, const SimInst *inst, SimShape *s) {
  const SimMem *m = inst->more;
  bool in_rows = s->form == SIM_FORM_ROW || s->form == SIM_FORM_HALF_ROWS;
  s->judge = SIM_JUDGE_SLOWLY;
  if (!s->is_plain || m->width != WORD) return;
  if (s->like.mask != SIM_FULL && !(s->space == TRACE_SHARED && is_one_lane(s))) return;
  s->late_how = (uint32_t)(s->places[HALF] / WORD) << 1 | (in_rows ? SIM_LATE_ROWS : 0);
  if (s->space == TRACE_SHARED) s->judge = of_shared(s);
  else if (s->span.alloc) s->judge = of_global(exec, s);
}

static void ask_again(SimShapes *shapes) {
  for (int k = 0; k < shapes->count; k++) {
    SimShape *s = shapes->ways[k];
    if (s->judge == SIM_JUDGE_NOTHING) s->judge = SIM_JUDGE_QUICKLY;
    s->cares |= SIM_LOOKS_CHECKS;
  }
}

void sim_quick_forget(SimExec *exec) {
  sim_dots_forget(exec);
  exec->shape_version++;
  for (int pc = 0; pc < exec->program->module->code_count; pc++) ask_again(&exec->shapes[pc]);
}

static void report_pc(SimExec *exec) {
  exec->reported_pc = exec->pc;
  if (exec->program->own_code) exec->reported_pc = sim_reported_pc(exec, exec->warp, exec->group, exec->pc);
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
  case SIM_FORM_SAME: case SIM_FORM_SOME: return is_one(init);
  case SIM_FORM_HALF_ROWS: return all_ones(init, (size_t)WORD * HALF) && all_ones(init + high, (size_t)WORD * HALF);
  case SIM_FORM_HALF_SAME: return is_one(init) && is_one(init + high);
  default: return exec->lane_ops->all_written32((uintptr_t)init, s->places);
  }
}

// ---- shared memory -------------------------------------------------------------------------------------------------

static bool may_read(const SimExec *exec, const SimLateRead *read, const SimActor *actor) {
  const SimLaneOps *ops = exec->lane_ops;
  const SimCells *cells = &exec->shadow->cells;
  uint32_t high = sim_late_high(read);
  bool twice = high != read->word;   // else the upper half stands for both
  if (read->how & SIM_LATE_ROWS) return (!twice || ops->may_read_row(cells, read->word, 0, actor)) &&
                                        ops->may_read_row(cells, high, HALF, actor);
  return (!twice || sim_cell_may_read(cells, read->word, HALF - 1, actor)) &&
         sim_cell_may_read(cells, high, SIM_LANES - 1, actor);
}

// Whatever the warp reads now was written before something that orders it.
static bool reads_are_safe(const SimShadow *shadow, const SimActor *actor) {
  return shadow->last_write < actor->ordered && !shadow->has_parts;
}

static uint32_t info_of(const SimExec *exec, const SimActor *actor) {
  return (uint32_t)exec->reported_pc << 10 | (actor->writer & 31);
}

// One word is noted as read by the last of the lanes that read it (shadow.c does the same). is_whole: nobody can read
// what nobody wrote.
static bool read_places(SimExec *exec, const SimShape *s, uint64_t word, bool is_whole) {
  const SimActor *actor = sim_shadow_actor(exec);
  const SimLateRead read = {.word = (uint32_t)word, .how = s->late_how};
  if (exec->shadow->atomics) sim_shadow_note_atomics(exec->shadow);
  bool is_safe = reads_are_safe(exec->shadow, actor);
  if (!is_safe && !may_read(exec, &read, actor)) return false;
  sim_shadow_read_late(exec, read.word, read.how);
  if (is_safe && is_whole && !exec->program->own_code) sim_shadow_trust(exec);
  return true;
}

static bool write_row(SimExec *exec, uint64_t word) {
  SimActor *actor = sim_shadow_actor(exec);
  actor->info = info_of(exec, actor);
  sim_shadow_note_late(exec);
  if (!exec->lane_ops->write_row(&exec->shadow->cells, word, actor)) return false;
  sim_shadow_writes(exec);
  exec->warp->stored = exec->block.epoch;
  return true;
}

// Of one lane alone.
static bool access_one(SimExec *exec, const SimShape *s, uint64_t word) {
  const SimCells *cells = &exec->shadow->cells;
  uint32_t lane = s->like.first;
  SimActor *actor = sim_shadow_actor(exec);
  actor->info = info_of(exec, actor);
  sim_shadow_note_late(exec);
  if (!(s->is_store ? sim_cell_may_write : sim_cell_may_read)(cells, word, lane, actor)) return false;
  if (!s->is_store) {
    sim_cell_note_read(cells, word, lane, actor);
    exec->shadow->last_read = LS_MAX(exec->shadow->last_read, exec->block.epoch << SIM_CELL_SHIFT);
    return true;
  }
  sim_cell_note_write(cells, word, lane, actor);
  sim_shadow_writes(exec);
  exec->warp->stored = exec->block.epoch;
  return true;
}

static bool judge_shared(SimExec *exec, const SimShape *s, uint64_t offset) {
  bool init = exec->checks & SIM_CHECK_INIT && !exec->block.shared_whole && !sim_shadow_is_whole(exec);
  if (init && !s->is_store && !all_written(exec, s, exec->shared_init + offset)) return false;
  if (exec->checks & SIM_CHECK_RACE) {
    if (exec->block.async_copies || offset % WORD) return false;
    bool is_one = s->form == SIM_FORM_SOME;
    if (s->form != SIM_FORM_ROW && !is_one && exec->warp->stored > exec->warp->lanes_met) return false;
    report_pc(exec);
    uint64_t word = offset / WORD;
    if (is_one ? !access_one(exec, s, word)
               : !(s->is_store ? write_row(exec, word) : read_places(exec, s, word, !init)))
      return false;
  }
  if (init && s->is_store) memset(exec->shared_init + offset, 1, s->form == SIM_FORM_SOME ? WORD : WORD * SIM_LANES);
  return true;
}

// Can nobody meet what the running warp reads now, nor can it read what nobody wrote?
static bool may_read_all(SimExec *exec) {
  if (sim_shadow_is_safe(exec)) return true;
  if (exec->checks & SIM_CHECK_INIT && !exec->block.shared_whole && !sim_shadow_is_whole(exec)) return false;
  if (!(exec->checks & SIM_CHECK_RACE)) return true;
  if (exec->program->own_code || exec->block.async_copies || exec->warp->stored > exec->warp->lanes_met) return false;
  if (exec->shadow->atomics) sim_shadow_note_atomics(exec->shadow);
  if (!reads_are_safe(exec->shadow, sim_shadow_actor(exec))) return false;
  sim_shadow_trust(exec);
  return true;
}

bool sim_quick_reads_all(SimExec *exec, const SimLateRead *reads, int count) {
  if (!may_read_all(exec)) return false;
  return !(exec->checks & SIM_CHECK_RACE) || sim_shadow_push_reads(exec, reads, count);
}

bool sim_quick_reads_rounds(SimExec *exec, const SimLateRound *reads, int count, int rounds) {
  if (!may_read_all(exec)) return false;
  return !(exec->checks & SIM_CHECK_RACE) || sim_shadow_push_rounds(exec, reads, count, rounds);
}

bool sim_quick_reads_dot(SimExec *exec, int number, const uint8_t *one, const uint8_t *row) {
  if (!may_read_all(exec)) return false;
  if (!(exec->checks & SIM_CHECK_RACE)) return true;
  if (exec->shadow->late_next == exec->shadow->late + SIM_LATE_READS) return false;
  sim_shadow_push_dot(exec, number, (uint32_t)((one - exec->shared) / 4), (uint32_t)((row - exec->shared) / 4));
  return true;
}

// ---- global memory -------------------------------------------------------------------------------------------------

static bool judge_global(SimExec *exec, const SimShape *s, uint64_t offset) {
  const SimAlloc *a = s->span.alloc;
  bool init = exec->checks & SIM_CHECK_INIT && a->init && !s->is_store;
  if (init && !all_written(exec, s, a->init + offset)) return false;
  if (changes(s)) {
    report_pc(exec);
    return sim_quick_judge_rows(exec, s, offset);
  }
  return !(exec->checks & SIM_CHECK_RACE && exec->history->pieces[a->number]);
}

bool sim_quick_judge(SimExec *exec, const SimShape *s, const uint8_t *place) {
  if (s->space == TRACE_SHARED) return judge_shared(exec, s, (uint64_t)(place - exec->shared));
  return judge_global(exec, s, (uint64_t)(place - s->span.alloc->bytes));
}
