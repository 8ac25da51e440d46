// gen_structured.c: random programs with branches, loops, barriers, shared memory and shuffles.
//
// %m0 holds the lanes of the warp that exist. Inside the branches and loops of depth n, %mN holds the lanes that are
// there, so an operation of the warp can name them; %qN is the condition of the statement around. Where `named` is
// false (a loop that lanes leave in the middle) nobody knows who is there.
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "code.h"
#include "generate.h"

enum { DEPTHS = 4, CELLS = 4, STASH = 8 };

typedef struct Atomic { const char *name; int bits; } Atomic;
#define ATOMIC(name, bits) {name, bits},
static const Atomic atomics[] = {
#include "atomics.def"
};
#undef ATOMIC
enum { ATOMICS = LS_COUNT(atomics), ALL_CELLS = ATOMICS * CELLS };

typedef struct Shape { uint32_t grid[3], block[3]; } Shape;
static const Shape shapes[] = {
    {{1, 1, 1}, {64, 1, 1}},  {{2, 1, 1}, {80, 1, 1}}, {{3, 1, 1}, {33, 1, 1}}, {{2, 1, 1}, {16, 4, 1}},
    {{1, 1, 1}, {8, 4, 3}},   {{2, 2, 1}, {32, 1, 1}}, {{1, 1, 1}, {256, 1, 1}}, {{1, 2, 1}, {7, 7, 1}},
    {{4, 1, 1}, {128, 1, 1}}, {{1, 1, 2}, {40, 2, 1}},
};

typedef struct Structured {
  Code code;
  const Shape *shape;
  uint64_t seed;
  uint32_t threads;     // of a block
  int labels;
  bool named;
} Structured;

static void statements(Structured *s, int depth, int count);
static void add(Structured *s, const char *text) { ls_text_add(s->code.out, text); }

static uint32_t below(Structured *s, uint32_t limit) { return rng_below(&s->code.rng, limit); }
static const char *word(Structured *s) { return code_reg(&s->code, 32); }

// ---- statements without branches -----------------------------------------------------------------------------------

static void make_code(Structured *s, int depth) {
  (void)depth;
  code_instructions(&s->code, 1, 4);
}

static void make_atomic(Structured *s, int depth) {
  (void)depth;
  uint32_t which = below(s, ATOMICS);
  const Atomic *a = &atomics[which];
  bool shared = rng_chance(&s->code.rng, 2);
  ls_text_addf(s->code.out, "  and.b32 %%place, %s, %d;\n", word(s), CELLS - 1);
  ls_text_addf(s->code.out, "  mad.lo.u32 %%place, %%place, 8, %u;\n", which * CELLS * 8);
  add(s, "  cvt.u64.u32 %far, %place;\n");
  ls_text_addf(s->code.out, "  add.s64 %%far, %%far, %s;\n", shared ? "%near" : "%cells");
  const char *space = shared ? "shared" : "global";
  if (rng_chance(&s->code.rng, 2))
    ls_text_addf(s->code.out, "  red.%s.%s [%%far], %s;\n", space, a->name, code_reg(&s->code, a->bits));
  else
    ls_text_addf(s->code.out, "  atom.%s.%s %%lost%d, [%%far], %s;\n", space, a->name, a->bits,
                 code_reg(&s->code, a->bits));
}

static void make_stash(Structured *s, int depth) {
  (void)depth;
  ls_text_addf(s->code.out, "  and.b32 %%place, %s, %d;\n  mul.wide.u32 %%far, %%place, 8;\n", word(s), STASH - 1);
  add(s, "  add.s64 %far, %far, %stash;\n");
  if (rng_chance(&s->code.rng, 2)) ls_text_addf(s->code.out, "  st.local.b64 [%%far], %s;\n", code_reg(&s->code, 64));
  else ls_text_addf(s->code.out, "  ld.local.b64 %s, [%%far];\n", code_reg(&s->code, 64));
}

static void make_call(Structured *s, int depth) {
  (void)depth;
  ls_text_addf(s->code.out, "  { .param .b32 pa; .param .b64 pb; .param .b32 pr;\n    st.param.b32 [pa], %s;\n",
               word(s));
  ls_text_addf(s->code.out, "    st.param.b64 [pb], %s;\n", code_reg(&s->code, 64));
  ls_text_addf(s->code.out, "    call (pr), helper_%llu, (pa, pb);\n", (unsigned long long)s->seed);
  ls_text_addf(s->code.out, "    ld.param.b32 %s, [pr]; }\n", word(s));
}

// The lanes that are here, by name.
static void make_warp(Structured *s, int depth) {
  static const char *const redux[] = {"add.s32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"};
  LsText *out = s->code.out;
  if (!s->named) return;
  switch (below(s, 7)) {
    case 0: ls_text_addf(out, "  vote.sync.ballot.b32 %s, %s, %%m%d;\n", word(s), code_reg(&s->code, 1), depth); break;
    case 1:
      ls_text_addf(out, "  vote.sync.all.pred %s, %s, %%m%d;\n", code_reg(&s->code, 1), code_reg(&s->code, 1), depth);
      break;
    case 2:
      ls_text_addf(out, "  vote.sync.uni.pred %s, !%s, %%m%d;\n", code_reg(&s->code, 1), code_reg(&s->code, 1), depth);
      break;
    case 3:
      ls_text_addf(out, "  redux.sync.%s %s, %s, %%m%d;\n", redux[below(s, LS_COUNT(redux))], word(s), word(s), depth);
      break;
    case 4:
      ls_text_addf(out, "  and.b32 %%place, %s, 3;\n  match.any.sync.b32 %s, %%place, %%m%d;\n",
                   word(s), word(s), depth);
      break;
    case 5:
      ls_text_addf(out, "  match.all.sync.b64 %s|%s, %s, %%m%d;\n", word(s), code_reg(&s->code, 1),
                   code_reg(&s->code, 64), depth);
      break;
    default:  // from the first lane that is here
      ls_text_addf(out, "  brev.b32 %%place, %%m%d;\n  clz.b32 %%place, %%place;\n", depth);
      ls_text_addf(out, "  shfl.sync.idx.b32 %s, %s, %%place, 31, %%m%d;\n", word(s), word(s), depth);
  }
}

// ---- statements that only all threads of the block together can execute ---------------------------------------------

static void shuffle(Structured *s) {
  static const char *const modes[] = {"up", "down", "bfly", "idx"};
  static const int sizes[] = {0, 16, 24, 28, 30};
  LsText *out = s->code.out;
  if (!s->code.full_warps) {
    ls_text_addf(out, "  rem.u32 %%place, %s, %%lanes;\n  shfl.sync.idx.b32 %s, %s, %%place, 31, %%m0;\n",
                 word(s), word(s), word(s));
    return;
  }
  uint32_t mode = below(s, LS_COUNT(modes));
  int clamp = sizes[below(s, LS_COUNT(sizes))] << 8 | (mode == 0 ? 0 : 31);
  ls_text_addf(out, "  shfl.sync.%s.b32 %s", modes[mode], word(s));
  if (rng_chance(&s->code.rng, 2)) ls_text_addf(out, "|%s", code_reg(&s->code, 1));
  ls_text_addf(out, ", %s, %s, %d, -1;\n", word(s), word(s), clamp);
}

// Each thread writes its own place and reads another's.
static void exchange(Structured *s) {
  LsText *out = s->code.out;
  int bits = rng_chance(&s->code.rng, 2) ? 32 : 64;
  const char *wait = rng_chance(&s->code.rng, 3) ? "barrier.sync 0" : "bar.sync 0";
  ls_text_addf(out, "  st.shared.b%d [%%mine], %s;\n  %s;\n", bits, code_reg(&s->code, bits), wait);
  ls_text_addf(out, "  mad.lo.u32 %%place, %%thread, %u, %u;\n", 1 + below(s, 40), below(s, 300));
  ls_text_addf(out, "  rem.u32 %%place, %%place, %u;\n", s->threads);
  add(s, "  mul.wide.u32 %far, %place, 8;\n  add.s64 %far, %far, %other;\n");
  ls_text_addf(out, "  ld.shared.b%d %s, [%%far];\n  bar.sync 0;\n", bits, code_reg(&s->code, bits));
}

static void count_in_block(Structured *s) {
  LsText *out = s->code.out;
  if (rng_chance(&s->code.rng, 2)) ls_text_addf(out, "  bar.red.popc.u32 %s, 0, %s;\n", word(s), code_reg(&s->code, 1));
  else
    ls_text_addf(out, "  bar.red.%s.pred %s, 0, !%s;\n", rng_chance(&s->code.rng, 2) ? "and" : "or",
                 code_reg(&s->code, 1), code_reg(&s->code, 1));
}

static void make_together(Structured *s, int depth) {
  if (depth > 0) return;
  switch (below(s, 5)) {
    case 0: case 1: exchange(s); break;
    case 2: count_in_block(s); break;
    default: shuffle(s);
  }
}

// ---- branches and loops --------------------------------------------------------------------------------------------

// %qN and %mN of a statement inside `depth`.
static void condition(Structured *s, int depth) {
  static const char *const tests[] = {"lt.s32", "gt.u32", "ne.s32", "ge.s32"}, *const reals[] = {"lt.f32", "neu.f32"};
  LsText *out = s->code.out;
  uint32_t kind = below(s, 6);
  if (kind == 0) ls_text_addf(out, "  and.b32 %%place, %%lane, %u;\n  setp.ne.u32 %%q%d, %%place, 0;\n",
                              1 + below(s, 31), depth);
  else if (kind == 1) ls_text_addf(out, "  setp.lt.u32 %%q%d, %%lane, %u;\n", depth, below(s, 33));
  else {
    PtxType type = kind == 2 ? PTX_F32 : PTX_B32;
    const char *one = code_reg_of(&s->code, type);
    const char *test = kind == 2 ? reals[below(s, 2)] : tests[below(s, LS_COUNT(tests))];
    ls_text_addf(out, "  setp.%s %%q%d, %s, %s;\n", test, depth, one, code_other(&s->code, type, one));
  }
  if (s->named) ls_text_addf(out, "  vote.sync.ballot.b32 %%m%d, %%q%d, %%m%d;\n", depth, depth, depth - 1);
}

static void make_if(Structured *s, int depth) {
  LsText *out = s->code.out;
  int label = s->labels++, inner = depth + 1;
  bool full = s->code.full_warps;
  condition(s, inner);
  s->code.full_warps = false;
  ls_text_addf(out, "  @!%%q%d bra ELSE_%d;\n", inner, label);
  statements(s, inner, 1 + (int)below(s, 4));
  if (rng_chance(&s->code.rng, 3)) {
    ls_text_addf(out, "ELSE_%d:\n", label);
  } else {
    ls_text_addf(out, "  bra END_%d;\nELSE_%d:\n", label, label);
    if (s->named) ls_text_addf(out, "  xor.b32 %%m%d, %%m%d, %%m%d;\n", inner, inner, depth);
    statements(s, inner, 1 + (int)below(s, 3));
    ls_text_addf(out, "END_%d:\n", label);
  }
  s->code.full_warps = full;
}

// Up to 7 turns, as many as three bits of a register say.
static void make_loop(Structured *s, int depth) {
  LsText *out = s->code.out;
  int label = s->labels++, inner = depth + 1;
  bool full = s->code.full_warps;
  ls_text_addf(out, "  and.b32 %%turns%d, %s, 7;\n  setp.ne.u32 %%q%d, %%turns%d, 0;\n", inner, word(s), inner, inner);
  if (s->named) ls_text_addf(out, "  vote.sync.ballot.b32 %%m%d, %%q%d, %%m%d;\n", inner, inner, depth);
  ls_text_addf(out, "  @!%%q%d bra END_%d;\nLOOP_%d:\n", inner, label, label);
  s->code.full_warps = false;
  statements(s, inner, 1 + (int)below(s, 4));
  ls_text_addf(out, "  sub.u32 %%turns%d, %%turns%d, 1;\n  setp.ne.u32 %%q%d, %%turns%d, 0;\n",
               inner, inner, inner, inner);
  if (s->named) ls_text_addf(out, "  vote.sync.ballot.b32 %%m%d, %%q%d, %%m%d;\n", inner, inner, inner);
  ls_text_addf(out, "  @%%q%d bra LOOP_%d;\nEND_%d:\n", inner, label, label);
  s->code.full_warps = full;
}

// A loop that lanes leave in the middle, or begin anew.
static void make_leaving_loop(Structured *s, int depth) {
  LsText *out = s->code.out;
  int label = s->labels++, inner = depth + 1;
  bool full = s->code.full_warps, named = s->named;
  s->code.full_warps = s->named = false;
  ls_text_addf(out, "  and.b32 %%turns%d, %s, 7;\n  add.u32 %%turns%d, %%turns%d, 1;\nLOOP_%d:\n",
               inner, word(s), inner, inner, label);
  statements(s, inner, 1 + (int)below(s, 2));
  ls_text_addf(out, "  @%s bra END_%d;\n", code_reg(&s->code, 1), label);
  ls_text_addf(out, "  sub.u32 %%turns%d, %%turns%d, 1;\n  setp.eq.u32 %%q%d, %%turns%d, 0;\n",
               inner, inner, inner, inner);
  ls_text_addf(out, "  @%%q%d bra END_%d;\n  @!%s bra LOOP_%d;\n", inner, label, code_reg(&s->code, 1), label);
  statements(s, inner, 1 + (int)below(s, 2));
  ls_text_addf(out, "  bra LOOP_%d;\nEND_%d:\n", label, label);
  s->code.full_warps = full;
  s->named = named;
}

static void make_switch(Structured *s, int depth) {
  enum { WAYS = 4 };
  LsText *out = s->code.out;
  int label = s->labels++;
  bool full = s->code.full_warps, named = s->named;
  s->code.full_warps = s->named = false;
  ls_text_addf(out, "WAYS_%d: .branchtargets WAY_%d_0, WAY_%d_1, WAY_%d_2, WAY_%d_3;\n",
               label, label, label, label, label);
  ls_text_addf(out, "  and.b32 %%place, %s, %d;\n  brx.idx %%place, WAYS_%d;\n", word(s), WAYS - 1, label);
  for (int way = 0; way < WAYS; way++) {
    ls_text_addf(out, "WAY_%d_%d:\n", label, way);
    statements(s, depth + 1, 1 + (int)below(s, 2));
    if (!rng_chance(&s->code.rng, 4)) ls_text_addf(out, "  bra END_%d;\n", label);
  }
  ls_text_addf(out, "END_%d:\n", label);
  s->code.full_warps = full;
  s->named = named;
}

typedef struct Maker { uint32_t weight; bool nests; void (*make)(Structured *s, int depth); } Maker;
static const Maker makers[] = {
    {30, false, make_code},  {10, false, make_atomic}, {6, false, make_stash}, {5, false, make_call},
    {12, false, make_warp},  {22, false, make_together}, {14, true, make_if},   {8, true, make_loop},
    {5, true, make_leaving_loop}, {4, true, make_switch},
};

static void statements(Structured *s, int depth, int count) {
  uint32_t sum = 0;
  for (int i = 0; i < LS_COUNT(makers); i++) sum += makers[i].weight;
  for (int k = 0; k < count; k++) {
    uint32_t draw = below(s, sum);
    int i = 0;
    while (draw >= makers[i].weight) draw -= makers[i++].weight;
    if (makers[i].nests && depth + 1 >= DEPTHS) i = 0;
    makers[i].make(s, depth);
  }
}

// ---- the program around --------------------------------------------------------------------------------------------

static void helper(Structured *s) {
  ls_text_addf(s->code.out, ".func (.param .b32 result) helper_%llu(.param .b32 one, .param .b64 two)\n{\n",
               (unsigned long long)s->seed);
  code_declare(&s->code);
  ls_text_add(s->code.out, "  ld.param.b32 %r0, [one];\n  ld.param.b64 %d0, [two];\n");
  for (int i = 1; i < CODE_WORDS; i++)
    ls_text_addf(s->code.out, "  mad.lo.u32 %%r%d, %%r%d, 0x9e3779b1, %d;\n", i, i - 1, i);
  for (int i = 1; i < CODE_DOUBLES; i++)
    ls_text_addf(s->code.out, "  mad.lo.u64 %%d%d, %%d%d, 0x9e3779b97f4a7c15, %d;\n", i, i - 1, i);
  for (int i = 0; i < CODE_HALVES; i++) ls_text_addf(s->code.out, "  cvt.u16.u32 %%h%d, %%r%d;\n", i, i);
  for (int i = 0; i < CODE_FLOATS; i++)
    ls_text_addf(s->code.out, "  mov.b16 %%g%d, %%h%d;\n  mov.b32 %%f%d, %%r%d;\n  mov.b64 %%e%d, %%d%d;\n",
                 i, i, i, i, i, i);
  for (int i = 0; i < CODE_PREDS; i++)
    ls_text_addf(s->code.out, "  setp.gt.s32 %%p%d, %%r0, %d;\n", i, i * 1000 - 1000);
  s->code.has_row = s->code.full_warps = false;
  code_instructions(&s->code, 3, 12);
  ls_text_add(s->code.out, "  xor.b32 %r0, %r0, %r1;\n  cvt.u32.u64 %r2, %d0;\n  add.s32 %r0, %r0, %r2;\n");
  ls_text_add(s->code.out, "  st.param.b32 [result], %r0;\n  ret;\n}\n\n");
}

static void declare(Structured *s, const char *entry) {
  LsText *out = s->code.out;
  ls_text_addf(out, ".visible .entry %s(\n  .param .u64 in,\n  .param .u64 out,\n", entry);
  add(s, "  .param .u64 cells,\n  .param .u64 sums\n)\n{\n");
  ls_text_addf(out, "  .shared .align 8 .b64 places[%u];\n  .shared .align 8 .b64 counts[%d];\n",
               s->threads, ALL_CELLS);
  ls_text_addf(out, "  .local .align 8 .b64 stash[%d];\n", STASH);
  code_declare(&s->code);
  add(s, "  .reg .b32 %thread, %block, %x, %y, %place, %lane, %lanes, %lost32;\n");
  add(s, "  .reg .b64 %row, %result, %cells, %near, %far, %mine, %other, %stash, %lost64;\n");
  ls_text_addf(out, "  .reg .b32 %%m<%d>, %%turns<%d>;\n  .reg .pred %%q<%d>, %%first;\n",
               DEPTHS + 1, DEPTHS + 1, DEPTHS + 1);
}

// %thread and %block count all dimensions; %lane is the place in the warp.
static void find_place(Structured *s) {
  add(s, "  mov.u32 %thread, %tid.z;\n  mov.u32 %x, %ntid.y;\n  mov.u32 %y, %tid.y;\n");
  add(s, "  mad.lo.u32 %thread, %thread, %x, %y;\n");
  add(s, "  mov.u32 %x, %ntid.x;\n  mov.u32 %y, %tid.x;\n");
  add(s, "  mad.lo.u32 %thread, %thread, %x, %y;\n");
  add(s, "  mov.u32 %block, %ctaid.z;\n  mov.u32 %x, %nctaid.y;\n  mov.u32 %y, %ctaid.y;\n");
  add(s, "  mad.lo.u32 %block, %block, %x, %y;\n");
  add(s, "  mov.u32 %x, %nctaid.x;\n  mov.u32 %y, %ctaid.x;\n");
  add(s, "  mad.lo.u32 %block, %block, %x, %y;\n");
  add(s, "  mov.u32 %lane, %laneid;\n  sub.u32 %lanes, %thread, %lane;\n");
  ls_text_addf(s->code.out, "  sub.u32 %%lanes, %u, %%lanes;\n  min.u32 %%lanes, %%lanes, 32;\n", s->threads);
  add(s, "  bmsk.clamp.b32 %m0, 0, %lanes;\n");
}

static void find_memory(Structured *s) {
  LsText *out = s->code.out;
  ls_text_addf(out, "  mad.lo.u32 %%x, %%block, %u, %%thread;\n  mul.wide.u32 %%far, %%x, %d;\n",
               s->threads, CODE_ROW * 8);
  add(s, "  ld.param.u64 %row, [in];\n  cvta.to.global.u64 %row, %row;\n  add.s64 %row, %row, %far;\n");
  add(s, "  ld.param.u64 %result, [out];\n  cvta.to.global.u64 %result, %result;\n  add.s64 %result, %result, %far;\n");
  add(s, "  ld.param.u64 %cells, [cells];\n  cvta.to.global.u64 %cells, %cells;\n");
  add(s, "  mov.u64 %near, counts;\n  mov.u64 %other, places;\n  mov.u64 %stash, stash;\n");
  add(s, "  mul.wide.u32 %mine, %thread, 8;\n  add.s64 %mine, %mine, %other;\n");
}

static void begin(Structured *s) {
  LsText *out = s->code.out;
  find_place(s);
  find_memory(s);
  code_load_row(&s->code);
  for (int i = 0; i < STASH; i++) ls_text_addf(out, "  st.local.b64 [%%stash+%d], %%d%d;\n", i * 8, i % CODE_DOUBLES);
  ls_text_addf(out, "  setp.lt.u32 %%first, %%thread, %d;\n  mul.wide.u32 %%far, %%thread, 8;\n", ALL_CELLS);
  add(s, "  add.s64 %far, %far, %near;\n  @%first st.shared.b64 [%far], %d0;\n");
  add(s, "  st.shared.b64 [%mine], %d1;\n  bar.sync 0;\n");
}

static void end(Structured *s) {
  LsText *out = s->code.out;
  add(s, "  bar.sync 0;\n");
  code_store_row(&s->code, "%result");
  ls_text_addf(out, "  mad.lo.u32 %%x, %%block, %d, %%thread;\n  mul.wide.u32 %%row, %%x, 8;\n", ALL_CELLS);
  add(s, "  ld.param.u64 %result, [sums];\n  cvta.to.global.u64 %result, %result;\n");
  add(s, "  add.s64 %result, %result, %row;\n");
  add(s, "  mul.wide.u32 %far, %thread, 8;\n  add.s64 %far, %far, %near;\n");
  add(s, "  @%first ld.shared.b64 %mine, [%far];\n  @%first st.global.b64 [%result], %mine;\n  ret;\n}\n\n");
}

static void arguments(Structured *s, Program *program) {
  uint64_t blocks = launch_blocks(&program->launch), threads = s->threads * blocks;
  uint64_t *cells = ls_alloc(sizeof *cells * ALL_CELLS);
  for (int i = 0; i < ALL_CELLS; i++) cells[i] = rng_next(&s->code.rng);
  batch_add_buffer(program, LAUNCH_U64, threads * CODE_ROW, code_rows(&s->code.rng, threads));
  batch_add_buffer(program, LAUNCH_U64, threads * CODE_ROW, NULL);
  batch_add_buffer(program, LAUNCH_U64, ALL_CELLS, (uint8_t *)cells);
  batch_add_buffer(program, LAUNCH_U64, ALL_CELLS * blocks, NULL);
}

void generate_structured(Batch *batch, const Forms *forms, uint64_t seed) {
  Structured s = {.code = {.rng = {seed}, .out = &batch->ptx, .forms = forms}, .seed = seed, .named = true};
  char entry[64];
  s.shape = &shapes[rng_below(&s.code.rng, LS_COUNT(shapes))];
  s.threads = s.shape->block[0] * s.shape->block[1] * s.shape->block[2];
  snprintf(entry, sizeof entry, "structured_%llu", (unsigned long long)seed);
  Program *program = batch_begin(batch, entry);
  program->launch.kernel = ls_strdup(entry);
  memcpy(program->launch.grid, s.shape->grid, sizeof program->launch.grid);
  memcpy(program->launch.block, s.shape->block, sizeof program->launch.block);
  program->has_rows = true;
  arguments(&s, program);
  helper(&s);
  s.code.has_row = true;
  s.code.full_warps = s.threads % 32 == 0;
  declare(&s, entry);
  begin(&s);
  statements(&s, 0, 8 + (int)rng_below(&s.code.rng, 12));
  end(&s);
  batch_end(batch);
}
