// vectors.c: puts the entry of a measured form over many blocks of fresh operands into a batch.
#include "vectors.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "rng.h"

static LaunchType unsigned_of(PtxType type) {
  switch (ptx_type_size(type)) {
    case 1: return LAUNCH_U8;
    case 2: return LAUNCH_U16;
    case 4: return LAUNCH_U32;
    default: return LAUNCH_U64;
  }
}

// The entry of a form, under another name and over many blocks.
static void add_entry(Batch *batch, const VecForm *form, const char *entry) {
  static const char head[] = ".visible .entry form(", index[] = "mov.u32 %thread, %tid.x;";
  LsText text = {0};
  vec_ptx(form, &text);
  const char *start = strstr(ls_text_str(&text), head), *thread = strstr(ls_text_str(&text), index);
  ls_text_addf(&batch->ptx, "// %s\n.visible .entry %s(", form->name, entry);
  start += sizeof head - 1;
  ls_text_addn(&batch->ptx, start, (size_t)(thread - start));
  ls_text_addf(&batch->ptx, "{ .reg .b32 %%u; mov.u32 %%u, %%ctaid.x; mov.u32 %%thread, %%tid.x; "
               "mad.lo.u32 %%thread, %%u, %d, %%thread; }", VEC_ROWS);
  ls_text_add(&batch->ptx, thread + sizeof index - 1);
  ls_text_add(&batch->ptx, "\n");
  ls_text_free(&text);
}

static void add_operands(Program *program, const VecForm *form, Rng *rng, uint64_t rows) {
  uint64_t *first = ls_alloc(rows * sizeof *first);
  for (int s = 0; s < form->sources; s++) {
    size_t size = (size_t)ptx_type_size(form->in[s]);
    uint8_t *bytes = ls_alloc(rows * size);
    for (uint64_t i = 0; i < rows; i++) {
      uint64_t value = s == 0 ? rng_value(rng, form->in[s]) : rng_partner(rng, form->in[s], first[i]);
      if (s == 0) first[i] = value;
      if (size == 4 && forms_is_wide_field(form)) value &= 255;
      memcpy(bytes + i * size, &value, size);
    }
    batch_add_buffer(program, unsigned_of(form->in[s]), rows, bytes);
  }
  free(first);
}

void vectors_add(Batch *batch, const VecForm *form, int number, uint64_t seed, uint32_t blocks) {
  Rng rng = {seed ^ (uint64_t)number << 32};
  uint64_t rows = (uint64_t)blocks * VEC_ROWS;
  char entry[32];
  snprintf(entry, sizeof entry, "form_%d", number);
  Program *program = batch_begin(batch, entry);
  snprintf(program->name, sizeof program->name, "vectors %s, seed %llu", form->name, (unsigned long long)seed);
  program->form = form;
  program->launch.kernel = ls_strdup(entry);
  program->launch.grid[0] = blocks;
  program->launch.block[0] = VEC_ROWS;
  add_operands(program, form, &rng, rows);
  batch_add_buffer(program, unsigned_of(form->out), rows, NULL);
  add_entry(batch, form, entry);
  batch_end(batch);
}
