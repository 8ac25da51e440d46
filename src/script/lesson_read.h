// lesson_read.h: from the table that a lesson yields to a step.
#ifndef LS_SCRIPT_LESSON_READ_H
#define LS_SCRIPT_LESSON_READ_H

#include "app/course/lesson.h"
#include "script/state.h"

// Reads the table at a stack index. Raises an error that starts with `place`, the lesson's file and line. The function of
// a goal goes to the registry, its reference to step->goal.script.
void lesson_read_request(lua_State *L, int table, const char *place, LsArena *arena, LessonStep *step);
// The place of an entry of a demo, "demos/banks.lua:12: ", as file and line of a want; "": there is none.
void lesson_read_from(const char *from, const char *folder, LsArena *arena, LessonWant *want);
// The run that a table asks for, with the place from which it does in its field "from".
void lesson_read_want(lua_State *L, int table, const char *what, const char *folder, LsArena *arena, LessonWant *want);

#endif
