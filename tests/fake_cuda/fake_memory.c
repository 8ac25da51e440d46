// fake_memory.c: memory of the device: each piece a piece of the emulator's memory, far from the next.
#include "fake_cuda.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/mem.h"

enum { PAGE = 4096, GAP = 1 << 20, GARBAGE = 0xee, GARBAGE_FRONT = 8 << 20, GARBAGE_BACK = 1 << 20, VERY_LARGE = 16 << 20 };
#define FIRST_ADDRESS 0x200000000ull
#define PLACE_BYTES (1ull << 28)

static struct { FakeBytes *pieces; int count, capacity; uint64_t taken, next; } memory;

const FakeBytes *fake_memory(int *count) {
  *count = memory.count;
  return memory.pieces;
}

static uint8_t *inside(const FakeBytes *piece, DriverAddress address, size_t size) {
  bool is = piece && piece->bytes && address >= piece->address && size <= piece->size && address - piece->address <= piece->size - size;
  return is ? piece->bytes + (address - piece->address) : NULL;
}

uint8_t *fake_bytes_at(DriverAddress address, size_t size) {
  for (int i = 0; i < memory.count; i++) {
    uint8_t *bytes = inside(&memory.pieces[i], address, size);
    if (bytes) return bytes;
  }
  return inside(fake_variable_at(address, size), address, size);
}

int cuMemGetInfo_v2(size_t *room, size_t *total) {
  int answer = fake_begin_work();
  *total = (size_t)fake_setting("FAKE_CUDA_MEMORY", 1u << 30);
  *room = *total - LS_MIN(*total, (size_t)memory.taken);
  return answer;
}

// What nobody has written is not zero. Of what is very large, as room for records, that holds where it begins and ends:
// pages that nobody uses are not made.
static void spoil(uint8_t *bytes, size_t size) {
  size_t front = LS_MIN(size, (size_t)GARBAGE_FRONT), back = LS_MIN(size - front, (size_t)GARBAGE_BACK);
  memset(bytes, GARBAGE, front);
  memset(bytes + size - back, GARBAGE, back);
}

int cuMemAlloc_v2(DriverAddress *address, size_t bytes) {
  int answer = fake_begin_work();
  if (answer) return answer;
  if (bytes == 0) return FAKE_INVALID_VALUE;
  uint64_t total = fake_setting("FAKE_CUDA_MEMORY", 1u << 30);
  if (bytes > total || memory.taken > total - bytes) return FAKE_OUT_OF_MEMORY;
  if (memory.count == 0) memory.next = FIRST_ADDRESS + fake_setting("FAKE_CUDA_PLACE", 0) * PLACE_BYTES;   // of a new context
  FakeBytes piece = {.address = memory.next, .size = bytes, .bytes = malloc(bytes)};
  if (!piece.bytes) return FAKE_OUT_OF_MEMORY;
  spoil(piece.bytes, bytes);
  memory.next += (bytes + GAP) / PAGE * PAGE + GAP;
  memory.taken += bytes;
  LS_PUSH(memory.pieces, memory.count, memory.capacity, piece);
  *address = piece.address;
  fake_live(1);
  return 0;
}

// Memory of the host that the device sees: a piece like any other, whose bytes are known by their address, too.
int cuMemHostAlloc(void **bytes, size_t size, unsigned flags) {
  DriverAddress address;
  (void)flags;
  int answer = cuMemAlloc_v2(&address, size);
  if (answer == 0) *bytes = fake_bytes_at(address, size);
  return answer;
}

static const FakeBytes *of_host(const void *bytes) {
  for (int i = 0; i < memory.count; i++)
    if (memory.pieces[i].bytes == bytes) return &memory.pieces[i];
  return NULL;
}

int cuMemHostGetDevicePointer_v2(DriverAddress *address, void *bytes, unsigned flags) {
  int answer = fake_begin_work();
  const FakeBytes *piece = of_host(bytes);
  (void)flags;
  if (answer || !piece) return answer ? answer : FAKE_INVALID_VALUE;
  *address = piece->address;
  return 0;
}

int cuMemFreeHost(void *bytes) {
  const FakeBytes *piece = of_host(bytes);
  return piece ? cuMemFree_v2(piece->address) : FAKE_INVALID_VALUE;
}

int cuMemFree_v2(DriverAddress address) {
  int answer = fake_begin_release();
  fake_finish_all();
  for (int i = 0; i < memory.count; i++) {
    if (memory.pieces[i].address != address) continue;
    memory.taken -= memory.pieces[i].size;
    free(memory.pieces[i].bytes);
    memory.pieces[i] = memory.pieces[--memory.count];
    fake_live(-1);
    if (memory.count == 0) {     // nothing is left over for a leak checker
      free(memory.pieces);
      memory.pieces = NULL;
      memory.capacity = 0;
    }
    return answer;
  }
  return FAKE_INVALID_VALUE;
}

// ---- moving --------------------------------------------------------------------------------------------------------

enum { BYTES_PER_NS = 4 };

// A copy or a set that waits in a stream.
typedef struct Move { uint8_t *to; const uint8_t *from; uint8_t *staged; size_t bytes; unsigned char value; } Move;

// Zeros. Whole pages of what is very large are given back: they are zero when they are next used.
static void clear(uint8_t *bytes, size_t size) {
  size_t front = size < VERY_LARGE ? size : -(uintptr_t)bytes % PAGE, pages = (size - front) / PAGE * PAGE;
  if (pages && madvise(bytes + front, pages, MADV_DONTNEED) != 0) front = size, pages = 0;
  memset(bytes, 0, front);
  memset(bytes + front + pages, 0, size - front - pages);
}

static uint64_t move(void *context) {
  const Move *m = context;
  if (m->from) memmove(m->to, m->from, m->bytes);
  else if (m->value) memset(m->to, m->value, m->bytes);
  else clear(m->to, m->bytes);
  return m->bytes / BYTES_PER_NS + 1;
}

static void move_free(void *context) {
  free(((Move *)context)->staged);
  free(context);
}

static int queue_move(void *stream, Move m) {
  Move *kept = ls_alloc(sizeof *kept);
  *kept = m;
  fake_queue(stream, (FakeWork){move, move_free, kept});
  return 0;
}

bool fake_is_pinned(const void *bytes, size_t size) {
  for (int i = 0; i < memory.count; i++) {
    const uint8_t *start = memory.pieces[i].bytes, *at = bytes;
    if (at >= start && at + size <= start + memory.pieces[i].size) return true;
  }
  return false;
}

// What waits for the host does so behind all that the default stream waits for.
static int move_now(Move m, void *stream) {
  fake_finish(stream);
  move(&m);
  return fake_fault();
}

int cuMemsetD8_v2(DriverAddress address, unsigned char value, size_t bytes) {
  int answer = fake_begin_work();
  uint8_t *at = fake_bytes_at(address, bytes);
  if (answer || !at) return answer ? answer : FAKE_INVALID_VALUE;
  return move_now((Move){.to = at, .value = value, .bytes = bytes}, NULL);
}

int cuMemcpyHtoD_v2(DriverAddress to, const void *from, size_t bytes) {
  int answer = fake_begin_work();
  uint8_t *at = fake_bytes_at(to, bytes);
  if (answer || !at) return answer ? answer : FAKE_INVALID_VALUE;
  return move_now((Move){.to = at, .from = from, .bytes = bytes}, NULL);
}

int cuMemcpyDtoH_v2(void *to, DriverAddress from, size_t bytes) {
  int answer = fake_begin_work();
  const uint8_t *at = fake_bytes_at(from, bytes);
  if (answer || !at) return answer ? answer : FAKE_INVALID_VALUE;
  return move_now((Move){.to = to, .from = at, .bytes = bytes}, NULL);
}

int cuMemcpyDtoD_v2(DriverAddress to, DriverAddress from, size_t bytes) {
  int answer = fake_begin_work();
  uint8_t *target = fake_bytes_at(to, bytes);
  const uint8_t *source = fake_bytes_at(from, bytes);
  if (answer || !target || !source) return answer ? answer : FAKE_INVALID_VALUE;
  return move_now((Move){.to = target, .from = source, .bytes = bytes}, NULL);
}

static int check_stream(int answer, const void *stream, bool fits) {
  return answer ? answer : !fake_is_stream(stream) ? FAKE_INVALID_HANDLE : fits ? 0 : FAKE_INVALID_VALUE;
}

// From pageable memory the bytes are taken at once; from pinned memory when the stream comes to it.
int cuMemcpyHtoDAsync_v2(DriverAddress to, const void *from, size_t bytes, void *stream) {
  uint8_t *at = fake_bytes_at(to, bytes);
  int answer = check_stream(fake_begin_work(), stream, at != NULL);
  if (answer) return answer;
  Move m = {.to = at, .from = from, .bytes = bytes};
  if (!fake_is_pinned(from, bytes)) m.from = m.staged = memcpy(ls_alloc(bytes + 1), from, bytes);
  return queue_move(stream, m);
}

// To pageable memory the host waits.
int cuMemcpyDtoHAsync_v2(void *to, DriverAddress from, size_t bytes, void *stream) {
  const uint8_t *at = fake_bytes_at(from, bytes);
  int answer = check_stream(fake_begin_work(), stream, at != NULL);
  if (answer) return answer;
  queue_move(stream, (Move){.to = to, .from = at, .bytes = bytes});
  if (!fake_is_pinned(to, bytes)) fake_finish(stream);
  return 0;
}

int cuMemcpyDtoDAsync_v2(DriverAddress to, DriverAddress from, size_t bytes, void *stream) {
  uint8_t *target = fake_bytes_at(to, bytes);
  const uint8_t *source = fake_bytes_at(from, bytes);
  int answer = check_stream(fake_begin_work(), stream, target && source);
  return answer ? answer : queue_move(stream, (Move){.to = target, .from = source, .bytes = bytes});
}

int cuMemsetD8Async(DriverAddress address, unsigned char value, size_t bytes, void *stream) {
  uint8_t *at = fake_bytes_at(address, bytes);
  int answer = check_stream(fake_begin_work(), stream, at != NULL);
  return answer ? answer : queue_move(stream, (Move){.to = at, .value = value, .bytes = bytes});
}
