// test_program_remote.c: lanescope with --runner 'ssh gpu01' and 'srun --gres=gpu:1', on scripts that behave as the real ones were
// seen to (remote/ssh, remote/srun); check_ssh.sh does the same with a real sshd.
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "program/program.h"
#include "program/screen.h"

#define STATS "lanescope stats reduce2 --device emu --runner "

static void says(const char *line, int status, const char *out, const char *err) {
  ProgramRun run;
  program_run(&run, line);
  bool right = run.status == status && program_matches(out, run.out) && program_matches(err, run.err);
  if (!right) printf("\n%s\n  status %d, expected %d\n  out: %.1500s\n  err: %s\n", line, run.status, status, run.out, run.err);
  CHECK(right);
  program_run_free(&run);
}

// ---- what works ------------------------------------------------------------------------------------------------------

static void banners_and_options_do_no_harm(void) {
  static const char *const runners[] = {
      "'ssh gpu01'", "'ssh -o \"ProxyCommand=nc -X 5 %h %p\" -p 2222 -C gpu01'", "'ssh gpu01 cd /tmp \\&\\& A=\"\\\"b c\\\"\" nice'",
      "'srun --gres=gpu:1'", "'srun --gres=gpu:1 -t 5'", "'ssh gpu01 PATH=$PATH exec srun'",
  };
  CHECK(chdir(program_directory()) == 0);
  for (int i = 0; i < LS_COUNT(runners); i++) {
    char *line = ls_format("%s%s", STATS, runners[i]);
    says(line, 0, "reduce2: *on emulator*answer: right*", "");
    free(line);
  }
  says("LANESCOPE_RUNNER='ssh gpu01' lanescope stats reduce2 --device cuda", 0, "*measured on NVIDIA H200 (fake)*", "");
  says("lanescope trace reduce2 --runner 'srun --gres=gpu:1' -o there.lst", 0, "", "there.lst: * steps of 4 of 4 blocks, *");
}

static const char doubling[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry twice(.param .u64 in, .param .u64 out)\n{\n"
    "  .reg .b32 %r<4>; .reg .b64 %rd<8>;\n  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"
    "  mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd1, %rd3; add.u64 %rd5, %rd2, %rd3;\n"
    "  ld.global.u32 %r2, [%rd4]; add.u32 %r3, %r2, %r2; st.global.u32 [%rd5], %r3; ret;\n}\n";

// The other machine has none of our files: its folder is another one, too.
static void files_travel(void) {
  static const char *const runners[] = {"ssh gpu01", "srun --gres=gpu:1"};
  uint32_t in[64];
  for (uint32_t i = 0; i < 64; i++) in[i] = 0x0a0d0a00u + i * i;   // line ends among them
  CHECK(ls_make_dirs("my files", NULL) && ls_file_write("my files/twice it.ptx", doubling, sizeof doubling - 1, NULL));
  CHECK(ls_file_write("my files/in put", in, sizeof in, NULL));
  for (int i = 0; i < LS_COUNT(runners); i++) {
    char *line = ls_format("lanescope stats 'my files/twice it.ptx' -b 64 -a 'u32[64]=file:my files/in put' "
                           "-a 'u32[64]=zero>my files/out put' --runner '%s'", runners[i]);
    says(line, 0, "*measured on NVIDIA H200 (fake)*", "");
    size_t size = 0;
    uint32_t *out = (uint32_t *)ls_file_read("my files/out put", 1 << 20, &size, NULL);
    CHECK(out && size == sizeof in);
    for (int k = 0; out && size == sizeof in && k < 64; k++) CHECK(out[k] == 2 * in[k]);
    remove("my files/out put");
    free(out);
    free(line);
  }
}

// ---- what does not -----------------------------------------------------------------------------------------------------

static void what_ssh_says_is_told_with_advice(void) {
  static const struct { const char *host, *says; } hosts[] = {
      {"nowhere", "*ended with status 255 before it answered*Could not resolve hostname nowhere*Try it by hand: ssh nowhere "
                  "lanescope --version*"},
      {"refusing", "*Connection refused*Try it by hand*"},
      {"unknown", "*Host key verification failed*Log in by hand once*"},
      {"locked", "*Permission denied (publickey,password)*Use a key and ssh-agent*"},
      {"bare", "*status 127*lanescope*not found*install it there*ssh bare env PATH=/its/folder*"},
      {"breaking", "*Connection to breaking closed*run the kernel again*"},
      {"swallowing", "*greeted, but did not begin within 3 s*startup files*"},
      {"-tt", "*Could not resolve hostname lanescope*"},
  };
  for (int i = 0; i < LS_COUNT(hosts); i++) {
    char *line = ls_format("%s'ssh %s' --time-limit 3", STATS, hosts[i].host);
    char *expected = ls_format("*lanescope: the runner 'ssh %s' %s", hosts[i].host, hosts[i].says);
    says(line, 3, "", expected);
    free(line);
    free(expected);
  }
}

static void what_srun_says_is_told_with_advice(void) {
  says(STATS "'srun --gres=gpu:9'", 3, "", "*Requested node configuration is not available*sinfo*");
  says(STATS "'srun --gres=tpu:1'", 3, "", "*Invalid generic resource*sinfo*");
  says(STATS "'srun -p none'", 3, "", "*Invalid partition name*sinfo*");
  says(STATS "'srun -n 2'", 2, "", "*more than one lanescope was started there (srun needs -n 1)*");
  says("touch jobs/limit; " STATS "'srun'; s=$?; rm jobs/limit; exit $s", 3, "", "*DUE TO TIME LIMIT*srun -t 30*");
}

// ---- on a terminal -------------------------------------------------------------------------------------------------------

static void gone_is(const char *path) {
  for (long long start = program_now_ms(); ls_file_exists(path) && program_now_ms() - start < 5000;) usleep(5000);
  CHECK(!ls_file_exists(path));
}

// ssh asks its questions on the terminal, whatever it reads from: none may appear between the lines of a screen.
static void nobody_asks_on_our_terminal(void) {
  static const char *const hosts[] = {"locked", "unknown"};
  static const char *const answers[] = {"Use a key and ssh-agent", "Log in by hand once"};
  for (int i = 0; i < LS_COUNT(hosts); i++) {
    char *line = ls_format("exec lanescope explore reduce2 --runner 'ssh %s'", hosts[i]);
    Screen *screen = screen_open(line, 120, 36);
    CHECK(screen_has(screen, answers[i]));
    CHECK(!strstr(ls_text_str(&screen->bytes), "password:") && !strstr(ls_text_str(&screen->bytes), "(yes/no"));
    screen_type(screen, "q");
    screen_end(screen);
    CHECK(screen_is_restored(screen));
    screen_close(screen);
    free(line);
  }
}

static void fill_queue(void) {
  CHECK(ls_make_dirs("jobs", NULL) && ls_file_write("jobs/full", "", 0, NULL));
}

static void a_queue_is_shown_and_left(void) {
  fill_queue();
  Screen *screen = screen_open("exec lanescope explore reduce2 --runner 'srun --gres=gpu:1' --time-limit 3", 120, 36);
  CHECK(screen_has(screen, "srun: job 12 queued and waiting for resources"));
  CHECK(ls_file_exists("jobs/12"));
  screen_type(screen, "q");
  screen_end(screen);
  CHECK(!ls_file_exists("jobs/12"));   // the program ends after its job
  screen_close(screen);
  screen = screen_open("exec lanescope explore reduce2 --runner 'srun --gres=gpu:1' --time-limit 3", 120, 36);
  CHECK(screen_has(screen, "srun: job 12 queued and waiting for resources"));
  CHECK(screen_has(screen, " 3.1 s"));   // longer than the time limit, which is not for queues
  remove("jobs/full");
  CHECK(screen_has(screen, "step 0 of"));
  screen_type(screen, "q");
  screen_end(screen);
  screen_close(screen);
  gone_is("jobs/12");
}

static void a_command_line_waits_as_well(void) {
  fill_queue();
  Screen *screen = screen_open("exec " STATS "'srun --gres=gpu:1'", 100, 24);
  CHECK(screen_has(screen, "connecting to the runner, 0 s: srun: job 12 queued and waiting for resources"));
  screen_type(screen, "\003");
  CHECK_INT(screen_end(screen), 130);
  CHECK(!ls_file_exists("jobs/12"));
  screen_close(screen);
  screen = screen_open("exec " STATS "'srun --gres=gpu:1'", 100, 50);
  CHECK(screen_has(screen, "job 12 queued"));
  remove("jobs/full");
  CHECK(screen_has(screen, "answer: right") && screen_lacks(screen, "connecting"));
  CHECK_INT(screen_end(screen), 0);
  screen_close(screen);
}

static const Check checks[] = {
    {"banners and options do no harm", banners_and_options_do_no_harm},
    {"files travel", files_travel},
    {"what ssh says is told with advice", what_ssh_says_is_told_with_advice},
    {"what srun says is told with advice", what_srun_says_is_told_with_advice},
    {"nobody asks on our terminal", nobody_asks_on_our_terminal},
    {"a queue is shown and left", a_queue_is_shown_and_left},
    {"a command line waits as well", a_command_line_waits_as_well},
};

int main(int argc, char **argv) {
  program_set_up();
  setenv("LANESCOPE_CUDA_LIBRARY", LS_FAKE_CUDA, 1);
  char *path = ls_format("%s/tests/unit/cli/remote:%s", LS_SOURCE_DIR, getenv("PATH"));
  setenv("PATH", path, 1);
  free(path);
  int failed = check_main("program_remote", checks, LS_COUNT(checks), argc, argv);
  program_tear_down();
  return failed;
}
