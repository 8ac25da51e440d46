// test_program_suite.c: `lanescope test` as people and their CI use it: kernels of one's own in folders, with their PTX
// beside them so that no compiler is needed. TAP is read back by rules of its specification, XML and JSON by strict
// readers, and by Python's where it is installed.
#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "program/program.h"
#include "program/wellformed.h"

// A repository with a right kernel and a wrong one, in a folder k of its own. The sources are older than their PTX.
#define FRESH "rm -rf k && mkdir k && cp -R $S/tests/unit/cli/suite/. k && chmod -R u+w k && rm k/spin.* && " \
              "touch -d '2001-01-01' k/*.cu k/sums/*.cu && "
#define EDIT(file, script) "sed -i '" script "' k/" file " && "

static ProgramRun run_line(const char *line) {
  ProgramRun run;
  program_run(&run, line);
  return run;
}

static void check_run(const char *line, int status, const char *out, const char *err) {
  ProgramRun run = run_line(line);
  bool fine = run.status == status && program_matches(out, run.out) && program_matches(err, run.err);
  if (!fine) printf("\n%s\n  status %d, expected %d\n  out: %s\n  err: %s\n", line, run.status, status, run.out,
                    run.err);
  CHECK(fine);
  program_run_free(&run);
}

// ---- TAP 14 --------------------------------------------------------------------------------------------------------

// "ok 3 - words" or "not ok 3 - words", with that number.
static bool is_point(const char *line, int number) {
  char *begin = ls_format("ok %d - ", number);
  const char *p = ls_starts_with(line, "not ") ? line + 4 : line;
  bool is = ls_starts_with(p, begin) && p[strlen(begin)];
  free(begin);
  return is;
}

// A line of the block behind a point: KEY: "STRING", a key alone, or an item of a list; strings are JSON's, which are
// YAML's.
static bool is_yaml(const char *line) {
  const char *p = line + strspn(line, " "), *value = p;
  if (p - line < 2) return false;
  if (ls_starts_with(p, "- ")) return json_is_valid(p + 2);
  while (isalpha((unsigned char)*value)) value++;
  return value > p && *value == ':' && (!value[1] || (value[1] == ' ' && json_is_valid(value + 2)));
}

// Version, plan, as many points as it says in their order, blocks that begin and end.
static bool is_tap(char *text) {
  int planned = -1, points = 0, line_number = 0;
  bool in_block = false, good = true;
  for (char *line; good && (line = strsep(&text, "\n")); line_number++) {
    if (line_number == 0) good = strcmp(line, "TAP version 14") == 0;
    else if (line_number == 1) good = sscanf(line, "1..%d", &planned) == 1;
    else if (strcmp(line, "  ---") == 0) good = !in_block && points, in_block = true;
    else if (strcmp(line, "  ...") == 0) good = in_block, in_block = false;
    else if (in_block) good = is_yaml(line);
    else if (*line && *line != '#') good = is_point(line, ++points);
    if (!good) printf("\nno TAP: %s\n", line);
  }
  return good && !in_block && points == planned;
}

static void two_kernels(void) {
  ProgramRun run = run_line(FRESH "lanescope test k");
  CHECK_INT(run.status, 1);
  CHECK(program_matches("TAP version 14\n1..5\nok 1 - scale n=1\nok 2 - scale n=33\nok 3 - scale n=1000\n"
                        "not ok 4 - sums/total n=256\n  ---\n  message: \"thread (128,0,0) *part[128]*\"\n"
                        "  severity: \"fail\"\n  kind: \"race\"\n  at: \"k/sums/total.cu:5\"\n"
                        "  advice: \"Put __syncthreads() between line 5 and line 7, *\"\n  also:\n"
                        "    - \"k/sums/total.cu:2: result: sum[0] is 8128, expected 32640\"\n  ...\n"
                        "ok 5 - sums/total n=1 # SKIP n=1 is refused here\n# 3 of 4 passed, 1 skipped\n", run.out));
  CHECK_STR(run.err, "");
  CHECK(is_tap(run.out));
  program_run_free(&run);
}

static void the_order_is_the_same(void) {
  ProgramRun one = run_line(FRESH "lanescope test k --jobs 1"), many = run_line("lanescope test k --jobs 8");
  CHECK_INT(many.status, 1);
  CHECK_STR(many.out, one.out);
  program_run_free(&one);
  program_run_free(&many);
}

// A name of a folder may have anything in it; a line of TAP may not.
static void names_are_escaped(void) {
  ProgramRun run = run_line(FRESH "mkdir 'k/a#b\nc' && mv k/scale.* 'k/a#b\nc' && lanescope test k --junit r.xml");
  CHECK_INT(run.status, 1);
  CHECK(run.out && strstr(run.out, "\nok 1 - a\\#b c/scale n=1\n") != NULL);
  CHECK(is_tap(run.out));
  program_run_free(&run);
  char *xml = ls_file_read("r.xml", 1 << 20, NULL, NULL);
  CHECK(xml && xml_is_valid(xml) && strstr(xml, "classname=\"a#b&#10;c/scale\"") != NULL);
  free(xml);
}

// ---- other forms ---------------------------------------------------------------------------------------------------

static void junit_is_well_formed(void) {
  ProgramRun run = run_line(FRESH "lanescope test k --junit results.xml > /dev/null");
  CHECK_INT(run.status, 1);
  program_run_free(&run);
  char *xml = ls_file_read("results.xml", 1 << 20, NULL, NULL);
  CHECK(xml && xml_is_valid(xml));
  CHECK(program_matches("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<testsuites name=\"lanescope\" tests=\"5\" failures=\"1\" errors=\"0\" skipped=\"1\" "
                            "time=\"*\">\n"
                        "*<testsuite name=\"scale\" tests=\"3\" failures=\"0\"*"
                        "<testcase name=\"n=256\" classname=\"sums/total\" file=\"k/sums/total.cu\" line=\"5\"*"
                        "<failure message=\"thread (128,0,0)*\" type=\"race\">*</failure>*<skipped message=\"n=1 "
                            "is*", xml));
  free(xml);
}

// What the common schema (jenkins' junit-10.xsd) demands, by another reader of XML.
static void python_reads_junit(void) {
  static const char script[] =
      "import sys, xml.etree.ElementTree as E\n"
      "r = E.parse(sys.argv[1]).getroot()\n"
      "assert r.tag == 'testsuites'\n"
      "cases = r.findall('testsuite/testcase')\n"
      "assert len(cases) == int(r.get('tests')) == sum(int(s.get('tests')) for s in r)\n"
      "for kind, name in (('failure', 'failures'), ('error', 'errors'), ('skipped', 'skipped')):\n"
      "  assert len(r.findall('testsuite/testcase/' + kind)) == int(r.get(name))\n"
      "  for s in r: assert len(s.findall('testcase/' + kind)) == int(s.get(name))\n"
      "for c in cases:\n"
      "  assert c.get('name') and c.get('classname') and float(c.get('time')) >= 0 and len(c) <= 1\n"
      "  assert set(c.keys()) <= {'name', 'classname', 'file', 'line', 'time'}\n";
  CHECK(ls_file_write("schema.py", script, strlen(script), NULL));
  check_run(FRESH "(lanescope test k --junit results.xml > /dev/null; command -v python3 > /dev/null || exit 0; "
                  "python3 schema.py results.xml)", 0, "", "");
}

static void json_is_valid_and_counts(void) {
  ProgramRun run = run_line(FRESH "lanescope test k --json");
  CHECK_INT(run.status, 1);
  CHECK(run.out && json_is_valid(run.out));
  if (run.out && json_is_valid(run.out)) {
    CHECK(json_number(run.out, "passed") == 3 && json_number(run.out, "failed") == 1);
    CHECK(json_number(run.out, "skipped") == 1 && json_count(run.out, "tests") == 5);
    CHECK(json_is_string(run.out, "tests.3.failures.0.kind", "race"));
    CHECK(json_number(run.out, "tests.3.failures.0.line") == 5);
    CHECK(json_is_string(run.out, "tests.1.limits.0.what", "load sectors"));
    CHECK(json_number(run.out, "tests.1.limits.0.value") == 5 && json_number(run.out, "tests.1.limits.0.most") == 5);
    CHECK(json_number(run.out, "tests.1.limits.2.least") == 1);
  }
  program_run_free(&run);
}

// ---- what fails ----------------------------------------------------------------------------------------------------

static void limits_are_held(void) {
  check_run(FRESH EDIT("scale.lua", "s/cdiv(p.n, 8)/cdiv(p.n, 8) - 1/") "lanescope test k/scale.lua", 1,
            "*not ok 2 - scale n=33\n  ---\n  message: \"load sectors: 5 where at most 4 may be\"\n  severity: "
                "\"fail\"\n"
            "  kind: \"limit\"\n  at: \"k/scale.cu:*", "");
  check_run(FRESH EDIT("scale.lua", "s/least = 1/least = 3/") "lanescope test k/scale.cu", 1,
            "*not ok 2*store requests: 2 where at least 3 must be*ok 3*", "");
  // A wrong kernel is not told what it costs.
  check_run(FRESH EDIT("scale.lua", "s/cdiv(p.n, 8)/0/; s/2.5 \\*/3 */") "lanescope test k/scale.lua", 1,
            "*not ok 1 - scale n=1\n  ---\n  message: \"y[0] is *, expected *\"\n*kind: \"result\"\n"
            "  at: \"k/scale.cu:2\"\n  ...\n*", "");
}

static void a_mistake_in_a_recipe_is_two(void) {
  check_run(FRESH EDIT("scale.lua", "s/c.global_load_sectors/c.global_lod_sectors/") "lanescope test k", 2,
            "*not ok 1*message: \"there is no 'global_lod_sectors' here\"\n"
            "  severity: \"error\"\n  kind: \"recipe\"\n  at: \"k/scale.lua:*not ok 4*", "");
  check_run(FRESH EDIT("scale.lua", "s/limits = function/limits = funtion/") "lanescope test k", 2,
            "TAP version 14\n1..3\nnot ok 1 - scale\n*kind: \"recipe\"\n  at: \"k/scale.lua:*\"\n  ...\nnot ok 2 - "
                "sums/total*", "");
  check_run(FRESH EDIT("scale.lua", "s/{ n = 33 }/{ m = 33 }/") "lanescope test k", 2,
            "*not ok 1 - scale\n*message: \"*cases[2]*\"*at: \"k/scale.lua*", "");
  check_run(FRESH EDIT("scale.lua", "s/grid = .*block/block/") "lanescope test k/scale.lua", 2,
            "*message: \"the launch has no field 'grid'\"*at: \"k/scale.lua*", "");
  check_run(FRESH EDIT("scale.lua", "s/cdiv(p.n, 8)/nil/") "lanescope test k/scale.lua", 2,
            "*limit 1: the most must be*", "");
}

static void bad_requests_are_two(void) {
  check_run("lanescope test", 2, "", "lanescope: test needs a folder with recipes, or a NAME.lua\n");
  check_run("lanescope test nowhere", 2, "", "lanescope: there is no file or folder nowhere\n");
  check_run("mkdir -p none && lanescope test none", 2, "", "lanescope: there is no recipe in none: *");
  check_run("touch alone.cu && lanescope test alone.cu", 2, "", "lanescope: there is no recipe alone.lua beside "
            "alone.cu: *");
  check_run("touch a.txt && lanescope test a.txt", 2, "", "lanescope: a.txt is neither a folder nor a recipe *");
  check_run(FRESH "lanescope test k --launch 2", 2, "", "lanescope: --launch is for one run: *");
  check_run(FRESH "lanescope test k --jobs 0", 2, "", "lanescope: --jobs takes a whole number from 1 to 64, not '0'\n");
  check_run(FRESH "lanescope test k --junit nowhere/a.xml > /dev/null", 2, "", "lanescope: cannot write "
            "nowhere/a.xml: *");
}

static void without_a_compiler_it_is_three(void) {
  check_run(FRESH "rm k/scale.*ptx && L=$(command -v lanescope) && PATH=/none LANESCOPE_COMPILER=clang $L test k", 3,
            "*not ok 1 - scale n=1\n  ---\n  message: \"no CUDA compiler is here*severity: \"error\"\n  kind: "
                "\"environment\"*"
            "not ok 4*kind: \"race\"*", "");
}

// ---- options of runs -----------------------------------------------------------------------------------------------

static void options_of_runs(void) {
  check_run(FRESH "lanescope test k/sums --check none", 1, "*not ok 1 - total n=256\n*kind: \"result\"*", "");
  check_run(FRESH EDIT("sums/total.lua", "s/run.host_sum(\"x\")/8128/") "lanescope test k/sums --check none --orders "
            "30", 1,
            "*not ok 1 - total n=256\n*kind: \"order\"*", "");
  check_run(FRESH "lanescope test k/scale.lua --orders 10 --seed 5 --strict", 0,
            "*ok 3 - scale n=1000\n# 3 of 3 passed\n", "");
  check_run(FRESH "lanescope test k --device nothing", 1, "*not ok 1*there is no device*", "");
}

// A form that is there to show its mistake passes if it does.
static void what_is_expected_passes(void) {
  check_run(FRESH EDIT("sums/total.lua", "s/kernel = \"total\",/kernel = \"total\", expect = { verdict = \"wrong\", "
                       "faults = { \"race\", \"uninitialized\" } },/") "lanescope test k/sums", 0, "*ok 1 - total "
                           "n=256\n# 1 of 1 passed\n", "");
  check_run(FRESH EDIT("sums/total.lua", "s/kernel = \"total\",/kernel = \"total\", expect = { faults = { \"race\" } "
                       "},/")
            "lanescope test k/sums", 1, "*not ok 1*message: \"expected a right result, and it is wrong*kind: "
                "\"expectation\"*", "");
  check_run(FRESH EDIT("sums/total.lua", "s/kernel = \"total\",/kernel = \"total\", expect = { faults = { \"race\" } "
                       "},/")
            "lanescope test k/sums --check memory", 0, "*ok 1 - total n=256 # SKIP what is expected*# 0 of 0 passed, "
                "1 skipped\n", "");
}

// A program of several launches has counters of each, and forms with mistakes that are to be found.
static void launches_have_their_limits(void) {
  check_run("rm -rf k && mkdir k && cp $S/kernels/sums.* $S/kernels/reduce[0-4].cu $S/assets/ptx/sums*.ptx k && "
            "chmod -R u+w k && touch -d '2001-01-01' k/*.cu && lanescope test k", 0, "*ok 1 - sums form=right "
                "*passed\n", "");
  check_run("sed -i '0,/^  check = /s//  limits = function(p, c) return { { \"first\", "
            "c.launch[1].global_load_sectors, "
            "511 } } end,\\n  check = /' k/sums.lua && lanescope test k", 1,
            "*not ok 1 - sums form=right *  message: \"first: 512 where at most 511 may be\"\n*"
            "  at: \"k/reduce2.cu:*", "");
}

static void a_signal_ends_it(void) {
  check_run("rm -rf k && mkdir k && cp $S/tests/unit/cli/suite/s*.* k; chmod -R u+w k; touch -d '2001-01-01' k/*.cu; "
            "lanescope test k --jobs 1 --budget 1000000000000 > out & pid=$!; "
            "n=0; until grep -q 'ok 3' out || [ $((n += 1)) -gt 600 ]; do sleep 0.05; done; kill -TERM $pid; wait "
                "$pid; echo $?; cat out", 0,
            "143\nTAP version 14\n1..4\nok 1 - scale n=1\n*ok 3 - scale n=1000\n"
            "Bail out! interrupted with 1 of 4 tests to go\n# 3 of 4 passed\n", "*");
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"two kernels", two_kernels},
      {"the order is the same", the_order_is_the_same},
      {"names are escaped", names_are_escaped},
      {"JUnit is well formed", junit_is_well_formed},
      {"Python reads JUnit", python_reads_junit},
      {"JSON is valid and counts", json_is_valid_and_counts},
      {"limits are held", limits_are_held},
      {"a mistake in a recipe is 2", a_mistake_in_a_recipe_is_two},
      {"bad requests are 2", bad_requests_are_two},
      {"without a compiler it is 3", without_a_compiler_it_is_three},
      {"options of runs", options_of_runs},
      {"what is expected passes", what_is_expected_passes},
      {"launches have their limits", launches_have_their_limits},
      {"a signal ends it", a_signal_ends_it},
  };
  program_set_up();
  int result = check_main("program suite", checks, LS_COUNT(checks), argc, argv);
  program_tear_down();
  return result;
}
