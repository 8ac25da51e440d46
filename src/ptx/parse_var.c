// parse_var.c: declarations of registers and variables, and initial values.
#include "ptx/parser.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/demangle.h"

enum { LINKAGE_EXTERN = 2 };

bool ptx_is_space_word(const PtxToken *token, uint8_t *space) {
  static const struct { const char *word; uint8_t space; } rows[] = {
    {".global", PTX_GLOBAL}, {".shared", PTX_SHARED}, {".shared::cta", PTX_SHARED}, {".const", PTX_CONST},
    {".local", PTX_LOCAL}, {".param", PTX_PARAM}, {".tex", PTX_TEX},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    if (!ptx_token_is_word(token, rows[i].word)) continue;
    *space = rows[i].space;
    return true;
  }
  return false;
}

static PtxType type_word(const PtxToken *token) {
  for (int t = PTX_NOTYPE + 1; t < PTX_TYPE_COUNT; t++) {
    const char *name = ptx_type_name((PtxType)t);
    if (strncmp(token->text + 1, name, (size_t)token->length - 1) == 0 && !name[token->length - 1]) return (PtxType)t;
  }
  return PTX_NOTYPE;
}

// attribute = ".attribute" "(" ... ")" ;
static bool skip_attribute(PtxParser *p) {
  if (!ptx_expect(p, '(')) return false;
  while (p->token.kind != PTX_TK_END && !ptx_token_is(&p->token, ')') && !ptx_token_is(&p->token, ';')) ptx_advance(p);
  return ptx_expect(p, ')');
}

static bool parse_align(PtxParser *p, int *align) {
  PtxToken at = p->token;
  int64_t value;
  if (!ptx_parse_expr(p, &value)) return false;
  if (value < 1 || value > 1 << 20 || (value & (value - 1))) return ptx_error(p, &at, "an alignment is a power of two");
  *align = (int)value;
  return true;
}

// declaration words = { ".align" n | ".v2" | ".v4" | ".ptr" | space | ".attribute" "(" ... ")" | type } ;
bool ptx_parse_decl_words(PtxParser *p, PtxDecl *decl) {
  bool pointer = false;
  while (p->token.kind == PTX_TK_WORD && *p->token.text == '.') {
    PtxToken at = p->token;
    uint8_t space;
    PtxType type = type_word(&at);
    ptx_advance(p);
    if (ptx_token_is_word(&at, ".align")) {
      int align = 0;
      if (!parse_align(p, &align)) return false;
      if (!pointer) decl->align = align;   // after .ptr it speaks of what is pointed to
    } else if (ptx_token_is_word(&at, ".attribute")) {
      if (!skip_attribute(p)) return false;
    } else if (ptx_token_is_word(&at, ".v2")) {
      decl->vec = 2;
    } else if (ptx_token_is_word(&at, ".v4")) {
      decl->vec = 4;
    } else if (ptx_token_is_word(&at, ".ptr")) {
      pointer = true;
    } else if (type != PTX_NOTYPE) {
      decl->type = (uint8_t)type;
    } else if (!(pointer && ptx_is_space_word(&at, &space))) {
      return ptx_error(p, &at, "'%.*s' has no meaning in a declaration", at.length, at.text);
    }
  }
  return decl->type != PTX_NOTYPE || ptx_error_expected(p, "a type such as .u32");
}

// dims = { "[" [ expr ] "]" } ;
bool ptx_parse_dims(PtxParser *p, int64_t *count) {
  *count = 1;
  while (ptx_accept(p, '[')) {
    PtxToken at = p->token;
    int64_t n;
    if (ptx_accept(p, ']')) {
      *count = -1;
      continue;
    }
    if (!ptx_parse_expr(p, &n) || !ptx_expect(p, ']')) return false;
    bool fits = n >= 0 && n <= PTX_SIZE_LIMIT && (*count <= 0 || n <= PTX_SIZE_LIMIT / *count);
    if (!fits) return ptx_error(p, &at, "this size is out of range");
    *count = *count < 0 ? *count : *count * n;
  }
  return true;
}

bool ptx_add_reg(PtxParser *p, const PtxToken *at, const char *name, int length, uint8_t type, int *reg) {
  bool full = p->reg_count >= PTX_REG_LIMIT || p->all_regs >= PTX_ALL_REGS_LIMIT;
  if (full) return ptx_error(p, at, "more than %d registers", PTX_REG_LIMIT);
  PtxName *entry = ptx_name(p, name, length);
  if (!ptx_declare(p, at, entry, PTX_SYM_REG, p->reg_count, 0)) return false;
  PtxReg value = {.name = entry->text, .type = type};
  *reg = p->reg_count;
  p->all_regs++;
  LS_PUSH(p->regs, p->reg_count, p->reg_capacity, value);
  return true;
}

// The registers %v.x, %v.y ... of a vector %v, which are %v.r, %v.g ... too, and the vector itself.
bool ptx_add_vector_reg(PtxParser *p, const PtxToken *at, const char *name, int length, const PtxDecl *decl) {
  char text[256];
  int reg, first = p->reg_count;
  for (int i = 0; i < decl->vec; i++) {
    int n = snprintf(text, sizeof text, "%.*s.%c", length, name, "xyzw"[i]);
    if (n >= (int)sizeof text) return ptx_error(p, at, "this name is too long");
    if (!ptx_add_reg(p, at, text, n, decl->type, &reg)) return false;
    text[n - 1] = "rgba"[i];
    if (!ptx_declare(p, at, ptx_name(p, text, n), PTX_SYM_REG, reg, 0)) return false;
  }
  return ptx_declare(p, at, ptx_name(p, name, length), PTX_SYM_VECTOR, first, decl->vec);
}

// range = name "<" count ">" ;   declares name0 ... name(count-1)
static bool parse_reg_range(PtxParser *p, const PtxToken *at, const PtxDecl *decl) {
  PtxToken number = p->token;
  if (number.kind != PTX_TK_INT) return ptx_error_expected(p, "a number of registers");
  ptx_advance(p);
  if (number.value > PTX_REG_LIMIT) return ptx_error(p, &number, "more than %d registers", PTX_REG_LIMIT);
  char text[256];
  int reg;
  for (uint64_t i = 0; i < number.value; i++) {
    int n = snprintf(text, sizeof text, "%.*s%u", at->length, at->text, (unsigned)i);
    if (n >= (int)sizeof text) return ptx_error(p, at, "this name is too long");
    bool added = decl->vec ? ptx_add_vector_reg(p, at, text, n, decl) : ptx_add_reg(p, at, text, n, decl->type, &reg);
    if (!added) return false;
  }
  return ptx_expect(p, '>');
}

// registers = ".reg" declaration words name [ "<" n ">" ] { "," name [ "<" n ">" ] } ";" ;
bool ptx_parse_regs(PtxParser *p) {
  PtxDecl decl = {.space = PTX_REG};
  if (!ptx_parse_decl_words(p, &decl)) return false;
  do {
    PtxToken at = p->token;
    PtxName *name;
    int reg;
    if (!ptx_name_operand(p, &name)) return false;
    bool ok = ptx_accept(p, '<') ? parse_reg_range(p, &at, &decl)
              : decl.vec         ? ptx_add_vector_reg(p, &at, name->text, name->length, &decl)
                                 : ptx_add_reg(p, &at, name->text, name->length, decl.type, &reg);
    if (!ok) return false;
  } while (ptx_accept(p, ','));
  return ptx_expect(p, ';');
}

int ptx_add_var(PtxParser *p, PtxVar var) {
  PtxModule *m = p->module;
  var.from = m->code_count;
  var.nested = var.func >= 0 && p->depth > PTX_BODY_DEPTH;
  LS_PUSH(m->vars, m->var_count, p->var_capacity, var);
  return m->var_count - 1;
}

// An initial value while it is read. Elements follow one another whatever their braces: a row given short is filled
// up with zeros only at the end, as nvcc always writes whole rows.
typedef struct Init {
  PtxVar *var;
  uint8_t *bytes;
  int64_t at;
  PtxReloc *relocs;
  int reloc_count, reloc_capacity;
  int depth;
} Init;

static bool store_bits(PtxParser *p, Init *init, const PtxToken *at, uint64_t bits) {
  int size = ptx_type_size((PtxType)init->var->type);
  if (init->at + size > init->var->size) return ptx_error(p, at, "more values than '%s' has room for", init->var->name);
  memcpy(init->bytes + init->at, &bits, (size_t)LS_MIN(size, 8));
  init->at += size;
  return true;
}

static bool store_float(PtxParser *p, Init *init, const PtxToken *at, bool minus) {
  uint64_t bits = at->value;
  double wide;
  float narrow;
  if (at->type == PTX_F32) {
    memcpy(&narrow, &bits, sizeof narrow);
    wide = (double)narrow;
  } else {
    memcpy(&wide, &bits, sizeof wide);
    narrow = (float)wide;
  }
  if (init->var->type == PTX_F64) memcpy(&bits, &wide, sizeof wide), bits ^= (uint64_t)minus << 63;
  else if (at->decimal || minus) memcpy(&bits, &narrow, sizeof narrow), bits = (bits & 0xffffffffu) ^ (uint64_t)minus << 31;
  return store_bits(p, init, at, bits);
}

// address = name [ offset ] | "generic" "(" name ")" [ offset ] ;
static bool parse_address(PtxParser *p, PtxReloc *reloc) {
  *reloc = (PtxReloc){.var = -1, .func = -1};
  reloc->generic = ptx_accept_word(p, "generic");
  if (reloc->generic && !ptx_expect(p, '(')) return false;
  PtxToken at = p->token;
  PtxName *name;
  if (!ptx_name_operand(p, &name)) return false;
  const PtxSymbol *symbol = name->symbol;
  if (symbol && symbol->kind == PTX_SYM_VAR) reloc->var = symbol->index;
  else if (symbol && symbol->kind == PTX_SYM_FUNC) reloc->func = symbol->index;
  else return ptx_error(p, &at, "'%s' is no variable or function", name->text);
  if (!ptx_parse_offset(p, &reloc->addend)) return false;
  if (!reloc->generic) return true;
  int64_t more = 0;
  if (!ptx_expect(p, ')') || !ptx_parse_offset(p, &more)) return false;
  reloc->addend = (int64_t)((uint64_t)reloc->addend + (uint64_t)more);
  return true;
}

static bool store_address(PtxParser *p, Init *init, const PtxToken *at) {
  PtxReloc reloc;
  if (!parse_address(p, &reloc)) return false;
  reloc.at = init->at;
  LS_PUSH(init->relocs, init->reloc_count, init->reloc_capacity, reloc);
  return store_bits(p, init, at, 0);
}

// masked address = mask "(" address ")" ;   one byte of an address: 0xFF(x), 0xFF00(x), ... stand in order
static bool store_masked(PtxParser *p, Init *init, const PtxToken *at) {
  PtxReloc reloc;
  uint64_t mask = at->value;
  ptx_advance(p);
  if (!ptx_expect(p, '(') || !parse_address(p, &reloc) || !ptx_expect(p, ')')) return false;
  reloc.at = init->at;
  if (mask == 0xff) LS_PUSH(init->relocs, init->reloc_count, init->reloc_capacity, reloc);
  return store_bits(p, init, at, 0);
}

// value = "{" [ value { "," value } ] "}" | [ "-" ] float | expr | address | masked address ;
static bool parse_value(PtxParser *p, Init *init) {
  PtxToken at = p->token;
  if (ptx_accept(p, '{')) {
    if (++init->depth > PTX_NEST_LIMIT) return ptx_error(p, &at, "braces are nested too deeply");
    p->open_braces++;
    while (!ptx_token_is(&p->token, '}')) {
      if (!parse_value(p, init)) return false;
      if (!ptx_accept(p, ',')) break;
    }
    if (!ptx_expect(p, '}')) return false;
    p->open_braces--;
    init->depth--;
    return true;
  }
  bool minus = ptx_token_is(&at, '-') && p->ahead.kind == PTX_TK_FLOAT;
  if (minus) ptx_advance(p);
  if (p->token.kind == PTX_TK_FLOAT) {
    PtxToken number = p->token;
    ptx_advance(p);
    return store_float(p, init, &number, minus);
  }
  if (at.kind == PTX_TK_INT && ptx_token_is(&p->ahead, '(')) return store_masked(p, init, &at);
  if (at.kind == PTX_TK_WORD && !ptx_token_is_word(&at, "WARP_SZ")) return store_address(p, init, &at);
  int64_t value;
  return ptx_parse_expr(p, &value) && store_bits(p, init, &at, (uint64_t)value);
}

static bool reloc_fits(const PtxReloc *reloc, const PtxVar *var) { return reloc->at + 8 <= var->size; }

// property = name "=" ( word | number ) ;   of a sampler; those that are not known are left out
static bool parse_property(PtxParser *p, PtxSampler *sampler) {
  static const char *const modes[PTX_ADDRESS_COUNT] = {
      [PTX_ADDRESS_WRAP] = "wrap", [PTX_ADDRESS_MIRROR] = "mirror", [PTX_ADDRESS_CLAMP_OGL] = "clamp_ogl",
      [PTX_ADDRESS_CLAMP_TO_EDGE] = "clamp_to_edge", [PTX_ADDRESS_CLAMP_TO_BORDER] = "clamp_to_border"};
  static const char *const axes[3] = {"addr_mode_0", "addr_mode_1", "addr_mode_2"};
  PtxToken name = p->token;
  if (name.kind != PTX_TK_WORD) return ptx_error_expected(p, "the name of a property");
  ptx_advance(p);
  if (!ptx_expect(p, '=')) return false;
  PtxToken value = p->token;
  bool word = value.kind == PTX_TK_WORD;
  int64_t number = 0;
  if (word) ptx_advance(p);
  else if (!ptx_parse_expr(p, &number)) return false;
  for (int axis = 0; axis < 3; axis++)
    for (int mode = 0; mode < PTX_ADDRESS_COUNT; mode++)
      if (ptx_token_is_word(&name, axes[axis]) && ptx_token_is_word(&value, modes[mode])) sampler->address[axis] = (uint8_t)mode;
  if (ptx_token_is_word(&name, "filter_mode")) sampler->linear = ptx_token_is_word(&value, "linear");
  if (ptx_token_is_word(&name, "force_unnormalized_coords")) sampler->force_unnormalized = number != 0;
  return true;
}

// properties = "{" [ property { "," property } ] "}" ;   of .texref, .samplerref and .surfref (PTX ISA 5.3)
static bool parse_properties(PtxParser *p, PtxSampler *sampler) {
  if (!ptx_expect(p, '{')) return false;
  p->open_braces++;
  while (!ptx_token_is(&p->token, '}')) {
    if (!parse_property(p, sampler)) return false;
    if (!ptx_accept(p, ',')) break;
  }
  bool closed = ptx_expect(p, '}');
  p->open_braces -= closed;
  return closed;
}

static bool is_opaque(uint8_t type) { return type >= PTX_TEXREF && type <= PTX_SURFREF; }

// initial value = "=" ( value | properties ) ;
static bool parse_init(PtxParser *p, PtxVar *var) {
  PtxToken at = p->token;
  if (is_opaque(var->type)) return parse_properties(p, &var->sampler);
  if (var->size <= 0 || var->size > PTX_VAR_LIMIT) return ptx_error(p, &at, "'%s' cannot have an initial value", var->name);
  Init init = {.var = var, .bytes = ls_arena_alloc(p->module->arena, (size_t)var->size)};
  bool ok = parse_value(p, &init);
  if (ok && init.reloc_count) {
    var->relocs = LS_NEW_ARRAY(p->module->arena, PtxReloc, init.reloc_count);
    for (int i = 0; i < init.reloc_count; i++) {
      if (reloc_fits(&init.relocs[i], var)) var->relocs[var->reloc_count++] = init.relocs[i];
    }
  }
  free(init.relocs);
  var->init = init.bytes;
  return ok;
}

// The number of values between the braces of an unsized array "x[] = { ... }", counted without consuming them.
static int64_t count_values(const PtxParser *p) {
  PtxLexer lex = p->lex;
  int64_t count = 0;
  int depth = 0;
  bool filled = false;
  for (PtxToken t = p->ahead; t.kind != PTX_TK_END && !ptx_token_is(&t, ';'); t = ptx_lex_next(&lex)) {
    if (ptx_token_is(&t, '{') || ptx_token_is(&t, '(')) depth++;
    else if (ptx_token_is(&t, '}') || ptx_token_is(&t, ')')) depth--;
    else if (ptx_token_is(&t, ',')) count += filled, filled = false;
    else filled = true;
    if (depth <= 0) break;
  }
  return count + filled;
}

static int64_t var_bytes(const PtxDecl *decl, int64_t count) {
  int size = ptx_type_size((PtxType)decl->type);
  return count < 0 ? 0 : count * LS_MAX(size, is_opaque(decl->type) ? 8 : 0);
}

// .extern declares what another line may define; the definition wins.
static bool is_declared_before(const PtxParser *p, const PtxName *name, const PtxVar *var) {
  const PtxSymbol *known = name->symbol;
  if (p->depth != 0 || !known || known->kind != PTX_SYM_VAR) return false;
  return var->linkage == LINKAGE_EXTERN || p->module->vars[known->index].linkage == LINKAGE_EXTERN;
}

static bool parse_var(PtxParser *p, const PtxDecl *decl) {
  PtxToken at = p->token;
  PtxName *name;
  int64_t count;
  if (!ptx_name_operand(p, &name) || !ptx_parse_dims(p, &count)) return false;
  if (count < 0 && ptx_token_is(&p->token, '=')) count = count_values(p);
  if (decl->vec && count > 0) count *= decl->vec;
  int natural = LS_MAX(1, ptx_type_size((PtxType)decl->type) * LS_MAX(1, decl->vec));
  PtxVar var = {.name = name->text, .source_name = ptx_source_name(p->module->arena, name->text), .space = decl->space,
                .type = decl->type, .linkage = decl->linkage, .count = count, .size = var_bytes(decl, count), .func = p->func,
                .align = decl->align ? decl->align : natural};
  bool again = is_declared_before(p, name, &var);
  int index = again ? name->symbol->index : ptx_add_var(p, var);
  if (again && var.linkage != LINKAGE_EXTERN) p->module->vars[index] = var;
  name->var = index;
  if (!again && !ptx_declare(p, &at, name, PTX_SYM_VAR, index, 0)) return false;
  if (!ptx_accept(p, '=')) return true;
  if (!parse_init(p, &var)) return false;
  p->module->vars[index] = var;
  return true;
}

// variables = declaration words name [ dims ] [ "=" value ] { "," name [ dims ] [ "=" value ] } ";" ;
bool ptx_parse_vars(PtxParser *p, PtxDecl decl) {
  if (!ptx_parse_decl_words(p, &decl)) return false;
  do {
    if (!parse_var(p, &decl)) return false;
  } while (ptx_accept(p, ','));
  return ptx_expect(p, ';');
}
