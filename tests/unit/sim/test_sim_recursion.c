// test_sim_recursion.c: who runs together behind calls that lanes leave at different depths, against what an H200
// answered (tests/unit/sim/vectors/recursion.txt, for kernels/recursion.cu and recursion_forms.cu).
#include "base/mem.h"
#include "check.h"
#include "sim_compiled.h"
#include "sim_rig.h"
#include "source_dir.h"

enum { LANES = 32, NOTES = 256, POINTS = 16, BEHIND = 1, LIMIT = 1 << 18 };

typedef struct Answer {
  char code[4], kernel[32], pattern[LANES + 1];   // a name, or a digit per lane, from 0 to z
  char together[LANES + 1];    // a letter per lane: those who have the same ran together behind the call
  int masks[POINTS];           // at other points: how many different groups there were; -1: nobody was there
} Answer;

static const int equal[] = {5}, mod4[] = {0, 1, 2, 3}, alternating[] = {9, 3}, one[] = {2, 2, 2, 2, 2, 2, 2, 12};
static const int wide[LANES] = {1,  2,  0,  5,  1,  11, 12, 10, 2,  8, 18, 17, 19, 3,  18, 15,
                                14, 15, 6,  10, 11, 9,  7,  18, 15, 6, 11, 17, 15, 2,  7,  19};
static const int narrow[LANES] = {5, 2, 5, 5, 1, 7, 2, 3, 3, 0, 5, 1, 2, 4, 5, 3,
                                  5, 0, 7, 5, 2, 0, 3, 6, 4, 1, 3, 5, 0, 6, 2, 6};

static int depth_of(const char *pattern, int lane) {
  if (strlen(pattern) == LANES) return pattern[lane] <= '9' ? pattern[lane] - '0' : pattern[lane] - 'a' + 10;
  if (strcmp(pattern, "equal") == 0) return equal[0];
  if (strcmp(pattern, "ramp") == 0) return lane;
  if (strcmp(pattern, "down") == 0) return LANES - 1 - lane;
  if (strcmp(pattern, "mod4") == 0) return mod4[lane % 4];
  if (strcmp(pattern, "alt") == 0) return alternating[lane % 2];
  if (strcmp(pattern, "one") == 0) return lane < LS_COUNT(one) ? one[lane] : one[0];
  return strcmp(pattern, "rand") == 0 ? wide[lane] : narrow[lane];
}

// ---- what the GPU answered -----------------------------------------------------------------------------------------

// "g tree ramp 1 abcdefghijklmnopqrstuvwxyzABCDEF 11 53"
static bool read_answer(const char *line, Answer *a) {
  int used = 0, point, more;
  *a = (Answer){0};
  for (int i = 0; i < POINTS; i++) a->masks[i] = -1;
  if (sscanf(line, "%3s %31s %32s %n", a->code, a->kernel, a->pattern, &used) != 3) return false;
  for (line += used; sscanf(line, "%d %n", &point, &more) == 1; line += more) {
    line += more;
    if (point < 0 || point >= POINTS) return false;
    int found = point == BEHIND ? sscanf(line, "%32s %n", a->together, &more)
                                : sscanf(line, "%d %n", &a->masks[point], &more);
    if (found != 1) return false;
  }
  return strlen(a->together) == LANES;
}

// ---- what the emulator does ----------------------------------------------------------------------------------------

typedef struct Seen { uint32_t behind[LANES], masks[POINTS][LANES * NOTES]; int count[POINTS]; } Seen;

static void add_mask(Seen *seen, uint32_t point, uint32_t mask) {
  for (int i = 0; i < seen->count[point]; i++)
    if (seen->masks[point][i] == mask) return;
  seen->masks[point][seen->count[point]++] = mask;
}

static void run(CompiledRun *b, const Answer *a, Seen *seen) {
  uint64_t size;
  int32_t *depths = ls_alloc(LANES * sizeof *depths);
  for (int lane = 0; lane < LANES; lane++) depths[lane] = depth_of(a->pattern, lane);
  compiled_launch(b, 1, LANES, (const char *[]){"i32[32]=zero", "u32[8192]=zero", "i32[4096]=zero", NULL});
  b->launch.args[0].init = LAUNCH_DATA;
  b->launch.args[0].data = (uint8_t *)depths;
  compiled_run(b, a->kernel);
  const uint32_t *log = (const uint32_t *)(const void *)sim_buffer(b->sim, 1, &size);
  *seen = (Seen){0};
  for (int lane = 0; lane < LANES; lane++)
    for (uint32_t i = 0; i < log[lane * NOTES]; i++) {
      const uint32_t *note = log + lane * NOTES + 1 + 2 * i;
      add_mask(seen, note[0], note[1]);
      if (note[0] == BEHIND) seen->behind[lane] = note[1];
    }
  compiled_end(b);
}

static bool together(const Seen *seen, int x, int y) { return seen->behind[x] >> y & 1; }

// exactly: lanes are together where they were on the GPU, and only there; else where they were, and maybe elsewhere.
static int wrong_lanes(const Answer *a, const Seen *seen, bool exactly) {
  int wrong = 0;
  for (int x = 0; x < LANES; x++)
    for (int y = 0; y < LANES; y++) {
      bool there = a->together[x] == a->together[y];
      wrong += exactly ? there != together(seen, x, y) : there && !together(seen, x, y);
    }
  return wrong;
}

static int wrong_points(const Answer *a, const Seen *seen) {
  int wrong = 0;
  for (int point = BEHIND + 1; point < POINTS; point++)
    if (a->masks[point] >= 0 && a->masks[point] != seen->count[point]) {
      printf("\n%s %s, point %d: %d groups, not %d", a->kernel, a->pattern, point, seen->count[point], a->masks[point]);
      wrong++;
    }
  return wrong;
}

// ---- checks --------------------------------------------------------------------------------------------------------

// Behind a call by address the assembler brings lanes together only where there is enough code left to be worth it.
static bool may_be_apart(const Answer *a) { return strcmp(a->kernel, "by_address") == 0; }

// Of optimized code the rule is known for functions that call themselves at one place (sim_sched_level), and these.
static bool is_known(const Answer *a) {
  static const char *const known[] = {"one_call", "in_loop", "returns", "with_loads", "with_work", "other", "called_twice"};
  for (int i = 0; i < LS_COUNT(known); i++) if (strcmp(a->kernel, known[i]) == 0) return true;
  return false;
}

static int check_all(const char *code, const char *file, bool debug) {
  static Seen seen;
  CompiledRun b;
  int checked = 0;
  char *text = source_read("tests/unit/sim/vectors/recursion.txt", LIMIT, NULL, NULL), *rest = text;
  CHECK(text != NULL);
  compiled_init(&b, file);
  for (char *line; text && (line = strsep(&rest, "\n"));) {
    Answer a;
    if (!read_answer(line, &a) || strcmp(a.code, code) != 0) continue;
    run(&b, &a, &seen);
    bool exactly = debug ? !may_be_apart(&a) : is_known(&a);
    int wrong = wrong_lanes(&a, &seen, exactly);
    if (wrong) printf("\n%s %s: %d pairs of lanes differ\n", a.kernel, a.pattern, wrong);
    CHECK_INT(wrong, 0);
    if (exactly) CHECK_INT(wrong_points(&a, &seen), 0);
    checked++;
  }
  compiled_fini(&b);
  free(text);
  return checked;
}

// Code for the debugger: each answer is the GPU's.
static void for_the_debugger(void) { CHECK_INT(check_all("g", "recursion.g.ptx", true), 10 * 8); }

// Optimized code keeps a barrier for each level, and some lanes miss it. Where nobody knows when, they come together.
static void optimized(void) { CHECK_INT(check_all("o", "recursion.ptx", false), 10 * 8 + 112); }

// The same with loads, loops and divisions in between, and with the way on where the branch jumps.
static void forms(void) { CHECK_INT(check_all("f", "recursion_forms.ptx", false), 4 * 16); }

// The assembler has lanes meet in front of an aligned barrier; all of them come, so nothing is wrong with it.
static void barrier_behind(void) {
  static const char text[] =
      ".version 8.6\n.target sm_90, debug\n.address_size 64\n"
      ".func (.param .b32 r) f(.param .b32 n)\n{\n  .reg .pred %p<2>; .reg .b32 %r<4>;\n"
      "  ld.param.b32 %r1, [n];\n  mov.b32 %r2, 0;\n  setp.eq.s32 %p1, %r1, 0;\n  @%p1 bra END;\n"
      "  sub.s32 %r1, %r1, 1;\n  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1;\n"
      "  call (b), f, (a);\n  ld.param.b32 %r2, [b]; }\n  add.s32 %r2, %r2, 1;\n"
      "END:\n  st.param.b32 [r], %r2;\n  ret;\n}\n"
      ".visible .entry k(.param .u64 p0)\n{\n  .reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
      "  ld.param.u64 %rd1, [p0];\n  mov.u32 %r1, %tid.x;\n  mul.wide.u32 %rd2, %r1, 4;\n"
      "  add.s64 %rd2, %rd1, %rd2;\n  and.b32 %r2, %r1, 7;\n"
      "  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r2;\n  call (b), f, (a);\n  ld.param.b32 %r3, [b]; }\n"
      "  bar.sync 0;\n  st.global.b32 [%rd2], %r3;\n  ret;\n}\n";
  for (uint64_t seed = 0; seed < 4; seed++) {
    Rig rig;
    rig_init(&rig, text);
    rig_arg(&rig, "u32[40]=zero");
    rig_size(&rig, "1", "40");
    rig.options.seed = seed;
    rig_run(&rig);
    CHECK_INT(rig_faults(&rig), 0);
    CHECK(saw_mask(&rig, UINT32_MAX));
    for (uint32_t i = 0; i < 40; i++) CHECK_INT(rig_words(&rig, 0)[i], i % 8);
    rig_free(&rig);
  }
}

static const Check checks[] = {
    {"code for the debugger", for_the_debugger}, {"optimized code", optimized}, {"other code in between", forms},
    {"a barrier behind a recursion", barrier_behind},
};

int main(int argc, char **argv) { return check_main("sim_recursion", checks, LS_COUNT(checks), argc, argv); }
