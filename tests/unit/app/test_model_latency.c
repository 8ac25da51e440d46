// test_model_latency.c: cycles of warps against the lectures' numbers and those of an independent script.
#include "app/models/latency.h"
#include "check_models.h"

static const ModelClaim claims[] = {
    {"001 fragment", "warps=1", "issues", 0, "w0@0 w0@1 w0@10 w0@11 w0@20"},
    {"001 two warps", "warps=2", "issues", 0, "w0@0 w1@1 w0@2 w1@3 w0@10 w1@11 w0@12 w1@13 w0@20 w1@21"},
    {"001 fragment", "warps=1", "warps_needed", 5, NULL},
    {"002 round", "program=rounds warps=16", "round_empty", 25, NULL},
    {"002 round", "program=rounds warps=17", "round_empty", 0, NULL},
    {"002 round", "program=rounds warps=4", "round_empty", 325, NULL},
    {"002 round", "program=rounds warps=16", "round_busy", 16 * 25 / 425.0, NULL},
    {"no rounds", "program=fragment", "round_empty", NAN, NULL},
    // The fragment again, written as code: the same cycles; a load of shared memory is there sooner.
    {"001 as code", "program=code warps=1 code=2a 2a2 w2", "issues", 0, "w0@0 w0@1 w0@10 w0@11 w0@20"},
    {"a load and its use", "program=code warps=1 code=g a1 w1", "cycles", 411, NULL},
    {"a load and its use", "program=code warps=1 code=g a1 w1", "use_distance", 1, NULL},
    {"three between them", "program=code warps=1 code=g 3a a4 w1", "use_distance", 4, NULL},
    {"shared memory", "program=code warps=1 code=s a1 w1", "cycles", 41, NULL},
    {"nobody waits", "program=code warps=1 code=4g", "use_distance", NAN, NULL},
};

static void as_in_the_lectures(void) { check_claims(model_named("latency"), claims, LS_COUNT(claims)); }

static int64_t cycles_of(const char *program, const char *others, int warps, ScoreRun *run) {
  ModelValues values;
  LatencyModel m;
  LsErr err = {0};
  char words[64];
  const Model *model = model_named("latency");
  CHECK(claim_values(model, others, &values));
  snprintf(words, sizeof words, "program=%s", program);
  CHECK(model_set(model, &values, words, &err));
  snprintf(words, sizeof words, "warps=%d", warps);
  CHECK(model_set(model, &values, words, &err));
  latency_model(&values, &m);
  CHECK_INT(m.until, m.run.cycles);
  if (run) *run = m.run;
  return m.run.cycles;
}

// Cycles by number of warps.
static void cycles_are_those_of_the_script(void) {
  static const struct { const char *program; int warps[9], cycles[9]; } rows[] = {
      {"fragment", {1, 2, 3, 4, 5, 6}, {21, 22, 23, 24, 25, 30}},
      {"bad order", {1, 2, 3, 4, 5, 6}, {23, 26, 29, 32, 35, 38}},
      {"one element", {1, 2, 4, 8, 16}, {411, 412, 414, 418, 432}},
      {"loads first", {1, 2, 4, 8, 16}, {414, 418, 432, 464, 528}},
      {"one by one", {1}, {1644}},
      {"one chain", {1, 2, 3, 4, 5, 8, 10, 12, 16}, {391, 392, 393, 394, 395, 398, 400, 480, 640}},
      {"two chains", {1, 5}, {192, 200}},
      {"four chains", {1, 2, 3}, {94, 98, 120}},
  };
  for (int i = 0; i < LS_COUNT(rows); i++)
    for (int k = 0; k < 9 && rows[i].warps[k]; k++)
      CHECK_INT(cycles_of(rows[i].program, "", rows[i].warps[k], NULL), rows[i].cycles[k]);
}

// 25 instructions a round, 400 cycles of memory: percent busy, in turns and greedily.
static void fair_is_not_busy(void) {
  static const int warps[] = {1, 2, 4, 8, 12, 16}, turns[] = {6, 11, 20, 34, 44, 51}, greedy[] = {6, 12, 23, 46, 69,
                                                                                                  90};
  for (int i = 0; i < LS_COUNT(warps); i++) {
    ScoreRun run;
    cycles_of("rounds", "policy=turns", warps[i], &run);
    CHECK_INT((100 * run.issued + run.cycles / 2) / run.cycles, turns[i]);
    cycles_of("rounds", "policy=greedy", warps[i], &run);
    CHECK_INT((100 * run.issued + run.cycles / 2) / run.cycles, greedy[i]);
  }
}

// Busy = warps x chains / latency, at most 1: the rule of the lesson, at its edge.
static void chains_and_warps_are_alike(void) {
  ModelValues values;
  ModelFacts facts = {0};
  const Model *model = model_named("latency");
  LsErr err = {0};
  CHECK(claim_values(model, "arithmetic=20", &values) && model_set(model, &values, "program=two chains", &err));
  model->facts(&values, &facts);
  CHECK(fact_find(&facts, "warps_needed")->number == 10);
}

typedef struct Seen { int64_t last_cycle, issued[SCOREBOARD_WARPS][SCOREBOARD_CODE]; int count,
                     next[SCOREBOARD_WARPS]; const ScoreCode *code; } Seen;

// One instruction a cycle, in order within a warp, none before its operand is there.
static void on_issue(void *context, int64_t cycle, int warp, int inst) {
  Seen *seen = context;
  const ScoreInst *code = &seen->code->inst[inst];
  CHECK(cycle > seen->last_cycle || seen->count == 0);
  CHECK_INT(inst, seen->next[warp]);
  if (code->needs >= 0) CHECK(cycle >= seen->issued[warp][code->needs] + seen->code->inst[code->needs].latency);
  seen->issued[warp][inst] = cycle;
  seen->next[warp]++;
  seen->last_cycle = cycle;
  seen->count++;
}

static void rules_hold_for_any_program(void) {
  static ScoreCode code;
  static Seen seen;
  uint64_t state = 7;
  for (int round = 0; round < 60; round++) {
    code.count = 1 + round % 37;
    for (int i = 0; i < code.count; i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      code.inst[i] = (ScoreInst){SCORE_ARITHMETIC, 1 + (int)(state >> 40) % 30,
                                 i ? (int)((state >> 20) % (uint64_t)(i + 1)) - 1 : -1};
    }
    int warps = 1 + round % SCOREBOARD_WARPS;
    memset(&seen, 0, sizeof seen);
    seen.code = &code;
    ScoreRun run;
    scoreboard_run(&code, warps, round % 2 ? SCORE_GREEDY : SCORE_TURNS, on_issue, &seen, &run);
    CHECK_INT(run.issued, warps * code.count);
    CHECK_INT(seen.count, run.issued);
    CHECK_INT(run.cycles, seen.last_cycle + 1);
  }
}

static void bad_code_is_told(void) {
  static const char *const bad[] = {"code=", "code=x", "code=a1", "code=g a2", "code=2000a", "code=g,a1", "code=0g"};
  for (int i = 0; i < LS_COUNT(bad); i++) {
    ModelValues values;
    LsErr err = {0};
    model_defaults(model_named("latency"), &values);
    CHECK(!model_set(model_named("latency"), &values, bad[i], &err) && strstr(err.message, "is no code") != NULL);
  }
}

static const Check checks[] = {
    {"bad code is told", bad_code_is_told},
    {"as in the lectures", as_in_the_lectures},
    {"cycles are those of the script", cycles_are_those_of_the_script},
    {"fair is not busy", fair_is_not_busy},
    {"chains and warps are alike", chains_and_warps_are_alike},
    {"rules hold for any program", rules_hold_for_any_program},
};

int main(int argc, char **argv) { return check_main("model latency", checks, LS_COUNT(checks), argc, argv); }
