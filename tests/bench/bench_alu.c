// bench_alu.c: how long one warp instruction of arithmetic takes, for the forms in tests/ptx.
//
//   make bench_alu && ./bench_alu [PART OF A FORM'S NAME]
//
// Nanoseconds with all lanes, and with some, for each instruction set that this machine has: the best of many short
// passes, as other programs' turns are longer than one. Floats are ordinary ones, since a processor takes long over
// subnormal numbers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/mem.h"
#include "ptx/module.h"
#include "sim/alu/alu.h"
#include "vec.h"

enum { SLOT = 256, SLOTS = 8, CALLS = 198, PASSES = 400 };
static _Alignas(64) uint8_t regs[SLOTS * SLOT];
static const char *const isas[] = {"generic", "avx2", "avx512"};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// Results go to three registers in turns, as those of a program seldom go to the same one twice in a row.
static double measure(const SimOp *op, uint32_t mask) {
  SimOp ops[3] = {*op, *op, *op};
  double best = 1e12;
  for (uint32_t i = 0; i < 3; i++) ops[i].d += i * SLOT;
  for (int pass = 0; pass < PASSES; pass++) {
    double start = now();
    for (int i = 0; i < CALLS; i++) op->run(regs, &ops[i % 3], mask);
    double each = (now() - start) / CALLS;
    best = each < best ? each : best;
  }
  return best;
}

// The first instruction of the form's own opcode, behind the loads.
static const PtxInstr *instruction_of(const PtxModule *module, const VecForm *form) {
  int first = 0;
  for (int pc = 0; pc < module->code_count; pc++)
    if (module->code[pc].op == PTX_OP_ld && module->code[pc].space == PTX_GLOBAL) first = pc + 1;
  for (int pc = first; pc < module->code_count; pc++) {
    const char *name = ptx_op_name((PtxOp)module->code[pc].op);
    size_t length = strlen(name);
    if (strncmp(form->name, name, length) == 0 && form->name[length] == '.') return &module->code[pc];
  }
  return NULL;
}

// The mantissa of a measured operand, and a size between 1/16 and 16.
static uint64_t ordinary(PtxType type, uint64_t bits, int lane) {
  uint64_t exponent = (uint64_t)(lane % 8 - 4);
  switch (type) {
  case PTX_F16: return (bits & 0x3ff) | (15 + exponent) << 10;
  case PTX_BF16: return (bits & 0x7f) | (127 + exponent) << 7;
  case PTX_F16X2: return (bits & 0x03ff03ff) | (15 + exponent) * 0x04000400;
  case PTX_BF16X2: return (bits & 0x007f007f) | (127 + exponent) * 0x00800080;
  case PTX_F32: return (bits & 0x7fffff) | (127 + exponent) << 23;
  case PTX_F64: return (bits & 0xfffffffffffff) | (1023 + exponent) << 52;
  default: return bits;
  }
}

static void fill(const VecForm *form) {
  for (int s = 0; s < form->sources; s++) {
    uint8_t *slot = regs + (s + 1) * SLOT;
    for (int i = 0; i < 32; i++) {
      uint64_t value = ordinary(form->in[s], form->inputs[s][i], i);
      if (ptx_type_size(form->in[s]) == 8) ((uint64_t *)(void *)slot)[i] = value;
      else ((uint32_t *)(void *)slot)[i] = (uint32_t)value;
    }
  }
}

static void bench(const VecForm *form) {
  LsText text = {0};
  LsErr err = {0};
  vec_ptx(form, &text);
  PtxModule *module = ptx_parse(form->name, ls_text_str(&text), text.length, &err);
  const PtxInstr *in = module ? instruction_of(module, form) : NULL;
  if (in && sim_alu_find(in)) {
    printf("%-28s", form->name);
    for (int i = 0; i < LS_COUNT(isas); i++) {
      SimOp op = {.run = sim_alu_find_isa(in, isas[i]), .d = 5 * SLOT, .a = SLOT, .b = 2 * SLOT, .c = 3 * SLOT, .e = 4 * SLOT,
                  .imm = 0x96, .type = in->type, .type2 = in->type2, .cmp = in->cmp, .mode = in->mode, .round = in->round,
                  .flags = in->flags};
      if (!op.run) continue;
      fill(form);
      printf("  %8.1f %8.1f", measure(&op, UINT32_MAX), measure(&op, 0x0ff00fff));
    }
    printf("\n");
  }
  ptx_module_free(module);
  ls_text_free(&text);
}

int main(int argc, char **argv) {
  const char *wanted = argc > 1 ? argv[1] : "";
  int files;
  char **paths = vec_files(&files);
  printf("ns per warp instruction, all lanes and some:");
  for (int i = 0; i < LS_COUNT(isas); i++) printf("  %s", isas[i]);
  printf("\n");
  for (int i = 0; i < files; i++) {
    int count = 0;
    VecForm *forms = vec_read(paths[i], &count, NULL);
    for (int f = 0; forms && f < count; f++)
      if (strstr(forms[f].name, wanted)) bench(&forms[f]);
    free(forms);
    free(paths[i]);
  }
  free(paths);
}
