// test_program_exam.c: exams as a teacher and a student use them: made, taken line by line, taken up again, and the key.

#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "program/program.h"

typedef struct Case { const char *line; int status; const char *out, *err; } Case;

static void check_case(const Case *c) {
  ProgramRun run;
  program_run(&run, c->line);
  bool ok = run.status == c->status && (!c->out || program_matches(c->out, run.out)) &&
            (!c->err || program_matches(c->err, run.err));
  if (!ok) printf("\n%s\nstatus %d\n%s\n%s\n", c->line, run.status, run.out, run.err);
  CHECK(ok);
  program_run_free(&run);
}

#define TAKE "lanescope exam m.exam --who 07 "
#define PRINT "lanescope exam p.exam --who 07 --word geheim --print "
static const Case cases[] = {
    {"lanescope exam make FQ5:2 occupancy FQ6:1+open --minutes 30 --title Midterm --seed 5 -o m.exam --word geheim", 0,
     " 1  FQ5 *\n 5  FQ6   open *\nm.exam: 5 questions, 30 minutes. *", ""},
    {"grep -c FQ5 m.exam", 1, "0\n", NULL},
    {"lanescope exam make FQ5:2 occupancy FQ6:1+open --minutes 30 --title Midterm --seed 5 -o same.exam --word geheim > to; cmp m.exam same.exam", 0, "", ""},
    {"lanescope exam make FQ5:2 occupancy FQ6:1+open --minutes 30 --title Midterm -o other.exam --word geheim > to; cmp -s m.exam other.exam", 1, "", ""},
    {"lanescope exam make FQ2 --minutes 3 --seed 5 -o twins.exam --word geheim", 0, NULL, "lanescope: some students will get the same paper: *"},
    {"lanescope exam make FQ5 --minutes 30 -o m.exam --word geheim", 2, "", "lanescope: m.exam is there already, *"},
    {"lanescope exam make FQ5 --minutes 30 --word geheim", 2, "", "lanescope: exam make needs -o FILE*"},
    {"lanescope exam make FQ5 -o n.exam --word geheim", 2, "", "lanescope: exam make needs --minutes M*"},
    {"lanescope exam make --minutes 3 -o n.exam", 2, "", "lanescope: exam make needs families*"},
    {"lanescope exam make FQ5 --minutes 0 -o n.exam --word geheim", 2, "", "lanescope: --minutes takes *"},
    {"lanescope exam make nosuch --minutes 3 -o n.exam --word geheim", 2, "", "lanescope: there is no family 'nosuch'; *"},
    {"lanescope exam make FQ5 --minutes 3 -o n.exam < /dev/null", 2, "", "lanescope: no word was given; *"},
    {"echo abc | lanescope exam make FQ5 --minutes 3 -o n.exam", 2, "", "lanescope: the word has 3 letters; *"},
    {"ls n.exam", 2, "", NULL},
    {"lanescope exam m.exam", 2, "", "lanescope: --who ID says whose exam it is\n"},
    {"lanescope exam m.exam --who ''", 2, "", "lanescope: '' is no ID: *"},
    {"lanescope exam m.exam --who ../x", 2, "", "lanescope: '../x' is no ID: *"},
    {"lanescope exam nosuch.exam --who 07", 2, "", "lanescope: cannot open nosuch.exam: *"},
    {"lanescope exam $S/README.md --who 07", 2, "", "lanescope: */README.md is no exam: *"},
    {"sed 's/minutes 30/minutes 99/' m.exam > d.exam; lanescope exam d.exam --who 07", 2, "",
     "lanescope: d.exam:3: this line was changed, *\nThe exam is damaged: *"},
    {"head -5 m.exam > d.exam; lanescope exam d.exam --who 07", 2, "", "lanescope: d.exam:6: the file ends before 'salt'*"},
    // Taken, left, taken up again, handed in.
    {"echo 3 | " TAKE, 0, "Midterm: 5 questions, 30 minutes. *\n[question 1 of 5, 0 answered, *left]\n*Not answered yet.\n*"
     "Your answer: *\n[question 2 of 5, 1 answered, *It is left, and not handed in. The time goes on; *", ""},
    {"printf '%s\\n' list back 'go 5' 'a reduction tree' 'adds n - 1 numbers' '' list done no quit | " TAKE, 0,
     "*; it goes on where it was left. *\n[question 2 of 5, 1 answered, *\n1  *. Your answer: *\nhere 2 *. Not answered yet.\n*"
     "Write as many lines as you like; *Question 5 is answered.\nThat was the last question. Not answered: 2, 3 and 4.\n*"
     "Say yes to hand it in.\nIt is not handed in.\nIt is left*", ""},
    {"printf '%s\\n' next 'go 9' time clear 'go 1' clear again done yes | " TAKE, 0,
     "*go takes the number of a question, from 1 to 5.\n29 minutes left.\nNot answered now.\n*Not answered yet.\n*"
     "It is handed in. 1 of 5 questions are answered.\nThe result is m.exam.07.result\nReceipt: *-*-*. Write it down*", ""},
    {TAKE, 0, "\nIt is handed in. 1 of 5 *Receipt: *", ""},
    // What was handed in cannot go on, be another's, or be changed.
    {"lanescope exam m.exam --who 08 -o m.exam.07.result", 2, "", "lanescope: m.exam.07.result is the result of 07, not of 08\n"},
    {"sed 's/ answer \\([0-9]*\\) .*/ answer \\1 77/' m.exam.07.result > c.result; " TAKE "-o c.result", 2, "",
     "lanescope: c.result:3: this line, *Call your teacher: *"},
    {"tail -c +10 m.exam.07.result > c.result; " TAKE "-o c.result", 2, "", "lanescope: c.result is no result of an exam*"},
    // A program that was killed while it wrote leaves a part of a line behind, or of the first ones.
    {"head -4 m.exam.07.result > c.result; printf 'abcd 12' >> c.result; echo next | " TAKE "-o c.result | grep -c 'goes on where'; "
     "grep -c abcd c.result", 1, "1\n0\n", ""},
    {"head -c 60 m.exam.07.result > c.result; echo next | " TAKE "-o c.result", 0,
     "Midterm: 5 questions, 30 minutes; its result was gone, so it begins anew, *", ""},
    {"echo next | " TAKE "-o /nosuch/r", 2, "", "lanescope: cannot write /nosuch/r: *; -o names another place *"},
    // The key.
    {"lanescope exam key m.exam --who 07 --word geheim", 0, "Midterm, key for 07\n\n1. *it is: *\n5. Work efficiency (FQ6, open)\n*a good answer: *", ""},
    {"lanescope exam key m.exam --who 07 --word falsch", 2, "", "lanescope: this is not the word *"},
    {"lanescope exam key m.exam --who 07 < /dev/null", 2, "", "lanescope: no word was given*"},
    {"lanescope exam key m.exam --who 07 --word geheim > a; lanescope exam key m.exam --who 07 --word geheim | cmp - a", 0, "", ""},
    {"lanescope exam key m.exam --who 08 --word geheim | cmp -s - a", 1, "", ""},
    // Paper: the same questions, no answers; boxes for lanes; pages that end with a form feed.
    {"lanescope exam make EQ10:6 FQ2:2 FQ11:3 FQ6:open --minutes 30 --title 'A title with an umlaut: \xc3\xa4' --seed 7 -o p.exam --word geheim > to", 0,
     "", ""},
    {"lanescope exam p.exam --who 07 --print < /dev/null", 2, "", "lanescope: no word was given*"},
    {PRINT, 0, "A title with an umlaut: \xc3\xa4 *07\n\n12 questions, 30 minutes. *Name: ___*\n 1. *\n     0  1  2  3 *\n"
     "    [ ][ ][ ][ ][ ][ ][ ][ ]  [ ]*Answer: ___*12. Work efficiency\n*________\n*", ""},
    {PRINT "| grep -c '=>'", 1, "0\n", ""},
    {PRINT "--pages | awk 'length > 82 { bad = 1 } /\f/ { row = 0; pages++ } ++row > 57 { bad = 1 } END { print (pages > 1), bad + 0 }'", 0, "1 0\n", ""},
    {"lanescope exam key p.exam --who 07 --word geheim --print > k; grep -c '=>' k; " PRINT "| sed -n 's/^ *[0-9]*[.] //p' > a; "
     "sed -n 's/^ *[0-9]*[.] //p' k | cmp - a", 0, "12\n", ""},
    {PRINT "-o p.txt; " PRINT "| cmp - p.txt", 0, "", ""},
    // groff is asked for what the name says; a stand-in shows what it is asked.
    {"mkdir bin; printf '#!/bin/sh\ntest \"$*\" = \"-k -Tpdf\" && echo %%PDF && cat\n' > bin/groff; chmod +x bin/groff; "
     "PATH=$PWD/bin:$PATH " PRINT "-o p.pdf; head -1 p.pdf; grep -q '^.bp' p.pdf && echo paged; grep -c '^[^.]*[^\\]-' p.pdf", 1, "%PDF\npaged\n0\n", ""},
    {"printf '#!/bin/sh\nexit 1\n' > bin/groff; PATH=$PWD/bin:$PATH " PRINT "-o q.pdf", 3, "", "lanescope: the groff here makes no PDF: *"},
    {"if groff -Tps < /dev/null > to 2>&1; then " PRINT "-o p.ps; head -c 4 p.ps; else printf '%%!PS'; fi", 0, "%!PS", ""},
};

static void they_are_made_and_taken(void) {
  for (int i = 0; i < LS_COUNT(cases); i++) check_case(&cases[i]);
}

// Answers as they are typed, from the key.
#define KEY_OF(who) "lanescope exam key g.exam --who " who " --word geheim | sed -n 's/^it is: //p' | sed 's/[) ,].*//'"
#define MARKS "lanescope exam marks g.exam --word geheim "
static const Case mark_cases[] = {
    {"lanescope exam make FQ5:3 FQ1:2 EQ1 FQ6:open --minutes 30 --seed 5 -o g.exam --word geheim > to", 0, "", ""},
    {"lanescope exam make FQ5:3 --minutes 30 --seed 6 -o h.exam --word geheim > to; echo 3 | lanescope exam h.exam --who a > to", 0, "", ""},
    {"(" KEY_OF("a") "; printf '%s\\n' 'all of it' 'no more' '' done yes) | lanescope exam g.exam --who a | tail -1", 0,
     "Receipt: *-*-*. Write it down*", ""},
    {"(" KEY_OF("a") "; printf '%s\\n' 'go 7' 'less' '' done yes) | lanescope exam g.exam --who b > to; echo 1 | lanescope exam g.exam --who c > to",
     0, "", ""},
    {MARKS "g.exam.?.result", 0, "Exam: 7 questions, 30 minutes\n\nwho *\na    *6.00 of 7     7/7*handed in *-*-*  1 to tick\n"
     "b *c *1/7*not handed in*\n 7  FQ6   open *\n3 of 3 results counted, *", ""},
    // The receipt that the student wrote down is the one that the teacher sees.
    {"lanescope exam g.exam --who a | sed -n 's/^Receipt: \\([^.]*\\)[.].*/\\1/p' > r; " MARKS "g.exam.a.result | grep -c \"$(cat r)\"", 0, "1\n", ""},
    {"printf '%s\\n' '7' '1 2 9' '1 3 5' none | lanescope exam tick g.exam g.exam.?.result --word geheim", 0,
     "*all of it\nno more\n\n  1) *Numbers from 1 to 5, or none.\n*less*All open answers are ticked, *", ""},
    {MARKS "--csv g.exam.?.result", 0, "who,points,of,*,why\n\"a\",6.6,7,7,0,*,handed in,0,0,0,*,1,1,1,1,1,1,0.6,\"\"\n\"b\",*", ""},
    {MARKS "--json g.exam.a.result", 0, "{\"exam\": \"Exam\", *\"points\": 6.6, \"of\": 7, *\"all of it\\nno more\"*}\n", ""},
    // What was changed, moved, cut, or is of another exam or word.
    {"sed '3s/answer \\([0-9]*\\) /answer \\1 1/' g.exam.a.result > x.result; " MARKS "x.result g.exam.b.result", 1,
     "*\na                refused: line 3: this line, or one before it, was changed, *x.result\n*1 of 2 results counted*", ""},
    {"sed 5d g.exam.a.result > x.result; " MARKS "x.result", 1, "*refused: line 5: *none of 1 results counted\n", ""},
    {"sed 's/ a / b /' g.exam.a.result > x.result; " MARKS "x.result", 1, "*\nb *refused: line 2: *", ""},
    {"sed '$d' g.exam.a.result > x.result; " MARKS "x.result", 0, "*\na *not handed in*", ""},
    {"rm g.exam.c.result; echo 1 | lanescope exam g.exam --who c > to; " MARKS "g.exam.c.result", 0, "*\nc *BEGUN ANEW*", ""},
    {MARKS "h.exam.a.result", 1, "*refused: h.exam.a.result is the result of another exam\n*", ""},
    {MARKS "$S/README.md nosuch", 1, "*refused: */README.md is no result of an exam*", ""},
    {MARKS "g.exam.a.result g.exam.a.result", 0, "*TWICE*TWICE*", ""},
    {"sed -i 's/ 7 3 1 3 5/ 7 4 1 2 3 5/' g.exam.a.result.ticks; " MARKS "g.exam.a.result", 1, "*refused: line 2: this line was changed, *", ""},
    {"lanescope exam marks g.exam --word falsch g.exam.a.result", 2, "", "lanescope: this is not the word *"},
    {"lanescope exam marks g.exam --word geheim", 2, "", "lanescope: exam marks needs the exam and the results: *"},
};

static void they_are_marked(void) {
  for (int i = 0; i < LS_COUNT(mark_cases); i++) check_case(&mark_cases[i]);
}

// Ended at any moment, by force: what was answered is there.
static void killed_and_taken_up(void) {
  check_case(&(Case){"lanescope exam make FQ5:3 --minutes 30 --seed 8 -o k.exam --word geheim", 0, NULL, NULL});
  check_case(&(Case){"mkfifo f; (sleep 20 > f) & keep=$!; lanescope exam k.exam --who 1 < f > out & taken=$!; "
                     "echo 3 > f; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do grep -q answer k.exam.1.result && break; "
                     "sleep 0.2; done; kill -9 $taken; kill $keep; rm f; lanescope exam k.exam --who 1 < /dev/null", 0,
                     "*; it goes on where it was left.*[question 2 of 3, 1 answered, *", NULL});
}

static const Check checks[] = {{"they are made and taken", they_are_made_and_taken},
                               {"they are marked", they_are_marked},
                               {"killed and taken up", killed_and_taken_up}};

int main(int argc, char **argv) {
  program_set_up();
  int status = check_main("program exam", checks, LS_COUNT(checks), argc, argv);
  program_tear_down();
  return status;
}
