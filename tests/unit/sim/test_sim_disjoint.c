// test_sim_disjoint.c: buffers in which no two blocks meet, and such as only look like it: which are found, and that
// several threads leave in memory what one does.
#include "sim/core/exec.h"
#include "sim_rig.h"

enum { WORDS = 1 << 16 };

// %r4 and %r5 are the thread's numbers in the grid (x and y), %r6 is p2. Buffers p0 (%rd1) and p1 (%rd8).
static const char head[] =
    "  .shared .align 16 .b8 sh[4096]; ld.param.u64 %rd8, [p1]; ld.param.u32 %r6, [p2];\n"
    "  mov.u32 %r2, %ctaid.x; mov.u32 %r7, %ntid.x; mad.lo.s32 %r4, %r2, %r7, %r1;\n"
    "  mov.u32 %r8, %ctaid.y; mov.u32 %r9, %ntid.y; mov.u32 %r10, %tid.y; mad.lo.s32 %r5, %r8, %r9, %r10;\n";
#define AT(index, size) "  mul.wide.s32 %rd4, " index ", " size "; add.s64 %rd5, %rd1, %rd4;\n"
#define OF_OTHER "  mul.wide.s32 %rd9, %r4, 4; add.s64 %rd10, %rd8, %rd9; ld.global.u32 %r20, [%rd10];\n"
#define WALK "  mov.u32 %r11, %r4;\nL:\n"
#define NEXT(step) "  add.s32 %r11, %r11, " step "; setp.lt.s32 %p1, %r11, 60000;\n  @%p1 bra L;"
#define STORE "  st.global.u32 [%rd5], %r4;\n"

typedef struct Case { const char *name, *body, *grid, *block; int n; bool disjoint; } Case;
static const Case cases[] = {
    {"a word of each thread", OF_OTHER AT("%r4", "4") "  st.global.u32 [%rd5], %r20;", "200", "64", 0, true},
    {"in place", AT("%r4", "4") "  ld.global.u32 %r20, [%rd5]; add.u32 %r20, %r20, 5; st.global.u32 [%rd5], %r20;",
     "200", "64", 0, true},
    {"some threads", AT("%r4", "4") "  setp.gt.u32 %p1, %r1, 40;\n  @%p1 st.global.u32 [%rd5], %r4;", "200", "64", 0,
     true},
    {"a word of each block", "  mul.wide.u32 %rd4, %r2, 4; add.s64 %rd5, %rd1, %rd4;\n" STORE, "200", "64", 0, true},
    {"of each block in two rows", "  mul.wide.u32 %rd4, %r2, 4; add.s64 %rd5, %rd1, %rd4;\n" STORE, "200,2", "64", 0,
     false},
    {"four words of each thread",
     AT("%r4", "16") "  st.global.v4.u32 [%rd5], {%r1, %r2, %r4, %r6};", "200", "64", 0, true},
    {"four words, two apart", AT("%r4", "8") "  st.global.v4.u32 [%rd5], {%r1, %r1, %r1, %r1};", "200", "32", 0, false},
    {"the next word is read", AT("%r4", "4") "  ld.global.u32 %r20, [%rd5+4];\n  st.global.u32 [%rd5], %r20;", "200",
     "64", 0, false},
    {"a tile of a matrix", "  mad.lo.s32 %r11, %r5, %r6, %r4;\n" AT("%r11", "4") STORE, "16,16", "16,16", 256, true},
    {"tiles in rows that are too short", "  mad.lo.s32 %r11, %r5, %r6, %r4;\n" AT("%r11", "4") STORE, "16,16", "16,16",
     255, false},
    {"a matrix, its columns first", "  mad.lo.s32 %r11, %r4, %r6, %r5;\n" AT("%r11", "4") STORE, "16,16", "16,16", 256,
     true},
    {"blocks that overlap", "  shl.b32 %r12, %r2, 5; add.s32 %r11, %r12, %r1;\n" AT("%r11", "4") STORE, "200", "64", 0,
     false},
    {"threads that overlap", "  mul.lo.s32 %r13, %r1, 0; mad.lo.s32 %r11, %r2, 4, %r13;\n" AT("%r11", "4")
     "  st.global.u32 [%rd5], %r2;", "200", "64", 0, true},
    {"a block between threads", "  mad.lo.s32 %r11, %r1, 250, %r2;\n" AT("%r11", "4") STORE, "200", "64", 0, true},
    {"blocks between threads, too many", "  mad.lo.s32 %r11, %r1, 150, %r2;\n" AT("%r11", "4") STORE, "200", "64", 0,
     false},
    {"from behind", "  sub.s32 %r11, %r6, %r4;\n" AT("%r11", "4") STORE, "200", "64", 12799, true},
    {"of 64 bits all the way", "  cvt.s64.s32 %rd9, %r4; shl.b64 %rd4, %rd9, 2; add.s64 %rd5, %rd1, %rd4;\n" STORE,
     "200", "64", 0, true},
    {"beyond 32 bits", "  mul.lo.s32 %r11, %r4, 335544320;\n" AT("%r11", "4")
     "  setp.gt.u32 %p1, %r4, 0;\n  @!%p1 st.global.u32 [%rd5], %r4;", "200", "64", 0, false},
    {"an index from memory", OF_OTHER "  and.b32 %r21, %r20, 4095;\n" AT("%r21", "4") "  st.global.u32 [%rd5], 7;",
     "200", "64", 0, false},
    {"two ways, one from memory", OF_OTHER "  and.b32 %r21, %r20, 4095; mul.wide.s32 %rd11, %r21, 4;\n"
     "  add.s64 %rd12, %rd1, %rd11; ld.global.u32 %r22, [%rd12];\n" AT("%r4", "4") "  st.global.u32 [%rd5], %r22;",
     "200", "64", 0, false},
    {"an address from memory", "  add.u64 %rd13, %rd1, 131072; st.shared.u64 [sh], %rd13; bar.sync 0;\n"
     "  ld.shared.u64 %rd11, [sh]; ld.global.u32 %r22, [%rd11];\n" AT("%r4", "4") "  st.global.u32 [%rd5], %r22;",
     "200", "64", 0, false},
    {"an atomic, too", AT("%r4", "4") STORE "  atom.global.add.u32 %r22, [%rd5], 1;", "200", "64", 0, false},
    {"a copy, too", AT("%r4", "4") STORE "  cp.async.ca.shared.global [sh], [%rd1+65536], 4; cp.async.wait_all;", "200",
     "1", 0, false},
    {"chosen", "  mov.u32 %r11, %r4; setp.eq.u32 %p1, %r2, 77;\n  @%p1 mov.u32 %r11, 0;\n" AT("%r11", "4") STORE, "200",
     "64", 0, false},
    {"a step in each round", WALK AT("%r11", "4") STORE NEXT("4096"), "64", "64", 0, true},
    {"a larger step", WALK AT("%r11", "4") STORE NEXT("16384"), "64", "64", 0, true},
    {"a step backward", "  sub.s32 %r11, 60000, %r4;\nL:\n" AT("%r11", "4") STORE
     "  add.s32 %r11, %r11, -4096; setp.gt.s32 %p1, %r11, 0;\n  @%p1 bra L;", "64", "64", 0, true},
    {"a step into the next block's", WALK AT("%r11", "4") STORE NEXT("2048"), "64", "64", 0, false},
    {"a step of the launch's size", "  mov.u32 %r12, %nctaid.x; mul.lo.s32 %r13, %r12, %r7;\n" WALK
     AT("%r11", "4") STORE NEXT("%r13"), "32", "128", 0, true},
    {"two loops", WALK AT("%r11", "4") STORE NEXT("4096") "  add.s32 %r11, %r11, 4096;", "64", "64", 0, true},
    {"two steps", WALK AT("%r11", "4") STORE NEXT("4096") "  add.s32 %r11, %r11, 8192;", "64", "64", 0, false},
    {"a step that may wrap around", WALK AT("%r11", "4") STORE NEXT("6400"), "100", "64", 0, false},
    {"a step that wraps around", "  mov.u32 %r11, %r4; mov.u32 %r12, 0;\nL:\n" AT("%r11", "4")
     "  setp.lt.u32 %p2, %r11, 60000;\n  @%p2 st.global.u32 [%rd5], %r12;\n  add.s32 %r11, %r11, 1073741824;\n"
     "  add.s32 %r12, %r12, 1; setp.lt.s32 %p1, %r12, 11;\n  @%p1 bra L;", "64", "64", 0, true},
    {"an address that steps", "  mov.u32 %r12, 0; mul.wide.s32 %rd4, %r4, 4; add.s64 %rd5, %rd1, %rd4;\nL:\n" STORE
     "  add.s64 %rd5, %rd5, 25600; add.s32 %r12, %r12, 1;\n"
     "  setp.lt.s32 %p1, %r12, 2;\n  @%p1 bra L;", "100", "64", 0, true},
    {"a sum of two rounds", "  mov.u32 %r11, %r4;\nL:\n  mul.lo.s32 %r13, %r11, 2; add.s32 %r11, %r11, 4096;\n"
     "  sub.s32 %r14, %r13, %r11;\n" AT("%r14", "4") "  setp.lt.u32 %p2, %r14, 60000;\n"
     "  @%p2 st.global.u32 [%rd5], %r4;\n  setp.lt.s32 %p1, %r11, 16000;\n  @%p1 bra L;", "64", "64", 0, false},
};

#define BUCKET(bytes, step) "  and.b32 %r21, %r4, 63; mad.lo.u32 %r21, %r21, 7, " step "; and.b32 %r21, %r21, 255;\n" \
  "  mul.wide.u32 %rd14, %r21, " bytes "; add.u64 %rd15, %rd1, %rd14;\n"
#define ADD BUCKET("4", "%r2") "  red.global.add.u32 [%rd15], %r4;\n"
// `disjoint`: all is only added to.
static const Case sums[] = {
    {"added to", ADD, "200", "64", 0, true},
    {"added to twice", ADD BUCKET("4", "%r1") "  atom.global.add.s32 %r22, [%rd15], 5;\n", "200", "64", 0, true},
    {"changed by some", BUCKET("4", "%r2") "  setp.gt.u32 %p1, %r1, 40;\n  @%p1 red.global.xor.b32 [%rd15], %r4;\n",
     "200", "64", 0, true},
    {"wide", BUCKET("8", "%r2") "  mul.wide.u32 %rd16, %r4, 65537; red.global.add.u64 [%rd15], %rd16;\n", "200", "64",
     0, true},
    {"wide and narrow", ADD BUCKET("8", "%r2") "  red.global.add.u64 [%rd15], 9;\n", "200", "64", 0, false},
    {"added to and turned", ADD BUCKET("4", "%r1") "  red.global.xor.b32 [%rd15], 9;\n", "200", "64", 0, false},
    {"old values are used", BUCKET("4", "%r2") "  atom.global.add.u32 %r22, [%rd15], 0; add.u32 %r22, %r22, 1;\n"
     "  red.global.add.u32 [%rd15], %r22;\n", "20", "32", 0, false},
    {"read by one block", ADD "  setp.eq.u32 %p1, %r2, 199;\n  @%p1 ld.global.u32 %r22, [%rd1];\n"
     "  @%p1 st.global.u32 [%rd1+2048], %r22;\n", "200", "64", 0, false},
    {"the least", BUCKET("4", "%r2") "  red.global.min.u32 [%rd15], %r4;\n", "200", "64", 0, false},
};

static void make(Rig *rig, const Case *c, int threads, int words_of_first) {
  char *body = ls_format("%s%s\n  ret;", head, c->body), *n = ls_format("i32=%d", c->n);
  char *first = ls_format("u32[%d]=iota", words_of_first), *words = ls_format("u32[%d]=iota", WORDS);
  rig_kernel(rig, ".param .u64 p0, .param .u64 p1, .param .u32 p2", "", body);
  rig->options.record_all = false;
  rig->options.threads = threads;
  rig->options.checks = 0;
  rig_size(rig, c->grid, c->block);
  rig_arg(rig, first);
  rig_arg(rig, words);
  rig_arg(rig, n);
  bool ok = rig_make(rig);
  if (!ok) printf("\n%s: %s\n", c->name, rig->err.message);
  CHECK(ok);
  free(body), free(n), free(first), free(words);
}

static void run(Rig *rig) { CHECK(rig->sim && sim_run(rig->sim, NULL, &rig->err)); }

static SimAlloc *buffer(const Rig *rig, int arg) {
  return &rig->sim->memory.allocs[rig->sim->memory.arg_alloc[arg]];
}

static void compare(const Case *c, Rig *one, Rig *many) {
  bool found = buffer(one, 0)->is_disjoint, same = memcmp(rig_words(one, 0), rig_words(many, 0), WORDS * 4) == 0;
  if (found != c->disjoint || !same)
    printf("\n%s: %sdisjoint%s\n", c->name, found ? "" : "not ", same ? "" : ", not the same");
  CHECK_INT(found, c->disjoint);
  CHECK(same);
  CHECK(!buffer(one, 1)->is_disjoint);   // is only read: nobody asks
  if (found) CHECK_INT(sim_threads(many->sim), 3);
}

static void found_or_not(void) {
  for (int i = 0; i < LS_COUNT(cases); i++) {
    Rig one, many;
    make(&one, &cases[i], 1, WORDS), run(&one);
    make(&many, &cases[i], 3, WORDS), run(&many);
    if (one.sim && many.sim) compare(&cases[i], &one, &many);
    rig_free(&one);
    rig_free(&many);
  }
}

// Small buffers have copies, large ones not.
static void only_added_to(void) {
  static const int sizes[] = {1024, 65536};
  for (int i = 0; i < LS_COUNT(sums) * LS_COUNT(sizes); i++) {
    const Case *c = &sums[i / LS_COUNT(sizes)];
    int words = sizes[i % LS_COUNT(sizes)];
    Rig one, many;
    make(&one, c, 1, words), run(&one);
    make(&many, c, 3, words), run(&many);
    if (one.sim && many.sim) {
      bool same = memcmp(rig_words(&one, 0), rig_words(&many, 0), (size_t)words * 4) == 0;
      if (!same || buffer(&one, 0)->is_only_added_to != c->disjoint) printf("\n%s\n", c->name);
      CHECK(same);
      CHECK_INT(buffer(&one, 0)->is_only_added_to, c->disjoint);
      if (c->disjoint) CHECK_INT(sim_threads(many.sim), 3);
    }
    rig_free(&one);
    rig_free(&many);
  }
}

// An access that is not known to keep to its block's places in such a buffer ends the run on several threads.
static void strangers_give_up(void) {
  Rig rig;
  make(&rig, &cases[0], 3, WORDS);
  if (rig.sim) buffer(&rig, 1)->is_disjoint = true;   // of which its load does not know
  run(&rig);
  if (rig.sim) CHECK_INT(sim_threads(rig.sim), 1);
  for (uint32_t i = 0; i < 12800; i++) CHECK_INT(rig_words(&rig, 0)[i], i);
  rig_free(&rig);
}

static const Check checks[] = {
    {"found or not", found_or_not},
    {"only added to", only_added_to},
    {"strangers give up", strangers_give_up},
};

int main(int argc, char **argv) { return check_main("sim_disjoint", checks, LS_COUNT(checks), argc, argv); }
