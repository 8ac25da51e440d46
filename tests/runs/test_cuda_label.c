// test_cuda_label.c: PTX for older drivers and GPUs: which texts get which labels, and that NVIDIA's assembler, which knows in which
// version and for which target everything came, takes every lecture kernel under the oldest of both, plain and instrumented.
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "device/cuda/cuda_label.h"
#include "device/probe/probe.h"
#include "gpu/works.h"

static CudaLabel label_of(int driver_version, int cc, const char *ptx) {
  LsErr err = {0};
  Driver driver = {.version = driver_version};
  GpuFacts facts = {.cc_major = cc / 10, .cc_minor = cc % 10};
  PtxModule *module = ptx_parse("k.ptx", ptx, strlen(ptx), &err);
  CU_ASSERT_FATAL(module != NULL);
  CudaLabel label = cuda_label(&driver, &facts, module);
  ptx_module_free(module);
  return label;
}

#define HEAD ".version 9.0\n.target sm_80, debug\n.address_size 64\n"
static const char plain[] = HEAD ".visible .entry k()\n{\n  ret;\n}\n";
static const char lined[] =
    "// .version 1.0 is no line of its own\n" HEAD ".visible .entry k()\n{\n  .loc 1 2 3, function_name $s, inlined_at 1 4 5\n  ret;\n}\n"
    ".file 1 \"k.cu\"\n.section .debug_str\n{\n$s:\n.b8 0\n}\n";

static void labels_are_what_is_needed(void) {
  CudaLabel l = label_of(13000, 90, plain);
  CHECK(!l.version && !l.target && cuda_label_text(&l, plain) == NULL);
  l = label_of(12040, 90, plain);
  CHECK(l.version == 84 && !l.target && l.lines);
  l = label_of(11000, 75, plain);
  CHECK(l.version == 70 && l.target == 75 && !l.lines);
  l = label_of(10020, 75, plain);                  // too old for anything that we have: its own compiler says so
  CHECK(!l.version);
  l = label_of(99000, 70, plain);
  CHECK(!l.version && l.target == 70);
}

static void texts_get_labels(void) {
  char *text = cuda_label_text(&(CudaLabel){.version = 84, .target = 75, .lines = true}, plain);
  CHECK_STR(text, ".version 8.4\n.target sm_75, debug\n.address_size 64\n.visible .entry k()\n{\n  ret;\n}\n");
  free(text);
  text = cuda_label_text(&(CudaLabel){.version = 70}, lined);
  CHECK_STR(text, "// .version 1.0 is no line of its own\n.version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\n  ret;\n}\n"
                  "\n\n\n\n\n\n");
  free(text);
  text = cuda_label_text(&(CudaLabel){.target = 75}, lined);
  CHECK(strstr(text, "\n.version 9.0\n.target sm_75, debug\n") && strstr(text, "inlined_at 1 4 5") && strstr(text, ".b8 0\n}\n"));
  free(text);
  text = cuda_label_text(&(CudaLabel){.version = 75, .target = 70, .lines = true}, ".version 8.0");   // no end of line, nothing else
  CHECK_STR(text, ".version 7.5");
  free(text);
}

static void refusals_name_both(void) {
  LsErr err = {0};
  Driver driver = {.version = 11040};
  GpuFacts facts = {.cc_major = 7, .cc_minor = 5, .name = "GPU"};
  PtxModule *module = ptx_parse("k.ptx", plain, sizeof plain - 1, &err);
  CudaLabel label = cuda_label(&driver, &facts, module);
  CHECK(!cuda_label_explain(&label, &driver, &facts, module, &err));
  CHECK(strstr(err.message, "CUDA 11.4, takes PTX up to version 7.4; this kernel is PTX 9.0") && strstr(err.message, "Given to it as PTX 7.4"));
  driver.version = 13000;
  label = cuda_label(&driver, &facts, module);
  CHECK(!cuda_label_explain(&label, &driver, &facts, module, &err));
  CHECK(strstr(err.message, "compiled for sm_80 (compute capability 8.0); GPU has 7.5") && strstr(err.message, "Given to it for sm_75"));
  ptx_module_free(module);
}

// ---- the assembler -------------------------------------------------------------------------------------------------

static const char *assembler(void) {
  const char *chosen = getenv("PTXAS");
  if (!chosen && ls_file_exists("/usr/local/cuda/bin/ptxas")) chosen = "/usr/local/cuda/bin/ptxas";
  return chosen;
}

// It knows sm_70 as a target, but makes code for later GPUs only.
static void assembles(const char *folder, const char *ptx, bool debug, const CudaLabel *label, const char *title) {
  LsErr err = {0};
  char *file = ls_path_join(folder, "k.ptx"), *text = cuda_label_text(label, ptx);
  char *command = ls_format("%s -arch=sm_%d %s -o /dev/null %s", assembler(), LS_MAX(label->target, 75),
                            debug && label->lines ? "-g -O0" : "-O0", file);
  CHECK(ls_file_write(file, text, strlen(text), &err));
  bool good = system(command) == 0;
  if (!good) printf("\n%s is no PTX %d for sm_%d\n", title, label->version, label->target);
  CHECK(good);
  unlink(file);
  free(command);
  free(file);
  free(text);
}

static void instrumented_assembles(const char *folder, const Work *work, const CudaLabel *label) {
  LsErr err = {0};
  size_t length;
  uint8_t *blocks = ls_alloc(launch_blocks(&work->launch) + 1);
  blocks[0] = 1;
  Probe *probe = probe_new(work->module, work->entry, &work->launch, &(ProbeOptions){.record_block = blocks, .sm_count = 132}, &err);
  CHECK(probe != NULL);
  if (probe) assembles(folder, probe_ptx(probe, &length), work->module->debug, label, work->name);
  probe_free(probe);
  free(blocks);
}

// The oldest GPU that is traced has 7.0, but a recipe may ask for a later one.
static int oldest_target(const PtxModule *module) {
  return strcmp(module->target, "sm_75") == 0 ? 70 : atoi(module->target + strlen("sm_"));
}

// Of the works "NAME, as compiled" and "NAME, as written".
static bool is_of(const Work *work, const char *name) {
  size_t length = strlen(name);
  return strncmp(work->name, name, length) == 0 && (!work->name[length] || work->name[length] == ',');
}

// The oldest driver whose functions are all there is one for CUDA 11.0. All versions of all instrumented kernels take
// minutes: ALL_RECIPES. What kernels call is the same in all of them, so that one of them stands for the others.
static void recipes_assemble_for_the_oldest(void) {
  static const int versions[] = {70, 72, 75, 80};
  static const char *const usual[] = {"histogram", "reduce4", "vote_match"};
  LsErr err = {0};
  Works works = {0};
  char folder[256];
  bool all = getenv("ALL_RECIPES") != NULL;
  int instrumented = 0;
  if (!assembler()) { printf("(no ptxas here) "); return; }
  CU_ASSERT_FATAL(check_folder(folder, sizeof folder) && works_add_recipes(&works, true, true, &err));
  CHECK(works.count > 70);
  for (int i = 0; i < works.count; i++) {
    const Work *work = &works.items[i];
    bool wanted = all;
    for (int k = 0; k < LS_COUNT(usual); k++) wanted |= is_of(work, usual[k]);
    instrumented += wanted;
    for (int v = 0; v < (all || is_of(work, usual[0]) ? LS_COUNT(versions) : 1); v++) {
      CudaLabel label = {.version = versions[v],
                         .target = oldest_target(work->module), .lines = versions[v] >= 72};
      assembles(folder, work->module->text, work->module->debug, &label, work->name);
      if (wanted) instrumented_assembles(folder, work, &label);
    }
  }
  CHECK(instrumented >= 2 * LS_COUNT(usual));
  works_fini(&works);
  rmdir(folder);
}

static const Check checks[] = {
    {"labels are what is needed", labels_are_what_is_needed},
    {"texts get labels", texts_get_labels},
    {"refusals name both", refusals_name_both},
    {"recipes assemble for the oldest", recipes_assemble_for_the_oldest},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  return check_main("cuda label", checks, LS_COUNT(checks), argc, argv);
}
