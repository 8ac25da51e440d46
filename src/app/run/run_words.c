// run_words.c: where a run is from, and what it printed, in words.
#include <string.h>

#include "app/run/run.h"

bool run_is_emulated(const Run *run) { return run->info.device && strcmp(run->info.device, "emu") == 0; }

const TraceMeasure *run_measure(const Run *run) { return run->trace ? trace_measure(run->trace) : NULL; }

void run_lost_words(const Run *run, LsText *out) {
  const TraceMeasure *measure = run_measure(run);
  char digits[32];
  if (!measure || !measure->lost_events) return;
  ls_text_addf(out, "%s event%s of the recorded blocks did not fit into the GPU's buffers and %s missing: record fewer blocks",
               ls_group_digits(measure->lost_events, digits), measure->lost_events == 1 ? "" : "s",
               measure->lost_events == 1 ? "is" : "are");
}

// What stopped it: warnings of what a kernel left undone do not. NULL: nothing did.
static const TraceFault *stopping_fault(const Run *run) {
  for (int i = 0; i < run->fault_count; i++)
    if (trace_fault_grade(&run->faults[i]) == GRADE_FAULT) return &run->faults[i];
  return NULL;
}

// A kernel that faulted ran once more with tracing; if not even that told anything, there is nothing to see.
void run_stopped_words(const Run *run, LsText *out) {
  char digits[32], blocks[32];
  if (run->interrupted && run->is_early)
    ls_text_addf(out, "%s of %s blocks so far, the others are running: all numbers are of these",
                 ls_group_digits(run->blocks_done, digits), ls_group_digits(launch_blocks(&run->info.launch), blocks));
  else if (run->interrupted)
    ls_text_addf(out, "stopped by Ctrl-C after %s of %s blocks: all numbers are of what had run until then",
                 ls_group_digits(run->blocks_done, digits), ls_group_digits(launch_blocks(&run->info.launch), blocks));
  const TraceFault *fault = stopping_fault(run);
  if (run_is_emulated(run) || !fault) return;
  uint64_t steps = run->trace ? trace_steps(run->trace) : 0;
  ls_text_add(out, "the GPU stopped the kernel at a fault");
  if (steps) ls_text_addf(out, ", %s steps on", ls_group_digits(steps, digits));
  ls_text_add(out, ": counters are of what it had done until then");
  if (fault->pc < 0) ls_text_add(out, ". Where that was --device emu finds out");
}

static bool is_unknown(const Run *run) { return !run->profile && run->info.profile && !arch_find(run->info.profile); }

const ArchProfile *run_profile(const Run *run) {
  if (run->profile) return run->profile;
  return arch_find(is_unknown(run) ? run->request.profile : run->info.profile);
}

// "NVIDIA H200 (Hopper)" is known as H200.
static void add_profile(const Run *run, LsText *out) {
  const ArchProfile *arch = run_profile(run);
  const char *title = arch ? arch->title : run->info.profile ? run->info.profile : "";
  if (ls_starts_with(title, "NVIDIA ")) title += strlen("NVIDIA ");
  size_t length = strcspn(title, "(");
  while (length > 0 && title[length - 1] == ' ') length--;
  ls_text_addn(out, title, length);
}

void run_profile_words(const Run *run, LsText *out) {
  if (!is_unknown(run)) return;
  ls_text_addf(out, "the profile '%s' of this trace is of the machine that made it, and not known here: what is computed is for ",
               run->info.profile);
  add_profile(run, out);
}

const char *run_how(const Run *run) {
  if (run_is_emulated(run)) return "emulated";
  return run->info.device && strcmp(run->info.device, "recorded") == 0 ? "recorded" : "measured";
}

static const char *device_of(const TraceInfo *info) {
  return info->device_name ? info->device_name : info->device ? info->device : "";
}

SentenceAbout run_about(const Run *run) {
  return (SentenceAbout){.module = run->module, .info = &run->info, .faults = run->faults,
                         .fault_count = run->fault_count,
                         .source = true};
}

static const char *order_words(const TraceInfo *info) {
  return info->order && strcmp(info->order, "turns") == 0 ? "warps in turns" : "each warp until it waits";
}

void run_where(const Run *run, RunDetail detail, LsText *out) {
  const TraceInfo *info = &run->info;
  const TraceMeasure *measure = run_measure(run);
  if (run_is_emulated(run)) {
    ls_text_addf(out, "%s · %s · ", device_of(info), info->sched ? info->sched : "its");
    add_profile(run, out);
    if (detail >= RUN_WITH_DATE && launch_warps(&info->launch) > 1) ls_text_addf(out, " · %s", order_words(info));
    return;
  }
  ls_text_addf(out, "%s on %s", run_how(run), device_of(info));
  if (detail >= RUN_WITH_DATE && measure && measure->date) ls_text_addf(out, ", %s", measure->date);
  if (detail == RUN_IN_FULL && measure && measure->driver) ls_text_addf(out, ", driver %s", measure->driver);
  if (run->is_outdated) ls_text_add(out, ", of an older kernel");
}

// ---- what it printed -------------------------------------------------------------------------------------------------

enum { QUOTED = 60, NAMED_LANES = 4 };

const TracePrint *run_prints(const Run *run, int *count) {
  *count = 0;
  return run->trace ? trace_prints(run->trace, count) : NULL;
}

void run_one_line(const char *text, char *out, size_t size) {
  size_t length = strlen(text), at = 0;
  while (length && text[length - 1] == '\n') length--;
  for (size_t i = 0; i < length && at + 1 < size; i++) out[at++] = strchr("\n\r\t", text[i]) ? ' ' : text[i];
  if (at < length) {   // no half character at a cut
    while (at && ((unsigned char)out[at - 1] & 0xc0) == 0x80) at--;
    if (at && (unsigned char)out[at - 1] >= 0xc0) at--;
  }
  out[at] = 0;
}

static void quote(const char *text, LsText *out) {
  char line[QUOTED];
  run_one_line(text, line, sizeof line);
  ls_text_addf(out, "\"%s\"%s", line, strlen(text) > QUOTED ? " ..." : "");
}

// The pieces of a step are behind one another: one call of a warp.
void run_print_words(const Run *run, uint64_t step, LsText *out) {
  int count, first = 0, many = 0;
  const TracePrint *prints = run_prints(run, &count);
  while (first < count && prints[first].step != step) first++;
  while (first + many < count && prints[first + many].step == step) many++;
  if (!many) return;
  ls_text_addf(out, "printf: %d lane%s print%s ", many, many == 1 ? "" : "s", many == 1 ? "s" : "");
  for (int i = 0; i < LS_MIN(many, NAMED_LANES); i++) {
    if (i) ls_text_add(out, ", ");
    quote(prints[first + i].text, out);
    ls_text_addf(out, " (lane %u)", prints[first + i].thread % 32);
  }
  if (many > NAMED_LANES) ls_text_add(out, " and so on");
  ls_text_addc(out, '.');
}
