// day.c: days of the calendar.
#include "app/course/day.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { SECONDS_OF_DAY = 24 * 60 * 60 };

void day_print(int64_t day, char out[DAY_TEXT]) {
  time_t time = (time_t)day * SECONDS_OF_DAY;
  struct tm date;
  if (!gmtime_r(&time, &date) || !strftime(out, DAY_TEXT, "%Y-%m-%d", &date)) snprintf(out, DAY_TEXT, "?");
}

// What is written back in the same way is a day: not the 30th of February.
bool day_parse(const char *text, int64_t *day) {
  struct tm date = {0};
  char again[DAY_TEXT];
  const char *end = strptime(text, "%Y-%m-%d", &date);
  if (!end || *end || strlen(text) != strlen("2027-02-10")) return false;
  *day = timegm(&date) / SECONDS_OF_DAY;
  day_print(*day, again);
  return strcmp(again, text) == 0;
}
