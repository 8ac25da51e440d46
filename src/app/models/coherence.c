// coherence.c: the model of caches that have to agree: MESI, a directory, GPU-VI, and copies with a date.
#include "app/models/coherence.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { PROTOCOL, CORES, LEASE, CORE, STEP };

static const char *const protocols[] = {"MESI", "directory", "GPU-VI", "TC strong", "TC weak"};

static RecipeParam params[] = {
    [PROTOCOL] = {.name = "protocol", .help = "how the caches agree", .is_text = true, .max = COH_PROTOCOLS - 1,
                  .step = 1,
                  .choices = (const char **)protocols, .choice_count = COH_PROTOCOLS},
    [CORES] = {.name = "cores", .help = "caches that may have a copy of the line", .fallback = 4, .min = 1,
               .max = COH_CORES,
               .step = 1},
    [LEASE] = {.name = "lease", .help = "of TC: how long a copy is good", .fallback = 10, .min = 1, .max = 1000,
               .step = 1},
    [CORE] = {.name = "core", .help = "the core that r and w are for", .max = COH_CORES - 1, .step = 1},
    [STEP] = {.name = "step", .help = "operations that are done", .max = COHERENCE_OPS, .step = 1},
};

const char *coherence_protocol(CohProtocol protocol) { return protocols[LS_CLAMP((int)protocol, 0,
                                                                                 COH_PROTOCOLS - 1)]; }

// ---- operations ----------------------------------------------------------------------------------------------------

// op = ("r" | "w" | "f") CORE ["=" VALUE] ["@" TIME]. *text goes behind it and the blanks after it.
static bool read_op(const char **text, CohOp *op) {
  char *end;
  const char *p = *text;
  if (*p != 'r' && *p != 'w' && *p != 'f') return false;
  op->kind = *p++;
  if (!isdigit((unsigned char)*p)) return false;
  long core = strtol(p, &end, 10), value = op->value, time = (long)op->time;
  if (*end == '=' && isdigit((unsigned char)end[1])) value = strtol(end + 1, &end, 10);
  if (*end == '@' && isdigit((unsigned char)end[1])) time = strtol(end + 1, &end, 10);
  if ((*end && *end != ' ') || core >= COH_CORES || value > INT32_MAX || time < op->time ||
      time > INT32_MAX) return false;
  op->core = (int)core, op->value = (int)value, op->time = time;
  *text = end + strspn(end, " ");
  return true;
}

// Times go on by one, and each write has the next number, unless it is said otherwise. -1: *bad is no operation.
static int read_ops(const char *script, CohOp ops[COHERENCE_OPS], const char **bad) {
  int count = 0, writes = 0;
  int64_t time = 0;
  for (const char *p = script + strspn(script, " "); *p && count < COHERENCE_OPS; count++) {
    ops[count] = (CohOp){.value = writes + 1, .time = time};
    *bad = p;
    if (!read_op(&p, &ops[count])) return -1;
    writes += ops[count].kind == 'w';
    time = ops[count].time + 1;
  }
  return count;
}

static bool check(const char *script, LsErr *err) {
  CohOp ops[COHERENCE_OPS];
  const char *bad;
  if (read_ops(script, ops, &bad) >= 0) return true;
  return ls_fail(err, LS_EREQUEST, "'%.20s' is no operation: r0 reads on core 0, w2=7@6 writes 7 on core 2 at time 6 "
                                   "(times "
                 "never go back), f2 is a fence", bad);
}

CoherenceModel *coherence_model(const ModelValues *values) {
  CoherenceModel *m = ls_alloc(sizeof *m);
  const char *bad;
  m->protocol = (CohProtocol)model_int(values, PROTOCOL);
  m->cores = model_int(values, CORES);
  m->lease = values->numbers.value[LEASE];
  m->chosen = LS_MIN(model_int(values, CORE), m->cores - 1);
  m->op_count = LS_MAX(read_ops(values->script, m->ops, &bad), 0);
  m->step = LS_MIN(model_int(values, STEP), m->op_count);
  coherence_init(&m->after[0], m->protocol, m->cores, m->lease);
  for (int i = 0; i < m->op_count; i++) {
    m->after[i + 1] = m->after[i];
    coherence_step(&m->after[i + 1], &m->ops[i], &m->events[i]);
  }
  return m;
}

static int64_t end(const ModelValues *values) {
  CohOp ops[COHERENCE_OPS];
  const char *bad;
  return LS_MAX(read_ops(values->script, ops, &bad), 0);
}

// r and w for the chosen core: what comes after the shown step is forgotten.
static bool key(ModelValues *values, uint32_t code) {
  CohOp ops[COHERENCE_OPS];
  const char *bad;
  if (code != 'r' && code != 'w' && code != 'f') return false;
  int count = read_ops(values->script, ops, &bad), step = LS_MIN(model_int(values, STEP), count);
  const char *p = values->script + strspn(values->script, " ");
  for (int i = 0; i < step; i++) p += strcspn(p, " "), p += strspn(p, " ");
  size_t kept = (size_t)(p - values->script);
  while (kept && values->script[kept - 1] == ' ') kept--;
  char more[16];
  int core = LS_MIN(model_int(values, CORE), model_int(values, CORES) - 1);
  snprintf(more, sizeof more, "%s%c%d", kept ? " " : "", (char)code, core);
  if (step >= COHERENCE_OPS || kept + strlen(more) >= sizeof values->script) return true;
  snprintf(values->script + kept, sizeof values->script - kept, "%s", more);
  values->numbers.value[STEP] = step + 1;
  return true;
}

// ---- numbers and words ---------------------------------------------------------------------------------------------

static void states_text(const Coherence *c, char *out, size_t size) {
  size_t count = LS_MIN((size_t)c->cores, size - 1);
  for (size_t i = 0; i < count; i++) out[i] = c->core[i].state;
  out[count] = 0;
}

static void facts(const ModelValues *values, ModelFacts *out) {
  CoherenceModel *m = coherence_model(values);
  const Coherence *c = &m->after[m->step];
  const CohEvent *last = m->step ? &m->events[m->step - 1] : NULL;
  char states[COH_CORES + 1];
  states_text(c, states, sizeof states);
  fact_text(out, "states", states);
  fact_number(out, "hits", "", c->traffic.hits);
  fact_number(out, "requests", "messages", c->traffic.requests);
  fact_number(out, "heard", "messages", c->traffic.heard);
  fact_number(out, "fills", "messages", c->traffic.fills);
  fact_number(out, "invalidations", "messages", c->traffic.invalidations);
  fact_number(out, "answers", "messages", c->traffic.answers);
  fact_number(out, "write_backs", "messages", c->traffic.write_backs);
  fact_number(out, "writes_through", "messages", c->traffic.writes_through);
  fact_number(out, "messages", "messages", coherence_messages(&c->traffic));
  fact_number(out, "last_value", "", last ? last->value : 0);
  fact_number(out, "last_done", "", last ? (double)last->done : 0);
  free(m);
}

static void words(const ModelValues *values, LsText *out) {
  static const char *const rules[] = {
      "A bus: every cache hears every request.", "A directory at the L2 writes only to those who have a copy.",
      "V or I: every write goes through to the L2, which invalidates all other copies.",
      "Copies have a date: no message ends them, and a write waits until all are over.",
      "Copies have a date: a write is done at once, others may still read the old value, and a fence waits."};
  CoherenceModel *m = coherence_model(values);
  const CohOp *op = m->step ? &m->ops[m->step - 1] : NULL;
  const CohEvent *event = m->step ? &m->events[m->step - 1] : NULL;
  ls_text_add(out, rules[m->protocol]);
  if (op && op->core >= m->cores) ls_text_addf(out, " Core %d is none of the %d.", op->core, m->cores);
  else if (op && op->kind == 'r')
    ls_text_addf(out, " Core %d reads %d%s.", op->core, event->value, event->traffic.hits ? ", a hit" : "");
  else if (op && op->kind == 'w') {
    ls_text_addf(out, " Core %d writes %d", op->core, op->value);
    if (event->done > op->time) ls_text_addf(out, ", done at %lld", (long long)event->done);
    if (event->traffic.invalidations) ls_text_addf(out, ": %d invalidated", event->traffic.invalidations);
    ls_text_add(out, ".");
  } else if (op) ls_text_addf(out, " The fence of core %d takes %lld.", op->core, (long long)(event->done - op->time));
  int messages = coherence_messages(&m->after[m->step].traffic);
  ls_text_addf(out, " %d %s so far.", messages, messages == 1 ? "message" : "messages");
  free(m);
}

static const ModelKey keys[] = {{"r w", "read write"}, {"f", "fence"}};

static int64_t most(const ModelValues *values, int param) {
  return param == CORE ? values->numbers.value[CORES] - 1 : params[param].max;
}

const Model model_coherence = {
    .recipe = {.name = "coherence", .title = "How caches agree on a line", .topic = "coherence",
               .about = "One line of memory in the caches of several cores. Choose a core, press r or w, and look "
                        "who gets a "
                        "message and what becomes of the copies.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "MESI as in textbooks; GPU-VI and temporal coherence after Singh, Shriraman, Fung, O'Connor, Aamodt (HPCA "
             "2013). One line, no eviction, an operation at a time. While a strong write waits, reads get the old "
             "value, "
             "for no longer than it waits. An H200's own L1 caches are simpler: they are emptied when a kernel begins.",
    .time = STEP, .facts = facts, .words = words, .end = end, .most = most,
    .key = key, .keys = keys, .key_count = LS_COUNT(keys),
    .script_name = "ops", .script_help = "r0: core 0 reads; w2=7@6: core 2 writes 7 at time 6; f2: a fence",
    .script = "r0 r1 r2 w0 r1 w2", .script_check = check,
};
