// gpu.c: which NVIDIA GPUs the driver shows. libcuda.so.1 is opened at run time, so lanescope runs where there is none.
#include <dlfcn.h>

#include "device/device.h"
#include "device/library.h"

// CUDA driver API (cuda.h): results and attributes used here.
enum { ATTRIBUTE_SM_COUNT = 16, ATTRIBUTE_CC_MAJOR = 75, ATTRIBUTE_CC_MINOR = 76 };

typedef struct Driver {
  void *library;
  int (*init)(unsigned flags);
  int (*version)(int *version);
  int (*count)(int *count);
  int (*get)(int *device, int ordinal);
  int (*name)(char *name, int length, int device);
  int (*attribute)(int *value, int attribute, int device);
  int (*memory)(size_t *bytes, int device);
} Driver;

static bool load(Driver *driver) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  *driver = (Driver){.library = library};
  return library && library_symbol(library, "cuInit", &driver->init) &&
         library_symbol(library, "cuDriverGetVersion", &driver->version) &&
         library_symbol(library, "cuDeviceGetCount", &driver->count) && library_symbol(library, "cuDeviceGet", &driver->get) &&
         library_symbol(library, "cuDeviceGetName", &driver->name) &&
         library_symbol(library, "cuDeviceGetAttribute", &driver->attribute) &&
         library_symbol(library, "cuDeviceTotalMem_v2", &driver->memory);
}

static void describe(const Driver *driver, int ordinal, LsText *out) {
  char name[128] = "";
  int device = 0, sms = 0, major = 0, minor = 0;
  size_t bytes = 0;
  if (driver->get(&device, ordinal) != 0) return;
  driver->name(name, sizeof name - 1, device);
  driver->attribute(&sms, ATTRIBUTE_SM_COUNT, device);
  driver->attribute(&major, ATTRIBUTE_CC_MAJOR, device);
  driver->attribute(&minor, ATTRIBUTE_CC_MINOR, device);
  driver->memory(&bytes, device);
  ls_text_addf(out, "%s, compute capability %d.%d, %d SMs, %.0f GiB\n", name, major, minor, sms, (double)bytes / (1 << 30));
}

int dev_gpus(LsText *out) {
  Driver driver;
  int count = 0, version = 0;
  if (!load(&driver)) {
    ls_text_add(out, "no NVIDIA driver (libcuda.so.1)\n");
    if (driver.library) dlclose(driver.library);
    return 0;
  }
  int result = driver.init(0);
  driver.version(&version);
  if (result != 0 || driver.count(&count) != 0) {
    ls_text_addf(out, "driver for CUDA %d.%d, but it shows no GPU (error %d)\n", version / 1000, version % 1000 / 10, result);
    return 0;
  }
  for (int i = 0; i < count; i++) describe(&driver, i, out);
  return count;
}
