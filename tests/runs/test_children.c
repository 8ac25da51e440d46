// test_children.c: kernels that launch kernels: in which order, what is told where nothing orders them, and what fails
//
// tests/runs/programs/family.lua has a program for each rule; its check is the answer that the rule gives. What the
// device runtime answers was read on an H200 (driver 580, CUDA 13.0). assets/make-ptx tests/runs/programs
// tests/runs/programs makes the PTX of family.cu.
#include <stdlib.h>
#include <string.h>
#include "app/run/kinship.h"
#include "app/run/program_against.h"
#include "app/run/program_run.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/recipe.h"

static RecipeBook *own;

static ProgramRun *run_family(const char *what, const char *n, DevCut cut, uint64_t seed, LsErr *err) {
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup("family");
  request.recipe = own->get(own, "family", err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(request.recipe);
  request.cut = cut;
  request.seed = seed;
  request.record = false;
  recipe_defaults(request.recipe, &request.values);
  char *value = ls_format("what=%s", what), *number = ls_format("n=%s", n ? n : "1");
  CHECK(recipe_set(request.recipe, &request.values, value, err));
  CHECK(recipe_set(request.recipe, &request.values, number, err));
  free(value);
  free(number);
  ProgramRun *run = program_run_new(&request, NULL, err);
  run_request_fini(&request);
  return run;
}

typedef struct Case {
  const char *what, *n;
  const char *told;                // part of what is said of it; NULL: nothing is
  int children;
  int seeds;                       // with so many, the answer is right in each; 0: only in the order of asking, or none
} Case;

enum { SEEDS = 6, CUTS = 2 };
static const Case cases[] = {
    {"tails", NULL, NULL, 5, SEEDS},
    {"tail_of_tail", NULL, NULL, 8, SEEDS},
    {"made_before", NULL, NULL, 1, SEEDS},
    {"made_for_tail", NULL, NULL, 1, SEEDS},
    {"not_waited", NULL, "reads x[32] at family.cu:41, which launch 1 (not_waited) writes at family.cu:58", 1, 0},
    {"made_behind", NULL, "reads x[0] at family.cu:41, which launch 1 (made_behind) writes at family.cu:69", 1, 0},
    {"of_other_block", NULL, "reads x[0] at family.cu:41, which launch 1 (of_other_block) writes at family.cu:96", 1,
     0},
    {"read_back", NULL, "writes y[0] at family.cu:41, which launch 1 (read_back) reads at family.cu:88", 1, 0},
    {"in_order", NULL, NULL, 2, SEEDS},
    {"streams", "1", NULL, 2, SEEDS},
    {"streams", "0", "x[256] at family.cu:41, which launch 1.", 2, 0},
    {"forgotten", NULL, "x[256] at family.cu:41, which launch 1.", 2, 0},
    {"blocks", NULL, "x[256] at family.cu:41, which launch 1.", 2, 0},
    {"copies", NULL, NULL, 1, SEEDS},
    {"counted", "6", NULL, 126, SEEDS},
    {"deep", "60", NULL, 59, SEEDS},
    {"gives", NULL, NULL, 1, SEEDS},
    {"next", NULL, NULL, 1, SEEDS},
    {"gives_unused", NULL, NULL, 1, SEEDS},
    {"errors", NULL, "launches nothing<<<0, 1>>>: a grid without blocks (cudaErrorInvalidConfiguration)", 2, SEEDS},
    {"pending", "2048", NULL, 2048, 1},
    {"pending", "2049", "(cudaErrorLaunchPendingCountExceeded)", 2048, 1},
    {"gives_local", NULL, "gives stores the address of its own local memory as", 0, 0},
    {"gives_shared", NULL, "gives stores the address of its own shared memory as", 0, 0},
    {"beyond", NULL, "reads 4 bytes at y[256], just past the end of y", 1, 0},
    {"unordered", NULL, "step 1, launch made_before<<<1, 256>>> in stream a (family.cu:41) writes", 1, 0},
};

static bool is_told(const ProgramRun *run, const char *words) {
  for (int i = 0; i < run->fault_count; i++)
    if (strstr(run->faults[i].message, words)) return true;
  for (int i = 0; i < run->told_count; i++)
    if (strstr(run->told[i].fault->message, words)) return true;
  return false;
}

static void check_case(const Case *c, DevCut cut, uint64_t seed) {
  LsErr err = {0};
  ProgramRun *run = run_family(c->what, c->n, cut, seed, &err);
  if (!run) printf("\n%s: %s\n", c->what, err.message);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  bool any = run->fault_count || run->told_count, right = !c->seeds || run->verdict == RUN_RIGHT;
  bool ok = any == (c->told != NULL) && (!c->told || is_told(run, c->told)) && right &&
            run->launches[0].child_count == c->children && program_run_exit_status(run) == any;
  if (!ok)
    printf("\n%s, cut %d, seed %d: %d children, %s; %s\n", c->what, (int)cut, (int)seed, run->launches[0].child_count,
           run->verdict_text ? run->verdict_text : "no answer", run->fault_count ? run->faults[0].message :
           run->told_count ? run->told[0].fault->message : "nothing is told");
  CHECK(ok);
  program_run_close(run);
}

static void test_rules(void) {
  for (int i = 0; i < LS_COUNT(cases); i++)
    for (int cut = 0; cut < CUTS; cut++)
      for (int seed = 0; seed < LS_MAX(cases[i].seeds, 1); seed++) check_case(&cases[i], (DevCut)cut, (uint64_t)seed);
}

// Without order, another seed gives another answer: what is told is so.
static void test_seeds_differ(void) {
  static const char *const racy[] = {"streams", "forgotten", "blocks"};
  for (int i = 0; i < LS_COUNT(racy); i++) {
    int right = 0, wrong = 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
      LsErr err = {0};
      ProgramRun *run = run_family(racy[i], "0", DEV_COMPILED, seed, &err);
      CU_ASSERT_PTR_NOT_NULL_FATAL(run);
      if (run->verdict == RUN_RIGHT) right++;
      else wrong++;
      CHECK(run->fault_count > 0);   // in either order
      program_run_close(run);
    }
    CHECK(right > 0 && wrong > 0);
  }
}

// ---- how they are told ---------------------------------------------------------------------------------------------

static void test_names(void) {
  LsErr err = {0};
  ProgramRun *run = run_family("tail_of_tail", NULL, DEV_COMPILED, 0, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  static const char *const names[] = {"1.3", "1.1", "1.1.3", "1.1.4", "1.1.5", "1.1.1", "1.1.2", "1.2"};
  CU_ASSERT_EQUAL_FATAL(run->launches[0].child_count, LS_COUNT(names));
  uint64_t sum = run->launches[0].counters.value[COUNTER_WARP_INSTRUCTIONS];
  for (int i = 0; i < LS_COUNT(names); i++) {
    LsText name = {0};
    program_run_name(run, 1, i, &name);
    CHECK_STR(ls_text_str(&name), names[i]);
    ls_text_free(&name);
    sum += run->launches[0].children[i].launch.counters.value[COUNTER_WARP_INSTRUCTIONS];
  }
  CHECK_INT(run->counters.value[COUNTER_WARP_INSTRUCTIONS], sum);
  LsText place = {0};
  program_run_child_place(run, 1, 2, &place);
  CHECK_STR(ls_text_str(&place),
            "launch 1.1.3 (note<<<1, 32>>>, by thread (0,0,0) of block (0,0,0) of launch 1.1 at family.cu:17)");
  ls_text_free(&place);
  program_run_close(run);
}

// ---- two runs side by side -----------------------------------------------------------------------------------------

static ProgramRun *keep_family(const char *what, uint64_t seed) {
  LsErr err = {0};
  ProgramRun *made = run_family(what, "0", DEV_COMPILED, seed, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(made);
  ProgramRun *kept = program_run_keep(&made->request, 0, NULL, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(kept);
  program_run_close(made);
  return kept;
}

// Where nothing orders two children, another seed leaves something else: the first element of it is named. The same
// seed
// leaves the same.
static void test_against(void) {
  int differ = 0;
  ProgramRun *one = keep_family("streams", 0);
  for (uint64_t seed = 0; seed < 12; seed++) {
    LsErr err = {0};
    ProgramAgainst a;
    LsText words = {0};
    uint64_t size;
    ProgramRun *other = keep_family("streams", seed);
    CHECK(program_against(one, other, &a, &err));
    program_against_words(one, other, &a, &words);
    bool same = one->verdict == other->verdict;
    CHECK((a.number == 0) == same && (a.elements == 0) == same && (seed > 0 || same));
    CHECK((strstr(ls_text_str(&words), "leave the same") != NULL) == same);
    differ += !same;
    if (!same) {
      const int32_t *x = (const int32_t *)(const void *)program_run_buffer(one, a.buffer, &size);
      const int32_t *y = (const int32_t *)(const void *)program_run_buffer(other, a.buffer, &size);
      CHECK(a.number == 1 && (uint32_t)x[a.element] == a.left && (uint32_t)y[a.element] == a.right && a.left !=
            a.right);
      for (uint64_t i = 0; i < a.element; i++) CHECK(x[i] == y[i]);
      char *says = ls_format("[%d] is %d on the emulator and %d on the emulator, first behind launch 1 of 1; ",
                             (int)a.element, x[a.element], y[a.element]);
      CHECK(strstr(ls_text_str(&words), says) != NULL);
      free(says);
    }
    ls_text_free(&words);
    program_run_close(other);
  }
  CHECK(differ > 0);
  program_run_close(one);
}

// ---- order alone ---------------------------------------------------------------------------------------------------

enum { OPS = 300 };

// Streams of some blocks, with events, by chance: whatever is picked keeps the order, and every operation is picked
// once.
static void test_order(void) {
  srand(1);
  for (int round = 0; round < 40; round++) {
    SimDeviceOp ops[OPS];
    KinOrder order;
    int picked[OPS], place[OPS], count = 1 + rand() % OPS;
    for (int i = 0; i < count; i++) {
      static const uint64_t streams[] = {0, SIM_STREAM_PER_THREAD, SIM_STREAM_TAIL, SIM_STREAM_FORGET, 0x1000, 0x1010};
      ops[i] = (SimDeviceOp){.kind = SIM_DEVICE_LAUNCH, .stream = streams[rand() % LS_COUNT(streams)],
                             .block = (uint32_t)rand() % 3, .after = -1};
      if (round % 2 && i && rand() % 4 == 0 && ops[i].stream != SIM_STREAM_TAIL) {
        int after = rand() % i;
        bool may = ops[after].stream != SIM_STREAM_TAIL;
        if (may) ops[i].kind = SIM_DEVICE_WAIT, ops[i].after = after;
      }
    }
    kin_order_init(&order, ops, count);
    kin_order_pick(&order, (uint64_t)round / 4, picked);
    for (int i = 0; i < count; i++) place[i] = -1;
    for (int i = 0; i < count; i++) place[picked[i]] = i;
    for (int i = 0; i < count; i++) {
      CHECK(place[i] >= 0);
      for (int k = 0; k < count; k++) CHECK(i == k || !kin_order_is(&order, i, k) || place[i] < place[k]);
      CHECK(ops[i].kind != SIM_DEVICE_WAIT || kin_order_is(&order, ops[i].after, i));
    }
    kin_order_fini(&order);
  }
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"order of children, what they see, and what is told", test_rules},
      {"what nothing orders depends on the seed", test_seeds_differ},
      {"names of launches below others", test_names},
      {"two runs side by side", test_against},
      {"streams and events", test_order},
  };
  LsErr err = {0};
  char *folder =
      getenv("srcdir") ? ls_path_join(getenv("srcdir"), "tests/runs/programs") : ls_strdup("tests/runs/programs");
  own = recipe_book_open(folder, &err);
  free(folder);
  int status = own ? check_main("children", checks, LS_COUNT(checks), argc, argv) : 1;
  if (own) own->free(own);
  return status;
}
