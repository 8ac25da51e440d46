// test_sim_shapes.c: loads and stores whose addresses are like those before, and then are not: every width in every
// space, against the same done here; and what is counted in sums against what is counted one by one.
#include <stdlib.h>
#include "model/counter.h"
#include "sim_rig.h"

enum { THREADS = 40, ROUNDS = 200, ELEMENTS = 256, PATTERNS = 16, INPUT = 2048, OUTPUT = INPUT, SCRATCH = 16384,
       WORDS = SCRATCH + 2 * 2048 };

// The element of a thread is (((thread & and) * times) ^ xor) + shift * round; who has a bit of `out` takes no part.
typedef struct Pattern { uint32_t and, times, xor, out; } Pattern;
static const Pattern patterns[PATTERNS] = {
    {63, 1, 0, 0}, {63, 1, 0, 0},  {15, 1, 0, 0}, {16, 1, 0, 0},   {0, 1, 0, 0},  {63, 2, 0, 0},  {63, 1, 31, 0},
        {63, 1, 0, 1},
    {63, 1, 0, 0}, {63, 33, 0, 0}, {63, 7, 5, 0}, {63, 1, 0, 24}, {15, 1, 0, 3}, {63, 4, 2, 16}, {47, 3, 9, 0},
        {63, 1, 0, 0}};

typedef struct Access { const char *type, *registers, *to_word, *of_value; int bytes; } Access;
static const Access accesses[] = {
    {"u8", "%r20", "", "", 1},
    {"u16", "%rs5", "cvt.u32.u16 %r20, %rs5;", "cvt.u16.u32 %rs5, %r20;", 2},
    {"u32", "%r20", "", "", 4},
    {"b64", "%rd20", "mov.b64 {%r20, %r21}, %rd20; xor.b32 %r20, %r20, %r21;", "mov.b64 %rd20, {%r20, %r10};", 8},
    {"v4.u32", "{%r20, %r21, %r22, %r23}",
     "xor.b32 %r20, %r20, %r21; xor.b32 %r20, %r20, %r22; xor.b32 %r20, %r20, %r23;",
     "mov.u32 %r21, %r10; mov.u32 %r22, %r1; mov.u32 %r23, 7;", 16}};

// Where the elements are: global memory, a copy in shared memory, by generic addresses of both in turns, a copy of each
// thread's own.
typedef enum Where { IN_GLOBAL, IN_SHARED, GENERIC, IN_LOCAL, PLACES } Where;
static const char *const copies[PLACES] = {
    [IN_GLOBAL] = "  mov.u64 %rd12, %rd1;\n",
    [IN_SHARED] = "  mov.u64 %rd12, sh;\n",
    [GENERIC] = "  mov.u64 %rd13, sh; cvta.shared.u64 %rd13, %rd13; cvta.global.u64 %rd14, %rd1;\n",
    [IN_LOCAL] = "  mov.u64 %rd12, lo;\n"};
static const char *const spaces[PLACES] = {".global", ".shared", "", ".local"};

// Copies 4096 bytes; each thread all of them, which is the same for all.
static const char copy[] = "  mov.u32 %r30, 0;\nC: mul.wide.u32 %rd15, %r30, 4; add.u64 %rd16, %rd1, %rd15;\n"
                           "  ld.global.u32 %r31, [%rd16]; mov.u64 %rd17, sh; add.u64 %rd17, %rd17, %rd15;\n"
                           "  st.shared.u32 [%rd17], %r31; mov.u64 %rd18, lo; add.u64 %rd18, %rd18, %rd15;\n"
                           "  st.local.u32 [%rd18], %r31; add.u32 %r30, %r30, 1; setp.lt.u32 %p5, %r30, 1024;\n"
                           "  @%p5 bra C;\n  bar.sync 0;\n";

static char *constants(void) {
  LsText text = {0};
  ls_text_addf(&text, ".const .align 4 .u32 pat[%d] = {", PATTERNS * 4);
  for (int i = 0; i < PATTERNS; i++)
    ls_text_addf(&text, "%s%u, %u, %u, %u", i ? ", " : "", patterns[i].and, patterns[i].times, patterns[i].xor,
                 patterns[i].out);
  ls_text_add(&text, "};\n");
  return ls_text_take(&text);
}

static char *body_of(const Access *a, Where where, bool guarded) {
  LsText t = {0};
  ls_text_addf(&t, "  .shared .align 16 .b8 sh[4096]; .local .align 16 .b8 lo[4096];\n%s%s", copy, copies[where]);
  ls_text_add(&t, "  mov.u32 %r10, 0; shr.u32 %r9, %r1, 5; mul.lo.u32 %r9, %r9, 8192;\nL: and.b32 %r11, %r10, 15;\n"
                  "  mul.wide.u32 %rd10, %r11, 16; mov.u64 %rd11, pat; add.u64 %rd11, %rd11, %rd10;\n"
                  "  ld.const.v4.u32 {%r13, %r14, %r15, %r16}, [%rd11];\n"
                  "  and.b32 %r17, %r1, %r13; mul.lo.u32 %r17, %r17, %r14; xor.b32 %r17, %r17, %r15;\n"
                  "  mad.lo.u32 %r17, %r10, 5, %r17; and.b32 %r17, %r17, 255;\n"
                  "  and.b32 %r18, %r1, %r16; setp.eq.u32 %p1, %r18, 0;\n");
  if (where == GENERIC)
    ls_text_add(&t, "  and.b32 %r19, %r10, 3; setp.eq.u32 %p2, %r19, 0; selp.b64 %rd12, %rd13, %rd14, %p2;\n");
  const char *guard = guarded ? "@%p1 " : "";
  if (!guarded) ls_text_add(&t, "  @!%p1 bra N;\n");
  ls_text_addf(&t, "  mul.wide.u32 %%rd19, %%r17, %d; add.u64 %%rd19, %%rd12, %%rd19;\n", a->bytes);
  ls_text_addf(&t, "  %sld%s.%s %s, [%%rd19];\n  %s\n", guard, spaces[where], a->type, a->registers, a->to_word);
  ls_text_addf(&t, "  mad.lo.u32 %%r24, %%r10, %d, %%r1; mul.wide.u32 %%rd21, %%r24, 4; add.u64 %%rd21, %%rd1, %%rd21;\n"
                   "  %sst.global.u32 [%%rd21+%d], %%r20;\n", THREADS, guard, OUTPUT * 4);
  ls_text_addf(&t, "  mad.lo.u32 %%r20, %%r10, 64, %%r1; %s\n  mad.lo.u32 %%r25, %%r17, %d, %%r9;\n"
                   "  cvt.u64.u32 %%rd22, %%r25; add.u64 %%rd22, %%rd1, %%rd22;\n  %sst.global.%s [%%rd22+%d], %s;\n",
               a->of_value, a->bytes, guard, a->type, SCRATCH * 4, a->registers);
  ls_text_addf(&t, "N: add.u32 %%r10, %%r10, 1; setp.lt.u32 %%p4, %%r10, %d;\n  @%%p4 bra L;\n  ret;", ROUNDS);
  return ls_text_take(&t);
}

static bool takes_part(int round, uint32_t thread) { return !(thread & patterns[round % PATTERNS].out); }

static uint32_t element_of(int round, uint32_t thread) {
  const Pattern *p = &patterns[round % PATTERNS];
  return ((((thread & p->and) * p->times) ^ p->xor) + (uint32_t)round * 5) & (ELEMENTS - 1);
}

// What the kernel makes of u32 words that count from 0.
static void expect(const Access *a, uint32_t *words) {
  for (uint32_t i = 0; i < WORDS; i++) words[i] = i;
  for (int round = 0; round < ROUNDS; round++)
    for (uint32_t thread = 0; thread < THREADS; thread++) {
      if (!takes_part(round, thread)) continue;
      uint32_t value[4] = {0}, element = element_of(round, thread);
      memcpy(value, (uint8_t *)words + element * (uint32_t)a->bytes, (size_t)a->bytes);
      words[OUTPUT + round * THREADS + (int)thread] = value[0] ^ value[1] ^ value[2] ^ value[3];
      uint32_t stored[4] = {(uint32_t)round * 64 + thread, (uint32_t)round, thread, 7};
      memcpy((uint8_t *)words + SCRATCH * 4 + thread / 32 * 8192 + element * (uint32_t)a->bytes, stored,
             (size_t)a->bytes);
    }
}

typedef struct How { uint32_t checks; bool record, guarded, stack; uint64_t seed; } How;

static void run(const Access *a, Where where, const How *how, uint32_t *got) {
  Rig rig;
  char *outside = constants(), *body = body_of(a, where, how->guarded);
  rig_kernel(&rig, ".param .u64 p0", outside, body);
  rig.options.record_all = how->record;
  rig.options.checks = how->checks;
  rig.options.sched = how->stack ? SIM_STACK : SIM_ITS;
  rig.options.seed = how->seed;
  if (!how->record) rig.sink.event = NULL;
  if (!how->record && !how->checks) rig.sink.access = NULL;
  char size[16], arg[32];
  snprintf(size, sizeof size, "%d", THREADS);
  snprintf(arg, sizeof arg, "u32[%d]=iota", WORDS);
  rig_size(&rig, "1", size);
  rig_arg(&rig, arg);
  rig_run(&rig);
  memcpy(got, rig_words(&rig, 0), WORDS * sizeof *got);
  rig_free(&rig);
  free(outside);
  free(body);
}

static void test_results(void) {
  static const How ways[] = {{0}, {.guarded = true}, {.checks = SIM_CHECK_ALL}, {.record = true, .stack = true},
                             {.record = true, .guarded = true, .checks = SIM_CHECK_ALL}, {.seed = 3, .stack = true}};
  static uint32_t wanted[WORDS], got[WORDS];
  for (int i = 0; i < LS_COUNT(accesses); i++) {
    expect(&accesses[i], wanted);
    for (int where = 0; where < PLACES; where++)
      for (int k = 0; k < LS_COUNT(ways); k++) {
        run(&accesses[i], (Where)where, &ways[k], got);
        bool same = memcmp(wanted, got, sizeof got) == 0;
        for (int w = 0; w < WORDS && !same; w++)
          if (wanted[w] != got[w]) { printf("\n%s place %d way %d word %d: %u, not %u\n", accesses[i].type, where, k,
                                            w, got[w], wanted[w]); break; }
        CHECK(same);
      }
  }
}

// ---- sums ----------------------------------------------------------------------------------------------------------

typedef struct OneByOne { TraceSink sink, *to; uint64_t accesses, summed; } OneByOne;

static void on_access(TraceSink *sink, const TraceEvent *event) {
  OneByOne *one = (OneByOne *)sink;
  one->accesses++;
  one->to->access(one->to, event);
}

static void on_accesses(TraceSink *sink, const TraceEvent *event, uint64_t times) {
  OneByOne *one = (OneByOne *)sink;
  one->summed += times;
  one->to->accesses(one->to, event, times);
}

static void on_tally(TraceSink *sink, const TraceTally *tallies, int count) {
  OneByOne *one = (OneByOne *)sink;
  one->to->tally(one->to, tallies, count);
}

// Counters of a run, told in sums or one by one; how many accesses came in sums.
static CounterSet count(const Access *a, Where where, bool sums, bool each, uint64_t *summed) {
  Rig rig;
  char *outside = constants(), *body = body_of(a, where, false);
  rig_kernel(&rig, ".param .u64 p0", outside, body);
  Counters *counters = counters_new(rig.module);
  OneByOne one = {.sink = {.access = on_access, .accesses = sums ? on_accesses : NULL, .each = each, .tally = on_tally},
                  .to = counters_sink(counters)};
  rig.options.record_all = false;
  rig.options.checks = 0;
  rig_size(&rig, "3", "40");
  rig_arg(&rig, "u32[20480]=iota");
  CHECK(rig_make(&rig));
  CHECK(rig.sim && sim_run(rig.sim, &one.sink, &rig.err));
  CounterSet set = *counters_total(counters);
  *summed = one.summed;
  counters_free(counters);
  rig_free(&rig);
  free(outside);
  free(body);
  return set;
}

static void test_sums(void) {
  for (int i = 0; i < LS_COUNT(accesses); i++)
    for (int where = 0; where < PLACES; where++) {
      uint64_t summed, none;
      CounterSet in_sums = count(&accesses[i], (Where)where, true, false, &summed);
      CounterSet alone = count(&accesses[i], (Where)where, false, false, &none);
      CounterSet each = count(&accesses[i], (Where)where, true, true, &none);
      CHECK(summed > 3 * 1024);   // or nothing was tried here
      CHECK_INT(none, 0);
      for (int c = 0; c < COUNTER_COUNT; c++) {
        if (in_sums.value[c] != alone.value[c]) printf("\n%s place %d: %s\n", accesses[i].type, where,
                                                       counter_def((CounterId)c)->name);
        CHECK(in_sums.value[c] == alone.value[c]);
        CHECK(each.value[c] == alone.value[c]);
      }
    }
}

// ---- faults behind a shape that is known ---------------------------------------------------------------------------

// A loop that goes well for a while: the fault is told of the right lane all the same.
static void test_faults(void) {
  static const char loop[] =
      "  mov.u32 %%r10, 0;\nL: %s\n  add.u32 %%r10, %%r10, 1; setp.lt.u32 %%p4, %%r10, 300;\n  @%%p4 bra L;\n  ret;";
  static const struct { const char *access; FaultKind kind; const char *words; } faults[] = {
      {"mul.wide.u32 %rd9, %r10, 4; add.u64 %rd9, %rd3, %rd9; ld.global.u32 %r5, [%rd9];", FAULT_OUT_OF_BOUNDS,
       "thread (31,0,0)"},
      {"mul.wide.u32 %rd9, %r10, 4; add.u64 %rd9, %rd3, %rd9; st.global.u32 [%rd9], %r1;", FAULT_OUT_OF_BOUNDS,
       "thread (31,0,0)"},
      {"setp.eq.u32 %p1, %r10, 20; selp.u64 %rd9, 2, 0, %p1; add.u64 %rd9, %rd3, %rd9; ld.global.u32 %r5, [%rd9];",
       FAULT_MISALIGNED, "lanes"},
  };
  for (int i = 0; i < LS_COUNT(faults) - 1; i++) {
    char *body = ls_format(loop, faults[i].access);
    expect_fault(faults[i].kind, "", body, 32, faults[i].words, SIM_ITS);
    free(body);
  }
  char *body = ls_format(loop, faults[2].access);
  expect_fault(FAULT_MISALIGNED, "", body, 32, "", SIM_ITS);
  free(body);
}

// The last element of an array may be read, and the one behind it belongs to the next array.
static void test_arrays(void) {
  Rig rig;
  run_simple(&rig, "",
             "  .shared .align 4 .b8 one[128]; .shared .align 4 .b8 two[256];\n  mov.u64 %rd10, one; add.u64 %rd10, %rd10, %rd2;\n"
             "  st.shared.u32 [%rd10], %r1; mov.u64 %rd11, two; add.u64 %rd11, %rd11, %rd2; st.shared.u32 [%rd11], %r1;\n"
             "  st.shared.u32 [%rd11+128], %r1; bar.sync 0; mov.u32 %r10, 0;\n"
             "L: mul.wide.u32 %rd12, %r10, 4; add.u64 %rd12, %rd11, %rd12; ld.shared.u32 %r5, [%rd12];\n"
             "  st.global.u32 [%rd3], %r5; add.u32 %r10, %r10, 1; setp.le.u32 %p4, %r10, 32; @%p4 bra L; ret;",
             32, 64);
  CHECK_INT(rig_faults(&rig), 0);
  for (uint32_t i = 0; i < 32; i++) CHECK_INT(rig_words(&rig, 0)[i], i);
  rig_free(&rig);
}

// ---- what checks find behind a shape that is known -----------------------------------------------------------------

// Where the lanes of a warp read in a row of 128 bytes: each its word, all one, each half its words, each half one.
static const char *const reads[] = {
    "  and.b32 %r6, %r1, 31;", "  mov.u32 %r6, 0;", "  and.b32 %r6, %r1, 15;", "  and.b32 %r6, %r1, 16;"};

// Ten rows are written, and twenty are read.
static void test_unwritten(void) {
  for (int i = 0; i < LS_COUNT(reads); i++) {
    char *body = ls_format("  .shared .align 4 .b8 sh[4096]; mov.u64 %%rd10, sh;\n"
                           "  add.u64 %%rd11, %%rd10, %%rd2; mov.u32 %%r5, 0;\n"
                           "A: st.shared.u32 [%%rd11], %%r1; add.u64 %%rd11, %%rd11, 128; add.u32 %%r5, %%r5, 1;\n"
                           "  setp.lt.u32 %%p1, %%r5, 10; @%%p1 bra A;\n  bar.sync 0; mov.u32 %%r5, 0;\n%s\n"
                           "  mul.wide.u32 %%rd12, %%r6, 4; add.u64 %%rd12, %%rd10, %%rd12;\n"
                           "B: ld.shared.u32 %%r7, [%%rd12]; st.global.u32 [%%rd3], %%r7; add.u64 %%rd12, %%rd12, 128;\n"
                           "  add.u32 %%r5, %%r5, 1; setp.lt.u32 %%p1, %%r5, 20; @%%p1 bra B;\n  ret;",
                           reads[i]);
    expect_fault(FAULT_UNINITIALIZED, "", body, 32, "", SIM_ITS);
    free(body);
  }
}

// One warp reads rows `times` times, and the others, once they have met, store to rows of their own, and then to those:
// whoever comes second meets the other.
typedef struct Meeting { int reader, times, threads; const char *meet; } Meeting;
static const Meeting meetings[] = {
    {0, 20, 64, ""}, {1, 20, 64, ""},
    {0, 1300, 64, ""},                      // more than wait to be noted
    {0, 20, 96, "bar.sync 1, 64;"}};        // at a barrier that says nothing of the reader

static void check_race(const char *read, const Meeting *m) {
  char *body = ls_format(
      "  .shared .align 4 .b8 sh[8192]; mov.u64 %%rd10, sh; and.b32 %%r4, %%r1, 31; mul.wide.u32 %%rd9, %%r4, 4;\n"
      "  add.u64 %%rd11, %%rd10, %%rd9; mov.u32 %%r5, 0; shr.u32 %%r9, %%r1, 5;\n"
      "A: st.shared.u32 [%%rd11], %%r4; add.u64 %%rd11, %%rd11, 128; add.u32 %%r5, %%r5, 1; setp.lt.u32 %%p1, %%r5, 64;\n"
      "  @%%p1 bra A;\n  bar.sync 0; mov.u32 %%r5, 0; setp.ne.u32 %%p2, %%r9, %d; @%%p2 bra S;\n%s\n"
      "  mul.wide.u32 %%rd12, %%r6, 4; add.u64 %%rd12, %%rd10, %%rd12;\n"
      "B: and.b32 %%r8, %%r5, 31; mul.wide.u32 %%rd13, %%r8, 128; add.u64 %%rd13, %%rd12, %%rd13;\n"
      "  ld.shared.u32 %%r7, [%%rd13]; st.global.u32 [%%rd3], %%r7;\n"
      "  add.u32 %%r5, %%r5, 1; setp.lt.u32 %%p1, %%r5, %d; @%%p1 bra B;\n  ret;\n"
      "S: %s add.u64 %%rd12, %%rd10, %%rd9; add.u64 %%rd12, %%rd12, 4096;\n"
      "C: add.u32 %%r8, %%r5, 1000; st.shared.u32 [%%rd12], %%r8; add.u64 %%rd12, %%rd12, 128; add.u32 %%r5, %%r5, 1;\n"
      "  setp.eq.u32 %%p3, %%r5, 15; @%%p3 add.u64 %%rd12, %%rd12, -4096;\n"
      "  setp.lt.u32 %%p1, %%r5, 20; @%%p1 bra C;\n  ret;", m->reader, read, m->times, m->meet);
  expect_fault(FAULT_RACE, "", body, m->threads, "", SIM_ITS);
  free(body);
}

static void test_races(void) {
  for (int i = 0; i < LS_COUNT(reads); i++)
    for (int k = 0; k < LS_COUNT(meetings); k++) check_race(reads[i], &meetings[k]);
}

// Lane 5 of each warp stores to a word of the warp, and some lane of the warp, or of the other one, reads it or stores
// to it. They meet at a barrier in 15 rounds, and then only as `meet` says.
typedef struct One { int lane, warp; const char *meet, *access; bool races; } One;
#define LOADS "ld.shared.u32 %r8, [%rd12];"
#define STORES "st.shared.u32 [%rd12], %r1;"
static const One ones[] = {
    {5, 0, "", LOADS, false}, {5, 0, "", STORES, false},
    {6, 0, "", LOADS, true}, {6, 0, "", STORES, true},
    {6, 0, "bar.warp.sync -1;", LOADS, false}, {6, 0, "bar.warp.sync -1;", STORES, false},
    {5, 1, "", LOADS, true}, {5, 1, "", STORES, true}, {5, 1, "bar.warp.sync -1;", LOADS, true},
    {5, 1, "bar.sync 0;", LOADS, false}, {9, 1, "bar.sync 0;", STORES, false}};

static void check_one(const One *one, SimSched sched) {
  Rig rig;
  char *body = ls_format(
      "  and.b32 %%r4, %%r1, 31; shr.u32 %%r9, %%r1, 5; mov.u64 %%rd10, sh; mul.wide.u32 %%rd11, %%r9, 4;\n"
      "  add.u64 %%rd11, %%rd10, %%rd11; xor.b32 %%r7, %%r9, %d; mul.wide.u32 %%rd12, %%r7, 4;\n"
      "  add.u64 %%rd12, %%rd10, %%rd12; setp.eq.u32 %%p1, %%r4, 5; setp.eq.u32 %%p2, %%r4, %d; mov.u32 %%r5, 0;\n"
      "L: add.u32 %%r6, %%r1, %%r5; @%%p1 st.shared.u32 [%%rd11], %%r6; setp.eq.u32 %%p3, %%r5, 15; @%%p3 bra M;\n"
      "  bar.sync 0; bra N;\nM: %s\nN: @%%p2 %s\n"
      "  setp.lt.u32 %%p4, %%r5, 15; @!%%p4 bra E; bar.sync 0; add.u32 %%r5, %%r5, 1; bra L;\nE: ret;",
      one->warp, one->lane, one->meet, one->access);
  rig_kernel(&rig, ".param .u64 p0", ".shared .align 4 .b8 sh[64];\n", body);
  rig.options.sched = sched;
  rig_size(&rig, "2", "64");
  rig_arg(&rig, "u32[64]=zero");
  rig_run(&rig);
  bool races = one->races && (one->warp || sched == SIM_ITS);
  CHECK_INT(rig_faults(&rig) != 0, races);
  CHECK((rig_fault(&rig, FAULT_RACE) != NULL) == races);
  rig_free(&rig);
  free(body);
}

static void test_one_lane(void) {
  for (int i = 0; i < 2 * LS_COUNT(ones); i++) check_one(&ones[i / 2], i % 2 ? SIM_STACK : SIM_ITS);
}

// A lane alone stores to ten words and reads twenty.
static void test_one_unwritten(void) {
  expect_fault(FAULT_UNINITIALIZED, "",
               "  .shared .align 4 .b8 sh[80]; mov.u64 %rd10, sh; mov.u64 %rd11, %rd10; mov.u32 %r5, 0;\n"
               "  setp.eq.u32 %p2, %r1, 9;\n"
               "A: @%p2 st.shared.u32 [%rd11], %r1; add.u64 %rd11, %rd11, 4; add.u32 %r5, %r5, 1;\n"
               "  setp.lt.u32 %p1, %r5, 10; @%p1 bra A;\n  bar.sync 0; mov.u32 %r5, 0; mov.u32 %r7, 0;\n"
               "B: @%p2 ld.shared.u32 %r7, [%rd10]; st.global.u32 [%rd3], %r7; add.u64 %rd10, %rd10, 4;\n"
               "  add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 20; @%p1 bra B;\n  ret;", 32, "", SIM_ITS);
}

// Warps of global memory: each stores rows of its own, and then one stores to those of the one before it, or reads
// them. place: of a lane in its row; meet: what may order them.
typedef struct Row { const char *place, *meet; bool reads, races; } Row;
static const Row rows[] = {
    {"mov.u32 %r6, %r4;", "", false, true},                                           // lines
    {"mov.u32 %r6, %r4;", "", true, true},
    {"mov.u32 %r6, %r4;", "bar.sync 0;", false, false},
    {"add.u32 %r6, %r4, 3;", "", false, true},                                        // rows across lines
    {"add.u32 %r6, %r4, 3;", "", true, true},
    {"add.u32 %r6, %r4, 3;", "bar.sync 0;", true, false},
    {"and.b32 %r6, %r4, 16; add.u32 %r6, %r6, %r4;", "", false, true},                // half rows
    {"and.b32 %r6, %r4, 16; add.u32 %r6, %r6, %r4;", "", true, true},
    {"and.b32 %r6, %r4, 16; add.u32 %r6, %r6, %r4;", "bar.sync 0;", false, false}};

static void check_rows(const Row *row, bool blocks, SimSched sched) {
  Rig rig;
  char *body = ls_format(
      "  and.b32 %%r4, %%r1, 31; shr.u32 %%r9, %%r1, 5; mov.u32 %%r2, %%ctaid.x;\n"
      "  add.u32 %%r9, %%r9, %%r2; mov.u32 %%r5, 0;\n"
      "  %s\nL: shl.b32 %%r7, %%r9, 6; setp.gt.u32 %%p1, %%r5, 20;\n"
      "  setp.gt.and.u32 %%p1, %%r9, 0, %%p1; @%%p1 sub.u32 %%r7, %%r7, 64;\n"
      "  add.u32 %%r7, %%r7, %%r6; mul.wide.u32 %%rd9, %%r7, 4; add.u64 %%rd9, %%rd1, %%rd9;\n"
      "  setp.lt.u32 %%p2, %%r5, 20; @%%p2 st.global.u32 [%%rd9], %%r7; setp.eq.u32 %%p2, %%r5, 20; @%%p2 %s\n"
      "  @!%%p1 bra N;\n  %s\n"
      "N: add.u32 %%r5, %%r5, 1; setp.lt.u32 %%p4, %%r5, 40; @%%p4 bra L;\n  ret;",
      row->place, *row->meet ? row->meet : "mov.u32 %r8, 0;",
      row->reads ? "ld.global.u32 %r8, [%rd9]; st.shared.u32 [sh], 0;" : "st.global.u32 [%rd9], %r5;");
  rig_kernel(&rig, ".param .u64 p0", ".shared .align 4 .b8 sh[4];\n", body);
  rig.options.sched = sched;
  rig_size(&rig, blocks ? "2" : "1", blocks ? "32" : "64");
  rig_arg(&rig, "u32[256]=none");
  rig_run(&rig);
  CHECK((rig_fault(&rig, FAULT_RACE) != NULL) == (row->races || blocks));
  rig_free(&rig);
  free(body);
}

static void test_rows(void) {
  for (int i = 0; i < LS_COUNT(rows); i++)
    for (int k = 0; k < 4; k++) check_rows(&rows[i], k & 1, k & 2 ? SIM_STACK : SIM_ITS);
}

// All blocks read a buffer over and over that the code does not seem to write. Then one of them does, by a pointer to
// the next buffer, which lies 2 MiB behind: those that come later, with shapes they all know, meet that.
static void test_written(void) {
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0, .param .u64 p1, .param .u64 p2", "",
             "  ld.param.u64 %rd8, [p1]; ld.param.u64 %rd7, [p2]; mov.u32 %r5, 0; mov.u32 %r2, %ctaid.x;\n"
             "  add.u64 %rd9, %rd8, %rd2; mad.lo.u32 %r4, %r2, 128, 0;\n"
             "  cvt.u64.u32 %rd11, %r4; add.u64 %rd12, %rd9, %rd11;\n"
             "L: ld.global.u32 %r6, [%rd3]; st.global.u32 [%rd12], %r6;\n"
             "  setp.eq.u32 %p1, %r5, 30; setp.eq.and.u32 %p1, %r2, 1, %p1; @!%p1 bra N;\n"
             "  sub.u64 %rd10, %rd9, %rd7; st.global.u32 [%rd10], %r5;\n"
             "N: add.u32 %r5, %r5, 1; setp.lt.u32 %p4, %r5, 60; @%p4 bra L;\n  ret;");
  rig_size(&rig, "3", "32");
  rig_arg(&rig, "u32[1024]=iota");
  rig_arg(&rig, "u32[1024]=zero");
  rig_arg(&rig, "u64=2097152");
  rig_run(&rig);
  const TraceFault *fault = rig_fault(&rig, FAULT_RACE);
  CHECK(fault != NULL);
  if (fault) CHECK(fault->block == 2 && fault->other_block == 1);
  CHECK_INT(rig_words(&rig, 0)[7], 30);
  rig_free(&rig);
}

static const Check checks[] = {
    {"results in every space", test_results},
    {"sums and single events", test_sums},
    {"faults behind a known shape", test_faults},
    {"up to the end of an array", test_arrays},
    {"words that nobody wrote", test_unwritten},
    {"races of rows", test_races},
    {"races of a lane alone", test_one_lane},
    {"words that a lane alone did not write", test_one_unwritten},
    {"races of rows in global memory", test_rows},
    {"writes that the code does not tell of", test_written},
};

int main(int argc, char **argv) { return check_main("sim_shapes", checks, LS_COUNT(checks), argc, argv); }
