// cmd_quiz.c: lanescope quiz: questions of a family, a lesson or the course on the screen or line by line, and the
// list of
// families.
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/lesson_lines.h"
#include "cli/plain.h"
#include "script/lesson.h"
#include "ui/pages/page.h"

typedef struct Quiz {
  Course *course;
  RecipeBook *book;
  Progress *progress;
  LsArena *arena;
  CourseFamily *families; int count;
  CourseQuiz wish;
} Quiz;

// ---- the list ------------------------------------------------------------------------------------------------------

static void json_skill(LsJson *json, Progress *progress, const char *name) {
  SkillState state;
  skill_state(progress, name, time(NULL), &state);
  ls_json_open(json, '{');
  ls_json_member(json, "id", name);
  ls_json_member_i64(json, "seen", state.seen);
  ls_json_member_i64(json, "right", state.right);
  ls_json_member_i64(json, "box", fsrs_box(state.memory));
  ls_json_member_bool(json, "due", skill_is_due(&state, time(NULL)));
  ls_json_close(json, '}');
}

static void list_json(const Quiz *quiz) {
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_open_member(&json, "families", '[');
  for (int i = 0; i < quiz->count; i++) {
    const CourseFamily *family = &quiz->families[i];
    ls_json_open(&json, '{');
    ls_json_member(&json, "id", family->id);
    ls_json_member(&json, "topic", family->topic);
    ls_json_member(&json, "lesson", family->lesson);
    ls_json_member_bool(&json, "open", family->open);
    ls_json_open_member(&json, "skills", '[');
    for (int k = 0; k < family->skill_count; k++) json_skill(&json, quiz->progress, family->skills[k]);
    ls_json_close(&json, ']');
    ls_json_close(&json, '}');
  }
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  cli_print_json(&text);
}

static void list_text(const Quiz *quiz) {
  for (int i = 0; i < quiz->count; i++) {
    const CourseFamily *family = &quiz->families[i];
    plain_print(stdout, "%-5s %-44s %s  %d skill%s%s\n", family->id, family->topic, family->lesson, family->skill_count,
                family->skill_count == 1 ? "" : "s", family->open ? ", an open question" : "");
  }
}

// ---- what is asked -------------------------------------------------------------------------------------------------

// By its id, in any case, or by words of its topic.
static const CourseFamily *find(const Quiz *quiz, const char *name, LsErr *err) {
  const CourseFamily *found = NULL;
  for (int i = 0; i < quiz->count; i++)
    if (strcasecmp(quiz->families[i].id, name) == 0) return &quiz->families[i];
  for (int i = 0; i < quiz->count && !found; i++)
    if (strcasestr(quiz->families[i].topic, name)) found = &quiz->families[i];
  if (!found) ls_fail(err, LS_EREQUEST, "there is no family '%s'; lanescope quiz --list lists all %d", name,
                      quiz->count);
  return found;
}

static bool read_wish(const Cli *cli, Quiz *quiz, LsErr *err) {
  enum { MOST_MIX = 50 };
  uint64_t mix = 0;
  const char *lesson = cli->value[OPT_ID_QUIZ_LESSON];
  const CourseFamily *family = cli->word_count ? find(quiz, cli->words[0], err) : NULL;
  const CourseLesson *info = lesson ? course_find(quiz->course, lesson, err) : NULL;
  if ((cli->word_count && !family) || (lesson && !info) || !cli_unsigned(cli, OPT_ID_MIX, 1, MOST_MIX, &mix,
      err)) return false;
  if (family && info) return ls_fail(err, LS_EREQUEST, "a family or a lesson, not both");
  quiz->wish = (CourseQuiz){family ? family->id : NULL, info ? info->id : NULL, (int)mix};
  return true;
}

// ---- asking --------------------------------------------------------------------------------------------------------

static Lesson *begin(const Quiz *quiz, LsErr *err) {
  return lesson_quiz(quiz->course, &quiz->wish, quiz->book, quiz->progress, err);
}

static int play(const Quiz *quiz, LsErr *err) {
  Lesson *lesson = begin(quiz, err);
  bool ok = lesson && lesson_next(lesson, err) != LESSON_BROKEN && lesson_auto(lesson, lesson_say_step, NULL, err);
  int right = 0, asked = 0;
  if (ok) lesson_score(lesson, &right, &asked);
  if (ok) plain_print(stdout, "quiz: %d of %d answers right\n", right, asked);
  lesson_free(lesson);
  return ok ? 0 : -1;
}

static int converse(const Quiz *quiz, LsErr *err) {
  plain_progress(quiz->progress);
  Lesson *lesson = begin(quiz, err);
  bool ok = lesson && lesson_next(lesson, err) != LESSON_BROKEN;
  ok = ok && lesson_in_lines(lesson, stdin, stdout, isatty(0), err);
  lesson_free(lesson);
  return ok ? 0 : -1;
}

static int show(const Cli *cli, const Quiz *quiz, LsErr *err) {
  bool chosen = quiz->wish.family || quiz->wish.lesson || quiz->wish.mix;
  Lesson *lesson = chosen ? begin(quiz, err) : NULL;
  if (chosen && !lesson) return -1;
  return cli_show_page(cli, lesson ? page_lesson_new(lesson, quiz->book)
                                   : page_quiz_new(quiz->course, quiz->progress, quiz->book), err);
}

static int ask(const Cli *cli, Quiz *quiz, LsErr *err) {
  bool alone = cli->given[OPT_ID_AUTO];
  quiz->progress = progress_open(alone ? ":memory:" : NULL);
  if (alone) skills_set_seed(quiz->progress, 1);
  if (!quiz->course->families(quiz->course, quiz->arena, &quiz->families, &quiz->count, err)) return -1;
  if (cli->given[OPT_ID_LIST] || cli->given[OPT_ID_JSON]) {
    if (cli->given[OPT_ID_JSON]) list_json(quiz);
    else list_text(quiz);
    return 0;
  }
  if (!read_wish(cli, quiz, err) || !lesson_seed(cli, quiz->progress, err)) return -1;
  return alone ? play(quiz, err) : cli_wants_screen(cli) ? show(cli, quiz, err) : converse(quiz, err);
}

int cmd_quiz(Cli *cli, LsErr *err) {
  Quiz quiz = {.book = cli_book(cli, err)};
  quiz.course = quiz.book ? course_open(NULL, err) : NULL;
  if (!quiz.course) return -1;
  quiz.arena = ls_arena_new();
  int status = ask(cli, &quiz, err);
  progress_close(quiz.progress);
  ls_arena_free(quiz.arena);
  quiz.course->free(quiz.course);
  return status;
}
