// memory.c: where everything lies in global memory, and what is in it.
//
//   below   memory that the caller laid out itself (SimOptions.mappings), read and written in place
//   0x7b..  parameter window (generic addresses of the entry's parameters)
//   0x7c..  constants           each variable an allocation
//   0x7d..  local window        generic address = window + offset in the thread's local memory
//   0x7e..  shared window       generic address = window + offset in the block's shared memory
//   0x7f..  global: the buffers of the launch, then variables; each 256-byte aligned with a wide gap behind it, so
//           that a wrong index lands in no allocation
//   0x7fa.  the device heap, and what is known of its pieces
//   0x7fb.  what the device runtime keeps for a kernel that launches others
//   0x7fc.  textures and surfaces of the launch
#include "sim/core/memory.h"
#include <stdlib.h>
#include <string.h>
#include "sim/core/heap.h"
#include "sim/core/launches.h"
#include "sim/core/regs.h"

// LARGE: pages of it are made when somebody comes to them, others before. APART: starts of buffers in their pages.
enum { APART = 17 * 256, GAP = 1 << 20, LARGE = 64 << 20 };

// ---- allocations ---------------------------------------------------------------------------------------------------

SimAlloc *sim_alloc_at(const SimMemory *memory, uint64_t addr) {
  int low = 0, high = memory->alloc_count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (memory->allocs[middle].base <= addr) low = middle + 1; else high = middle;
  }
  if (low == 0) return NULL;
  SimAlloc *alloc = &memory->allocs[low - 1];
  return addr - alloc->base < alloc->size ? alloc : NULL;
}

// A row of 128 bytes lies in two cache lines, not three: up to 1.7 times as fast. What is large lies in large pages
// from its start, and not where other buffers lie in theirs, which would have them share lines of caches.
static void place_bytes(SimAlloc *a, int number) {
  uint64_t page = a->size < LS_LARGE_PAGE ? SIM_CACHE_LINE : LS_LARGE_PAGE;
  uint64_t apart = a->size < LS_LARGE_PAGE ? 0 : (uint64_t)(number % 16) * APART;
  a->taken = ls_alloc(a->size + 16 + page + apart);
  a->bytes = a->taken + (page - (uintptr_t)a->taken % page) % page + apart;
}

static int add_alloc(SimProgram *program, SimMemory *memory, uint64_t *at, uint64_t size, int arg, int var,
                     bool is_const) {
  SimAlloc *a = &memory->allocs[memory->alloc_count];
  *a = (SimAlloc){.base = *at, .size = size, .arg = arg, .var = var, .is_const = is_const};
  if (!program->is_layout) place_bytes(a, memory->alloc_count);
  *at = ls_align_up(*at + size + GAP, GAP);
  return memory->alloc_count++;
}

static void bind_variable(SimProgram *program, const char *name, uint64_t address) {
  for (int v = 0; v < program->module->var_count; v++) {
    const PtxVar *var = &program->module->vars[v];
    if (sim_is_image_var(var) && var->func < 0 && strcmp(var->name, name) == 0) program->var_addr[v] = address;
  }
}

// Memory of the caller's own, which has no name and no limit. `allocs` is in the order of addresses.
static bool add_memory(SimProgram *program, SimMemory *memory, LsErr *err) {
  for (int i = 0; i < program->options.mapping_count; i++) {
    const SimMapping *m = &program->options.mappings[i];
    bool inside = m->address % SIM_PAGE == 0 && m->address <= SIM_PARAM_WINDOW - SIM_BELOW &&
                  m->size <= SIM_PARAM_WINDOW - SIM_BELOW - m->address;
    if (!inside || !m->bytes)
      return ls_fail(err, LS_EREQUEST, "memory of %llu bytes cannot be at 0x%llx", (unsigned long long)m->size,
                     (unsigned long long)m->address);
    int at = memory->alloc_count++;
    for (; at > 0 && memory->allocs[at - 1].base > m->address; at--) memory->allocs[at] = memory->allocs[at - 1];
    memory->allocs[at] = (SimAlloc){.base = m->address,
                                    .size = m->size,
                                    .bytes = m->bytes,
                                    .arg = -1,
                                    .var = -1,
                                    .in_place = true,
                                    .image = m->image ? &m->image->image : NULL,
                                    .texels = m->image};
    if (m->variable) bind_variable(program, m->variable, m->address);
    memory->is_touched = true;
    bool meets = (at > 0 && memory->allocs[at - 1].base + memory->allocs[at - 1].size > m->address) ||
                 (at + 1 < memory->alloc_count && m->address + m->size > memory->allocs[at + 1].base);
    if (meets) return ls_fail(err, LS_EREQUEST, "two pieces of memory overlap at 0x%llx",
                              (unsigned long long)m->address);
  }
  return true;
}

static uint64_t global_limit(const SimProgram *program) {
  if (program->is_layout) return UINT64_MAX >> 1;
  return program->options.max_global ? program->options.max_global : 2ull << 30;
}

static uint64_t allocated_bytes(const SimMemory *memory) {
  uint64_t bytes = 0;
  for (int i = 0; i < memory->alloc_count; i++) bytes += memory->allocs[i].in_place ? 0 : memory->allocs[i].size;
  return bytes;
}

// Buffers in global memory, or images.
static bool add_buffers(SimProgram *program, SimMemory *memory, uint64_t *at, bool images, LsErr *err) {
  uint64_t limit = global_limit(program), total = allocated_bytes(memory);
  for (int i = 0; i < program->launch->arg_count; i++) {
    const LaunchArg *arg = &program->launch->args[i];
    bool is_image = arg->image.kind != LAUNCH_NO_IMAGE;
    if (!arg->is_buffer || is_image != images || arg->role == LAUNCH_VARIABLE) continue;
    uint64_t elem = (uint64_t)launch_type_size(arg->type);
    if (arg->count > limit / elem || (total += arg->count * elem) > limit)
      return ls_fail(err, LS_EREQUEST,
                     "the buffers of this launch need more than %llu MB, the limit for emulated global memory",
                     (unsigned long long)(limit >> 20));
    int index = add_alloc(program, memory, at, arg->count * elem, i, -1, false);
    memory->arg_alloc[i] = index;
    memory->allocs[index].image = is_image ? &arg->image : NULL;
    memory->allocs[index].texels = is_image ? arg : NULL;
    if (program->arg_var[i] >= 0) program->var_addr[program->arg_var[i]] = memory->allocs[index].base;
    bool partly = arg->init == LAUNCH_NONE || arg->written;
    if (partly && !program->is_layout && (program->options.checks & SIM_CHECK_INIT))
      memory->allocs[index].init = ls_alloc(arg->count * elem + 16);
  }
  return true;
}

// The argument with the contents of a variable, -1.
static int contents_of(const SimProgram *program, int var) {
  for (int i = 0; i < program->launch->arg_count; i++)
    if (program->launch->args[i].role == LAUNCH_VARIABLE && program->arg_var[i] == var) return i;
  return -1;
}

static bool add_variables(SimProgram *program, SimMemory *memory, PtxSpace space, uint64_t *at, LsErr *err) {
  uint64_t limit = global_limit(program), total = allocated_bytes(memory);
  for (int v = 0; v < program->module->var_count; v++) {
    const PtxVar *var = &program->module->vars[v];
    if (var->space != space || sim_is_image_var(var) || var->type == PTX_SAMPLERREF) continue;
    if (var->size < 0 || (uint64_t)var->size > limit - total)
      return ls_fail(err, LS_EREQUEST,
                     "the variable %s needs %lld MB; with all others, emulated global memory is limited to %llu MB",
                     var->source_name, (long long)(var->size >> 20), (unsigned long long)(limit >> 20));
    total += (uint64_t)var->size;
    *at = ls_align_up(*at, (uint64_t)LS_MAX(var->align, 256));
    program->var_addr[v] = *at;
    memory->var_alloc[v] = add_alloc(program, memory, at, (uint64_t)var->size, -1, v, space == PTX_CONST);
    int given = contents_of(program, v);
    if (given >= 0) memory->arg_alloc[given] = memory->var_alloc[v];
  }
  return true;
}

// What the driver gives to a cooperative launch, and its address in %envreg1 and %envreg2.
static void add_workspace(SimProgram *program, SimMemory *memory, uint64_t *at) {
  if (!program->cooperative) return;
  program->workspace = *at;
  add_alloc(program, memory, at, SIM_WORKSPACE_BYTES, -1, -1, false);
}

// What malloc() in the kernel takes from.
static bool add_heap(SimProgram *program, SimMemory *memory, LsErr *err) {
  uint64_t size = program->options.heap_bytes ? program->options.heap_bytes : SIM_HEAP_BYTES, at = SIM_HEAP_BASE;
  const Launch *launch = program->launch;
  bool calls = sim_calls_heap(program);
  uint64_t kept = sim_heap_kept_size(launch->heap, launch->heap_bytes, calls);
  if (!calls && !kept) return true;
  size = ls_align_up(kept ? kept : size, SIM_PAGE);
  if (size > global_limit(program) - LS_MIN(allocated_bytes(memory), global_limit(program)))
    return ls_fail(err, LS_EREQUEST, "a device heap of %llu MB is more than emulated global memory has left",
                   (unsigned long long)(size >> 20));
  int heap = add_alloc(program, memory, &at, size, -1, -1, false);
  memory->heap = &memory->allocs[heap];
  memory->heap_size = size;
  if (program->is_layout) return true;
  if (program->options.checks & SIM_CHECK_INIT) memory->heap->init = ls_alloc(size + 16);
  memory->heap_records = &memory->allocs[add_alloc(program, memory, &at, sim_heap_record_bytes(size), -1, -1, false)];
  memory->heap_records->hidden = true;
  return true;
}

// What launches of kernels by this one need.
static void add_launches(SimProgram *program, SimMemory *memory) {
  uint64_t at = SIM_LAUNCH_BASE;
  if (program->is_layout || !sim_launches_kernels(program)) return;
  int params =
      add_alloc(program, memory, &at, sim_launch_param_bytes(program) * sim_launch_capacity(program), -1, -1, false);
  memory->launch_params = &memory->allocs[params];
  memory->texts = &memory->allocs[add_alloc(program, memory, &at, SIM_TEXT_BYTES, -1, -1, false)];
  memory->launches = &memory->allocs[add_alloc(program, memory, &at, sim_launch_state_bytes(program), -1, -1, false)];
  memory->launches->hidden = true;
}

// ---- contents ------------------------------------------------------------------------------------------------------

// What the launch gives a variable, over what the module does; and the buffers that it points at.
static void fill_given(const SimProgram *program, const SimMemory *memory, SimAlloc *a) {
  const Launch *launch = program->launch;
  int given = contents_of(program, a->var);
  if (given < 0) return;
  launch_fill(&launch->args[given], a->bytes);
  for (int i = 0; i < launch->arg_count; i++) {
    const LaunchArg *arg = &launch->args[i];
    if (arg->role != LAUNCH_POINTEE || arg->owner != given || arg->offset + 8 > a->size) continue;
    memcpy(a->bytes + arg->offset, &memory->allocs[memory->arg_alloc[i]].base, 8);
  }
}

static void fill_variable(const SimProgram *program, SimAlloc *a) {
  const PtxVar *var = &program->module->vars[a->var];
  if (var->init) memcpy(a->bytes, var->init, (size_t)var->size); else memset(a->bytes, 0, a->size);
  for (int i = 0; i < var->reloc_count; i++) {
    const PtxReloc *r = &var->relocs[i];
    if (r->at < 0 || r->at + 8 > var->size) continue;
    uint64_t value = (uint64_t)r->addend;
    if (r->func >= 0) value += (uint64_t)r->func + 1;
    else if (r->var >= 0) value += r->generic ? sim_var_generic(program, r->var) : program->var_addr[r->var];
    memcpy(a->bytes + r->at, &value, sizeof value);
  }
}

// What the launch has for a buffer. is_zero: its bytes are, as the system gave them, and pages that nobody touches cost
// nothing.
static void fill_buffer(const SimProgram *program, SimAlloc *a, bool is_zero) {
  const LaunchArg *arg = a->arg >= 0 ? &program->launch->args[a->arg] : NULL;
  bool stays_zero = !arg || arg->init == LAUNCH_NONE || arg->init == LAUNCH_ZERO;
  if (!stays_zero) launch_fill(arg, a->bytes);
  else if (!is_zero || a->size <= LARGE) memset(a->bytes, 0, a->size);
}

static void fill(const SimProgram *program, SimMemory *memory, bool is_zero) {
  for (int i = 0; i < memory->alloc_count; i++) {
    SimAlloc *a = &memory->allocs[i];
    if (a->var >= 0) {
      fill_variable(program, a);
      fill_given(program, memory, a);
    } else if (a->in_place) continue;
    else if (a == memory->texts && program->texts) program->texts(a->bytes, a->size);
    else fill_buffer(program, a, is_zero);
    const uint8_t *written = a->arg >= 0 ? program->launch->args[a->arg].written : NULL;
    if (a->init && written) memcpy(a->init, written, a->size);
    else if (a->init && (!is_zero || a->size <= LARGE)) memset(a->init, 0, a->size);
  }
  sim_heap_restore(memory, program->launch->heap, program->launch->heap_bytes);
}

void sim_memory_reset(const SimProgram *program, SimMemory *memory) {
  if (!atomic_load_explicit(&memory->is_new, memory_order_relaxed)) fill(program, memory, false);
}

bool sim_memory_new(SimProgram *program, SimMemory *memory, LsErr *err) {
  int vars = program->module->var_count, args = program->launch->arg_count;
  memory->arg_alloc = LS_NEW_ARRAY(program->arena, int, args + 1);
  memory->var_alloc = LS_NEW_ARRAY(program->arena, int, vars + 1);
  program->var_addr = LS_NEW_ARRAY(program->arena, uint64_t, vars + 1);
  for (int i = 0; i < args; i++) memory->arg_alloc[i] = -1;
  for (int i = 0; i < vars; i++) memory->var_alloc[i] = -1;
  memory->allocs = LS_NEW_ARRAY(program->arena, SimAlloc, args + vars + LS_MAX(program->options.mapping_count, 0) + 7);
  uint64_t at = SIM_CONST_BASE + program->options.global_offset;
  if (!add_memory(program, memory, err)) return false;
  if (!add_variables(program, memory, PTX_CONST, &at, err)) return false;
  at = SIM_GLOBAL_BASE + program->options.global_offset;
  if (!add_buffers(program, memory, &at, false, err) || !add_variables(program, memory, PTX_GLOBAL, &at, err))
    return false;
  add_workspace(program, memory, &at);
  if (!add_heap(program, memory, err)) return false;
  add_launches(program, memory);
  at = SIM_IMAGE_BASE;
  if (!add_buffers(program, memory, &at, true, err)) return false;
  for (int i = 0; i < memory->alloc_count; i++) memory->allocs[i].number = i;
  if (!sim_spaces_new(program, err)) return false;
  if (program->is_layout) return true;
  if ((uint64_t)program->warp_count * SIM_LANES * program->local_bytes > 1ull << 30)
    return ls_fail(err, LS_EREQUEST, "a block needs more than 1 GB of local memory");
  fill(program, memory, true);
  atomic_store_explicit(&memory->is_new, true, memory_order_relaxed);
  return true;
}

void sim_memory_free(SimMemory *memory) {
  for (int i = 0; i < memory->alloc_count; i++) {
    free(memory->allocs[i].taken);
    free(memory->allocs[i].init);
    free(memory->allocs[i].dirty);
  }
}

TraceSpace sim_classify(uint64_t generic, uint64_t *addr) {
  // An address just below a window is one of its space, too: an index that is too small.
  uint64_t near = generic + SIM_BELOW, window = near & ~(SIM_WINDOW_BYTES - 1);
  *addr = (uint32_t)generic;
  if (window == SIM_SHARED_WINDOW) return TRACE_SHARED;
  if (window == SIM_LOCAL_WINDOW) return TRACE_LOCAL;
  if (window == SIM_PARAM_WINDOW) return TRACE_PARAM;
  *addr = generic;
  return generic >= SIM_CONST_BASE && generic < SIM_LOCAL_WINDOW ? TRACE_CONST : TRACE_GLOBAL;
}
