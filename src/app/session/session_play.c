// session_play.c: the clock: playing events and wavefronts, and what becomes known while nobody presses a key.
#include "app/session/session_parts.h"

static const double WAVE_SECONDS = 0.5, ALL_SECONDS = 2.5;   // that a wavefront is lit, that all of them are

enum { SPEED_LEAST = -2, SPEED_MOST = 6, EVENTS_PER_SECOND = 4 };

// A picture of a conflict that stands still: first all of it, then a wavefront at a time, and again.
int ses_wavefronts(Session *session) {
  const Scene *scene = session->steps && !session->playing ? ses_scene(session) : NULL;
  if (!scene || session->focus != FOCUS_BANKS || !scene->has_focus || session->lane >= 0) return 0;
  Banking banking;
  bank_analyze(&scene->focus, (BankMode)(session->variant[FOCUS_BANKS] % 3), &banking);
  return banking.conflicts > 0 ? banking.wavefronts : 0;
}

static bool play_wavefronts(Session *session, double seconds) {
  int waves = ses_wavefronts(session), was = session->wave;
  if (waves == 0) session->wave_seconds = session->wave = 0;
  else session->wave_seconds += LS_CLAMP(seconds, 0.0, 1.0);
  double stays = session->wave ? WAVE_SECONDS : ALL_SECONDS;
  if (waves && session->wave_seconds >= stays) {
    session->wave_seconds = 0;
    session->wave = (session->wave + 1) % (waves + 1);
  }
  return session->wave != was;
}

// What goes on by itself besides playing: true if there is news.
static bool advance(Session *session) {
  bool news = chart_has_news(session);
  if (ses_difference_waits(session)) {
    differ_advance(session);
    news = true;
  }
  return news;
}

// Values that are on their way, else totals. Nobody waits for a tick as for a key, so it may take longer.
static bool learn(Session *session, bool pending) {
  double patience = session->patience;
  if (!pending) return scene_counts(session) && !session->playing && run_advance_totals(session->run, 50000);
  session->patience *= 3;
  scene_go_on(session);
  session->patience = patience;
  return true;
}

static bool play_on(Session *session, double seconds) {
  double times = session->speed >= 0 ? (double)(1 << session->speed) : 1.0 / (1 << -session->speed);
  double rate = EVENTS_PER_SECOND * times;
  session->play_debt += LS_MIN(seconds, 1.0) * rate;
  uint64_t events = (uint64_t)session->play_debt;
  if (events == 0) return false;
  session->play_debt -= (double)events;
  uint64_t last = session->steps - 1;
  ses_go(session, last - session->step > events ? session->step + events : last);
  if (session->step == last) session->playing = false;
  return true;
}

bool ses_tick(Session *session, double seconds) {
  bool pending = scene_is_pending(session), lit = play_wavefronts(session, seconds);
  if (advance(session)) lit = true;
  bool learned = learn(session, pending);
  if (!session->playing || session->steps == 0 || seconds <= 0) return learned || lit;
  return play_on(session, seconds);
}

bool ses_play(Session *session, const Command *command) {
  (void)command;
  if (!session->playing && session->steps && session->step == session->steps - 1) ses_go(session, 0);
  session->playing = !session->playing;
  session->play_debt = 0;
  return true;
}

bool ses_change_speed(Session *session, const Command *command) {
  session->speed = LS_CLAMP(session->speed + (command->id == CMD_FASTER ? 1 : -1), SPEED_LEAST, SPEED_MOST);
  return true;
}
