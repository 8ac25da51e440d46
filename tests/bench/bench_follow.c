// bench_follow.c: so many students on one speaker, through the loopback: how late the last has a step, what it costs.
//
//   bench_follow [STUDENTS [STEPS]]     300 students, 200 steps, one every 33 ms
//
// The students are one process of their own, so that its time is not the speaker's.
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/stage/follow.h"
#include "base/clock.h"
#include "base/mem.h"

enum { STUDENTS = 300, STEPS = 200, FRAME_MS = 33, MOST = 390 };

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// What goes through the pipes: when all students have a step, by the clock of the machine.
static void listen_all(const char *address, int students, int steps, int arrived) {
  Follow *follows[MOST];
  uint64_t have[MOST] = {0};
  double ready = -1;
  for (int i = 0; i < students; i++) follows[i] = follow_open(address, NULL);
  for (uint64_t step = 0; step < (uint64_t)steps; step++) {
    for (int left = students; left;) {
      struct pollfd polled[MOST];
      for (int i = 0; i < students; i++) polled[i] = (struct pollfd){follow_fd(follows[i]) ? follow_fd(follows[i])
          : -1, POLLIN, 0};
      poll(polled, (nfds_t)students, 5);
      left = 0;
      for (int i = 0; i < students; i++) {
        if (polled[i].revents || polled[i].fd < 0) follow_turn(follows[i]);
        const StageStand *stand = follow_stand(follows[i]);
        have[i] = stand ? stand->step : 0;
        left += !stand || have[i] < step;
      }
    }
    ready = ls_clock();
    if (write(arrived, &ready, sizeof ready) != sizeof ready) break;
  }
  for (int i = 0; i < students; i++) follow_close(follows[i]);
}

static double processor_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

// The speaker: a step, then the next one a frame later, when all have it.
static void speak(Share *share, int students, int steps, int arrived) {
  double *late = ls_alloc(sizeof *late * (size_t)steps), when;
  StageStand stand = stand_nowhere;
  snprintf(stand.run.kernel, sizeof stand.run.kernel, "transpose_32x32");
  snprintf(stand.focus, sizeof stand.focus, "banks");
  stand.warp = 3;
  while (share_students(share) < students) poll(NULL, 0, 5);
  double processor = processor_seconds(), begun = ls_clock();
  uint64_t bytes = share_bytes(share);
  for (int step = 0; step < steps; step++) {
    stand.step = (uint64_t)step;
    double told = ls_clock();
    share_tell(share, &stand);
    if (read(arrived, &when, sizeof when) != sizeof when) exit(1);
    late[step] = (when - told) * 1e3;
    poll(NULL, 0, FRAME_MS);
  }
  double spent = processor_seconds() - processor, seconds = ls_clock() - begun;
  qsort(late, (size_t)steps, sizeof *late, by_size);
  printf("%d students, %d steps: the last has a step after %.1f ms (median), %.1f ms (99 of 100), %.1f ms at most\n",
      students, steps,
         late[steps / 2], late[steps * 99 / 100], late[steps - 1]);
  printf("speaker: %.1f%% of a processor at %.0f steps a second, %.0f us a step; %.0f bytes a step and student\n",
      100 * spent / seconds,
         steps / seconds, 1e6 * spent / steps, (double)(share_bytes(share) - bytes) / steps / students);
  free(late);
}

int main(int argc, char **argv) {
  int students = argc > 1 ? atoi(argv[1]) : STUDENTS, steps = argc > 2 ? atoi(argv[2]) : STEPS, arrived[2];
  LsErr err = {0};
  if (students < 1 || students > MOST || steps < 1) return fprintf(stderr, "bench_follow: 1 to %d students\n", MOST), 2;
  Share *share = share_open(NULL, &err);
  if (!share || pipe(arrived) != 0) return fprintf(stderr, "bench_follow: %s\n", err.message), 2;
  const char *port = strchr(share_invitation(share), ':');
  char *address = ls_format("%.4s@127.0.0.1%s", share_invitation(share), port ? port : "");
  pid_t hall = fork();
  if (hall == 0) {
    listen_all(address, students, steps, arrived[1]);
    _exit(0);
  }
  speak(share, students, steps, arrived[0]);
  share_close(share);
  waitpid(hall, NULL, 0);
  free(address);
  return 0;
}
