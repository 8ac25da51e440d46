// cuda_program.h: a program on the first GPU of this machine, in this process, with the time of each of its steps.
//
//   steps of the host     happen in the order of the list, timed by the host's clock
//   steps of the device   go into the streams, each between two events
//   several runs          on the same inputs, until their times are steady (cuda_time.h)
#ifndef LS_DEVICE_CUDA_PROGRAM_H
#define LS_DEVICE_CUDA_PROGRAM_H

#include "device/program.h"

// LS_EFAULT: a kernel stopped with a fault. LS_EUNSUPPORTED: too many steps to time each. Else as Device.open and run.
bool cuda_program(const DevProgram *request, DevProgramRun *result, LsErr *err);

#endif
