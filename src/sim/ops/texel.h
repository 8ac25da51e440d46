// texel.h: which texels an instruction reads or writes, from its form and the coordinates of a lane.
//
// The emulator works by this, and so does whoever tells a GPU's fetches from what stands in its registers.
//
// What a fetch gives is what the appendix "Texture Fetching" of the CUDA programming guide and the PTX ISA (9.7.10, 9.7.11)
// say: a texel is T[i] with i = floor(x) for point sampling, and between i = floor(x - 0.5) and i + 1 with a linear filter,
// the fraction having 8 bits. What they leave open is done so:
//
//   - a normalized coordinate is taken down to a multiple of 2^-21 before it is multiplied by the size (an H200 does so);
//   - in mirrored periods the texels stand in the opposite order: where texels meet, x is in the one that the period before
//     would not have (an H200 again; 1 - frac(x) of the guide differs there);
//   - x - 0.5 is rounded to the nearest 1/256 before it is split, ties upwards;
//   - weights are multiplied and summed exactly enough that the result is rounded once, to f32 (a chip's last bits differ);
//     a texel of weight 0 is not read;
//   - a coordinate that is NaN counts as 0, infinite ones as very large; with wrap and mirror they count as 0;
//   - integer coordinates name texels; outside, whatever the address mode, they give 0, as tex1Dfetch does;
//   - a layer that does not exist is the last one;
//   - channels that the texture lacks are 0 (an H200 says so);
//   - in a cube map the guide's table of faces holds; of magnitudes that are equal z comes before y, and y before x. The
//     code multiplies the direction with rcp.approx of the largest; the unit takes s and t down to multiples of 2^-20
//     between -1 and 1. A NaN is 0, and less than all others when the face is chosen. A filter stays in its face, where
//     the address mode holds (an H200; a launch here cannot ask for cudaTextureDesc::seamlessCubemap);
//   - there is one mipmap level, whatever level or gradients are asked for.
#ifndef LS_SIM_TEXEL_H
#define LS_SIM_TEXEL_H

#include "ptx/module.h"
#include "launch/launch.h"

enum { SIM_CORNERS = 8 };   // texels that a linear filter may read

typedef enum SimBounds { SIM_BOUNDS_TRAP, SIM_BOUNDS_CLAMP, SIM_BOUNDS_ZERO } SimBounds;

// A tex, tld4, suld or sust, as far as its text tells.
typedef struct SimTexelForm {
  uint8_t kind;            // LaunchImageKind that the instruction is for
  uint8_t dims;
  bool layered;
  bool cube;               // of two dimensions, with a direction for coordinates
  bool by_index;           // integer coordinates
  bool gathers;            // tld4
  uint8_t component;       // that tld4 gathers
  uint8_t bounds;          // SimBounds of surfaces
  uint8_t width;           // bytes of a surface access
  bool has_sampler;        // filter and address modes are the instruction's, not the texture's
  LaunchImage sampler;
  const PtxOperand *place; // with the handle, and the coordinates: [layer,] x [, y [, z]]; what follows is ignored
  const PtxOperand *coords, *offsets;   // offsets may be NULL
} SimTexelForm;

// False: *why says what is not known of it.
bool sim_texel_form(const PtxModule *module, const PtxInstr *in, SimTexelForm *out, const char **why);
// Element i of a vector, or of what may stand instead of a vector of one; NULL: there is none.
const PtxOperand *sim_texel_element(const PtxOperand *vector, int i);

static inline int sim_texel_coords(const SimTexelForm *form) { return form->cube ? 3 : form->dims; }

// coord: f32 or s32 bits; offset: in texels.
typedef struct SimCoords { uint32_t coord[3]; int32_t offset[3]; uint32_t layer; } SimCoords;

// The texels that one lane reads. A linear filter has 1 << dims corners, in the order x, y, z (lowest first).
typedef struct SimTexel { uint64_t at; double weight; bool outside; } SimTexel;   // at: offset in the image, in bytes
typedef struct SimFootprint { SimTexel texels[SIM_CORNERS]; int count; } SimFootprint;

int sim_texel_bytes(const LaunchArg *texels);
// Where a fetch from an image reads.
void sim_footprint(const SimTexelForm *form, const LaunchArg *texels, const SimCoords *at, SimFootprint *out);
bool sim_texel_is_read(const SimTexelForm *form, const SimTexel *texel);
// Where a fetch begins to read, in bytes from the start of the image; false if all is outside.
bool sim_fetch_place(const SimTexelForm *form, const SimFootprint *foot, uint64_t *at);
// Where an access to a surface lies; false if it is outside.
bool sim_surface_place(const SimTexelForm *form, const LaunchArg *texels, const SimCoords *at, uint64_t *place);

#endif
