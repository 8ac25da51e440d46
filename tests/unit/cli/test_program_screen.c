// test_program_screen.c: the real program on a terminal: what it shows after which keys, how it leaves the terminal
// whatever ends it, and that no key breaks it.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/random.h"
#include "check.h"
#include "program/program.h"
#include "program/screen.h"
#include "program/wellformed.h"

#if defined(__SANITIZE_ADDRESS__)
enum { SANITIZED = true };
#else
enum { SANITIZED = false };
#endif

// ---- keys and what they show
// -----------------------------------------------------------------------------------------

// Keys, and a text that stands on the screen after them; NULL: the next keys follow at once.
typedef struct Step { const char *keys, *shows; } Step;
// A session of a user.
typedef struct Script { const char *line; int cols, rows; Step steps[16]; } Script;

static void play(const Script *script) {
  Screen *screen = screen_open(script->line, script->cols, script->rows);
  for (int i = 0; i < LS_COUNT(script->steps) && script->steps[i].keys; i++) {
    screen_type(screen, script->steps[i].keys);
    if (!script->steps[i].shows || screen_has(screen, script->steps[i].shows)) continue;
    printf("%s, %dx%d, after step %d\n", script->line, script->cols, script->rows, i);
    CU_FAIL("a screen does not show what it should");
    break;
  }
  screen_close(screen);
}

// Who comes for the first time is greeted once; a key leads past it.
static const Script first_scripts[] = {
    {.line = "XDG_STATE_HOME=$PWD/first exec lanescope --no-motion", .cols = 80, .rows = 24, .steps = {
        {"", "lanescope ▸ welcome"}, {"", "What will the"}, {"1", "Not at once, as you see: a warp has one"},
        {"", "20  out[id] = value;                       ████████████████████████████████"}, {" ", "What will the"},
        {"j" K_ENTER, "Right: a warp has one"}, {K_ENTER, "L01 ▸ Hello, GPU"}, {"q", "▸L01  Hello, GPU"},
        {"", "q quit"}}},
    {.line = "XDG_STATE_HOME=$PWD/first exec lanescope", .cols = 80, .rows = 24, .steps = {
        {"", "O your own file"}, {"", "▸L01  Hello, GPU"}}},
    {.line = "XDG_STATE_HOME=$PWD/second exec lanescope", .cols = 80, .rows = 24, .steps = {
        {"", "lanescope ▸ welcome"}, {"q", "▸L01  Hello, GPU"}, {"", "q quit"}}},
    {.line = "XDG_STATE_HOME=$PWD/second exec lanescope", .cols = 80, .rows = 24, .steps = {{"", "O your own file"}}},
    {.line = "XDG_STATE_HOME=$PWD/third exec lanescope --ascii --no-motion", .cols = 60, .rows = 20, .steps = {
        {"", "What will the"}, {"2", "################................"}, {"", "Right: a warp"}}},
};

static const Script menu_scripts[] = {
    {.line = "exec lanescope", .cols = 120, .rows = 36, .steps = {
        {"", " lanescope ▸ CUDA, seen from inside a warp "}, {"", "L03  Warps and SIMT"}, {"", "L18  Beyond one kernel"}, {"", "q quit"},
        {"K", " lanescope ▸ kernels "}, {"", "Lecture kernels"}, {"/reduce2" K_ENTER, "▸ reduce2"},
        {"", "Reduction tree in shared memory"},
        {K_ENTER, "reduce2 ▸ block 0 ▸ warp 0"}, {"q", "▸ reduce2"}, {"q", " lanescope ▸ CUDA, seen from inside a warp "},
        {"/bank conf", "Lanes of a warp want different words of the same bank"}, {K_ENTER, "L11 · step 1 of 48"},
        {"q", "/bank conf"}, {K_ESC, "q quit"}}},
    {.line = "exec lanescope", .cols = 80, .rows = 24, .steps = {
        {"", "L03  Warps and SIMT"}, {"", "L18  Beyond one kernel"}, {"G", "▸L18"}, {"g", "▸L01"},
            {K_DOWN "jj", "▸L04"}}},
    {.line = "exec lanescope", .cols = 200, .rows = 60, .steps = {
        {"", "q quit"}, {"K", "Lecture kernels"}, {"/reduce2" K_ENTER, "▸ reduce2"}, {"?", "── keys"},
        {"q", "▸ reduce2"}}},
    {.line = "exec lanescope", .cols = 80, .rows = 24, .steps = {
        {"", "O your own file  P practice  Z quiz  K kernels  M models  C claims  B museum"}, {"B", "▸ museum"}, {"q", "O your own"},
        {"C", "▸ claims"}, {"q", "O your own"}, {"O", "▸ your own file"}, {"q", "O your own"}, {"M", "▸ models"}}},
    {.line = "exec lanescope kernels", .cols = 80, .rows = 24, .steps =
     {{"", "warp_reduce            K74  Sum over a warp"}}},
};

static const Script explorer_scripts[] = {
    // Finding, stepping by line, the next match, a block and a lane.
    {.line = "exec lanescope explore reduce2", .cols = 120, .rows = 36, .steps = {
        {"", "step 0 of 8,236"}, {"/18" K_ENTER, " 18 ▸ "}, {"", "step 941 of 8,236"}, {"L", " 19 ▸ "}, {"H", " 18 ▸ "},
        {"n", "step 1,161 of 8,236"},
        {"b3" K_ENTER, "▸ block 3 ▸"}, {"", "tid      768 769 770"}, {"i5" K_ENTER, "▸ lane 5"}, {"", "tid      773"}}},
    // Fewer threads: the kernel runs again, and the place stays the same line.
    {.line = "exec lanescope explore reduce2", .cols = 80, .rows = 24, .steps = {
        {"", "space play"}, {":line 18" K_ENTER, " 18▸ "}, {"p", "▸ form "}, {"jjj", "▸ threads "},
        {"64" K_ENTER, "2 warps"}, {"", " 18▸ "}, {K_ENTER, "variables"},
        {"p", "▸ form "}, {"jjj" K_RIGHT, "· 4 warps"}, {K_LEFT K_LEFT, "· 1 warp "}}},
    // As compiled, the PTX, hexadecimal, the margin, zoom, and messages.
    {.line = "exec lanescope explore reduce2", .cols = 120, .rows = 36, .steps = {
        {"", "space play"}, {":goto 1184" K_ENTER, "step 1,184 of 8,236"}, {"x", "0x400"}, {"x", "1024"},
        {"O", "── PTX "},
        {"m" "O", "── sectors per request ─"},
        {"o", "of 3,540"}, {"o", "of 8,236"}, {":goto 99999" K_ENTER,
                                               "there is no step 99999: steps go from 0 to 8235"},
        {":frob" K_ENTER, "there is no \":frob\""}, {":set threads=9999" K_ENTER,
                                                     "threads is 9999; it can be 1 to 1024"},
        {"?", "one event back"}, {"?", "── variables"}, {"u", NULL}, {"z", NULL}}},
    // Another run beside it.
    {.line = "exec lanescope explore reduce2", .cols = 200, .rows = 60, .steps = {
        {"", "space play"}, {"c", "form lecture: the lecture's stride"}, {"jjjjj", "▸ reduce0: Fold an array in half"},
        {K_ENTER, "0.074×"},
        {":line 18" K_ENTER, " 18 ▸ "},
        {"", "7 ▸   x[tid]"}}},
    {.line = "exec lanescope explore load_patterns -p pattern=offset", .cols = 80, .rows = 24, .steps = {
        {"", "space play"}, {":line 26" K_ENTER, "step 19 of 29"}, {"n", "5 sectors"}}},
    {.line = "exec lanescope explore transpose_32x32", .cols = 80, .rows = 24, .steps = {
        {"", "space play"}, {"/conflict" K_ENTER, "tile[0] to tile[992]"}}},
    {.line = "exec lanescope explore warp_reduce", .cols = 120, .rows = 36, .steps = {
        {"", "space play"}, {"nnn", "butterfly, xor 4, step 3 of 5"}}},
    {.line = "exec lanescope explore histogram", .cols = 120, .rows = 36, .steps = {
        {"", "space play"}, {"/atomic" K_ENTER, "longest queue 6"}, {"", "buckets[12]"}}},
};

// Cell by cell the terminal shows what `export` draws of the same place, in all sizes, with glyphs and without.
typedef struct Place { const char *kernel; int step; } Place;

static void check_place(const Place *place, int cols, int rows, const char *option) {
  char line[160], keys[32];
  snprintf(line, sizeof line, "lanescope export %s %s --at %d --size %dx%d | sed 's/ *$//'", place->kernel, option,
           place->step,
           cols, rows);
  ProgramRun drawn;
  program_run(&drawn, line);
  snprintf(line, sizeof line, "exec lanescope explore %s %s", place->kernel, option);
  Screen *screen = screen_open(line, cols, rows);
  snprintf(keys, sizeof keys, ":goto %d" K_ENTER, place->step);
  CHECK(screen_has(screen, "space play"));
  screen_type(screen, keys);
  bool same = drawn.status == 0 && screen_is(screen, drawn.out);
  if (!same) printf("%s at step %d, %dx%d\n", line, place->step, cols, rows);
  CHECK(same);
  screen_close(screen);
  program_run_free(&drawn);
}

static void the_terminal_shows_what_is_exported(void) {
  static const Place places[] = {{"reduce2", 954}, {"transpose_32x32", 972}, {"warp_reduce", 107}, {"histogram", 32},
                                 {"load_patterns", 21}};
  static const int sizes[][2] = {{80, 24}, {120, 36}, {200, 60}};
  for (int i = 0; i < LS_COUNT(places); i++)
    for (int size = 0; size < LS_COUNT(sizes); size++)
      check_place(&places[i], sizes[size][0], sizes[size][1], i % 2 ? "--ascii" : "");
}

// A lesson goes on where it was left.
static const Script lesson_scripts[] = {
    {.line = "exec lanescope lesson L01", .cols = 120, .rows = 36, .steps = {
        {"", "L01 · step 1 of "}, {" ", "L01 · step 2 of "}, {K_BACKSPACE, "L01 · step 1 of "}, {"?", "── keys"},
        {"q", "L01 · step 1 of "}, {" ", "L01 · step 2 of "}}},
    {.line = "exec lanescope", .cols = 80, .rows = 24, .steps = {
        {"", "q quit"}, {"/hello gpu", "▸ lesson   L01"}, {K_ENTER, "L01 · step 2 of "}, {"q", "/hello gpu"},
        {K_ESC, "q quit"}, {"g", "▸L01 "}, {"", "At step 2 of "}}},
};

static const Script file_scripts[] = {
    {.line = "exec lanescope explore $S/assets/ptx/reduce2.g.ptx -g 4 -b 256 -s 512 -a y='f32[4]=none' -a x='f32[4096]=const:1' "
             "-a N=4096",
     .cols = 120, .rows = 36, .steps = {{"", "space play"}, {"]", "▲ fault 1"},
                                        {"", "past the end of tsum (512 bytes)"},
                                        {"O", "── PTX"}}},
    {.line = "lanescope trace warp_reduce --code written -o w.lst && exec lanescope play w.lst", .cols = 80, .rows =
     24, .steps = {
        {"", "warp_reduce ▸ block 0"}, {"nnn", "butterfly, xor 4, step 3 of 5"}, {"G", "step 200 of 201"}}},
};

static void play_all(const Script *scripts, int count) {
  for (int i = 0; i < count; i++) play(&scripts[i]);
}
static void the_first_start_greets(void) { play_all(first_scripts, LS_COUNT(first_scripts)); }

// For all other tests it is not the first start.
static void be_greeted(void) {
  Screen *screen = screen_open("exec lanescope", 80, 24);
  if (screen_has(screen, "lanescope ▸ welcome")) screen_type(screen, "q");
  if (!screen_has(screen, "q quit")) printf("the first start does not lead to the course\n");
  screen_close(screen);
}

static void menu_and_kernels(void) { play_all(menu_scripts, LS_COUNT(menu_scripts)); }
static void explorer_answers_keys(void) { play_all(explorer_scripts, LS_COUNT(explorer_scripts)); }
static void lessons_are_resumed(void) { play_all(lesson_scripts, LS_COUNT(lesson_scripts)); }
static void files_are_explored(void) { play_all(file_scripts, LS_COUNT(file_scripts)); }

// ---- terminals of all kinds
// ------------------------------------------------------------------------------------------

typedef struct Terminal { const char *before, *options; bool ascii; int least_color, most_color; } Terminal;
static const Terminal terminals[] = {
    {"TERM=xterm-256color", "", false, 16, 255},
    {"TERM=xterm", "", false, 0, 7},
    {"TERM=vt100", "", false, -1, -1},
    {"NO_COLOR=1", "", false, -1, -1},
    {"NO_COLOR=1", "--color=always", false, 0, 255},
    {"TERM=xterm", "--color=never", false, -1, -1},
    {"TERM=xterm-256color", "--ascii", true, 0, 255},
    {"LC_ALL=C", "", true, 0, 255},
};

static void terminals_get_what_they_can(void) {
  for (int i = 0; i < LS_COUNT(terminals); i++) {
    const Terminal *t = &terminals[i];
    char *line = ls_format("exec env %s lanescope explore transpose_32x32 %s", t->before, t->options);
    Screen *screen = screen_open(line, 80, 24);
    CHECK(screen_has(screen, "space play"));   // keys typed before that may go to the page that shows the progress
    screen_type(screen, "/conflict" K_ENTER);
    CHECK(screen_has(screen, "tile[0] to tile[992]"));
    int color = screen_colors(screen);
    if (color < t->least_color || color > t->most_color) printf("\n%s: highest color is %d\n", line, color);
    CHECK(color >= t->least_color && color <= t->most_color);
    CHECK(screen_is_ascii(screen) == t->ascii);
    screen_close(screen);
    free(line);
  }
}

// Where there can be no screen: a message and its status, or plain text.
typedef struct Refusal { const char *line, *shows; int status; } Refusal;
static const Refusal refusals[] = {
    {"exec env TERM=no-such lanescope explore reduce2",
     "lanescope: the terminal database does not know TERM=no-such; try TERM=xterm", 3},
    {"exec env -u TERM lanescope explore reduce2",
     "lanescope: TERM is not set, so the terminal is unknown; try TERM=xterm-256color", 3},
    {"exec env TERM=dumb lanescope explore warp_reduce | head -12", "step 3, block 0, warp 0: ", 0},
    {"exec env TERM=dumb lanescope", "answer: right, the result equals the host reference", 0},
    {"exec lanescope --plain explore warp_reduce", "warp_instructions", 0},
    {"exec lanescope explore reduce9", "Did you mean reduce", 2},
    {"exec lanescope explore reduce2 -p N=0", "lanescope: N is 0; it can be 1 to 16777216", 2},
    {"exec lanescope explore reduce2 </dev/null | head -3", "grid 4 x 1 x 1", 0},
    {"exec lanescope play gone.lst", "lanescope: cannot open gone.lst: No such file or directory", 2},
};

static void what_cannot_be_shown_is_said(void) {
  for (int i = 0; i < LS_COUNT(refusals); i++) {
    Screen *screen = screen_open(refusals[i].line, 200, 60);
    int status = screen_end(screen);
    if (status != refusals[i].status) printf("\n%s ends with %d\n", refusals[i].line, status);
    CHECK(status == refusals[i].status);
    CHECK(screen_has(screen, refusals[i].shows));
    CHECK(screen_is_restored(screen));
    screen_close(screen);
  }
}

// What is printed on a terminal goes on between words, and a table of lines has room.
static void text_is_folded(void) {
  Screen *screen = screen_open("exec lanescope stats transpose_32x32", 80, 60);
  CHECK_INT(screen_end(screen), 0);
  CHECK(screen_has(screen, "wanted, summed over requests"));
  CHECK(screen_has(screen, "sectors/req. bank confl. divergent"));
  CHECK(screen_has(screen, "emulator (its, profile h200"));
  screen_close(screen);
}

// ---- every end restores the terminal
// ---------------------------------------------------------------------------------

typedef struct End { const char *name, *keys; int signal, status; } End;
static const End ends[] = {
    {"q", "q", 0, 0},
    {"Ctrl-C", "\003", 0, 128 + SIGINT},
    {"SIGTERM", "", SIGTERM, 128 + SIGTERM},
    {"SIGHUP", "", SIGHUP, 128 + SIGHUP},
    {"SIGUSR1", "", SIGUSR1, 128 + SIGUSR1},
    {"SIGUSR2", "", SIGUSR2, 128 + SIGUSR2},
    {"SIGALRM", "", SIGALRM, 128 + SIGALRM},
    {"SIGXCPU", "", SIGXCPU, 128 + SIGXCPU},
    {"SIGPOLL", "", SIGPOLL, 128 + SIGPOLL},
    {"SIGPIPE", "", SIGPIPE, 128 + SIGPIPE},
    {"Ctrl-\\", "\034", 0, 128 + SIGQUIT},
    {"SIGILL", "", SIGILL, 128 + SIGILL},
    {"SIGSYS", "", SIGSYS, 128 + SIGSYS},
    {"SIGSEGV", "", SIGSEGV, 128 + SIGSEGV},
    {"SIGABRT", "", SIGABRT, 128 + SIGABRT},
};

static void check_end(const End *end, const char *line, const char *shows) {
  Screen *screen = screen_open(line, 80, 24);
  CHECK(screen_has(screen, shows));
  CHECK(screen->altered && screen_hides_cursor(screen) && screen_reports_mouse(screen));
  screen_type(screen, end->keys);
  if (end->signal) kill(screen->child, end->signal);
  int status = screen_end(screen);
  if (status != end->status) printf("\n%s ends with %d\n", end->name, status);
  CHECK(status == end->status);
  CHECK(screen_is_restored(screen));
  screen_close(screen);
}

static void every_end_restores_the_terminal(void) {
  for (int i = 0; i < LS_COUNT(ends); i++) {
    bool crash = ends[i].signal == SIGSEGV || ends[i].signal == SIGABRT || ends[i].signal == SIGILL;
    if (crash && SANITIZED) continue;   // the sanitizer reports it
    check_end(&ends[i], "exec lanescope explore reduce2", "step 0 of 8,236");
    check_end(&ends[i], "exec lanescope", "L03  Warps");
  }
}

static void a_closed_window_ends_it(void) {
  Screen *screen = screen_open("exec lanescope explore reduce2", 80, 24);
  CHECK(screen_has(screen, "step 0 of 8,236"));
  screen_hang_up(screen);
  CHECK_INT(screen_end(screen), 128 + SIGHUP);
  screen_close(screen);
}

// A kernel's printf and a file's name do not steer the terminal, on the screen and in lines of text.
static void controls_are_shown(void) {
  static const char line[] =
      "F=$(printf 'f\\033[31mg.ptx'); sed 's/{116, 104, 114, 101, 97, 100, 32, /{27, 91, 51, 49, 109, 155, 7, /' "
      "$S/tests/unit/sim/kernels/hello.ptx > $F; exec lanescope %s $F -k hello -b 32 -a 'i32[64]=zero'";
  char *stats = ls_format(line, "stats"), *explore = ls_format(line, "explore");
  Screen *screen = screen_open(stats, 100, 60);
  CHECK(screen_has(screen, "\\e[31m\\x9b\\x073 of block 0"));
  CHECK(screen_has(screen, "f\\e[31mg.ptx: kernel hello"));
  CHECK_INT(screen_end(screen), 0);
  CHECK(!strstr(ls_text_str(&screen->bytes), "\033[31m") && !strchr(ls_text_str(&screen->bytes), '\a'));
  screen_close(screen);
  screen = screen_open(explore, 100, 30);
  CHECK(screen_has(screen, "f\\e[31mg.ptx"));
  screen_type(screen, "P");
  CHECK(screen_has(screen, "\\e[31m"));
  CHECK(!strchr(ls_text_str(&screen->bytes), '\a'));
  screen_type(screen, "qq");
  CHECK_INT(screen_end(screen), 0);
  screen_close(screen);
  free(explore);
  free(stats);
}

// The shell of the system stops and continues it; `read` waits while it is stopped.
static void it_stops_and_goes_on(void) {
  Screen *screen = screen_open("set -m; lanescope explore reduce2; echo; echo it stopped; read x; fg; echo it ended $?", 80, 24);
  CHECK(screen_has(screen, "space play"));
  screen_type(screen, ":goto 954" K_ENTER);
  CHECK(screen_has(screen, "step 954 of 8,236"));
  screen_type(screen, "\032");
  CHECK(screen_has(screen, "it stopped"));
  CHECK(screen_is_restored(screen));
  screen_type(screen, "\n");
  CHECK(screen_has(screen, "step 954 of 8,236"));
  CHECK(screen->altered && screen_hides_cursor(screen) && screen_reports_mouse(screen));
  screen_type(screen, "l");
  CHECK(screen_has(screen, "step 955 of 8,236"));
  screen_type(screen, "q");
  CHECK(screen_has(screen, "it ended 0"));
  CHECK_INT(screen_end(screen), 0);
  CHECK(screen_is_restored(screen));
  screen_close(screen);
}

// ---- compiling
// -------------------------------------------------------------------------------------------------------

// A compiler that never ends, and starts another process, as nvcc does. NVRTC, where it is, refuses a file with host
// code.
static void write_slow_compiler(void) {
  ProgramRun written;
  program_run(&written,
              "mkdir -p slow tmp; rm -f child.pid nvcc.pid; echo '#include <cstdio>\nint main() { return 0; }\n__global__ void k(int *x) {}' > slow.cu;"
                        "{ echo '#!/bin/sh'; echo 'test \"$1\" = --version && exec echo release 13.0'; echo 'touch "
                        "$TMPDIR/tmpxft_1'; echo 'sleep 1000 & echo $! > ../child.pid; echo $$ > ../nvcc.pid; wait'; } | sed "
                        "'s|[.][.]/|'$PWD'/|g' > slow/nvcc; chmod +x slow/nvcc");
  CHECK_INT(written.status, 0);
  program_run_free(&written);
}

static void the_compiler_is_gone(void) {
  ProgramRun gone;
  program_run(&gone, "left() { for pid in $(cat nvcc.pid child.pid); do case $(cat /proc/$pid/stat 2>&1) in "
                     "*' Z '*|*'No such'*) ;; *) echo $pid runs;; esac; done; ls tmp; }; "
                     "for i in $(seq 400); do test \"$(left)\" || exit 0; sleep 0.05; done; left; exit 1");
  CHECK(gone.status == 0);
  if (gone.status != 0) printf("\nleft: %s\n", gone.out);
  program_run_free(&gone);
}

// Esc, and Ctrl-C from elsewhere: at once, with all that the compiler started and wrote.
static void a_compiler_is_canceled(void) {
  static const char *const keys[] = {K_ESC, "q", ""};
  write_slow_compiler();
  for (int i = 0; i < LS_COUNT(keys); i++) {
    Screen *screen = screen_open("PATH=$PWD/slow:$PATH TMPDIR=$PWD/tmp exec lanescope explore slow.cu -a 'i32[4]=zero'", 80, 24);
    CHECK(screen_has(screen, "▸ compiling"));
    CHECK(screen_has(screen, "with nvcc"));
    CHECK(screen_counts_up(screen, "compiling", " s"));
    CHECK(screen_has(screen, "esc cancel"));
    if (*keys[i]) screen_type(screen, keys[i]);
    else kill(screen->child, SIGINT);
    if (*keys[i]) CHECK(screen_has(screen, "lanescope: canceled: slow.cu was not run to its end"));
    CHECK_INT(screen_end(screen), 130);
    CHECK(screen_is_restored(screen));
    screen_close(screen);
    the_compiler_is_gone();
  }
}

// Nobody can catch this one. Another process sees to it that nothing stays.
static void a_killed_program_leaves_no_compiler(void) {
  write_slow_compiler();
  Screen *screen = screen_open("PATH=$PWD/slow:$PATH TMPDIR=$PWD/tmp exec lanescope stats slow.cu -a 'i32[4]=zero'",
                               80, 24);
  ProgramRun waited;
  program_run(&waited, "while ! test -s child.pid; do sleep 0.02; done; ls tmp");
  CHECK(*waited.out);   // a folder
  program_run_free(&waited);
  kill(screen->child, SIGKILL);
  CHECK_INT(screen_end(screen), 128 + SIGKILL);
  screen_close(screen);
  the_compiler_is_gone();
}

// Without a screen, too: the terminal's Ctrl-C reaches lanescope alone.
static void a_compiler_without_a_screen_is_canceled(void) {
  write_slow_compiler();
  Screen *screen = screen_open("PATH=$PWD/slow:$PATH TMPDIR=$PWD/tmp exec lanescope stats slow.cu -a 'i32[4]=zero'",
                               80, 24);
  ProgramRun waited;
  program_run(&waited, "rm -f nvcc.pid; while ! test -e nvcc.pid; do sleep 0.02; done");
  program_run_free(&waited);
  CHECK(screen_has(screen, "with nvcc"));
  screen_type(screen, "\003");
  CHECK_INT(screen_end(screen), 130);
  screen_close(screen);
  the_compiler_is_gone();
}

// ---- runs that take long
// ---------------------------------------------------------------------------------------------

// More blocks than anybody waits for.
static void write_huge_grid(void) {
  ProgramRun written;
  program_run(&written,
              "printf '.version 7.0\\n.target sm_75\\n.address_size 64\\n.visible .entry k(.param .u64 p)\\n{\\nret;\\n}\\n' > huge.ptx");
  CHECK_INT(written.status, 0);
  program_run_free(&written);
}

typedef struct Long { const char *line, *shows; } Long;
static const Long long_runs[] = {
    {"exec lanescope stats huge.ptx -g 2147483647 -b 32 -a 'i32[1]=zero' --budget 18446744073709551615",
     "of 2,147,483,647 blocks"},
    {"exec lanescope trace huge.ptx -g 2147483647 -b 32 -a 'i32[1]=zero' --budget 18446744073709551615 -o huge.lst",
     "of 2,147,483,647 blocks"},
    {"exec lanescope export huge.ptx -g 2147483647 -b 32 -a 'i32[1]=zero' --budget 18446744073709551615 --view source --size 60x5",
     "The source is not here"},
};

static void a_long_run_is_told_of_and_stopped(void) {
  write_huge_grid();
  for (int i = 0; i < LS_COUNT(long_runs); i++) {
    Screen *screen = screen_open(long_runs[i].line, 120, 36);
    CHECK(screen_counts_up(screen, "running, ", " s"));
    CHECK(screen_has(screen, "Ctrl-C stops it with what is known by then"));
    screen_type(screen, "\003");
    CHECK_INT(screen_end(screen), 128 + SIGINT);
    CHECK(screen_has(screen, long_runs[i].shows));
    CHECK(screen_is_restored(screen));
    screen_close(screen);
  }
  ProgramRun played;
  program_run(&played, "lanescope play huge.lst | tail -n 2");
  CHECK(played.status == 0 && strstr(played.out, "warp_instructions"));
  program_run_free(&played);
}

// Commands that work in silence say so, within a second; the line is gone when they end, or are ended.
static const Long busy_commands[] = {
    {"exec lanescope stats stream_pipeline -p n=4194304 -p rounds=65536 -p chunks=16", "running, "},
    {"exec lanescope stats race_add -p threads=1024 --orders 100000", "trying seeds, "},
    {"exec lanescope explore gpu_sin -p steps=1000000 --plain --blocks all > events.txt", "writing the events, "},
    {"exec lanescope stats slow.lua", "checking, "},
};

// A kernel whose check does not come to an end. It goes by its time, seconds of a processor, since its instructions take
// long each: those of a loop of plain Lua are used up in less than one.
static void write_slow_check(void) {
  ProgramRun written;
  program_run(&written,
              "printf '.version 7.0\\n.target sm_75\\n.address_size 64\\n.visible .entry k(.param .u64 y)\\n{\\nret;\\n}\\n'"
              " > slow.ptx; printf 'return { kernel = \"k\","
              " launch = function() return { grid = { 1, 1, 1 }, block = { 32, 1, 1 }, shared = 0,"
              " args = { { name = \"y\", type = \"f32\", count = 1000000, init = \"iota\" } } } end,"
              " check = function(_, run) while true do all.sum(run.input(\"y\")) end end }' > slow.lua");
  CHECK_INT(written.status, 0);
  program_run_free(&written);
}

static void silent_work_is_told_of(void) {
  write_slow_check();
  for (int i = 0; i < LS_COUNT(busy_commands); i++) {
    Screen *screen = screen_open(busy_commands[i].line, 120, 36);
    CHECK(screen_counts_up(screen, busy_commands[i].shows, " s"));
    screen_type(screen, "\003");
    CHECK_INT(screen_end(screen), 128 + SIGINT);
    CHECK(screen_lacks(screen, busy_commands[i].shows));
    CHECK(screen_is_restored(screen));
    screen_close(screen);
  }
}

// A large grid is opened with what is recorded of it, and runs on; Esc stops that.
static void a_large_grid_opens_early(void) {
  write_huge_grid();
  Screen *screen = screen_open("exec lanescope explore huge.ptx -g 2147483647 -b 32 -a 'i32[1]=zero' --no-motion", 100, 30);
  CHECK(screen_has(screen, "block 0 of 2,147,483,647"));
  CHECK(screen_counts_up(screen, "running ", " s"));
  screen_type(screen, K_RIGHT);
  CHECK(screen_has(screen, "block 1 of 2,147,483,647"));
  screen_type(screen, K_ESC);
  CHECK(screen_has(screen, "the run was canceled"));
  screen_type(screen, "q");
  CHECK_INT(screen_end(screen), 0);
  CHECK(screen_is_restored(screen));
  screen_close(screen);
}

// What was saved of a run that was stopped says so wherever it is looked at.
static void a_stopped_run_is_told_of_when_it_is_opened(void) {
  static const char *const looks[] = {"lanescope stats huge.lst", "lanescope play huge.lst | head -n 20"};
  write_huge_grid();
  Screen *screen = screen_open(long_runs[1].line, 120, 36);
  CHECK(screen_has(screen, "Ctrl-C stops it with what is known by then"));
  screen_type(screen, "\003");
  CHECK_INT(screen_end(screen), 128 + SIGINT);
  screen_close(screen);
  for (int i = 0; i < LS_COUNT(looks); i++) {
    ProgramRun looked;
    program_run(&looked, looks[i]);
    CHECK_INT(looked.status, 0);
    CHECK(program_matches("*\nstopped by Ctrl-C after * of 2,147,483,647 blocks: all numbers are of what had run until then\n*", looked.out));
    program_run_free(&looked);
  }
  ProgramRun json;
  program_run(&json, "lanescope stats huge.lst --json");
  CHECK(json_is_valid(json.out));
  CHECK(json_number(json.out, "interrupted.blocks") == 2147483647);
  double done = json_number(json.out, "interrupted.blocks_done");
  CHECK(done >= 0 && done < 2147483647);
  program_run_free(&json);
  screen = screen_open("exec lanescope play huge.lst", 120, 36);
  CHECK(screen_has(screen, "stopped by Ctrl-C after "));
  screen_close(screen);
}

// ---- Ctrl-C that comes twice
// -----------------------------------------------------------------------------------------

enum { ECHO_MS = 300, TRIES = 20 };   // cli/wait.c: a second signal that comes sooner is the first one again

static bool waits_for_delivery(pid_t child, int signal) {
  char path[64], line[128];
  unsigned long long pending = 0;
  snprintf(path, sizeof path, "/proc/%d/status", (int)child);
  FILE *status = fopen(path, "r");
  while (status && fgets(line, sizeof line, status))
    if (strncmp(line, "ShdPnd:", 7) == 0) pending = strtoull(line + 7, NULL, 16);
  if (status) fclose(status);
  return pending >> (signal - 1) & 1;
}

// Two signals at once, as timeout(1) sends them. The second one waits until the first was taken: two that are on their
// way are one. False if nothing is to be learned: this machine was too busy for "at once".
static bool is_told_after_two(void) {
  Screen *screen = screen_open(long_runs[0].line, 120, 36);
  CHECK(screen_has(screen, "Ctrl-C stops it with what is known by then"));
  long long start = program_now_ms();
  kill(screen->child, SIGINT);
  while (waits_for_delivery(screen->child, SIGINT)) continue;
  kill(screen->child, SIGINT);
  CHECK_INT(screen_end(screen), 128 + SIGINT);
  bool told = strstr(ls_text_str(&screen->bytes), long_runs[0].shows) != NULL;
  bool at_once = program_now_ms() - start < ECHO_MS;
  CHECK(told || !at_once);
  screen_close(screen);
  return told || at_once;
}

static void one_signal_may_come_twice(void) {
  write_huge_grid();
  for (int i = 0; i < TRIES; i++) if (is_told_after_two()) return;
}

// ---- runs elsewhere
// --------------------------------------------------------------------------------------------------

static void a_runner_that_never_answers_is_left(void) {
  Screen *screen = screen_open("exec lanescope explore reduce2 --runner 'echo $$ > runner.pid; exec sleep 1000;'", 80,
                               24);
  CHECK(screen_has(screen, "▸ connecting to the runner"));
  CHECK(screen_has(screen, "esc cancel"));
  screen_type(screen, K_ESC);
  CHECK_INT(screen_end(screen), 130);
  CHECK(screen_is_restored(screen));
  screen_close(screen);
  ProgramRun gone;
  program_run(&gone, "kill -0 $(cat runner.pid)");
  CHECK(gone.status != 0);
  program_run_free(&gone);
}

// The first run is good, the second never ends, the third fails: each time the run before it is there again.
static void a_session_goes_on_without_its_runner(void) {
  ProgramRun written;
  program_run(&written,
              "rm -f times; echo 'echo >> times; case $(wc -l < times) in 1) exec \"$@\";; 2) exec sleep 1000;; esac;"
                        " echo The node is down >&2; exit 3' > runner.sh");
  program_run_free(&written);
  Screen *screen = screen_open("exec lanescope explore reduce2 --device emu --runner 'sh runner.sh'", 80, 24);
  CHECK(screen_has(screen, "step 0 of 8,236"));
  screen_type(screen, ":set threads=64" K_ENTER);
  CHECK(screen_has(screen, "connecting to the runner"));
  screen_type(screen, K_ESC);
  CHECK(screen_has(screen, "canceled"));
  CHECK(screen_has(screen, "step 0 of 8,236"));
  screen_type(screen, ":set threads=128" K_ENTER);
  CHECK(screen_has(screen, "The node is down"));
  CHECK(screen_has(screen, "Try it by hand: sh runner.sh lanescope --version"));
  screen_type(screen, K_ENTER);
  CHECK(screen_has(screen, "step 0 of 8,236"));
  screen_type(screen, "q");
  CHECK_INT(screen_end(screen), 0);
  CHECK(screen_is_restored(screen));
  screen_close(screen);
}

// A driver without a GPU stands in for one (fake_cuda/). Its child ends by itself, or is ended.
static void a_gpu_is_explored_through_a_child(void) {
  Screen *screen = screen_open("LANESCOPE_CUDA_LIBRARY=$B/tests/fake_cuda/fake_cuda.so exec lanescope explore reduce2 --device cuda", 120, 36);
  CHECK(screen_has(screen, "measured on NVIDIA H200 (fake)"));
  screen_type(screen, ":set threads=64" K_ENTER);
  CHECK(screen_has(screen, "block of 64 threads"));
  CHECK(screen_has(screen, "measured on NVIDIA H200 (fake)"));
  screen_type(screen, ":set device=emu" K_ENTER);
  CHECK(screen_has(screen, "emulated"));
  screen_type(screen, ":set device=cuda" K_ENTER);
  CHECK(screen_has(screen, "measured on NVIDIA H200 (fake)"));
  screen_type(screen, "q");
  CHECK_INT(screen_end(screen), 0);
  CHECK(screen_is_restored(screen));
  screen_close(screen);
}

// ---- sizes
// -----------------------------------------------------------------------------------------------------------

static void small_windows_are_said_and_grow(void) {
  Screen *screen = screen_open("exec lanescope explore reduce2", 20, 5);
  CHECK(screen_has(screen, "20 x 5"));
  screen_resize(screen, 80, 24);
  CHECK(screen_has(screen, "step 0 of 8,236"));
  screen_type(screen, ":goto 954" K_ENTER);
  CHECK(screen_has(screen, "step 954 of 8,236"));
  screen_resize(screen, 1, 1);
  screen_settle(screen, 50);
  screen_resize(screen, 120, 36);
  CHECK(screen_has(screen, "step 954 of 8,236"));
  screen_type(screen, "q");
  CHECK_INT(screen_end(screen), 0);
  CHECK(screen_is_restored(screen));
  screen_close(screen);
}

static void resizing_keeps_the_place(void) {
  LsMt random;
  ls_mt_seed(&random, 7);
  Screen *screen = screen_open("exec lanescope explore reduce2", 80, 24);
  CHECK(screen_has(screen, "space play"));
  screen_type(screen, ":goto 954" K_ENTER);
  CHECK(screen_has(screen, "step 954 of 8,236"));
  for (int i = 0; i < 150; i++) {
    screen_resize(screen, 1 + (int)(ls_mt_u32(&random) % 220), 1 + (int)(ls_mt_u32(&random) % 70));
    if (i % 10 == 0) screen_settle(screen, 5);
  }
  screen_resize(screen, 120, 36);
  CHECK(screen_has(screen, "step 954 of 8,236"));
  CHECK(screen_has(screen, "q quit"));
  screen_close(screen);
}

// ---- any keys
// --------------------------------------------------------------------------------------------------------

// Keys in bytes; those that end or stop the program are left out, so that it must be there afterwards.
static const char *const monkey_keys[] = {
    "h", "j", "k", "l", "H", "L", "<", ">", "g", "G", "n", "N", "[", "]", " ", "+", "-", "=", "\t", "\033[Z", "a",
        "v", "z", "f", "b", "w",
    "i", "p", "c", "m", "o", "O", "x", "u", "/", ":", K_ENTER, K_BACKSPACE, "r", "t", "K", "?", "\033OP", "\033\033",
        "\014", K_UP, K_DOWN,
    K_LEFT, K_RIGHT, "\033[1;2D", "\033[1;2C", "\033[1;5D", "\033[1;5C", "\033[5~", "\033[6~", "\033[H", "\033[F",
        "0", "1", "3",
        "7", "9",
    "\303\251", "\342\226\210", "\377", "\033[<0;5;3M", "\033[<0;60;9M", "\033[<65;20;5M", "\033[<64;70;20M",
        "\033[<0;30;22M", "\033[200~", "e", ".",
    ":line 18" K_ENTER, ":goto 500" K_ENTER, "/conflict" K_ENTER, ":set sched=stack" K_ENTER,
        ":set threads=64" K_ENTER, "y", "\\", "%s", "~",
};

static int keys_wanted(void) {
  const char *wanted = getenv("MONKEY_KEYS");
  return wanted ? atoi(wanted) : 600;
}

// Leaves whatever is open: Esc closes panels and input, q pages.
static int leave(Screen *screen) {
  for (int i = 0; i < 40 && !screen->gone; i++) {
    screen_type(screen, K_ESC);
    screen_settle(screen, 60);
    screen_type(screen, "q");
    screen_settle(screen, 60);
  }
  return screen_end(screen);
}

static void let_a_monkey_type(const char *line, const char *shows, int cols, int rows, uint32_t seed) {
  LsMt random;
  ls_mt_seed(&random, seed);
  Screen *screen = screen_open(line, cols, rows);
  CHECK(screen_has(screen, shows));
  int typed = 0, wanted = keys_wanted();
  for (; typed < wanted && !screen->gone; typed++) {
    screen_type(screen, monkey_keys[ls_mt_u32(&random) % LS_COUNT(monkey_keys)]);
    if (typed % 8 == 7) screen_settle(screen, 2);
  }
  CHECK(!screen->gone);
  int status = leave(screen);
  if (status != 0 || typed < wanted) {
    LsText text = {0};
    screen_text(screen, &text);
    printf("\n%s, %dx%d, seed %u: status %d after %d keys\n%s", line, cols, rows, seed, status, typed,
           ls_text_str(&text));
    ls_text_free(&text);
  }
  CHECK(status == 0);
  CHECK(screen_is_restored(screen));
  screen_close(screen);
}

static void any_keys_leave_it_alive(void) {
  let_a_monkey_type("exec lanescope explore reduce2", "step 0 of 8,236", 80, 24, 1);
  let_a_monkey_type("exec lanescope explore transpose_32x32", "step 0 of 6,400", 120, 36, 2);
  let_a_monkey_type("exec lanescope", "L03  Warps", 80, 24, 3);
  let_a_monkey_type("exec lanescope", "L03  Warps", 200, 60, 4);
}

static const Check checks[] = {
    {"the first start greets", the_first_start_greets},
    {"controls are shown", controls_are_shown},
    {"menu and kernels", menu_and_kernels},
    {"the explorer answers keys", explorer_answers_keys},
    {"the terminal shows what is exported", the_terminal_shows_what_is_exported},
    {"lessons are resumed", lessons_are_resumed},
    {"files are explored", files_are_explored},
    {"terminals get what they can", terminals_get_what_they_can},
    {"what cannot be shown is said", what_cannot_be_shown_is_said},
    {"text is folded", text_is_folded},
    {"every end restores the terminal", every_end_restores_the_terminal},
    {"a closed window ends it", a_closed_window_ends_it},
    {"it stops and goes on", it_stops_and_goes_on},
    {"a compiler is canceled", a_compiler_is_canceled},
    {"a killed program leaves no compiler", a_killed_program_leaves_no_compiler},
    {"a compiler without a screen is canceled", a_compiler_without_a_screen_is_canceled},
    {"silent work is told of", silent_work_is_told_of},
    {"a large grid opens early", a_large_grid_opens_early},
    {"a long run is told of and stopped", a_long_run_is_told_of_and_stopped},
    {"a stopped run is told of when it is opened", a_stopped_run_is_told_of_when_it_is_opened},
    {"one signal may come twice", one_signal_may_come_twice},
    {"a runner that never answers is left", a_runner_that_never_answers_is_left},
    {"a session goes on without its runner", a_session_goes_on_without_its_runner},
    {"a GPU is explored through a child", a_gpu_is_explored_through_a_child},
    {"small windows are said and grow", small_windows_are_said_and_grow},
    {"resizing keeps the place", resizing_keeps_the_place},
    {"any keys leave it alive", any_keys_leave_it_alive},
};

int main(int argc, char **argv) {
  program_set_up();
  be_greeted();
  int failed = check_main("program_screen", checks, LS_COUNT(checks), argc, argv);
  program_tear_down();
  return failed;
}
