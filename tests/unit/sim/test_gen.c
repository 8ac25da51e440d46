// test_gen.c: random programs (tests/gpu) run clean on the emulator, and mean the same whatever the order of execution.
//
// tests/gpu/check_gpu holds the same programs against a GPU; this needs none.
#include "base/mem.h"
#include "check.h"
#include "gpu/generate.h"
#include "gpu/textures.h"

static Forms forms;

typedef void Generator(Batch *batch, const Forms *forms, uint64_t seed);

static bool same(const Buffers *a, const Buffers *b) {
  for (int i = 0; i < a->count; i++)
    if (a->bytes[i] && memcmp(a->bytes[i], b->bytes[i], a->sizes[i]) != 0) return false;
  return true;
}

static bool wrote_something(const Buffers *before, const Buffers *after) { return !same(before, after); }

typedef struct Order { SimSched sched; SimOrder order; uint64_t seed; } Order;

static bool emulate(const PtxModule *module, const Program *program, Order how, Buffers *before, Buffers *after) {
  SimOptions options;
  LsErr err = {0};
  sim_options_init(&options);
  options.sched = how.sched;
  options.order = how.order;
  options.seed = how.seed;
  options.budget = 1 << 22;
  bool ok = batch_emulate(module, program, &options, before, after, &err);
  if (!ok)
    printf("\n%s, scheduler %d, order %d, seed %d: %s\n", program->name, (int)how.sched, (int)how.order, (int)how.seed,
           err.message);
  CHECK(ok);
  return ok;
}

// In every order: the fair one, turns that vary, a few instructions each, and lanes that run in the order of a stack.
static void one_meaning(const PtxModule *module, const Program *program) {
  static const Order orders[] = {{SIM_ITS, SIM_WHOLE, 7}, {SIM_ITS, SIM_WHOLE, 1234567}, {SIM_ITS, SIM_TURNS, 0},
                                 {SIM_ITS, SIM_TURNS, 5}, {SIM_STACK, SIM_WHOLE, 0}, {SIM_STACK, SIM_TURNS, 3}};
  Buffers before = {0}, first = {0};
  emulate(module, program, (Order){0}, &before, &first);
  CHECK(wrote_something(&before, &first));
  for (int i = 0; i < LS_COUNT(orders); i++) {
    Buffers other = {0};
    bool ok = emulate(module, program, orders[i], NULL, &other) && same(&first, &other);
    if (!ok) printf("\n%s: another result in another order (%d)\n", program->name, i);
    CHECK(ok);
    buffers_free(&other);
  }
  buffers_free(&before);
  buffers_free(&first);
}

static void programs_mean_one_thing(Generator *generate, int count) {
  for (int seed = 1; seed <= count; seed++) {
    Batch batch;
    LsErr err = {0};
    batch_init(&batch);
    generate(&batch, &forms, (uint64_t)seed);
    PtxModule *module = ptx_parse(batch.programs[0].name, ls_text_str(&batch.ptx), batch.ptx.length, &err);
    if (!module) printf("\n%s: %s\n", batch.programs[0].name, err.message);
    CHECK(module != NULL);
    if (module) one_meaning(module, &batch.programs[0]);
    ptx_module_free(module);
    batch_fini(&batch);
  }
}

static void straight(void) { programs_mean_one_thing(generate_straight, check_long(150, 1500)); }
static void structured(void) { programs_mean_one_thing(generate_structured, check_long(400, 4000)); }

static void seeds_repeat(void) {
  Batch one, two;
  batch_init(&one);
  batch_init(&two);
  generate_structured(&one, &forms, 5);
  generate_structured(&two, &forms, 5);
  CHECK_STR(ls_text_str(&one.ptx), ls_text_str(&two.ptx));
  generate_structured(&two, &forms, 6);
  CHECK(two.ptx.length > one.ptx.length);
  batch_fini(&one);
  batch_fini(&two);
}

// The programs that compare textures with a GPU do nothing wrong, and another seed is another program.
static void textures(void) {
  for (int filtered = 0; filtered < 2; filtered++) {
    Batch batch, other;
    LsErr err = {0};
    CU_ASSERT_FATAL(textures_batch(&batch, 1, filtered, "", &err));
    CU_ASSERT_FATAL(textures_batch(&other, 2, filtered, "", &err));
    CHECK(batch.count > 300 && batch.count == other.count);
    PtxModule *module = ptx_parse("textures", ls_text_str(&batch.ptx), batch.ptx.length, &err);
    CU_ASSERT_FATAL(module != NULL);
    for (int i = 0; i < batch.count; i += 7) {
      Buffers before = {0}, first = {0}, second = {0};
      CHECK(emulate(module, &batch.programs[i], (Order){0}, &before, &first));
      CHECK(emulate(module, &other.programs[i], (Order){0}, NULL, &second));
      bool zeros = strstr(batch.programs[i].name, "far away") != NULL;   // all may be outside, and 0
      CHECK(zeros || (wrote_something(&before, &first) && !same(&first, &second)));
      buffers_free(&before);
      buffers_free(&first);
      buffers_free(&second);
    }
    ptx_module_free(module);
    batch_fini(&batch);
    batch_fini(&other);
  }
}

static const Check checks[] = {
    {"a seed gives the same program again", seeds_repeat},
    {"straight programs mean one thing", straight},
    {"structured programs mean one thing", structured},
    {"textures at random places", textures},
};

int main(int argc, char **argv) {
  LsErr err = {0};
  if (!forms_read(&forms, &err)) {
    fprintf(stderr, "%s\n", err.message);
    return 1;
  }
  int status = check_main("gen", checks, LS_COUNT(checks), argc, argv);
  forms_free(&forms);
  return status;
}
