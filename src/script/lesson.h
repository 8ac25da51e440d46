// lesson.h: the course and its lessons from Lua. lessons/README.md is the manual for those who write them.
#ifndef LS_SCRIPT_LESSON_H
#define LS_SCRIPT_LESSON_H

#include "app/course/course.h"

// Reads course.lua of a folder (NULL: lanescope's own lessons). A lesson's script is loaded when it is opened.
Course *course_open(const char *folder, LsErr *err);

#endif
