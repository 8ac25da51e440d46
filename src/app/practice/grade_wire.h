// grade_wire.h: what a grader and the process that judges one submission say to each other.
//
//   message = "lanescope-grade 1\n", (KEY ' ' LENGTH '\n', LENGTH bytes, '\n')*, "end 0\n\n"
//
// KEY is a word, LENGTH decimal. Request: exercise, seed, seconds, memory (MB), name (of the file, for messages),
// source. Answer:
// see grade.h. The seed and the source go through a pipe, so that nobody reads them from a list of processes. Before
// the
// first line other text may come (what a login shell prints); it is passed over. The grader keeps the pipe open until
// it has
// the answer: if it is closed, the judging ends.
#ifndef LS_APP_PRACTICE_GRADE_WIRE_H
#define LS_APP_PRACTICE_GRADE_WIRE_H

#include "base/text.h"

void grade_wire_begin(LsText *out);
void grade_wire_put(LsText *out, const char *key, const char *bytes, size_t size);
void grade_wire_text(LsText *out, const char *key, const char *text);   // NULL: nothing is put
void grade_wire_number(LsText *out, const char *key, int64_t value);
void grade_wire_end(LsText *out);

// Whether a whole message is there.
bool grade_wire_is_whole(const LsText *in);
// The bytes of a key of a whole message, borrowed; NULL: it is not in it. size may be NULL.
const char *grade_wire_get(const LsText *in, const char *key, size_t *size);
char *grade_wire_take(const LsText *in, const char *key);               // a copy; NULL: it is not in it
int64_t grade_wire_int(const LsText *in, const char *key, int64_t fallback);

#endif
