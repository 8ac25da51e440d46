// memory.c: where everything lies.
//
//   below   memory that the caller laid out itself (SimOptions.mappings), read and written in place
//   0x7b..  parameter window (generic addresses of the entry's parameters)
//   0x7c..  constants           each variable an allocation
//   0x7d..  local window        generic address = window + offset in the thread's local memory
//   0x7e..  shared window       generic address = window + offset in the block's shared memory
//   0x7f..  global: the buffers of the launch, then variables; each 256-byte aligned with a wide gap behind it, so
//           that a wrong index lands in no allocation
//   0x7fc.  textures and surfaces of the launch
#include "sim/internal.h"

enum { GAP = 1 << 20, MOST_PARAM = 32 << 10, CACHE_LINE = 64 };

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

static int add_alloc(SimProgram *program, SimMemory *memory, uint64_t *at, uint64_t size, int arg, int var,
                     bool is_const) {
  SimAlloc *a = &memory->allocs[memory->alloc_count];
  *a = (SimAlloc){.base = *at, .size = size, .arg = arg, .var = var, .is_const = is_const};
  if (!program->is_plan) {   // a row of 128 bytes lies in two cache lines, not three: up to 1.7 times as fast
    a->taken = ls_alloc(size + 16 + CACHE_LINE);
    a->bytes = a->taken + (CACHE_LINE - (uintptr_t)a->taken % CACHE_LINE) % CACHE_LINE;
  }
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
    if (meets) return ls_fail(err, LS_EREQUEST, "two pieces of memory overlap at 0x%llx", (unsigned long long)m->address);
  }
  return true;
}

static uint64_t global_limit(const SimProgram *program) {
  if (program->is_plan) return UINT64_MAX >> 1;
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
    if (!arg->is_buffer || is_image != images) continue;
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
    if (arg->init == LAUNCH_NONE && !program->is_plan && (program->options.checks & SIM_CHECK_INIT))
      memory->allocs[index].init = ls_alloc(arg->count * elem + 16);
  }
  return true;
}

bool sim_is_image_var(const PtxVar *var) { return var->type == PTX_TEXREF || var->type == PTX_SURFREF; }

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
  }
  return true;
}

// What the driver gives to a cooperative launch, and its address in %envreg1 and %envreg2.
static void add_workspace(SimProgram *program, SimMemory *memory, uint64_t *at) {
  if (!program->cooperative) return;
  program->workspace = *at;
  add_alloc(program, memory, at, SIM_WORKSPACE_BYTES, -1, -1, false);
}

// ---- shared, local and parameters ----------------------------------------------------------------------------------

// A variable counts if its function can run, or if it belongs to the module.
static bool is_used(const SimProgram *program, const PtxVar *var) {
  return var->func < 0 || program->funcs[var->func].reached;
}

static bool lay_shared(SimProgram *program, LsErr *err) {
  uint64_t at = 0, limit = program->options.max_shared ? program->options.max_shared : 227 * 1024, align = 16;
  for (int v = 0; v < program->module->var_count; v++) {
    const PtxVar *var = &program->module->vars[v];
    if (var->space != PTX_SHARED || !is_used(program, var)) continue;
    if (var->size <= 0) { align = LS_MAX(align, (uint64_t)var->align); continue; }
    at = ls_align_up(at, (uint64_t)var->align);
    program->var_addr[v] = at;
    at += (uint64_t)var->size;
    if (at > limit) break;
  }
  program->static_shared = at;
  if (program->launch->shared_bytes) at = ls_align_up(at, align);
  for (int v = 0; v < program->module->var_count; v++)
    if (program->module->vars[v].space == PTX_SHARED && program->module->vars[v].size <= 0)
      program->var_addr[v] = ls_align_up(program->static_shared, align);
  if (at > limit || program->launch->shared_bytes > limit - at)
    return ls_fail(err, LS_EREQUEST,
                   "a block needs %llu bytes of shared memory (%llu in the kernel, %llu dynamic); the limit is %llu",
                   (unsigned long long)(at + program->launch->shared_bytes), (unsigned long long)program->static_shared,
                   (unsigned long long)program->launch->shared_bytes, (unsigned long long)limit);
  program->shared_bytes = at + program->launch->shared_bytes;
  return true;
}

static bool lay_local(SimProgram *program, LsErr *err) {
  uint64_t at = 0;
  for (int f = 0; f < program->module->func_count; f++) {
    SimFunc *func = &program->funcs[f];
    if (!func->reached) continue;
    uint64_t frame = 0, *end = func->recursive ? &frame : &at;
    if (!func->recursive) at = ls_align_up(at, 16);
    for (int v = 0; v < program->module->var_count; v++) {
      const PtxVar *var = &program->module->vars[v];
      if (var->space != PTX_LOCAL || (var->func != f && !(var->func < 0 && f == program->entry))) continue;
      *end = ls_align_up(*end, (uint64_t)var->align);
      program->var_addr[v] = *end;
      *end += (uint64_t)LS_MAX(var->size, 0);
      if (*end > 512 * 1024)
        return ls_fail(err, LS_EREQUEST, "the kernel needs more than 512 KB of local memory per thread");
    }
    func->frame_bytes = (uint32_t)ls_align_up(frame, 16);
  }
  program->stack_first = ls_align_up(at, 16);
  program->local_bytes = program->has_recursion ? program->stack_first + SIM_STACK_BYTES : at;
  return true;
}

// .param variables of functions and of calls get a place of their own in every lane's storage.
static bool lay_lane_params(SimProgram *program, LsErr *err) {
  uint64_t at = 0;
  for (int v = 0; v < program->module->var_count; v++)
    if (program->module->vars[v].space == PTX_PARAM && program->module->vars[v].size > MOST_PARAM)
      return ls_fail(err, LS_EREQUEST, "the parameter %s is too large", program->module->vars[v].name);
  for (int f = 0; f < program->module->func_count; f++) {
    SimFunc *func = &program->funcs[f];
    if (!func->reached) continue;
    func->param_first = (uint32_t)(at = ls_align_up(at, 16));
    for (int v = 0; v < program->module->var_count; v++) {
      const PtxVar *var = &program->module->vars[v];
      if (var->space != PTX_PARAM || var->func != f || f == program->entry) continue;
      at = ls_align_up(at, (uint64_t)LS_MAX(var->align, 8));
      program->var_addr[v] = at;
      at += (uint64_t)LS_MAX(var->size, 0);
    }
    func->param_bytes = (uint32_t)(at - func->param_first);
  }
  for (int v = 0; v < program->module->var_count; v++) {  // those of calls inside the entry
    const PtxVar *var = &program->module->vars[v];
    if (var->space != PTX_PARAM || var->func != program->entry) continue;
    program->var_addr[v] = at = ls_align_up(at, (uint64_t)LS_MAX(var->align, 8));
    at += (uint64_t)LS_MAX(var->size, 0);
  }
  const PtxFunc *entry = &program->module->funcs[program->entry];
  for (int i = 0; i < entry->param_count; i++)
    if (entry->params[i].var >= 0) program->var_addr[entry->params[i].var] = (uint64_t)entry->params[i].offset;
  program->param_bytes = (uint64_t)entry->param_bytes;
  program->lane_param_bytes = ls_align_up(at, 16);
  return program->lane_param_bytes <= 1 << 20 ||
         ls_fail(err, LS_EREQUEST, "the kernel's calls have too many parameters to emulate");
}

// ---- contents ------------------------------------------------------------------------------------------------------

uint64_t sim_var_generic(const SimProgram *program, int var) {
  uint64_t addr = program->var_addr[var];
  switch (program->module->vars[var].space) {
  case PTX_SHARED: return addr + SIM_SHARED_WINDOW;
  case PTX_LOCAL: return addr + SIM_LOCAL_WINDOW;
  case PTX_PARAM: return addr + SIM_PARAM_WINDOW;
  default: return addr;
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

void sim_memory_reset(const SimProgram *program, SimMemory *memory) {
  for (int i = 0; i < memory->alloc_count; i++) {
    SimAlloc *a = &memory->allocs[i];
    if (a->var >= 0) fill_variable(program, a);
    else if (a->in_place) continue;
    else if (a->arg < 0 || !launch_fill(&program->launch->args[a->arg], a->bytes)) memset(a->bytes, 0, a->size);
    if (a->init) memset(a->init, 0, a->size);
  }
}

bool sim_block_memory_new(SimExec *exec, LsErr *err) {
  uint64_t threads = (uint64_t)exec->warp_count * SIM_LANES;
  uint64_t room = ls_align_up(exec->program->shared_bytes + 16, CACHE_LINE);
  exec->shared = aligned_alloc(CACHE_LINE, room);
  if (!exec->shared)
    return ls_fail(err, LS_EENV, "there is no memory for %llu bytes of shared memory", (unsigned long long)room);
  memset(exec->shared, 0, room);
  exec->shared_init = ls_alloc(exec->program->shared_bytes + 16);
  exec->local = ls_alloc(threads * exec->program->local_bytes + 16);
  exec->local_init = ls_alloc(threads * exec->program->local_bytes + 16);
  exec->lane_params = ls_alloc(threads * exec->program->lane_param_bytes + 16);
  return true;
}

bool sim_memory_new(SimProgram *program, SimMemory *memory, LsErr *err) {
  int vars = program->module->var_count, args = program->launch->arg_count;
  memory->arg_alloc = LS_NEW_ARRAY(program->arena, int, args + 1);
  memory->var_alloc = LS_NEW_ARRAY(program->arena, int, vars + 1);
  program->var_addr = LS_NEW_ARRAY(program->arena, uint64_t, vars + 1);
  for (int i = 0; i < args; i++) memory->arg_alloc[i] = -1;
  for (int i = 0; i < vars; i++) memory->var_alloc[i] = -1;
  memory->allocs = LS_NEW_ARRAY(program->arena, SimAlloc, args + vars + LS_MAX(program->options.mapping_count, 0) + 2);
  uint64_t at = SIM_CONST_BASE + program->options.global_offset;
  if (!add_memory(program, memory, err)) return false;
  if (!add_variables(program, memory, PTX_CONST, &at, err)) return false;
  at = SIM_GLOBAL_BASE + program->options.global_offset;
  if (!add_buffers(program, memory, &at, false, err) || !add_variables(program, memory, PTX_GLOBAL, &at, err))
    return false;
  add_workspace(program, memory, &at);
  at = SIM_IMAGE_BASE;
  if (!add_buffers(program, memory, &at, true, err)) return false;
  for (int i = 0; i < memory->alloc_count; i++) memory->allocs[i].number = i;
  if (!lay_shared(program, err) || !lay_local(program, err)) return false;
  if (!lay_lane_params(program, err)) return false;
  if (program->is_plan) return true;
  if ((uint64_t)program->warp_count * SIM_LANES * program->local_bytes > 1ull << 30)
    return ls_fail(err, LS_EREQUEST, "a block needs more than 1 GB of local memory");
  sim_memory_reset(program, memory);
  return true;
}

void sim_memory_free(SimMemory *memory) {
  for (int i = 0; i < memory->alloc_count; i++) {
    free(memory->allocs[i].taken);
    free(memory->allocs[i].init);
    free(memory->allocs[i].dirty);
  }
}

void sim_block_memory_free(SimExec *exec) {
  free(exec->shared);
  free(exec->shared_init);
  free(exec->local);
  free(exec->local_init);
  free(exec->lane_params);
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

// ---- names ---------------------------------------------------------------------------------------------------------

// "_ZZ6reducePKfPfiE1s" is the s of a function: the length before it says how long it is.
static const char *plain_name(SimProgram *program, const char *name) {
  if (!name) return "?";
  if (strncmp(name, "__local_depot", 13) == 0) return "local memory";   // the compiler's name for what it keeps there
  if (strncmp(name, "_ZZ", 3) != 0) return name;
  const char *end = strrchr(name, 'E');
  while (end && end > name && !(end[1] >= '0' && end[1] <= '9')) {
    const char *at = end - 1;
    while (at > name && *at != 'E') at--;
    end = at > name ? at : NULL;
  }
  if (!end) return name;
  char *rest = NULL;
  long length = strtol(end + 1, &rest, 10);
  if (length <= 0 || (size_t)length > strlen(rest)) return name;
  return ls_arena_strndup(program->arena, rest, (size_t)length);
}

static LaunchType shown_type(int type) {
  static const uint8_t types[PTX_TYPE_COUNT] = {
      [PTX_B8] = LAUNCH_U8, [PTX_B16] = LAUNCH_U16, [PTX_B32] = LAUNCH_U32, [PTX_B64] = LAUNCH_U64,
      [PTX_U8] = LAUNCH_U8, [PTX_U16] = LAUNCH_U16, [PTX_U32] = LAUNCH_U32, [PTX_U64] = LAUNCH_U64,
      [PTX_S8] = LAUNCH_I8, [PTX_S16] = LAUNCH_I16, [PTX_S32] = LAUNCH_I32, [PTX_S64] = LAUNCH_I64,
      [PTX_F16] = LAUNCH_F16, [PTX_F32] = LAUNCH_F32, [PTX_F64] = LAUNCH_F64};
  return (LaunchType)types[type];
}

// Variables come as bytes. If all accesses of their space have one type, that is what they hold.
static LaunchType type_in_use(const SimProgram *program, const PtxVar *var) {
  int type = 0;
  if (var->type != PTX_B8 && var->type != PTX_U8) return shown_type(var->type);
  for (int pc = 0; pc < program->module->code_count; pc++) {
    const PtxInstr *in = &program->module->code[pc];
    bool accesses = in->op == PTX_OP_ld || in->op == PTX_OP_st || in->op == PTX_OP_atom || in->op == PTX_OP_red;
    if (!accesses || in->space != var->space || !program->funcs[in->func].reached || in->type == type) continue;
    if (type) return shown_type(var->type);
    type = in->type;
  }
  return shown_type(type ? type : var->type);
}

static void add_object(SimProgram *program, TraceObject object) {
  int capacity = program->object_capacity;
  LS_PUSH(program->objects, program->object_count, capacity, object);
  program->object_capacity = capacity;
}

static const char *arg_name(SimProgram *program, int arg) {
  const char *name = program->launch->args[arg].name;
  int param = program->arg_param[arg];
  if (!name && param >= 0) name = program->param_names[param];
  return name ? name : ls_arena_format(program->arena, "argument %d", arg + 1);
}

static void add_workspace_object(SimProgram *program, const SimAlloc *a) {
  add_object(program,
             (TraceObject){(char *)(uintptr_t)TRACE_GRID_BARRIER, TRACE_GLOBAL, LAUNCH_U32, a->base, a->size, -1});
}

// Objects in the order in which addresses of their space go up, names in the arena.
void sim_objects_new(SimProgram *program, const SimMemory *memory) {
  for (int i = 0; i < memory->alloc_count; i++) {
    SimAlloc *a = &memory->allocs[i];
    if (a->in_place) continue;
    if (a->arg < 0 && a->var < 0) { add_workspace_object(program, a); continue; }
    const char *name =
        a->arg >= 0 ? arg_name(program, a->arg) : plain_name(program, program->module->vars[a->var].name);
    LaunchType type =
        a->arg >= 0 ? program->launch->args[a->arg].type : type_in_use(program, &program->module->vars[a->var]);
    TraceSpace space = a->image ? TRACE_TEXTURE : a->is_const ? TRACE_CONST : TRACE_GLOBAL;
    add_object(program,
               (TraceObject){(char *)(uintptr_t)name, (uint8_t)space, (uint8_t)type, a->base, a->size, a->arg});
  }
  for (int v = 0; v < program->module->var_count; v++) {
    const PtxVar *var = &program->module->vars[v];
    if ((var->space != PTX_SHARED && var->space != PTX_LOCAL) || !is_used(program, var)) continue;
    uint64_t size = var->size > 0 ? (uint64_t)var->size
                                  : program->shared_bytes - LS_MIN(program->shared_bytes, program->var_addr[v]);
    add_object(program, (TraceObject){(char *)(uintptr_t)plain_name(program, var->name),
                                      var->space == PTX_SHARED ? TRACE_SHARED : TRACE_LOCAL,
                                      (uint8_t)type_in_use(program, var), program->var_addr[v], size, -1});
  }
}

void sim_describe_objects(const Sim *sim, TraceInfo *info) {
  info->objects = ls_alloc(sizeof *info->objects * (size_t)(sim->program.object_count + 1));
  info->object_count = sim->program.object_count;
  for (int i = 0; i < sim->program.object_count; i++) {
    info->objects[i] = sim->program.objects[i];
    info->objects[i].name = ls_strdup(sim->program.objects[i].name);
  }
}
