// gpu_image.c: see gpu_image.h.
#include "gpu_image.h"
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "device/library.h"

// ---- structures and numbers of the CUDA driver API (cuda.h) --------------------------------------------------------

enum { ARRAY_LAYERED = 1, ARRAY_SURFACE = 2, ARRAY_GATHER = 8 };
enum { MEMORY_HOST = 1, MEMORY_ARRAY = 3 };
enum { RESOURCE_ARRAY = 0, RESOURCE_LINEAR = 2 };
enum { READ_AS_INTEGER = 1, NORMALIZED_COORDINATES = 2 };

typedef struct ArrayDesc {          // CUDA_ARRAY3D_DESCRIPTOR
  size_t width, height, depth;      // 0 where there is no such dimension
  int format;
  unsigned channels, flags;
} ArrayDesc;

typedef struct CopySide {
  size_t x, y, z, level;
  int type;
  void *host;
  DriverAddress device;
  void *array, *reserved;
  size_t pitch, height;
} CopySide;
typedef struct Copy { CopySide from, to; size_t bytes, height, depth; } Copy;   // CUDA_MEMCPY3D

typedef struct ResourceDesc {       // CUDA_RESOURCE_DESC
  int type;
  union {
    void *array;
    struct { DriverAddress address; int format; unsigned channels; size_t bytes; } linear;
    int reserved[32];
  } of;
  unsigned flags;
} ResourceDesc;

typedef struct TextureDesc {        // CUDA_TEXTURE_DESC
  int address[3], filter;
  unsigned flags, anisotropy;
  int mipmap_filter;
  float level_bias, level_least, level_most, border[4];
  int reserved[12];
} TextureDesc;

#define IMAGE_CALLS(ROW)                                                                                           \
  ROW(array_new, "cuArray3DCreate_v2", (void **, const ArrayDesc *))                                               \
  ROW(array_free, "cuArrayDestroy", (void *))                                                                      \
  ROW(copy, "cuMemcpy3D_v2", (const Copy *))                                                                       \
  ROW(texture_new, "cuTexObjectCreate", (DriverAddress *, const ResourceDesc *, const TextureDesc *, const void *))    \
  ROW(texture_free, "cuTexObjectDestroy", (DriverAddress))                                                             \
  ROW(surface_new, "cuSurfObjectCreate", (DriverAddress *, const ResourceDesc *))                                      \
  ROW(surface_free, "cuSurfObjectDestroy", (DriverAddress))

struct GpuImageCalls {
  const Driver *driver;
#define MEMBER(member, symbol, arguments) int (*member) arguments;
  IMAGE_CALLS(MEMBER)
#undef MEMBER
};

GpuImageCalls *gpu_images_open(const Driver *driver, LsErr *err) {
  GpuImageCalls *calls = ls_alloc(sizeof *calls);
  const char *missing = NULL;
  calls->driver = driver;
#define FIND(member, symbol, arguments) if (!library_symbol(driver->library, symbol, &calls->member)) missing = symbol;
  IMAGE_CALLS(FIND)
#undef FIND
  if (!missing) return calls;
  ls_fail(err, LS_EENV, "the driver has no function %s", missing);
  free(calls);
  return NULL;
}

void gpu_images_close(GpuImageCalls *calls) { free(calls); }

static bool good(const GpuImageCalls *calls, int result, const char *what, LsErr *err) {
  return driver_good(calls->driver, result, what, err);
}

// ---- what the driver calls them ------------------------------------------------------------------------------------

static int format_of(LaunchType type) {
  static const int formats[LAUNCH_TYPE_COUNT] = {
      [LAUNCH_U8] = 0x01, [LAUNCH_U16] = 0x02, [LAUNCH_U32] = 0x03, [LAUNCH_I8] = 0x08,
      [LAUNCH_I16] = 0x09, [LAUNCH_I32] = 0x0a, [LAUNCH_F16] = 0x10, [LAUNCH_F32] = 0x20};
  return formats[type];
}

static TextureDesc describe_texture(const LaunchArg *arg) {
  static const int modes[LAUNCH_ADDRESS_COUNT] = {
      [LAUNCH_WRAP] = 0, [LAUNCH_CLAMP] = 1, [LAUNCH_MIRROR] = 2, [LAUNCH_BORDER] = 3};
  const LaunchImage *image = &arg->image;
  TextureDesc desc = {.filter = image->linear};
  for (int i = 0; i < 3; i++) desc.address[i] = modes[image->address[i]];
  if (image->normalized) desc.flags |= NORMALIZED_COORDINATES;
  if (!image->as_float && !launch_type_is_float(arg->type)) desc.flags |= READ_AS_INTEGER;
  return desc;
}

static size_t row_bytes(const LaunchArg *arg) {
  return (size_t)arg->image.width * arg->image.channels * (size_t)launch_type_size(arg->type);
}

static Copy copy_between(const LaunchArg *arg, void *host, void *array, bool to_array) {
  CopySide on_host = {.type = MEMORY_HOST, .host = host, .pitch = row_bytes(arg), .height = arg->image.height};
  CopySide in_array = {.type = MEMORY_ARRAY, .array = array};
  Copy copy = {.bytes = row_bytes(arg), .height = arg->image.height, .depth = arg->image.depth};
  copy.from = to_array ? on_host : in_array;
  copy.to = to_array ? in_array : on_host;
  return copy;
}

// ---- making --------------------------------------------------------------------------------------------------------

static bool make_array(const GpuImageCalls *calls, const LaunchArg *arg, const uint8_t *bytes, GpuImage *image, LsErr *err) {
  const LaunchImage *i = &arg->image;
  ArrayDesc desc = {.width = i->width, .height = i->dims > 1 ? i->height : 0, .format = format_of(arg->type)};
  desc.depth = i->dims > 2 || i->layered ? i->depth : 0;
  desc.channels = i->channels;
  if (i->layered) desc.flags |= ARRAY_LAYERED;
  if (i->kind == LAUNCH_SURFACE) desc.flags |= ARRAY_SURFACE;
  else if (i->dims == 2 && !i->layered) desc.flags |= ARRAY_GATHER;
  if (!good(calls, calls->array_new(&image->array, &desc), "making an array", err)) return false;
  Copy copy = copy_between(arg, (void *)(uintptr_t)bytes, image->array, true);
  return good(calls, calls->copy(&copy), "filling an array", err);
}

static bool make_linear(const GpuImageCalls *calls, const LaunchArg *arg, const uint8_t *bytes, GpuImage *image, LsErr *err) {
  size_t size = row_bytes(arg);
  return good(calls, calls->driver->memory_take(&image->linear, size), "taking memory of the GPU", err) &&
         good(calls, calls->driver->upload(image->linear, bytes, size), "copying to the GPU", err);
}

bool gpu_image_make(const GpuImageCalls *calls, const LaunchArg *arg, const uint8_t *bytes, bool by_index, GpuImage *image,
                    LsErr *err) {
  *image = (GpuImage){0};
  ResourceDesc resource = {.type = by_index ? RESOURCE_LINEAR : RESOURCE_ARRAY};
  bool ok = by_index ? make_linear(calls, arg, bytes, image, err) : make_array(calls, arg, bytes, image, err);
  if (by_index) {
    resource.of.linear.address = image->linear;
    resource.of.linear.format = format_of(arg->type);
    resource.of.linear.channels = arg->image.channels;
    resource.of.linear.bytes = row_bytes(arg);
  } else {
    resource.of.array = image->array;
  }
  TextureDesc texture = describe_texture(arg);
  if (ok && arg->image.kind == LAUNCH_SURFACE)
    ok = good(calls, calls->surface_new(&image->object, &resource), "making a surface", err);
  else if (ok)
    ok = good(calls, calls->texture_new(&image->object, &resource, &texture, NULL), "making a texture", err);
  if (!ok) gpu_image_free(calls, arg, image);
  return ok;
}

bool gpu_image_read(const GpuImageCalls *calls, const LaunchArg *arg, const GpuImage *image, uint8_t *bytes, LsErr *err) {
  if (image->linear) return good(calls, calls->driver->download(bytes, image->linear, row_bytes(arg)), "copying from the GPU", err);
  Copy copy = copy_between(arg, bytes, image->array, false);
  return good(calls, calls->copy(&copy), "reading an array", err);
}

void gpu_image_free(const GpuImageCalls *calls, const LaunchArg *arg, GpuImage *image) {
  bool surface = arg->image.kind == LAUNCH_SURFACE;
  if (image->object && surface) calls->surface_free(image->object);
  if (image->object && !surface) calls->texture_free(image->object);
  if (image->array) calls->array_free(image->array);
  if (image->linear) calls->driver->memory_free(image->linear);
  *image = (GpuImage){0};
}
