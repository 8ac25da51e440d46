// mod_bank.h: what lua/bank.lua needs of the course: where a lesson stands in it, its files of questions, and what the
// host drew.
#ifndef LS_SCRIPT_MOD_BANK_H
#define LS_SCRIPT_MOD_BANK_H

#include "app/course/lesson.h"
#include "script/state.h"

// course_place() and question_bank("L03") become global. Both arguments are borrowed for the life of the state.
void mod_bank_open(lua_State *L, const Course *course, const CourseLesson *info);
// Pushes what was drawn: { seed = N, { skill = "L03.warps", times = 2 }, ... }; with days, where these were asked for.
void mod_bank_push(lua_State *L, const LessonDraws *draws);

#endif
