// calls.c: errors, devices, streams, events: one device with one stream, and everything has ended when a call returns.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "runtime.h"

static cudaError_t last, stopped;
static uint64_t clock_ns;

cudaError_t rt_state(void) { return stopped; }
cudaError_t rt_fail(cudaError_t error) { return last = error; }
void rt_stop(cudaError_t error) { last = stopped = error; }
void rt_count_launch(uint64_t warp_instructions) { clock_ns += 2000 + warp_instructions / 1000; }

void rt_log(const char *what, const char *kernel, const char *kind, const char *message) {
  const char *path = getenv("LANESCOPE_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file) return;
  fprintf(file, "%s\t%s", what, kernel);
  if (kind) fprintf(file, "\t%s", kind);
  if (message) fputc('\t', file);
  for (const char *at = message; at && *at; at++) fputc(*at == '\n' || *at == '\t' ? ' ' : *at, file);
  fputc('\n', file);
  fclose(file);
}

// ---- errors --------------------------------------------------------------------------------------------------------

cudaError_t cudaPeekAtLastError(void) { return last; }

cudaError_t cudaGetLastError(void) {
  cudaError_t error = last;
  last = stopped;
  return error;
}

const char *cudaGetErrorString(cudaError_t error) {
  return error == cudaSuccess ? "no error" : "an error of the emulated runtime";
}
const char *cudaGetErrorName(cudaError_t error) { return error == cudaSuccess ? "cudaSuccess" : "cudaErrorUnknown"; }

// ---- the device: an H200, as far as programs ask -------------------------------------------------------------------

cudaError_t cudaGetDeviceCount(int *count) { return *count = 1, stopped; }
cudaError_t cudaGetDevice(int *device) { return *device = 0, stopped; }
cudaError_t cudaSetDevice(int device) { return device == 0 ? stopped : rt_fail(cudaErrorInvalidDevice); }
cudaError_t cudaSetDeviceFlags(unsigned flags) { return (void)flags, stopped; }
cudaError_t cudaDeviceReset(void) { return stopped; }
cudaError_t cudaDeviceSynchronize(void) { return stopped; }
cudaError_t cudaDriverGetVersion(int *version) { return *version = CUDART_VERSION, stopped; }
cudaError_t cudaRuntimeGetVersion(int *version) { return *version = CUDART_VERSION, stopped; }
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) { return (void)config, stopped; }
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) { return (void)limit, (void)value, stopped; }
cudaError_t cudaProfilerStart(void) { return stopped; }
cudaError_t cudaProfilerStop(void) { return stopped; }

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
  if (device != 0) return rt_fail(cudaErrorInvalidDevice);
  *p = (struct cudaDeviceProp){
      .name = "lanescope", .totalGlobalMem = (size_t)8 << 30, .sharedMemPerBlock = 48 << 10, .regsPerBlock = 65536,
      .warpSize = 32,
      .maxThreadsPerBlock = 1024, .maxThreadsDim = {1024, 1024, 64}, .maxGridSize = {INT32_MAX, 65535, 65535},
      .totalConstMem = 65536, .major = 9, .multiProcessorCount = 132, .maxThreadsPerMultiProcessor = 2048,
      .sharedMemPerMultiprocessor = 228 << 10, .sharedMemPerBlockOptin = 227 << 10, .regsPerMultiprocessor = 65536,
      .canMapHostMemory = 1, .unifiedAddressing = 1, .managedMemory = 1, .concurrentManagedAccess = 1,
      .cooperativeLaunch = 1, .concurrentKernels = 1, .asyncEngineCount = 3, .l2CacheSize = 60 << 20,
      .memoryBusWidth = 6144,
      .maxBlocksPerMultiProcessor = 32,
  };
  return stopped;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
  static const int rows[][2] = {
      {cudaDevAttrMaxThreadsPerBlock, 1024}, {cudaDevAttrMaxBlockDimX, 1024}, {cudaDevAttrMaxBlockDimY, 1024},
      {cudaDevAttrMaxBlockDimZ, 64}, {cudaDevAttrMaxGridDimX, INT32_MAX}, {cudaDevAttrMaxGridDimY, 65535},
      {cudaDevAttrMaxGridDimZ, 65535}, {cudaDevAttrMaxSharedMemoryPerBlock, 48 << 10}, {cudaDevAttrWarpSize, 32},
      {cudaDevAttrMultiProcessorCount, 132}, {cudaDevAttrComputeCapabilityMajor, 9}, {cudaDevAttrClockRate, 1980000},
      {cudaDevAttrMemoryClockRate, 3201000}, {cudaDevAttrGlobalMemoryBusWidth, 6144}, {cudaDevAttrCooperativeLaunch, 1},
      {cudaDevAttrMaxThreadsPerMultiProcessor, 2048}, {cudaDevAttrMaxSharedMemoryPerMultiprocessor, 228 << 10},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, 227 << 10}, {cudaDevAttrManagedMemory, 1},
      {cudaDevAttrUnifiedAddressing, 1},
      {cudaDevAttrConcurrentManagedAccess, 1}, {cudaDevAttrCanMapHostMemory, 1}, {cudaDevAttrMemoryPoolsSupported, 1}};
  if (device != 0) return rt_fail(cudaErrorInvalidDevice);
  *value = 0;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i][0] == (int)attribute) *value = rows[i][1];
  return stopped;
}

// ---- streams: handles that are told apart, and nothing more --------------------------------------------------------

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return (void)flags, *stream = malloc(1), stopped;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) { return cudaStreamCreateWithFlags(stream, 0); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  return (void)priority, cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return free(stream), stopped; }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return (void)stream, stopped; }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return (void)stream, stopped; }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) {
  return (void)stream, (void)event, (void)flags, stopped;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) { return *least = *greatest = 0, stopped; }
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *at, size_t size, unsigned flags) {
  return (void)stream, (void)at, (void)size, (void)flags, stopped;
}
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t call, void *data, unsigned flags) {
  return (void)flags, call(stream, stopped, data), stopped;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t call, void *data) {
  return (void)stream, call(data), stopped;
}

// ---- events: the time that the emulated launches may have taken ----------------------------------------------------

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return (void)flags, *event = calloc(1, sizeof clock_ns), stopped;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return free(event), stopped; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return (void)stream, memcpy(event, &clock_ns, sizeof clock_ns), stopped;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return (void)event, stopped; }
cudaError_t cudaEventQuery(cudaEvent_t event) { return (void)event, stopped; }
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) {
  uint64_t start, end;
  memcpy(&start, from, sizeof start);
  memcpy(&end, to, sizeof end);
  return *milliseconds = (float)((double)(end - start) / 1e6 + 1e-3), stopped;
}
