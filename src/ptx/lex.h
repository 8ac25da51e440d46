// lex.h: the tokens of PTX (PTX ISA 4.3 to 4.5). Inside ptx/ only.
//
// Two kinds of word keep the parser simple:
//   ld.global.f32, %tid.x, $L__BB0_1   begin with a letter or one of _ $ % and go on through dots
//   .reg  .b32  .debug_info            begin with a dot and end before the next one, so .reg.b32 is two words
#ifndef LS_PTX_LEX_H
#define LS_PTX_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum PtxTokenKind {
  PTX_TK_END, PTX_TK_WORD, PTX_TK_INT, PTX_TK_FLOAT, PTX_TK_STRING, PTX_TK_PUNCT, PTX_TK_BAD
} PtxTokenKind;

// An operator of two characters is one token, with this as its punct.
#define PTX_PUNCT2(a, b) ((a) << 8 | (b))

typedef struct PtxToken {
  uint8_t kind;         // PtxTokenKind
  uint8_t type;         // FLOAT: PTX_F32 (0f...) or PTX_F64 (0d... and decimal)
  bool decimal;         // FLOAT: written as 1.5, so it takes the type of its instruction
  bool first;           // no other token before it on its line
  int punct;            // PUNCT: the character, or PTX_PUNCT2
  const char *text;     // into the PTX text, not terminated; STRING: without the quotes
  int length;
  int line, col;        // 1-based
  uint64_t value;       // INT: the number; FLOAT: its bits
  const char *problem;  // BAD: what is wrong with it
} PtxToken;

typedef struct PtxLexer {
  const char *at, *end;  // borrowed text; *end is zero
  const char *line_start;
  int line;
  bool line_used;        // a token was already read from this line
} PtxLexer;

void ptx_lex_init(PtxLexer *lex, const char *text, size_t length);
PtxToken ptx_lex_next(PtxLexer *lex);

bool ptx_token_is(const PtxToken *token, int punct);
bool ptx_token_is_word(const PtxToken *token, const char *word);

#endif
