// test_atoms.c: old values of atomics that follow from atomics before take a byte, addresses in a frame few bits, and
// what says so wrongly is refused.
#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "trace/encode.h"
#include "trace_chunks.h"

enum { ROWS = 2000, WORDS = 64 };

static uint32_t of_float(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

// ---- ways ----------------------------------------------------------------------------------------------------------

// What `way` leaves of old, as the next lane finds it.
static uint32_t left_by(unsigned way, uint32_t old, uint32_t b) {
  static AtomsTable table;
  const uint64_t addr[32] = {4096, 4096};
  uint32_t operand[32] = {b, b}, olds[32] = {old, 0};
  AtomsRow row = {3, false, addr, operand, olds};
  atoms_begin(&table);
  atoms_make(&table, way, &row, 1);
  CHECK_INT(olds[0], old);
  return olds[1];
}

static void ways(void) {
  const uint32_t minus = (uint32_t)-5;
  const uint32_t left[ATOMS_WAYS] = {minus + 3, 0x7fffffff, 3, minus, minus, 3, minus & 3, minus | 3, minus ^ 3, 3,
                                     minus,     0,          3};
  for (unsigned way = 0; way < ATOMS_WAYS; way++) CHECK_INT(left_by(way, minus, 3), left[way]);
  CHECK_INT(left_by(ATOMS_ADD_F32, of_float(1.5f), of_float(-2.25f)), of_float(-0.75f));
  CHECK_INT(left_by(ATOMS_ADD_F32, 0x7f800000, 0xff800000), 0x7fffffff);   // infinities
  CHECK_INT(left_by(ATOMS_INC, 2, 3), 3);
  CHECK_INT(left_by(ATOMS_INC, 3, 3), 0);
  CHECK_INT(left_by(ATOMS_DEC, 3, 3), 2);
  CHECK_INT(left_by(ATOMS_DEC, 0, 3), 3);
}

// ---- the table -----------------------------------------------------------------------------------------------------

// Memory whose words atomics change, and sometimes somebody else.
typedef struct Maker {
  LsMt random;
  uint32_t words[WORDS];
  uint64_t addr[32], lanes[2][32];
  uint32_t operand[32], old[32];
  AtomsRow row;
} Maker;

static uint32_t below(Maker *m, uint32_t n) { return ls_mt_u32(&m->random) % n; }

// A row by the definition; `left_by` knows what an operation does.
static void next_row(Maker *m, unsigned way, uint32_t mask, uint64_t apart) {
  for (uint32_t lane = 0; lane < 32; lane++) {
    if (!(mask >> lane & 1)) continue;
    uint32_t word = below(m, WORDS);
    m->addr[lane] = 0x7f0000001000 + word * apart;
    m->operand[lane] = below(m, 8) ? 1 : below(m, 1000);
    m->old[lane] = m->words[word];
    m->words[word] = left_by(way, m->words[word], m->operand[lane]);
  }
  m->row = (AtomsRow){mask, false, m->addr, m->operand, m->old};
}

// Both sides know the same, whatever is in the way: words too far apart for the table, lanes missing, words changed.
static void both_sides(void) {
  static AtomsTable told, made;
  static Maker m;
  int follow = 0;
  ls_mt_seed(&m.random, 1);
  for (int round = 0; round < 3000; round++) {
    uint32_t old[32], known;
    if (round % 300 == 0) atoms_begin(&told), atoms_begin(&made);
    unsigned way = (unsigned)(round / 100) % ATOMS_WAYS;
    uint64_t apart = round / 100 % 3 == 2 ? 8192 : 4;
    if (!below(&m, 20)) m.words[below(&m, WORDS)] ^= 5;
    next_row(&m, way, below(&m, 2) ? UINT32_MAX : ls_mt_u32(&m.random), apart);
    uint32_t others = atoms_tell(&told, way, &m.row, &known);
    CHECK(!(known & ~others) && !(others & ~m.row.mask));
    follow += !others;
    for (int lane = 0; lane < 32; lane++) old[lane] = others >> lane & 1 ? m.old[lane] : 12345;
    AtomsRow row = m.row;
    row.old = old;
    atoms_make(&made, way, &row, others);
    for (int lane = 0; lane < 32; lane++) if (m.row.mask >> lane & 1) CHECK_INT(old[lane], m.old[lane]);
  }
  CHECK(follow > 1000);
}

static void way_is_found(void) {
  static AtomsTable table, before;
  static Maker m;
  uint32_t known;
  ls_mt_seed(&m.random, 2);
  for (unsigned way = 0; way < ATOMS_WAYS; way++) {
    atoms_begin(&table);
    for (int i = 0; i < 40; i++) {
      next_row(&m, way, UINT32_MAX, 4);
      atoms_tell(&table, way, &m.row, &known);
    }
    next_row(&m, way, UINT32_MAX, 4);
    before = table;
    unsigned found = atoms_find(&table, ATOMS_ADD, &m.row);
    CHECK(memcmp(before.words, table.words, sizeof before.words) == 0);
    CHECK_INT(atoms_tell(&table, found, &m.row, &known), 0);
  }
}

// Shared memory is another one in each block.
static void shared_words(void) {
  static AtomsTable table;
  const uint64_t addr[32] = {64, 64};
  uint32_t operand[32] = {1, 1}, old[32] = {0}, known;
  AtomsRow row = {1, true, addr, operand, old};
  atoms_begin(&table);
  CHECK_INT(atoms_tell(&table, ATOMS_ADD, &row, &known), 0);
  CHECK_INT(atoms_tell(&table, ATOMS_ADD, &row, &known), 1);
  CHECK_INT(known, 1);
  row.is_shared = false;
  CHECK_INT(atoms_tell(&table, ATOMS_ADD, &row, &known), 0);
  row.is_shared = true;
  atoms_begin_block(&table);
  CHECK_INT(atoms_tell(&table, ATOMS_ADD, &row, &known), 0);
}

// ---- in a chunk ----------------------------------------------------------------------------------------------------

// Several instructions: additions and others in rows of all lanes or some, of one number, or of many; words that change
// in between, and operands that are wider than the table's words.
static void next_event(Maker *m, int i, TraceEvent *e) {
  static const unsigned of[] = {ATOMS_ADD, ATOMS_ADD, ATOMS_MAX_U32, ATOMS_TAKE};
  int pc = i % LS_COUNT(of);
  next_row(m, of[pc], i % 5 == 1 ? ls_mt_u32(&m->random) | 1 : UINT32_MAX, 4);
  for (int lane = 0; lane < 32; lane++) m->lanes[0][lane] = m->operand[lane], m->lanes[1][lane] = m->old[lane];
  *e = (TraceEvent){.kind = TRACE_ATOM, .flags = TRACE_VALUES, .pc = pc, .active = UINT32_MAX, .mask = m->row.mask,
                    .space = pc == 3 ? TRACE_SHARED : TRACE_GLOBAL, .width = 4, .target = -1, .reconverge = -1,
                    .fault = -1, .addr = m->addr, .value = m->lanes[0], .result = m->lanes[1]};
  if (i % 50 == 9) m->lanes[0][3] |= 1ull << 40;
  if (i % 100 == 63) m->words[below(m, WORDS)]++;
}

static void encode(Maker *m, TraceBytes *raw) {
  TraceEncoder *encoder = trace_encoder_new();
  TraceSummary summary;
  *m = (Maker){0};
  ls_mt_seed(&m->random, 7);
  trace_encoder_begin(encoder, 0, 0, NULL);
  for (int i = 0; i < ROWS; i++) {
    TraceEvent e;
    if (i == ROWS / 2) trace_encoder_block(encoder, 1);
    next_event(m, i, &e);
    trace_encoder_event(encoder, &e);
  }
  trace_encoder_end(encoder, raw, &summary);
  trace_encoder_free(encoder);
}

static bool is_same(const TraceEvent *a, const TraceEvent *b) {
  bool same = a->mask == b->mask && a->pc == b->pc && a->addr && a->value && a->result;
  for (int lane = 0; lane < 32 && same; lane++)
    if (a->mask >> lane & 1)
      same = a->addr[lane] == b->addr[lane] && a->value[lane] == b->value[lane] && a->result[lane] == b->result[lane];
  return same;
}

static void in_a_chunk(void) {
  static Maker m;
  TraceBytes raw = {0};
  TraceChunk chunk;
  Predictor *predictor = predict_new();
  int wrong = 0;
  encode(&m, &raw);
  CHECK(trace_decode_chunk(&chunk, predictor, raw.data, raw.size, 0, ROWS));
  m = (Maker){0};
  ls_mt_seed(&m.random, 7);
  for (int i = 0; i < ROWS; i++) {
    TraceEvent e, read;
    next_event(&m, i, &e);
    trace_chunk_event(&chunk, i, &read);
    wrong += !is_same(&read, &e);
  }
  CHECK_INT(wrong, 0);
  trace_chunk_fini(&chunk);
  free(predictor);
  free(raw.data);
}

// A histogram in 16 words: half a byte for each lane, and some for the row.
static void takes_few_bytes(void) {
  static Maker m;
  TraceEncoder *encoder = trace_encoder_new();
  TraceSummary summary;
  TraceBytes raw = {0};
  uint32_t words[16] = {0};
  uint64_t addr[32], one[32], old[32];
  ls_mt_seed(&m.random, 7);
  trace_encoder_begin(encoder, 0, 0, NULL);
  for (int i = 0; i < ROWS; i++) {
    for (int lane = 0; lane < 32; lane++) {
      uint32_t word = below(&m, 16);
      addr[lane] = 0x7f0000001000 + 4 * word;
      one[lane] = 1;
      old[lane] = words[word]++;
    }
    TraceEvent e = {.kind = TRACE_ATOM, .pc = 1, .active = UINT32_MAX, .mask = UINT32_MAX, .width = 4, .target = -1,
                    .reconverge = -1, .fault = -1, .addr = addr, .value = one, .result = old};
    trace_encoder_event(encoder, &e);
  }
  trace_encoder_end(encoder, &raw, &summary);
  CHECK(raw.size < ROWS * 21);
  trace_encoder_free(encoder);
  free(raw.data);
}

static void damaged(void) {
  static Maker m;
  TraceBytes raw = {0};
  encode(&m, &raw);
  check_damaged_chunk(&raw, ROWS, &m.random);
  free(raw.data);
}

// ---- frames --------------------------------------------------------------------------------------------------------

static void frames(void) {
  static Maker m;
  TraceFrame written = {0}, read = {0};
  ls_mt_seed(&m.random, 3);
  for (int round = 0; round < 2000; round++) {
    TraceBytes out = {0};
    uint64_t addr[32], got[32], base = 0x7f0000001000 + 4096 * (uint64_t)below(&m, 3);
    int shift = round / 50 % 4, bits = 1 + round / 200 * 3;
    for (int lane = 0; lane < 32; lane++)
      addr[lane] = base + ((uint64_t)(ls_mt_u32(&m.random) >> (32 - bits)) << shift);
    addr[round % 31] = base, addr[31] = base + (1ull << shift);
    if (!trace_frame_put(&out, &written, addr)) { CHECK(false); continue; }
    TraceCursor in = {out.data, out.data + out.size, false};
    uint8_t form = trace_get_u8(&in);
    CHECK(form == TRACE_ADDR_FRAMED || form == TRACE_ADDR_FRAME);
    trace_frame_get(&in, &read, form == TRACE_ADDR_FRAME, got);
    CHECK(!in.bad && !trace_cursor_left(&in));
    CHECK(memcmp(addr, got, sizeof got) == 0);
    CHECK(form == TRACE_ADDR_FRAME || out.size <= 1 + 4 * (size_t)(bits + 5));
    free(out.data);
  }
}

static void frames_refused(void) {
  TraceFrame frame = {0};
  uint64_t addr[32] = {0, 1ull << 40};
  TraceBytes out = {0};
  CHECK(trace_frame_put(&out, &frame, addr));   // shifted, it is a bit
  addr[2] = 1;
  CHECK(!trace_frame_put(&out, &frame, addr));
  free(out.data);
  static const uint8_t bad[][4] = {{0, 0, 0, 0}, {0, 0, 33, 0}, {0, 64, 1, 0}, {0, 0, 8, 0}};
  for (int i = 0; i < LS_COUNT(bad); i++) {
    TraceCursor in = {bad[i], bad[i] + sizeof bad[i], false};
    frame = (TraceFrame){0};
    trace_frame_get(&in, &frame, true, addr);
    CHECK(in.bad);
  }
  uint8_t none = 0;
  TraceCursor in = {&none, &none + 1, false};
  frame = (TraceFrame){0};
  trace_frame_get(&in, &frame, false, addr);   // of no frame
  CHECK(in.bad);
}

// ---- traces from before --------------------------------------------------------------------------------------------

// The same run, written by 1.11 and by 1.12.
static void from_before(void) {
  Trace *old = open_kept_trace("tests/fuzz/seeds_trace/atoms_1_11.lst");
  Trace *made = open_kept_trace("tests/fuzz/seeds_trace/atoms.lst");
  int atomics = 0, wrong = 0;
  CHECK_INT(trace_steps(old), trace_steps(made));
  for (uint64_t i = 0; i < trace_steps(old); i++) {
    TraceEvent a, b;
    CHECK(trace_event(old, i, &a, NULL) && trace_event(made, i, &b, NULL));
    wrong += a.kind != b.kind || a.pc != b.pc || a.flags != b.flags || a.mask != b.mask;
    if (a.kind != TRACE_ATOM) continue;
    atomics++;
    wrong += !is_same(&a, &b);
  }
  CHECK_INT(atomics, 4);
  CHECK_INT(wrong, 0);
  trace_close(old);
  trace_close(made);
}

static const Check checks[] = {
    {"ways", ways},
    {"both sides", both_sides},
    {"the way is found", way_is_found},
    {"shared words", shared_words},
    {"in a chunk", in_a_chunk},
    {"few bytes", takes_few_bytes},
    {"damaged", damaged},
    {"frames", frames},
    {"frames that are none", frames_refused},
    {"traces from before", from_before},
};

int main(int argc, char **argv) { return check_main("atoms", checks, LS_COUNT(checks), argc, argv); }
