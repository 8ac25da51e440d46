// parse_instr.c: instructions: guard, opcode, modifiers by table, operands.
#include "ptx/parser.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "ptx/def_use.h"

typedef enum WordClass {
  WORD_MODE, WORD_FLAG, WORD_CMP, WORD_BOOL, WORD_SPACE, WORD_SEM, WORD_SCOPE, WORD_ROUND, WORD_VEC, WORD_HAS,
  WORD_LAYOUT, WORD_PART, WORD_GEOMETRY, WORD_QUERY
} WordClass;

typedef struct Word { const char *text; uint8_t kind; uint32_t value; const char *ops; } Word;

#define PTX_WORD(text, kind, value, ops) {text, WORD_##kind, value, ops},
#define PTX_EXTRA(ops, words)
static const Word words[] = {
#include "ptx/words.def"
};
static const Word extra_words[] = {
#include "ptx/extra.def"
};
#undef PTX_WORD
#undef PTX_EXTRA

static const struct { const char *ops, *words; } extras[] = {
#define PTX_WORD(text, kind, value, ops)
#define PTX_EXTRA(ops, words) {ops, words},
#include "ptx/extra.def"
#undef PTX_WORD
#undef PTX_EXTRA
};
static_assert(PTX_HAS_COUNT <= 64, "PtxInstr.has has a bit for each");

// True if `word` (length bytes) is one of the blank-separated words of `list`.
static bool is_listed(const char *list, const char *word, size_t length) {
  for (const char *p = list; *p;) {
    size_t n = strcspn(p, " ");
    if (n == length && memcmp(p, word, n) == 0) return true;
    p += n + (p[n] == ' ');
  }
  return false;
}

static bool belongs(const char *ops, PtxOp op) {
  const char *name = ptx_op_name(op);
  return !*ops || is_listed(ops, name, strlen(name));
}

static PtxType type_named(const char *text) {
  for (int t = PTX_NOTYPE + 1; t < PTX_TYPE_COUNT; t++) {
    if (strcmp(ptx_type_name((PtxType)t), text) == 0) return (PtxType)t;
  }
  return PTX_NOTYPE;
}

static void add_type(PtxInstr *form, PtxType type) {
  uint8_t *slots[] = {&form->type, &form->type2, &form->type3, &form->type4};
  for (int i = 0; i < LS_COUNT(slots); i++) {
    if (*slots[i]) continue;
    *slots[i] = (uint8_t)type;
    return;
  }
}

static void add_space(PtxInstr *form, uint8_t space) {
  if (form->space == PTX_GENERIC) form->space = space;
  else form->space2 = space;
}

static void apply(PtxInstr *form, const Word *word) {
  uint8_t value = (uint8_t)word->value;
  switch (word->kind) {
    case WORD_MODE: form->mode = form->mode == PTX_BAR_WARP_SYNC ? form->mode : value; break;
    case WORD_FLAG: form->flags |= word->value; break;
    case WORD_CMP: form->cmp = value; break;
    case WORD_BOOL: form->boolop = value; break;
    case WORD_SPACE: add_space(form, value); break;
    case WORD_SEM: form->sem = value; break;
    case WORD_SCOPE: form->scope = value; break;
    case WORD_ROUND: form->round = value; break;
    case WORD_VEC: form->vec = value; break;
    case WORD_HAS: form->has |= 1ull << word->value; break;
    case WORD_LAYOUT: *(form->layout ? &form->layout2 : &form->layout) = value; break;
    case WORD_PART: form->part = value; break;
    case WORD_GEOMETRY: form->geometry = value; break;
    case WORD_QUERY: form->query = value; break;
    default: break;
  }
}

static const Word *find_word(const Word *rows, int count, PtxOp op, const char *text, size_t length) {
  for (int i = 0; i < count; i++) {
    bool same = strncmp(rows[i].text, text, length) == 0 && !rows[i].text[length];
    if (same && belongs(rows[i].ops, op)) return &rows[i];
  }
  return NULL;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static uint16_t shape_number(int number) { return (uint16_t)LS_MIN(LS_MAX(number, 0), PTX_SHAPE_MOST); }

// m16n8k8, m8n8
static bool apply_shape(PtxInstr *form, const char *text) {
  int m, n, k = 0, end = 0;
  if (sscanf(text, "m%dn%dk%d%n", &m, &n, &k, &end) != 3) {
    k = end = 0;
    if (sscanf(text, "m%dn%d%n", &m, &n, &end) != 2) return false;
  }
  if (!end || text[end]) return false;
  form->shape = (PtxShape){shape_number(m), shape_number(n), shape_number(k)};
  return true;
}

// 8x8, 16x256b, x4, 2d, and all with "::" in it.
static bool has_known_form(const char *text) {
  if (strstr(text, "::")) return true;
  size_t letters = strcspn(text, "0123456789");
  if (letters == 1 && text[0] == 'x' && is_digit(text[1])) return true;
  if (letters != 0) return false;
  size_t digits = strspn(text, "0123456789");
  const char *unit = text + digits;
  return digits && (*unit == 'x' || strcmp(unit, "d") == 0 || strcmp(unit, "dms") == 0 || strcmp(unit, "B") == 0);
}

static bool apply_extra(PtxInstr *form, const char *text) {
  PtxOp op = (PtxOp)form->op;
  const char *colons = strstr(text, "::");
  const Word *word = find_word(extra_words, LS_COUNT(extra_words), op, text, strlen(text));
  if (!word && colons) word = find_word(extra_words, LS_COUNT(extra_words), op, text, (size_t)(colons - text));
  if (word) apply(form, word);
  if (word || apply_shape(form, text) || has_known_form(text)) return true;
  for (int i = 0; i < LS_COUNT(extras); i++)
    if (belongs(extras[i].ops, op) && is_listed(extras[i].words, text, strlen(text))) return true;
  return false;
}

static bool apply_modifier(PtxInstr *form, const char *text) {
  PtxType type = type_named(text);
  if (type) {
    add_type(form, type);
    return true;
  }
  const Word *word = find_word(words, LS_COUNT(words), (PtxOp)form->op, text, strlen(text));
  if (!word) return apply_extra(form, text);
  apply(form, word);
  return true;
}

static int op_named(const char *text, size_t length) {
  for (int op = 0; op < PTX_OP_COUNT; op++) {
    const char *name = ptx_op_name((PtxOp)op);
    if (strncmp(name, text, length) == 0 && !name[length]) return op;
  }
  return -1;
}

static bool unknown_opcode(PtxParser *p, const PtxToken *at, const char *text, int length) {
  char name[64], hint[64];
  snprintf(name, sizeof name, "%.*s", length, text);
  PtxGuess guess = {.word = name};
  for (int op = 0; op < PTX_OP_COUNT; op++) ptx_guess(&guess, ptx_op_name((PtxOp)op));
  return ptx_error(p, at, "unknown opcode '%s'%s", name, ptx_guess_text(&guess, "", hint));
}

// start: the modifier's dot in the text.
static bool unknown_modifier(PtxParser *p, const PtxToken *at, PtxOp op, const char *text, int start) {
  char hint[64];
  PtxToken place = *at;
  place.text += start;
  place.col += start;
  PtxGuess guess = {.word = text};
  for (int t = PTX_NOTYPE + 1; t < PTX_TYPE_COUNT; t++) ptx_guess(&guess, ptx_type_name((PtxType)t));
  for (int i = 0; i < LS_COUNT(words); i++) {
    if (belongs(words[i].ops, op)) ptx_guess(&guess, words[i].text);
  }
  return ptx_error(p, &place, "'%s' has no modifier '.%s'%s", ptx_op_name(op), text, ptx_guess_text(&guess, ".", hint));
}

// What is meant when it is not written: cvta.space is from; one element.
static void fill_defaults(PtxInstr *form) {
  if (form->op == PTX_OP_cvta && form->mode == PTX_MODE_NONE) form->mode = PTX_FROM;
  if (!form->vec) form->vec = 1;
}

// opcode = name { "." modifier } ;   Decodes each distinct spelling once.
static bool decode_form(PtxParser *p, const PtxToken *at, PtxName *name) {
  const char *text = name->text;
  size_t length = strcspn(text, ".");
  int op = op_named(text, length);
  if (op < 0) return unknown_opcode(p, at, text, (int)length);
  PtxInstr form = {.op = (uint16_t)op, .guard = -1, .loc = -1, .spelling = text};
  for (const char *start = text + length; *start;) {
    char word[64];
    start++;
    size_t n = strcspn(start, ".");
    snprintf(word, sizeof word, "%.*s", (int)n, start);
    bool known = n < sizeof word && apply_modifier(&form, word);
    if (!known) return unknown_modifier(p, at, (PtxOp)op, word, (int)(start - text) - 1);
    start += n;
  }
  fill_defaults(&form);
  form.roles = ptx_roles(&form);
  name->form = LS_NEW(p->module->arena, PtxInstr);
  *name->form = form;
  return true;
}

// Reads the opcode word; blanks may stand before its modifiers.
static bool parse_opcode(PtxParser *p, PtxInstr *instr) {
  PtxToken at = p->token;
  if (at.kind != PTX_TK_WORD || *at.text == '.') return ptx_error_expected(p, "an instruction");
  PtxName *name = ptx_token_name(p, &at);
  ptx_advance(p);
  while (p->token.kind == PTX_TK_WORD && *p->token.text == '.') {
    char joined[256];
    int n = snprintf(joined, sizeof joined, "%s%.*s", name->text, p->token.length, p->token.text);
    if (n >= (int)sizeof joined) return ptx_error(p, &at, "the name of the instruction is too long");
    name = ptx_name(p, joined, n);
    ptx_advance(p);
  }
  if (!name->form && !decode_form(p, &at, name)) return false;
  int guard = instr->guard, negate = instr->guard_negate;
  *instr = *name->form;
  instr->guard = guard;
  instr->guard_negate = (uint8_t)negate;
  instr->func = p->func;
  instr->loc = p->loc;
  instr->line = at.line;
  instr->col = at.col;
  return true;
}

// guard = "@" [ "!" ] predicate ;
static bool parse_guard(PtxParser *p, PtxInstr *instr) {
  instr->guard = -1;
  if (!ptx_accept(p, '@')) return true;
  instr->guard_negate = ptx_accept(p, '!');
  PtxToken at = p->token;
  PtxName *name;
  if (!ptx_name_operand(p, &name)) return false;
  const PtxSymbol *symbol = name->symbol;
  if (!symbol || symbol->kind != PTX_SYM_REG) return ptx_error(p, &at, "'%s' is not a predicate register", name->text);
  PtxType type = (PtxType)p->regs[symbol->index].type;
  if (type != PTX_PRED) {
    return ptx_error(p, &at, "'%s' is a .%s register; a guard is a predicate", name->text, ptx_type_name(type));
  }
  instr->guard = symbol->index;
  return true;
}

static bool check_count(PtxParser *p, const PtxToken *at, const PtxInstr *instr) {
  PtxOp op = (PtxOp)instr->op;
  int least = ptx_op_least_operands(op), most = ptx_op_most_operands(op), n = instr->operand_count;
  if (n >= least && n <= most) return true;
  const char *plural = most == 1 ? "" : "s";
  if (least == most) return ptx_error(p, at, "'%s' takes %d operand%s, not %d", ptx_op_name(op), least, plural, n);
  return ptx_error(p, at, "'%s' takes %d to %d operands, not %d", ptx_op_name(op), least, most, n);
}

// A decimal float takes the type of its instruction; the source type of cvt and set.
static void fit_decimals(PtxInstr *instr) {
  bool second = instr->op == PTX_OP_cvt || instr->op == PTX_OP_set;
  PtxType type = (PtxType)(second ? instr->type2 : instr->type);
  for (int i = 0; i < instr->operand_count; i++) {
    PtxOperand *operand = &instr->operands[i];
    if (operand->kind != PTX_OPD_IMM || !operand->index) continue;
    operand->index = 0;
    if (type != PTX_F32) continue;
    double wide;
    memcpy(&wide, &operand->imm, sizeof wide);
    float narrow = (float)wide;
    operand->imm = 0;
    memcpy(&operand->imm, &narrow, sizeof narrow);
    operand->imm_type = PTX_F32;
  }
}

// instruction = [ guard ] opcode [ operand { "," operand } ] ";" ;
bool ptx_parse_instr(PtxParser *p) {
  PtxInstr instr = {.guard = -1};
  if (!parse_guard(p, &instr)) return false;
  PtxToken at = p->token;
  if (!parse_opcode(p, &instr)) return false;
  if (!ptx_token_is(&p->token, ';')) {
    do {
      if (instr.operand_count == PTX_MAX_OPERANDS) return ptx_error(p, &p->token, "more than %d operands", PTX_MAX_OPERANDS);
      if (!ptx_parse_operand(p, &instr, instr.operand_count)) return false;
      instr.operand_count++;
    } while (ptx_accept(p, ','));
  }
  if (!ptx_token_is(&p->token, ';')) return ptx_error_expected(p, "';'");
  if (!check_count(p, &at, &instr)) return false;
  ptx_advance(p);
  fit_decimals(&instr);
  PtxModule *m = p->module;
  if (m->code_count >= PTX_CODE_LIMIT) return ptx_error(p, &at, "more than %d instructions", PTX_CODE_LIMIT);
  LS_PUSH(m->code, m->code_count, p->code_capacity, instr);
  return true;
}
