// runtime.h: CUDA's runtime on lanescope's emulator, so that other people's programs run as they were published.
//
// A program that nvcc links with emulated_runtime.so in place of libcudart runs without a GPU: lanescope reads its PTX,
// the emulator executes its kernels with all checks, its streams are one stream. Device memory is memory of the process
// at the address that the kernel sees: pinned, managed, and device pointers are the same.
//
// LANESCOPE_LOG=FILE gets a line for each thing that happened, its words apart by tabs:
//   launch KERNEL, fault (or warning, or note) KERNEL KIND MESSAGE, refused KERNEL MESSAGE
// LANESCOPE_SEED=N is the emulator's order of execution.
#ifndef LS_TESTS_RUNTIME_H
#define LS_TESTS_RUNTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "ptx/module.h"
#include "sim/sim.h"

#pragma GCC visibility push(default)   // what programs are linked with
#include <cuda_runtime_api.h>
// What nvcc's code calls and no header declares.
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, void *tid,
                            void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int ext, size_t size, int constant,
                       int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *address, const char *name, int ext, size_t size,
                              int constant, int global);
char __cudaInitModule(void **handle);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared,
                               cudaStream_t stream);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
#pragma GCC visibility pop

typedef struct RtPiece { uint64_t address, size; } RtPiece;       // of memory, at its own address

// A variable of a module: its contents between launches, and where the emulator has it during one.
typedef struct RtVariable { uint64_t address, size; uint8_t *bytes; } RtVariable;

typedef struct RtModule {
  PtxModule *ptx;
  RtVariable *variables;         // by index into ptx->vars; bytes NULL: not in global or constant memory
  uint64_t offset;               // its variables lie where no other module's do
} RtModule;

const RtPiece *rt_pieces(int *count);
// The bytes behind an address of a module's variable; any other pointer comes back as it is.
void *rt_host(const void *pointer);
const RtVariable *rt_variable_of(const void *symbol);             // NULL: none was registered at this address
const RtVariable *rt_variable_at(uint64_t address);

cudaError_t rt_fail(cudaError_t error);      // remembers it for cudaGetLastError; gives it back
cudaError_t rt_state(void);                  // what all calls answer after a fault
void rt_stop(cudaError_t error);             // a fault: from now on
void rt_log(const char *what, const char *kernel, const char *kind, const char *message);
void rt_count_launch(uint64_t warp_instructions);   // the clock of events goes on

#endif
