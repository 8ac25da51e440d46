// cmd_grade.c: lanescope grade: what practice says of a whole class's files; lanescope serve-judge: the process that
// judges one.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/practice/grade_wire.h"
#include "app/practice/judge.h"
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/grade_text.h"
#include "cli/wait.h"
#include "device/compile/compile_folder.h"
#include "device/sandbox.h"
#include "script/exercise.h"

// ---- one submission ------------------------------------------------------------------------------------------------

enum { SECONDS_USUAL = 60, SECONDS_MOST = 24 * 3600, MEGABYTES_USUAL = 2048, MEGABYTES_LEAST = 256,
       MEGABYTES_MOST = 1 << 20, REQUEST_MOST = 4 << 20 };

// Until the message is whole, or its sender has gone.
static bool read_request(LsText *request, LsErr *err) {
  char bytes[4096];
  ssize_t count;
  while (request->length < REQUEST_MOST && (count = read(0, bytes, sizeof bytes)) != 0) {
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    ls_text_addn(request, bytes, (size_t)count);
    if (grade_wire_is_whole(request)) return true;
  }
  return ls_fail(err, LS_EFORMAT, "the input ended before there was a whole request");
}

static int work(void *context, int descriptor) {
  LsText out = {0};
  grade_answer(context, exercise_book_open, &out);
  size_t written = 0;
  while (written < out.length) {
    ssize_t count = write(descriptor, out.data + written, out.length - written);
    if (count <= 0) return 1;
    written += (size_t)count;
  }
  return 0;
}

// What is to be said of a worker that did not say it itself.
static void explain(const SandboxAnswer *answer, const SandboxLimits *limits, LsText *out) {
  char *words;
  if (answer->end == SANDBOX_LATE)
    words = ls_format("Judging took longer than %.0f s and was ended. A compiler that does not come to an end does so "
                      "mostly over templates or macros.", limits->seconds);
  else
    words = ls_format("Judging ended early (status %d). It took more than %" PRIu64 " MB of memory, or there is a "
                      "mistake "
                      "in lanescope.", answer->status, limits->memory >> 20);
  grade_answer_none(out, answer->end == SANDBOX_LATE ? "late" : "broken", words, 0);
  free(words);
}

static bool judge_apart(LsText *request, LsText *out, LsErr *err) {
  SandboxLimits limits = {
      .seconds = (double)LS_CLAMP(grade_wire_int(request, "milliseconds", 0), 100, SECONDS_MOST * 1000ll) / 1000,
      .memory = (uint64_t)LS_CLAMP(grade_wire_int(request, "megabytes", 0), MEGABYTES_LEAST,
                                   MEGABYTES_MOST) << 20, .lifeline = 0};
  SandboxAnswer answer;
  CompileFolder *folder = compile_folder_new(err);
  bool ok = folder && (chdir(compile_folder_path(folder)) == 0 || ls_fail(err, LS_EIO, "cannot enter a new folder"));
  if (ok) sandbox_clear_environment(compile_folder_path(folder));
  ok = ok && sandbox_run(&limits, work, request, &answer, err);
  if (ok && grade_wire_is_whole(&answer.said)) ls_text_add(out, ls_text_str(&answer.said));
  else if (ok) explain(&answer, &limits, out);
  if (ok) ls_text_free(&answer.said);
  if (folder && chdir("/") == 0) compile_folder_free(folder);
  return ok;
}

int cmd_serve_judge(Cli *cli, LsErr *err) {
  (void)cli;
  LsText request = {0}, out = {0};
  if (isatty(0)) return ls_fail(err, LS_EREQUEST, "serve-judge is started by lanescope grade, not by people"), -1;
  bool ok = read_request(&request, err) && judge_apart(&request, &out, err);
  if (ok) fwrite(out.data, 1, out.length, stdout);
  ls_text_free(&request);
  ls_text_free(&out);
  return ok ? 0 : -1;
}

// ---- a class -------------------------------------------------------------------------------------------------------

enum { SAY_MS = 5000 };
typedef struct Telling { int files; bool on_terminal, shown; uint64_t said; } Telling;

static void clear_line(Telling *telling) {
  if (telling->shown) fputs("\r\033[K", stderr);
  telling->shown = false;
}

// On a terminal a line that comes and goes; elsewhere one every few seconds.
static void tell_waiting(void *context, int done, int passed) {
  Telling *telling = context;
  uint64_t now = ls_clock_ms();
  if (!telling->on_terminal && now < telling->said + SAY_MS) return;
  clear_line(telling);
  fprintf(stderr, telling->on_terminal ? "%d of %d judged, %d passed" : "lanescope: %d of %d judged, %d passed\n", done,
          telling->files, passed);
  fflush(stderr);
  telling->said = now;
  telling->shown = telling->on_terminal;
}

static bool read_options(const Cli *cli, GradeOptions *options, LsErr *err) {
  uint64_t megabytes = MEGABYTES_USUAL, seconds = SECONDS_USUAL;
  if (!cli->word_count) return ls_fail(err, LS_EREQUEST, "grade needs the folder of a class; lanescope grade --help "
                                       "shows examples");
  if (cli->given[OPT_ID_CSV] && cli->given[OPT_ID_JSON])
    return ls_fail(err, LS_EREQUEST, "--csv and --json are two forms: choose one");
  if (!cli_unsigned(cli, OPT_ID_SEED, 0, INT64_MAX, &options->seed, err) || !cli_jobs(cli, &options->jobs, err) ||
      !cli_unsigned(cli, OPT_ID_TIME, 1, SECONDS_MOST, &seconds, err) ||
      !cli_unsigned(cli, OPT_ID_MEMORY, MEGABYTES_LEAST, MEGABYTES_MOST, &megabytes, err))
    return false;
  options->seconds = (double)seconds;
  options->megabytes = (int)megabytes;
  options->runner = cli->given[OPT_ID_RUNNER] ? cli->value[OPT_ID_RUNNER] : NULL;
  return true;
}

// Nothing can be judged without a compiler; and where it is judged here, it is said how far apart that is.
static bool look_around(const GradeOptions *options, LsErr *err) {
  LsText found = {0}, meaning = {0};
  LsErr why = {0};
  if (options->runner) return true;
  int compilers = dev_compilers(&found, &meaning);
  if (!compilers)
    ls_fail(err, LS_EENV, "no CUDA compiler is here, so nothing can be judged.\n%s", ls_text_str(&meaning));
  else if (!sandbox_isolates(&why))
    plain_print(stderr, "lanescope: compilers keep the network here, since %s (lanescope doctor)\n", why.message);
  ls_text_free(&found);
  ls_text_free(&meaning);
  return compilers > 0;
}

static void print_table(const Cli *cli, const GradeTable *table) {
  LsText text = {0};
  if (cli->given[OPT_ID_JSON]) {
    grade_json(table, &text);
    cli_print_json(&text);
  } else if (cli->given[OPT_ID_CSV]) {
    grade_csv(table, &text);
    fwrite(text.data, 1, text.length, stdout);
    ls_text_free(&text);
  } else {
    grade_print(table, stdout);
  }
}

static int status_of(const GradeTable *table) {
  int status = 0;
  for (int i = 0; i < table->found->count; i++) {
    const GradeRow *row = &table->rows[i];
    if (row->state == GRADE_BROKEN && row->how && strcmp(row->how, "no compiler") == 0) return 3;
    if (!row->passed) status = 1;
  }
  return status;
}

static int grade_all(const Cli *cli, const Submissions *found, GradeOptions *options) {
  Telling telling = {.files = found->count, .on_terminal = isatty(2), .said = ls_clock_ms()};
  options->waiting = tell_waiting;
  options->context = &telling;
  options->ending = cli_catch_endings();
  plain_print(stderr, "lanescope: judging %d file%s, %d at a time, seed %" PRIu64 "\n", found->count,
              found->count == 1 ? "" : "s", options->jobs, options->seed);
  GradeTable table = {found, grade_run(found, options), options->book, options->seed};
  clear_line(&telling);
  print_table(cli, &table);
  int status = status_of(&table);
  grade_free((GradeRow *)table.rows, found->count);
  return status;
}

int cmd_grade(Cli *cli, LsErr *err) {
  Submissions found = {0};
  GradeOptions options = {.book = exercise_book_open(NULL, err), .seed = judge_seed()};
  int status = -1, wanted = -1;
  bool ok = options.book && read_options(cli, &options, err) && look_around(&options, err);
  if (ok && cli->given[OPT_ID_EXERCISE]) ok = (wanted = exercise_find(options.book, cli->value[OPT_ID_EXERCISE],
                                                                      err)) >= 0;
  if (ok && submissions_find(&found, cli->words, cli->word_count, options.book, wanted, err))
    status = grade_all(cli, &found, &options);
  submissions_free(&found);
  if (options.book) options.book->free(options.book);
  return status;
}
