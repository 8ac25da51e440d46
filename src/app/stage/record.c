// record.c: demo.json line by line, and the place of a talk under way in a file of its own.
#include "app/stage/record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/output.h"

enum { FILE_LIMIT = 16 << 20, PLACE_LIMIT = 256 };
static const char head[] = "{\"talks\": [\n", tail[] = "]}\n";

void record_init(Record *record, const char *folder) {
  LsErr err = {0};
  *record = (Record){0};
  if (folder && !*folder) return;
  record->folder = folder ? ls_strdup(folder) : ls_xdg_path("STATE", "");
  snprintf(record->id, sizeof record->id, "%" PRId64 "-%ld", (int64_t)time(NULL), (long)getpid());
  if (ls_make_dirs(record->folder, &err)) return;
  free(record->folder);
  record->folder = NULL;
}

void record_fini(Record *record) {
  free(record->folder);
  record->folder = NULL;
}

// ---- the place ------------------------------------------------------------------------------------------------------

// One file a demo; of a path its last part.
static char *place_path(const Record *record, const char *demo) {
  char *name = ls_format("demo-%s.place", ls_path_base(demo));
  char *path = ls_path_join(record->folder, name);
  free(name);
  return path;
}

// The beat in a file of that kind, and whether the program that wrote it, another one, still runs. -1: there is none.
static int read_place(const char *path, bool *others) {
  char *text = ls_file_read(path, PLACE_LIMIT, NULL, NULL);
  int beat = -1;
  long program = 0;
  bool known = text && sscanf(text, "%d %ld", &beat, &program) == 2 && beat >= 0 && program > 0;
  *others = known && program != (long)getpid() && (kill((pid_t)program, 0) == 0 || errno == EPERM);
  free(text);
  return known ? beat : -1;
}

int record_place(const Record *record, const char *demo) {
  if (!record->folder) return -1;
  bool others;
  char *path = place_path(record, demo);
  int beat = read_place(path, &others);
  free(path);
  return others ? -1 : beat;
}

// Of two speakers at the same demo the first one's place is kept.
void record_save_place(const Record *record, const char *demo, int beat) {
  if (!record->folder) return;
  bool others;
  char *path = place_path(record, demo);
  char text[64];
  int length = snprintf(text, sizeof text, "%d %ld\n", beat, (long)getpid());
  read_place(path, &others);
  if (!others) ls_file_write(path, text, (size_t)length, NULL);   // without it the demo begins at its start: no harm
  free(path);
}

void record_forget_place(const Record *record, const char *demo) {
  if (!record->folder) return;
  bool others;
  char *path = place_path(record, demo);
  read_place(path, &others);
  if (!others) unlink(path);
  free(path);
}

// ---- the votes ------------------------------------------------------------------------------------------------------

static void json_vote(LsJson *json, const DemoBeat *beat, const Vote *vote) {
  ls_json_open(json, '{');
  ls_json_member(json, "question", beat->step->question.prompt);
  ls_json_open_member(json, "options", '[');
  for (int i = 0; i < beat->option_count; i++) ls_json_str(json, beat->options[i]);
  ls_json_close(json, ']');
  ls_json_member_i64(json, "answer", beat->right);
  ls_json_open_member(json, "rounds", '[');
  for (int round = 0; round < VOTE_ROUNDS && vote_total(vote, round); round++) {
    ls_json_open(json, '[');
    for (int i = 0; i < vote->options; i++) ls_json_i64(json, vote_count(vote, round, i));
    ls_json_close(json, ']');
  }
  ls_json_close(json, ']');
  ls_json_close(json, '}');
}

// This talk as a line; nothing if nobody voted.
static bool talk_line(const Record *record, const Talk *talk, LsText *out) {
  LsJson json;
  bool any = false;
  ls_json_init(&json, out);
  ls_json_open(&json, '{');
  ls_json_member(&json, "id", record->id);
  ls_json_member(&json, "demo", demo_info(talk->demo)->name);
  ls_json_open_member(&json, "votes", '[');
  for (int i = 0; i < demo_ready(talk->demo); i++) {
    const DemoBeat *beat = demo_beat(talk->demo, i);
    bool asks = beat->kind == STAGE_ASK && beat->question < TALK_QUESTIONS;
    const Vote *vote = asks ? &talk->votes[beat->question] : NULL;
    if (!vote || !vote_total(vote, 0)) continue;
    json_vote(&json, beat, vote);
    any = true;
  }
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  return any;
}

// The lines of other talks; false if the file is something else.
static bool other_lines(const Record *record, const char *text, LsText *out) {
  char *own = ls_format("{\"id\": \"%s\"", record->id);
  size_t size = strlen(text);
  bool ok = ls_starts_with(text, head) && ls_ends_with(text, tail) && size >= strlen(head) + strlen(tail);
  const char *end = text + size - (ok ? strlen(tail) : 0);
  for (const char *line = text + strlen(head); ok && line < end;) {
    size_t length = strcspn(line, "\n"), said = length - (length && line[length - 1] == ',');
    if (said && strncmp(line, own, strlen(own)) != 0) ls_text_addf(out, "%.*s,\n", (int)said, line);
    line += length + 1;
  }
  free(own);
  return ok;
}

static bool write_all(const char *path, const LsText *text, LsErr *err) {
  LsOutput output;
  if (!ls_output_open(&output, path, err)) return false;
  const char *from = ls_text_str(text);
  for (size_t left = text->length; left;) {
    ssize_t done = write(output.fd, from, left);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) break;
    from += done;
    left -= (size_t)done;
    if (!left && ls_output_commit(&output) == 0) return true;
    if (!left) return ls_fail(err, LS_EIO, "%s: %s", path, strerror(errno));
  }
  ls_output_drop(&output);
  return ls_fail(err, LS_EIO, "%s cannot be written: %s", path, strerror(errno));
}

static bool write_votes(const Record *record, const char *path, const LsText *line, LsErr *err) {
  LsText text = {0};
  char *old = ls_file_exists(path) ? ls_file_read(path, FILE_LIMIT, NULL, err) : ls_strdup("");
  bool ok = old != NULL;
  ls_text_add(&text, head);
  if (ok && *old && !other_lines(record, old, &text))
    ok = ls_fail(err, LS_EREQUEST, "%s is not a file of votes: move it away, and close the vote again", path);
  ls_text_addf(&text, "%s\n%s", ls_text_str(line), tail);
  ok = ok && write_all(path, &text, err);
  free(old);
  ls_text_free(&text);
  return ok;
}

bool record_votes(const Record *record, const Talk *talk, LsErr *err) {
  LsText line = {0};
  if (!record->folder && !record->id[0]) return true;
  if (!record->folder) return ls_fail(err, LS_EIO, "the votes are not kept: there is no folder for them");
  bool any = talk_line(record, talk, &line), ok = true;
  char *path = ls_path_join(record->folder, "demo.json"), *guard = ls_path_join(record->folder, "demo.lock");
  int lock = any ? open(guard, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;   // of two speakers one waits for the other
  if (lock >= 0) flock(lock, LOCK_EX);
  if (any) ok = write_votes(record, path, &line, err);
  if (lock >= 0) close(lock);
  ls_text_free(&line);
  free(guard);
  free(path);
  return ok;
}
