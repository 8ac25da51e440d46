// test_ptx_debug.c: variables of the source in the -G cut: names, types, and where they live.
#include "ptx/debuginfo.h"
#include "ptx_check.h"

// The variable of a function by name, the n-th of them in order of declaration.
static const PtxDwVar *var_of(const PtxModule *m, const char *func, const char *name, int n) {
  static const PtxDwVar none;
  int f = func ? ptx_find_entry(m, func, NULL) : -1;
  for (int i = 0; m->debuginfo && i < m->debuginfo->var_count; i++) {
    const PtxDwVar *var = &m->debuginfo->vars[i];
    if (var->func == f && strcmp(var->name, name) == 0 && n-- == 0) return var;
  }
  printf("\nno variable %s\n", name);
  CU_FAIL("no such variable");
  return &none;
}

static const char *type_of(const PtxDwVar *var) { return var->type ? var->type->name : "(none)"; }

// First instruction of a function's line.
static int pc_of_line(const PtxModule *m, const char *func, int line) {
  const PtxFunc *f = &m->funcs[ptx_find_entry(m, func, NULL)];
  for (int pc = f->first; pc < f->first + f->count; pc++) {
    int file, at;
    if (ptx_line_of(m, pc, &file, &at) && at == line) return pc;
  }
  return -1;
}

static void locals_of_a_lecture_kernel(void) {
  PtxModule *m = ptx_of_file("assets/ptx/transpose_32x33.g.ptx");
  if (!m) return;
  CHECK(m->debug);
  const char *kernel = "transpose<float>";
  int f = ptx_find_entry(m, kernel, NULL);
  const PtxDwVar *tx = var_of(m, kernel, "tx", 0), *col = var_of(m, kernel, "col", 0), *tile = var_of(m, kernel, "tile", 0);
  CHECK_STR(type_of(tx), "int");
  CHECK_INT(tx->decl_line, 7);
  CHECK(ptx_var_place(tx, pc_of_line(m, kernel, 7)) == NULL);
  const PtxPlace *place = ptx_var_place(tx, pc_of_line(m, kernel, 8));
  CHECK(place && place->kind == PTX_PLACE_REG);
  if (place) CHECK_STR(m->funcs[f].regs[place->reg].name, "%r3");
  const PtxPlace *before = ptx_var_place(col, pc_of_line(m, kernel, 11)), *after = ptx_var_place(col, pc_of_line(m, kernel, 15));
  CHECK(before && after && before->reg != after->reg);
  CHECK_STR(type_of(tile), "float [32][33]");
  CHECK_INT(tile->type->kind, PTX_DW_ARRAY);
  CHECK_INT(tile->type->dims[1], 33);
  CHECK_INT(tile->type->size, 32 * 33 * 4);
  CHECK_INT(tile->type->elem->kind, PTX_DW_FLOAT);
  place = ptx_var_place(tile, pc_of_line(m, kernel, 12));
  CHECK(place && place->kind == PTX_PLACE_SHARED && place->offset == 0);
  if (place) CHECK_STR(m->vars[place->var].name, "_ZZ9transposeIfEvPT_S1_iE4tile");
  CHECK_STR(ptx_param_source_name(m, f, 0), "out");
  CHECK_STR(ptx_param_source_name(m, f, 2), "n");
  CHECK_STR(ptx_param_source_type(m, f, 1)->name, "float *");
  CHECK(ptx_param_source_name(m, f, 3) == NULL && ptx_param_source_name(m, -1, 0) == NULL);
  ptx_module_free(m);
}

static void arrays_and_loops(void) {
  PtxModule *m = ptx_of_file("tests/unit/ptx/inputs/features.g.ptx");
  if (!m) return;
  const PtxDwVar *a = var_of(m, "locals", "a", 0);
  CHECK_STR(type_of(a), "int [40]");
  CHECK_INT(a->places[0].kind, PTX_PLACE_LOCAL);
  CHECK(ls_starts_with(m->vars[a->places[0].var].name, "__local_depot"));
  const PtxDwVar *first = var_of(m, "locals", "i", 0), *second = var_of(m, "locals", "i", 1);
  CHECK_INT(first->decl_line, 76);
  CHECK_INT(second->decl_line, 77);
  CHECK(first->scope_last <= second->scope_first);
  CHECK(first->depth > var_of(m, "locals", "sum", 0)->depth);
  CHECK(!ptx_var_in_scope(first, second->scope_first) && ptx_var_in_scope(second, second->scope_first));
  ptx_module_free(m);
}

static void structures(void) {
  PtxModule *m = ptx_of_file("tests/unit/ptx/inputs/features.g.ptx");
  if (!m) return;
  int f = ptx_find_entry(m, "list", NULL);
  const PtxDwType *pointer = ptx_param_source_type(m, f, 0), *node = ptx_param_source_type(m, f, 1);
  CHECK_STR(ptx_param_source_name(m, f, 1), "by_value");
  if (!pointer || !node) return;
  CHECK_STR(pointer->name, "Node *");
  CHECK_STR(node->name, "Node");
  CHECK(node->kind == PTX_DW_STRUCT && node->size == 16 && node->field_count == 2);
  CHECK_STR(node->fields[0].name, "next");
  CHECK(node->fields[0].type->elem == node);
  CHECK_INT(node->fields[1].offset, 8);
  CHECK_STR(node->fields[1].type->name, "double");
  const PtxDwVar *value = var_of(m, "list", "by_value", 0);
  CHECK(value->is_param && value->places[0].kind == PTX_PLACE_LOCAL && value->places[0].offset == 8);
  CHECK_STR(type_of(var_of(m, "forever", "data", 0)), "volatile int *");
  CHECK_STR(type_of(var_of(m, "geo::scale<float,7>", "in", 0)), "const Point *");
  ptx_module_free(m);
}

static void inlined_functions(void) {
  PtxModule *m = ptx_of_file("tests/unit/ptx/inputs/features.g.ptx");
  if (!m) return;
  const PtxDwVar *outer_x = var_of(m, "inlined", "x", 0), *twice = var_of(m, "inlined", "twice", 0),
      *inner_x = var_of(m, "inlined", "x", 1);
  CHECK_STR(outer_x->inlined, "outer");
  CHECK_STR(inner_x->inlined, "inner");
  CHECK_STR(twice->inlined, "outer");
  CHECK(!outer_x->is_param && var_of(m, "inlined", "data", 0)->is_param);
  CHECK(var_of(m, "inlined", "i", 0)->inlined == NULL);
  CHECK(inner_x->scope_first >= outer_x->scope_first && inner_x->scope_last <= outer_x->scope_last);
  CHECK_STR(type_of(twice), "float");
  ptx_module_free(m);
}

static void variables_of_the_module(void) {
  PtxModule *m = ptx_of_file("tests/unit/ptx/inputs/features.g.ptx");
  if (!m) return;
  const PtxDwVar *pairs = var_of(m, NULL, "pairs", 0);
  CHECK_STR(type_of(pairs), "Pair [2]");
  CHECK_INT(pairs->places[0].kind, PTX_PLACE_GLOBAL);
  CHECK_INT(var_of(m, NULL, "table", 0)->places[0].kind, PTX_PLACE_CONST);
  CHECK_STR(type_of(var_of(m, "shared", "square", 0)), "float [32][33]");
  ptx_module_free(m);
}

static void every_place_is_valid(const PtxModule *m) {
  for (int i = 0; i < m->debuginfo->var_count; i++) {
    const PtxDwVar *var = &m->debuginfo->vars[i];
    for (int k = 0; k < var->place_count; k++) {
      const PtxPlace *place = &var->places[k];
      CHECK(place->first >= 0 && place->first < place->last && place->last <= m->code_count);
      bool in_reg = place->kind == PTX_PLACE_REG;
      CHECK(in_reg ? place->reg >= 0 && place->reg < m->funcs[var->func].reg_count : place->var >= 0 && place->var < m->var_count);
    }
  }
}

// The numbers of the debug sections, one after another, made wrong: fewer variables or none, nothing worse.
static void damaged_numbers(void) {
  char *path = ls_path_join(LS_SOURCE_DIR, "assets/ptx/transpose_32x33.g.ptx"),
      *text = ls_file_read(path, PTX_FILE_LIMIT, NULL, NULL);
  char *debug = text ? strstr(text, ".debug_loc") : NULL;
  int damaged = 0;
  CHECK(debug != NULL);
  for (char *p = debug; p && (p = strpbrk(p, "0123456789")); p++) {
    char was = *p;
    if (p[-1] != ' ' && p[-1] != ',' && p[-1] != '+') continue;
    *p = was == '9' ? '1' : '9';
    PtxModule *m = ptx_parse("t.ptx", text, strlen(text), NULL);
    if (m && m->debuginfo) every_place_is_valid(m);
    ptx_module_free(m);
    *p = was;
    damaged++;
  }
  CHECK(damaged > 500);
  free(text);
  free(path);
}

static void no_dwarf_no_variables(void) {
  PtxModule *m = ptx_of_file("assets/ptx/transpose_32x33.ptx");
  if (!m) return;
  CHECK(!m->debug && m->debuginfo == NULL);
  CHECK(ptx_param_source_name(m, 0, 0) == NULL);
  ptx_module_free(m);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
    {"locals of a lecture kernel", locals_of_a_lecture_kernel},
    {"arrays and loops", arrays_and_loops},
    {"structures", structures},
    {"inlined functions", inlined_functions},
    {"variables of the module", variables_of_the_module},
    {"damaged numbers", damaged_numbers},
    {"no DWARF, no variables", no_dwarf_no_variables},
  };
  return check_main("ptx debug", checks, LS_COUNT(checks), argc, argv);
}
