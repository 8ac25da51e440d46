// test_sim_atomics.c: the emulator on kernels written here: atomics of every kind in every space, and a lock that
// is spun on.
#include "base/mem.h"
#include <stdlib.h>
#include "base/file.h"
#include "sim_rig.h"
#include "source_dir.h"

// ---- atomics ----------------------------------------------------------------------------------------------------

typedef struct Atomic { const char *op, *type; int bytes; uint64_t start; } Atomic;

static uint64_t atomic_reference(const Atomic *a, uint64_t old, uint64_t b) {
  uint64_t all = a->bytes == 4 ? UINT32_MAX : UINT64_MAX;
  bool is_signed = a->type[0] == 's';
  int64_t so = a->bytes == 4 ? (int32_t)old : (int64_t)old, sb = a->bytes == 4 ? (int32_t)b : (int64_t)b;
  if (strcmp(a->type, "f32") == 0) {
    float x, y;
    memcpy(&x, &old, 4);
    memcpy(&y, &b, 4);
    x += y;
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
  }
  if (strcmp(a->type, "f64") == 0) {
    double x, y;
    memcpy(&x, &old, 8);
    memcpy(&y, &b, 8);
    x += y;
    memcpy(&old, &x, 8);
    return old;
  }
  if (strcmp(a->op, "add") == 0) return (old + b) & all;
  if (strcmp(a->op, "and") == 0) return old & b;
  if (strcmp(a->op, "or") == 0) return old | b;
  if (strcmp(a->op, "xor") == 0) return old ^ b;
  if (strcmp(a->op, "exch") == 0) return b;
  if (strcmp(a->op, "min") == 0) return is_signed ? (sb < so ? b : old) : b < old ? b : old;
  if (strcmp(a->op, "max") == 0) return is_signed ? (sb > so ? b : old) : b > old ? b : old;
  if (strcmp(a->op, "inc") == 0) return old >= b ? 0 : old + 1;
  return old == 0 || old > b ? b : old - 1;
}

// Lane i's operand is 2654435761 * (i + 3), shifted for floats so that it is a moderate number.
static uint64_t atomic_operand(const Atomic *a, uint32_t lane) {
  uint64_t bits = 2654435761u * (uint64_t)(lane + 3);
  if (a->type[0] != 'f') return a->bytes == 4 ? (uint32_t)bits : bits;
  if (a->bytes == 4) { float x = (float)lane * 0.3f; uint32_t b; memcpy(&b, &x, 4); return b; }
  double x = lane * 0.3;
  memcpy(&bits, &x, 8);
  return bits;
}

static void check_atomic(const Atomic *a, const char *space) {
  Rig rig;
  char body[1400], address[128], reg = a->bytes == 4 ? 'r' : 'd';
  const char *shared = "mov.u64 %rd8, sh;", *generic = "mov.u64 %rd8, sh; cvta.shared.u64 %rd8, %rd8;",
             *global = "add.u64 %rd8, %rd1, 4096;";
  snprintf(address, sizeof address, "%s",
           strcmp(space, ".shared") == 0 ? shared
           : strcmp(space, "") == 0      ? generic
                                         : global);
  const char *d = reg == 'r' ? "%r" : "%rd";
  snprintf(body, sizeof body,
           "  .shared .align 8 .b8 sh[8];\n  %s mov.b%d %s20, %llu; setp.eq.u32 %%p1, %%r1, 0; @%%p1 st%s.b%d [%%rd8], "
           "%s20; bar.warp.sync -1;\n"
           "  mul.wide.u32 %%rd9, %%r1, 8; add.u64 %%rd9, %%rd1, %%rd9; ld.global.b%d %s21, [%%rd9]; atom%s.%s.%s "
           "%s22, [%%rd8], %s21; st.global.b%d [%%rd9+1024], %s22;\n"
           "  red%s.%s.%s [%%rd8], %s21; ld%s.b%d %s23, [%%rd8]; st.global.b%d [%%rd1+2048], %s23; ret;",
           address, a->bytes * 8, d, (unsigned long long)a->start, space, a->bytes * 8, d, a->bytes * 8, d, space,
           a->op, a->type, d, d, a->bytes * 8, d, space, strcmp(a->op, "exch") == 0 ? "add" : a->op,
           strcmp(a->op, "exch") == 0 ? (a->bytes == 4 ? "u32" : "u64") : a->type, d, space, a->bytes * 8, d,
           a->bytes * 8, d);
  rig_kernel(&rig, ".param .u64 p0", "", body);
  rig_size(&rig, "1", "32");
  rig_arg(&rig, "u64[600]=zero");
  LaunchArg *arg = &rig.launch.args[0];
  arg->init = LAUNCH_DATA;
  arg->data = ls_alloc(4800);
  for (uint32_t i = 0; i < 32; i++) { uint64_t b = atomic_operand(a, i); memcpy(arg->data + i * 8, &b, 8); }
  rig_run(&rig);
  const uint8_t *out = (const uint8_t *)rig_words(&rig, 0);
  uint64_t now = a->start;
  for (uint32_t i = 0; i < 32; i++) {
    uint64_t old = 0;
    memcpy(&old, out + 1024 + i * 8, (size_t)a->bytes);
    if (old != now)
      printf("\natom%s.%s.%s lane %u: %llx, expected %llx\n", space, a->op, a->type, i, (unsigned long long)old,
             (unsigned long long)now);
    CHECK(old == now);
    now = atomic_reference(a, now, atomic_operand(a, i));
  }
  Atomic red = *a;
  if (strcmp(a->op, "exch") == 0) red.op = "add";
  for (uint32_t i = 0; i < 32; i++) now = atomic_reference(&red, now, atomic_operand(a, i));
  uint64_t last = 0;
  memcpy(&last, out + 2048, (size_t)a->bytes);
  CHECK(last == now);
  rig_free(&rig);
}

static void test_atomics(void) {
  static const Atomic all[] = {
      {"add", "u32", 4, 5},          {"add", "s32", 4, 5},          {"add", "u64", 8, 1ull << 40},
      {"add", "f32", 4, 0},          {"add", "f64", 8, 0},          {"and", "b32", 4, 0xffffffff},
      {"or", "b32", 4, 1},           {"xor", "b32", 4, 9},          {"and", "b64", 8, ~0ull},
      {"or", "b64", 8, 1},           {"xor", "b64", 8, 7},          {"exch", "b32", 4, 3},
      {"exch", "b64", 8, 3},         {"min", "u32", 4, 0x80000000}, {"max", "u32", 4, 0x80000000},
      {"min", "s32", 4, 3},          {"max", "s32", 4, 0x80000000}, {"min", "u64", 8, 1ull << 63},
      {"max", "u64", 8, 1},          {"min", "s64", 8, 9},          {"max", "s64", 8, 1ull << 63},
      {"inc", "u32", 4, 0xfffffff0}, {"dec", "u32", 4, 2}};
  static const char *const spaces[] = {".global", ".shared", ""};
  for (int i = 0; i < LS_COUNT(all); i++)
    for (int s = 0; s < 3; s++) check_atomic(&all[i], spaces[s]);
}

static void test_bf16_atomics(void) {   // 32 times 1 and 2, and -0.5 on one half
  Rig rig;
  run_simple(&rig, "",
             "  mov.b32 %r2, 0x40003f80; red.global.add.noftz.bf16x2 [%rd1], %r2; mov.b16 %rs1, 0xbf00;\n"
             "  setp.eq.u32 %p1, %r1, 0; @%p1 atom.global.add.noftz.bf16 %rs2, [%rd1+4], %rs1; ret;",
             32, 2);
  CHECK_INT(rig_words(&rig, 0)[0], 0x42804200);
  CHECK_INT(rig_words(&rig, 0)[1], 0xbf00);
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

// Words that all blocks add to, on two threads: what each has kept back comes to memory. 5 and 9 words of 32 and 64
// bits.
static void run_common(Rig *rig, int threads) {
  rig_kernel(rig, ".param .u64 p0", "",
             "  mov.u32 %r2, %ctaid.x; mad.lo.u32 %r2, %r2, 64, %r1; rem.u32 %r3, %r2, 5; mul.wide.u32 %rd4, %r3, 4;\n"
             "  add.u64 %rd4, %rd1, %rd4; mul.lo.u32 %r4, %r2, 0x9e3779b1;\n"
             "  cvt.u64.u32 %rd5, %r4; mul.lo.u64 %rd5, %rd5, %rd5;\n"
             "  red.global.add.u32 [%rd4], %r4; red.global.xor.b32 [%rd4+64], %r4;\n"
             "  rem.u32 %r3, %r2, 9; mul.wide.u32 %rd6, %r3, 8; add.u64 %rd6, %rd1, %rd6;\n"
             "  red.global.add.u64 [%rd6+1024], %rd5; red.global.xor.b64 [%rd6+2048], %rd5;\n"
             "  red.global.max.u32 [%rd4+128], %r4; ret;");
  rig->options.record_all = false;
  rig->options.threads = threads;
  rig->options.unit = 4;
  rig_size(rig, "2000", "64");
  rig_arg(rig, "u32[1024]=zero");
  CHECK(rig_make(rig) && sim_run(rig->sim, NULL, &rig->err));   // a rig that listens cannot be forked
}

// Two blocks far apart, each on a thread of its own, whose atomics are for their own block only.
static void test_scopes_on_threads(void) {
  for (int threads = 1; threads <= 2; threads++) {
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0", "",
               "  mov.u32 %r2, %ctaid.x; and.b32 %r3, %r2, 1023; setp.eq.u32 %p1, %r3, 0;\n"
               "  @%p1 red.relaxed.cta.global.add.u32 [%rd1], 1; ret;");
    rig.options.record_all = false;
    rig.options.threads = threads;
    rig.options.unit = 4;
    rig_size(&rig, "2048", "64");
    rig_arg(&rig, "u32[2]=zero");
    CHECK(rig_make(&rig) && sim_run(rig.sim, NULL, &rig.err));
    CHECK(rig_fault(&rig, FAULT_RACE) != NULL);
    rig_free(&rig);
  }
}

static void test_common_words(void) {
  Rig one, two;
  run_common(&one, 1);
  run_common(&two, 2);
  CHECK_INT(sim_threads(two.sim), 2);
  CHECK(memcmp(rig_words(&one, 0), rig_words(&two, 0), 4096) == 0);
  uint32_t sum = 0, all = 0;
  for (uint32_t i = 0; i < 128000; i += 5) { sum += i * 0x9e3779b1u; all ^= i * 0x9e3779b1u; }
  CHECK_INT(rig_words(&two, 0)[0], sum);
  CHECK_INT(rig_words(&two, 0)[16], all);
  rig_free(&one);
  rig_free(&two);
}

// ---- spinning ----------------------------------------------------------------------------------------------------

static const char spin_lock[] =
    "L: atom.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra L;\n"
    "  ld.volatile.global.u32 %r3, [%rd1+4]; add.u32 %r3, %r3, 1; st.volatile.global.u32 [%rd1+4], %r3; membar.gl; "
    "atom.global.exch.b32 %r4, [%rd1], 0; ret;";

static void test_spin_lock(void) {
  for (uint64_t seed = 0; seed < 3; seed++) {
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0", "", spin_lock);
    rig.options.seed = seed;
    rig.options.record_all = false;
    rig_size(&rig, "1", "64");
    rig_arg(&rig, "u32[2]=zero");
    rig_run(&rig);
    CHECK_INT(rig_words(&rig, 0)[1], 64);
    CHECK_INT(rig_faults(&rig), 0);
    rig_free(&rig);
  }
  expect_fault(
      FAULT_LIVELOCK, "", spin_lock, 32,
      "lanes 1-31 of warp 0 spin at line 9 of the PTX and nothing they look at can change; lane 0 waits for them",
      SIM_STACK);
  expect_fault(FAULT_LIVELOCK, "", "L: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra L; ret;",
               1, "spin", SIM_ITS);
}

// Accesses and atomics of 128 bits: kernels/wide.ptx, and in wide.txt what an H200 left, word by word.
static void test_wide(void) {
  enum { WORDS = 2048 };
  Rig rig;
  size_t length;
  char *text = ls_file_read(LS_SOURCE_DIR "/tests/unit/sim/kernels/wide.ptx", 1 << 20, &length, NULL);
  char *words = ls_file_read(LS_SOURCE_DIR "/tests/unit/sim/kernels/wide.txt", 1 << 20, &length, NULL), *at = words;
  CU_ASSERT_FATAL(text && words);
  rig_init(&rig, text);
  rig_size(&rig, "1", "64");
  rig_arg(&rig, "u32[2048]=zero");
  rig_run(&rig);
  CHECK_INT(rig_faults(&rig), 0);
  for (int i = 0; i < WORDS; i++) CHECK_INT(rig_words(&rig, 0)[i], strtoul(at, &at, 16));
  rig_free(&rig);
  free(text);
  free(words);
}

static const Check checks[] = {
    {"common words", test_common_words},
    {"atomics for their own block, on threads", test_scopes_on_threads},
    {"spin lock", test_spin_lock},
    {"atomics", test_atomics},
    {"atomics on bf16", test_bf16_atomics},
    {"128 bits, as an H200 does them", test_wide},
};

int main(int argc, char **argv) { return check_main("sim_atomics", checks, LS_COUNT(checks), argc, argv); }
