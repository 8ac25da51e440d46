// test_progress.c: progress outlives closing, a crash, a broken file and a folder that cannot be written.
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/course/progress.h"
#include "base/file.h"
#include "base/mem.h"
#include "check.h"

static char folder[256];

static char *fresh_path(void) {
  CHECK(check_folder(folder, sizeof folder));
  return ls_path_join(folder, "progress.db");
}

static void drop(char *path) {
  static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
  for (int i = 0; i < LS_COUNT(suffixes); i++) {
    char *name = ls_format("%s%s", path, suffixes[i]);
    unlink(name);
    free(name);
  }
  rmdir(folder);
  free(path);
}

static void survives_reopening(void) {
  char *path = fresh_path();
  LsErr warning = {0};
  Progress *progress = progress_open(path, &warning);
  CHECK_INT(warning.kind, LS_OK);
  CHECK(progress_is_kept(progress));
  ProgressLesson lesson;
  CHECK(!progress_lesson(progress, "L03", &lesson));
  CHECK_INT(lesson.step, 0);
  progress_save_lesson(progress, "L03", &(ProgressLesson){.step = 4, .steps = 20, .right = 2, .asked = 3});
  progress_save_answer(progress, "L03", 2, &(ProgressAnswer){4294967295.0, true, false});
  progress_save_answer(progress, "L03", 3, &(ProgressAnswer){0.1, false, true});
  progress_save_answer(progress, "L08", 2, &(ProgressAnswer){7, false, false});
  progress_close(progress);
  progress = progress_open(path, &warning);
  CHECK(progress_lesson(progress, "L03", &lesson));
  CHECK(lesson.step == 4 && lesson.steps == 20 && !lesson.done && lesson.right == 2 && lesson.asked == 3);
  CHECK(lesson.started > 1700000000 && lesson.updated >= lesson.started);
  ProgressAnswer answer;
  CHECK(progress_answer(progress, "L03", 2, &answer) && answer.value == 4294967295.0 && answer.right && !answer.skipped);
  CHECK(progress_answer(progress, "L03", 3, &answer) && answer.value == 0.1 && !answer.right && answer.skipped);
  CHECK(!progress_answer(progress, "L03", 4, &answer));
  progress_close(progress);
  drop(path);
}

static void done_stays_done(void) {
  Progress *progress = progress_open(":memory:", NULL);
  CHECK(!progress_is_kept(progress));
  ProgressLesson lesson;
  progress_save_lesson(progress, "L03", &(ProgressLesson){.step = 19, .steps = 20, .done = true});
  progress_save_lesson(progress, "L03", &(ProgressLesson){.step = 3});
  CHECK(progress_lesson(progress, "L03", &lesson) && lesson.done && lesson.step == 3 && lesson.steps == 20);
  progress_close(progress);
}

static void survives_kill(void) {
  char *path = fresh_path();
  pid_t child = fork();
  if (child == 0) {
    Progress *progress = progress_open(path, NULL);
    progress_save_lesson(progress, "L11", &(ProgressLesson){.step = 9, .steps = 20});
    kill(getpid(), SIGKILL);
  }
  int status;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  LsErr warning = {0};
  Progress *progress = progress_open(path, &warning);
  ProgressLesson lesson;
  CHECK_INT(warning.kind, LS_OK);
  CHECK(progress_lesson(progress, "L11", &lesson) && lesson.step == 9);
  progress_close(progress);
  drop(path);
}

static void works_without_a_file(const char *path, const char *part) {
  LsErr warning = {0};
  Progress *progress = progress_open(path, &warning);
  CHECK_INT(warning.kind, LS_EIO);
  if (!strstr(warning.message, part)) printf("\n%s\n", warning.message);
  CHECK(strstr(warning.message, part) != NULL);
  CHECK(!progress_is_kept(progress));
  ProgressLesson lesson;
  progress_save_lesson(progress, "L03", &(ProgressLesson){.step = 4});
  CHECK(progress_lesson(progress, "L03", &lesson) && lesson.step == 4);
  progress_close(progress);
}

static void a_broken_file_is_a_warning(void) {
  char *path = fresh_path();
  char garbage[4096];
  memset(garbage, 'x', sizeof garbage);
  CHECK(ls_file_write(path, garbage, sizeof garbage, NULL));
  works_without_a_file(path, "progress is not kept: cannot use");
  CHECK(ls_file_exists(path));
  works_without_a_file(folder, "progress is not kept");
  works_without_a_file("/nonexistent/folder/progress.db", "progress is not kept");
  drop(path);
}

static void a_newer_file_is_left_alone(void) {
  char *path = fresh_path();
  Progress *progress = progress_open(path, NULL);
  progress_close(progress);
  // The schema version is a big-endian number at byte 60 of the file.
  size_t size;
  char *bytes = ls_file_read(path, 1 << 20, &size, NULL);
  CHECK(bytes && size > 100);
  bytes[63] = 99;
  CHECK(ls_file_write(path, bytes, size, NULL));
  free(bytes);
  works_without_a_file(path, "written by a newer lanescope");
  drop(path);
}

static void usual_place_is_xdg(void) {
  char *path = fresh_path();
  setenv("XDG_STATE_HOME", folder, 1);
  LsErr warning = {0};
  Progress *progress = progress_open(NULL, &warning);
  CHECK_INT(warning.kind, LS_OK);
  progress_save_lesson(progress, "L03", &(ProgressLesson){.step = 1});
  progress_close(progress);
  char *file = ls_format("%s/lanescope/progress.db", folder), *below = ls_format("%s/lanescope", folder);
  CHECK(ls_file_exists(file));
  unlink(file);
  rmdir(below);
  free(below);
  free(file);
  setenv("XDG_STATE_HOME", "/proc/nowhere", 1);
  works_without_a_file(NULL, "/proc/nowhere");
  drop(path);
}

static void two_at_once(void) {
  char *path = fresh_path();
  Progress *first = progress_open(path, NULL), *second = progress_open(path, NULL);
  ProgressLesson lesson;
  for (int i = 0; i < 20; i++) {
    progress_save_lesson(i % 2 ? first : second, "L03", &(ProgressLesson){.step = i});
    CHECK(progress_lesson(i % 2 ? second : first, "L03", &lesson) && lesson.step == i);
  }
  progress_close(first);
  progress_close(second);
  drop(path);
}

static const Check checks[] = {
    {"survives reopening", survives_reopening},
    {"done stays done", done_stays_done},
    {"survives kill -9", survives_kill},
    {"a broken file is a warning", a_broken_file_is_a_warning},
    {"a newer file is left alone", a_newer_file_is_left_alone},
    {"the usual place is XDG's", usual_place_is_xdg},
    {"two programs at once", two_at_once},
};

int main(int argc, char **argv) { return check_main("progress", checks, LS_COUNT(checks), argc, argv); }
