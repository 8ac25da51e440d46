// fake_image.c: arrays, textures, surfaces, and references to them. Descriptions are read by the places that the members have in
// cuda.h on a machine of 64 bits, not through lanescope's own structures, and what a driver would not take is not taken.
#include "fake_cuda.h"
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

enum { ARRAY_WIDTH = 0, ARRAY_HEIGHT = 8, ARRAY_DEPTH = 16, ARRAY_FORMAT = 24, ARRAY_CHANNELS = 28, ARRAY_FLAGS = 32 };
enum { LAYERED = 1, SURFACE = 2, CUBE = 4, GATHER = 8 };
enum { SIDE_X = 0, SIDE_Y = 8, SIDE_Z = 16, SIDE_LEVEL = 24, SIDE_TYPE = 32, SIDE_HOST = 40, SIDE_ARRAY = 56, SIDE_PITCH = 72,
       SIDE_HEIGHT = 80 };
enum { COPY_FROM = 0, COPY_TO = 88, COPY_BYTES = 176, COPY_HEIGHT = 184, COPY_DEPTH = 192 };
enum { HOST = 1, ARRAY = 3 };
enum { RESOURCE_TYPE = 0, RESOURCE_ARRAY = 8, RESOURCE_ADDRESS = 8, RESOURCE_FORMAT = 16, RESOURCE_CHANNELS = 20,
       RESOURCE_BYTES = 24, RESOURCE_FLAGS = 136 };
enum { OF_ARRAY = 0, OF_LINEAR = 2 };
enum { TEXTURE_ADDRESS = 0, TEXTURE_FILTER = 12, TEXTURE_FLAGS = 16, TEXTURE_REST = 20, TEXTURE_BYTES = 104 };
enum { INTEGERS = 1, NORMALIZED = 2 };
#define FIRST_OBJECT 0x500000000000ull
#define OBJECT_STEP 0x100000000ull

typedef struct FakeArray { LaunchArg arg; uint8_t *bytes; uint64_t size; unsigned flags; } FakeArray;

static struct { FakeImage **images; int count, capacity; uint64_t next; } objects = {.next = FIRST_OBJECT};

static uint64_t long_at(const void *from, int at) {
  uint64_t value;
  memcpy(&value, (const char *)from + at, sizeof value);
  return value;
}

static uint32_t word_at(const void *from, int at) {
  uint32_t value;
  memcpy(&value, (const char *)from + at, sizeof value);
  return value;
}

static void *pointer_at(const void *from, int at) { return (void *)(uintptr_t)long_at(from, at); }

static bool type_of(uint32_t format, LaunchType *type) {
  static const struct { uint32_t format; LaunchType type; } rows[] = {
      {0x01, LAUNCH_U8}, {0x02, LAUNCH_U16}, {0x03, LAUNCH_U32}, {0x08, LAUNCH_I8},
      {0x09, LAUNCH_I16}, {0x0a, LAUNCH_I32}, {0x10, LAUNCH_F16}, {0x20, LAUNCH_F32}};
  for (int i = 0; i < LS_COUNT(rows); i++)
    if (rows[i].format == format) return *type = rows[i].type, true;
  return false;
}

static int texel_bytes(const LaunchArg *arg) { return launch_type_size(arg->type) * arg->image.channels; }

// ---- arrays --------------------------------------------------------------------------------------------------------

static bool shape_of(const void *description, LaunchArg *arg) {
  uint64_t width = long_at(description, ARRAY_WIDTH), height = long_at(description, ARRAY_HEIGHT);
  uint64_t depth = long_at(description, ARRAY_DEPTH);
  uint32_t channels = word_at(description, ARRAY_CHANNELS), flags = word_at(description, ARRAY_FLAGS);
  bool layered = flags & LAYERED, cube = flags & CUBE;
  *arg = (LaunchArg){.is_buffer = true};
  if (!width || width > 131072 || height > 65536 || depth > 16384 || flags & ~(unsigned)(LAYERED | SURFACE | CUBE | GATHER)) return false;
  if (!type_of(word_at(description, ARRAY_FORMAT), &arg->type) || (channels != 1 && channels != 2 && channels != 4)) return false;
  if (layered ? !depth : depth && !height) return false;
  if (cube && (width != height || !depth || (layered ? depth % LAUNCH_FACES : depth != LAUNCH_FACES))) return false;
  int dims = height ? (depth && !layered && !cube ? 3 : 2) : 1;
  if (flags & GATHER && (dims != 2 || layered || cube)) return false;
  arg->image = (LaunchImage){.channels = (uint8_t)channels, .dims = (uint8_t)dims, .layered = layered, .cube = cube,
                             .width = (uint32_t)width, .height = (uint32_t)LS_MAX(height, 1), .depth = (uint32_t)LS_MAX(depth, 1)};
  arg->count = launch_texels(&arg->image) * channels;
  return true;
}

int cuArray3DCreate_v2(void **result, const DriverArray *description) {
  int answer = fake_begin();
  FakeArray array = {.flags = word_at(description, ARRAY_FLAGS)};
  if (answer) return answer;
  if (!fake_has_context()) return FAKE_NO_CONTEXT;
  if (!shape_of(description, &array.arg)) return FAKE_INVALID_VALUE;
  array.size = launch_texels(&array.arg.image) * (uint64_t)texel_bytes(&array.arg);
  if (array.size > fake_setting("FAKE_CUDA_MEMORY", 1u << 30)) return FAKE_OUT_OF_MEMORY;
  array.bytes = ls_alloc(array.size + 16);
  memset(array.bytes, 0xee, array.size);
  FakeArray *kept = ls_alloc(sizeof *kept);
  *kept = array;
  *result = kept;
  fake_live(1);
  return 0;
}

int cuArrayDestroy(void *handle) {
  int answer = fake_begin_release();
  FakeArray *array = handle;
  free(array->bytes);
  free(array);
  fake_live(-1);
  return answer;
}

// ---- copies --------------------------------------------------------------------------------------------------------

// Where a row of one side of a copy begins; NULL if it leaves the array.
static uint8_t *row_of(const void *side, uint64_t bytes, uint64_t y, uint64_t z) {
  uint64_t x = long_at(side, SIDE_X), pitch = long_at(side, SIDE_PITCH), height = long_at(side, SIDE_HEIGHT);
  y += long_at(side, SIDE_Y);
  z += long_at(side, SIDE_Z);
  if (word_at(side, SIDE_TYPE) == HOST) return (uint8_t *)pointer_at(side, SIDE_HOST) + (z * height + y) * pitch + x;
  const FakeArray *array = pointer_at(side, SIDE_ARRAY);
  const LaunchImage *image = &array->arg.image;
  uint64_t row = (uint64_t)image->width * (uint64_t)texel_bytes(&array->arg);
  if (x + bytes > row || y >= image->height || z >= image->depth) return NULL;
  return array->bytes + (z * image->height + y) * row + x;
}

static bool is_side(const void *side, uint64_t bytes, uint64_t height) {
  uint32_t type = word_at(side, SIDE_TYPE);
  if (long_at(side, SIDE_LEVEL) || long_at(side, SIDE_ARRAY + 8)) return false;
  if (type == ARRAY) return pointer_at(side, SIDE_ARRAY) != NULL;
  return type == HOST && pointer_at(side, SIDE_HOST) && long_at(side, SIDE_PITCH) >= bytes && long_at(side, SIDE_HEIGHT) >= height;
}

int cuMemcpy3D_v2(const DriverCopy *copy) {
  int answer = fake_begin();
  const char *from = (const char *)copy + COPY_FROM, *to = (const char *)copy + COPY_TO;
  uint64_t bytes = long_at(copy, COPY_BYTES), height = long_at(copy, COPY_HEIGHT), depth = long_at(copy, COPY_DEPTH);
  if (answer) return answer;
  if (!is_side(from, bytes, height) || !is_side(to, bytes, height)) return FAKE_INVALID_VALUE;
  fake_finish(NULL);
  for (uint64_t z = 0; z < depth; z++)
    for (uint64_t y = 0; y < height; y++) {
      uint8_t *target = row_of(to, bytes, y, z);
      const uint8_t *source = row_of(from, bytes, y, z);
      if (!target || !source) return FAKE_INVALID_VALUE;
      memcpy(target, source, bytes);
    }
  return 0;
}

// ---- objects -------------------------------------------------------------------------------------------------------

static int linear_texels(const void *resource, FakeImage *out) {
  LaunchArg *arg = &out->arg;
  uint32_t channels = word_at(resource, RESOURCE_CHANNELS);
  out->size = long_at(resource, RESOURCE_BYTES);
  *arg = (LaunchArg){.is_buffer = true};
  bool known = type_of(word_at(resource, RESOURCE_FORMAT), &arg->type) && (channels == 1 || channels == 2 || channels == 4);
  if (!known) return FAKE_INVALID_VALUE;
  arg->image = (LaunchImage){.channels = (uint8_t)channels, .dims = 1, .height = 1, .depth = 1};
  arg->image.width = (uint32_t)(out->size / (uint64_t)texel_bytes(arg));
  arg->count = (uint64_t)arg->image.width * channels;
  out->linear = true;
  out->bytes = fake_bytes_at(long_at(resource, RESOURCE_ADDRESS), (size_t)out->size);
  return out->bytes && out->size ? 0 : FAKE_INVALID_VALUE;
}

static int array_texels(const FakeArray *array, FakeImage *out) {
  if (!array) return FAKE_INVALID_VALUE;
  *out = (FakeImage){.arg = array->arg, .bytes = array->bytes, .size = array->size};
  return 0;
}

static int texels_of(const void *resource, FakeImage *out) {
  *out = (FakeImage){.bytes = NULL};
  uint32_t type = word_at(resource, RESOURCE_TYPE);
  if (word_at(resource, RESOURCE_FLAGS)) return FAKE_INVALID_VALUE;
  if (type == OF_LINEAR) return linear_texels(resource, out);
  return type == OF_ARRAY ? array_texels(pointer_at(resource, RESOURCE_ARRAY), out) : FAKE_INVALID_VALUE;
}

static bool set_mode(LaunchImage *image, int axis, uint32_t mode) {
  static const uint8_t modes[] = {LAUNCH_WRAP, LAUNCH_CLAMP, LAUNCH_MIRROR, LAUNCH_BORDER};
  if (mode >= LS_COUNT(modes) || axis > 2) return false;
  image->address[axis] = modes[mode];
  return true;
}

static bool set_flags(LaunchArg *arg, uint32_t flags) {
  if (flags & ~(unsigned)(INTEGERS | NORMALIZED)) return false;
  arg->image.normalized = flags & NORMALIZED;
  arg->image.as_float = !(flags & INTEGERS) && !launch_type_is_float(arg->type) && launch_type_size(arg->type) < 4;
  return true;
}

static bool sampled_as(const void *texture, LaunchArg *arg) {
  bool good = set_flags(arg, word_at(texture, TEXTURE_FLAGS)) && word_at(texture, TEXTURE_FILTER) <= 1;
  for (int i = 0; i < 3; i++) good = good && set_mode(&arg->image, i, word_at(texture, TEXTURE_ADDRESS + 4 * i));
  for (int at = TEXTURE_REST; at < TEXTURE_BYTES; at += 4) good = good && word_at(texture, at) == 0;
  arg->image.linear = word_at(texture, TEXTURE_FILTER) == 1;
  bool as_float = arg->image.as_float || launch_type_is_float(arg->type);
  return good && (!arg->image.linear || as_float);
}

static void add_object(FakeImage *image, DriverAddress *object) {
  FakeImage *kept = ls_alloc(sizeof *kept);
  image->handle = objects.next;
  objects.next += OBJECT_STEP;
  *kept = *image;
  LS_PUSH(objects.images, objects.count, objects.capacity, kept);
  *object = image->handle;
  fake_live(1);
}

int cuTexObjectCreate(DriverAddress *object, const DriverResource *resource, const DriverTexture *texture, const void *view) {
  FakeImage image;
  int answer = fake_begin();
  if (answer) return answer;
  answer = texels_of(resource, &image);
  if (answer || view || !sampled_as(texture, &image.arg)) return FAKE_INVALID_VALUE;
  image.arg.image.kind = LAUNCH_TEXTURE;
  add_object(&image, object);
  return 0;
}

int cuSurfObjectCreate(DriverAddress *object, const DriverResource *resource) {
  FakeImage image;
  int answer = fake_begin();
  if (answer) return answer;
  const FakeArray *array = pointer_at(resource, RESOURCE_ARRAY);
  if (word_at(resource, RESOURCE_TYPE) != OF_ARRAY || texels_of(resource, &image)) return FAKE_INVALID_VALUE;
  if (!(array->flags & SURFACE)) return FAKE_INVALID_VALUE;
  image.arg.image.kind = LAUNCH_SURFACE;
  add_object(&image, object);
  return 0;
}

static int forget_object(DriverAddress object, LaunchImageKind kind) {
  int answer = fake_begin_release();
  for (int i = 0; i < objects.count; i++) {
    if (objects.images[i]->handle != object || objects.images[i]->arg.image.kind != kind) continue;
    free(objects.images[i]);
    objects.images[i] = objects.images[--objects.count];
    fake_live(-1);
    if (objects.count) return answer;
    free(objects.images);
    objects.images = NULL;
    objects.capacity = 0;
    return answer;
  }
  return FAKE_INVALID_VALUE;
}

int cuTexObjectDestroy(DriverAddress object) { return forget_object(object, LAUNCH_TEXTURE); }

int cuSurfObjectDestroy(DriverAddress object) { return forget_object(object, LAUNCH_SURFACE); }

// ---- references ----------------------------------------------------------------------------------------------------

// A reference is the image of the module that stands for its variable.
static int find_reference(void **reference, void *handle, const char *name, PtxType type) {
  int answer = fake_begin();
  FakeModule *module = handle;
  if (answer) return answer;
  for (int v = 0; v < module->ptx->var_count; v++) {
    const PtxVar *var = &module->ptx->vars[v];
    if (var->type != type || var->func >= 0 || strcmp(var->name, name) != 0) continue;
    *reference = &module->references[v];
    return 0;
  }
  return FAKE_NOT_FOUND;
}

int cuModuleGetTexRef(void **reference, void *module, const char *name) {
  return find_reference(reference, module, name, PTX_TEXREF);
}

int cuModuleGetSurfRef(void **reference, void *module, const char *name) {
  return find_reference(reference, module, name, PTX_SURFREF);
}

// How it is sampled stays; what its texels are comes with them.
static int set_texels(FakeImage *reference, const FakeImage *texels, LaunchImageKind kind) {
  LaunchImage how = reference->arg.image;
  uint32_t flags = reference->flags;
  *reference = *texels;
  LaunchImage *image = &reference->arg.image;
  reference->flags = flags;
  image->kind = (uint8_t)kind;
  memcpy(image->address, how.address, sizeof image->address);
  image->linear = how.linear;
  return kind == LAUNCH_SURFACE || set_flags(&reference->arg, flags) ? 0 : FAKE_INVALID_VALUE;
}

int cuTexRefSetArray(void *reference, void *array, unsigned flags) {
  FakeImage image;
  int answer = fake_begin();
  if (answer) return answer;
  if (flags != 1 || array_texels(array, &image)) return FAKE_INVALID_VALUE;
  return set_texels(reference, &image, LAUNCH_TEXTURE);
}

int cuSurfRefSetArray(void *reference, void *array, unsigned flags) {
  FakeImage image;
  int answer = fake_begin();
  if (answer) return answer;
  if (flags || array_texels(array, &image) || !(((const FakeArray *)array)->flags & SURFACE)) return FAKE_INVALID_VALUE;
  return set_texels(reference, &image, LAUNCH_SURFACE);
}

int cuTexRefSetFormat(void *reference, int format, int channels) {
  int answer = fake_begin();
  FakeImage *image = reference;
  if (answer) return answer;
  image->arg.image.channels = (uint8_t)channels;
  return type_of((uint32_t)format, &image->arg.type) && (channels == 1 || channels == 2 || channels == 4) ? 0 : FAKE_INVALID_VALUE;
}

int cuTexRefSetAddress_v2(size_t *offset, void *reference, DriverAddress address, size_t bytes) {
  int answer = fake_begin();
  FakeImage *image = reference, texels = {.arg = image->arg, .size = bytes, .linear = true};
  LaunchImage *shape = &texels.arg.image;
  if (answer) return answer;
  texels.bytes = fake_bytes_at(address, bytes);
  if (!texels.bytes || !shape->channels) return FAKE_INVALID_VALUE;
  *shape = (LaunchImage){.channels = shape->channels, .dims = 1, .height = 1, .depth = 1};
  shape->width = (uint32_t)(bytes / (size_t)texel_bytes(&texels.arg));
  *offset = 0;
  return set_texels(image, &texels, LAUNCH_TEXTURE);
}

int cuTexRefSetAddressMode(void *reference, int dimension, int mode) {
  int answer = fake_begin();
  if (answer) return answer;
  return dimension >= 0 && set_mode(&((FakeImage *)reference)->arg.image, dimension, (uint32_t)mode) ? 0 : FAKE_INVALID_VALUE;
}

int cuTexRefSetFilterMode(void *reference, int filter) {
  int answer = fake_begin();
  if (answer || filter < 0 || filter > 1) return answer ? answer : FAKE_INVALID_VALUE;
  ((FakeImage *)reference)->arg.image.linear = filter == 1;
  return 0;
}

int cuTexRefSetFlags(void *reference, unsigned flags) {
  int answer = fake_begin();
  if (answer || flags & ~(unsigned)(INTEGERS | NORMALIZED)) return answer ? answer : FAKE_INVALID_VALUE;
  ((FakeImage *)reference)->flags = flags;
  return 0;
}

// ---- for launches --------------------------------------------------------------------------------------------------

// A variable that nothing is bound to: one texel of zeros.
static SimMapping unbound(const PtxVar *var, uint64_t handle) {
  static uint8_t zeros[16];
  static LaunchArg images[2] = {
      {.type = LAUNCH_U32, .is_buffer = true, .count = 1, .image = {LAUNCH_TEXTURE, 1, 1, .width = 1, .height = 1, .depth = 1}},
      {.type = LAUNCH_U32, .is_buffer = true, .count = 1, .image = {LAUNCH_SURFACE, 1, 1, .width = 1, .height = 1, .depth = 1}}};
  return (SimMapping){handle, sizeof(uint32_t), zeros, &images[var->type == PTX_SURFREF], var->name};
}

int fake_images_most(const FakeModule *module) { return objects.count + module->ptx->var_count; }

int fake_images(const FakeModule *module, SimMapping *out) {
  int count = 0;
  for (; count < objects.count; count++) {
    const FakeImage *image = objects.images[count];
    out[count] = (SimMapping){image->handle, image->size, image->bytes, &image->arg, NULL};
  }
  for (int v = 0; v < module->ptx->var_count; v++) {
    const PtxVar *var = &module->ptx->vars[v];
    const FakeImage *image = module->references ? &module->references[v] : NULL;
    uint64_t handle = FIRST_OBJECT - OBJECT_STEP * (uint64_t)(v + 1);
    if ((var->type != PTX_TEXREF && var->type != PTX_SURFREF) || var->func >= 0) continue;
    bool bound = image && image->bytes;
    out[count++] = bound ? (SimMapping){handle, image->size, image->bytes, &image->arg, var->name} : unbound(var, handle);
  }
  return count;
}
