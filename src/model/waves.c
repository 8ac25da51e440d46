// waves.c: waves and tails.
#include "model/waves.h"

void waves_compute(int64_t blocks, int sms, int blocks_per_sm, Waves *out) {
  *out = (Waves){0};
  if (blocks <= 0 || sms <= 0 || blocks_per_sm <= 0) return;
  out->per_wave = (int64_t)sms * blocks_per_sm;
  out->waves = (blocks - 1) / out->per_wave + 1;
  out->tail_blocks = blocks - (out->waves - 1) * out->per_wave;
  out->tail_fill = (double)out->tail_blocks / (double)out->per_wave;
  out->tail_share = 1.0 / (double)out->waves;
  out->utilization = (double)blocks / ((double)out->waves * (double)out->per_wave);
}
