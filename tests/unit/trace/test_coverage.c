// test_coverage.c: what stores leave of a buffer, against a list of who wrote each element; and the section COVR.
#include "trace/coverage.h"

#include "base/mem.h"
#include "base/random.h"
#include "check.h"

enum { LANES = 32, BASE = 0x1000, MOST = 700 };

// ---- the judge: every element by itself ----------------------------------------------------------------------------

typedef struct Element { bool written, twice; uint32_t block; bool has_block; } Element;
typedef struct Judge { Element elements[MOST]; uint32_t count, elem; } Judge;

static void judge_store(Judge *judge, const TraceStore *store, const uint64_t *addr) {
  for (int i = 0; i < LANES; i++) {
    if (!(store->mask >> i & 1)) continue;
    for (uint64_t byte = addr[i]; byte < addr[i] + store->width; byte++) {
      if (byte < BASE || byte >= BASE + (uint64_t)judge->count * judge->elem) continue;
      Element *e = &judge->elements[(byte - BASE) / judge->elem];
      e->written = true;
      if (store->meets) continue;
      if (e->has_block && e->block != store->block) e->twice = true;
      e->has_block = true;
      e->block = store->block;
    }
  }
}

static void compare(const Judge *judge, const TraceCoverage *c) {
  uint64_t written = 0, twice = 0, holes = 0, gaps = 0, first = 0, last = 0, first_never = 0, first_twice = 0;
  for (uint32_t i = 0; i < judge->count; i++) {
    const Element *e = &judge->elements[i];
    if (e->written && !written) first = i;
    if (e->written) last = i;
    if (e->twice && !twice) first_twice = i;
    if (!e->written && i == written) first_never = i;
    written += e->written;
    twice += e->twice;
  }
  for (uint64_t i = first; i < last; i++) {
    holes += !judge->elements[i].written;
    gaps += !judge->elements[i].written && judge->elements[i - 1].written;
  }
  CHECK_INT(c->elements, judge->count);
  CHECK_INT(c->written, written);
  CHECK_INT(c->never_written, judge->count - written);
  CHECK_INT(c->written_twice, twice);
  CHECK_INT(c->holes, holes);
  CHECK_INT(c->gaps, gaps);
  if (written) CHECK_INT(c->first_written, first);
  if (written) CHECK_INT(c->last_written, last);
  if (written < judge->count) CHECK_INT(c->first_never, first_never);
  if (twice) CHECK_INT(c->first_twice, first_twice);
}

// ---- drawn at random -----------------------------------------------------------------------------------------------

static uint32_t draw(LsMt *random, uint32_t below) { return ls_mt_u32(random) % below; }

// Mostly what kernels do: whole warps in a row, at the start of a line or not; else strides, single lanes, anything.
static void draw_store(LsMt *random, const Judge *judge, TraceStore *store, uint64_t addr[LANES]) {
  static const uint32_t widths[] = {1, 2, 4, 8, 16};
  uint32_t bytes = judge->count * judge->elem;
  *store = (TraceStore){.block = draw(random, 4), .warp = draw(random, 3), .pc = (int32_t)draw(random, 9),
                        .mask = draw(random, 3) ? UINT32_MAX : ls_mt_u32(random), .width = widths[draw(random, 5)],
                        .meets = draw(random, 8) == 0};
  uint64_t at = draw(random, bytes), stride = draw(random, 4) ? store->width : draw(random, 40);
  if (draw(random, 4)) at = at / (judge->elem * LANES) * judge->elem * LANES;
  for (uint64_t i = 0; i < LANES; i++) addr[i] = BASE + at + i * stride;
  store->in_row = store->mask == UINT32_MAX && stride == store->width;
}

// A row may be told as such, in one piece or in two; what is refused was not told.
static void tell(LsMt *random, TraceCover *cover, const TraceStore *store, const uint64_t *addr) {
  uint32_t each = draw(random, 2) ? LANES : LANES / 2;
  bool told = store->in_row && !store->meets && draw(random, 2);
  for (uint32_t lane = 0; told && lane < LANES; lane += each)
    told = trace_cover_row(cover, store, addr[lane], lane, each);
  if (!told) trace_cover_store(cover, store, addr);
}

static void stores_leave_what_they_should(void) {
  static const uint32_t sizes[] = {1, 2, 4, 8};
  LsMt random;
  ls_mt_seed(&random, 11);
  for (int round = 0; round < check_long(600, 20000); round++) {
    Judge judge = {.count = 1 + draw(&random, MOST), .elem = sizes[draw(&random, 4)]};
    TraceCover *cover = trace_cover_new(BASE, (uint64_t)judge.count * judge.elem, judge.elem);
    TraceCoverage sum;
    for (uint32_t stores = draw(&random, 40); stores; stores--) {
      TraceStore store;
      uint64_t addr[LANES];
      draw_store(&random, &judge, &store, addr);
      tell(&random, cover, &store, addr);
      judge_store(&judge, &store, addr);
    }
    CHECK(trace_cover_sum(cover, &sum));
    compare(&judge, &sum);
    trace_cover_clear(cover);
    CHECK(trace_cover_sum(cover, &sum));
    CHECK_INT(sum.never_written, judge.count);
    trace_cover_free(cover);
  }
}

// ---- who ------------------------------------------------------------------------------------------------------------

static void store_row(TraceCover *cover, uint32_t block, uint32_t warp, uint64_t element, uint32_t width) {
  TraceStore store = {.block = block, .warp = warp, .pc = (int32_t)block + 5, .mask = UINT32_MAX, .width = width};
  uint64_t addr[LANES];
  for (uint64_t i = 0; i < LANES; i++) addr[i] = BASE + 4 * element + i * width;
  trace_cover_store(cover, &store, addr);
}

// Lane 2 of a warp that stores four elements each has elements 8 to 11.
static void both_threads_are_named(void) {
  TraceCover *cover = trace_cover_new(BASE, 4 * 256, 4);
  TraceCoverage sum;
  store_row(cover, 3, 1, 128, 16);             // lines of four lanes each
  store_row(cover, 7, 2, 128 + 9, 4);
  CHECK(trace_cover_sum(cover, &sum));
  CHECK_INT(sum.written_twice, 32);
  CHECK_INT(sum.first_twice, 137);
  CHECK_INT(sum.blocks[0], 3);
  CHECK_INT(sum.threads[0], 32 + 2);
  CHECK_INT(sum.blocks[1], 7);
  CHECK_INT(sum.threads[1], 64);
  CHECK_INT(sum.pc, 12);
  TraceStore store = {.block = 9, .pc = 14, .width = 4};
  CHECK(trace_cover_row(cover, &store, BASE + 4 * 128, 0, LANES));   // an earlier element, and whole
  CHECK(trace_cover_sum(cover, &sum));
  CHECK_INT(sum.first_twice, 128);
  CHECK_INT(sum.threads[0], 32);
  CHECK_INT(sum.blocks[1], 9);
  trace_cover_free(cover);
}

// A file may claim a buffer of any size.
static void sizes_nobody_has(void) {
  static const uint64_t sizes[] = {UINT64_MAX, UINT64_MAX / 2, 1ull << 40};
  TraceCoverage sum;
  for (int i = 0; i < LS_COUNT(sizes); i++) {
    TraceCover *cover = trace_cover_new(BASE, sizes[i], 1);
    store_row(cover, 0, 0, 0, 4);
    trace_cover_clear(cover);
    CHECK(!trace_cover_sum(cover, &sum));
    trace_cover_free(cover);
  }
}

// ---- traces --------------------------------------------------------------------------------------------------------

static const TraceCoverage rows[] = {
    {.arg = 0, .elements = 1000, .written = 3, .never_written = 997, .first_never = 3, .last_written = 2, .known_twice = true,
     .pc = -1},
    {.arg = 1, .elements = 70000, .written = 69998, .never_written = 2, .first_never = 9, .first_written = 1,
     .last_written = 69999, .holes = 1, .gaps = 1, .first_hole = 9, .known_twice = true, .written_twice = 512, .first_twice = 4,
     .blocks = {0, 39}, .threads = {4, 63}, .pc = 17},
};

static uint8_t *write_trace(int count, size_t *size) {
  TraceInfo info;
  LsErr err = {0};
  trace_info_init(&info);
  info.launch.grid[0] = 40;
  info.launch.block[0] = 64;
  CHECK(launch_add_arg(&info.launch, "f32[1000]=none", &err) && launch_add_arg(&info.launch, "u8[70000]=none", &err));
  TraceWriter *writer = trace_writer_new(NULL, &info, NULL);
  TraceTee tee;   // through a tee, as a run does it
  trace_tee_init(&tee, NULL, trace_writer_sink(writer));
  for (int i = 0; i < 3; i++) tee.sink.event(&tee.sink, &(TraceEvent){.kind = TRACE_EXEC, .pc = i, .active = 7, .mask = 7});
  if (count >= 0) tee.sink.coverage(&tee.sink, rows, count);
  CHECK(trace_writer_finish(writer, NULL));
  uint8_t *bytes = trace_writer_take(writer, size);
  trace_writer_free(writer);
  launch_fini(&info.launch);
  return bytes;
}

static bool same_row(const TraceCoverage *a, const TraceCoverage *b) {
  return a->arg == b->arg && a->elements == b->elements && a->written == b->written &&
         a->never_written == b->never_written && a->first_never == b->first_never &&
         a->first_written == b->first_written && a->last_written == b->last_written && a->holes == b->holes &&
         a->gaps == b->gaps && a->first_hole == b->first_hole && a->known_twice == b->known_twice &&
         a->written_twice == b->written_twice && a->first_twice == b->first_twice && a->blocks[0] == b->blocks[0] &&
         a->blocks[1] == b->blocks[1] && a->threads[0] == b->threads[0] && a->threads[1] == b->threads[1] && a->pc == b->pc;
}

static void traces_keep_it(void) {
  for (int wanted = -1; wanted <= LS_COUNT(rows); wanted++) {
    size_t size;
    uint8_t *bytes = write_trace(wanted, &size);
    Trace *trace = trace_open_memory(bytes, size, NULL);
    const TraceCoverage *items;
    int count;
    CHECK(trace_coverages(trace, &items, &count) == (wanted >= 0));
    CHECK_INT(count, LS_MAX(wanted, 0));
    for (int i = 0; i < count; i++) CHECK(same_row(&items[i], &rows[i]));
    trace_close(trace);
  }
}

// Atomics go round in a buffer, first in all but its last element.
static void meet_round(Judge *judge, TraceCover *cover, uint32_t elements, int times) {
  for (int k = 0; k < times; k++) {
    uint64_t addr[LANES];
    for (uint32_t i = 0; i < LANES; i++) addr[i] = BASE + ((uint32_t)k * LANES + i) % elements * judge->elem;
    TraceStore store = {.mask = UINT32_MAX, .width = judge->elem, .meets = true};
    judge_store(judge, &store, addr);
    trace_cover_store(cover, &store, addr);
  }
  TraceCoverage out;
  CHECK(trace_cover_sum(cover, &out));
  compare(judge, &out);
}

static void threads_meet_everywhere(void) {
  Judge judge = {.count = 100, .elem = 4};
  TraceCover *cover = trace_cover_new(BASE, 400, 4);
  meet_round(&judge, cover, 99, 500);
  meet_round(&judge, cover, 100, 500);
  judge = (Judge){.count = 100, .elem = 4};
  trace_cover_clear(cover);
  meet_round(&judge, cover, 50, 500);
  trace_cover_free(cover);
}

static const Check checks[] = {
    {"stores leave what they should", stores_leave_what_they_should},
    {"threads meet everywhere", threads_meet_everywhere},
    {"both threads are named", both_threads_are_named},
    {"sizes nobody has", sizes_nobody_has},
    {"traces keep it", traces_keep_it},
};

int main(int argc, char **argv) { return check_main("coverage", checks, LS_COUNT(checks), argc, argv); }
