// cuda_code.c: compiles by the driver, launches, and finds what a kernel needs.
#include "device/cuda/cuda_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "device/cuda/cuda_label.h"
#include "device/cuda/cuda_link.h"

enum { LOG_BYTES = 16 << 10, LEVEL_OF_DRIVER = 4 };

// ---- loading -------------------------------------------------------------------------------------------------------

// cooperative_groups finds the memory of grid.sync() in %envreg1 and %envreg2, which only a cooperative launch fills.
static bool reads_envreg(const PtxModule *module) {
  for (int pc = 0; pc < module->code_count; pc++)
    for (int i = 0; i < module->code[pc].operand_count; i++) {
      const PtxOperand *operand = &module->code[pc].operands[i];
      if (operand->kind == PTX_OPD_SREG && operand->sreg == PTX_SR_ENVREG0) return true;
    }
  return false;
}

// Its error is why the driver does not take the text, and all that its compiler says.
static void refuse(const CudaCode *code, const CudaLabel *label, const GpuFacts *facts, int result, const char *what,
                   const char *log, LsErr *err) {
  if (label->version || label->target || !driver_takes_ptx(code->driver, code->module->version_major, code->module->version_minor, NULL))
    cuda_label_explain(label, code->driver, facts, code->module, err);
  else driver_good(code->driver, result, what, err);
  if (log[0]) ls_err_append(err, "%s", log);
}

// The text is what is compiled: an instrumented kernel may say other than the one that it was made of.
static bool says_debug(const char *ptx) {
  const char *target = strstr(ptx, "\n.target"), *word = target ? strstr(target, "debug") : NULL;
  return word && word < target + 1 + strcspn(target + 1, "\n");
}

// library: the device runtime; NULL: the code needs none.
static bool compile_with(CudaCode *code, const GpuFacts *facts, const char *ptx, const char *library,
                         int most_registers, LsErr *err) {
  CudaLabel label = cuda_label(code->driver, facts, code->module);
  char *own = cuda_label_text(&label, ptx), *log = ls_alloc(LOG_BYTES);
  int options[] = {DRIVER_JIT_ERROR_LOG, DRIVER_JIT_ERROR_LOG_SIZE, DRIVER_JIT_LEVEL, DRIVER_JIT_MOST_REGISTERS};
  void *values[] = {log, (void *)(uintptr_t)LOG_BYTES, (void *)(uintptr_t)(says_debug(ptx) ? 0 : LEVEL_OF_DRIVER),
                    (void *)(uintptr_t)most_registers};
  unsigned count = (unsigned)LS_COUNT(options) - (most_registers > 0 ? 0 : 1);
  const char *what = "compiling the PTX for the GPU", *text = own ? own : ptx;
  int result = library ? cuda_link_load(code->driver, &code->handle, text, library, count, options, values, &what)
                       : code->driver->module_load(&code->handle, text, count, options, values);
  log[LOG_BYTES - 1] = '\0';
  if (result != 0) refuse(code, &label, facts, result, what, log, err);
  if (result != 0) code->handle = NULL;
  free(own);
  free(log);
  return result == 0;
}

// The driver's compiler takes code with debug information unoptimized only.
static bool compile(CudaCode *code, const GpuFacts *facts, const char *ptx, int most_registers, LsErr *err) {
  if (!cuda_link_is_needed(code->module)) return compile_with(code, facts, ptx, NULL, most_registers, err);
  if (!code->driver->link_new || !code->driver->link_data || !code->driver->link_file || !code->driver->link_complete ||
      !code->driver->link_free)
    return ls_fail(err, LS_EENV,
                   "the NVIDIA driver is too old to link kernels that launch kernels, which came with CUDA 6.5");
  char *library = cuda_link_library(err);
  bool ok = library && compile_with(code, facts, ptx, library, most_registers, err);
  free(library);
  return ok;
}

bool cuda_code_load(CudaCode *code, const Driver *driver, const GpuFacts *facts, const PtxModule *module, int entry, const char *ptx,
                    int most_registers, LsErr *err) {
  *code = (CudaCode){.driver = driver, .module = module, .entry = entry, .cooperative = reads_envreg(module)};
  const char *name = module->funcs[entry].name;
  if (compile(code, facts, ptx, most_registers, err) &&
      driver_good(driver, driver->module_function(&code->function, code->handle, name), "finding the kernel", err) &&
      driver_good(driver, driver->event_new(&code->start, 0), "making an event", err) &&
      driver_good(driver, driver->event_new(&code->end, 0), "making an event", err))
    return true;
  cuda_code_free(code);
  return false;
}

bool cuda_code_share(CudaCode *code, const CudaCode *loaded, int entry, LsErr *err) {
  const Driver *driver = loaded->driver;
  *code = *loaded;
  code->entry = entry;
  code->start = code->end = NULL;
  int result = driver->module_function(&code->function, code->handle, loaded->module->funcs[entry].name);
  return driver_good(driver, result, "finding the kernel", err);
}

int cuda_most_registers(const GpuFacts *facts, int warps) {
  enum { PARTS = 4, UNIT = 256 };   // an SM's registers are in four parts, and a warp gets them from one, in units
  int of_part = (warps + PARTS - 1) / PARTS, all = LS_MAX(facts->regs_per_block, 32 << 10);
  int most = all / PARTS / of_part / UNIT * UNIT / 32;
  return most >= 255 ? 0 : most;
}

void cuda_code_free(CudaCode *code) {
  if (code->start) code->driver->event_free(code->start);
  if (code->end) code->driver->event_free(code->end);
  if (code->handle) code->driver->module_unload(code->handle);
  *code = (CudaCode){0};
}

bool cuda_code_variable(const CudaCode *code, const char *name, DriverAddress *address, size_t *size) {
  return code->driver->module_global(address, size, code->handle, name) == 0;
}

bool cuda_code_allow_shared(const CudaCode *code, const GpuFacts *facts, const Launch *launch, LsErr *err) {
  int fixed = 0;
  const Driver *driver = code->driver;
  int asked = driver->function_get(&fixed, DRIVER_FUNCTION_SHARED, code->function);
  if (!driver_good(driver, asked, "asking about the kernel", err)) return false;
  if (launch->shared_bytes + (uint64_t)fixed <= (uint64_t)facts->shared_per_block) return true;
  int result = driver->function_set(code->function, DRIVER_FUNCTION_MAX_DYNAMIC_SHARED, (int)launch->shared_bytes);
  if (result == 0) return true;
  unsigned long long dynamic = launch->shared_bytes;
  return ls_fail(err, LS_EREQUEST, "a block needs %llu bytes of shared memory (%d in the kernel, %llu dynamic); %s gives a block at most %d",
                 dynamic + (unsigned long long)fixed, fixed, dynamic, facts->name, LS_MAX(facts->shared_optin, facts->shared_per_block));
}

// ---- running -------------------------------------------------------------------------------------------------------

static bool is_cooperative(const CudaCode *code, const Launch *l) {
  return l->together == LAUNCH_AS_NEEDED ? code->cooperative : l->together == LAUNCH_COOPERATIVE;
}

int cuda_code_launch(const CudaCode *code, const Launch *l, void *stream, void **params) {
  const Driver *driver = code->driver;
  const uint32_t *g = l->grid, *b = l->block;
  unsigned shared = (unsigned)l->shared_bytes;
  if (is_cooperative(code, l) && driver->launch_cooperative)
    return driver->launch_cooperative(code->function, g[0], g[1], g[2], b[0], b[1], b[2], shared, stream, params);
  return driver->launch(code->function, g[0], g[1], g[2], b[0], b[1], b[2], shared, stream, params, NULL);
}

// An answer that the kernel is to blame for is no error; it can come from any call after the launch.
static bool told(const CudaCode *code, int result, const char *what, int *answer, LsErr *err) {
  if (driver_fault(result) >= 0) *answer = result;
  return *answer != 0 || driver_good(code->driver, result, what, err);
}

bool cuda_code_run(const CudaCode *code, const Launch *launch, const uint8_t *params, uint64_t *nanoseconds, int *answer, LsErr *err) {
  const Driver *driver = code->driver;
  const PtxFunc *entry = &code->module->funcs[code->entry];
  void **pointers = ls_alloc(sizeof *pointers * (size_t)(entry->param_count + 1));
  float milliseconds = 0;
  *answer = 0;
  for (int i = 0; i < entry->param_count; i++) pointers[i] = (void *)(uintptr_t)(params + entry->params[i].offset);
  if (nanoseconds && code->wait) cuda_wait(code->wait);
  bool ok = told(code, driver->event_record(code->start, NULL), "starting the clock", answer, err) &&
            told(code, cuda_code_launch(code, launch, NULL, pointers), "launching the kernel", answer, err) &&
            told(code, driver->event_record(code->end, NULL), "stopping the clock", answer, err) &&
            told(code, driver->synchronize(), "running the kernel", answer, err);
  if (ok && *answer == 0)
    ok = told(code, driver->event_elapsed(&milliseconds, code->start, code->end), "reading the clock", answer, err);
  if (nanoseconds) *nanoseconds = (uint64_t)((double)milliseconds * 1e6 + 0.5);
  free(pointers);
  return ok;
}

bool cuda_code_measure(const CudaCode *code, const Launch *launch, TraceMeasure *measure, LsErr *err) {
  const Driver *driver = code->driver;
  static const int attributes[] = {DRIVER_FUNCTION_REGISTERS, DRIVER_FUNCTION_LOCAL, DRIVER_FUNCTION_SHARED};
  int value[LS_COUNT(attributes)] = {0}, blocks = 0;
  bool ok = true;
  for (int i = 0; i < LS_COUNT(attributes) && ok; i++)
    ok = driver_good(driver, driver->function_get(&value[i], attributes[i], code->function), "asking about the kernel", err);
  if (ok && driver->occupancy) {
    int result = driver->occupancy(&blocks, code->function, (int)launch_threads(launch), (size_t)launch->shared_bytes);
    ok = driver_good(driver, result, "asking how many blocks fit on an SM", err);
  }
  measure->registers = (uint32_t)value[0];
  measure->local_bytes = (uint32_t)value[1];
  measure->static_shared_bytes = (uint32_t)value[2];
  measure->blocks_per_sm = (uint32_t)blocks;
  return ok;
}
