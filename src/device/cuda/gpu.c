// gpu.c: reads the attributes of a GPU, checks launches against them, and makes a profile of them.
#include "device/cuda/gpu.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { LEAST_CC = 70, MODE_PROHIBITED = 2 };

// ---- facts ---------------------------------------------------------------------------------------------------------

bool gpu_read(const Driver *driver, int ordinal, GpuFacts *facts, LsErr *err) {
  size_t bytes = 0;
  *facts = (GpuFacts){.ordinal = ordinal};
  if (!driver_good(driver, driver->device_get(&facts->handle, ordinal), "asking the driver for a GPU", err)) return false;
  if (!driver_good(driver, driver->device_name(facts->name, sizeof facts->name - 1, facts->handle), "asking for the GPU's name", err))
    return false;
  if (!driver_good(driver, driver->device_memory(&bytes, facts->handle), "asking for the GPU's memory", err)) return false;
  facts->memory_bytes = bytes;
#define GPU_FACT(member, attribute, ...) \
  if (driver->device_attribute(&facts->member, attribute, facts->handle) != 0) facts->member = 0;
#include "device/cuda/gpu.def"
#undef GPU_FACT
  if (strstr(facts->name, " MIG ")) facts->memory_bus_bits = 0;   // a slice tells the width of the whole GPU
  if (facts->cc_major > 0 && facts->sm_count > 0) return true;
  return ls_fail(err, LS_EENV, "the driver does not tell the compute capability and the SMs of %s", facts->name);
}

bool gpu_first(const Driver *driver, GpuFacts *facts, LsErr *err) {
  int count = 0;
  if (!driver_good(driver, driver->device_count(&count), "asking the driver for GPUs", err)) return false;
  return count > 0 ? gpu_read(driver, 0, facts, err) : driver_no_gpu(driver, err);
}

// ---- whether it will do --------------------------------------------------------------------------------------------

static int cc_of(const GpuFacts *facts) { return facts->cc_major * 10 + facts->cc_minor; }

bool gpu_is_open(const GpuFacts *facts, LsErr *err) {
  if (facts->compute_mode == MODE_PROHIBITED)
    return ls_fail(err, LS_EENV,
                   "%s is in compute mode Prohibited: no program may use it. An administrator changes that with nvidia-smi -c 0",
                   facts->name);
  if (cc_of(facts) < LEAST_CC)
    return ls_fail(err, LS_EENV,
                   "%s has compute capability %d.%d; lanescope traces GPUs from 7.0 (Volta, 2017) on. The emulator shows what it does: "
                   "--device emu", facts->name, facts->cc_major, facts->cc_minor);
  return true;
}

// "sm_90" runs on 9.0 and later, "sm_90a" on 9.0 alone, "sm_100f" on 10.x from 10.0 on (PTX ISA 11.1.2).
// *wanted: 90; *only: what the letter asks for.
static bool target_fits(const char *target, int cc, int *wanted, bool *only) {
  char *end = NULL;
  *wanted = 0;
  *only = false;
  if (!target || strncmp(target, "sm_", 3) != 0) return true;
  *wanted = (int)strtol(target + 3, &end, 10);
  *only = *end == 'a' || *end == 'f';
  if (*end == 'a') return cc == *wanted;
  if (*end == 'f') return cc >= *wanted && cc / 10 == *wanted / 10;
  return cc >= *wanted;
}

static bool takes(const GpuFacts *facts, const PtxModule *module, bool later, LsErr *err) {
  int wanted;
  bool only;
  if (target_fits(module->target, cc_of(facts), &wanted, &only) || (later && !only)) return true;
  return ls_fail(err, LS_EREQUEST,
                 "this kernel is compiled for %s (compute capability %d.%d); %s has %d.%d.\nCompile it with -arch=compute_%d",
                 module->target, wanted / 10, wanted % 10, facts->name, facts->cc_major, facts->cc_minor, cc_of(facts));
}

bool gpu_takes(const GpuFacts *facts, const PtxModule *module, LsErr *err) { return takes(facts, module, false, err); }

bool gpu_may_take(const GpuFacts *facts, const PtxModule *module, LsErr *err) { return takes(facts, module, true, err); }

// ---- the profile ---------------------------------------------------------------------------------------------------

double gpu_bandwidth_gbs(const GpuFacts *facts) {
  return 2.0 * facts->memory_clock_khz * 1e3 * facts->memory_bus_bits / 8 / 1e9;   // two words per clock
}

// Lanes of f32 arithmetic of an SM (CUDA Programming Guide, arithmetic instructions: results per clock cycle).
static int fp32_lanes(int cc) { return cc == 70 || cc == 72 || cc == 75 || cc == 80 ? 64 : 128; }

// "NVIDIA GeForce RTX 4090" is the row "rtx4090" if what can be counted is the same, too.
static bool is_row(const GpuFacts *facts, const ArchProfile *row) {
  char name[sizeof facts->name];
  size_t n = 0;
  for (const char *p = facts->name; *p; p++)
    if (*p != ' ') name[n++] = (char)tolower((unsigned char)*p);
  name[n] = '\0';
  double bandwidth = gpu_bandwidth_gbs(facts);
  bool as_fast = bandwidth <= 0 || fabs(bandwidth - row->bandwidth_gbs) < 0.1 * row->bandwidth_gbs;
  return strstr(name, row->name) && row->cc_major == facts->cc_major && row->cc_minor == facts->cc_minor &&
         row->sm_count == facts->sm_count && as_fast;
}

const ArchProfile *gpu_profile(const GpuFacts *facts, ArchProfile *made) {
  int count, cc = cc_of(facts);
  const ArchProfile *rows = arch_all(&count);
  for (int i = 0; i < count; i++)
    if (is_row(facts, &rows[i])) return &rows[i];
  *made = (ArchProfile){
      .name = "gpu", .title = facts->name, .cc_major = facts->cc_major, .cc_minor = facts->cc_minor,
      .sm_count = facts->sm_count, .warps_per_sm = facts->threads_per_sm / 32,
      .blocks_per_sm = facts->blocks_per_sm ? facts->blocks_per_sm : cc == 75 ? 16 : 32,
      .threads_per_block = facts->threads_per_block,
      .regs_per_sm = facts->regs_per_sm, .regs_per_thread = 255, .reg_unit = 256,
      .shared_per_sm = facts->shared_per_sm, .shared_per_block = LS_MAX(facts->shared_optin, facts->shared_per_block),
      .shared_unit = cc < 80 ? 256 : 128, .shared_reserved = facts->shared_reserved,
      .banks = 32, .schedulers = 4, .bandwidth_gbs = gpu_bandwidth_gbs(facts),
      .fp32_tflops = 2.0 * fp32_lanes(cc) * facts->sm_count * facts->clock_khz * 1e3 / 1e12,
  };
  return made;
}

const ArchProfile *gpu_profile_here(LsErr *err) {
  static GpuFacts facts;       // the profile has its name
  static ArchProfile made;
  Driver *driver = driver_open(err);
  bool found = driver && gpu_first(driver, &facts, err);
  driver_close(driver);
  if (!found) return NULL;
  const ArchProfile *profile = gpu_profile(&facts, &made);
  arch_set_here(profile);
  return profile;
}

// ---- words ---------------------------------------------------------------------------------------------------------

void gpu_describe(const GpuFacts *facts, LsText *out) {
  ArchProfile made;
  const ArchProfile *profile = gpu_profile(facts, &made);
  ls_text_addf(out, "%s: compute capability %d.%d, %d SMs, %.1f GB of memory\n", facts->name, facts->cc_major, facts->cc_minor,
               facts->sm_count, (double)facts->memory_bytes / 1e9);
  ls_text_addf(out, "each SM: %d threads, %d blocks, %d registers, %d KB of shared memory (%d KB a block)\n", facts->threads_per_sm,
               profile->blocks_per_sm, facts->regs_per_sm, facts->shared_per_sm / 1024, profile->shared_per_block / 1024);
  ls_text_addf(out, "clock %d MHz, memory %d MHz", facts->clock_khz / 1000, facts->memory_clock_khz / 1000);
  if (facts->memory_bus_bits) ls_text_addf(out, " on %d bits (%.0f GB/s)", facts->memory_bus_bits, gpu_bandwidth_gbs(facts));
  ls_text_addf(out, ", L2 cache %.1f MB\n", facts->l2_bytes / 1048576.0);
  if (profile == &made) ls_text_add(out, "profile gpu, made from these\n");
  else ls_text_addf(out, "profile %s\n", profile->name);
}

bool gpu_list(GpuList *list, LsErr *err) {
  *list = (GpuList){0};
  Driver *driver = driver_open(err);
  int count = 0;
  if (!driver) return false;
  driver_describe(driver, list->driver, sizeof list->driver);
  list->newest_ptx = driver_newest_ptx(driver->version);
  GpuFacts first;
  bool ok = gpu_first(driver, &first, err) &&
            driver_good(driver, driver->device_count(&count), "asking the driver for GPUs", err);
  if (ok) list->gpus = ls_alloc(sizeof *list->gpus * (size_t)count);
  for (int i = 0; i < count && ok; i++)
    if (gpu_read(driver, i, &list->gpus[list->count], NULL)) list->count++;
  driver_close(driver);
  return ok;
}
