// test_covers.c: the table in lessons/README.md of what each lesson is about is what course.lua says.
// UPDATE_COVERS=1 writes it anew.
#include "app/course/course.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"

static const char *const begin = "| lesson | kernels | claims | questions | errata |\n";
static const char readme_path[] = LS_SOURCE_DIR "/lessons/README.md";

static void add_list(LsText *out, const char **items, int count, const char *quote) {
  for (int i = 0; i < count; i++) ls_text_addf(out, "%s%s%s%s", i ? " " : "", quote, items[i], quote);
  ls_text_add(out, " | ");
}

static void add_row(LsText *out, const CourseLesson *lesson) {
  const CourseCovers *covers = &lesson->covers;
  ls_text_addf(out, "| %s %s | ", lesson->id, lesson->title);
  add_list(out, lesson->kernels, lesson->kernel_count, "`");
  add_list(out, covers->claims, covers->claim_count, "");
  add_list(out, covers->questions, covers->question_count, "");
  add_list(out, covers->errata, covers->erratum_count, "");
  out->data[--out->length] = 0;                     // the blank at the end
  ls_text_add(out, "\n");
}

static char *table_of(const Course *course) {
  LsText out = {0};
  ls_text_add(&out, begin);
  ls_text_add(&out, "| --- | --- | --- | --- | --- |\n");
  for (int i = 0; i < course->count; i++)
    if (course->lessons[i].file) add_row(&out, &course->lessons[i]);
  return ls_text_take(&out);
}

static void rewrite(const char *readme, const char *old, size_t length, const char *table) {
  LsText out = {0};
  ls_text_addn(&out, readme, (size_t)(old - readme));
  ls_text_add(&out, table);
  ls_text_add(&out, old + length);
  CHECK(ls_file_write(readme_path, out.data, out.length, NULL));
  ls_text_free(&out);
}

static void the_table_is_whole(void) {
  Course *course = course_open(NULL, NULL);
  char *readme = ls_file_read(readme_path, 1 << 20, NULL, NULL), *table = table_of(course);
  const char *old = readme ? strstr(readme, begin) : NULL;
  CU_ASSERT_FATAL(old != NULL);
  size_t length = 0;
  while (old[length] == '|') length += strcspn(old + length, "\n") + 1;
  bool same = strlen(table) == length && strncmp(table, old, length) == 0;
  if (!same && getenv("UPDATE_COVERS")) rewrite(readme, old, length, table);
  else if (!same) printf("\nthe table of lessons/README.md should be (UPDATE_COVERS=1 writes it):\n%s", table);
  CHECK(same || getenv("UPDATE_COVERS"));
  free(table);
  free(readme);
  course->free(course);
}

static void every_lesson_says_what_it_covers(void) {
  Course *course = course_open(NULL, NULL);
  for (int i = 0; i < course->count; i++) {
    const CourseLesson *lesson = &course->lessons[i];
    bool told = lesson->covers.claim_count + lesson->covers.question_count > 0;
    if (lesson->file && !told) printf("\n%s has no 'covers' in course.lua\n", lesson->id);
    CHECK(!lesson->file || told);
  }
  course->free(course);
}

// ---- what can be written -------------------------------------------------------------------------------------------

typedef struct Wrong { const char *field, *message; } Wrong;

static void names_are_checked(void) {
  static const Wrong wrong[] = {
      {"covers = { claim = {} }", "lesson 'X01', covers has an unknown field 'claim'; did you mean 'claims'?"},
      {"covers = { claims = { 'E01' } }", "'E01' is none of C with a number"},
      {"covers = { questions = { 'C01' } }", "'C01' is none of EQ FQ with a number"},
      {"covers = { questions = { 'FQ' } }", "'FQ' is none of EQ FQ with a number"},
      {"covers = { errata = { 'E1', 'E1' } }", "has 'E1' twice"},
      {"pictures = { {} }", "lesson 'X01', picture 1 has either a kernel or a model"},
      {"pictures = { { kernel = 'a', model = 'b' } }", "picture 1 has either a kernel or a model"},
      {"pictures = { { model = 'a' }, { kernel = 'a' } }", "picture 2: a kernel has a view, and a model has none"},
      {"pictures = { { model = 'a', view = 'b' } }", "a kernel has a view, and a model has none"},
      {"pictures = { { modell = 'a' } }", "has an unknown field 'modell'; did you mean 'model'?"},
      {"pictures = { 1 }", "picture 1 must be a table"},
      {"pictures = { {}, {}, {}, {}, {} }", "has 5 pictures; it can have 4"},
  };
  for (int i = 0; i < LS_COUNT(wrong); i++) {
    char folder[256];
    LsErr err = {0};
    CHECK(check_folder(folder, sizeof folder));
    char *path = ls_path_join(folder, "course.lua");
    char *text = ls_format("return { title = 'T', lessons = { { id = 'X01', name = 'one', title = 'One', glimpse = 'g', minutes = 1,"
                           " %s } } }", wrong[i].field);
    CHECK(ls_file_write(path, text, strlen(text), NULL));
    Course *course = course_open(folder, &err);
    if (!strstr(err.message, wrong[i].message)) printf("\n%s: %s\n", wrong[i].field, err.message);
    CHECK(!course && strstr(err.message, wrong[i].message));
    remove(path);
    remove(folder);
    free(text);
    free(path);
  }
}

static const Check checks[] = {
    {"the table is whole", the_table_is_whole},
    {"every lesson says what it covers", every_lesson_says_what_it_covers},
    {"names are checked", names_are_checked},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  return check_main("covers", checks, LS_COUNT(checks), argc, argv);
}
