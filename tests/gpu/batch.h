// batch.h: programs that share one PTX module, and the emulator's answer to each.
//
// A module of many kernels costs the driver's compiler hardly more than a module of one.
#ifndef LS_TESTS_GPU_BATCH_H
#define LS_TESTS_GPU_BATCH_H

#include "base/text.h"
#include "ptx/module.h"
#include "sim/sim.h"
#include "launch/launch.h"
#include "vec.h"

// The bytes of every argument of a launch that is a buffer (NULL: a scalar), before or after a run.
typedef struct Buffers { uint8_t **bytes; uint64_t *sizes; int count; } Buffers;

typedef struct Program Program;
struct Program {
  char name[160];           // for people: "structured, seed 17"
  char entry[96];           // in the PTX
  Launch launch;
  const VecForm *form;      // says how near the last buffer has to be; NULL: every byte of every buffer is the same
  double spread;            // > 0: the second buffer has floats, which may differ by this (filtered textures)
  bool has_places;          // the third buffer has four floats per thread: where it fetches
  bool has_rows;            // the second buffer is a row of registers per thread (code.h)
  void *detail;             // what describe needs to know; freed with the batch
  // Prints what an element of the second buffer is; NULL: there is nothing more to say.
  void (*describe)(const Program *program, const Buffers *before, uint64_t index);
  uint64_t group;           // of the second buffer so many elements belong together, and one of them is told; 0: all are
  size_t begin, end;        // its text in batch->ptx
};

typedef struct Batch {
  LsText ptx;
  size_t header;            // bytes of ptx that all programs need
  Program *programs;
  int count, capacity;
} Batch;

void batch_init(Batch *batch);                        // with the directives that generated programs need
void batch_fini(Batch *batch);
// Begins a program: its text is what is added to batch->ptx from now on. Borrowed until the next one.
Program *batch_begin(Batch *batch, const char *entry);
void batch_end(Batch *batch);
// Appends an argument: a buffer that holds `bytes` (taken), or zeros if NULL.
void batch_add_buffer(Program *program, LaunchType type, uint64_t count, uint8_t *bytes);

void buffers_copy(Buffers *to, const Buffers *from);
void buffers_free(Buffers *buffers);

// Runs a program of the parsed batch. before (may be NULL) and after are the caller's to free. False with an error if
// it cannot run or if the emulator finds a fault in it, except an integer division by zero.
bool batch_emulate(const PtxModule *module, const Program *program, const SimOptions *options, Buffers *before,
                   Buffers *after, LsErr *err);

#endif
