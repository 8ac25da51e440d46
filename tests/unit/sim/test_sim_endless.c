// test_sim_endless.c: who runs together in loops without an end, as an H200 had it (kernels from PTX, CUDA 13.0, which
// were looked at while they ran: in each block a lane writes down where it is, and who is with it).
#include "sim_rig.h"

enum { NOTES = 48, LANES = 32, WORDS = 2 * LANES * NOTES };

// blocks: how each ends. f: it goes on with the next one; b3: with block 3; c3: some lanes do; x1,2: with one of the
// two. seen: what all lanes wrote down, as a hash.
typedef struct Loop { const char *name, *blocks; uint64_t seen; } Loop;
static const Loop loops[] = {
    {"an if and its else", "c3 f b4 f b0", 0x5f6e98ca2d23ab71ull},
    {"the end of a round in two places", "c2 b0 f b0", 0x30a6aecfa1fa7403ull},
    {"in three", "c3 c4 b0 b0 b0", 0xfdcfd73c54a62c66ull},
    {"a loop inside", "f f c1 f b0", 0x512097b20dd4f7a0ull},
    {"an if in a loop inside", "f c3 f c1 f b0", 0x0fd60eca255f2c35ull},
    {"one leads to another", "f c4 f b0 c6 f b4", 0xdf73dec32df631caull},
    {"an if in front of it", "c2 f c4 f b2", 0xacac61471fc4e9c1ull},
    {"a table", "x1,2 b3 f b0", 0x518289599c5eaa4dull},
    {"a table of ifs in a loop inside", "f c4 c5 b6 b6 b6 c1 b0", 0x52b83b02fa45a3d5ull},
    {"any 4", "f f c9 f f c4 f f b3 f f c15 f f f f c10 f b0", 0xbf50ec1daa66c116ull},
    {"any 16", "f f c0 f f c8 f f f c13 f f b15 f f f c5 f c5 f f c28 f c26 f f f f f b4", 0x27aca662f998ca7cull},
    {"any 19", "f c0 f c3 f c8 f b11 f f f f c3 f b0", 0x28dd1d77f70e99b2ull},
    {"any 23", "f f c1 f c4 f c9 f b11 f f f c4 f c18 f f f f c14 f b1", 0x26868e3bbd128b18ull},
    {"any 30", "f f c1 f c10 f f c5 f b14 f c10 f f f b1", 0x09da3018d95ee912ull},
    {"any 34", "f f c11 f f f c4 f c3 f f f f b1", 0x6391664e404aca4full},
    {"any 37", "f c11 f f c3 f f f c6 f b2 f f c12 f f b0", 0x25cc34e2f4ccd08dull},
    {"any 57", "f c0 f c0 f c14 f f c6 f f c10 f f f b0", 0xf03511d62595aa21ull},
    {"any 58", "f c5 f f b2 f c10 f f b13 f f f f f c6 f b0", 0xa4f65234f038ff07ull},
    {"any 59", "f c10 f f c8 f f f f b2 f f f c11 f c11 f c11 f b0", 0x0905f6569cfa0b00ull},
    {"any 83", "f c0 f f f f c15 c10 f b13 f f f f f f b3", 0xcf4b813096cbcc8dull},
};

// Its number and who is here to the lane's notes; %r6: bits of the lane, of how far it is, and of the block.
static void add_block(LsText *text, unsigned number) {
  ls_text_addf(text,
               "B%u:\n  activemask.b32 %%r4; setp.lt.u32 %%p1, %%r2, 48; mov.u32 %%r5, %u;\n"
               "  @%%p1 st.volatile.global.v2.u32 [%%rd4], {%%r5, %%r4}; @%%p1 add.u64 %%rd4, %%rd4, 256;\n"
               "  @%%p1 add.u32 %%r2, %%r2, 1; add.u32 %%r3, %%r3, 1; mad.lo.u32 %%r6, %%r3, 0x9E3779B1, %u;\n"
               "  mad.lo.u32 %%r6, %%r1, 0xC2B2AE35, %%r6; shr.u32 %%r7, %%r6, 15; xor.b32 %%r6, %%r6, %%r7;\n"
               "  mul.lo.u32 %%r6, %%r6, 0x2C1B3C6D; shr.u32 %%r7, %%r6, 13; xor.b32 %%r6, %%r6, %%r7;\n",
               number, number, number * 0x85EBCA6Bu);
}

static void add_end(LsText *text, unsigned number, const char *how) {
  int to, other;
  if (sscanf(how, "b%d", &to) == 1) ls_text_addf(text, "  bra B%d;\n", to);
  if (sscanf(how, "c%d", &to) == 1)
    ls_text_addf(text, "  and.b32 %%r7, %%r6, 256; setp.ne.u32 %%p2, %%r7, 0; @%%p2 bra B%d;\n", to);
  if (sscanf(how, "x%d,%d", &to, &other) == 2)
    ls_text_addf(text, "  shr.u32 %%r7, %%r6, 8; and.b32 %%r7, %%r7, 1;\n"
                       "T%u: .branchtargets B%d, B%d;\n  brx.idx %%r7, T%u;\n", number, to, other, number);
}

static char *code_of(const char *blocks) {
  LsText text = {0};
  char *copy = ls_strdup(blocks), *rest = copy, *how;
  ls_text_add(&text, "  mul.wide.u32 %rd4, %r1, 8; add.u64 %rd4, %rd1, %rd4; mov.u32 %r2, 0; mov.u32 %r3, 0;\n");
  for (unsigned number = 0; (how = strsep(&rest, " ")); number++) {
    add_block(&text, number);
    add_end(&text, number, how);
  }
  free(copy);
  return ls_text_take(&text);
}

static void run(Rig *rig, const char *code) {
  rig_kernel(rig, ".param .u64 p0", "", code);
  rig->options.record_all = false;
  rig->options.budget = 300000;
  rig_size(rig, "1", "32");
  rig_arg(rig, "u32[3072]=iota");
  rig_run(rig);
}

static void same_as_a_gpu(void) {
  for (int i = 0; i < LS_COUNT(loops); i++) {
    Rig rig;
    char *code = code_of(loops[i].blocks);
    run(&rig, code);
    const uint32_t *words = rig_words(&rig, 0);
    uint64_t seen = 1469598103934665603u;
    for (int k = 0; k < WORDS; k++) seen = (seen ^ words[k]) * 1099511628211u;
    if (seen != loops[i].seen) printf("\n%s\n", loops[i].name);
    CHECK(seen == loops[i].seen);
    rig_free(&rig);
    free(code);
  }
}

// Rounds that end in two places, and a barrier where they begin: nobody is missing there.
static void barriers_have_all_lanes(void) {
  Rig rig;
  run(&rig, "  and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0;\n"
            "H: bar.sync 0; @%p1 bra Y; add.u32 %r3, %r3, 1; bra H;\nY: add.u32 %r3, %r3, 2; bra H;\n");
  CHECK(rig_fault(&rig, FAULT_BUDGET) != NULL);
  CHECK_INT(rig_faults(&rig), 1);
  rig_free(&rig);
}

static const Check checks[] = {
    {"the same as a GPU", same_as_a_gpu},
    {"barriers have all lanes", barriers_have_all_lanes},
};

int main(int argc, char **argv) { return check_main("sim_endless", checks, LS_COUNT(checks), argc, argv); }
