// test_sim_replay.c: the emulator on kernels written here: the same run again: determinism, tallies, replay, and a
// run that is ended.
#include "sim_rig.h"

// ---- the same again ---------------------------------------------------------------------------------------------------

static const char busy[] =
    "  .shared .align 4 .b8 sh[512]; .local .align 4 .b8 lo[32];\n"
    "  mov.u32 %r30, sh; mad.lo.u32 %r31, %r1, 4, %r30; mov.u32 %r2, 0; mov.u32 %r3, 1; mov.u64 %rd10, lo; mov.u32 "
    "%r4, %ctaid.x; mul.lo.u32 %r5, %r4, 128; add.u32 %r5, %r5, %r1;\n"
    "  mul.wide.u32 %rd11, %r5, 4; add.u64 %rd12, %rd1, %rd11;\n"
    "L: and.b32 %r6, %r2, 7; mad.wide.u32 %rd13, %r6, 4, %rd10; st.local.u32 [%rd13], %r3; st.shared.u32 [%r31], %r3; "
    "bar.sync 0;\n"
    "  xor.b32 %r7, %r1, 33; mad.lo.u32 %r8, %r7, 4, %r30; ld.shared.u32 %r9, [%r8]; bar.sync 0; mad.lo.u32 %r3, %r9, "
    "1664525, %r1;\n"
    "  and.b32 %r10, %r3, 4; setp.eq.u32 %p1, %r10, 0; @%p1 bra A; add.u32 %r3, %r3, 17; bra B;\nA: ld.local.u32 %r11, "
    "[%rd13]; xor.b32 %r3, %r3, %r11;\n"
    "B: shfl.sync.bfly.b32 %r12, %r3, 1, 31, -1; add.u32 %r3, %r3, %r12; atom.global.add.u32 %r13, [%rd1+4092], %r3; "
    "st.global.u32 [%rd12], %r3;\n"
    "  add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 40; @%p2 bra L; ret;";

static void run_busy(Rig *rig, SimSched sched, uint64_t seed) {
  rig_kernel(rig, ".param .u64 p0", "", busy);
  rig->options.sched = sched;
  rig->options.seed = seed;
  rig_size(rig, "3", "128");
  rig_arg(rig, "u32[1024]=zero");
  rig_run(rig);
}

static void test_determinism(void) {
  Rig a, b;
  run_busy(&a, SIM_ITS, 0);
  run_busy(&b, SIM_ITS, 0);
  CHECK(a.count > 1000 && a.count == b.count);
  CHECK(a.hash == b.hash);
  CHECK_INT(rig_faults(&a), 0);
  rig_free(&b);
  for (int k = 0; k < 3; k++) {
    run_busy(&b, k == 0 ? SIM_STACK : SIM_ITS, (uint64_t)k);
    CHECK(memcmp(rig_words(&a, 0), rig_words(&b, 0), 4096) == 0);
    CHECK_INT(sim_thread_instructions(a.sim), sim_thread_instructions(b.sim));
    if (k == 2) CHECK(a.hash != b.hash);
    rig_free(&b);
  }
  rig_free(&a);
}

static void test_tallies(void) {   // sums of tallies equal the events
  Rig rig;
  run_busy(&rig, SIM_ITS, 0);
  uint64_t events = 0, lanes = 0, warps = 0, threads = 0;
  for (int i = 0; i < rig.count; i++) { events++; lanes += (uint64_t)__builtin_popcount(rig.events[i].e.mask); }
  for (int i = 0; i < rig.tally_count; i++) { warps += rig.tallies[i].warps; threads += rig.tallies[i].lanes; }
  CHECK(events == warps);
  CHECK(lanes == threads);
  CHECK(sim_warp_instructions(rig.sim) == warps);
  rig_free(&rig);
  run_busy(&rig, SIM_ITS, 0);
  uint64_t recorded = sim_warp_instructions(rig.sim);
  rig_free(&rig);
  CHECK(recorded == warps);
}

// ---- replay ----------------------------------------------------------------------------------------------------

// The state after an event, from an execution that knows nothing of checkpoints: a new replay that goes there at once.
static void check_same_state(SimReplay *a, SimReplay *b, const Rig *rig) {
  int entry = ptx_find_entry(rig->module, "k", NULL);
  uint64_t x[32], y[32];
  uint32_t wrote_x, wrote_y;
  uint8_t p[4096], q[4096], pi[4096], qi[4096];
  for (int warp = 0; warp < 4; warp++) {
    for (int reg = 0; reg < rig->module->funcs[entry].reg_count; reg++) {
      CHECK(sim_replay_reg(a, warp, entry, reg, x, &wrote_x) && sim_replay_reg(b, warp, entry, reg, y, &wrote_y));
      CHECK(memcmp(x, y, sizeof x) == 0 && wrote_x == wrote_y);
    }
    SimGroup g[32], h[32];
    int n = sim_replay_groups(a, warp, g, 32), m = sim_replay_groups(b, warp, h, 32);
    CHECK_INT(n, m);
    for (int i = 0; i < n && i < m; i++)
      CHECK(g[i].mask == h[i].mask && g[i].pc == h[i].pc && g[i].waiting == h[i].waiting);
  }
  static const TraceSpace spaces[] = {TRACE_SHARED, TRACE_LOCAL, TRACE_GLOBAL};
  for (int s = 0; s < 3; s++) {
    uint64_t base = s == 2 ? 0x7f0000000000ull : 0, n = sim_replay_read(a, spaces[s], 37, base, 4096, p, pi);
    CHECK(n > 0 && n == sim_replay_read(b, spaces[s], 37, base, 4096, q, qi));
    CHECK(memcmp(p, q, n) == 0 && memcmp(pi, qi, n) == 0);
  }
}

static void test_replay(void) {
  Rig rig;
  run_busy(&rig, SIM_ITS, 5);
  uint64_t per_block = (uint64_t)rig.count / 3;
  int entry = ptx_find_entry(rig.module, "k", NULL);
  SimReplay *r = sim_replay_new(rig.module, entry, &rig.launch, &rig.options, &rig.err);
  CHECK(r != NULL);
  uint64_t x = 99;
  for (int i = 0; i < 40; i++) {
    x = x * 6364136223846793005ull + 1442695040888963407ull;
    uint32_t block = (uint32_t)(x >> 40) % 3;
    uint64_t event = (x >> 20) % per_block;
    SimReplay *fresh = sim_replay_new(rig.module, entry, &rig.launch, &rig.options, &rig.err);
    CHECK(sim_replay_seek(r, block, event, &rig.err));
    CHECK(sim_replay_seek(fresh, block, event, &rig.err));
    check_same_state(r, fresh, &rig);
    sim_replay_free(fresh);
  }
  // A loaded value stands in the register after the load, as the recorded event says where from.
  for (int i = 0; i < rig.count; i += 97) {
    const Event *e = &rig.events[i];
    if (e->e.kind != TRACE_ATOM) continue;
    uint64_t first = 0, values[32];
    while (rig.events[first].e.block != e->e.block) first++;
    CHECK(sim_replay_seek(r, e->e.block, (uint64_t)i - first, &rig.err));
    int reg = rig.module->code[e->e.pc].operands[0].reg;
    CHECK(sim_replay_reg(r, e->e.warp, entry, reg, values, NULL));
    for (int lane = 0; lane < 32; lane++) if (e->e.mask >> lane & 1) CHECK(values[lane] == e->result[lane]);
  }
  CHECK(!sim_replay_seek(r, 3, 0, &rig.err));
  sim_replay_free(r);
  rig_free(&rig);
}

static void test_replay_start(void) {
  Rig rig;
  run_busy(&rig, SIM_ITS, 0);
  int entry = ptx_find_entry(rig.module, "k", NULL);
  SimReplay *r = sim_replay_new(rig.module, entry, &rig.launch, &rig.options, &rig.err);
  uint64_t values[32], addr;
  uint32_t written;
  CHECK(sim_replay_seek(r, 1, UINT64_MAX, &rig.err));
  CHECK(sim_replay_reg(r, 0, entry, 0, values, &written));
  CHECK_INT(written, 0);
  int sh = ptx_find_var(rig.module, entry, "sh");
  CHECK(sim_replay_var(r, sh, &addr) && addr == 0);
  CHECK(!sim_replay_reg(r, 4, entry, 0, values, &written) && !sim_replay_reg(r, 0, entry, 100000, values, &written));
  CHECK_INT(sim_replay_read(r, TRACE_SHARED, 0, 508, 100, (uint8_t *)values, NULL), 4);
  sim_replay_free(r);
  rig_free(&rig);
}

static void test_cancel(void) {
  Rig rig;
  _Atomic bool cancel = true;
  rig_kernel(&rig, ".param .u64 p0", "", "L: add.u32 %r1, %r1, 1; st.global.u32 [%rd1], %r1; bra L;");
  rig.options.cancel = &cancel;
  rig.options.record_all = false;
  rig_size(&rig, "1", "1");
  rig_arg(&rig, "u32[1]=zero");
  CHECK(rig_make(&rig));
  CHECK(!sim_run(rig.sim, &rig.sink, &rig.err));
  CHECK_INT(rig.err.kind, LS_ECANCEL);
  rig_free(&rig);
}

static const Check checks[] = {
    {"determinism", test_determinism},
    {"tallies", test_tallies},
    {"replay equals execution", test_replay},
    {"replay before the first event", test_replay_start},
    {"cancel", test_cancel},
};

int main(int argc, char **argv) { return check_main("sim_replay", checks, LS_COUNT(checks), argc, argv); }
