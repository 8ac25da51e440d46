// program_text.h: what a program of several launches did, as text and as JSON.
#ifndef LS_CLI_PROGRAM_TEXT_H
#define LS_CLI_PROGRAM_TEXT_H

#include <stdio.h>

#include "app/run/program_run.h"
#include "base/json.h"

void program_print(const ProgramRun *run, FILE *out);
void program_print_faults(const ProgramRun *run, FILE *out);
void program_json(const ProgramRun *run, LsText *out);   // the object that stats --json prints, without an end of line

#endif
