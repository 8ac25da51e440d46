// extents.c: which array an address is of, from the code alone.
//
// Where one shared array ends the next one begins, so bounds of the whole space are not enough. Registers of every
// function are followed from the address of a variable (mov %r1, tile), the pointer of a parameter, or the place of a
// local array in the depot (of which -G tells), through moves and sums to the accesses. Only what can be nothing else
// counts: a register that has another value on some path, or comes from memory or another function, is of no array.
// In a sum one side is the address and the other an index, whatever that is; the difference of two addresses is none.
#include "ptx/debuginfo.h"
#include "ptx/def_use.h"
#include "sim/analysis/analysis.h"
#include "sim/core/form.h"
#include "sim/core/memory.h"

enum { NOTHING = 0, SEVERAL = -1, MOST_EXTENTS = 60000 };

// What a register may hold: an address in the array `of` (index + 1), and, if `other` is set, also something else.
typedef struct Flow { int of; bool other; } Flow;

typedef struct Finder {
  SimProgram *program;
  const SimMemory *memory;
  Flow **flows;
  int capacity;
  int *of_var, *of_param;
  bool changed;
} Finder;

// ---- the arrays ----------------------------------------------------------------------------------------------------

static int add_extent(Finder *f, SimExtent e) {
  if (f->program->extent_count >= MOST_EXTENTS) return NOTHING;
  LS_PUSH(f->program->extents, f->program->extent_count, f->capacity, e);
  return f->program->extent_count;
}

static bool is_followed(const SimProgram *program, const PtxVar *var) {
  bool space = var->space == PTX_SHARED || var->space == PTX_LOCAL || var->space == PTX_GLOBAL || var->space == PTX_CONST;
  if (var->func >= 0 && (!program->funcs[var->func].reached || program->funcs[var->func].recursive)) return false;
  return space;
}

static void add_variables(Finder *f) {
  const SimProgram *program = f->program;
  for (int v = 0; v < program->module->var_count; v++) {
    const PtxVar *var = &program->module->vars[v];
    uint64_t size = (uint64_t)LS_MAX(var->size, 0);
    if (!is_followed(program, var)) continue;
    if (var->space == PTX_SHARED && !size)
      size = program->shared_bytes - LS_MIN(program->shared_bytes, program->var_addr[v]);
    f->of_var[v] = add_extent(f, (SimExtent){.space = (uint8_t)sim_space_of((PtxSpace)var->space), .local_of = -1,
                                             .first = program->var_addr[v], .size = size});
  }
}

static void add_buffers(Finder *f) {
  for (int i = 0; i < f->program->launch->arg_count; i++) {
    const LaunchArg *arg = &f->program->launch->args[i];
    int buffer = f->memory->arg_alloc[arg->points ? arg->owner : i];
    const SimAlloc *a = buffer >= 0 ? &f->memory->allocs[buffer] : NULL;
    if (!a || f->program->arg_param[i] < 0) continue;
    f->of_param[f->program->arg_param[i]] =
        add_extent(f, (SimExtent){.space = TRACE_GLOBAL, .local_of = -1, .first = a->base, .size = a->size});
  }
}

static LaunchType element_type(const PtxDwType *type) {
  while (type && type->kind == PTX_DW_ARRAY) type = type->elem;
  if (!type) return LAUNCH_U8;
  bool real = type->kind == PTX_DW_FLOAT;
  switch (type->size) {
  case 2: return LAUNCH_U16;
  case 4: return real ? LAUNCH_F32 : LAUNCH_I32;
  case 8: return real ? LAUNCH_F64 : LAUNCH_I64;
  default: return LAUNCH_U8;
  }
}

static void add_locals(Finder *f) {
  const PtxDebugInfo *info = f->program->module->debuginfo;
  for (int i = 0; info && i < info->var_count; i++) {
    const PtxDwVar *var = &info->vars[i];
    for (int k = 0; k < var->place_count; k++) {
      const PtxPlace *p = &var->places[k];
      if (p->kind != PTX_PLACE_LOCAL || !var->type || var->type->size <= 0 || p->var < 0 || !f->of_var[p->var]) continue;
      add_extent(f, (SimExtent){.space = TRACE_LOCAL, .local_of = p->var, .name = var->name,
                                .type = (uint8_t)element_type(var->type),
                                .first = f->program->var_addr[p->var] + (uint64_t)p->offset,
                                .size = (uint64_t)var->type->size});
    }
  }
}

// The only local array of the depot at this place; the depot itself if that is not known.
static int local_at(const Finder *f, int depot, int64_t offset) {
  int found = 0, var = f->program->extents[depot - 1].local_of;
  uint64_t at = f->program->extents[depot - 1].first + (uint64_t)offset;
  if (var >= 0) return depot;
  for (int i = 0; i < f->program->extent_count; i++) {
    const SimExtent *e = &f->program->extents[i];
    if (e->local_of < 0 || f->of_var[e->local_of] != depot || at < e->first || at - e->first >= e->size) continue;
    if (found && f->program->extents[found - 1].first != e->first) return SEVERAL;
    if (!found || e->size > f->program->extents[found - 1].size) found = i + 1;
  }
  return found ? found : SEVERAL;
}

// ---- values --------------------------------------------------------------------------------------------------------

static const Flow elsewhere = {NOTHING, true};

static bool is_known(Flow a) { return a.of != NOTHING || a.other; }   // false: nothing has come to it yet

static Flow value_of(const Finder *f, const PtxInstr *in, const PtxOperand *o) {
  if (o->kind == PTX_OPD_REG) return f->flows[in->func][o->reg];
  if (o->kind == PTX_OPD_VAR && f->of_var[o->var]) return (Flow){f->of_var[o->var], false};
  return elsewhere;
}

static Flow either(Flow a, Flow b) {
  int of = !a.of ? b.of : !b.of || a.of == b.of ? a.of : SEVERAL;
  return (Flow){of, a.other || b.other};
}

static bool is_depot(const Finder *f, int of) {
  return of > 0 && f->program->extents[of - 1].space == TRACE_LOCAL && f->program->extents[of - 1].local_of < 0;
}

static Flow sum(const Finder *f, Flow a, Flow b, const PtxOperand *index) {
  if (!is_known(a) || !is_known(b)) return (Flow){0};
  if (a.of && b.of) return (Flow){SEVERAL, true};
  Flow at = a.of ? a : b;
  if (is_depot(f, at.of)) at.of = index->kind == PTX_OPD_IMM ? local_at(f, at.of, (int64_t)index->imm) : SEVERAL;
  return at;
}

static Flow difference(Flow a, Flow b, const PtxOperand *by) {
  if (!is_known(a) || !is_known(b)) return (Flow){0};
  if (b.of) return a.of == b.of && a.of > 0 && !a.other && !b.other ? elsewhere : (Flow){SEVERAL, true};
  return (Flow){a.of, a.other || by->kind != PTX_OPD_IMM};
}

// Any other arithmetic: addresses come out of it as something unknown.
static Flow mixed(const Finder *f, const PtxInstr *in, int first, int last) {
  Flow all = {0};
  for (int i = first; i <= last && i < in->operand_count; i++) {
    Flow a = value_of(f, in, &in->operands[i]);
    if (!is_known(a)) return (Flow){0};
    if (a.of) all.of = SEVERAL;
  }
  all.other = true;
  return all;
}

static Flow of_load(const Finder *f, const PtxInstr *in) {
  const PtxOperand *mem = &in->operands[1];
  const PtxFunc *entry = &f->program->module->funcs[f->program->entry];
  bool of_entry = in->space == PTX_PARAM && in->func == f->program->entry && mem->kind == PTX_OPD_MEM;
  if (!of_entry || mem->base != PTX_BASE_VAR || mem->offset) return elsewhere;
  for (int i = 0; i < entry->param_count; i++)
    if (entry->params[i].var == mem->var && entry->params[i].size == 8 && f->of_param[i])
      return (Flow){f->of_param[i], false};
  return elsewhere;
}

// A mask that only clears low bits.
static bool is_alignment(const PtxOperand *mask) {
  return mask->kind == PTX_OPD_IMM && (uint32_t)mask->imm >= 0xf0000000u;
}

static Flow result_of(const Finder *f, const PtxInstr *in) {
  const PtxOperand *o = in->operands;
  switch (in->op) {
  case PTX_OP_mov: case PTX_OP_cvta: case PTX_OP_cvt: return value_of(f, in, &o[1]);
  case PTX_OP_and: if (!is_alignment(&o[2])) return mixed(f, in, 1, 2);   // fall through
  case PTX_OP_add: case PTX_OP_or: case PTX_OP_xor:
    return sum(f, value_of(f, in, &o[1]), value_of(f, in, &o[2]), &o[2]);
  case PTX_OP_sub: return difference(value_of(f, in, &o[1]), value_of(f, in, &o[2]), &o[2]);
  case PTX_OP_mad: return sum(f, mixed(f, in, 1, 2), value_of(f, in, &o[3]), &o[1]);
  case PTX_OP_selp: return either(value_of(f, in, &o[1]), value_of(f, in, &o[2]));
  case PTX_OP_ld: case PTX_OP_ldu: return of_load(f, in);
  default: return mixed(f, in, 1, in->operand_count - 1);
  }
}

// ---- following -----------------------------------------------------------------------------------------------------

static void follow(Finder *f, const PtxInstr *in) {
  for (PtxRef def = {0}; ptx_each_def(in, &def);) {
    if (def.kind != PTX_REF_REG) continue;
    bool known = !def.element && in->operands[0].pair < 0 && in->operand_count > 1;
    Flow *reg = &f->flows[in->func][def.reg], now = either(*reg, known ? result_of(f, in) : elsewhere);
    f->changed |= now.of != reg->of || now.other != reg->other;
    *reg = now;
  }
}

// A call's results, a parameter in a register: anything may be in them.
static void start_functions(Finder *f) {
  for (int g = 0; g < f->program->module->func_count; g++) {
    const PtxFunc *func = &f->program->module->funcs[g];
    for (int i = 0; i < func->param_count; i++) if (func->params[i].reg >= 0) f->flows[g][func->params[i].reg] = elsewhere;
  }
}

void sim_find_extents(SimProgram *program, const SimMemory *memory) {
  const PtxModule *m = program->module;
  Finder f = {.program = program, .memory = memory, .changed = true};
  f.of_var = LS_NEW_ARRAY(program->arena, int, m->var_count + 1);
  f.of_param = LS_NEW_ARRAY(program->arena, int, m->funcs[program->entry].param_count + 1);
  f.flows = LS_NEW_ARRAY(program->arena, Flow *, m->func_count + 1);
  for (int g = 0; g < m->func_count; g++) f.flows[g] = LS_NEW_ARRAY(program->arena, Flow, m->funcs[g].reg_count + 1);
  add_variables(&f);
  add_buffers(&f);
  add_locals(&f);
  start_functions(&f);
  while (f.changed) {
    f.changed = false;
    for (int pc = 0; pc < m->code_count; pc++) if (program->funcs[m->code[pc].func].reached) follow(&f, &m->code[pc]);
  }
  program->reg_extents = LS_NEW_ARRAY(program->arena, int32_t *, m->func_count + 1);
  for (int g = 0; g < m->func_count; g++) {
    program->reg_extents[g] = LS_NEW_ARRAY(program->arena, int32_t, m->funcs[g].reg_count + 1);
    for (int r = 0; r < m->funcs[g].reg_count; r++)
      program->reg_extents[g][r] = f.flows[g][r].of > 0 && !f.flows[g][r].other ? f.flows[g][r].of : 0;
  }
  program->var_extents = f.of_var;
}

// ---- telling -------------------------------------------------------------------------------------------------------

// Whose place an address is, if it is not the array's that was meant. 0: nobody's.
int sim_extent_at(const SimProgram *program, int meant, uint64_t addr) {
  const SimExtent *mine = &program->extents[meant - 1];
  for (int i = program->extent_count - 1; i >= 0; i--) {   // local arrays come after the depot that they are in
    const SimExtent *e = &program->extents[i];
    if (i != meant - 1 && e->space == mine->space && addr >= e->first && addr - e->first < e->size) return i + 1;
  }
  return 0;
}
