// launch.h: a kernel launch as data: geometry, arguments and the contents of their buffers.
//
// It is part of a trace's header, so that a saved trace can be executed again.
//
// An argument is a number, a buffer in global memory (its address is passed), or an image: a texture or surface object
// (its 64-bit handle is passed) with memory of its own. Images are buffers too: count, init, data and output say
// what is
// in them, channel after channel, texel after texel, row after row, layer or slice after one another. An image whose
// name
// is that of a .texref or .surfref variable of the PTX is bound to it and is no argument of the kernel.
//
// Arguments come from the command line as text (launch_add_arg) or from a recipe field by field. What the text leaves
// open waits for whoever knows the kernel (settle.h): the position of an argument given by name, the type of
// NAME=VALUE, the members of a struct, the type and size of a variable. Arguments of the kernel stand first and in
// order then; those of variables and those that only a struct points at stand behind them.
#ifndef LS_TRACE_LAUNCH_H
#define LS_TRACE_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "base/text.h"

typedef enum LaunchType {
  LAUNCH_U8, LAUNCH_I8, LAUNCH_U16, LAUNCH_I16, LAUNCH_U32, LAUNCH_I32, LAUNCH_U64, LAUNCH_I64,
  LAUNCH_F16, LAUNCH_F32, LAUNCH_F64, LAUNCH_TYPE_COUNT
} LaunchType;

typedef enum LaunchInit {
  LAUNCH_NONE,     // never written: reading it is a fault
  LAUNCH_ZERO, LAUNCH_IOTA, LAUNCH_CONST, LAUNCH_MOD, LAUNCH_RANDOM,
  LAUNCH_DATA,     // `data` holds the bytes (a file, a list of a recipe)
} LaunchInit;

typedef enum LaunchImageKind { LAUNCH_NO_IMAGE, LAUNCH_TEXTURE, LAUNCH_SURFACE } LaunchImageKind;
// What a coordinate outside of a texture means. WRAP and MIRROR need normalized coordinates.
typedef enum LaunchAddress {
  LAUNCH_CLAMP,    // the nearest texel
  LAUNCH_WRAP,     // the texture repeats
  LAUNCH_MIRROR,   // it repeats, every second time turned around
  LAUNCH_BORDER,   // 0
  LAUNCH_ADDRESS_COUNT
} LaunchAddress;

typedef struct LaunchImage {
  uint8_t kind;          // LaunchImageKind; all else is 0 if there is no image
  uint8_t channels;      // of a texel: 1, 2 or 4
  uint8_t dims;          // 1, 2 or 3; layers and faces are no dimension
  bool layered;
  bool cube;             // six faces, +x -x +y -y +z -z, or six of each layer: planes of width x width texels, by a
                         // direction
  bool linear;           // filtering between texels; else the texel that the coordinate is in
  bool normalized;       // coordinates from 0 to 1 instead of texels
  bool as_float;         // 8- and 16-bit whole numbers are read as 0 to 1, signed ones as -1 to 1
  uint8_t address[3];    // LaunchAddress of x, y, z
  uint32_t width, height, depth;   // texels, 1 where there is no such dimension; depth counts layers, or faces
} LaunchImage;

enum { LAUNCH_FACES = 6 };   // of a cube
// The last of its numbers counts planes that are no dimension.
static inline bool launch_has_planes(const LaunchImage *image) { return image->layered || image->cube; }

typedef enum LaunchRole {
  LAUNCH_PARAMETER,      // of the kernel; or a .texref or .surfref of the PTX, if it is an image
  LAUNCH_VARIABLE,       // contents of a variable of the module, `name`: it has memory already. LAUNCH_NONE: as the
                         // module has it
  LAUNCH_POINTEE,        // a buffer whose address is in a struct: `offset` bytes into argument `owner`
  LAUNCH_MEMORY,         // a buffer of a program (program.h): there in every launch, at the same address; parameters
                         // that
                         // `points` is set of have its address
} LaunchRole;

typedef struct LaunchArg {
  char *name;            // source name if known, else NULL; owned
  uint8_t role;          // LaunchRole
  LaunchType type;
  bool is_buffer;        // images and variables too
  bool is_struct;        // by value: `data` has its `count` bytes (NULL: not known yet), `text` its members
  uint64_t count;        // elements of a buffer; 1 for a scalar
  LaunchInit init;       // buffers
  double init_value;     // CONST: value; MOD: modulus; RANDOM: seed
  LaunchImage image;
  uint64_t scalar;       // scalars: the bits, low bytes first
  uint8_t *data;         // LAUNCH_DATA: count * size bytes; owned
  uint8_t *written;      // LAUNCH_DATA: per byte, 0: nobody has written it; NULL: all of it is; owned
  char *path;            // of the file that they were read from, NULL; of this machine only; owned
  char *output;          // file that gets the bytes after the run, or NULL; owned
  bool by_name;          // -a NAME=...: position is found by name when the launch is bound
  bool perhaps_name;     // half=3: `name` may be a parameter's; if none is called so, it is the type
  char *text;            // NAME=VALUE: the value as written; type and scalar are a guess until launch_arg_set_type.
                         // Structs and variables: what was written behind struct: and @NAME=, always.
                         // NULL if the type was given; owned
  bool points;           // a parameter that has the address of `owner` (LAUNCH_MEMORY), `offset` bytes into it
  int owner;             // LAUNCH_POINTEE, points
  uint64_t offset;
} LaunchArg;

// Whether all blocks are on the device at the same time, so that they can meet at grid.sync().
typedef enum LaunchTogether {
  LAUNCH_AS_NEEDED,      // nobody says: it is cooperative if the kernel calls grid.sync()
  LAUNCH_PLAIN, LAUNCH_COOPERATIVE,
  LAUNCH_TOGETHER_COUNT
} LaunchTogether;

typedef struct Launch {
  char *kernel;          // plain or demangled; NULL: the only one; owned
  uint32_t grid[3], block[3];
  uint64_t shared_bytes; // dynamic
  uint8_t together;      // LaunchTogether
  LaunchArg *args;       // owned
  int arg_count, arg_capacity;
  uint8_t *heap;         // the device heap as launches before this one left it (sim.h); NULL: empty; owned
  uint64_t heap_bytes;
} Launch;

#define LAUNCH_MAX_BYTES (64ull << 30)   // of one buffer

void launch_init(Launch *launch);                  // grid and block are 1, 1, 1
void launch_fini(Launch *launch);
void launch_copy(Launch *to, const Launch *from);  // deep; `to` is uninitialized

#define LAUNCH_TYPE_NAMES "u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64"
int launch_type_size(LaunchType type);
const char *launch_type_name(LaunchType type);     // "f32"
bool launch_type_is_float(LaunchType type);
bool launch_type_is_signed(LaunchType type);
// By one of these names or by C's, of 64-bit Linux: "float", "unsigned long long", "size_t", "const int", "__half".
bool launch_type_parse(const char *name, size_t length, LaunchType *type);
// The same and CUDA's vectors: "float4" is f32 with 4 lanes; 1 lane: no vector.
bool launch_type_read(const char *name, size_t length, LaunchType *type, int *lanes);
int launch_type_align(LaunchType type, int lanes);
bool launch_type_may_be_name(const char *name, size_t length);   // half, uint: a parameter may be called so
bool launch_unknown_type(const char *name, size_t length, LsErr *err);   // always false, with the types there are

// The bits of a number in a type, low bytes first (whole types saturate and drop the fraction, f16 and f32 round to
// nearest even), and the number that bits stand for.
uint64_t launch_bits(LaunchType type, double value);
double launch_value(LaunchType type, uint64_t bits);

// Parses one -a argument and appends it.
//
//   arg      = typed | name "=" typed | name "=" value | "@" variable [ "=" contents ] [ ">" file ]
//   typed    = type "=" value | vector "=" values | buffer | image | "struct:" members
//   buffer   = ( type | vector ) "[" count "]=" ( init | values ) [ ">" file ]
//   init     = "zero" | "iota" | "const:" value | "mod:" whole | "random:" whole | "file:" path | "none"
//   values   = value { "," value }
//   contents = type ":" values | init | values | type "[" count "]=" ( init | values )
//   members  = in launch_struct.h
//
// A vector counts its lanes: float4[100] is f32[400]. A variable's name is plain, with its namespace, or mangled; one
// of a function is FUNCTION::NAME.
//
//   image   = ( "tex" | "surf" ) "." type [ "x2" | "x4" ] "[" W [ "x" H [ "x" D ] ] "]=" init { "," option } [ ">"
// file ]
//   option  = "layered"                   the last number counts layers: [WxL] or [WxHxL]
//           | "cube"                      a cube map: [WxWx6], the faces +x -x +y -y +z -z; with layered a multiple
// of 6. Its
//                                         coordinates are a direction, and always normalized
//           | "linear" | "point"          filtering; point unless said otherwise
//           | address { "/" address }     for x, y and z, the last one for the rest: clamp (unless said otherwise),
// wrap,
//                                         mirror, border
//           | "normalized"                coordinates from 0 to 1
//           | "float"                     LaunchImage.as_float
//
// No option is given twice, nor two that contradict each other (linear and point, two addresses). All options but
// "layered"
// are for textures. Only a surface can be written, so only a surface has an output file.
bool launch_add_arg(Launch *launch, const char *text, LsErr *err);
// Gives an argument with `text` its type: parses the text again, which fails if the value does not fit.
bool launch_arg_set_type(LaunchArg *arg, LaunchType type, LsErr *err);
// Parses INIT (zero iota const:V mod:M random:SEED file:PATH none) or values for an argument whose type and count are
// set.
bool launch_parse_init(LaunchArg *arg, const char *init, LsErr *err);
// One number as the bits of a type; what does not fit is an error that says what would.
bool launch_parse_value(LaunchType type, const char *text, uint64_t *bits, LsErr *err);
// V,V,... as LAUNCH_DATA; sets count.
bool launch_parse_values(LaunchArg *arg, const char *text, LsErr *err);
void launch_arg_fini(LaunchArg *arg);
// Takes what follows the '>' of a buffer or surface as the name of its output file.
bool launch_parse_output(LaunchArg *arg, const char *name, LsErr *err);
// Parses an image, name and all options included, into an argument that is empty but for its name.
bool launch_parse_image(LaunchArg *arg, const char *text, LsErr *err);
bool launch_is_image(const char *text);            // it begins like one: tex. or surf.
// Takes the numbers in the brackets, sets count, and says what is wrong with the whole, before anything is allocated.
bool launch_image_shape(LaunchArg *arg, const uint64_t *size, int sizes, LsErr *err);
// "tex.f32[64x32],linear,wrap,normalized", as it could be written.
char *launch_image_text(const LaunchArg *arg);     // caller frees
const char *launch_face_name(uint64_t plane);      // of a cube map, layered or not: "-z"
// The texel `offset` bytes into an image: "(3, 5)", "(3, 5) in layer 1", "(7)", "(3, 5) in face -z of layer 1".
void launch_image_place(const LaunchArg *arg, uint64_t offset, LsText *out);
// Whether there is a texture or surface among the arguments.
static inline bool launch_has_images(const Launch *launch) {
  for (int i = 0; i < launch->arg_count; i++) if (launch->args[i].image.kind != LAUNCH_NO_IMAGE) return true;
  return false;
}
// Arguments that stand for parameters of the kernel, or for .texref and .surfref variables.
static inline int launch_parameters(const Launch *launch) {
  int count = 0;
  for (int i = 0; i < launch->arg_count; i++) count += launch->args[i].role == LAUNCH_PARAMETER;
  return count;
}
// Whether there are addresses of buffers in its bytes, which are others on another device.
static inline bool launch_has_pointers(const Launch *launch, int arg) {
  for (int i = 0; i < launch->arg_count; i++)
    if (launch->args[i].role == LAUNCH_POINTEE && launch->args[i].owner == arg) return true;
  return false;
}
static inline uint64_t launch_texels(const LaunchImage *image) {
  return (uint64_t)image->width * image->height * image->depth;
}
// Parses X[,Y[,Z]] with range checks (grid: 2^31-1, 65535, 65535; block: 1024, 1024, 64 and 1024 in all).
bool launch_parse_dim(const char *text, bool is_grid, uint32_t dim[3], LsErr *err);
// Whether grid and block have sizes within these ranges; for launches that come from a file or another machine.
bool launch_is_possible(const Launch *launch);

// ---- back to text --------------------------------------------------------------------------------------------------

// The argument as -a takes it, without quotes: launch_add_arg makes the same of it. Numbers are as short as they can
// be. NULL: it is none of its own (LAUNCH_POINTEE: the struct's text has it; a program's buffer and what points at it).
// Contents that are known only as bytes are values; if they are more than a command line takes, a file that does not
// exist yet: file:NAME.bin. Caller frees.
char *launch_argument_text(const Launch *launch, int arg);
// " -k KERNEL -g X,Y -b X -s BYTES -a 'ARG' ...", quoted for a shell: behind the name of the file, what starts it
// again.
void launch_command_line(const Launch *launch, LsText *out);
// A word as a shell takes it: in '...' where it has to be.
void launch_quote(const char *word, LsText *out);

// Writes the initial contents of a buffer (count * size bytes). False for LAUNCH_NONE (nothing is written).
// RANDOM is one MT19937 draw per element: ls_mt_f32 for f16, f32 and f64, the raw 32 bits (cut or zero-extended) for
// whole types. IOTA and MOD count in 64 bits and are cut to the type.
bool launch_fill(const LaunchArg *arg, void *bytes);

static inline uint64_t launch_blocks(const Launch *l) { return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2]; }
static inline uint32_t launch_threads(const Launch *l) { return l->block[0] * l->block[1] * l->block[2]; }
static inline uint32_t launch_warps(const Launch *l) { return (launch_threads(l) + 31) / 32; }

#endif
