// test_exam.c: papers of an exam are fair, differ, and are the same everywhere; a sitting ends by itself; the page.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/exam/marks.h"
#include "app/exam/sitting.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "script/lesson.h"
#include "script/recipe.h"
#include "ui/pages/page.h"

enum { MINUTE = 60 * 1000 };

static RecipeBook *book;
static Course *course;

// The seed is given, so that the same papers are looked at each time.
static Exam *an_exam(const char *const *wishes, int count, uint8_t seed) {
  LsErr err = {0};
  Exam *exam = exam_new();
  CourseFamily *families = NULL;
  int family_count = 0;
  LsDigest master = {{7}};
  memset(exam->seed.bytes, seed, sizeof exam->seed.bytes);
  exam->minutes = 30;
  bool ok = course->families(course, exam->arena, &families, &family_count, &err);
  for (int i = 0; ok && i < count; i++) ok = exam_add(exam, families, family_count, wishes[i], &err);
  ok = ok && exam_settle(exam, course, book, &err);
  if (!ok) printf("\n%s:%d: %s\n", err.file, err.line, err.message);
  CHECK(ok);
  free(exam_sealed_text(exam, &master));
  return exam;
}

static const char *const usual[] = {"FQ1", "FQ4", "FQ5:3", "EQ1", "EQ10", "FQ6:1+open"};

static ExamPaper *paper_of(const Exam *exam, const char *who) {
  LsErr err = {0};
  ExamPaper *paper = exam_paper(exam, who, course, book, &err);
  if (!paper) printf("\n%s: %s:%d: %s\n", who, err.file, err.line, err.message);
  CHECK(paper != NULL);
  return paper;
}

// ---- papers --------------------------------------------------------------------------------------------------------

static void same_words_same_paper(void) {
  Exam *exam = an_exam(usual, LS_COUNT(usual), 3), *other = an_exam(usual, LS_COUNT(usual), 4);
  ExamPaper *one = paper_of(exam, "7"), *again = paper_of(exam, "7"), *neighbor = paper_of(exam, "8"),
            *elsewhere = paper_of(other, "7");
  CHECK(ls_digest_same(&one->digest, &again->digest));
  CHECK(!ls_digest_same(&one->digest, &neighbor->digest) && !ls_digest_same(&one->digest, &elsewhere->digest));
  CHECK(one->questions[one->count - 1].step.writing != NULL);   // open ones come last
  for (int i = 0; i < one->count; i++) {
    CHECK(!one->questions[i].step.answered && !one->questions[i].step.skipped && !one->questions[i].step.asks_sure);
    CHECK(one->questions[i].step.tips_shown == 0);
  }
  exam_paper_free(one);
  exam_paper_free(again);
  exam_paper_free(neighbor);
  exam_paper_free(elsewhere);
  exam_free(exam);
  exam_free(other);
}

// Every paper has the same number of draws of each class, and none is that of the ID beside it.
static void papers_are_fair(void) {
  const char *const wishes[] = {"FQ5:4", "FQ1:2", "EQ10", "FQ4:2"};
  int papers = check_long(200, 1000), same_as_neighbor = 0;
  Exam *exam = an_exam(wishes, LS_COUNT(wishes), 9);
  LsDigest *digests = ls_alloc(sizeof *digests * (size_t)papers);
  for (int i = 0; i < papers; i++) {
    char who[16];
    snprintf(who, sizeof who, "%08d", 1234000 + i);
    ExamPaper *paper = paper_of(exam, who);
    bool seen[EXAM_ITEMS] = {false};
    for (int k = 0; k < paper->count; k++) {
      const PaperQuestion *asked = &paper->questions[k];
      CHECK_STR(asked->step.class, exam->items[asked->item].class);
      CHECK_STR(asked->step.skill, exam->items[asked->item].skill);
      CHECK(!seen[asked->item]);
      seen[asked->item] = true;
    }
    digests[i] = paper->digest;
    same_as_neighbor += i && ls_digest_same(&digests[i], &digests[i - 1]);
    exam_paper_free(paper);
  }
  CHECK_INT(same_as_neighbor, 0);
  int twins = 0;   // anywhere in the room
  for (int i = 0; i < papers; i++)
    for (int k = 0; k < i; k++) twins += ls_digest_same(&digests[i], &digests[k]);
  CHECK_INT(twins, 0);
  free(digests);
  exam_free(exam);
}

// ---- classes -------------------------------------------------------------------------------------------------------

enum { DRAWS = 60, CLASSES = 24 };
typedef struct Tally { char class[32]; int count; } Tally;

static void count_class(Tally *tallies, const char *class) {
  int i = 0;
  while (i < CLASSES - 1 && tallies[i].count && strcmp(tallies[i].class, class) != 0) i++;
  snprintf(tallies[i].class, sizeof tallies[i].class, "%s", class);
  tallies[i].count++;
}

// Draws of a skill, look by look, or of one class; each is counted.
static void draw(const char *skill, const char *class, int first, int count, Tally *tallies) {
  LsErr err = {0};
  CourseExamItem items[DRAWS];
  char seeds[DRAWS][24];
  for (int i = 0; i < count; i++) {
    snprintf(seeds[i], sizeof seeds[i], "s%d", first + i);
    items[i] = (CourseExamItem){.skill = skill, .seed = seeds[i], .class = class, .look = first + i};
  }
  Lesson *lesson = lesson_exam(course, &(CourseExam){items, count}, book, &err);
  LessonMove move = lesson ? lesson_next(lesson, &err) : LESSON_BROKEN;
  int drawn = 0;
  for (; move == LESSON_MOVED && drawn < count; drawn++) {
    count_class(tallies, lesson_current(lesson)->class);
    lesson_skip(lesson);
    move = lesson_next(lesson, &err);
  }
  if (drawn != count) printf("\n%s %s: %s:%d: %s\n", skill, class ? class : "", err.file, err.line, err.message);
  CHECK_INT(drawn, count);
  lesson_free(lesson);
}

static int of_look(const Tally *tallies, const char *class) {
  size_t length = strspn(class, "0123456789");
  int sum = 0;
  for (int i = 0; i < CLASSES && tallies[i].count; i++)
    if (strncmp(tallies[i].class, class, length) == 0 && strspn(tallies[i].class, "0123456789") == length)
      sum += tallies[i].count;
  return sum;
}

// No class is so rare that it is found only by luck, and whatever class an exam chooses can be drawn.
static void classes_of(const char *skill) {
  Tally tallies[CLASSES] = {0};
  int draws = check_long(DRAWS, 10 * DRAWS);
  for (int first = 0; first < draws; first += DRAWS) draw(skill, NULL, first, DRAWS, tallies);
  for (int i = 0; i < CLASSES && tallies[i].count; i++) {
    Tally again[CLASSES] = {0};
    int percent = 100 * tallies[i].count / of_look(tallies, tallies[i].class);
    bool rare = draws > DRAWS && percent < 8;
    if (rare) printf("\n%s: %d%% of its look are of class %s\n", skill, percent, tallies[i].class);
    CHECK(!rare);
    draw(skill, tallies[i].class, 0, 4, again);
    CHECK(again[0].count == 4 && strcmp(again[0].class, tallies[i].class) == 0);
  }
}

static void classes_are_drawn(void) {
  LsArena *arena = ls_arena_new();
  for (int i = 0; i < course->count; i++) {
    LsErr err = {0};
    const char **names = NULL, *only = getenv("BANK");
    int count = 0;
    bool wanted = only ? strcmp(only, course->lessons[i].id) == 0
                       : check_long(0, 1) || strcmp(course->lessons[i].id, "L11") == 0;
    CHECK(!wanted || course->skills(course, &course->lessons[i], arena, &names, &count, &err));
    for (int k = 0; k < count; k++) classes_of(names[k]);
  }
  ls_arena_free(arena);
}

// ---- a sitting -----------------------------------------------------------------------------------------------------

static ExamTime machine;   // its clocks
static void clocks(ExamTime *now) { *now = machine; }

static void pass(int64_t milliseconds) {
  machine.wall += milliseconds;
  machine.since_boot += milliseconds;
}

typedef struct Room { char folder[128], *path, *note; Exam *exam; ExamPaper *paper; Sitting sitting; } Room;

static bool sit_down(Room *room, LsErr *err) {
  SittingPlace place = {room->path, room->note, clocks};
  return sitting_open(&room->sitting, room->exam, room->paper, "7", &place, err);
}

static void begin(Room *room) {
  LsErr err = {0};
  machine = (ExamTime){.wall = 1790000000000, .since_boot = 1000000, .boot = "one"};
  CHECK(check_folder(room->folder, sizeof room->folder));
  room->path = ls_path_join(room->folder, "result");
  room->note = ls_path_join(room->folder, "note");
  room->exam = an_exam(usual, LS_COUNT(usual), 3);
  room->paper = paper_of(room->exam, "7");
  CHECK(sit_down(room, &err));
}

static void end(Room *room) {
  sitting_close(&room->sitting);
  unlink(room->path);
  unlink(room->note);
  rmdir(room->folder);
  free(room->path);
  free(room->note);
  exam_paper_free(room->paper);
  exam_free(room->exam);
}

static void answer_right(Sitting *sitting, int place) {
  LsErr err = {0};
  LsText typed = {0};
  const LessonStep *step = &sitting_question(sitting, place)->step;
  if (step->writing) ls_text_add(&typed, "words\nof my own");
  else question_typed(&step->question, step->question.answer, &typed);
  CHECK(sitting_answer(sitting, place, ls_text_str(&typed), &err));
  ls_text_free(&typed);
}

static void right_answers_are_marked(void) {
  Room room;
  LsErr err = {0};
  ExamResult result;
  ExamMarks marks;
  begin(&room);
  for (int place = 0; place < room.paper->count; place++) answer_right(&room.sitting, place);
  CHECK(sitting_answered(&room.sitting) == room.paper->count && sitting_hand_in(&room.sitting, &err));
  CHECK(!sitting_answer(&room.sitting, 0, "1", &err));
  CHECK_INT(result_read(room.exam, room.path, &result, &err), RESULT_OK);
  CHECK(marks_of(room.exam, room.paper, &result, NULL, &marks, &err));
  CHECK(marks.points == room.exam->count - 1 && marks.of == room.exam->count && marks.open == 1);
  ExamTicks ticks = {0};
  int open = room.exam->count - 1;
  ticks.given[open] = true;
  ticks.points[open] = 5;   // the first and the third of five
  CHECK(marks_of(room.exam, room.paper, &result, &ticks, &marks, &err));
  CHECK(marks.open == 0 && marks.points > open + 0.39 && marks.points < open + 0.41);
  ExamPaper *other = paper_of(room.exam, "8");   // as another version of the course would ask
  CHECK(!marks_of(room.exam, other, &result, NULL, &marks, &err) && strstr(err.message, "other questions"));
  exam_paper_free(other);
  result_fini(&result);
  end(&room);
}

static void time_goes_on(void) {
  Room room;
  LsErr err = {0};
  begin(&room);
  pass(10 * MINUTE);
  CHECK_INT(sitting_left(&room.sitting), 20 * MINUTE);
  answer_right(&room.sitting, 0);
  machine.wall -= 60 * MINUTE;                                   // the clock is set back: nothing is won
  CHECK_INT(sitting_left(&room.sitting), 20 * MINUTE);
  sitting_close(&room.sitting);
  pass(5 * MINUTE);
  CHECK(sit_down(&room, &err) && room.sitting.resumed);          // left, and taken up: the time away counts
  CHECK_INT(sitting_left(&room.sitting), 15 * MINUTE);
  CHECK(sitting_answer_of(&room.sitting, 0) && room.sitting.at == 1);
  sitting_close(&room.sitting);
  machine = (ExamTime){.wall = machine.wall + 60 * MINUTE + 2 * MINUTE, .since_boot = 5000, .boot = "two"};
  CHECK(sit_down(&room, &err));                                  // the machine was started again, its clock is right now
  CHECK(sitting_left(&room.sitting) == 0 && sitting_over(&room.sitting));
  end(&room);
}

static void it_ends_by_itself(void) {
  Room room;
  LsErr err = {0};
  begin(&room);
  answer_right(&room.sitting, 2);
  pass(30 * MINUTE - 1);
  CHECK(!sitting_tick(&room.sitting, &err) && !sitting_over(&room.sitting));
  pass(1);
  CHECK(sitting_tick(&room.sitting, &err) && sitting_over(&room.sitting) && !sitting_tick(&room.sitting, &err));
  CHECK(!sitting_answer(&room.sitting, 0, "1", &err) && strstr(err.message, "over"));
  sitting_close(&room.sitting);
  pass(60 * MINUTE);
  CHECK(sit_down(&room, &err) && sitting_over(&room.sitting) && room.sitting.result.end == RESULT_TIME);
  CHECK(sitting_answer_of(&room.sitting, 2) != NULL);
  end(&room);
}

// Whoever removes the result begins anew, but not with new time, and the teacher sees it.
static void removed_and_begun_anew(void) {
  Room room;
  LsErr err = {0};
  ExamResult result;
  begin(&room);
  answer_right(&room.sitting, 0);
  pass(10 * MINUTE);
  sitting_close(&room.sitting);
  unlink(room.path);
  CHECK(sit_down(&room, &err) && sitting_answered(&room.sitting) == 0);
  CHECK_INT(sitting_left(&room.sitting), 20 * MINUTE);
  CHECK_INT(result_read(room.exam, room.path, &result, &err), RESULT_OK);
  CHECK(result.again && result.begun == machine.wall - 10 * MINUTE);
  result_fini(&result);
  sitting_close(&room.sitting);
  unlink(room.path);
  pass(25 * MINUTE);
  CHECK(sit_down(&room, &err) && sitting_over(&room.sitting));
  end(&room);
}

static void one_window_only(void) {
  Room room;
  LsErr err = {0};
  begin(&room);
  Sitting second;
  CHECK(!sitting_open(&second, room.exam, room.paper, "7", &(SittingPlace){room.path, NULL, clocks}, &err));
  CHECK(strstr(err.message, "another window") != NULL);
  end(&room);
}

// ---- the page ------------------------------------------------------------------------------------------------------

static char *drawn(Page *page, int cols, int rows) {
  Canvas *canvas = canvas_new(cols, rows);
  page_draw(page, canvas);
  LsText text = {0};
  canvas_to_text(canvas, false, &text);
  canvas_free(canvas);
  return ls_text_take(&text);
}

static void check_drawn(Page *page, const char *wanted) {
  char *text = drawn(page, 80, 24);
  if (!strstr(text, wanted)) printf("\n%s is not in\n%s\n", wanted, text);
  CHECK(strstr(text, wanted) != NULL);
  free(text);
}

static void press(Page *page, uint32_t code) { page->class->key(page, (AppKey){.code = code}); }

static void type_right(Page *page, const Sitting *sitting) {
  LsText typed = {0};
  const LessonQuestion *question = &sitting_question(sitting, sitting->at)->step.question;
  question_typed(question, question->answer, &typed);
  press(page, KEY_RETURN_);
  for (const char *p = ls_text_str(&typed); *p; p++) press(page, (uint32_t)*p);
  press(page, KEY_RETURN_);
  ls_text_free(&typed);
}

static void the_page_asks(void) {
  Room room;
  begin(&room);
  Page *page = page_exam_new(&room.sitting, book);
  Sitting *sitting = &room.sitting;
  check_drawn(page, "30:00 left");
  check_drawn(page, "Question 1 of 9");
  for (int place = 0; place < 8; place++) {
    type_right(page, sitting);
    check_drawn(page, "Noted.");
    check_drawn(page, "answered");
    for (int w = 0; w < 4; w++) {   // whatever the size, what is asked is there
      static const int sizes[][2] = {{60, 20}, {80, 24}, {120, 36}, {200, 60}};
      char *text = drawn(page, sizes[w][0], sizes[w][1]);
      CHECK(strstr(text, "Question ") != NULL);
      free(text);
    }
    press(page, KEYX_RIGHT);
  }
  CHECK(sitting_answered(sitting) == 8 && sitting->at == 8);
  press(page, KEY_RETURN_);
  press(page, 'a');
  press(page, 'q');          // a letter of the text
  pass(10 * 1000);
  page->class->tick(page, 11);
  CHECK_STR(sitting_answer_of(sitting, 8), "aq");   // saved while it is written
  press(page, 'z');
  press(page, KEY_ESC_);
  CHECK_STR(sitting_answer_of(sitting, 8), "aqz");
  press(page, 'x');
  CHECK(!sitting_answer_of(sitting, 8));
  press(page, 'l');
  check_drawn(page, "not answered");
  press(page, KEYX_HOME);
  press(page, KEY_RETURN_);
  CHECK_INT(sitting->at, 0);
  press(page, 'q');
  check_drawn(page, "No answer yet: 9. h hands it in");
  press(page, KEY_ESC_);
  CHECK(!page->closed && !sitting_over(sitting));
  pass(25 * MINUTE);
  check_drawn(page, "4:50 left");
  press(page, 'q');
  press(page, 'h');
  CHECK(sitting->result.end == RESULT_HANDED);
  check_drawn(page, "It is handed in. 8 of 9 questions are answered.");
  char receipt[RESULT_RECEIPT];
  result_receipt(&sitting->result, receipt);
  check_drawn(page, receipt);
  press(page, KEY_RETURN_);
  CHECK(page->closed);
  page->class->free(page);
  end(&room);
}

// Nothing of an answer is told, and the time ends it.
static void the_page_tells_nothing(void) {
  static const char *const never[] = {"Right", "Tip", "It is ", "You said", "Once more", "sure"};
  Room room;
  begin(&room);
  Page *page = page_exam_new(&room.sitting, book);
  for (int place = 0; place < 8; place++) {
    press(page, 't');
    press(page, 's');
    press(page, 'o');
    press(page, 'p');
    press(page, KEY_ESC_);   // o may have begun "odd"
    type_right(page, &room.sitting);
    char *text = drawn(page, 80, 24);
    for (int i = 0; i < LS_COUNT(never); i++) {
      const PaperQuestion *asked = sitting_question(&room.sitting, place);
      bool own = strstr(asked->step.text, never[i]) || strstr(asked->step.question.prompt, never[i]);
      if (!own && strstr(text, never[i])) printf("\n%s in\n%s\n", never[i], text);
      CHECK(own || !strstr(text, never[i]));
    }
    free(text);
    press(page, KEYX_RIGHT);
  }
  press(page, KEY_RETURN_);
  press(page, 'w');
  pass(30 * MINUTE - 1500);
  page->class->tick(page, 0.5);
  CHECK_STR(sitting_answer_of(&room.sitting, 8), "w");   // what is being written is not lost
  pass(2000);
  page->class->tick(page, 0.5);
  check_drawn(page, "The time is over. 9 of 9 questions are answered.");
  page->class->free(page);
  end(&room);
}

static const Check checks[] = {
    {"same words same paper", same_words_same_paper},
    {"papers are fair", papers_are_fair},
    {"classes are drawn", classes_are_drawn},
    {"right answers are marked", right_answers_are_marked},
    {"time goes on", time_goes_on},
    {"it ends by itself", it_ends_by_itself},
    {"removed and begun anew", removed_and_begun_anew},
    {"one window only", one_window_only},
    {"the page asks", the_page_asks},
    {"the page tells nothing", the_page_tells_nothing},
};

int main(int argc, char **argv) {
  setenv("LANESCOPE_DATA", LS_SOURCE_DIR, 1);
  LsErr err = {0};
  book = recipe_book_open(NULL, NULL);
  course = course_open(NULL, &err);
  int status = course ? check_main("exam", checks, LS_COUNT(checks), argc, argv) : 1;
  if (!course) fprintf(stderr, "%s:%d: %s\n", err.file, err.line, err.message);
  if (course) course->free(course);
  if (book) book->free(book);
  return status;
}
