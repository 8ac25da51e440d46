// own_code.c: which instructions are of the kernel's own source file, and not of the toolkit's headers.
#include <string.h>
#include "sim/analysis/analysis.h"
#include "sim/core/program.h"

static size_t folder_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) : 0;
}

// Headers of the toolkit (atomicAdd, __shfl_sync) are .h and .hpp, or in another folder.
static bool is_own_file(const char *path, const char *kernel) {
  const char *dot = strrchr(path, '.');
  if (strcmp(path, kernel) == 0) return true;
  if (dot && (strcmp(dot, ".h") == 0 || strcmp(dot, ".hpp") == 0)) return false;
  return folder_length(path) == folder_length(kernel) && strncmp(path, kernel, folder_length(kernel)) == 0;
}

void sim_find_own_code(SimProgram *program) {
  const PtxModule *m = program->module;
  int file, line, kernel = -1;
  if (!program->has_calls) return;
  for (int pc = m->funcs[program->entry].first; kernel < 0 && pc < m->code_count && m->code[pc].func == program->entry;
       pc++)
    if (ptx_line_of(m, pc, &file, &line)) kernel = file;
  if (kernel < 0 || !m->files[kernel]) return;
  program->own_code = LS_NEW_ARRAY(program->arena, uint8_t, m->code_count + 1);
  program->own_before = LS_NEW_ARRAY(program->arena, int32_t, m->code_count + 1);
  for (int pc = 0, before = -1; pc < m->code_count; pc++) {
    bool known = ptx_line_of(m, pc, &file, &line) && m->files[file];
    program->own_code[pc] = known && is_own_file(m->files[file], m->files[kernel]);
    if (pc && m->code[pc].func != m->code[pc - 1].func) before = -1;
    program->own_before[pc] = before = program->own_code[pc] ? pc : before;
  }
}
