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
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/stage/share_parts.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/mem.h"

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
  if (!share_vote_of(&vote, &fields) || (listener->number && listener->number != vote.number)) return false;
  listener->number = vote.number;
  share_cast(share, &vote);
  return true;
}

static const char consonants[] = "bdglmnprstv", vowels[] = "aeiou";

static char *word_path(void) { return ls_xdg_path("STATE", "demo.word"); }

// A word that can be said aloud.
static bool make_word(char word[SHARE_WORD + 1], LsErr *err) {
  uint8_t bytes[SHARE_WORD];
  if (!ls_random_bytes(bytes, sizeof bytes, err)) return false;
  for (int i = 0; i < SHARE_WORD; i++)
    word[i] = i % 2 ? vowels[bytes[i] % strlen(vowels)] : consonants[bytes[i] % strlen(consonants)];
  return true;
}

// That of a talk that ended without being told to, a short time ago: its students find back by it.
static bool lost_word(char word[SHARE_WORD + 1]) {
  enum { TALK_MOST = 3 * 3600 };
  char *path = word_path(), *text = ls_file_read(path, SHARE_WORD + 1, NULL, NULL);
  struct stat status;
  bool ok = text && stat(path, &status) == 0 && time(NULL) - status.st_mtime < TALK_MOST && strlen(text) == SHARE_WORD;
  for (int i = 0; ok && i < SHARE_WORD; i++) ok = strchr(i % 2 ? vowels : consonants, text[i]) != NULL;
  if (ok) memcpy(word, text, SHARE_WORD + 1);
  free(text);
  free(path);
  return ok;
}

static bool choose_word(Share *share, LsErr *err) {
  LsErr unimportant;
  if (!lost_word(share->word) && !make_word(share->word, err)) return false;
  char *path = word_path(), *folder = ls_xdg_path("STATE", "");
  // Else the next one is new.
  if (ls_make_dirs(folder, &unimportant)) ls_file_write(path, share->word, SHARE_WORD, NULL);
  free(folder);
  free(path);
  return true;
}

static void forget_word(void) {
  char *path = word_path();
  unlink(path);
  free(path);
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
  int failed = six ? bind(fd, (struct sockaddr *)&both, sizeof both) : bind(fd, (struct sockaddr *)&old, sizeof old);
  if (!failed && listen(fd, HUB_MOST) == 0) return fd;
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
    bool fits = at->ifa_addr && at->ifa_addr->sa_family == AF_INET && (at->ifa_flags & IFF_UP) &&
        !(at->ifa_flags & IFF_LOOPBACK);
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
  if (fd < 0)
    ls_fail(err, LS_EREQUEST, "port %d cannot be opened: %s; --share=PORT takes another", *port, strerror(errno));
  return fd;
}

static bool open_port(Share *share, const char *where, LsErr *err) {
  char host[256], behind[16] = "";
  int port, fd;
  if (!choose_word(share, err) || (fd = find_port(where, &port, err)) < 0) return false;
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
  if (!is_port(where)) share->folder = share_folder_open(share, where, err);
  if (share->folder || (is_port(where) && open_port(share, where, err))) return share;
  share_close(share);
  return NULL;
}

void share_close(Share *share) {
  if (!share) return;
  if (share->hub) forget_word();
  hub_close(share->hub);
  share_folder_close(share->folder);
  ballot_fini(&share->ballot);
  pthread_mutex_destroy(&share->mutex);
  ls_text_free(&share->line);
  free(share->invitation);
  free(share);
}

const char *share_invitation(const Share *share) { return share->invitation; }

int share_students(Share *share) {
  return share->hub ? hub_count(share->hub).listeners : share_folder_students(share->folder);
}

uint64_t share_bytes(Share *share) {
  return share->hub ? hub_count(share->hub).bytes : share_folder_bytes(share->folder);
}

void share_tell(Share *share, const StageStand *stand) {
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
