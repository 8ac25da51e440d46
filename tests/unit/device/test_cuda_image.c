// test_cuda_image.c: textures and surfaces with --device cuda, on the driver library that stands in for NVIDIA's: all element
// types, geometries and ways of sampling give what the emulator gives, in results, counters and events.
#include <dlfcn.h>
#include <unistd.h>

#include "base/file.h"
#include "check.h"
#include "device/cuda/cuda_image.h"
#include "device/device.h"
#include "gpu/textures.h"
#include "gpu/traced.h"

static int live(void) {
  int (*function)(void);
  void *library = dlopen(LS_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL), *found = library ? dlsym(library, "fake_cuda_live") : NULL;
  if (!found) return -1;
  memcpy(&function, &found, sizeof found);
  int answer = function();
  dlclose(library);
  return answer;
}

static void agree(const char *name, const PtxModule *module, const char *entry, const Launch *launch, int blocks) {
  Traced t;
  LsErr err = {0};
  traced_run(module, ptx_find_entry(module, entry, &err), launch, &(TracedOptions){.blocks = blocks, .emulated = true}, &t);
  if (!traced_agrees(&t))
    printf("\n%s: %s%s; first counter %s; %s; %llu bytes of %llu not the emulator's, %llu not the plain run's\n", name, err.message,
           t.err.message, t.first_counter, t.streams.first, (unsigned long long)t.results_differ, (unsigned long long)t.results,
           (unsigned long long)t.measure.differing_bytes);
  CHECK(traced_agrees(&t) && t.streams.events > 0 && t.results > 0);
  CHECK_INT(live(), 0);
}

// ---- all kinds -----------------------------------------------------------------------------------------------------

// Of the many programs one in `step`, so that each geometry, type, filter and mode comes.
static void some_programs(bool filtered, int first, int step) {
  Batch batch;
  LsErr err = {0};
  CHECK(textures_batch(&batch, 1, filtered, "", &err));
  PtxModule *module = ptx_parse("texture.ptx", ls_text_str(&batch.ptx), batch.ptx.length, &err);
  CHECK(module != NULL);
  for (int i = first; module && i < batch.count; i += step) {
    const Program *p = &batch.programs[i];
    agree(p->name, module, p->entry, &p->launch, 1);
  }
  ptx_module_free(module);
  batch_fini(&batch);
}

static void points(void) { some_programs(false, 0, 29); }
static void filters(void) { some_programs(true, 0, 17); }

static void surfaces(void) {
  Batch batch;
  LsErr err = {0};
  CHECK(textures_batch(&batch, 2, false, "surface", &err));
  PtxModule *module = ptx_parse("texture.ptx", ls_text_str(&batch.ptx), batch.ptx.length, &err);
  CHECK(module != NULL);
  for (int i = 0; module && i < batch.count; i++)
    if (strncmp(batch.programs[i].entry, "surface", 7) == 0)
      agree(batch.programs[i].name, module, batch.programs[i].entry, &batch.programs[i].launch, 2);
  ptx_module_free(module);
  batch_fini(&batch);
}

// ---- forms that are rare -------------------------------------------------------------------------------------------

typedef struct Rare { const char *entry; uint32_t grid, block; const char *args[5]; } Rare;

static const Rare rare[] = {
    {"guarded", 3, 50, {"tex.f32[40x20]=iota", "surf.u32[50x5]=iota", "f32[64]=zero"}},
    {"among", 2, 32, {"tex.f32[20x9x4]=iota,layered,linear", "tex.u8[9x20x2]=mod:251,layered,float,linear",
                      "tex.f16x2[16x16x3]=iota,layered,normalized,wrap/mirror", "f32[64]=zero"}},
    {"named", 1, 32, {"f32[64]=zero", "picture=tex.f32[33x9]=iota,linear,normalized,mirror", "ruler=tex.i32[20]=iota",
                      "board=surf.i32[64]=iota"}},
    {"named", 1, 32, {"f32[64]=zero", "picture=tex.u8x4[5x3]=mod:77,float,border", "ruler=tex.i16x2[32]=iota",
                      "board=surf.i32[32]=iota"}},
    {"turned", 2, 32, {"tex.f32[8x8x6]=iota,cube", "tex.u8[5x5x18]=mod:251,cube,layered,float", "f32[64]=zero"}},
};

static PtxModule *load(const char *path) {
  size_t length;
  LsErr err = {0};
  char *full = ls_path_join(LS_SOURCE_DIR, path), *text = ls_file_read(full, 1 << 20, &length, &err);
  PtxModule *module = text ? ptx_parse(path, text, length, &err) : NULL;
  CHECK(module != NULL);
  free(full);
  free(text);
  return module;
}

static void rare_init(Launch *launch, const Rare *r) {
  LsErr err = {0};
  launch_init(launch);
  launch->grid[0] = r->grid;
  launch->block[0] = r->block;
  for (int i = 0; r->args[i]; i++) CHECK(launch_add_arg(launch, r->args[i], &err));
}

static void rare_forms(void) {
  PtxModule *module = load("tests/unit/device/probe/texels.ptx");
  for (int i = 0; module && i < LS_COUNT(rare); i++) {
    Launch launch;
    rare_init(&launch, &rare[i]);
    agree(rare[i].entry, module, rare[i].entry, &launch, 2);
    launch_fini(&launch);
  }
  ptx_module_free(module);
}

// ---- what goes wrong -----------------------------------------------------------------------------------------------

static bool run_launch(const PtxModule *module, const char *entry, const Launch *launch, LsErr *err) {
  TraceInfo info;
  SimOptions options;
  TraceSink nobody = {0};
  trace_info_init(&info);
  sim_options_init(&options);
  DevRequest request = {.module = module, .entry = ptx_find_entry(module, entry, err), .launch = launch, .options = &options};
  DevRun *run = dev_cuda_here.open(&request, &info, err);
  bool ok = run && dev_cuda_here.run(run, &nobody, err);
  dev_cuda_here.close(run);
  trace_info_fini(&info);
  return ok;
}

static bool run_once(const PtxModule *module, const Rare *r, LsErr *err) {
  Launch launch;
  rare_init(&launch, r);
  bool ok = run_launch(module, r->entry, &launch, err);
  launch_fini(&launch);
  return ok;
}

static int count_calls(void) {
  int (*function)(void);
  void *library = dlopen(LS_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL), *found = dlsym(library, "fake_cuda_calls");
  memcpy(&function, &found, sizeof found);
  int calls = function();
  dlclose(library);
  return calls;
}

// Every call of the driver answers an error in turn: it is told, and nothing is left behind.
static void every_failure_is_told(void) {
  PtxModule *module = load("tests/unit/device/probe/texels.ptx");
  for (int i = 0; module && i < LS_COUNT(rare); i += 2) {
    LsErr err = {0};
    int before = count_calls();
    CHECK(run_once(module, &rare[i], &err));
    int calls = count_calls() - before;
    CHECK(calls > 60);
    for (int n = 1; n <= calls; n++) {
      char text[16];
      err = (LsErr){0};
      snprintf(text, sizeof text, "%d", count_calls() + n);
      setenv("FAKE_CUDA_FAIL_AT", text, 1);
      bool ok = run_once(module, &rare[i], &err);
      CHECK(ok || (err.kind != LS_OK && strlen(err.message) > 20));
      unsetenv("FAKE_CUDA_FAIL_AT");
      CHECK_INT(live(), 0);
    }
  }
  ptx_module_free(module);
}

// An image for which there is no memory, or of which nobody said how large it is: a message, and nothing is left behind.
static void images_without_memory(void) {
  PtxModule *module = load("tests/unit/device/probe/texels.ptx");
  Launch launch;
  LsErr err = {0};
  rare_init(&launch, &rare[2]);
  int image = 0;
  while (launch.args[image].image.kind == LAUNCH_NO_IMAGE) image++;
  setenv("FAKE_CUDA_MEMORY", "64", 1);
  CHECK(module && !run_launch(module, rare[2].entry, &launch, &err));
  CHECK(strstr(err.message, "more than the 0.000 GB of") != NULL);
  setenv("FAKE_CUDA_MEMORY", "70000000", 1);
  launch.args[image].is_buffer = false;
  CHECK(module && !run_launch(module, rare[2].entry, &launch, &err));
  CHECK(strstr(err.message, "is a texture or surface without texels: give it a size and contents") != NULL);
  CHECK_INT(live(), 0);
  launch_fini(&launch);
  ptx_module_free(module);
}

static void old_drivers_are_refused(void) {
  PtxModule *module = load("tests/unit/device/probe/texels.ptx"), *plain = load("tests/unit/sim/kernels/texture.ptx");
  LsErr err = {0};
  Launch launch;
  Driver *driver = driver_open(&err);
  rare_init(&launch, &rare[0]);
  CHECK(driver && module && plain && cuda_images_can_be(driver, module, &launch, &err));
  driver->texref_find = NULL;
  CHECK(cuda_images_can_be(driver, plain, &launch, &err));          // has no variables to bind
  CHECK(!cuda_images_can_be(driver, module, &launch, &err));
  CHECK(err.kind == LS_EENV && strstr(err.message, "(cuModuleGetTexRef)"));
  driver->texture_new = NULL;
  CHECK(!cuda_images_can_be(driver, plain, &launch, &err));
  CHECK(strstr(err.message, "(cuTexObjectCreate)") != NULL);
  launch_fini(&launch);
  launch_init(&launch);
  CHECK(cuda_images_can_be(driver, module, &launch, &err));         // no textures, nothing to refuse
  launch_fini(&launch);
  driver_close(driver);
  ptx_module_free(module);
  ptx_module_free(plain);
}

static bool is_linear(const PtxModule *module, const char *entry, const char *image) {
  Launch launch;
  LsErr err = {0};
  launch_init(&launch);
  CHECK(launch_add_arg(&launch, image, &err));
  bool linear = cuda_image_is_linear(module, ptx_find_entry(module, entry, &err), &launch.args[0]);
  launch_fini(&launch);
  return linear;
}

static void memory_or_arrays(void) {
  PtxModule *module = load("tests/unit/sim/kernels/texture.ptx"), *more = load("tests/unit/device/probe/texels.ptx");
  CHECK(is_linear(module, "index_f", "tex.f32[1000]=iota"));
  CHECK(is_linear(module, "index_u", "tex.u8x4[200000000]=none"));
  CHECK(!is_linear(module, "one_f", "tex.f32[1000]=iota"));
  CHECK(!is_linear(module, "index_f", "tex.f32[100x10]=iota"));
  CHECK(!is_linear(module, "index_f", "tex.f32[100x10]=iota,layered"));
  CHECK(!is_linear(module, "index_f", "surf.f32[100]=iota"));
  CHECK(is_linear(more, "named", "tex.i32[20]=iota"));
  CHECK(!is_linear(more, "guarded", "tex.i32[20]=iota"));
  ptx_module_free(module);
  ptx_module_free(more);
}

static const Check checks[] = {
    {"memory or arrays", memory_or_arrays},
    {"points", points},
    {"filters", filters},
    {"surfaces", surfaces},
    {"forms that are rare", rare_forms},
    {"every failure is told", every_failure_is_told},
    {"images without memory", images_without_memory},
    {"old drivers are refused", old_drivers_are_refused},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_CUDA_LIBRARY", LS_FAKE_CUDA, 1);
  setenv("FAKE_CUDA_MEMORY", "70000000", 1);      // a quarter of it is for records, and is cleared for every run
  return check_main("cuda image", checks, LS_COUNT(checks), argc, argv);
}
