// runner_program.h: programs that run in a child: a GPU of this machine, or of another.
#ifndef LS_DEVICE_RUNNER_PROGRAM_H
#define LS_DEVICE_RUNNER_PROGRAM_H

#include "device/program.h"

// device: what the far end is to run it on. As Device.run_program; what goes wrong with the child is told as for a
// single run.
bool runner_program(const char *device, const DevProgram *program, DevProgramRun *result, LsErr *err);

#endif
