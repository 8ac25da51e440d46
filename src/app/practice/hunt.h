// hunt.h: a room of the museum as an exercise: its kernel with the lecture's mistake, to be found and mended.
//
// What is right is what the kernel's own recipe says: its launch and check, where the mistake shows, at the defaults,
// with the least value of each parameter and with each word or number of a list; in the orders of execution of any
// exercise, and with nothing told of it. The recipe's first form, which is right, is the reference.
#ifndef LS_APP_PRACTICE_HUNT_H
#define LS_APP_PRACTICE_HUNT_H

#include "app/course/course.h"
#include "app/practice/exercise.h"

typedef struct HuntList { const CourseRoom **rooms; int count; LsArena *arena; } HuntList;

// The rooms that can be mended in a source: a form of a kernel with a file of its own, beside a first form that is
// right. For hunt_list_free. False: a file of the museum has a bug.
bool hunt_list(Course *course, RecipeBook *book, HuntList *out, LsErr *err);
void hunt_list_free(HuntList *list);
// "E57", in any case. NULL with LS_EREQUEST: there is no such room, or none with a kernel to mend. The room and the
// book are to live as long.
Exercise *hunt_open(const HuntList *list, const char *id, RecipeBook *book, LsErr *err);
void hunt_free(Exercise *exercise);      // NULL is fine

#endif
