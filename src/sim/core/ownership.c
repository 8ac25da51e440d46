// ownership.c: which thread may use which words of global memory while blocks run on several threads (parallel.c).
//
// Such a run is the same as one on a single thread if no word is written by one thread and used by another: every
// thread runs its blocks in order, so each word sees what it would have seen. Before a thread uses a word it claims it:
//
//   free -> read by one thread -> read by several        one byte per word; whoever finds that a word is another's does
//        -> written by one thread                        not touch it, and the run begins again on one thread
//        -> changed by several, all in the same way
//
// The last are atomics on integers that may come in any order (all add, say), if nobody sees in which they came: the old
// value is not used, and the block not recorded.
//
// Only buffers that the kernel may write have claims (written.c), and not those in which no two blocks can meet
// (disjoint.c): an access that is not known to keep to its block's places there finds that all is another's. A kernel
// with accesses of single bytes has a byte per byte.
// Lines of 32 words have a claim, too: who uses all of a line at once claims no more than that, until somebody uses a
// part of a line that nobody has claimed. From then on it is MIXED, and its words are claimed one by one.
#include "sim/core/ownership.h"
#include <stdatomic.h>
#include <stdlib.h>
#include "sim/core/joint.h"

enum { READER = 0x40, READERS = 0x60, MIXED = 0x20 };   // READER | thread; a writer is the thread alone
enum { JOINT = 0x80 };                    // | what they do; stands for the thread
enum { LINE_BITS = 5, LINE = 1 << LINE_BITS };   // words
#define EVERY_BYTE 0x0101010101010101ull

typedef _Atomic uint64_t Cell;            // claims of eight words

typedef struct Claim { uint8_t me; bool writes; } Claim;

// What becomes of the claim on a word; 0: it is another's.
static uint8_t claimed(uint8_t now, Claim c) {
  if (now == c.me) return now;
  if (c.writes) return !now || now == (READER | c.me) ? c.me : 0;
  if (!now) return READER | c.me;
  if (!(now & READER)) return 0;
  return now == (READER | c.me) ? now : READERS;
}

static bool claim_bytes(uint64_t old, uint64_t mask, Claim c, uint64_t *now) {
  uint64_t fresh = EVERY_BYTE * (c.writes ? c.me : READER | c.me);
  *now = old | (fresh & mask);
  if (!(old & mask)) return true;
  for (int shift = 0; shift < 64; shift += 8) {
    if (!(mask >> shift & 255)) continue;
    uint8_t byte = claimed((uint8_t)(old >> shift), c);
    if (!byte) return false;
    *now = (*now & ~(255ull << shift)) | (uint64_t)byte << shift;
  }
  return true;
}

// Is there nothing to be changed in the bytes of mask?
static bool is_settled(uint64_t now, uint64_t mask, Claim c) {
  if (!((now ^ EVERY_BYTE * c.me) & mask)) return true;
  if (c.writes) return false;
  return !((now ^ EVERY_BYTE * (READER | c.me)) & mask) || !((now ^ EVERY_BYTE * READERS) & mask);
}

// is_fresh: it is probably free, and perhaps the first of its page. To look at a page first and then to write to it
// costs two page faults, and an interrupt of the other threads' processors.
static bool claim_cell(Cell *cell, uint64_t mask, Claim c, bool is_fresh) {
  uint64_t old = is_fresh ? 0 : atomic_load_explicit(cell, memory_order_relaxed), now;
  do {
    if (is_settled(old, mask, c)) return true;
    if (!claim_bytes(old, mask, c, &now)) return false;
  } while (now != old && !atomic_compare_exchange_weak(cell, &old, now));
  return true;
}

static bool claim_words(const SimAlloc *a, uint64_t first, uint64_t end, Claim c, bool is_fresh) {
  while (first < end) {
    uint64_t cell = first / 8, last = LS_MIN(end, cell * 8 + 8), count = last - first;
    uint64_t mask = (count == 8 ? ~0ull : (1ull << count * 8) - 1) << first % 8 * 8;
    if (!claim_cell(&a->owners[cell], mask, c, is_fresh)) return false;
    first = last;
  }
  return true;
}

// Words first to end - 1 of one line. A part of a line that is somebody's already is claimed as if it were the whole.
static bool claim_in_line(const SimAlloc *a, uint64_t first, uint64_t end, Claim c) {
  _Atomic uint8_t *line = &a->line_owners[first / LINE];
  uint8_t old = atomic_load_explicit(line, memory_order_relaxed), now;
  do {
    if (old == MIXED) return claim_words(a, first, end, c, false);
    now = !old && end - first < LINE ? MIXED : claimed(old, c);
    if (!now) return false;
  } while (now != old && !atomic_compare_exchange_weak(line, &old, now));
  return now != MIXED || claim_words(a, first, end, c, true);
}

// The words that `size` bytes at `offset` of the allocation lie in.
static bool claim_range(const SimExec *exec, const SimAlloc *a, uint64_t offset, uint64_t size, Claim c) {
  uint64_t first = offset >> exec->memory->owner_shift, end = ((offset + size - 1) >> exec->memory->owner_shift) + 1;
  while (first < end) {
    uint64_t last = LS_MIN(end, first / LINE * LINE + LINE);
    if (!claim_in_line(a, first, last, c)) return false;
    first = last;
  }
  return true;
}

static bool claim_all(SimExec *exec, const SimSpan *span, const SimFit *fit, uint32_t mask, uint64_t width, Claim c) {
  const SimAlloc *a = span->alloc;
  const uint64_t *addr = exec->addr;
  if (mask == SIM_FULL && fit->contiguous) return claim_range(exec, a, addr[0] - a->base, width * SIM_LANES, c);
  if (mask == SIM_FULL && (fit->half_contiguous || fit->half_uniform)) {
    uint64_t size = fit->half_uniform ? width : width * SIM_LANES / 2;
    return claim_range(exec, a, addr[0] - a->base, size, c) && claim_range(exec, a, addr[16] - a->base, size, c);
  }
  SIM_FOR_LANES(i, mask) if (!claim_range(exec, a, addr[i] - a->base, width, c)) return false;
  return true;
}

void sim_give_up(SimExec *exec) {
  if (!sim_is_worker(exec)) { sim_ownership_free(exec); return; }
  exec->stopping = true;
  atomic_store(exec->crew_stop, true);
}

static bool claim_or_give_up(SimExec *exec, bool claimed_all) {
  if (claimed_all) return true;
  sim_give_up(exec);
  return !exec->stopping;
}

// 1 and 2 are those that ask for the sign.
static int joint_op(int op) {
  static const uint8_t ops[] = {PTX_AT_ADD, PTX_AT_MIN, PTX_AT_MAX, PTX_AT_AND, PTX_AT_OR, PTX_AT_XOR};
  for (int i = 0; i < LS_COUNT(ops); i++) if (ops[i] == op) return i;
  return -1;
}

// What the atomic does to a word, as a claim; 0: its order could be seen. Words that nobody has written are left to
// the checks of one thread, and so are atomics for their own block alone, which others may not meet.
static uint8_t joint_claim(const SimExec *exec, const SimInst *inst, const SimSpan *span) {
  const SimMem *m = inst->more;
  int op = inst->kind == TRACE_ATOM ? joint_op(m->op) : -1;
  bool exact = m->elem >= 4 && !ptx_type_is_float((PtxType)m->type);
  bool is_signed = (op == 1 || op == 2) && ptx_type_is_signed((PtxType)m->type);
  bool used = !m->unused && m->data[0] != SIM_NO_SLOT;
  bool may_race = m->how & SIM_BLOCK_SCOPE && exec->checks & SIM_CHECK_RACE;
  if (op < 0 || !exact || used || may_race || exec->recording || span->init) return 0;
  return (uint8_t)(JOINT | op << 2 | is_signed << 1 | (m->elem == 8));
}

bool sim_ownership_claim(SimExec *exec, const SimInst *inst, const SimSpan *span, const SimFit *fit, uint32_t mask) {
  const SimMem *m = inst->more;
  bool writes = inst->kind != TRACE_LOAD;
  if (!sim_ownership_asks(span->alloc, m, writes)) return true;   // the usual case
  uint8_t joint = joint_claim(exec, inst, span);
  Claim c = {.me = joint ? joint : exec->owner_number, .writes = writes};
  exec->joint = joint != 0;
  exec->kept = joint && span->alloc->owners && sim_joint_is_kept(exec, m);
  if (exec->kept) return claim_or_give_up(exec, sim_joint_keep(exec, inst, span, mask));
  return claim_or_give_up(exec, span->alloc->owners && claim_all(exec, span, fit, mask, m->width, c));
}

bool sim_ownership_claim_joint(SimExec *exec, const SimInst *inst, const SimSpan *span, uint64_t offset) {
  Claim c = {.me = joint_claim(exec, inst, span), .writes = true};
  return claim_range(exec, span->alloc, offset, ((const SimMem *)inst->more)->width, c);
}

bool sim_ownership_claim_joint_all(SimExec *exec, const SimInst *inst, const SimSpan *span) {
  Claim c = {.me = joint_claim(exec, inst, span), .writes = true};
  return claim_range(exec, span->alloc, 0, span->alloc->size, c);
}

static bool claim_places(const SimExec *exec, const SimShape *s, uint64_t at, Claim c) {
  const SimAlloc *a = s->span.alloc;
  uint64_t width = s->like.low_bits + 1;
  switch ((SimForm)s->form) {
  case SIM_FORM_ROW: return claim_range(exec, a, at, width * SIM_LANES, c);
  case SIM_FORM_SAME: return claim_range(exec, a, at, width, c);
  case SIM_FORM_HALF_ROWS:
    return claim_range(exec, a, at, width * SIM_LANES / 2, c) &&
           claim_range(exec, a, at + s->places[SIM_LANES / 2], width * SIM_LANES / 2, c);
  case SIM_FORM_HALF_SAME:
    return claim_range(exec, a, at, width, c) && claim_range(exec, a, at + s->places[SIM_LANES / 2], width, c);
  default: break;
  }
  SIM_FOR_LANES(i, s->like.mask) if (!claim_range(exec, a, at + s->places[i], width, c)) return false;
  return true;
}

__attribute__((noinline)) static bool claim_any(SimExec *exec, const SimShape *s, uint64_t at) {
  Claim c = {.me = exec->owner_number, .writes = s->is_store};
  return claim_or_give_up(exec, s->span.alloc->owners && claim_places(exec, s, at, c));
}

// A row that is one line, and free or this thread's already.
static inline bool claim_line(const SimExec *exec, const SimShape *s, uint64_t at) {
  int shift = exec->memory->owner_shift + LINE_BITS;
  bool is_line = s->form == SIM_FORM_ROW && (uint64_t)(s->like.low_bits + 1) * SIM_LANES == 1ull << shift;
  if (!is_line || at & ((1ull << shift) - 1)) return false;
  _Atomic uint8_t *line = &s->span.alloc->line_owners[at >> shift];
  uint8_t old = atomic_load_explicit(line, memory_order_relaxed);
  uint8_t mine = s->is_store ? exec->owner_number : READER | exec->owner_number;
  return old == mine || (!old && atomic_compare_exchange_strong(line, &old, mine));
}

bool sim_ownership_claim_shape(SimExec *exec, const SimShape *s, const uint8_t *place) {
  const SimAlloc *a = s->span.alloc;
  uint64_t at = (uint64_t)(place - a->bytes);
  if (a->line_owners && claim_line(exec, s, at)) return true;
  return (!s->is_store && !a->owners && !a->is_disjoint) || claim_any(exec, s, at);
}

bool sim_ownership_claim_read(SimExec *exec, const SimAlloc *a, uint64_t offset, uint64_t size) {
  Claim c = {.me = exec->owner_number};
  if (!exec->owner_number || (!a->owners && !a->is_disjoint)) return true;
  return claim_or_give_up(exec, a->owners && claim_range(exec, a, offset, size, c));
}

// ---- start and end -------------------------------------------------------------------------------------------------

static bool has_small_accesses(const SimProgram *program) {
  for (int pc = 0; pc < program->module->code_count; pc++) {
    const SimInst *inst = &program->code[pc];
    if (inst->access == SIM_NO_ACCESS) continue;
    const SimMem *m = inst->more;
    if ((m->space == PTX_GLOBAL || m->space == PTX_GENERIC) && m->width < 4) return true;
  }
  return false;
}

static size_t bytes_of_owners(const SimMemory *memory, const SimAlloc *a) {
  return (a->size >> memory->owner_shift) + 16;
}

static size_t bytes_of_lines(const SimMemory *memory, const SimAlloc *a) {
  return (a->size >> memory->owner_shift) / LINE + 1;
}

// Most lines stay in one hand, so most pages of claims on words are never used.
void sim_ownership_new(SimExec *exec) {
  exec->memory->owner_shift = has_small_accesses(exec->program) ? 0 : 2;
  exec->owner_number = 1;
  for (int i = 0; i < exec->memory->alloc_count; i++) {
    SimAlloc *a = &exec->memory->allocs[i];
    if (a->is_const || !a->may_be_written || a->is_disjoint) continue;
    a->owners = ls_alloc_pages(bytes_of_owners(exec->memory, a));
    a->line_owners = ls_alloc_ready(bytes_of_lines(exec->memory, a));
  }
}

void sim_ownership_free(SimExec *exec) {
  for (int i = 0; i < exec->memory->alloc_count; i++) {
    SimAlloc *a = &exec->memory->allocs[i];
    if (!a->owners) continue;
    ls_free_pages((void *)a->owners, bytes_of_owners(exec->memory, a));
    ls_free_pages((void *)a->line_owners, bytes_of_lines(exec->memory, a));
    a->owners = NULL;
    a->line_owners = NULL;
  }
  exec->owner_number = 0;
}
