// place.c: where a lane is, for people: the line of their own code, and lanes in words.
#include "sim/core/place.h"
#include <string.h>

int32_t sim_reported_pc(const SimExec *exec, const SimWarp *warp, const SimLanes *group, int32_t pc) {
  if (!exec->program->own_code || !group || !group->mask || pc < 0) return pc;
  int32_t reported = pc;
  uint32_t lane = (uint32_t)__builtin_ctz(group->mask);
  const int32_t *returns = exec->returns + (size_t)(warp - exec->warps) * SIM_MAX_DEPTH * SIM_LANES;
  for (int depth = group->depth; depth > 0 && !exec->program->own_code[reported]; depth--)
    reported = returns[(depth - 1) * SIM_LANES + (int)lane] - 1;
  int32_t before = exec->program->own_before[reported];   // what the compiler put there instead of a call
  return before >= 0 ? before : pc;
}

void sim_fault_where(const SimProgram *program, int32_t pc, LsText *out) {
  int file, line;
  if (pc >= 0 && ptx_line_of(program->module, pc, &file, &line)) {
    const char *path = program->module->files[file], *slash = path ? strrchr(path, '/') : NULL;
    ls_text_addf(out, "%s:%d", slash ? slash + 1 : path ? path : "?", line);
  } else if (pc >= 0) {
    ls_text_addf(out, "line %d of the PTX", program->module->code[pc].line);
  }
}

// Lanes in many pieces are counted, with the first and the last of them.
static void add_many_lanes(uint32_t mask, LsText *out) {
  int first[3], found = 0;
  SIM_FOR_LANES(i, mask) if (found < 3) first[found++] = (int)i;
  ls_text_addf(out, "%d lanes (%d, %d, %d ... %d)", __builtin_popcount(mask), first[0], first[1], first[2],
               31 - __builtin_clz(mask));
}

void sim_fault_lanes(uint32_t mask, LsText *out) {
  if (mask == SIM_FULL) { ls_text_add(out, "all 32 lanes"); return; }
  if (__builtin_popcount(mask & ~(mask << 1)) > 4) { add_many_lanes(mask, out); return; }
  ls_text_add(out, __builtin_popcount(mask) == 1 ? "lane " : "lanes ");
  const char *comma = "";
  for (int first = 0; first < SIM_LANES; first++) {
    if (!(mask >> first & 1)) continue;
    int last = first;
    while (last + 1 < SIM_LANES && mask >> (last + 1) & 1) last++;
    if (last == first) ls_text_addf(out, "%s%d", comma, first);
    else ls_text_addf(out, "%s%d-%d", comma, first, last);
    comma = ", ";
    first = last;
  }
}
