// cuda_fault.c: see cuda_fault.h.
#include "device/cuda_fault.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

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

// As the emulator tells it.
static void describe(const CudaFinder *finder, const TraceEvent *event) {
  TraceFault *f = finder->fault;
  const char *verb = event->kind == TRACE_LOAD ? "reads" : event->kind == TRACE_STORE ? "writes" : "changes";
  LsText text = {0};
  add_coordinates("thread", f->thread, finder->launch->block, &text);
  add_coordinates(" of block", f->block, finder->launch->grid, &text);
  ls_text_addf(&text, " %s %d byte%s at 0x%llx", verb, f->size, f->size == 1 ? "" : "s", (unsigned long long)f->addr);
  add_place(finder, &text);
  add_line(finder->module, f->pc, &text);
  free(f->message);
  f->message = ls_text_take(&text);
}

// ---- the access ----------------------------------------------------------------------------------------------------

static bool is_wrong(const CudaFinder *finder, const TraceEvent *event, uint64_t addr) {
  if (finder->fault->kind == FAULT_MISALIGNED) return event->width > 1 && addr % event->width != 0;
  return finder->fault->kind == FAULT_OUT_OF_BOUNDS && !is_inside(finder->info, addr, event->width);
}

static void look(CudaFinder *finder, const TraceEvent *event) {
  bool is_access = event->kind == TRACE_LOAD || event->kind == TRACE_STORE || event->kind == TRACE_ATOM;
  for (uint32_t lane = 0; is_access && event->space == TRACE_GLOBAL && event->addr && lane < 32; lane++) {
    if (!(event->mask >> lane & 1) || !is_wrong(finder, event, event->addr[lane])) continue;
    TraceFault *f = finder->fault;
    f->block = event->block;
    f->thread = event->warp * 32u + lane;
    f->pc = event->pc;
    f->addr = event->addr[lane];
    f->size = event->width;
    find_nearest(finder->info, f);
    describe(finder, event);
    finder->found = true;
    return;
  }
}

// ---- the sink ------------------------------------------------------------------------------------------------------

static void begin_block(TraceSink *sink, uint32_t block, bool recorded) {
  CudaFinder *finder = (CudaFinder *)sink;
  if (finder->events && finder->next->begin_block) finder->next->begin_block(finder->next, block, recorded);
}

static void take_event(TraceSink *sink, const TraceEvent *event) {
  CudaFinder *finder = (CudaFinder *)sink;
  if (!finder->found) look(finder, event);
  if (finder->events && finder->next->event) finder->next->event(finder->next, event);
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

void cuda_finder_init(CudaFinder *finder, TraceSink *next, bool events, const PtxModule *module, const Launch *launch,
                      const TraceInfo *info, TraceFault *fault) {
  *finder = (CudaFinder){.sink = {.begin_block = begin_block, .event = take_event, .end_block = end_block, .tally = take_tally,
                                  .counts = take_counts, .block_times = take_times},
                         .next = next, .events = events, .module = module, .launch = launch, .info = info, .fault = fault};
}
