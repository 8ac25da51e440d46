// session_prompt.c: what a typed line means: goto 1184, line 16, set sched=stack, or a command by its name.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/models/models.h"
#include "app/session/session_parts.h"
#include "app/session/spot_scene.h"
#include "base/mem.h"

static LineResult line_of(Command *command, CommandId id, int64_t arg) {
  *command = (Command){.id = id, .arg = arg};
  return LINE_COMMAND;
}

static LineResult done(bool handled) { return (void)handled, LINE_DONE; }

// A word that takes a number; LINE_TRY: it is none of them.
static LineResult numbered(Session *session, const char *word, const char *rest, Command *command) {
  static const struct { const char *word; CommandId id; } rows[] = {
      {"goto", CMD_GOTO}, {"step", CMD_GOTO}, {"line", CMD_GOTO_LINE}, {"block", CMD_SET_BLOCK}, {"warp", CMD_SET_WARP},
      {"lane", CMD_SET_LANE}, {"orders", CMD_ORDERS},
  };
  for (int i = 0; i < LS_COUNT(rows); i++) {
    int64_t number;
    if (strcmp(rows[i].word, word) != 0 || !*rest) continue;
    if (ls_parse_i64(rest, &number)) return line_of(command, rows[i].id, number);
    return done(ses_complain(session, "%s takes a whole number, not \"%.40s\"", word, rest));
  }
  return LINE_TRY;
}

static LineResult go_first_fault(Session *session) {
  const Run *run = session->run;
  for (int i = 0; i < run->causes->count; i++)
    if (run->faults[run->causes->items[i].witness].step < session->steps) return done(ses_go_fault(session, i));
  return done(run->fault_count ? ses_go_fault(session, 0) : ses_complain(session, "nothing went wrong in this run"));
}

// The places that have a name, as --at has them.
static LineResult named_place(Session *session, const char *place, Command *command) {
  int64_t line;
  bool is_line = ls_starts_with(place, "line:") && ls_parse_i64(place + strlen("line:"), &line);
  if (is_line) return line_of(command, CMD_GOTO_LINE, line);
  if (strcmp(place, "start") == 0) return line_of(command, CMD_FIRST, 0);
  if (strcmp(place, "end") == 0) return line_of(command, CMD_LAST, 0);
  return strcmp(place, "fault") == 0 ? go_first_fault(session) : LINE_TRY;
}

// model NAME: opened with what this run gives it.
static bool want_model(Session *session, const char *name) {
  LsErr err = {0};
  const Model *model = model_find(name, &err);
  if (!model) return ses_complain(session, "%s", err.message);
  session->wants_model = model;
  return true;
}

// scene NAME: this place, at the end of the demo ./NAME.lua.
static bool add_scene(Session *session, const char *name) {
  LsErr err = {0};
  if (*name && !ls_is_name(name, 40))
    return ses_complain(session, "scene takes the name of a demo, letters, digits, - and _, not \"%.40s\"", name);
  char *path = ls_format("./%s.lua", *name ? name : "demo");
  if (!spot_scene_append(session, path, &err)) ses_complain(session, "%s", err.message);
  else ses_say(session, "added to %s: lanescope demo %s shows it", path, path);
  free(path);
  return true;
}

// The first word, and what follows it.
static const char *first_word(const char *text, char word[32]) {
  size_t length = strcspn(text, " ");
  snprintf(word, 32, "%.*s", (int)LS_MIN(length, 31), text);
  text += length;
  while (*text == ' ') text++;
  return text;
}

static const char *trimmed(const char *text) {
  while (*text == ' ' || *text == ':') text++;
  return text;
}

LineResult ses_read_line(Session *session, const char *text, Command *command) {
  char word[32];
  int64_t step;
  text = trimmed(text);
  if (!*text) return LINE_DONE;
  if (ls_parse_i64(text, &step)) return line_of(command, CMD_GOTO, step);
  const char *rest = first_word(text, word);
  bool sets = strcmp(word, "set") == 0 || (strcmp(word, "p") == 0 && strchr(rest, '='));
  if (sets) return done(ses_set_line(session, rest));
  LineResult result = strcmp(word, "goto") == 0 ? named_place(session, rest, command) : LINE_TRY;
  if (result == LINE_TRY) result = numbered(session, word, rest, command);
  if (result != LINE_TRY) return result;
  if (strcmp(word, "what") == 0 && *rest) return done(ses_what(session, rest));
  if (strcmp(word, "model") == 0 && *rest) return done(want_model(session, rest));
  if (strcmp(word, "scene") == 0) return done(add_scene(session, rest));
  if (strcmp(word, "q") == 0 || strcmp(word, "quit") == 0) {
    session->want_quit = true;
    return LINE_DONE;
  }
  CommandId id = *rest ? CMD_NONE : command_by_name(word);
  *command = (Command){.id = id == CMD_LINE_COMMAND ? CMD_NONE : id};
  return LINE_TRY;
}

bool ses_line_unknown(Session *session, const char *text) {
  char word[32];
  first_word(trimmed(text), word);
  return ses_complain(session,
                      "there is no \":%s\"; there is goto N, line N, block N, warp N, lane N, orders N, model NAME, set NAME=VALUE, scene NAME, what WORD, q, and every "
                      "command of the help", word);
}
