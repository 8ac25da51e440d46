// judge_atomics.c: atomics that queue: lanes of a warp at one address, and threads of a block that come back to few
// addresses.
#include <stdlib.h>

#include "model/atomic.h"
#include "model/findings/array.h"
#include "model/findings/finding_parts.h"
#include "ptx/reduction.h"

// In shared memory a short queue is how a histogram of a block is made: it is told from here on.
#define SHARED_QUEUES 0.75
// In global memory a block that comes back this often could add up by itself.
enum { COMES_BACK = 2 };

typedef struct Atoms {
  uint64_t operations, conflicts, executions;   // by the counters, of all blocks
  uint64_t changes, again;   // in the watched blocks: lanes, and those at an address that was changed before
  int pc, space;
} Atoms;

static void add_atoms(const Judge *judge, int pc, Atoms *sum) {
  const uint64_t *v = counters_at(judge->of->counters, pc)->value;
  if (!v[COUNTER_ATOMICS]) return;
  if (v[COUNTER_ATOMICS] > sum->operations) sum->pc = pc;
  sum->operations += v[COUNTER_ATOMICS];
  sum->conflicts += v[COUNTER_ATOMIC_CONFLICTS];
  sum->executions +=
      v[COUNTER_SHARED_ATOM_INSTRUCTIONS] + v[COUNTER_GLOBAL_RED_REQUESTS] + v[COUNTER_GLOBAL_ATOM_REQUESTS];
  sum->space = v[COUNTER_SHARED_ATOM_INSTRUCTIONS] ? TRACE_SHARED : TRACE_GLOBAL;
  for (int i = 0; judge->of->witness && i < witness_blocks(judge->of->witness); i++) {
    const WitnessSite *site = witness_site(judge->of->witness, i, pc);
    if (!site) continue;
    sum->changes += site->changes;
    sum->again += site->again_changed;
  }
}

// Operations whose results can be put together before they are done: the order does not matter, and nobody wants the
// old value.
static bool can_gather(const Judge *judge, const Atoms *sum) {
  const PtxInstr *in = &judge->of->module->code[sum->pc];
  uint8_t *reductions = ptx_find_reductions(judge->of->module);
  bool unread = in->op == PTX_OP_red || reductions[sum->pc];
  int mode = in->mode;
  free(reductions);
  bool commutes = mode == PTX_AT_ADD || mode == PTX_AT_MIN || mode == PTX_AT_MAX || mode == PTX_AT_AND ||
                  mode == PTX_AT_OR || mode == PTX_AT_XOR;
  return commutes && unread;
}

static void explain(Judge *judge, const Atoms *sum, Finding *finding) {
  const WitnessSite *site = NULL;
  uint32_t block = 0;
  Array array;
  LsText text = {0};
  const WitnessShape *shape = judge_worst(judge, finding->pc, &site, &block);
  uint64_t places = sum->changes - sum->again;
  if (shape && array_at(judge->of, (TraceSpace)site->space, shape->addr[__builtin_ctz(shape->mask)], &array)) {
    Atomics queues;
    TraceEvent event = {.kind = TRACE_ATOM, .mask = shape->mask, .addr = shape->addr, .width = site->width};
    atomic_analyze(&event, &queues);
    ls_text_addf(&text, "%d of %d lanes of a warp change ", queues.longest, __builtin_popcount(shape->mask));
    array_print(&array, queues.queues[0].addr, &text);
    ls_text_add(&text, ", one after the other. ");
  }
  uint64_t blocks = (uint64_t)witness_blocks(judge->of->witness);
  if (places && sum->changes >= COMES_BACK * places)
    ls_text_addf(&text, "A block's %s operations go to %s address%s.", COUNT(sum->changes / blocks),
                 COUNT(places / blocks), places / blocks == 1 ? "" : "es");
  finding->cause = judge_take(judge, &text);
  finding->blocks_read = (uint32_t)blocks;
  if (!can_gather(judge, sum) || !places || sum->changes < COMES_BACK * places) return;
  bool one = places == blocks;
  if (one)
    finding->cure = "Put the values of a warp together by shuffles or __reduce_add_sync first, those of the block in "
                    "shared memory, "
                    "and let one thread do the atomic.";
  else if (sum->space == TRACE_GLOBAL)
    finding->cure =
        "Gather in shared memory first, one place for each address, and do one atomic for each place at the end.";
  else return;
  finding->gain = judge_text(judge, "%s operations of a block %s become %s.", COUNT(sum->changes / blocks),
                             sum->space == TRACE_GLOBAL ? "in global memory" : "there", COUNT(places / blocks));
}

static bool is_contended(const Judge *judge, const Atoms *sum) {
  double queued = (double)sum->conflicts / (double)sum->operations;
  if (sum->space == TRACE_SHARED) return queued >= SHARED_QUEUES;
  bool comes_back = sum->changes && sum->changes >= COMES_BACK * (sum->changes - sum->again);
  return queued >= FINDING_LEAST || (comes_back && can_gather(judge, sum));
}

// What queues in warps is counted in all blocks. Where hardly anything does, what a block repeats is: in those that
// were watched.
static void judge_atom_line(Judge *judge, const Atoms *sum, uint64_t operations, uint64_t changes) {
  Finding finding = judge_finding(judge, FINDING_CONTENDED_ATOMIC, sum->pc);
  finding.wasted = sum->conflicts;
  finding.amount = sum->operations;
  finding.total = operations;
  finding.executions = sum->executions;
  finding.at = (double)sum->operations / (double)LS_MAX(sum->operations - sum->conflicts, 1);
  finding.ideal = 1;
  if (!is_contended(judge, sum)) return;
  const char *what = "queue behind another lane of the warp";
  if (!judge_is_told(&finding)) {
    finding.wasted = sum->again, finding.amount = sum->changes, finding.total = changes;
    finding.at = (double)sum->changes / (double)LS_MAX(sum->changes - sum->again, 1);
    what = "come to an address that the block has changed before";
  }
  if (!judge_is_told(&finding)) return;
  finding.message = judge_text(judge, "%s of %s operations %s, %s of all atomics.", COUNT(finding.wasted),
                               COUNT(finding.amount), what, PERCENT((double)finding.wasted / (double)finding.total));
  if (judge->of->witness) explain(judge, sum, &finding);
  judge_add(judge, &finding);
}

void judge_atomics(Judge *judge) {
  int codes = judge->of->module->code_count;
  Atoms all = {0};
  for (int pc = 0; pc < codes; pc++) add_atoms(judge, pc, &all);
  uint8_t *done = ls_alloc((size_t)codes + 1);
  for (int pc = 0; all.operations && pc < codes; pc++) {
    int file = -1, line = 0;
    Atoms sum = {.pc = pc};
    if (done[pc] || !counters_at(judge->of->counters, pc)->value[COUNTER_ATOMICS]) continue;
    bool known = judge_line(judge, pc, &file, &line);
    for (int other = pc; other < codes; other++) {
      int other_file = -1, other_line = 0;
      bool same = other == pc || (known && judge_line(judge, other, &other_file, &other_line) && other_file == file &&
                                  other_line == line && judge_object(judge, other) == judge_object(judge, pc));
      if (!same || done[other]) continue;
      done[other] = 1;
      add_atoms(judge, other, &sum);
    }
    judge_atom_line(judge, &sum, all.operations, all.changes);
  }
  free(done);
}
