// latency.c: the turns of the warps of a scheduler.
#include "model/latency.h"
#include "base/mem.h"

enum { MOST = 1 << 20 };

void latency_compute(int warps, int work, int latency, Latency *out) {
  *out = (Latency){.warps = LS_CLAMP(warps, 1, MOST), .work = LS_CLAMP(work, 1, MOST), .latency = LS_CLAMP(latency, 0, MOST)};
  int64_t busy = (int64_t)out->warps * out->work, alone = (int64_t)out->work + out->latency;
  out->period = LS_MAX(busy, alone);
  out->utilization = (double)busy / (double)out->period;
  out->warps_needed = (out->latency + out->work - 1) / out->work + 1;
}

// Warp w issues first at cycle w x work, and again after every period.
LatencyState latency_state(const Latency *model, int warp, int64_t cycle) {
  int64_t since = cycle - (int64_t)warp * model->work;
  if (since < 0) return LATENCY_READY;
  since %= model->period;
  if (since < model->work) return LATENCY_ISSUES;
  return since < (int64_t)model->work + model->latency ? LATENCY_WAITS : LATENCY_READY;
}

int latency_issuing(const Latency *model, int64_t cycle) {
  int64_t turn = cycle % model->period / model->work;
  return turn < model->warps ? (int)turn : -1;
}
