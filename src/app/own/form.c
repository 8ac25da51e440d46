// form.c: fields, what is wrong with them, and the launch that they make.
#include "app/own/form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/random.h"

static const char *const choices[] = {"zero", "iota", "const:1", "random:1", "mod:16", "file:", "none"};

int form_choices(void) { return LS_COUNT(choices); }
const char *form_choice(int index) { return choices[index]; }

// ---- making it ------------------------------------------------------------------------------------------------------

static void add_field(Form *form, int row, int param, FieldKind kind) {
  form->fields[form->count++] = (Field){.kind = kind, .row = row, .param = param};
}

static void add_param(Form *form, int param) {
  int row = FORM_FIRST_ARG + param;
  switch (form->sig->params[param].kind) {
  case SIG_SCALAR: add_field(form, row, param, FIELD_NUMBER); break;
  case SIG_BUFFER:
    add_field(form, row, param, FIELD_COUNT);
    add_field(form, row, param, FIELD_INIT);
    break;
  case SIG_OTHER: add_field(form, row, param, FIELD_TEXT); break;
  case SIG_VARIABLE: add_field(form, row, param, FIELD_INIT); break;
  }
}

// tile[32][33] is for blocks of 32 x 32 threads, part[128] for 128: sizes that blocks have.
static void note_tile(Form *form, const char *source, const char *array) {
  int64_t size[4];
  bool flat = form->sig->dims == 1;
  if (form->sig->dims > 2 || hostcode_array(source, array, size) != (flat ? 1 : 2)) return;
  int64_t side = size[0], other = flat ? side : size[1];
  bool power = side > 0 && (side & (side - 1)) == 0, fits = flat ? side >= 32 && side <= 1024 : side >= 4 && side <= 32;
  if (!power || !fits || (other != side && other != side + 1) || side <= form->tile_side) return;
  form->tile = array;
  form->tile_side = (int)side;
}

void form_init(Form *form, const Signature *sig, const char *source) {
  *form = (Form){.sig = sig, .host = {.shared = -1}};
  if (source) hostcode_launch(source, sig->name, &form->host);
  for (int i = 0; source && i < sig->array_count; i++) note_tile(form, source, sig->arrays[i]);
  form->fields = ls_alloc(sizeof *form->fields * (size_t)(FORM_FIRST_ARG + 2 * signature_rows(sig)));
  form->why = ls_alloc(sizeof *form->why * (size_t)(FORM_FIRST_ARG + signature_rows(sig)));
  add_field(form, FORM_GRID, -1, FIELD_DIM);
  add_field(form, FORM_BLOCK, -1, FIELD_DIM);
  add_field(form, FORM_SHARED, -1, FIELD_BYTES);
  for (int i = 0; i < signature_rows(sig); i++) add_param(form, i);
  form_enter(form, 0, "", FROM_GUESS);
}

static void drop_variables(Form *form) {
  for (int i = 0; i < form->variable_count; i++) free(form->variables[i]);
  free(form->variables);
  form->variables = NULL;
  form->variable_count = 0;
}

void form_fini(Form *form) {
  drop_variables(form);
  free(form->fields);
  free(form->why);
  *form = (Form){0};
}

// ---- what -a takes --------------------------------------------------------------------------------------------------

uint64_t form_count_value(const char *text) {
  char part[24];
  uint64_t product = 1, factor;
  for (const char *p = text;; p++) {
    size_t length = strcspn(p, "*");
    snprintf(part, sizeof part, "%.*s", (int)LS_MIN(length, sizeof part - 1), p);
    if (length >= sizeof part || !ls_parse_u64(part, &factor) || !factor || product > LAUNCH_MAX_BYTES / factor)
      return 0;
    product *= factor;
    p += length;
    if (!*p) return product;
  }
}

// The author's word for a type where -a knows it and means the same.
static const char *type_word(const char *type, LaunchType number, int per) {
  LaunchType known;
  int lanes;
  bool same = type && launch_type_read(type, strlen(type), &known, &lanes) && known == number && lanes == per;
  return same ? type : NULL;
}

static const Field *field_at(const Form *form, int param, int nth) {
  return &form->fields[form_field(form, FORM_FIRST_ARG + param, nth)];
}

void form_argument(const Form *form, int param, LsText *out) {
  const SigParam *p = &form->sig->params[param];
  const Field *first = field_at(form, param, 0);
  if (p->kind == SIG_VARIABLE) {
    ls_text_addf(out, "@%s=%s", p->name, first->text);
  } else if (first->kind == FIELD_TEXT) {
    ls_text_add(out, first->text);
  } else if (first->kind == FIELD_NUMBER) {
    const char *word = type_word(p->type, p->number, 1);
    ls_text_addf(out, "%s=%s", word ? word : launch_type_name(p->number), first->text);
  } else {
    const char *word = type_word(p->element, p->number, p->per);
    uint64_t count = form_count_value(first->text) * (uint64_t)(word ? 1 : p->per);
    ls_text_addf(out, "%s[%llu]=%s", word ? word : launch_type_name(p->number), (unsigned long long)count,
                 field_at(form, param, 1)->text);
  }
}

// ---- what is wrong --------------------------------------------------------------------------------------------------

static bool check_dim(const Field *field, bool is_grid, LsErr *err) {
  uint32_t dim[3];
  return launch_parse_dim(field->text, is_grid, dim, err);
}

static bool check_bytes(const Field *field, LsErr *err) {
  uint64_t bytes;
  if (ls_parse_u64(field->text, &bytes) && bytes <= UINT32_MAX) return true;
  return ls_fail(err, LS_EREQUEST, "a whole number of bytes is needed, not '%s'", LS_QUOTE(field->text));
}

static bool check_count(const Form *form, const Field *field, LsErr *err) {
  const SigParam *p = &form->sig->params[field->param];
  uint64_t count = form_count_value(field->text), size = (uint64_t)launch_type_size(p->number) * (uint64_t)p->per;
  if (!count) return ls_fail(err, LS_EREQUEST, "a number of elements is needed, as 1000 or 64*48, not '%s'",
                             LS_QUOTE(field->text));
  if (count <= LAUNCH_MAX_BYTES / size) return true;
  return ls_fail(err, LS_EREQUEST, "a buffer has at most %llu GB", (unsigned long long)(LAUNCH_MAX_BYTES >> 30));
}

// The whole argument is parsed as the command line would: what is wrong with the count is told at the count.
static bool check_argument(const Form *form, const Field *field, LsErr *err) {
  LsText text = {0};
  Launch launch;
  bool buffer = form->sig->params[field->param].kind == SIG_BUFFER;
  if (buffer && field->kind == FIELD_INIT && !form_count_value(field_at(form, field->param, 0)->text)) return true;
  if (!field->text[0]) return ls_fail(err, LS_EREQUEST, "something is needed here");
  if (field->kind == FIELD_INIT && strcmp(field->text, "file:") == 0)
    return ls_fail(err, LS_EREQUEST, "which file? Type its path");
  launch_init(&launch);
  form_argument(form, field->param, &text);
  bool ok = launch_add_arg(&launch, ls_text_str(&text), err);
  launch_fini(&launch);
  ls_text_free(&text);
  return ok;
}

static bool check(const Form *form, const Field *field, LsErr *err) {
  switch (field->kind) {
  case FIELD_DIM: return check_dim(field, field->row == FORM_GRID, err);
  case FIELD_BYTES: return check_bytes(field, err);
  case FIELD_COUNT: return check_count(form, field, err);
  default: return check_argument(form, field, err);
  }
}

// What an argument is, as a number; 0: the field is checked by itself.
static uint64_t argument_hash(const Form *form, const Field *field) {
  if (field->kind != FIELD_INIT && field->kind != FIELD_TEXT) return 0;
  LsText text = {0};
  form_argument(form, field->param, &text);
  uint64_t hash = ls_hash64(ls_text_str(&text), text.length);
  ls_text_free(&text);
  return hash;
}

// A file is read to be checked, and may be long: what was good is not read again for every key.
static void check_field(Form *form, Field *field) {
  LsErr err = {0};
  uint64_t hash = argument_hash(form, field);
  if (hash && hash == field->good) return;
  field->error[0] = 0;
  bool ok = check(form, field, &err);
  field->good = ok ? hash : 0;
  if (!ok) snprintf(field->error, sizeof field->error, "%.*s", (int)strcspn(err.message, "\n"), err.message);
}

static void check_all(Form *form) {
  for (int i = 0; i < form->count; i++) check_field(form, &form->fields[i]);
}

int form_wrong(const Form *form) {
  for (int i = 0; i < form->count; i++)
    if (form->fields[i].error[0]) return i;
  return -1;
}

// ---- entering -------------------------------------------------------------------------------------------------------

void form_enter(Form *form, int field, const char *text, FieldFrom from) {
  Field *f = &form->fields[field];
  while (*text == ' ') text++;
  snprintf(f->text, sizeof f->text, "%s", text);
  for (size_t n = strlen(f->text); n && f->text[n - 1] == ' ';) f->text[--n] = 0;
  f->from = f->text[0] ? from : FROM_GUESS;
  guess_fill(form);
  check_all(form);
}

int form_chosen(const Form *form, int field) {
  const char *text = form->fields[field].text;
  if (form->fields[field].kind != FIELD_INIT) return -1;
  for (int i = 0; i < LS_COUNT(choices); i++) {
    size_t word = strcspn(choices[i], ":");
    if (strncmp(choices[i], text, word) == 0 && (!text[word] || text[word] == ':')) return i;
  }
  return -1;
}

// Twice or half of the first number of a text.
static bool scale(Form *form, int field, int direction) {
  const char *text = form->fields[field].text;
  char *end, scaled[240];
  unsigned long long value = strtoull(text, &end, 10);
  if (end == text || *end == '.' || (direction < 0 && value < 2) || value > UINT32_MAX) return false;
  snprintf(scaled, sizeof scaled, "%llu%s", direction > 0 ? value * 2 : value / 2, end);
  form_enter(form, field, scaled, FROM_TYPING);
  return true;
}

bool form_choose(Form *form, int field, int direction) {
  const Field *f = &form->fields[field];
  bool truth = f->kind == FIELD_NUMBER && form->sig->params[f->param].is_bool;
  if (truth) form_enter(form, field, strcmp(f->text, "0") == 0 ? "1" : "0", FROM_TYPING);
  else if (f->kind == FIELD_INIT) {
    int next = form_chosen(form, field) + direction + LS_COUNT(choices);
    form_enter(form, field, choices[next % LS_COUNT(choices)], FROM_TYPING);
  } else return f->kind != FIELD_TEXT && scale(form, field, direction);
  return true;
}

static bool take_buffer(Form *form, int param, const LaunchArg *arg, const char *argument) {
  const SigParam *p = &form->sig->params[param];
  const char *init = strstr(argument, "]=");
  char count[32];
  if (p->kind != SIG_BUFFER || !init || arg->type != p->number || arg->count % (uint64_t)p->per) return false;
  snprintf(count, sizeof count, "%llu", (unsigned long long)(arg->count / (uint64_t)p->per));
  form_enter(form, form_field(form, FORM_FIRST_ARG + param, 0), count, FROM_COMMAND);
  form_enter(form, form_field(form, FORM_FIRST_ARG + param, 1), init + 2, FROM_COMMAND);
  return true;
}

static bool take_typed(Form *form, int param, const char *argument, LsErr *err) {
  const SigParam *p = &form->sig->params[param];
  Launch launch;
  launch_init(&launch);
  bool ok = launch_add_arg(&launch, argument, err);
  const LaunchArg *arg = ok ? &launch.args[0] : NULL;
  int field = form_field(form, FORM_FIRST_ARG + param, 0);
  const char *equal = strrchr(argument, '=');
  if (ok && arg->is_buffer && arg->image.kind == LAUNCH_NO_IMAGE) ok = take_buffer(form, param, arg, argument);
  else if (ok && p->kind == SIG_SCALAR && !arg->is_buffer && equal) form_enter(form, field, equal + 1, FROM_COMMAND);
  else if (ok && p->kind == SIG_OTHER) form_enter(form, field, argument, FROM_COMMAND);
  else ok = false;
  launch_fini(&launch);
  if (ok || (err && err->kind)) return ok;
  return ls_fail(err, LS_EREQUEST, "-a '%s' is given for %s %s", LS_QUOTE(argument), p->type, p->name);
}

static int param_named(const Signature *sig, const char *argument) {
  size_t length = strcspn(argument, "=");
  for (int i = 0; i < sig->param_count && argument[length]; i++)
    if (strlen(sig->params[i].name) == length && memcmp(sig->params[i].name, argument, length) == 0) return i;
  return -1;
}

static bool is_variable(const char *argument) { return argument[0] == '@'; }

int form_given_count(const FormGiven *given) {
  int count = 0;
  for (int i = 0; i < given->arg_count; i++) count += !is_variable(given->args[i]);
  return count;
}

// Contents of a variable that has a field go there; others are kept as they are.
static bool take_contents(Form *form, const char *argument) {
  size_t length = strcspn(argument, "=>");
  for (int i = form->sig->param_count; i < signature_rows(form->sig); i++) {
    const char *name = form->sig->params[i].name;
    if (strlen(name) + 1 != length || memcmp(name, argument + 1, length - 1) != 0 || argument[length] != '=') continue;
    form_enter(form, form_field(form, FORM_FIRST_ARG + i, 0), argument + length + 1, FROM_COMMAND);
    return true;
  }
  return false;
}

static void take_variables(Form *form, const FormGiven *given) {
  drop_variables(form);
  form->variables = ls_alloc(sizeof *form->variables * (size_t)(given->arg_count + 1));
  for (int i = 0; i < given->arg_count; i++)
    if (is_variable(given->args[i]) && !take_contents(form, given->args[i]))
      form->variables[form->variable_count++] = ls_strdup(given->args[i]);
}

int form_given_for(const Signature *sig, const FormGiven *given, int param) {
  int position = 0;
  for (int i = 0; i < given->arg_count; i++) {
    if (is_variable(given->args[i])) continue;
    int named = param_named(sig, given->args[i]);
    if (named == param || (named < 0 && position == param)) return i;
    position += named < 0;
  }
  return -1;
}

// NAME=VALUE, NAME=TYPE=VALUE, or what -a takes by position.
static bool take_argument(Form *form, int param, const char *argument, LsErr *err) {
  bool by_name = param_named(form->sig, argument) == param;
  const char *value = by_name ? argument + strcspn(argument, "=") + 1 : argument;
  if (!by_name || strpbrk(value, "=[:")) return take_typed(form, param, value, err);
  form_enter(form, form_field(form, FORM_FIRST_ARG + param, 0), value, FROM_COMMAND);
  return true;
}

bool form_take(Form *form, const FormGiven *given, LsErr *err) {
  const char *const sizes[] = {given->grid, given->block, given->shared};
  bool ok = true;
  take_variables(form, given);
  for (int i = 0; i < LS_COUNT(sizes); i++)
    if (sizes[i]) form_enter(form, form_field(form, FORM_GRID + i, 0), sizes[i], FROM_COMMAND);
  for (int i = 0; i < form->sig->param_count; i++) {
    int arg = form_given_for(form->sig, given, i);
    if (arg >= 0) ok = take_argument(form, i, given->args[arg], ok ? err : NULL) && ok;
  }
  if (ok && form_given_count(given) > form->sig->param_count)
    return ls_fail(err, LS_EREQUEST, "%d arguments are given, and the kernel takes %d", form_given_count(given),
                   form->sig->param_count);
  return ok;
}

void form_loosen(Form *form) {
  for (int i = form->count - 1; i >= 0; i--) {   // what follows before what is followed
    Field before = form->fields[i];
    if (before.from == FROM_GUESS) continue;
    form_enter(form, i, "", FROM_GUESS);
    if (strcmp(form->fields[i].text, before.text) != 0) form_enter(form, i, before.text, before.from);
  }
}

void form_key(const Form *form, int field, char *out, size_t size) {
  static const char *const names[] = {"grid", "block", "shared"};
  const Field *f = &form->fields[field];
  if (f->param < 0) snprintf(out, size, "%s", names[f->row]);
  else if (f->param >= form->sig->param_count) snprintf(out, size, "@%.80s", form->sig->params[f->param].name);
  else snprintf(out, size, "arg %.70s%s", form->sig->params[f->param].name, f->kind == FIELD_COUNT ? " count" : "");
}

// ---- the launch -----------------------------------------------------------------------------------------------------

static bool fill_launch(const Form *form, Launch *launch, LsErr *err) {
  launch->kernel = ls_strdup(form->sig->name);
  if (!launch_parse_dim(form->fields[FORM_GRID].text, true, launch->grid, err) ||
      !launch_parse_dim(form->fields[FORM_BLOCK].text, false, launch->block, err) ||
      !check_bytes(&form->fields[FORM_SHARED], err))
    return false;
  ls_parse_u64(form->fields[FORM_SHARED].text, &launch->shared_bytes);
  bool ok = true;
  for (int i = 0; ok && i < signature_rows(form->sig); i++) {
    LsText text = {0};
    form_argument(form, i, &text);
    ok = launch_add_arg(launch, ls_text_str(&text), err);
    ls_text_free(&text);
  }
  for (int i = 0; ok && i < form->variable_count; i++) ok = launch_add_arg(launch, form->variables[i], err);
  return ok;
}

bool form_launch(const Form *form, Launch *launch, LsErr *err) {
  launch_init(launch);
  int wrong = form_wrong(form);
  if (wrong >= 0) return ls_fail(err, LS_EREQUEST, "%s", form->fields[wrong].error);
  return fill_launch(form, launch, err);
}

// ---- the command line -----------------------------------------------------------------------------------------------

static void add_word(FormWords *words, const char *option, const char *value) {
  LsText text = {0};
  ls_text_addf(&text, "%s ", option);
  launch_quote(value, &text);
  LS_PUSH(words->items, words->count, words->capacity, ls_text_take(&text));
}

void form_words(const Form *form, bool with_kernel, FormWords *words) {
  *words = (FormWords){0};
  if (with_kernel) add_word(words, "-k", form->sig->name);
  add_word(words, "-g", form->fields[FORM_GRID].text);
  add_word(words, "-b", form->fields[FORM_BLOCK].text);
  if (strcmp(form->fields[FORM_SHARED].text, "0") != 0) add_word(words, "-s", form->fields[FORM_SHARED].text);
  for (int i = 0; i < signature_rows(form->sig); i++) {
    LsText text = {0};
    form_argument(form, i, &text);
    add_word(words, "-a", ls_text_str(&text));
    ls_text_free(&text);
  }
  for (int i = 0; i < form->variable_count; i++) add_word(words, "-a", form->variables[i]);
}

void form_words_free(FormWords *words) {
  for (int i = 0; i < words->count; i++) free(words->items[i]);
  free(words->items);
  *words = (FormWords){0};
}
