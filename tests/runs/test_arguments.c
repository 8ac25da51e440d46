// test_arguments.c: structs by value and variables of the module, from the text of -a to what a kernel computes: on the emulator, on
// the stand-in for a GPU, in traces and replays. The host's compiler lays out the same structs, and computes the same sums.
#include <unistd.h>

#include "app/run/run.h"
#include "app/session/session.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "device/device.h"
#include "launch/settle.h"
#include "ptx/debuginfo.h"
#include "sim/sim.h"

#define KERNELS LS_SOURCE_DIR "/tests/unit/sim/kernels/"
enum { THREADS = 64, N = 50 };

typedef struct Float4 { _Alignas(16) float x; float y, z, w; } Float4;
typedef struct Params {
  int32_t n;
  uint64_t out, in;
  float v[3];
  struct { float x, y; } p;
  double d;
  signed char c;
  bool b;
  Float4 q;
} Params;

static const Params params = {.n = N, .v = {0.5f, 1.5f, -2}, .p = {3, 4}, .d = 0.25, .c = -3, .b = true,
                              .q = {1, 2, 3, 4}};
#define BY_NAME "struct:n=50,out=float[64]=zero,in=float[64]=iota,v={0.5,1.5,-2},p.x=3,p.y=4,d=0.25,c=-3,b=true,q={1,2,3,4}"
#define IN_ORDER "struct:int=50,float[64]=zero,f32[64]=iota,f32[3]={0.5,1.5,-2},f32=3,float=4,double=0.25,signed char=-3,bool=1," \
                 "float4={1,2,3,4}"

static float wanted(int i) {
  static const float coefficients[3] = {2, 0.5f, -1};
  static const int grid[2][3] = {{1, 2, 3}, {4, 0, 0}};
  float sum = (float)i * coefficients[i % 3] + (float)(10 * (i & 3)) + params.v[i % 3] + params.p.x - params.p.y;
  sum += (float)params.d + (float)params.c + 100 + params.q.x + 2 * params.q.w + 5 + 2 * 6 + 7;
  sum += 0.5f + (i & 1 ? 0.25f : 8) + 9 + (float)(i % 16) + 7 + 1000 + 30;
  return i < N ? sum + (float)grid[i & 1][i % 3] : 0;
}

static const char *const variables[] = {
    "@coefficients=float:2,.5,-1", "@settings=struct:n=1000,v[2]=30", "@table=0,10,20,30", "@deep::bias=0.5",
    "@deep::coefficients=f64:8,.25",
    "@hidden=int:9", "@more=float[64]=mod:16", "@grid={{1,2,3},{4}}", "@counter>counter.bin"};
// As PTX without names can have them: numbers with types, structs in order.
static const char *const typed_variables[] = {
    "@coefficients=float:2,.5,-1", "@settings=struct:int=1000,u64=0,u64=0,f32[3]={0,0,30},f32[2]={0,0},f64=0,i8=0,u8=0,float4={0,0,0,0}",
    "@table=int:0,10,20,30", "@deep::bias=0.5", "@deep::coefficients=f64:8,.25", "@hidden=int:9",
        "@grid=int:1,2,3,4,0,0"};

static PtxModule *written;   // arguments.g.ptx

static PtxModule *parse(const char *name) {
  size_t length;
  LsErr err = {0};
  char *path = ls_path_join(KERNELS, name), *text = ls_file_read(path, 1 << 20, &length, &err);
  PtxModule *module = text ? ptx_parse(name, text, length, &err) : NULL;
  if (!module) printf("\n%s\n", err.message);
  free(path);
  free(text);
  return module;
}

static void add(Launch *launch, const char *text) {
  LsErr err = {0};
  bool ok = launch_add_arg(launch, text, &err);
  if (!ok) printf("\n%s\n", err.message);
  CHECK(ok);
}

static void make_launch(Launch *launch, bool named) {
  launch_init(launch);
  launch->grid[0] = 2;
  launch->block[0] = THREADS / 2;
  for (int i = 0; i < (named ? LS_COUNT(variables) : 4); i++) add(launch, named ? variables[i] : typed_variables[i]);
  add(launch, named ? "half=7" : IN_ORDER);
  add(launch, "w=int2=5,6" + (named ? 0 : 2));
  add(launch, named ? "p=" BY_NAME : "short=7");
  for (int i = 4; !named && i < LS_COUNT(typed_variables); i++) add(launch, typed_variables[i]);
}

static int arg_called(const Launch *launch, const char *name) {
  for (int i = 0; i < launch->arg_count; i++)
    if (launch->args[i].name && strcmp(launch->args[i].name, name) == 0) return i;
  return -1;
}

static void check_sums(const uint8_t *bytes, uint64_t size, bool more) {
  CHECK(bytes != NULL && size == 4 * THREADS);
  for (int i = 0; bytes && size == 4 * THREADS && i < THREADS; i++) {
    float got, expected = wanted(i) - (more || i >= N ? 0 : (float)(i % 16));
    memcpy(&got, bytes + 4 * i, 4);
    if (got != expected) printf("\nthread %d: %g, expected %g\n", i, (double)got, (double)expected);
    CHECK(got == expected);
  }
}

// ---- layout ----------------------------------------------------------------------------------------------------------

// Bytes between members are zero on both sides.
static void as_the_compiler_lays_it_out(void) {
  PtxModule *module = parse("arguments.g.ptx");
  static const char *const texts[] = {BY_NAME, IN_ORDER};
  Params host;
  memset(&host, 0, sizeof host);
  host.n = params.n, host.d = params.d, host.c = params.c, host.b = params.b, host.p.x = 3, host.p.y = 4;
  memcpy(host.v, params.v, sizeof host.v);
  host.q = params.q;
  for (int t = 0; module && t < LS_COUNT(texts); t++) {
    Launch launch;
    LsErr err = {0};
    LsText notes = {0};
    launch_init(&launch);
    add(&launch, texts[t]);
    add(&launch, "int2=5,6");
    add(&launch, "short=7");
    bool ok = launch_settle(module, ptx_find_entry(module, NULL, NULL), &launch, &notes, &err);
    if (!ok) printf("\n%s\n", err.message);
    CHECK(ok && launch.arg_count == 5 && notes.length == 0);
    CHECK(launch.args[0].count == sizeof host && memcmp(launch.args[0].data, &host, sizeof host) == 0);
    static const size_t places[] = {offsetof(Params, out), offsetof(Params, in)};
    for (int i = 3; i < launch.arg_count; i++) {
      const LaunchArg *arg = &launch.args[i];
      CHECK(arg->role == LAUNCH_POINTEE && arg->owner == 0 && arg->offset == places[i - 3] && arg->count == 64);
    }
    launch_fini(&launch);
    ls_text_free(&notes);
  }
  ptx_module_free(module);
}

// ---- runs ------------------------------------------------------------------------------------------------------------

// The compiled cut gets its names from the other one, as a run of a .cu has it; or there are no names at all.
static void run_cut(const char *cut, const char *names, bool more) {
  PtxModule *module = parse(cut), *other = names ? parse(names) : NULL;
  Launch launch;
  LsErr err = {0};
  SimOptions options;
  sim_options_init(&options);
  make_launch(&launch, more);
  if (other) {
    ptx_adopt_params(module, ptx_find_entry(module, NULL, NULL), other, ptx_find_entry(other, NULL, NULL));
    ptx_adopt_var_types(module, other);
  }
  int entry = ptx_find_entry(module, NULL, NULL);
  bool settled = launch_settle(module, entry, &launch, NULL, &err);
  Sim *sim = settled ? sim_new(module, entry, &launch, &options, &err) : NULL;
  if (!sim) printf("\n%s: %s\n", cut, err.message);
  CHECK(sim != NULL && sim_run(sim, NULL, &err));
  int faults = 0, out = arg_called(&launch, more ? "p.out" : "member at byte 8");
  uint64_t size = 0;
  const uint8_t *bytes = sim ? sim_buffer(sim, out, &size) : NULL;
  if (sim) sim_faults(sim, &faults);
  CHECK_INT(faults, more ? 0 : 1);   // nobody said where `more` points: it is null
  if (more) check_sums(bytes, size, true);
  uint32_t counter = 0;
  const uint8_t *count = sim && more ? sim_buffer(sim, arg_called(&launch, "counter"), &size) : NULL;
  if (count) memcpy(&counter, count, 4);
  CHECK_INT(counter, more ? N : 0);
  sim_free(sim);
  launch_fini(&launch);
  ptx_module_free(module);
  ptx_module_free(other);
}

static void both_cuts_compute_it(void) {
  run_cut("arguments.g.ptx", NULL, true);
  run_cut("arguments.ptx", "arguments.g.ptx", true);
  run_cut("arguments.ptx", NULL, false);
}

static Run *run_file(const char *what, const char *trace, bool args) {
  LsErr err = {0};
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup(what);
  free(request.device);
  request.device = ls_strdup("emu");
  request.record = true;
  launch_fini(&request.launch);
  if (args) make_launch(&request.launch, true);
  else launch_init(&request.launch);
  Run *run = run_new_to_file(&request, trace, NULL, &err);
  if (!run) printf("\n%s: %s\n", what, err.message);
  CHECK(run != NULL);
  run_request_fini(&request);
  return run;
}

static void check_run(const Device *device, const DevRun *run, const Launch *launch) {
  uint64_t size = 0;
  const uint8_t *bytes = device->buffer(run, arg_called(launch, "p.out"), &size);
  check_sums(bytes, size, true);
  uint32_t counter = 0;
  bytes = device->buffer(run, arg_called(launch, "counter"), &size);
  CHECK(bytes != NULL && size == 4);
  if (bytes && size == 4) memcpy(&counter, bytes, 4);
  CHECK_INT(counter, N);
}

// A GPU has two modules with variables of their own: the plain one, and the instrumented one. Contents come to both,
// and both compute the same.
typedef struct Heard { TraceSink sink; TraceMeasure measure; int measures; } Heard;

static void hear_measure(TraceSink *sink, const TraceMeasure *measure) {
  Heard *heard = (Heard *)(void *)sink;
  heard->measure = *measure;
  heard->measures++;
}

static void a_gpu_computes_it(void) {
  setenv("LANESCOPE_CUDA_LIBRARY", LS_FAKE_CUDA, 1);
  for (int timed = 0; timed < 2; timed++) {
    Launch launch;
    LsErr err = {0};
    TraceInfo info;
    SimOptions options;
    Heard heard = {.sink = {.measure = hear_measure}};
    int entry = ptx_find_entry(written, NULL, NULL);
    make_launch(&launch, true);
    sim_options_init(&options);
    trace_info_init(&info);
    CHECK(launch_settle(written, entry, &launch, NULL, &err));
    DevRequest request = {.module = written, .entry = entry, .launch = &launch, .options = &options, .timed = timed};
    DevRun *run = dev_cuda_here.open(&request, &info, &err);
    bool ok = run && dev_cuda_here.run(run, &heard.sink, &err);
    if (!ok) printf("\n%s\n", err.message);
    CHECK(ok && heard.measures == 1 && heard.measure.differing_bytes == 0);
    if (ok) check_run(&dev_cuda_here, run, &launch);
    dev_cuda_here.close(run);
    trace_info_fini(&info);
    launch_fini(&launch);
  }
}

static void files_get_their_bytes(void) {
  Run *run = run_file(KERNELS "arguments.g.ptx", NULL, true);
  LsErr err = {0};
  size_t size = 0;
  if (run) check_run(run->device, run->device_run, &run->info.launch);
  CHECK(run && run_write_outputs(run, &err));
  char *bytes = ls_file_read("counter.bin", 64, &size, &err);
  CHECK(bytes && size == 4 && bytes[0] == N && !bytes[1]);
  free(bytes);
  unlink("counter.bin");
  run_free(run);
}

// A saved trace has all of it: it replays, and runs again, from the compiled cut without any names too.
static void traces_keep_them(void) {
  char path[] = "test_arguments_XXXXXX";
  int fd = mkstemp(path);
  CHECK(fd >= 0);
  close(fd);
  Run *run = run_file(KERNELS "arguments.g.ptx", path, true);
  run_free(run);
  run = run_file(path, NULL, false);
  if (run) check_run(run->device, run->device_run, &run->info.launch);
  run_free(run);
  LsErr err = {0};
  run = run_open(path, &err);
  CHECK(run != NULL);
  SimReplay *replay = run ? run_replay(run, &err) : NULL;
  CHECK(replay && sim_replay_seek(replay, 0, UINT64_MAX, &err));
  int var = run ? launch_find_variable(run->module, "coefficients", &err) : -1;
  uint64_t addr = 0;
  float values[3] = {0};
  CHECK(replay && var >= 0 && sim_replay_var(replay, var, &addr));
  CHECK(replay && sim_replay_read(replay, TRACE_CONST, 0, addr, sizeof values, (uint8_t *)values,
                                  NULL) == sizeof values);
  CHECK(values[0] == 2 && values[1] == 0.5f && values[2] == -1);
  run_free(run);
  unlink(path);
}

// ---- text ------------------------------------------------------------------------------------------------------------

static bool settle_all(Launch *launch, const char *const *texts, int count, LsText *notes, LsErr *err) {
  launch_init(launch);
  for (int i = 0; i < count; i++)
    if (!launch_add_arg(launch, texts[i], err)) return false;
  return launch_settle(written, ptx_find_entry(written, NULL, NULL), launch, notes, err);
}

// Settled, printed, parsed and settled again it is the same.
static void text_and_back(void) {
  Launch first, second;
  LsErr err = {0};
  make_launch(&first, true);
  CHECK(launch_settle(written, ptx_find_entry(written, NULL, NULL), &first, NULL, &err));
  launch_init(&second);
  int texts = 0;
  for (int i = 0; i < first.arg_count; i++) {
    char *text = launch_argument_text(&first, i);
    CHECK(!text == (first.args[i].role == LAUNCH_POINTEE));
    texts += text != NULL;
    if (text) add(&second, text);
    free(text);
  }
  CHECK_INT(texts, LS_COUNT(variables) + 3);
  CHECK(launch_settle(written, ptx_find_entry(written, NULL, NULL), &second, NULL, &err));
  CHECK(launch_settle(written, ptx_find_entry(written, NULL, NULL), &second, NULL, &err));   // and once more
  CHECK_INT(first.arg_count, second.arg_count);
  for (int i = 0; i < first.arg_count && i < second.arg_count; i++) {
    const LaunchArg *a = &first.args[i], *b = &second.args[i];
    CHECK(a->role == b->role && a->type == b->type && a->count == b->count && a->init == b->init &&
          a->owner == b->owner);
    CHECK(a->offset == b->offset && !a->output == !b->output && !a->data == !b->data);
    if (a->data && b->data) CHECK(memcmp(a->data, b->data, (size_t)a->count * (size_t)launch_type_size(a->type)) == 0);
  }
  launch_fini(&first);
  launch_fini(&second);
}

#define PARAMS_ARE "Params is int n, float *out, const float *in, float v[3], Inner p, double d, signed char c, bool b, float4 q"
static void wrong_ones_say_what_is_expected(void) {
  static const struct { const char *text, *message; } rows[] = {
      {"struct:m=3", "argument 1, p: there is no member 'm'; " PARAMS_ARE},
      {"struct:p.z=3", "argument 1, p: there is no member 'z'; Inner is float x, float y"},
      {"struct:n=3.5", "argument 1, p: p.n is int: i32 takes a whole number from -2147483648 to 2147483647, not '3.5'"},
      {"struct:c=200", "argument 1, p: p.c is signed char: i8 takes a whole number from -128 to 127, not '200'"},
      {"struct:d=1e999", "argument 1, p: p.d is double: '1e999' is too large for f64"},
      {"struct:v[3]=1", "argument 1, p: '[3]=1': an index of float [3] is a whole number below 3"},
      {"struct:n[0]=1", "argument 1, p: '[0]=1': this is int, no array"},
      {"struct:v={1,2,3,4}", "argument 1, p: p.v is float [3]: there are more than 3 values"},
      {"struct:v=5", "argument 1, p: p.v is float [3]: it takes {V,V,...} or INIT (zero, iota, const:V, ...), not '5'"},
      {"struct:v=none", "argument 1, p: a struct has no bytes that nobody wrote: say zero, not none"},
      {"struct:out=5", "argument 1, p: p.out is a pointer (float *): it takes a buffer, such as float[100]=iota, or 0, not '5'"},
      {"struct:out=float[0]=iota", "argument 1, p: the number of elements is a whole number of at least 1, not '0'"},
      {"struct:p=7", "argument 1, p: p.p is a struct (Inner): name its members, as in p.p.x=VALUE, or give {...}, not '7'"},
      {"struct:n", "argument 1, p: expected NAME=VALUE, not 'n'"},
      {"struct:i32=1,f32=2", "argument 1, p: 'f32=2' would lie at byte 4, where there is only padding; " PARAMS_ARE},
      {"struct:i32=1,u64=3", "argument 1, p: 'u64=3' would lie at byte 8, where there is float *; " PARAMS_ARE},
      {"struct:i32=1", "argument 1, p: these members are 4 bytes, the struct has 80; " PARAMS_ARE},
      {"struct:f32=1", "argument 1, p: 'f32=1' would lie at byte 0, where there is int; " PARAMS_ARE},
      {"f32=1", "argument 1 of combine(Params, int2, short): a scalar of type f32 (4 bytes) is given; the kernel expects Params p "
       "(struct:n=...,out=...,in=...,v=...,p=...,d=...,c=...,b=...,...)"},
      {"@nothing=1", "argument '@nothing': the module has no variable nothing (a compiler drops what no kernel uses); it has coefficients, "
       "settings, table, counter, more, preset, grid, deep::bias, deep::coefficients, "},
      {"@coefficients=1,2,3,4", "argument '@coefficients': coefficients is __constant__ float [3], 12 bytes: 4 of f32 are 16"},
      {"@coefficients=int:1,2,3", "argument '@coefficients': coefficients is __constant__ float [3], 12 bytes: its elements are f32, not i32"},
      {"@coefficients=f64:1", "argument '@coefficients': coefficients is __constant__ float [3], 12 bytes: its elements are f32, not f64"},
      {"@coefficients=none", "argument '@coefficients': a variable of the module is never without contents: it is zero unless the source "
       "says more"},
      {"@more=1", "argument '@more': more is a pointer: it takes a buffer, as in '@more=float[100]=iota'"},
      {"@settings=struct:v={1}}", "argument '@settings': "},
      {"@settings=1", "argument '@settings': settings is __constant__ Params, 80 bytes, and nobody says of what type: give it, as in "
       "'@settings=float:1'"},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    Launch launch;
    LsErr err = {0};
    bool variable = rows[i].text[0] == '@';
    const char *const texts[] = {variable ? BY_NAME : rows[i].text, "int2=1,2", "short=7", rows[i].text};
    bool ok = settle_all(&launch, texts, 3 + variable, NULL, &err);
    SimOptions options;
    sim_options_init(&options);
    Sim *sim = ok ? sim_new(written, ptx_find_entry(written, NULL, NULL), &launch, &options, &err) : NULL;
    if (sim || strncmp(err.message, rows[i].message, strlen(rows[i].message)) != 0)
      printf("\n%s\n  got      %s\n  expected %s\n", rows[i].text, sim ? "no error" : err.message, rows[i].message);
    CHECK(!sim && strncmp(err.message, rows[i].message, strlen(rows[i].message)) == 0);
    CHECK_INT(err.kind, LS_EREQUEST);
    sim_free(sim);
    launch_fini(&launch);
  }
}

static void wrong_text_is_refused_at_once(void) {
  static const struct { const char *text, *message; } rows[] = {
      {"struct:", "argument 'struct:': expected struct:MEMBER=VALUE,... or struct:TYPE=VALUE,..."},
      {"struct:i32=1,f32=x", "argument 'struct:i32=1,f32=x': f32 takes a number such as 1.5 or -2e-3, not 'x'"},
      {"struct:i8=1000", "argument 'struct:i8=1000': i8 takes a whole number from -128 to 127, not '1000'"},
      {"@", "argument '@': expected @NAME=TYPE:V,V,..., @NAME=INIT or @NAME>FILE, such as @coefficients=float:1,2,3"},
      {"@x", "argument '@x': expected @NAME=TYPE:V,V,..., @NAME=INIT or @NAME>FILE, such as @coefficients=float:1,2,3"},
      {"@x=", "argument '@x=': expected @NAME=TYPE:V,V,..., @NAME=INIT or @NAME>FILE, such as @coefficients=float:1,2,3"},
      {"@x>", "argument '@x>': the name of the output file is missing after '>'"},
      {"@x=flot:1", "argument '@x=flot:1': unknown type 'flot' (types: u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64, or C's: int, unsigned char, "
       "float)"},
      {"@x=float:1,y", "argument '@x=float:1,y': f32 takes a number such as 1.5 or -2e-3, not 'y'"},
      {"@x=tex.f32[4]=zero", "argument '@x=tex.f32[4]=zero': a variable of the module is no texture or surface"},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    Launch launch;
    LsErr err = {0};
    launch_init(&launch);
    CHECK(!launch_add_arg(&launch, rows[i].text, &err));
    CHECK_STR(err.message, rows[i].message);
    CHECK_INT(launch.arg_count, 0);
    launch_fini(&launch);
  }
}

// ---- notes -----------------------------------------------------------------------------------------------------------

static void zeros_are_told(void) {
  Launch launch;
  LsErr err = {0};
  LsText notes = {0};
  static const char *const texts[] = {"struct:n=3,q.y=1", "int2=1,2", "short=7", "@coefficients=5", "@counter>x",
                                      "@table=float:1,2,3,4"};
  CHECK(settle_all(&launch, texts, 5, &notes, &err));
  CHECK_STR(ls_text_str(&notes), "p: members that are not named are zero: out, in, v, p, d, c, b\n"
                                 "coefficients: the last 2 of its 3 elements are as the source has them: zero\n");
  ls_text_clear(&notes);
  CHECK_INT(launch_unset_variables(written, ptx_find_entry(written, NULL, NULL), &launch, &notes), 7);
  static const char *const told[] = {
      "settings (__constant__ Params) was given no value and reads as zeros; -a '@settings=struct:n=V,...' gives one\n",
      "table (__constant__ int [4]) was given no value and reads as zeros; -a '@table=int:V,V,...' gives one\n",
      "deep::coefficients (__constant__ double [2])", "hidden (__device__ int)", "more (__device__ float *)",
      "grid (__device__ int [2][3])",
      "-a '@more=TYPE[COUNT]=INIT' gives one\n"};
  for (int i = 0; i < LS_COUNT(told); i++) CHECK(strstr(ls_text_str(&notes), told[i]) != NULL);
  static const char *const not_told[] = {"counter", "preset", "\ncoefficients"};   // it counts, it has a value, it was
                                                                                   // given one
  for (int i = 0; i < LS_COUNT(not_told); i++) CHECK(strstr(ls_text_str(&notes), not_told[i]) == NULL);
  launch_fini(&launch);
  CHECK(!settle_all(&launch, texts, 6, NULL, &err));
  launch_fini(&launch);
  ls_text_free(&notes);
}

// Whoever looks at a run is told before he wonders.
static void a_session_begins_with_it(void) {
  LsErr err = {0};
  RunRequest request;
  run_request_init(&request);
  request.what = ls_strdup(KERNELS "arguments.g.ptx");
  free(request.device);
  request.device = ls_strdup("emu");
  request.record = true;
  static const char *const texts[] = {"struct:n=0", "int2=1,2", "short=7", "@settings=struct:n=1"};
  for (int i = 0; i < LS_COUNT(texts); i++) add(&request.launch, texts[i]);
  Run *run = run_new(&request, NULL, &err);
  CHECK(run != NULL);
  Session *session = run ? ses_new(run) : NULL;
  if (session)
    CHECK_STR(session->message, "coefficients (__constant__ float [3]) was given no value and reads as zeros; "
                                             "-a '@coefficients=float:V,V,V' gives one (and 8 more notes)");
  ses_free(session);
  run_request_fini(&request);
}

static const Check checks[] = {
    {"a session begins with it", a_session_begins_with_it},
    {"as the compiler lays it out", as_the_compiler_lays_it_out},
    {"both cuts compute it", both_cuts_compute_it},
    {"a gpu computes it", a_gpu_computes_it},
    {"files get their bytes", files_get_their_bytes},
    {"traces keep them", traces_keep_them},
    {"text and back", text_and_back},
    {"wrong ones say what is expected", wrong_ones_say_what_is_expected},
    {"wrong text is refused at once", wrong_text_is_refused_at_once},
    {"zeros are told", zeros_are_told},
};

int main(int argc, char **argv) {
  written = parse("arguments.g.ptx");
  int status = written ? check_main("arguments", checks, LS_COUNT(checks), argc, argv) : 99;
  ptx_module_free(written);
  return status;
}
