// module.c: looking things up in a parsed module.
#include "ptx/module.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

void ptx_module_free(PtxModule *module) {
  if (!module) return;
  free(module->code);
  free(module->funcs);
  free(module->vars);
  free(module->locs);
  free(module->files);
  free(module->tables);
  ls_arena_free(module->arena);
}

// Compares names as people type them: blanks do not count, and `wanted` may leave out the parameter list (and with
// `bare` the template arguments too).
static bool same_name(const char *name, const char *wanted, bool bare) {
  for (;; name++, wanted++) {
    while (*name == ' ') name++;
    while (*wanted == ' ') wanted++;
    if (*name != *wanted || !*name) break;
  }
  return !*wanted && (!*name || *name == '(' || (bare && *name == '<'));
}

// How well a function answers to a name: 3 by its PTX name, 2 by its C++ name, 1 by its bare C++ name, 0 not at all.
static int match_name(const PtxFunc *func, const char *name) {
  if (strcmp(func->name, name) == 0) return 3;
  if (same_name(func->demangled, name, false)) return 2;
  return same_name(func->demangled, name, true) ? 1 : 0;
}

// Lists the kernels, or those that answer to `name`.
static void append_entries(const PtxModule *module, const char *name, LsErr *err) {
  enum { SHOWN = 12 };
  int shown = 0;
  for (int f = 0; f < module->func_count; f++) {
    if (!ptx_is_kernel(&module->funcs[f]) || (name && !match_name(&module->funcs[f], name))) continue;
    if (shown++ < SHOWN) ls_err_append(err, "  %s", module->funcs[f].demangled);
  }
  if (shown > SHOWN) ls_err_append(err, "  and %d more", shown - SHOWN);
}

int ptx_find_entry(const PtxModule *module, const char *name, LsErr *err) {
  int best = -1, best_match = 0, ties = 0, entries = 0;
  for (int f = 0; f < module->func_count; f++) {
    const PtxFunc *func = &module->funcs[f];
    if (!ptx_is_kernel(func)) continue;
    entries++;
    int match = name ? match_name(func, name) : 1;
    if (!match || match < best_match) continue;
    ties = match == best_match ? ties + 1 : 1;
    best = f;
    best_match = match;
  }
  if (ties == 1) return best;
  if (entries == 0) ls_fail(err, LS_EREQUEST, "%s has no kernel", LS_QUOTE_PATH(module->path));
  else if (!name) ls_fail(err, LS_EREQUEST, "%s has several kernels; say which of", LS_QUOTE_PATH(module->path));
  else if (ties > 1) ls_fail(err, LS_EREQUEST, "%s has several kernels '%s'; say which of",
                             LS_QUOTE_PATH(module->path), LS_QUOTE(name));
  else ls_fail(err, LS_EREQUEST, "%s has no kernel '%s'; it has", LS_QUOTE_PATH(module->path), LS_QUOTE(name));
  append_entries(module, ties > 1 ? name : NULL, err);
  return -1;
}

int ptx_find_var(const PtxModule *module, int func, const char *name) {
  int global = -1;
  for (int v = 0; v < module->var_count; v++) {
    const PtxVar *var = &module->vars[v];
    if ((var->func != func && var->func != -1) || strcmp(var->name, name) != 0) continue;
    if (var->func == func) return v;
    global = v;
  }
  return global;
}

bool ptx_is_called(const PtxInstr *in, const char *typed) {
  size_t length = strlen(typed);
  if (!in->spelling || strncasecmp(in->spelling, typed, length) != 0) return false;
  return in->spelling[length] == '\0' || in->spelling[length] == '.' || strchr(typed, '.');
}

bool ptx_branches(const PtxInstr *in) { return ptx_op_class((PtxOp)in->op) == PTX_CLASS_BRANCH; }
bool ptx_leaves(const PtxInstr *in) { return ptx_branches(in) || ptx_op_class((PtxOp)in->op) == PTX_CLASS_EXIT; }

bool ptx_accesses(const PtxInstr *in) {
  return in->op == PTX_OP_ld || in->op == PTX_OP_st || in->op == PTX_OP_atom || in->op == PTX_OP_red;
}

int ptx_callee(const PtxInstr *in) {
  for (int i = 0; in->op == PTX_OP_call && i < in->operand_count; i++)
    if (in->operands[i].kind == PTX_OPD_FUNC) return in->operands[i].func;
  return -1;
}

bool ptx_line_inner(const PtxModule *module, int pc, int *file, int *line) {
  if (pc < 0 || pc >= module->code_count || module->code[pc].loc < 0) return false;
  const PtxLoc *loc = &module->locs[module->code[pc].loc];
  *file = loc->file;
  *line = loc->line;
  return true;
}

static const PtxLoc *outermost(const PtxModule *module, int index) {
  const PtxLoc *loc = &module->locs[index];
  while (loc->inlined_at >= 0) loc = &module->locs[loc->inlined_at];
  return loc;
}

bool ptx_line_of(const PtxModule *module, int pc, int *file, int *line) {
  if (pc < 0 || pc >= module->code_count || module->code[pc].loc < 0) return false;
  const PtxLoc *loc = outermost(module, module->code[pc].loc);
  // Line 0 is the compiler's word for code of no line of its own: it belongs to what comes before.
  for (int at = pc; loc->line == 0 && at > 0 && module->code[at - 1].func == module->code[pc].func; at--)
    if (module->code[at - 1].loc >= 0) loc = outermost(module, module->code[at - 1].loc);
  *file = loc->file;
  *line = loc->line;
  return true;
}

static PtxEviction eviction_of(const char *word) {
  static const struct { const char *word; PtxEviction is; } words[] = {
      {"evict_unchanged", PTX_EVICT_UNCHANGED}, {"evict_first", PTX_EVICT_FIRST}, {"evict_last", PTX_EVICT_LAST},
      {"evict_normal", PTX_EVICT_NORMAL}};
  for (int i = 0; word && i < LS_COUNT(words); i++)
    if (strncmp(word, words[i].word, strlen(words[i].word)) == 0) return words[i].is;
  return PTX_EVICT_NONE;
}

// "createpolicy.fractional.L2::evict_last.L2::evict_first.b64": the order tells them apart, so bits would not do.
void ptx_evictions(const PtxInstr *in, PtxEviction *first, PtxEviction *second) {
  const char *at = strstr(in->spelling, "evict_"), *next = at ? strstr(at + 1, "evict_") : NULL;
  *first = eviction_of(at);
  *second = eviction_of(next);
}
