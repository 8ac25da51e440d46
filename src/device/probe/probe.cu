// probe.cu: what an instrumented kernel calls: counts for the whole grid, events of the blocks in focus.
//
// assets/make-probe compiles this to the PTX in probe_runtime.inc, which becomes part of the kernel's module. Nothing
// here waits for lanes that are not there: every operation between lanes names the lanes that run together.
//
// There are no atomics with results, and no volatile loads: the assembler takes a function that has them, and that a
// loop calls, for one that waits for others. It begins it with a YIELD, and at one of these an H200 lets lanes go on
// that wait for the lanes of another branch to join them: the warp would stay apart where the plain kernel does not.
#include <stddef.h>
#include "probe_layout.h"

typedef unsigned long long u64;
typedef unsigned int u32;

extern "C" {
extern __constant__ ProbeContext lanescope_probe;
extern __device__ u64 lanescope_probe_blocks[];
}

#define PROBE_CALLED extern "C" __device__ __noinline__

enum { GLOBAL, SHARED, LOCAL, CONST, PARAM };   // as TraceSpace

// ---- who is it -----------------------------------------------------------------------------------------------------

static __device__ u32 lane_number() {
  u32 lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

static __device__ u32 lanes_before() {
  u32 mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}

static __device__ bool is_first_of(u32 mask) { return (mask & lanes_before()) == 0; }

static __device__ u64 block_number() {
  return ((u64)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}

// Is this block recorded? Asked where some blocks are and some are not.
PROBE_CALLED u32 lanescope_probe_recorded() {
  u64 bit = block_number() - lanescope_probe.first_block;
  return bit < lanescope_probe.block_bits && (lanescope_probe_blocks[bit / 64] >> (bit % 64) & 1);
}

// The address of a variable in its space: the same, whoever tells it. Once it is known, nobody has to.
PROBE_CALLED void lanescope_probe_variable(u32 number, u64 address) {
  u64 *told = (u64 *)lanescope_probe.variables + number;
  if (!is_first_of(__activemask()) || *told == address + 1) return;
  asm volatile("red.global.max.u64 [%0], %1;" : : "l"(told), "l"(address + 1) : "memory");
}

// ---- spaces --------------------------------------------------------------------------------------------------------

// A generic address as that of its space, with the space in the highest bits.
PROBE_CALLED u64 lanescope_probe_generic(u64 address) {
  void *p = (void *)address;
  if (__isShared(p)) return (u64)__cvta_generic_to_shared(p) | (u64)SHARED << PROBE_SPACE_SHIFT;
  if (__isLocal(p)) return (u64)__cvta_generic_to_local(p) | (u64)LOCAL << PROBE_SPACE_SHIFT;
  if (__isConstant(p)) return (u64)__cvta_generic_to_constant(p) | (u64)CONST << PROBE_SPACE_SHIFT;
  return address;
}

// ---- counting ------------------------------------------------------------------------------------------------------

// The functions below are called by the lanes in mask. match.any takes an H200 two cycles for each value there is, four
// for each of 64 bits: it is asked where values are mostly few, and what fits a few bits is told by ballots.

// Lanes that have parted may vote together, though neither's mask has the others: they are left out.
static __device__ u32 votes(u32 mask, bool yes) { return __ballot_sync(mask, yes) & mask; }
static __device__ u32 how_many(u32 mask, bool yes) { return (u32)__popc(votes(mask, yes)); }

// The lanes of mask that have the same number.
static __device__ u32 same_number(u32 mask, u64 number) {
  int alike;
  __match_all_sync(mask, (u32)(number >> 32), &alike);
  return (alike ? __match_any_sync(mask, (u32)number) : __match_any_sync(mask, number)) & mask;
}

// The lanes of `of` that have the same number of so many bits. The compiler would make two of the predicate.
static __device__ u32 same_bits(u32 mask, u32 of, u32 number, u32 bits) {
#pragma unroll
  for (u32 bit = 0; bit < bits; bit++)
    asm volatile("{.reg .pred p; .reg .b32 set; "
        "and.b32 set, %1, %2; setp.ne.u32 p, set, 0; vote.sync.ballot.b32 set, p, %3; "
        "@!p not.b32 set, set; and.b32 %0, %0, set;}"
        : "+r"(of) : "r"(number), "r"(1u << bit), "r"(mask));
  return of;
}

static __device__ void add(u64 to, u64 number) {
  asm volatile("red.global.add.u64 [%0], %1;" : : "l"(to), "l"(number) : "memory");
}

struct Pair { u32 first, second; };

// The counters at `to` of accesses by the lanes in mask. how: width | PROBE_...
static __device__ void add_sums(u64 to, u32 how, u32 mask, u32 times, u64 first, u64 second) {
  if (!is_first_of(mask)) return;
  if (!(how & PROBE_COUNT_EACH)) add(to + PROBE_REQUESTS * sizeof(u64), (u64)times);
  add(to + PROBE_FIRST * sizeof(u64), first);
  if (second) add(to + PROBE_SECOND * sizeof(u64), second);
  if (how & PROBE_COUNT_DOING) add(to + PROBE_DOING * sizeof(u64), (u64)times * (u32)__popc(mask));
}

// Of one that was done so many times.
static __device__ void add_counts(u64 to, u32 how, u32 mask, Pair count, u32 times) {
  add_sums(to, how, mask, times, (u64)times * count.first, (u64)times * count.second);
}

// Addresses that go up from lane to lane: those that are the same are neighbors.
struct Rise {
  bool all, first;       // do all of them; is this the first lane
  u64 by;                // from the lane before
};

static __device__ Rise rise_of(u32 mask, u64 address) {
  u32 before = mask & lanes_before();
  u64 neighbor = __shfl_sync(mask, address, before ? 31 - __clz((int)before) : (int)lane_number());
  return Rise{(bool)__all_sync(mask, neighbor <= address), !before, address - neighbor};
}

// The lanes that are in the sector of this one, and those of them at its place.
struct Company { u32 sector, place; };

static __device__ Company company_of(u32 mask, u64 address) {
  u32 sector = same_number(mask, address / 32);
  return Company{sector, same_bits(mask, sector, (u32)address, 5)};
}

// Sectors of an aligned access, and the distinct bytes of it.
static __device__ Pair count_sectors(u32 mask, u32 width, u64 address) {
  Rise rise = rise_of(mask, address);
  bool sector = rise.first || rise.by > (address & 31), place = rise.first || rise.by;
  if (!rise.all) {
    Company with = company_of(mask, address);
    sector = is_first_of(with.sector);
    place = is_first_of(with.place);
  }
  return Pair{how_many(mask, sector), width * how_many(mask, place)};
}

PROBE_CALLED void lanescope_probe_sectors(u64 to, u32 how, u32 mask, u64 address, u32 times) {
  add_counts(to, how, mask, count_sectors(mask, how & 255, address), times);
}

// Of an access whose lanes look at each other themselves: sectors below, distinct places above.
PROBE_CALLED u32 lanescope_probe_sectors_and_places(u32 mask, u64 address) {
  Pair pair = count_sectors(mask, 1, address);
  return pair.first | pair.second << 16;
}

// The sum of what the lanes have, of which none is more than `most`.
static __device__ u64 sum_of(u32 mask, u32 number, u32 most) {
  u64 sum = 0;
#pragma unroll 1
  for (u32 bit = 0; bit < 32 && most >> bit; bit++) sum += (u64)how_many(mask, number >> bit & 1) << bit;
  return sum;
}

// In how many rounds a lane begins a sector that is `by` from the lane before it, while both go down by `step`: there
// it is less than `by` from the sector's start. In `period` rounds it is at all places that are apart by 32 / period.
static __device__ u32 beginnings(u64 by, u32 place, u32 step, u32 period, u32 rounds) {
  u32 apart = 32 / period, least = place & (apart - 1), most = by < 32 ? (u32)by : 32;
  u32 count = rounds / period * (most > least ? (most - least + apart - 1) / apart : 0);
#pragma unroll 1
  for (u32 left = rounds & (period - 1); left; left--, place -= step) count += (place & 31) < most;
  return count;
}

// An access in a loop, `rounds` times; the address was lower by `step` in the round before.
PROBE_CALLED void lanescope_probe_rounds(u64 to, u32 how, u32 mask, u64 address, u64 step, u32 rounds) {
  int same;
  __match_all_sync(mask, step, &same);
  Rise rise = rise_of(mask, address);
  u32 period = same ? step & 31 ? 32u >> (__ffs((int)(step & 31)) - 1) : 1 : rounds;
  if (same && rise.all) {
    u32 mine = beginnings(rise.first ? 32 : rise.by, (u32)address & 31, (u32)step, period, rounds);
    u32 bytes = (how & 255) * how_many(mask, rise.first || rise.by);
    add_sums(to, how, mask, rounds, sum_of(mask, mine, rounds), (u64)rounds * bytes);
    return;
  }
#pragma unroll 1
  for (u32 k = 0, times = rounds; k < period && times; k++, times--, address -= step)
    add_counts(to, how, mask, count_sectors(mask, how & 255, address), (times + period - 1) / period);
}

// Every sector as often as its longest queue is long; lanes behind others (model/coal.h, coal_atomic_sectors). That is:
// once for each place in a queue that anybody in the sector has.
PROBE_CALLED void lanescope_probe_queues(u64 to, u32 how, u32 mask, u64 address, u32 times) {
  Company with = company_of(mask, address);
  u32 ahead = (u32)__popc(with.place & lanes_before()), behind = how_many(mask, ahead != 0);
  u32 turns = how_many(mask, is_first_of(behind ? same_bits(mask, with.sector, ahead, 5) : with.sector));
  add_counts(to, how, mask, Pair{turns, behind}, times);
}

// Local memory is interleaved by word: eight lanes that want the same word share a sector.
static __device__ u32 count_words(u32 mask, u32 word) {
  u32 sector = __match_any_sync(mask, word) & mask & 255u << (lane_number() & ~7u);
  return how_many(mask, is_first_of(sector));
}

PROBE_CALLED u32 lanescope_probe_words(u32 mask, u32 word) { return count_words(mask, word); }

// Its addresses have 32 bits.
PROBE_CALLED void lanescope_probe_local(u64 to, u32 how, u32 mask, u64 address, u32 times) {
  u32 width = how & 255, words = width > 4 ? width / 4 : 1;
  u32 word = (u32)(address >> (width > 4 ? __ffs((int)width) - 1 : 2));
  u32 bytes = how & PROBE_COUNT_EACH ? 0 : width * (u32)__popc(mask);
  add_counts(to, how, mask, Pair{words * count_words(mask, word), bytes}, times);
}

// Passes of a constant load.
PROBE_CALLED void lanescope_probe_places(u64 to, u32 how, u32 mask, u64 address, u32 times) {
  add_counts(to, how, mask, Pair{how_many(mask, is_first_of(same_number(mask, address))), 0}, times);
}

// How many words lanes of a pass want at most in one bank, summed over passes. In each round the last lane that still
// waits at a bank gets its word, and so do all that want the same. bits: of the bank's number, lowest of the word's.
static __device__ u32 count_wavefronts(u32 mask, u32 pass, u32 word, u32 bits) {
  u32 lane = lane_number(), at_bank = same_bits(mask, pass, word, bits), waiting = mask, wavefronts = 0;
  if (pass == mask && !votes(mask, at_bank & (at_bank - 1))) return 1;   // each has a bank to itself
#pragma unroll 1
  do {
    wavefronts += pass == mask ? 1 : how_many(mask, is_first_of(pass) && waiting & pass);
    u32 next = at_bank & waiting, wanted = __shfl_sync(mask, word, next ? 31 - __clz((int)next) : (int)lane);
    waiting = votes(mask, waiting >> lane & 1 && word != wanted);
  } while (waiting);
  return wavefronts;
}

// Wavefronts of an access to shared memory, up to 4 bytes a lane: as many as the busiest bank has words (model/bank.h).
PROBE_CALLED u32 lanescope_probe_wavefronts(u32 address, u32 mask) {
  if (!(mask & (mask - 1))) return 1;
  return count_wavefronts(mask, mask, address / 4, 5);
}

// The same, and counted.
PROBE_CALLED void lanescope_probe_banks(u64 to, u32 how, u32 mask, u32 address, u32 times) {
  u32 wavefronts = count_wavefronts(mask, mask, address / 4, 5);
  add_counts(to, how, mask, Pair{wavefronts, wavefronts - 1}, times);
}

// Does the lane with one bit of its number flipped take no part, or want the same?
static __device__ bool agrees(u32 mask, u32 address, u32 flip) {
  u32 lane = lane_number(), partner = lane ^ flip;
  bool there = mask >> partner & 1;
  u32 other = __shfl_sync(mask, address, there ? partner : lane);
  return !there || other == address;
}

static __device__ u32 lanes_from(u32 first, u32 count) { return (count >= 32 ? ~0u : (1u << count) - 1) << first; }

// Passes, and which of them are one (model/bank.h). An aligned access shares all its words with another one or none, so
// its first word stands for them. Called for 8 and 16 bytes a lane.
static __device__ Pair count_wide_wavefronts(u32 mask, u32 address, u32 how) {
  u32 wide = (u32)__ffs((int)(how & 255)) - 3, lanes = 32 >> wide, lane = lane_number();   // 8 bytes: 1, 16 lanes a pass
  u32 pass = lanes_from(lane & ~(lanes - 1), lanes) & mask;
  if (how & PROBE_COUNT_LOAD) {
    u32 two = lanes_from(lane & ~(2 * lanes - 1), 2 * lanes) & mask;
    u32 differ1 = votes(mask, !agrees(mask, address, 1)), differ2 = votes(mask, !agrees(mask, address, 2));
    if (!(differ1 & two) || !(differ2 & two)) pass = two;
  }
  u32 place = address >> (2 + wide), passes = how_many(mask, is_first_of(pass));
  u32 wavefronts = count_wavefronts(mask, pass, place, 5 - wide);
  return Pair{wavefronts, wavefronts - passes};
}

PROBE_CALLED u32 lanescope_probe_wide_wavefronts(u32 address, u32 how, u32 mask) {
  Pair pair = count_wide_wavefronts(mask, address, how);
  return pair.first | pair.second << 16;
}

PROBE_CALLED void lanescope_probe_wide_banks(u64 to, u32 how, u32 mask, u32 address, u32 times) {
  add_counts(to, how, mask, count_wide_wavefronts(mask, address, how), times);
}

static __device__ void count_in(u32 space, u64 to, u32 how, u32 mask, u64 address, u32 times) {
  if (how & PROBE_COUNT_ATOM) lanescope_probe_queues(to, how, mask, address, times);
  else if (space == SHARED && (how & 255) > 4) lanescope_probe_wide_banks(to, how, mask, (u32)address, times);
  else if (space == SHARED) lanescope_probe_banks(to, how, mask, (u32)address, times);
  else if (space == LOCAL) lanescope_probe_local(to, how, mask, address, times);
  else if (space == CONST) lanescope_probe_places(to, how, mask, address, times);
  else lanescope_probe_sectors(to, how, mask, address, times);
}

// A generic access: each space that it goes to has counters.
static __device__ void count_generic(u64 to, u32 how, u32 mask, u64 address, u32 times) {
  address = lanescope_probe_generic(address);
  u32 space = (u32)(address >> PROBE_SPACE_SHIFT);
  address &= (1ull << PROBE_SPACE_SHIFT) - 1;
#pragma unroll 1
  for (u32 left = mask; left;) {
    u32 turn = __shfl_sync(mask, space, __ffs((int)left) - 1), lanes = votes(mask, space == turn);
    if (space == turn) count_in(space, to + space * PROBE_SPACE_COUNTS * sizeof(u64), how, lanes, address, times);
    left &= ~lanes;
  }
}

// One address for all lanes, but to shared memory.
static __device__ void count_alike(u64 to, u32 how, u32 mask, u64 address, u32 times) {
  u32 space = (u32)(address >> PROBE_SPACE_SHIFT), width = how & 255;
  u32 eights = mask | mask >> 4;
  eights |= eights >> 2;
  u32 sectors = (width > 4 ? width / 4 : 1) * (u32)__popc((eights | eights >> 1) & 0x01010101);
  Pair local = Pair{sectors, width * (u32)__popc(mask)}, other = Pair{1, space == CONST ? 0 : width};
  add_counts(to + space * PROBE_SPACE_COUNTS * sizeof(u64), how, mask, space == LOCAL ? local : other, times);
}

PROBE_CALLED void lanescope_probe_any(u64 to, u32 how, u32 mask, u64 address, u32 times) {
  int same;
  __match_all_sync(mask, address, &same);
  u64 place = lanescope_probe_generic(address);
  bool knows = same && !(how & PROBE_COUNT_ATOM) && (u32)(place >> PROBE_SPACE_SHIFT) != SHARED;
  if (knows) count_alike(to, how, mask, place, times);
  else count_generic(to, how, mask, address, times);
}

// One of several accesses, which all begin with all lanes in active.
PROBE_CALLED void lanescope_probe_piece(u64 to, u32 how, u32 active, u32 does, u64 address, u32 times) {
  u32 mask = votes(active, does != 0), space = how >> PROBE_COUNT_SPACE;
  if (!does) return;
  if (space >= PROBE_SPACES) count_generic(to, how, mask, address, times);
  else count_in(space, to, how, mask, address, times);
}

// cp.async, as the emulator sees it: see tell_copy in probe_decode_multi.c.
PROBE_CALLED void lanescope_probe_copy(u64 load, u64 store, u32 loads, u32 stores, u32 active, u32 does, u64 from, u64 to,
                                       u64 size) {
  u32 bytes = loads & 255, other = loads & ~255u;
  bool full = does && (u32)size >= bytes, rest = does && !full;
  lanescope_probe_piece(load, loads, active, full, from, 1);
  if (__any_sync(active, rest)) {
#pragma unroll 1
    for (u32 at = 0; at < bytes; at++) {
      bool whole = at % 4 == 0 && (u32)size >= at + 4, part = at % 4 < 3 && (u32)size > at && (u32)size < at / 4 * 4 + 4;
      lanescope_probe_piece(load, other | 4, active, rest && whole, from + at, 1);
      lanescope_probe_piece(load, other | 1, active, rest && part, from + at, 1);
    }
  }
  lanescope_probe_piece(store, stores, active, does != 0, to, 1);
}

// cp.async.bulk. Of one lane every chunk counts the same: one sector, or one wavefront.
PROBE_CALLED void lanescope_probe_bulk(u64 load, u64 store, u32 loads, u32 stores, u32 active, u32 does, u64 from, u64 to,
                                       u64 size) {
  u32 chunk = loads & 255;
  bool alone = how_many(active, does != 0) == 1;
  u32 times = alone ? ((u32)size + chunk - 1) / chunk : 1;
  u64 step = alone ? (u64)1 << 32 : chunk;
#pragma unroll 1
  for (u64 at = 0;; at += step) {
    bool goes_on = does && (u32)size > at;
    if (!__any_sync(active, goes_on)) break;
    lanescope_probe_piece(load, loads, active, goes_on, from + at, times);
    lanescope_probe_piece(store, stores, active, goes_on, to + at, times);
  }
}

// Chunks of a matrix, one after the other: see matrix_chunk_at in sim/ops/fragment.c. Element e lies in a line of 1 <<
// shift elements, or across them.
PROBE_CALLED void lanescope_probe_matrix(u64 to, u32 access, u32 active, u32 does, u64 base, u64 stride, u32 lane_shape,
                                         u32 line_shape) {
  u32 per_lane = lane_shape & 255, step = lane_shape >> 8 & 255, bits = lane_shape >> 16;
  u32 shift = line_shape & 255;
#pragma unroll 1
  for (u32 i = 0; i < per_lane; i += step) {
    u32 element = lane_number() * per_lane + i, line = element >> shift, at = element & ((1u << shift) - 1);
    if (line_shape >> 8) {
      u32 swap = line;
      line = at;
      at = swap;
    }
    lanescope_probe_piece(to, access, active, does != 0, base + (line * (u64)(u32)stride + at) * bits / 8, 1);
  }
}

// Lanes with the same key do it in one turn, the first lane's first (see PROBE_JUMPS).
PROBE_CALLED void lanescope_probe_turns(u64 to, u32 active, u32 does, u32 key) {
  u32 mask = votes(active, does != 0), together = (u32)__popc(active);
  u32 turns = 0, lanes = 0, parting = 0;
#pragma unroll 1
  for (u32 left = mask; left; turns++) {
    u32 same = votes(active, key == __shfl_sync(active, key, __ffs((int)left) - 1)) & left;
    lanes += together;
    parting += (u32)__popc(same) != together;
    together -= (u32)__popc(same);
    left &= ~same;
  }
  if (!is_first_of(active)) return;
  add(to + PROBE_JUMPS * sizeof(u64), (u64)(turns + (together != 0)));
  add(to + PROBE_JUMP_LANES * sizeof(u64), (u64)(lanes + together));
  add(to + PROBE_JUMP_PARTS * sizeof(u64), (u64)parting);
  add(to + PROBE_TURNS * sizeof(u64), (u64)(turns ? turns : 1));
  add(to + PROBE_TURN_LANES * sizeof(u64), (u64)__popc(mask));
}

// ---- events --------------------------------------------------------------------------------------------------------

// The numbers of the lanes in mask as origin + stride * (lane % width) + step * (lane / width), if that is what they
// are: from the first of them, the one beside it, and the first one of the next line. bits: of the width. lanes: who
// runs together.
static __device__ ProbeRow row_of(u32 lanes, u32 mask, u32 bits, u64 value) {
  u32 first = mask ? (u32)__ffs((int)mask) - 1 : 0, column = first & ((1u << bits) - 1);
  u32 end = ((first >> bits) + 1) << bits, rest = end < 32 ? mask >> end << end : 0;
  u32 beside = first + 1 < end && (mask >> (first + 1) & 1) ? first + 1 : first;
  u32 below = rest ? (u32)__ffs((int)rest) - 1 : first;
  int nobody = mask ? 0 : (int)lane_number();   // asks itself: it may be the only one there
  u64 base = __shfl_sync(lanes, value, mask ? (int)first : nobody);
  int stride = (int)(__shfl_sync(lanes, (u32)value, mask ? (int)beside : nobody) - (u32)base);
  int step = (int)(__shfl_sync(lanes, (u32)value, mask ? (int)below : nobody) - (u32)base);
  step -= stride * ((int)(below & ((1u << bits) - 1)) - (int)column);
  if ((below >> bits) - (first >> bits) != 1) step = 0;
  u64 before = (u64)((long long)stride * (int)column) + (u64)((long long)step * (int)(first >> bits));
  return ProbeRow{base - before, stride, step};
}

static __device__ u64 number_of(ProbeRow row, u32 bits) {
  u32 lane = lane_number(), column = lane & ((1u << bits) - 1);
  return row.origin + (u64)((long long)row.stride * (int)column) + (u64)((long long)row.step * (int)(lane >> bits));
}

// What is known of an array: see PROBE_LINE_BITS and what follows.
static __device__ bool is_narrow(u32 how, u32 array) { return how & (u32)PROBE_IS_NARROW << array; }
static __device__ bool is_known(u32 how, u32 array) { return how & (u32)PROBE_IS_KNOWN << array; }

static __device__ u32 form_of(u32 lanes, u32 mask, u32 how, u32 array, u64 value) {
  if (is_known(how, array)) return PROBE_KNOWN;
  bool mine = mask >> lane_number() & 1;
  u64 expected = number_of(row_of(lanes, mask, how & PROBE_LINE_BITS, value), how & PROBE_LINE_BITS);
  if (__all_sync(lanes, !mine || value == expected)) return PROBE_EVEN;
  if (is_narrow(how, array)) return PROBE_WORDS;
  u32 upper = __shfl_sync(lanes, (u32)(value >> 32), mask ? __ffs((int)mask) - 1 : (int)lane_number());
  return __all_sync(lanes, !mine || value >> 32 == upper) ? PROBE_WORDS : PROBE_LONGS;
}

static __device__ u32 units_of(u32 form, u32 mask, bool narrow) {
  u32 count = (u32)__popc(mask);
  if (form == PROBE_WORDS) return (count + 3) / 4 + !narrow;
  return form == PROBE_LONGS ? (count + 1) / 2 : form == PROBE_EVEN;
}

// A record's arrays: how many units it needs with them, and in the upper half which forms they have.
static __device__ u32 with_array(u32 code, u32 array, u32 lanes, u32 mask, u32 how, u64 value) {
  u32 form = form_of(lanes, mask, how, array, value);
  return code + units_of(form, mask, is_narrow(how, array)) + (form << (PROBE_FORM_SHIFT + PROBE_FORM_BITS * array));
}

PROBE_CALLED u32 lanescope_probe_look(u32 how, u32 lanes, u32 does, u64 a) {
  return with_array(1, 0, lanes, votes(lanes, does != 0), how, a);
}

PROBE_CALLED u32 lanescope_probe_look_at_three(u32 how, u32 lanes, u32 does, u64 a, u64 b, u64 c) {
  u32 mask = votes(lanes, does != 0);
  u32 code = with_array(how & PROBE_ASKS ? 2 : 1, 0, lanes, mask, how, a);
  code = with_array(code, 1, lanes, mask, how, b);
  return with_array(code, 2, lanes, mask, how, c);
}

// Where the record is to be, which the first lane knows; NULL: nowhere.
static __device__ uint4 *record_at(u32 lanes, u32 at) {
  at = __shfl_sync(lanes, at, __ffs((int)lanes) - 1);
  return at == ~0u ? 0 : (uint4 *)(lanescope_probe.records + (u64)at * PROBE_UNIT);
}

static __device__ void write_head(uint4 *to, u32 lanes, u32 site, u32 clock, u32 code, u32 mask) {
  if (is_first_of(lanes)) *to = make_uint4(site << PROBE_SITE_SHIFT | code >> PROBE_FORM_SHIFT, clock, lanes, mask);
}

// The array with this number; returns where the next one begins.
static __device__ uint4 *write_array(uint4 *to, u32 code, u32 array, u32 lanes, u32 mask, u32 how, u64 value) {
  u32 form = code >> (PROBE_FORM_SHIFT + PROBE_FORM_BITS * array) & ((1u << PROBE_FORM_BITS) - 1);
  bool mine = mask >> lane_number() & 1, narrow = is_narrow(how, array);
  u32 place = (u32)__popc(mask & lanes_before());
  if (form == PROBE_EVEN) {
    ProbeRow row = row_of(lanes, mask, how & PROBE_LINE_BITS, value);
    if (is_first_of(lanes)) *to = make_uint4((u32)row.origin, (u32)(row.origin >> 32), (u32)row.stride, (u32)row.step);
  } else if (form == PROBE_WORDS) {
    if (mine && !place && !narrow) *(u64 *)to = value >> 32;
    if (mine) ((u32 *)(narrow ? to : to + 1))[place] = (u32)value;
  } else if (mine && form == PROBE_LONGS) {
    ((u64 *)to)[place] = value;
  }
  return to + units_of(form, mask, narrow);
}

// A record with a number of each lane; code: what lanescope_probe_look says of them.
PROBE_CALLED void lanescope_probe_number(u32 site, u32 clock, u32 at, u32 code, u32 how, u32 lanes, u32 does, u64 a) {
  u32 mask = votes(lanes, does != 0);
  uint4 *to = record_at(lanes, at);
  if (!to) return;
  write_head(to, lanes, site, clock, code, mask);
  write_array(to + 1, code, 0, lanes, mask, how, a);
}

// With three.
PROBE_CALLED void lanescope_probe_numbers(u32 site, u32 clock, u32 at, u32 code, u32 how, u32 lanes, u32 does, u32 yes,
                                          u64 a, u64 b, u64 c) {
  u32 mask = votes(lanes, does != 0), agree = votes(lanes, does && yes);
  uint4 *to = record_at(lanes, at);
  if (!to) return;
  write_head(to, lanes, site, clock, code, mask);
  to++;
  if (how & PROBE_ASKS) {
    if (is_first_of(lanes)) *to = make_uint4(agree, 0, 0, 0);
    to++;
  }
  to = write_array(to, code, 0, lanes, mask, how, a);
  to = write_array(to, code, 1, lanes, mask, how, b);
  write_array(to, code, 2, lanes, mask, how, c);
}
