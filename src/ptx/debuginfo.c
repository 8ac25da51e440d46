// debuginfo.c: variables of the source.
#include "ptx/debuginfo.h"
#include "ptx/section.h"
#include "ptx/parser.h"
struct PtxDebugInfo *ptx_read_debuginfo(PtxModule *m, const PtxSections *s) { (void)m; (void)s; return NULL; }
const PtxPlace *ptx_var_place(const PtxDwVar *var, int pc) { (void)var; (void)pc; return NULL; }
bool ptx_var_in_scope(const PtxDwVar *var, int pc) { return pc >= var->scope_first && pc < var->scope_last; }
const char *ptx_param_source_name(const PtxModule *module, int func, int param) { (void)module; (void)func; (void)param; return NULL; }
const PtxDwType *ptx_param_source_type(const PtxModule *module, int func, int param) { (void)module; (void)func; (void)param; return NULL; }
