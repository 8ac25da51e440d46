// probe_put.h: pieces of the PTX that is put at a site, for the files that put it there.
//
// Registers are those of probe_emit_head; which of them hold what is said in probe_emit.c.
#ifndef LS_DEVICE_PROBE_PUT_H
#define LS_DEVICE_PROBE_PUT_H

#include "device/probe/probe_impl.h"

typedef struct ProbeArgument { int bits; const char *text; uint64_t number; } ProbeArgument;   // text NULL: the number
#define WORD(text) ((ProbeArgument){32, (text), 0})
#define NUMBER(n) ((ProbeArgument){32, NULL, (uint64_t)(n)})
#define LONG(text) ((ProbeArgument){64, (text), 0})

// A call of a function of probe.cu.
void probe_put_call(LsText *out, const char *function, const ProbeArgument *args, int count);
// result: a register of 32 bits, or NULL.
void probe_put_call_for(LsText *out, const char *function, const ProbeArgument *args, int count, const char *result);
#define CALL(out, function, ...) \
  probe_put_call(out, function, (const ProbeArgument[]){__VA_ARGS__}, LS_COUNT(((const ProbeArgument[]){__VA_ARGS__})))
// The number of the block (exact if there are less than 2^32) or of the warp in the register `to`; changes the other two.
void probe_put_block(const Probe *probe, const char *to, const char *y, const char *z, LsText *out);
void probe_put_warp(const Probe *probe, const char *to, const char *y, const char *z, LsText *out);

// Which of the lanes have the register not zero. Changes %lanescope_q.
void probe_put_some(const char *to, const char *lanes, const char *word, LsText *out);

const PtxReg *probe_put_register(const Probe *probe, const PtxInstr *in, int reg);   // its name
// An operand's low `bytes` as 64 bits; a vector's first element's.
void probe_put_operand(const Probe *probe, const PtxInstr *in, const PtxOperand *o, int bytes, const char *to, LsText *out);
// An address as it stands there, and one to tell, in %lanescope_k: if it may be of any space it says of which.
void probe_put_address(const Probe *probe, const PtxInstr *in, const PtxOperand *o, const char *to, LsText *out);
void probe_put_reported_address(const Probe *probe, const PtxInstr *in, const PtxOperand *o, PtxSpace space,
                                LsText *out);
// Does the lane do it? As a number in %lanescope_g, for afterwards the predicate may be another.
void probe_put_guard(const Probe *probe, const PtxInstr *in, LsText *out);
// Which lanes do it, in %lanescope_a.
void probe_put_ballot(const Probe *probe, const PtxInstr *in, LsText *out);
// Executions in which a guard holds, and lanes whose guard does, in the two counters from `slot` on.
void probe_put_guard_count(const Probe *probe, const PtxInstr *in, int slot, LsText *out);
unsigned probe_access_code(const ProbeGroup *g);   // how functions are told what they count

#endif
