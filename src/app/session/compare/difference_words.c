// difference_words.c: what differs at an event, and in a buffer, in words and numbers.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/session/compare/difference.h"
#include "app/session/format.h"
#include "base/mem.h"
#include "ptx/debuginfo.h"

// ---- values --------------------------------------------------------------------------------------------------------

// Exchanges are of bits: numbers from a millionth to a million million, as floats, are taken for such.
static bool looks_like_float(uint64_t bits) {
  uint32_t exponent = (uint32_t)bits >> 23 & 255;
  return exponent > 127 - 20 && exponent < 127 + 40;
}

static uint8_t kind_of_type(PtxType type, int size, uint64_t a, uint64_t b) {
  switch (type) {
    case PTX_F16: case PTX_F32: case PTX_F64: return PTX_DW_FLOAT;
    case PTX_S8: case PTX_S16: case PTX_S32: case PTX_S64: return PTX_DW_INT;
    case PTX_B32: return size == 4 && (looks_like_float(a) || !a) && (looks_like_float(b) || !b) && (a || b) ? PTX_DW_FLOAT : PTX_DW_UINT;
    default: return PTX_DW_UINT;
  }
}

// "1.5 (0x3fc00000)": floats that look the same may differ in bits; then with all of their digits.
static void add_value(uint8_t kind, int size, uint64_t bits, bool exact, LsText *out) {
  float narrow;
  double wide;
  uint32_t low = (uint32_t)bits;
  memcpy(&narrow, &low, sizeof narrow);
  memcpy(&wide, &bits, sizeof wide);
  if (exact && size == 4) ls_text_addf(out, "%.9g", (double)narrow);
  else if (exact && size == 8) ls_text_addf(out, "%.17g", wide);
  else ses_format_value(kind, size, bits, false, out);
  if (kind == PTX_DW_FLOAT) ls_text_addf(out, " (0x%0*" PRIx64 ")", 2 * size, bits);
}

static bool look_alike(uint8_t kind, int size, uint64_t left, uint64_t right) {
  LsText one = {0}, other = {0};
  ses_format_value(kind, size, left, false, &one);
  ses_format_value(kind, size, right, false, &other);
  bool alike = kind == PTX_DW_FLOAT && strcmp(ls_text_str(&one), ls_text_str(&other)) == 0;
  ls_text_free(&one);
  ls_text_free(&other);
  return alike;
}

static void add_pair(uint8_t kind, int size, uint64_t left, uint64_t right, LsText *out) {
  bool exact = look_alike(kind, size, left, right);
  add_value(kind, size, left, exact, out);
  ls_text_add(out, " here, ");
  add_value(kind, size, right, exact, out);
  ls_text_add(out, " there");
}

// ---- one lane ------------------------------------------------------------------------------------------------------

// A copy of an event with its arrays, which live until the next one otherwise.
typedef struct Event { TraceEvent e; uint64_t addr[32], value[32], result[32]; } Event;

static bool get(Trace *trace, uint64_t step, Event *out) {
  if (!trace_event(trace, step, &out->e, NULL)) return false;
  if (out->e.addr) memcpy(out->addr, out->e.addr, sizeof out->addr);
  if (out->e.value) memcpy(out->value, out->e.value, sizeof out->value);
  if (out->e.result) memcpy(out->result, out->e.result, sizeof out->result);
  return true;
}

static void add_place(const TraceInfo *info, int space, uint64_t addr, LsText *out) {
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *o = &info->objects[i];
    if (o->space != space || addr - o->base >= o->size) continue;
    uint64_t at = addr - o->base, size = (uint64_t)launch_type_size((LaunchType)o->type);
    if (at % size == 0) ls_text_addf(out, "%s[%" PRIu64 "]", o->name, at / size);
    else ls_text_addf(out, "%s + %" PRIu64 " bytes", o->name, at);
    return;
  }
  ls_text_addf(out, "0x%" PRIx64, addr);
}

// In array and offset, since the arrays lie elsewhere.
static bool same_place(const Run *left, const Run *right, int space, uint64_t a, uint64_t b) {
  LsText one = {0}, other = {0};
  add_place(&left->info, space, a, &one);
  add_place(&right->info, space, b, &other);
  bool same = strcmp(ls_text_str(&one), ls_text_str(&other)) == 0;
  ls_text_free(&one);
  ls_text_free(&other);
  return same;
}

static void lanes_words(const Event *a, const Event *b, LsText *out) {
  bool guard = a->e.active == b->e.active && a->e.mask != b->e.mask, sides = a->e.mask == b->e.mask && a->e.taken != b->e.taken;
  uint32_t mine = sides ? a->e.taken : guard ? a->e.mask : a->e.active, theirs = sides ? b->e.taken : guard ? b->e.mask : b->e.active;
  const char *what = sides ? a->e.kind == TRACE_BRANCH ? "take the branch" : "say yes" : "do it";
  ls_text_addf(out, "%d lanes %s here, %d there: 0x%08x and 0x%08x", __builtin_popcount(mine), what, __builtin_popcount(theirs),
               mine, theirs);
}

static void place_words(const Run *left, const Run *right, const Event *a, const Event *b, LsText *out) {
  for (int lane = 0; lane < 32; lane++) {
    if (!(a->e.mask >> lane & 1) || same_place(left, right, a->e.space, a->addr[lane], b->addr[lane])) continue;
    ls_text_addf(out, "lane %d: ", lane);
    add_place(&left->info, a->e.space, a->addr[lane], out);
    ls_text_add(out, " here, ");
    add_place(&right->info, b->e.space, b->addr[lane], out);
    ls_text_add(out, " there");
    return;
  }
}

static void value_words(const Run *left, const Event *a, const Event *b, LsText *out) {
  const PtxInstr *in = &left->module->code[a->e.pc];
  int size = LS_CLAMP(ptx_type_size((PtxType)in->type), 1, 8), differing = 0;
  for (int turn = 0; turn < 2; turn++) {
    bool given = turn == 0, known = given ? a->e.value && b->e.value : a->e.result && b->e.result;
    const uint64_t *mine = given ? a->value : a->result, *theirs = given ? b->value : b->result;
    for (int lane = 0; known && lane < 32; lane++) {
      if (!(a->e.mask >> lane & 1) || mine[lane] == theirs[lane] || differing++) continue;
      ls_text_addf(out, "lane %d %s ", lane, given ? "brings" : "gets");
      add_pair(kind_of_type((PtxType)in->type, size, mine[lane], theirs[lane]), size, mine[lane], theirs[lane], out);
    }
  }
  if (differing > 1) ls_text_addf(out, "; %d values differ", differing);
}

static int line_of(const Run *run, int pc) {
  int file = 0, line = 0;
  return pc >= 0 && ptx_line_of(run->module, pc, &file, &line) ? line : 0;
}

static void way_words(const Run *left, const Run *right, const EventDifference *item, LsText *out) {
  if (item->left_pc < 0) ls_text_addf(out, "it ends here, and goes on at line %d there", line_of(right, item->right_pc));
  else if (item->right_pc < 0) ls_text_addf(out, "it goes on at line %d here, and ended there", line_of(left, item->left_pc));
  else ls_text_addf(out, "it comes to line %d here, to line %d there", line_of(left, item->left_pc), line_of(right, item->right_pc));
}

void difference_words(const Run *left, const Run *right, const EventDifference *item, LsText *out) {
  Event a, b;
  ls_text_addf(out, "warp %d, event %" PRIu64 ": ", item->warp, item->event);
  if (item->kind == DIFFERENCE_WAY) way_words(left, right, item, out);
  else if (!get(left->trace, item->left, &a) || !get(right->trace, item->right, &b)) ls_text_add(out, "the trace is damaged");
  else if (item->grouped) ls_text_addf(out, "its lanes run in other groups, and come to %s", difference_name((DifferenceKind)item->kind));
  else if (item->kind == DIFFERENCE_LANES) lanes_words(&a, &b, out);
  else if (item->kind == DIFFERENCE_PLACE) place_words(left, right, &a, &b, out);
  else value_words(left, &a, &b, out);
  if (item->after_order) ls_text_add(out, ", after an atomic that found another value: the order of warps decides");
  ls_text_addc(out, '.');
}

void difference_buffer_words(const Run *left, const BufferDifference *buffer, LsText *out) {
  const LaunchArg *arg = &left->info.launch.args[buffer->arg];
  const char *said = arg->name ? arg->name : ptx_param_source_name(left->module, left->entry, buffer->arg);
  char digits[2][32], name[64];
  bool is_signed = arg->type == LAUNCH_I8 || arg->type == LAUNCH_I16 || arg->type == LAUNCH_I32 || arg->type == LAUNCH_I64;
  uint8_t kind = launch_type_is_float(arg->type) ? PTX_DW_FLOAT : is_signed ? PTX_DW_INT : PTX_DW_UINT;
  if (said) snprintf(name, sizeof name, "%.60s", said);
  else snprintf(name, sizeof name, "argument %d", buffer->arg + 1);
  if (!buffer->count) {
    ls_text_addf(out, "%s: the same", name);
    return;
  }
  ls_text_addf(out, "%s of %s elements of %s differ, first [%" PRIu64 "]: ", ls_group_digits(buffer->count, digits[0]),
               ls_group_digits(buffer->elements, digits[1]), name, buffer->first);
  add_pair(kind, launch_type_size(arg->type), buffer->left, buffer->right, out);
}
