// test_sim_starts.c: starts and ends of warps and blocks where nobody watches, held against runs that are recorded.
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
  for (int pc = 0; pc < bare->module->code_count; pc++) {
    CHECK_INT(bare->tallies[pc].warps, watched.tallies[pc].warps);
    CHECK_INT(bare->tallies[pc].lanes, watched.tallies[pc].lanes);
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
    check_same(&rig, bodies[i], 0);
    rig_free(&rig);
  }
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
    {"what is cleared", test_clears},
    {"the budget of all blocks", test_budget},
};

int main(int argc, char **argv) { return check_main("sim_starts", checks, LS_COUNT(checks), argc, argv); }
