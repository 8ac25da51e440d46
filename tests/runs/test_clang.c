// test_clang.c: what clang makes of kernels with lanescope's device headers (assets/cuda), where there is a clang.
//
// Judges: the host references of the lecture kernels and the counters of nvcc's code for them; for the language,
// language.expected, a hash of each row of results that nvcc's code left (UPDATE_LANGUAGE=1, with nvcc, writes it
// anew).
#include <inttypes.h>
#include <unistd.h>

#include "app/run/run.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "check_recipes.h"
#include "device/compile/compile.h"
#include "ptx/debuginfo.h"

static RecipeBook *book;
static char folder[256];   // stands for the folder of lanescope's files, without the PTX of the kernels
static int clang_version;

// ---- lecture kernels -----------------------------------------------------------------------------------------------

// clang has no launches in device code, and says so in words that do not help.
static bool is_refused(const char *name, const LsErr *err) {
  return strcmp(name, "quicksort_tree") == 0 && strstr(err->message, "launches kernels, which clang cannot compile");
}

static Run *run_kernel(const char *name, DevCut cut, const char *files) {
  LsErr err = {0};
  RunRequest request;
  setenv("LANESCOPE_DATA", files, 1);
  run_request_init(&request);
  request.what = ls_strdup(name);
  request.recipe = book->get(book, name, &err);
  request.cut = cut;
  request.record = false;
  if (request.recipe) recipe_defaults(request.recipe, &request.values);
  Run *run = request.recipe ? run_new(&request, NULL, &err) : NULL;
  if (!run && !is_refused(name, &err)) printf("\n%s: %s\n", name, err.message);
  CHECK(run != NULL || is_refused(name, &err));
  run_request_fini(&request);
  return run;
}

// What compilers do not choose. Of the others the running sums of reduce2 to reduce4 stay in shared memory with clang,
// and it takes the work of warp_lock out of the loop. As written, one of them copies the floats of a structure one by
// one, the other all at once.
static const CounterId kept[] = {
    COUNTER_GLOBAL_LOAD_REQUESTS, COUNTER_GLOBAL_LOAD_SECTORS, COUNTER_GLOBAL_STORE_REQUESTS,
    COUNTER_GLOBAL_STORE_SECTORS,
    COUNTER_GLOBAL_RED_SECTORS, COUNTER_GLOBAL_ATOM_REQUESTS, COUNTER_GLOBAL_ATOM_SECTORS,
    COUNTER_SHARED_LOAD_INSTRUCTIONS,
    COUNTER_SHARED_LOAD_WAVEFRONTS, COUNTER_SHARED_LOAD_BANK_CONFLICTS, COUNTER_SHARED_STORE_INSTRUCTIONS,
    COUNTER_SHARED_STORE_WAVEFRONTS, COUNTER_SHARED_STORE_BANK_CONFLICTS, COUNTER_TEXTURE_FETCHES, COUNTER_BARRIERS,
    COUNTER_SHUFFLES,
    COUNTER_VOTES, COUNTER_ATOMICS, COUNTER_ATOMIC_CONFLICTS};
static const struct { const char *kernel, *counters; DevCut cut; } chosen[] = {
    {"reduce2", "shared_", DEV_COMPILED}, {"reduce3", "shared_", DEV_COMPILED}, {"reduce4", "shared_", DEV_COMPILED},
    {"warp_lock", "global_atom", DEV_COMPILED}, {"warp_lock", "atomic", DEV_COMPILED},
    {"warp_meeting", "global_load", DEV_COMPILED}, {"diverge_example", "votes", DEV_COMPILED},
    {"adj_diff_dynamic", "global_store", DEV_COMPILED}, {"adj_diff_shared", "global_store", DEV_COMPILED},
    {"ten_nn", "global_", DEV_WRITTEN}, {"texture_format", "global_store", DEV_WRITTEN},
    {"copy_back", "global_load", DEV_WRITTEN}, {"pointer_chase", "global_load", DEV_WRITTEN},
    {"wide_copy", "global_", DEV_WRITTEN}, {"wide_copy", "global_", DEV_COMPILED}};

static bool is_chosen(const char *kernel, DevCut cut, const char *counter) {
  for (int i = 0; i < LS_COUNT(chosen); i++)
    if (chosen[i].cut == cut && strcmp(chosen[i].kernel, kernel) == 0 && ls_starts_with(counter, chosen[i].counters))
      return true;
  return false;
}

// A clang that nobody has looked at may choose otherwise.
static void same_counters(const char *name, DevCut cut, const Run *clang, const Run *nvcc) {
  enum { FIRST = 14, LAST = 19 };
  const CounterSet *a = counters_total(clang->counters), *b = counters_total(nvcc->counters);
  for (int i = 0; i < LS_COUNT(kept) && clang_version >= FIRST && clang_version <= LAST; i++) {
    const char *counter = counter_def(kept[i])->name;
    bool same = a->value[kept[i]] == b->value[kept[i]] || is_chosen(name, cut, counter);
    if (!same)
      printf("\n%s (%s): %s is %" PRIu64 " with clang, %" PRIu64 " with nvcc\n", name,
             cut == DEV_WRITTEN ? "written" : "compiled", counter,
             a->value[kept[i]], b->value[kept[i]]);
    CHECK(same);
  }
}

// Both arms of diverge_example ask who is there. clang asks once, before the branch: it may, convergent or not.
static bool is_merged(const char *name, DevCut cut) {
  return cut == DEV_COMPILED && strcmp(name, "diverge_example") == 0;
}

static void a_kernel(const char *name, DevCut cut) {
  Run *clang = run_kernel(name, cut, folder), *nvcc = run_kernel(name, cut, LS_SOURCE_DIR);
  if (clang && nvcc) {
    if (clang->fault_count) printf("\n%s: %s\n", name, clang->faults[0].message);
    RunVerdict wanted = clang->program ? RUN_UNCHECKED : RUN_RIGHT;   // test_programs has their answers
    if (is_merged(name, cut) && clang->verdict == RUN_WRONG) wanted = RUN_WRONG;
    if (clang->verdict != wanted) printf("\n%s: %s\n", name, clang->verdict_text);
    CHECK_INT(clang->verdict, wanted);
    CHECK_INT(unexpected_faults(clang->request.recipe, clang), 0);
    CHECK(clang->module != NULL && (cut != DEV_WRITTEN || clang->module->debug));
    same_counters(name, cut, clang, nvcc);
  }
  if (clang) run_free(clang);
  if (nvcc) run_free(nvcc);
}

static void lecture_kernels(void) {
  for (int i = 0; i < book->kernels(book); i++)
    for (int cut = DEV_COMPILED; cut <= DEV_WRITTEN; cut++) a_kernel(book->name(book, i), (DevCut)cut);
}

// ---- variables of the source
// -----------------------------------------------------------------------------------------------------

static PtxModule *compile(const char *path, DevCut cut) {
  LsErr err = {0};
  size_t length = 0;
  char *text = dev_compile(&(DevSource){.path = path, .cut = cut}, &length, &err);
  PtxModule *module = text ? ptx_parse(path, text, length, &err) : NULL;
  if (!module) printf("\n%s\n", err.message);
  CHECK(module != NULL);
  free(text);
  return module;
}

static const PtxDwVar *variable(const PtxModule *module, const char *name) {
  for (int i = 0; module->debuginfo && i < module->debuginfo->var_count; i++)
    if (strcmp(module->debuginfo->vars[i].name, name) == 0) return &module->debuginfo->vars[i];
  printf("\nthere is no variable %s\n", name);
  CHECK(false);
  return NULL;
}

static int place_of(const PtxModule *module, const char *name) {
  const PtxDwVar *var = variable(module, name);
  CHECK(var && var->place_count == 1);
  return var && var->place_count ? var->places[0].kind : -1;
}

// Scalars are in registers, as with nvcc; what has an address that somebody takes, and arrays, are where they are in C.
static void variables_have_places(void) {
  char *path = ls_path_join(folder, "variables.cu");
  static const char source[] =
      "struct Pair { float x, y; };\n"
      "__device__ int twice(int *p) { return *p * 2; }\n"
      "extern \"C\" __global__ void k(float *out, int n, char letter) {\n"
      "  __shared__ float tile[32];\n"
      "  int i = threadIdx.x; long long wide = i; unsigned char byte = letter; bool is = i > n; double d = i;\n"
      "  int taken = i; int array[4] = {i, 1, 2, 3}; Pair pair = {1.0f, 2.0f}; short small = (short)i; volatile int loud = i;\n"
      "  tile[i] = wide + byte + is + d + twice(&taken) + array[n & 3] + pair.x + pair.y + small + loud; out[i] = tile[i];\n}\n";
  CHECK(ls_file_write(path, source, sizeof source - 1, NULL));
  PtxModule *module = compile(path, DEV_WRITTEN);
  static const char *const in_registers[] = {"i", "wide", "byte", "is", "d", "small", "n", "out", "letter"};
  static const char *const on_stack[] = {"taken", "array", "pair", "loud"};
  for (int i = 0; module && i < LS_COUNT(in_registers); i++)
    CHECK_INT(place_of(module, in_registers[i]), PTX_PLACE_REG);
  for (int i = 0; module && i < LS_COUNT(on_stack); i++) CHECK_INT(place_of(module, on_stack[i]), PTX_PLACE_LOCAL);
  if (module) CHECK_INT(place_of(module, "tile"), PTX_PLACE_SHARED);
  for (int i = 0; module && i < module->var_count; i++)
    CHECK(!module->vars[i].name || strcmp(module->vars[i].name, "threadIdx") != 0);
  ptx_module_free(module);
  free(path);
}

// ---- the language
// ----------------------------------------------------------------------------------------------------------------

enum { ROWS = 128, THREADS = 64, INPUTS = 256 };
static const char *const parts[] = {"builtins", "bits", "conversions", "rounded", "approximate", "atomics",
                                    "lanes", "groups", "halves", "matrices", "memory"};

static bool run_part(const PtxModule *module, const char *part, int32_t out[ROWS * THREADS]) {
  LsErr err = {0};
  Launch launch;
  SimOptions options;
  char *input = ls_format("i32[%d]=file:%s/input", INPUTS, folder), *output = ls_format("i32[%d]=zero", ROWS * THREADS);
  launch_init(&launch);
  sim_options_init(&options);
  launch.block[0] = THREADS;
  launch.shared_bytes = 4 * THREADS;
  bool fine = launch_add_arg(&launch, output, &err) && launch_add_arg(&launch, input, &err);
  int entry = ptx_find_entry(module, part, &err);
  Sim *sim = fine && entry >= 0 ? sim_new(module, entry, &launch, &options, &err) : NULL;
  fine = sim && sim_run(sim, NULL, &err);
  if (!fine) printf("\n%s: %s\n", part, err.message);
  uint64_t size = 0;
  const uint8_t *bytes = fine ? sim_buffer(sim, 0, &size) : NULL;
  if (bytes && size == sizeof(int32_t) * ROWS * THREADS) memcpy(out, bytes, size);
  else fine = false;
  sim_free(sim);
  launch_fini(&launch);
  free(input);
  free(output);
  return fine;
}

static void add_hashes(LsText *to, const PtxModule *module) {
  static int32_t out[ROWS * THREADS];
  for (int i = 0; i < LS_COUNT(parts); i++) {
    bool fine = run_part(module, parts[i], out);
    CHECK(fine);
    for (int row = 0; fine && row < ROWS; row++)
      ls_text_addf(to, "%s %d %016" PRIx64 "\n", parts[i], row,
                   ls_hash64(out + row * THREADS, sizeof(int32_t) * THREADS));
  }
}

// The words of the first line that is not the same.
static void compare_lines(const char *actual, const char *expected) {
  while (*actual && *actual == *expected) actual++, expected++;
  if (!*actual && !*expected) return;
  while (!*actual || (actual[-1] != '\n' && actual[-1])) actual--;
  printf("\nnot what nvcc's code leaves: kernel and row %.*s\n", (int)strcspn(actual, "\n"), actual);
  CHECK(false);
}

static void write_inputs(void) {
  LsMt random;
  uint32_t inputs[INPUTS];
  ls_mt_seed(&random, 10);
  for (int i = 0; i < INPUTS; i++) inputs[i] = ls_mt_u32(&random);
  char *path = ls_path_join(folder, "input");
  CHECK(ls_file_write(path, inputs, sizeof inputs, NULL));
  free(path);
}

static void language(void) {
  static const char source[] = LS_SOURCE_DIR "/tests/runs/clang/language.cu",
      expected[] = LS_SOURCE_DIR "/tests/runs/clang/language.expected";
  bool update = getenv("UPDATE_LANGUAGE") != NULL;
  write_inputs();
  setenv("LANESCOPE_ARCH", "80", 1);
  if (update) setenv("LANESCOPE_COMPILER", "nvcc", 1);
  for (int cut = DEV_COMPILED; cut <= (update ? DEV_COMPILED : DEV_WRITTEN); cut++) {
    LsText hashes = {0};
    PtxModule *module = compile(source, (DevCut)cut);
    if (module) add_hashes(&hashes, module);
    char *wanted = update ? NULL : ls_file_read(expected, 1 << 20, NULL, NULL);
    if (update) { CHECK(ls_file_write(expected, ls_text_str(&hashes), hashes.length, NULL)); }
    else compare_lines(ls_text_str(&hashes), wanted ? wanted : "");
    free(wanted);
    ls_text_free(&hashes);
    ptx_module_free(module);
  }
  setenv("LANESCOPE_COMPILER", "clang", 1);
  unsetenv("LANESCOPE_ARCH");
}

// ---- host code
// -------------------------------------------------------------------------------------------------------------------

static void whole_program(void) {
  char *path = ls_path_join(folder, "whole.cu");
  static const char source[] =
      "#include <cstdio>\n#include <cmath>\n#include <vector>\n#include <algorithm>\n#include <cuda_runtime.h>\n"
      "#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { puts(cudaGetErrorString(e)); return 1; } } while (0)\n"
      "__constant__ float factor[2];\n"
      "template <typename T> __global__ void scale(T *x, int n) { int i = threadIdx.x; if (i < n) x[i] = std::sqrt(x[i]) * factor[1]; }\n"
      "int main() {\n  std::vector<float> host(64, 4.0f);\n  float *device;\n  CHECK(cudaMalloc(&device, 256));\n"
      "  CHECK(cudaMemcpyToSymbol(factor, host.data(), 8));\n"
      "  CHECK(cudaMemcpy(device, host.data(), 256, cudaMemcpyHostToDevice));\n  cudaEvent_t start;\n  cudaEventCreate(&start);\n"
      "  scale<<<1, dim3(64)>>>(device, 64);\n  CHECK(cudaDeviceSynchronize());\n"
      "  std::sort(host.begin(), host.end());\n  printf(\"%f\\n\", std::sin(host[0]));\n  cudaFree(device);\n  return 0;\n}\n";
  CHECK(ls_file_write(path, source, sizeof source - 1, NULL));
  PtxModule *module = compile(path, DEV_COMPILED);
  LsErr err = {0};
  CHECK(module && ptx_find_entry(module, "scale<float>", &err) >= 0);
  ptx_module_free(module);
  free(path);
}

// ---- all of it
// -------------------------------------------------------------------------------------------------------------------

static bool link_files(void) {
  static const char *const names[] = {"kernels", "lessons", "lua", "assets/cuda"};
  char *assets = ls_path_join(folder, "assets"), *cache = ls_path_join(folder, "cache");
  bool fine = ls_make_dirs(assets, NULL);
  for (int i = 0; i < LS_COUNT(names); i++) {
    char *from = ls_path_join(LS_SOURCE_DIR, names[i]), *to = ls_path_join(folder, names[i]);
    fine = symlink(from, to) == 0 && fine;
    free(from);
    free(to);
  }
  setenv("XDG_CACHE_HOME", cache, 1);
  free(cache);
  free(assets);
  return fine;
}

int main(int argc, char **argv) {
  static const Check checks[] = {{"lecture kernels, in both cuts", lecture_kernels},
                                 {"variables have places", variables_have_places},
                                 {"the language", language},
                                 {"a whole program", whole_program}};
  char where[512];
  if (!compiler_clang.find(where, sizeof where)) {
    printf("(no clang here)\n");
    return 77;   // skipped
  }
  const char *number = strstr(where, "version ");
  clang_version = number ? atoi(number + strlen("version ")) : 0;
  setenv("LANESCOPE_COMPILER", "clang", 1);
  if (!check_folder(folder, sizeof folder) || !link_files()) return 99;
  int status = check_main_with_recipes("clang", checks, LS_COUNT(checks), argc, argv, &book);
  char *remove = ls_format("rm -rf '%s'", folder);
  if (system(remove) != 0) status = 99;
  free(remove);
  return status;
}
