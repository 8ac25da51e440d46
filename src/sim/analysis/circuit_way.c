// circuit_way.c: the way round a loop as nodes: what is executed, what each reads and writes, and where that was made.
#include "ptx/def_use.h"
#include "sim/analysis/circuit_parts.h"
#include "sim/core/slots.h"

enum { MOST_CALLS = 8 };

const PtxInstr *sim_way_instr(const SimWay *way, const SimNode *n) { return &way->program->module->code[n->pc]; }
const SimInst *sim_way_inst(const SimWay *way, const SimNode *n) { return &way->program->code[n->pc]; }

// ---- places --------------------------------------------------------------------------------------------------------

static int add_place(SimWay *way, SimPlace place) {
  if (way->place_count == way->place_room) return -1;
  way->places[way->place_count] = place;
  return way->place_count++;
}

int sim_way_place(SimWay *way, int func, int reg) {
  for (int i = 0; i < way->place_count; i++)
    if (way->places[i].reg == reg && way->places[i].func == func) return i;
  return add_place(way, (SimPlace){.func = func, .reg = reg, .last = -1, .phase = -1});
}

// -1: some of these bytes are of another place.
static int storage_place(SimWay *way, uint32_t at, uint32_t bytes) {
  for (int i = 0; i < way->place_count; i++) {
    const SimPlace *p = &way->places[i];
    if (p->reg >= 0 || p->at >= at + bytes || at >= p->at + p->bytes) continue;
    return p->at == at && p->bytes == bytes ? i : -1;
  }
  return add_place(way, (SimPlace){.func = -1, .reg = -1, .at = at, .bytes = bytes, .last = -1, .phase = -1});
}

// ---- nodes ---------------------------------------------------------------------------------------------------------

static SimNode *add_node(SimWay *way, SimNodeKind kind, int at) {
  if (way->node_count == way->node_room) return NULL;
  SimNode *n = &way->nodes[way->node_count++];
  *n = (SimNode){.kind = (uint8_t)kind, .at = (int16_t)at, .pc = way->pcs[at], .address = -1, .walk = -1,
                 .passed_by = -1, .test = -1};
  return n;
}

static bool add_use(SimNode *n, int place) {
  if (place < 0 || n->use_count == SIM_NODE_USES) return false;
  n->uses[n->use_count++] = place;
  return true;
}

static bool add_def(SimNode *n, int place) {
  if (place < 0 || n->def_count == SIM_NODE_DEFS) return false;
  n->defs[n->def_count++] = place;
  return true;
}

static bool read_op(SimWay *way, int at) {
  SimNode *n = add_node(way, SIM_NODE_OP, at);
  if (!n) return false;
  const PtxInstr *in = sim_way_instr(way, n);
  for (PtxRef r = {0}; ptx_each_def(in, &r);)
    if (r.kind != PTX_REF_REG || !add_def(n, sim_way_place(way, in->func, r.reg))) return false;
  for (PtxRef r = {0}; ptx_each_use(in, &r);) {
    if (r.kind == PTX_REF_CARRY) return false;
    if (r.kind == PTX_REF_REG && !add_use(n, sim_way_place(way, in->func, r.reg))) return false;
  }
  return !ptx_reads_carry(in) && n->def_count;
}

static bool read_own(SimWay *way, SimNode *n, const SimMem *m, int data) {
  n->is_own = true;
  int place = m->offset >= 0 ? storage_place(way, (uint32_t)m->offset, m->elem) : -1;
  if (n->kind == SIM_NODE_LOAD) return add_use(n, place) && add_def(n, data);
  return (data < 0 || add_use(n, data)) && add_def(n, place);
}

static bool read_access(SimWay *way, int at, int depth) {
  const SimInst *inst = &way->program->code[way->pcs[at]];
  const SimMem *m = inst->more;
  bool loads = inst->kind == TRACE_LOAD;
  SimNode *n = add_node(way, loads ? SIM_NODE_LOAD : SIM_NODE_STORE, at);
  if (!n || m->vec != 1 || m->indexed || m->extend != SIM_EXT_ZERO || m->data_bytes[0] != m->elem) return false;
  const PtxInstr *in = sim_way_instr(way, n);
  const PtxOperand *o = &in->operands[loads ? 0 : 1], *address = ptx_address(in);
  if (!address || (o->kind != PTX_OPD_REG && (loads || o->kind != PTX_OPD_IMM))) return false;
  int data = o->kind == PTX_OPD_REG ? sim_way_place(way, in->func, o->reg) : -1;
  if (o->kind == PTX_OPD_REG && data < 0) return false;
  if (m->lane_private) return !m->base_bytes && read_own(way, n, m, data);
  if (depth) return false;   // to stop there takes more than registers
  if (address->base == PTX_BASE_REG) {
    n->address = sim_way_place(way, in->func, address->reg);
    if (n->address < 0) return false;
  }
  return loads ? add_def(n, data) : data < 0 || add_use(n, data);
}

static bool read_branch(SimWay *way, int at) {
  SimNode *n = add_node(way, SIM_NODE_BRANCH, at);
  if (!n || !sim_way_inst(way, n)->jumps) return false;
  const SimBranch *b = sim_way_inst(way, n)->more;
  const PtxInstr *in = sim_way_instr(way, n);
  n->is_taken = way->pcs[(at + 1) % way->length] == b->target;
  return in->guard < 0 || (b->target != n->pc + 1 && add_use(n, sim_way_place(way, in->func, in->guard)));
}

// ---- calls ---------------------------------------------------------------------------------------------------------

static bool read_passed(SimWay *way, int at, const SimPassed *from, const SimPassed *to) {
  SimNode *n = add_node(way, SIM_NODE_PASS, at);
  if (!n || from->reg >= 0 || to->reg >= 0 || from->bytes != to->bytes) return false;
  if (from->bytes != 4 && from->bytes != 8) return false;
  n->from = *from;
  n->to = *to;
  return add_use(n, storage_place(way, from->at, from->bytes)) && add_def(n, storage_place(way, to->at, to->bytes));
}

static bool is_plain_call(const SimProgram *program, const SimCall *call) {
  if (call->func < 0 || call->builtin) return false;
  const SimFunc *f = &program->funcs[call->func];
  return f->reached && !f->recursive && !f->levels && !f->apart;
}

static bool read_call(SimWay *way, int at, const SimCall *call) {
  if (!is_plain_call(way->program, call)) return false;
  const PtxFunc *f = &way->program->module->funcs[call->func];
  for (int k = 0; k < LS_MIN(call->arg_count, f->param_count); k++) {
    SimPassed to = sim_slot_passed(way->program, call->func, &f->params[k]);
    if (!read_passed(way, at, &call->args[k], &to)) return false;
  }
  return true;
}

static bool read_return(SimWay *way, int at, const SimCall *call) {
  const PtxFunc *f = &way->program->module->funcs[call->func];
  for (int k = 0; k < LS_MIN(call->result_count, f->result_count); k++) {
    SimPassed from = sim_slot_passed(way->program, call->func, &f->results[k]);
    if (!read_passed(way, at, &from, &call->results[k])) return false;
  }
  return true;
}

typedef struct Calls { const SimCall *calls[MOST_CALLS]; int depth; } Calls;

static bool read_one(SimWay *way, int at, Calls *c) {
  int pc = way->pcs[at];
  const SimInst *inst = &way->program->code[pc];
  const PtxInstr *in = &way->program->module->code[pc];
  if (inst->watched || way->program->sums[pc] || (in->guard >= 0 && inst->kind != TRACE_BRANCH)) return false;
  if (inst->kind == TRACE_BRANCH) return read_branch(way, at);
  if (inst->kind == TRACE_CALL) {
    if (c->depth == MOST_CALLS || !read_call(way, at, inst->more)) return false;
    c->calls[c->depth++] = inst->more;
    return true;
  }
  if (inst->kind == TRACE_RET) return c->depth > 0 && read_return(way, at, c->calls[--c->depth]);
  if (inst->shaped) return read_access(way, at, c->depth);
  return inst->quiet && (!inst->handler || inst->kind == TRACE_LOAD) && read_op(way, at);
}

bool sim_way_read(SimWay *way) {
  Calls calls = {.depth = 0};
  for (int at = 0; at < way->length; at++) if (!read_one(way, at, &calls)) return false;
  for (int i = 0; i < way->node_count; i++)
    for (int k = 0; k < way->nodes[i].def_count; k++) way->places[way->nodes[i].defs[k]].last = i;
  return !calls.depth;
}

// ---- where values were made ----------------------------------------------------------------------------------------

static bool writes(const SimNode *n, int place) {
  for (int k = 0; k < n->def_count; k++) if (n->defs[k] == place) return true;
  return false;
}

SimSource sim_way_source(const SimWay *way, int node, int place) {
  int last = way->places[place].last;
  if (last < 0) return (SimSource){-1, false};
  for (int i = node - 1; i >= 0; i--) if (writes(&way->nodes[i], place)) return (SimSource){i, false};
  return (SimSource){last, true};
}
