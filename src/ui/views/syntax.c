// syntax.c: enough of a lexer to tell keywords, calls, numbers and comments apart.
#include "ui/views/syntax.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/mem.h"

static const char *const keywords[] = {   // sorted
    "__constant__", "__device__", "__forceinline__", "__global__", "__grid_constant__", "__host__",
    "__launch_bounds__", "__managed__", "__restrict__", "__shared__", "alignas", "auto", "bool", "break",
    "case", "char", "class", "const", "constexpr", "continue", "default", "do", "double", "double2", "dim3",
    "else", "enum", "extern", "false", "float", "float2", "float3", "float4", "for", "goto", "if", "inline",
    "int", "int2", "int3", "int4", "long", "namespace", "operator", "private", "public", "register", "return",
    "short", "signed", "sizeof", "size_t", "static", "struct", "switch", "template", "this", "true", "typedef",
    "typename", "uint2", "uint3", "uint32_t", "uint4", "uint64_t", "uint8_t", "union", "unsigned", "using",
    "void", "volatile", "while",
};

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool is_keyword(const char *word, size_t length) {
  for (int i = 0; i < LS_COUNT(keywords); i++)
    if (strlen(keywords[i]) == length && memcmp(keywords[i], word, length) == 0) return true;
  return false;
}

static size_t word_end(const char *line, size_t i) {
  while (is_word(line[i])) i++;
  return i;
}

static size_t number_end(const char *line, size_t i) {
  for (;; i++) {
    bool exponent_sign = (line[i] == '+' || line[i] == '-') && i > 0 && (line[i - 1] == 'e' || line[i - 1] == 'E');
    if (!is_word(line[i]) && line[i] != '.' && !exponent_sign) return i;
  }
}

static size_t string_end(const char *line, size_t i) {
  char quote = line[i++];
  while (line[i] && line[i] != quote) i += line[i] == '\\' && line[i + 1] ? 2 : 1;
  return line[i] ? i + 1 : i;
}

static size_t comment_end(Syntax *syntax, const char *line, size_t i) {
  const char *end = strstr(line + i, "*/");
  syntax->in_comment = !end;
  return end ? (size_t)(end - line) + 2 : strlen(line);
}

static Role word_role(const char *line, size_t begin, size_t end) {
  if (is_keyword(line + begin, end - begin)) return ROLE_KEYWORD;
  while (line[end] == ' ') end++;
  return line[end] == '(' ? ROLE_CALL : ROLE_TEXT;
}

// End of the token at i, and its role.
static size_t token(Syntax *syntax, const char *line, size_t i, Role *role) {
  *role = ROLE_COMMENT;
  if (syntax->in_comment) return comment_end(syntax, line, i);
  if (line[i] == '/' && line[i + 1] == '/') return strlen(line);
  if (line[i] == '/' && line[i + 1] == '*') return comment_end(syntax, line, i + 2);
  *role = ROLE_NUMBER;
  if (line[i] == '"' || line[i] == '\'') return string_end(line, i);
  bool digit = isdigit((unsigned char)line[i]) || (line[i] == '.' && isdigit((unsigned char)line[i + 1]));
  if (digit) return number_end(line, i);
  if (is_word(line[i])) {
    size_t end = word_end(line, i);
    *role = word_role(line, i, end);
    return end;
  }
  *role = ROLE_TEXT;
  return i + 1;
}

void syntax_line(Syntax *syntax, const char *line, uint8_t *roles) {
  size_t i = strspn(line, " \t"), length = strlen(line);
  memset(roles, ROLE_TEXT, i);
  bool directive = line[i] == '#' && !syntax->in_comment;
  if (directive) memset(roles + i, ROLE_COMMENT, length - i);
  while (!directive && i < length) {
    Role role;
    size_t end = token(syntax, line, i, &role);
    memset(roles + i, role, end - i);
    i = end;
  }
}
