// test_probe_affine.c: random addresses, of which much, something or nothing is known before a kernel runs: instrumented, it
// counts what the emulator counts of the plain one, whatever the instrumentation took for granted.
#include "base/mem.h"
#include "check.h"
#include "probe_pair.h"

enum { KERNELS = 600, VALUES = 6, SHARED_BYTES = 16384, BUFFER_BYTES = 1 << 20 };

typedef struct Maker { LsText text; uint64_t state; int labels; } Maker;

static uint32_t draw(Maker *m, uint32_t below) {   // xorshift64
  m->state ^= m->state << 13;
  m->state ^= m->state >> 7;
  m->state ^= m->state << 17;
  return (uint32_t)(m->state >> 16) % below;
}

#define PICK(m, list) ((list)[draw(m, LS_COUNT(list))])
#define SAY(m, ...) ls_text_addf(&(m)->text, __VA_ARGS__)

// ---- values --------------------------------------------------------------------------------------------------------

static const char *const sources[] = {"%tid.x", "%tid.y", "%tid.z", "%laneid", "%ctaid.x", "%ntid.x", "%nctaid.x"};
static const int numbers[] = {0, 1, 2, 3, 4, 5, 8, 12, 16, 31, 32, 33, 64, -1, -4, 1000};

static void put_source(Maker *m, int to) {
  int kind = (int)draw(m, 10);
  if (kind == 0) SAY(m, "ld.param.u32 %%r%d, [a];\n", to);
  else if (kind == 1) SAY(m, "ld.param.u32 %%r%d, [b];\n", to);
  else if (kind == 2) SAY(m, "mov.u32 %%r%d, %d;\n", to, PICK(m, numbers));
  else SAY(m, "mov.u32 %%r%d, %s;\n", to, PICK(m, sources));
}

// Operations that keep straight lines straight, some that do not, some that look at high bits.
static void put_operation(Maker *m, int to, int first, int second) {
  static const char *const plain[] = {"add.s32", "sub.s32", "mul.lo.s32", "and.b32", "or.b32", "xor.b32", "min.s32", "max.u32"};
  int number = PICK(m, numbers), amount = number < 0 ? 1 : number % 8;
  switch (draw(m, 9)) {
  case 0: SAY(m, "mad.lo.s32 %%r%d, %%r%d, %d, %%r%d;\n", to, first, number, second); break;
  case 1: SAY(m, "shl.b32 %%r%d, %%r%d, %d;\n", to, first, amount); break;
  case 2: SAY(m, "shr.%s %%r%d, %%r%d, %d;\n", draw(m, 2) ? "u32" : "s32", to, first, amount); break;
  case 3: SAY(m, "rem.%s %%r%d, %%r%d, %d;\n", draw(m, 2) ? "u32" : "s32", to, first, amount + 3); break;
  case 5: SAY(m, "div.%s %%r%d, %%r%d, %d;\n", draw(m, 2) ? "u32" : "s32", to, first, amount + 1); break;
  case 4:
    SAY(m, "cvt.u16.u32 %%h0, %%r%d;\n", first);
    SAY(m, "cvt.%s.%s %%r%d, %%h0;\n", draw(m, 2) ? "u32" : "s32", draw(m, 2) ? "u16" : "s16", to);
    break;
  default: SAY(m, "%s %%r%d, %%r%d, %%r%d;\n", PICK(m, plain), to, first, second); break;
  }
}

// %r0 .. are values; the last ones may be written twice, by some lanes.
static void put_values(Maker *m) {
  for (int i = 0; i < VALUES; i++) {
    if (i < 3) put_source(m, i);
    else put_operation(m, i, (int)draw(m, (uint32_t)i), (int)draw(m, (uint32_t)i));
  }
  if (draw(m, 3)) return;
  int label = m->labels++;
  SAY(m, "mov.u32 %%r20, %%tid.x;\nand.b32 %%r20, %%r20, %d;\nsetp.eq.u32 %%p0, %%r20, 0;\n", (int)draw(m, 8));
  if (draw(m, 2)) {
    SAY(m, "@%%p0 add.s32 %%r%d, %%r%d, %d;\n", VALUES - 1, VALUES - 1, PICK(m, numbers));
    return;
  }
  SAY(m, "@%%p0 bra L%d;\nadd.s32 %%r%d, %%r%d, %d;\nL%d:\n", label, VALUES - 1, VALUES - 1, PICK(m, numbers), label);
}

// ---- accesses ------------------------------------------------------------------------------------------------------

// Loads, stores and atomics have buffers of their own (in shared memory, parts), so that nothing depends on who comes first.
typedef enum What { LOAD, STORE, ADD, WHAT_COUNT } What;
typedef struct Form { const char *suffix, *loaded, *stored; int width; } Form;
static const Form forms[] = {
    {"u8", "%h2", "%h1", 1},
    {"u16", "%h2", "%h1", 2},
    {"u32", "%r22", "%r21", 4},
    {"u32", "%r22", "%r21", 4},
    {"u64", "%rd21", "%rd20", 8},
    {"v2.u32", "{%r22, %r23}", "{%r21, %r21}", 8},
    {"v2.u64", "{%rd21, %rd22}", "{%rd20, %rd20}", 16},
    {"v4.u32", "{%r22, %r23, %r24, %r25}", "{%r21, %r21, %r21, %r21}", 16},
};

typedef struct Access { What what; Form form; bool shared, generic, guarded; int label; } Access;

static void put_access(Maker *m, const Access *a) {
  const char *space = a->generic ? "" : a->shared ? ".shared" : ".global", *guard = a->guarded ? "@%p2 " : "";
  const char *place = a->shared && !a->generic ? "%n0" : "%w0";
  int offset = a->form.width * (int)draw(m, 3);
  if (a->what == LOAD) SAY(m, "%sld%s.%s %s, [%s+%d];\n", guard, space, a->form.suffix, a->form.loaded, place, offset);
  if (a->what == STORE) SAY(m, "%sst%s.%s [%s+%d], %s;\n", guard, space, a->form.suffix, place, offset, a->form.stored);
  if (a->what == ADD && draw(m, 2)) SAY(m, "%sred%s.add.u32 [%s+%d], 1;\n", guard, space, place, offset);
  else if (a->what == ADD) SAY(m, "%satom%s.add.u32 %%r22, [%s+%d], 1;\n", guard, space, place, offset);
}

// A number of 64 bits made of the value in %rN, times the width, in %w3. Every register is written once.
static void put_distance(Maker *m, int width, int value) {
  const char *sign = draw(m, 2) ? "u" : "s";
  int last = 4;
  if (draw(m, 2)) {
    SAY(m, "mul.wide.%s32 %%w3, %%r%d, %d;\n", sign, value, width);
    return;
  }
  SAY(m, "cvt.%s64.%s32 %%w4, %%r%d;\n", sign, sign, value);
  if (draw(m, 4) == 0) SAY(m, "shr.%s64 %%w5, %%w%d, %d;\n", draw(m, 2) ? "u" : "s", last, 18 + (int)draw(m, 14)), last = 5;
  if (draw(m, 4) == 0) SAY(m, "rem.%s64 %%w6, %%w%d, %d;\n", draw(m, 2) ? "u" : "s", last, 3 + (int)draw(m, 300)), last = 6;
  SAY(m, "mul.lo.s64 %%w3, %%w%d, %d;\n", last, width);
}

// What makes the address generic, of some lanes of a variable and of others of a buffer.
static void put_generic(Maker *m, const Access *a) {
  if (a->shared) SAY(m, "cvt.u64.u32 %%w1, %%n0;\ncvta.shared.u64 %%w0, %%w1;\n");
  if (!a->shared || draw(m, 3)) return;
  SAY(m, "ld.param.u64 %%w2, [%s];\nselp.b64 %%w0, %%w0, %%w2, %%p2;\n", a->what == LOAD ? "p" : a->what == STORE ? "q" : "s");
}

// The address of value %rN times the width, and a branch around what follows for lanes that would be out of bounds.
static void put_address(Maker *m, const Access *a, int value) {
  static const char *const buffers[] = {"p", "q", "s"};
  if (draw(m, 2)) {
    SAY(m, ".reg .b32 %%r9;\nand.b32 %%r9, %%r%d, %d;\n", value, (64 << draw(m, 6)) - 1);
    value = 9;
  }
  if (a->shared) {
    SAY(m, "mul.lo.s32 %%n4, %%r%d, %d;\nadd.s32 %%n5, %%n4, 2048;\nsetp.hs.u32 %%p1, %%n5, 4096;\n", value, a->form.width);
    SAY(m, "mov.u32 %%n6, tile;\nadd.s32 %%n7, %%n6, %%n4;\nadd.s32 %%n0, %%n7, %d;\n", (int)a->what * 8192 + 4096);
  } else {
    put_distance(m, a->form.width, value);
    SAY(m, "add.s64 %%w7, %%w3, 262144;\nsetp.hs.u64 %%p1, %%w7, 524288;\nld.param.u64 %%w1, [%s];\n", buffers[a->what]);
    SAY(m, "add.s64 %%w8, %%w3, %%w1;\nadd.s64 %%w0, %%w8, 524288;\n");
  }
  SAY(m, "@%%p1 bra O%d;\n", a->label);
  if (a->generic) put_generic(m, a);
}

// By a number, by one in a register that is the same for all lanes, or by one that may be another for each.
static void put_step(Maker *m, const Access *a, bool by_register) {
  bool narrow = a->shared && !a->generic;
  const char *bits = narrow ? "s32 %n0, %n0" : "s64 %w0, %w0", *reg = narrow ? "%n2" : "%w2";
  if (by_register) SAY(m, "add.%s, %s;\n", bits, reg);
  else SAY(m, "add.%s, %d;\n", bits, a->form.width * (int)draw(m, 20));
}

static void put_loop(Maker *m, const Access *a) {
  bool by_register = draw(m, 2), early = draw(m, 4) == 0;
  SAY(m, "and.b32 %%n2, %%r%d, 15;\nmul.lo.s32 %%n2, %%n2, %d;\ncvt.u64.u32 %%w2, %%n2;\n", (int)draw(m, VALUES), a->form.width);
  SAY(m, "and.b32 %%n3, %%r%d, 7;\n", (int)draw(m, VALUES));
  SAY(m, "T%d:\n", a->label);
  if (early) put_step(m, a, by_register);
  put_access(m, a);
  if (draw(m, 3) == 0) SAY(m, "@%%p2 bra U%d;\nadd.s32 %%r14, %%r14, 1;\nU%d:\n", a->label, a->label);
  put_access(m, a);
  if (!early) put_step(m, a, by_register);
  SAY(m, "sub.s32 %%n3, %%n3, 1;\nsetp.gt.s32 %%p3, %%n3, 0;\n@%%p3 bra T%d;\n", a->label);
}

static void put_site(Maker *m) {
  Access a = {(What)draw(m, WHAT_COUNT), PICK(m, forms), draw(m, 3) == 0, draw(m, 3) == 0, draw(m, 5) == 0, m->labels++};
  if (a.what == ADD) a.form = forms[2];
  SAY(m, "{\n.reg .b32 %%n<8>;\n.reg .b64 %%w<9>;\n");   // that nothing else writes
  SAY(m, "setp.lt.s32 %%p2, %%r%d, %d;\n", (int)draw(m, VALUES), PICK(m, numbers));
  put_address(m, &a, (int)draw(m, VALUES));
  if (draw(m, 2)) put_loop(m, &a);
  else put_access(m, &a);
  SAY(m, "O%d:\n}\n", a.label);
}

static const char module_head[] = ".version 7.0\n.target sm_75\n.address_size 64\n";

static PtxModule *make_kernel(uint64_t seed, Maker *m) {
  LsErr err = {0};
  *m = (Maker){.state = seed * 0x9e3779b97f4a7c15 + 1};
  SAY(m, "%s.visible .entry k(.param .u64 p, .param .u64 q, .param .u64 s, .param .u32 a, .param .u32 b)\n{\n"
         ".reg .pred %%p<4>;\n.reg .b16 %%h<3>;\n.reg .b32 %%r<8>, %%r14, %%r20, %%r21, %%r22, %%r23, %%r24, %%r25;\n.reg .b64 %%rd<23>;\n"
         ".shared .align 16 .b8 tile[%d];\nmov.u16 %%h1, 257;\nmov.u32 %%r21, 16843009;\nmov.u64 %%rd20, 72340172838076673;\n"
         "mov.u32 %%r14, 0;\n", module_head, SHARED_BYTES * 3 / 2);
  put_values(m);
  for (int i = 0; i < 6; i++) put_site(m);
  SAY(m, "ret;\n}\n");
  PtxModule *module = ptx_parse("random.ptx", ls_text_str(&m->text), m->text.length, &err);
  if (!module) printf("\n%s\n", err.message);
  return module;
}

// ---- launches ------------------------------------------------------------------------------------------------------

static bool counts_the_same(PtxModule *module, const Launch *launch, uint64_t seed) {
  uint8_t blocks[64] = {1, 0, 1};
  Pair pair;
  pair_init(&pair, module, 0, launch);
  pair.sched = seed % 2 ? SIM_ITS : SIM_STACK;
  pair.checks = SIM_CHECK_MEMORY;
  pair.any_old_values = true;
  pair.any_order = true;
  pair.options.memory_limit = 64 << 20;
  pair.options.record_all = seed % 3 == 0;
  if (seed % 3 == 1) pair.options.record_block = blocks;
  bool ran = pair_run(&pair);
  const char *differs = ran ? pair_results_differ(&pair) : pair.err.message;
  if (!differs && seed % 3 == 0) differs = pair_events_differ(&pair);
  if (!differs) differs = pair_tallies_differ(&pair);
  if (!differs) differs = pair_counters_differ(&pair);
  if (differs) printf("\nseed %llu: %s\n", (unsigned long long)seed, differs);
  pair_free(&pair);
  return differs == NULL;
}

static void one_kernel(uint64_t seed) {
  static const uint32_t shapes[][3] = {{32, 1, 1}, {64, 1, 1}, {17, 1, 1}, {40, 2, 1}, {16, 16, 1}, {8, 4, 2}, {1, 33, 1},
                                       {96, 1, 1}, {4, 4, 4}, {32, 2, 1}, {2, 32, 1}, {31, 3, 1}};
  static const char *const scalars[] = {"0", "1", "2", "7", "16", "33", "64", "1000", "2147483640", "4294967290", "4294967295",
                                        "305419896"};
  static const uint32_t grids[] = {1, 2, 3};
  LsErr err = {0};
  Maker m;
  Launch launch;
  PtxModule *module = make_kernel(seed, &m);
  CU_ASSERT_FATAL(module != NULL);
  launch_init(&launch);
  memcpy(launch.block, PICK(&m, shapes), sizeof launch.block);
  launch.grid[0] = PICK(&m, grids);
  launch.grid[1] = PICK(&m, grids);
  for (int i = 0; i < 3; i++) CHECK(launch_add_arg(&launch, "u8[1048576]=zero", &err));
  for (int i = 0; i < 2; i++) {
    char *arg = ls_format("u32=%s", PICK(&m, scalars));
    CHECK(launch_add_arg(&launch, arg, &err));
    free(arg);
  }
  bool same = counts_the_same(module, &launch, seed);
  CHECK(same);
  launch_fini(&launch);
  ptx_module_free(module);
  ls_text_free(&m.text);
}

static void random_addresses(void) {
  for (uint64_t seed = 1; seed <= KERNELS; seed++) one_kernel(seed);
}

// Numbers below 0 are large ones for u32: the first four lanes are not where a whole number that never wraps would be.
static void wrapping_numbers(void) {
  static const char *const ways[] = {"rem.u32 %r2, %r1, 7;\ncvt.u64.u32 %rd2, %r2;\n",
                                     "cvt.u64.u32 %rd1, %r1;\nrem.u64 %rd2, %rd1, 7;\n",
                                     "mul.wide.u32 %rd1, %r1, 3;\nrem.u64 %rd2, %rd1, 11;\n",
                                     "rem.u32 %r3, %r1, 7;\nand.b32 %r2, %r3, 15;\ncvt.u64.u32 %rd2, %r2;\n",
                                     "shr.u32 %r2, %r1, 28;\ncvt.u64.u32 %rd2, %r2;\n"};
  for (int i = 0; i < LS_COUNT(ways); i++) {
    LsErr err = {0};
    Launch launch;
    char *text = ls_format("%s.entry k(.param .u64 p)\n{\n.reg .b32 %%r<5>;\n.reg .b64 %%rd<6>;\n"
                           "mov.u32 %%r0, %%tid.x;\nsub.u32 %%r1, %%r0, 4;\n%s"
                           "mul.lo.u64 %%rd3, %%rd2, 32;\nld.param.u64 %%rd4, [p];\nadd.u64 %%rd5, %%rd4, %%rd3;\n"
                           "ld.global.u8 %%r4, [%%rd5];\nret;\n}\n", module_head, ways[i]);
    PtxModule *module = ptx_parse("wraps.ptx", text, strlen(text), &err);
    CU_ASSERT_FATAL(module != NULL);
    launch_init(&launch);
    launch.block[0] = 32;
    CHECK(launch_add_arg(&launch, "u8[4096]=zero", &err));
    bool same = counts_the_same(module, &launch, 2);
    CHECK(same);
    launch_fini(&launch);
    ptx_module_free(module);
    free(text);
  }
}

static const Check checks[] = {
    {"wrapping numbers", wrapping_numbers},
    {"random addresses", random_addresses},
};

int main(int argc, char **argv) { return check_main("probe_shape", checks, LS_COUNT(checks), argc, argv); }
