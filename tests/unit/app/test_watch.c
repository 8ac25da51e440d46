// test_watch.c: a file that is saved, in the ways in which editors save. The clock is the test's own: nothing waits.
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/own/watch.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "check.h"

static char folder[200], path[300], other[300], header[300];
static double now;
static int size;   // of the next contents: every one has another, so that no clock of a file system matters

static void put(const char *file, const char *text) {
  LsText contents = {0};
  ls_text_addf(&contents, "%s\n%*s", text, ++size, "");
  CHECK(ls_file_write(file, ls_text_str(&contents), contents.length, NULL));
  ls_text_free(&contents);
}

static Watch *start(void) {
  size = 0;
  put(path, "first");
  return watch_new(path);
}

static void end(Watch *watch) {
  watch_free(watch);
  unlink(path);
  unlink(other);
  unlink(header);
}

// What is told once nothing happens any more, however long that takes.
static WatchNews news(Watch *watch) {
  WatchNews last = watch_look(watch, now);
  for (int i = 0; i < 100 && last == WATCH_SETTLING; i++) last = watch_look(watch, now += WATCH_SETTLED);
  return last;
}

static void nothing_happens(void) {
  Watch *watch = start();
  CHECK_INT(watch_look(watch, now), WATCH_SAME);
  CHECK_INT(watch_look(watch, now += 100), WATCH_SAME);
  put(other, "another file");
  CHECK_INT(watch_look(watch, now), WATCH_SAME);
  end(watch);
}

static void saved_in_place(void) {
  Watch *watch = start();
  put(path, "second");
  CHECK_INT(watch_look(watch, now), WATCH_SETTLING);
  CHECK_INT(watch_look(watch, now + WATCH_SETTLED / 2), WATCH_SETTLING);
  CHECK_INT(watch_look(watch, now += WATCH_SETTLED), WATCH_CHANGED);
  CHECK_INT(watch_look(watch, now += 10), WATCH_SAME);   // told once
  end(watch);
}

static void another_file_takes_its_place(void) {
  Watch *watch = start();
  for (int i = 0; i < 3; i++) {
    put(other, "a new file");
    CHECK_INT(rename(other, path), 0);
    CHECK_INT(news(watch), WATCH_CHANGED);
    CHECK_INT(news(watch), WATCH_SAME);
  }
  end(watch);
}

// As vim does it: the old one is moved away, and a new one made.
static void moved_away_and_made_anew(void) {
  Watch *watch = start();
  CHECK_INT(rename(path, other), 0);
  CHECK_INT(watch_look(watch, now), WATCH_SETTLING);
  put(path, "second");
  CHECK_INT(news(watch), WATCH_CHANGED);
  end(watch);
}

static void emptied_first(void) {
  Watch *watch = start();
  CHECK(ls_file_write(path, "", 0, NULL));
  CHECK_INT(watch_look(watch, now), WATCH_SETTLING);
  // nobody compiles an empty file that is being saved
  CHECK_INT(watch_look(watch, now += 2 * WATCH_SETTLED), WATCH_SETTLING);
  put(path, "second");
  CHECK_INT(news(watch), WATCH_CHANGED);
  end(watch);
}

static void several_saves_are_one_change(void) {
  Watch *watch = start();
  for (int i = 0; i < 5; i++) {
    put(path, "more");
    CHECK_INT(watch_look(watch, now += WATCH_SETTLED / 2), WATCH_SETTLING);
  }
  CHECK_INT(news(watch), WATCH_CHANGED);
  CHECK_INT(news(watch), WATCH_SAME);
  end(watch);
}

static void saved_as_it_was(void) {
  Watch *watch = start();
  size_t length;
  char *text = ls_file_read(path, 1000, &length, NULL);
  put(path, "second");
  CHECK(ls_file_write(path, text, length, NULL));
  CHECK_INT(news(watch), WATCH_SAME);
  free(text);
  end(watch);
}

static void gone_and_back(void) {
  Watch *watch = start();
  unlink(path);
  CHECK_INT(watch_look(watch, now), WATCH_SETTLING);
  CHECK_INT(watch_look(watch, now += WATCH_MISSING / 2), WATCH_SETTLING);
  CHECK_INT(news(watch), WATCH_GONE);
  CHECK_INT(news(watch), WATCH_SAME);   // told once
  put(path, "back");
  CHECK_INT(news(watch), WATCH_CHANGED);
  end(watch);
}

static void includes_count(void) {
  put(header, "#define N 1");
  put(path, "");
  size = 10;
  put(path, "  # include \"watched.h\"\n#include <stdio.h>\n#include \"missing.h\"");
  Watch *watch = watch_new(path);
  CHECK_INT(watch_files(watch), 3);
  put(header, "#define N 2");
  CHECK_INT(news(watch), WATCH_CHANGED);
  put(other, "not included");
  CHECK_INT(news(watch), WATCH_SAME);
  put(path, "no includes");
  CHECK_INT(news(watch), WATCH_CHANGED);
  CHECK_INT(watch_files(watch), 1);
  put(header, "#define N 3");
  CHECK_INT(news(watch), WATCH_SAME);
  end(watch);
}

static void circles_of_includes_end(void) {
  put(header, "#include \"watched.cu\"\n#include \"watched.h\"");
  put(path, "#include \"watched.h\"");
  Watch *watch = watch_new(path);
  CHECK_INT(watch_files(watch), 2);
  end(watch);
}

// The system says when to look: before that nothing can be read, after it something can.
static void told_by_the_system(void) {
  Watch *watch = start();
  char byte;
  if (watch_fd(watch) >= 0) {
    CHECK(read(watch_fd(watch), &byte, 0) <= 0);
    watch_look(watch, now);
    put(path, "second");
    put(other, "x");
    CHECK_INT(rename(other, path), 0);
    char bytes[1024];
    CHECK(read(watch_fd(watch), bytes, sizeof bytes) > 0);
  }
  CHECK_INT(news(watch), WATCH_CHANGED);
  end(watch);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"nothing happens", nothing_happens},
      {"saved in place", saved_in_place},
      {"another file takes its place", another_file_takes_its_place},
      {"moved away and made anew", moved_away_and_made_anew},
      {"emptied first", emptied_first},
      {"several saves are one change", several_saves_are_one_change},
      {"saved as it was", saved_as_it_was},
      {"gone and back", gone_and_back},
      {"includes count", includes_count},
      {"circles of includes end", circles_of_includes_end},
      {"told by the system", told_by_the_system},
  };
  if (!check_folder(folder, sizeof folder)) return 99;
  snprintf(path, sizeof path, "%s/watched.cu", folder);
  snprintf(other, sizeof other, "%s/other.cu", folder);
  snprintf(header, sizeof header, "%s/watched.h", folder);
  int status = check_main("watch", checks, LS_COUNT(checks), argc, argv);
  rmdir(folder);
  return status;
}
