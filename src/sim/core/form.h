// form.h: what the text of an instruction comes to, for the emulator and for whoever tells what a GPU's did.
#ifndef LS_SIM_FORM_H
#define LS_SIM_FORM_H

#include "ptx/module.h"
#include "trace/trace.h"

// Of an access in a state space; generic ones are taken to be global until their address is known.
static inline TraceSpace sim_space_of(PtxSpace space) {
  switch (space) {
  case PTX_SHARED: return TRACE_SHARED;
  case PTX_LOCAL: return TRACE_LOCAL;
  case PTX_CONST: return TRACE_CONST;
  case PTX_PARAM: return TRACE_PARAM;
  default: return TRACE_GLOBAL;
  }
}

// PTX ISA 9.7.9.6: the source lane of shfl with operands b and c, or -1 if it is out of range.
static inline int sim_shuffle_source(PtxMode mode, int lane, uint32_t b, uint32_t c) {
  int by = (int)(b & 31), clamp = (int)(c & 31), segment = (int)(c >> 8 & 31);
  int low = lane & segment, high = low | (clamp & ~segment), from;
  switch (mode) {
  case PTX_SHFL_UP: from = lane - by; return from >= high ? from : -1;
  case PTX_SHFL_DOWN: from = lane + by; break;
  case PTX_SHFL_BFLY: from = lane ^ by; break;
  default: from = low | (by & ~segment); break;
  }
  return from <= high ? from : -1;
}

// cp.async.bulk between global and shared memory of one block, in its order and whole.
static inline bool sim_is_plain_bulk(const PtxInstr *in) {
  bool other_form = ptx_has(in, PTX_HAS_TENSOR) || ptx_has(in, PTX_HAS_PREFETCH) || ptx_has(in, PTX_HAS_MULTICAST) ||
                    ptx_has(in, PTX_HAS_CP_MASK) || in->space2 == PTX_GENERIC || in->space == in->space2;
  return !other_form && in->operand_count >= (ptx_has(in, PTX_HAS_COMPLETE_TX) ? 4 : 3);
}

#endif
