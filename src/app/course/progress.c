// progress.c: the database of what a student has done. The only file that knows SQLite.
#include "app/course/progress.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/mem.h"

struct Progress {
  sqlite3 *db;                     // NULL: there is not even room for a database in memory
  bool kept;
};

enum { SCHEMA_VERSION = 1, BUSY_MS = 500 };

static const char schema[] =
    "create table if not exists lesson (id text primary key, step integer not null, steps integer not null,"
    " done integer not null, correct integer not null, asked integer not null, started integer not null,"
    " updated integer not null);"
    "create table if not exists answer (lesson text not null, step integer not null, value real not null,"
    " correct integer not null, skipped integer not null, at integer not null,"
    " primary key (lesson, step));"
    "pragma user_version = 1;";

static bool run_sql(sqlite3 *db, const char *sql) { return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK; }

static int schema_version(sqlite3 *db) {
  sqlite3_stmt *statement;
  int version = -1;
  if (sqlite3_prepare_v2(db, "pragma user_version", -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW)
    version = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  return version;
}

// synchronous = normal with the write-ahead log: a kill loses nothing, a power cut at most the last moments.
static bool set_up(sqlite3 *db) {
  sqlite3_busy_timeout(db, BUSY_MS);
  if (schema_version(db) > SCHEMA_VERSION) return false;
  run_sql(db, "pragma journal_mode = wal");
  run_sql(db, "pragma synchronous = normal");
  return run_sql(db, schema) && run_sql(db, "delete from lesson where 0");   // the last one finds a read-only file
}

static bool open_database(Progress *progress, const char *path) {
  if (sqlite3_open(path, &progress->db) == SQLITE_OK && set_up(progress->db)) return true;
  return false;
}

static void say_why(const Progress *progress, const char *path, LsErr *warning) {
  if (progress->db && schema_version(progress->db) > SCHEMA_VERSION)
    ls_fail(warning, LS_EIO, "progress is not kept: %s was written by a newer lanescope", path);
  else
    ls_fail(warning, LS_EIO, "progress is not kept: cannot use %s: %s", path,
            progress->db ? sqlite3_errmsg(progress->db) : "no memory");
}

static void fall_back(Progress *progress) {
  sqlite3_close(progress->db);
  progress->db = NULL;
  if (open_database(progress, ":memory:")) return;
  sqlite3_close(progress->db);
  progress->db = NULL;
}

static char *usual_path(LsErr *warning) {
  char *folder = ls_xdg_path("STATE", "");
  ls_make_dirs(folder, warning);
  free(folder);
  return ls_xdg_path("STATE", "progress.db");
}

Progress *progress_open(const char *path, LsErr *warning) {
  Progress *progress = ls_alloc(sizeof *progress);
  LsErr ignored = {0};
  if (!warning) warning = &ignored;
  *warning = (LsErr){0};
  char *file = path ? ls_strdup(path) : usual_path(warning);
  progress->kept = open_database(progress, file) && strcmp(file, ":memory:") != 0;
  if (!progress->kept && strcmp(file, ":memory:") != 0) {
    if (warning->kind == LS_OK) say_why(progress, file, warning);
    fall_back(progress);
  } else {
    *warning = (LsErr){0};
  }
  free(file);
  return progress;
}

void progress_close(Progress *progress) {
  if (!progress) return;
  sqlite3_close(progress->db);
  free(progress);
}

bool progress_is_kept(const Progress *progress) { return progress->kept; }

// A statement for the lesson `id` (parameter 1); NULL if the database is gone.
static sqlite3_stmt *prepare(Progress *progress, const char *sql, const char *id) {
  sqlite3_stmt *statement = NULL;
  if (!progress->db || sqlite3_prepare_v2(progress->db, sql, -1, &statement, NULL) != SQLITE_OK) return NULL;
  sqlite3_bind_text(statement, 1, id, -1, SQLITE_TRANSIENT);
  return statement;
}

static void finish(sqlite3_stmt *statement) {
  sqlite3_step(statement);         // a full disk loses this change; the lesson goes on
  sqlite3_finalize(statement);
}

bool progress_lesson(Progress *progress, const char *id, ProgressLesson *lesson) {
  *lesson = (ProgressLesson){0};
  sqlite3_stmt *row = prepare(
      progress, "select step, steps, done, correct, asked, started, updated from lesson where id = ?1", id);
  bool found = row && sqlite3_step(row) == SQLITE_ROW;
  if (found)
    *lesson = (ProgressLesson){
        .step = sqlite3_column_int(row, 0), .steps = sqlite3_column_int(row, 1),
        .done = sqlite3_column_int(row, 2) != 0,
        .right = sqlite3_column_int(row, 3), .asked = sqlite3_column_int(row, 4),
        .started = sqlite3_column_int64(row, 5), .updated = sqlite3_column_int64(row, 6)};
  sqlite3_finalize(row);
  return found;
}

void progress_save_lesson(Progress *progress, const char *id, const ProgressLesson *lesson) {
  sqlite3_stmt *row = prepare(progress,
      "insert into lesson (id, step, steps, done, correct, asked, started, updated) values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)"
      " on conflict (id) do update set step = ?2, steps = max(steps, ?3), done = max(done, ?4), correct = ?5,"
      " asked = ?6, updated = ?7",
      id);
  if (!row) return;
  int values[] = {lesson->step, lesson->steps, lesson->done, lesson->right, lesson->asked};
  for (int i = 0; i < LS_COUNT(values); i++) sqlite3_bind_int(row, i + 2, values[i]);
  sqlite3_bind_int64(row, 7, (int64_t)time(NULL));
  finish(row);
}

bool progress_answer(Progress *progress, const char *id, int step, ProgressAnswer *answer) {
  *answer = (ProgressAnswer){0};
  sqlite3_stmt *row = prepare(progress, "select value, correct, skipped from answer where lesson = ?1 and step = ?2",
                              id);
  if (!row) return false;
  sqlite3_bind_int(row, 2, step);
  bool found = sqlite3_step(row) == SQLITE_ROW;
  if (found)
    *answer = (ProgressAnswer){sqlite3_column_double(row, 0), sqlite3_column_int(row, 1) != 0,
                               sqlite3_column_int(row, 2) != 0};
  sqlite3_finalize(row);
  return found;
}

void progress_save_answer(Progress *progress, const char *id, int step, const ProgressAnswer *answer) {
  sqlite3_stmt *row = prepare(progress, "insert or replace into answer values (?1, ?2, ?3, ?4, ?5, ?6)", id);
  if (!row) return;
  sqlite3_bind_int(row, 2, step);
  sqlite3_bind_double(row, 3, answer->value);
  sqlite3_bind_int(row, 4, answer->right);
  sqlite3_bind_int(row, 5, answer->skipped);
  sqlite3_bind_int64(row, 6, (int64_t)time(NULL));
  finish(row);
}
