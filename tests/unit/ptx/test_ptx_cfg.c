// test_ptx_cfg.c: blocks and post-dominators, against a search of all paths.
#include "ptx/cfg.h"
#include "ptx_check.h"

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

enum { MOST_BLOCKS = 9 };

// A kernel of n blocks "Bi: nop; branch", where each branch falls through, goes elsewhere, or ends the thread.
static char *random_kernel(int n, uint32_t *state) {
  LsText text = {0};
  for (int i = 0; i < n; i++) {
    int a = (int)(next_random(state) % (unsigned)n), b = (int)(next_random(state) % (unsigned)n);
    ls_text_addf(&text, "B%d: add.u32 %%r1, %%r1, 1;\n", i);
    switch (next_random(state) % 6) {
      case 0: case 1: ls_text_addf(&text, "@%%p1 bra B%d;\n", a); break;
      case 2: ls_text_addf(&text, "bra B%d;\n", a); break;
      case 3: ls_text_add(&text, next_random(state) % 2 ? "ret;\n" : "@%p1 exit;\n"); break;
      case 4: ls_text_addf(&text, "T%d: .branchtargets B%d, B%d;\nbrx.idx %%r1, T%d;\n", i, a, b, i); break;
      default: break;
    }
  }
  char *kernel = ptx_kernel(ls_text_str(&text));
  ls_text_free(&text);
  return kernel;
}

// Can a thread in `from` leave the function without passing `without`? (-1: none to avoid)
static bool reaches_end(const PtxCfg *cfg, const bool *leaves, int from, int without, bool *seen) {
  if (from == without || seen[from]) return false;
  seen[from] = true;
  if (leaves[from]) return true;
  for (int i = 0; i < cfg->blocks[from].succ_count; i++) {
    if (reaches_end(cfg, leaves, cfg->blocks[from].succ[i], without, seen)) return true;
  }
  return false;
}

static bool ends_here(const PtxModule *m, const PtxFunc *func, const PtxBlock *block) {
  int last = block->first + block->count - 1;
  const PtxInstr *instr = &m->code[last];
  bool stops = instr->op == PTX_OP_ret || instr->op == PTX_OP_exit;
  bool falls_out = last + 1 == func->first + func->count && (instr->op != PTX_OP_bra || instr->guard >= 0) &&
      instr->op != PTX_OP_brx;
  return stops || falls_out;
}

// d post-dominates b: every way out of b passes d.
static bool post_dominates(const PtxCfg *cfg, const bool *leaves, int d, int b) {
  bool seen[64] = {0};
  return d != b && !reaches_end(cfg, leaves, b, d, seen);
}

// The nearest of them is post-dominated by all others; -1 if there is none.
static int oracle_ipdom(const PtxCfg *cfg, const bool *leaves, int b) {
  for (int d = 0; d < cfg->block_count; d++) {
    if (!post_dominates(cfg, leaves, d, b)) continue;
    bool nearest = true;
    for (int e = 0; e < cfg->block_count && nearest; e++) {
      if (e != d && post_dominates(cfg, leaves, e, b)) nearest = post_dominates(cfg, leaves, e, d);
    }
    if (nearest) return d;
  }
  return -1;
}

static void check_graph(const PtxModule *m, const PtxCfg *cfg, int f, int *compared) {
  bool leaves[64] = {0}, all_leave = true;
  for (int b = 0; b < cfg->block_count; b++) leaves[b] = ends_here(m, &m->funcs[f], &cfg->blocks[b]);
  for (int b = 0; b < cfg->block_count; b++) {
    bool seen[64] = {0};
    all_leave = all_leave && reaches_end(cfg, leaves, b, -1, seen);
  }
  if (!all_leave) return;   // with an endless loop in it the definition does not say; see endless_loops
  for (int b = 0; b < cfg->block_count; b++) {
    CHECK_INT(cfg->blocks[b].ipdom, oracle_ipdom(cfg, leaves, b));
    (*compared)++;
  }
}

static void random_graphs(void) {
  uint32_t state = 7;
  int compared = 0;
  for (int i = 0; i < 1500; i++) {
    char *text = random_kernel(2 + (int)(next_random(&state) % (MOST_BLOCKS - 1)), &state);
    PtxModule *m = ptx_of(text);
    LsArena *arena = ls_arena_new();
    if (m) check_graph(m, ptx_cfg_new(m, 0, arena), 0, &compared);
    ls_arena_free(arena);
    ptx_module_free(m);
    free(text);
  }
  CHECK(compared > 2000);
}

// What must hold of any graph: blocks tile the function, edges agree in both directions.
static void check_shape(const PtxModule *m, int f, const PtxCfg *cfg) {
  const PtxFunc *func = &m->funcs[f];
  int pc = func->first;
  for (int b = 0; b < cfg->block_count; b++) {
    const PtxBlock *block = &cfg->blocks[b];
    CHECK_INT(block->first, pc);
    CHECK(block->count > 0);
    for (; pc < block->first + block->count; pc++) CHECK_INT(cfg->block_of[pc - func->first], b);
    CHECK(block->ipdom >= -1 && block->ipdom < cfg->block_count);
    for (int i = 0; i < block->succ_count; i++) {
      const PtxBlock *to = &cfg->blocks[block->succ[i]];
      int found = 0;
      for (int k = 0; k < to->pred_count; k++) found += to->pred[k] == b;
      CHECK_INT(found, 1);
    }
  }
  CHECK_INT(pc, func->first + func->count);
}

static void shapes_of_real_kernels(void) {
  static const char *const files[] = {"tests/unit/ptx/inputs/features.ptx", "tests/unit/ptx/inputs/features.g.ptx",
                                      "assets/ptx/diverge_switch_n.ptx"};
  for (int i = 0; i < LS_COUNT(files); i++) {
    PtxModule *m = ptx_of_file(files[i]);
    for (int f = 0; m && f < m->func_count; f++) {
      LsArena *arena = ls_arena_new();
      check_shape(m, f, ptx_cfg_new(m, f, arena));
      ls_arena_free(arena);
    }
    ptx_module_free(m);
  }
}

static int reconvergence_of(const char *body, int pc) {
  char *text = ptx_kernel(body);
  PtxModule *m = ptx_of(text);
  LsArena *arena = ls_arena_new();
  int meets = m ? ptx_cfg_reconvergence(m, ptx_cfg_new(m, 0, arena), pc) : -2;
  ls_arena_free(arena);
  ptx_module_free(m);
  free(text);
  return meets;
}

static void branches_meet_again(void) {
  CHECK_INT(reconvergence_of("@%p1 bra E; add.u32 %r1,%r1,1; bra J; E: sub.u32 %r1,%r1,1; J: mov.u32 %r2,%r1;", 0), 4);
  CHECK_INT(reconvergence_of("H: setp.eq.u32 %p1,%r1,0; @%p1 bra X; add.u32 %r1,%r1,1; bra H; X: mov.u32 %r2,0;", 1), 4);
  CHECK_INT(reconvergence_of("@%p1 bra E; ret; E: exit;", 0), -1);
  CHECK_INT(reconvergence_of("T: .branchtargets A, B; brx.idx %r1, T; A: bra C; B: bra C; C: mov.u32 %r1, 0;", 0), 3);
}

// Where some leave: the others meet on the way (places where ptxas of CUDA 13.0 puts BSYNC, for sm_90).
static void others_meet_inside(void) {
#define A "@%p1 bra "
  // for { if (a) { if (b) break; y } z }
  CHECK_INT(reconvergence_of("H: activemask.b32 %r1; " A "Z; activemask.b32 %r1; @%p2 bra X; activemask.b32 %r1;"
                             "Z: activemask.b32 %r1; @%p3 bra H; X: mov.u32 %r2, 0;", 1), 5);
  // The same with continue: those who do not meet where the round ends, and the others before that.
  CHECK_INT(reconvergence_of("H: activemask.b32 %r1; " A "Z; activemask.b32 %r1; @%p2 bra C; activemask.b32 %r1;"
                             "Z: activemask.b32 %r1; C: @%p3 bra H; mov.u32 %r2, 0;", 1), 5);
  // if (a) { if (b) return; y } z
  CHECK_INT(reconvergence_of(A "Z; activemask.b32 %r1; @%p2 bra R; activemask.b32 %r1; Z: activemask.b32 %r1;"
                             "mov.u32 %r2, %r1; R: ret;", 0), 4);
  // if (a && b) x else y: those of both halves of the condition meet at y.
  CHECK_INT(reconvergence_of(A "E; activemask.b32 %r1; @%p2 bra E; activemask.b32 %r1; bra J; E: activemask.b32 %r1;"
                             "J: mov.u32 %r2, %r1;", 0), 5);
  // Who leaves one place goes to another one that others leave: nobody meets at the first.
  CHECK_INT(reconvergence_of(A "Z; activemask.b32 %r1; @%p2 bra C; activemask.b32 %r1; Z: activemask.b32 %r1; @%p3 bra X;"
                             "activemask.b32 %r1; C: activemask.b32 %r1; X: mov.u32 %r2, %r1;", 0), 7);
#undef A
}

// A loop without an end: lanes in it never meet others; in it they meet as if each round could be the last one.
static void endless_loops(void) {
  CHECK_INT(reconvergence_of("@%p1 bra F; mov.u32 %r1, 0; ret; F: bra F;", 0), -1);
  CHECK_INT(reconvergence_of("H: @%p1 bra A; bra B; A: add.u32 %r1,%r1,1; bra J; B: add.u32 %r1,%r1,2; J: bra H;", 0), 5);
  // Rounds that end in two places end at once where they begin.
  CHECK_INT(reconvergence_of("mov.u32 %r1, 0; H: @%p1 bra Y; add.u32 %r1,%r1,1; bra H; Y: add.u32 %r1,%r1,2; bra H;", 1), 1);
  CHECK_INT(reconvergence_of("H: @%p1 bra Y; bra H; Y: bra H;", 0), 0);
  // What goes back before the rest of a round goes round an inner loop.
  CHECK_INT(reconvergence_of("H: add.u32 %r1,%r1,1; @%p1 bra H; add.u32 %r1,%r1,2; bra H;", 1), 2);
  // The way to another endless loop is a way out.
  CHECK_INT(reconvergence_of("H: @%p1 bra F; add.u32 %r1,%r1,1; bra H; F: bra F;", 0), 3);
}

static void long_functions_need_no_stack(void) {
  enum { BRANCHES = 30000 };
  LsText body = {0};
  for (int i = 0; i < BRANCHES; i++) ls_text_addf(&body, "@%%p1 bra X%d;\nX%d: add.u32 %%r1, %%r1, 1;\n", i, i);
  char *text = ptx_kernel(ls_text_str(&body));
  PtxModule *m = ptx_of(text);
  LsArena *arena = ls_arena_new();
  if (m) {
    const PtxCfg *cfg = ptx_cfg_new(m, 0, arena);
    CHECK_INT(ptx_cfg_reconvergence(m, cfg, 0), 1);
    CHECK(cfg->block_count > BRANCHES);
  }
  ls_arena_free(arena);
  ptx_module_free(m);
  free(text);
  ls_text_free(&body);
}

// Found by fuzzing: code that ends without ret, and a branch behind the last instruction.
static void a_body_without_ret(void) {
  static const char *const bodies[] = {"add.u32 %r1, %r1, 1;", "bra E;\nE:", "@%p1 ret;", ""};
  for (int i = 0; i < LS_COUNT(bodies); i++) {
    LsErr err = {0};
    char *text = ptx_kernel(bodies[i]);
    PtxModule *module = ptx_parse("ends.ptx", text, strlen(text), &err);
    CHECK(module && module->code_count > 0);
    const PtxInstr *last = module ? &module->code[module->code_count - 1] : NULL;
    CHECK(last && last->op == PTX_OP_ret && last->guard < 0);
    for (int pc = 0; module && pc < module->code_count; pc++)
      if (module->code[pc].operands[0].kind == PTX_OPD_LABEL) CHECK(module->code[pc].operands[0].target < module->code_count);
    ptx_module_free(module);
    free(text);
  }
}

int main(int argc, char **argv) {
  static const Check checks[] = {
    {"a body without ret", a_body_without_ret},
    {"random graphs", random_graphs},
    {"shapes of real kernels", shapes_of_real_kernels},
    {"branches meet again", branches_meet_again},
    {"others meet inside", others_meet_inside},
    {"endless loops", endless_loops},
    {"long functions need no stack", long_functions_need_no_stack},
  };
  return check_main("ptx cfg", checks, LS_COUNT(checks), argc, argv);
}
