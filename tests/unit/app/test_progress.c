// test_progress.c: progress outlives closing and a crash; files, folders and disks that cannot be used are told, and
// left alone.
#include <signal.h>
#include <sqlite3.h>
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

// The one line for the student has this in it; "" means that there is none.
static void check_words(const Progress *progress, const char *part) {
  LsText words = {0};
  progress_words(progress, &words);
  bool same = *part ? strstr(ls_text_str(&words), part) != NULL : words.length == 0;
  if (!same) printf("\n'%s' is not in '%s'\n", part, ls_text_str(&words));
  CHECK(same && !strchr(ls_text_str(&words), '\n'));
  ls_text_free(&words);
}

static void survives_reopening(void) {
  char *path = fresh_path();
  Progress *progress = progress_open(path);
  CHECK_INT(progress_state(progress), STORE_SAVED);
  check_words(progress, "");
  ProgressLesson lesson;
  CHECK(!progress_lesson(progress, "L03", &lesson));
  CHECK_INT(lesson.step, 0);
  progress_save_lesson(progress, "L03", &(ProgressLesson){.step = 4, .steps = 20, .right = 2, .asked = 3});
  progress_save_answer(progress, "L03", "q2",
                       &(ProgressAnswer){.value = 4294967295.0, .right = true, .tries = 2, .last = 3});
  progress_save_answer(progress, "L03", "q3", &(ProgressAnswer){.value = 0.1, .skipped = true, .open = true});
  progress_save_answer(progress, "L08", "q2", &(ProgressAnswer){.value = 7});
  progress_close(progress);
  progress = progress_open(path);
  CHECK(progress_lesson(progress, "L03", &lesson));
  CHECK(lesson.step == 4 && lesson.steps == 20 && !lesson.done && lesson.right == 2 && lesson.asked == 3);
  CHECK(lesson.started > 1700000000 && lesson.updated >= lesson.started);
  ProgressAnswer answer;
  CHECK(progress_answer(progress, "L03", "q2", &answer) && answer.value == 4294967295.0 && answer.right &&
        !answer.skipped && answer.tries == 2 && answer.last == 3 && !answer.open);
  CHECK(progress_answer(progress, "L03", "q3", &answer) && answer.value == 0.1 && !answer.right && answer.skipped &&
        answer.open);
  CHECK(!progress_answer(progress, "L03", "q4", &answer));
  progress_close(progress);
  drop(path);
}

// Somebody is here for the first time until greeted, or until something was done.
static void first_time_is_once(void) {
  char *path = fresh_path();
  Progress *progress = progress_open(path);
  CHECK(progress_is_first(progress));
  progress_greeted(progress);
  CHECK(!progress_is_first(progress));
  progress_close(progress);
  progress = progress_open(path);
  CHECK(!progress_is_first(progress));
  progress_close(progress);
  drop(path);
  progress = progress_open(path = fresh_path());
  progress_save_lesson(progress, "L03", &(ProgressLesson){.step = 1, .steps = 5});
  CHECK(!progress_is_first(progress));
  progress_close(progress);
  drop(path);
  progress = progress_open(":memory:");        // it could not be kept that it was shown
  CHECK(!progress_is_first(progress));
  progress_close(progress);
}

static void done_stays_done(void) {
  Progress *progress = progress_open(":memory:");
  CHECK_INT(progress_state(progress), STORE_UNWANTED);
  check_words(progress, "");
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
    Progress *progress = progress_open(path);
    progress_save_lesson(progress, "L11", &(ProgressLesson){.step = 9, .steps = 20});
    kill(getpid(), SIGKILL);
  }
  int status;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status));
  Progress *progress = progress_open(path);
  ProgressLesson lesson;
  CHECK_INT(progress_state(progress), STORE_SAVED);
  CHECK(progress_lesson(progress, "L11", &lesson) && lesson.step == 9);
  progress_close(progress);
  drop(path);
}

// ---- files that cannot be used -------------------------------------------------------------------------------------

static void check_answers_count(Progress *progress) {
  ProgressLesson lesson;
  ProgressAnswer answer;
  progress_save_lesson(progress, "L03", &(ProgressLesson){.step = 4});
  progress_save_answer(progress, "L03", "q2", &(ProgressAnswer){.value = 7, .right = true});
  CHECK(progress_lesson(progress, "L03", &lesson) && lesson.step == 4);
  CHECK(progress_answer(progress, "L03", "q2", &answer) && answer.value == 7 && answer.right);
}

static void works_without_a_file(const char *path, StoreState state, const char *words) {
  Progress *progress = progress_open(path);
  CHECK_STR(store_state_name(progress_state(progress)), store_state_name(state));
  check_words(progress, words);
  check_answers_count(progress);
  CHECK_INT(progress_state(progress), state);
  progress_close(progress);
}

// The same, and not a byte of the file is another one afterwards.
static void leaves_alone(const char *path, const void *bytes, size_t size, StoreState state, const char *words) {
  CHECK(ls_file_write(path, bytes, size, NULL));
  works_without_a_file(path, state, words);
  size_t left;
  char *after = ls_file_read(path, 1 << 20, &left, NULL);
  CHECK(after && left == size && memcmp(after, bytes, size) == 0);
  free(after);
}

static void a_file_that_is_no_database_is_left_alone(void) {
  char *path = fresh_path(), garbage[4096];
  memset(garbage, 'x', sizeof garbage);
  leaves_alone(path, garbage, sizeof garbage, STORE_FOREIGN, " is no database of lanescope: move it away");
  leaves_alone(path, "x", 1, STORE_FOREIGN, "no database");
  leaves_alone(path, "SQLite format 3", 16, STORE_FOREIGN, "no database");
  memcpy(garbage, "SQLite format 3", 16);
  leaves_alone(path, garbage, sizeof garbage, STORE_FOREIGN, "no database");
  works_without_a_file(folder, STORE_NO_FILE, " is not a file: move it away");
  works_without_a_file("/dev/null", STORE_NO_FILE, "/dev/null is not a file");
  works_without_a_file("/nonexistent/folder/progress.db", STORE_FAILED,
                       "(No such file or directory): set XDG_STATE_HOME");
  drop(path);
}

// The bytes of a database, which is then changed: a file as another program could have left it.
static char *database_bytes(const char *path, size_t *size) {
  progress_close(progress_open(path));
  char *bytes = ls_file_read(path, 1 << 20, size, NULL);
  CHECK(bytes && *size > 4096);
  return bytes;
}

static void a_newer_file_is_left_alone(void) {
  char *path = fresh_path();
  size_t size;
  char *bytes = database_bytes(path, &size);
  bytes[63] = 99;                  // the version of the schema is a big-endian number at byte 60
  leaves_alone(path, bytes, size, STORE_NEWER, " was written by a newer lanescope: use that one");
  free(bytes);
  drop(path);
}

static void another_programs_database_is_left_alone(void) {
  static const StorePlan other = {.schema = "create table if not exists bookmark (name text); pragma user_version = 1",
                                  .version = 1};
  char *path = fresh_path();
  size_t size;
  store_close(store_open(path, false, &other));
  char *bytes = ls_file_read(path, 1 << 20, &size, NULL);
  leaves_alone(path, bytes, size, STORE_FOREIGN, "no database of lanescope");
  free(bytes);
  drop(path);
}

static const char lesson_table[] =
    "create table lesson (id text primary key, step integer not null, steps integer not null,"
    " done integer not null, correct integer not null, asked integer not null, started integer not null,"
    " updated integer not null)";

// A database with these tables and no version.
static void make_database(const char *path, const char *sql) {
  sqlite3 *db = NULL;
  CHECK_INT(sqlite3_open(path, &db), SQLITE_OK);
  CHECK_INT(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
}

// Version 1 knew answers by the number of their step.
static void answers_of_version_1_are_taken_over(void) {
  char *path = fresh_path();
  char *sql = ls_format("%s; create table answer (lesson text not null, step integer not null, value real not null,"
                        " correct integer not null, skipped integer not null, at integer not null,"
                        " primary key (lesson, step)); insert into answer values ('L03', 12, 5, 1, 0, 1800000000);"
                        " pragma user_version = 1", lesson_table);
  ProgressAnswer answer;
  make_database(path, sql);
  for (int i = 0; i < 2; i++) {
    Progress *progress = progress_open(path);
    CHECK_INT(progress_state(progress), STORE_SAVED);
    CHECK_INT(progress_answer(progress, "L03", "step 12", &answer), i == 0);
    CHECK(i == 1 || (answer.value == 5 && answer.right && answer.tries == 1));
    progress_restart_lesson(progress, "L03");       // what was taken over does not come back
    progress_close(progress);
  }
  free(sql);
  drop(path);
}

// A version that made its tables one by one may have been ended between two of them.
static void tables_that_were_begun_are_completed(void) {
  static const char row[] = "; insert into lesson values ('L01', 3, 20, 1, 0, 0, 1800000000, 1800000000)";
  char *path = fresh_path(), *sql = ls_format("%s%s", lesson_table, row);
  make_database(path, sql);
  Progress *progress = progress_open(path);
  ProgressLesson lesson;
  CHECK_STR(store_state_name(progress_state(progress)), "saved");
  CHECK(progress_lesson(progress, "L01", &lesson) && lesson.done && lesson.step == 3);
  check_answers_count(progress);
  progress_close(progress);
  free(sql);
  drop(path);
}

static void databases_like_ours_are_left_alone(void) {
  static const char *const others[] = {
      "; create table bookmark (name text)", "; create index by_step on lesson (step)", "; pragma user_version = 1"};
  char *path = fresh_path();
  for (int i = 0; i <= LS_COUNT(others); i++) {
    char *sql = i < LS_COUNT(others) ? ls_format("%s%s", lesson_table, others[i])
        : ls_strdup("create table lesson (name)");
    size_t size;
    make_database(path, sql);
    char *bytes = ls_file_read(path, 1 << 20, &size, NULL);
    leaves_alone(path, bytes, size, STORE_FOREIGN, "no database of lanescope");
    free(bytes);
    free(sql);
    unlink(path);
  }
  drop(path);
}

static void a_damaged_file_is_left_alone(void) {
  char *path = fresh_path();
  size_t size;
  char *bytes = database_bytes(path, &size);
  memset(bytes + 4096, 0x5a, size - 4096);
  leaves_alone(path, bytes, size, STORE_DAMAGED, " is damaged: move it away");
  free(bytes);
  drop(path);
}

// What was asked for after a trouble is over: all answers of the session are there for the next one.
static void check_saved(const char *path, int step) {
  ProgressLesson lesson;
  ProgressAnswer answer;
  Progress *progress = progress_open(path);
  CHECK_INT(progress_state(progress), STORE_SAVED);
  CHECK(progress_lesson(progress, "L03", &lesson) && lesson.step == step);
  CHECK(progress_answer(progress, "L03", "q2", &answer) && answer.value == 7);
  progress_close(progress);
}

// A student who does what the line says does not lose the session.
static void moving_it_away_saves(void) {
  char *path = fresh_path(), *away = ls_format("%s.away", path);
  CHECK(ls_file_write(path, "garbage", 7, NULL));
  Progress *progress = progress_open(path);
  check_answers_count(progress);
  CHECK_INT(progress_state(progress), STORE_FOREIGN);
  CHECK_INT(rename(path, away), 0);
  progress_save_lesson(progress, "L03", &(ProgressLesson){.step = 5});
  CHECK_INT(progress_state(progress), STORE_SAVED);
  check_words(progress, "");
  progress_close(progress);
  check_saved(path, 5);
  unlink(away);
  free(away);
  drop(path);
}

static void a_file_that_vanishes_is_made_again(void) {
  char *path = fresh_path();
  Progress *progress = progress_open(path);
  check_answers_count(progress);
  CHECK_INT(unlink(path), 0);
  progress_save_lesson(progress, "L03", &(ProgressLesson){.step = 6});
  CHECK_INT(progress_state(progress), STORE_SAVED);
  progress_close(progress);
  check_saved(path, 6);
  drop(path);
}

// ---- a disk that has its moods: SQLite's own file functions, with these failing when they are told to --------------

// A database and its log have functions of their own, so there is a moody twin of each set.
typedef struct Mood { sqlite3_io_methods twin; const sqlite3_io_methods *real; } Mood;
static Mood moods[4];
static sqlite3_vfs *real_vfs, moody_vfs;
static int write_result, writes_to_live;   // the process ends before the last of so many; 0: it lives

static const sqlite3_io_methods *real_of(const sqlite3_file *file) { return ((const Mood *)file->pMethods)->real; }

static int moody_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 at) {
  if (writes_to_live && --writes_to_live == 0) kill(getpid(), SIGKILL);
  return write_result ? write_result : real_of(file)->xWrite(file, bytes, count, at);
}

static int moody_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  (void)vfs;
  int result = real_vfs->xOpen(real_vfs, name, file, flags, out_flags), i = 0;
  if (result != SQLITE_OK || !file->pMethods) return result;
  while (i < LS_COUNT(moods) - 1 && moods[i].real && moods[i].real != file->pMethods) i++;
  moods[i] = (Mood){.twin = *file->pMethods, .real = file->pMethods};
  moods[i].twin.xWrite = moody_write;
  file->pMethods = &moods[i].twin;
  return result;
}

static void set_up_moods(void) {
  real_vfs = sqlite3_vfs_find(NULL);
  moody_vfs = *real_vfs;
  moody_vfs.zName = "moody";
  moody_vfs.xOpen = moody_open;
  CHECK_INT(sqlite3_vfs_register(&moody_vfs, 1), SQLITE_OK);
}

static void end_moods(void) {
  write_result = SQLITE_OK;
  sqlite3_vfs_unregister(&moody_vfs);
}

static void a_disk_may_fill_up_and_empty_again(void) {
  char *path = fresh_path();
  ProgressLesson lesson;
  ProgressAnswer answer;
  set_up_moods();
  Progress *progress = progress_open(path);
  progress_save_lesson(progress, "L01", &(ProgressLesson){.step = 1, .done = true});
  CHECK_INT(progress_state(progress), STORE_SAVED);
  write_result = SQLITE_FULL;
  check_answers_count(progress);
  CHECK_INT(progress_state(progress), STORE_FULL);
  check_words(progress, "Progress lasts only until you leave: the disk of ");
  check_words(progress, "/progress.db is full: make room");
  CHECK(progress_lesson(progress, "L01", &lesson) && lesson.done);          // what was there before still is
  progress_restart_lesson(progress, "L03");
  CHECK(!progress_answer(progress, "L03", "q2", &answer));
  progress_save_answer(progress, "L03", "q2", &(ProgressAnswer){.value = 7, .skipped = true});
  write_result = SQLITE_OK;
  progress_save_lesson(progress, "L03", &(ProgressLesson){.step = 8});
  CHECK_INT(progress_state(progress), STORE_SAVED);
  check_words(progress, "");
  CHECK(progress_answer(progress, "L03", "q2", &answer) && answer.skipped);
  progress_close(progress);
  check_saved(path, 8);
  end_moods();
  drop(path);
}

static void a_full_disk_is_told_at_once(void) {
  char *path = fresh_path();
  ProgressLesson lesson;
  set_up_moods();
  Progress *progress = progress_open(path);
  progress_save_lesson(progress, "L01", &(ProgressLesson){.step = 1, .done = true});
  progress_close(progress);
  write_result = SQLITE_FULL;
  progress = progress_open(path);
  CHECK_INT(progress_state(progress), STORE_FULL);
  CHECK(progress_lesson(progress, "L01", &lesson) && lesson.done);
  check_answers_count(progress);
  write_result = SQLITE_OK;
  progress_close(progress);                                                 // leaving tries once more
  check_saved(path, 4);
  end_moods();
  drop(path);
}

static void what_cannot_be_written_can_be_read(void) {
  static const struct { int result; StoreState state; const char *words; } cases[] = {
      {SQLITE_READONLY, STORE_READ_ONLY, " cannot be written: make it and its folder writable"},
      {SQLITE_PERM, STORE_READ_ONLY, " cannot be written"},
      {SQLITE_IOERR_WRITE, STORE_FAILED, " cannot be used ("},
      {SQLITE_BUSY, STORE_BUSY, "another program holds "},
  };
  char *path = fresh_path();
  set_up_moods();
  Progress *progress = progress_open(path);
  progress_save_lesson(progress, "L01", &(ProgressLesson){.step = 1, .done = true});
  progress_close(progress);
  for (int i = 0; i < LS_COUNT(cases); i++) {
    ProgressLesson lesson;
    write_result = cases[i].result;
    progress = progress_open(path);
    CHECK_STR(store_state_name(progress_state(progress)), store_state_name(cases[i].state));
    check_words(progress, cases[i].words);
    CHECK(progress_lesson(progress, "L01", &lesson) && lesson.done);
    check_answers_count(progress);
    progress_close(progress);
    write_result = SQLITE_OK;
  }
  end_moods();
  drop(path);
}

static void a_file_moved_away_after_trouble_is_not_written(void) {
  static const int results[] = {SQLITE_FULL, SQLITE_BUSY, SQLITE_CORRUPT};
  set_up_moods();
  for (int i = 0; i < LS_COUNT(results); i++) {
    char *path = fresh_path(), *away = ls_format("%s.away", path);
    Progress *progress = progress_open(path);
    ProgressLesson lesson;
    progress_save_lesson(progress, "L01", &(ProgressLesson){.step = 1, .done = true});
    write_result = results[i];
    check_answers_count(progress);
    CHECK(progress_state(progress) != STORE_SAVED);
    CHECK_INT(rename(path, away), 0);
    write_result = SQLITE_OK;
    progress_save_lesson(progress, "L03", &(ProgressLesson){.step = 8});
    CHECK_INT(progress_state(progress), STORE_SAVED);
    progress_close(progress);
    check_saved(path, 8);
    progress = progress_open(path);
    CHECK(progress_lesson(progress, "L01", &lesson) && lesson.done);
    progress_close(progress);
    progress = progress_open(away);
    CHECK(!progress_lesson(progress, "L03", &lesson));
    progress_close(progress);
    unlink(away);
    free(away);
    drop(path);
  }
  end_moods();
}

// Does it in a process that ends before its n-th write. False if it had fewer to make.
static bool is_killed_at(int n, const char *path, void (*change)(Progress *progress)) {
  pid_t child = fork();
  if (child == 0) {
    set_up_moods();
    if (!change) writes_to_live = n;
    Progress *progress = progress_open(path);
    writes_to_live = n;
    if (change) change(progress);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  CHECK(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
  return WIFSIGNALED(status);
}

static void killed_while_it_is_made(void) {
  bool killed = true;
  for (int n = 1; killed && n < 100; n++) {
    char *path = fresh_path();
    killed = is_killed_at(n, path, NULL);
    Progress *progress = progress_open(path);
    CHECK_STR(store_state_name(progress_state(progress)), "saved");
    check_answers_count(progress);
    progress_close(progress);
    drop(path);
  }
  CHECK(!killed);
}

static void restart(Progress *progress) { progress_restart_lesson(progress, "L03"); }

// Both the answers and the place in the lesson, or nothing.
static void killed_while_a_lesson_restarts(void) {
  bool killed = true;
  for (int n = 1; killed && n < 100; n++) {
    char *path = fresh_path();
    Progress *progress = progress_open(path);
    ProgressLesson lesson;
    ProgressAnswer answer;
    check_answers_count(progress);
    progress_close(progress);
    killed = is_killed_at(n, path, restart);
    progress = progress_open(path);
    CHECK(progress_lesson(progress, "L03", &lesson));
    CHECK_INT(progress_answer(progress, "L03", "q2", &answer), lesson.step == 4);
    CHECK(killed || lesson.step == 0);
    progress_close(progress);
    drop(path);
  }
  CHECK(!killed);
}

// The system's own word for it, as somebody who may not do everything.
static void a_read_only_folder_can_be_read(void) {
  enum { NOBODY = 65534 };
  char *path = fresh_path();
  Progress *progress = progress_open(path);
  progress_save_lesson(progress, "L01", &(ProgressLesson){.step = 1, .done = true});
  progress_close(progress);
  CHECK(chmod(path, 0444) == 0 && chmod(folder, 0555) == 0);
  pid_t child = fork();
  if (child == 0) {
    ProgressLesson lesson;
    if (getuid() == 0 && setuid(NOBODY) != 0) _exit(2);
    progress = progress_open(path);
    bool ok = progress_state(progress) == STORE_READ_ONLY && progress_lesson(progress, "L01", &lesson) && lesson.done;
    progress_save_lesson(progress, "L03", &(ProgressLesson){.step = 4});
    ok = ok && progress_lesson(progress, "L03", &lesson) && progress_state(progress) == STORE_READ_ONLY;
    progress_close(progress);
    _exit(ok ? 0 : 1);
  }
  int status;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  chmod(folder, 0755);
  drop(path);
}

static void usual_place_is_xdg(void) {
  char *path = fresh_path();
  setenv("XDG_STATE_HOME", folder, 1);
  Progress *progress = progress_open(NULL);
  CHECK_INT(progress_state(progress), STORE_SAVED);
  CHECK(ls_starts_with(progress_path(progress), folder));
  progress_save_lesson(progress, "L03", &(ProgressLesson){.step = 1});
  progress_close(progress);
  char *file = ls_format("%s/lanescope/progress.db", folder), *below = ls_format("%s/lanescope", folder);
  CHECK(ls_file_exists(file));
  unlink(file);
  rmdir(below);
  free(file);
  setenv("XDG_STATE_HOME", "/proc/nowhere", 1);
  works_without_a_file(NULL, STORE_FAILED, "/proc/nowhere/lanescope/progress.db cannot be used (");
  setenv("XDG_STATE_HOME", folder, 1);
  setenv("HOME", folder, 1);
  CHECK(ls_file_write(below, "", 0, NULL));      // a file where the folder should be
  works_without_a_file(NULL, STORE_FAILED,
                       "Progress lasts only until you leave: ~/lanescope/progress.db cannot be used (Not a directory)");
  unlink(below);
  free(below);
  drop(path);
}

static void two_at_once(void) {
  char *path = fresh_path();
  Progress *first = progress_open(path), *second = progress_open(path);
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
    {"the first time is once", first_time_is_once},
    {"done stays done", done_stays_done},
    {"survives kill -9", survives_kill},
    {"a file that is no database is left alone", a_file_that_is_no_database_is_left_alone},
    {"a newer file is left alone", a_newer_file_is_left_alone},
    {"another program's database is left alone", another_programs_database_is_left_alone},
    {"answers of version 1 are taken over", answers_of_version_1_are_taken_over},
    {"tables that were begun are completed", tables_that_were_begun_are_completed},
    {"databases like ours are left alone", databases_like_ours_are_left_alone},
    {"a damaged file is left alone", a_damaged_file_is_left_alone},
    {"moving it away saves", moving_it_away_saves},
    {"a file that vanishes is made again", a_file_that_vanishes_is_made_again},
    {"a disk may fill up and empty again", a_disk_may_fill_up_and_empty_again},
    {"a full disk is told at once", a_full_disk_is_told_at_once},
    {"what cannot be written can be read", what_cannot_be_written_can_be_read},
    {"a file moved away after trouble is not written", a_file_moved_away_after_trouble_is_not_written},
    {"killed while it is made", killed_while_it_is_made},
    {"killed while a lesson restarts", killed_while_a_lesson_restarts},
    {"a read-only folder can be read", a_read_only_folder_can_be_read},
    {"the usual place is XDG's", usual_place_is_xdg},
    {"two programs at once", two_at_once},
};

int main(int argc, char **argv) { return check_main("progress", checks, LS_COUNT(checks), argc, argv); }
