// fsrs.c: the formulas of FSRS-6.
#include "app/course/fsrs.h"

#include <math.h>
#include <stdbool.h>

#include "base/mem.h"

static const double most_days = 36500, least_stability = 0.001, least_difficulty = 1, most_difficulty = 10;

// The default weights w0 to w20.
static const double w[] = {0.212,  1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001,  1.8722, 0.1666, 0.796,
                           1.4835, 0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542};

static double decay(void) { return -w[20]; }
static double factor(void) { return pow(0.9, 1 / decay()) - 1; }

double fsrs_chance(Fsrs state, double days) {
  if (state.stability <= 0) return 0;
  return pow(1 + factor() * LS_MAX(days, 0) / state.stability, decay());
}

int fsrs_interval(Fsrs state, double wanted) {
  double days = state.stability / factor() * (pow(wanted, 1 / decay()) - 1);
  return (int)LS_CLAMP(nearbyint(days), 1, most_days);
}

// How much better than right.
static double above(FsrsMark mark) { return (int)mark - FSRS_GOOD; }

static double first_difficulty(FsrsMark mark) { return w[4] - exp(w[5] * (mark - 1)) + 1; }

static double difficulty_after(double difficulty, FsrsMark mark) {
  double change = -w[6] * above(mark) * (most_difficulty - difficulty) / 9;
  return w[7] * first_difficulty(FSRS_EASY) + (1 - w[7]) * (difficulty + change);
}

// On the same day.
static double stability_soon(double stability, FsrsMark mark) {
  double growth = exp(w[17] * (above(mark) + w[18])) * pow(stability, -w[19]);
  return stability * (mark >= FSRS_GOOD ? LS_MAX(growth, 1) : growth);
}

static double stability_forgotten(Fsrs state, double chance) {
  double later = w[11] * pow(state.difficulty, -w[12]) * (pow(state.stability + 1,
                                                              w[13]) - 1) * exp((1 - chance) * w[14]);
  return LS_MIN(later, state.stability / exp(w[17] * w[18]));
}

static double stability_recalled(Fsrs state, FsrsMark mark, double chance) {
  double bonus = mark == FSRS_HARD ? w[15] : mark == FSRS_EASY ? w[16] : 1;
  return state.stability * (1 + exp(w[8]) * (11 - state.difficulty) * pow(state.stability, -w[9]) *
                                (exp((1 - chance) * w[10]) - 1) * bonus);
}

static double stability_after(Fsrs state, FsrsMark mark, int days) {
  if (days < 1) return stability_soon(state.stability, mark);
  double chance = fsrs_chance(state, days);
  return mark == FSRS_AGAIN ? stability_forgotten(state, chance) : stability_recalled(state, mark, chance);
}

Fsrs fsrs_graded(Fsrs before, FsrsMark mark, int days) {
  bool first = before.stability <= 0;
  Fsrs after = {first ? w[mark - 1] : stability_after(before, mark, days),
                first ? first_difficulty(mark) : difficulty_after(before.difficulty, mark)};
  after.stability = LS_MAX(after.stability, least_stability);
  after.difficulty = LS_CLAMP(after.difficulty, least_difficulty, most_difficulty);
  return after;
}

int fsrs_box(Fsrs state) {
  static const double ends[FSRS_BOXES - 1] = {2, 7, 21, 60};
  int box = 1;
  if (state.stability <= 0) return 0;
  while (box < FSRS_BOXES && state.stability >= ends[box - 1]) box++;
  return box;
}
