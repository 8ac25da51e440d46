// module.h: a PTX file after parsing: functions, variables, instructions, and where each came from.
//
// Everything hangs from one PtxModule and lives until ptx_module_free. Instructions of all functions
// stand in one array, `code`; the index into it is the program counter ("pc") that traces, counters and views use.
//
//   module->funcs[f].first .. first + count - 1   are the instructions of function f
//   module->code[pc].loc                          index into module->locs: file, line, column, inline chain
//
// Registers of a function are numbered 0 .. reg_count - 1 in order of declaration; scoped ones ({ .reg ... }) get
// numbers of their own. Variables (PtxVar) are module-scope or function-scope (shared, local, param).
#ifndef LS_PTX_MODULE_H
#define LS_PTX_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "ptx/ptx.h"

typedef enum PtxOp {
#define PTX_OP(name, ...) PTX_OP_##name,
#include "ptx/ops.def"
#undef PTX_OP
  PTX_OP_COUNT
} PtxOp;

typedef enum PtxClass {   // the column of ops.def
  PTX_CLASS_ALU, PTX_CLASS_MEM, PTX_CLASS_ATOM, PTX_CLASS_BRANCH, PTX_CLASS_BARRIER, PTX_CLASS_WARP, PTX_CLASS_MATRIX,
  PTX_CLASS_FENCE, PTX_CLASS_CALL, PTX_CLASS_EXIT, PTX_CLASS_MISC
} PtxClass;

typedef enum PtxOperandKind {
  PTX_OPD_NONE,
  PTX_OPD_REG,     // reg; negated if `negate` (a predicate source !%p)
  PTX_OPD_IMM,     // imm: bits, integers sign-extended to 64; floats already as bits of imm_type
  PTX_OPD_SREG,    // sreg (and index for %envreg)
  PTX_OPD_VAR,     // the address of var, plus offset (mov.u32 %r1, ts)
  PTX_OPD_MEM,     // [reg + offset], [var + offset] or [offset]: base says which; elems: what follows a comma in the
                   // brackets (coordinates of tex, [a, {x, y}])
  PTX_OPD_VEC,     // { elems[0], elems[1], ... }: elem_count
  PTX_OPD_LABEL,   // target: pc
  PTX_OPD_FUNC,    // func: index into module->funcs
  PTX_OPD_ARGS,    // ( elems ) of a call: params or registers
  PTX_OPD_SINK,    // _ : the result is dropped
  PTX_OPD_TABLE,   // index into module->tables: .branchtargets, .calltargets, .callprototype
  PTX_OPD_SUM,     // reg + offset: its bits and a number, added as integers of its width, are read
} PtxOperandKind;

typedef enum PtxMemBase { PTX_BASE_NONE, PTX_BASE_REG, PTX_BASE_VAR } PtxMemBase;

typedef struct PtxOperand PtxOperand;
struct PtxOperand {
  uint8_t kind;         // PtxOperandKind
  uint8_t base;         // PtxMemBase for PTX_OPD_MEM
  uint8_t imm_type;     // PTX_S64 for integers; PTX_F32 or PTX_F64 for 0f.. 0d.. and decimal floats
  bool negate;          // !%p; -%r of vmad
  int reg;              // register number in the function (REG, SUM, MEM with BASE_REG)
  int pair;             // second destination of `d|p` (setp, shfl, match): register number, or -1
  int var;              // index into module->vars
  int func, target, index, sreg;
  int64_t offset;
  uint64_t imm;
  int elem_count;
  PtxOperand *elems;    // VEC, ARGS
  const char *selector; // REG of a video instruction: ".b2" of %r1.b2; NULL: all of it
};

enum { PTX_MAX_OPERANDS = 8 };

typedef struct PtxShape { uint16_t m, n, k; } PtxShape;   // m16n8k16; all 0: none. Larger numbers are PTX_SHAPE_MOST
enum { PTX_SHAPE_MOST = 4095 };

typedef struct PtxInstr {
  uint16_t op;          // PtxOp
  uint8_t type, type2;  // first and second type suffix (cvt.TYPE.TYPE2, setp.TYPE, mul.wide.TYPE, ...)
  uint8_t type3, type4; // mma and other forms with more
  uint8_t space;        // PtxSpace: ld/st/atom/cvta/isspacep
  uint8_t space2;       // the second one: cp.async.ca.shared.global
  uint8_t vec;          // 1, 2, 4, 8
  uint8_t round, cmp, boolop, mode, sem, scope;
  uint8_t layout, layout2;         // PtxLayout: of wmma.load; of A and B
  uint8_t part, geometry, query;   // PtxPart, PtxGeometry, PtxQuery
  uint8_t guard_negate; // @!%p
  int guard;            // predicate register, or -1
  uint32_t flags;       // PTX_F_*
  uint64_t has;         // bits of PtxHas: see ptx_has
  PtxShape shape;       // of matrices
  int operand_count;
  PtxOperand operands[PTX_MAX_OPERANDS];
  int func;             // index into module->funcs
  int line, col;        // in the PTX text, 1-based
  int loc;              // index into module->locs; -1 if the PTX says nothing
  const char *roles;    // of the operands, a letter each: see ops.def, and def_use.h for who asks
  const char *spelling; // "ld.global.f32" as written, to be shown; borrowed from the arena
} PtxInstr;

// The two priorities of createpolicy, in their order (PTX ISA, "createpolicy"); NONE: it has none.
typedef enum PtxEviction { PTX_EVICT_NONE, PTX_EVICT_UNCHANGED, PTX_EVICT_FIRST, PTX_EVICT_LAST, PTX_EVICT_NORMAL } PtxEviction;
void ptx_evictions(const PtxInstr *in, PtxEviction *first, PtxEviction *second);

static inline bool ptx_has(const PtxInstr *in, PtxHas what) { return in->has >> what & 1; }

// A place in the source, with the chain of inlining (PTX ISA 11.5.2 .loc, inlined_at).
typedef struct PtxLoc {
  int file;             // index into module->files
  int line, col;
  int inlined_at;       // index into module->locs of the call site; -1
  const char *function; // name of the inlined function, or NULL
} PtxLoc;

typedef struct PtxVar {
  const char *name;
  const char *source_name;       // as the source calls it: "tile" for _ZZ3sumPfE4tile; never NULL
  uint8_t space, type, linkage;  // linkage: 0 local, 1 visible, 2 extern, 3 weak, 4 common
  int align;
  int64_t count;                 // elements; 1 for a scalar; -1 for an unsized extern array
  int64_t size;                  // bytes; 0 if unsized
  int func;                      // function it is declared in, -1 for module scope
  int from;                      // instruction of that function that follows its declaration (or where it would be)
  bool nested;                   // in braces inside of the function's
  const uint8_t *init;           // size bytes, or NULL if not initialized (which means zero for global and const)
  PtxSampler sampler;            // of a .samplerref
  const struct PtxDwType *source_type;   // as the source declares it (debuginfo.h); NULL: not known
  struct PtxReloc *relocs;       // addresses inside init to fill in at load time
  int reloc_count;
} PtxVar;

typedef struct PtxReloc { int64_t at; int var, func; int64_t addend; bool generic; } PtxReloc;  // 8 bytes at init[at]

typedef struct PtxReg { const char *name; uint8_t type; } PtxReg;

// A parameter of an entry or function, in order. offset is its place in the parameter space.
// One in .reg (functions only) is register `reg` of the function and has no place there: var is -1, size its width.
typedef struct PtxParam {
  const char *name;
  uint8_t type;
  int align;
  int64_t count, size, offset;
  int var;
  int reg;              // -1 if it is in .param
} PtxParam;

typedef struct PtxFunc {
  const char *name;          // as in the PTX
  const char *demangled;     // "gputiled<32>(float*, ...)"; equals name if it is not mangled
  bool is_entry, is_extern;  // extern: declared only (vprintf, __assertfail)
  int alias_of;              // .alias: the function that this is another name of, whatever is called by it; else -1
  int first, count;          // instructions in module->code
  PtxParam *params; int param_count; int64_t param_bytes;
  PtxParam *results; int result_count;
  PtxReg *regs; int reg_count;
  int maxntid[3], reqntid[3];  // 0 if not given
  int min_blocks, max_regs;  // .minnctapersm, .maxnreg; 0 if not given
  int reqnctapercluster[3];  // 0 if not given
  int max_cluster_rank;      // .maxclusterrank; 0 if not given
  bool explicit_cluster;     // .explicitcluster: the launch has to say how large clusters are
  int line;                  // in the PTX
  int loc;                   // of the .func_begin, -1 if none
} PtxFunc;
// A kernel whose code is here: one that is only declared (.extern .entry) cannot be launched.
static inline bool ptx_is_kernel(const PtxFunc *func) { return func->is_entry && !func->is_extern; }

// A list with a label of its own. BRANCHES (.branchtargets): targets are pcs; CALLS (.calltargets): indices into
// module->funcs; PROTOTYPE (.callprototype) has none: it says how much an indirect call passes and gets back. Of what types
// that is, the site of the call says again.
typedef enum PtxTableKind { PTX_TABLE_BRANCHES, PTX_TABLE_CALLS, PTX_TABLE_PROTOTYPE } PtxTableKind;
typedef struct PtxTable {
  const char *name;
  int *targets; int target_count;
  int results, params;         // of a PROTOTYPE
  uint8_t kind;
} PtxTable;

typedef struct PtxModule {
  LsArena *arena;
  const char *path;            // as given, for messages
  const char *text;            // the whole PTX, owned
  size_t text_length;
  int version_major, version_minor;
  const char *target;          // "sm_75"
  bool debug;                  // .target ..., debug: the as-written cut
  PtxInstr *code; int code_count;
  PtxFunc *funcs; int func_count;
  PtxVar *vars; int var_count;
  PtxLoc *locs; int loc_count;
  const char **files; int file_count;
  PtxTable *tables; int table_count;
  struct PtxDebugInfo *debuginfo;  // see debuginfo.h; NULL if the PTX has no DWARF
} PtxModule;

// Parses a PTX text (copied). On failure returns NULL; err has file, line, column, and a caret under the place.
// Error recovery: up to eight errors are gathered into err->message, the first one's place is err's place.
PtxModule *ptx_parse(const char *path, const char *text, size_t length, LsErr *err);
void ptx_module_free(PtxModule *module);   // NULL is fine

// The entry whose plain or demangled name (with or without parameter list) is `name`; name NULL: the only entry.
// -1 with an error that lists the entries there are.
int ptx_find_entry(const PtxModule *module, const char *name, LsErr *err);

// Variable by name as seen from function f (its own first, then module scope); -1 if there is none.
int ptx_find_var(const PtxModule *module, int func, const char *name);

// Would somebody who types "bar" or "ld.global.v" mean this instruction? Its opcode, or the beginning of its spelling.
bool ptx_is_called(const PtxInstr *in, const char *typed);

// The instruction as one line of PTX (guard, name, operands) written into out.
void ptx_print_instr(const PtxModule *module, int pc, LsText *out);

// Name and usual meaning of an opcode in one sentence, for help ("adds two values").
const char *ptx_op_name(PtxOp op);
const char *ptx_op_help(PtxOp op);
int ptx_op_least_operands(PtxOp op);
int ptx_op_most_operands(PtxOp op);
PtxClass ptx_op_class(PtxOp op);

bool ptx_branches(const PtxInstr *in);        // to a label, or through a table
bool ptx_leaves(const PtxInstr *in);          // lanes whose guard holds never come to the next instruction by it
bool ptx_accesses(const PtxInstr *in);        // ld, st, atom, red: elements of the instruction's type in memory
int ptx_callee(const PtxInstr *in);           // the function that a call names; -1: another instruction, or an address

// The outermost user line of a pc: file index and line after following inlined_at to the kernel itself, and the
// innermost. Returns false if unknown.
bool ptx_line_of(const PtxModule *module, int pc, int *file, int *line);
bool ptx_line_inner(const PtxModule *module, int pc, int *file, int *line);

#endif
