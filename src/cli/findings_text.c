// findings_text.c: the findings of a run as text and as JSON.
#include "cli/findings_text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "cli/plain.h"

enum { INDENT = 4 };

// ---- text ----------------------------------------------------------------------------------------------------------

static const char *file_of(const Run *run, const Finding *finding) {
  return finding->line > 0 ? ls_path_base(run->module->files[finding->file]) : NULL;
}

// What an earlier finding has said already is not said again.
static void print_words(const Finding *const *findings, int index, const char *label, size_t member, FILE *out) {
  enum { LABEL = 11 };
  const char *words = *(const char *const *)((const char *)findings[index] + member);
  LsText text = {0};
  for (int i = 0; words && i < index && !text.length; i++) {
    const char *earlier = *(const char *const *)((const char *)findings[i] + member);
    if (earlier && strcmp(earlier, words) == 0) ls_text_addf(&text, "As for %d.", i + 1);
  }
  if (words) plain_paragraph(out, label, text.length ? ls_text_str(&text) : words, LABEL);
  ls_text_free(&text);
}

// A finding of the launch is one paragraph: the page of findings and --json have the rest.
static void print_finding(const Run *run, const Finding *const *findings, int index, FILE *out) {
  const Finding *finding = findings[index];
  LsText text = {0};
  char number[16];
  snprintf(number, sizeof number, "%2d.", index + 1);
  if (finding->line > 0) ls_text_addf(&text, "%s:%d, ", file_of(run, finding), finding->line);
  ls_text_addf(&text, "%s: %s", finding_def(finding->kind)->title, finding->message);
  plain_paragraph(out, number, ls_text_str(&text), INDENT);
  ls_text_free(&text);
  if (!finding->line) return;
  print_words(findings, index, "    cause", offsetof(Finding, cause), out);
  print_words(findings, index, "    cure", offsetof(Finding, cure), out);
  print_words(findings, index, "    gain", offsetof(Finding, gain), out);
}

// Those of a line come first, as on the page of findings: there something can be done.
static const Finding **in_order(const Findings *findings) {
  const Finding **order = ls_alloc((size_t)LS_MAX(findings->count, 1) * sizeof *order);
  int count = 0;
  for (int launch = 0; launch < 2; launch++)
    for (int i = 0; i < findings->count; i++)
      if ((findings->items[i].line == 0) == launch) order[count++] = &findings->items[i];
  return order;
}

void findings_print(Run *run, FILE *out) {
  const Findings *findings = run_findings(run);
  plain_print(out, "\nfindings: %s\n",
              findings->count ? "what this run wastes, worst first" : "nothing is wasted that would be told");
  const Finding **order = in_order(findings);
  for (int i = 0; i < findings->count; i++) print_finding(run, order, i, out);
  free(order);
  if (findings->scope) plain_paragraph(out, "", findings->scope, INDENT);
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

// A finding of the launch stands at the kernel's first line.
static void json_place(const Run *run, int file, int line, LsJson *json) {
  bool known = line > 0 || ptx_line_of(run->module, run->module->funcs[run->entry].first, &file, &line);
  ls_json_member(json, "file", known && line > 0 ? ls_path_base(run->module->files[file]) : NULL);
  ls_json_member_u64(json, "line", known ? (uint64_t)line : 0);
}

static void json_finding(const Run *run, const Finding *finding, LsJson *json) {
  const FindingDef *def = finding_def(finding->kind);
  ls_json_open(json, '{');
  ls_json_member(json, "kind", def->id);
  json_place(run, finding->file, finding->line, json);
  if (!finding->line) ls_json_member_bool(json, "of_launch", true);
  if (finding->other_line) ls_json_member_u64(json, "other_line", (uint64_t)finding->other_line);
  ls_json_member_f64(json, "share", finding->share);
  ls_json_member_u64(json, "wasted", finding->wasted);
  ls_json_member(json, "unit", def->unit);
  ls_json_member_u64(json, "amount", finding->amount);
  ls_json_member_u64(json, "total", finding->total);
  if (finding->at > 0) ls_json_member_f64(json, "at", finding->at);
  if (finding->at > 0) ls_json_member_f64(json, "ideal", finding->ideal);
  if (finding->executions) ls_json_member_u64(json, "executions", finding->executions);
  if (finding->blocks_read) ls_json_member_u64(json, "blocks_read", finding->blocks_read);
  if (finding->step != UINT64_MAX) ls_json_member_u64(json, "step", finding->step);
  ls_json_member(json, "message", finding->message);
  ls_json_member(json, "cause", finding->cause);
  ls_json_member(json, "cure", finding->cure);
  ls_json_member(json, "gain", finding->gain);
  ls_json_close(json, '}');
}

void findings_json(Run *run, LsJson *json) {
  const Findings *findings = run_findings(run);
  ls_json_open_member(json, "findings", '[');
  for (int i = 0; i < findings->count; i++) json_finding(run, &findings->items[i], json);
  ls_json_close(json, ']');
  ls_json_open_member(json, "good", '[');
  for (int i = 0; i < findings->good_count; i++) {
    const FindingGood *good = &findings->good[i];
    ls_json_open(json, '{');
    json_place(run, good->file, good->line, json);
    ls_json_member(json, "what", good->what);
    ls_json_member(json, "message", good->words);
    ls_json_close(json, '}');
  }
  ls_json_close(json, ']');
}
