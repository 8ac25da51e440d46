// latency.c: the model of how warps, and independent instructions within a warp, hide waiting.
#include "app/models/latency.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { PROGRAM, WARPS, ARITHMETIC, MEMORY, SHARED, WORK, POLICY, UNTIL };
enum { ROUNDS = 20, CHAIN = 40, UNTIL_MOST = 100000, FRAMES = 60, ISSUES_TOLD = 16 };

typedef enum Program { FRAGMENT, BAD_ORDER, ONE_ELEMENT, ONE_BY_ONE, LOADS_FIRST, CHAIN_1, CHAINS_2, CHAINS_4,
                      STREAM, CODE } Program;
static const char *const programs[] = {"fragment",    "bad order", "one element", "one by one", "loads first",
                                       "one chain",   "two chains", "four chains", "rounds", "code"};
static const char *const policies[] = {"turns", "greedy"};

static RecipeParam params[] = {
    [PROGRAM] = {.name = "program", .help = "what each warp runs", .is_text = true, .max = LS_COUNT(programs) - 1,
                 .step = 1, .choices = (const char **)programs, .choice_count = LS_COUNT(programs)},
    [WARPS] = {.name = "warps", .help = "warps of one scheduler", .fallback = 3, .min = 1, .max = SCOREBOARD_WARPS,
               .step = 1},
    [ARITHMETIC] = {.name = "arithmetic", .help = "cycles until a result can be used", .fallback = 10, .min = 1,
                    .max = 40,
                    .step = 1},
    [MEMORY] = {.name = "memory", .help = "cycles until a loaded value can be used", .fallback = 400, .min = 10,
                .max = 1000, .step = 10},
    [SHARED] = {.name = "shared", .help = "of code: cycles until a value of shared memory can be used", .fallback = 30,
                .min = 1, .max = 100, .step = 1},
    [WORK] = {.name = "work", .help = "of rounds: instructions of a round, its load among them", .fallback = 25,
              .min = 2,
              .max = 50, .step = 1},
    [POLICY] = {.name = "policy", .help = "turns: a warp after the other; greedy: one warp until it waits",
                .is_text = true,
                .max = 1, .step = 1, .choices = (const char **)policies, .choice_count = LS_COUNT(policies)},
    [UNTIL] = {.name = "until", .help = "the cycle up to which the picture is shown", .max = UNTIL_MOST, .step = 1},
};

const char *latency_program_name(int program) { return programs[LS_CLAMP(program, 0, LS_COUNT(programs) - 1)]; }

// ---- programs ------------------------------------------------------------------------------------------------------

typedef struct Latencies { int arithmetic, memory, shared; } Latencies;

static void add(ScoreCode *code, ScoreKind kind, int latency, int needs) {
  code->inst[code->count++] = (ScoreInst){kind, latency, needs};
}

// Two products, each of one of two sums, and a store of the first.
static void fragment(ScoreCode *code, Latencies l, bool bad_order) {
  for (int i = 0; i < 4; i++) {
    int needs = bad_order ? (i % 2 ? i - 1 : -1) : (i < 2 ? -1 : i - 2);
    add(code, SCORE_ARITHMETIC, l.arithmetic, needs);
  }
  add(code, SCORE_STORE, 1, bad_order ? 1 : 2);
}

// Elements: a load, a use, a store each; one after the other, or all loads first.
static void elements(ScoreCode *code, Latencies l, int count, bool loads_first) {
  int outer = loads_first ? 3 : count, inner = loads_first ? count : 3;
  for (int i = 0; i < outer; i++)
    for (int j = 0; j < inner; j++) {
      int what = loads_first ? i : j, before = code->count - (loads_first ? count : 1);
      if (what == 0) add(code, SCORE_LOAD, l.memory, -1);
      else add(code, what == 1 ? SCORE_ARITHMETIC : SCORE_STORE, what == 1 ? l.arithmetic : 1, before);
    }
}

static void chains(ScoreCode *code, Latencies l, int count) {
  for (int i = 0; i < CHAIN; i++) add(code, SCORE_ARITHMETIC, l.arithmetic, i >= count ? i - count : -1);
}

// Loads, each followed by instructions that need one another, the first of them the load.
static void stream(ScoreCode *code, Latencies l, int work) {
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < work; i++) {
      if (i == 0) add(code, SCORE_LOAD, l.memory, code->count - 1);
      else add(code, SCORE_ARITHMETIC, 1, code->count - 1);
    }
}

// ---- code, instruction by instruction ------------------------------------------------------------------------------

// code = { [TIMES] KIND [BACK] }: g loads from global memory, s from shared memory, a is arithmetic, w writes; BACK
// instructions before it is the one whose result it needs.
static bool read_word(const char **p, Latencies l, ScoreCode *code) {
  static const struct { char letter; ScoreKind kind; } kinds[] = {
      {'g', SCORE_LOAD}, {'s', SCORE_LOAD}, {'a', SCORE_ARITHMETIC}, {'w', SCORE_STORE}};
  const int latencies[] = {l.memory, l.shared, l.arithmetic, 1};
  int kind = 0;
  char *end;
  long times = isdigit((unsigned char)**p) ? strtol(*p, &end, 10) : (end = (char *)*p, 1);
  while (kind < LS_COUNT(kinds) && kinds[kind].letter != *end) kind++;
  if (kind == LS_COUNT(kinds) || times < 1 || times > SCOREBOARD_CODE - code->count) return false;
  long back = isdigit((unsigned char)*++end) ? strtol(end, &end, 10) : 0;
  if (back > code->count || (*end && *end != ' ')) return false;
  for (int i = 0; i < times; i++) add(code, kinds[kind].kind, latencies[kind], back ? code->count - (int)back : -1);
  *p = end + strspn(end, " ");
  return true;
}

// NULL: it is code; else from where on it is none.
static const char *read_code(const char *script, Latencies l, ScoreCode *code) {
  code->count = 0;
  for (const char *p = script; *p;) {
    const char *at = p;
    if (!read_word(&p, l, code)) return at;
  }
  return code->count ? NULL : script;
}

static bool check(const char *script, LsErr *err) {
  ScoreCode code;
  const char *bad = read_code(script, (Latencies){1, 1, 1}, &code);
  if (!bad) return true;
  return ls_fail(err, LS_EREQUEST, "'%.20s' is no code: [TIMES]KIND[BACK], KIND is g, s, a or w; BACK says which one "
                 "before it is needed; at most %d instructions", bad, SCOREBOARD_CODE);
}

static void make_code(int program, Latencies l, const ModelValues *values, ScoreCode *code) {
  code->count = 0;
  switch ((Program)program) {
    case FRAGMENT: fragment(code, l, false); break;
    case BAD_ORDER: fragment(code, l, true); break;
    case ONE_ELEMENT: elements(code, l, 1, false); break;
    case ONE_BY_ONE: elements(code, l, 4, false); break;
    case LOADS_FIRST: elements(code, l, 4, true); break;
    case CHAIN_1: chains(code, l, 1); break;
    case CHAINS_2: chains(code, l, 2); break;
    case CHAINS_4: chains(code, l, 4); break;
    case STREAM: stream(code, l, model_int(values, WORK)); break;
    case CODE: read_code(values->script, l, code); break;
  }
}

void latency_model(const ModelValues *values, LatencyModel *out) {
  *out = (LatencyModel){.program = model_int(values, PROGRAM), .warps = model_int(values, WARPS),
                        .until = model_int(values, UNTIL), .policy = (ScorePolicy)model_int(values, POLICY)};
  Latencies latencies = {model_int(values, ARITHMETIC), model_int(values, MEMORY), model_int(values, SHARED)};
  make_code(out->program, latencies, values, &out->code);
  scoreboard_run(&out->code, out->warps, out->policy, NULL, NULL, &out->run);
}

static double busy_of(const ScoreRun *run) { return (double)run->issued / (double)run->cycles; }

double latency_busy(const LatencyModel *model, int warps) {
  ScoreRun run;
  scoreboard_run(&model->code, warps, model->policy, NULL, NULL, &run);
  return busy_of(&run);
}

static int64_t end(const ModelValues *values) {
  LatencyModel m;
  latency_model(values, &m);
  return m.run.cycles;
}

static int64_t pace(const ModelValues *values) { return (end(values) + FRAMES - 1) / FRAMES; }

// ---- numbers and words ---------------------------------------------------------------------------------------------

// The fewest warps that leave no cycle empty; 0: not even the most.
static int warps_needed(const LatencyModel *m) {
  for (int warps = 1; warps <= SCOREBOARD_WARPS; warps++)
    if (latency_busy(m, warps) >= 1) return warps;
  return 0;
}

typedef struct Issues { LsText text; int told; } Issues;

static void tell_issue(void *context, int64_t cycle, int warp, int inst) {
  Issues *issues = context;
  (void)inst;
  if (issues->told++ < ISSUES_TOLD) ls_text_addf(&issues->text, "%sw%d@%lld", issues->text.length ? " " : "", warp,
                                                 (long long)cycle);
}

static int count_kind(const ScoreCode *code, ScoreKind kind) {
  int count = 0;
  for (int i = 0; i < code->count; i++) count += code->inst[i].kind == kind;
  return count;
}

// Instructions from a load to the first that needs it, on average; NaN: none is needed.
static double use_distance(const ScoreCode *code) {
  int uses = 0, sum = 0;
  for (int i = 0; i < code->count; i++) {
    int use = i + 1;
    while (use < code->count && code->inst[use].needs != i) use++;
    if (code->inst[i].kind == SCORE_LOAD && use < code->count) uses++, sum += use - i;
  }
  return uses ? (double)sum / uses : NAN;
}

static void mix_facts(const ScoreCode *code, ModelFacts *out) {
  fact_number(out, "instructions", "instructions", code->count);
  fact_number(out, "loads", "loads", count_kind(code, SCORE_LOAD));
  fact_number(out, "arithmetic", "instructions", count_kind(code, SCORE_ARITHMETIC));
  fact_number(out, "stores", "stores", count_kind(code, SCORE_STORE));
  fact_number(out, "use_distance", "instructions", use_distance(code));
}

static void facts(const ModelValues *values, ModelFacts *out) {
  LatencyModel m;
  Issues issues = {{0}, 0};
  ScoreRun run;
  latency_model(values, &m);
  scoreboard_run(&m.code, m.warps, m.policy, tell_issue, &issues, &run);
  int needed = warps_needed(&m), work = model_int(values, WORK), memory = model_int(values, MEMORY);
  fact_number(out, "cycles", "cycles", (double)m.run.cycles);
  fact_number(out, "issued", "instructions", m.run.issued);
  fact_number(out, "empty", "cycles", (double)(m.run.cycles - m.run.issued));
  fact_number(out, "busy", "", busy_of(&m.run));
  fact_number(out, "warps_needed", "warps", needed ? (double)needed : NAN);
  fact_text(out, "issues", ls_text_str(&issues.text));
  // In the long run, if the turns of the warps are spread out: empty cycles of a round, and the busy part.
  int idle = LS_MAX(0, memory - (m.warps - 1) * work);
  fact_number(out, "round_empty", "cycles", m.program == STREAM ? (double)idle : NAN);
  fact_number(out, "round_busy", "", m.program == STREAM ? LS_MIN(1.0, (double)m.warps * work / (work + memory)) : NAN);
  mix_facts(&m.code, out);
  ls_text_free(&issues.text);
}

static const char *const told[] = {
    [FRAGMENT] = "Two sums, two products that need them, a store: a pair is independent.",
    [BAD_ORDER] = "The same five instructions, each product right behind its sum: every second one waits.",
    [ONE_ELEMENT] = "A load, a use, a store: the warp stops at the use, not at the load.",
    [ONE_BY_ONE] = "Four elements one by one: each load comes when the one before has been used.",
    [LOADS_FIRST] = "The same twelve instructions, loads first: four loads wait side by side.",
    [CHAIN_1] = "Forty instructions, each needs the one before.",
    [CHAINS_2] = "Forty instructions in two chains: two can be under way.",
    [CHAINS_4] = "Forty instructions in four chains: four can be under way.",
    [STREAM] = "Rounds of a load and work that needs it.",
    [CODE] = "",
};

static void code_words(const LatencyModel *m, LsText *out) {
  int loads = count_kind(&m->code, SCORE_LOAD);
  double distance = use_distance(&m->code);
  ls_text_addf(out, "%d instructions, %d of them loads", m->code.count, loads);
  if (isnan(distance)) ls_text_add(out, loads ? " that nobody waits for." : ".");
  else ls_text_addf(out, "; the first use is %.3g behind its load.", distance);
}

static void words(const ModelValues *values, LsText *out) {
  LatencyModel m;
  latency_model(values, &m);
  if (m.program == CODE) code_words(&m, out);
  int needed = warps_needed(&m);
  char cycles[32], issued[32];
  ls_text_addf(out, "%s %d %s: %s cycles, %s of them issue something, %.3g %%.", told[m.program], m.warps,
               m.warps == 1 ? "warp" : "warps", ls_group_digits((uint64_t)m.run.cycles, cycles),
               ls_group_digits((uint64_t)m.run.issued, issued), busy_of(&m.run) * 100);
  if (needed) ls_text_addf(out, " %d %s leave%s no cycle empty; more give nothing.", needed,
                           needed == 1 ? "warp" : "warps", needed == 1 ? "s" : "");
  else ls_text_addf(out, " Even %d warps leave cycles empty, at the start and the end at least.", SCOREBOARD_WARPS);
}

const Model model_latency = {
    .recipe = {.name = "latency", .title = "Who works while others wait", .topic = "latency",
               .about = "The warps of one scheduler over cycles. A warp stops where a value is used that is not there "
                        "yet. What fills the gap is independent work: other warps, or other instructions of the same "
                        "warp.",
               .params = params, .param_count = LS_COUNT(params)},
    .rules = "One scheduler, one instruction a cycle, in order within a warp. A result can be used so many cycles "
             "after its instruction; nobody waits for a store. Real schedulers mix turns and greed, and loads take "
             "turns on the way to memory: the numbers differ, the shape does not.",
    .time = UNTIL, .facts = facts, .words = words, .end = end, .pace = pace,
    .script_name = "code", .script_help = "of code: [TIMES]KIND[BACK]; g loads, s from shared memory, a, w",
    .script = "2g a1 w1", .script_check = check,
};
