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

int ses_launch_count(const Session *session) {
  return program_of(session) ? program_all_launches(program_of(session)) : 0;
}

int ses_launch_at(const Session *session, int rank) {
  return whole_of(session) ? program_run_reading(whole_of(session), rank - 1) : rank;
}

int ses_launch_rank(const Session *session) {
  return whole_of(session) && ses_launch(session) ? program_run_rank(whole_of(session), ses_launch(session)) + 1
                                                  : ses_launch(session);
}

// "2 of 3", "1.2.1".
void ses_launch_name(const Session *session, int number, LsText *out) {
  const HostProgram *program = program_of(session);
  program_launch_name(program, program_launch_step(program, number), out);
  if (number <= program->launches) ls_text_addf(out, " of %d", program->launches);
}

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
  run_request_set_launch(&request, program_of(session), number);
  request.opens = saved;
  ses_want_changed(session, &request, false);
  return true;
}

// The launch that is on its way, or the open one.
static int launch_wanted(const Session *session) {
  const RunRequest *request = ses_request(session);
  int number = LS_MAX(request->launch_number, 1);
  return number <= ses_launch_count(session) ? number : ses_launch(session);
}

bool ses_go_launch(Session *session, const Command *command) {
  const HostProgram *program = program_of(session);
  if (!program) return ses_complain(session, "this is one launch: programs of several have a list of them");
  const ProgramRun *whole = whole_of(session);
  int number = launch_wanted(session), count = ses_launch_count(session);
  int rank = (whole ? program_run_rank(whole, number) : number - 1) + (command->id == CMD_LAUNCH_NEXT ? 1 : -1);
  if (rank < 0) return ses_complain(session, "this is the first of %d launches", count);
  if (rank >= count) return ses_complain(session, "this is the last of %d launches", count);
  ses_want_launch(session, ses_launch_at(session, rank + 1));
  return true;
}

// ---- steps ---------------------------------------------------------------------------------------------------------

int ses_step_count(Session *session) { return program_of(session) ? program_all_steps(program_of(session)) : 0; }

// Rows are steps as they are read.
static int step_at(const Session *session, int row) {
  const ProgramRun *whole = whole_of(session);
  return whole && whole->order ? whole->order[row] : row;
}

static int row_of(const Session *session, int step) {
  const ProgramRun *whole = whole_of(session);
  return whole && whole->places ? whole->places[step] : step;
}

static int open_step(const Session *session) { return program_launch_step(program_of(session), ses_launch(session)); }

int ses_step_here(const Session *session) { return row_of(session, open_step(session)); }

static void dims_text(const uint32_t dims[3], char *out, size_t size) {
  if (dims[2] > 1) snprintf(out, size, "%ux%ux%u", dims[0], dims[1], dims[2]);
  else if (dims[1] > 1) snprintf(out, size, "%ux%u", dims[0], dims[1]);
  else snprintf(out, size, "%u", dims[0]);
}

static int count_faults(const Session *session, const ProgramLaunch *launch) {
  int count = 0;
  if (session->untold) return 0;
  for (int i = 0; i < launch->fault_count; i++) count += trace_fault_grade(&launch->faults[i]) == GRADE_FAULT;
  return count;
}

// Its number: of a child behind a dot, as it stands below its parent; in full where it is chosen.
static void fill_number(const HostProgram *program, int step, SesStep *out) {
  LsText name = {0};
  const ProgramKin *kin = program->steps[step].kin;
  if (kin) ls_text_addf(&name, ".%d", kin->number);
  else program_launch_name(program, step, &name);
  out->depth = kin ? kin->depth : 0;
  snprintf(out->number, sizeof out->number, "%s", ls_text_str(&name));
  ls_text_free(&name);
}

static const char *stream_name(const HostProgram *program, const ProgramStep *step) {
  static const char *const names[] = {"default", "tail", "forget", "own"};
  return step->kin ? names[step->kin->stream] : program->streams[step->stream].name;
}

static void fill_launch(const Session *session, int at, SesStep *out) {
  const HostProgram *program = program_of(session);
  const ProgramRun *whole = whole_of(session);
  const ProgramStep *step = &program->steps[at];
  out->launch = program_launch_number(program, at);
  fill_number(program, at, out);
  snprintf(out->name, sizeof out->name, "%s", step->kernel);
  dims_text(step->grid, out->grid, sizeof out->grid);
  dims_text(step->block, out->block, sizeof out->block);
  const ProgramLaunch *launch = whole ? program_run_at(whole, out->launch, NULL) : NULL;
  if (!launch) return;
  out->was_run = true;
  out->faults = count_faults(session, launch);
  out->findings = session->untold ? -1 : launch->findings;
}

bool ses_step(Session *session, int row, SesStep *out) {
  const HostProgram *program = program_of(session);
  const ProgramRun *whole = whole_of(session);
  if (row < 0 || row >= ses_step_count(session)) return false;
  int here = ses_step_here(session), at = step_at(session, row);
  const ProgramStep *step = &program->steps[at];
  *out = (SesStep){.findings = -1, .when = row == here ? WHEN_HERE : row < here ? WHEN_BEFORE : WHEN_AFTER};
  if (step->kind == PROGRAM_LAUNCH) {
    fill_launch(session, at, out);
  } else {
    LsText words = {0};
    program_step_words(program, at, &words);
    run_one_line(ls_text_str(&words), out->name, sizeof out->name);
    ls_text_free(&words);
  }
  out->step = step->kin ? 0 : at + 1;
  snprintf(out->stream, sizeof out->stream, "%s", stream_name(program, step));
  if (whole && whole->times && whole->times[at].end >= 0)
    ses_format_ns((uint64_t)(whole->times[at].end - whole->times[at].begin + 0.5), out->time, sizeof out->time);
  for (int i = 0; whole && !session->untold && i < whole->fault_count; i++) out->faults += whole->faults[i].step == at;
  return true;
}

// "launch 1.2 (fill<<<4, 32>>>, by thread (0,0,0) of block (3,0,0) of launch 1 at tree.cu:12)". words: where that is
// not known.
static void child_place(const Session *session, int number, const LsText *words, LsText *out) {
  const ProgramRun *whole = whole_of(session);
  const ProgramChild *child;
  if (!whole || !program_run_at(whole, number, &child)) {
    ls_text_add(out, ls_text_str(words));
  } else {
    int root = program_launch_number(&whole->program, child->launch.step);
    program_run_child_place(whole, root, (int)(child - whole->launches[root - 1].children), out);
  }
  ls_text_add(out, ". ");
}

static void going_words(Session *session, int row, LsText *out) {
  SesStep step;
  const HostProgram *program = program_of(session);
  const ProgramRun *whole = whole_of(session);
  LsText words = {0};
  int at = step_at(session, row);
  ses_step(session, row, &step);
  program_step_words(program, at, &words);
  if (program->steps[at].kin) child_place(session, step.launch, &words, out);
  else if (step.launch) program_run_place(program, step.launch, out), ls_text_add(out, ": ");
  else ls_text_addf(out, "Step %d of %d: ", at + 1, program->step_count);
  out->data[0] = out->data[0] == 'l' ? 'L' : out->data[0];
  if (!program->steps[at].kin)
    ls_text_addf(out, "%s. ", ls_text_str(&words) + (step.launch ? strlen("launch ") : 0));
  if (!step.launch) ls_text_add(out, "Nothing of this can be stepped through: Enter goes to the next launch. ");
  else if (step.launch == ses_launch(session)) ls_text_add(out, "You are in this launch. ");
  else if (whole && !step.was_run) ls_text_addf(out, "The program ended before it. ");
  else ls_text_addf(out, "Enter opens it, with memory as the %s before it leave it. ",
                    program->steps[at].kin ? "launches" : "steps");
  ls_text_free(&words);
}

// Where the times are from. The timeline (T) has those of the code as compiled, which are others.
static const char *kind_of_times(const ProgramRun *whole) {
  if (whole->is_measured) return "measured";
  return whole->module && whole->module->debug ? "as written" : "computed";
}

static void time_words(const ProgramRun *whole, int row, LsText *out) {   // row: a step
  char begin[32];
  if (!whole || !whole->times || whole->times[row].end < 0) return;
  ses_format_ns((uint64_t)(whole->times[row].begin + 0.5), begin, sizeof begin);
  ls_text_addf(out, "It begins at %s", begin);
  int held = whole->times[row].waited_for;
  if (held >= 0 && whole->program.steps[held].kin) {
    ls_text_add(out, ", when launch ");
    program_launch_name(&whole->program, held, out);
    ls_text_add(out, " ends");
  } else if (held >= 0) {
    ls_text_addf(out, ", when step %d ends", held + 1);
  }
  bool written = !whole->is_measured && whole->module && whole->module->debug;
  ls_text_addf(out, " (%s). ", written ? "computed for the code as written" : kind_of_times(whole));
}

void ses_step_words(Session *session, int row, LsText *out) {
  const ProgramRun *whole = whole_of(session);
  SesStep step;
  if (!ses_step(session, row, &step)) return;
  going_words(session, row, out);
  int at = step_at(session, row);
  time_words(whole, at, out);
  if (session->untold) return;
  for (int i = 0; whole && i < whole->fault_count; i++)
    if (whole->faults[i].step == at)
      ls_text_addf(out, "▲ %s: %s. ", program_fault_def(whole->faults[i].kind)->name, whole->faults[i].message);
  const ProgramLaunch *launch = step.was_run ? program_run_at(whole, step.launch, NULL) : NULL;
  for (int i = 0; launch && i < launch->fault_count; i++)
    if (trace_fault_grade(&launch->faults[i]) == GRADE_FAULT)
      ls_text_addf(out, "▲ %s: %s. ", trace_fault_name((FaultKind)launch->faults[i].kind), launch->faults[i].message);
  if (launch && launch->finding) ls_text_addf(out, "It wastes most here: %s", launch->finding);
}

bool ses_go_step(Session *session, int row) {
  const HostProgram *program = program_of(session);
  while (row < ses_step_count(session) && program->steps[step_at(session, row)].kind != PROGRAM_LAUNCH) row++;
  if (row >= ses_step_count(session)) return ses_complain(session, "there is no launch behind this step");
  int number = program_launch_number(program, step_at(session, row));
  if (number != ses_launch(session)) ses_want_launch(session, number);
  return true;
}

bool ses_go_launch_of(Session *session, const char *name) {
  LsErr err = {0};
  int number = whole_of(session) ? program_run_find(whole_of(session), name, false, &err) : atoi(name);
  if (!number) return ses_complain(session, "%s", err.message);
  if (number != ses_launch(session)) ses_want_launch(session, number);
  return true;
}

void ses_program_words(Session *session, LsText *out) {
  const HostProgram *program = program_of(session);
  const ProgramRun *whole = whole_of(session);
  char all[32];
  ls_text_addf(out, "%d launch%s in %d step%s", program->launches, program->launches == 1 ? "" : "es",
               program->step_count, program->step_count == 1 ? "" : "s");
  if (program->child_count) ls_text_addf(out, " · %d by kernels", program->child_count);
  if (!whole) return;
  if (whole->times) {
    ses_format_ns((uint64_t)(program_time_end(program, whole->times) + 0.5), all, sizeof all);
    ls_text_addf(out, " · %s, %s", all, kind_of_times(whole));
  }
  if (session->untold) return;
  if (whole->stopped) ls_text_addf(out, " · a fault ends it in launch %d", LS_MAX(whole->launch_count, 1));
  if (whole->verdict == RUN_RIGHT) ls_text_add(out, " · answer right");
  if (whole->verdict == RUN_WRONG) ls_text_add(out, " · answer WRONG");
}

// ---- who wrote it --------------------------------------------------------------------------------------------------

// The object of global memory that is at an address, as an argument behind the kernel's own; -1: none of these.
static int area_at(const Session *session, uint64_t addr, uint64_t *first) {
  const TraceInfo *info = ses_info(session);
  int own = program_own_args(&program_of(session)->steps[open_step(session)]);
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
  run_request_set_launch(&request, program_of(session), ses_launch(session));
  request.opens = is_saved(session);
  request.writer = (ProgramWriter){.area = area, .first = first, .size = (uint64_t)size};
  ses_want_changed(session, &request, false);
  snprintf(ses_target(session)->what, sizeof ses_target(session)->what, "%s", what);
  return true;
}

uint64_t ses_writer_address(const Session *session) {
  const ProgramWriter *writer = &session->run->request.writer;
  const TraceInfo *info = ses_info(session);
  int arg = program_own_args(&program_of(session)->steps[open_step(session)]) + writer->area;
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
  const ProgramLaunch *here = whole ? program_run_at(whole, ses_launch(session), NULL) : NULL;
  for (int i = 0; whole && i < whole->told_count; i++) {
    bool own = here && has_fault(here, whole->told[i].fault);
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
  if (index >= whole->fault_count) {
    const ProgramLaunchFault *f = fault_elsewhere(session, index - whole->fault_count);
    return program_launch_number(program, program_run_step(whole, f->number, f->child));
  }
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
  if (f) {
    ls_text_add(&text, "launch ");
    ses_launch_name(session, launch, &text);
    ls_text_addf(&text, ": %s", f->fault->message);
  } else ls_text_add(&text, whole->faults[index].message);
  snprintf(out->who, sizeof out->who, "%s", f ? trace_fault_name((FaultKind)f->fault->kind)
                                              : program_fault_def(whole->faults[index].kind)->name);
  run_one_line(ls_text_str(&text), out->text, sizeof out->text);
  ls_text_free(&text);
  out->grade = ses_elsewhere_grade(session, index);
  int rank = program_run_rank(whole, launch) + 1, here = ses_launch_rank(session);
  out->when = rank == here ? WHEN_HERE : rank < here ? WHEN_BEFORE : WHEN_AFTER;
  out->step = UINT64_MAX;
  return true;
}

void ses_elsewhere_words(Session *session, int index, LsText *out) {
  const ProgramRun *whole = whole_of(session);
  if (index < 0 || index >= ses_elsewhere_count(session)) return;
  int launch = launch_of(session, index);
  if (launch == ses_launch(session)) ls_text_add(out, "You are in its launch. ");
  else {
    ls_text_add(out, "Enter opens launch ");
    ses_launch_name(session, launch, out);
    ls_text_add(out, ". ");
  }
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
