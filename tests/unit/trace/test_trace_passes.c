// test_trace_passes.c: passes of warps over the same lines change no byte of a trace, nor what a tee tells of them.
//
// The same events are told one by one, and as passes: of several warps or one, over lines of loads, stores, jumps and
// plain instructions, whose addresses move by anything, on and on over the ends of chunks.
#include "trace/format.h"
#include "trace_stream.h"

enum { MOST_LINES = 12, MOST_ACTS = 6, MOST_LENGTH = 30, UNIT = 40000, BLOCKS = 4, FAR = 4096 };

typedef struct Scene {         // passes
  TraceEvent firsts[MOST_LINES];
  TraceLine lines[MOST_LINES];
  TraceAct acts[MOST_LINES * MOST_ACTS];
  uint64_t steps[MOST_LINES * MOST_ACTS], apart[MOST_ACTS][32];
  uint32_t number;
  TracePasses passes;
} Scene;

typedef enum Way { ONE_BY_ONE, LINES, PASSES, PASSES_TEED, PASSES_TAKEN_APART, WAYS } Way;

// ---- making them ---------------------------------------------------------------------------------------------------

static void fill_apart(Stream *s, uint64_t apart[32]) {
  uint32_t pattern = below(s, 4);
  for (uint64_t lane = 0; lane < 32; lane++) {
    const uint64_t some[] = {4 * lane, 0, lane / 16 * 512 + lane % 16 * 4, (lane ^ 7) * 12};
    apart[lane] = some[pattern] - some[pattern] % 4;
  }
  for (int lane = 31; lane >= 0; lane--) apart[lane] -= apart[0];
}

// What an instruction is, is the same in all lines of it. Some instructions share a row of tables.
static TraceAct some_act(Stream *s, Scene *scene, int32_t pc, int number) {
  static const uint8_t kinds[] = {TRACE_LOAD, TRACE_LOAD, TRACE_STORE, TRACE_BRANCH};
  TraceAct act = {.pc = pc, .kind = kinds[pc % 4], .target = -1, .reconverge = -1};
  if (act.kind == TRACE_BRANCH) {
    act.taken = below(s, 20) ? 0 : UINT32_MAX;
    act.target = act.taken ? pc + 1 : pc + 9;
    return act;
  }
  act.space = TRACE_GLOBAL;
  act.width = 4;
  act.shape = scene->number * MOST_ACTS + (uint32_t)number;
  act.at = 0x7f0000000000 + 4 * (uint64_t)below(s, 100000);
  act.apart = scene->apart[number];
  return act;
}

static uint64_t some_step(Stream *s, const TraceAct *act) {
  static const uint64_t steps[] = {4, 0, 128, 0 - 64ull, 4096};
  return act->kind == TRACE_BRANCH ? 0 : steps[below(s, LS_COUNT(steps))];
}

static int add_line(Stream *s, Scene *scene, int at, uint32_t block, int32_t pc, uint16_t warp, uint32_t mask) {
  TraceEvent *e = &scene->firsts[at];
  int length = 1 + (int)below(s, MOST_LENGTH), first = scene->passes.act_count, number = 0;
  *e = (TraceEvent){.block = block, .warp = warp, .kind = TRACE_EXEC, .pc = pc, .active = mask, .mask = mask,
                    .target = -1, .reconverge = -1, .fault = -1};
  for (int32_t i = 0; i < length && number < MOST_ACTS; i++) {
    if ((pc + i) % 5) continue;
    TraceAct act = some_act(s, scene, pc + i, number++);
    if (act.kind == TRACE_BRANCH && act.taken) act.taken = mask;
    scene->steps[scene->passes.act_count] = some_step(s, &act);
    scene->acts[scene->passes.act_count++] = act;
  }
  scene->lines[at] = (TraceLine){e, pc, length, &scene->acts[first], scene->passes.act_count - first};
  return length;
}

// Mostly each warp has a line, all the same one but for where it is; or one warp goes on and on; or lines of any warps.
static void make_scene(Stream *s, Scene *scene, uint32_t block, uint32_t scene_number) {
  uint32_t how = below(s, 8);
  int lines = how ? 1 + (int)below(s, MOST_LINES) : 1, turns = how == 1 ? 2 : 1, warps = LS_MAX(lines / turns, 1);
  uint32_t mask = below(s, 9) ? UINT32_MAX : 0xffff;
  int32_t pc = (int32_t)below(s, 200) + (below(s, 6) ? 0 : FAR);
  lines = warps * turns;
  *scene = (Scene){.number = scene_number, .passes = {.lines = scene->lines, .line_count = lines, .acts = scene->acts,
                                                      .steps = scene->steps}};
  for (int i = 0; i < MOST_ACTS; i++) fill_apart(s, scene->apart[i]);
  LsMt same = s->random;
  for (int i = 0; i < lines; i++) {
    if (how > 2) s->random = same;
    uint16_t warp = (uint16_t)(how == 2 ? (int)below(s, 8) : i % warps);
    scene->passes.events += (uint64_t)add_line(s, scene, i, block, pc, warp, mask);
    uint64_t moved = 4096 * (uint64_t)i;
    for (int k = 0; k < scene->lines[i].act_count; k++) ((TraceAct *)(uintptr_t)scene->lines[i].acts)[k].at += moved;
  }
  scene->passes.times = 1 + below(s, below(s, 3) ? 20 : 1500);
}

// ---- telling them --------------------------------------------------------------------------------------------------

static uint64_t told;          // events so far

// Each event of one more pass, without numbers of shapes.
static void tell_events(Scene *scene, TraceSink *sink) {
  for (int i = 0; i < scene->passes.line_count; i++) {
    const TraceLine *line = &scene->lines[i];
    const TraceAct *act = line->acts;
    int32_t pc = line->pc;
    for (int k = 0; k < line->count; k++) {
      TraceEvent event = *line->first;
      uint64_t lanes[2][32];
      bool acts = act < line->acts + line->act_count && act->pc == pc;
      event.pc = pc++;
      if (acts) trace_act_event(line->first, act, &event, lanes), pc = trace_act_next(act++);
      event.shape = 0;
      event.step = told++;
      sink->event(sink, &event);
    }
  }
}

static void tell_passes(Scene *scene, TraceSink *sink, Way way) {
  if (way >= PASSES) {
    uint64_t ahead = 0;
    for (int i = 0; i < scene->passes.line_count; ahead += (uint64_t)scene->lines[i++].count)
      scene->firsts[i].step = told + ahead;
    sink->passes(sink, &scene->passes);
    told += scene->passes.times * scene->passes.events;
    return;
  }
  for (uint64_t pass = 0; pass < scene->passes.times; pass++, trace_passes_move(&scene->passes, 1)) {
    if (way == ONE_BY_ONE) tell_events(scene, sink);
    for (int i = 0; i < scene->passes.line_count && way == LINES; i++) sink->line(sink, &scene->lines[i]);
  }
}

static void tell(uint32_t seed, TraceSink *sink, Way way) {
  Stream s;
  stream_init(&s, 256, seed);
  told = 0;
  uint64_t events = 0;
  uint32_t scenes = 0;
  for (uint32_t block = 0; block < BLOCKS; block++) {
    sink->begin_block(sink, block, true);
    for (int left = 3 + (int)below(&s, 12); left > 0; left--) {
      Scene scene;
      make_scene(&s, &scene, block, ++scenes);
      tell_passes(&scene, sink, way);
      events += scene.passes.times * scene.passes.events;
    }
    if (events > UNIT) events = 0, sink->cut(sink);
  }
  free_stream(&s);
}

static void count_steps(TraceSink *sink, const TraceEvent *event) { CHECK(sink && event->step == told++); }

// Through a tee, with somebody in front who cannot take passes nor lines, and counts.
static uint8_t *write(uint32_t seed, Way way, size_t *size) {
  TraceInfo info;
  TraceTee tee;
  trace_info_init(&info);
  info.launch.grid[0] = 1000;
  info.launch.block[0] = 256;
  TraceWriter *writer = trace_writer_new(NULL, &info, NULL);
  TraceSink *sink = trace_writer_sink(writer);
  trace_tee_init(&tee, NULL, sink);
  if (way == PASSES_TAKEN_APART) sink->line = NULL, sink->passes = NULL;
  tell(seed, way >= PASSES_TEED ? &tee.sink : sink, way);
  CHECK(trace_writer_finish(writer, NULL));
  uint8_t *bytes = trace_writer_take(writer, size);
  trace_writer_free(writer);
  return bytes;
}

static void same_bytes(void) {
  for (uint32_t seed = 1; seed <= (uint32_t)check_long(8, 100); seed++) {
    uint8_t *bytes[WAYS];
    size_t sizes[WAYS];
    for (Way way = 0; way < WAYS; way++) {
      bytes[way] = write(seed, way, &sizes[way]);
      CHECK_INT(sizes[way], sizes[ONE_BY_ONE]);
      CHECK(sizes[way] == sizes[ONE_BY_ONE] && memcmp(bytes[way], bytes[ONE_BY_ONE], sizes[way]) == 0);
    }
    for (Way way = 0; way < WAYS; way++) free(bytes[way]);
  }
}

// ---- what a tee tells of them --------------------------------------------------------------------------------------

typedef struct Listener { TraceSink sink; uint64_t lines, at; } Listener;

static void on_line(TraceSink *sink, const TraceLine *line) {
  Listener *l = (Listener *)(void *)sink;
  l->lines++;
  l->at = l->at * 31 + line->acts[0].at;
}

// Both are told all of it, from the same start, and the acts stand behind the last pass.
static void teed(void) {
  TraceAct acts[] = {{.pc = 1, .kind = TRACE_LOAD, .at = 1000}, {.pc = 1, .kind = TRACE_LOAD, .at = 2000}};
  uint64_t steps[] = {8, 0 - 4ull};
  TraceEvent firsts[2] = {{.kind = TRACE_EXEC}, {.kind = TRACE_EXEC, .warp = 1}};
  TraceLine lines[] = {{&firsts[0], 0, 3, &acts[0], 1}, {&firsts[1], 0, 3, &acts[1], 1}};
  TracePasses passes = {lines, 2, acts, steps, 2, 6, 5};
  Listener first = {.sink = {.line = on_line}}, second = {.sink = {.line = on_line}};
  TraceTee tee;
  trace_tee_init(&tee, &first.sink, &second.sink);
  tee.sink.passes(&tee.sink, &passes);
  uint64_t wanted = 0;
  for (uint64_t i = 0; i < 5; i++) wanted = (wanted * 31 + 1000 + 8 * i) * 31 + 2000 - 4 * i;
  CHECK_INT(first.lines, 10);
  CHECK_INT(second.lines, 10);
  CHECK(first.at == wanted && second.at == wanted);
  CHECK_INT(acts[0].at, 1040);
  CHECK_INT(acts[1].at, 1980);
}

// Somebody who takes single events is told their steps.
static void steps(void) {
  TraceSink each = {.event = count_steps};
  TraceTee tee;
  trace_tee_init(&tee, &each, NULL);
  Stream s;
  stream_init(&s, 256, 5);
  Scene scene;
  make_scene(&s, &scene, 0, 1);
  uint64_t before = told = 0, ahead = 0;
  for (int i = 0; i < scene.passes.line_count; ahead += (uint64_t)scene.lines[i++].count) scene.firsts[i].step = ahead;
  tee.sink.passes(&tee.sink, &scene.passes);
  CHECK_INT(told - before, scene.passes.times * scene.passes.events);
  free_stream(&s);
}

static const Check checks[] = {{"the same bytes", same_bytes}, {"told by a tee", teed}, {"steps", steps}};

int main(int argc, char **argv) { return check_main("trace_passes", checks, LS_COUNT(checks), argc, argv); }
