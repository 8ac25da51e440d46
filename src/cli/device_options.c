// device_options.c: which options mean nothing for the device that is to run a kernel: they are refused, not passed over.
#include <string.h>

#include "cli/cli.h"

enum { EMU = 1, FAR = 2, GPU = 4 };

typedef struct Heeded { OptionId id; unsigned devices; const char *why_not; } Heeded;
static const Heeded heeded[] = {
#define HEEDED(ID, devices, why_not) {OPT_ID_##ID, devices, why_not},
#include "cli/device_options.def"
#undef HEEDED
};

static unsigned device_of(const char *name, bool runner) {
  if (strcmp(name, "emu") == 0) return runner ? FAR : EMU;
  if (strcmp(name, "cuda") == 0) return GPU;
  if (strcmp(name, "auto") == 0) return runner ? GPU : EMU;
  return 0;
}

static bool refuse(const Heeded *row, unsigned device, const char *name, LsErr *err) {
  const char *option = cli_option(row->id)->name;
  if (device == GPU) return ls_fail(err, LS_EREQUEST, "--%s means nothing on a GPU: %s", option, row->why_not);
  if (device == EMU)
    return ls_fail(err, LS_EREQUEST,
                   "--%s means nothing on the emulator of this machine: it is for --device cuda and --runner; --budget stops an "
                   "emulated run", option);
  if (device == FAR)
    return ls_fail(err, LS_EREQUEST, "--%s means nothing with --runner: its emulator runs as is fastest", option);
  return ls_fail(err, LS_EREQUEST, "--%s means nothing with --device %s: a recording is as it was made", option, name);
}

bool cli_options_fit(const Cli *cli, LsErr *err) {
  const char *name = cli->given[OPT_ID_DEVICE] ? cli->value[OPT_ID_DEVICE] : "auto";
  unsigned device = device_of(name, cli->given[OPT_ID_RUNNER]);
  if (!device && strcmp(name, "recorded") != 0) return true;   // no device at all: whoever looks for it says so
  for (int i = 0; i < LS_COUNT(heeded); i++)
    if (cli->given[heeded[i].id] && !(heeded[i].devices & device)) return refuse(&heeded[i], device, name, err);
  return true;
}
