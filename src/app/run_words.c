// run_words.c: where a run is from, in words.
#include <string.h>

#include "app/run.h"

bool run_is_emulated(const Run *run) { return run->info.device && strcmp(run->info.device, "emu") == 0; }

const TraceMeasure *run_measure(const Run *run) { return run->trace ? trace_measure(run->trace) : NULL; }

const char *run_how(const Run *run) {
  if (run_is_emulated(run)) return "emulated";
  return run->info.device && strcmp(run->info.device, "recorded") == 0 ? "recorded" : "measured";
}

// "NVIDIA H200 (Hopper)" is known as H200.
static void add_profile(const char *name, LsText *out) {
  const ArchProfile *arch = name ? arch_find(name) : NULL;
  const char *title = arch ? arch->title : name ? name : "";
  if (ls_starts_with(title, "NVIDIA ")) title += strlen("NVIDIA ");
  size_t length = strcspn(title, "(");
  while (length > 0 && title[length - 1] == ' ') length--;
  ls_text_addn(out, title, length);
}

static const char *device_of(const TraceInfo *info) { return info->device_name ? info->device_name : info->device ? info->device : ""; }

void run_where(const Run *run, RunDetail detail, LsText *out) {
  const TraceInfo *info = &run->info;
  const TraceMeasure *measure = run_measure(run);
  if (run_is_emulated(run)) {
    ls_text_addf(out, "%s · %s · ", device_of(info), info->sched ? info->sched : "its");
    add_profile(info->profile, out);
    return;
  }
  ls_text_addf(out, "%s on %s", run_how(run), device_of(info));
  if (detail >= RUN_WITH_DATE && measure && measure->date) ls_text_addf(out, ", %s", measure->date);
  if (detail == RUN_IN_FULL && measure && measure->driver) ls_text_addf(out, ", driver %s", measure->driver);
}
