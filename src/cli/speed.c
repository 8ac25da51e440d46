// speed.c: time, rates, resources and waves of a measured run.
#include "cli/speed.h"
#include "cli/plain.h"

#include <inttypes.h>
#include <string.h>

#include "app/session/format.h"
#include "base/file.h"
#include "base/mem.h"

// ---- text ----------------------------------------------------------------------------------------------------------

static void print_row(FILE *out, const char *label, const char *value, const char *words) {
  plain_print(out, "  %-28s %15s%s%s\n", label, value, *words ? "  " : "", words);
}

// A kernel that is over so soon is timed with its launch rather than for what it does.
enum { SHORT_NS = 20000 };
static void print_sizes(const Run *run, const TraceMeasure *m, FILE *out) {
  const Recipe *recipe = run->request.recipe;
  const RecipeSizes *sizes = recipe ? &recipe_form(recipe, &run->request.values)->timing : NULL;
  if (!sizes || !sizes->given || m->median_ns >= SHORT_NS) return;
  if (memcmp(&sizes->values, &run->request.values, sizeof sizes->values) == 0) return;
  LsText values = {0};
  recipe_print_values(recipe, &sizes->values, &values);
  plain_print(out, "  most of that is the launch; --timing measures it with %s\n", ls_text_str(&values));
  ls_text_free(&values);
}

static void print_time(const TraceMeasure *m, FILE *out) {
  char median[24], least[24], most[24], words[160];
  if (!m->runs || !m->median_ns) {
    print_row(out, "time", "not known", "the plain kernel was not timed");
    return;
  }
  ses_format_ns(m->median_ns, median, sizeof median);
  ses_format_ns(m->min_ns, least, sizeof least);
  ses_format_ns(m->max_ns, most, sizeof most);
  snprintf(words, sizeof words, "the median of %u runs of the plain kernel; %s at the fastest, %s at the slowest",
           m->runs, least,
           most);
  // Widths count bytes, and µ has two of them.
  plain_print(out, "  %-28s %*s  %s\n", "time", strchr(median, (char)0xc2) ? 16 : 15, median, words);
}

// "4,800"
static const char *rounded(double value, char out[32]) {
  return ls_group_digits((uint64_t)(LS_MAX(value, 0) + 0.5), out);
}

// Loops that wait turned as often as they did while traced: the bytes of a plain run are not known then.
static void print_waiting(const Run *run, const Timing *t, FILE *out) {
  char words[200];
  int file = 0, line = 0;
  bool known = ptx_line_of(run->module, t->waiting_pc, &file, &line);
  const char *path = known ? run->module->files[file] : NULL;
  snprintf(words, sizeof words, "between %.1f and %.1f GB/s: ", t->least_gbs, t->rate.gbs);
  size_t used = strlen(words);
  if (path) snprintf(words + used, sizeof words - used, "the loop at %.60s:%d", ls_path_base(path), line);
  else snprintf(words + used, sizeof words - used, "the loop at line %d of the PTX",
                run->module->code[t->waiting_pc].line);
  used = strlen(words);
  snprintf(words + used, sizeof words - used, " waits for other threads, and turned as often as it did while traced");
  print_row(out, "effective bandwidth", "not known", words);
}

static void print_bandwidth(const Timing *t, FILE *out) {
  char value[48], words[160] = "of what warps asked for; caches answer a part of it", most[32];
  rounded(t->limits ? t->limits->bandwidth_gbs : 0, most);
  snprintf(value, sizeof value, "%.1f GB/s", t->rate.gbs);
  double share = t->rate.of_bandwidth;
  if (share > 1)
    snprintf(words, sizeof words,
             "%.2f times the %s GB/s that its memory gives: warps asked for more, and caches answered the rest", share,
                 most);
  else if (share > 0)
    snprintf(words, sizeof words,
             "%.1f%% of the %s GB/s of its memory; of what warps asked for, which caches answer in part",
             100 * share, most);
  print_row(out, "effective bandwidth", value, words);
}

static void print_arithmetic(const Timing *t, FILE *out) {
  char value[48], words[160] = "", intensity[80] = "", most[32], allowed[32];
  if (!rate_flops_sum(&t->flops)) return;
  snprintf(value, sizeof value, "%.1f Gflop/s", t->rate.gflops);
  if (!t->waiting_bytes)
    snprintf(intensity, sizeof intensity, "; %.2f flop per byte allow %s", t->rate.flops_per_byte,
             rounded(t->rate.attainable_gflops, allowed));
  if (t->rate.of_peak > 0)
    snprintf(words, sizeof words, "%.1f%% of the %s Gflop/s of its f32 units%s", 100 * t->rate.of_peak,
             rounded(t->limits->fp32_tflops * 1000, most), intensity);
  print_row(out, "arithmetic", value, words);
}

static void print_rates(const Run *run, const Timing *t, FILE *out) {
  if (!t->measure->median_ns) return;
  if (t->waiting_bytes) print_waiting(run, t, out);
  else print_bandwidth(t, out);
  print_arithmetic(t, out);
}

static void print_resources(const Run *run, const Timing *t, FILE *out) {
  const TraceMeasure *m = t->measure;
  char value[48], words[160], digits[32], other[32];
  if (m->registers) {
    snprintf(value, sizeof value, "%u", m->registers);
    print_row(out, "registers", value, "of a thread, as the driver compiled it");
    uint64_t given = run->info.launch.shared_bytes;
    snprintf(words, sizeof words, "bytes of a block: %s declared, %s given at the launch",
             ls_group_digits(m->static_shared_bytes, digits), ls_group_digits(given, other));
    print_row(out, "shared memory", ls_group_digits(m->static_shared_bytes + given, digits), words);
    print_row(out, "local memory", ls_group_digits(m->local_bytes, digits), "bytes of a thread");
  }
  if (!t->has_occupancy) return;
  const Occupancy *o = &t->occupancy;
  snprintf(value, sizeof value, "%.0f%%", 100 * o->fraction);
  snprintf(words, sizeof words, "%d blocks, %d of %d warps of an SM; limited by %s", o->blocks, o->warps, o->max_warps,
           occ_limit_name(o->limit));
  print_row(out, "occupancy", value, words);
}

static void print_trace(const Timing *t, FILE *out) {
  char value[48], words[160];
  if (t->slowdown > 0) {
    ses_format_ns(t->measure->traced_ns, value, sizeof value);
    snprintf(words, sizeof words, "with tracing: %.1f times the plain kernel", t->slowdown);
    plain_print(out, "  %-28s %*s  %s\n", "traced", strchr(value, (char)0xc2) ? 16 : 15, value, words);
  }
  if (!t->measure->lost_events) return;
  snprintf(value, sizeof value, "%" PRIu64, t->measure->lost_events);
  print_row(out, "lost events", value,
            "of recorded blocks, which did not fit into the buffers: --blocks takes fewer blocks");
}

static void print_waves(const Run *run, FILE *out) {
  WaveChart chart;
  char value[48], words[300], span[24], tail[24], digits[32];
  run_wave_chart(run, 0, &chart);
  if (chart.span && !chart.computed) {
    snprintf(value, sizeof value, "%.2f", chart.waves);
    ses_format_ns(chart.end, span, sizeof span);
    ses_format_ns(chart.end - chart.tail, tail, sizeof tail);
    snprintf(words, sizeof words,
             "of %d SM%s with %d block%s each, %s%s; slots used %.0f%%, tail %s, busiest SM %.2f times the mean",
             chart.sms, chart.sms == 1 ? "" : "s", chart.slots, chart.slots == 1 ? "" : "s", span,
             chart.stamped ? "" : " while traced", 100 * chart.utilization, tail,
                 chart.imbalance);
    print_row(out, "waves", value, words);
    if (chart.slowed)
      print_row(out, "slowed by recording", ls_group_digits(chart.slowed, digits),
                "blocks that were recorded in full, which takes longer; the line above is of the others");
  }
  wavechart_free(&chart);
}

void speed_print(const Run *run, FILE *out) {
  Timing timing;
  timing_of(run, &timing);
  if (!timing.measure) return;
  plain_print(out, "\ntime and resources, %s\n", run_how(run));
  print_time(timing.measure, out);
  if (timing.measure->median_ns) print_sizes(run, timing.measure, out);
  print_rates(run, &timing, out);
  print_resources(run, &timing, out);
  print_trace(&timing, out);
  print_waves(run, out);
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

// A row per key: where it stands, and what it means.
typedef enum Key {
#define SPEED_KEY(ID, object, key, help) KEY_##ID,
#include "cli/speed.def"
#undef SPEED_KEY
  KEY_COUNT
} Key;

static const struct { const char *object, *key, *help; } keys[KEY_COUNT] = {
#define SPEED_KEY(ID, object, key, help) [KEY_##ID] = {object, key, help},
#include "cli/speed.def"
#undef SPEED_KEY
};

bool speed_key(int index, const char **object, const char **key, const char **help) {
  if (index < 0 || index >= KEY_COUNT) return false;
  *object = keys[index].object;
  *key = keys[index].key;
  *help = keys[index].help;
  return true;
}

static void text(LsJson *json, Key key, const char *value) { ls_json_member(json, keys[key].key, value); }

static void number(LsJson *json, Key key, bool known, uint64_t value) {
  if (known) ls_json_member_u64(json, keys[key].key, value);
  else ls_json_member(json, keys[key].key, NULL);
}

static void fraction(LsJson *json, Key key, bool known, double value) {
  if (known) ls_json_member_f64(json, keys[key].key, value);
  else ls_json_member(json, keys[key].key, NULL);
}

static void json_rates(LsJson *json, const Timing *t) {
  bool timed = t->measure->median_ns > 0, waits = t->waiting_bytes > 0;
  number(json, KEY_BYTES, true, t->bytes);
  number(json, KEY_WAITING_BYTES, true, t->waiting_bytes);
  number(json, KEY_FLOPS, true, rate_flops_sum(&t->flops));
  fraction(json, KEY_GBS, timed && !waits, t->rate.gbs);
  fraction(json, KEY_LEAST_GBS, timed, t->least_gbs);
  fraction(json, KEY_MOST_GBS, timed, t->rate.gbs);
  fraction(json, KEY_GFLOPS, timed, t->rate.gflops);
  fraction(json, KEY_OF_BANDWIDTH, t->rate.of_bandwidth > 0 && !waits, t->rate.of_bandwidth);
  fraction(json, KEY_OF_PEAK, t->rate.of_peak > 0, t->rate.of_peak);
  fraction(json, KEY_PEAK_GBS, t->limits && t->limits->bandwidth_gbs > 0, t->limits ? t->limits->bandwidth_gbs : 0);
  fraction(json, KEY_PEAK_GFLOPS, t->limits && t->limits->fp32_tflops > 0, t->limits ? t->limits->fp32_tflops * 1000 :
           0);
  fraction(json, KEY_FLOPS_PER_BYTE, t->bytes > 0 && !waits, t->rate.flops_per_byte);
}

static void json_resources(LsJson *json, const Timing *t) {
  const TraceMeasure *m = t->measure;
  bool known = m->registers > 0;
  number(json, KEY_REGISTERS, known, m->registers);
  number(json, KEY_LOCAL_BYTES, known, m->local_bytes);
  number(json, KEY_STATIC_SHARED_BYTES, known, m->static_shared_bytes);
  number(json, KEY_BLOCKS_PER_SM, m->blocks_per_sm > 0, m->blocks_per_sm);
  fraction(json, KEY_OCCUPANCY, t->has_occupancy, t->occupancy.fraction);
  text(json, KEY_OCCUPANCY_LIMIT, t->has_occupancy ? occ_limit_name(t->occupancy.limit) : NULL);
  number(json, KEY_SM_COUNT, m->sm_count > 0, m->sm_count);
}

static void json_measure(LsJson *json, const Run *run, const Timing *t) {
  const TraceMeasure *m = t->measure;
  bool timed = m->runs > 0;
  ls_json_open_member(json, "measure", '{');
  text(json, KEY_HOW, run_how(run));
  text(json, KEY_DEVICE_NAME, run->info.device_name);
  text(json, KEY_DATE, m->date);
  text(json, KEY_DRIVER, m->driver);
  number(json, KEY_RUNS, true, m->runs);
  number(json, KEY_MIN_NS, timed, m->min_ns);
  number(json, KEY_MEDIAN_NS, timed, m->median_ns);
  number(json, KEY_MAX_NS, timed, m->max_ns);
  number(json, KEY_TRACED_NS, m->traced_ns > 0, m->traced_ns);
  number(json, KEY_STAMPED_NS, m->stamped_ns > 0, m->stamped_ns);
  fraction(json, KEY_SLOWDOWN, t->slowdown > 0, t->slowdown);
  number(json, KEY_LOST_EVENTS, true, m->lost_events);
  json_rates(json, t);
  json_resources(json, t);
  ls_json_close(json, '}');
}

static void json_waves(LsJson *json, const Run *run) {
  WaveChart chart;
  run_wave_chart(run, 0, &chart);
  if (chart.span && !chart.computed) {
    ls_json_open_member(json, "waves", '{');
    number(json, KEY_WAVE_SMS, true, (uint64_t)chart.sms);
    number(json, KEY_WAVE_SLOTS, true, (uint64_t)chart.slots);
    fraction(json, KEY_WAVE_WAVES, true, chart.waves);
    number(json, KEY_WAVE_SLOWED, true, chart.slowed);
    number(json, KEY_WAVE_SPAN_NS, true, chart.end);
    number(json, KEY_WAVE_TAIL_NS, true, chart.end - chart.tail);
    fraction(json, KEY_WAVE_UTILIZATION, true, chart.utilization);
    fraction(json, KEY_WAVE_IMBALANCE, true, chart.imbalance);
    ls_json_close(json, '}');
  }
  wavechart_free(&chart);
}

void speed_json(const Run *run, LsJson *json) {
  Timing timing;
  timing_of(run, &timing);
  if (timing.measure) json_measure(json, run, &timing);
  json_waves(json, run);
}
