// history_file.c: the tables of the history, line by line, and back in one change.
#include "app/report/history_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/course/skills.h"
#include "app/report/json_read.h"

#define KIND "lanescope quiz"

// ---- what a line holds ---------------------------------------------------------------------------------------------

// A column, and what it may be: a whole number, any number, or a text of so many bytes.
typedef struct Field { const char *name; enum { WHOLE, NUMBER, TEXT } type; double least, most; } Field;
enum { FIELDS = 13 };
typedef struct Table {
  const char *kind, *name;
  Field fields[FIELDS];
  const char *conflict;            // with a row that is there
} Table;

static const double most_number = 9007199254740992.0 * 1024, most_time = 1e12, most_count = 1e9, any_text = 65536,
                    word = 200;

static const Table tables[] = {
    {"answer", "answered",
     {{"number", WHOLE, 0, most_number}, {"skill", TEXT, 1, word}, {"times", WHOLE, -1, most_count},
      {"mark", WHOLE, 0, FSRS_EASY}, {"at", WHOLE, 0, most_time}, {"correct", WHOLE, 0, 1}, {"score", NUMBER, 0, 1},
      {"tips", WHOLE, 0, most_count}, {"sure", WHOLE, 0, 3}, {"looked", WHOLE, 0, 1},
      {"seconds", NUMBER, 0, most_count}, {"given", TEXT, 0, any_text}, {"said", TEXT, 0, any_text}},
     "do nothing"},
    {"judged", "judged",
     {{"number", WHOLE, 0, most_number}, {"family", TEXT, 1, word}, {"at", WHOLE, 0, most_time},
      {"text", TEXT, 0, any_text}, {"marks", TEXT, 0, word}, {"points", NUMBER, 0, most_count},
      {"most", WHOLE, 0, most_count}, {"words", WHOLE, 0, most_count}},
     "do nothing"},
    {"doubt", "doubt",
     {{"number", WHOLE, 0, most_number}, {"skill", TEXT, 1, word}, {"times", WHOLE, -1, most_count},
      {"seed", WHOLE, 0, most_number}, {"at", WHOLE, 0, most_time}, {"given", TEXT, 0, any_text},
      {"words", TEXT, 0, any_text}},
     "do nothing"},
    {"drawn", "drawn", {{"skill", TEXT, 1, word}, {"times", WHOLE, 0, most_count}},
     "(skill) do update set times = max(times, excluded.times)"},
};

static bool has_field(const Table *table, int field) { return field < FIELDS && table->fields[field].name; }

// "a, b, c", with something before and after each name.
static void add_fields(const Table *table, const char *before, const char *after, LsText *out) {
  for (int i = 0; has_field(table, i); i++)
    ls_text_addf(out, "%s%s%s%s", i ? ", " : "", before, table->fields[i].name, after);
}

// ---- writing -------------------------------------------------------------------------------------------------------

typedef struct Writing { LsText *out; int lines; } Writing;

static bool write_line(void *context, const StoreValue *row) {
  Writing *writing = context;
  ls_text_addf(writing->out, "%s\n", row[0].text);
  writing->lines++;
  return true;
}

static void write_table(Progress *progress, const Table *table, Writing *writing) {
  LsText sql = {0};
  ls_text_addf(&sql, "select json_object('kind', '%s'", table->kind);
  for (int i = 0; has_field(table, i); i++)
    ls_text_addf(&sql, ", '%s', %s", table->fields[i].name, table->fields[i].name);
  ls_text_addf(&sql, ") from %s order by rowid", table->name);
  store_ask(progress_store(progress), ls_text_str(&sql), NULL, 0, write_line, writing);
  ls_text_free(&sql);
}

void history_write(Progress *progress, LsText *out) {
  Writing writing = {.out = out, .lines = 2};
  ls_text_addf(out, "{\"kind\":\"" KIND "\",\"format\":%d,\"seed\":%lld}\n", HISTORY_FORMAT,
               (long long)skills_seed(progress));
  for (int i = 0; i < LS_COUNT(tables); i++) write_table(progress, &tables[i], &writing);
  ls_text_addf(out, "{\"kind\":\"end\",\"lines\":%d}\n", writing.lines);
}

// ---- reading: each line is looked at before any is taken -----------------------------------------------------------

typedef struct Reading {
  JsonReader *reader;
  const char *name;                // of the file
  int line;
  bool ended;
  double seed;
  LsText all;                      // the lines as one array
  LsErr *err;
} Reading;

static bool fail(const Reading *reading, const char *why) {
  return ls_fail_at(reading->err, LS_EFORMAT, reading->name, reading->line, 0, "%s", why);
}

static bool number_of(const JsonValue *object, const char *name, double *number) {
  const JsonValue *value = json_member(object, name);
  *number = value && value->kind == JSON_NUMBER ? value->number : NAN;
  return isfinite(*number);
}

static const char *text_of(const JsonValue *object, const char *name) {
  const JsonValue *value = json_member(object, name);
  return value && value->kind == JSON_STRING ? value->string : NULL;
}

static bool is_good(const JsonValue *object, const Field *field) {
  double number;
  if (field->type == TEXT) {
    const char *text = text_of(object, field->name);
    return text && (double)strlen(text) >= field->least && (double)strlen(text) <= field->most;
  }
  if (!number_of(object, field->name, &number) || number < field->least || number > field->most) return false;
  return field->type == NUMBER || floor(number) == number;
}

static bool read_head(Reading *reading, const JsonValue *object) {
  double format;
  const char *kind = text_of(object, "kind");
  if (!kind || strcmp(kind, KIND) != 0 || !number_of(object, "format", &format))
    return fail(reading, "this is no history of the quiz: lanescope quiz --export makes one");
  if (format != HISTORY_FORMAT)
    return ls_fail_at(reading->err, LS_EFORMAT, reading->name, 1, 0, "this history has format %g; this lanescope reads "
                      "format %d: use the one that wrote it", format, HISTORY_FORMAT);
  return (number_of(object, "seed", &reading->seed) && reading->seed >= 1 && reading->seed <= most_number) ||
         fail(reading, "'seed' is damaged");
}

static bool read_end(Reading *reading, const JsonValue *object) {
  double lines;
  reading->ended = true;
  if (number_of(object, "lines", &lines) && lines == reading->line) return true;
  return fail(reading, "lines are missing, or there are too many");
}

static bool read_row(Reading *reading, const JsonValue *object, const char *kind) {
  for (int i = 0; i < LS_COUNT(tables); i++) {
    if (strcmp(tables[i].kind, kind) != 0) continue;
    for (int k = 0; has_field(&tables[i], k); k++)
      if (!is_good(object, &tables[i].fields[k]))
        return ls_fail_at(reading->err, LS_EFORMAT, reading->name, reading->line, 0, "'%s' is damaged or missing",
                          tables[i].fields[k].name);
    return true;
  }
  return fail(reading, "nothing of this kind belongs there");
}

static bool read_line(Reading *reading, const char *line) {
  LsArena *arena = ls_arena_new();
  const JsonValue *object = json_read(reading->reader, line, arena);
  const char *kind = text_of(object, "kind");
  bool ok = reading->ended ? fail(reading, "there is something behind the end")
          : !kind ? fail(reading, "this line is damaged")
          : reading->line == 1 ? read_head(reading, object)
          : strcmp(kind, "end") == 0 ? read_end(reading, object)
          : read_row(reading, object, kind);
  ls_arena_free(arena);
  if (ok) ls_text_addf(&reading->all, "%s%s", reading->line > 1 ? "," : "[", line);
  return ok;
}

static bool read_lines(Reading *reading, const char *text) {
  bool ok = true;
  while (ok && *text) {
    size_t length = strcspn(text, "\n");
    char *line = ls_strndup(text, length);
    reading->line++;
    ok = read_line(reading, line);
    free(line);
    text += length + (text[length] == '\n');
  }
  ls_text_addc(&reading->all, ']');
  return ok && (reading->ended || fail(reading, "it ends too early"));
}

// ---- taking --------------------------------------------------------------------------------------------------------

static void add_insert(const Table *table, LsText *sql) {
  ls_text_addf(sql, "insert into %s (", table->name);
  add_fields(table, "", "", sql);
  ls_text_add(sql, ") select ");
  add_fields(table, "json_extract(value, '$.", "')", sql);
  ls_text_addf(sql, " from json_each(?1) where json_extract(value, '$.kind') = '%s' on conflict %s;", table->kind,
               table->conflict);
}

// What follows from a log follows from its order.
static void add_sort(const Table *table, LsText *sql) {
  ls_text_add(sql, "drop table if exists temp.merged; create temp table merged as select * from ");
  ls_text_addf(sql, "%s order by at, place; delete from %s; insert into %s (", table->name, table->name, table->name);
  add_fields(table, "", "", sql);
  ls_text_add(sql, ") select ");
  add_fields(table, "", "", sql);
  ls_text_add(sql, " from temp.merged order by rowid; drop table temp.merged;");
}

static bool take_count(void *context, const StoreValue *row) {
  *(int *)context = (int)row[0].integer;
  return false;
}

static int answers(Progress *progress) {
  int count = 0;
  store_ask(progress_store(progress), "select count(*) from answered", NULL, 0, take_count, &count);
  return count;
}

// One change, so that a kill leaves all of it or nothing. Who has a seed keeps it.
static void take_all(Progress *progress, const Reading *reading) {
  LsText sql = {0};
  for (int i = 0; i < LS_COUNT(tables); i++) add_insert(&tables[i], &sql);
  for (int i = 0; i < LS_COUNT(tables); i++)
    if (strcmp(tables[i].name, "drawn") != 0) add_sort(&tables[i], &sql);
  ls_text_add(&sql, "insert or ignore into student values ('seed', ?2)");
  StoreValue values[] = {store_text(ls_text_str(&reading->all)), store_integer((int64_t)reading->seed)};
  store_change(progress_store(progress), ls_text_str(&sql), values, LS_COUNT(values));
  ls_text_free(&sql);
}

bool history_read(Progress *progress, const char *text, const char *name, int *added, LsErr *err) {
  Reading reading = {.reader = json_reader_new(), .name = name, .err = err};
  int before = answers(progress);
  bool ok = read_lines(&reading, text);
  if (ok) take_all(progress, &reading);
  *added = answers(progress) - before;
  json_reader_free(reading.reader);
  ls_text_free(&reading.all);
  return ok;
}
