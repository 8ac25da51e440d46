// source_rules.c: reads a source as far as a preprocessor would, and refuses what reaches for other files.
#include "app/practice/source_rules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const char *const headers[] = {
#define HEADER(name) name,
#include "app/practice/source_header.def"
#undef HEADER
};
static const char *const directives[] = {"define", "undef", "if", "ifdef", "ifndef", "elif", "elifdef", "elifndef",
                                         "else", "endif", "error", "warning"};
static const char *const pragmas[] = {"unroll", "nounroll", "once", "nv_suppress", "nv_diag_suppress",
                                      "nv_diag_default", "nv_diagnostic"};

typedef struct Reader {
  const char *p, *end;       // of the joined text
  const char *begin;
  const int *lines;          // of each character
  bool fresh;                // nothing but blanks and comments on this line so far
  int *line;
  LsText *why;
} Reader;

static bool refuse(const Reader *r, const char *at, const char *words) {
  *r->line = r->lines[LS_MIN(at, r->end) - r->begin];
  ls_text_add(r->why, words);
  return false;
}

static bool is_in(const char *const *list, int count, const char *word, size_t length) {
  for (int i = 0; i < count; i++)
    if (strlen(list[i]) == length && memcmp(list[i], word, length) == 0) return true;
  return false;
}

// ---- lines that go on ----------------------------------------------------------------------------------------------

typedef struct Joined { char *text; int *lines; size_t length; } Joined;

// What is no text, or what compilers do not agree on.
static const char *oddity_at(const char *text, size_t size, size_t i) {
  const char *p = text + i;
  size_t left = size - i;
  if (!*p) return "It has a zero byte, and is no source text.";
  if (*p == '\r' && (left < 2 || p[1] != '\n')) return "A line ends with a carriage return alone: save it with ends "
      "of lines of Linux or Windows.";
  if (left >= 3 && (memcmp(p, "?\?=", 3) == 0 || memcmp(p, "?\?/", 3) == 0)) return "Trigraphs are not taken here.";
  if (*p != '\\') return NULL;
  size_t blanks = 1;
  while (blanks < left && strchr(" \t\f\v", p[blanks])) blanks++;
  bool ends = blanks < left && (p[blanks] == '\n' || p[blanks] == '\r');
  return ends && blanks > 1 ? "Blanks follow a backslash at the end of a line: take them away." : NULL;
}

// Without backslashes before ends of lines, and without carriage returns. False: *at is what is odd.
static bool join(const char *text, size_t size, Joined *out, size_t *at, const char **odd) {
  int line = 1;
  *out = (Joined){ls_alloc(size + 2), ls_alloc((size + 2) * sizeof *out->lines), 0};
  for (size_t i = 0; i < size; i++) {
    *at = (size_t)line;
    if ((*odd = oddity_at(text, size, i))) return false;
    if (text[i] == '\\' && i + 1 < size && (text[i + 1] == '\n' || text[i + 1] == '\r')) {
      i += text[i + 1] == '\r' ? 2 : 1;
      line++;
      continue;
    }
    if (text[i] == '\r') continue;
    out->lines[out->length] = line;
    out->text[out->length++] = text[i];
    line += text[i] == '\n';
  }
  out->lines[out->length] = line;
  return true;
}

// ---- words ---------------------------------------------------------------------------------------------------------

static bool begins(const Reader *r, const char *words) {
  size_t length = strlen(words);
  return (size_t)(r->end - r->p) >= length && memcmp(r->p, words, length) == 0;
}

static bool is_letter(char c) { return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80; }
static bool is_of_name(char c) { return is_letter(c) || isdigit((unsigned char)c); }

static bool skip_comment(Reader *r) {
  const char *from = r->p;
  if (r->p[1] == '/') {
    while (r->p < r->end && *r->p != '\n') r->p++;
    return true;
  }
  for (r->p += 2; r->p < r->end && !begins(r, "*/"); r->p++) continue;
  if (r->p == r->end) return refuse(r, from, "A comment begins here and does not end.");
  r->p += 2;
  return true;
}

static bool at_comment(const Reader *r) { return begins(r, "//") || begins(r, "/*"); }

// Blanks and comments of a line.
static bool skip_blanks(Reader *r) {
  while (r->p < r->end) {
    if (at_comment(r)) {
      if (!skip_comment(r)) return false;
    } else if (strchr(" \t\f\v", *r->p)) {
      r->p++;
    } else {
      break;
    }
  }
  return true;
}

// A string or a character; *content is what is between the quotes.
static bool read_literal(Reader *r, const char **content, size_t *length) {
  const char *from = r->p, quote = *r->p;
  for (r->p++; r->p < r->end && *r->p != quote && *r->p != '\n'; r->p++)
    if (*r->p == '\\' && r->p + 1 < r->end && r->p[1] != '\n') r->p++;
  if (r->p >= r->end || *r->p != quote) return refuse(r, from, "A quote begins here and does not end on its line.");
  *content = from + 1;
  *length = (size_t)(r->p - *content);
  r->p++;
  return true;
}

static void read_name(Reader *r, const char **name, size_t *length) {
  *name = r->p;
  while (r->p < r->end && is_of_name(*r->p)) r->p++;
  *length = (size_t)(r->p - *name);
}

// Digits with what C++14 allows between them, exponents and suffixes ([lex.ppnumber]).
static void skip_number(Reader *r) {
  for (r->p++; r->p < r->end; r->p++) {
    bool apart = *r->p == '\'' && r->p + 1 < r->end && is_of_name(r->p[1]);
    bool sign = strchr("+-", *r->p) && strchr("eEpP", r->p[-1]);
    if (!is_of_name(*r->p) && *r->p != '.' && !apart && !sign) return;
  }
}

// ---- directives ----------------------------------------------------------------------------------------------------

static bool read_include(Reader *r) {
  const char *from = r->p, closing = r->p < r->end && *r->p == '<' ? '>' : '"';
  if (r->p == r->end || !strchr("<\"", *r->p))
    return refuse(r, from, "#include needs the name of a header in <> here, and no macro.");
  const char *name = ++r->p;
  while (r->p < r->end && *r->p != closing && *r->p != '\n') r->p++;
  size_t length = (size_t)(r->p - name);
  if (r->p == r->end || *r->p != closing) return refuse(r, from, "The name of the header does not end.");
  r->p++;
  if (!is_in(headers, LS_COUNT(headers), name, length))
    return refuse(r, from, "#include is for headers of CUDA, C and C++ here: the file is judged by itself.");
  if (!skip_blanks(r)) return false;
  return r->p == r->end || *r->p == '\n' || refuse(r, r->p, "Nothing may follow the header of an #include.");
}

static bool read_pragma(Reader *r) {
  const char *name;
  size_t length;
  read_name(r, &name, &length);
  return is_in(pragmas, LS_COUNT(pragmas), name, length) ||
         refuse(r, name, "Of pragmas only unroll, nounroll, once and those about warnings are taken here.");
}

// Headers of the toolkit may include what such a name stands for.
static bool read_defined(Reader *r) {
  const char *name;
  size_t length;
  read_name(r, &name, &length);
  bool reserved = length > 1 && name[0] == '_' && (name[1] == '_' || isupper((unsigned char)name[1]));
  return !reserved || refuse(r, name, "Names that begin with __ or _A belong to the compiler.");
}

// Behind the '#'.
static bool read_directive(Reader *r) {
  const char *name;
  size_t length;
  if (!skip_blanks(r)) return false;
  if (r->p == r->end || *r->p == '\n') return true;
  read_name(r, &name, &length);
  if (!skip_blanks(r)) return false;
  if (length == 7 && memcmp(name, "include", 7) == 0) return read_include(r);
  if (length == 6 && memcmp(name, "pragma", 6) == 0) return read_pragma(r);
  bool defines = (length == 6 && memcmp(name, "define", 6) == 0) || (length == 5 && memcmp(name, "undef", 5) == 0);
  if (defines) return read_defined(r);
  return is_in(directives, LS_COUNT(directives), name, length) ||
         refuse(r, name, "This directive of the preprocessor is not taken here.");
}

// _Pragma("unroll")
static bool read_pragma_call(Reader *r) {
  const char *from = r->p, *content;
  size_t length;
  if (!skip_blanks(r)) return false;
  if (r->p < r->end && *r->p == '(') r->p++;
  if (!skip_blanks(r)) return false;
  if (r->p == r->end || *r->p != '"') return refuse(r, from, "_Pragma takes \"unroll\" or \"nounroll\" here.");
  if (!read_literal(r, &content, &length)) return false;
  bool known = (length >= 6 && memcmp(content, "unroll", 6) == 0) || (length >= 8 && memcmp(content, "nounroll",
      8) == 0);
  return known || refuse(r, from, "_Pragma takes \"unroll\" or \"nounroll\" here.");
}

// ---- code ----------------------------------------------------------------------------------------------------------

static bool is_word(const char *name, size_t length, const char *word) {
  return strlen(word) == length && memcmp(name, word, length) == 0;
}

static bool take_name(Reader *r) {
  const char *name;
  size_t length;
  read_name(r, &name, &length);
  if (r->p < r->end && *r->p == '"' && name[length - 1] == 'R') return refuse(r, name,
                                                                              "Raw strings are not taken here.");
  if ((length >= 6 && memcmp(name, "__has_", 6) == 0) || is_word(name, length, "__pragma"))
    return refuse(r, name, "A source that is judged does not ask what the compiler has.");
  return !is_word(name, length, "_Pragma") || read_pragma_call(r);
}

static bool take_literal(Reader *r) {
  const char *content;
  size_t length;
  const char *from = r->p;
  if (!read_literal(r, &content, &length)) return false;
  for (size_t i = 0; i + 6 <= length; i++)
    if (memcmp(content + i, "incbin", 6) == 0) return refuse(r, from, "Assembly that reads files is not taken here.");
  return true;
}

static bool take_hash(Reader *r) {
  const char *from = r->p;
  bool directive = r->fresh;
  r->fresh = false;
  r->p += *r->p == '#' ? 1 : 2;
  if (directive) return read_directive(r);
  if (begins(r, "#") || begins(r, "%:")) return refuse(r, from, "Names are not pasted together (##) here.");
  return true;
}

static bool take(Reader *r) {
  if (at_comment(r)) return skip_comment(r);
  if (*r->p == '#' || begins(r, "%:")) return take_hash(r);
  if (*r->p == '\n') return r->fresh = true, r->p++, true;
  if (strchr(" \t\f\v", *r->p)) return r->p++, true;
  r->fresh = false;
  if (strchr("\"'", *r->p)) return take_literal(r);
  if (is_letter(*r->p)) return take_name(r);
  bool fraction = *r->p == '.' && r->p + 1 < r->end && isdigit((unsigned char)r->p[1]);
  if (isdigit((unsigned char)*r->p) || fraction) return skip_number(r), true;
  if (*r->p == '\\') return refuse(r, r->p, "A backslash stands outside of a string.");
  return r->p++, true;
}

bool source_rules_hold(const char *text, size_t size, int *line, LsText *why) {
  Joined joined;
  size_t at = 0;
  const char *odd = NULL;
  *line = 0;
  bool holds = join(text, size, &joined, &at, &odd);
  if (!holds) *line = (int)at, ls_text_add(why, odd);
  Reader reader = {.p = joined.text, .begin = joined.text, .end = joined.text + joined.length, .lines = joined.lines,
                   .fresh = true, .line = line, .why = why};
  while (holds && reader.p < reader.end) holds = take(&reader);
  free(joined.text);
  free(joined.lines);
  return holds;
}
