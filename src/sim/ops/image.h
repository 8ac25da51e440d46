// image.h: textures and surfaces: what their instructions need while they are emulated.
//
// An image is an allocation of its own (SimAlloc.image) that only these instructions reach. Its handle is its address.
// Texels lie row after row without gaps. A chip keeps two-dimensional ones in an order that NVIDIA does not document, so
// which sectors a fetch touches is not counted. Which texels an instruction reads is told in texel.h.
#ifndef LS_SIM_IMAGE_H
#define LS_SIM_IMAGE_H

#include "sim/core/exec.h"
#include "sim/ops/texel.h"

typedef struct SimImageOp {
  SimMem mem;              // first, for what accesses have in common. Data slots; width: of a surface access
  SimTexelForm form;
  uint8_t query;           // PtxQuery
  uint32_t handle;         // slots: of 8 bytes,
  uint32_t coord[3], layer;
  uint32_t offset[3];      // in texels, SIM_NO_SLOT if there are none
} SimImageOp;

static inline bool sim_is_image_op(int op) {
  return op == PTX_OP_tex || op == PTX_OP_tld4 || op == PTX_OP_suld || op == PTX_OP_sust || op == PTX_OP_txq ||
         op == PTX_OP_suq;
}

// The bits of a channel of what is at `texel`, as the fetch gives them (read mode applied).
uint32_t sim_texel_bits(const LaunchArg *arg, const uint8_t *texel, int channel);
// As a gather gives them: i8 read as floats goes by way of 16 bits there (an H200 does so).
uint32_t sim_gathered_bits(const LaunchArg *arg, const uint8_t *texel, int channel);
// The channels of the filtered footprint.
void sim_filter(const LaunchArg *arg, const uint8_t *bytes, const SimFootprint *foot, uint32_t out[4]);

#endif
