// carry_vectors.c: a GPU's answers to sums that read the flag of differences, and the other way round, as vectors.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/mem.h"
#include "carry.h"
#include "vectors.h"

// An instruction, the type that follows, and its operands: in the middle, and at the end.
typedef struct Part { const char *name, *operands, *last; } Part;
static const Part firsts[] = {
    {"add.cc", "%t, %a, %b", NULL},
    {"sub.cc", "%t, %a, %b", NULL},
    {"mad.lo.cc", "%t, %a, %b, %c", NULL},
    {"mad.hi.cc", "%t, %a, %b, %c", NULL},
};
static const Part readers[] = {
    {"addc", "%t, %t, %c", "%d, %t, %c"},
    {"subc", "%t, %t, %c", "%d, %t, %c"},
    {"madc.lo", "%t, %a, %c, %t", "%d, %a, %c, %t"},
    {"madc.hi", "%t, %a, %c, %t", "%d, %a, %c, %t"},
};
static const PtxType types[] = {PTX_U32, PTX_U64};
enum { FIRSTS = LS_COUNT(firsts), READERS = LS_COUNT(readers), LASTS = 2, FORMS = FIRSTS * READERS * (1 + LASTS) };

// middle NULL: a pair. At the end of three stands addc or subc.
static VecForm form_of(PtxType type, const Part *first, const Part *middle, const Part *last) {
  VecForm form = {.in = {type, type, type}, .out = type, .sources = 3};
  const char *t = ptx_type_name(type);
  LsText name = {0}, op = {0};
  ls_text_addf(&name, "%s+", first->name);
  ls_text_addf(&op, "{ .reg .b%s %%t; %s.%s %s; ", t + 1, first->name, t, first->operands);
  if (middle) {
    ls_text_addf(&name, "%s.cc+", middle->name);
    ls_text_addf(&op, "%s.cc.%s %s; ", middle->name, t, middle->operands);
  }
  ls_text_addf(&name, "%s.%s", last->name, t);
  ls_text_addf(&op, "%s.%s %s; }", last->name, t, last->last);
  snprintf(form.name, sizeof form.name, "%s", ls_text_str(&name));
  snprintf(form.op, sizeof form.op, "%s", ls_text_str(&op));
  ls_text_free(&name);
  ls_text_free(&op);
  return form;
}

static int all_forms(VecForm **forms) {
  int count = 0;
  *forms = ls_alloc(LS_COUNT(types) * FORMS * sizeof **forms);
  for (int t = 0; t < LS_COUNT(types); t++)
    for (int i = 0; i < FIRSTS; i++)
      for (int k = 0; k < READERS; k++) {
        (*forms)[count++] = form_of(types[t], &firsts[i], NULL, &readers[k]);
        for (int last = 0; last < LASTS; last++)
          (*forms)[count++] = form_of(types[t], &firsts[i], &readers[k], &readers[last]);
      }
  return count;
}

static uint64_t element(const uint8_t *bytes, int row, int size) {
  uint64_t value = 0;
  memcpy(&value, bytes + row * size, (size_t)size);
  return value;
}

static void write_form(const VecForm *form, uint8_t *const *buffers, LsText *out) {
  const char *t = ptx_type_name(form->out);
  int size = ptx_type_size(form->out);
  if (out->length) ls_text_add(out, "\n");
  ls_text_addf(out, "form %s\nop %s\nin %s %s %s\nout %s\n", form->name, form->op, t, t, t, t);
  for (int row = 0; row < VEC_ROWS; row++)
    for (int k = 0; k <= form->sources; k++)
      ls_text_addf(out, "%s%0*" PRIx64 "%s", k == form->sources ? "= " : "", 2 * size, element(buffers[k], row, size),
                   k == form->sources ? "\n" : " ");
  ls_text_add(out, "end\n");
}

static bool ask(Gpu *gpu, GpuModule *module, const Program *program, LsText *out, LsErr *err) {
  enum { BUFFERS = VEC_SOURCES + 1 };
  uint8_t results[VEC_ROWS * 8] = {0}, *buffers[BUFFERS];
  uint64_t sizes[BUFFERS];
  for (int i = 0; i < BUFFERS; i++) {
    buffers[i] = i < VEC_SOURCES ? program->launch.args[i].data : results;
    sizes[i] = (uint64_t)VEC_ROWS * (uint64_t)ptx_type_size(program->form->out);
  }
  if (!gpu_run(gpu, module, program->entry, &program->launch, buffers, sizes, NULL, err)) return false;
  write_form(program->form, buffers, out);
  return true;
}

bool carry_keep(Gpu *gpu, int level, uint64_t seed, const char *path, LsErr *err) {
  VecForm *forms;
  Batch batch;
  LsText out = {0};
  int count = all_forms(&forms);
  batch_init(&batch);
  for (int i = 0; i < count; i++) vectors_add(&batch, &forms[i], i, seed, 1);
  GpuModule *module = gpu_load(gpu, ls_text_str(&batch.ptx), level, err);
  bool ok = module != NULL;
  for (int i = 0; ok && i < count; i++) ok = ask(gpu, module, &batch.programs[i], &out, err);
  ok = ok && ls_file_write(path, out.data, out.length, err);
  gpu_unload(gpu, module);
  ls_text_free(&out);
  batch_fini(&batch);
  free(forms);
  return ok;
}
