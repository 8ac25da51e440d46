// sources.c: the source of a run split in lines, and how far the panes of source and lanes are scrolled.
#include <stdlib.h>
#include <string.h>

#include "app/session/session_parts.h"
#include "base/file.h"

typedef struct SourceLines { char *text; const char **lines; int count; } SourceLines;

struct SesSources { SourceLines *files; int count; };

static void split(const char *text, SourceLines *out) {
  int count = 0, capacity = 0;
  out->text = ls_strdup(text ? text : "");
  for (char *at = out->text; *at;) {
    char *end = strchr(at, '\n');
    if (end) *end = 0;
    size_t length = strlen(at);
    if (length && at[length - 1] == '\r') at[length - 1] = 0;
    const char *line = at;
    LS_PUSH(out->lines, count, capacity, line);
    if (!end) break;
    at = end + 1;
  }
  out->count = count;
}

static const SesSources *split_sources(Session *session) {
  const TraceInfo *info = ses_info(session);
  if (session->sources) return session->sources;
  SesSources *sources = session->sources = ls_alloc(sizeof *sources);
  sources->count = LS_MAX(info->source_count, 0);
  sources->files = ls_alloc(sizeof *sources->files * (size_t)(sources->count + 1));
  for (int i = 0; i < sources->count; i++) split(info->sources[i].text, &sources->files[i]);
  return sources;
}

void sources_free(SesSources *sources) {
  for (int i = 0; sources && i < sources->count; i++) {
    free(sources->files[i].text);
    free(sources->files[i].lines);
  }
  if (sources) free(sources->files);
  free(sources);
}

int ses_file_lines(Session *session, int file, const char *const **lines) {
  const SesSources *sources = split_sources(session);
  bool known = file >= 0 && file < sources->count;
  *lines = known ? sources->files[file].lines : NULL;
  return known ? sources->files[file].count : 0;
}

int ses_source_lines(Session *session, const char *const **lines, const char **path) {
  const Scene *scene = ses_scene(session);
  const TraceInfo *info = ses_info(session);
  int file = scene ? scene->file : 0;
  bool named = file >= 0 && file < info->source_count && info->sources[file].path;
  *path = named ? ls_path_base(info->sources[file].path) : "";
  return ses_file_lines(session, file, lines);
}

// The cursor's line stays in the middle third; short files do not move at all.
int ses_source_top(Session *session, int rows) {
  const char *const *lines;
  const char *path;
  const Scene *scene = ses_scene(session);
  int count = ses_source_lines(session, &lines, &path);
  if (count > rows && session->line_marked) return LS_CLAMP(session->line_marked - 1 - rows / 2, 0, count - rows);
  if (!scene || count <= rows) return 0;
  int line = scene->line ? scene->line : scene->warp_line[LS_CLAMP(session->warp, 0, 31)];
  int top = LS_CLAMP(LS_MAX(line, 1) - 1 - rows / 2, 0, count - rows);
  return LS_CLAMP(top + session->scroll[PANE_SOURCE], 0, count - rows);
}

int ses_lanes_top(Session *session, int rows) {
  int count = ses_warps(session);
  if (rows <= 0 || count <= rows) return 0;
  int top = LS_CLAMP(session->warp - rows / 2, 0, count - rows);
  return LS_CLAMP(top + session->scroll[PANE_LANES], 0, count - rows);
}
