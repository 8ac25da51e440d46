// cmd_trace.c: lanescope trace: run and save the trace.
#include <inttypes.h>

#include "cli/cli.h"
#include "cli/wait.h"

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
  int blocks;
  trace_blocks(run->trace, &blocks);
  plain_print(stderr, "%s: %" PRIu64 " steps of %d of %" PRIu64 " blocks, %zu bytes\n", cli->value[OPT_ID_OUTPUT],
          trace_steps(run->trace), blocks, launch_blocks(&run->info.launch), trace_bytes(run->trace));
  LsText stopped = {0};
  run_stopped_words(run, &stopped);
  if (stopped.length) plain_print(stderr, "%s: %s\n", cli->value[OPT_ID_OUTPUT], ls_text_str(&stopped));
  ls_text_free(&stopped);
  cli_warn_faults(run);
  int status = run_write_outputs(run, err) ? run_exit_status(run) : -1;
  run_free(run);
  return status;
}
