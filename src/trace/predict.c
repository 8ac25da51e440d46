// predict.c: forgetting, and finding the addresses of an instruction.
#include "trace/predict.h"

#include "base/mem.h"

Predictor *predict_new(void) { return ls_alloc(sizeof(Predictor)); }

void predict_begin(Predictor *predictor) {
  if (++predictor->generation == 0) {   // every row would look fresh again
    memset(predictor, 0, sizeof *predictor);
    predictor->generation = 1;
  }
  predictor->doubts = 1;
  atoms_begin(&predictor->atoms);
  predict_begin_block(predictor);
}

void predict_begin_block(Predictor *predictor) {
  predictor->warp = 0;
  memset(predictor->arrived, 0, sizeof predictor->arrived);
  memset(predictor->warps, 0, sizeof predictor->warps);
  atoms_begin_block(&predictor->atoms);
}

PredictPc *predict_forget_pc(Predictor *predictor, int32_t pc) {
  PredictPc *row = &predictor->pcs[(uint32_t)pc % PREDICT_PCS];
  predict_doubt(predictor, pc);
  row->generation = predictor->generation;
  row->pc = pc;
  row->next = pc < INT32_MAX ? pc + 1 : pc;
  row->addr = -1;
  row->flags = row->aux = 0;
  row->shape = 0;
  row->is_met = false;
  row->moves = false;
  row->known = (PredictKnown){0};
  row->fixed = (PredictStatic){.target = -1, .reconverge = -1};
  memset(row->source, 0, sizeof row->source);
  row->way = EXCHANGE_WAYS;
  row->strange = 0;
  row->lanes = UINT32_MAX;
  row->atom_way = ATOMS_WAYS;
  row->frame = (TraceFrame){0};
  row->operand = row->step = 0;
  return row;
}

static bool is_plain(const PredictPc *row) {
  static const PredictStatic executes = {.kind = TRACE_EXEC, .target = -1, .reconverge = -1};
  return row->next == (int64_t)row->pc + 1 && !row->flags && memcmp(&row->fixed, &executes, sizeof executes) == 0;
}

void predict_learn_plain(Predictor *predictor, const PredictPc *row) {
  PredictGroup *group = predict_group(predictor, row->pc);
  uint32_t number = (uint32_t)row->pc / PREDICT_GROUP;
  if (!is_plain(row)) return;
  if (group->generation != predictor->generation || group->number != number) {
    *group = (PredictGroup){predictor->generation, number, 0};
    predictor->doubts++;
  }
  group->plain |= 1ull << (uint32_t)row->pc % PREDICT_GROUP;
}

// A warp that is new to this instruction probably follows the pattern of the warp before it.
PredictAddr *predict_forget_addr(Predictor *predictor, PredictPc *pc, uint32_t warp, uint32_t slot) {
  PredictAddr *row = &predictor->addrs[slot];
  const PredictAddr *model = pc->addr < 0 ? NULL : &predictor->addrs[pc->addr];
  row->last = predictor->last[slot];
  row->shape = model && model->pc == pc->pc ? model->shape : 0;
  row->mask = model ? model->mask : 0;
  row->at = model ? model->at : 0;
  if (!model) memset(row->last, 0, sizeof predictor->last[slot]);
  else if (model != row) memcpy(row->last, model->last, sizeof predictor->last[slot]);
  row->whose = predict_whose(predictor, warp);
  row->pc = pc->pc;
  row->known = (PredictKnown){0};
  row->delta = 0;
  return row;
}
