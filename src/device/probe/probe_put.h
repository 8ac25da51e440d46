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
#define CALL(out, function, ...) \
  probe_put_call(out, function, (const ProbeArgument[]){__VA_ARGS__}, LS_COUNT(((const ProbeArgument[]){__VA_ARGS__})))
// The number of the block (exact if there are less than 2^32) or of the warp in the register `to`; changes the other two.
void probe_put_block(const Probe *probe, const char *to, const char *y, const char *z, LsText *out);
void probe_put_warp(const Probe *probe, const char *to, const char *y, const char *z, LsText *out);

// A record of the lanes of the segment without numbers: which of them do it (NULL: all), which say yes (NULL: none). Changes
// %lanescope_p, _q, _d, _x and _t.
void probe_put_point(const Probe *probe, const ProbeSite *site, const char *does, const char *yes, LsText *out);
// A record of the lanes in the register `lanes`: which of them do it, which say yes, and the first `arrays` (1, 3) of
// %lanescope_k, _v and _w. Changes %lanescope_b, _d, _x and _p.
void probe_put_record(const Probe *probe, const ProbeSite *site, const char *lanes, int arrays, ProbeArgument does,
                      ProbeArgument yes, LsText *out);

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
