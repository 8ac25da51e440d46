// carry.c: programs of sequences that write and read the carry flag, and what an element of their results is.
#include "carry.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "base/mem.h"
#include "rng.h"

enum {
  BLOCK = 64,
  OPERANDS = CARRY_STEPS * CARRY_OPERANDS,
  ROW = 1 + 2 * OPERANDS,                          // a thread's inputs: the flag, operands of 64 bits, of 32 bits
  SLOTS = 2 * CARRY_STEPS,                         // a sequence's results: values, flags
};

static const CarryOp ops[] = {
    {"add.cc", .writes = true},
    {"sub.cc", .writes = true, .subtracts = true},
    {"addc", .reads = true},
    {"addc.cc", .reads = true, .writes = true},
    {"subc", .reads = true, .subtracts = true},
    {"subc.cc", .reads = true, .writes = true, .subtracts = true},
    {"mad.lo.cc", CARRY_FIRST_LOW, .writes = true},
    {"mad.hi.cc", CARRY_FIRST_HIGH, .writes = true},
    {"madc.lo", CARRY_FIRST_LOW, .reads = true},
    {"madc.lo.cc", CARRY_FIRST_LOW, .reads = true, .writes = true},
    {"madc.hi", CARRY_FIRST_HIGH, .reads = true},
    {"madc.hi.cc", CARRY_FIRST_HIGH, .reads = true, .writes = true},
};
static const PtxType types[] = {PTX_U32, PTX_S32, PTX_U64, PTX_S64};
enum { OPS = LS_COUNT(ops), TYPES = LS_COUNT(types), FORMS = OPS * TYPES };

// ---- sequences -----------------------------------------------------------------------------------------------------

static CarryStep step_of(int form) { return (CarryStep){.op = &ops[form % OPS], .type = types[form / OPS]}; }
static bool is_wide(const CarryStep *step) { return ptx_type_size(step->type) == 8; }
static int operands_of(const CarryStep *step) { return step->op->first == CARRY_FIRST_A ? 2 : 3; }

static void pair(CarrySequence *sequence, int index, Rng *rng) {
  (void)rng;
  *sequence = (CarrySequence){.steps = {step_of(index / FORMS), step_of(index % FORMS)}, .count = 2};
}

static void triple(CarrySequence *sequence, int index, Rng *rng) {
  (void)rng;
  int type = index / (OPS * OPS * OPS) * OPS;
  *sequence = (CarrySequence){.count = 3, .steps = {step_of(type + index / (OPS * OPS) % OPS),
                                                    step_of(type + index / OPS % OPS), step_of(type + index % OPS)}};
}

static void mixed(CarrySequence *sequence, int index, Rng *rng) {
  (void)index;
  *sequence = (CarrySequence){.count = CARRY_STEPS};
  for (int i = 0; i < CARRY_STEPS; i++) sequence->steps[i] = step_of((int)rng_below(rng, FORMS));
}

// One operand of a step stays a register.
static void constants(CarrySequence *sequence, int index, Rng *rng) {
  mixed(sequence, index, rng);
  for (int i = 0; i < CARRY_STEPS; i++) {
    CarryStep *step = &sequence->steps[i];
    int count = operands_of(step), free = rng_chance(rng, 3) ? (int)rng_below(rng, (uint32_t)count) : 0;
    for (int k = 0; k < count; k++) {
      uint64_t value = rng_chance(rng, 2) ? rng_below(rng, 3) - 1ull : rng_value(rng, step->type);
      step->is_constant[k] = k != free && !rng_chance(rng, 4);
      step->constants[k] = is_wide(step) ? value : (uint32_t)value;
    }
  }
}

typedef struct Set { const char *name; int programs; void (*make)(CarrySequence *sequence, int index, Rng *rng); } Set;
static const Set sets[] = {
    {"pairs", FORMS * FORMS / CARRY_SEQUENCES, pair},
    {"triples", TYPES * OPS * OPS * OPS / CARRY_SEQUENCES, triple},
    {"mixed", 40, mixed},
    {"constants", 40, constants},
};

int carry_programs(void) {
  int count = 0;
  for (int i = 0; i < LS_COUNT(sets); i++) count += 2 * sets[i].programs;
  return count;
}

// The set of a program, and which one of the set it is; every second one tells the flag behind each step.
static const Set *set_of(int *number) {
  const Set *set = sets;
  for (; *number >= 2 * set->programs; set++) *number -= 2 * set->programs;
  return set;
}

void carry_name(int number, char *name, size_t size) {
  const Set *set = set_of(&number);
  snprintf(name, size, "carry %s %d, flag behind %s step", set->name, number / 2, number % 2 ? "each" : "the last");
}

static CarrySequence *make_sequences(int number, uint64_t seed) {
  const Set *set = set_of(&number);
  CarrySequence *all = ls_alloc(CARRY_SEQUENCES * sizeof *all);
  Rng rng = {seed ^ (uint64_t)(number / 2) << 32};
  for (int i = 0; i < CARRY_SEQUENCES; i++) {
    set->make(&all[i], number / 2 * CARRY_SEQUENCES + i, &rng);
    all[i].tells_all = number % 2;
  }
  return all;
}

// ---- operands ------------------------------------------------------------------------------------------------------

static uint64_t beside(Rng *rng, uint64_t value) { return value + rng_below(rng, 3) - 1; }

// Sums of a and b, differences, and sums of a product and c, are often at the edge between a carry and none.
static void random_operands(Rng *rng, PtxType type, uint64_t to[CARRY_OPERANDS]) {
  int bits = 8 * ptx_type_size(type);
  uint64_t mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
  uint64_t a = to[0] = rng_value(rng, type);
  uint64_t b = to[1] = (rng_chance(rng, 3) ? beside(rng, ~a) : rng_partner(rng, type, a)) & mask;
  unsigned __int128 product = (unsigned __int128)a * b;
  uint64_t high = (uint64_t)(product >> bits) & mask;
  uint64_t high_signed = high - (a >> (bits - 1) ? b : 0) - (b >> (bits - 1) ? a : 0);
  const uint64_t edges[] = {(uint64_t)product, high, high_signed};
  to[2] = (rng_chance(rng, 4) ? rng_value(rng, type) : beside(rng, ~edges[rng_below(rng, 3)])) & mask;
}

static uint8_t *random_rows(Rng *rng) {
  uint64_t *rows = ls_alloc(CARRY_THREADS * ROW * sizeof *rows);
  for (int thread = 0; thread < CARRY_THREADS; thread++) {
    uint64_t *row = rows + thread * ROW;
    row[0] = rng_below(rng, 2);
    for (int i = 0; i < CARRY_STEPS; i++) {
      random_operands(rng, PTX_U64, row + 1 + i * CARRY_OPERANDS);
      random_operands(rng, PTX_U32, row + 1 + OPERANDS + i * CARRY_OPERANDS);
    }
  }
  return (uint8_t *)rows;
}

static uint64_t input(const Buffers *before, int thread, int at) {
  uint64_t value;
  memcpy(&value, before->bytes[0] + (size_t)(thread * ROW + at) * sizeof value, sizeof value);
  return value;
}

bool carry_start(const Buffers *before, int thread) { return input(before, thread, 0); }

uint64_t carry_operand(const Buffers *before, const CarryStep *step, int at, int operand, int thread) {
  if (step->is_constant[operand]) return step->constants[operand];
  return input(before, thread, 1 + (is_wide(step) ? 0 : OPERANDS) + at * CARRY_OPERANDS + operand);
}

uint64_t carry_result_at(int sequence, int step, int thread) {
  return (uint64_t)((sequence * SLOTS + step) * CARRY_THREADS + thread);
}

uint64_t carry_flag_at(int sequence, int step, int thread) {
  return carry_result_at(sequence, CARRY_STEPS + step, thread);
}

// ---- text ----------------------------------------------------------------------------------------------------------

static void write_head(LsText *out, const char *entry) {
  ls_text_addf(out, ".visible .entry %s(.param .u64 in, .param .u64 out)\n{\n", entry);
  ls_text_addf(out, "  .reg .b32 %%thread, %%block, %%start, %%none, %%w<%d>, %%v<%d>, %%f<%d>;\n", OPERANDS,
               CARRY_STEPS, CARRY_STEPS);
  ls_text_addf(out, "  .reg .b64 %%from, %%to, %%offset, %%d<%d>, %%x<%d>;\n", OPERANDS, CARRY_STEPS);
  ls_text_addf(out, "  mov.u32 %%thread, %%tid.x;\n  mov.u32 %%block, %%ctaid.x;\n"
               "  mad.lo.u32 %%thread, %%block, %d, %%thread;\n", BLOCK);
  ls_text_addf(out, "  ld.param.u64 %%from, [in];\n  cvta.to.global.u64 %%from, %%from;\n"
               "  mul.wide.u32 %%offset, %%thread, %d;\n  add.s64 %%from, %%from, %%offset;\n", ROW * 8);
  ls_text_add(out, "  ld.param.u64 %to, [out];\n  cvta.to.global.u64 %to, %to;\n"
              "  mul.wide.u32 %offset, %thread, 8;\n  add.s64 %to, %to, %offset;\n  ld.global.u32 %start, [%from];\n");
  for (int i = 0; i < OPERANDS; i++)
    ls_text_addf(out, "  ld.global.u64 %%d%d, [%%from+%d];\n  ld.global.u32 %%w%d, [%%from+%d];\n", i, 8 * (1 + i), i,
                 8 * (1 + OPERANDS + i));
}

static void add_form(LsText *out, const CarryStep *step) {
  ls_text_addf(out, "%s.%s", step->op->text, ptx_type_name(step->type));
}

static void write_step(LsText *out, const CarryStep *step, int at) {
  ls_text_add(out, "  ");
  add_form(out, step);
  ls_text_addf(out, " %%%c%d", is_wide(step) ? 'x' : 'v', at);
  for (int k = 0; k < operands_of(step); k++) {
    if (step->is_constant[k]) ls_text_addf(out, ", 0x%" PRIx64, step->constants[k]);
    else ls_text_addf(out, ", %%%c%d", is_wide(step) ? 'd' : 'w', at * CARRY_OPERANDS + k);
  }
  ls_text_add(out, ";\n");
}

static bool tells_flag(const CarrySequence *sequence, int step) {
  return sequence->tells_all || step == sequence->count - 1;
}

static void write_sequence(LsText *out, const CarrySequence *sequence, int number) {
  ls_text_addf(out, "  // sequence %d\n  add.cc.u32 %%none, %%start, -1;\n", number);
  for (int i = 0; i < sequence->count; i++) {
    write_step(out, &sequence->steps[i], i);
    if (tells_flag(sequence, i)) ls_text_addf(out, "  addc.u32 %%f%d, 0, 0;\n", i);
  }
  for (int i = 0; i < sequence->count; i++) {
    bool wide = is_wide(&sequence->steps[i]);
    ls_text_addf(out, "  st.global.u%s [%%to+%" PRIu64 "], %%%c%d;\n", wide ? "64" : "32",
                 8 * carry_result_at(number, i, 0), wide ? 'x' : 'v', i);
    if (tells_flag(sequence, i))
      ls_text_addf(out, "  st.global.u32 [%%to+%" PRIu64 "], %%f%d;\n", 8 * carry_flag_at(number, i, 0), i);
  }
}

// ---- programs ------------------------------------------------------------------------------------------------------

static void describe(const Program *program, const Buffers *before, uint64_t index) {
  int thread = (int)(index % CARRY_THREADS), slot = (int)(index / CARRY_THREADS % SLOTS);
  const CarrySequence *sequence = (const CarrySequence *)program->detail + index / CARRY_THREADS / SLOTS;
  LsText text = {0};
  ls_text_addf(&text, " (%s %d of", slot < CARRY_STEPS ? "result of step" : "flag behind step", slot % CARRY_STEPS + 1);
  for (int i = 0; i < sequence->count; i++) {
    const CarryStep *step = &sequence->steps[i];
    ls_text_add(&text, i ? "; " : " ");
    add_form(&text, step);
    for (int k = 0; k < operands_of(step); k++)
      ls_text_addf(&text, "%s %s0x%" PRIx64, k ? "," : "", step->is_constant[k] ? "constant " : "",
                   carry_operand(before, step, i, k, thread));
  }
  printf("%s; flag before it %d, thread %d)", ls_text_str(&text), carry_start(before, thread), thread);
  ls_text_free(&text);
}

void carry_add(Batch *batch, int number, uint64_t seed) {
  char entry[32];
  snprintf(entry, sizeof entry, "carry_%d", number);
  Program *program = batch_begin(batch, entry);
  carry_name(number, program->name, sizeof program->name);
  CarrySequence *sequences = make_sequences(number, seed);
  program->detail = sequences;
  program->describe = describe;
  program->group = SLOTS * CARRY_THREADS;
  program->launch.kernel = ls_strdup(entry);
  program->launch.block[0] = BLOCK;
  program->launch.grid[0] = CARRY_THREADS / BLOCK;
  Rng rng = {seed + (uint64_t)number};
  batch_add_buffer(program, LAUNCH_U64, CARRY_THREADS * ROW, random_rows(&rng));
  batch_add_buffer(program, LAUNCH_U64, (uint64_t)CARRY_SEQUENCES * SLOTS * CARRY_THREADS, NULL);
  write_head(&batch->ptx, entry);
  for (int i = 0; i < CARRY_SEQUENCES; i++) write_sequence(&batch->ptx, &sequences[i], i);
  ls_text_add(&batch->ptx, "  ret;\n}\n\n");
  batch_end(batch);
}
