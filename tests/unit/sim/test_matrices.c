// test_matrices.c: products of matrices (tests/gpu/matrices.c) on the emulator, word by word against sums in whole
// numbers.
//
// tests/gpu/check_gpu holds the same programs against a GPU; this needs none.
#include <math.h>
#include "check.h"
#include "gpu/matrices.h"
#include "source_dir.h"
#include "tensor_oracle.h"

enum { PER_MODULE = 20, ENOUGH = 5, KEPT_LIMIT = 1 << 20 };
static char *kept;            // what an H200 answered (check_gpu --category tensor --keep); NULL: nothing is kept

// ---- f64 and whole numbers -----------------------------------------------------------------------------------------

static double as_double(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static bool f64_agrees(const uint64_t *a, const uint64_t *b, int depth, uint64_t c, uint64_t got) {
  double sum = as_double(c);
  for (int k = 0; k < depth; k++) sum = fma(as_double(a[k]), as_double(b[k]), sum);
  return isnan(sum) ? isnan(as_double(got)) : memcmp(&sum, &got, sizeof sum) == 0;
}

static int64_t as_whole(PtxType type, uint64_t bits) {
  int64_t value = (int64_t)bits;
  switch (type) {
  case PTX_S4: return value >= 8 ? value - 16 : value;
  case PTX_S8: return value >= 128 ? value - 256 : value;
  case PTX_S32: return (int32_t)bits;
  default: return value;
  }
}

static uint64_t whole_sum(const Matrices *m, const uint64_t *a, const uint64_t *b, uint64_t c) {
  int64_t sum = as_whole(PTX_S32, c);
  bool differs = strcmp(m->form->counts, ".xor.popc") == 0;
  for (int k = 0; k < m->depth; k++)
    sum += differs ? (int64_t)(a[k] ^ b[k]) : as_whole(m->types[MATRICES_A], a[k]) * as_whole(m->types[MATRICES_B],
        b[k]);
  if (m->form->clamps && sum > INT32_MAX) sum = INT32_MAX;
  if (m->form->clamps && sum < INT32_MIN) sum = INT32_MIN;
  return (uint32_t)sum;
}

// ---- one program ---------------------------------------------------------------------------------------------------

static bool agrees(const Matrices *m, const TensorRule *rule, const uint64_t *a, const uint64_t *b, uint64_t c,
                   uint64_t got) {
  if (m->types[MATRICES_A] == PTX_F64) return f64_agrees(a, b, m->depth, c, got);
  if (m->quads) return oracle_quad(m->types, a, b, c) == got;
  if (!rule) return whole_sum(m, a, b, c) == got;
  int most = m->form->wmma && m->types[MATRICES_A] == PTX_TF32 ? 4 : m->depth;   // wmma of tf32: two instructions
  return oracle_product(rule, most, m->types, a, b, m->depth, c) == got;
}

static int wrong_in_tile(const Program *program, const TensorRule *rule, uint64_t tile, const Buffers *before,
                         const Buffers *after) {
  static uint64_t a[MATRICES_MOST], b[MATRICES_MOST], c[MATRICES_MOST];
  const Matrices *m = program->detail;
  int wrong = 0, count = m->parts[MATRICES_D].rows * m->shape.n, size = m->parts[MATRICES_D].bits / 8;
  for (int part = MATRICES_A; part <= MATRICES_C; part++)
    matrices_operands(m, before, part, tile, part == MATRICES_A ? a : part == MATRICES_B ? b : c);
  for (int i = 0; i < count; i++) {
    uint64_t index = tile * (uint64_t)count + (uint64_t)i, same, got = 0, left[MATRICES_DEPTH], right[MATRICES_DEPTH];
    int row, col;
    matrices_result_at(m, index, &same, &row, &col);
    matrices_factors(m, before, a, b, tile, row, col, left, right);
    memcpy(&got, after->bytes[1] + index * (uint64_t)size, (size_t)size);
    if (same == tile && agrees(m, rule, left, right, c[row * m->shape.n + col], got)) continue;
    if (!wrong++) {
      printf("\n%s", program->name);
      program->describe(program, before, index);
      printf(": got %llx\n", (unsigned long long)got);
    }
  }
  return wrong;
}

static void check_kept(const Program *program, const Buffers *after) {
  LsText line = {0};
  matrices_keep_line(program, after->bytes[1], after->sizes[1], &line);
  bool same = !kept || strstr(kept, ls_text_str(&line));
  if (!same) printf("\nnot what an H200 answered: %s", ls_text_str(&line));
  CHECK(same);
  ls_text_free(&line);
}

static void one_program(const PtxModule *module, const Program *program, int capability) {
  Buffers before = {0}, after = {0};
  SimOptions options;
  LsErr err = {0};
  const Matrices *m = program->detail;
  sim_options_init(&options);
  options.capability = capability;
  const TensorRule *rule = tensor_rule(capability, m->types[MATRICES_A]);
  bool ok = batch_emulate(module, program, &options, &before, &after, &err);
  if (!ok) printf("\n%s: %s\n", program->name, err.message);
  CHECK(ok);
  int wrong = 0;
  for (uint32_t tile = 0; ok && tile < m->tiles && wrong < ENOUGH; tile++)
    wrong += wrong_in_tile(program, rule, tile, &before, &after);
  CHECK_INT(wrong, 0);
  if (ok && capability == 90) check_kept(program, &after);
  buffers_free(&before);
  buffers_free(&after);
}

static void run_batch(Batch *batch, int capability) {
  LsErr err = {0};
  PtxModule *module = ptx_parse("matrices", ls_text_str(&batch->ptx), batch->ptx.length, &err);
  if (!module) printf("\n%s\n", err.message);
  CHECK(module != NULL);
  for (int i = 0; module && i < batch->count; i++) one_program(module, &batch->programs[i], capability);
  ptx_module_free(module);
  batch_fini(batch);
  matrices_batch_init(batch);
}

static void all_of(const char *what, int capability) {
  Batch batch;
  matrices_batch_init(&batch);
  for (int i = 0; i < matrices_programs(); i++) {
    char name[160];
    matrices_name(i, name, sizeof name);
    if (!strstr(name, what)) continue;
    matrices_add(&batch, i, MATRICES_KEPT_SEED, MATRICES_KEPT);
    if (batch.count == PER_MODULE) run_batch(&batch, capability);
  }
  run_batch(&batch, capability);
  batch_fini(&batch);
}

static void mma(void) { all_of(" mma ", 90); }
static void sparse(void) { all_of(" mma.sp", 90); }
static void wmma(void) { all_of(" wmma ", 90); }

static void other_devices(void) {
  static const int capabilities[] = {70, 75, 80, 89, 100, 120};
  for (int i = 0; i < LS_COUNT(capabilities); i++) {
    all_of("m16n8k16 f32.f16", capabilities[i]);
    all_of("m16n8k16 f16.f16", capabilities[i]);
    all_of("m16n8k8 f32.tf32", capabilities[i]);
    all_of("m16n8k32 f32.e4m3", capabilities[i]);
  }
}

// ---- the rules -----------------------------------------------------------------------------------------------------

static void rules(void) {
  const TensorRule *half = tensor_rule(90, PTX_F16), *tf32 = tensor_rule(90, PTX_TF32);
  CHECK_INT(half->group, 16);
  CHECK_INT(half->bits, 23 + 2);
  CHECK_INT(tf32->group, 8);
  CHECK_INT(tf32->bits, 23 + 2);
  CHECK(tensor_rule(90, PTX_E5M2)->by_halves);
  CHECK_INT(tensor_rule(86, PTX_F16)->group, 8);
  CHECK_INT(tensor_rule(70, PTX_F16)->group, 4);
  CHECK(tensor_rule(10, PTX_BF16) == tensor_rule(80, PTX_BF16));
  CHECK(!tensor_rule(90, PTX_F64) && !tensor_rule(90, PTX_S8));
}

// 1 + 3/2^25 + 3/2^25: with 25 bits both are kept, and their sum is cut off once; with 23 bits each of them is lost.
static void by_hand(void) {
  const PtxType types[4] = {PTX_F32, PTX_F16, PTX_F16, PTX_F32};
  uint64_t a[16] = {0x3c00, 0x3e00, 0x3e00}, b[16] = {0x3c00, 0x0001, 0x0001};   // 1, and twice 1.5/2^24
  CHECK_INT(oracle_product(tensor_rule(90, PTX_F16), 16, types, a, b, 16, 0), 0x3f800001);
  CHECK_INT(oracle_product(tensor_rule(70, PTX_F16), 4, types, a, b, 4, 0), 0x3f800000);
  uint64_t small[16] = {0x3c00, 0x3c00}, large[16] = {0x3c00, 0x3800};           // 1 + 1/2
  CHECK_INT(oracle_product(tensor_rule(90, PTX_F16), 16, types, small, large, 16, 0x4b800000), 0x4b800000);
  CHECK_INT(oracle_product(tensor_rule(90, PTX_F16), 16, types, small, small, 16, 0x4b800000), 0x4b800001);
}

static const Check checks[] = {
    {"the rules", rules}, {"sums by hand", by_hand}, {"mma", mma},
    {"sparse mma", sparse}, {"wmma", wmma}, {"other devices", other_devices},
};

int main(int argc, char **argv) {
  kept = source_read("tests/unit/sim/vectors/tensor.sums", KEPT_LIMIT, NULL, NULL);
  int status = check_main("matrices", checks, LS_COUNT(checks), argc, argv);
  free(kept);
  return status;
}
