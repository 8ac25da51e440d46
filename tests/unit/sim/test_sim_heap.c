// test_sim_heap.c: malloc() and free() of a kernel: what an H200 answers to them, all of the heap and nothing twice.
#include <stdlib.h>
#include "sim_rig.h"

static const char heap_functions[] =
    ".extern .func (.param .b64 r) malloc(.param .b64 size);\n.extern .func free(.param .b64 p);\n"
    ".extern .func (.param .b64 r) __cuda_syscall_aligned_malloc(.param .b64 size, .param .b64 align);\n"
    ".func (.reg .b64 %v) take(.reg .b64 %n)\n{ .param .b64 a, b; st.param.b64 [a], %n; call (b), malloc, (a);"
    " ld.param.b64 %v, [b]; ret; }\n"
    ".func (.reg .b64 %v) take_at(.reg .b64 %n, .reg .b64 %m)\n{ .param .b64 a, b, c; st.param.b64 [a], %n;"
    " st.param.b64 [c], %m; call (b), __cuda_syscall_aligned_malloc, (a, c); ld.param.b64 %v, [b]; ret; }\n"
    ".func give(.reg .b64 %n)\n{ .param .b64 a; st.param.b64 [a], %n; call free, (a); ret; }\n";

static const uint64_t *longs(Rig *rig) { return (const uint64_t *)(const void *)rig_words(rig, 0); }

// Sizes 1, 9, 17 ... by one thread on an H200: the distances from one piece to the next.
static void test_places(void) {
  static const int apart[] = {80, 80, 80, 80, 80, 80, 80, 80, 160, 160, 160, 160, 160, 160};
  Rig rig;
  run_simple(&rig, heap_functions,
             "  mov.u64 %rd4, 1;\nL: call (%rd5), take, (%rd4); st.global.u64 [%rd1], %rd5; add.u64 %rd1, %rd1, 8;\n"
             "  add.u64 %rd4, %rd4, 8; setp.lt.u64 %p1, %rd4, 120; @%p1 bra L; ret;", 1, 32);
  CHECK_INT(rig_faults(&rig), 0);
  for (int i = 0; i < LS_COUNT(apart); i++) CHECK_INT(longs(&rig)[i + 1] - longs(&rig)[i], apart[i]);
  CHECK_INT(longs(&rig)[0] % 16, 0);
  rig_free(&rig);
}

// Of no bytes: a pointer of its own. More than there is, or at a strange alignment: none. free(0) does nothing.
static void test_edges(void) {
  Rig rig;
  run_simple(&rig, heap_functions,
             "  call (%rd4), take, (0); st.global.u64 [%rd1], %rd4; call (%rd4), take, (0); st.global.u64 [%rd1+8], %rd4;\n"
             "  call (%rd4), take, (9437184); st.global.u64 [%rd1+16], %rd4; call (%rd4), take, (4294967296);"
             " st.global.u64 [%rd1+24], %rd4; call give, (0);\n"
             "  call (%rd4), take_at, (100, 256); st.global.u64 [%rd1+32], %rd4; call (%rd4), take_at, (100, 48);"
             " st.global.u64 [%rd1+40], %rd4;\n"
             "  call (%rd4), take_at, (100, 4096); st.global.u64 [%rd1+48], %rd4; call (%rd4), take_at, (100, 1);"
             " st.global.u64 [%rd1+56], %rd4; ret;", 1, 16);
  const uint64_t *p = longs(&rig);
  CHECK_INT(rig_faults(&rig), 0);
  CHECK(p[0] && p[1] && p[0] != p[1]);
  CHECK(!p[2] && !p[3] && !p[5]);
  CHECK(p[4] && p[4] % 256 == 0);
  CHECK(p[6] && p[6] % 4096 == 0);
  CHECK(p[7] && p[7] % 16 == 0);
  rig_free(&rig);
}

static int by_address(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

// All of a small heap in pieces of 200 bytes by two warps, twice: the second time after all were given back.
static void test_all_of_it(void) {
  enum { HEAP = 64 << 10, SIZE = 200, UNITS = 240, MOST = HEAP / UNITS, THREADS = 64, EACH = 2 * MOST / THREADS };
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", heap_functions,
             "  mov.u32 %r8, 0;\nAGAIN: mad.wide.u32 %rd6, %r1, 64, %rd1; mov.u32 %r2, 0;\n"
             "TAKE: call (%rd5), take, (200); st.global.u64 [%rd6], %rd5; add.u64 %rd6, %rd6, 8; add.u32 %r2, %r2, 1;\n"
             "  setp.lt.u32 %p1, %r2, 8; @%p1 bra TAKE; bar.sync 0; setp.eq.u32 %p2, %r8, 1; @%p2 bra DONE;\n"
             "  mad.wide.u32 %rd6, %r1, 64, %rd1; mov.u32 %r2, 0;\n"
             "GIVE: ld.global.u64 %rd5, [%rd6]; call give, (%rd5); add.u64 %rd6, %rd6, 8; add.u32 %r2, %r2, 1;\n"
             "  setp.lt.u32 %p1, %r2, 8; @%p1 bra GIVE; bar.sync 0; mov.u32 %r8, 1; bra AGAIN;\nDONE: ret;");
  CHECK_INT(EACH, 8);
  rig.options.heap_bytes = HEAP;
  rig_size(&rig, "1", "64");
  rig_arg(&rig, "u64[512]=none");
  rig_run(&rig);
  CHECK_INT(rig_faults(&rig), 0);
  uint64_t places[THREADS * EACH];
  memcpy(places, longs(&rig), sizeof places);
  qsort(places, THREADS * EACH, sizeof *places, by_address);
  int first = 0;
  while (first < THREADS * EACH && !places[first]) first++;
  CHECK_INT(THREADS * EACH - first, MOST);   // the others got none
  for (int i = first + 1; i < THREADS * EACH; i++) CHECK(places[i] - places[i - 1] >= SIZE);
  rig_free(&rig);
}

// A heap that takes more than there is of global memory is refused.
static void test_too_large(void) {
  Rig rig;
  rig_kernel(&rig, ".param .u64 p0", heap_functions, "  call (%rd4), take, (8); ret;");
  rig.options.heap_bytes = 4ull << 30;
  rig_arg(&rig, "u32[1]=zero");
  CHECK(!rig_make(&rig));
  CHECK(strstr(rig.err.message, "a device heap of 4096 MB") != NULL);
  rig_free(&rig);
}

static const Check checks[] = {
    {"pieces lie as on an H200", test_places},
    {"no bytes, too many, alignments", test_edges},
    {"all of the heap, twice", test_all_of_it},
    {"a heap that is too large", test_too_large},
};

int main(int argc, char **argv) { return check_main("sim_heap", checks, LS_COUNT(checks), argc, argv); }
