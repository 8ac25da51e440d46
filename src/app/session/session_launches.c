// session_launches.c: the steps of a program as rows of a list, and from launch to launch: each is a run of its own,
// which finds
// memory as the launches before it leave it.
#include <stdio.h>

#include "app/session/session_parts.h"

static const HostProgram *program_of(const Session *session) { return session->run->program; }

static int launch_here(const Session *session) { return LS_MAX(session->run->request.launch_number, 1); }

static bool want_launch(Session *session, int number) {
  RunRequest request;
  if (!ses_can_rerun(session)) return true;
  run_request_copy(&request, ses_request(session));
  request.launch_number = number;
  ses_want_changed(session, &request, false);
  return true;
}

bool ses_go_launch(Session *session, const Command *command) {
  const HostProgram *program = program_of(session);
  if (!program) return ses_complain(session, "this is one launch: programs of several have a list of them");
  int number = LS_MAX(ses_request(session)->launch_number, 1) + (command->id == CMD_LAUNCH_NEXT ? 1 : -1);
  if (number < 1) return ses_complain(session, "this is the first of %d launches", program->launches);
  if (number > program->launches) return ses_complain(session, "this is the last of %d launches", program->launches);
  return want_launch(session, number);
}

// ---- the list ------------------------------------------------------------------------------------------------------

int ses_step_count(Session *session) { return program_of(session) ? program_of(session)->step_count : 0; }

bool ses_step_row(Session *session, int row, SesRow *out) {
  const HostProgram *program = program_of(session);
  if (row < 0 || row >= ses_step_count(session)) return false;
  int here = program_launch_step(program, launch_here(session));
  LsText words = {0};
  program_step_words(program, row, &words);
  if (program->steps[row].kind == PROGRAM_LAUNCH)
    snprintf(out->who, sizeof out->who, "launch %d", program_launch_number(program, row));
  else snprintf(out->who, sizeof out->who, "step %d", row + 1);
  run_one_line(ls_text_str(&words), out->text, sizeof out->text);
  out->when = row == here ? WHEN_HERE : row < here ? WHEN_BEFORE : WHEN_AFTER;
  out->step = row <= here ? 0 : UINT64_MAX;   // a list opens at the last row that is not later
  ls_text_free(&words);
  return true;
}

void ses_step_words(Session *session, int row, LsText *out) {
  const HostProgram *program = program_of(session);
  if (row < 0 || row >= ses_step_count(session)) return;
  if (program->steps[row].kind != PROGRAM_LAUNCH) {
    ls_text_add(out, "Nothing of this can be stepped through: Enter goes to the next launch.");
    return;
  }
  int number = program_launch_number(program, row);
  if (number == launch_here(session)) ls_text_add(out, "You are in this launch.");
  else ls_text_addf(out, "Enter opens launch %d of %d, with memory as the steps before it leave it.", number,
                    program->launches);
}

bool ses_go_step(Session *session, int row) {
  const HostProgram *program = program_of(session);
  while (row < ses_step_count(session) && program->steps[row].kind != PROGRAM_LAUNCH) row++;
  if (row >= ses_step_count(session)) return ses_complain(session, "there is no launch behind this step");
  int number = program_launch_number(program, row);
  return number == launch_here(session) || want_launch(session, number);
}
