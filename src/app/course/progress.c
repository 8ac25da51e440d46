// progress.c: lessons and answers as rows of a database.
#include "app/course/progress.h"

#include <stdlib.h>
#include <time.h>

#include "app/course/skills.h"
#include "base/file.h"
#include "base/mem.h"

struct Progress { Store *store; };

static const char *const tables[] = {"lesson", "answer"};
static const StorePlan plan = {
    .schema = "create table if not exists lesson (id text primary key, step integer not null, steps integer not null,"
              " done integer not null, correct integer not null, asked integer not null, started integer not null,"
              " updated integer not null);"
              "create table if not exists answer (lesson text not null, step integer not null, value real not null,"
              " correct integer not null, skipped integer not null, at integer not null,"
              " primary key (lesson, step));"
              SKILLS_SCHEMA
              "pragma user_version = 1;",
    .version = 1,
    .tables = tables,
    .table_count = LS_COUNT(tables),
};

Progress *progress_open(const char *path) {
  Progress *progress = ls_alloc(sizeof *progress);
  char *usual = path ? NULL : ls_xdg_path("STATE", "progress.db");
  progress->store = store_open(path ? path : usual, usual != NULL, &plan);
  free(usual);
  return progress;
}

void progress_close(Progress *progress) {
  if (!progress) return;
  store_close(progress->store);
  free(progress);
}

StoreState progress_state(const Progress *progress) { return store_state(progress->store); }
Store *progress_store(Progress *progress) { return progress->store; }
const char *progress_path(const Progress *progress) { return store_path(progress->store); }

void progress_words(const Progress *progress, LsText *out) {
  if (progress_state(progress) <= STORE_UNWANTED) return;
  ls_text_add(out, "Progress lasts only until you leave: ");
  store_words(progress->store, out);
}

typedef struct LessonRow { ProgressLesson lesson; bool found; } LessonRow;

static bool take_lesson(void *context, const StoreValue *row) {
  ProgressLesson lesson = {
      .step = (int)row[0].integer, .steps = (int)row[1].integer, .done = row[2].integer != 0,
      .right = (int)row[3].integer, .asked = (int)row[4].integer,
      .started = row[5].integer, .updated = row[6].integer};
  *(LessonRow *)context = (LessonRow){lesson, true};
  return false;
}

bool progress_lesson(Progress *progress, const char *id, ProgressLesson *lesson) {
  StoreValue values[] = {store_text(id)};
  LessonRow row = {0};
  store_ask(progress->store, "select step, steps, done, correct, asked, started, updated from lesson where id = ?1",
            values, LS_COUNT(values), take_lesson, &row);
  *lesson = row.lesson;
  return row.found;
}

void progress_save_lesson(Progress *progress, const char *id, const ProgressLesson *lesson) {
  StoreValue values[] = {
      store_text(id), store_integer(lesson->step), store_integer(lesson->steps), store_integer(lesson->done),
      store_integer(lesson->right), store_integer(lesson->asked), store_integer(time(NULL))};
  store_change(progress->store,
               "insert into lesson (id, step, steps, done, correct, asked, started, updated)"
               " values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)"
               " on conflict (id) do update set step = ?2, steps = max(steps, ?3), done = max(done, ?4), correct = ?5,"
               " asked = ?6, updated = ?7",
               values, LS_COUNT(values));
}

typedef struct AnswerRow { ProgressAnswer answer; bool found; } AnswerRow;

static bool take_answer(void *context, const StoreValue *row) {
  double value = row[0].kind == STORE_REAL ? row[0].real : (double)row[0].integer;
  *(AnswerRow *)context = (AnswerRow){{value, row[1].integer != 0, row[2].integer != 0}, true};
  return false;
}

bool progress_answer(Progress *progress, const char *id, int step, ProgressAnswer *answer) {
  StoreValue values[] = {store_text(id), store_integer(step)};
  AnswerRow row = {0};
  store_ask(progress->store, "select value, correct, skipped from answer where lesson = ?1 and step = ?2", values,
            LS_COUNT(values), take_answer, &row);
  *answer = row.answer;
  return row.found;
}

void progress_save_answer(Progress *progress, const char *id, int step, const ProgressAnswer *answer) {
  StoreValue values[] = {store_text(id), store_integer(step), store_real(answer->value), store_integer(answer->right),
                         store_integer(answer->skipped), store_integer(time(NULL))};
  store_change(progress->store, "insert or replace into answer values (?1, ?2, ?3, ?4, ?5, ?6)", values,
               LS_COUNT(values));
}

void progress_restart_lesson(Progress *progress, const char *id) {
  StoreValue values[] = {store_text(id)};
  store_change(progress->store,
               "delete from answer where lesson = ?1;"
               "update lesson set step = 0, correct = 0, asked = 0 where id = ?1",
               values, LS_COUNT(values));
}
