// test_practice.c: every exercise of the ladder: sound ways pass, and each wrong one fails by what its exercise says.
//
// EXERCISE=07 judges one exercise. PRACTICE_SEED=N draws other sizes and data.
#include <dirent.h>

#include "app/practice/judge.h"
#include "base/clock.h"
#include "base/file.h"
#include "check.h"
#include "script/exercise.h"
#include "source_dir.h"

static ExerciseBook *book;
enum { SKIPPED = 77 };

static uint64_t seed_of_test(void) {
  const char *given = getenv("PRACTICE_SEED");
  uint64_t seed = 1;
  if (given && !ls_parse_u64(given, &seed)) printf("\nPRACTICE_SEED is no number\n");
  return seed;
}

static void complain(const Exercise *e, const char *file, const char *what, const Verdict *v) {
  LsText words = {0};
  if (v) verdict_words(v, &words);
  printf("\n%s_%s/%s.cu: %s\n%s", e->id, e->name, file, what, ls_text_str(&words));
  ls_text_free(&words);
  CU_FAIL("exercise");
}

static bool judge(const Exercise *e, const char *file, Verdict *verdict) {
  char *path = exercise_file(e, file);
  LsErr err = {0};
  JudgeRequest request = {.path = path, .seed = seed_of_test(), .alone = true};
  bool ok = judge_file(e, &request, NULL, verdict, &err);
  char text[2400];
  ls_err_text(&err, text, sizeof text);
  if (!ok) complain(e, file, text, NULL);
  free(path);
  return ok;
}

static void must_pass(const Exercise *e, const char *file) {
  Verdict v;
  if (!judge(e, file, &v)) return;
  if (!v.passed) complain(e, file, "it is sound, and does not pass", &v);
  CHECK_INT(v.cases_passed, v.passed ? e->case_count : v.cases_passed);
  verdict_fini(&v);
}

static bool is_said(const VerdictFailure *f, const char *piece) {
  return strstr(f->message, piece) || (f->says && strstr(f->says, piece)) || (f->advice && strstr(f->advice, piece));
}

// by is a kind, or several with bars between them: compilers may lead to different ones.
static bool is_told_by(const char *by, const char *kind) {
  size_t length = strlen(kind);
  for (const char *at = by; *at; at += strcspn(at, "|"), at += *at == '|')
    if (strcspn(at, "|") == length && strncmp(at, kind, length) == 0) return true;
  return false;
}

static void must_fail(const Exercise *e, const ExerciseFile *wrong) {
  Verdict v;
  char what[256];
  if (!judge(e, wrong->name, &v)) return;
  snprintf(what, sizeof what, "by '%s' was to be told: ", wrong->by);
  if (v.passed) complain(e, wrong->name, "it is wrong, and passes", &v);
  else if (!is_told_by(wrong->by, v.failure.kind)) complain(e, wrong->name, what, &v);
  else if (wrong->says && !is_said(&v.failure, wrong->says)) {
    snprintf(what, sizeof what, "'%s' is not said:", wrong->says);
    complain(e, wrong->name, what, &v);
  }
  verdict_fini(&v);
}

static const ExerciseFile *listed(const Exercise *e, const char *name) {
  for (int i = 0; i < e->wrong_count; i++)
    if (strcmp(e->wrongs[i].name, name) == 0) return &e->wrongs[i];
  for (int i = 0; i < e->other_count; i++)
    if (strcmp(e->others[i].name, name) == 0) return &e->others[i];
  return NULL;
}

// What is in the folder and named nowhere is judged by nobody.
static void all_are_listed(const Exercise *e) {
  DIR *dir = opendir(e->folder);
  CHECK(dir != NULL);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    if (!ls_ends_with(entry->d_name, ".cu")) continue;
    char *name = ls_strndup(entry->d_name, strlen(entry->d_name) - 3);
    bool own = strcmp(name, "starter") == 0 || strcmp(name, "reference") == 0;
    if (!own && !listed(e, name)) complain(e, name, "it is neither in 'others' nor in 'wrong'", NULL);
    free(name);
  }
  if (dir) closedir(dir);
}

// It is what a student begins with: it compiles, has the wanted kernels, and is no answer.
static void starter_begins(const Exercise *e) {
  Verdict v;
  if (listed(e, "starter") || !judge(e, "starter", &v)) return;
  if (v.passed) complain(e, "starter", "it passes: there is nothing to write", &v);
  else if (v.failure.how == VERDICT_COMPILE || v.failure.how == VERDICT_LAUNCH)
    complain(e, "starter", "it has to compile, and have the wanted kernels", &v);
  verdict_fini(&v);
}

enum { LEAST_WRONG = 3 };

static void judge_exercise(const Exercise *e) {
  int wrong = 0;
  all_are_listed(e);
  must_pass(e, "reference");
  for (int i = 0; i < e->other_count; i++) must_pass(e, e->others[i].name);
  for (int i = 0; i < e->wrong_count; i++) {
    must_fail(e, &e->wrongs[i]);
    wrong += ls_starts_with(e->wrongs[i].name, "wrong_");
  }
  starter_begins(e);
  if (wrong < LEAST_WRONG || e->other_count < 2)
    complain(e, "*", "it needs two sound others, and three wrong ones", NULL);
}

static bool is_wanted(const Exercise *e) {
  const char *wanted = getenv("EXERCISE");
  return !wanted || !*wanted || strcmp(wanted, e->id) == 0 || strcmp(wanted, e->name) == 0;
}

static void ladder_is_right(void) {
  int judged = 0;
  for (int i = 0; i < book->count(book); i++) {
    LsErr err = {0};
    const Exercise *e = book->get(book, i, &err);
    char text[2400];
    ls_err_text(&err, text, sizeof text);
    if (!e) printf("\n%s\n", text);
    CHECK(e != NULL);
    if (!e || !is_wanted(e)) continue;
    uint64_t start = ls_clock_ns();
    judge_exercise(e);
    printf("%s %s %.1f s\n", e->id, e->name, (double)(ls_clock_ns() - start) * 1e-9);
    judged++;
  }
  CHECK(judged > 0);
}

static const Check checks[] = {
    {"the ladder is right", ladder_is_right},
};

int main(int argc, char **argv) {
  LsText found = {0}, meaning = {0};
  LsErr err = {0};
  setenv("LANESCOPE_DATA", source_dir(), 0);
  int compilers = dev_compilers(&found, &meaning);
  ls_text_free(&found);
  ls_text_free(&meaning);
  if (!compilers) {
    puts("no CUDA compiler is here");
    return SKIPPED;
  }
  book = exercise_book_open(NULL, &err);
  if (!book) return puts(err.message), 1;
  int status = check_main("practice", checks, LS_COUNT(checks), argc, argv);
  book->free(book);
  return status;
}
