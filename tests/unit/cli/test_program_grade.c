// test_program_grade.c: `lanescope grade` as a teacher uses it, on a class that hands in anything. A script stands in
// for the compiler (grade/clang), so that it can hang, eat memory, flood and tell; its PTX is of exercise 01, map.
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "program/program.h"
#include "program/wellformed.h"

// An empty class c, and the script as the only compiler.
#define TOOLS "export LANESCOPE_COMPILER=clang PATH=$S/tests/unit/cli/grade:$PATH && "
#define FRESH TOOLS "chmod -R u+rwx c 2> /dev/null; rm -rf c && mkdir c && "
#define HAND_IN(student, text) "mkdir -p c/" student " && printf '" text "\\n' > c/" student "/map.cu && "
#define KERNEL "__global__ void scale(float *y, const float *x, float a) {}"
#define QUIET " 2> /dev/null"

static void check_run(const char *line, int status, const char *out, const char *err) {
  ProgramRun run;
  program_run(&run, line);
  bool fine = run.status == status && program_matches(out, run.out) && program_matches(err, run.err);
  if (!fine) printf("\n%s\n  status %d, expected %d\n  out: %s\n  err: %s\n", line, run.status, status, run.out,
                    run.err);
  CHECK(fine);
  program_run_free(&run);
}

// What grade --json says of a class of one; caller frees.
static char *one_json(const char *line) {
  ProgramRun run;
  program_run(&run, line);
  bool valid = run.out && json_is_valid(run.out);
  if (!valid) printf("\n%s\n  %s%s\n", line, run.out, run.err);
  CHECK(valid);
  char *text = valid ? ls_strdup(run.out) : NULL;
  program_run_free(&run);
  return text;
}

static void check_failure(const char *line, const char *how, const char *message) {
  char *text = one_json(line);
  const char *said = text ? json_at(text, "rows.0.failure.message") : NULL;
  bool fine = text && json_is_string(text, "rows.0.failure.how", how) && said && program_matches(message, said);
  if (!fine) printf("\n%s\n  %s\n", line, text ? text : "");
  CHECK(fine);
  free(text);
}

static bool isolates(void) {
  ProgramRun run;
  program_run(&run, "lanescope doctor");
  bool yes = run.out && strstr(run.out, "without network") != NULL;
  program_run_free(&run);
  return yes;
}

// ---- a class -------------------------------------------------------------------------------------------------------

static void a_class_is_graded(void) {
  check_run(FRESH HAND_IN("ann", "// do right\\n" KERNEL) HAND_IN("bob", "// do wrong\\n" KERNEL)
            HAND_IN("eve", "#include \"/etc/passwd\"") "cp c/ann/map.cu c/dan.cu && mkdir c/fay && "
            "lanescope grade c --seed 7 --jobs 3", 1,
            "student  exercise  cases     verdict\n"
            "ann      map       6 of 6    passed\n"
            "bob      map       1 of 6    result     y[64] *\n"
            "dan      map       6 of 6    passed\n"
            "eve      map       -         refused    line 1: #include is for headers of CUDA, *\n"
            "fay                -         refused    There is no .cu file.\n"
            "\n2 of 5 passed; seed 7\n", "*judging 5 files, 3 at a time, seed 7\n*");
}

static void all_who_pass_give_zero(void) {
  check_run(FRESH HAND_IN("ann", KERNEL) "lanescope grade c", 0, "*ann      map       6 of 6    passed\n*", "*");
}

static void json_has_all(void) {
  char *text = one_json(FRESH HAND_IN("ann", KERNEL) HAND_IN("bob", "// do wrong\\n" KERNEL)
                        "lanescope grade c --json --seed 7" QUIET);
  if (!text) return;
  CHECK(json_number(text, "seed") == 7 && json_number(text, "files") == 2 && json_number(text, "passed") == 1);
  CHECK(json_is_string(text, "rows.1.student", "bob") && json_is_string(text, "rows.1.file", "c/bob/map.cu"));
  CHECK(json_is_string(text, "rows.1.failure.how", "result") && json_kind(text, "rows.1.failure.says") == 's');
  CHECK(json_number(text, "rows.1.cases") == 6 && json_kind(text, "rows.0.failure") == '-');
  free(text);
}

// RFC 4180, and no cell that a spreadsheet computes.
static void csv_is_for_spreadsheets(void) {
  check_run(FRESH "mkdir 'c/=1+1' 'c/a\"b,c' && printf '" KERNEL "' | tee 'c/=1+1/map.cu' > 'c/a\"b,c/map.cu' && "
            "lanescope grade c --csv --seed 3" QUIET, 0,
            "student,exercise,passed,cases,failed by,message,score,seconds,file,seed\r\n"
            "\"'=1+1\",\"map\",1,6/6,\"\",\"\",,*,\"c/=1+1/map.cu\",3\r\n"
            "\"a\"\"b,c\",\"map\",1,6/6,\"\",\"\",,*,\"c/a\"\"b,c/map.cu\",3\r\n", "");
}

// Rows in their order, and the same data for all, however many are judged at a time.
static void order_and_data_are_the_same(void) {
  check_run(FRESH "for i in 1 2 3 4 5 6 7; do mkdir c/s$i && printf '// do wrong\\n" KERNEL "' > c/s$i/map.cu; done && "
            "for j in 1 4; do lanescope grade c --seed 11 --jobs $j > $j" QUIET "; done; cmp 1 4 && "
            "grep -o 'y.64. .*expected [-0-9.]*' 1 | sort | uniq -c | wc -l", 0, "1\n", "");
}

static void the_exercise_is_found(void) {
  check_run(FRESH "printf '" KERNEL "' > c/17.cu && printf '__global__ void __launch_bounds__(64)\\n transpose "
            "(float *a) {}' > c/t.cu && "
            "printf 'int a;' > c/u.cu && printf '" KERNEL "' > c/guard.cu && lanescope grade c" QUIET, 1,
            "*\n17       map       6 of 6    passed\nc        guard *\nt                  -         refused    It "
                "may be of several "
            "exercises (transpose, swizzle)*\nu                  -         refused    It has no kernel of an "
                "exercise*", "");
  check_run(TOOLS "lanescope grade c --exercise map" QUIET, 0, "*17       map       6 of 6    passed\nt        map   "
            "    6 of 6    passed\nu        map *", "");
}

// ---- what is no source ---------------------------------------------------------------------------------------------

static void odd_files_have_a_line(void) {
  check_run(FRESH "mkdir c/bin c/dir c/dir/map.cu c/fifo c/link c/line c/nl c/sparse && ln -s /etc/passwd "
            "c/link/map.cu && "
            "mkfifo c/fifo/map.cu && truncate -s 10G c/sparse/map.cu && printf 'a\\0b' > c/bin/map.cu && ln -s .. "
                "c/up && "
            "printf '" KERNEL "' > 'c/line/map.cu' && mv c/line 'c/li\nne' && printf '\\377\\376" KERNEL "' > "
                "c/nl/map.cu && "
            "lanescope grade c --json" QUIET " > got; status=$?; cat got; exit $status", 1,
            "{\"seed\": *, \"files\": 8, \"passed\": 2, *\"student\": \"bin\"*zero bytes*\"student\": \"dir\"*is a "
                "folder*"
            "\"student\": \"fifo\"*is a pipe*\"student\": \"li\\nne\"*\"passed\": true*\"student\": \"link\"*is a link*"
            "\"student\": \"nl\"*\"passed\": true*\"student\": \"sparse\"*10737418240 bytes*\"student\": \"up\"*is a "
                "link*", "");
  check_run(TOOLS "lanescope grade c" QUIET, 1, "*\nli\\nne *6 of 6    passed\n*", "");
}

// Root may read anything: then there is nothing to see.
static void folders_without_rights_have_a_line(void) {
  if (geteuid() == 0) return;
  check_run(FRESH HAND_IN("ann", KERNEL) HAND_IN("bob", KERNEL) "chmod 0 c/bob && lanescope grade c; status=$?; "
            "chmod 700 c/bob; "
            "exit $status", 1, "*ann *passed\nbob *The folder cannot be read: Permission denied*", "*");
}

static void many_files_are_cut(void) {
  check_run(FRESH "mkdir c/ann && for i in $(seq 0 205); do echo 'int a;' > c/ann/f$i.cu; done && lanescope grade c | "
            "tail -3", 0, "*There are more than 200 files*\n\n0 of 201 passed; seed *\n", "*");
}

// ---- what a compiler does ------------------------------------------------------------------------------------------

// A number in the hang of the script: no other process sleeps so.
static int sleepers(void) {
  ProgramRun run;
  program_run(&run, "ps -e -o args= | grep -c '[s]leep 31.4159'");
  int count = run.out ? atoi(run.out) : -1;
  program_run_free(&run);
  return count;
}

static void a_compiler_that_hangs_is_ended(void) {
  check_failure(FRESH HAND_IN("ann", "// do hang\\n" KERNEL) "rm -rf tmp && mkdir tmp && TMPDIR=$PWD/tmp "
                "lanescope grade c --json --time 1" QUIET, "late", "\"Judging took longer than 1 s and was ended.*");
  if (isolates()) CHECK_INT(sleepers(), 0);
  check_run("ls tmp | wc -l", 0, "0\n", "");
}

// Address sanitizer's shadow is address space, too, so the bound is not there (device/sandbox.c).
static void a_compiler_that_eats_memory_is_bounded(void) {
#if defined(__SANITIZE_ADDRESS__)
  return;
#endif
  check_failure(FRESH HAND_IN("ann", "// do eat\\n" KERNEL) "lanescope grade c --json --memory 512" QUIET, "compile",
                "\"map.cu:1:1: error: out of memory\"*");
}

static void a_compiler_writes_no_large_files(void) {
  check_failure(FRESH HAND_IN("ann", "// do write\\n" KERNEL) "lanescope grade c --json" QUIET, "compile",
                "\"map.cu:1:1: error: wrote 64 MB\"*");
}

// Six lines at the most, and none of other files; nothing of whoever grades is in the environment.
static void a_compiler_tells_little(void) {
  char *text = one_json(FRESH HAND_IN("ann", "// do flood\\n" KERNEL) "lanescope grade c --json" QUIET);
  const char *said = text ? json_at(text, "rows.0.failure.message") : NULL;
  int lines = 0;
  for (const char *p = said; p && (p = strstr(p, "flood")); p++) lines++;
  CHECK_INT(lines, 6);
  free(text);
  text = one_json(FRESH HAND_IN("ann", "// do tell\\n" KERNEL) "SECRET=918273 lanescope grade c --json --seed 918273"
                  QUIET);
  CHECK(text && !strstr(text, "root:x") && strstr(text, "error: home /") && !strstr(json_at(text, "rows"), "918273"));
  CHECK(text && getenv("HOME") && !strstr(text, getenv("HOME")));
  free(text);
}

static void there_is_no_network(void) {
  if (!isolates()) return;
  check_failure(FRESH HAND_IN("ann", "// do net\\n" KERNEL) "lanescope grade c --json" QUIET, "compile",
                "\"map.cu:1:1: error: interfaces 1\"*");
}

static void nothing_stays_behind(void) {
  check_run(FRESH HAND_IN("ann", "// do fork\\n" KERNEL) HAND_IN("bob", "// do crash\\n" KERNEL) "lanescope grade c"
            QUIET, 1,
            "*ann      map       6 of 6    passed\nbob      map       0 of 6    compile *", "");
  if (isolates()) CHECK_INT(sleepers(), 0);
}

// One that hangs holds up nobody else.
static void the_others_go_on(void) {
  check_run(FRESH HAND_IN("ann", "// do hang\\n" KERNEL) HAND_IN("bob", KERNEL) HAND_IN("cem", KERNEL)
            "lanescope grade c --time 3 --jobs 2" QUIET, 1,
            "*ann      map       -         late *\nbob      map       6 of 6    passed\ncem      map       6 of 6    "
                "passed\n*", "");
}

// ---- the grader ----------------------------------------------------------------------------------------------------

static void bad_requests_are_two(void) {
  check_run("lanescope grade", 2, "", "lanescope: grade needs the folder of a class; *");
  check_run(FRESH "lanescope grade nowhere", 2, "", "*lanescope: cannot read the folder nowhere: *");
  check_run(FRESH "lanescope grade c", 2, "", "*lanescope: there is nothing to judge: *");
  check_run(FRESH "lanescope grade c --exercise mapp", 2, "", "*there is no exercise 'mapp'*Did you mean map?\n");
  check_run(FRESH "lanescope grade c --csv --json", 2, "", "lanescope: --csv and --json are two forms: choose one\n");
  check_run(FRESH "lanescope grade c --memory 1", 2, "", "lanescope: --memory takes a whole number from 256 to *");
  check_run("lanescope serve-judge < /dev/null", 2, "", "lanescope: the input ended before there was a whole "
            "request\n");
}

static void without_a_compiler_it_is_three(void) {
  check_run("rm -rf c && mkdir -p c/ann && echo > c/ann/map.cu && L=$(command -v lanescope) && "
            "PATH=/none LANESCOPE_COMPILER=clang $L grade c", 3, "", "lanescope: no CUDA compiler is here*");
}

static void a_runner_leads_elsewhere(void) {
  check_run(FRESH HAND_IN("ann", KERNEL) "lanescope grade c --runner 'echo welcome; nice -n 5'" QUIET, 0,
            "*ann      map       6 of 6    passed\n*", "");
  check_run(FRESH HAND_IN("ann", KERNEL) "lanescope grade c --runner 'echo no such host >&2; exit 255;'" QUIET, 1,
            "*ann      map       -         broken     The judging process ended with status 255*", "");
}

static void a_signal_prints_what_is_done(void) {
  check_run(FRESH HAND_IN("ann", KERNEL) HAND_IN("bob", "// do hang\\n" KERNEL) "rm -f log; "
            "lanescope grade c --jobs 1 > out 2> log & pid=$!; n=0; "
            "until ps -e -o args= | grep -q '[s]leep 31.4159' || [ $((n += 1)) -gt 600 ]; do sleep 0.05; done; "
            "kill -TERM $pid; wait $pid; echo $?; cat out", 0,
            "143\nstudent *\nann      map       6 of 6    passed\nbob      map       -         interrupted\n\n1 of 2 "
                "passed*", "*");
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"a class is graded", a_class_is_graded},
      {"all who pass give 0", all_who_pass_give_zero},
      {"JSON has all", json_has_all},
      {"CSV is for spreadsheets", csv_is_for_spreadsheets},
      {"order and data are the same", order_and_data_are_the_same},
      {"the exercise is found", the_exercise_is_found},
      {"odd files have a line", odd_files_have_a_line},
      {"folders without rights have a line", folders_without_rights_have_a_line},
      {"many files are cut", many_files_are_cut},
      {"a compiler that hangs is ended", a_compiler_that_hangs_is_ended},
      {"a compiler that eats memory is bounded", a_compiler_that_eats_memory_is_bounded},
      {"a compiler writes no large files", a_compiler_writes_no_large_files},
      {"a compiler tells little", a_compiler_tells_little},
      {"there is no network", there_is_no_network},
      {"nothing stays behind", nothing_stays_behind},
      {"the others go on", the_others_go_on},
      {"bad requests are 2", bad_requests_are_two},
      {"without a compiler it is 3", without_a_compiler_it_is_three},
      {"a runner leads elsewhere", a_runner_leads_elsewhere},
      {"a signal prints what is done", a_signal_prints_what_is_done},
  };
  program_set_up();
  int result = check_main("program grade", checks, LS_COUNT(checks), argc, argv);
  program_tear_down();
  return result;
}
