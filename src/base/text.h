// text.h: a growable string, and small helpers for text and UTF-8.
#ifndef LS_BASE_TEXT_H
#define LS_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

// A string builder. Embedded: `LsText text = {0};` begins it, ls_text_free ends it. `data` is always terminated once
// anything was added; NULL before.
typedef struct LsText {
  char *data;
  size_t length, capacity;
} LsText;

void ls_text_free(LsText *text);
void ls_text_clear(LsText *text);
void ls_text_add(LsText *text, const char *s);
void ls_text_addn(LsText *text, const char *s, size_t n);
void ls_text_addc(LsText *text, char c);
void ls_text_addf(LsText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ls_text_addv(LsText *text, const char *format, va_list args);
const char *ls_text_str(const LsText *text);   // never NULL; borrowed
char *ls_text_take(LsText *text);              // caller frees; text is empty afterwards

// UTF-8. ls_utf8_next decodes one code point and advances *s (an invalid byte gives U+FFFD and advances by one);
// returns 0 at the end of the string.
uint32_t ls_utf8_next(const char **s);
int ls_utf8_encode(uint32_t code, char out[5]);    // returns bytes written, terminates
// Columns of a terminal, whatever the locale (width.c): 2 for East Asian characters and most emoji, 0 for marks that
// combine with what is before them and for characters that are not seen, else 1. A control character takes what
// ls_control_text says, or one blank if that is nothing.
int ls_code_width(uint32_t code);
int ls_utf8_width(const char *s);
size_t ls_utf8_within(const char *s, int columns);   // bytes of the longest beginning that takes no more columns
// A control character of foreign text as text, so that a terminal does not obey it: "\e" for escape, "\x07", "\x9b"
// (one
// of C1). Returns its length; 0 for ends of lines, tabs, and everything that is no control character.
int ls_control_text(uint32_t code, char out[8]);
void ls_text_add_visible(LsText *text, const char *s);   // adds s so; a byte that is no UTF-8 as "\xff"

// What somebody typed, in a message: all of a short text, the first 60 characters of a long one and "…"; of a path,
// which may be longer, the last 120. For an argument of %s: LS_QUOTE(text); LS_QUOTE_N takes n bytes at most.
enum { LS_QUOTED = 60, LS_QUOTED_PATH = 120 };
typedef struct LsQuote { char text[LS_QUOTED_PATH * 4 + 4]; } LsQuote;
LsQuote ls_quote(const char *s, size_t n);
LsQuote ls_quote_path(const char *path);
#define LS_QUOTE(s) (ls_quote((s), SIZE_MAX).text)
#define LS_QUOTE_N(s, n) (ls_quote((s), (n)).text)
#define LS_QUOTE_PATH(path) (ls_quote_path(path).text)

// Where a line of a text begins, from 1; NULL: the text, which may be NULL, has fewer.
const char *ls_line_at(const char *text, int line);
// Letters, digits, - and _, at least one and at most `most` of them: what may be the name of a file, too.
bool ls_is_name(const char *s, size_t most);
bool ls_starts_with(const char *s, const char *prefix);
bool ls_ends_with(const char *s, const char *suffix);
// Edit distance, for "did you mean"; small strings only.
int ls_edit_distance(const char *a, const char *b);
// 1234567 -> "1,234,567" in out (at least 32 bytes); returns out.
const char *ls_group_digits(uint64_t value, char out[32]);
// A part of a whole as "80%" or "12.5%", the same everywhere: without the digit where that is a zero. Returns out.
const char *ls_percent(double part, double whole, char out[16]);
// Whole decimal, 0x or negative number with nothing after it; false if it is not one or does not fit.
bool ls_parse_i64(const char *s, int64_t *value);
bool ls_parse_u64(const char *s, uint64_t *value);
bool ls_parse_f64(const char *s, double *value);
// A unit as its number has it: one of "sectors" is a "sector", of "copies" a "copy", of "branches" a "branch", of
// "passes" a "pass". What is short ("ms") or a rate ("bytes/s") stays.
void ls_text_add_unit(LsText *text, bool one, const char *unit);

#endif
