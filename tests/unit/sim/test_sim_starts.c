// test_sim_starts.c: warps and blocks from start to end where nobody watches, held against runs that are recorded.
#include "sim/core/exec.h"
#include "sim_rig.h"

enum { BLOCKS = 6, THREADS = 96, WORDS = BLOCKS * THREADS };

// Each thread's word is at %rd5; %r2 is the block.
static const char own_word[] = "  mov.u32 %r2, %ctaid.x; mad.lo.u32 %r4, %r2, 96, %r1; mul.wide.u32 %rd4, %r4, 4;\n"
                               "  add.u64 %rd5, %rd1, %rd4;\n";
#define STORE "  st.global.u32 [%rd5], %r30;\n  ret;"

static void run_body(Rig *rig, const char *body, bool is_watched, uint32_t checks) {
  char *text = ls_format("%s%s", own_word, body);
  rig_kernel(rig, ".param .u64 p0", "", text);
  rig->options.record_all = is_watched;
  rig->options.checks = checks;
  rig->options.threads = 1;
  if (!is_watched) rig->sink.event = NULL;
  if (!is_watched) rig->sink.access = NULL;
  rig_size(rig, "6", "96");
  rig_arg(rig, "u32[576]=iota");
  rig_run(rig);
  free(text);
}

static void check_same(Rig *bare, const char *body, uint32_t checks) {
  Rig watched;
  run_body(&watched, body, true, checks);
  run_body(bare, body, false, checks);
  CHECK(memcmp(rig_words(&watched, 0), rig_words(bare, 0), WORDS * sizeof(uint32_t)) == 0);
  CHECK_INT(rig_faults(bare), rig_faults(&watched));
  CHECK_INT(bare->tally_count, watched.tally_count);
  for (int i = 0; i < bare->tally_count; i++) {
    CHECK_INT(bare->tallies[i].pc, watched.tallies[i].pc);
    CHECK_INT(bare->tallies[i].warps, watched.tallies[i].warps);
    CHECK_INT(bare->tallies[i].lanes, watched.tallies[i].lanes);
  }
  rig_free(&watched);
}

// ---- ends ----------------------------------------------------------------------------------------------------------

// A whole warp ends in the line that it executes.
static void test_end_of_line(void) {
  Rig rig;
  check_same(&rig, "  add.u32 %r30, %r4, 5;\n" STORE, SIM_CHECK_ALL);
  CHECK_INT(rig_words(&rig, 0)[500], 505);
  CHECK_INT(rig.sim->program.code[0].full_run, rig.module->code_count);
  CHECK(rig.sim->program.code[0].run < rig.sim->program.code[0].full_run);
  rig_free(&rig);
}

// Those that wait for the last warp at a barrier go on when it ends.
static void test_end_frees_barrier(void) {
  Rig rig;
  check_same(&rig, "  mov.u32 %r30, 9; setp.ge.u32 %p1, %r1, 64;\n  @%p1 bra E;\n  bar.sync 0;\n  mov.u32 %r30, 7;\n"
                   STORE "\nE:\n" STORE, SIM_CHECK_ALL);
  CHECK_INT(rig_faults(&rig), 0);
  for (int i = 0; i < WORDS; i++) CHECK_INT(rig_words(&rig, 0)[i], i % THREADS < 64 ? 7 : 9);
  rig_free(&rig);
}

// Lanes that part end one after the other, or meet to end.
static void test_end_of_some(void) {
  static const char *const bodies[] = {
      "  mov.u32 %r30, 9; and.b32 %r5, %r1, 3; setp.eq.u32 %p1, %r5, 1;\n  @%p1 ret;\n  mov.u32 %r30, 7;\n" STORE,
      "  mov.u32 %r30, 9; setp.lt.u32 %p1, %r1, 40;\n  @%p1 bra E;\n  st.global.u32 [%rd5], %r30;\nE: ret;",
      "  mov.u32 %r30, 9; setp.lt.u32 %p1, %r1, 40;\n  @%p1 bra E;\n" STORE "\nE: mov.u32 %r30, 7;\n" STORE};
  for (int i = 0; i < LS_COUNT(bodies); i++) {
    Rig rig;
    check_same(&rig, bodies[i], SIM_CHECK_ALL);
    rig_free(&rig);
    check_same(&rig, bodies[i], 0);
    rig_free(&rig);
  }
}

// ---- lines one after the other -------------------------------------------------------------------------------------

// A guard that stops no lane ends nothing: each warp goes through the code in one pass.
static void test_guard(void) {
  Rig rig;
  check_same(&rig, "  mov.u32 %r30, 9; setp.ge.u32 %p1, %r1, 96;\n  @%p1 bra E;\n  add.u32 %r30, %r30, %r4;\n"
                   "  st.global.u32 [%rd5], %r30;\nE: ret;", 0);
  CHECK_INT(rig.sim->exec.pass / SIM_PASS, WORDS / SIM_LANES);
  for (int i = 0; i < WORDS; i++) CHECK_INT(rig_words(&rig, 0)[i], i + 9);
  rig_free(&rig);
}

// Jumps that all lanes of a warp take, or some: forward, back to one of several lines, and out of a loop; a loop that
// waits for another warp.
static const char *const ways[] = {
    "  shr.u32 %r5, %r1, 5; mov.u32 %r30, 0;\n"
    "L: add.u32 %r30, %r30, 3; and.b32 %r6, %r30, 1; setp.eq.u32 %p1, %r6, 0;\n  @%p1 bra M;\n"
    "  add.u32 %r30, %r30, %r2;\nM: xor.b32 %r30, %r30, %r5; add.u32 %r7, %r7, 1; setp.gt.u32 %p2, %r30, 90;\n"
    "  @%p2 bra E;\n  setp.lt.u32 %p3, %r7, 40;\n  @%p3 bra L;\n  add.u32 %r30, %r30, 1000;\nE:\n",
    "  mov.u32 %r30, 0; mov.u32 %r5, 0;\nL: ld.global.u32 %r6, [%rd5]; add.u32 %r30, %r30, %r6; add.u32 %r5, %r5, 1;\n"
    "  setp.gt.u32 %p1, %r1, 63;\n  @!%p1 bra N;\n  add.u32 %r30, %r30, 5;\nN: setp.lt.u32 %p2, %r5, 9;\n"
    "  @%p2 bra L;\n",
    "  and.b32 %r5, %r1, 31; mov.u32 %r30, 1; setp.lt.u32 %p1, %r5, 7;\n  @%p1 bra A;\n"
    "  mov.u32 %r30, 2;\n  bra.uni J;\n"
    "A: mov.u32 %r30, 3;\nJ: shfl.sync.down.b32 %r6, %r30, 1, 31, -1; add.u32 %r30, %r6, %r30;\n",
    "  mul.wide.u32 %rd6, %r2, 384; add.u64 %rd7, %rd1, %rd6; mov.u32 %r30, 4; setp.ge.u32 %p1, %r1, 32;\n"
    "  @%p1 bra W;\nL: ld.volatile.global.u32 %r6, [%rd7+380]; setp.ne.u32 %p2, %r6, 77;\n  @%p2 bra L;\n  bra.uni E;\n"
    "W: mov.u32 %r30, 77;\nE:\n"};

static void test_ways(void) {
  for (int i = 0; i < LS_COUNT(ways); i++) {
    char *body = ls_format("%s%s", ways[i], "  st.global.u32 [%rd5], %r30;\n  ret;");
    for (uint32_t checks = 0; checks <= SIM_CHECK_ALL; checks += SIM_CHECK_ALL) {
      Rig rig;
      check_same(&rig, body, checks);
      rig_free(&rig);
    }
    free(body);
  }
}

// ---- lanes aside ---------------------------------------------------------------------------------------------------

#define ODD "  mov.u32 %r30, 5; and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0;\n  @%p1 bra J;\n"
#define ROUNDS(n) "  mov.u32 %r5, 0;\nL: add.u32 %r30, %r30, %r4; add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, " n ";\n" \
                  "  @%p2 bra L;\nJ:\n"
static const char *const asides[] = {
    ODD "  add.u32 %r30, %r30, %r4;\nJ: add.u32 %r30, %r30, 1;\n",
    ODD "  ld.global.u32 %r6, [%rd5]; add.u32 %r30, %r30, %r6;\n  st.global.u32 [%rd5], %r30;\nJ: bar.sync 0;\n"
        "  ld.global.u32 %r6, [%rd5]; add.u32 %r30, %r30, %r6;\n",
    ODD "  mul.wide.u32 %rd6, %r1, 4; add.u64 %rd7, %rd1, %rd6;\n  ld.global.u32 %r6, [%rd7];\n"
        "J: shfl.sync.bfly.b32 %r7, %r6, 1, 31, -1; add.u32 %r30, %r30, %r7;\n",
    // Every round some other lanes, and all of a warp, or none.
    "  mov.u32 %r30, 0; mov.u32 %r5, 1;\nL: setp.ge.u32 %p1, %r1, %r5;\n  @%p1 bra J;\n"
    "  ld.global.u32 %r6, [%rd5]; add.u32 %r30, %r30, %r6;\nJ: shl.b32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 200;\n"
    "  @%p2 bra L;\n",
    // Lanes that wait in turn, and a straight line that others have to be waited for in.
    ODD "  and.b32 %r5, %r1, 4; setp.eq.u32 %p2, %r5, 0;\n  @%p2 bra K;\n  mov.u32 %r30, 9;\n"
        "K: add.u32 %r30, %r30, 2;\nJ:\n",
    ODD "  activemask.b32 %r30;\nJ:\n",
    ODD ROUNDS("3"), ODD ROUNDS("1")};

static void test_aside(void) {
  for (int i = 0; i < LS_COUNT(asides); i++) {
    char *body = ls_format("%s%s", asides[i], "  st.global.u32 [%rd5], %r30;\n  ret;");
    for (uint32_t checks = 0; checks <= SIM_CHECK_ALL; checks += SIM_CHECK_ALL) {
      Rig rig;
      int count = 0;
      check_same(&rig, body, checks);
      for (int pc = 0; pc < rig.module->code_count; pc++) count += rig.sim->program.code[pc].aside;
      CHECK_INT(count, i < 5);
      rig_free(&rig);
    }
    free(body);
  }
}

// A fault in it is told as everywhere; and two who meet in shared memory without a barrier are.
static void test_fault_aside(void) {
  Rig rig;
  check_same(&rig, ODD "  st.global.u32 [%rd5+2400], %r30;\nJ: add.u32 %r30, %r30, 1;\n" STORE, SIM_CHECK_ALL);
  CHECK(rig_fault(&rig, FAULT_OUT_OF_BOUNDS) != NULL);
  rig_free(&rig);
  check_same(&rig, ODD "  st.global.u32 [%rd1], %r30;\nJ: add.u32 %r30, %r30, 1;\n" STORE, SIM_CHECK_ALL);
  CHECK(rig_fault(&rig, FAULT_RACE) != NULL);
  rig_free(&rig);
}

// ---- starts --------------------------------------------------------------------------------------------------------

// Nothing is cleared for a kernel that sets all that it uses; a carry that nothing has set is none.
static void test_clears(void) {
  Rig rig;
  check_same(&rig, "  add.u32 %r30, %r4, 5;\n" STORE, SIM_CHECK_ALL);
  CHECK_INT(rig.sim->program.clear_count, 0);
  rig_free(&rig);
  check_same(&rig, "  addc.u32 %r30, %r4, 5; add.cc.u32 %r6, %r1, -1;\n" STORE, 0);
  for (int i = 0; i < WORDS; i++) CHECK_INT(rig_words(&rig, 0)[i], i + 5);
  rig_free(&rig);
  check_same(&rig, "  setp.lt.u32 %p1, %r1, 40;\n  @%p1 mov.u32 %r7, 100;\n  add.u32 %r30, %r4, %r7;\n" STORE, 0);
  for (int i = 0; i < WORDS; i++) CHECK_INT(rig_words(&rig, 0)[i], i + (i % THREADS < 40 ? 100 : 0));
  rig_free(&rig);
}

// A start counts as 32 instructions of a warp; the last block needs all that the others have left.
static bool is_enough(uint64_t less) {
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", "", "  st.global.u32 [%rd3], %r1;\n  ret;");
  rig.options.budget = 5 * (32 + (uint64_t)rig.module->code_count) + (uint64_t)rig.module->code_count - less;
  rig.options.threads = 1;
  rig_size(&rig, "6", "32");
  rig_arg(&rig, "u32[32]=iota");
  rig_run(&rig);
  bool is_spent = rig_fault(&rig, FAULT_BUDGET) != NULL;
  rig_free(&rig);
  return !is_spent;
}

static void test_budget(void) {
  CHECK(is_enough(0));
  CHECK(!is_enough(1));
}

static const Check checks[] = {
    {"a warp ends in its last line", test_end_of_line},
    {"a warp ends while others wait at a barrier", test_end_frees_barrier},
    {"some lanes end", test_end_of_some},
    {"a guard that stops nobody", test_guard},
    {"jumps of whole warps", test_ways},
    {"lanes that the others wait for", test_aside},
    {"faults of such lanes", test_fault_aside},
    {"what is cleared", test_clears},
    {"the budget of all blocks", test_budget},
};

int main(int argc, char **argv) { return check_main("sim_starts", checks, LS_COUNT(checks), argc, argv); }
