// device_call.c: functions of the device runtime: launches of kernels by kernels, streams, events, copies.
//
// A launch is two calls: one for a place to put the parameters, which the kernel then stores there, and one that says
// in which stream it is to run. What is wrong with its sizes comes to light at the first. Who gets an error is told of
// it, for nothing else stops: most kernels never ask.
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "ptx/debuginfo.h"
#include "ptx/demangle.h"
#include "ptx/param_use.h"
#include "sim/check/fault.h"
#include "sim/core/heap.h"
#include "sim/core/launches.h"
#include "sim/core/place.h"
#include "sim/ops/call.h"

typedef enum DeviceError {
#define DEVICE_ERROR(NAME, number, name, text) DEVICE_##NAME,
#include "sim/ops/device_error.def"
#undef DEVICE_ERROR
  DEVICE_ERROR_COUNT
} DeviceError;

static const struct { int number; const char *name, *text; } errors[] = {
#define DEVICE_ERROR(NAME, number, name, text) {number, name, text},
#include "sim/ops/device_error.def"
#undef DEVICE_ERROR
};

// A call by one lane.
typedef struct Caller {
  SimExec *exec;
  const SimCall *call;
  uint32_t lane, thread;
  uint8_t *params;         // the lane's .param storage
  SimLaunchState *state;
} Caller;

enum { THREADS_MOST = 1024, BLOCK_Z_MOST = 64, GRID_YZ_MOST = 65535, PLAIN_SHARED = 48 << 10, HANDLE_BASE = 0x1000,
       HANDLE_STEP = 16, LIMIT_HEAP = 2, LIMIT_PENDING = 4, DISABLE_TIMING = 2,
       DEVICE_TO_DEVICE = 3, BY_ADDRESS = 4, ALLOCATION_ALIGN = 256 };

// ---- arguments and memory ------------------------------------------------------------------------------------------

static void read_argument(const Caller *c, int index, void *out, size_t size) {
  memset(out, 0, size);
  memcpy(out, c->params + c->call->args[index].at, LS_MIN(c->call->args[index].bytes, size));
}

static uint64_t argument(const Caller *c, int index) {
  uint64_t value;
  read_argument(c, index, &value, sizeof value);
  return value;
}

// Where a generic address of the lane lies, for writing; NULL: in no memory of it.
static uint8_t *place_of(const Caller *c, uint64_t generic, uint64_t size) {
  uint64_t addr;
  SimExec *exec = c->exec;
  TraceSpace space = sim_classify(generic, &addr);
  if (space == TRACE_SHARED || space == TRACE_LOCAL) {
    uint64_t room = space == TRACE_SHARED ? exec->program->shared_bytes : exec->program->local_bytes;
    uint64_t own = space == TRACE_SHARED ? 0 : c->thread * exec->program->local_bytes;
    uint8_t *bytes = space == TRACE_SHARED ? exec->shared : exec->local;
    uint8_t *init = space == TRACE_SHARED ? exec->shared_init : exec->local_init;
    if (addr >= room || size > room - addr) return NULL;
    if (init) memset(init + own + addr, 1, size);
    return bytes + own + addr;
  }
  SimAlloc *a = sim_alloc_at(exec->memory, generic);
  if (space != TRACE_GLOBAL || !a || a->hidden || size > a->size - (generic - a->base)) return NULL;
  sim_touch_bytes(exec, a, generic - a->base, size);
  if (a->init) memset(a->init + (generic - a->base), 1, size);
  return a->bytes + (generic - a->base);
}

static bool put(const Caller *c, uint64_t generic, const void *value, uint64_t size) {
  uint8_t *to = place_of(c, generic, size);
  if (to) memcpy(to, value, size);
  return to != NULL;
}

// ---- errors --------------------------------------------------------------------------------------------------------

static SimThreadError *error_of(const Caller *c) {
  for (uint32_t i = 0; i < c->state->error_count; i++) {
    SimThreadError *e = &c->state->errors[i];
    if (e->block == c->exec->block.number && e->thread == c->thread) return e;
  }
  return NULL;
}

static void note_error(const Caller *c, DeviceError error) {
  SimThreadError *e = error_of(c);
  if (!e) {
    sim_launch_touch(c->exec, &c->state->error_count, sizeof c->state->error_count);
    e = &c->state->errors[c->state->error_count < SIM_MOST_ERRORS ? c->state->error_count++ : SIM_MOST_ERRORS - 1];
  }
  sim_launch_touch(c->exec, e, sizeof *e);
  *e = (SimThreadError){c->exec->block.number, c->thread, (int32_t)error};
}

static void add_kernel(const Caller *c, int func, LsText *out) {
  const char *name = c->exec->program->module->funcs[func].demangled;
  ls_text_addn(out, name, (size_t)ptx_name_length(name));
}

// "launches fill<<<(1,0,1), 32>>>: a grid without blocks (cudaErrorInvalidConfiguration)"
static DeviceError refuse(const Caller *c, DeviceError error, const char *does) {
  char *text = ls_format("%s (%s)", does, errors[error].name);
  note_error(c, error);
  sim_fault(c->exec, &(SimFaultPlace){.kind = FAULT_DEVICE_CALL, .mask = 1u << c->lane, .does = text});
  free(text);
  return error;
}

static uint64_t get_last_error(const Caller *c) {
  SimThreadError *e = error_of(c);
  if (!e) return 0;
  int number = errors[e->error].number;
  sim_launch_touch(c->exec, e, sizeof *e);
  e->thread = UINT32_MAX;
  return (uint64_t)number;
}

static uint64_t peek_at_last_error(const Caller *c) {
  const SimThreadError *e = error_of(c);
  return e ? (uint64_t)errors[e->error].number : 0;
}

// Texts lie one after the other, as sim_device_texts puts them.
static uint64_t text_of(const Caller *c, int number, bool is_name) {
  uint64_t at = c->exec->memory->texts->base;
  for (int i = 0; i < DEVICE_ERROR_COUNT; i++) {
    if (errors[i].number == number) return is_name ? at : at + strlen(errors[i].name) + 1;
    at += strlen(errors[i].name) + strlen(errors[i].text) + 2;
  }
  return at;
}

void sim_device_texts(uint8_t *out, size_t size) {
  uint8_t *at = out;
  memset(out, 0, size);
  for (int i = 0; i < DEVICE_ERROR_COUNT; i++) {
    at += strlen(strcpy((char *)at, errors[i].name)) + 1;
    at += strlen(strcpy((char *)at, errors[i].text)) + 1;
  }
  strcpy((char *)at, "unrecognized error code");
}

static uint64_t error_string(const Caller *c) { return text_of(c, (int)argument(c, 0), false); }
static uint64_t error_name(const Caller *c) { return text_of(c, (int)argument(c, 0), true); }

// ---- launches ------------------------------------------------------------------------------------------------------

static void add_dims(LsText *out, const uint32_t dims[3]) {
  if (dims[1] == 1 && dims[2] == 1) ls_text_addf(out, "%u", dims[0]);
  else ls_text_addf(out, "(%u,%u,%u)", dims[0], dims[1], dims[2]);
}

static uint64_t static_shared(const PtxModule *module, int entry) {
  uint64_t bytes = 0;
  uint8_t *reached = ls_alloc((size_t)module->func_count + 1);
  ptx_reach(module, entry, reached);
  for (int v = 0; v < module->var_count; v++) {
    const PtxVar *var = &module->vars[v];
    bool used = var->func < 0 || reached[var->func];
    if (var->space == PTX_SHARED && used && var->size > 0)
      bytes = ls_align_up(bytes, (uint64_t)LS_MAX(var->align, 1)) + (uint64_t)var->size;
  }
  free(reached);
  return bytes;
}

// Why the sizes of a launch cannot be; NULL: they can.
static const char *wrong_sizes(const Caller *c, const SimLaunchSlot *s, DeviceError *error) {
  uint64_t threads = (uint64_t)s->block[0] * s->block[1] * s->block[2];
  *error = DEVICE_CONFIGURATION;
  if (!s->grid[0] || !s->grid[1] || !s->grid[2]) return "a grid without blocks";
  if (!threads) return "blocks without threads";
  if (threads > THREADS_MOST || s->block[2] > BLOCK_Z_MOST) return "a block has at most 1024 threads, 64 of them in z";
  if (s->grid[0] > INT32_MAX || s->grid[1] > GRID_YZ_MOST || s->grid[2] > GRID_YZ_MOST)
    return "a grid has at most 65535 blocks in y and z";
  const PtxFunc *f = &c->exec->program->module->funcs[s->func];
  int most = LS_MAX(f->maxntid[0], 1) * LS_MAX(f->maxntid[1], 1) * LS_MAX(f->maxntid[2], 1);
  *error = DEVICE_RESOURCES;
  if (f->maxntid[0] && threads > (uint64_t)most) return "the kernel's __launch_bounds__ allow fewer threads";
  *error = DEVICE_CONFIGURATION;
  if (static_shared(c->exec->program->module, s->func) + s->shared > PLAIN_SHARED)
    return "more than 48 KB of shared memory, which is all that a launch in device code can have";
  return NULL;
}

static void add_launch(const Caller *c, const SimLaunchSlot *s, LsText *out) {
  ls_text_add(out, "launches ");
  add_kernel(c, s->func, out);
  ls_text_add(out, "<<<");
  add_dims(out, s->grid);
  ls_text_add(out, ", ");
  add_dims(out, s->block);
  if (s->shared) ls_text_addf(out, ", %u", s->shared);
  ls_text_add(out, ">>>");
}

static DeviceError refuse_launch(const Caller *c, const SimLaunchSlot *slot, DeviceError error, const char *why) {
  LsText text = {0};
  add_launch(c, slot, &text);
  ls_text_addf(&text, ": %s", why);
  refuse(c, error, ls_text_str(&text));
  ls_text_free(&text);
  return error;
}

static bool is_refused(const Caller *c, const SimLaunchSlot *slot) {
  DeviceError error;
  const char *why = wrong_sizes(c, slot, &error);
  if (!why && c->state->slot_count >= sim_launch_capacity(c->exec->program)) {
    why = "that is more launches by one grid than the emulator keeps";
    error = DEVICE_PENDING;
  }
  if (why) refuse_launch(c, slot, error, why);
  return why != NULL;
}

static uint64_t parameter_buffer(const Caller *c) {
  SimLaunchSlot slot = {.shared = (uint32_t)argument(c, 3)};
  const PtxModule *m = c->exec->program->module;
  uint64_t address = argument(c, 0);
  read_argument(c, 1, slot.grid, sizeof slot.grid);
  read_argument(c, 2, slot.block, sizeof slot.block);
  bool is_kernel = address >= 1 && address <= (uint64_t)m->func_count && ptx_is_kernel(&m->funcs[address - 1]);
  if (!is_kernel) {
    refuse(c, DEVICE_FUNCTION, "launches what is no kernel");
    return 0;
  }
  slot.func = (int32_t)address - 1;
  if (is_refused(c, &slot)) return 0;
  SimLaunchSlot *to = &sim_launch_slots(c->state, c->exec->program)[c->state->slot_count];
  sim_launch_touch(c->exec, to, sizeof *to);
  sim_launch_touch(c->exec, &c->state->slot_count, sizeof c->state->slot_count);
  *to = slot;
  c->exec->block.changes++;
  return c->exec->memory->launch_params->base + c->state->slot_count++ * sim_launch_param_bytes(c->exec->program);
}

static int32_t told_pc(const Caller *c) { return sim_reported_pc(c->exec, c->exec->warp, c->exec->group, c->exec->pc); }

static DeviceError add_op(const Caller *c, SimDeviceOp op) {
  if (c->state->op_count >= sim_launch_capacity(c->exec->program))
    return refuse(c, DEVICE_PENDING, "asks for more launches, copies and events of one grid than the emulator keeps");
  SimDeviceOp *to = &sim_launch_ops(c->state)[c->state->op_count];
  sim_launch_touch(c->exec, to, sizeof *to);
  sim_launch_touch(c->exec, &c->state->op_count, sizeof c->state->op_count);
  op.block = c->exec->block.number;
  op.thread = c->thread;
  op.pc = told_pc(c);
  op.call = c->state->calls;
  *to = op;
  c->state->op_count++;
  c->exec->block.changes++;
  return DEVICE_SUCCESS;
}

// ---- streams and events --------------------------------------------------------------------------------------------

// Streams and events are their block's. One that was destroyed still does what it was for.
static SimHandle *handle_of(const Caller *c, SimHandle *all, uint32_t count, uint64_t value) {
  uint64_t index = (value - HANDLE_BASE) / HANDLE_STEP;
  if (value < HANDLE_BASE || value % HANDLE_STEP || index >= count) return NULL;
  return all[index].block == c->exec->block.number ? &all[index] : NULL;
}

static bool is_own_stream(const Caller *c, uint64_t stream) {
  return stream <= SIM_STREAM_PER_THREAD || handle_of(c, c->state->streams, c->state->stream_count, stream);
}

static bool is_stream(const Caller *c, uint64_t stream) {
  return stream == SIM_STREAM_TAIL || stream == SIM_STREAM_FORGET || is_own_stream(c, stream);
}

static uint64_t failed(const Caller *c, DeviceError error, const char *does) {
  return (uint64_t)errors[refuse(c, error, does)].number;
}

static uint64_t make_handle(const Caller *c, SimHandle *all, uint32_t *count) {
  if (*count == SIM_MOST_HANDLES) return failed(c, DEVICE_MEMORY, "makes more than 1024 streams or events");
  uint64_t value = HANDLE_BASE + (uint64_t)*count * HANDLE_STEP;
  sim_launch_touch(c->exec, &all[*count], sizeof *all);
  sim_launch_touch(c->exec, count, sizeof *count);
  if (!put(c, argument(c, 0), &value, sizeof value)) return (uint64_t)errors[DEVICE_INVALID_VALUE].number;
  all[(*count)++] = (SimHandle){.block = c->exec->block.number};
  return 0;
}

static uint64_t stream_create(const Caller *c) { return make_handle(c, c->state->streams, &c->state->stream_count); }

static uint64_t stream_destroy(const Caller *c) {
  bool is = is_own_stream(c, argument(c, 0));
  return is ? 0 : failed(c, DEVICE_INVALID_VALUE, "destroys what is no stream of its block");
}

static uint64_t event_create(const Caller *c) {
  if ((int32_t)argument(c, 1) == DISABLE_TIMING) return make_handle(c, c->state->events, &c->state->event_count);
  return failed(c, DEVICE_INVALID_VALUE,
                "makes an event without cudaEventDisableTiming, which device code has to give");
}

static uint64_t event_destroy(const Caller *c) {
  const SimHandle *h = handle_of(c, c->state->events, c->state->event_count, argument(c, 0));
  return h ? 0 : failed(c, DEVICE_INVALID_VALUE, "destroys what is no event of its block");
}

static uint64_t event_record(const Caller *c) {
  uint64_t stream = argument(c, 1);
  SimHandle *h = handle_of(c, c->state->events, c->state->event_count, argument(c, 0));
  if (!h || !is_own_stream(c, stream))
    return failed(c, DEVICE_INVALID_VALUE,
                  "records an event in what is no stream, or no event, that its block has made");
  DeviceError error = add_op(c, (SimDeviceOp){.kind = SIM_DEVICE_RECORD, .stream = stream, .after = -1});
  sim_launch_touch(c->exec, h, sizeof *h);
  if (error == DEVICE_SUCCESS) h->recorded = (int32_t)c->state->op_count;
  return (uint64_t)errors[error].number;
}

static uint64_t stream_wait_event(const Caller *c) {
  uint64_t stream = argument(c, 0);
  const SimHandle *h = handle_of(c, c->state->events, c->state->event_count, argument(c, 1));
  if (!h || !is_own_stream(c, stream))
    return failed(c, DEVICE_INVALID_VALUE, "waits in what is no stream, or for no event, that its block has made");
  SimDeviceOp op = {.kind = SIM_DEVICE_WAIT, .stream = stream, .after = h->recorded - 1};
  return (uint64_t)errors[add_op(c, op)].number;
}

// ---- launching -----------------------------------------------------------------------------------------------------

// Whether the kernel loads or stores through a parameter.
static bool is_used(const PtxModule *module, int entry, int param) {
  PtxParamUse use;
  LsArena *arena = ls_arena_new();
  uint8_t *reached = LS_NEW_ARRAY(arena, uint8_t, module->func_count + 1);
  ptx_reach(module, entry, reached);
  ptx_param_use(module, entry, reached, arena, &use);
  bool is = ptx_param_in(use.read | use.written, param);
  ls_arena_free(arena);
  return is;
}

static void tell_pointer(const Caller *c, int entry, int param, TraceSpace space) {
  const PtxModule *m = c->exec->program->module;
  const char *name = ptx_param_source_name(m, entry, param);
  LsText text = {0};
  ls_text_add(&text, "gives ");
  add_kernel(c, entry, &text);
  ls_text_addf(&text, " the address of its own %s memory", space == TRACE_SHARED ? "shared" : "local");
  if (name) ls_text_addf(&text, " as %s", name);
  else ls_text_addf(&text, " as argument %d", param + 1);
  ls_text_add(&text, ", and the kernel uses it (cudaErrorInvalidAddressSpace there: ");
  sim_fault_where(c->exec->program, m->funcs[entry].first, &text);
  ls_text_add(&text, ")");
  sim_fault(c->exec, &(SimFaultPlace){.kind = FAULT_CHILD_POINTER, .mask = 1u << c->lane, .does = ls_text_str(&text),
                                      .has_other = true, .other_pc = m->funcs[entry].first,
                                      .other_block = c->exec->block.number, .other_thread = c->thread});
  ls_text_free(&text);
}

// A parameter that is an address of the parent's own shared or local memory, which no other grid sees.
static void check_pointers(const Caller *c, const SimLaunchSlot *slot, const uint8_t *params) {
  const PtxFunc *f = &c->exec->program->module->funcs[slot->func];
  for (int i = 0; i < f->param_count; i++) {
    uint64_t value, addr;
    if (f->params[i].size != sizeof value) continue;
    memcpy(&value, params + f->params[i].offset, sizeof value);
    TraceSpace space = sim_classify(value, &addr);
    bool is_own = space == TRACE_SHARED || space == TRACE_LOCAL;
    if (is_own && is_used(c->exec->program->module, slot->func, i)) tell_pointer(c, slot->func, i, space);
  }
}

// Launches that wait for one another can only begin one by one, as fast as the kernel may ask for more.
static bool is_one_too_many(const Caller *c, uint64_t stream) {
  SimLaunchState *s = c->state;
  sim_launch_touch(c->exec, &s->pending_block, sizeof s->pending_block + sizeof s->pending);
  if (s->pending_block != c->exec->block.number) s->pending = 0;
  s->pending_block = c->exec->block.number;
  if (stream == SIM_STREAM_FORGET) return false;
  return ++s->pending > SIM_MOST_PENDING;
}

static SimLaunchSlot *slot_of(const Caller *c, uint64_t buffer, uint64_t *offset) {
  uint64_t size = sim_launch_param_bytes(c->exec->program), index;
  *offset = buffer - c->exec->memory->launch_params->base;
  index = *offset / size;
  if (*offset % size || index >= c->state->slot_count) return NULL;
  SimLaunchSlot *slot = &sim_launch_slots(c->state, c->exec->program)[index];
  return slot->is_launched ? NULL : slot;
}

static uint64_t launch_device(const Caller *c) {
  uint64_t stream = argument(c, 1), offset;
  SimLaunchSlot *slot = slot_of(c, argument(c, 0), &offset);
  DeviceError error = DEVICE_SUCCESS;
  if (!slot) return failed(c, DEVICE_INVALID_VALUE, "launches with parameters that are not for a launch");
  if (!is_stream(c, stream)) error = refuse_launch(c, slot, DEVICE_INVALID_VALUE, "the stream is none of its block");
  else if (is_one_too_many(c, stream))
    error =
        refuse_launch(c, slot, DEVICE_PENDING,
                      "2048 launches of this block may wait to begin, as many as cudaLimitDevRuntimePendingLaunchCount "
                      "allows");
  if (error != DEVICE_SUCCESS) return (uint64_t)errors[error].number;
  check_pointers(c, slot, c->exec->memory->launch_params->bytes + offset);
  SimDeviceOp op = {.kind = SIM_DEVICE_LAUNCH,
                    .stream = stream,
                    .func = slot->func,
                    .shared = slot->shared,
                    .after = -1,
                    .slot = (uint32_t)(offset / sim_launch_param_bytes(c->exec->program))};
  memcpy(op.grid, slot->grid, sizeof op.grid);
  memcpy(op.dims, slot->block, sizeof op.dims);
  sim_launch_touch(c->exec, slot, sizeof *slot);
  slot->is_launched = true;
  return (uint64_t)errors[add_op(c, op)].number;
}

// ---- memory --------------------------------------------------------------------------------------------------------

static bool is_global(const Caller *c, uint64_t address, uint64_t size) {
  const SimAlloc *a = sim_alloc_at(c->exec->memory, address);
  return a && !a->hidden && !a->image && size <= a->size - (address - a->base);
}

static uint64_t memcpy_async(const Caller *c) {
  SimDeviceOp op = {.kind = SIM_DEVICE_COPY, .to = argument(c, 0), .from = argument(c, 1), .count = argument(c, 2),
                    .stream = argument(c, 4), .after = -1};
  uint64_t kind = argument(c, 3);
  if (kind != DEVICE_TO_DEVICE && kind != BY_ADDRESS)
    return failed(c, DEVICE_DIRECTION, "copies from or to the host, which device code cannot");
  if (!is_stream(c, op.stream)) return failed(c, DEVICE_INVALID_VALUE, "copies in what is no stream of its block");
  if (!is_global(c, op.to, op.count) || !is_global(c, op.from, op.count))
    return failed(c, DEVICE_INVALID_VALUE, "copies beyond the end of global memory that somebody allocated");
  return (uint64_t)errors[add_op(c, op)].number;
}

static uint64_t memset_async(const Caller *c) {
  SimDeviceOp op = {.kind = SIM_DEVICE_SET,
                    .to = argument(c, 0),
                    .byte = (uint8_t)argument(c, 1),
                    .count = argument(c, 2),
                    .stream = argument(c, 3),
                    .after = -1};
  if (!is_stream(c, op.stream)) return failed(c, DEVICE_INVALID_VALUE, "sets in what is no stream of its block");
  if (!is_global(c, op.to, op.count))
    return failed(c, DEVICE_INVALID_VALUE, "sets bytes beyond the end of global memory that somebody allocated");
  return (uint64_t)errors[add_op(c, op)].number;
}

static uint64_t device_malloc(const Caller *c) {
  uint64_t address = sim_heap_call_take(c->exec, c->lane, argument(c, 1), ALLOCATION_ALIGN);
  if (!address) return failed(c, DEVICE_MEMORY, "allocates more than the device heap has left");
  return put(c, argument(c, 0), &address, sizeof address) ? 0 : (uint64_t)errors[DEVICE_INVALID_VALUE].number;
}

static uint64_t device_free(const Caller *c) {
  uint64_t address = argument(c, 0);
  if (address) sim_heap_call_free(c->exec, c->lane, address);
  return 0;
}

// ---- questions -----------------------------------------------------------------------------------------------------

static uint64_t answer(const Caller *c, uint64_t value, uint64_t size) {
  return put(c, argument(c, 0), &value, size) ? 0 : (uint64_t)errors[DEVICE_INVALID_VALUE].number;
}

static uint64_t get_device(const Caller *c) { return answer(c, 0, sizeof(int32_t)); }
static uint64_t get_device_count(const Caller *c) { return answer(c, 1, sizeof(int32_t)); }

static uint64_t get_limit(const Caller *c) {
  uint64_t limit = argument(c, 1), heap = c->exec->program->options.heap_bytes;
  if (limit == LIMIT_HEAP) return answer(c, heap ? heap : SIM_HEAP_BYTES, sizeof(uint64_t));
  if (limit == LIMIT_PENDING) return answer(c, SIM_MOST_PENDING, sizeof(uint64_t));
  return (uint64_t)errors[DEVICE_LIMIT].number;
}

// ---- by name -------------------------------------------------------------------------------------------------------

static const struct { const char *name; uint64_t (*call)(const Caller *caller); int params; } functions[] = {
#define DEVICE_FUNCTION(name, function, params) {name, function, params},
#include "sim/ops/device_runtime.def"
#undef DEVICE_FUNCTION
};

int sim_device_function(const PtxFunc *f) {
  static const char before[] = "__cudaCDP2", behind[] = "_ptsz";
  if (!sim_is_device_function(f->name)) return -1;
  const char *name = f->name + sizeof before - 1;
  for (int i = 0; i < LS_COUNT(functions); i++) {
    size_t length = strlen(functions[i].name);
    bool same = strncmp(name, functions[i].name, length) == 0 && (!name[length] || strcmp(name + length, behind) == 0);
    if (same && f->param_count == functions[i].params && f->result_count == 1) return i;
  }
  return -1;
}

void sim_device_call(SimExec *exec, const SimCall *call, uint32_t mask) {
  SimLaunchState *state = sim_launch_state(exec->memory);
  sim_launch_touch(exec, &state->calls, sizeof state->calls);
  state->calls++;
  SIM_FOR_LANES(i, mask) {
    uint32_t thread = (uint32_t)sim_warp_index(exec) * SIM_LANES + i;
    uint8_t *params = exec->lane_params + (uint64_t)thread * exec->program->lane_param_bytes;
    Caller caller = {exec, call, i, thread, params, state};
    uint64_t result = functions[call->runtime].call(&caller);
    memcpy(params + call->results[0].at, &result, LS_MIN(call->results[0].bytes, sizeof result));
  }
}
