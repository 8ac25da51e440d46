// cuda_memory.h: the memory that a kernel sees on the GPU: its arguments' buffers and images, and its module's variables.
//
// A piece knows the bytes that it starts with, so that the kernel can run again on the same inputs. What the kernel turns out
// not to change is not restored.
#ifndef LS_DEVICE_CUDA_MEMORY_H
#define LS_DEVICE_CUDA_MEMORY_H

#include "device/cuda/cuda_image.h"
#include "device/cuda/gpu.h"
#include "sim/sim.h"

enum { CUDA_POISON = 0xcd };   // in buffers that nobody wrote (LAUNCH_NONE): floats near -4e8

typedef struct CudaPiece {
  DriverAddress address;       // 0: it is an image
  CudaImage image;
  uint64_t size;
  uint8_t *initial;            // its bytes before a run
  DriverAddress pristine;      // a copy of them on the GPU; 0: none
  int arg;                     // the argument whose buffer it is or whose contents it has, -1: none
  bool is_variable;            // of a module, which has its memory
  bool of_traced;              // of the instrumented module
  bool changes;                // the kernel changes it
} CudaPiece;

typedef struct CudaMemory {
  const Driver *driver;        // borrowed
  const GpuFacts *facts;       // borrowed
  const Launch *launch;        // borrowed
  CudaPiece *pieces;
  int count, capacity;
} CudaMemory;

void cuda_memory_init(CudaMemory *memory, const Driver *driver, const GpuFacts *facts, const Launch *launch);
void cuda_memory_free(CudaMemory *memory);

// Takes memory of the GPU. what: for the message, which says how much was asked and how much there is.
bool cuda_take(const Driver *driver, const GpuFacts *facts, uint64_t size, const char *what, DriverAddress *address, LsErr *err);

// Takes a buffer, texture or surface for each argument that is one, with its initial bytes on the host. layout: says which images
// are variables of the module; NULL: there are no images. Contents of variables are added with these.
bool cuda_memory_add_buffers(CudaMemory *memory, const Sim *layout, const PtxModule *module, int entry, LsErr *err);
// Adds a loaded variable as it is now; arg: with the contents that this argument gives it, -1: none does. traced: it is
// one of the instrumented module.
bool cuda_memory_add_variable(CudaMemory *memory, DriverAddress address, uint64_t size, int arg, bool traced,
                              LsErr *err);
// Once everything has its address: what points at buffers in variables does so.
void cuda_memory_link(CudaMemory *memory);

// Every piece gets its initial bytes, or only those that the kernel changes.
bool cuda_memory_fill(CudaMemory *memory, LsErr *err);
bool cuda_memory_restore(CudaMemory *memory, LsErr *err);
// After the first run: which pieces the kernel changes, or which variables alone; keeps copies of those on the GPU as
// far as there is room.
bool cuda_memory_find_changes(CudaMemory *memory, bool of_buffers, LsErr *err);

bool cuda_memory_variables_change(const CudaMemory *memory);   // the kernel changes one; known after cuda_memory_find_changes

// NULL: the argument is a scalar, or the contents of a variable that this module has not. traced: the instrumented
// module.
const CudaPiece *cuda_memory_buffer(const CudaMemory *memory, int arg, bool traced);
// The bytes of every buffer now: results[arg], NULL for scalars; caller frees each and the array.
uint8_t **cuda_memory_results(const CudaMemory *memory, int arg_count, bool traced, LsErr *err);
void cuda_results_free(uint8_t **results, int arg_count);   // NULL is fine

#endif
