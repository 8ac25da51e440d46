// test_program_report.c: lanescope report and lanescope class: files that students hand in, and what comes of them.
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "program/program.h"
#include "program/wellformed.h"

// A command line, its exit status, and the patterns of what it prints.
typedef struct Case { const char *line; int status; const char *out, *err; } Case;

static void check_case(const Case *c) {
  ProgramRun run;
  program_run(&run, c->line);
  bool as_expected = run.status == c->status && program_matches(c->out, run.out) && program_matches(c->err, run.err);
  if (!as_expected)
    printf("\n%s\n  status %d, expected %d\n  out: %.1500s\n  expected: %s\n  err: %s\n  expected: %s\n", c->line,
           run.status, c->status, run.out, c->out, run.err, c->err);
  CHECK(as_expected);
  program_run_free(&run);
}

static void check_cases(const Case *cases, int count) {
  for (int i = 0; i < count; i++) check_case(&cases[i]);
}

// Answers the questions of FQ5 with 3, and is sure of each.
#define AS(NAME) "XDG_STATE_HOME=$PWD/" NAME " lanescope "
#define QUIZ(NAME) "yes '3\n1' | head -60 | " AS(NAME) "quiz FQ5 --seed 1 --plain > " NAME ".txt"

// ---- the report ----------------------------------------------------------------------------------------------------

static const Case report_cases[] = {
    {"lanescope report", 2, "",
     "lanescope: report needs -o FILE, where the report goes; -o - is the standard output\n"},
    {"lanescope report me.json", 2, "", "lanescope: 'me.json' is one word too many: it is lanescope report -o FILE\n"},
    {AS("new") "report -o - --as Ada", 0,
     "{\n  \"format\": 1,\n  \"program\": \"*\",\n  \"course\": \"*\",\n  \"who\": \"Ada\",\n  \"made\": \"20*\",\n"
     "  \"lessons\": [],\n  \"skills\": [],\n  \"open\": [],\n  \"practice\": [],\n  \"questioned\": []\n}\n", ""},
    {AS("new") "report -o me.json --as Ada && cat me.json", 0, "{\n  \"format\": 1,*",
     "me.json: 0 lessons, 0 skills, as Ada. Nothing was sent.\n"},
    {QUIZ("ada") "; " AS("ada") "report -o me.json --as Ada", 0, "",
     "me.json: 0 lessons, 5 skills, as Ada. Nothing was sent.\n"},
    {AS("ada") "report -o - --csv --as Ada | cut -d, -f1,2,3", 0, "who,skill,seen\nAda,L11.columns,1\nAda,L11.*", ""},
    {"a=$(" AS("ada") "report -o - | grep who); b=$(" AS("ada") "report -o - | grep who); test \"$a\" = \"$b\" && echo "
     "\"$a\"", 0, "  \"who\": \"*-*\",\n", ""},
    {AS("ada") "report -o - --as '=1+1'", 2, "",
     "lanescope: --as takes a name of 1 to 80 characters that begins with a letter or digit and has no control "
     "characters, not '=1+1'\n"},
    {AS("ada") "report -o - --as \"$(head -c 10000 /dev/zero | tr '\\0' x)\"", 2, "", "lanescope: --as takes a name *"},
    {AS("ada") "report -o - --csv --texts", 2, "",
     "lanescope: a table has no texts: --texts goes with JSON, without --csv\n"},
    {AS("ada") "report -o nowhere/me.json", 2, "", "lanescope: cannot write nowhere/me.json: *"},
    {AS("ada") "report -o /dev/full", 2, "", "lanescope: cannot write /dev/full: *"},
    {AS("ada") "report -o - > /dev/full", 2, "", "lanescope: cannot write the output: *"},
    {"mkdir -p odd/lanescope && echo mine > odd/lanescope/progress.db; " AS("odd") "report -o -; cat odd/lanescope/*",
     0, "mine\n", "lanescope: there is no report without the progress: *"},
};

static void reports_are_written(void) { check_cases(report_cases, LS_COUNT(report_cases)); }

// Two readers that are not ours to begin with: the strict one of the tests, and Python's where there is one.
static void json_of_a_report_is_valid(void) {
  ProgramRun run;
  program_run(&run, QUIZ("ada") "; " AS("ada") "report -o - --as '\xc3\x89milie \"O.\"'");
  CHECK(json_is_valid(run.out) && json_count(run.out, "skills") == 5);
  CHECK(run.status == 0 && json_is_string(run.out, "skills.0.family", "FQ5"));
  program_run_free(&run);
  check_case(&(Case){"python3 -c '' 2> /dev/null || exit 0; " AS("ada") "report -o x.json --as 'a \"b\"' 2> /dev/null; "
                     "python3 -c 'import json; r = json.load(open(\"x.json\")); assert r[\"who\"] == \"a \\\"b\\\"\" "
                     "and len(r[\"skills\"]) == 5 and r[\"format\"] == 1'", 0, "", ""});
}

// ---- the class -----------------------------------------------------------------------------------------------------

static const Case class_cases[] = {
    {"mkdir -p class/ben && " AS("ada") "report -o class/ada.json --as Ada && " AS("new")
     "report -o class/ben/x.json --as Ben", 0, "", "class/ada.json: *\n"
     "class/ben/x.json: 0 lessons, 0 skills, as Ben. Nothing was sent.\n"},
    {"lanescope class class", 0, "2 students, * answers to 5 of * skills\nnot begun: Ben\n\n*% *L11.* FQ5, Bank "
     "conflicts\n       * of 1 student; 1 without an answer\n*", ""},
    {"lanescope class class/ada.json class/ben/x.json --csv", 0, "who,points,of\nAda,*,*\nBen,0.00,*\n", ""},
    {"lanescope class class --lesson L11 | head -1", 0, "2 students, * answers to 5 of * skills\n", ""},
    {"lanescope class class --anonymous", 0,
     "2 students, * skills\n\n5 skills answered by fewer than 5 students: not shown\n", ""},
    {"lanescope class class --anonymous | grep -c -e Ada -e Ben", 1, "0\n", ""},
    {"lanescope class", 2, "", "lanescope: class needs FILE or FOLDER: the reports; *"},
    {"mkdir -p empty; lanescope class empty", 2, "", "lanescope: there is no file named *.json: no reports\n"},
    {"lanescope class nowhere", 2, "", "lanescope: cannot open nowhere: *\nlanescope: none of 1 file is a report that "
     "counts\n"},
    {"lanescope class class --lesson L99", 2, "", "lanescope: there is no lesson 'L99'*"},
    {"lanescope class class --csv --json", 2, "", "lanescope: --csv and --json are two forms: choose one\n"},
    {"lanescope class class --csv --anonymous", 2, "", "lanescope: --csv says who has how many points: *"},
    {"head -c 200 class/ada.json > cut.json; lanescope class cut.json class/ada.json | head -2", 0,
     "1 student, *\n1 file is no report: left out.\n", "lanescope: cut.json: the file is cut off\n"},
    {"sed 's/\"course\": \"./\"course\": \"x/' class/ada.json > far.json; lanescope class far.json", 2, "",
     "lanescope: far.json: a report on another course (x*, lanescope *): left out\n"
     "lanescope: none of 1 file is a report that counts\nThis course is *. --mixed takes reports on other "
     "courses, too.\n"},
    {"lanescope class far.json --mixed | head -2", 0,
     "1 student, *\n1 report on other courses mixed in; 0 of their skills are not in this one.\n", ""},
    {"sed 's/\"made\": \"20/\"made\": \"19/' class/ada.json > old.json; lanescope class old.json class | head -3", 0,
     "2 students, *\nnot begun: Ben\n1 report has a newer one: left out.\n",
     "lanescope: class/ada.json: Ada has handed in more than once: the report of this file, of 20*, is the newer one "
     "and counts\n"},
    {"mkdir -p many; for i in $(seq 30); do echo > many/$i.json; done; cp class/ada.json many; lanescope class many | "
     "head -2", 0, "1 student, *\n30 files are no reports: left out.\n",
     "lanescope: many/1.json: the file is empty\n*lanescope: and 10 more like these\n"},
    {"sed 's/L11.word/L11.wo\\u001b[2Jrd/' class/ada.json > odd.json; lanescope class odd.json --csv | cut -d, -f1", 0,
     "who\nAda\n", ""},
};

static void classes_are_summed_up(void) { check_cases(class_cases, LS_COUNT(class_cases)); }

static void json_of_a_class_is_valid(void) {
  ProgramRun run;
  program_run(&run, "lanescope class class --json");
  CHECK(run.status == 0 && json_is_valid(run.out) && json_number(run.out, "students") == 2);
  CHECK(json_is_string(run.out, "who.0.who", "Ada") && json_count(run.out, "lessons") == 18);
  CHECK(json_is_string(run.out, "practice.0.name", "map") && json_count(run.out, "practice") > 28);
  CHECK(json_is_string(run.out, "who.1.who", "Ben") && json_kind(run.out, "who.1.begun") == 'b');
  CHECK(json_kind(run.out, "skills.0.share") == '0' && json_number(run.out, "skills.0.students") == 0);
  program_run_free(&run);
}

// A class of 40 drawn by Python, whose sums Python makes, too, from what it wrote: none of our code is asked.
static const char summing[] =
    "import json, random, subprocess, sys\n"
    "random.seed(4127)\n"
    "run = lambda *w: json.loads(subprocess.check_output(('lanescope', 'class') + w + ('--json',)))\n"
    "known = run('one.json')\n"
    "ids = [s['id'] for s in known['skills']]\n"
    "sums, wrongs, points = {}, {}, {}\n"
    "for n in range(40):\n"
    "  who, skills, points['p%02d' % n] = 'p%02d' % n, [], 0\n"
    "  for i in random.sample(ids, random.randrange(30)):\n"
    "    seen = random.randint(1, 9); right = random.randint(0, seen); sure = random.randint(0, seen - right)\n"
    "    all = sure + random.randint(0, right)\n"
    "    wrong = {random.choice(['1', '16', '\u00e9', 'a \\\"b\\\"']): random.randint(1, seen) for _ in range(2)}\n"
    "    skills.append({'id': i, 'seen': seen, 'right': right, 'chance': .5, 'first': '2026-11-01',\n"
    "                   'last': '2026-11-02', 'sure': all, 'sure_and_wrong': sure, 'wrong': wrong})\n"
    "    s = sums.setdefault(i, [0, 0, 0, 0, 0])\n"
    "    for k, v in enumerate((1, seen, right, sure, all)): s[k] += v\n"
    "    for g, c in wrong.items():\n"
    "      w = wrongs.setdefault((i, g), [0, 0]); w[0] += c; w[1] += 1\n"
    "    points[who] += right / seen\n"
    "  json.dump({'format': 1, 'program': 'python', 'course': known['course'], 'who': who, 'made': '2026-11-22',\n"
    "             'skills': skills}, open('drawn/%s.json' % who, 'w'))\n"
    "told = run('drawn')\n"
    "assert told['students'] == 40 and len(told['who']) == 40\n"
    "for s in told['skills']:\n"
    "  expected = sums.get(s['id'], [0, 0, 0, 0, 0])\n"
    "  assert [s['students'], s['seen'], s['right'], s['sure_and_wrong'], s['sure']] == expected, s\n"
    "  assert {w['given']: [w['count'], w['students']] for w in s['wrong']} == "
    "{g: v for (i, g), v in wrongs.items() if i == s['id']}, s\n"
    "  assert [w['count'] for w in s['wrong']] == sorted((w['count'] for w in s['wrong']), reverse=True)\n"
    "for w in told['who']: assert abs(w['points'] - points[w['who']]) < .006, w\n"
    "print('same')\n";

static void sums_of_another_program(void) {
  CHECK(ls_file_write("summing.py", summing, sizeof summing - 1, NULL));
  check_case(&(Case){"python3 -c '' 2> /dev/null || { echo same; exit; }; mkdir drawn; "
                     AS("one") "report -o one.json --as A 2> /dev/null && python3 summing.py", 0, "same\n", ""});
}

static const Check checks[] = {
    {"reports are written", reports_are_written},
    {"json of a report is valid", json_of_a_report_is_valid},
    {"classes are summed up", classes_are_summed_up},
    {"json of a class is valid", json_of_a_class_is_valid},
    {"sums of another program", sums_of_another_program},
};

int main(int argc, char **argv) {
  program_set_up();
  int failed = check_main("program report", checks, LS_COUNT(checks), argc, argv);
  program_tear_down();
  return failed;
}
