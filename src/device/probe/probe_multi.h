// probe_multi.h: instructions that are several accesses at once, and what their registers tell of these.
//
//   COPY       cp.async: a load from global memory, a store to shared memory; what is left out of a source is not loaded
//   BULK       cp.async.bulk: 16 bytes after 16 bytes, a load and a store each; then what tells an mbarrier of it
//   TILES      ldmatrix, stmatrix: rows of 16 bytes, by eight lanes for each matrix
//   FRAGMENT   wmma.load, wmma.store: chunks of a matrix that address and stride tell (sim/ops/fragment.h)
//   TEXELS     tex, tld4, suld, sust: an access to each image that lanes name, at the texels that their coordinates tell
//              (sim/ops/texel.h)
//   MBARRIER   an operation on an mbarrier, which is an atomic for the emulator, or a store. What the 64 bits of it
//              are nobody may look at, so old values are not told
#ifndef LS_DEVICE_PROBE_MOVES_H
#define LS_DEVICE_PROBE_MOVES_H

#include "device/probe/probe_affine.h"
#include "device/probe/probe_decoder.h"
#include "sim/core/form.h"
#include "sim/ops/fragment.h"
#include "sim/ops/texel.h"

typedef enum MoveKind { MOVE_COPY, MOVE_BULK, MOVE_TILES, MOVE_FRAGMENT, MOVE_MBARRIER, MOVE_TEXELS } MoveKind;
enum { MOVE_ROWS = 3, MOVE_LOAD = 0, MOVE_STORE = 1, MOVE_DONE = 2 };   // rows of copies

// What it counts as: accesses to one space, with slots from those of the group on.
typedef struct MoveRow { uint8_t trace_kind; ProbeGroup group; } MoveRow;

struct ProbeMove {
  uint8_t kind;                          // MoveKind
  uint8_t trace_kind;                    // TraceKind of the instruction
  int arrays;                            // of its record
  bool gathers;                          // lanes meet here
  const PtxOperand *address;             // of the source of a copy
  const PtxOperand *to;                  // of a copy
  const PtxOperand *size;                // of a copy; NULL: all of it. TILES, FRAGMENT: see below. MBARRIER: the operand, NULL: 1
  const PtxOperand *mbarrier;            // that a bulk copy tells
  bool ignores;                          // size is a predicate: nothing is read where it holds
  bool looks;                            // MBARRIER: a wait, which has no operand
  bool returns_old;
  int tiles;
  MatrixTransfer transfer;
  SimTexelForm texels;
  MoveRow rows[MOVE_ROWS]; int row_count;
  int slots;                             // of its group: two of a GUARD, then those of the rows; of TEXELS PROBE_TURN_COUNTS
};

void probe_find_moves(Probe *probe);
const ProbeMove *probe_move_of(const Probe *probe, int pc);   // NULL: it is none
// A copy by all lanes of its segment, of all that it may copy: its rows are counted as accesses of their own.
bool probe_is_plain_move(const Probe *probe, int pc);
// Places the counters of the move's rows, and returns how many counters it has.
int probe_lay_move(Probe *probe, AffineRegs *affine_regs, int pc);
// A row as a group of its own, for a group of a move.
ProbeGroup probe_row_group(const ProbeGroup *g, const MoveRow *row);

void probe_count_move(const Probe *probe, const ProbeGroup *g, LsText *out);
void probe_emit_move(const Probe *probe, const ProbeSite *site, LsText *out);

// TEXELS: probe_texels.c
void probe_count_texels(const Probe *probe, const ProbeGroup *g, LsText *out);
void probe_emit_texels(const Probe *probe, const ProbeSite *site, LsText *out);
void probe_decode_texels(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask);

void probe_decode_move(ProbeDecoder *d, int pc, uint32_t active, uint32_t mask);   // probe_decode_multi.c

#endif
