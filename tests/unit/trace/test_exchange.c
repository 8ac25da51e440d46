// test_exchange.c: values of shuffles that follow from the shuffle before take a byte, and what says so wrongly is
// refused.
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "trace/encode.h"
#include "trace_chunks.h"

enum { SHUFFLES = 4000 };

typedef struct Maker {
  LsMt random;
  ExchangeRow row;
  uint8_t source[32];
  TraceEvent event;
  uint64_t lanes[2][32];
} Maker;

static uint32_t below(Maker *m, uint32_t n) { return ls_mt_u32(&m->random) % n; }

// ---- ways ----------------------------------------------------------------------------------------------------------

static uint32_t of_float(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static void ways(void) {
  ExchangeRow row = {{0}, {0}};
  uint32_t value[32];
  row.value[3] = 7, row.result[3] = UINT32_MAX;
  row.value[4] = of_float(1.5f), row.result[4] = of_float(-2.25f);
  row.value[5] = 0x7f800000, row.result[5] = 0xff800000;   // infinities
  const uint32_t lane_3[] = {6, 0x7fffffff, 7, UINT32_MAX, UINT32_MAX, UINT32_MAX, 7, UINT32_MAX, ~7u};
  for (unsigned way = 0; way < EXCHANGE_WAYS; way++) {
    exchange_make(way, UINT32_MAX, &row, value);
    if (way != EXCHANGE_ORDER_F32) CHECK_INT(value[3], lane_3[way]);
    if (way == EXCHANGE_ADD_F32) CHECK_INT(value[4], of_float(-0.75f));
    if (way == EXCHANGE_ADD_F32) CHECK_INT(value[5], 0x7fffffff);
    if (way == EXCHANGE_ORDER_F32) CHECK_INT(value[4], of_float(-2.25f));
  }
}

static void ways_are_found(void) {
  Maker m = {0};
  ls_mt_seed(&m.random, 1);
  for (int round = 0; round < 500; round++) {
    uint32_t value[32], lanes = below(&m, 3) ? ls_mt_u32(&m.random) : UINT32_MAX, found = UINT32_MAX;
    unsigned way = below(&m, EXCHANGE_WAYS);
    uint8_t found_way;
    for (int lane = 0; lane < 32; lane++) {
      m.row.value[lane] = below(&m, 2) ? below(&m, 100) : of_float((float)below(&m, 1000) - 500);
      m.row.result[lane] = below(&m, 2) ? below(&m, 3) : of_float((float)below(&m, 1000) - 500);
    }
    exchange_make(way, lanes, &m.row, value);
    CHECK(exchange_makes(way, lanes, &m.row, value));
    CHECK(exchange_find(&m.row, value, &found_way, &found));
    CHECK(exchange_makes(found_way, found, &m.row, value));
    value[below(&m, 32)] ^= 0x00345678;
    CHECK(!exchange_find(&m.row, value, &found_way, &found));
  }
}

// ---- in a chunk ----------------------------------------------------------------------------------------------------

// Sums from the left by five shuffles, of other numbers each time.
static void next_shuffle(Maker *m, int i) {
  uint32_t by = 1u << i % 5;
  for (uint32_t lane = 0; lane < 32; lane++) {
    if (i % 5 == 0) m->row.value[lane] = ls_mt_u32(&m->random);
    else if (lane >= by / 2) m->row.value[lane] += m->row.result[lane];
  }
  for (uint32_t lane = 0; lane < 32; lane++) {
    m->source[lane] = (uint8_t)(lane < by ? lane : lane - by);
    m->row.result[lane] = m->row.value[m->source[lane]];
    m->lanes[0][lane] = m->row.value[lane];
    m->lanes[1][lane] = m->row.result[lane];
  }
  m->event = (TraceEvent){.kind = TRACE_SHUFFLE, .flags = TRACE_VALUES, .pc = i % 5, .active = UINT32_MAX,
                          .mask = UINT32_MAX, .members = UINT32_MAX, .target = -1, .reconverge = -1, .fault = -1,
                          .source = m->source, .value = m->lanes[0], .result = m->lanes[1]};
}

static void encode(Maker *m, TraceBytes *raw) {
  TraceEncoder *encoder = trace_encoder_new();
  TraceSummary summary;
  ls_mt_seed(&m->random, 7);
  trace_encoder_begin(encoder, 0, 0, NULL);
  for (int i = 0; i < SHUFFLES; i++) {
    next_shuffle(m, i);
    trace_encoder_event(encoder, &m->event);
  }
  trace_encoder_end(encoder, raw, &summary);
  trace_encoder_free(encoder);
}

static bool is_same(const Maker *m, const TraceEvent *e) {
  return e->source && e->value && e->result && memcmp(e->source, m->source, sizeof m->source) == 0 &&
         memcmp(e->value, m->lanes[0], sizeof m->lanes[0]) == 0 &&
         memcmp(e->result, m->lanes[1], sizeof m->lanes[1]) == 0;
}

static void made_in_a_chunk(void) {
  Maker m = {0};
  TraceBytes raw = {0};
  TraceChunk chunk;
  Predictor *predictor = predict_new();
  int wrong = 0;
  encode(&m, &raw);
  CHECK(raw.size < SHUFFLES / 5 * (4 * 32 + 5 * 8));   // numbers for one of five shuffles
  CHECK(trace_decode_chunk(&chunk, predictor, raw.data, raw.size, 0, SHUFFLES));
  ls_mt_seed(&m.random, 7);
  for (int i = 0; i < SHUFFLES; i++) {
    TraceEvent e;
    next_shuffle(&m, i);
    trace_chunk_event(&chunk, i, &e);
    wrong += !is_same(&m, &e);
  }
  CHECK_INT(wrong, 0);
  trace_chunk_fini(&chunk);
  free(predictor);
  free(raw.data);
}

static void damaged(void) {
  Maker m = {0};
  TraceBytes raw = {0};
  encode(&m, &raw);
  check_damaged_chunk(&raw, SHUFFLES, &m.random);
  free(raw.data);
}

// ---- traces from before --------------------------------------------------------------------------------------------

// The same run, written by 1.10 and by 1.11.
static void from_before(void) {
  Trace *old = open_kept_trace("tests/fuzz/seeds_trace/shuffles_1_10.lst");
  Trace *made = open_kept_trace("tests/fuzz/seeds_trace/shuffles.lst");
  int shuffles = 0, wrong = 0;
  CHECK_INT(trace_steps(old), trace_steps(made));
  for (uint64_t i = 0; i < trace_steps(old); i++) {
    TraceEvent a, b;
    CHECK(trace_event(old, i, &a, NULL) && trace_event(made, i, &b, NULL));
    wrong += a.kind != b.kind || a.pc != b.pc || a.flags != b.flags || a.members != b.members;
    if (a.kind != TRACE_SHUFFLE) continue;
    shuffles++;
    wrong += memcmp(a.value, b.value, 32 * sizeof *a.value) != 0;
    wrong += memcmp(a.result, b.result, 32 * sizeof *a.result) != 0;
    wrong += memcmp(a.source, b.source, 32) != 0;
  }
  CHECK_INT(shuffles, 5);
  CHECK_INT(wrong, 0);
  trace_close(old);
  trace_close(made);
}

static const Check checks[] = {
    {"ways", ways},
    {"ways are found", ways_are_found},
    {"made in a chunk", made_in_a_chunk},
    {"damaged", damaged},
    {"traces from before", from_before},
};

int main(int argc, char **argv) { return check_main("exchange", checks, LS_COUNT(checks), argc, argv); }
