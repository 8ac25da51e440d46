// session_launches.c: the steps of a program as rows of lists, and from launch to launch: each is a run of its own,
// which finds memory as the launches before it leave it.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/program_run.h"
#include "app/session/session_parts.h"

static const HostProgram *program_of(const Session *session) { return session->run->program; }

// The program as a whole; NULL: only this launch is known of it.
static const ProgramRun *whole_of(const Session *session) { return session->run->whole; }

int ses_launch(const Session *session) {
  return program_of(session) ? LS_MAX(session->run->request.launch_number, 1) : 0;
}

int ses_launch_count(const Session *session) { return program_of(session) ? program_of(session)->launches : 0; }

// ---- going ---------------------------------------------------------------------------------------------------------

// Its other launches are in the same file.
static bool is_saved(const Session *session) {
  return session->run->whole && !session->run->device && !session->run->request.recipe;
}

bool ses_want_launch(Session *session, int number) {
  RunRequest request;
  bool saved = is_saved(session);
  if (!saved && !ses_can_rerun(session)) return false;
  run_request_copy(&request, ses_request(session));
  request.launch_number = number;
  request.opens = saved;
  ses_want_changed(session, &request, false);
  return true;
}

bool ses_go_launch(Session *session, const Command *command) {
  const HostProgram *program = program_of(session);
  if (!program) return ses_complain(session, "this is one launch: programs of several have a list of them");
  int number = LS_MAX(ses_request(session)->launch_number, 1) + (command->id == CMD_LAUNCH_NEXT ? 1 : -1);
  if (number < 1) return ses_complain(session, "this is the first of %d launches", program->launches);
  if (number > program->launches) return ses_complain(session, "this is the last of %d launches", program->launches);
  ses_want_launch(session, number);
  return true;
}

// ---- steps ---------------------------------------------------------------------------------------------------------

int ses_step_count(Session *session) { return program_of(session) ? program_of(session)->step_count : 0; }

int ses_step_here(const Session *session) { return program_launch_step(program_of(session), ses_launch(session)); }

static void dims_text(const uint32_t dims[3], char *out, size_t size) {
  if (dims[2] > 1) snprintf(out, size, "%ux%ux%u", dims[0], dims[1], dims[2]);
  else if (dims[1] > 1) snprintf(out, size, "%ux%u", dims[0], dims[1]);
  else snprintf(out, size, "%u", dims[0]);
}

static int count_faults(const ProgramLaunch *launch) {
  int count = 0;
  for (int i = 0; i < launch->fault_count; i++) count += trace_fault_grade(&launch->faults[i]) == GRADE_FAULT;
  return count;
}

static void fill_launch(const Session *session, int row, SesStep *out) {
  const HostProgram *program = program_of(session);
  const ProgramRun *whole = whole_of(session);
  const ProgramStep *step = &program->steps[row];
  out->launch = program_launch_number(program, row);
  snprintf(out->name, sizeof out->name, "%s", step->kernel);
  dims_text(step->grid, out->grid, sizeof out->grid);
  dims_text(step->block, out->block, sizeof out->block);
  if (!whole || out->launch > whole->launch_count) return;
  const ProgramLaunch *launch = &whole->launches[out->launch - 1];
  out->was_run = true;
  out->faults = count_faults(launch);
  out->findings = launch->findings;
}

bool ses_step(Session *session, int row, SesStep *out) {
  const HostProgram *program = program_of(session);
  const ProgramRun *whole = whole_of(session);
  if (row < 0 || row >= ses_step_count(session)) return false;
  int here = ses_step_here(session);
  const ProgramStep *step = &program->steps[row];
  *out = (SesStep){.findings = -1, .when = row == here ? WHEN_HERE : row < here ? WHEN_BEFORE : WHEN_AFTER};
  if (step->kind == PROGRAM_LAUNCH) {
    fill_launch(session, row, out);
  } else {
    LsText words = {0};
    program_step_words(program, row, &words);
    run_one_line(ls_text_str(&words), out->name, sizeof out->name);
    ls_text_free(&words);
  }
  snprintf(out->stream, sizeof out->stream, "%s", program->streams[step->stream].name);
  if (whole && whole->times)
    ses_format_ns((uint64_t)(whole->times[row].end - whole->times[row].begin + 0.5), out->time, sizeof out->time);
  for (int i = 0; whole && i < whole->fault_count; i++) out->faults += whole->faults[i].step == row;
  return true;
}

static void going_words(Session *session, int row, LsText *out) {
  SesStep step;
  const HostProgram *program = program_of(session);
  const ProgramRun *whole = whole_of(session);
  LsText words = {0};
  ses_step(session, row, &step);
  program_step_words(program, row, &words);
  if (step.launch) program_run_place(program, step.launch, out), ls_text_add(out, ": ");
  else ls_text_addf(out, "Step %d of %d: ", row + 1, program->step_count);
  out->data[0] = out->data[0] == 'l' ? 'L' : out->data[0];
  ls_text_addf(out, "%s. ", ls_text_str(&words) + (step.launch ? strlen("launch ") : 0));
  if (!step.launch) ls_text_add(out, "Nothing of this can be stepped through: Enter goes to the next launch. ");
  else if (step.launch == ses_launch(session)) ls_text_add(out, "You are in this launch. ");
  else if (whole && !step.was_run) ls_text_addf(out, "The program ended before it. ");
  else ls_text_add(out, "Enter opens it, with memory as the steps before it leave it. ");
  ls_text_free(&words);
}

// Where the times are from. The timeline (T) has those of the code as compiled, which are others.
static const char *kind_of_times(const ProgramRun *whole) {
  if (whole->is_measured) return "measured";
  return whole->module && whole->module->debug ? "as written" : "computed";
}

static void time_words(const ProgramRun *whole, int row, LsText *out) {
  char begin[32];
  if (!whole || !whole->times) return;
  ses_format_ns((uint64_t)(whole->times[row].begin + 0.5), begin, sizeof begin);
  ls_text_addf(out, "It begins at %s", begin);
  if (whole->times[row].waited_for >= 0) ls_text_addf(out, ", when step %d ends", whole->times[row].waited_for + 1);
  bool written = !whole->is_measured && whole->module && whole->module->debug;
  ls_text_addf(out, " (%s). ", written ? "computed for the code as written" : kind_of_times(whole));
}

void ses_step_words(Session *session, int row, LsText *out) {
  const ProgramRun *whole = whole_of(session);
  SesStep step;
  if (!ses_step(session, row, &step)) return;
  going_words(session, row, out);
  time_words(whole, row, out);
  for (int i = 0; whole && i < whole->fault_count; i++)
    if (whole->faults[i].step == row)
      ls_text_addf(out, "▲ %s: %s. ", program_fault_def(whole->faults[i].kind)->name, whole->faults[i].message);
  const ProgramLaunch *launch = step.was_run ? &whole->launches[step.launch - 1] : NULL;
  for (int i = 0; launch && i < launch->fault_count; i++)
    if (trace_fault_grade(&launch->faults[i]) == GRADE_FAULT)
      ls_text_addf(out, "▲ %s: %s. ", trace_fault_name((FaultKind)launch->faults[i].kind), launch->faults[i].message);
  if (launch && launch->finding) ls_text_addf(out, "It wastes most here: %s", launch->finding);
}

bool ses_go_step(Session *session, int row) {
  const HostProgram *program = program_of(session);
  while (row < ses_step_count(session) && program->steps[row].kind != PROGRAM_LAUNCH) row++;
  if (row >= ses_step_count(session)) return ses_complain(session, "there is no launch behind this step");
  int number = program_launch_number(program, row);
  if (number != ses_launch(session)) ses_want_launch(session, number);
  return true;
}

void ses_program_words(Session *session, LsText *out) {
  const HostProgram *program = program_of(session);
  const ProgramRun *whole = whole_of(session);
  char all[32];
  ls_text_addf(out, "%d launch%s in %d step%s", program->launches, program->launches == 1 ? "" : "es",
               program->step_count, program->step_count == 1 ? "" : "s");
  if (!whole) return;
  if (whole->times) {
    ses_format_ns((uint64_t)(program_time_end(program, whole->times) + 0.5), all, sizeof all);
    ls_text_addf(out, " · %s, %s", all, kind_of_times(whole));
  }
  if (whole->stopped) ls_text_addf(out, " · a fault ends it in launch %d", LS_MAX(whole->launch_count, 1));
  if (whole->verdict == RUN_RIGHT) ls_text_add(out, " · answer right");
  if (whole->verdict == RUN_WRONG) ls_text_add(out, " · answer WRONG");
}

// ---- who wrote it --------------------------------------------------------------------------------------------------

// The object of global memory that is at an address, as an argument behind the kernel's own; -1: none of these.
static int area_at(const Session *session, uint64_t addr, uint64_t *first) {
  const TraceInfo *info = ses_info(session);
  int own = program_of(session)->steps[ses_step_here(session)].arg_count;
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *o = &info->objects[i];
    if (o->space != TRACE_GLOBAL || o->arg < own || addr < o->base || addr - o->base >= o->size) continue;
    *first = addr - o->base;
    return o->arg - own;
  }
  return -1;
}

bool ses_want_writer(Session *session, uint64_t addr, int size, const char *what) {
  RunRequest request;
  uint64_t first;
  const ProgramRun *whole = whole_of(session);
  bool can = is_saved(session) || (whole && whole->snapshots && session->run->device);
  int area = can ? area_at(session, addr, &first) : -1;
  if (area < 0 || ses_launch(session) < 1) return false;
  run_request_copy(&request, ses_request(session));
  request.launch_number = ses_launch(session);
  request.opens = is_saved(session);
  request.writer = (ProgramWriter){.area = area, .first = first, .size = (uint64_t)size};
  ses_want_changed(session, &request, false);
  snprintf(ses_target(session)->what, sizeof ses_target(session)->what, "%s", what);
  return true;
}

uint64_t ses_writer_address(const Session *session) {
  const ProgramWriter *writer = &session->run->request.writer;
  const TraceInfo *info = ses_info(session);
  int arg = program_of(session)->steps[ses_step_here(session)].arg_count + writer->area;
  for (int i = 0; i < info->object_count; i++) {
    const TraceObject *o = &info->objects[i];
    if (o->space == TRACE_GLOBAL && o->arg == arg) return o->base + writer->first;
  }
  return UINT64_MAX;
}

// ---- faults of the program that are not of this launch -------------------------------------------------------------

static bool has_fault(const ProgramLaunch *launch, const TraceFault *fault) {
  for (int i = 0; i < launch->fault_count; i++) {
    const TraceFault *own = &launch->faults[i];
    if (own->kind == fault->kind && own->pc == fault->pc && own->other_pc == fault->other_pc) return true;
  }
  return false;
}

// The index-th that this launch does not have itself; NULL: there are not so many.
static const ProgramLaunchFault *fault_elsewhere(const Session *session, int index) {
  const ProgramRun *whole = whole_of(session);
  int here = ses_launch(session) - 1;
  for (int i = 0; whole && i < whole->told_count; i++) {
    bool own = here < whole->launch_count && has_fault(&whole->launches[here], whole->told[i].fault);
    if (!own && index-- == 0) return &whole->told[i];
  }
  return NULL;
}

int ses_elsewhere_count(const Session *session) {
  const ProgramRun *whole = whole_of(session);
  int count = 0;
  while (fault_elsewhere(session, count)) count++;
  return whole ? whole->fault_count + count : 0;
}

FaultGrade ses_elsewhere_grade(const Session *session, int index) {
  const ProgramRun *whole = whole_of(session);
  if (index < whole->fault_count) return GRADE_FAULT;
  const ProgramLaunchFault *f = fault_elsewhere(session, index - whole->fault_count);
  return f ? trace_fault_grade(f->fault) : GRADE_NOTE;
}

// The launch that shows it: its own, else the next one behind the step.
static int launch_of(const Session *session, int index) {
  const ProgramRun *whole = whole_of(session);
  const HostProgram *program = program_of(session);
  if (index >= whole->fault_count) return fault_elsewhere(session, index - whole->fault_count)->number;
  int step = whole->faults[index].step;
  while (step > 0 && program->steps[step].kind != PROGRAM_LAUNCH) step--;
  return LS_MAX(program_launch_number(program, step), 1);
}

bool ses_elsewhere_row(Session *session, int index, SesRow *out) {
  const ProgramRun *whole = whole_of(session);
  if (index < 0 || index >= ses_elsewhere_count(session)) return false;
  bool between = index < whole->fault_count;
  const ProgramLaunchFault *f = between ? NULL : fault_elsewhere(session, index - whole->fault_count);
  int launch = launch_of(session, index);
  LsText text = {0};
  if (f) ls_text_addf(&text, "launch %d of %d: %s", f->number, ses_launch_count(session), f->fault->message);
  else ls_text_add(&text, whole->faults[index].message);
  snprintf(out->who, sizeof out->who, "%s", f ? trace_fault_name((FaultKind)f->fault->kind)
                                              : program_fault_def(whole->faults[index].kind)->name);
  run_one_line(ls_text_str(&text), out->text, sizeof out->text);
  ls_text_free(&text);
  out->grade = ses_elsewhere_grade(session, index);
  out->when = launch == ses_launch(session) ? WHEN_HERE : launch < ses_launch(session) ? WHEN_BEFORE : WHEN_AFTER;
  out->step = UINT64_MAX;
  return true;
}

void ses_elsewhere_words(Session *session, int index, LsText *out) {
  const ProgramRun *whole = whole_of(session);
  if (index < 0 || index >= ses_elsewhere_count(session)) return;
  int launch = launch_of(session, index);
  if (launch == ses_launch(session)) ls_text_add(out, "You are in its launch. ");
  else ls_text_addf(out, "Enter opens launch %d of %d. ", launch, ses_launch_count(session));
  if (index < whole->fault_count) {
    const ProgramFault *f = &whole->faults[index];
    size_t words = out->length;
    ls_text_addf(out, "%s. %s", f->message, program_fault_def(f->kind)->advice);
    out->data[words] = (char)toupper((unsigned char)out->data[words]);
    return;
  }
  const ProgramLaunchFault *f = fault_elsewhere(session, index - whole->fault_count);
  if (f->launches > 1) ls_text_addf(out, "%d launches have it. ", f->launches);
  sentence_of_fault(f->fault, out);
}

bool ses_go_elsewhere(Session *session, int index) {
  const ProgramRun *whole = whole_of(session);
  if (index < 0 || index >= ses_elsewhere_count(session)) return true;
  int launch = launch_of(session, index);
  if (launch == ses_launch(session) || !ses_want_launch(session, launch)) return true;
  SesTarget *target = ses_target(session);
  if (index < whole->fault_count) return true;
  const TraceFault *fault = fault_elsewhere(session, index - whole->fault_count)->fault;
  target->is_fault = true;
  target->kind = (FaultKind)fault->kind;
  target->pc = fault->pc;
  return true;
}
