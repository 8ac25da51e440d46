// run_grades.c: what was found in a run, counted and listed by how bad it is: faults, warnings, notes.
#include "app/run/run.h"

int run_count_graded(const Run *run, FaultGrade grade) {
  int count = 0;
  for (int i = 0; i < run->fault_count; i++) count += trace_fault_grade(&run->faults[i]) == grade;
  return count;
}

const TraceFault *run_fault_row(const Run *run, int row) {
  for (int i = 0; i < run->causes->count && row >= 0; i++) {
    const Cause *cause = &run->causes->items[i];
    if (row < cause->member_count) return &run->faults[cause->members[row]];
    row -= cause->member_count;
  }
  return NULL;
}

int run_count_causes(const Run *run, FaultGrade grade) {
  int count = 0;
  for (int i = 0; i < run->causes->count; i++) count += trace_fault_def(run->causes->items[i].kind)->grade == grade;
  return count;
}

int run_exit_status(const Run *run) {
  bool warned = run->request.strict && run_count_graded(run, GRADE_WARNING);
  return run_count_graded(run, GRADE_FAULT) || warned || run->verdict == RUN_WRONG;
}
