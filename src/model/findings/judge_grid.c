// judge_grid.c: what the launch leaves idle: a grid smaller than the device, few warps on an SM, a last wave that is
// not full.
#include <limits.h>

#include "model/findings/finding_parts.h"
#include "model/occ.h"
#include "model/waves.h"

// Below this part of an SM's warps few are there to hide latency behind; from there on more of them seldom help.
#define OCCUPANCY_ENOUGH 0.5

static uint64_t shared_bytes(const TraceInfo *info) {
  uint64_t shared = info->launch.shared_bytes;
  for (int i = 0; i < info->object_count; i++)
    if (info->objects[i].space == TRACE_SHARED) shared = LS_MAX(shared, info->objects[i].base + info->objects[i].size);
  return shared;
}

static Finding of_launch(const Judge *judge, FindingKind kind, uint64_t wasted, uint64_t total) {
  Finding finding = judge_finding(judge, kind, -1);
  finding.wasted = wasted;
  finding.amount = finding.total = total;
  return finding;
}

// Fewer blocks than could run at once: the grid is what limits.
static void judge_small_grid(Judge *judge, const Occupancy *o, int64_t per_wave) {
  const FindingsOf *of = judge->of;
  uint64_t blocks = launch_blocks(&of->info->launch), sms = (uint64_t)of->arch->sm_count;
  uint64_t warps = launch_warps(&of->info->launch), room = sms * (uint64_t)o->max_warps;
  Finding finding = of_launch(judge, FINDING_LOW_OCCUPANCY, room - LS_MIN(room, blocks * warps), room);
  finding.at = (double)(blocks * warps) / (double)sms;
  finding.ideal = o->max_warps;
  if (!judge_is_told(&finding)) return;
  if (blocks < sms) {
    finding.message = judge_text(judge, "%s block%s for %s SMs: %s SMs have nothing to do. Limited by the grid.",
                                 COUNT(blocks), blocks == 1 ? "" : "s", COUNT(sms), COUNT(sms - blocks));
  } else if (finding.at < OCCUPANCY_ENOUGH * o->max_warps) {
    finding.message =
        judge_text(judge,
                   "%s warps on an SM that has room for %d. Limited by the grid: %s blocks, where %s could run "
                   "at once.",
                   AVERAGE(finding.at), o->max_warps, COUNT(blocks), COUNT((uint64_t)per_wave));
  } else {
    return;
  }
  finding.cause = judge_text(
      judge, "The grid has %s block%s of %s warp%s; %s has %s SMs with room for %d such blocks each.", COUNT(blocks),
      blocks == 1 ? "" : "s", COUNT(warps), warps == 1 ? "" : "s", of->arch->title, COUNT(sms), o->blocks);
  finding.cure =
      judge_text(judge, "More work a launch: from %s blocks on every SM has one, with %s the device is full.",
                 COUNT(sms), COUNT((uint64_t)per_wave));
  judge_add(judge, &finding);
}

static void judge_occupancy(Judge *judge, const Occupancy *o) {
  uint64_t threads = launch_threads(&judge->of->info->launch);
  Finding finding =
      of_launch(judge, FINDING_LOW_OCCUPANCY, (uint64_t)(o->max_warps - o->warps), (uint64_t)o->max_warps);
  if (o->fraction >= OCCUPANCY_ENOUGH && o->limit != OCC_BLOCKS) return;
  if (o->fraction > OCCUPANCY_ENOUGH || !judge_is_told(&finding)) return;
  finding.at = o->warps;
  finding.ideal = o->max_warps;
  finding.message = judge_text(judge, "%d of the %d warps of an SM at most. Limited by %s.", o->warps, o->max_warps,
                               occ_limit_name(o->limit));
  switch (o->limit) {
    case OCC_BLOCKS:
      finding.cause = judge_text(judge, "An SM takes %d blocks at most, and a block has %s threads.", o->by_blocks,
                                 COUNT(threads));
      finding.cure = judge_text(judge, "Blocks of %d threads or more would fill it.", o->max_warps * 32 / o->by_blocks);
      break;
    case OCC_SHARED:
      finding.cause = judge_text(judge, "A block takes %s bytes of shared memory, so %d of them fit.",
                                 COUNT((uint64_t)o->shared_per_block), o->by_shared);
      break;
    case OCC_REGS:
      finding.cause =
          judge_text(judge, "A thread has %d registers, so %d blocks fit.", judge->of->registers, o->by_regs);
      break;
    default:
      finding.cause = judge_text(judge, "A block has %s threads, and %d of them fit.", COUNT(threads), o->by_warps);
  }
  judge_add(judge, &finding);
}

static void judge_tail(Judge *judge, const Waves *w) {
  uint64_t slots = (uint64_t)(w->waves * w->per_wave), blocks = launch_blocks(&judge->of->info->launch);
  Finding finding = of_launch(judge, FINDING_IDLE_TAIL, slots - blocks, slots);
  if (!judge_is_told(&finding)) return;
  finding.at = (double)w->waves;
  finding.ideal = (double)blocks / (double)w->per_wave;
  finding.message = judge_text(judge, "the last of %s waves has %s of %s blocks: %s of all block slots stay empty.",
                               COUNT((uint64_t)w->waves), COUNT((uint64_t)w->tail_blocks), COUNT((uint64_t)w->per_wave),
                               PERCENT((double)finding.wasted / (double)finding.total));
  finding.cause =
      judge_text(judge, "%s blocks, of which %s run at once: computed as if all of them took equally long.",
                 COUNT(blocks), COUNT((uint64_t)w->per_wave));
  uint64_t whole = (uint64_t)((w->waves - 1) * w->per_wave);
  finding.cure = judge_text(judge, "%s blocks that do the same work in a grid-stride loop end together.", COUNT(whole));
  judge_add(judge, &finding);
}

void judge_grid(Judge *judge) {
  const FindingsOf *of = judge->of;
  const Launch *launch = &of->info->launch;
  Occupancy o;
  Waves waves;
  if (!of->arch || !of->arch->sm_count) return;
  occ_compute(of->arch, (int)launch_threads(launch), of->registers,
              (int)LS_MIN(shared_bytes(of->info), (uint64_t)INT_MAX), &o);
  int resident = of->resident ? of->resident : o.blocks;
  if (resident <= 0) return;
  waves_compute((int64_t)launch_blocks(launch), of->arch->sm_count, resident, &waves);
  if (waves.waves <= 1) {
    judge_small_grid(judge, &o, waves.per_wave);
  } else {
    judge_occupancy(judge, &o);
    judge_tail(judge, &waves);
  }
}
