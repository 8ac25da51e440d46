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
    {".section", ptx_parse_section}, {".loc", ptx_parse_loc}, {".pragma", skip_statement}, {".alias", skip_statement},
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
