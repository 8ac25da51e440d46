// test_sim.c: the emulator on small kernels written here, against results computed here.
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "ptx/module.h"
#include "sim/alu/alu.h"
#include "sim/sim.h"
#include "launch/launch.h"

// ---- a kernel, its launch and what came of it ----------------------------------------------------------------------

typedef struct Event { TraceEvent e; uint64_t addr[32], value[32], result[32]; } Event;

typedef struct Rig {
  TraceSink sink;             // first, so that a sink is a rig
  PtxModule *module;
  Launch launch;
  SimOptions options;
  Sim *sim;
  Event *events; int count, capacity;
  uint64_t hash, accesses, fault_calls;
  TraceTally *tallies; int tally_count;
  LsErr err;
} Rig;

static void mix(Rig *rig, const void *bytes, size_t size) { rig->hash = rig->hash * 31 + ls_hash64(bytes, size); }

static void take_event(TraceSink *sink, const TraceEvent *e) {
  Rig *rig = (Rig *)(void *)sink;
  Event copy = {.e = *e};
  if (e->addr) memcpy(copy.addr, e->addr, sizeof copy.addr);
  if (e->value) memcpy(copy.value, e->value, sizeof copy.value);
  if (e->result) memcpy(copy.result, e->result, sizeof copy.result);
  copy.e.addr = copy.e.value = copy.e.result = NULL;
  const uint32_t parts[] = {e->block,  e->warp, e->kind,  e->flags,   (uint32_t)e->pc,
                            e->active, e->mask, e->taken, e->members, e->arrived};
  mix(rig, parts, sizeof parts);
  for (int i = 0; i < 32; i++) if (e->addr && e->mask >> i & 1) mix(rig, &e->addr[i], 8);
  CHECK(e->step == (uint64_t)rig->count);
  LS_PUSH(rig->events, rig->count, rig->capacity, copy);
}

static void take_access(TraceSink *sink, const TraceEvent *e) {
  CHECK(e->kind != TRACE_EXEC);
  ((Rig *)(void *)sink)->accesses++;
}

static void take_fault(TraceSink *sink, const TraceFault *fault) {
  (void)fault;
  ((Rig *)(void *)sink)->fault_calls++;
}

static void take_tally(TraceSink *sink, const TraceTally *tallies, int count) {
  Rig *rig = (Rig *)(void *)sink;
  rig->tallies = ls_alloc(sizeof *tallies * (size_t)(count + 1));
  memcpy(rig->tallies, tallies, sizeof *tallies * (size_t)count);
  rig->tally_count = count;
}

static const char head[] = ".version 8.6\n.target sm_90\n.address_size 64\n";
static const char registers[] =
    "  .reg .pred %p<16>; .reg .b16 %rs<16>; .reg .b32 %r<64>; .reg .f32 %f<16>; .reg .b64 %rd<32>; .reg .f64 "
    "%fd<16>;\n";
// %rd1: the first parameter; %r1: thread in the block; %rd3: the thread's word of the first parameter.
static const char prologue[] =
    "  ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2;\n";

static void rig_init(Rig *rig, const char *text) {
  *rig = (Rig){.sink = {.event = take_event, .access = take_access, .fault = take_fault, .tally = take_tally}};
  sim_options_init(&rig->options);
  rig->options.record_all = true;
  launch_init(&rig->launch);
  rig->module = ptx_parse("test.ptx", text, strlen(text), &rig->err);
  if (!rig->module) printf("\n%s\n", rig->err.message);
  CHECK(rig->module != NULL);
}

// A kernel k with `params`, module-scope declarations, and a body behind the registers and the prologue.
static void rig_kernel(Rig *rig, const char *params, const char *outside, const char *body) {
  char *text =
      ls_format("%s%s\n.visible .entry k(%s)\n{\n%s%s%s\n}\n", head, outside, params, registers, prologue, body);
  rig_init(rig, text);
  free(text);
}

static void rig_free(Rig *rig) {
  sim_free(rig->sim);
  launch_fini(&rig->launch);
  ptx_module_free(rig->module);
  free(rig->events);
  free(rig->tallies);
}

static void rig_size(Rig *rig, const char *grid, const char *block) {
  CHECK(launch_parse_dim(grid, true, rig->launch.grid, &rig->err));
  CHECK(launch_parse_dim(block, false, rig->launch.block, &rig->err));
}

static void rig_arg(Rig *rig, const char *text) { CHECK(launch_add_arg(&rig->launch, text, &rig->err)); }

static bool rig_make(Rig *rig) {
  int entry = ptx_find_entry(rig->module, "k", &rig->err);
  rig->sim = entry < 0 ? NULL : sim_new(rig->module, entry, &rig->launch, &rig->options, &rig->err);
  return rig->sim != NULL;
}

static void rig_run(Rig *rig) {
  bool made = rig_make(rig);
  if (!made) printf("\n%s\n", rig->err.message);
  CHECK(made);
  if (made) CHECK(sim_run(rig->sim, &rig->sink, &rig->err));
}

static const uint32_t *rig_words(Rig *rig, int arg) {
  static const uint32_t nothing[4096];
  uint64_t size;
  const uint8_t *bytes = rig->sim ? sim_buffer(rig->sim, arg, &size) : NULL;
  return bytes ? (const uint32_t *)(const void *)bytes : nothing;
}

static const TraceFault *rig_fault(Rig *rig, FaultKind kind) {
  int count = 0;
  const TraceFault *faults = rig->sim ? sim_faults(rig->sim, &count) : NULL;
  for (int i = 0; i < count; i++) if (faults[i].kind == kind) return &faults[i];
  return NULL;
}

static int rig_faults(Rig *rig) {
  int count = 0;
  if (rig->sim) sim_faults(rig->sim, &count);
  return count;
}

// Runs a kernel of one block that has the output as its only parameter, and leaves the rig to look at.
static void run_simple(Rig *rig, const char *outside, const char *body, int threads, int words) {
  char block[32], arg[32];
  snprintf(block, sizeof block, "%d", threads);
  snprintf(arg, sizeof arg, "u32[%d]=zero", words);
  rig_kernel(rig, ".param .u64 p0", outside, body);
  rig_size(rig, "1", block);
  rig_arg(rig, arg);
  rig_run(rig);
}

// ---- memory --------------------------------------------------------------------------------------------------------

typedef struct Width {
  const char *type;
  int bytes;
  uint64_t expected;
} Width;  // of 0x..f1e2d3c4b5a69788 loaded into 64 bits

static void check_width(const char *space, const char *address, const Width *w) {
  char body[1024];
  Rig rig;
  snprintf(body, sizeof body,
           "  .shared .align 16 .b8 sh[2048]; .local .align 16 .b8 lo[64];\n"
           "  mov.u64 %%rd10, 0xf1e2d3c4b5a69788; %s\n"
           "  st%s.b64 [%%rd11], %%rd10; ld%s.%s %%rd12, [%%rd11];\n"
           "  mul.wide.u32 %%rd13, %%r1, 16; add.u64 %%rd14, %%rd1, %%rd13; st.global.u64 [%%rd14+4096], %%rd12;\n"
           "  st%s.%s [%%rd11], %%rd10; ld%s.b64 %%rd12, [%%rd11]; st.global.u64 [%%rd14+4104], %%rd12; ret;",
           address, space, space, w->type, space, w->type, space);
  run_simple(&rig, "", body, 40, 4096);
  for (int t = 0; t < 40; t++) {
    uint64_t got[2];
    memcpy(got, rig_words(&rig, 0) + 1024 + t * 4, 16);
    if (got[0] != w->expected) printf("\nld%s.%s thread %d: %llx\n", space, w->type, t, (unsigned long long)got[0]);
    CHECK(got[0] == w->expected);
    CHECK(got[1] == 0xf1e2d3c4b5a69788ull);
  }
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

static void test_widths(void) {
  static const Width widths[] = {{"u8", 1, 0x88},
                                 {"s8", 1, 0xffffffffffffff88},
                                 {"b8", 1, 0x88},
                                 {"u16", 2, 0x9788},
                                 {"s16", 2, 0xffffffffffff9788},
                                 {"u32", 4, 0xb5a69788},
                                 {"s32", 4, 0xffffffffb5a69788},
                                 {"b32", 4, 0xb5a69788},
                                 {"u64", 8, 0xf1e2d3c4b5a69788},
                                 {"f64", 8, 0xf1e2d3c4b5a69788}};
  static const char *const places[][2] = {
      {".global", "mul.wide.u32 %rd11, %r1, 8; add.u64 %rd11, %rd1, %rd11;"},
      {"", "mul.wide.u32 %rd11, %r1, 8; add.u64 %rd11, %rd1, %rd11;"},
      {".shared", "mov.u64 %rd11, sh; mad.wide.u32 %rd11, %r1, 8, %rd11;"},
      {"", "mov.u64 %rd11, sh; cvta.shared.u64 %rd11, %rd11; mad.wide.u32 %rd11, %r1, 8, %rd11;"},
      {".local", "mov.u64 %rd11, lo; add.u64 %rd11, %rd11, 8;"},
      {"", "mov.u64 %rd11, lo; cvta.local.u64 %rd11, %rd11; add.u64 %rd11, %rd11, 8;"}};
  for (int p = 0; p < LS_COUNT(places); p++)
    for (int w = 0; w < LS_COUNT(widths); w++) check_width(places[p][0], places[p][1], &widths[w]);
}

static void test_narrow_registers(void) {
  Rig rig;
  run_simple(
      &rig, "",
      "  mov.u32 %r2, 0xfff180; st.global.u32 [%rd1], %r2; ld.global.s8 %rs1, [%rd1]; cvt.u32.u16 %r3, %rs1;\n"
      "  st.global.u32 [%rd1+4], %r3; ld.global.s8 %r4, [%rd1]; st.global.u32 [%rd1+8], %r4; cvt.s32.s16 %r5, %rs1;\n"
      "  st.global.u32 [%rd1+12], %r5; ld.global.s16 %r6, [%rd1]; st.global.u32 [%rd1+16], %r6; ret;",
      1, 8);
  const uint32_t *o = rig_words(&rig, 0);
  CHECK_INT(o[1], 0xff80);
  CHECK_INT(o[2], 0xffffff80u);
  CHECK_INT(o[3], 0xffffff80u);
  CHECK_INT(o[4], 0xfffff180u);
  rig_free(&rig);
}

static void test_vectors_of_memory(void) {
  Rig rig;
  // The third load overwrites the register of its own address.
  run_simple(&rig, "",
             "  mul.wide.u32 %rd4, %r1, 16; add.u64 %rd5, %rd1, %rd4; add.u32 %r2, %r1, 1; add.u32 %r3, %r1, 2; "
             "add.u32 %r4, %r1, 3;\n"
             "  st.global.v4.u32 [%rd5], {%r1, %r2, %r3, %r4}; ld.global.v2.u32 {%r5, %r6}, [%rd5+8];\n"
             "  ld.global.v2.u64 {%rd5, %rd6}, [%rd5]; mul.wide.u32 %rd4, %r1, 16; add.u64 %rd7, %rd1, %rd4; add.u32 "
             "%r5, %r5, %r6;\n"
             "  st.global.u32 [%rd7+2048], %r5; st.global.u64 [%rd7+2056], %rd6; ret;",
             33, 2048);
  const uint32_t *o = rig_words(&rig, 0);
  for (uint32_t t = 0; t < 33; t++) {
    for (uint32_t k = 0; k < 4; k++) CHECK_INT(o[t * 4 + k], t + k);
    CHECK_INT(o[512 + t * 4], 2 * t + 5);
    CHECK_INT(o[512 + t * 4 + 2], t + 2);
    CHECK_INT(o[512 + t * 4 + 3], t + 3);
  }
  rig_free(&rig);
}

static void test_const_and_globals(void) {
  Rig rig;
  run_simple(
      &rig,
      ".const .align 4 .u32 c[4] = {10, 20, 30, 40};\n.global .align 4 .u32 g[4] = {1, 2, 3, 4};\n.global .u64 q = "
      "g;\n",
      "  mov.u64 %rd4, c; and.b32 %r2, %r1, 3; mad.wide.u32 %rd5, %r2, 4, %rd4; ld.const.u32 %r3, [%rd5];\n"
      "  ld.global.u64 %rd6, [q]; mad.wide.u32 %rd7, %r2, 4, %rd6; ld.global.u32 %r4, [%rd7]; ld.const.u32 %r5, "
      "[c+8];\n"
      "  add.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r5; st.global.u32 [%rd3], %r3; st.global.u32 [g+12], %r2; ret;",
      8, 8);
  static const uint32_t expected[] = {41, 52, 63, 74, 41, 52, 63, 74};
  for (int i = 0; i < 8; i++) CHECK_INT(rig_words(&rig, 0)[i], expected[i]);
  uint64_t size;
  const uint8_t *g = sim_global(rig.sim, "g", &size);
  CHECK_INT(size, 16);
  CHECK(g && g[0] == 1 && g[12] == 3);
  CHECK(sim_global(rig.sim, "nothing", &size) == NULL);
  rig_free(&rig);
}

static void test_async_copy(void) {
  Rig rig;
  run_simple(&rig, "",
             "  .shared .align 16 .b8 sh[512];\n  mul.wide.u32 %rd4, %r1, 16; add.u64 %rd5, %rd1, %rd4; st.global.u32 [%rd5+4], "
             "%r1;\n  mov.u32 %r2, sh; mad.lo.u32 %r2, %r1, 16, %r2; cp.async.ca.shared.global [%r2], [%rd5], 16; "
             "cp.async.commit_group;\n  cp.async.wait_group 0; ld.shared.u32 %r3, [%r2+4]; st.global.u32 [%rd5+8], %r3; ret;",
             32, 128);
  for (uint32_t t = 0; t < 32; t++) CHECK_INT(rig_words(&rig, 0)[t * 4 + 2], t);
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

// An immediate in the place of a 16-bit register is cut to 16 bits: this is division by 3 as compilers write it.
static void test_half_word_immediate(void) {
  Rig rig;
  run_simple(&rig, "",
             "  cvt.u16.u32 %rs1, %r1; mul.wide.u16 %r2, %rs1, -21845; shr.u32 %r3, %r2, 17; setp.eq.s32 %p1, %r1, 7;\n"
             "  selp.b16 %rs2, -1, 5, %p1; setp.eq.u16 %p2, %rs2, 65535; selp.u32 %r4, 100, 0, %p2; add.u32 %r5, %r3, %r4;\n"
             "  st.global.u32 [%rd3], %r5; ret;",
             32, 32);
  for (uint32_t t = 0; t < 32; t++) CHECK_INT(rig_words(&rig, 0)[t], t / 3 + (t == 7 ? 100 : 0));
  rig_free(&rig);
}

static void test_mixed_generic(void) {   // even lanes shared, odd lanes global: one load, two events
  Rig rig;
  run_simple(&rig, "",
             "  .shared .align 4 .b8 sh[128];\n  mov.u32 %r2, sh; mad.lo.u32 %r2, %r1, 4, %r2; add.u32 %r3, %r1, 100; "
             "st.shared.u32 [%r2], %r3;\n"
             "  cvt.u64.u32 %rd4, %r2; cvta.shared.u64 %rd5, %rd4; and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 0; "
             "selp.b64 %rd6, %rd5, %rd3, %p1;\n"
             "  isspacep.shared %p2, %rd6; isspacep.global %p3, %rd6; ld.u32 %r5, [%rd6]; selp.u32 %r6, 1000, 0, %p2; "
             "selp.u32 %r7, 2000, 0, %p3;\n"
             "  add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %r7; st.global.u32 [%rd3], %r5; ret;",
             32, 32);
  for (uint32_t t = 0; t < 32; t++) CHECK_INT(rig_words(&rig, 0)[t], t % 2 ? 2000 : 1100 + t);
  int seen = 0;
  for (int i = 0; i < rig.count; i++) {
    const TraceEvent *e = &rig.events[i].e;
    if (!(e->flags & TRACE_GENERIC_ACCESS)) continue;
    CHECK_INT(e->mask, e->space == TRACE_SHARED ? 0x55555555u : 0xaaaaaaaau);
    if (e->space == TRACE_SHARED) CHECK_INT(rig.events[i].addr[2], 8);
    seen++;
  }
  CHECK_INT(seen, 2);
  rig_free(&rig);
}

// ---- geometry ------------------------------------------------------------------------------------------------------

static void test_geometry(void) {
  Rig rig;
  rig_kernel(
      &rig, ".param .u64 p0", "",
      "  mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y; mov.u32 %r6, %ntid.z;\n"
      "  mad.lo.u32 %r7, %r3, %r5, %r2; mad.lo.u32 %r7, %r7, %r4, %r1; mov.u32 %r8, %ctaid.x; mov.u32 %r9, %ctaid.y; "
      "mov.u32 %r10, %ctaid.z;\n"
      "  mov.u32 %r11, %nctaid.x; mov.u32 %r12, %nctaid.y; mad.lo.u32 %r13, %r10, %r12, %r9; mad.lo.u32 %r13, %r13, "
      "%r11, %r8;\n"
      "  mul.lo.u32 %r14, %r4, %r5; mul.lo.u32 %r14, %r14, %r6; mad.lo.u32 %r15, %r13, %r14, %r7; mul.wide.u32 %rd4, "
      "%r15, 4; add.u64 %rd5, %rd1, %rd4;\n"
      "  mov.u32 %r16, %laneid; mov.u32 %r17, %warpid; shl.b32 %r17, %r17, 5; add.u32 %r16, %r16, %r17; shl.b32 %r18, "
      "%r13, 16; or.b32 %r16, %r16, %r18;\n"
      "  st.global.u32 [%rd5], %r16; ret;");
  rig_size(&rig, "3,2,2", "5,3,3");
  rig_arg(&rig, "u32[540]=zero");
  rig_run(&rig);
  for (uint32_t i = 0; i < 540; i++) CHECK_INT(rig_words(&rig, 0)[i], i / 45 << 16 | i % 45);
  CHECK_INT(rig_faults(&rig), 0);
  CHECK_INT(sim_thread_instructions(rig.sim), 540 * sim_warp_instructions(rig.sim) / 24);
  rig_free(&rig);
}

static void test_big_grid(void) {
  Rig rig;
  rig_init(&rig, ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ret; }");
  rig.options.record_all = false;
  rig_size(&rig, "1000,1000", "1");
  rig_run(&rig);
  CHECK_INT(sim_warp_instructions(rig.sim), 1000000);
  CHECK_INT(rig.count, 0);
  CHECK_INT(rig.accesses, 1000000);
  rig_free(&rig);
}

static void test_hostile_launches(void) {   // end soon, and say why
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", "", "ret;");
  rig.options.record_all = false;
  rig.options.budget = 1 << 20;
  rig_size(&rig, "2147483647", "1024");
  rig_arg(&rig, "u32[1]=zero");
  rig_run(&rig);
  const TraceFault *fault = rig_fault(&rig, FAULT_BUDGET);
  CHECK(fault && fault->block < 2000 && strstr(fault->message, "of 2147483647 blocks done"));
  rig_free(&rig);
  const char *globals[] = {".global .b8 big[3000000000];", ".global .b8 a[1500000000]; .global .b8 b[1500000000];"};
  for (int k = 0; k < 2; k++) {
    rig_kernel(&rig, ".param .u64 p0", globals[k], "ret;");
    rig_arg(&rig, "u32[1]=zero");
    CHECK(!rig_make(&rig));
    CHECK(strstr(rig.err.message, "emulated global memory is limited to 2048 MB") != NULL);
    rig_free(&rig);
  }
}

static void test_empty(void) {
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", "", "  ret;");
  rig_arg(&rig, "u32[1]=zero");
  rig.launch.args[0].count = 0;
  rig_run(&rig);
  uint64_t size = 1;
  sim_buffer(rig.sim, 0, &size);
  CHECK_INT(size, 0);
  CHECK_INT(rig.count, 5);
  rig_free(&rig);
}

// ---- divergence ----------------------------------------------------------------------------------------------------

static bool saw_mask(const Rig *rig, uint32_t mask) {
  for (int i = 0; i < rig->count; i++)
    if (rig->events[i].e.kind == TRACE_STORE && rig->events[i].e.mask == mask) return true;
  return false;
}

static const char nested[] =
    "  setp.gt.u32 %p1, %r1, 15; @%p1 bra HIGH; and.b32 %r2, %r1, 1; setp.eq.u32 %p2, %r2, 1; @%p2 bra ODD;\n"
    "  st.global.u32 [%rd3], 1; bra MEET1;\nODD: st.global.u32 [%rd3], 2;\nMEET1: st.global.u32 [%rd3+128], 7; bra "
    "MEET;\n"
    "HIGH: st.global.u32 [%rd3], 3;\nMEET: st.global.u32 [%rd3+256], 9; ret;";

static void test_nested_divergence(void) {
  for (int sched = 0; sched < 2; sched++) {
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0", "", nested);
    rig.options.sched = (SimSched)sched;
    rig_size(&rig, "1", "32");
    rig_arg(&rig, "u32[96]=zero");
    rig_run(&rig);
    for (int t = 0; t < 32; t++) {
      CHECK_INT(rig_words(&rig, 0)[t], t > 15 ? 3 : t % 2 ? 2 : 1);
      CHECK_INT(rig_words(&rig, 0)[32 + t], t > 15 ? 0 : 7);
      CHECK_INT(rig_words(&rig, 0)[64 + t], 9);
    }
    CHECK(saw_mask(&rig, 0x5555) && saw_mask(&rig, 0xaaaa) && saw_mask(&rig, 0xffff0000) && saw_mask(&rig, 0xffff) &&
          saw_mask(&rig, 0xffffffff));
    int stores = 0, diverging = 0, meeting = 0;
    for (int i = 0; i < rig.count; i++) {
      stores += rig.events[i].e.kind == TRACE_STORE;
      diverging += rig.events[i].e.flags & TRACE_DIVERGES ? 1 : 0;
      meeting += rig.events[i].e.flags & TRACE_RECONVERGES ? 1 : 0;
    }
    CHECK_INT(stores, 5);
    CHECK_INT(diverging, 2);
    CHECK_INT(meeting, 2);
    rig_free(&rig);
  }
}

static void test_loops(void) {
  for (int sched = 0; sched < 2; sched++) {
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0", "",
               "  mov.u32 %r2, 0; mov.u32 %r3, 0;\nL: setp.ge.u32 %p1, %r2, %r1; @%p1 bra E; add.u32 %r2, %r2, 1; "
               "add.u32 %r3, %r3, %r2; bra L;\n"
               "E: st.global.u32 [%rd3], %r3; ret;");
    rig.options.sched = (SimSched)sched;
    rig_size(&rig, "1", "64");
    rig_arg(&rig, "u32[64]=zero");
    rig_run(&rig);
    for (uint32_t t = 0; t < 64; t++) CHECK_INT(rig_words(&rig, 0)[t], t * (t + 1) / 2);
    CHECK(saw_mask(&rig, 0xffffffff));
    // 4 + 2 before the loop; warp 0 comes to the test 32 times, warp 1 64 times.
    CHECK_INT(sim_warp_instructions(rig.sim), 2 * 6 + (32 * 2 + 31 * 3) + (64 * 2 + 63 * 3) + 2 * 2);
    rig_free(&rig);
  }
}

static void test_guards(void) {   // any instruction may have one
  Rig rig;
  run_simple(&rig, "",
             "  and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; mov.u32 %r3, 5; @%p1 mov.u32 %r3, 6; @!%p1 st.global.u32 "
             "[%rd3], %r3; @%p1 add.u32 %r3, %r3, 1;\n"
             "  @%p1 st.global.u32 [%rd3], %r3; setp.gt.u32 %p2, %r1, 99; @%p2 st.global.u32 [%rd1], 0; @%p1 exit; "
             "st.global.u32 [%rd3+128], 1; ret;",
             32, 64);
  for (int t = 0; t < 32; t++) {
    CHECK_INT(rig_words(&rig, 0)[t], t % 2 ? 5 : 7);
    CHECK_INT(rig_words(&rig, 0)[32 + t], t % 2);
  }
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

static void test_jump_table(void) {
  Rig rig;
  run_simple(&rig, "",
             "  rem.u32 %r2, %r1, 3;\nT: .branchtargets A, B, C;\n  brx.idx %r2, T;\nA: mov.u32 %r3, 10; bra E;\nB: "
             "mov.u32 %r3, 20; bra E;\nC: mov.u32 %r3, 30;\n"
             "E: st.global.u32 [%rd3], %r3; ret;",
             32, 32);
  for (int t = 0; t < 32; t++) CHECK_INT(rig_words(&rig, 0)[t], t % 3 * 10 + 10);
  CHECK(saw_mask(&rig, 0xffffffff));
  rig_free(&rig);
}

// ---- barriers ------------------------------------------------------------------------------------------------------

static void test_barrier(void) {
  Rig rig;
  run_simple(&rig, "",
             "  .shared .align 4 .b8 sh[1024];\n  mov.u32 %r2, sh; mad.lo.u32 %r3, %r1, 4, %r2; st.shared.u32 [%r3], "
             "%r1; bar.sync 0;\n"
             "  mov.u32 %r4, 255; sub.u32 %r4, %r4, %r1; mad.lo.u32 %r5, %r4, 4, %r2; ld.shared.u32 %r6, [%r5]; "
             "st.global.u32 [%rd3], %r6; ret;",
             256, 256);
  for (uint32_t t = 0; t < 256; t++) CHECK_INT(rig_words(&rig, 0)[t], 255 - t);
  CHECK_INT(rig_faults(&rig), 0);
  int arrivals = 0;
  for (int i = 0; i < rig.count; i++) {
    const TraceEvent *e = &rig.events[i].e;
    if (e->kind != TRACE_BARRIER) continue;
    CHECK_INT(e->arrived, ++arrivals);
    CHECK_INT(e->expected, 8);
    CHECK_INT((e->flags & TRACE_LAST_ARRIVAL) != 0, arrivals == 8);
  }
  CHECK_INT(arrivals, 8);
  rig_free(&rig);
}

static void test_barrier_reductions(void) {
  Rig rig;
  run_simple(&rig, "",
             "  setp.lt.u32 %p1, %r1, 70; bar.red.popc.u32 %r2, 0, %p1; bar.red.and.pred %p2, 1, %p1; bar.red.or.pred "
             "%p3, 2, !%p1;\n"
             "  selp.u32 %r3, 1000, 0, %p2; selp.u32 %r4, 2000, 0, %p3; add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r4; "
             "st.global.u32 [%rd3], %r2; ret;",
             100, 100);
  for (int t = 0; t < 100; t++) CHECK_INT(rig_words(&rig, 0)[t], 2070);
  rig_free(&rig);
}

static void test_named_barriers(void) {   // warps 0-1 produce, warps 2-3 consume
  Rig rig;
  run_simple(&rig, "",
             "  .shared .align 4 .b8 sh[256];\n  mov.u32 %r2, sh; setp.gt.u32 %p1, %r1, 63; @%p1 bra C;\n"
             "  mad.lo.u32 %r3, %r1, 4, %r2; add.u32 %r4, %r1, 7; st.shared.u32 [%r3], %r4; bar.arrive 3, 128; ret;\n"
             "C: bar.sync 3, 128; mov.u32 %r5, 127; sub.u32 %r5, %r5, %r1; mad.lo.u32 %r3, %r5, 4, %r2; ld.shared.u32 "
             "%r4, [%r3]; st.global.u32 [%rd3], %r4; ret;",
             128, 128);
  for (uint32_t t = 64; t < 128; t++) CHECK_INT(rig_words(&rig, 0)[t], 127 - t + 7);
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

static void test_early_return(void) {   // threads that ended are not waited for
  Rig rig;
  run_simple(&rig, "", "  setp.gt.u32 %p1, %r1, 39; @%p1 bra E; bar.sync 0; st.global.u32 [%rd3], 1;\nE: ret;", 128,
             128);
  for (int t = 0; t < 128; t++) CHECK_INT(rig_words(&rig, 0)[t], t < 40);
  CHECK(rig_fault(&rig, FAULT_DEADLOCK) == NULL);
  rig_free(&rig);
}

// ---- faults --------------------------------------------------------------------------------------------------------

static void expect_fault(FaultKind kind, const char *outside, const char *body, int threads, const char *words,
                         SimSched sched) {
  Rig rig;
  char block[32];
  snprintf(block, sizeof block, "%d", threads);
  rig_kernel(&rig, ".param .u64 p0", outside, body);
  bool is_long = kind == FAULT_BUDGET || kind == FAULT_LIVELOCK;
  rig.options.sched = sched;
  rig.options.budget = 16000000;
  rig.options.record_all = !is_long;
  rig_size(&rig, "1", block);
  rig_arg(&rig, "u32[64]=zero");
  rig_run(&rig);
  const TraceFault *fault = rig_fault(&rig, kind);
  if (!fault && rig_faults(&rig)) { int n; printf("\n  instead: %s\n", sim_faults(rig.sim, &n)[0].message); }
  CHECK(fault != NULL);
  if (fault && !strstr(fault->message, words)) printf("\n  got: %s\n  without: %s\n", fault->message, words);
  CHECK(fault && strstr(fault->message, words));
  CHECK(rig.fault_calls >= 1);
  bool told = is_long || (fault && kind == FAULT_RACE && fault->space == TRACE_GLOBAL && fault->step == UINT64_MAX);
  for (int i = 0; i < rig.count; i++)
    if (rig.events[i].e.kind == TRACE_FAULT && fault && rig.events[i].e.step == fault->step)
      told = rig.events[i].e.pc == fault->pc;
  CHECK(told);
  rig_free(&rig);
}

static void test_bounds(void) {
  expect_fault(FAULT_OUT_OF_BOUNDS, "", "  ld.global.u32 %r2, [%rd3+256]; ret;", 1,
               "thread (0,0,0) of block (0,0,0) reads 4 bytes at argument 1[64], just past the end of argument 1 "
               "(256 bytes); line",
               SIM_ITS);
  expect_fault(FAULT_OUT_OF_BOUNDS, "", "  st.global.u32 [%rd3+232], %r1; ret;", 32, "thread (6,0,0)", SIM_ITS);
  expect_fault(FAULT_OUT_OF_BOUNDS, "", "  st.global.u32 [%rd3+-4], %r1; ret;", 1,
               "writes 4 bytes at argument 1[-1], 4 bytes before the start", SIM_ITS);
  expect_fault(FAULT_OUT_OF_BOUNDS, "",
               "  .shared .align 4 .b8 sh[64];\n  mov.u32 %r2, sh; st.shared.u32 [%r2+64], %r1; ret;", 1,
               "sh[16], just past the end of sh (64 bytes)", SIM_ITS);
  expect_fault(FAULT_OUT_OF_BOUNDS, "",
               "  .shared .align 4 .b8 sh[64];\n  mov.u32 %r2, sh; st.shared.u32 [%r2+-4], %r1; ret;", 1,
               "sh[-1], 4 bytes before the start of sh", SIM_ITS);
  expect_fault(FAULT_OUT_OF_BOUNDS, "",
               "  .local .align 4 .b8 lo[16];\n  mov.u64 %rd4, lo; ld.local.u32 %r2, [%rd4+16]; ret;", 1,
               "past the end of lo", SIM_ITS);
  expect_fault(FAULT_OUT_OF_BOUNDS, "", "  mov.u64 %rd4, 0; ld.u32 %r2, [%rd4]; ret;", 1,
               "address 0x0: the pointer is null", SIM_ITS);
  expect_fault(FAULT_MISALIGNED, "", "  add.u64 %rd4, %rd3, 2; ld.global.u32 %r2, [%rd4]; ret;", 1,
               "byte 2 of argument 1, an address that is no multiple of 4", SIM_ITS);
  expect_fault(FAULT_MISALIGNED, "", "  ld.global.v2.u32 {%r2, %r3}, [%rd1+4]; ret;", 1, "no multiple of 8", SIM_ITS);
}

static void test_other_faults(void) {
  expect_fault(
      FAULT_UNINITIALIZED, "",
      "  .shared .align 4 .b8 sh[64];\n  mov.u32 %r2, sh; st.shared.u8 [%r2], %r1; ld.shared.u32 %r3, [%r2]; ret;", 1,
      "which nobody has written", SIM_ITS);
  expect_fault(FAULT_TRAP, "", "  trap;", 1, "trap", SIM_ITS);
  expect_fault(FAULT_DIVIDE_BY_ZERO, "", "  mov.u32 %r2, 4; div.u32 %r3, %r2, %r1; st.global.u32 [%rd3], %r3; ret;", 2,
               "thread (0,0,0) of block (0,0,0) divides", SIM_ITS);
  expect_fault(FAULT_BUDGET, "", "L: add.u32 %r1, %r1, 1; st.global.u32 [%rd1], %r1; bra L;", 1,
               "used up with 0 of 1 blocks done; warps went round the loop that ends at line 9 of the PTX", SIM_ITS);
  expect_fault(FAULT_DIVERGENT_BARRIER, "", "  setp.gt.u32 %p1, %r1, 15; @%p1 bra E; bar.sync 0;\nE: ret;", 32,
               "lanes 0-15 of warp 0 come to a block barrier without lanes 16-31", SIM_ITS);
  expect_fault(FAULT_DIVERGENT_BARRIER, "", "  setp.gt.u32 %p1, %r1, 15; @%p1 bra E; bar.sync 0;\nE: ret;", 32,
               "without", SIM_STACK);
  expect_fault(
      FAULT_INACTIVE_SOURCE, "",
      "  setp.gt.u32 %p1, %r1, 15; @%p1 bra E; mov.u32 %r3, 31; shfl.sync.idx.b32 %r2, %r1, 20, %r3, 0xffff;\nE: ret;",
      32, "takes no part", SIM_ITS);
  expect_fault(FAULT_BAD_MASK, "", "  setp.gt.u32 %p1, %r1, 15; @%p1 bra E; bar.warp.sync 0xffff0000;\nE: ret;", 32,
               "which does not name them", SIM_ITS);
  expect_fault(FAULT_BAD_MASK, "", "  setp.gt.u32 %p1, %r1, 15; @%p1 bra E; bar.warp.sync 0xffffffff;\nE: ret;", 32,
               "lanes 16-31, which", SIM_ITS);
  expect_fault(FAULT_BAD_MASK, "", "  setp.gt.u32 %p1, %r1, 15; @%p1 bra E; bar.warp.sync 0xffffffff;\nE: ret;", 32,
               "lanes 16-31, which", SIM_STACK);
}

static void test_deadlock(void) {
  expect_fault(FAULT_DEADLOCK, "", "  setp.gt.u32 %p1, %r1, 127; @%p1 bra E; bar.sync 1, 160;\nE: ret;", 160,
               "nobody can go on: warps 0-3 wait at barrier 1 (line 9 of the PTX); warp 4 ended at line 10 of the PTX",
               SIM_ITS);
  expect_fault(FAULT_DEADLOCK, "",
               "  setp.gt.u32 %p1, %r1, 31; @%p1 bra B; bar.sync 1; bra E;\nB: bar.sync 2;\nE: ret;", 64,
               "warp 0 waits at barrier 1", SIM_ITS);
}

static void test_mbarrier_faults(void) {
  expect_fault(FAULT_LIVELOCK, "",
               "  .shared .align 8 .b64 bar;\n  setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [bar], 65; "
               "bar.sync 0; mbarrier.arrive.shared.b64 %rd4, [bar];\n"
               "W: mbarrier.try_wait.shared.b64 %p2, [bar], %rd4; @!%p2 bra W; ret;",
               64, "of warp 0 spin at line 11 of the PTX and nothing", SIM_ITS);
  expect_fault(FAULT_TRAP, "",
               "  .shared .align 8 .b64 bar;\n  setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [bar], 40; "
               "bar.sync 0; mbarrier.arrive.noComplete.shared.b64 %rd4, [bar], 30; ret;",
               64, "thread (33,0,0) of block (0,0,0): more arrivals at an mbarrier", SIM_ITS);
}

static void test_stack_overflow(void) {
  expect_fault(FAULT_STACK_OVERFLOW,
               ".func (.param .b32 r0) f(.param .b32 a0)\n{ .reg .b32 %a<4>; .param .b32 x; .param .b32 y;\n"
               "  ld.param.b32 %a1, [a0]; add.u32 %a1, %a1, 1; st.param.b32 [x], %a1; call (y), f, (x); ld.param.b32 "
               "%a2, [y]; st.param.b32 [r0], %a2; ret; }\n",
               "  .param .b32 x; .param .b32 y;\n  st.param.b32 [x], %r1; call (y), f, (x); ret;", 1,
               "more calls than its stack can hold", SIM_ITS);
}

// ---- races ---------------------------------------------------------------------------------------------------------

static void test_races(void) {
  expect_fault(FAULT_RACE, "",
               "  .shared .align 4 .b8 sh[256];\n  mov.u32 %r2, sh; mad.lo.u32 %r3, %r1, 4, %r2; st.shared.u32 [%r3], "
               "%r1; mov.u32 %r4, 63; sub.u32 %r4, %r4, %r1;\n"
               "  mad.lo.u32 %r5, %r4, 4, %r2; ld.shared.u32 %r6, [%r5]; st.global.u32 [%rd3], %r6; ret;",
               64, "with no barrier in between", SIM_ITS);
  expect_fault(FAULT_RACE, "", "  .shared .align 4 .b8 sh[4];\n  st.shared.u32 [sh], %r1; ret;", 32,
               "writes sh[0], which thread (31,0,0) writes", SIM_ITS);
}

static void expect_clean(const char *body, int threads) {
  Rig rig;
  run_simple(&rig, "", body, threads, 1024);
  if (rig_faults(&rig)) { int n; printf("\n  %s\n", sim_faults(rig.sim, &n)[0].message); }
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

static void test_no_races(void) {
  // Neighbouring bytes of a word by different warps.
  expect_clean(
      "  .shared .align 4 .b8 sh[256];\n  mov.u32 %r2, sh; mul.lo.u32 %r3, %r1, 5; rem.u32 %r3, %r3, 64; add.u32 %r3, "
      "%r3, %r2; st.shared.u8 [%r3], %r1; bar.sync 0; ld.shared.u8 %r4, [%r3]; ret;",
      64);
  // A flag behind a fence.
  expect_clean(
      "  .shared .align 4 .b8 sh[8];\n  setp.eq.u32 %p1, %r1, 0; @!%p1 bra W; st.volatile.shared.u32 [sh+4], 0;\nW: "
      "bar.sync 0; setp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 32; @%p1 bra P; @%p2 bra C; ret;\n"
      "P: st.shared.u32 [sh], 42; membar.cta; st.volatile.shared.u32 [sh+4], 1; ret;\n"
      "C: ld.volatile.shared.u32 %r2, [sh+4]; setp.eq.u32 %p3, %r2, 0; @%p3 bra C; membar.cta; ld.shared.u32 %r3, "
      "[sh]; st.global.u32 [%rd1], %r3; ret;",
      64);
  // Atomics on one word, read after a barrier; the same value stored by all lanes.
  expect_clean(
      "  .shared .align 4 .b8 sh[8];\n  st.shared.u32 [sh+4], 3; setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [sh], 0; "
      "bar.sync 0; atom.shared.add.u32 %r2, [sh], 1; bar.sync 0; ld.shared.u32 %r3, [sh]; ret;",
      32);
}

static void test_global_races(void) {
  expect_fault(FAULT_RACE, "", "  ld.global.u32 %r2, [%rd1]; add.u32 %r2, %r2, %r1; st.global.u32 [%rd1], %r2; ret;",
               32, "argument 1[0], which thread (31,0,0)", SIM_ITS);
  expect_fault(FAULT_RACE, "",
               "  st.global.u32 [%rd3], %r1; xor.b32 %r2, %r1, 32; mul.wide.u32 %rd4, %r2, 4; add.u64 %rd4, %rd1, "
               "%rd4; ld.global.u32 %r3, [%rd4]; ret;",
               64, "writes argument 1[32], which thread (0,0,0) reads", SIM_STACK);
  expect_clean(
      "  st.global.u32 [%rd3], %r1; bar.sync 0; xor.b32 %r2, %r1, 32; mul.wide.u32 %rd4, %r2, 4; add.u64 %rd4, %rd1, "
      "%rd4; ld.global.u32 %r3, [%rd4]; ret;",
      64);
  expect_clean("  st.global.u32 [%rd1], 1; ret;", 128);   // all store the same
  expect_clean("  atom.global.add.u32 %r2, [%rd1], %r1; red.global.add.u32 [%rd1], %r1; ret;", 128);
  for (int fence = 0; fence < 2; fence++) {  // a word that two blocks write; the first one may publish it
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0", "",
               fence ? "  mov.u32 %r2, %ctaid.x; setp.eq.u32 %p1, %r2, 1; @%p1 ld.volatile.global.u32 %r3, [%rd1+4]; membar.gl;\n"
                       "  st.global.u32 [%rd1], %r2; membar.gl; atom.global.add.u32 %r3, [%rd1+4], 1; ret;"
                     : "  mov.u32 %r2, %ctaid.x; st.global.u32 [%rd1], %r2; ret;");
    rig_size(&rig, "2", "1");
    rig_arg(&rig, "u32[2]=const:7");
    rig_run(&rig);
    const TraceFault *fault = rig_fault(&rig, FAULT_RACE);
    CHECK((fault != NULL) == !fence);
    if (fault)
      CHECK(fault->block == 1 && fault->other_block == 0 &&
            strstr(fault->message, "of block (0,0,0) writes; nothing orders the two blocks"));
    rig_free(&rig);
  }
}

// ---- spinning ------------------------------------------------------------------------------------------------------

static const char spin_lock[] =
    "L: atom.global.cas.b32 %r2, [%rd1], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra L;\n"
    "  ld.volatile.global.u32 %r3, [%rd1+4]; add.u32 %r3, %r3, 1; st.volatile.global.u32 [%rd1+4], %r3; membar.gl; "
    "atom.global.exch.b32 %r4, [%rd1], 0; ret;";

static void test_spin_lock(void) {
  for (uint64_t seed = 0; seed < 3; seed++) {
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0", "", spin_lock);
    rig.options.seed = seed;
    rig.options.record_all = false;
    rig_size(&rig, "1", "64");
    rig_arg(&rig, "u32[2]=zero");
    rig_run(&rig);
    CHECK_INT(rig_words(&rig, 0)[1], 64);
    CHECK_INT(rig_faults(&rig), 0);
    rig_free(&rig);
  }
  expect_fault(
      FAULT_LIVELOCK, "", spin_lock, 32,
      "lanes 1-31 of warp 0 spin at line 9 of the PTX and nothing they look at can change; lane 0 waits for them",
      SIM_STACK);
  expect_fault(FAULT_LIVELOCK, "", "L: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra L; ret;",
               1, "spin", SIM_ITS);
}

// ---- lanes with one another ----------------------------------------------------------------------------------------

// PTX ISA 9.7.9.6, written down once more.
static uint32_t shuffle_reference(const char *mode, const uint32_t a[32], int lane, int b, int width, bool *in_range) {
  int first = lane / width * width, last = first + width - 1, from;
  if (strcmp(mode, "up") == 0) { from = lane - b; *in_range = from >= first; }
  else if (strcmp(mode, "down") == 0) { from = lane + b; *in_range = from <= last; }
  else if (strcmp(mode, "bfly") == 0) { from = lane ^ b; *in_range = from <= last; }
  else { from = first + b % width; *in_range = true; }
  return a[*in_range ? from : lane];
}

static void check_shuffle(const char *mode, int b, int width, bool in_place) {
  Rig rig;
  char body[512];
  int c = (32 - width) << 8 | (strcmp(mode, "up") == 0 ? 0 : 31);
  snprintf(body, sizeof body,
           "  mul.lo.u32 %%r2, %%r1, 37; shfl.sync.%s.b32 %%r%d|%%p1, %%r2, %d, %d, -1; selp.u32 %%r4, 1, 0, %%p1;\n"
           "  st.global.u32 [%%rd3], %%r%d; st.global.u32 [%%rd3+128], %%r4; ret;",
           mode, in_place ? 2 : 3, b, c, in_place ? 2 : 3);
  run_simple(&rig, "", body, 32, 64);
  uint32_t a[32];
  for (uint32_t i = 0; i < 32; i++) a[i] = i * 37;
  for (int i = 0; i < 32; i++) {
    bool in_range;
    CHECK_INT(rig_words(&rig, 0)[i], shuffle_reference(mode, a, i, b, width, &in_range));
    CHECK_INT(rig_words(&rig, 0)[32 + i], in_range);
  }
  rig_free(&rig);
}

static void test_shuffles(void) {
  static const char *const modes[] = {"up", "down", "bfly", "idx"};
  for (int m = 0; m < 4; m++)
    for (int width = 1; width <= 32; width *= 2)
      for (int b = 0; b < 32; b += b < 4 ? 1 : 9) check_shuffle(modes[m], b, width, (b + m) % 2);
}

static void test_meeting(void) {   // halves come to one mask on two ways
  Rig rig;
  run_simple(&rig, "",
             "  setp.gt.u32 %p1, %r1, 15; @%p1 bra H; bar.warp.sync 0xffffffff; mov.u32 %r2, 1; bra M;\nH: mov.u32 "
             "%r2, 2; bar.warp.sync 0xffffffff;\n"
             "M: vote.sync.ballot.b32 %r3, %p1, 0xffffffff; match.any.sync.b32 %r4, %r2, -1; redux.sync.add.u32 %r5, "
             "%r1, -1; activemask.b32 %r6;\n"
             "  add.u32 %r3, %r3, %r5; st.global.u32 [%rd3], %r3; st.global.u32 [%rd3+128], %r4; st.global.u32 "
             "[%rd3+256], %r6; ret;",
             32, 96);
  for (int t = 0; t < 32; t++) {
    CHECK_INT(rig_words(&rig, 0)[t], 0xffff0000u + 496);
    CHECK_INT(rig_words(&rig, 0)[32 + t], t > 15 ? 0xffff0000u : 0xffffu);
    CHECK_INT(rig_words(&rig, 0)[64 + t], 0xffffffffu);
  }
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

// ---- atomics -------------------------------------------------------------------------------------------------------

typedef struct Atomic { const char *op, *type; int bytes; uint64_t start; } Atomic;

static uint64_t atomic_reference(const Atomic *a, uint64_t old, uint64_t b) {
  uint64_t all = a->bytes == 4 ? UINT32_MAX : UINT64_MAX;
  bool is_signed = a->type[0] == 's';
  int64_t so = a->bytes == 4 ? (int32_t)old : (int64_t)old, sb = a->bytes == 4 ? (int32_t)b : (int64_t)b;
  if (strcmp(a->type, "f32") == 0) {
    float x, y;
    memcpy(&x, &old, 4);
    memcpy(&y, &b, 4);
    x += y;
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
  }
  if (strcmp(a->type, "f64") == 0) {
    double x, y;
    memcpy(&x, &old, 8);
    memcpy(&y, &b, 8);
    x += y;
    memcpy(&old, &x, 8);
    return old;
  }
  if (strcmp(a->op, "add") == 0) return (old + b) & all;
  if (strcmp(a->op, "and") == 0) return old & b;
  if (strcmp(a->op, "or") == 0) return old | b;
  if (strcmp(a->op, "xor") == 0) return old ^ b;
  if (strcmp(a->op, "exch") == 0) return b;
  if (strcmp(a->op, "min") == 0) return is_signed ? (sb < so ? b : old) : b < old ? b : old;
  if (strcmp(a->op, "max") == 0) return is_signed ? (sb > so ? b : old) : b > old ? b : old;
  if (strcmp(a->op, "inc") == 0) return old >= b ? 0 : old + 1;
  return old == 0 || old > b ? b : old - 1;
}

// Lane i's operand is 2654435761 * (i + 3), shifted for floats so that it is a moderate number.
static uint64_t atomic_operand(const Atomic *a, uint32_t lane) {
  uint64_t bits = 2654435761u * (uint64_t)(lane + 3);
  if (a->type[0] != 'f') return a->bytes == 4 ? (uint32_t)bits : bits;
  if (a->bytes == 4) { float x = (float)lane * 0.3f; uint32_t b; memcpy(&b, &x, 4); return b; }
  double x = lane * 0.3;
  memcpy(&bits, &x, 8);
  return bits;
}

static void check_atomic(const Atomic *a, const char *space) {
  Rig rig;
  char body[1400], address[128], reg = a->bytes == 4 ? 'r' : 'd';
  const char *shared = "mov.u64 %rd8, sh;", *generic = "mov.u64 %rd8, sh; cvta.shared.u64 %rd8, %rd8;",
             *global = "add.u64 %rd8, %rd1, 4096;";
  snprintf(address, sizeof address, "%s",
           strcmp(space, ".shared") == 0 ? shared
           : strcmp(space, "") == 0      ? generic
                                         : global);
  const char *d = reg == 'r' ? "%r" : "%rd";
  snprintf(body, sizeof body,
           "  .shared .align 8 .b8 sh[8];\n  %s mov.b%d %s20, %llu; setp.eq.u32 %%p1, %%r1, 0; @%%p1 st%s.b%d [%%rd8], "
           "%s20; bar.warp.sync -1;\n"
           "  mul.wide.u32 %%rd9, %%r1, 8; add.u64 %%rd9, %%rd1, %%rd9; ld.global.b%d %s21, [%%rd9]; atom%s.%s.%s "
           "%s22, [%%rd8], %s21; st.global.b%d [%%rd9+1024], %s22;\n"
           "  red%s.%s.%s [%%rd8], %s21; ld%s.b%d %s23, [%%rd8]; st.global.b%d [%%rd1+2048], %s23; ret;",
           address, a->bytes * 8, d, (unsigned long long)a->start, space, a->bytes * 8, d, a->bytes * 8, d, space,
           a->op, a->type, d, d, a->bytes * 8, d, space, strcmp(a->op, "exch") == 0 ? "add" : a->op,
           strcmp(a->op, "exch") == 0 ? (a->bytes == 4 ? "u32" : "u64") : a->type, d, space, a->bytes * 8, d,
           a->bytes * 8, d);
  rig_kernel(&rig, ".param .u64 p0", "", body);
  rig_size(&rig, "1", "32");
  rig_arg(&rig, "u64[600]=zero");
  LaunchArg *arg = &rig.launch.args[0];
  arg->init = LAUNCH_DATA;
  arg->data = ls_alloc(4800);
  for (uint32_t i = 0; i < 32; i++) { uint64_t b = atomic_operand(a, i); memcpy(arg->data + i * 8, &b, 8); }
  rig_run(&rig);
  const uint8_t *out = (const uint8_t *)rig_words(&rig, 0);
  uint64_t now = a->start;
  for (uint32_t i = 0; i < 32; i++) {
    uint64_t old = 0;
    memcpy(&old, out + 1024 + i * 8, (size_t)a->bytes);
    if (old != now)
      printf("\natom%s.%s.%s lane %u: %llx, expected %llx\n", space, a->op, a->type, i, (unsigned long long)old,
             (unsigned long long)now);
    CHECK(old == now);
    now = atomic_reference(a, now, atomic_operand(a, i));
  }
  Atomic red = *a;
  if (strcmp(a->op, "exch") == 0) red.op = "add";
  for (uint32_t i = 0; i < 32; i++) now = atomic_reference(&red, now, atomic_operand(a, i));
  uint64_t last = 0;
  memcpy(&last, out + 2048, (size_t)a->bytes);
  CHECK(last == now);
  rig_free(&rig);
}

static void test_atomics(void) {
  static const Atomic all[] = {
      {"add", "u32", 4, 5},          {"add", "s32", 4, 5},          {"add", "u64", 8, 1ull << 40},
      {"add", "f32", 4, 0},          {"add", "f64", 8, 0},          {"and", "b32", 4, 0xffffffff},
      {"or", "b32", 4, 1},           {"xor", "b32", 4, 9},          {"and", "b64", 8, ~0ull},
      {"or", "b64", 8, 1},           {"xor", "b64", 8, 7},          {"exch", "b32", 4, 3},
      {"exch", "b64", 8, 3},         {"min", "u32", 4, 0x80000000}, {"max", "u32", 4, 0x80000000},
      {"min", "s32", 4, 3},          {"max", "s32", 4, 0x80000000}, {"min", "u64", 8, 1ull << 63},
      {"max", "u64", 8, 1},          {"min", "s64", 8, 9},          {"max", "s64", 8, 1ull << 63},
      {"inc", "u32", 4, 0xfffffff0}, {"dec", "u32", 4, 2}};
  static const char *const spaces[] = {".global", ".shared", ""};
  for (int i = 0; i < LS_COUNT(all); i++)
    for (int s = 0; s < 3; s++) check_atomic(&all[i], spaces[s]);
}

// ---- calls ---------------------------------------------------------------------------------------------------------

static const char fibonacci[] =
    ".func (.param .b32 r0) fib(.param .b32 a0)\n{ .reg .b32 %a<8>; .reg .pred %q; .param .b32 x; .param .b32 y; "
    ".local .align 4 .b8 keep[4];\n"
    "  ld.param.b32 %a1, [a0]; st.local.u32 [keep], %a1; setp.lt.u32 %q, %a1, 2; @%q bra SMALL;\n"
    "  sub.u32 %a2, %a1, 1; st.param.b32 [x], %a2; call (y), fib, (x); ld.param.b32 %a3, [y];\n"
    "  ld.local.u32 %a4, [keep]; sub.u32 %a4, %a4, 2; st.param.b32 [x], %a4; call (y), fib, (x); ld.param.b32 %a5, "
    "[y]; add.u32 %a3, %a3, %a5; st.param.b32 [r0], %a3; ret;\n"
    "SMALL: st.param.b32 [r0], %a1; ret; }\n";

static void test_bf16_atomics(void) {   // 32 times 1 and 2, and -0.5 on one half
  Rig rig;
  run_simple(&rig, "",
             "  mov.b32 %r2, 0x40003f80; red.global.add.noftz.bf16x2 [%rd1], %r2; mov.b16 %rs1, 0xbf00;\n"
             "  setp.eq.u32 %p1, %r1, 0; @%p1 atom.global.add.noftz.bf16 %rs2, [%rd1+4], %rs1; ret;",
             32, 2);
  CHECK_INT(rig_words(&rig, 0)[0], 0x42804200);
  CHECK_INT(rig_words(&rig, 0)[1], 0xbf00);
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

static void test_recursion(void) {
  for (int sched = 0; sched < 2; sched++) {
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0", fibonacci,
               "  .param .b32 x; .param .b32 y;\n  st.param.b32 [x], %r1; call (y), fib, (x); ld.param.b32 %r2, [y]; "
               "st.global.u32 [%rd3], %r2; ret;");
    rig.options.sched = (SimSched)sched;
    rig_size(&rig, "1", "14");
    rig_arg(&rig, "u32[14]=zero");
    rig_run(&rig);
    uint32_t a = 0, b = 1;
    for (int t = 0; t < 14; t++) {
      CHECK_INT(rig_words(&rig, 0)[t], a);
      b += a;
      a = b - a;
    }
    CHECK_INT(rig_faults(&rig), 0);
    rig_free(&rig);
  }
}

static void test_register_parameters(void) {   // as people write them; f swaps its arguments when it calls itself
  Rig rig;
  run_simple(&rig,
             ".func (.reg .u32 %rv, .reg .u64 %rw) f(.reg .u32 %n, .reg .u64 %x, .reg .u64 %y)\n"
             "{ .reg .pred %q; .reg .u32 %m; .reg .u64 %z;\n"
             "  setp.eq.u32 %q, %n, 0; @%q bra D; sub.u32 %m, %n, 1; call (%m, %z), f, (%m, %y, %x); add.u32 %rv, %m, %n; "
             "add.u64 %rw, %z, %x; ret;\nD: mov.u32 %rv, 0; mov.u64 %rw, %y; ret; }\n",
             "  .reg .u64 %big;\n  and.b32 %r2, %r1, 7; cvt.u64.u32 %big, %r1; call (%r4, %rd5), f, (%r2, %big, 1000);\n"
             "  cvt.u32.u64 %r6, %rd5; st.global.u32 [%rd3], %r4; st.global.u32 [%rd3+256], %r6; ret;",
             64, 128);
  for (uint32_t t = 0; t < 64; t++) {
    uint32_t n = t & 7, x = t, y = 1000, sum = n % 2 ? x : y;
    for (uint32_t k = 0; k < n; k++) sum += k % 2 ? y : x;
    CHECK_INT(rig_words(&rig, 0)[t], n * (n + 1) / 2);
    CHECK_INT(rig_words(&rig, 0)[64 + t], sum);
  }
  CHECK_INT(rig_faults(&rig), 0);
  rig_free(&rig);
}

static void test_refused_together(void) {   // everything that cannot be executed, in one message
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0",
             ".func g(.reg .pred %q)\n{ ret; }\n.func h()\n{ .reg .u32 %a; mov.u32 %a, 1; }\n",
             "  call g, (%p1); call h; tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f1, %f1, %f1}];\n"
             "P: .callprototype _ (.param .b32 _);\n  call %rd1, (), P; ret;");
  rig_arg(&rig, "u32[1]=zero");
  CHECK(!rig_make(&rig));
  CHECK_INT(rig.err.kind, LS_EUNSUPPORTED);
  CHECK(strstr(rig.err.message, "line 4: g takes a predicate") != NULL);
  CHECK(strstr(rig.err.message, "line 13: tex.cube.v4") != NULL);
  CHECK(strstr(rig.err.message, "with other arguments or results than its .callprototype has") != NULL);
  rig_free(&rig);
}

static void test_indirect_calls(void) {
  Rig rig;
  run_simple(&rig,
             ".func (.param .b32 r0) one(.param .b32 a0)\n{ .reg .b32 %a; ld.param.b32 %a, [a0]; add.u32 %a, %a, 100; "
             "st.param.b32 [r0], %a; ret; }\n"
             ".func (.param .b32 r1) two(.param .b32 a1)\n{ .reg .b32 %a; ld.param.b32 %a, [a1]; mul.lo.u32 %a, %a, 3; "
             "st.param.b32 [r1], %a; ret; }\n",
             "  .param .b32 x; .param .b32 y;\n  mov.u64 %rd4, one; mov.u64 %rd5, two; and.b32 %r2, %r1, 1; "
             "setp.eq.u32 %p1, %r2, 0; selp.b64 %rd6, %rd4, %rd5, %p1;\n"
             "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n  st.param.b32 [x], %r1; call (y), %rd6, (x), P; "
             "ld.param.b32 %r3, [y]; st.global.u32 [%rd3], %r3; ret;",
             32, 32);
  for (uint32_t t = 0; t < 32; t++) CHECK_INT(rig_words(&rig, 0)[t], t % 2 ? t * 3 : t + 100);
  CHECK(saw_mask(&rig, 0xffffffff));
  rig_free(&rig);
}

// Another name of a function, declared and called before it is told whose: by name, through a table, from a list of targets.
static void test_aliases(void) {
  Rig rig;
  run_simple(&rig,
             ".visible .func (.param .b32 r0) other(.param .b32 a0);\n"
             ".visible .func (.param .b32 r1) one(.param .b32 a1)\n{ .reg .b32 %a; ld.param.b32 %a, [a1]; add.u32 %a, %a, 100; "
             "st.param.b32 [r1], %a; ret; }\n.alias other, one;\n.global .align 8 .u64 table[1] = {other};\n",
             "  .param .b32 x; .param .b32 y;\n  st.param.b32 [x], %r1; call (y), other, (x); ld.param.b32 %r2, [y];\n"
             "  ld.global.u64 %rd4, [table]; st.param.b32 [x], %r2;\n"
             "P: .callprototype (.param .b32 _) _ (.param .b32 _) .abi_preserve 8;\n  call (y), %rd4, (x), P; ld.param.b32 %r2, "
             "[y];\nT: .calltargets other, one;\n  mov.u64 %rd4, other; st.param.b32 [x], %r2; call (y), %rd4, (x), T; "
             "ld.param.b32 %r3, [y]; st.global.u32 [%rd3], %r3; ret;",
             32, 32);
  for (uint32_t t = 0; t < 32; t++) CHECK_INT(rig_words(&rig, 0)[t], t + 300);
  rig_free(&rig);
}

static void test_printf(void) {
  Rig rig;
  run_simple(&rig,
             ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
             ".global .align 1 .b8 text[32] = {37, 100, 58, 37, 48, 53, 46, 49, 102, 37, 99, 37, 115, 37, 37, 37, 108, "
             "108, 120, 10, 0};\n.global .align 1 .b8 word[4] = {111, 107, 0};\n",
             "  .local .align 8 .b8 args[40]; .param .b64 x; .param .b64 y; .param .b32 z;\n  mov.u64 %rd4, args; "
             "cvta.local.u64 %rd5, %rd4; sub.u32 %r2, %r1, 1; st.local.u32 [args], %r2;\n"
             "  cvt.rn.f64.u32 %fd1, %r1; st.local.f64 [args+8], %fd1; st.local.u32 [args+16], 65; mov.u64 %rd6, word; "
             "st.local.u64 [args+24], %rd6; mov.u64 %rd7, 0xabcdef012345; st.local.u64 [args+32], %rd7;\n"
             "  mov.u64 %rd8, text; st.param.b64 [x], %rd8; st.param.b64 [y], %rd5; call (z), vprintf, (x, y); ret;",
             2, 2);
  CHECK_STR(sim_output(rig.sim), "-1:000.0Aok%abcdef012345\n0:001.0Aok%abcdef012345\n");
  int calls = 0;
  for (int i = 0; i < rig.count; i++) {
    if (rig.events[i].e.kind != TRACE_CALL) continue;
    CHECK_INT(rig.events[i].e.target, -1);   // the module has no code of it
    calls++;
  }
  CHECK_INT(calls, 1);
  rig_free(&rig);
}

static void test_assert(void) {
  expect_fault(
      FAULT_ASSERT,
      ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"
      ".global .align 1 .b8 what[6] = {105, 60, 110, 0}; .global .align 1 .b8 func[2] = {102, 0};\n",
      "  .param .b64 x; .param .b64 y; .param .b32 l; .param .b64 z; .param .b64 n;\n  setp.lt.u32 %p1, %r1, 3; @%p1 "
      "ret; mov.u64 %rd4, what; mov.u64 %rd5, func;\n"
      "  st.param.b64 [x], %rd4; st.param.b64 [y], %rd4; st.param.b32 [l], 7; st.param.b64 [z], %rd5; st.param.b64 "
      "[n], 1; call __assertfail, (x, y, l, z, n);",
      8, "thread (3,0,0) of block (0,0,0): the assertion 'i<n' failed in f", SIM_ITS);
}

// ---- requests ------------------------------------------------------------------------------------------------------

static void expect_refusal(const char *params, const char *body, const char *block, const char *arg, LsErrKind kind,
                           const char *words) {
  Rig rig;
  char *text = ls_format("%s.visible .entry k(%s)\n{\n%s%s\n}\n", head, params, registers, body);
  rig_init(&rig, text);
  free(text);
  if (strcmp(block, "0") == 0) rig.launch.block[0] = 0;
  else rig_size(&rig, "1", block);
  if (arg) rig_arg(&rig, arg);
  CHECK(!rig_make(&rig));
  CHECK_INT(rig.err.kind, kind);
  if (!strstr(rig.err.message, words)) printf("\n  got: %s\n", rig.err.message);
  CHECK(strstr(rig.err.message, words) != NULL);
  rig_free(&rig);
}

static void test_refusals(void) {
  expect_refusal(".param .u64 p0", "ret;", "1", NULL, LS_EREQUEST, "k takes 1 argument (.u64), the launch gives 0");
  expect_refusal(".param .u64 p0", "ret;", "1", "i32=1", LS_EREQUEST,
                 "argument 1 of k: a scalar of type i32 (4 bytes) is given; the kernel expects .u64");
  expect_refusal(".param .u32 p0", "ret;", "1", "f32[4]=zero", LS_EREQUEST, "a buffer is given");
  expect_refusal(".param .f32 p0", "ret;", "1", "i32=4", LS_EREQUEST, "expects .f32");
  expect_refusal(".param .u64 p0", "ret;", "1", "q=4", LS_EREQUEST, "no parameter named q; it has p0");
  expect_refusal("", "ret;", "0", NULL, LS_EREQUEST, "block of 0 x 1 x 1");
  expect_refusal("", ".shared .b8 big[300000]; ret;", "1", NULL, LS_EREQUEST, "shared memory");
  expect_refusal(
      "",
      "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}]; sured.b.1d.add.u32.trap [%rd1, {%r1}], %r2; ret;",
      "1", NULL, LS_EUNSUPPORTED, "sured");
}

// ---- the same again ------------------------------------------------------------------------------------------------

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

// ---- replay --------------------------------------------------------------------------------------------------------

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
    {"widths of memory in every space", test_widths},
    {"narrow registers", test_narrow_registers},
    {"vectors of memory", test_vectors_of_memory},
    {"constants and globals", test_const_and_globals},
    {"asynchronous copy", test_async_copy},
    {"an immediate of 16 bits", test_half_word_immediate},
    {"a generic access to two spaces", test_mixed_generic},
    {"geometry", test_geometry},
    {"a big grid", test_big_grid},
    {"hostile launches", test_hostile_launches},
    {"an empty buffer", test_empty},
    {"nested divergence", test_nested_divergence},
    {"loops", test_loops},
    {"guards", test_guards},
    {"jump table", test_jump_table},
    {"barrier", test_barrier},
    {"barrier reductions", test_barrier_reductions},
    {"named barriers", test_named_barriers},
    {"early return", test_early_return},
    {"bounds and alignment", test_bounds},
    {"other faults", test_other_faults},
    {"deadlock", test_deadlock},
    {"faults at an mbarrier", test_mbarrier_faults},
    {"stack overflow", test_stack_overflow},
    {"races", test_races},
    {"no false races", test_no_races},
    {"races in global memory", test_global_races},
    {"spin lock", test_spin_lock},
    {"shuffles", test_shuffles},
    {"meeting on a mask", test_meeting},
    {"atomics", test_atomics},
    {"atomics on bf16", test_bf16_atomics},
    {"recursion", test_recursion},
    {"parameters in registers", test_register_parameters},
    {"refused together", test_refused_together},
    {"indirect calls", test_indirect_calls},
    {"aliases", test_aliases},
    {"printf", test_printf},
    {"assert", test_assert},
    {"refusals", test_refusals},
    {"determinism", test_determinism},
    {"tallies", test_tallies},
    {"replay equals execution", test_replay},
    {"replay before the first event", test_replay_start},
    {"cancel", test_cancel},
};

int main(int argc, char **argv) { return check_main("sim", checks, LS_COUNT(checks), argc, argv); }
