// lesson_impl.h: what course.c needs of lesson.c.
#ifndef LS_SCRIPT_LESSON_IMPL_H
#define LS_SCRIPT_LESSON_IMPL_H

#include "app/course/lesson.h"

LessonScript *lesson_script_open(const char *folder, const char *file, LsErr *err);

#endif
