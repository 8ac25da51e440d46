// test_prose.c: what lessons, their questions, claims and rooms say: numbers come out of the code beside them, and
// sentences are short.
#include <ctype.h>
#include <glob.h>
#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "lua_prose.h"

// ---- files ---------------------------------------------------------------------------------------------------------

typedef void Judge(const char *file, const LuaProse *prose);

// FILE=L06 judges those with it in their name.
static int each_file(const char *pattern, Judge *judge) {
  glob_t found = {0};
  char *path = ls_format("%s/lessons/%s", LS_SOURCE_DIR, pattern);
  const char *only = getenv("FILE");
  int read = 0;
  if (glob(path, 0, NULL, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; i++) {
      LuaProse prose;
      const char *file = strstr(found.gl_pathv[i], "/lessons/") + strlen("/lessons/");
      bool ok = lua_prose_read(&prose, found.gl_pathv[i]);
      CHECK(ok);
      if (!only || strstr(file, only)) judge(file, &prose);
      lua_prose_free(&prose);
      read++;
    }
    globfree(&found);
  }
  free(path);
  return read;
}

static void all_files(Judge *judge) {
  CHECK(each_file("L*.lua", judge) >= 10);
  CHECK(each_file("questions/*.lua", judge) >= 10);
  CHECK(each_file("claims/*.lua", judge) >= 5);
  CHECK(each_file("museum/*.lua", judge) >= 3);
}

// ---- numbers -------------------------------------------------------------------------------------------------------
// A number in a text is one of the code beside it: of a run or a model it would be filled in, and what a question sets
// out from stands in its code as well. Without that are
//   - names: digits beside a letter (fp32, L05), and which of several a word means: block 3, lanes 8 to 15
//   - 0, 1 and 2, which count as words do, and years
//   - what the machine is made of, with its unit (below)
//   - arithmetic in the text, if it is right: 22 x 256 = 5,632
//   - the lectures' own numbers: what a claim or a room of the museum says, held against ours beside it
//   - the few below

static const char *const named[] = {
    "bank", "bit", "block", "byte", "cell", "child", "column", "core", "cycle", "digit", "element", "GPU", "index", "lane",
    "launch", "letter", "level", "line", "number", "piece", "place", "round", "row", "sector", "SM", "step", "stream", "thread",
    "version", "warp", "word", "capability", "CUDA", "GTX", "Tesla",
};

typedef struct Constant { double value; const char *unit; } Constant;
static const Constant machine[] = {
    {32, ""}, {4, "byte"}, {8, "byte"}, {16, "byte"}, {128, "byte"}, {64, "bit"}, {1024, "thread"}, {100, "%"},
};

typedef struct Known { const char *file, *piece, *why; } Known;
static const Known known_otherwise[] = {
    {"L01_hello.lua", "Try n = 32, and n = 62.", "a tip: any two would do"},
};

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

// 1,024 or 2.5; the end of it. p: at its first digit.
static const char *read_number(const char *p, double *value) {
  *value = 0;
  for (; isdigit((unsigned char)*p) || (*p == ',' && isdigit((unsigned char)p[1]) && isdigit((unsigned char)p[2]) &&
                                        isdigit((unsigned char)p[3])); p++)
    if (*p != ',') *value = *value * 10 + (*p - '0');
  if (*p != '.' || !isdigit((unsigned char)p[1])) return p;
  double unit = 1;
  for (p++; isdigit((unsigned char)*p); p++) *value += (*p - '0') * (unit /= 10);
  return p;
}

// " and " at p, if one of them stands there: what is behind it.
static const char *behind_one(const char *p, const char *const *words, int count) {
  for (int i = 0; i < count; i++)
    if (strncmp(p, words[i], strlen(words[i])) == 0) return p + strlen(words[i]);
  return NULL;
}

// "lanes 8 to 15" at p: the end of it; else p.
static const char *behind_name(const char *p) {
  static const char *const parts[] = {", and ", ", ", " to ", " and ", " or ", "-"};
  double value;
  for (int i = 0; i < LS_COUNT(named); i++) {
    size_t length = strlen(named[i]);
    if (strncasecmp(p, named[i], length) != 0) continue;
    const char *at = p + length + (p[length] == 's');
    if (*at != ' ' || !isdigit((unsigned char)at[1])) continue;
    const char *end = read_number(at + 1, &value), *next;
    while ((next = behind_one(end, parts, LS_COUNT(parts))) && isdigit((unsigned char)*next)) end = read_number(next, &value);
    return end;
  }
  return p;
}

// "22 x 256 = 5,632" at p, if that is right: the end of it; else p.
static const char *behind_sum(const char *p) {
  static const char *const equals[] = {" = ", " is ", " are ", " makes "};
  double sum = 0, term, value, sign = 1;
  int terms = 1;
  const char *at = read_number(p, &term), *result;
  for (; at[0] == ' ' && strchr("x*/+-", at[1]) && at[2] == ' ' && isdigit((unsigned char)at[3]); terms++) {
    char op = at[1];
    at = read_number(at + 3, &value);
    if (op == 'x' || op == '*') term *= value;
    else if (op == '/') term /= value;
    else sum += sign * term, term = value, sign = op == '+' ? 1 : -1;
  }
  sum += sign * term;
  result = behind_one(at, equals, LS_COUNT(equals));
  if (terms == 1 || !result || !isdigit((unsigned char)*result)) return p;
  at = read_number(result, &value);
  return fabs(value - sum) <= 0.005 * fabs(sum) ? at : p;
}

static bool is_of_the_machine(double value, const char *behind) {
  behind += *behind == ' ';
  for (int i = 0; i < LS_COUNT(machine); i++)
    if (machine[i].value == value && strncmp(behind, machine[i].unit, strlen(machine[i].unit)) == 0) return true;
  return false;
}

static bool is_a_year(const char *from, const char *end, double value) {
  return end - from == 4 && value >= 1990 && value <= 2035;
}

static bool is_known_otherwise(const char *file, const ProseText *text, const char *at) {
  for (int i = 0; i < LS_COUNT(known_otherwise); i++) {
    const Known *known = &known_otherwise[i];
    const char *piece = strcmp(known->file, file) == 0 ? strstr(text->text, known->piece) : NULL;
    if (piece && at >= piece && at < piece + strlen(known->piece)) return true;
  }
  return false;
}

static void judge_number(const char *file, const LuaProse *prose, const ProseText *text, const char *at, const char *end,
                         double value) {
  if (value <= 2 && value == floor(value)) return;
  if (is_a_year(at, end, value) || is_of_the_machine(value, end) || lua_prose_knows(prose, text, value)) return;
  if (is_known_otherwise(file, text, at)) return;
  const char *from = at - text->text > 40 ? at - 40 : text->text;
  printf("\n%s:%d: %.*s is typed by hand, in '%.70s'", file, text->line, (int)(end - at), at, from);
  CHECK(false);
}

static void judge_numbers_of(const char *file, const LuaProse *prose, const ProseText *text) {
  for (const char *p = text->text; *p;) {
    bool begins = p == text->text || !is_word(p[-1]);
    const char *behind = begins && isalpha((unsigned char)*p) ? behind_name(p) : p;
    if (begins && isdigit((unsigned char)*p)) {
      double value;
      if ((behind = behind_sum(p)) == p) {
        behind = read_number(p, &value);
        if (!isalpha((unsigned char)*behind) && *behind != '_') judge_number(file, prose, text, p, behind, value);
      }
    }
    p = behind > p ? behind : p + 1;
  }
}

static bool is_quoted(const char *file, const ProseText *text) {
  return strcmp(text->key, "says") == 0 && (strncmp(file, "claims/", 7) == 0 || strncmp(file, "museum/", 7) == 0);
}

static void judge_numbers(const char *file, const LuaProse *prose) {
  for (int i = 0; i < prose->text_count; i++)
    if (!is_quoted(file, &prose->texts[i])) judge_numbers_of(file, prose, &prose->texts[i]);
}

static void numbers_come_from_code(void) { all_files(judge_numbers); }

// ---- sentences -----------------------------------------------------------------------------------------------------

static bool ends_sentence(const char *p) {
  if (*p == PARAGRAPH) return true;
  return strchr(".?!", *p) && (!p[1] || p[1] == ' ' || p[1] == PARAGRAPH);
}

static void judge_sentences(const char *file, const LuaProse *prose) {
  enum { MOST_WORDS = 30 };
  for (int i = 0; i < prose->text_count; i++) {
    const char *start = prose->texts[i].text;
    int words = 0;
    for (const char *p = start; *p; p++) {
      words += (isalnum((unsigned char)*p) || *p == '@') && (p == start || p[-1] == ' ' || p[-1] == PARAGRAPH);
      if (!ends_sentence(p) && p[1]) continue;
      if (getenv("PRINT")) printf("WORDS %d\n", words);
      if (words > MOST_WORDS) printf("\n%s:%d: %d words: %.*s", file, prose->texts[i].line, words, (int)(p + 1 - start), start);
      CHECK(words <= MOST_WORDS);
      start = p + 1;
      words = 0;
    }
  }
}

static void sentences_are_short(void) { all_files(judge_sentences); }

static const Check checks[] = {
    {"numbers come from code", numbers_come_from_code},
    {"sentences are short", sentences_are_short},
};

int main(int argc, char **argv) { return check_main("prose", checks, LS_COUNT(checks), argc, argv); }
