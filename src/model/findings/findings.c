// findings.c: asks the judges of a run, puts what they found in order, and has what they share.
#include "model/findings/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/findings/finding_parts.h"

static const FindingDef defs[] = {
#define FINDING(ID, id, title, unit, total, help) [FINDING_##ID] = {id, title, unit, total, help},
#include "model/findings/finding.def"
#undef FINDING
};

const FindingDef *finding_def(FindingKind kind) { return (unsigned)kind < FINDING_KIND_COUNT ? &defs[kind] : NULL; }

// ---- numbers -------------------------------------------------------------------------------------------------------

JudgeNumber judge_count(uint64_t value) {
  JudgeNumber number;
  ls_group_digits(value, number.text);
  return number;
}

JudgeNumber judge_average(double value) {
  JudgeNumber number;
  double rounded = (double)(uint64_t)(value + 0.5), off = value > rounded ? value - rounded : rounded - value;
  if (off < 0.05 && rounded > 0) return judge_count((uint64_t)rounded);
  snprintf(number.text, sizeof number.text, value < 1 ? "%.2f" : "%.1f", value);
  return number;
}

JudgeNumber judge_percent(double share) {
  JudgeNumber number;
  const char *format = share >= 1 ? "100%%" : share > 0.995 ? "more than 99%%" : share < 0.01 ? "%.1f%%" : "%.0f%%";
  snprintf(number.text, sizeof number.text, format, 100 * share);
  return number;
}

const char *judge_unit(const char *one, const char *many, double value) { return value == 1 ? one : many; }

// ---- texts ---------------------------------------------------------------------------------------------------------

const char *judge_text(Judge *judge, const char *format, ...) {
  LsText text = {0};
  va_list args;
  va_start(args, format);
  ls_text_addv(&text, format, args);
  va_end(args);
  return judge_take(judge, &text);
}

const char *judge_take(Judge *judge, LsText *text) {
  const char *kept = text->length ? ls_arena_strdup(judge->arena, ls_text_str(text)) : NULL;
  ls_text_free(text);
  return kept;
}

// ---- places --------------------------------------------------------------------------------------------------------

// The first call of every function.
static int *callers_of(const PtxModule *module) {
  int *callers = ls_alloc(sizeof *callers * ((size_t)module->func_count + 1));
  for (int f = 0; f < module->func_count; f++) callers[f] = -1;
  for (int pc = module->code_count - 1; pc >= 0; pc--) {
    int callee = ptx_callee(&module->code[pc]);
    if (callee >= 0) callers[callee] = pc;
  }
  return callers;
}

// A function of another file (atomicAdd of the toolkit, in the -G cut) is told of where the kernel's own file calls it.
static int own_pc(const Judge *judge, int pc) {
  const PtxModule *module = judge->of->module;
  int home = -1, file = -1, line = 0;
  if (!ptx_line_of(module, module->funcs[judge->of->entry].first, &home, &line)) return pc;
  for (int steps = 0, at = pc; at >= 0 && steps < 8; steps++, at = judge->callers[module->code[at].func])
    if (ptx_line_of(module, at, &file, &line) && file == home) return at;
  return pc;
}

bool judge_line(const Judge *judge, int pc, int *file, int *line) {
  const PtxModule *module = judge->of->module;
  if (pc >= 0) pc = own_pc(judge, pc);
  if (pc < 0 || !ptx_line_of(module, pc, file, line)) return false;
  for (int loc = module->code[pc].loc, steps = 0; loc >= 0 && steps < 64; loc = module->locs[loc].inlined_at, steps++) {
    if (module->locs[loc].file != *file || module->locs[loc].line <= 0) continue;
    *line = module->locs[loc].line;
    break;
  }
  return *line > 0;
}

int judge_object(const Judge *judge, int pc) {
  const TraceInfo *info = judge->of->info;
  for (int i = 0; judge->of->witness && i < witness_blocks(judge->of->witness); i++) {
    const WitnessSite *site = witness_site(judge->of->witness, i, pc);
    if (!site || !site->shape_count) continue;
    uint64_t addr = site->shapes[0].addr[__builtin_ctz(site->shapes[0].mask)];
    for (int k = 0; k < info->object_count; k++)
      if (info->objects[k].space == site->space && addr - info->objects[k].base < info->objects[k].size) return k;
  }
  return -1;
}

// How often warps accessed a space at an instruction, by loads or by stores.
static uint64_t accesses(const CounterSet *set, TraceSpace space, bool is_store) {
  static const uint8_t counters[TRACE_SPACE_COUNT][2] = {
      [TRACE_GLOBAL] = {COUNTER_GLOBAL_LOAD_REQUESTS, COUNTER_GLOBAL_STORE_REQUESTS},
      [TRACE_SHARED] = {COUNTER_SHARED_LOAD_INSTRUCTIONS, COUNTER_SHARED_STORE_INSTRUCTIONS},
      [TRACE_LOCAL] = {COUNTER_LOCAL_LOAD_REQUESTS, COUNTER_LOCAL_STORE_REQUESTS},
      [TRACE_CONST] = {COUNTER_CONST_LOAD_REQUESTS, COUNTER_COUNT}};
  return counters[space][is_store] < COUNTER_COUNT ? set->value[counters[space][is_store]] : 0;
}

typedef struct Placed { int file, line, is_store, object, pc; } Placed;

static int compare_places(const void *a, const void *b) {
  const Placed *p = a, *q = b;
  const int differ[] = {p->file - q->file, p->line - q->line, p->is_store - q->is_store, p->object - q->object,
                        p->pc - q->pc};
  for (int i = 0; i < LS_COUNT(differ); i++)
    if (differ[i]) return differ[i];
  return 0;
}

static bool same_place(const Placed *p, const Placed *q) {
  return p->file == q->file && p->line == q->line && p->is_store == q->is_store && p->object == q->object;
}

void judge_lines(Judge *judge, TraceSpace space, JudgeLineFn fn, void *context) {
  int codes = judge->of->module->code_count, count = 0;
  Placed *placed = ls_alloc(sizeof *placed * ((size_t)codes + 1));
  int *pcs = ls_alloc(sizeof *pcs * ((size_t)codes + 1));
  for (int pc = 0; pc < codes; pc++) {
    const CounterSet *set = counters_at(judge->of->counters, pc);
    bool loads = accesses(set, space, false) > 0, stores = accesses(set, space, true) > 0;
    Placed at = {.file = -1, .is_store = !loads, .object = judge_object(judge, pc), .pc = pc};
    if (!loads && !stores) continue;
    if (!judge_line(judge, pc, &at.file, &at.line)) at.file = -1, at.line = 0;
    placed[count++] = at;
  }
  qsort(placed, (size_t)count, sizeof *placed, compare_places);
  for (int i = 0; i < count; i++) pcs[i] = placed[i].pc;
  for (int i = 0, end; i < count; i = end) {
    for (end = i; end < count && same_place(&placed[end], &placed[i]);) end++;
    fn(judge, &(JudgeLine){placed[i].file, placed[i].line, placed[i].is_store != 0, &pcs[i], end - i}, context);
  }
  free(placed);
  free(pcs);
}

// ---- findings ------------------------------------------------------------------------------------------------------

Finding judge_finding(const Judge *judge, FindingKind kind, int pc) {
  Finding finding = {.kind = kind, .pc = pc, .file = -1, .step = UINT64_MAX, .message = ""};
  if (!judge_line(judge, pc, &finding.file, &finding.line)) finding.file = -1, finding.line = 0;
  return finding;
}

bool judge_is_told(const Finding *finding) {
  return finding->total && finding->wasted && (double)finding->wasted >= FINDING_LEAST * (double)finding->total;
}

void judge_add(Judge *judge, Finding *finding) {
  finding->share = finding->total ? (double)finding->wasted / (double)finding->total : 0;
  LS_PUSH(judge->items, judge->count, judge->capacity, *finding);
}

void judge_add_good(Judge *judge, int pc, const char *what, const char *words) {
  FindingGood good = {.pc = pc, .file = -1, .what = what, .words = words};
  if (!judge_line(judge, pc, &good.file, &good.line)) good.file = -1, good.line = 0;
  LS_PUSH(judge->good, judge->good_count, judge->good_capacity, good);
}

const WitnessShape *judge_worst(const Judge *judge, int pc, const WitnessSite **site, uint32_t *block) {
  const WitnessShape *worst = NULL;
  uint64_t most = 0;
  for (int i = 0; judge->of->witness && i < witness_blocks(judge->of->witness); i++) {
    const WitnessSite *here = witness_site(judge->of->witness, i, pc);
    for (int s = 0; here && s < here->shape_count; s++) {
      const WitnessShape *shape = &here->shapes[s];
      uint64_t waste = shape->count * (uint64_t)LS_MAX(shape->units - shape->least, 0);
      if (waste < most || !waste || (waste == most && worst && shape->warp >= worst->warp)) continue;
      worst = shape, most = waste, *site = here, *block = witness_block(judge->of->witness, i)->block;
    }
  }
  return worst;
}

// ---- all of them ---------------------------------------------------------------------------------------------------

static int worst_first(const void *a, const void *b) {
  const Finding *p = a, *q = b;
  if (p->share != q->share) return p->share > q->share ? -1 : 1;
  if (p->kind != q->kind) return p->kind < q->kind ? -1 : 1;
  return p->line < q->line ? -1 : p->line > q->line;
}

static int by_line(const void *a, const void *b) {
  const FindingGood *p = a, *q = b;
  int of_launch = (p->line == 0) - (q->line == 0);   // after the lines
  if (of_launch) return of_launch;
  if (p->file != q->file) return p->file < q->file ? -1 : 1;
  if (p->line != q->line) return p->line < q->line ? -1 : 1;
  return p->pc < q->pc ? -1 : p->pc > q->pc;
}

static const char *scope_of(Judge *judge) {
  LsText text = {0};
  const Witness *witness = judge->of->witness;
  int count = witness ? witness_blocks(witness) : 0;
  uint64_t blocks = launch_blocks(&judge->of->info->launch);
  bool whole = true;
  for (int i = 0; i < count; i++) whole = whole && witness_block(witness, i)->whole;
  if (!count) return NULL;
  ls_text_add(&text, whole ? "Addresses were read from " : "Addresses were read from the beginning of ");
  if (blocks == 1) ls_text_add(&text, "the only block");
  else if (blocks == (uint64_t)count) ls_text_addf(&text, "all %d blocks", count);
  else ls_text_add(&text, count == 1 ? "block" : "blocks");
  for (int i = 0; i < count && blocks != (uint64_t)count; i++)
    ls_text_addf(&text, "%s %u", i == 0 ? "" : i + 1 == count ? " and" : ",", witness_block(witness, i)->block);
  ls_text_addc(&text, '.');
  return judge_take(judge, &text);
}

Findings *findings_new(const FindingsOf *of) {
  static void (*const judges[])(Judge *) = {judge_banks, judge_sectors, judge_memory, judge_lanes, judge_atomics,
                                             judge_barriers, judge_grid};
  Findings *findings = ls_alloc(sizeof *findings);
  findings->arena = ls_arena_new();
  Judge judge = {.of = of, .arena = findings->arena, .callers = callers_of(of->module)};
  for (int i = 0; i < LS_COUNT(judges); i++) judges[i](&judge);
  if (judge.count) qsort(judge.items, (size_t)judge.count, sizeof *judge.items, worst_first);
  if (judge.good_count) qsort(judge.good, (size_t)judge.good_count, sizeof *judge.good, by_line);
  findings->scope = scope_of(&judge);
  free(judge.callers);
  findings->items = judge.items;
  findings->count = judge.count;
  findings->good = judge.good;
  findings->good_count = judge.good_count;
  return findings;
}

void findings_free(Findings *findings) {
  if (!findings) return;
  free(findings->items);
  free(findings->good);
  ls_arena_free(findings->arena);
  free(findings);
}
