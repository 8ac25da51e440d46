// test_class_page.c: the page of a class on the real course: the worst skills first, orders, searching, a skill with
// its wrong answers beside one of its questions, and nobody named where nobody is to be known.
#include <time.h>

#include "app/report/class_write.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/pages/page.h"

static RecipeBook *book;
static Course *course;
static Class class;
static ClassFiles files = {.class = &class, .files = 31, .broken = 1};

static const char *const long_says = "That is the stride. What counts is how many of its words meet in a bank, and how "
                                     "often it comes back to the same one.";
static const ReportWrong strides[] = {{"16 wavefronts", "That is the stride.", 2}, {"4 wavefronts", NULL, 1}};
static const ReportWrong *words(void) {
  static ReportWrong wrong[1] = {{"21", NULL, 1}};
  wrong[0].says = long_says;
  return wrong;
}

// Of 30 students the last one has not begun; 24 answered L11.count, of which a quarter is right; 3 answered L11.word.
static bool make_class(LsErr *err) {
  if (!class_new(&class, course, NULL, false, err)) return false;
  for (int i = 0; i < 30; i++) {
    char who[24];
    snprintf(who, sizeof who, "otter-%d", 1000 + i);
    ReportSkill skills[] = {
        {.id = "L11.count", .seen = 4, .right = 1, .score = 1, .sure = 2, .sure_wrong = i < 6, .first = "2026-11-01",
         .last = "2026-11-02", .wrong = strides, .wrong_count = 2},
        {.id = "L11.word", .seen = 1, .right = i == 0, .score = i == 0, .first = "2026-11-01", .last = "2026-11-02",
         .wrong = words(), .wrong_count = 1},
        {.id = "L03.votes", .seen = 1, .right = 1, .score = 1, .first = "2026-11-01", .last = "2026-11-02"}};
    ReportDoubt doubt = {"L11.count", 3, "4127", "16", "the answer is 8"};
    ReportLesson lesson = {.id = "L11"};
    ReportSkill *first = i < 24 ? skills : skills + 2;
    int count = i == 29 ? 0 : i >= 24 ? 1 : i < 3 ? 2 : 1;
    Report report = {.who = who, .made = "2026-11-22", .program = "1", .course = class.course, .skills = first,
                     .skill_count = count, .lessons = &lesson, .lesson_count = i != 29,
                     .doubts = &doubt, .doubt_count = i == 7};
    class_add(&class, &report);
  }
  class_end(&class);
  return true;
}

static Page *new_page(bool anonymous) {
  ClassView view = {&files, anonymous, course, book};
  return page_class_new(&view);
}

static char *screen(Page *page, int cols, int rows, bool ascii) {
  LsText text = {0};
  Canvas *canvas = canvas_new(cols, rows);
  canvas->ascii = ascii;
  page_draw(page, canvas);
  canvas_to_text(canvas, ascii, &text);
  canvas_free(canvas);
  return ls_text_take(&text);
}

static bool shows(Page *page, int cols, int rows, const char *words_) {
  char *text = screen(page, cols, rows, false);
  bool there = strstr(text, words_) != NULL;
  if (!there) printf("\n%dx%d lacks '%s':\n%s\n", cols, rows, words_, text);
  free(text);
  return there;
}

static void press(Page *page, const char *keys) {
  for (; *keys; keys++) page->class->key(page, (AppKey){.code = *keys == '\n' ? KEY_RETURN_ : (uint32_t)*keys});
}

static Page *opened(Page *page) {
  Page *open = page->open;
  CHECK(open != NULL);
  page->open = NULL;
  for (int i = 0; open && open->ticking && i < 600; i++) {
    struct timespec pause = {.tv_nsec = 10000000};
    nanosleep(&pause, NULL);
    open->class->tick(open, 0.01);
  }
  return open;
}

static void drop(Page *page) { page->class->free(page); }

static const struct { int cols, rows; } sizes[] = {{60, 20}, {80, 24}, {100, 30}, {120, 36}, {200, 60}};

// Line of the screen that has these words, from 0; -1: none.
static int line_of(const char *text, const char *words_) {
  const char *found = strstr(text, words_);
  int line = 0;
  for (const char *at = text; found && at < found; at++) line += *at == '\n';
  return found ? line : -1;
}

static void the_worst_come_first(void) {
  for (int i = 0; i < LS_COUNT(sizes); i++) {
    Page *page = new_page(false);
    char *text = screen(page, sizes[i].cols, sizes[i].rows, false);
    int worst = line_of(text, "L11.count"), next = line_of(text, "L11.word"), best = line_of(text, "L03.votes");
    CHECK(worst == 4 && next == 5 && best == 6);
    CHECK(line_of(text, " 25%") == 4 && line_of(text, " 33%") == 5 && line_of(text, "100%") == 6);
    CHECK(line_of(text, "▲6") == 4 && line_of(text, "29 of 30 have begun") == 0);
    CHECK(strstr(text, "has not begun: otter-1029.") && strstr(text, "1 file is no report"));
    free(text);
    press(page, "j");
    CHECK(shows(page, sizes[i].cols, sizes[i].rows, "25% of 96 answers were right"));
    CHECK(shows(page, sizes[i].cols, sizes[i].rows, "16 wavefronts"));
    CHECK(shows(page, 200, 60, "sure, 6 were wrong."));
    CHECK(shows(page, sizes[i].cols, sizes[i].rows, "That is the stride."));
    drop(page);
  }
}

static void other_orders_and_searching(void) {
  static const char *const names[] = {"worst first", "most answered first", "sure and wrong first", "as in the course"};
  Page *page = new_page(false);
  press(page, "jj");                                       // L11.word stays chosen, wherever it goes
  for (int i = 0; i < LS_COUNT(names) + 1; i++) {
    CHECK(shows(page, 120, 36, names[i % LS_COUNT(names)]) && shows(page, 120, 36, "33% of 3 answers were right"));
    press(page, "s");
  }
  press(page, "/L03.votes\n");
  CHECK(shows(page, 120, 36, "100% of 5 answers were right"));
  CHECK(shows(page, 80, 24, "100% of 5 answers were right"));
  press(page, "?");
  CHECK(page->open != NULL);
  drop(page->open);
  page->open = NULL;
  press(page, "q");
  CHECK(page->closed);
  drop(page);
}

// Its wrong answers, who gave the chosen one, and a question as students get it.
static void a_skill_beside_its_question(void) {
  for (int i = 0; i < LS_COUNT(sizes); i++) {
    int cols = sizes[i].cols, rows = sizes[i].rows;
    Page *page = new_page(false);
    press(page, "j\n");
    Page *skill = opened(page);
    CHECK(shows(skill, cols, rows, "L11.count") && shows(skill, cols, rows, "One of its questions:"));
    CHECK(shows(skill, cols, rows, "right: ") && shows(skill, cols, rows, "16 wavefronts"));
    CHECK(shows(skill, cols, rows, "otter-1000 (2)"));
    press(skill, "j");
    CHECK(shows(skill, cols, rows, "4 wavefronts") && shows(skill, cols, rows, "otter-1000,"));
    press(skill, "j");
    CHECK(shows(skill, cols, rows, "it is wrong: the answer is 8"));
    CHECK(shows(skill, cols, rows, "otter-1007, draw 3 of seed 4127"));
    press(skill, "G");
    CHECK(shows(skill, cols, rows, "6 without an answer") && shows(skill, cols, rows, "otter-1024"));
    drop(skill);
    drop(page);
  }
}

// The first line of what a draw of L11.count tells.
static char *line_of_draw(uint64_t seed, int draw) {
  LsErr err = {0};
  LsText text = {0};
  CourseDrill drill = {.skill = "L11.count", .seed = seed, .first = draw, .last = draw};
  Lesson *lesson = lesson_drill(course, &drill, book, &err);
  CHECK(lesson != NULL);
  if (lesson) lesson_print_body(lesson_current(lesson), &text);
  lesson_free(lesson);
  char *line = ls_strndup(ls_text_str(&text), strcspn(ls_text_str(&text), "\n"));
  ls_text_free(&text);
  return line;
}

// Enter on a doubt asks the very question that is doubted, on another row the one that is shown.
static void a_doubted_question_is_asked(void) {
  char *doubted = line_of_draw(4127, 3), *shown = line_of_draw(1, 0);
  CHECK(strcmp(doubted, shown) != 0);
  for (int row = 0; row < 4; row++) {
    Page *page = new_page(false);
    press(page, "j\n");
    Page *skill = opened(page);
    CHECK(shows(skill, 200, 60, shown));
    press(skill, row == 0 ? "\n" : row == 1 ? "j\n" : row == 2 ? "jj\n" : "G\n");
    Page *lesson = opened(skill);
    CHECK(shows(lesson, 200, 60, row == 2 ? doubted : shown));
    drop(lesson);
    drop(skill);
    drop(page);
  }
  free(doubted);
  free(shown);
}

static void long_words_are_told_in_full(void) {
  Page *page = new_page(false);
  press(page, "jj\n");
  Page *skill = opened(page);
  CHECK(shows(skill, 80, 24, "comes back to the same one.") && shows(skill, 120, 36, "\n  one."));
  press(skill, "\n");
  Page *lesson = opened(skill);
  CHECK(shows(lesson, 80, 24, "L11"));
  drop(lesson);
  drop(skill);
  drop(page);
}

// Three answered L11.word, one has not begun: neither is told, and no name is anywhere.
static void nobody_is_known(void) {
  for (int i = 0; i < LS_COUNT(sizes); i++) {
    int cols = sizes[i].cols, rows = sizes[i].rows;
    Page *page = new_page(true), *pages[] = {page, NULL, NULL, NULL};
    CHECK(shows(page, cols, rows, "few answers"));
    press(page, "\n");
    pages[1] = opened(page);
    CHECK(shows(pages[1], cols, rows, "L01       few    few"));
    press(page, "j\n");
    pages[2] = opened(page);
    CHECK(shows(pages[2], cols, rows, "16 wavefronts") && shows(pages[2], cols, rows, "6 without an answer"));
    press(page, "j");
    for (int row = 0; row < 4; row++, press(page, "j")) {
      char *text = screen(page, cols, rows, false);
      CHECK(!strstr(text, "otter") && !strstr(text, "33%") && !strstr(text, "have begun"));
      free(text);
    }
    press(page, "g/L11.word\n\n");
    pages[3] = opened(page);
    CHECK(shows(pages[3], cols, rows, "Fewer than 5 students answered."));
    for (int k = 1; k < 4; k++) {
      char *text = screen(pages[k], cols, rows, false);
      CHECK(!strstr(text, "otter") && !strstr(text, "33%") && !strstr(text, "is wrong"));
      free(text);
      drop(pages[k]);
    }
    drop(page);
  }
}

static void ascii_is_ascii(void) {
  Page *page = new_page(false);
  press(page, "j\n");
  Page *skill = opened(page);
  for (int i = 0; i < 2; i++) {
    char *text = screen(i ? skill : page, 80, 24, true);
    for (const char *at = text; *at; at++) CHECK((unsigned char)*at < 0x80);
    free(text);
  }
  drop(skill);
  drop(page);
}

// Tables that an ordinary window has room for: lessons, then students.
static void lessons_and_students_in_lines(void) {
  Page *page = new_page(false);
  press(page, "\n");
  Page *students = opened(page);
  CHECK(shows(students, 80, 24, "L11        29      0   Banks"));
  press(students, "jjjjjjjjjjjjjjjjjjjjj");
  CHECK(shows(students, 80, 24, "who                       points of "));
  CHECK(shows(students, 80, 24, "otter-1000                         1.25         5        1  2026-11-22"));
  drop(students);
  drop(page);
}

static const Check checks[] = {
    {"the worst come first", the_worst_come_first},
    {"other orders and searching", other_orders_and_searching},
    {"a skill beside its question", a_skill_beside_its_question},
    {"a doubted question is asked", a_doubted_question_is_asked},
    {"long words are told in full", long_words_are_told_in_full},
    {"nobody is known", nobody_is_known},
    {"ascii is ascii", ascii_is_ascii},
    {"lessons and students in lines", lessons_and_students_in_lines},
};

int main(int argc, char **argv) {
  LsErr err = {0};
  book = recipe_book_open(NULL, &err);
  course = book ? course_open(NULL, &err) : NULL;
  if (!course || !make_class(&err)) {
    printf("%s\n", err.message);
    return 1;
  }
  int status = check_main("class page", checks, LS_COUNT(checks), argc, argv);
  class_free(&class);
  course->free(course);
  book->free(book);
  return status;
}
