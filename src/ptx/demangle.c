// demangle.c: a recursive-descent reader of mangled names. Each piece of text it makes is a string in a scratch arena;
// a type has a left and a right part, between which the name of a variable of that type would stand.
#include "ptx/demangle.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { DEPTH_LIMIT = 64, SUBST_LIMIT = 256, ARGS_LIMIT = 64, LENGTH_LIMIT = 4096, STEP_LIMIT = 4096, NUMBER_LIMIT = 1000000 };

typedef struct Type { const char *left, *right; } Type;

typedef struct Args { Type items[ARGS_LIMIT]; int count; } Args;

typedef struct Demangler {
  const char *at;
  LsArena *arena;            // scratch
  Type substs[SUBST_LIMIT];
  int subst_count;
  Args args;                 // template arguments of the name read last: what T_ means
  bool args_fixed;           // we are in the types of a function: those of its name count
  int depth, steps;
  bool failed;
} Demangler;

// What a name says beyond its text.
typedef struct NameInfo { bool is_template, is_special; } NameInfo;   // special: constructor, destructor, conversion

static Type parse_type(Demangler *d);
static Type parse_template_param(Demangler *d);
static Type parse_arg(Demangler *d);
static const char *parse_name(Demangler *d, NameInfo *info);
static const char *parse_encoding(Demangler *d);

static Type fail(Demangler *d) {
  d->failed = true;
  return (Type){"", ""};
}

static const char *fail_text(Demangler *d) {
  d->failed = true;
  return "";
}

static const char *join3(Demangler *d, const char *a, const char *b, const char *c) {
  if (d->failed || strlen(a) + strlen(b) + strlen(c) > LENGTH_LIMIT || ++d->steps > STEP_LIMIT) return fail_text(d);
  return ls_arena_format(d->arena, "%s%s%s", a, b, c);
}

static const char *join(Demangler *d, const char *a, const char *b) { return join3(d, a, b, ""); }

static const char *whole(Demangler *d, Type type) { return join(d, type.left, type.right); }

static bool accept(Demangler *d, const char *text) {
  if (d->failed || !ls_starts_with(d->at, text)) return false;
  d->at += strlen(text);
  return true;
}

static void remember(Demangler *d, Type type) {
  if (d->failed) return;
  if (d->subst_count == SUBST_LIMIT) d->failed = true;
  else d->substs[d->subst_count++] = type;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Decimal number, small; -1 if there is none.
static int parse_int(Demangler *d) {
  if (!is_digit(*d->at)) return -1;
  long value = 0;
  for (; is_digit(*d->at) && value <= NUMBER_LIMIT; d->at++) value = value * 10 + (*d->at - '0');
  if (value > NUMBER_LIMIT) d->failed = true;
  return (int)value;
}

// seq-id = { base-36 digit } "_" ;   "_" is 0, "0_" is 1
static int parse_seq(Demangler *d) {
  int value = -1;
  for (; is_digit(*d->at) || (*d->at >= 'A' && *d->at <= 'Z'); d->at++) {
    int digit = is_digit(*d->at) ? *d->at - '0' : *d->at - 'A' + 10;
    value = LS_MAX(value, 0) * 36 + digit;
    if (value > SUBST_LIMIT) break;
  }
  if (!accept(d, "_")) d->failed = true;
  return value + 1;
}

// source name = length characters ;   nvcc's names for file-local scopes are left out of the text
static const char *parse_source_name(Demangler *d) {
  int length = parse_int(d);
  if (length <= 0 || length > (int)strlen(d->at)) return fail_text(d);
  const char *text = ls_arena_strndup(d->arena, d->at, (size_t)length);
  d->at += length;
  if (ls_starts_with(text, "_GLOBAL__N_")) return "(anonymous namespace)";
  return ls_starts_with(text, "_INTERNAL_") ? "" : text;
}

static const char *const operators[][2] = {
  {"nw", "new"}, {"na", "new[]"}, {"dl", "delete"}, {"da", "delete[]"}, {"ng", "-"}, {"ad", "&"}, {"de", "*"}, {"co", "~"},
  {"pl", "+"}, {"mi", "-"}, {"ml", "*"}, {"dv", "/"}, {"rm", "%"}, {"an", "&"}, {"or", "|"}, {"eo", "^"}, {"aS", "="},
  {"pL", "+="}, {"mI", "-="}, {"mL", "*="}, {"dV", "/="}, {"rM", "%="}, {"aN", "&="}, {"oR", "|="}, {"eO", "^="},
  {"ls", "<<"}, {"rs", ">>"}, {"lS", "<<="}, {"rS", ">>="}, {"eq", "=="}, {"ne", "!="}, {"lt", "<"}, {"gt", ">"},
  {"le", "<="}, {"ge", ">="}, {"ss", "<=>"}, {"nt", "!"}, {"aa", "&&"}, {"oo", "||"}, {"pp", "++"}, {"mm", "--"},
  {"cm", ","}, {"pm", "->*"}, {"pt", "->"}, {"cl", "()"}, {"ix", "[]"},
};

static const char *parse_operator(Demangler *d) {
  for (int i = 0; i < LS_COUNT(operators); i++) {
    if (accept(d, operators[i][0])) return join(d, "operator", operators[i][1]);
  }
  return fail_text(d);
}

// Types up to an E or the end of the name, with commas; a lone "v" is none.
static const char *parse_types(Demangler *d) {
  const char *text = "";
  if (d->at[0] == 'v' && strchr("E.", d->at[1])) {   // also at the terminator
    d->at++;
    return text;
  }
  for (int n = 0; !d->failed && !strchr("E.", *d->at); n++) text = join3(d, text, n ? ", " : "", whole(d, parse_type(d)));
  return text;
}

// lambda = "Ul" types "E" [ number ] "_" ;   unnamed = "Ut" [ number ] "_" ;
static const char *parse_unnamed(Demangler *d) {
  bool is_lambda = accept(d, "Ul");
  if (!is_lambda && !accept(d, "Ut")) return fail_text(d);
  const char *types = is_lambda ? parse_types(d) : "";
  if (is_lambda && !accept(d, "E")) return fail_text(d);
  int number = parse_int(d) + 2;
  if (!accept(d, "_")) return fail_text(d);
  if (d->failed) return "";
  return is_lambda ? ls_arena_format(d->arena, "{lambda(%s)#%d}", types, number)
                   : ls_arena_format(d->arena, "{unnamed#%d}", number);
}

// The last part of a qualified name without its template arguments: what a constructor is called.
static const char *last_part(Demangler *d, const char *name) {
  const char *start = name;
  int depth = 0;
  for (const char *p = name; *p; p++) {
    if (*p == '<' || *p == '(') depth++;
    if (*p == '>' || *p == ')') depth--;
    if (depth == 0 && p[0] == ':' && p[1] == ':') start = p + 2;
  }
  return ls_arena_strndup(d->arena, start, strcspn(start, "<"));
}

// unqualified name = source name | constructor | destructor | unnamed | operator ;
static const char *parse_unqualified(Demangler *d, const char *scope, NameInfo *info) {
  const char *text;
  if (d->at[0] == 'L' && is_digit(d->at[1])) d->at++;   // internal linkage
  if (is_digit(*d->at)) return parse_source_name(d);
  if (*d->at == 'C' && d->at[1] >= '1' && d->at[1] <= '5') {
    d->at += 2;
    info->is_special = true;
    return last_part(d, scope);
  }
  if (*d->at == 'D' && is_digit(d->at[1])) {
    d->at += 2;
    info->is_special = true;
    return join(d, "~", last_part(d, scope));
  }
  if (*d->at == 'U') return parse_unnamed(d);
  if (accept(d, "cv")) {
    info->is_special = true;
    text = whole(d, parse_type(d));
    return join(d, "operator ", text);
  }
  return parse_operator(d);
}

// literal = "L" type [ "n" ] digits "E" | "L" "_Z" encoding "E" ;   the "L" is read
static Type parse_literal(Demangler *d) {
  if (accept(d, "_Z")) {
    const char *name = parse_encoding(d);
    return accept(d, "E") ? (Type){name, ""} : fail(d);
  }
  char kind = *d->at;
  const char *type = whole(d, parse_type(d));
  const char *sign = accept(d, "n") ? "-" : "";
  size_t length = strcspn(d->at, "E");
  if (d->failed || d->at[length] != 'E' || length > 32) return fail(d);
  const char *digits = ls_arena_strndup(d->arena, d->at, length);
  d->at += length + 1;
  if (kind == 'b') return (Type){strcmp(digits, "0") ? "true" : "false", ""};
  if (strchr("ijlmxysthac", kind)) return (Type){join(d, sign, digits), ""};
  if (kind == 'f' || kind == 'd') {
    uint64_t bits = strtoull(digits, NULL, 16);
    uint32_t bits32 = (uint32_t)bits;
    float narrow;
    double wide;
    memcpy(&narrow, &bits32, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return (Type){ls_arena_format(d->arena, "%g", kind == 'f' ? (double)narrow : wide), ""};
  }
  return (Type){join3(d, join3(d, "(", type, ")"), sign, digits), ""};
}

// pack = "J" { argument } "E" ;   the "J" is read; one argument that prints as several
static Type parse_pack(Demangler *d) {
  const char *text = "";
  for (int n = 0; !d->failed && *d->at && *d->at != 'E'; n++) text = join3(d, text, n ? ", " : "", whole(d, parse_arg(d)));
  return accept(d, "E") ? (Type){text, ""} : fail(d);
}

// argument = type | literal | pack | "X" parameter "E" | "X" address of a function "E" ;
static Type parse_arg(Demangler *d) {
  Type type;
  if (accept(d, "J")) return parse_pack(d);
  if (accept(d, "L")) return parse_literal(d);
  if (accept(d, "XT")) {
    type = parse_template_param(d);
    return accept(d, "E") ? type : fail(d);
  }
  if (!accept(d, "XadL_Z")) return parse_type(d);
  type = (Type){join(d, "&", parse_encoding(d)), ""};
  return accept(d, "EE") ? type : fail(d);
}

// arguments = "I" { argument } "E" ;
static const char *parse_args(Demangler *d) {
  Args args = {.count = 0};
  const char *text = "<";
  d->at++;
  while (!d->failed && *d->at && *d->at != 'E') {
    Type type = parse_arg(d);
    if (args.count == ARGS_LIMIT) return fail_text(d);
    text = join3(d, text, args.count ? ", " : "", whole(d, type));
    args.items[args.count++] = type;
  }
  if (!accept(d, "E")) return fail_text(d);
  if (!d->args_fixed) d->args = args;
  return join(d, text, ">");
}

// substitution = "S" seq-id | "St" | "Sa" | "Ss" ... ;   the "S" is read
static Type parse_subst(Demangler *d) {
  static const char *const standard[][2] = {
    {"t", "std"}, {"a", "std::allocator"}, {"b", "std::basic_string"}, {"s", "std::string"}, {"i", "std::istream"},
    {"o", "std::ostream"}, {"d", "std::iostream"},
  };
  for (int i = 0; i < LS_COUNT(standard); i++) {
    if (accept(d, standard[i][0])) return (Type){standard[i][1], ""};
  }
  int index = parse_seq(d);
  return index < d->subst_count ? d->substs[index] : fail(d);
}

static const char *qualify(Demangler *d, const char *scope, const char *name) {
  if (!*scope) return name;
  return *name ? join3(d, scope, "::", name) : scope;
}

// nested name = "N" [ cv ] [ ref ] { part [ arguments ] } "E" ;   the "N" is read
static const char *parse_nested(Demangler *d, NameInfo *info) {
  const char *scope = "";
  while (accept(d, "K") || accept(d, "V") || accept(d, "r") || accept(d, "R") || accept(d, "O")) continue;
  while (!d->failed && *d->at && *d->at != 'E') {
    bool known = false;
    info->is_template = false;
    if (*d->at == 'I') {
      scope = join(d, scope, parse_args(d));
      info->is_template = true;
    } else if (*d->at == 'S') {
      d->at++;
      scope = parse_subst(d).left;
      known = true;
    } else if (*d->at == 'T') {
      scope = parse_type(d).left;
      known = true;
    } else {
      scope = qualify(d, scope, parse_unqualified(d, scope, info));
    }
    if (!known && *d->at != 'E') remember(d, (Type){scope, ""});
  }
  return accept(d, "E") ? scope : fail_text(d);
}

// local name = "Z" encoding "E" ( "s" | name ) [ "_" digits ] ;   the "Z" is read
static const char *parse_local(Demangler *d, NameInfo *info) {
  const char *scope = parse_encoding(d);
  if (!accept(d, "E")) return fail_text(d);
  const char *name = accept(d, "s") ? "string literal" : parse_name(d, info);
  if (accept(d, "__")) parse_int(d), accept(d, "_");
  else if (accept(d, "_")) parse_int(d);
  return qualify(d, scope, name);
}

// name = nested name | local name | [ "St" ] unqualified name [ arguments ] | substitution arguments ;
static const char *parse_name(Demangler *d, NameInfo *info) {
  const char *text;
  bool known = false;
  if (++d->depth > DEPTH_LIMIT) return fail_text(d);
  if (accept(d, "N")) {
    text = parse_nested(d, info);
  } else if (accept(d, "Z")) {
    text = parse_local(d, info);
  } else {
    if (accept(d, "St")) text = join(d, "std::", parse_unqualified(d, "", info));
    else if (*d->at == 'S') d->at++, text = parse_subst(d).left, known = true;
    else text = parse_unqualified(d, "", info);
    if (*d->at == 'I') {
      if (!known) remember(d, (Type){text, ""});
      text = join(d, text, parse_args(d));
      info->is_template = true;
    }
  }
  d->depth--;
  return text;
}

// encoding = name [ types ] ;   a template's types begin with the one it returns
static const char *parse_encoding(Demangler *d) {
  NameInfo info = {0};
  bool was_fixed = d->args_fixed;
  if (++d->depth > DEPTH_LIMIT) return fail_text(d);
  d->args_fixed = false;
  const char *name = parse_name(d, &info);
  d->args_fixed = true;
  if (!d->failed && *d->at && *d->at != 'E' && *d->at != '.') {
    if (info.is_template && !info.is_special) parse_type(d);
    const char *types = parse_types(d);
    name = join(d, join3(d, name, "(", types), ")");
  }
  d->args_fixed = was_fixed;
  d->depth--;
  return name;
}

static const struct { const char *code, *name; } builtins[] = {
  {"v", "void"}, {"w", "wchar_t"}, {"b", "bool"}, {"c", "char"}, {"a", "signed char"}, {"h", "unsigned char"}, {"s", "short"},
  {"t", "unsigned short"}, {"i", "int"}, {"j", "unsigned int"}, {"l", "long"}, {"m", "unsigned long"}, {"x", "long long"},
  {"y", "unsigned long long"}, {"n", "__int128"}, {"o", "unsigned __int128"}, {"f", "float"}, {"d", "double"},
  {"e", "long double"}, {"g", "__float128"}, {"z", "..."}, {"Dn", "std::nullptr_t"}, {"Di", "char32_t"}, {"Ds", "char16_t"},
  {"Du", "char8_t"}, {"Dh", "__half"}, {"DF16_", "_Float16"}, {"DF16b", "__bf16"}, {"Da", "auto"},
};

static Type point_at(Demangler *d, Type to, const char *mark) {
  size_t length = strlen(to.left);
  if (*mark == '&' && length && to.left[length - 1] == '&') return to;   // a reference to a reference is one
  if (!*to.right) return (Type){join(d, to.left, mark), ""};
  bool grouped = ls_starts_with(to.right, ")");
  if (grouped) return (Type){join(d, to.left, mark), to.right};
  const char *open = length && to.left[length - 1] == ' ' ? "(" : " (";
  return (Type){join3(d, to.left, open, mark), join(d, ")", to.right)};
}

// qualified type = { "r" | "V" | "K" } type ;
static Type parse_qualified(Demangler *d) {
  bool is_restrict = accept(d, "r"), is_volatile = accept(d, "V"), is_const = accept(d, "K");
  Type type = parse_type(d);
  size_t length = strlen(type.left);
  bool plain = !*type.right && length && type.left[length - 1] != '*' && type.left[length - 1] != '&';
  if (is_volatile) type.left = plain ? join(d, "volatile ", type.left) : join(d, type.left, " volatile");
  if (is_const) type.left = plain ? join(d, "const ", type.left) : join(d, type.left, " const");
  if (is_restrict) type.left = join(d, type.left, " __restrict__");
  return type;
}

// function type = "F" [ "Y" ] types "E" ;   the "F" is read
static Type parse_function_type(Demangler *d) {
  accept(d, "Y");
  Type result = parse_type(d);
  const char *types = parse_types(d);
  if (!accept(d, "E")) return fail(d);
  return (Type){join(d, whole(d, result), " "), join3(d, "(", types, ")")};
}

// array type = "A" [ number ] "_" type ;   the "A" is read
static Type parse_array_type(Demangler *d) {
  char size[16] = "";
  int n = parse_int(d);
  if (n >= 0) snprintf(size, sizeof size, "%d", n);
  if (!accept(d, "_")) return fail(d);
  Type elem = parse_type(d);
  const char *inner = ls_starts_with(elem.right, " [") ? elem.right + 1 : elem.right;
  return (Type){elem.left, join(d, join3(d, " [", size, "]"), inner)};
}

// template parameter = "T" seq-id ;   the "T" is read
static Type parse_template_param(Demangler *d) {
  int index = parse_seq(d);
  return index < d->args.count ? d->args.items[index] : fail(d);
}

// A type that a substitution may name: what all but builtins are.
static Type parse_compound(Demangler *d) {
  NameInfo info = {0};
  if (accept(d, "P")) return point_at(d, parse_type(d), "*");
  if (accept(d, "R")) return point_at(d, parse_type(d), "&");
  if (accept(d, "O")) return point_at(d, parse_type(d), "&&");
  if (*d->at == 'K' || *d->at == 'V' || *d->at == 'r') return parse_qualified(d);
  if (accept(d, "F")) return parse_function_type(d);
  if (accept(d, "A")) return parse_array_type(d);
  if (accept(d, "T")) return parse_template_param(d);
  if (accept(d, "u")) return (Type){parse_source_name(d), ""};
  if (accept(d, "Dp")) return parse_type(d);
  if (accept(d, "M")) {
    const char *owner = whole(d, parse_type(d));
    return point_at(d, parse_type(d), join(d, owner, "::*"));
  }
  if (*d->at != 'N' && *d->at != 'Z' && *d->at != 'S' && !is_digit(*d->at)) return fail(d);
  return (Type){parse_name(d, &info), ""};
}

// type = builtin | substitution | compound ;
static Type parse_type(Demangler *d) {
  if (++d->depth > DEPTH_LIMIT || d->failed) return fail(d);
  Type type = {0};
  for (int i = 0; i < LS_COUNT(builtins) && !type.left; i++) {
    if (accept(d, builtins[i].code)) type = (Type){builtins[i].name, ""};
  }
  bool is_subst = d->at[0] == 'S' && d->at[1] != 't';
  if (!type.left && is_subst) {
    d->at++;
    type = parse_subst(d);
    if (*d->at == 'I') {
      type = (Type){join(d, type.left, parse_args(d)), ""};
      remember(d, type);
    }
  } else if (!type.left) {
    type = parse_compound(d);
    remember(d, type);
  }
  d->depth--;
  return type;
}

const char *ptx_demangle(LsArena *arena, const char *name) {
  if (!ls_starts_with(name, "_Z") || strlen(name) > LENGTH_LIMIT) return name;
  Demangler *d = ls_alloc(sizeof *d);
  d->at = name + 2;
  d->arena = ls_arena_new();
  const char *text = parse_encoding(d);
  bool ok = !d->failed && (!*d->at || *d->at == '.') && *text;
  const char *result = ok ? ls_arena_strdup(arena, text) : name;
  ls_arena_free(d->arena);
  free(d);
  return result;
}

const char *ptx_source_name(LsArena *arena, const char *name) {
  const char *text = ptx_demangle(arena, name), *start = text;
  int depth = 0;
  for (const char *p = text; *p; p++) {
    if (*p == '<' || *p == '(' || *p == '{') depth++;
    if (*p == '>' || *p == ')' || *p == '}') depth--;
    if (depth == 0 && p[0] == ':' && p[1] == ':') start = p + 2;
  }
  return start;
}

int ptx_name_length(const char *demangled) {
  int length = (int)strlen(demangled), depth = 0;
  if (!ls_ends_with(demangled, ")")) return length;
  for (int i = length - 1; i > 0; i--) {
    depth += demangled[i] == ')' ? 1 : demangled[i] == '(' ? -1 : 0;
    if (!depth) return i;
  }
  return length;
}
