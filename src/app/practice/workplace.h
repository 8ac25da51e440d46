// workplace.h: where a student's own files of the exercises are: $LANESCOPE_PRACTICE, or the folder lanescope-practice
// below the current one.
#ifndef LS_APP_PRACTICE_WORKPLACE_H
#define LS_APP_PRACTICE_WORKPLACE_H

#include "app/practice/exercise.h"

// "lanescope-practice/transpose.cu"; caller frees.
char *workplace_path(const Exercise *exercise);
// Puts the starter there, unless there is something of that name already: that stays as it is. *is_new: it was put
// there now. False with LS_EIO.
bool workplace_begin(const Exercise *exercise, const char *path, bool *is_new, LsErr *err);

#endif
