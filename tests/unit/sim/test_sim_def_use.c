// test_sim_def_use.c: what ptx/def_use.h says of instructions, against what the emulator writes and reads.
//
// Every measured form (vectors/*.vec) and every row of the PTX tests that the emulator can execute alone runs with all
// of its registers set, and again with one of them different. A register that is different afterwards was written; if
// anything but that register itself comes out different, it was read.
#include "base/mem.h"
#include "base/random.h"
#include "def_use.h"
#include "launch/launch.h"
#include "sim/sim.h"
#include "vec.h"

enum { LANES = 32, MOST_REGS = 24, OWN_BYTES = 64, OWN_WORDS = OWN_BYTES / 4, SIMILAR = 10, CARRY = 0 };

typedef struct Reg { char name[12], type[6]; } Reg;   // "%r1" "b32"
typedef struct Form { const char *text; Reg regs[MOST_REGS]; int count; } Form;   // regs[CARRY]: the carry flag
typedef struct Values { uint64_t of[MOST_REGS][LANES]; } Values;
typedef struct Outcome {
  bool ran;
  Values regs;
  uint64_t own[OWN_WORDS][LANES];          // of shared memory
  uint8_t scratch[LANES * OWN_BYTES];      // of global memory
} Outcome;

// ---- registers of a form -------------------------------------------------------------------------------------------

static void add_reg(Form *f, const char *name, size_t length, const char *type) {
  for (int i = 0; i < f->count; i++)
    if (strlen(f->regs[i].name) == length && memcmp(f->regs[i].name, name, length) == 0) return;
  CU_ASSERT_FATAL(f->count < MOST_REGS && length < sizeof f->regs->name);
  Reg *reg = &f->regs[f->count++];
  memcpy(reg->name, name, length);
  snprintf(reg->type, sizeof reg->type, "%s", type);
}

static void form_init(Form *f, const char *text) {
  *f = (Form){.text = text, .count = 1, .regs = {[CARRY] = {"cc", "cc"}}};
}

// Those of ptx_kernel that the text names.
static void find_regs(Form *f) {
  static const struct { const char *letters, *type; } kinds[] = {{"p", "pred"}, {"h", "b16"}, {"r", "b32"},
                                                                 {"rd", "b64"}, {"f", "f32"}, {"fd", "f64"}};
  for (const char *at = strchr(f->text, '%'); at; at = strchr(at + 1, '%')) {
    size_t letters = strcspn(at + 1, "0123456789"), length = 1 + letters + strspn(at + 1 + letters, "0123456789");
    for (int k = 0; k < LS_COUNT(kinds); k++)
      if (strlen(kinds[k].letters) == letters && memcmp(kinds[k].letters, at + 1, letters) == 0)
        add_reg(f, at, length, kinds[k].type);
  }
}

// ---- running it ----------------------------------------------------------------------------------------------------

static void load_reg(const Reg *reg, int at, LsText *out) {
  bool pred = strcmp(reg->type, "pred") == 0;
  if (strcmp(reg->type, "cc") == 0) return;
  const char *bits = pred ? "32" : reg->type + 1, *to = pred ? "%zq" : reg->name;
  ls_text_addf(out, "ld.global.b%s %s, [%%zi+%d];\n", bits, to, at);
  if (pred) ls_text_addf(out, "setp.ne.u32 %s, %%zq, 0;\n", reg->name);
  if (strcmp(reg->name, "%rd7") == 0) ls_text_add(out, "add.u64 %rd7, %rd7, %zs;\n");
  if (strcmp(reg->name, "%r7") == 0) ls_text_add(out, "add.u32 %r7, %r7, %zh;\n");
}

static void store_reg(const Reg *reg, int at, LsText *out) {
  bool pred = strcmp(reg->type, "pred") == 0, carry = strcmp(reg->type, "cc") == 0;
  if (carry) ls_text_add(out, "addc.u32 %zq, 0, 0;\n");
  if (pred) ls_text_addf(out, "selp.u32 %%zq, 1, 0, %s;\n", reg->name);
  if (strcmp(reg->name, "%rd7") == 0) ls_text_add(out, "sub.u64 %rd7, %rd7, %zs;\n");
  if (strcmp(reg->name, "%r7") == 0) ls_text_add(out, "sub.u32 %r7, %r7, %zh;\n");
  const char *bits = pred || carry ? "32" : reg->type + 1, *from = pred || carry ? "%zq" : reg->name;
  ls_text_addf(out, "st.global.b%s [%%zo+%d], %s;\n", bits, at, from);
}

// In and out: values[register][lane] of 8 bytes each; out then has the lanes' own words of shared memory.
static char *kernel_of(const Form *f) {
  LsText out = {0};
  ls_text_add(&out, ".version 9.0\n.target sm_90\n.address_size 64\n"
                    ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 scratch)\n{\n"
                    ".shared .align 16 .b8 sh[2112];\n.reg .b32 %zq, %zl, %zh;\n.reg .b64 %zi, %zo, %zs, %zt;\n");
  for (int i = 1; i < f->count; i++) ls_text_addf(&out, ".reg .%s %s;\n", f->regs[i].type, f->regs[i].name);
  ls_text_add(&out, "mov.u32 %zl, %laneid;\nld.param.u64 %zi, [in];\nld.param.u64 %zo, [out];\n"
                    "ld.param.u64 %zs, [scratch];\n"
                    "mul.wide.u32 %zt, %zl, 8;\nadd.u64 %zi, %zi, %zt;\nadd.u64 %zo, %zo, %zt;\n"
                    "mul.wide.u32 %zt, %zl, 64;\nadd.u64 %zs, %zs, %zt;\n"
                    "mov.u32 %zh, sh;\nmad.lo.u32 %zh, %zl, 64, %zh;\n");
  for (int k = 0; k < OWN_WORDS; k++)
    ls_text_addf(&out, "mad.lo.u32 %%zq, %%zl, 7919, %d;\nst.shared.u32 [%%zh+%d], %%zq;\n", k * 1000003 + 17, 4 * k);
  for (int i = 1; i < f->count; i++) load_reg(&f->regs[i], i * LANES * 8, &out);
  ls_text_add(&out, "ld.global.u32 %zq, [%zi];\nadd.cc.u32 %zq, %zq, -1;\n");
  ls_text_addf(&out, "\n%s\n\n", f->text);
  if (strstr(f->text, "cp.async")) ls_text_add(&out, "cp.async.wait_all;\nbar.warp.sync -1;\n");
  for (int i = 0; i < f->count; i++) store_reg(&f->regs[i], i * LANES * 8, &out);
  for (int k = 0; k < OWN_WORDS; k++)
    ls_text_addf(&out, "ld.shared.u32 %%zq, [%%zh+%d];\nst.global.u32 [%%zo+%d], %%zq;\n", 4 * k,
                 (f->count + k) * LANES * 8);
  ls_text_add(&out, "L:\nret;\n}\n");
  return ls_text_take(&out);
}

static void add_bytes(Launch *launch, const void *bytes, size_t size) {
  LaunchArg arg = {.type = LAUNCH_U8, .is_buffer = true, .count = size, .init = bytes ? LAUNCH_DATA : LAUNCH_ZERO};
  if (bytes) {
    arg.data = malloc(size);
    memcpy(arg.data, bytes, size);
  }
  LS_PUSH(launch->args, launch->arg_count, launch->arg_capacity, arg);
}

static void take_outcome(const Form *f, const Sim *sim, Outcome *o) {
  uint64_t size;
  const uint8_t *out = sim_buffer(sim, 1, &size);
  memcpy(o->regs.of, out, (size_t)f->count * sizeof o->regs.of[0]);
  memcpy(o->own, out + (size_t)f->count * sizeof o->regs.of[0], sizeof o->own);
  memcpy(o->scratch, sim_buffer(sim, 2, &size), sizeof o->scratch);
}

// A fault is an outcome as well.
static void run(const Form *f, const PtxModule *m, const Values *in, Outcome *o) {
  static uint8_t memory[LANES * OWN_BYTES];
  Launch launch;
  SimOptions options;
  TraceSink nobody = {0};
  int faults = 0;
  for (int i = 0; i < LANES * OWN_BYTES; i++)
    memory[i] = (uint8_t)(i < SIMILAR * OWN_BYTES ? i % 64 >= 16 : i * 37 + i / 256);
  *o = (Outcome){0};
  launch_init(&launch);
  launch.block[0] = LANES;
  add_bytes(&launch, in->of, sizeof in->of);
  add_bytes(&launch, NULL, (size_t)(f->count + OWN_WORDS) * LANES * 8);
  add_bytes(&launch, memory, sizeof memory);
  sim_options_init(&options);
  options.checks = 0;
  options.threads = 1;
  options.budget = 100000;
  Sim *sim = sim_new(m, 0, &launch, &options, NULL);
  if (sim && sim_run(sim, &nobody, NULL)) {
    const TraceFault *all = sim_faults(sim, &faults);
    o->ran = true;
    for (int i = 0; i < faults; i++) o->ran &= all[i].kind == FAULT_DIVIDE_BY_ZERO;
    take_outcome(f, sim, o);
  }
  sim_free(sim);
  launch_fini(&launch);
}

// ---- values --------------------------------------------------------------------------------------------------------

// Rounds: all kinds of values; the same in all lanes, predicates true; predicates false; again all kinds.
enum { MIXED, SAME, FALSE, ROUNDS = 6 };

typedef struct Float { const char *width; uint64_t one, fraction, infinity; } Float;

static uint64_t some_float(const Reg *reg, uint64_t bits) {
  static const Float floats[] = {{"16", 0x3c00, 0x3ff, 0x7c00}, {"32", 0x3f000000, 0xffffff, 0x7f800000},
                                 {"64", 0x3ff0000000000000, 0xfffffffffffff, 0x7ff0000000000000}};
  const Float *f = &floats[0];
  while (f < &floats[2] && strcmp(f->width, reg->type + 1) != 0) f++;
  switch (bits >> 56 & 7) {
  case 0: return f->infinity;
  case 1: return f->infinity | f->fraction;   // not a number
  default: return f->one + (bits & f->fraction);
  }
}

// The first lanes have values that are often the same, and so have their words of memory.
static uint64_t some_value(LsMt *random, const Reg *reg, int lane) {
  uint64_t bits = (uint64_t)ls_mt_u32(random) << 32 | ls_mt_u32(random);
  if (strcmp(reg->name, "%rd7") == 0 || strcmp(reg->name, "%r7") == 0) return 0;   // its place
  if (strcmp(reg->type, "pred") == 0 || strcmp(reg->type, "cc") == 0 || lane < SIMILAR) return bits & 1;
  switch (bits >> 62) {
  case 0: return bits & 63;
  case 1: return some_float(reg, bits);
  case 2: return bits >> 61 & 1 ? bits & 3 : bits;
  default: return bits;
  }
}

static void start_values(LsMt *random, const Reg *reg, int round, uint64_t of[LANES]) {
  bool pred = strcmp(reg->type, "pred") == 0;
  uint64_t same = pred ? 1 : some_value(random, reg, LANES);
  for (int lane = 0; lane < LANES; lane++) {
    of[lane] = some_value(random, reg, lane);
    if (round == SAME) of[lane] = same;
    if (round == FALSE && pred) of[lane] = 0;
  }
}

static uint64_t another(LsMt *random, const Reg *reg, int lane, uint64_t value) {
  if (strcmp(reg->name, "%rd7") == 0 || strcmp(reg->name, "%r7") == 0) return 16;
  bool bit = strcmp(reg->type, "pred") == 0 || strcmp(reg->type, "cc") == 0;
  if (bit) return lane & 1 ? !value : value;   // no longer all the same
  return some_value(random, reg, lane);
}

static uint64_t in_width(const Reg *reg, uint64_t value) {
  int bits = strcmp(reg->type + 1, "64") == 0 ? 64 : strcmp(reg->type + 1, "16") == 0 ? 16 : 32;
  return bits == 64 ? value : value & ((1ull << bits) - 1);
}

// ---- comparing -----------------------------------------------------------------------------------------------------

static bool is_changed(const Form *f, int reg, const Values *in, const Outcome *o) {
  for (int lane = 0; lane < LANES; lane++)
    if (o->regs.of[reg][lane] != in_width(&f->regs[reg], in->of[reg][lane])) return true;
  return false;
}

// What a lane keeps of a register because nothing was written to it there has not hung on it.
static bool differs_at(const Form *f, int reg, int changed, const Values *in, const Outcome *a, const Outcome *b) {
  for (int lane = 0; lane < LANES; lane++) {
    bool kept = reg == changed && b->regs.of[reg][lane] == in_width(&f->regs[reg], in->of[reg][lane]);
    if (!kept && a->regs.of[reg][lane] != b->regs.of[reg][lane]) return true;
  }
  return false;
}

static bool differs(const Form *f, int changed, const Values *in, const Outcome *a, const Outcome *b) {
  bool memory = memcmp(a->own, b->own, sizeof a->own) || memcmp(a->scratch, b->scratch, sizeof a->scratch);
  if (a->ran != b->ran || memory) return true;
  for (int reg = 0; reg < f->count; reg++)
    if (differs_at(f, reg, changed, in, a, b)) return true;
  return false;
}

static bool names(const char *list, const char *name) {
  size_t length = strlen(name);
  for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
    if (at[-1] == ' ' && (at[length] == ' ' || !at[length])) return true;
  return false;
}

// ---- one form ------------------------------------------------------------------------------------------------------

typedef struct Seen { bool written[MOST_REGS], read[MOST_REGS]; } Seen;

// Nothing that can be seen of one warp on the emulator hangs on some reads: hints, waits, the rank in a cluster of one,
// which space an address is in where all are in one, the second word where prmt picks from the first.
static bool is_silent(const PtxInstr *in) {
  switch (in->op) {
  case PTX_OP_nanosleep: case PTX_OP_prefetch: case PTX_OP_prefetchu: case PTX_OP_discard: case PTX_OP_getctarank:
  case PTX_OP_fence: case PTX_OP_isspacep: case PTX_OP_barrier: return true;
  case PTX_OP_createpolicy: return ptx_has(in, PTX_HAS_RANGE);   // its address and all of its size
  case PTX_OP_prmt: return in->mode >= PTX_PRMT_RC8 && in->mode <= PTX_PRMT_RC16;
  default: return ptx_has(in, PTX_HAS_CACHE_HINT);
  }
}

static const PtxInstr *subject_of(const Form *f, const PtxModule *m, const char *text) {
  int line = 1, pc = 0;
  for (const char *p = text, *at = strstr(text, f->text); p < at; p++) line += *p == '\n';
  while (pc < m->code_count && m->code[pc].line <= line) pc++;
  return &m->code[pc - 1];
}

static void agree(const Form *f, const char *what, int reg, bool seen, const LsText *said, bool silent) {
  bool listed = names(ls_text_str(said), f->regs[reg].name), good = seen == listed || (listed && silent);
  const char *does = seen ? "is" : "is not seen to be";
  if (!good) printf("\n%s: %s %s %s, listed:%s\n", f->text, f->regs[reg].name, does, what, ls_text_str(said));
  CHECK(good);
}

// False: the emulator cannot execute it alone.
static bool look(const Form *f, const PtxModule *m, int round, Seen *seen) {
  Values in = {0}, other;
  Outcome before, after;
  LsMt random;
  ls_mt_seed(&random, (uint32_t)round + 1);
  for (int r = 0; r < f->count; r++) start_values(&random, &f->regs[r], round, in.of[r]);
  run(f, m, &in, &before);
  for (int r = 0; before.ran && r < f->count; r++) {
    other = in;
    for (int lane = 0; lane < LANES; lane++) other.of[r][lane] = another(&random, &f->regs[r], lane, in.of[r][lane]);
    run(f, m, &other, &after);
    seen->written[r] |= is_changed(f, r, &in, &before);
    seen->read[r] |= differs(f, r, &other, &before, &after);
  }
  return before.ran;
}

static bool ends_thread(const PtxInstr *in) {
  return in->op == PTX_OP_bra || in->op == PTX_OP_exit || in->op == PTX_OP_ret || in->op == PTX_OP_trap;
}

static bool check_form(const Form *f) {
  char *text = kernel_of(f);
  LsErr err = {0};
  PtxModule *m = ptx_parse("form.ptx", text, strlen(text), &err);
  const PtxInstr *in = m ? subject_of(f, m, text) : NULL;
  Seen seen = {0};
  bool ran = in && !ends_thread(in);   // behind those nothing is stored
  for (int round = 0; ran && round < ROUNDS; round++) ran = look(f, m, round, &seen);
  if (ran) {
    LsText defs = {0}, uses = {0};
    def_use_names(m, in, &defs, &uses);
    for (int r = 0; r < f->count; r++) {
      agree(f, "written", r, seen.written[r], &defs, false);
      agree(f, "read", r, seen.read[r], &uses, is_silent(in));
    }
    ls_text_free(&defs);
    ls_text_free(&uses);
  }
  ptx_module_free(m);
  free(text);
  return ran;
}

// ---- all of them ---------------------------------------------------------------------------------------------------

static void rows(void) {
  char *text;
  int count, ran = 0;
  DefUseRow *all = def_use_rows(&text, &count);
  for (int i = 0; i < count; i++) {
    Form form;
    form_init(&form, all[i].text);
    find_regs(&form);
    ran += check_form(&form);
  }
  CHECK(ran >= 130);
  free(all);
  free(text);
}

static const char *type_of_width(PtxType type) {
  switch (ptx_type_size(type)) {
  case 4: return "b32";
  case 8: return "b64";
  default: return "b16";
  }
}

// ".reg .b32 %t1, %t2"
static void declare(Form *f, const char *text) {
  char type[6] = "";
  sscanf(text, ".reg .%5[a-z0-9]", type);
  for (const char *at = strchr(text, '%'); at; at = strchr(at + 1, '%'))
    add_reg(f, at, 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyz0123456789"), type);
}

// The instruction that the form is about, from among those that prepare its operands and keep its results.
static bool check_vector(const VecForm *vec, const char *opcode) {
  static const char *const names_of[] = {"%a", "%b", "%c"};
  char *copy = ls_strdup(vec->op), *rest = copy, *piece, *text = NULL;
  bool ran = false;
  Form f;
  form_init(&f, "");
  add_reg(&f, "%d", 2, type_of_width(vec->out));
  for (int s = 0; s < vec->sources; s++) add_reg(&f, names_of[s], 2, type_of_width(vec->in[s]));
  while (!text && (piece = strsep(&rest, ";"))) {
    piece += strspn(piece, " {}");
    const char *name = *piece == '@' ? strchr(piece, ' ') + 1 : piece;
    size_t length = strlen(opcode);
    bool found = strncmp(name, opcode, length) == 0 && (name[length] == '.' || name[length] == ' ');
    if (strncmp(piece, ".reg", 4) == 0) declare(&f, piece);
    else if (found) text = ls_format("%s;", piece);
  }
  CHECK(text != NULL);
  f.text = text;
  if (text) ran = check_form(&f);
  if (!ran) printf("\n%s: cannot be executed alone\n", vec->name);
  free(text);
  free(copy);
  return ran;
}

static void vectors(void) {
  int files, ran = 0, all = 0;
  char **paths = vec_files(&files);
  for (int i = 0; i < files; i++) {
    LsErr err = {0};
    int count;
    VecForm *forms = vec_read(paths[i], &count, &err);
    char *opcode = ls_strndup(ls_path_base(paths[i]), strcspn(ls_path_base(paths[i]), "."));
    bool sequences = strcmp(opcode, "carry") == 0 || strcmp(opcode, "components") == 0 ||
                     strcmp(opcode, "video") == 0;   // of several instructions, or that read parts of what they name
    bool named = strcmp(opcode, "sum") != 0;   // by an opcode: else that stands behind a dot in the name of each form
    for (int k = 0; k < count && !sequences; k++) {
      const char *own = forms[k].name + strcspn(forms[k].name, ".") + 1;
      char *each = named ? ls_strdup(opcode) : ls_strndup(own, strcspn(own, "."));
      ran += check_vector(&forms[k], each);
      free(each);
    }
    all += sequences ? 0 : count;
    free(opcode);
    free(forms);
    free(paths[i]);
  }
  free(paths);
  CHECK(all >= 828);
  CHECK_INT(ran, all);
}

// ---- who lives by it -----------------------------------------------------------------------------------------------

static PtxModule *module_of(const char *functions, const char *body) {
  char *text = ls_format(".version 9.0\n.target sm_90\n.address_size 64\n%s\n.visible .entry k(.param .u64 a)\n{\n"
                         ".shared .align 16 .b8 sh[512];\n.reg .pred %%p<4>;\n.reg .b32 %%r<8>;\n.reg .b64 %%rd<8>;\n"
                         "%s\nret;\n}\n", functions, body);
  PtxModule *m = ptx_of(text);
  free(text);
  CU_ASSERT_FATAL(m != NULL);
  return m;
}

static void launch_of(Launch *launch, uint32_t blocks, uint32_t threads) {
  LsErr err = {0};
  launch_init(launch);
  launch->grid[0] = blocks;
  launch->block[0] = threads;
  CHECK(launch_add_arg(launch, "u32[64]=zero", &err));
}

static bool tells(const PtxModule *m, uint32_t blocks, uint32_t threads, FaultKind kind) {
  Launch launch;
  SimOptions options;
  TraceSink nobody = {0};
  LsErr err = {0};
  int count = 0;
  bool found = false;
  launch_of(&launch, blocks, threads);
  sim_options_init(&options);
  Sim *sim = sim_new(m, ptx_find_entry(m, "k", NULL), &launch, &options, &err);
  if (!sim) printf("\n%s\n", err.message);
  CU_ASSERT_FATAL(sim != NULL);
  CHECK(sim_run(sim, &nobody, &err));
  const TraceFault *faults = sim_faults(sim, &count);
  for (int i = 0; i < count; i++) found |= faults[i].kind == kind;
  sim_free(sim);
  launch_fini(&launch);
  return found;
}

// A structure of which a part was written may be copied; it is told as soon as it is anything else as well: how long
// to wait, an address.
static void uses_of_what_nobody_wrote(void) {
  static const struct { const char *use; bool told; } rows[] = {
      {"nanosleep.u32 %r1;", true},
      {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1+16], {%r2};", true},
      {"ld.param.u64 %rd0, [a]; cp.async.ca.shared.global [%r1+16], [%rd0], 4; cp.async.wait_all;", true},
      {"mbarrier.init.shared.b64 [%r1+16], 32;", true},
      {"mbarrier.arrive.shared.b64 _, [%r1+16];", true},
      {"", false},
      {"mov.u32 %r1, 0;", false},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    char *body = ls_format("mov.u32 %%r2, 0;\nst.shared.u8 [sh], %%r2;\nld.shared.u32 %%r1, [sh];\n"
                           "st.shared.u32 [sh+256], %%r1;\n%s", rows[i].use);
    PtxModule *m = module_of("", body);
    bool told = tells(m, 1, 32, FAULT_UNINITIALIZED);
    if (told != rows[i].told) printf("\n%s\n", rows[i].use);
    CHECK(told == rows[i].told);
    ptx_module_free(m);
    free(body);
  }
}

// A pointer that comes to a store through the registers of a call: block 0 loads what block 1 stores.
static void calls_pass_pointers(void) {
  static const char *const functions[] = {
      ".func put(.reg .b64 %to) {\nst.global.u32 [%to], 1;\nret;\n}",
      ".func (.reg .b64 %back) same(.reg .b64 %of) {\nmov.u64 %back, %of;\nret;\n}"};
  static const char *const stores[] = {"call put, (%rd0);", "call (%rd1), same, (%rd0); st.global.u32 [%rd1], 1;"};
  for (int i = 0; i < LS_COUNT(stores); i++) {
    char *body = ls_format("ld.param.u64 %%rd0, [a];\nmov.u32 %%r0, %%ctaid.x;\n"
                           "setp.eq.u32 %%p0, %%r0, 0;\n@%%p0 bra LOADS;\n%s\nret;\n"
                           "LOADS:\nld.global.u32 %%r1, [%%rd0];", stores[i]);
    PtxModule *m = module_of(functions[i], body);
    CHECK(tells(m, 2, 1, FAULT_RACE));
    ptx_module_free(m);
    free(body);
  }
}

static uint32_t written_after(SimReplay *replay, const PtxModule *m, uint64_t event, const char *name) {
  uint64_t values[LANES];
  uint32_t written = 0;
  LsErr err = {0};
  int f = ptx_find_entry(m, "k", NULL), reg = 0;
  while (strcmp(m->funcs[f].regs[reg].name, name) != 0) reg++;
  CHECK(sim_replay_seek(replay, 0, event, &err));
  CHECK(sim_replay_reg(replay, 0, f, reg, values, &written));
  return written;
}

// The inspector shows a register from the instruction on that writes it: a result when the function has returned.
static void results_of_calls_are_written(void) {
  PtxModule *m = module_of(".func (.reg .b32 %back) next(.reg .b32 %of) {\nadd.u32 %back, %of, 1;\nret;\n}",
                           "mov.u32 %r1, 5;\ncall (%r0), next, (%r1);\nmov.u32 %r2, %r0;");
  Launch launch;
  SimOptions options;
  LsErr err = {0};
  launch_of(&launch, 1, 32);
  sim_options_init(&options);
  SimReplay *replay = sim_replay_new(m, ptx_find_entry(m, "k", NULL), &launch, &options, &err);
  CU_ASSERT_FATAL(replay != NULL);
  CHECK_INT((int)written_after(replay, m, 0, "%r0"), 0);
  CHECK_INT((int)written_after(replay, m, 2, "%r0"), 0);
  CHECK_INT((int)written_after(replay, m, 3, "%r0"), -1);   // mov, call, add, ret
  CHECK_INT((int)written_after(replay, m, 3, "%r2"), 0);
  sim_replay_free(replay);
  launch_fini(&launch);
  ptx_module_free(m);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
    {"rows of the PTX ISA", rows},
    {"measured forms", vectors},
    {"uses of what nobody wrote", uses_of_what_nobody_wrote},
    {"calls pass pointers", calls_pass_pointers},
    {"results of calls are written", results_of_calls_are_written},
  };
  return check_main("sim_def_use", checks, LS_COUNT(checks), argc, argv);
}
