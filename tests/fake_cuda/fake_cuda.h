// fake_cuda.h: what tests ask the library that stands in for NVIDIA's driver (dlsym), and what its files share.
#ifndef LS_TESTS_FAKE_CUDA_H
#define LS_TESTS_FAKE_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "device/cuda/driver_image.h"
#include "ptx/module.h"
#include "sim/sim.h"

#define FAKE_EXPORT __attribute__((visibility("default")))

// For tests: calls are counted from 0 again, and a fault is forgotten.
FAKE_EXPORT void fake_cuda_reset(void);
FAKE_EXPORT int fake_cuda_calls(void);    // since then
// Contexts, modules, streams, events and pieces of memory that nobody gave back.
FAKE_EXPORT int fake_cuda_live(void);

// ---- inside --------------------------------------------------------------------------------------------------------

typedef uint64_t DriverAddress;
// Prototypes from the table that lanescope calls through: they cannot differ.
#define DRIVER_CALL(member, symbol, since, optional, arguments) FAKE_EXPORT int symbol arguments;
#include "device/cuda/driver.def"

enum {
#define DRIVER_NUMBER(name, number, ...) name = number,
#include "device/cuda/driver.def"
  FAKE_INVALID_VALUE = 1, FAKE_OUT_OF_MEMORY = 2, FAKE_NOT_INITIALIZED = 3, FAKE_UNAVAILABLE = 46, FAKE_INVALID_DEVICE = 101,
  FAKE_NO_CONTEXT = 201,
  FAKE_INVALID_PTX = 218, FAKE_OLD = 222, FAKE_INVALID_HANDLE = 400, FAKE_NOT_FOUND = 500, FAKE_NOT_READY = 600,
  FAKE_TOO_MANY_RESOURCES = 701, FAKE_TOO_LARGE_TO_COOPERATE = 720,
};

typedef struct FakeBytes { uint64_t address, size; uint8_t *bytes; } FakeBytes;

// A texture or surface: an object, or what a .texref or .surfref is bound to.
typedef struct FakeImage {
  uint64_t handle, size;
  uint8_t *bytes;                // of an array, or of memory; NULL: not bound yet
  LaunchArg arg;                 // as a launch describes it
  uint32_t flags;                // of a reference, as they were set
  bool linear;
} FakeImage;

typedef struct FakeModule {
  PtxModule *ptx;
  FakeBytes *variables;          // of the global and constant spaces, by index into ptx->vars; bytes NULL: none
  uint64_t offset;               // its variables lie where no other module's do
  FakeImage *references;         // by index into ptx->vars
  int most_registers;            // that a thread may have; 0: as the compiler likes
  int *allowed_shared;           // dynamic, by index into ptx->funcs
} FakeModule;

// Every exported function begins with this: counts the call, and says what it must answer instead of doing its work. 0: none.
int fake_begin(void);
// The same for what needs a context that is current and was not given back.
int fake_begin_work(void);
// The same for what gives something back: it does so in any case.
int fake_begin_release(void);
void fake_live(int change);
void fake_set_fault(int answer);           // all later calls answer it
int fake_fault(void);                      // what they answer
bool fake_has_context(void);
uint64_t fake_setting(const char *name, uint64_t otherwise);

// The piece of memory that holds these bytes, buffers and variables of modules; NULL: none.
uint8_t *fake_bytes_at(DriverAddress address, size_t size);
const FakeBytes *fake_memory(int *count);  // buffers, in no order
FakeBytes *fake_variable_at(DriverAddress address, size_t size);

// All textures and surfaces, with those that the module's variables are bound to, as the emulator takes them; how many at most.
int fake_images(const FakeModule *module, SimMapping *out);
int fake_images_most(const FakeModule *module);

bool fake_options_are_known(unsigned count, const int *options, void **values);
// What the compiler says of PTX, 0 if nothing; its words go into the log that the options name.
int fake_compiles(const char *text, unsigned count, const int *options, void **values);
bool fake_is_linked(const char *image);    // cuLinkComplete made it

// Work of a stream: `run` does it and says how many nanoseconds the device takes; `free` ends the context. Both may be
// NULL.
typedef struct FakeWork { uint64_t (*run)(void *context); void (*free)(void *context); void *context; } FakeWork;
bool fake_is_stream(const void *stream);                   // NULL is the default one
void fake_queue(void *stream, FakeWork work);
void fake_finish(void *stream);                            // all that the next work of this stream has to wait for
void fake_finish_all(void);
bool fake_is_pinned(const void *bytes, size_t size);

#endif
