// share_folder.c: a folder that all see in the place of a port: files written whole, by a thread of their own.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/stage/share_parts.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"

enum {
  LOOKS_MS = 400,              // between two looks at the votes; a stand is not written more often than half of that
  OPEN_TO_READ = 0755, OPEN_TO_PUT = 01733,
};

struct ShareFolder {
  Share *share;
  char *votes, *speaker;
  int lock;
  pthread_t thread; bool runs;
  pthread_mutex_t mutex; pthread_cond_t news;   // over what follows
  LsText line; bool is_new, ends;
  int students; uint64_t bytes;
  // the thread's own
  uint64_t alive;
  double written;
};

// ---- where the speaker stands ---------------------------------------------------------------------------------------

// Whole or not at all: who reads meanwhile has the old one.
static bool write_whole(const char *path, const LsText *text) {
  char *aside = ls_format("%s.%ld", path, (long)getpid());
  unlink(aside);
  int fd = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  bool ok = fd >= 0 && fchmod(fd, 0644) == 0 && write(fd, ls_text_str(text), text->length) == (ssize_t)text->length;
  if (fd >= 0 && close(fd) != 0) ok = false;
  if (ok) ok = rename(aside, path) == 0;
  if (!ok) unlink(aside);
  free(aside);
  return ok;
}

// The stand with a number that counts on: {"alive":7,"scene":2,...}
static bool write_stand(ShareFolder *folder, const char *line) {
  LsText text = {0};
  ls_text_addf(&text, "{\"alive\":%llu,%s\n", (unsigned long long)++folder->alive, line + 1);
  bool ok = write_whole(folder->speaker, &text);
  pthread_mutex_lock(&folder->mutex);
  folder->bytes += text.length;
  pthread_mutex_unlock(&folder->mutex);
  ls_text_free(&text);
  folder->written = ls_clock();
  return ok;
}

// ---- votes ----------------------------------------------------------------------------------------------------------

// A file of a student: a line of so many bytes, and no link, pipe or the like.
static bool read_vote_file(int votes, const char *name, ShareVote *vote) {
  char line[HUB_SAYS + 1];
  struct stat status;
  int fd = openat(votes, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  bool plain = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= HUB_SAYS;
  ssize_t size = plain ? read(fd, line, HUB_SAYS) : -1;
  close(fd);
  if (size <= 0 || memchr(line, 0, (size_t)size)) return false;
  line[size] = 0;
  line[strcspn(line, "\n")] = 0;
  return share_read_vote(vote, line);
}

// A vote belongs in the file of its number, so that nobody has two.
static bool is_named_after(const char *name, const ShareVote *vote) {
  char own[32];
  snprintf(own, sizeof own, "%llu", (unsigned long long)vote->number);
  return strcmp(name, own) == 0;
}

static void read_votes(ShareFolder *folder) {
  int count = 0, looked = 0, fd = open(folder->votes, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *all = fd >= 0 ? fdopendir(fd) : NULL;
  for (const struct dirent *entry; all && looked < 2 * BALLOT_MOST && (entry = readdir(all));) {
    ShareVote vote;
    if (entry->d_name[0] == '.' || ++looked > 2 * BALLOT_MOST) continue;
    if (!read_vote_file(fd, entry->d_name, &vote) || !is_named_after(entry->d_name, &vote)) continue;
    share_cast(folder->share, &vote);
    count++;
  }
  if (all) closedir(all);
  else if (fd >= 0) close(fd);
  pthread_mutex_lock(&folder->mutex);
  folder->students = LS_MIN(count, BALLOT_MOST);
  pthread_mutex_unlock(&folder->mutex);
}

// ---- the thread -----------------------------------------------------------------------------------------------------

// Waits for news, or until it is time to look; the newest line goes to *line. False: this is the end.
static bool take_news(ShareFolder *folder, LsText *line, bool *is_new) {
  struct timespec until = ls_clock_after(LOOKS_MS);
  pthread_mutex_lock(&folder->mutex);
  for (int late = 0; !folder->is_new && !folder->ends && late != ETIMEDOUT;)
    late = pthread_cond_timedwait(&folder->news, &folder->mutex, &until);
  *is_new = folder->is_new;
  folder->is_new = false;
  ls_text_clear(line);
  ls_text_add(line, ls_text_str(&folder->line));
  bool ends = folder->ends;
  pthread_mutex_unlock(&folder->mutex);
  return !ends;
}

static void *run(void *context) {
  ShareFolder *folder = context;
  LsText line = {0};
  bool is_new;
  while (take_news(folder, &line, &is_new)) {
    bool due = ls_clock() - folder->written > HUB_BEAT;
    if (line.length && (is_new || due)) write_stand(folder, ls_text_str(&line));
    if (share_is_open(folder->share)) read_votes(folder);
  }
  ls_text_free(&line);
  return NULL;
}

static bool start(ShareFolder *folder) {
  pthread_condattr_t by_clock;
  sigset_t all, old;
  pthread_mutex_init(&folder->mutex, NULL);
  pthread_condattr_init(&by_clock);
  pthread_condattr_setclock(&by_clock, CLOCK_MONOTONIC);
  pthread_cond_init(&folder->news, &by_clock);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  folder->runs = pthread_create(&folder->thread, NULL, run, folder) == 0;
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  return folder->runs;
}

// ---- the folder -----------------------------------------------------------------------------------------------------

static bool make(const char *path, mode_t mode, LsErr *err) {
  struct stat status;
  if (mkdir(path, 0700) != 0 && errno != EEXIST)
    return ls_fail(err, LS_EREQUEST, "the folder %s cannot be made: %s", LS_QUOTE_PATH(path), strerror(errno));
  bool own = lstat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == getuid();
  if (!own)
    return ls_fail(err, LS_EREQUEST, "%s is not a folder of your own: --share=FOLDER takes a new one",
                   LS_QUOTE_PATH(path));
  if (chmod(path, mode) == 0) return true;
  return ls_fail(err, LS_EIO, "%s: %s", LS_QUOTE_PATH(path), strerror(errno));
}

// Another speaker has the lock; where the file system has none, its file is as new as it has to be.
static bool is_taken(const ShareFolder *folder, const char *speaker) {
  struct stat status;
  struct timespec now;
  if (folder->lock >= 0 && flock(folder->lock, LOCK_EX | LOCK_NB) == 0) return false;
  if (folder->lock >= 0 && errno == EWOULDBLOCK) return true;
  if (stat(speaker, &status) != 0 || clock_gettime(CLOCK_REALTIME, &now) != 0) return false;
  return now.tv_sec - status.st_mtim.tv_sec <= 2 * HUB_BEAT;
}

static void remove_old_votes(const char *path) {
  DIR *all = opendir(path);
  for (const struct dirent *entry; all && (entry = readdir(all));)
    if (entry->d_name[0] != '.') unlinkat(dirfd(all), entry->d_name, 0);
  if (all) closedir(all);
}

ShareFolder *share_folder_open(Share *share, const char *path, LsErr *err) {
  ShareFolder *folder = ls_alloc(sizeof *folder);
  char real[PATH_MAX], *guard = ls_path_join(path, ".lock");
  folder->share = share;
  folder->lock = -1;
  folder->votes = ls_path_join(path, "votes");
  folder->speaker = ls_path_join(path, "speaker");
  bool ok = make(path, OPEN_TO_READ, err) && make(folder->votes, OPEN_TO_PUT, err);
  if (ok) folder->lock = open(guard, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (ok && is_taken(folder, folder->speaker))
    ok = ls_fail(err, LS_EREQUEST, "somebody speaks in %s already: --share=FOLDER takes another", LS_QUOTE_PATH(path));
  free(guard);
  if (ok) remove_old_votes(folder->votes);
  if (ok) share->invitation = ls_strdup(realpath(path, real) ? real : path);
  if (ok && (start(folder) || ls_fail(err, LS_EIO, "the system has no thread for students"))) return folder;
  share_folder_close(folder);
  return NULL;
}

void share_folder_close(ShareFolder *folder) {
  if (!folder) return;
  if (folder->runs) {
    pthread_mutex_lock(&folder->mutex);
    folder->ends = true;
    pthread_cond_signal(&folder->news);
    pthread_mutex_unlock(&folder->mutex);
    pthread_join(folder->thread, NULL);
    unlink(folder->speaker);
  }
  if (folder->lock >= 0) close(folder->lock);
  ls_text_free(&folder->line);
  free(folder->votes);
  free(folder->speaker);
  free(folder);
}

void share_folder_tell(ShareFolder *folder, const char *line) {
  pthread_mutex_lock(&folder->mutex);
  ls_text_clear(&folder->line);
  ls_text_add(&folder->line, line);
  folder->is_new = true;
  pthread_cond_signal(&folder->news);
  pthread_mutex_unlock(&folder->mutex);
}

int share_folder_students(ShareFolder *folder) {
  pthread_mutex_lock(&folder->mutex);
  int students = folder->students;
  pthread_mutex_unlock(&folder->mutex);
  return students;
}

uint64_t share_folder_bytes(ShareFolder *folder) {
  pthread_mutex_lock(&folder->mutex);
  uint64_t bytes = folder->bytes;
  pthread_mutex_unlock(&folder->mutex);
  return bytes;
}
