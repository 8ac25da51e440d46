// cuda_code.h: a module on the GPU: PTX compiled by the driver, its kernel, and one launch of it with its time.
#ifndef LS_DEVICE_CUDA_CODE_H
#define LS_DEVICE_CUDA_CODE_H

#include "device/cuda/cuda_wait.h"
#include "device/cuda/gpu.h"

typedef struct CudaCode {
  const Driver *driver;          // borrowed
  const PtxModule *module;       // borrowed: what the PTX was made from
  int entry;
  void *handle, *function;       // of the driver
  void *start, *end;             // its events around a launch
  bool cooperative;              // blocks wait for each other: grid.sync()
  const CudaWait *wait;          // before a launch that is timed; borrowed, set after loading; NULL: none
} CudaCode;

// Compiles `ptx`, a text of `module`, and finds the entry. most_registers: a thread may have, 0: as the compiler likes.
// The compiler's own words are in the error; so are both versions where the driver is older than the PTX, or the GPU (cuda_label.h).
bool cuda_code_load(CudaCode *code, const Driver *driver, const GpuFacts *facts, const PtxModule *module, int entry, const char *ptx,
                    int most_registers, LsErr *err);
void cuda_code_free(CudaCode *code);

// Address and size of a variable of the loaded module; false if the compiler left none of this name.
bool cuda_code_variable(const CudaCode *code, const char *name, DriverAddress *address, size_t *size);
// Allows the kernel as much shared memory as the launch asks for.
bool cuda_code_allow_shared(const CudaCode *code, const GpuFacts *facts, const Launch *launch, LsErr *err);

// Another kernel of a module that is loaded: it shares the handle, and is not freed.
bool cuda_code_share(CudaCode *code, const CudaCode *loaded, int entry, LsErr *err);
// Puts a launch into a stream (NULL: the default one). params: a pointer to each. Answers as the driver does.
int cuda_code_launch(const CudaCode *code, const Launch *launch, void *stream, void **params);
// Registers that a thread may have so that blocks of so many warps run at all; 0: as many as the compiler likes.
int cuda_most_registers(const GpuFacts *facts, int warps);

// Launches and waits. params: the parameters as bytes, each at its offset. *answer: what the driver said in the end if
// the kernel itself went wrong (driver_fault), and 0 if it ran to its end. False, with err, for all other errors.
bool cuda_code_run(const CudaCode *code, const Launch *launch, const uint8_t *params, uint64_t *nanoseconds, int *answer, LsErr *err);

// Registers, local and shared memory of the kernel as compiled, and how many of its blocks an SM holds.
bool cuda_code_measure(const CudaCode *code, const Launch *launch, TraceMeasure *measure, LsErr *err);

#endif
