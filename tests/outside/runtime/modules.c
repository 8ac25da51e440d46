// modules.c: PTX that programs carry with them, their kernels and variables, and launches.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "base/text.h"
#include "runtime.h"

// What nvcc packs (its header fatbinary_section.h), and each file in it as `cuobjdump` shows them; kind 1 is PTX.
enum { FATBIN_MAGIC = 0x466243b1, FILES_MAGIC = 0xba55ed50u & 0x7fffffff, KIND_PTX = 1, BLOCK_SHARED = 227 << 10 };
typedef struct Wrapper { int magic, version; const uint8_t *data; void *rest; } Wrapper;
typedef struct FilesHeader { uint32_t magic; uint16_t version, header_size; uint64_t size; } FilesHeader;
typedef struct FileHeader { uint16_t kind, version; uint32_t header_size; uint64_t size; } FileHeader;

typedef struct Symbol { const void *host; RtModule *module; int index; } Symbol;   // a kernel, or a variable

static struct { RtModule **items; int count, capacity; } modules;
static struct { Symbol *items; int count, capacity; } kernels, variables;
static struct { dim3 grid, block; size_t shared; cudaStream_t stream; } pushed[8];
static int pushed_count;
static SimMapping *mappings;     // of the Sim that there is

// ---- modules -------------------------------------------------------------------------------------------------------

static Sim *new_sim(const RtModule *module, int entry, const Launch *launch, const uint8_t *params, LsErr *err) {
  SimOptions options;
  int count;
  const RtPiece *pieces = rt_pieces(&count);
  free(mappings);
  mappings = ls_alloc(sizeof *mappings * (size_t)(count + 1));
  for (int i = 0; i < count; i++)
    mappings[i] = (SimMapping){.address = pieces[i].address, .size = pieces[i].size,
                               .bytes = (uint8_t *)(uintptr_t)pieces[i].address};
  sim_options_init(&options);
  options.seed = getenv("LANESCOPE_SEED") ? strtoull(getenv("LANESCOPE_SEED"), NULL, 10) : 0;
  options.budget = 1ull << 36;
  options.max_shared = BLOCK_SHARED;
  options.global_offset = module->offset;
  options.params = params;
  options.params_size = (uint64_t)module->ptx->funcs[entry].param_bytes + 16;
  options.mappings = mappings;
  options.mapping_count = count;
  Sim *sim = sim_new(module->ptx, entry, launch, &options, err);
  if (!sim) rt_log("refused", module->ptx->funcs[entry].name, NULL, err->message);
  return sim;
}

// The emulator says where variables lie and what they begin with. Any entry that it takes will do.
static void find_variables(RtModule *module) {
  const PtxModule *ptx = module->ptx;
  Launch launch;
  launch_init(&launch);
  for (int f = 0; f < ptx->func_count; f++) {
    LsErr err = {0};
    if (!ptx->funcs[f].is_entry) continue;
    for (int i = 0; i < 3; i++) launch.block[i] = (uint32_t)LS_MAX(ptx->funcs[f].reqntid[i], 1);
    uint8_t *params = ls_alloc((size_t)ptx->funcs[f].param_bytes + 16);
    Sim *sim = new_sim(module, f, &launch, params, &err);
    for (int v = 0; sim && v < ptx->var_count; v++) {
      RtVariable *variable = &module->variables[v];
      const uint8_t *bytes = sim_global_bytes(sim, ptx->vars[v].name, &variable->size, &variable->address);
      if (!bytes) continue;
      variable->bytes = ls_alloc(variable->size + 1);
      memcpy(variable->bytes, bytes, variable->size);
    }
    sim_free(sim);
    free(params);
    if (sim) return;
  }
}

static void add_module(const char *text, size_t length) {
  LsErr err = {0};
  RtModule *module = ls_alloc(sizeof *module);
  module->ptx = ptx_parse("program.ptx", text, strnlen(text, length), &err);
  if (!module->ptx) {
    rt_log("refused", "-", NULL, err.message);
    free(module);
    return;
  }
  module->variables = ls_alloc(sizeof *module->variables * (size_t)(module->ptx->var_count + 1));
  module->offset = (uint64_t)(modules.count & 7) << 36;
  LS_PUSH(modules.items, modules.count, modules.capacity, module);
  find_variables(module);
}

void **__cudaRegisterFatBinary(void *given) {
  const Wrapper *wrapper = given;
  const FilesHeader *files = (const void *)wrapper->data;
  static void *handle;
  if (wrapper->magic != FATBIN_MAGIC || (files->magic & 0x7fffffff) != FILES_MAGIC) return &handle;
  const uint8_t *at = wrapper->data + files->header_size, *end = at + files->size;
  while (at + sizeof(FileHeader) <= end) {
    const FileHeader *file = (const void *)at;
    if (file->kind == KIND_PTX) add_module((const char *)at + file->header_size, (size_t)file->size);
    at += file->header_size + file->size;
  }
  return &handle;
}

void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }
void __cudaUnregisterFatBinary(void **handle) { (void)handle; }
char __cudaInitModule(void **handle) { return (void)handle, 1; }

// The newest module that has it: a program registers what is in a module right after it.
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, void *tid,
                            void *bid, void *block, void *grid, int *warp) {
  (void)handle, (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
  for (int m = modules.count - 1; m >= 0; m--)
    for (int f = 0; f < modules.items[m]->ptx->func_count; f++) {
      const PtxFunc *func = &modules.items[m]->ptx->funcs[f];
      if (!func->is_entry || strcmp(func->name, name) != 0) continue;
      LS_PUSH(kernels.items, kernels.count, kernels.capacity, ((Symbol){host, modules.items[m], f}));
      return;
    }
}

static RtVariable *register_variable(const void *host, const char *name) {
  for (int m = modules.count - 1; m >= 0; m--)
    for (int v = 0; v < modules.items[m]->ptx->var_count; v++) {
      if (!modules.items[m]->variables[v].bytes || strcmp(modules.items[m]->ptx->vars[v].name, name) != 0) continue;
      LS_PUSH(variables.items, variables.count, variables.capacity, ((Symbol){host, modules.items[m], v}));
      return &modules.items[m]->variables[v];
    }
  return NULL;
}

void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int ext, size_t size, int constant,
                       int global) {
  (void)handle, (void)address, (void)ext, (void)size, (void)constant, (void)global;
  register_variable(host, name);
}

void __cudaRegisterManagedVar(void **handle, void **host, char *address, const char *name, int ext, size_t size,
                              int constant, int global) {
  (void)handle, (void)address, (void)ext, (void)size, (void)constant, (void)global;
  RtVariable *variable = register_variable(host, name);
  if (variable) *host = variable->bytes;
}

const RtVariable *rt_variable_of(const void *symbol) {
  for (int i = 0; i < variables.count; i++)
    if (variables.items[i].host == symbol) return &variables.items[i].module->variables[variables.items[i].index];
  return NULL;
}

const RtVariable *rt_variable_at(uint64_t address) {
  for (int m = 0; m < modules.count; m++)
    for (int v = 0; v < modules.items[m]->ptx->var_count; v++) {
      const RtVariable *variable = &modules.items[m]->variables[v];
      if (variable->bytes && address - variable->address < variable->size) return variable;
    }
  return NULL;
}

// ---- launches ------------------------------------------------------------------------------------------------------

static const Symbol *kernel_of(const void *function) {
  for (int i = 0; i < kernels.count; i++)
    if (kernels.items[i].host == function) return &kernels.items[i];
  return NULL;
}

static void swap_variables(const RtModule *module, Sim *sim, bool into) {
  for (int v = 0; v < module->ptx->var_count; v++) {
    const RtVariable *variable = &module->variables[v];
    uint64_t size;
    uint8_t *bytes = variable->bytes ? sim_global_bytes(sim, module->ptx->vars[v].name, &size, NULL) : NULL;
    if (bytes) memcpy(into ? bytes : variable->bytes, into ? variable->bytes : bytes, (size_t)variable->size);
  }
}

static cudaError_t error_of(FaultKind kind) {
  switch (kind) {
  case FAULT_ASSERT: return cudaErrorAssert;
  case FAULT_TRAP: return cudaErrorLaunchFailure;
  case FAULT_MISALIGNED: return cudaErrorMisalignedAddress;
  case FAULT_OUT_OF_BOUNDS: return cudaErrorIllegalAddress;
  default: return cudaErrorLaunchTimeout;
  }
}

static void tell_faults(const Sim *sim, const char *kernel) {
  int count;
  const TraceFault *faults = sim_faults(sim, &count);
  for (int i = 0; i < count; i++)
    rt_log(trace_grade_name(trace_fault_grade(&faults[i])), kernel, trace_fault_name((FaultKind)faults[i].kind),
           faults[i].message);
  if (sim_stopped(sim)) rt_stop(count ? error_of((FaultKind)faults[count - 1].kind) : cudaErrorLaunchFailure);
}

static cudaError_t execute(const Symbol *kernel, const Launch *launch, void **args) {
  const PtxFunc *func = &kernel->module->ptx->funcs[kernel->index];
  TraceSink nobody = {0};
  LsErr err = {0};
  uint8_t *params = ls_alloc((size_t)func->param_bytes + 16);
  for (int i = 0; i < func->param_count; i++)
    memcpy(params + func->params[i].offset, args[i], (size_t)func->params[i].size);
  Sim *sim = new_sim(kernel->module, kernel->index, launch, params, &err);
  if (sim) {
    rt_log("launch", func->name, NULL, NULL);
    swap_variables(kernel->module, sim, true);
    sim_run(sim, &nobody, NULL);
    swap_variables(kernel->module, sim, false);
    fputs(sim_output(sim), stdout);
    tell_faults(sim, func->name);
    rt_count_launch(sim_warp_instructions(sim));
  }
  bool ran = sim != NULL;
  sim_free(sim);
  free(params);
  return ran ? cudaSuccess : rt_fail(cudaErrorLaunchFailure);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
                             cudaStream_t stream) {
  const Symbol *kernel = kernel_of(function);
  uint64_t threads = (uint64_t)block.x * block.y * block.z;
  Launch launch;
  (void)stream;
  if (rt_state()) return rt_state();
  if (!kernel) return rt_fail(cudaErrorInvalidDeviceFunction);
  bool fits = grid.x && grid.y && grid.z && threads && threads <= 1024 && shared <= BLOCK_SHARED;
  if (!fits) return rt_fail(cudaErrorInvalidConfiguration);
  launch_init(&launch);
  memcpy(launch.grid, &grid, sizeof launch.grid);
  memcpy(launch.block, &block, sizeof launch.block);
  launch.shared_bytes = shared;
  return execute(kernel, &launch, args);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared,
                                        cudaStream_t stream) {
  return cudaLaunchKernel(function, grid, block, args, shared, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args) {
  return cudaLaunchKernel(function, config->gridDim, config->blockDim, args, config->dynamicSmemBytes, config->stream);
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
  return *kernel = (cudaKernel_t)(uintptr_t)function, cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                               cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream) {
  if (pushed_count == LS_COUNT(pushed)) return 1;
  pushed[pushed_count].grid = grid;
  pushed[pushed_count].block = block;
  pushed[pushed_count].shared = shared;
  pushed[pushed_count++].stream = stream;
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
  if (pushed_count == 0) return rt_fail(cudaErrorMissingConfiguration);
  pushed_count--;
  *grid = pushed[pushed_count].grid;
  *block = pushed[pushed_count].block;
  *shared = pushed[pushed_count].shared;
  *(cudaStream_t *)stream = pushed[pushed_count].stream;
  return cudaSuccess;
}

// ---- what kernels need ---------------------------------------------------------------------------------------------

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function) {
  const Symbol *kernel = kernel_of(function);
  if (!kernel) return rt_fail(cudaErrorInvalidDeviceFunction);
  memset(attributes, 0, sizeof *attributes);
  attributes->maxThreadsPerBlock = 1024;
  attributes->numRegs = 32;
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes = BLOCK_SHARED;
  return rt_state();
}

cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value) {
  return (void)attribute, (void)value, kernel_of(function) ? rt_state() : rt_fail(cudaErrorInvalidDeviceFunction);
}

cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config) {
  return (void)function, (void)config, rt_state();
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads,
                                                                   size_t shared, unsigned flags) {
  (void)function, (void)shared, (void)flags;
  return *blocks = LS_MAX(1, LS_MIN(32, 2048 / LS_MAX(threads, 1))), rt_state();
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                          size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}
