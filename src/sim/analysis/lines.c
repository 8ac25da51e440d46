// lines.c: how far it is from an instruction to the next line of the source, where a warp's stint should end.
#include "sim/analysis/analysis.h"

enum { FAR = 64 };

// Whether an instruction comes from the same line as the one before it.
static bool goes_on(const PtxModule *m, int pc) {
  int file, line, file_before, line_before;
  return pc > 0 && m->code[pc].func == m->code[pc - 1].func && ptx_line_of(m, pc, &file, &line) &&
         ptx_line_of(m, pc - 1, &file_before, &line_before) && file == file_before && line == line_before;
}

void sim_find_lines(SimProgram *program) {
  const PtxModule *m = program->module;
  program->to_line = LS_NEW_ARRAY(program->arena, uint8_t, m->code_count + 2);
  for (int pc = m->code_count - 1; pc >= 0; pc--) {
    int rest = program->to_line[pc + 1];
    program->to_line[pc] = (uint8_t)(goes_on(m, pc) ? LS_MIN(rest + 1, FAR) : 0);
  }
  for (int pc = 0; pc < m->code_count; pc++)
    if (program->to_line[pc] == FAR) program->to_line[pc] = 0;
}
