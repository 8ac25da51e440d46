// exercise.h: a kernel that a student is to write: what is asked for, the cases it is judged in, and what is told of
// the result. script/ makes exercises from lessons/practice/NN_NAME/exercise.lua.
//
// An exercise is a recipe whose source is the student's file. A case is a set of values for it: what its data are drawn
// from is part of them (RecipeValues.drawn), so that any run of a judging can be made again, also by the explorer.
#ifndef LS_APP_PRACTICE_EXERCISE_H
#define LS_APP_PRACTICE_EXERCISE_H

#include "app/run/recipe.h"
#include "base/mem.h"

typedef struct Exercise Exercise;

typedef struct ExerciseCase {
  RecipeValues values;
  bool shown;                    // to the student beforehand; else only once it fails
  bool counts;                   // limits are held in it
  bool once;                     // in the first order only
  const char *profile;           // NULL: the exercise's
} ExerciseCase;

// What the code has to be like, before anything is run. pattern: Lua's, searched in the PTX.
typedef struct ExerciseRule { const char *name, *pattern; bool forbidden; } ExerciseRule;

// A further file beside the exercise: a sound other way, or a wrong one. by: how a wrong one is found ("race",
// "result", the name of a limit or rule); says: a piece of what must be said then.
typedef struct ExerciseFile { const char *name, *what, *by, *says; } ExerciseFile;

enum { EXERCISE_ORDERS = 16, EXERCISE_CASES = 64 };

// What was found, for the exercise's own words. NULL and -1: not known.
typedef struct ExerciseTold {
  const char *how, *kind, *message, *got, *want;
  int64_t value, bound, index;
  int line, other_line;
  bool unwritten;                // an element of the result that nobody wrote
} ExerciseTold;

struct Exercise {
  const char *id;                // "07"
  const char *folder;            // where its files are
  const char *starter, *reference;             // the paths of these two; NULL: in the folder, by these names
  bool is_hunt;                  // a mistake to be mended (hunt.h): nothing is drawn
  const char *name, *title, *teaches, *statement, *numbers;
  const char **lessons; int lesson_count;
  const char **kernels; int kernel_count;      // signatures as C has them; the first one's name is the recipe's kernel
  const char *given;             // a file of the folder with the kernels: the student's has the host's calls, and is
                                 // not compiled. NULL: the student writes the kernels
  const char **tips; int tip_count;
  ExerciseFile *others; int other_count;
  ExerciseFile *wrongs; int wrong_count;
  ExerciseRule *rules; int rule_count;
  int64_t shared_bytes;          // most that the code may declare itself; -1: any
  uint64_t orders[EXERCISE_ORDERS]; int order_count;   // seeds; the first of them is that in which limits are held
  uint64_t remarks;              // bits of 1 << FaultKind: warnings and notes that count as faults here
  bool warnings;                 // all warnings do
  uint64_t budget;               // instructions of a launch
  const char *profile;
  int case_count;
  const char *score;             // what is counted for it; NULL: there is none
  const Recipe *recipe;          // with the cases' parameters; its limits are held in cases that count
  // A case as it is drawn with this seed. False with LS_EPARSE: the exercise is wrong, and where.
  bool (*get_case)(const Exercise *exercise, uint64_t seed, int index, ExerciseCase *out, LsErr *err);
  bool (*get_score)(const Exercise *exercise, const RecipeCounted *counted, int64_t *value, LsErr *err);
  // Of one with `given`: keeps the student's text, for RecipeValues.text.
  bool (*keep_text)(const Exercise *exercise, const char *text, uint64_t *id, LsErr *err);
  // Whether a pattern of a rule is in a text.
  bool (*has_pattern)(const Exercise *exercise, const char *text, size_t length, const char *pattern, bool *found,
                      LsErr *err);
  // Adds what the exercise says to it in its own words, if anything. values may be NULL.
  bool (*say)(const Exercise *exercise, const RecipeValues *values, const char *key, const ExerciseTold *told,
              LsText *out, LsErr *err);
};

// The ladder. One per program; exercises live as long as it does.
typedef struct ExerciseBook ExerciseBook;
struct ExerciseBook {
  int (*count)(ExerciseBook *book);
  const char *(*folder_name)(ExerciseBook *book, int index);              // "07_transpose"; cheap
  const Exercise *(*get)(ExerciseBook *book, int index, LsErr *err);      // loads it
  void (*free)(ExerciseBook *book);
};
// By its folder's name, its number ("07", "7") or its name ("transpose"). -1 with the nearest one.
int exercise_find(ExerciseBook *book, const char *name, LsErr *err);
// The one that a file is for: by the name of the file or its folder, or by its kernels. -1 with LS_EREQUEST.
int exercise_find_for(ExerciseBook *book, const char *path, LsErr *err);
// "cols=96 rows=64": what a case gives values to.
void exercise_print_values(const Exercise *exercise, const RecipeValues *values, LsText *out);
// Which cases are known beforehand, as a sentence or two.
void exercise_cases(const Exercise *exercise, LsText *out);
// "lessons/practice/07_transpose/reference.cu"; caller frees.
char *exercise_file(const Exercise *exercise, const char *name);

#endif
