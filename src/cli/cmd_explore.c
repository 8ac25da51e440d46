// cmd_explore.c: the explorer on a run or on a saved trace, and the plain form of both.
#include <stdlib.h>
#include <string.h>

#include "app/own/reading.h"
#include "app/session/session.h"
#include "cli/busy.h"
#include "cli/cli.h"
#include "cli/missing.h"
#include "cli/place.h"
#include "cli/plain.h"
#include "ui/pages/page.h"

// Said to the theme as a terminal would say it.
bool cli_theme(const Cli *cli, LsErr *err) {
  const char *theme = cli->given[OPT_ID_THEME] ? cli->value[OPT_ID_THEME] : "auto";
  if (strcmp(theme, "auto") == 0) return true;
  bool dark = strcmp(theme, "dark") == 0;
  if (dark || strcmp(theme, "light") == 0) return setenv("COLORFGBG", dark ? "15;0" : "0;15", 1) == 0;
  return ls_fail(err, LS_EREQUEST, "--theme takes auto, dark or light, not '%s'", LS_QUOTE(theme));
}

bool cli_term_options(const Cli *cli, TermOptions *options, LsErr *err) {
  static const char *const words[] = {"auto", "always", "never"};
  *options = (TermOptions){.ascii = cli->given[OPT_ID_ASCII], .no_mouse = cli->given[OPT_ID_NO_MOUSE],
                           .stage = cli->given[OPT_ID_STAGE]};
  ses_taste.motion = !cli->given[OPT_ID_NO_MOTION];
  if (!cli_theme(cli, err)) return false;
  const char *color = cli->given[OPT_ID_COLOR] ? cli->value[OPT_ID_COLOR] : "auto";
  for (int i = 0; i < LS_COUNT(words); i++)
    if (strcmp(color, words[i]) == 0) return options->color = (TermColor)i, true;
  return ls_fail(err, LS_EREQUEST, "--color takes auto, always or never, not '%s'", LS_QUOTE(color));
}

int cli_show_page(const Cli *cli, Page *page, LsErr *err) {
  TermOptions options;
  if (cli_term_options(cli, &options, err)) return ui_run(page, &options, err);
  page->class->free(page);
  return -1;
}

int cli_plain_run(Run *run, const PlainOptions *options, LsErr *err) {
  plain_heading(run, stdout);
  puts("");
  busy_begin("writing the events");
  bool told = !run->trace || plain_events(run, options, stdout, err);
  busy_end();
  if (!told) return -1;
  cli_count_events(run);
  puts("\ntotals");
  plain_totals(run, stdout);
  return run_exit_status(run);
}

// ---- on the screen -------------------------------------------------------------------------------------------------

enum { PATIENCE_MS = 30 };   // most kernels are there by then, and a bad request is told without a screen

// A file of one's own whose launch is not given, or not all of it, gets a page to fill it in.
static bool launch_ask(const Cli *cli, const RunRequest *request, RecipeBook *book, LaunchAsk *ask) {
  *ask = (LaunchAsk){.request = request, .command = cli->command, .book = book, .open = page_run_new};
  missing_given(cli, &ask->given);
  return !request->recipe && ownfile_is_one(request->what);
}

static bool gives_launch(const Cli *cli) {
  return cli->given[OPT_ID_GRID] || cli->given[OPT_ID_BLOCK] || cli->arg_count;
}

static Page *taken(Job *job, RecipeBook *book, const LaunchAsk *ask, LsErr *err) {
  int lacks = job_progress(job)->lacks;
  Run *run = job_take(job, err);
  if (!run) return lacks && ask ? page_launch_new(ask) : NULL;
  Session *session = ses_new(run);
  session->book = book;
  return page_explorer_new(session);
}

// The request under way: a job that is done soon shows its explorer at once and its error on the command line; a
// longer one
// gets a page with its progress.
static Page *start(Cli *cli, LsErr *err) {
  RunRequest request;
  LaunchAsk ask;
  if (!cli_request(cli, DEV_WRITTEN, true, &request, err)) {
    run_request_fini(&request);
    return NULL;
  }
  RecipeBook *book = cli_book(cli, NULL);
  bool own = launch_ask(cli, &request, book, &ask);
  Page *page = NULL;
  if (own && !gives_launch(cli)) {
    page = page_launch_new(&ask);
  } else {
    Job *job = job_start(&request);
    if (job_wait(job, PATIENCE_MS)) page = taken(job, book, own ? &ask : NULL, err);
    else page = page_job_new(job, request.what, book, own ? page_launch_new : NULL, &ask);
  }
  run_request_fini(&request);
  return page;
}

static Page *open_trace(Cli *cli, const char *path, LsErr *err) {
  Run *run = cli_open_trace(cli, path, err);
  if (!run) return NULL;
  Session *session = ses_new(run);
  session->book = cli_book(cli, NULL);
  return page_explorer_new(session);
}

static int show(Cli *cli, const char *trace, LsErr *err) {
  TermOptions options;
  SesWish wish;
  if (!cli_term_options(cli, &options, err) || !place_wish(cli, &wish, err)) return -1;
  ses_taste.first = &wish;
  Page *page = trace ? open_trace(cli, trace, err) : start(cli, err);
  return page ? ui_run(page, &options, err) : -1;
}

// ---- as text -------------------------------------------------------------------------------------------------------

static int print(Run *run, LsErr *err) {
  if (!run) return -1;
  int status = cli_plain_run(run, &(PlainOptions){0}, err);
  if (status >= 0 && run->device_run && !cli_write_outputs(run, err)) status = -1;
  run_free(run);
  return status;
}

int cmd_explore(Cli *cli, LsErr *err) {
  const char *what = cli_word(cli, "WHAT", err);
  ModelValues values;
  if (!what) return -1;
  if (cli_model(cli, what, &values, err)) return cmd_model(cli, err);
  if (err->kind != LS_OK) return -1;
  if (!cli_wants_screen(cli)) return print(cli_run(cli, DEV_WRITTEN, true, err), err);
  return show(cli, run_is_trace_file(what) ? what : NULL, err);
}

int cmd_play(Cli *cli, LsErr *err) {
  const char *path = cli_word(cli, "a trace FILE", err);
  if (!path) return -1;
  return cli_wants_screen(cli) ? show(cli, path, err) : print(cli_open_trace(cli, path, err), err);
}
