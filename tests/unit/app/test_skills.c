// test_skills.c: what follows from a log of answers: when a skill is due, when it rests, what a report tells of it; and
// that no answer is ever lost.
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/course/day.h"
#include "app/course/due.h"
#include "app/course/lesson.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"

enum { DAY = 24 * 60 * 60, FOUR = 4 * 60 * 60, NOON = 100 * DAY + DAY / 2 };   // universal time, which main sets

static SkillState state_at(Progress *progress, const char *skill, int64_t now) {
  SkillState state;
  CHECK(skill_state(progress, skill, now, &state));
  return state;
}

// ---- when it is asked again ----------------------------------------------------------------------------------------

// Wrong on the day it was first asked is learning, not forgetting; a day counts once.
static void four_lapses_rest(void) {
  Progress *progress = progress_open(":memory:");
  for (int day = 0; day <= SKILL_LAPSES; day++) {
    SkillState state;
    bool known = skill_state(progress, "L11.word", NOON + day * DAY, &state);
    CHECK(known == (day > 0) && !state.rests && state.lapses == LS_MAX(day - 1, 0));
    skill_graded(progress, "L11.word", FSRS_AGAIN, NOON + day * DAY);
    if (day) skill_graded(progress, "L11.word", FSRS_AGAIN, NOON + day * DAY + 60);
  }
  int64_t last = NOON + SKILL_LAPSES * DAY + 60;
  SkillState state = state_at(progress, "L11.word", last);
  CHECK(state.rests && state.failed && state.lapses == SKILL_LAPSES && !skill_is_due(&state, last + 9 * DAY));
  Due due;
  due_count(progress, last, &due);
  CHECK(due.known == 1 && due.count == 0 && due.resting == 1);
  progress_save_lesson(progress, "L11", &(ProgressLesson){.step = 1});      // today, which is later
  state = state_at(progress, "L11.word", last);
  CHECK(!state.rests && skill_is_due(&state, last));
  skill_graded(progress, "L11.word", FSRS_AGAIN, last + DAY);               // it has four more
  CHECK(!state_at(progress, "L11.word", last + DAY).rests);
  progress_close(progress);
}

static void a_right_answer_ends_the_rest(void) {
  Progress *progress = progress_open(":memory:");
  for (int day = 0; day <= SKILL_LAPSES; day++) skill_graded(progress, "L11.word", FSRS_AGAIN, NOON + day * DAY);
  CHECK(state_at(progress, "L11.word", NOON + 5 * DAY).rests);
  skill_graded(progress, "L11.word", FSRS_HARD, NOON + 5 * DAY);
  CHECK(!state_at(progress, "L11.word", NOON + 5 * DAY).rests);
  progress_close(progress);
}

static void no_interval_passes_the_exam(void) {
  Progress *progress = progress_open(":memory:");
  for (int i = 0; i < 4; i++) skill_graded(progress, "L03.warps", FSRS_EASY, NOON + i * 40 * DAY);
  skill_graded(progress, "L03.lanes", FSRS_GOOD, NOON + 120 * DAY);
  int64_t now = NOON + 120 * DAY, today = skill_day(now);
  SkillState strong = state_at(progress, "L03.warps", now), weak = state_at(progress, "L03.lanes", now);
  CHECK(skill_day(strong.due) > today + 60 && skill_day(weak.due) == today + 2);
  skills_set_until(progress, today + 30);
  CHECK(skills_until(progress, now) == today + 30);
  CHECK_INT(skill_day(state_at(progress, "L03.warps", now).due), today + 30);
  CHECK_INT(skill_day(state_at(progress, "L03.lanes", now).due), today + 2);
  CHECK(state_at(progress, "L03.warps", now).due == (today + 30) * DAY + FOUR);
  now += 31 * DAY;                                                          // it is over
  CHECK(skills_until(progress, now) == 0 && skill_day(state_at(progress, "L03.warps", now).due) > today + 60);
  skills_set_until(progress, 0);
  CHECK(skills_until(progress, 0) == 0);
  progress_close(progress);
}

// What would be kept until the day of the exam comes when it would anyway; what would not comes in the last week, the
// day after the last answer at the earliest.
static void the_last_week_is_for_what_is_weak(void) {
  Progress *progress = progress_open(":memory:");
  int64_t today = skill_day(NOON);
  skill_graded(progress, "L03.lanes", FSRS_GOOD, NOON);                     // 0.9 after 2 days, 0.8 after 7
  CHECK_INT(skill_day(state_at(progress, "L03.lanes", NOON).due), today + 2);
  for (int days = 7; days <= 8; days++) {
    skills_set_until(progress, today + days);
    SkillState state = state_at(progress, "L03.lanes", NOON);
    CHECK((fsrs_chance(state.memory, days) < 0.8) == (days == 8));
    CHECK_INT(skill_day(state.due), today + (days == 8 ? 1 : 2));
  }
  progress_close(progress);
}

// A clock that was ahead: the skill does not wait until that day comes.
static void a_clock_that_was_ahead_is_no_reason_to_wait(void) {
  Progress *progress = progress_open(":memory:");
  skill_graded(progress, "L03.warps", FSRS_GOOD, NOON + 3000 * DAY);
  SkillState state = state_at(progress, "L03.warps", NOON);
  CHECK(skill_is_due(&state, NOON));
  skill_graded(progress, "L03.warps", FSRS_GOOD, NOON);
  state = state_at(progress, "L03.warps", NOON);
  CHECK(!skill_is_due(&state, NOON) && skill_is_due(&state, NOON + 30 * DAY));
  progress_close(progress);
}

static void expect_exam(int64_t now, int64_t day, const char *expected) {
  LsText words = {0};
  Progress *progress = progress_open(":memory:");
  skills_set_until(progress, day);
  due_exam_words(progress, now, &words);
  CHECK_STR(ls_text_str(&words), expected);
  ls_text_free(&words);
  progress_close(progress);
}

static void days_are_of_the_calendar(void) {
  static const char *const wrong[] = {"2027-02-30", "2027-2-3", "27-02-03", "2027-02-03x", "", "tomorrow",
                                      "2027-13-01"};
  int64_t day;
  char text[DAY_TEXT];
  CHECK(day_parse("1970-01-11", &day) && day == 10 && day_parse("2028-02-29", &day));
  day_print(day, text);
  CHECK_STR(text, "2028-02-29");
  for (int i = 0; i < LS_COUNT(wrong); i++) CHECK(!day_parse(wrong[i], &day));
  expect_exam(NOON, 0, "");
  expect_exam(NOON, 99, "");
  expect_exam(NOON, 100, "The exam is today: what would be forgotten by then comes now.");
  expect_exam(NOON, 101, "The exam is tomorrow: what would be forgotten by then comes now.");
  expect_exam(NOON, 107, "The exam is on 1970-04-18, in 7 days: what would be forgotten by then comes now.");
  expect_exam(NOON, 108, "The exam is on 1970-04-19, in 8 days: nothing waits longer than that.");
}

// ---- what a report tells -------------------------------------------------------------------------------------------

static void answered(Progress *progress, int64_t at, bool right, int sure, const char *given, double seconds) {
  skill_log_add(progress, &(SkillAnswer){.skill = "L11.word", .mark = right ? FSRS_GOOD : FSRS_AGAIN, .at = at,
                .right = right, .score = right, .sure = sure, .given = given, .said = right ? "" : "stride",
                .seconds = seconds});
}

static void history_is_summed_up(void) {
  Progress *progress = progress_open(":memory:");
  LsArena *arena = ls_arena_new();
  SkillHistory history;
  CHECK(!skill_history(progress, "L11.word", arena, &history));
  answered(progress, NOON, false, LESSON_SURE, "16", 10);
  answered(progress, NOON + DAY, true, LESSON_SURE, "4", 0);
  answered(progress, NOON + DAY, true, 0, "4", 30);
  answered(progress, NOON + 3 * DAY, false, LESSON_GUESSES, "2", 20);
  answered(progress, NOON + 4 * DAY, false, 0, "16", 8);
  skill_log_add(progress, &(SkillAnswer){.skill = "L11.word", .at = NOON + 9 * DAY, .looked = true, .given = "4"});
  CHECK(skill_history(progress, "L11.word", arena, &history));
  CHECK(history.seen == 5 && history.right == 2 && history.looked == 1 && history.score == 2);
  CHECK(history.first_day == skill_day(NOON) && history.last_day == skill_day(NOON) + 9);
  CHECK(history.right_days == 1 && history.lapses == 2 && history.sure == 2 && history.sure_and_wrong == 1);
  CHECK(history.timed == 4 && history.seconds == 15);
  CHECK_INT(history.wrong_count, 2);
  CHECK_STR(history.wrong[0].given, "16");
  CHECK_STR(history.wrong[0].said, "stride");
  CHECK(history.wrong[0].count == 2 && history.wrong[1].count == 1);
  ls_arena_free(arena);
  progress_close(progress);
}

// ---- nothing is lost -----------------------------------------------------------------------------------------------

static char folder[256];

static char *fresh_path(void) {
  CHECK(check_folder(folder, sizeof folder));
  return ls_path_join(folder, "progress.db");
}

static void drop(char *path) {
  static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
  for (int i = 0; i < LS_COUNT(suffixes); i++) {
    char *name = ls_format("%s%s", path, suffixes[i]);
    unlink(name);
    free(name);
  }
  rmdir(folder);
  free(path);
}

static bool count_answer(void *context, const SkillAnswer *answer) {
  (void)answer;
  return ++*(int *)context, true;
}

static int logged(const char *path, const char *skill) {
  int count = 0;
  Progress *progress = progress_open(path);
  CHECK_INT(progress_state(progress), STORE_SAVED);
  skill_log_each(progress, skill, count_answer, &count);
  progress_close(progress);
  return count;
}

// Answers for ever, and says each on the pipe once it is kept.
static void answer_on(const char *path, const char *skill, int to, int most) {
  Progress *progress = progress_open(path);
  for (int i = 0; i < most; i++) {
    skill_graded(progress, skill, FSRS_GOOD, NOON + i);
    if (progress_state(progress) != STORE_SAVED || write(to, "", 1) != 1) _exit(1);
  }
  progress_close(progress);
  _exit(0);
}

static int said(int from) {
  int count = 0;
  for (char byte; read(from, &byte, 1) == 1;) count++;
  return count;
}

// Killed at some moment of some answer: what was said to be kept is, and no half of the next one.
static void a_kill_loses_nothing(void) {
  enum { KILLS = 25 };
  char *path = fresh_path();
  int kept = 0, killed = 0;
  for (int i = 0; i < KILLS; i++) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    pid_t child = fork();
    if (child == 0) answer_on(path, "L03.warps", ends[1], 1000000);
    close(ends[1]);
    char byte;
    CHECK(read(ends[0], &byte, 1) == 1);
    usleep((useconds_t)(i * 397 % 5000));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    killed += WIFSIGNALED(status);
    int count = 1 + said(ends[0]), now = logged(path, "L03.warps");
    CHECK(now == kept + count || now == kept + count + 1);   // kept, and killed before it could say so
    kept = now;
    close(ends[0]);
  }
  CHECK_INT(killed, KILLS);
  drop(path);
}

static void two_windows_lose_nothing(void) {
  enum { EACH = 150, WINDOWS = 3 };
  char *path = fresh_path();
  pid_t children[WINDOWS];
  int ends[2];
  CHECK(pipe(ends) == 0);
  for (int i = 0; i < WINDOWS; i++)
    if ((children[i] = fork()) == 0) answer_on(path, "L03.warps", ends[1], EACH);
  close(ends[1]);
  CHECK_INT(said(ends[0]), WINDOWS * EACH);
  for (int i = 0; i < WINDOWS; i++) {
    int status = 0;
    waitpid(children[i], &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  CHECK_INT(logged(path, "L03.warps"), WINDOWS * EACH);
  close(ends[0]);
  drop(path);
}

static void claim_on(const char *path, int64_t sitting, int to) {
  enum { SKILLS = 40 };
  Progress *progress = progress_open(path);
  for (int i = 0; i < SKILLS; i++) {
    char skill[32];
    snprintf(skill, sizeof skill, "L03.skill%d", i);
    if (skills_claim(progress, skill, false, sitting, NOON) && write(to, "", 1) != 1) _exit(1);
  }
  progress_close(progress);
  _exit(0);
}

// Windows that begin at once share the day's questions: none has one of another's, and there are not more.
static void windows_share_a_day(void) {
  enum { WINDOWS = 4 };
  char *path = fresh_path();
  progress_close(progress_open(path));
  int ends[2];
  CHECK(pipe(ends) == 0);
  for (int i = 0; i < WINDOWS; i++)
    if (fork() == 0) claim_on(path, i + 1, ends[1]);
  close(ends[1]);
  CHECK_INT(said(ends[0]), SKILL_DUE_A_DAY);
  for (int i = 0; i < WINDOWS; i++) wait(NULL);
  close(ends[0]);
  drop(path);
}

// Pages of the file are overwritten, one after the other: it is left alone, or used as far as it goes; what is answered
// from then on is there, and nothing ends the program.
static void damaged_pages_harm_nothing_new(void) {
  enum { PAGE = 4096 };
  char *path = fresh_path();
  Progress *progress = progress_open(path);
  for (int i = 0; i < 300; i++) skill_graded(progress, i % 2 ? "L03.warps" : "L03.lanes", FSRS_GOOD, NOON + i * 60);
  progress_close(progress);
  size_t size = 0;
  char *whole = ls_file_read(path, 1 << 24, &size, NULL);
  CHECK(whole && size > 4 * PAGE);
  int told = 0;
  for (size_t page = 1; whole && page * PAGE < size; page++) {
    char *bytes = memcpy(ls_alloc(size), whole, size);
    memset(bytes + page * PAGE, 0xa5, PAGE);
    CHECK(ls_file_write(path, bytes, size, NULL));
    free(bytes);
    progress = progress_open(path);
    SkillState before, after;
    skill_state(progress, "L03.new", NOON, &before);
    skill_graded(progress, "L03.new", FSRS_GOOD, NOON);
    skill_state(progress, "L03.new", NOON, &after);
    bool kept = after.seen == before.seen + 1, damaged = progress_state(progress) == STORE_DAMAGED;
    if (!kept && !damaged) printf("\npage %zu: %s\n", page, store_state_name(progress_state(progress)));
    CHECK(kept);
    told += damaged;
    progress_close(progress);
  }
  CHECK(told > 0);
  free(whole);
  drop(path);
}

// ---- older files ---------------------------------------------------------------------------------------------------

static void version_2_is_taken_over(void) {
  char *path = fresh_path();
  progress_close(progress_open(path));
  sqlite3 *db;
  CHECK(sqlite3_open(path, &db) == SQLITE_OK);
  CHECK(sqlite3_exec(db, "insert into skill values ('L03.warps', 4, 2, 2, 2, 0, 8640000, 9); "
                         "insert into skill values ('L03.old', 1, 1, 0, 0, 1, 8640000, 9); "
                         "insert into graded values ('L03.warps', 3, 8640000), ('L03.warps', 2, 8640001); "
                         "pragma user_version = 2", NULL, NULL, NULL) == SQLITE_OK);
  sqlite3_close(db);
  for (int i = 0; i < 2; i++) {
    Progress *progress = progress_open(path);
    SkillState warps = state_at(progress, "L03.warps", NOON), old = state_at(progress, "L03.old", NOON);
    CHECK(warps.drawn == 4 && warps.seen == 2 && warps.right == 2 && warps.memory.stability > 0);
    CHECK(old.drawn == 1 && old.seen == 1 && old.right == 0 && old.failed && old.updated == 8640000);
    progress_close(progress);
  }
  drop(path);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"four lapses rest", four_lapses_rest},
      {"a right answer ends the rest", a_right_answer_ends_the_rest},
      {"no interval passes the exam", no_interval_passes_the_exam},
      {"the last week is for what is weak", the_last_week_is_for_what_is_weak},
      {"a clock that was ahead is no reason to wait", a_clock_that_was_ahead_is_no_reason_to_wait},
      {"days are of the calendar", days_are_of_the_calendar},
      {"history is summed up", history_is_summed_up},
      {"a kill loses nothing", a_kill_loses_nothing},
      {"two windows lose nothing", two_windows_lose_nothing},
      {"windows share a day", windows_share_a_day},
      {"damaged pages harm nothing new", damaged_pages_harm_nothing_new},
      {"version 2 is taken over", version_2_is_taken_over},
  };
  setenv("TZ", "UTC", 1);
  return check_main("skills", checks, LS_COUNT(checks), argc, argv);
}
