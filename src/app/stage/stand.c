// stand.c: a place in a demo as a line, and back.
#include "app/stage/stand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

// ---- of a talk ------------------------------------------------------------------------------------------------------

static const char usual_profile[] = "h200";

// Parameters that are not as usual; as many as there is room for.
static void values_of(const Recipe *recipe, const RecipeValues *values, char out[STAND_VALUES + 1]) {
  RecipeValues usual;
  LsText text = {0};
  recipe_defaults(recipe, &usual);
  for (int i = 0; i < recipe->param_count; i++) {
    if (values->value[i] == usual.value[i]) continue;
    ls_text_addf(&text, "%s%s=", text.length ? " " : "", recipe->params[i].name);
    recipe_value_text(&recipe->params[i], values->value[i], &text);
  }
  snprintf(out, STAND_VALUES + 1, "%s", text.length <= STAND_VALUES ? ls_text_str(&text) : "");
  ls_text_free(&text);
}

static void run_of(StandRun *stand, const Run *run) {
  const RunRequest *request = &run->request;
  if (!request->recipe || request->text) return;       // somebody's own file stays on this machine
  snprintf(stand->kernel, sizeof stand->kernel, "%s", request->recipe->name);
  values_of(request->recipe, &request->values, stand->values);
  if (strcmp(request->profile, usual_profile) != 0)
    snprintf(stand->profile, sizeof stand->profile, "%s", request->profile);
  stand->stack = request->sched == SIM_STACK;
  stand->compiled = request->cut == DEV_COMPILED;
  stand->recorded = strcmp(request->device, "recorded") == 0;
  stand->launch = request->launch_number;
}

static void place_of(StageStand *stand, const Session *session) {
  run_of(&stand->run, session->run);
  if (session->other) run_of(&stand->beside, session->other);
  stand->step = session->step;
  stand->block = session->block;
  stand->warp = session->warp_follows ? -1 : session->warp;
  stand->lane = session->lane;
  if (!session->focus_auto) snprintf(stand->focus, sizeof stand->focus, "%s", focus_name(session->focus));
  stand->variant = session->variant[session->focus] ? session->variant[session->focus] : -1;
  stand->margin = session->margin_chosen ? session->margin : -1;
  stand->zoom = session->zoom;
}

static void model_of(StageStand *stand, const Model *model, const ModelValues *values) {
  LsText text = {0};
  model_print_values(model, values, &text);
  snprintf(stand->model, sizeof stand->model, "%s", model->recipe.name);
  snprintf(stand->model_values, sizeof stand->model_values, "%s",
           text.length <= STAND_VALUES ? ls_text_str(&text) : "");
  ls_text_free(&text);
}

void stand_of(StageStand *stand, Talk *talk, Session *session, const Model *model, const ModelValues *values) {
  const DemoBeat *beat = talk_beat(talk);
  const Vote *vote = talk_vote(talk);
  *stand = stand_nowhere;
  stand->black = talk->black;
  if (!beat) return;
  stand->scene = beat->scene;
  stand->hidden = talk_hides(talk) && !talk->off_script;
  if (model) model_of(stand, model, values);
  else if (session && session->steps && (beat->place.run >= 0 || talk->off_script)) place_of(stand, session);
  if (!vote) return;
  stand->ask = beat->question;
  stand->options = vote->options;
  stand->round = vote->round;
  stand->open = talk_asks(talk) && !vote->closed;
}

// ---- there ----------------------------------------------------------------------------------------------------------

bool stand_request(const StandRun *run, RecipeBook *book, RunRequest *request, LsErr *err) {
  const char *values[LS_COUNT(((RecipeValues *)0)->value)];
  char words[STAND_VALUES + 1], *rest = NULL;
  LessonWant want = {.kernel = run->kernel, .values = values, .sched = run->stack ? "stack" : NULL,
                     .launch = run->launch,
                     .device = run->recorded ? "recorded" : NULL, .profile = run->profile[0] ? run->profile : NULL};
  if (!run->recorded) want.cut = run->compiled ? "compiled" : "written";
  snprintf(words, sizeof words, "%s", run->values);
  for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
    if (want.value_count < LS_COUNT(values)) values[want.value_count++] = word;
  return lesson_want_request(&want, book, request, err);
}

static void send(Session *session, CommandId id, int64_t arg) {
  ses_command(session, &(Command){.id = id, .arg = arg});
}

static FocusKind focus_named(const char *name) {
  int kind = 0;
  while (kind < FOCUS_COUNT && strcmp(focus_name((FocusKind)kind), name) != 0) kind++;
  return (FocusKind)kind;
}

void stand_go(const StageStand *stand, Session *session) {
  FocusKind focus = focus_named(stand->focus);
  if (!session->steps) return;
  send(session, CMD_GOTO, (int64_t)LS_MIN(stand->step, session->steps - 1));
  bool has_block = stand->block >= 0 && (uint64_t)stand->block < ses_grid_blocks(session);
  if (has_block) send(session, CMD_SET_BLOCK, stand->block);
  if (stand->warp >= 0 && stand->warp < ses_warps(session)) send(session, CMD_SET_WARP, stand->warp);
  send(session, CMD_SET_LANE, stand->lane);
  if (focus < FOCUS_COUNT) send(session, CMD_SET_FOCUS, focus);
  else send(session, CMD_FOCUS_AUTO, 0);
  session->variant[session->focus] = LS_MAX(stand->variant, 0) % focus_variants(session->focus);
  if (stand->margin >= 0 && stand->margin < ses_margin_count())
    session->margin = stand->margin, session->margin_chosen = true;
  session->zoom = stand->zoom;
  session->message[0] = 0;               // a run of another version may lack a block: nobody asked for it here
  ses_play_stop(session);
}
