// compile.h: the compilers that can turn CUDA source into PTX, tried in turn.
//
// NVRTC comes first, since it needs no program and no temporary file. It knows no host code: what it refuses, a file with main()
// and <cstdio> say, goes to nvcc, and clang stands in where there is no nvcc. LANESCOPE_COMPILER names the only one to
// be asked.
#ifndef LS_DEVICE_COMPILE_H
#define LS_DEVICE_COMPILE_H

#include <stdint.h>

#include "device/compile/compile_folder.h"
#include "device/device.h"

// A compiler runs in a process of its own where it can be canceled: also NVRTC, which otherwise would go on until it is done. Its
// temporary files are in a folder that is removed whatever happens.
//
// One attempt. On a compile error: LS_EREQUEST with the compiler's messages. When the compiler is missing: LS_EENV.
typedef struct Compiler {
  const char *name;
  bool (*find)(char *where, size_t size);   // a line for doctor: version or path
  uint64_t (*made_of)(void);                // changes with what lanescope itself gives to the compiler; NULL: nothing
  char *(*compile)(const DevSource *source, size_t *length, LsErr *err);
} Compiler;

extern const Compiler compiler_nvrtc, compiler_nvcc, compiler_clang;

// What `lanescope serve-compile` does: NVRTC in this process, the PTX into a file.
bool compile_serve(const DevSource *source, const char *out, LsErr *err);
// Runs a compiler whose argv says that the result goes to `out`, a file in `folder`, and reads it. Its temporary files go there, too.
// name is for messages. A program that cannot start, or ends with status 3: LS_EENV.
char *compile_run(const char *name, char *const argv[], const DevSource *source, CompileFolder *folder, const char *out, size_t *length,
                  LsErr *err);
// Runs a program, with its temporary files in `folder` (NULL: it has none), and gathers what it says; its exit status, -1 if it could not start,
// COMPILE_KILLED if a signal ended it, COMPILE_CANCELED once *cancel
// (may be NULL) is true: then it is ended with all that it started.
int compile_capture(char *const argv[], CompileFolder *folder, const _Atomic bool *cancel, LsText *output);
enum { COMPILE_CANCELED = -2, COMPILE_KILLED = -3, COMPILE_NOT_FOUND = 127 };
// The first of the candidate programs that answers --version, and what it answers; NULL if none does.
const char *compile_first_working(const char *const *candidates, int count, LsText *version);

// The compute capability that source is compiled for: 75, the oldest that CUDA 13 knows, so that every driver takes it; 80
// for a file that includes one of the headers of asynchronous copies, which 75 does not have; or what LANESCOPE_ARCH says, for kernels that need more: 80 has cp.async, 90 clusters. Only letters and digits; NULL (LS_EREQUEST)
// if it says something else.
const char *compile_arch(const DevSource *source, LsErr *err);
// The macro of a source as every compiler takes it, "-DNAME", written into out; NULL: it has none.
enum { COMPILE_DEFINE = 256 };
const char *compile_define(const DevSource *source, char out[COMPILE_DEFINE]);

#endif
