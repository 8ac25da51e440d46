// test_sim_twins.c: accesses of a line by registers whose lanes are as far apart as those of an access before, and
// registers that only look like it: results and counters of lines executed whole, against one access at a time.
#include "model/counter.h"
#include "sim/core/exec.h"
#include "sim_rig.h"

enum { WORDS = 32768 };

#define PHASE                                                                                                   \
  "  and.b32 %r11, %r10, 7; setp.eq.u32 %p1, %r11, 5; selp.u64 %rd21, %rd2, 0, %p1; selp.u32 %r12, %r1, 0, %p1;\n" \
  "  shl.b32 %r13, %r12, 2; and.b32 %r14, %r12, 5; setp.eq.u32 %p2, %r14, 5;\n"
// In most rounds the same in all lanes.
#define MOSTLY_SAME PHASE "  selp.b64 %rd20, %rd26, %rd25, %p1;\n"

// %r31 is what a thread makes of all that it loads. %rd20 is the middle of the words, a word for each lane; %r30 the
// same of shared memory, %r15 the number of the word. %rd9 is 8 and %r9 is 8, known to be so. In every eighth round
// %rd21, %r12 and %r13 are a number of each lane, else 0; then %p1 holds, too, and %p2 for some of the lanes.
static const char head[] =
    "  .shared .align 8 .b8 sh[16384]; .local .align 8 .b8 lo[16];\n"
    "  mov.u32 %r31, 0; mov.u32 %r10, 0; mov.u64 %rd9, 8; mov.u32 %r9, 8; mov.u32 %r32, %ctaid.x;\n"
    "  add.u64 %rd20, %rd3, 16384; add.u64 %rd22, %rd1, %rd1; add.u64 %rd28, %rd22, 33024; add.u32 %r15, %r1, 4096;\n"
    "  mov.u32 %r33, sh; mov.u32 %r34, %r1;\n"
    "F: shl.b32 %r35, %r34, 2; add.u32 %r36, %r33, %r35; mul.lo.u32 %r37, %r34, 77; st.shared.u32 [%r36], %r37;\n"
    "  add.u32 %r34, %r34, 64; setp.lt.u32 %p4, %r34, 4096; @%p4 bra F;\n  bar.sync 0;\n"
    "  shl.b32 %r35, %r1, 2; add.u32 %r30, %r33, %r35; add.u32 %r30, %r30, 8192; mov.u64 %rd26, %rd20;\n"
    "  add.u64 %rd27, %rd20, %rd2; mov.u64 %rd24, lo;\n"
    "  mad.lo.u32 %r38, %r32, 64, %r1; mul.wide.u32 %rd29, %r38, 256; add.u64 %rd29, %rd29, %rd1;\n"
    "  add.u64 %rd29, %rd29, 65536;\n"
    "  add.u64 %rd25, %rd1, 16384;\n";
// So it is not plain that lanes are as far apart in every block.
static const char hidden[] = "  and.b64 %rd20, %rd20, -1; and.b32 %r30, %r30, -1; and.b32 %r15, %r15, -1;\n"
                             "  and.b64 %rd24, %rd24, -1;\n";
static const char first[] = "L:\n" PHASE "  bra.uni B;\n";
#define TAKE(reg) " mad.lo.u32 %r31, %r31, 31, " reg ";\n"
#define LOAD(at) "  ld.global.u32 %r20, [" at "];" TAKE("%r20")
#define LOAD_SHARED(at) "  ld.shared.u32 %r20, [" at "];" TAKE("%r20")
#define LOAD_INDEXED "  mul.wide.u32 %rd4, %r15, 4; add.u64 %rd5, %rd1, %rd4; ld.global.u32 %r20, [%rd5];" TAKE("%r20")
static const char next_round[] = "  add.u32 %%r10, %%r10, 1; setp.lt.u32 %%p4, %%r10, %d;\n  @%%p4 bra %c;\n";
static const char tail[] =
    "  mad.lo.u32 %r32, %r32, 64, %r1; mul.wide.u32 %rd4, %r32, 4; add.u64 %rd4, %rd1, %rd4;\n"
    "  st.global.u32 [%rd4+64000], %r31;\n  ret;";

// to: L, where what changes with rounds is made again; or B, a loop of one line.
typedef struct Body { const char *name, *code; char to; int rounds; bool has_twins; } Body;
static const Body bodies[] = {
    {"nothing changes", LOAD("%rd20") LOAD("%rd20+4") LOAD("%rd20+8"), 'L', 40, true},
    {"a loop",
     LOAD("%rd20") LOAD("%rd20+4") "  add.u64 %rd20, %rd20, 4;\n" LOAD("%rd20") "  add.u64 %rd20, %rd9, %rd20;\n",
     'B', 100, true},
    {"a loop of one access", LOAD("%rd20") "  sub.u64 %rd20, %rd20, %rd9;\n", 'B', 100, true},
    {"a loop, shared", LOAD_SHARED("%r30") LOAD_SHARED("%r30+64") "  add.u32 %r30, %r30, %r9;\n", 'B', 100, true},
    {"a loop, indexed", LOAD_INDEXED "  add.u32 %r15, %r15, %r9;\n" LOAD_INDEXED, 'B', 100, true},
    {"a copy",
     LOAD("%rd20") "  mov.u64 %rd23, %rd20; add.u64 %rd20, %rd20, %rd21;\n" LOAD("%rd23") LOAD("%rd20"), 'L', 60,
     true},
    {"a number of each lane added", LOAD("%rd20") "  add.u64 %rd20, %rd20, %rd21;\n" LOAD("%rd20"), 'L', 60, false},
    {"the same in a loop",
     LOAD("%rd20") LOAD("%rd20+4") "  add.u64 %rd20, %rd20, %rd2;\n" LOAD("%rd20") LOAD("%rd20+8"),
     'B', 40, true},
    {"the same, shared", LOAD_SHARED("%r30") "  add.u32 %r30, %r30, %r13;\n" LOAD_SHARED("%r30"), 'L', 60, false},
    {"the same, indexed", LOAD_INDEXED "  add.u32 %r15, %r15, %r12;\n" LOAD_INDEXED, 'L', 60, false},
    {"taken from a number",
     LOAD("%rd20") "  sub.u64 %rd20, %rd28, %rd20;\n" LOAD("%rd20") LOAD("%rd20+4"), 'B', 40, true},
    {"chosen anew",
     PHASE "  selp.b64 %rd20, %rd27, %rd26, %p1;\n" LOAD("%rd20") LOAD("%rd20+4") LOAD("%rd20+8"), 'B', 60,
     true},
    {"taken from a number at times", MOSTLY_SAME "  sub.u64 %rd23, %rd28, %rd20;\n" LOAD("%rd20") LOAD("%rd20+4")
     LOAD("%rd23") LOAD("%rd23+4"), 'B', 60, true},
    {"a bit changed at times", MOSTLY_SAME "  xor.b64 %rd23, %rd20, 64;\n" LOAD("%rd20") LOAD("%rd20+4")
     LOAD("%rd23") LOAD("%rd23+4"), 'B', 60, true},
    {"changed about at times", PHASE "  add.u64 %rd23, %rd20, 4; mov.u64 %rd20, %rd23;\n" LOAD("%rd20") LOAD("%rd20+4")
     "  selp.b64 %rd20, %rd27, %rd26, %p1;\n" LOAD("%rd20+8") LOAD("%rd20"), 'B', 60, true},
    {"lanes that leave a loop one by one, in later blocks",
     "  mov.u32 %r43, %ctaid.x; and.b32 %r40, %r1, 3; mul.lo.u32 %r40, %r40, %r43; mov.u32 %r41, 0;\n"
     "  mov.u32 %r42, %r30;\n"
     "I:\n  add.u32 %r42, %r42, 4; add.u32 %r41, %r41, 1; setp.le.u32 %p5, %r41, %r40;\n  @%p5 bra I;\n"
     LOAD_SHARED("%r42"), 'L', 20, false},
    {"as far apart as the block's number says",
     "  mov.u32 %r43, %ctaid.x; mul.lo.u32 %r40, %r1, %r43; shl.b32 %r41, %r40, 2; add.u32 %r42, %r41, %r33;\n"
     LOAD_SHARED("%r42"), 'L', 20, false},
    {"the block's number added", "  mov.u32 %r43, %ctaid.x; shl.b32 %r40, %r43, 2; add.u32 %r42, %r40, %r30;\n"
     LOAD_SHARED("%r42"), 'L', 20, false},
    {"two ways to the same place",
     "  mov.u32 %r43, %ctaid.x; setp.gt.u32 %p5, %r43, 1;\n  @%p5 bra I;\n  mov.u32 %r42, %r30; bra.uni J;\n"
     "I:\n  mov.u32 %r42, %r33;\nJ:\n" LOAD_SHARED("%r42"), 'L', 20, false},
    {"a bit changed", LOAD("%rd20") "  xor.b64 %rd20, %rd20, 64;\n" LOAD("%rd20"), 'B', 40, false},
    {"some lanes, by a guard", LOAD("%rd20") "  @%p2 add.u64 %rd20, %rd20, 8;\n" LOAD("%rd20"), 'L', 60, false},
    {"some lanes, by a branch",
     LOAD("%rd20") "  @!%p2 bra N; add.u64 %rd20, %rd20, 8;\nN:\n" LOAD("%rd20"), 'L', 60, false},
    {"a loop that is entered again, with no other line in between",   // the branch there is watched: is %p8 set?
     "  and.b32 %r40, %r1, 1; setp.eq.u32 %p5, %r40, 1; mov.u32 %r41, 0; setp.lt.u32 %p7, %r1, 64;\n"
     "I:" LOAD("%rd20") LOAD("%rd20+4") "  add.u64 %rd20, %rd20, 4; add.u32 %r41, %r41, 1; and.b32 %r42, %r41, 7;\n"
     "  setp.ne.u32 %p6, %r42, 0;\n  @%p6 bra I;\n"
     "  @%p5 add.u64 %rd20, %rd20, 4;\n  @%p7 setp.lt.u32 %p8, %r41, 80;\n  @%p8 bra I;\n", 'L', 2, true},
    {"some lanes load",
     LOAD("%rd20") "  @%p2 bra N;\n" LOAD("%rd20+4") LOAD("%rd20+8") "N:\n" LOAD("%rd20+12"), 'L', 60, true},
    {"loaded",
     LOAD("%rd20") "  add.u64 %rd23, %rd20, %rd21; st.local.u64 [%rd24], %rd23; ld.local.u64 %rd20, [%rd24];\n"
     LOAD("%rd20"), 'L', 60, true},
    {"loaded as two", LOAD("%rd20") "  add.u64 %rd23, %rd20, %rd21; st.local.v2.u64 [%rd24], {%rd2, %rd23};\n"
     "  ld.local.v2.u64 {%rd23, %rd20}, [%rd24];\n" LOAD("%rd20"), 'L', 60, true},
    {"put together",
     LOAD("%rd20") "  mov.b64 {%r40, %r41}, %rd20; add.u32 %r40, %r40, %r13; mov.b64 %rd20, {%r40, %r41};\n"
     LOAD("%rd20"), 'L', 60, false},
    {"shuffled", LOAD_SHARED("%r30") "  and.b32 %r40, %r12, 3; xor.b32 %r40, %r40, %r1; and.b32 %r40, %r40, 31;\n"
     "  shfl.sync.idx.b32 %r30, %r30, %r40, 31, -1;\n" LOAD_SHARED("%r30"), 'L', 60, false},
    {"shuffled in a loop",
     LOAD_SHARED("%r30") "  shfl.sync.up.b32 %r30, %r30, 1, 0, -1;\n" LOAD_SHARED("%r30+4"), 'B', 50,
     false},
    {"called for", LOAD("%rd20") "  call (%rd20), moved, (%rd20, %rd21);\n" LOAD("%rd20"), 'L', 60, false},
    {"behind a barrier", LOAD("%rd20") "  bar.sync 0; add.u64 %rd20, %rd20, %rd21;\n" LOAD("%rd20"), 'L', 60, false},
    {"the same behind a barrier", LOAD("%rd20") "  bar.sync 0;\n" LOAD("%rd20"), 'L', 60, false},
    {"set at the end",
     LOAD("%rd26") LOAD("%rd26+4") "  add.u64 %rd20, %rd20, %rd2;\n"
     LOAD("%rd20") "  add.u64 %rd26, %rd20, 4;\n", 'B', 40,
     true},
    {"changed about",
     LOAD("%rd26") LOAD("%rd27") "  mov.u64 %rd23, %rd26; mov.u64 %rd26, %rd27; mov.u64 %rd27, %rd23;\n"
     LOAD("%rd26"), 'B', 60, true},
    {"strangers",
     "  rem.u32 %r40, %r10, 7; add.u32 %r40, %r40, 1; mul.lo.u32 %r40, %r40, %r1; and.b32 %r40, %r40, 63;\n"
     "  mul.wide.u32 %rd23, %r40, 4; add.u64 %rd23, %rd1, %rd23; mov.u64 %rd20, %rd23;\n" LOAD("%rd20") LOAD("%rd20+4")
     LOAD("%rd20+8"), 'B', 300, true},
    {"stored and loaded", LOAD("%rd29") "  st.global.u32 [%rd29+4], %r10;\n" LOAD("%rd29+4")
     "  and.b64 %rd23, %rd21, 60; add.u64 %rd29, %rd29, %rd23;\n  st.global.u32 [%rd29], %r31;\n", 'L', 20, true},
    {"a sum is stored",
     "  st.global.u32 [%rd29], %r10+3; st.global.u32 [%rd29+4], %r10+5;\n" LOAD("%rd29") LOAD("%rd29+4"), 'L', 20,
     true},
    {"what made an address is used again",
     "  mul.wide.u32 %rd4, %r15, 4; add.u64 %rd5, %rd1, %rd4; mov.u64 %rd4, %rd21;\n"
     "  ld.global.u32 %r20, [%rd5]; cvt.u32.u64 %r21, %rd4;" TAKE("%r20") "  " TAKE("%r21")
     "  add.u32 %r15, %r15, %r12;\n", 'L', 60, false},
};

static const char moved[] =
    ".func (.reg .b64 %out) moved(.reg .b64 %a, .reg .b64 %b)\n{\n  add.u64 %out, %a, %b;\n  ret;\n}\n";

typedef struct How { bool one_by_one; uint32_t checks; int threads; SimOrder order; } How;
typedef struct Result { uint32_t words[WORDS]; CounterSet counters; int faults; uint32_t kinds; } Result;

typedef struct OneByOne { TraceSink sink, *to; } OneByOne;

static void on_access(TraceSink *sink, const TraceEvent *event) {
  TraceSink *to = ((OneByOne *)sink)->to;
  to->access(to, event);
}

static void on_tally(TraceSink *sink, const TraceTally *tallies, int count) {
  TraceSink *to = ((OneByOne *)sink)->to;
  to->tally(to, tallies, count);
}

static void run(const Body *body, bool hides, const How *how, Result *result) {
  Rig rig;
  char *loop = ls_format(next_round, body->rounds, body->to);
  char *text = ls_format("%s%s%sB:\n%s%s%s", head, hides ? hidden : "", first, body->code, loop, tail);
  rig_kernel(&rig, ".param .u64 p0", moved, text);
  Counters *counters = counters_new(rig.module);
  OneByOne one = {.sink = {.access = on_access, .tally = on_tally}, .to = counters_sink(counters)};
  rig.options.record_all = false;
  rig.options.checks = how->checks;
  rig.options.threads = how->threads;
  rig.options.order = how->order;
  rig_size(&rig, "3", "64");
  rig_arg(&rig, "u32[32768]=iota");
  CHECK(rig_make(&rig));
  if (!rig.sim) printf("\n%s: %s\n", body->name, rig.err.message);
  CHECK(rig.sim && sim_run(rig.sim, how->one_by_one ? &one.sink : counters_sink(counters), &rig.err));
  *result = (Result){.counters = *counters_total(counters), .faults = rig_faults(&rig)};
  if (rig.sim) memcpy(result->words, rig_words(&rig, 0), sizeof result->words);
  if (rig.sim) result->kinds = rig.sim->program.kin_count;
  counters_free(counters);
  rig_free(&rig);
  free(text);
  free(loop);
}

static void compare(const Body *body, const Result *wanted, const Result *got) {
  bool same = !memcmp(wanted->words, got->words, sizeof got->words) && got->faults == wanted->faults;
  for (int c = 0; c < COUNTER_COUNT; c++) same = same && wanted->counters.value[c] == got->counters.value[c];
  if (!same) printf("\n%s\n", body->name);
  CHECK(same);
}

static void test_body(const Body *body, bool hides) {
  static const How ways[] = {{.threads = 1}, {.threads = 1, .checks = SIM_CHECK_ALL}, {.threads = 4},
                             {.threads = 1, .order = SIM_TURNS},
                             {.threads = 1, .order = SIM_TURNS, .checks = SIM_CHECK_ALL}};
  static Result wanted, got;
  run(body, hides, &(How){.one_by_one = true, .threads = 1}, &wanted);
  CHECK_INT(wanted.faults, 0);
  if (hides && body->has_twins != (wanted.kinds > 0)) printf("\n%s: %u kinds\n", body->name, wanted.kinds);
  CHECK(!hides || body->has_twins == (wanted.kinds > 0));
  for (int k = 0; k < LS_COUNT(ways); k++) {
    run(body, hides, &ways[k], &got);
    compare(body, &wanted, &got);
  }
}

static void test_twins(void) { for (int i = 0; i < LS_COUNT(bodies); i++) test_body(&bodies[i], true); }

// The same where code tells that lanes are as far apart in every block: then nobody needs a twin.
static void test_apart(void) { for (int i = 0; i < LS_COUNT(bodies); i++) test_body(&bodies[i], false); }

static const Check checks[] = {{"results and counters", test_twins}, {"as far apart in every block", test_apart}};

int main(int argc, char **argv) { return check_main("sim_twins", checks, LS_COUNT(checks), argc, argv); }
