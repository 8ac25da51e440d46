// changes.c: faults and counters of two runs held against one another; compilers' messages.
#include "app/own/changes.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { MOST = 2 };   // counters told

// ---- faults ---------------------------------------------------------------------------------------------------------

// The line of the source at a pc, as text without its blanks: lines move, what stands in them stays.
static void line_text(const Run *run, int pc, char *out, size_t size) {
  int file, line;
  out[0] = 0;
  if (pc < 0 || !ptx_line_of(run->module, pc, &file, &line) || file >= run->info.source_count) return;
  const char *p = ls_line_at(run->info.sources[file].text, line);
  size_t n = 0;
  for (; p && *p && *p != '\n'; p++)
    if (!isspace((unsigned char)*p) && n + 1 < size) out[n++] = *p;
  out[n] = 0;
}

static bool same_fault(const Run *a, const TraceFault *x, const Run *b, const TraceFault *y) {
  char one[160], other[160];
  if (x->kind != y->kind || x->space != y->space) return false;
  line_text(a, x->pc, one, sizeof one);
  line_text(b, y->pc, other, sizeof other);
  return strcmp(one, other) == 0;
}

static bool has_fault(const Run *run, const Run *of, const TraceFault *fault) {
  for (int i = 0; i < run->fault_count; i++)
    if (same_fault(of, fault, run, &run->faults[i])) return true;
  return false;
}

// Causes of `run`, none of whose faults `other` has.
static int missing_in(const Run *run, const Run *other) {
  int count = 0;
  for (int i = 0; i < run->causes->count; i++) {
    const Cause *cause = &run->causes->items[i];
    bool found = trace_fault_grade(&run->faults[cause->witness]) != GRADE_FAULT;
    for (int k = 0; k < cause->member_count && !found; k++)
      found = has_fault(other, run, &run->faults[cause->members[k]]);
    count += !found;
  }
  return count;
}

static void separate(LsText *out) {
  if (out->length) ls_text_add(out, " · ");
}

static void fault_words(const Run *before, const Run *after, LsText *out) {
  int gone = missing_in(before, after), new = missing_in(after, before), left = run_count_causes(after, GRADE_FAULT);
  if (gone) ls_text_addf(out, "%d fault%s gone", gone, gone == 1 ? "" : "s");
  if (new) ls_text_addf(out, "%s%d %s", out->length ? ", " : "", new,
                        gone ? "new" : new == 1 ? "new fault" : "new faults");
  if (!gone && !new && left) ls_text_addf(out, "the same %d fault%s", left, left == 1 ? "" : "s");
}

// ---- counters -------------------------------------------------------------------------------------------------------

// What wastes, as sums of counters, in the words of a line.
typedef struct Figure { const char *words; CounterId parts[4]; int count; } Figure;
static const Figure figures[] = {
    {"bank conflicts", {COUNTER_SHARED_LOAD_BANK_CONFLICTS, COUNTER_SHARED_STORE_BANK_CONFLICTS}, 2},
    {"global sectors", {COUNTER_GLOBAL_LOAD_SECTORS, COUNTER_GLOBAL_STORE_SECTORS, COUNTER_GLOBAL_RED_SECTORS,
                        COUNTER_GLOBAL_ATOM_SECTORS}, 4},
    {"divergent branches", {COUNTER_DIVERGENT_BRANCHES}, 1},
    {"queued atomics", {COUNTER_ATOMIC_CONFLICTS}, 1},
    {"local sectors", {COUNTER_LOCAL_LOAD_SECTORS, COUNTER_LOCAL_STORE_SECTORS}, 2},
    {"warp instructions", {COUNTER_WARP_INSTRUCTIONS}, 1},
};

static uint64_t sum(const Run *run, const Figure *figure) {
  const CounterSet *totals = counters_total(run->counters);
  uint64_t value = 0;
  for (int i = 0; i < figure->count; i++) value += totals->value[figure->parts[i]];
  return value;
}

// How far apart two numbers are: 0 alike, 1 where one of them is nothing.
static double distance(uint64_t a, uint64_t b) {
  return a == b ? 0 : fabs((double)a - (double)b) / (double)LS_MAX(a, b);
}

static void counter_words(const Run *before, const Run *after, LsText *out) {
  bool told[LS_COUNT(figures)] = {0};
  for (int n = 0; n < MOST; n++) {
    int best = -1;
    double most = 0;
    for (int i = 0; i < LS_COUNT(figures); i++) {
      double far = told[i] ? 0 : distance(sum(before, &figures[i]), sum(after, &figures[i]));
      if (far > most) most = far, best = i;
    }
    if (best < 0) return;
    told[best] = true;
    char from[32], to[32];
    separate(out);
    ls_text_addf(out, "%s → %s %s", ls_group_digits(sum(before, &figures[best]), from),
                 ls_group_digits(sum(after, &figures[best]), to),
                 figures[best].words);
  }
}

void changes_words(const Run *before, const Run *after, LsText *out) {
  LsText text = {0};
  fault_words(before, after, &text);
  counter_words(before, after, &text);
  if (!text.length) ls_text_add(&text, "the same faults and counters as before");
  ls_text_add(out, ls_text_str(&text));
  ls_text_free(&text);
}

// ---- compilers ------------------------------------------------------------------------------------------------------

// "saxpy.cu(7): error: ..." of NVRTC and nvcc; "saxpy.cu:7:3: error: ..." of clang and gcc: the first number behind a
// bracket or a colon.
static int line_before(const char *line, const char *error) {
  for (const char *p = line; p < error; p++) {
    char *end;
    if (*p != '(' && *p != ':') continue;
    long number = isdigit((unsigned char)p[1]) ? strtol(p + 1, &end, 10) : 0;
    if (number > 0 && number < 1 << 30 && *end == (*p == '(' ? ')' : ':')) return (int)number;
  }
  return 0;
}

int changes_compile_error(const LsErr *err, char *words, int size) {
  const char *error = strstr(err->message, "error");
  while (error && error > err->message && error[-1] != ' ' && error[-1] != '\n') error = strstr(error + 1, "error");
  if (!error) {
    snprintf(words, (size_t)size, "%.*s", (int)strcspn(err->message, "\n"), err->message);
    return err->line;
  }
  const char *line = error, *colon = strchr(error, ':');
  while (line > err->message && line[-1] != '\n') line--;
  const char *text = colon && colon < error + strcspn(error, "\n") ? colon + 1 : error;
  while (*text == ' ') text++;
  snprintf(words, (size_t)size, "%.*s", (int)strcspn(text, "\n"), text);
  return line_before(line, error);
}
