// runtime.c: the folder of the user's sockets, their locks, and both of their ends.
#include "app/stage/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"

enum { NAME_MOST = 40, WAITING_MOST = 16 };

bool runtime_name_fits(const char *name, LsErr *err) {
  return ls_is_name(name, NAME_MOST) ||
         ls_fail(err, LS_EREQUEST, "'%s' is no name of notes: letters, digits, - and _, at most %d of them",
                 LS_QUOTE(name), NAME_MOST);
}

// Where it may lie: the system's own folder for the user, as the variable says or as it is named, and one below /tmp.
enum { PLACES = 3 };
static char *place(int index) {
  const char *given = getenv("XDG_RUNTIME_DIR");
  unsigned user = (unsigned)getuid();
  if (index == 0) return given && *given == '/' ? ls_format("%s/lanescope", given) : NULL;
  return index == 1 ? ls_format("/run/user/%u/lanescope", user) : ls_format("/tmp/lanescope-%u", user);
}

// A folder that is the user's own, and closed to others.
static bool is_private(const char *folder) {
  struct stat status;
  return lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == getuid() && !(status.st_mode & 077);
}

static char *make_folder(LsErr *err) {
  char *folder = place(0);
  if (!folder) folder = place(2);
  if (mkdir(folder, 0700) != 0 && errno != EEXIST)
    ls_fail(err, LS_EIO, "the folder %s for notes cannot be made: %s", LS_QUOTE_PATH(folder), strerror(errno));
  else if (!is_private(folder))
    ls_fail(err, LS_EREQUEST, "%s is not a folder of your own that others cannot open (mode 0700): remove it, or set "
            "XDG_RUNTIME_DIR", LS_QUOTE_PATH(folder));
  else return folder;
  free(folder);
  return NULL;
}

static bool address_of(const char *path, struct sockaddr_un *address) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address->sun_path) return false;
  memcpy(address->sun_path, path, strlen(path) + 1);
  return true;
}

static bool listen_at(const char *path, int *fd, LsErr *err) {
  struct sockaddr_un address;
  if (!address_of(path, &address))
    return ls_fail(err, LS_EREQUEST, "%s is too long for a socket: set XDG_RUNTIME_DIR to a shorter one",
        LS_QUOTE_PATH(path));
  unlink(path);                                     // of a program that crashed: its lock is ours
  *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  bool ok = *fd >= 0 && bind(*fd, (struct sockaddr *)&address, sizeof address) == 0 && chmod(path, 0600) == 0 &&
            listen(*fd, WAITING_MOST) == 0;
  if (ok) return true;
  ls_fail(err, LS_EIO, "%s: no socket: %s", LS_QUOTE_PATH(path), strerror(errno));
  if (*fd >= 0) close(*fd);
  return false;
}

RuntimeTaken runtime_listen(const char *name, RuntimeSocket *socket, LsErr *err) {
  *socket = (RuntimeSocket){-1, -1, NULL};
  char *folder = runtime_name_fits(name, err) ? make_folder(err) : NULL;
  if (!folder) return RUNTIME_FAILED;
  char *guard = ls_format("%s/%s.lock", folder, name);
  socket->path = ls_format("%s/%s", folder, name);
  socket->lock = open(guard, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  bool taken = socket->lock >= 0 && flock(socket->lock, LOCK_EX | LOCK_NB) != 0;
  if (socket->lock < 0) ls_fail(err, LS_EIO, "%s: %s", LS_QUOTE_PATH(guard), strerror(errno));
  bool ok = socket->lock >= 0 && !taken && listen_at(socket->path, &socket->fd, err);
  free(guard);
  free(folder);
  if (ok) return RUNTIME_OPEN;
  if (socket->lock >= 0) close(socket->lock);
  free(socket->path);
  *socket = (RuntimeSocket){-1, -1, NULL};
  return taken ? RUNTIME_TAKEN : RUNTIME_FAILED;
}

void runtime_close(RuntimeSocket *socket) {
  if (!socket->path) return;
  unlink(socket->path);                             // the file of the lock stays: another program may wait for it
  if (socket->fd >= 0) close(socket->fd);
  close(socket->lock);
  free(socket->path);
  *socket = (RuntimeSocket){-1, -1, NULL};
}

static int connect_at(const char *folder, const char *name) {
  struct sockaddr_un address;
  char *path = ls_format("%s/%s", folder, name);
  bool fits = is_private(folder) && address_of(path, &address);
  int fd = fits ? socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0) : -1;
  free(path);
  if (fd >= 0 && connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

int runtime_connect(const char *name) {
  int fd = -1;
  for (int i = 0; i < PLACES && fd < 0; i++) {
    char *folder = place(i);
    if (folder) fd = connect_at(folder, name);
    free(folder);
  }
  return fd;
}
