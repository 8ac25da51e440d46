// course_of.h: a course of one lesson, X01 "one", from a text.
#ifndef LS_TESTS_COURSE_OF_H
#define LS_TESTS_COURSE_OF_H

#include <unistd.h>

#include "app/course/lesson.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"

typedef struct CourseOf { Course *course; char folder[256]; } CourseOf;

static inline CourseOf course_of(const char *lesson) {
  static const char list[] =
      "return { title = 'T', lessons = { { id = 'X01', name = 'one', title = 'One', glimpse = 'g', "
                             "minutes = 1, file = 'one.lua' } } }";
  CourseOf of = {0};
  LsErr err = {0};
  CHECK(check_folder(of.folder, sizeof of.folder));
  char *course = ls_path_join(of.folder, "course.lua"), *file = ls_path_join(of.folder, "one.lua");
  CHECK(ls_file_write(course, list, strlen(list), NULL) && ls_file_write(file, lesson, strlen(lesson), NULL));
  free(course);
  free(file);
  of.course = course_open(of.folder, &err);
  if (!of.course) printf("\n%s\n", err.message);
  return of;
}

static inline void course_of_drop(CourseOf *of) {
  char *course = ls_path_join(of->folder, "course.lua"), *file = ls_path_join(of->folder, "one.lua");
  unlink(course);
  unlink(file);
  rmdir(of->folder);
  free(course);
  free(file);
  of->course->free(of->course);
}

// Opens it; what is wrong with it is printed. NULL: failed.
static inline Lesson *course_of_lesson(CourseOf *of, RecipeBook *book) {
  LsErr err = {0};
  Lesson *lesson = lesson_open(of->course, "one", book, NULL, &err);
  if (!lesson) printf("\n%s:%d: %s\n", err.file, err.line, err.message);
  CHECK(lesson != NULL);
  return lesson;
}

// A lesson that ends with an error, which has this in its message and this line.
static inline void course_of_fails(const char *text, int line, const char *message, RecipeBook *book) {
  CourseOf of = course_of(text);
  LsErr err = {0};
  Lesson *lesson = lesson_open(of.course, "one", book, NULL, &err);
  bool ok = lesson && lesson_auto(lesson, NULL, NULL, &err);
  CHECK(!ok);
  if (!strstr(err.message, message) || err.line != line)
    printf("\n%s\n  line %d: %s\n  expected line %d: %s\n", text, err.line, err.message, line, message);
  CHECK(strstr(err.message, message) != NULL);
  CHECK_INT(err.line, line);
  lesson_free(lesson);
  course_of_drop(&of);
}

#endif
