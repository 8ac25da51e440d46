// test_recipes_run.c: every recipe on the emulator, at its defaults and at odd sizes, against its own host reference.
#include "launch/settle.h"
#include "app/run/expectation.h"
#include "app/run/program_run.h"
#include "base/file.h"
#include "base/mem.h"
#include "check_recipes.h"

static RecipeBook *book;

static bool request_of(const char *name, const char *assignments, DevCut cut, SimSched sched, RunRequest *request) {
  LsErr err = {0};
  const Recipe *recipe = book->get(book, name, &err);
  run_request_init(request);
  request->what = ls_strdup(name);
  request->recipe = recipe;
  request->cut = cut;
  request->sched = sched;
  request->record = false;
  if (!recipe) return false;
  recipe_defaults(recipe, &request->values);
  char *copy = ls_strdup(assignments), *rest = copy, *word;
  while ((word = strsep(&rest, " ")))
    if (*word && !recipe_set(recipe, &request->values, word, &err)) printf("\n%s: %s\n", name, err.message);
  free(copy);
  return true;
}

static Run *run_with(const char *name, const char *assignments, DevCut cut, SimSched sched) {
  LsErr err = {0};
  RunRequest request;
  Run *run = request_of(name, assignments, cut, sched, &request) ? run_new(&request, NULL, &err) : NULL;
  if (!run) printf("\n%s %s: %s\n", name, assignments, err.message);
  run_request_fini(&request);
  return run;
}

// A program has its answer behind its last step. False: it is none.
static bool program_is_right(const char *name, const char *assignments, DevCut cut, SimSched sched) {
  LsErr err = {0};
  RunRequest request;
  bool is_one = request_of(name, assignments, cut, sched, &request) && request.recipe->sequence;
  ProgramRun *run = is_one ? program_run_new(&request, NULL, &err) : NULL;
  if (is_one) {
    if (!run || program_run_exit_status(run)) printf("\n%s %s: %s\n", name, assignments, run ? "wrong, or a fault" :
                                                     err.message);
    CHECK(run && run->verdict == RUN_RIGHT && program_run_exit_status(run) == 0);
  }
  program_run_close(run);
  run_request_fini(&request);
  return is_one;
}

static void right_and_clean(const char *name, const char *assignments, DevCut cut, SimSched sched) {
  if (program_is_right(name, assignments, cut, sched)) return;
  Run *run = run_with(name, assignments, cut, sched);
  CHECK(run != NULL);
  if (!run) return;
  uint64_t wrong = unexpected_faults(run->request.recipe, run);
  if (run->verdict != RUN_RIGHT || wrong)
    printf("\n%s %s (%s, %s): %s, %d faults%s%s\n", name, assignments, cut == DEV_WRITTEN ? "written" : "compiled",
           sched == SIM_ITS ? "its" : "stack", run->verdict_text ? run->verdict_text : "unchecked", run->fault_count,
           run->fault_count ? ": " : "", run->fault_count ? run->faults[0].message : "");
  CHECK_INT(run->verdict, RUN_RIGHT);
  CHECK_INT(wrong, 0);
  run_free(run);
}

static void both_cuts(const char *name, const char *assignments) {
  right_and_clean(name, assignments, DEV_WRITTEN, SIM_ITS);
  right_and_clean(name, assignments, DEV_COMPILED, SIM_ITS);
  right_and_clean(name, assignments, DEV_COMPILED, SIM_STACK);
}

static void defaults_are_right(void) {
  for (int i = 0; i < book->kernels(book); i++) both_cuts(book->name(book, i), "");
}

// Every choice of every parameter that has words or a short list.
static void choices_are_right(void) {
  for (int i = 0; i < book->kernels(book); i++) {
    const Recipe *recipe = book->get(book, book->name(book, i), NULL);
    for (int k = recipe_has_forms(recipe); k < recipe->param_count; k++)
      for (int c = 0; c < recipe->params[k].choice_count; c++) {
        char assignment[128];
        snprintf(assignment, sizeof assignment, "%s=%s", recipe->params[k].name, recipe->params[k].choices[c]);
        if (atoi(recipe->params[k].choices[c]) < 1024 || strcmp(recipe->params[k].name, "n") != 0)
          right_and_clean(recipe->name, assignment, DEV_COMPILED, SIM_ITS);
      }
  }
}

// ---- forms: each comes to just what its recipe says of it, as written and as compiled
// ---------------------------------

// The message of what is not as it was said; "" if all is.
static bool form_comes_true(const Recipe *recipe, int form, DevCut cut, SimSched sched, LsErr *err) {
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup(recipe->name);
  request.recipe = recipe;
  request.cut = cut;
  request.record = false;
  request.sched = sched;
  recipe_form_values(recipe, form, &request.values);
  ProgramRun *program = recipe->sequence ? program_run_new(&request, NULL, err) : NULL;
  Run *run = recipe->sequence ? NULL : run_new(&request, NULL, err);
  bool ok = program ? expectation_is_met_by(program, err) : run && expectation_is_met(run, err);
  run_request_fini(&request);
  if (program) program_run_close(program);
  if (run) run_free(run);
  return ok;
}

static void forms_come_true(void) {
  int forms = 0;
  for (int i = 0; i < book->kernels(book); i++) {
    const Recipe *recipe = book->get(book, book->name(book, i), NULL);
    forms += recipe_has_forms(recipe) ? recipe->form_count : 0;
    for (int k = 0; k < recipe->form_count; k++)
      for (int cut = DEV_COMPILED; cut <= DEV_WRITTEN; cut++) {
        LsErr err = {0};
        SimSched sched = recipe->forms[k].expect.on_stack ? SIM_STACK : SIM_ITS;
        bool ok = form_comes_true(recipe, k, (DevCut)cut, sched, &err);
        if (!ok) printf("\n%s, as %s\n", err.message, cut == DEV_WRITTEN ? "written" : "compiled");
        CHECK(ok);
      }
  }
  CHECK(forms >= 8);
}

// The same recipe with another `expect`: every way in which a run can differ from it is told.
typedef struct Wrong { const char *expect, *message; } Wrong;
static const Wrong wrongs[] = {
    {"{ verdict = 'wrong', faults = { 'race' } }", NULL},
    {"{ verdict = 'wrong' }", "form=bug: race was not expected: "},
    {"{ verdict = 'right', faults = { 'race' } }",
     "form=bug: expected a right result, and it is wrong: y[0] is 32, expected 0"},
    {"{ verdict = 'by chance', faults = { 'race', 'deadlock' } }", "form=bug: expected deadlock, which was not found"},
    {"{ verdict = 'wrong', faults = { 'race' }, findings = { 'bank_conflict' } }",
     "form=bug: expected the finding bank_conflict, which was not made"},
    {"{ verdict = 'wrong', faults = { 'race' }, coverage = { y = 2 } }",
     "form=bug: expected 2 written elements of y, and there are 1"},
    {"{ verdict = 'wrong', faults = { 'race' }, coverage = { z = 1 } }",
     "form=bug: expected written elements of z, which is no result of it"},
    {"{ verdict = 'wrong', faults = { 'race' }, line = 'y[0] = x' }", NULL},
    {"{ verdict = 'wrong', faults = { 'race' }, line = 'int x' }",
     "form=bug: expected it on the line with \"int x\", and it is on none with that"},
    {"{ verdict = 'wrong', faults = { 'race' }, unless = function(p) return p.form == 'bug' end }",
     "form=bug: expected a right result, and it is wrong: y[0] is 32, expected 0; race was not expected: "},
    {"{ verdict = 'wrong', faults = { 'race' }, sched = 'stack' }",   // which the run has not
     "form=bug: expected a right result, and it is wrong: y[0] is 32, expected 0; race was not expected: "},
};

static const char recipe_text[] =
    "return {\n  name = 'x', id = 'K00', title = 'T', about = 'A', topic = 'basics', lessons = {},\n"
    "  source = 'x.ptx', kernel = 'k', params = {},\n"
    "  forms = { { name = 'right', kernel = 'one' },\n    { name = 'bug', expect = %s } },\n"
    "  launch = function(p) return { grid = { 2, 1, 1 }, block = { 1, 1, 1 }, args = {\n"
    "    { name = 'y', type = 'i32', count = 2, init = 'zero' } } } end,\n"
    "  check = function(p, run) return expect(run.output('y'), function(i) return 0 end) end,\n}\n";

static void write_in(const char *folder, const char *name, const char *text) {
  char *path = ls_path_join(folder, name);
  CHECK(ls_file_write(path, text, strlen(text), NULL));
  free(path);
}

static const char kernel_text[] =
    ".version 6.4\n.target sm_75\n.address_size 64\n.file 1 \"x.cu\"\n"
    ".visible .entry k(.param .u64 y)\n{\n.reg .u64 %a;\n.reg .u32 %b;\n.loc 1 1 0\nld.param.u64 %a, [y];\n"
    "mov.u32 %b, %ctaid.x;\nadd.u32 %b, %b, 31;\n.loc 1 2 0\nst.u32 [%a], %b;\nret;\n}\n"
    ".visible .entry one(.param .u64 y)\n{\n.reg .u64 %a;\n.loc 1 1 0\nld.param.u64 %a, [y];\n.loc 1 2 0\n"
    "st.u32 [%a], 0;\nret;\n}\n";

static void wrong_expectations_are_told(void) {
  char folder[256];
  if (!check_folder(folder, sizeof folder)) return;
  write_in(folder, "x.cu", "int x;\ny[0] = x\n");
  write_in(folder, "x.ptx", kernel_text);
  for (int i = 0; i < LS_COUNT(wrongs); i++) {
    LsErr err = {0};
    char *text = ls_format(recipe_text, wrongs[i].expect);
    write_in(folder, "x.lua", text);
    RecipeBook *own = recipe_book_open(folder, NULL);
    const Recipe *recipe = own ? own->get(own, "x", &err) : NULL;
    bool ok = recipe && form_comes_true(recipe, 1, DEV_COMPILED, SIM_ITS, &err);
    if (ok != !wrongs[i].message || (!ok && !strstr(err.message, wrongs[i].message)))
      printf("\n%s: %s\n", wrongs[i].expect, err.message);
    CHECK(ok == !wrongs[i].message);
    CHECK(ok || strstr(err.message, wrongs[i].message) != NULL);
    if (own) own->free(own);
    free(text);
  }
  static const char *const files[] = {"x.cu", "x.ptx", "x.lua"};
  for (int i = 0; i < LS_COUNT(files); i++) {
    char *path = ls_path_join(folder, files[i]);
    remove(path);
    free(path);
  }
  remove(folder);
}

static void odd_sizes_are_right(void) {
  static const char *const sizes[][2] = {
      {"adj_diff_dynamic", "n=1 threads=1"}, {"adj_diff_dynamic", "n=333 threads=77"},
      {"adj_diff_naive", "n=1 threads=32"}, {"adj_diff_naive", "n=777 threads=64"},
      {"adj_diff_shared", "n=1 threads=32"}, {"adj_diff_shared", "n=333 threads=128"},
      {"bcast", "arg=-1000000"}, {"diverge_between_warps", "split=lanes threads=45 steps=0"},
      {"diverge_between_warps", "threads=1"}, {"diverge_if_else", "k=0"},
      {"diverge_if_else", "k=128 threads=1"}, {"diverge_example", "k=0"},
      {"data_steps", "data=sorted threads=32"}, {"data_steps", "data=one threads=1024"},
      {"diverge_example", "period=2 k=1 steps=0"}, {"wide_copy", "offset=3 n=4"},
      {"wide_copy", "type=float2 offset=6 n=1004 threads=32"}, {"share_out", "each=1 n=1"},
      {"share_out", "each=5 n=1001 threads=32"},
      {"diverge_if_else", "period=8 k=3 a_steps=0 b_steps=7 threads=45"},
      {"diverge_nested", "k=0 steps=0"}, {"diverge_nested", "k=31 steps=1 threads=33"},
      {"diverge_switch_n", "N=1"}, {"diverge_switch_n", "N=32 threads=100"},
      {"decrypt", "shift=25"}, {"decrypt", "shift=0 message=abcdefghijklmnopqrstuvwxyz"},
      {"encrypt_parallel", "shift=25 grid=lecture"}, {"encrypt_serial", "shift=25"}, {"global_max_naive", "n=1"},
      {"global_max_naive", "n=1001 order=rising threads=64"},
      {"gpu_sin", "steps=1 blocks=1 threads=1"},
      {"gpu_sin", "steps=999 terms=20 blocks=3 threads=77"},
      {"gpu_sin_block_major", "steps=1 threads=1"},
      {"gpu_sin_block_major", "steps=999 terms=20 threads=77"}, {"gpu_sin_if", "steps=1 threads=1"},
      {"gpu_sin_if", "steps=999 terms=20 threads=77"}, {"gpumult0", "Ay=1 Ax=1 Bx=1"},
      {"gpumult0", "Ay=17 Ax=33 Bx=45 bx=8 by=4"}, {"gputiled", "Ay=1 Ax=1 Bx=1"},
      {"gputiled", "Ay=17 Ax=33 Bx=45 TS=16"}, {"grid3d", "nx=1 ny=1 nz=1"},
      {"grid3d", "nx=33 ny=17 nz=5 bx=4 by=2 bz=3"}, {"grid3d_bits", "first=67108863 n=1 threads=1"},
      {"grid3d_bits", "first=0 n=777 threads=100"}, {"grid3d_linear", "nx=33 ny=17 nz=5 threads=77 blocks=3"},
      {"histogram", "n=1 buckets=1"},
      {"histogram", "n=1001 buckets=7 colors=cycle threads=64"},
      {"image_twice", "w=1 h=1"}, {"image_twice", "w=77 h=13 bx=5 by=3"},
      {"load_patterns", "pattern=offset offset=64"}, {"load_patterns", "pattern=same offset=0"},
      {"matmul_naive", "Width=1"}, {"matmul_naive", "Width=37 TILE_WIDTH=8"},
      {"matmul_tiled", "Width=1"}, {"matmul_tiled", "Width=45 TILE_WIDTH=16"},
      {"position_aos", "n=1"}, {"position_aos", "n=1000 threads=64"}, {"position_soa", "n=1"},
      {"position_soa", "n=1000 threads=64"}, {"race_add_5_1", "other=1023"}, {"race_add_5_1", "other=1024"},
      {"race_add_5_1", "other=1917"}, {"reduce0", "m=1"}, {"reduce0", "m=64"},
      {"reduce1", "N=1 blocks=1 threads=1"}, {"reduce1", "N=1000 blocks=3 threads=70"},
      {"reduce2", "N=1"}, {"reduce2", "N=1001 blocks=3 threads=32"}, {"reduce3", "N=1 threads=1"},
      {"reduce3", "N=1001 blocks=3 threads=77"}, {"reduce4", "N=1 threads=300"},
      {"reduce4", "N=5001 blocks=3 threads=512"},
      {"block_sum_shuffle", "warps=1"}, {"block_sum_shuffle", "warps=32 blocks=3"}, {"cg_coalesced", "n=1 threads=32"},
      {"cg_coalesced", "n=1025 threads=96"}, {"cg_tiles", "size=16 warps=5"}, {"divergent_barrier", "n=1 threads=33"},
      {"divergent_barrier", "n=256 threads=256 blocks=3"}, {"mask_rule", "lanes=4"}, {"mask_rule", "lanes=32"},
      {"reduce_host", "N=1 blocks=1"}, {"reduce_host", "data=ones N=1001 blocks=7"}, {"reduce_sync", "op=min n=33"},
      {"reduce_sync", "op=xor n=1 warps=1"}, {"warp_rank", "first=1"}, {"warp_rank", "first=999999"},
      {"shared_stride", "s=0 baseIndex=31"}, {"stride_walk", "first=32 last=32"}, {"stride_walk", "last=32"},
      {"shared_stride", "s=33 baseIndex=31"}, {"shfl_variants", "kind=down arg=31 width=1"},
      {"shfl_variants", "kind=idx arg=13 width=8"}, {"shfl_variants", "kind=up arg=5 width=8"},
      {"shfl_variants", "kind=xor arg=17 width=8"}, {"shfl_variants", "kind=xor arg=5 width=4"},
      {"syncwarp_exchange", "distance=0"}, {"syncwarp_exchange", "distance=31"},
      {"transpose_32x32", "n=32 type=double"}, {"transpose_32x33", "n=32 type=double"},
      {"vec_add", "n=1 threads=32"}, {"vec_add", "n=1025"}, {"visits", "steps=1 blocks=9 threads=1"},
      {"visits", "steps=999 blocks=3 threads=77"}, {"vote_match", "period=1 k=1 keys=32"},
      {"vote_match", "period=2 k=1 keys=5"}, {"vote_match", "period=32 k=0 keys=1"},
      {"cas_semantics", "threads=1024 blocks=2"}, {"cas_semantics", "op=float threads=77 blocks=3"},
      {"global_max_regions", "n=1 num_regions=1024"}, {"global_max_regions", "n=1001 num_regions=7 order=rising"},
      {"global_max_warp", "n=1"}, {"global_max_warp", "n=1001 order=falling threads=64"}, {"global_sync", "n=1"},
      {"global_sync", "n=100001"}, {"histogram_match", "n=1 buckets=1"},
      {"histogram_match", "n=1001 buckets=7 colors=cycle threads=64"}, {"histogram_private", "n=1 buckets=1024"},
      {"histogram_private", "n=1001 buckets=7 colors=cycle threads=64"}, {"keep_even", "n=1"}, {"keep_even", "n=2049"},
      {"oob_access", "n=1"}, {"oob_access", "n=10"}, {"oob_access", "n=11"}, {"workqueue", "threads=1 queue_max=1"},
      {"workqueue", "threads=1024 queue_max=77"}, {"workqueue", "threads=7 queue_max=1000"},
      {"warp_lock", "threads=1"}, {"warp_lock", "threads=100"}, {"warp_map_40x2", "bx=1 by=1"},
      {"warp_map_40x2", "bx=1024 by=1"}, {"warp_map_40x2", "bx=7 by=146"},
  };
  for (int i = 0; i < LS_COUNT(sizes); i++) both_cuts(sizes[i][0], sizes[i][1]);
}

static char *source_path(const char *name) { return ls_format("%s/%s", LS_SOURCE_DIR, name); }

static PtxModule *parse_file(const char *name) {
  char *path = source_path(name);
  size_t length = 0;
  char *text = ls_file_read(path, 1 << 24, &length, NULL);
  PtxModule *module = text ? ptx_parse(path, text, length, NULL) : NULL;
  free(text);
  free(path);
  return module;
}

// Names are the -G cut's. What was given by them runs again on the compiled cut alone, as a trace keeps it.
static void names_become_positions(void) {
  LsErr err = {0};
  Launch launch;
  PtxModule *compiled = parse_file("assets/ptx/vec_add.ptx"), *written = parse_file("assets/ptx/vec_add.g.ptx");
  CHECK(compiled != NULL && written != NULL);
  if (!compiled || !written) return;
  launch_init(&launch);
  static const char *const args[] = {"n=100", "C_d=f32[128]=zero", "A_d=f32[128]=iota", "B_d=f32[128]=const:2"};
  for (int i = 0; i < LS_COUNT(args); i++) CHECK(launch_add_arg(&launch, args[i], &err));
  launch.block[0] = 128;
  CHECK(launch_settle(compiled, 0, &launch, NULL, &err));   // it has no such names: nothing changes
  CHECK(launch.args[0].by_name && launch.args[0].text);
  CHECK(launch_settle(written, 0, &launch, NULL, NULL));
  for (int i = 0; i < launch.arg_count; i++) CHECK(!launch.args[i].by_name && !launch.args[i].text);
  SimOptions options;
  sim_options_init(&options);
  Sim *sim = sim_new(compiled, 0, &launch, &options, &err);
  if (!sim) printf("\n%s\n", err.message);
  CHECK(sim != NULL && sim_run(sim, NULL, &err));
  for (int i = 0; sim && i < launch.arg_count; i++) {
    uint64_t size = 0;
    const uint8_t *bytes = sim_buffer(sim, i, &size);
    if (!bytes || strcmp(launch.args[i].name, "C_d") != 0) continue;
    for (int k = 0; k < 128; k++) CHECK(((const float *)(const void *)bytes)[k] == (k < 100 ? (float)k + 2 : 0));
  }
  sim_free(sim);
  launch_fini(&launch);
  ptx_module_free(compiled);
  ptx_module_free(written);
}

// Names that are wrong, missing or twice there are left for the message of whoever binds them.
static void wrong_names_stay(void) {
  static const char *const wrong[][4] = {
      {"n=100", "A_d=f32[128]=iota", "B_d=f32[128]=iota", "Q_d=f32[128]=zero"},
      {"n=100000000000000000", "A_d=f32[128]=iota", "B_d=f32[128]=iota", "C_d=f32[128]=zero"},
      {"n=100", "A_d=f32[128]=iota", "B_d=f32[128]=iota", "f32[128]=zero"},
  };
  PtxModule *written = parse_file("assets/ptx/vec_add.g.ptx");
  for (int w = 0; written && w < LS_COUNT(wrong); w++) {
    Launch launch;
    launch_init(&launch);
    for (int i = 0; i < 4; i++) CHECK(launch_add_arg(&launch, wrong[w][i], NULL));
    CHECK(launch_settle(written, 0, &launch, NULL, NULL));
    CHECK(launch.args[0].by_name && strcmp(launch.args[0].name, "n") == 0);
    launch_fini(&launch);
  }
  ptx_module_free(written);
}

static const Check checks[] = {
    {"defaults are right", defaults_are_right},
    {"choices are right", choices_are_right},
    {"forms come true", forms_come_true},
    {"wrong expectations are told", wrong_expectations_are_told},
    {"odd sizes are right", odd_sizes_are_right},
    {"names become positions", names_become_positions},
    {"wrong names stay", wrong_names_stay},
};

int main(int argc, char **argv) {
  return check_main_with_recipes("recipes_run", checks, LS_COUNT(checks), argc, argv, &book);
}
