// lesson_read.h: from the table that a lesson yields to a step.
#ifndef LS_SCRIPT_LESSON_READ_H
#define LS_SCRIPT_LESSON_READ_H

#include "app/course/lesson.h"
#include "script/state.h"

// Reads the table at a stack index. Raises an error that starts with `place`, the lesson's file and line. The function of
// a goal goes to the registry, its reference to step->goal.script.
void lesson_read_request(lua_State *L, int table, const char *place, LsArena *arena, LessonStep *step);

#endif
