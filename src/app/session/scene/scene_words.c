// scene_words.c: sentences: of the event at the cursor, and of the picture in the focus pane where that is another one.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/scene/scene_impl.h"

enum { WARP = 32 };

// What the words about the picture were made for.
typedef struct PictureKey { uint64_t step, focus_step; int kind, variant, has_focus, chart, ptx; } PictureKey;

struct SceneWords {
  LsText sentence;
  bool prints;          // it says what was printed
  bool ptx;             // of the event: in the words of PTX
  PictureKey key;
};

SceneWords *scene_words_new(void) {
  SceneWords *words = ls_alloc(sizeof *words);
  words->key.kind = -1;
  return words;
}

void scene_words_free(SceneWords *words) {
  ls_text_free(&words->sentence);
  free(words);
}

void scene_event_words(Session *session) {
  SceneWords *words = session->scene->words;
  Scene *scene = scene_of(session);
  LsText *out = &words->sentence;
  const TraceEvent *event = &scene->event;
  ls_text_clear(out);
  bool fault = trace_kind_is_fault(event->kind) && event->fault >= 0 && event->fault < session->run->fault_count;
  if (fault) causes_sentence_of(session->run->causes, session->run->faults, event->fault, out);
  else if (event->kind == TRACE_CALL) run_print_words(session->run, session->step, out);
  words->prints = !fault && out->length > 0;
  if (words->prints) ls_text_add(out, " P shows all of the output.");
  SentenceAbout about = run_about(session->run);
  about.source = !session->show_ptx;
  words->ptx = session->show_ptx;
  if (!fault && !words->prints && session->run->module) sentence_of(&about, event, out);
  snprintf(scene->sentence, sizeof scene->sentence, "%s", ls_text_str(out));
  // messages are the middle of a line elsewhere
  if (fault) scene->sentence[0] = (char)toupper((unsigned char)scene->sentence[0]);
}

void scene_renew_words(Session *session) {
  if (session->scene->words->ptx != session->show_ptx) scene_event_words(session);
}

// "Thread (x, y) is number x + 40 y." in a block of more than one dimension.
static void numbering_words(const uint32_t block[3], LsText *out) {
  if (block[2] > 1)
    ls_text_addf(out, "Threads are numbered with x first: (x, y, z) is number x + %u y + %u z. ", block[0],
                 block[0] * block[1]);
  else if (block[1] > 1) ls_text_addf(out, "Threads are numbered with x first: (x, y) is number x + %u y. ", block[0]);
}

static void geometry_words(const Launch *launch, LsText *out) {
  uint32_t threads = launch_threads(launch), warps = launch_warps(launch), last = threads - (warps - 1) * WARP;
  numbering_words(launch->block, out);
  char digits[32];
  ls_text_addf(out, "%s %s %u warp%s", ls_group_digits(threads, digits), threads == 1 ? "thread makes"
               : "threads make", warps, warps == 1 ? "" : "s");
  if (last == WARP) ls_text_addf(out, ", full to the last lane: thread t is lane t mod 32 of warp t / 32.");
  else if (warps == 1) ls_text_addf(out, ": %u of its 32 lanes %s, the rest stay empty.", last,
                                    last == 1 ? "works" : "work");
  else ls_text_addf(out,
                    ", the last with %u of its 32 lanes: the others stay empty and take their time all the same.",
                        last);
}

static void make_picture(Session *session, LsText *out) {
  Scene *scene = scene_of(session);
  bool lines = session->focus == FOCUS_SEGMENTS && session->variant[FOCUS_SEGMENTS] % 2 == 1;
  scene->picture_earlier = false;
  if (trace_kind_is_fault(scene->event.kind) || session->scene->words->prints) return;   // nothing matters more
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
  if (session->focus == FOCUS_PROGRAM && ses_schedule(session)->chart) {
    ses_schedule_sum_words(ses_schedule(session), out);
    scene->picture_earlier = true;
    return;
  }
  if (!scene->has_focus || !session->run->module) return;
  scene->picture_earlier = scene->focus.step != scene->step;
  if (!scene->picture_earlier && !lines) return;
  SentenceAbout about = run_about(session->run);
  about.source = !session->show_ptx;
  about.coal = lines ? COAL_LINES_128 : COAL_SECTORS_32;
  sentence_of(&about, &scene->focus, out);
}

void scene_picture_words(Session *session) {
  SceneWords *words = session->scene->words;
  Scene *scene = scene_of(session);
  PictureKey key = {scene->step, scene->has_focus ? scene->focus.step : 0, (int)session->focus,
                    session->variant[session->focus],
                    scene->has_focus, chart_version(session->chart),
                    session->show_ptx};
  const PictureKey *old = &words->key;
  bool same = old->step == key.step && old->focus_step == key.focus_step && old->kind == key.kind &&
              old->variant == key.variant && old->has_focus == key.has_focus && old->chart == key.chart &&
                  old->ptx == key.ptx;
  if (same) return;
  words->key = key;
  ls_text_clear(&words->sentence);
  make_picture(session, &words->sentence);
  snprintf(scene->picture, sizeof scene->picture, "%s", ls_text_str(&words->sentence));
}
