// driver_image.h: structures of cuda.h that describe textures and surfaces, byte for byte. C and C++.
//
// tests/check_cuda_abi.sh compares them with cuda.h where a CUDA Toolkit is found. Numbers are in driver.def.
#ifndef LS_DEVICE_DRIVER_IMAGE_H
#define LS_DEVICE_DRIVER_IMAGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct DriverArray {          // CUDA_ARRAY3D_DESCRIPTOR
  size_t width, height, depth;        // texels; 0 where there is no such dimension; depth is the number of layers if layered
  int format;                         // DRIVER_FORMAT_...
  unsigned channels, flags;           // DRIVER_ARRAY_...
} DriverArray;

typedef struct DriverCopySide {
  size_t x, y, z, level;              // x in bytes
  int type;                           // DRIVER_MEMORY_...
  void *host;
  uint64_t device;
  void *array, *reserved;
  size_t pitch, height;               // of the host's memory: bytes from row to row, rows from slice to slice
} DriverCopySide;
typedef struct DriverCopy {           // CUDA_MEMCPY3D
  DriverCopySide from, to;
  size_t bytes, height, depth;        // of a row; rows; slices or layers
} DriverCopy;

typedef struct DriverLinear { uint64_t address; int format; unsigned channels; size_t bytes; } DriverLinear;
typedef struct DriverResource {       // CUDA_RESOURCE_DESC
  int type;                           // DRIVER_RESOURCE_...
  union { void *array; DriverLinear linear; int reserved[32]; } of;
  unsigned flags;                     // 0
} DriverResource;

typedef struct DriverTexture {        // CUDA_TEXTURE_DESC
  int address[3], filter;             // DRIVER_ADDRESS_..., DRIVER_FILTER_...
  unsigned flags, anisotropy;         // DRIVER_TEXTURE_...
  int level_filter;
  float level_bias, level_least, level_most, border[4];
  int reserved[12];
} DriverTexture;

#endif
