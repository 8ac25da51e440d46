// share.c: the port of a shared demo, the word that opens it, and the votes.
#include "app/stage/share.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/stage/share_parts.h"
#include "base/digest.h"
#include "base/json.h"
#include "base/mem.h"

// ---- votes ----------------------------------------------------------------------------------------------------------

void share_write_vote(const ShareVote *vote, LsText *line) {
  LsJson json;
  ls_json_init(&json, line);
  ls_json_open(&json, '{');
  ls_json_member_u64(&json, "number", vote->number);
  ls_json_member_i64(&json, "ask", vote->ask);
  ls_json_member_i64(&json, "round", vote->round);
  ls_json_member_i64(&json, "option", vote->option);
  ls_json_close(&json, '}');
}

static bool read_vote(ShareVote *vote, const LineFields *fields) {
  int64_t number = line_number(fields, "number", 1, (1ll << SHARE_NUMBER_BITS) - 1, 0);
  *vote = (ShareVote){(uint64_t)number, (int)line_number(fields, "ask", 0, TALK_QUESTIONS - 1, -1),
                      (int)line_number(fields, "round", 0, VOTE_ROUNDS - 1, -1),
                      (int)line_number(fields, "option", 0, VOTE_OPTIONS - 1, -1)};
  return number && vote->ask >= 0 && vote->round >= 0 && vote->option >= 0;
}

bool share_read_vote(ShareVote *vote, char *line) {
  LineFields fields;
  return line_read(&fields, line) && read_vote(vote, &fields);
}

bool share_cast(Share *share, const ShareVote *vote) {
  pthread_mutex_lock(&share->mutex);
  bool counted = ballot_cast(&share->ballot, vote->ask, vote->round, vote->number, vote->option);
  pthread_mutex_unlock(&share->mutex);
  return counted;
}

void share_count(Share *share, int ask, int round, int counts[VOTE_OPTIONS]) {
  pthread_mutex_lock(&share->mutex);
  ballot_count(&share->ballot, ask, round, counts);
  pthread_mutex_unlock(&share->mutex);
}

// ---- the door -------------------------------------------------------------------------------------------------------

static bool let_in(const Share *share, HubListener *listener, const LineFields *fields, const char **reply) {
  if (line_number(fields, "version", 0, 1 << 20, -1) != SHARE_VERSION) return *reply = "{\"no\": \"version\"}\n", false;
  if (strcasecmp(line_text(fields, "word", SHARE_WORD, ""), share->word) != 0)
    return *reply = "{\"no\": \"word\"}\n", false;
  return listener->is_in = true;
}

// On the hub's thread. One number a connection; a vote that is too late is no offense.
static bool hear(void *context, HubListener *listener, char *line, const char **reply) {
  Share *share = context;
  LineFields fields;
  ShareVote vote;
  if (!line_read(&fields, line)) return false;
  if (!listener->is_in) return let_in(share, listener, &fields, reply);
  if (!read_vote(&vote, &fields) || (listener->number && listener->number != vote.number)) return false;
  listener->number = vote.number;
  share_cast(share, &vote);
  return true;
}

// A word that can be said aloud.
static bool make_word(char word[SHARE_WORD + 1], LsErr *err) {
  static const char consonants[] = "bdglmnprstv", vowels[] = "aeiou";
  uint8_t bytes[SHARE_WORD];
  if (!ls_random_bytes(bytes, sizeof bytes, err)) return false;
  for (int i = 0; i < SHARE_WORD; i++)
    word[i] = i % 2 ? vowels[bytes[i] % strlen(vowels)] : consonants[bytes[i] % strlen(consonants)];
  return true;
}

// ---- the port -------------------------------------------------------------------------------------------------------

// All addresses of this machine, by both protocols where there are both. -1 with errno.
static int listen_on(int port) {
  struct sockaddr_in6 both = {.sin6_family = AF_INET6, .sin6_addr = in6addr_any, .sin6_port = htons((uint16_t)port)};
  struct sockaddr_in old = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  int fd = socket(AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1, off = 0;
  bool six = fd >= 0;
  if (!six) fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (six) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  bool bound = six ? bind(fd, (struct sockaddr *)&both, sizeof both) == 0 : bind(fd, (struct sockaddr *)&old, sizeof old) == 0;
  if (bound && listen(fd, HUB_MOST) == 0) return fd;
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

// The first address that is not this machine's own to itself.
static bool own_address(char out[INET_ADDRSTRLEN]) {
  struct ifaddrs *all;
  bool found = false;
  if (getifaddrs(&all) != 0) return false;
  for (const struct ifaddrs *at = all; at && !found; at = at->ifa_next) {
    bool fits = at->ifa_addr && at->ifa_addr->sa_family == AF_INET && (at->ifa_flags & IFF_UP) && !(at->ifa_flags & IFF_LOOPBACK);
    const struct sockaddr_in *address = (const void *)at->ifa_addr;
    found = fits && inet_ntop(AF_INET, &address->sin_addr, out, INET_ADDRSTRLEN);
  }
  freeifaddrs(all);
  return found;
}

// Whether others are led here by the name, as far as this machine knows.
static bool leads_here(const char *name) {
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found;
  if (getaddrinfo(name, NULL, &hints, &found) != 0) return false;
  const struct sockaddr_in *address = (const void *)found->ai_addr;
  bool own = ntohl(address->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
  freeaddrinfo(found);
  return !own;
}

static void host_name(char out[256]) {
  if (gethostname(out, 255) != 0) out[0] = 0;
  out[255] = 0;
  if (out[0] && leads_here(out)) return;
  if (!own_address(out)) snprintf(out, 256, "localhost");
}

static int find_port(const char *where, int *port, LsErr *err) {
  uint64_t asked = 0;
  bool given = where && *where;
  if (given && (!ls_parse_u64(where, &asked) || asked < 1 || asked > 65535))
    return ls_fail(err, LS_EREQUEST, "a port is a number from 1 to 65535, not %s", LS_QUOTE(where)), -1;
  int fd = -1;
  *port = given ? (int)asked : SHARE_PORT;
  for (int i = 0; fd < 0 && i < (given ? 1 : SHARE_PORTS); i++) {
    if (i) ++*port;
    fd = listen_on(*port);
  }
  if (fd < 0) ls_fail(err, LS_EREQUEST, "port %d cannot be opened: %s; --share=PORT takes another", *port, strerror(errno));
  return fd;
}

static bool open_port(Share *share, const char *where, LsErr *err) {
  char host[256], behind[16] = "";
  int port, fd;
  if (!make_word(share->word, err) || (fd = find_port(where, &port, err)) < 0) return false;
  host_name(host);
  if (port != SHARE_PORT) snprintf(behind, sizeof behind, ":%d", port);
  share->invitation = ls_format("%s@%s%s", share->word, host, behind);
  share->hub = hub_open(&(HubOptions){.socket = fd, .hear = hear, .context = share});
  return share->hub || ls_fail(err, LS_EIO, "the system has no thread for students");
}

// ---- all of it ------------------------------------------------------------------------------------------------------

static bool is_port(const char *where) { return !where || where[strspn(where, "0123456789")] == 0; }

Share *share_open(const char *where, LsErr *err) {
  Share *share = ls_alloc(sizeof *share);
  pthread_mutex_init(&share->mutex, NULL);
  bool ok = is_port(where) ? open_port(share, where, err) : (share->folder = share_folder_open(share, where, err)) != NULL;
  if (ok) return share;
  share_close(share);
  return NULL;
}

void share_close(Share *share) {
  if (!share) return;
  hub_close(share->hub);
  share_folder_close(share->folder);
  ballot_fini(&share->ballot);
  pthread_mutex_destroy(&share->mutex);
  ls_text_free(&share->line);
  free(share->invitation);
  free(share);
}

const char *share_invitation(const Share *share) { return share->invitation; }
int share_students(Share *share) { return share->hub ? hub_count(share->hub).listeners : share_folder_students(share->folder); }
uint64_t share_bytes(Share *share) { return share->hub ? hub_count(share->hub).bytes : share_folder_bytes(share->folder); }

void share_tell(Share *share, const Stand *stand) {
  LsText line = {0};
  stand_write(stand, &line);
  if (strcmp(ls_text_str(&line), ls_text_str(&share->line)) == 0) {
    ls_text_free(&line);
    return;
  }
  pthread_mutex_lock(&share->mutex);
  ballot_open(&share->ballot, stand->ask, stand->round, stand->open ? stand->options : 0);
  pthread_mutex_unlock(&share->mutex);
  if (share->hub) hub_tell(share->hub, ls_text_str(&line));
  else share_folder_tell(share->folder, ls_text_str(&line));
  ls_text_free(&share->line);
  share->line = line;
}
