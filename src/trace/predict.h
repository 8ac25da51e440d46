// predict.h: what the next event probably looks like: the memory that writer and reader of a chunk share.
//
// Both sides make the same calls with the same values in the same order, so both expect the same. All tables are small
// and direct-mapped: a collision costs compression, never correctness. A chunk starts with everything forgotten, which
// is a new `generation`.
#ifndef LS_TRACE_PREDICT_H
#define LS_TRACE_PREDICT_H

#include <string.h>
#include "trace/atoms.h"
#include "trace/exchange.h"
#include "trace/format.h"
#include "trace/frame.h"

enum { PREDICT_WARPS = 64, PREDICT_PCS = 4096, PREDICT_ADDRS = 4096, PREDICT_GROUP = 64 };

// What rarely changes from one execution of an instruction to the next. Compared as bytes: no padding.
typedef struct PredictStatic {
  uint8_t kind, space, width, present, barrier_id, zero;
  uint16_t expected;
  int32_t target, reconverge;
} PredictStatic;

// exchanged: it has a row of rows: its last shuffle of all lanes.
typedef struct PredictWarp { uint32_t generation, warp, active; int32_t pc; bool exchanged; } PredictWarp;

// For writers: an act of a line is known where the last one of its instruction was the same but for where its addresses
// are, and so many instructions in front of it were plain, all of that when predictor.doubts was this. Of a branch and
// a shuffle that stands with its instruction, of an access with its addresses.
typedef struct PredictKnown { uint32_t doubts; int before; } PredictKnown;

typedef struct PredictPc {
  uint32_t generation;
  int32_t pc, next;
  int32_t addr;                // its latest row of addrs, -1
  PredictKnown known;          // doubts: 0: it is not
  uint8_t act[TRACE_ACT_SAME];
  uint8_t flags, aux;
  bool is_met;                 // the writer's: an event of this chunk is of it
  bool moves;                  // the writer's: accesses of it are known
  uint32_t shape;              // the writer's: TraceEvent.shape of the event that `fixed` is of, 0
                               // the reader's: the last number that was given when `fixed` changed
  PredictStatic fixed;
  uint8_t source[32];
  uint8_t way;                 // how the values of a shuffle are made, EXCHANGE_WAYS: not known
  uint8_t strange;             // the writer's: how often they were made in no way
  uint32_t lanes;              // which of them took part
  uint8_t atom_way;            // what atomics do, ATOMS_WAYS: not known
  TraceFrame frame;
  uint64_t operand, step;      // of the last atomic whose operands were in steps: that of lane 0, and how far apart
} PredictPc;

// Which of PREDICT_GROUP instructions in a row, beginning at a multiple of that, are known to be plain: they do nothing
// but execute, without flags, and the next one is expected behind them. That is only what the rows of pcs say already:
// a bit that is set lets a whole line be passed over without a look at its rows, one that is not means nothing.
typedef struct PredictGroup { uint32_t generation, number; uint64_t plain; } PredictGroup;

// The addresses are `last`. A writer that knows of their shape moves the first one of its lanes alone, to `at`: the
// others are as far from it as they are in `last`. The reader gives numbers to shapes itself.
typedef struct PredictAddr {
  uint64_t whose;              // predict_whose()
  int32_t pc;
  uint32_t shape;
  uint32_t mask;               // its lanes, 0: it has had no addresses
  PredictKnown known;          // doubts: 0: it is not
  uint64_t act;                // predict_act()
  uint64_t delta, at;
  uint64_t *last;              // [32]
} PredictAddr;

typedef struct Predictor {
  uint32_t generation, warp;
  uint32_t shapes;             // numbers that the reader has given
  uint32_t doubts;             // from 1: how often an instruction that was plain, or known, may have become another one
  uint16_t arrived[256];
  PredictWarp warps[PREDICT_WARPS];
  ExchangeRow rows[PREDICT_WARPS];
  PredictPc pcs[PREDICT_PCS];
  PredictGroup groups[PREDICT_PCS / PREDICT_GROUP];
  PredictAddr addrs[PREDICT_ADDRS];
  uint64_t last[PREDICT_ADDRS][32];
  AtomsTable atoms;
} Predictor;

Predictor *predict_new(void);   // free() ends it
void predict_begin(Predictor *predictor);                         // a chunk begins
void predict_begin_block(Predictor *predictor);                   // a block begins in it: its warps start afresh
PredictPc *predict_forget_pc(Predictor *predictor, int32_t pc);
void predict_learn_plain(Predictor *predictor, const PredictPc *row);   // sets the bit of a row that is plain
PredictAddr *predict_forget_addr(Predictor *predictor, PredictPc *pc, uint32_t warp, uint32_t slot);

static inline PredictWarp *predict_warp(Predictor *predictor, uint32_t warp) {
  PredictWarp *row = &predictor->warps[warp % PREDICT_WARPS];
  if (row->generation != predictor->generation || row->warp != warp)
    *row = (PredictWarp){predictor->generation, warp, UINT32_MAX, -1, false};
  return row;
}

static inline PredictPc *predict_pc(Predictor *predictor, int32_t pc) {
  PredictPc *row = &predictor->pcs[(uint32_t)pc % PREDICT_PCS];
  if (row->generation == predictor->generation && row->pc == pc) return row;
  return predict_forget_pc(predictor, pc);
}

static inline PredictGroup *predict_group(Predictor *predictor, int32_t pc) {
  return &predictor->groups[(uint32_t)pc % PREDICT_PCS / PREDICT_GROUP];
}

// Before `next`, `flags` or `fixed` of a row change, or another instruction takes it.
static inline void predict_doubt(Predictor *predictor, int32_t pc) {
  PredictGroup *group = predict_group(predictor, pc);
  uint64_t bit = 1ull << (uint32_t)pc % PREDICT_GROUP;
  predictor->doubts += group->plain & bit || predictor->pcs[(uint32_t)pc % PREDICT_PCS].moves;
  group->plain &= ~bit;
}

// How many of the `count` instructions from pc on are known to be plain. Ends with pc's group.
static inline int predict_plain(Predictor *predictor, int32_t pc, int count) {
  const PredictGroup *group = predict_group(predictor, pc);
  if (group->generation != predictor->generation || group->number != (uint32_t)pc / PREDICT_GROUP) return 0;
  uint64_t others = ~(group->plain >> (uint32_t)pc % PREDICT_GROUP);
  int plain = others ? __builtin_ctzll(others) : PREDICT_GROUP;
  return plain < count ? plain : count;
}

static inline uint64_t predict_whose(const Predictor *predictor, uint32_t warp) {
  return (uint64_t)warp << 32 | predictor->generation;
}

static inline uint32_t predict_slot(int32_t pc, uint32_t warp) {
  return ((uint32_t)pc * 2654435761u ^ warp * 2246822519u) >> 20;
}

static inline PredictAddr *predict_addr(Predictor *predictor, PredictPc *pc, uint32_t warp) {
  uint32_t slot = predict_slot(pc->pc, warp);
  PredictAddr *row = &predictor->addrs[slot];
  if (row->whose != predict_whose(predictor, warp) || row->pc != pc->pc)
    row = predict_forget_addr(predictor, pc, warp, slot);
  pc->addr = (int32_t)slot;
  return row;
}

// What an act is: pc, kind, flags, space and width.
static inline uint64_t predict_act(const TraceAct *act) {
  uint64_t bytes;
  memcpy(&bytes, act, sizeof bytes);
  return bytes;
}

// Moves all lanes by `delta`, which is expected again the next time.
static inline void predict_shift(PredictAddr *row, uint64_t delta) {
  row->delta = delta;
  for (int lane = 0; lane < 32; lane++) row->last[lane] += delta;
}

// The same for a writer's row of which no more is to be known for now.
static inline void predict_move(PredictAddr *row, uint64_t at) {
  row->delta = at - row->at;
  row->at = at;
}

static inline void predict_settle(PredictAddr *row) {
  uint64_t moved = row->mask ? row->at - row->last[__builtin_ctz(row->mask)] : 0;
  for (int lane = 0; lane < 32 && moved; lane++) row->last[lane] += moved;
}

static inline void predict_affine(PredictAddr *row, uint64_t base, uint64_t stride) {
  row->delta = 0;
  for (int lane = 0; lane < 32; lane++) row->last[lane] = base + stride * (uint64_t)lane;
}

// A shuffle of all lanes that tells all.
static inline bool predict_is_exchange(const PredictPc *pc, uint32_t mask) {
  const uint8_t all = TRACE_HAS_SOURCE | TRACE_HAS_VALUE | TRACE_HAS_RESULT;
  return pc->fixed.kind == TRACE_SHUFFLE && (pc->fixed.present & all) == all && mask == UINT32_MAX;
}

// An atomic on 32 bits that tells all.
static inline bool predict_is_atomic(const PredictPc *pc, uint32_t mask) {
  const uint8_t all = TRACE_HAS_ADDR | TRACE_HAS_VALUE | TRACE_HAS_RESULT;
  return pc->fixed.kind == TRACE_ATOM && (pc->fixed.present & all) == all && pc->fixed.width == 4 && mask;
}

// What the last shuffle of all lanes of a warp moved; NULL: there was none.
static inline ExchangeRow *predict_row(Predictor *predictor, uint32_t warp) {
  return predict_warp(predictor, warp)->exchanged ? &predictor->rows[warp % PREDICT_WARPS] : NULL;
}

static inline void predict_exchange(Predictor *predictor, uint32_t warp, const ExchangeRow *row) {
  predict_warp(predictor, warp)->exchanged = true;
  memcpy(&predictor->rows[warp % PREDICT_WARPS], row, sizeof *row);
}

static inline uint16_t predict_arrived(Predictor *predictor, uint8_t barrier) {
  return (uint16_t)(predictor->arrived[barrier] + 1);
}

static inline void predict_arrive(Predictor *predictor, uint8_t barrier, uint16_t arrived, uint8_t flags) {
  predictor->arrived[barrier] = flags & TRACE_LAST_ARRIVAL ? 0 : arrived;
}

#endif
