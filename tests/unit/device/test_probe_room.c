// test_probe_room.c: where the records of an instrumented kernel find room: in chunks that lanes have from the start, in
// those that they take when these are full, and in those of the callers of a function.
//
// An atomic with a result in a loop or a function keeps lanes apart on a GPU, if there are calls (probe_room.c). Where
// warps are few there is one alone then, in a function of its own, and it is seldom called.
#include <string.h>
#include "check.h"
#include "device/probe/probe_layout.h"
#include "probe_pair.h"
#include "source_dir.h"

// A block of 64; %r1 is the thread, %p1 holds for every third, %rd1 is the address of 64 words.
static const char head[] = ".version 7.8\n.target sm_75\n.address_size 64\n", start[] =
    ".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\n"
    "rem.u32 %r4, %r1, 3;\nsetp.eq.u32 %p1, %r4, 0;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\n";

// Lanes leave the loop one after the other, and part in it.
static const char loop[] = "$round:\nsetp.ge.u32 %p2, %r3, %r1;\n@%p2 bra $out;\n@%p1 bra $skip;\n"
                           "ld.global.u32 %r5, [%rd2];\nadd.u32 %r2, %r2, %r5;\n$skip:\nadd.u32 %r3, %r3, 1;\n"
                           "bra.uni $round;\n$out:\n";

// A call, if only of what the assembler makes of it.
static const char divides[] = "rem.u64 %rd3, %rd2, %rd1;\n";

typedef struct Room { uint64_t taken, lost; int atomics, calls; const char *differs; } Room;

static int times(const char *text, const char *word) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, word)); at++) count++;
  return count;
}

static Room run(const char *functions, const char *body, uint32_t blocks) {
  LsErr err = {0};
  Pair pair;
  Launch launch;
  ProbeHead used;
  char *text = ls_format("%s%s%s%sst.global.u32 [%%rd2], %%r2;\nret;\n}\n", head, functions, start, body);
  PtxModule *module = ptx_parse("room.ptx", text, strlen(text), &err);
  if (!module) printf("\n%s\n", err.message);
  CU_ASSERT_FATAL(module != NULL);
  launch_init(&launch);
  launch.grid[0] = blocks;
  launch.block[0] = 64;
  CHECK(launch_add_arg(&launch, "u32[64]=iota", &err));
  pair_init(&pair, module, ptx_find_entry(module, "k", &err), &launch);
  pair.checks = 0;
  Room room = {.differs = pair_differs(&pair, pair_run(&pair))};
  if (room.differs) printf("\n%s %s\n", room.differs, pair.err.message);
  CU_ASSERT_FATAL(pair.probe != NULL && pair.memory != NULL);
  memcpy(&used, pair.memory, sizeof used);
  const char *ptx = probe_ptx(pair.probe, NULL);
  room.taken = used.units, room.lost = used.lost;
  room.atomics = times(ptx, " atom.global"), room.calls = times(ptx, ", lanescope_probe_chunk, (");
  pair_free(&pair);
  launch_fini(&launch);
  ptx_module_free(module);
  free(text);
  return room;
}

// Nobody has to ask, and where somebody would have to, a function does it.
static void few_warps(void) {
  char *body = ls_format("%s%s", divides, loop);
  Room room = run("", body, 1);
  CHECK(!room.differs && room.lost == 0);
  CHECK_INT(room.taken, 0);
  CHECK_INT(room.atomics, 1);
  CHECK(room.calls > 4);
  free(body);
}

// The assembler lets lanes meet again: each asks where it stands.
static void no_calls(void) {
  Room room = run("", loop, 1);
  CHECK(!room.differs && room.lost == 0);
  CHECK_INT(room.calls, 0);
  CHECK(room.taken > 0 && room.atomics > 1);
}

// More than lanes have from the start.
static void long_ones(void) {
  char *longer = ls_format("%smul.lo.u32 %%r1, %%r1, 40;\n%s", divides, loop);
  Room room = run("", longer, 1);
  CHECK(!room.differs && room.lost == 0);
  CHECK(room.taken > 0);
  free(longer);
}

// Lane 0 alone has a chunk, and the code asks where it stands.
static void many_warps(void) {
  Room room = run("", "rem.u64 %rd3, %rd2, %rd1;\n@%p1 bra $skip;\nld.global.u32 %r2, [%rd1];\n$skip:\nmul.lo.u32 %r2, %r2, 0;\n", 3000);
  CHECK(room.taken > 0 && room.lost == 0);
  CHECK_INT(room.calls, 0);
  CHECK(room.atomics > 1);
}

// ---- functions -----------------------------------------------------------------------------------------------------

static const char function[] = ".func (.param .b32 sum) f(.param .b32 a, .param .b64 at)\n{\n.reg .pred %p<2>;\n"
                               ".reg .b32 %r<5>;\n.reg .b64 %rd<2>;\nld.param.u32 %r1, [a];\nld.param.u64 %rd1, [at];\n"
                               "and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra $even;\n"
                               "ld.global.u32 %r3, [%rd1];\nadd.u32 %r1, %r1, %r3;\n$even:\n"
                               "st.param.b32 [sum], %r1;\nret;\n}\n";

static const char call[] = "{\n.param .b32 a;\n.param .b64 at;\n.param .b32 sum;\nst.param.b32 [a], %r2;\n"
                           "st.param.b64 [at], %rd2;\ncall.uni (sum), f, (a, at);\nld.param.b32 %r2, [sum];\n}\n";

// They write where their callers write, and these go on behind them.
static void functions(void) {
  char *body = ls_format("%s@%%p1 bra $both;\nadd.u32 %%r2, %%r2, 1;\n%s$both:\n%s%s", call, call, call, loop);
  Room room = run(function, body, 1);
  CHECK(!room.differs && room.lost == 0);
  CHECK_INT(room.taken, 0);
  CHECK_INT(room.atomics, 1);
  free(body);
}

// Those of one that calls itself have no such place: the fewer registers, the smaller its frames.
static void recursion(void) {
  static const char itself[] =
      ".func (.param .b32 sum) f(.param .b32 a, .param .b64 at)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<5>;\n"
      ".reg .b64 %rd<2>;\nld.param.u32 %r1, [a];\nld.param.u64 %rd1, [at];\nsetp.gt.u32 %p1, %r1, 5;\n@%p1 bra $end;\n"
      "add.u32 %r1, %r1, 1;\n{\n.param .b32 b;\n.param .b64 to;\n.param .b32 got;\nst.param.b32 [b], %r1;\n"
      "st.param.b64 [to], %rd1;\ncall.uni (got), f, (b, to);\nld.param.b32 %r1, [got];\n}\n$end:\n"
      "st.param.b32 [sum], %r1;\nret;\n}\n";
  Room room = run(itself, call, 1);
  CHECK(!room.differs && room.lost == 0);
  CHECK(room.taken > 0);
}

// ---- who goes on together ------------------------------------------------------------------------------------------

// Lanes that meet at an operation between lanes go on together behind what is told of it, however few came together.
static void operations(void) {
  static const char *const words[] = {"bar.warp.sync -1;", "activemask.b32 %lanescope_a;", "lanescope_probe_numbers",
                                      "bar.warp.sync %lanescope_a;"};
  LsErr err = {0};
  Launch launch;
  char *text = ls_format("%s.func f()\n{\nbar.warp.sync -1;\nret;\n}\n%s{\ncall.uni f, ();\n}\nret;\n}\n", head, start);
  PtxModule *module = ptx_parse("room.ptx", text, strlen(text), &err);
  CU_ASSERT_FATAL(module != NULL);
  launch_init(&launch);
  launch.block[0] = 64;
  CHECK(launch_add_arg(&launch, "u32[64]=iota", &err));
  Probe *probe = probe_new(module, ptx_find_entry(module, "k", &err), &launch, &(ProbeOptions){.record_all = true}, &err);
  CU_ASSERT_FATAL(probe != NULL);
  const char *at = strstr(probe_ptx(probe, NULL), ".func f()");
  for (int i = 0; i < LS_COUNT(words) && at; i++) at = strstr(at, words[i]);
  CHECK(at != NULL);
  probe_free(probe);
  launch_fini(&launch);
  ptx_module_free(module);
  free(text);
}

// Lanes that had parted may vote together on a GPU, though neither's members have the others: who asks leaves them out.
static void votes(void) {
  LsErr err = {0};
  size_t length;
  char *source = source_read("src/device/probe/probe.cu", 1 << 20, &length, &err);
  CU_ASSERT_FATAL(source != NULL);
  CHECK_INT(times(source, "__ballot_sync("), 1);
  CHECK(strstr(source, "__ballot_sync(mask, yes) & mask;") != NULL);
  free(source);
}

static const Check checks[] = {
    {"few warps", few_warps}, {"no calls", no_calls}, {"long ones", long_ones},   {"many warps", many_warps},
    {"functions", functions}, {"recursion", recursion}, {"operations", operations},
    {"votes", votes},
};

int main(int argc, char **argv) { return check_main("probe_room", checks, LS_COUNT(checks), argc, argv); }
