// session_pairs.c: two programs side by side: their launches as pairs, and the other side that follows to the
// counterpart of the launch that is open.
#include <stdio.h>
#include <stdlib.h>

#include "app/run/program_pairs.h"
#include "app/session/session_parts.h"

static const ProgramRun *other_whole(const Session *session) { return session->other ? session->other->whole : NULL; }

bool ses_pairs(const Session *session, ProgramPairs *pairs) {
  if (!session->run->whole || !other_whole(session)) return false;
  program_pairs_init(pairs, &session->run->whole->program, &other_whole(session)->program);
  return true;
}

bool ses_shows_pairs(const Session *session) { return session->run->whole && other_whole(session); }

static int other_launch(const Session *session) { return LS_MAX(session->other->request.launch_number, 1); }

static void want_other(Session *session, int number) {
  RunRequest request;
  const Run *other = session->other;
  char label[sizeof session->other_label];
  snprintf(label, sizeof label, "%s", session->other_label);
  run_request_copy(&request, &other->request);
  run_request_set_whole(&request, &other->whole->shared);
  run_request_set_launch(&request, &other->whole->program, number);
  request.opens = !other->device && !other->request.recipe;
  ses_want_beside(session, &request, label);
}

static void say_alone(Session *session) {
  const HostProgram *program = session->run->program, *beside = session->other->program;
  LsText here = {0}, other = {0};
  program_launch_name(program, program_launch_step(program, ses_launch(session)), &here);
  program_launch_name(beside, program_launch_step(beside, other_launch(session)), &other);
  ses_say(session, "launch %s has no counterpart in the other program: beside it stands launch %s", ls_text_str(&here),
          ls_text_str(&other));
  ls_text_free(&here);
  ls_text_free(&other);
}

void ses_follow_pair(Session *session) {
  ProgramPairs pairs;
  if (session->want_rerun || !ses_pairs(session, &pairs)) return;
  int right = program_pairs_right(&pairs, ses_launch(session));
  program_pairs_fini(&pairs);
  if (right && right != other_launch(session)) want_other(session, right);
  else if (!right) say_alone(session);
}

bool ses_go_pair(Session *session, int row) {
  ProgramPairs pairs;
  if (!ses_pairs(session, &pairs)) return false;
  ProgramPair pair = row >= 0 && row < pairs.count ? pairs.items[row] : (ProgramPair){0};
  program_pairs_fini(&pairs);
  if (pair.left && pair.left != ses_launch(session)) ses_want_launch(session, pair.left);   // the other side follows
  else if (pair.right && pair.right != other_launch(session)) want_other(session, pair.right);
  return true;
}
