// launch.c: launches as text: arguments (-a), dimensions (-g, -b); copies of launches.
#include "launch/launch.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

static const struct { const char *name; uint8_t size; bool is_float; } types[LAUNCH_TYPE_COUNT] = {
    [LAUNCH_U8] = {"u8", 1, false},   [LAUNCH_I8] = {"i8", 1, false},
    [LAUNCH_U16] = {"u16", 2, false}, [LAUNCH_I16] = {"i16", 2, false},
    [LAUNCH_U32] = {"u32", 4, false}, [LAUNCH_I32] = {"i32", 4, false},
    [LAUNCH_U64] = {"u64", 8, false}, [LAUNCH_I64] = {"i64", 8, false},
    [LAUNCH_F16] = {"f16", 2, true},  [LAUNCH_F32] = {"f32", 4, true},
    [LAUNCH_F64] = {"f64", 8, true},
};
#define TYPE_NAMES "u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64"

// What people write who think in C. Names that cannot be a parameter's are never taken for one.
static const struct { const char *name; LaunchType type; bool reserved; } c_types[] = {
    {"char", LAUNCH_I8, true},      {"short", LAUNCH_I16, true},   {"int", LAUNCH_I32, true},
    {"unsigned", LAUNCH_U32, true}, {"long", LAUNCH_I64, true},    {"float", LAUNCH_F32, true},
    {"double", LAUNCH_F64, true},   {"bool", LAUNCH_U8, true},     {"size_t", LAUNCH_U64, true},
    {"int8_t", LAUNCH_I8, true},    {"uint8_t", LAUNCH_U8, true},  {"int16_t", LAUNCH_I16, true},
    {"uint16_t", LAUNCH_U16, true}, {"int32_t", LAUNCH_I32, true}, {"uint32_t", LAUNCH_U32, true},
    {"int64_t", LAUNCH_I64, true},  {"uint64_t", LAUNCH_U64, true},{"half", LAUNCH_F16, false},
    {"uint", LAUNCH_U32, false},    {"int32", LAUNCH_I32, false},  {"uint32", LAUNCH_U32, false},
    {"s32", LAUNCH_I32, false},     {"s64", LAUNCH_I64, false},    {"b32", LAUNCH_U32, false},
};

typedef enum InitOperand { OPERAND_NONE, OPERAND_VALUE, OPERAND_MODULUS, OPERAND_SEED, OPERAND_PATH } InitOperand;
static const struct { const char *name; LaunchInit init; InitOperand operand; } inits[] = {
    {"zero", LAUNCH_ZERO, OPERAND_NONE},   {"iota", LAUNCH_IOTA, OPERAND_NONE},
    {"const", LAUNCH_CONST, OPERAND_VALUE}, {"mod", LAUNCH_MOD, OPERAND_MODULUS},
    {"random", LAUNCH_RANDOM, OPERAND_SEED}, {"file", LAUNCH_DATA, OPERAND_PATH},
    {"none", LAUNCH_NONE, OPERAND_NONE},
};
#define INIT_NAMES "zero, iota, const:V, mod:M, random:SEED, file:PATH or none"

int launch_type_size(LaunchType type) { return types[type].size; }
const char *launch_type_name(LaunchType type) { return types[type].name; }
bool launch_type_is_float(LaunchType type) { return types[type].is_float; }

bool launch_type_parse(const char *name, size_t length, LaunchType *type) {
  for (int i = 0; i < LAUNCH_TYPE_COUNT; i++)
    if (strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0) {
      *type = (LaunchType)i;
      return true;
    }
  return false;
}

// ---- lifetime ------------------------------------------------------------------------------------------------------

void launch_init(Launch *launch) {
  *launch = (Launch){.grid = {1, 1, 1}, .block = {1, 1, 1}};
}

static void arg_fini(LaunchArg *arg) {
  free(arg->name);
  free(arg->data);
  free(arg->output);
  free(arg->text);
}

void launch_fini(Launch *launch) {
  for (int i = 0; i < launch->arg_count; i++) arg_fini(&launch->args[i]);
  free(launch->args);
  free(launch->kernel);
  launch_init(launch);
}

static char *copy_text(const char *s) { return s ? ls_strdup(s) : NULL; }

static LaunchArg arg_copy(const LaunchArg *from) {
  LaunchArg arg = *from;
  arg.name = copy_text(from->name);
  arg.output = copy_text(from->output);
  arg.text = copy_text(from->text);
  if (from->data) {
    size_t size = (size_t)from->count * types[from->type].size;
    arg.data = memcpy(ls_alloc(size), from->data, size);
  }
  return arg;
}

void launch_copy(Launch *to, const Launch *from) {
  *to = *from;
  to->kernel = copy_text(from->kernel);
  to->args = NULL;
  to->arg_count = to->arg_capacity = 0;
  for (int i = 0; i < from->arg_count; i++)
    LS_PUSH(to->args, to->arg_count, to->arg_capacity, arg_copy(&from->args[i]));
}

// ---- numbers -------------------------------------------------------------------------------------------------------

static bool whole_range(LsErr *err, LaunchType type, const char *text) {
  int width = 8 * types[type].size;
  bool is_signed = types[type].name[0] == 'i';
  uint64_t top = UINT64_MAX >> (is_signed ? 65 - width : 64 - width);
  if (is_signed)
    return ls_fail(err, LS_EREQUEST, "%s takes a whole number from -%llu to %llu, not '%s'", types[type].name,
                   (unsigned long long)top + 1, (unsigned long long)top, LS_QUOTE(text));
  return ls_fail(err, LS_EREQUEST, "%s takes a whole number from 0 to %llu, not '%s'", types[type].name,
                 (unsigned long long)top, LS_QUOTE(text));
}

static bool parse_whole(LaunchType type, const char *text, uint64_t *bits, LsErr *err) {
  int width = 8 * types[type].size;
  if (types[type].name[0] == 'u') {
    bool fits = ls_parse_u64(text, bits) && (width == 64 || !(*bits >> width));
    return fits || whole_range(err, type, text);
  }
  int64_t value;
  if (!ls_parse_i64(text, &value)) return whole_range(err, type, text);
  if (width < 64 && (value >= 1ll << (width - 1) || value < -(1ll << (width - 1)))) return whole_range(err, type, text);
  *bits = (uint64_t)value & (UINT64_MAX >> (64 - width));
  return true;
}

// value = whole | real
static bool parse_value(LaunchType type, const char *text, uint64_t *bits, LsErr *err) {
  if (!types[type].is_float) return parse_whole(type, text, bits, err);
  double value;
  if (!ls_parse_f64(text, &value))
    return ls_fail(err, LS_EREQUEST, "%s takes a number such as 1.5 or -2e-3, not '%s'", types[type].name,
                   LS_QUOTE(text));
  *bits = launch_bits(type, value);
  if (isfinite(value) && !isfinite(launch_value(type, *bits)))
    return ls_fail(err, LS_EREQUEST, "'%s' is too large for %s", LS_QUOTE(text), types[type].name);
  return true;
}

// ---- initial contents ----------------------------------------------------------------------------------------------

static bool init_value(LaunchArg *arg, const char *text, LsErr *err) {
  uint64_t bits;
  if (!parse_value(arg->type, text, &bits, err)) return false;
  arg->init_value = launch_value(arg->type, bits);
  // init_value is a double, which cannot hold every 64-bit number.
  if (launch_bits(arg->type, arg->init_value) != bits && !isnan(arg->init_value))
    return ls_fail(err, LS_EREQUEST, "const:%s: whole numbers beyond 2^53 cannot be used here; put them in a file",
                   LS_QUOTE(text));
  return true;
}

static bool init_modulus(LaunchArg *arg, const char *text, LsErr *err) {
  uint64_t modulus;
  if (!ls_parse_u64(text, &modulus) || modulus < 1 || modulus > 1ull << 53)
    return ls_fail(err, LS_EREQUEST, "mod:M takes a whole number of at least 1, such as mod:16, not '%s'",
                   LS_QUOTE(text));
  arg->init_value = (double)modulus;
  return true;
}

static bool init_seed(LaunchArg *arg, const char *text, LsErr *err) {
  uint64_t seed;
  if (!ls_parse_u64(text, &seed) || seed > UINT32_MAX)
    return ls_fail(err, LS_EREQUEST, "random:SEED takes a whole number from 0 to 4294967295, such as random:12345678, "
                   "not '%s'", LS_QUOTE(text));
  arg->init_value = (double)seed;
  return true;
}

static bool init_file(LaunchArg *arg, const char *path, LsErr *err) {
  uint64_t wanted = arg->count * types[arg->type].size;
  struct stat status;
  if (!*path) return ls_fail(err, LS_EREQUEST, "file:PATH lacks the path");
  if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && (uint64_t)status.st_size != wanted)
    return ls_fail(err, LS_EREQUEST, "%s has %llu bytes, but %s[%llu] takes %llu", LS_QUOTE_PATH(path),
                   (unsigned long long)status.st_size, types[arg->type].name, (unsigned long long)arg->count,
                   (unsigned long long)wanted);
  size_t size = 0;
  char *data = ls_file_read(path, (size_t)wanted, &size, err);
  if (!data) return false;
  if (size != wanted) {
    free(data);
    return ls_fail(err, LS_EREQUEST, "%s has %zu bytes, but %s[%llu] takes %llu", LS_QUOTE_PATH(path), size,
                   types[arg->type].name,
                   (unsigned long long)arg->count, (unsigned long long)wanted);
  }
  free(arg->data);
  arg->data = (uint8_t *)data;
  return true;
}

static bool init_operand(LaunchArg *arg, InitOperand kind, const char *text, LsErr *err) {
  switch (kind) {
    case OPERAND_VALUE: return init_value(arg, text, err);
    case OPERAND_MODULUS: return init_modulus(arg, text, err);
    case OPERAND_SEED: return init_seed(arg, text, err);
    case OPERAND_PATH: return init_file(arg, text, err);
    default: return true;
  }
}

// init = "zero" | "iota" | "const:" value | "mod:" whole | "random:" whole | "file:" path | "none"
bool launch_parse_init(LaunchArg *arg, const char *init, LsErr *err) {
  size_t length = strcspn(init, ":");
  for (int i = 0; i < LS_COUNT(inits); i++) {
    if (strlen(inits[i].name) != length || memcmp(inits[i].name, init, length) != 0) continue;
    bool has_operand = init[length] == ':';
    if (inits[i].operand == OPERAND_NONE && has_operand)
      return ls_fail(err, LS_EREQUEST, "%s takes nothing after it, but there is '%s'", inits[i].name,
                     LS_QUOTE(init + length));
    if (!init_operand(arg, inits[i].operand, init + length + has_operand, err)) return false;
    arg->init = inits[i].init;
    return true;
  }
  return ls_fail(err, LS_EREQUEST, "'%s' is no initial content of a buffer: it is " INIT_NAMES, LS_QUOTE(init));
}

bool launch_parse_output(LaunchArg *arg, const char *name, LsErr *err) {
  if (!*name) return ls_fail(err, LS_EREQUEST, "the name of the output file is missing after '>'");
  if (*name == '>')
    return ls_fail(err, LS_EREQUEST,
                   "'>>' adds to no file: TYPE[COUNT]=INIT>FILE writes FILE anew; a name that begins with '>' is "
                   "written ./>NAME");
  arg->output = ls_strdup(name);
  return true;
}

static bool is_init(const char *text) {
  size_t length = strcspn(text, ":>");
  for (int i = 0; i < LS_COUNT(inits); i++)
    if (strlen(inits[i].name) == length && memcmp(inits[i].name, text, length) == 0) return true;
  return false;
}

// ---- arguments -----------------------------------------------------------------------------------------------------

// Row of c_types, or -1.
static int find_c_type(const char *name, size_t length) {
  for (int i = 0; i < LS_COUNT(c_types); i++)
    if (strlen(c_types[i].name) == length && memcmp(c_types[i].name, name, length) == 0) return i;
  return -1;
}

static bool unknown_type(const char *name, size_t length, LsErr *err) {
  int row = find_c_type(name, length);
  if (row >= 0)
    return ls_fail(err, LS_EREQUEST, "'%s' is written %s here (types: " TYPE_NAMES ")", c_types[row].name,
                   types[c_types[row].type].name);
  return ls_fail(err, LS_EREQUEST, "unknown type '%s' (types: " TYPE_NAMES ")", LS_QUOTE_N(name, length));
}

static bool parse_count(LaunchArg *arg, const char *text, size_t length, LsErr *err) {
  char digits[32] = "";
  if (length < sizeof digits) memcpy(digits, text, length);
  if (!ls_parse_u64(digits, &arg->count) || arg->count == 0)
    return ls_fail(err, LS_EREQUEST, "the number of elements is a whole number of at least 1, not '%s'",
                   LS_QUOTE_N(text, length));
  uint64_t size = types[arg->type].size;
  if (arg->count > LAUNCH_MAX_BYTES / size)
    return ls_fail(err, LS_EREQUEST, "%llu elements of %llu bytes are more than the 64 GiB that a buffer may have",
                   (unsigned long long)arg->count, (unsigned long long)size);
  return true;
}

// buffer = type "[" count "]" "=" init [ ">" file ] | image
static bool parse_buffer(LaunchArg *arg, const char *text, LsErr *err) {
  if (launch_is_image(text)) return launch_parse_image(arg, text, err);
  const char *open = strchr(text, '['), *close = strchr(open, ']');
  size_t type_length = (size_t)(open - text);
  if (!launch_type_parse(text, type_length, &arg->type)) return unknown_type(text, type_length, err);
  if (!close || close[1] != '=')
    return ls_fail(err, LS_EREQUEST, "expected TYPE[COUNT]=INIT, such as f32[1000]=iota");
  if (!parse_count(arg, open + 1, (size_t)(close - open - 1), err)) return false;
  arg->is_buffer = true;
  const char *init = close + 2, *output = strchr(init, '>');
  if (output && !launch_parse_output(arg, output + 1, err)) return false;
  char *only_init = output ? ls_strndup(init, (size_t)(output - init)) : ls_strdup(init);
  bool ok = launch_parse_init(arg, only_init, err);
  free(only_init);
  return ok;
}

static bool parse_scalar(LaunchArg *arg, const char *value, LsErr *err) {
  if (strchr(value, '>'))
    return ls_fail(err, LS_EREQUEST, "only a buffer can be written to a file: TYPE[COUNT]=INIT>FILE");
  if (is_init(value))
    return ls_fail(err, LS_EREQUEST, "a buffer needs the number of its elements: TYPE[COUNT]=%s, such as f32[1000]=%s",
                   LS_QUOTE(value), LS_QUOTE(value));
  return parse_value(arg->type, value, &arg->scalar, err);
}

// typed = type "=" value | buffer.  *matched says whether text is of that form at all.
static bool parse_typed(LaunchArg *arg, const char *text, bool *matched, LsErr *err) {
  size_t head = strcspn(text, "[=");
  *matched = text[head] == '[' || launch_is_image(text);
  if (*matched) return parse_buffer(arg, text, err);
  *matched = text[head] == '=' && launch_type_parse(text, head, &arg->type);
  if (*matched) return parse_scalar(arg, text + head + 1, err);
  int row = find_c_type(text, head);
  *matched = text[head] == '=' && row >= 0 && c_types[row].reserved;
  return !*matched || unknown_type(text, head, err);
}

static bool is_name(const char *text, size_t length) {
  if (!length || isdigit((unsigned char)text[0])) return false;
  for (size_t i = 0; i < length; i++)
    if (!isalnum((unsigned char)text[i]) && text[i] != '_' && text[i] != '$') return false;
  return true;
}

static bool parse_untyped(LaunchArg *arg, const char *value, LsErr *err) {
  int64_t whole;
  double real;
  if (is_init(value) || strchr(value, '>')) return parse_scalar(arg, value, err);
  if (ls_parse_i64(value, &whole)) arg->type = whole == (int32_t)whole ? LAUNCH_I32 : LAUNCH_I64;
  else if (ls_parse_u64(value, &arg->scalar)) arg->type = LAUNCH_U64;
  else if (ls_parse_f64(value, &real)) arg->type = LAUNCH_F32;
  else return ls_fail(err, LS_EREQUEST, "expected a number after '%s=', not '%s'", LS_QUOTE(arg->name),
                      LS_QUOTE(value));
  if (!parse_value(arg->type, value, &arg->scalar, NULL)) arg->type = LAUNCH_F64;
  arg->text = ls_strdup(value);
  return parse_value(arg->type, value, &arg->scalar, err);
}

// arg = typed | name "=" typed | name "=" value
static bool parse_arg(LaunchArg *arg, const char *text, LsErr *err) {
  bool matched;
  if (!strchr(text, '='))
    return ls_fail(err, LS_EREQUEST, "expected TYPE=VALUE, TYPE[COUNT]=INIT or NAME=VALUE, such as i32=1000, "
                   "f32[1000]=iota or N=1000");
  size_t head = strcspn(text, "[=");
  bool is_typed = parse_typed(arg, text, &matched, err);
  if (matched) return is_typed;
  if (!is_name(text, head))
    return ls_fail(err, LS_EREQUEST, "'%s' is neither a type (" TYPE_NAMES ") nor the name of a parameter",
                   LS_QUOTE_N(text, head));
  arg->name = ls_strndup(text, head);
  arg->by_name = true;
  is_typed = parse_typed(arg, text + head + 1, &matched, err);
  return matched ? is_typed : parse_untyped(arg, text + head + 1, err);
}

static bool is_new_name(const Launch *launch, const LaunchArg *arg, LsErr *err) {
  for (int i = 0; arg->by_name && i < launch->arg_count; i++)
    if (launch->args[i].by_name && strcmp(launch->args[i].name, arg->name) == 0)
      return ls_fail(err, LS_EREQUEST, "'%s' already has a value", LS_QUOTE(arg->name));
  return true;
}

// Puts "argument TEXT: " in front of a message; the functions above only know their part of it.
static void blame(LsErr *err, const char *text) {
  if (!err) return;
  char *message = ls_format("argument '%s': %s", LS_QUOTE(text), err->message);
  ls_fail(err, err->kind, "%s", message);
  free(message);
}

bool launch_add_arg(Launch *launch, const char *text, LsErr *err) {
  LaunchArg arg = {.count = 1};
  if (!parse_arg(&arg, text, err) || !is_new_name(launch, &arg, err)) {
    blame(err, text);
    arg_fini(&arg);
    return false;
  }
  LS_PUSH(launch->args, launch->arg_count, launch->arg_capacity, arg);
  return true;
}

bool launch_arg_set_type(LaunchArg *arg, LaunchType type, LsErr *err) {
  uint64_t bits = 0;
  if (!arg->text) return arg->type == type || ls_fail(err, LS_EREQUEST, "the argument is a %s, not a %s",
                                                      types[arg->type].name, types[type].name);
  if (!parse_value(type, arg->text, &bits, err)) {
    if (arg->name) blame(err, arg->name);
    return false;
  }
  arg->type = type;
  arg->scalar = bits;
  free(arg->text);
  arg->text = NULL;
  return true;
}

// ---- dimensions ----------------------------------------------------------------------------------------------------

static bool dim_failed(LsErr *err, const char *text, bool is_grid) {
  return ls_fail(err, LS_EREQUEST, "'%s' is not the size of a %s: expected X[,Y[,Z]] with whole numbers from 1, "
                 "such as %s", LS_QUOTE(text), is_grid ? "grid" : "block", is_grid ? "64 or 16,16" : "256 or 16,16");
}

static bool dim_range(const uint32_t dim[3], bool is_grid, LsErr *err) {
  static const uint32_t limits[2][3] = {{1024, 1024, 64}, {2147483647, 65535, 65535}};
  const char *what = is_grid ? "grid" : "block";
  for (int i = 0; i < 3; i++)
    if (dim[i] > limits[is_grid][i])
      return ls_fail(err, LS_EREQUEST, "the %s is %u in %c, but at most %u is possible", what, dim[i], "xyz"[i],
                     limits[is_grid][i]);
  uint64_t threads = (uint64_t)dim[0] * dim[1] * dim[2];
  if (!is_grid && threads > 1024)
    return ls_fail(err, LS_EREQUEST, "a block of %ux%ux%u has %llu threads, but at most 1024 are possible", dim[0],
                   dim[1],
                   dim[2], (unsigned long long)threads);
  return true;
}

// dim = whole [ "," whole [ "," whole ] ]
bool launch_parse_dim(const char *text, bool is_grid, uint32_t dim[3], LsErr *err) {
  uint32_t parsed[3] = {1, 1, 1};
  const char *s = text;
  for (int i = 0; i < 3; i++) {
    char digits[16] = "";
    size_t length = strcspn(s, ",");
    uint64_t value;
    if (length >= sizeof digits) return dim_failed(err, text, is_grid);
    memcpy(digits, s, length);
    if (!isdigit((unsigned char)digits[0]) || !ls_parse_u64(digits, &value) || !value || value > UINT32_MAX)
      return dim_failed(err, text, is_grid);
    parsed[i] = (uint32_t)value;
    s += length;
    if (!*s) break;
    s++;
    if (i == 2) return dim_failed(err, text, is_grid);
  }
  if (!dim_range(parsed, is_grid, err)) return false;
  memcpy(dim, parsed, sizeof parsed);
  return true;
}

bool launch_is_possible(const Launch *launch) {
  for (int i = 0; i < 3; i++)
    if (!launch->grid[i] || !launch->block[i]) return false;
  return dim_range(launch->grid, true, NULL) && dim_range(launch->block, false, NULL);
}
