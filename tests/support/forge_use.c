// forge_use.c: a trace through the commands that read one.
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/cli.h"
#include "forge.h"
#include "ui/views/view.h"

typedef int (*CommandFn)(Cli *cli, LsErr *err);

// Standard output and error are nowhere while a command runs.
static int muted(int fd, FILE *stream) {
  fflush(stream);
  int kept = dup(fd), nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, fd);
  close(nowhere);
  return kept;
}

static void unmuted(int fd, FILE *stream, int kept) {
  fflush(stream);
  dup2(kept, fd);
  close(kept);
}

static int command(CommandFn run, int argc, char **argv) {
  int out = muted(1, stdout);
  Cli cli;
  LsErr err = {0};
  int status = cli_parse(&cli, argc, argv, &err) ? run(&cli, &err) : -1;
  cli_free(&cli);
  unmuted(1, stdout, out);
  return status;
}

static void export_at(char *path, const char *at, const char *view, const char *format) {
  char *argv[] = {"lanescope", "export", path, "--at", (char *)(uintptr_t)at, "--view", (char *)(uintptr_t)view,
                  "--format", (char *)(uintptr_t)format, NULL};
  command(cmd_export, 9, argv);
}

static bool use_file(char *path, unsigned which) {
  static const char *const places[] = {"0", "end", "fault", "7", "line:8", "20"}, *const formats[] = {"text", "svg", "ansi"};
  char *play[] = {"lanescope", "play", path, "--plain", NULL}, *stats[] = {"lanescope", "stats", path, "--json", NULL};
  char *second[] = {"lanescope", "stats", path, "--launch", "2", NULL};
  char *timeline[] = {"lanescope", "export", path, "--format", "chrome", NULL};
  int views;
  const View *all = view_all(&views);
  if (command(cmd_play, 4, play) < 0) return false;
  command(cmd_stats, 4, stats);
  command(cmd_stats, 3, stats);
  command(cmd_stats, 5, second);
  command(cmd_export, 5, timeline);
  export_at(path, places[which % 6], "screen", formats[which % 3]);
  export_at(path, places[which / 6 % 6], all[which % (unsigned)views].name, formats[which / 2 % 3]);
  return true;
}

bool forge_use(const uint8_t *file, size_t size, unsigned which) {
  char path[64];
  int fd = memfd_create("trace", MFD_CLOEXEC);
  if (fd < 0 || write(fd, file, size) != (ssize_t)size) return false;
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  bool taken = use_file(path, which);
  close(fd);
  return taken;
}
