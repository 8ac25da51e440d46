// test_hunt.c: rooms of the museum as exercises: the lecture's form fails by what it does, the right one passes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/practice/hunt.h"
#include "app/practice/judge.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "source_dir.h"

enum { SKIPPED = 77, LEAST_ROOMS = 20 };

static Course *course;
static RecipeBook *book;
static HuntList hunts;

static bool judge(const Exercise *e, const char *file, Verdict *verdict) {
  char *path = exercise_file(e, file);
  LsErr err = {0};
  JudgeRequest request = {.path = path, .alone = true, .fast = true};
  bool ok = judge_file(e, &request, NULL, verdict, &err);
  if (!ok) printf("\n%s %s: %s\n", e->id, file, err.message);
  CHECK(ok);
  free(path);
  return ok;
}

static void starter_fails(const Exercise *e) {
  Verdict v;
  if (!judge(e, "starter", &v)) return;
  bool by_itself = v.failed && (v.failure.how == VERDICT_FAULT || v.failure.how == VERDICT_RESULT);
  if (!by_itself) printf("\n%s fails otherwise: %s\n", e->id, v.failed ? v.failure.message : "not at all");
  CHECK(by_itself && v.failure.index == 0);       // where it shows
  verdict_fini(&v);
}

static void reference_passes(const Exercise *e) {
  Verdict v;
  if (!judge(e, "reference", &v)) return;
  if (!v.passed) printf("\n%s: the right form fails: %s\n", e->id, v.failure.message);
  CHECK(v.passed && v.cases_passed == e->case_count);
  verdict_fini(&v);
}

static void t_rooms(void) {
  CHECK(hunts.count >= LEAST_ROOMS);
  for (int i = 0; i < hunts.count; i++) {
    LsErr err = {0};
    Exercise *e = hunt_open(&hunts, hunts.rooms[i]->id, book, &err);
    CHECK(e != NULL);
    if (!e) continue;
    CHECK(e->case_count > 0);
    starter_fails(e);
    reference_passes(e);
    hunt_free(e);
  }
}

static void t_names(void) {
  LsErr err = {0};
  Exercise *e = hunt_open(&hunts, "e57", book, &err);
  LsText cases = {0};
  CHECK(e != NULL);
  if (!e) return;
  exercise_cases(e, &cases);
  CHECK(strstr(ls_text_str(&cases), "steps=1000") && !strstr(ls_text_str(&cases), "form="));
  CHECK(!strstr(ls_text_str(&cases), "drawn"));
  ls_text_free(&cases);
  hunt_free(e);
  CHECK(hunt_open(&hunts, "E08", book, &err) == NULL && err.kind == LS_EREQUEST);   // a card
}

static const Check checks[] = {{"rooms can be mended", t_rooms}, {"names, cases", t_names}};

int main(int argc, char **argv) {
  LsText found = {0}, meaning = {0};
  LsErr err = {0};
  setenv("LANESCOPE_DATA", source_dir(), 0);
  int compilers = dev_compilers(&found, &meaning);
  ls_text_free(&found);
  ls_text_free(&meaning);
  if (!compilers) return puts("no CUDA compiler is here"), SKIPPED;
  book = recipe_book_open(NULL, &err);
  course = book ? course_open(NULL, &err) : NULL;
  if (!course || !hunt_list(course, book, &hunts, &err)) return puts(err.message), 1;
  int status = check_main("hunt", checks, LS_COUNT(checks), argc, argv);
  hunt_list_free(&hunts);
  course->free(course);
  book->free(book);
  return status;
}
