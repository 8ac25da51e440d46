// difference.c: lines by their counters, warps by what each of their events did.
#include "app/difference.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/random.h"

// ---- counters ------------------------------------------------------------------------------------------------------

static bool differs(const CounterSet *a, const CounterSet *b, CounterId *first) {
  for (int i = 0; i < COUNTER_COUNT; i++)
    if (a->value[i] != b->value[i]) return *first = (CounterId)i, true;
  return false;
}

static void compare_line(const Run *left, const Run *right, int file, int line, Difference *out) {
  CounterSet a, b;
  CounterId counter;
  counters_line(left->counters, file, line, &a);
  counters_line(right->counters, file, line, &b);
  if (out->line_count < DIFFERENCE_LINES && differs(&a, &b, &counter))
    out->lines[out->line_count++] = (LineDifference){file, line, counter, a.value[counter], b.value[counter]};
}

static void compare_lines(const Run *left, const Run *right, Difference *out) {
  const PtxModule *module = left->module;
  for (int file = 0; file < module->file_count; file++) {
    int last = 0;
    for (int i = 0; i < module->loc_count; i++)
      if (module->locs[i].file == file) last = LS_MAX(last, module->locs[i].line);
    for (int line = 1; line <= last; line++) compare_line(left, right, file, line, out);
  }
}

// ---- events --------------------------------------------------------------------------------------------------------

// What an event did, as a number that is the same on both devices.
typedef struct Deed { uint64_t hash; int32_t pc; } Deed;
typedef struct Deeds { Deed *items; int count, capacity; } Deeds;

static uint64_t name_of(const TraceObject *object) {
  if (object->arg >= 0) return (uint64_t)object->arg + 1;
  return object->name ? ls_hash64(object->name, strlen(object->name)) : 0;
}

// An address as the place within its array.
static uint64_t place_of(const TraceInfo *info, int space, uint64_t addr) {
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *object = &info->objects[i];
    if (object->space != space || addr - object->base >= object->size) continue;
    return (addr - object->base) + name_of(object) * 0x9e3779b97f4a7c15ull;
  }
  return addr;
}

static Deed deed_of(const TraceInfo *info, const TraceEvent *event) {
  uint64_t words[8 + 32] = {(uint64_t)(int64_t)event->pc, event->kind, event->active, event->mask, event->space};
  int count = 5;
  if (event->kind == TRACE_BRANCH) words[count++] = event->taken;
  for (int lane = 0; event->addr && lane < 32; lane++)
    if (event->mask >> lane & 1) words[count++] = place_of(info, event->space, event->addr[lane]);
  return (Deed){ls_hash64(words, (size_t)count * sizeof *words), event->pc};
}

static const TraceBlock *find_block(const Run *run, uint32_t block) {
  int count = 0;
  const TraceBlock *blocks = run->trace ? trace_blocks(run->trace, &count) : NULL;
  for (int i = 0; i < count; i++)
    if (blocks[i].block == block) return &blocks[i];
  return NULL;
}

static bool gather(const Run *run, const TraceBlock *block, Deeds deeds[DIFFERENCE_WARPS]) {
  uint64_t count = LS_MIN(block->count, DIFFERENCE_EVENTS);
  for (uint64_t i = 0; i < count; i++) {
    TraceEvent event;
    if (!trace_event(run->trace, block->first + i, &event, NULL)) return false;
    if (event.warp >= DIFFERENCE_WARPS || event.kind == TRACE_FAULT) continue;   // a GPU tells of no faults in passing
    Deeds *of = &deeds[event.warp];
    Deed deed = deed_of(&run->info, &event);
    LS_PUSH(of->items, of->count, of->capacity, deed);
  }
  return true;
}

static WarpDifference compare_warp(const Deeds *left, const Deeds *right, bool cut_short) {
  int shorter = LS_MIN(left->count, right->count), i = 0;
  while (i < shorter && left->items[i].hash == right->items[i].hash) i++;
  if (i == shorter && (cut_short || left->count == right->count)) return (WarpDifference){0};
  int left_pc = i < left->count ? left->items[i].pc : -1, right_pc = i < right->count ? right->items[i].pc : -1;
  return (WarpDifference){true, (uint64_t)i + 1, left_pc, right_pc};
}

static void compare_block(const Run *left, const Run *right, uint32_t block, Difference *out) {
  const TraceBlock *a = find_block(left, block), *b = find_block(right, block);
  Deeds of_left[DIFFERENCE_WARPS] = {0}, of_right[DIFFERENCE_WARPS] = {0};
  out->block_known = a && b && gather(left, a, of_left) && gather(right, b, of_right);
  out->cut_short = out->block_known && (a->count > DIFFERENCE_EVENTS || b->count > DIFFERENCE_EVENTS);
  out->warp_count = LS_MIN((int)launch_warps(&left->info.launch), DIFFERENCE_WARPS);
  for (int w = 0; w < DIFFERENCE_WARPS; w++) {
    if (out->block_known) out->warps[w] = compare_warp(&of_left[w], &of_right[w], out->cut_short);
    out->differing += out->warps[w].differs;
    out->events += (uint64_t)of_left[w].count;
    free(of_left[w].items);
    free(of_right[w].items);
  }
}

static bool same_code(const Run *a, const Run *b) {
  const Launch *left = &a->info.launch, *right = &b->info.launch;
  return a->info.ptx_length == b->info.ptx_length && memcmp(a->info.ptx, b->info.ptx, a->info.ptx_length) == 0 &&
         a->entry == b->entry && memcmp(left->grid, right->grid, sizeof left->grid) == 0 &&
         memcmp(left->block, right->block, sizeof left->block) == 0;
}

void difference_of(const Run *left, const Run *right, uint32_t block, Difference *out) {
  *out = (Difference){0};
  out->same_code = left->info.ptx && right->info.ptx && same_code(left, right);
  if (!out->same_code) return;
  if (left->counters_complete && right->counters_complete) compare_lines(left, right, out);
  compare_block(left, right, block, out);
}
