// report_read.c: a report from JSON, value by value.
#include "app/report/report_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/course/day.h"
#include "app/course/fsrs.h"
#include "app/report/json_read.h"
#include "base/file.h"

struct ReportReader { JsonReader *json; };

ReportReader *report_reader_new(void) {
  ReportReader *reader = ls_alloc(sizeof *reader);
  reader->json = json_reader_new();
  return reader;
}

void report_reader_free(ReportReader *reader) {
  if (reader) json_reader_free(reader->json);
  free(reader);
}

// Counts, and bytes of texts, at most.
enum { MOST = 1000000, LIST_MOST = 1000, WORD_MOST = 80, TEXT_MOST = 1000, OPEN_MOST = 100000 };

// An object of the report, and what it is called in messages: "skills[3]", "" for the whole.
typedef struct Part { const JsonValue *object; const char *list; int index; LsErr *err; } Part;

// "skills[3].right", or "made".
static const char *place(const Part *part, const char *key, char out[WORD_MOST]) {
  if (part->list) snprintf(out, WORD_MOST, "%s[%d].%s", part->list, part->index, key);
  else snprintf(out, WORD_MOST, "%s", key);
  return out;
}

static const JsonValue *value_of(const Part *part, const char *key, JsonKind kind) {
  static const char *const names[] = {"null", "true or false", "number", "text", "list", "object"};
  char where[WORD_MOST];
  const JsonValue *value = json_member(part->object, key);
  if (value && value->kind == kind) return value;
  if (value) ls_fail(part->err, LS_EFORMAT, "%s is no %s", place(part, key, where), names[kind]);
  else ls_fail(part->err, LS_EFORMAT, "there is no %s", place(part, key, where));
  return NULL;
}

static bool has(const Part *part, const char *key) { return json_member(part->object, key) != NULL; }

static bool real_in(const Part *part, const char *key, double most, double *number) {
  char where[WORD_MOST];
  const JsonValue *value = value_of(part, key, JSON_NUMBER);
  if (!value) return false;
  *number = value->number;
  return (*number >= 0 && *number <= most) ||
         ls_fail(part->err, LS_EFORMAT, "%s is %g, and can be 0 to %g", place(part, key, where), *number, most);
}

static bool whole_in(const Part *part, const char *key, int most, int *number) {
  char where[WORD_MOST];
  double real;
  if (!real_in(part, key, most, &real)) return false;
  *number = (int)real;
  return *number == real || ls_fail(part->err, LS_EFORMAT, "%s is no whole number", place(part, key, where));
}

// 0 where it is not there.
static bool maybe_whole(const Part *part, const char *key, int most, int *number) {
  return !has(part, key) || whole_in(part, key, most, number);
}

static bool truth_of(const Part *part, const char *key, bool *truth) {
  const JsonValue *value = value_of(part, key, JSON_BOOL);
  if (value) *truth = value->number != 0;
  return value != NULL;
}

static bool text_in(const Part *part, const char *key, size_t most, const char **text) {
  char where[WORD_MOST];
  const JsonValue *value = value_of(part, key, JSON_STRING);
  if (!value) return false;
  *text = value->string;
  return strlen(*text) <= most ||
         ls_fail(part->err, LS_EFORMAT, "%s is longer than %zu bytes", place(part, key, where), most);
}

static bool maybe_text(const Part *part, const char *key, size_t most, const char **text) {
  return !has(part, key) || text_in(part, key, most, text);
}

static bool day_of(const Part *part, const char *key, const char **day) {
  char where[WORD_MOST];
  int64_t number;
  if (!text_in(part, key, WORD_MOST, day)) return false;
  return day_parse(*day, &number) || ls_fail(part->err, LS_EFORMAT, "%s is no day", place(part, key, where));
}

static bool maybe_day(const Part *part, const char *key, const char **day) {
  return !has(part, key) || day_of(part, key, day);
}

// ---- the lists -----------------------------------------------------------------------------------------------------

static bool read_lesson(const Part *part, LsArena *arena, ReportLesson *lesson) {
  (void)arena;
  return text_in(part, "id", WORD_MOST, &lesson->id) && truth_of(part, "done", &lesson->done) &&
         whole_in(part, "asked", MOST, &lesson->asked) && whole_in(part, "right", lesson->asked, &lesson->right) &&
         maybe_whole(part, "looked", MOST, &lesson->looked) && maybe_whole(part, "minutes", MOST, &lesson->minutes);
}

static int count_of(const JsonValue *list) {
  int count = 0;
  for (const JsonValue *value = list ? list->child : NULL; value; value = value->next) count++;
  return count;
}

static bool too_many(const Part *part, const char *key, int count, int most) {
  char where[WORD_MOST];
  if (count <= most) return false;
  ls_fail(part->err, LS_EFORMAT, "%s has %d entries, more than %d", place(part, key, where), count, most);
  return true;
}

// Without ends of lines, which would tear lines of text apart.
static const char *one_line(LsArena *arena, const char *text) {
  if (!text || !strpbrk(text, "\r\n\t")) return text;
  char *line = ls_arena_strdup(arena, text);
  for (char *at = line; (at = strpbrk(at, "\r\n\t")); at++) *at = ' ';
  return line;
}

// {"16": 1}, and beside it {"16": "That is the stride."}.
static bool read_wrong(const Part *part, LsArena *arena, ReportSkill *skill) {
  const JsonValue *list = json_member(part->object, "wrong"), *says = json_member(part->object, "says");
  if (!list) return true;
  if (!value_of(part, "wrong", JSON_OBJECT) || (says && !value_of(part, "says", JSON_OBJECT))) return false;
  int count = count_of(list);
  if (too_many(part, "wrong", count, LIST_MOST) || too_many(part, "says", count_of(says), LIST_MOST)) return false;
  Part counts = {list, part->list, part->index, part->err}, words = {says, part->list, part->index, part->err};
  ReportWrong *wrong = LS_NEW_ARRAY(arena, ReportWrong, count);
  for (const JsonValue *value = list->child; value; value = value->next) {
    if (json_member(list, value->key) != value) continue;     // the same once more
    ReportWrong *one = &wrong[skill->wrong_count];
    one->given = value->key;
    if (strlen(one->given) > TEXT_MOST) return ls_fail(part->err, LS_EFORMAT, "a wrong answer is too long");
    if (!whole_in(&counts, value->key, skill->seen, &one->count)) return false;
    if (!maybe_text(&words, value->key, TEXT_MOST, &one->says)) return false;
    one->given = one_line(arena, one->given);
    one->says = one_line(arena, one->says);
    skill->wrong_count++;
  }
  skill->wrong = wrong;
  return true;
}

static bool read_skill(const Part *part, LsArena *arena, ReportSkill *skill) {
  bool ok = text_in(part, "id", WORD_MOST, &skill->id) && maybe_text(part, "family", WORD_MOST, &skill->family) &&
            whole_in(part, "seen", MOST, &skill->seen) && whole_in(part, "right", skill->seen, &skill->right) &&
            real_in(part, "chance", 1, &skill->chance) && maybe_day(part, "first", &skill->first) &&
            maybe_day(part, "last", &skill->last) && maybe_whole(part, "box", FSRS_BOXES, &skill->box) &&
            maybe_whole(part, "lapses", MOST, &skill->lapses) &&
            maybe_whole(part, "sure", skill->seen, &skill->sure) &&
            maybe_whole(part, "sure_and_wrong", has(part, "sure") ? skill->sure : skill->seen, &skill->sure_wrong);
  if (!ok) return false;
  skill->sure = LS_MAX(skill->sure, skill->sure_wrong);
  skill->score = skill->right;
  bool scored = has(part, "score");
  return (!scored || real_in(part, "score", skill->seen, &skill->score)) && read_wrong(part, arena, skill);
}

static bool read_points(const Part *part, LsArena *arena, ReportOpen *open) {
  const JsonValue *list = value_of(part, "points", JSON_ARRAY);
  if (!list || too_many(part, "points", count_of(list), LIST_MOST)) return false;
  double *points = LS_NEW_ARRAY(arena, double, count_of(list));
  int count = 0;
  for (const JsonValue *value = list->child; value; value = value->next) {
    bool point = value->kind == JSON_NUMBER && value->number >= 0 && value->number <= 1;
    if (!point) return ls_fail(part->err, LS_EFORMAT, "%s[%d].points[%d] is no number from 0 to 1", part->list,
                               part->index, count);
    points[count++] = value->number;
  }
  open->points = points;
  return count == open->of || ls_fail(part->err, LS_EFORMAT, "%s[%d] has %d points of %d", part->list, part->index,
                                      count, open->of);
}

static bool read_open(const Part *part, LsArena *arena, ReportOpen *open) {
  return text_in(part, "id", WORD_MOST, &open->id) && whole_in(part, "of", LIST_MOST, &open->of) &&
         maybe_whole(part, "words", MOST, &open->words) && maybe_text(part, "text", OPEN_MOST, &open->text) &&
         read_points(part, arena, open);
}

static bool read_exercise(const Part *part, LsArena *arena, ReportExercise *exercise) {
  (void)arena;
  exercise->score = NAN;
  exercise->counts = "";
  return text_in(part, "name", WORD_MOST, &exercise->name) && truth_of(part, "passed", &exercise->passed) &&
         maybe_whole(part, "tries", MOST, &exercise->tries) &&
         maybe_text(part, "counts", WORD_MOST, &exercise->counts) &&
         (!has(part, "score") || real_in(part, "score", 1e15, &exercise->score));
}

static bool read_doubt(const Part *part, LsArena *arena, ReportDoubt *doubt) {
  doubt->seed = doubt->given = doubt->words = "";
  bool ok = text_in(part, "skill", WORD_MOST, &doubt->skill) && maybe_whole(part, "draw", MOST, &doubt->draw) &&
            maybe_text(part, "seed", WORD_MOST, &doubt->seed) && maybe_text(part, "given", TEXT_MOST, &doubt->given) &&
            maybe_text(part, "words", TEXT_MOST, &doubt->words);
  doubt->given = one_line(arena, doubt->given);
  doubt->words = one_line(arena, doubt->words);
  return ok;
}

// A list of objects, or none where it is not there.
#define READ_LIST(whole, key, arena, items, total, read)                                                     \
  do {                                                                                                       \
    const JsonValue *list_ = has((whole), (key)) ? value_of((whole), (key), JSON_ARRAY) : NULL;              \
    if (!list_ && has((whole), (key))) return false;                                                         \
    if (too_many((whole), (key), count_of(list_), LIST_MOST)) return false;                                  \
    (items) = ls_alloc(sizeof *(items) * (size_t)LS_MAX(count_of(list_), 1));                                \
    for (const JsonValue *value_ = list_ ? list_->child : NULL; value_; value_ = value_->next, (total)++) {  \
      Part part_ = {value_, (key), (total), (whole)->err};                                                   \
      if (!read(&part_, (arena), &(items)[total])) return false;                                             \
    }                                                                                                        \
  } while (0)

// ---- the whole -----------------------------------------------------------------------------------------------------

static bool read_head(const Part *whole, Report *report) {
  int format = 0;
  if (whole->object->kind != JSON_OBJECT || !json_member(whole->object, "format"))
    return ls_fail(whole->err, LS_EFORMAT, "this is JSON, but no report of lanescope");
  if (!whole_in(whole, "format", MOST, &format)) return false;
  if (format != REPORT_FORMAT)
    return ls_fail(whole->err, LS_EUNSUPPORTED, "the report is of format %d; this version of lanescope reads %d",
                   format, REPORT_FORMAT);
  bool ok = text_in(whole, "program", WORD_MOST, &report->program) &&
            text_in(whole, "course", WORD_MOST, &report->course) && day_of(whole, "made", &report->made) &&
            text_in(whole, "who", TEXT_MOST, &report->who);
  return ok && (report_is_name(report->who) ||
                ls_fail(whole->err, LS_EFORMAT, "who is no name of 1 to %d characters: '%s'", REPORT_NAME,
                        LS_QUOTE(report->who)));
}

static bool read_lists(const Part *whole, Report *report) {
  LsArena *arena = report->arena;
  READ_LIST(whole, "lessons", arena, report->lessons, report->lesson_count, read_lesson);
  READ_LIST(whole, "skills", arena, report->skills, report->skill_count, read_skill);
  READ_LIST(whole, "open", arena, report->open, report->open_count, read_open);
  READ_LIST(whole, "practice", arena, report->practice, report->practice_count, read_exercise);
  READ_LIST(whole, "questioned", arena, report->doubts, report->doubt_count, read_doubt);
  return true;
}

// JSON ends with a bracket: a file that does not was cut off, or is something else.
static const char *why_none(const char *text, size_t size) {
  size_t last = size;
  while (last && strchr(" \t\r\n", text[last - 1])) last--;
  if (!last) return "the file is empty";
  if (text[strspn(text, " \t\r\n")] != '{') return "this is no JSON";
  return text[last - 1] == '}' ? "the file is damaged: this is no JSON" : "the file is cut off";
}

bool report_parse(ReportReader *reader, const char *text, size_t size, Report *report, LsErr *err) {
  *report = (Report){.arena = ls_arena_new()};
  if (strlen(text) != size) return ls_fail(err, LS_EFORMAT, "the file is no text");
  Part whole = {.object = json_read(reader->json, text, report->arena), .err = err};
  if (!whole.object) return ls_fail(err, LS_EFORMAT, "%s", why_none(text, size));
  return read_head(&whole, report) && read_lists(&whole, report);
}

bool report_read(ReportReader *reader, const char *path, Report *report, LsErr *err) {
  size_t size = 0;
  *report = (Report){0};
  char *text = ls_file_read(path, REPORT_BYTES, &size, err);
  if (!text) return false;
  LsErr why = {0};
  bool ok = report_parse(reader, text, size, report, &why);
  free(text);
  return ok || ls_fail(err, why.kind, "%s: %s", LS_QUOTE_PATH(path), why.message);
}
