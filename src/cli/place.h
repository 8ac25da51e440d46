// place.h: a place in a run on the command line: --at --focus --variant --zoom --warp --lane --margin.
#ifndef LS_CLI_PLACE_H
#define LS_CLI_PLACE_H

#include "app/session/session.h"
#include "cli/cli.h"

// What the options say. The wish borrows the words of the command line. False: a name or number is none.
bool place_wish(const Cli *cli, SesWish *wish, LsErr *err);

#endif
