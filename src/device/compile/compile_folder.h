// compile_folder.h: a folder for the temporary files of a compiler, gone at the end whatever that end is.
//
// A process that is killed (kill -9, out of memory) can remove nothing. So every folder has a guard: a shell that waits at the end
// of a pipe. When the pipe breaks before it was told that all is well, it ends the compiler, with all that this started, and removes
// the folder.
#ifndef LS_DEVICE_COMPILE_FOLDER_H
#define LS_DEVICE_COMPILE_FOLDER_H

#include <sys/types.h>
#include "base/error.h"

typedef struct CompileFolder CompileFolder;

CompileFolder *compile_folder_new(LsErr *err);   // below $TMPDIR, or /tmp; NULL with LS_EIO
const char *compile_folder_path(const CompileFolder *folder);   // borrowed
// A process group that writes there, to be ended with us. At most one at a time; 0: none any more.
void compile_folder_watch(CompileFolder *folder, pid_t group);
void compile_folder_free(CompileFolder *folder);   // removes it; NULL is fine

#endif
