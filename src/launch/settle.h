// settle.h: a launch and the kernel that it is for: what the text of arguments left open is decided here.
#ifndef LS_LAUNCH_SETTLE_H
#define LS_LAUNCH_SETTLE_H

#include "launch/launch.h"
#include "ptx/module.h"

// Gives arguments by name their position and type, structs their bytes, variables of the module their type and size.
// Then the parameters' arguments stand first, in order, and variables and what structs point at behind them. It has to
// be done while the names are known: a trace keeps the PTX of one cut, and only the -G one knows what the source calls
// its parameters.
//
// Where arguments do not fit the parameters in number, nothing changes: whoever binds the launch says what is wrong
// with it. False with LS_EREQUEST: members, variables or values that there are not. notes (may be NULL) gets a line for
// each thing that was decided without being asked for: members that are zero. A settled launch can be settled again.
bool launch_settle(const PtxModule *module, int entry, Launch *launch, LsText *notes, LsErr *err);

// The __device__ or __constant__ variable that somebody calls so: by its mangled name, its whole name, or the end of it
// ("ns::x", "x"). -1: none, or several; the message lists them.
int launch_find_variable(const PtxModule *module, const char *name, LsErr *err);
// Its name as the source has it: "ns::x". Caller frees.
char *launch_variable_name(const PtxModule *module, int var);

// Variables that the kernel reads though nobody gave them a value: neither the source nor the launch, nor, as far as
// its code tells, the kernel itself. They read as zeros. A line for each, which says how to give it one. Returns how
// many.
int launch_unset_variables(const PtxModule *module, int entry, const Launch *launch, LsText *notes);
// A line if the launch needs more shared memory than CUDA gives without an attribute: which call the host has to make;
// and one for each extern array of shared memory beyond the first that the kernel uses: it lies where that one does.
void launch_shared_note(const PtxModule *module, int entry, const Launch *launch, LsText *notes);

#endif
