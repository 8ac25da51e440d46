// wellformed.h: strict readers of JSON and XML, written apart from what writes them.
#ifndef LS_TESTS_PROGRAM_WELLFORMED_H
#define LS_TESTS_PROGRAM_WELLFORMED_H

#include <stdbool.h>

// The whole text is one JSON value (RFC 8259), perhaps with a newline after it; no key stands twice in an object.
bool json_is_valid(const char *text);
// Where the value at a path ("lines.0.counters") begins, or NULL. The text is valid.
const char *json_at(const char *text, const char *path);
// 'o'bject, 'a'rray, 's'tring, 'n'umber, 'b'ool, '0' null, '-' if there is nothing at the path.
char json_kind(const char *text, const char *path);
double json_number(const char *text, const char *path);          // -1 if there is no number
bool json_is_string(const char *text, const char *path, const char *expected);   // no escapes in expected
int json_count(const char *text, const char *path);              // elements of an array, -1 if it is none

// One element with all tags closed in order, attributes quoted and different, known entities, valid UTF-8.
bool xml_is_valid(const char *text);

#endif
