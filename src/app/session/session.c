// session.c: the session's life, its commands, its clock.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/session_impl.h"

static const double WAVE_SECONDS = 0.5, ALL_SECONDS = 2.5;   // that a wavefront is lit, that all of them are

enum { SPEED_LEAST = -2, SPEED_MOST = 6, EVENTS_PER_SECOND = 4 };

int ses_warps(const Session *session) { return LS_CLAMP((int)launch_warps(&ses_info(session)->launch), 1, 32); }

uint64_t ses_grid_blocks(const Session *session) { return launch_blocks(&ses_info(session)->launch); }

void ses_say(Session *session, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(session->message, sizeof session->message, format, args);
  va_end(args);
  session->message_is_error = false;
}

bool ses_complain(Session *session, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(session->message, sizeof session->message, format, args);
  va_end(args);
  session->message_is_error = true;
  return true;
}

// ---- life ------------------------------------------------------------------------------------------------------------

static void attach_run(Session *session, Run *run) {
  SesImpl *impl = ses_impl(session);
  session->run = run;
  session->steps = run->trace ? trace_steps(run->trace) : 0;
  impl->arena = ls_arena_new();
  impl->slots = NULL;
  impl->slot_func = -1;
  impl->ptx_func = -1;
  impl->match = MATCH_NONE;
  scene_prepare_code(session);
  scene_type_objects(session);
}

static void detach_run(Session *session) {
  SesImpl *impl = ses_impl(session);
  scene_clear(session);
  ses_panes_clear(session);
  ses_waves_clear(session);
  ses_index_clear(&impl->index);
  ls_arena_free(impl->arena);
  impl->arena = NULL;
  impl->peer_made = false;
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

// A run that stopped early looks whole until its end is seen.
static void tell_stopped(Session *session) {
  LsText text = {0};
  run_stopped_words(session->run, &text);
  bool shown = text.length && session->run->faults[0].step < session->steps;
  if (text.length && session->steps) ses_say(session, "%s%s", ls_text_str(&text), shown ? "; ! goes there" : "");
  ls_text_free(&text);
}

Session *ses_new(Run *run) {
  Session *session = ls_alloc(sizeof *session);
  session->impl = ls_alloc(sizeof(SesImpl));
  session->lane = session->array_shown = session->var_shown = -1;
  session->waves.block = -1;
  session->warp_follows = session->focus_auto = true;
  session->focus = FOCUS_GEOMETRY;
  session->cols = 80;
  session->rows = 24;
  ses_impl(session)->want_block = -1;
  ses_impl(session)->want_event = UINT64_MAX;
  run_request_init(&session->next);
  attach_run(session, run);
  ses_go(session, 0);
  tell_profile(session);
  ses_say_faults(session);
  tell_stopped(session);
  tell_lost(session);
  return session;
}

static void forget_difference(Session *session) {
  difference_free(&ses_impl(session)->difference);
  ses_impl(session)->difference_made = false;
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
  SesImpl *impl = ses_impl(session);
  ses_close_panel(session);
  ses_close_compare(session);
  ses_free_choices(session);
  detach_run(session);
  if (impl->has_previous) run_request_fini(&impl->previous);
  ls_text_free(&impl->sentence);
  run_request_fini(&session->next);
  if (session->run) run_free(session->run);
  free(impl);
  free(session);
}

// ---- runs ------------------------------------------------------------------------------------------------------------

const RunRequest *ses_request(const Session *session) {
  const SesImpl *impl = session->impl;
  return impl->pending && !session->next_is_other ? &session->next : &session->run->request;
}

bool ses_can_rerun(Session *session) {
  const RunRequest *request = &session->run->request;
  if (request->recipe || session->run->device) return true;   // a saved trace has no device
  ses_complain(session, "this is a saved trace: it cannot be run again with something else; open the kernel itself");
  return false;
}

// Blocks that were chosen for one grid need not exist in another: then as many as fit are recorded, as by default.
static void fit_blocks(RunRequest *request) {
  Launch launch;
  if (!request->blocks) return;
  if (!request->recipe) launch_copy(&launch, &request->launch);
  else if (!request->recipe->launch(request->recipe, &request->values, &launch, NULL)) return;
  uint8_t *chosen = run_parse_blocks(request->blocks, launch_blocks(&launch), NULL);
  launch_fini(&launch);
  if (!chosen) {
    free(request->blocks);
    request->blocks = NULL;
  }
  free(chosen);
}

void ses_want_changed(Session *session, RunRequest *request, bool is_other) {
  fit_blocks(request);
  ses_want(session, request, is_other);
}

void ses_want(Session *session, RunRequest *request, bool is_other) {
  SesImpl *impl = ses_impl(session);
  run_request_fini(&session->next);
  session->next = *request;
  session->next_is_other = is_other;
  session->want_rerun = impl->pending = true;
  impl->want_block = -1;
  impl->want_event = UINT64_MAX;
  impl->wants_fault = false;
  session->playing = false;
}

static void adopt_other(Session *session, Run *run) {
  SesImpl *impl = ses_impl(session);
  ses_close_compare(session);
  session->other = run;
  snprintf(session->other_label, sizeof session->other_label, "%s", impl->other_label);
  session->peer = ses_new(run);
  impl->peer_made = false;
}

static void remember_request(SesImpl *impl, const RunRequest *request) {
  if (impl->has_previous) run_request_fini(&impl->previous);
  run_request_copy(&impl->previous, request);
  impl->has_previous = true;
}

void ses_replace_run(Session *session, Run *run) {
  SesImpl *impl = ses_impl(session);
  bool is_other = impl->pending && session->next_is_other;
  session->want_rerun = impl->pending = session->next_is_other = false;
  if (is_other) {
    adopt_other(session, run);
    return;
  }
  Place place;
  ses_place_save(session, &place);
  if (impl->want_block >= 0) place.block = (uint32_t)impl->want_block;
  impl->want_block = -1;
  remember_request(impl, &session->run->request);
  forget_difference(session);
  detach_run(session);
  run_free(session->run);
  attach_run(session, run);
  session->warp = LS_MIN(session->warp, ses_warps(session) - 1);
  session->array_shown = session->var_shown = -1;
  session->search[0] = 0;
  ses_go(session, ses_place_find(session, &place));
  if (!session->warp_follows) session->warp = LS_MIN(place.warp, ses_warps(session) - 1);
  ses_list_arrive(session);
  tell_stopped(session);
  tell_lost(session);
}

void ses_run_failed(Session *session, const LsErr *err) {
  session->want_rerun = ses_impl(session)->pending = session->next_is_other = false;
  ses_impl(session)->want_block = -1;
  ses_complain(session, "%s", err && err->message[0] ? err->message : "the run failed");
}

const Difference *ses_difference(Session *session) {
  SesImpl *impl = ses_impl(session);
  if (!session->other) return NULL;
  if (!impl->difference_made) difference_begin(&impl->difference, session->run, session->other);
  impl->difference_made = true;
  if (session->patience <= 0) difference_advance(&impl->difference, session->run, session->other, 0);
  return &impl->difference;
}

bool ses_difference_waits(const Session *session) {
  const SesImpl *impl = session->impl;
  return session->other && impl->difference_made && !impl->difference.done;
}

// At a difference the other side stands on its counterpart, else where the same line was come to as often.
static uint64_t peer_step(Session *session) {
  const Difference *d = &ses_impl(session)->difference;
  int item = ses_impl(session)->difference_made && d->done ? difference_at(d, session->step) : -1;
  if (item >= 0 && d->items[item].right != UINT64_MAX) return d->items[item].right;
  Place place;
  ses_place_save(session, &place);
  session->peer->warp = LS_MIN(place.warp, ses_warps(session->peer) - 1);
  return ses_place_find(session->peer, &place);
}

Session *ses_peer(Session *session) {
  SesImpl *impl = ses_impl(session);
  if (!session->peer) return NULL;
  if (!impl->peer_made || impl->peer_step != session->step || impl->peer_warp != session->warp) {
    if (session->peer->steps) ses_go(session->peer, peer_step(session));
    impl->peer_made = true;
    impl->peer_step = session->step;
    impl->peer_warp = session->warp;
  }
  session->peer->hex = session->hex;
  session->peer->focus_auto = session->focus_auto;
  if (!session->focus_auto) session->peer->focus = session->focus;
  memcpy(session->peer->variant, session->variant, sizeof session->variant);
  return session->peer;
}

// ---- playing ---------------------------------------------------------------------------------------------------------

// A picture of a conflict that stands still: first all of it, then a wavefront at a time, and again.
int ses_wavefronts(Session *session) {
  const Scene *scene = session->steps && !session->playing ? ses_scene(session) : NULL;
  if (!scene || session->focus != FOCUS_BANKS || !scene->has_focus || session->lane >= 0) return 0;
  Banking banking;
  bank_analyze(&scene->focus, (BankMode)(session->variant[FOCUS_BANKS] % 3), &banking);
  return banking.conflicts > 0 ? banking.wavefronts : 0;
}

static bool play_wavefronts(Session *session, double seconds) {
  SesImpl *impl = ses_impl(session);
  int waves = ses_wavefronts(session), was = session->wave;
  if (waves == 0) impl->wave_seconds = session->wave = 0;
  else impl->wave_seconds += LS_CLAMP(seconds, 0.0, 1.0);
  double stays = session->wave ? WAVE_SECONDS : ALL_SECONDS;
  if (waves && impl->wave_seconds >= stays) {
    impl->wave_seconds = 0;
    session->wave = (session->wave + 1) % (waves + 1);
  }
  return session->wave != was;
}

bool ses_tick(Session *session, double seconds) {
  SesImpl *impl = ses_impl(session);
  bool learned = session->steps && impl->scene.values_pending;
  bool lit = play_wavefronts(session, seconds);
  if (ses_waves_wait(session) && registers_known(impl->registers)) lit = true;
  if (ses_difference_waits(session)) {
    difference_advance(&impl->difference, session->run, session->other, session->patience);
    lit = true;
  }
  if (learned) {   // nobody waits for a tick as for a key, so it may take longer
    double patience = session->patience;
    session->patience *= 3;
    impl->go_on = true;
    ses_scene(session);
    session->patience = patience;
  } else {
    learned = !impl->scene.so_far_known && session->steps && !session->playing && run_advance_totals(session->run, 50000);
  }
  if (!session->playing || session->steps == 0 || seconds <= 0) return learned || lit;
  double rate = EVENTS_PER_SECOND * (session->speed >= 0 ? (double)(1 << session->speed) : 1.0 / (1 << -session->speed));
  impl->play_debt += LS_MIN(seconds, 1.0) * rate;
  uint64_t events = (uint64_t)impl->play_debt;
  if (events == 0) return false;
  impl->play_debt -= (double)events;
  uint64_t last = session->steps - 1;
  ses_go(session, last - session->step > events ? session->step + events : last);
  if (session->step == last) session->playing = false;
  return true;
}

static bool play(Session *session, const Command *command) {
  (void)command;
  if (!session->playing && session->steps && session->step == session->steps - 1) ses_go(session, 0);
  session->playing = !session->playing;
  ses_impl(session)->play_debt = 0;
  return true;
}

static bool change_speed(Session *session, const Command *command) {
  session->speed = LS_CLAMP(session->speed + (command->id == CMD_FASTER ? 1 : -1), SPEED_LEAST, SPEED_MOST);
  return true;
}

// ---- small commands --------------------------------------------------------------------------------------------------

static bool turn_focus(Session *session, const Command *command) {
  int by = command->id == CMD_FOCUS_NEXT ? 1 : FOCUS_COUNT - 1;
  session->focus = (FocusKind)(((int)session->focus + by) % FOCUS_COUNT);
  session->focus_auto = false;
  return true;
}

static bool set_focus(Session *session, const Command *command) {
  if (command->arg < 0 || command->arg >= FOCUS_COUNT) return false;
  session->focus = (FocusKind)command->arg;
  session->focus_auto = false;
  return true;
}

static bool automatic(Session *session, const Command *command) {
  (void)command;
  session->focus_auto = session->warp_follows = true;
  session->array_shown = -1;
  ses_go(session, session->step);
  return true;
}

static bool turn_variant(Session *session, const Command *command) {
  int count = focus_variants(session->focus);
  (void)command;
  if (session->focus == FOCUS_WAVES) session->waves.rows = (WaveRows)((session->waves.rows + 1) % WAVES_ROWS_COUNT);
  if (session->focus == FOCUS_WAVES) return true;
  session->variant[session->focus] = (session->variant[session->focus] + 1) % count;
  if (count == 1) ses_say(session, "this pane has one form only");
  return true;
}

static bool toggle(Session *session, const Command *command) {
  switch (command->id) {
    case CMD_ZOOM: session->zoom = !session->zoom; break;
    case CMD_HEX: session->hex = !session->hex; break;
    case CMD_PTX: session->show_ptx = !session->show_ptx; break;
    case CMD_PANE_NEXT: session->pane = (SesPane)((session->pane + 1) % PANE_COUNT); break;
    case CMD_MARGIN: session->margin = (session->margin + 1) % ses_margin_count(); break;
    default: return false;
  }
  return true;
}

// Which instructions have a line is another question then: what was made of the answers is made anew.
static bool switch_headers(Session *session, const Command *command) {
  (void)command;
  Run *run = session->run;
  detach_run(session);
  session->headers = !session->headers;
  session->search[0] = 0;
  attach_run(session, run);
  ses_go(session, session->step);
  ses_say(session, session->headers ? "by line through the headers of the toolkit, too"
          : "by line over the headers of the toolkit");
  return true;
}

// As written or as compiled: another run of the same thing.
static bool switch_code(Session *session, const Command *command) {
  (void)command;
  if (!ses_can_rerun(session)) return true;
  RunRequest request;
  run_request_copy(&request, ses_request(session));
  bool written = strcmp(ses_info(session)->code ? ses_info(session)->code : "", "written") == 0;
  request.cut = written ? DEV_COMPILED : DEV_WRITTEN;
  request.cut_given = true;
  ses_want(session, &request, false);
  return true;
}

static bool cancel(Session *session, const Command *command) {
  (void)command;
  if (session->panel) ses_close_panel(session);
  else if (session->playing) session->playing = false;
  else if (session->lane >= 0) session->lane = -1;
  else if (session->zoom) session->zoom = false;
  else if (session->other) ses_close_compare(session);
  else return false;
  return true;
}

static bool quit(Session *session, const Command *command) {
  (void)command;
  if (session->panel) ses_close_panel(session);
  else if (session->zoom) session->zoom = false;
  else if (session->other) ses_close_compare(session);
  else session->want_quit = true;
  return true;
}

static bool find_next(Session *session, const Command *command) { return ses_go_interest(session, command); }

static bool text_line(Session *session, const Command *command) {
  return ses_line_command(session, command->text ? command->text : "");
}

static bool click(Session *session, const Command *command) {
  return ses_click(session, (AppKey){.code = KEYX_MOUSE, .x = (int)(command->arg >> 32), .y = (int)(int32_t)command->arg, .button = 1});
}

// ---- the table -------------------------------------------------------------------------------------------------------

static bool (*const handlers[CMD_COUNT])(Session *session, const Command *command) = {
    [CMD_STEP_BACK] = ses_go_event, [CMD_STEP_NEXT] = ses_go_event, [CMD_FIRST] = ses_go_event, [CMD_LAST] = ses_go_event,
    [CMD_LINE_BACK] = ses_go_line, [CMD_LINE_NEXT] = ses_go_line,
    [CMD_WARP_BACK] = ses_go_warp_event, [CMD_WARP_NEXT] = ses_go_warp_event,
    [CMD_EVENT_NEXT] = find_next, [CMD_EVENT_BACK] = find_next, [CMD_MARK_NEXT] = ses_go_mark, [CMD_MARK_BACK] = ses_go_mark,
    [CMD_UP] = ses_move, [CMD_DOWN] = ses_move, [CMD_PAGE_UP] = ses_move, [CMD_PAGE_DOWN] = ses_move,
    [CMD_PLAY] = play, [CMD_FASTER] = change_speed, [CMD_SLOWER] = change_speed,
    [CMD_FOCUS_NEXT] = turn_focus, [CMD_FOCUS_BACK] = turn_focus, [CMD_FOCUS_AUTO] = automatic, [CMD_SET_FOCUS] = set_focus,
    [CMD_VARIANT] = turn_variant, [CMD_ZOOM] = toggle, [CMD_PANE_NEXT] = toggle, [CMD_MARGIN] = toggle, [CMD_PTX] = toggle,
    [CMD_HEX] = toggle, [CMD_HEADERS] = switch_headers, [CMD_CODE] = switch_code, [CMD_WRITER] = ses_writer,
    [CMD_CANCEL] = cancel, [CMD_QUIT] = quit, [CMD_GOTO] = ses_goto, [CMD_GOTO_LINE] = ses_goto_line,
    [CMD_SET_WARP] = ses_set_warp, [CMD_SET_BLOCK] = ses_set_block, [CMD_SET_LANE] = ses_set_lane,
    [CMD_SET_PARAM] = ses_set_param, [CMD_TEXT] = text_line, [CMD_CLICK] = click,
};

bool ses_command(Session *session, const Command *command) {
  if ((int)command->id < 0 || command->id >= CMD_COUNT) return false;
  if (command->id == CMD_CANCEL && session->message[0] && !session->panel && !session->playing) {
    session->message[0] = 0;
    return true;
  }
  if (handlers[command->id]) {
    session->message[0] = 0;
    return handlers[command->id](session, command);
  }
  return ses_open_panel(session, command->id);
}
