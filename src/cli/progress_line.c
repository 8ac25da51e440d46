// progress_line.c: what a command works at, in one line that is written over.
#include "cli/progress_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/plain.h"

enum { COLUMNS = 80 };

static int columns(void) {
  struct winsize size;
  return ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : COLUMNS;
}

void progress_line_init(ProgressLine *line) {
  const char *term = getenv("TERM");
  *line = (ProgressLine){.terminal = isatty(2) && !(term && strcmp(term, "dumb") == 0)};
}

void progress_line_clear(ProgressLine *line) {
  if (line->shown) fputs("\r\033[K", stderr);
  line->shown = false;
}

void progress_line_show(ProgressLine *line, const RunProgress *progress, int milliseconds, const char *what) {
  LsText text = {0};
  char note[RUN_NOTE];
  const char *stage = progress->stage;
  if (!line->terminal) return;
  run_note(progress, note);
  ls_text_addf(&text, "%s, %d s", stage ? stage : "starting", milliseconds / 1000);
  if (progress->bytes) ls_text_addf(&text, ", %.1f MB", (double)progress->bytes / 1e6);
  else if (progress->permille > 0)
    ls_text_addf(&text, ", %d.%d%%", progress->permille / 10, progress->permille % 10);
  ls_text_add(&text, what);
  if (*note) ls_text_addf(&text, ": %s", note);
  progress_line_clear(line);
  const char *words = ls_text_str(&text);
  plain_print(stderr, "%.*s", (int)ls_utf8_within(words, columns() - 1), words);
  fflush(stderr);
  line->shown = true;
  ls_text_free(&text);
}
