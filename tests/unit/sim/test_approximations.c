// test_approximations.c: the approximate functions of f32, f64 and 16 bits against hashes of what an H200 answered to
// every argument there is.
//
// Sign and exponent of an argument make its group (group_hashes.h). make check takes some groups whole, so that every
// segment of every table is used; make check-long takes all 2^32 arguments of the fifteen forms of f32 (minutes), and
//
//   CHECK_LONG=1 tests/unit/sim/test_approximations sin       those of the forms whose name contains sin
#include "base/mem.h"
#include "check.h"
#include "group_hashes.h"
#include "ptx/module.h"
#include "sim/alu/alu.h"

enum { LANES = 32, RESULT = 8 * LANES };

// ---- asking --------------------------------------------------------------------------------------------------------

static PtxModule *module_of(const GroupHashes *form) {
  char text[256];
  LsErr err = {0};
  int bits = 8 * form->width;
  snprintf(text, sizeof text, ".version 8.0\n.target sm_90\n.address_size 64\n"
           ".entry k() { .reg .b%d %%d, %%a; %s %%d, %%a; ret; }\n", bits, form->name);
  PtxModule *module = ptx_parse(form->name, text, strlen(text), &err);
  if (!module) printf("  %s: %s\n", form->name, err.message);
  return module;
}

static SimOp op_of(const PtxInstr *in, const char *isa) {
  return (SimOp){.run = sim_alu_find_isa(in, isa), .d = RESULT, .type = in->type, .type2 = in->type2, .cmp = in->cmp,
                 .mode = in->mode, .round = in->round, .flags = in->flags};
}

// The unit looks at the upper word of an f64 alone, and gives one.
static uint64_t sum_of_words(const SimOp *op, uint8_t *regs, uint32_t first) {
  uint32_t *argument = (uint32_t *)(void *)regs, *result = (uint32_t *)(void *)(regs + RESULT);
  uint64_t sum = 0;
  for (uint32_t i = 0; i < LANES; i++) argument[i] = first + i;
  op->run(regs, op, UINT32_MAX);
  for (uint32_t i = 0; i < LANES; i++) sum += group_hash((uint64_t)(first + i) << 32 | result[i]);
  return sum;
}
static uint64_t sum_of_upper_words(const SimOp *op, uint8_t *regs, uint32_t first) {
  uint64_t *argument = (uint64_t *)(void *)regs, *result = (uint64_t *)(void *)(regs + RESULT), sum = 0;
  for (uint32_t i = 0; i < LANES; i++) argument[i] = (uint64_t)(first + i) << 32;
  op->run(regs, op, UINT32_MAX);
  for (uint32_t i = 0; i < LANES; i++) sum += group_hash(argument[i] | result[i] >> 32);
  return sum;
}

static bool group_agrees(const GroupHashes *form, const SimOp *op, uint8_t *regs, int group) {
  uint64_t sum = 0;
  uint32_t first = (uint32_t)group << form->bits;
  for (uint32_t i = 0; i < 1u << form->bits; i += LANES)
    sum += form->width == 8 ? sum_of_upper_words(op, regs, first + i) : sum_of_words(op, regs, first + i);
  if (sum != form->sums[group]) printf("  %s: group %03x differs\n", form->name, group);
  return sum == form->sums[group];
}

// ---- which groups --------------------------------------------------------------------------------------------------

// Groups of make check. Of f32: all mantissas of an exponent. A row is for every form whose name begins so.
typedef struct Choice { const char *prefix; int groups[13]; } Choice;
static const Choice choices[] = {
    {"rcp.approx.f32", {0x000, 0x0fd, 0x0ff, 0x17f, -1}},
    {"rcp.approx.ftz.f32", {0x0fd, 0x0fe, -1}},
    {"rsqrt.approx.f32", {0x07f, 0x080, 0x000, -1}},
    {"rsqrt.approx.ftz.f32", {0x0fe, 0x0ff, 0x180, -1}},
    {"sqrt.approx.f32", {0x07f, 0x080, 0x000, -1}},
    {"sqrt.approx.ftz.f32", {0x001, 0x0ff, 0x100, -1}},
    {"ex2.approx.f32", {0x07f, 0x17e, 0x185, -1}},
    {"ex2.approx.ftz.f32", {0x0ff, 0x167, 0x168, 0x185, -1}},
    {"lg2.approx.f32", {0x000, 0x07e, 0x07f, -1}},
    {"lg2.approx.ftz.f32", {0x001, 0x080, 0x0fe, 0x0ff, 0x100, -1}},
    {"sin.approx", {0x067, 0x07f, 0x18a, 0x1ff, -1}},
    {"cos.approx", {0x07e, 0x080, 0x195, -1}},
    {"tanh.approx.f32", {0x076, 0x077, 0x078, 0x079, 0x07a, 0x07b, 0x07c, 0x07d, 0x07e, 0x07f, 0x080, 0x181, 0x0ff}},
    {"rcp.approx.ftz.f64", {0x000, 0x3ff, 0x7fd, 0x7fe, 0x7ff, 0xc00, -1}},
    {"rsqrt.approx.ftz.f64", {0x000, 0x3ff, 0x400, 0x7fe, 0x7ff, 0x800, -1}},
};

static const Choice *choice_of(const GroupHashes *form) {
  for (int i = 0; i < LS_COUNT(choices); i++)
    if (strncmp(form->name, choices[i].prefix, strlen(choices[i].prefix)) == 0) return &choices[i];
  return NULL;
}

static bool is_chosen(const GroupHashes *form, int group) {
  const Choice *choice = choice_of(form);
  if (check_long(0, 1) || !choice) return true;
  for (int i = 0; i < LS_COUNT(choice->groups) && choice->groups[i] >= 0; i++)
    if (choice->groups[i] == group) return true;
  return false;
}

// ---- a form --------------------------------------------------------------------------------------------------------

static void check_form(const GroupHashes *form) {
  _Alignas(64) uint8_t regs[2 * RESULT] = {0};
  PtxModule *module = module_of(form);
  CHECK(module != NULL);
  if (!module) return;
  const SimOp op = op_of(&module->code[0], sim_alu_isa());
  CHECK(op.run != NULL);
  int wrong = 0, asked = 0;
  for (int group = 0; op.run && group < form->count; group++) {
    if (!is_chosen(form, group)) continue;
    wrong += !group_agrees(form, &op, regs, group);
    asked++;
  }
  CHECK(asked > 0);
  if (wrong) printf("  %s: %d of %d groups differ\n", form->name, wrong, asked);
  CHECK_INT(wrong, 0);
  ptx_module_free(module);
}

// A quotient just below 2^-126 that rounds up to it: .ftz flushes it nevertheless, as mul.ftz.f32 was seen to do.
static void flushes_before_it_rounds(void) {
  static const char *const forms[] = {"div.approx.ftz.f32", "div.full.ftz.f32"};
  for (int i = 0; i < LS_COUNT(forms); i++) {
    _Alignas(64) uint32_t regs[3 * LANES] = {0};
    char text[256];
    LsErr err = {0};
    snprintf(text, sizeof text, ".version 8.0\n.target sm_90\n.address_size 64\n"
             ".entry k() { .reg .b32 %%d, %%a, %%b; %s %%d, %%a, %%b; ret; }\n", forms[i]);
    PtxModule *module = ptx_parse(forms[i], text, strlen(text), &err);
    CHECK(module != NULL);
    if (!module) continue;
    const PtxInstr *in = &module->code[0];
    const SimOp op = {.run = sim_alu_find(in), .d = 2 * sizeof regs[0] * LANES, .b = sizeof regs[0] * LANES};
    regs[0] = 0x00ffffff, regs[LANES] = 0x40000000;       // (2 - 2^-23) 2^-126 / 2
    regs[1] = 0x80ffffff, regs[LANES + 1] = 0x40000000;
    regs[2] = 0x01000000, regs[LANES + 2] = 0x40000000;
    op.run((uint8_t *)regs, &op, UINT32_MAX);
    CHECK_INT(regs[2 * LANES], 0);
    CHECK_INT(regs[2 * LANES + 1], 0x80000000);
    CHECK_INT(regs[2 * LANES + 2], 0x00800000);
    ptx_module_free(module);
  }
}

static const char *wanted = "";
static void every_form(void) {
  static GroupHashes form;
  char *whole;
  const char *at = group_hashes_open(&whole);
  int forms = 0;
  CHECK(at != NULL);
  for (; at && group_hashes_next(&at, &form); forms++)
    if (strstr(form.name, wanted)) check_form(&form);
  CHECK_INT(forms, GROUP_HASHES_FORMS);
  free(whole);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"as the GPU answers", every_form}, {"flushes before it rounds", flushes_before_it_rounds},
  };
  wanted = argc > 1 ? argv[1] : "";
  return check_main("approximations", checks, LS_COUNT(checks), 1, argv);
}
