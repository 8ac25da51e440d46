// test_compile_exec.c: which compilers work is asked once, and again when their files change.
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "device/compile/compile.h"

static char first[256], second[256];   // of PATH
static const char *const names[] = {"cc-new", "cc-old"};

// A program that answers, ends with that status, and leaves a letter for each time that it was asked.
static void put_program(const char *folder, const char *name, const char *answer, int status, mode_t mode) {
  char *path = ls_path_join(folder, name), *other = ls_format("%s.new", path);
  char *text = ls_format("#!/bin/sh\nprintf x >>%s/asked\necho '%s'\nexit %d\n", first, answer, status);
  CHECK(ls_file_write(other, text, strlen(text), NULL) && chmod(other, mode) == 0 && rename(other, path) == 0);
  free(text);
  free(other);
  free(path);
}

static size_t times_asked(void) {
  size_t size = 0;
  char *path = ls_path_join(first, "asked"), *text = ls_file_read(path, 1 << 10, &size, NULL);
  free(text);
  free(path);
  return size;
}

static void check_found(const char *name, const char *answer, size_t asked) {
  LsText version = {0};
  const char *found = compile_first_working(names, LS_COUNT(names), &version);
  CHECK(found == name || (found && name && strcmp(found, name) == 0));
  if (name) CHECK_STR(ls_text_str(&version), answer);
  CHECK_INT(times_asked(), asked);
  ls_text_free(&version);
}

static void set_path(const char *folders) {
  char *path = ls_format("%s:/usr/bin:/bin", folders);
  setenv("PATH", path, 1);
  free(path);
}

static void programs_are_asked_once(void) {
  CHECK(check_folder(first, sizeof first) && check_folder(second, sizeof second));
  char *both = ls_format("%s:%s", first, second);
  set_path(both);
  check_found(NULL, "", 0);
  put_program(second, "cc-old", "old 1", 0, 0755);
  check_found("cc-old", "old 1\n", 1);
  check_found("cc-old", "old 1\n", 1);
  put_program(second, "cc-old", "old 2", 0, 0755);       // installed anew
  check_found("cc-old", "old 2\n", 2);
  put_program(first, "cc-old", "old 3", 0, 0755);        // another one in front of it
  check_found("cc-old", "old 3\n", 3);
  put_program(first, "cc-new", "no", 1, 0755);           // does not work: asked each time
  check_found("cc-old", "old 3\n", 4);
  check_found("cc-old", "old 3\n", 5);
  put_program(first, "cc-new", "new 1", 0, 0644);        // is no program
  check_found("cc-old", "old 3\n", 5);
  put_program(second, "cc-new", "new 2", 0, 0755);
  check_found("cc-new", "new 2\n", 6);
  set_path(second);
  check_found("cc-new", "new 2\n", 6);
  set_path(first);
  check_found("cc-old", "old 3\n", 6);
  free(both);
}

static void whoever_is_gone_is_not_found(void) {
  static const char *const files[] = {"cc-new", "cc-old", "asked"};
  for (int i = 0; i < LS_COUNT(files); i++) {
    char *a = ls_path_join(first, files[i]), *b = ls_path_join(second, files[i]);
    unlink(a);
    unlink(b);
    free(a);
    free(b);
  }
  check_found(NULL, "", 0);
  CHECK(rmdir(first) == 0 && rmdir(second) == 0);
}

static const Check checks[] = {
    {"programs are asked once", programs_are_asked_once},
    {"whoever is gone is not found", whoever_is_gone_is_not_found},
};

int main(int argc, char **argv) { return check_main("compile_exec", checks, LS_COUNT(checks), argc, argv); }
