// cmd_practice.c: lanescope practice: kernels to write, and what is said of them.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/practice/hunt.h"
#include "app/practice/judge.h"
#include "base/file.h"
#include "cli/busy.h"
#include "cli/cli.h"
#include "cli/plain.h"
#include "cli/practice_lines.h"
#include "script/exercise.h"
#include "script/lesson.h"
#include "ui/pages/page.h"

// The ladder, and, once somebody asks for them, the rooms of the museum.
typedef struct Shelf {
  ExerciseBook *book;
  Course *course;
  HuntList hunts;
  Exercise *hunt;                  // the one that was chosen; NULL
} Shelf;

static bool open_hunts(Cli *cli, Shelf *shelf, LsErr *err) {
  RecipeBook *recipes = cli_book(cli, err);
  shelf->course = recipes ? course_open(NULL, err) : NULL;
  return shelf->course && hunt_list(shelf->course, recipes, &shelf->hunts, err);
}

static void close_shelf(Shelf *shelf) {
  hunt_free(shelf->hunt);
  hunt_list_free(&shelf->hunts);
  if (shelf->course) shelf->course->free(shelf->course);
  if (shelf->book) shelf->book->free(shelf->book);
}

// "E57"
static bool names_hunt(const char *word) {
  return toupper((unsigned char)*word) == 'E' && isdigit((unsigned char)word[1]);
}

static const Exercise *find_exercise(Cli *cli, Shelf *shelf, const char *name, LsErr *err) {
  if (names_hunt(name))
    return open_hunts(cli, shelf, err) ? shelf->hunt = hunt_open(&shelf->hunts, name, cli->book, err) : NULL;
  int index = exercise_find(shelf->book, name, err);
  return index < 0 ? NULL : shelf->book->get(shelf->book, index, err);
}

// The one that is named, or that the file is named after.
static const Exercise *choose(Cli *cli, Shelf *shelf, const char *file, LsErr *err) {
  if (cli->word_count) return find_exercise(cli, shelf, cli->words[0], err);
  const char *base = ls_path_base(file);
  if (names_hunt(base)) {
    char *stem = ls_strndup(base, strcspn(base, "."));
    const Exercise *hunt = find_exercise(cli, shelf, stem, err);
    free(stem);
    return hunt;
  }
  int index = exercise_find_for(shelf->book, file, err);
  return index < 0 ? NULL : shelf->book->get(shelf->book, index, err);
}

// ---- the ladder ----------------------------------------------------------------------------------------------------

static void lessons_text(const Exercise *e, LsText *out) {
  for (int i = 0; i < e->lesson_count; i++) ls_text_addf(out, "%s%s", i ? ", " : "", e->lessons[i]);
}

static bool list_hunts(Cli *cli, Shelf *shelf, LsErr *err) {
  if (!open_hunts(cli, shelf, err)) return false;
  plain_print(stdout, "\nMistakes of the lectures, to be mended:\n");
  for (int i = 0; i < shelf->hunts.count; i++) {
    const CourseRoom *room = shelf->hunts.rooms[i];
    plain_print(stdout, "%-5s %-19s %-36s %s\n", room->id, room->kernel, room->title, room->lesson ? room->lesson : "");
  }
  return true;
}

static bool list_text(ExerciseBook *book, LsErr *err) {
  for (int i = 0; i < book->count(book); i++) {
    const Exercise *e = book->get(book, i, err);
    if (!e) return false;
    LsText lessons = {0};
    lessons_text(e, &lessons);
    plain_print(stdout, "%s  %-17s %-36s %s\n", e->id, e->name, e->title, ls_text_str(&lessons));
    ls_text_free(&lessons);
  }
  return true;
}

static void json_exercise(LsJson *json, const Exercise *e) {
  ls_json_open(json, '{');
  ls_json_member(json, "number", e->id);
  ls_json_member(json, "name", e->name);
  ls_json_member(json, "title", e->title);
  ls_json_open_member(json, "lessons", '[');
  for (int i = 0; i < e->lesson_count; i++) ls_json_str(json, e->lessons[i]);
  ls_json_close(json, ']');
  ls_json_member(json, "teaches", e->teaches);
  ls_json_open_member(json, "kernels", '[');
  for (int i = 0; i < e->kernel_count; i++) ls_json_str(json, e->kernels[i]);
  ls_json_close(json, ']');
  ls_json_member_u64(json, "cases", (uint64_t)e->case_count);
  ls_json_member(json, "statement", e->statement);
  ls_json_close(json, '}');
}

static bool list_json(ExerciseBook *book, LsErr *err) {
  LsText text = {0};
  LsJson json;
  bool ok = true;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_open_member(&json, "exercises", '[');
  for (int i = 0; ok && i < book->count(book); i++) {
    const Exercise *e = book->get(book, i, err);
    ok = e != NULL;
    if (ok) json_exercise(&json, e);
  }
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  if (ok) cli_print_json(&text);
  ls_text_free(&text);
  return ok;
}

static bool list(Cli *cli, Shelf *shelf, LsErr *err) {
  if (cli->given[OPT_ID_JSON]) return list_json(shelf->book, err);
  return list_text(shelf->book, err) && list_hunts(cli, shelf, err);
}

// ---- a verdict as JSON ---------------------------------------------------------------------------------------------

static void json_number(LsJson *json, const char *key, int64_t value, int64_t unknown) {
  if (value == unknown) ls_json_member(json, key, NULL);
  else ls_json_member_i64(json, key, value);
}

static void json_failure(LsJson *json, const VerdictFailure *f) {
  ls_json_open_member(json, "failure", '{');
  ls_json_member(json, "how", verdict_how_name(f->how));
  ls_json_member(json, "kind", f->kind);
  ls_json_member(json, "message", f->message);
  ls_json_member(json, "says", f->says);
  ls_json_member(json, "advice", f->advice);
  ls_json_member(json, "case", f->values);
  ls_json_member_bool(json, "shown", f->shown);
  json_number(json, "order", f->order, -1);
  json_number(json, "line", f->line, 0);
  json_number(json, "at_step", f->step == UINT64_MAX ? -1 : (int64_t)f->step, -1);
  ls_json_close(json, '}');
}

static void json_counters(LsJson *json, const Verdict *v) {
  ls_json_open_member(json, "counters", '[');
  for (int i = 0; i < v->counter_count; i++) {
    const VerdictCounter *c = &v->counters[i];
    ls_json_open(json, '{');
    ls_json_member(json, "case", c->values);
    ls_json_member(json, "what", c->what);
    ls_json_member_i64(json, "value", c->value);
    ls_json_member_i64(json, c->is_least ? "least" : "most", c->bound);
    json_number(json, "reference", c->reference, INT64_MIN);
    ls_json_close(json, '}');
  }
  ls_json_close(json, ']');
}

static void json_score(LsJson *json, const Verdict *v) {
  if (!v->score) {
    ls_json_member(json, "score", NULL);
    return;
  }
  ls_json_open_member(json, "score", '{');
  ls_json_member(json, "what", v->score);
  json_number(json, "value", v->score_value, INT64_MIN);
  json_number(json, "reference", v->score_reference, INT64_MIN);
  json_number(json, "best", v->score_best, INT64_MIN);
  ls_json_close(json, '}');
}

static void print_json(const Verdict *v) {
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_member(&json, "exercise", v->exercise->name);
  ls_json_member(&json, "file", v->file);
  ls_json_member_bool(&json, "passed", v->passed);
  ls_json_member_u64(&json, "seed", v->seed);
  ls_json_member_u64(&json, "cases", (uint64_t)v->cases);
  ls_json_member_u64(&json, "cases_passed", (uint64_t)v->cases_passed);
  if (v->failed) json_failure(&json, &v->failure);
  else ls_json_member(&json, "failure", NULL);
  json_counters(&json, v);
  json_score(&json, v);
  ls_json_close(&json, '}');
  cli_print_json(&text);
}

// ---- judging -------------------------------------------------------------------------------------------------------

static int check(Cli *cli, Shelf *shelf, LsErr *err) {
  JudgeRequest request = {.path = cli->value[OPT_ID_CHECK], .seed = judge_seed()};
  Verdict verdict;
  if (!cli_unsigned(cli, OPT_ID_SEED, 0, INT64_MAX, &request.seed, err)) return -1;
  const Exercise *exercise = choose(cli, shelf, request.path, err);
  if (!exercise) return -1;
  bool judged = judge_file(exercise, &request, busy_begin("judging"), &verdict, err);
  busy_end();
  if (!judged) return -1;
  Progress *progress = progress_open(NULL);
  verdict_keep(&verdict, progress);
  progress_close(progress);
  if (cli->given[OPT_ID_JSON]) print_json(&verdict);
  else practice_print_verdict(&verdict);
  bool passed = verdict.passed;
  verdict_fini(&verdict);
  return passed ? 0 : 1;
}

// The ladder, or one exercise of it.
static int write_kernels(Cli *cli, Shelf *shelf, LsErr *err) {
  const Exercise *e = cli->word_count ? find_exercise(cli, shelf, cli->words[0], err)
                                      : shelf->book->get(shelf->book, 0, err);
  RecipeBook *recipes = e ? cli_book(cli, err) : NULL;
  if (!e || !recipes) return -1;
  Progress *progress = progress_open(NULL);
  int status = cli_wants_screen(cli)
                   ? cli_show_page(cli, cli->word_count ? page_practice_new(e, NULL, progress, recipes)
                                                        : page_ladder_new(shelf->book, progress, recipes), err)
                   : practice_in_lines(e, progress, err);
  progress_close(progress);
  return status;
}

int cmd_practice(Cli *cli, LsErr *err) {
  Shelf shelf = {.book = exercise_book_open(NULL, err)};
  if (!shelf.book) return -1;
  bool lists = cli->given[OPT_ID_LIST] || cli->given[OPT_ID_JSON] || (!cli->word_count && !cli_wants_screen(cli));
  int status;
  if (cli->given[OPT_ID_CHECK]) status = check(cli, &shelf, err);
  else if (lists) status = list(cli, &shelf, err) ? 0 : -1;
  else status = write_kernels(cli, &shelf, err);
  close_shelf(&shelf);
  return status;
}
