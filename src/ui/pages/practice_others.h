// practice_others.h: the other ways to solve an exercise, counted in the same cases as the student's, by a worker thread.
#ifndef LS_UI_PAGES_PRACTICE_OTHERS_H
#define LS_UI_PAGES_PRACTICE_OTHERS_H

#include "ui/pages/practice_draw.h"

typedef struct PracticeOthers PracticeOthers;

PracticeOthers *practice_others_start(const Exercise *exercise, uint64_t seed);
void practice_others_free(PracticeOthers *others);        // cancels; NULL is fine
bool practice_others_busy(const PracticeOthers *others);
bool practice_others_look(PracticeOthers *others);        // true if more of them are known
// In the order of the exercise. Good until the next look.
const PracticeOther *practice_others(const PracticeOthers *others, int *count);
// Its source; caller frees.
char *practice_other_text(const Exercise *exercise, const PracticeOther *other, LsErr *err);

#endif
