// encode_addr.c: 32 addresses: moved as a whole, in steps, numbers in a frame, or a list of distances.
#include "trace/encode_parts.h"

#include "trace/pack.h"

static inline bool all_shifted(const uint64_t *addr, const uint64_t *last, uint32_t mask, uint64_t delta) {
  uint64_t wrong = 0;
  if (mask == UINT32_MAX) return addr[31] - last[31] == delta && trace_are_shifted(addr, last, delta);
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    wrong |= addr[lane] - last[lane] - delta;
  }
  return !wrong;
}

// The same for all 32 lanes.
static bool is_affine_full(const uint64_t *value, uint64_t *base, uint64_t *stride) {
  uint64_t step = value[1] - value[0];
  *base = value[0];
  *stride = step;
  return value[2] - value[1] == step && value[31] - value[0] == 31 * step && trace_are_in_steps(value, step);
}

// True if the lanes of mask (two at least) are base + stride * lane.
bool encode_is_affine(const uint64_t *value, uint32_t mask, uint64_t *base, uint64_t *stride) {
  if (mask == UINT32_MAX) return is_affine_full(value, base, stride);
  int first = __builtin_ctz(mask), second = __builtin_ctz(mask & (mask - 1));
  int64_t difference = (int64_t)(value[second] - value[first]);
  if (difference % (second - first) != 0) return false;
  *stride = (uint64_t)(difference / (second - first));
  *base = value[first] - *stride * (uint64_t)first;
  for (; mask; mask &= mask - 1) {
    int lane = __builtin_ctz(mask);
    if (value[lane] != *base + *stride * (uint64_t)lane) return false;
  }
  return true;
}

// The values of the lanes in mask behind one another. Returns how many.
int encode_packed(const uint64_t *value, uint32_t mask, uint64_t packed[32]) {
  int count = 0;
  for (; mask; mask &= mask - 1) packed[count++] = value[__builtin_ctz(mask)];
  return count;
}

// The low `width` bytes of each number. Writes all bytes of a number, of which the next one covers what is too much.
void encode_numbers(TraceBytes *out, const uint64_t *value, int count, int width) {
  uint8_t *at = trace_bytes_room(out, (size_t)(count * width) + sizeof *value);
  for (int i = 0; i < count; i++, at += width) memcpy(at, &value[i], sizeof *value);
  out->size += (size_t)(count * width);
}

static void put_list_head(TraceBytes *out, uint64_t moved, int shift, int width) {
  trace_put_svarint(out, moved);
  trace_put_u8(out, (uint8_t)shift);
  trace_put_u8(out, (uint8_t)width);
}

// What the bits of all distances need behind the shift.
static int list_width(uint64_t bits) { return (63 - __builtin_clzll(bits)) / 8 + 1; }

// Distances from the lowest address, in units of the largest power of two that divides them all.
static void put_full_list(TraceBytes *out, PredictAddr *row, const uint64_t addr[32]) {
  uint64_t lowest = trace_lowest(addr), all = trace_bits_above(addr, lowest);
  int shift = __builtin_ctzll(all), width = list_width(all >> shift);
  put_list_head(out, lowest - row->last[0], shift, width);
  memcpy(row->last, addr, 32 * sizeof *addr);
  row->delta = 0;
  trace_pack(out, addr, lowest, shift, width);
}

// The same of some lanes.
static void put_addr_list(TraceBytes *out, PredictAddr *row, const uint64_t *addr, uint32_t mask) {
  uint64_t apart[32], before = row->last[__builtin_ctz(mask)], lowest = UINT64_MAX, all = 0;
  int count = encode_packed(addr, mask, apart);
  for (int i = 0; i < count; i++) lowest = LS_MIN(lowest, apart[i]);
  for (int i = 0; i < count; i++) all |= apart[i] -= lowest;
  int shift = __builtin_ctzll(all), width = list_width(all >> shift);
  for (int i = 0; i < count; i++) apart[i] >>= shift;
  for (; mask; mask &= mask - 1) row->last[__builtin_ctz(mask)] = addr[__builtin_ctz(mask)];
  row->delta = 0;
  put_list_head(out, lowest - before, shift, width);
  encode_numbers(out, apart, count, width);
}

uint8_t encode_shift(TraceBytes *out, uint64_t delta, uint64_t expected) {
  trace_put_u8(out, TRACE_ADDR_SHIFT);
  trace_put_svarint(out, delta - expected);
  return TRACE_DIFF_PAYLOAD;
}

uint8_t encode_any_addr(TraceBytes *out, PredictPc *pc, PredictAddr *row, uint32_t shape, uint32_t mask,
                        const uint64_t *addr) {
  predict_settle(row);
  int first = __builtin_ctz(mask);
  uint64_t delta = addr[first] - row->last[first], expected = row->delta, base, stride;
  row->shape = shape;
  row->mask = mask;
  row->at = addr[first];
  if (all_shifted(addr, row->last, mask, delta)) {
    predict_shift(row, delta);
    return delta == expected ? 0 : encode_shift(out, delta, expected);
  }
  if (encode_is_affine(addr, mask, &base, &stride)) {
    trace_put_u8(out, TRACE_ADDR_AFFINE);
    trace_put_svarint(out, base - row->last[0]);
    trace_put_svarint(out, stride);
    predict_affine(row, base, stride);
  } else if (mask == UINT32_MAX && trace_frame_put(out, &pc->frame, addr)) {
    memcpy(row->last, addr, 32 * sizeof *row->last);
    row->delta = 0;
  } else {
    trace_put_u8(out, TRACE_ADDR_LIST);
    if (mask == UINT32_MAX) put_full_list(out, row, addr);
    else put_addr_list(out, row, addr, mask);
  }
  return TRACE_DIFF_PAYLOAD;
}
