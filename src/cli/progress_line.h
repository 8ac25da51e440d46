// progress_line.h: the line on standard error that says what a command works at; it comes and goes, on a terminal only.
#ifndef LS_CLI_PROGRESS_LINE_H
#define LS_CLI_PROGRESS_LINE_H

#include "app/run/run.h"

typedef struct ProgressLine { bool terminal, shown; } ProgressLine;

enum { PROGRESS_LINE_QUIET_MS = 600 };   // what is over sooner comes without a line

void progress_line_init(ProgressLine *line);
// "running, 3 s, 41.2%: the note"; what: what can be done meanwhile, "" if nothing. Nothing without a terminal.
void progress_line_show(ProgressLine *line, const RunProgress *progress, int milliseconds, const char *what);
void progress_line_clear(ProgressLine *line);

#endif
