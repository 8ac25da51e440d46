// checks.c: makes and frees what a thread keeps to check its blocks.
#include "sim/check/checks.h"
#include <stdlib.h>
#include "sim/check/access_history.h"
#include "sim/check/async_copy.h"
#include "sim/check/happens_before.h"
#include "sim/check/shadow.h"
#include "sim/core/exec.h"

void sim_checks_new(SimExec *exec) {
  exec->shadow = sim_shadow_new(exec->program->shared_bytes);
  sim_async_copy_new(exec);
  sim_history_new(exec);
}

void sim_checks_free(SimExec *exec) {
  sim_shadow_free(exec->shadow);
  sim_async_copy_free(exec);
  sim_history_free(exec);
  sim_happens_before_free(exec);
  for (int i = 0; i < exec->fault_count; i++) free(exec->faults[i].message);
  free(exec->faults);
  free(exec->fault_states);
  ls_table_free(&exec->fault_of);
}
