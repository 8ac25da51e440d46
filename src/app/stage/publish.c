// publish.c: a hub on a socket of the user, and the clock of the talk.
#include "app/stage/publish.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/stage/hub.h"
#include "app/stage/runtime.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"

enum { NAME = 48, TALKS = 9 };

struct Publish {
  Hub *hub;
  RuntimeSocket socket;
  char name[NAME];
  LsText line;                 // that was told last
  int64_t began, beat_began;
  int beat, round;
  double seconds;              // of the talk, as they were last: fewer mean that it began again
};

// The demo's name without its folder and ending, of such letters as the name of a socket has.
static void name_of(const char *wanted, int number, char out[NAME]) {
  const char *base = ls_path_base(wanted);
  int length = (int)strcspn(base, ".");
  snprintf(out, NAME, "%.*s", LS_MIN(length, 30), base);
  for (char *p = out; *p; p++)
    if (!isalnum((unsigned char)*p)) *p = '-';
  if (number > 1) snprintf(out + strlen(out), NAME - strlen(out), "-%d", number);
}

static bool open_socket(Publish *publish, const char *wanted, LsErr *err) {
  RuntimeTaken taken = RUNTIME_TAKEN;
  for (int number = 0; number <= TALKS && taken == RUNTIME_TAKEN; number++) {
    if (number) name_of(wanted, number, publish->name);
    else snprintf(publish->name, NAME, NOTES_NAME);
    taken = runtime_listen(publish->name, &publish->socket, err);
  }
  if (taken == RUNTIME_TAKEN) ls_fail(err, LS_EREQUEST, "too many talks of this name are under way");
  return taken == RUNTIME_OPEN;
}

Publish *publish_open(const char *wanted, LsErr *err) {
  Publish *publish = ls_alloc(sizeof *publish);
  publish->beat = -1;
  if (open_socket(publish, wanted, err)) {
    publish->hub = hub_open(&(HubOptions){.socket = publish->socket.fd});
    publish->socket.fd = -1;
    if (publish->hub) return publish;
    ls_fail(err, LS_EIO, "the system has no thread for notes");
  }
  publish_close(publish);
  return NULL;
}

void publish_close(Publish *publish) {
  if (!publish) return;
  hub_close(publish->hub);
  runtime_close(&publish->socket);
  ls_text_free(&publish->line);
  free(publish);
}

const char *publish_name(const Publish *publish) { return publish->name; }
bool publish_is_second(const Publish *publish) { return strcmp(publish->name, NOTES_NAME) != 0; }

static void keep_time(Publish *publish, const Talk *talk, int round) {
  int64_t now = (int64_t)ls_clock_ms();
  if (!publish->began || talk->seconds < publish->seconds) publish->began = now;
  if (publish->beat != talk->beat || publish->round != round) publish->beat_began = now;
  publish->seconds = talk->seconds;
  publish->beat = talk->beat;
  publish->round = round;
}

void publish_talk(Publish *publish, Talk *talk, const char *invitation, int students) {
  if (!talk_beat(talk)) return;
  const Vote *vote = talk_vote(talk);
  keep_time(publish, talk, vote ? vote->round : 0);
  NotesFrom from = {talk, publish->began, publish->beat_began, invitation, students};
  LsText line = {0};
  notes_write(&from, &line);
  if (line.length <= LINE_MOST && strcmp(ls_text_str(&line), ls_text_str(&publish->line)) != 0) {
    hub_tell(publish->hub, ls_text_str(&line));
    ls_text_free(&publish->line);
    publish->line = line;
    return;
  }
  ls_text_free(&line);
}
