// line.h: what the programs of a demo say to each other: lines, each one flat JSON object, read without trust.
//
//   {"step": 1184, "kernel": "transpose_32x32", "open": true, "options": ["1", "32"]}
//
// Values are texts, whole numbers, true, false, and lists of texts or whole numbers. Whatever else comes (another
// type, an object in an object, a number too long, a control character, a byte that is no UTF-8) is no line, and
// neither is one that is too long. LsJson writes them.
#ifndef LS_APP_LINE_H
#define LS_APP_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LINE_MOST = 8192, LINE_FIELDS = 32, LINE_ITEMS = 12 };   // bytes; members; items of a list

// Bytes as they come, cut into lines. Embedded.
typedef struct LineReader {
  char *bytes;                 // most + 1 of them
  size_t most, length, taken;
  bool broken;                 // a line was too long, or had a zero byte: nothing more comes
} LineReader;
void line_reader_init(LineReader *reader, size_t most);   // most: bytes of a line
void line_reader_fini(LineReader *reader);
size_t line_reader_room(const LineReader *reader);        // bytes that line_feed takes now; at least 1 after line_next
                                                          // gave NULL, unless broken
void line_feed(LineReader *reader, const char *bytes, size_t size);
// The next whole line without its end, to be written into at will until the next call; NULL: there is none.
char *line_next(LineReader *reader);

typedef struct LineItem { const char *text; int64_t number; } LineItem;   // text NULL: it is a number
typedef struct LineField {
  const char *key;
  bool is_list;
  LineItem value;              // unless it is a list
  LineItem items[LINE_ITEMS]; int count;
} LineField;
typedef struct LineFields { LineField fields[LINE_FIELDS]; int count; } LineFields;   // texts stand in the line

// Takes the line apart, in place. False: it is none.
bool line_read(LineFields *fields, char *line);
const LineField *line_field(const LineFields *fields, const char *key);   // NULL: it has none
// The member as a text of at most so many bytes, or `otherwise` if it is missing, no text, or longer.
const char *line_text(const LineFields *fields, const char *key, size_t most, const char *otherwise);
// The member as a number from least to most, or `otherwise`.
int64_t line_number(const LineFields *fields, const char *key, int64_t least, int64_t most, int64_t otherwise);
bool line_flag(const LineFields *fields, const char *key);                // false if it is missing

#endif
