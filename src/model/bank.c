// bank.c: wavefronts of shared memory accesses.
#include "model/bank.h"
#include "base/mem.h"
#include "model/coal.h"

enum { WORD = 4, BANKS = 32 };

// A bank's words in one pass: how many distinct ones, and which lane brought each (newest first, as a chain).
typedef struct BankState { uint64_t top; uint8_t count, chain; } BankState;
typedef struct Entry { uint64_t word; uint8_t next, ordinal; } Entry;

// Where the words of one pass go. `ordinal` of a word: the wavefront of the pass that brings it. The entries are for
// 32 lanes with up to 5 words each, as two merged passes of 16-byte loads have.
typedef struct Pass {
  BankState banks[BANKS];
  Entry entries[256];        // [1..]; 0 ends a chain
  int entry_count, degree;
} Pass;

static int lanes_per_pass(int width, int word_bytes) {
  int lanes = 32;
  while (lanes > 4 && lanes * width > 32 * word_bytes) lanes /= 2;
  return lanes;
}

static uint32_t lanes_from(int first, int count) { return (count == 32 ? UINT32_MAX : (1u << count) - 1) << first; }

// Every active lane's partner, the lane with one bit of its number flipped, is not active or wants the same address.
static bool partners_agree(uint32_t mask, const uint64_t addr[32], int flip) {
  for (uint32_t left = mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left), partner = lane ^ flip;
    if (mask >> partner & 1 && addr[lane] != addr[partner]) return false;
  }
  return true;
}

// Cuts the active lanes into passes of `lanes`, two at a time because two may merge. Returns how many have a lane.
static int split_passes(bool may_merge, uint32_t mask, int lanes, const uint64_t addr[32], uint32_t passes[8]) {
  int count = 0;
  for (int first = 0; first < 32; first += 2 * lanes) {
    uint32_t lower = mask & lanes_from(first, lanes), upper = lanes == 32 ? 0 : mask & lanes_from(first + lanes, lanes);
    uint32_t both = lower | upper;
    bool merge = may_merge && (partners_agree(both, addr, 1) || partners_agree(both, addr, 2));
    if (merge) lower = both, upper = 0;
    if (lower) passes[count++] = lower;
    if (upper) passes[count++] = upper;
  }
  return count;
}

static int new_word(Pass *pass, BankState *bank, uint64_t word) {
  int ordinal = bank->count++;
  if (pass->entry_count + 1 < LS_COUNT(pass->entries)) {
    pass->entries[++pass->entry_count] = (Entry){word, bank->chain, (uint8_t)ordinal};
    bank->chain = (uint8_t)pass->entry_count;
  }
  if (ordinal == 0 || word > bank->top) bank->top = word;
  pass->degree = LS_MAX(pass->degree, bank->count);
  return ordinal;
}

// Wavefront of the pass that brings the word. Words mostly come in ascending order: then nobody has to search.
static int place_word(Pass *pass, uint64_t word, unsigned bank_mask) {
  BankState *bank = &pass->banks[word & bank_mask];
  if (bank->count == 0 || word > bank->top) return new_word(pass, bank, word);
  for (int e = bank->chain; e; e = pass->entries[e].next)
    if (pass->entries[e].word == word) return pass->entries[e].ordinal;
  return new_word(pass, bank, word);
}

// Whole words, and no bank is wanted for more than one of them: the usual case of a well-made access.
static bool is_conflict_free(uint32_t mask, const uint64_t addr[32]) {
  uint64_t word_of[BANKS];
  uint32_t seen = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    uint64_t at = addr[__builtin_ctz(left)];
    unsigned bank = at / WORD % BANKS;
    if (at % WORD || (seen >> bank & 1 && word_of[bank] != at)) return false;
    word_of[bank] = at;
    seen |= 1u << bank;
  }
  return true;
}

static int pass_wavefronts(uint32_t mask, int width, const uint64_t addr[32]) {
  Pass pass;
  pass.entry_count = pass.degree = 0;
  for (int b = 0; b < BANKS; b++) pass.banks[b].count = pass.banks[b].chain = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    uint64_t at = addr[__builtin_ctz(left)], last = (at + (uint64_t)width - 1) / WORD;
    for (uint64_t word = at / WORD; word <= last; word++) place_word(&pass, word, BANKS - 1);
  }
  return pass.degree;
}

int bank_count(bool is_load, uint32_t mask, int width, const uint64_t addr[32], int *ideal) {
  int lanes = lanes_per_pass(width, WORD), wavefronts = 0;
  *ideal = mask ? 32 / lanes : 0;
  if (!mask) return 0;
  bool whole_words = width >= WORD && addr[0] % WORD == 0;
  if (mask == UINT32_MAX && whole_words && coal_is_consecutive(width, addr)) return *ideal;
  if (width == WORD && is_conflict_free(mask, addr)) return 1;
  uint32_t passes[8];
  *ideal = split_passes(is_load && lanes < 32, mask, lanes, addr, passes);
  for (int p = 0; p < *ideal; p++) wavefronts += pass_wavefronts(passes[p], width, addr);
  return wavefronts;
}

// ---- the whole picture ---------------------------------------------------------------------------------------------

// A word that passes share is one word of its bank.
static void count_words(Banking *out) {
  for (int i = 0; i < out->word_count; i++) {
    int seen = 0;
    while (out->words[seen].word != out->words[i].word) seen++;
    if (seen < i) continue;
    out->distinct_words++;
    if (out->bank_words[out->words[i].word % (unsigned)out->bank_count]++ == 0) out->banks_used++;
  }
}

// The words of the pass begin at `first`.
static void take_word(Banking *out, int first, int lane, uint64_t word, int wave) {
  int at = first;
  while (at < out->word_count && out->words[at].word != word) at++;
  if (at == out->word_count) out->words[out->word_count++] = (BankWord){word, 0, wave};
  out->words[at].lanes |= 1u << lane;
  out->bank_lanes[word % (unsigned)out->bank_count] |= 1u << lane;
}

static void analyze_pass(Banking *out, uint32_t mask, int width, const uint64_t *addr) {
  Pass pass = {0};
  uint32_t done[32] = {0};
  int first = out->word_count;
  for (uint32_t left = mask; left; left &= left - 1) {
    int lane = __builtin_ctz(left), wave = 0;
    uint64_t last = (addr[lane] + (uint64_t)width - 1) / (unsigned)out->word_bytes;
    for (uint64_t word = addr[lane] / (unsigned)out->word_bytes; word <= last; word++) {
      int ordinal = place_word(&pass, word, (unsigned)out->bank_count - 1);
      take_word(out, first, lane, word, out->wavefronts + ordinal);
      wave = LS_MAX(wave, ordinal);
    }
    done[LS_MIN(wave, 31)] |= 1u << lane;
  }
  for (int w = 0; w < pass.degree && out->wave_count < LS_COUNT(out->waves); w++)
    out->waves[out->wave_count++].lanes = done[LS_MIN(w, 31)];
  for (int b = 0; b < out->bank_count; b++) out->bank_most[b] = LS_MAX(out->bank_most[b], pass.banks[b].count);
  out->wavefronts += pass.degree;
  out->ideal += mask != 0;
  out->degree = LS_MAX(out->degree, pass.degree);
}

void bank_analyze(const TraceEvent *event, BankMode mode, Banking *out) {
  *out = (Banking){.bank_count = mode == BANK_16_HALF ? 16 : 32, .word_bytes = mode == BANK_KEPLER_8 ? 8 : WORD};
  int width = LS_CLAMP(event->width, 1, 32);
  out->pass_lanes = mode == BANK_16_HALF ? 16 : lanes_per_pass(width, out->word_bytes);
  if (!event->addr) return;
  bool may_merge = mode == BANK_32X4 && event->kind == TRACE_LOAD && out->pass_lanes < 32;
  out->pass_count = split_passes(may_merge, event->mask, out->pass_lanes, event->addr, out->passes);
  for (int p = 0; p < out->pass_count; p++) analyze_pass(out, out->passes[p], width, event->addr);
  count_words(out);
  out->conflicts = out->wavefronts - out->ideal;
}
