// launch_shared.c: shared memory beyond what a launch gets without asking; extern arrays that overlap.
//
// The former is 48 KB on every compute capability (CUDA C++ Programming Guide, "Compute Capabilities"); more has to be
// dynamic, and allowed by an attribute of the kernel.
#include "launch/settle.h"
#include "ptx/def_use.h"

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

// Whether the kernel, or a function that it may call, uses a variable.
static bool is_used(const PtxModule *module, int entry, int var) {
  for (int pc = 0; pc < module->code_count; pc++) {
    const PtxInstr *in = &module->code[pc];
    if (in->func != entry && module->funcs[in->func].is_entry) continue;
    for (PtxRef r = {0}; ptx_each_use(in, &r);) if (r.kind == PTX_REF_VAR && r.var == var) return true;
  }
  return false;
}

// All extern arrays of a kernel begin at the first byte of its dynamic shared memory.
static void add_overlap(const PtxModule *module, int entry, LsText *notes) {
  int first = -1;
  for (int v = 0; v < module->var_count; v++) {
    const PtxVar *var = &module->vars[v];
    if (var->space != PTX_SHARED || var->size > 0 || !is_used(module, entry, v)) continue;
    if (first >= 0)
      ls_text_addf(notes,
                   "%s and %s are extern __shared__ arrays, and both begin at the same byte: what is written through "
                   "one is read through the other. Declare one, and let the second array begin behind the first\n",
                   module->vars[first].source_name, var->source_name);
    else first = v;
  }
}

void launch_shared_note(const PtxModule *module, int entry, const Launch *launch, LsText *notes) {
  uint64_t fixed = static_bytes(module, entry);
  const PtxFunc *func = &module->funcs[entry];
  add_overlap(module, entry, notes);
  if (fixed > WITHOUT_ASKING)
    ls_text_addf(notes,
                 "%llu bytes of shared memory are declared with their size; CUDA's assembler takes 49152 (48 KB): "
                 "declare one array as extern __shared__, and give its bytes with the launch (-s)\n",
                 (unsigned long long)fixed);
  else if (fixed + launch->shared_bytes > WITHOUT_ASKING)
    ls_text_addf(notes,
                 "%llu bytes of shared memory, of which %llu are dynamic: a launch gets no more than 49152 (48 KB) unless "
                 "the host calls cudaFuncSetAttribute(%s, cudaFuncAttributeMaxDynamicSharedMemorySize, %llu) before it; "
                 "else CUDA refuses it\n",
                 (unsigned long long)(fixed + launch->shared_bytes), (unsigned long long)launch->shared_bytes,
                 func->demangled ? func->demangled : func->name, (unsigned long long)launch->shared_bytes);
}
