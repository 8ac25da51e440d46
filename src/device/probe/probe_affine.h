// probe_affine.h: what is known of the addresses of an access before the kernel runs.
//
// Most kernels reach memory at places that follow from the thread's number and from what all lanes of a warp have in
// common (block, parameters, how often a loop went round): for some numbers of[thread], lane i of the warp that begins
// with thread t is of[t + i] - of[t] bytes from its first lane. Then what a GPU makes of the access, of all lanes or of
// any of them, can be counted here, once, instead of there, every time:
//
//   AFFINE_FREE  whichever lanes do it, the counters follow from how often it is done and by how many lanes: all at one
//                place, or shared memory without conflicts
//   AFFINE_FULL  all 32 lanes: they follow from where in a sector (or word) the first lane is: its phase
//
// A shape is proven if the addresses follow from registers that are written at one place each, by operations that nothing
// can wrap around for this launch. Otherwise it is a guess, and the device has to look whether all lanes are as far from
// their places as the first one is: by[0] * tid.x + by[1] * tid.y + by[2] * tid.z.
#ifndef LS_DEVICE_PROBE_AFFINE_H
#define LS_DEVICE_PROBE_AFFINE_H

#include "device/probe/probe_impl.h"

typedef enum AffineUse { AFFINE_FREE, AFFINE_FULL } AffineUse;
enum { AFFINE_PHASES = 32 };

typedef struct AffinePair { uint32_t first, second; } AffinePair;   // PROBE_FIRST, PROBE_SECOND of one execution

struct ProbeAffine {
  uint8_t use;
  bool proven;
  int32_t by[3];                   // if it is not proven
  int phases;                      // FULL: 1 if they are all the same
  int phase_bytes, unit;           // from phase to phase; after how many bytes they begin again
  AffinePair full[AFFINE_PHASES];  // FULL: of each phase
};

// How the addresses of one access go on from thread to thread: of[], unless that is a guess, of which by[] is all there
// is to it.
struct ProbeShape {
  const int64_t *of;               // of each thread of a block
  bool proven;
  int32_t by[3];                   // if it is not proven
};

// What is known of the registers of one function of a launch. Only of the entry, for others have several callers.
typedef struct AffineRegs AffineRegs;
AffineRegs *affine_new(const Probe *probe);
void affine_free(AffineRegs *affine_regs);

// Of a group of accesses; NULL: nothing. From the probe's arena.
ProbeAffine *affine_of(AffineRegs *affine_regs, const ProbeGroup *group);
// The same of a single access, wherever it goes; NULL: nothing. From the probe's arena.
ProbeShape *affine_shape(AffineRegs *affine_regs, const PtxInstr *in);
// The space that a generic address goes to, if it is known: that of a buffer or variable which something is added to.
PtxSpace affine_space(AffineRegs *affine_regs, const PtxInstr *in);
// Does the operation give the same whenever its operands are the same?
bool probe_is_pure(const PtxInstr *in);
// Is the register of the function the same for all lanes that are together and at all times?
bool affine_uniform(AffineRegs *affine_regs, int func, int reg);
// Is it besides a number that is known, and which?
bool affine_constant(AffineRegs *affine_regs, int func, int reg, int64_t *number);
// Addresses that differ by this much for all lanes alike are counted alike.
int affine_unit(const ProbeGroup *group);

#endif
