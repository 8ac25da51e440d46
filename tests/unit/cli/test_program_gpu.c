// test_program_gpu.c: lanescope with --device cuda from the command line to the counters, on a driver without a GPU
// (fake_cuda/).
//
// All of it is real but the driver: the child, the protocol, the instrumented kernel, what it tells. So what it
// counts has to be
// what the emulator counts.
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"
#include "program/program.h"
#include "program/wellformed.h"

static void says(const char *line, int status, const char *out, const char *err) {
  ProgramRun run;
  program_run(&run, line);
  bool right = run.status == status && (!out || program_matches(out, run.out)) && program_matches(err, run.err);
  if (!right) printf("\n%s\n  status %d, expected %d\n  out: %.1500s\n  err: %s\n", line, run.status, status, run.out,
                     run.err);
  CHECK(right);
  program_run_free(&run);
}

// The object "counters" of the whole kernel, up to the lines.
static char *counters_of(const char *line) {
  ProgramRun run;
  program_run(&run, line);
  const char *start = strstr(run.out, "\"counters\": {"), *end = strstr(run.out, ", \"lines\"");
  char *counters = start && end ? ls_strndup(start, (size_t)(end - start)) : NULL;
  if (!counters || !strstr(run.out, "\"answer\": \"right\"")) printf("\n%s: %.300s%s\n", line, run.out, run.err);
  CHECK(counters && strstr(run.out, "\"answer\": \"right\""));
  program_run_free(&run);
  return counters;
}

static void a_gpu_counts_what_the_emulator_counts(void) {
  static const char *const kernels[] = {
      "reduce2", "histogram", "transpose_32x32", "matmul_tiled", "warp_reduce --code written", "scan4",
          "diverge_nested", "vote_match",
  };
  for (int i = 0; i < LS_COUNT(kernels); i++) {
    char *line = ls_format("lanescope stats --json %s", kernels[i]);
    char *on_gpu = ls_format("%s --device cuda", line), *elsewhere = ls_format("%s --runner 'echo Welcome; env'", line);
    char *emulated = counters_of(line), *measured = counters_of(on_gpu), *borrowed = counters_of(elsewhere);
    CHECK_STR(measured, emulated);
    CHECK_STR(borrowed, emulated);
    free(emulated), free(measured), free(borrowed);
    free(line), free(on_gpu), free(elsewhere);
  }
}

static void a_run_says_where_it_ran(void) {
  says("lanescope stats reduce2 --device cuda", 0,
       "reduce2: kernel reduce2, as compiled, measured on NVIDIA H200 (fake), * the median of *", "");
  says("LANESCOPE_RUNNER='touch gone-there;' lanescope stats reduce2 --device cuda && rm gone-there", 0,
       "*measured on*", "");
  says("LANESCOPE_RUNNER='touch gone-there;' lanescope stats reduce2 && test ! -e gone-there", 0, "*on emulator*", "");
  says("lanescope trace reduce2 --device cuda -o gpu.lst", 0, NULL, "gpu.lst: 3540 steps of 4 of 4 blocks, *");
  says("lanescope trace vec_add --form floor --device cuda -o floor.lst", 1, NULL,
       // which stopped nothing
       "floor.lst: 528 steps of 3 of 3 blocks, * bytes\nlanescope: warning never_written: *");
  says("lanescope play --plain gpu.lst", 0, "*measured on NVIDIA H200 (fake)*", "");
  says("lanescope stats reduce2 --runner env --device emu", 0, "*on emulator*", "");
  says("lanescope stats vec_add --device cuda", 0,
       "*time and resources, measured\n  time *\n  most of that is the launch; --timing measures it with form=right n=16777216 threads=256\n*", "");
}

// The events that Perfetto reads: each slice is on a track that has a name, and no SM is named that ran nothing.
static void a_timeline_has_names_and_times(void) {
  ProgramRun run;
  char path[64];
  program_run(&run, "lanescope export vec_add --device cuda --format chrome");
  CHECK(run.status == 0 && json_is_valid(run.out));
  int count = json_count(run.out, "traceEvents"), sms = 0, blocks = 0;
  for (int i = 0; i < count; i++) {
    snprintf(path, sizeof path, "traceEvents.%d.pid", i);
    double pid = json_number(run.out, path);
    snprintf(path, sizeof path, "traceEvents.%d.ph", i);
    bool slice = json_is_string(run.out, path, "X");
    snprintf(path, sizeof path, "traceEvents.%d.name", i);
    sms += json_is_string(run.out, path, "process_name") && pid < 1000000;
    blocks += slice && pid < 1000000;
    snprintf(path, sizeof path, "traceEvents.%d.dur", i);
    CHECK(!slice || json_number(run.out, path) > 0);
  }
  CHECK_INT(blocks, 4);
  CHECK(sms > 0 && sms <= blocks);
  program_run_free(&run);
}

typedef struct Lack { const char *variable, *says; } Lack;
static const Lack lacks[] = {
    {"LANESCOPE_CUDA_LIBRARY=/nowhere/libcuda.so", "lanescope: *driver*--device emu*"},
    {"FAKE_CUDA_DEVICES=0", "lanescope: the NVIDIA driver, CUDA 13.0, shows no GPU\n"},
    {"FAKE_CUDA_CC=61", "lanescope: NVIDIA H200 (fake) has compute capability 6.1; *--device emu\n"},
    {"FAKE_CUDA_MODE=2", "lanescope: NVIDIA H200 (fake) is in compute mode Prohibited*"},
};

static void what_is_lacking_is_said(void) {
  for (int i = 0; i < LS_COUNT(lacks); i++) {
    char *line = ls_format("env %s lanescope stats reduce2 --device cuda", lacks[i].variable);
    char *elsewhere = ls_format("env %s lanescope stats reduce2 --runner env", lacks[i].variable);
    char *twice = ls_format("%sSo says the runner 'env'.\n", lacks[i].says);
    says(line, 3, "", lacks[i].says);
    says(elsewhere, 3, "", twice);
    free(line), free(elsewhere), free(twice);
  }
}

// A driver that fails at any of its calls is a message, never more than that.
static void any_call_may_fail(void) {
  int failed = 0;
  for (int call = 1; call <= 70; call += 3) {
    ProgramRun run;
    char *line = ls_format("FAKE_CUDA_FAIL_AT=%d lanescope stats reduce2 --device cuda", call);
    program_run(&run, line);
    bool told = run.status == 3 && ls_starts_with(run.err, "lanescope: ") && strlen(run.err) > 20;
    if (!told && run.status != 0) printf("\n%s: %d\n%s\n", line, run.status, run.err);
    CHECK(told || run.status == 0);
    failed += told;
    program_run_free(&run);
    free(line);
  }
  CHECK(failed > 10);
}

// What was not traced leaves no file behind that looks like a trace.
static void a_run_that_failed_leaves_no_trace(void) {
  says("lanescope trace reduce2 --runner 'sh -c \"exit 3\" --' -o none.lst", 3, "", "lanescope: *");
  says("test ! -e none.lst", 0, "", "");
  says("FAKE_CUDA_FAIL_AT=60 lanescope trace reduce2 --device cuda -o none.lst", 3, "", "lanescope: *");
  says("test ! -e none.lst", 0, "", "");
}

// An option that the device does not heed is refused, whatever else is wrong.
static void options_that_mean_nothing_are_refused(void) {
  static const char *const of_emulator[] = {"sched stack", "seed 3", "threads 2", "budget 1000", "check none",
                                            "profile v100"};
  static const char *const not_of_recordings[] = {"blocks 0", "events 100", "time-limit 5", "seed 3"};
  for (int i = 0; i < LS_COUNT(of_emulator); i++) {
    char *line = ls_format("lanescope stats reduce2 --%s --device cuda", of_emulator[i]);
    char *far = ls_format("lanescope stats reduce2 --%s --runner env", of_emulator[i]);
    char *there = ls_format("lanescope stats reduce2 --%s --runner env --device emu --time-limit 30", of_emulator[i]);
    char *words = ls_format("lanescope: --%.*s means nothing on a GPU: *\n", (int)strcspn(of_emulator[i], " "),
                            of_emulator[i]);
    says(line, 2, "", words);
    says(far, 2, "", words);
    says(there, i == 3, NULL, "*");   // 1000 instructions are too few
    free(line), free(far), free(there), free(words);
  }
  for (int i = 0; i < LS_COUNT(not_of_recordings); i++) {
    char *line = ls_format("lanescope explore reduce2 --%s --device recorded", not_of_recordings[i]);
    says(line, 2, "", "lanescope: --* means nothing with --device recorded: a recording is as it was made\n");
    free(line);
  }
  says("lanescope stats reduce2 --code written --blocks 0 --events 100 --time-limit 30 --device cuda", 0,
       "*as written, measured*",
       "");
}

// Nothing is said of more than a memory can give without a word about it.
static void a_loop_that_waits_makes_no_rate(void) {
  says("lanescope stats warp_lock --device cuda", 0,
       "*effective bandwidth * not known  between * and * GB/s: the loop at warp_lock.cu:* waits for other threads*",
           "");
  says("lanescope stats warp_lock --device cuda --code written", 0,
       "*effective bandwidth * not known  between *: the loop at warp_lock.cu:9 waits*", "");
  says("lanescope stats warp_lock --device cuda --json", 0,
       "*\"waiting_bytes\": *, *\"gbs\": null, \"least_gbs\": *, \"most_gbs\": *\"of_bandwidth\": null*", "");
  says("lanescope stats reduce2 --device cuda --json", 0, "*\"waiting_bytes\": 0, *\"gbs\": 8.*", "");
}

// A GPU that no table has, and what was made for it: on another machine the same numbers.
static void a_profile_goes_with_its_trace(void) {
#define ODD "FAKE_CUDA_NAME='NVIDIA Odd' FAKE_CUDA_CC=89 "
  says(ODD "lanescope trace reduce2 --device cuda -o odd.lst", 0, NULL, "odd.lst: *");
  says(ODD "lanescope trace reduce2 --profile gpu -o emulated.lst", 0, NULL, "emulated.lst: *");
  says("LANESCOPE_CUDA_LIBRARY=/none lanescope stats odd.lst", 0, "*\n  occupancy * warps of an SM*", "");
  says("LANESCOPE_CUDA_LIBRARY=/none lanescope export emulated.lst --view waves", 0, "*4 blocks on 132 SMs, *", "");
  says("LANESCOPE_CUDA_LIBRARY=/none lanescope export emulated.lst", 0, "*emulator · its · Odd*", "");
#undef ODD
}

static const char trapping[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry stops(.param .u64 x)\n{\n  trap;\n  ret;\n}\n";

static void a_kernel_that_faults_costs_only_itself(void) {
  CHECK(ls_file_write("stops.ptx", trapping, sizeof trapping - 1, NULL));
  says("lanescope stats stops.ptx -b 32 -a 'u32[1]=zero' --device cuda", 1,
       "*fault trap: thread (0,0,0) of block (0,0,0): *; line 6 *", "*");
}

// What a GPU's run of a kernel that faults leaves is a trace up to there, and the fault is a step of it.
static void a_fault_is_a_step(void) {
#define SHIFTED "$S/tests/bench/vecadd.ptx -g 4 -b 256 -a 'f32[1024]=iota' -a 'f32[1024]=iota' -a 'f32[1000]=zero' -a i32=1024 --device cuda"
  says("lanescope trace " SHIFTED " -o fault.lst", 1, NULL,
       "fault.lst: * steps of 4 of 4 blocks, *\nfault.lst: the GPU stopped the kernel at a fault, * steps on: counters are of "
       "what *\nlanescope: out_of_bounds: thread (232,0,0) of block (3,0,0) writes 4 bytes at *just past the end of *");
  says("lanescope play --plain fault.lst", 1,
       "*\nthe GPU stopped the kernel at a fault, *, block 3, warp 7: thread (232,0,0) of block (3,0,0) writes *", "");
  says("lanescope export fault.lst --at fault", 0,
       "*block 3 * warp 7 * step 703 of 704 *Thread (232,0,0) of block (3,0,0) writes*",
       "");
  says("lanescope stats " SHIFTED, 1,
       "*\nthe GPU stopped the kernel at a fault: counters are of what it had done until then\n*fault out_of_bounds: *", "");
  says("lanescope stats " SHIFTED " --json", 1,
       "*\"kind\": \"out_of_bounds\", *\"line\": *\"block\": 3, \"thread\": 232,*", "");
#undef SHIFTED
}

// ---- programs of many launches
// ---------------------------------------------------------------------------------------

#define PIPELINE "lanescope stats --json " LS_SOURCE_DIR "/tests/gpu/programs/pipeline.lua -p "

// From "results" to "answer": the sums of all buffers.
static char *results_of(const char *line) {
  ProgramRun run;
  program_run(&run, line);
  const char *start = strstr(run.out, "\"results\": ["), *end = start ? strchr(start, ']') : NULL;
  char *results = end && strstr(run.out, "\"answer\": \"right\"") ? ls_strndup(start, (size_t)(end - start)) : NULL;
  if (!results) printf("\n%s: %.300s%s\n", line, run.out, run.err);
  program_run_free(&run);
  return results;
}

// Also behind a runner, with a function of the host in the middle.
static void a_program_leaves_what_it_leaves_on_the_emulator(void) {
  static const char *const lines[] = {
      PIPELINE "way=two_streams", PIPELINE "way=kernels", PIPELINE "way=event", PIPELINE "way=event -p host=pageable",
      "lanescope stats --json sums -p version=0", "lanescope stats --json sums -p version=4 -p N=10000",
  };
  for (int i = 0; i < LS_COUNT(lines); i++) {
    char *on_gpu = ls_format("%s --device cuda", lines[i]), *elsewhere = ls_format("%s --runner 'echo Welcome; env'",
                                                                                   lines[i]);
    char *emulated = results_of(lines[i]), *measured = results_of(on_gpu), *borrowed = results_of(elsewhere);
    CHECK_STR(measured, emulated);
    CHECK_STR(borrowed, emulated);
    free(emulated), free(measured), free(borrowed);
    free(on_gpu), free(elsewhere);
  }
}

static void a_program_has_measured_times(void) {
  ProgramRun run;
  char path[64];
  setenv("FAKE_CUDA_KERNEL_NS", "5000000", 1);
  program_run(&run, PIPELINE "way=two_streams --device cuda");
  unsetenv("FAKE_CUDA_KERNEL_NS");
  CHECK(run.status == 0 && json_is_valid(run.out));
  CHECK(json_is_string(run.out, "numbers", "measured") && json_is_string(run.out, "measured.device_name",
                                                                         "NVIDIA H200 (fake)"));
  CHECK(json_number(run.out, "measured.differing_bytes") == 0 && json_number(run.out, "measured.runs") >= 1);
  double whole = json_number(run.out, "measured.median_ns");
  CHECK(whole >= 10e6 && whole < 200e6);   // two kernels behind one another in each stream, the streams side by side
  CHECK_INT(json_count(run.out, "steps"), 14);
  for (int i = 0; i < 14; i++) {
    snprintf(path, sizeof path, "steps.%d.time", i);
    CHECK(json_is_string(run.out, path, "measured"));
    snprintf(path, sizeof path, "steps.%d.begin_ns", i);
    double begin = json_number(run.out, path);
    snprintf(path, sizeof path, "steps.%d.end_ns", i);
    CHECK(begin >= 0 && json_number(run.out, path) >= begin && json_number(run.out, path) <= whole + 1);
  }
  double first_ends = json_number(run.out, "steps.1.end_ns"), second_begins = json_number(run.out, "steps.4.begin_ns");
  CHECK(second_begins < first_ends);
  program_run_free(&run);
  says("lanescope stats sums --device cuda", 0,
       "*measured\n*all of it in *, measured on NVIDIA H200 (fake), driver CUDA 13.0, *: the median of *", "");
}

// All launches, and the whole in the end.
static void a_program_has_one_process(void) {
  says("lanescope stats sums -p version=0 --runner 'echo x >> starts; env' && test $(wc -l < starts) = 1 && rm starts",
       0,
       "*12 launches*answer: right*", "");
}

// Buffers stay where they are from launch to launch: 17 requests, and 256 KB of numbers once.
static void buffers_stay_from_launch_to_launch(void) {
  static const double MOST = 500e3;
  char *line = ls_strdup("lanescope stats --json sums -p version=0 -p N=65536");
  char *on_gpu = ls_format("%s --runner 'tee sent | env' && test $(wc -c < sent) -le %.0f && rm sent", line, MOST);
  char *emulated = results_of(line), *measured = results_of(on_gpu);
  CHECK_STR(measured, emulated);
  CHECK(access("sent", F_OK) != 0);
  free(line), free(on_gpu), free(emulated), free(measured);
}

// Kernels that launch kernels: what they leave, and the events of one that launches itself, whose children run the same
// code.
static void children_run_on_the_gpu(void) {
#define FAMILY LS_SOURCE_DIR "/tests/runs/programs/family.lua -p what="
  static const char *const whats[] = {
      FAMILY "tails", FAMILY "tail_of_tail", FAMILY "made_before", FAMILY "copies", FAMILY "counted",
      FAMILY "deep -p n=20", FAMILY "counted --code written", "quicksort_tree --code written", "quicksort_tree",
  };
  CHECK(ls_file_write("devrt.a", "!<arch>\n", 8, NULL));
  setenv("LANESCOPE_CUDADEVRT", "devrt.a", 1);
  for (int i = 0; i < LS_COUNT(whats); i++) {
    char *line = ls_format("lanescope stats --json %s", whats[i]);
    char *on_gpu = ls_format("%s --%s", line, i % 2 ? "device cuda" : "runner env");
    char *emulated = results_of(line), *measured = results_of(on_gpu);
    CHECK_STR(measured, emulated);
    free(emulated), free(measured), free(line), free(on_gpu);
  }
  says("lanescope stats quicksort_tree --device cuda", 0, "*launches in device code ran on the GPU: *answer: right*",
       "");
#define COUNTED FAMILY "counted -p n=3 --launch 1 --blocks all "
  says("lanescope trace " COUNTED "-o family_emu.lst && lanescope trace " COUNTED "--device cuda -o family_gpu.lst", 0,
       "*", "*");
  // But for the memory that the parameters of launches go to, which is the device runtime's.
  says("for d in emu gpu; do lanescope play --plain family_$d.lst | tail -n +2 > all; "
       "grep -v 'parameters of launches\\|global address' all > $d.txt; done; "
       "cmp emu.txt gpu.txt && grep -c 'step .*block 0' gpu.txt", 0, "4*", "");
#undef COUNTED
#undef FAMILY
  says("LANESCOPE_CUDADEVRT=none.a lanescope stats quicksort_tree --device cuda", 3, "",
       "lanescope: launch 1 of 1: none.a, which LANESCOPE_CUDADEVRT names, is not there\n");
  unsetenv("LANESCOPE_CUDADEVRT");
}

static void a_program_that_cannot_run_is_told(void) {
  says("lanescope stats sums -p version=0 --against cuda", 0,
       "sums (*): the emulator and the NVIDIA GPU leave the same, *", "");
  says("lanescope stats sums --against cuda --json", 0, "{\"kernel\": \"sums\", \"same\": true, \"launches\": 2}*", "");
  says("lanescope stats vec_add --against cuda", 2, "", "lanescope: --against compares programs that are run: *");
  says("FAKE_CUDA_DEVICES=0 lanescope stats sums --device cuda", 3, "", "*shows no GPU*");
  says("FAKE_CUDA_MEMORY=50000000 lanescope stats sums -p N=16777216 --device cuda", 2, "",
       "lanescope: *launch 1 of 2: *0.050 GB*");
  says("lanescope stats sums --runner false --device cuda", 3, "",
       "lanescope: *launch 1 of 2: the runner 'false' ended with status 1 before it answered*");
}

static void waves_are_of_a_run_without_records(void) {
  says("lanescope trace gputiled --device cuda -o waves.lst && lanescope export waves.lst --view waves", 0,
       "── waves · measured ──*", "*");
  says("lanescope stats waves.lst", 0, "*\n  waves  *of 132 SMs with * block* each, * µs; slots used *", "");
  says("lanescope stats waves.lst --json", 0, "*\"stamped_ns\": *", "");
}

static const Check checks[] = {
    {"a program leaves what it leaves on the emulator", a_program_leaves_what_it_leaves_on_the_emulator},
    {"buffers stay from launch to launch", buffers_stay_from_launch_to_launch},
    {"children run on the GPU", children_run_on_the_gpu},
    {"a program has measured times", a_program_has_measured_times},
    {"a program has one process", a_program_has_one_process},
    {"a program that cannot run is told", a_program_that_cannot_run_is_told},
    {"a timeline has names and times", a_timeline_has_names_and_times},
    {"a GPU counts what the emulator counts", a_gpu_counts_what_the_emulator_counts},
    {"waves are of a run without records", waves_are_of_a_run_without_records},
    {"a run says where it ran", a_run_says_where_it_ran},
    {"what is lacking is said", what_is_lacking_is_said},
    {"any call may fail", any_call_may_fail},
    {"a run that failed leaves no trace", a_run_that_failed_leaves_no_trace},
    {"options that mean nothing are refused", options_that_mean_nothing_are_refused},
    {"a kernel that faults costs only itself", a_kernel_that_faults_costs_only_itself},
    {"a loop that waits makes no rate", a_loop_that_waits_makes_no_rate},
    {"a profile goes with its trace", a_profile_goes_with_its_trace},
    {"a fault is a step", a_fault_is_a_step},
};

int main(int argc, char **argv) {
  program_set_up();
  setenv("LANESCOPE_CUDA_LIBRARY", LS_FAKE_CUDA, 1);
  int failed = check_main("program_gpu", checks, LS_COUNT(checks), argc, argv);
  program_tear_down();
  return failed;
}
