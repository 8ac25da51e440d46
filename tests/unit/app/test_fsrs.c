// test_fsrs.c: FSRS-6 against the vectors of its reference implementation, and what must hold of any memory.
#include <math.h>

#include "app/course/fsrs.h"
#include "base/mem.h"
#include "check.h"

static bool near(double a, double b, double most) { return fabs(a - b) <= most; }

// Reference: py-fsrs 6.3.1, tests/test_basic.py, test_review_card. Its first two answers, and those after a wrong one,
// are minutes apart, which is 0 days here; each further one comes when it is due.
static void intervals_of_the_reference(void) {
  static const struct { FsrsMark mark; bool soon; int interval; } vector[] = {
      {FSRS_GOOD, true, 0},   {FSRS_GOOD, false, 2},   {FSRS_GOOD, false, 11}, {FSRS_GOOD, false, 46}, {FSRS_GOOD, false, 163},
      {FSRS_GOOD, false, 498}, {FSRS_AGAIN, true, 0},  {FSRS_AGAIN, true, 0},  {FSRS_GOOD, false, 2},  {FSRS_GOOD, false, 4},
      {FSRS_GOOD, false, 7},  {FSRS_GOOD, false, 12},  {FSRS_GOOD, false, 21}};
  Fsrs state = {0};
  int days = 0;
  for (int i = 0; i < LS_COUNT(vector); i++) {
    state = fsrs_graded(state, vector[i].mark, days);
    days = vector[i].soon ? 0 : fsrs_interval(state, 0.9);
    CHECK_INT(days, vector[i].interval);
  }
}

// test_memo_state of the same file.
static void memory_of_the_reference(void) {
  static const int days[] = {0, 0, 1, 3, 8, 21};
  Fsrs state = {0};
  for (int i = 0; i < LS_COUNT(days); i++) state = fsrs_graded(state, i ? FSRS_GOOD : FSRS_AGAIN, days[i]);
  CHECK(near(state.stability, 53.62691, 1e-4) && near(state.difficulty, 6.3574867, 1e-4));
}

// test_repeated_correct_reviews of the same file.
static void easy_is_least_difficult(void) {
  Fsrs state = {0};
  for (int i = 0; i < 10; i++) state = fsrs_graded(state, FSRS_EASY, 0);
  CHECK(near(state.difficulty, 1, 0));
}

static void stability_is_the_day_of_nine_tenths(void) {
  Fsrs state = {0};
  CHECK(near(fsrs_chance(state, 3), 0, 0));
  for (int mark = FSRS_AGAIN; mark <= FSRS_EASY; mark++) {
    Fsrs first = fsrs_graded(state, (FsrsMark)mark, 0);
    CHECK(near(fsrs_chance(first, first.stability), 0.9, 1e-12) && near(fsrs_chance(first, 0), 1, 0));
    CHECK(near(fsrs_chance(first, -5), 1, 0));
    CHECK(fsrs_interval(first, 0.9) == LS_MAX((int)nearbyint(first.stability), 1));
    CHECK(fsrs_interval(first, 0.8) >= fsrs_interval(first, 0.9));
  }
}

// Better marks are never worse, and whatever is answered whenever, the numbers stay in their ranges.
static void marks_are_in_order(void) {
  Fsrs states[400];
  int count = 0;
  for (int mark = FSRS_AGAIN; mark <= FSRS_EASY; mark++) states[count++] = fsrs_graded((Fsrs){0}, (FsrsMark)mark, 0);
  for (int i = 0; i < count; i++)
    for (int days = 0; days <= 1000; days = days * 10 + (days == 0)) {
      double before = 0;
      for (int mark = FSRS_AGAIN; mark <= FSRS_EASY; mark++) {
        Fsrs next = fsrs_graded(states[i], (FsrsMark)mark, days);
        CHECK(next.stability >= before && next.stability >= 0.001 && isfinite(next.stability));
        CHECK(next.difficulty >= 1 && next.difficulty <= 10);
        before = next.stability;
        if (count < LS_COUNT(states)) states[count++] = next;
      }
    }
  CHECK_INT(count, LS_COUNT(states));
  CHECK_INT(fsrs_interval((Fsrs){1e9, 5}, 0.9), 36500);
}

static void boxes(void) {
  static const struct { double stability; int box; } cases[] = {{0, 0},  {0.001, 1}, {1.99, 1}, {2, 2},  {6.99, 2},
                                                                {7, 3}, {20.9, 3},  {21, 4},   {60, 5}, {9999, 5}};
  for (int i = 0; i < LS_COUNT(cases); i++) CHECK_INT(fsrs_box((Fsrs){cases[i].stability, 5}), cases[i].box);
}

int main(int argc, char **argv) {
  static const Check checks[] = {
      {"intervals of the reference", intervals_of_the_reference},
      {"memory of the reference", memory_of_the_reference},
      {"easy is least difficult", easy_is_least_difficult},
      {"stability is the day of nine tenths", stability_is_the_day_of_nine_tenths},
      {"marks are in order", marks_are_in_order},
      {"boxes", boxes},
  };
  return check_main("fsrs", checks, LS_COUNT(checks), argc, argv);
}
