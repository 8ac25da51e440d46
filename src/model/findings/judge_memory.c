// judge_memory.c: bytes that a block loads again, bytes that it moves and never wants, local memory, constants read
// lane by lane.
#include <stdlib.h>
#include <string.h>

#include "model/coal.h"
#include "model/findings/array.h"
#include "model/findings/finding_parts.h"
#include "model/findings/slope.h"
#include "model/findings/witness_memory.h"

static const WitnessSite *site_at(const Judge *judge, int block, int pc) {
  return witness_site(judge->of->witness, block, pc);
}

static int watched(const Judge *judge) { return judge->of->witness ? witness_blocks(judge->of->witness) : 0; }

static const WitnessSite *any_site(const Judge *judge, int pc) {
  for (int i = 0; i < watched(judge); i++)
    if (site_at(judge, i, pc) && site_at(judge, i, pc)->shape_count) return site_at(judge, i, pc);
  return NULL;
}

static bool array_of(const Judge *judge, const WitnessSite *site, Array *array) {
  const WitnessShape *shape = site && site->shape_count ? &site->shapes[0] : NULL;
  return shape && array_at(judge->of, (TraceSpace)site->space, shape->addr[__builtin_ctz(shape->mask)], array);
}

// ---- loaded again --------------------------------------------------------------------------------------------------

typedef struct Loads { uint64_t bytes, again, executions; int pc; uint64_t most; } Loads;

static void add_loads(const Judge *judge, int pc, Loads *sum) {
  for (int i = 0; i < watched(judge); i++) {
    const WitnessSite *site = site_at(judge, i, pc);
    if (!site || site->kind != TRACE_LOAD || site->space != TRACE_GLOBAL || site->mixed) continue;
    sum->bytes += site->bytes;
    sum->again += site->again;
    sum->executions += site->executions;
    if (site->again > sum->most) sum->most = site->again, sum->pc = pc;
  }
}

// All loads of the array that an instruction loads from: a word may come first by one line and again by another.
static Loads loads_of_object(const Judge *judge, int pc) {
  Loads all = {0};
  int object = judge_object(judge, pc);
  for (int other = 0; other < judge->of->module->code_count; other++)
    if (any_site(judge, other) && judge_object(judge, other) == object) add_loads(judge, other, &all);
  return all;
}

static const char *cause_of_reload(Judge *judge, int pc, const Array *array) {
  static const char *const axes[] = {"x", "y", "z"};
  const Launch *launch = &judge->of->info->launch;
  Slopes slopes;
  slopes_of(judge->of, pc, &slopes);
  for (int k = 2; k >= 0 && slopes.threads_known; k--)
    if (launch->block[k] > 1 && slopes.thread[k] == 0)
      return judge_text(judge, "Threads that differ only in threadIdx.%s load the same elements of %s.", axes[k],
                        array->name);
  return judge_text(judge, "Threads of the block load elements of %s that others of them have loaded.", array->name);
}

static void judge_reload_line(Judge *judge, const JudgeLine *line, void *context) {
  const Loads *total = context;
  Loads sum = {.pc = line->pcs[0]};
  Array array;
  for (int i = 0; i < line->count; i++) add_loads(judge, line->pcs[i], &sum);
  if (line->is_store || sum.again * 3 < sum.bytes) return;   // a third of it: the edges of tiles are no finding
  Finding finding = judge_finding(judge, FINDING_RELOADED, sum.pc);
  finding.wasted = sum.again;
  finding.amount = sum.bytes;
  finding.total = total->bytes;
  finding.executions = sum.executions;
  finding.blocks_read = (uint32_t)watched(judge);
  finding.ideal = 1;
  if (!judge_is_told(&finding)) return;
  Loads all = loads_of_object(judge, sum.pc);
  finding.at = (double)all.bytes / (double)LS_MAX(all.bytes - all.again, 1);
  finding.message = judge_text(
      judge, "a block loads the same bytes %s times; %s of %s bytes here again, %s of all bytes loaded.",
      AVERAGE(finding.at), COUNT(sum.again), COUNT(sum.bytes), PERCENT((double)sum.again / (double)total->bytes));
  if (array_of(judge, any_site(judge, sum.pc), &array)) {
    finding.cause = cause_of_reload(judge, sum.pc, &array);
    finding.cure = judge_text(judge, "Let the block load its part of %s once into shared memory, and read it there.",
                              array.name);
    uint64_t blocks = (uint64_t)watched(judge);
    finding.gain = judge_text(judge, "%s bytes that a block loads from %s become %s.", COUNT(all.bytes / blocks),
                              array.name, COUNT((all.bytes - all.again) / blocks));
  }
  judge_add(judge, &finding);
}

static void judge_reloads(Judge *judge) {
  Loads total = {0};
  for (int pc = 0; pc < judge->of->module->code_count; pc++) add_loads(judge, pc, &total);
  if (total.again) judge_lines(judge, TRACE_GLOBAL, judge_reload_line, &total);
}

// ---- never wanted --------------------------------------------------------------------------------------------------

enum {
  NEAR = 16
};   // sectors: a gap of so many or more is another place, whose bytes in between are not this access's

static bool is_near(const Judge *judge, const WitnessMemory *memory, uint64_t sector, int way) {
  Array here, there;
  if (!array_at(judge->of, TRACE_GLOBAL, sector * COAL_SECTOR, &here)) return false;
  for (int i = 1; i <= NEAR; i++) {
    uint64_t other = way > 0 ? sector + (uint64_t)i : sector - (uint64_t)i;
    if (!witness_memory_find(memory, other)) continue;
    return array_at(judge->of, TRACE_GLOBAL, other * COAL_SECTOR, &there) && there.base == here.base;
  }
  return false;
}

// Bytes of a sector between those that the block wants: outside of them another block may want its own.
static int unused_of(const Judge *judge, const WitnessMemory *memory, const WitnessSector *sector) {
  uint32_t wanted = sector->wanted;
  if (wanted == UINT32_MAX || !wanted) return 0;
  int first = __builtin_ctz(wanted), last = 31 - __builtin_clz(wanted),
      inner = last - first + 1 - __builtin_popcount(wanted);
  if (first && is_near(judge, memory, sector->number - 1, -1)) inner += first;
  if (last < 31 && is_near(judge, memory, sector->number - 1, 1)) inner += 31 - last;
  return inner;
}

// Whether the bytes in between are wanted by neighboring blocks.
static bool is_shared_out(const Judge *judge, int pc) {
  Slopes slopes;
  slopes_of(judge->of, pc, &slopes);
  for (int k = 0; k < 3 && slopes.blocks_known; k++)
    if (slopes.block[k] && llabs(slopes.block[k]) < llabs(slopes.thread[0])) return true;
  return false;
}

typedef struct Unused { uint64_t *unused, *moved, total; } Unused;   // [code_count]

// Elements from one lane to the next; 0: that is no constant number. Addresses without a pattern are no matter of
// layout.
static uint64_t elements_apart(const WitnessSite *site) {
  int64_t stride = 0;
  if (!site || !site->width ||
      coal_shape(site->shapes[0].mask, site->width, site->shapes[0].addr, &stride) != COAL_STRIDED)
    return 0;
  return (uint64_t)llabs(stride) / site->width;
}

static void explain_unused(Judge *judge, int pc, Finding *finding) {
  const WitnessSite *site = any_site(judge, pc);
  Array array;
  if (!array_of(judge, site, &array)) return;
  finding->cause = judge_text(judge, "No thread of the block wants the bytes in between in %s.", array.name);
  if (array.type && array.type->kind == PTX_DW_STRUCT)
    finding->cure = judge_text(judge, "Keep the members of %s that are used apart from those that are not.",
                               array_element_name(&array));
  else if (elements_apart(site) > 1)
    finding->cure =
        judge_text(judge, "Keep what is used, one element in %s, next to one another.", COUNT(elements_apart(site)));
}

static void judge_unused_line(Judge *judge, const JudgeLine *line, void *context) {
  const Unused *sums = context;
  uint64_t unused = 0, moved = 0, most = 0;
  int pc = line->pcs[0];
  for (int i = 0; i < line->count; i++) {
    unused += sums->unused[line->pcs[i]];
    moved += sums->moved[line->pcs[i]];
    if (sums->unused[line->pcs[i]] > most) most = sums->unused[line->pcs[i]], pc = line->pcs[i];
  }
  Finding finding = judge_finding(judge, FINDING_UNUSED_BYTES, pc);
  finding.wasted = unused;
  finding.amount = moved;
  finding.total = sums->total;
  finding.blocks_read = (uint32_t)watched(judge);
  if (!judge_is_told(&finding) || is_shared_out(judge, pc) || !elements_apart(any_site(judge, pc))) return;
  finding.at = COAL_SECTOR;
  finding.ideal = COAL_SECTOR * (double)(moved - unused) / (double)moved;
  finding.message =
      judge_text(judge, "of each 32-byte sector a block wants %s bytes; %s bytes moved for nothing, %s of all.",
                 AVERAGE(finding.ideal), COUNT(unused), PERCENT((double)unused / (double)sums->total));
  explain_unused(judge, pc, &finding);
  judge_add(judge, &finding);
}

static void judge_unused(Judge *judge) {
  size_t codes = (size_t)judge->of->module->code_count + 1;
  Unused sums = {ls_alloc(sizeof(uint64_t) * codes), ls_alloc(sizeof(uint64_t) * codes), 0};
  for (int i = 0; i < watched(judge); i++) {
    const WitnessMemory *memory = witness_block(judge->of->witness, i)->memory;
    const WitnessSector *sector;
    if (!witness_block(judge->of->witness, i)->whole) continue;   // what comes later might want the rest
    for (uint32_t at = 0; (sector = witness_memory_next(memory, &at)) != NULL;) {
      sums.unused[sector->pc] += (uint64_t)unused_of(judge, memory, sector);
      sums.moved[sector->pc] += COAL_SECTOR;
      sums.total += COAL_SECTOR;
    }
  }
  if (sums.total) judge_lines(judge, TRACE_GLOBAL, judge_unused_line, &sums);
  free(sums.unused);
  free(sums.moved);
}

// ---- local memory --------------------------------------------------------------------------------------------------

static uint64_t local_sectors(const uint64_t *v) {
  return v[COUNTER_LOCAL_LOAD_SECTORS] + v[COUNTER_LOCAL_STORE_SECTORS];
}

// Whether which element is accessed changes from lane to lane, or from round to round.
static void how_it_varies(const Judge *judge, int pc, bool *by_lane, bool *by_round) {
  for (int i = 0; i < watched(judge); i++) {
    const WitnessSite *site = site_at(judge, i, pc);
    if (!site || !site->shape_count) continue;
    for (int s = 0; s < site->shape_count; s++)
      *by_lane |= coal_distinct(site->shapes[s].mask, site->shapes[s].addr) > 1;
    *by_round |= site->shape_count > 1 || site->round_all > site->round_same || (site->round_all && site->round != 0);
  }
}

static void judge_local_line(Judge *judge, const JudgeLine *line, void *context) {
  const uint64_t *total = context;
  uint64_t sectors = 0, requests = 0, most = 0;
  int pc = line->pcs[0];
  bool by_lane = false, by_round = false;
  for (int i = 0; i < line->count; i++) {
    const uint64_t *v = counters_at(judge->of->counters, line->pcs[i])->value;
    sectors += local_sectors(v);
    requests += v[COUNTER_LOCAL_LOAD_REQUESTS] + v[COUNTER_LOCAL_STORE_REQUESTS];
    if (local_sectors(v) > most) most = local_sectors(v), pc = line->pcs[i];
    how_it_varies(judge, line->pcs[i], &by_lane, &by_round);
  }
  Finding finding = judge_finding(judge, FINDING_LOCAL_MEMORY, pc);
  finding.wasted = finding.amount = sectors;
  finding.total = *total;
  finding.executions = requests;
  finding.at = (double)sectors / (double)requests;
  if (!judge_is_told(&finding)) return;
  finding.blocks_read = (uint32_t)watched(judge);
  finding.message =
      judge_text(judge, "%s sectors of a thread's own memory, %s of all sectors of global and local memory.",
                 COUNT(sectors), PERCENT((double)sectors / (double)*total));
  if (by_lane)
    finding.cause =
        "Which element of the array is wanted differs from lane to lane; registers cannot be chosen by a number.";
  else if (by_round)
    finding.cause =
        "Which element of the array is wanted changes from round to round; registers cannot be chosen by a number.";
  if (by_round && !by_lane)
    finding.cure =
        "Unroll the loops over the array (#pragma unroll): where every index is a constant it can live in registers.";
  judge_add(judge, &finding);
}

static void judge_local(Judge *judge) {
  const uint64_t *v = counters_total(judge->of->counters)->value;
  uint64_t total = local_sectors(v) + v[COUNTER_GLOBAL_LOAD_SECTORS] + v[COUNTER_GLOBAL_STORE_SECTORS];
  if (judge->of->module->debug) return;   // -G keeps every variable in memory, for the debugger
  if (local_sectors(v)) judge_lines(judge, TRACE_LOCAL, judge_local_line, &total);
}

// ---- constants -----------------------------------------------------------------------------------------------------

static void explain_constant(Judge *judge, Finding *finding) {
  const WitnessSite *site = NULL;
  uint32_t block = 0;
  Array array;
  int64_t stride;
  int bytes;
  const WitnessShape *shape = judge_worst(judge, finding->pc, &site, &block);
  LsText text = {0};
  if (!shape || !array_at(judge->of, TRACE_CONST, shape->addr[__builtin_ctz(shape->mask)], &array)) return;
  uint32_t rest = shape->mask & (shape->mask - 1);
  ls_text_addf(&text, "Lane %d reads ", __builtin_ctz(shape->mask));
  array_print(&array, shape->addr[__builtin_ctz(shape->mask)], &text);
  if (rest) {
    ls_text_addf(&text, ", lane %d ", __builtin_ctz(rest));
    array_print(&array, shape->addr[__builtin_ctz(rest)], &text);
  }
  ls_text_addf(&text, ": %d different words, one after the other.", shape->units);
  finding->cause = judge_take(judge, &text);
  finding->blocks_read = (uint32_t)watched(judge);
  int sectors = coal_measure(shape->mask, site->width, shape->addr, &bytes);
  (void)coal_shape(shape->mask, site->width, shape->addr, &stride);
  if (sectors >= shape->units) return;
  finding->cure = judge_text(
      judge, "Keep %s in global or shared memory: constant memory is for what all lanes read at once.", array.name);
  finding->gain = judge_text(judge, "%d passes become one request of %d sector%s in global memory.", shape->units,
                             sectors, sectors == 1 ? "" : "s");
}

static void judge_constant_line(Judge *judge, const JudgeLine *line, void *context) {
  const uint64_t *total = context;
  uint64_t requests = 0, passes = 0, most = 0;
  int pc = line->pcs[0];
  for (int i = 0; i < line->count; i++) {
    const uint64_t *v = counters_at(judge->of->counters, line->pcs[i])->value;
    requests += v[COUNTER_CONST_LOAD_REQUESTS];
    passes += v[COUNTER_CONST_LOAD_ADDRESSES];
    if (v[COUNTER_CONST_LOAD_ADDRESSES] > most) most = v[COUNTER_CONST_LOAD_ADDRESSES], pc = line->pcs[i];
  }
  if (passes <= requests) {
    judge_add_good(judge, line->pcs[0], "constants", "the same word for all lanes");
    return;
  }
  Finding finding = judge_finding(judge, FINDING_SERIALIZED_CONSTANT, pc);
  finding.wasted = passes - requests;
  finding.amount = passes;
  finding.total = *total;
  finding.executions = requests;
  finding.at = (double)passes / (double)requests;
  finding.ideal = 1;
  if (!judge_is_told(&finding)) return;
  finding.message =
      judge_text(judge, "%s passes where 1 would do; %s wasted, %s of all passes through the constant cache.",
                 AVERAGE(finding.at), COUNT(finding.wasted), PERCENT((double)finding.wasted / (double)*total));
  explain_constant(judge, &finding);
  judge_add(judge, &finding);
}

static void judge_constant(Judge *judge) {
  uint64_t total = counters_total(judge->of->counters)->value[COUNTER_CONST_LOAD_ADDRESSES];
  if (total) judge_lines(judge, TRACE_CONST, judge_constant_line, &total);
}

void judge_memory(Judge *judge) {
  judge_reloads(judge);
  judge_unused(judge);
  judge_local(judge);
  judge_constant(judge);
}
