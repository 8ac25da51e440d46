// hostcode.c: finds main and the launches of a kernel in the text of a .cu, and works out what is constant in them.
#include "app/own/hostcode.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { DEPTH = 12, NAME = 64 };
static const int64_t SUM_MOST = INT64_C(1) << 62;

// ---- text -----------------------------------------------------------------------------------------------------------

// A copy in which comments and literals are blanks, at the same places.
static char *code_of(const char *source) {
  char *out = ls_strdup(source);
  for (char *p = out; *p;) {
    const char *end = NULL;
    if (p[0] == '/' && p[1] == '/') end = p + strcspn(p, "\n");
    else if (p[0] == '/' && p[1] == '*') end = (end = strstr(p + 2, "*/")) ? end + 2 : p + strlen(p);
    else if (p[0] == '"') for (end = p + 1; *end && *end != '"' && *end != '\n';) end += 1 + (end[0] == '\\' && end[1]);
    if (!end) p++;
    else for (; p < end && *p; p++) if (*p != '\n') *p = ' ';
  }
  return out;
}

static bool in_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The next place where a name stands as a whole word; NULL: none.
static const char *find_word(const char *text, const char *from, const char *word) {
  size_t length = strlen(word);
  for (const char *p = from; length && (p = strstr(p, word)); p++)
    if ((p == text || !in_name(p[-1])) && !in_name(p[length])) return p;
  return NULL;
}

static const char *skip(const char *p) { return p + strspn(p, " \t\n\r\\"); }

// To the end of what begins at p: a comma or closing bracket of its own level.
static const char *part_end(const char *p, const char *end) {
  for (int depth = 0; p < end && *p; p++) {
    if (*p == '(' || *p == '{' || *p == '[') depth++;
    else if (*p == ')' || *p == '}' || *p == ']') { if (!depth--) return p; }
    else if (*p == ',' && !depth) return p;
  }
  return p;
}

// ---- numbers --------------------------------------------------------------------------------------------------------

// sum = product { ("+" | "-") product } ;  product = factor { ("*" | "/" | "%" | "<<") factor }
// factor = number | name | "(" sum ")"
typedef struct Reader { const char *text, *at; int depth; bool ok; } Reader;
static int64_t read_sum(Reader *r);
static bool value_of_name(const char *text, const char *name, int depth, int64_t *value);

static int64_t read_name(Reader *r) {
  char name[NAME];
  size_t n = 0;
  for (; in_name(*r->at); r->at++) if (n + 1 < sizeof name) name[n++] = *r->at;
  name[n] = 0;
  int64_t value = 0;
  bool cast = *skip(r->at) == '(' || strncmp(skip(r->at), "::", 2) == 0;
  r->ok = r->ok && !cast && r->depth < DEPTH && value_of_name(r->text, name, r->depth + 1, &value);
  return value;
}

static int64_t read_factor(Reader *r) {
  r->at = skip(r->at);
  if (*r->at == '(') {
    r->at++;
    int64_t value = read_sum(r);
    r->at = skip(r->at);
    r->ok = r->ok && *r->at == ')';
    if (r->ok) r->at++;
    return value;
  }
  if (isdigit((unsigned char)*r->at)) {
    char *end;
    int64_t value = (int64_t)strtoull(r->at, &end, 0);
    while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L') end++;
    r->ok = r->ok && !in_name(*end) && *end != '.' && value >= 0 && value < INT64_C(1) << 40;
    r->at = end;
    return value;
  }
  if (in_name(*r->at)) return read_name(r);
  r->ok = false;
  return 0;
}

static bool in_range(int64_t a, int64_t b) { return llabs(a) < INT64_C(1) << 31 && llabs(b) < INT64_C(1) << 31; }

static int64_t read_product(Reader *r) {
  int64_t value = read_factor(r);
  for (r->at = skip(r->at); r->ok && (*r->at == '*' || *r->at == '/' || *r->at == '%' ||
                                      (r->at[0] == '<' && r->at[1] == '<'));
       r->at = skip(r->at)) {
    char op = *r->at;
    r->at += op == '<' ? 2 : 1;
    int64_t by = read_factor(r);
    r->ok = r->ok && in_range(value, by) && (op == '*' || (op == '<' ? value >= 0 && by >= 0 && by < 31 : by != 0));
    if (r->ok) value = op == '*' ? value * by : op == '/' ? value / by : op == '%' ? value % by : value << by;
  }
  return value;
}

static int64_t read_sum(Reader *r) {
  int64_t value = r->depth++ < DEPTH ? read_product(r) : (r->ok = false);
  for (r->at = skip(r->at); r->ok && (*r->at == '+' || *r->at == '-'); r->at = skip(r->at)) {
    char op = *r->at++;
    int64_t by = read_product(r);
    r->ok = r->ok && llabs(value) < SUM_MOST && llabs(by) < SUM_MOST;
    if (r->ok) value = op == '+' ? value + by : value - by;
  }
  r->depth--;
  return value;
}

static bool value_between(const char *text, const char *from, const char *end, int depth, int64_t *value) {
  char *part = ls_strndup(from, (size_t)(end - from));
  Reader r = {.text = text, .at = part, .depth = depth, .ok = true};
  *value = read_sum(&r);
  bool ok = r.ok && !*skip(r.at);
  free(part);
  return ok;
}

// #define NAME value, or NAME = value; the one that stands first. A name that is assigned again later is told by its
// first value.
static bool value_of_name(const char *text, const char *name, int depth, int64_t *value) {
  for (const char *p = text; (p = find_word(text, p, name)); p++) {
    const char *line = p, *after = p + strlen(name);
    while (line > text && line[-1] != '\n') line--;
    bool macro = strncmp(skip(line), "#", 1) == 0 && strncmp(skip(skip(line) + 1), "define", 6) == 0 &&
        isspace((unsigned char)*after);
    const char *equal = skip(after);
    if (macro) return value_between(text, after, after + strcspn(after, "\n"), depth, value);
    if (*equal != '=' || equal[1] == '=') continue;
    const char *end = equal + 1;
    for (int open = 0; *end && *end != ';'; end++) {
      open += *end == '(' ? 1 : *end == ')' ? -1 : 0;
      if (*end == ',' && !open) break;
    }
    return value_between(text, equal + 1, end, depth, value);
  }
  return false;
}

// ---- launches -------------------------------------------------------------------------------------------------------

// dim3(a, b) or {a, b}: its parts. Else false.
static bool dim_parts(const char *p, const char *end, uint32_t dim[3], const char *text) {
  for (int d = 0; d < 3; d++) {
    const char *stop = part_end(p, end);
    int64_t value;
    if (value_between(text, p, stop, 0, &value) && value > 0 && value <= UINT32_MAX) dim[d] = (uint32_t)value;
    if (stop >= end || *stop != ',') {
      while (dim[0] && ++d < 3) dim[d] = 1;
      return true;
    }
    p = stop + 1;
  }
  return false;
}

// The name of a dim3 where it is made: dim3 block(16, 16), grid{4}, or = dim3(4). NULL: nowhere.
static const char *made_at(const char *text, const char *name) {
  for (const char *p = text; (p = find_word(text, p, name)); p++) {
    const char *statement = p, *after = skip(p + strlen(name));
    while (statement > text && !strchr(";{}\n", statement[-1])) statement--;
    const char *dim3 = find_word(statement, statement, "dim3");
    if (dim3 && dim3 < p && (*after == '(' || *after == '{' || *after == '=')) return after + strcspn(after, "({;");
  }
  return NULL;
}

// A size: a number, dim3(...), or the name of a dim3.
static void read_dim(const char *text, const char *p, const char *end, uint32_t dim[3]) {
  char name[NAME];
  int64_t value;
  size_t n = 0;
  p = skip(p);
  if (value_between(text, p, end, 0, &value)) {
    if (value > 0 && value <= UINT32_MAX) dim[0] = (uint32_t)value, dim[1] = dim[2] = 1;
    return;
  }
  while (p + n < end && in_name(p[n]) && n + 1 < sizeof name) name[n] = p[n], n++;
  name[n] = 0;
  const char *at = strcmp(name, "dim3") == 0 ? p + strcspn(p, "({;") : n ? made_at(text, name) : NULL;
  if (at && *at && *at != ';') dim_parts(at + 1, at + strlen(at), dim, text);
}

static void read_launch(const char *text, const char *inside, const char *end, HostLaunch *launch) {
  const char *stop = part_end(inside, end), *next = stop < end ? part_end(stop + 1, end) : end;
  read_dim(text, inside, stop, launch->grid);
  if (stop < end) read_dim(text, stop + 1, next, launch->block);
  launch->shared = next < end ? -1 : 0;
  if (next < end) {
    const char *last = part_end(next + 1, end);
    if (!value_between(text, next + 1, last, 0, &launch->shared)) launch->shared = -1;
  }
}

static bool is_real(const char *p, const char *end, char out[24]) {
  char *stop;
  double value = strtod(p, &stop);
  bool real = stop > p && memchr(p, '.', (size_t)(stop - p));
  if (real && (*stop == 'f' || *stop == 'F')) stop++;
  if (!real || skip(stop) != end) return false;
  snprintf(out, 24, "%.9g", value);
  if (!strpbrk(out, ".e")) strcat(out, ".0");
  return true;
}

// f<<<...>>>(x, 2.0f, n)
static void read_args(const char *text, const char *p, HostLaunch *launch) {
  const char *end = p + strlen(p);
  p = skip(p);
  if (*p++ != '(') return;
  for (int i = 0; i < HOST_ARGS; i++) {
    const char *stop = part_end(p, end);
    int64_t value;
    if (!is_real(skip(p), stop, launch->args[i]) && value_between(text, p, stop, 0, &value))
      snprintf(launch->args[i], sizeof launch->args[i], "%lld", (long long)value);
    if (*stop != ',') return;
    p = stop + 1;
  }
}

bool hostcode_has_main(const char *source) {
  char *text = code_of(source);
  bool found = false;
  for (const char *p = text; !found && (p = find_word(text, p, "main")); p++) found = *skip(p + 4) == '(';
  free(text);
  return found;
}

int hostcode_array(const char *source, const char *name, int64_t dims[4]) {
  char *text = code_of(source);
  int count = 0;
  for (const char *p = text; !count && (p = find_word(text, p, name)); p++) {
    const char *statement = p, *at = skip(p + strlen(name));
    while (statement > text && !strchr(";{}", statement[-1])) statement--;
    const char *shared = find_word(statement, statement, "__shared__");
    while (shared && shared < p && *at == '[' && count < 4) {
      const char *end = part_end(at + 1, at + strlen(at));
      if (*end != ']' || !value_between(text, at + 1, end, 0, &dims[count])) break;
      count++;
      at = skip(end + 1);
    }
  }
  free(text);
  return count;
}

void hostcode_launch(const char *source, const char *kernel, HostLaunch *launch) {
  *launch = (HostLaunch){.shared = -1};
  char *text = code_of(source), name[NAME * 4];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(kernel, "<("), kernel);
  const char *last = strrchr(name, ':');   // of a namespace
  for (const char *p = text; !launch->found && (p = find_word(text, p, last ? last + 1 : name)); p++) {
    const char *open = strstr(p, "<<<"), *end = open ? strstr(open, ">>>") : NULL;
    if (!end || strcspn(p, ";{}") < (size_t)(open - p) || strcspn(p, "(") < (size_t)(open - p)) continue;
    launch->found = true;
    launch->line = 1;
    for (const char *c = text; c < open; c++) launch->line += *c == '\n';
    read_launch(text, open + 3, end, launch);
    read_args(text, end + 3, launch);
    const char *from = source + (skip(open + 3) - text);
    snprintf(launch->text, sizeof launch->text, "%.*s", (int)(source + (end - text) - from), from);
    for (char *c = launch->text; *c; c++) if ((unsigned char)*c < ' ') *c = ' ';
  }
  free(text);
}
