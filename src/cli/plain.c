// plain.c: headings, sentences and totals of a run.
#include "cli/plain.h"
#include "cli/busy.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"

// Columns of the terminal that reads along; 0: nothing that has columns.
static int columns_of(FILE *out) {
  struct winsize size;
  return isatty(fileno(out)) && ioctl(fileno(out), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

// On a terminal sentences go on between words. Tables and code, which are indented, stay as they are, as does all in a
// pipe.
static void put(const char *text, int columns, FILE *out) {
  while (*text) {
    size_t line = strcspn(text, "\n"), cut = columns > 0 ? ls_utf8_within(text, columns) : line;
    if (cut >= line || *text == ' ') {
      line += text[line] == '\n';
      fwrite(text, 1, line, out);
      text += line;
      continue;
    }
    size_t fits = cut;
    while (cut > 0 && text[cut] != ' ') cut--;
    fwrite(text, 1, cut ? cut : fits, out);
    fputc('\n', out);
    text += cut ? cut + 1 : fits;
  }
}

// A text that begins in column `from`, and goes on there.
static void put_beside(const char *text, int from, FILE *out) {
  int columns = columns_of(out), room = columns > from + 10 ? columns - from - 1 : 0;
  while (room && ls_utf8_width(text) > room) {
    size_t cut = ls_utf8_within(text, room + 1);
    while (cut > 0 && text[cut] != ' ') cut--;
    if (!cut) break;
    fprintf(out, "%.*s\n%*s", (int)cut, text, from, "");
    text += cut + 1;
  }
  fprintf(out, "%s\n", text);
}

void plain_print(FILE *out, const char *format, ...) {
  LsText text = {0}, shown = {0};
  va_list args;
  va_start(args, format);
  ls_text_addv(&text, format, args);
  va_end(args);
  ls_text_add_visible(&shown, ls_text_str(&text));
  if (out == stdout) busy_hide();
  put(ls_text_str(&shown), columns_of(out), out);
  ls_text_free(&shown);
  ls_text_free(&text);
}

void plain_heading(Run *run, FILE *out) {
  const TraceInfo *info = &run->info;
  const Launch *launch = &info->launch;
  const char *code = strcmp(info->code, "written") == 0 ? "as written" : "as compiled";
  LsText where = {0};
  run_where(run, RUN_IN_FULL, &where);
  bool turns = info->order && strcmp(info->order, "turns") == 0 && launch_warps(launch) > 1;
  if (run_is_emulated(run)) {
    ls_text_clear(&where);
    ls_text_addf(&where, "on %s (%s, profile %s%s)", info->device_name, info->sched, info->profile,
                 turns ? ", warps in turns" : "");
  }
  plain_print(out, "%s: kernel %s, %s, %s\n", info->title, run->module->funcs[run->entry].demangled, code,
              ls_text_str(&where));
  ls_text_free(&where);
  char digits[32];
  plain_print(out, "grid %u x %u x %u, block %u x %u x %u, %s bytes of dynamic shared memory\n", launch->grid[0],
              launch->grid[1],
              launch->grid[2], launch->block[0], launch->block[1], launch->block[2],
                  ls_group_digits(launch->shared_bytes, digits));
  if (!run->request.recipe && launch_blocks(launch) == 1 && launch_threads(launch) == 1)
    fputs("one thread: -g and -b give the kernel more\n", out);
  if (info->parameters && *info->parameters) plain_print(out, "parameters: %s\n", info->parameters);
  LsText lost = {0};
  run_lost_words(run, &lost);
  if (lost.length) plain_print(out, "%s\n", ls_text_str(&lost));
  ls_text_clear(&lost);
  run_profile_words(run, &lost);
  if (lost.length) plain_print(out, "%s\n", ls_text_str(&lost));
  ls_text_clear(&lost);
  run_stopped_words(run, &lost);
  if (lost.length) plain_print(out, "%s\n", ls_text_str(&lost));
  ls_text_free(&lost);
  if (run->trace && trace_is_truncated(run->trace))
    plain_print(out, "the trace ends early: what is whole (%" PRIu64 " steps) is shown\n", trace_steps(run->trace));
}

static const char *source_line(const Run *run, int file, int line, int *length) {
  if (file < 0 || file >= run->info.source_count || line <= 0) return NULL;
  const char *p = ls_line_at(run->info.sources[file].text, line);
  if (!p) return NULL;
  p += strspn(p, " \t");
  *length = (int)strcspn(p, "\r\n");
  return p;
}

// A line of the source is quoted when a warp comes to it, so that the sentences below it have their context.
static void quote_line(const Run *run, int file, int line, FILE *out) {
  int length = 0;
  const char *text = source_line(run, file, line, &length);
  if (text) plain_print(out, "%s:%d: %.*s\n", ls_path_base(run->info.sources[file].path), line, length, text);
}

// Steps in a row of which there is the same to say: the instructions of a line are many.
typedef struct Said { uint64_t first, last; uint32_t block; int warp; LsText text; } Said;

static void print_said(Said *said, FILE *out) {
  if (said->text.length && said->first == said->last)
    plain_print(out, "  step %" PRIu64 ", block %u, warp %d: %s\n", said->first, said->block, said->warp,
                ls_text_str(&said->text));
  else if (said->text.length)
    plain_print(out, "  steps %" PRIu64 " to %" PRIu64 ", block %u, warp %d: %s\n", said->first, said->last,
                said->block, said->warp,
                ls_text_str(&said->text));
  ls_text_clear(&said->text);
}

static void event_words(const Run *run, const TraceEvent *event, LsText *out) {
  if (trace_kind_is_fault(event->kind) && event->fault >= 0 && event->fault < run->fault_count)
    causes_sentence_of(run->causes, run->faults, event->fault, out);
  else if (event->kind == TRACE_CALL)
    run_print_words(run, event->step, out);
  SentenceAbout about = run_about(run);
  if (!out->length) sentence_of(&about, event, out);
  for (char *p = out->data; p && *p; p++)
    if (*p == '\n') *p = ' ';
}

static void say_event(const Run *run, const TraceEvent *event, Said *said, FILE *out) {
  LsText text = {0};
  event_words(run, event, &text);
  bool again = said->text.length && event->kind == TRACE_EXEC && event->step == said->last + 1 &&
      event->block == said->block &&
               event->warp == said->warp && strcmp(ls_text_str(&text), ls_text_str(&said->text)) == 0;
  if (again) {
    said->last++;
    ls_text_free(&text);
    return;
  }
  print_said(said, out);
  ls_text_free(&said->text);
  *said = (Said){event->step, event->step, event->block, event->warp, text};
}

enum { SHARE_EVENTS = 4096 };      // from one word on how far it is to the next

bool plain_events(Run *run, const PlainOptions *options, FILE *out, LsErr *err) {
  uint64_t steps = trace_steps(run->trace), printed = 0;
  int last_file = -1, last_line = -1, last_warp = -1;
  Said said = {0};
  bool ok = true;
  for (uint64_t step = options->first; ok && step < steps && !ferror(out); step++) {
    TraceEvent event;
    ok = trace_event(run->trace, step, &event, err);
    if (step % SHARE_EVENTS == 0) busy_share(step, steps);
    if (!ok || (options->interesting_only && !trace_kind_interesting((TraceKind)event.kind))) continue;
    if (options->limit && printed++ >= options->limit) {
      print_said(&said, out);
      plain_print(out, "  ... and so on, %" PRIu64 " steps in all\n", steps);
      break;
    }
    int file = -1, line = 0;
    ptx_line_of(run->module, event.pc, &file, &line);
    bool other = file != last_file || line != last_line || event.warp != last_warp;
    if (other) print_said(&said, out), quote_line(run, file, line, out);
    last_file = file, last_line = line, last_warp = event.warp;
    say_event(run, &event, &said, out);
  }
  print_said(&said, out);
  ls_text_free(&said.text);
  return ok;
}

// A line of its own follows, whether or not the last one printed is ended. A file or pipe gets the kernel's own bytes.
static void print_output(const Run *run, FILE *out) {
  const char *text = run_output(run);
  if (!*text) return;
  fputs("\nthe kernel printed\n", out);
  if (isatty(fileno(out))) plain_print(out, "%s", text);
  else fputs(text, out);
  fputs(ls_ends_with(text, "\n") ? "\n" : "\n\n", out);
}

static void print_notes(const Run *run, FILE *out) {
  for (const char *line = run_notes(run); *line;) {
    size_t length = strcspn(line, "\n");
    plain_print(out, "note: %.*s\n", (int)length, line);
    line += length + (line[length] == '\n');
  }
}

enum { PARAGRAPH = 78 };   // columns

void plain_paragraph(FILE *out, const char *label, const char *text, int indent) {
  int column = indent;
  plain_print(out, "%-*s", indent, label);
  while (*text) {
    size_t length = strcspn(text, " ");
    int width = (int)length;   // bytes: a word of other letters is a little early to break
    if (column > indent && column + 1 + width > PARAGRAPH) {
      plain_print(out, "\n%*s", indent, "");
      column = indent;
    } else if (column > indent) {
      plain_print(out, " ");
      column++;
    }
    plain_print(out, "%.*s", (int)length, text);
    column += width;
    text += length;
    while (*text == ' ') text++;
  }
  plain_print(out, "\n");
}

void plain_totals(const Run *run, FILE *out) {
  enum { DIGITS = 13 };
  const CounterSet *total = counters_total(run->counters);
  char digits[32];
  for (int i = 0; i < COUNTER_COUNT; i++) {
    if (!total->value[i]) continue;
    const CounterDef *def = counter_def((CounterId)i);
    fprintf(out, "  %-26s %*s  ", def->name, DIGITS, ls_group_digits(total->value[i], digits));
    put_beside(def->help, 2 + 26 + 1 + DIGITS + 2, out);
  }
  print_output(run, out);
  print_notes(run, out);
  if (run->verdict == RUN_RIGHT) plain_print(out, "answer: right, %s\n", run->verdict_text);
  if (run->verdict == RUN_WRONG) plain_print(out, "answer: WRONG, %s\n", run->verdict_text);
  for (int i = 0; i < run->causes->count; i++) {
    LsText text = {0};
    const Cause *cause = &run->causes->items[i];
    cause_sentence(cause, run->faults, &text);
    plain_print(out, "%s %s: %s\n", trace_grade_name(trace_fault_def(cause->kind)->grade), trace_fault_name(cause->kind),
                ls_text_str(&text));
    ls_text_free(&text);
  }
}

void plain_progress(const Progress *progress) {
  LsText words = {0};
  progress_words(progress, &words);
  if (words.length) fprintf(stderr, "lanescope: %s\n", ls_text_str(&words));
  ls_text_free(&words);
}
