// session_params.c: what the panel of parameters and `:set` can change: those of a lecture kernel, or the launch of a
// file; and how the emulator runs it. Every change asks for another run.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/expectation.h"
#include "app/run/recordings.h"
#include "app/session/session_parts.h"

typedef enum ParamKind { PARAM_RECIPE, PARAM_GRID, PARAM_BLOCK, PARAM_SHARED, PARAM_ARG, PARAM_SCHED, PARAM_PROFILE } ParamKind;
typedef struct ParamRow { ParamKind kind; int index; } ParamRow;   // index: of the recipe's parameter or the argument
enum { MOST_ROWS = 64, GRID_MOST = INT32_MAX, BLOCK_MOST = 1024, SHARED_STEP = 256, SHARED_MOST = 227 << 10 };

// Contents that came from outside have the size they have; a texture has several. Structs and variables of the module
// are more than fits a row: the page of the launch has room for them.
static bool is_editable(const LaunchArg *arg) {
  if (arg->is_struct || arg->role != LAUNCH_PARAMETER) return false;
  return !arg->is_buffer || (arg->init != LAUNCH_DATA && arg->image.kind == LAUNCH_NO_IMAGE);
}

static int rows_of(const Session *session, const RunRequest *request, ParamRow rows[MOST_ROWS]) {
  int count = 0;
  const char *device = ses_info(session)->device;
  for (int i = 0; request->recipe && i < request->recipe->param_count; i++) rows[count++] = (ParamRow){PARAM_RECIPE, i};
  for (int kind = PARAM_GRID; !request->recipe && kind <= PARAM_SHARED; kind++) rows[count++] = (ParamRow){(ParamKind)kind, 0};
  for (int i = 0; !request->recipe && i < request->launch.arg_count && count < MOST_ROWS - 2; i++)
    if (is_editable(&request->launch.args[i])) rows[count++] = (ParamRow){PARAM_ARG, i};
  if (!device || strcmp(device, "emu") != 0) return count;
  rows[count++] = (ParamRow){PARAM_SCHED, 0};
  rows[count++] = (ParamRow){PARAM_PROFILE, 0};
  return count;
}

int ses_param_count(const Session *session) {
  ParamRow rows[MOST_ROWS];
  return rows_of(session, ses_request(session), rows);
}

// ---- words -----------------------------------------------------------------------------------------------------------

static void arg_name(const Session *session, const LaunchArg *arg, int index, char *out, size_t size) {
  const Run *run = session->run;
  const char *said = arg->name ? arg->name : run->module ? ptx_param_source_name(run->module, run->entry, index) : NULL;
  if (said) snprintf(out, size, "%s", said);
  else snprintf(out, size, "argument %d", index);
}

static void dim_text(const uint32_t dim[3], char *out, size_t size) {
  if (dim[2] > 1) snprintf(out, size, "%u,%u,%u", dim[0], dim[1], dim[2]);
  else if (dim[1] > 1) snprintf(out, size, "%u,%u", dim[0], dim[1]);
  else snprintf(out, size, "%u", dim[0]);
}

static void arg_text(const LaunchArg *arg, char *out, size_t size) {
  int bytes = launch_type_size(arg->type), shift = 64 - 8 * bytes;
  bool is_signed = arg->type == LAUNCH_I8 || arg->type == LAUNCH_I16 || arg->type == LAUNCH_I32 || arg->type == LAUNCH_I64;
  if (arg->is_buffer) snprintf(out, size, "%llu", (unsigned long long)arg->count);
  else if (arg->text) snprintf(out, size, "%s", arg->text);
  else if (launch_type_is_float(arg->type)) snprintf(out, size, "%.9g", launch_value(arg->type, arg->scalar));
  else if (is_signed) snprintf(out, size, "%lld", (long long)((int64_t)(arg->scalar << shift) >> shift));
  else snprintf(out, size, "%llu", (unsigned long long)(arg->scalar << shift >> shift));
}

static int profile_index(const char *name, int *count) {
  const ArchProfile *all = arch_all(count), *now = arch_find(name ? name : "");
  return now && arch_is_row(now) ? (int)(now - all) : 0;
}

static void tell_recipe(const RunRequest *request, int index, SesParam *out) {
  const RecipeParam *param = &request->recipe->params[index];
  LsText text = {0};
  snprintf(out->name, sizeof out->name, "%s", param->name);
  recipe_value_text(param, request->values.value[index], &text);
  snprintf(out->value, sizeof out->value, "%s", ls_text_str(&text));
  ls_text_clear(&text);
  recipe_value_text(param, param->choice_count ? 0 : param->min, &text);
  ls_text_add(&text, " .. ");
  recipe_value_text(param, param->choice_count ? param->choice_count - 1 : param->max, &text);
  snprintf(out->note, sizeof out->note, "%s", ls_text_str(&text));
  ls_text_free(&text);
  out->slider = true;
  out->share = recipe_share(param, request->values.value[index]);
}

static void tell_profile(const char *name, SesParam *out) {
  int count, at = profile_index(name, &count);
  const ArchProfile *all = arch_all(&count);
  snprintf(out->name, sizeof out->name, "profile");
  const ArchProfile *now = arch_find(name);
  snprintf(out->value, sizeof out->value, "%s", now && !arch_is_row(now) ? now->name : all[at].name);
  snprintf(out->note, sizeof out->note, "%s .. %s", all[0].name, all[count - 1].name);
  out->slider = true;
  out->share = count > 1 ? (double)at / (count - 1) : 0;
}

static void tell_arg(const Session *session, const LaunchArg *arg, int index, SesParam *out) {
  arg_name(session, arg, index, out->name, sizeof out->name);
  arg_text(arg, out->value, sizeof out->value);
  snprintf(out->note, sizeof out->note, arg->is_buffer ? "elements, %s" : "%s", arg->text ? "" : launch_type_name(arg->type));
}

bool ses_param(const Session *session, int row, SesParam *out) {
  ParamRow rows[MOST_ROWS];
  const RunRequest *request = ses_request(session);
  const Launch *launch = &request->launch;
  *out = (SesParam){0};
  if (row < 0 || row >= rows_of(session, request, rows)) return false;
  switch (rows[row].kind) {
    case PARAM_RECIPE: tell_recipe(request, rows[row].index, out); break;
    case PARAM_GRID:
      snprintf(out->name, sizeof out->name, "grid");
      dim_text(launch->grid, out->value, sizeof out->value);
      snprintf(out->note, sizeof out->note, "blocks");
      break;
    case PARAM_BLOCK:
      snprintf(out->name, sizeof out->name, "block");
      dim_text(launch->block, out->value, sizeof out->value);
      snprintf(out->note, sizeof out->note, "threads, %u warp%s a block", launch_warps(launch),
               launch_warps(launch) == 1 ? "" : "s");
      break;
    case PARAM_SHARED:
      snprintf(out->name, sizeof out->name, "shared");
      snprintf(out->value, sizeof out->value, "%llu", (unsigned long long)launch->shared_bytes);
      snprintf(out->note, sizeof out->note, "bytes a block, dynamic");
      break;
    case PARAM_ARG: tell_arg(session, &launch->args[rows[row].index], rows[row].index, out); break;
    case PARAM_SCHED:
      snprintf(out->name, sizeof out->name, "sched");
      snprintf(out->value, sizeof out->value, "%s", request->sched == SIM_STACK ? "stack" : "its");
      snprintf(out->note, sizeof out->note, "its .. stack");
      out->slider = true;
      out->share = request->sched == SIM_STACK;
      break;
    case PARAM_PROFILE: tell_profile(request->profile, out); break;
  }
  return true;
}

static void recipe_help(const RecipeParam *param, LsText *out) {
  ls_text_addf(out, "%s: %s", param->name, param->help ? param->help : "");
  if (!param->choice_count) {
    ls_text_addf(out, " (%lld to %lld%s)", (long long)param->min, (long long)param->max, param->log2 ? ", doubling" : "");
    return;
  }
  ls_text_add(out, " (");
  for (int i = 0; i < param->choice_count; i++) ls_text_addf(out, "%s%s", i ? ", " : "", param->choices[i]);
  ls_text_add(out, ")");
}

void ses_param_help(const Session *session, int row, LsText *out) {
  static const char *const help[] = {
      [PARAM_GRID] = "grid: blocks, as X, X,Y or X,Y,Z; left and right halve and double X",
      [PARAM_BLOCK] = "block: threads, as X, X,Y or X,Y,Z, at most 1024 in all; left and right halve and double X",
      [PARAM_SHARED] = "shared: dynamic shared memory of a block in bytes (extern __shared__)",
      [PARAM_SCHED] = "sched: its runs diverged lanes independently (Volta and later), stack one side after the other (before)",
      [PARAM_PROFILE] = "profile: the device whose limits are assumed",
  };
  ParamRow rows[MOST_ROWS];
  const RunRequest *request = ses_request(session);
  SesParam param;
  if (!ses_param(session, row, &param)) return;
  rows_of(session, request, rows);
  if (rows[row].kind == PARAM_RECIPE && rows[row].index == 0 && recipe_has_forms(request->recipe)) {
    ls_text_addf(out, "form %s: ", recipe_form(request->recipe, &request->values)->name);
    expectation_form_words(recipe_form(request->recipe, &request->values), out);
  } else if (rows[row].kind == PARAM_RECIPE) recipe_help(&request->recipe->params[rows[row].index], out);
  else if (rows[row].kind != PARAM_ARG) ls_text_add(out, help[rows[row].kind]);
  else if (request->launch.args[rows[row].index].is_buffer)
    ls_text_addf(out, "%s: elements of the buffer; left and right halve and double", param.name);
  else ls_text_addf(out, "%s: type a value; left and right take one off and add one", param.name);
}

// ---- changing --------------------------------------------------------------------------------------------------------

static int64_t doubled(int64_t value, int direction, int64_t least, int64_t most) {
  return LS_CLAMP(direction > 0 ? value * 2 : value / 2, least, most);
}

static bool set_profile(RunRequest *request, const char *name) {
  free(request->profile);
  request->profile = ls_strdup(name);
  return true;
}

static bool turn_profile(RunRequest *request, int direction) {
  int count, at = profile_index(request->profile, &count), next = LS_CLAMP(at + direction, 0, count - 1);
  return next != at && set_profile(request, arch_all(&count)[next].name);
}

static bool turn_arg(LaunchArg *arg, int direction) {
  if (arg->is_buffer) {
    uint64_t was = arg->count;
    arg->count = (uint64_t)doubled((int64_t)LS_MIN(arg->count, 1ull << 40), direction, 1, 1ll << 36);
    return arg->count != was;
  }
  if (!arg->text) {
    if (launch_type_is_float(arg->type)) arg->scalar = launch_bits(arg->type, launch_value(arg->type, arg->scalar) + direction);
    else arg->scalar += (uint64_t)(int64_t)direction;
    return true;
  }
  double value;
  if (!ls_parse_f64(arg->text, &value)) return false;
  free(arg->text);
  arg->text = ls_format("%.17g", value + direction);
  return true;
}

// False if it stays as it was.
static bool turn(RunRequest *request, ParamRow row, int direction) {
  Launch *launch = &request->launch;
  switch (row.kind) {
    case PARAM_RECIPE: {
      int64_t *value = &request->values.value[row.index], next =
          recipe_step_value(&request->recipe->params[row.index], *value, direction);
      if (next == *value) return false;
      *value = next;
      return true;
    }
    case PARAM_GRID: case PARAM_BLOCK: {
      uint32_t *x = row.kind == PARAM_GRID ? launch->grid : launch->block;
      uint32_t next = (uint32_t)doubled(*x, direction, 1, row.kind == PARAM_GRID ? GRID_MOST : BLOCK_MOST / LS_MAX(x[1] * x[2], 1));
      if (next == *x) return false;
      *x = next;
      return true;
    }
    case PARAM_SHARED: {
      int64_t was = (int64_t)launch->shared_bytes, next = doubled(was, direction, 0, SHARED_MOST);
      if (was == 0 && direction > 0) next = SHARED_STEP;
      launch->shared_bytes = (uint64_t)(direction < 0 && was <= SHARED_STEP ? 0 : next);
      return launch->shared_bytes != (uint64_t)was;
    }
    case PARAM_ARG: return turn_arg(&launch->args[row.index], direction);
    case PARAM_SCHED: {
      SimSched next = direction > 0 ? SIM_STACK : SIM_ITS;
      bool other = next != request->sched;
      request->sched = next;
      return other;
    }
    default: return turn_profile(request, direction);
  }
}

static bool type_arg(LaunchArg *arg, const char *name, const char *text, LsErr *err) {
  uint64_t count;
  if (arg->is_buffer) {
    if (!ls_parse_u64(text, &count) || !count || count > LAUNCH_MAX_BYTES / (unsigned)launch_type_size(arg->type))
      return ls_fail(err, LS_EREQUEST, "%s takes a number of elements, not \"%.40s\"", name, text);
    arg->count = count;
    return true;
  }
  bool pending = arg->text != NULL;   // the kernel's parameter will say what type it has
  free(arg->text);
  arg->text = ls_strdup(text);
  if (pending || launch_arg_set_type(arg, arg->type, err)) return true;
  return ls_fail(err, LS_EREQUEST, "%s is a %s: \"%.40s\" is none", name, launch_type_name(arg->type), text);
}

static bool type_shared(Launch *launch, const char *text, LsErr *err) {
  uint64_t bytes;
  if (!ls_parse_u64(text, &bytes) || bytes > 1 << 30)
    return ls_fail(err, LS_EREQUEST, "shared takes a number of bytes, not \"%.40s\"", text);
  launch->shared_bytes = bytes;
  return true;
}

static bool type_setting(RunRequest *request, ParamKind kind, const char *text, LsErr *err) {
  if (kind == PARAM_PROFILE) {
    const ArchProfile *arch = arch_find(text);
    if (!arch) return ls_fail(err, LS_EREQUEST, "there is no profile \"%.40s\": lanescope devices lists them", text);
    return set_profile(request, arch->name);
  }
  if (strcmp(text, "its") && strcmp(text, "stack")) return ls_fail(err, LS_EREQUEST, "sched is its or stack");
  request->sched = strcmp(text, "stack") == 0 ? SIM_STACK : SIM_ITS;
  return true;
}

static bool type_row(RunRequest *request, ParamRow row, const char *name, const char *text, LsErr *err) {
  char assignment[400];
  switch (row.kind) {
    case PARAM_RECIPE:
      snprintf(assignment, sizeof assignment, "%.64s=%.300s", name, text);
      return recipe_set(request->recipe, &request->values, assignment, err);
    case PARAM_GRID: return launch_parse_dim(text, true, request->launch.grid, err);
    case PARAM_BLOCK: return launch_parse_dim(text, false, request->launch.block, err);
    case PARAM_SHARED: return type_shared(&request->launch, text, err);
    case PARAM_ARG: return type_arg(&request->launch.args[row.index], name, text, err);
    default: return type_setting(request, row.kind, text, err);
  }
}

bool ses_param_type(Session *session, int row, const char *text) {
  ParamRow rows[MOST_ROWS];
  SesParam param;
  LsErr err = {0};
  if (!ses_param(session, row, &param) || !ses_can_rerun(session)) return true;
  RunRequest request;
  run_request_copy(&request, ses_request(session));
  rows_of(session, &request, rows);
  if (type_row(&request, rows[row], param.name, text, &err)) {
    ses_want_changed(session, &request, false);
    return true;
  }
  run_request_fini(&request);
  return ses_complain(session, "%.500s", err.message);
}

static bool param_turn(Session *session, int row, int direction) {
  ParamRow rows[MOST_ROWS];
  RunRequest request;
  if (row < 0 || row >= ses_param_count(session)) return false;
  if (!ses_can_rerun(session)) return true;
  run_request_copy(&request, ses_request(session));
  rows_of(session, &request, rows);
  if (turn(&request, rows[row], direction < 0 ? -1 : 1)) ses_want_changed(session, &request, false);
  else run_request_fini(&request);
  return true;
}

bool ses_param_is_signed(const Session *session, int row) {
  ParamRow rows[MOST_ROWS];
  const RunRequest *request = ses_request(session);
  bool known = row >= 0 && row < rows_of(session, request, rows);
  return known && rows[row].kind == PARAM_ARG && !request->launch.args[rows[row].index].is_buffer;
}

// ---- `:set` ----------------------------------------------------------------------------------------------------------

// What only the emulator heeds. False if it is said what is wrong.
static bool set_emulated(Session *session, const char *name, const char *value, RunRequest *request) {
  bool order = strcmp(name, "order") == 0;
  if (!run_is_emulated(session->run))
    return ses_complain(session, "the %s is the emulator's: a GPU orders its warps by itself", name), false;
  if (!order) return ls_parse_u64(value, &request->seed) || (ses_complain(session, "seed takes a whole number"), false);
  if (strcmp(value, "turns") && strcmp(value, "whole"))
    return ses_complain(session, "order is turns (a few instructions each) or whole (each warp until it waits)"), false;
  request->order = strcmp(value, "turns") == 0 ? SIM_TURNS : SIM_WHOLE;
  request->order_given = true;
  return true;
}

// "recording=2": the second of this kernel's recordings. False if it is said what there are.
static bool set_recording(Session *session, const char *value, RunRequest *request) {
  Recordings all = {0};
  uint64_t number;
  LsText text = {0};
  if (request->recipe) recordings_of(request->recipe->name, &all);
  bool ok = ls_parse_u64(value, &number) && number >= 1 && number <= (uint64_t)all.count;
  if (ok) recording_request(&all.items[number - 1], request);
  ls_text_add(&text, all.count ? "recording is one of " : "there are no recordings of this kernel");
  for (int i = 0; i < all.count; i++) {
    ls_text_addf(&text, "%s%d: ", i ? "; " : "", i + 1);
    recording_words(&all.items[i], &text);
  }
  if (!ok) ses_complain(session, "%.700s", ls_text_str(&text));
  ls_text_free(&text);
  recordings_fini(&all);
  return ok;
}

// What has no row of its own.
static bool set_word(Session *session, const char *name, const char *value) {
  RunRequest request;
  bool code = strcmp(name, "code") == 0, emulated = strcmp(name, "seed") == 0 || strcmp(name, "order") == 0;
  if (code && strcmp(value, "written") && strcmp(value, "compiled")) return ses_complain(session, "code is written or compiled");
  run_request_copy(&request, ses_request(session));
  if (code) {
    request.cut = strcmp(value, "written") == 0 ? DEV_WRITTEN : DEV_COMPILED;
    request.cut_given = true;
  } else if (strcmp(name, "recording") == 0) {
    if (!set_recording(session, value, &request)) return run_request_fini(&request), true;
  } else if (emulated) {
    if (!set_emulated(session, name, value, &request)) return run_request_fini(&request), true;
  } else if (strcmp(name, "device") == 0) {
    run_request_set_device(&request, value);
  } else {
    free(request.blocks);
    request.blocks = ls_strdup(value);
  }
  ses_want(session, &request, false);
  return true;
}

static void complain_unknown(Session *session, const char *name, const char *value) {
  LsText known = {0};
  SesParam param;
  const RunRequest *request = ses_request(session);
  if (request->recipe) {   // it knows what may have been meant
    LsErr err = {0};
    RecipeValues values = request->values;
    ls_text_addf(&known, "%s=%s", name, value);
    recipe_set(request->recipe, &values, ls_text_str(&known), &err);
    ses_complain(session, "%.500s", err.message);
    ls_text_free(&known);
    return;
  }
  for (int i = 0; ses_param(session, i, &param); i++) ls_text_addf(&known, "%s, ", param.name);
  ses_complain(session, "there is no setting \"%s\": %sdevice, code, blocks, seed, order, recording", name,
               ls_text_str(&known));
  ls_text_free(&known);
}

static bool change(Session *session, const char *name, const char *value) {
  static const char *const words[] = {"device", "code", "blocks", "seed", "order", "recording"};
  SesParam param;
  if (!ses_can_rerun(session)) return true;
  for (int i = 0; i < LS_COUNT(words); i++)
    if (strcmp(words[i], name) == 0) return set_word(session, name, value);
  for (int i = 0; ses_param(session, i, &param); i++)
    if (strcmp(param.name, name) == 0) return ses_param_type(session, i, value);
  complain_unknown(session, name, value);
  return true;
}

bool ses_set_line(Session *session, const char *rest) {
  char name[64];
  const char *equals = strchr(rest, '=');
  size_t length = equals ? (size_t)(equals - rest) : 0;
  if (!equals || length == 0 || length >= sizeof name || !equals[1])
    return ses_complain(session, "set takes NAME=VALUE: a row of the parameters (p), or device, code, blocks, seed, order, recording, stage, "
                        "motion");
  memcpy(name, rest, length);
  name[length] = 0;
  return ses_set_screen(session, name, equals + 1) || change(session, name, equals + 1);
}

// arg: row of the panel << 32 | direction; or text "N=128".
bool ses_set_param(Session *session, const Command *command) {
  if (command->text) return ses_set_line(session, command->text);
  return param_turn(session, (int)(command->arg >> 32), (int)(int32_t)(command->arg & 0xffffffff));
}
