// session.c: the session's life, and that of the runs that come and go in it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/session_parts.h"

// ---- runs
// ------------------------------------------------------------------------------------------------------------

static void attach_run(Session *session, Run *run) {
  session->run = run;
  session->steps = run->trace ? trace_steps(run->trace) : 0;
  session->code = code_new(session);
  session->scene = scene_new(session);
  ses_choose_margin(session);
}

static void detach_run(Session *session) {
  scene_free(session->scene);
  sources_free(session->sources);
  ptx_rows_free(session->ptx_rows);
  margin_free(session->margin_numbers);
  timebar_free(session->bar);
  chart_free(session->chart);
  schedule_free(session->schedule);
  timeline_free(session->timeline);
  find_free(session->find);
  code_free(session->code);
  session->scene = NULL;
  session->sources = NULL;
  session->ptx_rows = NULL;
  session->margin_numbers = NULL;
  session->bar = NULL;
  session->chart = NULL;
  session->schedule = NULL;
  session->timeline = NULL;
  session->find = NULL;
  session->code = NULL;
  session->waves = (SesWaves){.block = -1};
  session->peer_at.known = false;
}

// Gaps are told before anybody wonders about them.
static void tell_lost(Session *session) {
  LsText text = {0};
  run_lost_words(session->run, &text);
  if (text.length) ses_complain(session, "%s", ls_text_str(&text));
  ls_text_free(&text);
}

static void tell_profile(Session *session) {
  LsText text = {0};
  run_profile_words(session->run, &text);
  if (text.length) ses_say(session, "%s", ls_text_str(&text));
  ls_text_free(&text);
}

// The first of what should be known of the launch; `stats` has all of it.
static void tell_notes(Session *session) {
  const char *notes = run_notes(session->run);
  size_t length = strcspn(notes, "\n");
  int more = 0;
  for (const char *s = notes + length; *s; s++) more += *s == '\n' && s[1];
  if (length && more)
    ses_say(session, "%.*s (and %d more note%s)", (int)LS_MIN(length, 400), notes, more, more == 1 ? "" : "s");
  else if (length) ses_say(session, "%.*s", (int)LS_MIN(length, 400), notes);
}

// A run that stopped early looks whole until its end is seen.
static void tell_stopped(Session *session) {
  LsText text = {0};
  run_stopped_words(session->run, &text);
  const TraceFault *first = run_fault_row(session->run, 0);
  bool shown = first && first->step < session->steps;
  if (text.length && session->steps) ses_say(session, "%s%s", ls_text_str(&text), shown ? "; ! goes there" : "");
  ls_text_free(&text);
}

// What was opened early is there as a whole.
static void tell_whole(Session *session) {
  static const char *const answers[] = {"", ", and the answer is right", ", and the answer is wrong"};
  char digits[32];
  const Run *run = session->run;
  ses_say(session, "all %s blocks have run%s", ls_group_digits(launch_blocks(&run->info.launch), digits),
          answers[run->verdict]);
}

// ---- life
// ------------------------------------------------------------------------------------------------------------

Session *ses_new(Run *run) {
  Session *session = ls_alloc(sizeof *session);
  session->requests = requests_new();
  session->lane = session->array_shown = session->var_shown = -1;
  session->waves.block = -1;
  session->warp_follows = session->focus_auto = true;
  session->focus = FOCUS_GEOMETRY;
  session->motion = ses_taste.motion;
  session->cols = 80;
  session->rows = 24;
  run_request_init(&session->next);
  attach_run(session, run);
  ses_go(session, 0);
  tell_profile(session);
  tell_notes(session);
  ses_say_faults(session);
  tell_stopped(session);
  tell_lost(session);
  return session;
}

static void forget_difference(Session *session) {
  differ_free(session->differ);
  session->differ = NULL;
}

void ses_close_compare(Session *session) {
  if (session->peer) {
    session->peer->run = NULL;
    ses_free(session->peer);
    session->peer = NULL;
  }
  run_free(session->other);
  session->other = NULL;
  forget_difference(session);
  session->other_label[0] = 0;
}

void ses_free(Session *session) {
  if (!session) return;
  ses_close_panel(session);
  ses_close_compare(session);
  ses_free_choices(session);
  ses_forget_orders(session);
  detach_run(session);
  requests_free(session->requests);
  run_request_fini(&session->next);
  if (session->run) run_free(session->run);
  run_free(session->before);
  free(session);
}

// ---- another run
// -----------------------------------------------------------------------------------------------------

void ses_put_beside(Session *session, Run *run, const char *label) {
  char copy[sizeof session->other_label];
  snprintf(copy, sizeof copy, "%s", label);
  ses_close_compare(session);
  session->other = run;
  snprintf(session->other_label, sizeof session->other_label, "%s", copy);
  session->peer = ses_new(run);
  session->peer->peer_of = session;
  session->peer_at.known = false;
  ses_follow_pair(session);
}

// What is shown of memory stays shown in another launch of the same program.
static char *shown_array(Session *session, const Run *next) {
  bool same = session->run->whole && session->run->whole == next->whole && session->array_shown >= 0 && session->steps;
  const Scene *scene = same ? ses_scene(session) : NULL;
  if (!scene || session->array_shown >= scene->array_count) return NULL;
  return ls_strdup(scene->arrays[session->array_shown].name);
}

static void show_array(Session *session, char *name) {
  const Scene *scene = name && session->steps ? ses_scene(session) : NULL;
  for (int i = 0; scene && i < scene->array_count; i++)
    if (strcmp(scene->arrays[i].name, name) == 0) session->array_shown = i;
  free(name);
}

void ses_replace_run(Session *session, Run *run) {
  bool is_other = ses_wants_other(session);
  SesTarget target = *ses_target(session);
  ses_wanted_came(session);
  if (is_other) {
    ses_put_beside(session, run, ses_wanted_label(session));
    return;
  }
  bool completes = session->run->is_early && !run->interrupted;
  Place place;
  ses_place_save(session, &place);
  if (target.block >= 0) place.block = (uint32_t)target.block;
  if (!session->run->is_early) ses_remember_request(session);
  if (!target.is_outcome) ses_forget_orders(session);
  forget_difference(session);
  char *array = shown_array(session, run);
  detach_run(session);
  run_free(session->run);
  attach_run(session, run);
  session->warp = LS_MIN(session->warp, ses_warps(session) - 1);
  session->array_shown = session->var_shown = -1;
  session->search[0] = 0;
  ses_go(session, ses_place_find(session, &place));
  if (!session->warp_follows) session->warp = LS_MIN(place.warp, ses_warps(session) - 1);
  show_array(session, array);
  ses_target_arrive(session);
  if (target.is_outcome) ses_outcome_arrive(session);
  ses_writer_arrive(session);
  ses_follow_pair(session);
  tell_stopped(session);
  tell_lost(session);
  if (completes) tell_whole(session);
}

void ses_open_early(Session *session) {
  RunRequest request;
  run_request_copy(&request, &session->run->request);
  session->run->is_early = true;
  tell_stopped(session);
  ses_want(session, &request, false);
}

void ses_keep_before(Session *session, Run *before) {
  run_free(session->before);
  session->before = before;
}

void ses_run_failed(Session *session, const LsErr *err) {
  ses_wanted_came(session);
  session->run->is_early = false;   // nothing runs any more
  ses_complain(session, "%s", err && err->message[0] ? err->message : "the run failed");
}

void ses_switch_headers(Session *session) {
  Run *run = session->run;
  detach_run(session);
  session->headers = !session->headers;
  session->search[0] = 0;
  attach_run(session, run);
  ses_go(session, session->step);
}
