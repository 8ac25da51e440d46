// test_probe_random.c: random programs (tests/gpu) instrumented: branches, loops, tables of branches, calls, all memories,
// barriers, operations between lanes, atomics, in blocks of all shapes.
#include "base/mem.h"
#include "check.h"
#include "gpu/generate.h"
#include "probe_pair.h"

static Forms forms;

typedef void Generator(Batch *batch, const Forms *forms, uint64_t seed);

static bool tell_same(PtxModule *module, const Program *program, SimSched sched, bool some) {
  uint8_t blocks[64] = {1, 0, 1, 1};
  Pair pair;
  pair_init(&pair, module, ptx_find_entry(module, program->entry, NULL), &program->launch);
  pair.sched = sched;
  pair.checks = SIM_CHECK_MEMORY | SIM_CHECK_RACE | SIM_CHECK_SYNC;
  pair.any_old_values = true;
  pair.meets_late = true;
  pair.options.memory_limit = 64 << 20;
  if (some) pair.options.record_block = blocks;
  const char *differs = pair_differs(&pair, pair_run(&pair));
  if (differs) printf("\n%s, scheduler %d: %s\n", program->name, (int)sched, differs);
  pair_free(&pair);
  return differs == NULL;
}

static void programs_tell_the_same(Generator *generate, int first, int count) {
  for (int seed = first; seed < first + count; seed++) {
    Batch batch;
    LsErr err = {0};
    batch_init(&batch);
    generate(&batch, &forms, (uint64_t)seed);
    PtxModule *module = ptx_parse(batch.programs[0].name, ls_text_str(&batch.ptx), batch.ptx.length, &err);
    CU_ASSERT_FATAL(module != NULL);
    CHECK(tell_same(module, &batch.programs[0], seed % 2 ? SIM_ITS : SIM_STACK, seed % 3 == 0));
    ptx_module_free(module);
    batch_fini(&batch);
  }
}

// Forty structured programs reach every line and every branch of src/device/probe that three hundred reach; sixty are enough
// for a day, and all of them run in make check-long.
static void straight(void) { programs_tell_the_same(generate_straight, 1, check_long(10, 30)); }
static void structured(void) { programs_tell_the_same(generate_structured, 1, check_long(60, 1000)); }

static const Check checks[] = {
    {"straight programs", straight},
    {"structured programs", structured},
};

int main(int argc, char **argv) {
  LsErr err = {0};
  if (!forms_read(&forms, &err)) {
    fprintf(stderr, "%s\n", err.message);
    return 1;
  }
  int status = check_main("probe_random", checks, LS_COUNT(checks), argc, argv);
  forms_free(&forms);
  return status;
}
