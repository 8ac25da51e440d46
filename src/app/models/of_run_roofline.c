// of_run_roofline.c: a run as a point of the roofline: what it computes for a byte, and how fast it was.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/models/of_run_parts.h"
#include "app/models/roofline.h"
#include "app/run/timing.h"
#include "base/mem.h"
#include "model/rate.h"

typedef struct Work { uint64_t flops, bytes, nanoseconds; RateFlops of; } Work;

// Of a measured run, what the device counted; else what the emulator did.
static void work_of(const Run *run, Work *out) {
  int tally_count = 0, count;
  RateFlops flops;
  TraceCount *counts = NULL;
  const TraceMeasure *m = run_measure(run);
  const TraceTally *tallies = run->trace ? trace_tallies(run->trace, &tally_count) : NULL;
  rate_flops(run->module, tallies, tally_count, &flops);
  *out = (Work){.flops = rate_flops_sum(&flops), .of = flops, .nanoseconds = m ? m->median_ns : 0};
  if (m && run->trace) {
    const TraceCount *told = trace_counts(run->trace, &count);
    out->bytes = rate_bytes(told, count);
    return;
  }
  count = counters_export(run->counters, &counts);
  out->bytes = rate_bytes(counts, count);
  free(counts);
}

// A time that a recording of the same run has.
static void add_recorded(const Run *run, Work *work) {
  Run *recorded = work->nanoseconds ? NULL : of_run_recording(run);
  Work other = {0};
  if (recorded) work_of(recorded, &other);
  if (other.nanoseconds && other.bytes) *work = other;
  run_free(recorded);
}

// The unit that does most of it.
static RoofKind kind_of(const Work *work) {
  const uint64_t by[] = {work->of.f32, work->of.f64, work->of.f16, work->of.matrix};
  static const RoofKind kinds[] = {ROOF_FP32, ROOF_FP64, ROOF_FP16, ROOF_MMA_F16};
  int most = 0;
  for (int i = 1; i < LS_COUNT(by); i++) if (by[i] > by[most]) most = i;
  return kinds[most];
}

// The roofs of the run's device, measured where they are.
static bool put_roofs(const Model *model, Run *run, const Work *work, ModelValues *values, LsErr *err) {
  const ArchProfile *arch = run_profile(run);
  Roofline roofs;
  if (!of_run_profile(model, run, values, err)) return false;
  bool known = arch && roofline_measured(arch, kind_of(work), &roofs);
  return !known || of_run_word(model, values, "roofs", roof_name(kind_of(work)), err);
}

// The sliders stand where the run does, and no other device is beside it.
static bool put_place(const Model *model, double intensity, ModelValues *values, LsErr *err) {
  enum { MOST = 4096 };
  bool low = intensity < 1;
  int64_t flops = low ? llround(intensity * MOST) : MOST, bytes = low ? MOST : llround(MOST / intensity);
  return of_run_word(model, values, "beside", "none", err) &&
         of_run_number(model, values, "flops", flops, err) && of_run_number(model, values, "bytes", bytes, err);
}

bool of_run_roofline(const Model *model, Run *run, int64_t step, ModelValues *values, LsErr *err) {
  Work work;
  LsText points = {0};
  (void)step;
  work_of(run, &work);
  add_recorded(run, &work);
  if (!work.flops || !work.bytes)
    return ls_fail(err, LS_EREQUEST, "%s has no place under the roofs: %llu operations of floating-point numbers, "
                   "%llu bytes of memory", run->info.title, (unsigned long long)work.flops,
                   (unsigned long long)work.bytes);
  double intensity = (double)work.flops / (double)work.bytes;
  ls_text_addf(&points, "%s%s%.*s:%.4g", values->script, *values->script ? " " : "", ROOFLINE_NAME - 1, run->info.title,
               intensity);
  if (work.nanoseconds) ls_text_addf(&points, ":%.6g", (double)work.flops / (double)work.nanoseconds);
  bool ok = put_roofs(model, run, &work, values, err) && put_place(model, intensity, values, err) &&
            of_run_word(model, values, "points", ls_text_str(&points), err);
  ls_text_free(&points);
  return ok;
}
