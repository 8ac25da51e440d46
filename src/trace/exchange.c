// exchange.c: the ways in which values are made: loops without branches, compiled for each instruction set.
#include "trace/exchange.h"

#include <string.h>
#include "base/loops.h"

enum { LANES = 32 };

static inline float as_float(uint32_t bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static inline uint32_t sum_of_floats(uint32_t mine, uint32_t got) {
  float sum = as_float(mine) + as_float(got);
  uint32_t bits;
  memcpy(&bits, &sum, sizeof bits);
  return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : bits;
}

static inline bool is_less(uint32_t mine, uint32_t got) { return as_float(mine) < as_float(got); }

#define BITS(n) 1u << (n), 2u << (n), 4u << (n), 8u << (n), 16u << (n), 32u << (n), 64u << (n), 128u << (n)
static const uint32_t bits[LANES] = {BITS(0), BITS(8), BITS(16), BITS(24)};   // of each lane: quicker than a shift

#define WAY(name, those, others)                                                                            \
  LS_CLONES                                                                                                 \
  static void make_##name(uint32_t lanes, const ExchangeRow *row, uint32_t value[32]) {                     \
    uint32_t made[LANES];                                                                                   \
    for (int i = 0; i < LANES; i++) {                                                                       \
      uint32_t mine = row->value[i], got = row->result[i], a = those, b = others;                           \
      made[i] = lanes & bits[i] ? a : b;                                                                    \
    }                                                                                                       \
    memcpy(value, made, sizeof made);                                                                       \
  }
WAY(add, mine + got, mine)
WAY(add_f32, sum_of_floats(mine, got), mine)
WAY(order_u32, mine < got ? mine : got, mine < got ? got : mine)
WAY(order_s32, (int32_t)mine < (int32_t)got ? mine : got, (int32_t)mine < (int32_t)got ? got : mine)
WAY(order_f32, is_less(mine, got) ? mine : got, is_less(mine, got) ? got : mine)
WAY(take, got, mine)
WAY(and, mine & got, mine)
WAY(or, mine | got, mine)
WAY(xor, mine ^ got, mine)

static void (*const ways[EXCHANGE_WAYS])(uint32_t lanes, const ExchangeRow *row, uint32_t value[32]) = {
    [EXCHANGE_ADD] = make_add,             [EXCHANGE_ADD_F32] = make_add_f32,
    [EXCHANGE_ORDER_U32] = make_order_u32, [EXCHANGE_ORDER_S32] = make_order_s32,
    [EXCHANGE_ORDER_F32] = make_order_f32, [EXCHANGE_TAKE] = make_take,
    [EXCHANGE_AND] = make_and,             [EXCHANGE_OR] = make_or,
    [EXCHANGE_XOR] = make_xor,
};

void exchange_make(unsigned way, uint32_t lanes, const ExchangeRow *row, uint32_t value[32]) {
  ways[way](lanes, row, value);
}

bool exchange_makes(unsigned way, uint32_t lanes, const ExchangeRow *row, const uint32_t value[32]) {
  uint32_t made[LANES];
  ways[way](lanes, row, made);
  return memcmp(made, value, sizeof made) == 0;
}

LS_CLONES
static uint32_t lanes_alike(const uint32_t a[32], const uint32_t b[32]) {
  uint32_t alike = 0;
  for (int i = 0; i < LANES; i++) alike |= (uint32_t)(a[i] == b[i]) << i;
  return alike;
}

bool exchange_find(const ExchangeRow *row, const uint32_t value[32], uint8_t *way, uint32_t *lanes) {
  for (unsigned w = 0; w < EXCHANGE_WAYS; w++) {
    uint32_t those[LANES], others[LANES];
    ways[w](UINT32_MAX, row, those);
    ways[w](0, row, others);
    uint32_t took = lanes_alike(value, those), kept = lanes_alike(value, others);
    if ((took | kept) != UINT32_MAX) continue;
    *way = (uint8_t)w;
    *lanes = (took & ~kept) | (*lanes & took & kept);
    return true;
  }
  return false;
}

bool exchange_is_moved(const ExchangeRow *row, const uint8_t source[32]) {
  for (int i = 0; i < LANES; i++) if (row->result[i] != row->value[source[i] & 31]) return false;
  return true;
}
