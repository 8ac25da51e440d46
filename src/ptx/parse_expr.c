// parse_expr.c: constant expressions of integers (PTX ISA 4.5.4). All are computed in 64 bits.
#include "ptx/parser.h"

typedef struct Binary { int punct, level; } Binary;

// Loosest first, as in C.
static const Binary binaries[] = {
  {PTX_PUNCT2('|', '|'), 1}, {PTX_PUNCT2('&', '&'), 2}, {'|', 3}, {'^', 4}, {'&', 5},
  {PTX_PUNCT2('=', '='), 6}, {PTX_PUNCT2('!', '='), 6},
  {'<', 7}, {'>', 7}, {PTX_PUNCT2('<', '='), 7}, {PTX_PUNCT2('>', '='), 7},
  {PTX_PUNCT2('<', '<'), 8}, {PTX_PUNCT2('>', '>'), 8}, {'+', 9}, {'-', 9}, {'*', 10}, {'/', 10}, {'%', 10},
};
enum { LEVEL_LOOSEST = 1, LEVEL_UNARY = 11 };

static bool parse_level(PtxParser *p, int level, int64_t *value);

static int level_of(const PtxToken *token) {
  if (token->kind != PTX_TK_PUNCT) return 0;
  for (int i = 0; i < LS_COUNT(binaries); i++) {
    if (binaries[i].punct == token->punct) return binaries[i].level;
  }
  return 0;
}

static bool divide(PtxParser *p, const PtxToken *at, int64_t a, int64_t b, int64_t *value) {
  if (b == 0) return ptx_error(p, at, "division by zero");
  if (b == -1) *value = at->punct == '/' ? (int64_t)(0 - (uint64_t)a) : 0;
  else *value = at->punct == '/' ? a / b : a % b;
  return true;
}

static bool combine(PtxParser *p, const PtxToken *at, int64_t a, int64_t b, int64_t *value) {
  uint64_t ua = (uint64_t)a, ub = (uint64_t)b;
  switch (at->punct) {
    case PTX_PUNCT2('|', '|'): *value = a || b; break;
    case PTX_PUNCT2('&', '&'): *value = a && b; break;
    case PTX_PUNCT2('=', '='): *value = a == b; break;
    case PTX_PUNCT2('!', '='): *value = a != b; break;
    case PTX_PUNCT2('<', '='): *value = a <= b; break;
    case PTX_PUNCT2('>', '='): *value = a >= b; break;
    case PTX_PUNCT2('<', '<'): *value = ub > 63 ? 0 : (int64_t)(ua << ub); break;
    case PTX_PUNCT2('>', '>'): *value = a >> LS_MIN(ub, 63u); break;
    case '<': *value = a < b; break;
    case '>': *value = a > b; break;
    case '|': *value = a | b; break;
    case '^': *value = a ^ b; break;
    case '&': *value = a & b; break;
    case '+': *value = (int64_t)(ua + ub); break;
    case '-': *value = (int64_t)(ua - ub); break;
    case '*': *value = (int64_t)(ua * ub); break;
    default: return divide(p, at, a, b, value);
  }
  return true;
}

// primary = integer | "WARP_SZ" | "(" expr ")" | "(" ( ".s64" | ".u64" ) ")" unary ;
static bool parse_primary(PtxParser *p, int64_t *value) {
  if (p->token.kind == PTX_TK_INT) {
    *value = (int64_t)p->token.value;
    ptx_advance(p);
    return true;
  }
  if (ptx_accept_word(p, "WARP_SZ")) {
    *value = 32;
    return true;
  }
  if (!ptx_accept(p, '(')) return ptx_error_expected(p, "a number");
  bool cast = ptx_accept_word(p, ".s64") || ptx_accept_word(p, ".u64");
  if (cast) return ptx_expect(p, ')') && parse_level(p, LEVEL_UNARY, value);
  return ptx_parse_expr(p, value) && ptx_expect(p, ')');
}

// unary = ( "+" | "-" | "!" | "~" ) unary | primary ;
static bool parse_unary(PtxParser *p, int64_t *value) {
  if (++p->nest > PTX_NEST_LIMIT) return ptx_error(p, &p->token, "the expression is nested too deeply");
  bool ok;
  if (ptx_accept(p, '+')) {
    ok = parse_unary(p, value);
  } else if (ptx_accept(p, '-')) {
    ok = parse_unary(p, value);
    *value = (int64_t)(0 - (uint64_t)*value);
  } else if (ptx_accept(p, '!')) {
    ok = parse_unary(p, value);
    *value = !*value;
  } else if (ptx_accept(p, '~')) {
    ok = parse_unary(p, value);
    *value = ~*value;
  } else {
    ok = parse_primary(p, value);
  }
  p->nest--;
  return ok;
}

// level = unary { operator level+1 } ;   by precedence climbing
static bool parse_level(PtxParser *p, int level, int64_t *value) {
  if (!parse_unary(p, value)) return false;
  for (int found = level_of(&p->token); found >= level && found; found = level_of(&p->token)) {
    PtxToken at = p->token;
    int64_t right = 0;
    ptx_advance(p);
    if (!parse_level(p, found + 1, &right) || !combine(p, &at, *value, right, value)) return false;
  }
  return true;
}

// expr = level1 [ "?" expr ":" expr ] ;
bool ptx_parse_expr(PtxParser *p, int64_t *value) {
  *value = 0;
  if (!parse_level(p, LEVEL_LOOSEST, value)) return false;
  if (!ptx_accept(p, '?')) return true;
  if (++p->nest > PTX_NEST_LIMIT) return ptx_error(p, &p->token, "the expression is nested too deeply");
  int64_t yes, no;
  if (!ptx_parse_expr(p, &yes) || !ptx_expect(p, ':') || !ptx_parse_expr(p, &no)) return false;
  p->nest--;
  *value = *value ? yes : no;
  return true;
}

// offset = [ "+" expr | "-" expr ] ;
bool ptx_parse_offset(PtxParser *p, int64_t *value) {
  *value = 0;
  bool minus = ptx_token_is(&p->token, '-');
  if (!minus && !ptx_accept(p, '+')) return true;
  return ptx_parse_expr(p, value);
}
