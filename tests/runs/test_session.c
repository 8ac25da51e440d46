// test_session.c: the explorer with its panels, without a screen, on real runs of lecture kernels.
//
// reduce2 runs on x[k] = k, so that every value in it can be worked out on paper. Its lines:
//   7 id  8 tid  9 stride  10 tsum[id]=0  12 for k  13 tsum[id]+=x[k]  14 barrier
//   16 for k  17 if (id < k)  18 tsum[id]+=tsum[id+k]  19 barrier  21 if  22 y[]=  23 }
#include "check.h"

#include <time.h>

#include "app/run/job.h"
#include "app/session/session.h"
#include "app/session/session_parts.h"
#include "base/file.h"
#include "base/mem.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

// ---- a recipe without Lua --------------------------------------------------------------------------------------------

static const char *const thread_choices[] = {"32", "64", "128", "256", "512", "1024"};
static RecipeParam reduce_params[] = {
    {.name = "N", .help = "elements to add", .fallback = 1024, .min = 1, .max = 1 << 20, .log2 = true, .step = 1},
    {.name = "blocks", .help = "blocks of the grid", .fallback = 2, .min = 1, .max = 64, .log2 = true, .step = 1},
    {.name = "threads", .help = "threads per block", .fallback = 1, .min = 0, .max = 5, .step = 1,
     .choices = (const char **)thread_choices, .choice_count = 6},
};

static bool reduce_launch(const Recipe *recipe, const RecipeValues *values, Launch *launch, LsErr *err) {
  (void)recipe;
  char text[64];
  launch_init(launch);
  launch->kernel = ls_strdup("reduce2");
  launch->grid[0] = (uint32_t)values->value[1];
  launch->block[0] = 32u << values->value[2];
  launch->shared_bytes = 4 * launch->block[0];
  snprintf(text, sizeof text, "f32[%lld]=none", (long long)values->value[1]);
  if (!launch_add_arg(launch, text, err)) return false;
  snprintf(text, sizeof text, "f32[%lld]=iota", (long long)values->value[0]);
  if (!launch_add_arg(launch, text, err)) return false;
  snprintf(text, sizeof text, "i32=%lld", (long long)values->value[0]);
  return launch_add_arg(launch, text, err);
}

static const Recipe reduce = {
    .name = "reduce2", .id = "T", .title = "Reduction", .about = "", .topic = "reduction", RECIPE_ONE_FORM("reduce2.cu"),
    .params = reduce_params, .param_count = 3, .launch = reduce_launch,
};

// Further kernels, each with one launch: the first word of `about` is its kernel, the rest are arguments.
static bool fixed_launch(const Recipe *recipe, const RecipeValues *values, Launch *launch, LsErr *err) {
  (void)values;
  char words[256];
  launch_init(launch);
  snprintf(words, sizeof words, "%s", recipe->about);
  char *rest = words;
  launch->kernel = ls_strdup(strsep(&rest, " "));
  if (!launch_parse_dim(strsep(&rest, " "), true, launch->grid, err) ||
      !launch_parse_dim(strsep(&rest, " "), false, launch->block, err)) return false;
  for (char *arg; (arg = strsep(&rest, " "));)
    if (!launch_add_arg(launch, arg, err)) return false;
  return true;
}



static const Recipe warp_sum = {.name = "warp_reduce", .about = "warpReduce 1 32 i32[32]=none", .topic = "warps",
                                RECIPE_ONE_FORM("warp_reduce.cu"), .launch = fixed_launch};
static const Recipe transpose = {.name = "transpose_32x32",
                                 .about = "transpose<float> 1 32,32 f32[1024]=none f32[1024]=iota i32=32",
                                 .topic = "banks", RECIPE_ONE_FORM("transpose_32x32.cu"), .launch = fixed_launch};
static const Recipe blank_input = {.name = "transpose_32x32", .about = "transpose<float> 1 32,32 f32[1024]=none f32[1024]=none "
                                                                       "i32=32",
                                   .topic = "banks", RECIPE_ONE_FORM("transpose_32x32.cu"), .launch = fixed_launch};

static const Recipe lock = {.name = "warp_lock", .about = "warp_lock 1 32 i32[1]=zero i32[1]=zero", .topic = "atomics",
                            RECIPE_ONE_FORM("warp_lock.cu"), .launch = fixed_launch};

enum { THREADS = 64, BLOCKS = 2, N = 1024, STRIDE = THREADS * BLOCKS };

static Run *run_of(const RunRequest *request) {
  LsErr err = {0};
  Run *run = run_new(request, NULL, &err);
  if (!run) printf("\n%s\n", err.message);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  return run;
}

static Session *session_of(const RunRequest *request) {
  Session *session = ses_new(run_of(request));
  session->panels = panels;
  return session;
}

static Session *open_session(DevCut cut, int64_t n, int64_t blocks, int64_t threads) {
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup("reduce2");
  request.recipe = &reduce;
  request.values = (RecipeValues){.value = {n, blocks, threads}};
  request.cut = cut;
  request.cut_given = true;
  request.record = true;
  Session *session = session_of(&request);
  run_request_fini(&request);
  session->cols = 120;
  session->rows = 36;
  return session;
}

static Session *open_fixed(const Recipe *recipe, DevCut cut, SimSched sched) {
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup(recipe->name);
  request.recipe = recipe;
  request.cut = cut;
  request.cut_given = true;
  request.sched = sched;
  request.record = true;
  Session *session = session_of(&request);
  run_request_fini(&request);
  return session;
}

static Session *standard(void) { return open_session(DEV_WRITTEN, N, BLOCKS, 1); }

static bool do_command(Session *session, CommandId id, int64_t arg) {
  return ses_command(session, &(Command){.id = id, .arg = arg});
}
static bool line_command(Session *session, const char *text) {
  return ses_command(session, &(Command){.id = CMD_TEXT, .text = text});
}

// "w 1 Return": keys by name; a word in quotes would be typed, but every test here types single keys.
static void keys(Session *session, const char *names) {
  char name[16];
  for (const char *at = names; *at;) {
    size_t length = strcspn(at, " ");
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    uint32_t code = key_parse(name);
    CHECK(code != 0);
    ses_key(session, (AppKey){.code = code});
    at += length;
    at += strspn(at, " ");
  }
}

static void type_text(Session *session, const char *text) {
  for (; *text; text++) ses_key(session, (AppKey){.code = (uint32_t)*text});
}

static const SceneVar *variable(Session *session, const char *name) {
  const Scene *scene = ses_scene(session);
  for (int i = 0; i < scene->var_count; i++)
    if (strcmp(scene->vars[i].name, name) == 0) return &scene->vars[i];
  return NULL;
}

// Number of lanes whose value is first + lane * step.
static int lanes_with(Session *session, const char *name, int64_t first, int64_t step) {
  const SceneVar *var = variable(session, name);
  int count = 0;
  for (int lane = 0; var && lane < 32; lane++)
    count += (var->valid >> lane & 1) && (int32_t)var->bits[lane] == first + lane * step;
  return count;
}

// On to the visit-th visit (from 1) of a line by a warp.
static void go_to(Session *session, int warp, int line, int visit) {
  do_command(session, CMD_FIRST, 0);
  do_command(session, CMD_SET_WARP, warp);
  for (int i = 0, seen = 0; seen < visit && i < 500; i++) {
    uint64_t before = session->step;
    do_command(session, CMD_LINE_NEXT, 0);
    seen += ses_scene(session)->line == line;
    if (session->step == before) break;
  }
  CHECK_INT(ses_scene(session)->line, line);
}

// The last event of the line's visit: its effect is there.
static void finish_line(Session *session) {
  int line = ses_scene(session)->line;
  for (int i = 0; i < 100; i++) {
    uint64_t step = session->step;
    do_command(session, CMD_WARP_NEXT, 0);
    if (ses_scene(session)->line == line && session->step != step) continue;
    do_command(session, CMD_GOTO, (int64_t)step);
    return;
  }
}

// ---- variables -------------------------------------------------------------------------------------------------------

static void variables_by_name(void) {
  Session *session = standard();
  for (uint32_t block = 0; block < BLOCKS; block++)
    for (int warp = 0; warp < THREADS / 32; warp++) {
      do_command(session, CMD_SET_BLOCK, block);
      do_command(session, CMD_FIRST, 0);
      do_command(session, CMD_SET_BLOCK, block);
      session->warp_follows = false;
      do_command(session, CMD_SET_WARP, warp);
      do_command(session, CMD_GOTO_LINE, 13);
      CHECK_INT(session->block, block);
      CHECK_INT(ses_scene(session)->line, 13);
      CHECK(ses_scene(session)->values_known);
      int64_t tid = (int64_t)block * THREADS + warp * 32;
      CHECK_INT(lanes_with(session, "id", warp * 32, 1), 32);
      CHECK_INT(lanes_with(session, "tid", tid, 1), 32);
      CHECK_INT(lanes_with(session, "stride", STRIDE, 0), 32);
      CHECK_INT(lanes_with(session, "k", tid, 1), 32);
      CHECK_INT(lanes_with(session, "N", N, 0), 32);
      do_command(session, CMD_LINE_NEXT, 0);
      do_command(session, CMD_LINE_NEXT, 0);
      CHECK_INT(ses_scene(session)->line, 13);
      CHECK_INT(lanes_with(session, "k", tid + STRIDE, 1), 32);
    }
  ses_free(session);
}

static void masked_lanes_keep_values(void) {
  Session *session = standard();
  go_to(session, 0, 18, 2);   // k is 16: lanes 0-15 add, 16-31 are masked
  CHECK_INT(ses_scene(session)->event.mask, 0xffff);
  CHECK_INT(lanes_with(session, "k", 16, 0), 32);
  CHECK_INT(lanes_with(session, "id", 0, 1), 32);
  ses_free(session);
}

static void before_and_out_of_scope(void) {
  Session *session = standard();
  do_command(session, CMD_FIRST, 0);
  const SceneVar *var = variable(session, "tid");
  CHECK(var && var->valid == 0 && var->in_scope);
  go_to(session, 0, 21, 1);
  var = variable(session, "k");
  CHECK(var && !var->in_scope);
  CHECK_INT(lanes_with(session, "id", 0, 1), 32);
  ses_free(session);
}

// Every change that is marked is one, and every difference between neighbors of a warp is marked.
static void changes_are_marked(void) {
  Session *session = standard();
  uint64_t before[64][32];
  uint32_t valid[64];
  char names[64][32];
  int count = -1, marked = 0;
  do_command(session, CMD_FIRST, 0);
  do_command(session, CMD_SET_WARP, 0);
  for (int i = 0; i < 250; i++) {
    const Scene *scene = ses_scene(session);
    for (int v = 0; v < scene->var_count && count == scene->var_count; v++) {
      const SceneVar *var = &scene->vars[v];
      if (strcmp(names[v], var->name) != 0 || var->is_param) continue;
      uint32_t expected = 0;
      for (int lane = 0; lane < 32; lane++)
        if ((var->valid >> lane & 1) && (!(valid[v] >> lane & 1) || before[v][lane] != var->bits[lane])) expected |= 1u << lane;
      CHECK_INT(var->changed, expected & scene->event.mask);
      marked += var->changed != 0;
    }
    count = LS_MIN(scene->var_count, 64);
    for (int v = 0; v < count; v++) {
      memcpy(before[v], scene->vars[v].bits, sizeof before[v]);
      valid[v] = scene->vars[v].valid;
      snprintf(names[v], sizeof names[v], "%s", scene->vars[v].name);
    }
    do_command(session, CMD_WARP_NEXT, 0);
  }
  CHECK(marked >= 10);
  ses_free(session);
}

// The same step shows the same whichever way one came to it.
static void time_has_no_direction(void) {
  Session *there = standard(), *back = standard();
  do_command(back, CMD_LAST, 0);
  for (uint64_t step = back->steps; step-- > back->steps - 150;) {
    do_command(back, CMD_GOTO, (int64_t)step);
    do_command(there, CMD_GOTO, (int64_t)step);
    const Scene *a = ses_scene(back);
    CHECK_INT(a->step, step);
    do_command(there, CMD_FIRST, 0);
    ses_scene(there);
    do_command(there, CMD_GOTO, (int64_t)step);
    const Scene *b = ses_scene(there);
    CHECK_INT(a->var_count, b->var_count);
    for (int v = 0; v < a->var_count; v++) {
      CHECK_STR(a->vars[v].name, b->vars[v].name);
      CHECK_INT(a->vars[v].valid, b->vars[v].valid);
      CHECK_INT(a->vars[v].changed, b->vars[v].changed);
      for (int lane = 0; lane < 32; lane++)
        if (a->vars[v].valid >> lane & 1) CHECK_INT(a->vars[v].bits[lane], b->vars[v].bits[lane]);
    }
    CHECK_INT(back->focus, there->focus);
  }
  ses_free(there);
  ses_free(back);
}

// A wrapper of the toolkit is a function of its own in this cut; people stay in their kernel. The sums of a butterfly.
static void wrappers_belong_to_the_line(void) {
  static const int first[] = {31, 46, 76, 136, 256, 496};
  Session *session = open_fixed(&warp_sum, DEV_WRITTEN, SIM_ITS);
  int shuffles = 0;
  for (uint64_t step = 0; step < session->steps; step++) {
    do_command(session, CMD_GOTO, (int64_t)step);
    const Scene *scene = ses_scene(session);
    CHECK(scene->line >= 4 && scene->line <= 12);
    CHECK_INT(scene->line, scene->warp_line[0]);
    CHECK(variable(session, "mask") == NULL);
    if (scene->event.kind != TRACE_SHUFFLE) continue;
    CHECK_INT(scene->line, 10);
    CHECK_INT(session->focus, FOCUS_SHUFFLE);
    CHECK_INT(scene->source[5], 5 ^ 16 >> shuffles);
    CHECK(scene->has_values && (int)scene->value[0] == first[shuffles]);
    const SceneVar *value = variable(session, "value");
    CHECK(value && value->valid == UINT32_MAX && (int)value->bits[0] == first[shuffles]);
    shuffles++;
  }
  CHECK_INT(shuffles, 5);
  CHECK_INT(lanes_with(session, "value", 496, 0), 32);   // lanes that ended keep what they had
  do_command(session, CMD_FIRST, 0);
  int lines = 0, told = 0;
  for (uint64_t before = UINT64_MAX; before != session->step && lines < 100; lines++) {
    before = session->step;
    keys(session, "L");
    told += before != session->step && ses_scene(session)->event.kind == TRACE_SHUFFLE;
  }
  CHECK_INT(told, 5);   // a visit is looked at where something happens
  CHECK_INT(lines, 1 + 1 + 5 * 2 + 1 + 2 + 1);   // 6 7 (9 10) x 5 9 11 12, and no further
  ses_free(session);
}

// The same run, as if its files were called so, and the text of all of them were there.
static Session *open_renamed(const char *kernel_path, const char *header_path) {
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup(warp_sum.name);
  request.recipe = &warp_sum;
  request.cut = DEV_WRITTEN;
  request.cut_given = request.record = true;
  Run *run = run_of(&request);
  run_request_fini(&request);
  for (int i = 0; i < run->info.source_count; i++) {
    TraceSource *source = &run->info.sources[i];
    bool own = ls_ends_with(source->path, ".cu");
    free(source->path);
    source->path = ls_strdup(own ? kernel_path : header_path);
    if (!source->text) source->text = ls_strdup("// a header\n");
  }
  return ses_new(run);
}

// Of the lines that L goes through, those that are not the kernel's.
static int foreign_lines(Session *session) {
  int count = 0;
  do_command(session, CMD_FIRST, 0);
  for (uint64_t before = UINT64_MAX; before != session->step; ) {
    before = session->step;
    keys(session, "L");
    const char *const *lines, *path;
    ses_source_lines(session, &lines, &path);
    count += before != session->step && !ls_ends_with(path, ".cu");
  }
  return count;
}

// What lies beside the kernel is the user's, be its folder called after the toolkit; lines of headers are shown on request.
static void headers_are_stepped_over(void) {
  static const struct { const char *kernel, *header; bool foreign; } rows[] = {
      {"warp.cu", "/usr/local/cuda/bin/../targets/x86_64-linux/include/sm_30_intrinsics.hpp", true},
      {"/home/a/cuda/warp.cu", "/opt/cuda-13.0/include/sm_30_intrinsics.hpp", true},
      {"/home/a/cuda/warp.cu", "/usr/include/crt/sm_30_intrinsics.hpp", true},
      {"/home/a/cuda/warp.cu", "/home/a/env/lib/python3/site-packages/nvidia/cuda_runtime/include/sm_30_intrinsics.hpp", true},
      {"/home/a/cuda/warp.cu", "/home/a/cuda/include/warp.cuh", false},
      {"/home/a/cuda-course/warp.cu", "/home/a/cuda-course/../common/warp.cuh", false},
      {"/home/a/warp.cu", "/home/a/cuda/warp.cuh", false},
      {"warp.cu", "include/warp.cuh", false},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    Session *session = open_renamed(rows[i].kernel, rows[i].header);
    int foreign = foreign_lines(session);
    CHECK(rows[i].foreign ? foreign == 0 : foreign >= 5);
    keys(session, "g I");
    CHECK(foreign_lines(session) >= 5);   // every shuffle is in the wrapper
    keys(session, "g I");
    CHECK_INT(foreign_lines(session), foreign);
    ses_free(session);
  }
}

// ---- memory ----------------------------------------------------------------------------------------------------------

static const SceneArray *array(Session *session, const char *name) {
  const Scene *scene = ses_scene(session);
  for (int i = 0; i < scene->array_count; i++)
    if (strcmp(scene->arrays[i].name, name) == 0) return &scene->arrays[i];
  return NULL;
}

static float as_float(uint64_t bits) {
  uint32_t word = (uint32_t)bits;
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

// What thread `thread` of block 0 has summed up after the whole first loop: x[k] = k.
static float partial_sum(int thread) {
  float sum = 0;
  for (int k = thread; k < N; k += STRIDE) sum += (float)k;
  return sum;
}

static void memory_at_the_cursor(void) {
  Session *session = standard();
  go_to(session, 0, 16, 1);   // behind the barrier: everybody has a partial sum
  const SceneArray *sum = array(session, "tsum");
  CU_ASSERT_PTR_NOT_NULL_FATAL(sum);
  CHECK_STR(sum->type, "float[64]");
  CHECK_INT(sum->count, THREADS);
  CHECK_INT(sum->space, TRACE_SHARED);
  uint64_t bits[THREADS];
  uint8_t init[THREADS];
  CHECK_INT(ses_array_read(session, sum, 0, 1000, bits, init), THREADS);
  for (int i = 0; i < THREADS; i++) CHECK(init[i] && as_float(bits[i]) == partial_sum(i));
  do_command(session, CMD_FIRST, 0);
  sum = array(session, "tsum");
  ses_array_read(session, sum, 0, THREADS, bits, init);
  for (int i = 0; i < THREADS; i++) CHECK(!init[i]);
  const SceneArray *x = array(session, "x");
  CHECK(x && x->count == N && x->kind == PTX_DW_FLOAT);
  CHECK_INT(ses_array_read(session, x, 100, 2, bits, init), 2);
  CHECK(as_float(bits[0]) == 100.0f && as_float(bits[1]) == 101.0f);
  CHECK_INT(ses_array_read(session, x, N, 1, bits, init), 0);
  ses_free(session);
}

static void loads_have_values(void) {
  Session *session = standard();
  go_to(session, 1, 13, 1);
  bool loaded = false, stored = false;
  for (int i = 0; i < 20 && ses_scene(session)->line == 13; i++) {
    const Scene *scene = ses_scene(session);
    if (scene->event.kind == TRACE_LOAD && scene->event.space == TRACE_GLOBAL) {
      const SceneArray *x = array(session, "x");
      CHECK(scene->has_values && as_float(scene->result[3]) == 35.0f);   // x[tid], tid = 32 + 3
      CHECK(x->touched && x->touched_first == 32 && x->touched_last == 63);
      CHECK_INT(session->focus, FOCUS_SEGMENTS);
      CHECK(scene->has_focus && scene->focus.step == scene->step);
      loaded = true;
    }
    if (scene->event.kind == TRACE_STORE) {
      CHECK(scene->has_values && as_float(scene->value[3]) == 35.0f);
      CHECK_INT(scene->event.space, TRACE_SHARED);
      CHECK_INT(session->focus, FOCUS_BANKS);
      stored = true;
    }
    CHECK(scene->sentence[0] != 0);
    do_command(session, CMD_WARP_NEXT, 0);
  }
  CHECK(loaded && stored);
  ses_free(session);
}

// ---- moving ----------------------------------------------------------------------------------------------------------

static void line_by_line(void) {
  // N is 1024 and the grid takes 128 a pass: eight passes; then 32 lanes, 16, 8, 4, 2, 1 add.
  static const int expected[] = {7, 8, 9, 10, 12, 13, 12, 13, 12, 13, 12, 13, 12, 13, 12, 13, 12, 13, 12, 13, 12, 14,
                                 16, 17, 18, 19, 16, 17, 18, 19, 16, 17, 18, 19, 16, 17, 18, 19, 16, 17, 18, 19, 16, 17, 18, 19,
                                 16, 21, 22, 23};
  uint64_t steps[LS_COUNT(expected)];
  Session *session = standard();
  do_command(session, CMD_SET_WARP, 0);
  for (int i = 0; i < LS_COUNT(expected); i++) {
    keys(session, i % 2 ? "L" : "S-Right");
    CHECK_INT(ses_scene(session)->line, expected[i]);
    CHECK_INT(ses_scene(session)->event.warp, 0);
    steps[i] = session->step;
  }
  uint64_t end = session->step;
  keys(session, "L");
  CHECK(session->step == end && session->message[0]);
  for (int i = LS_COUNT(expected) - 1; i-- > 0;) {
    keys(session, i % 2 ? "H" : "S-Left");
    CHECK_INT(ses_scene(session)->line, expected[i]);
    CHECK_INT(session->step, steps[i]);
  }
  ses_free(session);
}

static void by_warp(void) {
  Session *session = standard();
  do_command(session, CMD_SET_WARP, 1);
  uint64_t last = 0;
  for (int i = 0; i < 60; i++) {
    keys(session, ">");
    CHECK_INT(ses_scene(session)->event.warp, 1);
    CHECK(session->step > last);
    last = session->step;
  }
  for (int i = 0; i < 59; i++) keys(session, "C-Left");
  CHECK_INT(ses_scene(session)->warps[1].events, 1);
  ses_free(session);
}

static void events_of_interest(void) {
  Session *session = standard();
  TraceEvent event;
  uint64_t at = 0, stops = 0, notable = 0;
  const PtxModule *module = session->run->module;
  for (uint64_t step = 1; step < session->steps; step++) {
    trace_event(session->run->trace, step, &event, NULL);
    bool parameter = event.kind == TRACE_LOAD && module->code[event.pc].space == PTX_PARAM;
    bool uniform = event.kind == TRACE_BRANCH && !(event.flags & TRACE_DIVERGES);
    notable += trace_kind_interesting((TraceKind)event.kind) && !parameter && !uniform;
  }
  for (;; stops++) {
    keys(session, "n");
    if (session->step == at) break;
    CHECK(session->step > at);
    at = session->step;
  }
  CHECK_INT(stops, notable);
  for (; stops > 1; stops--) keys(session, "N");
  keys(session, "]");
  trace_event(session->run->trace, session->step, &event, NULL);
  CHECK(event.kind == TRACE_BARRIER && (event.flags & TRACE_LAST_ARRIVAL));
  ses_free(session);
}

// As the source has it: line 7 is int id = threadIdx.x, line 17 if (id < k). PTX words come with the PTX.
static void sentences_are_of_the_source(void) {
  Session *session = standard();
  go_to(session, 0, 7, 1);
  CHECK(strstr(ses_scene(session)->sentence, "line 7.") != NULL);
  keys(session, "l");
  CHECK_STR(ses_scene(session)->sentence, "Line 7 sets `id` in all 32 lanes.");
  keys(session, "O");
  CHECK(strstr(ses_scene(session)->sentence, "mov.b32") != NULL);
  keys(session, "O");
  CHECK_STR(ses_scene(session)->sentence, "Line 7 sets `id` in all 32 lanes.");
  ses_free(session);
}

static bool says_held(Session *session) {
  LsText text = {0};
  Canvas *canvas = canvas_new(80, 12);
  view_focus(session, canvas, (Rect){0, 0, 80, 12});
  canvas_to_text(canvas, false, &text);
  bool held = strstr(ls_text_str(&text), " held · a follows ─") != NULL;
  canvas_free(canvas);
  ls_text_free(&text);
  return held;
}

static void focus_follows(void) {
  Session *session = standard();
  go_to(session, 0, 17, 2);
  finish_line(session);
  CHECK_INT(session->focus, FOCUS_DIVERGENCE);
  go_to(session, 0, 14, 1);
  CHECK_INT(session->focus, FOCUS_BARRIER);
  CHECK(!says_held(session));
  keys(session, "Tab");   // there are no atomics and no textures in this kernel
  CHECK(!session->focus_auto && session->focus == FOCUS_GEOMETRY);
  CHECK(says_held(session));
  keys(session, "Tab Tab");
  CHECK_INT(session->focus, FOCUS_SEGMENTS);
  keys(session, "BackTab BackTab BackTab");
  CHECK_INT(session->focus, FOCUS_BARRIER);
  keys(session, "l l l");
  CHECK(session->focus == FOCUS_BARRIER && ses_scene(session)->has_focus);
  keys(session, "a");
  CHECK(session->focus_auto && !says_held(session));
  keys(session, "BackTab");
  CHECK(!session->focus_auto);
  do_command(session, CMD_SET_FOCUS, FOCUS_BANKS);
  keys(session, "v v v");
  CHECK_INT(session->variant[FOCUS_BANKS], 0);
  keys(session, "v");
  CHECK_INT(session->variant[FOCUS_BANKS], 1);
  do_command(session, CMD_FIRST, 0);
  keys(session, "a");
  CHECK_INT(session->focus, FOCUS_GEOMETRY);
  ses_free(session);
}

static void going_to_numbers(void) {
  Session *session = standard();
  keys(session, "4 2 Return");
  CHECK_INT(session->step, 42);
  type_text(session, ":goto 7");
  keys(session, "Return");
  CHECK_INT(session->step, 7);
  line_command(session, "goto 99999999");
  CHECK(session->message_is_error && strstr(session->message, "99999999") && strstr(session->message, "steps go from 0 to"));
  CHECK_INT(session->step, 7);
  line_command(session, "goto -1");
  CHECK(session->message_is_error);
  line_command(session, "warp 2");
  CHECK(session->message_is_error && strstr(session->message, "warps 0 to 1"));
  line_command(session, "lane 32");
  CHECK(session->message_is_error);
  line_command(session, "block 2");
  CHECK(session->message_is_error);
  line_command(session, "line 3");
  CHECK(session->message_is_error && strstr(session->message, "no instructions"));
  line_command(session, "line x");
  CHECK(session->message_is_error);
  line_command(session, "dance");
  CHECK(session->message_is_error && strstr(session->message, "goto N"));
  line_command(session, "set color=red");
  CHECK(session->message_is_error && strstr(session->message, "threads"));
  line_command(session, "set N=wide");
  CHECK(session->message_is_error);
  CHECK(!session->want_rerun);
  line_command(session, "line 18");
  CHECK_INT(ses_scene(session)->line, 18);
  keys(session, ": q Return");
  CHECK(session->want_quit);
  ses_free(session);
}

static void finding(void) {
  Session *session = standard();
  type_text(session, "/18");
  keys(session, "Return");
  CHECK_INT(ses_scene(session)->line, 18);
  uint64_t first = session->step;
  keys(session, "n");
  CHECK(session->step > first && ses_scene(session)->line == 18);
  keys(session, "N");
  CHECK_INT(session->step, first);
  CHECK_INT(session->warp, 0);
  for (int i = 0; i < 6; i++) keys(session, "n");   // the sixth and last visit of warp 0 is behind; line 18 of the other block
  CHECK(session->block == 1 && ses_scene(session)->line == 18);
  do_command(session, CMD_FIRST, 0);
  type_text(session, "/barrier");
  keys(session, "Return");
  CHECK_INT(ses_scene(session)->event.kind, TRACE_BARRIER);
  type_text(session, "/divergent");
  keys(session, "Return");
  CHECK(ses_scene(session)->event.flags & TRACE_DIVERGES);
  type_text(session, "/blockIdx");
  keys(session, "Return");
  CHECK(ses_scene(session)->line == 8 || ses_scene(session)->line == 22);
  type_text(session, "/setp");
  keys(session, "Return");
  CHECK(strncmp(session->run->module->code[ses_scene(session)->event.pc].spelling, "setp", 4) == 0);
  uint64_t here = session->step;
  type_text(session, "/conflict");
  keys(session, "Return");
  CHECK(session->step == here && session->message[0]);
  type_text(session, "/xyzzy");
  keys(session, "Return");
  CHECK(session->step == here && session->message_is_error);
  type_text(session, "/18");
  keys(session, "Esc");
  CHECK(!session->panel && session->step == here);
  ses_free(session);
}

static void finding_conflicts(void) {
  for (int cut = 0; cut < 2; cut++) {
    Session *session = open_fixed(&transpose, cut ? DEV_WRITTEN : DEV_COMPILED, SIM_ITS);
    type_text(session, "/conflict");
    keys(session, "Return");
    int found = 0;
    for (uint64_t before = UINT64_MAX; before != session->step && found < 100; found++) {
      before = session->step;
      const Scene *scene = ses_scene(session);
      int ideal;
      CHECK_INT(bank_count(true, scene->event.mask, scene->event.width, scene->addr, &ideal), 32);
      CHECK_INT(scene->event.kind, TRACE_LOAD);
      keys(session, "n");
    }
    CHECK_INT(found, 32);   // every warp reads one column
    const SceneArray *tile = array(session, "tile");
    CHECK(tile && tile->touched && tile->kind == PTX_DW_FLOAT && tile->count == 1024);
    CHECK_INT(tile ? tile->columns : 0, cut ? 32 : 0);
    ses_free(session);
  }
}

static void finding_faults(void) {
  Session *session = open_fixed(&blank_input, DEV_WRITTEN, SIM_STACK);
  type_text(session, "/fault");
  keys(session, "Return");
  const Scene *scene = ses_scene(session);
  CHECK_INT(scene->event.kind, TRACE_FAULT);
  CHECK_INT(session->run->faults[scene->event.fault].kind, FAULT_UNINITIALIZED);
  CHECK(strstr(scene->sentence, "in[0], which nobody has written") != NULL);
  do_command(session, CMD_FIRST, 0);
  session->search[0] = 0;
  bool seen = false;
  for (int i = 0; i < 50 && !seen; i++) {
    keys(session, "n");
    seen = ses_scene(session)->event.kind == TRACE_FAULT;
  }
  CHECK(seen);
  ses_free(session);
}

static void who_wrote_this(void) {
  Session *session = standard();
  go_to(session, 0, 18, 1);
  while (ses_scene(session)->event.kind != TRACE_LOAD) keys(session, ">");
  // tsum[id + 32] is what warp 1 stored at line 13.
  uint64_t addr = ses_scene(session)->addr[0];
  CHECK_INT(addr - array(session, "tsum")->base, 32 * 4);
  keys(session, "u");
  const Scene *scene = ses_scene(session);
  CHECK_INT(scene->event.kind, TRACE_STORE);
  CHECK_INT(scene->event.warp, 1);
  CHECK_INT(scene->line, 13);
  CHECK_INT(scene->addr[0], addr);
  // A load of x: nobody wrote that.
  go_to(session, 0, 13, 1);
  while (ses_scene(session)->event.kind != TRACE_LOAD) keys(session, ">");
  uint64_t here = session->step;
  keys(session, "u");
  CHECK(session->step == here && strstr(session->message, "nobody"));
  // A variable: id is set at line 7.
  go_to(session, 0, 17, 1);
  session->pane = PANE_VARIABLES;
  for (int i = 0; i < 10; i++) {
    keys(session, "j");
    if (session->var_shown >= 0 && strcmp(ses_scene(session)->vars[session->var_shown].name, "id") == 0) break;
  }
  keys(session, "u");
  CHECK_INT(ses_scene(session)->line, 7);
  ses_free(session);
}

// ---- choosing --------------------------------------------------------------------------------------------------------

static void picking(void) {
  Session *session = standard();
  keys(session, "w 1 Return");
  CHECK(session->warp == 1 && !session->warp_follows && !session->panel);
  keys(session, "w 0 Esc");
  CHECK_INT(session->warp, 1);
  keys(session, "w Up Return");
  CHECK_INT(session->warp, 0);
  keys(session, "w 7 Return");
  CHECK(session->message_is_error && session->warp == 0);
  keys(session, "w Up Up Up Return");
  CHECK(session->warp_follows);
  keys(session, "i 3 1 Return");
  CHECK_INT(session->lane, 31);
  keys(session, "Esc");
  CHECK_INT(session->lane, -1);
  keys(session, "b 1 Return");
  CHECK_INT(session->block, 1);
  CHECK_INT(ses_scene(session)->event.block, 1);
  LsText text = {0};
  keys(session, "i 5 Return");
  do_command(session, CMD_GOTO_LINE, 18);
  CHECK(ses_registers(session, &text) > 5);
  CHECK(strstr(ls_text_str(&text), "%r1 b32 ") != NULL);
  ls_text_free(&text);
  ses_free(session);
}

static void rerun(Session *session) {
  CU_ASSERT_TRUE_FATAL(session->want_rerun);
  ses_replace_run(session, run_of(&session->next));
  CHECK(!session->want_rerun);
}

// A grid that is opened before all of it has run: the whole comes in its place, and nothing moves.
static void opened_early(void) {
  Session *session = standard();
  go_to(session, 0, 18, 3);
  uint64_t step = session->step;
  session->run->interrupted = true;   // as job_stop leaves it
  session->run->blocks_done = 1;
  ses_open_early(session);
  CHECK(strstr(session->message, "1 of 2 blocks so far, the others are running") != NULL);
  CHECK(session->next.recipe == session->run->request.recipe && session->next.record);
  rerun(session);
  CHECK_STR(session->message, "all 2 blocks have run");
  CHECK(session->step == step && ses_scene(session)->line == 18);
  CHECK(ses_previous_request(session) == NULL);   // it is the same request, and none was before it
  ses_free(session);
  session = standard();
  session->run->interrupted = true;
  ses_open_early(session);
  LsErr canceled = {.kind = LS_ECANCEL, .message = "the run was canceled"};
  ses_run_failed(session, &canceled);
  CHECK(!session->run->is_early && !session->want_rerun);
  ses_free(session);
}

static void unrecorded_block(void) {
  Session *session = standard();
  go_to(session, 0, 18, 3);
  line_command(session, "set blocks=0");
  rerun(session);
  CHECK_INT(ses_scene(session)->line, 18);
  uint64_t steps = session->steps;
  keys(session, "b 1 Return");
  rerun(session);
  CHECK_INT(session->block, 1);
  CHECK(session->steps > steps);
  CHECK_INT(ses_scene(session)->line, 18);
  CHECK_INT(lanes_with(session, "k", 8, 0), 32);
  // The list of recorded blocks names one that the smaller grid does not have.
  line_command(session, "set blocks=0");
  rerun(session);
  keys(session, "b 1 Return");
  rerun(session);
  CHECK_STR(session->run->request.blocks, "0,1");
  keys(session, "p Down Left");
  CHECK_INT(session->next.values.value[1], 1);
  rerun(session);
  CHECK_INT(session->block, 0);
  CHECK_INT(ses_scene(session)->line, 18);
  ses_free(session);
}

static void parameters_keep_the_place(void) {
  Session *session = standard();
  go_to(session, 1, 13, 3);
  CHECK_INT(lanes_with(session, "k", 32 + 2 * STRIDE, 1), 32);
  keys(session, "p j j Right");
  CHECK_INT(session->next.values.value[2], 2);
  rerun(session);
  CHECK(session->panel == &panel_params);
  CHECK_INT(ses_scene(session)->line, 13);
  CHECK_INT(session->warp, 1);
  CHECK_INT(lanes_with(session, "k", 32 + 2 * 2 * STRIDE, 1), 32);   // the third pass of a grid twice as wide
  keys(session, "k k 2 0 4 8 Return");
  CHECK_INT(session->next.values.value[0], 2048);
  rerun(session);
  CHECK_INT(lanes_with(session, "N", 2048, 0), 32);
  keys(session, "Right Right");
  CHECK_INT(ses_request(session)->values.value[0], 8192);   // both turns count, though no run came between
  LsErr err = {0};
  ls_fail(&err, LS_EREQUEST, "no");
  ses_run_failed(session, &err);
  CHECK_INT(ses_request(session)->values.value[0], 2048);
  keys(session, "Esc");
  CHECK(!session->panel);
  // A single pass is left: clamped to what there is.
  line_command(session, "set N=256");
  rerun(session);
  CHECK_INT(ses_scene(session)->line, 13);
  ses_free(session);
}

static void the_other_cut(void) {
  Session *session = standard();
  go_to(session, 0, 18, 2);
  keys(session, "o");
  CHECK_INT(session->next.cut, DEV_COMPILED);
  rerun(session);
  const Scene *scene = ses_scene(session);
  CHECK_INT(scene->line, 18);
  CHECK(!scene->values_known && scene->var_count == 0);
  CHECK(strstr(scene->why_not, "press o") != NULL);
  const SceneArray *sum = array(session, "tsum");
  CHECK(sum && sum->kind == PTX_DW_FLOAT && sum->count == THREADS);
  LsText text = {0};
  session->lane = 0;
  CHECK(ses_registers(session, &text) > 3);
  ls_text_free(&text);
  keys(session, "o");
  rerun(session);
  CHECK_INT(ses_scene(session)->line, 18);
  CHECK_INT(lanes_with(session, "k", 16, 0), 32);
  ses_free(session);
}

static void comparing(void) {
  Session *session = standard();
  go_to(session, 0, 13, 4);
  keys(session, "c");
  CHECK(session->panel == &panel_compare);
  int rows = ses_compare_count(session), row = 0;
  CHECK(rows >= 5);
  while (row < rows && strcmp(ses_compare_choice(session, row), "threads=128") != 0) row++;
  CHECK(row < rows);
  for (int i = 0; i < row; i++) keys(session, "j");
  keys(session, "Return");
  CHECK(session->next_is_other);
  rerun(session);
  CHECK_STR(session->other_label, "threads=128");
  Session *peer = ses_peer(session);
  CU_ASSERT_PTR_NOT_NULL_FATAL(peer);
  CHECK_INT(ses_scene(peer)->line, 13);
  CHECK_INT(lanes_with(peer, "k", 3 * 2 * STRIDE, 1), 32);
  CHECK_INT(lanes_with(session, "k", 3 * STRIDE, 1), 32);
  keys(session, "L L m");
  peer = ses_peer(session);
  CHECK_INT(peer->margin, session->margin);   // not what says most about the other one
  peer->margin_chosen = false, peer->margin = session->margin + 1;
  CHECK_INT(ses_peer(session)->margin, session->margin);
  CHECK_INT(ses_scene(peer)->line, 13);
  CHECK_INT(peer->step > 0, 1);
  keys(session, "m");
  CHECK_INT(ses_peer(session)->margin, session->margin);
  keys(session, "c");
  CHECK(!session->other && !ses_peer(session));
  ses_free(session);
}

// A click takes the row that is drawn there, however far the list is scrolled.
static void clicks_in_a_scrolled_list(void) {
  Session *session = standard();
  session->cols = 80, session->rows = 20;
  keys(session, "c G");
  Layout layout;
  Canvas *canvas = canvas_new(session->cols, session->rows);
  LsText text = {0};
  explorer_draw(session, canvas);
  ses_layout(session, &layout);
  Rect rect = ses_panel_rect(session, &layout);
  CHECK(ses_compare_count(session) > rect.h);
  canvas_to_text(canvas, true, &text);
  const char *line = ls_text_str(&text);
  for (int y = 0; y < rect.y + 2; y++) line = strchr(line, '\n') + 1;
  CHECK(ses_key(session, (AppKey){.code = KEYX_MOUSE, .x = rect.x + 6, .y = rect.y + 2, .button = 1}));
  const char *choice = ses_compare_choice(session, session->pick), *found = strstr(line, choice);
  CHECK(found && found < strchr(line, '\n'));
  ls_text_free(&text);
  canvas_free(canvas);
  ses_free(session);
}

// ---- panes -----------------------------------------------------------------------------------------------------------

static void margin_numbers(void) {
  Session *session = standard();
  double value;
  bool alarming;
  CHECK_STR(ses_margin_name(0), "active lanes");
  session->margin = 0;
  CHECK(ses_margin_value(session, 9, &value, &alarming));
  CHECK(value == 32.0 && !alarming);
  CHECK(!ses_margin_value(session, 5, &value, &alarming));
  CHECK(!ses_margin_value(session, 0, &value, &alarming) && !ses_margin_value(session, 1000, &value, &alarming));
  // Line 18 is run by 32, 16, 8, 4, 2 and 1 lanes of warp 0: 63 lanes over six visits.
  CHECK(ses_margin_value(session, 18, &value, &alarming));
  CHECK(value > 63.0 / 6 - 0.01 && value < 63.0 / 6 + 0.01 && alarming);
  session->margin = 1;
  CHECK(ses_margin_value(session, 13, &value, &alarming));
  CHECK(value == 4.0 && !alarming);
  session->margin = 3;
  CHECK(ses_margin_value(session, 9, &value, &alarming));
  CHECK(value > 0 && (int64_t)value % (BLOCKS * THREADS / 32) == 0);
  keys(session, "m");
  CHECK_INT(session->margin, 4);
  keys(session, "m");
  CHECK_INT(session->margin, 0);
  ses_free(session);
}

static void time_bar(void) {
  Session *session = standard();
  SesBar bar[5000];
  for (int columns = 1; columns < 5000; columns = columns * 2 + 1) {
    int cursor;
    do_command(session, CMD_LAST, 0);
    ses_time_bar(session, columns, bar, &cursor);
    CHECK(cursor >= columns - 1 - (int)((uint64_t)columns / session->steps) && cursor < columns);
    int marks = 0, high = 0, barriers = 0;
    for (int i = 0; i < columns; i++) {
      CHECK(bar[i].height <= 7);
      high += bar[i].height > 0;
      marks += bar[i].mark != 0;
      barriers += bar[i].mark == 'b';
    }
    CHECK(high > 0);
    CHECK(marks > 0 && barriers <= columns / 10);   // barriers are marked where they are few among the columns
    CHECK(barriers > 0 || columns < 511);
    do_command(session, CMD_FIRST, 0);
    ses_time_bar(session, columns, bar, &cursor);
    CHECK_INT(cursor, 0);
  }
  ses_free(session);
}

static void source_and_ptx(void) {
  Session *session = standard();
  const char *const *lines;
  const char *path;
  CHECK_INT(ses_source_lines(session, &lines, &path), 23);
  CHECK_STR(path, "reduce2.cu");
  CHECK_STR(lines[13], "  __syncthreads();");
  CHECK_INT(ses_source_top(session, 30), 0);
  go_to(session, 0, 22, 1);
  CHECK_INT(ses_source_top(session, 10), 13);
  int rows = ses_ptx_rows(session), current = 0;
  CHECK(rows > 40);
  for (int i = 0; i < rows; i++) {
    int pc;
    bool here;
    CHECK(ses_ptx_row(session, i, &pc, &here)[0] != 0);
    CHECK(!here || pc == ses_scene(session)->event.pc);
    current += here;
  }
  CHECK_INT(current, 1);
  ses_free(session);
}

static void clicks(void) {
  Session *session = standard();
  Layout layout;
  ses_layout(session, &layout);
  CHECK(ses_key(session, (AppKey){.code = KEYX_MOUSE, .x = layout.bar.x + layout.bar.w - 1, .y = layout.bar.y, .button = 1}));
  CHECK(session->step >= session->steps - 1 - session->steps / 100);
  CHECK(ses_key(session, (AppKey){.code = KEYX_MOUSE, .x = layout.lanes.x + 5, .y = layout.lanes.y + 3, .button = 1}));
  CHECK_INT(session->warp, 1);
  do_command(session, CMD_FIRST, 0);
  do_command(session, CMD_CLICK, (int64_t)(layout.source.x + 10) << 32 | (layout.source.y + 13));
  CHECK_INT(ses_scene(session)->line, 13);
  ses_key(session, (AppKey){.code = KEYX_MOUSE, .x = 2, .y = layout.footer.y, .button = 1});
  uint64_t step = session->step;
  ses_key(session, (AppKey){.code = KEYX_MOUSE, .x = 2, .y = layout.focus.y + 1, .button = 5});
  CHECK_INT(session->step, step + 1);
  ses_free(session);
}

// Ticks until nothing is played any more, 30 a second; how many.
static int play_out(Session *session) {
  int frames = 0;
  while (ses_plays(session) && frames < 100000) ses_tick(session, 1.0 / 30), frames++;
  return frames;
}

// From one event of interest to the next: the cursor stands exactly where n stops.
static void playing(void) {
  Session *session = standard(), *by_hand = standard();
  do_command(session, CMD_FIRST, 0);
  do_command(by_hand, CMD_FIRST, 0);
  uint64_t stops[512], at = 0;
  int count = 0;
  keys(session, "Space");
  CHECK(session->playing && ses_plays(session));
  for (int i = 0; i < 100000 && ses_plays(session); i++) {
    ses_tick(session, 1.0 / 30);
    CHECK(session->step >= at && session->phase >= 0 && session->phase < 1);
    at = session->step;
    bool arrived = session->play.act == PLAY_UNFOLDS || session->play.act == PLAY_HOLDS;
    if (arrived && (count == 0 || stops[count - 1] != at) && count < 512) stops[count++] = at;
  }
  CHECK_INT(session->step, session->steps - 1);
  CHECK(count > 10);
  for (int i = 0; i < count; i++) {
    keys(by_hand, "n");
    CHECK_INT(by_hand->step, stops[i]);
  }
  keys(by_hand, "n");
  CHECK_INT(by_hand->step, stops[count - 1]);   // there is no further one
  keys(session, "Space");
  CHECK(ses_plays(session) && session->step == 0);   // from the end it begins again
  ses_free(session);
  ses_free(by_hand);
}

// Any key stops it at the frame where it is, and does nothing else; Space goes on from there.
static void stopped_at_a_frame(void) {
  Session *session = standard();
  keys(session, "n");
  keys(session, "Space");
  CHECK(!session->playing && ses_plays(session));
  uint64_t step = session->step;
  ses_tick(session, 0.1);
  ses_tick(session, 0.1);
  double phase = session->phase;
  CHECK(phase > 0 && phase < 1);
  keys(session, "Right");
  CHECK(!ses_plays(session) && session->step == step && session->phase == phase);
  CHECK(!ses_tick(session, 1.0) && session->phase == phase);
  keys(session, "Space");
  CHECK(ses_plays(session));
  play_out(session);
  CHECK(session->step == step && session->phase == 0);   // that event alone, to its end
  keys(session, "Space");
  CHECK(session->playing);                               // it was seen: on to the next one
  keys(session, "+ + +");
  CHECK(session->playing && session->speed == 3);
  for (int i = 0; i < 12; i++) keys(session, "+");
  CHECK_INT(session->speed, 6);
  keys(session, "Space");
  CHECK(!ses_plays(session));
  keys(session, "Right");
  CHECK(session->phase == 0);
  ses_free(session);
}

// Without motion no frame lies between the end states, and the same events are stopped at.
static void without_motion(void) {
  Session *session = standard();
  keys(session, ": s e t Space m o t i o n = o f f Return");
  CHECK(!session->motion);
  do_command(session, CMD_FIRST, 0);
  keys(session, "Space");
  int changes = 0;
  uint64_t at = 0, stops = 0;
  for (int i = 0; i < 100000 && ses_plays(session); i++) {
    ses_tick(session, 1.0 / 30);
    CHECK(session->phase == 0);
    changes += session->step != at;
    at = session->step;
  }
  Session *by_hand = standard();   // without a tick it does not know its findings: n goes by events
  for (uint64_t before = UINT64_MAX; before != by_hand->step; stops++) {
    before = by_hand->step;
    keys(by_hand, "n");
  }
  ses_free(by_hand);
  CHECK_INT(changes, stops);   // the last of them is the end of the run instead of "nothing of interest"
  keys(session, ": s e t Space m o t i o n = m a y b e Return");
  CHECK(session->message_is_error && !session->motion);
  ses_free(session);
}

// The words below the focus pane are of its picture, also where the cursor is already behind it.
static void words_of_the_picture(void) {
  Session *session = standard();
  CHECK_INT(session->focus, FOCUS_GEOMETRY);
  const Scene *scene = ses_scene(session);
  CHECK(scene->picture_earlier && strncmp(scene->picture, "64 threads make 2 warps, full to the last lane", 46) == 0);
  go_to(session, 0, 13, 1);
  while (ses_scene(session)->event.space != TRACE_GLOBAL) keys(session, "Right");
  scene = ses_scene(session);
  CHECK(!scene->picture_earlier && !scene->picture[0] && strstr(scene->sentence, "4 sectors") != NULL);
  keys(session, "v");
  scene = ses_scene(session);
  CHECK(!scene->picture_earlier && strstr(scene->picture, "1 line of 128 bytes, so 128 bytes move, all of them used.") != NULL);
  keys(session, "v");
  CHECK(!ses_scene(session)->picture[0]);
  char load[1024];
  snprintf(load, sizeof load, "%s", ses_scene(session)->sentence);
  keys(session, ">");
  scene = ses_scene(session);
  CHECK(scene->event.kind != TRACE_LOAD || scene->event.space != TRACE_GLOBAL);
  do_command(session, CMD_SET_FOCUS, FOCUS_SEGMENTS);
  scene = ses_scene(session);
  CHECK(scene->picture_earlier);
  CHECK_STR(scene->picture, load);
  CHECK(strcmp(scene->sentence, load) != 0);
  ses_free(session);
}

// The transpose of a buffer that nobody wrote: the line that reads it is marked, the others are not.
static void lines_with_faults(void) {
  Session *session = open_fixed(&blank_input, DEV_WRITTEN, SIM_ITS);
  int marked = 0, line = 0;
  for (int i = 1; i <= 21; i++)
    if (ses_line_faults(session, i)) marked++, line = i;
  CHECK(session->run->fault_count > 0);
  CHECK_INT(marked, 1);
  CHECK_INT(line, 11);
  keys(session, "/ f a u l t Return");
  CHECK_INT(ses_scene(session)->event.kind, TRACE_FAULT);
  CHECK(!ses_scene(session)->picture[0] && ses_scene(session)->sentence[0]);
  ses_free(session);
}

static bool has_param(const Session *session, int row, const char *name, const char *value) {
  SesParam param;
  bool same = ses_param(session, row, &param) && strcmp(param.name, name) == 0 && strcmp(param.value, value) == 0;
  if (!same) printf("\nrow %d: %s %s\n", row, param.name, param.value);
  return same;
}

// A file has its launch as parameters: rows 0 grid, 1 block, 2 shared, 3 y, 4 x, 5 N, then how it is run.
static void a_launch_is_edited(void) {
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup(LS_SOURCE_DIR "/assets/ptx/reduce2.g.ptx");
  request.record = true;
  request.launch.grid[0] = 2;
  request.launch.block[0] = 64;
  request.launch.shared_bytes = 256;
  CHECK(launch_add_arg(&request.launch, "f32[2]=none", NULL) && launch_add_arg(&request.launch, "f32[1024]=iota", NULL));
  CHECK(launch_add_arg(&request.launch, "i32=1024", NULL));
  Session *session = session_of(&request);
  run_request_fini(&request);
  CHECK_INT(ses_param_count(session), 8);
  CHECK(has_param(session, 0, "grid", "2") && has_param(session, 1, "block", "64") && has_param(session, 2, "shared", "256"));
  CHECK(has_param(session, 3, "y", "2") && has_param(session, 4, "x", "1024") && has_param(session, 5, "N", "1024"));
  CHECK(has_param(session, 6, "sched", "its") && has_param(session, 7, "profile", "h200"));
  keys(session, "p Down Left");
  CHECK(session->panel == &panel_params);
  CHECK_INT(session->next.launch.block[0], 32);
  rerun(session);
  CHECK_INT((int)launch_warps(&session->run->info.launch), 1);
  keys(session, "Down Left");
  CHECK_INT(session->next.launch.shared_bytes, 0);
  keys(session, "Down Down Down 5 1 2 Return");
  CHECK_INT(session->next.launch.args[2].scalar, 512);
  keys(session, "Left");
  CHECK(has_param(session, 5, "N", "511"));
  line_command(session, "set shared=128");
  line_command(session, "set x=512");
  CHECK(has_param(session, 4, "x", "512") && has_param(session, 2, "shared", "128"));
  rerun(session);
  CHECK(session->steps > 0 && session->run->fault_count == 0);
  // What cannot be is said, and the run stays.
  uint64_t steps = session->steps;
  keys(session, "Up Up Up Up 2 0 0 0 Return");
  CHECK(session->message_is_error && !session->want_rerun && session->steps == steps);
  CHECK(has_param(session, 1, "block", "32"));
  line_command(session, "set N=1.5");
  CHECK(session->message_is_error && !session->want_rerun);
  line_command(session, "set nothing=3");
  CHECK(session->message_is_error && strstr(session->message, "grid, block, shared") != NULL);
  line_command(session, "set N=-4");
  CHECK(has_param(session, 5, "N", "-4"));
  ses_free(session);
}

// ---- jobs, robustness, speed -----------------------------------------------------------------------------------------

static void jobs(void) {
  RunRequest request;
  LsErr err = {0};
  run_request_init(&request);
  request.what = ls_strdup("reduce2");
  request.recipe = &reduce;
  request.values = (RecipeValues){.value = {N, BLOCKS, 1}};
  request.record = true;
  Job *job = job_start(&request);
  while (!job_wait(job, 50)) continue;
  CHECK(job_done(job));
  Run *run = job_take(job, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  CHECK(trace_steps(run->trace) > 0);
  run_free(run);
  job_free(job_start(&request));
  request.values.value[0] = 1 << 20;
  job = job_start(&request);
  job_cancel(job);
  run = job_take(job, &err);
  CHECK(run || err.kind == LS_ECANCEL);
  run_free(run);
  free(request.what);
  request.what = ls_strdup("/nowhere/at-all.ptx");
  request.recipe = NULL;
  CHECK(!job_take(job_start(&request), &err) && err.message[0]);
  run_request_fini(&request);
}

static void a_saved_trace(void) {
  const char *path = "session-test.lst";
  RunRequest request;
  LsErr err = {0};
  run_request_init(&request);
  request.what = ls_strdup("reduce2");
  request.recipe = &reduce;
  request.values = (RecipeValues){.value = {N, BLOCKS, 1}};
  request.cut = DEV_WRITTEN;
  request.cut_given = request.record = true;
  run_free(run_new_to_file(&request, path, NULL, &err));
  run_request_fini(&request);
  Run *run = run_open(path, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(run);
  Session *session = ses_new(run);
  session->panels = panels;
  go_to(session, 0, 18, 2);
  CHECK_INT(lanes_with(session, "k", 16, 0), 32);
  keys(session, "o");
  CHECK(session->message_is_error && !session->want_rerun);
  keys(session, "p");
  CHECK(session->message_is_error && !session->panel);
  for (int i = 0; i < 1000 && !ses_scene(session)->so_far_known; i++) ses_tick(session, 0.03);
  CHECK(ses_scene(session)->so_far_known);
  CHECK(ses_scene(session)->so_far.value[COUNTER_WARP_INSTRUCTIONS] > 0);
  ses_free(session);
  remove(path);
}

// Bytes of a trace that were damaged on disk: what opens can be walked through.
static void a_damaged_trace(void) {
  const char *path = "session-damaged.lst";
  RunRequest request;
  LsErr err = {0};
  run_request_init(&request);
  request.what = ls_strdup("warp_reduce");
  request.recipe = &warp_sum;
  request.cut = DEV_WRITTEN;
  request.cut_given = request.record = true;
  run_free(run_new_to_file(&request, path, NULL, &err));
  run_request_fini(&request);
  size_t size = 0;
  char *bytes = ls_file_read(path, 1 << 20, &size, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
  int opened = 0;
  for (size_t at = 8; at < size; at += size / 60 + 1) {
    bytes[at] = (char)(bytes[at] ^ 0x55);
    ls_file_write(path, bytes, size, &err);
    bytes[at] = (char)(bytes[at] ^ 0x55);
    Run *run = run_open(path, &err);
    if (!run) continue;
    Session *session = ses_new(run);
    session->panels = panels;
    opened++;
    for (int i = 0; i < 40; i++) keys(session, i % 3 ? "l" : i % 2 ? "n" : "L"), ses_scene(session);
    keys(session, "G u ] [ N g");
    CHECK(session->steps == 0 || session->step < session->steps);
    ses_free(session);
  }
  CHECK(opened > 0);
  free(bytes);
  remove(path);
}

// A run that only counts has no steps: nothing to show, nothing to trip over.
static void no_steps(void) {
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup("reduce2");
  request.recipe = &reduce;
  request.values = (RecipeValues){.value = {N, BLOCKS, 1}};
  request.record = false;
  Session *session = session_of(&request);
  run_request_fini(&request);
  CHECK_INT(session->steps, 0);
  CHECK(ses_scene(session) == NULL);
  for (uint32_t code = 32; code < 127; code++) {
    ses_key(session, (AppKey){.code = code});
    ses_key(session, (AppKey){.code = KEY_RETURN_});
    ses_key(session, (AppKey){.code = KEY_ESC_});
  }
  SesBar bar[10];
  int cursor, pc;
  bool current;
  double value;
  const char *const *lines;
  const char *path;
  ses_time_bar(session, 10, bar, &cursor);
  CHECK_INT(cursor, 0);
  CHECK(!ses_margin_value(session, 9, &value, &current));
  CHECK(ses_source_lines(session, &lines, &path) > 0);
  CHECK(ses_ptx_rows(session) > 0 && ses_ptx_row(session, 0, &pc, &current)[0]);
  ses_tick(session, 1.0);
  ses_key(session, (AppKey){.code = KEYX_MOUSE, .x = 5, .y = 22, .button = 1});
  ses_free(session);
}

static bool place_holds(Session *session) {
  return session->step < session->steps && session->warp >= 0 && session->warp < 32 && session->lane >= -1 && session->lane < 32 &&
         session->focus < FOCUS_COUNT && session->pane < PANE_COUNT && session->margin < ses_margin_count();
}

static void any_keys(void) {
  static const uint32_t special[] = {KEY_ESC_, KEY_RETURN_, KEY_TAB_, KEY_BACKSPACE_, KEY_CTRL_L_, 0, 1, 127, 0xfffd, 0x10ffff,
                                     UINT32_MAX,
                                     KEYX_UP, KEYX_DOWN, KEYX_LEFT, KEYX_RIGHT, KEYX_HOME, KEYX_END, KEYX_PGUP, KEYX_PGDN,
                                         KEYX_INSERT,
                                     KEYX_SHIFT_LEFT, KEYX_SHIFT_RIGHT, KEYX_CTRL_LEFT, KEYX_CTRL_RIGHT, KEYX_F1, KEYX_MOUSE,
                                         KEYX_RESIZE};
  Session *session = standard();
  uint64_t state = 20261120;
  LsText out = {0};
  int bad = 0;
  for (int i = 0; i < 10000; i++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    uint32_t draw = (uint32_t)(state >> 33);
    AppKey key = {.code = draw % 3 ? 32 + draw / 3 % 95 : special[draw / 3 % LS_COUNT(special)],
                  .x = (int)(draw >> 8 & 255) - 20, .y = (int)(draw >> 16 & 63) - 10, .button = (int)(draw % 8)};
    ses_key(session, key);
    if (draw % 7 == 0) ses_tick(session, 0.3);
    if (draw % 11 == 0) session->cols = (int)(draw % 250), session->rows = (int)(draw / 256 % 80);
    if (session->want_rerun) {
      LsErr err = {0};
      // Sizes that keep the test quick; the rest are refused as a page would refuse them.
      bool small = session->next.values.value[0] <= 4096 && session->next.values.value[1] <= 4 &&
          session->next.values.value[2] <= 3;
      Run *run = small ? run_new(&session->next, NULL, &err) : NULL;
      if (run) ses_replace_run(session, run);
      else ses_run_failed(session, &err);
    }
    session->want_quit = false;
    bad += !ses_scene(session) || !place_holds(session);
    if (draw % 5 == 0) ses_param_help(session, session->pick, &out), ses_registers(session, &out), ls_text_clear(&out);
    if (session->peer) bad += !ses_scene(ses_peer(session));
  }
  CHECK_INT(bad, 0);
  ls_text_free(&out);
  ses_free(session);
}

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

// The promise is 16 ms; the bound leaves room for a machine that does other things too.
static void quick_anywhere(void) {
  Session *session = open_session(DEV_WRITTEN, 1 << 17, 2, 3);
  ses_scene(session);
  do_command(session, CMD_LAST, 0);
  ses_scene(session);
  uint64_t state = 7;
  double worst = 0, sum = 0;
  enum { ROUNDS = 100 };
  for (int i = 0; i < ROUNDS; i++) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    double start = now();
    do_command(session, CMD_GOTO, (int64_t)((state >> 20) % session->steps));
    ses_scene(session);
    double took = now() - start;
    worst = LS_MAX(worst, took);
    sum += took;
  }
  printf("%llu steps: jump %.2f ms, worst %.2f ms ", (unsigned long long)session->steps, 1e3 * sum / ROUNDS, 1e3 * worst);
  CHECK(sum / ROUNDS < 0.1);
  ses_free(session);
}

static void places_with_names(void) {
  Session *session = standard();
  line_command(session, "goto end");
  CHECK_INT(session->step, session->steps - 1);
  line_command(session, "goto start");
  CHECK_INT(session->step, 0);
  line_command(session, "goto fault");
  CHECK(session->message_is_error && strstr(session->message, "nothing went wrong") != NULL);
  line_command(session, "goto line:x");
  CHECK(session->message_is_error);
  line_command(session, "goto nowhere");
  CHECK(session->message_is_error && strstr(session->message, "whole number") != NULL);
  ses_free(session);
}

// ---- lists -----------------------------------------------------------------------------------------------------------

static RunRequest hello_request(void) {
  RunRequest request;
  LsErr err = {0};
  run_request_init(&request);
  request.what = ls_strdup(LS_SOURCE_DIR "/tests/unit/sim/kernels/hello.ptx");
  request.blocks = ls_strdup("0");
  request.record = true;
  request.launch.grid[0] = 3;
  request.launch.block[0] = 64;
  CHECK(launch_add_arg(&request.launch, "i32[128]=none", &err));
  return request;
}

// grid.sync() is a dozen functions of headers, inlined, with variables of their own: those of the kernel come first.
static void own_variables_first(void) {
  static const char *const args[] = {"i32[1000]=iota", "i32[2]=none", "i32[1]=none", "i32=1000"};
  static const char *const own[] = {"i", "k", "b", "sum", "t", "n", "in", "part", "out"};
  RunRequest request;
  LsErr err = {0};
  run_request_init(&request);
  request.what = ls_strdup(LS_SOURCE_DIR "/tests/runs/faults/grid.g.ptx");
  request.record = true;
  request.launch.kernel = ls_strdup("grid_sum");
  request.launch.grid[0] = 2;
  request.launch.block[0] = 33;
  for (int i = 0; i < LS_COUNT(args); i++) CHECK(launch_add_arg(&request.launch, args[i], &err));
  Session *session = session_of(&request);
  run_request_fini(&request);
  const Scene *scene = ses_scene(session);
  int last_own = -1, first_other = scene->var_count;
  for (int i = 0; i < scene->var_count; i++) {
    bool is_own = false;
    for (int k = 0; k < LS_COUNT(own); k++) is_own |= strcmp(scene->vars[i].name, own[k]) == 0;
    if (is_own) last_own = i;
    else first_other = LS_MIN(first_other, i);
  }
  CHECK(last_own >= 6 && first_other < scene->var_count);
  CHECK(last_own < first_other);
  ses_free(session);
}

// Block 1 is not recorded, and it is there that the race is found: going there records it.
static void a_fault_elsewhere(void) {
  RunRequest request = hello_request();
  Session *session = session_of(&request);
  run_request_fini(&request);
  SesRow row;
  CHECK_INT(session->run->fault_count, 1);
  CHECK(session->run->faults[0].step == UINT64_MAX);
  CHECK(strstr(session->message, "!") != NULL);
  keys(session, "!");
  CHECK(session->panel == &panel_faults);
  CHECK_INT(ses_fault_count(session), 1);
  CHECK(ses_fault_row(session, 0, &row) && row.when == WHEN_NOT_RECORDED && strcmp(row.who, "race") == 0);
  CHECK(!ses_fault_row(session, 1, &row) && !ses_fault_row(session, -1, &row));
  LsText help = {0};
  ses_fault_words(session, 0, &help);
  CHECK(strstr(ls_text_str(&help), "--blocks 1") != NULL);
  ls_text_free(&help);
  keys(session, "Return");
  CHECK(session->want_rerun && !session->panel);
  rerun(session);
  CHECK_INT(ses_scene(session)->event.kind, TRACE_FAULT);
  CHECK_INT(session->block, 1);
  keys(session, "g ! Return");
  CHECK(!session->want_rerun && ses_scene(session)->event.kind == TRACE_FAULT);
  do_command(session, CMD_FIRST, 0);
  line_command(session, "goto fault");
  CHECK_INT(ses_scene(session)->event.kind, TRACE_FAULT);
  const TraceFault *race = &session->run->faults[0];
  keys(session, "u");   // to the other access: of the other block, by the thread that is named, on the same bytes
  const Scene *scene = ses_scene(session);
  CHECK(scene->event.kind != TRACE_FAULT && scene->event.pc == race->other_pc &&
        scene->event.block == race->other_block);
  CHECK(scene->event.warp == race->other_thread / 32 && (scene->event.mask >> race->other_thread % 32 & 1));
  CHECK_INT(scene->event.addr[race->other_thread % 32], race->addr);
  CHECK(strstr(session->message, "the other access") != NULL);
  ses_free(session);
}

// The transpose reads columns of its tile on line 15: that is its one finding of a line, and everything leads to it.
static void findings_lead_there(void) {
  Session *session = open_fixed(&transpose, DEV_WRITTEN, SIM_ITS);
  LsText words = {0};
  CHECK(!ses_findings(session) && ses_findings_wait(session));
  ses_title_found(session, false, &words);
  CHECK_INT(words.length, 0);
  CHECK(ses_tick(session, 0.03) && ses_findings(session) && !ses_findings_wait(session));
  ses_title_found(session, false, &words);
  CHECK_STR(ls_text_str(&words), "1 finding · f lists it");   // that the grid is small is listed, but no news
  CHECK_INT(ses_finding_count(session), 2);
  ls_text_free(&words);
  const Finding *first = ses_finding(session, 0);
  CHECK(first->kind == FINDING_BANK_CONFLICT && first->line == 15);
  CHECK(!ses_finding(session, ses_finding_count(session)) && !ses_finding(session, -1));
  CHECK_INT(session->margin, SES_MARGIN_CONFLICTS);   // what says most of this kernel
  CHECK_INT(ses_line_finding(session, 15), 'c');
  CHECK_INT(ses_line_finding(session, 11), 0);
  keys(session, "n");
  CHECK_INT(ses_scene(session)->line, 15);
  CHECK(ses_scene(session)->event.kind == TRACE_LOAD && ses_scene(session)->event.space == TRACE_SHARED);
  CHECK_INT(ses_parts(session) > 0, 1);
  uint64_t at = session->step;
  keys(session, "g f");
  CHECK(session->panel == &panel_findings && session->pick == 0);
  keys(session, "Return");
  CHECK(!session->panel && session->step == at);
  keys(session, "m");
  int chosen = session->margin;
  CHECK(chosen != SES_MARGIN_CONFLICTS && session->margin_chosen);
  ses_choose_margin(session);
  CHECK_INT(session->margin, chosen);
  ses_free(session);
}

// Loops around a branch that parts the lanes execute it often: n stops where it does part them.
static void findings_are_where_lanes_part(void) {
  Session *session = open_fixed(&lock, DEV_WRITTEN, SIM_ITS);
  int parted = 0;
  CHECK(ses_tick(session, 0.03) && ses_findings(session));
  for (int i = 0; i < 20; i++) {
    keys(session, "n");
    const TraceEvent *event = &ses_scene(session)->event;
    CHECK(event->kind != TRACE_BRANCH || (event->flags & TRACE_DIVERGES));
    parted += event->kind == TRACE_BRANCH;
  }
  CHECK(parted > 0);
  ses_free(session);
}

// A column of the time bar is marked where steps of it are executions of a line that wastes, and nowhere else.
static void the_bar_shows_waste(void) {
  enum { COLUMNS = 64 };
  Session *session = open_fixed(&transpose, DEV_WRITTEN, SIM_ITS);
  SesBar bar[COLUMNS];
  TraceEvent event;
  int cursor, marked = 0, pc;
  ses_tick(session, 0.03);
  pc = ses_finding(session, 0)->pc;
  ses_time_bar(session, COLUMNS, bar, &cursor);
  CHECK(session->steps / COLUMNS <= 128);   // every step of a column is looked at
  for (int i = 0; i < COLUMNS; i++) {
    int wasteful = 0;
    uint64_t end = session->steps * ((uint64_t)i + 1) / COLUMNS;
    for (uint64_t step = session->steps * (uint64_t)i / COLUMNS; step < end; step++)
      wasteful += trace_event(session->run->trace, step, &event, NULL) && event.pc == pc;
    CHECK((bar[i].mark == 'c') == (wasteful > 0));
    CHECK(bar[i].mark != 'c' || bar[i].height >= 4);
    marked += wasteful > 0;
  }
  CHECK(marked > 2 && marked < COLUMNS / 2);
  ses_free(session);
}

// Four threads of every block print, and one more; two calls of warp 0 and one of warp 1, which comes in between.
static void check_output(Session *session) {
  static const char *const said[] = {"thread 3 of block 0", "thread 19 of block 0", "thread 35 of block 0",
                                     "thread 51 of block 0"};
  SesRow row;
  keys(session, "P");
  CHECK(session->panel == &panel_output);
  CHECK_INT(ses_print_count(session), 15);
  for (int i = 0; i < 4; i++) CHECK(ses_print_row(session, i, &row) && strcmp(row.text, said[i]) == 0 && row.when == WHEN_AFTER);
  CHECK(ses_print_row(session, 14, &row) && row.when == WHEN_NOT_RECORDED);
  keys(session, "Down Return");
  CHECK_INT(ses_scene(session)->event.kind, TRACE_CALL);
  CHECK(strstr(ses_scene(session)->sentence,
               "2 lanes print \"thread 3 of block 0\" (lane 3), \"thread 19 of block 0\" (lane 19)") != NULL);
  keys(session, "P");
  CHECK_INT(session->pick, 1);
  CHECK(ses_print_row(session, 1, &row) && row.when == WHEN_HERE);
  CHECK(ses_print_row(session, 2, &row) && row.when == WHEN_AFTER);
  keys(session, "Esc l");
  CHECK(strstr(ses_scene(session)->sentence, "print") == NULL);
}

static void what_was_printed(void) {
  const char *path = "session-hello.lst";
  RunRequest request = hello_request();
  LsErr err = {0};
  Session *session = session_of(&request);
  check_output(session);
  keys(session, "P G Return");   // of block 2, which is recorded for it
  rerun(session);
  CHECK_INT(session->block, 2);
  CHECK(strstr(ses_scene(session)->sentence, "the end") != NULL);
  ses_free(session);
  run_free(run_new_to_file(&request, path, NULL, &err));
  run_request_fini(&request);
  Run *saved = run_open(path, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(saved);
  CHECK(strstr(run_output(saved), "thread 51 of block 2\n") != NULL);
  session = ses_new(saved);
  session->panels = panels;
  check_output(session);
  ses_free(session);
  remove(path);
}

static void lists_of_nothing(void) {
  Session *session = standard();
  keys(session, "!");
  CHECK(!session->panel && strstr(session->message, "nothing went wrong") != NULL);
  keys(session, "P");
  CHECK(!session->panel && strstr(session->message, "printed nothing") != NULL);
  ses_free(session);
}

// A panel that makes way for another one leaves nothing behind; a list goes on with the run that comes meanwhile.
static void one_panel_at_a_time(void) {
  Session *session = standard();
  FocusKind before = session->focus;
  keys(session, "W");
  CHECK(session->panel == &panel_waves && session->focus == FOCUS_WAVES);
  do_command(session, CMD_HELP, 0);
  CHECK(session->panel == &panel_help && session->focus == before && session->focus_auto);
  keys(session, "Down c");   // no command of the help
  CHECK(session->panel == &panel_help && session->pick == 1);
  do_command(session, CMD_COMPARE, 0);
  do_command(session, CMD_PARAMS, 0);
  CHECK(session->panel == &panel_params && session->pick == 0 && ses_compare_count(session) == 0);
  ses_free(session);   // with a panel open
  RunRequest request = hello_request();
  session = session_of(&request);
  keys(session, "!");
  ses_replace_run(session, run_of(&request));
  run_request_fini(&request);
  CHECK(session->panel == &panel_faults);
  keys(session, "Return");
  CHECK(!session->panel && session->want_rerun);
  ses_free(session);
}

// A session that was given no panels has none: their keys mean nothing, and a digit no command line.
static void without_panels(void) {
  Session *session = standard();
  session->panels = NULL;
  for (const char *key = "pc!PW?/:wbi5"; *key; key++) CHECK(!ses_key(session, (AppKey){.code = (uint32_t)*key}));
  CHECK(!session->panel && !session->message[0]);
  CHECK(line_command(session, "goto 7"));
  CHECK_INT(session->step, 7);
  ses_free(session);
}

// With no patience at all values come with the ticks, and are the same in the end.
static void values_come_later(void) {
  Session *hasty = standard(), *patient = standard();
  hasty->patience = 1e-9;
  uint64_t places[] = {hasty->steps - 1, 5, hasty->steps / 2, hasty->steps / 2 + 1};
  for (int i = 0; i < LS_COUNT(places); i++) {
    do_command(hasty, CMD_GOTO, (int64_t)places[i]);
    do_command(patient, CMD_GOTO, (int64_t)places[i]);
    int ticks = 0;
    const Scene *scene = ses_scene(hasty), *same = ses_scene(patient);
    CHECK(i > 0 || scene->values_pending);
    CHECK_INT(scene->event.pc, same->event.pc);
    for (; ses_scene(hasty)->values_pending && ticks < 100000; ticks++) {
      hasty->patience = 0.0005;
      ses_tick(hasty, 0.03);
    }
    CHECK(ticks < 100000 && scene->values_known && scene->var_count == same->var_count);
    for (int v = 0; v < scene->var_count; v++)
      CHECK(scene->vars[v].valid == same->vars[v].valid && memcmp(scene->vars[v].bits, same->vars[v].bits,
                                                                  sizeof same->vars[v].bits) == 0);
  }
  ses_free(hasty);
  ses_free(patient);
}

static const Check checks[] = {
    {"variables by name in all lanes", variables_by_name},
    {"masked lanes keep their values", masked_lanes_keep_values},
    {"before and out of scope", before_and_out_of_scope},
    {"changes are marked", changes_are_marked},
    {"time has no direction", time_has_no_direction},
    {"wrappers of the toolkit belong to the line", wrappers_belong_to_the_line},
    {"headers are stepped over, or into", headers_are_stepped_over},
    {"the kernel's own variables come first", own_variables_first},
    {"memory at the cursor", memory_at_the_cursor},
    {"loads and stores have values", loads_have_values},
    {"line by line, there and back", line_by_line},
    {"by warp", by_warp},
    {"events of interest and marks", events_of_interest},
    {"sentences are of the source", sentences_are_of_the_source}, {"focus follows, holds, turns", focus_follows},
    {"going to numbers, and out of range", going_to_numbers},
    {"finding", finding},
    {"finding conflicts", finding_conflicts},
    {"finding faults", finding_faults},
    {"who wrote this", who_wrote_this},
    {"picking warp, lane, block", picking},
    {"a block that was not recorded", unrecorded_block},
    {"parameters keep the place", parameters_keep_the_place},
    {"the other cut keeps the line", the_other_cut},
    {"comparing", comparing},
    {"margin", margin_numbers},
    {"time bar", time_bar},
    {"source and ptx", source_and_ptx},
    {"clicks", clicks},
    {"clicks in a scrolled list", clicks_in_a_scrolled_list},
    {"playing", playing},
    {"stopped_at_a_frame", stopped_at_a_frame},
    {"without_motion", without_motion},
    {"findings lead there", findings_lead_there},
    {"findings are where lanes part", findings_are_where_lanes_part},
    {"the bar shows waste", the_bar_shows_waste},
    {"words of the picture", words_of_the_picture},
    {"lines with faults", lines_with_faults},
    {"a launch is edited", a_launch_is_edited},
    {"jobs", jobs},
    {"a saved trace", a_saved_trace},
    {"a damaged trace", a_damaged_trace},
    {"a run without steps", no_steps},
    {"values come later", values_come_later},
    {"places with names", places_with_names},
    {"a fault in a block that is not recorded", a_fault_elsewhere},
    {"what was printed", what_was_printed},
    {"opened early", opened_early},
    {"lists of nothing", lists_of_nothing},
    {"one panel at a time", one_panel_at_a_time},
    {"without panels", without_panels},
    {"any keys", any_keys},
    {"quick anywhere", quick_anywhere},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  return check_main("session", checks, LS_COUNT(checks), argc, argv);
}
