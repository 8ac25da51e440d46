// test_compile_folder.c: the temporary folder of a compiler goes away with all that it left there, and nothing else.
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check.h"
#include "device/compile/compile_folder.h"

static char folder[256];

// Makes FOLDER/NAME: a folder if it ends in a slash, else a file.
static void leave(const char *in, const char *name) {
  char *path = ls_path_join(in, name);
  if (path[strlen(path) - 1] == '/') CHECK_INT(mkdir(path, 0700), 0);
  else CHECK(ls_file_write(path, "x", 1, NULL));
  free(path);
}

static void link_to(const char *in, const char *name, const char *target) {
  char *path = ls_path_join(in, name);
  CHECK_INT(symlink(target, path), 0);
  free(path);
}

static void whatever_is_left_is_removed(void) {
  static const char *const left[] = {"kernel.cubin", ".hidden", "empty/", "deep/", "deep/er/", "deep/er/file",
                                     "deep/.file"};
  LsErr err = {0};
  char outside[300], kept[310];
  CHECK(check_folder(folder, sizeof folder));
  setenv("TMPDIR", folder, 1);
  snprintf(outside, sizeof outside, "%s/outside", folder);
  snprintf(kept, sizeof kept, "%s/kept", outside);
  CHECK_INT(mkdir(outside, 0700), 0);
  leave(outside, "kept");
  CompileFolder *temporary = compile_folder_new(&err);
  CHECK(temporary != NULL);
  char *path = ls_strdup(compile_folder_path(temporary));
  for (int i = 0; i < LS_COUNT(left); i++) leave(path, left[i]);
  link_to(path, "link", outside);
  link_to(path, "deep/link", kept);
  compile_folder_free(temporary);
  struct stat status;
  CHECK(lstat(path, &status) != 0);
  CHECK(ls_file_exists(kept));
  unlink(kept);
  rmdir(outside);
  CHECK_INT(rmdir(folder), 0);
  free(path);
}

static const Check checks[] = {
    {"whatever is left is removed", whatever_is_left_is_removed},
};

int main(int argc, char **argv) { return check_main("compile_folder", checks, LS_COUNT(checks), argc, argv); }
