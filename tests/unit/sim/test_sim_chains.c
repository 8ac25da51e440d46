// test_sim_chains.c: sums of words that lanes take or do not, in one piece: scans by shuffles and by words of shared
// memory, against sums made here; what only looks like them; and counters, against one event at a time.
#include "model/counter.h"
#include "sim/core/exec.h"
#include "sim_rig.h"

enum { THREADS = 96, BLOCKS = 3, WORDS = 1024 };

// A thread begins with its word of the buffer in %r10, and leaves %r31 there. %r4 is its lane, %r5 its warp.
static const char head[] =
    "  .shared .align 4 .b8 sh[64];\n"
    "  mov.u32 %r6, %ctaid.x; mad.lo.u32 %r7, %r6, 96, %r1; mul.wide.u32 %rd4, %r7, 4; add.u64 %rd5, %rd1, %rd4;\n"
    "  ld.global.u32 %r10, [%rd5]; and.b32 %r4, %r1, 31; shr.u32 %r5, %r1, 5; mov.u32 %r9, 0;\n"
    "  setp.lt.u32 %p9, %r1, 16; shl.b32 %r8, %r1, 2; mov.u32 %r3, sh; add.u32 %r8, %r8, %r3;\n"
    "  @!%p9 bra F;\n  st.shared.u32 [%r8], %r10;\nF:\n  bar.sync 0;\n";
static const char tail[] = "  st.global.u32 [%rd5], %r31;\n  ret;";

// A link: lanes from `d` on add what the lane that many to the left has.
#define LINK(d, p, got, term, to, from)                                                                   \
  "  shfl.sync.up.b32 " got ", " from ", " #d ", 0, -1; setp.lt.u32 " p ", %r4, " #d ";\n"                 \
  "  selp.b32 " term ", 0, " got ", " p "; add.s32 " to ", " term ", " from ";\n"
// A word of shared memory, for warps behind number k.
#define WORD(k, p, got, term, to, from)                                                                   \
  "  ld.shared.u32 " got ", [sh+4*" #k "]; setp.gt.u32 " p ", %r5, " #k ";\n"                              \
  "  selp.b32 " term ", " got ", 0, " p "; add.s32 " to ", " from ", " term ";\n"
#define SCAN(from)                                                                                        \
  LINK(1, "%p1", "%r11", "%r12", "%r13", from) LINK(2, "%p2", "%r14", "%r15", "%r16", "%r13")              \
  LINK(4, "%p3", "%r17", "%r18", "%r19", "%r16") LINK(8, "%p4", "%r20", "%r21", "%r22", "%r19")            \
  LINK(16, "%p5", "%r23", "%r24", "%r25", "%r22")

typedef uint32_t (*Expected)(uint32_t block, uint32_t thread);
typedef struct Body { const char *name, *code; int chains; Expected expected; } Body;

static uint32_t word_of(uint32_t block, uint32_t thread) { return block * THREADS + thread; }

static uint32_t scanned(uint32_t block, uint32_t thread) {
  uint32_t sum = 0;
  for (uint32_t t = thread / 32 * 32; t <= thread; t++) sum += word_of(block, t);
  return sum;
}
static uint32_t with_words(uint32_t block, uint32_t thread) {
  uint32_t sum = word_of(block, thread);
  for (uint32_t k = 0; k < 2; k++) if (thread / 32 > k) sum += word_of(block, k);
  return sum;
}
static uint32_t both(uint32_t block, uint32_t thread) {
  return scanned(block, thread) + with_words(block, thread) - word_of(block, thread);
}
static uint32_t by_lanes(uint32_t block, uint32_t thread) {   // words for odd lanes, then those of a lane to the right
  uint32_t sum[32], first = thread / 32 * 32, lane = thread % 32;
  for (uint32_t i = 0; i < 32; i++)
    sum[i] = word_of(block, first + i) + (i & 1 ? word_of(block, 3) : 0) + word_of(block, 5);
  return sum[lane] + (lane < 8 ? sum[lane + 3] : 0);
}
static uint32_t twice(uint32_t block, uint32_t thread) {
  uint32_t sum = word_of(block, thread);
  if (thread % 32 >= 1) sum += word_of(block, thread - 1);
  uint32_t left = thread % 32 >= 2 ? word_of(block, thread - 2) : 0;
  if (thread % 32 >= 3) left += word_of(block, thread - 3);
  return sum + left + sum;
}
static uint32_t out_of_range(uint32_t block, uint32_t thread) {   // lane 0 gets its own
  uint32_t sum[32], first = thread / 32 * 32, lane = thread % 32;
  for (uint32_t i = 0; i < 32; i++) sum[i] = word_of(block, first + i) + word_of(block, first + (i ? i - 1 : 0));
  return sum[lane] + sum[lane < 2 ? lane : lane - 2];
}

static const Body bodies[] = {
    {"a scan", SCAN("%r10") "  mov.u32 %r31, %r25;\n", 1, scanned},
    {"words", WORD(0, "%p1", "%r11", "%r12", "%r13", "%r10") WORD(1, "%p2", "%r14", "%r15", "%r16", "%r13")
     "  mov.u32 %r31, %r16;\n", 1, with_words},
    {"a scan, and words", SCAN("%r10") WORD(0, "%p6", "%r26", "%r27", "%r28", "%r25")
     WORD(1, "%p7", "%r29", "%r30", "%r31", "%r28"), 1, both},
    {"words for some lanes, and for all; from the right",
     "  and.b32 %r40, %r4, 1; setp.eq.u32 %p1, %r40, 1; setp.lt.u32 %p2, %r4, 99; setp.ge.u32 %p3, %r4, 8;\n"
     "  ld.shared.u32 %r11, [sh+12]; selp.b32 %r12, %r11, 0, %p1; add.u32 %r13, %r12, %r10;\n"
     "  ld.shared.u32 %r14, [sh+20]; selp.b32 %r15, %r14, 0, %p2; add.u32 %r16, %r13, %r15;\n"
     "  shfl.sync.down.b32 %r17, %r16, 3, 31, -1; selp.b32 %r18, 0, %r17, %p3; add.u32 %r31, %r16, %r18;\n", 1,
     by_lanes},
    // Somebody else looks at a sum on the way.
    {"a sum on the way", LINK(1, "%p1", "%r11", "%r12", "%r13", "%r10") LINK(2, "%p2", "%r14", "%r15", "%r16", "%r13")
     "  add.u32 %r31, %r16, %r13;\n", 0, twice},
    // Who is out of range takes what it has itself: that is no other lane's.
    {"lanes out of range",
     "  setp.lt.u32 %p1, %r4, 32;\n"
     "  shfl.sync.up.b32 %r11, %r10, 1, 0, -1; selp.b32 %r12, %r11, 0, %p1; add.u32 %r13, %r12, %r10;\n"
     "  shfl.sync.up.b32 %r14, %r13, 2, 0, -1; selp.b32 %r15, %r14, 0, %p1; add.u32 %r31, %r15, %r13;\n", 1,
     out_of_range},
};

typedef struct OneByOne { TraceSink sink, *to; } OneByOne;
static void on_access(TraceSink *sink, const TraceEvent *event) {
  TraceSink *to = ((OneByOne *)sink)->to;
  to->access(to, event);
}
static void on_tally(TraceSink *sink, const TraceTally *tallies, int count) {
  TraceSink *to = ((OneByOne *)sink)->to;
  to->tally(to, tallies, count);
}

typedef struct How { bool one_by_one; uint32_t checks; int threads; SimOrder order; uint64_t seed; } How;
typedef struct Result { uint32_t words[WORDS]; CounterSet counters; int faults, chains; } Result;

static void run(const Body *body, const How *how, Result *result) {
  Rig rig;
  char *text = ls_format("%s%s%s", head, body->code, tail);
  rig_kernel(&rig, ".param .u64 p0", "", text);
  Counters *counters = counters_new(rig.module);
  OneByOne one = {.sink = {.access = on_access, .tally = on_tally}, .to = counters_sink(counters)};
  rig.options.record_all = false;
  rig.options.checks = how->checks;
  rig.options.threads = how->threads;
  rig.options.order = how->order;
  rig.options.seed = how->seed;
  rig_size(&rig, "3", "96");
  rig_arg(&rig, "u32[1024]=iota");
  CHECK(rig_make(&rig));
  if (!rig.sim) printf("\n%s: %s\n", body->name, rig.err.message);
  CHECK(rig.sim && sim_run(rig.sim, how->one_by_one ? &one.sink : counters_sink(counters), &rig.err));
  *result = (Result){.counters = *counters_total(counters), .faults = rig_faults(&rig)};
  if (rig.sim) memcpy(result->words, rig_words(&rig, 0), sizeof result->words);
  if (rig.sim) result->chains = rig.sim->program.chain_count;
  counters_free(counters);
  rig_free(&rig);
  free(text);
}

static void test_body(const Body *body) {
  static const How ways[] = {{.one_by_one = true, .threads = 1}, {.threads = 1},
                             {.threads = 1, .checks = SIM_CHECK_ALL}, {.threads = 3}, {.threads = 1, .seed = 5},
                             {.threads = 1, .order = SIM_TURNS},
                             {.threads = 1, .order = SIM_TURNS, .checks = SIM_CHECK_ALL}};
  static Result first, got;
  run(body, &ways[0], &first);
  for (int k = 0; k < LS_COUNT(ways); k++) {
    run(body, &ways[k], &got);
    bool same = got.faults == 0;
    for (int c = 0; c < COUNTER_COUNT && !ways[k].seed; c++)   // a seed may let lanes run apart
      same = same && got.counters.value[c] == first.counters.value[c];
    for (uint32_t i = 0; i < BLOCKS * THREADS; i++)
      same = same && got.words[i] == body->expected(i / THREADS, i % THREADS);
    if (!same) printf("\n%s, %d\n", body->name, k);
    CHECK(same);
    CHECK_INT(got.chains, body->chains);
  }
}

static void test_chains(void) { for (int i = 0; i < LS_COUNT(bodies); i++) test_body(&bodies[i]); }

// A word that a chain reads is written by a later warp, and nothing is in between; so is one that another warp has
// written, and one that the warp itself writes, without a meeting of its lanes.
#define WORDS_OF(code) \
  WORD(0, "%p1", "%r11", "%r12", "%r13", "%r10") WORD(1, "%p2", "%r14", "%r15", "%r31", "%r13") code
static const char *const races[] = {
    WORDS_OF("  setp.eq.u32 %p3, %r1, 64;\n  @!%p3 bra G;\n  st.shared.u32 [sh+4], %r1;\nG:\n"),
    "  setp.eq.u32 %p3, %r1, 0;\n  @!%p3 bra G;\n  st.shared.u32 [sh], %r1;\nG:\n" WORDS_OF(""),
    "  ld.shared.u32 %r41, [sh+4]; selp.b32 %r42, %r41, 0, %p9; add.u32 %r43, %r42, %r10;\n"
    LINK(1, "%p1", "%r11", "%r12", "%r31", "%r43")
    "  setp.eq.u32 %p3, %r1, 5;\n  @!%p3 bra G;\n  st.shared.u32 [sh+4], %r1;\nG:\n",
};

static void test_races(void) {
  static Result one, got;
  for (int i = 0; i < LS_COUNT(races); i++) {
    Body body = {.name = "a race", .code = races[i]};
    run(&body, &(How){.one_by_one = true, .threads = 1, .checks = SIM_CHECK_ALL}, &one);
    run(&body, &(How){.threads = 1, .checks = SIM_CHECK_ALL}, &got);
    CHECK(one.faults > 0);
    CHECK_INT(got.faults, one.faults);
    CHECK_INT(got.chains, 1);
  }
}

static const Check checks[] = {{"sums and counters", test_chains}, {"races", test_races}};

int main(int argc, char **argv) { return check_main("sim_chains", checks, LS_COUNT(checks), argc, argv); }
