// judge_barriers.c: barriers that no warp needs, by all that was exchanged across them in the watched blocks.
#include <stdlib.h>
#include <string.h>

#include "model/findings/finding_parts.h"
#include "model/findings/witness_sync.h"

// Barriers of other kinds (of a part of the block, of clusters, in shared memory) order more than can be followed here.
static bool is_plain(const PtxModule *module) {
  for (int pc = 0; pc < module->code_count; pc++) {
    const PtxInstr *in = &module->code[pc];
    if (in->op == PTX_OP_mbarrier) return false;
  }
  return true;
}

// bar.red exchanges by itself.
static bool exchanges(const PtxInstr *in) { return in->mode == PTX_BAR_RED; }

static bool is_followed(const Judge *judge) {
  const Witness *witness = judge->of->witness;
  if (!witness || !witness_blocks(witness) || launch_warps(&judge->of->info->launch) < 2) return false;
  for (int i = 0; i < witness_blocks(witness); i++) {
    const WitnessBlock *block = witness_block(witness, i);
    if (!block->whole || !block->sync || !witness_sync_is_clear(block->sync)) return false;
  }
  return is_plain(judge->of->module);
}

static void mark_needed(const Judge *judge, uint8_t *needed) {
  for (int i = 0; i < witness_blocks(judge->of->witness); i++) {
    int count;
    const WitnessBarrier *barriers = witness_sync_barriers(witness_block(judge->of->witness, i)->sync, &count);
    for (int k = 0; k < count; k++)
      if (barriers[k].needed && barriers[k].pc >= 0) needed[barriers[k].pc] = 1;
  }
}

// Of the barriers that any of would do, the first one stays, unless one is needed anyway. One at several places
// stays, too.
static void mark_ambiguous(const Judge *judge, uint8_t *needed) {
  for (int i = 0; i < witness_blocks(judge->of->witness); i++) {
    const WitnessSync *sync = witness_block(judge->of->witness, i)->sync;
    int barrier_count, count;
    const WitnessBarrier *barriers = witness_sync_barriers(sync, &barrier_count);
    const WitnessNeed *needs = witness_sync_needs(sync, &count);
    for (int k = 0; k < count; k++) {
      bool met = false;
      for (int b = needs[k].first; b <= needs[k].last && b < barrier_count; b++)
        met = met || barriers[b].pc < 0 || needed[barriers[b].pc];
      if (!met) needed[barriers[needs[k].first].pc] = 1;
    }
  }
}

static bool is_barrier(const PtxInstr *in) { return in->op == PTX_OP_bar || in->op == PTX_OP_barrier; }

static bool was_executed(const Judge *judge, int pc) {
  return counters_at(judge->of->counters, pc)->value[COUNTER_WARP_INSTRUCTIONS] > 0;
}

// Another block goes by it: what the warps of this one did before a barrier may be what it publishes behind it, and
// what it has waited for stands before the next one.
static bool orders_blocks(const PtxInstr *in) {
  bool wide = in->scope == PTX_SCOPE_GPU || in->scope == PTX_SCOPE_SYS || in->scope == PTX_SCOPE_CLUSTER;
  if (in->op == PTX_OP_fence || in->op == PTX_OP_membar) return wide;
  return wide && (in->sem == PTX_ACQUIRE || in->sem == PTX_RELEASE || in->sem == PTX_ACQ_REL);
}

static bool any_orders_blocks(const PtxModule *module) {
  for (int pc = 0; pc < module->code_count; pc++)
    if (orders_blocks(&module->code[pc])) return true;
  return false;
}

// What stands between the barrier before and the one after it was all executed, else other data might need it, and is
// no other block's business.
static bool all_is_known(const Judge *judge, int pc) {
  const PtxModule *module = judge->of->module;
  const PtxFunc *f = &module->funcs[module->code[pc].func];
  if (!f->is_entry && any_orders_blocks(module)) return false;   // who calls it is not looked at
  for (int way = -1; way <= 1; way += 2)
    for (int at = pc + way; at >= f->first && at < f->first + f->count && !is_barrier(&module->code[at]); at += way) {
      if (orders_blocks(&module->code[at])) return false;
      if (ptx_accesses(&module->code[at]) && module->code[at].space != PTX_PARAM && !was_executed(judge, at))
        return false;
    }
  return true;
}

static void tell(Judge *judge, int pc, uint64_t total) {
  Finding finding = judge_finding(judge, FINDING_REDUNDANT_BARRIER, pc);
  finding.wasted = finding.amount = counters_at(judge->of->counters, pc)->value[COUNTER_BARRIERS];
  finding.total = total;
  finding.executions = finding.wasted;
  finding.blocks_read = (uint32_t)witness_blocks(judge->of->witness);
  if (!judge_is_told(&finding)) return;
  finding.message =
      judge_text(judge, "%s of %s arrivals of warps at barriers, and no warp needs what another one did before.",
                 COUNT(finding.wasted), COUNT(total));
  finding.cause = "No word of memory that a warp wrote, or read, before this barrier is read or overwritten by "
                  "another warp after it, "
                  "but what other barriers keep in order already.";
  finding.cure = "If that holds for all data, leave it out; lanes of one warp need no more than __syncwarp().";
  judge_add(judge, &finding);
}

void judge_barriers(Judge *judge) {
  const PtxModule *module = judge->of->module;
  uint64_t total = counters_total(judge->of->counters)->value[COUNTER_BARRIERS];
  if (!total || !is_followed(judge)) return;
  uint8_t *needed = ls_alloc((size_t)module->code_count + 1);
  mark_needed(judge, needed);
  mark_ambiguous(judge, needed);
  bool seen = false;
  for (int pc = 0; pc < module->code_count; pc++) {
    bool met = counters_at(judge->of->counters, pc)->value[COUNTER_BARRIERS] > 0;
    for (int i = 0; i < witness_blocks(judge->of->witness); i++)
      seen |= witness_site(judge->of->witness, i, pc) != NULL;
    if (met && seen && !needed[pc] && !exchanges(&module->code[pc]) && all_is_known(judge, pc))
      tell(judge, pc, total);
    seen = false;
  }
  free(needed);
}
