// session_list.c: faults, and what the kernel printed, as rows of lists: places to go to. A place in a block that is
// not recorded is gone to by a run that records it.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app/session/session_parts.h"

static SesWhen when_is(const Session *session, uint64_t step, bool known) {
  if (step >= session->steps) return known ? WHEN_NOT_RECORDED : WHEN_UNKNOWN;
  return step < session->step ? WHEN_BEFORE : step == session->step ? WHEN_HERE : WHEN_AFTER;
}

// What going to a row does, and a blank.
static void going_words(const SesRow *row, uint32_t block, LsText *out) {
  if (row->when == WHEN_UNKNOWN) ls_text_add(out, "A GPU does not tell who printed what.");
  else if (row->when == WHEN_HERE) ls_text_add(out, "You are here.");
  else if (row->when != WHEN_NOT_RECORDED) ls_text_addf(out, "Enter goes to step %llu.", (unsigned long long)row->step);
  else
    ls_text_addf(out, "Block %u is not recorded: Enter runs the kernel again and records it (as --blocks %u does).",
                 block, block);
  ls_text_addc(out, ' ');
}

static bool go_or_record(Session *session, uint64_t step, uint32_t block) {
  if (step >= session->steps) return ses_record_block(session, block);
  ses_go(session, step);
  return true;
}

// ---- faults
// ----------------------------------------------------------------------------------------------------------

// A row is a cause; going there is going to its witness, and from there through its other faults.

static const Cause *cause_of(const Session *session, int row) {
  const Causes *causes = session->run->causes;
  return row >= 0 && row < causes->count ? &causes->items[row] : NULL;
}

// Which of its faults the cursor stands on; -1: none.
static int member_here(const Session *session, const Cause *cause) {
  for (int i = 0; i < cause->member_count; i++)
    if (session->run->faults[cause->members[i]].step == session->step) return i;
  return -1;
}

// The next of its faults that is recorded, round and round; the witness, if the cursor stands on none.
static const TraceFault *next_member(const Session *session, const Cause *cause) {
  int here = member_here(session, cause);
  for (int i = 1; here >= 0 && i < cause->member_count; i++) {
    const TraceFault *f = &session->run->faults[cause->members[(here + i) % cause->member_count]];
    if (f->step < session->steps) return f;
  }
  return &session->run->faults[cause->witness];
}

// Behind those of this launch come those of its program.
static int elsewhere(const Session *session, int row) { return row - session->run->causes->count; }

int ses_fault_count(Session *session) { return session->run->causes->count + ses_elsewhere_count(session); }

bool ses_fault_row(Session *session, int row, SesRow *out) {
  const Cause *cause = cause_of(session, row);
  if (!cause) return ses_elsewhere_row(session, elsewhere(session, row), out);
  const TraceFault *f = &session->run->faults[cause->witness];
  LsText text = {0};
  if (cause->member_count > 1) ls_text_addf(&text, "(%d) ", cause->member_count);
  ls_text_add(&text, f->message ? f->message : "");
  out->grade = trace_fault_grade(f);
  snprintf(out->who, sizeof out->who, "%s", trace_fault_name((FaultKind)f->kind));
  run_one_line(ls_text_str(&text), out->text, sizeof out->text);
  out->step = f->step;
  out->when = member_here(session, cause) >= 0 ? WHEN_HERE : when_is(session, f->step, true);
  ls_text_free(&text);
  return true;
}

void ses_fault_words(Session *session, int row, LsText *out) {
  SesRow shown;
  const Cause *cause = cause_of(session, row);
  if (!cause) ses_elsewhere_words(session, elsewhere(session, row), out);
  if (!cause || !ses_fault_row(session, row, &shown)) return;
  int here = member_here(session, cause);
  if (here >= 0 && cause->member_count > 1)
    ls_text_addf(out, "You are at fault %d of %d; Enter goes to the next. ", here + 1, cause->member_count);
  else going_words(&shown, session->run->faults[cause->witness].block, out);
  size_t words = out->length;
  cause_sentence(cause, session->run->faults, out);
  out->data[words] = (char)toupper((unsigned char)out->data[words]);   // messages are the middle of a line elsewhere
}

bool ses_go_fault(Session *session, int row) {
  const Cause *cause = cause_of(session, row);
  if (!cause) return ses_go_elsewhere(session, elsewhere(session, row));
  TraceFault f = *next_member(session, cause);
  go_or_record(session, f.step, f.block);
  if (!session->want_rerun || f.step < session->steps) return true;
  SesTarget *target = ses_target(session);
  target->is_fault = true;
  target->kind = (FaultKind)f.kind;
  target->pc = f.pc;
  return true;
}

// Of what was found, in the launch and in its program; FAULT_GRADE_COUNT: nothing was.
static FaultGrade worst_grade(const Session *session) {
  const TraceFault *first = run_fault_row(session->run, 0);
  FaultGrade worst = first ? trace_fault_grade(first) : FAULT_GRADE_COUNT;
  for (int i = ses_elsewhere_count(session) - 1; i >= 0; i--) worst = LS_MIN(worst, ses_elsewhere_grade(session, i));
  return worst;
}

bool ses_title_news(const Session *session, bool brief, LsText *out) {
  FaultGrade worst = session->untold ? FAULT_GRADE_COUNT : worst_grade(session);
  if (worst == FAULT_GRADE_COUNT) return false;
  int count = run_count_causes(session->run, worst);
  for (int i = ses_elsewhere_count(session) - 1; i >= 0; i--) count += ses_elsewhere_grade(session, i) == worst;
  const char *mark = worst == GRADE_NOTE ? "" : "▲ ";
  ls_text_addf(out, "%s%d %s%s", mark, count, trace_grade_name(worst), count == 1 ? "" : "s");
  if (!brief) ls_text_addf(out, " · ! lists %s", count == 1 ? "it" : "them");
  return worst != GRADE_NOTE;
}

// Those of a line: nearly every small launch has one of its own, which would be no news.
void ses_title_found(const Session *session, bool brief, LsText *out) {
  const Findings *all = ses_findings(session);
  int count = 0;
  for (int i = 0; all && i < all->count; i++) count += all->items[i].line > 0;
  if (!count) return;
  ls_text_addf(out, "%d finding%s", count, count == 1 ? "" : "s");
  ls_text_add(out, brief ? " · f" : count == 1 ? " · f lists it" : " · f lists them");
}

void ses_say_faults(Session *session) {
  int hidden = 0;
  for (int i = 0; i < session->run->causes->count; i++) {
    const TraceFault *fault = &session->run->faults[session->run->causes->items[i].witness];
    hidden += fault->step >= session->steps && trace_fault_grade(fault) == GRADE_FAULT;
  }
  if (!hidden || !session->steps) return;
  ses_say(session, "%d fault%s in a block that is not recorded: ! shows %s", hidden, hidden == 1 ? "" : "s",
          hidden == 1 ? "it" : "them");
}

// ---- what was printed
// ------------------------------------------------------------------------------------------------

static const TracePrint *print_of(const Session *session, int row) {
  int count;
  const TracePrint *prints = run_prints(session->run, &count);
  return row >= 0 && row < count ? &prints[row] : NULL;
}

int ses_print_count(Session *session) {
  int count;
  run_prints(session->run, &count);
  return count;
}

bool ses_print_row(Session *session, int row, SesRow *out) {
  const TracePrint *p = print_of(session, row);
  if (!p) return false;
  bool known = p->event != UINT64_MAX;
  out->grade = GRADE_FAULT;
  if (known) snprintf(out->who, sizeof out->who, "block %u thread %u", p->block, p->thread);
  else snprintf(out->who, sizeof out->who, "?");
  run_one_line(p->text, out->text, sizeof out->text);
  out->step = p->step;
  out->when = when_is(session, p->step, known);
  return true;
}

void ses_print_words(Session *session, int row, LsText *out) {
  SesRow shown;
  if (!ses_print_row(session, row, &shown)) return;
  going_words(&shown, print_of(session, row)->block, out);
  ls_text_addf(out, "Printed: %s", shown.text);
}

bool ses_go_print(Session *session, int row) {
  const TracePrint *found = print_of(session, row);
  if (!found || found->event == UINT64_MAX) return true;
  TracePrint p = *found;
  go_or_record(session, p.step, p.block);
  if (session->want_rerun && p.step >= session->steps) ses_target(session)->event = p.event;
  return true;
}

// ---- a run that was wanted for one of them
// ---------------------------------------------------------------------------

static void arrive_at_fault(Session *session, const SesTarget *target) {
  for (int i = 0; i < session->run->fault_count; i++) {
    const TraceFault *f = &session->run->faults[i];
    if (f->kind != target->kind || f->pc != target->pc || f->step >= session->steps) continue;
    ses_go(session, f->step);
    return;
  }
}

static void arrive_at_event(Session *session, uint64_t event) {
  int count = 0;
  const TraceBlock *blocks = session->run->trace ? trace_blocks(session->run->trace, &count) : NULL;
  for (int i = 0; i < count; i++)
    if (blocks[i].block == session->block && event < blocks[i].count) ses_go(session, blocks[i].first + event);
}

void ses_target_arrive(Session *session) {
  SesTarget *target = ses_target(session);
  if (target->is_fault) arrive_at_fault(session, target);
  if (target->event != UINT64_MAX) arrive_at_event(session, target->event);
  target->is_fault = false;
  target->event = UINT64_MAX;
}
