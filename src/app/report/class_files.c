// class_files.c: goes through folders for the reports of a class.
#include "app/report/class_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/file.h"

enum { DEPTH = 12 };        // of folders in folders

static void say_error(ClassFiles *files, const LsErr *err) {
  char line[sizeof err->message + 512];
  ls_err_text(err, line, sizeof line);
  files->say(files->context, line);
}

static void say_taken(ClassFiles *files, const char *path, const Report *report, ClassTaken taken) {
  LsText line = {0};
  ls_text_addf(&line, "%s: ", LS_QUOTE_PATH(path));
  if (taken == CLASS_OTHER)
    ls_text_addf(&line, "a report on another course (%.8s, lanescope %s): left out", report->course, report->program);
  else
    ls_text_addf(&line, "%s has handed in more than once: the report of this file, of %s, %s", report->who,
                 report->made,
                 taken == CLASS_NEWER ? "is the newer one and counts" : "is the older one and does not count");
  files->say(files->context, ls_text_str(&line));
  ls_text_free(&line);
}

static void read_file(ClassFiles *files, const char *path) {
  Report report;
  LsErr err = {0};
  files->files++;
  if (report_read(files->reader, path, &report, &err)) {
    ClassTaken taken = class_add(files->class, &report);
    if (taken != CLASS_TAKEN) say_taken(files, path, &report, taken);
  } else {
    files->broken += err.kind != LS_EUNSUPPORTED;
    files->newer += err.kind == LS_EUNSUPPORTED;
    say_error(files, &err);
  }
  report_free(&report);
  if (files->step) files->step(files->context, files->files);
}

// Hidden files are what systems put beside others.
static int is_listed(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void cannot(ClassFiles *files, const char *what, const char *path) {
  LsErr err;
  files->files++;
  files->broken++;
  ls_fail(&err, LS_EIO, "cannot %s %s: %s", what, LS_QUOTE_PATH(path), strerror(errno));
  say_error(files, &err);
}

static void read_folder(ClassFiles *files, const char *path, int depth);

static void read_entry(ClassFiles *files, const char *path, int depth) {
  struct stat info;
  size_t length = strlen(path);
  bool named = length > 5 && strcasecmp(path + length - 5, ".json") == 0;
  if (lstat(path, &info) != 0) return;                 // gone since
  if (S_ISDIR(info.st_mode) && depth < DEPTH) read_folder(files, path, depth + 1);
  else if (S_ISREG(info.st_mode) && named) read_file(files, path);
}

static void read_folder(ClassFiles *files, const char *path, int depth) {
  struct dirent **entries;
  int count = scandir(path, &entries, is_listed, alphasort);
  if (count < 0) {
    cannot(files, "read the folder", path);
    return;
  }
  for (int i = 0; i < count; i++) {
    char *entry = ls_path_join(path, entries[i]->d_name);
    read_entry(files, entry, depth);
    free(entry);
    free(entries[i]);
  }
  free(entries);
}

void class_read(ClassFiles *files, const char *path) {
  struct stat info;
  if (stat(path, &info) != 0) cannot(files, "open", path);
  else if (S_ISDIR(info.st_mode)) read_folder(files, path, 0);
  else read_file(files, path);
}
