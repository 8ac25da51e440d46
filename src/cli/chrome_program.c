// chrome_program.c: a program as one timeline: a row for the host, each copy engine, each stream, and the critical path;
// an arrow from what a step waits for.
#include <stdlib.h>

#include "cli/chrome.h"
#include "cli/chrome_events.h"
#include "model/program_chart.h"
#include "model/program_path.h"

enum { PID = 1, NS_PER_US = 1000 };

typedef struct Writer {
  const ProgramRun *run;
  const HostProgram *program;      // as the model has it
  const ProgramChart *chart;
  ChromeEvents events;
} Writer;

static uint64_t tid_of(int row) { return (uint64_t)row + 1; }

static void write_row_name(Writer *w, int row) {
  const ProgramChartRow *r = &w->chart->rows[row];
  LsText name = {0};
  LsJson json;
  if (r->kind == CHART_CHILDREN)
    ls_text_addf(&name, "%*sdepth %d%s", r->depth, "", r->depth, r->merged ? ", more" : "");
  else ls_text_addf(&name, r->kind == CHART_STREAM ? "stream %s" : "%s", r->name);
  chrome_name(&w->events, "thread_name", PID, tid_of(row), ls_text_str(&name));
  chrome_begin(&w->events, &json, "M", PID, tid_of(row), "thread_sort_index");
  ls_json_open_member(&json, "args", '{');
  ls_json_member_u64(&json, "sort_index", (uint64_t)row);
  ls_json_close(&json, '}');
  chrome_end(&w->events, &json);
  ls_text_free(&name);
}

static void bar_name(const Writer *w, const ProgramChartRow *row, const ProgramBar *bar, LsText *out) {
  bool of_host = row->kind == CHART_HOST || (row->kind == CHART_PATH && bar->waits);
  if (of_host) ls_text_add(out, row->kind == CHART_HOST && bar->waits ? "waits: " : "host: ");
  program_step_words(w->program, bar->step, out);
  if (bar->grids > 1) ls_text_addf(out, " and %d more", bar->grids - 1);
}

static void write_launch(const HostProgram *program, int step, LsJson *json) {
  LsText name = {0};
  program_launch_name(program, step, &name);
  ls_json_member(json, "launch", ls_text_str(&name));
  ls_text_free(&name);
}

static void write_bar(Writer *w, int row, const ProgramBar *bar) {
  const ProgramChartRow *r = &w->chart->rows[row];
  LsText name = {0}, why = {0};
  LsJson json;
  bar_name(w, r, bar, &name);
  chrome_begin(&w->events, &json, "X", PID, tid_of(row), ls_text_str(&name));
  ls_json_member_f64(&json, "ts", bar->begin / NS_PER_US);
  ls_json_member_f64(&json, "dur", (bar->end - bar->begin) / NS_PER_US);
  ls_json_open_member(&json, "args", '{');
  if (w->program->steps[bar->step].kin) write_launch(w->program, bar->step, &json);
  else ls_json_member_u64(&json, "step", (uint64_t)bar->step + 1);
  if (r->kind != CHART_HOST) program_why_words(w->program, w->run->rules, w->run->times, bar->step, &why);
  if (why.length) ls_json_member(&json, "waits for", ls_text_str(&why));
  bool of_device = r->kind == CHART_STREAM || r->kind == CHART_CHILDREN;
  if (of_device && bar->runs > bar->begin)
    ls_json_member_f64(&json, "first block", bar->runs / NS_PER_US);
  ls_json_close(&json, '}');
  chrome_end(&w->events, &json);
  ls_text_free(&name);
  ls_text_free(&why);
}

static void write_end_of_arrow(Writer *w, const char *phase, int row, double time, int id) {
  LsJson json;
  chrome_begin(&w->events, &json, phase, PID, tid_of(row), "waits for");
  ls_json_member(&json, "cat", "waits");
  ls_json_member_u64(&json, "id", (uint64_t)id);
  ls_json_member_f64(&json, "ts", time / NS_PER_US);
  if (*phase == 'f') ls_json_member(&json, "bp", "e");
  chrome_end(&w->events, &json);
}

// From the middle of the one, which any reader finds inside of its slice, to the beginning of the other.
static void write_arrow(Writer *w, int step) {
  const ProgramTime *times = w->run->times;
  int held = times[step].waited_for;
  if (held < 0 || times[held].end <= times[held].begin || times[step].end <= times[step].begin) return;
  double middle = times[held].begin + (times[held].end - times[held].begin) / 2;
  write_end_of_arrow(w, "s", program_chart_home(w->chart, w->program, held), middle, step + 1);
  write_end_of_arrow(w, "f", program_chart_home(w->chart, w->program, step), times[step].begin, step + 1);
}

static void write_head(const Writer *w, FILE *out) {
  LsText model = {0}, other = {0};
  LsJson json;
  program_model_words(&w->run->model, NULL, w->program, &model);
  ls_json_init(&json, &other);
  ls_json_open(&json, '{');
  ls_json_member(&json, "program", w->program->name);
  ls_json_member(&json, "times", w->run->is_measured ? "measured" : "computed");
  if (w->run->is_measured) ls_json_member(&json, "device", w->run->whole.device_name);
  else ls_json_member(&json, "profile", w->run->request.profile), ls_json_member(&json, "model", ls_text_str(&model));
  ls_json_close(&json, '}');
  fprintf(out, "{\"displayTimeUnit\": \"ns\", \"otherData\": %s, \"traceEvents\": [", ls_text_str(&other));
  ls_text_free(&model);
  ls_text_free(&other);
}

static void write_all(Writer *w, FILE *out) {
  write_head(w, out);
  chrome_name(&w->events, "process_name", PID, 0, w->program->name);
  for (int row = 0; row < w->chart->row_count; row++) {
    write_row_name(w, row);
    for (int i = 0; i < w->chart->rows[row].count; i++) write_bar(w, row, &w->chart->rows[row].bars[i]);
  }
  for (int step = 0; step < program_all_steps(w->program); step++) write_arrow(w, step);
  fputs("\n]}\n", out);
}

bool chrome_write_program(const ProgramRun *run, FILE *out, LsErr *err) {
  ProgramVariant variant;
  if (!run->times) return ls_fail(err, LS_EFAULT, "a fault ends the program: what comes after it has no times");
  program_variant_init(&variant, &run->program, &run->model);
  ProgramChart *chart = program_chart_new(&variant.program, run->times, (int)run->model.value[PROGRAM_MODEL_ENGINES], NULL);
  Writer w = {run, &variant.program, chart, {.out = out}};
  write_all(&w, out);
  ls_text_free(&w.events.line);
  program_chart_free(chart);
  program_variant_fini(&variant);
  return true;
}
