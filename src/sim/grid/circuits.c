// circuits.c: ways round loops: seen once, planned, and from then on gone many times at once.
//
// A warp that comes to a head is followed, line by line, until it is back. The first time its way is written down
// and planned. Later a round that went the same way shows that the next ones do, for what decides that stays or is
// counted.
#include "sim/grid/circuits.h"
#include <string.h>
#include "sim/analysis/analysis.h"
#include "sim/grid/circuit_rounds.h"

enum { VISITS = 4, TRIES = 8, MOST_PATIENCE = 7 };

void sim_circuits_start(SimExec *exec) {
  SimCircuits *c = exec->circuits;
  if (!c) return;
  const SimTrail *left = &c->left[sim_warp_index(exec)];
  bool goes_on = left->head >= 0 && exec->active == SIM_FULL && exec->pc == left->pc &&
                 left->block == exec->block.number;
  c->trail.head = -1;
  if (goes_on) c->trail = *left;
  c->left[sim_warp_index(exec)].head = -1;
}

void sim_circuits_leave(SimExec *exec) {
  SimCircuits *c = exec->circuits;
  if (c->trail.head < 0 || c->trail.records || exec->active != SIM_FULL) return;
  c->trail.pc = exec->pc;
  c->trail.block = exec->block.number;
  c->left[sim_warp_index(exec)] = c->trail;
}

// ---- planning ------------------------------------------------------------------------------------------------------

static void plan(SimExec *exec, SimHead *head, int length) {
  SimCircuits *c = exec->circuits;
  head->circuit = sim_circuit_new(exec->program, c->way, length, c->arena);
  head->state = head->circuit ? SIM_HEAD_KNOWN : SIM_HEAD_HOPELESS;
  if (!head->circuit) return;
  int32_t *way = LS_NEW_ARRAY(c->arena, int32_t, length);
  memcpy(way, c->way, sizeof *way * (size_t)length);
  head->way = way;
  head->length = length;
}

// ---- going round ---------------------------------------------------------------------------------------------------

// Who looks for lanes that spin sees none here, for a counter grows; who waits for memory is not on such a way.
static bool may_go(const SimExec *exec) {
  const SimBlock *b = &exec->block;
  return !b->alert || (b->watching && !b->watching_warp && !b->wait.looked);
}

static bool go_round(SimExec *exec, SimHead *head) {
  bool some = sim_circuit_run(exec, head->circuit);
  if (some) { head->patience = 0; return true; }
  head->skip = (uint16_t)(1u << head->patience);
  if (head->patience < MOST_PATIENCE) head->patience++;
  return false;
}

bool sim_circuits_at(SimExec *exec, const SimInst *in) {
  SimCircuits *c = exec->circuits;
  SimTrail *trail = &c->trail;
  SimHead *head = &c->heads[in->pc];
  bool is_back = trail->head == in->pc && trail->at;
  if (is_back && trail->records) plan(exec, head, trail->at);
  bool goes = is_back && head->state == SIM_HEAD_KNOWN && !trail->records && may_go(exec);
  trail->head = -1;
  if (in->rounds || head->tries > VISITS + TRIES) head->state = SIM_HEAD_HOPELESS;   // in->rounds: a loop of one line
  if (head->state == SIM_HEAD_HOPELESS) return false;
  if (goes && go_round(exec, head)) return true;
  if (head->skip) { head->skip--; return false; }
  trail->records = head->state == SIM_HEAD_NEW;
  if (trail->records && ++head->tries < VISITS) return false;
  trail->head = in->pc;
  trail->at = 0;
  return false;
}

static bool goes_on(const SimExec *exec, const SimInst *in, int count) {
  const SimCircuits *c = exec->circuits;
  const SimTrail *trail = &c->trail;
  const SimHead *head = &c->heads[trail->head];
  if (trail->at + count > SIM_CIRCUIT_LONGEST || count > LS_MAX((int)in->full_run, 1)) return false;
  if (trail->records) return true;
  int at = trail->at + count;   // within a line there is one way
  return at <= head->length && exec->pc == head->way[at == head->length ? 0 : at];
}

void sim_circuits_follow(SimExec *exec, const SimInst *in, uint64_t before) {
  SimCircuits *c = exec->circuits;
  SimTrail *trail = &c->trail;
  int count = (int)(exec->block.executed - before);
  if (trail->head < 0) return;
  if (exec->active != SIM_FULL || !goes_on(exec, in, count)) { trail->head = -1; return; }
  for (int i = 0; i < count && trail->records; i++) c->way[trail->at + i] = in->pc + i;
  trail->at += count;
}
