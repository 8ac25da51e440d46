// touched.h: which bytes of a program's buffers a launch has read and written, and at which line it last did so.
#ifndef LS_APP_TOUCHED_H
#define LS_APP_TOUCHED_H

#include "launch/program.h"
#include "ptx/module.h"
#include "trace/trace.h"

typedef struct Touched Touched;
// Follows a launch of the program: give its sink to the device, which then runs on one thread. Buffers as
// info->objects has
// them; first_arg: the argument that stands for buffer 0. Borrowed.
Touched *touched_new(const HostProgram *program, const TraceInfo *info, int first_arg);
void touched_free(Touched *touched);                 // NULL is fine
TraceSink *touched_sink(Touched *touched);

// The first byte of a buffer, from `from` on, that one has written and the other read or written. UINT64_MAX: there
// is none.
uint64_t touched_meet(const Touched *a, const Touched *b, int buffer, uint64_t from);
// The same of one launch and a range that another step reads or writes.
uint64_t touched_meet_range(const Touched *a, int buffer, uint64_t first, uint64_t size, bool range_writes);
bool touched_writes(const Touched *touched, int buffer, uint64_t byte);
// The instruction that last wrote a byte (or read it, if none did); -1: nobody touched it.
int32_t touched_pc(const Touched *touched, int buffer, uint64_t byte);

#endif
