// test_report_read.c: reports of others: read back as they were written, or refused with the reason, whatever is done
// to them.
#include "app/course/day.h"
#include "app/report/json_read.h"
#include "base/random.h"
#include "small_class.h"

static ReportReader *reader;

// ---- reading -------------------------------------------------------------------------------------------------------

static void what_is_written_is_read(void) {
  Class class = new_class(NULL, false);
  Told told = ada();
  Report read;
  LsErr err = {0};
  char *text = text_of(&told, &class);
  CHECK(report_parse(reader, text, strlen(text), &read, &err));
  LsText again = {0};
  report_json(&read, &again);
  CHECK_STR(ls_text_str(&again), text);
  CHECK_STR(read.skills[0].wrong[0].says, "That is the stride.");
  ls_text_free(&again);
  report_free(&read);
  free(text);
  class_free(&class);
}

#define HEAD "{\"format\": 1, \"program\": \"1\", \"course\": \"c\", \"who\": \"Ada\", \"made\": \"2026-11-22\""
#define SKILL "\"id\": \"L11.word\", \"seen\": 6, \"chance\": 0.5, \"first\": \"2026-11-01\", \"last\": \"2026-11-02\""

static const struct { const char *text, *message; } refused[] = {
    {"", "the file is empty"},
    {" \n", "the file is empty"},
    {"who,skill,seen\n", "this is no JSON"},
    {"[1, 2", "this is no JSON"},
    {"{\"format\": 1, \"program\": \"1", "the file is cut off"},
    {"{\"format\": 1, \"program\"}", "the file is damaged: this is no JSON"},
    {HEAD "}}", "the file is damaged: this is no JSON"},
    {HEAD ", \"x\": \"\xff\"}", "the file is damaged: this is no JSON"},
    {HEAD ", \"x\": \"\\ud800\"}", "the file is damaged: this is no JSON"},
    {HEAD ", \"\xc3\": 1}", "the file is damaged: this is no JSON"},
    {"[]", "this is JSON, but no report of lanescope"},
    {"{}", "this is JSON, but no report of lanescope"},
    {"{\"kernel\": \"reduce2\"}", "this is JSON, but no report of lanescope"},
    {"{\"format\": 2}", "the report is of format 2; this version of lanescope reads 1"},
    {"{\"format\": 0}", "the report is of format 0; this version of lanescope reads 1"},
    {"{\"format\": 1e999}", "format is inf, and can be 0 to 1e+06"},
    {"{\"format\": -1}", "format is -1, and can be 0 to 1e+06"},
    {"{\"format\": \"1\"}", "format is no number"},
    {"{\"format\": 1}", "there is no program"},
    {"{\"format\": 1, \"program\": \"1\", \"course\": \"c\", \"made\": \"22.11.2026\"}", "made is no day"},
    {"{\"format\": 1, \"program\": \"1\", \"course\": \"c\", \"made\": \"2026-02-30\"}", "made is no day"},
    {"{\"format\": 1, \"program\": \"1\", \"course\": \"c\", \"made\": \"2026-11-22\"}", "there is no who"},
    {"{\"format\": 1, \"program\": \"1\", \"course\": \"c\", \"made\": \"2026-11-22\", \"who\": \"a\\u001b[2J\"}",
     "who is no name of 1 to 80 characters: 'a\x1b[2J'"},
    {"{\"format\": 1, \"program\": \"1\", \"course\": \"c\", \"made\": \"2026-11-22\", \"who\": \"=1+1\"}",
     "who is no name of 1 to 80 characters: '=1+1'"},
    {HEAD ", \"skills\": {}}", "skills is no list"},
    {HEAD ", \"skills\": [1]}", "there is no skills[0].id"},
    {HEAD ", \"skills\": [{" SKILL "}]}", "there is no skills[0].right"},
    {HEAD ", \"skills\": [{" SKILL ", \"right\": 7}]}", "skills[0].right is 7, and can be 0 to 6"},
    {HEAD ", \"skills\": [{" SKILL ", \"right\": 1.5}]}", "skills[0].right is no whole number"},
    {HEAD ", \"skills\": [{" SKILL ", \"right\": 99999999999999999999}]}",
     "skills[0].right is 1e+20, and can be 0 to 6"},
    {HEAD ", \"skills\": [{" SKILL ", \"right\": -1}]}", "skills[0].right is -1, and can be 0 to 6"},
    {HEAD ", \"skills\": [{" SKILL ", \"right\": 1, \"score\": 6.5}]}", "skills[0].score is 6.5, and can be 0 to 6"},
    {HEAD ", \"skills\": [{" SKILL ", \"right\": 1, \"box\": 6}]}", "skills[0].box is 6, and can be 0 to 5"},
    {HEAD ", \"skills\": [{" SKILL ", \"right\": 1, \"sure\": 1, \"sure_and_wrong\": 2}]}",
     "skills[0].sure_and_wrong is 2, and can be 0 to 1"},
    {HEAD ", \"skills\": [{" SKILL ", \"right\": 1, \"wrong\": []}]}", "skills[0].wrong is no object"},
    {HEAD ", \"skills\": [{" SKILL ", \"right\": 1, \"wrong\": {\"4\": 7}}]}", "skills[0].4 is 7, and can be 0 to 6"},
    {HEAD ", \"skills\": [{" SKILL ", \"right\": 1, \"wrong\": {\"4\": 1}, \"says\": {\"4\": 1}}]}",
     "skills[0].4 is no text"},
    {HEAD ", \"open\": [{\"id\": \"FQ5\", \"of\": 2, \"points\": [1]}]}", "open[0] has 1 points of 2"},
    {HEAD ", \"open\": [{\"id\": \"FQ5\", \"of\": 1, \"points\": [2]}]}", "open[0].points[0] is no number from 0 to 1"},
    {HEAD ", \"lessons\": [{\"id\": \"L01\", \"done\": 1}]}", "lessons[0].done is no true or false"},
};

static void check_refused(const char *text, const char *message) {
  Report report;
  LsErr err = {0};
  bool read = report_parse(reader, text, strlen(text), &report, &err);
  if (read) printf("\n%.200s\nis read\n", text);
  CHECK(!read);
  CHECK_STR(err.message, message);
  report_free(&report);
}

static void bad_reports_are_refused(void) {
  for (int i = 0; i < LS_COUNT(refused); i++) check_refused(refused[i].text, refused[i].message);
}

static void what_is_new_is_passed_over(void) {
  Report report;
  LsErr err = {0};
  const char *text = HEAD ", \"skills\": [{" SKILL ", \"right\": 1, \"mood\": [[{}]]}], "
                     "\"more\": {\"a\": [null, true]}}";
  CHECK(report_parse(reader, text, strlen(text), &report, &err));
  CHECK(report.skill_count == 1 && report.skills[0].score == 1);
  report_free(&report);
}

// The least that there is of each thing: what is not told is not needed.
static const char least[] =
    HEAD ", \"lessons\": [{\"id\": \"L11\", \"done\": true, \"right\": 12, \"asked\": 14}], "
    "\"skills\": [{\"id\": \"FQ5.count\", \"seen\": 6, \"right\": 5, \"box\": 3, \"chance\": 0.93, "
    "\"wrong\": {\"16\": 1}, \"sure_and_wrong\": 1}], "
    "\"open\": [{\"id\": \"FQ5\", \"points\": [1, 1, 1, 0, 1, 0], \"of\": 6}], "
    "\"practice\": [{\"name\": \"map\", \"passed\": false}], \"questioned\": [{\"skill\": \"FQ5.count\"}]}";

static void the_least_is_enough(void) {
  Report report;
  LsErr err = {0};
  LsText text = {0};
  bool read = report_parse(reader, least, sizeof least - 1, &report, &err);
  if (!read) printf("\n%s\n", err.message);
  CHECK(read && report.skill_count == 1 && report.open_count == 1 && report.doubt_count == 1);
  CHECK(report.skills[0].sure == 1 && report.skills[0].score == 5 && !report.skills[0].first);
  report_csv(&report, &text);
  CHECK_STR(ls_text_str(&text), "who,skill,seen,right,first,last,chance\nAda,FQ5.count,6,5,,,0.93\n");
  ls_text_clear(&text);
  report_json(&report, &text);
  report_free(&report);
  CHECK(report_parse(reader, text.data, text.length, &report, &err));
  report_free(&report);
  ls_text_free(&text);
}

// Lists that have no end, names of 10,000 letters, nesting of 100,000 brackets, a zero in the middle.
static void bad_sizes_are_refused(void) {
  enum { MANY = 100000 };
  LsText text = {0};
  ls_text_add(&text, HEAD ", \"lessons\": [");
  for (int i = 0; i < 1001; i++)
    ls_text_addf(&text, "%s{\"id\": \"L\", \"done\": true, \"asked\": 1, \"right\": 1}", i ? ", " : "");
  ls_text_add(&text, "]}");
  check_refused(ls_text_str(&text), "lessons has 1001 entries, more than 1000");
  ls_text_clear(&text);
  ls_text_add(&text, HEAD ", \"x\": ");
  for (int i = 0; i < MANY; i++) ls_text_addc(&text, '[');
  for (int i = 0; i < MANY; i++) ls_text_addc(&text, ']');
  ls_text_addc(&text, '}');
  check_refused(ls_text_str(&text), "the file is damaged: this is no JSON");
  ls_text_clear(&text);
  ls_text_add(&text, HEAD ", \"skills\": [{\"id\": \"");
  for (int i = 0; i < 10000; i++) ls_text_addc(&text, 'x');
  ls_text_add(&text, "\"}]}");
  check_refused(ls_text_str(&text), "skills[0].id is longer than 80 bytes");
  ls_text_free(&text);
  Report report;
  LsErr err = {0};
  CHECK(!report_parse(reader, HEAD "}\0x", sizeof HEAD "}\0x" - 1, &report, &err));
  CHECK_STR(err.message, "the file is no text");
  report_free(&report);
}

// ---- changed reports -----------------------------------------------------------------------------------------------

static bool is_sound(const Report *report) {
  bool sound = report_is_name(report->who) && day_parse(report->made, &(int64_t){0});
  for (int i = 0; sound && i < report->skill_count; i++) {
    const ReportSkill *skill = &report->skills[i];
    sound = skill->right >= 0 && skill->right <= skill->seen && skill->score >= 0 && skill->score <= skill->seen &&
            skill->chance >= 0 && skill->chance <= 1 && (!skill->first || day_parse(skill->first, &(int64_t){0}));
    for (int k = 0; sound && k < skill->wrong_count; k++)
      sound = skill->wrong[k].count >= 0 && skill->wrong[k].count <= skill->seen && skill->wrong[k].given;
  }
  return sound;
}

// A byte is another one, is gone, is there twice; a piece is somewhere else; the end is missing.
static size_t change(char *text, size_t size, LsMt *mt) {
  size_t at = ls_mt_u32(mt) % size, to = ls_mt_u32(mt) % size, length = 1 + ls_mt_u32(mt) % 12;
  length = LS_MIN(length, size - at);
  switch (ls_mt_u32(mt) % 5) {
    case 0: text[at] = (char)(ls_mt_u32(mt) % 256); return size;
    case 1: text[at] = "{}[]\",:0123456789eE.-\\u"[ls_mt_u32(mt) % 23]; return size;
    case 2: memmove(text + at, text + at + length, size - at - length); return size - length;
    case 3: memmove(text + to, text + at, LS_MIN(length, size - to)); return size;
    default: return ls_mt_u32(mt) % 8 ? size : at;
  }
}

// Whatever is done to a report, it is refused with a reason, or what is read is sound and can be added up.
static void changed_reports(void) {
  LsMt mt;
  ls_mt_seed(&mt, 4127);
  Class class = new_class(NULL, true);
  Told told[] = {ada(), ben()};
  int taken = 0, tries = check_long(20000, 100000);
  for (int i = 0; i < tries; i++) {
    char *text = text_of(&told[i % 2], &class);
    size_t size = strlen(text);
    for (unsigned n = 1 + ls_mt_u32(&mt) % 3; n && size; n--) size = change(text, size, &mt);
    text[size] = 0;
    Report report;
    LsErr err = {0};
    bool read = report_parse(reader, text, size, &report, &err);
    CHECK(read ? is_sound(&report) : err.kind != LS_OK && *err.message);
    if (read) class_add(&class, &report);
    taken += read;
    report_free(&report);
    free(text);
  }
  class_end(&class);
  CHECK(taken > tries / 20 && taken < tries);
  CHECK(class.student_count > 2);
  LsText json = {0};
  class_json(&(ClassFiles){.class = &class}, false, &json);
  LsArena *arena = ls_arena_new();
  JsonReader *again = json_reader_new();
  CHECK(json_read(again, ls_text_str(&json), arena) != NULL);
  json_reader_free(again);
  ls_arena_free(arena);
  ls_text_free(&json);
  class_free(&class);
}

static void every_beginning_is_refused(void) {
  Class class = new_class(NULL, false);
  Told told = ada();
  char *text = text_of(&told, &class);
  for (size_t size = strlen(text) - 2; size--;) {
    Report report;
    LsErr err = {0};
    text[size] = 0;
    CHECK(!report_parse(reader, text, size, &report, &err) && *err.message);
    report_free(&report);
  }
  free(text);
  class_free(&class);
}

static const Check checks[] = {
    {"what is written is read", what_is_written_is_read},
    {"bad reports are refused", bad_reports_are_refused},
    {"bad sizes are refused", bad_sizes_are_refused},
    {"the least is enough", the_least_is_enough},
    {"what is new is passed over", what_is_new_is_passed_over},
    {"changed reports", changed_reports},
    {"every beginning is refused", every_beginning_is_refused},
};

int main(int argc, char **argv) {
  reader = report_reader_new();
  int failed = check_main("report read", checks, LS_COUNT(checks), argc, argv);
  report_reader_free(reader);
  return failed;
}
