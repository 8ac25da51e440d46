// fsrs.h: how well something is remembered, and when it should be asked again: FSRS, version 6, with its default
// weights.
//
// Two numbers are kept of each skill. Stability S is the number of days after which the chance of a right answer has
// fallen to 0.9; difficulty D is from 1 to 10. Formulas and weights: Free Spaced Repetition Scheduler, "The Algorithm"
// (FSRS-6, 21 weights). No weight is fitted to a student: a course has too few answers for that, and equal weights make
// the students of a class comparable.
//
// FSRS is a model of memory for facts. A drawn question asks for a skill, whose best spacing is less well known.
#ifndef LS_APP_FSRS_H
#define LS_APP_FSRS_H

typedef struct Fsrs { double stability, difficulty; } Fsrs;   // days, 1 to 10; both 0: never answered

typedef enum FsrsMark { FSRS_AGAIN = 1, FSRS_HARD, FSRS_GOOD, FSRS_EASY } FsrsMark;

// After an answer, this many whole days after the one before (which says nothing of the first one).
Fsrs fsrs_graded(Fsrs before, FsrsMark mark, int days);
// The chance of a right answer so many days after the last one; 0 of what was never answered.
double fsrs_chance(Fsrs state, double days);
// Whole days, 1 at least, after which the chance has fallen to `wanted`, which is between 0 and 1.
int fsrs_interval(Fsrs state, double wanted);

// Boxes, as learners know them from cards: under 2, 7, 21, 60 days of stability, and above: 1 to 5; 0: never answered.
enum { FSRS_BOXES = 5 };
int fsrs_box(Fsrs state);

#endif
