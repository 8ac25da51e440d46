// The quiz: every family asks, what is due comes first, and nothing but its marks is kept of a quiz.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/course/lesson.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/pages/page.h"

enum { DAY = 24 * 60 * 60 };

static RecipeBook *book;
static Course *course;

typedef struct Asked { int questions, writings; char first[64], titles[2048]; } Asked;

static void take(void *context, const Lesson *lesson, const LessonStep *step) {
  Asked *asked = context;
  (void)lesson;
  if (step->skill && !asked->questions++) snprintf(asked->first, sizeof asked->first, "%s", step->skill);
  asked->writings += step->kind == LESSON_WRITE;
  strncat(asked->titles, step->title, sizeof asked->titles - strlen(asked->titles) - 1);
}

// Plays it with right answers.
static Asked play(const CourseQuiz *quiz, Progress *progress) {
  LsErr err = {0};
  Asked asked = {0};
  Lesson *lesson = lesson_quiz(course, quiz, book, progress, &err);
  bool ok = lesson && lesson_next(lesson, &err) == LESSON_MOVED && lesson_auto(lesson, take, &asked, &err);
  if (!ok) printf("\n%s: %s:%d: %s\n", quiz->family ? quiz->family : "quiz", err.file, err.line, err.message);
  CHECK(ok);
  lesson_free(lesson);
  return asked;
}

static bool is_lesson(const char *id) {
  for (int i = 0; i < course->count; i++)
    if (strcmp(course->lessons[i].id, id) == 0) return true;
  return false;
}

static void every_family_asks(void) {
  LsErr err = {0};
  LsArena *arena = ls_arena_new();
  CourseFamily *list = NULL;
  int count = 0, faux = 0;
  Progress *progress = progress_open(":memory:");
  CHECK(course->families(course, arena, &list, &count, &err));
  for (int i = 0; i < count; i++) {
    const CourseFamily *family = &list[i];
    Asked asked = play(&(CourseQuiz){.family = family->id}, progress);
    int wanted = family->skill_count ? LS_MAX(family->skill_count, 3) : 0;
    if (asked.questions != wanted) printf("\n%s: %d of %d questions\n", family->id, asked.questions, wanted);
    CHECK(asked.questions == wanted && asked.writings == family->open && (family->open || wanted));
    CHECK(is_lesson(family->lesson));
    faux += family->id[0] == 'F';
  }
  CHECK_INT(faux, 11);
  progress_close(progress);
  ls_arena_free(arena);
}

static void due_comes_first(void) {
  int64_t now = time(NULL);
  Progress *progress = progress_open(":memory:");
  CHECK_INT(play(&(CourseQuiz){0}, progress).questions, 0);              // nothing was begun
  progress_save_lesson(progress, "L03", &(ProgressLesson){.step = 3, .steps = 20});
  skill_graded(progress, "L08.rows", FSRS_GOOD, now - 30 * DAY);
  skill_graded(progress, "L04.masks", FSRS_GOOD, now);
  skill_graded(progress, "L11.word", FSRS_AGAIN, now - DAY);
  Asked asked = play(&(CourseQuiz){0}, progress);
  CHECK_STR(asked.first, "L11.word");                                    // it failed
  CHECK_INT(asked.questions, 2 + 4);                                     // two are due, and four new ones of L03
  CHECK(strstr(asked.titles, "Bank conflicts") != NULL);
  CHECK_INT(play(&(CourseQuiz){0}, progress).questions, 0);              // that was all of this day
  ProgressLesson place;
  CHECK(!progress_lesson(progress, "quiz", &place));
  progress_close(progress);
}

// ---- one day -------------------------------------------------------------------------------------------------------

// Twenty skills are due and lessons have new ones: a day asks 15 and 4, whoever asks, and gives back what was not
// asked.
static void a_day_has_so_many(void) {
  Progress *progress = progress_open(":memory:");
  static const char *const lessons[] = {"L03", "L04", "L08"};
  int64_t now = time(NULL);
  LsArena *arena = ls_arena_new();
  int due = 0;
  for (int i = 0; i < course->count && due < 20; i++) {
    const char **names;
    int count;
    CHECK(course->skills(course, &course->lessons[i], arena, &names, &count, NULL));
    for (int k = 0; k < count && due < 20; k++, due++) skill_graded(progress, names[k], FSRS_GOOD, now - 30 * DAY);
  }
  for (int i = 0; i < LS_COUNT(lessons); i++)
    progress_save_lesson(progress, lessons[i], &(ProgressLesson){.step = 3, .steps = 20});
  CHECK_INT(due, 20);
  LsErr err = {0};
  Lesson *window = lesson_quiz(course, &(CourseQuiz){0}, book, progress, &err);
  CHECK(window && lesson_next(window, &err) == LESSON_MOVED);
  CHECK_INT(play(&(CourseQuiz){0}, progress).questions, 0);              // the other window has them all
  lesson_answer(window, lesson_current(window)->question.answer);
  lesson_free(window);
  CHECK(skills_left(progress, false, now) == SKILL_DUE_A_DAY - 1 && skills_left(progress, true, now) == 4);
  CHECK_INT(play(&(CourseQuiz){0}, progress).questions, SKILL_DUE_A_DAY - 1 + SKILL_FRESH_A_DAY);
  CHECK_INT(play(&(CourseQuiz){0}, progress).questions, 0);
  CHECK(skills_left(progress, false, now) == 0 && skills_left(progress, true, now) == 0);
  CHECK(skills_left(progress, false, now + DAY) == SKILL_DUE_A_DAY);
  CHECK_INT(play(&(CourseQuiz){.mix = 7}, progress).questions, 7);       // on one's own wish there is more
  ls_arena_free(arena);
  progress_close(progress);
}

// A window that was killed holds what it claimed for an hour; what it asked counts, and may be asked again that day.
static void a_claim_ends(void) {
  Progress *progress = progress_open(":memory:");
  int64_t now = time(NULL) / DAY * DAY + DAY / 2;
  CHECK(skills_claim(progress, "L03.warps", false, 1, now) && skills_claim(progress, "L03.warps", false, 1, now + 9));
  CHECK(!skills_claim(progress, "L03.warps", false, 2, now + 60));
  CHECK(skills_claim(progress, "L03.warps", false, 2, now + 2 * 60 * 60));
  skill_graded(progress, "L03.warps", FSRS_AGAIN, now + 2 * 60 * 60 + 5);
  CHECK(skills_claim(progress, "L03.warps", false, 3, now + 2 * 60 * 60 + 10));
  CHECK_INT(skills_left(progress, false, now), SKILL_DUE_A_DAY - 1);
  progress_close(progress);
}

static void mixes_and_lessons(void) {
  Progress *progress = progress_open(":memory:");
  CHECK_INT(play(&(CourseQuiz){.mix = 7}, progress).questions, 7);
  CHECK_INT(play(&(CourseQuiz){.lesson = "L11"}, progress).questions, 10);
  CHECK_INT(play(&(CourseQuiz){.lesson = "L11", .mix = 2}, progress).questions, 2);
  CHECK_INT(play(&(CourseQuiz){.mix = 3}, NULL).questions, 3);
  progress_close(progress);
}

// ---- on the screen -------------------------------------------------------------------------------------------------

static char *screen(Page *page, int cols, int rows) {
  LsText text = {0};
  Canvas *canvas = canvas_new(cols, rows);
  page_draw(page, canvas);
  canvas_to_text(canvas, false, &text);
  canvas_free(canvas);
  return text.data;
}

static void press(Page *page, uint32_t code) { page->class->key(page, (AppKey){.code = code}); }

static void boxes_are_shown(void) {
  static const struct { int cols, rows; } sizes[] = {{80, 24}, {60, 18}, {120, 36}, {20, 5}};
  Progress *progress = progress_open(":memory:");
  skill_graded(progress, "L11.word", FSRS_EASY, 1000);
  Page *page = page_quiz_new(course, progress, book);
  for (int i = 0; i < LS_COUNT(sizes); i++) {
    char *text = screen(page, sizes[i].cols, sizes[i].rows);
    bool small = sizes[i].cols < 80;
    CHECK(small || (strstr(text, "quiz") && strstr(text, "what is due") && strstr(text, "ask me")));
    free(text);
  }
  char *text = screen(page, 80, 24);
  CHECK(strstr(text, "1 question is due: L11 1") != NULL);
  free(text);
  press(page, '/');
  for (const char *key = "FQ5"; *key; key++) press(page, (uint32_t)*key);
  text = screen(page, 80, 24);
  const char *row = strstr(text, "FQ5");
  CHECK(row && strcspn(row, "1") < strcspn(row, "\n") && strstr(text, "4 not asked yet") != NULL);
  free(text);
  press(page, KEY_RETURN_);
  press(page, KEY_RETURN_);
  CHECK(page->open != NULL);
  if (page->open) page->open->class->free(page->open);
  page->class->free(page);
  progress_close(progress);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"every family asks", every_family_asks},
      {"due comes first", due_comes_first},
      {"a day has so many", a_day_has_so_many},
      {"a claim ends", a_claim_ends},
      {"mixes and lessons", mixes_and_lessons},
      {"boxes are shown", boxes_are_shown},
  };
  LsErr err = {0};
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  book = recipe_book_open(NULL, NULL);
  course = course_open(NULL, &err);
  int status = course ? check_main("quiz", checks, LS_COUNT(checks), argc, argv) : 1;
  if (!course) printf("%s:%d: %s\n", err.file, err.line, err.message);
  if (course) course->free(course);
  book->free(book);
  return status;
}
