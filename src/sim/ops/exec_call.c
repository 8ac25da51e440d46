// exec_call.c: calls. Registers of a function have one place in the warp's register file; a function that can be
// inside itself saves its own (and its parameters) on the lane's stack when it is called, and gets them back on return.
//
// A frame on the lane's stack, in local memory above the variables of functions that are never nested in themselves:
//   registers of the callee | its .param storage | its local variables        frames[lane] points to the last part
#include <string.h>
#include "sim/check/fault.h"
#include "sim/core/event.h"
#include "sim/core/heap.h"
#include "sim/core/sched.h"
#include "sim/core/slots.h"
#include "sim/ops/call.h"
#include "sim/ops/decoders.h"

static int32_t *return_slot(SimExec *exec, int depth, uint32_t lane) {
  return &exec->returns[((size_t)sim_warp_index(exec) * SIM_MAX_DEPTH + (size_t)depth) * SIM_LANES + lane];
}

int32_t sim_call_site(SimExec *exec, uint32_t lane) {
  return exec->group->depth > 0 ? *return_slot(exec, exec->group->depth - 1, lane) - 1 : -1;
}

static uint8_t *lane_local(SimExec *exec, uint32_t lane) {
  return exec->local + ((uint64_t)sim_warp_index(exec) * SIM_LANES + lane) * exec->program->local_bytes;
}

static uint8_t *lane_params(SimExec *exec, uint32_t lane) {
  return exec->lane_params + ((uint64_t)sim_warp_index(exec) * SIM_LANES + lane) * exec->program->lane_param_bytes;
}

static uint32_t saved_bytes(const SimProgram *program, int func) {
  const SimFunc *f = &program->funcs[func];
  uint32_t regs = 0;
  for (int r = 0; r < program->module->funcs[func].reg_count; r++)
    regs += (uint32_t)LS_MAX(sim_reg_bytes(program->module, func, r), 8);
  return (regs + f->param_bytes + 15) & ~15u;
}

static void save_lane(SimExec *exec, int func, uint32_t lane, uint8_t *to) {
  const SimFunc *f = &exec->program->funcs[func];
  for (int r = 0; r < exec->program->module->funcs[func].reg_count; r++, to += 8) {
    int bytes = sim_reg_bytes(exec->program->module, func, r);
    uint64_t value =
        bytes == 1 ? sim_pred(exec->regs, f->slots[r]) >> lane & 1 : sim_lane(exec->regs, f->slots[r], LS_MIN(bytes, 8), lane);
    memcpy(to, &value, sizeof value);
    if (bytes != 16) continue;
    to += 8;
    memcpy(to, &sim_u64(exec->regs, f->slots[r] + SIM_HIGH_HALVES)[lane], 8);
  }
  memcpy(to, lane_params(exec, lane) + f->param_first, f->param_bytes);
}

static void restore_lane(SimExec *exec, int func, uint32_t lane, const uint8_t *from) {
  const SimFunc *f = &exec->program->funcs[func];
  for (int r = 0; r < exec->program->module->funcs[func].reg_count; r++, from += 8) {
    int bytes = sim_reg_bytes(exec->program->module, func, r);
    uint64_t value;
    memcpy(&value, from, sizeof value);
    uint32_t slot = f->slots[r];
    if (bytes >= 8) sim_u64(exec->regs, slot)[lane] = value;
    if (bytes == 16) memcpy(&sim_u64(exec->regs, slot + SIM_HIGH_HALVES)[lane], from += 8, 8);
    if (bytes >= 8) continue;
    if (bytes == 4) sim_u32(exec->regs, slot)[lane] = (uint32_t)value;
    else *sim_u32(exec->regs, slot) = (*sim_u32(exec->regs, slot) & ~(1u << lane)) | (uint32_t)value << lane;
  }
  memcpy(lane_params(exec, lane) + f->param_first, from, f->param_bytes);
}

// ---- what is passed ------------------------------------------------------------------------------------------------

static void read_passed(SimExec *exec, const SimPassed *p, uint32_t lane, uint8_t *to, uint32_t bytes) {
  if (p->bytes == SIM_PASSED_PREDICATE && p->reg >= 0) {
    memset(to, 0, bytes);
    to[0] = sim_pred(exec->regs, p->at) >> lane & 1;
    return;
  }
  const uint8_t *from = p->reg >= 0 ? exec->regs + p->at + lane * p->bytes : lane_params(exec, lane) + p->at;
  memset(to, 0, bytes);
  memcpy(to, from, LS_MIN(p->bytes, bytes));
}

static void write_passed(SimExec *exec, const SimPassed *p, uint32_t lane, const uint8_t *from, uint32_t bytes) {
  if (p->bytes == SIM_PASSED_PREDICATE && p->reg >= 0) {
    uint32_t *bits = sim_u32(exec->regs, p->at);
    *bits = (*bits & ~(1u << lane)) | (uint32_t)(from[0] & 1) << lane;
    return;
  }
  uint8_t *to = p->reg >= 0 ? exec->regs + p->at + lane * p->bytes : lane_params(exec, lane) + p->at;
  memcpy(to, from, LS_MIN(p->bytes, bytes));
}

static bool is_stored(const SimPassed *p) { return p->reg < 0; }

// From one place in the lanes' storage to another: mostly 4 or 8 bytes of all lanes.
static void pass_stored(SimExec *exec, const SimPassed *from, const SimPassed *to, uint32_t mask) {
  uint32_t bytes = LS_MIN(to->bytes, from->bytes);
  uint64_t stride = exec->program->lane_param_bytes;
  uint8_t *into = lane_params(exec, 0) + to->at;
  const uint8_t *out = lane_params(exec, 0) + from->at;
  if (mask == SIM_FULL && bytes == 4) {
    for (uint64_t i = 0; i < SIM_LANES; i++) memcpy(into + i * stride, out + i * stride, 4);
  } else if (mask == SIM_FULL && bytes == 8) {
    for (uint64_t i = 0; i < SIM_LANES; i++) memcpy(into + i * stride, out + i * stride, 8);
  } else {
    SIM_FOR_LANES(i, mask) memmove(into + i * stride, out + i * stride, bytes);
  }
}

static void set_returns(SimExec *exec, int depth, uint32_t mask, int32_t back) {
  int32_t *slots = return_slot(exec, depth, 0);
  for (uint32_t i = 0; i < SIM_LANES; i++) slots[i] = mask >> i & 1 ? back : slots[i];
}

// Replays know which lanes ever wrote a register.
static void note_passed(SimExec *exec, const SimPassed *p, int func, uint32_t mask) {
  if (!exec->hooks || p->reg < 0 || p->reg >= SIM_PASSED_CONST) return;
  uint32_t *written = exec->hooks->written + (size_t)sim_warp_index(exec) * (size_t)exec->hooks->written_count;
  written[exec->program->funcs[func].first_reg + p->reg] |= mask;
}

// All registers are read before any is written, for a function may call itself.
static void pass_arguments(SimExec *exec, const SimCall *call, int func, uint32_t mask) {
  const PtxFunc *f = &exec->program->module->funcs[func];
  uint64_t values[SIM_MOST_PASSED][SIM_LANES];
  int count = LS_MIN(call->arg_count, f->param_count);
  for (int k = 0; k < count && k < SIM_MOST_PASSED; k++)
    if (call->args[k].reg >= 0 || f->params[k].var < 0)
      SIM_FOR_LANES(i, mask) read_passed(exec, &call->args[k], i, (uint8_t *)&values[k][i], 8);
  for (int k = 0; k < count; k++) {
    SimPassed to = sim_slot_passed(exec->program, func, &f->params[k]);
    const SimPassed *from = &call->args[k];
    if (is_stored(from) && is_stored(&to)) { pass_stored(exec, from, &to, mask); continue; }
    SIM_FOR_LANES(i, mask) write_passed(exec, &to, i, (const uint8_t *)&values[k][i], 8);
    note_passed(exec, &to, func, mask);
  }
}

// The frame below the first one starts where the stack does.
static uint32_t frame_end(const SimProgram *program, int func, uint32_t frame) {
  return frame + program->funcs[func].frame_bytes;
}

static bool push_frames(SimExec *exec, int func, uint32_t mask) {
  uint32_t *frames = exec->frames + sim_warp_index(exec) * SIM_LANES, saved = saved_bytes(exec->program, func),
           full = 0;
  SIM_FOR_LANES(i, mask) {
    uint32_t at = exec->stack_tops[sim_warp_index(exec) * SIM_LANES + i];
    uint32_t end = frame_end(exec->program, func, at + saved + 16);
    if (end > exec->program->local_bytes) { full |= 1u << i; continue; }
    uint8_t *local = lane_local(exec, i);
    memcpy(local + at, &frames[i], 4);
    memcpy(local + at + 4, &at, 4);
    save_lane(exec, func, i, local + at + 16);
    frames[i] = at + 16 + saved;
    exec->stack_tops[sim_warp_index(exec) * SIM_LANES + i] = end;
    if (exec->local_init) {
      uint8_t *init = exec->local_init + (local - exec->local);
      memset(init + frames[i], 0, exec->program->funcs[func].frame_bytes);
    }
  }
  if (full) sim_fault(exec, &(SimFaultPlace){.kind = FAULT_STACK_OVERFLOW, .mask = full});
  return !full;
}

static void pop_frames(SimExec *exec, int func, uint32_t mask) {
  uint32_t *frames = exec->frames + sim_warp_index(exec) * SIM_LANES, saved = saved_bytes(exec->program, func);
  SIM_FOR_LANES(i, mask) {
    uint8_t *local = lane_local(exec, i);
    uint32_t at = frames[i] - saved - 16;
    restore_lane(exec, func, i, local + at + 16);
    memcpy(&frames[i], local + at, 4);
    exec->stack_tops[sim_warp_index(exec) * SIM_LANES + i] = at;
  }
}

static void emit_call(SimExec *exec, const SimInst *inst, uint32_t mask, int32_t target) {
  if (!sim_wants_event(exec)) { sim_skip_event(exec); return; }
  TraceEvent *e = sim_event(exec, inst, mask);
  e->target = target;
  sim_emit(exec);
}

// A call does not keep the carry (PTX ISA 9.7.2): who counts on it shall see that.
static void lose_carry(SimExec *exec, uint32_t mask) { *sim_u32(exec->regs, sim_slot_carry(exec->program)) &= ~mask; }

// Enters `func` with the lanes of the running group, which all make this call.
static SimNext enter(SimExec *exec, const SimCall *call, int func) {
  const PtxFunc *f = &exec->program->module->funcs[func];
  SimLanes *g = exec->group;
  uint32_t mask = exec->active;
  if (g->depth + 1 >= SIM_MAX_DEPTH) {
    sim_fault(exec, &(SimFaultPlace){.kind = FAULT_STACK_OVERFLOW, .mask = mask});
    return SIM_YIELD;
  }
  if (exec->program->funcs[func].recursive && !push_frames(exec, func, mask)) return SIM_YIELD;
  pass_arguments(exec, call, func, mask);
  set_returns(exec, g->depth, mask, exec->pc + 1);
  bool meet = !exec->program->funcs[func].apart;
  int conv = meet ? sim_sched_conv(exec, mask, exec->pc + 1, g->depth, g->conv) : -1;
  if (conv >= 0) g->conv = (int16_t)conv;
  if (conv >= 0 && exec->program->funcs[func].levels) exec->warp->convs[conv].recursion = (uint16_t)(func + 1);
  lose_carry(exec, mask);
  g->depth++;
  sim_sched_enter(exec, f->first);
  return SIM_GO;
}

// Results go through a copy, for the callee's own storage comes back with its saved registers.
static void pass_results(SimExec *exec, const SimCall *call, int func, uint32_t mask) {
  const PtxFunc *f = &exec->program->module->funcs[func];
  uint8_t results[SIM_MOST_RESULTS][SIM_LANES][SIM_RESULT_BYTES];
  int count = LS_MIN(call->result_count, f->result_count);
  for (int k = 0; k < count; k++) {
    SimPassed from = sim_slot_passed(exec->program, func, &f->results[k]);
    SIM_FOR_LANES(i, mask) read_passed(exec, &from, i, results[k][i], SIM_RESULT_BYTES);
  }
  if (exec->program->funcs[func].recursive) pop_frames(exec, func, mask);
  for (int k = 0; k < count; k++)
    SIM_FOR_LANES(i, mask) write_passed(exec, &call->results[k], i, results[k][i], SIM_RESULT_BYTES);
}

// Most functions have one result, in storage that nobody saves.
static bool pass_result_at_once(SimExec *exec, const SimCall *call, int func, uint32_t mask) {
  const PtxFunc *f = &exec->program->module->funcs[func];
  if (exec->program->funcs[func].recursive || call->result_count != 1 || f->result_count != 1) return false;
  SimPassed from = sim_slot_passed(exec->program, func, &f->results[0]);
  const SimPassed *to = &call->results[0];
  if (!is_stored(&from) || !is_stored(to) || from.bytes < to->bytes) return false;
  pass_stored(exec, &from, to, mask);
  return true;
}

SimNext sim_exec_return(SimExec *exec, const SimInst *inst, uint32_t mask) {
  if (mask != exec->active) {   // the others go on behind it
    sim_sched_split(exec, mask, exec->pc, exec->pc + 1, -1);
    exec->warp->prefer = exec->warp->picked;
    return SIM_WAIT;
  }
  emit_call(exec, inst, mask, -1);
  SimLanes *g = exec->group;
  int func = exec->program->module->code[exec->pc].func;
  int32_t back = *return_slot(exec, g->depth - 1, (uint32_t)__builtin_ctz(mask));
  const SimCall *call = exec->code[back - 1].more;
  if (!pass_result_at_once(exec, call, func, mask)) pass_results(exec, call, func, mask);
  for (int k = 0; k < LS_MIN(call->result_count, exec->program->module->funcs[func].result_count); k++)
    note_passed(exec, &call->results[k], exec->program->module->code[back - 1].func, mask);
  lose_carry(exec, mask);
  sim_sched_return(exec);
  g->depth--;
  sim_sched_enter(exec, back);
  return SIM_GO;
}

static SimNext exec_builtin(SimExec *exec, const SimCall *call, uint32_t mask) {
  if (call->builtin != SIM_BUILTIN_ASSERT) {
    if (call->builtin == SIM_BUILTIN_MATH) sim_libdevice(exec, call, mask);
    else if (call->builtin == SIM_BUILTIN_VPRINTF) sim_printf(exec, call, mask);
    else if (call->builtin == SIM_BUILTIN_DEVICE) sim_device_call(exec, call, mask);
    else sim_heap_call(exec, call, mask);
    if (exec->stopping) return SIM_YIELD;
    exec->pc++;
    return SIM_GO;
  }
  sim_assert(exec, call, mask);
  return SIM_YIELD;
}

static SimNext exec_call(SimExec *exec, const SimInst *inst, uint32_t mask) {
  const SimCall *call = inst->more;
  int func = call->func;
  if (mask != exec->active && !call->builtin) {
    sim_sched_split(exec, mask, exec->pc, exec->pc + 1, exec->pc + 1);
    exec->warp->prefer = exec->warp->picked;
    return SIM_WAIT;
  }
  if (func < 0) {
    const uint64_t *address = sim_u64(exec->regs, call->address);
    uint64_t wanted = address[__builtin_ctz(mask)];
    uint32_t same = 0;
    SIM_FOR_LANES(i, mask) if (address[i] == wanted) same |= 1u << i;
    if (same != mask) {
      sim_sched_split(exec, same, exec->pc, exec->pc, exec->pc + 1);
      return SIM_WAIT;
    }
    func =
        wanted >= 1 && wanted <= (uint64_t)exec->program->module->func_count && exec->program->funcs[wanted - 1].reached
            ? (int)wanted - 1
            : -1;
  }
  bool has_code = func >= 0 && !call->builtin;   // vprintf's lies nowhere in the module
  emit_call(exec, inst, mask, has_code ? exec->program->module->funcs[func].first : -1);
  if (call->builtin) return exec_builtin(exec, call, mask);
  if (func < 0) {
    sim_fault(
        exec, &(SimFaultPlace){
                 .kind = FAULT_OUT_OF_BOUNDS, .mask = mask, .text = "a call through an address that is no function's"});
    return SIM_YIELD;
  }
  return enter(exec, call, func);
}

// ---- decoding ------------------------------------------------------------------------------------------------------

static SimBuiltin builtin_of(const PtxFunc *f) {
  if (!f->is_extern) return SIM_BUILTIN_NONE;
  if (strcmp(f->name, "vprintf") == 0) return SIM_BUILTIN_VPRINTF;
  if (strcmp(f->name, "__assertfail") == 0) return SIM_BUILTIN_ASSERT;
  if (sim_libdevice_has(f)) return SIM_BUILTIN_MATH;
  if (sim_heap_function(f)) return sim_heap_function(f);
  if (sim_device_function(f) >= 0) return SIM_BUILTIN_DEVICE;
  return SIM_BUILTIN_TRAP;
}

// Arguments and results are .param variables of the caller, registers, or (arguments) constants.
static SimPassed decode_passed(SimDecoder *d, const PtxOperand *o) {
  const PtxModule *m = d->program->module;
  if (o->kind == PTX_OPD_VAR && m->vars[o->var].space == PTX_PARAM)
    return (SimPassed){(uint32_t)d->program->var_addr[o->var], (uint32_t)m->vars[o->var].size, -1};
  if (o->kind == PTX_OPD_REG && sim_reg_bytes(m, d->func, o->reg) <= 8) {
    uint32_t bytes = (uint32_t)sim_reg_bytes(m, d->func, o->reg);
    return (SimPassed){d->program->funcs[d->func].slots[o->reg], bytes, o->reg};
  }
  if (o->kind == PTX_OPD_IMM || o->kind == PTX_OPD_VAR)
    return (SimPassed){sim_slot_of(d, o, 8), 8, SIM_PASSED_CONST};
  if (o->kind == PTX_OPD_SINK) return (SimPassed){sim_slot_scratch(8), 8, SIM_PASSED_CONST};
  d->why = "an argument of this form";
  return (SimPassed){0, 0, -1};
}

static SimPassed *decode_list(SimDecoder *d, const PtxOperand *list, int *count) {
  SimPassed *passed = LS_NEW_ARRAY(d->program->arena, SimPassed, list->elem_count + 1);
  *count = list->elem_count;
  for (int i = 0; i < list->elem_count; i++) {
    passed[i] = decode_passed(d, &list->elems[i]);
    if (passed[i].reg >= 0 && i >= SIM_MOST_PASSED) d->why = "more than 16 arguments, some of them in registers";
  }
  return passed;
}

static const char no_device_sync[] =
    "cudaDeviceSynchronize() in device code, which CUDA has had no more since version 12: a grid cannot wait for its "
    "children. What comes behind them is a launch into cudaStreamTailLaunch, or the next kernel of the host";

static bool is_device_sync(const PtxFunc *f) {
  return strcmp(f->name, "cudaDeviceSynchronize") == 0 || strstr(f->name, "DeviceSynchronize") != NULL;
}

static void check_prototype(SimDecoder *d, const SimCall *call, const PtxOperand *o) {
  const PtxTable *table = &d->program->module->tables[o->index];
  if (table->kind != PTX_TABLE_PROTOTYPE) return;
  if (table->results != call->result_count || table->params != call->arg_count)
    d->why = "a call with other arguments or results than its .callprototype has";
}

bool sim_decode_call(SimDecoder *d) {
  SimCall *call = LS_NEW(d->program->arena, SimCall);
  bool found = false;
  call->func = -1;
  for (int i = 0; i < d->in->operand_count; i++) {
    const PtxOperand *o = &d->in->operands[i];
    if (o->kind == PTX_OPD_FUNC) { call->func = o->func; found = true; }
    else if (o->kind == PTX_OPD_REG) { call->address = sim_slot_of(d, o, 8); found = true; }
    else if (o->kind == PTX_OPD_ARGS && !found) call->results = decode_list(d, o, &call->result_count);
    else if (o->kind == PTX_OPD_ARGS) call->args = decode_list(d, o, &call->arg_count);
    else if (o->kind == PTX_OPD_TABLE) check_prototype(d, call, o);
  }
  if (!found) { d->why = "a call without a function"; return false; }
  if (call->func >= 0) call->builtin = builtin_of(&d->program->module->funcs[call->func]);
  if (call->builtin == SIM_BUILTIN_DEVICE) call->runtime = sim_device_function(&d->program->module->funcs[call->func]);
  if (call->builtin == SIM_BUILTIN_TRAP) {
    d->why = is_device_sync(&d->program->module->funcs[call->func])
                 ? no_device_sync
                 : ls_arena_format(
                       d->program->arena,
                       "a function that is only declared: %s has no body in what was compiled together with this call",
                       d->program->module->funcs[call->func].demangled);
    return false;
  }
  for (int i = 0; i < call->result_count; i++) {
    if (call->results[i].bytes > SIM_RESULT_BYTES) d->why = "a result of more than 64 bytes";
    if (call->results[i].reg >= 0 && call->builtin) d->why = "a result of this function in a register";
  }
  for (int i = 0; i < call->arg_count && call->builtin; i++)
    if (call->args[i].reg >= 0) d->why = "an argument of this function in a register";
  if (call->result_count > SIM_MOST_RESULTS) d->why = "more than 4 results";
  d->out->more = call;
  d->out->kind = TRACE_CALL;
  d->out->handler = exec_call;
  return true;
}
