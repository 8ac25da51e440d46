// question_parse.c: an answer from what was typed.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/course/question.h"
#include "base/mem.h"

static bool parse_choice(const LessonQuestion *question, const char *text, double *value, LsErr *err) {
  int64_t number;
  for (int i = 0; i < question->option_count; i++) {
    bool letter = text[0] && !text[1] && tolower((unsigned char)text[0]) == 'a' + i;
    if (!letter && strcasecmp(text, question->options[i]) != 0) continue;
    *value = i;
    return true;
  }
  if (ls_parse_i64(text, &number) && number >= 1 && number <= question->option_count) {
    *value = (double)(number - 1);
    return true;
  }
  return ls_fail(err, LS_EREQUEST, "answer with a number from 1 to %d, or with the words of an option",
                 question->option_count);
}

// "50%" is 50, "1/4" is a quarter; thousands may be parted by commas.
static bool parse_number(const char *text, double *value, LsErr *err) {
  char plain[64];
  size_t length = 0;
  for (; *text && length < sizeof plain - 1; text++)
    if (*text != ',' && !isspace((unsigned char)*text)) plain[length++] = *text;
  plain[length] = 0;
  if (length && plain[length - 1] == '%') plain[length - 1] = 0;
  char *slash = strchr(plain, '/');
  double below = 1;
  if (slash) *slash = 0;
  bool ok = ls_parse_f64(plain, value) && (!slash || ls_parse_f64(slash + 1, &below));
  uint64_t hex;
  if (!ok && !slash && (ok = ls_parse_u64(plain, &hex))) *value = (double)hex;
  if (!ok || below == 0 || !isfinite(*value / below)) return ls_fail(err, LS_EREQUEST, "answer with a number");
  *value /= below;
  return true;
}

static bool parse_range(const char *text, uint32_t *mask) {
  char *end;
  long first = strtol(text, &end, 10), last = first;
  if (end == text) return false;
  if (*end == '-') {
    const char *second = end + 1;
    last = strtol(second, &end, 10);
    if (end == second) return false;
  }
  if (*end || first < 0 || last > 31 || first > last) return false;
  for (long lane = first; lane <= last; lane++) *mask |= 1u << lane;
  return true;
}

static bool parse_mask(const char *text, double *value, LsErr *err) {
  static const struct { const char *name; uint32_t mask; } words[] = {
      {"all", 0xffffffff}, {"none", 0}, {"even", 0x55555555}, {"odd", 0xaaaaaaaa}};
  for (int i = 0; i < LS_COUNT(words); i++)
    if (strcasecmp(text, words[i].name) == 0) {
      *value = (double)words[i].mask;
      return true;
    }
  uint64_t hex;
  if ((ls_starts_with(text, "0x") || ls_starts_with(text, "0X")) && ls_parse_u64(text, &hex) && hex <= UINT32_MAX) {
    *value = (double)hex;
    return true;
  }
  uint32_t mask = 0;
  char *copy = ls_strdup(text), *rest = copy, *part;
  bool ok = *text != 0;
  while (ok && (part = strsep(&rest, ", ")))
    if (*part) ok = parse_range(part, &mask);
  free(copy);
  *value = (double)mask;
  return ok || ls_fail(err, LS_EREQUEST,
                       "answer with lanes such as 0-15,31, with a mask such as 0x8000ffff, or all, none, even, odd");
}

static const char between[] = " ,;\t";

// Letters or numbers from 1, with or without blanks and commas: "ac", "a c", "1,3".
static bool parse_several(const LessonQuestion *question, const char *text, double *value, LsErr *err) {
  uint32_t bits = 0;
  bool word = strcasecmp(text, "none") == 0 || strcasecmp(text, "all") == 0, ok = *text != 0;
  for (const char *p = word ? "" : text; ok && *p; p++) {
    int index = isdigit((unsigned char)*p) ? *p - '1' : tolower((unsigned char)*p) - 'a';
    if (strchr(between, *p)) continue;
    ok = index >= 0 && index < question->option_count;
    if (ok) bits |= 1u << index;
  }
  if (word && tolower((unsigned char)*text) == 'a') bits = (1u << question->option_count) - 1;
  *value = (double)bits;
  return ok || ls_fail(err, LS_EREQUEST, "answer with the letters of all that are true, such as ac, or with none");
}

static bool takes_line(double *order, int place, int line, int count) {
  if (line < 1 || line > count || place >= count) return false;
  for (int before = 0; before < place; before++)
    if (question_line_at(*order, before) == line) return false;
  *order = question_with_line(*order, place, line);
  return true;
}

// Numbers of lines, each at most once: "3 1 2", or "312".
static bool parse_order(const LessonQuestion *question, const char *text, double *value, LsErr *err) {
  int places = 0, count = question->option_count;
  bool ok = true, parted = strpbrk(text, between) != NULL;
  double order = 0;
  while (ok && *text) {
    char *end = (char *)text + 1;
    long line = parted || count > 9 ? strtol(text, &end, 10) : *text - '0';
    ok = end > text && takes_line(&order, places++, line > 0 && line <= count ? (int)line : 0, count);
    text = end + strspn(end, between);
  }
  *value = order;
  if (ok && places >= (question->spare ? 1 : count)) return true;
  if (!question->spare)
    return ls_fail(err, LS_EREQUEST, "answer with the numbers of all %d lines in their order, each once", count);
  return ls_fail(err, LS_EREQUEST,
                 "answer with the numbers of the lines in their order, each once; leave out what belongs nowhere");
}

static bool parse_line(const LessonQuestion *question, const char *text, double *value, LsErr *err) {
  int64_t line;
  bool ok = ls_parse_i64(text, &line) && line >= 1 && line <= question->option_count;
  *value = ok ? (double)line : 0;
  return ok || ls_fail(err, LS_EREQUEST, "answer with the number of a line, from 1 to %d", question->option_count);
}

// Case and blanks do not count.
static bool is_same_text(const char *a, const char *b) {
  for (;; a++, b++) {
    while (isspace((unsigned char)*a)) a++;
    while (isspace((unsigned char)*b)) b++;
    if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) return false;
    if (!*a) return true;
  }
}

static bool parse_text(const LessonQuestion *question, const char *text, double *value, LsErr *err) {
  *value = -1;
  for (int i = question->option_count - 1; i >= 0; i--)
    if (is_same_text(text, question->options[i])) *value = i;
  return *text || ls_fail(err, LS_EREQUEST, "answer with a word or two");
}

static bool parse_any_number(const LessonQuestion *question, const char *text, double *value, LsErr *err) {
  (void)question;
  return parse_number(text, value, err);
}

static bool parse_lanes(const LessonQuestion *question, const char *text, double *value, LsErr *err) {
  (void)question;
  return parse_mask(text, value, err);
}

bool lesson_parse_answer(const LessonQuestion *question, const char *text, double *value, LsErr *err) {
  static bool (*const parse[])(const LessonQuestion *question, const char *text, double *value, LsErr *err) = {
      [QUESTION_CHOICE] = parse_choice, [QUESTION_NUMBER] = parse_any_number, [QUESTION_MASK] = parse_lanes,
      [QUESTION_SEVERAL] = parse_several, [QUESTION_ORDER] = parse_order, [QUESTION_LINE] = parse_line,
      [QUESTION_TEXT] = parse_text};
  while (isspace((unsigned char)*text)) text++;
  char *trimmed = ls_strdup(text);
  for (size_t n = strlen(trimmed); n && isspace((unsigned char)trimmed[n - 1]); n--) trimmed[n - 1] = 0;
  bool ok = parse[question->kind](question, trimmed, value, err);
  free(trimmed);
  return ok;
}
