// dataflow.c: the model of copies between host and device: a chain of products, and a pipeline of nodes.
#include "app/models/dataflow.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

enum { FLOW, RUNTIME, MATRICES, SIZE, RATE, NODE, STEP };
static const double WORD = 4, MEGA = 1024.0 * 1024, GIGA = 1e9;

static const char *const flows[] = {"chain", "pipeline"}, *const runtimes[] = {"calls", "dataflow"};

static RecipeParam params[] = {
    [FLOW] = {.name = "flow", .help = "chain: a product of matrices A B C ...; pipeline: nodes below",
              .is_text = true,
              .max = 1, .step = 1, .choices = (const char **)flows, .choice_count = 2},
    [RUNTIME] = {.name = "runtime", .help = "calls: each copies in and out; dataflow: it stays on the device",
                 .is_text = true, .max = 1, .step = 1, .choices = (const char **)runtimes, .choice_count = 2},
    [MATRICES] = {.name = "matrices", .help = "of the chain", .fallback = 3, .min = 2, .max = 8, .step = 1},
    [SIZE] = {.name = "size", .help = "rows and columns of a matrix, or of a frame of floats", .fallback = 4096,
              .min = 64,
              .max = 16384, .log2 = true, .step = 1},
    [RATE] = {.name = "rate", .help = "GB/s of the link", .fallback = 25, .min = 1, .max = 900, .step = 1},
    [NODE] = {.name = "node", .help = "of the pipeline; m moves it between CPU and GPU", .fallback = 1,
              .max = DATAFLOW_NODES - 1,
              .step = 1},
    [STEP] = {.name = "step", .help = "steps that are done", .max = DATAFLOW_STEPS, .step = 1},
};

static void add(DataflowModel *m, FlowKind kind, bool wasted, const char *name) {
  FlowStep *step = &m->steps[LS_MIN(m->step_count, DATAFLOW_STEPS - 1)];
  if (m->step_count < DATAFLOW_STEPS) m->step_count++;
  *step = (FlowStep){.kind = kind, .wasted = wasted};
  snprintf(step->name, sizeof step->name, "%s", name);
  m->copies += kind == FLOW_IN || kind == FLOW_OUT;
}

// A, AB, ABC: the product of so many matrices.
static void product_name(int count, char *out, size_t size) {
  snprintf(out, size, "%.*s", count, "ABCDEFGH");
}

static void chain(DataflowModel *m) {
  char left[12], right[2] = "", result[12], call[28];
  for (int i = 1; i < m->matrices; i++) {
    product_name(i, left, sizeof left);
    product_name(i + 1, result, sizeof result);
    right[0] = (char)('A' + i);
    snprintf(call, sizeof call, "%s x %s", left, right);
    if (i == 1 || !m->kept) add(m, FLOW_IN, i > 1, left);
    add(m, FLOW_IN, false, right);
    add(m, FLOW_GPU, false, call);
    bool last = i == m->matrices - 1;
    if (last || !m->kept) add(m, FLOW_OUT, !last, result);
  }
  m->least = m->matrices + 1;
}

// What a frame meets on its way: with calls each node on the GPU takes it in and gives it back.
static void pipeline(DataflowModel *m) {
  bool there = false;
  char name[24];
  for (int i = 0; i < m->node_count; i++) {
    bool gpu = m->on_gpu[i], before = i > 0 && m->on_gpu[i - 1], after = i + 1 < m->node_count && m->on_gpu[i + 1];
    snprintf(name, sizeof name, "node %d", i);
    if (gpu && !there) add(m, FLOW_IN, before, "frame");
    if (!gpu && there) add(m, FLOW_OUT, false, "frame");
    there = gpu;
    add(m, gpu ? FLOW_GPU : FLOW_CPU, false, name);
    if (gpu && !m->kept) add(m, FLOW_OUT, after, "frame"), there = false;
    m->least += gpu && !before;
    m->least += gpu && !after;
  }
  if (there) add(m, FLOW_OUT, false, "frame");
}

static int read_nodes(const char *script, bool on_gpu[DATAFLOW_NODES]) {
  int count = 0;
  for (const char *p = script; *p; p++) {
    if (*p == ' ') continue;
    if ((*p != 'C' && *p != 'G') || count == DATAFLOW_NODES) return -1;
    on_gpu[count++] = *p == 'G';
  }
  return count;
}

static bool check(const char *script, LsErr *err) {
  bool on_gpu[DATAFLOW_NODES];
  if (read_nodes(script, on_gpu) >= 0) return true;
  return ls_fail(err, LS_EREQUEST, "nodes are C (on the CPU) or G (on the GPU), at most %d of them, as in: C G G C",
                 DATAFLOW_NODES);
}

void dataflow_model(const ModelValues *values, DataflowModel *out) {
  double size = model_int(values, SIZE);
  *out = (DataflowModel){.pipeline = model_int(values, FLOW) == 1, .kept = model_int(values, RUNTIME) == 1,
                         .matrices = model_int(values, MATRICES), .megabytes = size * size * WORD / MEGA};
  out->node_count = LS_MAX(read_nodes(values->script, out->on_gpu), 0);
  out->chosen = LS_CLAMP(model_int(values, NODE), 0, LS_MAX(out->node_count - 1, 0));
  if (out->pipeline) pipeline(out);
  else chain(out);
  out->shown = LS_MIN(model_int(values, STEP), out->step_count);
  out->ms = out->copies * out->megabytes * MEGA / (model_int(values, RATE) * GIGA) * 1000;
}

static int64_t end(const ModelValues *values) {
  DataflowModel m;
  dataflow_model(values, &m);
  return m.step_count;
}

// m moves the chosen node of the pipeline.
static bool key(ModelValues *values, uint32_t code) {
  bool on_gpu[DATAFLOW_NODES];
  int count = read_nodes(values->script, on_gpu), chosen = LS_MIN(model_int(values, NODE), count - 1), seen = 0;
  if (code != 'm') return false;
  for (char *p = values->script; *p && chosen >= 0; p++) {
    if (*p == ' ' || seen++ != chosen) continue;
    *p = *p == 'G' ? 'C' : 'G';
    break;
  }
  values->numbers.value[FLOW] = 1;
  values->numbers.value[STEP] = end(values);
  return true;
}

// ---- numbers and words ---------------------------------------------------------------------------------------------

static void facts(const ModelValues *values, ModelFacts *out) {
  DataflowModel m;
  dataflow_model(values, &m);
  fact_number(out, "copies", "copies", m.copies);
  fact_number(out, "least", "copies", m.least);
  fact_number(out, "wasted", "copies", m.copies - m.least);
  fact_number(out, "megabytes", "MiB", m.megabytes);
  fact_number(out, "ms", "ms", m.ms);
  fact_number(out, "least_ms", "ms", m.copies ? m.ms * m.least / m.copies : 0);
}

static void words(const ModelValues *values, LsText *out) {
  DataflowModel m;
  dataflow_model(values, &m);
  if (m.pipeline) ls_text_addf(out, "%d nodes: %d copies of a frame over the link", m.node_count, m.copies);
  else ls_text_addf(out, "%d matrices in %d product%s: %d copies", m.matrices, m.matrices - 1,
                    m.matrices == 2 ? "" : "s", m.copies);
  ls_text_addf(out, ", %.3g MiB each, %.3g ms.", m.megabytes, m.ms);
  if (m.copies > m.least)
    ls_text_addf(out, " %d would do: the others bring back what has just been there.", m.least);
  else ls_text_add(out, " Fewer are not possible where the nodes are.");
  if (!m.kept && m.copies > m.least)
    ls_text_add(out, " A call that copies in and out cannot know where its data is wanted next.");
}

static const ModelKey keys[] = {{"m", "move node"}};

const Model model_dataflow = {
    .recipe = {.name = "dataflow", .title = "How often does data cross the bus", .topic = "streams",
               .about = "A product of three matrices by two calls copies six times where four would do: the result "
                        "goes to the host "
                        "and back. In a pipeline each node on the GPU takes its frame in and gives it back, unless "
                        "somebody knows "
                        "the whole graph. m moves a node between CPU and GPU.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "Each copy is a whole matrix or frame over one link at the stated rate; work takes no time. The least "
             "is a copy "
             "for every input and for the result, or for every border between CPU and GPU.",
    .time = STEP, .facts = facts, .words = words, .end = end, .key = key, .keys = keys, .key_count = LS_COUNT(keys),
    .script_name = "nodes", .script_help = "where each node of the pipeline is: C on the CPU, G on the GPU",
    .script = "C G G C", .script_check = check,
};
