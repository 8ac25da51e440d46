// test_report.c: what a report tells of a student: what was done and on which days, and nothing else.
#include <math.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/course/doubts.h"
#include "app/course/judged.h"
#include "app/course/skills.h"
#include "app/course/solved.h"
#include "app/course/writing.h"
#include "app/report/course_hash.h"
#include "app/report/report.h"
#include "base/file.h"
#include "check.h"

enum { HOUR = 3600, DAY = 24 * HOUR };
static const int64_t noon = 1790769600;   // 2026-09-30, universal time

// ---- a course of two lessons ---------------------------------------------------------------------------------------

static CourseLesson lessons[] = {{.id = "L03", .name = "warps", .title = "Warps"},
                                 {.id = "L11", .name = "banks", .title = "Banks"}};
static const char *skills[] = {"L11.count", "L11.word"};
static CourseFamily families[] = {{.id = "FQ5", .topic = "Bank conflicts", .lesson = "L11", .skills = skills,
                                   .skill_count = 2, .open = true}};

static bool get_families(Course *course, LsArena *arena, CourseFamily **list, int *count, LsErr *err) {
  (void)course, (void)arena, (void)err;
  *list = families;
  *count = LS_COUNT(families);
  return true;
}

static Course course = {.title = "T", .lessons = lessons, .count = 2, .families = get_families};

// ---- a student -----------------------------------------------------------------------------------------------------

static void answer_at(Progress *progress, const char *name, bool looked, int64_t at) {
  progress_save_answer(progress, "L03", name,
                       &(ProgressAnswer){.value = 1, .right = true, .tries = 1, .looked = looked});
  StoreValue values[] = {store_integer(at), store_text(name)};
  store_change(progress_store(progress), "update reply set at = ?1 where name = ?2", values, 2);
}

// Began at noon, went on after 2 minutes, after 3 more, came back after two hours, and left 4 minutes later.
static void take_lesson(Progress *progress) {
  progress_save_lesson(progress, "L03",
                       &(ProgressLesson){.step = 9, .steps = 10, .done = true, .right = 2, .asked = 3});
  answer_at(progress, "q1", false, noon + 120);
  answer_at(progress, "q2", true, noon + 300);
  answer_at(progress, "q3", false, noon + 300 + 2 * HOUR);
  StoreValue values[] = {store_integer(noon), store_integer(noon + 540 + 2 * HOUR)};
  store_change(progress_store(progress), "update lesson set started = ?1, updated = ?2", values, 2);
}

static void answer(Progress *progress, const char *given, const char *said, double score, int sure) {
  FsrsMark mark = score > 0 ? FSRS_HARD : FSRS_AGAIN;
  skill_log_add(progress, &(SkillAnswer){.skill = "L11.word", .mark = mark, .at = noon, .right = score >= 1,
                                         .score = score, .sure = sure, .given = given, .said = said});
}

static Progress *student(void) {
  Progress *progress = progress_open(":memory:");
  take_lesson(progress);
  skill_graded(progress, "L11.count", FSRS_AGAIN, noon);
  skill_graded(progress, "L11.count", FSRS_GOOD, noon + DAY);
  skill_graded(progress, "L11.count", FSRS_GOOD, noon + 14 * HOUR + 2 * DAY);   // by night: still the day before
  skill_graded(progress, "L99.gone", FSRS_GOOD, noon + 3 * DAY);
  answer(progress, "16", "That is the stride.", 0, 1);
  answer(progress, "4", "", 0, 3);
  answer(progress, "16", "That is the stride.", 0.6, 2);
  answer(progress, "2", "", 1, 1);
  WritingPoint points[] = {{"banks", true, 2}, {"turns", true, -1}, {"cure", false, -1}};
  LessonWriting open = {.points = points, .point_count = 3, .text = "There are \"32\" banks,\na word wide"};
  judged_add(progress, "FQ5", &(LessonWriting){.points = points, .point_count = 3, .text = "a first try"}, noon - DAY);
  judged_add(progress, "FQ5", &open, noon);
  writing_save(progress, "quiz", "FQ5", &(LessonWriting){.points = points, .point_count = 3, .text = "a draft"});
  solved_add(progress, "transpose", false, NULL, SOLVED_NO_SCORE);
  solved_add(progress, "transpose", true, "sectors", 120);
  solved_add(progress, "guard", false, NULL, SOLVED_NO_SCORE);
  doubts_add(progress, &(Doubt){.skill = "L11.word", .times = 2, .seed = UINT64_MAX, .given = "16", .at = noon,
                                .words = "it is 8"});
  writing_save(progress, "L03", "why", &(LessonWriting){.points = points, .point_count = 1, .text = "so"});
  writing_save(progress, "L03", "list", &(LessonWriting){.is_list = true, .text = "a list is nobody's business"});
  return progress;
}

static Report gathered(Progress *progress, const char *as, bool texts) {
  Report report;
  LsErr err = {0};
  bool ok = report_gather(&report, &course, progress, &(ReportWish){as, texts, noon + 12 * DAY}, &err);
  if (!ok) printf("\n%s\n", err.message);
  CHECK(ok);
  return report;
}

static void everything_that_was_done(void) {
  Progress *progress = student();
  Report report = gathered(progress, "Ada, \"L.\"", false);
  CHECK_STR(report.who, "Ada, \"L.\"");
  CHECK_STR(report.made, "2026-10-12");
  CHECK_STR(report.program, LS_VERSION);
  CHECK_INT(strlen(report.course), 64);
  CHECK_INT(report.lesson_count, 1);
  const ReportLesson *lesson = &report.lessons[0];
  CHECK_STR(lesson->id, "L03");
  CHECK(lesson->done && lesson->right == 2 && lesson->asked == 3 && lesson->looked == 1);
  CHECK_INT(lesson->minutes, 2 + 3 + REPORT_PAUSE + 4);
  CHECK_INT(report.skill_count, 3);
  const ReportSkill *count = &report.skills[0], *gone = &report.skills[2];
  CHECK_STR(count->id, "L11.count");
  CHECK_STR(count->family, "FQ5");
  CHECK(count->seen == 3 && count->right == 2 && count->box >= 1 && count->chance > 0 && count->chance < 1);
  CHECK_STR(count->first, "2026-09-30");
  CHECK_STR(count->last, "2026-10-02");
  CHECK_STR(gone->id, "L99.gone");
  CHECK(!gone->family && gone->seen == 1 && gone->right == 1);
  report_free(&report);
  progress_close(progress);
}

static void wrong_answers_and_their_names(void) {
  Progress *progress = student();
  Report report = gathered(progress, "a", false);
  const ReportSkill *word = &report.skills[1];
  CHECK_STR(word->id, "L11.word");
  CHECK(word->seen == 4 && word->right == 1 && word->score == 1.6);
  CHECK(word->sure == 2 && word->sure_wrong == 1 && word->wrong_count == 2);
  CHECK_STR(word->wrong[0].given, "16");
  CHECK_STR(word->wrong[0].says, "That is the stride.");
  CHECK_STR(word->wrong[1].given, "4");
  CHECK(word->wrong[0].count == 2 && word->wrong[1].count == 1 && !word->wrong[1].says);
  report_free(&report);
  progress_close(progress);
}

static void exercises_and_their_scores(void) {
  Progress *progress = student();
  Report report = gathered(progress, "a", false);
  CHECK_INT(report.practice_count, 2);
  const ReportExercise *guard = &report.practice[0], *transpose = &report.practice[1];
  CHECK_STR(guard->name, "guard");
  CHECK(!guard->passed && guard->tries == 1 && isnan(guard->score));
  CHECK_STR(transpose->name, "transpose");
  CHECK(transpose->passed && transpose->tries == 2 && transpose->score == 120);
  CHECK_STR(transpose->counts, "sectors");
  report_free(&report);
  progress_close(progress);
}

static void what_is_said_to_be_wrong(void) {
  Progress *progress = student();
  Report report = gathered(progress, "a", false);
  CHECK_INT(report.doubt_count, 1);
  const ReportDoubt *doubt = &report.doubts[0];
  CHECK_STR(doubt->skill, "L11.word");
  CHECK_STR(doubt->seed, "18446744073709551615");
  CHECK_STR(doubt->given, "16");
  CHECK_STR(doubt->words, "it is 8");
  CHECK_INT(doubt->draw, 2);
  report_free(&report);
  progress_close(progress);
}

static void points_of_open_answers(void) {
  Progress *progress = student();
  Report report = gathered(progress, "a", true);
  CHECK_INT(report.open_count, 2);
  CHECK_STR(report.open[0].id, "FQ5");
  CHECK_STR(report.open[1].id, "L03.why");
  const ReportOpen *open = &report.open[0];
  CHECK(open->of == 3 && open->points[0] == 1 && open->points[1] == 0.5 && open->points[2] == 0 && open->words == 7);
  CHECK_STR(open->text, "There are \"32\" banks,\na word wide");
  report_free(&report);
  report = gathered(progress, "a", false);
  CHECK(report.open_count == 2 && !report.open[0].text);
  report_free(&report);
  progress_close(progress);
}

// ---- the files -----------------------------------------------------------------------------------------------------

static const char json_expected[] =
    "{\n"
    "  \"format\": 1,\n"
    "  \"program\": \"9.8\",\n"
    "  \"course\": \"c0\",\n"
    "  \"who\": \"otter-4127\",\n"
    "  \"made\": \"2026-11-22\",\n"
    "  \"lessons\": [\n"
    "    {\"id\": \"L11\", \"done\": true, \"right\": 12, \"asked\": 14, \"looked\": 1, \"minutes\": 24}],\n"
    "  \"skills\": [\n"
    "    {\"id\": \"L11.count\", \"family\": \"FQ5\", \"seen\": 6, \"right\": 5, \"score\": 5.6, \"box\": 3, "
    "\"chance\": 0.93, \"first\": \"2026-10-01\", \"last\": \"2026-11-20\", \"lapses\": 1, "
    "\"sure\": 3, \"sure_and_wrong\": 2, "
    "\"wrong\": {\"16\": 2, \"\\u0007\": 1}, \"says\": {\"16\": \"That is the \\\"stride\\\".\"}},\n"
    "    {\"id\": \"L11.word\", \"seen\": 1, \"right\": 1, \"score\": 1, \"box\": 1, \"chance\": 1, "
    "\"first\": \"2026-11-20\", \"last\": \"2026-11-20\", \"lapses\": 0, \"sure\": 0, "
    "\"sure_and_wrong\": 0, \"wrong\": {}}],\n"
    "  \"open\": [\n"
    "    {\"id\": \"FQ5\", \"points\": [1, 0.5, 0], \"of\": 3, \"words\": 61}],\n"
    "  \"practice\": [\n"
    "    {\"name\": \"map\", \"passed\": true, \"tries\": 3, \"score\": 96, \"counts\": \"sectors\"},\n"
    "    {\"name\": \"guard\", \"passed\": false, \"tries\": 1}],\n"
    "  \"questioned\": [\n"
    "    {\"skill\": \"L11.word\", \"draw\": 3, \"seed\": \"4127\", \"given\": \"7\", "
    "\"words\": \"the bank is 8\"}]\n"
    "}\n";

static ReportWrong wrong[] = {{"16", "That is the \"stride\".", 2}, {"\a", NULL, 1}};
static const double points[] = {1, 0.5, 0};

static Report example(void) {
  static ReportLesson lesson[] = {{"L11", true, 12, 14, 1, 24}};
  static ReportSkill skill[] = {
      {"L11.count", "FQ5", 6, 5, 5.6, 3, 0.93, "2026-10-01", "2026-11-20", 1, 3, 2, wrong, LS_COUNT(wrong)},
      {"L11.word", NULL, 1, 1, 1, 1, 1, "2026-11-20", "2026-11-20", 0, 0, 0, NULL, 0}};
  static ReportOpen open[] = {{"FQ5", points, 3, 61, NULL}};
  static ReportExercise practice[] = {{"map", true, 3, 96, "sectors"}, {"guard", false, 1, NAN, ""}};
  static ReportDoubt doubts[] = {{"L11.word", 3, "4127", "7", "the bank is 8"}};
  return (Report){.program = "9.8", .course = "c0", .who = "otter-4127", .made = "2026-11-22", .lessons = lesson,
                  .lesson_count = 1, .skills = skill, .skill_count = 2, .open = open, .open_count = 1,
                  .practice = practice, .practice_count = 2, .doubts = doubts, .doubt_count = 1};
}

static void json_as_it_is_specified(void) {
  Report report = example();
  LsText text = {0};
  report_json(&report, &text);
  CHECK_STR(ls_text_str(&text), json_expected);
  ls_text_free(&text);
}

static void a_table_of_skills(void) {
  Report report = example();
  LsText text = {0};
  report.who = "Ada, \"L.\"";
  report_csv(&report, &text);
  CHECK_STR(ls_text_str(&text), "who,skill,seen,right,first,last,chance\n"
            "\"Ada, \"\"L.\"\"\",L11.count,6,5,2026-10-01,2026-11-20,0.93\n"
            "\"Ada, \"\"L.\"\"\",L11.word,1,1,2026-11-20,2026-11-20,1.00\n");
  ls_text_free(&text);
}

// Nothing in the file looks like a time of day, a path or this machine.
static void neither_time_nor_place(void) {
  Progress *progress = student();
  Report report = gathered(progress, NULL, false);
  LsText text = {0};
  report_json(&report, &text);
  const char *json = ls_text_str(&text);
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  CHECK(!strchr(json, '/') && (!strlen(host) || !strstr(json, host)) && !strstr(json, "32\\\""));
  for (const char *at = strchr(json, ':'); at; at = strchr(at + 1, ':')) CHECK(at[1] == ' ');
  CHECK(!strstr(json, "17907"));                     // seconds since 1970
  ls_text_free(&text);
  report_free(&report);
  progress_close(progress);
}

// ---- names and days ------------------------------------------------------------------------------------------------

static void names(void) {
  static const char *const good[] = {"otter-41", "Ada L.", "01234567", "\xc3\x89milie", "x", "\xe6\xbc\xa2"};
  static const char *const bad[] = {"", "=1+1", "-x", "+x", "@x", " x", "a\tb", "a\nb", "\x1b[2J", "a\x7f", "a\xc2\x9b",
                                    "a\xff", "\"x\"", "\xcc\x81x", "\xe2\x80\xaex"};
  for (int i = 0; i < LS_COUNT(good); i++) CHECK(report_is_name(good[i]));
  for (int i = 0; i < LS_COUNT(bad); i++) {
    if (report_is_name(bad[i])) printf("\n'%s' is taken for a name\n", bad[i]);
    CHECK(!report_is_name(bad[i]));
  }
  char *letters = ls_alloc(10001);
  memset(letters, 'x', 10000);
  CHECK(!report_is_name(letters));
  letters[REPORT_NAME] = 0;
  CHECK(report_is_name(letters));
  free(letters);
  Progress *progress = progress_open(":memory:");
  Report report;
  LsErr err = {0};
  CHECK(!report_gather(&report, &course, progress, &(ReportWish){.as = "=cmd"}, &err));
  CHECK(strstr(err.message, "not '=cmd'") && err.kind == LS_EREQUEST);
  report_free(&report);
  progress_close(progress);
}

static void a_friendly_name_is_kept(void) {
  char folder[256];
  CHECK(check_folder(folder, sizeof folder));
  char *path = ls_path_join(folder, "progress.db"), *first = NULL;
  int other = 0;
  for (int i = 0; i < 3; i++) {
    LsText name = {0};
    Progress *progress = progress_open(path);
    report_alias(progress, &name);
    progress_close(progress);
    if (!first) first = ls_strdup(ls_text_str(&name));
    CHECK_STR(ls_text_str(&name), first);
    CHECK(report_is_name(first) && strchr(first, '-') && strlen(strchr(first, '-')) == 5);
    ls_text_free(&name);
  }
  for (int i = 0; i < 5; i++) {
    LsText name = {0};
    Progress *progress = progress_open(":memory:");
    skills_set_seed(progress, 1);                    // the same for a whole class
    report_alias(progress, &name);
    other += strcmp(ls_text_str(&name), first) != 0;
    progress_close(progress);
    ls_text_free(&name);
  }
  CHECK(other > 0);
  unlink(path);
  rmdir(folder);
  free(path);
  free(first);
}

// ---- the course ----------------------------------------------------------------------------------------------------

static void put(const char *folder, const char *name, const char *text) {
  char *path = ls_path_join(folder, name);
  CHECK(ls_file_write(path, text, strlen(text), NULL));
  free(path);
}

static void check_hash(const char *folder, const Course *of, char seen[LS_SHA256_HEX]) {
  char hash[LS_SHA256_HEX];
  LsErr err = {0};
  CHECK(course_hash(of, folder, hash, &err));
  CHECK(strcmp(hash, seen) != 0);
  strcpy(seen, hash);
}

// Whatever is asked otherwise is another course.
static void the_hash_changes_with_the_course(void) {
  static const char *const names[] = {"course.lua", "families.lua", "one.lua", "questions/X01.lua"};
  static CourseLesson one[] = {{.id = "X01", .file = "one.lua"}};
  Course of = {.lessons = one, .count = 1};
  char folder[256], hash[LS_SHA256_HEX] = "", again[LS_SHA256_HEX];
  CHECK(check_folder(folder, sizeof folder));
  char *questions = ls_path_join(folder, "questions");
  mkdir(questions, 0700);
  for (int i = 0; i < LS_COUNT(names); i++) put(folder, names[i], "return {}");
  check_hash(folder, &of, hash);
  put(folder, "glossary.lua", "is not asked");
  CHECK(course_hash(&of, folder, again, NULL));
  CHECK_STR(again, hash);
  for (int i = 0; i < LS_COUNT(names); i++) {
    put(folder, names[i], "return { }");
    check_hash(folder, &of, hash);
  }
  put(folder, "one.lua", "return { }questions/X01.lua 10\n");   // what stands in one file is not in the next
  put(folder, "questions/X01.lua", "");
  check_hash(folder, &of, hash);
  for (int i = 0; i <= LS_COUNT(names); i++) {
    char *path = ls_path_join(folder, i < LS_COUNT(names) ? names[i] : "glossary.lua");
    unlink(path);
    free(path);
  }
  rmdir(questions);
  rmdir(folder);
  free(questions);
}

// ---- progress that is none -----------------------------------------------------------------------------------------

static void no_report_of_a_damaged_progress(void) {
  char folder[256];
  CHECK(check_folder(folder, sizeof folder));
  put(folder, "progress.db", "this is no database at all, and somebody's file");
  char *path = ls_path_join(folder, "progress.db");
  Progress *progress = progress_open(path);
  Report report;
  LsErr err = {0};
  CHECK(!report_gather(&report, &course, progress, &(ReportWish){.as = "x", .now = noon}, &err));
  CHECK(strstr(err.message, "progress.db") && err.kind == LS_EFORMAT);
  report_free(&report);
  progress_close(progress);
  unlink(path);
  rmdir(folder);
  free(path);
}

static const Check checks[] = {
    {"everything that was done", everything_that_was_done},
    {"wrong answers and their names", wrong_answers_and_their_names},
    {"exercises and their scores", exercises_and_their_scores},
    {"what is said to be wrong", what_is_said_to_be_wrong},
    {"points of open answers", points_of_open_answers},
    {"json as it is specified", json_as_it_is_specified},
    {"a table of skills", a_table_of_skills},
    {"neither time nor place", neither_time_nor_place},
    {"names", names},
    {"a friendly name is kept", a_friendly_name_is_kept},
    {"the hash changes with the course", the_hash_changes_with_the_course},
    {"no report of a damaged progress", no_report_of_a_damaged_progress},
};

int main(int argc, char **argv) {
  setenv("TZ", "UTC", 1);
  tzset();
  return check_main("report", checks, LS_COUNT(checks), argc, argv);
}
