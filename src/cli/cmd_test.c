// cmd_test.c: lanescope test: recipes of one's own, run and judged, for a terminal and for CI.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/own/suite.h"
#include "app/run/orders.h"
#include "cli/cli.h"
#include "cli/junit.h"
#include "cli/tap.h"
#include "cli/wait.h"
#include "script/recipe.h"

// ---- JSON ----------------------------------------------------------------------------------------------------------

static const char *const states[] = {
    [SUITE_WAITS] = "canceled", [SUITE_PASSED] = "passed", [SUITE_FAILED] = "failed", [SUITE_SKIPPED] = "skipped",
    [SUITE_BAD] = "bad_recipe", [SUITE_LACKS] = "environment", [SUITE_CANCELED] = "canceled"};

static void json_problem(LsJson *json, const SuiteProblem *problem) {
  ls_json_open(json, '{');
  ls_json_member(json, "kind", problem->kind);
  ls_json_member(json, "message", problem->message);
  if (problem->advice && *problem->advice) ls_json_member(json, "advice", problem->advice);
  if (problem->file) ls_json_member(json, "file", problem->file);
  if (problem->line) ls_json_member_u64(json, "line", (uint64_t)problem->line);
  ls_json_close(json, '}');
}

static void json_limits(LsJson *json, const RecipeLimits *limits) {
  if (!limits->count) return;
  ls_json_open_member(json, "limits", '[');
  for (int i = 0; i < limits->count; i++) {
    const RecipeLimit *limit = &limits->items[i];
    ls_json_open(json, '{');
    ls_json_member(json, "what", limit->what);
    ls_json_member_f64(json, "value", limit->value);
    ls_json_member_f64(json, limit->is_least ? "least" : "most", limit->bound);
    ls_json_close(json, '}');
  }
  ls_json_close(json, ']');
}

static void json_point(LsJson *json, const SuitePoint *point) {
  ls_json_open(json, '{');
  ls_json_member(json, "name", point->name);
  ls_json_member(json, "recipe", point->path);
  ls_json_member(json, "parameters", point->parameters);
  ls_json_member(json, "state", states[point->state]);
  if (point->reason) ls_json_member(json, "reason", point->reason);
  ls_json_member_f64(json, "seconds", point->seconds);
  ls_json_open_member(json, "failures", '[');
  for (int i = 0; i < point->problem_count; i++) json_problem(json, &point->problems[i]);
  ls_json_close(json, ']');
  json_limits(json, &point->limits);
  ls_json_close(json, '}');
}

static void print_json(const Suite *suite) {
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_member_u64(&json, "passed", (uint64_t)suite_count(suite, SUITE_PASSED));
  ls_json_member_u64(&json, "failed", (uint64_t)suite_count(suite, SUITE_FAILED));
  ls_json_member_u64(&json, "skipped", (uint64_t)suite_count(suite, SUITE_SKIPPED));
  ls_json_member_u64(&json, "errors", (uint64_t)(suite_count(suite, SUITE_BAD) + suite_count(suite, SUITE_LACKS)));
  ls_json_member_u64(&json, "canceled", (uint64_t)suite_count(suite, SUITE_CANCELED));
  ls_json_open_member(&json, "tests", '[');
  for (int i = 0; i < suite->count; i++) json_point(&json, &suite->points[i]);
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  cli_print_json(&text);
}

// ---- running -------------------------------------------------------------------------------------------------------

typedef struct Telling { const Suite *suite; bool as_json, on_terminal, shown; } Telling;

static void clear_line(Telling *telling) {
  if (telling->shown) fputs("\r\033[K", stderr);
  telling->shown = false;
}

static void tell_point(void *context, const SuitePoint *point, int index) {
  Telling *telling = context;
  clear_line(telling);
  if (!telling->as_json && point->state != SUITE_CANCELED) tap_point(point, index + 1, stdout);
}

static void tell_waiting(void *context, int done) {
  Telling *telling = context;
  if (!telling->on_terminal) return;
  clear_line(telling);
  fprintf(stderr, "%d of %d done", done, telling->suite->count);
  fflush(stderr);
  telling->shown = true;
}

// What names one run of many, or looks into it.
static bool options_fit(const Cli *cli, LsErr *err) {
  static const OptionId of_one_run[] = {OPT_ID_LAUNCH, OPT_ID_ORDER_OF, OPT_ID_BLOCKS, OPT_ID_EVENTS};
  for (int i = 0; i < LS_COUNT(of_one_run); i++)
    if (cli->given[of_one_run[i]])
      return ls_fail(err, LS_EREQUEST, "--%s is for one run: lanescope test runs all launches of all recipes",
                     cli_option(of_one_run[i])->name);
  const char *device = cli->given[OPT_ID_DEVICE] ? cli->value[OPT_ID_DEVICE] : "auto";
  if (strcmp(device, "recorded") == 0)
    return ls_fail(err, LS_EREQUEST, "--device recorded is for lecture kernels: a test runs its kernel");
  return true;
}

static bool read_options(Cli *cli, RunRequest *base, SuiteOptions *options, LsErr *err) {
  run_request_init(base);
  base->record = false;
  *options = (SuiteOptions){.base = base};
  return options_fit(cli, err) && cli_run_options(cli, DEV_COMPILED, base, err) &&
         cli_unsigned(cli, OPT_ID_ORDERS, 1, ORDERS_MOST_SEEDS, &options->orders, err) && cli_jobs(cli,
             &options->jobs, err);
}

static int status_of(const Suite *suite) {
  if (suite_count(suite, SUITE_LACKS)) return 3;
  if (suite_count(suite, SUITE_BAD)) return 2;
  return suite_count(suite, SUITE_FAILED) > 0;
}

static int run_suite(const Cli *cli, Suite *suite, SuiteOptions *options, LsErr *err) {
  Telling telling = {.suite = suite, .as_json = cli->given[OPT_ID_JSON], .on_terminal = isatty(2)};
  SuiteListener listener = {tell_point, tell_waiting, &telling};
  options->ending = cli_catch_endings();
  if (!telling.as_json) tap_begin(suite->count, stdout);
  suite_run(suite, options, &listener);
  clear_line(&telling);
  if (telling.as_json) print_json(suite);
  else tap_end(suite, stdout);
  if (cli->given[OPT_ID_JUNIT] && !junit_write(suite, cli->value[OPT_ID_JUNIT], err)) return -1;
  return status_of(suite);
}

int cmd_test(Cli *cli, LsErr *err) {
  Suite suite = {0};
  RunRequest base;
  SuiteOptions options;
  int status = -1;
  if (read_options(cli, &base, &options, err) && suite_gather(&suite, cli->words, cli->word_count, recipe_book_open,
                                                              err))
    status = run_suite(cli, &suite, &options, err);
  suite_fini(&suite);
  run_request_fini(&base);
  return status;
}
