// question_read.h: from the fields of a table to a question. lua/question.lua makes them.
#ifndef LS_SCRIPT_QUESTION_READ_H
#define LS_SCRIPT_QUESTION_READ_H

#include "app/course/question.h"
#include "base/mem.h"
#include "script/state.h"

// Raises an error that starts with `what`. Texts go to the arena.
void question_read(lua_State *L, int table, const char *what, LsArena *arena, LessonQuestion *question);

#endif
