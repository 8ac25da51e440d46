// hub.c: poll over all listeners; the newest line goes out to whoever takes it.
#include "app/stage/hub.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/stage/line.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/text.h"

enum {
  ACCEPTS = 32,                // at a time
  SEND_ROOM = 16 << 10,        // bytes that the system keeps for one listener: it is to see news, no past
};

typedef struct Client {
  int fd;
  HubListener listener;
  LineReader reader;
  uint64_t told;               // the newest line that it has, or has the beginning of
  char *rest; size_t rest_length, rest_sent;   // of a line that was taken in part; NULL: none
  bool waits;                  // it takes nothing now
  double came, moved, beat;    // seconds of the clock: when it came, took something, had its last line
  double credit, credited;     // lines that it may say now
} Client;

struct Hub {
  HubOptions options;
  pthread_t thread;
  int wake[2];
  pthread_mutex_t mutex;       // over what follows
  LsText line; uint64_t lines;
  bool ends;
  HubCount count;
  // the thread's own
  Client *clients; int client_count, client_capacity;
  struct pollfd *polled;
  LsText newest; uint64_t number;
  double now, accepts_from;    // no descriptor was left: it tries again then
};

// ---- sending --------------------------------------------------------------------------------------------------------

static void count_sent(Hub *hub, size_t bytes) {
  pthread_mutex_lock(&hub->mutex);
  hub->count.bytes += bytes;
  pthread_mutex_unlock(&hub->mutex);
}

// How many bytes it took; -1: it is gone.
static ssize_t put(Hub *hub, Client *client, const char *bytes, size_t size) {
  ssize_t sent = send(client->fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return -1;
  client->waits = sent < (ssize_t)size;
  if (sent <= 0) return 0;
  client->moved = hub->now;
  count_sent(hub, (size_t)sent);
  return sent;
}

static void keep_rest(Client *client, const char *line, size_t size, size_t sent) {
  client->rest = ls_strndup(line, size);
  client->rest_length = size;
  client->rest_sent = sent;
}

static bool put_rest(Hub *hub, Client *client) {
  ssize_t sent = put(hub, client, client->rest + client->rest_sent, client->rest_length - client->rest_sent);
  if (sent < 0) return false;
  client->rest_sent += (size_t)sent;
  if (client->rest_sent < client->rest_length) return true;
  free(client->rest);
  client->rest = NULL;
  return true;
}

static bool put_line(Hub *hub, Client *client, const char *line, size_t size) {
  ssize_t sent = put(hub, client, line, size);
  if (sent < 0) return false;
  if (sent == 0) return true;              // all of it, or one that is newer by then, when it takes something again
  client->told = hub->number;
  client->beat = hub->now;
  if ((size_t)sent < size) keep_rest(client, line, size, (size_t)sent);
  return true;
}

// What it has not got yet. False: it is gone.
static bool serve(Hub *hub, Client *client) {
  if (client->rest && !put_rest(hub, client)) return false;
  if (client->rest || !client->listener.is_in) return true;
  if (client->told != hub->number) return put_line(hub, client, ls_text_str(&hub->newest), hub->newest.length);
  if (hub->now - client->beat < HUB_BEAT) return true;
  client->beat = hub->now;
  return put_line(hub, client, "\n", 1);
}

// ---- hearing --------------------------------------------------------------------------------------------------------

static bool may_speak(Hub *hub, Client *client) {
  double earned = (hub->now - client->credited) * HUB_RATE;
  client->credit = LS_MIN(client->credit + earned, (double)HUB_BURST);
  client->credited = hub->now;
  if (client->credit < 1) return false;
  client->credit--;
  return true;
}

static bool hear(Hub *hub, Client *client, char *line) {
  const char *reply = NULL;
  if (!may_speak(hub, client)) return false;
  if (!*line) return true;                 // a sign of life
  bool stays = hub->options.hear && hub->options.hear(hub->options.context, &client->listener, line, &reply);
  if (reply) put(hub, client, reply, strlen(reply));
  return stays;
}

// One reading at a time, so that all have their turn. False: it is gone, or breaks a bound.
static bool listen_to(Hub *hub, Client *client, bool *broke) {
  char bytes[HUB_SAYS];
  ssize_t size = recv(client->fd, bytes, LS_MIN(sizeof bytes, line_reader_room(&client->reader)), MSG_DONTWAIT);
  if (size < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
  if (size == 0) return false;
  line_feed(&client->reader, bytes, (size_t)size);
  for (char *line; (line = line_next(&client->reader));)
    if (!hear(hub, client, line)) return *broke = true, false;
  return *broke = client->reader.broken, !client->reader.broken;
}

// ---- who is there ---------------------------------------------------------------------------------------------------

static void drop(Hub *hub, int index) {
  Client *client = &hub->clients[index];
  close(client->fd);
  free(client->rest);
  line_reader_fini(&client->reader);
  hub->clients[index] = hub->clients[--hub->client_count];
}

// How long the system tries to reach one that does not answer any more, and how much it keeps for it.
static void set_up_socket(int fd) {
  int on = 1, room = SEND_ROOM;
  unsigned lost_after = HUB_STUCK * 1000;
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);   // refused where it is no TCP, as it should be
  setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &lost_after, sizeof lost_after);
}

static void admit(Hub *hub, int fd) {
  static const char full[] = "{\"no\": \"full\"}\n";
  if (hub->client_count == HUB_MOST) {
    send(fd, full, strlen(full), MSG_NOSIGNAL | MSG_DONTWAIT);
    close(fd);
    return;
  }
  set_up_socket(fd);
  Client client = {.fd = fd, .listener.is_in = !hub->options.hear, .came = hub->now, .moved = hub->now,
                   .beat = hub->now, .credit = HUB_BURST, .credited = hub->now};
  line_reader_init(&client.reader, HUB_SAYS);
  LS_PUSH(hub->clients, hub->client_count, hub->client_capacity, client);
}

static void accept_all(Hub *hub) {
  for (int i = 0; i < ACCEPTS; i++) {
    int fd = accept4(hub->options.socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0 && (errno == EMFILE || errno == ENFILE)) hub->accepts_from = hub->now + 1;
    if (fd < 0) return;
    admit(hub, fd);
  }
}

static bool is_too_late(const Hub *hub, const Client *client) {
  bool stuck = client->waits && hub->now - client->moved > HUB_STUCK;
  return stuck || (!client->listener.is_in && hub->now - client->came > HUB_GREETS);
}

// ---- the thread -----------------------------------------------------------------------------------------------------

static void update_count(Hub *hub, int dropped) {
  int listeners = 0;
  for (int i = 0; i < hub->client_count; i++) listeners += hub->clients[i].listener.is_in;
  pthread_mutex_lock(&hub->mutex);
  hub->count.listeners = listeners;
  hub->count.dropped += (uint64_t)dropped;
  pthread_mutex_unlock(&hub->mutex);
}

// The newest line; false: this is the end.
static bool look_at_speaker(Hub *hub) {
  char bytes[64];
  while (read(hub->wake[0], bytes, sizeof bytes) > 0) continue;
  pthread_mutex_lock(&hub->mutex);
  if (hub->number != hub->lines) {
    ls_text_clear(&hub->newest);
    ls_text_addf(&hub->newest, "%s\n", ls_text_str(&hub->line));
    hub->number = hub->lines;
  }
  bool ends = hub->ends;
  pthread_mutex_unlock(&hub->mutex);
  return !ends;
}

static void wait_for_news(Hub *hub) {
  enum { AHEAD = 2 };
  struct pollfd *polled = hub->polled;
  polled[0] = (struct pollfd){hub->wake[0], POLLIN, 0};
  polled[1] = (struct pollfd){hub->now < hub->accepts_from ? -1 : hub->options.socket, POLLIN, 0};
  for (int i = 0; i < hub->client_count; i++) {
    short events = hub->clients[i].waits ? POLLIN | POLLOUT : POLLIN;
    polled[AHEAD + i] = (struct pollfd){hub->clients[i].fd, events, 0};
  }
  bool timed = hub->client_count || polled[1].fd < 0;
  poll(polled, (nfds_t)(AHEAD + hub->client_count), timed ? 1000 : -1);
  hub->now = ls_clock();
}

static void *run(void *context) {
  enum { AHEAD = 2 };
  Hub *hub = context;
  for (;;) {
    int dropped = 0;
    wait_for_news(hub);
    if (!look_at_speaker(hub)) return NULL;
    for (int i = hub->client_count - 1; i >= 0; i--) {   // from the back: who is dropped gives its place to one seen
      Client *client = &hub->clients[i];
      bool broke = false, heard = !(hub->polled[AHEAD + i].revents & ~POLLOUT) || listen_to(hub, client, &broke);
      if (heard && is_too_late(hub, client)) broke = true;
      bool stays = heard && !broke && serve(hub, client);
      dropped += broke;
      if (!stays) drop(hub, i);
    }
    if (hub->polled[1].revents) accept_all(hub);
    for (int i = hub->client_count - 1; i >= 0; i--)     // who just came, and what came while the others were served
      if (hub->clients[i].told != hub->number && !hub->clients[i].waits && !serve(hub, &hub->clients[i])) drop(hub, i);
    update_count(hub, dropped);
  }
}

static void wake(Hub *hub) {
  ssize_t written = write(hub->wake[1], "", 1);   // a full pipe wakes as well
  (void)written;
}

static bool start(Hub *hub) {
  sigset_t all, old;
  if (pipe2(hub->wake, O_CLOEXEC | O_NONBLOCK) != 0) return false;
  sigfillset(&all);                               // signals are for the thread of the screen
  pthread_sigmask(SIG_SETMASK, &all, &old);
  bool ok = pthread_create(&hub->thread, NULL, run, hub) == 0;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  if (!ok) close(hub->wake[0]), close(hub->wake[1]);
  return ok;
}

Hub *hub_open(const HubOptions *options) {
  Hub *hub = ls_alloc(sizeof *hub);
  hub->options = *options;
  hub->polled = ls_alloc(sizeof *hub->polled * (HUB_MOST + 2));
  hub->now = ls_clock();
  pthread_mutex_init(&hub->mutex, NULL);
  if (start(hub)) return hub;
  pthread_mutex_destroy(&hub->mutex);
  close(options->socket);
  free(hub->polled);
  free(hub);
  return NULL;
}

void hub_close(Hub *hub) {
  if (!hub) return;
  pthread_mutex_lock(&hub->mutex);
  hub->ends = true;
  pthread_mutex_unlock(&hub->mutex);
  wake(hub);
  pthread_join(hub->thread, NULL);
  while (hub->client_count) drop(hub, hub->client_count - 1);
  close(hub->options.socket);
  close(hub->wake[0]);
  close(hub->wake[1]);
  pthread_mutex_destroy(&hub->mutex);
  ls_text_free(&hub->line);
  ls_text_free(&hub->newest);
  free(hub->clients);
  free(hub->polled);
  free(hub);
}

void hub_tell(Hub *hub, const char *line) {
  pthread_mutex_lock(&hub->mutex);
  ls_text_clear(&hub->line);
  ls_text_add(&hub->line, line);
  hub->lines++;
  pthread_mutex_unlock(&hub->mutex);
  wake(hub);
}

HubCount hub_count(Hub *hub) {
  pthread_mutex_lock(&hub->mutex);
  HubCount count = hub->count;
  pthread_mutex_unlock(&hub->mutex);
  return count;
}
