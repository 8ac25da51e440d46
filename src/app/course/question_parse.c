// question_parse.c: an answer from what was typed, and as text.
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/course/question.h"
#include "base/mem.h"
#include "model/sentence.h"

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

bool lesson_parse_answer(const LessonQuestion *question, const char *text, double *value, LsErr *err) {
  while (isspace((unsigned char)*text)) text++;
  char *trimmed = ls_strdup(text);
  for (size_t n = strlen(trimmed); n && isspace((unsigned char)trimmed[n - 1]); n--) trimmed[n - 1] = 0;
  bool ok = question->kind == QUESTION_CHOICE   ? parse_choice(question, trimmed, value, err)
            : question->kind == QUESTION_NUMBER ? parse_number(trimmed, value, err)
                                                : parse_mask(trimmed, value, err);
  free(trimmed);
  return ok;
}

static void mask_text(uint32_t mask, LsText *out) {
  ls_text_addf(out, "0x%08" PRIx32 ", ", mask);
  if (mask) sentence_lanes(mask, out);
  else ls_text_add(out, "no lane");
}

void lesson_answer_text(const LessonQuestion *question, double value, LsText *out) {
  if (question->kind == QUESTION_MASK) {
    mask_text((uint32_t)value, out);
  } else if (question->kind == QUESTION_CHOICE) {
    int i = (int)value;
    if (i >= 0 && i < question->option_count) ls_text_addf(out, "%c) %s", 'a' + i, question->options[i]);
  } else {
    const char *unit = question->unit ? question->unit : "";
    // 1 branch, 1 sector, 2 sectors
    int ending = value != 1 ? 0 : ls_ends_with(unit, "ches") ? 2 : ls_ends_with(unit, "s");
    // 33.3 for a third of 100
    ls_text_addf(out, value == nearbyint(value) || fabs(value) >= 100 ? "%.6g" : "%.3g", value);
    ls_text_addf(out, "%s%.*s", *unit && *unit != '%' ? " " : "", (int)strlen(unit) - ending, unit);
  }
}
