// gen_straight.c: random programs without a branch: each thread loads a row, computes with it and stores it, at the end
// or after each step.
#include <stdio.h>
#include "base/mem.h"
#include "code.h"
#include "generate.h"

enum { BLOCK = 64, THREADS = 128 };

static void header(Code *code, const char *entry) {
  ls_text_addf(code->out, ".visible .entry %s(\n  .param .u64 in,\n  .param .u64 out\n)\n{\n", entry);
  ls_text_add(code->out, "  .reg .b32 %thread, %block;\n  .reg .b64 %offset, %row, %result;\n");
  code_declare(code);
  ls_text_add(code->out, "  mov.u32 %thread, %tid.x;\n  mov.u32 %block, %ctaid.x;\n");
  ls_text_add(code->out, "  mad.lo.u32 %thread, %block, 64, %thread;\n");
  ls_text_addf(code->out, "  mul.wide.u32 %%offset, %%thread, %d;\n", CODE_ROW * 8);
  ls_text_add(code->out,
              "  ld.param.u64 %row, [in];\n  cvta.to.global.u64 %row, %row;\n  add.s64 %row, %row, %offset;\n");
  ls_text_add(code->out, "  ld.param.u64 %result, [out];\n  cvta.to.global.u64 %result, %result;\n");
  ls_text_add(code->out, "  add.s64 %result, %result, %offset;\n");
}

static void watched_instructions(Code *code, int count) {
  for (int i = 0; i < count; i++) {
    ls_text_addf(code->out, "  // step %d\n", i);
    code_instruction(code);
    code_store_row(code, "%result");
    ls_text_addf(code->out, "  add.s64 %%result, %%result, %d;\n", THREADS * CODE_ROW * 8);
  }
}

static void generate(Batch *batch, const Forms *forms, uint64_t seed, bool watched) {
  Code code = {.rng = {seed}, .out = &batch->ptx, .forms = forms, .full_warps = true, .has_row = true};
  char entry[64];
  snprintf(entry, sizeof entry, "straight_%llu", (unsigned long long)seed);
  Program *program = batch_begin(batch, entry);
  program->launch.kernel = ls_strdup(entry);
  program->launch.block[0] = BLOCK;
  program->launch.grid[0] = THREADS / BLOCK;
  program->has_rows = true;
  batch_add_buffer(program, LAUNCH_U64, THREADS * CODE_ROW, code_rows(&code.rng, THREADS));
  int count = 20 + (int)rng_below(&code.rng, 181);
  batch_add_buffer(program, LAUNCH_U64, (uint64_t)(watched ? count + 1 : 1) * THREADS * CODE_ROW, NULL);
  header(&code, entry);
  code_load_row(&code);
  if (watched) watched_instructions(&code, count);
  else code_instructions(&code, count, 0);
  code_store_row(&code, "%result");
  ls_text_add(code.out, "  ret;\n}\n\n");
  batch_end(batch);
}

void generate_straight(Batch *batch, const Forms *forms, uint64_t seed) { generate(batch, forms, seed, false); }
void generate_watched(Batch *batch, const Forms *forms, uint64_t seed) { generate(batch, forms, seed, true); }
