// alu_cmp.c: setp on 32 lanes. The operations themselves are in alu_cmp.def.
#include "sim/alu/alu_halves.h"

#define same(x) (x)
#define signed16(x) ((int16_t)(x))

// On NaN the plain forms are false and the ones with u are true.
#define is_eq(a, b) ((a) == (b))
#define is_ne(a, b) ((a) < (b) || (a) > (b))
#define is_lt(a, b) ((a) < (b))
#define is_le(a, b) ((a) <= (b))
#define is_gt(a, b) ((a) > (b))
#define is_ge(a, b) ((a) >= (b))
#define is_equ(a, b) (!((a) < (b) || (a) > (b)))
#define is_neu(a, b) (!((a) == (b)))
#define is_ltu(a, b) (!((a) >= (b)))
#define is_leu(a, b) (!((a) > (b)))
#define is_gtu(a, b) (!((a) <= (b)))
#define is_geu(a, b) (!((a) < (b)))
#define is_num(a, b) ((a) == (a) && (b) == (b))
#define is_nan(a, b) ((a) != (a) || (b) != (b))

#define COMPARE(name, A, W, bits, test, ...) ALU_COMPARE(name, A, W, bits, test)
#include "sim/alu/alu_cmp.def"
#undef COMPARE

#define COMPARE(name, A, W, bits, test, ...) {__VA_ARGS__, .sources = 2, .run = name},
static const AluRow rows[] = {
#include "sim/alu/alu_cmp.def"
};

extern const AluTable ALU_NAME(alu_cmp);
const AluTable ALU_NAME(alu_cmp) = {rows, sizeof rows / sizeof rows[0]};
