// alu_special.c: the tables of the special function unit, a list of each word by itself, as gathers like it.
#include "sim/alu/alu_special.h"

#define SLOPES(c1, c2) (I32)((U32)(c1) << ALU_C2_BITS | ((U32)(c2) & ((1u << ALU_C2_BITS) - 1))),

const AluSegments alu_rcp = {
#define RCP(c0, c1, c2) c0,
  .c0 = {
#include "sim/alu/alu_special.def"
  },
#define RCP(c0, c1, c2) SLOPES(c1, c2)
  .slopes = {
#include "sim/alu/alu_special.def"
  },
};

const AluSegments alu_rsqrt = {
#define RSQRT(c0, c1, c2) c0,
  .c0 = {
#include "sim/alu/alu_special.def"
  },
#define RSQRT(c0, c1, c2) SLOPES(c1, c2)
  .slopes = {
#include "sim/alu/alu_special.def"
  },
};

const AluSegments alu_sqrt = {
#define SQRT(c0, c1, c2) c0,
  .c0 = {
#include "sim/alu/alu_special.def"
  },
#define SQRT(c0, c1, c2) SLOPES(c1, c2)
  .slopes = {
#include "sim/alu/alu_special.def"
  },
};

const AluSegments alu_ex2 = {
#define EX2(c0, c1, c2) c0,
  .c0 = {
#include "sim/alu/alu_special.def"
  },
#define EX2(c0, c1, c2) SLOPES(c1, c2)
  .slopes = {
#include "sim/alu/alu_special.def"
  },
};

const AluSegments alu_lg2 = {
#define LG2(c0, c1, c2) c0,
  .c0 = {
#include "sim/alu/alu_special.def"
  },
#define LG2(c0, c1, c2) SLOPES(c1, c2)
  .slopes = {
#include "sim/alu/alu_special.def"
  },
};

const AluSegments alu_sin = {
#define SIN(c0, c1, c2) c0,
  .c0 = {
#include "sim/alu/alu_special.def"
  },
#define SIN(c0, c1, c2) SLOPES(c1, c2)
  .slopes = {
#include "sim/alu/alu_special.def"
  },
};

const AluTanh alu_tanh = {
#define TANH(c0, c1, c2) c0,
  .c0 = {
#include "sim/alu/alu_special.def"
  },
#define TANH(c0, c1, c2) c1,
  .c1 = {
#include "sim/alu/alu_special.def"
  },
#define TANH(c0, c1, c2) c2,
  .c2 = {
#include "sim/alu/alu_special.def"
  },
};
