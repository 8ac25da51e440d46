// program_compare.h: two programs launch by launch: counters of each pair and of all, as text and as JSON.
#ifndef LS_CLI_PROGRAM_COMPARE_H
#define LS_CLI_PROGRAM_COMPARE_H

#include <stdio.h>

#include "app/run/program_run.h"
#include "base/json.h"

void program_compare_print(const ProgramRun *first, const ProgramRun *second, FILE *out);
void program_compare_json(const ProgramRun *first, const ProgramRun *second, LsText *out);

#endif
