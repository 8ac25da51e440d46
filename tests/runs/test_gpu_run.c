// test_gpu_run.c: runs that a GPU made (here made up by fake_gpu.c), opened, counted, shown.
#include <sys/stat.h>
#include <unistd.h>

#include "app/session/compare/difference.h"
#include "app/run/recordings.h"
#include "app/session/session.h"
#include "app/run/timing.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "check_recipes.h"
#include "fake_gpu.h"
#include "ui/panels/panel.h"

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
  for (int i = 0; i < book->kernels(book); i++) {
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
  Session *session = ses_new(open_fake("reduce2", "N=2048 blocks=2 threads=128", DEV_WRITTEN, &(FakeGpu){.goes_astray = true},
                                       "1"));
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
  Session *session = ses_new(open_fake("reduce2", "", DEV_COMPILED, &(FakeGpu){.device = "emu", .profile = "gpu", .no_times = true},
                                       "0"));
  CHECK_STR(session->message,
            "the profile 'gpu' of this trace is of the machine that made it, and not known here: what is computed is for H200");
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

typedef struct Pair { Run *left, *right; Difference d; LsText words; } Pair;

// Nothing differs, as far as can be known.
static bool is_nothing(const Difference *d) {
  return d->same_code && d->done && !d->item_count && !d->line_count && !d->buffers_differing;
}

static void compare_pair(Pair *pair) {
  difference_begin(&pair->d, pair->left, pair->right);
  for (int slices = 0; difference_advance(&pair->d, pair->left, pair->right, 1e-9); slices++) CHECK(slices < 10000);
  if (pair->d.item_count) difference_words(pair->left, pair->right, &pair->d.items[0], &pair->words);
}

static void pair_free(Pair *pair) {
  difference_free(&pair->d);
  ls_text_free(&pair->words);
  run_free(pair->left);
  run_free(pair->right);
}

// A saved trace of a GPU beside the emulator, which runs the kernel that stands in the trace.
static void beside_the_emulator(const char *name, const FakeGpu *fake, Pair *pair) {
  char *path = temporary();
  LsErr err = {0};
  RunRequest request;
  *pair = (Pair){0};
  CHECK(fake_gpu_request(book, name, "", DEV_COMPILED, &request, &err) && fake_gpu_trace(&request, fake, path, NULL, NULL, &err));
  pair->left = run_open(path, &err);
  pair->right = pair->left ? run_again(pair->left, "emu") : NULL;
  CHECK(pair->right && run_is_emulated(pair->right) && strcmp(pair->right->info.title, name) == 0);
  if (pair->right) compare_pair(pair);
  run_request_fini(&request);
  unlink(path);
  free(path);
}

// The warps took other turns, and memory lies elsewhere: that is no difference.
static void other_turns_are_no_difference(void) {
  static const char *const kernels[] = {"reduce2", "warp_reduce", "histogram", "matmul_tiled", "scan4", "vote_match",
                                        "diverge_nested"};
  for (int i = 0; i < LS_COUNT(kernels); i++) {
    Pair p;
    beside_the_emulator(kernels[i], &(FakeGpu){.elsewhere = true}, &p);
    CHECK(is_nothing(&p.d) && p.d.same_code && !p.d.cut_short && p.d.blocks > 0 && p.d.compared == p.d.blocks);
    CHECK(p.d.events == trace_steps(p.right->trace) && p.d.buffer_count == 0);   // a saved trace has no buffers
    if (p.d.item_count) printf("\n%s: %s\n", kernels[i], ls_text_str(&p.words));
    pair_free(&p);
  }
}

// Diverged lanes that take other turns form other groups: lane by lane they do the same.
static void other_groups_are_no_difference(void) {
  LsErr err = {0};
  RunRequest request;
  Pair p = {0};
  CHECK(fake_gpu_request(book, "diverge_nested", "", DEV_WRITTEN, &request, &err));
  p.left = run_new(&request, NULL, &err);
  request.seed = 9;
  p.right = run_new(&request, NULL, &err);
  CHECK(p.left && p.right);
  if (p.left && p.right) compare_pair(&p);
  CHECK(is_nothing(&p.d) && p.d.regrouped > 0 && p.d.buffers_differing == 0 && p.d.buffer_count > 0);
  if (p.d.item_count) printf("\n%s\n", ls_text_str(&p.words));
  run_request_fini(&request);
  pair_free(&p);
}

static void differences_are_found(void) {
  Pair p;
  beside_the_emulator("reduce2", &(FakeGpu){.goes_astray = true}, &p);
  CHECK(p.d.item_count > 0 && p.d.counts[DIFFERENCE_LANES] == (uint64_t)p.d.item_count && p.d.line_count == 0);
  CHECK(p.d.items[0].event == 21 && p.d.items[0].warp == 0 && p.d.items[0].left_pc == p.d.items[0].right_pc);
  CHECK(strstr(ls_text_str(&p.words), "warp 0, event 21: 16 lanes do it here, 32 there: 0x0000ffff and 0xffffffff.") != NULL);
  CHECK(difference_at(&p.d, p.d.items[0].left) == 0 && difference_at(&p.d, 0) == -1);
  CHECK(difference_next(&p.d, 0, 1) == 0 && difference_next(&p.d, 0, -1) == -1);
  CHECK(difference_next(&p.d, p.d.items[1].left, -1) == 0 && difference_next(&p.d, UINT64_MAX - 1, 1) == -1);
  pair_free(&p);
  beside_the_emulator("reduce2", &(FakeGpu){.miscounts = 18}, &p);
  CHECK(p.d.item_count == 0 && p.d.line_count == 1 && !is_nothing(&p.d));
  CHECK(p.d.lines[0].line == 18 && p.d.lines[0].counter == COUNTER_SHARED_LOAD_BANK_CONFLICTS);
  CHECK(p.d.lines[0].left > 0 && p.d.lines[0].right == 0);
  pair_free(&p);
  beside_the_emulator("warp_reduce", &(FakeGpu){.rounds = true}, &p);
  CHECK(p.d.item_count == 1 && p.d.counts[DIFFERENCE_VALUE] == 1 && p.d.items[0].warp == 0);
  CHECK_STR(ls_text_str(&p.words), "warp 0, event 8: lane 3 gets 13 here, 12 there.");
  pair_free(&p);
}

static void other_code_is_not_compared(void) {
  Pair p = {.left = run_emulator("reduce2", "", DEV_COMPILED), .right = run_emulator("reduce2", "", DEV_WRITTEN)};
  compare_pair(&p);
  CHECK(!p.d.same_code && p.d.done && !is_nothing(&p.d));
  run_free(p.right);
  p.right = run_emulator("reduce2", "blocks=2", DEV_COMPILED);
  compare_pair(&p);
  CHECK(!p.d.same_code);
  run_free(p.right);
  p.right = run_emulator("reduce2", "", DEV_COMPILED);   // counters only: no events
  compare_pair(&p);
  CHECK(p.d.same_code && p.d.blocks == 0 && p.d.line_count == 0 && p.d.buffer_count == 2 && p.d.buffers_differing == 0);
  pair_free(&p);
}

// Every warp takes a slot and writes there; and each adds to a place of its own.
static const char pushing[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry push(.param .u64 n, .param .u64 out, .param .u64 own)\n{\n.reg .b64 %rd<9>;\n.reg .b32 %r<9>;\n"
    "ld.param.u64 %rd1, [n];\nld.param.u64 %rd2, [out];\nld.param.u64 %rd5, [own];\nmov.u32 %r2, %tid.x;\n"
    "mul.wide.u32 %rd6, %r2, 4;\nadd.s64 %rd7, %rd5, %rd6;\natom.global.add.u32 %r3, [%rd7], 5;\n"
    "atom.global.add.u32 %r1, [%rd1], 1;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"
    "st.global.u32 [%rd4], %r2;\nret;\n}\n";

static Run *run_pushing(uint64_t seed) {
  static const char *const args[] = {"u32[1]=zero", "u32[256]=zero", "u32[256]=iota"};
  LsErr err = {0};
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup("pushing.ptx");
  request.cut = DEV_COMPILED;
  request.seed = seed;
  request.order_given = true;   // each warp until it waits: the seed alone makes the difference
  request.launch.block[0] = 256;
  for (int i = 0; i < LS_COUNT(args); i++) CHECK(launch_add_arg(&request.launch, args[i], &err));
  Run *run = run_new(&request, NULL, &err);
  if (!run) printf("\n%s\n", err.message);
  CHECK(run != NULL);
  run_request_fini(&request);
  return run;
}

// What an atomic finds where several warps go depends on their order: told as that, and so is what follows from it.
static void order_is_told_as_order(void) {
  CHECK(ls_file_write("pushing.ptx", pushing, sizeof pushing - 1, NULL));
  Pair p = {.left = run_pushing(0), .right = run_pushing(11)};
  compare_pair(&p);
  CHECK(p.d.same_code && p.d.order > 0 && p.d.counts[DIFFERENCE_VALUE] == 0 && p.d.counts[DIFFERENCE_PLACE] > 0);
  CHECK(p.d.ordered == (uint64_t)p.d.item_count && p.d.buffers_differing == 1 && p.d.buffer_count == 3);
  CHECK(p.d.regrouped > 0 && p.d.counts[DIFFERENCE_LANES] == 0 && p.d.counts[DIFFERENCE_WAY] == 0);   // as this seed has it
  CHECK(strstr(ls_text_str(&p.words), "out[") || strstr(ls_text_str(&p.words), "argument 2["));
  CHECK(strstr(ls_text_str(&p.words), "the order of warps decides.") != NULL);
  LsText words = {0};
  difference_buffer_words(p.left, &p.d.buffers[1], &words);
  CHECK(strstr(ls_text_str(&words), " of 256 elements of ") && strstr(ls_text_str(&words), " here, ") &&
        strstr(ls_text_str(&words), " there"));
  ls_text_free(&words);
  pair_free(&p);
  p = (Pair){.left = run_pushing(11), .right = run_pushing(11)};
  compare_pair(&p);
  CHECK(is_nothing(&p.d) && p.d.order == 0 && p.d.events > 100);
  pair_free(&p);
  unlink("pushing.ptx");
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

static bool offers(Session *session, const char *words) {
  for (int i = 0; i < ses_compare_count(session); i++) if (strstr(ses_compare_choice(session, i), words)) return true;
  return false;
}

// The other recordings of the kernel can be put beside this one, or take its place.
static void choose_a_recording(Session *session) {
  CHECK(ses_make_choices(session));
  CHECK(offers(session, "recorded: form=right N=512 blocks=4 threads=256, as compiled, on NVIDIA H200"));
  CHECK(!offers(session, "recorded: form=right N=4096"));   // it is shown
  ses_command(session, &(Command){.id = CMD_SET_PARAM, .text = "recording=9"});
  CHECK(!session->want_rerun);
  CHECK(strstr(session->message, "1: form=right N=4096 blocks=4 threads=256, as compiled, on NVIDIA H200, 2026-02-03; "
               "2: form=right N=512") != NULL);
  ses_command(session, &(Command){.id = CMD_SET_PARAM, .text = "recording=2"});
  CHECK(session->want_rerun);
  CHECK_STR(session->next.device, "recorded");
  CHECK_INT(session->next.values.value[1], 512);
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
  Session *session = ses_new(run);
  session->panels = panels;
  ses_command(session, &(Command){.id = CMD_PARAMS});   // they can be changed: to what else is recorded
  CHECK(session->panel == &panel_params);
  ses_close_panel(session);
  choose_a_recording(session);
  ses_free(session);
  run = open_recorded("reduce2", "N=512", DEV_WRITTEN, false, &err);   // there is only the other cut
  CHECK(run && strcmp(run->info.code, "compiled") == 0 && run->request.cut == DEV_COMPILED);
  run_free(run);
}

static void what_is_not_recorded_is_told(void) {
  LsErr err = {0};
  CHECK(!open_recorded("reduce2", "N=77", DEV_COMPILED, false, &err));
  CHECK_INT(err.kind, LS_EREQUEST);
  CHECK(ls_starts_with(err.message, "reduce2 is not recorded with form=right N=77 blocks=4 threads=256; "
                       "its recordings are\n"
                       "  form=right N=4096 blocks=4 threads=256, as compiled, on NVIDIA H200, 2026-02-03\n"
                       "  form=right N=512 blocks=4 threads=256, as compiled, on NVIDIA H200, 2026-02-03\n"));
  CHECK(strstr(err.message, "reduce2.broken.lst is not a trace") != NULL);   // what cannot be read might have been it
  err = (LsErr){0};
  CHECK(!open_recorded("reduce2", "N=512", DEV_WRITTEN, true, &err));
  CHECK(ls_starts_with(err.message, "reduce2 is not recorded with form=right N=512 blocks=4 threads=256, as written; "
                       "its recordings are\n"));
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
  CHECK_STR(ls_text_str(&where), "form=right N=4096 blocks=4 threads=256, as compiled, on NVIDIA H200, 2026-02-03, "
            "of an older kernel");
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
    {"other turns are no difference", other_turns_are_no_difference},
    {"other groups are no difference", other_groups_are_no_difference},
    {"differences are found", differences_are_found},
    {"other code is not compared", other_code_is_not_compared},
    {"order is told as order", order_is_told_as_order},
    {"recordings", recordings},
    {"values are not made up", values_are_not_made_up},
    {"memory is the emulator's", memory_is_the_emulators},
};

int main(int argc, char **argv) {
  return check_main_with_recipes("gpu_run", checks, LS_COUNT(checks), argc, argv, &book);
}
