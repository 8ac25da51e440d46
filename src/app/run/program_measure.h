// program_measure.h: a program run whole on a GPU, nothing instrumented: its times, and what it leaves in memory.
//
// The launches were run one by one before, instrumented, for their counters. What the whole program leaves has to be
// the same, byte for byte, where nothing depends on the order of blocks and streams; the check judges what the whole
// leaves.
#ifndef LS_APP_PROGRAM_MEASURE_H
#define LS_APP_PROGRAM_MEASURE_H

#include "app/run/program_run.h"

// Does nothing for a device that has no times of its own, and after a fault. What the program is, and the times
// computed for it, stay where it has more steps than can be timed (run->measure_note).
bool program_measure(ProgramRun *run, RunProgress *progress, LsErr *err);
// "1 byte differs from what the launches left one by one: y[17] ...". "" if none does.
void program_differing_words(const ProgramRun *run, LsText *out);

#endif
