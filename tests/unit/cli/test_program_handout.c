// test_program_handout.c: lanescope demo --handout: a demo as Markdown, its pictures, and what cannot be written.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    printf("\n%s\n  status %d, expected %d\n  out: %.3000s\n  expected: %s\n  err: %s\n  expected: %s\n", c->line,
           run.status, c->status, run.out, c->out, run.err, c->err);
  CHECK(as_expected);
  program_run_free(&run);
}

static void check_cases(const Case *cases, int count) {
  for (int i = 0; i < count; i++) check_case(&cases[i]);
}

#define COLUMN "lanescope explore transpose_32x32 --at line:15 --focus banks\n"
#define PADDED "lanescope explore transpose_32x33 --at line:15 --focus banks\n"

static const Case column_cases[] = {
    {"lanescope demo column --handout column.md && ls", 0,
     "column-1-answer.svg\ncolumn-1.svg\ncolumn-2.svg\ncolumn.md\n", ""},
    {"cat column.md", 0,
     "# One column nobody uses\n\n3 min, CS 677, case study: transpose\n\n"
     "## Scene 1\n\n*\n\n![scene 1](column-1.svg)\n\n```sh\n" COLUMN "```\n\n"
     "32 lanes *?\n\n- A: 1\n- B: 2\n- C: 16\n- D: 32\n\n"
     "## Scene 2\n\n*32.\n\n![scene 2](column-2.svg)\n\n```sh\n" PADDED COLUMN "```\n\n"
     "With `type=double`: *\n\n```sh\nlanescope explore transpose_32x33 -p type=double --at line:15 --focus banks\n```\n\n"
     "## Scene 3\n\n> *\n\n"
     "## Answers\n\n### Scene 1\n\n**D.** 32\n\n32 turns. *![scene 1, the answer](column-1-answer.svg)\n\n"
     "```sh\n" COLUMN "```\n", ""},
    {"sed '/^## Answers/,$d' column.md | grep -c -e '32 turns' -e 'Walk one lane'", 1, "0\n", ""},   // nor a note
};

static void a_section_for_each_scene(void) { check_cases(column_cases, LS_COUNT(column_cases)); }

// What the question asks for is in the answer's picture, and not in that of the scene.
static void pictures_are_whole(void) {
  static const char *const names[] = {"column-1.svg", "column-1-answer.svg", "column-2.svg"};
  check_case(&(Case){"lanescope demo column --handout column.md --light", 0, "", ""});
  for (int i = 0; i < LS_COUNT(names); i++) {
    char *svg = ls_file_read(names[i], 1 << 22, NULL, NULL);
    CHECK(svg && xml_is_valid(svg));
    CHECK((svg && strstr(svg, ">wavefronts<") != NULL) == (i > 0));
    free(svg);
  }
  check_case(&(Case){"grep -c 'tile\\[tx\\]\\[ty\\]' column-1.svg", 0, "*", ""});
}

// Words that mean something in Markdown, and a name with a blank.
static const char odd[] =
    "demo { title = '#1 of <b>', minutes = 1, where = '1. here' }\n"
    "scene { kernel = 'reduce2', at = 3, say = '2. `a_b` *x* and y_z * 2 [1](2) & <i>', note = 'secret' }\n"
    "scene { model = 'occupancy', params = { threads = 128 }, say = '- a list?' }\n"
    "scene { kernel = 'reduce2', params = { threads = 64 }, sched = 'stack', cut = 'compiled', seed = 3, at = 'end',\n"
    "        lane = 5, zoom = true, say = 'Last.' }\n";

static const Case odd_cases[] = {
    {"lanescope demo ./odd.lua --handout 'my talk.md' && cat 'my talk.md'", 0,
     "# \\#1 of \\<b>\n\n1 min, 1. here\n\n## Scene 1\n\n2\\. `a_b` *x* and y\\_z \\* 2 \\[1](2) \\& \\<i>\n\n"
     "![scene 1](my%20talk-1.svg)\n\n```sh\nlanescope explore reduce2 --at line:7\n```\n\n## Scene 2\n\n\\- a list?\n\n"
     "![scene 2](my%20talk-2.svg)\n\n```sh\nlanescope explore occupancy -p threads=128\n```\n\n## Scene 3\n\nLast.\n\n"
     "![scene 3](my%20talk-3.svg)\n\n```sh\nlanescope explore reduce2 -p threads=64 --code compiled --sched stack "
     "--seed 3 --at end --lane 5 --zoom\n```\n", ""},
    {"grep '^lanescope explore reduce2 -p' 'my talk.md' | sed 's/explore/export --size 90x20/' | sh | grep -c .", 0, "*",
     ""},
};

static void words_stand_for_themselves(void) {
  CHECK(ls_file_write("odd.lua", odd, sizeof odd - 1, NULL));
  check_cases(odd_cases, LS_COUNT(odd_cases));
}

static const Case bad_cases[] = {
    {"lanescope demo column --handout -", 2, "",
     "lanescope: --handout takes the name of a file, not -: its pictures are files beside it\n"},
    {"lanescope demo column --handout column.html", 2, "",
     "lanescope: --handout takes the name of a file of Markdown, NAME.md, not 'column.html'\n"},
    {"lanescope demo column --handout .md", 2, "", "lanescope: --handout takes the name of a file of Markdown, *"},
    {"lanescope demo --handout x.md", 2, "", "lanescope: lanescope demo needs the demo's name; *"},
    {"lanescope demo nix --handout x.md; ls x*", 2, "", "lanescope: there is no demo 'nix'; *ls: *"},
    {"lanescope demo column --handout nowhere/x.md", 2, "", "lanescope: cannot write nowhere/x*: No such file *"},
    {"mkdir -p taken/x-2.svg && lanescope demo column --handout taken/x.md; ls taken", 0, "x-2.svg\n",
     "lanescope: cannot write taken/x-2.svg: *"},
};

static void misuse_is_told(void) { check_cases(bad_cases, LS_COUNT(bad_cases)); }

// demo --new: what it writes fits, and nothing is written over.
static const Case new_cases[] = {
    {"lanescope demo --new mine && lanescope demo ./mine.lua --plain", 0, 
     "mine.lua: lanescope demo ./mine.lua shows it,*It is C, 32.*", ""},
    {"echo kept > mine.lua; lanescope demo --new mine.lua", 2, "", "lanescope: mine.lua cannot be made: File exists\n"},
    {"cat mine.lua", 0, "kept\n", ""},
    {"lanescope demo --new ../mine", 2, "", "lanescope: demo --new takes a name of letters, digits, - and _, *"},
    {"lanescope demo --new", 2, "", "lanescope: lanescope demo needs the demo's name; *"},
};
static void a_new_demo_fits(void) {
  for (int i = 0; i < LS_COUNT(new_cases); i++) check_case(&new_cases[i]);
}

static const Check checks[] = {
    {"a section for each scene", a_section_for_each_scene},
    {"pictures are whole", pictures_are_whole},
    {"words stand for themselves", words_stand_for_themselves},
    {"misuse is told", misuse_is_told},
    {"a new demo fits", a_new_demo_fits},
};

int main(int argc, char **argv) {
  program_set_up();
  int failed = check_main("program handout", checks, LS_COUNT(checks), argc, argv);
  program_tear_down();
  return failed;
}
