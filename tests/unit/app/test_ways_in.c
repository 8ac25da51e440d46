// test_ways_in.c: what the first page rests on: what is due, and one's own files in a folder.
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include "app/course/due.h"
#include "app/own/files.h"
#include "base/file.h"
#include "check.h"

// ---- what is due ---------------------------------------------------------------------------------------------------

enum { DAY = 24 * 60 * 60 };

static void expect_words(Progress *progress, int64_t now, const char *expected) {
  Due due;
  LsText words = {0};
  due_count(progress, now, &due);
  due_words(&due, now, &words);
  CHECK_STR(ls_text_str(&words), expected);
  ls_text_free(&words);
}

static void due_is_said(void) {
  Progress *progress = progress_open(":memory:");
  expect_words(progress, 1000, "");
  skill_graded(progress, "L08.sectors", FSRS_AGAIN, 1000);
  expect_words(progress, 1000, "1 question is due: L08 1");
  skill_graded(progress, "L03.warps", FSRS_GOOD, 1000);
  skill_graded(progress, "L03.lanes", FSRS_AGAIN, 1000);
  expect_words(progress, 1001, "2 questions are due: L03 1, L08 1");
  expect_words(progress, 1000 + 2 * DAY, "3 questions are due: L03 2, L08 1");
  progress_close(progress);
}

static void rest_is_said(void) {
  Progress *progress = progress_open(":memory:");
  skill_graded(progress, "L03.warps", FSRS_GOOD, 1000);
  expect_words(progress, 1000, "No question is due; the next ones are in 2 days");
  skill_graded(progress, "L03.warps", FSRS_EASY, 1000);
  expect_words(progress, 1001, "No question is due; the next ones are in 4 days");
  expect_words(progress, 1000 + 3 * DAY, "No question is due; the next ones are within a day");
  expect_words(progress, 1000 + 4 * DAY, "1 question is due: L03 1");
  progress_close(progress);
}

// ---- one's own files -----------------------------------------------------------------------------------------------

static void put(const char *folder, const char *name, time_t saved) {
  char *path = ls_path_join(folder, name);
  CHECK(ls_file_write(path, "//", 2, NULL) && utime(path, &(struct utimbuf){saved, saved}) == 0);
  free(path);
}

static void removed(const char *folder, const char *name) {
  char *path = ls_path_join(folder, name);
  CHECK(remove(path) == 0);
  free(path);
}

static void own_files_are_listed(void) {
  char folder[256];
  OwnFiles files;
  CU_ASSERT_FATAL(check_folder(folder, sizeof folder));
  char *inner = ls_path_join(folder, "inner.cu");
  CHECK(mkdir(inner, 0700) == 0);                                // a folder is none
  put(folder, "old.cu", 1000), put(folder, "new.ptx", 3000), put(folder, "b.cu", 2000), put(folder, "a.cu", 2000);
  put(folder, "notes.txt", 4000), put(folder, ".hidden.cu", 4000);
  CHECK(ownfiles_list(folder, &files, NULL));
  CU_ASSERT_FATAL(files.count == 4);
  CHECK_STR(files.items[0].name, "new.ptx");
  CHECK_STR(files.items[1].name, "a.cu");
  CHECK_STR(files.items[2].name, "b.cu");
  CHECK(strcmp(files.items[3].name, "old.cu") == 0 && files.items[3].saved == 1000 && files.items[3].bytes == 2);
  CHECK(ls_starts_with(files.items[3].path, folder) && ls_file_exists(files.items[3].path));
  ownfiles_free(&files);
  CHECK(!ownfiles_list(inner + 1, &files, NULL) && files.count == 0);
  ownfiles_free(&files);
  static const char *const names[] = {"inner.cu", "old.cu", "new.ptx", "b.cu", "a.cu", "notes.txt", ".hidden.cu"};
  for (int i = 0; i < LS_COUNT(names); i++) removed(folder, names[i]);
  CHECK(rmdir(folder) == 0);
  free(inner);
}

static void first_file_is_no_other(void) {
  char folder[256];
  LsErr err = {0};
  CU_ASSERT_FATAL(check_folder(folder, sizeof folder));
  char *path = ownfiles_begin(folder, &err);
  CU_ASSERT_FATAL(path != NULL);
  char *text = ls_file_read(path, 1 << 16, NULL, NULL);
  CHECK(text && strstr(text, "__global__ void saxpy("));
  CHECK(!ownfiles_begin(folder, &err) && strstr(err.message, "saxpy.cu") != NULL);   // never over what is there
  free(text);
  CHECK(remove(path) == 0 && rmdir(folder) == 0);
  free(path);
}

static void expect_age(int64_t seconds, const char *expected) {
  LsText out = {0};
  ownfiles_age(1000, 1000 + seconds, &out);
  CHECK_STR(ls_text_str(&out), expected);
  ls_text_free(&out);
}

static void ages_are_words(void) {
  expect_age(-5, "just now");                                    // saved on a machine whose clock is ahead
  expect_age(59, "just now");
  expect_age(60, "1 minute ago");
  expect_age(59 * 60, "59 minutes ago");
  expect_age(2 * 60 * 60, "2 hours ago");
  expect_age(3 * DAY, "3 days ago");
  expect_age((int64_t)800 * DAY, "2 years ago");
}

static const Check checks[] = {
    {"due is said", due_is_said},
    {"rest is said", rest_is_said},
    {"own files are listed", own_files_are_listed},
    {"first file is no other", first_file_is_no_other},
    {"ages are words", ages_are_words},
};

int main(int argc, char **argv) { return check_main("ways_in", checks, LS_COUNT(checks), argc, argv); }
