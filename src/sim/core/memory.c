// memory.c: where everything lies.
//
//   below   memory that the caller laid out itself (SimOptions.memory), read and written in place
//   0x7b..  parameter window (generic addresses of the entry's parameters)
//   0x7c..  constants           each variable an allocation
//   0x7d..  local window        generic address = window + offset in the thread's local memory
//   0x7e..  shared window       generic address = window + offset in the block's shared memory
//   0x7f..  global: the buffers of the launch, then variables; each 256-byte aligned with a wide gap behind it, so
//           that a wrong index lands in no allocation
//   0x7fc.  textures and surfaces of the launch
#include "sim/internal.h"

enum { GAP = 1 << 20, MOST_PARAM = 32 << 10, CACHE_LINE = 64 };

static uint64_t align_up(uint64_t at, uint64_t align) {
  if (align < 1) align = 1;
  return (at + align - 1) / align * align;
}

// ---- allocations ---------------------------------------------------------------------------------------------------

SimAlloc *sim_alloc_at(const Sim *sim, uint64_t addr) {
  int low = 0, high = sim->alloc_count;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sim->allocs[middle].base <= addr) low = middle + 1; else high = middle;
  }
  if (low == 0) return NULL;
  SimAlloc *alloc = &sim->allocs[low - 1];
  return addr - alloc->base < alloc->size ? alloc : NULL;
}

static int add_alloc(Sim *sim, uint64_t *at, uint64_t size, int arg, int var, bool is_const) {
  SimAlloc *a = &sim->allocs[sim->alloc_count];
  *a = (SimAlloc){.base = *at, .size = size, .arg = arg, .var = var, .is_const = is_const};
  if (!sim->is_plan) {   // a row of 128 bytes lies in two cache lines, not three: up to 1.7 times as fast
    a->taken = ls_alloc(size + 16 + CACHE_LINE);
    a->bytes = a->taken + (CACHE_LINE - (uintptr_t)a->taken % CACHE_LINE) % CACHE_LINE;
  }
  *at = align_up(*at + size + GAP, GAP);
  return sim->alloc_count++;
}

static void bind_variable(Sim *sim, const char *name, uint64_t address) {
  for (int v = 0; v < sim->module->var_count; v++) {
    const PtxVar *var = &sim->module->vars[v];
    if (sim_is_image_var(var) && var->func < 0 && strcmp(var->name, name) == 0) sim->var_addr[v] = address;
  }
}

// Memory of the caller's own, which has no name and no limit. `allocs` is in the order of addresses.
static bool add_memory(Sim *sim, LsErr *err) {
  for (int i = 0; i < sim->options.memory_count; i++) {
    const SimMemory *m = &sim->options.memory[i];
    bool inside = m->address % SIM_PAGE == 0 && m->address <= SIM_PARAM_WINDOW - SIM_BELOW &&
                  m->size <= SIM_PARAM_WINDOW - SIM_BELOW - m->address;
    if (!inside || !m->bytes)
      return ls_fail(err, LS_EREQUEST, "memory of %llu bytes cannot be at 0x%llx", (unsigned long long)m->size,
                     (unsigned long long)m->address);
    int at = sim->alloc_count++;
    for (; at > 0 && sim->allocs[at - 1].base > m->address; at--) sim->allocs[at] = sim->allocs[at - 1];
    sim->allocs[at] = (SimAlloc){.base = m->address, .size = m->size, .bytes = m->bytes, .arg = -1, .var = -1, .in_place = true,
                                 .image = m->image ? &m->image->image : NULL, .texels = m->image};
    if (m->variable) bind_variable(sim, m->variable, m->address);
    sim->is_touched = true;
    bool meets = (at > 0 && sim->allocs[at - 1].base + sim->allocs[at - 1].size > m->address) ||
                 (at + 1 < sim->alloc_count && m->address + m->size > sim->allocs[at + 1].base);
    if (meets) return ls_fail(err, LS_EREQUEST, "two pieces of memory overlap at 0x%llx", (unsigned long long)m->address);
  }
  return true;
}

static uint64_t global_limit(const Sim *sim) {
  if (sim->is_plan) return UINT64_MAX >> 1;
  return sim->options.max_global ? sim->options.max_global : 2ull << 30;
}

static uint64_t allocated_bytes(const Sim *sim) {
  uint64_t bytes = 0;
  for (int i = 0; i < sim->alloc_count; i++) bytes += sim->allocs[i].in_place ? 0 : sim->allocs[i].size;
  return bytes;
}

// Buffers in global memory, or images.
static bool add_buffers(Sim *sim, uint64_t *at, bool images, LsErr *err) {
  uint64_t limit = global_limit(sim), total = allocated_bytes(sim);
  for (int i = 0; i < sim->launch->arg_count; i++) {
    const LaunchArg *arg = &sim->launch->args[i];
    bool is_image = arg->image.kind != LAUNCH_NO_IMAGE;
    if (!arg->is_buffer || is_image != images) continue;
    uint64_t elem = (uint64_t)launch_type_size(arg->type);
    if (arg->count > limit / elem || (total += arg->count * elem) > limit)
      return ls_fail(err, LS_EREQUEST,
                     "the buffers of this launch need more than %llu MB, the limit for emulated global memory",
                     (unsigned long long)(limit >> 20));
    int index = add_alloc(sim, at, arg->count * elem, i, -1, false);
    sim->arg_alloc[i] = index;
    sim->allocs[index].image = is_image ? &arg->image : NULL;
    sim->allocs[index].texels = is_image ? arg : NULL;
    if (sim->arg_var[i] >= 0) sim->var_addr[sim->arg_var[i]] = sim->allocs[index].base;
    if (arg->init == LAUNCH_NONE && !sim->is_plan && (sim->options.checks & SIM_CHECK_INIT))
      sim->allocs[index].init = ls_alloc(arg->count * elem + 16);
  }
  return true;
}

bool sim_is_image_var(const PtxVar *var) { return var->type == PTX_TEXREF || var->type == PTX_SURFREF; }

static bool add_variables(Sim *sim, PtxSpace space, uint64_t *at, LsErr *err) {
  for (int v = 0; v < sim->module->var_count; v++) {
    const PtxVar *var = &sim->module->vars[v];
    if (var->space != space || sim_is_image_var(var) || var->type == PTX_SAMPLERREF) continue;
    if (var->size < 0 || (uint64_t)var->size > global_limit(sim) - allocated_bytes(sim))
      return ls_fail(err, LS_EREQUEST,
                     "the variable %s needs %lld MB; with all others, emulated global memory is limited to %llu MB",
                     var->source_name, (long long)(var->size >> 20), (unsigned long long)(global_limit(sim) >> 20));
    *at = align_up(*at, (uint64_t)LS_MAX(var->align, 256));
    sim->var_addr[v] = *at;
    sim->var_alloc[v] = add_alloc(sim, at, (uint64_t)var->size, -1, v, space == PTX_CONST);
  }
  return true;
}

// What the driver gives to a cooperative launch, and its address in %envreg1 and %envreg2.
static void add_workspace(Sim *sim, uint64_t *at) {
  if (!sim->cooperative) return;
  sim->workspace = *at;
  add_alloc(sim, at, SIM_WORKSPACE_BYTES, -1, -1, false);
}

// ---- shared, local and parameters ----------------------------------------------------------------------------------

// A variable counts if its function can run, or if it belongs to the module.
static bool is_used(const Sim *sim, const PtxVar *var) { return var->func < 0 || sim->funcs[var->func].reached; }

static bool lay_shared(Sim *sim, LsErr *err) {
  uint64_t at = 0, limit = sim->options.max_shared ? sim->options.max_shared : 227 * 1024, align = 16;
  for (int v = 0; v < sim->module->var_count; v++) {
    const PtxVar *var = &sim->module->vars[v];
    if (var->space != PTX_SHARED || !is_used(sim, var)) continue;
    if (var->size <= 0) { align = LS_MAX(align, (uint64_t)var->align); continue; }
    at = align_up(at, (uint64_t)var->align);
    sim->var_addr[v] = at;
    at += (uint64_t)var->size;
    if (at > limit) break;
  }
  sim->static_shared = at;
  if (sim->launch->shared_bytes) at = align_up(at, align);
  for (int v = 0; v < sim->module->var_count; v++)
    if (sim->module->vars[v].space == PTX_SHARED && sim->module->vars[v].size <= 0)
      sim->var_addr[v] = align_up(sim->static_shared, align);
  if (at > limit || sim->launch->shared_bytes > limit - at)
    return ls_fail(err, LS_EREQUEST,
                   "a block needs %llu bytes of shared memory (%llu in the kernel, %llu dynamic); the limit is %llu",
                   (unsigned long long)(at + sim->launch->shared_bytes), (unsigned long long)sim->static_shared,
                   (unsigned long long)sim->launch->shared_bytes, (unsigned long long)limit);
  sim->shared_bytes = at + sim->launch->shared_bytes;
  return true;
}

static bool lay_local(Sim *sim, LsErr *err) {
  uint64_t at = 0;
  for (int f = 0; f < sim->module->func_count; f++) {
    SimFunc *func = &sim->funcs[f];
    if (!func->reached) continue;
    uint64_t frame = 0, *end = func->recursive ? &frame : &at;
    if (!func->recursive) at = align_up(at, 16);
    for (int v = 0; v < sim->module->var_count; v++) {
      const PtxVar *var = &sim->module->vars[v];
      if (var->space != PTX_LOCAL || (var->func != f && !(var->func < 0 && f == sim->entry))) continue;
      *end = align_up(*end, (uint64_t)var->align);
      sim->var_addr[v] = *end;
      *end += (uint64_t)LS_MAX(var->size, 0);
      if (*end > 512 * 1024)
        return ls_fail(err, LS_EREQUEST, "the kernel needs more than 512 KB of local memory per thread");
    }
    func->frame_bytes = (uint32_t)align_up(frame, 16);
  }
  sim->stack_first = align_up(at, 16);
  sim->local_bytes = sim->has_recursion ? sim->stack_first + SIM_STACK_BYTES : at;
  return true;
}

// .param variables of functions and of calls get a place of their own in every lane's storage.
static bool lay_lane_params(Sim *sim, LsErr *err) {
  uint64_t at = 0;
  for (int v = 0; v < sim->module->var_count; v++)
    if (sim->module->vars[v].space == PTX_PARAM && sim->module->vars[v].size > MOST_PARAM)
      return ls_fail(err, LS_EREQUEST, "the parameter %s is too large", sim->module->vars[v].name);
  for (int f = 0; f < sim->module->func_count; f++) {
    SimFunc *func = &sim->funcs[f];
    if (!func->reached) continue;
    func->param_first = (uint32_t)(at = align_up(at, 16));
    for (int v = 0; v < sim->module->var_count; v++) {
      const PtxVar *var = &sim->module->vars[v];
      if (var->space != PTX_PARAM || var->func != f || f == sim->entry) continue;
      at = align_up(at, (uint64_t)LS_MAX(var->align, 8));
      sim->var_addr[v] = at;
      at += (uint64_t)LS_MAX(var->size, 0);
    }
    func->param_bytes = (uint32_t)(at - func->param_first);
  }
  for (int v = 0; v < sim->module->var_count; v++) {  // those of calls inside the entry
    const PtxVar *var = &sim->module->vars[v];
    if (var->space != PTX_PARAM || var->func != sim->entry) continue;
    sim->var_addr[v] = at = align_up(at, (uint64_t)LS_MAX(var->align, 8));
    at += (uint64_t)LS_MAX(var->size, 0);
  }
  const PtxFunc *entry = &sim->module->funcs[sim->entry];
  for (int i = 0; i < entry->param_count; i++)
    if (entry->params[i].var >= 0) sim->var_addr[entry->params[i].var] = (uint64_t)entry->params[i].offset;
  sim->param_bytes = (uint64_t)entry->param_bytes;
  sim->lane_param_bytes = align_up(at, 16);
  return sim->lane_param_bytes <= 1 << 20 ||
         ls_fail(err, LS_EREQUEST, "the kernel's calls have too many parameters to emulate");
}

// ---- contents ------------------------------------------------------------------------------------------------------

uint64_t sim_var_generic(const Sim *sim, int var) {
  uint64_t addr = sim->var_addr[var];
  switch (sim->module->vars[var].space) {
  case PTX_SHARED: return addr + SIM_SHARED_WINDOW;
  case PTX_LOCAL: return addr + SIM_LOCAL_WINDOW;
  case PTX_PARAM: return addr + SIM_PARAM_WINDOW;
  default: return addr;
  }
}

static void fill_variable(Sim *sim, SimAlloc *a) {
  const PtxVar *var = &sim->module->vars[a->var];
  if (var->init) memcpy(a->bytes, var->init, (size_t)var->size); else memset(a->bytes, 0, a->size);
  for (int i = 0; i < var->reloc_count; i++) {
    const PtxReloc *r = &var->relocs[i];
    if (r->at < 0 || r->at + 8 > var->size) continue;
    uint64_t value = (uint64_t)r->addend;
    if (r->func >= 0) value += (uint64_t)r->func + 1;
    else if (r->var >= 0) value += r->generic ? sim_var_generic(sim, r->var) : sim->var_addr[r->var];
    memcpy(a->bytes + r->at, &value, sizeof value);
  }
}

void sim_memory_reset(Sim *sim) {
  for (int i = 0; i < sim->alloc_count; i++) {
    SimAlloc *a = &sim->allocs[i];
    if (a->var >= 0) fill_variable(sim, a);
    else if (a->in_place) continue;
    else if (a->arg < 0 || !launch_fill(&sim->launch->args[a->arg], a->bytes)) memset(a->bytes, 0, a->size);
    if (a->init) memset(a->init, 0, a->size);
    sim_watch_forget(sim, a);
  }
}

bool sim_block_memory_new(Sim *sim, LsErr *err) {
  uint64_t threads = (uint64_t)sim->warp_count * SIM_LANES;
  if (threads * sim->local_bytes > 1ull << 30)
    return ls_fail(err, LS_EREQUEST, "a block needs more than 1 GB of local memory");
  uint64_t room = align_up(sim->shared_bytes + 16, CACHE_LINE);
  sim->shared = aligned_alloc(CACHE_LINE, room);
  if (!sim->shared) return ls_fail(err, LS_EENV, "there is no memory for %llu bytes of shared memory", (unsigned long long)room);
  memset(sim->shared, 0, room);
  sim->shared_init = ls_alloc(sim->shared_bytes + 16);
  sim->local = ls_alloc(threads * sim->local_bytes + 16);
  sim->local_init = ls_alloc(threads * sim->local_bytes + 16);
  sim->lane_params = ls_alloc(threads * sim->lane_param_bytes + 16);
  return true;
}

bool sim_memory_new(Sim *sim, LsErr *err) {
  int vars = sim->module->var_count, args = sim->launch->arg_count;
  sim->arg_alloc = LS_NEW_ARRAY(sim->arena, int, args + 1);
  sim->var_alloc = LS_NEW_ARRAY(sim->arena, int, vars + 1);
  sim->var_addr = LS_NEW_ARRAY(sim->arena, uint64_t, vars + 1);
  for (int i = 0; i < args; i++) sim->arg_alloc[i] = -1;
  for (int i = 0; i < vars; i++) sim->var_alloc[i] = -1;
  sim->allocs = LS_NEW_ARRAY(sim->arena, SimAlloc, args + vars + LS_MAX(sim->options.memory_count, 0) + 2);
  uint64_t at = SIM_CONST_BASE + sim->options.global_offset;
  if (!add_memory(sim, err)) return false;
  if (!add_variables(sim, PTX_CONST, &at, err)) return false;
  at = SIM_GLOBAL_BASE + sim->options.global_offset;
  if (!add_buffers(sim, &at, false, err) || !add_variables(sim, PTX_GLOBAL, &at, err)) return false;
  add_workspace(sim, &at);
  at = SIM_IMAGE_BASE;
  if (!add_buffers(sim, &at, true, err)) return false;
  if (!lay_shared(sim, err) || !lay_local(sim, err)) return false;
  if (!lay_lane_params(sim, err)) return false;
  if (sim->is_plan) return true;
  if (!sim_block_memory_new(sim, err)) return false;
  sim_memory_reset(sim);
  return true;
}

void sim_memory_free(Sim *sim) {
  for (int i = 0; i < sim->alloc_count; i++) {
    free(sim->allocs[i].taken);
    free(sim->allocs[i].init);
    sim_watch_forget(sim, &sim->allocs[i]);
    free(sim->allocs[i].dirty);
  }
  free(sim->splits);
  sim_block_memory_free(sim);
}

void sim_block_memory_free(Sim *sim) {
  free(sim->shared);
  free(sim->shared_init);
  free(sim->local);
  free(sim->local_init);
  free(sim->lane_params);
}

TraceSpace sim_classify(const Sim *sim, uint64_t generic, uint64_t *addr) {
  (void)sim;
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
static const char *plain_name(Sim *sim, const char *name) {
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
  return ls_arena_strndup(sim->arena, rest, (size_t)length);
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
static LaunchType type_in_use(const Sim *sim, const PtxVar *var) {
  int type = 0;
  if (var->type != PTX_B8 && var->type != PTX_U8) return shown_type(var->type);
  for (int pc = 0; pc < sim->module->code_count; pc++) {
    const PtxInstr *in = &sim->module->code[pc];
    bool accesses = in->op == PTX_OP_ld || in->op == PTX_OP_st || in->op == PTX_OP_atom || in->op == PTX_OP_red;
    if (!accesses || in->space != var->space || !sim->funcs[in->func].reached || in->type == type) continue;
    if (type) return shown_type(var->type);
    type = in->type;
  }
  return shown_type(type ? type : var->type);
}

static void add_object(Sim *sim, TraceObject object) {
  int capacity = sim->object_capacity;
  LS_PUSH(sim->objects, sim->object_count, capacity, object);
  sim->object_capacity = capacity;
}

static const char *arg_name(Sim *sim, int arg) {
  const char *name = sim->launch->args[arg].name;
  int param = sim->arg_param[arg];
  if (!name && param >= 0) name = sim->param_names[param];
  return name ? name : ls_arena_format(sim->arena, "argument %d", arg + 1);
}

static void add_workspace_object(Sim *sim, const SimAlloc *a) {
  add_object(sim, (TraceObject){(char *)(uintptr_t)TRACE_GRID_BARRIER, TRACE_GLOBAL, LAUNCH_U32, a->base, a->size, -1});
}

// Objects in the order in which addresses of their space go up, names in the arena.
void sim_objects_new(Sim *sim) {
  for (int i = 0; i < sim->alloc_count; i++) {
    SimAlloc *a = &sim->allocs[i];
    if (a->in_place) continue;
    if (a->arg < 0 && a->var < 0) { add_workspace_object(sim, a); continue; }
    const char *name = a->arg >= 0 ? arg_name(sim, a->arg) : plain_name(sim, sim->module->vars[a->var].name);
    LaunchType type = a->arg >= 0 ? sim->launch->args[a->arg].type : type_in_use(sim, &sim->module->vars[a->var]);
    TraceSpace space = a->image ? TRACE_TEXTURE : a->is_const ? TRACE_CONST : TRACE_GLOBAL;
    add_object(sim, (TraceObject){(char *)(uintptr_t)name, (uint8_t)space, (uint8_t)type, a->base, a->size, a->arg});
  }
  for (int v = 0; v < sim->module->var_count; v++) {
    const PtxVar *var = &sim->module->vars[v];
    if ((var->space != PTX_SHARED && var->space != PTX_LOCAL) || !is_used(sim, var)) continue;
    uint64_t size =
        var->size > 0 ? (uint64_t)var->size : sim->shared_bytes - LS_MIN(sim->shared_bytes, sim->var_addr[v]);
    add_object(sim, (TraceObject){(char *)(uintptr_t)plain_name(sim, var->name),
                                  var->space == PTX_SHARED ? TRACE_SHARED : TRACE_LOCAL, (uint8_t)type_in_use(sim, var),
                                  sim->var_addr[v], size, -1});
  }
}

void sim_describe_objects(const Sim *sim, TraceInfo *info) {
  info->objects = ls_alloc(sizeof *info->objects * (size_t)(sim->object_count + 1));
  info->object_count = sim->object_count;
  for (int i = 0; i < sim->object_count; i++) {
    info->objects[i] = sim->objects[i];
    info->objects[i].name = ls_strdup(sim->objects[i].name);
  }
}
