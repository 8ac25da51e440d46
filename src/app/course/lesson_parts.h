// lesson_parts.h: what lesson.c lets the other files of a lesson do.
#ifndef LS_APP_LESSON_PARTS_H
#define LS_APP_LESSON_PARTS_H

#include "app/course/lesson.h"

LessonStep *lesson_step(Lesson *lesson);             // the current one
RecipeBook *lesson_book(const Lesson *lesson);
LessonScript *lesson_script(const Lesson *lesson);
LsArena *lesson_arena(const Lesson *lesson);         // lives as long as the steps
// Where something of the current step is saved, and by which name; NULL: nowhere.
Progress *lesson_saves(const Lesson *lesson, const LessonStep *step, char name[PROGRESS_NAME]);
// Of a quiz, where what it asks is marked; else NULL.
Progress *lesson_marks(const Lesson *lesson);
// What the step asks for was done: it is saved, and the lesson may go on.
void lesson_reach(Lesson *lesson);

#endif
