// orders_words.c: how the outcomes of several orders differ: the elements, and whether it is rounding alone.
#include "app/run/orders_words.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { SHOWN = 6 };          // elements

bool orders_looks_at(const LaunchArg *arg) { return arg->is_buffer && arg->role != LAUNCH_VARIABLE; }

void orders_ending_words(const Sim *sim, LsText *out) {
  int count;
  uint64_t told = 0;
  const TraceFault *faults = sim_faults(sim, &count);
  const char *printed = sim_output(sim);
  for (int i = 0; i < count; i++) {
    if (trace_fault_grade(&faults[i]) != GRADE_FAULT || told >> faults[i].kind & 1) continue;
    told |= 1ull << faults[i].kind;
    ls_text_addf(out, "%s%s", out->length ? ", " : "", trace_fault_name((FaultKind)faults[i].kind));
  }
  if (!*printed) return;
  char line[80];
  run_one_line(printed, line, sizeof line);
  ls_text_addf(out, "%sprints \"%s\"", out->length ? ", " : "", line);
}

static void add_value(LaunchType type, const uint8_t *at, LsText *out) {
  int64_t whole = 0;
  uint64_t bits = 0;
  float single;
  double real;
  int size = launch_type_size(type);
  memcpy(&bits, at, (size_t)size);
  memcpy(&single, at, LS_MIN(sizeof single, (size_t)size));
  memcpy(&real, at, LS_MIN(sizeof real, (size_t)size));
  whole = size == 1 ? (int8_t)bits : size == 2 ? (int16_t)bits : size == 4 ? (int32_t)bits : (int64_t)bits;
  if (type == LAUNCH_F32) ls_text_addf(out, "%.9g", (double)single);
  else if (type == LAUNCH_F64) ls_text_addf(out, "%.17g", real);
  else if (type == LAUNCH_I8 || type == LAUNCH_I16 || type == LAUNCH_I32 || type == LAUNCH_I64)
    ls_text_addf(out, "%" PRId64, whole);
  else if (type == LAUNCH_F16) ls_text_addf(out, "0x%04" PRIx64, bits);
  else ls_text_addf(out, "%" PRIu64, bits);
}

void orders_element_name(const Run *run, int arg, uint64_t element, LsText *out) {
  const char *name = NULL;
  for (int i = 0; i < run->info.object_count && !name; i++)
    if (run->info.objects[i].arg == arg) name = run->info.objects[i].name;
  if (name && !strchr(name, ' ')) ls_text_addf(out, "%s[%" PRIu64 "]", name, element);
  else ls_text_addf(out, "element %" PRIu64 " of argument %d", element, arg + 1);
}

static bool differs(const Orders *o, size_t at, size_t size) {
  for (int i = 1; i < o->count; i++) if (memcmp(o->items[0].bytes + at, o->items[i].bytes + at, size) != 0) return true;
  return false;
}

// ---- rounding ------------------------------------------------------------------------------------------------------

static bool adds_floats(const PtxModule *module) {
  for (int pc = 0; pc < module->code_count; pc++) {
    const PtxInstr *in = &module->code[pc];
    if ((in->op == PTX_OP_atom || in->op == PTX_OP_red) && ptx_type_is_float((PtxType)in->type)) return true;
  }
  return false;
}

// As many additions in another order may differ: within a thousandth.
static bool is_close(LaunchType type, const uint8_t *a, const uint8_t *b) {
  float x = 0, y = 0;
  double u, v;
  if (type != LAUNCH_F32 && type != LAUNCH_F64) return false;
  if (type == LAUNCH_F32) memcpy(&x, a, 4), memcpy(&y, b, 4), u = (double)x, v = (double)y;
  else memcpy(&u, a, 8), memcpy(&v, b, 8);
  return fabs(u - v) <= 1e-3 * LS_MAX(fabs(u), fabs(v));
}

static void note_difference(Orders *o, const LaunchArg *arg, size_t at, size_t size, bool floats) {
  for (int i = 1; i < o->count; i++) {
    const uint8_t *a = o->items[0].bytes + at, *b = o->items[i].bytes + at;
    if (memcmp(a, b, size) != 0 && !(floats && is_close(arg->type, a, b))) o->items[i].is_rounding = false;
  }
}

// ---- elements ------------------------------------------------------------------------------------------------------

static void add_element(const Run *run, Orders *o, int arg, uint64_t element, size_t at) {
  for (int i = 0; i < o->count; i++) {
    LsText words = {0};
    ls_text_add(&words, o->items[i].words);
    if (words.length) ls_text_add(&words, ", ");
    orders_element_name(run, arg, element, &words);
    ls_text_add(&words, " = ");
    add_value(run->info.launch.args[arg].type, o->items[i].bytes + at, &words);
    free(o->items[i].words);
    o->items[i].words = ls_text_take(&words);
  }
}

void orders_words(const Run *run, Orders *o) {
  const Launch *launch = &run->info.launch;
  bool floats = adds_floats(run->module);
  size_t at = 0;
  int shown = 0;
  o->arg = -1;
  for (int i = 1; i < o->count; i++) o->items[i].is_rounding = strcmp(o->items[i].words, o->items[0].words) == 0;
  for (int arg = 0; arg < launch->arg_count; arg++) {
    size_t size = (size_t)launch_type_size(launch->args[arg].type);
    if (!orders_looks_at(&launch->args[arg])) continue;
    for (uint64_t k = 0; k < launch->args[arg].count; k++, at += size) {
      if (!differs(o, at, size)) continue;
      note_difference(o, &launch->args[arg], at, size, floats);
      if (o->arg < 0) o->arg = arg, o->element = k;
      if (shown++ < SHOWN) add_element(run, o, arg, k, at);
    }
  }
  for (int i = 1; i < o->count; i++) o->differ |= !o->items[i].is_rounding;
}

// ---- all together --------------------------------------------------------------------------------------------------

void orders_tried_words(const Orders *o, LsText *out) {
  if (o->all && o->orders)
    ls_text_addf(out, "all %" PRIu64 " order%s of the accesses of its warps and diverged lanes, and ", o->orders,
                 o->orders == 1 ? "" : "s");
  else if (o->all) ls_text_add(out, "all orders of the accesses of its warps and diverged lanes, and ");
  ls_text_addf(out, "%" PRIu64 " seed%s%s", o->seeds, o->seeds == 1 ? "" : "s",
               o->all ? " (lanes that run together part only there)" : " of more orders");
}

void orders_verdict_words(const Orders *o, LsText *out) {
  if (o->count == 1) ls_text_add(out, "one outcome: the order makes no difference");
  else if (o->differ) ls_text_addf(out, "%d outcomes: the result depends on the order", o->count);
  else ls_text_addf(out, "%d outcomes, which differ only by the rounding of floats that atomics add", o->count);
}
