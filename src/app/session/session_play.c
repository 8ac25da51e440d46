// session_play.c: the clock: playing from event of interest to event of interest, each unfolding in its phases, and what
// becomes known while nobody presses a key.
#include "app/session/session_parts.h"

// Seconds at normal speed. An event with many parts does not take forever, and one with a single part can be followed.
static const double PART_SECONDS = 0.3, LEAST_SECONDS = 0.8, MOST_SECONDS = 4.0;
static const double HOLD_SECONDS = 0.7;      // that its end state stands before the next one
static const double STILL_SECONDS = 1.4;     // the same without motion, and for what has no picture of its own
static const double TRAVEL_SECONDS = 0.25;   // plain instructions between two events pass in this time, however many
                                             // they are

enum { SPEED_LEAST = -2, SPEED_MOST = 6 };

SesTaste ses_taste = {.motion = true};

// ---- what is played --------------------------------------------------------------------------------------------------

// The picture in the focus pane is of the event at the cursor.
static bool has_picture(Session *session) {
  const Scene *scene = session->steps ? ses_scene(session) : NULL;
  return scene && scene->has_focus && scene->focus.step == scene->step;
}

int ses_parts(Session *session) {
  if (!has_picture(session)) return 0;
  Layout layout;
  FocusRoom room = {.parts = 1};
  ses_layout(session, &layout);
  if (session->room) session->room(session, session->focus, LS_MAX(layout.focus.w, LAYOUT_LEAST_COLS), &room);
  return LS_MAX(room.parts, 1);
}

double ses_speed(const Session *session) {
  return session->speed >= 0 ? (double)(1 << session->speed) : 1.0 / (1 << -session->speed);
}

static double unfold_seconds(Session *session) {
  return LS_CLAMP(PART_SECONDS * (double)ses_parts(session), LEAST_SECONDS, MOST_SECONDS);
}

static void begin(Session *session, PlayAct act) {
  session->play.act = act;
  session->play.seconds = 0;
}

// The event at the cursor unfolds where it has a picture, and stands for a while where it has none.
static void begin_event(Session *session) {
  session->play.shown = session->step;
  session->play.has_shown = true;
  begin(session, session->motion && has_picture(session) ? PLAY_UNFOLDS : PLAY_HOLDS);
}

static void begin_travel(Session *session) {
  uint64_t next;
  bool found = ses_find_interest(session, 1, &next);
  session->play.from = session->step;
  session->play.to = found ? next : session->steps - 1;
  session->play.ends = !found;
  begin(session, PLAY_TRAVELS);
}


// ---- the clock -------------------------------------------------------------------------------------------------------

static bool unfold(Session *session) {
  double whole = unfold_seconds(session), share = session->play.seconds / whole;
  session->phase = share < 1 ? LS_MAX(share, 1e-3) : 0;
  if (share < 1) return true;
  if (!session->playing) ses_play_stop(session);
  else begin(session, PLAY_HOLDS);
  return true;
}

static bool hold(Session *session) {
  bool still = !session->motion || !has_picture(session);
  if (session->play.seconds >= (still ? STILL_SECONDS : HOLD_SECONDS)) begin_travel(session);
  return false;
}

static bool travel(Session *session) {
  SesPlay *play = &session->play;
  double share = session->motion ? play->seconds / TRAVEL_SECONDS : 1;
  uint64_t way = play->to - play->from, before = session->step;
  PlayAct act = play->act;
  double seconds = play->seconds;
  if (way <= 1 || share >= 1) ses_go(session, play->to);
  else ses_go(session, play->from + (uint64_t)((double)way * share));
  play->act = act, play->seconds = seconds;   // the cursor is moved by nobody else here
  if (session->step != play->to) return session->step != before;
  if (play->ends) ses_play_stop(session);
  else begin_event(session);
  return true;
}

static bool play_on(Session *session, double seconds) {
  session->play.seconds += LS_MIN(seconds, 1.0) * ses_speed(session);
  switch (session->play.act) {
    case PLAY_UNFOLDS: return unfold(session);
    case PLAY_HOLDS: return hold(session);
    case PLAY_TRAVELS: return travel(session);
    case PLAY_STANDS: break;
  }
  return false;
}

// What goes on by itself besides playing: true if there is news.
static bool advance(Session *session) {
  bool news = chart_has_news(session) || schedule_has_news(session);
  if (ses_difference_waits(session)) {
    differ_advance(session);
    news = true;
  }
  return news;
}

// Values that are on their way, else totals. Nobody waits for a tick as for a key, so it may take longer.
static bool learn(Session *session, bool pending) {
  double patience = session->patience;
  if (!pending) return scene_counts(session) && !ses_plays(session) && run_advance_totals(session->run, 50000);
  session->patience *= 3;
  scene_go_on(session);
  session->patience = patience;
  return true;
}

bool ses_tick(Session *session, double seconds) {
  bool pending = scene_is_pending(session), news = advance(session);
  if (learn(session, pending) || ses_findings_learn(session)) news = true;
  if (ses_schedule_advance(session, LS_MIN(seconds, 1.0) * ses_speed(session))) news = true;
  if (!ses_plays(session) || session->steps == 0 || seconds <= 0) return news;
  return play_on(session, seconds) || news;
}

// ---- commands --------------------------------------------------------------------------------------------------------

bool ses_unfolds(Session *session) {
  bool shown = session->play.has_shown && session->play.shown == session->step && session->phase <= 0;
  return session->steps && !ses_plays(session) && !shown && session->motion && has_picture(session) &&
      ses_parts(session) > 0;
}

// Pausing keeps the frame. From a frame it goes on as it was; an event that was not played yet is played alone; from
// there, and from plain instructions, it goes on to the next event.
bool ses_play(Session *session, const Command *command) {
  (void)command;
  if (!session->steps) return true;
  if (ses_plays(session)) {
    ses_play_stop(session);
  } else if (session->phase > 0) {
    session->playing = session->play.was_playing;
    session->play.act = PLAY_UNFOLDS;
  } else if (ses_unfolds(session)) {
    begin_event(session);
  } else {
    if (session->step == session->steps - 1) ses_go(session, 0);
    session->playing = true;
    begin_travel(session);
  }
  return true;
}

bool ses_change_speed(Session *session, const Command *command) {
  session->speed = LS_CLAMP(session->speed + (command->id == CMD_FASTER ? 1 : -1), SPEED_LEAST, SPEED_MOST);
  return true;
}
