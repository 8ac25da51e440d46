// session_margin.c: the number beside every source line.
#include "app/session/session_impl.h"

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
const char *ses_margin_name(int margin) { return margin >= 0 && margin < LS_COUNT(margins) ? margins[margin].name : ""; }
bool ses_margin_average(int margin) { return margin >= 0 && margin < LS_COUNT(margins) && margins[margin].average; }

enum { MARGIN_KNOWN = 1, MARGIN_ALARMING = 2 };

static void fill_margin(Session *session, int file, int lines) {
  SesImpl *impl = ses_impl(session);
  const MarginRow *row = &margins[LS_CLAMP(session->margin, 0, LS_COUNT(margins) - 1)];
  impl->margin = ls_realloc(impl->margin, sizeof *impl->margin * (size_t)(lines + 1));
  impl->margin_known = ls_realloc(impl->margin_known, (size_t)(lines + 1));
  impl->margin_of = session->margin;
  impl->margin_file = file;
  impl->margin_lines = lines;
  for (int line = 0; line <= lines; line++) {
    CounterSet set = {0};
    impl->margin[line] = 0;
    impl->margin_known[line] = 0;
    if (line == 0) continue;
    counters_line(session->run->counters, file, line, &set);
    if (!row->value(&set, &impl->margin[line])) continue;
    impl->margin_known[line] = MARGIN_KNOWN | (row->alarming(&set, impl->margin[line]) ? MARGIN_ALARMING : 0);
  }
}

bool ses_margin_value(Session *session, int line, double *value, bool *alarming) {
  SesImpl *impl = ses_impl(session);
  const Scene *scene = ses_scene(session);
  if (!session->run->counters || !scene) return false;
  ses_split_sources(session);
  int file = scene->file, lines = file >= 0 && file < impl->source_count ? impl->sources[file].count : 0;
  if (line < 1 || line > lines) return false;
  bool made = impl->margin && impl->margin_of == session->margin && impl->margin_file == file && impl->margin_lines == lines;
  if (!made) fill_margin(session, file, lines);
  *value = impl->margin[line];
  *alarming = impl->margin_known[line] & MARGIN_ALARMING;
  return impl->margin_known[line] & MARGIN_KNOWN;
}
