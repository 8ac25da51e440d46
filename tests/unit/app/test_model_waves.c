// test_model_waves.c: blocks on SMs against the lectures' waves and tails, and what no order of blocks may break.
#include "app/models/waves.h"
#include "check_models.h"

// C055 to C060 and what 9 to 81 blocks use of 8 SMs are the lecture's; uneven blocks and two kernels by hand.
static const ModelClaim claims[] = {
    {"C055 12 blocks on 8", "", "waves", 2, NULL},
    {"C055 its tail", "", "last_full", 0.5, NULL},
    {"C055 in all", "", "used", 0.75, NULL},
    {"C056 large blocks", "sms=4 blocks=5", "last_full", 0.25, NULL},
    {"C056 of the time", "sms=4 blocks=5", "last_share", 0.5, NULL},
    {"C056 of the time", "sms=4 blocks=5", "seconds", 2, NULL},
    {"C057 small blocks", "sms=4 blocks=5 cut=3", "waves", 4, NULL},
    {"C057 their tail", "sms=4 blocks=5 cut=3", "last_full", 0.75, NULL},
    {"C057 of the time", "sms=4 blocks=5 cut=3", "last_share", 0.25, NULL},
    {"C057 1.5 times as fast", "sms=4 blocks=5 cut=3", "seconds", 4.0 / 3, NULL},
    {"C058 5 waves", "blocks=36", "used", 0.9, NULL},
    {"C059 20 waves", "blocks=156", "used", 0.975, NULL},
    {"nine", "blocks=9", "seconds", 2, NULL},
    {"17 blocks", "blocks=17", "waves", 3, NULL},
    {"81 blocks", "blocks=81", "waves", 11, NULL},
    {"33 blocks", "blocks=33", "used", 0.825, NULL},
    {"an H200 filled", "sms=132 per_sm=8 blocks=1056", "waves", 1, NULL},
    {"an H200 filled", "sms=132 per_sm=8 blocks=1056", "used", 1, NULL},
    {"one too many", "sms=132 per_sm=8 blocks=1057", "last", 1, NULL},
    {"E66 288 on 36 SMs of 4", "sms=36 per_sm=4 blocks=288", "waves", 2, NULL},
    {"300 on 36 SMs of 4", "sms=36 per_sm=4 blocks=300", "queued", 156, NULL},
    {"the long one last", "sms=4 blocks=13 long=4 at=12", "seconds", 7, NULL},
    {"the long one first", "sms=4 blocks=13 long=4 at=0", "seconds", 4, NULL},
    {"ideal", "sms=4 blocks=13 long=4 at=12", "ideal", 4, NULL},
    {"one stream", "second=12", "seconds", 4, NULL},
    {"two streams", "second=12 streams=two", "seconds", 3, NULL},
    {"the first is done", "second=12 streams=two", "first_done", 2, NULL},
    {"scalability 4 SMs", "sms=4 blocks=8", "seconds", 2, NULL},
    {"scalability 2 SMs", "sms=2 blocks=8", "seconds", 4, NULL},
};

static void as_in_the_lectures(void) { check_claims(model_named("waves"), claims, LS_COUNT(claims)); }

// A place runs one block at a time; a kernel's blocks begin in order, and none while a place was free before.
static void look(void *context, const Model *model, const ModelValues *values) {
  WavesModel m;
  int *looks = context;
  (void)model;
  waves_model(values, &m);
  int64_t *free_at = ls_alloc((size_t)m.places * sizeof *free_at), work = 0, first_end = 0, begun = 0;
  CHECK_INT(m.count, waves_total(&m));
  int late = 0, overlapping = 0, early = 0, disordered = 0;
  for (int i = 0; i < m.count; i++) {
    const WavesBlock *block = &m.list[i];
    if (i && block->kernel == m.list[i - 1].kernel) disordered += block->start < begun;
    else begun = 0;
    begun = block->start;
    overlapping += block->start < free_at[block->place];
    early += block->kernel && !m.streams && block->start < first_end;
    if (i < 200)   // a free place that stands empty while a block waits
      for (int p = 0; p < m.places; p++) late += (!block->kernel || m.streams) && free_at[p] < block->start;
    free_at[block->place] = block->end;
    if (!block->kernel) first_end = LS_MAX(first_end, block->end);
    work += block->end - block->start;
  }
  CHECK(!late && !overlapping && !early && !disordered);
  CHECK_INT(work, m.work);
  CHECK(m.work <= m.end * m.places && m.tail <= m.end && m.now <= m.end);
  CHECK_INT(waves_waiting(&m) == 0, m.now == m.end || m.list[m.count - 1].start <= m.now);
  free(free_at);
  waves_model_free(&m);
  ++*looks;
}

static void rules_hold(void) {
  int looks = 0;
  each_end(model_named("waves"), look, &looks);
  each_drawn(model_named("waves"), 200, look, &looks);
  CHECK(looks > 200);
}

// The queue at a time: of 12 blocks on 8 SMs four wait until the first second is over.
static void the_queue_empties(void) {
  static const struct { const char *set; int waiting; } times[] = {
      {"now=0", 12}, {"now=1", 4}, {"now=9", 4}, {"now=10", 0}, {"now=20", 0}};
  for (int i = 0; i < LS_COUNT(times); i++) {
    ModelValues values;
    WavesModel m;
    CHECK(claim_values(model_named("waves"), times[i].set, &values));
    waves_model(&values, &m);
    CHECK_INT(waves_waiting(&m), times[i].waiting);
    waves_model_free(&m);
  }
}

static const Check checks[] = {
    {"as in the lectures", as_in_the_lectures},
    {"rules hold", rules_hold},
    {"the queue empties", the_queue_empties},
};

int main(int argc, char **argv) { return check_main("model waves", checks, LS_COUNT(checks), argc, argv); }
