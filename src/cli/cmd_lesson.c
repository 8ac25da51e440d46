// cmd_lesson.c: lanescope lesson: one lesson on the screen, the list of them, or a lesson that answers itself.

#include <time.h>
#include <unistd.h>

#include "cli/busy.h"
#include "cli/cli.h"
#include "cli/lesson_lines.h"
#include "cli/plain.h"
#include "script/lesson.h"
#include "ui/pages/page.h"

// What came of its check, and which of its skills wait to be asked again.
static void json_skills(LsJson *json, const CourseLesson *lesson, Progress *progress) {
  SkillCheck check;
  SkillCounts counts = skills_count(progress, lesson->id, time(NULL));
  bool checked = skills_check(progress, lesson->id, &check);
  if (checked) ls_json_member_bool(json, "passed", check.passed);
  else ls_json_member(json, "passed", NULL);
  ls_json_member_i64(json, "skills", counts.known);
  ls_json_member_i64(json, "failed", counts.failed);
  ls_json_member_i64(json, "due", counts.due);
}

static void json_list(LsJson *json, const char *name, const char **items, int count) {
  ls_json_open_member(json, name, '[');
  for (int i = 0; i < count; i++) ls_json_str(json, items[i]);
  ls_json_close(json, ']');
}

static void json_covers(LsJson *json, const CourseLesson *lesson) {
  json_list(json, "kernels", lesson->kernels, lesson->kernel_count);
  json_list(json, "claims", lesson->covers.claims, lesson->covers.claim_count);
  json_list(json, "questions", lesson->covers.questions, lesson->covers.question_count);
  json_list(json, "errata", lesson->covers.errata, lesson->covers.erratum_count);
}

static void list_json(const Course *course, Progress *progress) {
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_open_member(&json, "lessons", '[');
  for (int i = 0; i < course->count; i++) {
    const CourseLesson *lesson = &course->lessons[i];
    ProgressLesson place = {0};
    CourseState state = course_state(lesson, progress, &place);
    ls_json_open(&json, '{');
    ls_json_member(&json, "id", lesson->id);
    ls_json_member(&json, "name", lesson->name);
    ls_json_member(&json, "title", lesson->title);
    ls_json_member(&json, "state", course_state_name(state));
    ls_json_member_i64(&json, "minutes", lesson->minutes);
    ls_json_member_i64(&json, "right", place.right);
    ls_json_member_i64(&json, "asked", place.asked);
    json_skills(&json, lesson, progress);
    json_covers(&json, lesson);
    ls_json_close(&json, '}');
  }
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  cli_print_json(&text);
}

// ", check 4 of 5, 2 skills due"
static void print_skills(const CourseLesson *lesson, Progress *progress) {
  SkillCheck check;
  SkillCounts counts = skills_count(progress, lesson->id, time(NULL));
  if (skills_check(progress, lesson->id, &check))
    plain_print(stdout, ", check %d of %d%s", check.right, check.total, check.passed ? "" : " (not passed)");
  if (counts.due) plain_print(stdout, ", %d skill%s due", counts.due, counts.due == 1 ? "" : "s");
  plain_print(stdout, "\n");
}

static void list_text(const Course *course, Progress *progress) {
  for (int i = 0; i < course->count; i++) {
    const CourseLesson *lesson = &course->lessons[i];
    CourseState state = course_state(lesson, progress, NULL);
    plain_print(stdout, "%s  %-28s %-8s %3d min  %s", lesson->id, lesson->title, course_state_name(state),
                lesson->minutes,
                lesson->name);
    print_skills(lesson, progress);
  }
}

// Plays the lesson with the right answers; nothing is saved.
static int play(Cli *cli, Course *course, const char *name, Progress *progress, LsErr *err) {
  RecipeBook *book = cli_book(cli, err);
  Lesson *lesson = book ? lesson_open(course, name, book, progress, err) : NULL;
  if (!lesson) return -1;
  busy_begin("playing the lesson");
  int right, asked, status = lesson_auto(lesson, lesson_say_step, NULL, err) ? 0 : -1;
  busy_end();
  lesson_score(lesson, &right, &asked);
  if (status == 0) plain_print(stdout, "%s: %d steps, %d of %d answers right\n", lesson_info(lesson)->id,
                               lesson_steps(lesson), right, asked);
  lesson_free(lesson);
  return status;
}

static int play_alone(Cli *cli, Course *course, const char *name, LsErr *err) {
  enum { USUAL_SEED = 1 };
  Progress *progress = progress_open(":memory:");
  skills_set_seed(progress, USUAL_SEED);
  int status = lesson_seed(cli, progress, err) ? play(cli, course, name, progress, err) : -1;
  progress_close(progress);
  return status;
}

// The lesson that was asked for, or the next one of the course.
static const char *name_of(const Course *course, Progress *progress, const char *name) {
  const CourseLesson *next = course_next(course, progress);
  return name ? name : next ? next->id : course->lessons[0].id;
}

static int show(Cli *cli, Course *course, const char *name, LsErr *err) {
  TermOptions options;
  RecipeBook *book = cli_book(cli, err);
  if (!book || !cli_term_options(cli, &options, err)) return -1;
  Progress *progress = progress_open(NULL);
  bool ready = lesson_seed(cli, progress, err);
  Lesson *lesson = ready ? lesson_begin(course, name_of(course, progress, name), book, progress, err) : NULL;
  int status = lesson ? ui_run(page_lesson_new(lesson, book), &options, err) : -1;
  progress_close(progress);
  return status;
}

// Text out, answers in, line by line. Somebody who types reads a step before asking for the next one.
static int converse(Cli *cli, Course *course, const char *name, LsErr *err) {
  RecipeBook *book = cli_book(cli, err);
  if (!book) return -1;
  Progress *progress = progress_open(NULL);
  plain_progress(progress);
  bool ready = lesson_seed(cli, progress, err);
  Lesson *lesson = ready ? lesson_open(course, name_of(course, progress, name), book, progress, err) : NULL;
  bool ok = lesson && lesson_in_lines(lesson, stdin, stdout, isatty(0), err);
  lesson_free(lesson);
  progress_close(progress);
  return ok ? 0 : -1;
}

static int list(const Cli *cli, Course *course) {
  Progress *progress = progress_open(NULL);
  if (cli->given[OPT_ID_JSON]) list_json(course, progress);
  else list_text(course, progress);
  plain_progress(progress);
  progress_close(progress);
  return 0;
}

int cmd_lesson(Cli *cli, LsErr *err) {
  const char *name = cli->word_count ? cli->words[0] : NULL;
  bool alone = cli->given[OPT_ID_AUTO] && !cli->given[OPT_ID_LIST];
  if (alone && !name)
    return ls_fail(err, LS_EREQUEST,
                   "lanescope lesson --auto needs the lesson's name; lanescope lesson --list lists them"), -1;
  Course *course = course_open(NULL, err);
  if (!course) return -1;
  int status = alone                                                ? play_alone(cli, course, name, err)
               : cli->given[OPT_ID_LIST] || cli->given[OPT_ID_JSON] ? list(cli, course)
               : cli_wants_screen(cli)                              ? show(cli, course, name, err)
                                                                    : converse(cli, course, name, err);
  course->free(course);
  return status;
}
