// model.h: pure functions of events: sectors, wavefronts, queues; the counters; the sentence for an event.
#ifndef LS_MODEL_MODEL_H
#define LS_MODEL_MODEL_H

#include "base/text.h"
#include "ptx/module.h"
#include "trace/trace.h"

// ---- counters ------------------------------------------------------------------------------------------------------

typedef enum CounterId {
#define COUNTER(NAME, ...) COUNTER_##NAME,
#include "model/counter.def"
#undef COUNTER
  COUNTER_COUNT
} CounterId;
typedef struct CounterDef { const char *name, *unit, *metric, *help; } CounterDef;
const CounterDef *counter_def(CounterId id);

typedef struct CounterSet { uint64_t value[COUNTER_COUNT]; } CounterSet;
void counter_add(CounterSet *to, const CounterSet *from);

// Folds a whole run into totals per instruction. Give its sink to the device.
typedef struct Counters Counters;
Counters *counters_new(const PtxModule *module);       // module borrowed
void counters_free(Counters *counters);
TraceSink *counters_sink(Counters *counters);
const CounterSet *counters_total(const Counters *counters);
const CounterSet *counters_at(const Counters *counters, int pc);
// Totals of a source line of a file of the module (innermost lines); also adds code inlined from it.
void counters_line(const Counters *counters, int file, int line, CounterSet *out);
// From a saved trace: folds the recorded events (and the tallies for instruction counts). *complete is false if not
// all blocks were recorded, so that memory counters cover the recorded blocks only.
bool counters_from_trace(Counters *counters, Trace *trace, bool *complete, LsErr *err);

// ---- coalescing (CUDA Programming Guide, device memory accesses) ---------------------------------------------------

typedef enum CoalModel { COAL_SECTORS_32, COAL_LINES_128 } CoalModel;
typedef struct CoalLine {
  uint64_t base;           // of the 128-byte line
  uint8_t sectors;         // bit per 32-byte sector touched
  uint8_t used[16];        // bit per byte wanted
  uint32_t lanes[4];       // lanes touching each sector
} CoalLine;
typedef struct Coalescing {
  int line_count;          // 128-byte lines touched, ascending; at most 512 (32 lanes x 16 bytes unaligned)
  CoalLine lines[128];
  int sectors;             // distinct 32-byte sectors
  int bytes_used;          // distinct bytes wanted
  int bytes_moved;         // sectors * 32, or lines * 128 in the Fermi view
  int ideal_sectors;       // the least for as many distinct bytes
  int alignment;           // bytes by which the lowest address is off a sector
} Coalescing;
void coal_analyze(const TraceEvent *event, CoalModel model, Coalescing *out);
int coal_sectors(uint32_t mask, int width, const uint64_t addr[32]);     // the hot path of the counters
int coal_local_sectors(uint32_t mask, int width, const uint64_t addr[32]);   // local memory interleaved by 4-byte word

// ---- shared memory banks -------------------------------------------------------------------------------------------

typedef enum BankMode { BANK_32X4, BANK_KEPLER_8, BANK_16_HALF } BankMode;
typedef struct BankWave { uint32_t lanes; } BankWave;    // lanes served by one wavefront
typedef struct Banking {
  int bank_count;              // 32 or 16
  int wavefronts, ideal, conflicts;
  int degree;                  // most distinct words in one bank in one pass
  int distinct_words, banks_used;
  BankWave waves[64]; int wave_count;
  uint32_t bank_lanes[32];     // lanes that want something in each bank
  uint8_t bank_words[32];      // distinct words in each bank
} Banking;
void bank_analyze(const TraceEvent *event, BankMode mode, Banking *out);
int bank_wavefronts(uint32_t mask, int width, const uint64_t addr[32]);  // 32 x 4 bytes; the hot path
int bank_ideal(uint32_t mask, int width);

// ---- atomics -------------------------------------------------------------------------------------------------------

typedef struct AtomicQueue { uint64_t addr; uint32_t lanes; int length; } AtomicQueue;
typedef struct Atomics { int queue_count; AtomicQueue queues[32]; int longest; } Atomics;   // longest queue first
void atomic_analyze(const TraceEvent *event, Atomics *out);

// ---- words ---------------------------------------------------------------------------------------------------------

// What an event means, in one or two plain sentences that tell what happened and why it costs what it costs.
// info gives array names. This is what --plain prints and what stands under every picture.
void sentence_of(const PtxModule *module, const TraceInfo *info, const TraceEvent *event, LsText *out);
// The same for a fault, for explain panels: what it is and what to do.
void sentence_of_fault(const TraceFault *fault, LsText *out);
// "lanes 0-15", "all 32 lanes", "lanes 0, 4, 8, ... 28"
void sentence_lanes(uint32_t mask, LsText *out);
// "ts[17]", "x + 0x0a00": the object and element at an address of a space.
void sentence_place(const TraceInfo *info, TraceSpace space, uint64_t addr, LsText *out);

// ---- devices -------------------------------------------------------------------------------------------------------

typedef struct ArchProfile {
  const char *name, *title;      // "h200", "NVIDIA H200"
  int cc_major, cc_minor;
  int sm_count, warps_per_sm, blocks_per_sm, threads_per_block;
  int regs_per_sm, regs_per_thread, reg_unit;    // reg_unit: registers a warp takes at a time (or a block, before 2.0)
  int shared_per_sm, shared_per_block, shared_unit, shared_reserved;  // bytes
  int banks, schedulers;
  double bandwidth_gbs, fp32_tflops;
} ArchProfile;
const ArchProfile *arch_find(const char *name);        // NULL if unknown
const ArchProfile *arch_all(int *count);

typedef enum OccLimit { OCC_WARPS, OCC_BLOCKS, OCC_REGS, OCC_SHARED, OCC_IMPOSSIBLE } OccLimit;
typedef struct Occupancy {
  int blocks, warps, max_warps; double fraction; OccLimit limit;
  int by_warps, by_blocks, by_regs, by_shared;         // blocks that each limit alone would allow
} Occupancy;
// Agrees with cuda_occupancy.h where that knows the device.
void occ_compute(const ArchProfile *arch, int threads_per_block, int regs_per_thread, int shared_per_block, Occupancy *out);

#endif
