// def_use.h: the rows of tests/unit/ptx/inputs/def_use.txt: what instructions write and read, by the PTX ISA.
#ifndef LS_TESTS_DEF_USE_H
#define LS_TESTS_DEF_USE_H

#include "ptx/def_use.h"
#include "ptx_check.h"

// Names in the order of the operands, a blank before each.
typedef struct DefUseRow { const char *text, *defs, *uses; } DefUseRow;

// All rows; they point into *text. The caller frees both.
static inline DefUseRow *def_use_rows(char **text, int *count) {
  char *path = ls_path_join(LS_SOURCE_DIR, "tests/unit/ptx/inputs/def_use.txt");
  *text = ls_file_read(path, PTX_FILE_LIMIT, NULL, NULL);
  free(path);
  DefUseRow *rows = NULL;
  int capacity = 0;
  *count = 0;
  for (char *rest = *text, *line; rest && (line = strsep(&rest, "\n"));) {
    char *arrow = strstr(line, " =>"), *back = arrow ? strstr(arrow, " <=") : NULL;
    if (*line == '#' || !back) { CHECK(*line == '#' || !*line); continue; }
    *arrow = *back = '\0';
    DefUseRow row = {line, arrow + 3, back + 3};
    LS_PUSH(rows, *count, capacity, row);
  }
  return rows;
}

static inline void def_use_add_name(const PtxModule *m, const PtxInstr *in, const PtxRef *r, LsText *out) {
  switch ((PtxRefKind)r->kind) {
  case PTX_REF_REG: ls_text_addf(out, " %s", m->funcs[in->func].regs[r->reg].name); break;
  case PTX_REF_VAR: ls_text_addf(out, " %s", m->vars[r->var].name); break;
  case PTX_REF_CARRY: ls_text_add(out, " cc"); break;
  }
}

// The same from the walks through an instruction.
static inline void def_use_names(const PtxModule *m, const PtxInstr *in, LsText *defs, LsText *uses) {
  for (PtxRef r = {0}; ptx_each_def(in, &r);) def_use_add_name(m, in, &r, defs);
  for (PtxRef r = {0}; ptx_each_use(in, &r);) def_use_add_name(m, in, &r, uses);
}

#endif
