// session_list.c: faults, and what the kernel printed, as lists of places to go to. A place in a block that is not
// recorded is gone to by a run that records it.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/session/session_impl.h"

static const TraceFault *fault_of(const Session *session, int index) { return &session->run->faults[index]; }

static const TracePrint *print_of(const Session *session, int index) {
  int count;
  return &run_prints(session->run, &count)[index];
}

// ---- the lists -------------------------------------------------------------------------------------------------------

void ses_close_list(Session *session) {
  SesImpl *impl = ses_impl(session);
  free(impl->list);
  impl->list = NULL;
  impl->list_count = 0;
}

// Without what cannot be gone to: a GPU does not tell who printed what.
static void make_list(Session *session) {
  SesImpl *impl = ses_impl(session);
  int count = session->run->fault_count;
  if (session->mode == SES_OUTPUT) run_prints(session->run, &count);
  ses_close_list(session);
  impl->list = ls_alloc(sizeof *impl->list * ((size_t)count + 1));
  for (int i = 0; i < count; i++) impl->list[impl->list_count++] = i;
}

static uint64_t step_of(const Session *session, int index) {
  return session->mode == SES_OUTPUT ? print_of(session, index)->step : fault_of(session, index)->step;
}

// The last row up to the cursor.
static int row_at_cursor(const Session *session) {
  const SesImpl *impl = session->impl;
  int found = 0;
  for (int i = 0; i < impl->list_count; i++) if (step_of(session, impl->list[i]) <= session->step) found = i;
  return found;
}

bool ses_open_list(Session *session, const Command *command) {
  bool output = command->id == CMD_OUTPUT;
  int count;
  run_prints(session->run, &count);
  if (output && !count) {
    ses_say(session, "the kernel printed nothing");
    return true;
  }
  if (!output && !session->run->fault_count) {
    ses_say(session, "nothing went wrong in this run");
    return true;
  }
  session->mode = output ? SES_OUTPUT : SES_FAULTS;
  session->input[0] = 0;
  session->list_skip = 0;
  session->playing = false;
  make_list(session);
  session->pick = row_at_cursor(session);
  return true;
}

int ses_list_count(Session *session) { return ses_impl(session)->list_count; }

static SesWhen when_is(const Session *session, uint64_t step, bool known) {
  if (step >= session->steps) return known ? WHEN_NOT_RECORDED : WHEN_UNKNOWN;
  return step < session->step ? WHEN_BEFORE : step == session->step ? WHEN_HERE : WHEN_AFTER;
}

bool ses_list_row(Session *session, int row, SesRow *out) {
  SesImpl *impl = ses_impl(session);
  if (row < 0 || row >= impl->list_count) return false;
  if (session->mode == SES_OUTPUT) {
    const TracePrint *p = print_of(session, impl->list[row]);
    if (p->event == UINT64_MAX) snprintf(out->who, sizeof out->who, "?");
    else snprintf(out->who, sizeof out->who, "block %u thread %u", p->block, p->thread);
    run_one_line(p->text, out->text, sizeof out->text);
    out->when = when_is(session, p->step, p->event != UINT64_MAX);
  } else {
    const TraceFault *f = fault_of(session, impl->list[row]);
    snprintf(out->who, sizeof out->who, "%s", trace_fault_name((FaultKind)f->kind));
    run_one_line(f->message ? f->message : "", out->text, sizeof out->text);
    out->when = when_is(session, f->step, true);
  }
  return true;
}

void ses_list_help(Session *session, LsText *out) {
  SesRow row;
  if (!ses_list_row(session, session->pick, &row)) return;
  int index = ses_impl(session)->list[session->pick];
  uint32_t block = session->mode == SES_OUTPUT ? print_of(session, index)->block : fault_of(session, index)->block;
  if (row.when == WHEN_UNKNOWN) ls_text_add(out, "A GPU does not tell who printed what.");
  else if (row.when == WHEN_HERE) ls_text_add(out, "You are here.");
  else if (row.when != WHEN_NOT_RECORDED)
    ls_text_addf(out, "Enter goes to step %llu.", (unsigned long long)step_of(session, index));
  else
    ls_text_addf(out, "Block %u is not recorded: Enter runs the kernel again and records it (as --blocks %u does).", block,
                 block);
  ls_text_addc(out, ' ');
  size_t words = out->length;
  if (session->mode == SES_FAULTS) sentence_of_fault(fault_of(session, index), out);
  else ls_text_addf(out, "Printed: %s", row.text);
  out->data[words] = (char)toupper((unsigned char)out->data[words]);   // messages are the middle of a line elsewhere
}

// ---- going there -----------------------------------------------------------------------------------------------------

static bool go_or_record(Session *session, uint64_t step, uint32_t block) {
  if (step < session->steps) {
    ses_go(session, step);
    return true;
  }
  return ses_record_block(session, block);
}

bool ses_go_fault(Session *session, int fault) {
  SesImpl *impl = ses_impl(session);
  TraceFault f = *fault_of(session, fault);
  go_or_record(session, f.step, f.block);
  if (!session->want_rerun || f.step < session->steps) return true;
  impl->wants_fault = true;
  impl->want_kind = (FaultKind)f.kind;
  impl->want_pc = f.pc;
  return true;
}

void ses_say_faults(Session *session) {
  int hidden = 0;
  for (int i = 0; i < session->run->fault_count; i++) hidden += fault_of(session, i)->step >= session->steps;
  if (!hidden || !session->steps) return;
  ses_say(session, "%d fault%s in a block that is not recorded: ! shows %s", hidden, hidden == 1 ? "" : "s",
          hidden == 1 ? "it" : "them");
}

bool ses_list_choose(Session *session) {
  SesImpl *impl = ses_impl(session);
  bool output = session->mode == SES_OUTPUT;
  int index = session->pick < impl->list_count ? impl->list[session->pick] : -1;
  ses_close_panel(session);
  if (index < 0) return true;
  if (!output) return ses_go_fault(session, index);
  TracePrint p = *print_of(session, index);
  if (p.event == UINT64_MAX) return true;
  go_or_record(session, p.step, p.block);
  if (session->want_rerun && p.step >= session->steps) impl->want_event = p.event;
  return true;
}

void ses_list_arrive(Session *session) {
  SesImpl *impl = ses_impl(session);
  const Run *run = session->run;
  for (int i = 0; impl->wants_fault && i < run->fault_count; i++) {
    const TraceFault *f = &run->faults[i];
    if (f->kind != impl->want_kind || f->pc != impl->want_pc || f->step >= session->steps) continue;
    ses_go(session, f->step);
    break;
  }
  int count = 0;
  const TraceBlock *blocks = impl->want_event != UINT64_MAX && run->trace ? trace_blocks(run->trace, &count) : NULL;
  for (int i = 0; i < count; i++)
    if (blocks[i].block == session->block && impl->want_event < blocks[i].count)
      ses_go(session, blocks[i].first + impl->want_event);
  impl->wants_fault = false;
  impl->want_event = UINT64_MAX;
}
