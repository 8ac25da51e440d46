// coherence.c: the protocols, one operation at a time.
#include "model/coherence.h"

#include "base/mem.h"

void coherence_init(Coherence *c, CohProtocol protocol, int cores, int64_t lease) {
  *c = (Coherence){.protocol = protocol, .cores = LS_CLAMP(cores, 1, COH_CORES), .lease = lease};
  for (int i = 0; i < c->cores; i++) c->core[i].state = 'I';
}

int coherence_messages(const CohTraffic *t) {
  return t->requests + t->heard + t->fills + t->invalidations + t->answers + t->write_backs + t->writes_through;
}

static bool is_temporal(const Coherence *c) { return c->protocol == COH_TC_STRONG || c->protocol == COH_TC_WEAK; }

// ---- MESI, by bus or directory -------------------------------------------------------------------------------------

static void write_back(Coherence *c, int core, CohEvent *event) {
  c->memory = c->core[core].value;
  event->traffic.write_backs++;
  event->did[core] = 'b';
}

// A request goes on the bus, where all others hear it, or to the directory.
static void ask(const Coherence *c, int core, CohEvent *event) {
  event->traffic.requests++;
  if (c->protocol == COH_MESI) event->traffic.heard += c->cores - 1;
  event->did[core] = 'a';
}

static void mesi_read(Coherence *c, const CohOp *op, CohEvent *event) {
  bool shared = false;
  if (c->core[op->core].state != 'I') {
    event->traffic.hits++;
    event->did[op->core] = 'h';
    return;
  }
  ask(c, op->core, event);
  for (int i = 0; i < c->cores; i++) {
    if (c->core[i].state == 'I') continue;
    if (c->core[i].state == 'M') write_back(c, i, event);
    else if (c->core[i].state == 'E') event->did[i] = 's';
    c->core[i].state = 'S';
    shared = true;
  }
  event->traffic.fills++;
  c->core[op->core] = (CohCore){shared ? 'S' : 'E', c->memory, 0};
}

static void mesi_write(Coherence *c, const CohOp *op, CohEvent *event) {
  CohCore *mine = &c->core[op->core];
  bool alone = mine->state == 'M' || mine->state == 'E';
  event->did[op->core] = alone ? 'h' : 'a';
  event->traffic.hits += alone;
  if (!alone) ask(c, op->core, event);
  event->traffic.fills += mine->state == 'I';
  for (int i = 0; i < c->cores && !alone; i++) {
    if (i == op->core || c->core[i].state == 'I') continue;
    event->did[i] = 'i';
    if (c->core[i].state == 'M') write_back(c, i, event);
    event->traffic.invalidations++;
    event->traffic.answers += c->protocol == COH_DIRECTORY;
    c->core[i].state = 'I';
  }
  *mine = (CohCore){'M', op->value, 0};
}

// ---- GPU-VI --------------------------------------------------------------------------------------------------------

static void vi_read(Coherence *c, const CohOp *op, CohEvent *event) {
  bool hit = c->core[op->core].state == 'V';
  event->did[op->core] = hit ? 'h' : 'a';
  event->traffic.hits += hit;
  event->traffic.requests += !hit;
  event->traffic.fills += !hit;
  if (!hit) c->core[op->core] = (CohCore){'V', c->memory, 0};
}

static void vi_write(Coherence *c, const CohOp *op, CohEvent *event) {
  event->did[op->core] = 'a';
  event->traffic.writes_through++;
  for (int i = 0; i < c->cores; i++) {
    if (i == op->core || c->core[i].state != 'V') continue;
    c->core[i].state = 'I';
    event->did[i] = 'i';
    event->traffic.invalidations++;
    event->traffic.answers++;
  }
  c->memory = c->core[op->core].value = op->value;
}

// ---- temporal coherence --------------------------------------------------------------------------------------------

// The clock goes on: copies whose time is over are I, and a write that waited for them is done.
static void pass_time(Coherence *c, int64_t time) {
  c->now = LS_MAX(c->now, time);
  if (!is_temporal(c)) return;
  for (int i = 0; i < c->cores; i++)
    if (c->core[i].state == 'V' && c->core[i].until <= c->now) c->core[i].state = 'I';
  if (!c->waits || c->waiting_until > c->now) return;
  c->memory = c->waiting_value;
  c->waits = false;
}

// While a write waits, no copy is given that would live longer than it waits.
static void tc_read(Coherence *c, const CohOp *op, CohEvent *event) {
  CohCore *mine = &c->core[op->core];
  bool hit = mine->state == 'V';
  event->did[op->core] = hit ? 'h' : 'a';
  event->traffic.hits += hit;
  event->traffic.requests += !hit;
  event->traffic.fills += !hit;
  if (hit) return;
  int64_t until = c->now + c->lease;
  if (c->waits) until = LS_MIN(until, c->waiting_until);
  *mine = (CohCore){'V', c->memory, until};
  c->lease_end = LS_MAX(c->lease_end, until);
}

static void tc_write(Coherence *c, const CohOp *op, CohEvent *event) {
  event->did[op->core] = 'a';
  event->traffic.writes_through++;
  c->core[op->core].state = 'I';
  int64_t all = LS_MAX(c->now, c->lease_end);
  if (c->protocol == COH_TC_WEAK || all == c->now) {
    c->memory = op->value;
    return;
  }
  c->waits = true;
  c->waiting_value = op->value;
  c->waiting_until = event->done = all;
}

// Of TC-weak; TC-strong has waited in its write, if it was this core's.
static void tc_fence(const Coherence *c, CohEvent *event) {
  if (c->protocol == COH_TC_WEAK) event->done = LS_MAX(c->now, c->lease_end);
  else if (c->waits) event->done = c->waiting_until;
}

// ---- all of them ---------------------------------------------------------------------------------------------------

static void add_traffic(CohTraffic *sum, const CohTraffic *more) {
  sum->hits += more->hits, sum->requests += more->requests, sum->heard += more->heard, sum->fills += more->fills;
  sum->invalidations += more->invalidations, sum->answers += more->answers;
  sum->write_backs += more->write_backs, sum->writes_through += more->writes_through;
}

void coherence_step(Coherence *c, const CohOp *op, CohEvent *event) {
  static void (*const reads[])(Coherence *, const CohOp *, CohEvent *) = {mesi_read, mesi_read, vi_read, tc_read, tc_read};
  static void (*const writes[])(Coherence *, const CohOp *, CohEvent *) = {mesi_write, mesi_write, vi_write, tc_write, tc_write};
  *event = (CohEvent){.value = op->value};
  if (op->core < 0 || op->core >= c->cores) return;
  pass_time(c, op->time);
  event->done = c->now;
  if (op->kind == 'r') reads[c->protocol](c, op, event);
  else if (op->kind == 'w') writes[c->protocol](c, op, event);
  else if (is_temporal(c)) tc_fence(c, event);
  if (op->kind == 'r') event->value = c->core[op->core].value;
  add_traffic(&c->traffic, &event->traffic);
}
