// predict.h: what the next event probably looks like: the memory that writer and reader of a chunk share.
//
// Both sides make the same calls with the same values in the same order, so both expect the same. All tables are small
// and direct-mapped: a collision costs compression, never correctness. A chunk starts with everything forgotten, which
// is a new `generation`.
#ifndef LS_TRACE_PREDICT_H
#define LS_TRACE_PREDICT_H

#include <string.h>
#include "trace/format.h"

enum { PREDICT_WARPS = 64, PREDICT_PCS = 4096, PREDICT_ADDRS = 4096 };

// What rarely changes from one execution of an instruction to the next. Compared as bytes: no padding.
typedef struct PredictStatic {
  uint8_t kind, space, width, present, barrier_id, zero;
  uint16_t expected;
  int32_t target, reconverge;
} PredictStatic;

typedef struct PredictWarp { uint32_t generation, warp, active; int32_t pc; } PredictWarp;

typedef struct PredictPc {
  uint32_t generation;
  int32_t pc, next;
  int32_t addr;                // its latest row of addrs, -1
  uint8_t flags, aux;
  PredictStatic fixed;
  uint8_t source[32];
} PredictPc;

typedef struct PredictAddr {
  uint32_t generation, warp;
  int32_t pc;
  uint64_t delta;
  uint64_t last[32];
} PredictAddr;

typedef struct Predictor {
  uint32_t generation, warp;
  uint16_t arrived[256];
  PredictWarp warps[PREDICT_WARPS];
  PredictPc pcs[PREDICT_PCS];
  PredictAddr addrs[PREDICT_ADDRS];
} Predictor;

Predictor *predict_new(void);   // free() ends it
void predict_begin(Predictor *predictor);                         // a chunk begins
void predict_begin_block(Predictor *predictor);                   // a block begins in it: its warps start afresh
PredictPc *predict_forget_pc(PredictPc *row, uint32_t generation, int32_t pc);
PredictAddr *predict_addr(Predictor *predictor, PredictPc *row, uint32_t warp);

static inline PredictWarp *predict_warp(Predictor *predictor, uint32_t warp) {
  PredictWarp *row = &predictor->warps[warp % PREDICT_WARPS];
  if (row->generation != predictor->generation || row->warp != warp)
    *row = (PredictWarp){predictor->generation, warp, UINT32_MAX, -1};
  return row;
}

static inline PredictPc *predict_pc(Predictor *predictor, int32_t pc) {
  PredictPc *row = &predictor->pcs[(uint32_t)pc % PREDICT_PCS];
  if (row->generation == predictor->generation && row->pc == pc) return row;
  return predict_forget_pc(row, predictor->generation, pc);
}

// Moves all lanes by `delta`, which is expected again the next time.
static inline void predict_shift(PredictAddr *row, uint64_t delta) {
  row->delta = delta;
  for (int lane = 0; lane < 32; lane++) row->last[lane] += delta;
}

static inline void predict_affine(PredictAddr *row, uint64_t base, uint64_t stride) {
  row->delta = 0;
  for (int lane = 0; lane < 32; lane++) row->last[lane] = base + stride * (uint64_t)lane;
}

static inline uint16_t predict_arrived(Predictor *predictor, uint8_t barrier) {
  return (uint16_t)(predictor->arrived[barrier] + 1);
}

static inline void predict_arrive(Predictor *predictor, uint8_t barrier, uint16_t arrived, uint8_t flags) {
  predictor->arrived[barrier] = flags & TRACE_LAST_ARRIVAL ? 0 : arrived;
}

#endif
