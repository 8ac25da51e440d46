// ptx.h: the enumerations of PTX: types, state spaces, modifiers. Sections are those of the PTX ISA document (9.0).
#ifndef LS_PTX_PTX_H
#define LS_PTX_PTX_H

#include <stdint.h>

// Fundamental types (PTX ISA 5.2). Order matters only inside a class.
typedef enum PtxType {
  PTX_NOTYPE,
  PTX_B8, PTX_B16, PTX_B32, PTX_B64, PTX_B128,
  PTX_U8, PTX_U16, PTX_U32, PTX_U64,
  PTX_S8, PTX_S16, PTX_S32, PTX_S64,
  PTX_F16, PTX_F16X2, PTX_BF16, PTX_BF16X2, PTX_TF32, PTX_F32, PTX_F64, PTX_F32X2,
  PTX_U16X2, PTX_S16X2,
  PTX_PRED,
  PTX_TEXREF, PTX_SAMPLERREF, PTX_SURFREF,
  PTX_E4M3, PTX_E5M2, PTX_E4M3X2, PTX_E5M2X2, PTX_E2M1X2, PTX_E2M3X2, PTX_E3M2X2, PTX_UE8M0X2,  // narrow formats of cvt and mma
  PTX_B1, PTX_U4, PTX_S4,                                              // mma
  PTX_TYPE_COUNT
} PtxType;

typedef enum PtxSpace {  // PTX ISA 5.1
  PTX_GENERIC, PTX_REG, PTX_SREG, PTX_CONST, PTX_GLOBAL, PTX_LOCAL, PTX_PARAM, PTX_SHARED, PTX_TEX,
  PTX_SPACE_COUNT
} PtxSpace;

typedef enum PtxRound {  // floating (rn rz rm rp rna) and integer (rni rzi rmi rpi) rounding
  PTX_RND_NONE, PTX_RN, PTX_RZ, PTX_RM, PTX_RP, PTX_RNA, PTX_RNI, PTX_RZI, PTX_RMI, PTX_RPI
} PtxRound;

typedef enum PtxCmp {  // setp/set comparison; the u forms are true on NaN
  PTX_CMP_NONE, PTX_EQ, PTX_NE, PTX_LT, PTX_LE, PTX_GT, PTX_GE, PTX_LO, PTX_LS, PTX_HI, PTX_HS,
  PTX_EQU, PTX_NEU, PTX_LTU, PTX_LEU, PTX_GTU, PTX_GEU, PTX_NUM, PTX_NAN
} PtxCmp;

typedef enum PtxBool { PTX_BOOL_NONE, PTX_BOOL_AND, PTX_BOOL_OR, PTX_BOOL_XOR } PtxBool;

// The one mode word that an opcode may carry (mul.hi, shfl.bfly, vote.ballot, atom.cas, prmt.f4e, ...).
typedef enum PtxMode {
  PTX_MODE_NONE,
  PTX_MUL_LO, PTX_MUL_HI, PTX_MUL_WIDE,                            // mul, mad (24-bit forms too)
  PTX_SHFL_UP, PTX_SHFL_DOWN, PTX_SHFL_BFLY, PTX_SHFL_IDX,         // shfl
  PTX_VOTE_ALL, PTX_VOTE_ANY, PTX_VOTE_UNI, PTX_VOTE_BALLOT,       // vote
  PTX_MATCH_ANY, PTX_MATCH_ALL,                                    // match
  PTX_AT_ADD, PTX_AT_AND, PTX_AT_OR, PTX_AT_XOR, PTX_AT_MIN, PTX_AT_MAX, PTX_AT_INC, PTX_AT_DEC,
  PTX_AT_EXCH, PTX_AT_CAS, PTX_AT_POPC,                            // atom, red, redux, bar.red
  PTX_L, PTX_R,                                                    // shf direction
  PTX_PRMT_F4E, PTX_PRMT_B4E, PTX_PRMT_RC8, PTX_PRMT_ECL, PTX_PRMT_ECR, PTX_PRMT_RC16,
  PTX_TP_FINITE, PTX_TP_INFINITE, PTX_TP_NUMBER, PTX_TP_NOTANUMBER, PTX_TP_NORMAL, PTX_TP_SUBNORMAL,  // testp
  PTX_BAR_SYNC, PTX_BAR_ARRIVE, PTX_BAR_RED, PTX_BAR_WARP_SYNC,    // bar, barrier
  PTX_TO, PTX_FROM,                                                // cvta.to.space / cvta.space
  PTX_MODE_COUNT
} PtxMode;

typedef enum PtxSem { PTX_WEAK, PTX_VOLATILE, PTX_RELAXED, PTX_ACQUIRE, PTX_RELEASE, PTX_ACQ_REL, PTX_SC, PTX_MMIO } PtxSem;
typedef enum PtxScope { PTX_SCOPE_NONE, PTX_SCOPE_CTA, PTX_SCOPE_CLUSTER, PTX_SCOPE_GPU, PTX_SCOPE_SYS } PtxScope;

// Flags that may stand on an instruction beside its types.
enum {
  PTX_F_FTZ = 1 << 0, PTX_F_SAT = 1 << 1, PTX_F_APPROX = 1 << 2, PTX_F_FULL = 1 << 3, PTX_F_UNI = 1 << 4,
  PTX_F_NC = 1 << 5, PTX_F_SYNC = 1 << 6, PTX_F_ALIGNED = 1 << 7, PTX_F_SHIFTAMT = 1 << 8, PTX_F_CLAMP = 1 << 9,
  PTX_F_WRAP = 1 << 10, PTX_F_NAN = 1 << 11, PTX_F_XORSIGN = 1 << 12, PTX_F_CC = 1 << 13, PTX_F_NOFTZ = 1 << 14,
  PTX_F_RELU = 1 << 15, PTX_F_ABS = 1 << 16, PTX_F_SATFINITE = 1 << 17,
};

// Modifiers of single opcodes (extra.def) that somebody asks for, as bits of PtxInstr.has.
typedef enum PtxHas {
  PTX_HAS_ASYNC, PTX_HAS_BULK, PTX_HAS_REDUCE, PTX_HAS_COMMIT_GROUP, PTX_HAS_WAIT_GROUP, PTX_HAS_WAIT_ALL,
  PTX_HAS_MBARRIER, PTX_HAS_NOINC, PTX_HAS_TENSOR, PTX_HAS_PREFETCH, PTX_HAS_MULTICAST, PTX_HAS_CP_MASK,
  PTX_HAS_COMPLETE_TX, PTX_HAS_CACHE_HINT,                                                  // cp, st.async, red.async
  PTX_HAS_INIT, PTX_HAS_INVAL, PTX_HAS_ARRIVE, PTX_HAS_ARRIVE_DROP, PTX_HAS_TEST_WAIT, PTX_HAS_TRY_WAIT,
  PTX_HAS_PENDING_COUNT, PTX_HAS_EXPECT_TX, PTX_HAS_PARITY,                                 // mbarrier
  PTX_HAS_LOAD, PTX_HAS_STORE, PTX_HAS_MMA, PTX_HAS_TRANS, PTX_HAS_POPC, PTX_HAS_SP, PTX_HAS_KIND,   // matrices
  PTX_HAS_MMA_ASYNC, PTX_HAS_ALLOC, PTX_HAS_LD, PTX_HAS_ST, PTX_HAS_CP, PTX_HAS_COMMIT, PTX_HAS_SHIFT, PTX_HAS_RED,
  PTX_HAS_LEVEL, PTX_HAS_GRAD, PTX_HAS_ZERO,                                                // images
  PTX_HAS_PACK, PTX_HAS_RANGE, PTX_HAS_LD_REDUCE, PTX_HAS_CP_FENCEPROXY, PTX_HAS_TRY_CANCEL,
  PTX_HAS_PLUS_ONE, PTX_HAS_SHR7, PTX_HAS_SHR15,                                               // vmad
  PTX_HAS_COUNT
} PtxHas;

typedef enum PtxLayout { PTX_LAYOUT_NONE, PTX_ROW, PTX_COL } PtxLayout;   // of a matrix in memory
// Which matrix of a product (wmma.load.a), or which channel of a texture (tld4.r).
typedef enum PtxPart { PTX_PART_NONE, PTX_PART_A, PTX_PART_B, PTX_PART_C, PTX_PART_D, PTX_PART_R, PTX_PART_G } PtxPart;

typedef enum PtxGeometry {  // of an image; NONE: also multisample textures
  PTX_GEOMETRY_NONE, PTX_GEOMETRY_1D, PTX_GEOMETRY_2D, PTX_GEOMETRY_3D, PTX_GEOMETRY_A1D, PTX_GEOMETRY_A2D,
  PTX_GEOMETRY_CUBE, PTX_GEOMETRY_ACUBE,
  PTX_GEOMETRY_COUNT
} PtxGeometry;

typedef enum PtxQuery {     // txq, suq; NONE: also what depends on the source language
  PTX_QUERY_NONE, PTX_QUERY_WIDTH, PTX_QUERY_HEIGHT, PTX_QUERY_DEPTH, PTX_QUERY_ARRAY_SIZE, PTX_QUERY_LEVELS,
  PTX_QUERY_SAMPLES, PTX_QUERY_NORMALIZED, PTX_QUERY_FILTER, PTX_QUERY_ADDRESS_0, PTX_QUERY_ADDRESS_1,
  PTX_QUERY_ADDRESS_2
} PtxQuery;

// Properties of a .samplerref, as its declaration sets them (PTX ISA 5.3). All zero if it sets none.
typedef enum PtxAddress {
  PTX_ADDRESS_WRAP, PTX_ADDRESS_MIRROR, PTX_ADDRESS_CLAMP_OGL, PTX_ADDRESS_CLAMP_TO_EDGE, PTX_ADDRESS_CLAMP_TO_BORDER,
  PTX_ADDRESS_COUNT
} PtxAddress;
typedef struct PtxSampler { uint8_t address[3]; uint8_t linear, force_unnormalized; } PtxSampler;

// Special registers (PTX ISA 10). The x, y, z of a vector register follow one another.
typedef enum PtxSreg {
  PTX_SR_TID_X, PTX_SR_TID_Y, PTX_SR_TID_Z, PTX_SR_NTID_X, PTX_SR_NTID_Y, PTX_SR_NTID_Z,
  PTX_SR_CTAID_X, PTX_SR_CTAID_Y, PTX_SR_CTAID_Z, PTX_SR_NCTAID_X, PTX_SR_NCTAID_Y, PTX_SR_NCTAID_Z,
  PTX_SR_LANEID, PTX_SR_WARPID, PTX_SR_NWARPID, PTX_SR_SMID, PTX_SR_NSMID, PTX_SR_GRIDID,
  PTX_SR_LANEMASK_EQ, PTX_SR_LANEMASK_LE, PTX_SR_LANEMASK_LT, PTX_SR_LANEMASK_GE, PTX_SR_LANEMASK_GT,
  PTX_SR_CLOCK, PTX_SR_CLOCK_HI, PTX_SR_CLOCK64, PTX_SR_GLOBALTIMER, PTX_SR_GLOBALTIMER_LO, PTX_SR_GLOBALTIMER_HI,
  PTX_SR_TOTAL_SMEM_SIZE, PTX_SR_DYNAMIC_SMEM_SIZE, PTX_SR_AGGR_SMEM_SIZE,
  PTX_SR_CLUSTERID_X, PTX_SR_CLUSTERID_Y, PTX_SR_CLUSTERID_Z,
  PTX_SR_NCLUSTERID_X, PTX_SR_NCLUSTERID_Y, PTX_SR_NCLUSTERID_Z,
  PTX_SR_CLUSTER_CTAID_X, PTX_SR_CLUSTER_CTAID_Y, PTX_SR_CLUSTER_CTAID_Z,
  PTX_SR_CLUSTER_NCTAID_X, PTX_SR_CLUSTER_NCTAID_Y, PTX_SR_CLUSTER_NCTAID_Z,
  PTX_SR_CLUSTER_CTARANK, PTX_SR_CLUSTER_NCTARANK, PTX_SR_IS_EXPLICIT_CLUSTER,
  PTX_SR_RESERVED_SMEM_BEGIN, PTX_SR_RESERVED_SMEM_END, PTX_SR_RESERVED_SMEM_CAP,
  PTX_SR_PM0, PTX_SR_ENVREG0,  // %envreg<n> is PTX_SR_ENVREG0 with the number in PtxOperand.index
  PTX_SR_RESERVED_SMEM_OFFSET0,  // the same for %reserved_smem_offset_<n>
  PTX_SR_COUNT
} PtxSreg;

int ptx_type_size(PtxType type);            // bytes; 0 for pred and opaque types
const char *ptx_type_name(PtxType type);    // "u32"
const char *ptx_sreg_name(PtxSreg sreg);    // "%tid.x"; "%envreg" of a numbered one
int ptx_sreg_copies(PtxSreg sreg);          // numbered ones: how many; else 1
static inline int ptx_type_is_float(PtxType t) { return t >= PTX_F16 && t <= PTX_F32X2; }
static inline int ptx_type_is_signed(PtxType t) { return (t >= PTX_S8 && t <= PTX_S64) || t == PTX_S16X2; }

#endif
