// signature.c: what debug information, mangled names and the code itself tell of the kernels of a file.
#include "app/own/signature.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ptx/debuginfo.h"
#include "ptx/def_use.h"
#include "ptx/demangle.h"
#include "ptx/param_use.h"

// ---- types ----------------------------------------------------------------------------------------------------------

// No blank between stars and what follows them.
const char *signature_type(LsArena *arena, const char *name) {
  char *out = ls_arena_alloc(arena, strlen(name) + 2);
  size_t n = 0;
  for (const char *p = name; *p; p++) {
    bool joins = *p == ' ' && n && (out[n - 1] == '*' || out[n - 1] == '&' || p[1] == '[');
    bool apart = (*p == '*' || *p == '&') && n && out[n - 1] != ' ' && out[n - 1] != '*' && out[n - 1] != '&';
    if (joins) continue;
    if (apart) out[n++] = ' ';
    out[n++] = *p;
  }
  out[n] = 0;
  return out;
}

static bool number_of(PtxDwKind kind, int size, LaunchType *type) {
  bool is_signed = kind == PTX_DW_INT;
  if (kind == PTX_DW_FLOAT) return *type = size == 2 ? LAUNCH_F16 : size == 8 ? LAUNCH_F64 : LAUNCH_F32, size <= 8;
  switch (size) {
  case 1: return *type = is_signed || kind == PTX_DW_CHAR ? LAUNCH_I8 : LAUNCH_U8, true;
  case 2: return *type = is_signed ? LAUNCH_I16 : LAUNCH_U16, true;
  case 4: return *type = is_signed || kind == PTX_DW_ENUM ? LAUNCH_I32 : LAUNCH_U32, true;
  case 8: return *type = is_signed ? LAUNCH_I64 : LAUNCH_U64, true;
  default: return false;
  }
}

static bool is_half(const PtxDwType *type) {
  return type->name && type->size == 2 && (strstr(type->name, "__half") || strcmp(type->name, "half") == 0);
}

// What a type is made of, if that is all the same: *count numbers of *number.
static bool numbers_of(const PtxDwType *type, LaunchType *number, int *count) {
  *count = 1;
  if (!type) return false;
  if (is_half(type)) return *number = LAUNCH_F16, true;
  if (type->kind == PTX_DW_ARRAY) {
    bool ok = type->elem && numbers_of(type->elem, number, count) && type->elem->size > 0;
    if (ok) *count = *count * type->size / type->elem->size;
    return ok && *count > 0;
  }
  if (type->kind == PTX_DW_STRUCT) {
    int sum = 0;
    for (int i = 0; i < type->field_count; i++) {
      LaunchType other;
      int part;
      if (!numbers_of(type->fields[i].type, &other, &part) || (i && other != *number)) return false;
      *number = other;
      sum += part;
    }
    *count = sum;
    return sum > 0 && sum * launch_type_size(*number) == type->size;
  }
  if (type->kind == PTX_DW_POINTER || type->kind == PTX_DW_OTHER) return false;
  return number_of((PtxDwKind)type->kind, type->size, number);
}

// ---- with debug information -----------------------------------------------------------------------------------------

static const char *without(LsArena *arena, const char *name, const char *word) {
  const char *at = strstr(name, word);
  if (!at) return name;
  size_t before = (size_t)(at - name), after = strlen(word);
  while (at[after] == ' ') after++;
  char *out = ls_arena_alloc(arena, strlen(name) + 1);
  memcpy(out, name, before);
  strcpy(out + before, at + after);
  for (size_t n = strlen(out); n && out[n - 1] == ' ';) out[--n] = 0;
  return out;
}

static const char *element_name(LsArena *arena, const char *pointer) {
  char *name = ls_arena_format(arena, "%s", pointer);
  char *star = strrchr(name, '*');
  if (star) *star = 0;
  for (size_t n = strlen(name); n && name[n - 1] == ' ';) name[--n] = 0;
  return without(arena, without(arena, name, "const"), "volatile");
}

static void take_pointer(LsArena *arena, SigParam *param, const PtxDwType *to) {
  int count = 1;
  param->kind = SIG_BUFFER;
  param->element = element_name(arena, param->type);
  param->is_const = strncmp(param->type, "const ", 6) == 0;
  if (param->is_const) param->written = param->atomic = false;
  param->plain = numbers_of(to, &param->number, &count);
  if (param->plain) param->per = count;
  else param->number = LAUNCH_U8, param->per = to && to->size > 0 ? to->size : 1;
}

static void take_type(LsArena *arena, SigParam *param, const PtxDwType *type) {
  int count = 1;
  param->dw = type;
  param->type = signature_type(arena, type->name ? type->name : "?");
  param->is_bool = type->kind == PTX_DW_BOOL;
  if (type->kind == PTX_DW_POINTER) take_pointer(arena, param, type->elem);
  else if (type->kind != PTX_DW_STRUCT && type->kind != PTX_DW_ARRAY && numbers_of(type, &param->number, &count))
    param->plain = true;
  else if (is_half(type)) param->number = LAUNCH_F16, param->plain = true;
  else param->kind = SIG_OTHER;
  if (strstr(param->type, "cudaTextureObject") || strstr(param->type, "cudaSurfaceObject")) param->kind = SIG_OTHER;
}

// ---- without it -----------------------------------------------------------------------------------------------------

// The i-th of the types in "name<...>(int, float, const float*)"; false: there is none.
static bool listed_type(const char *demangled, int index, char *out, size_t size) {
  const char *p = demangled;
  int depth = 0, at = 0;
  while (*p && !(*p == '(' && !depth)) depth += *p == '<' ? 1 : *p == '>' ? -1 : 0, p++;
  if (*p++ != '(') return false;
  size_t n = 0;
  for (depth = 0; *p && !(*p == ')' && !depth); p++) {
    if (*p == '(' || *p == '<') depth++;
    if (*p == ')' || *p == '>') depth--;
    if (*p == ',' && !depth) at++;
    else if (at == index && n + 1 < size && !(*p == ' ' && !n)) out[n++] = *p;
  }
  out[n] = 0;
  return n > 0;
}

static LaunchType number_of_access(uint8_t type) {
  int size = ptx_type_size((PtxType)type);
  if (ptx_type_is_float((PtxType)type)) return size == 8 ? LAUNCH_F64 : size == 2 ? LAUNCH_F16 : LAUNCH_F32;
  return size == 1 ? LAUNCH_U8 : size == 2 ? LAUNCH_U16 : size == 8 ? LAUNCH_U64 : LAUNCH_I32;
}

static void take_access(LsArena *arena, SigParam *param, const PtxParam *own, uint8_t access) {
  bool pointer = own->size == 8 && (param->read || param->written);
  param->plain = own->count == 1 || pointer;
  param->number = pointer ? number_of_access(access) : number_of_access(own->type);
  param->kind = pointer ? SIG_BUFFER : own->count == 1 && own->size <= 8 ? SIG_SCALAR : SIG_OTHER;
  if (pointer) param->element = launch_type_name(param->number);
  param->type = pointer ? ls_arena_format(arena, "%s *", param->element)
              : own->count == 1 ? ls_arena_format(arena, ".%s", ptx_type_name((PtxType)own->type))
                                : ls_arena_format(arena, "%lld bytes", (long long)own->size);
}

static bool take_listed(LsArena *arena, SigParam *param, const char *type, int size) {
  size_t length = strlen(type);
  bool pointer = length && type[length - 1] == '*';
  param->type = signature_type(arena, ls_arena_format(arena, "%s", type));
  const char *number = pointer ? element_name(arena, param->type) : param->type;
  param->plain = launch_type_read(number, strlen(number), &param->number, &param->per);
  param->kind = pointer ? SIG_BUFFER : SIG_SCALAR;
  param->is_bool = strcmp(type, "bool") == 0;
  param->is_const = strncmp(type, "const ", 6) == 0;
  if (pointer) param->element = number;
  return param->plain && (pointer || (param->per == 1 && launch_type_size(param->number) == size));
}

// ---- a kernel -------------------------------------------------------------------------------------------------------

static void read_param(PtxModule *module, int entry, int index, const PtxParamUse *use, SigParam *param) {
  LsArena *arena = module->arena;
  const PtxFunc *func = &module->funcs[entry];
  const PtxParam *own = &func->params[index];
  const PtxDwType *type = ptx_param_source_type(module, entry, index);
  const char *name = ptx_param_source_name(module, entry, index), *tail = strstr(own->name, "_param_");
  char listed[256];
  *param = (SigParam){.name = name ? name : tail ? tail + 1 : own->name, .per = 1, .size = (int)own->size};
  param->read = ptx_param_in(use->read, index);
  param->written = ptx_param_in(use->written, index);
  param->atomic = index < PTX_PARAMS_MOST && use->atomic >> index & 1;
  if (type) take_type(arena, param, type);
  else if (!listed_type(func->demangled, index, listed, sizeof listed) ||
           !take_listed(arena, param, listed, param->size))
    take_access(arena, param, own, index < PTX_PARAMS_MOST ? use->type[index] : 0);
}

static void note_dims(const PtxModule *module, const uint8_t *reached, Signature *sig) {
  static const PtxSreg seconds[] = {PTX_SR_TID_Y, PTX_SR_CTAID_Y}, thirds[] = {PTX_SR_TID_Z, PTX_SR_CTAID_Z};
  sig->dims = 1;
  for (int pc = 0; pc < module->code_count; pc++) {
    const PtxInstr *in = &module->code[pc];
    for (int i = 0; reached[in->func] && i < in->operand_count; i++)
      for (int k = 0; in->operands[i].kind == PTX_OPD_SREG && k < LS_COUNT(seconds); k++) {
        if (in->operands[i].sreg == (int)seconds[k]) sig->dims = LS_MAX(sig->dims, 2);
        if (in->operands[i].sreg == (int)thirds[k]) sig->dims = 3;
      }
  }
}

// The type of a variable of the module, or of a shared one of a function, from debug information; NULL: it does not
// say.
static const PtxDwType *type_of_var(const PtxModule *module, int var) {
  const PtxDebugInfo *info = module->debuginfo;
  for (int i = 0; info && i < info->var_count; i++)
    for (int k = 0; k < info->vars[i].place_count; k++) {
      const PtxPlace *place = &info->vars[i].places[k];
      bool whole = place->kind == PTX_PLACE_SHARED || place->kind == PTX_PLACE_CONST || place->kind == PTX_PLACE_GLOBAL;
      if (whole && place->var == var && info->vars[i].type) return info->vars[i].type;
    }
  return NULL;
}

// Of extern __shared__ float tile[].
static int element_size(const PtxModule *module, int var) {
  const PtxDwType *type = type_of_var(module, var);
  if (type && type->elem && type->elem->size > 0) return type->elem->size;
  return LS_MAX(ptx_type_size((PtxType)module->vars[var].type), 1);
}

static void note_var(const PtxModule *module, int var, Signature *sig) {
  const PtxVar *v = &module->vars[var];
  if (v->space != PTX_SHARED) return;
  if (v->size > 0) sig->shared += v->size;
  if (v->size > 0 && sig->array_count < SIG_ARRAYS) sig->arrays[sig->array_count++] = v->source_name;
  if (v->size > 0 || sig->dynamic) return;
  sig->dynamic = v->source_name;
  sig->dynamic_element = element_size(module, var);
}

// A table of numbers that nothing fills would read as zeros.
static void note_constant(PtxModule *module, int var, Signature *sig) {
  const PtxVar *v = &module->vars[var];
  const PtxDwType *type = type_of_var(module, var), *element = type;
  while (element && element->kind == PTX_DW_ARRAY) element = element->elem;
  LaunchType number;
  if (v->space != PTX_CONST || v->init || v->size <= 0 || !element ||
      !number_of((PtxDwKind)element->kind, element->size, &number)) return;
  if (element->kind == PTX_DW_STRUCT || element->kind == PTX_DW_POINTER) return;   // more than a field holds
  SigParam *param = &sig->params[signature_rows(sig)];
  bool nested = ls_starts_with(v->name, "_ZN");   // in a namespace, where another one may have the same name
  *param = (SigParam){.name = nested ? ptx_demangle(module->arena, v->name) : v->source_name, .kind = SIG_VARIABLE,
                      .per = 1, .size = (int)v->size, .is_const = true, .read = true};
  param->number = number;
  param->type = signature_type(module->arena, type->name ? type->name : "?");
  sig->variable_count++;
}

// Variables that the code names; each counts once.
static void note_vars(PtxModule *module, const uint8_t *reached, Signature *sig) {
  uint8_t *seen = ls_alloc((size_t)module->var_count + 1);
  for (int pc = 0; pc < module->code_count; pc++) {
    const PtxInstr *in = &module->code[pc];
    for (PtxRef ref = {0}; reached[in->func] && ptx_each_use(in, &ref);) {
      if (ref.kind != PTX_REF_VAR || seen[ref.var]) continue;
      seen[ref.var] = 1;
      note_var(module, ref.var, sig);
      note_constant(module, ref.var, sig);
    }
  }
  free(seen);
}

static const char *plain_name(LsArena *arena, const char *demangled) {
  int depth = 0;
  const char *p = demangled;
  while (*p && !(*p == '(' && !depth)) depth += *p == '<' ? 1 : *p == '>' ? -1 : 0, p++;
  return ls_arena_format(arena, "%.*s", (int)(p - demangled), demangled);
}

static const char *title_of(LsArena *arena, const Signature *sig) {
  LsText text = {0};
  ls_text_addf(&text, "%s(", sig->name);
  for (int i = 0; i < sig->param_count; i++) {
    const char *type = sig->params[i].type;
    size_t length = strlen(type);
    bool joined = length && (type[length - 1] == '*' || type[length - 1] == '&');
    ls_text_addf(&text, "%s%s%s%s", i ? ", " : "", type, joined ? "" : " ", sig->params[i].name);
  }
  ls_text_add(&text, ")");
  const char *title = ls_arena_format(arena, "%s", ls_text_str(&text));
  ls_text_free(&text);
  return title;
}

static int line_of(const PtxModule *module, const PtxFunc *func) {
  if (func->loc >= 0) return module->locs[func->loc].line;
  for (int pc = func->first; pc < func->first + func->count; pc++)
    if (module->code[pc].loc >= 0) return module->locs[module->code[pc].loc].line;
  return 0;
}

static void note_block(const PtxFunc *func, Signature *sig) {
  const int *said = func->reqntid[0] ? func->reqntid : func->maxntid;
  for (int d = 0; d < 3; d++) sig->block[d] = said[d];
  sig->block_is_most = !func->reqntid[0] && func->maxntid[0];
}

static void read_kernel(PtxModule *module, int entry, Signature *sig) {
  const PtxFunc *func = &module->funcs[entry];
  *sig = (Signature){.entry = entry, .name = plain_name(module->arena, func->demangled), .line = line_of(module, func)};
  uint8_t *reached = ls_alloc((size_t)module->func_count + 1);
  PtxParamUse use;
  ptx_reach(module, entry, reached);
  ptx_param_use(module, entry, reached, module->arena, &use);
  sig->param_count = func->param_count;
  sig->params = LS_NEW_ARRAY(module->arena, SigParam, func->param_count + module->var_count + 1);
  for (int i = 0; i < func->param_count; i++) read_param(module, entry, i, &use, &sig->params[i]);
  note_dims(module, reached, sig);
  note_vars(module, reached, sig);
  note_block(func, sig);
  sig->title = title_of(module->arena, sig);
  free(reached);
}

// ---- a file ---------------------------------------------------------------------------------------------------------

SigFile *sigfile_new(PtxModule *module) {
  SigFile *file = ls_alloc(sizeof *file);
  file->module = module;
  file->items = LS_NEW_ARRAY(module->arena, Signature, module->func_count + 1);
  for (int i = 0; i < module->func_count; i++)
    if (ptx_is_kernel(&module->funcs[i])) read_kernel(module, i, &file->items[file->count++]);
  return file;
}

void sigfile_free(SigFile *file) {
  if (!file) return;
  ptx_module_free(file->module);
  free(file);
}

int sigfile_find(const SigFile *file, const char *name) {
  int entry = name ? ptx_find_entry(file->module, name, NULL) : -1;
  for (int i = 0; i < file->count; i++)
    if (!name || file->items[i].entry == entry) return i;
  return -1;
}
