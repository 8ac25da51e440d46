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

static void send(Session *session, CommandId id, int64_t arg) {
  Command command = {.id = id, .arg = arg};
  ses_command(session, &command);
}

void lesson_show(const Lesson *lesson, Session **session) {
  const LessonPlace *place = &lesson_current(lesson)->place;
  Run *run = lesson_run(lesson, place->run);
  if (!run) return;
  bring_run(run, session);
  Session *shown = *session;
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
