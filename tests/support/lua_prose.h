// lua_prose.h: the sentences in a file of lessons, questions, claims or rooms, and the numbers that the code around
// them knows.
#ifndef LS_TESTS_LUA_PROSE_H
#define LS_TESTS_LUA_PROSE_H

#include <stdbool.h>

enum { PARAGRAPH = 1 };

// text: with '@' for `code`, {value} and %d, in one line, paragraphs and items of a list parted by PARAGRAPH. line: of
// the file. key: the field it is given to, "" if none.
typedef struct ProseText { char *text; int line, part; char key[24]; } ProseText;

// A part is what stands from one screen's end to the next one's: the lines that lead up to it, and it. -1: constants.
typedef struct ProseNumber { double value; int part; } ProseNumber;

typedef struct LuaProse {
  ProseText *texts; int text_count, text_capacity;
  ProseNumber *numbers; int number_count, number_capacity;
} LuaProse;

// False if it cannot be read.
bool lua_prose_read(LuaProse *prose, const char *path);
void lua_prose_free(LuaProse *prose);
// Of the text's part or the one before it, or a constant of the file.
bool lua_prose_knows(const LuaProse *prose, const ProseText *text, double value);

#endif
