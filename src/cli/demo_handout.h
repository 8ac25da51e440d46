// demo_handout.h: a demo on paper: Markdown with a section for each scene, and its pictures as SVG beside it.
#ifndef LS_CLI_DEMO_HANDOUT_H
#define LS_CLI_DEMO_HANDOUT_H

#include "app/stage/demo.h"
#include "cli/cli.h"

// path: ends in ".md"; the pictures are NAME-1.svg, ..., and NAME-1-answer.svg of what a question asks for. The demo is
// prepared as a whole. All files are written, or none. False with *err.
bool demo_handout_write(const Cli *cli, const Demo *demo, const char *path, LsErr *err);
// Whether this can be the name of such a file; false with *err.
bool demo_handout_path_fits(const char *path, LsErr *err);

#endif
