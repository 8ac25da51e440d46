// test_model_sentence.c: the sentence of every kind of event, word for word.
#include "base/mem.h"
#include "check.h"
#include "model/sentence.h"

static const uint32_t ALL = 0xffffffffu;

// One instruction per kind of event; the comment is the pc. Line 10 of a.cu holds pc 0 and 1, and so on.
static const char ptx[] =
    ".version 7.8\n.target sm_75\n.address_size 64\n"
    ".visible .entry kernel(.param .u64 kernel_param_0, .param .u32 kernel_param_1)\n{\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .f32 %f<4>;\n.reg .b64 %rd<4>;\n"
    ".loc 1 10 3\n"
    "ld.param.u32 %r1, [kernel_param_1];\n"              // 0
    "add.s32 %r1, %r2, %r3;\n"                           // 1
    ".loc 1 12 3\n"
    "$top:\n"
    "@%p1 bra $out;\n"                                   // 2
    ".loc 1 13 5\n"
    "ld.global.f32 %f1, [%rd1];\n"                       // 3
    "st.global.f32 [%rd1], %f1;\n"                       // 4
    "ld.shared.f32 %f2, [%r1];\n"                        // 5
    "st.shared.f32 [%r1], %f2;\n"                        // 6
    "red.global.add.f32 [%rd1], %f1;\n"                  // 7
    "atom.shared.cas.b32 %r4, [%r1], %r2, %r3;\n"        // 8
    "bra.uni $top;\n"                                    // 9
    ".loc 1 15 3\n"
    "$out:\n"
    "bar.sync 0;\n"                                      // 10
    "shfl.sync.bfly.b32 %r5, %r1, 4, 31, -1;\n"          // 11
    "shfl.sync.idx.b32 %r5, %r1, 0, 31, -1;\n"           // 12
    "shfl.sync.down.b32 %r5, %r1, 2, 31, -1;\n"          // 13
    "shfl.sync.up.b32 %r5, %r1, 1, 6175, -1;\n"          // 14
    "vote.sync.ballot.b32 %r6, %p1, -1;\n"               // 15
    "vote.sync.any.pred %p0, %p1, -1;\n"                 // 16
    "vote.sync.all.pred %p0, %p1, -1;\n"                 // 17
    "activemask.b32 %r6;\n"                              // 18
    "match.any.sync.b32 %r6, %r1, -1;\n"                 // 19
    "redux.sync.add.s32 %r6, %r1, -1;\n"                 // 20
    "bar.warp.sync -1;\n"                                // 21
    "membar.gl;\n"                                       // 22
    "ld.const.f32 %f3, [%rd2];\n"                        // 23
    "ld.local.f32 %f3, [%rd3];\n"                        // 24
    "redux.sync.or.b32 %r6, %r1, -1;\n"                  // 25
    "ret;\n"                                             // 26
    "}\n"
    ".func (.param .b32 result) twice(.param .b32 number)\n{\n.reg .b32 %r<3>;\n"
    "ld.param.b32 %r1, [number];\n"                      // 27
    "st.param.b32 [result], %r1;\n"                      // 28
    "ret;\n"                                             // 29
    "}\n"
    ".visible .entry caller()\n{\n.reg .b32 %r<3>;\n{\n.param .b32 param0;\n"
    "st.param.b32 [param0], %r1;\n"                      // 30
    ".param .b32 retval0;\n"
    "call.uni (retval0), twice, (param0);\n"             // 31
    "ld.param.b32 %r2, [retval0];\n"                     // 32
    "}\n"
    "ret;\n"                                             // 33
    "}\n"
    ".visible .entry sender()\n.reqnctapercluster 1, 1, 1\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<2>;\n"
    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r1], {%r2, %r2}, [%r3];\n"          // 34
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32 [%r1], %r2, [%r3];\n"    // 35
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [%r1], %rd1, [%r3];\n"   // 36
    "ret;\n"                                             // 37
    "}\n"
    ".file 1 \"/home/me/a.cu\"\n";

static PtxModule *module;
static TraceObject objects[] = {
    {.name = "x", .space = TRACE_GLOBAL, .type = LAUNCH_F32, .base = 0x7f0000000000, .size = 65536},
    {.name = "count", .space = TRACE_GLOBAL, .type = LAUNCH_U32, .base = 0x7f0000100000, .size = 4},
    {.name = "ts", .space = TRACE_SHARED, .type = LAUNCH_F32, .base = 0, .size = 8192},
    {.name = "coef", .space = TRACE_CONST, .type = LAUNCH_F32, .base = 0x1000, .size = 64},
    {.name = "dynamic", .space = TRACE_SHARED, .type = LAUNCH_U8, .base = 8192, .size = 1024},
    {.name = "argument 2", .space = TRACE_GLOBAL, .type = LAUNCH_F32, .base = 0x7f0000200000, .size = 4096},
    {.name = "the grid's barrier", .space = TRACE_GLOBAL, .type = LAUNCH_U32, .base = 0x7f0000300000, .size = 64},
    {.name = "a", .space = TRACE_LOCAL, .type = LAUNCH_F32, .base = 0, .size = 64},
};
static LaunchArg arguments[] = {{.name = (char *)"x"}, {.name = (char *)"N"}};
static TraceInfo info = {.objects = objects, .object_count = LS_COUNT(objects), .launch = {.args = arguments, .arg_count = 2}};
static uint64_t addr[32], value[32], result[32];
static uint8_t source[32];

static TraceEvent event(TraceKind kind, int pc, uint32_t mask) {
  return (TraceEvent){.kind = (uint8_t)kind, .pc = pc, .active = mask, .mask = mask, .width = 4, .addr = addr, .fault = -1};
}

static void expect(const TraceEvent *e, const char *sentence) {
  LsText out = {0};
  sentence_of(&(SentenceAbout){.module = module, .info = &info}, e, &out);
  CHECK_STR(ls_text_str(&out), sentence);
  ls_text_free(&out);
}

static void addresses(uint64_t first, int64_t stride) {
  for (int i = 0; i < 32; i++) addr[i] = first + (uint64_t)(stride * i);
}

static void expect_access(TraceKind kind, TraceSpace space, uint32_t mask, int width, const char *sentence) {
  int pc = space == TRACE_CONST ? 23 : space == TRACE_LOCAL ? 24 : space == TRACE_PARAM ? 0 : space == TRACE_SHARED ? 5 : 3;
  TraceEvent e = event(kind, pc, mask);
  e.space = (uint8_t)space;
  e.width = (uint8_t)width;
  expect(&e, sentence);
}

static const uint64_t X = 0x7f0000000000;

static void global_loads(void) {
  addresses(X, 4);
  expect_access(TRACE_LOAD, TRACE_GLOBAL, ALL, 4,
      "All 32 lanes load 4 bytes each, x[0] to x[31], starting on a sector boundary: 1 line, 4 sectors, 128 bytes move, all of "
      "them used. No access of this size moves less.");
  addresses(X + 0xa04, 4);
  expect_access(TRACE_LOAD, TRACE_GLOBAL, ALL, 4,
      "All 32 lanes load 4 bytes each, x[641] to x[672], starting 4 bytes into a sector: 2 lines, 5 sectors, 160 bytes move, 128 "
      "are used (80%). 1 sector more than an aligned access needs.");
  addresses(X, 8);
  expect_access(TRACE_LOAD, TRACE_GLOBAL, ALL, 4,
      "All 32 lanes load 4 bytes each, x[0] to x[62], 8 bytes apart: 2 lines, 8 sectors, 256 bytes move, 128 are used (50%). "
      "Packed together, the data would fit in 4 sectors.");
  addresses(X, 512);
  expect_access(TRACE_LOAD, TRACE_GLOBAL, ALL, 4,
      "All 32 lanes load 4 bytes each, x[0] to x[3968], 512 bytes apart: 32 lines, 32 sectors, 1,024 bytes move, 128 are used "
      "(12.5%). Every lane needs a sector of its own; packed together, the data would fit in 4.");
  addresses(X + 20, 0);
  expect_access(TRACE_LOAD, TRACE_GLOBAL, ALL, 4,
      "All 32 lanes load the same 4 bytes, x[5]: 1 line, 1 sector, 32 bytes move, 4 are used (12.5%). One sector serves them all.");
  expect_access(TRACE_LOAD, TRACE_GLOBAL, 8, 4, "Lane 3 loads 4 bytes, x[5]: 1 line, 1 sector, 32 bytes move, 4 are used (12.5%).");
  addresses(X + 124, -4);
  expect_access(TRACE_LOAD, TRACE_GLOBAL, ALL, 4,
      "All 32 lanes load 4 bytes each, in reverse order, x[0] to x[31]: 1 line, 4 sectors, 128 bytes move, all of them used. The "
      "order of the lanes does not matter, only the sectors do.");
  addresses(X, 16);
  expect_access(TRACE_LOAD, TRACE_GLOBAL, 0xffff, 16,
      "Lanes 0-15 load 16 bytes each, x[0] to x[60], starting on a sector boundary: 2 lines, 8 sectors, 256 bytes move, all of "
      "them used. No access of this size moves less.");
  for (int i = 0; i < 32; i++) addr[i] = X + (uint64_t)(i * i * 4);
  expect_access(TRACE_LOAD, TRACE_GLOBAL, ALL, 4,
      "All 32 lanes load 4 bytes each, scattered over x[0] to x[961]: 24 lines, 30 sectors, 960 bytes move, 128 are used (13.3%). "
      "Packed together, the data would fit in 4 sectors.");
  addresses(0x500, 4);
  expect_access(TRACE_LOAD, TRACE_GLOBAL, 3, 4,
      "Lanes 0 and 1 load 4 bytes each, global address 0x0500 to 0x0504, starting on a sector boundary: 1 line, 1 sector, 32 "
      "bytes move, 8 are used (25%).");
}

static void global_stores(void) {
  addresses(X, 4);
  expect_access(TRACE_STORE, TRACE_GLOBAL, ALL, 4,
      "All 32 lanes store 4 bytes each, x[0] to x[31], starting on a sector boundary: 1 line, 4 sectors, every byte of them "
      "written. No access of this size moves less.");
  expect_access(TRACE_STORE, TRACE_GLOBAL, 1, 4,
                "Lane 0 stores 4 bytes, x[0]: 1 line, 1 sector, 4 of its 32 bytes are written (12.5%).");
  addresses(X, 0);
  expect_access(TRACE_STORE, TRACE_GLOBAL, 0xff, 4,
      "Lanes 0-7 store to the same 4 bytes, x[0]: 1 line, 1 sector, 4 of its 32 bytes are written (12.5%). One of them wins, and "
      "which one is not defined.");
}

static void shared_accesses(void) {
  addresses(64, 4);
  expect_access(TRACE_LOAD, TRACE_SHARED, 0xffff, 4,
      "Lanes 0-15 read one 4-byte word each, ts[16] to ts[31]: 16 words in 16 different banks. One wavefront, no conflict.");
  addresses(0, 128);
  expect_access(TRACE_LOAD, TRACE_SHARED, ALL, 4,
      "All 32 lanes read one 4-byte word each, ts[0] to ts[992], 128 bytes apart: 32 words, all in bank 0. 32 wavefronts where 1 "
      "would do: up to 32 different words lie in one bank, which gives one at a time.");
  addresses(0, 8);
  expect_access(TRACE_LOAD, TRACE_SHARED, ALL, 4,
      "All 32 lanes read one 4-byte word each, ts[0] to ts[62], 8 bytes apart: 32 words in 16 banks. 2 wavefronts where 1 would "
      "do: up to 2 different words lie in one bank, which gives one at a time.");
  expect_access(TRACE_STORE, TRACE_SHARED, ALL, 8,
      "All 32 lanes write 8 bytes each, ts[0] to ts[62]: 64 words in 32 banks. 2 wavefronts, the least for 8-byte accesses: no "
      "conflict.");
  addresses(0, 0);
  expect_access(TRACE_LOAD, TRACE_SHARED, ALL, 4,
      "All 32 lanes read the same 4-byte word, ts[0]: it is read once and handed to all of them. One wavefront, no conflict.");
  expect_access(TRACE_LOAD, TRACE_SHARED, 1, 4, "Lane 0 reads one 4-byte word, ts[0]. One wavefront, no conflict.");
  expect_access(TRACE_STORE, TRACE_SHARED, 3, 4,
      "Lanes 0 and 1 write the same 4-byte word, ts[0]: one of them wins, and which one is not defined. One wavefront, no conflict.");
  expect_access(TRACE_STORE, TRACE_SHARED, 3, 1,
      "Lanes 0 and 1 write the same byte, ts[0]: one of them wins, and which one is not defined. One wavefront, no conflict.");
}

// Bytes are indexed by what an access reads; what has no name is told by its place among the arguments.
static void places_in_sentences(void) {
  addresses(8192, 4);
  expect_access(TRACE_LOAD, TRACE_SHARED, ALL, 4,
      "All 32 lanes read one 4-byte word each, dynamic[0] to dynamic[31]: 32 words in 32 different banks. One wavefront, no "
      "conflict.");
  addresses(0x7f0000200000, 4);
  expect_access(TRACE_STORE, TRACE_GLOBAL, ALL, 4,
      "All 32 lanes store 4 bytes each, elements 0 to 31 of argument 2, starting on a sector boundary: 1 line, 4 sectors, every "
      "byte of them written. No access of this size moves less.");
  expect_access(TRACE_STORE, TRACE_GLOBAL, 2, 4,
      "Lane 1 stores 4 bytes, element 1 of argument 2: 1 line, 1 sector, 4 of its 32 bytes are written (12.5%).");
  addresses(0x7f0000200000 + 4092, 4);
  expect_access(TRACE_LOAD, TRACE_GLOBAL, 3, 4,
      "Lanes 0 and 1 load 4 bytes each, element 1023 of argument 2 to global address 0x7f0000201000, starting 28 bytes into a "
      "sector: 2 lines, 2 sectors, 64 bytes move, 8 are used (12.5%). 1 sector more than an aligned access needs.");
}

static void other_memories(void) {
  addresses(16, 0);
  expect_access(TRACE_LOAD, TRACE_LOCAL, ALL, 4,
      "All 32 lanes load 4 bytes each from their own local memory, a[4]: 4 sectors. The same word of all lanes lies side by side, "
      "so this is the least possible.");
  expect_access(TRACE_STORE, TRACE_LOCAL, 4, 4, "Lane 2 stores 4 bytes in its own local memory, a[4]: 1 sector.");
  addresses(0x1000, 0);
  expect_access(TRACE_LOAD, TRACE_CONST, ALL, 4,
                "All 32 lanes read the same 4 bytes of constant memory, coef[0]: one pass serves them all.");
  addresses(0x1000, 4);
  expect_access(TRACE_LOAD, TRACE_CONST, 0xf, 4,
      "Lanes 0-3 read 4 different places of constant memory, coef[0] to coef[3]: 4 passes, because the constant cache gives one "
      "address at a time.");
  addresses(0, 0);
  expect_access(TRACE_LOAD, TRACE_PARAM, ALL, 4, "All 32 lanes read parameter 2 of the kernel, N.");
}

static void calls(void) {
  static const struct { TraceKind kind; int pc; uint32_t mask; const char *sentence; } rows[] = {
      {TRACE_STORE, 30, ALL, "All 32 lanes pass a parameter to a call."}, {TRACE_CALL, 31, ALL, "All 32 lanes call twice."},
      {TRACE_LOAD, 27, 1, "Lane 0 reads parameter 1 of twice."},          {TRACE_STORE, 28, 1, "Lane 0 hands back a result."},
      {TRACE_RET, 29, ALL, "All 32 lanes return to the caller."},
      {TRACE_LOAD, 32, 1, "Lane 0 takes the result of a call."}};
  addresses(0, 0);
  for (int i = 0; i < LS_COUNT(rows); i++) {
    TraceEvent e = event(rows[i].kind, rows[i].pc, rows[i].mask);
    e.space = TRACE_PARAM;
    expect(&e, rows[i].sentence);
  }
}

static void atomics(void) {
  TraceEvent e = event(TRACE_ATOM, 7, ALL);
  e.space = TRACE_GLOBAL;
  addresses(0x7f0000100000, 0);
  expect(&e, "All 32 lanes add to count: one place, so they queue, 32 operations one after the other.");
  addresses(X, 4);
  expect(&e, "All 32 lanes add to 32 different places, x[0] to x[31]: nobody waits for another lane.");
  for (int i = 0; i < 32; i++) addr[i] = X + (i < 6 ? 12 : 4 * ((unsigned)i % 8));
  expect(&e, "All 32 lanes add to 8 different places, x[0] to x[7]. The longest queue is 9 lanes, at x[3]: lanes that meet go one "
             "after the other.");
  TraceEvent cas = event(TRACE_ATOM, 8, 1);
  cas.space = TRACE_SHARED;
  cas.flags = TRACE_RETURNS_OLD;
  addresses(0, 0);
  expect(&cas, "Lane 0 compares and swaps ts[0]. It gets the value from before.");
}

static void sent(void) {
  static const struct { TraceKind kind; int pc, width; unsigned step; uint32_t mask; const char *sentence; } rows[] = {
      {TRACE_STORE, 34, 8, 8, ALL, "All 32 lanes write 8 bytes each, ts[0] to ts[62]: 64 words in 32 banks. 2 wavefronts, the least "
                                   "for 8-byte accesses: no conflict. The bytes arrive later: whoever has waited for the phase "
                                   "of the mbarrier sees them."},
      {TRACE_ATOM, 34, 8, 0, ALL, "All 32 lanes count 8 bytes each at the mbarrier ts[0]."},
      {TRACE_ATOM, 34, 8, 0, 4, "Lane 2 counts 8 bytes at the mbarrier ts[0]."},
      {TRACE_ATOM, 35, 4, 4, ALL, "All 32 lanes put the larger value into 32 different places, ts[0] to ts[31]: nobody waits for "
                                  "another lane. The change comes later: whoever has waited for the phase of the mbarrier sees it."},
      {TRACE_ATOM, 35, 8, 0, ALL, "All 32 lanes count 4 bytes each at the mbarrier ts[0]."},
      {TRACE_ATOM, 36, 8, 0, 1, "Lane 0 atomically changes ts[0]."},   // the sum, or the mbarrier
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    TraceEvent e = event(rows[i].kind, rows[i].pc, rows[i].mask);
    e.space = TRACE_SHARED;
    e.width = (uint8_t)rows[i].width;
    addresses(0, rows[i].step);
    expect(&e, rows[i].sentence);
  }
}

static void grid_barrier(void) {
  TraceEvent e = event(TRACE_ATOM, 7, 1);
  e.space = TRACE_GLOBAL;
  e.block = 3;
  e.value = value;
  e.result = result;
  addresses(0x7f0000300004, 0);
  value[0] = 1;
  result[0] = 0x80000004;
  expect(&e, "Lane 0 counts block 3 at grid.sync(): it has come, and waits until all blocks of the grid have.");
  result[0] = 0x7fffffff;
  expect(&e, "Lane 0 counts block 3 at grid.sync(): it is the last one, so all blocks go on. What they wrote before is visible to "
             "the whole grid.");
  e.kind = TRACE_LOAD;
  e.pc = 3;
  expect(&e, "Lane 0 looks whether all blocks have come to grid.sync(). Until they have, block 3 waits here and others run.");
  addresses(0x7f0000200004, 0);
  expect(&e, "Lane 0 loads 4 bytes, element 1 of argument 2: 1 line, 1 sector, 32 bytes move, 4 are used (12.5%).");
}

static void branches(void) {
  TraceEvent e = event(TRACE_BRANCH, 2, ALL);
  e.target = 10, e.reconverge = 10, e.taken = 0xffff, e.flags = TRACE_DIVERGES;
  expect(&e, "16 of 32 lanes, lanes 0-15, take the branch to line 15; the other 16 go on at line 13. The two sides run one after "
             "the other and meet again at line 15.");
  e.taken = 1, e.reconverge = -1;
  expect(&e, "1 of 32 lanes, lane 0, takes the branch to line 15; the other 31 go on at line 13. The two sides run one after the "
             "other; they meet again only at the end of the function.");
  e.taken = ~1u;
  expect(&e, "31 of 32 lanes, lanes 1-31, take the branch to line 15; the other goes on at line 13. The two sides run one after "
             "the other; they meet again only at the end of the function.");
  e.taken = ALL, e.flags = 0;
  expect(&e, "All 32 lanes take the branch to line 15: they stay together.");
  e.taken = 0;
  expect(&e, "No lane takes the branch to line 15: they go on together.");
  e.active = 0xff;
  expect(&e, "None of lanes 0-7 takes the branch to line 15: they go on together.");
  e.active = 4;
  expect(&e, "Lane 2 does not take the branch to line 15.");
  TraceEvent back = event(TRACE_BRANCH, 9, 0xff);
  back.target = 2, back.taken = 0xff;
  expect(&back, "Lanes 0-7 jump back to line 12.");
}

static void barriers(void) {
  TraceEvent e = event(TRACE_BARRIER, 10, ALL);
  e.warp = 3, e.arrived = 5, e.expected = 8;
  expect(&e, "Warp 3 waits at barrier 0: 5 of 8 warps are there, 3 are missing.");
  e.arrived = 7;
  expect(&e, "Warp 3 waits at barrier 0: 7 of 8 warps are there, 1 is missing.");
  e.arrived = 8, e.flags = TRACE_LAST_ARRIVAL;
  expect(&e, "Warp 3 is the last of 8 warps at barrier 0: now all of them go on. What they wrote before is visible to the whole "
             "block.");
  e.arrived = 1, e.expected = 1;
  expect(&e, "Warp 3 is the only one that barrier 0 waits for: it goes on at once.");
  e.arrived = 2, e.expected = 4, e.flags = TRACE_BAR_ARRIVE, e.barrier_id = 1;
  expect(&e, "Warp 3 reports at barrier 1 and goes on without waiting: 2 of 4 warps are there.");
}

static void sources(int (*from)(int lane)) {
  for (int i = 0; i < 32; i++) source[i] = (uint8_t)from(i);
}
static int xor4(int lane) { return lane ^ 4; }
static int lane0(int lane) { return lane * 0; }
static int down2(int lane) { return lane + 2 > 31 ? lane : lane + 2; }
static int up1_of8(int lane) { return lane % 8 < 1 ? lane : lane - 1; }
static int itself(int lane) { return lane; }
static int next(int lane) { return (lane + 1) % 32; }
static int square(int lane) { return lane * lane % 32; }
static int leader_of8(int lane) { return lane & ~7; }

static void shuffles(void) {
  TraceEvent e = event(TRACE_SHUFFLE, 11, ALL);
  e.source = source;
  sources(xor4);
  expect(&e, "All 32 lanes swap values with the lane whose number is their own xor 4. One instruction, without memory and without "
             "a barrier.");
  e.pc = 12;
  sources(lane0);
  expect(&e, "All 32 lanes get the value of lane 0. One instruction, without memory and without a barrier.");
  sources(leader_of8);
  expect(&e, "All 32 lanes get the value of lane 0 of their group of 8. One instruction, without memory and without a barrier.");
  sources(next);
  expect(&e, "All 32 lanes get the value of the lane 1 further, around the warp. One instruction, without memory and without a "
             "barrier.");
  sources(square);
  expect(&e, "All 32 lanes read from a lane of their own choice. One instruction, without memory and without a barrier.");
  sources(itself);
  expect(&e, "All 32 lanes shuffle, but each keeps its own value.");
  e.pc = 13;
  sources(down2);
  expect(&e, "All 32 lanes get the value of the lane 2 above; where there is none, a lane keeps its own. One instruction, without "
             "memory and without a barrier.");
  e.pc = 14;
  sources(up1_of8);
  expect(&e, "All 32 lanes get the value of the lane 1 below, within groups of 8; where there is none, a lane keeps its own. One "
             "instruction, without memory and without a barrier.");
}

static void votes(void) {
  TraceEvent e = event(TRACE_VOTE, 15, ALL);
  e.taken = 0xffff;
  expect(&e, "All 32 lanes vote: lanes 0-15 say yes. The ballot is 0x0000ffff, a bit for every yes.");
  e.taken = 1, e.pc = 16;
  expect(&e, "All 32 lanes vote: lane 0 says yes. Whether any does: true.");
  e.taken = 0;
  expect(&e, "All 32 lanes vote: all say no. Whether any does: false.");
  e.taken = ALL, e.pc = 17;
  expect(&e, "All 32 lanes vote: all say yes. Whether all agree: true.");
  TraceEvent mask = event(TRACE_VOTE, 18, 0xff);
  expect(&mask, "Lanes 0-7 run together now: the active mask is 0x000000ff.");
}

static void matches_and_reductions(void) {
  TraceEvent e = event(TRACE_MATCH, 19, ALL);
  expect(&e, "All 32 lanes compare values: each learns which lanes hold the same one.");
  for (int i = 0; i < 32; i++) value[i] = (uint64_t)i % 4;
  e.value = value;
  expect(&e, "All 32 lanes compare values: 4 groups hold the same one each. The largest is lanes 0, 4, 8, ... 28.");
  TraceEvent r = event(TRACE_REDUX, 20, ALL);
  expect(&r, "All 32 lanes add up their values, and each gets the sum. One instruction does what a loop of shuffles would.");
  result[0] = 0xfffffff0;
  r.result = result;
  expect(&r, "All 32 lanes add up their values, and each gets the sum, -16. One instruction does what a loop of shuffles would.");
  r.pc = 25;
  expect(&r, "All 32 lanes combine the bits of their values with or, and each gets the result, 0xfffffff0. One instruction does "
             "what a loop of shuffles would.");
}

static void the_rest(void) {
  TraceEvent e = event(TRACE_EXEC, 1, ALL);
  expect(&e, "All 32 lanes: add.s32 %r1, %r2, %r3 adds two values.");
  e.mask = 0x7fffffff;
  expect(&e, "Lanes 0-30: add.s32 %r1, %r2, %r3 adds two values. The guard is false in 1 other lane, which does nothing.");
  e.mask = 0;
  expect(&e, "The guard is false in every lane that is here: nothing happens.");
  TraceEvent sync = event(TRACE_SYNCWARP, 21, ALL);
  sync.members = ALL;
  expect(&sync, "All 32 lanes meet at __syncwarp: what one of them wrote before, all of them see after it.");
  TraceEvent fence = event(TRACE_FENCE, 22, 1);
  expect(&fence, "Lane 0 passes a fence: the whole device sees what it wrote before it no later than what it writes after it.");
  TraceEvent leave = event(TRACE_EXIT, 26, ALL);
  expect(&leave, "All 32 lanes end here.");
  leave.mask = 0xf;
  expect(&leave, "Lanes 0-3 end here; the other 28 go on.");
  TraceEvent fault = event(TRACE_FAULT, 3, 2);
  expect(&fault, "The kernel does something wrong here, in lane 1.");
  TraceEvent ret = event(TRACE_RET, 26, 1);
  expect(&ret, "Lane 0 returns to the caller.");
}

static void lanes(void) {
  static const struct { uint32_t mask; const char *text; } rows[] = {
      {0, "no lane"}, {1u << 31, "lane 31"}, {0xffffffff, "all 32 lanes"}, {0xffff, "lanes 0-15"}, {3, "lanes 0 and 1"},
      {0x80000001, "lanes 0 and 31"}, {0x55555555, "lanes 0, 2, 4, ... 30"}, {0x11111111, "lanes 0, 4, 8, ... 28"},
      {0x01010101, "lanes 0, 8, 16, 24"}, {0x7, "lanes 0-2"}, {0xf10f, "lanes 0-3, 8 and 12-15"},
      {0x00ff00ff, "lanes 0-7 and 16-23"},
      {0x5b5b5b5b, "20 lanes (mask 0x5b5b5b5b)"}, {0xfffffffe, "lanes 1-31"}};
  for (int i = 0; i < LS_COUNT(rows); i++) {
    LsText out = {0};
    sentence_lanes(rows[i].mask, &out);
    CHECK_STR(ls_text_str(&out), rows[i].text);
    ls_text_free(&out);
  }
}

static void expect_place(TraceSpace space, uint64_t at, const char *text) {
  LsText out = {0};
  sentence_place(&info, space, at, &out);
  CHECK_STR(ls_text_str(&out), text);
  ls_text_free(&out);
}

static void places(void) {
  expect_place(TRACE_SHARED, 68, "ts[17]");
  expect_place(TRACE_GLOBAL, X + 0xa00, "x[640]");
  expect_place(TRACE_GLOBAL, X + 0xa02, "x + 0x0a02");
  expect_place(TRACE_GLOBAL, 0x7f0000100000, "count");
  expect_place(TRACE_GLOBAL, X - 4, "global address 0x7efffffffffc");
  expect_place(TRACE_SHARED, 8192 + 6, "dynamic[6]");
  expect_place(TRACE_SHARED, 9216, "shared offset 0x2400");
}

static void faults(void) {
  TraceFault fault = {.kind = FAULT_DIVERGENT_BARRIER, .message = (char *)"Thread 5 never comes"};
  LsText out = {0};
  sentence_of_fault(&fault, &out);
  CHECK_STR(ls_text_str(&out),
            "Thread 5 never comes. Move __syncthreads() out of the condition, so that every thread of the block comes to it.");
  ls_text_clear(&out);
  fault.message = NULL;
  fault.size = 4;
  for (int kind = 0; kind < FAULT_KIND_COUNT; kind++) {
    fault.kind = (uint8_t)kind;
    ls_text_clear(&out);
    sentence_of_fault(&fault, &out);
    CHECK(out.length > 60 && out.data[out.length - 1] == '.');
    CHECK(strchr(ls_text_str(&out), '.') < out.data + out.length - 1);   // what it is, and what to do
  }
  fault = (TraceFault){.kind = FAULT_OUT_OF_BOUNDS, .space = TRACE_SHARED, .size = 4};
  CHECK_STR(sentence_advice(&fault), "Compare the index with the size of the array before the access.");
  fault.size = 0;    // no access: a call to nowhere, or a texture of another kind
  CHECK(sentence_advice(&fault) == NULL);
  fault.pc = -1;     // not known which access
  CHECK(sentence_advice(&fault) != NULL);
  fault.kind = FAULT_BUDGET;
  CHECK(strstr(sentence_advice(&fault), "--budget") == NULL);
  fault.pc = 0;
  CHECK(strstr(sentence_advice(&fault), "--budget") != NULL);
  ls_text_free(&out);
}

// The same events in the words of the source, whose text goes with the run.
static void words_of_the_source(void) {
  static TraceSource text = {(char *)"/home/me/a.cu",
      (char *)"1\n2\n3\n4\n5\n6\n7\n8\n9\n  int r = a + b;   // a sum\n11\n  while (r < n) {\n    x[i] = r;\n  }\n"
              "  __syncthreads();\n"};
  TraceInfo with = info;
  with.sources = &text;
  with.source_count = module->file_count;
  SentenceAbout about = {.module = module, .info = &with, .source = true};
  TraceEvent e = event(TRACE_EXEC, 1, ALL), branch = event(TRACE_BRANCH, 2, ALL);
  struct { TraceEvent event; uint32_t taken; const char *says; } cases[] = {
      {e, 0, "All 32 lanes work on line 10."},
      {branch, 0xffff, "Line 12, `while (r < n)`. 16 of 32 lanes, lanes 0-15, jump to line 15; the other 16 go on at line 13, "
                       "`x[i] = r;`. The two sides run one after the other and meet again at line 15."},
      {branch, ALL, "Line 12, `while (r < n)`. All 32 lanes jump to line 15: they stay together."},
      {branch, 0, "Line 12, `while (r < n)`. No lane jumps to line 15: they go on together."}};
  for (int i = 0; i < LS_COUNT(cases); i++) {
    LsText out = {0};
    cases[i].event.taken = cases[i].taken;
    if (cases[i].event.kind == TRACE_BRANCH) cases[i].event.target = cases[i].event.reconverge = 10;
    sentence_of(&about, &cases[i].event, &out);
    CHECK_STR(ls_text_str(&out), cases[i].says);
    CHECK(!strstr(ls_text_str(&out), "%r") && !strstr(ls_text_str(&out), "add.s32"));
    ls_text_free(&out);
  }
  LsText out = {0};
  about.source = false;   // PTX is shown beside it
  sentence_of(&about, &e, &out);
  CHECK(strstr(ls_text_str(&out), "add.s32 %r1, %r2, %r3") != NULL);
  ls_text_clear(&out);
  about.source = true;
  text.text = NULL;     // nobody has the text
  sentence_of(&about, &e, &out);
  CHECK(strstr(ls_text_str(&out), "add.s32") != NULL);
  ls_text_free(&out);
}

// Whatever an event lacks, the sentence is whole: no module, no names, no values, no lanes.
static void never_without_words(void) {
  static const uint32_t masks[] = {0, 1, 0x30, 0xf0f0, 0xffffffff};
  static const uint8_t widths[] = {0, 1, 4, 16, 255};
  for (int kind = 0; kind < TRACE_KIND_COUNT; kind++)
    for (int m = 0; m < LS_COUNT(masks); m++)
      for (int space = 0; space <= TRACE_SPACE_COUNT; space++)
        for (int w = 0; w < LS_COUNT(widths); w++)
          for (int pc = -1; pc < 40; pc += 3) {
            TraceEvent e = event((TraceKind)kind, pc, masks[m]);
            e.space = (uint8_t)space, e.width = widths[w], e.source = source, e.target = pc + 5, e.taken = masks[m] & 0x11;
            LsText out = {0};
            sentence_of(&(SentenceAbout){.module = pc % 2 ? module : NULL, .info = pc % 2 ? NULL : &info}, &e, &out);
            const char *text = ls_text_str(&out);
            CHECK(out.length > 5);
            CHECK(!strstr(text, "  ") && !strstr(text, "..") == !strstr(text, "...") && !strstr(text, "(null)"));
            ls_text_free(&out);
          }
}

static const Check checks[] = {
    {"global loads", global_loads}, {"global stores", global_stores}, {"shared accesses", shared_accesses},
    {"other memories", other_memories}, {"places in sentences", places_in_sentences}, {"calls", calls},
    {"atomics", atomics}, {"what arrives later", sent}, {"the barrier of the grid", grid_barrier}, {"branches", branches}, {"barriers", barriers},
    {"shuffles", shuffles}, {"votes", votes}, {"matches and reductions", matches_and_reductions}, {"the rest", the_rest},
    {"lanes", lanes}, {"places", places}, {"faults", faults}, {"words of the source", words_of_the_source},
    {"never without words", never_without_words},
};

int main(int argc, char **argv) {
  LsErr err = {0};
  module = ptx_parse("test.ptx", ptx, sizeof ptx - 1, &err);
  if (!module) {
    fprintf(stderr, "%s\n", err.message);
    return 99;
  }
  int status = check_main("model_sentence", checks, LS_COUNT(checks), argc, argv);
  ptx_module_free(module);
  return status;
}
