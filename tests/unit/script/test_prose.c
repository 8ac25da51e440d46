// test_prose.c: what lessons, their questions, claims and rooms say: numbers come out of the code beside them, and
// sentences are short.
#include <ctype.h>
#include <glob.h>
#include <math.h>
#include <strings.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "lua_prose.h"

// ---- files ---------------------------------------------------------------------------------------------------------

typedef int Judge(const char *file, const LuaProse *prose);   // how much is wrong, each told

// FILE=L06 judges those with it in their name.
static void each_file(const char *pattern, int least, Judge *judge) {
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
      if (!only || strstr(file, only)) CHECK_INT(judge(file, &prose), 0);
      lua_prose_free(&prose);
      read++;
    }
    globfree(&found);
  }
  free(path);
  CHECK(read >= least);
}

static void all_files(Judge *judge) {
  each_file("L*.lua", 10, judge);
  each_file("questions/*.lua", 10, judge);
  each_file("claims/*.lua", 5, judge);
  each_file("museum/*.lua", 3, judge);
}

// ---- numbers -------------------------------------------------------------------------------------------------------
// A number in a text is one of the code beside it: of a run or a model it would be filled in, and what a question
// sets out from stands in its code as well. Without that are
//   - names: digits beside a letter (fp32, L05), and which of several a word means: block 3, lanes 8 to 15
//   - 0, 1 and 2, which count as words do, and years
//   - what the machine is made of, with its unit (below)
//   - arithmetic in the text, if it is right: 22 x 256 = 5,632; a row that anybody could go on with: 4, 8, 16
//   - the lectures' own numbers: what a claim or a room of the museum says, held against ours beside it, and cards
//     of the museum, where nothing runs
//   - the few below

static const char *const named[] = {
    "bank", "bit", "block", "byte", "cell", "child", "column", "core", "cycle", "digit", "element", "entry", "GPU",
    "index", "lane", "launch", "letter", "level", "line", "number", "piece", "place", "point", "round", "row",
    "sector", "SM", "step", "stream", "thread", "version", "warp", "word", "capability", "CUDA", "GTX", "Tesla",
};

typedef struct Constant { double value; const char *unit; } Constant;
static const Constant machine[] = {
    {32, ""}, {4, "byte"}, {8, "byte"}, {16, "byte"}, {128, "byte"}, {64, "bit"}, {1024, "thread"}, {100, "%"},
};

typedef struct Known { const char *file, *piece, *why; } Known;
static const Known known_otherwise[] = {
    {"L01_hello.lua", "Try n = 32, and n = 62.", "a tip: any two would do"},
    {"museum/indices.lua", "4 times", "an answer: 32 / 8, of the sizes in the text"},
};

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '^'; }

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
    while ((next = behind_one(end, parts, LS_COUNT(parts))) && isdigit((unsigned char)*next))
      end = read_number(next, &value);
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

// "4, 8 or 16" at p, three numbers or more that go on alike: the end of it; else p.
static const char *behind_row(const char *p) {
  static const char *const parts[] = {", and ", ", ... ", ", ", " and ", " or "};
  double one, two, next;
  const char *at = behind_one(read_number(p, &one), parts, LS_COUNT(parts));
  if (!at || !isdigit((unsigned char)*at)) return p;
  at = read_number(at, &two);
  double step = two - one, times = one ? two / one : 0;
  int count = 2;
  for (const char *more; (more = behind_one(at, parts, LS_COUNT(parts))) && isdigit((unsigned char)*more); count++) {
    const char *end = read_number(more, &next);
    if (next != two + step && next != two * times) break;
    step = next == two + step ? step : NAN;
    two = next;
    at = end;
  }
  return count >= 3 ? at : p;
}

static bool is_of_the_machine(double value, const char *behind) {
  behind += *behind == ' ';
  for (int i = 0; i < LS_COUNT(machine); i++)
    if (machine[i].value == value && strncmp(behind, machine[i].unit, strlen(machine[i].unit)) == 0) return true;
  return false;
}

static bool is_a_year(const char *from, const char *end, double value) {
  return end - from == 4 && value >= 1950 && value <= 2035;
}

static bool is_known_otherwise(const char *file, const ProseText *text, const char *at) {
  for (int i = 0; i < LS_COUNT(known_otherwise); i++) {
    const Known *known = &known_otherwise[i];
    const char *piece = strcmp(known->file, file) == 0 ? strstr(text->text, known->piece) : NULL;
    if (piece && at >= piece && at < piece + strlen(known->piece)) return true;
  }
  return false;
}

static bool is_quoted(const char *file, const ProseText *text) {
  if (strcmp(file, "museum/cards.lua") == 0) return true;
  return strcmp(text->key, "says") == 0 && (strncmp(file, "claims/", 7) == 0 || strncmp(file, "museum/", 7) == 0);
}

// What a room sets out from stands in what it quotes.
static bool is_in_quotation(const char *file, const LuaProse *prose, const ProseText *text, double value) {
  for (int i = 0; i < prose->text_count; i++) {
    const ProseText *other = &prose->texts[i];
    if (other->part != text->part || !is_quoted(file, other)) continue;
    double number;
    for (const char *p = other->text; *p; p++)
      if (isdigit((unsigned char)*p) && (p == other->text || !is_word(p[-1])) &&
          (read_number(p, &number), number == value))
        return true;
  }
  return false;
}

static int judge_number(const char *file, const LuaProse *prose, const ProseText *text, const char *at, const char *end,
                        double value) {
  if (value <= 2 && value == floor(value)) return 0;
  if (is_a_year(at, end, value) || is_of_the_machine(value, end) || lua_prose_knows(prose, text, value)) return 0;
  if (is_in_quotation(file, prose, text, value) || is_known_otherwise(file, text, at)) return 0;
  const char *from = at - text->text > 40 ? at - 40 : text->text;
  if (*file) printf("\n%s:%d: %.*s is typed by hand, in '%.70s'", file, text->line, (int)(end - at), at, from);
  return 1;
}

static int judge_text(const char *file, const LuaProse *prose, const ProseText *text) {
  int typed = 0;
  for (const char *p = text->text; *p;) {
    bool begins = p == text->text || !is_word(p[-1]);
    const char *behind = begins && isalpha((unsigned char)*p) ? behind_name(p) : p;
    if (begins && isdigit((unsigned char)*p)) {
      double value;
      if ((behind = behind_sum(p)) == p && (behind = behind_row(p)) == p) {
        behind = read_number(p, &value);
        if (!isalpha((unsigned char)*behind) && *behind != '_')
          typed += judge_number(file, prose, text, p, behind, value);
      }
    }
    p = behind > p ? behind : p + 1;
  }
  return typed;
}

static int judge_numbers(const char *file, const LuaProse *prose) {
  int typed = 0;
  for (int i = 0; i < prose->text_count; i++)
    if (!is_quoted(file, &prose->texts[i])) typed += judge_text(file, prose, &prose->texts[i]);
  return typed;
}

static void numbers_come_from_code(void) { all_files(judge_numbers); }

// What is told, and what is not.
static void typed_numbers_are_told(void) {
  static const struct { const char *lua; int typed; } samples[] = {
      {"say { [[It takes 17 turns.]] }", 1},
      {"-- 17\nsay { title = 'In 17 turns', [[No more.]] }", 1},
      {"say { [[It takes {n} turns.]], n = run.steps }", 0},
      {"say { [[It takes 17 turns.]], n = 17 }", 0},
      {"local r = measure { params = { s = 17 } }\nsay { [[It takes 17 turns.]] }", 0},
      {"local TURNS = 17\nsay {}\nsay {}\nsay {}\nsay { [[It takes 17 turns.]] }", 0},
      {"local turns = 17\nsay {}\nsay {}\nsay {}\nsay { [[It takes 17 turns.]] }", 1},
      {"say { [[In 2008 lanes 8 to 15 of block 31 read fp32 and L17.]] }", 0},
      {"say { [[All 32 lanes read 4 bytes, 4 turns.]] }", 1},
      {"say { [[That is 3 x 17 = 51 words.]] }", 0},
      {"say { [[That is 3 x 17 = 52 words.]] }", 3},
      {"say { [[Groups of 4, 8 and 16.]] }", 0},
      {"say { [[Groups of 4, 9 and 17.]] }", 3},
      {"say { [[It runs `f<<<4, 256>>>`: 4 blocks of 256.]] }", 0},
      {"say { options = { '17', '19' }, [[Is it 17 or 23?]] }", 1},
  };
  for (int i = 0; i < LS_COUNT(samples); i++) {
    char folder[256];
    CHECK(check_folder(folder, sizeof folder));
    char *path = ls_path_join(folder, "sample.lua");
    CHECK(ls_file_write(path, samples[i].lua, strlen(samples[i].lua), NULL));
    LuaProse prose;
    CHECK(lua_prose_read(&prose, path));
    int typed = judge_numbers("", &prose);
    if (typed != samples[i].typed) printf("\n%s\n", samples[i].lua);
    CHECK_INT(typed, samples[i].typed);
    lua_prose_free(&prose);
    unlink(path);
    rmdir(folder);
    free(path);
  }
}

// ---- sentences -----------------------------------------------------------------------------------------------------

static bool ends_sentence(const char *p) {
  if (*p == PARAGRAPH) return true;
  return strchr(".?!", *p) && (!p[1] || p[1] == ' ' || p[1] == PARAGRAPH);
}

static int judge_sentences(const char *file, const LuaProse *prose) {
  enum { MOST_WORDS = 22 };        // half of the sentences have six at most, one in a hundred has more than 20
  int long_ones = 0;
  for (int i = 0; i < prose->text_count; i++) {
    const char *start = prose->texts[i].text;
    int words = 0;
    for (const char *p = start; *p; p++) {
      words += (isalnum((unsigned char)*p) || *p == '@') && (p == start || p[-1] == ' ' || p[-1] == PARAGRAPH);
      if (!ends_sentence(p) && p[1]) continue;
      if (words > MOST_WORDS)
        printf("\n%s:%d: %d words: %.*s", file, prose->texts[i].line, words, (int)(p + 1 - start), start);
      long_ones += words > MOST_WORDS;
      start = p + 1;
      words = 0;
    }
  }
  return long_ones;
}

static void sentences_are_short(void) { all_files(judge_sentences); }

static const Check checks[] = {
    {"typed numbers are told", typed_numbers_are_told},
    {"numbers come from code", numbers_come_from_code},
    {"sentences are short", sentences_are_short},
};

int main(int argc, char **argv) { return check_main("prose", checks, LS_COUNT(checks), argc, argv); }
