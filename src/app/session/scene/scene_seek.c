// scene_seek.c: brings the emulator to a step, as far as the patience of the session goes.
#include <stdio.h>

#include "app/session/scene/scene_impl.h"

bool scene_seek(Session *session, uint64_t step, SimReplay **replay) {
  return scene_seek_warp(session, step, session->warp, replay);
}

bool scene_seek_warp(Session *session, uint64_t step, int warp, SimReplay **replay) {
  Scene *scene = scene_of(session);
  LsErr err = {0};
  const TraceBlock *block = ses_block(session);
  if (scene->values_pending) return false;   // this turn's time is spent
  *replay = block ? run_seek(session->run, block, step, warp, session->patience, &err) : NULL;
  if (*replay) return true;
  if (block && err.kind == LS_ECANCEL) scene->values_pending = true;
  if (err.kind == LS_EUNSUPPORTED) snprintf(scene->astray, sizeof scene->astray, "%.250s", err.message);
  if (!scene->why_not[0])
    snprintf(scene->why_not, sizeof scene->why_not, "%.250s",
             scene->values_pending ? "on the way there ..." : err.message[0] ? err.message : "this run cannot be executed again");
  return false;
}
