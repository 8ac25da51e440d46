// ptx.c: names and sizes of PTX's enumerations, and the table of opcodes.
#include "ptx/ptx.h"

#include "base/mem.h"
#include "ptx/def_use.h"

static const struct { const char *name; uint8_t size; } types[PTX_TYPE_COUNT] = {
  [PTX_NOTYPE] = {"", 0},
  [PTX_B8] = {"b8", 1}, [PTX_B16] = {"b16", 2}, [PTX_B32] = {"b32", 4}, [PTX_B64] = {"b64", 8}, [PTX_B128] = {"b128", 16},
  [PTX_U8] = {"u8", 1}, [PTX_U16] = {"u16", 2}, [PTX_U32] = {"u32", 4}, [PTX_U64] = {"u64", 8},
  [PTX_S8] = {"s8", 1}, [PTX_S16] = {"s16", 2}, [PTX_S32] = {"s32", 4}, [PTX_S64] = {"s64", 8},
  [PTX_F16] = {"f16", 2}, [PTX_F16X2] = {"f16x2", 4}, [PTX_BF16] = {"bf16", 2}, [PTX_BF16X2] = {"bf16x2", 4},
  [PTX_TF32] = {"tf32", 4}, [PTX_F32] = {"f32", 4}, [PTX_F64] = {"f64", 8}, [PTX_F32X2] = {"f32x2", 8},
  [PTX_U16X2] = {"u16x2", 4}, [PTX_S16X2] = {"s16x2", 4},
  [PTX_PRED] = {"pred", 0},
  [PTX_TEXREF] = {"texref", 0}, [PTX_SAMPLERREF] = {"samplerref", 0}, [PTX_SURFREF] = {"surfref", 0},
  [PTX_E4M3] = {"e4m3", 1}, [PTX_E5M2] = {"e5m2", 1}, [PTX_E4M3X2] = {"e4m3x2", 2}, [PTX_E5M2X2] = {"e5m2x2", 2},
  [PTX_E2M1X2] = {"e2m1x2", 1}, [PTX_E2M3X2] = {"e2m3x2", 2}, [PTX_E3M2X2] = {"e3m2x2", 2}, [PTX_UE8M0X2] = {"ue8m0x2", 2},
  [PTX_B1] = {"b1", 0}, [PTX_U4] = {"u4", 0}, [PTX_S4] = {"s4", 0},
};

static const char *const sregs[PTX_SR_COUNT] = {
  [PTX_SR_TID_X] = "%tid.x", [PTX_SR_TID_Y] = "%tid.y", [PTX_SR_TID_Z] = "%tid.z",
  [PTX_SR_NTID_X] = "%ntid.x", [PTX_SR_NTID_Y] = "%ntid.y", [PTX_SR_NTID_Z] = "%ntid.z",
  [PTX_SR_CTAID_X] = "%ctaid.x", [PTX_SR_CTAID_Y] = "%ctaid.y", [PTX_SR_CTAID_Z] = "%ctaid.z",
  [PTX_SR_NCTAID_X] = "%nctaid.x", [PTX_SR_NCTAID_Y] = "%nctaid.y", [PTX_SR_NCTAID_Z] = "%nctaid.z",
  [PTX_SR_LANEID] = "%laneid", [PTX_SR_WARPID] = "%warpid", [PTX_SR_NWARPID] = "%nwarpid",
  [PTX_SR_SMID] = "%smid", [PTX_SR_NSMID] = "%nsmid", [PTX_SR_GRIDID] = "%gridid",
  [PTX_SR_LANEMASK_EQ] = "%lanemask_eq", [PTX_SR_LANEMASK_LE] = "%lanemask_le", [PTX_SR_LANEMASK_LT] = "%lanemask_lt",
  [PTX_SR_LANEMASK_GE] = "%lanemask_ge", [PTX_SR_LANEMASK_GT] = "%lanemask_gt",
  [PTX_SR_CLOCK] = "%clock", [PTX_SR_CLOCK_HI] = "%clock_hi", [PTX_SR_CLOCK64] = "%clock64",
  [PTX_SR_GLOBALTIMER] = "%globaltimer", [PTX_SR_GLOBALTIMER_LO] = "%globaltimer_lo",
  [PTX_SR_GLOBALTIMER_HI] = "%globaltimer_hi",
  [PTX_SR_TOTAL_SMEM_SIZE] = "%total_smem_size", [PTX_SR_DYNAMIC_SMEM_SIZE] = "%dynamic_smem_size",
  [PTX_SR_AGGR_SMEM_SIZE] = "%aggr_smem_size",
  [PTX_SR_CLUSTERID_X] = "%clusterid.x", [PTX_SR_CLUSTERID_Y] = "%clusterid.y", [PTX_SR_CLUSTERID_Z] = "%clusterid.z",
  [PTX_SR_NCLUSTERID_X] = "%nclusterid.x", [PTX_SR_NCLUSTERID_Y] = "%nclusterid.y", [PTX_SR_NCLUSTERID_Z] = "%nclusterid.z",
  [PTX_SR_CLUSTER_CTAID_X] = "%cluster_ctaid.x", [PTX_SR_CLUSTER_CTAID_Y] = "%cluster_ctaid.y",
  [PTX_SR_CLUSTER_CTAID_Z] = "%cluster_ctaid.z",
  [PTX_SR_CLUSTER_NCTAID_X] = "%cluster_nctaid.x", [PTX_SR_CLUSTER_NCTAID_Y] = "%cluster_nctaid.y",
  [PTX_SR_CLUSTER_NCTAID_Z] = "%cluster_nctaid.z",
  [PTX_SR_CLUSTER_CTARANK] = "%cluster_ctarank", [PTX_SR_CLUSTER_NCTARANK] = "%cluster_nctarank",
  [PTX_SR_IS_EXPLICIT_CLUSTER] = "%is_explicit_cluster",
  [PTX_SR_RESERVED_SMEM_BEGIN] = "%reserved_smem_offset_begin", [PTX_SR_RESERVED_SMEM_END] = "%reserved_smem_offset_end",
  [PTX_SR_RESERVED_SMEM_CAP] = "%reserved_smem_offset_cap",
  [PTX_SR_PM0] = "%pm", [PTX_SR_ENVREG0] = "%envreg", [PTX_SR_RESERVED_SMEM_OFFSET0] = "%reserved_smem_offset_",
};

static const struct { const char *name, *help, *roles; uint8_t class, least, most; } ops[PTX_OP_COUNT] = {
#define PTX_OP(name, class, least, most, roles, help) [PTX_OP_##name] = {#name, help, roles, PTX_CLASS_##class, least, most},
#include "ptx/ops.def"
#undef PTX_OP
};

int ptx_type_size(PtxType type) { return type < PTX_TYPE_COUNT ? types[type].size : 0; }
const char *ptx_type_name(PtxType type) { return type < PTX_TYPE_COUNT ? types[type].name : ""; }

int ptx_sreg_copies(PtxSreg sreg) {
  switch (sreg) {
    case PTX_SR_ENVREG0: return 32;
    case PTX_SR_PM0: return 8;
    case PTX_SR_RESERVED_SMEM_OFFSET0: return 2;
    default: return 1;
  }
}

const char *ptx_sreg_name(PtxSreg sreg) { return sreg < PTX_SR_COUNT ? sregs[sreg] : ""; }
const char *ptx_op_name(PtxOp op) { return op < PTX_OP_COUNT ? ops[op].name : ""; }
const char *ptx_op_help(PtxOp op) { return op < PTX_OP_COUNT ? ops[op].help : ""; }
int ptx_op_least_operands(PtxOp op) { return op < PTX_OP_COUNT ? ops[op].least : 0; }
int ptx_op_most_operands(PtxOp op) { return op < PTX_OP_COUNT ? ops[op].most : 0; }
PtxClass ptx_op_class(PtxOp op) { return op < PTX_OP_COUNT ? (PtxClass)ops[op].class : PTX_CLASS_MISC; }

const char *ptx_roles(const PtxInstr *in) {
#define HAS(what) ptx_has(in, PTX_HAS_##what)
#define PTX_FORM(name, when, roles) if (in->op == PTX_OP_##name && (when)) return roles;
#define PTX_OP(...)
#include "ptx/ops.def"
#undef PTX_OP
#undef HAS
  return ops[in->op].roles;
}
