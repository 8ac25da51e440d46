// debuginfo.c: variables of the source and where they live, from DWARF.
#include "ptx/debuginfo.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/def_use.h"
#include "ptx/dwtype.h"
#include "ptx/parser.h"

enum { PLACES_LIMIT = 4096, VARS_LIMIT = 1 << 20 };

typedef struct NamedReg { const char *name; int reg; } NamedReg;

typedef struct Builder {
  PtxModule *module;
  const PtxSection *info, *loc;
  PtxDies dies;
  PtxDwTypes types;
  PtxDwVar *vars;
  int var_count, var_capacity;
  PtxPlace *places;              // of the variable being made
  int place_count, place_capacity;
  NamedReg *regs;                // registers of regs_func, sorted by name
  int regs_func;
} Builder;

// Which function, range and inlined function an entry stands in.
typedef struct Scope { int func, first, last, depth; const char *inlined; } Scope;

static int compare_names(const void *a, const void *b) {
  return strcmp(((const NamedReg *)a)->name, ((const NamedReg *)b)->name);
}

static void sort_regs(Builder *b, int func) {
  const PtxFunc *f = &b->module->funcs[func];
  free(b->regs);
  b->regs = ls_alloc(sizeof *b->regs * (size_t)f->reg_count);
  for (int i = 0; i < f->reg_count; i++) b->regs[i] = (NamedReg){f->regs[i].name, i};
  qsort(b->regs, (size_t)f->reg_count, sizeof *b->regs, compare_names);
  b->regs_func = func;
}

// Scoped registers may share a name; any of them will do, as the places of variables are never scoped ones.
static int reg_named(Builder *b, int func, const char *name) {
  if (b->regs_func != func) sort_regs(b, func);
  NamedReg wanted = {name, 0};
  const NamedReg *found =
      bsearch(&wanted, b->regs, (size_t)b->module->funcs[func].reg_count, sizeof *b->regs, compare_names);
  return found ? found->reg : -1;
}

static int place_kind(uint8_t space) {
  switch (space) {
    case PTX_SHARED: return PTX_PLACE_SHARED;
    case PTX_GLOBAL: return PTX_PLACE_GLOBAL;
    case PTX_CONST: return PTX_PLACE_CONST;
    case PTX_PARAM: return PTX_PLACE_PARAM;
    case PTX_LOCAL: return PTX_PLACE_LOCAL;
    default: return -1;
  }
}

// expression = addr [ plus_uconst ] | regx ;   nvcc writes no others
static bool read_place(Builder *b, int func, PtxBytes *bytes, PtxPlace *place) {
  char name[24];
  uint64_t op = ptx_bytes_uint(bytes, 1);
  *place = (PtxPlace){.reg = -1, .var = -1};
  if (op == DW_OP_REGX) {
    ptx_bytes_reg_name(bytes, name);
    place->kind = PTX_PLACE_REG;
    place->reg = func >= 0 && bytes->at == bytes->end ? reg_named(b, func, name) : -1;
    return !bytes->bad && place->reg >= 0;
  }
  if (op != DW_OP_ADDR) return false;
  const PtxSectionFix *fix = ptx_section_fix_at(bytes->section, bytes->at);
  place->offset = (int64_t)ptx_bytes_uint(bytes, 8);
  if (!fix || fix->name->var < 0 || bytes->bad) return false;
  place->var = fix->name->var;
  bool more = bytes->at < bytes->end && ptx_bytes_uint(bytes, 1) == DW_OP_PLUS_UCONST;
  if (more) place->offset = (int64_t)((uint64_t)place->offset + ptx_bytes_uleb(bytes));
  int kind = place_kind(b->module->vars[place->var].space);
  place->kind = (uint8_t)kind;
  return kind >= 0 && bytes->at == bytes->end && !bytes->bad;
}

// A register holds its variable from the first instruction that writes it; before that there is nothing to show.
static int first_write(const PtxModule *m, const PtxPlace *place, int first, int last) {
  for (int pc = first; pc < last; pc++)
    if (ptx_defines(&m->code[pc], place->reg)) return pc + 1;
  return first;
}

static void add_place(Builder *b, PtxPlace place, int64_t first, int64_t last) {
  int count = b->module->code_count;
  if (first < 0 || last > count || first >= last || b->place_count >= PLACES_LIMIT) return;
  place.first = (int)first;
  place.last = (int)last;
  LS_PUSH(b->places, b->place_count, b->place_capacity, place);
}

// One address of a location list; `real` says that a label stood there, as the number 0 is a pc too.
static int64_t list_address(PtxBytes *bytes, bool *real) {
  *real = ptx_section_fix_at(bytes->section, bytes->at) != NULL;
  return (int64_t)ptx_bytes_uint(bytes, 8);
}

// list = { begin end size expression } 0 0 ;
static void read_list(Builder *b, const Scope *scope, int64_t at) {
  if (!b->loc || at >= b->loc->size) return;
  PtxBytes bytes = {.section = b->loc, .at = at, .end = b->loc->size};
  for (int i = 0; i < PLACES_LIMIT; i++) {
    bool real_first, real_last;
    int64_t first = list_address(&bytes, &real_first), last = list_address(&bytes, &real_last);
    if (bytes.bad || (!real_first && !real_last && !first && !last)) break;
    int64_t size = (int64_t)ptx_bytes_uint(&bytes, 2);
    if (bytes.bad || size > bytes.end - bytes.at) break;
    PtxBytes expr = {.section = b->loc, .at = bytes.at, .end = bytes.at + size};
    PtxPlace place;
    if (read_place(b, scope->func, &expr, &place)) add_place(b, place, first, last);
    bytes.at += size;
  }
}

static void read_places(Builder *b, const Scope *scope, const PtxDie *die) {
  b->place_count = 0;
  if (die->list >= 0) read_list(b, scope, die->list);
  if (!die->expr_size) return;
  PtxBytes bytes = {.section = b->info, .at = die->expr, .end = die->expr + die->expr_size};
  PtxPlace place;
  if (!read_place(b, scope->func, &bytes, &place)) return;
  int first = place.kind == PTX_PLACE_REG ? first_write(b->module, &place, scope->first, scope->last) : scope->first;
  add_place(b, place, first, scope->last);
}

static void copy_places(Builder *b, PtxDwVar *var) {
  var->places = LS_NEW_ARRAY(b->module->arena, PtxPlace, b->place_count);
  var->place_count = b->place_count;
  if (b->place_count) memcpy(var->places, b->places, sizeof *var->places * (size_t)b->place_count);
}

// A variable of the module is worth an entry only if it is in the module.
static bool is_kept(const Builder *b, const PtxDwVar *var) { return var->name && (var->func >= 0 || b->place_count); }

static void add_var(Builder *b, const Scope *scope, const PtxDie *die) {
  const PtxDie *said = die->origin >= 0 ? ptx_die_at(&b->dies, die->origin) : die;
  if (!said || b->var_count >= VARS_LIMIT) return;
  const char *name = said->name ? said->name : die->name;
  read_places(b, scope, die);
  PtxDwVar var = {.func = scope->func,
                  .decl_line = (int)LS_CLAMP(said->line, (int64_t)0, (int64_t)INT32_MAX),
                  .scope_first = scope->first,
                  .scope_last = scope->last,
                  .depth = scope->depth,
                  .inlined = scope->inlined};
  var.is_param = die->tag == DW_TAG_PARAM && scope->depth == 0;
  var.name = name ? ls_arena_strdup(b->module->arena, name) : NULL;
  if (!is_kept(b, &var)) return;
  var.type = ptx_dwtype(&b->types, said->type);
  copy_places(b, &var);
  LS_PUSH(b->vars, b->var_count, b->var_capacity, var);
}

static int func_of_pc(const PtxModule *m, int64_t pc) {
  for (int f = 0; f < m->func_count; f++) {
    const PtxFunc *func = &m->funcs[f];
    if (!func->is_extern && pc >= func->first && pc < func->first + func->count) return f;
  }
  return -1;
}

// The scope that an entry opens, inside `outer`; false: nothing below it is in the code.
static bool enter(Builder *b, const PtxDie *die, const Scope *outer, Scope *inner) {
  *inner = *outer;
  bool ranged = die->low >= 0 && die->high >= die->low && die->high <= b->module->code_count;
  if (ranged) inner->first = (int)die->low, inner->last = (int)die->high;
  switch (die->tag) {
    case DW_TAG_FUNCTION:
      inner->func = ranged ? func_of_pc(b->module, die->low) : -1;
      inner->depth = 0;
      return inner->func >= 0;
    case DW_TAG_INLINED: {
      const PtxDie *origin = ptx_die_at(&b->dies, die->origin);
      const char *name = origin && origin->name ? origin->name : "?";
      inner->inlined = ls_arena_strdup(b->module->arena, name);
      inner->depth++;
      return outer->func >= 0 && ranged;
    }
    case DW_TAG_BLOCK:
      inner->depth++;
      return outer->func >= 0;
    default: return die->tag == DW_TAG_UNIT;
  }
}

// Entries stand in the order of the tree, so a stack of open scopes is enough.
static void walk(Builder *b) {
  enum { DEPTH = 256 };
  Scope scopes[DEPTH] = {{.func = -1, .last = b->module->code_count}};
  int ends[DEPTH] = {b->dies.count}, depth = 0;
  for (int i = 0; i < b->dies.count;) {
    const PtxDie *die = &b->dies.items[i];
    while (depth && i >= ends[depth]) depth--;
    if (die->tag == DW_TAG_VARIABLE || die->tag == DW_TAG_PARAM) add_var(b, &scopes[depth], die);
    if (die->end <= i + 1 || depth + 1 == DEPTH || !enter(b, die, &scopes[depth], &scopes[depth + 1])) {
      i = LS_MAX(die->end, i + 1);
      continue;
    }
    ends[++depth] = die->end;
    i++;
  }
}

static bool is_in_memory(uint8_t space) { return space == PTX_SHARED || space == PTX_GLOBAL || space == PTX_CONST; }

static void set_type(PtxModule *module, const PtxDwVar *var) {
  for (int i = 0; i < var->place_count; i++) {
    const PtxPlace *place = &var->places[i];
    bool is_whole = place->kind != PTX_PLACE_REG && place->var >= 0 && place->offset == 0;
    if (is_whole && is_in_memory(module->vars[place->var].space)) module->vars[place->var].source_type = var->type;
  }
}

struct PtxDebugInfo *ptx_read_debuginfo(PtxModule *module, const PtxSections *sections) {
  const PtxSection *abbrev = ptx_section_find(sections, ".debug_abbrev");
  Builder b = {.module = module,
               .info = ptx_section_find(sections, ".debug_info"),
               .loc = ptx_section_find(sections, ".debug_loc"),
               .regs_func = -1};
  if (!abbrev || !b.info) return NULL;
  ptx_dwarf_read(b.info, abbrev, &b.dies);
  b.types = (PtxDwTypes){.dies = &b.dies, .arena = module->arena};
  walk(&b);
  ptx_dwtypes_finish(&b.types);
  PtxDebugInfo *info = b.var_count ? LS_NEW(module->arena, PtxDebugInfo) : NULL;
  for (int i = 0; i < b.var_count; i++) set_type(module, &b.vars[i]);
  if (info) {
    info->vars = LS_NEW_ARRAY(module->arena, PtxDwVar, b.var_count);
    memcpy(info->vars, b.vars, sizeof *info->vars * (size_t)b.var_count);
    info->var_count = b.var_count;
  }
  free(b.dies.items);
  free(b.vars);
  free(b.places);
  free(b.regs);
  return info;
}

const PtxPlace *ptx_var_place(const PtxDwVar *var, int pc) {
  for (int i = 0; i < var->place_count; i++) {
    if (pc >= var->places[i].first && pc < var->places[i].last) return &var->places[i];
  }
  return NULL;
}

bool ptx_var_in_scope(const PtxDwVar *var, int pc) { return pc >= var->scope_first && pc < var->scope_last; }

static bool lives_in(const PtxDwVar *var, int module_var) {
  for (int i = 0; i < var->place_count; i++) {
    if (var->places[i].kind == PTX_PLACE_PARAM && var->places[i].var == module_var) return true;
  }
  return false;
}

// The variable that is this parameter: the one with its place, else the one in its position.
static const PtxDwVar *param_var(const PtxModule *module, int func, int param) {
  const PtxDebugInfo *info = module->debuginfo;
  if (!info || func < 0 || func >= module->func_count || param < 0 || param >= module->funcs[func].param_count) return NULL;
  const PtxDwVar *at_position = NULL;
  int position = 0;
  for (int i = 0; i < info->var_count; i++) {
    const PtxDwVar *var = &info->vars[i];
    if (var->func != func || !var->is_param) continue;
    if (lives_in(var, module->funcs[func].params[param].var)) return var;
    if (position++ == param) at_position = var;
  }
  return position == module->funcs[func].param_count ? at_position : NULL;
}

const char *ptx_param_source_name(const PtxModule *module, int func, int param) {
  const PtxDwVar *var = param_var(module, func, param);
  return var ? var->name : NULL;
}

const PtxDwType *ptx_param_source_type(const PtxModule *module, int func, int param) {
  const PtxDwVar *var = param_var(module, func, param);
  return var ? var->type : NULL;
}

// ---- names from another cut ------------------------------------------------------------------------------------------

typedef struct Copier { LsArena *arena; int left; } Copier;   // left: types, so that no nesting makes too many

// The fields of what a pointer points at are copied, what is behind them is not: who needs more looks at the other cut.
static const PtxDwType *copy_type(Copier *c, const PtxDwType *type, int depth) {
  enum { POINTEE = 16, DEEPEST = 20 };
  if (!type || depth > DEEPEST || c->left-- <= 0) return NULL;
  PtxDwType *copy = LS_NEW(c->arena, PtxDwType);
  *copy = *type;
  copy->name = type->name ? ls_arena_strdup(c->arena, type->name) : NULL;
  copy->elem = copy_type(c, type->elem, type->kind == PTX_DW_POINTER ? LS_MAX(depth, POINTEE) + 1 : depth + 1);
  copy->field_count = depth < DEEPEST - 1 ? type->field_count : 0;
  copy->fields = LS_NEW_ARRAY(c->arena, PtxDwField, copy->field_count);
  for (int i = 0; i < copy->field_count; i++) {
    const PtxDwField *field = &type->fields[i];
    copy->fields[i] = (PtxDwField){ls_arena_strdup(c->arena, field->name), copy_type(c, field->type, depth + 1),
                                   field->offset};
  }
  return copy;
}

static const PtxDwType *copy_whole(LsArena *arena, const PtxDwType *type) {
  Copier copier = {arena, 20000};
  return copy_type(&copier, type, 0);
}

void ptx_adopt_var_types(PtxModule *to, const PtxModule *from) {
  for (int v = 0; v < to->var_count; v++) {
    if (to->vars[v].source_type || !is_in_memory(to->vars[v].space)) continue;
    for (int w = 0; w < from->var_count; w++)
      if (from->vars[w].source_type && strcmp(from->vars[w].name, to->vars[v].name) == 0 &&
          from->vars[w].size == to->vars[v].size)
        to->vars[v].source_type = copy_whole(to->arena, from->vars[w].source_type);
  }
}

static bool same_params(const PtxFunc *a, const PtxFunc *b) {
  if (a->param_count != b->param_count) return false;
  for (int i = 0; i < a->param_count; i++)
    if (a->params[i].size != b->params[i].size) return false;
  return true;
}

void ptx_name_params(PtxModule *module, int func_index, const PtxParamName *names) {
  const PtxFunc *func = &module->funcs[func_index];
  if (func->param_count && ptx_param_source_name(module, func_index, 0)) return;
  PtxDebugInfo *old = module->debuginfo, *info = LS_NEW(module->arena, PtxDebugInfo);
  int kept = old ? old->var_count : 0;
  info->vars = LS_NEW_ARRAY(module->arena, PtxDwVar, kept + func->param_count);
  if (kept) memcpy(info->vars, old->vars, sizeof *info->vars * (size_t)kept);
  info->var_count = kept;
  for (int i = 0; i < func->param_count; i++) {
    PtxPlace *place = LS_NEW(module->arena, PtxPlace);
    *place = (PtxPlace){.kind = PTX_PLACE_PARAM, .first = func->first, .last = func->first + func->count,
                        .reg = -1, .var = func->params[i].var};
    info->vars[info->var_count++] = (PtxDwVar){
        .name = ls_arena_strdup(module->arena, names[i].name), .type = copy_whole(module->arena, names[i].type),
        .func = func_index,
        .is_param = true, .scope_first = func->first, .scope_last = func->first + func->count, .places = place, .place_count = 1};
  }
  module->debuginfo = info;
}

void ptx_adopt_params(PtxModule *to, int to_func, const PtxModule *from, int from_func) {
  const PtxFunc *func = &to->funcs[to_func];
  if (!same_params(func, &from->funcs[from_func])) return;
  PtxParamName *names = LS_NEW_ARRAY(to->arena, PtxParamName, func->param_count + 1);
  for (int i = 0; i < func->param_count; i++) {
    names[i] = (PtxParamName){ptx_param_source_name(from, from_func, i), ptx_param_source_type(from, from_func, i)};
    if (!names[i].name) return;
  }
  ptx_name_params(to, to_func, names);
}
