// marks.c: answers held against a paper, and the ticks of open questions.
#include "app/exam/marks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { MINUTE = 60 * 1000, GRACE = 2000, CODE_DIGITS = 32, FILE_LIMIT = 65536 };
static const char heading[] = "lanescope exam ticks 1";

// ---- marks ---------------------------------------------------------------------------------------------------------

static int count_bits(uint32_t bits) {
  int count = 0;
  for (; bits; bits &= bits - 1) count++;
  return count;
}

static void mark_open(const LessonWriting *writing, const ExamTicks *ticks, int item, Mark *mark) {
  bool ticked = ticks && ticks->given[item];
  mark->verdict = ticked ? MARK_TICKED : MARK_OPEN;
  if (ticked) mark->points = (double)count_bits(ticks->points[item]) / LS_MAX(writing->point_count, 1);
}

static void mark_answer(const PaperQuestion *asked, const ExamAnswer *answer, const ExamTicks *ticks, Mark *mark) {
  double value = 0;
  *mark = (Mark){.at = answer->at};
  if (!answer->text) return;
  if (asked->step.writing) return mark_open(asked->step.writing, ticks, asked->item, mark);
  bool right = lesson_parse_answer(&asked->step.question, answer->text, &value, NULL) &&
               question_is_right(&asked->step.question, value);
  mark->verdict = right ? MARK_RIGHT : MARK_WRONG;
  mark->points = right;
}

static bool fits(const Exam *exam, const ExamPaper *paper, const ExamResult *result, LsErr *err) {
  if (!ls_digest_same(&paper->digest, &result->paper))
    return ls_fail(err, LS_EREQUEST, "it was taken with lanescope %s, which asks other questions than this one, %s: "
                   "mark it with that one", result->version, LS_VERSION);
  for (int i = 0; i < exam->count; i++)
    if (result->answers[i].at > (int64_t)exam->minutes * MINUTE + GRACE)
      return ls_fail(err, LS_EREQUEST, "an answer came after the end of the time");
  return true;
}

bool marks_of(const Exam *exam, const ExamPaper *paper, const ExamResult *result, const ExamTicks *ticks,
              ExamMarks *marks, LsErr *err) {
  *marks = (ExamMarks){.of = exam->count};
  if (!fits(exam, paper, result, err)) return false;
  for (int place = 0; place < paper->count; place++) {
    const PaperQuestion *asked = &paper->questions[place];
    Mark *mark = &marks->items[asked->item];
    mark_answer(asked, &result->answers[asked->item], ticks, mark);
    marks->points += mark->points;
    marks->answered += mark->verdict != MARK_NONE;
    marks->open += mark->verdict == MARK_OPEN;
  }
  return true;
}

// ---- ticks ---------------------------------------------------------------------------------------------------------

char *ticks_path(const char *result_path) { return ls_format("%s.ticks", result_path); }

// The code of a line: of the word, the exam, the ID, and the text that was ticked.
static void code_of(const Exam *exam, const LsDigest *master, const ExamResult *result, int item, const char *line,
                    char out[CODE_DIGITS + 1]) {
  char sum[LS_DIGEST_HEX], hex[LS_DIGEST_HEX];
  const char *text = result->answers[item].text ? result->answers[item].text : "";
  ls_digest_hex(&exam->sum, sum);
  char *label = ls_format("ticks %s %s %s\n%s", sum, result->who, line, text);
  LsDigest code = ls_hmac_text(master, label);
  ls_digest_hex(&code, hex);
  snprintf(out, CODE_DIGITS + 1, "%.*s", CODE_DIGITS, hex);
  free(label);
}

static void line_of(const ExamTicks *ticks, int item, LsText *line) {
  ls_text_clear(line);
  ls_text_addf(line, "%d %d", item + 1, count_bits(ticks->points[item]));
  for (int point = 0; point < WRITING_POINTS; point++)
    if (ticks->points[item] >> point & 1) ls_text_addf(line, " %d", point + 1);
}

void ticks_text(const Exam *exam, const LsDigest *master, const ExamResult *result, const ExamTicks *ticks,
                LsText *out) {
  LsText line = {0};
  ls_text_addf(out, "%s\n", heading);
  for (int item = 0; item < exam->count; item++) {
    char code[CODE_DIGITS + 1];
    if (!ticks->given[item]) continue;
    line_of(ticks, item, &line);
    code_of(exam, master, result, item, ls_text_str(&line), code);
    ls_text_addf(out, "%s %s\n", code, ls_text_str(&line));
  }
  ls_text_free(&line);
}

static bool read_points(const char *text, uint32_t *points) {
  int count = 0, at = 0;
  if (sscanf(text, "%d%n", &count, &at) != 1) return false;
  for (*points = 0; count > 0; count--) {
    int point = 0, used = 0;
    if (sscanf(text + at, "%d%n", &point, &used) != 1 || point < 1 || point > WRITING_POINTS) return false;
    *points |= 1u << (point - 1);
    at += used;
  }
  return !text[at];
}

static bool read_line(const Exam *exam, const LsDigest *master, const ExamResult *result, const char *line,
                      ExamTicks *ticks) {
  char code[CODE_DIGITS + 1];
  int item = 0, at = 0;
  if (strlen(line) < CODE_DIGITS + 2 || sscanf(line + CODE_DIGITS, " %d%n", &item, &at) != 1) return false;
  if (item < 1 || item > exam->count) return false;
  code_of(exam, master, result, item - 1, line + CODE_DIGITS + 1, code);
  ticks->given[item - 1] = memcmp(code, line, CODE_DIGITS) == 0;
  return ticks->given[item - 1] && read_points(line + CODE_DIGITS + at, &ticks->points[item - 1]);
}

bool ticks_read(const Exam *exam, const LsDigest *master, const ExamResult *result, const char *path, ExamTicks *ticks,
                LsErr *err) {
  *ticks = (ExamTicks){0};
  if (!ls_file_exists(path)) return true;
  char *text = ls_file_read(path, FILE_LIMIT, NULL, err), *rest = text, *line;
  bool ok = text != NULL;
  for (int number = 1; ok && (line = strsep(&rest, "\n")) != NULL && (*line || rest); number++) {
    ok = number == 1 ? strcmp(line, heading) == 0 : read_line(exam, master, result, line, ticks);
    if (!ok) ls_fail_at(err, LS_EFORMAT, path, number, 0,
                        "this line was changed, or its text was: remove the file and tick once more");
  }
  free(text);
  return ok;
}
