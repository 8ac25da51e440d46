// circuits.c: ways round loops, as plans for many rounds at once: what is executed in each, and what is made up for.
//
//   A: mov.u32 %r4, %r27;           %r27 comes out of a round as it went in, plus 1: a phase
//      setp.lt.s32 %p6, %r4, %r7;   so it is known how many rounds there are
//      @!%p6 bra B;
//      add.s32 %r22, %r21, %r4;     grows by 1 in each round
//      cvt.s64.s32 %rd7, %r22;
//      shl.b64 %rd8, %rd7, 2;
//      add.s64 %rd9, %rd1, %rd8;    grows by 4: it is known where the load goes
//      ld.f32 %f1, [%rd9];
//      ...
//      add.s32 %r5, %r4, 1;
//      mov.u32 %r27, %r5;
//      bra.uni A;
//
// A round of a loop has many lines where compilers leave the code as written, with calls in between. What a round
// executes is seen when a warp goes it once (grid/circuits.c); here it is found out what the next rounds do.
#include "sim/analysis/analysis.h"
#include "sim/analysis/circuit_parts.h"
#include "sim/core/slots.h"

enum { UNKNOWN = -2, STAYS = -1, NODES_PER_PC = 4 };

typedef struct Plan { SimWay *way; SimCircuit *circuit; LsArena *arena; } Plan;

// ---- where values can be read when a round begins ------------------------------------------------------------------

typedef struct Reading { SimFixed value; bool ahead; } Reading;

static bool read_const(const SimWay *way, int node, Reading *out) {
  const SimNode *n = &way->nodes[node];
  const PtxInstr *in = sim_way_instr(way, n);
  if (n->kind != SIM_NODE_OP || in->op != PTX_OP_mov || in->operands[1].kind != PTX_OPD_IMM) return false;
  *out = (Reading){{.number = in->operands[1].imm, .is_number = true}, false};
  return true;
}

// What a node reads at a place: the register that has it, perhaps by way of copies. ahead: of the round before.
static bool find_reading(const SimWay *way, int node, int place, Reading *out) {
  const SimPlace *p = &way->places[place];
  SimSource from = sim_way_source(way, node, place);
  if (p->reg >= 0 && (from.node < 0 || from.carried || p->last == from.node)) {
    *out = (Reading){{.slot = way->program->funcs[p->func].slots[p->reg],
                      .is_wide = sim_reg_bytes(way->program->module, p->func, p->reg) == 8},
                     from.node >= 0 && !from.carried};
    return true;
  }
  if (from.node < 0 || from.carried) return false;
  const SimNode *by = &way->nodes[from.node];
  if (sim_way_copies(way, by)) return find_reading(way, from.node, by->uses[0], out);
  return read_const(way, from.node, out);
}

static int operand_place(SimWay *way, int node, int operand) {
  const PtxInstr *in = sim_way_instr(way, &way->nodes[node]);
  return sim_way_place(way, in->func, in->operands[operand].reg);
}

static bool find_operand(SimWay *way, int node, int operand, Reading *out) {
  const PtxInstr *in = sim_way_instr(way, &way->nodes[node]);
  const PtxOperand *o = &in->operands[operand];
  const SimOp *op = &sim_way_inst(way, &way->nodes[node])->op;
  if (o->kind == PTX_OPD_REG) return find_reading(way, node, operand_place(way, node, operand), out);
  *out = (Reading){{.number = o->imm, .is_number = true}, false};
  if (o->kind == PTX_OPD_IMM) return true;
  out->value = (SimFixed){.slot = operand == 1 ? op->a : operand == 2 ? op->b : op->c,
                          .is_wide = ptx_type_size((PtxType)in->type) == 8};
  return true;
}

// ---- phases --------------------------------------------------------------------------------------------------------

static bool grows(SimWay *way, int node, int operand) {
  SimSource from;
  return sim_way_operand(way, node, operand, &from) == SIM_VALUE_GROWS;
}

static bool add_addend(SimWay *way, SimPhase *phase, int node, int operand, bool is_negative) {
  Reading r;
  if (phase->addend_count == SIM_CIRCUIT_ADDENDS || !find_operand(way, node, operand, &r)) return false;
  phase->negative |= (uint8_t)(is_negative << phase->addend_count);
  phase->addends[phase->addend_count++] = r.value;
  return true;
}

// From where the round leaves it back to where it took it up.
static bool follow_back(SimWay *way, SimPhase *phase, int place) {
  int node = way->places[place].last, at;
  for (SimSource from = {node, false}; !from.carried; from = sim_way_source(way, from.node, at)) {
    node = from.node;
    at = way->nodes[node].uses[0];
    if (sim_way_copies(way, &way->nodes[node])) continue;
    int by = grows(way, node, 1) ? 2 : 1;
    bool is_negative = sim_way_instr(way, &way->nodes[node])->op == PTX_OP_sub;
    at = operand_place(way, node, 3 - by);
    if (!add_addend(way, phase, node, by, is_negative)) return false;
  }
  return true;
}

static int phase_of(Plan *p, int place) {
  SimPlace *where = &p->way->places[place];
  if (where->phase >= 0) return where->phase;
  SimCircuit *c = p->circuit;
  if (c->phase_count == SIM_CIRCUIT_PHASES) return UNKNOWN;
  SimPhase *phase = &c->phases[c->phase_count];
  *phase = (SimPhase){.slot = p->way->program->funcs[where->func].slots[where->reg],
                      .is_wide = sim_reg_bytes(p->way->program->module, where->func, where->reg) == 8};
  if (!follow_back(p->way, phase, place)) return UNKNOWN;
  return where->phase = c->phase_count++;
}

// All that nodes take up, for what is made up for is made from them.
static bool find_phases(Plan *p) {
  SimWay *way = p->way;
  for (int i = 0; i < way->node_count; i++)
    for (int k = 0; k < way->nodes[i].use_count; k++) {
      int place = way->nodes[i].uses[k];
      bool is_phase = !way->places[place].varies && !way->places[place].no_phase;
      if (is_phase && sim_way_source(way, i, place).carried && phase_of(p, place) < 0) return false;
    }
  return true;
}

// ---- what grows ----------------------------------------------------------------------------------------------------

static int add_walk(Plan *p, SimGrows grows_by) {
  SimCircuit *c = p->circuit;
  if (c->walk_count == SIM_CIRCUIT_WALKS) return UNKNOWN;
  c->walks[c->walk_count] = grows_by;
  return c->walk_count++;
}

static int walk_of(Plan *p, int node);

static int walk_from(Plan *p, int node, int place) {
  SimSource from = sim_way_source(p->way, node, place);
  if (from.node < 0) return STAYS;
  if (from.carried) {
    int phase = phase_of(p, place);
    if (phase < 0) return UNKNOWN;
    return add_walk(p, (SimGrows){.how = SIM_GROWS_PHASE, .a = (int16_t)phase,
                                  .is_wide = p->circuit->phases[phase].is_wide});
  }
  if (p->way->nodes[from.node].value == SIM_VALUE_STAYS) return STAYS;
  return walk_of(p, from.node);
}

static int walk_operand(Plan *p, int node, int operand) {
  const PtxInstr *in = sim_way_instr(p->way, &p->way->nodes[node]);
  if (in->operands[operand].kind != PTX_OPD_REG) return STAYS;
  return walk_from(p, node, operand_place(p->way, node, operand));
}

static int walk_sum(Plan *p, int a, int b, bool is_apart, bool is_wide) {
  if (a == UNKNOWN || b == UNKNOWN || b == STAYS) return b == UNKNOWN ? b : a;
  if (a == STAYS && !is_apart) return b;
  return add_walk(p, (SimGrows){.how = is_apart ? SIM_GROWS_APART : SIM_GROWS_BOTH, .a = (int16_t)a, .b = (int16_t)b,
                                .is_wide = is_wide});
}

static int walk_wider(Plan *p, int node, int operand, int from, bool is_signed) {
  Reading r;
  if (from < 0 || !find_operand(p->way, node, operand, &r) || r.value.is_number || r.value.is_wide) return UNKNOWN;
  return add_walk(p, (SimGrows){.how = SIM_GROWS_WIDER, .a = (int16_t)from, .is_wide = true, .is_signed = is_signed,
                                .slot = r.value.slot, .ahead = r.ahead});
}

static int walk_product(Plan *p, int node) {
  const PtxInstr *in = sim_way_instr(p->way, &p->way->nodes[node]);
  int operand = grows(p->way, node, 1) ? 1 : 2, from = walk_operand(p, node, operand);
  bool widens = in->mode == PTX_MUL_WIDE, is_signed = in->type == PTX_S32;
  Reading by;
  if (widens && ptx_type_size((PtxType)in->type) != 4) return UNKNOWN;
  if (from >= 0 && widens) from = walk_wider(p, node, operand, from, is_signed);
  if (from < 0 || !find_operand(p->way, node, 3 - operand, &by)) return UNKNOWN;
  return add_walk(p, (SimGrows){.how = SIM_GROWS_TIMES, .a = (int16_t)from, .by = by.value, .is_signed = is_signed,
                                .is_wide = widens || ptx_type_size((PtxType)in->type) == 8});
}

static int make_walk(Plan *p, int node) {
  const SimNode *n = &p->way->nodes[node];
  if (sim_way_copies(p->way, n)) return walk_from(p, node, n->uses[0]);
  const PtxInstr *in = sim_way_instr(p->way, n);
  bool is_wide = ptx_type_size((PtxType)in->type) == 8;
  switch (in->op) {
  case PTX_OP_add: case PTX_OP_sub:
    return walk_sum(p, walk_operand(p, node, 1), walk_operand(p, node, 2), in->op == PTX_OP_sub, is_wide);
  case PTX_OP_mul: return walk_product(p, node);
  case PTX_OP_mad: {
    bool is_product = grows(p->way, node, 1) || grows(p->way, node, 2);
    return walk_sum(p, is_product ? walk_product(p, node) : STAYS, walk_operand(p, node, 3), false, is_wide);
  }
  case PTX_OP_shl: {
    int from = walk_operand(p, node, 1);
    if (from < 0) return UNKNOWN;
    return add_walk(p, (SimGrows){.how = SIM_GROWS_SHIFTED, .a = (int16_t)from, .is_wide = is_wide,
                                  .by = {.number = in->operands[2].imm, .is_number = true}});
  }
  case PTX_OP_cvt: return walk_wider(p, node, 1, walk_operand(p, node, 1), in->type == PTX_S64);
  default: return UNKNOWN;
  }
}

static int walk_of(Plan *p, int node) {
  SimNode *n = &p->way->nodes[node];
  if (n->value != SIM_VALUE_GROWS) return n->value == SIM_VALUE_STAYS ? STAYS : UNKNOWN;
  if (n->walk < 0) n->walk = make_walk(p, node);
  return n->walk;
}

// ---- the test ------------------------------------------------------------------------------------------------------

static bool set_test(Plan *p, int node, bool wanted) {
  SimCircuit *c = p->circuit;
  const PtxInstr *in = sim_way_instr(p->way, &p->way->nodes[node]);
  int operand = grows(p->way, node, 1) ? 1 : 2;
  unsigned accepts = sim_accepted_by(in->cmp);
  Reading tested, bound;
  if (!accepts || ptx_type_size((PtxType)in->type) < 4 || !find_operand(p->way, node, operand, &tested)) return false;
  if (tested.value.is_number || !find_operand(p->way, node, 3 - operand, &bound)) return false;
  c->test = walk_operand(p, node, operand);
  c->tested = tested.value;
  c->ahead = tested.ahead;
  c->bound = bound.value;
  c->is_signed = in->type == PTX_S32 || in->type == PTX_S64;
  if (operand == 2) accepts = sim_accepts_swapped(accepts);
  c->accepts = (uint8_t)(wanted ? accepts : ~accepts & 7);
  return c->test >= 0;
}

static bool find_test(Plan *p) {
  SimWay *way = p->way;
  bool any = false;
  for (int i = 0; i < way->node_count; i++) {
    const SimNode *n = &way->nodes[i];
    if (n->kind != SIM_NODE_BRANCH || !n->use_count) continue;
    SimSource from = sim_way_source(way, i, n->uses[0]);
    if (from.node < 0) continue;
    const SimNode *by = &way->nodes[from.node];
    if (from.carried || way->places[n->uses[0]].varies) return false;
    if (by->value == SIM_VALUE_STAYS) continue;
    if (by->value != SIM_VALUE_TESTS || any) return false;
    bool jumps_if = !sim_way_inst(way, n)->guard_negate;
    any = true;
    if (!set_test(p, by->test, (n->is_taken == jumps_if) != by->negates)) return false;
  }
  return any;
}

// ---- accesses ------------------------------------------------------------------------------------------------------

static void find_address(Plan *p, int node, SimTrackAccess *a) {
  const SimNode *n = &p->way->nodes[node];
  a->walk = SIM_ACCESS_STAYS;
  if (n->address < 0) return;
  const SimPlace *place = &p->way->places[n->address];
  SimSource from = sim_way_source(p->way, node, n->address);
  a->ahead = from.node >= 0 && !from.carried;
  bool is_there = from.node < 0 || from.carried || place->last == from.node;
  bool is_known = is_there && !place->varies && !(from.carried && place->no_phase);
  int walk = is_known ? walk_from(p, node, n->address) : UNKNOWN;
  a->walk = (int16_t)(walk == UNKNOWN ? SIM_ACCESS_ANYWHERE : walk);
}

static bool add_access(Plan *p, int node, int16_t *number) {
  SimCircuit *c = p->circuit;
  const SimNode *n = &p->way->nodes[node];
  if (c->access_count == SIM_CIRCUIT_ACCESSES) return false;
  SimTrackAccess *a = &c->accesses[c->access_count];
  *a = (SimTrackAccess){.inst = sim_way_inst(p->way, n), .at = n->at, .is_own = n->is_own};
  find_address(p, node, a);
  number[node] = (int16_t)c->access_count++;
  return true;
}

// ---- what is executed in each round --------------------------------------------------------------------------------

static int writers(const SimWay *way, int place) {
  int count = 0;
  for (int i = 0; i < way->node_count; i++)
    for (int k = 0; k < way->nodes[i].def_count; k++) count += way->nodes[i].defs[k] == place;
  return count;
}

// Its own register has it already, if it stays and nothing else is written there.
static void need(SimWay *way, int node, int place) {
  SimSource from = sim_way_source(way, node, place);
  if (from.node < 0 || way->nodes[from.node].needed) return;
  if (way->nodes[from.node].value == SIM_VALUE_STAYS && !from.carried && writers(way, place) == 1) return;
  SimNode *n = &way->nodes[from.node];
  n->needed = true;
  for (int k = 0; k < n->use_count; k++) need(way, from.node, n->uses[k]);
}

static void find_needed(Plan *p, const int16_t *accesses) {
  SimWay *way = p->way;
  for (int i = 0; i < way->node_count; i++) {
    SimNode *n = &way->nodes[i];
    if (n->value != SIM_VALUE_VARIES || n->kind == SIM_NODE_BRANCH) continue;
    n->needed = true;
    for (int k = 0; k < n->use_count; k++) need(way, i, n->uses[k]);
    bool anywhere = accesses[i] >= 0 && p->circuit->accesses[accesses[i]].walk == SIM_ACCESS_ANYWHERE;
    if (anywhere) need(way, i, n->address);
  }
}

static SimTrack track_of(const SimWay *way, const SimNode *n, int16_t access) {
  SimTrackKind kind = n->kind == SIM_NODE_PASS ? SIM_TRACK_PASS : access >= 0 ? SIM_TRACK_ACCESS : SIM_TRACK_OP;
  return (SimTrack){.kind = (uint8_t)kind, .at = n->at, .access = access, .inst = sim_way_inst(way, n), .from = n->from,
                    .to = n->to};
}

static bool find_tracks(Plan *p) {
  SimWay *way = p->way;
  SimCircuit *c = p->circuit;
  int16_t *accesses = LS_NEW_ARRAY(way->arena, int16_t, way->node_count + 1);
  for (int i = 0; i < way->node_count; i++) {
    accesses[i] = -1;
    bool is_access = way->nodes[i].kind == SIM_NODE_LOAD || way->nodes[i].kind == SIM_NODE_STORE;
    if (is_access && !add_access(p, i, accesses)) return false;
  }
  find_needed(p, accesses);
  c->members = LS_NEW_ARRAY(p->arena, SimTrack, way->node_count + 1);
  c->others = LS_NEW_ARRAY(p->arena, SimTrack, way->node_count + 1);
  for (int i = 0; i < way->node_count; i++) {
    const SimNode *n = &way->nodes[i];
    if (n->kind == SIM_NODE_BRANCH) continue;
    if (n->needed) c->members[c->member_count++] = track_of(way, n, accesses[i]);
    if (n->value != SIM_VALUE_VARIES) c->others[c->other_count++] = track_of(way, n, accesses[i]);
  }
  return true;
}

// ---- what is counted -----------------------------------------------------------------------------------------------

static void find_counts(Plan *p) {
  const SimWay *way = p->way;
  SimCircuit *c = p->circuit;
  size_t length = (size_t)way->length;
  c->stretches = LS_NEW_ARRAY(p->arena, SimStretch, length);
  c->told = LS_NEW_ARRAY(p->arena, int32_t, length);
  c->told_at = LS_NEW_ARRAY(p->arena, int16_t, length);
  c->length = way->length;
  for (int at = 0; at < way->length; at++) {
    int pc = way->pcs[at], kind = way->program->code[pc].kind;
    bool single = kind == TRACE_CALL || kind == TRACE_RET;
    SimStretch *last = c->stretch_count ? &c->stretches[c->stretch_count - 1] : NULL;
    if (last && !single && !last->single && last->pc + last->count == pc) last->count++;
    else c->stretches[c->stretch_count++] = (SimStretch){pc, (int16_t)at, 1, single};
    if (!single && kind != TRACE_BRANCH) continue;
    c->told[c->told_count] = pc;
    c->told_at[c->told_count++] = (int16_t)at;
  }
}

// ---- all -----------------------------------------------------------------------------------------------------------

static SimCircuit *make(SimWay *way, LsArena *arena) {
  SimCircuit *circuit = LS_NEW(arena, SimCircuit);
  Plan plan = {way, circuit, arena};
  if (!sim_way_read(way)) return NULL;
  sim_way_judge(way);
  if (!find_phases(&plan) || !find_test(&plan) || !find_tracks(&plan)) return NULL;
  find_counts(&plan);
  return circuit;
}

const SimCircuit *sim_circuit_new(const SimProgram *program, const int32_t *pcs, int length, LsArena *arena) {
  SimWay way = {.program = program, .pcs = pcs, .length = length, .arena = ls_arena_new()};
  way.node_room = way.place_room = length * NODES_PER_PC;
  way.nodes = LS_NEW_ARRAY(way.arena, SimNode, way.node_room);
  way.places = LS_NEW_ARRAY(way.arena, SimPlace, way.place_room);
  const SimCircuit *circuit = make(&way, arena);
  ls_arena_free(way.arena);
  return circuit;
}

// Where jumps lead back to.
void sim_find_heads(SimProgram *program) {
  for (int pc = 0; pc < program->module->code_count; pc++) {
    const SimInst *in = &program->code[pc];
    if (in->kind != TRACE_BRANCH || !in->jumps) continue;
    const SimBranch *b = in->more;
    if (b->target <= pc) program->code[b->target].heads = program->has_heads = true;
  }
}
