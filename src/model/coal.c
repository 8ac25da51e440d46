// coal.c: sectors, lines and bytes of warp requests.
#include "model/coal.h"
#include <string.h>
#include "base/loops.h"
#include "base/mem.h"

enum { WORD = 4, LANES_PER_SECTOR = COAL_SECTOR / WORD };

// ---- a small set of numbers ----------------------------------------------------------------------------------------

// At most 64 members, so a table of 128 slots stays sparse. slot holds the member's index + 1.
typedef struct Set { uint64_t members[64]; uint8_t slot[128]; int count; } Set;

static void set_clear(Set *set) {
  memset(set->slot, 0, sizeof set->slot);
  set->count = 0;
}

// Index of the value among the members; a new one comes last.
static int set_add(Set *set, uint64_t value) {
  unsigned at = (unsigned)(value * 0x9e3779b97f4a7c15u >> 57);
  for (; set->slot[at]; at = (at + 1) % LS_COUNT(set->slot))
    if (set->members[set->slot[at] - 1] == value) return set->slot[at] - 1;
  set->members[set->count++] = value;
  set->slot[at] = (uint8_t)set->count;
  return set->count - 1;
}

int coal_distinct(uint32_t mask, const uint64_t addr[32]) {
  if (!mask) return 0;
  uint64_t first = addr[__builtin_ctz(mask)], differ = 0;
  for (uint32_t left = mask; left; left &= left - 1) differ |= addr[__builtin_ctz(left)] ^ first;
  if (!differ) return 1;
  Set set;
  set_clear(&set);
  for (uint32_t left = mask; left; left &= left - 1) set_add(&set, addr[__builtin_ctz(left)]);
  return set.count;
}

// ---- counting ------------------------------------------------------------------------------------------------------

static int sector_count(uint64_t first, uint64_t bytes) {
  return (int)((first + bytes - 1) / COAL_SECTOR - first / COAL_SECTOR + 1);
}

// 0 or 1, without a branch, so that loops over it become vector code.
static inline uint64_t is_nonzero(uint64_t x) { return (x | (0 - x)) >> 63; }

// All lanes active, every access inside a sector, addresses never descending: sectors change when the number does.
// Returns 0 if it is not so.
static int count_ascending(int width, const uint64_t addr[32], int *bytes) {
  uint64_t sectors = 1, distinct = 1, descends = 0, off = addr[0];
  for (int i = 1; i < 31; i++) {
    uint64_t step = addr[i] - addr[i - 1];
    descends |= step;
    off |= addr[i];
    distinct += is_nonzero(step);
    sectors += is_nonzero((addr[i] >> 5) - (addr[i - 1] >> 5));
  }
  descends |= addr[31] - addr[30];
  off |= addr[31];
  distinct += addr[31] != addr[30];
  sectors += addr[31] >> 5 != addr[30] >> 5;
  if (descends >> 63 || off & (uint64_t)(width - 1)) return 0;
  *bytes = (int)distinct * width;
  return (int)sectors;
}

// Bytes that the lanes want, each counted once: the union of intervals, sorted by their start.
static int distinct_bytes(uint32_t mask, int width, const uint64_t addr[32]) {
  uint64_t starts[32];
  int count = 0, bytes = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    uint64_t start = addr[__builtin_ctz(left)];
    int at = count++;
    for (; at > 0 && starts[at - 1] > start; at--) starts[at] = starts[at - 1];
    starts[at] = start;
  }
  for (int i = 0; i < count; i++) {
    uint64_t gap = i + 1 < count ? starts[i + 1] - starts[i] : UINT64_MAX;
    bytes += gap < (uint64_t)width ? (int)gap : width;
  }
  return bytes;
}

// Active lanes whose addresses do not descend, none of which straddles a sector. Returns 0 if it is not so.
static int count_some_ascending(uint32_t mask, int width, const uint64_t addr[32], int *bytes) {
  uint64_t before = addr[__builtin_ctz(mask)], off = before;
  int sectors = 1, distinct = 1;
  for (uint32_t left = mask & (mask - 1); left; left &= left - 1) {
    uint64_t at = addr[__builtin_ctz(left)];
    if (at < before) return 0;
    off |= at;
    distinct += at != before;
    sectors += at >> 5 != before >> 5;
    before = at;
  }
  if (off & (uint64_t)(width - 1)) return 0;
  *bytes = distinct * width;
  return sectors;
}

// In any order. An address that is a multiple of the width is shared whole or not at all, and lies in one sector.
static int count_aligned(uint32_t mask, int width, const uint64_t addr[32], int *bytes) {
  Set sectors;
  set_clear(&sectors);
  for (uint32_t left = mask; left; left &= left - 1) set_add(&sectors, addr[__builtin_ctz(left)] / COAL_SECTOR);
  *bytes = width * coal_distinct(mask, addr);
  return sectors.count;
}

static int count_any(uint32_t mask, int width, const uint64_t addr[32], int *bytes) {
  Set sectors;
  set_clear(&sectors);
  for (uint32_t left = mask; left; left &= left - 1) {
    uint64_t at = addr[__builtin_ctz(left)];
    set_add(&sectors, at / COAL_SECTOR);
    set_add(&sectors, (at + (uint64_t)width - 1) / COAL_SECTOR);
  }
  *bytes = distinct_bytes(mask, width, addr);
  return sectors.count;
}

static bool is_aligned(uint32_t mask, int width, const uint64_t addr[32]) {
  uint64_t off = 0;
  for (uint32_t left = mask; left; left &= left - 1) off |= addr[__builtin_ctz(left)];
  return (off & (uint64_t)(width - 1)) == 0;
}

int coal_measure(uint32_t mask, int width, const uint64_t addr[32], int *bytes) {
  *bytes = 0;
  if (!mask) return 0;
  width = LS_CLAMP(width, 1, COAL_MAX_WIDTH);
  if (mask == UINT32_MAX && coal_is_consecutive(width, addr)) {
    *bytes = 32 * width;
    return sector_count(addr[0], (uint64_t)*bytes);
  }
  bool natural = (width & (width - 1)) == 0;   // only then does a test of low bits tell alignment
  if (!natural) return count_any(mask, width, addr, bytes);
  int sectors = mask == UINT32_MAX ? count_ascending(width, addr, bytes) : count_some_ascending(mask, width, addr, bytes);
  if (sectors) return sectors;
  return is_aligned(mask, width, addr) ? count_aligned(mask, width, addr, bytes) : count_any(mask, width, addr, bytes);
}

// How many lanes want each word of a window of memory, and at most one word of each sector.
enum { WINDOW = 4096, WINDOW_WORDS = WINDOW / WORD, WINDOW_SECTORS = WINDOW / COAL_SECTOR };
typedef struct Window { uint8_t queue[WINDOW_WORDS], longest[WINDOW_SECTORS]; } Window;

// One more lane wants the word at `at`. How many more requests that makes; new_word: whether nobody wanted it so far.
static inline int add_near(Window *window, uint64_t at, int *new_words) {
  int queue = window->queue[at / WORD] + 1, longest = window->longest[at / COAL_SECTOR];
  window->queue[at / WORD] = (uint8_t)queue;
  window->longest[at / COAL_SECTOR] = (uint8_t)LS_MAX(queue, longest);
  *new_words += queue == 1;
  return queue > longest;
}

static bool is_near(uint64_t at) { return !(at & ~(uint64_t)(WINDOW - WORD)); }

// Whole words that lie near the first one, as those of most tables do. Returns 0 if they do not.
static int count_near(uint32_t mask, const uint64_t addr[32], int *distinct) {
  uint64_t base = (addr[__builtin_ctz(mask)] - WINDOW / 2) / COAL_SECTOR * COAL_SECTOR;
  int count = 0, words = 0;
  Window window;
  memset(&window, 0, sizeof window);
  if (mask == UINT32_MAX) {
    for (int i = 0; i < 32; i++) {
      if (!is_near(addr[i] - base)) return 0;
      count += add_near(&window, addr[i] - base, &words);
    }
  } else {
    for (uint32_t left = mask; left; left &= left - 1) {
      uint64_t at = addr[__builtin_ctz(left)] - base;
      if (!is_near(at)) return 0;
      count += add_near(&window, at, &words);
    }
  }
  *distinct = words;
  return count;
}

// The same of all lanes, so close together that queues of whole rows of sectors are compared at once: those of words
// number k of all sectors lie in a row, one row for each k.
enum { CLOSE = 512, CLOSE_SECTORS = CLOSE / COAL_SECTOR, CLOSE_WORDS = CLOSE / WORD };

// Of a row of bytes that are no more than 255 together.
static int sum_of_bytes(const uint8_t row[CLOSE_SECTORS]) {
  uint64_t low, high;
  memcpy(&low, row, sizeof low);
  memcpy(&high, row + sizeof low, sizeof high);
  return (int)((low + high) * 0x0101010101010101u >> 56);
}

LS_CLONES
static int count_close(const uint64_t addr[32], int *distinct) {
  uint64_t base = (addr[0] - CLOSE / 2) / COAL_SECTOR * COAL_SECTOR, far = 0;
  uint8_t queue[CLOSE_WORDS] = {0}, place[32], longest[CLOSE_SECTORS] = {0}, free[CLOSE_SECTORS] = {0};
  LS_UNROLLED for (int i = 0; i < 32; i++) far |= addr[i] - base;
  if (far & ~(uint64_t)(CLOSE - WORD)) return 0;
  for (int i = 0; i < 32; i++) {
    uint32_t at = (uint32_t)addr[i] - (uint32_t)base;
    place[i] = (uint8_t)(at / WORD % LANES_PER_SECTOR * CLOSE_SECTORS | at / COAL_SECTOR);
  }
  LS_UNROLLED for (int i = 0; i < 32; i++) queue[place[i]]++;
  for (int k = 0; k < LANES_PER_SECTOR; k++)
    for (int s = 0; s < CLOSE_SECTORS; s++) {
      uint8_t here = queue[k * CLOSE_SECTORS + s];
      longest[s] = here > longest[s] ? here : longest[s];
      free[s] = (uint8_t)(free[s] + (here == 0));
    }
  *distinct = CLOSE_WORDS - sum_of_bytes(free);
  return sum_of_bytes(longest);
}

// Wherever they lie.
static int count_far(uint32_t mask, const uint64_t addr[32], int *distinct) {
  Set addresses, sectors;
  uint8_t queue[32] = {0}, longest[32] = {0};
  int count = 0;
  set_clear(&addresses);
  set_clear(&sectors);
  for (uint32_t left = mask; left; left &= left - 1) {
    uint64_t at = addr[__builtin_ctz(left)];
    int word = set_add(&addresses, at), sector = set_add(&sectors, at / COAL_SECTOR);
    count += ++queue[word] > longest[sector];
    longest[sector] = LS_MAX(longest[sector], queue[word]);
  }
  *distinct = addresses.count;
  return count;
}

int coal_atomic_sectors(uint32_t mask, const uint64_t addr[32], int *distinct) {
  *distinct = 0;
  if (!mask) return 0;
  int count = mask == UINT32_MAX ? count_close(addr, distinct) : 0;
  if (!count) count = count_near(mask, addr, distinct);
  return count ? count : count_far(mask, addr, distinct);
}

// Lanes of one sector of a line: 8 of them, each with up to 9 words.
static int local_sectors_of(uint32_t lanes, int width, const uint64_t addr[32]) {
  uint64_t words[LANES_PER_SECTOR * 9];
  int count = 0;
  for (uint32_t left = lanes; left; left &= left - 1) {
    uint64_t at = addr[__builtin_ctz(left)], last = (at + (uint64_t)width - 1) / WORD;
    for (uint64_t word = at / WORD; word <= last; word++) {
      int seen = 0;
      while (seen < count && words[seen] != word) seen++;
      if (seen == count) words[count++] = word;
    }
  }
  return count;
}

int coal_local_sectors(uint32_t mask, int width, const uint64_t addr[32]) {
  int sectors = 0;
  width = LS_CLAMP(width, 1, COAL_MAX_WIDTH);
  for (int first = 0; first < 32; first += LANES_PER_SECTOR)
    sectors += local_sectors_of(mask & (0xffu << first), width, addr);
  return sectors;
}

// ---- the whole picture ---------------------------------------------------------------------------------------------

static CoalLine *line_at(Coalescing *out, uint64_t base) {
  int at = out->line_count;
  while (at > 0 && out->lines[at - 1].base > base) at--;
  if (at > 0 && out->lines[at - 1].base == base) return &out->lines[at - 1];
  if (out->line_count == COAL_MAX_LINES) return NULL;
  memmove(&out->lines[at + 1], &out->lines[at], (size_t)(out->line_count++ - at) * sizeof out->lines[0]);
  out->lines[at] = (CoalLine){.base = base};
  return &out->lines[at];
}

static void add_byte(Coalescing *out, uint64_t addr, int lane) {
  CoalLine *line = line_at(out, addr / COAL_LINE * COAL_LINE);
  unsigned at = (unsigned)(addr % COAL_LINE), sector = at / COAL_SECTOR;
  if (!line) return;
  if (!(line->sectors >> sector & 1)) out->sectors++;
  if (!(line->used[at / 8] >> at % 8 & 1)) out->bytes_used++;
  line->sectors |= (uint8_t)(1u << sector);
  line->used[at / 8] |= (uint8_t)(1u << at % 8);
  line->lanes[sector] |= 1u << lane;
}

static uint64_t interleaved(uint64_t offset, int lane) {
  return offset / WORD * COAL_LINE + (unsigned)lane * WORD + offset % WORD;
}

void coal_analyze(const TraceEvent *event, CoalModel model, Coalescing *out) {
  memset(out, 0, sizeof *out);
  if (!event->addr) return;
  bool local = event->space == TRACE_LOCAL;
  uint64_t lowest = UINT64_MAX;
  unsigned width = LS_CLAMP(event->width, 1, COAL_MAX_WIDTH);
  for (uint32_t left = event->mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left);
    for (unsigned byte = 0; byte < width; byte++) {
      uint64_t at = event->addr[lane] + byte;
      at = local ? interleaved(at, lane) : at;
      lowest = LS_MIN(lowest, at);
      add_byte(out, at, lane);
    }
  }
  out->bytes_moved = model == COAL_LINES_128 ? out->line_count * COAL_LINE : out->sectors * COAL_SECTOR;
  out->ideal_sectors = (out->bytes_used + COAL_SECTOR - 1) / COAL_SECTOR;
  out->alignment = out->line_count ? (int)(lowest % COAL_SECTOR) : 0;
}

// ---- shapes --------------------------------------------------------------------------------------------------------

static bool is_strided(uint32_t mask, const uint64_t addr[32], int64_t *stride) {
  int first = __builtin_ctz(mask);
  uint32_t rest = mask & (mask - 1);
  if (!rest) return false;
  int second = __builtin_ctz(rest);
  int64_t step = (int64_t)(addr[second] - addr[first]);
  if (step % (second - first)) return false;
  step /= second - first;
  for (; rest; rest &= rest - 1) {
    int lane = __builtin_ctz(rest);
    if (addr[lane] != addr[first] + (uint64_t)(step * (lane - first))) return false;
  }
  *stride = step;
  return true;
}

static bool is_dense(uint32_t mask, int width, const uint64_t addr[32]) {
  uint64_t lowest = UINT64_MAX, highest = 0, wanted = (uint64_t)__builtin_popcount(mask) * (uint64_t)width;
  for (uint32_t left = mask; left; left &= left - 1) {
    uint64_t at = addr[__builtin_ctz(left)];
    lowest = LS_MIN(lowest, at);
    highest = LS_MAX(highest, at);
  }
  return highest - lowest + (uint64_t)width == wanted && distinct_bytes(mask, width, addr) == (int)wanted;
}

CoalShape coal_shape(uint32_t mask, int width, const uint64_t addr[32], int64_t *stride) {
  *stride = 0;
  if (coal_distinct(mask, addr) <= 1) return COAL_UNIFORM;
  if (is_strided(mask, addr, stride) && *stride != -width) return *stride == width ? COAL_CONSECUTIVE : COAL_STRIDED;
  return is_dense(mask, width, addr) ? COAL_PERMUTED : COAL_SCATTERED;
}
