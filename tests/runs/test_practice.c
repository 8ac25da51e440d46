// test_practice.c: every exercise of the ladder: sound ways pass, and each wrong one fails by what its exercise says.
//
// EXERCISE=07 judges one exercise. PRACTICE_SEED=N draws other sizes and data.
#include <dirent.h>
#include <unistd.h>

#include "app/course/solved.h"
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
  snprintf(what, sizeof what, "it was to fail by '%s', and it does by '%s':", wrong->by,
           v.failed ? v.failure.kind : "");
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
    own |= e->given && strcmp(entry->d_name, e->given) == 0;
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

// ---- files of all kinds --------------------------------------------------------------------------------------------

static const Exercise *transpose(void) {
  int index = exercise_find(book, "07", NULL);
  return index < 0 ? NULL : book->get(book, index, NULL);
}

static char folder[128];

// A file as a student would save it, judged.
static bool judge_bytes(const char *bytes, size_t size, Verdict *verdict, LsErr *err) {
  char *path = ls_path_join(folder, "mine.cu");
  JudgeRequest request = {.path = path, .seed = 1, .alone = true};
  bool ok = ls_file_write(path, bytes, size, NULL) && judge_file(transpose(), &request, NULL, verdict, err);
  remove(path);
  free(path);
  return ok;
}

static void fails(const char *text, VerdictHow how, const char *kind, const char *says, int line) {
  Verdict v;
  LsErr err = {0};
  bool judged = judge_bytes(text, strlen(text), &v, &err);
  CHECK(judged);
  if (!judged) {
    printf("\n%s\n", err.message);
    return;
  }
  CHECK(v.failed && !v.passed);
  if (v.failed && !strstr(v.failure.message, says)) printf("\n'%s' is not in: %s\n", says, v.failure.message);
  CHECK(v.failed && strstr(v.failure.message, says) != NULL);
  CHECK_INT(v.failed ? v.failure.how : 0, how);
  CHECK_STR(v.failed ? v.failure.kind : "", kind);
  CHECK_INT(v.failed ? v.failure.line : 0, line);
  CHECK_INT(v.counter_count, 0);
  verdict_fini(&v);
}

#define HEAD "__global__ void transpose(float *out, const float *in, int rows, int cols) {\n"
#define INDEX "  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;\n"

static void slips_get_a_sentence(void) {
  fails("", VERDICT_COMPILE, "compile", "The file is empty. Wanted: __global__ void transpose(float *out,", 0);
  fails(" \n\t\n", VERDICT_COMPILE, "compile", "The file is empty", 0);
  fails(HEAD "  out[0] = zero;\n}\n", VERDICT_COMPILE, "compile", "mine.cu", 2);
  fails("__global__ void turn(float *out) { out[0] = 0; }\n", VERDICT_LAUNCH, "launch",
        "There is no kernel transpose in the file, but turn(float*)", 0);
  fails("void transpose(float *out) { out[0] = 0; }\n", VERDICT_LAUNCH, "launch", "There is no kernel in the file", 0);
  fails("__global__ void transpose(float *out, float *in, int rows, int cols) { out[0] = in[0]; }\n", VERDICT_LAUNCH,
        "launch", "it is transpose(float*, float*, int, int). Wanted: __global__ void transpose(float *out, const", 0);
  fails("extern \"C\" __global__ void transpose(float *out, const float *in, int n) { out[0] = in[n]; }\n",
        VERDICT_LAUNCH, "launch", "transpose has 3 parameters and not 4", 0);
  fails(HEAD "  __shared__ float much[1 << 16];\n  much[threadIdx.x] = in[0];\n  __syncthreads();\n"
        "  out[0] = much[rows];\n}\n", VERDICT_LAUNCH, "launch", "shared memory", 0);
  fails(HEAD "  volatile float *word = out;\n  if (threadIdx.x + threadIdx.y == 0)\n"
        "    for (unsigned long i = 0; i < 1ul << 60; i++) word[0] = i;\n}\n", VERDICT_BUDGET, "budget", "budget", 4);
}

static void results_are_told(void) {
  fails(HEAD INDEX "  if (x == 0 && y == 0) out[0] = in[0];\n}\n", VERDICT_RESULT, "result",
        "out[1] was never written, expected ", 0);
  fails(HEAD INDEX "  for (; y < rows && y < blockIdx.y * 32 + 32; y += 8)\n"
        "    if (x < cols) out[x * rows + y] = in[y * cols + x] + (x == 3 && y == 2);\n}\n",
        VERDICT_RESULT, "result", "out[194] is ", 0);
  fails(HEAD INDEX "  if (x < cols) out[y * cols + x] = in[x * rows + y + rows * cols];\n}\n", VERDICT_FAULT,
        "out_of_bounds", "in", 3);
}

static void what_is_no_text_is_refused(void) {
  Verdict v;
  LsErr err = {0};
  CHECK(!judge_bytes("\0\1ELF", 5, &v, &err) && err.kind == LS_EREQUEST && strstr(err.message, "zero byte"));
  size_t size = 50u << 20;
  char *much = malloc(size);
  if (much) memset(much, ' ', size);
  err = (LsErr){0};
  CHECK(much && !judge_bytes(much, size, &v, &err) && err.kind == LS_EREQUEST);
  free(much);
  JudgeRequest request = {.path = folder};
  err = (LsErr){0};
  CHECK(!judge_file(transpose(), &request, NULL, &v, &err) && err.kind == LS_EREQUEST);
  request.path = "/nowhere/mine.cu";
  err = (LsErr){0};
  CHECK(!judge_file(transpose(), &request, NULL, &v, &err) && err.kind == LS_EREQUEST);
}

// ---- seeds, progress, places ---------------------------------------------------------------------------------------

static bool judge_seeded(const char *file, uint64_t seed, RunProgress *progress, Verdict *verdict, LsErr *err) {
  char *path = exercise_file(transpose(), file);
  JudgeRequest request = {.path = path, .seed = seed};
  bool ok = judge_file(transpose(), &request, progress, verdict, err);
  free(path);
  return ok;
}

static void seeds_draw_sizes(void) {
  Verdict one, same, other;
  LsErr err = {0};
  CHECK(judge_seeded("reference", 5, NULL, &one, &err) && judge_seeded("reference", 5, NULL, &same, &err) &&
        judge_seeded("reference", 6, NULL, &other, &err));
  CHECK(one.passed && one.counter_count == same.counter_count && one.counter_count == other.counter_count);
  int last = one.counter_count - 1;
  CHECK_STR(one.counters[last].values, same.counters[last].values);
  CHECK(strcmp(one.counters[last].values, other.counters[last].values) != 0);
  for (int i = 0; i <= last; i++) CHECK_INT(one.counters[i].value, one.counters[i].reference);
  CHECK_INT(one.score_value, one.score_reference);
  verdict_fini(&one);
  verdict_fini(&same);
  verdict_fini(&other);
}

// The run of the failure has the fault at the step that is told.
static void faults_can_be_looked_at(void) {
  Verdict v;
  LsErr err = {0};
  bool judged = judge_seeded("wrong_2", 1, NULL, &v, &err);
  CHECK(judged && v.failed && v.failure.has_request && v.failure.step != UINT64_MAX);
  if (!judged) return;
  Run *run = run_new(&v.failure.request, NULL, &err);
  CHECK(run && run->trace && run->fault_count > 0);
  bool found = false;
  for (int i = 0; run && i < run->fault_count; i++)
    found |= run->faults[i].step == v.failure.step && run->faults[i].kind == FAULT_RACE;
  CHECK(found);
  run_free(run);
  verdict_fini(&v);
}

static void it_can_be_canceled(void) {
  RunProgress progress = {.cancel = true};
  Verdict v;
  LsErr err = {0};
  CHECK(!judge_seeded("reference", 1, &progress, &v, &err) && err.kind == LS_ECANCEL);
}

static void scores_are_kept(void) {
  Progress *progress = progress_open(":memory:");
  Verdict v = {.exercise = transpose(), .passed = true, .score = "sectors", .score_value = 200};
  verdict_keep(&v, progress);
  CHECK_INT(v.score_best, 200);
  v.score_value = 150;
  verdict_keep(&v, progress);
  v.score_value = 180;
  verdict_keep(&v, progress);
  CHECK_INT(v.score_best, 150);
  Verdict failed = {.exercise = transpose(), .failed = true, .score_value = SOLVED_NO_SCORE};
  verdict_keep(&failed, progress);
  Solved solved;
  CHECK(solved_load(progress, "transpose", &solved));
  CHECK(solved.passed && solved.solved > 0);
  CHECK_INT(solved.tries, 4);
  CHECK_INT(solved.best, 150);
  CHECK(!solved_load(progress, "map", &solved) && !solved.tries && solved.best == SOLVED_NO_SCORE);
  progress_close(progress);
}

static const Check checks[] = {
    {"slips get a sentence", slips_get_a_sentence},
    {"results are told", results_are_told},
    {"what is no text is refused", what_is_no_text_is_refused},
    {"seeds draw sizes", seeds_draw_sizes},
    {"faults can be looked at", faults_can_be_looked_at},
    {"it can be canceled", it_can_be_canceled},
    {"scores are kept", scores_are_kept},
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
  if (!book || !check_folder(folder, sizeof folder)) return puts(err.message), 1;
  int status = check_main("practice", checks, LS_COUNT(checks), argc, argv);
  rmdir(folder);
  book->free(book);
  return status;
}
