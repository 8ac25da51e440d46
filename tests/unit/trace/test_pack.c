// test_pack.c: numbers of 32 lanes in few bytes, held against what they are by definition.
#include "base/random.h"
#include "check.h"
#include "trace/pack.h"

static uint64_t draw(LsMt *mt) { return (uint64_t)ls_mt_u32(mt) << 32 | ls_mt_u32(mt); }

static void check_row(const uint64_t value[32], uint64_t less, int shift, int width) {
  TraceBytes out = {0};
  trace_put_u8(&out, 7);
  trace_pack(&out, value, less, shift, width);
  CHECK_INT(out.size, (size_t)(1 + 32 * width));
  CHECK_INT(out.data[0], 7);
  for (int i = 0; i < 32 * width; i++)
    CHECK_INT(out.data[1 + i], (uint8_t)((value[i / width] - less) >> shift >> i % width * 8));
  free(out.data);
}

static void test_rows(void) {
  LsMt mt;
  ls_mt_seed(&mt, 3);
  for (int round = 0; round < 200; round++) {
    uint64_t value[32], lowest = UINT64_MAX, bits = 0, less = draw(&mt) >> ls_mt_u32(&mt) % 64;
    for (int i = 0; i < 32; i++) value[i] = less + (draw(&mt) >> (round % 2 ? 40 : 0));
    for (int i = 0; i < 32; i++) lowest = LS_MIN(lowest, value[i]);
    for (int i = 0; i < 32; i++) bits |= value[i] - less;
    CHECK(trace_lowest(value) == lowest);
    CHECK(trace_bits_above(value, less) == bits);
    for (int width = 1; width <= 8; width++) check_row(value, less, (int)(ls_mt_u32(&mt) % 64), width);
  }
}

// The definition: bits of a byte, then 4, 2 and 1 of what is left, lanes of a byte as far apart as they can be.
static uint64_t bits_at(const uint8_t *bytes, int lane, int bits) {
  uint64_t number = 0;
  int from = 0;
  for (; from + 8 <= bits; from += 8, bytes += 32) number |= (uint64_t)bytes[lane] << from;
  for (int count = 4; count > 1; count /= 2) {
    if (!(bits & count)) continue;
    number |= (uint64_t)(bytes[lane % (4 * count)] >> count * (lane / (4 * count)) & ((1 << count) - 1)) << from;
    from += count, bytes += 4 * count;
  }
  if (bits & 1) number |= (uint64_t)(bytes[lane / 8] >> lane % 8 & 1) << from;
  return number;
}

static void test_bits(void) {
  LsMt mt;
  ls_mt_seed(&mt, 4);
  for (int bits = 1; bits <= 32; bits++) {
    TraceBytes out = {0};
    uint64_t value[32], back[32], less = draw(&mt) >> 8, all, any = 0, every = UINT64_MAX;
    int shift = (int)(ls_mt_u32(&mt) % 20);
    for (int i = 0; i < 32; i++) value[i] = less + ((draw(&mt) >> (64 - bits)) << shift);
    for (int i = 0; i < 32; i++) any |= value[i] - less, every &= value[i] - less;
    CHECK(trace_bits_apart(value, less, &all) == (any ^ every) && all == any);
    trace_pack_bits(&out, value, less, shift, bits);
    CHECK_INT(out.size, 4 * (size_t)bits);
    for (int i = 0; i < 32; i++) CHECK(less + (bits_at(out.data, i, bits) << shift) == value[i]);
    trace_unpack_bits(out.data, back, less, shift, bits);
    CHECK(memcmp(back, value, sizeof back) == 0);
    free(out.data);
  }
}

static void test_narrow(void) {
  uint64_t value[32];
  uint32_t low[32];
  for (uint64_t i = 0; i < 32; i++) value[i] = 7;
  CHECK(!trace_narrow(low, value) && trace_are_same(low) && low[31] == 7);
  for (int i = 0; i < 32; i++) {
    value[i] |= 1ull << 33;
    CHECK(trace_narrow(low, value) == 2 && low[i] == 7);
    value[i] = 8;
    CHECK(!trace_narrow(low, value) && !trace_are_same(low) && low[i] == 8);
    value[i] = 7;
  }
}

// A row of steps, and the same with any one lane off.
static void test_steps(void) {
  uint64_t from[32], value[32];
  for (uint64_t step = 0; step < 9; step += 4) {
    for (uint64_t i = 0; i < 32; i++) from[i] = 100 + i * step;
    for (uint64_t i = 0; i < 32; i++) value[i] = from[i] - 1000;
    CHECK(trace_are_in_steps(from, step) && trace_are_shifted(value, from, (uint64_t)0 - 1000));
    for (int off = 0; off < 32; off++) {
      value[off]++;
      CHECK(!trace_are_in_steps(value, step) && !trace_are_shifted(value, from, (uint64_t)0 - 1000));
      value[off]--;
    }
  }
}

static const Check checks[] = {
    {"rows", test_rows},
    {"steps", test_steps},
    {"bits", test_bits},
    {"narrow", test_narrow},
};

int main(int argc, char **argv) { return check_main("pack", checks, LS_COUNT(checks), argc, argv); }
