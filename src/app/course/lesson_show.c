// lesson_show.c: brings the explorer to the place of a lesson's step.
#include "app/course/lesson.h"

#include <string.h>

// Two requests of a lesson give the same run if these are the same.
static bool same_run(const RunRequest *a, const RunRequest *b) {
  if (a->recipe != b->recipe || a->cut != b->cut || a->sched != b->sched || a->seed != b->seed) return false;
  if (run_request_order(a) != run_request_order(b) || a->launch_number != b->launch_number) return false;
  if (strcmp(a->text ? a->text : "", b->text ? b->text : "") != 0) return false;
  if (strcmp(a->device, b->device) != 0 || strcmp(a->profile, b->profile) != 0) return false;
  for (int i = 0; i < a->recipe->param_count; i++)
    if (a->values.value[i] != b->values.value[i]) return false;
  return true;
}

static void bring_run(Run *run, Session **session) {
  if (*session && (*session)->run->request.recipe && same_run(&(*session)->run->request, &run->request)) return;
  if (*session) ses_replace_run(*session, run_share(run));
  else *session = ses_new(run_share(run));
}

// What the run has that the other one has not: its kernel, or values of its parameters.
static void name_beside(const Run *run, const Run *beside, LsText *out) {
  const RunRequest *a = &run->request, *b = &beside->request;
  if (a->recipe != b->recipe) {
    ls_text_add(out, b->recipe->name);
    return;
  }
  for (int i = 0; i < b->recipe->param_count; i++) {
    if (a->values.value[i] == b->values.value[i]) continue;
    ls_text_addf(out, "%s%s=", out->length ? " " : "", b->recipe->params[i].name);
    recipe_value_text(&b->recipe->params[i], b->values.value[i], out);
  }
  if (!out->length && a->cut != b->cut) ls_text_add(out, b->cut == DEV_WRITTEN ? "as written" : "as compiled");
  if (!out->length) ls_text_add(out, b->recipe->name);
}

static void bring_beside(Run *run, Run *beside, const char *label, Session *session) {
  if (!beside) return ses_close_compare(session);
  if (session->other && same_run(&session->other->request, &beside->request)) return;
  LsText name = {0};
  if (label && *label) ls_text_add(&name, label);
  else name_beside(run, beside, &name);
  ses_put_beside(session, run_share(beside), ls_text_str(&name));
  ls_text_free(&name);
}

static void send(Session *session, CommandId id, int64_t arg) {
  Command command = {.id = id, .arg = arg};
  ses_command(session, &command);
}

void lesson_show(const Lesson *lesson, Session **session) {
  lesson_show_at(lesson, &lesson_current(lesson)->place, session);
}

void lesson_show_at(const Lesson *lesson, const LessonPlace *place, Session **session) {
  Run *run = lesson_run(lesson, place->run);
  if (!run) return;
  bring_run(run, session);
  Session *shown = *session;
  bring_beside(run, lesson_run(lesson, place->beside), place->label, shown);
  send(shown, CMD_GOTO, (int64_t)place->step);
  if (place->block >= 0) send(shown, CMD_SET_BLOCK, place->block);
  if (place->warp >= 0) send(shown, CMD_SET_WARP, place->warp);
  send(shown, CMD_SET_LANE, place->lane);
  if (place->focus >= 0) send(shown, CMD_SET_FOCUS, place->focus);
  else send(shown, CMD_FOCUS_AUTO, 0);
  FocusKind focus = shown->focus;
  shown->variant[focus] = place->variant >= 0 ? place->variant : 0;
  if (place->margin >= 0 && place->margin < ses_margin_count())
    shown->margin = place->margin, shown->margin_chosen = true;
  shown->zoom = place->zoom;
  shown->show_ptx = place->show_ptx;
  shown->hex = place->hex;
  ses_play_stop(shown);
}
