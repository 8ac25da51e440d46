// program_compare.c: pairs of launches in a table, what has no counterpart, and the counters of all launches.
#include "cli/program_compare.h"

#include <inttypes.h>
#include <string.h>

#include "app/run/program_pairs.h"
#include "cli/plain.h"

enum { MOST_ROWS = 40,                 // of pairs; the others are counted
       NUMBER_LEAST = 4, NUMBER_MOST = 24 };

static uint64_t sectors_of(const CounterSet *c) {
  return c->value[COUNTER_GLOBAL_LOAD_SECTORS] + c->value[COUNTER_GLOBAL_STORE_SECTORS] +
         c->value[COUNTER_GLOBAL_RED_SECTORS] + c->value[COUNTER_GLOBAL_ATOM_SECTORS];
}

// Of a launch by its number; NULL: it was not run, or there is none.
static const CounterSet *counters_of(const ProgramRun *run, int number) {
  const ProgramLaunch *launch = program_run_at(run, number, NULL);
  return launch ? &launch->counters : NULL;
}

static const char *kernel_of(const ProgramRun *run, int number) {
  return run->program.steps[program_launch_step(&run->program, number)].kernel;
}

// ---- text ----------------------------------------------------------------------------------------------------------

// With commas where these have room; "-": there is none.
static const char *value_text(const uint64_t *value, int width, char out[32]) {
  if (!value) return "-";
  ls_group_digits(*value, out);
  if ((int)strlen(out) > width) snprintf(out, 32, "%" PRIu64, *value);
  return out;
}

static const char *ratio_text(const uint64_t *a, const uint64_t *b, char out[32]) {
  if (!a || !b || (!*a && !*b)) return "";
  if (!*a || !*b) return *a ? "gone" : "new";
  double ratio = (double)*b / (double)*a;
  snprintf(out, 32, ratio < 10 ? "%.2fx" : "%.0fx", ratio);
  return out;
}

static void print_values(const uint64_t *a, const uint64_t *b, int width, FILE *out) {
  char texts[3][32];
  plain_print(out, " %*s %*s %6s", width, value_text(a, width, texts[0]), width, value_text(b, width, texts[1]),
              ratio_text(a, b, texts[2]));
}

static void print_pair(const ProgramRun *first, const ProgramRun *second, const ProgramPair *pair, int width,
                       FILE *out) {
  const CounterSet *sides[2] = {counters_of(first, pair->left), counters_of(second, pair->right)};
  uint64_t instructions[2], sectors[2];
  LsText numbers[2] = {{0}, {0}};
  for (int i = 0; i < 2; i++) {
    int number = i ? pair->right : pair->left;
    const HostProgram *program = i ? &second->program : &first->program;
    instructions[i] = sides[i] ? sides[i]->value[COUNTER_WARP_INSTRUCTIONS] : 0;
    sectors[i] = sides[i] ? sectors_of(sides[i]) : 0;
    if (number) program_launch_name(program, program_launch_step(program, number), &numbers[i]);
    else ls_text_add(&numbers[i], "-");
  }
  plain_print(out, " %*s %*s %-13.13s", width, ls_text_str(&numbers[0]), width, ls_text_str(&numbers[1]),
              pair->left ? kernel_of(first, pair->left) : kernel_of(second, pair->right));
  ls_text_free(&numbers[0]);
  ls_text_free(&numbers[1]);
  print_values(sides[0] ? &instructions[0] : NULL, sides[1] ? &instructions[1] : NULL, 10, out);
  print_values(sides[0] ? &sectors[0] : NULL, sides[1] ? &sectors[1] : NULL, 9, out);
  fputs("\n", out);
}

static void print_side(const char *which, const ProgramRun *run, FILE *out) {
  plain_print(out, "%-7s %s, %d launch%s%s%s\n", which, run->program.name, run->program.launches,
              run->program.launches == 1 ? "" : "es", *run->parameters ? ": " : "", run->parameters);
  if (run->stopped) plain_print(out, "        a fault ends it in launch %d\n", LS_MAX(run->launch_count, 1));
}

static void print_all(const ProgramRun *first, const ProgramRun *second, FILE *out) {
  plain_print(out, "\n  %-26s %13s %13s\n", "all launches", "first", "second");
  for (int i = 0; i < COUNTER_COUNT; i++) {
    const uint64_t *a = &first->counters.value[i], *b = &second->counters.value[i];
    if (!*a && !*b) continue;
    plain_print(out, "  %-26s", counter_def((CounterId)i)->name);
    print_values(a, b, 13, out);
    fputs("\n", out);
  }
}

// The columns that the numbers of what is shown need: "1.2.1".
static int number_columns(const ProgramPairs *pairs, const ProgramRun *first, const ProgramRun *second) {
  size_t most = NUMBER_LEAST;
  for (int i = 0; i < LS_MIN(pairs->count, MOST_ROWS); i++)
    for (int side = 0; side < 2; side++) {
      const HostProgram *program = side ? &second->program : &first->program;
      int number = side ? pairs->items[i].right : pairs->items[i].left;
      LsText name = {0};
      if (number) program_launch_name(program, program_launch_step(program, number), &name);
      most = LS_MAX(most, name.length);
      ls_text_free(&name);
    }
  return (int)LS_MIN(most, NUMBER_MOST);
}

void program_compare_print(const ProgramRun *first, const ProgramRun *second, FILE *out) {
  ProgramPairs pairs;
  LsText words = {0};
  program_pairs_init(&pairs, &first->program, &second->program);
  print_side("first:", first, out);
  print_side("second:", second, out);
  program_pairs_words(&pairs, &words);
  plain_paragraph(out, "", ls_text_str(&words), 0);
  ls_text_free(&words);
  int width = number_columns(&pairs, first, second);
  plain_print(out, "\n %-*s %21s %6s %19s\n %*s %*s %-13s %10s %10s %6s %9s %9s\n", 2 * width + 15, "launch",
              "warp instructions", "", "sectors", width, "1st", width, "2nd", "kernel", "first", "second", "", "first",
              "second");
  for (int i = 0; i < LS_MIN(pairs.count, MOST_ROWS); i++) print_pair(first, second, &pairs.items[i], width, out);
  if (pairs.count > MOST_ROWS) plain_print(out, " ... and %d more\n", pairs.count - MOST_ROWS);
  print_all(first, second, out);
  program_pairs_fini(&pairs);
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

// Values of both sides; null where there is none.
static void json_counters(LsJson *json, const CounterSet *a, const CounterSet *b) {
  const CounterSet *sides[2] = {a, b};
  static const char *const names[] = {"first", "second"};
  for (int i = 0; i < 2; i++) {
    if (!sides[i]) continue;
    ls_json_open_member(json, names[i], '{');
    for (int k = 0; k < COUNTER_COUNT; k++)
      ls_json_member_u64(json, counter_def((CounterId)k)->name, sides[i]->value[k]);
    ls_json_close(json, '}');
  }
}

static void json_side(LsJson *json, const char *name, const ProgramRun *run) {
  ls_json_open_member(json, name, '{');
  ls_json_member(json, "kernel", run->program.name);
  ls_json_member(json, "parameters", run->parameters);
  ls_json_member_u64(json, "launches", (uint64_t)run->program.launches);
  ls_json_close(json, '}');
}

// A number for a launch by the host, "1.2" for one by a kernel.
static void json_number(LsJson *json, const char *key, const ProgramRun *run, int number) {
  LsText name = {0};
  if (number && number <= run->program.launches) ls_json_member_u64(json, key, (uint64_t)number);
  if (number <= run->program.launches) return;
  program_launch_name(&run->program, program_launch_step(&run->program, number), &name);
  ls_json_member(json, key, ls_text_str(&name));
  ls_text_free(&name);
}

static void json_pair(LsJson *json, const ProgramRun *first, const ProgramRun *second, const ProgramPair *pair) {
  ls_json_open(json, '{');
  ls_json_member(json, "kernel", pair->left ? kernel_of(first, pair->left) : kernel_of(second, pair->right));
  json_number(json, "first_launch", first, pair->left);
  json_number(json, "second_launch", second, pair->right);
  ls_json_open_member(json, "counters", '{');
  json_counters(json, counters_of(first, pair->left), counters_of(second, pair->right));
  ls_json_close(json, '}');
  ls_json_close(json, '}');
}

void program_compare_json(const ProgramRun *first, const ProgramRun *second, LsText *out) {
  LsJson json;
  ProgramPairs pairs;
  program_pairs_init(&pairs, &first->program, &second->program);
  ls_json_init(&json, out);
  ls_json_open(&json, '{');
  json_side(&json, "first", first);
  json_side(&json, "second", second);
  ls_json_member_u64(&json, "paired", (uint64_t)pairs.paired);
  ls_json_open_member(&json, "launches", '[');
  for (int i = 0; i < pairs.count; i++) json_pair(&json, first, second, &pairs.items[i]);
  ls_json_close(&json, ']');
  ls_json_open_member(&json, "counters", '{');
  json_counters(&json, &first->counters, &second->counters);
  ls_json_close(&json, '}');
  ls_json_close(&json, '}');
  program_pairs_fini(&pairs);
}
