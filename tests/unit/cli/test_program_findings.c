// test_program_findings.c: what a run wastes, as the program says it: text of 80 columns, the member of --json, and
// SARIF held against what the schema of version 2.1.0 requires (OASIS, sarif-schema-2.1.0.json: required members,
// closed sets of words).
#include <ctype.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "program/program.h"
#include "program/wellformed.h"

static const char *const lines[] = {
    "transpose_32x32", "position_aos", "gpu_sin_block_major", "warp_lock", "warp_map_40x2 --code written", "vec_add",
    "$S/tests/runs/faults/out_of_bounds.ptx -k past_end -g 2 -b 64 -a 'f32[128]=iota' -a 'f32[128]=none'",
};

// ---- text
// ------------------------------------------------------------------------------------------------------------

static void findings_fit_80_columns(void) {
  for (int i = 0; i < LS_COUNT(lines); i++) {
    ProgramRun run;
    char *line = ls_format("lanescope stats %s | sed -n '/^findings:/,/^$/p'", lines[i]);
    program_run(&run, line);
    CHECK(run.out && ls_starts_with(run.out, "findings: "));
    for (const char *at = run.out; at && *at;) {
      const char *end = strchr(at, '\n');
      size_t length = end ? (size_t)(end - at) : strlen(at);
      if (length > 80) printf("\n%.*s\n", (int)length, at);
      CHECK(length <= 80);
      at = end ? end + 1 : NULL;
    }
    program_run_free(&run);
    free(line);
  }
}

static void the_transpose_is_told(void) {
  ProgramRun run;
  program_run(&run, "lanescope stats transpose_32x32");
  CHECK(program_matches(
      "*findings: what this run wastes, worst first\n*transpose_32x32.cu:15, bank conflicts: 32 wavefronts where 1*"
      "cause *tile[0][0]*cure *tile[32][33]*gain *4,096 wavefronts become 128*",
      run.out));
  program_run_free(&run);
  program_run(&run, "lanescope stats transpose_32x33");
  CHECK(program_matches("*findings: *", run.out) && !program_matches("*bank conflicts:*", run.out));
  program_run_free(&run);
}

// ---- JSON
// ------------------------------------------------------------------------------------------------------------

static char *member(int index, const char *name) { return ls_format("findings.%d.%s", index, name); }

static void check_member(const char *text, int index, const char *name, char kind) {
  char *path = member(index, name);
  CHECK(json_kind(text, path) == kind);
  free(path);
}

static double number_of(const char *text, int index, const char *name) {
  char *path = member(index, name);
  double value = json_number(text, path);
  free(path);
  return value;
}

static void findings_are_in_the_json(void) {
  for (int i = 0; i < LS_COUNT(lines); i++) {
    ProgramRun run;
    char *line = ls_format("lanescope stats --json %s", lines[i]);
    program_run(&run, line);
    CHECK(json_is_valid(run.out) && json_kind(run.out, "findings") == 'a');
    for (int k = 0; k < json_count(run.out, "findings"); k++) {
      double share = number_of(run.out, k, "share");
      check_member(run.out, k, "kind", 's');
      check_member(run.out, k, "unit", 's');
      check_member(run.out, k, "message", 's');
      CHECK(share >= 0.05 && share <= 1 && (k == 0 || share <= number_of(run.out, k - 1, "share")));
      check_member(run.out, k, "file", 's');
      CHECK(number_of(run.out, k, "line") > 0);
      CHECK(number_of(run.out, k, "wasted") > 0 && number_of(run.out, k, "wasted") <= number_of(run.out, k, "total"));
    }
    program_run_free(&run);
    free(line);
  }
}

static void the_transpose_is_in_the_json(void) {
  ProgramRun run;
  program_run(&run, "lanescope stats --json transpose_32x32");
  int found = -1;
  for (int k = 0; k < json_count(run.out, "findings"); k++) {
    char *path = member(k, "kind");
    if (json_is_string(run.out, path, "bank_conflict")) found = k;
    free(path);
  }
  CHECK(found >= 0 && number_of(run.out, found, "line") == 15 && number_of(run.out, found, "wasted") == 3968);
  CHECK(found >= 0 && number_of(run.out, found, "at") == 32 && number_of(run.out, found, "ideal") == 1);
  program_run_free(&run);
}

// There is a page of a run that wastes nothing, too.
static void nothing_wasted_is_said(void) {
  ProgramRun run;
  program_run(&run, "lanescope export vec_add -p n=540672 --view findings --format text");
  CHECK_INT(run.status, 0);
  CHECK(strstr(run.out, "Nothing that is known of this run is wasted.") != NULL);
  program_run_free(&run);
}

// ---- SARIF
// -----------------------------------------------------------------------------------------------------------

static const char *value_at(const char *text, const char *format, int a, int b, char *path, size_t size) {
  snprintf(path, size, format, a, b);
  return json_at(text, path);
}

static void check_text(const char *text, const char *format, int index) {
  char path[120];
  value_at(text, format, index, 0, path, sizeof path);
  CHECK(json_kind(text, path) == 's');
}

static bool is_one_of(const char *text, const char *path, const char *const *words, int count) {
  for (int i = 0; i < count; i++)
    if (json_is_string(text, path, words[i])) return true;
  return false;
}

// A location is a file below the source's folder, by its name, and a line from 1 on.
static void check_location(const char *text, const char *format, int result) {
  char path[160], prefix[80];
  snprintf(prefix, sizeof prefix, format, result);
  snprintf(path, sizeof path, "%s.physicalLocation.artifactLocation.uri", prefix);
  const char *uri = json_at(text, path);
  CHECK(uri && json_kind(text, path) == 's' && uri[1] != '/' && uri[1] != '.' && !isspace((unsigned char)uri[1]));
  snprintf(path, sizeof path, "%s.physicalLocation.artifactLocation.uriBaseId", prefix);
  CHECK(json_is_string(text, path, "SRCROOT"));
  snprintf(path, sizeof path, "%s.physicalLocation.region.startLine", prefix);
  CHECK(json_number(text, path) >= 1);
}

// The result's rule is the one that stands at its index.
static void check_rule_of(const char *text, int result) {
  char path[120], id[64] = "";
  value_at(text, "runs.0.results.%d.ruleId", result, 0, path, sizeof path);
  const char *at = json_at(text, path);
  if (at) sscanf(at, "\"%63[a-z_]\"", id);
  value_at(text, "runs.0.results.%d.ruleIndex", result, 0, path, sizeof path);
  int index = (int)json_number(text, path);
  value_at(text, "runs.0.tool.driver.rules.%d.id", index, 0, path, sizeof path);
  CHECK(*id && index >= 0 && json_is_string(text, path, id));
}

static void check_result(const char *text, int result) {
  static const char *const levels[] = {"none", "note", "warning", "error"};
  char path[120];
  check_text(text, "runs.0.results.%d.message.text", result);
  check_rule_of(text, result);
  value_at(text, "runs.0.results.%d.level", result, 0, path, sizeof path);
  CHECK(is_one_of(text, path, levels, LS_COUNT(levels)));
  value_at(text, "runs.0.results.%d.locations", result, 0, path, sizeof path);
  CHECK_INT(json_count(text, path), 1);
  check_location(text, "runs.0.results.%d.locations.0", result);
}

static void check_rules(const char *text) {
  int count = json_count(text, "runs.0.tool.driver.rules");
  CHECK(count > 20);
  for (int i = 0; i < count; i++) {
    check_text(text, "runs.0.tool.driver.rules.%d.id", i);
    check_text(text, "runs.0.tool.driver.rules.%d.shortDescription.text", i);
    check_text(text, "runs.0.tool.driver.rules.%d.help.text", i);
    check_text(text, "runs.0.tool.driver.rules.%d.defaultConfiguration.level", i);
  }
}

static char *sarif_of(const char *what) {
  ProgramRun run;
  char *line = ls_format("lanescope stats %s --sarif a.sarif > /dev/null", what);
  program_run(&run, line);
  CHECK(run.status == 0 || run.status == 1);
  program_run_free(&run);
  free(line);
  return ls_file_read("a.sarif", 1 << 22, NULL, NULL);
}

static void sarif_is_as_its_schema_wants_it(void) {
  for (int i = 0; i < LS_COUNT(lines); i++) {
    char *text = sarif_of(lines[i]);
    bool valid = text && json_is_valid(text);
    CHECK(valid);
    if (valid) {
      CHECK(json_is_string(text, "version", "2.1.0") && json_kind(text, "$schema") == 's');
      CHECK_INT(json_count(text, "runs"), 1);
      CHECK(json_is_string(text, "runs.0.tool.driver.name", "lanescope"));
      check_rules(text);
      CHECK(json_count(text, "runs.0.results") >= 1);
      for (int k = 0; k < json_count(text, "runs.0.results"); k++) check_result(text, k);
    }
    free(text);
  }
}

static void faults_are_errors(void) {
  char *text = sarif_of(lines[LS_COUNT(lines) - 1]);
  CHECK(text && json_is_string(text, "runs.0.results.0.ruleId", "out_of_bounds"));
  CHECK(text && json_is_string(text, "runs.0.results.0.level", "error"));
  CHECK(text && json_number(text, "runs.0.results.0.occurrenceCount") >= 1);
  free(text);
}

static void notes_are_notes(void) {
  ProgramRun run;
  program_run(&run, "lanescope stats $S/tests/runs/faults/barrier.ptx -k return_before -b 64 -a 'i32[64]=iota' -a i32=40 "
                    "--strict --sarif a.sarif --json > a.json");
  CHECK_INT(run.status, 0);
  program_run_free(&run);
  char *sarif = ls_file_read("a.sarif", 1 << 22, NULL, NULL), *json = ls_file_read("a.json", 1 << 22, NULL, NULL);
  CHECK(sarif && json_is_string(sarif, "runs.0.results.0.ruleId", "exited_lanes"));
  CHECK(sarif && json_is_string(sarif, "runs.0.results.0.level", "note"));
  CHECK(json && json_is_string(json, "faults.0.grade", "note"));
  free(sarif);
  free(json);
}

static void no_file_no_sarif(void) {
  ProgramRun run;
  program_run(&run, "lanescope stats vec_add --sarif nowhere/a.sarif > /dev/null");
  CHECK(run.status == 2 && program_matches("lanescope: cannot write nowhere/a.sarif: *", run.err));
  program_run_free(&run);
  program_run(&run, "lanescope explore vec_add --sarif a.sarif");
  CHECK(run.status == 2 && program_matches("*does not take --sarif*", run.err));
  program_run_free(&run);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"findings fit 80 columns", findings_fit_80_columns},
      {"the transpose is told", the_transpose_is_told},
      {"findings are in the JSON", findings_are_in_the_json},
      {"the transpose is in the JSON", the_transpose_is_in_the_json},
      {"nothing wasted is said", nothing_wasted_is_said},
      {"SARIF is as its schema wants it", sarif_is_as_its_schema_wants_it},
      {"faults are errors", faults_are_errors},
      {"notes are notes", notes_are_notes},
      {"no file, no SARIF", no_file_no_sarif},
  };
  program_set_up();
  int result = check_main("program findings", checks, LS_COUNT(checks), argc, argv);
  program_tear_down();
  return result;
}
