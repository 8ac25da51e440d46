// result.c: lines of a result with their codes, written and read.
#include "app/exam/result.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"

enum { FORMAT = 1, CODE_DIGITS = 32, FILE_LIMIT = 8 << 20 };
static const char heading[] = "lanescope exam result";

// ---- time ----------------------------------------------------------------------------------------------------------

static int64_t milliseconds(clockid_t which) {
  struct timespec time = {0};
  clock_gettime(which, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

void exam_time_now(ExamTime *now) {
  *now = (ExamTime){.wall = milliseconds(CLOCK_REALTIME), .since_boot = milliseconds(CLOCK_BOOTTIME), .boot = "-"};
  FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
  if (file && fscanf(file, "%39s", now->boot) != 1) snprintf(now->boot, sizeof now->boot, "-");
  if (file) fclose(file);
}

int64_t exam_clock_gone(const ExamClock *clock, const ExamTime *now) {
  int64_t wall = now->wall - clock->from.wall, boot = 0;
  if (strcmp(now->boot, clock->from.boot) == 0) boot = now->since_boot - clock->from.since_boot;
  return clock->gone + LS_MAX(LS_MAX(wall, boot), 0);
}

// ---- codes ---------------------------------------------------------------------------------------------------------

static LsDigest key_of(const Exam *exam, const char *who) {
  char hex[LS_DIGEST_HEX];
  ls_digest_hex(&exam->sum, hex);
  char *label = ls_format("result %s %s", hex, who);
  LsDigest key = ls_hmac_text(&exam->chain, label);
  free(label);
  return key;
}

static LsDigest next_code(const ExamResult *result, const char *line) {
  char hex[LS_DIGEST_HEX];
  ls_digest_hex(&result->code, hex);
  char *chained = ls_format("%s %s", hex, line);
  LsDigest code = ls_hmac_text(&result->key, chained);
  free(chained);
  return code;
}

static void put(ExamResult *result, int64_t gone, const char *rest, LsText *out) {
  char hex[LS_DIGEST_HEX];
  char *line = ls_format("%" PRId64 " %s", gone, rest);
  result->code = next_code(result, line);
  result->gone = gone;
  result->lines++;
  ls_digest_hex(&result->code, hex);
  size_t before = out->length;
  ls_text_addf(out, "%.*s %s\n", CODE_DIGITS, hex, line);
  result->whole += out->length - before;
  free(line);
}

// Crockford's letters, without those that look like others.
void result_receipt(const ExamResult *result, char out[RESULT_RECEIPT]) {
  static const char letters[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  LsDigest digest = ls_hmac_text(&result->code, "receipt");
  uint64_t bits = 0;
  for (int i = 0; i < 8; i++) bits = bits << 8 | digest.bytes[i];
  int at = 0;
  for (int i = 0; i < 12; i++) {
    if (i && i % 4 == 0) out[at++] = '-';
    out[at++] = letters[bits >> (59 - 5 * i) & 31];
  }
  out[at] = 0;
}

// ---- writing -------------------------------------------------------------------------------------------------------

// A text in one line.
static void escape(const char *text, LsText *out) {
  for (; *text; text++) {
    if (*text == '\n') ls_text_add(out, "\\n");
    else if (*text == '\\') ls_text_add(out, "\\\\");
    else ls_text_addc(out, (unsigned char)*text >= ' ' ? *text : ' ');
  }
}

static char *unescaped(const char *text) {
  LsText out = {0};
  for (; *text; text++) {
    bool escaped = *text == '\\' && text[1];
    if (escaped) text++;
    ls_text_addc(&out, escaped && *text == 'n' ? '\n' : *text);
  }
  return out.data ? ls_text_take(&out) : ls_strdup("");
}

static void put_time(ExamResult *result, int64_t gone, const char *before, const ExamTime *now, LsText *out) {
  char *rest = ls_format("%s %" PRId64 " %" PRId64 " %s", before, now->wall, now->since_boot, now->boot);
  put(result, gone, rest, out);
  result->clock = (ExamClock){*now, gone};
  free(rest);
}

void result_begin(const Exam *exam, const char *who, const LsDigest *paper, const ExamTime *now, ExamResult *result,
                  LsText *out) {
  char sum[LS_DIGEST_HEX], hex[LS_DIGEST_HEX];
  *result = (ExamResult){.paper = *paper, .begun = now->wall, .key = key_of(exam, who), .lines = 1};
  snprintf(result->who, sizeof result->who, "%s", who);
  snprintf(result->version, sizeof result->version, "%s", LS_VERSION);
  ls_text_addf(out, "%s %d\n", heading, FORMAT);
  result->whole = out->length;
  ls_digest_hex(&exam->sum, sum);
  ls_digest_hex(paper, hex);
  char *rest = ls_format("begin %s %s %s %s", sum, who, hex, LS_VERSION);
  put_time(result, 0, rest, now, out);
  free(rest);
}

void result_resume(ExamResult *result, const ExamTime *now, bool again, LsText *out) {
  int64_t gone = LS_MAX(exam_clock_gone(&result->clock, now), result->gone);
  put_time(result, gone, again ? "again" : "resume", now, out);
  result->resumes++;
  result->again = result->again || again;
}

static void keep(ExamResult *result, int item, const char *text, int64_t at) {
  ExamAnswer *answer = &result->answers[item];
  result->changes += answer->text != NULL;
  free(answer->text);
  *answer = (ExamAnswer){text ? ls_strdup(text) : NULL, at};
}

void result_answer(ExamResult *result, int item, const char *text, int64_t gone, LsText *out) {
  LsText rest = {0};
  ls_text_addf(&rest, "%s %d%s", text ? "answer" : "clear", item + 1, text ? " " : "");
  if (text) escape(text, &rest);
  put(result, gone, ls_text_str(&rest), out);
  keep(result, item, text, gone);
  ls_text_free(&rest);
}

void result_end(ExamResult *result, ResultEnd end, int64_t gone, LsText *out) {
  put(result, gone, end == RESULT_TIME ? "end time" : "end handed", out);
  result->end = end;
}

// ---- reading -------------------------------------------------------------------------------------------------------

typedef struct Reader { const Exam *exam; const char *path; ExamResult *result; LsErr *err; } Reader;

static int changed(const Reader *r, const char *what) {
  ls_fail_at(r->err, LS_EFORMAT, r->path, r->result->lines + 1, 0, "%s", what);
  return RESULT_CHANGED;
}

// The code of a line as it should be, against the digits that are there.
static bool has_code(const Reader *r, const char *line, LsDigest *code) {
  char hex[LS_DIGEST_HEX];
  if (strlen(line) <= CODE_DIGITS || line[CODE_DIGITS] != ' ') return false;
  *code = next_code(r->result, line + CODE_DIGITS + 1);
  ls_digest_hex(code, hex);
  return memcmp(hex, line, CODE_DIGITS) == 0;
}

static bool read_time(const char *text, ExamTime *time) {
  return sscanf(text, "%" SCNd64 " %" SCNd64 " %39s", &time->wall, &time->since_boot, time->boot) == 3;
}

static int read_begin(const Reader *r, const char *line) {
  char sum[80], who[80], paper[80], given[EXAM_ID + 1], known[LS_DIGEST_HEX];
  int at = 0;
  ExamResult *result = r->result;
  ls_digest_hex(&r->exam->sum, known);
  bool ok = strlen(line) > CODE_DIGITS &&
            sscanf(line + CODE_DIGITS, " 0 begin %79s %79s %79s %31s %n", sum, who, paper, result->version, &at) == 4;
  if (!ok || !at || !exam_who(who, given, NULL) || !ls_digest_read(paper, &result->paper))
    return changed(r, "here the beginning belongs: the exam, the ID and the clocks");
  if (strcmp(sum, known) != 0) {
    ls_fail(r->err, LS_EREQUEST, "%s is the result of another exam", LS_QUOTE_PATH(r->path));
    return RESULT_OTHER_EXAM;
  }
  snprintf(result->who, sizeof result->who, "%s", given);
  result->key = key_of(r->exam, given);
  if (!has_code(r, line, &result->code)) return changed(r, "this line was changed since the program wrote it");
  if (!read_time(line + CODE_DIGITS + at, &result->clock.from)) return changed(r, "here the clocks are missing");
  result->begun = result->clock.from.wall;
  return RESULT_OK;
}

static int read_answer(const Reader *r, const char *rest, bool clears, int64_t gone) {
  int item = 0, at = 0;
  if (sscanf(rest, "%d%n", &item, &at) != 1 || item < 1 || item > r->exam->count)
    return changed(r, "this answer is to no question of the exam");
  rest += at + (rest[at] == ' ');
  char *text = clears ? NULL : unescaped(rest);
  keep(r->result, item - 1, text, gone);
  free(text);
  return RESULT_OK;
}

static int read_record(const Reader *r, const char *line) {
  ExamResult *result = r->result;
  int64_t gone = 0;
  int at = 0;
  if (!has_code(r, line, &result->code))
    return changed(r, "this line, or one before it, was changed, moved or lost since the program wrote it");
  line += CODE_DIGITS + 1;
  bool timed = sscanf(line, "%" SCNd64 " %n", &gone, &at) == 1 && at;
  if (!timed || gone < result->gone) return changed(r, "the time of this line is before that of the line above");
  if (result->end) return changed(r, "this line comes after the end");
  line += at;
  result->gone = gone;
  if (ls_starts_with(line, "answer ")) return read_answer(r, line + strlen("answer "), false, gone);
  if (ls_starts_with(line, "clear ")) return read_answer(r, line + strlen("clear "), true, gone);
  if (strcmp(line, "end handed") == 0) return result->end = RESULT_HANDED, RESULT_OK;
  if (strcmp(line, "end time") == 0) return result->end = RESULT_TIME, RESULT_OK;
  bool again = ls_starts_with(line, "again "), resumed = again || ls_starts_with(line, "resume ");
  if (!resumed || !read_time(strchr(line, ' ') + 1, &result->clock.from))
    return changed(r, "this version of lanescope knows no such line");
  result->again = result->again || again;
  result->clock.gone = gone;
  result->resumes++;
  return RESULT_OK;
}

static int read_lines(const Reader *r, const char *text) {
  int status = RESULT_OK;
  for (const char *at = text, *end; status == RESULT_OK && (end = strchr(at, '\n')) != NULL; at = end + 1) {
    char *line = ls_strndup(at, (size_t)(end - at));
    if (r->result->lines == 1) status = read_begin(r, line);
    else if (r->result->lines > 1) status = read_record(r, line);
    free(line);
    if (status != RESULT_OK) return status;
    r->result->lines++;
    r->result->whole = (size_t)(end + 1 - text);
  }
  return r->result->lines >= 2 ? status : changed(r, "the file ends before the exam begins");
}

int result_parse(const Exam *exam, const char *text, const char *path, ExamResult *result, LsErr *err) {
  int format = 0;
  *result = (ExamResult){0};
  if (!ls_starts_with(text, heading) || sscanf(text + strlen(heading), " %d", &format) != 1) {
    ls_fail(err, LS_EFORMAT, "%s is no result of an exam", LS_QUOTE_PATH(path));
    return RESULT_NOT_ONE;
  }
  if (format != FORMAT) {
    ls_fail(err, LS_EFORMAT, "%s was written by a newer lanescope, as format %d; this one knows format %d",
            LS_QUOTE_PATH(path), format, FORMAT);
    return RESULT_NOT_ONE;
  }
  return read_lines(&(Reader){exam, path, result, err}, text);
}

int result_read(const Exam *exam, const char *path, ExamResult *result, LsErr *err) {
  *result = (ExamResult){0};
  size_t size;
  char *text = ls_file_read(path, FILE_LIMIT, &size, err);
  int status = text ? result_parse(exam, text, path, result, err) : RESULT_NOT_ONE;
  free(text);
  return status;
}

void result_fini(ExamResult *result) {
  for (int i = 0; i < EXAM_ITEMS; i++) free(result->answers[i].text);
  *result = (ExamResult){0};
}
