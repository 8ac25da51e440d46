// man_report.c: the section of the man page on reports and classes.
#include "cli/man_report.h"

#include "base/mem.h"

static const char *const members[][2] = {
    {"format, program, course",
     "1; the version of lanescope; SHA\\-256 of the lessons, their questions and the families"},
    {"who, made", "the name, and the day"},
    {"lessons", "id, done, right (at the first try) of asked, looked (answered after looking at the run, which is "
     "practice), minutes (between answers, of a pause ten at most)"},
    {"skills", "id, family, seen, right (at once), score (the sum, less than 1 each after tips), box, chance of a "
     "right answer on the day of the report, first and last day, lapses, sure (answers given as sure), "
     "sure_and_wrong, wrong (each wrong answer and how often) and says (the words that met it, which are the name of the misconception)"},
    {"open", "id, points (0, 1, or 0.5 where the text was not marked), of, words, and with \\fB\\-\\-texts\\fR text"},
    {"practice", "exercises: name, passed, tries, score and what it counts"},
    {"questioned",
     "questions that the student says are wrong: skill, draw and seed (which draw it again), given, words"},
};

void man_report(FILE *out) {
  fputs(".SH REPORTS AND CLASSES\n\\fBlanescope report\\fR writes what a student has done into a file, and sends "
        "nothing. There are days in it, but no times of day, no machine and no path. It is one JSON object:\n", out);
  for (int i = 0; i < LS_COUNT(members); i++)
    fprintf(out, ".TP\n\\fB%s\\fR\n%s\n", members[i][0], members[i][1]);
  fputs(".PP\n\\fBlanescope class\\fR sums such files up. Of a folder it reads what is named *.json, also in folders "
        "inside of it, and follows no links. What is no report, damaged, larger than 1 MiB or of another format is "
        "named and left out; so is a report on another course, unless \\fB\\-\\-mixed\\fR is given. Of several reports "
        "of one name the newest counts. Points are the mean score of each skill, of which there is one point, and half "
        "the share of points of each open question, since students tick these themselves. With \\fB\\-\\-anonymous\\fR "
        "nobody is named, and numbers of fewer than 5 students are not told.\n", out);
}
