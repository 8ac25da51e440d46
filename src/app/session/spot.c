// spot.c: where the explorer stands, as a command line.
#include "app/session/spot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void spot_shell_word(const char *word, LsText *out) {
  static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (*word && word[strspn(word, safe)] == 0) {
    ls_text_add(out, word);
    return;
  }
  ls_text_addc(out, '\'');
  for (const char *p = word; *p; p++) {
    if (*p == '\'') ls_text_add(out, "'\\''");
    else ls_text_addc(out, *p);
  }
  ls_text_addc(out, '\'');
}

static void add_option(const char *option, const char *value, LsText *out) {
  ls_text_addf(out, " %s ", option);
  spot_shell_word(value, out);
}

static void add_number(const char *option, uint64_t value, LsText *out) {
  ls_text_addf(out, " %s %" PRIu64, option, value);
}

// ---- the run --------------------------------------------------------------------------------------------------------

static void add_values(const Recipe *recipe, const RecipeValues *values, const RecipeValues *usual, LsText *out) {
  for (int i = 0; i < recipe->param_count; i++) {
    if (values->value[i] == usual->value[i]) continue;
    LsText value = {0};
    bool form = i == 0 && recipe_has_forms(recipe);
    if (!form) ls_text_addf(&value, "%s=", recipe->params[i].name);
    recipe_value_text(&recipe->params[i], values->value[i], &value);
    add_option(form ? "--form" : "-p", ls_text_str(&value), out);
    ls_text_free(&value);
  }
}

static void add_launch(const RunRequest *request, LsText *out) {
  if (request->launch_name) add_option("--launch", request->launch_name, out);
  else if (request->launch_number) add_number("--launch", (uint64_t)request->launch_number, out);
}

// As explore makes it if nothing is said.
static void usual_request(const RunRequest *request, RunRequest *usual) {
  run_request_init(usual);
  usual->recipe = request->recipe;
  recipe_defaults(request->recipe, &usual->values);
  usual->cut = DEV_WRITTEN;
  run_request_use_cut(usual);
}

static void add_how(const RunRequest *request, const RunRequest *usual, LsText *out) {
  bool by_device = strcmp(request->device, "auto") == 0 || strcmp(request->device, "emu") == 0;
  bool cut_told = by_device || request->cut_given;
  if (!by_device) add_option("--device", request->device, out);
  if (cut_told && request->cut != usual->cut)
    add_option("--code", request->cut == DEV_WRITTEN ? "written" : "compiled", out);
  if (request->sched != usual->sched) add_option("--sched", request->sched == SIM_STACK ? "stack" : "its", out);
  if (request->order_given) add_option("--order", request->order == SIM_WHOLE ? "whole" : "turns", out);
  if (strcmp(request->profile, usual->profile) != 0) add_option("--profile", request->profile, out);
  if (request->blocks) add_option("--blocks", request->blocks, out);
  if (request->seed != usual->seed) add_number("--seed", request->seed, out);
  if (request->order_of) add_option("--order-of", request->order_of, out);
}

void spot_run_command(const RunRequest *request, LsText *out) {
  RunRequest usual;
  ls_text_add(out, "lanescope explore ");
  spot_shell_word(request->what, out);
  if (!request->recipe) return;
  usual_request(request, &usual);
  add_values(request->recipe, &request->values, &usual.values, out);
  add_launch(request, out);
  add_how(request, &usual, out);
  run_request_fini(&usual);
}

void spot_model_command(const Model *model, const ModelValues *values, LsText *out) {
  ModelValues usual;
  model_defaults(model, &usual);
  ls_text_addf(out, "lanescope explore %s", model->recipe.name);
  add_values(&model->recipe, &values->numbers, &usual.numbers, out);
  if (!model->script_name || strcmp(values->script, usual.script) == 0) return;
  char *script = ls_format("%s=%s", model->script_name, values->script);
  add_option("-p", script, out);
  free(script);
}

// ---- the place ------------------------------------------------------------------------------------------------------

static const SesWish anywhere = {.focus = -1, .variant = -1, .warp = -1, .lane = -1, .margin = -1};

// Another explorer on the same run, sent there: NULL if there is no such place.
static Session *sent(Session *session, const SesWish *wish) {
  LsErr err = {0};
  Session *probe = ses_new(run_share(session->run));
  if (ses_wish(probe, wish, &err)) return probe;
  ses_free(probe);
  return NULL;
}

static bool leads_here(Session *session, const SesWish *wish) {
  Session *probe = sent(session, wish);
  bool here = probe && probe->step == session->step;
  ses_free(probe);
  return here;
}

static SesWish wish_at(const Session *session, const char *at) {
  SesWish wish = anywhere;
  wish.at = at;
  if (!session->focus_auto) wish.focus = session->focus;
  return wish;
}

bool spot_at(Session *session, char *out, size_t size) {
  if (!session->steps) return false;
  snprintf(out, size, "line:%d", ses_scene(session)->line);
  SesWish wish = wish_at(session, out);
  if (ses_scene(session)->line > 0 && leads_here(session, &wish)) return true;
  if (session->step && session->step == session->steps - 1) snprintf(out, size, "end");
  else snprintf(out, size, "%" PRIu64, session->step);
  return true;
}

// The pane, and what differs from an explorer that was sent to this step.
static void add_shown(Session *session, const char *at, LsText *out) {
  SesWish wish = wish_at(session, at);
  Session *probe = sent(session, &wish);
  if (!probe) return;
  if (wish.focus >= 0) add_option("--focus", focus_name(session->focus), out);
  if (session->variant[session->focus] != probe->variant[session->focus])
    add_number("--variant", (uint64_t)session->variant[session->focus], out);
  if (session->warp != probe->warp) add_number("--warp", (uint64_t)session->warp, out);
  if (session->lane >= 0) add_number("--lane", (uint64_t)session->lane, out);
  if (session->zoom) ls_text_add(out, " --zoom");
  ses_free(probe);
}

void spot_command(Session *session, LsText *out) {
  char at[32];
  spot_run_command(&session->run->request, out);
  if (!spot_at(session, at, sizeof at)) return;
  add_option("--at", at, out);
  add_shown(session, at, out);
}
