// judge_sectors.c: global accesses that touch more sectors than their bytes would fill: which, along what their
// addresses run, and along what they should.
#include <stdlib.h>
#include <string.h>

#include "model/coal.h"
#include "model/findings/slope.h"
#include "model/findings/array.h"
#include "model/findings/finding_parts.h"

// ---- numbers -------------------------------------------------------------------------------------------------------

typedef struct Sum { uint64_t requests, sectors, bytes, least; } Sum;

static void add_site(const Judge *judge, int pc, Sum *sum) {
  const uint64_t *v = counters_at(judge->of->counters, pc)->value;
  sum->requests += v[COUNTER_GLOBAL_LOAD_REQUESTS] + v[COUNTER_GLOBAL_STORE_REQUESTS];
  sum->sectors += v[COUNTER_GLOBAL_LOAD_SECTORS] + v[COUNTER_GLOBAL_STORE_SECTORS];
  sum->bytes += v[COUNTER_GLOBAL_LOAD_BYTES] + v[COUNTER_GLOBAL_STORE_BYTES];
  sum->least += counters_least_sectors(judge->of->counters, pc);
}

// ---- how the addresses run -----------------------------------------------------------------------------------------

typedef enum Run {
  RUN_UNKNOWN,
  RUN_STRUCTURES,   // neighboring threads want the same member of neighboring structures
  RUN_OTHER_AXIS,   // threadIdx.y runs along memory, threadIdx.x does not
  RUN_ROUNDS,       // each thread runs along memory by itself, round by round
  RUN_BLOCKS,       // neighbors in memory belong to neighboring blocks
  RUN_SHIFTED,      // lanes follow one another, but do not begin at a sector
  RUN_PIECES,       // neighboring threads want neighboring pieces, each piece by several loads or stores of this line
  RUN_STRIDED,      // some other distance
  RUN_SCATTERED,
} Run;

typedef struct Way { Run run; int axis; int64_t apart, step; Slopes slopes; } Way;   // apart: bytes from lane to lane

static bool is_next(int64_t distance, int width) { return distance == width || distance == -width; }

static Way way_of(const Judge *judge, int pc, const WitnessSite *site, const WitnessShape *shape, const Array *array) {
  Way way = {.run = RUN_SCATTERED};
  int64_t stride = 0;
  CoalShape how = coal_shape(shape->mask, site->width, shape->addr, &stride);
  slopes_of(judge->of, pc, &way.slopes);
  const Slopes *a = &way.slopes;
  way.apart = a->threads_known && a->thread[0] ? a->thread[0] : how == COAL_STRIDED ? stride : 0;
  if (how == COAL_CONSECUTIVE || (a->threads_known && is_next(a->thread[0], site->width)))
    return way.run = RUN_SHIFTED, way;
  if (!way.apart) return way;
  way.run = RUN_STRIDED;
  uint64_t size = (uint64_t)llabs(way.apart);
  if (array && array->type && array->type->kind == PTX_DW_STRUCT && size == (uint64_t)array->element &&
      site->width < array->element)
    return way.run = RUN_STRUCTURES, way;
  for (int k = 1; k < 3 && a->threads_known; k++)
    if (is_next(a->thread[k], site->width)) return way.run = RUN_OTHER_AXIS, way.axis = k, way.step = a->thread[k], way;
  if (a->round_known && is_next(a->round, site->width)) return way.run = RUN_ROUNDS, way.step = a->round, way;
  for (int k = 0; k < 3 && a->blocks_known; k++)
    if (is_next(a->block[k], site->width)) return way.run = RUN_BLOCKS, way.axis = k, way.step = a->block[k], way;
  return way;
}

// Sectors of a full warp whose lanes lie next to one another.
static int side_by_side(const WitnessSite *site, const WitnessShape *shape) {
  uint64_t addr[32];
  int bytes, lane = 0;
  for (int i = 0; i < 32; i++) addr[i] = (uint64_t)(shape->mask >> i & 1 ? lane++ : 0) * site->width;
  return coal_measure(shape->mask, site->width, addr, &bytes);
}

// ---- whether turning an index around would hurt elsewhere ----------------------------------------------------------

// Another access of the kernel whose lanes are neighbors in memory now, and would not be with x and y turned around.
static bool others_run_along_x(const Judge *judge, int pc, int axis) {
  for (int other = 0; other < judge->of->module->code_count; other++) {
    Sum sum = {0};
    Slopes slopes;
    const WitnessSite *site = judge->of->witness ? witness_site(judge->of->witness, 0, other) : NULL;
    if (other == pc || !site || !site->warps || site->space != TRACE_GLOBAL) continue;
    add_site(judge, other, &sum);
    if (!sum.requests) continue;
    slopes_of(judge->of, other, &slopes);
    if (slopes.threads_known && is_next(slopes.thread[0], site->width) && !is_next(slopes.thread[axis], site->width))
      return true;
  }
  return false;
}

// ---- words ---------------------------------------------------------------------------------------------------------

static const char *const axes[] = {"x", "y", "z"};

static void add_lanes(const Array *array, const WitnessSite *site, const WitnessShape *shape, LsText *out) {
  int first = __builtin_ctz(shape->mask);
  uint32_t above = first == 31 ? 0 : shape->mask >> (first + 1) << (first + 1);
  ls_text_addf(out, "Lane %d %s ", first, site->kind == TRACE_LOAD ? "reads" : "writes");
  array_print(array, shape->addr[first], out);
  if (!above) return;
  int second = __builtin_ctz(above);
  ls_text_addf(out, ", lane %d ", second);
  array_print(array, shape->addr[second], out);
}

static void add_apart(const Way *way, LsText *out) {
  ls_text_addf(out, "neighboring lanes are %s bytes apart", COUNT((uint64_t)llabs(way->apart)));
}

static const char *cause_of(Judge *judge, const Array *array, const Way *way, const WitnessSite *site,
                            const WitnessShape *shape) {
  LsText text = {0};
  if (array) add_lanes(array, site, shape, &text), ls_text_add(&text, ": ");
  int first = __builtin_ctz(shape->mask);
  switch (way->run) {
    case RUN_STRUCTURES:
      ls_text_addf(&text, "a %s has %d bytes, of which this %s wants %d.", array_element_name(array), array->element,
                   site->kind == TRACE_LOAD ? "load" : "store", site->width);
      break;
    case RUN_OTHER_AXIS:
      add_apart(way, &text);
      ls_text_addf(&text, ". It is threadIdx.%s that goes along memory, %d bytes a step.", axes[way->axis],
                   site->width);
      break;
    case RUN_ROUNDS:
      add_apart(way, &text);
      ls_text_addf(&text, ". Each thread goes along memory by itself, %d bytes a round.", site->width);
      break;
    case RUN_BLOCKS:
      add_apart(way, &text);
      ls_text_addf(&text, ". The %d bytes in between belong to other blocks: it is blockIdx.%s that goes along memory.",
                   (int)(llabs(way->apart) - site->width), axes[way->axis]);
      break;
    case RUN_SHIFTED:
      ls_text_addf(&text, "the lanes follow one another, but begin %d bytes behind the start of a sector.",
                   (int)(shape->addr[first] % COAL_SECTOR));
      break;
    case RUN_PIECES:
      add_apart(way, &text);
      ls_text_addf(&text, ". Each wants all of them, %d at a time.", site->width);
      break;
    case RUN_STRIDED:
      add_apart(way, &text);
      ls_text_addc(&text, '.');
      break;
    default: ls_text_addf(&text, "the lanes' addresses follow no pattern, and lie in %d sectors.", shape->units);
  }
  return judge_take(judge, &text);
}

static const char *cure_of(Judge *judge, const Array *array, const Way *way, int pc) {
  const char *name = array ? array->name : "the array";
  switch (way->run) {
    case RUN_STRUCTURES:
      return judge_text(
          judge, "Keep each member of %s in an array of its own: then neighboring lanes want neighboring words.",
          array_element_name(array));
    case RUN_OTHER_AXIS:
      if (others_run_along_x(judge, pc, way->axis))
        return judge_text(
            judge,
            "Go through a tile in shared memory: threadIdx.x along the rows of the other array on one side of a "
            "barrier, and along those of %s on the other side.",
            name);
      return judge_text(judge, "Let threadIdx.x go along %s in place of threadIdx.%s: exchange the two in its index.",
                        name, axes[way->axis]);
    case RUN_PIECES:
      return judge_text(judge,
                        "Bring what the block wants of %s through shared memory: lane after lane between memory and "
                        "there, piece by piece between there and the threads.",
                        name);
    case RUN_ROUNDS:
      return judge_text(
          judge, "Let the lanes take neighbors and each round go on by all threads: i = blockIdx.x * blockDim.x + "
                 "threadIdx.x, and i += gridDim.x * blockDim.x.");
    case RUN_BLOCKS:
      if (way->axis) return judge_text(judge, "Let the threads of a block, not the blocks, go along %s.", name);
      return judge_text(judge, "Give each block neighbors: index %s by blockIdx.x * blockDim.x + threadIdx.x.", name);
    default: return NULL;
  }
}

// ---- the judge -----------------------------------------------------------------------------------------------------

static int costliest(const Judge *judge, const JudgeLine *line) {
  uint64_t most = 0;
  int pc = line->pcs[0];
  for (int i = 0; i < line->count; i++) {
    Sum sum = {0};
    add_site(judge, line->pcs[i], &sum);
    if (sum.sectors - sum.least > most) most = sum.sectors - sum.least, pc = line->pcs[i];
  }
  return pc;
}

// Whether the accesses of the line want, thread by thread, all of the bytes from one thread's first to the next one's.
static bool in_pieces(const Judge *judge, const JudgeLine *line, const WitnessSite *of, int64_t apart) {
  uint64_t size = (uint64_t)llabs(apart), parts = of->width ? size / of->width : 0;
  uint32_t seen = 0;
  if (parts < 2 || parts > 31 || size % of->width) return false;
  for (int i = 0; i < line->count; i++) {
    const WitnessSite *site = witness_site(judge->of->witness, 0, line->pcs[i]);
    if (!site || !site->first || !site->first_known[0] || !of->first_known[0] || site->width != of->width) continue;
    seen |= 1u << (site->first[0] - of->first[0] + (size << 8)) % size / of->width;
  }
  return seen == (1u << parts) - 1;
}

static void explain(Judge *judge, const JudgeLine *line, Finding *finding) {
  const WitnessSite *site = NULL;
  uint32_t block = 0;
  Array array;
  const WitnessShape *shape = judge_worst(judge, finding->pc, &site, &block);
  if (!shape) return;
  bool known = array_at(judge->of, TRACE_GLOBAL, shape->addr[__builtin_ctz(shape->mask)], &array);
  Way way = way_of(judge, finding->pc, site, shape, known ? &array : NULL);
  if (way.run == RUN_STRIDED && in_pieces(judge, line, site, way.apart)) way.run = RUN_PIECES;
  finding->blocks_read = (uint32_t)witness_blocks(judge->of->witness);
  finding->cause = cause_of(judge, known ? &array : NULL, &way, site, shape);
  finding->cure = cure_of(judge, known ? &array : NULL, &way, finding->pc);
  int after = side_by_side(site, shape);
  if (finding->cure && after < shape->units)
    finding->gain = judge_text(judge, "%d sectors become %d for such a request, %s become %s at this line.",
                               shape->units, after, COUNT(finding->amount), COUNT(finding->amount - finding->wasted));
}

static void tell_good(Judge *judge, const JudgeLine *line, const Sum *sum) {
  double used = (double)sum->bytes / (double)(sum->sectors * COAL_SECTOR);
  judge_add_good(judge, line->pcs[0], line->is_store ? "global stores" : "global loads",
                 judge_text(judge, "%.1f sectors a request, %s used", (double)sum->sectors / (double)sum->requests,
                            PERCENT(used)));
}

// Nine of ten sectors beyond the least are nobody's fault.
static bool is_excused(const Judge *judge, const JudgeLine *line) {
  uint64_t excused = 0, beyond = 0;
  for (int i = 0; judge->of->witness && i < witness_blocks(judge->of->witness); i++)
    for (int k = 0; k < line->count; k++) {
      const WitnessSite *site = witness_site(judge->of->witness, i, line->pcs[k]);
      if (!site) continue;
      excused += site->excused;
      beyond += site->units - site->least;
    }
  return beyond && excused * 10 >= beyond * 9;
}

static void judge_sector_line(Judge *judge, const JudgeLine *line, void *context) {
  const Sum *total = context;
  Sum sum = {0};
  for (int i = 0; i < line->count; i++) add_site(judge, line->pcs[i], &sum);
  if (sum.sectors <= sum.least) {
    tell_good(judge, line, &sum);
    return;
  }
  Finding finding = judge_finding(judge, FINDING_UNCOALESCED, costliest(judge, line));
  finding.wasted = sum.sectors - sum.least;
  finding.amount = sum.sectors;
  finding.total = total->sectors;
  finding.executions = sum.requests;
  finding.at = (double)sum.sectors / (double)sum.requests;
  finding.ideal = (double)sum.least / (double)sum.requests;
  if (!judge_is_told(&finding) || is_excused(judge, line)) return;
  finding.message = judge_text(judge, "%s sectors where %s would do; %s wasted, %s of all sectors of global memory.",
                               AVERAGE(finding.at), AVERAGE(finding.ideal), COUNT(finding.wasted),
                               PERCENT((double)finding.wasted / (double)finding.total));
  explain(judge, line, &finding);
  judge_add(judge, &finding);
}

void judge_sectors(Judge *judge) {
  Sum total = {0};
  for (int pc = 0; pc < judge->of->module->code_count; pc++) add_site(judge, pc, &total);
  if (total.requests) judge_lines(judge, TRACE_GLOBAL, judge_sector_line, &total);
}
