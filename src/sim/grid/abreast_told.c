// abreast_told.c: what is told of stints of warps that go round a loop side by side.
#include "sim/grid/abreast_parts.h"
#include "sim/grid/lines.h"

// What an instruction does in its round'th round, and by how much its address grows in a period.
static void add_act(struct SimAbreast *a, const SimWalker *w, const SimInst *in, uint64_t round) {
  TraceAct act = {.pc = in->pc, .kind = in->kind, .target = -1, .reconverge = -1};
  uint64_t step = 0;
  if (in->shaped) {
    const SimGoing *g = &w->round.going[a->accesses[in - a->line]];
    act = g->shape->act;
    act.at = g->at + round * g->step - g->shape->shift;
    step = g->step * (uint64_t)(w->period / a->length);
  } else if (in->kind == TRACE_BRANCH) {
    sim_jump_act(&act, in, SIM_FULL);
  } else {
    sim_param_act(&act, in, SIM_FULL);
  }
  LS_PUSH(a->acts, a->act_count, a->act_capacity, act);
  LS_PUSH(a->steps, a->step_count, a->step_capacity, step);
}

// A stint `before` instructions behind where the warp stood. Its acts are found later: they may move.
static void add_line(const SimExec *exec, struct SimAbreast *a, int at, const SimWalker *w, int32_t before) {
  int32_t length = w->stints[at / a->count], first = a->act_count;
  TraceEvent *e = &a->firsts[at];
  *e = (TraceEvent){.block = exec->block.number, .warp = (uint16_t)(w->warp - exec->warps), .kind = TRACE_EXEC,
                    .pc = a->line->pc + (w->from + before) % a->length, .active = SIM_FULL, .mask = SIM_FULL,
                    .target = -1, .reconverge = -1, .fault = -1};
  for (int32_t i = before; i < before + length; i++) {
    const SimInst *in = &a->line[(w->from + i) % a->length];
    if (in->kind != TRACE_EXEC) add_act(a, w, in, (uint64_t)(i / a->length));
  }
  a->lines[at] = (TraceLine){.first = e, .pc = e->pc, .count = length, .act_count = a->act_count - first};
}

static uint64_t add_lines(const SimExec *exec, struct SimAbreast *a) {
  int32_t before[SIM_MAX_WARPS] = {0};
  uint64_t events = 0;
  a->act_count = a->step_count = 0;
  for (int i = 0; i < a->stints * a->count; i++) {
    int number = i % a->count;
    add_line(exec, a, i, &a->walkers[number], before[number]);
    before[number] += a->walkers[number].stints[i / a->count];
    a->firsts[i].step = exec->step + events;
    events += (uint64_t)a->lines[i].count;
  }
  const TraceAct *acts = a->acts;
  for (int i = 0; i < a->stints * a->count; acts += a->lines[i++].act_count) a->lines[i].acts = acts;
  return events;
}

static void tell_line(SimExec *exec, TraceLine *line, const TraceEvent *first) {
  TraceEvent e = *first;
  if (!line->count) return;
  e.step = exec->step;
  line->first = &e;
  exec->sink->line(exec->sink, line);
  exec->step += (uint64_t)line->count;
}

// The first instructions of a line.
static TraceLine part_of_line(const TraceLine *line, const struct SimAbreast *a, int32_t part) {
  TraceLine cut = *line;
  int32_t from = line->pc - a->line->pc;
  cut.count = part;
  cut.act_count = 0;
  for (int32_t i = 0; i < part; i++) cut.act_count += a->line[(from + i) % a->length].kind != TRACE_EXEC;
  return cut;
}

void sim_abreast_tell(SimExec *exec, struct SimAbreast *a, uint64_t periods, int stints, int32_t part) {
  uint64_t events = add_lines(exec, a);
  TracePasses passes = {.lines = a->lines, .line_count = a->stints * a->count, .acts = a->acts, .steps = a->steps,
                        .act_count = a->act_count, .events = events, .times = periods};
  if (periods) exec->sink->passes(exec->sink, &passes);
  exec->step += events * periods;
  for (int i = 0; i < stints; i++) tell_line(exec, &a->lines[i], &a->firsts[i]);
  if (!part) return;
  TraceLine cut = part_of_line(&a->lines[stints], a, part);
  tell_line(exec, &cut, &a->firsts[stints]);
}
