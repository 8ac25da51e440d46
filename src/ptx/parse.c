// parse.c: a whole PTX text: directives of the module (PTX ISA 11).
#include <stdlib.h>
#include <string.h>

#include "ptx/parser.h"

enum { LINKAGE_VISIBLE = 1, LINKAGE_EXTERN, LINKAGE_WEAK, LINKAGE_COMMON };

// version = ".version" major "." minor ;
static bool parse_version(PtxParser *p) {
  PtxToken at = p->token;
  if (at.kind != PTX_TK_FLOAT || !at.decimal) return ptx_error_expected(p, "a version such as 9.0");
  p->module->version_major = (int)strtol(at.text, NULL, 10);
  const char *point = memchr(at.text, '.', (size_t)at.length);
  p->module->version_minor = point ? (int)strtol(point + 1, NULL, 10) : 0;
  ptx_advance(p);
  return true;
}

// target = ".target" name { "," name } ;
static bool parse_target(PtxParser *p) {
  do {
    PtxName *name;
    if (!ptx_name_operand(p, &name)) return false;
    if (strncmp(name->text, "sm_", 3) == 0 || !p->module->target) p->module->target = name->text;
    if (strcmp(name->text, "debug") == 0) p->module->debug = true;
  } while (ptx_accept(p, ','));
  return true;
}

// address size = ".address_size" ( "32" | "64" ) ;
static bool parse_address_size(PtxParser *p) {
  PtxToken at = p->token;
  if (at.kind != PTX_TK_INT) return ptx_error_expected(p, "64");
  ptx_advance(p);
  return at.value == 64 ||
         ptx_error(p, &at, "PTX with addresses of %d bits is not supported; compile for 64 bits", (int)at.value);
}

static bool skip_statement(PtxParser *p) {
  while (p->token.kind != PTX_TK_END && !ptx_token_is(&p->token, ';') && !ptx_token_is(&p->token, '}')) ptx_advance(p);
  return ptx_expect(p, ';');
}

static bool parse_func_name(PtxParser *p, int *func) {
  PtxToken at = p->token;
  PtxName *name;
  if (!ptx_name_operand(p, &name)) return false;
  if (!name->symbol || name->symbol->kind != PTX_SYM_FUNC)
    return ptx_error(p, &at, "'%s' is no function that is declared before here", name->text);
  *func = name->symbol->index;
  return true;
}

// alias = ".alias" name "," name ";" ;   another name, declared as a .func, of a .func with a body (PTX ISA 11.2.3)
static bool parse_alias(PtxParser *p) {
  PtxToken at = p->token;
  int alias, of;
  if (!parse_func_name(p, &alias) || !ptx_expect(p, ',') || !parse_func_name(p, &of) || !ptx_expect(p, ';')) return false;
  PtxFunc *one = &p->module->funcs[alias], *other = &p->module->funcs[of];
  if (one->is_entry || other->is_entry) return ptx_error(p, &at, "only a .func has another name, not a kernel");
  if (!one->is_extern) return ptx_error(p, &at, "'%s' has a body: it cannot be another name", one->name);
  if (other->is_extern) return ptx_error(p, &at, "'%s' has no body: it cannot have another name", other->name);
  if (one->param_count != other->param_count || one->result_count != other->result_count)
    return ptx_error(p, &at, "'%s' and '%s' take or return something different", one->name, other->name);
  one->alias_of = of;
  return true;
}

// Whoever means another name of a function means the function.
static void resolve_aliases(PtxModule *m) {
  for (int pc = 0; pc < m->code_count; pc++)
    for (int i = 0; i < m->code[pc].operand_count; i++) {
      PtxOperand *o = &m->code[pc].operands[i];
      if (o->kind == PTX_OPD_FUNC && m->funcs[o->func].alias_of >= 0) o->func = m->funcs[o->func].alias_of;
    }
  for (int t = 0; t < m->table_count; t++)
    for (int i = 0; m->tables[t].kind == PTX_TABLE_CALLS && i < m->tables[t].target_count; i++) {
      int *func = &m->tables[t].targets[i];
      if (m->funcs[*func].alias_of >= 0) *func = m->funcs[*func].alias_of;
    }
  for (int v = 0; v < m->var_count; v++)
    for (int i = 0; i < m->vars[v].reloc_count; i++) {
      int *func = &m->vars[v].relocs[i].func;
      if (*func >= 0 && m->funcs[*func].alias_of >= 0) *func = m->funcs[*func].alias_of;
    }
}

static bool accept_linkage(PtxParser *p, uint8_t *linkage) {
  static const struct { const char *word; uint8_t linkage; } rows[] = {
    {".visible", LINKAGE_VISIBLE}, {".extern", LINKAGE_EXTERN}, {".weak", LINKAGE_WEAK}, {".common", LINKAGE_COMMON},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    if (!ptx_accept_word(p, rows[i].word)) continue;
    *linkage = rows[i].linkage;
    return true;
  }
  return false;
}

// What every function or variable may begin with.
static bool parse_prefix(PtxParser *p, uint8_t *linkage) {
  for (;;) {
    if (accept_linkage(p, linkage)) continue;
    if (!ptx_accept_word(p, ".attribute")) return true;
    if (!ptx_expect(p, '(')) return false;
    while (p->token.kind != PTX_TK_END && !ptx_token_is(&p->token, ')') && !ptx_token_is(&p->token, ';')) ptx_advance(p);
    if (!ptx_expect(p, ')')) return false;
  }
}

static bool unknown_directive(PtxParser *p) {
  static const char *const known[] = {".version", ".target",  ".address_size", ".file",  ".section", ".pragma",
                                      ".alias",   ".visible", ".extern",       ".weak",  ".common",  ".entry",
                                      ".func",    ".global",  ".const",        ".shared"};
  if (p->token.kind != PTX_TK_WORD || *p->token.text != '.')
    return ptx_error_expected(p, "a directive such as .visible, .entry or .global");
  char hint[64];
  PtxGuess guess = {.word = ptx_token_name(p, &p->token)->text};
  for (int i = 0; i < LS_COUNT(known); i++) ptx_guess(&guess, known[i]);
  return ptx_error(p, &p->token, "unknown directive '%s'%s", guess.word, ptx_guess_text(&guess, "", hint));
}

// directive = ".version" ... | ".target" ... | ".address_size" ... | ".file" ... | ".section" ... | ".pragma" ...
//           | ".alias" ... | ".loc" ... | { linkage } ( ".entry" | ".func" ) function | { linkage } space variables ;
static bool parse_directive(PtxParser *p) {
  static const struct { const char *word; bool (*parse)(PtxParser *p); } rows[] = {
    {".version", parse_version}, {".target", parse_target}, {".address_size", parse_address_size}, {".file", ptx_parse_file},
    {".section", ptx_parse_section}, {".loc", ptx_parse_loc}, {".pragma", skip_statement}, {".alias", parse_alias},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    if (ptx_accept_word(p, rows[i].word)) return rows[i].parse(p);
  }
  PtxDecl decl = {0};
  if (!parse_prefix(p, &decl.linkage)) return false;
  if (ptx_accept_word(p, ".entry")) return ptx_parse_function(p, true);
  if (ptx_accept_word(p, ".func")) return ptx_parse_function(p, false);
  if (!ptx_is_space_word(&p->token, &decl.space)) return unknown_directive(p);
  ptx_advance(p);
  return ptx_parse_vars(p, decl);
}

// module = { directive | ";" } ;
static void parse_module(PtxParser *p) {
  while (p->token.kind != PTX_TK_END && p->errors < PTX_ERROR_LIMIT) {
    int line = p->token.line;
    const char *before = p->token.text;
    if (ptx_accept(p, ';') || parse_directive(p)) continue;
    ptx_recover(p, line);
    if (p->token.text == before || ptx_token_is(&p->token, '}')) ptx_advance(p);
  }
}

static void finish(PtxParser *p) {
  PtxModule *m = p->module;
  if (!m->version_major && !m->func_count && !m->var_count) {
    ptx_error(p, &p->token, "this is no PTX: it has no .version, no function and no variable");
    return;
  }
  if (!m->target) m->target = "";
  resolve_aliases(m);
  ptx_section_link(p);
  ptx_finish_locs(p);
  m->debuginfo = ptx_read_debuginfo(m, &p->sections);
}

PtxModule *ptx_parse(const char *path, const char *text, size_t length, LsErr *err) {
  if (length > PTX_TEXT_LIMIT) {
    ls_fail(err, LS_EPARSE, "%s: the PTX text has %zu bytes; the limit is %d", path, length, PTX_TEXT_LIMIT);
    return NULL;
  }
  LsArena *arena = ls_arena_new();
  PtxModule *module = LS_NEW(arena, PtxModule);
  *module = (PtxModule){.arena = arena, .path = ls_arena_strdup(arena, path ? path : "PTX"), .text_length = length,
                        .text = ls_arena_strndup(arena, text, length)};
  PtxParser parser;
  ptx_parser_init(&parser, module, err);
  parse_module(&parser);
  if (!parser.errors) finish(&parser);
  bool ok = !parser.errors;
  ptx_parser_fini(&parser);
  if (ok) return module;
  ptx_module_free(module);
  return NULL;
}
