// parse_func.c: functions: header, parameters, and the statements of the body.
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/def_use.h"
#include "ptx/demangle.h"

static bool parse_statement(PtxParser *p);

// A vector's parameter is that of its first register; the others follow it (parse_params).
static bool add_reg_param(PtxParser *p, const PtxToken *at, const PtxDecl *decl, PtxParam *param, PtxName *name) {
  param->var = -1;
  if (!decl->vec) return ptx_add_reg(p, at, name->text, name->length, param->type, &param->reg);
  param->reg = p->reg_count;
  param->count = 1;
  param->size = ptx_type_size((PtxType)param->type);
  return ptx_add_vector_reg(p, at, name->text, name->length, decl);
}

static bool add_mem_param(PtxParser *p, const PtxToken *at, PtxParam *param, PtxName *name) {
  PtxVar var = {.name = name->text,
                .source_name = name->text,
                .space = PTX_PARAM,
                .type = param->type,
                .align = param->align,
                .count = param->count,
                .size = param->size,
                .func = p->func};
  param->reg = -1;
  param->var = name->var = ptx_add_var(p, var);
  // "_" is a parameter without a name.
  return strcmp(name->text, "_") == 0 || ptx_declare(p, at, name, PTX_SYM_VAR, param->var, 0);
}

// parameter = ( ".param" | ".reg" ) declaration words name [ dims ] ;   registers: how many it is
static bool parse_param(PtxParser *p, PtxParam *param, int *registers) {
  PtxDecl decl = {.space = PTX_PARAM};
  bool is_reg = ptx_accept_word(p, ".reg");
  if (!is_reg && !ptx_accept_word(p, ".param")) return ptx_error_expected(p, "'.param' or ')'");
  PtxToken at;
  PtxName *name;
  if (!ptx_parse_decl_words(p, &decl)) return false;
  at = p->token;
  if (!ptx_name_operand(p, &name)) return false;
  *param = (PtxParam){.name = name->text, .type = decl.type};
  if (!ptx_parse_dims(p, &param->count)) return false;
  if (decl.vec && param->count > 0) param->count *= decl.vec;
  int size = ptx_type_size((PtxType)decl.type);
  bool opaque = decl.type >= PTX_TEXREF && decl.type <= PTX_SURFREF;
  if (opaque) size = 8;
  param->align = decl.align ? decl.align : LS_MAX(1, size * LS_MAX(1, decl.vec));
  param->size = LS_MAX(param->count, 0) * size;
  *registers = is_reg ? LS_MAX(decl.vec, 1) : 1;
  return is_reg ? add_reg_param(p, &at, &decl, param, name) : add_mem_param(p, &at, param, name);
}

// parameters = "(" [ parameter { "," parameter } ] ")" ;
static bool parse_params(PtxParser *p, PtxParam **params, int *count, int64_t *bytes) {
  PtxParam *items = NULL;
  int n = 0, capacity = 0;
  int64_t at = 0;
  bool ok = ptx_expect(p, '(');
  while (ok && !ptx_token_is(&p->token, ')')) {
    PtxParam param = {0};
    int registers = 1;
    ok = parse_param(p, &param, &registers);
    if (!ok) break;
    if (param.var >= 0) {
      param.offset = (int64_t)ls_align_up((uint64_t)at, (uint64_t)param.align);
      at = param.offset + param.size;
      ok = at < PTX_SIZE_LIMIT || ptx_error(p, &p->token, "the parameters are too large");
    }
    for (int i = 0; i < registers; i++, param.reg += param.reg >= 0) LS_PUSH(items, n, capacity, param);
    if (!ptx_accept(p, ',')) break;
  }
  ok = ok && ptx_expect(p, ')');
  *params = LS_NEW_ARRAY(p->module->arena, PtxParam, n);
  for (int i = 0; i < n; i++) (*params)[i] = items[i];
  *count = n;
  *bytes = at;
  free(items);
  return ok;
}

// numbers = n { "," n } ;   for .maxntid and its like
static bool parse_numbers(PtxParser *p, int *values, int most) {
  int n = 0;
  do {
    PtxToken at = p->token;
    int64_t value;
    if (!ptx_parse_expr(p, &value)) return false;
    if (value < 0 || value > INT32_MAX || n == most) return ptx_error(p, &at, "this number is out of range");
    values[n++] = (int)value;
  } while (ptx_accept(p, ','));
  for (; n < most; n++) values[n] = 1;
  return true;
}

static bool skip_numbers_and_strings(PtxParser *p) {
  while (p->token.kind == PTX_TK_INT || p->token.kind == PTX_TK_STRING || ptx_token_is(&p->token, ',')) ptx_advance(p);
  if (!ptx_accept(p, '(')) return true;
  while (p->token.kind != PTX_TK_END && !ptx_token_is(&p->token, ')') && !ptx_token_is(&p->token, ';')) ptx_advance(p);
  return ptx_expect(p, ')');
}

// tuning = { ".maxntid" numbers | ".reqntid" numbers | ".minnctapersm" n | ".maxnreg" n | ".reqnctapercluster" numbers
//          | ".maxclusterrank" n | ".explicitcluster" | ".noreturn" | ... } ;
static bool parse_tuning(PtxParser *p, PtxFunc *func) {
  while (p->token.kind == PTX_TK_WORD && *p->token.text == '.') {
    PtxToken at = p->token;
    bool ok;
    ptx_advance(p);
    if (ptx_token_is_word(&at, ".maxntid")) ok = parse_numbers(p, func->maxntid, 3);
    else if (ptx_token_is_word(&at, ".reqntid")) ok = parse_numbers(p, func->reqntid, 3);
    else if (ptx_token_is_word(&at, ".minnctapersm")) ok = parse_numbers(p, &func->min_blocks, 1);
    else if (ptx_token_is_word(&at, ".maxnreg")) ok = parse_numbers(p, &func->max_regs, 1);
    else if (ptx_token_is_word(&at, ".reqnctapercluster")) ok = parse_numbers(p, func->reqnctapercluster, 3);
    else if (ptx_token_is_word(&at, ".maxclusterrank")) ok = parse_numbers(p, &func->max_cluster_rank, 1);
    else if (ptx_token_is_word(&at, ".explicitcluster")) ok = func->explicit_cluster = true;
    else ok = skip_numbers_and_strings(p);
    if (!ok) return false;
    if (ptx_token_is_word(&at, ".pragma")) ptx_accept(p, ';');
  }
  return true;
}

static bool declare_label(PtxParser *p) {
  PtxToken at = p->token;
  PtxName *name = ptx_token_name(p, &at);
  ptx_advance(p);
  ptx_advance(p);
  name->label_pc = p->module->code_count;
  uint8_t kind;
  if (ptx_token_is_word(&p->token, ".branchtargets")) kind = PTX_TABLE_BRANCHES;
  else if (ptx_token_is_word(&p->token, ".calltargets")) kind = PTX_TABLE_CALLS;
  else if (ptx_token_is_word(&p->token, ".callprototype")) kind = PTX_TABLE_PROTOTYPE;
  else return ptx_declare(p, &at, name, PTX_SYM_LABEL, name->label_pc, 0);
  PtxModule *m = p->module;
  PtxTable table = {.name = name->text, .kind = kind};
  LS_PUSH(m->tables, m->table_count, p->table_capacity, table);
  return ptx_declare(p, &at, name, PTX_SYM_TABLE, m->table_count - 1, 0);
}

// prototype = [ parameters ] "_" [ parameters ] { tuning } ";" ;   the parameters are counted, and passed over
static bool parse_prototype(PtxParser *p, PtxTable *table) {
  int depth = 0, *count = &table->results;
  for (; p->token.kind != PTX_TK_END && !ptx_token_is(&p->token, ';') && !ptx_token_is(&p->token, '}'); ptx_advance(p)) {
    depth += ptx_token_is(&p->token, '(') - ptx_token_is(&p->token, ')');
    if (depth == 0 && ptx_token_is_word(&p->token, "_")) count = &table->params;
    *count += depth == 1 && (ptx_token_is_word(&p->token, ".param") || ptx_token_is_word(&p->token, ".reg"));
  }
  return ptx_expect(p, ';');
}

// One name of a table: a label to be resolved when its scope ends, or a function.
static bool parse_target(PtxParser *p, const PtxTable *table, int entry, int *target) {
  PtxToken at = p->token;
  PtxName *name;
  *target = -1;
  if (!ptx_name_operand(p, &name)) return false;
  if (table->kind == PTX_TABLE_CALLS) {
    if (!name->symbol || name->symbol->kind != PTX_SYM_FUNC) return ptx_error(p, &at, "'%s' is not a function", name->text);
    *target = name->symbol->index;
    return true;
  }
  PtxFixup fixup = {.name = name, .at = at, .depth = p->depth, .table = p->module->table_count - 1, .entry = entry};
  LS_PUSH(p->fixups, p->fixup_count, p->fixup_capacity, fixup);
  return true;
}

// table = ( ".branchtargets" | ".calltargets" ) name { "," name } ";" | ".callprototype" ... ";" ;
static bool parse_table(PtxParser *p) {
  PtxTable *table = &p->module->tables[p->module->table_count - 1];
  ptx_advance(p);
  if (table->kind == PTX_TABLE_PROTOTYPE) return parse_prototype(p, table);
  int *targets = NULL, count = 0, capacity = 0;
  bool ok;
  do {
    int target;
    ok = parse_target(p, table, count, &target);
    LS_PUSH(targets, count, capacity, target);
  } while (ok && ptx_accept(p, ','));
  table->targets = LS_NEW_ARRAY(p->module->arena, int, count);
  for (int i = 0; i < count; i++) table->targets[i] = targets[i];
  table->target_count = count;
  free(targets);
  return ok && ptx_expect(p, ';');
}

static bool parse_pragma(PtxParser *p) {
  while (p->token.kind == PTX_TK_STRING || ptx_token_is(&p->token, ',')) ptx_advance(p);
  return ptx_expect(p, ';');
}

// directive in a body = ".reg" ... | ".loc" ... | ".pragma" ... | space declaration ... ;
static bool parse_body_directive(PtxParser *p) {
  PtxDecl decl = {0};
  PtxToken at = p->token;
  if (ptx_accept_word(p, ".reg")) return ptx_parse_regs(p);
  if (ptx_accept_word(p, ".loc")) return ptx_parse_loc(p);
  if (ptx_accept_word(p, ".file")) return ptx_parse_file(p);
  if (ptx_accept_word(p, ".pragma")) return parse_pragma(p);
  if (ptx_accept_word(p, ".extern")) decl.linkage = 2;
  if (ptx_is_space_word(&p->token, &decl.space)) {
    ptx_advance(p);
    return ptx_parse_vars(p, decl);
  }
  return ptx_error(p, &at, "directive '%.*s' has no place in a function", at.length, at.text);
}

// Statements up to the "}" that closes their scope.
static bool parse_statements(PtxParser *p) {
  while (!ptx_token_is(&p->token, '}')) {
    if (p->token.kind == PTX_TK_END) return p->errors ? false : ptx_error_expected(p, "'}'");
    if (p->errors >= PTX_ERROR_LIMIT) return false;
    int line = p->token.line;
    const char *before = p->token.text;
    if (parse_statement(p)) continue;
    if (p->errors >= PTX_ERROR_LIMIT || p->token.kind == PTX_TK_END) return false;
    ptx_recover(p, line);
    if (p->token.text == before) ptx_advance(p);
  }
  ptx_advance(p);
  return true;
}

// statement = "{" { statement } "}" | label ":" [ table ] | directive | instruction | ";" ;
static bool parse_statement(PtxParser *p) {
  if (ptx_accept(p, '{')) {
    if (!ptx_scope_enter(p)) return false;
    bool ok = parse_statements(p);
    ptx_scope_leave(p);
    return ok;
  }
  if (ptx_accept(p, ';')) return true;
  if (p->token.kind == PTX_TK_WORD && *p->token.text != '.' && ptx_token_is(&p->ahead, ':')) {
    int tables = p->module->table_count;
    if (!declare_label(p)) return false;
    return p->module->table_count == tables || parse_table(p);
  }
  if (p->token.kind == PTX_TK_WORD && *p->token.text == '.') return parse_body_directive(p);
  return ptx_parse_instr(p);
}

// The function of this name: declared before (a definition then fills it), or new.
static bool find_or_add_func(PtxParser *p, const PtxToken *at, PtxName *name) {
  PtxModule *m = p->module;
  const PtxSymbol *known = name->symbol;
  if (known && known->kind == PTX_SYM_FUNC) {
    p->func = known->index;
    return true;
  }
  PtxFunc func = {.name = name->text, .is_extern = true, .alias_of = -1, .loc = -1, .line = at->line};
  func.demangled = ptx_demangle(m->arena, func.name);
  LS_PUSH(m->funcs, m->func_count, p->func_capacity, func);
  p->func = m->func_count - 1;
  return true;
}

static void store_regs(PtxParser *p, PtxFunc *func) {
  func->regs = LS_NEW_ARRAY(p->module->arena, PtxReg, p->reg_count);
  if (p->reg_count) memcpy(func->regs, p->regs, sizeof *func->regs * (size_t)p->reg_count);
  func->reg_count = p->reg_count;
}

static bool never_falls_through(const PtxInstr *last) { return ptx_leaves(last) && last->guard < 0; }

// Does a branch of the function (its code begins at `first`) lead behind its last instruction?
static bool branches_to_end(const PtxModule *m, int first) {
  for (int pc = first; pc < m->code_count; pc++) {
    const PtxOperand *target = &m->code[pc].operands[0];
    if (target->kind == PTX_OPD_LABEL && target->target == m->code_count) return true;
  }
  for (int t = 0; t < m->table_count; t++)
    for (int i = 0; i < m->tables[t].target_count; i++)
      if (m->tables[t].targets[i] == m->code_count) return true;
  return false;
}

// Lanes that reach the closing brace are done: a ret stands there, so that every instruction has one after it. Called when
// the labels of the function are resolved. `behind` is the token after the brace.
static bool end_body(PtxParser *p, const PtxToken *behind) {
  PtxModule *m = p->module;
  PtxFunc *func = &m->funcs[p->func];
  bool ended = func->count && never_falls_through(&m->code[m->code_count - 1]) && !branches_to_end(m, func->first);
  if (ended) return true;
  if (m->code_count >= PTX_CODE_LIMIT) return ptx_error(p, behind, "more than %d instructions", PTX_CODE_LIMIT);
  PtxInstr ret = {.op = PTX_OP_ret, .guard = -1, .func = p->func, .line = behind->line, .col = behind->col, .loc = p->loc,
                  .spelling = "ret", .vec = 1};
  ret.roles = ptx_roles(&ret);
  LS_PUSH(m->code, m->code_count, p->code_capacity, ret);
  func->count++;
  return true;
}

// body = "{" { statement } "}" ;
static bool parse_body(PtxParser *p) {
  PtxModule *m = p->module;
  int index = p->func;
  if (!m->funcs[index].is_extern) return ptx_error(p, &p->token, "'%s' is defined twice", m->funcs[index].name);
  if (!ptx_expect(p, '{')) return false;
  m->funcs[index].is_extern = false;
  m->funcs[index].first = m->code_count;
  p->loc = -1;
  bool ok = parse_statements(p);
  m->funcs[index].count = m->code_count - m->funcs[index].first;
  store_regs(p, &m->funcs[index]);
  return ok;
}

// header = [ parameters ] name [ parameters ] tuning ;
static bool parse_header(PtxParser *p, bool is_entry) {
  PtxModule *m = p->module;
  PtxFunc head = {0};
  int64_t ignored;
  // Results stand before the name, so they are declared before the function is known: its index is that of the next.
  p->func = m->func_count;
  int first_var = m->var_count;
  if (ptx_token_is(&p->token, '(') && !parse_params(p, &head.results, &head.result_count, &ignored)) return false;
  PtxToken at = p->token;
  PtxName *name;
  if (!ptx_name_operand(p, &name) || !find_or_add_func(p, &at, name)) return false;
  for (int i = first_var; i < m->var_count; i++) m->vars[i].func = p->func;
  if (ptx_token_is(&p->token, '(') && !parse_params(p, &head.params, &head.param_count, &head.param_bytes)) return false;
  if (!parse_tuning(p, &head)) return false;
  PtxFunc *func = &m->funcs[p->func];
  func->is_entry = is_entry;
  func->line = at.line;
  func->results = head.results, func->result_count = head.result_count;
  func->params = head.params, func->param_count = head.param_count, func->param_bytes = head.param_bytes;
  memcpy(func->maxntid, head.maxntid, sizeof head.maxntid);
  memcpy(func->reqntid, head.reqntid, sizeof head.reqntid);
  func->min_blocks = head.min_blocks, func->max_regs = head.max_regs;
  memcpy(func->reqnctapercluster, head.reqnctapercluster, sizeof head.reqnctapercluster);
  func->max_cluster_rank = head.max_cluster_rank;
  func->explicit_cluster = head.explicit_cluster;
  return true;
}

// The function's name belongs to the scope around it, which is declared after its parameters are read.
static bool declare_func(PtxParser *p) {
  PtxModule *m = p->module;
  PtxName *name = ptx_name(p, m->funcs[p->func].name, (int)strlen(m->funcs[p->func].name));
  if (name->symbol && name->symbol->kind == PTX_SYM_FUNC) return true;
  int depth = p->depth;
  p->depth = 0;
  bool ok = ptx_declare(p, &p->token, name, PTX_SYM_FUNC, p->func, 0);
  p->depth = depth;
  return ok;
}

// function = ( ".entry" | ".func" ) header ( ";" | body ) ;
bool ptx_parse_function(PtxParser *p, bool is_entry) {
  p->reg_count = 0;
  p->loc = -1;
  if (!ptx_scope_enter(p)) return false;
  bool ok = parse_header(p, is_entry) && declare_func(p);
  bool declared_only = ok && ptx_accept(p, ';');
  if (ok && !declared_only) ok = parse_body(p);
  PtxToken behind = p->token;
  ptx_scope_leave(p);
  if (ok && !declared_only) ok = end_body(p, &behind);
  p->func = -1;
  p->loc = -1;
  return ok;
}
