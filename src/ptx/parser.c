// parser.c: tokens, errors with their carets, names and scopes of the PTX parser.
#include "ptx/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// %tid of %tid.x
static void declare_vector_of(PtxParser *p, int sreg) {
  const char *name = ptx_sreg_name((PtxSreg)sreg), *end = strchr(name, '.');
  PtxToken nowhere = {0};
  if (end && strcmp(end, ".x") == 0) ptx_declare(p, &nowhere, ptx_name(p, name, (int)(end - name)), PTX_SYM_SREGS, sreg, 0);
}

static void declare_sregs(PtxParser *p) {
  char text[32];
  PtxToken nowhere = {0};
  for (int i = 0; i < PTX_SR_COUNT; i++) {
    const char *name = ptx_sreg_name((PtxSreg)i);
    int copies = ptx_sreg_copies((PtxSreg)i);
    declare_vector_of(p, i);
    for (int k = 0; k < copies; k++) {
      int length = copies > 1 ? snprintf(text, sizeof text, "%s%d", name, k) : snprintf(text, sizeof text, "%s", name);
      ptx_declare(p, &nowhere, ptx_name(p, text, length), PTX_SYM_SREG, i, k);
    }
  }
}

void ptx_parser_init(PtxParser *p, PtxModule *module, LsErr *err) {
  *p = (PtxParser){.module = module, .err = err, .loc = -1, .func = -1, .depth = -1};
  p->name_capacity = 1024;
  p->names = ls_alloc(sizeof *p->names * (size_t)p->name_capacity);
  ptx_lex_init(&p->lex, module->text, module->text_length);
  ptx_scope_enter(p);
  declare_sregs(p);
  p->token = ptx_lex_next(&p->lex);
  p->ahead = ptx_lex_next(&p->lex);
}

void ptx_parser_fini(PtxParser *p) {
  free(p->names);
  free(p->scopes);
  free(p->loc_notes);
  ls_table_free(&p->loc_of);
  ls_table_free(&p->last_loc);
  ls_table_free(&p->file_of_id);
  free(p->regs);
  free(p->fixups);
  ptx_sections_free(&p->sections);
}

void ptx_advance(PtxParser *p) {
  if (p->token.kind == PTX_TK_END) return;
  p->previous = p->token;
  p->token = p->ahead;
  p->ahead = ptx_lex_next(&p->lex);
}

bool ptx_accept(PtxParser *p, int punct) {
  if (!ptx_token_is(&p->token, punct)) return false;
  ptx_advance(p);
  return true;
}

bool ptx_accept_word(PtxParser *p, const char *word) {
  if (!ptx_token_is_word(&p->token, word)) return false;
  ptx_advance(p);
  return true;
}

bool ptx_expect(PtxParser *p, int punct) {
  if (ptx_accept(p, punct)) return true;
  char what[] = {'\'', (char)punct, '\'', 0};
  return ptx_error_expected(p, what);
}

// A missing end of a statement is told where it is missing: behind the last token of the line before.
static bool error_behind(PtxParser *p, const char *what) {
  PtxToken place = p->previous;
  place.text += place.length;
  place.col += place.length;
  return ptx_error(p, &place, "expected %s before the end of the line", what);
}

bool ptx_error_expected(PtxParser *p, const char *what) {
  const PtxToken *t = &p->token;
  if (t->kind == PTX_TK_BAD) return ptx_error(p, t, "%s", t->problem);
  if (t->kind == PTX_TK_END) return ptx_error(p, t, "expected %s, but the file ends here", what);
  if (t->first && strcmp(what, "';'") == 0 && p->previous.text) return error_behind(p, what);
  return ptx_error(p, t, "expected %s, found '%.*s'", what, LS_MIN(t->length, 60), t->text);
}

enum { SHOWN_COLUMNS = 100 };

// As much white as the text takes where it is shown; its tabs stay what they are.
static void add_white(LsText *text, const char *shown) {
  while (*shown) {
    size_t length = strcspn(shown, "\t");
    char *part = ls_strndup(shown, length);
    ls_text_addf(text, "%*s", ls_utf8_width(part), "");
    free(part);
    shown += length;
    if (*shown == '\t') ls_text_addc(text, *shown++);
  }
}

// Appends the source line of a token, cut to a readable length around it, and a caret below it. What steers terminals,
// or takes two columns, is shown and counted as a message shows it.
static void append_caret(PtxParser *p, const PtxToken *at) {
  const char *text = p->module->text, *end = text + p->module->text_length;
  const char *start = at->text, *stop = at->text;
  while (start > text && start[-1] != '\n') start--;
  while (stop < end && *stop != '\n' && *stop != '\r') stop++;
  if (at->text - start > SHOWN_COLUMNS - 20) start = at->text - (SHOWN_COLUMNS - 20);
  if (stop - start > SHOWN_COLUMNS) stop = start + SHOWN_COLUMNS;
  if (stop <= start) return;
  char *before = ls_strndup(start, (size_t)(at->text - start)),
      *behind = ls_strndup(at->text, (size_t)(stop - at->text));
  LsText line = {0}, under = {0};
  ls_text_add_visible(&line, before);
  add_white(&under, ls_text_str(&line));
  ls_text_add_visible(&line, behind);
  ls_err_append(p->err, "%s", ls_text_str(&line));
  ls_err_append(p->err, "%s^", ls_text_str(&under));
  ls_text_free(&line);
  ls_text_free(&under);
  free(before);
  free(behind);
}

bool ptx_error(PtxParser *p, const PtxToken *at, const char *format, ...) {
  char message[512];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  const char *path = p->module->path;
  if (p->errors == 0) ls_fail_at(p->err, LS_EPARSE, path, at->line, at->col, "%s", message);
  else if (p->errors < PTX_ERROR_LIMIT) ls_err_append(p->err, "%s:%d:%d: %s", path, at->line, at->col, message);
  if (p->errors < PTX_ERROR_LIMIT) append_caret(p, at);
  p->errors++;
  return false;
}

// Skips the rest of a statement that had an error: past its ';', or up to the '}' that closes the scope, or up to the
// next line if that begins like a statement.
void ptx_recover(PtxParser *p, int start_line) {
  int braces = p->open_braces;
  for (; p->token.kind != PTX_TK_END; ptx_advance(p)) {
    const PtxToken *t = &p->token;
    if (ptx_token_is(t, '{')) braces++;
    if (ptx_token_is(t, '}') && braces-- == 0) break;
    if (ptx_token_is(t, ';') && braces <= 0) {
      ptx_advance(p);
      break;
    }
    if (t->first && t->line > start_line && (t->kind == PTX_TK_WORD || ptx_token_is(t, '@'))) break;
  }
  p->open_braces = 0;
  p->nest = 0;
}

static uint32_t hash_text(const char *text, int length) {
  uint32_t hash = 2166136261u;
  for (int i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 16777619u;
  return hash;
}

static PtxName **name_slot(PtxName **names, int capacity, const char *text, int length, uint32_t hash) {
  uint32_t mask = (uint32_t)capacity - 1, i = hash & mask;
  while (names[i] &&
         !(names[i]->hash == hash && names[i]->length == length && memcmp(names[i]->text, text, (size_t)length) == 0)) {
    i = (i + 1) & mask;
  }
  return &names[i];
}

static void grow_names(PtxParser *p) {
  int bigger = p->name_capacity * 2;
  PtxName **names = ls_alloc(sizeof *names * (size_t)bigger);
  for (int i = 0; i < p->name_capacity; i++) {
    PtxName *name = p->names[i];
    if (name) *name_slot(names, bigger, name->text, name->length, name->hash) = name;
  }
  free(p->names);
  p->names = names;
  p->name_capacity = bigger;
}

PtxName *ptx_name(PtxParser *p, const char *text, int length) {
  uint32_t hash = hash_text(text, length);
  PtxName **slot = name_slot(p->names, p->name_capacity, text, length, hash);
  if (*slot) return *slot;
  PtxName *name = LS_NEW(p->module->arena, PtxName);
  *name = (PtxName){.text = ls_arena_strndup(p->module->arena, text, (size_t)length),
                    .length = length,
                    .hash = hash,
                    .label_pc = -1,
                    .var = -1,
                    .section = -1};
  *slot = name;
  if (++p->name_count * 2 > p->name_capacity) grow_names(p);
  return name;
}

PtxName *ptx_token_name(PtxParser *p, const PtxToken *token) { return ptx_name(p, token->text, token->length); }

bool ptx_name_operand(PtxParser *p, PtxName **name) {
  if (p->token.kind != PTX_TK_WORD || *p->token.text == '.') return ptx_error_expected(p, "a name");
  *name = ptx_token_name(p, &p->token);
  ptx_advance(p);
  return true;
}

static int common_prefix(const char *a, const char *b) {
  int n = 0;
  while (a[n] && a[n] == b[n]) n++;
  return n;
}

// Changes from a to b; two neighbors swapped count as one.
static int distance_between(const char *a, const char *b) {
  int n = common_prefix(a, b);
  if (a[n] && a[n + 1] && a[n] == b[n + 1] && a[n + 1] == b[n] && strcmp(a + n + 2, b + n + 2) == 0) return 1;
  return ls_edit_distance(a, b);
}

// The fewest changes win, then the longest common beginning, then the alphabet.
void ptx_guess(PtxGuess *guess, const char *candidate) {
  enum { PREFIX_ROOM = 64 };
  size_t length = strlen(guess->word);
  int allowed = length < 2 ? 0 : length < 3 ? 1 : 2;
  if (abs((int)strlen(candidate) - (int)length) > allowed) return;
  int distance = distance_between(candidate, guess->word);
  if (distance > allowed || distance >= (int)length) return;
  int score = distance * PREFIX_ROOM - LS_MIN(common_prefix(candidate, guess->word), PREFIX_ROOM - 1);
  bool wins = !guess->best || score < guess->score || (score == guess->score && strcmp(candidate, guess->best) < 0);
  if (!wins) return;
  guess->best = candidate;
  guess->score = score;
}

const char *ptx_guess_text(const PtxGuess *guess, const char *dot, char out[64]) {
  if (guess->best) snprintf(out, 64, "; did you mean '%s%s'?", dot, guess->best);
  else out[0] = 0;
  return out;
}

static const char *number_at_end(const char *text) {
  const char *p = text + strlen(text);
  while (p > text && p[-1] >= '0' && p[-1] <= '9') p--;
  return p;
}

// %r9 is no slip of the hand for %r4: registers of another number are not suggested.
static bool differ_in_number(const char *a, const char *b) {
  a = number_at_end(a);
  b = number_at_end(b);
  return *a && *b && strcmp(a, b) != 0;
}

const char *ptx_closest_symbol(PtxParser *p, const PtxName *name) {
  PtxGuess guess = {.word = name->text};
  for (int i = 0; i < p->name_capacity; i++) {
    const PtxName *other = p->names[i];
    if (other && other->symbol && !differ_in_number(other->text, name->text)) ptx_guess(&guess, other->text);
  }
  return guess.best;
}

bool ptx_scope_enter(PtxParser *p) {
  if (p->depth >= PTX_NEST_LIMIT) return ptx_error(p, &p->token, "more than %d scopes inside one another", PTX_NEST_LIMIT);
  int wanted = ++p->depth + 1;
  if (wanted > p->scope_capacity) p->scopes = ls_grow(p->scopes, &p->scope_capacity, wanted, sizeof *p->scopes);
  p->scopes[p->depth] = (PtxOpenScope){.first_fixup = p->fixup_count};
  return true;
}

static void resolve(PtxParser *p, const PtxFixup *fixup, const PtxSymbol *symbol) {
  if (fixup->table >= 0) {
    p->module->tables[fixup->table].targets[fixup->entry] = symbol->index;
    return;
  }
  if (fixup->pc >= p->module->code_count) return;  // its instruction had an error
  PtxOperand *operand = &p->module->code[fixup->pc].operands[fixup->operand];
  bool is_table = symbol->kind == PTX_SYM_TABLE;
  operand->kind = is_table ? PTX_OPD_TABLE : PTX_OPD_LABEL;
  if (is_table) operand->index = symbol->index;
  else operand->target = symbol->index;
}

static void report_unresolved(PtxParser *p, const PtxFixup *fixup) {
  bool is_call = fixup->table < 0 && fixup->pc < p->module->code_count && p->module->code[fixup->pc].op == PTX_OP_call;
  if (is_call) ptx_error(p, &fixup->at, "'%s' is no function that is declared before here", LS_QUOTE(fixup->name->text));
  else ptx_error(p, &fixup->at, "no label '%s' in this function", LS_QUOTE(fixup->name->text));
}

// Labels used in the scope that closes: found here, or looked for in the one around it.
static void resolve_fixups(PtxParser *p) {
  int kept = p->scopes[p->depth].first_fixup;
  for (int i = kept; i < p->fixup_count; i++) {
    PtxFixup fixup = p->fixups[i];
    const PtxSymbol *symbol = fixup.name->symbol;
    bool here = symbol && symbol->depth == p->depth && (symbol->kind == PTX_SYM_LABEL || symbol->kind == PTX_SYM_TABLE);
    if (fixup.depth == p->depth && here) {
      resolve(p, &fixup, symbol);
      continue;
    }
    if (fixup.depth == p->depth) fixup.depth--;
    if (fixup.depth == 0) {
      report_unresolved(p, &fixup);
      continue;
    }
    p->fixups[kept++] = fixup;
  }
  p->fixup_count = kept;
}

void ptx_scope_leave(PtxParser *p) {
  resolve_fixups(p);
  for (PtxSymbol *symbol = p->scopes[p->depth].symbols; symbol; symbol = symbol->next) symbol->name->symbol = symbol->outer;
  p->depth--;
}

bool ptx_declare(PtxParser *p, const PtxToken *at, PtxName *name, PtxSymbolKind kind, int index, int count) {
  if (name->symbol && name->symbol->depth == p->depth) return ptx_error(p, at, "'%s' is declared twice", LS_QUOTE(name->text));
  PtxSymbol *symbol = LS_NEW(p->module->arena, PtxSymbol);
  *symbol = (PtxSymbol){.kind = (uint8_t)kind, .index = index, .count = count, .depth = p->depth, .outer = name->symbol,
                        .next = p->scopes[p->depth].symbols, .name = name};
  p->scopes[p->depth].symbols = symbol;
  name->symbol = symbol;
  return true;
}
