// test_model.c: sectors, wavefronts and queues, against slow oracles, the lectures, and counters read on an H200.
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "model/atomic.h"
#include "model/bank.h"
#include "model/coal.h"
#include "model/counter.h"

static const uint32_t ALL = 0xffffffffu;

// ---- oracles: byte by byte, nothing shared with the code under test -------------------------------------------------

static int compare_u64(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static int unique(uint64_t *values, int count) {
  if (count == 0) return 0;
  qsort(values, (size_t)count, sizeof *values, compare_u64);
  int n = 1;
  for (int i = 1; i < count; i++) n += values[i] != values[i - 1];
  return n;
}

// Distinct blocks of `unit` bytes that the request touches.
static int oracle_units(uint32_t mask, int width, const uint64_t *addr, uint64_t unit) {
  uint64_t all[32 * 32];
  int count = 0;
  for (int lane = 0; lane < 32; lane++)
    for (int b = 0; b < width; b++)
      if (mask >> lane & 1) all[count++] = (addr[lane] + (uint64_t)b) / unit;
  return unique(all, count);
}

static int oracle_local(uint32_t mask, int width, const uint64_t *addr) {
  uint64_t all[32 * 32];
  int count = 0;
  for (int lane = 0; lane < 32; lane++)
    for (int b = 0; b < width; b++)
      if (mask >> lane & 1) all[count++] = ((addr[lane] + (uint64_t)b) / 4 * 128 + (uint64_t)lane * 4) / 32;
  return unique(all, count);
}

static int oracle_wavefronts(uint32_t mask, int width, const uint64_t *addr, int banks, int word, int lanes) {
  int total = 0;
  for (int first = 0; first < 32; first += lanes) {
    int worst = 0;
    for (int bank = 0; bank < banks; bank++) {
      uint64_t all[32 * 32];
      int count = 0;
      for (int lane = first; lane < first + lanes; lane++)
        for (int b = 0; b < width; b++) {
          uint64_t at = (addr[lane] + (uint64_t)b) / (uint64_t)word;
          if ((mask >> lane & 1) && at % (uint64_t)banks == (uint64_t)bank) all[count++] = at;
        }
      worst = LS_MAX(worst, unique(all, count));
    }
    total += worst;
  }
  return total;
}

static int oracle_lanes(int width) { return width <= 4 ? 32 : width <= 8 ? 16 : width <= 16 ? 8 : 4; }

static int popcount(uint32_t x) { return __builtin_popcount(x); }

static TraceEvent access_event(TraceKind kind, TraceSpace space, uint32_t mask, int width, const uint64_t *addr) {
  return (TraceEvent){.kind = (uint8_t)kind, .space = (uint8_t)space, .active = mask, .mask = mask, .width = (uint8_t)width,
                      .addr = addr};
}

// Every kind of pattern that a kernel makes, from a seed.
static uint32_t random_request(LsMt *mt, int *width, uint64_t addr[32]) {
  static const int widths[] = {1, 2, 4, 4, 4, 8, 16, 32};
  *width = widths[ls_mt_u32(mt) % 8];
  uint64_t base = 0x7f0000000000 + ls_mt_u32(mt) % 4096 * (uint64_t)*width;
  uint32_t kind = ls_mt_u32(mt) % 6, span = 1u << ls_mt_u32(mt) % 14;
  int64_t stride = (int64_t)(ls_mt_u32(mt) % 80) - 20;
  for (int i = 0; i < 32; i++) {
    int64_t element = kind == 0 ? i : kind == 1 ? i * stride : kind == 2 ? 0 : kind == 3 ? i ^ (int)(span & 31) : 0;
    if (kind == 4) element = ls_mt_u32(mt) % span;
    if (kind == 5) element = i % 16 * stride + i / 16;
    addr[i] = base + (uint64_t)(element * *width);
  }
  if (ls_mt_u32(mt) % 8 == 0)
    for (int i = 0; i < 32; i++) addr[i] += ls_mt_u32(mt) % 4;
  uint32_t masks[] = {ALL, ALL, ls_mt_u32(mt), (1u << ls_mt_u32(mt) % 32) - 1, 1u << ls_mt_u32(mt) % 32, 0x55555555, 0};
  return masks[ls_mt_u32(mt) % 7];
}

static void check_picture(const TraceEvent *e, const Coalescing *c) {
  int sectors = 0, used = 0;
  uint32_t lanes = 0;
  for (int l = 0; l < c->line_count; l++) {
    CHECK(l == 0 || c->lines[l].base > c->lines[l - 1].base);
    CHECK_INT(c->lines[l].base % 128, 0);
    sectors += popcount(c->lines[l].sectors);
    for (int b = 0; b < 16; b++) used += popcount(c->lines[l].used[b]);
    for (int s = 0; s < 4; s++) {
      CHECK_INT(c->lines[l].lanes[s] != 0, c->lines[l].sectors >> s & 1);
      lanes |= c->lines[l].lanes[s];
    }
  }
  CHECK_INT(sectors, c->sectors);
  CHECK_INT(used, c->bytes_used);
  CHECK_INT(lanes, e->mask);
}

static int sectors_of(uint32_t mask, int width, const uint64_t addr[32]) {
  int bytes;
  return coal_measure(mask, width, addr, &bytes);
}

static void sectors_equal_the_oracle(void) {
  LsMt mt;
  ls_mt_seed(&mt, 1);
  for (int round = 0; round < 3000; round++) {
    uint64_t addr[32];
    int width, bytes;
    uint32_t mask = random_request(&mt, &width, addr);
    TraceEvent e = access_event(TRACE_LOAD, TRACE_GLOBAL, mask, width, addr);
    Coalescing c;
    coal_analyze(&e, COAL_SECTORS_32, &c);
    int sectors = oracle_units(mask, width, addr, 32), used = oracle_units(mask, width, addr, 1);
    CHECK_INT(sectors_of(mask, width, addr), sectors);
    CHECK_INT(coal_measure(mask, width, addr, &bytes), sectors);
    CHECK_INT(bytes, used);
    CHECK_INT(c.sectors, sectors);
    CHECK_INT(c.bytes_used, used);
    CHECK_INT(c.bytes_moved, sectors * 32);
    CHECK_INT(c.ideal_sectors, (used + 31) / 32);
    CHECK_INT(c.line_count, oracle_units(mask, width, addr, 128));
    check_picture(&e, &c);
    coal_analyze(&e, COAL_LINES_128, &c);
    CHECK_INT(c.bytes_moved, c.line_count * 128);
  }
}

// For each sector as many requests as lanes want one and the same of its addresses.
static int oracle_queues(uint32_t mask, const uint64_t addr[32], int *distinct) {
  int total = 0;
  *distinct = 0;
  for (int i = 0; i < 32; i++) {
    if (!(mask >> i & 1)) continue;
    int longest = 0;
    bool is_first = true, begins_sector = true;
    for (int j = 0; j < 32; j++) {
      if (!(mask >> j & 1) || addr[j] / 32 != addr[i] / 32) continue;
      int queue = 0;
      for (int k = 0; k < 32; k++) queue += mask >> k & 1 && addr[k] == addr[j];
      longest = LS_MAX(longest, queue);
      is_first &= j >= i || addr[j] != addr[i];
      begins_sector &= j >= i;
    }
    *distinct += is_first;
    total += begins_sector ? longest : 0;
  }
  return total;
}

static void queues_equal_the_oracle(void) {
  LsMt mt;
  ls_mt_seed(&mt, 5);
  for (int round = 0; round < 3000; round++) {
    uint64_t addr[32];
    int width, distinct, expected;
    uint32_t mask = random_request(&mt, &width, addr);
    CHECK_INT(coal_atomic_sectors(mask, addr, &distinct), oracle_queues(mask, addr, &expected));
    CHECK_INT(distinct, expected);
  }
  // tables of up to a kilobyte, anywhere
  for (int round = 0; round < 1000; round++) {
    uint64_t addr[32], base = (uint64_t)(ls_mt_u32(&mt) % 1024) * 4;
    int distinct, expected;
    uint32_t words = 1 + ls_mt_u32(&mt) % 256;
    for (int i = 0; i < 32; i++) addr[i] = base + (uint64_t)(ls_mt_u32(&mt) % words) * 4;
    CHECK_INT(coal_atomic_sectors(UINT32_MAX, addr, &distinct), oracle_queues(UINT32_MAX, addr, &expected));
    CHECK_INT(distinct, expected);
  }
}

static void local_memory_is_interleaved(void) {
  LsMt mt;
  ls_mt_seed(&mt, 2);
  for (int round = 0; round < 2000; round++) {
    uint64_t addr[32];
    int width;
    uint32_t mask = random_request(&mt, &width, addr);
    for (int i = 0; i < 32; i++) addr[i] %= 65536;
    TraceEvent e = access_event(TRACE_LOAD, TRACE_LOCAL, mask, width, addr);
    Coalescing c;
    coal_analyze(&e, COAL_SECTORS_32, &c);
    CHECK_INT(coal_local_sectors(mask, width, addr), oracle_local(mask, width, addr));
    CHECK_INT(c.sectors, oracle_local(mask, width, addr));
  }
  uint64_t same[32] = {0};
  CHECK_INT(coal_local_sectors(ALL, 4, same), 4);    // one word each: one full line
  CHECK_INT(coal_local_sectors(ALL, 16, same), 16);  // four words each: four lines
  CHECK_INT(coal_local_sectors(1, 4, same), 1);
}

// In one wavefront a bank gives one word; a lane has all it wants with the last of its words.
static void check_words(const TraceEvent *e, const Banking *b) {
  uint32_t given[64] = {0};
  int last[32];
  for (int lane = 0; lane < 32; lane++) last[lane] = -1;
  for (int i = 0; i < b->word_count; i++) {
    const BankWord *w = &b->words[i];
    uint32_t bank = 1u << w->word % (unsigned)b->bank_count;
    CHECK(w->lanes && (w->lanes & ~e->mask) == 0 && w->wave >= 0 && w->wave < b->wavefronts);
    CHECK_INT(given[w->wave] & bank, 0);
    given[w->wave] |= bank;
    for (int lane = 0; lane < 32; lane++)
      if (w->lanes >> lane & 1) last[lane] = LS_MAX(last[lane], w->wave);
  }
  for (int lane = 0; lane < 32; lane++)
    if (e->mask >> lane & 1) CHECK(b->waves[last[lane]].lanes >> lane & 1);
}

static void check_waves(const TraceEvent *e, const Banking *b) {
  uint32_t served = 0;
  check_words(e, b);
  for (int w = 0; w < b->wave_count; w++) {
    CHECK_INT(served & b->waves[w].lanes, 0);
    served |= b->waves[w].lanes;
  }
  CHECK_INT(b->wave_count, b->wavefronts);
  CHECK_INT(served, e->mask);
  int words = 0, used = 0;
  for (int i = 0; i < b->bank_count; i++) {
    words += b->bank_words[i];
    used += b->bank_words[i] != 0;
    CHECK_INT(b->bank_lanes[i] != 0, b->bank_words[i] != 0);
  }
  CHECK_INT(words, b->distinct_words);
  CHECK_INT(used, b->banks_used);
  CHECK_INT(b->conflicts, b->wavefronts - b->ideal);
}

// Of a store, whose passes never merge.
static int store_wavefronts(uint32_t mask, int width, const uint64_t addr[32]) {
  int ideal;
  return bank_count(false, mask, width, addr, &ideal);
}

static int store_ideal(uint32_t mask, int width, const uint64_t addr[32]) {
  int ideal;
  bank_count(false, mask, width, addr, &ideal);
  return ideal;
}

static void wavefronts_equal_the_oracle(void) {
  LsMt mt;
  ls_mt_seed(&mt, 3);
  for (int round = 0; round < 3000; round++) {
    uint64_t addr[32];
    int width;
    uint32_t mask = random_request(&mt, &width, addr);
    for (int i = 0; i < 32; i++) addr[i] -= 0x7f0000000000 - 65536;
    TraceEvent e = access_event(TRACE_STORE, TRACE_SHARED, mask, width, addr);
    Banking b;
    int expected = oracle_wavefronts(mask, width, addr, 32, 4, oracle_lanes(width));
    CHECK_INT(store_wavefronts(mask, width, addr), expected);
    bank_analyze(&e, BANK_32X4, &b);
    CHECK_INT(b.wavefronts, expected);
    CHECK_INT(b.ideal, store_ideal(mask, width, addr));
    e.kind = TRACE_LOAD;
    int ideal, wavefronts = bank_count(true, mask, width, addr, &ideal);
    bank_analyze(&e, BANK_32X4, &b);
    CHECK_INT(b.wavefronts, wavefronts);
    CHECK_INT(b.ideal, ideal);
    CHECK(wavefronts <= expected && ideal <= store_ideal(mask, width, addr));
    e.kind = TRACE_STORE;
    CHECK_INT(b.distinct_words, oracle_units(mask, width, addr, 4));
    check_waves(&e, &b);
    bank_analyze(&e, BANK_KEPLER_8, &b);
    CHECK_INT(b.wavefronts, oracle_wavefronts(mask, width, addr, 32, 8, width <= 8 ? 32 : oracle_lanes(width / 2)));
    check_waves(&e, &b);
    bank_analyze(&e, BANK_16_HALF, &b);
    CHECK_INT(b.wavefronts, oracle_wavefronts(mask, width, addr, 16, 4, 16));
    check_waves(&e, &b);
  }
}

// C092: a stride of s words is served in gcd(s, 32) wavefronts; a stride of 0 is a broadcast.
static void stride_degree_is_the_gcd(void) {
  for (int stride = 0; stride <= 128; stride++) {
    uint64_t addr[32];
    for (int i = 0; i < 32; i++) addr[i] = (uint64_t)(i * stride) * 4;
    int a = stride, b = 32;
    while (b) { int t = a % b; a = b; b = t; }
    CHECK_INT(store_wavefronts(ALL, 4, addr), stride ? a : 1);
    TraceEvent e = access_event(TRACE_LOAD, TRACE_SHARED, ALL, 4, addr);
    Banking half;
    bank_analyze(&e, BANK_16_HALF, &half);   // 16 banks: conflict-free if and only if the stride is odd
    if (stride) CHECK_INT(half.conflicts == 0, stride % 2);
  }
}

// C094 with E46: a column of doubles in rows of 32 and of 33.
static void columns_of_doubles(void) {
  uint64_t plain[32], padded[32];
  for (uint64_t i = 0; i < 32; i++) plain[i] = i * 32 * 8, padded[i] = i * 33 * 8;
  CHECK_INT(store_wavefronts(ALL, 8, plain), 32);
  CHECK_INT(store_wavefronts(ALL, 8, padded), 2);
  TraceEvent e = access_event(TRACE_LOAD, TRACE_SHARED, ALL, 8, plain);
  Banking b;
  bank_analyze(&e, BANK_KEPLER_8, &b);
  CHECK_INT(b.wavefronts, 32);
  e.addr = padded;
  bank_analyze(&e, BANK_KEPLER_8, &b);
  CHECK_INT(b.wavefronts, 1);
}

static void small_words_merge(void) {
  uint64_t bytes[32], shorts[32];
  for (uint64_t i = 0; i < 32; i++) bytes[i] = i, shorts[i] = 2 * i;
  CHECK_INT(store_wavefronts(ALL, 1, bytes), 1);
  CHECK_INT(store_wavefronts(ALL, 2, shorts), 1);
  for (uint64_t i = 0; i < 32; i++) bytes[i] = i * 128 + i % 4;
  CHECK_INT(store_wavefronts(ALL, 1, bytes), 32);
}

static void empty_passes_cost_nothing(void) {
  uint64_t addr[32];
  for (uint64_t i = 0; i < 32; i++) addr[i] = i * 16;
  CHECK_INT(store_wavefronts(0, 16, addr), 0);
  CHECK_INT(store_ideal(0, 4, addr), 0);
  CHECK_INT(store_ideal(0x0000ffff, 8, addr), 1);
  CHECK_INT(store_wavefronts(0x0000ffff, 8, addr), 2);
  CHECK_INT(store_ideal(0x01000001, 16, addr), 2);
  CHECK_INT(store_ideal(ALL, 16, addr), 4);
  CHECK_INT(store_wavefronts(ALL, 16, addr), 4);
  CHECK_INT(sectors_of(0, 4, addr), 0);
}

// ---- the lectures' patterns, C061 to C070 ---------------------------------------------------------------------------

typedef struct Pattern { const char *name; int first, stride, lines, sectors; double lines_used, sectors_used; } Pattern;

static void lecture_patterns(void) {
  static const Pattern patterns[] = {
      {"C061 C062 aligned", 0, 4, 1, 4, 1.0, 1.0},
      {"C065 C066 one word off", 4, 4, 2, 5, 0.5, 0.8},
      {"C066 a sector off", 32, 4, 2, 4, 0.5, 1.0},
      {"C067 C068 one word for all", 0, 0, 1, 1, 0.03125, 0.125},
      {"C069 C070 far apart", 0, 4096, 32, 32, 0.03125, 0.125},
      {"C073 x of float3", 0, 12, 3, 12, 1.0 / 3, 1.0 / 3},
  };
  for (int p = 0; p < LS_COUNT(patterns); p++) {
    uint64_t addr[32];
    for (int i = 0; i < 32; i++) addr[i] = 0x10000 + (uint64_t)(patterns[p].first + i * patterns[p].stride);
    TraceEvent e = access_event(TRACE_LOAD, TRACE_GLOBAL, ALL, 4, addr);
    Coalescing c;
    coal_analyze(&e, COAL_SECTORS_32, &c);
    CHECK_INT(c.line_count, patterns[p].lines);
    CHECK_INT(c.sectors, patterns[p].sectors);
    CHECK_INT(c.alignment, patterns[p].first % 32);
    CHECK((double)c.bytes_used / c.bytes_moved == patterns[p].sectors_used);
    coal_analyze(&e, COAL_LINES_128, &c);
    CHECK((double)c.bytes_used / c.bytes_moved == patterns[p].lines_used);
  }
}

static void permuted_is_as_good_as_ordered(void) {   // C063 C064
  uint64_t addr[32];
  int64_t stride;
  for (int i = 0; i < 32; i++) addr[i] = 0x1000 + (uint64_t)(i * 7 % 32) * 4;
  CHECK_INT(sectors_of(ALL, 4, addr), 4);
  CHECK_INT(coal_shape(ALL, 4, addr, &stride), COAL_PERMUTED);
}

static void shapes(void) {
  uint64_t addr[32];
  int64_t stride;
  for (uint64_t i = 0; i < 32; i++) addr[i] = 0x1000 + 4 * i;
  CHECK_INT(coal_shape(ALL, 4, addr, &stride), COAL_CONSECUTIVE);
  CHECK_INT(coal_shape(0xf0f0, 4, addr, &stride), COAL_CONSECUTIVE);
  CHECK_INT(coal_shape(8, 4, addr, &stride), COAL_UNIFORM);
  CHECK_INT(coal_shape(0x11111111, 4, addr, &stride), COAL_CONSECUTIVE);
  for (uint64_t i = 0; i < 32; i++) addr[i] = 0x1000 - 12 * i;
  CHECK_INT(coal_shape(ALL, 4, addr, &stride), COAL_STRIDED);
  CHECK_INT(stride, -12);
  addr[7] = 0;
  CHECK_INT(coal_shape(ALL, 4, addr, &stride), COAL_SCATTERED);
}

static void atomics_queue(void) {
  uint64_t addr[32];
  for (uint64_t i = 0; i < 32; i++) addr[i] = 0x100 + (i < 20 ? 0 : 8 * (i % 3));
  TraceEvent e = access_event(TRACE_ATOM, TRACE_GLOBAL, 0x00f0ffff, 4, addr);
  Atomics a;
  atomic_analyze(&e, &a);
  CHECK_INT(a.queue_count, 3);
  CHECK_INT(a.longest, 17);
  CHECK_INT(a.queues[0].addr, 0x100);
  CHECK_INT(a.queues[0].lanes, 0x0020ffff);
  CHECK_INT(a.queues[1].addr, 0x110);
  CHECK_INT(a.queues[1].lanes, 0x00900000);
  CHECK_INT(a.queues[2].addr, 0x108);
  CHECK_INT(a.queues[2].lanes, 0x00400000);
  CHECK_INT(coal_distinct(0x00f0ffff, addr), 3);
}

// ---- counters: the kernels of h200-counters.cu, by hand -------------------------------------------------------------

enum { PCS = 4 };
static PtxInstr code[PCS];
static PtxModule module = {.code = code, .code_count = PCS};

typedef struct Expected { int parameter; uint64_t requests, units, conflicts; } Expected;

static void push(Counters *counters, int pc, TraceKind kind, TraceSpace space, uint32_t mask, int width, const uint64_t *addr) {
  TraceEvent e = access_event(kind, space, mask, width, addr);
  e.pc = pc;
  counters_sink(counters)->access(counters_sink(counters), &e);
}

static void check_three(const Counters *counters, CounterId first, uint64_t requests, uint64_t units) {
  CHECK_INT(counters_total(counters)->value[first], requests);
  CHECK_INT(counters_total(counters)->value[first + 1], units);
}

// o[t] = i[t * s] and i[t + s], 64 blocks of 256 threads.
static void one_dimensional(bool strided, const Expected *rows, int count) {
  for (int r = 0; r < count; r++) {
    Counters *counters = counters_new(&module);
    for (int warp = 0; warp < 64 * 8; warp++) {
      uint64_t in[32], out[32];
      for (int i = 0; i < 32; i++) {
        int t = warp * 32 + i, s = rows[r].parameter;
        in[i] = 0x7f0000000000 + 4 * (uint64_t)(strided ? t * s : t + s);
        out[i] = 0x7f1000000000 + 4 * (uint64_t)t;
      }
      push(counters, 0, TRACE_LOAD, TRACE_GLOBAL, ALL, 4, in);
      push(counters, 1, TRACE_STORE, TRACE_GLOBAL, ALL, 4, out);
    }
    check_three(counters, COUNTER_GLOBAL_LOAD_REQUESTS, rows[r].requests, rows[r].units);
    check_three(counters, COUNTER_GLOBAL_STORE_REQUESTS, 512, 2048);
    CHECK_INT(counters_total(counters)->value[COUNTER_GLOBAL_LOAD_BYTES], 65536);
    counters_free(counters);
  }
}

static void h200_strides(void) {
  static const Expected rows[] = {{1, 512, 2048, 0}, {2, 512, 4096, 0}, {3, 512, 6144, 0}, {5, 512, 10240, 0},
                                  {7, 512, 14336, 0}, {8, 512, 16384, 0}, {12, 512, 16384, 0}, {32, 512, 16384, 0}};
  one_dimensional(true, rows, LS_COUNT(rows));
}

static void h200_offsets(void) {
  static const Expected rows[] = {{0, 512, 2048, 0}, {1, 512, 2560, 0}, {4, 512, 2560, 0}, {7, 512, 2560, 0},
                                  {8, 512, 2048, 0}, {13, 512, 2560, 0}, {25, 512, 2560, 0}};
  one_dimensional(false, rows, LS_COUNT(rows));
}

// y * 128 + x or x * 128 + y over a 128 x 128 matrix in blocks of bx x by.
static void two_dimensional(int bx, int by, bool column, uint64_t sectors) {
  Counters *counters = counters_new(&module);
  for (int block = 0; block < 128 / bx * (128 / by); block++)
    for (int warp = 0; warp < bx * by / 32; warp++) {
      uint64_t addr[32];
      for (int i = 0; i < 32; i++) {
        int lin = warp * 32 + i, x = block % (128 / bx) * bx + lin % bx, y = block / (128 / bx) * by + lin / bx;
        addr[i] = 0x7f0000000000 + 4 * (uint64_t)(column ? x * 128 + y : y * 128 + x);
      }
      push(counters, 0, TRACE_LOAD, TRACE_GLOBAL, ALL, 4, addr);
    }
  check_three(counters, COUNTER_GLOBAL_LOAD_REQUESTS, 512, sectors);
  counters_free(counters);
}

static void h200_matrices(void) {
  two_dimensional(32, 8, false, 2048);
  two_dimensional(16, 16, false, 2048);
  two_dimensional(8, 32, false, 2048);
  two_dimensional(32, 8, true, 16384);
  two_dimensional(16, 16, true, 8192);
}

// sm[(s * threadIdx.x) & (size - 1)], 2 blocks of 64 threads.
static void shared_stride(TraceKind kind, int width, int size, const Expected *rows, int count) {
  CounterId first = kind == TRACE_LOAD ? COUNTER_SHARED_LOAD_INSTRUCTIONS : COUNTER_SHARED_STORE_INSTRUCTIONS;
  for (int r = 0; r < count; r++) {
    Counters *counters = counters_new(&module);
    for (int warp = 0; warp < 4; warp++) {
      uint64_t addr[32];
      for (int i = 0; i < 32; i++) addr[i] = (uint64_t)((rows[r].parameter * (warp % 2 * 32 + i) & (size - 1)) * width);
      push(counters, 2, kind, TRACE_SHARED, ALL, width, addr);
    }
    check_three(counters, first, rows[r].requests, rows[r].units);
    CHECK_INT(counters_total(counters)->value[first + 2], rows[r].conflicts);
    counters_free(counters);
  }
}

static void h200_banks(void) {
  static const Expected bank[] = {{0, 4, 4, 0}, {1, 4, 4, 0}, {2, 4, 8, 4}, {3, 4, 4, 0}, {6, 4, 8, 4}, {8, 4, 32, 28},
                                  {17, 4, 4, 0}, {32, 4, 128, 124}, {33, 4, 4, 0}};
  static const Expected bank2[] = {{1, 4, 8, 0}, {2, 4, 16, 8}, {3, 4, 8, 0}, {16, 4, 128, 120}, {17, 4, 8, 0}};
  static const Expected bankst[] = {{1, 4, 4, 0}, {2, 4, 8, 4}, {8, 4, 32, 28}, {32, 4, 128, 124}, {33, 4, 4, 0}};
  shared_stride(TRACE_LOAD, 4, 2048, bank, LS_COUNT(bank));
  shared_stride(TRACE_LOAD, 8, 1024, bank2, LS_COUNT(bank2));
  shared_stride(TRACE_STORE, 4, 2048, bankst, LS_COUNT(bankst));
}

// 16 blocks of 32 x 32 threads read a column of s[32][row].
static void transpose(int row, uint64_t wavefronts, uint64_t conflicts) {
  Counters *counters = counters_new(&module);
  for (int warp = 0; warp < 512; warp++) {
    uint64_t addr[32];
    for (int i = 0; i < 32; i++) addr[i] = (uint64_t)(i * row + warp % 32) * 4;
    push(counters, 0, TRACE_LOAD, TRACE_SHARED, ALL, 4, addr);
  }
  check_three(counters, COUNTER_SHARED_LOAD_INSTRUCTIONS, 512, wavefronts);
  CHECK_INT(counters_total(counters)->value[COUNTER_SHARED_LOAD_BANK_CONFLICTS], conflicts);
  counters_free(counters);
}

static void h200_transposes(void) {
  transpose(32, 16384, 15872);
  transpose(33, 512, 0);
}

// The tree of k_interleave: at distance s, lanes with 2 s id < 256 read two words and write one. 16 blocks.
static void h200_interleaved_tree(void) {
  Counters *counters = counters_new(&module);
  uint64_t none[32] = {0};
  for (int block = 0; block < 16; block++) {
    for (int warp = 0; warp < 8; warp++) {
      uint64_t own[32];
      for (int i = 0; i < 32; i++) own[i] = (uint64_t)(warp * 32 + i) * 4;
      push(counters, 0, TRACE_STORE, TRACE_SHARED, ALL, 4, own);
      for (int s = 1; s < 256; s *= 2) {
        uint64_t left[32], right[32];
        uint32_t mask = 0;
        for (int i = 0; i < 32; i++) {
          int index = 2 * s * (warp * 32 + i);
          if (index < 256) mask |= 1u << i;
          left[i] = (uint64_t)index * 4;
          right[i] = (uint64_t)(index + s) * 4;
        }
        push(counters, 1, TRACE_LOAD, TRACE_SHARED, mask, 4, left);
        push(counters, 2, TRACE_LOAD, TRACE_SHARED, mask, 4, right);
        push(counters, 3, TRACE_STORE, TRACE_SHARED, mask, 4, left);
      }
    }
    push(counters, 1, TRACE_LOAD, TRACE_SHARED, 1, 4, none);
  }
  check_three(counters, COUNTER_SHARED_LOAD_INSTRUCTIONS, 400, 1520);
  check_three(counters, COUNTER_SHARED_STORE_INSTRUCTIONS, 320, 880);
  CHECK_INT(counters_total(counters)->value[COUNTER_SHARED_LOAD_BANK_CONFLICTS], 1120);
  CHECK_INT(counters_total(counters)->value[COUNTER_SHARED_STORE_BANK_CONFLICTS], 560);
  counters_free(counters);
}

// ---- single accesses that an H200 counted ---------------------------------------------------------------------------

typedef struct Measured {
  char access[16];
  int width; uint32_t mask;
  uint64_t offset[32];
  int requests, sectors, wavefronts, conflicts;   // -1: does not apply
} Measured;

static int number(char **line) {
  int value = **line && strchr(",\n", **line) ? -1 : (int)strtol(*line, line, 10);
  if (**line == ',') ++*line;
  return value;
}

// access,width,mask,offsets,requests,sectors,wavefronts,bank_conflicts
static bool parse_measured(char *line, Measured *m) {
  int used = 0;
  if (sscanf(line, "%15[a-z.],%d,%x,%n", m->access, &m->width, &m->mask, &used) < 3) return false;
  line += used;
  for (int i = 0; i < 32; i++) m->offset[i] = strtoull(line, &line, 10);
  line++;
  m->requests = number(&line), m->sectors = number(&line), m->wavefronts = number(&line), m->conflicts = number(&line);
  return true;
}

// Which counter of a warp the access adds to first; the units follow it.
static CounterId counter_of(const Measured *m, TraceEvent *e) {
  static const struct { const char *access; TraceKind kind; TraceSpace space; int flags; CounterId first; } rows[] = {
      {"ld.shared", TRACE_LOAD, TRACE_SHARED, 0, COUNTER_SHARED_LOAD_INSTRUCTIONS},
      {"st.shared", TRACE_STORE, TRACE_SHARED, 0, COUNTER_SHARED_STORE_INSTRUCTIONS},
      {"ld.global", TRACE_LOAD, TRACE_GLOBAL, 0, COUNTER_GLOBAL_LOAD_REQUESTS},
      {"st.global", TRACE_STORE, TRACE_GLOBAL, 0, COUNTER_GLOBAL_STORE_REQUESTS},
      {"red.global", TRACE_ATOM, TRACE_GLOBAL, 0, COUNTER_GLOBAL_RED_REQUESTS},
      {"atom.global", TRACE_ATOM, TRACE_GLOBAL, TRACE_RETURNS_OLD, COUNTER_GLOBAL_ATOM_REQUESTS},
      {"st.local", TRACE_STORE, TRACE_LOCAL, 0, COUNTER_LOCAL_STORE_REQUESTS}};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    if (strcmp(rows[i].access, m->access)) continue;
    *e = access_event(rows[i].kind, rows[i].space, m->mask, m->width, m->offset);
    e->flags = (uint8_t)rows[i].flags;
    return rows[i].first;
  }
  return COUNTER_COUNT;
}

static void check_measured(const Measured *m) {
  TraceEvent e;
  CounterId first = counter_of(m, &e);
  CU_ASSERT_FATAL(first != COUNTER_COUNT);
  Counters *counters = counters_new(&module);
  counters_sink(counters)->access(counters_sink(counters), &e);
  const uint64_t *ours = &counters_total(counters)->value[first];
  CHECK_INT(ours[0], m->requests);
  CHECK_INT(ours[1], m->wavefronts >= 0 ? m->wavefronts : m->sectors);
  if (m->conflicts >= 0) CHECK_INT(ours[2], m->conflicts);
  if (m->wavefronts >= 0) {
    Banking b;
    bank_analyze(&e, BANK_32X4, &b);
    CHECK_INT(b.wavefronts, m->wavefronts);
    CHECK_INT(b.conflicts, m->conflicts);
    check_waves(&e, &b);
  }
  counters_free(counters);
}

static void h200_patterns(void) {
  FILE *file = fopen(LS_SOURCE_DIR "/tests/unit/model/hardware/h200-patterns.csv", "r");
  CU_ASSERT_FATAL(file != NULL);
  char line[1024];
  int rows = 0;
  CHECK(fgets(line, sizeof line, file) != NULL);   // names
  for (Measured m; fgets(line, sizeof line, file); rows++) {
    CHECK(parse_measured(line, &m));
    check_measured(&m);
  }
  fclose(file);
  CHECK_INT(rows, 913);
}

// ---- the fold itself ------------------------------------------------------------------------------------------------

static uint64_t at(const Counters *counters, int pc, CounterId id) { return counters_at(counters, pc)->value[id]; }

static void every_kind_counts(void) {
  Counters *counters = counters_new(&module);
  uint64_t same[32] = {0}, apart[32];
  for (uint64_t i = 0; i < 32; i++) apart[i] = i * 64;
  TraceSink *sink = counters_sink(counters);
  TraceEvent red = access_event(TRACE_ATOM, TRACE_GLOBAL, ALL, 4, same), atom = red, shared = red;
  red.pc = 0;
  sink->access(sink, &red);
  atom.flags = TRACE_RETURNS_OLD, atom.addr = apart, atom.pc = 1;
  sink->access(sink, &atom);
  shared.space = TRACE_SHARED, shared.pc = 2;
  sink->access(sink, &shared);
  push(counters, 3, TRACE_LOAD, TRACE_CONST, ALL, 4, apart);
  push(counters, 3, TRACE_LOAD, TRACE_LOCAL, ALL, 4, same);   // one instruction, several spaces: a generic load
  push(counters, 3, TRACE_STORE, TRACE_LOCAL, ALL, 4, same);
  push(counters, 3, TRACE_LOAD, TRACE_PARAM, ALL, 4, same);   // nobody counts those
  CHECK_INT(at(counters, 0, COUNTER_GLOBAL_RED_REQUESTS), 1);
  CHECK_INT(at(counters, 0, COUNTER_GLOBAL_RED_SECTORS), 32);   // one sector, 32 turns
  CHECK_INT(at(counters, 0, COUNTER_ATOMIC_CONFLICTS), 31);
  CHECK_INT(at(counters, 1, COUNTER_GLOBAL_ATOM_SECTORS), 32);
  CHECK_INT(at(counters, 1, COUNTER_ATOMIC_CONFLICTS), 0);
  CHECK_INT(at(counters, 2, COUNTER_SHARED_ATOM_INSTRUCTIONS), 1);
  CHECK_INT(at(counters, 3, COUNTER_CONST_LOAD_ADDRESSES), 32);
  CHECK_INT(at(counters, 3, COUNTER_LOCAL_LOAD_SECTORS), 4);
  CHECK_INT(at(counters, 3, COUNTER_LOCAL_STORE_REQUESTS), 1);
  CHECK_INT(counters_total(counters)->value[COUNTER_ATOMICS], 96);
  static const TraceKind kinds[] = {TRACE_BRANCH, TRACE_BARRIER, TRACE_SHUFFLE, TRACE_VOTE, TRACE_MATCH, TRACE_REDUX, TRACE_EXIT};
  for (int k = 0; k < LS_COUNT(kinds); k++) push(counters, k % PCS, kinds[k], TRACE_GLOBAL, ALL, 0, NULL);
  TraceEvent branch = {.kind = TRACE_BRANCH, .flags = TRACE_DIVERGES, .active = ALL, .pc = 2};
  sink->access(sink, &branch);
  const CounterSet *total = counters_total(counters);
  CHECK_INT(total->value[COUNTER_BRANCHES], 2);
  CHECK_INT(total->value[COUNTER_DIVERGENT_BRANCHES], 1);
  CHECK_INT(total->value[COUNTER_BARRIERS], 1);
  CHECK_INT(total->value[COUNTER_SHUFFLES], 1);
  CHECK_INT(total->value[COUNTER_VOTES], 3);
  counters_free(counters);
}

static void tallies_and_odd_events(void) {
  Counters *counters = counters_new(&module);
  TraceSink *sink = counters_sink(counters);
  TraceTally tallies[] = {{0, 10, 320, 0}, {3, 2, 5, 0}, {-1, 7, 7, 0}, {PCS, 7, 7, 0}};
  sink->tally(sink, tallies, LS_COUNT(tallies));
  uint64_t addr[32] = {0};
  push(counters, 1, TRACE_LOAD, TRACE_GLOBAL, 0, 4, addr);    // the guard is false everywhere: no request
  push(counters, PCS, TRACE_LOAD, TRACE_GLOBAL, ALL, 4, addr);
  push(counters, -1, TRACE_LOAD, TRACE_GLOBAL, ALL, 4, addr);
  push(counters, 1, TRACE_LOAD, (TraceSpace)77, ALL, 4, addr);
  push(counters, 1, (TraceKind)77, TRACE_GLOBAL, ALL, 4, addr);
  const CounterSet *total = counters_total(counters);
  for (int i = 0; i < COUNTER_COUNT; i++)
    CHECK_INT(total->value[i], i == COUNTER_WARP_INSTRUCTIONS ? 12 : i == COUNTER_THREAD_INSTRUCTIONS ? 325 : 0);
  CHECK_INT(at(counters, 3, COUNTER_THREAD_INSTRUCTIONS), 5);
  CHECK_INT(at(counters, PCS, COUNTER_WARP_INSTRUCTIONS), 0);
  counters_free(counters);
  counters_free(NULL);
}

typedef struct Numbered { int pc, kind, space; uint32_t mask; int width; uint64_t apart; } Numbered;

// Told with and without the number of what they have in common, by one sink and by one that was forked, accesses count
// the same wherever they lie in a sector.
static void numbers_of_shapes_change_no_count(void) {
  static const Numbered shapes[] = {
      {0, TRACE_LOAD, TRACE_GLOBAL, ALL, 4, 4},   {0, TRACE_LOAD, TRACE_GLOBAL, 0xffff0f00, 8, 24},
      {0, TRACE_LOAD, TRACE_SHARED, ALL, 4, 8},   {1, TRACE_STORE, TRACE_GLOBAL, 0x80000000, 1, 0},
      {1, TRACE_STORE, TRACE_SHARED, ALL, 16, 16}, {2, TRACE_LOAD, TRACE_LOCAL, ALL, 4, 0},
      {2, TRACE_LOAD, TRACE_CONST, 0xff, 4, 4},   {3, TRACE_STORE, TRACE_GLOBAL, ALL, 2, 6},
      {3, TRACE_LOAD, TRACE_PARAM, ALL, 4, 0}};
  Counters *plain = counters_new(&module), *numbered = counters_new(&module);
  TraceSink *child = counters_sink(numbered)->fork(counters_sink(numbered));
  LsMt random;
  ls_mt_seed(&random, 5);
  for (int i = 0; i < 4000; i++) {
    uint32_t which = ls_mt_u32(&random) % LS_COUNT(shapes);
    const Numbered *s = &shapes[which];
    uint64_t addr[32], base = 0x7f0000000000 + ls_mt_u32(&random) % 5000;
    for (uint64_t lane = 0; lane < 32; lane++) addr[lane] = base + s->apart * lane;
    push(plain, s->pc, (TraceKind)s->kind, (TraceSpace)s->space, s->mask, s->width, addr);
    TraceEvent e = access_event((TraceKind)s->kind, (TraceSpace)s->space, s->mask, s->width, addr);
    TraceSink *sink = i % 3 ? child : counters_sink(numbered);
    e.pc = s->pc;
    e.shape = ls_mt_u32(&random) % 10 ? which + 1 + 100 * (uint32_t)(i / 500) : 0;
    sink->access(sink, &e);
  }
  counters_sink(numbered)->join(counters_sink(numbered), child, true);
  for (int pc = 0; pc < PCS; pc++)
    CHECK(memcmp(counters_at(plain, pc), counters_at(numbered, pc), sizeof(CounterSet)) == 0);
  CHECK(memcmp(counters_total(plain), counters_total(numbered), sizeof(CounterSet)) == 0);
  CHECK(counters_total(plain)->value[COUNTER_LOCAL_LOAD_REQUESTS] > 300);
  counters_free(plain);
  counters_free(numbered);
}

// pc 1 was inlined from line 20 into line 10, where pc 0 is; pc 2 is on line 10 of another file; pc 3 is nowhere.
static void lines_gather_what_was_inlined(void) {
  PtxLoc locs[] = {{0, 10, 1, -1, NULL}, {0, 20, 1, 0, "helper"}, {1, 10, 1, -1, NULL}};
  PtxInstr instrs[4] = {{.loc = 0}, {.loc = 1}, {.loc = 2}, {.loc = -1}};
  PtxModule lined = {.code = instrs, .code_count = 4, .locs = locs, .loc_count = 3};
  Counters *counters = counters_new(&lined);
  TraceTally tallies[] = {{0, 1, 1, 0}, {1, 10, 10, 0}, {2, 100, 100, 0}, {3, 1000, 1000, 0}};
  counters_sink(counters)->tally(counters_sink(counters), tallies, 4);
  CounterSet set;
  counters_line(counters, 0, 10, &set);
  CHECK_INT(set.value[COUNTER_WARP_INSTRUCTIONS], 11);
  counters_line(counters, 0, 20, &set);
  CHECK_INT(set.value[COUNTER_WARP_INSTRUCTIONS], 10);
  counters_line(counters, 1, 10, &set);
  CHECK_INT(set.value[COUNTER_WARP_INSTRUCTIONS], 100);
  counters_line(counters, 1, 11, &set);
  CHECK_INT(set.value[COUNTER_WARP_INSTRUCTIONS], 0);
  counters_free(counters);
}

static void definitions_are_whole(void) {
  for (int i = 0; i < COUNTER_COUNT; i++) {
    const CounterDef *def = counter_def((CounterId)i);
    CHECK(def->name[0] && def->unit[0] && def->help[0] && def->metric);
    for (int j = 0; j < i; j++) CHECK(strcmp(def->name, counter_def((CounterId)j)->name) != 0);
  }
  CHECK(counter_def(COUNTER_COUNT) == NULL);
  CHECK_STR(counter_def(COUNTER_GLOBAL_LOAD_SECTORS)->metric, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
}

static const Check checks[] = {
    {"sectors equal the oracle", sectors_equal_the_oracle},
    {"queues equal the oracle", queues_equal_the_oracle},
    {"local memory is interleaved", local_memory_is_interleaved},
    {"wavefronts equal the oracle", wavefronts_equal_the_oracle},
    {"stride degree is the gcd", stride_degree_is_the_gcd},
    {"columns of doubles", columns_of_doubles},
    {"small words merge", small_words_merge},
    {"empty passes cost nothing", empty_passes_cost_nothing},
    {"lecture patterns", lecture_patterns},
    {"permuted is as good as ordered", permuted_is_as_good_as_ordered},
    {"shapes", shapes},
    {"atomics queue", atomics_queue},
    {"h200 strides", h200_strides},
    {"h200 offsets", h200_offsets},
    {"h200 matrices", h200_matrices},
    {"h200 banks", h200_banks},
    {"h200 transposes", h200_transposes},
    {"h200 interleaved tree", h200_interleaved_tree},
    {"h200 patterns", h200_patterns},
    {"every kind counts", every_kind_counts},
    {"tallies and odd events", tallies_and_odd_events},
    {"numbers of shapes change no count", numbers_of_shapes_change_no_count},
    {"lines gather what was inlined", lines_gather_what_was_inlined},
    {"definitions are whole", definitions_are_whole},
};

int main(int argc, char **argv) { return check_main("model", checks, LS_COUNT(checks), argc, argv); }
