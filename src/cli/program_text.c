// program_text.c: launches in a table, steps with their times, totals and faults of a program.
#include "cli/program_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/expectation.h"
#include "app/run/program_measure.h"
#include "base/file.h"
#include "base/random.h"
#include "cli/kernel_form.h"
#include "cli/plain.h"
#include "model/sentence.h"
#include "ptx/demangle.h"

enum { MOST_ROWS = 40,                 // of launches or steps; the others are counted
       NAMES_LEAST = 4, NAMES_MOST = 24,
       WORD_LEAST = 6, WORD_MOST = 16, // columns of a kernel's name, and of a stream's
       STEP_LEAST = 24, STEP_MOST = 60, COUNT_W = 10 };

static const char *const rows[] = {"host", "copy in", "copy out", "stream"};

static const char *stream_of(const ProgramRun *run, const ProgramStep *step) {
  return run->program.streams[step->stream].name;
}

static uint64_t sectors_of(const CounterSet *c) {
  return c->value[COUNTER_GLOBAL_LOAD_SECTORS] + c->value[COUNTER_GLOBAL_STORE_SECTORS] +
         c->value[COUNTER_GLOBAL_RED_SECTORS] + c->value[COUNTER_GLOBAL_ATOM_SECTORS];
}

// "12.3 us": three digits of nanoseconds, as people say it.
static const char *time_text(double ns, char out[32]) {
  if (ns < 0) snprintf(out, 32, "-");
  else if (ns < 1e3) snprintf(out, 32, "%.0f ns", ns);
  else if (ns < 1e6) snprintf(out, 32, "%.2f us", ns / 1e3);
  else snprintf(out, 32, "%.2f ms", ns / 1e6);
  return out;
}

// ---- text ----------------------------------------------------------------------------------------------------------

static void print_dims(const uint32_t dims[3], char out[40]) {
  if (dims[2] > 1) snprintf(out, 40, "%ux%ux%u", dims[0], dims[1], dims[2]);
  else if (dims[1] > 1) snprintf(out, 40, "%ux%u", dims[0], dims[1]);
  else snprintf(out, 40, "%u", dims[0]);
}

// "2,134,016"; without commas where these have no room.
static const char *count_text(uint64_t count, char out[32]) {
  ls_group_digits(count, out);
  if (strlen(out) > COUNT_W) snprintf(out, 32, "%" PRIu64, count);
  return out;
}

// How wide the first columns are: as the longest name in them. names < 0: to the left.
typedef struct LaunchColumns { int names, kernel, stream; } LaunchColumns;

typedef struct LaunchRow {
  bool faulty;
  const char *name, *kernel, *stream;
  const uint32_t *grid, *block;
  const CounterSet *counters;
  double ns;                           // < 0: not known
} LaunchRow;

static void print_row(LaunchColumns w, const LaunchRow *row, FILE *out) {
  char grid[40], block[40], time[32], instructions[32], sectors[32];
  print_dims(row->grid, grid);
  print_dims(row->block, block);
  int kernel = LS_MIN(ptx_name_length(row->kernel), w.kernel);
  plain_print(out, "%c%*s %-*.*s %8s %7s %-*.*s %*s %*s %9s\n", row->faulty ? '!' : ' ', w.names, row->name, w.kernel,
              kernel, row->kernel, grid, block, w.stream, w.stream, row->stream, COUNT_W,
              count_text(row->counters->value[COUNTER_WARP_INSTRUCTIONS], instructions), COUNT_W,
              count_text(sectors_of(row->counters), sectors), time_text(row->ns, time));
}

// Notes are no reason to mark it.
static bool went_wrong(const ProgramLaunch *launch) {
  for (int i = 0; i < launch->fault_count; i++)
    if (trace_fault_grade(&launch->faults[i]) != GRADE_NOTE) return true;
  return false;
}

static void print_launch(const ProgramRun *run, int index, LaunchColumns columns, FILE *out) {
  const ProgramLaunch *launch = &run->launches[index];
  const ProgramStep *step = &run->program.steps[launch->step];
  const ProgramTime *time = run->times ? &run->times[launch->step] : NULL;
  char number[16];
  snprintf(number, sizeof number, "%d", index + 1);
  print_row(columns, &(LaunchRow){went_wrong(launch), number, step->kernel, stream_of(run, step), step->grid, step->block,
                                  &launch->counters, time ? time->end - time->begin : -1}, out);
}

// Of a launch in device code; NULL: not known.
static const ProgramTime *time_of(const ProgramRun *run, int index, int child) {
  const ProgramTime *time = run->times ? &run->times[program_run_step(run, index + 1, child)] : NULL;
  return time && time->end >= 0 ? time : NULL;
}

// A launch in device code, below its parent: "1.2".
static void print_child(const ProgramRun *run, int index, int child, LaunchColumns columns, FILE *out) {
  const ProgramChild *c = &run->launches[index].children[child];
  const ProgramTime *time = time_of(run, index, child);
  LsText name = {0};
  program_run_name(run, index + 1, child, &name);
  print_row(columns, &(LaunchRow){went_wrong(&c->launch), ls_text_str(&name), run->module->funcs[c->entry].demangled,
                                  program_stream_name(c->stream), c->grid, c->block, &c->launch.counters,
                                  time ? time->end - time->begin : -1}, out);
  ls_text_free(&name);
}

// Columns for the names of what is shown; names stand to the left where some are below others.
static int name_columns(const ProgramRun *run) {
  size_t most = 0;
  for (int i = 0, left = MOST_ROWS; i < LS_MIN(run->launch_count, MOST_ROWS) && left > 0; i++)
    for (int k = 0; k < run->launches[i].child_count && left > 0; k++, left--) {
      LsText name = {0};
      program_run_name(run, i + 1, k, &name);
      most = LS_MAX(most, name.length);
      ls_text_free(&name);
    }
  return most ? -(int)LS_CLAMP(most, (size_t)NAMES_LEAST, (size_t)NAMES_MOST) : NAMES_LEAST;
}

static int wider(int width, const char *word) { return LS_MIN(LS_MAX(width, ptx_name_length(word)), WORD_MOST); }

static LaunchColumns columns_of(const ProgramRun *run) {
  LaunchColumns w = {name_columns(run), WORD_LEAST, WORD_LEAST};
  for (int i = 0, left = MOST_ROWS; i < LS_MIN(run->launch_count, MOST_ROWS); i++) {
    const ProgramLaunch *launch = &run->launches[i];
    const ProgramStep *step = &run->program.steps[launch->step];
    w.kernel = wider(w.kernel, step->kernel);
    w.stream = wider(w.stream, stream_of(run, step));
    for (int k = 0; k < launch->child_count && left > 0; k++, left--) {
      w.kernel = wider(w.kernel, run->module->funcs[launch->children[k].entry].demangled);
      w.stream = wider(w.stream, program_stream_name(launch->children[k].stream));
    }
  }
  return w;
}

static void print_children(const ProgramRun *run, int index, LaunchColumns columns, int *rows_left, FILE *out) {
  const ProgramLaunch *launch = &run->launches[index];
  int shown = LS_MIN(launch->child_count, LS_MAX(*rows_left, 0)), deepest = 0;
  for (int i = 0; i < shown; i++) print_child(run, index, i, columns, out);
  *rows_left -= shown;
  for (int i = 0; i < launch->child_count; i++) deepest = LS_MAX(deepest, launch->children[i].depth);
  if (shown == launch->child_count) return;
  plain_print(out, "        ... and %d more launches in device code, at most %d deep\n", launch->child_count - shown,
              deepest);
}

static bool is_faulty(const ProgramLaunch *launch) {
  bool faulty = went_wrong(launch);
  for (int k = 0; k < launch->child_count; k++) faulty |= went_wrong(&launch->children[k].launch);
  return faulty;
}

static void print_launches(const ProgramRun *run, FILE *out) {
  bool faulty = false;
  LaunchColumns columns = columns_of(run);
  for (int i = 0; i < run->launch_count; i++) faulty |= is_faulty(&run->launches[i]);
  plain_print(out, "\n %*s %-*s %8s %7s %-*s %*s %*s %9s\n", columns.names, "", columns.kernel, "kernel", "grid",
              "block", columns.stream, "stream", COUNT_W, "warp inst.", COUNT_W, "sectors",
              run->is_measured ? "measured" : "computed");
  for (int i = 0, left = MOST_ROWS; i < LS_MIN(run->launch_count, MOST_ROWS); i++) {
    print_launch(run, i, columns, out);
    print_children(run, i, columns, &left, out);
  }
  if (run->launch_count > MOST_ROWS) plain_print(out, "  ... and %d more launches\n", run->launch_count - MOST_ROWS);
  if (faulty) plain_print(out, "  !: something went wrong in this launch, see below\n");
}

// The columns that the words of steps need.
static int step_columns(const HostProgram *program) {
  int most = STEP_LEAST;
  for (int i = 0; i < LS_MIN(program->step_count, MOST_ROWS); i++) {
    LsText words = {0};
    program_step_words(program, i, &words);
    most = LS_MAX(most, ls_utf8_width(ls_text_str(&words)));
    ls_text_free(&words);
  }
  return LS_MIN(most, STEP_MOST);
}

static void print_steps(const ProgramRun *run, FILE *out) {
  const HostProgram *program = &run->program;
  if (!run->times || program->step_count == run->launch_count) return;
  int columns = step_columns(program);
  plain_print(out, "\n %4s %-*s %9s %9s  %s\n", "step", columns, "", "begins", "ends", "waits for");
  for (int i = 0; i < LS_MIN(program->step_count, MOST_ROWS); i++) {
    const ProgramTime *t = &run->times[i];
    char begin[32], end[32], waits[32] = "";
    LsText words = {0};
    program_step_words(program, i, &words);
    if (t->waited_for >= 0) snprintf(waits, sizeof waits, "  step %d", t->waited_for + 1);
    plain_print(out, " %4d %-*.*s %9s %9s%s\n", i + 1, columns, columns, ls_text_str(&words),
                time_text(t->begin, begin), time_text(t->end, end), waits);
    ls_text_free(&words);
  }
  if (program->step_count > MOST_ROWS) plain_print(out, "  ... and %d more steps\n", program->step_count - MOST_ROWS);
}

// In the units of the tables: "us".
static void add_plain_units(const char *text, LsText *out) {
  for (const char *at; (at = strstr(text, "µ")); text = at + strlen("µ"))
    ls_text_addf(out, "%.*su", (int)(at - text), text);
  ls_text_add(out, text);
}

static void print_computed(const ProgramRun *run, FILE *out) {
  char end[32];
  LsText model = {0}, words = {0};
  program_model_words(&run->model, NULL, &run->program, &model);
  ls_text_addf(&words, "all of it in %s, computed for %s (--model changes it): ",
               time_text(program_time_end(&run->program, run->times), end), run->arch->title);
  add_plain_units(ls_text_str(&model), &words);
  plain_print(out, "\n");
  plain_paragraph(out, "", ls_text_str(&words), 0);
  ls_text_free(&words);
  ls_text_free(&model);
}

static bool has_managed(const HostProgram *program) {
  for (int i = 0; i < program->buffer_count; i++)
    if (program->buffers[i].host == PROGRAM_MANAGED) return true;
  return false;
}

static void print_measured(const ProgramRun *run, FILE *out) {
  char median[32], least[32], most[32];
  const DevProgramRun *w = &run->whole;
  plain_print(out, "\nall of it in %s, measured on %s, driver %s, %s: the median of %u run%s (%s to %s)\n",
              time_text((double)w->median_ns, median), w->device_name, w->driver, w->date, w->runs,
              w->runs == 1 ? "" : "s",
              time_text((double)w->min_ns, least), time_text((double)w->max_ns, most));
  if (has_managed(&run->program))
    plain_print(out, "managed buffers were memory of the device, and the host got at them by copies\n");
}

static void print_times(const ProgramRun *run, FILE *out) {
  LsText words = {0};
  if (run->times) (run->is_measured ? print_measured : print_computed)(run, out);
  if (run->measure_note) plain_print(out, "not measured: %s\n", run->measure_note);
  if (program_run_has_inner(run))
    plain_print(out, "launches in device code ran on the GPU: times and results have them in them, counters are of the "
                     "host's launches alone\n");
  program_differing_words(run, &words);
  if (words.length) plain_print(out, "%s\n", ls_text_str(&words));
  ls_text_free(&words);
}

static void print_totals(const ProgramRun *run, FILE *out) {
  char digits[32];
  fputs("\n", out);
  for (int i = 0; i < COUNTER_COUNT; i++)
    if (run->counters.value[i])
      plain_print(out, "  %-26s %13s\n", counter_def((CounterId)i)->name,
                  ls_group_digits(run->counters.value[i], digits));
}

// Only what is missing is news: a kernel that gets it all done needs no praise.
static void print_coverage(const ProgramRun *run, FILE *out) {
  for (int i = 0; i < run->coverage_count; i++) {
    const ProgramCoverage *row = &run->coverage[i];
    const char *name = run->program.buffers[row->buffer].contents.name;
    if (row->never_written)
      plain_print(out, "%s: %" PRIu64 " of %" PRIu64 " elements were never written, the first %s[%" PRIu64 "]\n", name,
                  row->never_written, row->elements, name, row->first_never);
  }
}

// "" of one that an error ended.
static const char *printed_by(const ProgramLaunch *launch) { return launch->printed ? launch->printed : ""; }

static void print_printed(const ProgramRun *run, FILE *out) {
  bool any = false;
  for (int i = 0; i < run->launch_count; i++) {
    any |= *run->launches[i].printed != 0;
    for (int k = 0; k < run->launches[i].child_count; k++)
      any |= *printed_by(&run->launches[i].children[k].launch) != 0;
  }
  if (any) fputs("\nthe kernels printed\n", out);
  for (int i = 0; i < run->launch_count; i++) {
    plain_print(out, "%s", run->launches[i].printed);
    for (int k = 0; k < run->launches[i].child_count; k++)
      plain_print(out, "%s", printed_by(&run->launches[i].children[k].launch));
  }
}

static void print_launch_fault(const ProgramRun *run, const ProgramLaunchFault *f, FILE *out) {
  LsText place = {0}, text = {0};
  if (f->child < 0) program_run_place(&run->program, f->number, &place);
  else program_run_child_place(run, f->number, f->child, &place);
  if (f->launches > 1) ls_text_addf(&place, " (and %d more)", f->launches - 1);
  sentence_of_fault(f->fault, &text);
  plain_print(out, "fault %s in %s: %s\n", trace_fault_name((FaultKind)f->fault->kind), ls_text_str(&place),
              ls_text_str(&text));
  ls_text_free(&text);
  ls_text_free(&place);
}

void program_print_faults(const ProgramRun *run, FILE *out) {
  for (int i = 0; i < run->told_count; i++) print_launch_fault(run, &run->told[i], out);
  for (int i = 0; i < run->fault_count; i++) {
    const ProgramFaultDef *def = program_fault_def(run->faults[i].kind);
    plain_print(out, "fault %s: %s. %s\n", def->name, run->faults[i].message, def->advice);
  }
}

void program_print(const ProgramRun *run, FILE *out) {
  plain_print(out, "%s: program of %d step%s with %d launch%s, %s, on %s (profile %s)\n", run->program.name,
              run->program.step_count, run->program.step_count == 1 ? "" : "s", run->program.launches,
              run->program.launches == 1 ? "" : "es", run->module->debug ? "as written" : "as compiled",
                  run->device->title,
              run->request.profile);
  if (*run->parameters) plain_print(out, "parameters: %s\n", run->parameters);
  LsErr differs = {0};
  if (run->request.recipe) expectation_is_met_by(run, &differs);
  if (run->request.recipe) kernel_form_print(run->request.recipe, &run->request.values, &differs, out);
  print_launches(run, out);
  print_steps(run, out);
  print_times(run, out);
  print_totals(run, out);
  print_printed(run, out);
  print_coverage(run, out);
  if (run->stopped) plain_print(out, "a fault ended the program in launch %d of %d\n", LS_MAX(run->launch_count, 1),
                                run->program.launches);
  if (run->verdict == RUN_RIGHT) plain_print(out, "answer: right, %s\n", run->verdict_text);
  if (run->verdict == RUN_WRONG) plain_print(out, "answer: WRONG, %s\n", run->verdict_text);
  program_print_faults(run, out);
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

static void json_counters(LsJson *json, const CounterSet *set) {
  ls_json_open_member(json, "counters", '{');
  for (int i = 0; i < COUNTER_COUNT; i++) ls_json_member_u64(json, counter_def((CounterId)i)->name, set->value[i]);
  ls_json_close(json, '}');
}

static void json_dims(LsJson *json, const char *key, const uint32_t dims[3]) {
  ls_json_open_member(json, key, '[');
  for (int i = 0; i < 3; i++) ls_json_u64(json, dims[i]);
  ls_json_close(json, ']');
}

static void json_line(LsJson *json, const ProgramRun *run, int32_t pc, const char *file_key, const char *line_key) {
  int file = 0, line = 0;
  if (pc < 0 || !ptx_line_of(run->module, pc, &file, &line)) return;
  ls_json_member(json, file_key, ls_path_base(run->module->files[file]));
  ls_json_member_u64(json, line_key, (uint64_t)line);
}

// A number for a launch by the host, "1.2" for one by a kernel.
static void json_name(LsJson *json, const ProgramRun *run, const char *key, int number, int child) {
  LsText name = {0};
  if (child < 0) {
    ls_json_member_u64(json, key, (uint64_t)number);
    return;
  }
  program_run_name(run, number, child, &name);
  ls_json_member(json, key, ls_text_str(&name));
  ls_text_free(&name);
}

// launches: how many have it; 0: of this one alone is the talk.
static void json_launch_fault(LsJson *json, const ProgramRun *run, const ProgramLaunchFault *f) {
  const TraceFault *fault = f->fault;
  ls_json_open(json, '{');
  ls_json_member(json, "kind", trace_fault_name((FaultKind)fault->kind));
  ls_json_member(json, "message", fault->message);
  ls_json_member(json, "advice", sentence_advice(fault));
  json_name(json, run, "launch", f->number, f->child);
  if (f->launches) ls_json_member_u64(json, "launches", (uint64_t)f->launches);
  json_line(json, run, fault->pc, "file", "line");
  json_line(json, run, fault->other_pc, "other_file", "other_line");
  ls_json_member_u64(json, "block", fault->block);
  ls_json_member_u64(json, "thread", fault->thread);
  ls_json_member_u64(json, "count", fault->count);
  ls_json_close(json, '}');
}

static void json_launch_faults(LsJson *json, const ProgramRun *run, int index, int child) {
  const ProgramLaunch *launch = child < 0 ? &run->launches[index] : &run->launches[index].children[child].launch;
  ls_json_open_member(json, "faults", '[');
  for (int k = 0; k < launch->fault_count; k++)
    json_launch_fault(json, run, &(ProgramLaunchFault){&launch->faults[k], index + 1, 0, child});
  ls_json_close(json, ']');
}

static void json_ns(LsJson *json, const char *key, double ns) {
  if (ns >= 0) ls_json_member_u64(json, key, (uint64_t)(ns + 0.5));
}

static void json_child(LsJson *json, const ProgramRun *run, int index, int child) {
  const ProgramChild *c = &run->launches[index].children[child];
  const ProgramTime *time = time_of(run, index, child);
  ls_json_open(json, '{');
  const char *full = run->module->funcs[c->entry].demangled;
  char *kernel = ls_strndup(full, (size_t)ptx_name_length(full));
  ls_json_member(json, "kernel", kernel);
  free(kernel);
  json_name(json, run, "launch", index + 1, child);
  json_name(json, run, "parent", index + 1, c->parent);
  ls_json_member_u64(json, "depth", (uint64_t)c->depth);
  ls_json_member_u64(json, "step", (uint64_t)c->launch.step);
  ls_json_member(json, "stream", program_stream_name(c->stream));
  ls_json_member_u64(json, "by_block", c->by_block);
  ls_json_member_u64(json, "by_thread", c->by_thread);
  json_line(json, run, c->pc, "file", "line");
  json_dims(json, "grid", c->grid);
  json_dims(json, "block", c->block);
  ls_json_member_u64(json, "shared_bytes", c->shared);
  if (time) json_ns(json, "begin_ns", time->begin), json_ns(json, "end_ns", time->end);
  json_counters(json, &c->launch.counters);
  json_launch_faults(json, run, index, child);
  ls_json_close(json, '}');
}

static void json_launches(LsJson *json, const ProgramRun *run) {
  ls_json_open_member(json, "launches", '[');
  for (int i = 0; i < run->launch_count; i++) {
    const ProgramStep *step = &run->program.steps[run->launches[i].step];
    ls_json_open(json, '{');
    ls_json_member(json, "kernel", step->kernel);
    ls_json_member_u64(json, "step", (uint64_t)run->launches[i].step);
    ls_json_member(json, "stream", stream_of(run, step));
    json_dims(json, "grid", step->grid);
    json_dims(json, "block", step->block);
    ls_json_member_u64(json, "shared_bytes", step->shared_bytes);
    json_counters(json, &run->launches[i].counters);
    json_launch_faults(json, run, i, -1);
    ls_json_close(json, '}');
    for (int k = 0; k < run->launches[i].child_count; k++) json_child(json, run, i, k);
  }
  ls_json_close(json, ']');
}

static void json_steps(LsJson *json, const ProgramRun *run) {
  ls_json_open_member(json, "steps", '[');
  for (int i = 0; i < run->program.step_count; i++) {
    const ProgramStep *step = &run->program.steps[i];
    LsText words = {0};
    program_step_words(&run->program, i, &words);
    ls_json_open(json, '{');
    ls_json_member(json, "kind", program_kind_name(step->kind));
    ls_json_member(json, "words", ls_text_str(&words));
    ls_json_member(json, "stream", stream_of(run, step));
    if (run->times) {
      const ProgramTime *t = &run->times[i];
      ls_json_member(json, "row", rows[t->row]);
      json_ns(json, "issued_ns", t->issued);
      json_ns(json, "begin_ns", t->begin);
      json_ns(json, "end_ns", t->end);
      if (t->waited_for >= 0) ls_json_member_u64(json, "waited_for", (uint64_t)t->waited_for);
      ls_json_member(json, "time", run->is_measured ? "measured" : "computed");
    }
    ls_json_close(json, '}');
    ls_text_free(&words);
  }
  ls_json_close(json, ']');
}

// What the times were computed from, by the keys of --model.
static void json_model(LsJson *json, const ProgramModel *model) {
  ls_json_open_member(json, "model", '{');
  for (int i = 0; i < PROGRAM_MODEL_COUNT; i++) {
    const ProgramModelDef *def = program_model_def((ProgramModelId)i);
    LsText word = {0};
    if (def->words) program_model_text((ProgramModelId)i, model->value[i], &word);
    if (def->words) ls_json_member(json, def->key, ls_text_str(&word));
    else ls_json_member_f64(json, def->key, model->value[i]);
    ls_text_free(&word);
  }
  ls_json_close(json, '}');
}

static void json_fault(LsJson *json, const ProgramRun *run, const ProgramFault *fault) {
  const ProgramFaultDef *def = program_fault_def(fault->kind);
  ls_json_open(json, '{');
  ls_json_member(json, "kind", def->name);
  ls_json_member(json, "message", fault->message);
  ls_json_member(json, "advice", def->advice);
  ls_json_member_u64(json, "step", (uint64_t)fault->step);
  if (fault->other_step >= 0) ls_json_member_u64(json, "other_step", (uint64_t)fault->other_step);
  if (fault->buffer >= 0) ls_json_member(json, "buffer", run->program.buffers[fault->buffer].contents.name);
  if (fault->element != UINT64_MAX) ls_json_member_u64(json, "element", fault->element);
  json_line(json, run, fault->pc, "file", "line");
  json_line(json, run, fault->other_pc, "other_file", "other_line");
  ls_json_close(json, '}');
}

static void json_coverage(LsJson *json, const ProgramRun *run) {
  if (run->stopped) return;
  ls_json_open_member(json, "coverage", '[');
  for (int i = 0; i < run->coverage_count; i++) {
    const ProgramCoverage *row = &run->coverage[i];
    ls_json_open(json, '{');
    ls_json_member(json, "buffer", run->program.buffers[row->buffer].contents.name);
    ls_json_member_u64(json, "elements", row->elements);
    ls_json_member_u64(json, "never_written", row->never_written);
    if (row->never_written) ls_json_member_u64(json, "first_never_written", row->first_never);
    ls_json_close(json, '}');
  }
  ls_json_close(json, ']');
}

// What is in every buffer in the end, as a sum that two runs can be compared by.
static void json_results(LsJson *json, const ProgramRun *run) {
  ls_json_open_member(json, "results", '[');
  for (int i = 0; i < run->program.buffer_count; i++) {
    char *hash = ls_format("%016" PRIx64, program_run_result(run, i));
    ls_json_open(json, '{');
    ls_json_member(json, "buffer", run->program.buffers[i].contents.name);
    ls_json_member_u64(json, "bytes", program_buffer_bytes(&run->program.buffers[i]));
    ls_json_member(json, "fnv1a", hash);
    ls_json_close(json, '}');
    free(hash);
  }
  ls_json_close(json, ']');
}

static void json_measured(LsJson *json, const ProgramRun *run) {
  ls_json_open_member(json, "measured", '{');
  ls_json_member(json, "device_name", run->whole.device_name);
  ls_json_member(json, "driver", run->whole.driver);
  ls_json_member(json, "date", run->whole.date);
  ls_json_member_u64(json, "runs", run->whole.runs);
  ls_json_member_u64(json, "min_ns", run->whole.min_ns);
  ls_json_member_u64(json, "median_ns", run->whole.median_ns);
  ls_json_member_u64(json, "max_ns", run->whole.max_ns);
  ls_json_member_u64(json, "differing_bytes", run->differing_bytes);
  ls_json_close(json, '}');
}

void program_json(const ProgramRun *run, LsText *out) {
  LsJson json;
  ls_json_init(&json, out);
  ls_json_open(&json, '{');
  ls_json_member(&json, "kernel", run->program.name);
  ls_json_member(&json, "code", run->module->debug ? "written" : "compiled");
  ls_json_member(&json, "device", run->device->name);
  ls_json_member(&json, "numbers", strcmp(run->device->name, "emu") == 0 ? "emulated" : "measured");
  ls_json_member(&json, "profile", run->request.profile);
  ls_json_member(&json, "parameters", run->parameters);
  LsErr differs = {0};
  if (run->request.recipe) expectation_is_met_by(run, &differs);
  if (run->request.recipe) kernel_form_json(run->request.recipe, &run->request.values, &differs, &json);
  json_counters(&json, &run->counters);
  json_launches(&json, run);
  json_steps(&json, run);
  json_coverage(&json, run);
  ls_json_open_member(&json, "faults", '[');
  for (int i = 0; i < run->told_count; i++) json_launch_fault(&json, run, &run->told[i]);
  for (int i = 0; i < run->fault_count; i++) json_fault(&json, run, &run->faults[i]);
  ls_json_close(&json, ']');
  json_results(&json, run);
  if (run->verdict != RUN_UNCHECKED) ls_json_member(&json, "answer", run->verdict == RUN_RIGHT ? "right" : "wrong");
  if (run->is_measured) json_measured(&json, run);
  else if (run->times) json_model(&json, &run->model);
  if (run->times && !run->is_measured) json_ns(&json, "computed_ns", program_time_end(&run->program, run->times));
  ls_json_member_u64(&json, "elapsed_ns", run->elapsed_ns);
  ls_json_close(&json, '}');
}
