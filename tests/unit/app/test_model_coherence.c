// test_model_coherence.c: states and messages of the protocols against the lecture's steps, and what always holds.
#include "app/models/coherence.h"
#include "check_models.h"

static const ModelClaim claims[] = {
    {"S4 MESI", "step=1", "states", 0, "EIII"},
    {"S4 MESI", "step=2", "states", 0, "SSII"},
    {"S4 MESI", "step=3", "states", 0, "SSSI"},
    {"S4 MESI", "step=4", "states", 0, "MIII"},
    {"S4 MESI", "step=5", "states", 0, "SSII"},
    {"S4 MESI", "step=6", "states", 0, "IIMI"},
    {"S4 MESI", "", "invalidations", 4, NULL},
    {"S4 MESI", "", "write_backs", 1, NULL},
    {"E to M is silent", "ops=r0 w0 w0", "hits", 2, NULL},
    {"E to M is silent", "ops=r0 w0 w0", "requests", 1, NULL},
    {"ping pong", "ops=w0 w1 w2 w3 w0 w1 w2 w3 w0 w1 w2 w3", "invalidations", 11, NULL},
    {"ping pong", "ops=w0 w1 w2 w3 w0 w1 w2 w3 w0 w1 w2 w3", "write_backs", 11, NULL},
    {"check (d)", "ops=r0 r1 r2 r3 w3 r0", "states", 0, "SIIS"},
    {"a bus is heard by all", "cores=80 ops=r0", "heard", 79, NULL},
    {"GPU-VI", "protocol=GPU-VI step=3", "states", 0, "VVVI"},
    {"GPU-VI", "protocol=GPU-VI step=4", "states", 0, "VIII"},
    {"GPU-VI", "protocol=GPU-VI step=5", "states", 0, "VVII"},
    {"GPU-VI", "protocol=GPU-VI", "states", 0, "IIII"},
    {"GPU-VI", "protocol=GPU-VI", "invalidations", 4, NULL},
    {"GPU-VI", "protocol=GPU-VI", "answers", 4, NULL},
    {"GPU-VI", "protocol=GPU-VI", "writes_through", 2, NULL},
};

static void as_in_the_lectures(void) { check_claims(model_named("coherence"), claims, LS_COUNT(claims)); }

static const ModelClaim with_dates[] = {
    {"TC strong waits", "ops=r0@0 r1@4 w2=7@6", "last_done", 14, NULL},
    {"TC strong reads after it", "ops=r0@0 r1@4 w2=7@6 r1@14", "last_value", 7, NULL},
};
static const ModelClaim weak[] = {
    {"TC weak is done at once", "ops=r0@0 r1@4 w2=7@6", "last_done", 6, NULL},
    {"TC weak: C0 at 11", "ops=r0@0 r1@4 w2=7@6 r0@11", "last_value", 7, NULL},
    {"TC weak: C1 at 12", "ops=r0@0 r1@4 w2=7@6 r0@11 r1@12", "last_value", 0, NULL},
    {"TC weak: a fence at 8", "ops=r0@0 r1@4 w2=7@6 f2@8", "last_done", 14, NULL},
    {"TC: no message ends a copy", "ops=r0@0 r1@4 w2=7@6 r0@11 r1@12", "invalidations", 0, NULL},
};

static void check_protocol(const char *protocol, const ModelClaim *of, int count) {
  for (int i = 0; i < count; i++) {
    ModelValues values;
    ModelFacts facts = {0};
    LsErr err = {0};
    CHECK(claim_values(model_named("coherence"), of[i].set, &values));
    CHECK(model_set(model_named("coherence"), &values, protocol, &err));
    model_named("coherence")->facts(&values, &facts);
    double is = fact_find(&facts, of[i].fact)->number;
    if (is != of[i].number) printf("\n%s: %g, expected %g\n", of[i].says, is, of[i].number);
    CHECK(is == of[i].number);
  }
}

static void dates_are_kept(void) {
  check_protocol("protocol=TC strong", with_dates, LS_COUNT(with_dates));
  check_protocol("protocol=TC weak", weak, LS_COUNT(weak));
}

// 80 SMs have a copy and one writes: 79 invalidations and answers; if each writes once and all read between, 6,320.
static void gpus_are_large(void) {
  static Coherence c;
  static CohEvent event;
  coherence_init(&c, COH_GPU_VI, 80, 0);
  for (int round = 0; round < 80; round++) {
    for (int i = 0; i < 80; i++) coherence_step(&c, &(CohOp){'r', i, 0, 0}, &event);
    coherence_step(&c, &(CohOp){'w', round, round + 1, 0}, &event);
    CHECK_INT(event.traffic.invalidations + event.traffic.answers, 158);
  }
  CHECK_INT(c.traffic.invalidations, 6320);
}

static uint64_t state = 1;
static int draw(int most) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)most);
}

// One writer at most; whoever reads gets what was written last (with dates: last done, and on weak ones not before a
// fence).
static void copies_agree(void) {
  for (int protocol = 0; protocol < COH_PROTOCOLS; protocol++)
    for (int round = 0; round < 40; round++) {
      static Coherence c;
      static CohEvent event;
      int newest = 0, written = 0;
      int64_t due = 0, time = 0;
      coherence_init(&c, (CohProtocol)protocol, 1 + draw(8), 1 + draw(12));
      for (int i = 0; i < 120; i++) {
        CohOp op = {draw(3) ? 'r' : 'w', draw(c.cores), i + 1, time += draw(4)};
        if (protocol >= COH_TC_STRONG && time >= due) newest = written;
        coherence_step(&c, &op, &event);
        int modified = 0, valid = 0;
        for (int k = 0; k < c.cores; k++) modified += c.core[k].state == 'M', valid += c.core[k].state != 'I';
        CHECK(modified == 0 || (modified == 1 && valid == 1));
        if (op.kind == 'w') written = op.value, due = protocol == COH_TC_WEAK ? c.lease_end : event.done;
        if (op.kind == 'w' && (protocol < COH_TC_STRONG || event.done == time)) newest = protocol == COH_TC_WEAK &&
            due > time ? newest : written;
        if (op.kind == 'r' && protocol < COH_TC_STRONG) CHECK_INT(event.value, newest);
        if (op.kind == 'r' && protocol >= COH_TC_STRONG && time >= due) CHECK_INT(event.value, written);
        if (op.kind == 'r' && protocol == COH_TC_STRONG && time < due) CHECK(event.value != written ||
                                                                             written == newest);
      }
    }
}

static void keys_add_operations(void) {
  const Model *model = model_named("coherence");
  ModelValues values;
  model_defaults(model, &values);
  CHECK_INT(values.numbers.value[4], 6);
  values.numbers.value[3] = 3;
  CHECK(model->key(&values, 'w'));
  CHECK_STR(values.script, "r0 r1 r2 w0 r1 w2 w3");
  CHECK_INT(values.numbers.value[4], 7);
  values.numbers.value[4] = 2;
  CHECK(model->key(&values, 'r'));
  CHECK_STR(values.script, "r0 r1 r3");
  CHECK(!model->key(&values, 'x'));
  LsErr err = {0};
  static const char *const bad[] = {"ops=x0", "ops=r", "ops=r0 w", "ops=r0@5 r1@4", "ops=r999", "ops=w0="};
  for (int i = 0; i < LS_COUNT(bad); i++) CHECK(!model_set(model, &values, bad[i], &err) && strstr(err.message,
                                                                                                   "is no operation"));
  for (int i = 0; i < 200; i++) model->key(&values, 'r');
  CHECK(strlen(values.script) < MODEL_SCRIPT);
}

static const Check checks[] = {
    {"as in the lectures", as_in_the_lectures}, {"dates are kept", dates_are_kept},
    {"gpus are large", gpus_are_large},         {"copies agree", copies_agree},
    {"keys add operations", keys_add_operations},
};

int main(int argc, char **argv) { return check_main("model coherence", checks, LS_COUNT(checks), argc, argv); }
