// The quiz: every family asks, what is due comes first, and nothing but its marks is kept of a quiz.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/course/doubts.h"
#include "app/course/family.h"
#include "app/course/lesson.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/pages/page.h"

enum { DAY = 24 * 60 * 60 };

static RecipeBook *book;
static Course *course;

typedef struct Asked { int questions, writings, played; char first[64], titles[2048]; } Asked;

static void take(void *context, const Lesson *lesson, const LessonStep *step) {
  Asked *asked = context;
  (void)lesson;
  if (step->skill && !asked->questions++) snprintf(asked->first, sizeof asked->first, "%s", step->skill);
  asked->writings += step->kind == LESSON_WRITE;
  asked->played += !step->skill && (step->kind == LESSON_PREDICT || step->kind == LESSON_TRY);
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

// What is done besides: a goal, a choice that is then defended, walks as a warp and as the banks, lines.
static int played_of(const char *family) {
  static const struct { const char *family; int steps; } all[] = {{"FQ1", 1}, {"FQ2", 1}, {"FQ4", 4}, {"FQ5", 4},
                                                                  {"EQ13", 1}, {"EQ22", 1}};
  for (int i = 0; i < LS_COUNT(all); i++)
    if (strcmp(all[i].family, family) == 0) return all[i].steps;
  return 0;
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
    int defended = strcmp(family->id, "FQ2") == 0;
    CHECK(asked.questions == wanted && asked.writings == family->open + defended && (family->open || wanted));
    CHECK_INT(asked.played, played_of(family->id));
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

// ---- open questions ------------------------------------------------------------------------------------------------

// A quiz of a family, at its open question: what comes before is answered.
static Lesson *at_open_question(const char *family, Progress *progress) {
  LsErr err = {0};
  Lesson *lesson = lesson_quiz(course, &(CourseQuiz){.family = family}, book, progress, &err);
  CHECK(lesson && lesson_next(lesson, &err) == LESSON_MOVED);
  while (!lesson_current(lesson)->writing) {
    lesson_skip(lesson);
    CHECK(lesson_next(lesson, &err) == LESSON_MOVED);
  }
  return lesson;
}

static CourseFamily family_of(const char *id, LsArena *arena) {
  CourseFamily *list = NULL;
  int count = 0;
  CHECK(course->families(course, arena, &list, &count, NULL));
  for (int i = 0; i < count; i++)
    if (strcmp(list[i].id, id) == 0) return list[i];
  CHECK(false);
  return (CourseFamily){0};
}

static void expect_open(Progress *progress, const CourseFamily *family, const char *expected, bool known) {
  FamilyState state;
  LsText words = {0};
  family_state(progress, family, time(NULL), &state);
  family_open_words(family, &state, &words);
  CHECK_STR(ls_text_str(&words), expected);
  CHECK(state.known == known);
  ls_text_free(&words);
}

// Handed in and left, it waits for its ticks; once judged it is kept, and the next time it is asked anew.
static void open_answers_are_kept(void) {
  LsArena *arena = ls_arena_new();
  Progress *progress = progress_open(":memory:");
  CourseFamily family = family_of("FQ5", arena);
  expect_open(progress, &family, "not judged yet", false);
  Lesson *lesson = at_open_question("FQ5", progress);
  CHECK(lesson_hand_in(lesson, "32 banks of words") && lesson_tick(lesson, 0, 1) && lesson_tick(lesson, 2, -1));
  lesson_free(lesson);
  expect_open(progress, &family, "not judged yet", false);
  lesson = at_open_question("FQ5", progress);
  const LessonWriting *writing = lesson_current(lesson)->writing;
  CHECK(writing->text && writing->points[0].word == 1 && writing->points[2].ticked && !writing->points[1].ticked);
  CHECK(lesson_close_writing(lesson));
  lesson_free(lesson);
  expect_open(progress, &family, "judged 1.5 of 6, 4 words", false);
  lesson = at_open_question("FQ5", progress);
  CHECK(lesson_current(lesson)->writing->text == NULL);
  lesson_free(lesson);
  progress_close(progress);
  ls_arena_free(arena);
}

// Each skill right at once on two days, and the open question judged.
static void a_family_becomes_known(void) {
  LsArena *arena = ls_arena_new();
  Progress *progress = progress_open(":memory:");
  CourseFamily family = family_of("FQ5", arena);
  int64_t now = time(NULL);
  LessonWriting writing = {.text = "all of it"};
  for (int day = 3; day > 0; day--)
    for (int i = 0; i < family.skill_count; i++)
      skill_graded(progress, family.skills[i], i || day != 2 ? FSRS_GOOD : FSRS_AGAIN, now - day * DAY);
  expect_open(progress, &family, "not judged yet", false);
  judged_add(progress, "FQ5", &writing, now);
  expect_open(progress, &family, "judged 0 of 0, 3 words", true);
  Progress *other = progress_open(":memory:");
  judged_add(other, "FQ5", &writing, now);
  for (int i = 0; i < family.skill_count; i++) skill_graded(other, family.skills[i], FSRS_GOOD, now);
  expect_open(other, &family, "judged 0 of 0, 3 words", false);
  progress_close(other);
  progress_close(progress);
  ls_arena_free(arena);
}

// ---- at rest ---------------------------------------------------------------------------------------------------------

static const LessonStep *at_end(Lesson *lesson) {
  LsErr err = {0};
  CHECK(lesson_next(lesson, &err) == LESSON_MOVED);
  while (lesson_current(lesson)->kind != LESSON_END) {
    lesson_skip(lesson);
    CHECK(lesson_next(lesson, &err) == LESSON_MOVED);
  }
  return lesson_current(lesson);
}

// The fourth lapse: its lesson is offered, also on the next day; once it was opened, the skill is back.
static void what_rests_offers_its_lesson(void) {
  Progress *progress = progress_open(":memory:");
  LsErr err = {0};
  SkillState state;
  int64_t now = time(NULL);
  for (int day = 9; day > 9 - SKILL_LAPSES; day--) skill_graded(progress, "L11.word", FSRS_AGAIN, now - day * DAY);
  Lesson *lesson = lesson_quiz(course, &(CourseQuiz){0}, book, progress, &err);
  const LessonStep *end = at_end(lesson);
  CHECK(end->next && strcmp(end->next, "L11") == 0 && strstr(end->text, "Wrong on four days: `L11.word`"));
  lesson_free(lesson);
  skill_state(progress, "L11.word", now + 1, &state);
  CHECK(state.rests && state.lapses == SKILL_LAPSES);
  lesson = lesson_quiz(course, &(CourseQuiz){0}, book, progress, &err);
  end = at_end(lesson);
  CHECK_STR(end->title, "Nothing is due");
  CHECK(end->next && strcmp(end->next, "L11") == 0);
  Lesson *offered = lesson_following(lesson, &err);
  CHECK(offered && lesson_progress(offered) == progress);
  CHECK(offered && lesson_next(offered, &err) == LESSON_MOVED);
  skill_state(progress, "L11.word", now + 5, &state);
  CHECK(!state.rests && skill_is_due(&state, now + 5));
  lesson_free(offered);
  lesson_free(lesson);
  progress_close(progress);
}

// ---- questions held to be wrong ------------------------------------------------------------------------------------

typedef struct Seen { int count, times; uint64_t seed; char skill[64], given[64], words[64]; } Seen;

static bool take_doubt(void *context, const Doubt *doubt) {
  Seen *seen = context;
  seen->count++;
  seen->times = doubt->times;
  seen->seed = doubt->seed;
  snprintf(seen->skill, sizeof seen->skill, "%s", doubt->skill);
  snprintf(seen->given, sizeof seen->given, "%s", doubt->given);
  snprintf(seen->words, sizeof seen->words, "%s", doubt->words);
  return true;
}

// It can be drawn again from what is kept.
static void doubts_are_kept(void) {
  Progress *progress = progress_open(":memory:");
  LsErr err = {0};
  Seen seen = {0};
  skills_set_seed(progress, 77);
  Lesson *lesson = lesson_quiz(course, &(CourseQuiz){.family = "FQ5"}, book, progress, &err);
  CHECK(lesson && lesson_next(lesson, &err) == LESSON_MOVED);
  const LessonStep *step = lesson_current(lesson);
  CHECK(!lesson_doubt(lesson, " ") && lesson_answer(lesson, step->question.answer));
  CHECK(lesson_doubt(lesson, "it is 4"));
  doubts_each(progress, take_doubt, &seen);
  CHECK(seen.count == 1 && seen.seed == 77 && seen.times == step->times && *seen.given);
  CHECK_STR(seen.skill, step->skill);
  CHECK_STR(seen.words, "it is 4");
  CourseDrill drill = {.skill = seen.skill, .seed = seen.seed, .first = seen.times, .last = seen.times};
  Lesson *again = lesson_drill(course, &drill, book, &err);
  CHECK(again != NULL);
  CHECK_STR(lesson_current(again)->question.prompt, step->question.prompt);
  CHECK(lesson_current(again)->question.answer == step->question.answer);
  lesson_free(again);
  while (!lesson_current(lesson)->writing) {
    lesson_skip(lesson);
    CHECK(lesson_next(lesson, &err) == LESSON_MOVED);
  }
  CHECK(!lesson_doubt(lesson, "an open question has no draw"));
  lesson_free(lesson);
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
    CHECK(small || (strstr(text, "quiz") && strstr(text, "today: 1 due") && strstr(text, "ask me")));
    free(text);
  }
  char *text = screen(page, 80, 24);
  CHECK(strstr(text, "Today 1 is due, and up to 4 new.") != NULL);
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

// Skips to the first question whose answer is from a run, and waits for that.
static void skip_to_run(Page *page, const Lesson *lesson) {
  for (int i = 0; i < 40 && !lesson_opens(lesson); i++) {
    press(page, lesson_waits(lesson_current(lesson)) ? 's' : KEY_RETURN_);
    for (int ticks = 0; page->ticking && ticks < 2000; ticks++) page->class->tick(page, 0.01), usleep(1000);
  }
  CHECK(lesson_opens(lesson) && !page->closed);
}

// The run that the answer is from opens on the event that it was read from, and o comes back to where one was.
static void answers_open_their_run(void) {
  LsErr err = {0};
  Progress *progress = progress_open(":memory:");
  skills_set_seed(progress, 5);
  Lesson *lesson = lesson_quiz(course, &(CourseQuiz){.lesson = "L11"}, book, progress, &err);
  Page *page = page_lesson_new(lesson, book);
  press(page, 'o');
  CHECK(page->open == NULL);                                             // not before the answer
  skip_to_run(page, lesson);
  const LessonStep *step = lesson_current(lesson);
  const Run *run = lesson_run(lesson, step->behind.run);
  CHECK(run && run->trace && step->behind.step > 0 && step->behind.step < trace_steps(run->trace));
  char *text = screen(page, 80, 24);
  CHECK(strstr(text, "o its run") && strstr(text, "e it is wrong"));
  free(text);
  press(page, 'o');
  CHECK(page->open != NULL);
  text = screen(page->open, 120, 36);
  CHECK(strstr(text, run->request.what) != NULL);
  free(text);
  press(page->open, 'q');
  CHECK(page->open->closed);
  page->open->class->free(page->open);
  page->open = NULL;
  CHECK(lesson_current(lesson) == step);
  press(page, 'e');
  for (const char *key = "it is 4"; *key; key++) press(page, (uint32_t)*key);
  press(page, KEY_RETURN_);
  Seen seen = {0};
  doubts_each(progress, take_doubt, &seen);
  CHECK(seen.count == 1 && seen.seed == 5);
  CHECK_STR(seen.words, "it is 4");
  page->class->free(page);
  progress_close(progress);
}

// Most drawn questions come from a run or a model: all of these can be looked at.
static void most_answers_have_something_behind(void) {
  LsErr err = {0};
  int asked = 0, opens = 0, models = 0;
  Progress *progress = progress_open(":memory:");
  skills_set_seed(progress, 1);
  Lesson *lesson = lesson_quiz(course, &(CourseQuiz){.mix = 40}, book, progress, &err);
  CHECK(lesson && lesson_next(lesson, &err) == LESSON_MOVED);
  for (LessonMove move = LESSON_MOVED; move == LESSON_MOVED; move = lesson_next(lesson, &err)) {
    lesson_skip(lesson);
    asked += lesson_current(lesson)->skill != NULL;
    opens += lesson_opens(lesson);
    models += lesson_opens(lesson) && lesson_current(lesson)->behind.model;
  }
  CHECK(asked == 40 && opens >= 20 && models > 0 && models < opens);
  lesson_free(lesson);
  progress_close(progress);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"every family asks", every_family_asks},
      {"due comes first", due_comes_first},
      {"a day has so many", a_day_has_so_many},
      {"a claim ends", a_claim_ends},
      {"mixes and lessons", mixes_and_lessons},
      {"open answers are kept", open_answers_are_kept},
      {"a family becomes known", a_family_becomes_known},
      {"what rests offers its lesson", what_rests_offers_its_lesson},
      {"doubts are kept", doubts_are_kept},
      {"boxes are shown", boxes_are_shown},
      {"answers open their run", answers_open_their_run},
      {"most answers have something behind", most_answers_have_something_behind},
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
