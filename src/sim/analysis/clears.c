// clears.c: what has to be cleared of a warp's registers before a block begins.
//
// A register that every way sets before it is used may keep what the block before left in it. A forward data flow finds
// the others, those that may still be unset where something uses them. What is guarded sets nothing for sure. Matrices
// are made of the registers of lanes that the block may not have, and functions get registers from others: where these
// are, all is cleared.
#include <string.h>
#include "ptx/def_use.h"
#include "sim/analysis/analysis.h"
#include "sim/core/slots.h"

typedef uint64_t Word;
enum { BITS = 64 };

typedef struct Flow {
  const SimProgram *program;
  const PtxFunc *func;
  const PtxCfg *cfg;
  int words;                 // of a set of registers
  Word **in;                 // per block of the graph: what may be unset at its start
  Word *used;                // those that are used while they may be
} Flow;

static void set_registers(const PtxInstr *in, Word *unset) {
  if (in->guard >= 0) return;
  for (PtxRef r = {0}; ptx_each_def(in, &r);)
    if (r.kind == PTX_REF_REG) unset[r.reg / BITS] &= ~(1ull << r.reg % BITS);
}

static void use_registers(const Flow *f, const PtxInstr *in, const Word *unset) {
  for (PtxRef r = {0}; ptx_each_use(in, &r);)
    if (r.kind == PTX_REF_REG) f->used[r.reg / BITS] |= unset[r.reg / BITS] & 1ull << r.reg % BITS;
}

static bool pass_block(const Flow *f, const PtxBlock *block, Word *unset) {
  bool changed = false;
  for (int pc = block->first; pc < block->first + block->count; pc++) {
    const PtxInstr *in = &f->program->module->code[pc];
    use_registers(f, in, unset);
    set_registers(in, unset);
  }
  for (int s = 0; s < block->succ_count; s++) {
    Word *next = f->in[block->succ[s]];
    for (int w = 0; w < f->words; w++) {
      changed |= (unset[w] & ~next[w]) != 0;
      next[w] |= unset[w];
    }
  }
  return changed;
}

static void find_used(const Flow *f, Word *unset) {
  memset(f->in[0], 0xff, sizeof(Word) * (size_t)f->words);
  for (bool changed = true; changed;) {
    changed = false;
    for (int b = 0; b < f->cfg->block_count; b++) {
      memcpy(unset, f->in[b], sizeof(Word) * (size_t)f->words);
      changed |= pass_block(f, &f->cfg->blocks[b], unset);
    }
  }
}

// ---- ranges --------------------------------------------------------------------------------------------------------

static void add_range(SimProgram *program, uint32_t at, uint32_t size) {
  SimClear *last = program->clear_count ? &program->clears[program->clear_count - 1] : NULL;
  if (last && last->at + last->size == at) last->size += size;
  else if (size) program->clears[program->clear_count++] = (SimClear){at, size};
}

static bool is_of_matrices(const PtxInstr *in) {
  return ptx_op_class((PtxOp)in->op) == PTX_CLASS_MATRIX || in->op == PTX_OP_ldmatrix || in->op == PTX_OP_stmatrix;
}

// Does each lane use registers of its own alone, and all of them by instructions?
static bool is_plain(const SimProgram *program) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  for (int pc = f->first; pc < f->first + f->count; pc++) if (is_of_matrices(&program->module->code[pc])) return false;
  return !program->has_calls && program->cfgs[program->entry]->block_count > 0;
}

// Behind the registers are bits of those that are watched, and carries. What is in front of them nobody reads.
static bool has_bits(const SimProgram *program) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  bool any = program->watched_count > 0;
  for (int pc = f->first; pc < f->first + f->count; pc++) any |= ptx_reads_carry(&program->module->code[pc]);
  return any;
}

// Registers lie in the order of their slots: first predicates, then the others.
static void add_registers(SimProgram *program, const Word *used) {
  const PtxFunc *f = &program->module->funcs[program->entry];
  for (int pass = 0; pass < 2; pass++)
    for (int r = 0; r < f->reg_count; r++) {
      bool is_predicate = sim_reg_bytes(program->module, program->entry, r) == 1;
      if (is_predicate != (pass == 0) || !(used[r / BITS] >> r % BITS & 1)) continue;
      add_range(program, program->funcs[program->entry].slots[r], sim_slot_size(program, program->entry, r));
    }
}

void sim_find_clears(SimProgram *program) {
  const PtxFunc *func = &program->module->funcs[program->entry];
  program->clears = LS_NEW_ARRAY(program->arena, SimClear, func->reg_count + 2);
  if (!is_plain(program)) { add_range(program, 0, program->clear_bytes); return; }
  LsArena *arena = ls_arena_new();
  Flow f = {.program = program, .func = func, .cfg = program->cfgs[program->entry],
            .words = func->reg_count / BITS + 1};
  f.in = LS_NEW_ARRAY(arena, Word *, f.cfg->block_count);
  for (int b = 0; b < f.cfg->block_count; b++) f.in[b] = LS_NEW_ARRAY(arena, Word, f.words);
  program->early = f.used = LS_NEW_ARRAY(program->arena, Word, f.words);
  find_used(&f, LS_NEW_ARRAY(arena, Word, f.words));
  add_registers(program, f.used);
  if (has_bits(program))
    add_range(program, program->watch_slot, program->clear_bytes - program->watch_slot);
  ls_arena_free(arena);
}
