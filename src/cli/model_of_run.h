// model_of_run.h: the runs of model --kernel, and what the model takes from them.
#ifndef LS_CLI_MODEL_OF_RUN_H
#define LS_CLI_MODEL_OF_RUN_H

#include "cli/cli.h"

// Runs each kernel of the command line and changes the values; without one, checks that no option is given that only a
// run heeds.
bool model_of_run_read(Cli *cli, const Model *model, ModelValues *values, LsErr *err);
// Whether NAME=VALUE of -p is for a kernel of --kernel, and not for the model.
bool model_of_run_is_kernels(Cli *cli, const char *assignment);

#endif
