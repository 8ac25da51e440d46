// arguments.h: arguments that were given by name, put in the order of the kernel's parameters.
#ifndef LS_APP_ARGUMENTS_H
#define LS_APP_ARGUMENTS_H

#include "ptx/module.h"
#include "launch/launch.h"

// A trace keeps the PTX of one cut, and only the -G one knows what the source calls its parameters. So arguments that were
// given by name (-a N=1000) get their position and type here, while the names are known; those that name a texture or surface
// variable of the PTX stand behind them and keep their names. Nothing changes unless every parameter has exactly one argument
// that fits: whoever binds the launch says what is wrong with it.
void arguments_by_position(const PtxModule *module, int entry, Launch *launch);

#endif
