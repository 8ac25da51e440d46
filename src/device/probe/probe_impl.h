// probe_impl.h: what the files of the probe share.
//
//   probe_sites.c    which instructions tell what: segments, sites, groups of accesses that are counted as one
//   probe_affine.c   what is known of the addresses of accesses before the kernel runs
//   probe_emit.c     the PTX that is put at a site: telling an event         probe_count.c   counting
//   probe_multi.c   the same for instructions that are several accesses at once
//   probe_mixed.c   which registers are the same for all lanes that are together
//   probe_alike.c   accesses that are apart by the same distance in all lanes
//   probe_held.c    counters of loops, held in registers
//   probe_sectors.c sectors of global memory that the lanes of a loop look at
//   probe_carry.c   where the carry of add.cc has to be kept
//   probe_text.c    the module's text with all that in it
//   probe_records.c the device's records, block after block
//   probe_decode.c  records of the device as events            probe_sums.c  its counters as tallies and counts
//   probe_decode_multi.c    the same for instructions that are several accesses at once
//
// A segment is a piece of straight code in which the lanes that run together stay the same. It begins where lanes may
// come together (a label, behind a call or an operation between lanes) and ends where they may part. So one look at a
// segment tells for all its instructions which lanes were there; what is not known from that is a site:
//
//   mul.wide.u32 %rd4, %r1, 4;         told by the next site: same lanes
//   add.s64 %rd5, %rd1, %rd4;          told by the next site
//   ld.global.f32 %f1, [%rd5];         site: addresses
//   setp.gt.f32 %p1, %f1, 0f00000000;  told by the next site
//   @%p1 bra $L__BB0_2;                site: who takes it
//
// Accesses of a segment that are the same but for a constant distance are counted as one. A segment that is a loop
// counts
// its rounds in a register, and adds up when lanes leave it; so does an access of it whose address goes on evenly.
// What the
// segment's own counters and the shape of an access (probe_affine.h) tell is not counted at all.
#ifndef LS_DEVICE_PROBE_IMPL_H
#define LS_DEVICE_PROBE_IMPL_H

#include <stdlib.h>
#include <string.h>
#include "base/mem.h"
#include "device/probe/probe.h"
#include "device/probe/probe_layout.h"
#include "ptx/cfg.h"
#include "ptx/def_use.h"
#include "sim/sim.h"

typedef enum SiteKind {
  SITE_HEAD,       // nothing but who is there: a segment that has no other site
  SITE_ENTER,      // the start of a function: the call that came here
  SITE_GUARD,      // an instruction with a guard that nothing else is to be known of
  SITE_ACCESS,     // load, store: addresses
  SITE_ATOM,       // addresses, operands, old values
  SITE_BRANCH,     // with a guard: who takes it
  SITE_JUMP,       // through a table
  SITE_BARRIER,
  SITE_LANES,      // shuffle, vote, match, redux, elect, activemask, bar.warp.sync
  SITE_MOVE,       // copies, matrices, mbarriers: see probe_multi.h
} SiteKind;

typedef struct ProbeShape ProbeShape;

typedef struct ProbeSite {
  int pc;
  int from, to;            // it tells the instructions from..pc-1 and pc+1..to-1 too
  int segment;
  int group;               // how it is counted: index into groups, -1
  uint8_t kind;
  const ProbeShape *shape; // ACCESS, where events are recorded: NULL if nothing is known
  bool after;              // HEAD: behind the instruction at pc instead of before it
} ProbeSite;

typedef struct ProbeSegment {
  int first, end;          // instructions
  int site, site_count;
  int slot;                // SEGMENT_COUNTS counters
  bool loops;              // it ends with a branch to its own start
} ProbeSegment;
enum { SEGMENT_WARPS, SEGMENT_MISSING, SEGMENT_COUNTS };   // executions; lanes that were missing in them

typedef enum GroupKind {
  GROUP_ACCESS,            // spaces * PROBE_SPACE_COUNTS, then one for each phase of its shape if there are several
  GROUP_GUARD,             // executions in which a lane's guard held, those lanes
  GROUP_BRANCH,            // executions that part the lanes
  GROUP_TURNS,             // PROBE_TURN_COUNTS
  GROUP_MOVE,              // as a GUARD, then as one ACCESS after the other
} GroupKind;

typedef enum ProbeAccess { PROBE_LOAD, PROBE_STORE, PROBE_ATOM } ProbeAccess;
typedef struct ProbeAffine ProbeAffine;

// How an access of a loop is counted: in every round, or when lanes leave it: as often as all rounds at once; or round
// after round, by the distance from one to the next.
typedef enum GroupLate { LATE_NOT, LATE_ONCE, LATE_ROUNDS } GroupLate;

typedef struct ProbeGroup {
  uint8_t kind, space, what, width;     // ACCESS: PtxSpace, ProbeAccess, bytes
  uint8_t late;            // GroupLate
  bool part;               // ACCESS: of a move, nothing of it is known from its segment
  int first_pc;            // where it is counted
  int step_pc;             // LATE_ROUNDS: of the add that moves the address
  int slot;
  const PtxOperand *address; // ACCESS
  const ProbeAffine *affine; // ACCESS: NULL if nothing is known
} ProbeGroup;

typedef struct ProbeMove ProbeMove;

// A counter that lanes hold in registers (probe_held.c).
typedef enum ProbeHeldKind { HELD_LED, HELD_LANES, HELD_MISSING, HELD_WIDE, HELD_EACH } ProbeHeldKind;
typedef struct ProbeHeld { int slot; uint8_t kind, times; } ProbeHeld;   // times: what its number stands for

typedef enum ProbeRecording { PROBE_RECORD_NONE, PROBE_RECORD_ALL, PROBE_RECORD_SOME } ProbeRecording;

struct Probe {
  const PtxModule *module;
  const Launch *launch;
  int entry;
  LsArena *arena;
  uint8_t *reached;                    // per function
  uint8_t *of_children;                // per reached function: grids that this one launches may run it, too
  bool has_children;                   // one is
  uint8_t *reductions;                 // per pc, ptx/reduction.h
  bool has_calls;
  int *site_of;                        // per pc: its site that is no HEAD or ENTER, -1
  int *segment_of;                     // per pc, -1: not reached
  ProbeMove **moves;                   // per pc, NULL: it is none
  bool *carry;                         // per pc: it is wanted there or behind it
  ProbeSite *sites; int site_count, site_capacity;
  ProbeSegment *segments; int segment_count, segment_capacity;
  ProbeGroup *groups; int group_count, group_capacity;
  int *variables; int variable_count;  // whose addresses are told
  int *frame_var;                      // per function: its first local variable, -1
  PtxCfg **cfgs;                       // per reached function
  uint64_t *param_at;                  // per variable of space param: its place as events name it

  uint64_t *handles;                   // per argument that is an image, 0: as the trace has it; NULL: none was told

  int slots;                           // counters of a row
  ProbeHeld *held; int held_count;     // those that are held
  int held_at;                         // slots of their sums
  int16_t *held_of;                    // per slot: index into held, -1
  int copies;
  ProbeRecording record;
  uint64_t first_block, block_bits, blocks;
  const uint8_t *record_block;
  uint64_t record_limit, timed_blocks;
  bool stamps_only, optimized, stops;
  uint64_t at_variables, at_counters, at_blocks, at_cursors, at_records, record_units;   // in the memory
  int own_units, next_units;           // of the chunk that a warp has from the start, and of the first one it takes
  int own_lanes;                       // 32: each lane has such a chunk; 1: lane 0
  bool has_cursors;                    // functions go on where their callers write
  bool calls_left;                     // in the code, when what can be written out is (probe_has_calls)
  LsText text;
  ProbeProgress progress; void *progress_context;   // NULL: nobody wants to know
};

// ---- probe.c -------------------------------------------------------------------------------------------------------
uint64_t probe_pool(const Probe *probe);                   // the first unit of records that is no warp's own

// ---- probe_sites.c --------------------------------------------------------------------------------------------------
bool probe_find_sites(Probe *probe, LsErr *err);
TraceKind probe_kind(const Probe *probe, int pc);          // of the event of an instruction
int probe_width(const PtxInstr *in);                       // bytes of each lane
PtxSpace probe_space(const Probe *probe, const PtxInstr *in);   // a variable says its own
bool probe_is_late(const Probe *probe, int var);            // declared in the middle of its function
bool probe_is_inner_call(const Probe *probe, const PtxInstr *in);   // to a function with instructions
const PtxOperand *probe_members_of(const PtxInstr *in);             // of an operation between lanes; NULL: it has none
const PtxOperand *probe_called_address(const PtxInstr *in);         // of a call by address; NULL: it names the function
// An atomic that drops its old values: to be told with them it has to become one that returns them.
bool probe_returns_nothing(const PtxInstr *in);
bool probe_uses_old(const Probe *probe, int pc);          // an atom, of which more is left than a reduction
bool probe_drops_result(const Probe *probe, int pc);        // an operation between lanes with _ for its first result
int probe_events_of(const Probe *probe, const ProbeSite *site);   // that its record stands for, at least

// An access to shared memory of up to 4 bytes a lane, by all lanes of its segment: its wavefronts alone are counted.
bool probe_counts_wavefronts(const Probe *probe, const ProbeGroup *g);
// One to local memory, of which nothing is known: its sectors alone are counted.
bool probe_counts_words(const Probe *probe, const ProbeGroup *g);
int probe_phase_slot(const ProbeGroup *g);                 // of the first phase
int probe_group_slots(const ProbeGroup *g);                // how many counters a group has that is no MOVE

// ---- probe_carry.c -------------------------------------------------------------------------------------------------
void probe_find_carry(Probe *probe, int func);

// ---- probe_emit.c ---------------------------------------------------------------------------------------------------
enum { PROBE_BEFORE, PROBE_AFTER };
// Writes what is put before or behind the instruction at pc.
void probe_emit(const Probe *probe, int pc, bool recording, int when, LsText *out);
// Writes what is put behind the label that is at pc: the start of a loop.
void probe_emit_loop(const Probe *probe, int pc, bool recording, LsText *out);
void probe_emit_head(const Probe *probe, int func, LsText *out);   // the start of a function's body
// Goes to $lanescope_plain in a grid that is not the host's.
void probe_emit_family(const Probe *probe, int func, LsText *out);
void probe_emit_choice(LsText *out);                               // sets %lanescope_p in blocks that are recorded

// ---- probe_count.c -------------------------------------------------------------------------------------------------
void probe_take_lanes(LsText *out);
// Takes the lanes, too.
void probe_count_segment(const Probe *probe, const ProbeSegment *s, bool recording, LsText *out);
void probe_count_group(const Probe *probe, const ProbeSite *site, bool recording, LsText *out);
void probe_start_rounds(const ProbeSegment *s, LsText *out);
void probe_end_round(const Probe *probe, const ProbeSegment *s, LsText *out);

// ---- probe_text.c --------------------------------------------------------------------------------------------------
bool probe_write(Probe *probe, LsErr *err);
bool probe_has_calls(const Probe *probe);   // in the code that was written, or in that which the assembler makes of it
extern const char probe_runtime[];                         // functions that the code above calls

// ---- probe_sums.c --------------------------------------------------------------------------------------------------
void probe_sums(const Probe *probe, const uint8_t *memory, TraceSink *sink);

#endif
