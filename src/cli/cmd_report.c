// cmd_report.c: lanescope report: what a student has done, into a file that the student hands in.
#include <string.h>
#include <time.h>

#include "app/report/report.h"
#include "base/output.h"
#include "cli/busy.h"
#include "cli/cli.h"
#include "script/lesson.h"

static void say(const Report *report, const char *path) {
  plain_print(stderr, "%s: %d lesson%s, %d skill%s, as %s. Nothing was sent.\n", LS_QUOTE_PATH(path),
              report->lesson_count, report->lesson_count == 1 ? "" : "s", report->skill_count,
              report->skill_count == 1 ? "" : "s", report->who);
}

static int write_report(const Cli *cli, const Report *report, LsErr *err) {
  const char *path = cli->value[OPT_ID_OUTPUT];
  bool to_stdout = strcmp(path, "-") == 0, ok = true;
  LsText text = {0};
  if (cli->given[OPT_ID_CSV]) report_csv(report, &text);
  else report_json(report, &text);
  if (to_stdout) fwrite(text.data, 1, text.length, stdout);
  else ok = ls_output_write(path, text.data, text.length, err);
  ls_text_free(&text);
  if (ok && !to_stdout) say(report, path);
  return ok ? 0 : -1;
}

int cmd_report(Cli *cli, LsErr *err) {
  if (!cli->given[OPT_ID_OUTPUT])
    return ls_fail(err, LS_EREQUEST, "report needs -o FILE, where the report goes; -o - is the standard output"), -1;
  if (cli->given[OPT_ID_CSV] && cli->given[OPT_ID_TEXTS])
    return ls_fail(err, LS_EREQUEST, "a table has no texts: --texts goes with JSON, without --csv"), -1;
  Course *course = course_open(NULL, err);
  if (!course) return -1;
  Progress *progress = progress_open(NULL);
  ReportWish wish = {.as = cli->value[OPT_ID_AS], .texts = cli->given[OPT_ID_TEXTS], .now = time(NULL)};
  Report report;
  busy_begin("gathering the report");
  bool gathered = report_gather(&report, course, progress, &wish, err);
  busy_end();
  if (gathered) plain_progress(progress);
  int status = gathered ? write_report(cli, &report, err) : -1;
  report_free(&report);
  progress_close(progress);
  course->free(course);
  return status;
}
