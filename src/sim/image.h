// image.h: textures and surfaces: what their instructions need, and which texels a fetch reads.
//
// An image is an allocation of its own (SimAlloc.image) that only these instructions reach. Its handle is its address.
// Texels lie row after row without gaps. A chip keeps two-dimensional ones in an order that NVIDIA does not document, so
// which sectors a fetch touches is not counted.
//
// What a fetch gives is what the appendix "Texture Fetching" of the CUDA programming guide and the PTX ISA (9.7.10, 9.7.11)
// say: a texel is T[i] with i = floor(x) for point sampling, and between i = floor(x - 0.5) and i + 1 with a linear filter,
// the fraction having 8 bits. What they leave open is done so:
//
//   - x - 0.5 is rounded to the nearest 1/256 before it is split, ties upwards;
//   - weights are multiplied and summed exactly enough that the result is rounded once, to f32 (a chip's last bits differ);
//     a texel of weight 0 is not read;
//   - a coordinate that is NaN counts as 0, infinite ones as very large; with wrap and mirror they count as 0;
//   - integer coordinates name texels; outside, whatever the address mode, they give 0, as tex1Dfetch does;
//   - a layer that does not exist is the last one;
//   - channels that the texture lacks are 0 (an H200 says so);
//   - there is one mipmap level, whatever level or gradients are asked for.
#ifndef LS_SIM_IMAGE_H
#define LS_SIM_IMAGE_H

#include "sim/internal.h"

enum { SIM_CORNERS = 8 };   // texels that a linear filter may read

typedef enum SimBounds { SIM_BOUNDS_TRAP, SIM_BOUNDS_CLAMP, SIM_BOUNDS_ZERO } SimBounds;

typedef enum SimQuery {
  SIM_QUERY_WIDTH, SIM_QUERY_HEIGHT, SIM_QUERY_DEPTH, SIM_QUERY_LAYERS, SIM_QUERY_LEVELS, SIM_QUERY_SAMPLES,
  SIM_QUERY_NORMALIZED, SIM_QUERY_FILTER, SIM_QUERY_ADDRESS_X, SIM_QUERY_ADDRESS_Y, SIM_QUERY_ADDRESS_Z, SIM_QUERY_NONE
} SimQuery;

typedef struct SimImageOp {
  SimMem mem;              // first, for what accesses have in common. Data slots; width: of a surface access
  uint8_t kind;            // LaunchImageKind that the instruction is for
  uint8_t dims;
  bool layered;
  bool by_index;           // integer coordinates
  bool gathers;            // tld4
  uint8_t component;       // that tld4 gathers
  uint8_t bounds;          // SimBounds of surfaces
  uint8_t query;           // SimQuery
  bool has_sampler;        // filter and address modes are the instruction's, not the texture's
  LaunchImage sampler;
  uint32_t handle;         // slots: of 8 bytes,
  uint32_t coord[3], layer;
  uint32_t offset[3];      // in texels, SIM_NO_SLOT if there are none
} SimImageOp;

// The texels that one lane reads. A linear filter has 1 << dims corners, in the order x, y, z (lowest first).
typedef struct SimTexel { uint64_t at; double weight; bool outside; } SimTexel;   // at: offset in the image, in bytes
typedef struct SimFootprint { SimTexel texels[SIM_CORNERS]; int count; } SimFootprint;

// coord: f32 or s32 bits; offset: in texels.
typedef struct SimCoords { uint32_t coord[3]; int32_t offset[3]; uint32_t layer; } SimCoords;

static inline bool sim_is_image_op(int op) {
  return op == PTX_OP_tex || op == PTX_OP_tld4 || op == PTX_OP_suld || op == PTX_OP_sust || op == PTX_OP_txq ||
         op == PTX_OP_suq;
}

int sim_texel_bytes(const SimAlloc *alloc, const Launch *launch);
// Where a fetch of `op` from an image reads; sampler: the image, or what a .samplerref says of it.
void sim_footprint(const SimImageOp *op, const LaunchImage *image, const LaunchImage *sampler, int texel_bytes,
                   const SimCoords *at, SimFootprint *out);
// The bits of a channel of what is at `texel`, as the fetch gives them (read mode applied).
uint32_t sim_texel_bits(const LaunchArg *arg, const uint8_t *texel, int channel);
// The channels of the filtered footprint.
void sim_filter(const LaunchArg *arg, const uint8_t *bytes, const SimFootprint *foot, uint32_t out[4]);

SimNext sim_exec_texture(Sim *sim, const SimInst *inst, uint32_t mask);
SimNext sim_exec_surface(Sim *sim, const SimInst *inst, uint32_t mask);
SimNext sim_exec_query(Sim *sim, const SimInst *inst, uint32_t mask);

#endif
