// circuit_values.c: what becomes of each value from round to round: it stays, it grows by as much, or nobody can tell.
//
// Registers that a round reads before it writes them are taken for phases (they come out as they went in, plus what
// stays) until that turns out to be wrong. A place of which one value cannot be told is never made up for.
#include "sim/analysis/circuit_parts.h"

static bool is_int(uint8_t type) { return type == PTX_S32 || type == PTX_U32 || type == PTX_S64 || type == PTX_U64; }

static bool is_word(uint8_t type) { return is_int(type) || type == PTX_B32 || type == PTX_B64; }

static SimValue value_from(const SimWay *way, int node, int place, SimSource *from) {
  *from = sim_way_source(way, node, place);
  if (from->node < 0) return SIM_VALUE_STAYS;
  if (way->places[place].varies) return SIM_VALUE_VARIES;
  if (!from->carried) return (SimValue)way->nodes[from->node].value;
  return way->places[place].no_phase ? SIM_VALUE_VARIES : SIM_VALUE_GROWS;
}

SimValue sim_way_operand(SimWay *way, int node, int operand, SimSource *from) {
  const PtxInstr *in = sim_way_instr(way, &way->nodes[node]);
  const PtxOperand *o = &in->operands[operand];
  *from = (SimSource){-1, false};
  if (o->kind == PTX_OPD_IMM || o->kind == PTX_OPD_VAR || o->kind == PTX_OPD_SREG) return SIM_VALUE_STAYS;
  if (o->kind != PTX_OPD_REG || o->negate) return SIM_VALUE_VARIES;
  return value_from(way, node, sim_way_place(way, in->func, o->reg), from);
}

bool sim_way_copies(const SimWay *way, const SimNode *n) {
  if (n->kind == SIM_NODE_PASS || n->is_own) return n->use_count == 1;
  const PtxInstr *in = sim_way_instr(way, n);
  return n->kind == SIM_NODE_OP && in->op == PTX_OP_mov && n->use_count == 1 && n->def_count == 1 && !in->flags &&
         in->operands[1].kind == PTX_OPD_REG && (is_word(in->type) || in->type == PTX_F32 || in->type == PTX_F64);
}

// ---- what grows ----------------------------------------------------------------------------------------------------

static bool grows(SimWay *way, int node, int operand) {
  SimSource from;
  return sim_way_operand(way, node, operand, &from) == SIM_VALUE_GROWS;
}

static bool stays(SimWay *way, int node, int operand) {
  SimSource from;
  return sim_way_operand(way, node, operand, &from) == SIM_VALUE_STAYS;
}

static bool is_tame(SimWay *way, int node, int operand) {
  return grows(way, node, operand) || stays(way, node, operand);
}

static bool is_product(SimWay *way, int node) {
  return (grows(way, node, 1) && stays(way, node, 2)) || (stays(way, node, 1) && grows(way, node, 2));
}

static bool is_widening(const PtxInstr *in) {
  return (in->type == PTX_S64 && in->type2 == PTX_S32) || (in->type == PTX_U64 && in->type2 == PTX_U32);
}

// Some operand grows.
static bool op_grows(SimWay *way, int node) {
  const PtxInstr *in = sim_way_instr(way, &way->nodes[node]);
  bool is_plain = is_int(in->type) && !in->flags;
  switch (in->op) {
  case PTX_OP_mov: return is_word(in->type) && sim_way_copies(way, &way->nodes[node]) && grows(way, node, 1);
  case PTX_OP_add: case PTX_OP_sub: return is_plain && is_tame(way, node, 1) && is_tame(way, node, 2);
  case PTX_OP_mul: return is_plain && in->mode != PTX_MUL_HI && is_product(way, node);
  case PTX_OP_mad:
    return is_plain && in->mode == PTX_MUL_LO && is_tame(way, node, 3) &&
           (is_product(way, node) || (stays(way, node, 1) && stays(way, node, 2)));
  case PTX_OP_shl: return is_word(in->type) && grows(way, node, 1) && in->operands[2].kind == PTX_OPD_IMM;
  case PTX_OP_cvt: return is_widening(in) && !in->flags && grows(way, node, 1);
  default: return false;
  }
}

// ---- what tests ----------------------------------------------------------------------------------------------------

static bool compares(SimWay *way, int node) {
  const PtxInstr *in = sim_way_instr(way, &way->nodes[node]);
  return in->op == PTX_OP_setp && is_int(in->type) && !in->boolop && in->operand_count == 3 && !in->flags &&
         way->nodes[node].def_count == 1 && is_product(way, node);
}

// The same test again, or the opposite.
static bool tests(SimWay *way, int node) {
  SimNode *n = &way->nodes[node];
  const PtxInstr *in = sim_way_instr(way, n);
  SimSource from;
  if (compares(way, node)) { n->test = node; n->negates = false; return true; }
  if ((in->op != PTX_OP_mov && in->op != PTX_OP_not) || in->type != PTX_PRED || in->operand_count != 2) return false;
  if (sim_way_operand(way, node, 1, &from) != SIM_VALUE_TESTS) return false;
  n->test = way->nodes[from.node].test;
  n->negates = way->nodes[from.node].negates ^ (in->op == PTX_OP_not);
  return true;
}

// ---- all -----------------------------------------------------------------------------------------------------------

static bool all_stay(const SimWay *way, int node) {
  const SimNode *n = &way->nodes[node];
  SimSource from;
  for (int k = 0; k < n->use_count; k++) if (value_from(way, node, n->uses[k], &from) != SIM_VALUE_STAYS) return false;
  return true;
}

static SimValue judge_one(SimWay *way, int node) {
  SimNode *n = &way->nodes[node];
  SimSource from;
  if (n->kind == SIM_NODE_BRANCH || ((n->kind == SIM_NODE_LOAD || n->kind == SIM_NODE_STORE) && !n->is_own))
    return SIM_VALUE_VARIES;
  if (all_stay(way, node)) return SIM_VALUE_STAYS;
  if (n->kind != SIM_NODE_OP) {
    SimValue value = value_from(way, node, n->uses[0], &from);
    return value == SIM_VALUE_TESTS ? SIM_VALUE_VARIES : value;
  }
  if (op_grows(way, node)) return SIM_VALUE_GROWS;
  return tests(way, node) ? SIM_VALUE_TESTS : SIM_VALUE_VARIES;
}

// True if a place turned out to be one of which nothing is known.
static bool judge_all(SimWay *way) {
  bool changed = false;
  for (int i = 0; i < way->node_count; i++) {
    SimNode *n = &way->nodes[i];
    n->value = (uint8_t)judge_one(way, i);
    for (int k = 0; k < n->def_count; k++) if (way->places[n->defs[k]].varies) n->value = SIM_VALUE_VARIES;
    for (int k = 0; k < n->def_count && n->value == SIM_VALUE_VARIES; k++) {
      changed |= !way->places[n->defs[k]].varies;
      way->places[n->defs[k]].varies = true;
    }
  }
  return changed;
}

// The place whose phase an operand adds to; -1.
static int passed_by(SimWay *way, int node, int place) {
  SimSource from = sim_way_source(way, node, place);
  if (from.node < 0) return -1;
  return from.carried ? place : way->nodes[from.node].passed_by;
}

static int reg_operand(SimWay *way, const SimNode *n, int operand) {
  const PtxInstr *in = sim_way_instr(way, n);
  return in->operands[operand].kind == PTX_OPD_REG ? sim_way_place(way, in->func, in->operands[operand].reg) : -1;
}

static void follow_phase(SimWay *way, int node) {
  SimNode *n = &way->nodes[node];
  n->passed_by = -1;
  if (n->value != SIM_VALUE_GROWS) return;
  if (sim_way_copies(way, n)) { n->passed_by = passed_by(way, node, n->uses[0]); return; }
  const PtxInstr *in = n->kind == SIM_NODE_OP ? sim_way_instr(way, n) : NULL;
  if (!in || (in->op != PTX_OP_add && in->op != PTX_OP_sub)) return;
  if (stays(way, node, 2)) n->passed_by = passed_by(way, node, reg_operand(way, n, 1));
  else if (in->op == PTX_OP_add && stays(way, node, 1)) n->passed_by = passed_by(way, node, reg_operand(way, n, 2));
}

static bool is_carried(const SimWay *way, int place) {
  for (int i = 0; i < way->node_count; i++) {
    const SimNode *n = &way->nodes[i];
    bool uses = n->address == place;
    for (int k = 0; k < n->use_count; k++) uses |= n->uses[k] == place;
    if (uses && sim_way_source(way, i, place).carried) return true;
  }
  return false;
}

// True if what was taken for a phase is none.
static bool drop_phases(SimWay *way) {
  bool changed = false;
  for (int i = 0; i < way->node_count; i++) follow_phase(way, i);
  for (int p = 0; p < way->place_count; p++) {
    SimPlace *place = &way->places[p];
    if (place->last < 0 || place->no_phase || !is_carried(way, p)) continue;
    if (place->reg >= 0 && !place->varies && way->nodes[place->last].passed_by == p) continue;
    place->no_phase = changed = true;
  }
  return changed;
}

void sim_way_judge(SimWay *way) {
  for (bool changed = true; changed;) {
    changed = judge_all(way);
    changed |= drop_phases(way);
  }
}
