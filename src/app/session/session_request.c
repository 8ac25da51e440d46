// session_request.c: the run that is wanted instead of the present one, or beside it, until it is there.
#include <stdio.h>
#include <stdlib.h>

#include "app/run/program_run.h"
#include "app/session/session_parts.h"

struct SesRequests {
  bool pending;                  // a wanted run is on its way
  SesTarget target;              // what is looked for in it
  char label[128];               // of the run that is wanted beside this one
  bool has_previous; RunRequest previous;
};

static const SesTarget nothing = {.block = -1, .event = UINT64_MAX};

SesRequests *requests_new(void) {
  SesRequests *requests = ls_alloc(sizeof *requests);
  requests->target = nothing;
  return requests;
}

void requests_free(SesRequests *requests) {
  if (requests->has_previous) run_request_fini(&requests->previous);
  free(requests);
}

const RunRequest *ses_request(const Session *session) {
  return session->requests->pending && !session->next_is_other ? &session->next : &session->run->request;
}

bool ses_can_rerun(Session *session) {
  const RunRequest *request = &session->run->request;
  if (request->recipe || session->run->device) return true;   // a saved trace has no device
  ses_complain(session, "this is a saved trace: it cannot be run again with something else; open the kernel itself");
  return false;
}

// Blocks that were chosen for one grid need not exist in another: then as many as fit are recorded, as by default.
static void fit_blocks(RunRequest *request) {
  uint64_t blocks = 0;
  if (!request->blocks || !run_request_blocks(request, &blocks)) return;
  uint8_t *chosen = run_parse_blocks(request->blocks, blocks, NULL);
  if (!chosen) {
    free(request->blocks);
    request->blocks = NULL;
  }
  free(chosen);
}

void ses_want(Session *session, RunRequest *request, bool is_other) {
  run_request_fini(&session->next);
  session->next = *request;
  if (!session->next.whole && session->run->whole) run_request_set_whole(&session->next, &session->run->whole->shared);
  session->next_is_other = is_other;
  session->next_is_before = false;
  session->want_rerun = session->requests->pending = true;
  session->requests->target = nothing;
  ses_play_stop(session);
}

// An order that was chosen step by step is one of this launch and this code.
void ses_want_changed(Session *session, RunRequest *request, bool is_other) {
  free(request->order_of);
  request->order_of = NULL;
  fit_blocks(request);
  ses_want(session, request, is_other);
}

// Files may have changed meanwhile: a program is run again as a whole.
void ses_run_request(Session *session, RunRequest *request) {
  ses_want_changed(session, request, false);
  run_request_set_whole(&session->next, NULL);
}

void ses_want_beside(Session *session, RunRequest *request, const char *label) {
  snprintf(session->requests->label, sizeof session->requests->label, "%s", label);
  ses_want_changed(session, request, true);
}

const char *ses_wanted_label(const Session *session) { return session->requests->label; }

SesTarget *ses_target(Session *session) { return &session->requests->target; }

bool ses_wants_other(const Session *session) { return session->requests->pending && session->next_is_other; }

void ses_wanted_came(Session *session) {
  session->want_rerun = session->requests->pending = session->next_is_other = false;
  session->requests->target.block = -1;
  session->requests->target.is_outcome = false;
}

void ses_remember_request(Session *session) {
  SesRequests *requests = session->requests;
  if (requests->has_previous) run_request_fini(&requests->previous);
  run_request_copy(&requests->previous, &session->run->request);
  requests->has_previous = true;
}

const RunRequest *ses_previous_request(const Session *session) {
  return session->requests->has_previous ? &session->requests->previous : NULL;
}
