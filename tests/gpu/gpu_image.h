// gpu_image.h: textures and surfaces on a real GPU: arrays of the driver, their texels, and the objects that kernels take.
//
// A texture that is fetched by index lies in linear memory, as tex1Dfetch needs it; all others are arrays.
#ifndef LS_TESTS_GPU_IMAGE_H
#define LS_TESTS_GPU_IMAGE_H

#include "device/driver.h"
#include "trace/launch.h"

typedef struct GpuImageCalls GpuImageCalls;   // the functions of the driver that this needs
typedef struct GpuImage {
  void *array;
  DriverAddress linear;         // memory of the device, instead of an array
  uint64_t object;              // what the kernel gets
} GpuImage;

// driver: borrowed. NULL with an error if it lacks a function.
GpuImageCalls *gpu_images_open(const Driver *driver, LsErr *err);
void gpu_images_close(GpuImageCalls *calls);                        // NULL is fine

bool gpu_image_make(const GpuImageCalls *calls, const LaunchArg *arg, const uint8_t *bytes, bool by_index, GpuImage *image,
                    LsErr *err);
bool gpu_image_read(const GpuImageCalls *calls, const LaunchArg *arg, const GpuImage *image, uint8_t *bytes, LsErr *err);
void gpu_image_free(const GpuImageCalls *calls, const LaunchArg *arg, GpuImage *image);

#endif
