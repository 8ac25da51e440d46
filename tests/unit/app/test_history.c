// test_history.c: the history of the quiz leaves as text and comes back: whole, each answer once, in the order of time;
// and nothing is taken from a file that is damaged or of another format.
#include "app/course/doubts.h"
#include "app/course/judged.h"
#include "app/course/skills.h"
#include "app/report/history_file.h"
#include "base/mem.h"
#include "check.h"

enum { DAY = 24 * 60 * 60, NOON = 100 * DAY + DAY / 2 };

static char *exported(Progress *progress) {
  LsText text = {0};
  history_write(progress, &text);
  return ls_text_take(&text);
}

static void answer(Progress *progress, int64_t at, FsrsMark mark, const char *given) {
  skill_log_add(progress, &(SkillAnswer){.skill = "L11.word", .times = 4, .mark = mark, .at = at, .right = mark > 1,
                .score = 0.6, .tips = 1, .sure = 2, .seconds = 12.25, .given = given, .said = "a \"b\"\n\u00e4"});
}

static Progress *some_history(void) {
  Progress *progress = progress_open(":memory:");
  LessonWriting writing = {.text = "32 banks\nand words"};
  skills_set_seed(progress, 77);
  answer(progress, NOON, FSRS_AGAIN, "16");
  answer(progress, NOON + DAY, FSRS_GOOD, "4");
  judged_add(progress, "FQ5", &writing, NOON);
  doubts_add(progress, &(Doubt){.skill = "L11.word", .times = 4, .seed = 77, .given = "16", .words = "why?",
                                .at = NOON});
  static const char *const skills[] = {"L11.word"};
  SkillDraw draw;
  SkillWish wish = {.lesson = "L11", .skills = skills, .count = 1, .needed = 1, .wanted = 1};
  for (int i = 0; i < 3; i++) skills_draw(progress, &wish, NOON, &draw);
  return progress;
}

static int taken(Progress *progress, const char *text) {
  LsErr err = {0};
  int added = -1;
  bool ok = history_read(progress, text, "me.jsonl", &added, &err);
  if (!ok) printf("\n%s:%d: %s\n", err.file, err.line, err.message);
  CHECK(ok);
  return added;
}

static void it_comes_back_whole(void) {
  Progress *from = some_history(), *to = progress_open(":memory:");
  char *text = exported(from);
  CHECK_INT(taken(to, text), 2);
  char *again = exported(to);
  CHECK_STR(again, text);
  CHECK_INT(taken(to, text), 0);                                // nothing doubles
  char *third = exported(to);
  CHECK_STR(third, text);
  free(third);
  free(again);
  free(text);
  progress_close(from);
  progress_close(to);
}

// Of two machines: what was answered on both is there once, and counts in the order of its times.
static void histories_are_put_together(void) {
  Progress *one = some_history(), *other = progress_open(":memory:"), *both = progress_open(":memory:");
  skills_set_seed(other, 5);
  char *first = exported(one);
  taken(other, first);
  answer(other, NOON + 5 * DAY, FSRS_GOOD, "4");
  answer(one, NOON + 3 * DAY, FSRS_AGAIN, "2");
  char *second = exported(other);
  CHECK_INT(taken(one, second), 1);
  CHECK(skills_seed(one) == 77 && skills_seed(other) == 5);     // each keeps its own
  for (int i = 0; i < 4; i++)
    answer(both, NOON + i * DAY + (i > 1 ? (i - 1) * DAY : 0), i % 2 ? FSRS_GOOD : FSRS_AGAIN, "");
  SkillState merged, straight;
  skill_state(one, "L11.word", NOON + 9 * DAY, &merged);
  skill_state(both, "L11.word", NOON + 9 * DAY, &straight);
  CHECK(merged.seen == 4 && merged.drawn == 3 && merged.memory.stability == straight.memory.stability);
  CHECK(merged.updated == NOON + 5 * DAY && merged.right == 2 && merged.lapses == 1);
  free(first);
  free(second);
  progress_close(one);
  progress_close(other);
  progress_close(both);
}

static void expect_refused(const char *text, int line, const char *why) {
  LsErr err = {0};
  int added = -1;
  Progress *progress = progress_open(":memory:");
  CHECK(!history_read(progress, text, "me.jsonl", &added, &err));
  if (err.line != line || !strstr(err.message, why)) printf("\n%d: %s\n", err.line, err.message);
  CHECK(err.line == line && strstr(err.message, why) && strcmp(err.file, "me.jsonl") == 0 && added == 0);
  SkillState state;
  CHECK(!skill_state(progress, "L11.word", NOON, &state));
  progress_close(progress);
}

// The line of the text with this in it gets something else in its place.
static char *changed(const char *text, const char *from, const char *to) {
  const char *at = strstr(text, from);
  CHECK(at != NULL);
  return ls_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void damage_is_refused(void) {
  static const struct { const char *from, *to; int line; const char *why; } cases[] = {
      {"\"format\":1", "\"format\":2", 1, "format 2; this lanescope reads format 1"},
      {"lanescope quiz", "lanescope", 1, "no history of the quiz"},
      {"\"seed\":77", "\"seed\":\"x\"", 1, "'seed' is damaged"},
      {"\"mark\":1", "\"mark\":9", 2, "'mark' is damaged"},
      {"\"mark\":1", "\"mark\":1.5", 2, "'mark' is damaged"},
      {"\"score\":0.6", "\"score\":1.5", 2, "'score' is damaged"},
      {"\"given\":\"16\"", "\"given\":16", 2, "'given' is damaged"},
      {"\"at\":", "\"ta\":", 2, "'at' is damaged or missing"},
      {"\"kind\":\"answer\"", "\"kind\":\"question\"", 2, "nothing of this kind"},
      {"{\"kind\":\"answer\"", "\"kind\":\"answer\"", 2, "this line is damaged"},
      {"\"lines\":7", "\"lines\":8", 7, "lines are missing"},
      {"{\"kind\":\"end\",\"lines\":7}\n", "{\"kind\":\"end\",\"lines\":7}\n{}\n", 8, "behind the end"},
      {"\"lines\":7}\n", "\"lines\":7}\n{\"kind\":\"end\",\"lines\":8}", 8, "behind the end"},
  };
  Progress *progress = some_history();
  char *text = exported(progress);
  for (int i = 0; i < LS_COUNT(cases); i++) {
    char *bad = changed(text, cases[i].from, cases[i].to);
    expect_refused(bad, cases[i].line, cases[i].why);
    free(bad);
  }
  expect_refused("", 0, "too early");
  free(text);
  progress_close(progress);
}

// Cut off anywhere, it is refused; only the last newline may be missing.
static void a_cut_file_is_refused(void) {
  Progress *progress = some_history();
  char *text = exported(progress);
  for (size_t length = strlen(text) - 2; length > 0; length--) {
    LsErr err = {0};
    int added = -1;
    Progress *to = progress_open(":memory:");
    text[length] = 0;
    CHECK(!history_read(to, text, "me.jsonl", &added, &err) && added == 0 && err.line > 0);
    progress_close(to);
  }
  free(text);
  progress_close(progress);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"it comes back whole", it_comes_back_whole},
      {"histories are put together", histories_are_put_together},
      {"damage is refused", damage_is_refused},
      {"a cut file is refused", a_cut_file_is_refused},
  };
  setenv("TZ", "UTC", 1);
  return check_main("history", checks, LS_COUNT(checks), argc, argv);
}
