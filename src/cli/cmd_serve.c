// cmd_serve.c: lanescope serve-run: the far end of --runner, and the process in which a GPU of this machine is used; lanescope
// serve-compile: the process in which NVRTC compiles.
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "config.h"
#include "device/compile/compile.h"
#include "device/remote/serve.h"

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

// What -p NAME=VALUE says of the source; NULL: nothing.
static const char *said_of(const Cli *cli, const char *name) {
  size_t length = strlen(name);
  for (int i = 0; i < cli->param_count; i++)
    if (strncmp(cli->params[i], name, length) == 0 && cli->params[i][length] == '=') return cli->params[i] + length + 1;
  return NULL;
}

// What the compiler says goes to standard error as it is: the caller has its own words around it.
int cmd_serve_compile(Cli *cli, LsErr *err) {
  const char *path = cli_word(cli, "a FILE", err);
  if (!path) return -1;
  if (!cli->given[OPT_ID_OUTPUT]) {
    ls_fail(err, LS_EREQUEST, "lanescope serve-compile needs -o FILE, where the PTX goes");
    return -1;
  }
  bool written = cli->given[OPT_ID_CODE] && strcmp(cli->value[OPT_ID_CODE], "written") == 0;
  const char *kernel = cli->given[OPT_ID_KERNEL] ? cli->value[OPT_ID_KERNEL] : "";
  DevSource source = {.path = path, .cut = written ? DEV_WRITTEN : DEV_COMPILED, .kernel = *kernel ? kernel : NULL,
                      .define = said_of(cli, "define"), .arch = said_of(cli, "arch")};
  if (compile_serve(&source, cli->value[OPT_ID_OUTPUT], err)) return 0;
  const char *said = err->kind == LS_EREQUEST ? strchr(err->message, '\n') : NULL;
  if (!said) return -1;
  fputs(said + 1, stderr);
  return 2;
}
