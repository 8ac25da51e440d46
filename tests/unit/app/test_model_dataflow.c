// test_model_dataflow.c: copies of chains and pipelines against the lecture's, and each step against where its data is.
#include "app/models/dataflow.h"
#include "check_models.h"

static const ModelClaim claims[] = {
    {"S4 D = A B C", "", "copies", 6, NULL},
    {"S4 D = A B C", "", "least", 4, NULL},
    {"S4 kept", "runtime=dataflow", "copies", 4, NULL},
    {"EQ23 five matrices", "matrices=5", "copies", 12, NULL},
    {"EQ23 five matrices", "matrices=5", "wasted", 6, NULL},
    {"EQ23 four matrices", "matrices=4", "copies", 9, NULL},
    {"EQ23 four matrices", "matrices=4 runtime=dataflow", "copies", 5, NULL},
    {"L18 64 MiB", "", "megabytes", 64, NULL},
    {"L18 6 at 25 GB/s", "", "ms", 6 * 67108864 / 25e6, NULL},
    {"L18 pipes", "flow=pipeline", "copies", 4, NULL},
    {"L18 dataflow", "flow=pipeline runtime=dataflow", "copies", 2, NULL},
    {"L18 three in a row", "flow=pipeline nodes=C G G G C", "copies", 6, NULL},
    {"L18 three in a row", "flow=pipeline runtime=dataflow nodes=C G G G C", "copies", 2, NULL},
    {"all on the CPU", "flow=pipeline nodes=C C C", "copies", 0, NULL},
};

static void as_in_the_lectures(void) { check_claims(model_named("dataflow"), claims, LS_COUNT(claims)); }

// A frame is worked on where it is, copied only where it is not; wasted copies are those beyond the least.
static void data_is_where_it_is_used(void) {
  for (int mask = 0; mask < 256; mask++)
    for (int kept = 0; kept < 2; kept++) {
      ModelValues values;
      DataflowModel m;
      LsErr err = {0};
      char nodes[32] = "nodes=";
      for (int i = 0; i < 8; i++) strcat(nodes, mask >> i & 1 ? "G" : "C");
      model_defaults(model_named("dataflow"), &values);
      CHECK(model_set(model_named("dataflow"), &values, nodes, &err));
      values.numbers.value[0] = 1, values.numbers.value[1] = kept;
      dataflow_model(&values, &m);
      bool on_gpu = false;
      int wasted = 0;
      for (int i = 0; i < m.step_count; i++) {
        FlowKind kind = m.steps[i].kind;
        CHECK(kind == FLOW_IN || kind == FLOW_CPU ? !on_gpu : on_gpu);
        if (kind == FLOW_IN || kind == FLOW_OUT) on_gpu = kind == FLOW_IN;
        wasted += m.steps[i].wasted;
      }
      CHECK(!on_gpu);
      CHECK_INT(wasted, m.copies - m.least);
      if (kept) CHECK_INT(m.copies, m.least);
    }
}

static void nodes_move(void) {
  const Model *model = model_named("dataflow");
  ModelValues values;
  LsErr err = {0};
  model_defaults(model, &values);
  CHECK(model->key(&values, 'm'));
  CHECK_STR(values.script, "C C G C");
  CHECK_INT(values.numbers.value[0], 1);
  CHECK(!model->key(&values, 'x'));
  CHECK(!model_set(model, &values, "nodes=C X", &err) && strstr(err.message, "on the CPU"));
}

static const Check checks[] = {
    {"as in the lectures", as_in_the_lectures},
    {"data is where it is used", data_is_where_it_is_used},
    {"nodes move", nodes_move},
};

int main(int argc, char **argv) { return check_main("model dataflow", checks, LS_COUNT(checks), argc, argv); }
