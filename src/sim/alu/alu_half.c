// alu_half.c: f16 and bf16 arithmetic on 32 lanes. The operations themselves are in alu_half.def.
#include "sim/alu/alu_half.h"

#define LANE1(name, D, A, expression, ...) ALU_LANE1(name, D, A, expression)
#define LANE2(name, D, A, B, expression, ...) ALU_LANE2(name, D, A, B, expression)
#define LANE3(name, D, A, B, C, expression, ...) ALU_LANE3(name, D, A, B, C, expression)
#include "sim/alu/alu_half.def"
#undef LANE1
#undef LANE2
#undef LANE3

#define LANE1(name, D, A, expression, ...) {__VA_ARGS__, .sources = 1, .run = name},
#define LANE2(name, D, A, B, expression, ...) {__VA_ARGS__, .sources = 2, .run = name},
#define LANE3(name, D, A, B, C, expression, ...) {__VA_ARGS__, .sources = 3, .run = name},
static const AluRow rows[] = {
#include "sim/alu/alu_half.def"
};

extern const AluTable ALU_NAME(alu_half);
const AluTable ALU_NAME(alu_half) = {rows, sizeof rows / sizeof rows[0]};
