// course.c: finding lessons by name, and what a student has done of them.
#include "app/course/course.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"

// "3", "L3", "l03" and "L03" are the same lesson.
static int lesson_number(const char *text) {
  if (tolower((unsigned char)*text) == 'l') text++;
  int64_t number;
  bool ok = isdigit((unsigned char)*text) && ls_parse_i64(*text == '0' && text[1] ? text + 1 : text, &number);
  return ok && number < 1000 ? (int)number : -1;
}

static bool is_called(const CourseLesson *lesson, const char *name) {
  int number = lesson_number(name);
  return strcasecmp(lesson->name, name) == 0 || strcasecmp(lesson->id, name) == 0 ||
         (number >= 0 && number == lesson_number(lesson->id));
}

static void fail_unknown(const Course *course, const char *name, LsErr *err) {
  const char *nearest = NULL;
  int best = LS_MIN((int)strlen(name) / 2 + 1, 4);
  LsText list = {0};
  for (int i = 0; i < course->count; i++) {
    const CourseLesson *lesson = &course->lessons[i];
    int distance = ls_edit_distance(lesson->name, name);
    ls_text_addf(&list, "%s%s %s", i ? ", " : "", lesson->id, lesson->name);
    if (distance < best) {
      best = distance;
      nearest = lesson->name;
    }
  }
  ls_fail(err, LS_EREQUEST, "there is no lesson '%s'", LS_QUOTE(name));
  if (nearest) ls_err_append(err, "Did you mean %s?", nearest);
  ls_err_append(err, "there are: %s", ls_text_str(&list));
  ls_text_free(&list);
}

const CourseLesson *course_find(const Course *course, const char *name, LsErr *err) {
  for (int i = 0; i < course->count; i++)
    if (is_called(&course->lessons[i], name)) return &course->lessons[i];
  fail_unknown(course, name, err);
  return NULL;
}

CourseState course_state(const CourseLesson *lesson, Progress *progress, ProgressLesson *place) {
  ProgressLesson own;
  if (!place) place = &own;
  *place = (ProgressLesson){0};
  bool known = progress && progress_lesson(progress, lesson->id, place);
  if (!lesson->file) return COURSE_PLANNED;
  if (!known) return COURSE_NEW;
  return place->done ? COURSE_DONE : COURSE_BEGUN;
}

const char *course_state_name(CourseState state) {
  static const char *const names[] = {"planned", "new", "begun", "done"};
  return names[state];
}

const CourseLesson *course_next(const Course *course, Progress *progress) {
  const CourseLesson *first_new = NULL;
  for (int i = 0; i < course->count; i++) {
    CourseState state = course_state(&course->lessons[i], progress, NULL);
    if (state == COURSE_BEGUN) return &course->lessons[i];
    if (state == COURSE_NEW && !first_new) first_new = &course->lessons[i];
  }
  return first_new;
}

void course_count(const Course *course, Progress *progress, int *done, int *open) {
  *done = *open = 0;
  for (int i = 0; i < course->count; i++) {
    *open += course->lessons[i].file != NULL;
    *done += course_state(&course->lessons[i], progress, NULL) == COURSE_DONE;
  }
}
