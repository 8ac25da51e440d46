// launch_shared.c: shared memory beyond what a launch gets without asking.
//
// That is 48 KB on every compute capability (CUDA C++ Programming Guide, "Compute Capabilities"); more has to be dynamic,
// and allowed by an attribute of the kernel.
#include "launch/settle.h"

enum { WITHOUT_ASKING = 48 << 10 };

// Of arrays of the kernel itself, and of the module.
static uint64_t static_bytes(const PtxModule *module, int entry) {
  uint64_t at = 0;
  for (int v = 0; v < module->var_count; v++) {
    const PtxVar *var = &module->vars[v];
    if (var->space != PTX_SHARED || var->size <= 0 || (var->func >= 0 && var->func != entry)) continue;
    at = ls_align_up(at, (uint64_t)LS_MAX(var->align, 1)) + (uint64_t)var->size;
  }
  return at;
}

void launch_shared_note(const PtxModule *module, int entry, const Launch *launch, LsText *notes) {
  uint64_t fixed = static_bytes(module, entry);
  const PtxFunc *func = &module->funcs[entry];
  if (fixed > WITHOUT_ASKING)
    ls_text_addf(notes, "%llu bytes of shared memory are declared with their size; CUDA's assembler takes 49152 (48 KB): "
                        "declare one array as extern __shared__, and give its bytes with the launch (-s)\n",
                 (unsigned long long)fixed);
  else if (fixed + launch->shared_bytes > WITHOUT_ASKING)
    ls_text_addf(notes, "%llu bytes of shared memory, of which %llu are dynamic: a launch gets no more than 49152 (48 KB) "
                        "unless the host calls cudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, %llu) "
                        "before it; else CUDA refuses it\n",
                 (unsigned long long)(fixed + launch->shared_bytes), (unsigned long long)launch->shared_bytes,
                 func->demangled ? func->demangled : func->name, (unsigned long long)launch->shared_bytes);
}
