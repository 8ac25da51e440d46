// signature.h: the kernels of a file as their author wrote them: names and types of the parameters, and what the code
// does with each. It is all that a launch can be guessed from.
//
// Names and types come from debug information; where there is none, types come from the mangled name, and where that
// says nothing, from the accesses through the parameter.
#ifndef LS_APP_SIGNATURE_H
#define LS_APP_SIGNATURE_H

#include "launch/launch.h"
#include "ptx/module.h"

typedef enum SigKind {
  SIG_SCALAR,      // a number
  SIG_BUFFER,      // a pointer to elements
  SIG_OTHER,       // a struct, a texture: written as -a takes it
  SIG_VARIABLE,    // no parameter: a __constant__ variable of the module that the host would fill
} SigKind;

typedef struct SigParam {
  const char *name, *type;       // "x", "const float *"; type without blanks that no author writes
  const char *element;           // of a buffer: "float"; else NULL
  SigKind kind;
  LaunchType number;             // of a scalar, or of what a buffer is made of
  int per;                       // numbers that one element is: 4 of a float4; 1
  int size;                      // bytes of the parameter
  bool is_const;                 // points to const
  bool is_bool;
  bool plain;                    // an element is a number or some of the same type; else `number` stands for its bytes
  bool read, written, atomic;    // what the code may do through it
  const struct PtxDwType *dw;    // NULL: not known
} SigParam;

enum { SIG_ARRAYS = 8 };

typedef struct Signature {
  const char *name;              // "saxpy", "fill<int, 32>": as -k takes it
  const char *title;             // "saxpy(int n, float a, const float *x, float *y)"
  int entry, line;               // line 0: not known
  SigParam *params; int param_count, variable_count;   // variables stand behind the parameters
  int dims;                      // of threads and blocks that its code asks for: 1, 2 or 3
  int64_t shared;                // bytes that it declares itself
  const char *arrays[SIG_ARRAYS]; int array_count;   // shared arrays that it declares itself, by name
  const char *dynamic;           // name of the shared array that the launch gives its size; NULL: none
  int dynamic_element;           // bytes of one of its elements; 1 if not known
  int block[3]; bool block_is_most;   // __launch_bounds__ or what it requires; 0: says nothing
} Signature;

static inline int signature_rows(const Signature *sig) { return sig->param_count + sig->variable_count; }

typedef struct SigFile {
  PtxModule *module;             // owned; the texts above live in its arena
  Signature *items; int count;   // kernels in the order of the file
} SigFile;

// Takes the module. Never NULL; a file without kernels has none.
SigFile *sigfile_new(PtxModule *module);
void sigfile_free(SigFile *file);                             // NULL is fine
// The kernel that -k means: by its name, with or without parameters, plain or demangled; NULL: the first. -1: none is.
int sigfile_find(const SigFile *file, const char *name);
// A type as C programmers write it: "const float * __restrict__" becomes "const float *__restrict__". In the arena.
const char *signature_type(LsArena *arena, const char *name);

#endif
