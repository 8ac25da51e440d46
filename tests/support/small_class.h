// small_class.h: a course of four skills, and students whose reports are known.
#ifndef LS_TESTS_SMALL_CLASS_H
#define LS_TESTS_SMALL_CLASS_H

#include "app/report/class_write.h"
#include "check.h"

// ---- a course of two lessons, four skills and an open question -----------------------------------------------------

static CourseLesson small_lessons[] = {{.id = "L03", .name = "warps", .title = "Warps"},
                                 {.id = "L11", .name = "banks", .title = "Banks"}};
static const char *warp_skills[] = {"L03.warps"}, *bank_skills[] = {"L11.word", "L11.count", "L11.cure"};
static const char *family_skills[] = {"L11.word", "L11.count"};
static CourseFamily families[] = {{.id = "FQ5", .topic = "Bank conflicts", .lesson = "L11", .skills = family_skills,
                                   .skill_count = 2, .open = true}};

static bool get_families(Course *of, LsArena *arena, CourseFamily **list, int *count, LsErr *err) {
  (void)of, (void)arena, (void)err;
  *list = families;
  *count = LS_COUNT(families);
  return true;
}

static bool get_skills(Course *of, const CourseLesson *lesson, LsArena *arena, const char ***names, int *count,
                       LsErr *err) {
  (void)of, (void)arena, (void)err;
  bool banks = lesson == &small_lessons[1];
  *names = banks ? bank_skills : warp_skills;
  *count = banks ? LS_COUNT(bank_skills) : LS_COUNT(warp_skills);
  return true;
}

static Course small_course = {.title = "T", .lessons = small_lessons, .count = 2, .families = get_families,
                              .skills = get_skills};

static inline Class new_class(const CourseLesson *lesson, bool mixed) {
  Class class;
  LsErr err = {0};
  CHECK(class_new(&class, &small_course, lesson, mixed, &err));
  return class;
}

// ---- reports -------------------------------------------------------------------------------------------------------

// As many as there are names in it.
typedef struct Told {
  const char *who, *made, *course;
  ReportSkill skills[4];
  ReportLesson lessons[2];
  ReportOpen open[1];
  ReportDoubt doubts[1];
  ReportExercise practice[3];
} Told;

static inline Report report_of(Told *told, const Class *class) {
  Report report = {.program = "1", .course = told->course ? told->course : class->course, .who = told->who,
                   .made = told->made ? told->made : "2026-11-22", .skills = told->skills, .lessons = told->lessons,
                   .open = told->open, .doubts = told->doubts, .practice = told->practice};
  while (report.skill_count < 4 && told->skills[report.skill_count].id) {
    ReportSkill *skill = &told->skills[report.skill_count++];
    if (!skill->first) skill->first = skill->last = "2026-11-01";
    if (!(skill->score > 0)) skill->score = skill->right;
  }
  while (report.lesson_count < 2 && told->lessons[report.lesson_count].id) report.lesson_count++;
  while (report.practice_count < 3 && told->practice[report.practice_count].name) report.practice_count++;
  report.open_count = told->open[0].id != NULL;
  report.doubt_count = told->doubts[0].skill != NULL;
  return report;
}

static inline ClassTaken add(Class *class, Told *told) {
  Report report = report_of(told, class);
  return class_add(class, &report);
}

static const ReportWrong stride[] = {{"16", "That is the stride.", 2}, {"4", NULL, 1}}, four[] = {{"4", NULL, 1}},
    sixteen[] = {{"16", NULL, 1}};
static const double half[] = {1, 0.5, 0};

static inline Told ada(void) {
  return (Told){.who = "Ada", .skills = {{.id = "L11.word", .seen = 4, .right = 1, .score = 1.6,
                                          .sure = 2, .sure_wrong = 1,
                                          .wrong = stride, .wrong_count = 2},
                                         {.id = "L11.count", .seen = 2, .right = 2}},
                .lessons = {{.id = "L11", .done = true, .asked = 9, .right = 5}}, .open = {{"FQ5", half, 3, 20, NULL}}};
}

static inline Told ben(void) {
  return (Told){.who = "Ben", .skills = {{.id = "L11.word", .seen = 1, .wrong = four, .wrong_count = 1},
                                         {.id = "L11.count", .seen = 2, .right = 1, .wrong = sixteen,
                                          .wrong_count = 1}},
                .doubts = {{"L11.count", 3, "4127", "16", "it is 8"}}};
}

static inline Told cat(void) { return (Told){.who = "Cat"}; }
static inline Told dan(void) { return (Told){.who = "Dan", .lessons = {{.id = "L03"}}}; }

// Caller frees.
static inline char *text_of(Told *told, const Class *class) {
  LsText text = {0};
  Report report = report_of(told, class);
  report_json(&report, &text);
  return ls_text_take(&text);
}

#endif
