// page_demo.c: a demo on the screen: the keys of a presenter's remote, excursions, and runs made in the background.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "ui/pages/demo_page.h"
#include "ui/panels/panel.h"
#include "ui/views/view.h"

enum { BLINK_MS = 40 };                       // a key or the opening may wait so long for runs
static const double GRACE = 0.4;              // seconds that the first beat waits for mistakes in later ones
static const double TAKES_LONG = 0.08;

// ---- showing a beat ------------------------------------------------------------------------------------------------

static void say(DemoPage *self, const char *text) { snprintf(self->message, sizeof self->message, "%.500s", text); }

static void ready_session(DemoPage *self) {
  Session *session = self->session;
  if (!session) return;
  session->book = self->book;
  session->patience = PAGE_PATIENCE;
  session->panels = panels;
  session->room = view_room;
  session->rail_rows = demo_rail_rows;
  session->rail_context = self;
  session->layout_flags = LAYOUT_RAIL;
  session->message[0] = 0;
}

// The picture of what was asked comes part by part: the answer is seen, not read.
static void play_reveal(DemoPage *self, const DemoBeat *beat) {
  Session *session = self->session;
  if (beat->kind != STAGE_REVEAL || !session || session->other) return;
  session->play.has_shown = false;
  if (ses_unfolds(session)) ses_command(session, &(Command){.id = CMD_PLAY});
}

// Numbers come after what they are about was seen.
static void hide(DemoPage *self) {
  Session *session = self->session;
  if (!session) return;
  session->hides = talk_hides(&self->talk)   ? SES_HIDES_PICTURE
                   : demo_page_reveals(self) ? SES_HIDES_NUMBERS
                                             : SES_HIDES_NOTHING;
  session->untold = session->hides != SES_HIDES_NOTHING;
}

// Brings everything to the beat, whatever was done meanwhile.
static void show_beat(DemoPage *self) {
  const DemoBeat *beat = talk_beat(&self->talk);
  rerun_fini(&self->rerun);
  self->rerun = (Rerun){0};
  self->trying[0] = self->message[0] = 0;
  self->leaving = false;
  self->wanted = -1;
  self->what_if = -1;
  if (self->session) ses_close_panel(self->session), self->session->want_rerun = false;
  self->pane = (ModelPane){0};
  if (beat->place.model) model_pane_init(&self->pane, beat->place.model, &beat->place.values);
  demo_show(self->demo, beat, &self->session);
  ready_session(self);
  play_reveal(self, beat);
  hide(self);
  record_save_place(&self->record, demo_info(self->demo)->name, self->talk.beat);
}

static void keep_votes(DemoPage *self) {
  LsErr err = {0};
  if (!record_votes(&self->record, &self->talk, &err)) say(self, err.message);
}

static void tell_mistake(DemoPage *self) {
  const LsErr *err = &self->err;
  snprintf(self->message, sizeof self->message, "%.120s:%d: %.300s", err->file, err->line, err->message);
}

static void after_move(DemoPage *self, TalkMove move, int wanted) {
  switch (move) {
    case TALK_MOVED: show_beat(self); break;
    case TALK_VOTED: keep_votes(self); break;
    case TALK_NOT_READY:
      if (self->broken) tell_mistake(self);
      else self->wanted = wanted;
      break;
    case TALK_STAYS: say(self, wanted > 0 ? "This is the end. F5 begins again, q leaves" : "This is the first one");
  }
}

// A reveal that still plays comes to its end first: its sentence is not to be passed over.
static void go_next(DemoPage *self) {
  if (demo_page_reveals(self)) {
    ses_play_stop(self->session);
    self->session->phase = 0;
  } else {
    after_move(self, talk_next(&self->talk), self->talk.beat + 1);
  }
}
static void go_back(DemoPage *self) { after_move(self, talk_back(&self->talk), self->talk.beat - 1); }

static void go_to_scene(DemoPage *self, int scene) {
  TalkMove move = talk_jump(&self->talk, scene);
  if (move == TALK_MOVED) show_beat(self);
  else if (move == TALK_NOT_READY) snprintf(self->message, sizeof self->message, "Scene %d is still being made", scene);
  else snprintf(self->message, sizeof self->message, "There are %d scenes", demo_scenes(self->demo));
}

static void begin_again(DemoPage *self) {
  int beat = self->talk.beat;
  Talk fresh;
  talk_init(&fresh, self->demo);
  memcpy(fresh.votes, self->talk.votes, sizeof fresh.votes);
  fresh.beat = beat;
  self->talk = fresh;
  if (talk_to(&self->talk, 0) == TALK_MOVED) show_beat(self);
}

// ---- making the runs ------------------------------------------------------------------------------------------------

static void break_off(DemoPage *self, const LsErr *err) {
  self->broken = true;
  self->err = *err;
  self->wanted = -1;
  if (self->talk.beat >= 0) return tell_mistake(self);
  self->base.open = page_error_new(err);
  self->base.closed = true;
}

// The run that was made. False: it failed.
static bool take_run(DemoPage *self) {
  LsErr err = {0};
  Run *run = job_take(self->job, &err);
  self->job = NULL;
  if (run) demo_give(self->demo, run);
  else demo_blame(self->demo, &err), break_off(self, &err);
  return run != NULL;
}

// Makes beats for so many milliseconds; true if there is news.
static bool prepare(DemoPage *self, int milliseconds) {
  LsErr err = {0};
  bool news = false;
  for (long long end = (long long)ls_clock_ms() + milliseconds; !self->broken;) {
    if (self->job && !job_wait(self->job, (int)LS_MAX(end - (long long)ls_clock_ms(), 0))) return news;
    if (self->job && !take_run(self)) return true;
    DemoWork work = demo_prepare(self->demo, &err);
    news = true;
    if (work == DEMO_WHOLE) return true;
    if (work == DEMO_BROKEN) break_off(self, &err);
    if (work == DEMO_RUNS) self->job = job_start(demo_wants(self->demo)), self->waited = 0;
    if ((long long)ls_clock_ms() > end) return true;
  }
  return news;
}

static bool is_preparing(const DemoPage *self) { return !self->broken && !demo_is_whole(self->demo); }

// The first beat, as soon as it is there and no mistake was found for a moment; or what the speaker waits for.
static bool arrive(DemoPage *self) {
  int ready = demo_ready(self->demo);
  if (self->base.closed || !ready) return false;
  if (self->talk.beat < 0) {
    int first = LS_MAX(self->resume, 0);
    bool patient = is_preparing(self) && self->opened < GRACE;
    bool missing = first >= ready && is_preparing(self);
    if (patient || missing) return false;
    talk_to(&self->talk, LS_MIN(first, ready - 1));
    show_beat(self);
    if (self->resume > 0) say(self, "Here the talk was left. F5 begins again");
    self->resume = -1;
    return true;
  }
  if (self->wanted < 0 || self->wanted >= ready) return false;
  talk_to(&self->talk, self->wanted);
  show_beat(self);
  return true;
}

static void settle(DemoPage *self) {
  Session *session = self->session;
  const Scene *scene = session && session->steps ? ses_scene(session) : NULL;
  bool counting = scene && (!scene->so_far_known || scene->values_pending);
  self->base.ticking = is_preparing(self) || counting || self->pane.playing ||
      (session && (ses_plays(session) || ses_findings_wait(session) || ses_waves_wait(session) ||
                   ses_schedule_waits(session) || session->schedule_at.plays || ses_difference_waits(session) ||
                   rerun_active(&self->rerun, session)));
  self->base.cancels = rerun_works(&self->rerun);
  self->base.period_ms = talk_asks(&self->talk) ? 1000 : 0;
  demo_net_tell(self);
}

// ---- what if --------------------------------------------------------------------------------------------------------

// The parameters in which two requests differ: "blocks=288".
static void name_change(const RunRequest *was, const RunRequest *now, char out[96]) {
  LsText text = {0};
  for (int i = 0; was->recipe && was->recipe == now->recipe && i < was->recipe->param_count; i++) {
    if (was->values.value[i] == now->values.value[i]) continue;
    ls_text_addf(&text, "%s%s=", text.length ? " " : "", was->recipe->params[i].name);
    recipe_value_text(&was->recipe->params[i], now->values.value[i], &text);
  }
  snprintf(out, 96, "%s", ls_text_str(&text));
  ls_text_free(&text);
}

static void remember_what_if(DemoPage *self) {
  Session *session = self->session;
  const DemoBeat *beat = talk_beat(&self->talk);
  Run *base = beat ? demo_run(self->demo, beat) : NULL;
  if (!base || !self->trying[0]) return;
  char text[96];
  name_change(&base->request, &session->run->request, text);
  self->trying[0] = 0;
  if (!text[0]) return;
  int at = 0;
  while (at < self->what_if_count && strcmp(self->what_ifs[at].text, text) != 0) at++;
  if (at == DEMO_WHATIFS) at--;
  if (at < self->what_if_count) run_free(self->what_ifs[at].run);
  else self->what_if_count++;
  memmove(&self->what_ifs[1], &self->what_ifs[0], sizeof *self->what_ifs * (size_t)at);
  snprintf(self->what_ifs[0].text, sizeof self->what_ifs[0].text, "%s", text);
  self->what_ifs[0].run = run_share(session->run);
  self->what_if = 0;
  snprintf(self->message, sizeof self->message, "what if %.90s", text);
}

static void note_wish(DemoPage *self) {
  Session *session = self->session;
  const DemoBeat *beat = talk_beat(&self->talk);
  Run *base = beat ? demo_run(self->demo, beat) : NULL;
  if (!session || !base || !session->want_rerun || session->next_is_other) return;
  name_change(&base->request, &session->next, self->trying);
}

// P: the last what-ifs, one after the other.
static void show_what_if(DemoPage *self) {
  if (!self->what_if_count) {
    say(self, "No what-if yet. :p NAME=VALUE tries one");
    return;
  }
  self->what_if = (self->what_if + 1) % self->what_if_count;
  const WhatIf *what_if = &self->what_ifs[self->what_if];
  self->talk.off_script = true;
  ses_replace_run(self->session, run_share(what_if->run));
  snprintf(self->message, sizeof self->message, "what if %s", what_if->text);
}

// ---- keys -----------------------------------------------------------------------------------------------------------

static void leave(DemoPage *self) {
  bool at_end = self->talk.beat + 1 >= demo_beats(self->demo) && !self->talk.off_script;
  if (!self->leaving && !at_end) {
    self->leaving = true;
    say(self, "q once more leaves the demo");
    return;
  }
  record_forget_place(&self->record, demo_info(self->demo)->name);
  self->base.closed = true;
}

// Esc goes back one thing: a run, an excursion; in the script it does nothing, for remotes send it by accident.
static void escape(DemoPage *self) {
  if (self->wanted >= 0) self->wanted = -1;
  else if (self->session && rerun_cancel(&self->rerun)) say(self, "The run was stopped");
  else if (self->talk.off_script) after_move(self, talk_next(&self->talk), 0);
  else say(self, "q leaves the demo, F5 begins again");
}

// Keys of an open vote. Its digits are hands.
static bool vote_keys(DemoPage *self, AppKey key) {
  Vote *vote = talk_asks(&self->talk) && !self->talk.off_script ? talk_vote(&self->talk) : NULL;
  if (!vote) return false;
  if (key.code == 'v' && vote->closed) {
    if (!vote_again(vote)) say(self, "Both rounds are over. PgDn shows the answer");
    return true;
  }
  return vote_key(vote, key.code);
}

static const char keys_told[] =
    "PgDn, Enter    the next beat; closes a vote; back to the script\n"
    "PgUp           the beat before\n"
    "b  .           black, until any key\n"
    "F5             from the start\n"
    "1 to 9         to that scene\n"
    "s              stage size, and back\n"
    "12 3 20 5      while a question is open: hands for each option; Enter closes\n"
    "v              after a vote: a second round\n"
    ":p NAME=VALUE  what if; P brings the last ones back\n"
    "Space          plays the picture once more\n"
    "q q            leaves\n\n"
    "Any other key is the explorer's and leaves the script; ? tells of those there.";

// Keys of the script. False: it is none of them.
static bool script_key(DemoPage *self, AppKey key) {
  bool in_script = !self->talk.off_script;
  switch (key.code) {
    case KEYX_PGDN: go_next(self); return true;
    case KEYX_PGUP: go_back(self); return true;
    case KEYX_F5: begin_again(self); return true;
    case KEY_ESC_: escape(self); return true;
    case 'b': case '.': self->talk.black = true; return true;
    case 'q': leave(self); return true;
    case 'P': show_what_if(self); return true;
    case '?': case KEYX_F1:
      if (in_script) self->base.open = page_message_new(demo_info(self->demo)->title, keys_told);
      return in_script;
    case 's':
      self->stage = !self->big;
      self->stage_chosen = true;
      return true;
    case KEY_RETURN_:
      if (in_script) go_next(self);
      return in_script;
    case KEY_BACKSPACE_:
      if (in_script) go_back(self);
      return in_script;
    default: break;
  }
  if (!in_script || key.code < '1' || key.code > '9') return false;
  go_to_scene(self, (int)(key.code - '0'));
  return true;
}

static bool model_key(DemoPage *self, AppKey key) {
  if (!self->pane.model || talk_hides(&self->talk) || !model_pane_key(&self->pane, key)) return false;
  self->talk.off_script = true;
  return true;
}

// Any other key is the explorer's, and leaves the script.
static bool explorer_key(DemoPage *self, AppKey key) {
  const DemoBeat *beat = talk_beat(&self->talk);
  if (!self->session || beat->place.run < 0) return false;
  bool help = command_for_key(key.code, CTX_X) == CMD_HELP;
  if (!ses_key(self->session, key)) return false;
  if (self->session->want_quit) self->session->want_quit = false, leave(self);
  if (!help && key.code != ' ') self->talk.off_script = true;
  note_wish(self);
  return true;
}

static bool page_key_demo(Page *page, AppKey key) {
  DemoPage *self = (DemoPage *)page;
  bool typing = self->session && self->session->panel;
  if (key.code == KEY_NONE_ || key.code == KEYX_RESIZE) return true;
  if (self->talk.beat < 0) {
    if (key.code == 'q' || key.code == KEY_ESC_) page->closed = true;
    return true;
  }
  if (self->talk.black) {
    self->talk.black = false;
    return true;
  }
  if (key.code != 'q') self->leaving = false;
  self->message[0] = 0;
  bool used = typing ? explorer_key(self, key)
                     : vote_keys(self, key) || script_key(self, key) || model_key(self, key) || explorer_key(self, key);
  settle(self);
  return used || true;
}

// ---- ticks ----------------------------------------------------------------------------------------------------------

static bool follow_rerun(DemoPage *self, double seconds) {
  bool was_at_work = rerun_works(&self->rerun);
  bool changed = rerun_tick(&self->rerun, self->session, seconds);
  if (was_at_work && !rerun_works(&self->rerun) && !self->session->want_rerun) remember_what_if(self);
  if (changed && !self->base.open) self->base.open = rerun_failure(&self->rerun);
  return changed;
}

static bool page_tick_demo(Page *page, double seconds) {
  DemoPage *self = (DemoPage *)page;
  bool changed = false;
  self->opened += seconds;
  self->waited += seconds;
  talk_tick(&self->talk, seconds);
  if (is_preparing(self) && prepare(self, 0)) changed = true;
  if (arrive(self)) changed = true;
  if (self->job && self->waited > TAKES_LONG && (self->talk.beat < 0 || self->wanted >= 0)) changed = true;
  if (self->pane.playing && model_pane_tick(&self->pane, seconds)) changed = true;
  if (self->session && follow_rerun(self, seconds)) changed = true;
  if (self->session && ses_tick(self->session, seconds)) changed = true;
  if (self->session) hide(self);
  if (talk_asks(&self->talk)) changed = true;
  settle(self);
  return changed;
}

static void page_draw_demo(Page *page, Canvas *canvas) {
  DemoPage *self = (DemoPage *)page;
  demo_draw(self, canvas);
  settle(self);
}

static void page_free_demo(Page *page) {
  DemoPage *self = (DemoPage *)page;
  job_free(self->job);
  rerun_fini(&self->rerun);
  for (int i = 0; i < self->what_if_count; i++) run_free(self->what_ifs[i].run);
  ses_free(self->session);
  demo_free(self->demo);
  record_fini(&self->record);
  publish_close(self->publish);
  share_close(self->share);
  free(self);
}

static const PageClass demo_class = {page_draw_demo, page_key_demo, page_tick_demo, page_free_demo};

bool page_demo_fits(Page *page, const Canvas *canvas, LsText *why) {
  return demo_draw_fits((DemoPage *)page, canvas, why);
}

Page *page_demo_new(Demo *demo, RecipeBook *book, bool stage, const char *folder) {
  DemoPage *self = ls_alloc(sizeof *self);
  self->base.class = &demo_class;
  self->base.ticking = self->base.stages = true;
  self->demo = demo;
  self->book = book;
  self->stage = stage;
  self->wanted = self->what_if = -1;
  talk_init(&self->talk, demo);
  record_init(&self->record, folder);
  self->resume = record_place(&self->record, demo_info(demo)->name);
  prepare(self, BLINK_MS);
  arrive(self);
  return &self->base;
}
