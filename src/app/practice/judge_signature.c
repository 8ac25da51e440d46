// judge_signature.c: holds the kernels of a file against the declarations that an exercise asks for.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "app/practice/judge_code.h"
#include "base/mem.h"
#include "ptx/demangle.h"

enum { WORDS = 8 };

// Names that are others of plain types, as mangled names have them.
static const struct { const char *name, *is; } same_types[] = {
    {"unsigned", "unsigned int"}, {"half", "__half"}, {"cudaTextureObject_t", "unsigned long long"},
    {"cudaSurfaceObject_t", "unsigned long long"}, {"uint32_t", "unsigned int"}, {"int32_t", "int"},
    {"uint8_t", "unsigned char"}, {"size_t", "unsigned long"}};

static bool is_one_of(const char *word, const char *const *words, int count) {
  for (int i = 0; i < count; i++)
    if (strcmp(word, words[i]) == 0) return true;
  return false;
}

static bool is_type_word(const char *word) {
  static const char *const words[] = {"unsigned", "signed", "int", "char", "short", "long", "float", "double", "bool"};
  return is_one_of(word, words, LS_COUNT(words));
}

// "const float *in" as a demangled name has it: "const float*". The last word is the parameter's name, unless it is
// part of the type.
static void add_type(const char *param, size_t length, LsText *out) {
  static const char *const dropped[] = {"__restrict__", "restrict"};
  char words[WORDS][64];
  int count = 0, stars = 0;
  bool is_const = false;
  for (size_t i = 0; i < length;) {
    size_t n = 0;
    while (i + n < length && (isalnum((unsigned char)param[i + n]) || param[i + n] == '_')) n++;
    if (!n) stars += param[i] == '*' || param[i] == '[', i++;
    if (!n) continue;
    char *word = ls_strndup(param + i, n);
    if (strcmp(word, "const") == 0) is_const = true;
    else if (count < WORDS && n < sizeof words[0] && !is_one_of(word, dropped, LS_COUNT(dropped)))
      strcpy(words[count++], word);
    free(word);
    i += n;
  }
  if (count > 1 && !is_type_word(words[count - 1])) count--;
  LsText type = {0};
  for (int i = 0; i < count; i++) ls_text_addf(&type, "%s%s", i ? " " : "", words[i]);
  const char *name = ls_text_str(&type);
  for (int i = 0; i < LS_COUNT(same_types); i++)
    if (strcmp(same_types[i].name, name) == 0) name = same_types[i].is;
  ls_text_addf(out, "%s%s", is_const && stars ? "const " : "", name);
  for (int i = 0; i < stars; i++) ls_text_add(out, "*");
  ls_text_free(&type);
}

// "scale(float*, const float*, float)" of a declaration.
static char *canonical(const char *declaration) {
  LsText out = {0};
  const char *open = strchr(declaration, '('), *end = open;
  while (end > declaration && isspace((unsigned char)end[-1])) end--;
  const char *begin = end;
  while (begin > declaration && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_')) begin--;
  ls_text_addn(&out, begin, (size_t)(end - begin));
  ls_text_add(&out, "(");
  for (const char *p = open + 1; *p && *p != ')';) {
    size_t length = strcspn(p, ",)");
    if (p > open + 1) ls_text_add(&out, ", ");
    add_type(p, length, &out);
    p += length + (p[length] == ',');
  }
  ls_text_add(&out, ")");
  return ls_text_take(&out);
}

static int parameters_of(const char *canonical_name) {
  int count = strstr(canonical_name, "()") == NULL;
  for (const char *p = canonical_name; *p; p++) count += *p == ',';
  return count;
}

// extern "C": the PTX tells how many parameters there are, and not their types.
static bool same_kernel(const PtxFunc *f, const char *wanted) {
  if (strchr(f->demangled, '(')) return strcmp(f->demangled, wanted) == 0;
  return f->param_count == parameters_of(wanted);
}

static void tell_missing(const PtxModule *module, const char *name, int length, LsText *out) {
  int count = 0;
  for (int i = 0; i < module->func_count; i++) {
    if (!ptx_is_kernel(&module->funcs[i])) continue;
    if (!count) ls_text_addf(out, "There is no kernel %.*s in the file, but ", length, name);
    ls_text_addf(out, "%s%s", count++ ? ", " : "", module->funcs[i].demangled);
  }
  ls_text_add(out, count ? "." : "There is no kernel in the file: it begins with __global__ before void.");
}

bool judge_signature(const PtxModule *module, const char *wanted, LsText *why) {
  char *name = canonical(wanted);
  int length = (int)strcspn(name, "(");
  bool found = false, same = false;
  const PtxFunc *other = NULL;
  for (int i = 0; i < module->func_count; i++) {
    const PtxFunc *f = &module->funcs[i];
    bool is_it = ptx_name_length(f->demangled) == length && strncmp(f->demangled, name, (size_t)length) == 0;
    if (!ptx_is_kernel(f) || !is_it) continue;
    found = true;
    other = f;
    same |= same_kernel(f, name);
  }
  const char *in_c = wanted;
  if (found && !same && strchr(other->demangled, '('))
    ls_text_addf(why, "The kernel's parameters are others: it is %s. Wanted: __global__ %s", other->demangled, in_c);
  else if (found && !same)
    ls_text_addf(why, "The kernel %s has %d parameters and not %d. Wanted: __global__ %s", other->demangled,
                 other->param_count, parameters_of(name), in_c);
  else if (!found) {
    tell_missing(module, name, length, why);
    ls_text_addf(why, " Wanted: __global__ %s", in_c);
  }
  free(name);
  return same;
}
