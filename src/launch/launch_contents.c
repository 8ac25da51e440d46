// launch_contents.c: numbers as bits, and what buffers begin with: INIT, or values.
#include "launch/launch.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include "base/file.h"
#include "base/mem.h"
#include "launch/launch_parts.h"

typedef enum InitOperand { OPERAND_NONE, OPERAND_VALUE, OPERAND_MODULUS, OPERAND_SEED, OPERAND_PATH } InitOperand;
static const struct { const char *name; LaunchInit init; InitOperand operand; } inits[] = {
    {"zero", LAUNCH_ZERO, OPERAND_NONE},   {"iota", LAUNCH_IOTA, OPERAND_NONE},
    {"const", LAUNCH_CONST, OPERAND_VALUE}, {"mod", LAUNCH_MOD, OPERAND_MODULUS},
    {"random", LAUNCH_RANDOM, OPERAND_SEED}, {"file", LAUNCH_DATA, OPERAND_PATH},
    {"none", LAUNCH_NONE, OPERAND_NONE},
};
#define INIT_NAMES "zero, iota, const:V, mod:M, random:SEED, file:PATH, none, or values V,V,..."

// ---- numbers -------------------------------------------------------------------------------------------------------

static bool whole_range(LsErr *err, LaunchType type, const char *text) {
  int width = 8 * launch_type_size(type);
  bool is_signed = launch_type_is_signed(type);
  uint64_t top = UINT64_MAX >> (is_signed ? 65 - width : 64 - width);
  if (is_signed)
    return ls_fail(err, LS_EREQUEST, "%s takes a whole number from -%llu to %llu, not '%s'", launch_type_name(type),
                   (unsigned long long)top + 1, (unsigned long long)top, LS_QUOTE(text));
  return ls_fail(err, LS_EREQUEST, "%s takes a whole number from 0 to %llu, not '%s'", launch_type_name(type),
                 (unsigned long long)top, LS_QUOTE(text));
}

static bool parse_whole(LaunchType type, const char *text, uint64_t *bits, LsErr *err) {
  int width = 8 * launch_type_size(type);
  if (!launch_type_is_signed(type)) {
    bool fits = ls_parse_u64(text, bits) && (width == 64 || !(*bits >> width));
    return fits || whole_range(err, type, text);
  }
  int64_t value;
  if (!ls_parse_i64(text, &value)) return whole_range(err, type, text);
  if (width < 64 && (value >= 1ll << (width - 1) || value < -(1ll << (width - 1)))) return whole_range(err, type, text);
  *bits = (uint64_t)value & (UINT64_MAX >> (64 - width));
  return true;
}

static bool parse_bool(const char *text, uint64_t *bits) {
  bool yes = strcmp(text, "true") == 0;
  if (!yes && strcmp(text, "false") != 0) return false;
  *bits = yes;
  return true;
}

// value = whole | real | "true" | "false"
bool launch_parse_value(LaunchType type, const char *text, uint64_t *bits, LsErr *err) {
  if (!launch_type_is_float(type)) return parse_bool(text, bits) || parse_whole(type, text, bits, err);
  double value;
  if (!ls_parse_f64(text, &value))
    return ls_fail(err, LS_EREQUEST, "%s takes a number such as 1.5 or -2e-3, not '%s'", launch_type_name(type),
                   LS_QUOTE(text));
  *bits = launch_bits(type, value);
  bool asked = strpbrk(text, "iInN") != NULL;   // inf, nan
  if (!asked && !isfinite(launch_value(type, *bits)))
    return ls_fail(err, LS_EREQUEST, "'%s' is too large for %s", LS_QUOTE(text), launch_type_name(type));
  return true;
}

// ---- initial contents ----------------------------------------------------------------------------------------------

static bool init_value(LaunchArg *arg, const char *text, LsErr *err) {
  uint64_t bits;
  if (!launch_parse_value(arg->type, text, &bits, err)) return false;
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
  uint64_t wanted = arg->count * (uint64_t)launch_type_size(arg->type);
  struct stat status;
  if (!*path) return ls_fail(err, LS_EREQUEST, "file:PATH lacks the path");
  if (stat(path, &status) == 0 && S_ISREG(status.st_mode) && (uint64_t)status.st_size != wanted)
    return ls_fail(err, LS_EREQUEST, "%s has %llu bytes, but %s[%llu] takes %llu", LS_QUOTE_PATH(path),
                   (unsigned long long)status.st_size, launch_type_name(arg->type), (unsigned long long)arg->count,
                   (unsigned long long)wanted);
  size_t size = 0;
  char *data = ls_file_read(path, (size_t)wanted, &size, err);
  if (!data) return false;
  if (size != wanted) {
    free(data);
    return ls_fail(err, LS_EREQUEST, "%s has %zu bytes, but %s[%llu] takes %llu", LS_QUOTE_PATH(path), size,
                   launch_type_name(arg->type),
                   (unsigned long long)arg->count, (unsigned long long)wanted);
  }
  free(arg->data);
  free(arg->path);
  arg->data = (uint8_t *)data;
  arg->path = ls_strdup(path);
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

// ---- values --------------------------------------------------------------------------------------------------------

bool launch_is_value(const char *text) {
  static const char *const names[] = {"inf", "nan", "true", "false"};
  text += *text == '-' || *text == '+';
  for (int i = 0; i < LS_COUNT(names); i++)
    if (strncasecmp(text, names[i], strlen(names[i])) == 0) return true;
  return isdigit((unsigned char)*text) || (*text == '.' && isdigit((unsigned char)text[1]));
}

static uint64_t count_values(const char *text) {
  uint64_t count = 1;
  for (; *text; text++) count += *text == ',';
  return count;
}

bool launch_parse_values(LaunchArg *arg, const char *text, LsErr *err) {
  uint64_t count = count_values(text), size = (uint64_t)launch_type_size(arg->type);
  uint8_t *data = ls_alloc(count * size);
  for (uint64_t i = 0; i < count; i++) {
    size_t length = strcspn(text, ",");
    char *value = ls_strndup(text, length);
    uint64_t bits = 0;
    bool ok = launch_parse_value(arg->type, value, &bits, err);
    free(value);
    if (!ok) {
      free(data);
      return false;
    }
    memcpy(data + i * size, &bits, size);
    text += length + 1;
  }
  free(arg->data);
  arg->data = data;
  arg->count = count;
  arg->init = LAUNCH_DATA;
  return true;
}

static bool counted_values(LaunchArg *arg, const char *text, LsErr *err) {
  uint64_t wanted = arg->count, given = count_values(text);
  if (given == wanted) return launch_parse_values(arg, text, err);
  if (given == 1)
    return ls_fail(err, LS_EREQUEST, "one value for %llu elements: const:%s gives it to each",
                   (unsigned long long)wanted,
                   LS_QUOTE(text));
  return ls_fail(err, LS_EREQUEST, "%llu values for %llu elements", (unsigned long long)given,
                 (unsigned long long)wanted);
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
  if (launch_is_value(init)) return counted_values(arg, init, err);
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

bool launch_is_init(const char *text) {
  size_t length = strcspn(text, ":>");
  for (int i = 0; i < LS_COUNT(inits); i++)
    if (strlen(inits[i].name) == length && memcmp(inits[i].name, text, length) == 0) return true;
  return false;
}

