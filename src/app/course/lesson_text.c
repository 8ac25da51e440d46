// lesson_text.c: questions and steps as text: what was typed, what is printed.
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/course/lesson.h"
#include "base/mem.h"

// ---- answers ------------------------------------------------------------------------------------------------------

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

// ---- text ---------------------------------------------------------------------------------------------------------

bool lesson_span(const char **text, const char **start, int *length, int *style) {
  const char *at = *text;
  if (!*at) return false;
  *style = 0;
  if (*at == '`' || *at == '*') {
    const char *end = strchr(at + 1, *at), *newline = strchr(at + 1, '\n');
    bool spaced = *at == '*' && (at[1] == ' ' || at[1] == 0);       // a multiplication sign
    if (end && end > at + 1 && !spaced && (!newline || end < newline)) {
      *style = *at == '`' ? 1 : 2;
      *start = at + 1;
      *length = (int)(end - at - 1);
      *text = end + 1;
      return true;
    }
    at++;
  }
  at += strcspn(at, "`*");
  *start = *text;
  *length = (int)(at - *text);
  *text = at;
  return true;
}

static void add_plain(const char *text, LsText *out) {
  const char *start;
  int length, style;
  while (text && lesson_span(&text, &start, &length, &style)) ls_text_addn(out, start, (size_t)length);
}

static void print_tips(const char *const *tips, int count, LsText *out) {
  for (int i = 0; i < count; i++) {
    ls_text_add(out, "tip: ");
    add_plain(tips[i], out);
    ls_text_add(out, "\n");
  }
}

static void print_asked(const LessonStep *step, LsText *out) {
  const LessonQuestion *question = &step->question;
  ls_text_add(out, "? ");
  add_plain(question->prompt, out);
  ls_text_add(out, "\n");
  for (int i = 0; i < question->option_count; i++) {
    ls_text_addf(out, "  %c) ", 'a' + i);
    add_plain(question->options[i], out);
    ls_text_add(out, "\n");
  }
  print_tips(question->tips, step->tips_shown, out);
}

static void print_answer(const LessonStep *step, LsText *out) {
  const LessonQuestion *question = &step->question;
  if (step->answered) {
    ls_text_add(out, "answer: ");
    lesson_answer_text(question, step->given, out);
    ls_text_add(out, step->right ? " (right)\n" : " (no)\n");
  }
  if ((step->answered && !step->right) || step->skipped) {
    ls_text_add(out, "it is: ");
    lesson_answer_text(question, question->answer, out);
    ls_text_add(out, "\n");
  }
  if ((step->answered || step->skipped) && *question->because) {
    add_plain(question->because, out);
    ls_text_add(out, "\n");
  }
}

static void print_goal(const LessonStep *step, LsText *out) {
  ls_text_add(out, "goal: ");
  add_plain(step->goal.wanted, out);
  ls_text_add(out, "\n");
  print_tips(step->goal.tips, step->tips_shown, out);
}

static void print_reached(const LessonStep *step, LsText *out) {
  const LessonGoal *goal = &step->goal;
  if (step->note[0]) ls_text_addf(out, "%s\n", step->note);
  if (step->answered) ls_text_add(out, "reached\n");
  if (!step->skipped) return;
  ls_text_add(out, "one solution:");
  for (int i = 0; i < goal->solution_count; i++) ls_text_addf(out, " %s", goal->solution[i]);
  ls_text_add(out, "\n");
}

void lesson_print_text(const LessonStep *step, LsText *out) {
  ls_text_addf(out, "== %s: ", lesson_kind_name(step->kind));
  add_plain(step->title, out);
  ls_text_add(out, "\n");
  add_plain(step->text, out);
  if (step->text && *step->text) ls_text_add(out, "\n");
}

static void print_work(const LessonStep *step, LsText *out) {
  work_print_code(step->work, out);
  if (*step->goal.wanted) print_goal(step, out);
  work_print_options(step->work, out);
}

static void print_worked(const LessonStep *step, LsText *out) {
  work_print_result(step->work, out);
  if (step->skipped && !step->answered) ls_text_addf(out, "one way:\n%s\n", step->work->answers[0].text);
  if (!lesson_waits(step) && *step->work->because) {
    add_plain(step->work->because, out);
    ls_text_add(out, "\n");
  }
}

void lesson_print_question(const LessonStep *step, LsText *out) {
  if (lesson_asks(step)) print_asked(step, out);
  if (step->kind == LESSON_TRY) print_goal(step, out);
  if (step->work) print_work(step, out);
}

void lesson_print_verdict(const LessonStep *step, LsText *out) {
  if (lesson_asks(step)) print_answer(step, out);
  if (step->kind == LESSON_TRY) print_reached(step, out);
  if (step->work) print_worked(step, out);
}

void lesson_print_step(const LessonStep *step, LsText *out) {
  lesson_print_text(step, out);
  lesson_print_question(step, out);
  lesson_print_verdict(step, out);
}
