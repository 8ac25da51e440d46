// frame.c: when a row of addresses takes a frame of its own, and its bytes.
#include "trace/frame.h"

#include "trace/format.h"
#include "trace/pack.h"

enum { WASTE = 3 };   // so many bits too many, and a row takes a frame of its own

static int bits_of(uint64_t number) { return number ? 64 - __builtin_clzll(number) : 0; }

// Whether all lanes are in the frame, and need about as many bits as it has.
static bool is_framed(const TraceFrame *frame, const uint64_t addr[32]) {
  uint64_t all, apart = trace_bits_apart(addr, frame->base, &all);
  int bits = frame->bits + frame->shift;
  return frame->bits && bits_of(all) <= bits && !(all & ((1ull << frame->shift) - 1)) && bits_of(apart) + WASTE > bits;
}

// Around these addresses, and around the frame before if that takes no more than another bit.
static TraceFrame frame_of(const TraceFrame *before, const uint64_t addr[32]) {
  uint64_t lowest = trace_lowest(addr), all = trace_bits_above(addr, lowest);
  int shift = __builtin_ctzll(all), bits = bits_of(all >> shift);
  TraceFrame own = {lowest, (uint8_t)shift, (uint8_t)bits};
  if (!before->bits || bits > TRACE_FRAME_BITS) return own;
  uint64_t base = LS_MIN(lowest, before->base), width = ((1ull << before->bits) - 1) << before->shift;
  uint64_t end = LS_MAX(lowest + all, before->base + width);
  shift = __builtin_ctzll(trace_bits_above(addr, base) | (before->base - base) | 1ull << before->shift);
  int both = bits_of((end - base) >> shift);
  if (both > TRACE_FRAME_BITS || both > LS_MAX(bits, before->bits) + 1) return own;
  return (TraceFrame){base, (uint8_t)shift, (uint8_t)both};
}

bool trace_frame_put(TraceBytes *out, TraceFrame *frame, const uint64_t addr[32]) {
  if (is_framed(frame, addr)) {
    trace_put_u8(out, TRACE_ADDR_FRAMED);
  } else {
    TraceFrame fresh = frame_of(frame, addr);
    if (fresh.bits > TRACE_FRAME_BITS) return false;
    trace_put_u8(out, TRACE_ADDR_FRAME);
    trace_put_svarint(out, fresh.base - frame->base);
    trace_put_u8(out, fresh.shift);
    trace_put_u8(out, fresh.bits);
    *frame = fresh;
  }
  trace_pack_bits(out, addr, frame->base, frame->shift, frame->bits);
  return true;
}

void trace_frame_get(TraceCursor *in, TraceFrame *frame, bool is_new, uint64_t addr[32]) {
  if (is_new) {
    frame->base += trace_get_svarint(in);
    frame->shift = trace_get_u8(in);
    frame->bits = trace_get_u8(in);
  }
  if (frame->bits < 1 || frame->bits > TRACE_FRAME_BITS || frame->shift > 63) {
    frame->bits = 0;
    trace_cursor_fail(in);
    return;
  }
  const uint8_t *bytes = trace_get_bytes(in, (uint64_t)frame->bits * 4);
  if (bytes) trace_unpack_bits(bytes, addr, frame->base, frame->shift, frame->bits);
}
