// missing.h: what the command line does not say of the launch of a file, and a line that would run it.
#ifndef LS_CLI_MISSING_H
#define LS_CLI_MISSING_H

#include "app/own/form.h"
#include "cli/cli.h"

// Adds to an error: which options are missing, and a launch guessed from the signature, ready to be pasted. Nothing if
// the file cannot be read, or lacks nothing.
void missing_add(const Cli *cli, const char *path, LsErr *err);

// What the command line gives of a launch; borrowed from it.
void missing_given(const Cli *cli, FormGiven *given);

#endif
