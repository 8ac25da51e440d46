// day.h: days by their number since 1970 (skill_day) and as people write them, "2027-02-10".
#ifndef LS_APP_DAY_H
#define LS_APP_DAY_H

#include <stdbool.h>
#include <stdint.h>

enum { DAY_TEXT = 16 };
void day_print(int64_t day, char out[DAY_TEXT]);
// False if it is no day of the calendar.
bool day_parse(const char *text, int64_t *day);

#endif
