// exercise.h: the ladder of exercises from Lua. The format is lessons/practice/README.md; the structure that they
// become is app/practice/exercise.h.
#ifndef LS_SCRIPT_EXERCISE_H
#define LS_SCRIPT_EXERCISE_H

#include "app/practice/exercise.h"

// The exercises of a folder (NULL: lanescope's own): each a folder NN_NAME with an exercise.lua, in the order of their
// names. An exercise is loaded when asked for. Functions of one exercise may be called from any thread; they wait for
// each other.
ExerciseBook *exercise_book_open(const char *folder, LsErr *err);

#endif
