// shadow_late.c: reads of rows of shared memory that are noted late, or never.
//
// Between two barriers most kernels only read what was written before the first one. Such a read needs no look at its
// cells as long as the last write to any word is ordered before it. And to note it there is in vain if all warps of the
// block meet before somebody writes: then it is over, and nothing can meet it any more. So it waits in a list. Whoever
// asks the cells who reads, or changes what they know of that, has the list noted first.
#include "sim/check/shadow_words.h"
#include <string.h>
#include "sim/core/dots.h"

static void note(const SimExec *exec, const SimLateRead *read, SimActor *actor) {
  const SimCells *cells = &exec->shadow->cells;
  const SimLaneOps *ops = exec->lane_ops;
  uint32_t high = sim_late_high(read);
  bool twice = high != read->word;   // else the upper half stands for both
  actor->info = (uint32_t)read->pc << 10 | (actor->writer & 31);
  if (read->how & SIM_LATE_ROWS) {
    if (twice) ops->note_read_row(cells, read->word, 0, actor);
    ops->note_read_row(cells, high, SIM_LANES / 2, actor);
  } else {
    if (twice) sim_cell_note_read(cells, read->word, SIM_LANES / 2 - 1, actor);
    sim_cell_note_read(cells, high, SIM_LANES - 1, actor);
  }
}

// In the list, instead of a pc. IN_ROUNDS: how many, and rounds; then each of the reads, and behind it how far it goes
// in a round. OF_DOT - number: the words of a sum of products.
enum { IN_ROUNDS = -1, OF_DOT = -2 };

bool sim_shadow_push_reads(SimExec *exec, const SimLateRead *reads, int count) {
  struct SimShadow *shadow = exec->shadow;
  if (shadow->late + SIM_LATE_READS - shadow->late_next < count) return false;
  memcpy(shadow->late_next, reads, sizeof *reads * (size_t)count);
  shadow->late_next += count;
  return true;
}

bool sim_shadow_push_rounds(SimExec *exec, const SimLateRound *reads, int count, int rounds) {
  struct SimShadow *shadow = exec->shadow;
  SimLateRead *next = shadow->late_next;
  if (shadow->late + SIM_LATE_READS - next < 1 + 2 * count) return false;
  *next++ = (SimLateRead){.word = (uint32_t)count, .how = (uint32_t)rounds, .pc = IN_ROUNDS};
  for (int i = 0; i < count; i++) {
    *next++ = reads[i].first;
    *next++ = (SimLateRead){.word = reads[i].step};
  }
  shadow->late_next = next;
  return true;
}

// Behind what was noted.
static const SimLateRead *note_rounds(const SimExec *exec, const SimLateRead *head, SimActor *actor) {
  const SimLateRead *reads = head + 1, *end = reads + 2 * head->word;
  for (uint32_t round = 0; round < head->how; round++)
    for (const SimLateRead *read = reads; read < end; read += 2) {
      SimLateRead now = *read;
      now.word += round * read[1].word;
      note(exec, &now, actor);
    }
  return end;
}

void sim_shadow_push_dot(SimExec *exec, int number, uint32_t one, uint32_t row) {
  *exec->shadow->late_next++ = (SimLateRead){.word = one, .how = row, .pc = OF_DOT - number};
}

static void note_dot(const SimExec *exec, const SimLateRead *head, SimActor *actor) {
  const SimDotPlan *plan = exec->dots[OF_DOT - head->pc];
  const uint32_t words[SIM_DOT_SIDES] = {[SIM_DOT_ONE] = head->word, [SIM_DOT_ROW] = head->how};
  for (int i = 0; i < 2 * plan->dot->count; i++) {
    const SimDotAccess *a = &plan->accesses[i];
    uint32_t word = words[(i & 1) ^ plan->first_side] + (uint32_t)(a->apart / 4);
    if (a->is_late) note(exec, &(SimLateRead){.word = word, .how = a->late_how, .pc = a->pc}, actor);
  }
}

// Behind what was noted.
static const SimLateRead *note_next(const SimExec *exec, const SimLateRead *read, SimActor *actor) {
  if (read->pc == IN_ROUNDS) return note_rounds(exec, read, actor);
  if (read->pc <= OF_DOT) note_dot(exec, read, actor); else note(exec, read, actor);
  return read + 1;
}

void sim_shadow_note_reads(SimExec *exec) {
  struct SimShadow *shadow = exec->shadow;
  for (int i = 0; i < shadow->late_turns; i++) {
    const SimLateTurn *turn = &shadow->turns[i];
    const SimLateRead *end = i + 1 < shadow->late_turns ? turn[1].first : shadow->late_next;
    SimActor actor = {.writer = turn->writer, .ordered = turn->ordered, .warp_bit = 1u << (turn->writer & 31)};
    for (const SimLateRead *read = turn->first; read < end;) read = note_next(exec, read, &actor);
    shadow->last_read = LS_MAX(shadow->last_read, turn->writer);
  }
  sim_shadow_drop_reads(shadow);
}

void sim_shadow_note_late(SimExec *exec) {
  sim_shadow_note_reads(exec);
  if (exec->shadow->atomics) sim_shadow_note_atomics(exec->shadow);
}

// Room for one more of the running warp.
static void make_room(SimExec *exec) {
  struct SimShadow *shadow = exec->shadow;
  const SimActor *actor = sim_shadow_actor(exec);
  if (shadow->late_next == shadow->late + SIM_LATE_READS) sim_shadow_note_late(exec);
  int last = shadow->late_turns - 1;
  if (last >= 0 && shadow->turns[last].writer == actor->writer && shadow->turns[last].ordered == actor->ordered) return;
  if (shadow->late_turns == SIM_LATE_TURNS) sim_shadow_note_late(exec);
  sim_shadow_distrust(shadow);
  shadow->turns[shadow->late_turns++] =
      (SimLateTurn){.writer = actor->writer, .ordered = actor->ordered, .first = shadow->late_next};
}

void sim_shadow_read_late(SimExec *exec, uint32_t word, uint32_t how) {
  make_room(exec);
  sim_shadow_push_late(exec, word, how, exec->reported_pc);
}

void sim_shadow_trust(SimExec *exec) {
  make_room(exec);
  exec->shadow->safe_warp = exec->warp;
}
