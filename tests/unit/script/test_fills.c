// test_fills.c: every answer that a lesson knows is as the lesson says, right or wrong, and its PTX is shipped.
//
// With WRITE_FILLS=FOLDER it writes what assets/make-fills needs: a folder for each answer whose PTX is missing, and
// the
// names of all of them.
#include <dirent.h>

#include "app/course/lesson.h"
#include "app/course/lesson_parts.h"
#include "app/run/run_parts.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"

static RecipeBook *book;
static const char *to;                  // WRITE_FILLS
static char *names[4096];
static int count;

static bool is_known(const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

// The source with what it includes, and how it is compiled.
static void write_fill(const RunRequest *request, const RunMade *made) {
  LsErr err = {0};
  RunTextFolder folder;
  LsText how = {0};
  char *into = ls_path_join(to, ls_path_base(made->path)), *file = ls_path_join(into, "how");
  CHECK(ls_make_dirs(into, &err) && run_text_write(request, &folder, &err));
  char *copy = ls_format("cp \"$(dirname '%s')\"/*.cu '%s'", folder.path, into);
  CHECK_INT(system(copy), 0);
  run_text_remove(&folder, NULL);
  ls_text_addf(&how, "%s %d %s %s\n", made->source, made->arch, made->written ? "-G" : "-lineinfo",
               made->define ? made->define : "");
  CHECK(ls_file_write(file, ls_text_str(&how), how.length, &err));
  ls_text_free(&how);
  free(copy);
  free(file);
  free(into);
}

static void see_request(const RunRequest *request, const char *lesson, const char *title) {
  RunMade made;
  LsErr err = {0};
  CU_ASSERT_FATAL(run_request_made(request, &made, &err));
  const char *name = ls_path_base(made.path);
  bool there = ls_file_exists(made.path);
  if (!is_known(name) && count < LS_COUNT(names)) {
    names[count++] = ls_strdup(name);
    if (!there && to) write_fill(request, &made);
    if (!there && !to) printf("\n%s, %s: assets/fills/%s is missing: make fills\n", lesson, title, name);
    CHECK(there || to);
  }
  free(made.path);
}

static void see_work(void *context, const Lesson *lesson, const LessonStep *step) {
  const LessonWork *work = step->work;
  (void)context;
  for (int a = 0; work && a < work->answer_count; a++)
    for (int r = 0; r < work->run_count; r++) {
      RunRequest request;
      LsErr err = {0};
      CHECK(lesson_want_request(&work->runs[r], lesson_book(lesson), &request, &err));
      char *source = work_source(work, work->answers[a].text);
      run_request_set_text(&request, source);
      see_request(&request, lesson_info(lesson)->id, step->title);
      free(source);
      run_request_fini(&request);
    }
}

static void check_work(void *context, const Lesson *lesson, const LessonStep *step) {
  LsErr err = {0};
  see_work(context, lesson, step);
  if (!step->work || to) return;
  bool ok = lesson_work_check((Lesson *)lesson, &err);
  if (!ok) printf("\n%s: %s\n", lesson_info(lesson)->id, err.message);
  CHECK(ok);
}

static void answers_are_as_lessons_say(void) {
  LsErr err = {0};
  Course *course = course_open(NULL, &err);
  CU_ASSERT_FATAL(course != NULL);
  for (int i = 0; i < course->count; i++) {
    if (!course->lessons[i].file) continue;
    Lesson *lesson = lesson_open(course, course->lessons[i].id, book, NULL, &err);
    bool ok = lesson && lesson_auto(lesson, check_work, NULL, &err);
    if (!ok) printf("\n%s: %s:%d: %s\n", course->lessons[i].id, err.file, err.line, err.message);
    CHECK(ok);
    lesson_free(lesson);
  }
  course->free(course);
}

static void nothing_is_left_over(void) {
  char *folder = ls_data_path("assets/fills", NULL);
  DIR *dir = opendir(folder);
  CU_ASSERT_FATAL(dir != NULL);
  for (struct dirent *entry; (entry = readdir(dir));) {
    if (!ls_ends_with(entry->d_name, ".ptx")) continue;
    if (!is_known(entry->d_name)) printf("\nassets/fills/%s: no lesson knows it: make fills\n", entry->d_name);
    CHECK(is_known(entry->d_name));
  }
  closedir(dir);
  free(folder);
}

static const Check checks[] = {{"answers are as lessons say", answers_are_as_lessons_say},
                               {"nothing is left over", nothing_is_left_over}};

static int write_all(void) {
  Check play[] = {checks[0]};
  char *known = ls_path_join(to, "known");
  LsText list = {0};
  int status = check_main("fills", play, 1, 1, NULL);
  for (int i = 0; i < count; i++) ls_text_addf(&list, "%s\n", names[i]);
  if (status == 0 && !ls_file_write(known, ls_text_str(&list), list.length, NULL)) status = 1;
  ls_text_free(&list);
  free(known);
  return status;
}

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  to = getenv("WRITE_FILLS");
  book = recipe_book_open(NULL, NULL);
  int status = to ? write_all() : check_main("fills", checks, LS_COUNT(checks), argc, argv);
  for (int i = 0; i < count; i++) free(names[i]);
  book->free(book);
  return status;
}
