// test_sim_matrix.c: the emulator on what the compiler makes of small kernels: products of matrices and their
// transposition.
#include "sim_compiled.h"
#include "sim_rig.h"

static int a_at(int i, int k) { return (i * 7 + k * 3) % 11 - 5; }
static int b_at(int k, int j) { return (k * 5 + j * 3 + k * j) % 7 - 3; }
static int c_at(int i, int j) { return (i + 2 * j) % 5 - 2; }

typedef struct Matrix { const char *kernel; int m, n, k; char type; bool by_column; } Matrix;


static void check_matrix(CompiledRun *b, const Matrix *m) {
  compiled_launch(b, 1, 32, (const char *[]){"f64[512]=zero", NULL});
  compiled_run(b, m->kernel);
  uint64_t size;
  const uint8_t *out = sim_buffer(b->sim, 0, &size);
  int wrong = 0;
  for (int i = 0; i < m->m; i++)
    for (int j = 0; j < m->n; j++) {
      int sum = c_at(i, j);
      for (int k = 0; k < m->k; k++) sum += a_at(i, k) * b_at(k, j);
      if (result_at(out, m->type, m->by_column ? j * m->m + i : i * m->n + j) != sum) wrong++;
    }
  if (wrong) printf("\n%s: %d elements are wrong\n", m->kernel, wrong);
  CHECK_INT(wrong, 0);
  compiled_end(b);
}

static void test_products(void) {
  static const Matrix kernels[] = {
      {"mma_f16", 16, 8, 16, 'f', false},      {"mma_f16_f16", 16, 8, 16, 'f', false},
      {"mma_bf16_k8", 16, 8, 8, 'f', false},   {"mma_tf32", 16, 8, 8, 'f', false},
      {"mma_s8", 16, 8, 32, 'f', false},       {"mma_s8_k16", 16, 8, 16, 'f', false},
      {"mma_f64", 8, 8, 4, 'f', false},        {"wmma_f16", 16, 16, 16, 'f', false},
      {"wmma_f16_tall", 32, 8, 16, 'f', true}, {"wmma_f16_wide", 8, 32, 16, 'h', true},
      {"wmma_bf16", 16, 16, 16, 'f', false},   {"wmma_s8", 16, 16, 16, 'i', false},
      {"wmma_s8_wide", 8, 32, 16, 'i', true},  {"wmma_tf32", 16, 16, 8, 'f', false},
      {"wmma_f64", 8, 8, 4, 'd', false},
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
    CHECK_INT(rig_faults(&rig), threads > 1);   // lanes that do exist do race
    for (int i = 0; i < rig.count; i++) CHECK_INT(rig.events[i].e.mask >> threads, 0);
    rig_free(&rig);
  }
}

static const Check checks[] = {
    {"products of matrices", test_products},
    {"a matrix transposed", test_transpose},
    {"rows of nobody", test_rows_of_nobody},
};

int main(int argc, char **argv) { return check_main("sim_matrix", checks, LS_COUNT(checks), argc, argv); }
