// follow.c: an uplink to a port, or a look into a folder now and then.
#include "app/stage/follow.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/stage/uplink.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"

static const double LOOKS = 0.5;   // seconds from one look into a folder to the next

struct Follow {
  char *where, *folder;        // folder NULL: through a port
  Uplink *uplink;
  uint64_t number;             // of this student
  StageStand stand; uint64_t news;
  FollowState state;
  char why[200];
  int ask, round, voted;       // the vote that is cast: sent again to a speaker who came back
  bool sent;
  double looked, changed; int64_t alive;   // of the folder
};

// ---- the address ----------------------------------------------------------------------------------------------------

static bool is_folder(const char *where) {
  struct stat status;
  return strchr(where, '/') || (stat(where, &status) == 0 && S_ISDIR(status.st_mode));
}

bool follow_is_address(const char *where) { return strchr(where, '@') || is_folder(where); }

// "host", "host:7001", "[fe80::1]:7001".
static bool split_host(char *text, const char **host, int *port, LsErr *err) {
  char *end = *text == '[' ? strchr(text, ']') : text + strcspn(text, ":");
  uint64_t number = SHARE_PORT;
  bool ok = end && (*text != '[' || end > text + 1);
  char *behind = ok ? end + (*text == '[') : NULL;
  if (ok && *behind) ok = *behind == ':' && ls_parse_u64(behind + 1, &number) && number >= 1 && number <= 65535;
  *host = *text == '[' ? text + 1 : text;
  if (ok) *end = 0;
  *port = (int)number;
  return (ok && **host) || ls_fail(err, LS_EREQUEST, "what follows @ is a host, or HOST:PORT");
}

static char *hello_of(const char *word) {
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_member(&json, "word", word);
  ls_json_member_i64(&json, "version", SHARE_VERSION);
  ls_json_close(&json, '}');
  return ls_text_take(&text);
}

static bool open_port(Follow *follow, const char *where, LsErr *err) {
  const char *at = strchr(where, '@'), *host;
  int port;
  if (at - where != SHARE_WORD)
    return ls_fail(err, LS_EREQUEST,
        "before @ stands the word of %d letters that the speaker's screen shows, not '%s'", SHARE_WORD,
                   LS_QUOTE_N(where, (size_t)(at - where)));
  char *word = ls_strndup(where, SHARE_WORD), *hello = hello_of(word), *rest = ls_strdup(at + 1);
  if (split_host(rest, &host, &port, err))
    follow->uplink = uplink_new(&(UplinkTo){.host = host, .port = port, .hello = hello}, err);
  free(word);
  free(hello);
  free(rest);
  return follow->uplink != NULL;
}

static bool draw_number(Follow *follow, LsErr *err) {
  while (!follow->number) {
    if (!ls_random_bytes(&follow->number, sizeof follow->number, err)) return false;
    follow->number >>= 64 - SHARE_NUMBER_BITS;
  }
  return true;
}

Follow *follow_open(const char *where, LsErr *err) {
  Follow *follow = ls_alloc(sizeof *follow);
  follow->where = ls_strdup(where);
  follow->voted = -1;
  follow->ask = -1;
  follow->alive = -1;
  follow->looked = -LOOKS;
  bool ok = draw_number(follow, err);
  if (ok && strchr(where, '@') && !is_folder(where)) ok = open_port(follow, where, err);
  else follow->folder = ls_strdup(where);
  if (ok) return follow;
  follow_close(follow);
  return NULL;
}

void follow_close(Follow *follow) {
  if (!follow) return;
  uplink_free(follow->uplink);
  free(follow->where);
  free(follow->folder);
  free(follow);
}

// ---- votes ----------------------------------------------------------------------------------------------------------

static bool put_file(const Follow *follow, const char *line) {
  char *path = ls_format("%s/votes/%llu", follow->folder, (unsigned long long)follow->number);
  char *aside = ls_format("%s.new", path);
  int fd = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
  size_t size = strlen(line);
  bool ok = fd >= 0 && fchmod(fd, 0644) == 0 && write(fd, line, size) == (ssize_t)size;
  if (fd >= 0 && close(fd) != 0) ok = false;
  if (ok) ok = rename(aside, path) == 0;
  free(path);
  free(aside);
  return ok;
}

static void send_vote(Follow *follow) {
  LsText line = {0};
  share_write_vote(&(ShareVote){follow->number, follow->ask, follow->round, follow->voted}, &line);
  follow->sent = follow->folder ? put_file(follow, ls_text_str(&line)) : uplink_say(follow->uplink, ls_text_str(&line));
  ls_text_free(&line);
}

static bool is_of_this_round(const Follow *follow) {
  const StageStand *stand = &follow->stand;
  return follow->news && stand->open && stand->ask == follow->ask && stand->round == follow->round;
}

int follow_voted(const Follow *follow) { return is_of_this_round(follow) ? follow->voted : -1; }

bool follow_vote(Follow *follow, int option) {
  const StageStand *stand = &follow->stand;
  if (!follow->news || !stand->open || option < 0 || option >= stand->options) return false;
  if (is_of_this_round(follow) && follow->voted == option && follow->sent) return true;
  follow->ask = stand->ask;
  follow->round = stand->round;
  follow->voted = option;
  send_vote(follow);
  return true;
}

// ---- news -----------------------------------------------------------------------------------------------------------

static void refuse(Follow *follow, const char *no) {
  const char *why = strcmp(no, "word") == 0 ? "the speaker's word is another one"
                    : strcmp(no, "full") == 0 ? "there is no room for one more student"
                                              : "the speaker's lanescope is of another version";
  follow->state = FOLLOW_REFUSED;
  snprintf(follow->why, sizeof follow->why, "%.100s: %s", follow->where, why);
}

// A folder tells the same again and again.
static void take_stand(Follow *follow, const StageStand *stand) {
  LsText old = {0}, new = {0};
  stand_write(&follow->stand, &old);
  stand_write(stand, &new);
  if (!follow->news || strcmp(ls_text_str(&old), ls_text_str(&new)) != 0) follow->news++;
  follow->stand = *stand;
  follow->state = FOLLOW_IN;
  ls_text_free(&old);
  ls_text_free(&new);
}

static void take_line(Follow *follow, char *line) {
  LineFields fields;
  char *copy = ls_strdup(line);
  const char *no = line_read(&fields, copy) ? line_text(&fields, "no", STAND_NAME, NULL) : NULL;
  StageStand stand;
  if (no) refuse(follow, no);
  else if (stand_read(&stand, line)) take_stand(follow, &stand);
  free(copy);
}

static void turn_port(Follow *follow) {
  bool was_up = uplink_is_up(follow->uplink);
  uplink_turn(follow->uplink);
  for (char *line; follow->state != FOLLOW_REFUSED && (line = uplink_next(follow->uplink));) take_line(follow, line);
  if (follow->state == FOLLOW_REFUSED) return;
  bool up = uplink_is_up(follow->uplink);
  if (!was_up || !up) follow->sent = false;      // the speaker may be another process, which has not heard it
  if (!up) follow->state = FOLLOW_SEEKS, snprintf(follow->why, sizeof follow->why, "%s", uplink_why(follow->uplink));
}

static int64_t alive_of(const char *text) {
  LineFields fields;
  char *copy = ls_strdup(text);
  int64_t alive = line_read(&fields, copy) ? line_number(&fields, "alive", 0, INT64_MAX, -1) : -1;
  free(copy);
  return alive;
}

static void turn_folder(Follow *follow) {
  double now = ls_clock();
  if (now - follow->looked < LOOKS) return;
  follow->looked = now;
  char *path = ls_path_join(follow->folder, "speaker"), *text = ls_file_read(path, STAND_LINE, NULL, NULL);
  free(path);
  if (text) text[strcspn(text, "\n")] = 0;
  int64_t alive = text ? alive_of(text) : -1;
  if (alive >= 0 && alive != follow->alive) {
    follow->alive = alive;
    follow->changed = now;
    take_line(follow, text);
  }
  bool here = alive >= 0 && now - follow->changed <= UPLINK_SILENT;
  if (!here) follow->state = FOLLOW_SEEKS, snprintf(follow->why, sizeof follow->why, "nobody speaks in the folder");
  free(text);
}

void follow_turn(Follow *follow) {
  if (follow->state == FOLLOW_REFUSED) return;
  if (follow->folder) turn_folder(follow);
  else turn_port(follow);
  if (follow->state == FOLLOW_IN && is_of_this_round(follow) && !follow->sent && follow->voted >= 0) send_vote(follow);
}

FollowState follow_state(const Follow *follow) { return follow->state; }
const char *follow_why(const Follow *follow) { return follow->why; }
int follow_fd(const Follow *follow) { return follow->uplink ? uplink_fd(follow->uplink) : 0; }
const StageStand *follow_stand(const Follow *follow) { return follow->news ? &follow->stand : NULL; }
uint64_t follow_news(const Follow *follow) { return follow->news; }
