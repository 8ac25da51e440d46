// work_read.h: from the table that modify, make and parsons yield to a piece of work.
#ifndef LS_SCRIPT_WORK_READ_H
#define LS_SCRIPT_WORK_READ_H

#include "app/course/work.h"
#include "script/state.h"

// Reads the table at a stack index; `place` is the lesson's file and line, what names the table in messages. The
// function
// that judges goes to the registry, its reference to work->script.
LessonWork *work_read(lua_State *L, int table, const char *what, LsArena *arena);

#endif
