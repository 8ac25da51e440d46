// memory.c: allocations, copies, and what is in variables.
#include <string.h>
#include <sys/mman.h>
#include "base/mem.h"
#include "runtime.h"

enum { PAGE = 4096 };
#define FIRST_ADDRESS 0x1000000000ull

static struct { RtPiece *pieces; int count, capacity; uint64_t next; } memory = {.next = FIRST_ADDRESS};

const RtPiece *rt_pieces(int *count) {
  *count = memory.count;
  return memory.pieces;
}

static size_t pages_of(size_t size) { return (size + 2 * PAGE - 1) / PAGE * PAGE; }

// Memory begins as zero, as that of a process does that is the first on a GPU. Behind each piece lies a page at least
// that is nobody's.
static cudaError_t take(void **pointer, size_t size) {
  if (rt_state()) return rt_state();
  if (!pointer) return rt_fail(cudaErrorInvalidValue);
  *pointer = NULL;
  if (size == 0) return cudaSuccess;
  void *wanted = (void *)(uintptr_t)memory.next;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  void *at = mmap(wanted, pages_of(size), PROT_READ | PROT_WRITE, flags, -1, 0);
  if (at != wanted) return rt_fail(cudaErrorMemoryAllocation);
  memory.next += pages_of(size) + PAGE;
  LS_PUSH(memory.pieces, memory.count, memory.capacity, ((RtPiece){(uint64_t)(uintptr_t)at, size}));
  *pointer = at;
  return cudaSuccess;
}

static cudaError_t give_back(const void *pointer) {
  for (int i = 0; i < memory.count; i++) {
    if (memory.pieces[i].address != (uint64_t)(uintptr_t)pointer) continue;
    munmap((void *)(uintptr_t)memory.pieces[i].address, pages_of(memory.pieces[i].size));
    memory.pieces[i] = memory.pieces[--memory.count];
    return rt_state();
  }
  return pointer ? rt_fail(cudaErrorInvalidValue) : rt_state();
}

void *rt_host(const void *pointer) {
  const RtVariable *variable = rt_variable_at((uint64_t)(uintptr_t)pointer);
  return variable ? variable->bytes + ((uint64_t)(uintptr_t)pointer - variable->address) : (void *)(uintptr_t)pointer;
}

cudaError_t cudaMalloc(void **pointer, size_t size) { return take(pointer, size); }
cudaError_t cudaMallocHost(void **pointer, size_t size) { return take(pointer, size); }
cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned flags) { return (void)flags, take(pointer, size); }
cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned flags) { return (void)flags, take(pointer, size); }
cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaStream_t stream) {
  return (void)stream, take(pointer, size);
}
cudaError_t cudaFree(void *pointer) { return give_back(pointer); }
cudaError_t cudaFreeHost(void *pointer) { return give_back(pointer); }
cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream) { return (void)stream, give_back(pointer); }

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return take(pointer, *pitch * height);
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
  return (void)flags, *device = host, rt_state();
}

cudaError_t cudaMemGetInfo(size_t *room, size_t *total) { return *room = *total = (size_t)8 << 30, rt_state(); }

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind) {
  (void)kind;
  if (rt_state() || size == 0) return rt_state();
  if (!to || !from) return rt_fail(cudaErrorInvalidValue);
  memmove(rt_host(to), rt_host(from), size);
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return (void)stream, cudaMemcpy(to, from, size, kind);
}

cudaError_t cudaMemset(void *to, int value, size_t size) {
  if (!rt_state() && size) memset(rt_host(to), value, size);
  return rt_state();
}

cudaError_t cudaMemsetAsync(void *to, int value, size_t size, cudaStream_t stream) {
  return (void)stream, cudaMemset(to, value, size);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) {
  for (size_t y = 0; y < height; y++)
    if (cudaMemcpy((char *)to + y * to_pitch, (const char *)from + y * from_pitch, width, kind)) break;
  return rt_state();
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return (void)stream, cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  for (size_t y = 0; y < height; y++) cudaMemset((char *)to + y * pitch, value, width);
  return rt_state();
}

// ---- variables of modules, by the address of their shadow in the host's code ---------------------------------------

// Bytes of a variable; NULL, and the error is known: there are none.
static uint8_t *in_variable(const void *symbol, size_t size, size_t offset) {
  const RtVariable *variable = rt_variable_of(symbol);
  if (variable && offset + size <= variable->size) return variable->bytes + offset;
  return rt_fail(variable ? cudaErrorInvalidValue : cudaErrorInvalidSymbol), NULL;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset,
                               enum cudaMemcpyKind kind) {
  uint8_t *bytes = in_variable(symbol, size, offset);
  (void)kind;
  if (!bytes) return cudaPeekAtLastError();
  memcpy(bytes, rt_host(from), size);
  return rt_state();
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, enum cudaMemcpyKind kind) {
  const uint8_t *bytes = in_variable(symbol, size, offset);
  (void)kind;
  if (!bytes) return cudaPeekAtLastError();
  memcpy(rt_host(to), bytes, size);
  return rt_state();
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
  return (void)stream, cudaMemcpyToSymbol(symbol, from, size, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  return (void)stream, cudaMemcpyFromSymbol(to, symbol, size, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol) {
  const RtVariable *variable = rt_variable_of(symbol);
  if (!variable) return rt_fail(cudaErrorInvalidSymbol);
  *address = (void *)(uintptr_t)variable->address;
  return rt_state();
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
  const RtVariable *variable = rt_variable_of(symbol);
  if (!variable) return rt_fail(cudaErrorInvalidSymbol);
  *size = (size_t)variable->size;
  return rt_state();
}

cudaError_t cudaMemPrefetchAsync(const void *at, size_t size, struct cudaMemLocation to, unsigned flags,
                                 cudaStream_t stream) {
  return (void)at, (void)size, (void)to, (void)flags, (void)stream, rt_state();
}

cudaError_t cudaMemAdvise(const void *at, size_t size, enum cudaMemoryAdvise advice, struct cudaMemLocation where) {
  return (void)at, (void)size, (void)advice, (void)where, rt_state();
}
