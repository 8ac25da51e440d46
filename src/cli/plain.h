// plain.h: a run as lines of text, for pipes and screen readers.
#ifndef LS_CLI_PLAIN_H
#define LS_CLI_PLAIN_H

#include <stdio.h>

#include "app/course/progress.h"
#include "app/run/run.h"

typedef struct PlainOptions {
  bool interesting_only;     // leave plain arithmetic out
  uint64_t first, limit;     // events printed; limit 0: all
} PlainOptions;

// All lines of text go through this: control characters of a kernel's printf, a file's name or a damaged trace are shown, as
// "\e", and not obeyed. Ends of lines and tabs stay.
void plain_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void plain_heading(Run *run, FILE *out);
bool plain_events(Run *run, const PlainOptions *options, FILE *out, LsErr *err);
// Words of a paragraph, each line behind `indent` blanks; the first one behind `label`, which is as wide.
void plain_paragraph(FILE *out, const char *label, const char *text, int indent);
void plain_totals(const Run *run, FILE *out);
// Says on standard error where progress is not saved.
void plain_progress(const Progress *progress);

#endif
