// test_sim_lanes.c: the emulator on kernels written here: shuffles and what lanes that came on two ways do together.
#include "base/text.h"
#include "sim_rig.h"

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

// ---- told in lines -------------------------------------------------------------------------------------------------

// More shuffles, votes and the like in one straight line than are kept before they are told.
static void add_exchanges(LsText *body) {
  static const char *const modes[] = {"up", "down", "bfly", "idx"}, *const votes[] = {"ballot.b32 %r5", "any.pred %p2"};
  for (int i = 0; i < 90; i++) {
    ls_text_addf(body, "  shfl.sync.%s.b32 %%r3, %%r2, %d, %d, -1; add.u32 %%r2, %%r2, %%r3;\n", modes[i / 8 % 4],
                 1 << i % 5, i / 8 % 4 ? 31 : 0);
    if (i % 3 == 0) ls_text_addf(body, "  setp.lt.u32 %%p1, %%r2, %%r3; vote.sync.%s, %%p1, -1;\n", votes[i / 3 % 2]);
    if (i % 7 == 0) ls_text_addf(body, "  shfl.sync.idx.b32 %%r3, %%r2, %%r6, 31, -1; bar.warp.sync -1;\n");
    if (i % 11 == 0) ls_text_addf(body, "  match.any.sync.b32 %%r4, %%r2, -1; redux.sync.max.u32 %%r4, %%r2, -1;\n");
    if (i % 23 == 0) ls_text_addf(body, "  ld.global.u32 %%r6, [%%rd3]; add.u32 %%r2, %%r2, %%r6;\n");
  }
  ls_text_addf(body, "  st.global.u32 [%%rd3], %%r2; ret;");
}

static void run_exchanges(Rig *rig, TraceWriter *writer) {
  LsText body = {0};
  add_exchanges(&body);
  rig_kernel(rig, ".param .u64 p0", "", ls_text_str(&body));
  ls_text_free(&body);
  rig_size(rig, "3", "80");
  rig_arg(rig, "u32[80]=iota");
  if (!writer) { rig_run(rig); return; }
  CHECK(rig_make(rig) && sim_run(rig->sim, trace_writer_sink(writer), &rig->err));
}

static bool same_lanes(const uint64_t *got, const uint64_t *expected, uint32_t mask) {
  for (int lane = 0; got && lane < 32; lane++) if (mask >> lane & 1 && got[lane] != expected[lane]) return false;
  return true;
}

static bool has_its_sources(const TraceEvent *e) {
  for (int lane = 0; lane < 32; lane++)
    if (e->mask >> lane & 1 && e->result[lane] != e->value[e->source[lane]]) return false;
  return true;
}

static bool is_like(const TraceEvent *got, const Event *kept) {
  const TraceEvent *e = &kept->e;
  if (got->kind == TRACE_SHUFFLE && !has_its_sources(got)) return false;
  return got->kind == e->kind && got->pc == e->pc && got->warp == e->warp && got->flags == e->flags &&
         got->mask == e->mask && got->members == e->members && got->taken == e->taken &&
         same_lanes(got->value, kept->value, e->mask) && same_lanes(got->result, kept->result, e->mask);
}

// Whoever is told of every event, and the reader of what a sink of lines wrote, see the same.
static void test_told_in_lines(void) {
  Rig each, lines;
  TraceInfo info;
  size_t size;
  trace_info_init(&info);
  info.launch.grid[0] = 3, info.launch.block[0] = 80;
  TraceWriter *writer = trace_writer_new(NULL, &info, NULL);
  run_exchanges(&each, NULL);
  run_exchanges(&lines, writer);
  CHECK(trace_writer_finish(writer, NULL));
  uint8_t *bytes = trace_writer_take(writer, &size);
  trace_writer_free(writer);
  Trace *trace = trace_open_memory(bytes, size, NULL);
  int wrong = 0;
  CHECK_INT(trace_steps(trace), each.count);
  for (int i = 0; i < each.count; i++) {
    TraceEvent e;
    wrong += !trace_event(trace, (uint64_t)i, &e, NULL) || !is_like(&e, &each.events[i]);
  }
  CHECK(each.count > 1000);
  CHECK_INT(wrong, 0);
  trace_close(trace);
  rig_free(&each);
  rig_free(&lines);
}

static const Check checks[] = {
    {"told in lines", test_told_in_lines},
    {"shuffles", test_shuffles},
    {"meeting on a mask", test_meeting},
};

int main(int argc, char **argv) { return check_main("sim_lanes", checks, LS_COUNT(checks), argc, argv); }
