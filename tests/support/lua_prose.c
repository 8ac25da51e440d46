// lua_prose.c: reads Lua no further than needed to tell its strings from its code.
#include "lua_prose.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

enum { CONSTANTS = -1 };

typedef struct Reader {
  LuaProse *prose;
  const char *start, *at;
  int line, part;
  bool leads_up, is_constant;      // the statement: it is about the next screen; it sets constants
  char word[24], key[24];          // the last word of the code; the one that a value is given to
} Reader;

// ---- strings -------------------------------------------------------------------------------------------------------

// The end of `code`, {value} or %.1f at p, if it stands there; else p.
static const char *behind_filled(const char *p, const char *end) {
  const char *stop = NULL;
  if (*p == '`') stop = memchr(p + 1, '`', (size_t)(end - p - 1));
  if (*p == '{') {
    stop = p + 1;
    while (stop < end && (isalnum((unsigned char)*stop) || *stop == '_')) stop++;
    if (stop == end || *stop != '}' || stop == p + 1) return p;
  }
  if (*p == '%' && p + 1 < end) {
    stop = p + 1 + strspn(p + 1, "-+0123456789.");
    if (stop >= end || !strchr("dsfgxic", *stop)) return p;
  }
  return stop ? stop + 1 : p;
}

// At an empty line, and before an item of a list and a line of a table.
static bool ends_paragraph(const char *p, const char *end) {
  enum { TABLE = 6 };              // blanks before a line that are more than the text's own
  if (*p != '\n') return false;
  const char *line = p + 1;
  for (p = line; p < end && *p == ' ';) p++;
  return p < end && (*p == '\n' || *p == '-' || p - line >= TABLE);
}

static char *plain(const char *p, const char *end) {
  char *out = ls_alloc((size_t)(end - p) + 1), *to = out;
  while (p < end) {
    const char *behind = behind_filled(p, end);
    if (behind > p) *to++ = '@', p = behind;
    else if (ends_paragraph(p, end)) *to++ = PARAGRAPH, p++;
    else if (*p == '\\' && p + 1 < end) *to++ = p[1] == 'n' ? ' ' : p[1], p += 2;
    else *to++ = *p == '\n' ? ' ' : *p, p++;
  }
  *to = 0;
  return out;
}

// A sentence, or a few words of one: no code, no name of a file or a field.
static bool is_prose(const char *text) {
  static const char *const code[] = {";", "[", "<", "_", ">=", "+=", "==", "!=", " * ", " & ", " % ", " ^ ", " > ", "++", "://"};
  bool word = false;
  for (int i = 0; i < LS_COUNT(code); i++)
    if (strstr(text, code[i])) return false;
  for (const char *p = text; *p && p[1]; p++)
    word = word || (islower((unsigned char)*p) && islower((unsigned char)p[1]));
  const char *first = text + strspn(text, " "), *blank = strchr(first, ' ');
  return word && blank && blank[strspn(blank, " ")];
}

static void add_number(Reader *r, double value, int part) {
  LuaProse *prose = r->prose;
  ProseNumber number = {value, part};
  LS_PUSH(prose->numbers, prose->number_count, prose->number_capacity, number);
}

// Numbers of a string that is no prose: options, values of parameters.
static void add_numbers(Reader *r, const char *text) {
  for (const char *p = text; *p;) {
    if (!isdigit((unsigned char)*p)) {
      p++;
      continue;
    }
    char *end;
    add_number(r, strtod(p, &end), r->part);
    p = end;
  }
}

// Fields that name a piece of a kernel's source.
static bool is_place(const char *key) {
  static const char *const places[] = {"line", "find", "from", "to"};
  for (int i = 0; i < LS_COUNT(places); i++)
    if (strcmp(key, places[i]) == 0) return true;
  return false;
}

// `code` in a text is code.
static void add_code(Reader *r, const char *from, const char *end) {
  for (const char *p = from; p < end; p++) {
    const char *behind = *p == '`' ? behind_filled(p, end) : p;
    if (behind == p) continue;
    char *code = ls_strndup(p, (size_t)(behind - p));
    add_numbers(r, code);
    free(code);
    p = behind - 1;
  }
}

static void add_string(Reader *r, const char *from, const char *end, int line) {
  char *text = plain(from, end);
  add_code(r, from, end);
  if (!is_prose(text) || is_place(r->key)) {
    add_numbers(r, text);
    free(text);
    return;
  }
  LuaProse *prose = r->prose;
  ProseText made = {.text = text, .line = line, .part = r->part};
  snprintf(made.key, sizeof made.key, "%s", r->key);
  LS_PUSH(prose->texts, prose->text_count, prose->text_capacity, made);
}

// ---- code ----------------------------------------------------------------------------------------------------------

static bool begins(const char *p, const char *word) {
  size_t length = strlen(word);
  return strncmp(p, word, length) == 0 && !isalnum((unsigned char)p[length]);
}

// An item of a list of claims or rooms has no neighbors.
static bool begins_item(const char *p) {
  return strncmp(p, "  claim {", 9) == 0 || strncmp(p, "  room {", 8) == 0 || strncmp(p, "  card {", 8) == 0;
}

// At the first column something new begins. What only prepares a screen belongs to it.
static void note_statement(Reader *r) {
  static const char *const prepare[] = {"for", "while", "if", "hide", "show"};
  const char *p = r->at;
  if (p > r->start && p[-1] != '\n') return;
  if (begins_item(p)) r->part += 2, r->leads_up = true;
  if (!isalpha((unsigned char)*p) || begins(p, "end")) return;
  if (!r->leads_up) r->part++;
  bool local = begins(p, "local") && !begins(p, "local function");
  r->leads_up = local;
  for (int i = 0; i < LS_COUNT(prepare); i++) r->leads_up = r->leads_up || begins(p, prepare[i]);
  const char *name = p + strcspn(p, " \n") + 1;
  r->is_constant = local && isupper((unsigned char)*name) && !islower((unsigned char)name[1]);
}

static void read_string(Reader *r) {
  bool is_long = *r->at == '[';
  const char *from = r->at + 1 + is_long, *end = is_long ? strstr(from, "]]") : from;
  int line = r->line;
  while (!is_long && *end && *end != *r->at) end += 1 + (*end == '\\');
  if (!end) end = from + strlen(from);
  add_string(r, from, end, line);
  for (const char *p = from; p < end; p++) r->line += *p == '\n';
  r->at = *end ? end + 1 + is_long : end;
}

static void read_word(Reader *r) {
  size_t length = strspn(r->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  snprintf(r->word, sizeof r->word, "%.*s", (int)length, r->at);
  r->at += length;
}

static void read_number(Reader *r) {
  char *end;
  double value = strtod(r->at, &end);
  add_number(r, value, r->part);
  if (r->is_constant) add_number(r, value, CONSTANTS);
  r->at = end;
}

static void read_code(Reader *r) {
  if (isalpha((unsigned char)*r->at) || *r->at == '_') return read_word(r);
  if (isdigit((unsigned char)*r->at)) return read_number(r);
  if (*r->at == '=') snprintf(r->key, sizeof r->key, "%s", r->word);
  else if (strchr(",{", *r->at)) r->key[0] = 0;
  r->line += *r->at == '\n';
  r->at++;
}

bool lua_prose_read(LuaProse *prose, const char *path) {
  char *text = ls_file_read(path, 1 << 20, NULL, NULL);
  *prose = (LuaProse){0};
  Reader r = {.prose = prose, .start = text, .at = text, .line = 1};
  while (text && *r.at) {
    note_statement(&r);
    if (strncmp(r.at, "--", 2) == 0) r.at += strcspn(r.at, "\n");
    else if (*r.at == '"' || *r.at == '\'' || strncmp(r.at, "[[", 2) == 0) read_string(&r);
    else read_code(&r);
  }
  bool ok = text != NULL;
  free(text);
  return ok;
}

void lua_prose_free(LuaProse *prose) {
  for (int i = 0; i < prose->text_count; i++) free(prose->texts[i].text);
  free(prose->texts);
  free(prose->numbers);
}

bool lua_prose_knows(const LuaProse *prose, const ProseText *text, double value) {
  for (int i = 0; i < prose->number_count; i++) {
    const ProseNumber *number = &prose->numbers[i];
    if (number->value != value) continue;
    if (number->part == CONSTANTS || number->part == text->part || number->part == text->part - 1) return true;
  }
  return false;
}
