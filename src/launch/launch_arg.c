// launch_arg.c: one argument of the command line (-a) as text. The grammar is in launch.h.
#include "launch/launch.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "launch/launch_parts.h"
#include "launch/launch_struct.h"

// Elements, or vectors of several elements.
static bool parse_count(LaunchArg *arg, const char *text, size_t length, int lanes, LsErr *err) {
  char digits[32] = "";
  if (length < sizeof digits) memcpy(digits, text, length);
  if (!ls_parse_u64(digits, &arg->count) || arg->count == 0)
    return ls_fail(err, LS_EREQUEST, "the number of elements is a whole number of at least 1, not '%s'",
                   LS_QUOTE_N(text, length));
  uint64_t size = (uint64_t)(launch_type_size(arg->type) * lanes);
  if (arg->count > LAUNCH_MAX_BYTES / size)
    return ls_fail(err, LS_EREQUEST, "%llu elements of %llu bytes are more than the 64 GiB that a buffer may have",
                   (unsigned long long)arg->count, (unsigned long long)size);
  arg->count *= (uint64_t)lanes;
  return true;
}

// buffer = ( type | vector ) "[" count "]" "=" init [ ">" file ] | image
bool launch_parse_buffer(LaunchArg *arg, const char *text, LsErr *err) {
  if (launch_is_image(text)) return launch_parse_image(arg, text, err);
  const char *open = strchr(text, '['), *close = strchr(open, ']');
  size_t type_length = (size_t)(open - text);
  int lanes;
  if (!launch_type_read(text, type_length, &arg->type, &lanes)) return launch_unknown_type(text, type_length, err);
  if (!close || close[1] != '=')
    return ls_fail(err, LS_EREQUEST, "expected TYPE[COUNT]=INIT, such as f32[1000]=iota");
  if (!parse_count(arg, open + 1, (size_t)(close - open - 1), lanes, err)) return false;
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
  if (launch_is_init(value))
    return ls_fail(err, LS_EREQUEST, "a buffer needs the number of its elements: TYPE[COUNT]=%s, such as f32[1000]=%s",
                   LS_QUOTE(value), LS_QUOTE(value));
  return launch_parse_value(arg->type, value, &arg->scalar, err);
}

// vector "=" value { "," value }: a struct of its lanes, however it may be aligned.
static bool parse_vector(LaunchArg *arg, const char *value, int lanes, LsErr *err) {
  LsText text = {0};
  if (!launch_parse_values(arg, value, err)) return false;
  if (arg->count != (uint64_t)lanes)
    return ls_fail(err, LS_EREQUEST, "%llu values for the %d lanes of a vector", (unsigned long long)arg->count, lanes);
  for (int i = 0; i < lanes; i++, value += strcspn(value, ",") + 1)
    ls_text_addf(&text, "%s%s=%.*s", i ? "," : "", launch_type_name(arg->type), (int)strcspn(value, ","), value);
  arg->count *= (uint64_t)launch_type_size(arg->type);
  arg->type = LAUNCH_U8;
  arg->is_struct = true;
  arg->text = ls_text_take(&text);
  return true;
}

static bool parse_struct(LaunchArg *arg, const char *members, LsErr *err) {
  if (!*members) return ls_fail(err, LS_EREQUEST, "expected struct:MEMBER=VALUE,... or struct:TYPE=VALUE,...");
  arg->is_struct = true;
  arg->text = ls_strdup(members);
  return true;
}

// typed = type "=" value | vector "=" values | buffer | "struct:" members.  *matched says whether text is of that form at all.
static bool parse_typed(LaunchArg *arg, const char *text, bool *matched, LsErr *err) {
  size_t head = strcspn(text, "[=");
  *matched = ls_starts_with(text, "struct:");
  if (*matched) return parse_struct(arg, text + strlen("struct:"), err);
  *matched = text[head] == '[' || launch_is_image(text);
  if (*matched) return launch_parse_buffer(arg, text, err);
  int lanes = 1;
  *matched = text[head] == '=' && launch_type_read(text, head, &arg->type, &lanes);
  if (!*matched) return true;
  if (lanes > 1) return parse_vector(arg, text + head + 1, lanes, err);
  if (!parse_scalar(arg, text + head + 1, err)) return false;
  if (arg->by_name || !launch_type_may_be_name(text, head)) return true;
  arg->perhaps_name = true;
  arg->name = ls_strndup(text, head);
  arg->text = ls_strdup(text + head + 1);
  return true;
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
  if (launch_is_init(value) || strchr(value, '>')) return parse_scalar(arg, value, err);
  if (ls_parse_i64(value, &whole)) arg->type = whole == (int32_t)whole ? LAUNCH_I32 : LAUNCH_I64;
  else if (ls_parse_u64(value, &arg->scalar)) arg->type = LAUNCH_U64;
  else if (ls_parse_f64(value, &real)) arg->type = LAUNCH_F32;
  else return ls_fail(err, LS_EREQUEST, "expected a number after '%s=', not '%s'", LS_QUOTE(arg->name),
                      LS_QUOTE(value));
  if (!launch_parse_value(arg->type, value, &arg->scalar, NULL)) arg->type = LAUNCH_F64;
  arg->text = ls_strdup(value);
  return launch_parse_value(arg->type, value, &arg->scalar, err);
}

// "@" name [ "=" contents ] [ ">" file ]. The name may have templates' brackets in it.
static bool parse_variable(LaunchArg *arg, const char *text, LsErr *err) {
  size_t length = 0;
  for (int depth = 0; text[length] && (depth > 0 || !strchr("=>", text[length])); length++)
    depth += (text[length] == '<') - (text[length] == '>');
  const char *contents = text[length] == '=' ? text + length + 1 : "";
  const char *output = ls_starts_with(contents, "struct:") ? NULL : strchr(text + length, '>');
  if (!length || (text[length] == '=' && (!*contents || *contents == '>')) || !text[length])
    return ls_fail(err, LS_EREQUEST,
                   "expected @NAME=TYPE:V,V,..., @NAME=INIT or @NAME>FILE, such as @coefficients=float:1,2,3");
  arg->role = LAUNCH_VARIABLE;
  arg->is_buffer = arg->by_name = true;
  arg->type = LAUNCH_U8;
  arg->count = 0;
  arg->name = ls_strndup(text, length);
  arg->text = output && text[length] == '=' ? ls_strndup(contents, (size_t)(output - contents)) : ls_strdup(contents);
  return (!output || launch_parse_output(arg, output + 1, err)) && launch_read_variable(arg, err);
}

// arg = typed | name "=" typed | name "=" value | variable
static bool parse_arg(LaunchArg *arg, const char *text, LsErr *err) {
  bool matched;
  if (*text == '@') return parse_variable(arg, text + 1, err);
  if (!strchr(text, '=') && !ls_starts_with(text, "struct:"))
    return ls_fail(err, LS_EREQUEST, "expected TYPE=VALUE, TYPE[COUNT]=INIT or NAME=VALUE, such as i32=1000, "
                   "f32[1000]=iota or N=1000");
  size_t head = strcspn(text, "[=");
  bool is_typed = parse_typed(arg, text, &matched, err);
  if (matched) return is_typed;
  if (!is_name(text, head))
    return ls_fail(err, LS_EREQUEST,
                   "'%s' is neither a type (" LAUNCH_TYPE_NAMES ", or C's: int, unsigned char, float) "
                   "nor the name of a parameter",
                   LS_QUOTE_N(text, head));
  arg->name = ls_strndup(text, head);
  arg->by_name = true;
  is_typed = parse_typed(arg, text + head + 1, &matched, err);
  return matched ? is_typed : parse_untyped(arg, text + head + 1, err);
}

static bool is_new_name(const Launch *launch, const LaunchArg *arg, LsErr *err) {
  for (int i = 0; arg->by_name && i < launch->arg_count; i++)
    if (launch->args[i].by_name && launch->args[i].role == arg->role && strcmp(launch->args[i].name, arg->name) == 0)
      return ls_fail(err, LS_EREQUEST, "'%s' already has a value", LS_QUOTE(arg->name));
  return true;
}

bool launch_blame(LsErr *err, const char *format, ...) {
  LsText message = {0};
  if (!err) return false;
  va_list args;
  va_start(args, format);
  ls_text_addv(&message, format, args);
  va_end(args);
  ls_text_add(&message, err->message);
  ls_fail(err, err->kind, "%s", ls_text_str(&message));
  ls_text_free(&message);
  return false;
}

static void drop_from(Launch *launch, int count) {
  while (launch->arg_count > count) launch_arg_fini(&launch->args[--launch->arg_count]);
}

// What needs no source is laid out at once, and wrong ones are told at once.
static bool lay_out(Launch *launch, int index, LsErr *err) {
  const LaunchArg *arg = &launch->args[index];
  if (!arg->is_struct || !arg->text || !launch_is_in_order(arg->text)) return true;
  char *members = ls_strdup(arg->text);
  bool ok = launch_lay_out(launch, index, members, NULL, arg->name ? arg->name : "the struct", NULL, err);
  free(members);
  return ok;
}

bool launch_add_arg(Launch *launch, const char *text, LsErr *err) {
  LaunchArg arg = {.count = 1};
  int index = launch->arg_count;
  bool ok = parse_arg(&arg, text, err) && is_new_name(launch, &arg, err);
  LS_PUSH(launch->args, launch->arg_count, launch->arg_capacity, arg);
  if (ok && lay_out(launch, index, err)) return true;
  drop_from(launch, index);
  return launch_blame(err, "argument '%s': ", LS_QUOTE(text));
}

bool launch_arg_set_type(LaunchArg *arg, LaunchType type, LsErr *err) {
  uint64_t bits = 0;
  if (!arg->text) return arg->type == type || ls_fail(err, LS_EREQUEST, "the argument is a %s, not a %s",
                                                      launch_type_name(arg->type), launch_type_name(type));
  if (!launch_parse_value(type, arg->text, &bits, err)) {
    return arg->name ? launch_blame(err, "argument '%s': ", arg->name) : false;
  }
  arg->type = type;
  arg->scalar = bits;
  free(arg->text);
  arg->text = NULL;
  if (arg->perhaps_name) {
    free(arg->name);
    arg->name = NULL;
    arg->perhaps_name = false;
  }
  return true;
}

