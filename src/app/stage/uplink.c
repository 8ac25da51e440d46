// uplink.c: one connection that does not block, and the time of the next attempt.
#include "app/stage/uplink.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/stage/line.h"
#include "app/stage/runtime.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"

struct Uplink {
  char *name, *hello;
  struct addrinfo *addresses, *address;    // of the host; the one that is tried next
  int fd;                                  // -1: none
  bool connecting, up;
  double next_attempt, heard;
  char why[128];
  LineReader reader;
};

void uplink_drop(Uplink *uplink) {
  if (uplink->fd >= 0) close(uplink->fd);
  uplink->fd = -1;
  uplink->connecting = uplink->up = false;
  // Whoever lost the same speaker does not come back at the same moment.
  double share = (double)(getpid() % 97) / 97;
  uplink->next_attempt = ls_clock() + UPLINK_AGAIN * (1 + share);
  line_reader_fini(&uplink->reader);
  line_reader_init(&uplink->reader, LINE_MOST);
}

static void fail(Uplink *uplink, int error) {
  snprintf(uplink->why, sizeof uplink->why, "%s", strerror(error));
  if (uplink->address && !(uplink->address = uplink->address->ai_next)) uplink->address = uplink->addresses;
  uplink_drop(uplink);
}

static void begin(Uplink *uplink) {
  uplink->connecting = false;
  uplink->up = true;
  uplink->why[0] = 0;
  uplink->heard = ls_clock();
  if (uplink->hello && !uplink_say(uplink, uplink->hello)) uplink_drop(uplink);
}

static void start_tcp(Uplink *uplink) {
  const struct addrinfo *address = uplink->address;
  int on = 1;
  uplink->fd = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (uplink->fd < 0) {
    fail(uplink, errno);
    return;
  }
  setsockopt(uplink->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  uplink->connecting = true;
  uplink->heard = ls_clock();
  if (connect(uplink->fd, address->ai_addr, address->ai_addrlen) == 0) begin(uplink);
  else if (errno != EINPROGRESS) fail(uplink, errno);
}

static void start(Uplink *uplink) {
  if (ls_clock() < uplink->next_attempt) return;
  if (uplink->addresses) {
    start_tcp(uplink);
    return;
  }
  uplink->fd = runtime_connect(uplink->name);
  if (uplink->fd >= 0) begin(uplink);
  else fail(uplink, ENOENT);
}

// Whether a connection that was begun is there.
static void look(Uplink *uplink) {
  struct pollfd polled = {uplink->fd, POLLOUT, 0};
  int error = 0;
  socklen_t size = sizeof error;
  if (poll(&polled, 1, 0) <= 0) return;
  getsockopt(uplink->fd, SOL_SOCKET, SO_ERROR, &error, &size);
  if (error) fail(uplink, error);
  else begin(uplink);
}

static void receive(Uplink *uplink) {
  char bytes[LINE_MOST];
  for (size_t room; (room = line_reader_room(&uplink->reader));) {
    ssize_t size = recv(uplink->fd, bytes, LS_MIN(sizeof bytes, room), MSG_DONTWAIT);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (size <= 0) {
      uplink->up = false;                    // what came before its end is still read
      return;
    }
    uplink->heard = ls_clock();
    line_feed(&uplink->reader, bytes, (size_t)size);
  }
}

void uplink_turn(Uplink *uplink) {
  if (uplink->fd < 0) start(uplink);
  if (uplink->connecting) look(uplink);
  if (uplink->up) receive(uplink);
  if (uplink->fd >= 0 && ls_clock() - uplink->heard > UPLINK_SILENT) fail(uplink, ETIMEDOUT);
}

char *uplink_next(Uplink *uplink) {
  for (char *line; (line = line_next(&uplink->reader));)
    if (*line) return line;                // an empty one is a sign of life
  if (uplink->reader.broken || (uplink->fd >= 0 && !uplink->up && !uplink->connecting)) fail(uplink, ECONNRESET);
  return NULL;
}

bool uplink_is_up(const Uplink *uplink) { return uplink->up; }
const char *uplink_why(const Uplink *uplink) { return uplink->why; }
int uplink_fd(const Uplink *uplink) { return uplink->up && uplink->fd > 0 ? uplink->fd : 0; }

bool uplink_say(Uplink *uplink, const char *line) {
  if (!uplink->up) return false;
  char *whole = ls_format("%s\n", line);
  ssize_t size = (ssize_t)strlen(whole), sent = send(uplink->fd, whole, (size_t)size, MSG_NOSIGNAL | MSG_DONTWAIT);
  free(whole);
  if (sent == size) return true;
  if (sent > 0) uplink_drop(uplink);           // half a line is worse than none
  return false;
}

static bool look_up(Uplink *uplink, const UplinkTo *to, LsErr *err) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
  char port[16];
  snprintf(port, sizeof port, "%d", to->port);
  int error = getaddrinfo(to->host, port, &hints, &uplink->addresses);
  if (error) return ls_fail(err, LS_EREQUEST, "there is no host '%s': %s", LS_QUOTE(to->host), gai_strerror(error));
  uplink->address = uplink->addresses;
  return true;
}

Uplink *uplink_new(const UplinkTo *to, LsErr *err) {
  Uplink *uplink = ls_alloc(sizeof *uplink);
  uplink->fd = -1;
  line_reader_init(&uplink->reader, LINE_MOST);
  if (to->name) uplink->name = ls_strdup(to->name);
  if (to->hello) uplink->hello = ls_strdup(to->hello);
  if (!to->host || look_up(uplink, to, err)) return uplink;
  uplink_free(uplink);
  return NULL;
}

void uplink_free(Uplink *uplink) {
  if (!uplink) return;
  if (uplink->fd >= 0) close(uplink->fd);
  if (uplink->addresses) freeaddrinfo(uplink->addresses);
  line_reader_fini(&uplink->reader);
  free(uplink->name);
  free(uplink->hello);
  free(uplink);
}
