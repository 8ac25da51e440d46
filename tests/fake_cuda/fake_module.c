// fake_module.c: modules and launches: lanescope's PTX reader is the compiler, its emulator the GPU.
#include "fake_cuda.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "model/occ.h"

enum {
  SMALL_SHARED = 48 << 10, BLOCK_SHARED = 227 << 10, MOST_REGISTERS = 255, REGISTERS = 65536, MOST_THREADS = 1024, MOST_THREADS_Z = 64,
  SMS = 132,
};

static FakeModule **modules;
static int module_count, module_capacity;
static uint64_t modules_loaded, grids;
static LsText printed;   // by kernels, until somebody waits for them
static LsText asserted;  // the same, for standard error

// ---- variables -----------------------------------------------------------------------------------------------------

FakeBytes *fake_variable_at(DriverAddress address, size_t size) {
  for (int m = 0; m < module_count; m++)
    for (int v = 0; v < modules[m]->ptx->var_count; v++) {
      FakeBytes *variable = &modules[m]->variables[v];
      if (variable->bytes && address >= variable->address && address + size <= variable->address + variable->size) return variable;
    }
  return NULL;
}

// The emulator says where variables lie and what they begin with: that depends on the module alone.
static void take_variables(FakeModule *module, Sim *sim) {
  for (int v = 0; v < module->ptx->var_count; v++) {
    FakeBytes *variable = &module->variables[v];
    const uint8_t *bytes = sim_global_bytes(sim, module->ptx->vars[v].name, &variable->size, &variable->address);
    if (!bytes) continue;
    variable->bytes = ls_alloc(variable->size + 1);
    memcpy(variable->bytes, bytes, variable->size);
  }
}

static Sim *new_sim(const FakeModule *module, int entry, const Launch *launch, const uint8_t *params, const SimMapping *pieces, int count) {
  SimOptions options;
  LsErr err = {0};
  sim_options_init(&options);
  options.checks = SIM_CHECK_MEMORY;
  options.grid_id = ++grids;
  options.seed = fake_setting("FAKE_CUDA_SEED", 0);
  options.budget = 1ull << 32;
  options.max_shared = BLOCK_SHARED;
  options.global_offset = module->offset;
  options.params = params;
  options.params_size = (uint64_t)module->ptx->funcs[entry].param_bytes + 16;
  options.mappings = pieces;
  options.mapping_count = count;
  Sim *sim = sim_new(module->ptx, entry, launch, &options, &err);
  if (!sim) fprintf(stderr, "fake_cuda: %s\n", err.message);
  return sim;
}

static int find_variables(FakeModule *module) {
  Launch launch;
  launch_init(&launch);
  for (int f = 0; f < module->ptx->func_count; f++) {
    const PtxFunc *func = &module->ptx->funcs[f];
    if (!func->is_entry) continue;
    for (int i = 0; i < 3; i++) launch.block[i] = (uint32_t)LS_MAX(func->reqntid[i], 1);
    uint8_t *params = ls_alloc((size_t)func->param_bytes + 16);
    SimMapping *images = ls_alloc(sizeof *images * (size_t)(fake_images_most(module) + 1));
    Sim *sim = new_sim(module, f, &launch, params, images, fake_images(module, images));
    if (sim) take_variables(module, sim);
    sim_free(sim);
    free(images);
    free(params);
    if (sim) return 0;
  }
  return FAKE_INVALID_PTX;
}

// ---- modules -------------------------------------------------------------------------------------------------------

static void free_module(FakeModule *module) {
  for (int v = 0; module->variables && v < module->ptx->var_count; v++) free(module->variables[v].bytes);
  free(module->variables);
  free(module->allowed_shared);
  free(module->references);
  ptx_module_free(module->ptx);
  free(module);
}

static void write_log(unsigned count, const int *options, void **values, const char *text) {
  char *log = NULL;
  size_t size = 0;
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == DRIVER_JIT_ERROR_LOG) log = values[i];
    if (options[i] == DRIVER_JIT_ERROR_LOG_SIZE) size = (size_t)(uintptr_t)values[i];
  }
  if (log && size) snprintf(log, size, "%s", text);
}

static int newest_ptx(void) {
  static const int rows[][2] = {
#define DRIVER_PTX(ptx, cuda) {ptx, cuda},
#include "device/cuda/driver.def"
  };
  int newest = 0;
  for (int i = 0; i < LS_COUNT(rows); i++)
    if (rows[i][1] <= (int)fake_setting("FAKE_CUDA_VERSION", 13000)) newest = rows[i][0];
  return newest;
}

// What a driver's compiler finds wrong with a module that it can read: the words for its log, or NULL.
static const char *objection(const PtxModule *ptx, unsigned count, const int *options, void **values) {
  int cc = (int)fake_setting("FAKE_CUDA_CC", 90), level = 4;
  for (unsigned i = 0; i < count; i++)
    if (options[i] == DRIVER_JIT_LEVEL) level = (int)(uintptr_t)values[i];
  if (strncmp(ptx->target, "sm_", 3) == 0 && atoi(ptx->target + 3) > cc)
    return "ptxas fatal   : SM version specified by .target is higher than default SM version assumed";
  return ptx->debug && level > 0 ? "ptxas fatal   : Optimized debugging not supported" : NULL;
}

bool fake_options_are_known(unsigned count, const int *options, void **values) {
  for (unsigned i = 0; i < count; i++) {
    bool is_text = options[i] == DRIVER_JIT_ERROR_LOG || options[i] == DRIVER_JIT_INFO_LOG;
    uint64_t value = (uint64_t)(uintptr_t)values[i];
    if (is_text && !values[i]) return false;
    if (options[i] == DRIVER_JIT_LEVEL && value > 4) return false;
    if (options[i] == DRIVER_JIT_MOST_REGISTERS && (value < 16 || value > MOST_REGISTERS)) return false;
    bool is_size = options[i] == DRIVER_JIT_ERROR_LOG_SIZE || options[i] == DRIVER_JIT_INFO_LOG_SIZE;
    if (!is_text && !is_size && options[i] != DRIVER_JIT_LEVEL && options[i] != DRIVER_JIT_MOST_REGISTERS) return false;
  }
  return true;
}

int fake_compiles(const char *text, unsigned count, const int *options, void **values) {
  LsErr err = {0};
  PtxModule *ptx = ptx_parse("image", text, strlen(text), &err);
  const char *why = ptx ? objection(ptx, count, options, values) : err.message;
  if (why) write_log(count, options, values, why);
  ptx_module_free(ptx);
  return why ? FAKE_INVALID_PTX : 0;
}

// The device runtime is no part of the driver.
static const char *unresolved(const PtxModule *ptx) {
  for (int pc = 0; pc < ptx->code_count; pc++) {
    int callee = ptx_callee(&ptx->code[pc]);
    if (callee >= 0 && sim_is_runtime(&ptx->funcs[callee])) return "ptxas fatal   : Unresolved extern function";
  }
  return NULL;
}

int cuModuleLoadDataEx(void **result, const void *image, unsigned count, int *options, void **values) {
  int answer = fake_begin_work();
  LsErr err = {0};
  if (answer) return answer;
  if (!fake_options_are_known(count, options, values)) return FAKE_INVALID_VALUE;
  bool linked = fake_is_linked(image);
  if (!linked && (answer = fake_compiles(image, count, options, values)) != 0) return answer;
  FakeModule *module = ls_alloc(sizeof *module);
  module->ptx = ptx_parse("image", image, strlen(image), &err);
  const char *why = linked ? NULL : unresolved(module->ptx);
  if (why) {
    write_log(count, options, values, why);
    ptx_module_free(module->ptx);
    free(module);
    return FAKE_INVALID_PTX;
  }
  for (unsigned i = 0; i < count; i++)
    if (options[i] == DRIVER_JIT_MOST_REGISTERS) module->most_registers = (int)(uintptr_t)values[i];
  module->allowed_shared = ls_alloc(sizeof *module->allowed_shared * (size_t)(module->ptx->func_count + 1));
  module->offset = (modules_loaded++ & 7) << 36;
  module->variables = ls_alloc(sizeof *module->variables * (size_t)(module->ptx->var_count + 1));
  module->references = ls_alloc(sizeof *module->references * (size_t)(module->ptx->var_count + 1));
  answer = module->ptx->version_major * 10 + module->ptx->version_minor > newest_ptx() ? FAKE_OLD : find_variables(module);
  if (answer) {
    free_module(module);
    return answer;
  }
  LS_PUSH(modules, module_count, module_capacity, module);
  fake_live(1);
  *result = module;
  return 0;
}

int cuModuleUnload(void *handle) {
  int answer = fake_begin_release(), found = -1;
  fake_finish_all();
  for (int i = 0; i < module_count; i++)
    if (modules[i] == handle) found = i;
  if (found < 0) return FAKE_INVALID_HANDLE;
  modules[found] = modules[--module_count];
  if (module_count == 0) {
    free(modules);
    modules = NULL;
    module_capacity = 0;
    ls_text_free(&printed);
    ls_text_free(&asserted);
  }
  free_module(handle);
  fake_live(-1);
  return answer;
}

int cuModuleGetGlobal_v2(DriverAddress *address, size_t *bytes, void *handle, const char *name) {
  int answer = fake_begin_work();
  const FakeModule *module = handle;
  if (answer) return answer;
  for (int v = 0; v < module->ptx->var_count; v++) {
    if (!module->variables[v].bytes || strcmp(module->ptx->vars[v].name, name) != 0) continue;
    *address = module->variables[v].address;
    *bytes = (size_t)module->variables[v].size;
    return 0;
  }
  return FAKE_NOT_FOUND;
}

// ---- functions -----------------------------------------------------------------------------------------------------

// A function is told by the place of its entry in the module, so that it needs no memory of its own.
int cuModuleGetFunction(void **function, void *handle, const char *name) {
  int answer = fake_begin_work();
  FakeModule *module = handle;
  if (answer) return answer;
  for (int f = 0; f < module->ptx->func_count; f++)
    if (module->ptx->funcs[f].is_entry && strcmp(module->ptx->funcs[f].name, name) == 0) return *function = &module->ptx->funcs[f], 0;
  return FAKE_NOT_FOUND;
}

static FakeModule *module_of(const PtxFunc *func, int *entry) {
  for (int m = 0; m < module_count; m++) {
    *entry = (int)(func - modules[m]->ptx->funcs);
    if (func >= modules[m]->ptx->funcs && func < modules[m]->ptx->funcs + modules[m]->ptx->func_count) return modules[m];
  }
  return NULL;
}

static int bytes_in(const FakeModule *module, int entry, PtxSpace space) {
  int64_t sum = 0;
  for (int v = 0; v < module->ptx->var_count; v++) {
    const PtxVar *var = &module->ptx->vars[v];
    if (var->space == space && (var->func == entry || var->func < 0)) sum += LS_MAX(var->size, 0);
  }
  return (int)sum;
}

static int registers_of(const FakeModule *module, const PtxFunc *func) {
  int most = module->most_registers ? module->most_registers : MOST_REGISTERS;
  return LS_MIN(16 + func->reg_count / 4, most);
}

// As many warps as the registers of an SM's four parts are for; they are given to warps in units of 256.
static int most_threads(const FakeModule *module, const PtxFunc *func) {
  int of_warp = (registers_of(module, func) * 32 + 255) / 256 * 256;
  return LS_MIN(REGISTERS / 4 / of_warp * 4 * 32, MOST_THREADS);
}

int cuFuncGetAttribute(int *value, int attribute, void *function) {
  int answer = fake_begin_work(), entry;
  const FakeModule *module = module_of(function, &entry);
  if (answer || !module) return answer ? answer : FAKE_INVALID_HANDLE;
  switch (attribute) {
  case DRIVER_FUNCTION_MAX_THREADS: return *value = most_threads(module, function), 0;
  case DRIVER_FUNCTION_SHARED: return *value = bytes_in(module, entry, PTX_SHARED), 0;
  case DRIVER_FUNCTION_LOCAL: return *value = bytes_in(module, entry, PTX_LOCAL), 0;
  case DRIVER_FUNCTION_REGISTERS: return *value = registers_of(module, function), 0;
  default: return FAKE_INVALID_VALUE;
  }
}

int cuFuncSetAttribute(void *function, int attribute, int value) {
  int answer = fake_begin_work(), entry;
  const FakeModule *module = module_of(function, &entry);
  if (answer || !module || attribute != DRIVER_FUNCTION_MAX_DYNAMIC_SHARED) return answer ? answer : FAKE_INVALID_VALUE;
  if (value < 0 || value + bytes_in(module, entry, PTX_SHARED) > BLOCK_SHARED) return FAKE_INVALID_VALUE;
  module->allowed_shared[entry] = value;
  return 0;
}

static int blocks_on_sm(const FakeModule *module, int entry, int threads, size_t shared) {
  Occupancy occupancy;
  const PtxFunc *func = &module->ptx->funcs[entry];
  occ_compute(arch_find("h200"), threads, registers_of(module, func), (int)shared + bytes_in(module, entry, PTX_SHARED), &occupancy);
  return occupancy.blocks;
}

int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, size_t shared) {
  int answer = fake_begin_work(), entry;
  const FakeModule *module = module_of(function, &entry);
  if (answer || !module) return answer ? answer : FAKE_INVALID_HANDLE;
  *blocks = blocks_on_sm(module, entry, threads, shared);
  return 0;
}

// ---- launches ------------------------------------------------------------------------------------------------------

static int answer_for(FaultKind kind) {
  switch (kind) {
  case FAULT_OUT_OF_BOUNDS: return 700;
  case FAULT_MISALIGNED: return 716;
  case FAULT_TRAP: return 719;   // "unspecified launch failure"
  case FAULT_ASSERT: return 710;
  case FAULT_STACK_OVERFLOW: return 714;
  case FAULT_DIVIDE_BY_ZERO: return 0;
  default: return 702;
  }
}

static uint8_t *gather_params(const PtxFunc *func, void **params) {
  uint8_t *bytes = ls_alloc((size_t)func->param_bytes + 16);
  for (int i = 0; i < func->param_count; i++) memcpy(bytes + func->params[i].offset, params[i], (size_t)func->params[i].size);
  return bytes;
}

static void swap_variables(const FakeModule *module, Sim *sim, bool into) {
  for (int v = 0; v < module->ptx->var_count; v++) {
    const FakeBytes *variable = &module->variables[v];
    uint64_t size;
    uint8_t *bytes = variable->bytes ? sim_global_bytes(sim, module->ptx->vars[v].name, &size, NULL) : NULL;
    if (bytes) memcpy(into ? bytes : variable->bytes, into ? variable->bytes : bytes, (size_t)variable->size);
  }
}

// About as long as an H200 takes: two microseconds, and a warp instruction per scheduler and clock.
static uint64_t time_of(const Sim *sim) { return 2000 + sim_warp_instructions(sim) / (132 * 4) / 2; }

// In the form of the CUDA C++ Programming Guide, section Assertion.
static void say_assertion(const PtxModule *ptx, const Launch *launch, const TraceFault *fault) {
  const uint32_t *g = launch->grid, *b = launch->block;
  uint32_t block = fault->block, thread = fault->thread;
  const char *expression = strchr(fault->message, '\''), *end = expression ? strstr(expression, "' failed in ") : NULL;
  int file = 0, line = 0;
  if (!end || !ptx_line_of(ptx, fault->pc, &file, &line)) return;
  const char *function = end + strlen("' failed in ");
  ls_text_addf(&asserted, "%s:%d: %.*s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%.*s` failed.\n", ptx->files[file], line,
               (int)strcspn(function, ";\n"), function, block % g[0], block / g[0] % g[1], block / g[0] / g[1], thread % b[0],
               thread / b[0] % b[1], thread / b[0] / b[1], (int)(end - expression - 1), expression + 1);
}

// A launch that waits in a stream.
typedef struct Waiting { const FakeModule *module; int entry; Launch launch; uint8_t *params; } Waiting;

static void waiting_free(void *context) {
  free(((Waiting *)context)->params);
  free(context);
}

// As with a GPU, a fault is known once somebody waits.
static void look_for_faults(const Waiting *w, const Sim *sim) {
  int faults = 0, answer = 0;
  const TraceFault *list = sim_faults(sim, &faults);
  for (int i = 0; i < faults && !answer; i++) answer = answer_for((FaultKind)list[i].kind);
  for (int i = 0; i < faults; i++)
    if (list[i].kind == FAULT_ASSERT) say_assertion(w->module->ptx, &w->launch, &list[i]);
  if (answer) fake_set_fault(answer);
}

static Launch launch_of(const uint32_t grid[3], const uint32_t block[3], unsigned shared) {
  Launch launch;
  launch_init(&launch);
  memcpy(launch.grid, grid, sizeof launch.grid);
  memcpy(launch.block, block, sizeof launch.block);
  launch.shared_bytes = shared;
  return launch;
}

static uint64_t run_grid(const Waiting *w);

// Launches and copies in device code, of the tail stream or of the others, in the order in which they were asked for.
static uint64_t run_asked(const Waiting *parent, const Sim *sim, bool tail) {
  int count;
  uint64_t ns = 0;
  const SimDeviceOp *ops = sim_device_ops(sim, &count);
  for (int i = 0; i < count && !fake_fault(); i++) {
    const SimDeviceOp *op = &ops[i];
    if ((op->stream == SIM_STREAM_TAIL) != tail) continue;
    uint8_t *to = op->kind != SIM_DEVICE_LAUNCH ? fake_bytes_at(op->to, op->count) : NULL;
    const uint8_t *from = op->kind == SIM_DEVICE_COPY ? fake_bytes_at(op->from, op->count) : NULL;
    if (to && from) memmove(to, from, (size_t)op->count);
    if (to && op->kind == SIM_DEVICE_SET) memset(to, op->byte, (size_t)op->count);
    if (op->kind != SIM_DEVICE_LAUNCH) continue;
    Waiting child = {.module = parent->module, .entry = op->func, .launch = launch_of(op->grid, op->dims, op->shared)};
    size_t size = (size_t)child.module->ptx->funcs[op->func].param_bytes;
    child.params = memcpy(ls_alloc(size + 16), sim_device_params(sim, op), size);
    ns += run_grid(&child);
    free(child.params);
  }
  return ns;
}

// A grid ends when its children have; what waits in its tail stream comes last.
static uint64_t run_grid(const Waiting *w) {
  int count;
  uint64_t ns = 0;
  const FakeBytes *pieces = fake_memory(&count);
  SimMapping *memory = ls_alloc(sizeof *memory * (size_t)(count + fake_images_most(w->module) + 1));
  for (int i = 0; i < count; i++)
    memory[i] = (SimMapping){.address = pieces[i].address, .size = pieces[i].size, .bytes = pieces[i].bytes};
  count += fake_images(w->module, memory + count);
  Sim *sim = new_sim(w->module, w->entry, &w->launch, w->params, memory, count);
  if (sim) {
    TraceSink nobody = {0};
    swap_variables(w->module, sim, true);
    sim_run(sim, &nobody, NULL);
    swap_variables(w->module, sim, false);
    ls_text_add(&printed, sim_output(sim));
    look_for_faults(w, sim);
    ns = fake_setting("FAKE_CUDA_KERNEL_NS", time_of(sim));
    ns += run_asked(w, sim, false);
    ns += run_asked(w, sim, true);
  } else {
    fake_set_fault(FAKE_INVALID_VALUE);
  }
  sim_free(sim);
  free(memory);
  return ns;
}

static uint64_t run(void *context) { return fake_fault() ? 0 : run_grid(context); }   // nothing runs after a fault

// As the limits of a GPU have it (CUDA C++ Programming Guide, Technical Specifications per Compute Capability).
static int refusal(const FakeModule *module, int entry, const Launch *l) {
  const PtxFunc *func = &module->ptx->funcs[entry];
  const uint32_t *g = l->grid, *b = l->block;
  uint64_t threads = (uint64_t)b[0] * b[1] * b[2], fixed = (uint64_t)bytes_in(module, entry, PTX_SHARED);
  uint64_t allowed = LS_MAX(SMALL_SHARED, (uint64_t)module->allowed_shared[entry] + fixed);
  if (!g[0] || !g[1] || !g[2] || g[0] > INT32_MAX || g[1] > UINT16_MAX || g[2] > UINT16_MAX) return FAKE_INVALID_VALUE;
  if (!threads || threads > MOST_THREADS || b[2] > MOST_THREADS_Z || l->shared_bytes + fixed > allowed) return FAKE_INVALID_VALUE;
  return threads > (uint64_t)most_threads(module, func) ? FAKE_TOO_MANY_RESOURCES : 0;
}

static int launch_it(void *function, const Launch *launch, void *stream, void **params, bool together) {
  int answer = fake_begin_work(), entry;
  const FakeModule *module = module_of(function, &entry);
  if (answer || !module || !fake_is_stream(stream)) return answer ? answer : FAKE_INVALID_HANDLE;
  if ((answer = refusal(module, entry, launch)) != 0) return answer;
  int threads = (int)launch_threads(launch);
  uint64_t room = (uint64_t)blocks_on_sm(module, entry, threads, (size_t)launch->shared_bytes) * SMS;
  if (together && launch_blocks(launch) > room) return FAKE_TOO_LARGE_TO_COOPERATE;
  Waiting *waiting = ls_alloc(sizeof *waiting);
  *waiting = (Waiting){.module = module, .entry = entry, .launch = *launch, .params = gather_params(function, params)};
  fake_queue(stream, (FakeWork){run, waiting_free, waiting});
  return 0;
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,
                   void *stream, void **params, void **extra) {
  Launch launch = launch_of((const uint32_t[3]){gx, gy, gz}, (const uint32_t[3]){bx, by, bz}, shared);
  return extra ? FAKE_INVALID_VALUE : launch_it(function, &launch, stream, params, false);
}

int cuLaunchCooperativeKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                              unsigned shared, void *stream, void **params) {
  Launch launch = launch_of((const uint32_t[3]){gx, gy, gz}, (const uint32_t[3]){bx, by, bz}, shared);
  return launch_it(function, &launch, stream, params, true);
}

// What kernels printed comes now, into the buffer of standard output, as the real driver does it.
int cuCtxSynchronize(void) {
  int answer = fake_begin_work();
  if (answer == 0) fake_finish_all();
  fputs(ls_text_str(&printed), stdout);
  fputs(ls_text_str(&asserted), stderr);
  ls_text_clear(&printed);
  ls_text_clear(&asserted);
  return answer ? answer : fake_fault();
}
