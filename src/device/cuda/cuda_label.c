// cuda_label.c: another version and target at the head of a PTX text, and what of it an older compiler does not know.
#include "device/cuda/cuda_label.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum {
  LEAST_VERSION = 70,    // what instrumented kernels need; drivers for less are refused by driver.def as well
  LINES_VERSION = 72,    // .loc with inlined_at, and strings of debug sections
};

CudaLabel cuda_label(const Driver *driver, const GpuFacts *facts, const PtxModule *module) {
  int newest = driver_newest_ptx(driver->version);
  bool takes = driver_takes_ptx(driver, module->version_major, module->version_minor, NULL);
  CudaLabel label = {.version = takes || newest < LEAST_VERSION ? 0 : newest, .lines = newest >= LINES_VERSION};
  if (!gpu_takes(facts, module, NULL)) label.target = facts->cc_major * 10 + facts->cc_minor;
  return label;
}

// ---- the text ------------------------------------------------------------------------------------------------------

static bool without_lines(const CudaLabel *label) { return label->version && !label->lines; }

static bool begins(const char *line, const char *word) {
  line += strspn(line, " \t");
  size_t length = strlen(word);
  return strncmp(line, word, length) == 0 && strchr(" \t\n", line[length]);
}

static void add_version(LsText *out, int version, const char *line, size_t length) {
  const char *digits = line + strcspn(line, "0123456789\n");
  size_t number = strspn(digits, "0123456789."), before = (size_t)(digits - line);
  ls_text_addf(out, "%.*s%d.%d%.*s", (int)before, line, version / 10, version % 10, (int)(length - before - number), digits + number);
}

// "sm_80, debug": a text that says debug has to have what is left out for an old version.
static void add_target(LsText *out, const CudaLabel *label, const char *line, size_t length) {
  char *copy = ls_strndup(line, length), *comma = strchr(copy, ','), *name = strstr(copy, "sm_");
  if (without_lines(label) && comma && strstr(comma, "debug")) memcpy(comma, "\n", 2);
  const char *rest = name ? name + 3 + strspn(name + 3, "0123456789") : NULL;
  if (name && label->target) ls_text_addf(out, "%.*ssm_%d%s", (int)(name - copy), copy, label->target, rest);
  else ls_text_add(out, copy);
  free(copy);
}

// Line numbers take one line each, debug sections all from their word to a brace that stands alone.
static bool is_left_out(const char *line, bool *section) {
  bool end = *section && begins(line, "}");
  if (begins(line, ".section")) *section = true;
  bool out = *section || begins(line, ".loc") || begins(line, ".file");
  if (end) *section = false;
  return out;
}

char *cuda_label_text(const CudaLabel *label, const char *ptx) {
  LsText out = {0};
  bool section = false;
  if (!label->version && !label->target) return NULL;
  for (const char *line = ptx, *next; *line; line = next) {
    next = line + strcspn(line, "\n");
    next += *next == '\n';
    size_t length = (size_t)(next - line);
    if (label->version && begins(line, ".version")) add_version(&out, label->version, line, length);
    else if (begins(line, ".target")) add_target(&out, label, line, length);
    else if (without_lines(label) && is_left_out(line, &section)) ls_text_add(&out, "\n");
    else ls_text_addn(&out, line, length);
  }
  return ls_text_take(&out);
}

bool cuda_label_explain(const CudaLabel *label, const Driver *driver, const GpuFacts *facts, const PtxModule *module, LsErr *err) {
  if (!driver_takes_ptx(driver, module->version_major, module->version_minor, err)) {
    if (label->version) ls_err_append(err, "Given to it as PTX %d.%d, its compiler says:", label->version / 10, label->version % 10);
    else ls_err_append(err, "Drivers from CUDA 11.0 on are given newer PTX as their own, which does for most kernels; this one is older.");
    return false;
  }
  if (!gpu_takes(facts, module, err) && label->target) ls_err_append(err, "Given to it for sm_%d, the driver's compiler says:", label->target);
  return false;
}
