// test_driver.c: NVIDIA's driver as lanescope opens it and asks it, on a library that stands in for it (tests/fake_cuda).
#include <dlfcn.h>
#include <unistd.h>

#include "base/mem.h"
#include "check.h"
#include "device/cuda/cuda_limits.h"
#include "device/cuda/driver.h"
#include "device/cuda/gpu.h"

static const char *const settings[] = {"FAIL_AT", "ERROR", "VERSION", "DEVICES", "CC", "NAME", "MODE", "MEMORY"};

// Sets FAKE_CUDA_<name>, and forgets all others.
static void only(const char *name, const char *value) {
  char full[64];
  for (int i = 0; i < LS_COUNT(settings); i++) {
    snprintf(full, sizeof full, "FAKE_CUDA_%s", settings[i]);
    unsetenv(full);
  }
  snprintf(full, sizeof full, "FAKE_CUDA_%s", name ? name : "NAME");
  if (name) setenv(full, value, 1);
}

static void use_library(const char *path) { setenv("LANESCOPE_CUDA_LIBRARY", path, 1); }

// A function of the library that no driver has: the tests' own door.
static int ask(const char *name) {
  int (*function)(void);
  void *library = dlopen(LS_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL), *found = library ? dlsym(library, name) : NULL;
  if (!found) return -1;
  memcpy(&function, &found, sizeof found);
  int answer = function();
  dlclose(library);
  return answer;
}

// ---- opening -------------------------------------------------------------------------------------------------------

static void no_driver_says_what_to_do(void) {
  LsErr err = {0};
  use_library("/nonexistent/libcuda.so.1");
  CHECK(driver_open(&err) == NULL);
  CHECK_INT(err.kind, LS_EENV);
  CHECK(strstr(err.message, "no NVIDIA driver here (/nonexistent/libcuda.so.1)") && strstr(err.message, "--runner 'ssh HOST'") &&
        strstr(err.message, "--device emu"));
  driver_close(NULL);
}

// Looking whether there is a driver calls none of its functions: one that does not start is there all the same.
static void looking_starts_nothing(void) {
  LsErr err = {0};
  use_library("/nonexistent/libcuda.so.1");
  CHECK(!driver_is_here());
  use_library(LS_FAKE_CUDA);
  only("FAIL_AT", "1");
  void *held = dlopen(LS_FAKE_CUDA, RTLD_NOW | RTLD_LOCAL);   // so that it goes on counting
  ask("fake_cuda_reset");
  CHECK(driver_is_here());
  CHECK_INT(ask("fake_cuda_calls"), 0);
  if (held) dlclose(held);
  CHECK(driver_open(&err) == NULL);
  only(NULL, NULL);
}

// A library that is there and is something else: the first function of the table is missing.
static void a_missing_function_is_named(void) {
  LsErr err = {0};
  use_library("libm.so.6");
  CHECK(driver_open(&err) == NULL);
  CHECK_INT(err.kind, LS_EENV);
  CHECK_STR(err.message, "the NVIDIA driver (libm.so.6) has no function cuInit, which came with CUDA 2.0; install a newer driver");
  use_library(LS_FAKE_CUDA);
}

static void answers_are_words(void) {
  LsErr err = {0};
  Driver *driver = driver_open(&err);
  CHECK(driver != NULL);
  if (!driver) return;
  CHECK(driver_good(driver, 0, "trying", &err) && err.kind == LS_OK);
  CHECK(!driver_good(driver, 214, "running the kernel", &err));
  CHECK_INT(err.kind, LS_EENV);
  CHECK(strstr(err.message, "running the kernel: the GPU's memory has an error") &&
        strstr(err.message, "(CUDA_ERROR_ECC_UNCORRECTABLE, 214)"));
  CHECK(!driver_good(driver, 12345, "trying", &err));      // the driver's own words for what the table does not know
  CHECK_STR(err.message, "trying: an error that only this driver knows (CUDA_ERROR_FAKE, 12345)");
  CHECK(!driver_good(driver, 54321, "trying", &err));
  CHECK_STR(err.message, "trying: the driver says no more than a number (unknown error, 54321)");
  CHECK_INT(driver_fault(700), FAULT_OUT_OF_BOUNDS);
  CHECK_INT(driver_fault(716), FAULT_MISALIGNED);
  CHECK_INT(driver_fault(702), FAULT_BUDGET);
  CHECK_INT(driver_fault(710), FAULT_ASSERT);
  CHECK_INT(driver_fault(214), -1);
  CHECK_INT(driver_fault(0), -1);
  CHECK(driver_words(700) != NULL && driver_words(54321) == NULL);
  driver_close(driver);
}

// ---- versions ------------------------------------------------------------------------------------------------------

static void ptx_versions_need_drivers(void) {
  CHECK_INT(driver_for_ptx(9, 0), 13000);
  CHECK_INT(driver_for_ptx(8, 5), 12050);
  CHECK_INT(driver_for_ptx(7, 9), 12000);                  // there is no 7.9: the next one
  CHECK_INT(driver_for_ptx(4, 3), 9000);                   // older than the table: its first row
  CHECK_INT(driver_for_ptx(99, 0), 0);
  CHECK_INT(driver_newest_ptx(12060), 85);                 // CUDA 12.6 brought no new version
  CHECK_INT(driver_newest_ptx(13000), 90);
  CHECK_INT(driver_newest_ptx(1000), 0);
}

static void an_old_driver_names_both_versions(void) {
  LsErr err = {0};
  only("VERSION", "12040");
  Driver *driver = driver_open(&err);
  CHECK(driver != NULL);
  if (!driver) return;
  CHECK(driver_takes_ptx(driver, 8, 4, &err));
  CHECK(!driver_takes_ptx(driver, 9, 0, &err));
  CHECK_INT(err.kind, LS_EENV);
  CHECK(strstr(err.message, "CUDA 12.4") && strstr(err.message, "takes PTX up to version 8.4; this kernel is PTX 9.0.") &&
        strstr(err.message, "a driver for CUDA 13.0 or later"));
  CHECK(!driver_takes_ptx(driver, 99, 0, &err) && strstr(err.message, "a driver for a newer CUDA"));
  driver_close(driver);
  only("VERSION", "99000");                                // newer than the table: its own compiler knows best
  driver = driver_open(&err);
  CHECK(driver && driver_takes_ptx(driver, 99, 0, &err));
  driver_close(driver);
  only(NULL, NULL);
}

// ---- GPUs ----------------------------------------------------------------------------------------------------------

static void facts_are_the_drivers(void) {
  LsErr err = {0};
  GpuList list;
  only("DEVICES", "2");
  CHECK(gpu_list(&list, &err));
  CHECK_INT(list.count, 2);
  CHECK_STR(list.driver, "CUDA 13.0");
  const GpuFacts *facts = &list.gpus[1];
  CHECK_STR(facts->name, "NVIDIA H200 (fake)");
  CHECK(facts->ordinal == 1 && facts->cc_major == 9 && facts->cc_minor == 0 && facts->sm_count == 132 &&
        facts->memory_bytes == 1u << 30);
  CHECK(facts->shared_optin == 232448 && facts->regs_per_sm == 65536 && facts->clock_khz == 1980000 &&
        facts->memory_bus_bits == 6144);
  CHECK(gpu_bandwidth_gbs(facts) > 4916 && gpu_bandwidth_gbs(facts) < 4917);
  LsText text = {0};
  gpu_describe(facts, &text);
  CHECK(strstr(ls_text_str(&text), "compute capability 9.0, 132 SMs") &&
        strstr(ls_text_str(&text), "228 KB of shared memory (227 KB a block)") &&
        strstr(ls_text_str(&text), "profile h200\n"));
  ls_text_free(&text);
  free(list.gpus);
  only("DEVICES", "0");
  CHECK(!gpu_list(&list, &err) && list.count == 0);
  CHECK_INT(err.kind, LS_EENV);
  CHECK_STR(err.message, "the NVIDIA driver, CUDA 13.0, shows no GPU");
  setenv("CUDA_VISIBLE_DEVICES", "7", 1);
  CHECK(!gpu_list(&list, &err) && strstr(err.message, "CUDA_VISIBLE_DEVICES is '7'"));
  unsetenv("CUDA_VISIBLE_DEVICES");
  only("NAME", "NVIDIA H200 MIG 1g.18gb");                 // a slice: the memory's width is the whole's
  CHECK(gpu_list(&list, &err) && gpu_bandwidth_gbs(&list.gpus[0]) == 0);
  gpu_describe(&list.gpus[0], &text);
  CHECK(strstr(ls_text_str(&text), "memory 3201 MHz, L2") != NULL);
  ls_text_free(&text);
  free(list.gpus);
  only(NULL, NULL);
}

static void profiles_are_rows_or_made(void) {
  LsErr err = {0};
  only("NAME", "NVIDIA H200");
  const ArchProfile *profile = gpu_profile_here(&err);
  CHECK(profile == arch_find("h200") && arch_find("gpu") == profile);
  only("NAME", "NVIDIA H20");                              // what is counted agrees, the name does not
  profile = gpu_profile_here(&err);
  CHECK(profile && arch_find("GPU") == profile);
  if (!profile) return;
  const ArchProfile *h200 = arch_find("h200");
  CHECK_STR(profile->name, "gpu");
  CHECK_STR(profile->title, "NVIDIA H20");
  CHECK(profile->sm_count == h200->sm_count && profile->warps_per_sm == h200->warps_per_sm &&
        profile->blocks_per_sm == h200->blocks_per_sm &&
        profile->regs_per_sm == h200->regs_per_sm && profile->reg_unit == h200->reg_unit &&
            profile->shared_per_sm == h200->shared_per_sm &&
        profile->shared_per_block == h200->shared_per_block && profile->shared_unit == h200->shared_unit &&
        profile->shared_reserved == h200->shared_reserved && profile->threads_per_block == h200->threads_per_block);
  CHECK(profile->bandwidth_gbs > 4900 && profile->bandwidth_gbs < 4930 && profile->fp32_tflops > 66.8 &&
        profile->fp32_tflops < 67.0);
  only("DEVICES", "0");
  CHECK(gpu_profile_here(&err) == NULL);
  arch_set_here(NULL);
  CHECK(arch_find("gpu") == NULL);
  only(NULL, NULL);
}

// ---- whether it will do --------------------------------------------------------------------------------------------

static bool opens(const char *setting, const char *value, LsErr *err) {
  GpuFacts facts;
  only(setting, value);
  Driver *driver = driver_open(err);
  bool is = driver && gpu_first(driver, &facts, err) && gpu_is_open(&facts, err);
  driver_close(driver);
  only(NULL, NULL);
  return is;
}

static void unfit_gpus_are_refused(void) {
  LsErr err = {0};
  CHECK(opens("CC", "70", &err));
  CHECK(!opens("CC", "61", &err));
  CHECK_INT(err.kind, LS_EENV);
  CHECK(strstr(err.message, "has compute capability 6.1; lanescope traces GPUs from 7.0") != NULL);
  CHECK(!opens("MODE", "2", &err));
  CHECK(strstr(err.message, "compute mode Prohibited") && strstr(err.message, "nvidia-smi -c 0"));
  CHECK(opens("MODE", "3", &err));                         // exclusive: whoever comes first has it
}

static bool takes(const char *cc, const char *target, LsErr *err) {
  char *text = ls_format(".version 8.0\n.target %s\n.address_size 64\n.entry k() { ret; }\n", target);
  PtxModule *module = ptx_parse("k.ptx", text, strlen(text), err);
  GpuFacts facts;
  only("CC", cc);
  Driver *driver = driver_open(err);
  bool is = module && driver && gpu_first(driver, &facts, err) && gpu_takes(&facts, module, err);
  driver_close(driver);
  ptx_module_free(module);
  free(text);
  only(NULL, NULL);
  return is;
}

static void targets_are_compared(void) {
  LsErr err = {0};
  CHECK(takes("90", "sm_75", &err) && takes("90", "sm_90", &err) && takes("90", "sm_90a", &err) && takes("103", "sm_100f", &err));
  CHECK(!takes("75", "sm_80", &err));
  CHECK_INT(err.kind, LS_EREQUEST);
  CHECK(strstr(err.message, "compiled for sm_80 (compute capability 8.0)") && strstr(err.message, "has 7.5") &&
        strstr(err.message, "-arch=compute_75"));
  CHECK(!takes("100", "sm_90a", &err));                    // what is for one chip runs on no later one
  CHECK(!takes("120", "sm_100f", &err));
}

// ---- limits --------------------------------------------------------------------------------------------------------

static size_t limits[2];    // as they were set, by their numbers; a driver has no stacks of more than 8 KB here

static int note_limit(int limit, size_t value) {
  if (limit == DRIVER_LIMIT_STACK && value > 8192) return DRIVER_OUT_OF_MEMORY;
  limits[limit] = value;
  return 0;
}

static void limits_for(const char *body, int sms) {
  LsErr err = {0};
  Driver driver = {.limit_set = note_limit};
  GpuFacts facts = {.sm_count = sms, .threads_per_sm = 1024, .memory_bytes = 1ull << 30};
  char *text = ls_format(".version 8.0\n.target sm_75\n.address_size 64\n.func f();\n.func g() { call f, (); ret; }\n.func f() { %s ret; }\n"
                         ".entry k() { call g, (); ret; }\n", body);
  PtxModule *module = ptx_parse("k.ptx", text, strlen(text), &err);
  if (!module) printf("\n%s\n", err.message);
  CHECK(module != NULL);
  limits[0] = limits[1] = 0;
  if (module) cuda_limits(&driver, &facts, module);
  ptx_module_free(module);
  free(text);
}

static void recursion_gets_a_stack(void) {
  limits_for("", 1);
  CHECK(limits[DRIVER_LIMIT_STACK] == 0 && limits[DRIVER_LIMIT_PRINTF] == 8 << 20);
  limits_for("call f, ();", 1);
  CHECK_INT(limits[DRIVER_LIMIT_STACK], 8192);
  limits_for("call g, ();", 16);                           // by way of another; a sixteenth of the memory is 4 KB a thread
  CHECK_INT(limits[DRIVER_LIMIT_STACK], 4096);
  limits_for("call g, ();", 1000);
  CHECK_INT(limits[DRIVER_LIMIT_STACK], 0);
  cuda_limits(&(Driver){0}, NULL, NULL);                   // a driver without limits
}

// ---- a driver that fails at every call in turn -----------------------------------------------------------------------

static void every_failure_is_told(void) {
  char number[16];
  int calls = 0;
  GpuList list;
  only(NULL, NULL);
  ask("fake_cuda_reset");
  CHECK(gpu_list(&list, NULL));
  calls = ask("fake_cuda_calls");
  free(list.gpus);
  CHECK(calls > 20);
  for (int n = 1; n <= calls; n++) {
    LsErr err = {0};
    snprintf(number, sizeof number, "%d", n);
    only("FAIL_AT", number);
    ask("fake_cuda_reset");
    bool ok = gpu_list(&list, &err);
    CHECK(ok || (err.kind == LS_EENV && strlen(err.message) > 20));
    for (int i = 0; ok && i < list.count; i++) CHECK(list.gpus[i].name[0] != '\0');
    free(list.gpus);
    list.gpus = NULL;
    ask("fake_cuda_reset");
    CHECK_INT(ask("fake_cuda_live"), 0);
  }
  only(NULL, NULL);
}

static const Check checks[] = {
    {"no driver says what to do", no_driver_says_what_to_do},
    {"looking starts nothing", looking_starts_nothing},
    {"a missing function is named", a_missing_function_is_named},
    {"answers are words", answers_are_words},
    {"ptx versions need drivers", ptx_versions_need_drivers},
    {"an old driver names both versions", an_old_driver_names_both_versions},
    {"facts are the driver's", facts_are_the_drivers},
    {"profiles are rows or made", profiles_are_rows_or_made},
    {"unfit gpus are refused", unfit_gpus_are_refused},
    {"targets are compared", targets_are_compared},
    {"recursion gets a stack", recursion_gets_a_stack},
    {"every failure is told", every_failure_is_told},
};

int main(int argc, char **argv) {
  use_library(LS_FAKE_CUDA);
  unsetenv("CUDA_VISIBLE_DEVICES");
  return check_main("driver", checks, LS_COUNT(checks), argc, argv);
}
