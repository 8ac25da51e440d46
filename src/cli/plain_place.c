// plain_place.c: the place of the cursor as sentences.
#include "cli/plain_place.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/plain.h"

enum { VALUES_WIDTH = 400 };   // of 32 lanes one by one: nothing is cut

static void say_where(Session *session, FILE *out) {
  const TraceInfo *info = &session->run->info;
  char step[32], steps[32];
  plain_print(out, "[%s, block %u, warp %d, step %s of %s]\n", info->title ? info->title : info->kernel, session->block,
              session->warp, ls_group_digits(session->step, step), ls_group_digits(session->steps - 1, steps));
}

static void say_line(Session *session, FILE *out) {
  const Scene *scene = ses_scene(session);
  const char *const *lines, *path;
  int count = ses_source_lines(session, &lines, &path);
  if (scene->line < 1 || scene->line > count) return;
  const char *text = lines[scene->line - 1];
  while (isspace((unsigned char)*text)) text++;
  plain_print(out, "line %d: %s\n", scene->line, text);
}

// A sentence of several lines is one here.
static void say_flat(const char *text, FILE *out) {
  char *flat = ls_strdup(text);
  for (char *p = flat; *p; p++)
    if (*p == '\n') *p = ' ';
  if (*flat) plain_print(out, "%s\n", flat);
  free(flat);
}

void plain_place(Session *session, FILE *out) {
  if (!session->steps) {
    plain_print(out, "[this run recorded no steps]\n");
    return;
  }
  const Scene *scene = ses_scene(session);
  say_where(session, out);
  say_line(session, out);
  say_flat(scene->sentence, out);
  if (scene->picture_earlier && *scene->picture) say_flat(scene->picture, out);
}

void plain_source(Session *session, FILE *out) {
  const char *const *lines, *path;
  int count = ses_source_lines(session, &lines, &path);
  for (int i = 0; i < count; i++) plain_print(out, "%3d  %s\n", i + 1, lines[i]);
}

// ---- all of it -----------------------------------------------------------------------------------------------------

static void add_lanes(const char *state, uint32_t lanes, LsText *out) {
  if (!lanes) return;
  ls_text_addf(out, "%s%s ", out->length ? ", " : "", state);
  sentence_lanes(lanes, out);
}

static void say_warp(Session *session, int number, FILE *out) {
  const TraceWarp *warp = &ses_scene(session)->warps[number];
  uint32_t live = warp->live, waiting = warp->waiting & live, active = warp->active & live & ~waiting;
  LsText text = {0};
  if (!live) ls_text_add(&text, "done");
  else if (!warp->events) ls_text_add(&text, "not started");
  else {
    add_lanes("active", active, &text);
    add_lanes("masked off", live & ~active & ~waiting, &text);
    add_lanes("at the barrier", waiting, &text);
  }
  int line = ses_scene(session)->warp_line[number];
  plain_print(out, "warp %d%s: %s", number, number == session->warp ? ", shown" : "", ls_text_str(&text));
  if (line && live) plain_print(out, ", line %d", line);
  fputs("\n", out);
  ls_text_free(&text);
}

static void say_variable(Session *session, const SceneVar *var, FILE *out) {
  LsText text = {0};
  if (!var->in_scope) return;
  if (!var->valid) ls_text_add(&text, "not yet set");
  else ses_format_lanes(var, session->hex, VALUES_WIDTH, &text);
  const char *all = ses_lanes_shape(var) == SES_LANES_SAME ? " in all lanes" : "";
  plain_print(out, "%s = %s%s%s\n", var->name, ls_text_str(&text), all, var->changed ? ", changed by this step" : "");
  ls_text_free(&text);
}

static void say_totals(Session *session, FILE *out) {
  const Scene *scene = ses_scene(session);
  char digits[32];
  if (!scene->so_far_known) return;
  plain_print(out, "so far:");
  bool first = true;
  for (int i = 0; i < COUNTER_COUNT; i++) {
    if (!scene->so_far.value[i]) continue;
    plain_print(out, "%s %s %s", first ? "" : ",", counter_def((CounterId)i)->name,
                ls_group_digits(scene->so_far.value[i], digits));
    first = false;
  }
  plain_print(out, "%s\n", first ? " nothing is counted yet" : "");
}

void plain_look(Session *session, FILE *out) {
  plain_place(session, out);
  if (!session->steps) return;
  const Scene *scene = ses_scene(session);
  for (int i = 0; i < scene->warp_count; i++) say_warp(session, i, out);
  if (!scene->values_known) say_flat(scene->why_not, out);
  for (int i = 0; scene->values_known && i < scene->var_count; i++) say_variable(session, &scene->vars[i], out);
  say_totals(session, out);
}
