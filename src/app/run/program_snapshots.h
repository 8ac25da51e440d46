// program_snapshots.h: the memory of a program before each of its launches, so that any of them can be gone to without
// those before it.
//
// Areas (a side of a buffer, which of its bytes somebody has written, a variable) are cut into pages. A snapshot holds
// those that differ from the one before, and shares the others with it. Where that is too much, every second snapshot
// is given up, and then from what is left the program is run on to the launch that is wanted.
#ifndef LS_APP_PROGRAM_SNAPSHOTS_H
#define LS_APP_PROGRAM_SNAPSHOTS_H

#include "app/run/program_memory.h"

typedef struct ProgramSnapshots ProgramSnapshots;
// most: bytes that all of them together may take.
ProgramSnapshots *program_snapshots_new(uint64_t most);
void program_snapshots_free(ProgramSnapshots *snapshots);            // NULL is fine
// Memory as launch `number` (from 1; in the order in which all are run, those by kernels, too) finds it.
void program_snapshots_take(ProgramSnapshots *snapshots, ProgramMemory *memory, int number);
// Makes memory of the last snapshot up to launch `number`, for program and module, which are borrowed. Returns which
// launch that is; 0: there is none, and memory is {0}.
int program_snapshots_restore(const ProgramSnapshots *snapshots, int number, const HostProgram *program,
                              const PtxModule *module, ProgramMemory *memory);
// It has taken long to compare all that memory: of launches that can be come to without, no more should be kept.
bool program_snapshots_is_much(const ProgramSnapshots *snapshots);
uint64_t program_snapshots_bytes(const ProgramSnapshots *snapshots);
int program_snapshots_count(const ProgramSnapshots *snapshots);

#endif
