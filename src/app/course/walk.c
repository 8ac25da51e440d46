// walk.c: goes through the events of a warp once, and keeps at which line it was with which lanes.
#include "app/course/walk.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

// A directive, or a bracket alone, is nothing to stop at.
static bool says_something(const char *line) {
  while (isspace((unsigned char)*line)) line++;
  return *line && *line != '#' && strcmp(line, "}") != 0 && strcmp(line, "{") != 0 && !ls_starts_with(line, "//");
}

static char *without_comment(const char *line) {
  const char *comment = strstr(line, "//");
  size_t length = comment ? (size_t)(comment - line) : strlen(line);
  while (length && isspace((unsigned char)line[length - 1])) length--;
  return ls_strndup(line, length);
}

// The lines between two of the source, both included.
static void take_lines(Session *session, int from, int to, Walk *walk) {
  const char *const *lines, *path;
  int count = ses_source_lines(session, &lines, &path);
  for (int line = from; line <= LS_MIN(to, count) && walk->line_count < WALK_LINES; line++)
    if (says_something(lines[line - 1]))
      walk->lines[walk->line_count++] = (WalkLine){line, without_comment(lines[line - 1])};
}

static int indent_of(const char *line) { return (int)strspn(line, " "); }

// What all lines are indented by says nothing.
static void outdent(Walk *walk) {
  int least = walk->line_count ? indent_of(walk->lines[0].text) : 0;
  for (int i = 0; i < walk->line_count; i++) least = LS_MIN(least, indent_of(walk->lines[i].text));
  for (int i = 0; i < walk->line_count; i++) {
    char *text = walk->lines[i].text;
    memmove(text, text + least, strlen(text + least) + 1);
  }
}

static int place_of(const Walk *walk, int line) {
  for (int i = 0; i < walk->line_count; i++)
    if (walk->lines[i].line == line) return i;
  return -1;
}

static void take_event(Walk *walk, const TraceEvent *event, int line) {
  int at = place_of(walk, line);
  if (at < 0) return;
  walk->live |= event->active;
  walk->instructions++;
  walk->partly += event->active != walk->live;
  const WalkStep *last = walk->count ? &walk->steps[walk->count - 1] : NULL;
  if (last && last->at == at && (event->active & ~last->active) == 0) return;
  if (walk->count < WALK_STEPS) walk->steps[walk->count++] = (WalkStep){at, event->active};
}

// The last line of the kernel's source that the warp works on.
static int last_line(Session *session, int from) {
  int last = 0, file;
  TraceEvent event;
  for (uint64_t step = 0; step < session->steps; step++)
    if (trace_event(session->run->trace, step, &event, NULL) && event.block == 0 && event.warp == 0)
      last = LS_MAX(last, ses_line_of(session, event.pc, &file));
  return last >= from ? last : 0;
}

// The end of the kernel is no instruction of a line.
static bool works(const TraceEvent *event) {
  return event->block == 0 && event->warp == 0 && event->kind != TRACE_EXIT && event->kind != TRACE_NOTE;
}

bool walk_new(Session *session, int from, Walk *walk) {
  *walk = (Walk){0};
  if (!session->run->trace) return false;
  take_lines(session, from, last_line(session, from), walk);
  outdent(walk);
  TraceEvent event;
  for (uint64_t step = 0; step < session->steps; step++) {
    int file;
    if (trace_event(session->run->trace, step, &event, NULL) && works(&event))
      take_event(walk, &event, ses_line_of(session, event.pc, &file));
  }
  return walk->count > 0;
}

void walk_free(Walk *walk) {
  for (int i = 0; i < walk->line_count; i++) free(walk->lines[i].text);
  *walk = (Walk){0};
}
