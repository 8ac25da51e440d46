// launch_type.c: the types of arguments, in lanescope's words (u8 ... f64) and in C's (unsigned char, float4).
#include "launch/launch.h"

#include <ctype.h>
#include <string.h>
#include "base/mem.h"

static const struct { const char *name; uint8_t size; bool is_float; } types[LAUNCH_TYPE_COUNT] = {
    [LAUNCH_U8] = {"u8", 1, false},   [LAUNCH_I8] = {"i8", 1, false},
    [LAUNCH_U16] = {"u16", 2, false}, [LAUNCH_I16] = {"i16", 2, false},
    [LAUNCH_U32] = {"u32", 4, false}, [LAUNCH_I32] = {"i32", 4, false},
    [LAUNCH_U64] = {"u64", 8, false}, [LAUNCH_I64] = {"i64", 8, false},
    [LAUNCH_F16] = {"f16", 2, true},  [LAUNCH_F32] = {"f32", 4, true},
    [LAUNCH_F64] = {"f64", 8, true},
};

// Types of C and CUDA that are one word, as 64-bit Linux has them. A vector type is such a word and 1, 2, 3 or 4
// (CUDA C++ Programming Guide, "Built-in Vector Types"). What C reserves cannot be a parameter's name.
static const struct { const char *name; LaunchType type; bool vectors, reserved; } words[] = {
    {"char", LAUNCH_I8, true, true},          {"short", LAUNCH_I16, true, true},
    {"int", LAUNCH_I32, true, true},          {"long", LAUNCH_I64, true, true},
    {"unsigned", LAUNCH_U32, false, true},    {"signed", LAUNCH_I32, false, true},
    {"float", LAUNCH_F32, true, true},        {"double", LAUNCH_F64, true, true},
    {"bool", LAUNCH_U8, false, true},         {"_Bool", LAUNCH_U8, false, true},
    {"uchar", LAUNCH_U8, true, false},        {"ushort", LAUNCH_U16, true, false},
    {"uint", LAUNCH_U32, true, false},        {"ulong", LAUNCH_U64, true, false},
    {"longlong", LAUNCH_I64, true, false},    {"ulonglong", LAUNCH_U64, true, false},
    {"half", LAUNCH_F16, true, false},        {"__half", LAUNCH_F16, true, true},
    {"size_t", LAUNCH_U64, false, true},      {"ssize_t", LAUNCH_I64, false, true},
    {"ptrdiff_t", LAUNCH_I64, false, true},   {"intptr_t", LAUNCH_I64, false, true},
    {"uintptr_t", LAUNCH_U64, false, true},
    {"int8_t", LAUNCH_I8, false, true},       {"uint8_t", LAUNCH_U8, false, true},
    {"int16_t", LAUNCH_I16, false, true},     {"uint16_t", LAUNCH_U16, false, true},
    {"int32_t", LAUNCH_I32, false, true},     {"uint32_t", LAUNCH_U32, false, true},
    {"int64_t", LAUNCH_I64, false, true},     {"uint64_t", LAUNCH_U64, false, true},
    {"int32", LAUNCH_I32, false, false},      {"uint32", LAUNCH_U32, false, false},
    {"s8", LAUNCH_I8, false, false},          {"s16", LAUNCH_I16, false, false},
    {"s32", LAUNCH_I32, false, false},        {"s64", LAUNCH_I64, false, false},
};

int launch_type_size(LaunchType type) { return types[type].size; }
const char *launch_type_name(LaunchType type) { return types[type].name; }
bool launch_type_is_float(LaunchType type) { return types[type].is_float; }
bool launch_type_is_signed(LaunchType type) { return types[type].name[0] != 'u'; }

static bool is_word(const char *s, size_t length, const char *word) {
  return strlen(word) == length && memcmp(s, word, length) == 0;
}

// A type that is one word: ours, C's, or a vector of CUDA.
static bool read_word(const char *s, size_t length, LaunchType *type, int *lanes) {
  int digit = length > 1 && s[length - 1] >= '1' && s[length - 1] <= '4' ? s[length - 1] - '0' : 0;
  for (int i = 0; i < LAUNCH_TYPE_COUNT; i++)
    if (is_word(s, length, types[i].name)) return *type = (LaunchType)i, *lanes = 1, true;
  for (int i = 0; i < LS_COUNT(words); i++) {
    bool vector = digit && words[i].vectors && is_word(s, length - 1, words[i].name);
    if (vector && words[i].type == LAUNCH_F16 && digit != 2) continue;
    if (!vector && !is_word(s, length, words[i].name)) continue;
    *type = words[i].type;
    *lanes = vector ? digit : 1;
    return true;
  }
  return false;
}

// The words of a whole number's type, in whatever order: C11 6.7.2.
typedef struct Whole { int chars, shorts, ints, longs, signeds, unsigneds, others; } Whole;

static void count_word(Whole *w, const char *s, size_t length) {
  const struct { const char *word; int *count; } rows[] = {
      {"char", &w->chars}, {"short", &w->shorts}, {"int", &w->ints}, {"long", &w->longs}, {"signed", &w->signeds},
      {"unsigned", &w->unsigneds}};
  for (int i = 0; i < LS_COUNT(rows); i++)
    if (is_word(s, length, rows[i].word)) {
      ++*rows[i].count;
      return;
    }
  w->others++;
}

static bool whole_type(const Whole *w, LaunchType *type) {
  static const LaunchType by_size[4][2] = {
      {LAUNCH_I8, LAUNCH_U8}, {LAUNCH_I16, LAUNCH_U16}, {LAUNCH_I32, LAUNCH_U32}, {LAUNCH_I64, LAUNCH_U64}};
  bool once = w->chars <= 1 && w->shorts <= 1 && w->ints <= 1 && w->longs <= 2 && w->signeds + w->unsigneds <= 1;
  bool sizes = (w->chars > 0) + (w->shorts > 0) + (w->longs > 0) <= 1 && !(w->chars && w->ints);
  if (w->others || !once || !sizes) return false;
  *type = by_size[w->chars ? 0 : w->shorts ? 1 : w->longs ? 3 : 2][w->unsigneds];
  return true;
}

static bool next_word(const char **at, const char *end, size_t *length) {
  while (*at < end && isspace((unsigned char)**at)) ++*at;
  const char *s = *at;
  while (s < end && !isspace((unsigned char)*s)) s++;
  *length = (size_t)(s - *at);
  return *length > 0;
}

bool launch_type_read(const char *name, size_t length, LaunchType *type, int *lanes) {
  const char *end = name + length, *only = NULL;
  size_t size, only_size = 0;
  int count = 0;
  Whole whole = {0};
  *lanes = 1;
  for (const char *at = name; next_word(&at, end, &size); at += size) {
    bool qualifies = is_word(at, size, "const") || is_word(at, size, "volatile");
    if (qualifies) continue;
    count_word(&whole, at, size);
    only = at;
    only_size = size;
    count++;
  }
  return count == 1 ? read_word(only, only_size, type, lanes) : count > 1 && whole_type(&whole, type);
}

bool launch_type_parse(const char *name, size_t length, LaunchType *type) {
  int lanes;
  return launch_type_read(name, length, type, &lanes) && lanes == 1;
}

// Our own words are types always.
bool launch_type_may_be_name(const char *name, size_t length) {
  for (int i = 0; i < LS_COUNT(words); i++)
    if (is_word(name, length, words[i].name)) return !words[i].reserved;
  return false;
}

int launch_type_align(LaunchType type, int lanes) {
  int size = types[type].size;
  return lanes == 2 || lanes == 4 ? LS_MIN(size * lanes, 16) : size;
}

bool launch_unknown_type(const char *name, size_t length, LsErr *err) {
  if (memchr(name, '*', length))
    return ls_fail(err, LS_EREQUEST,
                   "'%s': a pointer takes a buffer to point at: TYPE[COUNT]=INIT, such as float[1000]=iota",
                   LS_QUOTE_N(name, length));
  return ls_fail(err, LS_EREQUEST,
                 "unknown type '%s' (types: " LAUNCH_TYPE_NAMES ", or C's: int, unsigned char, float)",
                 LS_QUOTE_N(name, length));
}
