// test_model_queues.c: kernels in streams against the lectures' times, and what no order may break.
#include "app/models/queues.h"
#include "check_models.h"

#define SIX "launches=1:4x2 1:4x2 1:4x2 2:4x2 2:4x2 2:4x2"
#define IN_TURN "launches=1:4x2 2:4x2 1:4x2 2:4x2 1:4x2 2:4x2"

static const ModelClaim claims[] = {
    {"S1 high priority", "", "high_done", 4, NULL},
    {"S1 the low one pays", "", "low_done", 10, NULL},
    {"S1 alone it ends at 9", "launches=1:24x3", "ms", 9, NULL},
    {"S1 without priority", "priorities=off", "high_done", 10, NULL},
    {"L05 24 of 2 s, 8 of 1 s", "launches=1:24x2 !2:8x1@1", "high_done", 3, NULL},
    {"L05 24 of 2 s, 8 of 1 s", "launches=1:24x2 !2:8x1@1", "low_done", 7, NULL},
};

static void as_in_the_lectures(void) { check_claims(model_named("queues"), claims, LS_COUNT(claims)); }

static int ms_of(const char *rule, const char *launches) {
  ModelValues values;
  ModelFacts facts = {0};
  LsErr err = {0};
  const Model *model = model_named("queues");
  model_defaults(model, &values);
  CHECK(model_set(model, &values, rule, &err) && model_set(model, &values, launches, &err));
  model->facts(&values, &facts);
  return (int)fact_find(&facts, "ms")->number;
}

// Six kernels of half a GPU, three a stream: the one queue of old devices holds up the second stream.
static void one_queue_holds_up(void) {
  CHECK_INT(ms_of("rule=next only", SIX), 10);
  CHECK_INT(ms_of("rule=any stream", SIX), 6);
  CHECK_INT(ms_of("rule=next only", IN_TURN), 6);
  CHECK_INT(ms_of("rule=any stream", IN_TURN), 6);
}

// Blocks of an SM never overlap, kernels of a stream follow one another, none begins before it comes.
static void rules_hold(void) {
  static const char *const launches[] = {"launches=" "1:5x2 2:9x1 1:3x4 !3:7x2@3 2:1x1", SIX,
                                         "launches=1:40x3 !2:20x1@2 !3:8x5 4:1x1"};
  for (int i = 0; i < LS_COUNT(launches); i++)
    for (int sms = 1; sms <= 9; sms += 4)
      for (int rule = 0; rule < 4; rule++) {
        ModelValues values;
        static QueuesModel m;
        LsErr err = {0};
        const Model *model = model_named("queues");
        model_defaults(model, &values);
        CHECK(model_set(model, &values, launches[i], &err));
        values.numbers.value[0] = sms, values.numbers.value[1] = rule % 2, values.numbers.value[2] = rule / 2;
        queues_model(&values, &m);
        int blocks = 0;
        for (int k = 0; k < m.kernel_count; k++) blocks += m.kernels[k].blocks;
        CHECK_INT(m.block_count, blocks);
        for (int a = 0; a < m.block_count; a++)
          for (int b = 0; b < a; b++) {
            const QueuesBlock *x = &m.blocks[a], *y = &m.blocks[b];
            if (x->place == y->place) CHECK(x->start >= y->end || y->start >= x->end);
          }
        for (int k = 0; k < m.kernel_count; k++) {
          CHECK(m.kernels[k].start >= m.kernels[k].arrival);
          for (int j = 0; j < k; j++) {
            if (m.kernels[j].stream == m.kernels[k].stream) CHECK(m.kernels[k].start >= m.kernels[j].end);
            if (m.next_only) CHECK(m.kernels[k].start >= m.kernels[j].start);
          }
        }
      }
}

static void bad_launches_are_told(void) {
  static const char *const bad[] = {"launches=1", "launches=1:0x1", "launches=1:1x0", "launches=a:1x1",
                                    "launches=1:1x1@", "launches=1:600x1",
                                    "launches=1:1x1,2:1x1"};
  for (int i = 0; i < LS_COUNT(bad); i++) {
    ModelValues values;
    LsErr err = {0};
    model_defaults(model_named("queues"), &values);
    CHECK(!model_set(model_named("queues"), &values, bad[i], &err) && strstr(err.message, "is no launch"));
  }
}

static const Check checks[] = {
    {"as in the lectures", as_in_the_lectures},
    {"one queue holds up", one_queue_holds_up},
    {"rules hold", rules_hold},
    {"bad launches are told", bad_launches_are_told},
};

int main(int argc, char **argv) { return check_main("model queues", checks, LS_COUNT(checks), argc, argv); }
