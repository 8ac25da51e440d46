// test_program_own.c: a file of one's own in the real program on a terminal: the launch page, the file saved again,
// the editor, the version before. The files are PTX, so that no compiler is needed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "check.h"
#include "program/program.h"
#include "program/screen.h"

static void shell(const char *line) {
  ProgramRun run;
  program_run(&run, line);
  if (run.status != 0) printf("%s: %s\n", line, run.err);
  CHECK_INT(run.status, 0);
  program_run_free(&run);
}

// The kernels of test_own, and what was kept for them forgotten.
static void fresh(void) {
  shell("rm -rf k.ptx bad.ptx .local/state/lanescope/launches.db*; cp $S/tests/unit/app/own/kernels.g.ptx k.ptx");
}

// Keys, or a line of shell after '!', and what stands on the screen then; after '~': what does not.
typedef struct Step { const char *keys, *shows; } Step;

static void play(const char *line, int cols, int rows, const Step *steps, int count) {
  Screen *screen = screen_open(line, cols, rows);
  for (int i = 0; i < count; i++) {
    if (steps[i].keys[0] == '!' && steps[i].keys[1]) shell(steps[i].keys + 1);
    else screen_type(screen, steps[i].keys);
    const char *shows = steps[i].shows;
    if (shows[0] == '~' ? screen_lacks(screen, shows + 1) : screen_has(screen, shows)) continue;
    printf("%s, %dx%d, after step %d\n", line, cols, rows, i);
    CU_FAIL("a screen does not show what it should");
    break;
  }
  screen_close(screen);
}
#define PLAY(line, cols, rows, ...)                                  \
  do {                                                               \
    static const Step steps_[] = {__VA_ARGS__};                      \
    play("exec lanescope " line, cols, rows, steps_, LS_COUNT(steps_)); \
  } while (0)

static void without_a_launch_there_is_a_page(void) {
  fresh();
  PLAY("explore k.ptx -k saxpy", 100, 30, {"", "saxpy(int n, float a, const float *x, float *y)"},
       {"", "kernel 1 of 9"},
       {"", "a thread for each element: n / 256, rounded up"}, {"", "-g 4 -b 256"}, {K_ENTER, "space play"},
       {"q", "the same on the command line"});
  PLAY("explore k.ptx", 80, 24, {"", "saxpy(int n"}, {"k", "Which kernel?"},
       {K_DOWN K_DOWN K_ENTER, "product(const float *A"},
       {"", "M x K elements"}, {K_ENTER, "k.ptx ▸ block 0"});
}

static void fields_follow_one_another(void) {
  fresh();
  PLAY("explore k.ptx -k saxpy", 120, 36, {"", "▸ n "}, {"5000" K_ENTER, "-g 20 -b 256"}, {"", "[5000]=iota"},
       {K_UP K_UP, "▸ block"}, {K_LEFT, "-g 40 -b 128"}, {"abc", "-g 40"}, {"0" K_ENTER, "▲"}, {K_ENTER, "▲"},
       {"\177", "-g 20 -b 256"},
       {K_DOWN K_DOWN K_DOWN K_DOWN, "▸ x "}, {"", "zero  iota  const"}, {K_RIGHT, "=const:1'"},
       {"25" K_ENTER, "=const:25'"},
       {K_LEFT, "=iota'"}, {"77" K_ENTER, "[77]=iota"}, {K_ENTER, "space play"});
  // What was entered is there the next time; what the command line says wins.
  PLAY("explore k.ptx", 100, 30, {"", "as you entered it before"}, {"", "[77]=iota"}, {"", "-a int=5000"});
  PLAY("explore k.ptx -k saxpy -a i32=9", 100, 30, {"", "-a int=9"}, {"", "[77]=iota"});
}

static void some_arguments_are_missing(void) {
  fresh();
  PLAY("explore k.ptx -k saxpy -g 2 -b 64 -a n=100", 100, 30, {"", "the same on the command line"},
       {"", "-g 2 -b 64 -a int=100"});
  PLAY("explore k.ptx -g 2 -b 64", 100, 30, {"", "kernel 1 of 9"}, {"", "-g 2 -b 64"});
  ProgramRun run;
  program_run(&run, "lanescope explore k.ptx --plain -k saxpy -b 64");
  CHECK_INT(run.status, 2);
  CHECK(strstr(run.err, "Missing: -g (blocks), -a for n, a, x, y\n") != NULL);
  char *line = strstr(run.err, "  lanescope explore k.ptx --plain");
  CHECK(line != NULL);
  if (line) {
    ProgramRun guess;
    line[strcspn(line, "\n")] = 0;
    program_run(&guess, line);
    CHECK_INT(guess.status, 0);
    CHECK(strstr(guess.out, "kernel saxpy") != NULL);
    program_run_free(&guess);
  }
  program_run_free(&run);
}

// y hands the line to the terminal in base64.
static void y_copies_the_line(void) {
  fresh();
  Screen *screen = screen_open("exec lanescope explore k.ptx -k nothing", 100, 30);
  CHECK(screen_has(screen, "q back"));
  screen_type(screen, "y");
  CHECK(screen_has(screen, "in the clipboard"));
  ProgramRun run;
  program_run(&run, "printf '\\033]52;c;%s\\a' $(printf %s 'lanescope explore k.ptx -k nothing -g 4 -b 256' | base64 -w0)");
  CHECK(run.status == 0 && strstr(ls_text_str(&screen->bytes), run.out) != NULL);
  program_run_free(&run);
  screen_close(screen);
}

// What stands on the page as a command line does what the page does.
static void the_line_can_be_pasted(void) {
  fresh();
  Screen *screen = screen_open("exec lanescope explore k.ptx -k fill", 80, 24);
  LsText text = {0}, line = {0};
  CHECK(screen_has(screen, "q back"));   // the last row, and all above it
  screen_text(screen, &text);
  const char *from = strstr(ls_text_str(&text), "lanescope explore"), *to = from ? strstr(from, "\n ⏎") : NULL;
  if (from && !to) to = strstr(from, "⏎ run");
  CHECK(from && to);
  if (from && to) ls_text_addn(&line, from, (size_t)(to - from));
  ls_text_add(&line, " --plain");
  for (char *p = (char *)(uintptr_t)ls_text_str(&line); (p = strstr(p, "\n")) != NULL; p++)
    if (p == ls_text_str(&line) || p[-1] != '\\') *p = ' ';
  ProgramRun run;
  program_run(&run, ls_text_str(&line));
  if (run.status != 0) printf("%s\n%s\n", ls_text_str(&line), run.err);
  CHECK(run.status == 0 && strstr(run.out, "kernel fill"));
  program_run_free(&run);
  ls_text_free(&text);
  ls_text_free(&line);
  screen_close(screen);
}

static void saved_and_run_again(void) {
  fresh();
  PLAY("explore k.ptx -k saxpy", 120, 36, {K_ENTER, "space play"}, {":line 7" K_ENTER, "step 9 of"},
       // Every thread but one passes the guard: those beyond the end are faults. The place is that line still.
       {"!sed -i s/setp.lt.s32/setp.ne.s32/ k.ptx", "1 new fault"}, {"", "step 9 of"},
       {"c", "▸ the version before"}, {K_ENTER, "and"}, {"", "the version before"}, {"c", "~the version before"},
       // An editor that puts another file in its place.
       {"!sed s/setp.ne.s32/setp.lt.s32/ k.ptx > new && mv new k.ptx", "1 fault gone"}, {"", "step 9 of"});
}

static void mistakes_leave_the_run_open(void) {
  fresh();
  PLAY("explore k.ptx -k saxpy", 120, 36, {K_ENTER, "space play"},
       {"!sed 's/mul.f32/mull.f32/' k.ptx > bad.ptx && cp bad.ptx k.ptx", "M: all of it"},
       {"", "step 0 of"}, {"M", "lanescope ▸ error"}, {"", "mull.f32"}, {"q", "step 0 of"}, {"l", "step 1 of"},
       {"!cp $S/tests/unit/app/own/kernels.g.ptx k.ptx", "the same faults and counters as before"},
       {"!rm k.ptx", "is not there any more; its run stays open"}, {"l", "step 2 of"},
       {"!cp $S/tests/unit/app/own/kernels.g.ptx k.ptx", "the same faults and counters as before"});
  // On the launch page, too: what does not compile is shown until it does.
  fresh();
  shell("sed 's/mul.f32/mull.f32/' k.ptx > bad.ptx");
  PLAY("explore bad.ptx -k saxpy", 100, 30, {"", "mull.f32"}, {"", "save it, and it is compiled again"},
       {"!cp k.ptx bad.ptx", "the same on the command line"}, {"!rm bad.ptx", "the file is not there any more"});
}

// A compiler that answers once, and then never: what it was to make is canceled, and the run from before stays.
static void a_compile_is_canceled(void) {
  static const char *const keys[] = {K_ESC, "\003"};
  shell("mkdir -p slow; { echo '#!/bin/sh'; echo 'test \"$1\" = --version && exec echo release 13.0'; "
        "echo 'test -e never && sleep 1000'; "
        "echo 'while test \"$1\" != -o; do shift; done; cp $S/tests/unit/app/own/kernels.g.ptx $2'; } | "
        "sed \"s|-e never|-e $PWD/never|\" > slow/nvcc; chmod +x slow/nvcc");
  for (int i = 0; i < LS_COUNT(keys); i++) {
    shell("rm -rf .cache never; echo '#include <cstdio>\nint main() { return 0; }' > own.cu");
    Screen *screen = screen_open("PATH=$PWD/slow:$PATH exec lanescope explore own.cu -k saxpy", 100, 30);
    CHECK(screen_has(screen, "q back"));
    CHECK(screen_has(screen, "main itself is not run here"));
    screen_type(screen, K_ENTER);
    CHECK(screen_has(screen, "space play"));
    shell("touch never; echo '// more' >> own.cu");
    CHECK(screen_has(screen, "with nvcc"));
    screen_type(screen, keys[i]);
    CHECK(screen_has(screen, "canceled: this is the run from before the file was saved"));
    screen_type(screen, "l");
    CHECK(screen_has(screen, "step 1 of"));
    screen_close(screen);
  }
}

// What is typed while the file is compiled is not lost.
static void keys_may_come_early(void) {
  fresh();
  shell("mkdir -p late; { echo '#!/bin/sh'; echo 'test \"$1\" = --version && exec echo release 13.0'; echo 'sleep 0.7'; "
        "echo 'while test \"$1\" != -o; do shift; done; cp $S/tests/unit/app/own/kernels.g.ptx $2'; } > late/nvcc; "
        "chmod +x late/nvcc; rm -rf .cache; echo '#include <cstdio>\nint main() { return 0; }' > late.cu");
  Screen *screen = screen_open("PATH=$PWD/late:$PATH exec lanescope explore late.cu -k saxpy", 100, 30);
  screen_type(screen, "77" K_ENTER K_DOWN "5" K_ENTER "k");
  CHECK(screen_has(screen, "Which kernel?"));
  screen_type(screen, "k");
  CHECK(screen_has(screen, "-a int=77 -a float=5"));
  screen_type(screen, K_ENTER);
  CHECK(screen_has(screen, "space play"));
  screen_close(screen);
  shell("rm -rf .cache");
  screen = screen_open("PATH=$PWD/late:$PATH exec lanescope explore late.cu -k saxpy", 100, 30);
  screen_type(screen, K_ENTER);
  CHECK(screen_has(screen, "space play"));
  screen_close(screen);
}

// An editor that changes the file and ends; one that shows what it was started with.
static void the_editor_has_the_terminal(void) {
  fresh();
  shell("printf '#!/bin/sh\\nsed -i s/setp.lt.s32/setp.ne.s32/ k.ptx\\n' > ed1; "
        "printf '#!/bin/sh\\necho \"edits $*\"; read line\\n' > vim; "
        "chmod +x ed1 vim");
  Screen *screen = screen_open("VISUAL=./ed1 exec lanescope explore k.ptx -k saxpy", 120, 36);
  screen_type(screen, K_ENTER);
  CHECK(screen_has(screen, "space play"));
  screen_type(screen, "E");
  CHECK(screen_has(screen, "1 new fault"));
  CHECK(screen_has(screen, " k.ptx ▸ block 0"));
  screen_close(screen);
  screen = screen_open("VISUAL=./vim exec lanescope explore k.ptx -k saxpy", 120, 36);
  CHECK(screen_has(screen, "the same on the command line"));
  screen_type(screen, "E");
  CHECK(screen_has(screen, "edits +5 k.ptx"));
  CHECK(!screen->altered);   // it has the terminal as it was before
  screen_type(screen, "\n");
  CHECK(screen_has(screen, "the same on the command line"));
  CHECK(screen->altered);
  screen_type(screen, "q");
  CHECK_INT(screen_end(screen), 0);
  CHECK(screen_is_restored(screen));
  screen_close(screen);
}

static void another_launch_from_the_explorer(void) {
  fresh();
  PLAY("explore k.ptx -k saxpy -g 1 -b 32 -a i32=32 -a f32=2 -a 'f32[32]=iota' -a 'f32[32]=zero'", 120, 36,
       {"", "1 warp · 32 threads"},
       {"A", "-g 1 -b 32 -a int=32"}, {K_UP, "▸ shared"}, {K_UP "64" K_ENTER, "-b 64"},
       {K_ENTER, "2 warps · 64 threads"},
       {"q", "~2 warps · 64 threads"});
  PLAY("explore reduce2", 120, 36, {"", "space play"}, {"E", "this is for a kernel of your own"});
}

#define CLICK(place) "\033[<0;" place "M" "\033[<0;" place "m"
static void clicks(void) {
  fresh();
  // At 100x30: block in row 7; the contents of x in row 13; "run" two rows below the command line; keys in the last
  // row.
  PLAY("explore k.ptx -k saxpy", 100, 30, {"", "the same on the command line"}, {CLICK("16;7"), "▸ block"},
       {CLICK("48;13"), "▸ x "},
       {CLICK("74;13"), "=const:1'"}, {CLICK("24;30"), "space play"});
  // A panel's keys are in the footer: esc closes it.
  PLAY("explore reduce2", 100, 30, {"", "space play"}, {"p", "── parameters"}, {CLICK("26;30"), "~── parameters"});
}

static void all_sizes(void) {
  static const int sizes[][2] = {{60, 20}, {80, 24}, {100, 30}, {120, 36}};
  static const char *const kernels[] = {"saxpy", "product", "bodies", "nothing"};
  for (int s = 0; s < LS_COUNT(sizes); s++)
    for (int k = 0; k < LS_COUNT(kernels); k++)
      for (int ascii = 0; ascii < 2; ascii++) {
        char line[120];
        snprintf(line, sizeof line, "exec lanescope explore k.ptx -k %s%s", kernels[k], ascii ? " --ascii" : "");
        Screen *screen = screen_open(line, sizes[s][0], sizes[s][1]);
        CHECK(screen_has(screen, "the same on the command line"));
        CHECK(screen_has(screen, "run"));
        CHECK(screen_has(screen, "q back"));
        if (ascii) CHECK(screen_is_ascii(screen));
        screen_close(screen);
      }
  // More parameters than rows are counted, and come into view.
  PLAY("explore k.ptx -k bodies", 60, 20, {"", "▾ 3 more"}, {K_DOWN K_DOWN K_DOWN K_DOWN K_DOWN, "▸ stride"});
}

static void ends_are_told(void) {
  ProgramRun run;
  shell("printf 'LST' > short.lst; printf '' > empty.lst");
  program_run(&run, "lanescope explore short.lst");
  CHECK(run.status == 2 && strstr(run.err, "trace") != NULL && strstr(run.err, "PTX") == NULL);
  program_run_free(&run);
  program_run(&run, "lanescope explore empty.lst");
  CHECK(run.status == 2 && strstr(run.err, "trace") != NULL);
  program_run_free(&run);
  // The first run, canceled.
  static const char line[] = "lanescope explore reduce2 -p N=16777216 -p blocks=65535 -p threads=1024; echo status $?";
  Screen *screen = screen_open(line, 100, 30);
  if (screen_has(screen, "esc cancel")) {
    screen_type(screen, K_ESC);
    CHECK(screen_has(screen, "lanescope: canceled: reduce2 was not run to its end"));
    CHECK(screen_has(screen, "status 130"));
  }
  screen_close(screen);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"without a launch there is a page", without_a_launch_there_is_a_page},
      {"fields follow one another", fields_follow_one_another},
      {"some arguments are missing", some_arguments_are_missing},
      {"y copies the line", y_copies_the_line},
      {"the line can be pasted", the_line_can_be_pasted},
      {"saved and run again", saved_and_run_again},
      {"mistakes leave the run open", mistakes_leave_the_run_open},
      {"a compile is canceled", a_compile_is_canceled},
      {"keys may come early", keys_may_come_early},
      {"the editor has the terminal", the_editor_has_the_terminal},
      {"another launch from the explorer", another_launch_from_the_explorer},
      {"clicks", clicks},
      {"all sizes", all_sizes},
      {"ends are told", ends_are_told},
  };
  program_set_up();
  int status = check_main("program_own", checks, LS_COUNT(checks), argc, argv);
  program_tear_down();
  return status;
}
