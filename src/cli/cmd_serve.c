// cmd_serve.c: lanescope serve-run: the far end of --runner, and the process in which a GPU of this machine is used.
#include <unistd.h>

#include "cli/cli.h"
#include "config.h"
#include "device/serve.h"

int cmd_serve(Cli *cli, LsErr *err) {
  (void)cli;
  if (isatty(0) || isatty(1)) {
    ls_fail(err, LS_EREQUEST,
            "serve-run talks to another lanescope, not to people: lanescope stats reduce2 --runner 'ssh gpu01' starts it there");
    return -1;
  }
  ServeOptions options = {.find = dev_here, .program = PACKAGE_VERSION};
  return serve_run(0, serve_take_output(), &options, err) ? 0 : -1;
}
