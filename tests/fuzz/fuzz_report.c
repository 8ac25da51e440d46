// fuzz_report.c: any bytes as the report of a student: refused, or sound; what was read is added to a class, written, and
// read again.
#include <stdlib.h>
#include <string.h>

#include "app/report/class_write.h"
#include "base/mem.h"
#include "fuzz.h"

static const char *skills[] = {"L11.count", "L11.word"};
static CourseLesson lessons[] = {{.id = "L11", .title = "Banks"}};

static bool no_families(Course *course, LsArena *arena, CourseFamily **list, int *count, LsErr *err) {
  (void)course, (void)arena, (void)list, (void)err;
  *count = 0;
  return true;
}

static bool two_skills(Course *course, const CourseLesson *lesson, LsArena *arena, const char ***names, int *count,
                       LsErr *err) {
  (void)course, (void)lesson, (void)arena, (void)err;
  *names = skills;
  *count = LS_COUNT(skills);
  return true;
}

static void add_up(const Report *report) {
  Course course = {.lessons = lessons, .count = 1, .families = no_families, .skills = two_skills};
  Class class;
  LsText text = {0};
  if (!class_new(&class, &course, NULL, true, NULL)) abort();
  class_add(&class, report);
  class_add(&class, report);
  class_end(&class);
  class_json(&(ClassFiles){.class = &class}, false, &text);
  if (class.student_count != 1) abort();
  ls_text_free(&text);
  class_free(&class);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static ReportReader *reader;
  if (!reader) setenv("LANESCOPE_DATA", LS_FUZZ_TOP, 1);
  if (!reader) reader = report_reader_new();
  char *bytes = ls_alloc(size + 1);
  memcpy(bytes, data, size);
  Report report, again;
  LsErr err = {0};
  bool read = report_parse(reader, bytes, size, &report, &err);
  if (!read && !err.message[0]) abort();
  if (read) {
    LsText text = {0};
    add_up(&report);
    report_json(&report, &text);
    if (!report_parse(reader, text.data, text.length, &again, &err)) abort();
    report_free(&again);
    ls_text_free(&text);
  }
  report_free(&report);
  free(bytes);
  return 0;
}
