// cmd_stats.c: lanescope stats: run and print the counters, as text or as JSON for scripts.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/expectation.h"
#include "app/run/program_against.h"
#include "base/file.h"
#include "cli/busy.h"
#include "cli/cli.h"
#include "cli/findings_text.h"
#include "cli/kernel_form.h"
#include "cli/orders_text.h"
#include "cli/plain.h"
#include "cli/program_compare.h"
#include "cli/program_text.h"
#include "cli/sarif.h"
#include "cli/speed.h"

static void json_counters(LsJson *json, const CounterSet *set) {
  ls_json_open_member(json, "counters", '{');
  for (int i = 0; i < COUNTER_COUNT; i++) {
    ls_json_member_u64(json, counter_def((CounterId)i)->name, set->value[i]);
  }
  ls_json_close(json, '}');
}

static void json_dims(LsJson *json, const char *key, const uint32_t dims[3]) {
  ls_json_open_member(json, key, '[');
  for (int i = 0; i < 3; i++) ls_json_u64(json, dims[i]);
  ls_json_close(json, ']');
}

static bool is_zero(const CounterSet *set) {
  for (int i = 0; i < COUNTER_COUNT; i++)
    if (set->value[i]) return false;
  return true;
}

// Which lines of which files the kernel's code comes from: calls back once per line, in order.
typedef void (*LineFn)(const Run *run, int file, int line, const CounterSet *set, void *context);

static void for_each_line(const Run *run, LineFn fn, void *context) {
  const PtxLines *lines = counters_lines(run->counters);
  for (int i = 0; i < lines->count; i++) {
    const PtxLine *at = &lines->lines[i];
    CounterSet set;
    counters_line(run->counters, at->file, at->line, &set);
    if (at->line > 0 && !is_zero(&set)) fn(run, at->file, at->line, &set, context);
  }
}

static void json_line(const Run *run, int file, int line, const CounterSet *set, void *context) {
  LsJson *json = context;
  ls_json_open(json, '{');
  ls_json_member(json, "file", ls_path_base(run->module->files[file]));
  ls_json_member_u64(json, "line", (uint64_t)line);
  json_counters(json, set);
  ls_json_close(json, '}');
}

static int line_of(const Run *run, int pc, const char **file) {
  int index = 0, line = 0;
  *file = NULL;
  if (pc >= 0 && ptx_line_of(run->module, pc, &index, &line)) *file = ls_path_base(run->module->files[index]);
  return line;
}

// The data: which bytes, and of what.
static void json_fault_place(LsJson *json, const Run *run, const TraceFault *fault) {
  if (!fault->size) return;
  ls_json_member(json, "space", trace_space_name((TraceSpace)fault->space));
  ls_json_member_u64(json, "address", fault->addr);
  ls_json_member_u64(json, "bytes", (uint64_t)fault->size);
  if (fault->object >= 0 && fault->object < run->info.object_count)
    ls_json_member(json, "object", run->info.objects[fault->object].name);
}

static void json_fault(LsJson *json, const Run *run, const TraceFault *fault) {
  const char *file, *other_file;
  int line = line_of(run, fault->pc, &file), other_line = line_of(run, fault->other_pc, &other_file);
  ls_json_open(json, '{');
  ls_json_member(json, "kind", trace_fault_name((FaultKind)fault->kind));
  ls_json_member(json, "grade", trace_grade_name(trace_fault_grade(fault)));
  ls_json_member(json, "message", fault->message);
  const Cause *cause = causes_of(run->causes, (int)(fault - run->faults));
  ls_json_member(json, "advice", cause ? cause->advice : sentence_advice(fault));
  if (cause) ls_json_member_u64(json, "cause", (uint64_t)(cause - run->causes->items));
  ls_json_member(json, "file", file);
  ls_json_member_u64(json, "line", (uint64_t)line);
  if (fault->other_pc >= 0) {
    ls_json_member(json, "other_file", other_file);
    ls_json_member_u64(json, "other_line", (uint64_t)other_line);
  }
  ls_json_member_u64(json, "block", fault->block);
  ls_json_member_u64(json, "thread", fault->thread);
  if (fault->other_pc >= 0) {
    ls_json_member_u64(json, "other_block", fault->other_block);
    ls_json_member_u64(json, "other_thread", fault->other_thread);
  }
  json_fault_place(json, run, fault);
  ls_json_member_u64(json, "count", fault->count);
  ls_json_close(json, '}');
}

// What mends the faults: each of them names its cause by the index into this list.
static void json_cause(LsJson *json, const Run *run, const Cause *cause) {
  ls_json_open(json, '{');
  ls_json_member(json, "kind", trace_fault_name(cause->kind));
  ls_json_member(json, "message", run->faults[cause->witness].message);
  ls_json_member(json, "cure", cure_def(cause->cure)->id);
  ls_json_member(json, "advice", cause->advice);
  if (cause->line) {
    ls_json_member(json, "file", ls_path_base(run->module->files[cause->file]));
    ls_json_member_u64(json, "line", (uint64_t)cause->line);
  }
  if (cause->other_line) ls_json_member_u64(json, "other_line", (uint64_t)cause->other_line);
  ls_json_member_u64(json, "faults", (uint64_t)cause->member_count);
  ls_json_member_u64(json, "count", cause->count);
  ls_json_close(json, '}');
}

// Only where there is something to say.
static void json_notes(LsJson *json, const Run *run) {
  const char *line = run_notes(run);
  if (!*line) return;
  ls_json_open_member(json, "notes", '[');
  while (*line) {
    char *text = ls_strndup(line, strcspn(line, "\n"));
    line += strlen(text) + (line[strlen(text)] == '\n');
    ls_json_str(json, text);
    free(text);
  }
  ls_json_close(json, ']');
}

static void json_coverage_row(LsJson *json, const Run *run, const TraceCoverage *row) {
  LsText name = {0};
  run_coverage_name(run, row, &name);
  ls_json_open(json, '{');
  ls_json_member(json, "buffer", ls_text_str(&name));
  ls_json_member_u64(json, "elements", row->elements);
  ls_json_member_u64(json, "never_written", row->never_written);
  if (row->never_written) ls_json_member_u64(json, "first_never_written", row->first_never);
  if (row->holes) ls_json_member_u64(json, "never_written_between", row->holes);
  if (row->known_twice) ls_json_member_u64(json, "written_twice", row->written_twice);
  if (row->known_twice && row->written_twice) {
    ls_json_member_u64(json, "first_written_twice", row->first_twice);
    ls_json_open_member(json, "writers", '[');
    for (int i = 0; i < 2; i++) {
      ls_json_open(json, '{');
      ls_json_member_u64(json, "block", row->blocks[i]);
      ls_json_member_u64(json, "thread", row->threads[i]);
      ls_json_close(json, '}');
    }
    ls_json_close(json, ']');
  }
  ls_json_close(json, '}');
  ls_text_free(&name);
}

// Absent where it is not known.
static void json_coverage(LsJson *json, Run *run) {
  int count;
  const TraceCoverage *rows = run_coverage(run, &count);
  if (!rows) return;
  ls_json_open_member(json, "coverage", '[');
  for (int i = 0; i < count; i++) json_coverage_row(json, run, &rows[i]);
  ls_json_close(json, ']');
}

static void print_json(Run *run) {
  LsErr differs = {0};
  expectation_is_met(run, &differs);
  LsText text = {0};
  LsJson json;
  const TraceInfo *info = &run->info;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_member(&json, "kernel", run->request.recipe ? run->request.recipe->name :
                 run->module->funcs[run->entry].demangled);
  ls_json_member(&json, "code", info->code);
  ls_json_member(&json, "device", info->device);
  ls_json_member(&json, "numbers", run_how(run));
  if (run->is_outdated) ls_json_member_bool(&json, "outdated", true);
  ls_json_member(&json, "sched", info->sched);
  ls_json_member(&json, "profile", info->profile);
  json_dims(&json, "grid", info->launch.grid);
  json_dims(&json, "block", info->launch.block);
  ls_json_member_u64(&json, "shared_bytes", info->launch.shared_bytes);
  if (run->request.recipe || (info->parameters && *info->parameters)) ls_json_member(&json, "parameters",
      info->parameters);
  kernel_form_json(run->request.recipe, &run->request.values, &differs, &json);
  json_counters(&json, counters_total(run->counters));
  ls_json_open_member(&json, "lines", '[');
  for_each_line(run, json_line, &json);
  ls_json_close(&json, ']');
  ls_json_open_member(&json, "faults", '[');
  for (int i = 0; i < run->fault_count; i++) json_fault(&json, run, run_fault_row(run, i));
  ls_json_close(&json, ']');
  ls_json_open_member(&json, "causes", '[');
  for (int i = 0; i < run->causes->count; i++) json_cause(&json, run, &run->causes->items[i]);
  ls_json_close(&json, ']');
  findings_json(run, &json);
  json_coverage(&json, run);
  json_notes(&json, run);
  if (*run_output(run)) ls_json_member(&json, "output", run_output(run));
  if (run->verdict != RUN_UNCHECKED) ls_json_member(&json, "answer", run->verdict == RUN_RIGHT ? "right" : "wrong");
  if (run->interrupted) {
    ls_json_open_member(&json, "interrupted", '{');
    ls_json_member_u64(&json, "blocks_done", run->blocks_done);
    ls_json_member_u64(&json, "blocks", launch_blocks(&info->launch));
    ls_json_close(&json, '}');
  }
  ls_json_member_u64(&json, "elapsed_ns", run->elapsed_ns);
  speed_json(run, &json);
  ls_json_close(&json, '}');
  cli_print_json(&text);
}

// The table of source lines; names is the width of the column of files.
enum { NAMES_LEAST = 14, NAMES_MOST = 48 };
typedef struct LineTable { FILE *out; int names; } LineTable;

static void widen(const Run *run, int file, int line, const CounterSet *set, void *context) {
  LineTable *table = context;
  (void)line, (void)set;
  table->names = LS_CLAMP(ls_utf8_width(ls_path_base(run->module->files[file])), table->names, NAMES_MOST);
}

// The counters worth a column beside a source line.
static void print_line(const Run *run, int file, int line, const CounterSet *set, void *context) {
  const LineTable *table = context;
  FILE *out = table->out;
  const uint64_t *v = set->value;
  double lanes = v[COUNTER_WARP_INSTRUCTIONS] ?
      (double)v[COUNTER_THREAD_INSTRUCTIONS] / (double)v[COUNTER_WARP_INSTRUCTIONS] : 0;
  uint64_t requests = v[COUNTER_GLOBAL_LOAD_REQUESTS] + v[COUNTER_GLOBAL_STORE_REQUESTS];
  uint64_t sectors = v[COUNTER_GLOBAL_LOAD_SECTORS] + v[COUNTER_GLOBAL_STORE_SECTORS];
  uint64_t conflicts = v[COUNTER_SHARED_LOAD_BANK_CONFLICTS] + v[COUNTER_SHARED_STORE_BANK_CONFLICTS];
  const char *name = ls_path_base(run->module->files[file]);
  int blanks = LS_MAX(table->names - ls_utf8_width(name), 0);
  plain_print(out, "  %.*s%*s %5d %11" PRIu64 " %6.1f", (int)ls_utf8_within(name, table->names), name, blanks, "", line,
          v[COUNTER_WARP_INSTRUCTIONS], lanes);
  if (requests) plain_print(out, " %12.1f", (double)sectors / (double)requests);
  else plain_print(out, " %12s", "");
  plain_print(out, " %11" PRIu64 " %9" PRIu64 "\n", conflicts, v[COUNTER_DIVERGENT_BRANCHES]);
}

// A paragraph for each result.
static void print_coverage(Run *run, FILE *out) {
  int count;
  LsText text = {0};
  const TraceCoverage *rows = run_coverage(run, &count);
  run_coverage_unknown(run, &text);
  if (!count && !text.length) return;
  plain_print(out, "\nresults: what was written of them\n");
  if (!rows) plain_paragraph(out, "", ls_text_str(&text), 2);
  for (int i = 0; i < count; i++) {
    ls_text_clear(&text);
    run_coverage_name(run, &rows[i], &text);
    ls_text_add(&text, ": ");
    run_coverage_words(run, &rows[i], &text);
    plain_paragraph(out, "", ls_text_str(&text), 2);
  }
  ls_text_free(&text);
}

static void print_text(Run *run, FILE *out) {
  plain_heading(run, out);
  LsErr differs = {0};
  expectation_is_met(run, &differs);
  kernel_form_print(run->request.recipe, &run->request.values, &differs, out);
  fputs("\n", out);
  plain_totals(run, out);
  print_coverage(run, out);
  speed_print(run, out);
  findings_print(run, out);
  LineTable table = {out, NAMES_LEAST};
  for_each_line(run, widen, &table);
  plain_print(out, "\n  %-*s %5s %11s %6s %12s %11s %9s\n", table.names, "file", "line", "warp instr.", "lanes",
              "sectors/req.", "bank confl.", "divergent");
  for_each_line(run, print_line, &table);
}

// All launches of a program.
static int tell_program(const Cli *cli, const ProgramRun *run) {
  if (cli->given[OPT_ID_JSON]) {
    LsText text = {0};
    program_json(run, &text);
    cli_print_json(&text);
  } else {
    program_print(run, stdout);
  }
  return program_run_exit_status(run);
}

static int program_stats(const Cli *cli, const RunRequest *request, LsErr *err) {
  ProgramRun *run = program_run_new(request, busy_begin("running the program"), err);
  busy_end();
  int status = run ? tell_program(cli, run) : -1;
  program_run_close(run);
  return status;
}

// ---- two devices ---------------------------------------------------------------------------------------------------

static void json_against(const ProgramRun *left, const ProgramRun *right, const ProgramAgainst *a) {
  LsText text = {0}, value = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_member(&json, "kernel", left->request.recipe->name);
  ls_json_member_bool(&json, "same", !a->number);
  ls_json_member_u64(&json, "launches", (uint64_t)left->launch_count);
  if (a->number) {
    ls_json_member_u64(&json, "launch", (uint64_t)a->number);
    ls_json_member(&json, "buffer", left->program.buffers[a->buffer].contents.name);
    ls_json_member_u64(&json, "element", a->element);
    ls_json_member_u64(&json, "elements", a->elements);
  }
  for (int i = 0; i < 2 && a->number; i++) {
    ls_text_clear(&value);
    program_against_value(left, a, i ? a->right : a->left, &value);
    ls_json_member(&json, (i ? right : left)->device->name, ls_text_str(&value));
  }
  ls_json_close(&json, '}');
  cli_print_json(&text);
  ls_text_free(&value);
}

static int tell_against(const Cli *cli, const ProgramRun *left, const ProgramRun *right, LsErr *err) {
  ProgramAgainst against;
  LsText words = {0};
  if (!program_against(left, right, &against, err)) return -1;
  program_against_words(left, right, &against, &words);
  if (cli->given[OPT_ID_JSON]) json_against(left, right, &against);
  else plain_print(stdout, "%s (%s): %s\n", left->request.recipe->name, left->parameters, ls_text_str(&words));
  ls_text_free(&words);
  return against.number > 0;
}

// The same program on both, with memory kept as each launch finds it.
static int against_stats(const Cli *cli, RunRequest *request, LsErr *err) {
  RunProgress *progress = busy_begin("running the program here and there");
  ProgramRun *left = program_run_keep(request, 0, progress, err);
  run_request_set_device(request, cli->value[OPT_ID_AGAINST]);
  ProgramRun *right = left ? program_run_keep(request, 0, progress, err) : NULL;
  busy_end();
  int status = right ? tell_against(cli, left, right, err) : -1;
  program_run_close(left);
  program_run_close(right);
  return status;
}

// ---- two programs --------------------------------------------------------------------------------------------------

// A saved program, or one that is run; options are for both.
static ProgramRun *load_program(Cli *cli, const char *what, LsErr *err) {
  RunRequest request = {0};
  const char *words[] = {what};
  Cli one = *cli;
  one.words = words;
  one.word_count = 1;
  if (run_is_trace_file(what)) {
    Run *run = cli_open_trace(&one, what, err);
    ProgramRun *whole = run && run->whole ? program_run_share(run->whole) : NULL;
    if (run && !whole) ls_fail(err, LS_EREQUEST, "%s is of one launch, and no program", LS_QUOTE_PATH(what));
    run_free(run);
    return whole;
  }
  ProgramRun *whole = NULL;
  bool ok = cli_request(&one, DEV_COMPILED, false, &request, err);
  if (ok && request.recipe && request.recipe->sequence) {
    whole = program_run_new(&request, busy_begin("running the program"), err);
    busy_end();
  } else if (ok) {
    ls_fail(err, LS_EREQUEST, "%s is one launch: programs of several are put side by side", LS_QUOTE(what));
  }
  cli->book = one.book;
  cli->own_book = one.own_book;
  run_request_fini(&request);
  return whole;
}

static int compare_programs(Cli *cli, LsErr *err) {
  ProgramRun *first = load_program(cli, cli->words[0], err);
  ProgramRun *second = first ? load_program(cli, cli->words[1], err) : NULL;
  int status = second ? program_run_exit_status(first) | program_run_exit_status(second) : -1;
  if (second && cli->given[OPT_ID_JSON]) {
    LsText text = {0};
    program_compare_json(first, second, &text);
    cli_print_json(&text);
  } else if (second) {
    program_compare_print(first, second, stdout);
  }
  program_run_close(first);
  program_run_close(second);
  return status;
}

// What is told of it, worked out before a word is told. Warnings of the coverage are among the faults.
static void study(Run *run) {
  int results;
  cli_count_events(run);
  busy_begin("looking for what is wasted");
  run_coverage(run, &results);
  run_findings(run);
  busy_end();
}

int cmd_stats(Cli *cli, LsErr *err) {
  if (cli->word_count == 2) return compare_programs(cli, err);
  RunRequest request = {0};
  bool whole = cli_program(cli, &request);
  int all = !whole ? 0 : cli->given[OPT_ID_AGAINST] ? against_stats(cli, &request, err) :
      program_stats(cli, &request, err);
  run_request_fini(&request);
  if (whole) return all;
  if (cli->given[OPT_ID_AGAINST])
    return ls_fail(err, LS_EREQUEST, "--against compares programs that are run: a recipe with a sequence"), -1;
  Run *run = cli_run(cli, DEV_COMPILED, false, err);
  if (!run) return -1;
  if (cli->given[OPT_ID_ORDERS]) return orders_stats(cli, run, err);
  if (run->whole && !cli->given[OPT_ID_LAUNCH]) {   // a saved one
    int others;
    trace_launches(run->trace, &others);
    if (trace_is_truncated(run->trace))
      plain_print(stderr, "lanescope: the end of %s is missing: %d of %d launches are in it\n", cli->words[0],
                  others + 1, run->program->launches);
    int status = tell_program(cli, run->whole);
    run_free(run);
    return status;
  }
  study(run);
  if (cli->given[OPT_ID_JSON]) print_json(run);
  else print_text(run, stdout);
  int status = run_exit_status(run);
  if (cli->given[OPT_ID_SARIF] && !sarif_write(run, cli->value[OPT_ID_SARIF], err)) status = -1;
  if (status >= 0 && run->device_run && !cli_write_outputs(run, err)) status = -1;
  run_free(run);
  return status;
}
