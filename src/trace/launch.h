// launch.h: a kernel launch as data: geometry, arguments and the contents of their buffers.
//
// It is part of a trace's header, so that a saved trace can be executed again.
//
// Arguments come from the command line as text (launch_add_arg) or from a recipe field by field. An argument that was
// given by name waits for whoever knows the kernel's parameters: he finds the position, and for NAME=VALUE without a
// type he calls launch_arg_set_type with the parameter's type.
#ifndef LS_TRACE_LAUNCH_H
#define LS_TRACE_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

typedef enum LaunchType {
  LAUNCH_U8, LAUNCH_I8, LAUNCH_U16, LAUNCH_I16, LAUNCH_U32, LAUNCH_I32, LAUNCH_U64, LAUNCH_I64,
  LAUNCH_F16, LAUNCH_F32, LAUNCH_F64, LAUNCH_TYPE_COUNT
} LaunchType;

typedef enum LaunchInit {
  LAUNCH_NONE,     // never written: reading it is a fault
  LAUNCH_ZERO, LAUNCH_IOTA, LAUNCH_CONST, LAUNCH_MOD, LAUNCH_RANDOM,
  LAUNCH_DATA,     // `data` holds the bytes (a file, a list of a recipe)
} LaunchInit;

typedef struct LaunchArg {
  char *name;            // source name if known, else NULL; owned
  LaunchType type;
  bool is_buffer;
  uint64_t count;        // elements of a buffer; 1 for a scalar
  LaunchInit init;       // buffers
  double init_value;     // CONST: value; MOD: modulus; RANDOM: seed
  uint64_t scalar;       // scalars: the bits, low bytes first
  uint8_t *data;         // LAUNCH_DATA: count * size bytes; owned
  char *output;          // file that gets the bytes after the run, or NULL; owned
  bool by_name;          // -a NAME=...: position is found by name when the launch is bound
  char *text;            // NAME=VALUE: the value as written; type and scalar are a guess until launch_arg_set_type.
                         // NULL if the type was given; owned
} LaunchArg;

typedef struct Launch {
  char *kernel;          // plain or demangled; NULL: the only one; owned
  uint32_t grid[3], block[3];
  uint64_t shared_bytes; // dynamic
  LaunchArg *args;       // owned
  int arg_count, arg_capacity;
} Launch;

#define LAUNCH_MAX_BYTES (64ull << 30)   // of one buffer

void launch_init(Launch *launch);                  // grid and block are 1, 1, 1
void launch_fini(Launch *launch);
void launch_copy(Launch *to, const Launch *from);  // deep; `to` is uninitialized

int launch_type_size(LaunchType type);
const char *launch_type_name(LaunchType type);     // "f32"
bool launch_type_parse(const char *name, size_t length, LaunchType *type);
bool launch_type_is_float(LaunchType type);

// The bits of a number in a type, low bytes first (whole types saturate and drop the fraction, f16 and f32 round to
// nearest even), and the number that bits stand for.
uint64_t launch_bits(LaunchType type, double value);
double launch_value(LaunchType type, uint64_t bits);

// Parses one -a argument (TYPE=VALUE, TYPE[COUNT]=INIT[>FILE], NAME=VALUE) and appends it.
// NAME=TYPE=VALUE and NAME=TYPE[COUNT]=INIT name the parameter and give the type as well.
bool launch_add_arg(Launch *launch, const char *text, LsErr *err);
// Gives an argument with `text` its type: parses the text again, which fails if the value does not fit.
bool launch_arg_set_type(LaunchArg *arg, LaunchType type, LsErr *err);
// Parses INIT (zero iota const:V mod:M random:SEED file:PATH none) for an argument whose type and count are set.
bool launch_parse_init(LaunchArg *arg, const char *init, LsErr *err);
// Parses X[,Y[,Z]] with range checks (grid: 2^31-1, 65535, 65535; block: 1024, 1024, 64 and 1024 in all).
bool launch_parse_dim(const char *text, bool is_grid, uint32_t dim[3], LsErr *err);

// Writes the initial contents of a buffer (count * size bytes). False for LAUNCH_NONE (nothing is written).
// RANDOM is one MT19937 draw per element: ls_mt_f32 for f16, f32 and f64, the raw 32 bits (cut or zero-extended) for
// whole types. IOTA and MOD count in 64 bits and are cut to the type.
bool launch_fill(const LaunchArg *arg, void *bytes);

static inline uint64_t launch_blocks(const Launch *l) { return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2]; }
static inline uint32_t launch_threads(const Launch *l) { return l->block[0] * l->block[1] * l->block[2]; }
static inline uint32_t launch_warps(const Launch *l) { return (launch_threads(l) + 31) / 32; }

#endif
