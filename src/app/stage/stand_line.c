// stand_line.c: a place in a demo as a line, and back, and as the command line that leads there.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "app/stage/stand.h"
#include "base/json.h"

const StageStand stand_nowhere = {.block = -1, .warp = -1, .lane = -1, .variant = -1, .margin = -1, .ask = -1};

static const char *const run_keys[2][7] = {
    {"kernel", "values", "profile", "stack", "compiled", "recorded", "launch"},
    {"kernel2", "values2", "profile2", "stack2", "compiled2", "recorded2", "launch2"}};

static void put_text(LsJson *json, const char *key, const char *text) {
  if (*text) ls_json_member(json, key, text);
}

static void put_number(LsJson *json, const char *key, int64_t number, int64_t usual) {
  if (number != usual) ls_json_member_i64(json, key, number);
}

static void write_run(LsJson *json, const StandRun *run, const char *const keys[7]) {
  put_text(json, keys[0], run->kernel);
  put_text(json, keys[1], run->values);
  put_text(json, keys[2], run->profile);
  put_number(json, keys[3], run->stack, 0);
  put_number(json, keys[4], run->compiled, 0);
  put_number(json, keys[5], run->recorded, 0);
  put_number(json, keys[6], run->launch, 0);
}

void stand_write(const StageStand *stand, LsText *line) {
  LsJson json;
  ls_json_init(&json, line);
  ls_json_open(&json, '{');
  ls_json_member_i64(&json, "scene", stand->scene);
  write_run(&json, &stand->run, run_keys[0]);
  write_run(&json, &stand->beside, run_keys[1]);
  put_text(&json, "model", stand->model);
  put_text(&json, "set", stand->model_values);
  if (stand->run.kernel[0]) ls_json_member_i64(&json, "step", (int64_t)stand->step);
  put_number(&json, "block", stand->block, -1);
  put_number(&json, "warp", stand->warp, -1);
  put_number(&json, "lane", stand->lane, -1);
  put_text(&json, "focus", stand->focus);
  put_number(&json, "variant", stand->variant, -1);
  put_number(&json, "margin", stand->margin, -1);
  put_number(&json, "zoom", stand->zoom, 0);
  put_number(&json, "black", stand->black, 0);
  put_number(&json, "hidden", stand->hidden, 0);
  if (stand->ask >= 0) {
    ls_json_member_i64(&json, "ask", stand->ask);
    ls_json_member_i64(&json, "options", stand->options);
    put_number(&json, "round", stand->round, 0);
    put_number(&json, "open", stand->open, 0);
  }
  ls_json_close(&json, '}');
}

static void get_text(char *to, size_t most, const LineFields *fields, const char *key) {
  snprintf(to, most + 1, "%s", line_text(fields, key, most, ""));
}

static void read_run(StandRun *run, const LineFields *fields, const char *const keys[7]) {
  enum { LAUNCHES = 1 << 20 };
  get_text(run->kernel, STAND_NAME, fields, keys[0]);
  get_text(run->values, STAND_VALUES, fields, keys[1]);
  get_text(run->profile, STAND_NAME, fields, keys[2]);
  run->stack = line_flag(fields, keys[3]);
  run->compiled = line_flag(fields, keys[4]);
  run->recorded = line_flag(fields, keys[5]);
  run->launch = (int)line_number(fields, keys[6], 0, LAUNCHES, 0);
}

static void read_question(StageStand *stand, const LineFields *fields) {
  stand->ask = (int)line_number(fields, "ask", 0, TALK_QUESTIONS - 1, -1);
  stand->options = (int)line_number(fields, "options", 2, VOTE_OPTIONS, 0);
  stand->round = (int)line_number(fields, "round", 0, VOTE_ROUNDS - 1, 0);
  stand->open = line_flag(fields, "open") && stand->ask >= 0 && stand->options;
}

bool stand_read(StageStand *stand, char *line) {
  enum { LANES = 32, WARPS = 32, VARIANTS = 64, SCENES = 1 << 16 };
  static const int64_t STEPS = 1ll << 40, BLOCKS = 1ll << 31;
  LineFields fields;
  if (!line_read(&fields, line) || line_number(&fields, "scene", 0, SCENES, -1) < 0) return false;
  StageStand read = stand_nowhere;
  read.scene = (int)line_number(&fields, "scene", 0, SCENES, 0);
  read_run(&read.run, &fields, run_keys[0]);
  read_run(&read.beside, &fields, run_keys[1]);
  get_text(read.model, STAND_NAME, &fields, "model");
  get_text(read.model_values, STAND_VALUES, &fields, "set");
  read.step = (uint64_t)line_number(&fields, "step", 0, STEPS, 0);
  read.block = line_number(&fields, "block", 0, BLOCKS, -1);
  read.warp = (int)line_number(&fields, "warp", 0, WARPS - 1, -1);
  read.lane = (int)line_number(&fields, "lane", 0, LANES - 1, -1);
  get_text(read.focus, STAND_NAME, &fields, "focus");
  read.variant = (int)line_number(&fields, "variant", 0, VARIANTS, -1);
  read.margin = (int)line_number(&fields, "margin", 0, VARIANTS, -1);
  read.zoom = line_flag(&fields, "zoom");
  read.black = line_flag(&fields, "black");
  read.hidden = line_flag(&fields, "hidden");
  read_question(&read, &fields);
  *stand = read;
  return true;
}

bool stand_same_run(const StandRun *a, const StandRun *b) {
  bool same_words = strcmp(a->kernel, b->kernel) == 0 && strcmp(a->values, b->values) == 0;
  return same_words && strcmp(a->profile, b->profile) == 0 &&
         a->stack == b->stack && a->compiled == b->compiled && a->recorded == b->recorded && a->launch == b->launch;
}

static void add_run(const StandRun *run, LsText *out) {
  char words[STAND_VALUES + 1], *rest = NULL;
  ls_text_addf(out, " %s", run->kernel);
  snprintf(words, sizeof words, "%s", run->values);
  for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    ls_text_addf(out, " -p %s", word);
  if (run->profile[0]) ls_text_addf(out, " --profile %s", run->profile);
  if (run->stack) ls_text_add(out, " --sched stack");
  if (run->compiled) ls_text_add(out, " --code compiled");
  if (run->recorded) ls_text_add(out, " --device recorded");
  if (run->launch) ls_text_addf(out, " --launch %d", run->launch);
}

void stand_words(const StageStand *stand, LsText *out) {
  if (!stand->run.kernel[0]) return;
  ls_text_add(out, "lanescope explore");
  add_run(&stand->run, out);
  ls_text_addf(out, " --at %" PRIu64, stand->step);
  if (stand->focus[0]) ls_text_addf(out, " --focus %s", stand->focus);
  if (stand->variant > 0) ls_text_addf(out, " --variant %d", stand->variant);
  if (stand->warp >= 0) ls_text_addf(out, " --warp %d", stand->warp);
  if (stand->lane >= 0) ls_text_addf(out, " --lane %d", stand->lane);
  if (stand->zoom) ls_text_add(out, " --zoom");
}
