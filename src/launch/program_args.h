// program_args.h: what a launch of a program gives its kernel, as the kernel's parameters hold it.
#ifndef LS_LAUNCH_PROGRAM_ARGS_H
#define LS_LAUNCH_PROGRAM_ARGS_H

#include "launch/program.h"
#include "ptx/module.h"

// The entry that a launch names, with as many arguments as it takes; -1 with LS_EREQUEST.
int program_entry(const PtxModule *module, const ProgramStep *step, LsErr *err);
// A number that a launch gives, in the type of the kernel's parameter. LS_EREQUEST: a fraction for a whole one.
bool program_number(const PtxModule *module, int entry, const ProgramStep *step, int index, LaunchType *type,
                    uint64_t *bits, LsErr *err);
// Sets ProgramArg.bits of every number of every launch: then the program can be run where the names of types are not
// known.
bool program_bind(HostProgram *program, const PtxModule *module, LsErr *err);

#endif
