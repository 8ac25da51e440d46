// margin.c: what stands beside every source line: a number, and whether something went wrong there.
#include <stdlib.h>

#include "app/session/session_parts.h"

typedef struct MarginRow {
  const char *name;
  bool average;                    // else a count
  bool (*value)(const CounterSet *set, double *value);
  bool (*alarming)(const CounterSet *set, double value);
} MarginRow;

static double count_of(const CounterSet *set, CounterId id) { return (double)set->value[id]; }

static bool active_lanes(const CounterSet *set, double *value) {
  double warps = count_of(set, COUNTER_WARP_INSTRUCTIONS);
  *value = warps > 0 ? count_of(set, COUNTER_THREAD_INSTRUCTIONS) / warps : 0;
  return warps > 0;
}
static bool few_lanes(const CounterSet *set, double value) { return (void)set, value < 24; }

static bool sectors(const CounterSet *set, double *value) {
  double requests = count_of(set, COUNTER_GLOBAL_LOAD_REQUESTS) + count_of(set, COUNTER_GLOBAL_STORE_REQUESTS);
  double moved = count_of(set, COUNTER_GLOBAL_LOAD_SECTORS) + count_of(set, COUNTER_GLOBAL_STORE_SECTORS);
  *value = requests > 0 ? moved / requests : 0;
  return requests > 0;
}
static bool wasteful(const CounterSet *set, double value) {
  double moved = count_of(set, COUNTER_GLOBAL_LOAD_SECTORS) + count_of(set, COUNTER_GLOBAL_STORE_SECTORS);
  double used = count_of(set, COUNTER_GLOBAL_LOAD_BYTES) + count_of(set, COUNTER_GLOBAL_STORE_BYTES);
  return value > 1.01 && used < 0.75 * 32 * moved;
}

static bool bank_conflicts(const CounterSet *set, double *value) {
  *value = count_of(set, COUNTER_SHARED_LOAD_BANK_CONFLICTS) + count_of(set, COUNTER_SHARED_STORE_BANK_CONFLICTS);
  return count_of(set, COUNTER_SHARED_LOAD_INSTRUCTIONS) + count_of(set, COUNTER_SHARED_STORE_INSTRUCTIONS) > 0;
}
static bool some(const CounterSet *set, double value) { return (void)set, value > 0; }

static bool executions(const CounterSet *set, double *value) {
  *value = count_of(set, COUNTER_WARP_INSTRUCTIONS);
  return *value > 0;
}
static bool never(const CounterSet *set, double value) { return (void)set, (void)value, false; }

static bool divergent(const CounterSet *set, double *value) {
  *value = count_of(set, COUNTER_DIVERGENT_BRANCHES);
  return count_of(set, COUNTER_BRANCHES) > 0;
}

static const MarginRow margins[] = {
    {"active lanes", true, active_lanes, few_lanes},
    {"sectors per request", true, sectors, wasteful},
    {"conflicts", false, bank_conflicts, some},
    {"executions", false, executions, never},
    {"divergent branches", false, divergent, some},
};

int ses_margin_count(void) { return LS_COUNT(margins); }
const char *ses_margin_name(int margin) { return margin >= 0 && margin < LS_COUNT(margins) ? margins[margin].name :
                                         ""; }
bool ses_margin_average(int margin) { return margin >= 0 && margin < LS_COUNT(margins) && margins[margin].average; }

enum { MARGIN_KNOWN = 1, MARGIN_ALARMING = 2 };

// The numbers of a file, by line.
struct SesMargin { double *value; uint8_t *known; int margin, file, lines; };

void margin_free(SesMargin *margin) {
  if (margin) free(margin->value), free(margin->known);
  free(margin);
}

static void fill_margin(Session *session, SesMargin *margin) {
  const MarginRow *row = &margins[LS_CLAMP(session->margin, 0, LS_COUNT(margins) - 1)];
  margin->value = ls_alloc(sizeof *margin->value * (size_t)(margin->lines + 1));
  margin->known = ls_alloc((size_t)(margin->lines + 1));
  for (int line = 1; line <= margin->lines; line++) {
    CounterSet set = {0};
    counters_line(session->run->counters, margin->file, line, &set);
    if (!row->value(&set, &margin->value[line])) continue;
    margin->known[line] = MARGIN_KNOWN | (row->alarming(&set, margin->value[line]) ? MARGIN_ALARMING : 0);
  }
}

static const SesMargin *margin_of(Session *session, int file, int lines) {
  SesMargin *margin = session->margin_numbers;
  if (margin && margin->margin == session->margin && margin->file == file && margin->lines == lines) return margin;
  margin_free(margin);
  margin = session->margin_numbers = ls_alloc(sizeof *margin);
  *margin = (SesMargin){.margin = session->margin, .file = file, .lines = lines};
  fill_margin(session, margin);
  return margin;
}

bool ses_margin_value(Session *session, int line, double *value, bool *alarming) {
  const Scene *scene = ses_scene(session);
  const char *const *text;
  if (!session->run->counters || !scene || session->hides) return false;
  int lines = ses_file_lines(session, scene->file, &text);
  if (line < 1 || line > lines) return false;
  const SesMargin *margin = margin_of(session, scene->file, lines);
  *value = margin->value[line];
  *alarming = margin->known[line] & MARGIN_ALARMING;
  return margin->known[line] & MARGIN_KNOWN;
}

bool ses_line_faults(Session *session, int line) {
  const Scene *scene = ses_scene(session);
  for (int i = 0; scene && !session->untold && i < session->run->fault_count; i++) {
    const TraceFault *fault = &session->run->faults[i];
    int pc = fault->pc;
    if (trace_fault_grade(fault) != GRADE_FAULT) continue;
    if (code_line(session->code, pc) == line && code_file(session->code, pc) == scene->file) return true;
  }
  return false;
}
