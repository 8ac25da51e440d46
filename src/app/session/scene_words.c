// scene_words.c: sentences: of the event at the cursor, and of the picture in the focus pane where that is another one.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app/session/session_impl.h"

enum { WARP = 32 };

void scene_event_words(Session *session) {
  SesImpl *impl = ses_impl(session);
  Scene *scene = &impl->scene;
  const TraceEvent *event = &scene->event;
  ls_text_clear(&impl->sentence);
  bool fault = event->kind == TRACE_FAULT && event->fault >= 0 && event->fault < session->run->fault_count;
  if (fault) sentence_of_fault(&session->run->faults[event->fault], &impl->sentence);
  else if (event->kind == TRACE_CALL) run_print_words(session->run, session->step, &impl->sentence);
  impl->prints = !fault && impl->sentence.length > 0;
  if (impl->prints) ls_text_add(&impl->sentence, " P shows all of the output.");
  if (!fault && !impl->prints && session->run->module) sentence_of(session->run->module, ses_info(session), event, &impl->sentence);
  snprintf(scene->sentence, sizeof scene->sentence, "%s", ls_text_str(&impl->sentence));
  if (fault) scene->sentence[0] = (char)toupper((unsigned char)scene->sentence[0]);   // messages are the middle of a line elsewhere
}

// "Thread (x, y) is number x + 40 y." in a block of more than one dimension.
static void numbering_words(const uint32_t block[3], LsText *out) {
  if (block[2] > 1)
    ls_text_addf(out, "Threads are numbered with x first: (x, y, z) is number x + %u y + %u z. ", block[0], block[0] * block[1]);
  else if (block[1] > 1) ls_text_addf(out, "Threads are numbered with x first: (x, y) is number x + %u y. ", block[0]);
}

static void geometry_words(const Launch *launch, LsText *out) {
  uint32_t threads = launch_threads(launch), warps = launch_warps(launch), last = threads - (warps - 1) * WARP;
  numbering_words(launch->block, out);
  ls_text_addf(out, "%u thread%s make %u warp%s", threads, threads == 1 ? "" : "s", warps, warps == 1 ? "" : "s");
  if (last == WARP) ls_text_addf(out, ", full to the last lane: thread t is lane t mod 32 of warp t / 32.");
  else if (warps == 1) ls_text_addf(out, ": %u of its 32 lanes work, the rest stay empty.", last);
  else ls_text_addf(out, ", the last with %u of its 32 lanes: the others stay empty and take their time all the same.", last);
}

static void make_picture(Session *session, LsText *out) {
  Scene *scene = &ses_impl(session)->scene;
  bool lines = session->focus == FOCUS_SEGMENTS && session->variant[FOCUS_SEGMENTS] % 2 == 1;
  scene->picture_earlier = false;
  if (scene->event.kind == TRACE_FAULT || ses_impl(session)->prints) return;   // nothing matters more
  if (session->focus == FOCUS_GEOMETRY) {
    geometry_words(&ses_info(session)->launch, out);
    scene->picture_earlier = true;
    return;
  }
  if (session->focus == FOCUS_WAVES) {
    ses_waves_words(session, out);
    scene->picture_earlier = true;
    return;
  }
  if (!scene->has_focus || !session->run->module) return;
  scene->picture_earlier = scene->focus.step != scene->step;
  if (!scene->picture_earlier && !lines) return;
  sentence_of_model(session->run->module, ses_info(session), &scene->focus, lines ? COAL_LINES_128 : COAL_SECTORS_32, out);
}

void scene_picture_words(Session *session) {
  SesImpl *impl = ses_impl(session);
  Scene *scene = &impl->scene;
  struct PictureKey key = {scene->step, scene->has_focus ? scene->focus.step : 0, (int)session->focus,
                           session->variant[session->focus], scene->has_focus};
  const struct PictureKey *old = &impl->picture_key;
  bool same = old->step == key.step && old->focus_step == key.focus_step && old->kind == key.kind &&
              old->variant == key.variant && old->has_focus == key.has_focus;
  if (same) return;
  impl->picture_key = key;
  ls_text_clear(&impl->sentence);
  make_picture(session, &impl->sentence);
  snprintf(scene->picture, sizeof scene->picture, "%s", ls_text_str(&impl->sentence));
}
