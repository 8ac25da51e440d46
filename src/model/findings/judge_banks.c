// judge_banks.c: bank conflicts: which line, why those addresses meet in a bank, and which padding would part them.
#include <stdio.h>
#include <stdlib.h>

#include "model/bank.h"
#include "model/coal.h"
#include "model/findings/array.h"
#include "model/findings/finding_parts.h"

enum { WORD = 4, BANKS = 32, MOST_PAD = 32 };

// ---- numbers -------------------------------------------------------------------------------------------------------

typedef struct Sum { uint64_t instructions, wavefronts, conflicts; } Sum;

static void add_counters(const CounterSet *set, Sum *sum) {
  const uint64_t *v = set->value;
  sum->instructions += v[COUNTER_SHARED_LOAD_INSTRUCTIONS] + v[COUNTER_SHARED_STORE_INSTRUCTIONS];
  sum->wavefronts += v[COUNTER_SHARED_LOAD_WAVEFRONTS] + v[COUNTER_SHARED_STORE_WAVEFRONTS];
  sum->conflicts += v[COUNTER_SHARED_LOAD_BANK_CONFLICTS] + v[COUNTER_SHARED_STORE_BANK_CONFLICTS];
}

// ---- the same accesses with longer rows ----------------------------------------------------------------------------

// Rows of `row` bytes from `base` on become row + pad bytes long.
typedef struct Rows { uint64_t base, size, row, pad; } Rows;

static int wavefronts_with(const WitnessSite *site, const WitnessShape *shape, const Rows *rows) {
  uint64_t addr[32];
  int least;
  for (int i = 0; i < 32; i++) {
    uint64_t offset = shape->addr[i] - rows->base;
    addr[i] = offset < rows->size ? shape->addr[i] + offset / rows->row * rows->pad : shape->addr[i];
  }
  return bank_count(site->kind == TRACE_LOAD, shape->mask, site->width, addr, &least);
}

typedef struct Trial { uint64_t wavefronts, least; bool known; } Trial;   // known: every shape of these sites was kept

static void try_site(const WitnessSite *site, const Rows *rows, Trial *trial) {
  for (int s = 0; s < site->shape_count; s++) {
    const WitnessShape *shape = &site->shapes[s];
    if (shape->addr[__builtin_ctz(shape->mask)] - rows->base >= rows->size) continue;
    trial->wavefronts += shape->count * (uint64_t)wavefronts_with(site, shape, rows);
    trial->least += shape->count * (uint64_t)shape->least;
  }
}

// All that the witness saw of the array: what helps one line must not hurt another.
static Trial try_rows(const Judge *judge, const Rows *rows) {
  Trial trial = {.known = true};
  for (int i = 0; i < witness_blocks(judge->of->witness); i++)
    for (int pc = 0; pc < judge->of->module->code_count; pc++) {
      const WitnessSite *site = witness_site(judge->of->witness, i, pc);
      if (site && site->warps && site->space == TRACE_SHARED && site->kind != TRACE_ATOM) try_site(site, rows, &trial);
    }
  return trial;
}

// The least padding, in units of `unit` bytes, with which no access of the array has a conflict. 0: there is none.
static uint64_t find_pad(const Judge *judge, Rows *rows, uint64_t unit) {
  for (uint64_t pad = 1; pad <= MOST_PAD; pad++) {
    rows->pad = pad * unit;
    Trial trial = try_rows(judge, rows);
    if (trial.wavefronts == trial.least) return pad;
  }
  return 0;
}

// ---- words ---------------------------------------------------------------------------------------------------------

static int lane_after(uint32_t mask, int lane) {
  uint32_t above = lane >= 31 ? 0 : mask >> (lane + 1) << (lane + 1);
  return above ? __builtin_ctz(above) : -1;
}

static void add_lanes(const Array *array, const WitnessSite *site, const WitnessShape *shape, LsText *out) {
  int first = __builtin_ctz(shape->mask), second = lane_after(shape->mask, first),
      last = 31 - __builtin_clz(shape->mask);
  const char *does = site->kind == TRACE_LOAD ? "reads" : "writes";
  ls_text_addf(out, "Lane %d %s ", first, does);
  array_print(array, shape->addr[first], out);
  if (second < 0) return;
  ls_text_addf(out, ", lane %d ", second);
  array_print(array, shape->addr[second], out);
  if (last == second) return;
  ls_text_addf(out, ", lane %d ", last);
  array_print(array, shape->addr[last], out);
}

// How far apart neighboring lanes are, in words; false if that is no constant number of words.
static bool words_apart(const WitnessSite *site, const WitnessShape *shape, int64_t *words) {
  int64_t stride = 0;
  CoalShape how = coal_shape(shape->mask, site->width, shape->addr, &stride);
  *words = stride / WORD;
  return how == COAL_STRIDED && stride % WORD == 0 && stride != 0;
}

static int lanes_to_same_bank(int64_t words) {
  int64_t step = words % BANKS;
  int lanes = 1;
  while (lanes < BANKS && (step * lanes) % BANKS) lanes++;
  return lanes;
}

static const char *cause_of(Judge *judge, const Array *array, const WitnessSite *site, const WitnessShape *shape) {
  LsText text = {0};
  int64_t words;
  Banking banking;
  TraceEvent event = {
      .kind = site->kind, .space = site->space, .width = site->width, .mask = shape->mask, .addr = shape->addr};
  bank_analyze(&event, BANK_32X4, &banking);
  if (array) add_lanes(array, site, shape, &text), ls_text_add(&text, ". ");
  if (words_apart(site, shape, &words)) {
    int again = lanes_to_same_bank(words);
    ls_text_addf(&text, "Neighboring lanes are %lld words apart, so ", (long long)(words < 0 ? -words : words));
    if (again == 1) ls_text_add(&text, "all of them come to the same bank");
    else ls_text_addf(&text, "every %d%s lane comes to the same bank", again, again == 2 ? "nd" : "th");
  } else {
    ls_text_add(&text, "The lanes' words crowd in some banks");
  }
  ls_text_addf(&text, ": %d different words in one bank.", banking.degree);
  return judge_take(judge, &text);
}

static void declare(const Array *array, uint64_t pad, LsText *out) {
  ls_text_addf(out, "%s %s", array->type && array->type->name ? array->type->name : "", array->name);
  for (int i = 0; i < array->dim_count; i++)
    ls_text_addf(out, "[%lld]", (long long)(array->dims[i] + (i == array->dim_count - 1 ? (int64_t)pad : 0)));
}

static void cure_rows(Judge *judge, const Array *array, Finding *finding) {
  Rows rows = {array->base, array->size, array_row(array), 0};
  uint64_t pad = find_pad(judge, &rows, (uint64_t)array->element);
  LsText text = {0};
  if (!pad) return;
  uint64_t more = array->size / rows.row * rows.pad, length = (uint64_t)array->dims[array->dim_count - 1];
  ls_text_addf(&text, "Make a row %s elements long in place of %s: ", COUNT(length + pad), COUNT(length));
  declare(array, pad, &text);
  ls_text_add(&text, ". Then rows begin in different banks.");
  finding->cure = judge_take(judge, &text);
  finding->gain =
      judge_text(judge,
                 "%s wavefronts become %s at this line, tried on the addresses read; it takes %s bytes more "
                 "of shared memory a block.",
                 COUNT(finding->amount), COUNT(finding->amount - finding->wasted), COUNT(more));
}

// An array without rows that lanes go through in steps: other steps are tried on the lanes that were there.
static void cure_steps(Judge *judge, const WitnessSite *site, const WitnessShape *shape, Finding *finding) {
  int64_t words;
  if (!words_apart(site, shape, &words) || words < 2 || site->width != WORD) return;
  for (int64_t step = words + 1; step <= words + MOST_PAD; step++) {
    uint64_t addr[32];
    int least;
    for (int i = 0; i < 32; i++) addr[i] = (uint64_t)(i * step * WORD);
    if (bank_count(true, shape->mask, WORD, addr, &least) != least) continue;
    finding->cure = judge_text(
        judge, "Let neighboring lanes use neighboring words, or keep them %lld words apart in place of %lld.",
        (long long)step, (long long)words);
    finding->gain = judge_text(judge, "%d wavefronts become 1 for such an access.", shape->units);
    return;
  }
}

// ---- the judge -----------------------------------------------------------------------------------------------------

static int costliest(const Judge *judge, const JudgeLine *line) {
  uint64_t most = 0;
  int pc = line->pcs[0];
  for (int i = 0; i < line->count; i++) {
    Sum sum = {0};
    add_counters(counters_at(judge->of->counters, line->pcs[i]), &sum);
    if (sum.conflicts > most) most = sum.conflicts, pc = line->pcs[i];
  }
  return pc;
}

static void explain(Judge *judge, Finding *finding) {
  const WitnessSite *site = NULL;
  uint32_t block = 0;
  Array array;
  const WitnessShape *shape = judge_worst(judge, finding->pc, &site, &block);
  if (!shape) return;
  bool known = array_at(judge->of, TRACE_SHARED, shape->addr[__builtin_ctz(shape->mask)], &array);
  finding->blocks_read = (uint32_t)witness_blocks(judge->of->witness);
  finding->cause = cause_of(judge, known ? &array : NULL, site, shape);
  if (known && array_row(&array)) cure_rows(judge, &array, finding);
  if (!finding->cure) cure_steps(judge, site, shape, finding);
}

static void judge_bank_line(Judge *judge, const JudgeLine *line, void *context) {
  const Sum *total = context;
  Sum sum = {0};
  for (int i = 0; i < line->count; i++) add_counters(counters_at(judge->of->counters, line->pcs[i]), &sum);
  if (!sum.conflicts) {
    judge_add_good(judge, line->pcs[0], line->is_store ? "shared stores" : "shared loads",
                   judge_text(judge, "%s a request, no conflicts",
                              sum.wavefronts == sum.instructions ? "1 wavefront" : "the fewest wavefronts"));
    return;
  }
  Finding finding = judge_finding(judge, FINDING_BANK_CONFLICT, costliest(judge, line));
  finding.wasted = sum.conflicts;
  finding.amount = sum.wavefronts;
  finding.total = total->wavefronts;
  finding.executions = sum.instructions;
  finding.at = (double)sum.wavefronts / (double)sum.instructions;
  finding.ideal = (double)(sum.wavefronts - sum.conflicts) / (double)sum.instructions;
  if (!judge_is_told(&finding)) return;
  finding.message =
      judge_text(judge, "%s wavefronts where %s would do; %s wasted, %s of all wavefronts of shared memory.",
                 AVERAGE(finding.at), AVERAGE(finding.ideal), COUNT(finding.wasted),
                 PERCENT((double)finding.wasted / (double)finding.total));
  explain(judge, &finding);
  judge_add(judge, &finding);
}

void judge_banks(Judge *judge) {
  Sum total = {0};
  add_counters(counters_total(judge->of->counters), &total);
  if (total.instructions) judge_lines(judge, TRACE_SHARED, judge_bank_line, &total);
}
