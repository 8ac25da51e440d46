// launch_variable.c: contents of __device__ and __constant__ variables, given before the launch (-a @NAME=...).
#include "launch/launch_variable.h"

#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "launch/launch_parts.h"
#include "launch/launch_struct.h"
#include "launch/settle.h"
#include "ptx/demangle.h"

// ---- names ---------------------------------------------------------------------------------------------------------

bool launch_is_variable(const PtxVar *var) {
  bool image = var->type >= PTX_TEXREF && var->type <= PTX_SURFREF;
  return var->func < 0 && (var->space == PTX_GLOBAL || var->space == PTX_CONST) && !image && var->name[0] != '$';
}

// Without the parameter lists of functions: "k(float*)::calls" is "k::calls".
char *launch_variable_name(const PtxModule *module, int var) {
  LsText out = {0};
  LsArena *arena = ls_arena_new();
  int depth = 0;
  const char *s = ptx_demangle(arena, module->vars[var].name);
  for (; *s; s++) {
    bool list = *s == '(' && strncmp(s, "(anonymous", 10) != 0;
    depth += list || (depth && *s == '(');
    if (!depth) ls_text_addc(&out, *s);
    if (depth && *s == ')') depth--;
  }
  ls_arena_free(arena);
  return ls_text_take(&out);
}

typedef enum Match { NO_MATCH, AS_END, WHOLE, AS_MANGLED } Match;

static Match match(const PtxModule *module, int var, const char *name) {
  if (strcmp(module->vars[var].name, name) == 0) return AS_MANGLED;
  if (strcmp(module->vars[var].source_name, name) == 0 && !strstr(module->vars[var].name, "GLOBAL__N")) {
    char *whole = launch_variable_name(module, var);
    Match found = strcmp(whole, name) == 0 ? WHOLE : AS_END;
    free(whole);
    return found;
  }
  char *whole = launch_variable_name(module, var), *end = ls_format("::%s", name);
  Match found = strcmp(whole, name) == 0 ? WHOLE : ls_ends_with(whole, end) ? AS_END : NO_MATCH;
  free(whole);
  free(end);
  return found;
}

static bool not_one(const PtxModule *module, const char *name, Match best, LsErr *err) {
  LsText list = {0};
  for (int v = 0; v < module->var_count; v++) {
    if (!launch_is_variable(&module->vars[v]) || (best != NO_MATCH && match(module, v, name) != best)) continue;
    char *whole = launch_variable_name(module, v);
    ls_text_addf(&list, "%s%s", list.length ? ", " : "", whole);
    free(whole);
  }
  if (best != NO_MATCH)
    ls_fail(err, LS_EREQUEST, "several variables are called %s: %s", LS_QUOTE(name), ls_text_str(&list));
  else if (list.length)
    ls_fail(err, LS_EREQUEST, "the module has no variable %s (a compiler drops what no kernel uses); it has %s",
            LS_QUOTE(name),
            ls_text_str(&list));
  else ls_fail(err, LS_EREQUEST, "the module has no __device__ or __constant__ variables, so none is called %s",
               LS_QUOTE(name));
  ls_text_free(&list);
  return false;
}

int launch_find_variable(const PtxModule *module, const char *name, LsErr *err) {
  int found = -1, count = 0;
  Match best = NO_MATCH;
  for (int v = 0; v < module->var_count; v++) {
    Match how = launch_is_variable(&module->vars[v]) ? match(module, v, name) : NO_MATCH;
    if (how == NO_MATCH || how < best) continue;
    count = how > best ? 1 : count + 1;
    best = how;
    found = v;
  }
  if (count == 1) return found;
  not_one(module, name, best, err);
  return -1;
}

// ---- without the module --------------------------------------------------------------------------------------------

// "TYPE:" before the contents. Returns how long that is; 0: there is none.
static size_t type_before(const char *text, LaunchType *type) {
  size_t head = strcspn(text, ":[");
  int lanes;
  return text[head] == ':' && launch_type_read(text, head, type, &lanes) ? head + 1 : 0;
}

static bool is_struct(const char *text) { return ls_starts_with(text, "struct:") || *text == '{'; }

static bool is_sized(const char *text) {
  size_t head = strcspn(text, "=:");
  return memchr(text, '[', head) != NULL;
}

// "TYPE[COUNT]=INIT": as a buffer's.
static bool read_sized(LaunchArg *arg, const char *text, LsErr *err) {
  LaunchArg buffer = {.count = 1};
  bool ok = launch_parse_buffer(&buffer, text, err);
  if (ok && buffer.image.kind != LAUNCH_NO_IMAGE)
    ok = ls_fail(err, LS_EREQUEST, "a variable of the module is no texture or surface");
  if (ok) {
    free(arg->data);
    arg->type = buffer.type;
    arg->count = buffer.count;
    arg->init = buffer.init;
    arg->init_value = buffer.init_value;
    arg->data = buffer.data;
    buffer.data = NULL;
  }
  launch_arg_fini(&buffer);
  return ok;
}

bool launch_read_variable(LaunchArg *arg, LsErr *err) {
  const char *text = arg->text;
  if (!*text || is_struct(text)) return true;
  if (is_sized(text)) return read_sized(arg, text, err);
  size_t head = type_before(text, &arg->type);
  const char *rest = text + head;
  if (head && launch_is_value(rest)) return launch_parse_values(arg, rest, err);
  if (launch_is_value(rest) || launch_is_init(rest)) return true;
  size_t colon = strcspn(text, ":=");
  if (text[colon] && !launch_is_init(text)) return launch_unknown_type(text, colon, err);
  return ls_fail(err, LS_EREQUEST,
                 "'%s' is no content of a variable: it is TYPE:V,V,..., V,V,..., zero, iota, const:V, mod:M, "
                 "random:SEED, "
                 "file:PATH, TYPE[COUNT]=INIT or struct:...", LS_QUOTE(text));
}

// ---- with it -------------------------------------------------------------------------------------------------------

static const char *words_of(const PtxModule *module, int v, LsText *out) {
  const PtxVar *var = &module->vars[v];
  const PtxDwType *type = module->vars[v].source_type;
  const char *where = var->space == PTX_CONST ? "__constant__" : "__device__";
  ls_text_clear(out);
  if (type && type->name) ls_text_addf(out, "%s %s, %lld bytes", where, type->name, (long long)var->size);
  else ls_text_addf(out, "%s, %lld bytes", where, (long long)var->size);
  return ls_text_str(out);
}

// What its elements are: as the source says, or as PTX does if it says more than how many bytes.
static bool declared_type(const PtxModule *module, int v, LaunchType *type) {
  static const struct { uint8_t ptx, type; } rows[] = {
      {PTX_S8, LAUNCH_I8}, {PTX_U16, LAUNCH_U16}, {PTX_S16, LAUNCH_I16}, {PTX_B16, LAUNCH_U16}, {PTX_U32, LAUNCH_U32},
      {PTX_S32, LAUNCH_I32}, {PTX_B32, LAUNCH_U32}, {PTX_U64, LAUNCH_U64}, {PTX_S64, LAUNCH_I64}, {PTX_B64, LAUNCH_U64},
      {PTX_F16, LAUNCH_F16}, {PTX_F32, LAUNCH_F32}, {PTX_F64, LAUNCH_F64}};
  const PtxDwType *source = module->vars[v].source_type;
  if (source) return launch_element_type(source, type);
  for (int i = 0; i < LS_COUNT(rows); i++)
    if (rows[i].ptx == module->vars[v].type) return *type = (LaunchType)rows[i].type, true;
  return false;
}

// A number of another kind than the source has would be other bytes without a word.
static bool check_type(const PtxModule *module, int v, const LaunchArg *arg, LsErr *err) {
  LaunchType wanted;
  LsText words = {0};
  bool known = module->vars[v].source_type && declared_type(module, v, &wanted);
  bool fits = !known || (launch_type_size(wanted) == launch_type_size(arg->type) &&
                         launch_type_is_float(wanted) == launch_type_is_float(arg->type));
  if (!fits)
    ls_fail(err, LS_EREQUEST, "%s is %s: its elements are %s, not %s", arg->name, words_of(module, v, &words),
            launch_type_name(wanted),
            launch_type_name(arg->type));
  ls_text_free(&words);
  return fits;
}

// The elements that are not given stay as the module has them.
static bool complete(const PtxModule *module, int v, LaunchArg *arg, LsText *notes, LsErr *err) {
  const PtxVar *var = &module->vars[v];
  uint64_t elem = (uint64_t)launch_type_size(arg->type), size = (uint64_t)var->size, count = size / elem,
      given = arg->count * elem;
  LsText words = {0};
  if (arg->count > LAUNCH_MAX_BYTES / elem || given > size || size % elem) {
    ls_fail(err, LS_EREQUEST, "%s is %s: %llu of %s are %llu", arg->name, words_of(module, v, &words),
            (unsigned long long)arg->count,
            launch_type_name(arg->type), (unsigned long long)given);
    ls_text_free(&words);
    return false;
  }
  if (given == size) return true;
  if (var->reloc_count)
    return ls_fail(err, LS_EREQUEST, "%s begins with addresses of other variables: give all of its %llu elements",
                   arg->name,
                   (unsigned long long)count);
  uint8_t *all = ls_alloc(size + 1);
  if (var->init) memcpy(all, var->init, size);
  launch_fill(arg, all);
  free(arg->data);
  arg->data = all;
  arg->init = LAUNCH_DATA;
  if (notes)
    ls_text_addf(notes, "%s: the last %llu of its %llu elements are as the source has them%s\n", arg->name,
                 (unsigned long long)(count - arg->count), (unsigned long long)count, var->init ? "" : ": zero");
  arg->count = count;
  return true;
}

static bool settle_struct(const PtxModule *module, Launch *launch, int index, int v, LsText *notes, LsErr *err) {
  LaunchArg *arg = &launch->args[index];
  const PtxDwType *type = module->vars[v].source_type;
  char *text = ls_strdup(arg->text), *name = ls_strdup(arg->name);
  LsText left = {0}, words = {0};
  bool named = *text != '{';
  if (!named && !type)
    ls_fail(err, LS_EREQUEST, "the source's types are not known here: give %s as struct:TYPE=VALUE,...", name);
  bool ok = named ? launch_lay_out(launch, index, text + strlen("struct:"), type, name, &left, err)
                  : type && launch_lay_out_value(launch, index, text, type, name, err);
  if (ok && launch->args[index].count != (uint64_t)module->vars[v].size)
    ok = ls_fail(err, LS_EREQUEST, "%s is %s: these members are %llu", name, words_of(module, v, &words),
                 (unsigned long long)launch->args[index].count);
  if (ok && left.length && notes)
    ls_text_addf(notes, "%s: members that are not named are zero: %s\n", name, ls_text_str(&left));
  ls_text_free(&left);
  ls_text_free(&words);
  free(text);
  free(name);
  return ok;
}

// A variable that is a pointer: its buffer is an argument of its own.
static bool settle_pointer(Launch *launch, int index, LsErr *err) {
  LaunchArg pointee = {.count = 1, .role = LAUNCH_POINTEE, .owner = index};
  LaunchArg *arg = &launch->args[index];
  bool null = strcmp(arg->text, "0") == 0 || strcmp(arg->text, "zero") == 0;
  if (!null && !is_sized(arg->text))
    return ls_fail(err, LS_EREQUEST, "%s is a pointer: it takes a buffer, as in '@%s=float[100]=iota'", arg->name,
                   arg->name);
  if (!null && !launch_parse_buffer(&pointee, arg->text, err)) {
    launch_arg_fini(&pointee);
    return false;
  }
  free(arg->data);
  arg->data = ls_alloc(8);
  arg->type = LAUNCH_U64;
  arg->count = 1;
  arg->init = LAUNCH_DATA;
  if (null) return true;
  pointee.name = ls_strdup(arg->name);
  pointee.output = arg->output;      // what it points at is what somebody wants to see
  arg->output = NULL;
  LS_PUSH(launch->args, launch->arg_count, launch->arg_capacity, pointee);
  return true;
}

// PTX does not tell pointers from numbers. A buffer of another size than the variable can only be what it points at.
static bool is_pointer(const PtxModule *module, int v, const LaunchArg *arg) {
  const PtxVar *var = &module->vars[v];
  const PtxDwType *type = var->source_type;
  if (type) return type->kind == PTX_DW_POINTER;
  LaunchArg buffer = {.count = 1};
  bool word = (var->type == PTX_U64 || var->type == PTX_B64) && var->size == 8 && is_sized(arg->text);
  bool other = word && launch_parse_buffer(&buffer, arg->text, NULL) &&
      buffer.count != 8 / (uint64_t)launch_type_size(buffer.type);
  launch_arg_fini(&buffer);
  return other;
}

static bool as_it_is(const PtxModule *module, int v, LaunchArg *arg) {
  if (!declared_type(module, v, &arg->type) || module->vars[v].size % launch_type_size(arg->type))
    arg->type = LAUNCH_U8;
  arg->count = (uint64_t)module->vars[v].size / (uint64_t)launch_type_size(arg->type);
  arg->init = LAUNCH_NONE;
  return true;
}

// INIT or values without a type, or a type and INIT.
static bool settle_rest(const PtxModule *module, int v, LaunchArg *arg, LsErr *err) {
  const PtxVar *var = &module->vars[v];
  size_t head = type_before(arg->text, &arg->type);
  const char *rest = arg->text + head;
  LsText words = {0};
  if (!head && !declared_type(module, v, &arg->type)) {
    ls_fail(err, LS_EREQUEST, "%s is %s, and nobody says of what type: give it, as in '@%s=float:%s'", arg->name,
            words_of(module, v, &words),
            arg->name, LS_QUOTE(rest));
    ls_text_free(&words);
    return false;
  }
  arg->count = (uint64_t)var->size / (uint64_t)launch_type_size(arg->type);
  if (launch_is_value(rest)) return launch_parse_values(arg, rest, err);
  if (!launch_parse_init(arg, rest, err)) return false;
  return arg->init != LAUNCH_NONE ||
         ls_fail(err, LS_EREQUEST, "a variable of the module is never without contents: it is zero unless the source says more");
}

static bool settle(const PtxModule *module, Launch *launch, int index, LsText *notes, LsErr *err) {
  LaunchArg *arg = &launch->args[index];
  int v = launch_find_variable(module, arg->name, err);
  if (v < 0) return false;
  if (module->vars[v].size <= 0) return ls_fail(err, LS_EREQUEST, "%s has no size in this module", arg->name);
  if (!arg->text) return true;               // bytes that an earlier launch has left: they are what they are
  if (!*arg->text) return as_it_is(module, v, arg);
  if (is_struct(arg->text)) return settle_struct(module, launch, index, v, notes, err);
  if (is_pointer(module, v, arg)) return settle_pointer(launch, index, err);
  bool ok = is_sized(arg->text) ? read_sized(arg, arg->text, err) : settle_rest(module, v, arg, err);
  return ok && check_type(module, v, arg, err) && complete(module, v, arg, notes, err);
}

bool launch_settle_variable(const PtxModule *module, Launch *launch, int index, LsText *notes, LsErr *err) {
  char *name = ls_strdup(launch->args[index].name);
  bool ok = settle(module, launch, index, notes, err);
  if (!ok) launch_blame(err, "argument '@%s': ", LS_QUOTE(name));
  free(name);
  return ok;
}
