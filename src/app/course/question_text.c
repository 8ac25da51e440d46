// question_text.c: an answer as text: in words, and as it is typed.
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "app/course/question.h"
#include "base/mem.h"
#include "model/sentence.h"

static void mask_text(uint32_t mask, LsText *out) {
  ls_text_addf(out, "0x%08" PRIx32 ", ", mask);
  if (mask) sentence_lanes(mask, out);
  else ls_text_add(out, "no lane");
}

static void several_text(const LessonQuestion *question, double value, LsText *out) {
  uint32_t bits = (uint32_t)value;
  for (int i = 0, count = 0; i < question->option_count; i++)
    if (bits >> i & 1) ls_text_addf(out, "%s%c", count++ ? ", " : "", 'a' + i);
  if (!bits) ls_text_add(out, "none");
}

static void order_text(double value, LsText *out) {
  for (int place = 0; place < QUESTION_LINES && question_line_at(value, place); place++)
    ls_text_addf(out, "%s%d", place ? " " : "", question_line_at(value, place));
}

static void line_text(const LessonQuestion *question, int line, LsText *out) {
  ls_text_addf(out, "line %d", line);
  if (line < 1 || line > question->option_count) return;
  const char *source = question->options[line - 1];
  while (isspace((unsigned char)*source)) source++;
  ls_text_addf(out, ": %s", source);
}

static void number_text(const LessonQuestion *question, double value, LsText *out) {
  const char *unit = question->unit ? question->unit : "";
  // 33.3 for a third of 100
  ls_text_addf(out, value == nearbyint(value) || fabs(value) >= 100 ? "%.6g" : "%.3g", value);
  if (*unit && *unit != '%') ls_text_add(out, " ");
  ls_text_add_unit(out, value == 1, unit);
}

void lesson_answer_text(const LessonQuestion *question, double value, LsText *out) {
  int option = (int)value;
  bool known = option >= 0 && option < question->option_count;
  switch (question->kind) {
    case QUESTION_CHOICE:
      if (known) ls_text_addf(out, "%c) %s", 'a' + option, question->options[option]);
      break;
    case QUESTION_NUMBER: number_text(question, value, out); break;
    case QUESTION_MASK: mask_text((uint32_t)value, out); break;
    case QUESTION_SEVERAL: several_text(question, value, out); break;
    case QUESTION_ORDER: order_text(value, out); break;
    case QUESTION_LINE: line_text(question, option, out); break;
    case QUESTION_TEXT: ls_text_add(out, known ? question->options[option] : "another text"); break;
  }
}

// 0-3,7
static void type_lanes(uint32_t mask, LsText *out) {
  bool some = false;
  for (int lane = 0; lane < 32; lane++) {
    if (!(mask >> lane & 1)) continue;
    int first = lane;
    while (lane < 31 && mask >> (lane + 1) & 1) lane++;
    ls_text_addf(out, "%s%d", some ? "," : "", first);
    if (lane > first) ls_text_addf(out, "%c%d", lane > first + 1 ? '-' : ',', lane);
    some = true;
  }
  if (!some) ls_text_add(out, "none");
}

// 1 3
static void type_several(uint32_t bits, LsText *out) {
  for (int i = 0, count = 0; i < QUESTION_OPTIONS; i++)
    if (bits >> i & 1) ls_text_addf(out, "%s%d", count++ ? " " : "", i + 1);
  if (!bits) ls_text_add(out, "none");
}

void question_typed(const LessonQuestion *question, double value, LsText *out) {
  switch (question->kind) {
    case QUESTION_MASK: type_lanes((uint32_t)value, out); break;
    case QUESTION_CHOICE: ls_text_addf(out, "%d", (int)value + 1); break;
    case QUESTION_LINE: ls_text_addf(out, "%d", (int)value); break;
    case QUESTION_NUMBER: ls_text_addf(out, "%.15g", value); break;
    case QUESTION_SEVERAL: type_several((uint32_t)value, out); break;
    default: lesson_answer_text(question, value, out);
  }
}
