// main.c: the program: parse, dispatch, exit status.
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/wait.h"
#include "config.h"
#include "device/child.h"

static const CliCommand *chosen(const Cli *cli) {
  int count;
  const CliCommand *commands = cli_commands(&count);
  for (int i = 0; cli->command && i < count; i++)
    if (strcmp(commands[i].name, cli->command) == 0) return &commands[i];
  return NULL;
}

// A word that is no command: say so, and what was probably meant.
static int unknown_command(const char *word, LsErr *err) {
  int count, best = -1, best_distance = 1 + (int)strlen(word) / 2;
  const CliCommand *commands = cli_commands(&count);
  for (int i = 0; i < count; i++) {
    int distance = ls_edit_distance(commands[i].name, word);
    if (distance < best_distance) best = i, best_distance = distance;
  }
  ls_fail(err, LS_EREQUEST, "there is no command '%s'", LS_QUOTE(word));
  if (best >= 0) ls_err_append(err, "Did you mean lanescope %s?", commands[best].name);
  else ls_err_append(err, "lanescope --help lists the commands; lanescope explore %s opens a kernel.", LS_QUOTE(word));
  return -1;
}

static int dispatch(Cli *cli, LsErr *err) {
  const CliCommand *command = chosen(cli);
  if (cli->given[OPT_ID_VERSION]) return puts("lanescope " PACKAGE_VERSION) < 0;
  if (cli->given[OPT_ID_HELP] || cli->given[OPT_ID_HELP_SHORT]) return cli_help(stdout, command, cli->given[OPT_ID_HELP]), 0;
  if (command) return command->run(cli, err);
  if (cli->word_count) return unknown_command(cli->words[0], err);
  return cmd_course(cli, err);
}

int main(int argc, char **argv) {
  setlocale(LC_ALL, "");
  setlocale(LC_NUMERIC, "C");
  setlocale(LC_COLLATE, "C");      // scripts sort alike everywhere, and fast
  Cli cli;
  LsErr err = {0};
  int status = cli_parse(&cli, argc, argv, &err) ? dispatch(&cli, &err) : -1;
  if (status < 0) {
    cli_error(&err);
    status = ls_err_exit_status(&err);
  }
  cli_free(&cli);
  child_settle();
  if ((fflush(stdout) != 0 || ferror(stdout)) && status >= 0) {
    fprintf(stderr, "lanescope: cannot write the output: %s\n", strerror(errno));
    status = 2;
  }
  cli_end_if_interrupted();
  return status;
}
