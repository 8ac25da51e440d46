// test_carry.c: sequences that write and read the carry flag (tests/gpu/carry.c) on the emulator, against the adder in
// 128 bits.
//
// tests/gpu/check_gpu holds the same sequences against a GPU; this needs none.
#include "check.h"
#include "gpu/carry.h"

enum { PER_MODULE = 10 };

// ---- the adder: a sum is first + second + flag, a difference first + ~second + flag; the flag is what carries out ---

static int bits_of(const CarryStep *step) { return 8 * ptx_type_size(step->type); }
static uint64_t mask_of(const CarryStep *step) { return bits_of(step) == 64 ? ~0ull : 0xffffffff; }

static __int128 extend(const CarryStep *step, uint64_t value) {
  bool is_signed = step->type == PTX_S32 || step->type == PTX_S64;
  __int128 least = (__int128)1 << (bits_of(step) - 1);
  return is_signed ? (((__int128)value) ^ least) - least : (__int128)value;
}

static uint64_t product(const CarryStep *step, uint64_t a, uint64_t b) {
  unsigned __int128 whole = (unsigned __int128)extend(step, a) * (unsigned __int128)extend(step, b);
  return (uint64_t)(step->op->first == CARRY_FIRST_HIGH ? whole >> bits_of(step) : whole) & mask_of(step);
}

static uint64_t add(const CarryStep *step, const uint64_t operands[CARRY_OPERANDS], bool *flag) {
  const CarryOp *op = step->op;
  bool multiplies = op->first != CARRY_FIRST_A;
  uint64_t first = multiplies ? product(step, operands[0], operands[1]) : operands[0];
  uint64_t second = operands[multiplies ? 2 : 1];
  if (op->subtracts) second = ~second & mask_of(step);
  bool in = op->reads ? *flag : op->subtracts;
  unsigned __int128 sum = (unsigned __int128)first + second + in;
  if (op->writes) *flag = sum >> bits_of(step);
  return (uint64_t)sum & mask_of(step);
}

// ---- programs ------------------------------------------------------------------------------------------------------

static uint64_t stored(const Buffers *after, uint64_t at) {
  uint64_t value;
  memcpy(&value, after->bytes[1] + at * sizeof value, sizeof value);
  return value;
}

static void tell(const Program *program, const Buffers *before, uint64_t at, uint64_t expected, uint64_t got) {
  printf("\n%s", program->name);
  program->describe(program, before, at);
  printf(": expected %llx, got %llx\n", (unsigned long long)expected, (unsigned long long)got);
}

static int wrong_value(const Program *program, const Buffers *before, const Buffers *after, uint64_t at,
                       uint64_t expected) {
  uint64_t got = stored(after, at);
  if (got != expected) tell(program, before, at, expected, got);
  return got != expected;
}

static int wrong_in(const Program *program, int number, int thread, const Buffers *before, const Buffers *after) {
  const CarrySequence *sequence = (const CarrySequence *)program->detail + number;
  bool flag = carry_start(before, thread);
  int wrong = 0;
  for (int i = 0; i < sequence->count && !wrong; i++) {
    uint64_t operands[CARRY_OPERANDS];
    for (int k = 0; k < CARRY_OPERANDS; k++) operands[k] = carry_operand(before, &sequence->steps[i], i, k, thread);
    uint64_t value = add(&sequence->steps[i], operands, &flag);
    wrong += wrong_value(program, before, after, carry_result_at(number, i, thread), value);
    if (!sequence->tells_all && i < sequence->count - 1) continue;
    wrong += wrong_value(program, before, after, carry_flag_at(number, i, thread), flag);
  }
  return wrong;
}

static void one_program(const PtxModule *module, const Program *program) {
  enum { ENOUGH = 5 };
  Buffers before = {0}, after = {0};
  SimOptions options;
  LsErr err = {0};
  sim_options_init(&options);
  bool ok = batch_emulate(module, program, &options, &before, &after, &err);
  if (!ok) printf("\n%s: %s\n", program->name, err.message);
  CHECK(ok);
  int wrong = 0;
  for (int i = 0; ok && i < CARRY_SEQUENCES; i++)
    for (int thread = 0; thread < CARRY_THREADS && wrong < ENOUGH; thread++)
      wrong += wrong_in(program, i, thread, &before, &after);
  CHECK_INT(wrong, 0);
  buffers_free(&before);
  buffers_free(&after);
}

static void run_batch(Batch *batch) {
  LsErr err = {0};
  PtxModule *module = ptx_parse("carry", ls_text_str(&batch->ptx), batch->ptx.length, &err);
  if (!module) printf("\n%s\n", err.message);
  CHECK(module != NULL);
  for (int i = 0; module && i < batch->count; i++) one_program(module, &batch->programs[i]);
  ptx_module_free(module);
}

static void all_of(const char *set) {
  Batch batch;
  batch_init(&batch);
  for (int i = 0; i < carry_programs(); i++) {
    char name[160];
    carry_name(i, name, sizeof name);
    if (!strstr(name, set)) continue;
    carry_add(&batch, i, 1);
    if (batch.count < PER_MODULE) continue;
    run_batch(&batch);
    batch_fini(&batch);
    batch_init(&batch);
  }
  run_batch(&batch);
  batch_fini(&batch);
}

static void pairs(void) { all_of("pairs"); }
static void triples(void) { all_of("triples"); }
static void mixed(void) { all_of("mixed"); }
static void constants(void) { all_of("constants"); }

// The rule by hand, on numbers that a person can follow.
static void rule(void) {
  const CarryOp sub_cc = {"sub.cc", .writes = true, .subtracts = true}, addc = {"addc", .reads = true};
  const CarryOp add_cc = {"add.cc", .writes = true}, subc = {"subc", .reads = true, .subtracts = true};
  bool flag = false;
  CHECK_INT(add(&(CarryStep){.op = &sub_cc, .type = PTX_U32}, (uint64_t[]){5, 3, 0}, &flag), 2);
  CHECK(flag);
  CHECK_INT(add(&(CarryStep){.op = &addc, .type = PTX_U32}, (uint64_t[]){10, 20, 0}, &flag), 31);
  CHECK_INT(add(&(CarryStep){.op = &sub_cc, .type = PTX_U32}, (uint64_t[]){3, 5, 0}, &flag), 0xfffffffe);
  CHECK(!flag);
  CHECK_INT(add(&(CarryStep){.op = &subc, .type = PTX_U32}, (uint64_t[]){10, 4, 0}, &flag), 5);
  CHECK_INT(add(&(CarryStep){.op = &add_cc, .type = PTX_U32}, (uint64_t[]){~0u, 1, 0}, &flag), 0);
  CHECK(flag);
  CHECK_INT(add(&(CarryStep){.op = &subc, .type = PTX_U32}, (uint64_t[]){10, 4, 0}, &flag), 6);
}

static const Check checks[] = {
    {"the rule", rule},
    {"all pairs", pairs},
    {"triples of one type", triples},
    {"triples of mixed types", mixed},
    {"constants", constants},
};

int main(int argc, char **argv) { return check_main("carry", checks, LS_COUNT(checks), argc, argv); }
