// test_sim_lanes.c: the emulator on kernels written here: shuffles and what lanes that came on two ways do together.
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

static const Check checks[] = {
    {"shuffles", test_shuffles},
    {"meeting on a mask", test_meeting},
};

int main(int argc, char **argv) { return check_main("sim_lanes", checks, LS_COUNT(checks), argc, argv); }
