// decode.c: turns the instructions that a kernel can reach into SimInst, once, before anything runs.
#include "sim/decode/decode.h"
#include <stdlib.h>
#include "base/file.h"
#include "sim/analysis/analysis.h"
#include "sim/core/slots.h"

static bool decode_one(SimProgram *program, SimDecodeOp decode_op, int pc, const char **why) {
  const PtxInstr *in = &program->module->code[pc];
  SimInst *out = &program->code[pc];
  SimDecoder d = {program, in, out, in->func, pc, NULL, NULL};
  *out = (SimInst){.guard = SIM_NO_SLOT, .guard_negate = in->guard_negate != 0, .kind = TRACE_EXEC,
                   .watched = program->watches && program->watches[pc]};
  if (in->guard >= 0) out->guard = program->funcs[in->func].slots[in->guard];
  bool ok = decode_op(&d) && !d.why;
  *why = d.why;
  return ok;
}

// ---- straight lines ------------------------------------------------------------------------------------------------

static void mark_join(uint8_t *joins, int32_t pc) { if (pc >= 0) joins[pc] = 1; }

// Straight lines end where lanes may meet, so that the executor looks at these places only between lines.
static void find_runs(SimProgram *program) {
  const PtxModule *m = program->module;
  uint8_t *joins = ls_alloc((size_t)m->code_count + 1);
  for (int pc = 0; pc < m->code_count; pc++) {
    const PtxInstr *in = &m->code[pc];
    if (!program->funcs[in->func].reached) continue;
    const PtxBlock *block = ptx_cfg_block(m, program->cfgs[in->func], pc);
    for (int i = 0; ptx_branches(in) && i < block->meeting_count; i++) mark_join(joins, block->meetings[i].pc);
    if (ptx_branches(in) && block->ipdom >= 0) mark_join(joins, program->cfgs[in->func]->blocks[block->ipdom].first);
    if (in->op == PTX_OP_call) mark_join(joins, pc + 1);
  }
  for (int pc = m->code_count - 1; pc >= 0; pc--) {
    SimInst *in = &program->code[pc];
    in->meets = joins[pc] != 0;
    bool is_last = in->kind == TRACE_BRANCH, is_quiet = in->op.run && (!in->handler || in->kind == TRACE_LOAD);
    if ((!is_quiet && !in->shaped && !is_last) || (in->guard != SIM_NO_SLOT && !is_last) || in->watched) continue;
    bool goes_on = !is_last && pc + 1 < m->code_count && m->code[pc + 1].func == m->code[pc].func && !joins[pc + 1];
    const SimInst *next = goes_on ? &program->code[pc + 1] : &(SimInst){0};
    in->run = (uint16_t)LS_MIN(1 + next->run, UINT16_MAX);
    in->takes_params = is_quiet && (in->kind == TRACE_LOAD || (next->quiet && next->takes_params));
    if (is_quiet) in->quiet = (uint16_t)LS_MIN(1 + next->quiet, in->run);
  }
  free(joins);
}

// Everything that cannot be executed is told in one message, with lines.
static void refuse_first(const SimProgram *program, int line, int col, int *refused, LsErr *err) {
  const char *path = program->module->path ? program->module->path : "";
  if ((*refused)++ > 0) return;
  if (ls_ends_with(path, ".cu"))   // the lines are not those of this file
    ls_fail(err, LS_EUNSUPPORTED, "%s: the emulator cannot execute everything that this kernel reaches; in its PTX:", path);
  else
    ls_fail_at(err, LS_EUNSUPPORTED, path, line, col, "the emulator cannot execute everything that this kernel reaches:");
}

static void add_source_line(const PtxModule *m, int pc, LsErr *err) {
  int file, line;
  if (ptx_line_of(m, pc, &file, &line) && m->files[file])
    ls_err_append(err, "    which is of %s:%d, in %s", ls_path_base(m->files[file]), line, m->funcs[m->code[pc].func].demangled);
}

static void refuse_func(const SimProgram *program, int func, const char *why, int *refused, LsErr *err) {
  const PtxFunc *f = &program->module->funcs[func];
  refuse_first(program, f->line, 1, refused, err);
  if (*refused <= 12) ls_err_append(err, "  line %d: %s %s", f->line, f->demangled, why);
}

static void refuse(const SimProgram *program, int pc, const char *why, int *refused, LsErr *err) {
  LsText text = {0};
  ptx_print_instr(program->module, pc, &text);
  refuse_first(program, program->module->code[pc].line, program->module->code[pc].col, refused, err);
  if (*refused <= 12) ls_err_append(err, "  line %d: %s%s%s", program->module->code[pc].line, ls_text_str(&text),
                                    why ? "  -- not supported: " : "", why ? why : "");
  if (*refused <= 12) add_source_line(program->module, pc, err);
  ls_text_free(&text);
}

// What of a function cannot be executed, beside its instructions; NULL: nothing.
static const char *refused_shape(const PtxModule *m, int func) {
  const PtxFunc *f = &m->funcs[func];
  bool in_regs = false;
  for (int i = 0; i < f->param_count; i++) {
    in_regs |= f->params[i].var < 0;
    if (f->params[i].var < 0 && sim_reg_bytes(m, func, f->params[i].reg) > 8) return "takes 128 bits in a register";
  }
  for (int i = 0; i < f->result_count; i++)
    if (f->results[i].var < 0 ? sim_reg_bytes(m, func, f->results[i].reg) > 8 : f->results[i].size > SIM_RESULT_BYTES)
      return "returns 128 bits in a register, or more than 64 bytes";
  if (in_regs && f->param_count > SIM_MOST_PASSED) return "takes more than 16 parameters, some of them in registers";
  return f->result_count > SIM_MOST_RESULTS ? "returns more than 4 values" : NULL;
}

static const char *refused_cluster(const SimProgram *program) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  int64_t blocks = 1;
  for (int i = 0; i < 3; i++) blocks *= LS_MAX(f->reqnctapercluster[i], 1);
  if (blocks == 1) return NULL;
  return ls_arena_format(program->arena, "has to run in clusters of %d x %d x %d blocks; here a cluster is one block",
                         f->reqnctapercluster[0], f->reqnctapercluster[1], f->reqnctapercluster[2]);
}

static void decode_func(SimProgram *program, SimDecodeOp decode_op, int func, int *refused, LsErr *err) {
  const PtxFunc *f = &program->module->funcs[func];
  const char *shape = func == program->entry ? refused_cluster(program) : refused_shape(program->module, func);
  if (shape) refuse_func(program, func, shape, refused, err);
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    const char *why = NULL;
    if (!decode_one(program, decode_op, pc, &why)) refuse(program, pc, why, refused, err);
  }
}

bool sim_decode(SimProgram *program, SimDecodeOp decode_op, LsErr *err) {
  const PtxModule *m = program->module;
  program->cfgs = LS_NEW_ARRAY(program->arena, PtxCfg *, m->func_count);
  for (int f = 0; f < m->func_count; f++)
    if (program->funcs[f].reached) program->cfgs[f] = ptx_cfg_new(m, f, program->arena);
  sim_find_levels(program);
  sim_find_unset(program);
  if (!sim_slots_new(program)) return ls_fail(err, LS_EUNSUPPORTED, "the kernel has too many registers to emulate");
  program->code = LS_NEW_ARRAY(program->arena, SimInst, m->code_count + 1);
  program->sums = LS_NEW_ARRAY(program->arena, SimSums *, m->code_count + 1);
  int refused = 0;
  for (int f = 0; f < m->func_count; f++)
    if (program->funcs[f].reached) decode_func(program, decode_op, f, &refused, err);
  if (refused > 12) ls_err_append(err, "  and %d more", refused - 12);
  if (refused) return false;
  find_runs(program);
  return true;
}
