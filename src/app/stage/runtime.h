// runtime.h: sockets between two programs of one user on one machine, by name.
//
// They lie in $XDG_RUNTIME_DIR/lanescope, or, where that is not set, in a folder of the user's own below /tmp: mode
// 0700, the sockets 0600. A name belongs to one program at a time, which holds its lock: after a crash it is free.
#ifndef LS_APP_RUNTIME_H
#define LS_APP_RUNTIME_H

#include <stdbool.h>

#include "base/error.h"

typedef struct RuntimeSocket { int fd, lock; char *path; } RuntimeSocket;   // fd: listens, does not block

typedef enum RuntimeTaken { RUNTIME_OPEN, RUNTIME_TAKEN /* by another program */, RUNTIME_FAILED } RuntimeTaken;
// name: letters, digits, '-' and '_'. *err of RUNTIME_FAILED alone.
RuntimeTaken runtime_listen(const char *name, RuntimeSocket *socket, LsErr *err);
// Takes the name from the folder; the descriptor of the socket is closed unless it was handed on (fd -1).
void runtime_close(RuntimeSocket *socket);
// A socket that is connected to who has this name; -1: nobody has.
int runtime_connect(const char *name);
bool runtime_name_fits(const char *name, LsErr *err);

#endif
