// test_class.c: the sums of a class, by hand and against sums that are made the long way; who counts, and who is told.
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/report/json_read.h"
#include "base/file.h"
#include "base/random.h"
#include "small_class.h"

static ReportReader *reader;

// ---- the sums ------------------------------------------------------------------------------------------------------

typedef struct Names { const Class *class; LsText text; } Names;

static bool take_name(void *context, int student, int count) {
  Names *names = context;
  ls_text_addf(&names->text, "%s %d;", names->class->students[student].who, count);
  return true;
}

static void check_names(const Class *class, int wrong, int skill, const char *expected) {
  Names names = {class, {0}};
  if (wrong >= 0) class_each_wrong(class, wrong, take_name, &names);
  else class_each_without(class, skill, take_name, &names);
  CHECK_STR(ls_text_str(&names.text), expected);
  ls_text_free(&names.text);
}

static void sums_by_hand(void) {
  Class class = new_class(NULL, false);
  Told told[] = {ben(), dan(), ada(), cat()};
  for (int i = 0; i < LS_COUNT(told); i++) CHECK(add(&class, &told[i]) == CLASS_TAKEN);
  class_end(&class);
  CHECK(class.student_count == 4 && class.begun == 3 && class.answers == 9 && class.skill_count == 4);
  CHECK(class.of == 4.5);
  const ClassSkill *warps = &class.skills[0], *word = &class.skills[1], *count = &class.skills[2];
  CHECK_STR(word->id, "L11.word");
  CHECK_STR(word->topic, "Bank conflicts");
  CHECK_STR(class.skills[3].topic, "Banks");
  CHECK(warps->students == 0 && class_share(warps) < 0);
  CHECK(word->students == 2 && word->seen == 5 && word->right == 1 && class_share(word) == 0.2);
  CHECK(word->sure == 2 && word->sure_wrong == 1 && word->sure_wrong_students == 1);
  CHECK(word->doubts == 0 && count->doubts == 1);
  CHECK(class.doubt_count == 1 && count->doubt_count == 1 && class.doubts[0].student == 1 && class.doubts[0].draw == 3);
  CHECK_STR(class.doubts[count->first_doubt].words, "it is 8");
  CHECK(count->students == 2 && count->seen == 4 && count->right == 3 && class_share(count) == 0.75);
  CHECK_INT(word->wrong_count, 2);
  const ClassWrong *first = &class.wrong[word->first_wrong], *second = first + 1;
  CHECK_STR(first->given, "16");
  CHECK_STR(first->says, "That is the stride.");
  CHECK(first->count == 2 && first->students == 1 && second->count == 2 && second->students == 2);
  check_names(&class, word->first_wrong + 1, -1, "Ben 1;Ada 1;");
  check_names(&class, -1, 1, "Cat 0;Dan 0;");
  CHECK(class.lessons[0].begun == 1 && class.lessons[0].done == 0 && class.lessons[1].begun == 1);
  CHECK(class.lessons[1].done == 1 && class.open[0].students == 1 && class.open[0].share == 0.5);
  CHECK_STR(class.students[0].who, "Ada");
  CHECK(fabs(class.students[0].points - (1.6 / 4 + 1 + 0.5 / 2)) < 1e-6 && class.students[1].points == 0.5);
  LsText csv = {0};
  class_csv(&class, &csv);
  CHECK_STR(ls_text_str(&csv), "who,points,of\nAda,1.65,4.5\nBen,0.50,4.5\nCat,0.00,4.5\nDan,0.00,4.5\n");
  ls_text_free(&csv);
  class_free(&class);
}

static void orders(void) {
  static const int expected[CLASS_ORDERS][4] = {{1, 2, 0, 3}, {1, 2, 0, 3}, {1, 2, 0, 3}, {0, 1, 2, 3}};
  Class class = new_class(NULL, false);
  Told told[] = {ben(), ada()};
  for (int i = 0; i < LS_COUNT(told); i++) add(&class, &told[i]);
  class_end(&class);
  for (int order = 0; order < CLASS_ORDERS; order++) {
    int rows[4];
    class_order(&class, (ClassOrder)order, rows);
    CHECK(memcmp(rows, expected[order], sizeof rows) == 0 && *class_order_name((ClassOrder)order));
  }
  class_free(&class);
}

// Of the exercises that there are: a name that somebody made up is none.
static void exercises_of_practice(void) {
  static const char *const names[] = {"map", "guard", "transpose"};
  Class class = new_class(NULL, false);
  class_exercises(&class, names, LS_COUNT(names));
  Told one = {.who = "A", .practice = {{"guard", true, 2, 5, "sectors"}, {"map", false, 1, NAN, ""},
                                       {"guard", false, 1, NAN, ""}}};
  Told other = {.who = "B", .practice = {{"guard", false, 9, NAN, ""}, {"made up", true, 1, NAN, ""}}};
  add(&class, &one);
  add(&class, &other);
  class_end(&class);
  CHECK(class.exercises[0].tried == 1 && class.exercises[0].passed == 0);
  CHECK(class.exercises[1].tried == 2 && class.exercises[1].passed == 1 && class.exercises[2].tried == 0);
  LsText json = {0};
  class_json(&(ClassFiles){.class = &class}, false, &json);
  CHECK(strstr(ls_text_str(&json), "{\"name\": \"guard\", \"tried\": 2, \"passed\": 1}") != NULL);
  CHECK(!strstr(ls_text_str(&json), "made up"));
  ls_text_free(&json);
  class_free(&class);
}

static void one_lesson_alone(void) {
  Class class = new_class(&small_lessons[0], false);
  Told told[] = {ada(), dan()};
  for (int i = 0; i < LS_COUNT(told); i++) add(&class, &told[i]);
  class_end(&class);
  CHECK(class.skill_count == 1 && class.open_count == 0 && class.of == 1 && class.answers == 0);
  CHECK(class.student_count == 2 && class.begun == 1 && class.unknown == 2);
  class_free(&class);
}

// ---- who counts ----------------------------------------------------------------------------------------------------

// In whatever order they come, and whatever was read before: the sums are those of the newest alone.
static void the_newest_counts(void) {
  for (int turned = 0; turned < 2; turned++) {
    Class class = new_class(NULL, false);
    Told old = ben(), new = ada(), others = ben();
    old.who = new.who, old.made = "2026-10-30", others.who = "Other";
    Told *told[] = {turned ? &new : &old, &others, turned ? &old : &new};
    CHECK(add(&class, told[0]) == CLASS_TAKEN && add(&class, told[1]) == CLASS_TAKEN);
    CHECK(add(&class, told[2]) == (turned ? CLASS_OLDER : CLASS_NEWER));
    class_end(&class);
    CHECK(class.student_count == 2 && class.older == 1 && class.skills[1].seen == 5 && class.skills[1].right == 1);
    CHECK(class.skills[1].students == 2 && class.wrong[class.skills[1].first_wrong + 1].students == 2);
    CHECK_STR(class.students[0].made, "2026-11-22");
    class_free(&class);
  }
}

// Of one day the one with more answers, else the later one.
static void of_one_day_more_answers_count(void) {
  for (int turned = 0; turned < 2; turned++) {
    Class class = new_class(NULL, false);
    Told less = ben(), more = ada();
    less.who = more.who;
    add(&class, turned ? &less : &more);
    CHECK(add(&class, turned ? &more : &less) == (turned ? CLASS_NEWER : CLASS_OLDER));
    CHECK(add(&class, &more) == CLASS_NEWER);
    class_end(&class);
    CHECK(class.answers == 6 && class.student_count == 1 && class.skills[1].doubts == 0);
    class_free(&class);
  }
}

static void other_courses_are_not_mixed_in(void) {
  for (int mixed = 0; mixed < 2; mixed++) {
    Class class = new_class(NULL, mixed);
    Told own = ada(), other = ben();
    other.course = "1234";
    other.skills[1].id = "L11.gone";
    CHECK(add(&class, &own) == CLASS_TAKEN && add(&class, &other) == (mixed ? CLASS_TAKEN : CLASS_OTHER));
    class_end(&class);
    CHECK(class.others == 1 && class.student_count == 1 + mixed && class.answers == 6 + mixed);
    CHECK(class.unknown == mixed && class.skills[2].students == 1);
    class_free(&class);
  }
}

// Somebody may write a report by hand: a skill that stands in it twice gives no points twice.
static void twice_in_a_report_counts_once(void) {
  Class class = new_class(NULL, false);
  Told told = {.who = "Eve", .skills = {{.id = "L11.word", .seen = 1, .right = 1},
                                        {.id = "L11.word", .seen = 9, .right = 9},
                                        {.id = "L11.word", .seen = 9, .right = 9}},
               .lessons = {{.id = "L11"}, {.id = "L11", .done = true}}};
  add(&class, &told);
  class_end(&class);
  CHECK(class.answers == 1 && class.students[0].points == 1);
  CHECK(class.lessons[1].begun == 1 && class.lessons[1].done == 0);
  class_free(&class);
}

// ---- the same sums, made the long way ------------------------------------------------------------------------------

enum { CROWD = 300, KINDS = 5 };
typedef struct Person { Told told; char who[16]; ReportWrong wrong[4][KINDS]; } Person;

static void draw_person(Person *person, int number, LsMt *mt) {
  static const char *const ids[] = {"L11.count", "L03.warps", "L11.cure", "L11.word"};
  static const char *const given[KINDS] = {"0", "1", "16", "32", "a c"};
  snprintf(person->who, sizeof person->who, "s%d", number);
  person->told = (Told){.who = person->who};
  int count = (int)(ls_mt_u32(mt) % 5);
  for (int i = 0; i < count; i++) {
    int seen = 1 + (int)(ls_mt_u32(mt) % 9), kinds = (int)(ls_mt_u32(mt) % (KINDS + 1));
    int right = (int)(ls_mt_u32(mt) % (unsigned)(seen + 1));
    person->told.skills[i] = (ReportSkill){.id = ids[i], .seen = seen, .right = right,
                                           .wrong = person->wrong[i], .wrong_count = kinds};
    for (int k = 0; k < kinds; k++) person->wrong[i][k] = (ReportWrong){given[k], NULL, 1 + (int)(ls_mt_u32(mt) % 3)};
  }
}

// Sums of one skill over all people.
static void check_skill(const Class *class, const Person *people, const ClassSkill *skill) {
  int64_t seen = 0, right = 0, wrong = 0, told = 0;
  int students = 0;
  for (int i = 0; i < CROWD; i++)
    for (int k = 0; k < 4; k++) {
      const ReportSkill *one = &people[i].told.skills[k];
      if (!one->id || strcmp(one->id, skill->id) != 0) continue;
      students++;
      seen += one->seen;
      right += one->right;
      for (int w = 0; w < one->wrong_count; w++) wrong += one->wrong[w].count;
    }
  for (int i = 0; i < skill->wrong_count; i++) told += class->wrong[skill->first_wrong + i].count;
  CHECK(students == skill->students && seen == skill->seen && right == skill->right && wrong == told);
  for (int i = 1; i < skill->wrong_count; i++)
    CHECK(class->wrong[skill->first_wrong + i - 1].count >= class->wrong[skill->first_wrong + i].count);
}

static void sums_the_long_way(void) {
  LsMt mt;
  ls_mt_seed(&mt, 20261122);
  Person *people = ls_alloc(sizeof *people * CROWD);
  Class class = new_class(NULL, false);
  for (int i = 0; i < CROWD; i++) {
    draw_person(&people[i], i, &mt);
    CHECK(add(&class, &people[i].told) == CLASS_TAKEN);
  }
  class_end(&class);
  CHECK_INT(class.student_count, CROWD);
  for (int i = 0; i < class.skill_count; i++) check_skill(&class, people, &class.skills[i]);
  for (int i = 1; i < CROWD; i++) CHECK(strcmp(class.students[i - 1].who, class.students[i].who) < 0);
  class_free(&class);
  free(people);
}

// ---- nobody is known -----------------------------------------------------------------------------------------------

static Told numbered(int number) {
  static char names[8][16];
  snprintf(names[number], sizeof names[number], "s%d", number);
  bool most = number < 4;
  return (Told){.who = names[number], .skills = {{.id = "L11.word", .seen = 2, .right = 1,
                                                  .wrong = most ? stride : four, .wrong_count = most ? 2 : 1},
                                                 {.id = most ? "L11.count" : "L11.cure", .seen = 1}}};
}

static double number_at(const JsonValue *object, const char *key) {
  const JsonValue *value = json_member(object, key);
  return !value ? -1 : value->kind == JSON_NULL ? -2 : value->number;
}

// Five answered L11.word and 4 of them L11.count; 5 said 4 and 4 said 16.
static void few_are_not_told_of(void) {
  Class class = new_class(NULL, false);
  for (int i = 0; i < 5; i++) {
    Told told = numbered(i);
    add(&class, &told);
  }
  class_end(&class);
  LsArena *arena = ls_arena_new();
  JsonReader *json = json_reader_new();
  for (int anonymous = 0; anonymous < 2; anonymous++) {
    LsText text = {0};
    class_json(&(ClassFiles){.class = &class}, anonymous, &text);
    const JsonValue *root = json_read(json, ls_text_str(&text), arena);
    const JsonValue *warps = json_member(root, "skills")->child, *word = warps->next, *count = word->next;
    CHECK(number_at(word, "students") == 5 && number_at(word, "share") == 0.5 && number_at(root, "students") == 5);
    CHECK(number_at(count, "students") == (anonymous ? -2 : 4) && number_at(count, "share") == (anonymous ? -2 : 0));
    CHECK(number_at(warps, "students") == (anonymous ? -2 : 0));
    const JsonValue *wrong = json_member(word, "wrong")->child;
    CHECK(anonymous ? number_at(wrong, "students") == 5 && !wrong->next
                    : number_at(wrong, "students") == 4 && number_at(wrong->next, "students") == 5);
    CHECK(anonymous ? !strstr(ls_text_str(&text), "\"s0\"") && !json_member(root, "who")
                    : strstr(ls_text_str(&text), "\"s0\"") != NULL);
    ls_text_free(&text);
  }
  json_reader_free(json);
  ls_arena_free(arena);
  class_free(&class);
}

// ---- files ---------------------------------------------------------------------------------------------------------

static LsText said;
static void say(void *context, const char *line) { ls_text_addf(context, "%s\n", line); }

static void put(const char *folder, const char *name, const char *text) {
  char *path = ls_path_join(folder, name);
  CHECK(ls_file_write(path, text, strlen(text), NULL));
  free(path);
}

// A folder as a learning platform hands it out: a folder each, other files, links, hidden files, one of 1 GB.
static void fill(const char *folder, const Class *class) {
  Told told[] = {ada(), ben(), cat()};
  char *texts[] = {text_of(&told[0], class), text_of(&told[1], class), text_of(&told[2], class)};
  char *inner = ls_path_join(folder, "Ben 4711"), *deep = ls_path_join(inner, "submission");
  CHECK(mkdir(inner, 0700) == 0 && mkdir(deep, 0700) == 0);
  put(folder, "ada.json", texts[0]);
  put(deep, "REPORT.JSON", texts[1]);
  put(folder, "cat.txt", texts[2]);
  put(folder, "._ada.json", "\x01\x02");
  put(folder, "broken.json", "{\"format\": 1, \"skills\": [{");
  put(folder, "new.json", "{\"format\": 7}");
  char *huge = ls_path_join(folder, "huge.json"), *link = ls_path_join(folder, "link.json"),
       *round = ls_path_join(folder, "round");
  FILE *file = fopen(huge, "wb");
  CHECK(file && ftruncate(fileno(file), 1 << 30) == 0);
  fclose(file);
  CHECK(symlink("/dev/zero", link) == 0 && symlink(folder, round) == 0);
  for (int i = 0; i < 3; i++) free(texts[i]);
  free(inner), free(deep), free(huge), free(link), free(round);
}

static void folders_of_a_class(void) {
  char folder[256], *remove;
  CHECK(check_folder(folder, sizeof folder));
  Class class = new_class(NULL, false);
  fill(folder, &class);
  ClassFiles files = {.class = &class, .reader = reader, .say = say, .context = &said};
  class_read(&files, folder);
  CHECK(files.files == 5 && files.broken == 2 && files.newer == 1);
  CHECK(strstr(ls_text_str(&said), "broken.json: the file is cut off\n") != NULL);
  CHECK(strstr(ls_text_str(&said), "huge.json is larger than 1048576 bytes\n") != NULL);
  CHECK(strstr(ls_text_str(&said), "new.json: the report is of format 7; this version of lanescope reads 1\n") != NULL);
  ls_text_clear(&said);
  char *named = ls_path_join(folder, "cat.txt"), *gone = ls_path_join(folder, "gone.json");
  class_read(&files, named);
  CHECK(!said.length);
  class_read(&files, gone);
  class_read(&files, "/dev/zero");
  CHECK(strstr(ls_text_str(&said), "gone.json: No such file or directory\n") != NULL);
  CHECK(strstr(ls_text_str(&said), "/dev/zero is no regular file\n") != NULL);
  class_end(&class);
  CHECK(class.student_count == 3 && files.broken == 4);
  remove = ls_format("rm -rf '%s'", folder);
  CHECK(system(remove) == 0);
  free(remove), free(named), free(gone);
  ls_text_free(&said);
  class_free(&class);
}

static const Check checks[] = {
    {"sums by hand", sums_by_hand},
    {"orders", orders},
    {"exercises of practice", exercises_of_practice},
    {"one lesson alone", one_lesson_alone},
    {"the newest counts", the_newest_counts},
    {"of one day more answers count", of_one_day_more_answers_count},
    {"other courses are not mixed in", other_courses_are_not_mixed_in},
    {"twice in a report counts once", twice_in_a_report_counts_once},
    {"sums the long way", sums_the_long_way},
    {"few are not told of", few_are_not_told_of},
    {"folders of a class", folders_of_a_class},
};

int main(int argc, char **argv) {
  reader = report_reader_new();
  int failed = check_main("class", checks, LS_COUNT(checks), argc, argv);
  report_reader_free(reader);
  return failed;
}
