// test_gpu_run.c: runs that a GPU made (here made up by fake_gpu.c), opened, counted, shown.
#include <sys/stat.h>
#include <unistd.h>

#include "app/difference.h"
#include "app/recordings.h"
#include "app/session.h"
#include "app/timing.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "check_recipes.h"
#include "fake_gpu.h"

static RecipeBook *book;

static char *temporary(void) {
  char *path = ls_strdup("test_gpu_run_XXXXXX");
  close(mkstemp(path));
  return path;
}

static Run *open_fake(const char *name, const char *values, DevCut cut, const FakeGpu *fake, const char *blocks) {
  LsErr err = {0};
  RunRequest request;
  char *path = temporary();
  bool ok = fake_gpu_request(book, name, values, cut, &request, &err);
  request.blocks = blocks ? ls_strdup(blocks) : NULL;
  ok = ok && fake_gpu_trace(&request, fake, path, NULL, NULL, &err);
  Run *run = ok ? run_open(path, &err) : NULL;
  if (!run) printf("\n%s: %s\n", name, err.message);
  CHECK(run != NULL);
  run_request_fini(&request);
  unlink(path);
  free(path);
  return run;
}

static Run *run_emulator(const char *name, const char *values, DevCut cut) {
  LsErr err = {0};
  RunRequest request;
  CHECK(fake_gpu_request(book, name, values, cut, &request, &err));
  request.record = false;
  Run *run = run_new(&request, NULL, &err);
  CHECK(run != NULL);
  run_request_fini(&request);
  return run;
}

// ---- counters ------------------------------------------------------------------------------------------------------

static void same_counters(const char *name, DevCut cut) {
  Run *gpu = open_fake(name, "", cut, &(FakeGpu){0}, "0"), *emulator = run_emulator(name, "", cut);
  const CounterSet *a = counters_total(gpu->counters), *b = counters_total(emulator->counters);
  for (int i = 0; i < COUNTER_COUNT; i++) {
    if (a->value[i] != b->value[i])
      printf("\n%s: %s: %llu, not %llu\n", name, counter_def((CounterId)i)->name, (unsigned long long)a->value[i],
             (unsigned long long)b->value[i]);
    CHECK(a->value[i] == b->value[i]);
  }
  for (int pc = 0; pc < gpu->module->code_count; pc++)
    CHECK(memcmp(counters_at(gpu->counters, pc), counters_at(emulator->counters, pc), sizeof(CounterSet)) == 0);
  run_free(gpu);
  run_free(emulator);
}

// What the device counted over the whole grid stands for every access of it, although one block alone is recorded.
static void counts_are_the_whole_grid(void) {
  for (int i = 0; i < book->count(book); i++) {
    same_counters(book->name(book, i), DEV_COMPILED);
    if (i % 4 == 0) same_counters(book->name(book, i), DEV_WRITTEN);
  }
}

// ---- time ----------------------------------------------------------------------------------------------------------

static bool near(double a, double b) { return a > b * 0.9999 && a < b * 1.0001; }

static void rates_beside_the_limits(void) {
  Run *run = open_fake("vec_add", "n=65536 threads=256", DEV_COMPILED, &(FakeGpu){.lost_events = 3}, "0");
  Timing t;
  timing_of(run, &t);
  CHECK(t.measure != NULL && t.limits == arch_find("h200"));
  CHECK_INT(t.bytes, 3 * 65536 * 4);              // two loads and a store of four bytes each
  CHECK_INT(rate_flops_sum(&t.flops), 65536);     // an addition
  CHECK(near(t.rate.gbs, 3.0 * 65536 * 4 / (double)t.measure->median_ns));
  CHECK(near(t.rate.of_bandwidth, t.rate.gbs / 4800));
  CHECK(near(t.slowdown, 7));
  CHECK(t.has_occupancy && t.occupancy.warps == 64 && t.occupancy.limit == OCC_WARPS);   // 24 registers, 1 KB: 8 blocks of 8 warps
  CHECK_INT(t.measure->lost_events, 3);
  run_free(run);
  run = run_emulator("vec_add", "", DEV_COMPILED);
  timing_of(run, &t);
  CHECK(t.measure == NULL && t.bytes == 0);
  run_free(run);
}

// ---- values --------------------------------------------------------------------------------------------------------

// The step of the emulator's own run at which the warp has made as many events as in the other run.
static uint64_t emulated_step(Run *run, uint32_t block, int warp, uint64_t count) {
  int blocks;
  const TraceBlock *all = trace_blocks(run->trace, &blocks);
  for (int i = 0; i < blocks; i++) {
    for (uint64_t step = all[i].first; all[i].block == block && step < all[i].first + all[i].count; step++) {
      TraceEvent event;
      if (trace_event(run->trace, step, &event, NULL) && event.warp == warp && --count == 0) return step;
    }
  }
  return UINT64_MAX;
}

static bool same_variables(const Scene *a, const Scene *b) {
  if (a->var_count != b->var_count || a->values_known != b->values_known) return false;
  for (int i = 0; i < a->var_count; i++) {
    const SceneVar *one = &a->vars[i], *other = &b->vars[i];
    if (strcmp(one->name, other->name) != 0 || one->valid != other->valid || one->in_scope != other->in_scope) return false;
    for (int lane = 0; lane < 32; lane++)
      if (one->valid >> lane & 1 && one->kind != PTX_DW_POINTER && one->bits[lane] != other->bits[lane]) return false;
  }
  return true;
}

static void same_values(const char *name, const char *values, const char *blocks) {
  LsErr err = {0};
  RunRequest request;
  Run *gpu_run = open_fake(name, values, DEV_WRITTEN, &(FakeGpu){0}, blocks);
  CHECK(fake_gpu_request(book, name, values, DEV_WRITTEN, &request, &err));
  request.blocks = ls_strdup(blocks);
  Run *own_run = run_new(&request, NULL, &err);
  run_request_fini(&request);
  CHECK(gpu_run && own_run);
  if (!gpu_run || !own_run) return;
  Session *gpu = ses_new(gpu_run), *own = ses_new(own_run);
  int wrong = 0, known = 0;
  for (uint64_t step = 0; step < gpu->steps; step += 7) {
    ses_command(gpu, &(Command){.id = CMD_GOTO, .arg = (int64_t)step});
    const Scene *scene = ses_scene(gpu);
    int warp = scene->event.warp;
    uint64_t there = emulated_step(own_run, scene->event.block, warp, scene->warps[warp].events);
    ses_command(own, &(Command){.id = CMD_GOTO, .arg = (int64_t)there});
    wrong += !same_variables(scene, ses_scene(own));
    known += scene->values_known && scene->var_count > 0;
  }
  CHECK_INT(wrong, 0);
  CHECK(known > 10);
  ses_free(gpu);
  ses_free(own);
}

// The warps of a GPU take other turns; what a warp's variables hold after its n-th event is the same.
static void values_are_the_emulators(void) {
  same_values("reduce2", "N=2048 blocks=2 threads=128", "1");
  same_values("diverge_nested", "", "0");
  same_values("transpose_32x33", "", "0");
}

// A warp that does something else on the GPU: its values are known up to there, and then they are said not to be.
static void values_are_not_made_up(void) {
  Session *session = ses_new(open_fake("reduce2", "N=2048 blocks=2 threads=128", DEV_WRITTEN, &(FakeGpu){.goes_astray = true}, "1"));
  ses_command(session, &(Command){.id = CMD_SET_WARP, .arg = 0});
  int known = 0, unknown = 0;
  for (uint64_t step = 0; step < session->steps; step += 3) {
    ses_command(session, &(Command){.id = CMD_GOTO, .arg = (int64_t)step});
    const Scene *scene = ses_scene(session);
    bool before = scene->warps[0].events <= 20;
    CHECK(scene->values_known == before);
    if (before) known++;
    else if (unknown++ == 0) {
      CHECK(strstr(scene->why_not, "went another way than warp 0") && strstr(scene->why_not, "event 21"));
      CHECK(!scene->has_values || scene->event.flags & TRACE_VALUES || scene->event.warp != 0);
    }
  }
  CHECK(known > 3 && unknown > 100);
  ses_command(session, &(Command){.id = CMD_SET_WARP, .arg = 1});
  CHECK(ses_scene(session)->values_known);
  ses_free(session);
}

// Memory too is the emulator's; its objects lie elsewhere, and are found by name.
static void memory_is_the_emulators(void) {
  Session *session = ses_new(open_fake("reduce2", "N=2048 blocks=2 threads=128", DEV_WRITTEN, &(FakeGpu){.elsewhere = true}, "1"));
  ses_command(session, &(Command){.id = CMD_LAST});
  const Scene *scene = ses_scene(session);
  int seen = 0;
  for (int i = 0; i < scene->array_count; i++) {
    uint64_t bits[4];
    uint8_t init[4];
    if (strcmp(scene->arrays[i].name, "x") != 0) continue;
    CHECK_INT(ses_array_read(session, &scene->arrays[i], 100, 4, bits, init), 4);
    LsMt random;
    ls_mt_seed(&random, 12345678);
    for (int k = 0; k < 104; k++) {
      float value = ls_mt_f32(&random), got;
      if (k < 100) continue;
      memcpy(&got, &bits[k - 100], sizeof got);
      CHECK(got == value && init[k - 100]);
      seen++;
    }
  }
  CHECK_INT(seen, 4);
  ses_free(session);
}

// ---- waves -----------------------------------------------------------------------------------------------------------

// An assembler that says so many registers of every kernel, once; 0: one that fails.
static void stand_in_for_ptxas(const char *folder, int registers) {
  char *path = ls_path_join(folder, "ptxas");
  char *text = registers ? ls_format("#!/bin/sh\necho 'ptxas info    : Used %d registers, used 1 barriers'\n", registers)
                         : ls_strdup("#!/bin/sh\necho 'ptxas fatal: no'\nexit 255\n");
  CHECK(ls_file_write(path, text, strlen(text), NULL));
  chmod(path, 0755);
  free(text);
  free(path);
}

static void chart_with(int registers, int slots, const char *words) {
  Session *session = ses_new(run_emulator("reduce2", "", DEV_COMPILED));
  LsText text = {0};
  stand_in_for_ptxas(getenv("XDG_CACHE_HOME"), registers);
  CHECK_INT(ses_wave_chart(session)->slots, slots);
  ses_waves_words(session, &text);
  if (!strstr(ls_text_str(&text), words)) printf("\n%s\n", ls_text_str(&text));
  CHECK(strstr(ls_text_str(&text), words) != NULL);
  ls_text_free(&text);
  ses_free(session);
}

// Blocks of 256 threads: eight fill an SM of 2048; with 128 registers a thread its 65536 are enough for two.
static void computed_waves_count_registers(void) {
  char folder[256], *path = ls_strdup(getenv("PATH"));
  CHECK(check_folder(folder, sizeof folder));
  setenv("XDG_CACHE_HOME", folder, 1);
  setenv("PATH", folder, 1);
  chart_with(0, 8, "Registers are not known, and not counted.");
  chart_with(128, 2, "2 at once on each. ");
  chart_with(16, 2, "128 registers a thread, as ptxas compiles it for sm_90.");   // kept from the time before
  setenv("PATH", path, 1);
  char *clean = ls_format("rm -r %s", folder);
  CHECK_INT(system(clean), 0);
  unsetenv("XDG_CACHE_HOME");
  free(clean);
  free(path);
  Session *gpu = ses_new(open_fake("reduce2", "", DEV_COMPILED, &(FakeGpu){.no_times = true}, "0"));
  LsText text = {0};
  ses_waves_words(gpu, &text);
  CHECK(strstr(ls_text_str(&text), "24 registers a thread, as the driver compiled it.") != NULL);
  ls_text_free(&text);
  ses_free(gpu);
}

// A trace from before profiles went along, of a machine whose GPU no table has.
static void a_profile_that_is_lost_is_told(void) {
  Session *session = ses_new(open_fake("reduce2", "", DEV_COMPILED, &(FakeGpu){.device = "emu", .profile = "gpu"}, "0"));
  CHECK_STR(session->message, "the profile 'gpu' of this trace is of the machine that made it, and not known here: what is computed is for H200");
  CHECK(run_profile(session->run) == arch_find("h200"));
  ses_free(session);
}

// ---- differences ---------------------------------------------------------------------------------------------------

static Run *run_again(const Run *run, const char *device) {
  LsErr err = {0};
  RunRequest request;
  run_request_copy(&request, &run->request);
  free(request.device);
  request.device = ls_strdup(device);
  Run *again = run_new(&request, NULL, &err);
  if (!again) printf("\n%s\n", err.message);
  run_request_fini(&request);
  return again;
}

// A saved trace of a GPU beside the emulator, which runs the kernel that stands in the trace.
static void same_as_the_emulator(const char *name, const char *values, const FakeGpu *fake, Difference *out) {
  char *path = temporary();
  LsErr err = {0};
  RunRequest request;
  CHECK(fake_gpu_request(book, name, values, DEV_COMPILED, &request, &err) &&
        fake_gpu_trace(&request, fake, path, NULL, NULL, &err));
  Run *gpu = run_open(path, &err), *emulator = gpu ? run_again(gpu, "emu") : NULL;
  CHECK(gpu && emulator);
  if (gpu && emulator) difference_of(gpu, emulator, 0, out);
  if (emulator) CHECK(run_is_emulated(emulator) && strcmp(emulator->info.title, name) == 0 && emulator->info.source_count > 0);
  run_free(gpu);
  run_free(emulator);
  run_request_fini(&request);
  unlink(path);
  free(path);
}

static void differences(void) {
  Difference d;
  same_as_the_emulator("reduce2", "", &(FakeGpu){.elsewhere = true}, &d);
  CHECK(d.same_code && d.block_known && !d.cut_short && d.line_count == 0 && d.differing == 0);
  CHECK(d.events > 500 && d.warp_count == 8);
  same_as_the_emulator("reduce2", "", &(FakeGpu){.goes_astray = true}, &d);
  CHECK(d.same_code && d.differing == 1 && d.warps[0].differs && d.warps[0].event == 21);
  CHECK(d.warps[0].left_pc == d.warps[0].right_pc && d.line_count == 0);
  same_as_the_emulator("reduce2", "", &(FakeGpu){.miscounts = 18}, &d);
  CHECK(d.same_code && d.differing == 0 && d.line_count == 1);
  CHECK(d.lines[0].line == 18 && d.lines[0].counter == COUNTER_SHARED_LOAD_BANK_CONFLICTS);
  CHECK(d.lines[0].left > 0 && d.lines[0].right == 0);
  Run *a = run_emulator("reduce2", "", DEV_COMPILED), *b = run_emulator("reduce2", "", DEV_WRITTEN);
  Run *c = run_emulator("reduce2", "blocks=2", DEV_COMPILED);
  difference_of(a, b, 0, &d);
  CHECK(!d.same_code);
  difference_of(a, c, 0, &d);
  CHECK(!d.same_code);
  difference_of(a, a, 0, &d);
  CHECK(d.same_code && !d.block_known && d.line_count == 0);
  run_free(a);
  run_free(b);
  run_free(c);
}

// ---- recordings ----------------------------------------------------------------------------------------------------

static void record(const char *folder, const char *name, const char *values, DevCut cut, const char *file) {
  LsErr err = {0};
  RunRequest request;
  char *path = ls_format("%s/assets/recordings/%s", folder, file);
  CHECK(fake_gpu_request(book, name, values, cut, &request, &err));
  CHECK(fake_gpu_trace(&request, &(FakeGpu){.date = "2026-02-03"}, path, NULL, NULL, &err));
  run_request_fini(&request);
  free(path);
}

static Run *open_recorded(const char *name, const char *values, DevCut cut, bool given, LsErr *err) {
  RunRequest request;
  CHECK(fake_gpu_request(book, name, values, cut, &request, err));
  request.cut_given = given;
  free(request.device);
  request.device = ls_strdup("recorded");
  Run *run = run_new(&request, NULL, err);
  run_request_fini(&request);
  return run;
}

static void what_is_recorded_opens(void) {
  LsErr err = {0};
  LsText where = {0};
  CHECK(dev_find("recorded", &err) != NULL);
  Run *run = open_recorded("reduce2", "", DEV_COMPILED, true, &err);
  CHECK(run && strcmp(run->info.device, "recorded") == 0 && strcmp(run->info.code, "compiled") == 0);
  if (!run) return;
  CHECK_STR(run_how(run), "recorded");
  run_where(run, RUN_IN_FULL, &where);
  CHECK_STR(ls_text_str(&where), "recorded on NVIDIA H200, 2026-02-03, driver 580.95 (CUDA 13.0)");
  ls_text_free(&where);
  Session *session = ses_new(run);   // its parameters can be changed: to what else is recorded
  ses_command(session, &(Command){.id = CMD_LINE_COMMAND});
  CHECK(session->mode == SES_COMMAND_LINE);
  ses_free(session);
  run = open_recorded("reduce2", "N=512", DEV_WRITTEN, false, &err);   // there is only the other cut
  CHECK(run && strcmp(run->info.code, "compiled") == 0 && run->request.cut == DEV_COMPILED);
  run_free(run);
}

static void what_is_not_recorded_is_told(void) {
  LsErr err = {0};
  CHECK(!open_recorded("reduce2", "N=77", DEV_COMPILED, false, &err));
  CHECK_INT(err.kind, LS_EREQUEST);
  CHECK(ls_starts_with(err.message, "reduce2 is not recorded with N=77 blocks=4 threads=256; its recordings are\n"
                       "  N=4096 blocks=4 threads=256, as compiled, on NVIDIA H200, 2026-02-03\n"
                       "  N=512 blocks=4 threads=256, as compiled, on NVIDIA H200, 2026-02-03\n"));
  CHECK(strstr(err.message, "reduce2.broken.lst is not a trace") != NULL);   // what cannot be read might have been it
  err = (LsErr){0};
  CHECK(!open_recorded("reduce2", "N=512", DEV_WRITTEN, true, &err));
  CHECK(ls_starts_with(err.message, "reduce2 is not recorded with N=512 blocks=4 threads=256, as written; its recordings are\n"));
  err = (LsErr){0};
  CHECK(!open_recorded("scan4", "", DEV_COMPILED, false, &err));
  CHECK_STR(err.message, "there is no recording of scan4; there are recordings of reduce2, vec_add");
  CHECK_INT(err.kind, LS_EENV);
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup("mine.cu");
  CHECK(!recording_find(&request, &err));
  CHECK_STR(err.message, "only lecture kernels have recordings; mine.cu is a file: play it if it is a trace");
  run_request_fini(&request);
}

// Cuts a file off, or changes a byte of it; *path is the file, the old contents are the caller's to put back.
static char *spoil(const char *path, size_t *size, bool cut) {
  char *whole = ls_file_read(path, 1 << 20, size, NULL), *spoiled = ls_alloc(*size + 1);
  memcpy(spoiled, whole, *size);
  spoiled[*size / 2] ^= 1;
  CHECK(ls_file_write(path, spoiled, cut ? *size / 2 : *size, NULL));
  free(spoiled);
  return whole;
}

static void damage_is_told(const char *below) {
  LsErr err = {0};
  size_t size;
  char *path = ls_path_join(below, "vec_add.written.lst"), *whole = spoil(path, &size, true);
  CHECK(!open_recorded("vec_add", "", DEV_WRITTEN, true, &err));
  CHECK(ls_starts_with(err.message, "no recording of vec_add can be read\n") && strstr(err.message, "cut off"));
  CHECK(ls_file_write(path, whole, size, NULL));
  free(whole);
  whole = spoil(path, &size, false);
  CHECK(!open_recorded("vec_add", "", DEV_WRITTEN, true, &err));
  CHECK_INT(err.kind, LS_EFORMAT);
  CHECK(strstr(err.message, "vec_add.written.lst is damaged") || strstr(err.message, "no recording of vec_add can be read"));
  CHECK(ls_file_write(path, whole, size, NULL));
  free(whole);
  free(path);
}

static void an_older_kernel_is_told(const char *folder) {
  LsErr err = {0};
  LsText where = {0};
  Recordings all;
  char *ptx = ls_path_join(folder, "assets/ptx"), *file = ls_path_join(ptx, "reduce2.ptx");
  CHECK(unlink(ptx) == 0 && ls_make_dirs(ptx, NULL) && ls_file_write(file, "// another one", 14, NULL));
  Run *run = open_recorded("reduce2", "", DEV_COMPILED, true, &err);
  CHECK(run && run->is_outdated);
  if (run) run_where(run, RUN_IN_BRIEF, &where);
  CHECK_STR(ls_text_str(&where), "recorded on NVIDIA H200, of an older kernel");
  run_free(run);
  recordings_of("reduce2", &all);
  ls_text_clear(&where);
  recording_words(&all.items[0], &where);
  CHECK_STR(ls_text_str(&where), "N=4096 blocks=4 threads=256, as compiled, on NVIDIA H200, 2026-02-03, of an older kernel");
  recordings_fini(&all);
  ls_text_free(&where);
  free(file);
  free(ptx);
}

static void recordings(void) {
  char folder[256];
  CHECK(check_folder(folder, sizeof folder));
  char *below = ls_path_join(folder, "assets/recordings"), *odd = ls_path_join(below, "reduce2.broken.lst");
  CHECK(ls_make_dirs(below, NULL));
  static const char from[] = LS_SOURCE_DIR;
  char *links = ls_format("ln -s %s/kernels %s/lua %s && ln -s %s/assets/ptx %s/assets", from, from, folder, from, folder);
  CHECK_INT(system(links), 0);
  free(links);
  setenv("LANESCOPE_DATA", folder, 1);
  CHECK(!dev_find("recorded", NULL) || dev_find("recorded", NULL)->available(NULL));
  record(folder, "reduce2", "", DEV_COMPILED, "reduce2.compiled.lst");
  record(folder, "reduce2", "N=512", DEV_COMPILED, "reduce2.lecture.lst");
  record(folder, "vec_add", "", DEV_WRITTEN, "vec_add.written.lst");
  CHECK(ls_file_write(odd, "nonsense", 8, NULL));
  CHECK(recordings_has("reduce2") && recordings_has("vec_add") && !recordings_has("reduce") && !recordings_has("scan4"));
  what_is_recorded_opens();
  what_is_not_recorded_is_told();
  damage_is_told(below);
  an_older_kernel_is_told(folder);
  char *clean = ls_format("rm -r %s", folder);
  CHECK_INT(system(clean), 0);
  unsetenv("LANESCOPE_DATA");
  free(clean);
  free(odd);
  free(below);
}

static const Check checks[] = {
    {"counts are of the whole grid", counts_are_the_whole_grid},
    {"rates beside the limits", rates_beside_the_limits},
    {"values are the emulator's", values_are_the_emulators},
    {"computed waves count registers", computed_waves_count_registers},
    {"a profile that is lost is told", a_profile_that_is_lost_is_told},
    {"differences", differences},
    {"recordings", recordings},
    {"values are not made up", values_are_not_made_up},
    {"memory is the emulator's", memory_is_the_emulators},
};

int main(int argc, char **argv) {
  return check_main_with_recipes("gpu_run", checks, LS_COUNT(checks), argc, argv, &book);
}
