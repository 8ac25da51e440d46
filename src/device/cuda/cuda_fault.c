// cuda_fault.c: looks at the events of a stopped kernel on their way, and describes the place of its fault.
#include "device/cuda/cuda_fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

#define FARTHEST (1ull << 36)

// ---- objects -------------------------------------------------------------------------------------------------------

static bool is_inside(const TraceInfo *info, uint64_t addr, uint64_t width) {
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *o = &info->objects[i];
    if (o->space == TRACE_GLOBAL && addr >= o->base && addr - o->base < o->size && o->size - (addr - o->base) >= width) return true;
  }
  return false;
}

// Bytes from the end of an object (0 or more: past it), or before its start (< 0); 0 for what is not all inside, too.
static int64_t distance_to(const TraceObject *o, uint64_t addr) {
  if (addr < o->base) return -(int64_t)(o->base - addr);
  return addr - o->base >= o->size ? (int64_t)(addr - o->base - o->size) : 0;
}

static void find_nearest(const TraceInfo *info, TraceFault *fault) {
  for (int i = 0; i < info->object_count; i++) {
    if (info->objects[i].space != TRACE_GLOBAL) continue;
    int64_t distance = distance_to(&info->objects[i], fault->addr);
    if (fault->object >= 0 && llabs(distance) >= llabs(fault->distance)) continue;
    fault->object = i;
    fault->distance = distance;
  }
}

// ---- words ---------------------------------------------------------------------------------------------------------

static void add_coordinates(const char *what, uint32_t number, const uint32_t dim[3], LsText *out) {
  ls_text_addf(out, "%s (%u,%u,%u)", what, number % dim[0], number / dim[0] % dim[1], number / dim[0] / dim[1]);
}

static void add_place(const CudaFinder *finder, LsText *out) {
  const TraceFault *f = finder->fault;
  if (f->kind == FAULT_MISALIGNED) {
    ls_text_addf(out, ", an address that is no multiple of %d", f->size);
  } else if (f->object >= 0 && f->distance == 0) {
    ls_text_addf(out, ", just past the end of %s", finder->info->objects[f->object].name);
  } else if (f->object >= 0) {
    ls_text_addf(out, ", %lld bytes %s %s", (long long)llabs(f->distance), f->distance < 0 ? "before the start of" : "past the end of",
                 finder->info->objects[f->object].name);
  }
}

static void add_line(const PtxModule *module, int32_t pc, LsText *out) {
  int file, line;
  if (pc < 0 || pc >= module->code_count) return;
  if (!ptx_line_of(module, pc, &file, &line)) ls_text_addf(out, "; line %d of the PTX", module->code[pc].line);
  else ls_text_addf(out, "; %s:%d", module->files[file] ? ls_path_base(module->files[file]) : "?", line);
}

static const char *verb_of(const TraceEvent *event) {
  return event->kind == TRACE_LOAD ? "reads" : event->kind == TRACE_STORE ? "writes" : "changes";
}

// As the emulator tells it.
static void describe(const CudaFinder *finder, const TraceEvent *event) {
  TraceFault *f = finder->fault;
  LsText text = {0};
  add_coordinates("thread", f->thread, finder->launch->block, &text);
  add_coordinates(" of block", f->block, finder->launch->grid, &text);
  if (f->kind == FAULT_TRAP) ls_text_add(&text, ": the kernel executed trap");
  else if (f->kind == FAULT_ASSERT) ls_text_addf(&text, ": %s", finder->assertion ? finder->assertion : "an assertion failed");
  else ls_text_addf(&text, " %s %d byte%s at 0x%llx", verb_of(event), f->size, f->size == 1 ? "" : "s", (unsigned long long)f->addr);
  if (f->size) add_place(finder, &text);
  add_line(finder->module, f->pc, &text);
  free(f->message);
  f->message = ls_text_take(&text);
}

// ---- the event -----------------------------------------------------------------------------------------------------

static bool is_wrong_access(const CudaFinder *finder, const TraceEvent *event, uint64_t addr) {
  if (finder->fault->kind == FAULT_MISALIGNED) return event->width > 1 && addr % event->width != 0;
  return finder->fault->kind == FAULT_OUT_OF_BOUNDS && !is_inside(finder->info, addr, event->width);
}

static bool calls_assertfail(const PtxModule *module, const PtxInstr *in) {
  int callee = ptx_callee(in);
  return callee >= 0 && strcmp(module->funcs[callee].name, "__assertfail") == 0;
}

// The lanes of an event that the kernel stopped for.
static uint32_t guilty_lanes(const CudaFinder *finder, const TraceEvent *event) {
  FaultKind kind = (FaultKind)finder->fault->kind;
  bool is_access = event->kind == TRACE_LOAD || event->kind == TRACE_STORE || event->kind == TRACE_ATOM;
  if (event->pc < 0 || event->pc >= finder->module->code_count) return 0;
  const PtxInstr *in = &finder->module->code[event->pc];
  if (kind == FAULT_TRAP) return in->op == PTX_OP_trap ? event->mask : 0;
  if (kind == FAULT_ASSERT) return calls_assertfail(finder->module, in) ? event->mask : 0;
  uint32_t lanes = 0;
  for (uint32_t lane = 0; is_access && event->space == TRACE_GLOBAL && event->addr && lane < 32; lane++)
    if (event->mask >> lane & 1 && is_wrong_access(finder, event, event->addr[lane])) lanes |= 1u << lane;
  return lanes;
}

static void pass(CudaFinder *finder, TraceEvent *event) {
  if (!finder->events) return;
  event->step = finder->steps++;
  if (finder->next->event) finder->next->event(finder->next, event);
}

static void tell(CudaFinder *finder, const TraceEvent *event, uint32_t lanes) {
  TraceFault *f = finder->fault;
  uint32_t lane = (uint32_t)__builtin_ctz(lanes);
  f->block = event->block;
  f->thread = event->warp * 32u + lane;
  f->pc = event->pc;
  f->step = finder->events ? finder->steps : UINT64_MAX;
  if (f->kind == FAULT_OUT_OF_BOUNDS || f->kind == FAULT_MISALIGNED) {
    f->addr = event->addr[lane];
    f->size = event->width;
    find_nearest(finder->info, f);
  }
  describe(finder, event);
  finder->found = true;
  if (finder->next->fault) finder->next->fault(finder->next, f);
  TraceEvent mark = {.block = event->block, .warp = event->warp, .kind = TRACE_FAULT, .pc = event->pc, .active = event->active,
                     .mask = lanes, .target = -1, .reconverge = -1};
  pass(finder, &mark);
}

// ---- the sink ------------------------------------------------------------------------------------------------------

static void begin_block(TraceSink *sink, uint32_t block, bool recorded) {
  CudaFinder *finder = (CudaFinder *)sink;
  finder->dead = 0;
  if (finder->events && finder->next->begin_block) finder->next->begin_block(finder->next, block, recorded);
}

// What is meant is the nearest piece of memory, as find_nearest has it; what is far from all of them is no address at all (NULL, say).
static uint64_t moved(const CudaFinder *finder, uint64_t addr) {
  const CudaMove *best = NULL;
  uint64_t least = FARTHEST;
  for (int i = 0; i < finder->move_count; i++) {
    const CudaMove *m = &finder->moves[i];
    uint64_t away = addr < m->from ? m->from - addr : addr - m->from < m->size ? 0 : addr - m->from - m->size + 1;
    if (away < least) best = m, least = away;
  }
  return best ? addr - best->from + best->to : addr;
}

static void take_event(TraceSink *sink, const TraceEvent *event) {
  CudaFinder *finder = (CudaFinder *)sink;
  uint64_t addr[32];
  TraceEvent e = *event;
  if (e.warp < 32 && finder->dead >> e.warp & 1) return;
  if (finder->move_count && e.addr && e.space == TRACE_GLOBAL) {
    for (int lane = 0; lane < 32; lane++) addr[lane] = moved(finder, e.addr[lane]);
    e.addr = addr;
  }
  uint32_t guilty = guilty_lanes(finder, &e);
  pass(finder, &e);
  if (!guilty) return;
  if (e.warp < 32) finder->dead |= 1u << e.warp;
  if (!finder->found) tell(finder, &e, guilty);
}

static void end_block(TraceSink *sink, uint32_t block) {
  CudaFinder *finder = (CudaFinder *)sink;
  if (finder->events && finder->next->end_block) finder->next->end_block(finder->next, block);
}

static void take_tally(TraceSink *sink, const TraceTally *tallies, int count) {
  TraceSink *next = ((CudaFinder *)sink)->next;
  if (next->tally) next->tally(next, tallies, count);
}

static void take_counts(TraceSink *sink, const TraceCount *counts, int count) {
  TraceSink *next = ((CudaFinder *)sink)->next;
  if (next->counts) next->counts(next, counts, count);
}

static void take_times(TraceSink *sink, const TraceBlockTime *times, int count) {
  TraceSink *next = ((CudaFinder *)sink)->next;
  if (next->block_times) next->block_times(next, times, count);
}

static void take_measure(TraceSink *sink, const TraceMeasure *measure) { ((CudaFinder *)sink)->lost = measure->lost_events; }

void cuda_finder_init(CudaFinder *finder, TraceSink *next, bool events, const PtxModule *module, const Launch *launch,
                      const TraceInfo *info, TraceFault *fault) {
  *finder = (CudaFinder){.sink = {.begin_block = begin_block, .event = take_event, .end_block = end_block, .tally = take_tally,
                                  .counts = take_counts, .block_times = take_times, .measure = take_measure},
                         .next = next, .events = events, .module = module, .launch = launch, .info = info, .fault = fault};
}

// ---- assertions ----------------------------------------------------------------------------------------------------

static uint32_t linear(const unsigned at[3], const uint32_t dim[3]) { return (at[2] * dim[1] + at[1]) * dim[0] + at[0]; }

// said = file ":" line ": " function ": block: [x,y,z], thread: [x,y,z] Assertion `" expression "` failed." ;
char *cuda_assertion(const char *said, const Launch *launch, TraceFault *fault) {
  unsigned block[3], thread[3];
  int used = 0;
  const char *middle = strstr(said, ": block: ["), *start = middle;
  if (!middle || sscanf(middle, ": block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%n", &block[0], &block[1], &block[2], &thread[0],
                        &thread[1], &thread[2], &used) != 6 || !used)
    return NULL;
  const char *expression = middle + used, *end = strstr(expression, "` failed");
  while (start > said && start[-1] != '\n') start--;
  const char *name = strstr(start, ": ");
  if (!end || !name || name >= middle) return NULL;
  const char *function = name + 2;
  fault->block = linear(block, launch->grid);
  fault->thread = linear(thread, launch->block);
  char *words = ls_format("the assertion '%.*s' failed in %.*s", (int)(end - expression), expression, (int)(middle - function), function);
  free(fault->message);
  fault->message = ls_format("thread (%u,%u,%u) of block (%u,%u,%u): %s; %.*s", thread[0], thread[1], thread[2], block[0], block[1], block[2],
                             words, (int)(name - start), start);
  return words;
}
