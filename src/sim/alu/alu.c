// alu.c: which function executes an instruction, for the instruction set that this machine has.
#include "sim/alu/alu.h"
#include <stdlib.h>
#include <string.h>
#include "base/text.h"
#include "sim/alu/alu_halves.h"
#include "sim/alu/alu_lanes.h"
#include "sim/alu/alu_soft.h"

const uint32_t alu_bit32[32] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};
const uint64_t alu_bit64[32] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

// ---- instruction sets, best last -----------------------------------------------------------------------------------

#define DECLARE_(table, isa) extern const AluTable ALU_JOIN(table, isa);
#define DECLARE_GENERIC(table) DECLARE_(table, generic)
#define DECLARE_AVX2(table) DECLARE_(table, avx2)
#define DECLARE_AVX512(table) DECLARE_(table, avx512)
#define LIST_GENERIC(table) &ALU_JOIN(table, generic),
#define LIST_AVX2(table) &ALU_JOIN(table, avx2),
#define LIST_AVX512(table) &ALU_JOIN(table, avx512),

enum { MAX_TABLES = 12 };
typedef struct Isa {
  const char *name;
  bool (*is_here)(void);
  const AluTable *tables[MAX_TABLES];
} Isa;

ALU_TABLES(DECLARE_GENERIC)
ALU_SERIAL_TABLES(DECLARE_GENERIC)
static bool always(void) { return true; }
#ifdef SIM_ALU_X86
ALU_TABLES(DECLARE_AVX2)
ALU_TABLES(DECLARE_AVX512)
static bool has_avx2(void) {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
}
static bool has_avx512(void) {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

static const Isa isas[] = {
    {"generic", always, {ALU_TABLES(LIST_GENERIC) ALU_SERIAL_TABLES(LIST_GENERIC)}},
#ifdef SIM_ALU_X86
    {"avx2", has_avx2, {ALU_TABLES(LIST_AVX2) ALU_SERIAL_TABLES(LIST_GENERIC)}},
    {"avx512", has_avx512, {ALU_TABLES(LIST_AVX512) ALU_SERIAL_TABLES(LIST_GENERIC)}},
#endif
};
enum { ISA_COUNT = sizeof isas / sizeof isas[0] };

// What LANESCOPE_ISA asks for; NULL: nothing.
static const char *asked_isa(void) {
  const char *name = getenv("LANESCOPE_ISA");
  return name && *name ? name : NULL;
}

// The best one that the machine has and LANESCOPE_ISA allows.
static const Isa *best_isa(void) {
  const char *limit = asked_isa();
  const Isa *best = &isas[0];
  for (int i = 0; i < ISA_COUNT && isas[i].is_here(); i++) {
    best = &isas[i];
    if (limit && strcmp(limit, isas[i].name) == 0) break;
  }
  return best;
}
const char *sim_alu_isa(void) { return best_isa()->name; }

static const Isa *find_isa(const char *name) {
  for (int i = 0; i < ISA_COUNT; i++)
    if (strcmp(isas[i].name, name) == 0) return &isas[i];
  return NULL;
}

bool sim_alu_isa_check(LsErr *err) {
  const char *asked = asked_isa();
  const Isa *isa = asked ? find_isa(asked) : NULL;
  if (!asked || (isa && isa->is_here())) return true;
  ls_fail(err, isa ? LS_EENV : LS_EREQUEST, "LANESCOPE_ISA is '%s', which is no instruction set that the emulator has here", LS_QUOTE(asked));
  LsText here = {0};
  for (int i = 0; i < ISA_COUNT; i++)
    if (isas[i].is_here()) ls_text_addf(&here, "%s%s", i ? ", " : "", isas[i].name);
  ls_err_append(err, "Set it to one of %s, or unset it.", ls_text_str(&here));
  ls_text_free(&here);
  return false;
}

// ---- the right row -------------------------------------------------------------------------------------------------

static bool admits(uint64_t set, unsigned value) { return set ? value < 64 && (set >> value & 1) : value == 0; }

static int source_count(const PtxInstr *in, const AluRow *row) {
  const int extra = (row->boolop && in->boolop) + (in->op == PTX_OP_lop3);
  return in->operand_count - 1 - extra;
}

static bool fits(const AluRow *row, const PtxInstr *in) {
  return row->op == in->op && row->mode == in->mode && admits(row->types, in->type) && admits(row->types2, in->type2) &&
         admits(row->rounds, in->round) && admits(row->cmps, in->cmp) && (row->boolop || !in->boolop) &&
         (in->flags & ~row->any_flags) == row->flags && !in->type3 &&
         (!row->sources || source_count(in, row) == row->sources);
}

static SimAlu find(const PtxInstr *instr, const Isa *isa) {
  for (int t = 0; t < MAX_TABLES && isa->tables[t]; t++) {
    const AluTable *table = isa->tables[t];
    for (int i = 0; i < table->count; i++)
      if (fits(&table->rows[i], instr)) return table->rows[i].run;
  }
  return NULL;
}

SimAlu sim_alu_find(const PtxInstr *instr) { return find(instr, best_isa()); }

SimAlu sim_alu_find_isa(const PtxInstr *instr, const char *isa) {
  const Isa *wanted = find_isa(isa);
  return wanted && wanted->is_here() ? find(instr, wanted) : NULL;
}

uint16_t sim_f32_to_f16(float x) { return (uint16_t)alu_half_of(x); }
float sim_f16_to_f32(uint16_t h) { return alu_half_value(h); }
