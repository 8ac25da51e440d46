// output.h: a file that is there when it is whole, and not before.
//
// What is written goes to a file without a name (or, where the system has none, with a name of its own) in the folder of the
// target, and takes the target's place when it is committed. Until then an older file stays as it is; a program that ends on
// the way leaves nothing behind. Devices, pipes, and files in folders that take no new ones, are written directly.
#ifndef LS_BASE_OUTPUT_H
#define LS_BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include "base/error.h"

typedef struct LsOutput {
  int fd;           // to write to; -1: none
  char *target;     // NULL: written directly
  char *aside;      // the name until then; NULL: none yet
} LsOutput;

// False with a message that names the path.
bool ls_output_open(LsOutput *output, const char *path, LsErr *err);
// Ends it: closes the file and gives it its name. Returns 0, or the errno of what failed; then nothing is left.
int ls_output_commit(LsOutput *output);
// All of it at once: a text that is there when it is whole. False with a message that names the path.
bool ls_output_write(const char *path, const char *data, size_t size, LsErr *err);
// Ends it without a result.
void ls_output_drop(LsOutput *output);

#endif
