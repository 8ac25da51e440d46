// cmd_serve.c: lanescope serve-run: the far end of --runner, and the process in which a GPU of this machine is used.
#include <fcntl.h>
#include <unistd.h>

#include "cli/cli.h"
#include "config.h"
#include "device/serve.h"

// Libraries, and kernels that print, write to standard output: that goes to standard error from here on, and the protocol has
// the old one to itself.
static int take_output(void) {
  int out = fcntl(1, F_DUPFD_CLOEXEC, 3);
  if (out >= 0) dup2(2, 1);
  return out;
}

int cmd_serve(Cli *cli, LsErr *err) {
  (void)cli;
  if (isatty(0) || isatty(1)) {
    ls_fail(err, LS_EREQUEST, "serve-run talks to another lanescope, not to people: lanescope stats reduce2 --runner 'ssh gpu01' starts it there");
    return -1;
  }
  int out = take_output();
  ServeOptions options = {.find = dev_here, .program = PACKAGE_VERSION};
  return serve_run(0, out, &options, err) ? 0 : -1;
}
