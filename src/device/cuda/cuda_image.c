// cuda_image.c: textures and surfaces as the driver wants them described, and their texels in arrays and pitched memory.
#include "device/cuda/cuda_image.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

_Static_assert(sizeof(DriverArray) == 40 && offsetof(DriverArray, format) == 24, "CUDA_ARRAY3D_DESCRIPTOR");
_Static_assert(sizeof(DriverCopy) == 200 && offsetof(DriverCopy, to) == 88 && offsetof(DriverCopy, bytes) == 176, "CUDA_MEMCPY3D");
_Static_assert(sizeof(DriverResource) == 144 && offsetof(DriverResource, of) == 8, "CUDA_RESOURCE_DESC");
_Static_assert(offsetof(DriverResource, flags) == 136 && sizeof(DriverLinear) == 24, "CUDA_RESOURCE_DESC");
_Static_assert(sizeof(DriverTexture) == 104 && offsetof(DriverTexture, border) == 40, "CUDA_TEXTURE_DESC");

// ---- what can be ---------------------------------------------------------------------------------------------------

static bool is_image_var(const PtxVar *var) { return var->func < 0 && (var->type == PTX_TEXREF || var->type == PTX_SURFREF); }

static const char *missing(const Driver *d, const PtxModule *module) {
  bool binds = false;
  for (int v = 0; v < module->var_count; v++) binds |= is_image_var(&module->vars[v]);
  if (!d->array_new || !d->array_free || !d->array_copy) return "cuArray3DCreate, cuMemcpy3D";
  if (!d->texture_new || !d->texture_free) return "cuTexObjectCreate";
  if (!d->surface_new || !d->surface_free) return "cuSurfObjectCreate";
  if (!binds) return NULL;
  if (!d->texref_find || !d->texref_array || !d->texref_linear || !d->texref_format) return "cuModuleGetTexRef";
  if (!d->texref_address || !d->texref_filter || !d->texref_flags) return "cuTexRefSetFlags";
  return d->surfref_find && d->surfref_array ? NULL : "cuModuleGetSurfRef";
}

bool cuda_images_can_be(const Driver *driver, const PtxModule *module, const Launch *launch, LsErr *err) {
  if (!launch_has_images(launch)) return true;
  const char *name = missing(driver, module);
  if (name)
    return ls_fail(err, LS_EENV, "the driver here has no functions for these textures or surfaces (%s); use another driver, or "
                   "--device emu", name);
  for (int v = 0; v < module->var_count; v++)
    if (module->vars[v].type == PTX_SAMPLERREF)
      return ls_fail(err, LS_EUNSUPPORTED, "%s is a sampler apart from its texture (texmode_independent), which CUDA's driver does "
                     "not have; --device emu", module->vars[v].name);
  return true;
}

bool cuda_image_is_linear(const PtxModule *module, int entry, const LaunchArg *arg) {
  const LaunchImage *image = &arg->image;
  bool numbered = false, others = false;
  if (image->kind != LAUNCH_TEXTURE || image->dims != 1 || image->layered) return false;
  for (int pc = 0; pc < module->code_count; pc++) {
    const PtxInstr *in = &module->code[pc];
    bool of_another = in->func != entry && module->funcs[in->func].is_entry;
    if (of_another || in->op != PTX_OP_tex || in->geometry != PTX_GEOMETRY_1D) continue;
    if (in->type2 == PTX_S32) numbered = true; else others = true;
  }
  return numbered && (!others || (!image->linear && !image->normalized && image->address[0] == LAUNCH_CLAMP));
}

// ---- what the driver calls them ------------------------------------------------------------------------------------

static int format_of(LaunchType type) {
  static const int formats[LAUNCH_TYPE_COUNT] = {
      [LAUNCH_U8] = DRIVER_FORMAT_U8,   [LAUNCH_U16] = DRIVER_FORMAT_U16, [LAUNCH_U32] = DRIVER_FORMAT_U32,
      [LAUNCH_I8] = DRIVER_FORMAT_I8,   [LAUNCH_I16] = DRIVER_FORMAT_I16, [LAUNCH_I32] = DRIVER_FORMAT_I32,
      [LAUNCH_F16] = DRIVER_FORMAT_F16, [LAUNCH_F32] = DRIVER_FORMAT_F32};
  return formats[type];
}

// A chip looks at all three axes: a line of texels with a border above and below it would be half border to a filter.
static int address_mode(const LaunchImage *image, int axis) {
  static const int modes[LAUNCH_ADDRESS_COUNT] = {[LAUNCH_WRAP] = DRIVER_ADDRESS_WRAP,
                                                  [LAUNCH_CLAMP] = DRIVER_ADDRESS_CLAMP,
                                                  [LAUNCH_MIRROR] = DRIVER_ADDRESS_MIRROR,
                                                  [LAUNCH_BORDER] = DRIVER_ADDRESS_BORDER};
  return axis < image->dims ? modes[image->address[axis]] : DRIVER_ADDRESS_CLAMP;
}

static unsigned texture_flags(const LaunchArg *arg) {
  bool integers = !arg->image.as_float && !launch_type_is_float(arg->type);
  return (unsigned)((arg->image.normalized ? DRIVER_TEXTURE_NORMALIZED : 0) | (integers ? DRIVER_TEXTURE_INTEGERS : 0));
}

static int filter_of(const LaunchImage *image) { return image->linear ? DRIVER_FILTER_LINEAR : DRIVER_FILTER_POINT; }

// In ordinary memory texels have numbers, and nothing else: the driver may refuse what has no meaning there.
static DriverTexture describe_texture(const LaunchArg *arg, const CudaImage *image) {
  DriverTexture texture = {.filter = filter_of(&arg->image), .flags = texture_flags(arg)};
  if (image->linear) return (DriverTexture){.flags = texture.flags & DRIVER_TEXTURE_INTEGERS};
  for (int i = 0; i < 3; i++) texture.address[i] = address_mode(&arg->image, i);
  return texture;
}

static size_t row_bytes(const LaunchArg *arg) {
  return (size_t)arg->image.width * arg->image.channels * (size_t)launch_type_size(arg->type);
}

enum { MOST_GATHERED = 32768 };   // texels in x and y of an array that tld4 may read

static DriverArray describe_array(const LaunchArg *arg) {
  const LaunchImage *i = &arg->image;
  DriverArray array = {.width = i->width, .format = format_of(arg->type), .channels = i->channels};
  array.height = i->dims > 1 ? i->height : 0;
  array.depth = i->dims > 2 || launch_has_planes(i) ? i->depth : 0;
  if (i->layered) array.flags |= DRIVER_ARRAY_LAYERED;
  if (i->cube) array.flags |= DRIVER_ARRAY_CUBE;
  if (i->kind == LAUNCH_SURFACE) array.flags |= DRIVER_ARRAY_SURFACE;
  else if (i->dims == 2 && !launch_has_planes(i) && LS_MAX(i->width, i->height) <= MOST_GATHERED) array.flags |= DRIVER_ARRAY_GATHER;
  return array;
}

static DriverResource describe_resource(const LaunchArg *arg, const CudaImage *image) {
  DriverResource resource = {.type = DRIVER_RESOURCE_ARRAY, .of.array = image->array};
  DriverLinear linear = {image->linear, format_of(arg->type), arg->image.channels, row_bytes(arg)};
  if (!image->linear) return resource;
  resource.type = DRIVER_RESOURCE_LINEAR;
  resource.of.linear = linear;
  return resource;
}

// ---- texels --------------------------------------------------------------------------------------------------------

static DriverCopy copy_between(const LaunchArg *arg, void *host, void *array, bool to_array) {
  DriverCopySide on_host = {.type = DRIVER_MEMORY_HOST, .host = host, .pitch = row_bytes(arg), .height = arg->image.height};
  DriverCopySide in_array = {.type = DRIVER_MEMORY_ARRAY, .array = array};
  DriverCopy copy = {.bytes = row_bytes(arg), .height = arg->image.height, .depth = arg->image.depth};
  copy.from = to_array ? on_host : in_array;
  copy.to = to_array ? in_array : on_host;
  return copy;
}

int cuda_image_write(const Driver *driver, const LaunchArg *arg, const CudaImage *image, const uint8_t *bytes) {
  if (image->linear) return driver->upload(image->linear, bytes, row_bytes(arg));
  DriverCopy copy = copy_between(arg, (void *)(uintptr_t)bytes, image->array, true);
  return driver->array_copy(&copy);
}

int cuda_image_read(const Driver *driver, const LaunchArg *arg, const CudaImage *image, uint8_t *bytes) {
  if (image->linear) return driver->download(bytes, image->linear, row_bytes(arg));
  DriverCopy copy = copy_between(arg, bytes, image->array, false);
  return driver->array_copy(&copy);
}

// ---- making --------------------------------------------------------------------------------------------------------

static int take_texels(const Driver *driver, const LaunchArg *arg, bool linear, CudaImage *image) {
  DriverArray array = describe_array(arg);
  int result = linear ? driver->memory_take(&image->linear, row_bytes(arg)) : driver->array_new(&image->array, &array);
  if (result != 0) *image = (CudaImage){0};
  return result;
}

static int make_object(const Driver *driver, const LaunchArg *arg, CudaImage *image) {
  DriverResource resource = describe_resource(arg, image);
  DriverTexture texture = describe_texture(arg, image);
  int result = arg->image.kind == LAUNCH_SURFACE ? driver->surface_new(&image->object, &resource)
                                                 : driver->texture_new(&image->object, &resource, &texture, NULL);
  if (result != 0) image->object = 0;
  return result;
}

bool cuda_image_make(const Driver *driver, const LaunchArg *arg, bool linear, bool bound, const char *what, CudaImage *image,
                     LsErr *err) {
  *image = (CudaImage){0};
  if (!driver_good(driver, take_texels(driver, arg, linear, image), what, err)) return false;
  if (bound || driver_good(driver, make_object(driver, arg, image), what, err)) return true;
  cuda_image_free(driver, arg, image);
  return false;
}

void cuda_image_free(const Driver *driver, const LaunchArg *arg, CudaImage *image) {
  bool surface = arg->image.kind == LAUNCH_SURFACE;
  if (image->object && surface) driver->surface_free(image->object);
  if (image->object && !surface) driver->texture_free(image->object);
  if (image->array) driver->array_free(image->array);
  if (image->linear) driver->memory_free(image->linear);
  *image = (CudaImage){0};
}

// ---- binding -------------------------------------------------------------------------------------------------------

static int bind_texture(const Driver *d, const LaunchArg *arg, const CudaImage *image, void *module, const char *name) {
  void *texref = NULL;
  size_t offset = 0;
  int result = d->texref_find(&texref, module, name);
  if (result == 0) result = d->texref_format(texref, format_of(arg->type), arg->image.channels);
  if (result == 0) result = d->texref_flags(texref, texture_flags(arg) & (image->linear ? DRIVER_TEXTURE_INTEGERS : ~0u));
  for (int i = 0; i < 3 && result == 0; i++) result = d->texref_address(texref, i, address_mode(&arg->image, i));
  if (result == 0) result = d->texref_filter(texref, filter_of(&arg->image));
  if (result != 0) return result;
  return image->linear ? d->texref_linear(&offset, texref, image->linear, row_bytes(arg))
                       : d->texref_array(texref, image->array, DRIVER_TEXREF_OF_ARRAY);
}

static int bind_surface(const Driver *d, const CudaImage *image, void *module, const char *name) {
  void *surfref = NULL;
  int result = d->surfref_find(&surfref, module, name);
  return result ? result : d->surfref_array(surfref, image->array, 0);
}

bool cuda_image_bind(const Driver *driver, const LaunchArg *arg, const CudaImage *image, void *module, const char *name,
                     LsErr *err) {
  bool surface = arg->image.kind == LAUNCH_SURFACE;
  int result = surface ? bind_surface(driver, image, module, name) : bind_texture(driver, arg, image, module, name);
  char *what = ls_format("binding the %s %s", surface ? "surface" : "texture", name);
  bool ok = driver_good(driver, result, what, err);
  free(what);
  return ok;
}
