// test_sim_lines.c: straight lines of code that nobody watches, where not every instruction is executed: what all
// blocks compute alike, and what only makes addresses.
#include "sim/core/exec.h"
#include "sim_rig.h"

enum { BLOCKS = 5, THREADS = 40, ROW = 64, WORDS = 4096 };

// Each thread's word is at %rd5; what it stores there is in %r30.
static const char own_word[] = "  mov.u32 %r2, %ctaid.x; mad.lo.u32 %r4, %r2, 64, %r1; mul.wide.u32 %rd4, %r4, 4;\n"
                               "  add.u64 %rd5, %rd1, %rd4;\n";
static const char store[] = "  st.global.u32 [%rd5], %r30;\n  ret;";

typedef uint32_t (*Expected)(uint32_t block, uint32_t thread);

static void run_blocks_with(Rig *rig, const char *body, bool record, uint32_t checks) {
  char *text = ls_format("%s%s%s", own_word, body, store);
  rig_kernel(rig, ".param .u64 p0", "", text);
  rig->options.record_all = record;
  rig->options.checks = checks;
  rig->options.threads = 1;
  if (!record) rig->sink.event = NULL;
  if (!record) rig->sink.access = NULL;
  rig_size(rig, "5", "40");
  rig_arg(rig, "u32[4096]=iota");
  rig_run(rig);
  free(text);
}

static void run_blocks(Rig *rig, const char *body, bool record) { run_blocks_with(rig, body, record, SIM_CHECK_ALL); }

static void check_blocks(const char *body, Expected expected, int steady) {
  for (int record = 0; record < 2; record++) {
    Rig rig;
    run_blocks(&rig, body, record);
    for (uint32_t i = 0; i < BLOCKS * ROW; i++)
      CHECK_INT(rig_words(&rig, 0)[i], i % ROW < THREADS ? expected(i / ROW, i % ROW) : i);
    CHECK_INT(rig.sim->program.steady_count, steady);
    rig_free(&rig);
  }
}

// ---- what all blocks compute alike ---------------------------------------------------------------------------------

// %r5 to %r13 are sums of what is the same in all blocks and what only looks like it: set by some lanes, used before it
// is set, set twice, changed by the block.
static const char sums[] =
    "  mul.lo.u32 %r5, %r1, 3;\n"
    "  add.u32 %r6, %r5, %r2;\n"
    "  setp.gt.u32 %p1, %r1, 9;\n"
    "  @%p1 mov.u32 %r7, 100;\n"
    "  add.u32 %r8, %r7, 1;\n"
    "  mov.u32 %r10, 0; mov.u32 %r11, 0;\n"
    "L: add.u32 %r11, %r11, %r9; mov.u32 %r9, 5;\n"
    "  add.u32 %r10, %r10, 1; setp.lt.u32 %p2, %r10, 4;\n  @%p2 bra L;\n"
    "  setp.lt.u32 %p3, %r1, 20;\n  @%p3 bra S;\n  mov.u32 %r12, 7;\n  bra.uni J;\n"
    "S: mov.u32 %r12, 9;\n"
    "J: add.u32 %r30, %r6, %r8; add.u32 %r30, %r30, %r11; add.u32 %r30, %r30, %r12;\n";

static uint32_t sums_expected(uint32_t block, uint32_t thread) {
  return thread * 3 + block + (thread > 9 ? 100 : 0) + 1 + 15 + (thread < 20 ? 9 : 7);
}

// Four of the prologue, %r5, %p1, %p3.
static void test_sums(void) { check_blocks(sums, sums_expected, 4 + 3); }

// What is needed stands behind what needs it, and some lanes never come there.
static const char backwards[] =
    "  mov.u32 %r30, 3;\n  setp.ge.u32 %p1, %r1, 12;\n  @%p1 bra B;\n  bra.uni E;\n"
    "A: add.u32 %r21, %r20, %r1; add.u32 %r30, %r21, %r2;\n  bra.uni E;\n"
    "B: mul.lo.u32 %r20, %r1, 41;\n  bra.uni A;\n"
    "E:\n";

static uint32_t backwards_expected(uint32_t block, uint32_t thread) {
  return thread >= 12 ? thread * 42 + block : 3;
}

static void test_backwards(void) { check_blocks(backwards, backwards_expected, 4 + 3); }

// ---- what only makes addresses -------------------------------------------------------------------------------------

// Words behind the results, which count; %r10 counts rounds, and %r11 is an index that changes in many ways.
typedef struct Indexed { const char *body; int left_out; } Indexed;   // left_out: beside what all blocks compute alike
#define ROUNDS(body)                                                                                    \
  "  mov.u32 %r10, 0; mov.u32 %r30, 0;\n"                                                               \
  "L: and.b32 %r12, %r10, 3; mul.lo.u32 %r11, %r1, %r12; shr.u32 %r12, %r10, 4; xor.b32 %r11, %r11, %r12;\n" body \
  "  add.u32 %r30, %r30, %r20; add.u32 %r10, %r10, 1; setp.lt.u32 %p5, %r10, 300;\n  @%p5 bra L;\n"

static const Indexed indexed[] = {
    {ROUNDS("  mul.wide.u32 %rd10, %r11, 4; add.u64 %rd11, %rd1, %rd10; ld.global.u32 %r20, [%rd11+1280];\n"), 2},
    {ROUNDS("  mul.wide.s32 %rd10, %r11, -4; add.s64 %rd11, %rd10, %rd1; ld.global.u32 %r20, [%rd11+4096];\n"), 2},
    // an index that is a negative number, and one that would be
    {ROUNDS("  sub.u32 %r11, %r11, 7; mul.wide.s32 %rd10, %r11, 4; add.s64 %rd11, %rd1, %rd10;\n"
            "  ld.global.u32 %r20, [%rd11+1600];\n"), 2},
    {ROUNDS("  add.u32 %r11, %r11, 2147483000; mul.wide.u32 %rd10, %r11, 4; add.u64 %rd11, %rd1, %rd10;\n"
            "  ld.global.u32 %r20, [%rd11+-8589930720];\n"), 2},
    // two arrays by one product; a store of the address
    {ROUNDS("  mul.wide.u32 %rd10, %r11, 4; add.u64 %rd11, %rd1, %rd10; add.u64 %rd12, %rd3, %rd10;\n"
            "  add.u64 %rd13, %rd1, %rd10; ld.global.u32 %r20, [%rd11+1280]; ld.global.u32 %r21, [%rd12+1280];\n"
            "  st.global.u64 [%rd13+8192], %rd13; add.u32 %r20, %r20, %r21;\n"), 1},
    // the index changes in between; lanes come in between; the product is of another line
    {ROUNDS("  mul.wide.u32 %rd10, %r11, 4; add.u64 %rd11, %rd1, %rd10; add.u32 %r11, %r11, 1;\n"
            "  ld.global.u32 %r20, [%rd11+1280];\n"), 0},
    {ROUNDS("  mul.wide.u32 %rd10, %r11, 4; mov.u32 %r13, 0;\n"
            "M: add.u64 %rd11, %rd1, %rd10; ld.global.u32 %r20, [%rd11+1280]; add.u32 %r11, %r11, 1;\n"
            "  add.u32 %r13, %r13, 1; setp.lt.u32 %p6, %r13, 2;\n  @%p6 bra M;\n"), 0},
    // some lanes
    {ROUNDS("  add.u32 %r14, %r10, %r1; and.b32 %r14, %r14, 5; setp.eq.u32 %p6, %r14, 1; mov.u32 %r20, 9;\n"
            "  @%p6 bra N;\n"
            "  mul.wide.u32 %rd10, %r11, 4; add.u64 %rd11, %rd1, %rd10; ld.global.u32 %r20, [%rd11+1280];\nN:\n"), 2},
    {ROUNDS("  mul.wide.u32 %rd10, %r1, 4; add.u64 %rd11, %rd1, %rd10; st.global.u32 [%rd11+8192], %r10;\n"
            "  mov.u32 %r20, 1;\n"), 0},
};

static int count_left_out(const Rig *rig) {
  int left_out = 0;
  for (int pc = 0; pc < rig->module->code_count; pc++) left_out += rig->sim->program.code[pc].left_out;
  return left_out - rig->sim->program.steady_count;
}

// Somebody watches, and nobody does.
static void test_indexed(void) {
  for (int i = 0; i < LS_COUNT(indexed); i++) {
    Rig watched, bare;
    run_blocks(&watched, indexed[i].body, true);
    run_blocks(&bare, indexed[i].body, false);
    CHECK(memcmp(rig_words(&watched, 0), rig_words(&bare, 0), WORDS * sizeof(uint32_t)) == 0);
    if (count_left_out(&bare) != indexed[i].left_out) printf("\nkernel %d\n", i);
    CHECK_INT(count_left_out(&bare), indexed[i].left_out);
    rig_free(&watched);
    rig_free(&bare);
  }
}

// ---- loops of one line ---------------------------------------------------------------------------------------------

static uint64_t jumps, loads;

static void count_times(TraceSink *sink, const TraceEvent *e, uint64_t times) {
  (void)sink;
  if (e->kind == TRACE_BRANCH) jumps += times;
  if (e->kind == TRACE_LOAD) loads += times;
}

static void count_one(TraceSink *sink, const TraceEvent *e) { count_times(sink, e, 1); }

// A load that leaves the buffer in its fifth round: each jump before it counts, and the fifth load.
static void test_fault_in_round(void) {
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", "",
             "  mov.u32 %r10, 0;\n"
             "L: ld.global.u32 %r20, [%rd3]; add.u64 %rd3, %rd3, 1024; add.u32 %r10, %r10, 1;\n"
             "  setp.lt.u32 %p1, %r10, 9;\n  @%p1 bra L;\n  ret;");
  rig.sink.event = NULL;
  rig.sink.access = count_one;
  rig.sink.accesses = count_times;
  rig.options.threads = 1;
  rig_size(&rig, "1", "32");
  rig_arg(&rig, "u32[1024]=iota");
  CHECK(rig_make(&rig));
  jumps = loads = 0;
  sim_run(rig.sim, &rig.sink, &rig.err);
  CHECK_INT(rig_faults(&rig), 1);
  CHECK_INT(jumps, 4);
  CHECK_INT(loads, 5);
  rig_free(&rig);
}

// Loops whose rounds are counted before they are executed, and some that are like them: %r10 counts.
typedef struct Counted { const char *body; bool is_counted; } Counted;
#define LOOP(from, body, test) "  mov.u32 %r10, " from "; mov.u32 %r30, 0;\nL: " body test "  @%p5 bra L;\n"
#define SUM "  add.u32 %r30, %r30, %r20;\n"
#define LOAD "  ld.global.u32 %r20, [%rd3+1280];\n" SUM
#define UP "  add.u32 %r10, %r10, 1;\n"
#define BELOW "  setp.lt.u32 %p5, %r10, 300;\n"

static const Counted counted[] = {
    {LOOP("0", LOAD "  add.u64 %rd3, %rd3, 4;\n" UP, BELOW), true},
    {LOOP("0", "  add.s64 %rd3, 8, %rd3;\n" LOAD UP, "  setp.ne.s32 %p5, %r10, 299;\n"), true},
    {LOOP("0", LOAD "  add.u64 %rd3, %rd3, 4;\n", "  setp.lt.u32 %p5, %r10, 299;\n" UP), true},
    {LOOP("-20", LOAD "  add.u64 %rd3, %rd3, 4; add.s32 %r10, %r10, 3;\n", "  setp.ge.s32 %p5, 200, %r10;\n"), true},
    {LOOP("-20", LOAD UP, "  setp.gt.u32 %p5, %r10, 200;\n"), true},
    {LOOP("90", LOAD "  add.s32 %r10, %r10, -1;\n", "  setp.eq.s32 %p6, %r10, -3; not.pred %p5, %p6;\n"), false},
    {LOOP("0", UP "  mul.wide.u32 %rd10, %r10, 4; add.u64 %rd11, %rd1, %rd10;\n"
               "  ld.global.u32 %r20, [%rd11+1280];\n" SUM, BELOW), true},
    // the counter is 64 bits wide; it is looked at; its step is a register; it goes beyond the largest number
    {"  mov.u64 %rd12, 7;\n" LOOP("0", LOAD "  add.u64 %rd12, %rd12, 5;\n", "  setp.lt.u64 %p5, %rd12, 999;\n"), true},
    {LOOP("0", "  add.u32 %r30, %r30, %r10;\n" LOAD UP, BELOW), true},
    {"  shr.u32 %r11, %r1, 6; add.u32 %r11, %r11, 2;\n" LOOP("0", LOAD "  add.u32 %r10, %r10, %r11;\n", BELOW), true},
    {LOOP("4294967000", LOAD UP, "  setp.gt.u32 %p5, %r10, 200;\n"), true},
    // stores, and what was stored a round before
    {LOOP("0", LOAD "  st.global.u32 [%rd3+8192], %r30; ld.global.u32 %r21, [%rd3+8188]; add.u32 %r30, %r30, %r21;\n"
               "  add.u64 %rd3, %rd3, 4;\n" UP, BELOW), true},
    // lanes differ in what they count from, and in how far their words are apart from one round to the next
    {"  mov.u32 %r12, %r1;\n" LOOP("0", LOAD "  add.u32 %r12, %r12, 3;\n", "  setp.lt.u32 %p5, %r12, 300;\n"), true},
    {"  and.b32 %r12, %r1, 1; mul.wide.u32 %rd12, %r12, 4;\n"
     LOOP("0", LOAD "  add.u64 %rd3, %rd3, %rd12;\n" UP, BELOW), true},
    // the address changes in another way, too; the step changes; the predicate is looked at
    {LOOP("0", LOAD "  add.u64 %rd3, %rd3, 4; xor.b64 %rd3, %rd3, 64;\n" UP, BELOW), false},
    {"  mov.u32 %r12, 0;\n" LOOP("0", LOAD "  add.u32 %r12, %r12, 1; add.u32 %r10, %r10, %r12;\n", BELOW), false},
    {LOOP("0", LOAD UP, BELOW "  selp.b32 %r21, 1, 2, %p5; add.u32 %r30, %r30, %r21;\n"), false},
};

static bool has_counted(const Rig *rig) {
  bool has = false;
  for (int pc = 0; pc < rig->module->code_count; pc++) has |= rig->sim->program.code[pc].rounds != NULL;
  return has;
}

static void check_counted(const Counted *loop, uint32_t checks) {
  Rig watched, bare;
  run_blocks_with(&watched, loop->body, true, checks);
  run_blocks_with(&bare, loop->body, false, checks);
  bool same = memcmp(rig_words(&watched, 0), rig_words(&bare, 0), WORDS * sizeof(uint32_t)) == 0;
  if (!same || has_counted(&bare) != loop->is_counted) printf("\nloop %d\n", (int)(loop - counted));
  CHECK(same);
  CHECK_INT(has_counted(&bare), loop->is_counted);
  for (int pc = 0; pc < bare.module->code_count; pc++) {
    CHECK_INT(bare.tallies[pc].warps, watched.tallies[pc].warps);
    CHECK_INT(bare.tallies[pc].lanes, watched.tallies[pc].lanes);
  }
  rig_free(&watched);
  rig_free(&bare);
}

static void test_counted(void) {
  for (int i = 0; i < LS_COUNT(counted); i++) {
    check_counted(&counted[i], SIM_CHECK_ALL);
    check_counted(&counted[i], 0);
  }
}

// What counts rounds, or makes addresses, behind the loop: how many of the two nobody looks at before they are set.
typedef struct Behind { const char *body; int over; } Behind;
#define WALK LOOP("0", LOAD "  add.u64 %rd3, %rd3, 4;\n" UP, "  setp.lt.u32 %p5, %r10, 20;\n")
#define LOOK "  cvt.u32.u64 %r21, %rd3; cvt.u32.u64 %r22, %rd1; sub.u32 %r21, %r21, %r22; add.u32 %r30, %r30, %r21;\n"

static const Behind behind[] = {
    {WALK, 2}, {WALK "  add.u32 %r30, %r30, %r10;\n", 1}, {WALK LOOK, 1},
    {WALK "  mov.u64 %rd3, %rd5;\n" LOOK, 2}, {WALK "  setp.lt.u32 %p6, %r1, 7;\n  @%p6 mov.u64 %rd3, %rd5;\n" LOOK, 1},
    {WALK "  setp.lt.u32 %p6, %r1, 7;\n  @%p6 bra N;\n  mov.u64 %rd3, %rd1;\nN:\n" LOOK, 1},
    {WALK "  setp.lt.u32 %p6, %r1, 7;\n  @%p6 bra N;\n  mov.u64 %rd3, %rd1;\n  bra.uni E;\nN: mov.u64 %rd3, %rd5;\nE:\n"
     LOOK, 2},
    {"  mov.u32 %r13, 0;\nM:\n" WALK "  add.u32 %r13, %r13, 1; setp.lt.u32 %p6, %r13, 3;\n  @%p6 bra M;\n", 1},
    {"  mov.u32 %r13, 0;\nM:\n" WALK "  add.u32 %r13, %r13, %r10; setp.lt.u32 %p6, %r13, 50;\n  @%p6 bra M;\n", 0},
};

static int count_over(const Rig *rig) {
  int over = 0;
  for (int pc = 0; pc < rig->module->code_count; pc++) {
    const SimRounds *r = rig->sim->program.code[pc].rounds;
    for (int i = 0; r && i < r->walk_count; i++) over += r->walks[i].is_over;
  }
  return over;
}

static void test_behind_loops(void) {
  for (int i = 0; i < LS_COUNT(behind); i++) {
    Rig watched, bare;
    run_blocks(&watched, behind[i].body, true);
    run_blocks(&bare, behind[i].body, false);
    bool same = !memcmp(rig_words(&watched, 0), rig_words(&bare, 0), WORDS * sizeof(uint32_t));
    if (!same || count_over(&bare) != behind[i].over) printf("\nloop %d\n", i);
    CHECK(same);
    CHECK_INT(count_over(&bare), behind[i].over);
    rig_free(&watched);
    rig_free(&bare);
  }
}

// The second warp comes to the first one's word in its sixth round.
static void test_race_in_round(void) {
  for (int record = 0; record < 2; record++) {
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0", ".shared .align 4 .b8 s[2048];\n",
               "  mov.u32 %r11, s; mov.u32 %r10, 0; mov.u32 %r30, 0; and.b32 %r12, %r1, 31; shl.b32 %r12, %r12, 2;\n"
               "  add.u32 %r12, %r11, %r12; setp.gt.u32 %p1, %r1, 31;\n  @%p1 bra L;\n"
               "  st.shared.u32 [%r12+640], %r1;\n  bra.uni E;\n"
               "L: ld.shared.u32 %r20, [%r12]; add.u32 %r30, %r30, %r20; add.u32 %r12, %r12, 128;\n" UP
               "  setp.lt.u32 %p2, %r10, 9;\n  @%p2 bra L;\nE: st.global.u32 [%rd3], %r30;\n  ret;");
    rig.options.record_all = record;
    rig.options.checks = SIM_CHECK_RACE;
    rig.options.threads = 1;
    if (!record) rig.sink.event = NULL;
    if (!record) rig.sink.access = NULL;
    rig_size(&rig, "1", "64");
    rig_arg(&rig, "u32[64]=iota");
    rig_run(&rig);
    CHECK_INT(rig_faults(&rig), 1);
    CHECK(rig_fault(&rig, FAULT_RACE) != NULL);
    CHECK_INT(rig_words(&rig, 0)[40], 8);
    rig_free(&rig);
  }
}

// ---- operations of the warp ----------------------------------------------------------------------------------------

#define SHUFFLE(mode, b, c) \
  "  shfl.sync." mode ".b32 %r22|%p1, %r20, " b ", " c ", %r21; selp.b32 %r23, 1000, 0, %p1;\n" \
  "  mad.lo.u32 %r30, %r30, 31, %r22; add.u32 %r30, %r30, %r23;\n"
static const char together[] =
    "  mad.lo.u32 %r20, %r1, 7, %r2; mov.u32 %r21, -1; mov.u32 %r24, 3; mov.u32 %r30, 0;\n"
    SHUFFLE("up", "1", "0") SHUFFLE("up", "%r24", "0") SHUFFLE("up", "2", "6144") SHUFFLE("down", "5", "31")
    SHUFFLE("down", "31", "31") SHUFFLE("down", "3", "7199") SHUFFLE("bfly", "4", "31") SHUFFLE("idx", "3", "31")
    SHUFFLE("idx", "%r1", "31") SHUFFLE("up", "%r2", "0") SHUFFLE("up", "0", "0")
    "  shfl.sync.down.b32 %r20, %r20, 1, 31, -1; and.b32 %r25, %r20, 3; setp.eq.u32 %p2, %r25, 1;\n"
    "  vote.sync.ballot.b32 %r22, %p2, %r21; xor.b32 %r30, %r30, %r22; bar.warp.sync -1;\n"
    "  vote.sync.any.pred %p3, %p2, -1; selp.b32 %r22, 77, 0, %p3; add.u32 %r30, %r30, %r22;\n"
    "  match.any.sync.b32 %r22, %r25, -1; xor.b32 %r30, %r30, %r22;\n"
    "  redux.sync.add.u32 %r22, %r20, -1; add.u32 %r30, %r30, %r22;\n";

// An operand that is a sum is formed each time.
static const char of_sums[] = "  mov.u32 %r30, 0;\n  shfl.sync.bfly.b32 %r22, %r1+7, 1, 31, -1; add.u32 %r30, %r30, %r22;\n";

static uint32_t of_sums_expected(uint32_t block, uint32_t thread) { return (void)block, (thread ^ 1) + 7; }

static void test_together_of_sums(void) { check_blocks(of_sums, of_sums_expected, 4); }

// All of it is one line of code for a whole warp; the other one is not whole.
static void test_together(void) {
  Rig watched, bare;
  run_blocks(&watched, together, true);
  run_blocks(&bare, together, false);
  CHECK(memcmp(rig_words(&watched, 0), rig_words(&bare, 0), WORDS * sizeof(uint32_t)) == 0);
  CHECK_INT(bare.sim->program.code[0].full_run, bare.module->code_count);
  CHECK(bare.sim->program.code[0].run < bare.sim->program.code[0].full_run);
  rig_free(&watched);
  rig_free(&bare);
}

// ---- atomics -------------------------------------------------------------------------------------------------------

// What a run tells: kinds and places of events, in their order.
typedef struct Told {
  TraceSink sink;
  int32_t events[2048], acted;
  int count, faults, in_lines;
  uint64_t steps;            // of faults, as they are told and as their events have them: the difference
} Told;

static int32_t event_number(unsigned kind, int32_t pc) { return (int32_t)(kind << 16) + pc; }

// A fault is told behind what it is of.
static void note_event(TraceSink *sink, const TraceEvent *e) {
  Told *told = (Told *)sink;
  bool is_fault = trace_kind_is_fault(e->kind);
  if (is_fault) CHECK_INT(told->acted, e->pc); else told->acted = e->pc;
  CHECK(told->count < LS_COUNT(told->events));
  told->events[told->count++] = event_number(e->kind, e->pc);
  told->faults += is_fault;
  if (is_fault) told->steps -= e->step;
}

// Where it is told before its event, its step is that of the event.
static void note_fault(TraceSink *sink, const TraceFault *fault) { ((Told *)sink)->steps += fault->step; }

static void note_line(TraceSink *sink, const TraceLine *line) {
  Told *told = (Told *)sink;
  TraceTee tee;
  for (int i = 0; i < line->act_count; i++) told->in_lines += line->acts[i].kind == TRACE_ATOM;
  sink->line = NULL;
  trace_tee_init(&tee, NULL, sink);   // tells them one by one
  tee.sink.line(&tee.sink, line);
  sink->line = note_line;
}

static void run_atomics(Told *told, bool by_lines, uint32_t checks) {
  Rig rig;
  *told = (Told){.sink = {.event = note_event, .fault = note_fault, .line = by_lines ? note_line : NULL}};
  rig_kernel(&rig, ".param .u64 p0", ".shared .align 4 .b8 s[256];\n",
             "  mov.u32 %r11, s; shl.b32 %r12, %r1, 2; and.b32 %r13, %r12, 31; add.u32 %r12, %r11, %r12;\n"
             "  add.u32 %r14, %r11, %r13; st.shared.u32 [%r12], %r1;\n"
             "  atom.shared.add.u32 %r15, [%r14], 2; add.u32 %r15, %r15, 1; cvt.u64.u32 %rd4, %r12;\n"
             "  add.u64 %rd5, %rd3, %rd4; red.global.max.u32 [%rd3+64], %r15; atom.global.inc.u32 %r16, [%rd3], %r1;\n"
             "  st.global.u32 [%rd5+128], %r16;\n  ret;");
  rig.options.record_all = true;
  rig.options.checks = checks;
  rig.options.threads = 1;
  rig_size(&rig, "1", "64");
  rig_arg(&rig, "u32[256]=iota");
  CHECK(rig_make(&rig));
  CHECK(sim_run(rig.sim, &told->sink, &rig.err));
  rig_free(&rig);
}

// They are parts of lines, and what is told is the same, in the same order.
static void test_atomics(void) {
  static const uint32_t checks[] = {0, SIM_CHECK_RACE};
  for (int i = 0; i < LS_COUNT(checks); i++) {
    static Told one_by_one, lines;
    run_atomics(&one_by_one, false, checks[i]);
    run_atomics(&lines, true, checks[i]);
    CHECK_INT(lines.in_lines, 2 * 3 - 1);   // the first one in global memory has to find it
    CHECK(i ? lines.faults > 0 : !lines.faults);
    CHECK_INT(lines.count, one_by_one.count);
    CHECK_INT(lines.steps, one_by_one.steps);
    CHECK(memcmp(lines.events, one_by_one.events, sizeof lines.events) == 0);
  }
}

// What somebody who counts is told of one.
typedef struct Counting { TraceSink sink; uint64_t seen[256][4]; int count; } Counting;

static void note_atomic(TraceSink *sink, const TraceEvent *e) {
  Counting *c = (Counting *)sink;
  uint64_t sum = 0;
  if (e->kind != TRACE_ATOM) return;
  for (uint64_t lane = 0; lane < 32; lane++) sum += e->mask >> lane & 1 ? e->addr[lane] * (lane + 1) : 0;
  uint64_t place = (uint64_t)e->block << 32 | (uint64_t)e->warp << 16 | (uint32_t)e->pc;
  uint64_t what = (uint64_t)e->active << 32 | e->mask, how = (uint64_t)e->flags << 16 | e->space << 8 | e->width;
  CHECK(c->count < LS_COUNT(c->seen));
  memcpy(c->seen[c->count++], (uint64_t[]){place, what, how, sum}, sizeof c->seen[0]);
}

static void no_sums(TraceSink *sink, const TraceEvent *e, uint64_t times) { (void)sink, (void)e, (void)times; }

static void count_atomics(Counting *c, bool record, uint32_t checks) {
  Rig rig;
  *c = (Counting){.sink = {.access = note_atomic, .accesses = no_sums}};
  rig_kernel(&rig, ".param .u64 p0", ".shared .align 4 .b8 s[256];\n",
             "  mov.u32 %r11, s; mov.u32 %r2, %ctaid.x; mul.lo.u32 %r12, %r1, 12; add.u32 %r12, %r12, %r2;\n"
             "  and.b32 %r12, %r12, 31; mul.wide.u32 %rd4, %r12, 4; add.u64 %rd5, %rd3, %rd4; shl.b32 %r13, %r12, 2;\n"
             "  add.u32 %r13, %r11, %r13; red.shared.add.u32 [%r13], 2; red.global.add.u32 [%rd3], 1;\n"
             "  red.global.add.u32 [%rd5+64], %r1; red.shared.xor.b32 [%r13+64], 1; setp.lt.u32 %p1, %r1, 48;\n"
             "  @%p1 red.global.add.u32 [%rd5+64], 1; red.global.max.u32 [%rd5+64], %r1;\n  ret;");
  rig.options.record_all = record;
  rig.options.checks = checks;
  rig.options.threads = 1;
  rig_size(&rig, "3", "72");
  rig_arg(&rig, "u32[256]=iota");
  CHECK(rig_make(&rig));
  CHECK(sim_run(rig.sim, &c->sink, &rig.err));
  rig_free(&rig);
}

static void test_counted_atomics(void) {
  static Counting recorded, bare, checked;
  count_atomics(&recorded, true, 0);
  count_atomics(&bare, false, 0);
  count_atomics(&checked, false, SIM_CHECK_INIT);
  CHECK_INT(recorded.count, 3 * 3 * 6);
  CHECK(bare.count == recorded.count && memcmp(bare.seen, recorded.seen, sizeof bare.seen) == 0);
  CHECK(checked.count == recorded.count && memcmp(checked.seen, recorded.seen, sizeof checked.seen) == 0);
}

// ---- barriers ------------------------------------------------------------------------------------------------------

// 96 threads: warps come to barriers whole, in part, or not at all. %r12 is the thread's word of shared memory.
typedef struct Meeting { const char *body; bool faults; } Meeting;
#define TELL "  st.shared.u32 [%r12], %r30;\n"
#define HEAR "  ld.shared.u32 %r20, [%r13]; mad.lo.u32 %r30, %r30, 5, %r20;\n"
static const Meeting meetings[] = {
    {TELL "  bar.sync 0;\n" HEAR "  bar.sync 0;\n" TELL "  bar.sync 1;\n" HEAR, false},
    {TELL "  add.u32 %r14, %r11, 3; bar.sync %r14;\n" HEAR "  bar.sync 0, 96;\n" TELL "  barrier.sync 2;\n" HEAR, false},
    {TELL "  setp.lt.u32 %p1, %r1, 40; bar.red.popc.u32 %r21, 0, %p1; add.u32 %r30, %r30, %r21;\n" HEAR
     "  setp.lt.u32 %p1, %r1, 96; bar.red.and.pred %p2, 0, %p1; selp.u32 %r21, 7, 9, %p2; add.u32 %r30, %r30, %r21;\n",
     false},
    {TELL "  setp.gt.u32 %p1, %r1, 63;\n  @%p1 exit;\n  bar.sync 0;\n" HEAR, true},
    {TELL "  setp.gt.u32 %p1, %r1, 63;\n  @%p1 bra N;\n  bar.sync 3, 96;\n" HEAR
     "  bra.uni E;\nN: bar.arrive 3, 96;\nE:\n", false},
    {TELL "  setp.gt.u32 %p1, %r1, 70;\n  @%p1 exit;\n  bar.sync 0;\n" HEAR, true},
    {TELL "  and.b32 %r21, %r1, 1; setp.eq.u32 %p1, %r21, 0;\n  @%p1 bra N;\n  bar.sync 0;\n  bra.uni E;\n"
     "N: bar.sync 0;\nE:\n" HEAR, true},
    {"  mov.u32 %r10, 0;\nL:\n" TELL "  bar.sync 0;\n" HEAR "  bar.sync 0;\n"
     "  add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, 9;\n  @%p1 bra L;\n", false},
};

static void run_meeting(Rig *rig, const char *body, bool record, uint32_t checks) {
  char *text = ls_format("%s%s%s%s%s", "  .shared .align 4 .b8 s[384];\n", own_word,
                         "  mov.u32 %r11, s; shl.b32 %r12, %r1, 2; add.u32 %r12, %r12, %r11; sub.u32 %r13, 380, %r12;\n"
                         "  add.u32 %r13, %r13, %r11; add.u32 %r13, %r13, %r11; mov.u32 %r11, 0; mov.u32 %r30, %r1;\n"
                         "  mad.lo.u32 %r4, %r2, 128, %r1; mul.wide.u32 %rd4, %r4, 4; add.u64 %rd5, %rd1, %rd4;\n",
                         body, store);
  rig_kernel(rig, ".param .u64 p0", "", text);
  rig->options.record_all = record;
  rig->options.checks = checks;
  rig->options.threads = 1;
  if (!record) rig->sink.event = NULL;
  if (!record) rig->sink.access = NULL;
  rig->options.order = SIM_WHOLE;
  rig_size(rig, "5", "96");
  rig_arg(rig, "u32[4096]=iota");
  rig_run(rig);
  free(text);
}

static int barriers_in_lines(const Rig *rig) {
  int count = 0;
  for (int pc = 0; pc < rig->module->code_count; pc++) {
    const SimInst *inst = &rig->sim->program.code[pc];
    count += inst->kind == TRACE_BARRIER && inst->together && inst->full_run == 1;
  }
  return count;
}

static void test_meetings(void) {
  for (int i = 0; i < LS_COUNT(meetings); i++)
    for (uint32_t checks = 0; checks <= SIM_CHECK_ALL; checks += SIM_CHECK_ALL) {
      Rig watched, bare;
      run_meeting(&watched, meetings[i].body, true, checks);
      run_meeting(&bare, meetings[i].body, false, checks);
      bool same = !memcmp(rig_words(&watched, 0), rig_words(&bare, 0), WORDS * sizeof(uint32_t));
      if (!same || rig_faults(&bare) != rig_faults(&watched)) printf("\nmeeting %d\n", i);
      CHECK(same);
      CHECK_INT(rig_faults(&bare), rig_faults(&watched));
      CHECK_INT(rig_faults(&bare) > 0, checks && meetings[i].faults);
      CHECK(barriers_in_lines(&bare) > 0);
      for (int pc = 0; pc < bare.module->code_count; pc++) {
        CHECK_INT(bare.tallies[pc].warps, watched.tallies[pc].warps);
        CHECK_INT(bare.tallies[pc].lanes, watched.tallies[pc].lanes);
      }
      rig_free(&watched);
      rig_free(&bare);
    }
}

static const Check checks[] = {
    {"results that all blocks have, and others", test_sums},
    {"code in another order", test_backwards},
    {"addresses that are not made", test_indexed},
    {"a fault in some round of a loop", test_fault_in_round},
    {"rounds that are counted", test_counted},
    {"what is left of a loop behind it", test_behind_loops},
    {"a race in some round", test_race_in_round},
    {"shuffles and votes of a whole warp", test_together},
    {"barriers at the ends of lines", test_meetings},
    {"shuffles of sums", test_together_of_sums},
    {"atomics in lines", test_atomics},
    {"atomics that are counted", test_counted_atomics},
};

int main(int argc, char **argv) { return check_main("sim_lines", checks, LS_COUNT(checks), argc, argv); }
