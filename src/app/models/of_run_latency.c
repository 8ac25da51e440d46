// of_run_latency.c: the instructions of a warp as code of the model of latency: what each is, whose result it needs.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/models/of_run_parts.h"
#include "base/mem.h"
#include "model/scoreboard.h"
#include "ptx/def_use.h"

// What an instruction is here. SKIP: a parameter's load and a return are none of the chip's.
typedef enum Kind { SKIP = 0, GLOBAL = 'g', SHARED = 's', ARITHMETIC = 'a', WRITE = 'w' } Kind;
enum { INSTRUCTIONS = 240, ARITHMETIC_CYCLES = 10, MEMORY_CYCLES = 400, SHARED_CYCLES = 30, WORD_MOST = 16 };

// The warp as it goes: when it issues, and when the result of each of its instructions is there.
typedef struct Mix {
  const PtxModule *module;
  int func;                             // whose registers `writer` is of; -1: none yet
  int *writer; int capacity;            // per register: the instruction that wrote it last, -1: a parameter or nothing
  int64_t ready[INSTRUCTIONS], now;
  int count;
  char word[WORD_MOST]; int times;      // what is not written yet, and how often
  LsText text;
} Mix;

static Kind kind_of(const TraceEvent *event, const PtxInstr *in) {
  switch (event->kind) {
    case TRACE_LOAD:
      if (event->space == TRACE_PARAM) return SKIP;
      return event->space == TRACE_SHARED ? SHARED : event->space == TRACE_CONST ? ARITHMETIC : GLOBAL;
    case TRACE_STORE: return event->space == TRACE_PARAM ? SKIP : WRITE;
    case TRACE_ATOM: return event->flags & TRACE_RETURNS_OLD ? event->space == TRACE_SHARED ? SHARED : GLOBAL : WRITE;
    case TRACE_SHUFFLE: return SHARED;
    case TRACE_FAULT: case TRACE_NOTE: return SKIP;
    default: return in->op == PTX_OP_ret || in->op == PTX_OP_exit ? SKIP : ARITHMETIC;
  }
}

static int cycles_of(Kind kind) {
  return kind == GLOBAL ? MEMORY_CYCLES : kind == SHARED ? SHARED_CYCLES : kind == WRITE ? 1 : ARITHMETIC_CYCLES;
}

// Registers belong to a function: those of a callee are others.
static void enter(Mix *mix, int func) {
  if (func == mix->func) return;
  int count = mix->module->funcs[func].reg_count;
  mix->func = func;
  if (count > mix->capacity) {
    free(mix->writer);
    mix->writer = ls_alloc((size_t)count * sizeof *mix->writer);
    mix->capacity = count;
  }
  for (int i = 0; i < count; i++) mix->writer[i] = -1;
}

// Of the instructions whose results this one reads, the one that is there last; -1: it reads nobody's.
static int waits_for(const Mix *mix, const PtxInstr *in) {
  int last = -1;
  for (PtxRef ref = {0}; ptx_each_use(in, &ref);) {
    int writer = ref.kind == PTX_REF_REG ? mix->writer[ref.reg] : -1;
    if (writer >= 0 && (last < 0 || mix->ready[writer] > mix->ready[last])) last = writer;
  }
  return last;
}

static void flush(Mix *mix) {
  const char *blank = mix->text.length ? " " : "";
  if (mix->times > 1) ls_text_addf(&mix->text, "%s%d%s", blank, mix->times, mix->word);
  else if (mix->times) ls_text_addf(&mix->text, "%s%s", blank, mix->word);
  mix->times = 0;
}

static void add_word(Mix *mix, Kind kind, int back) {
  char word[WORD_MOST];
  if (back) snprintf(word, sizeof word, "%c%d", (char)kind, back);
  else snprintf(word, sizeof word, "%c", (char)kind);
  if (mix->times && strcmp(word, mix->word) != 0) flush(mix);
  snprintf(mix->word, sizeof mix->word, "%s", word);
  mix->times++;
}

static void take(Mix *mix, const TraceEvent *event) {
  const PtxInstr *in = &mix->module->code[event->pc];
  Kind kind = kind_of(event, in);
  enter(mix, in->func);
  if (kind != SKIP) {
    int needs = waits_for(mix, in);
    mix->now = LS_MAX(mix->now + 1, needs < 0 ? 0 : mix->ready[needs]);
    mix->ready[mix->count] = mix->now + cycles_of(kind);
    add_word(mix, kind, needs < 0 ? 0 : mix->count - needs);
  }
  for (PtxRef ref = {0}; ptx_each_def(in, &ref);)
    if (ref.kind == PTX_REF_REG) mix->writer[ref.reg] = kind == SKIP ? -1 : mix->count;
  mix->count += kind != SKIP;
}

// The block at the step, and its warp there; of any step the first block's first warp.
static bool find_warp(Run *run, int64_t step, TraceBlock *block, int *warp, LsErr *err) {
  int count;
  TraceEvent event;
  const TraceBlock *blocks = run->trace ? trace_blocks(run->trace, &count) : NULL;
  if (!blocks || !count)
    return ls_fail(err, LS_EREQUEST, "no block of this run is recorded, so its instructions are not known");
  *block = blocks[step < 0 ? 0 : LS_MAX(trace_block_at(run->trace, (uint64_t)step), 0)];
  if (!trace_event(run->trace, step < 0 ? block->first : (uint64_t)step, &event, err)) return false;
  *warp = event.warp;
  return true;
}

static bool read_warp(Run *run, int64_t step, Mix *mix, LsErr *err) {
  TraceBlock block = {0};
  TraceEvent event;
  int warp = 0;
  if (!find_warp(run, step, &block, &warp, err)) return false;
  for (uint64_t i = block.first; i < block.first + block.count && mix->count < INSTRUCTIONS; i++) {
    if (!trace_event(run->trace, i, &event, err)) return false;
    if (event.warp != warp || event.pc < 0 || event.pc >= mix->module->code_count) continue;
    if (mix->text.length + 2 * WORD_MOST > MODEL_SCRIPT) break;
    take(mix, &event);
  }
  flush(mix);
  return true;
}

bool of_run_latency(const Model *model, Run *run, int64_t step, ModelValues *values, LsErr *err) {
  Mix *mix = ls_alloc(sizeof *mix);
  const ArchProfile *arch = run_profile(run);
  Occupancy occupancy;
  *mix = (Mix){.module = run->module, .func = -1, .now = -1};
  bool ok = read_warp(run, step, mix, err);
  if (ok && !mix->count) ok = ls_fail(err, LS_EREQUEST, "the warp has no instructions");
  of_run_occupancy(run, &occupancy);
  int schedulers = arch ? LS_MAX(arch->schedulers, 1) : 1, warps = (occupancy.warps + schedulers - 1) / schedulers;
  ok = ok && of_run_word(model, values, "program", "code", err) &&
       of_run_word(model, values, "code", ls_text_str(&mix->text), err) &&
       (!warps || of_run_number(model, values, "warps", warps, err));
  ls_text_free(&mix->text);
  free(mix->writer);
  free(mix);
  return ok;
}
