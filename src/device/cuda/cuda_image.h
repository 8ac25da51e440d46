// cuda_image.h: textures and surfaces on a GPU: where their texels lie, and what kernels know them by.
//
// A kernel gets a texture or surface as an object, a 64-bit number; a .texref or .surfref variable of the PTX is bound to the
// texels by its name in every module that has it. Texels lie in an array of the driver's, whose order nobody knows, or, as
// tex1Dfetch needs them, in ordinary memory.
#ifndef LS_DEVICE_CUDA_IMAGE_H
#define LS_DEVICE_CUDA_IMAGE_H

#include "device/cuda/driver.h"
#include "ptx/module.h"
#include "launch/launch.h"

typedef struct CudaImage {
  void *array;
  DriverAddress linear;         // instead of an array
  uint64_t object;              // what the kernel gets; 0: it is bound to a variable
} CudaImage;

// LS_EENV if the driver lacks the functions for what the launch has; LS_EUNSUPPORTED for samplers of their own.
bool cuda_images_can_be(const Driver *driver, const PtxModule *module, const Launch *launch, LsErr *err);
// Does this texture lie in ordinary memory? One of one dimension does, if the kernel (or a function of the module) fetches
// texels of these by their number and fetches no others, or, where it does both, if the launch asks for nothing that only an
// array can do.
bool cuda_image_is_linear(const PtxModule *module, int entry, const LaunchArg *arg);

// what: for messages. `bound`: make no object. An image that could not be made has nothing to free.
bool cuda_image_make(const Driver *driver, const LaunchArg *arg, bool linear, bool bound, const char *what, CudaImage *image,
                     LsErr *err);
void cuda_image_free(const Driver *driver, const LaunchArg *arg, CudaImage *image);
// All texels, row after row, layer or slice after one another; answers as the driver's functions do.
int cuda_image_write(const Driver *driver, const LaunchArg *arg, const CudaImage *image, const uint8_t *bytes);
int cuda_image_read(const Driver *driver, const LaunchArg *arg, const CudaImage *image, uint8_t *bytes);
// Binds a variable of a loaded module (CUmodule).
bool cuda_image_bind(const Driver *driver, const LaunchArg *arg, const CudaImage *image, void *module, const char *name,
                     LsErr *err);

#endif
