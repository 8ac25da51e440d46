// lines.h: which code comes from which line of the source, so that nobody has to look through all of it for one line.
//
// An instruction comes from its own line and from those of the calls through which it was inlined: inlined code counts
// for the line that calls it, too. Only lines that have code are there, however large their numbers are.
//
//   lines[i]                    a line, ascending by file and number
//   locs[first .. first+count)  of it: indices into module->locs, ascending, each once
//   pcs[of_loc[l] .. of_loc[l+1])   of location l: its instructions, ascending
#ifndef LS_PTX_LINES_H
#define LS_PTX_LINES_H

#include "ptx/module.h"

typedef struct PtxLine { int file, line, first, count; } PtxLine;
typedef struct PtxLines {
  PtxLine *lines; int count;
  int *locs, *of_loc, *pcs;
} PtxLines;

PtxLines *ptx_lines_new(const PtxModule *module);
void ptx_lines_free(PtxLines *lines);                                           // NULL is fine
const PtxLine *ptx_lines_find(const PtxLines *lines, int file, int line);       // NULL if no code comes from there

#endif
