// report.c: gathers what is told of a student from the progress.
#include "app/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/course/day.h"
#include "app/course/doubts.h"
#include "app/course/judged.h"
#include "app/course/skills.h"
#include "app/course/solved.h"
#include "app/course/writing.h"
#include "app/report/course_hash.h"

enum { SECONDS_OF_MINUTE = 60 };

typedef struct Gathering {
  Report *report;
  Course *course;
  Progress *progress;
  const ReportWish *wish;
  CourseFamily *families; int family_count;
  int lesson_capacity, skill_capacity, open_capacity, doubt_capacity, exercise_capacity;
} Gathering;

static const char *day_text(Gathering *gathering, int64_t day) {
  char text[DAY_TEXT];
  day_print(day, text);
  return ls_arena_strdup(gathering->report->arena, text);
}

// ---- lessons -------------------------------------------------------------------------------------------------------

// Seconds that a student was at it, from the times of what was done, one after the other.
typedef struct Pace { int64_t last, seconds; int looked; } Pace;

static void add_time(Pace *pace, int64_t at) {
  if (pace->last) pace->seconds += LS_CLAMP(at - pace->last, 0, REPORT_PAUSE * SECONDS_OF_MINUTE);
  pace->last = at;
}

static bool take_answer(void *context, const StoreValue *row) {
  Pace *pace = context;
  add_time(pace, row[0].integer);
  pace->looked += row[1].integer != 0;
  return true;
}

static void gather_lesson(Gathering *gathering, const CourseLesson *info) {
  Report *report = gathering->report;
  ProgressLesson place;
  if (!progress_lesson(gathering->progress, info->id, &place)) return;
  Pace pace = {0};
  StoreValue id = store_text(info->id);
  add_time(&pace, place.started);
  store_ask(progress_store(gathering->progress), "select at, looked from reply where lesson = ?1 order by at", &id, 1,
            take_answer, &pace);
  add_time(&pace, place.updated);
  ReportLesson lesson = {.id = info->id, .done = place.done, .right = place.right, .asked = place.asked,
                         .looked = pace.looked, .minutes = (int)((pace.seconds + 30) / SECONDS_OF_MINUTE)};
  LS_PUSH(report->lessons, report->lesson_count, gathering->lesson_capacity, lesson);
}

// ---- skills --------------------------------------------------------------------------------------------------------

static const char *family_of(const Gathering *gathering, const char *skill) {
  for (int i = 0; i < gathering->family_count; i++)
    for (int k = 0; k < gathering->families[i].skill_count; k++)
      if (strcmp(gathering->families[i].skills[k], skill) == 0) return gathering->families[i].id;
  return NULL;
}

static const ReportWrong *wrong_of(Gathering *gathering, const SkillHistory *history) {
  ReportWrong *wrong = LS_NEW_ARRAY(gathering->report->arena, ReportWrong, history->wrong_count);
  for (int i = 0; i < history->wrong_count; i++) {
    const SkillWrong *one = &history->wrong[i];
    wrong[i] = (ReportWrong){one->given, *one->said ? one->said : NULL, one->count};
  }
  return wrong;
}

static double rounded(double value) { return round(value * 100) / 100; }

static bool take_skill(void *context, const char *name, const SkillState *state) {
  Gathering *gathering = context;
  Report *report = gathering->report;
  SkillHistory history;
  if (!skill_history(gathering->progress, name, report->arena, &history)) return true;
  const char *id = ls_arena_strdup(report->arena, name);
  ReportSkill skill = {
      .id = id, .family = family_of(gathering, id), .seen = history.seen, .right = history.right,
      .score = rounded(history.score), .box = fsrs_box(state->memory),
      .chance = rounded(skill_chance(state, gathering->wish->now)), .first = day_text(gathering, history.first_day),
      .last = day_text(gathering, history.last_day), .lapses = history.lapses, .sure = history.sure,
      .sure_wrong = history.sure_and_wrong,
      .wrong = wrong_of(gathering, &history), .wrong_count = history.wrong_count};
  LS_PUSH(report->skills, report->skill_count, gathering->skill_capacity, skill);
  return true;
}

// ---- open questions ------------------------------------------------------------------------------------------------

static bool is_family(const Gathering *gathering, const char *name) {
  for (int i = 0; i < gathering->family_count; i++)
    if (strcmp(gathering->families[i].id, name) == 0) return true;
  return false;
}

// The marks of a writing, "4,-,*", as points.
static int read_points(const char *marks, double points[WRITING_POINTS]) {
  int count = 0;
  while (*marks && count < WRITING_POINTS) {
    points[count++] = *marks == '-' ? 0 : *marks == '*' ? 0.5 : 1;
    marks += strcspn(marks, ",");
    marks += *marks == ',';
  }
  return count;
}

static void add_open(Gathering *gathering, const char *id, const char *text, const char *marks) {
  Report *report = gathering->report;
  double points[WRITING_POINTS];
  int count = read_points(marks, points);
  if (!count) return;
  ReportOpen open = {.id = ls_arena_strdup(report->arena, id), .of = count, .words = writing_word_count(text)};
  open.points = memcpy(LS_NEW_ARRAY(report->arena, double, count), points, sizeof *points * (size_t)count);
  open.text = gathering->wish->texts ? ls_arena_strdup(report->arena, text) : NULL;
  LS_PUSH(report->open, report->open_count, gathering->open_capacity, open);
}

static bool take_judged(void *context, const char *family, const char *text, const char *marks) {
  add_open(context, family, text, marks);
  return true;
}

// What was written in a lesson; of a family's question that is a draft. Lists from memory have no points, and are
// nobody else's business.
static bool take_writing(void *context, const StoreValue *row) {
  Gathering *gathering = context;
  if (is_family(gathering, row[1].text)) return true;
  char *id = ls_format("%s.%s", row[0].text, row[1].text);
  add_open(gathering, id, row[2].text, row[3].text);
  free(id);
  return true;
}

static void gather_open(Gathering *gathering) {
  judged_each(gathering->progress, take_judged, gathering);
  store_ask(progress_store(gathering->progress), "select lesson, name, words, marks from writing order by lesson, name",
            NULL, 0, take_writing, gathering);
}

// ---- doubts --------------------------------------------------------------------------------------------------------

static bool take_doubt(void *context, const Doubt *told) {
  Gathering *gathering = context;
  Report *report = gathering->report;
  LsArena *arena = report->arena;
  ReportDoubt doubt = {.skill = ls_arena_strdup(arena, told->skill), .draw = told->times,
                       .seed = ls_arena_format(arena, "%" PRIu64, told->seed),
                       .given = ls_arena_strdup(arena, told->given), .words = ls_arena_strdup(arena, told->words)};
  LS_PUSH(report->doubts, report->doubt_count, gathering->doubt_capacity, doubt);
  return true;
}

// ---- exercises -----------------------------------------------------------------------------------------------------

static bool take_exercise(void *context, const char *name, const char *what, const Solved *solved) {
  Gathering *gathering = context;
  Report *report = gathering->report;
  bool scored = solved->best != SOLVED_NO_SCORE;
  ReportExercise exercise = {.name = ls_arena_strdup(report->arena, name), .passed = solved->passed,
                             .tries = solved->tries, .score = scored ? (double)solved->best : NAN,
                             .counts = ls_arena_strdup(report->arena, what)};
  LS_PUSH(report->practice, report->practice_count, gathering->exercise_capacity, exercise);
  return true;
}

// ---- the report ----------------------------------------------------------------------------------------------------

static bool name_it(Gathering *gathering, LsErr *err) {
  LsText alias = {0};
  const char *as = gathering->wish->as;
  if (as && !report_is_name(as))
    return ls_fail(err, LS_EREQUEST, "--as takes a name of 1 to %d characters that begins with a letter or digit and "
                   "has no control characters, not '%s'", REPORT_NAME, LS_QUOTE(as));
  if (!as) report_alias(gathering->progress, &alias);
  gathering->report->who = ls_arena_strdup(gathering->report->arena, as ? as : ls_text_str(&alias));
  ls_text_free(&alias);
  return true;
}

// What is kept in memory because the file is none of ours would make a report of nothing.
static bool can_be_read(const Progress *progress, LsErr *err) {
  StoreState state = progress_state(progress);
  if (state < STORE_NEWER || state > STORE_NO_FILE) return true;
  LsText words = {0};
  store_words(progress_store((Progress *)progress), &words);
  ls_fail(err, LS_EFORMAT, "there is no report without the progress: %s", ls_text_str(&words));
  ls_text_free(&words);
  return false;
}

bool report_gather(Report *report, Course *course, Progress *progress, const ReportWish *wish, LsErr *err) {
  char hash[LS_SHA256_HEX];
  *report = (Report){.arena = ls_arena_new(), .program = LS_VERSION};
  Gathering gathering = {.report = report, .course = course, .progress = progress, .wish = wish};
  bool ok = can_be_read(progress, err) && name_it(&gathering, err) && course_hash(course, NULL, hash, err) &&
            course->families(course, report->arena, &gathering.families, &gathering.family_count, err);
  if (!ok) return false;
  report->course = ls_arena_strdup(report->arena, hash);
  report->made = day_text(&gathering, skill_day(wish->now));
  for (int i = 0; i < course->count; i++) gather_lesson(&gathering, &course->lessons[i]);
  skills_each(progress, wish->now, take_skill, &gathering);
  gather_open(&gathering);
  solved_each(progress, take_exercise, &gathering);
  doubts_each(progress, take_doubt, &gathering);
  return true;
}

void report_free(Report *report) {
  free(report->lessons);
  free(report->skills);
  free(report->open);
  free(report->practice);
  free(report->doubts);
  ls_arena_free(report->arena);
  *report = (Report){0};
}
