// test_sim_sent.c: st.async and red.async with their mbarrier, in a cluster of one block, as an H200 does them:
// kernels/sent.txt has for each instruction the bytes that the mbarrier expects, and the 4 words of each
// lane's 16 bytes afterwards.
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/mem.h"
#include "sim_rig.h"
#include "source_dir.h"

#define CLUSTER ".explicitcluster .reqnctapercluster 1, 1, 1"
#define ST "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes"
#define RED "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes"
#define WAIT "WAIT: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra WAIT;\n"

enum { WORDS = 128 };

// Every lane has 16 bytes of `room` with 12 in each word; thread 0 tells the mbarrier of `bytes`. The body has %r4: the
// lane's place, %r5, %r6: it and the mbarrier in the cluster, %r7: 12, %r8: thread + 7, %r9: 3 * %r8, %rd5: both.
static void prepare(Rig *rig, const char *cluster, const char *bytes, const char *body, const char *threads) {
  char *text = ls_format(
      "%s.visible .entry k(.param .u64 p0) %s\n{\n%s"
      ".shared .align 16 .b8 room[1120]; .shared .align 8 .b64 bar;\n"
      "ld.param.u64 %%rd1, [p0]; mov.u32 %%r1, %%tid.x; mov.u32 %%r2, bar; mov.u32 %%r3, room;\n"
      "mad.lo.u32 %%r4, %%r1, 16, %%r3; mad.wide.u32 %%rd6, %%r1, 16, %%rd1; mov.u32 %%r7, 12;\n"
      "mapa.shared::cluster.u32 %%r5, %%r4, 0; mapa.shared::cluster.u32 %%r6, %%r2, 0;\n"
      "st.shared.v4.u32 [%%r4], {%%r7, %%r7, %%r7, %%r7};\n"
      "setp.eq.u32 %%p1, %%r1, 0;\n"
      "@%%p1 mbarrier.init.shared.b64 [bar], 1;\n@%%p1 fence.mbarrier_init.release.cluster;\n"
      "barrier.cluster.arrive; barrier.cluster.wait;\n"
      "@%%p1 mbarrier.arrive.expect_tx.shared.b64 %%rd4, [bar], %s;\nbar.sync 0;\n"
      "add.u32 %%r8, %%r1, 7; mul.lo.u32 %%r9, %%r8, 3; mov.b64 %%rd5, {%%r9, %%r8};\n%s\n"
      "ld.shared.v4.u32 {%%r10, %%r11, %%r12, %%r13}, [%%r4];\n"
      "st.global.v4.u32 [%%rd6], {%%r10, %%r11, %%r12, %%r13};\nret;\n}\n",
      rig_head, cluster, rig_registers, bytes, body);
  rig_init(rig, text);
  rig_size(rig, "1", threads);
  rig_arg(rig, "u32[280]=zero");
  free(text);
}

static void test_measured(void) {
  size_t length;
  char *file = ls_file_read(LS_SOURCE_DIR "/tests/unit/sim/kernels/sent.txt", 1 << 20, &length, NULL), *at = file;
  int rows = 0;
  CU_ASSERT_FATAL(file != NULL);
  for (; *at; rows++) {
    Rig rig;
    char bytes[8] = {0}, body[256], *end = strchr(at, '\n');
    size_t digits = strcspn(at, " ");
    CU_ASSERT_FATAL(end && digits < sizeof bytes);
    memcpy(bytes, at, digits);
    snprintf(body, sizeof body, "%.*s\n%s", (int)(end - at - (long)digits), at + digits, WAIT);
    prepare(&rig, CLUSTER, bytes, body, "32");
    rig_run(&rig);
    CHECK_INT(rig_faults(&rig), 0);
    at = end;
    int wrong = 0;
    for (int i = 0; i < WORDS; i++) wrong += rig_words(&rig, 0)[i] != strtoul(at, &at, 16);
    if (wrong) printf("\n%s: %d words are wrong\n", body, wrong);
    CHECK_INT(wrong, 0);
    rig_free(&rig);
    while (*at == '\n' || *at == ' ') at++;
  }
  CHECK_INT(rows, 12);
  free(file);
}

// What the assembler takes beside those: elements of 8 bytes, numbers, signed values.
static void test_other_forms(void) {
  static const struct { const char *bytes, *body; uint32_t words[4]; } rows[] = {   // of lane 1
      {"512", ST ".v2.b64 [%r5], {%rd5, %rd1}, [%r6]; st.global.u64 [%rd1], %rd1;", {24, 8, 0, 0}},
      {"256", "mov.f64 %fd1, 0d3ff8000000000000;" ST ".f64 [%r5+8], %fd1, [%r6];", {12, 12, 0, 0x3ff80000}},
      {"256", ST ".v2.s32 [%r5], {%r8, -4}, [%r6];", {8, 0xfffffffc, 12, 12}},
      {"128", ST ".f32 [%r5+12], 0f40000000, [%r6];", {12, 12, 12, 0x40000000}},
      {"128", RED ".min.s32 [%r5], -1, [%r6];", {0xffffffff, 12, 12, 12}},
      {"128", RED ".max.s32 [%r5], -1, [%r6];", {12, 12, 12, 12}},
      {"256", RED ".add.s64 [%r5], -13, [%r6];", {0xffffffff, 11, 12, 12}},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    Rig rig;
    char *body = ls_format("%s\n%s", rows[i].body, WAIT);
    prepare(&rig, CLUSTER, rows[i].bytes, body, "32");
    rig_run(&rig);
    CHECK_INT(rig_faults(&rig), 0);
    for (int k = 0; k < (i == 0 ? 2 : 4); k++) CHECK_INT(rig_words(&rig, 0)[4 + k], rows[i].words[k]);
    rig_free(&rig);
    free(body);
  }
}

// Two warps and a part of a third add to one word of the first lane, and all look at it.
static void test_one_word(void) {
  Rig rig;
  prepare(&rig, CLUSTER, "280", "mapa.shared::cluster.u32 %r5, %r3, 0;\n" RED ".add.u32 [%r5], %r8, [%r6];\n" WAIT
                                "ld.shared.u32 %r20, [room]; st.shared.u32 [%r4+12], %r20;", "70");
  rig_run(&rig);
  CHECK_INT(rig_faults(&rig), 0);
  for (int t = 0; t < 70; t++) CHECK_INT(rig_words(&rig, 0)[4 * t + 3], 12 + 70 * 7 + 69 * 70 / 2);
  rig_free(&rig);
}

static void check_fault(const char *body, FaultKind kind, const char *words) {
  Rig rig;
  prepare(&rig, CLUSTER, "128", body, "32");
  CU_ASSERT_FATAL(rig_make(&rig));
  CHECK(sim_run(rig.sim, &rig.sink, &rig.err));
  const TraceFault *fault = rig_fault(&rig, kind);
  if (!fault || !strstr(fault->message, words)) printf("\n%s: %s\n", body, fault ? fault->message : "no such fault");
  CHECK(fault && strstr(fault->message, words));
  rig_free(&rig);
}

static void test_too_early(void) {
  check_fault(ST ".u32 [%r5], %r8, [%r6];", FAULT_PENDING_COPY, "has started an asynchronous copy");
  check_fault(RED ".add.u32 [%r5], %r8, [%r6];", FAULT_PENDING_COPY, "has started an asynchronous copy");
  check_fault(RED ".add.u32 [%r5], %r8, [%r6]; st.shared.u32 [%r4], 1;\n" WAIT, FAULT_PENDING_COPY, "writes");
  check_fault(RED ".add.u32 [%r5], %r8, [%r6]; red.shared.add.u32 [%r4], 1;\n" WAIT, FAULT_PENDING_COPY, "");
  // A sum may join others, but not a store.
  check_fault(ST ".u32 [%r5], %r8, [%r6];\n" RED ".add.u32 [%r5], 1, [%r6];", FAULT_PENDING_COPY, "updates room[0]");
  // Groups of bulk copies have nothing to do with an mbarrier.
  check_fault(ST ".u32 [%r5], %r8, [%r6]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;", FAULT_PENDING_COPY,
              "");
  check_fault(ST ".u32 [%r5+2], %r8, [%r6];\n" WAIT, FAULT_MISALIGNED, "");
  check_fault(ST ".u32 [%r5+2048], %r8, [%r6];\n" WAIT, FAULT_OUT_OF_BOUNDS, "");
}

static void check_refused(const char *cluster, const char *body, const char *words) {
  Rig rig;
  prepare(&rig, cluster, "128", body, "32");
  CHECK(!rig_make(&rig));
  if (!strstr(rig.err.message, words)) printf("\n%s: %s\n", body, rig.err.message);
  CHECK(strstr(rig.err.message, words) != NULL);
  rig_free(&rig);
}

static void test_refused(void) {
  check_refused("", ST ".u32 [%r5], %r8, [%r6];", "give it .reqnctapercluster 1, 1, 1");
  check_refused("", RED ".inc.u32 [%r5], %r8, [%r6];", "give it .reqnctapercluster 1, 1, 1");
  check_refused(CLUSTER, "st.async.weak.mbarrier::complete_tx::bytes.u32 [%rd5], %r8, [%rd6];",
                "write .shared::cluster");
  check_refused(CLUSTER, ST ".v4.b64 [%r5], {%rd5, %rd5, %rd5, %rd5}, [%r6];", "data of this width");
  check_refused(CLUSTER, RED ".add.f32 [%r5], %f1, [%r6];", "red.async");
  check_refused(CLUSTER, RED ".min.u64 [%r5], %rd5, [%r6];", "red.async");
}

static void read_room(SimReplay *replay, uint64_t event, uint32_t *words, LsErr *err) {
  uint8_t known[512];
  CHECK(sim_replay_seek(replay, 0, event, err));
  CHECK_INT(sim_replay_read(replay, TRACE_SHARED, 0, 0, 512, (uint8_t *)words, known), 512);
}

// There and back: the bytes come with the wait, and a replay that has been behind it takes them away again.
static void test_again(void) {
  Rig rig;
  uint32_t words[WORDS];
  uint64_t sent = 0, last;
  prepare(&rig, CLUSTER, "256", ST ".u32 [%r5], %r8, [%r6];\n" RED ".add.u32 [%r5+4], %r8, [%r6];\n" WAIT, "32");
  rig_run(&rig);
  last = (uint64_t)rig.count - 1;
  for (int i = 0; i < rig.count; i++)
    if (rig.events[i].e.kind == TRACE_ATOM && rig.events[i].e.width == 4) sent = (uint64_t)i;
  CHECK(sent > 0);
  CHECK_INT(rig.events[sent].value[3], 10);
  CHECK_INT(rig.events[sent].result[3], 12);
  int entry = ptx_find_entry(rig.module, "k", &rig.err);
  SimReplay *replay = sim_replay_new(rig.module, entry, &rig.launch, &rig.options, &rig.err);
  CU_ASSERT_FATAL(replay != NULL);
  for (int round = 0; round < 2; round++) {
    read_room(replay, sent + 1, words, &rig.err);
    for (int i = 0; i < WORDS; i++) CHECK_INT(words[i], 12);
    read_room(replay, last, words, &rig.err);
    for (uint32_t t = 0; t < 32; t++) {
      CHECK_INT(words[4 * t], t + 7);
      CHECK_INT(words[4 * t + 1], t + 19);
    }
  }
  sim_replay_free(replay);
  rig_free(&rig);
}

static const Check checks[] = {
    {"as an H200 does them", test_measured},
    {"other forms", test_other_forms},
    {"one word for all", test_one_word},
    {"before anybody has waited", test_too_early},
    {"refused", test_refused},
    {"any event again", test_again},
};

int main(int argc, char **argv) { return check_main("sim_sent", checks, LS_COUNT(checks), argc, argv); }
