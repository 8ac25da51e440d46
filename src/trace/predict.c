// predict.c: forgetting, and finding the addresses of an instruction.
#include "trace/predict.h"

#include "base/mem.h"

Predictor *predict_new(void) { return ls_alloc(sizeof(Predictor)); }

void predict_begin(Predictor *predictor) {
  if (++predictor->generation == 0) {   // every row would look fresh again
    memset(predictor, 0, sizeof *predictor);
    predictor->generation = 1;
  }
  predict_begin_block(predictor);
}

void predict_begin_block(Predictor *predictor) {
  predictor->warp = 0;
  memset(predictor->arrived, 0, sizeof predictor->arrived);
  for (int i = 0; i < PREDICT_WARPS; i++) predictor->warps[i].generation = 0;
}

PredictPc *predict_forget_pc(PredictPc *row, uint32_t generation, int32_t pc) {
  row->generation = generation;
  row->pc = pc;
  row->next = pc < INT32_MAX ? pc + 1 : pc;
  row->addr = -1;
  row->flags = row->aux = 0;
  row->fixed = (PredictStatic){.target = -1, .reconverge = -1};
  memset(row->source, 0, sizeof row->source);
  return row;
}

// A warp that is new to this instruction probably follows the pattern of the warp before it.
PredictAddr *predict_addr(Predictor *predictor, PredictPc *pc, uint32_t warp) {
  uint32_t slot = ((uint32_t)pc->pc * 2654435761u ^ warp * 2246822519u) >> 20;
  PredictAddr *row = &predictor->addrs[slot];
  if (row->generation != predictor->generation || row->pc != pc->pc || row->warp != warp) {
    const PredictAddr *model = pc->addr < 0 ? NULL : &predictor->addrs[pc->addr];
    if (!model) memset(row->last, 0, sizeof row->last);
    else if (model != row) memcpy(row->last, model->last, sizeof row->last);
    row->generation = predictor->generation;
    row->pc = pc->pc;
    row->warp = warp;
    row->delta = 0;
  }
  pc->addr = (int32_t)slot;
  return row;
}
