// gpus.c: the GPUs of this machine, as text and as JSON.
#include "cli/gpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "device/cuda/gpu.h"

int gpus_text(LsText *out) {
  LsErr why = {0};
  GpuList list;
  bool found = gpu_list(&list, &why);
  if (found)
    ls_text_addf(out, "driver %s, PTX up to version %d.%d; newer PTX is tried as that\n", list.driver, list.newest_ptx / 10,
                 list.newest_ptx % 10);
  else ls_text_addf(out, "%s\n", why.message);
  for (int i = 0; i < list.count; i++) {
    ls_text_addf(out, "%d: ", i);
    gpu_describe(&list.gpus[i], out);
  }
  free(list.gpus);
  return found ? list.count : 0;
}

// key NULL: told in another way.
static void json_fact(LsJson *json, const char *key, int value) {
  if (key) ls_json_member_i64(json, key, value);
}

static void json_gpu(LsJson *json, const GpuFacts *facts) {
  char cc[24];
  ArchProfile made;
  snprintf(cc, sizeof cc, "%d.%d", facts->cc_major, facts->cc_minor);
  ls_json_open(json, '{');
  ls_json_member(json, "name", facts->name);
  ls_json_member(json, "compute_capability", cc);
  ls_json_member_u64(json, "memory_bytes", facts->memory_bytes);
#define GPU_FACT(member, attribute, key, ...) json_fact(json, key, facts->member);
#include "device/cuda/gpu.def"
#undef GPU_FACT
  ls_json_member_f64(json, "bandwidth_gbs", gpu_bandwidth_gbs(facts));
  ls_json_member(json, "profile", gpu_profile(facts, &made)->name);
  ls_json_close(json, '}');
}

void gpus_json(LsJson *json) {
  LsErr why = {0};
  GpuList list;
  if (gpu_list(&list, &why)) ls_json_member(json, "driver", list.driver);
  else ls_json_member(json, "no_gpu", why.message);
  ls_json_open_member(json, "gpus", '[');
  for (int i = 0; i < list.count; i++) json_gpu(json, &list.gpus[i]);
  ls_json_close(json, ']');
  free(list.gpus);
}

const ArchProfile *gpus_profile(const char *name, LsErr *err) {
  const ArchProfile *profile = arch_find(name);
  if (profile) return profile;
  if (strcasecmp(name, "gpu") == 0) return gpu_profile_here(err);
  ls_fail(err, LS_EREQUEST, "there is no device profile '%s'; lanescope devices lists them", LS_QUOTE(name));
  return NULL;
}
