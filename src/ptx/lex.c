// lex.c: cuts PTX text into tokens.
#include "ptx/lex.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ptx/ptx.h"

void ptx_lex_init(PtxLexer *lex, const char *text, size_t length) {
  *lex = (PtxLexer){.at = text, .end = text + length, .line_start = text, .line = 1};
}

bool ptx_token_is(const PtxToken *token, int punct) { return token->kind == PTX_TK_PUNCT && token->punct == punct; }

bool ptx_token_is_word(const PtxToken *token, const char *word) {
  return token->kind == PTX_TK_WORD && strncmp(token->text, word, (size_t)token->length) == 0 && !word[token->length];
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Letters, digits and _ $: what a name goes on with.
static bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$';
}

static bool is_word_start(char c) { return (is_name_char(c) && !is_digit(c)) || c == '%'; }

static int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

static void new_line(PtxLexer *lex) {
  lex->line++;
  lex->line_start = lex->at + 1;
  lex->line_used = false;
}

// comment = "//" to the end of the line | "/*" ... "*/" ;
static bool skip_comment(PtxLexer *lex) {
  if (lex->at[1] == '/') {
    while (lex->at < lex->end && *lex->at != '\n') lex->at++;
    return true;
  }
  lex->at += 2;
  for (; lex->at < lex->end; lex->at++) {
    if (*lex->at == '\n') new_line(lex);
    if (lex->at[0] == '*' && lex->at[1] == '/') {
      lex->at += 2;
      return true;
    }
  }
  return false;
}

static PtxToken here(const PtxLexer *lex) {
  return (PtxToken){
      .text = lex->at, .line = lex->line, .col = (int)(lex->at - lex->line_start) + 1, .first = !lex->line_used};
}

// Skips blanks and comments; false: *comment has no end. A line of the C preprocessor ("# 12 file") is a comment.
static bool skip_blank(PtxLexer *lex, PtxToken *comment) {
  while (lex->at < lex->end) {
    char c = *lex->at;
    if (c == '\n') {
      new_line(lex);
      lex->at++;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      lex->at++;
    } else if (c == '/' && (lex->at[1] == '/' || lex->at[1] == '*')) {
      *comment = here(lex);
      if (!skip_comment(lex)) return false;
    } else if (c == '#' && !lex->line_used) {
      while (lex->at < lex->end && *lex->at != '\n') lex->at++;
    } else {
      break;
    }
  }
  return true;
}

static PtxToken bad(PtxToken token, PtxLexer *lex, const char *problem) {
  token.kind = PTX_TK_BAD;
  token.problem = problem;
  token.length = (int)(lex->at - token.text);
  return token;
}

static const char *skip_name(const char *p) {
  while (is_name_char(*p)) p++;
  return p;
}

// word = ( letter | "_" | "$" | "%" ) { name char } { "." name | "::" name } | "." name { "::" name } ;
static PtxToken lex_word(PtxLexer *lex, PtxToken token) {
  const char *p = skip_name(lex->at + 1);
  bool dotted = *lex->at == '.';
  for (;;) {
    if (p[0] == ':' && p[1] == ':' && dotted && is_name_char(p[2])) p = skip_name(p + 2);
    else if (p[0] == '.' && is_name_char(p[1]) && *lex->at != '.') p = skip_name(p + 1), dotted = true;
    else break;
  }
  lex->at = p;
  token.kind = PTX_TK_WORD;
  token.length = (int)(p - token.text);
  return token;
}

// exact float = ( "0f" | "0F" ) 8 hex digits | ( "0d" | "0D" ) 16 hex digits ;
static PtxToken lex_exact_float(PtxLexer *lex, PtxToken token) {
  bool is_double = lex->at[1] == 'd' || lex->at[1] == 'D';
  const char *p = lex->at + 2;
  for (; hex_digit(*p) >= 0; p++) token.value = token.value << 4 | (unsigned)hex_digit(*p);
  int digits = (int)(p - lex->at) - 2;
  lex->at = p;
  if (digits != (is_double ? 16 : 8) || is_name_char(*p)) {
    return bad(token, lex,
               is_double ? "a double is 0d and 16 hexadecimal digits" : "a float is 0f and 8 hexadecimal digits");
  }
  token.kind = PTX_TK_FLOAT;
  token.type = is_double ? PTX_F64 : PTX_F32;
  token.length = (int)(p - token.text);
  return token;
}

// integer = ( "0x" hex digits | "0b" binary digits | "0" octal digits | decimal digits ) [ "U" ] ;
static PtxToken lex_integer(PtxLexer *lex, PtxToken token) {
  const char *p = lex->at;
  unsigned base = 10;
  if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) base = 16, p += 2;
  else if (p[0] == '0' && (p[1] == 'b' || p[1] == 'B')) base = 2, p += 2;
  else if (p[0] == '0') base = 8;
  const char *digits = p;
  bool fits = true;
  for (; hex_digit(*p) >= 0 && (unsigned)hex_digit(*p) < base; p++) {
    uint64_t next = token.value * base + (unsigned)hex_digit(*p);
    if (token.value > (UINT64_MAX - (unsigned)hex_digit(*p)) / base) fits = false;
    token.value = next;
  }
  bool empty = p == digits;
  if (*p == 'U' || *p == 'u') p++;
  while (empty && p < lex->end && is_name_char(*p)) p++;
  lex->at = empty || !is_name_char(*p) ? p : skip_name(p);
  token.length = (int)(lex->at - token.text);
  if (empty || lex->at != p) return bad(token, lex, "this is no number");
  if (!fits) return bad(token, lex, "this number does not fit into 64 bits");
  token.kind = PTX_TK_INT;
  return token;
}

static const char *skip_digits(const char *p) {
  while (is_digit(*p)) p++;
  return p;
}

// Length of a decimal float at p; 0 if it is an integer.  float = digits "." [ digits ] [ exponent ] | digits exponent ;
static int decimal_float_length(const char *p) {
  const char *start = p;
  p = skip_digits(p);
  bool point = *p == '.' && !is_word_start(p[1] == 'e' || p[1] == 'E' ? '0' : p[1]);
  if (point) p = skip_digits(p + 1);
  const char *exponent = p;
  if (*p == 'e' || *p == 'E') {
    p++;
    if (*p == '+' || *p == '-') p++;
    if (is_digit(*p)) return (int)(skip_digits(p) - start);
  }
  return point ? (int)(exponent - start) : 0;
}

static PtxToken lex_number(PtxLexer *lex, PtxToken token) {
  char second = lex->at[1];
  if (lex->at[0] == '0' && (second == 'f' || second == 'F' || second == 'd' || second == 'D'))
    return lex_exact_float(lex, token);
  int length = second == 'x' || second == 'X' ? 0 : decimal_float_length(lex->at);
  if (!length) return lex_integer(lex, token);
  char digits[64];
  if (length >= (int)sizeof digits) {
    lex->at += length;
    return bad(token, lex, "this number is too long");
  }
  memcpy(digits, lex->at, (size_t)length);
  digits[length] = 0;
  double value = strtod(digits, NULL);
  memcpy(&token.value, &value, sizeof value);
  lex->at += length;
  token.kind = PTX_TK_FLOAT;
  token.type = PTX_F64;
  token.decimal = true;
  token.length = length;
  return token;
}

// string = '"' { any but '"' and newline | "\" any } '"' ;
static PtxToken lex_string(PtxLexer *lex, PtxToken token) {
  const char *p = lex->at + 1;
  while (p < lex->end && *p != '"' && *p != '\n') p += *p == '\\' && p + 1 < lex->end && p[1] != '\n' ? 2 : 1;
  lex->at = p;
  if (p >= lex->end || *p != '"') return bad(token, lex, "this string has no end");
  lex->at++;
  token.kind = PTX_TK_STRING;
  token.text++;
  token.length = (int)(p - token.text);
  return token;
}

static PtxToken lex_punct(PtxLexer *lex, PtxToken token) {
  static const char pairs[][3] = {"<<", ">>", "&&", "||", "==", "!=", "<=", ">="};
  token.kind = PTX_TK_PUNCT;
  token.length = 1;
  token.punct = *lex->at;
  for (int i = 0; i < LS_COUNT(pairs); i++) {
    if (lex->at[0] != pairs[i][0] || lex->at[1] != pairs[i][1]) continue;
    token.length = 2;
    token.punct = PTX_PUNCT2(pairs[i][0], pairs[i][1]);
  }
  bool known = strchr("(){}[]<>,;:+-*/%!~&|^?=@_.", *lex->at) && *lex->at;
  lex->at += token.length;
  return known ? token : bad(token, lex, "this character has no place in PTX");
}

PtxToken ptx_lex_next(PtxLexer *lex) {
  PtxToken comment = {0};
  if (!skip_blank(lex, &comment)) return bad(comment, lex, "this comment has no end");
  PtxToken token = here(lex);
  if (lex->at >= lex->end) return token;
  lex->line_used = true;
  char c = *lex->at;
  if (is_digit(c)) return lex_number(lex, token);
  if (c == '%' && !is_name_char(lex->at[1])) return lex_punct(lex, token);
  if (is_word_start(c) || (c == '.' && is_name_char(lex->at[1]))) return lex_word(lex, token);
  if (c == '"') return lex_string(lex, token);
  return lex_punct(lex, token);
}
