// test_cuda_trace.c: the whole path of a GPU run without a GPU: instrumented kernels, run on the driver library that stands in
// for NVIDIA's (tests/fake_cuda), tell what the emulator tells: counters, results, and each warp's events, for every recipe.
#include <unistd.h>

#include "base/file.h"
#include "check.h"
#include "counter_rows.h"
#include "device/device.h"
#include "gpu/ncu.h"
#include "gpu/recipes.h"
#include "gpu/traced.h"
#include "script/recipe.h"

static void told(const char *name, const Traced *t) {
  printf("\n%s: ", name);
  if (!t->ran || !t->emulated) printf("%s", t->err.message);
  if (t->counters_differ) printf("%llu of %llu counters differ, first %s; ", (unsigned long long)t->counters_differ,
                                 (unsigned long long)t->counters, t->first_counter);
  if (t->streams.first[0]) printf("%llu of %llu warps equal (%llu by lane), first %s; ", (unsigned long long)t->streams.equal,
                                  (unsigned long long)t->streams.warps, (unsigned long long)t->streams.equal_by_lane, t->streams.first);
  printf("%llu bytes of %llu not the emulator's, %llu not the plain run's, %llu events lost, %d faults\n",
         (unsigned long long)t->results_differ, (unsigned long long)t->results, (unsigned long long)t->measure.differing_bytes,
         (unsigned long long)t->measure.lost_events, t->faults);
}

static void check_launch(const char *name, const PtxModule *module, const char *entry, const Launch *launch, int blocks) {
  Traced traced;
  LsErr err = {0};
  int index = ptx_find_entry(module, entry, &err);
  traced_run(module, index, launch, &(TracedOptions){.blocks = blocks, .emulated = true}, &traced);
  if (!traced_agrees(&traced)) told(name, &traced);
  CHECK(traced_agrees(&traced));
  CHECK(traced.streams.events > 0 && traced.counters > 0);
}

static void check_recipe(const Recipe *recipe, bool written) {
  Batch batch;
  LsErr err = {0};
  bool ok = recipes_batch(&batch, recipe, written, &err);
  PtxModule *module = ok ? ptx_parse(recipe->name, ls_text_str(&batch.ptx), batch.ptx.length, &err) : NULL;
  if (!module) printf("\n%s: %s\n", recipe->name, err.message);
  CHECK(module != NULL);
  if (module && !launch_has_images(&batch.programs[0].launch))
    check_launch(batch.programs[0].name, module, batch.programs[0].entry, &batch.programs[0].launch, 4);
  ptx_module_free(module);
  batch_fini(&batch);
}

static void recipes_in_a_cut(bool written) {
  LsErr err = {0};
  RecipeBook *book = recipe_book_open(NULL, &err);
  CHECK(book != NULL);
  for (int i = 0; book && i < book->count(book); i++) {
    const Recipe *recipe = book->get(book, book->name(book, i), &err);
    CHECK(recipe != NULL);
    if (recipe) check_recipe(recipe, written);
  }
  if (book) book->free(book);
}

static void compiled_recipes_tell_the_same(void) { recipes_in_a_cut(false); }

static void written_recipes_tell_the_same(void) { recipes_in_a_cut(true); }

// The same counters that Nsight Compute read for these kernels.
static void measured_kernels_count_the_same(void) {
  CounterRows rows;
  LsErr err = {0};
  bool ok = counter_rows_read(&rows, &err);
  CHECK(ok);
  for (int i = 0; ok && i < rows.count; i++) {
    Traced traced;
    const CounterRow *row = &rows.rows[i];
    int entry = ptx_find_entry(rows.module, row->launch.kernel, &err);
    traced_run(rows.module, entry, &row->launch, &(TracedOptions){.blocks = 0}, &traced);
    CHECK(traced.ran);
    for (int k = 0; k < COUNTER_ROW_VALUES; k++) CHECK_INT(traced.gpu.value[row->id[k]], row->value[k]);
  }
  counter_rows_free(&rows);
}

// A kernel that stops with an error runs again with its records in memory of the host; the access that it was is among them.
static void faults_are_found(void) {
  static const struct { const char *what; FaultKind kind; const char *words; } faults[] = {
      {"i32=1", FAULT_OUT_OF_BOUNDS, "thread (0,0,0) of block (0,0,0) writes 4 bytes at 0x"},
      {"i32=2", FAULT_MISALIGNED, ", an address that is no multiple of 4; kernels.cu:46"},
      {"i32=3", FAULT_TRAP, "the kernel executed trap"}};
  size_t length;
  LsErr err = {0};
  char *text = ls_file_read(LS_SOURCE_DIR "/tests/fake_cuda/kernels.ptx", 1 << 20, &length, &err);
  PtxModule *module = text ? ptx_parse("kernels.ptx", text, length, &err) : NULL;
  CHECK(module != NULL);
  for (int i = 0; module && i < LS_COUNT(faults); i++) {
    Launch launch;
    TraceInfo info;
    TraceSink nobody = {0};
    SimOptions options;
    int count = 0;
    launch_init(&launch);
    trace_info_init(&info);
    sim_options_init(&options);
    CHECK(launch_add_arg(&launch, "f32[32]=zero", &err) && launch_add_arg(&launch, faults[i].what, &err));
    launch.block[0] = 32;
    DevRequest request = {.module = module, .entry = ptx_find_entry(module, "fail", &err), .launch = &launch, .options = &options};
    DevRun *run = dev_cuda_here.open(&request, &info, &err);
    CHECK(run && dev_cuda_here.run(run, &nobody, &err));
    const TraceFault *fault = run ? dev_cuda_here.faults(run, &count) : NULL;
    CHECK(count == 1 && fault->kind == faults[i].kind && strstr(fault->message, faults[i].words));
    bool is_access = faults[i].kind != FAULT_TRAP;
    CHECK(!is_access || (fault && fault->pc >= 0 && fault->thread == 0 && fault->size == 4 && fault->object == 0));
    CHECK(is_access || (fault && fault->pc == -1));
    CHECK(faults[i].kind != FAULT_OUT_OF_BOUNDS || (fault && fault->distance == 100000000ll * 4 - 32 * 4 && strstr(fault->message, "; kernels.cu:45")));
    dev_cuda_here.close(run);
    trace_info_fini(&info);
    launch_fini(&launch);
  }
  ptx_module_free(module);
  free(text);
}

// As ncu --csv --page raw prints it, around the words of the program that it watches.
static void tables_of_ncu_are_read(void) {
  static const char text[] =
      "==PROF== Connected to process 77\nNVIDIA H200\n"
      "\"ID\",\"Kernel Name\",\"Block Size\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\",\"smsp__sass_inst_executed_op_shared_ld.sum\"\n"
      "\"\",\"\",\"\",\"sector\",\"inst\"\n"
      "\"0\",\"say(\"\"x\"\", int)\",\"(256, 1, 1)\",\"12,345\",\"n/a\"\n"
      "==PROF== Disconnected\n"
      "\"1\",\"copy\",\"(32, 1, 1)\",\"64.0\",\"7\"\n";
  char folder[256];
  NcuTable table;
  LsErr err = {0};
  CHECK(check_folder(folder, sizeof folder));
  char *path = ls_path_join(folder, "ncu.csv");
  CHECK(ls_file_write(path, text, sizeof text - 1, &err) && ncu_read(path, &table, &err));
  CHECK_INT(table.count, 2);
  const NcuRow *rows = table.rows;
  CHECK(table.count == 2 && strcmp(rows[0].kernel, "say(\"x\", int)") == 0 && strcmp(rows[1].kernel, "copy") == 0);
  CHECK(rows[0].known[COUNTER_GLOBAL_LOAD_SECTORS] && rows[0].value.value[COUNTER_GLOBAL_LOAD_SECTORS] == 12345);
  CHECK(!rows[0].known[COUNTER_SHARED_LOAD_INSTRUCTIONS] && !rows[0].known[COUNTER_BARRIERS]);
  CHECK(rows[1].value.value[COUNTER_GLOBAL_LOAD_SECTORS] == 64 && rows[1].value.value[COUNTER_SHARED_LOAD_INSTRUCTIONS] == 7);
  ncu_free(&table);
  CHECK(ls_file_write(path, "nothing\n", 8, &err) && !ncu_read(path, &table, &err));
  CHECK_INT(err.kind, LS_EFORMAT);
  unlink(path);
  rmdir(folder);
  free(path);
}

static const Check checks[] = {
    {"tables of ncu are read", tables_of_ncu_are_read},
    {"compiled recipes tell the same", compiled_recipes_tell_the_same},
    {"written recipes tell the same", written_recipes_tell_the_same},
    {"faults are found", faults_are_found},
    {"measured kernels count the same", measured_kernels_count_the_same},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_CUDA_LIBRARY", LS_FAKE_CUDA, 1);
  setenv("FAKE_CUDA_MEMORY", "100000000", 1);     // a quarter of it is for records, and is cleared for every run
  return check_main("cuda trace", checks, LS_COUNT(checks), argc, argv);
}
