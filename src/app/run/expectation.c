// expectation.c: holds a run against what its recipe says of it.
#include "app/run/expectation.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/program_memory.h"
#include "app/run/run_parts.h"
#include "base/file.h"

enum { SOURCE_LIMIT = 8 << 20 };

// What came of a run, of one launch or of a program.
typedef struct Outcome {
  const RunRequest *request;
  const PtxModule *module;
  RunVerdict verdict; const char *verdict_text;
  bool stopped;
  uint64_t faults, between, findings;   // bits, as those of RecipeExpect
  const TraceFault **list; int fault_count, fault_capacity;
  uint64_t (*written)(const void *run, const char *buffer);   // UINT64_MAX: there is no such buffer
  const void *run;
} Outcome;

// ---- words ---------------------------------------------------------------------------------------------------------

static void add(LsText *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(LsText *out, const char *format, ...) {
  char words[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words, sizeof words, format, arguments);
  va_end(arguments);
  ls_text_addf(out, "%s%s", out->length ? "; " : "", words);
}

// The names of kinds, each once: one word may stand for a fault of a kernel and for one between steps.
static void each_kind(uint64_t faults, uint64_t between, void (*tell)(const char *name, void *context), void *context) {
  for (int i = 0; i < FAULT_KIND_COUNT; i++)
    if (faults >> i & 1) tell(trace_fault_name((FaultKind)i), context);
  for (int i = 0; i < PROGRAM_FAULT_COUNT; i++) {
    const char *name = program_fault_def((ProgramFaultKind)i)->name;
    bool told = false;
    for (int k = 0; k < FAULT_KIND_COUNT; k++)
      told |= (faults >> k & 1) && strcmp(trace_fault_name((FaultKind)k), name) == 0;
    if ((between >> i & 1) && !told) tell(name, context);
  }
}

static void add_kind(const char *name, void *context) { add(context, "%s", name); }

void expectation_words(const RecipeExpect *expect, LsText *out) {
  static const char *const results[] = {[RECIPE_RIGHT] = "a right result", [RECIPE_WRONG] = "a wrong result",
                                        [RECIPE_BY_CHANCE] = "a result that is right by chance"};
  LsText words = {0};
  add(&words, "%s", results[expect->outcome]);
  each_kind(expect->faults, expect->between, add_kind, &words);
  for (int i = 0; i < FINDING_KIND_COUNT; i++)
    if (expect->findings >> i & 1) add(&words, "%s", finding_def((FindingKind)i)->title);
  for (int i = 0; i < expect->written_count; i++)
    add(&words, "%" PRIu64 " elements of %s written", expect->written[i].elements, expect->written[i].buffer);
  ls_text_addf(out, "%s%s", expect->on_stack ? "with --sched stack " : "", ls_text_str(&words));
  ls_text_free(&words);
}

void expectation_form_words(const RecipeForm *form, LsText *out) {
  const char *parts[] = {form->title, form->erratum, form->where};
  bool any = false;
  for (int i = 0; i < LS_COUNT(parts); i++) {
    if (parts[i]) ls_text_addf(out, "%s%s", any ? ", " : "", parts[i]);
    any |= parts[i] != NULL;
  }
  ls_text_add(out, any ? "; expected: " : "expected: ");
  expectation_words(&form->expect, out);
}

// ---- differences ---------------------------------------------------------------------------------------------------

static void check_result(const Outcome *o, const RecipeExpect *expect, LsText *wrong) {
  if (o->stopped && expect->outcome != RECIPE_WRONG) add(wrong, "a fault ended the run before it had a result");
  else if (o->verdict == RUN_WRONG && expect->outcome == RECIPE_RIGHT)
    add(wrong, "expected a right result, and it is wrong: %s", o->verdict_text);
  else if (o->verdict == RUN_RIGHT && expect->outcome == RECIPE_WRONG)
    add(wrong, "expected a wrong result, and it is right");
}

typedef struct Search { const char *name; bool found; } Search;
typedef struct Difference { const Outcome *outcome; const RecipeExpect *expect; LsText *out; } Difference;

static void same_name(const char *name, void *context) {
  Search *search = context;
  search->found |= strcmp(search->name, name) == 0;
}

static bool has(uint64_t faults, uint64_t between, const char *name) {
  Search search = {name, false};
  each_kind(faults, between, same_name, &search);
  return search.found;
}

static const char *first_of_kind(const Outcome *o, const char *name) {
  for (int i = 0; i < o->fault_count; i++)
    if (strcmp(trace_fault_name((FaultKind)o->list[i]->kind), name) == 0) return o->list[i]->message;
  return NULL;
}

static void tell_missing(const char *name, void *context) {
  Difference *d = context;
  if (!has(d->outcome->faults, d->outcome->between, name)) add(d->out, "expected %s, which was not found", name);
}

static void tell_surplus(const char *name, void *context) {
  Difference *d = context;
  if (has(d->expect->faults, d->expect->between, name)) return;
  const char *message = first_of_kind(d->outcome, name);
  add(d->out, "%s was not expected%s%s", name, message ? ": " : "", message ? message : "");
}

static void check_faults(const Outcome *o, const RecipeExpect *expect, LsText *wrong) {
  Difference difference = {o, expect, wrong};
  each_kind(expect->faults, expect->between, tell_missing, &difference);
  each_kind(o->faults, o->between, tell_surplus, &difference);
}

static void check_findings(const Outcome *o, const RecipeExpect *expect, LsText *wrong) {
  for (int i = 0; i < FINDING_KIND_COUNT; i++)
    if ((expect->findings & ~o->findings) >> i & 1)
      add(wrong, "expected the finding %s, which was not made", finding_def((FindingKind)i)->id);
}

static bool line_has(const Outcome *o, int32_t pc, const char *piece) {
  int file = 0, line = 0;
  if (pc < 0 || !ptx_line_of(o->module, pc, &file, &line)) return false;
  char *path = run_recipe_file(o->request->recipe, "kernels", ls_path_base(o->module->files[file]), NULL);
  char *text = path ? ls_file_read(path, SOURCE_LIMIT, NULL, NULL) : NULL;
  const char *at = text ? ls_line_at(text, line) : NULL, *found = at ? strstr(at, piece) : NULL;
  bool has = found && found + strlen(piece) <= at + strcspn(at, "\n");
  free(text);
  free(path);
  return has;
}

static void check_line(const Outcome *o, const RecipeExpect *expect, LsText *wrong) {
  if (!expect->line || !(o->faults & expect->faults)) return;
  for (int i = 0; i < o->fault_count; i++) {
    const TraceFault *fault = o->list[i];
    if (!(expect->faults >> fault->kind & 1)) continue;
    if (line_has(o, fault->pc, expect->line) || line_has(o, fault->other_pc, expect->line)) return;
  }
  add(wrong, "expected it on the line with \"%s\", and it is on none with that", expect->line);
}

static void check_written(const Outcome *o, const RecipeExpect *expect, LsText *wrong) {
  for (int i = 0; i < expect->written_count; i++) {
    const RecipeWritten *want = &expect->written[i];
    uint64_t written = o->written(o->run, want->buffer);
    if (written == UINT64_MAX) add(wrong, "expected written elements of %s, which is no result of it", want->buffer);
    else if (written != want->elements)
      add(wrong, "expected %" PRIu64 " written elements of %s, and there are %" PRIu64, want->elements, want->buffer,
          written);
  }
}

static bool judge(const Outcome *o, LsErr *err) {
  RecipeExpect expect;
  const Recipe *recipe = o->request->recipe;
  if (!recipe->expect(recipe, &o->request->values, &expect, err)) return false;
  if (expect.on_stack && o->request->sched != SIM_STACK) expect = (RecipeExpect){.outcome = RECIPE_RIGHT};
  LsText wrong = {0}, values = {0};
  check_result(o, &expect, &wrong);
  check_faults(o, &expect, &wrong);
  check_findings(o, &expect, &wrong);
  check_line(o, &expect, &wrong);
  check_written(o, &expect, &wrong);
  recipe_print_values(recipe, &o->request->values, &values);
  bool met = !wrong.length;
  if (!met) ls_fail(err, LS_EFAULT, "%s %s: %s", recipe->name, ls_text_str(&values), ls_text_str(&wrong));
  ls_text_free(&values);
  ls_text_free(&wrong);
  return met;
}

// ---- one launch ----------------------------------------------------------------------------------------------------

static void add_fault(Outcome *o, const TraceFault *fault) {
  o->faults |= 1ull << fault->kind;
  LS_PUSH(o->list, o->fault_count, o->fault_capacity, fault);
}

static uint64_t written_by_launch(const void *context, const char *buffer) {
  const Run *run = context;
  for (int i = 0; i < run->coverage_count; i++) {
    LsText name = {0};
    run_coverage_name(run, &run->coverage[i], &name);
    bool same = strcmp(ls_text_str(&name), buffer) == 0;
    ls_text_free(&name);
    if (same) return run->coverage[i].written;
  }
  return UINT64_MAX;
}

bool expectation_is_met(Run *run, LsErr *err) {
  if (!run->request.recipe || run->program || run->request.checks != SIM_CHECK_ALL) return true;
  if (!run->device_run || !run_is_emulated(run) || run->interrupted) return true;
  Outcome o = {.request = &run->request, .module = run->module, .verdict = run->verdict,
               .verdict_text = run->verdict_text, .stopped = run_stopped_early(run), .written = written_by_launch,
                   .run = run};
  for (int i = 0; i < run->fault_count; i++) add_fault(&o, &run->faults[i]);
  const Findings *findings = run_findings(run);
  for (int i = 0; findings && i < findings->count; i++) o.findings |= 1ull << findings->items[i].kind;
  bool met = judge(&o, err);
  free(o.list);
  return met;
}

// ---- a program -----------------------------------------------------------------------------------------------------

static uint64_t written_by_program(const void *context, const char *buffer) {
  const ProgramRun *run = context;
  int index = program_buffer(&run->program, buffer);
  if (index < 0) return UINT64_MAX;
  const LaunchArg *arg = &run->program.buffers[index].contents;
  const ProgramBytes *side = &run->memory->device[index];
  uint64_t written = 0, size = (uint64_t)launch_type_size(arg->type);
  if (!side->bytes) return 0;
  if (!side->written) return arg->count;
  for (uint64_t i = 0; i < arg->count; i++) written += side->written[i * size];
  return written;
}

bool expectation_is_met_by(const ProgramRun *run, LsErr *err) {
  if (run->request.checks != SIM_CHECK_ALL || strcmp(run->device->name, "emu") != 0) return true;
  Outcome o = {.request = &run->request, .module = run->module, .verdict = run->verdict,
               .verdict_text = run->verdict_text, .stopped = run->stopped, .written = written_by_program, .run = run};
  for (int i = 0; i < run->launch_count; i++)
    for (int k = 0; k < run->launches[i].fault_count; k++) add_fault(&o, &run->launches[i].faults[k]);
  for (int i = 0; i < run->fault_count; i++) o.between |= 1ull << run->faults[i].kind;
  bool met = judge(&o, err);
  free(o.list);
  return met;
}
