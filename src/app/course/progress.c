// progress.c: lessons and answers as rows of a database.
#include "app/course/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/course/doubts.h"
#include "app/course/judged.h"
#include "app/course/skills.h"
#include "app/course/solved.h"
#include "base/file.h"
#include "base/mem.h"

struct Progress { Store *store; };

// Version 1 kept answers by the number of their step, in the table of this name: they are taken over.
static const char *const tables[] = {"lesson", "answer"};
static const StorePlan plan = {
    .schema = "create table if not exists lesson (id text primary key, step integer not null, steps integer not null,"
              " done integer not null, correct integer not null, asked integer not null, started integer not null,"
              " updated integer not null);"
              "create table if not exists answer (lesson text not null, step integer not null, value real not null,"
              " correct integer not null, skipped integer not null, at integer not null,"
              " primary key (lesson, step));"
              "create table if not exists reply (lesson text not null, name text not null, value real not null,"
              " correct integer not null, skipped integer not null, tries integer not null, last real not null,"
              " open integer not null, looked integer not null, sure integer not null, words text not null,"
              " at integer not null, primary key (lesson, name));"
              "insert or ignore into reply"
              " select lesson, 'step ' || step, value, correct, skipped, 1, value, 0, 0, 0, '', at from answer;"
              "delete from answer;"
              SKILLS_SCHEMA
              WRITING_SCHEMA
              JUDGED_SCHEMA
              DOUBTS_SCHEMA
              SOLVED_SCHEMA
              "pragma user_version = 3;",
    .version = 3,
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

static bool take_any(void *context, const StoreValue *row) {
  *(bool *)context = row[0].integer != 0;
  return false;
}

bool progress_is_first(Progress *progress) {
  bool any = false;
  store_ask(progress->store,
            "select exists (select 1 from lesson) or exists (select 1 from drawn) or"
            " exists (select 1 from student where name = 'greeted')",
            NULL, 0, take_any, &any);
  return !any && progress_state(progress) == STORE_SAVED;
}

void progress_greeted(Progress *progress) {
  store_change(progress->store, "insert or replace into student values ('greeted', 1)", NULL, 0);
}

typedef struct AnswerRow { ProgressAnswer answer; bool found; } AnswerRow;

static double real_of(const StoreValue *value) {
  return value->kind == STORE_REAL ? value->real : (double)value->integer;
}

// The first and the last text share a row: the first, a newline, the last.
static void take_words(const char *both, ProgressAnswer *answer) {
  size_t first = strcspn(both, "\n");
  snprintf(answer->words[0], PROGRESS_WORDS, "%.*s", (int)LS_MIN(first, (size_t)PROGRESS_WORDS), both);
  snprintf(answer->words[1], PROGRESS_WORDS, "%s", both[first] ? both + first + 1 : "");
}

static bool take_answer(void *context, const StoreValue *row) {
  ProgressAnswer answer = {.value = real_of(&row[0]), .right = row[1].integer != 0, .skipped = row[2].integer != 0,
                           .tries = (int)row[3].integer, .last = real_of(&row[4]), .open = row[5].integer != 0,
                           .looked = row[6].integer != 0, .sure = (int)row[7].integer};
  take_words(row[8].text, &answer);
  *(AnswerRow *)context = (AnswerRow){answer, true};
  return false;
}

bool progress_answer(Progress *progress, const char *id, const char *name, ProgressAnswer *answer) {
  StoreValue values[] = {store_text(id), store_text(name)};
  AnswerRow row = {0};
  store_ask(progress->store,
            "select value, correct, skipped, tries, last, open, looked, sure, words from reply"
            " where lesson = ?1 and name = ?2",
            values, LS_COUNT(values), take_answer, &row);
  *answer = row.answer;
  return row.found;
}

void progress_save_answer(Progress *progress, const char *id, const char *name, const ProgressAnswer *answer) {
  char words[2 * PROGRESS_WORDS];
  snprintf(words, sizeof words, "%s\n%s", answer->words[0], answer->words[1]);
  StoreValue values[] = {store_text(id), store_text(name), store_real(answer->value), store_integer(answer->right),
                         store_integer(answer->skipped), store_integer(answer->tries), store_real(answer->last),
                         store_integer(answer->open), store_integer(answer->looked), store_integer(answer->sure),
                         store_text(words), store_integer(time(NULL))};
  store_change(progress->store,
               "insert or replace into reply (lesson, name, value, correct, skipped, tries, last, open, looked, sure,"
               " words, at) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
               values, LS_COUNT(values));
}

void progress_restart_lesson(Progress *progress, const char *id) {
  StoreValue values[] = {store_text(id)};
  store_change(progress->store,
               "delete from reply where lesson = ?1;"
               "update lesson set step = 0, correct = 0, asked = 0 where id = ?1",
               values, LS_COUNT(values));
}
