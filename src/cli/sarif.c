// sarif.c: what a run wastes and what is wrong with it, as SARIF.
#include "config.h"

#include "cli/sarif.h"

#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"

#define SARIF_SCHEMA "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
#define SARIF_WARNING_SHARE 0.25   // from here on a finding is a warning, below it a note

static void text_member(LsJson *json, const char *key, const char *text) {
  ls_json_open_member(json, key, '{');
  ls_json_member(json, "text", text);
  ls_json_close(json, '}');
}

// ---- rules ---------------------------------------------------------------------------------------------------------

static void rule(LsJson *json, const char *id, const char *name, const char *help, const char *level) {
  ls_json_open(json, '{');
  ls_json_member(json, "id", id);
  text_member(json, "shortDescription", name);
  text_member(json, "help", help);
  ls_json_open_member(json, "defaultConfiguration", '{');
  ls_json_member(json, "level", level);
  ls_json_close(json, '}');
  ls_json_close(json, '}');
}

static const char *level_of(FaultGrade grade) { return grade == GRADE_FAULT ? "error" : trace_grade_name(grade); }

// Findings first, then faults: a rule's index is its row, behind those of the other table.
static void rules(LsJson *json) {
  ls_json_open_member(json, "rules", '[');
  for (int i = 0; i < FINDING_KIND_COUNT; i++) {
    const FindingDef *def = finding_def((FindingKind)i);
    rule(json, def->id, def->title, def->help, "warning");
  }
  for (int i = 0; i < FAULT_KIND_COUNT; i++) {
    const FaultDef *def = trace_fault_def((FaultKind)i);
    rule(json, def->name, def->what, def->advice && *def->advice ? def->advice : def->what,
         level_of(def->grade));
  }
  ls_json_close(json, ']');
}

// ---- locations -----------------------------------------------------------------------------------------------------

// As a reference in an URI: what is no unreserved character is written as its bytes (RFC 3986).
static void add_uri(const char *path, LsText *out) {
  for (const unsigned char *p = (const unsigned char *)path; *p; p++) {
    bool plain = (*p < 0x80 && isalnum(*p)) || strchr("-._~/", *p);
    if (plain) ls_text_addc(out, (char)*p);
    else ls_text_addf(out, "%%%02X", *p);
  }
}

// The folder of WHAT, as far as its name says; a lecture kernel's source has none.
static size_t folder_of(const char *path) { return (size_t)(ls_path_base(path) - path); }

static void location(LsJson *json, const Run *run, int file, int line) {
  const char *path = run->module->files[file], *home = run->request.what ? run->request.what : "";
  size_t folder = folder_of(home);
  LsText uri = {0};
  bool below = folder && strncmp(path, home, folder) == 0;
  add_uri(below ? path + folder : ls_path_base(path), &uri);
  ls_json_open(json, '{');
  ls_json_open_member(json, "physicalLocation", '{');
  ls_json_open_member(json, "artifactLocation", '{');
  ls_json_member(json, "uri", ls_text_str(&uri));
  ls_json_member(json, "uriBaseId", "SRCROOT");
  ls_json_close(json, '}');
  ls_json_open_member(json, "region", '{');
  ls_json_member_u64(json, "startLine", (uint64_t)line);
  ls_json_close(json, '}');
  ls_json_close(json, '}');
  ls_json_close(json, '}');
  ls_text_free(&uri);
}

static void locations(LsJson *json, const Run *run, int file, int line) {
  int first = run->module->funcs[run->entry].first;
  bool known = line > 0 || ptx_line_of(run->module, first, &file, &line);
  if (!known || line <= 0) return;
  ls_json_open_member(json, "locations", '[');
  location(json, run, file, line);
  ls_json_close(json, ']');
}

// ---- results -------------------------------------------------------------------------------------------------------

static void add_sentence(LsText *text, const char *label, const char *words) {
  if (words) ls_text_addf(text, "%s%s%s", text->length ? "\n" : "", label, words);
}

static void begin_result(LsJson *json, const char *id, int index, const char *level, const LsText *message) {
  ls_json_open(json, '{');
  ls_json_member(json, "ruleId", id);
  ls_json_member_u64(json, "ruleIndex", (uint64_t)index);
  ls_json_member(json, "level", level);
  text_member(json, "message", ls_text_str(message));
}

static void finding_result(LsJson *json, const Run *run, const Finding *finding) {
  const FindingDef *def = finding_def(finding->kind);
  LsText message = {0};
  ls_text_addf(&message, "%s: %s", def->title, finding->message);
  add_sentence(&message, "Cause: ", finding->cause);
  add_sentence(&message, "Cure: ", finding->cure);
  add_sentence(&message, "Gain: ", finding->gain);
  begin_result(json, def->id, finding->kind, finding->share >= SARIF_WARNING_SHARE ? "warning" : "note", &message);
  locations(json, run, finding->file, finding->line);
  ls_json_open_member(json, "properties", '{');
  ls_json_member_f64(json, "share", finding->share);
  ls_json_member_u64(json, "wasted", finding->wasted);
  ls_json_member(json, "unit", def->unit);
  ls_json_close(json, '}');
  ls_json_close(json, '}');
  ls_text_free(&message);
}

// A cause, at its witness.
static void fault_result(LsJson *json, const Run *run, const Cause *cause) {
  const TraceFault *fault = &run->faults[cause->witness];
  int file = 0, line = 0, other_file = 0, other_line = 0;
  LsText message = {0};
  if (fault->pc < 0 || !ptx_line_of(run->module, fault->pc, &file, &line)) line = 0;
  add_sentence(&message, "", fault->message ? fault->message : trace_fault_name((FaultKind)fault->kind));
  add_sentence(&message, "", *cause->advice ? cause->advice : NULL);
  begin_result(json, trace_fault_name((FaultKind)fault->kind), FINDING_KIND_COUNT + fault->kind,
               level_of(trace_fault_grade(fault)), &message);
  locations(json, run, file, line);
  if (fault->other_pc >= 0 && ptx_line_of(run->module, fault->other_pc, &other_file, &other_line) && other_line > 0) {
    ls_json_open_member(json, "relatedLocations", '[');
    location(json, run, other_file, other_line);
    ls_json_close(json, ']');
  }
  ls_json_member_u64(json, "occurrenceCount", LS_MAX(cause->count, 1));
  ls_json_close(json, '}');
  ls_text_free(&message);
}

// ---- the log -------------------------------------------------------------------------------------------------------

static void tool(LsJson *json) {
  ls_json_open_member(json, "tool", '{');
  ls_json_open_member(json, "driver", '{');
  ls_json_member(json, "name", "lanescope");
  ls_json_member(json, "version", PACKAGE_VERSION);
  rules(json);
  ls_json_close(json, '}');
  ls_json_close(json, '}');
}

static void source_root(LsJson *json) {
  ls_json_open_member(json, "originalUriBaseIds", '{');
  ls_json_open_member(json, "SRCROOT", '{');
  text_member(json, "description", "the folder of the kernel's source");
  ls_json_close(json, '}');
  ls_json_close(json, '}');
}

bool sarif_write(Run *run, const char *path, LsErr *err) {
  LsText text = {0};
  LsJson json;
  const Findings *findings = run_findings(run);
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_member(&json, "$schema", SARIF_SCHEMA);
  ls_json_member(&json, "version", "2.1.0");
  ls_json_open_member(&json, "runs", '[');
  ls_json_open(&json, '{');
  tool(&json);
  source_root(&json);
  ls_json_open_member(&json, "results", '[');
  for (int i = 0; i < run->causes->count; i++) fault_result(&json, run, &run->causes->items[i]);
  for (int i = 0; i < findings->count; i++) finding_result(&json, run, &findings->items[i]);
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  ls_text_addc(&text, '\n');
  bool ok = ls_file_write(path, ls_text_str(&text), text.length, err);
  ls_text_free(&text);
  return ok;
}
