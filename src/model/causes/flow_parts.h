// flow_parts.h: what the files share that follow values and ways through the code.
#ifndef LS_MODEL_FLOW_PARTS_H
#define LS_MODEL_FLOW_PARTS_H

#include "model/causes/flow.h"
#include "ptx/cfg.h"
#include "ptx/def_use.h"

// A name is a register or, behind the registers of the function, a variable (arguments of calls, stack variables).
typedef struct FlowDef { int pc, next; } FlowDef;
typedef struct FlowFunc {
  PtxCfg *cfg;               // NULL: nobody has asked
  int *first;                // per name: its last definition in `defs`; -1: none. NULL: nobody has asked
  FlowDef *defs; int def_count, def_capacity;
} FlowFunc;

struct Flow {
  const PtxModule *module;
  LsArena *arena;
  FlowFunc *funcs;
  int *spins;                // see spin.h; NULL: nobody has asked
};

static inline int flow_name(const PtxFunc *func, const PtxRef *ref) {
  return ref->kind == PTX_REF_REG ? ref->reg : ref->kind == PTX_REF_VAR ? func->reg_count + ref->var : -1;
}

FlowFunc *flow_defs(Flow *flow, int func);   // with definitions
PtxCfg *flow_cfg(Flow *flow, int func);
int flow_only_def(Flow *flow, int func, int reg);   // pc of its one definition; -1: none or several
int flow_resolve(Flow *flow, int func, int reg);    // the register of which this one is a copy or conversion
bool flow_same(Flow *flow, int func, const PtxOperand *a, const PtxOperand *b);   // the same value, as far as one sees

#endif
