// program_memory.h: the buffers of a program while it runs: the device's side and the host's, what of them somebody
// has written,
// and the module's variables.
#ifndef LS_APP_PROGRAM_MEMORY_H
#define LS_APP_PROGRAM_MEMORY_H

#include "device/device.h"
#include "launch/program.h"

// One side of a buffer.
typedef struct ProgramBytes {
  uint8_t *bytes;            // NULL: not needed so far
  uint8_t *written;          // per byte; NULL: all of it
} ProgramBytes;

typedef struct ProgramMemory {
  const HostProgram *program;
  const PtxModule *module;
  ProgramBytes *device, *host;     // of each buffer; a managed one has its memory on the device's side
  int *freed;                      // step that freed it, -1
  bool *came_to_host;              // a step has brought something to the host's side
  uint8_t *heap; uint64_t heap_bytes;   // of the device (Launch.heap); NULL: nobody has taken anything of it
  Launch variables;                // the module's: LAUNCH_VARIABLE arguments with what is in them
} ProgramMemory;

// program and module are borrowed. False: a symbol is none of the module's, or does not fit.
bool program_memory_init(ProgramMemory *memory, const HostProgram *program, const PtxModule *module, LsErr *err);
// Every variable of the module, in its order, with what the program's symbols give them; `variables` is initialized.
bool program_memory_variables(const HostProgram *program, const PtxModule *module, Launch *variables, LsErr *err);
void program_memory_fini(ProgramMemory *memory);

// The launch of a step, as it finds memory: whole, so that it can be run alone. It owns copies of the contents if
// `keeps`; else
// it borrows them, and program_memory_end_launch has to end it.
bool program_memory_launch(const ProgramMemory *memory, int step, bool keeps, Launch *launch, LsErr *err);
// A launch by a kernel: grid, block, shared bytes and kernel are set, as LAUNCH_PLAIN. params: the bytes of its
// parameters, each at its PtxParam.offset; bases: the addresses of the buffers there.
void program_memory_child(const ProgramMemory *memory, int entry, const uint8_t *params, const uint64_t *bases,
                          bool keeps, Launch *launch);
// Takes over what the run has left in memory (run may be NULL), and ends the launch.
void program_memory_end_launch(ProgramMemory *memory, Launch *launch, const Device *device, const DevRun *run);

// Bytes of a buffer as the host sees them; NULL: it has none.
ProgramBytes *program_memory_host(ProgramMemory *memory, int buffer);
ProgramBytes *program_memory_device(ProgramMemory *memory, int buffer);
// Does a copy or a set as far as it fits into both buffers.
void program_memory_move(ProgramMemory *memory, int step);
// What a check should look at after the last step: the host's side if something came there, else the device's.
const uint8_t *program_memory_result(ProgramMemory *memory, int buffer, uint64_t *size);

#endif
