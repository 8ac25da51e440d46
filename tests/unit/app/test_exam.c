// test_exam.c: an exam's file, its seal and what was damaged in it; the lines of a result and their codes; the time.
#include "app/exam/exam.h"

#include "app/exam/result.h"
#include "check.h"
#include "program/program.h"

static const CourseFamily families[] = {
    {.id = "FQ1", .topic = "Occupancy", .skills = (const char *[]){"L06.whole", "L06.limit"}, .skill_count = 2, .open = true},
    {.id = "FQ5", .topic = "Bank conflicts", .skills = (const char *[]){"L11.word", "L11.count", "L11.cure"}, .skill_count = 3},
    {.id = "FQ9", .topic = "Banks of shared memory", .open = true},
};

static bool add(Exam *exam, const char *wish, LsErr *err) {
  return exam_add(exam, families, LS_COUNT(families), wish, err);
}

static Exam *an_exam(const char *title, const char *word) {
  LsErr err = {0};
  Exam *exam = exam_new();
  LsDigest master;
  exam->title = title;
  exam->minutes = 30;
  CHECK(exam_draw_seed(exam, &err));
  exam->rounds = 1000;
  CHECK(add(exam, "FQ1", &err) && add(exam, "FQ5:2", &err) && add(exam, "FQ9", &err));
  for (int i = 0; i < exam->count; i++) exam->items[i].class = exam->items[i].skill ? "2.free" : NULL;
  exam->questions = ls_sha256("questions", 9);
  exam_master(exam, word, &master);
  free(exam_sealed_text(exam, &master));
  return exam;
}

static char *text_of(Exam *exam, const char *word) {
  LsDigest master;
  exam_master(exam, word, &master);
  return exam_sealed_text(exam, &master);
}

// ---- the plan ------------------------------------------------------------------------------------------------------

static void check_plan(const char *wish, const char *expected) {
  LsErr err = {0};
  LsText items = {0};
  Exam *exam = exam_new();
  if (!add(exam, wish, &err)) ls_text_add(&items, err.message);
  for (int i = 0; i < exam->count; i++)
    ls_text_addf(&items, "%s%s %.3s", i ? ", " : "", exam->items[i].family, exam->items[i].skill ? exam->items[i].skill : "open");
  if (!program_matches(expected, ls_text_str(&items))) printf("\n%s: %s\n", wish, ls_text_str(&items));
  CHECK(program_matches(expected, ls_text_str(&items)));
  ls_text_free(&items);
  exam_free(exam);
}

static void families_by_name(void) {
  check_plan("FQ5", "FQ5 L11");
  check_plan("fq5:4", "FQ5 L11, FQ5 L11, FQ5 L11, FQ5 L11");
  check_plan("occ", "FQ1 L06");
  check_plan("FQ1:1+open", "FQ1 L06, FQ1 ope");
  check_plan("FQ1:open", "FQ1 ope");
  check_plan("FQ9", "FQ9 ope");
  check_plan("bank", "'bank' may be any of these: FQ5 (Bank conflicts), FQ9 (Banks of shared memory); say which by its id");
  check_plan("bank conflicts:2", "FQ5 L11, FQ5 L11");
  check_plan("FQ77", "there is no family 'FQ77'; lanescope quiz --list lists all 3");
  check_plan("", "there is no family ''; lanescope quiz --list lists all 3");
  check_plan("FQ5:0", "'FQ5:0': behind the colon stands how many questions, 1 to 20, or open, or both as 2+open");
  check_plan("FQ5:2+shut", "'FQ5:2+shut': behind the colon *");
  check_plan("FQ5:open", "FQ5 (Bank conflicts) has no open question");
  check_plan("FQ9:2", "FQ9 (Banks of shared memory) has no questions with numbers; FQ9:open asks its open one");
}

// All skills of a family come before one comes twice.
static void skills_in_turn(void) {
  for (int round = 0; round < 20; round++) {
    LsErr err = {0};
    Exam *exam = exam_new();
    CHECK(exam_draw_seed(exam, &err) && add(exam, "FQ5:5", &err) && exam->count == 5);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < i; k++) CHECK(strcmp(exam->items[i].skill, exam->items[k].skill) != 0);
    CHECK_STR(exam->items[3].skill, exam->items[0].skill);
    CHECK(!add(exam, "fq5", &err) && strstr(err.message, "named twice"));
    exam_free(exam);
  }
}

// ---- the file ------------------------------------------------------------------------------------------------------

static void read_as_written(void) {
  LsErr err = {0};
  Exam *exam = an_exam("Midterm: α and β", "geheim");
  char *text = text_of(exam, "geheim");
  Exam *read = exam_parse(text, "midterm.exam", &err);
  CHECK(read != NULL);
  if (read) {
    CHECK_STR(read->title, exam->title);
    CHECK(read->minutes == 30 && read->count == exam->count && ls_digest_same(&read->sum, &exam->sum));
    for (int i = 0; i < read->count; i++) {
      CHECK_STR(read->items[i].family, exam->items[i].family);
      CHECK(!read->items[i].skill == !exam->items[i].skill);
      if (read->items[i].skill) CHECK_STR(read->items[i].skill, exam->items[i].skill);
      if (read->items[i].class) CHECK_STR(read->items[i].class, "2.free");
    }
    CHECK(exam_unseal(read, "geheim", NULL, &err));
    CHECK(!exam_unseal(read, "Geheim", NULL, &err) && strstr(err.message, "not the word"));
  }
  CHECK(!strstr(text, "FQ5") && !strstr(text, "free") && !strstr(text, "geheim"));   // not to be read by eye
  free(text);
  exam_free(read);
  exam_free(exam);
}

// Each byte in turn: what was damaged is told with its line, and nothing that was changed is taken for an exam.
static void damage_is_found(void) {
  Exam *exam = an_exam("Midterm", "geheim");
  char *text = text_of(exam, "geheim");
  size_t length = strlen(text);
  int line = 1;
  for (size_t i = 0; i < length; i++) {
    LsErr err = {0};
    char was = text[i];
    text[i] = was == '\n' ? 'x' : (char)(was ^ 1);
    Exam *read = exam_parse(text, "midterm.exam", &err);
    CHECK(!read && (line == 1 || (err.line == line && strcmp(err.file, "midterm.exam") == 0)));
    exam_free(read);
    text[i] = was;
    line += was == '\n';
  }
  for (size_t i = 0; i < length; i++) {   // cut off anywhere
    LsErr err = {0};
    char was = text[i];
    text[i] = 0;
    Exam *read = exam_parse(text, "midterm.exam", &err);
    CHECK(!read && err.kind == LS_EFORMAT);
    exam_free(read);
    text[i] = was;
  }
  free(text);
  exam_free(exam);
}

// A student who writes lines with the right checks, and gives himself more time, has no word to seal them with.
static void the_seal_holds(void) {
  LsErr err = {0};
  Exam *exam = an_exam("Midterm", "geheim");
  LsDigest master = {{1}}, chain = exam->chain;
  exam->minutes = 300;
  char *text = exam_sealed_text(exam, &master);
  Exam *read = exam_parse(text, "midterm.exam", &err);
  CHECK(read && read->minutes == 300 && !exam_unseal(read, "geheim", NULL, &err));
  CHECK(read && !ls_digest_same(&read->chain, &chain));
  exam_free(read);
  exam_free(exam);
  free(text);
}

static void who_it_is(void) {
  char who[EXAM_ID + 1];
  LsErr err = {0};
  CHECK(exam_who("01234567", who, &err) && strcmp(who, "01234567") == 0);
  CHECK(exam_who("Anna-M_2", who, &err) && strcmp(who, "anna-m_2") == 0);
  const char *bad[] = {"", "a b", "../x", "a/b", "\xc3\xa4rger", "a\nb", "123456789012345678901234567890123"};
  for (int i = 0; i < LS_COUNT(bad); i++) CHECK(!exam_who(bad[i], who, &err) && strstr(err.message, "is no ID"));
}

// ---- the result ----------------------------------------------------------------------------------------------------

static const ExamTime begin_time = {.wall = 1790000000000, .since_boot = 5000000, .boot = "one"};

static char *a_result(const Exam *exam, const char *who) {
  ExamResult result;
  LsText text = {0};
  LsDigest paper = ls_sha256("paper", 5);
  ExamTime later = begin_time;
  later.wall += 60000;
  later.since_boot += 60000;
  result_begin(exam, who, &paper, &begin_time, &result, &text);
  result_answer(&result, 0, "3", 5000, &text);
  result_answer(&result, 2, "two\nlines \\ and\ta tab", 6000, &text);
  result_answer(&result, 0, "4", 7000, &text);
  result_answer(&result, 1, "12", 7000, &text);
  result_answer(&result, 1, NULL, 8000, &text);
  result_resume(&result, &later, false, &text);
  result_end(&result, RESULT_HANDED, 61000, &text);
  CHECK(result.whole == text.length);
  result_fini(&result);
  return ls_text_take(&text);
}

static void results_are_read(void) {
  LsErr err = {0};
  Exam *exam = an_exam("Midterm", "geheim");
  char *text = a_result(exam, "007");
  ExamResult result;
  CHECK_INT(result_parse(exam, text, "r", &result, &err), RESULT_OK);
  CHECK_STR(result.who, "007");
  CHECK_STR(result.answers[0].text, "4");
  CHECK(!result.answers[1].text && result.answers[0].at == 7000 && result.answers[1].at == 8000);
  CHECK_STR(result.answers[2].text, "two\nlines \\ and a tab");
  CHECK(result.end == RESULT_HANDED && result.changes == 2 && result.resumes == 1 && result.gone == 61000);
  CHECK(result.whole == strlen(text) && result.begun == begin_time.wall);
  char receipt[RESULT_RECEIPT], other[RESULT_RECEIPT];
  result_receipt(&result, receipt);
  CHECK(strlen(receipt) == 14 && receipt[4] == '-' && receipt[9] == '-');
  result_fini(&result);
  char *second = a_result(exam, "008");
  CHECK_INT(result_parse(exam, second, "r", &result, &err), RESULT_OK);
  result_receipt(&result, other);
  CHECK(strcmp(receipt, other) != 0);
  result_fini(&result);
  free(second);
  Exam *another = an_exam("Midterm", "geheim");
  CHECK_INT(result_parse(another, text, "r", &result, &err), RESULT_OTHER_EXAM);
  result_fini(&result);
  CHECK_INT(result_parse(exam, "a letter", "r", &result, &err), RESULT_NOT_ONE);
  free(text);
  exam_free(another);
  exam_free(exam);
}

// Each byte changed, each line left out, two lines exchanged, and lines of somebody else: all are seen, with the line.
static void changes_are_seen(void) {
  Exam *exam = an_exam("Midterm", "geheim");
  char *text = a_result(exam, "007"), *other = a_result(exam, "008");
  ExamResult result;
  int line = 1;
  for (size_t i = 0; text[i]; i++) {
    LsErr err = {0};
    char was = text[i];
    text[i] = was == '\n' ? 'x' : (char)(was ^ 1);
    int status = result_parse(exam, text, "r", &result, &err);
    bool torn = was == '\n' && !text[i + 1];   // an end that was not written wholly
    CHECK(torn ? status == RESULT_OK && !result.end : status != RESULT_OK);
    CHECK(torn || line == 1 || status == RESULT_OTHER_EXAM || err.line == line);
    result_fini(&result);
    text[i] = was;
    line += was == '\n';
  }
  for (int skip = 2; skip <= 8; skip++) {
    LsErr err = {0};
    const char *from = ls_line_at(text, skip), *to = ls_line_at(text, skip + 1);
    LsText without = {0}, mixed = {0};
    ls_text_addn(&without, text, (size_t)(from - text));
    ls_text_addn(&mixed, text, (size_t)(from - text));
    ls_text_add(&without, to);
    ls_text_add(&mixed, ls_line_at(other, skip));
    CHECK(result_parse(exam, without.data, "r", &result, &err) == RESULT_CHANGED && err.line == skip);
    result_fini(&result);
    if (skip > 2) CHECK(result_parse(exam, mixed.data, "r", &result, &err) == RESULT_CHANGED && err.line == skip);
    result_fini(&result);
    ls_text_free(&without);
    ls_text_free(&mixed);
  }
  free(text);
  free(other);
  exam_free(exam);
}

// ---- the time ------------------------------------------------------------------------------------------------------

static int64_t gone(int64_t wall, int64_t since_boot, const char *boot) {
  ExamClock clock = {begin_time, 1000};
  ExamTime now = {.wall = begin_time.wall + wall, .since_boot = begin_time.since_boot + since_boot};
  snprintf(now.boot, sizeof now.boot, "%s", boot);
  return exam_clock_gone(&clock, &now);
}

static void both_clocks(void) {
  CHECK_INT(gone(5000, 5000, "one"), 6000);
  CHECK_INT(gone(-3600000, 5000, "one"), 6000);    // the clock was set back: the other one goes on
  CHECK_INT(gone(9000, 5000, "one"), 10000);       // the larger
  CHECK_INT(gone(9000, -4000000, "two"), 10000);   // started again: the clock of the day alone
  CHECK_INT(gone(-9000, 70000000, "two"), 1000);   // and nothing is taken, or given back, by a clock that is wrong
}

static const Check checks[] = {
    {"families by name", families_by_name}, {"skills in turn", skills_in_turn},   {"read as written", read_as_written},
    {"damage is found", damage_is_found},   {"the seal holds", the_seal_holds},   {"who it is", who_it_is},
    {"results are read", results_are_read}, {"changes are seen", changes_are_seen}, {"both clocks", both_clocks},
};

int main(int argc, char **argv) { return check_main("exam", checks, LS_COUNT(checks), argc, argv); }
