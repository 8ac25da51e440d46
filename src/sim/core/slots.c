// slots.c: the register file of a warp: where each register, constant and special register has its slot.
//
//   0 ..        a place for results that nobody wants (so that slot 0 can mean "none")
//   64 ..       the same for values
//   then        predicates and registers of every reachable function          cleared when a block starts, as far as
//                                                                              needed
//               128 bits: the low halves of all lanes, then the high ones
//   then        carry, special registers, constants                           filled once, or once per block
//
// Functions have places of their own in one file, so a call moves nothing. Only functions that can be inside
// themselves save their registers when they are called again (exec_call.c).
#include "sim/core/slots.h"
#include <stdlib.h>
#include <string.h>
#include "base/loops.h"

enum { SCRATCH_PRED = 0, SCRATCH_DATA = 64, FIRST_SLOT = 64 + 256 };

typedef struct Slot { int bytes, sreg, index; uint64_t value; uint32_t at; } Slot;   // sreg -1: a constant
typedef struct SimSlots {
  Slot *slots; int count, capacity;
  int *of_block; int of_block_count, of_block_capacity;   // those that change with the block
  LsTable known;             // 1 + index into slots
  uint32_t carry, end;
} SimSlots;

static uint32_t slot_size(int bytes) { return bytes == 1 ? 4 : (uint32_t)bytes * SIM_LANES; }

int sim_reg_bytes(const PtxModule *module, int func, int reg) {
  PtxType type = (PtxType)module->funcs[func].regs[reg].type;
  if (type == PTX_PRED) return 1;
  return LS_MAX(ptx_type_size(type), 4);
}

uint32_t sim_slot_size(const SimProgram *program, int func, int reg) {
  return slot_size(sim_reg_bytes(program->module, func, reg));
}

static uint32_t align64(uint32_t at) { return (at + 63) & ~63u; }

static uint32_t place_func(SimProgram *program, int func, uint32_t at) {
  const PtxFunc *f = &program->module->funcs[func];
  SimFunc *out = &program->funcs[func];
  out->slots = LS_NEW_ARRAY(program->arena, uint32_t, f->reg_count + 1);
  out->first_slot = at = align64(at);
  for (int pass = 0; pass < 2; pass++) {
    for (int r = 0; r < f->reg_count; r++) {
      int bytes = sim_reg_bytes(program->module, func, r);
      if ((bytes == 1) != (pass == 0)) continue;
      out->slots[r] = at;
      at += slot_size(bytes);
    }
    at = align64(at);
  }
  out->slot_bytes = at - out->first_slot;
  return at;
}

bool sim_slots_new(SimProgram *program) {
  program->slots = LS_NEW(program->arena, SimSlots);
  uint64_t total = FIRST_SLOT;
  for (int f = 0; f < program->module->func_count; f++)
    if (program->funcs[f].reached) total += (uint64_t)program->module->funcs[f].reg_count * 512 + 128;
  if (total > 64u << 20) return false;
  uint32_t at = FIRST_SLOT;
  for (int f = 0; f < program->module->func_count; f++)
    if (program->funcs[f].reached) at = place_func(program, f, at);
  program->watch_slot = at;
  at += 4 * (uint32_t)program->watched_count;
  program->slots->carry = at;
  at = align64(at + 4);
  program->clear_bytes = at;
  program->slots->end = program->file_bytes = at;
  return true;
}

void sim_slots_free(SimProgram *program) {
  if (!program->slots) return;
  free(program->slots->slots);
  free(program->slots->of_block);
  ls_table_free(&program->slots->known);
}

static bool changes_with_block(int sreg) {
  return (sreg >= PTX_SR_CTAID_X && sreg <= PTX_SR_CTAID_Z) || sreg == PTX_SR_SMID ||
         (sreg >= PTX_SR_CLUSTERID_X && sreg <= PTX_SR_CLUSTERID_Z);
}

static uint32_t slot_find(SimProgram *program, int bytes, int sreg, int index, uint64_t value) {
  SimSlots *s = program->slots;
  LsKey key = {{(uint64_t)bytes, (uint64_t)sreg, (uint64_t)index, value}};
  int *known = ls_table_at(&s->known, &key);
  if (*known) return s->slots[*known - 1].at;
  Slot slot = {bytes, sreg, index, value, s->end};
  LS_PUSH(s->slots, s->count, s->capacity, slot);
  if (changes_with_block(sreg)) LS_PUSH(s->of_block, s->of_block_count, s->of_block_capacity, s->count - 1);
  *known = s->count;
  s->end = program->file_bytes = align64(s->end + slot_size(bytes));
  return slot.at;
}

uint32_t sim_slot_const(SimProgram *program, int bytes, uint64_t value) {
  if (bytes == 4) value = (uint32_t)value;
  if (bytes == 1) value = value ? 1 : 0;
  return slot_find(program, bytes, -1, 0, value);
}

uint32_t sim_slot_sreg(SimProgram *program, int sreg, int index, int bytes) {
  return slot_find(program, bytes, sreg, index, 0);
}
uint32_t sim_slot_scratch(int bytes) { return bytes == 1 ? SCRATCH_PRED : SCRATCH_DATA; }
uint32_t sim_slot_temp(SimProgram *program, int bytes, int number) { return slot_find(program, bytes, -2, number, 0); }
SimPassed sim_slot_passed(const SimProgram *program, int func, const PtxParam *p) {
  if (p->var >= 0) return (SimPassed){(uint32_t)program->var_addr[p->var], (uint32_t)p->size, -1};
  return (SimPassed){program->funcs[func].slots[p->reg], (uint32_t)sim_reg_bytes(program->module, func, p->reg),
                     p->reg};
}

uint32_t sim_slot_carry(const SimProgram *program) { return program->slots->carry; }

bool sim_sreg_is_steady(int sreg) { return !changes_with_block(sreg) && !sim_sreg_changes(sreg); }

bool sim_sreg_is_uniform(int sreg) {
  return sreg > PTX_SR_TID_Z && sreg != PTX_SR_LANEID && (sreg < PTX_SR_LANEMASK_EQ || sreg > PTX_SR_LANEMASK_GT);
}

bool sim_sreg_changes(int sreg) { return sreg >= PTX_SR_CLOCK && sreg <= PTX_SR_GLOBALTIMER_HI; }

// ---- values --------------------------------------------------------------------------------------------------------

static uint32_t lanemask(int sreg, uint32_t lane) {
  uint32_t eq = 1u << lane, lt = eq - 1;
  switch (sreg) {
  case PTX_SR_LANEMASK_EQ: return eq;
  case PTX_SR_LANEMASK_LE: return lt | eq;
  case PTX_SR_LANEMASK_LT: return lt;
  case PTX_SR_LANEMASK_GE: return ~lt;
  default: return ~(lt | eq);
  }
}

static uint32_t thread_index(const SimExec *exec, uint32_t thread, int axis) {
  const uint32_t *b = exec->program->launch->block;
  if (axis == 0) return thread % b[0];
  if (axis == 1) return thread / b[0] % b[1];
  return thread / b[0] / b[1];
}

// Clocks advance with what the block has executed, and are the same every time.
static uint64_t clock_value(const SimExec *exec, int sreg) {
  uint64_t ticks = exec->block.executed * 4 + exec->block.events;
  uint64_t ns = 1000000000ull + exec->block.number * 1000ull + ticks;
  switch (sreg) {
  case PTX_SR_CLOCK: return (uint32_t)ticks;
  case PTX_SR_CLOCK_HI: return ticks >> 32;
  case PTX_SR_CLOCK64: return ticks;
  case PTX_SR_GLOBALTIMER: return ns;
  case PTX_SR_GLOBALTIMER_LO: return (uint32_t)ns;
  default: return ns >> 32;
  }
}

static uint64_t sreg_uniform(const SimExec *exec, int sreg) {
  const Launch *l = exec->program->launch;
  switch (sreg) {
  case PTX_SR_NTID_X: case PTX_SR_NTID_Y: case PTX_SR_NTID_Z: return l->block[sreg - PTX_SR_NTID_X];
  case PTX_SR_CTAID_X: case PTX_SR_CTAID_Y: case PTX_SR_CTAID_Z: return exec->block.index[sreg - PTX_SR_CTAID_X];
  case PTX_SR_NCTAID_X: case PTX_SR_NCTAID_Y: case PTX_SR_NCTAID_Z: return l->grid[sreg - PTX_SR_NCTAID_X];
  case PTX_SR_CLUSTERID_X: case PTX_SR_CLUSTERID_Y: case PTX_SR_CLUSTERID_Z:
    return exec->block.index[sreg - PTX_SR_CLUSTERID_X];
  case PTX_SR_NCLUSTERID_X:
  case PTX_SR_NCLUSTERID_Y:
  case PTX_SR_NCLUSTERID_Z: return l->grid[sreg - PTX_SR_NCLUSTERID_X];
  case PTX_SR_CLUSTER_NCTAID_X: case PTX_SR_CLUSTER_NCTAID_Y: case PTX_SR_CLUSTER_NCTAID_Z:
  case PTX_SR_CLUSTER_NCTARANK: return 1;
  case PTX_SR_IS_EXPLICIT_CLUSTER: return exec->program->module->funcs[exec->program->entry].explicit_cluster;
  case PTX_SR_NWARPID: return 64;
  case PTX_SR_SMID:
    return exec->program->options.sm_count > 0 ? exec->block.number % (uint32_t)exec->program->options.sm_count : 0;
  case PTX_SR_NSMID: return (uint64_t)exec->program->options.sm_count;
  case PTX_SR_GRIDID: return exec->program->options.grid_id;
  case PTX_SR_TOTAL_SMEM_SIZE: case PTX_SR_AGGR_SMEM_SIZE: return exec->program->shared_bytes;
  case PTX_SR_DYNAMIC_SMEM_SIZE: return l->shared_bytes;
  default: return 0;
  }
}

// The driver passes the address of a cooperative launch's workspace in two halves.
static uint64_t envreg(const SimExec *exec, int index) {
  return index == 1 ? exec->program->workspace >> 32 : index == 2 ? (uint32_t)exec->program->workspace : 0;
}

bool sim_sreg_value(const SimExec *exec, int warp, int sreg, int index, uint64_t values[32]) {
  if (sreg < 0 || sreg > PTX_SR_ENVREG0) return false;
  uint64_t uniform = sim_sreg_changes(sreg) ? clock_value(exec, sreg)
                     : sreg == PTX_SR_WARPID ? (uint64_t)warp
                     : sreg == PTX_SR_ENVREG0 ? envreg(exec, index) : sreg_uniform(exec, sreg);
  for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
    uint32_t thread = (uint32_t)warp * SIM_LANES + lane;
    if (sreg <= PTX_SR_TID_Z) values[lane] = thread_index(exec, thread, sreg - PTX_SR_TID_X);
    else if (sreg == PTX_SR_LANEID) values[lane] = lane;
    else if (sreg >= PTX_SR_LANEMASK_EQ && sreg <= PTX_SR_LANEMASK_GT) values[lane] = lanemask(sreg, lane);
    else values[lane] = uniform;
  }
  return true;
}

static void fill_uniform(uint8_t *regs, const Slot *slot, uint64_t value) {
  uint64_t *wide = sim_u64(regs, slot->at);
  uint32_t *narrow = sim_u32(regs, slot->at);
  if (slot->bytes == 8) {
    LS_UNROLLED for (int i = 0; i < SIM_LANES; i++) wide[i] = value;
  } else {
    LS_UNROLLED for (int i = 0; i < SIM_LANES; i++) narrow[i] = (uint32_t)value;
  }
}

static void slot_fill(SimExec *exec, int warp, const Slot *slot) {
  uint8_t *regs = exec->files + (size_t)warp * exec->program->file_bytes;
  uint64_t values[SIM_LANES];
  if (slot->sreg >= 0) sim_sreg_value(exec, warp, slot->sreg, slot->index, values);
  else for (int i = 0; i < SIM_LANES; i++) values[i] = slot->value;
  if (slot->bytes == 1) {
    uint32_t bits = values[0] ? SIM_FULL : 0;
    memcpy(regs + slot->at, &bits, sizeof bits);
  } else if (slot->bytes == 4) {
    for (int i = 0; i < SIM_LANES; i++) sim_u32(regs, slot->at)[i] = (uint32_t)values[i];
  } else {
    memcpy(regs + slot->at, values, sizeof values);
  }
}

void sim_slots_fill_warp(SimExec *exec, int warp) {
  const SimProgram *p = exec->program;
  uint8_t *regs = exec->files + (size_t)warp * p->file_bytes;
  for (int i = 0; i < p->slots->count; i++) slot_fill(exec, warp, &p->slots->slots[i]);
  for (int i = 0; i < p->steady_count; i++) {
    const SimOp *op = &p->code[p->steady[i]].op;
    op->run(regs, op, SIM_FULL);
  }
}

static void clear(SimExec *exec, uint32_t at, size_t size) {
  for (int k = 0; k < exec->warp_count; k++) memset(exec->files + (size_t)k * exec->program->file_bytes + at, 0, size);
}

// Who looks at registers from outside, as a replay does, or compares all of them, is to find nothing of other blocks.
void sim_slots_fill_block(SimExec *exec) {
  const SimProgram *p = exec->program;
  if (exec->hooks || p->options.path) clear(exec, 0, p->clear_bytes);
  else for (int i = 0; i < p->clear_count; i++) clear(exec, p->clears[i].at, p->clears[i].size);
  sim_slots_fill_number(exec);
}

void sim_slots_fill_number(SimExec *exec) {
  const SimSlots *s = exec->program->slots;
  for (int i = 0; i < s->of_block_count; i++) {
    const Slot *slot = &s->slots[s->of_block[i]];
    uint64_t value = sreg_uniform(exec, slot->sreg);
    uint8_t *regs = exec->files;
    for (int k = 0; k < exec->warp_count; k++, regs += exec->program->file_bytes) fill_uniform(regs, slot, value);
  }
}

// ---- all of them ---------------------------------------------------------------------------------------------------

uint64_t sim_hash_registers(const SimExec *exec) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (uint32_t at = 0; at + 8 <= exec->program->clear_bytes; at += 8) {
    uint64_t word;
    memcpy(&word, exec->regs + at, sizeof word);
    hash = (hash ^ word) * 0x100000001b3ull;
    hash ^= hash >> 29;
  }
  return hash;
}
