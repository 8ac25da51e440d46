// test_program_report.c: lanescope report: files that a student hands in.
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "program/program.h"
#include "program/wellformed.h"

// A command line, its exit status, and the patterns of what it prints.
typedef struct Case { const char *line; int status; const char *out, *err; } Case;

static void check_case(const Case *c) {
  ProgramRun run;
  program_run(&run, c->line);
  bool as_expected = run.status == c->status && program_matches(c->out, run.out) && program_matches(c->err, run.err);
  if (!as_expected)
    printf("\n%s\n  status %d, expected %d\n  out: %.1500s\n  expected: %s\n  err: %s\n  expected: %s\n", c->line,
           run.status, c->status, run.out, c->out, run.err, c->err);
  CHECK(as_expected);
  program_run_free(&run);
}

static void check_cases(const Case *cases, int count) {
  for (int i = 0; i < count; i++) check_case(&cases[i]);
}

// Answers the questions of FQ5 with 3, and is sure of each.
#define AS(NAME) "XDG_STATE_HOME=$PWD/" NAME " lanescope "
#define QUIZ(NAME) "yes '3\n1' | head -60 | " AS(NAME) "quiz FQ5 --seed 1 --plain > " NAME ".txt"

// ---- the report ----------------------------------------------------------------------------------------------------

static const Case report_cases[] = {
    {"lanescope report", 2, "", "lanescope: report needs -o FILE, where the report goes; -o - is the standard output\n"},
    {"lanescope report me.json", 2, "", "lanescope: 'me.json' is one word too many: it is lanescope report -o FILE\n"},
    {AS("new") "report -o - --as Ada", 0,
     "{\n  \"format\": 1,\n  \"program\": \"*\",\n  \"course\": \"*\",\n  \"who\": \"Ada\",\n  \"made\": \"20*\",\n"
     "  \"lessons\": [],\n  \"skills\": [],\n  \"open\": [],\n  \"practice\": [],\n  \"questioned\": []\n}\n", ""},
    {AS("new") "report -o me.json --as Ada && cat me.json", 0, "{\n  \"format\": 1,*",
     "me.json: 0 lessons, 0 skills, as Ada. Nothing was sent.\n"},
    {QUIZ("ada") "; " AS("ada") "report -o me.json --as Ada", 0, "",
     "me.json: 0 lessons, 5 skills, as Ada. Nothing was sent.\n"},
    {AS("ada") "report -o - --csv --as Ada | cut -d, -f1,2,3", 0, "who,skill,seen\nAda,L11.columns,1\nAda,L11.*", ""},
    {"a=$(" AS("ada") "report -o - | grep who); b=$(" AS("ada") "report -o - | grep who); test \"$a\" = \"$b\" && echo "
     "\"$a\"", 0, "  \"who\": \"*-*\",\n", ""},
    {AS("ada") "report -o - --as '=1+1'", 2, "",
     "lanescope: --as takes a name of 1 to 80 characters that begins with a letter or digit and has no control "
     "characters, not '=1+1'\n"},
    {AS("ada") "report -o - --as \"$(head -c 10000 /dev/zero | tr '\\0' x)\"", 2, "", "lanescope: --as takes a name *"},
    {AS("ada") "report -o - --csv --texts", 2, "",
     "lanescope: a table has no texts: --texts goes with JSON, without --csv\n"},
    {AS("ada") "report -o nowhere/me.json", 2, "", "lanescope: cannot write nowhere/me.json: *"},
    {AS("ada") "report -o /dev/full", 2, "", "lanescope: cannot write /dev/full: *"},
    {AS("ada") "report -o - > /dev/full", 2, "", "lanescope: cannot write the output: *"},
    {"mkdir -p odd/lanescope && echo mine > odd/lanescope/progress.db; " AS("odd") "report -o -; cat odd/lanescope/*", 0,
     "mine\n", "lanescope: there is no report without the progress: *"},
};

static void reports_are_written(void) { check_cases(report_cases, LS_COUNT(report_cases)); }

// Two readers that are not ours to begin with: the strict one of the tests, and Python's where there is one.
static void json_of_a_report_is_valid(void) {
  ProgramRun run;
  program_run(&run, QUIZ("ada") "; " AS("ada") "report -o - --as '\xc3\x89milie \"O.\"'");
  CHECK(json_is_valid(run.out) && json_count(run.out, "skills") == 5);
  CHECK(run.status == 0 && json_is_string(run.out, "skills.0.family", "FQ5"));
  program_run_free(&run);
  check_case(&(Case){"python3 -c '' 2> /dev/null || exit 0; " AS("ada") "report -o x.json --as 'a \"b\"' 2> /dev/null; "
                     "python3 -c 'import json; r = json.load(open(\"x.json\")); assert r[\"who\"] == \"a \\\"b\\\"\" and "
                     "len(r[\"skills\"]) == 5 and r[\"format\"] == 1'", 0, "", ""});
}

static const Check checks[] = {
    {"reports are written", reports_are_written},
    {"json of a report is valid", json_of_a_report_is_valid},
};

int main(int argc, char **argv) {
  program_set_up();
  int failed = check_main("program report", checks, LS_COUNT(checks), argc, argv);
  program_tear_down();
  return failed;
}
