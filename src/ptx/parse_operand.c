// parse_operand.c: operands of instructions (PTX ISA 6).
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

#include "ptx/def_use.h"

static bool parse_into(PtxParser *p, PtxInstr *instr, int index, PtxOperand *operand);

static bool unknown_name(PtxParser *p, const PtxToken *at, const PtxName *name) {
  const char *close = ptx_closest_symbol(p, name);
  if (close) return ptx_error(p, at, "'%s' is not declared; did you mean '%s'?", name->text, close);
  return ptx_error(p, at, "'%s' is not declared", name->text);
}

static PtxOperand blank(PtxOperandKind kind) {
  return (PtxOperand){.kind = (uint8_t)kind, .reg = -1, .pair = -1, .var = -1, .func = -1, .target = -1};
}

// Reads operands up to `close` as the elements of a vector, an argument list or a bracket.
static bool parse_elems(PtxParser *p, PtxInstr *instr, PtxOperand *operand, int close) {
  PtxOperand *elems = NULL;
  int count = 0, capacity = 0;
  bool ok = ++p->nest < PTX_NEST_LIMIT || ptx_error(p, &p->token, "operands are nested too deeply");
  if (ok && !ptx_token_is(&p->token, close)) {
    do {
      PtxOperand elem;
      ok = count < PTX_ELEM_LIMIT || ptx_error(p, &p->token, "more than %d elements", PTX_ELEM_LIMIT);
      ok = ok && parse_into(p, instr, -1, &elem);
      if (ok) LS_PUSH(elems, count, capacity, elem);
    } while (ok && ptx_accept(p, ','));
  }
  ok = ok && ptx_expect(p, close);
  if (ok && count) {
    operand->elems = LS_NEW_ARRAY(p->module->arena, PtxOperand, count);
    for (int i = 0; i < count; i++) operand->elems[i] = elems[i];
  }
  operand->elem_count = count;
  free(elems);
  p->nest--;
  return ok;
}

// The registers of vectors among arguments are arguments, each by itself, as they are parameters.
static void flatten(PtxParser *p, PtxOperand *list) {
  int count = 0;
  for (int i = 0; i < list->elem_count; i++)
    count += list->elems[i].kind == PTX_OPD_VEC ? list->elems[i].elem_count : 1;
  if (count == list->elem_count) return;
  PtxOperand *elems = LS_NEW_ARRAY(p->module->arena, PtxOperand, count);
  count = 0;
  for (int i = 0; i < list->elem_count; i++) {
    const PtxOperand *o = &list->elems[i];
    bool vector = o->kind == PTX_OPD_VEC;
    for (int k = 0; k < (vector ? o->elem_count : 1); k++) elems[count++] = vector ? o->elems[k] : *o;
  }
  list->elems = elems;
  list->elem_count = count;
}

// number = [ "-" ] float | expr ;
static bool parse_number(PtxParser *p, PtxOperand *operand) {
  *operand = blank(PTX_OPD_IMM);
  operand->imm_type = PTX_S64;
  bool minus = ptx_token_is(&p->token, '-') && p->ahead.kind == PTX_TK_FLOAT;
  if (minus) ptx_advance(p);
  if (p->token.kind != PTX_TK_FLOAT) {
    int64_t value;
    if (!ptx_parse_expr(p, &value)) return false;
    operand->imm = (uint64_t)value;
    return true;
  }
  operand->imm_type = p->token.type;
  operand->imm = p->token.value;
  operand->index = p->token.decimal;
  if (minus) operand->imm ^= p->token.type == PTX_F32 ? (uint64_t)1 << 31 : (uint64_t)1 << 63;
  ptx_advance(p);
  return true;
}

// pair = "|" ( register | "_" ) ;
static bool parse_pair(PtxParser *p, PtxOperand *operand) {
  if (!ptx_accept(p, '|')) return true;
  if (ptx_accept_word(p, "_")) return true;
  PtxToken at = p->token;
  PtxName *name;
  if (!ptx_name_operand(p, &name)) return false;
  if (!name->symbol) return unknown_name(p, &at, name);
  if (name->symbol->kind != PTX_SYM_REG) return ptx_error(p, &at, "'%s' is not a register", name->text);
  operand->pair = name->symbol->index;
  return true;
}

static void vector_of(PtxParser *p, const PtxSymbol *symbol, PtxOperand *operand) {
  *operand = blank(PTX_OPD_VEC);
  operand->elem_count = symbol->count;
  operand->elems = LS_NEW_ARRAY(p->module->arena, PtxOperand, symbol->count);
  for (int i = 0; i < symbol->count; i++) {
    operand->elems[i] = blank(PTX_OPD_REG);
    operand->elems[i].reg = symbol->index + i;
  }
}

// %tid: its x, y and z, and a w that is 0 (PTX ISA 10).
static void vector_of_sregs(PtxParser *p, const PtxSymbol *symbol, PtxOperand *operand) {
  enum { COUNT = 4 };
  *operand = blank(PTX_OPD_VEC);
  operand->elem_count = COUNT;
  operand->elems = LS_NEW_ARRAY(p->module->arena, PtxOperand, COUNT);
  for (int i = 0; i < COUNT; i++) {
    operand->elems[i] = blank(i < 3 ? PTX_OPD_SREG : PTX_OPD_IMM);
    if (i < 3) operand->elems[i].sreg = symbol->index + i;
    else operand->elems[i].imm_type = PTX_S64;
  }
}

// variable = name [ "[" expr "]" ] [ offset ] ;   an index makes it an access to the array's element
static bool parse_var_operand(PtxParser *p, int var, PtxOperand *operand) {
  *operand = blank(PTX_OPD_VAR);
  operand->var = var;
  int64_t index = 0;
  if (ptx_accept(p, '[')) {
    if (!ptx_parse_expr(p, &index) || !ptx_expect(p, ']')) return false;
    operand->kind = PTX_OPD_MEM;
    operand->base = PTX_BASE_VAR;
  }
  if (!ptx_parse_offset(p, &operand->offset)) return false;
  int size = ptx_type_size((PtxType)p->module->vars[var].type);
  operand->offset = (int64_t)((uint64_t)operand->offset + (uint64_t)index * (uint64_t)size);
  return true;
}

static bool takes_label(const PtxInstr *instr, int index) {
  return index >= 0 && (instr->op == PTX_OP_bra || (instr->op == PTX_OP_brx && index == 1) || instr->op == PTX_OP_call);
}

static void add_fixup(PtxParser *p, PtxName *name, const PtxToken *at, int index) {
  PtxFixup fixup = {.name = name, .at = *at, .depth = p->depth, .pc = p->module->code_count, .operand = index,
                    .table = -1};
  LS_PUSH(p->fixups, p->fixup_count, p->fixup_capacity, fixup);
}

// The register of %r1.b2, as video instructions have it (PTX ISA 9.7.16); NULL: it is none.
static const PtxSymbol *selected_register(PtxParser *p, const PtxInstr *instr, const PtxName *name,
                                          const char **selector) {
  const char *dot = strrchr(name->text, '.');
  bool takes = ptx_op_name((PtxOp)instr->op)[0] == 'v' && instr->op != PTX_OP_vote;
  if (!takes || !dot || (dot[1] != 'b' && dot[1] != 'h') || strspn(dot + 2, "01234567") != strlen(dot + 2)) return NULL;
  const PtxSymbol *symbol = ptx_name(p, name->text, (int)(dot - name->text))->symbol;
  *selector = dot;
  return dot[2] && symbol && symbol->kind == PTX_SYM_REG ? symbol : NULL;
}

// name = register [ selector ] [ pair ] | "_" [ pair ] | special register | variable | function | label ;
static bool parse_word(PtxParser *p, const PtxInstr *instr, int index, PtxOperand *operand) {
  PtxToken at = p->token;
  PtxName *name;
  if (ptx_accept_word(p, "_")) {
    *operand = blank(PTX_OPD_SINK);
    return parse_pair(p, operand);
  }
  if (!ptx_name_operand(p, &name)) return false;
  const char *selector = NULL;
  const PtxSymbol *symbol = name->symbol ? name->symbol : selected_register(p, instr, name, &selector);
  bool known = symbol && symbol->kind != PTX_SYM_LABEL && symbol->kind != PTX_SYM_TABLE;
  if (takes_label(instr, index) && (!known || instr->op != PTX_OP_call)) {
    *operand = blank(PTX_OPD_LABEL);
    add_fixup(p, name, &at, index);
    return true;
  }
  if (!symbol) return unknown_name(p, &at, name);
  switch (symbol->kind) {
    case PTX_SYM_REG:
      *operand = blank(PTX_OPD_REG);
      operand->reg = symbol->index;
      operand->selector = selector;
      return parse_pair(p, operand);
    case PTX_SYM_VECTOR: vector_of(p, symbol, operand); return true;
    case PTX_SYM_SREGS: vector_of_sregs(p, symbol, operand); return true;
    case PTX_SYM_VAR: return parse_var_operand(p, symbol->index, operand);
    case PTX_SYM_FUNC:
      *operand = blank(PTX_OPD_FUNC);
      operand->func = symbol->index;
      return true;
    case PTX_SYM_SREG:
      *operand = blank(PTX_OPD_SREG);
      operand->sreg = symbol->index;
      operand->index = symbol->count;
      return true;
    default: return ptx_error(p, &at, "'%s' is a label; it cannot stand here", name->text);
  }
}

// sum = register "+" expr ;   of an operand that is read
static bool parse_sum(PtxParser *p, const PtxInstr *instr, int index, PtxOperand *operand) {
  PtxToken at = p->token;
  if (index < 0 || operand->kind != PTX_OPD_REG || operand->pair >= 0 || !ptx_token_is(&at, '+')) return true;
  if (ptx_role(instr, index) & PTX_ROLE_WRITTEN)
    return ptx_error(p, &at, "a result goes into a register, not into a sum");
  operand->kind = PTX_OPD_SUM;
  return ptx_parse_offset(p, &operand->offset);
}

// memory = "[" ( register | variable | expr ) [ offset ] { "," operand } "]" ;
static bool parse_memory(PtxParser *p, PtxInstr *instr, PtxOperand *operand) {
  PtxOperand base;
  PtxToken at = p->token;
  bool is_word = at.kind == PTX_TK_WORD && !ptx_token_is_word(&at, "WARP_SZ");
  if (!(is_word ? parse_word(p, instr, -1, &base) : parse_number(p, &base))) return false;
  *operand = blank(PTX_OPD_MEM);
  switch (base.kind) {
    case PTX_OPD_REG:
      operand->base = PTX_BASE_REG;
      operand->reg = base.reg;
      if (!ptx_parse_offset(p, &operand->offset)) return false;
      break;
    case PTX_OPD_VAR:
      operand->base = PTX_BASE_VAR;
      operand->var = base.var;
      operand->offset = base.offset;
      break;
    case PTX_OPD_IMM: operand->offset = (int64_t)base.imm; break;
    default: return ptx_error(p, &at, "an address is a register, a variable or a number");
  }
  if (!ptx_accept(p, ',')) return ptx_expect(p, ']');
  return parse_elems(p, instr, operand, ']');
}

// operand = "!" register | "{" elements "}" | "[" memory "]" | "(" arguments ")" | name [ sum ] | number ;
// index: place in the instruction; -1 for an element of a vector, an argument list or a bracket.
static bool parse_into(PtxParser *p, PtxInstr *instr, int index, PtxOperand *operand) {
  PtxToken at = p->token;
  *operand = blank(PTX_OPD_NONE);
  if (ptx_accept(p, '[')) return parse_memory(p, instr, operand);
  if (ptx_accept(p, '{')) {
    p->open_braces++;
    *operand = blank(PTX_OPD_VEC);
    bool ok = parse_elems(p, instr, operand, '}');
    if (ok) p->open_braces--;
    return ok && (index < 0 || parse_pair(p, operand));
  }
  if (instr->op == PTX_OP_call && index >= 0 && ptx_accept(p, '(')) {
    *operand = blank(PTX_OPD_ARGS);
    if (!parse_elems(p, instr, operand, ')')) return false;
    flatten(p, operand);
    return true;
  }
  if (ptx_token_is(&at, '!') && p->ahead.kind == PTX_TK_WORD) {
    ptx_advance(p);
    if (!parse_word(p, instr, index, operand)) return false;
    operand->negate = true;
    return operand->kind == PTX_OPD_REG || ptx_error(p, &at, "'!' stands before predicate registers only");
  }
  if (instr->op == PTX_OP_vmad && ptx_token_is(&at, '-') && p->ahead.kind == PTX_TK_WORD) {
    ptx_advance(p);
    operand->negate = parse_word(p, instr, index, operand);
    return operand->negate;
  }
  if (at.kind == PTX_TK_WORD && !ptx_token_is_word(&at, "WARP_SZ"))
    return parse_word(p, instr, index, operand) && parse_sum(p, instr, index, operand);
  bool number = at.kind == PTX_TK_INT || at.kind == PTX_TK_FLOAT || at.kind == PTX_TK_WORD;
  if (!number && !(at.kind == PTX_TK_PUNCT &&
                   (at.punct == '-' || at.punct == '+' || at.punct == '~' || at.punct == '!' || at.punct == '('))) {
    return ptx_error_expected(p, "an operand");
  }
  return parse_number(p, operand);
}

bool ptx_parse_operand(PtxParser *p, PtxInstr *instr, int index) {
  return parse_into(p, instr, index, &instr->operands[index]);
}
