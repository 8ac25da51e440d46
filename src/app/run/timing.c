// timing.c: rates and occupancy of a measured run; the chart of its blocks.
#include "app/run/timing.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/spin.h"

// "NVIDIA H200" is the row "NVIDIA H200 (Hopper)"; a device without a row is known by its memory alone.
static const ArchProfile *limits_of(const Run *run, const TraceMeasure *m, ArchProfile *made) {
  if (run->profile) return run->profile;   // its own numbers came with it
  const char *name = run->info.device_name ? run->info.device_name : "";
  size_t length = strlen(name);
  int count;
  const ArchProfile *all = arch_all(&count);
  for (int i = 0; i < count; i++) {
    bool begins = length && strncmp(all[i].title, name, length) == 0;
    if (begins && (all[i].title[length] == ' ' || !all[i].title[length])) return &all[i];
  }
  if (!m->memory_clock_khz || !m->memory_bus_bits) return NULL;
  // Two transfers a clock, eight bits a byte, kilohertz to gigabytes.
  *made = (ArchProfile){.name = "gpu", .title = name, .sm_count = (int)m->sm_count,
                        .bandwidth_gbs = 2.0 * m->memory_clock_khz * m->memory_bus_bits / 8 / 1e6};
  return made;
}

uint64_t run_shared_bytes(const Run *run) {
  uint64_t shared = run->info.launch.shared_bytes;
  for (int i = 0; i < run->info.object_count; i++)
    if (run->info.objects[i].space == TRACE_SHARED)
      shared = LS_MAX(shared, run->info.objects[i].base + run->info.objects[i].size);
  return shared;
}

// An exchange of a lock is as much a part of the wait as the loop around it, so a loop counts with all that is in it.
static void add_waiting(const Run *run, const TraceCount *counts, int count, Timing *timing) {
  int codes = run->module->code_count, *place = ls_alloc(((size_t)codes + 1) * sizeof *place);
  uint64_t most = 0;
  for (int i = 0, loops = spin_find(run->module, place); loops && i < count; i++) {
    uint64_t bytes = rate_bytes(&counts[i], 1);
    if (counts[i].pc < 0 || counts[i].pc >= codes || place[counts[i].pc] < 0) continue;
    timing->waiting_bytes += bytes;
    if (bytes <= most) continue;
    most = bytes;
    timing->waiting_pc = place[counts[i].pc];
  }
  free(place);
}

static int threads_of(const Run *run) { return (int)launch_threads(&run->info.launch); }

void timing_of(const Run *run, Timing *timing) {
  int count, tally_count;
  *timing = (Timing){.measure = run_measure(run), .waiting_pc = -1};
  const TraceMeasure *m = timing->measure;
  if (!m) return;
  timing->limits = limits_of(run, m, &timing->made);
  const TraceCount *counts = trace_counts(run->trace, &count);
  const TraceTally *tallies = trace_tallies(run->trace, &tally_count);
  timing->bytes = rate_bytes(counts, count);
  add_waiting(run, counts, count, timing);
  rate_flops(run->module, tallies, tally_count, &timing->flops);
  rate_of(timing->bytes, rate_flops_sum(&timing->flops), m->median_ns, timing->limits, &timing->rate);
  if (m->median_ns) timing->least_gbs = (double)(timing->bytes - timing->waiting_bytes) / (double)m->median_ns;
  if (m->traced_ns && m->median_ns) timing->slowdown = (double)m->traced_ns / (double)m->median_ns;
  if (!m->registers || !timing->limits || timing->limits == &timing->made) return;
  uint64_t shared = run->info.launch.shared_bytes + m->static_shared_bytes;
  occ_compute(timing->limits, threads_of(run), (int)m->registers, (int)LS_MIN(shared, INT32_MAX), &timing->occupancy);
  timing->has_occupancy = true;
}

// Blocks of an SM: what the driver says of the plain kernel, else what the profile holds.
static int slots_of(const Run *run, const TraceMeasure *m, const ArchProfile *arch, int registers) {
  Occupancy occupancy = {0};
  if (m && m->blocks_per_sm) return (int)LS_MIN(m->blocks_per_sm, WAVE_MOST_SLOTS);
  if (arch) occ_compute(arch, threads_of(run), registers, (int)LS_MIN(run_shared_bytes(run), INT32_MAX), &occupancy);
  return occupancy.blocks;
}

void run_wave_chart(const Run *run, int registers, WaveChart *chart) {
  const TraceMeasure *m = run_measure(run);
  const ArchProfile *arch = run_profile(run);
  uint64_t blocks = launch_blocks(&run->info.launch);
  int count = 0, sms = m && m->sm_count ? (int)LS_MIN(m->sm_count, UINT16_MAX) : arch ? arch->sm_count : 0;
  const TraceBlockTime *times = run->trace ? trace_block_times(run->trace, &count) : NULL;
  int recorded_count = 0;
  bool stamped = m && m->stamped_ns;
  const TraceBlock *recorded = run->trace && !stamped ? trace_blocks(run->trace, &recorded_count) : NULL;
  if (count) wavechart_measured(times, count, blocks, sms, recorded, recorded_count, chart), chart->stamped = stamped;
  else wavechart_computed(blocks, sms, slots_of(run, m, arch, registers), chart);
}
