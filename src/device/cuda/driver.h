// driver.h: NVIDIA's driver (libcuda.so.1), opened at run time: lanescope is one program on machines with and without a GPU.
//
// The functions are the table driver.def; each is a member that is called as cuda.h declares it, and answers 0 or the
// number of an error. driver_good turns the answer into words. LANESCOPE_CUDA_LIBRARY names another library file.
#ifndef LS_DEVICE_DRIVER_H
#define LS_DEVICE_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "device/cuda/driver_image.h"
#include "trace/trace.h"

typedef uint64_t DriverAddress;   // of the GPU's memory (CUdeviceptr)

typedef struct Driver {
  void *library;
  int version;                    // 13000 for CUDA 13.0
  char release[32];               // "580.95.05", "" if the system does not tell
#define DRIVER_CALL(member, symbol, since, optional, arguments) int (*member) arguments;
#include "device/cuda/driver.def"
} Driver;

// Opens and starts the driver. LS_EENV: there is none (with what to do), or it is incomplete or does not start.
Driver *driver_open(LsErr *err);
// True if the library is there and could be opened. It is not started: that takes time, and a session leaves it to a child.
bool driver_is_here(void);
// NULL is fine. A driver that has started stays in memory: it has threads of its own.
void driver_close(Driver *driver);

// True if `result` is 0. Else what was tried, what went wrong, and the driver's own name for it.
bool driver_good(const Driver *driver, int result, const char *what, LsErr *err);
// FaultKind if the answer means that the kernel did something wrong, else -1; and the words for an answer, or NULL.
int driver_fault(int result);
const char *driver_words(int result);

// LS_EENV: says that there is no GPU, and what hides them if something does. False always.
bool driver_no_gpu(const Driver *driver, LsErr *err);

// "580.95.05 (CUDA 13.0)", "CUDA 13.0".
void driver_describe(const Driver *driver, char *out, size_t size);

// Which CUDA version a driver must be for, to take PTX of this version: 13000 for 9.0. 0: unknown, as it is newer than this table.
int driver_for_ptx(int major, int minor);
// The newest PTX version that a driver takes: 90 for 13000.
int driver_newest_ptx(int version);
// LS_EENV if the driver is too old for the PTX version.
bool driver_takes_ptx(const Driver *driver, int major, int minor, LsErr *err);

// The numbers of cuda.h that are no functions: DRIVER_JIT_LEVEL, ...
enum {
#define DRIVER_NUMBER(name, number, ...) name = number,
#include "device/cuda/driver.def"
};

#endif
