// abreast.c: many stints at once, of warps that go round the same loop side by side.
//
//   warp 0   --->  --->  --->           a stint is some rounds of the loop, or from its middle to its middle, and after
//        1      --->  --->  --->        some of them, a period, the warp stands where it stood. How many rounds are to
//        2 waits                        come is known (rounds.h), so all of these stints are known before the first one
//
// They are executed in the order that they have one by one, so memory and checks see what they always see; where that
// cannot matter, those of a warp are executed at once.
#include <stdlib.h>
#include "sim/core/sched.h"
#include "sim/core/sums.h"
#include "sim/grid/abreast_parts.h"
#include "sim/grid/dots.h"
#include "sim/grid/step.h"
#include "sim/grid/stints.h"

enum { FEWEST_STINTS = 2, MOST_SKIPS = 6, LONGEST_STINT = 128 };

// ---- who can -------------------------------------------------------------------------------------------------------

static bool may_run(const SimExec *exec) {
  const SimBlock *b = &exec->block;
  bool told = exec->tells_lines && exec->sink->passes;
  return exec->takes_turns && exec->steady && (exec->bare || told) && !exec->seed && !exec->program->options.path &&
         !b->turn && !b->in_turn && !b->watching && !b->lone && !exec->stopping;
}

// A warp that has no stint in this pass, nor in the next ones, as long as the others only go round a loop.
static bool stands_aside(const SimExec *exec, const SimWarp *w) {
  const SimStint *t = &w->stint;
  return !t->open && t->served && (!w->group_count || t->spent || !sim_lanes_that_could_run(exec, w));
}

// The loop of one line around an instruction, if its rounds can be counted; NULL.
static const SimInst *loop_around(const SimExec *exec, int32_t pc) {
  const SimInst *in = &exec->code[pc], *end = in + in->run - 1;
  if (!in->run || !end->jumps) return NULL;
  const SimInst *line = &exec->code[((const SimBranch *)end->more)->target];
  return line->rounds && line <= in && line + line->run - 1 == end && line->run <= SIM_WALK_LOOP ? line : NULL;
}

// In the middle of its turn, with all lanes.
static bool goes_on(const SimExec *exec, const SimWarp *w, const SimInst *line) {
  const SimStint *t = &w->stint;
  const SimLanes *g = &w->groups[0];
  if (!t->open || !t->resume || t->alert || w->group_count != 1 || g->mask != SIM_FULL) return false;
  if (g->state != SIM_GROUP_RUN || g->joined || g->forced || w->picked) return false;
  const SimConv *v = g->conv >= 0 ? &w->convs[g->conv] : NULL;
  return !(v && v->depth == g->depth && v->pc == line->pc) && loop_around(exec, g->pc) == line;
}

// The stints up to where it stands in the loop again; how many: 0: too many.
static int find_period(const SimExec *exec, const struct SimAbreast *a, SimWalker *w) {
  int32_t at = w->from;
  w->period = 0;
  for (int i = 0; i < SIM_WALK_STINTS; i++) {
    w->stints[i] = sim_stint_round(exec, a->line, &at);
    w->period += w->stints[i];
    if (at == w->from) return i + 1;
  }
  return 0;
}

static void use(SimExec *exec, const SimWalker *w) {
  exec->warp = w->warp;
  exec->regs = exec->files + (size_t)sim_warp_index(exec) * exec->program->file_bytes;
  exec->group = &w->warp->groups[0];
}

static bool add_walker(SimExec *exec, struct SimAbreast *a, SimWarp *warp) {
  SimWalker *w = &a->walkers[a->count];
  w->warp = warp;
  w->from = w->at = warp->groups[0].pc - a->line->pc;
  w->done = 0;
  int stints = find_period(exec, a, w);
  if (!stints || (a->count && stints != a->stints)) return false;
  a->stints = stints;
  use(exec, w);
  if (!sim_rounding_start(exec, &w->round, a->line, a->line->pc + w->from, SIM_TURN)) return false;
  w->round.next = w->round.going + a->accesses[w->from];
  a->count++;
  return true;
}

static void note_loop(struct SimAbreast *a, const SimInst *line) {
  const SimRounds *r = line->rounds;
  if (a->line == line) return;
  a->line = line;
  a->length = line->run;
  for (int i = 0, member = 0, access = 0; i < a->length; i++) {
    while (member < r->member_count && r->members[member].inst < line + i) access += r->members[member++].accesses;
    a->members[i] = (uint16_t)member;
    a->accesses[i] = (uint8_t)access;
  }
}

// Finds out who goes round a loop; false: not all who have a stint do.
static bool gather(SimExec *exec, struct SimAbreast *a) {
  const SimBlock *b = &exec->block;
  bool unserved = false;
  a->count = 0;
  for (int i = 0; i < exec->warp_count; i++) {
    SimWarp *w = &exec->warps[b->order[i]];
    if (stands_aside(exec, w)) continue;
    if (!a->count) {
      const SimInst *line = w->group_count ? loop_around(exec, w->groups[0].pc) : NULL;
      if (!line) return false;
      note_loop(a, line);
    }
    if (!goes_on(exec, w, a->line) || !add_walker(exec, a, w)) return false;
    unserved |= !w->stint.served;
  }
  return a->count > 1 && unserved;
}

// Stints before a walker leaves the loop, or its turn ends.
static uint64_t stints_of(const struct SimAbreast *a, const SimWalker *w) {
  const SimRounds *r = a->line->rounds;
  uint64_t back = w->round.back, tested = r->test < w->round.from;   // in the round that it stands in
  uint64_t rounds = back > tested ? back - tested : 0, turn = (uint64_t)LS_MAX(w->warp->stint.left - 1, 0);
  uint64_t left = LS_MIN(rounds * (uint64_t)a->length, turn), period = (uint64_t)w->period;
  uint64_t stints = left / period * (uint64_t)a->stints;
  left %= period;
  for (int i = 0; left >= (uint64_t)w->stints[i]; i++) left -= (uint64_t)w->stints[i], stints++;
  return stints;
}

// How many passes are foreseen; 0: too few.
static uint64_t count_passes(const struct SimAbreast *a, uint64_t room) {
  uint64_t passes = SIM_TURN, most = (uint64_t)a->count * LONGEST_STINT;
  for (int i = 0; i < a->count; i++) passes = LS_MIN(passes, stints_of(a, &a->walkers[i]));
  room -= LS_MIN(room, most + SIM_TURN);
  passes = LS_MIN(passes, room / most);
  return passes < FEWEST_STINTS ? 0 : passes;
}

// ---- on the way ----------------------------------------------------------------------------------------------------

// Goes on by `length` instructions. False: by fewer, up to where somebody wants to know more.
static bool walk(SimExec *exec, const struct SimAbreast *a, SimWalker *w, int32_t length) {
  const SimRounds *r = a->line->rounds;
  const SimRoundMember *stop = NULL;
  int32_t at = w->at, to = at + length;
  use(exec, w);
  for (; to >= a->length; to -= a->length) {
    stop = sim_rounding_go(exec, &w->round, r->members + a->members[at], r->members + r->member_count);
    if (stop) break;
    w->done += a->length - at;
    w->round.next = w->round.going;
    at = 0;
  }
  if (!stop) stop = sim_rounding_go(exec, &w->round, r->members + a->members[at], r->members + a->members[to]);
  w->at = stop ? (int32_t)(stop->inst - a->line) : to;
  w->done += w->at - at;
  return !stop;
}

static int32_t length_of(const struct SimAbreast *a, const SimWalker *w, uint64_t passes) {
  uint64_t stints = (uint64_t)a->stints;
  int32_t length = (int32_t)(passes / stints) * w->period;
  for (uint64_t i = 0; i < passes % stints; i++) length += w->stints[i];
  return length;
}

// Sums of products, in whole rounds from the start of the loop. False: nothing was executed.
static bool add_up(SimExec *exec, const struct SimAbreast *a, SimWalker *w, int rounds) {
  const SimRounds *r = a->line->rounds;
  if (!rounds || !r->dot || !sim_dots_run_rounds(exec, &w->round, rounds)) return false;
  for (int i = 0; i < r->access_count; i++) {
    SimGoing *g = &w->round.going[i];
    g->place = (uint8_t *)((uintptr_t)g->place + g->step * (uint64_t)rounds);
  }
  w->done += (int64_t)rounds * a->length;
  return true;
}

// All of its stints, one after the other.
static void walk_alone(SimExec *exec, const struct SimAbreast *a, SimWalker *w, int32_t length) {
  int32_t head = LS_MIN(length, w->at ? a->length - w->at : 0), rounds = (length - head) / a->length;
  walk(exec, a, w, head);
  if (add_up(exec, a, w, rounds)) length -= rounds * a->length;
  walk(exec, a, w, length - head);
}

// Nobody stores, and nobody looks on: it is all the same whose stint comes first.
static bool is_any_order_right(const SimExec *exec, const struct SimAbreast *a) {
  bool right = true;
  for (int i = 0; i < a->count * a->line->rounds->access_count; i++) {
    const SimShape *s = a->walkers[i % a->count].round.going[i / a->count].shape;
    right = right && !s->is_store && (!exec->checks || s->judge == SIM_JUDGE_NOTHING);
  }
  return right;
}

// How far all came: so many passes, and of one more so many walkers, the next of which was cut off in its stint.
typedef struct Way { uint64_t passes; int walkers; bool is_cut_off; } Way;

static Way walk_abreast(SimExec *exec, struct SimAbreast *a, uint64_t passes) {
  Way way = {0};
  for (; way.passes < passes; way.passes++) {
    int stint = (int)(way.passes % (uint64_t)a->stints);
    for (way.walkers = 0; way.walkers < a->count; way.walkers++) {
      SimWalker *w = &a->walkers[way.walkers];
      if (walk(exec, a, w, w->stints[stint])) continue;
      way.is_cut_off = true;
      return way;
    }
  }
  way.walkers = 0;
  return way;
}

static Way walk_all(SimExec *exec, struct SimAbreast *a, uint64_t passes) {
  if (!is_any_order_right(exec, a)) return walk_abreast(exec, a, passes);
  for (int i = 0; i < a->count; i++)
    walk_alone(exec, a, &a->walkers[i], length_of(a, &a->walkers[i], passes));
  return (Way){.passes = passes};
}

// ---- where they stand then -----------------------------------------------------------------------------------------

// What was executed from where it stood on.
static void count(SimExec *exec, const struct SimAbreast *a, const SimWalker *w) {
  int32_t n = a->length, part = (int32_t)(w->done % n), first = LS_MIN(part, n - w->from), pc = a->line->pc;
  int64_t rounds = w->done / n, jumps = rounds + (w->from + part >= n);
  if (rounds) sim_count_lines(exec, pc, n, rounds);
  if (first) sim_count_line(exec, pc + w->from, first);
  if (part > first) sim_count_line(exec, pc, part - first);
  if (jumps) sim_sum_times(exec, pc + n - 1, (uint64_t)jumps);
}

// `left`: instructions of a stint that was cut off, which are not part of what was put away.
static void put_away(SimExec *exec, const struct SimAbreast *a, const SimWalker *w, int32_t left) {
  SimStint *t = &w->warp->stint;
  int32_t spent = (int32_t)w->done - left;
  use(exec, w);
  sim_rounding_end(exec, &w->round, (uint64_t)(w->done / a->length), (int32_t)(w->done % a->length), true);
  count(exec, a, w);
  w->warp->groups[0].pc = a->line->pc + w->at;
  w->warp->prefer = -1;
  t->left -= spent;
  t->slice -= spent;
  t->executed += (uint64_t)spent;
  exec->block.executed += (uint64_t)spent;
  exec->block.events += (uint64_t)w->done;
}

// Those before it had their stint in this pass, and it is in the middle of its own.
static void stand_in_stint(SimExec *exec, const struct SimAbreast *a, const SimWalker *w, int32_t part, uint64_t room) {
  SimBlock *b = &exec->block;
  use(exec, w);
  int number = sim_warp_index(exec);
  exec->passes[number].end = 0;
  while (b->order[b->turn] != (uint32_t)number) b->turn++;
  b->ran = (int32_t)(w - a->walkers);
  sim_stint_start(exec, room);
  b->in_turn = true;
  sim_advance(exec, part);
}

static int32_t part_of_stint(const struct SimAbreast *a, const SimWalker *w, uint64_t passes) {
  return (int32_t)w->done - length_of(a, w, passes);
}

static void end(SimExec *exec, struct SimAbreast *a, const Way *way, uint64_t room) {
  const SimWalker *last = way->is_cut_off ? &a->walkers[way->walkers] : NULL;
  int32_t part = last ? part_of_stint(a, last, way->passes) : 0;
  uint64_t stints = (uint64_t)a->stints;
  int more = (int)(way->passes % stints) * a->count + way->walkers;
  if (exec->recording) sim_abreast_tell(exec, a, way->passes / stints, more, part);
  for (int i = 0; i < a->count; i++) put_away(exec, a, &a->walkers[i], &a->walkers[i] == last ? part : 0);
  exec->block.round_progress = true;
  if (last) stand_in_stint(exec, a, last, part, room);
  exec->group = NULL;
}

// ---- passes --------------------------------------------------------------------------------------------------------

static bool run(SimExec *exec, struct SimAbreast *a, uint64_t room) {
  if (!gather(exec, a)) return false;
  uint64_t passes = count_passes(a, room);
  if (!passes) return false;
  exec->active = SIM_FULL;
  exec->active_count = SIM_LANES;
  exec->alone = true;
  exec->partial = false;
  Way way = walk_all(exec, a, passes);
  end(exec, a, &way, room);
  return way.passes >= FEWEST_STINTS;
}

void sim_abreast_run(SimExec *exec, uint64_t room) {
  if (!may_run(exec)) return;
  if (!exec->abreast) exec->abreast = ls_alloc(sizeof *exec->abreast);
  struct SimAbreast *a = exec->abreast;
  if (a->skip) { a->skip--; return; }
  if (run(exec, a, room)) { a->patience = 0; return; }
  exec->group = NULL;
  if (!a->count) return;   // which took no time
  a->skip = (1 << a->patience) - 1;
  if (a->patience < MOST_SKIPS) a->patience++;
}

void sim_abreast_free(SimExec *exec) {
  struct SimAbreast *a = exec->abreast;
  if (!a) return;
  free(a->acts);
  free(a->steps);
  free(a);
}
