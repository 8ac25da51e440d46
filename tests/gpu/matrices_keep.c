// matrices_keep.c: a GPU's answers to products of matrices, kept as hashes.
#include <stdlib.h>
#include "base/file.h"
#include "base/mem.h"
#include "matrices.h"

static bool ask(Gpu *gpu, GpuModule *module, const Program *program, LsText *out, LsErr *err) {
  const LaunchArg *args = program->launch.args;
  uint64_t sizes[2];
  for (int i = 0; i < 2; i++) sizes[i] = args[i].count * (uint64_t)launch_type_size(args[i].type);
  uint8_t *results = ls_alloc(sizes[1]), *buffers[2] = {args[0].data, results};
  bool ok = gpu_run(gpu, module, program->entry, &program->launch, buffers, sizes, NULL, err);
  if (ok) matrices_keep_line(program, results, sizes[1], out);
  free(results);
  return ok;
}

static bool ask_batch(Gpu *gpu, int level, const Batch *batch, LsText *out, LsErr *err) {
  GpuModule *module = gpu_load(gpu, ls_text_str(&batch->ptx), level, err);
  bool ok = module != NULL;
  for (int i = 0; ok && i < batch->count; i++) ok = ask(gpu, module, &batch->programs[i], out, err);
  gpu_unload(gpu, module);
  return ok;
}

bool matrices_keep(Gpu *gpu, int level, const char *path, LsErr *err) {
  enum { AT_ONCE = 35 };
  LsText out = {0};
  bool ok = true;
  for (int i = 0; ok && i < matrices_programs(); i += AT_ONCE) {
    Batch batch;
    matrices_batch_init(&batch);
    for (int k = i; k < LS_MIN(i + AT_ONCE, matrices_programs()); k++)
      matrices_add(&batch, k, MATRICES_KEPT_SEED, MATRICES_KEPT);
    ok = ask_batch(gpu, level, &batch, &out, err);
    batch_fini(&batch);
  }
  ok = ok && ls_file_write(path, out.data, out.length, err);
  ls_text_free(&out);
  return ok;
}
