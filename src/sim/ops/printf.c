// printf.c: what kernels print and assert: calls of vprintf and __assertfail.
//
// vprintf(format, arguments): both are generic addresses; the arguments lie there as in a C structure, integers of 4
// or 8 bytes and doubles. Lanes print in their order.
#include <stdio.h>
#include <string.h>
#include "sim/check/fault.h"
#include "sim/core/ownership.h"
#include "sim/ops/call.h"

enum { MAX_STRING = 4096 };

static bool peek(SimExec *exec, uint32_t lane, uint64_t generic, uint64_t size, void *out) {
  uint64_t addr, thread = (uint64_t)sim_warp_index(exec) * SIM_LANES + lane;
  TraceSpace space = sim_classify(generic, &addr);
  if (space == TRACE_SHARED || space == TRACE_LOCAL) {
    uint64_t room = space == TRACE_SHARED ? exec->program->shared_bytes : exec->program->local_bytes;
    const uint8_t *from = space == TRACE_SHARED ? exec->shared : exec->local + thread * exec->program->local_bytes;
    if (addr >= room || size > room - addr) return false;
    memcpy(out, from + addr, size);
    return true;
  }
  const SimAlloc *a = sim_alloc_at(exec->memory, generic);
  if (space == TRACE_PARAM || !a || a->image || size > a->size - (generic - a->base)) return false;
  if (!sim_ownership_claim_read(exec, a, generic - a->base, size)) return false;
  memcpy(out, a->bytes + (generic - a->base), size);
  return true;
}

static void peek_string(SimExec *exec, uint32_t lane, uint64_t generic, LsText *out) {
  char c;
  for (int i = 0; i < MAX_STRING && peek(exec, lane, generic + (uint64_t)i, 1, &c) && c; i++) ls_text_addc(out, c);
}

static uint64_t argument(SimExec *exec, const SimCall *call, int index, uint32_t lane) {
  uint64_t value = 0;
  if (index >= call->arg_count) return 0;
  uint64_t thread = (uint64_t)sim_warp_index(exec) * SIM_LANES + lane;
  memcpy(&value, exec->lane_params + thread * exec->program->lane_param_bytes + call->args[index].at,
         LS_MIN(call->args[index].bytes, 8u));
  return value;
}

// ---- printf --------------------------------------------------------------------------------------------------------

typedef struct Printer { SimExec *exec; uint32_t lane; uint64_t at; LsText *out; } Printer;   // at: the next argument

static uint64_t next_argument(Printer *p, uint64_t size) {
  uint64_t value = 0;
  p->at = (p->at + size - 1) / size * size;
  peek(p->exec, p->lane, p->at, size, &value);
  p->at += size;
  return value;
}

static bool is_one_of(char c, const char *set) { return c && strchr(set, c); }

// flags, width and precision as they stand, with room for the length and the conversion.
typedef struct Spec { char text[40]; int length; int longs; } Spec;

static const char *read_spec(const char *at, Spec *spec) {
  spec->text[0] = '%';
  spec->length = 1;
  spec->longs = 0;
  for (; is_one_of(*at, "-+ #0123456789."); at++) if (spec->length < 30) spec->text[spec->length++] = *at;
  for (; is_one_of(*at, "lhzjt"); at++) spec->longs += *at == 'l' || *at == 'z' || *at == 'j' || *at == 't' ? 1 : 0;
  return at;
}

// Widths beyond reason would let a kernel fill the memory.
static bool is_sane(const Spec *spec) {
  int digits = 0;
  for (int i = 1; i < spec->length; i++) {
    digits = spec->text[i] >= '0' && spec->text[i] <= '9' ? digits + 1 : 0;
    if (digits > 3) return false;
  }
  return true;
}

static void print_number(Printer *p, Spec *spec, char conversion) {
  const char *suffix = is_one_of(conversion, "eEfFgGaA") ? "" : "ll";
  char out[1400];
  snprintf(spec->text + spec->length, sizeof spec->text - (size_t)spec->length, "%s%c", suffix, conversion);
  if (!*suffix) {
    double value;
    uint64_t bits = next_argument(p, 8);
    memcpy(&value, &bits, sizeof value);
    snprintf(out, sizeof out, spec->text, value);
  } else if (is_one_of(conversion, "di")) {
    int64_t value = spec->longs ? (int64_t)next_argument(p, 8) : (int32_t)next_argument(p, 4);
    snprintf(out, sizeof out, spec->text, (long long)value);
  } else {
    snprintf(out, sizeof out, spec->text, (unsigned long long)next_argument(p, spec->longs ? 8 : 4));
  }
  ls_text_add(p->out, out);
}

static void print_one(Printer *p, Spec *spec, char conversion) {
  if (conversion == '%') ls_text_addc(p->out, '%');
  else if (conversion == 'c') ls_text_addc(p->out, (char)next_argument(p, 4));
  else if (conversion == 's') peek_string(p->exec, p->lane, next_argument(p, 8), p->out);
  else if (conversion == 'p') ls_text_addf(p->out, "0x%llx", (unsigned long long)next_argument(p, 8));
  else if (is_one_of(conversion, "dixXouufFeEgGaA") && is_sane(spec)) print_number(p, spec, conversion);
}

static void print_lane(SimExec *exec, uint32_t lane, uint64_t format, uint64_t arguments) {
  LsText text = {0};
  Printer p = {exec, lane, arguments, &exec->output.text};
  peek_string(exec, lane, format, &text);
  for (const char *at = ls_text_str(&text); *at; at++) {
    if (*at != '%') { ls_text_addc(&exec->output.text, *at); continue; }
    Spec spec;
    at = read_spec(at + 1, &spec);
    if (!*at) break;
    print_one(&p, &spec, *at);
  }
  ls_text_free(&text);
}

// The call is the last event of the block so far.
static void note_piece(SimExec *exec, uint32_t lane, size_t length) {
  uint32_t thread = (uint32_t)sim_warp_index(exec) * SIM_LANES + lane;
  if (length) sim_output_piece(&exec->output, (SimPrint){exec->block.number, thread, exec->block.events - 1, length});
}

void sim_printf(SimExec *exec, const SimCall *call, uint32_t mask) {
  SIM_FOR_LANES(i, mask) {
    size_t before = exec->output.text.length;
    if (!exec->hooks && before < SIM_MAX_OUTPUT)
      print_lane(exec, i, argument(exec, call, 0, i), argument(exec, call, 1, i));
    note_piece(exec, i, exec->output.text.length - before);
    if (!call->result_count) continue;
    uint64_t thread = (uint64_t)sim_warp_index(exec) * SIM_LANES + i;
    memset(exec->lane_params + thread * exec->program->lane_param_bytes + call->results[0].at, 0,
           call->results[0].bytes);
  }
}

// ---- assert --------------------------------------------------------------------------------------------------------

// __assertfail(expression, file, line, function, size of a character)
void sim_assert(SimExec *exec, const SimCall *call, uint32_t mask) {
  uint32_t lane = (uint32_t)__builtin_ctz(mask);
  LsText text = {0};
  ls_text_add(&text, "the assertion '");
  peek_string(exec, lane, argument(exec, call, 0, lane), &text);
  ls_text_add(&text, "' failed in ");
  peek_string(exec, lane, argument(exec, call, 3, lane), &text);
  sim_fault(exec, &(SimFaultPlace){.kind = FAULT_ASSERT, .mask = mask, .text = ls_text_str(&text)});
  ls_text_free(&text);
}
