// program_compare.c: pairs of launches in a table, what has no counterpart, and the counters of all launches.
#include "cli/program_compare.h"

#include <inttypes.h>
#include <string.h>

#include "app/run/program_pairs.h"
#include "cli/plain.h"

enum { MOST_ROWS = 40 };               // of pairs; the others are counted

static uint64_t sectors_of(const CounterSet *c) {
  return c->value[COUNTER_GLOBAL_LOAD_SECTORS] + c->value[COUNTER_GLOBAL_STORE_SECTORS] +
         c->value[COUNTER_GLOBAL_RED_SECTORS] + c->value[COUNTER_GLOBAL_ATOM_SECTORS];
}

// Of a launch by its number; NULL: it was not run, or there is none.
static const CounterSet *counters_of(const ProgramRun *run, int number) {
  return number > 0 && number <= run->launch_count ? &run->launches[number - 1].counters : NULL;
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

static void print_pair(const ProgramRun *first, const ProgramRun *second, const ProgramPair *pair, FILE *out) {
  const CounterSet *sides[2] = {counters_of(first, pair->left), counters_of(second, pair->right)};
  uint64_t instructions[2], sectors[2];
  char numbers[2][16];
  for (int i = 0; i < 2; i++) {
    int number = i ? pair->right : pair->left;
    instructions[i] = sides[i] ? sides[i]->value[COUNTER_WARP_INSTRUCTIONS] : 0;
    sectors[i] = sides[i] ? sectors_of(sides[i]) : 0;
    if (number) snprintf(numbers[i], sizeof numbers[i], "%d", number);
    else snprintf(numbers[i], sizeof numbers[i], "-");
  }
  plain_print(out, " %4s %4s %-13.13s", numbers[0], numbers[1],
              pair->left ? kernel_of(first, pair->left) : kernel_of(second, pair->right));
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

void program_compare_print(const ProgramRun *first, const ProgramRun *second, FILE *out) {
  ProgramPairs pairs;
  LsText words = {0};
  program_pairs_init(&pairs, &first->program, &second->program);
  print_side("first:", first, out);
  print_side("second:", second, out);
  program_pairs_words(&pairs, &words);
  plain_paragraph(out, "", ls_text_str(&words), 0);
  ls_text_free(&words);
  plain_print(out, "\n %-23s %21s %6s %19s\n %4s %4s %-13s %10s %10s %6s %9s %9s\n", "launch", "warp instructions", "",
              "sectors", "1st", "2nd", "kernel", "first", "second", "", "first", "second");
  for (int i = 0; i < LS_MIN(pairs.count, MOST_ROWS); i++) print_pair(first, second, &pairs.items[i], out);
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

static void json_pair(LsJson *json, const ProgramRun *first, const ProgramRun *second, const ProgramPair *pair) {
  ls_json_open(json, '{');
  ls_json_member(json, "kernel", pair->left ? kernel_of(first, pair->left) : kernel_of(second, pair->right));
  if (pair->left) ls_json_member_u64(json, "first_launch", (uint64_t)pair->left);
  if (pair->right) ls_json_member_u64(json, "second_launch", (uint64_t)pair->right);
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
