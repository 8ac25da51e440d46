// watch.h: tells when a file, or a file that it includes in quotes, has been saved with other contents.
//
// Editors save in many ways: they write over the file, empty it first, or put another one in its place; some do it in
// several steps. A change counts when the files have stayed alike for a moment, and when their contents are others than
// before. Nobody waits here: the caller looks again, and says what time it is.
#ifndef LS_APP_WATCH_H
#define LS_APP_WATCH_H

#include <stdbool.h>

typedef enum WatchNews {
  WATCH_SAME,
  WATCH_SETTLING,    // something happens to it: look again soon
  WATCH_CHANGED,     // once for each change
  WATCH_GONE,        // once: the file is not there any more
} WatchNews;

#define WATCH_SETTLED 0.06     // seconds that files stay alike before they count
#define WATCH_MISSING 1.0      // that it may be empty or away, while an editor saves it

typedef struct Watch Watch;
Watch *watch_new(const char *path);              // what is there now is known
void watch_free(Watch *watch);                   // NULL is fine
WatchNews watch_look(Watch *watch, double now);  // now: seconds of any clock that only goes forward
// Becomes readable when something may have happened; -1: the system cannot tell.
int watch_fd(const Watch *watch);
// How often to look without being told: milliseconds, 0: never. Changes made on another machine are told by nobody.
int watch_period(const Watch *watch);
int watch_files(const Watch *watch);             // how many: itself and its includes

#endif
