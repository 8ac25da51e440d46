// test_sim_lines.c: straight lines of code that nobody watches, where not every instruction is executed: what all blocks
// compute alike.
#include "sim/core/exec.h"
#include "sim_rig.h"

enum { BLOCKS = 5, THREADS = 40, ROW = 64 };

// Each thread's word is at %rd5; what it stores there is in %r30.
static const char own_word[] = "  mov.u32 %r2, %ctaid.x; mad.lo.u32 %r4, %r2, 64, %r1; mul.wide.u32 %rd4, %r4, 4;\n"
                               "  add.u64 %rd5, %rd1, %rd4;\n";
static const char store[] = "  st.global.u32 [%rd5], %r30;\n  ret;";

typedef uint32_t (*Expected)(uint32_t block, uint32_t thread);

static void run_blocks(Rig *rig, const char *body, bool record) {
  char *text = ls_format("%s%s%s", own_word, body, store);
  rig_kernel(rig, ".param .u64 p0", "", text);
  rig->options.record_all = record;
  rig->options.threads = 1;
  if (!record) rig->sink.event = NULL;
  if (!record) rig->sink.access = NULL;
  rig_size(rig, "5", "40");
  rig_arg(rig, "u32[320]=zero");
  rig_run(rig);
  free(text);
}

static void check_blocks(const char *body, Expected expected, int steady) {
  for (int record = 0; record < 2; record++) {
    Rig rig;
    run_blocks(&rig, body, record);
    for (uint32_t i = 0; i < BLOCKS * ROW; i++)
      CHECK_INT(rig_words(&rig, 0)[i], i % ROW < THREADS ? expected(i / ROW, i % ROW) : 0);
    CHECK_INT(rig.sim->program.steady_count, steady);
    rig_free(&rig);
  }
}

// ---- what all blocks compute alike ---------------------------------------------------------------------------------

// %r5 to %r13 are sums of what is the same in all blocks and what only looks like it: set by some lanes, used before it
// is set, set twice, changed by the block.
static const char sums[] =
    "  mul.lo.u32 %r5, %r1, 3;\n"
    "  add.u32 %r6, %r5, %r2;\n"
    "  setp.gt.u32 %p1, %r1, 9;\n"
    "  @%p1 mov.u32 %r7, 100;\n"
    "  add.u32 %r8, %r7, 1;\n"
    "  mov.u32 %r10, 0; mov.u32 %r11, 0;\n"
    "L: add.u32 %r11, %r11, %r9; mov.u32 %r9, 5;\n"
    "  add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 4;\n  @%p2 bra L;\n"
    "  setp.lt.u32 %p3, %r1, 20;\n  @%p3 bra S;\n  mov.u32 %r12, 7;\n  bra.uni J;\n"
    "S: mov.u32 %r12, 9;\n"
    "J: add.u32 %r30, %r6, %r8; add.u32 %r30, %r30, %r11; add.u32 %r30, %r30, %r12;\n";

static uint32_t sums_expected(uint32_t block, uint32_t thread) {
  return thread * 3 + block + (thread > 9 ? 100 : 0) + 1 + 15 + (thread < 20 ? 9 : 7);
}

// Four of the prologue, %r5, %p1, %p3.
static void test_sums(void) { check_blocks(sums, sums_expected, 4 + 3); }

// What is needed stands behind what needs it, and some lanes never come there.
static const char backwards[] =
    "  mov.u32 %r30, 3;\n  setp.ge.u32 %p1, %r1, 12;\n  @%p1 bra B;\n  bra.uni E;\n"
    "A: add.u32 %r21, %r20, %r1; add.u32 %r30, %r21, %r2;\n  bra.uni E;\n"
    "B: mul.lo.u32 %r20, %r1, 41;\n  bra.uni A;\n"
    "E:\n";

static uint32_t backwards_expected(uint32_t block, uint32_t thread) {
  return thread >= 12 ? thread * 42 + block : 3;
}

static void test_backwards(void) { check_blocks(backwards, backwards_expected, 4 + 3); }

static const Check checks[] = {
    {"results that all blocks have, and others", test_sums},
    {"code in another order", test_backwards},
};

int main(int argc, char **argv) { return check_main("sim_lines", checks, LS_COUNT(checks), argc, argv); }
