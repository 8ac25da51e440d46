// test_sim_matrix.c: the emulator on what the compiler makes of small kernels: products of matrices and their
// transposition.
#include "base/mem.h"
#include "sim_compiled.h"
#include "sim_rig.h"

static int a_at(int i, int k) { return (i * 7 + k * 3) % 11 - 5; }
static int b_at(int k, int j) { return (k * 5 + j * 3 + k * j) % 7 - 3; }
static int c_at(int i, int j) { return (i + 2 * j) % 5 - 2; }

// SPARSE: two of four elements of A. FOUR: products below each other, each with a B of its own. BITS: 1 bit, anded.
typedef enum Kind { DENSE, SPARSE, FOUR, BITS } Kind;
typedef struct Matrix { const char *kernel; int m, n, k; char type; bool by_column; Kind kind; } Matrix;

static bool is_kept(int i, int k) {
  int chunk = k / 4, first = (i + chunk) % 3, second = first + 1 + i % (3 - first);
  return k % 4 == first || k % 4 == second;
}

static int product_of(const Matrix *m, int i, int j, int k) {
  switch (m->kind) {
  case SPARSE: return is_kept(i, k) ? a_at(i, k) * b_at(k, j) : 0;
  case FOUR: return a_at(i, k) * b_at(k, i / 8 * 8 + j);
  case BITS: return a_at(i, k) & b_at(k, j) & 1;
  default: return a_at(i, k) * b_at(k, j);
  }
}

static void check_matrix(CompiledRun *b, const Matrix *m) {
  compiled_launch(b, 1, 32, (const char *[]){"f64[512]=zero", NULL});
  compiled_run(b, m->kernel);
  uint64_t size;
  const uint8_t *out = sim_buffer(b->sim, 0, &size);
  int wrong = 0;
  for (int i = 0; i < m->m; i++)
    for (int j = 0; j < m->n; j++) {
      int sum = c_at(i, j);
      for (int k = 0; k < m->k; k++) sum += product_of(m, i, j, k);
      if (result_at(out, m->type, m->by_column ? j * m->m + i : i * m->n + j) != sum) wrong++;
    }
  if (wrong) printf("\n%s: %d elements are wrong\n", m->kernel, wrong);
  CHECK_INT(wrong, 0);
  compiled_end(b);
}

static void test_products(void) {
  static const Matrix kernels[] = {
      {"mma_f16", 16, 8, 16, 'f', false, DENSE}, {"mma_f16_f16", 16, 8, 16, 'f', false, DENSE},
      {"mma_bf16_k8", 16, 8, 8, 'f', false, DENSE}, {"mma_tf32", 16, 8, 8, 'f', false, DENSE},
      {"mma_s8", 16, 8, 32, 'f', false, DENSE}, {"mma_s8_k16", 16, 8, 16, 'f', false, DENSE},
      {"mma_f64", 8, 8, 4, 'f', false, DENSE}, {"wmma_f16", 16, 16, 16, 'f', false, DENSE},
      {"wmma_f16_tall", 32, 8, 16, 'f', true, DENSE}, {"wmma_f16_wide", 8, 32, 16, 'h', true, DENSE},
      {"wmma_bf16", 16, 16, 16, 'f', false, DENSE}, {"wmma_s8", 16, 16, 16, 'i', false, DENSE},
      {"wmma_s8_wide", 8, 32, 16, 'i', true, DENSE}, {"wmma_tf32", 16, 16, 8, 'f', false, DENSE},
      {"wmma_f64", 8, 8, 4, 'd', false, DENSE}, {"wmma_s4", 8, 8, 32, 'i', false, DENSE},
      {"wmma_b1", 8, 8, 128, 'i', false, BITS}, {"mma_quads", 32, 8, 4, 'f', false, FOUR},
      {"mma_sp_f16", 16, 8, 32, 'f', false, SPARSE}, {"mma_sp_s8", 16, 8, 64, 'f', false, SPARSE},
  };
  CompiledRun b;
  compiled_init(&b, "matrix.ptx");
  for (int i = 0; i < LS_COUNT(kernels); i++) check_matrix(&b, &kernels[i]);
  compiled_fini(&b);
}

static void test_transpose(void) {
  CompiledRun b;
  uint64_t size;
  compiled_init(&b, "matrix.ptx");
  compiled_launch(&b, 1, 32, (const char *[]){"f32[64]=zero", NULL});
  compiled_run(&b, "transpose");
  const uint8_t *out = sim_buffer(b.sim, 0, &size);
  for (int at = 0; at < 64; at++) CHECK(result_at(out, 'f', at) == at % 8 * 8 + at / 8);
  compiled_end(&b);
  compiled_fini(&b);
}

// Rows that lanes would give who do not exist, in the last warp of a block or its only thread, are nobody's.
static void test_rows_of_nobody(void) {
  static const char body[] = "mov.u32 %r4, sh;\nmov.u32 %r5, 7;\n"
                             "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r4], {%r5};\nld.shared.u32 %r6, [%r4];\nret;\n";
  for (int threads = 1; threads < 8; threads += 5) {
    Rig rig;
    run_simple(&rig, ".shared .align 16 .b8 sh[256];\n", body, threads, 1);
    int among = threads > 1 ? 2 : 0;                 // lanes that do exist race, and read what others of them wrote
    CHECK_INT(rig_faults(&rig), 1 + among);          // not a whole warp
    for (int i = 0; i < rig.count; i++) CHECK_INT(rig.events[i].e.mask >> threads, 0);
    rig_free(&rig);
  }
}

// What becomes of c, an f32, where A and B are zero and D is of f16.
static uint32_t half_of_sum(const char *version, const char *clamp, const char *c) {
  Rig rig;
  char *text = ls_format(".version %s\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p0)\n{\n"
                         "  .reg .b32 %%r<9>; .reg .f32 %%f<2>; .reg .b64 %%rd<2>;\n  ld.param.u64 %%rd1, [p0];\n"
                         "  mov.b32 %%r1, 0;\n  mov.b32 %%f1, %s;\n"
                         "  wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32%s {%%r2,%%r3,%%r4,%%r5}, "
                         "{%%r1,%%r1,%%r1,%%r1,%%r1,%%r1,%%r1,%%r1}, {%%r1,%%r1,%%r1,%%r1,%%r1,%%r1,%%r1,%%r1}, "
                         "{%%f1,%%f1,%%f1,%%f1,%%f1,%%f1,%%f1,%%f1};\n  st.global.b32 [%%rd1], %%r2;\n  ret;\n}\n",
                         version, c, clamp);
  rig_init(&rig, text);
  rig_arg(&rig, "u32[1]=zero");
  rig_size(&rig, "1", "32");
  rig_run(&rig);
  uint32_t result = rig_words(&rig, 0)[0] & 0xffff;
  rig_free(&rig);
  free(text);
  return result;
}

// What an H200 does with .satfinite: it cuts off, so that only what was infinite before is so in f16.
static void test_clamped_floats(void) {
  CHECK_INT(half_of_sum("6.4", "", "0f477ff000"), 0x7c00);             // 65520: halfway to what f16 does not have
  CHECK_INT(half_of_sum("6.4", ".satfinite", "0f477ff000"), 0x7bff);
  CHECK_INT(half_of_sum("6.4", ".satfinite", "0ff0000000"), 0xfbff);   // -2^97
  CHECK_INT(half_of_sum("6.4", "", "0f3f801800"), 0x3c01);             // 1 + 3/4 of the last place
  CHECK_INT(half_of_sum("6.4", ".satfinite", "0f3f801800"), 0x3c00);
  CHECK_INT(half_of_sum("6.4", ".satfinite", "0f7f800000"), 0x7c00);
  CHECK_INT(half_of_sum("6.4", ".satfinite", "0f7f800001"), 0x7fff);
}

static void refused(const char *body, const char *words) {
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", "", body);
  rig_arg(&rig, "u32[32]=zero");
  rig_size(&rig, "1", "32");
  CHECK(!rig_make(&rig));
  if (!strstr(rig.err.message, words)) printf("\n%s\n", rig.err.message);
  CHECK(strstr(rig.err.message, words) != NULL);
  rig_free(&rig);
}

static void test_refused(void) {
  refused("wgmma.fence.sync.aligned;\nret;",
          "four warps multiply matrices of shared memory; a warp does it by mma.sync");
  refused("tcgen05.wait::ld.sync.aligned;\nret;", "tensor memory");
  refused("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r2,%r3,%r4,%r5}, "
          "{%r6,%r7,%r8,%r9}, {%f0,%f1,%f2,%f3}, %r1, 2;\nret;", "with this selector");
  refused("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32 {%f0,%f1,%f2,%f3}, "
          "{%r2,%r3,%r4,%r5}, {%r6,%r7,%r8,%r9}, {%f0,%f1,%f2,%f3}, %r1, 0;\nret;", "narrow types with .kind");
  refused("wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16.satfinite {%r2,%r3,%r4,%r5}, "
          "{%r1,%r1,%r1,%r1,%r1,%r1,%r1,%r1}, {%r1,%r1,%r1,%r1,%r1,%r1,%r1,%r1}, {%r2,%r3,%r4,%r5};\nret;",
          "until version 6.4");
}

static const Check checks[] = {
    {"products of matrices", test_products},
    {"a matrix transposed", test_transpose},
    {"rows of nobody", test_rows_of_nobody},
    {"f16 of clamped sums", test_clamped_floats},
    {"what is refused", test_refused},
};

int main(int argc, char **argv) { return check_main("sim_matrix", checks, LS_COUNT(checks), argc, argv); }
