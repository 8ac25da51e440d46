// solved.c: verdicts on exercises as rows of the student's database.
#include "app/course/solved.h"

#include <string.h>
#include <time.h>

#include "base/mem.h"

typedef struct Row { Solved solved; char what[64]; bool found; } Row;

static bool take_row(void *context, const StoreValue *row) {
  Row *out = context;
  out->found = true;
  out->solved = (Solved){(int)row[0].integer, row[1].integer != 0, row[3].integer, row[4].integer, row[5].integer};
  strncpy(out->what, row[2].text ? row[2].text : "", sizeof out->what - 1);
  return false;
}

static Row load(Progress *progress, const char *exercise) {
  StoreValue values[] = {store_text(exercise)};
  Row row = {.solved.best = SOLVED_NO_SCORE};
  store_ask(progress_store(progress), "select tries, passed, what, best, solved, updated from exercise where name = ?1",
            values, LS_COUNT(values), take_row, &row);
  return row;
}

bool solved_load(Progress *progress, const char *exercise, Solved *solved) {
  Row row = load(progress, exercise);
  *solved = row.solved;
  return row.found;
}

void solved_add(Progress *progress, const char *exercise, bool passed, const char *what, int64_t score) {
  int64_t now = (int64_t)time(NULL);
  Row row = load(progress, exercise);
  Solved *s = &row.solved;
  if (what && strcmp(what, row.what) != 0 && passed) s->best = SOLVED_NO_SCORE;
  if (passed && score != SOLVED_NO_SCORE && (s->best == SOLVED_NO_SCORE || score < s->best)) s->best = score;
  StoreValue values[] = {store_text(exercise), store_integer(s->tries + 1), store_integer(s->passed || passed),
                         store_text(passed && what ? what : row.what), store_integer(s->best),
                         store_integer(s->solved ? s->solved : passed ? now : 0), store_integer(now)};
  store_change(progress_store(progress), "insert or replace into exercise values (?1, ?2, ?3, ?4, ?5, ?6, ?7)", values,
               LS_COUNT(values));
}

typedef struct Telling { SolvedEach *each; void *context; } Telling;

static bool tell(void *context, const StoreValue *row) {
  const Telling *telling = context;
  Solved solved = {(int)row[2].integer, row[3].integer != 0, row[4].integer, row[5].integer, row[6].integer};
  return telling->each(telling->context, row[0].text, row[1].text ? row[1].text : "", &solved);
}

void solved_each(Progress *progress, SolvedEach *each, void *context) {
  Telling telling = {each, context};
  store_ask(progress_store(progress),
            "select name, what, tries, passed, best, solved, updated from exercise order by name", NULL, 0, tell,
            &telling);
}
