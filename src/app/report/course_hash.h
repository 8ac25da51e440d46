// course_hash.h: a name for what is asked in a course, so that only reports on the same questions are put together.
#ifndef LS_APP_REPORT_COURSE_HASH_H
#define LS_APP_REPORT_COURSE_HASH_H

#include "app/course/course.h"
#include "base/sha256.h"

// SHA-256 over the list of lessons, the lessons, their questions and the families: names and contents, in the order of
// the course. folder NULL: the course that is installed.
bool course_hash(const Course *course, const char *folder, char out[LS_SHA256_HEX], LsErr *err);

#endif
