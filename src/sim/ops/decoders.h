// decoders.h: how each kind of instruction is decoded, into a handler of its own.
#ifndef LS_SIM_DECODERS_H
#define LS_SIM_DECODERS_H

#include <stdbool.h>
#include "sim/decode/decode.h"

bool sim_decode_op(SimDecoder *d);                         // any instruction: ops.c

void sim_decode_sums(SimDecoder *d);                       // an instruction that is decoded, with operands of the form reg + number
bool sim_decode_alu(SimDecoder *d);
bool sim_decode_mem(SimDecoder *d);
bool sim_decode_atom(SimDecoder *d);
bool sim_decode_async(SimDecoder *d);
bool sim_decode_image(SimDecoder *d);                      // tex, tld4, suld, sust, txq, suq: see image.h
bool sim_decode_warp(SimDecoder *d);
bool sim_decode_flow(SimDecoder *d);
bool sim_decode_barrier(SimDecoder *d, SimWarpOp *op);
bool sim_decode_mbarrier(SimDecoder *d);
bool sim_decode_cluster_barrier(SimDecoder *d);
bool sim_decode_cluster_address(SimDecoder *d);            // mapa, getctarank
bool sim_decode_move(SimDecoder *d);
bool sim_decode_policy(SimDecoder *d);                     // createpolicy
bool sim_decode_packed(SimDecoder *d);
bool sim_decode_video(SimDecoder *d);
bool sim_decode_matrix(SimDecoder *d);
bool sim_decode_call(SimDecoder *d);

#endif
