// lesson_impl.h: what course.c needs of lesson.c.
#ifndef LS_SCRIPT_LESSON_IMPL_H
#define LS_SCRIPT_LESSON_IMPL_H

#include "app/course/lesson.h"

// The course and the lesson are borrowed for the life of the script.
LessonScript *lesson_script_open(const char *folder, const Course *course, const CourseLesson *info, LsErr *err);
// Questions from its bank in place of the lesson. The drill is borrowed, too.
LessonScript *lesson_script_drill(const char *folder, const Course *course, const CourseLesson *info,
                                  const CourseDrill *drill, LsErr *err);
bool lesson_script_skills(const char *folder, const Course *course, const CourseLesson *info, LsArena *arena,
                          const char ***names, int *count, LsErr *err);
bool lesson_script_claims(const char *folder, const Course *course, LsArena *arena, CourseClaim **list, int *count,
                          LsErr *err);
bool lesson_script_museum(const char *folder, const Course *course, LsArena *arena, CourseRoom **list, int *count,
                          LsErr *err);
bool lesson_script_families(const char *folder, const Course *course, LsArena *arena, CourseFamily **list, int *count,
                            LsErr *err);
bool lesson_script_demos(const char *folder, const Course *course, const char *name, LsArena *arena, CourseDemo **list,
                         int *count, LsErr *err);

#endif
