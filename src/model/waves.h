// waves.h: a grid on a device, wave after wave, if all blocks take equally long: how full the last wave is.
#ifndef LS_MODEL_WAVES_H
#define LS_MODEL_WAVES_H

#include <stdint.h>

typedef struct Waves {
  int64_t per_wave;      // blocks that run at once: SMs x blocks per SM
  int64_t waves;         // rounds that the grid takes
  int64_t tail_blocks;   // blocks of the last one; per_wave if it is full
  double tail_fill;      // tail_blocks / per_wave
  double tail_share;     // of the time that the last wave takes: 1 / waves
  double utilization;    // blocks / (waves x per_wave)
} Waves;
// All zero if there is nothing to run or nothing to run it on.
void waves_compute(int64_t blocks, int sms, int blocks_per_sm, Waves *out);

#endif
