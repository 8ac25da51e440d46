// chrome.h: a run as a timeline in the trace event format of Chrome, which Perfetto (https://ui.perfetto.dev) shows.
//
//   process "SM n"       threads: its slots; slices: the blocks, in real time. Where a GPU told the times of blocks
//   process "block n"    threads: its warps; slices: the lines that a warp went through, one step of the run to a
//                        microsecond: steps have no times. For the recorded blocks
#ifndef LS_CLI_CHROME_H
#define LS_CLI_CHROME_H

#include <stdio.h>

#include "app/run/program_run.h"

bool chrome_write(Run *run, FILE *out, LsErr *err);   // false: the trace is damaged

// The same of a program: the host, copy engines and streams as rows, and what each step waits for as an arrow.
// LS_EFAULT: it has no times.
bool chrome_write_program(const ProgramRun *run, FILE *out, LsErr *err);

#endif
