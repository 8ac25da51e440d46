// debuginfo.h: variables of the source, from the DWARF that -G leaves in the PTX as text.
//
// Places follow NVIDIA's use of DWARF: DW_OP_regx with a PTX register name as the bytes of its ULEB128 number
// (0x256631 is "%f1"), valid between two labels; or an address in the local depot; or a shared or global symbol.
#ifndef LS_PTX_DEBUGINFO_H
#define LS_PTX_DEBUGINFO_H

#include "ptx/module.h"

typedef enum PtxDwKind { PTX_DW_INT, PTX_DW_UINT, PTX_DW_FLOAT, PTX_DW_BOOL, PTX_DW_CHAR, PTX_DW_POINTER, PTX_DW_STRUCT,
                         PTX_DW_ARRAY, PTX_DW_ENUM, PTX_DW_OTHER } PtxDwKind;

typedef struct PtxDwType PtxDwType;
typedef struct PtxDwField { const char *name; const PtxDwType *type; int64_t offset; } PtxDwField;
struct PtxDwType {
  uint8_t kind;             // PtxDwKind
  int size;                 // bytes of the whole
  const char *name;         // as the source would write it: "float", "const float *", "float [32][33]", "float2"
  const PtxDwType *elem;    // pointee or array element
  int64_t dims[4]; int dim_count;   // ARRAY; dims[0] outermost; 0 if unsized
  PtxDwField *fields; int field_count;  // STRUCT
};

typedef enum PtxPlaceKind { PTX_PLACE_REG, PTX_PLACE_LOCAL, PTX_PLACE_SHARED, PTX_PLACE_GLOBAL, PTX_PLACE_CONST,
                            PTX_PLACE_PARAM } PtxPlaceKind;

// Where a variable lives while first <= pc < last.
typedef struct PtxPlace {
  uint8_t kind;             // PtxPlaceKind
  int first, last;          // pc range
  int reg;                  // REG: register of the function
  int var;                  // SHARED, GLOBAL, CONST, PARAM, LOCAL: index into module->vars
  int64_t offset;           // added to the variable's address
} PtxPlace;

typedef struct PtxDwVar {
  const char *name;
  const PtxDwType *type;
  int func;                 // function of the PTX it is in; -1: a variable of the module, in scope everywhere
  bool is_param;
  int decl_line;            // in the source, 0 if unknown
  int scope_first, scope_last;  // pc range of its lexical block
  int depth;                // nesting of scopes; 0 for parameters
  const char *inlined;      // the inlined function it belongs to; NULL: the function itself
  PtxPlace *places; int place_count;
} PtxDwVar;

typedef struct PtxDebugInfo {
  PtxDwVar *vars; int var_count;   // in order of declaration within each function
} PtxDebugInfo;

// Place of a variable at an instruction; NULL if it has none there (not yet set, optimized away, out of scope).
const PtxPlace *ptx_var_place(const PtxDwVar *var, int pc);
bool ptx_var_in_scope(const PtxDwVar *var, int pc);

// C names and types of an entry's parameters (from DWARF): NULL where unknown.
const char *ptx_param_source_name(const PtxModule *module, int func, int param);
const PtxDwType *ptx_param_source_type(const PtxModule *module, int func, int param);

// Gives the parameters of an entry the names and types that another cut of the same kernel knows (copied). Nothing happens if
// they have names already or the parameters do not match in number and size.
void ptx_adopt_params(PtxModule *to, int to_func, const PtxModule *from, int from_func);
// Gives shared, global and constant variables the types that another cut knows of those of the same name (copied).
void ptx_adopt_var_types(PtxModule *to, const PtxModule *from);

// The names of parameters from a list, one per parameter; all of it is copied. type may be NULL.
typedef struct PtxParamName { const char *name; const PtxDwType *type; } PtxParamName;
void ptx_name_params(PtxModule *module, int func, const PtxParamName *names);

#endif
