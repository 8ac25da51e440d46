// orders_text.h: `stats --orders`: what comes of a launch in other orders, as text and as "outcomes" in JSON.
#ifndef LS_CLI_ORDERS_TEXT_H
#define LS_CLI_ORDERS_TEXT_H

#include "cli/cli.h"

// Takes the run. The exit status: 1 if the outcomes differ by more than rounding; -1: failed.
int orders_stats(Cli *cli, Run *run, LsErr *err);

#endif
