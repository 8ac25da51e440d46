// cmd_trace.c: lanescope trace: run and save the trace.
#include <inttypes.h>

#include "cli/cli.h"
#include "cli/plain.h"
#include "cli/program_text.h"
#include "cli/wait.h"

// What was recorded, of one launch or of several.
typedef struct Recorded { uint64_t steps, blocks, all; } Recorded;

static void add_recorded(Recorded *sum, const Trace *trace) {
  int blocks;
  trace_blocks(trace, &blocks);
  sum->steps += trace_steps(trace);
  sum->blocks += (uint64_t)blocks;
  sum->all += launch_blocks(&trace_info(trace)->launch);
}

// All launches of a program, and what was found of it.
static int tell_program(const Cli *cli, Run *run) {
  int others;
  Recorded sum = {0};
  const ProgramRun *whole = run->whole;
  const TraceLaunch *launches = trace_launches(run->trace, &others);
  add_recorded(&sum, run->trace);
  for (int i = 0; i < others; i++) {
    Trace *launch = trace_open_launch(run->trace, launches[i].number, NULL);
    if (launch) add_recorded(&sum, launch);
    trace_close(launch);
  }
  plain_print(stderr, "%s: %" PRIu64 " steps of %" PRIu64 " of %" PRIu64 " blocks, %d of %d launches, %zu bytes\n",
              cli->value[OPT_ID_OUTPUT], sum.steps, sum.blocks, sum.all, others + 1,
              program_all_launches(&whole->program),
              trace_bytes(run->trace));
  program_print_faults(whole, stderr);
  if (whole->verdict == RUN_WRONG) plain_print(stderr, "lanescope: wrong answer: %s\n", whole->verdict_text);
  int status = program_run_exit_status(whole);
  run_free(run);
  return status;
}

int cmd_trace(Cli *cli, LsErr *err) {
  if (!cli->given[OPT_ID_OUTPUT]) {
    ls_fail(err, LS_EREQUEST, "trace needs -o FILE, where the trace goes");
    return -1;
  }
  RunRequest request;
  Run *run = NULL;
  if (cli_request(cli, DEV_COMPILED, true, &request, err)) run = cli_make_run(&request, cli->value[OPT_ID_OUTPUT], err);
  run_request_fini(&request);
  if (!run) return -1;
  if (run->whole && !cli->given[OPT_ID_LAUNCH]) return tell_program(cli, run);
  int blocks;
  trace_blocks(run->trace, &blocks);
  plain_print(stderr, "%s: %" PRIu64 " steps of %d of %" PRIu64 " blocks, %zu bytes\n", cli->value[OPT_ID_OUTPUT],
          trace_steps(run->trace), blocks, launch_blocks(&run->info.launch), trace_bytes(run->trace));
  LsText stopped = {0};
  run_stopped_words(run, &stopped);
  if (stopped.length) plain_print(stderr, "%s: %s\n", cli->value[OPT_ID_OUTPUT], ls_text_str(&stopped));
  ls_text_free(&stopped);
  cli_warn_faults(run);
  int status = cli_write_outputs(run, err) ? run_exit_status(run) : -1;
  run_free(run);
  return status;
}
