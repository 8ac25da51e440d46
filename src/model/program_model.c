// program_model.c: the table of values that times rest on: read, told, changed, and applied to a program.
#include "model/program_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { NS_PER_US = 1000, FIRST_SINGLE_QUEUE_ENDS = 35 };

static const ProgramModelDef defs[] = {
#define MODEL(ID, key, unit, least, most, words, help) {key, unit, least, most, words, help},
#include "model/program_model.def"
};

const ProgramModelDef *program_model_def(ProgramModelId id) { return &defs[id]; }

void program_model_init(ProgramModel *model, const ArchProfile *arch) {
  ProgramRates rates;
  program_rates_init(&rates, arch);
  bool single = arch && 10 * arch->cc_major + arch->cc_minor < FIRST_SINGLE_QUEUE_ENDS;
  *model = (ProgramModel){{
      [PROGRAM_MODEL_LINK] = rates.link_gbs, [PROGRAM_MODEL_PAGEABLE] = rates.pageable_gbs,
      [PROGRAM_MODEL_LATENCY] = rates.link_ns / NS_PER_US, [PROGRAM_MODEL_LAUNCH] = rates.call_ns / NS_PER_US,
      [PROGRAM_MODEL_START] = rates.start_ns / NS_PER_US, [PROGRAM_MODEL_KERNEL] = 1,
      [PROGRAM_MODEL_ENGINES] = rates.engines, [PROGRAM_MODEL_AT_ONCE] = rates.most_kernels,
      [PROGRAM_MODEL_QUEUE] = single, [PROGRAM_MODEL_CHILD] = rates.child_ns / NS_PER_US,
      [PROGRAM_MODEL_CHILD_NEXT] = rates.next_ns / NS_PER_US,
  }};
}

void program_model_change(ProgramModel *model, const ProgramModelChange *change) {
  for (int i = 0; i < PROGRAM_MODEL_COUNT; i++)
    if (change->given[i]) model->value[i] = change->value[i];
}

ProgramRates program_model_rates(const ProgramModel *model, const ArchProfile *arch) {
  ProgramRates rates;
  const double *v = model->value;
  program_rates_init(&rates, arch);
  rates.link_gbs = v[PROGRAM_MODEL_LINK];
  rates.pageable_gbs = v[PROGRAM_MODEL_PAGEABLE];
  rates.link_ns = v[PROGRAM_MODEL_LATENCY] * NS_PER_US;
  rates.call_ns = v[PROGRAM_MODEL_LAUNCH] * NS_PER_US;
  rates.start_ns = v[PROGRAM_MODEL_START] * NS_PER_US;
  rates.child_ns = v[PROGRAM_MODEL_CHILD] * NS_PER_US;
  rates.next_ns = v[PROGRAM_MODEL_CHILD_NEXT] * NS_PER_US;
  rates.engines = (int)v[PROGRAM_MODEL_ENGINES];
  rates.most_kernels = (int)v[PROGRAM_MODEL_AT_ONCE];
  return rates;
}

ProgramRules program_model_rules(const ProgramModel *model) {
  return (ProgramRules){.default_per_thread = model->value[PROGRAM_MODEL_DEFAULT] > 0,
                        .single_queue = model->value[PROGRAM_MODEL_QUEUE] > 0};
}

// ---- text ----------------------------------------------------------------------------------------------------------

static int find_key(const char *text, size_t length) {
  for (int i = 0; i < PROGRAM_MODEL_COUNT; i++)
    if (strlen(defs[i].key) == length && strncmp(defs[i].key, text, length) == 0) return i;
  return -1;
}

static bool no_such_key(const char *text, size_t length, LsErr *err) {
  LsText keys = {0};
  for (int i = 0; i < PROGRAM_MODEL_COUNT; i++) ls_text_addf(&keys, "%s%s", i ? ", " : "", defs[i].key);
  ls_fail(err, LS_EREQUEST, "the model of times has no '%s'; it has %s", LS_QUOTE_N(text, length), ls_text_str(&keys));
  ls_text_free(&keys);
  return false;
}

// The number of a word of the row; -1.
static int find_word(const ProgramModelDef *def, const char *value) {
  int number = 0;
  for (const char *at = def->words; *at; number++) {
    size_t length = strcspn(at, " ");
    if (strlen(value) == length && strncmp(at, value, length) == 0) return number;
    at += length + (at[length] == ' ');
  }
  return -1;
}

static bool is_whole(const ProgramModelDef *def) { return !*def->unit; }

static bool read_number(const ProgramModelDef *def, const char *value, double *out) {
  char *end;
  *out = strtod(value, &end);
  bool fits = end != value && !*end && isfinite(*out) && *out >= def->least && *out <= def->most;
  return fits && (!is_whole(def) || *out == floor(*out));
}

bool program_model_read(ProgramModelChange *change, const char *text, LsErr *err) {
  size_t length = strcspn(text, "=");
  const char *value = text + length + 1;
  if (!text[length]) return ls_fail(err, LS_EREQUEST, "'%s' is no KEY=VALUE of the model of times", LS_QUOTE(text));
  int id = find_key(text, length);
  if (id < 0) return no_such_key(text, length, err);
  const ProgramModelDef *def = &defs[id];
  double number = def->words ? find_word(def, value) : 0;
  if (def->words && number < 0)
    return ls_fail(err, LS_EREQUEST, "%s of the model of times is one of: %s; not '%s'", def->key, def->words,
                   LS_QUOTE(value));
  if (!def->words && !read_number(def, value, &number))
    return ls_fail(err, LS_EREQUEST, "%s of the model of times is a %snumber from %g to %g%s%s, not '%s'", def->key,
                   is_whole(def) ? "whole " : "", def->least, def->most, *def->unit ? " " : "", def->unit,
                   LS_QUOTE(value));
  change->given[id] = true;
  change->value[id] = number;
  return true;
}

void program_model_text(ProgramModelId id, double value, LsText *out) {
  const ProgramModelDef *def = &defs[id];
  const char *at = def->words;
  if (!at) {
    if (id == PROGRAM_MODEL_STREAMS && value <= 0) ls_text_add(out, "as they are");
    else ls_text_addf(out, "%.4g%s%s", value, *def->unit ? " " : "", def->unit);
    return;
  }
  for (int i = 0; i < (int)value; i++) at += strcspn(at, " ") + 1;
  ls_text_addn(out, at, strcspn(at, " "));
}

double program_model_turn(ProgramModelId id, double value, int direction) {
  const ProgramModelDef *def = &defs[id];
  if (is_whole(def)) return LS_CLAMP(value + direction, def->least, def->most);
  static const double from_nothing = 1;
  if (direction > 0 && value <= 0) return LS_CLAMP(from_nothing, def->least, def->most);
  if (direction < 0 && def->least <= 0 && value <= from_nothing / 8) return 0;
  return LS_CLAMP(direction > 0 ? value * 2 : value / 2, def->least, def->most);
}

void program_model_words(const ProgramModel *model, const ProgramModel *usual, const HostProgram *program,
                         LsText *out) {
  bool any = false;
  for (int i = 0; i < PROGRAM_MODEL_COUNT; i++) {
    bool as_usual = usual && model->value[i] == usual->value[i];
    bool of_children = i == PROGRAM_MODEL_CHILD || i == PROGRAM_MODEL_CHILD_NEXT;
    bool matters = !of_children || !program || program->child_count;
    if (as_usual || !matters) continue;
    ls_text_addf(out, "%s%s ", any ? ", " : "", defs[i].key);
    program_model_text((ProgramModelId)i, model->value[i], out);
    any = true;
  }
}

// ---- the program ---------------------------------------------------------------------------------------------------

static void fold_streams(HostProgram *p, int most) {
  if (most <= 0 || p->stream_count - 1 <= most) return;
  for (int i = 0; i < program_all_steps(p); i++) {
    int *stream = &p->steps[i].stream;
    if (*stream > 0) *stream = 1 + (*stream - 1) % most;
  }
  p->stream_count = 1 + most;
}

static void *copy_of(const void *items, size_t count, size_t size) {
  void *copy = ls_alloc(count * size + 1);
  if (count) memcpy(copy, items, count * size);
  return copy;
}

void program_variant_init(ProgramVariant *variant, const HostProgram *program, const ProgramModel *model) {
  HostProgram *p = &variant->program;
  double memory = model->value[PROGRAM_MODEL_MEMORY];
  *p = *program;
  p->steps = copy_of(program->steps, (size_t)program_all_steps(program), sizeof *p->steps);
  p->buffers = copy_of(program->buffers, (size_t)program->buffer_count, sizeof *p->buffers);
  fold_streams(p, (int)model->value[PROGRAM_MODEL_STREAMS]);
  for (int i = 0; memory > 0 && i < p->buffer_count; i++) {
    ProgramHost *host = &p->buffers[i].host;
    if (*host == PROGRAM_PAGEABLE || *host == PROGRAM_PINNED) *host = memory > 1 ? PROGRAM_PAGEABLE : PROGRAM_PINNED;
  }
}

void program_variant_fini(ProgramVariant *variant) {
  free(variant->program.steps);
  free(variant->program.buffers);
  variant->program = (HostProgram){0};
}

bool program_model_time(const ProgramVariant *variant, const ProgramModel *model, const ArchProfile *arch,
                        const ProgramCost *costs, ProgramTime *times, LsErr *err) {
  const HostProgram *program = &variant->program;
  ProgramRates rates = program_model_rates(model, arch);
  int launches = program->launches + program->child_count;
  ProgramCost *scaled = copy_of(costs, (size_t)launches, sizeof *scaled);
  for (int i = 0; i < launches; i++) scaled[i].block_ns *= model->value[PROGRAM_MODEL_KERNEL];
  bool ok = program_time(program, program_model_rules(model), &rates, scaled, times, err);
  free(scaled);
  return ok;
}
