// cmd_quiz.c: lanescope quiz: questions of a family, a lesson or the course on the screen or line by line, and what is
// kept of them.
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "app/course/day.h"
#include "app/course/due.h"
#include "app/report/history_file.h"
#include "base/file.h"
#include "base/output.h"
#include "cli/busy.h"
#include "cli/cli.h"
#include "cli/lesson_lines.h"
#include "cli/plain.h"
#include "cli/quiz_list.h"
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

// ---- what is kept --------------------------------------------------------------------------------------------------

// The day of an exam is set, or taken back.
static bool set_until(const Quiz *quiz, const char *date, LsErr *err) {
  int64_t day = 0, today = skill_day(time(NULL));
  if (strcmp(date, "none") != 0 && !day_parse(date, &day))
    return ls_fail(err, LS_EREQUEST, "--until takes the day of an exam, as 2027-02-10, or none, not '%s'",
                   LS_QUOTE(date));
  if (day && day < today) return ls_fail(err, LS_EREQUEST, "%s is over: --until takes a day to come, or none", date);
  skills_set_until(quiz->progress, day);
  LsText words = {0};
  due_exam_words(quiz->progress, time(NULL), &words);
  plain_print(stdout, "%s\n", day ? ls_text_str(&words) : "There is no exam.");
  ls_text_free(&words);
  return true;
}

static bool export_to(const Quiz *quiz, const char *path, LsErr *err) {
  LsText text = {0};
  history_write(quiz->progress, &text);
  bool to_stdout = strcmp(path, "-") == 0;
  bool ok = to_stdout ? fwrite(text.data, 1, text.length, stdout) == text.length
                      : ls_output_write(path, text.data, text.length, err);
  ls_text_free(&text);
  return ok;
}

static bool import_from(const Quiz *quiz, const char *path, LsErr *err) {
  enum { MOST_BYTES = 64 << 20 };
  int added = 0;
  char *text = ls_file_read(path, MOST_BYTES, NULL, err);
  bool ok = text && history_read(quiz->progress, text, path, &added, err);
  free(text);
  plain_progress(quiz->progress);
  if (ok) plain_print(stdout, "%d answer%s new.\n", added, added == 1 ? " is" : "s are");
  return ok;
}

static void list(const Cli *cli, const Quiz *quiz) {
  bool json = cli->given[OPT_ID_JSON];
  if (cli->given[OPT_ID_DOUBTS]) (json ? quiz_doubts_json : quiz_doubts_text)(quiz->progress);
  else (json ? quiz_list_json : quiz_list_text)(quiz->progress, quiz->families, quiz->count);
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
  busy_begin("playing the quiz");
  bool ok = lesson && lesson_next(lesson, err) != LESSON_BROKEN && lesson_auto(lesson, lesson_say_step, NULL, err);
  busy_end();
  int right = 0, asked = 0;
  if (ok) lesson_score(lesson, &right, &asked);
  if (ok) plain_print(stdout, "quiz: %d of %d answers right\n", right, asked);
  lesson_free(lesson);
  return ok ? 0 : -1;
}

static int converse(const Quiz *quiz, LsErr *err) {
  plain_progress(quiz->progress);
  Lesson *lesson = begin(quiz, err);
  bool ok = lesson && lesson_first(lesson, err) && lesson_in_lines(lesson, stdin, stdout, isatty(0), err);
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
  if (cli->given[OPT_ID_EXPORT]) return export_to(quiz, cli->value[OPT_ID_EXPORT], err) ? 0 : -1;
  if (cli->given[OPT_ID_IMPORT]) return import_from(quiz, cli->value[OPT_ID_IMPORT], err) ? 0 : -1;
  if (cli->given[OPT_ID_UNTIL]) return set_until(quiz, cli->value[OPT_ID_UNTIL], err) ? 0 : -1;
  if (cli->given[OPT_ID_LIST] || cli->given[OPT_ID_JSON] || cli->given[OPT_ID_DOUBTS]) return list(cli, quiz), 0;
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
