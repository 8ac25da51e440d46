// test_cuda_link.c: where NVIDIA's device runtime is looked for, and what linking to it leaves where a call fails.
#include <dlfcn.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "device/cuda/cuda_link.h"
#include "device/device.h"

static const char archive[] = "!<arch>\n";
static char library[] = "/tmp/test_cuda_link_XXXXXX";   // it need only look like one here

static int ask(const char *name) {
  int (*function)(void);
  void *driver = dlopen(LS_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL), *found = driver ? dlsym(driver, name) : NULL;
  if (!found) return -1;
  memcpy(&function, &found, sizeof found);
  int answer = function();
  dlclose(driver);
  return answer;
}

// ---- where it is ---------------------------------------------------------------------------------------------------

static void forget_variables(void) {
  static const char *const names[] = {"LANESCOPE_CUDADEVRT", "CUDA_HOME", "CUDA_PATH", "CONDA_PREFIX"};
  for (int i = 0; i < LS_COUNT(names); i++) unsetenv(names[i]);
}

static void put(const char *folder, const char *name) {
  LsErr err = {0};
  char *path = ls_path_join(folder, name);
  CHECK(ls_make_dirs(folder, &err) && ls_file_write(path, archive, sizeof archive - 1, &err));
  free(path);
}

static void found_at(const char *path) {
  LsErr err = {0};
  char *found = cuda_link_library(&err);
  CHECK_STR(found, path);
  free(found);
}

// The first one that is named counts: the file, a toolkit's folder, Conda's, that of nvcc wherever a link leads.
static void it_is_looked_for_in_order(void) {
  char folder[] = "/tmp/test_cuda_link_XXXXXX", *path = ls_strdup(getenv("PATH"));
  CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
  forget_variables();
  CHECK(chdir(folder) == 0);
  put("home/lib64", "libcudadevrt.a");
  put("conda/targets/x86_64-linux/lib", "libcudadevrt.a");
  put("kit/lib", "libcudadevrt.a");
  put("kit/bin", "nvcc");
  put("bin", "other");
  CHECK(symlink("../kit/bin/nvcc", "bin/nvcc") == 0);
  put(".", "named.a");
  char *bin = ls_format("/none::%s/bin", folder), *kit = ls_format("%s/kit/lib/libcudadevrt.a", folder);
  setenv("PATH", bin, 1);
  found_at(kit);
  setenv("CONDA_PREFIX", "conda", 1);
  found_at("conda/targets/x86_64-linux/lib/libcudadevrt.a");
  setenv("CUDA_HOME", "home", 1);
  found_at("home/lib64/libcudadevrt.a");
  setenv("LANESCOPE_CUDADEVRT", "named.a", 1);
  found_at("named.a");
  setenv("PATH", path, 1);
  forget_variables();
  CHECK(chdir("/") == 0);
  free(bin), free(kit), free(path);
}

static void one_that_is_named_has_to_be_there(void) {
  LsErr err = {0};
  setenv("LANESCOPE_CUDADEVRT", "/none/libcudadevrt.a", 1);
  CHECK(cuda_link_library(&err) == NULL && err.kind == LS_EENV);
  CHECK(strstr(err.message, "/none/libcudadevrt.a") && strstr(err.message, "LANESCOPE_CUDADEVRT"));
  setenv("LANESCOPE_CUDADEVRT", library, 1);
}

// ---- runs ----------------------------------------------------------------------------------------------------------

typedef struct Case {
  PtxModule *module;
  Launch launch;
  SimOptions options;
  TraceInfo info;
  TraceSink sink;
  DevRun *run;
} Case;

static void case_init(Case *c, const char *ptx, const char *const *args) {
  LsErr err = {0};
  size_t length;
  *c = (Case){0};
  char *path = ls_path_join(LS_SOURCE_DIR, ptx), *text = ls_file_read(path, 1 << 20, &length, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(text);
  c->module = ptx_parse(path, text, length, &err);
  CU_ASSERT_PTR_NOT_NULL_FATAL(c->module);
  launch_init(&c->launch);
  sim_options_init(&c->options);
  trace_info_init(&c->info);
  for (int i = 0; args[i]; i++) CHECK(launch_add_arg(&c->launch, args[i], &err));
  free(text), free(path);
}

static bool case_run(Case *c, const char *kernel, LsErr *err) {
  int entry = ptx_find_entry(c->module, kernel, err);
  DevRequest request = {.module = c->module, .entry = entry, .launch = &c->launch, .options = &c->options};
  c->run = dev_cuda_here.open(&request, &c->info, err);
  return c->run && dev_cuda_here.run(c->run, &c->sink, err);
}

static void case_fini(Case *c) {
  dev_cuda_here.close(c->run);
  trace_info_fini(&c->info);
  launch_fini(&c->launch);
  ptx_module_free(c->module);
  CHECK_INT(ask("fake_cuda_live"), 0);
  ask("fake_cuda_reset");
}

static const char *const sorts[] = {"i32[64]=random:7", "i32[1]=none", "i32=64", "i32=8", NULL};

// What it launches ran when the launch is over, the tail stream last; without the library it is not even compiled.
static void a_kernel_is_linked_and_its_children_run(void) {
  static const char *const files[] = {"assets/ptx/quicksort_tree.ptx", "assets/ptx/quicksort_tree.g.ptx"};
  for (int i = 0; i < LS_COUNT(files); i++) {
    Case c;
    LsErr err = {0};
    uint64_t size = 0;
    case_init(&c, files[i], sorts);
    bool ok = case_run(&c, "sort_and_look", &err);
    if (!ok) printf("\n%s\n", err.message);
    CU_ASSERT_FATAL(ok);
    const int32_t *x = (const int32_t *)(const void *)dev_cuda_here.buffer(c.run, 0, &size);
    CHECK_INT(size, 64 * 4);
    for (int k = 1; k < 64; k++) CHECK(x[k - 1] <= x[k]);
    CHECK_INT(*(const int32_t *)(const void *)dev_cuda_here.buffer(c.run, 1, &size), 1);
    case_fini(&c);
  }
}

static void a_library_that_is_none_is_told(void) {
  Case c;
  LsErr err = {0};
  setenv("LANESCOPE_CUDADEVRT", LS_SOURCE_DIR "/README.md", 1);
  case_init(&c, "assets/ptx/quicksort_tree.ptx", sorts);
  CHECK(!case_run(&c, "sort_and_look", &err) && err.kind == LS_EENV);
  CHECK(strstr(err.message, "reading NVIDIA's device runtime") != NULL);
  case_fini(&c);
  setenv("LANESCOPE_CUDADEVRT", library, 1);
}

static void any_call_may_fail(void) {
  char text[16];
  Case c;
  LsErr err = {0};
  case_init(&c, "assets/ptx/quicksort_tree.ptx", sorts);
  CHECK(case_run(&c, "sort_and_look", &err));
  int calls = ask("fake_cuda_calls"), failed = 0;
  case_fini(&c);
  CHECK(calls > 50);
  for (int n = 1; n <= calls; n++) {
    snprintf(text, sizeof text, "%d", n);
    setenv("FAKE_CUDA_FAIL_AT", text, 1);
    case_init(&c, "assets/ptx/quicksort_tree.ptx", sorts);
    err = (LsErr){0};
    bool ok = case_run(&c, "sort_and_look", &err);
    CHECK(ok || (err.kind != LS_OK && strlen(err.message) > 20));
    failed += !ok;
    unsetenv("FAKE_CUDA_FAIL_AT");
    case_fini(&c);
  }
  CHECK(failed > calls / 2);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"it is looked for in order", it_is_looked_for_in_order},
      {"one that is named has to be there", one_that_is_named_has_to_be_there},
      {"a kernel is linked, and its children run", a_kernel_is_linked_and_its_children_run},
      {"a library that is none is told", a_library_that_is_none_is_told},
      {"any call may fail", any_call_may_fail},
  };
  setenv("LANESCOPE_CUDA_LIBRARY", LS_FAKE_CUDA, 1);
  void *held = dlopen(LS_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);   // it goes on counting
  int file = mkstemp(library);
  bool written = file >= 0 && write(file, archive, sizeof archive - 1) > 0;
  close(file);
  int failed = !written || check_main("cuda_link", checks, LS_COUNT(checks), argc, argv);
  unlink(library);
  if (held) dlclose(held);
  return failed;
}
