// test_trace_lines.c: what a device knows of its events makes them quicker to write, and changes no byte.
//
// The same events are told one by one, without numbers of shapes, and as a device would: instructions in a row as
// lines, loads and stores, alone or in a line, with the number of what their addresses have in common, shuffles with
// the number of their sources, and atomics.
#include "trace/format.h"
#include "trace_stream.h"

enum { PLACES = 12, FAR = 4096, MOST_LINE = 90, UNIT = 50000 };   // FAR: pcs so far apart share a row of tables
enum { LONG_LINE = TRACE_CHUNK_EVENTS + 5000 };

// ---- a program that looks like one ---------------------------------------------------------------------------------

typedef struct Place { int32_t pc; int length; } Place;   // executions in a row, then an instruction of another kind

// A shape of the addresses of an instruction: distances from the first lane's.
typedef struct Pattern { int32_t pc; uint32_t mask, number; uint8_t space, width, kind; uint64_t apart[32]; } Pattern;

typedef struct Program {
  Stream stream;
  Place places[PLACES];
  Pattern *patterns; int count, capacity;
  uint32_t numbers;
  int unit;                  // events between cuts
} Program;

// Some of them FAR behind others, so that they push one another out of the tables.
static void make_places(Program *p) {
  int32_t pc = 0;
  for (int i = 0; i < PLACES; i++) {
    bool collides = i && below(&p->stream, 4) == 0;
    int length = (int)below(&p->stream, below(&p->stream, 12) ? 5 : MOST_LINE);
    p->places[i] = (Place){collides ? p->places[i - 1].pc + FAR : pc, length};
    pc += p->places[i].length + 1;
  }
}

static void add_event(Program *p, const TraceEvent *event, const uint64_t addr[32]) {
  Stream *s = &p->stream;
  Kept kept = {.event = *event}, *before = s->count ? &s->items[s->count - 1] : NULL;
  kept.event.step = (uint64_t)s->count;
  kept.event.target = kept.event.reconverge = kept.event.fault = -1;
  if (addr) memcpy(kept.addr, addr, sizeof kept.addr);
  if (addr) kept.event.addr = kept.addr;
  bool jumped = before && before->event.kind == TRACE_BRANCH && before->event.taken;
  if (jumped && below(s, 4)) before->event.target = event->pc;
  LS_PUSH(s->items, s->count, s->capacity, kept);
}

static uint32_t some_lanes(Stream *s) {
  static const uint32_t some[] = {1, 0x80000000, 0xffff0000, 0x00ffffff, 0x12345678, 0xfffffffe};
  return below(s, 3) ? UINT32_MAX : some[below(s, LS_COUNT(some))];
}

static bool of_pattern(const Pattern *pattern, const TraceEvent *e, const uint64_t addr[32]) {
  if (pattern->pc != e->pc || pattern->mask != e->mask || pattern->space != e->space) return false;
  if (pattern->width != e->width || pattern->kind != e->kind) return false;
  uint64_t first = addr[__builtin_ctz(e->mask)];
  for (int lane = 0; lane < 32; lane++)
    if (e->mask >> lane & 1 && addr[lane] - first != pattern->apart[lane]) return false;
  return true;
}

// The number of a shape; one that was forgotten gets another one when it comes back, and some have none.
static uint32_t number_of(Program *p, const TraceEvent *e, const uint64_t addr[32]) {
  Stream *s = &p->stream;
  Pattern *found = NULL;
  if (!e->mask || below(s, 9) == 0) return 0;
  for (int i = 0; i < p->count && !found; i++) if (of_pattern(&p->patterns[i], e, addr)) found = &p->patterns[i];
  if (!found) {
    Pattern pattern = {e->pc, e->mask, ++p->numbers, e->space, e->width, e->kind, {0}};
    for (int lane = 0; lane < 32; lane++)
      if (e->mask >> lane & 1) pattern.apart[lane] = addr[lane] - addr[__builtin_ctz(e->mask)];
    LS_PUSH(p->patterns, p->count, p->capacity, pattern);
    return pattern.number;
  }
  if (below(s, 30) == 0) found->number = ++p->numbers;
  return found->number;
}

// Few patterns for an instruction, moved about.
static void add_access(Program *p, TraceEvent e) {
  Stream *s = &p->stream;
  uint64_t addr[32], base = 0x7f0000000000 + 4 * (uint64_t)below(s, 3) * (below(s, 2) ? 8 : (uint64_t)s->count);
  uint32_t pattern = ((uint32_t)e.pc + (below(s, 12) == 0)) % 4;
  e.kind = e.pc % 3 ? TRACE_LOAD : TRACE_STORE;
  e.width = 4;
  e.space = (uint8_t)(below(s, 20) ? TRACE_GLOBAL : TRACE_SHARED);
  for (uint64_t lane = 0; lane < 32; lane++) {
    const uint64_t apart[] = {4 * lane, 0, lane / 16 * 512 + lane % 16 * 4, (lane ^ 7) * 12};
    addr[lane] = base + apart[pattern];
  }
  if (below(s, 16) == 0) e.mask = e.active & some_lanes(s);
  e.shape = number_of(p, &e, addr);
  add_event(p, &e, addr);
}

// A shuffle, vote or meeting of whole warps, with what lanes have after one before.
static void add_exchange(Program *p, TraceEvent e) {
  static const uint8_t kinds[] = {TRACE_SHUFFLE, TRACE_SHUFFLE, TRACE_VOTE, TRACE_SYNCWARP};
  Stream *s = &p->stream;
  uint32_t way = below(s, 5), by = 1u << below(s, 5);
  e.kind = kinds[below(s, LS_COUNT(kinds))];
  e.members = UINT32_MAX;
  if (e.kind == TRACE_VOTE) e.taken = below(s, 2) ? UINT32_MAX : ls_mt_u32(&s->random);
  if (e.kind != TRACE_SYNCWARP) e.flags = TRACE_VALUES;
  e.shape = e.kind == TRACE_SHUFFLE && below(s, 5) ? 1u << 30 | by : 0;
  add_event(p, &e, NULL);
  Kept *kept = &s->items[s->count - 1], *before = kept;
  for (int i = 1; i < LS_MIN(s->count, 40) && before == kept; i++)
    if (kept[-i].event.kind == TRACE_SHUFFLE && kept[-i].event.warp == e.warp) before = kept - i;
  for (uint32_t lane = 0; lane < 32; lane++) {
    kept->source[lane] = (uint8_t)(lane < by ? lane : lane - by);
    uint32_t mine = (uint32_t)before->value[lane], got = (uint32_t)before->result[lane];
    const uint32_t ways[] = {ls_mt_u32(&s->random), mine + got, LS_MAX(mine, got), lane < by ? mine : mine + got, 7};
    kept->value[lane] = ways[way];
  }
  for (int lane = 0; lane < 32; lane++) kept->result[lane] = kept->value[kept->source[lane]];
  for (int lane = 0; lane < 32 && e.kind == TRACE_VOTE; lane++) kept->result[lane] = e.taken;
  if (e.kind != TRACE_SYNCWARP) kept->event.result = kept->result;
  if (e.kind != TRACE_SHUFFLE) return;
  kept->event.value = kept->value;
  kept->event.source = kept->source;
}

// An atomic of a whole warp on few words: mostly additions, of what is there, as far as anybody knows.
static void add_atomic(Program *p, TraceEvent e) {
  static uint32_t words[32];
  Stream *s = &p->stream;
  uint64_t addr[32];
  e.kind = TRACE_ATOM;
  e.flags = (uint8_t)(TRACE_VALUES | (below(s, 20) ? 0 : TRACE_RETURNS_OLD));
  e.width = 4;
  e.space = (uint8_t)(e.pc % 2 ? TRACE_GLOBAL : TRACE_SHARED);
  uint32_t apart = below(s, 9) ? 0 : 8, most = below(s, 9) ? 16 : 1;
  for (int lane = 0; lane < 32; lane++) addr[lane] = 0x1000 + 4 * (uint64_t)(apart + below(s, most));
  add_event(p, &e, addr);
  Kept *kept = &s->items[s->count - 1];
  for (uint32_t lane = 0; lane < 32; lane++) {
    uint32_t *word = &words[(kept->addr[lane] - 0x1000) / 4];
    kept->value[lane] = most > 1 ? 1 : lane;
    kept->result[lane] = *word;
    *word = below(s, 300) ? *word + (uint32_t)kept->value[lane] : ls_mt_u32(&s->random);
  }
  kept->event.value = kept->value;
  kept->event.result = kept->result;
}

static void add_other(Program *p, TraceEvent e) {
  Stream *s = &p->stream;
  static const uint8_t kinds[] = {TRACE_BRANCH, TRACE_BARRIER, TRACE_VOTE, TRACE_EXEC, TRACE_FAULT, TRACE_NOTE,
                                  TRACE_EXIT};
  if (e.mask == UINT32_MAX && (below(s, 12) ? e.pc % 5 == 4 : !below(s, 40))) { add_exchange(p, e); return; }
  if (e.mask == UINT32_MAX && e.active == e.mask && e.pc % 7 == 2 && below(s, 12)) { add_atomic(p, e); return; }
  if (below(s, 12) ? e.pc % 4 != 0 : below(s, 2) != 0) { add_access(p, e); return; }
  e.kind = kinds[below(s, LS_COUNT(kinds))];
  if (e.kind == TRACE_EXEC) e.mask &= ls_mt_u32(&s->random);   // a guard
  if (e.kind == TRACE_BRANCH) e.taken = below(s, 2) ? e.mask : below(s, 4) ? 0 : e.mask & ls_mt_u32(&s->random);
  e.arrived = (uint16_t)below(s, 3);
  add_event(p, &e, NULL);
  Kept *kept = &s->items[s->count - 1];
  if (e.kind != TRACE_BRANCH) return;
  kept->event.target = (e.pc + (below(s, 10) == 0)) % 7;
  kept->event.reconverge = (e.pc + (below(s, 10) == 0)) % 9 - 1;
}

// A warp goes through some places; here and there it stops within a line, jumps out of it, or tells a fault in it.
static void add_walk(Program *p, uint32_t block, uint16_t warp) {
  Stream *s = &p->stream;
  TraceEvent e = {.block = block, .warp = warp, .kind = TRACE_EXEC, .active = some_lanes(s)};
  for (uint32_t k = 0, n = 1 + below(s, 4), i = below(s, PLACES); k < n; k++, i = (i + 1) % PLACES) {
    Place place = p->places[i];
    int from = below(s, 6) ? 0 : (int)below(s, (uint32_t)place.length + 1);
    int to = below(s, 6) ? place.length : from + (int)below(s, (uint32_t)(place.length - from) + 1);
    e.mask = e.active;
    for (e.pc = place.pc + from; e.pc < place.pc + to; e.pc++) {
      e.flags = below(s, 90) ? 0 : TRACE_RECONVERGES;
      add_event(p, &e, NULL);
      if (below(s, 300) == 0) add_other(p, e);
    }
    e.flags = 0;
    add_other(p, e);
  }
}

// One line that is longer than a chunk, twice.
static void add_long_line(Program *p, uint32_t block) {
  TraceEvent e = {.block = block, .kind = TRACE_EXEC, .active = 7, .mask = 7};
  for (int i = 0; i < 2 * LONG_LINE; i++) {
    e.pc = i % LONG_LINE;
    add_event(p, &e, NULL);
  }
}

// Lines of loads from anywhere: their addresses fill a chunk before its events do.
static void add_wild_loads(Program *p, uint32_t block) {
  TraceEvent e = {.block = block, .kind = TRACE_LOAD, .active = UINT32_MAX, .mask = UINT32_MAX, .width = 4};
  for (int i = 0; i < 3 * TRACE_CHUNK_BYTES / 256; i++) {
    uint64_t addr[32];
    for (int lane = 0; lane < 32; lane++) addr[lane] = (uint64_t)ls_mt_u32(&p->stream.random) << 32 | (uint64_t)lane;
    e.pc = i % MOST_LINE;
    add_event(p, &e, addr);
  }
}

static void make_program(Program *p, uint32_t seed) {
  *p = (Program){.unit = UNIT};
  stream_init(&p->stream, 256, seed);
  make_places(p);
  for (uint32_t block = 0; block < 6; block++) {
    for (int events = (int)below(&p->stream, 30000) + p->stream.count; p->stream.count < events;)
      add_walk(p, block, (uint16_t)below(&p->stream, 8));
    if (block == 3) add_long_line(p, block);
  }
}

static void free_program(Program *p) {
  free(p->patterns);
  free_stream(&p->stream);
}

static bool is_wanted(const TraceEvent *e, const TraceQuery *q) {
  return (q->pc_first < 0 || e->pc == q->pc_first) && (q->warp < 0 || e->warp == q->warp) &&
         (!q->kinds || q->kinds >> e->kind & 1);
}

// ---- told in two ways ----------------------------------------------------------------------------------------------

static bool may_be_in_line(const TraceEvent *e) {
  if (e->kind == TRACE_EXEC || e->kind == TRACE_LOAD || e->kind == TRACE_STORE) return !e->flags;
  if (e->kind == TRACE_BRANCH) return !e->flags && (!e->taken || e->taken == e->mask);
  if (e->kind == TRACE_ATOM) return true;   // see add_atomic
  return e->members == UINT32_MAX && (e->kind == TRACE_SYNCWARP || e->result);   // see add_exchange
}

static bool goes_on(const TraceEvent *a, const TraceEvent *b) {
  int32_t next = a->kind == TRACE_BRANCH && a->taken ? a->target : a->pc + 1;
  return may_be_in_line(b) && b->block == a->block && b->warp == a->warp && b->pc == next &&
         b->active == a->active && b->mask == a->mask;
}

// How many events from i on can be told as a line, at most.
static int line_at(const Stream *s, int i, int most) {
  int n = 1;
  if (!may_be_in_line(&s->items[i].event)) return 0;
  while (n < most && i + n < s->count && goes_on(&s->items[i + n - 1].event, &s->items[i + n].event)) n++;
  return n;
}

static void fill_row(TraceRow *row, const TraceEvent *e) {
  for (int lane = 0; lane < 32; lane++) row->moved.value[lane] = (uint32_t)e->value[lane];
  for (int lane = 0; lane < 32; lane++) row->moved.result[lane] = (uint32_t)e->result[lane];
  memcpy(row->source, e->source, sizeof row->source);
}

static void fill_atoms(TraceAtoms *atoms, const TraceEvent *e) {
  memcpy(atoms->addr, e->addr, sizeof atoms->addr);
  for (int lane = 0; lane < 32; lane++) atoms->operand[lane] = (uint32_t)e->value[lane];
  for (int lane = 0; lane < 32; lane++) atoms->old[lane] = (uint32_t)e->result[lane];
}

static void tell_line(const Stream *s, int i, int n, TraceSink *sink) {
  TraceAct *acts = ls_alloc(sizeof *acts * (size_t)n);
  TraceRow *rows = ls_alloc(sizeof *rows * (size_t)n);
  TraceAtoms *atoms = ls_alloc(sizeof *atoms * (size_t)n);
  uint64_t(*apart)[32] = ls_alloc(sizeof *apart * (size_t)n);
  TraceEvent first = {.step = (uint64_t)i, .kind = TRACE_EXEC, .target = -1, .reconverge = -1, .fault = -1};
  const TraceEvent *like = &s->items[i].event;
  first.block = like->block, first.warp = like->warp, first.pc = like->pc;
  first.active = like->active, first.mask = like->mask;
  TraceLine line = {&first, first.pc, n, acts, 0};
  for (int k = 0; k < n; k++) {
    TraceEvent e = event_of(s, i + k);
    TraceAct *act = &acts[line.act_count];
    if (e.kind == TRACE_EXEC) continue;
    *act = (TraceAct){.pc = e.pc, .kind = e.kind, .space = e.space, .width = e.width, .shape = e.shape,
                      .taken = e.taken, .target = e.target, .reconverge = e.reconverge, .apart = apart[k],
                      .flags = e.flags};
    if (e.kind == TRACE_SHUFFLE) fill_row(&rows[k], &e), act->row = &rows[k];
    if (e.kind == TRACE_ATOM) fill_atoms(&atoms[k], &e), act->atoms = &atoms[k];
    if (e.kind == TRACE_VOTE) act->at = e.result[0];
    if (e.addr && e.mask) act->at = e.addr[__builtin_ctz(e.mask)];
    for (int lane = 0; e.addr && lane < 32; lane++) apart[k][lane] = e.addr[lane] - act->at;
    line.act_count++;
  }
  sink->line(sink, &line);
  free(apart);
  free(atoms);
  free(rows);
  free(acts);
}

static void tell(Program *p, TraceSink *sink, bool as_device) {
  Stream *s = &p->stream;
  for (int i = 0, n; i < s->count; i += n) {
    TraceEvent event = event_of(s, i);
    if (!i || s->items[i - 1].event.block != event.block) sink->begin_block(sink, event.block, true);
    int most = below(s, 3) ? p->unit : 1 + (int)below(s, 20);
    n = as_device ? line_at(s, i, LS_MIN(most, p->unit - i % p->unit)) : 0;
    if (!as_device) event.shape = 0;
    if (n) tell_line(s, i, n, sink); else sink->event(sink, &event);
    n = LS_MAX(n, 1);
    if ((i + n) % p->unit == 0) sink->cut(sink);
  }
}

typedef enum Way { ONE_BY_ONE, LINES, LINES_TEED, LINES_TAKEN_APART } Way;

// Taken apart: whoever cannot take a line is told event by event.
static uint8_t *write_program(Program *p, Way way, size_t *size) {
  TraceInfo info;
  trace_info_init(&info);
  info.launch = p->stream.launch;
  TraceWriter *writer = trace_writer_new(NULL, &info, NULL);
  TraceTee tee;
  trace_tee_init(&tee, NULL, trace_writer_sink(writer));
  if (way == LINES_TAKEN_APART) trace_writer_sink(writer)->line = NULL;
  tell(p, way >= LINES_TEED ? &tee.sink : trace_writer_sink(writer), way != ONE_BY_ONE);
  CHECK(trace_writer_finish(writer, NULL));
  uint8_t *bytes = trace_writer_take(writer, size);
  trace_writer_free(writer);
  return bytes;
}

static void same_bytes(void) {
  for (uint32_t seed = 1; seed <= (uint32_t)check_long(6, 60); seed++) {
    Program p;
    size_t sizes[2];
    make_program(&p, seed);
    add_wild_loads(&p, 6);
    uint8_t *one_by_one = write_program(&p, ONE_BY_ONE, &sizes[0]);
    uint8_t *quick = write_program(&p, LINES + seed % 3, &sizes[1]);
    CHECK_INT(sizes[1], sizes[0]);
    CHECK(sizes[0] == sizes[1] && memcmp(one_by_one, quick, sizes[0]) == 0);
    free(one_by_one);
    free(quick);
    free_program(&p);
  }
}

// Searching passes over chunks by what their summaries say: of chunks that are cut short, a wrong one is soon met.
static void summaries(void) {
  Program p;
  size_t size;
  make_program(&p, 3);
  Stream *s = &p.stream;
  s->count = 20000;
  p.unit = 60;
  uint8_t *bytes = write_program(&p, LINES, &size);
  Trace *trace = trace_open_memory(bytes, size, NULL);
  int wrong = 0;
  for (int round = 0; round < 3000; round++) {
    TraceQuery q;
    int start = (int)below(s, (uint32_t)s->count), i = start + 1;
    const TraceEvent *like = &s->items[below(s, (uint32_t)s->count)].event;
    trace_query_init(&q);
    if (round % 3) q.pc_first = q.pc_last = like->pc;
    if (round % 3 < 2) q.warp = like->warp;
    if (round % 5 == 0) q.kinds = 1u << like->kind;
    while (i < s->count && !is_wanted(&s->items[i].event, &q)) i++;
    uint64_t found = 0;
    bool is_there = trace_find(trace, (uint64_t)start, 1, &q, &found, NULL);
    wrong += is_there != (i < s->count) || (is_there && found != (uint64_t)i);
  }
  CHECK_INT(wrong, 0);
  trace_close(trace);
  free_program(&p);
}

static bool same_shape(const TraceEvent *a, const TraceEvent *b) {
  bool same = a->pc == b->pc && a->kind == b->kind && a->mask == b->mask;
  same = same && a->space == b->space && a->width == b->width;
  uint64_t moved = same ? b->addr[__builtin_ctz(b->mask)] - a->addr[__builtin_ctz(a->mask)] : 0;
  for (int lane = 0; same && lane < 32; lane++)
    same = !(a->mask >> lane & 1) || b->addr[lane] - a->addr[lane] == moved;
  return same;
}

// The reader's own numbers say as much as a device's, so that what was read can be told to a sink as it is.
static void numbers_of_a_reader(void) {
  Program p;
  size_t size, again;
  make_program(&p, 4);
  uint8_t *bytes = write_program(&p, LINES, &size), *copy = memcpy(ls_alloc(size), bytes, size);
  Trace *trace = trace_open_memory(bytes, size, NULL);
  Stream *s = &p.stream;
  Kept *first = ls_alloc(sizeof *first * (size_t)s->count);   // per number: the first event that has it
  int wrong = 0, accesses = 0, shapes = 0;
  for (int i = 0; i < s->count; i++) {
    TraceEvent e;
    CHECK(trace_event(trace, (uint64_t)i, &e, NULL));
    s->items[i].event.shape = e.shape;
    accesses += e.addr && e.mask;
    if (!e.shape || (int)e.shape >= s->count) continue;
    Kept *kept = &first[e.shape];
    if (kept->event.shape) { wrong += !same_shape(&kept->event, &e); continue; }
    shapes++;
    memcpy(kept->addr, e.addr, sizeof kept->addr);
    kept->event = e;
    kept->event.addr = kept->addr;
  }
  CHECK_INT(wrong, 0);
  CHECK(accesses > 5000 && shapes < accesses * 19 / 20);   // many are shared, as wild as these events are
  uint8_t *told = write_program(&p, LINES, &again);
  CHECK(again == size && memcmp(told, copy, size) == 0);
  trace_close(trace);
  free(told);
  free(copy);
  free(first);
  free_program(&p);
}

static const Check checks[] = {
    {"numbers of a reader", numbers_of_a_reader},
    {"summaries of short chunks", summaries},
    {"lines and shapes change no byte", same_bytes},
};

int main(int argc, char **argv) { return check_main("trace_lines", checks, LS_COUNT(checks), argc, argv); }
