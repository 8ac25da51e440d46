// test_model_of_run.c: what models take from runs, against counts by hand and the run's own counters.
#include <math.h>
#include <string.h>

#include "app/models/latency.h"
#include "app/models/models.h"
#include "app/models/of_run.h"
#include "app/models/spaces.h"
#include "app/session/session.h"
#include "app/session/session_parts.h"
#include "base/mem.h"
#include "check.h"
#include "script/recipe.h"

static RecipeBook *book;

static Run *run_of(const char *name, const char *params, DevCut cut) {
  RunRequest request;
  LsErr err = {0};
  run_request_init(&request);
  request.what = ls_strdup(name);
  request.recipe = book->get(book, name, &err);
  CHECK(request.recipe != NULL);
  recipe_defaults(request.recipe, &request.values);
  if (*params) CHECK(recipe_set(request.recipe, &request.values, params, &err));
  free(request.device);
  request.device = ls_strdup("emu");
  request.cut = cut, request.cut_given = true, request.record = true;
  Run *run = run_new(&request, NULL, &err);
  if (!run) printf("\n%s: %s\n", name, err.message);
  CHECK(run != NULL);
  run_request_fini(&request);
  return run;
}

// The model's numbers of a run.
static void facts_of(const char *model, const char *kernel, const char *params, ModelValues *values,
                     ModelFacts *facts) {
  LsErr err = {0};
  const Model *m = model_named(model);
  Run *run = run_of(kernel, params, DEV_COMPILED);
  model_of_run_begin(m, values);
  CHECK(model_of_run(m, run, MODEL_ANY_STEP, values, &err));
  if (err.kind) printf("\n%s of %s: %s\n", model, kernel, err.message);
  facts->count = 0;
  m->facts(values, facts);
  run_free(run);
}

static double number_of(const ModelFacts *facts, const char *name) {
  const ModelFact *fact = fact_find(facts, name);
  CHECK(fact && !fact->is_text);
  return fact ? fact->number : NAN;
}

// ---- the launch ----------------------------------------------------------------------------------------------------

// A tile of 32 x 32 floats in a block of 1,024 threads: two blocks fill the 2,048 threads of an SM.
static void occupancy_is_of_the_launch(void) {
  ModelValues values;
  ModelFacts facts;
  facts_of("occupancy", "transpose_32x32", "", &values, &facts);
  CHECK_INT(model_int(&values, 1), 1024);
  CHECK_INT(model_int(&values, 3), 4 * 32 * 32);
  CHECK_INT(number_of(&facts, "blocks"), 2);
  CHECK_INT(number_of(&facts, "warps"), 64);
}

// L05: 300,000 elements in blocks of 256 are 1,172 blocks; an H200 has 132 x 8 places: two waves, 55 % used.
static void waves_are_of_the_launch(void) {
  ModelValues values;
  ModelFacts facts;
  facts_of("waves", "vec_add", "n=300000", &values, &facts);
  CHECK_INT(number_of(&facts, "per_wave"), 132 * 8);
  CHECK_INT(number_of(&facts, "waves"), 2);
  CHECK_INT(number_of(&facts, "last"), 1172 - 1056);
  CHECK(fabs(number_of(&facts, "used") - 0.555) < 0.001);
}

// ---- instructions --------------------------------------------------------------------------------------------------

// vec_add: two loads that need no other, one sum of both, one store of it.
static void the_mix_is_the_kernels_own(void) {
  ModelValues values;
  ModelFacts facts;
  LatencyModel m;
  facts_of("latency", "vec_add", "", &values, &facts);
  CHECK_INT(number_of(&facts, "loads"), 2);
  CHECK_INT(number_of(&facts, "stores"), 1);
  latency_model(&values, &m);
  int loads[2] = {-1, -1}, seen = 0, store = -1, sums = 0;
  for (int i = 0; i < m.code.count; i++) {
    const ScoreInst *inst = &m.code.inst[i];
    CHECK(inst->needs < i);
    if (inst->kind == SCORE_LOAD && seen < 2) loads[seen++] = i;
    if (inst->kind == SCORE_STORE) store = i;
    sums += seen == 2 && inst->kind == SCORE_ARITHMETIC && inst->needs == loads[1];   // waits for the later load
  }
  CHECK(seen == 2 && store == m.code.count - 1);
  CHECK_INT(sums, 1);
  for (int i = 0; i < 2; i++) {   // an address is computed before each load
    int address = m.code.inst[loads[i]].needs;
    CHECK(address >= 0 && m.code.inst[address].kind == SCORE_ARITHMETIC);
  }
  CHECK(m.run.issued == m.warps * m.code.count && m.run.cycles > 410);
}

// A load of a tile waits for shared memory, not for global memory.
static void shared_memory_is_nearer(void) {
  ModelValues values;
  ModelFacts facts;
  LatencyModel m;
  facts_of("latency", "transpose_32x32", "", &values, &facts);
  latency_model(&values, &m);
  int global = 0, shared = 0;
  for (int i = 0; i < m.code.count; i++) {
    global += m.code.inst[i].kind == SCORE_LOAD && m.code.inst[i].latency == 400;
    shared += m.code.inst[i].kind == SCORE_LOAD && m.code.inst[i].latency == 30;
  }
  CHECK(global == 1 && shared == 1);
}

// ---- roofline ------------------------------------------------------------------------------------------------------

// A sum for two floats read and one written: 1 flop for 12 bytes. Two runs are two points, behind one another.
static void points_are_of_the_counters(void) {
  const Model *model = model_named("roofline");
  ModelValues values;
  ModelFacts facts = {0};
  LsErr err = {0};
  Run *runs[2] = {run_of("vec_add", "n=4096", DEV_COMPILED), run_of("matmul_naive", "", DEV_COMPILED)};
  model_of_run_begin(model, &values);
  for (int i = 0; i < 2; i++) CHECK(model_of_run(model, runs[i], MODEL_ANY_STEP, &values, &err));
  model->facts(&values, &facts);
  CHECK(fabs(number_of(&facts, "p1_intensity") - 1.0 / 12) < 1e-4);
  const CounterSet *total = counters_total(runs[1]->counters);
  uint64_t sectors = total->value[COUNTER_GLOBAL_LOAD_SECTORS] + total->value[COUNTER_GLOBAL_STORE_SECTORS];
  double bytes = 32.0 * (double)sectors;
  int64_t width = runs[1]->request.values.value[0];
  CHECK_STR(runs[1]->request.recipe->params[0].name, "Width");
  CHECK(fabs(number_of(&facts, "p2_intensity") * bytes / (2.0 * (double)(width * width * width)) - 1) < 1e-3);
  run_free(runs[0]);
  run_free(runs[1]);
}

static void no_point_without_operations(void) {
  const Model *model = model_named("roofline");
  ModelValues values;
  LsErr err = {0};
  Run *run = run_of("bcast", "", DEV_COMPILED);
  model_of_run_begin(model, &values);
  CHECK(!model_of_run(model, run, MODEL_ANY_STEP, &values, &err));
  CHECK(strstr(err.message, "bcast has no place under the roofs: 0 operations") != NULL);
  err = (LsErr){0};
  CHECK(!model_of_run(model_named("pages"), run, MODEL_ANY_STEP, &values, &err));
  CHECK_STR(err.message, "pages takes nothing from a run; these do: occupancy, latency, waves, roofline, spaces");
  run_free(run);
}

// ---- pointers ------------------------------------------------------------------------------------------------------

// The addresses of an access, lane by lane, whatever step it is taken at.
static void pointers_are_of_the_access(void) {
  const Model *model = model_named("spaces");
  Run *run = run_of("vec_add", "n=40", DEV_WRITTEN);
  int stores = 0;
  for (uint64_t step = 0; step < trace_steps(run->trace); step++) {
    TraceEvent event;
    LsErr err = {0};
    ModelValues values;
    SpacesModel m;
    CHECK(trace_event(run->trace, step, &event, &err));
    if (event.kind != TRACE_STORE || event.space != TRACE_GLOBAL) continue;
    uint32_t mask = event.mask;
    uint64_t first = event.addr[0];
    model_of_run_begin(model, &values);
    CHECK(model_of_run(model, run, (int64_t)step, &values, &err));
    spaces_model(&values, &m);
    CHECK_INT(m.lanes[WINDOW_GLOBAL], mask);
    CHECK_INT(m.lanes[WINDOW_SHARED] | m.lanes[WINDOW_LOCAL], 0);
    CHECK(m.of_run && m.address[0] == first);
    CHECK_STR(m.access, "st");
    CHECK_STR(m.name[WINDOW_GLOBAL], "C_d");
    stores++;
  }
  CHECK_INT(stores, 2);
  run_free(run);
}

// L09: odd lanes point to the global variable, even ones to the shared one, one sector and one wavefront; in both cuts.
static void one_store_goes_to_two_spaces(void) {
  for (int cut = 0; cut < 2; cut++) {
    Run *run = run_of("ptr_confusion", "", cut ? DEV_COMPILED : DEV_WRITTEN);
    ModelValues values;
    ModelFacts facts = {0};
    LsErr err = {0};
    SpacesModel m;
    const Model *model = model_named("spaces");
    model_of_run_begin(model, &values);
    CHECK(model_of_run(model, run, MODEL_ANY_STEP, &values, &err));
    spaces_model(&values, &m);
    model->facts(&values, &facts);
    CHECK_INT(m.lanes[WINDOW_SHARED], 0x55555555);
    CHECK_INT(m.lanes[WINDOW_GLOBAL], 0xaaaaaaaa);
    CHECK_STR(m.access, "st");
    CHECK_STR(m.name[WINDOW_GLOBAL], "in_global");
    CHECK(number_of(&facts, "global_sectors") == 1 && number_of(&facts, "shared_wavefronts") == 1);
    run_free(run);
  }
}

// ---- from the explorer ---------------------------------------------------------------------------------------------

static void a_line_asks_for_a_model(void) {
  Session *session = ses_new(run_of("vec_add", "", DEV_WRITTEN));
  Command command;
  CHECK_INT(ses_read_line(session, "model latency", &command), LINE_DONE);
  CHECK(session->wants_model == model_named("latency"));
  session->wants_model = NULL;
  CHECK_INT(ses_read_line(session, "model latence", &command), LINE_DONE);
  CHECK(session->wants_model == NULL);
  ses_free(session);
}

static const Check checks[] = {
    {"occupancy is of the launch", occupancy_is_of_the_launch},
    {"waves are of the launch", waves_are_of_the_launch},
    {"the mix is the kernel's own", the_mix_is_the_kernels_own},
    {"shared memory is nearer", shared_memory_is_nearer},
    {"points are of the counters", points_are_of_the_counters},
    {"no point without operations", no_point_without_operations},
    {"pointers are of the access", pointers_are_of_the_access},
    {"one store goes to two spaces", one_store_goes_to_two_spaces},
    {"a line asks for a model", a_line_asks_for_a_model},
};

int main(int argc, char **argv) {
  LsErr err = {0};
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  book = recipe_book_open(LS_SOURCE_DIR "/kernels", &err);
  if (!book) return printf("%s\n", err.message), 1;
  int status = check_main("model of run", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
