// skill_history.c: the answers of a skill, summed up for a report.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/course/lesson.h"
#include "app/course/skills.h"

typedef struct Sum {
  SkillHistory *history;
  LsArena *arena;
  int wrong_room, timed_room;
  double *seconds;
} Sum;

static void count_wrong(Sum *sum, const SkillAnswer *answer) {
  SkillHistory *history = sum->history;
  SkillWrong *same = NULL;
  for (int i = 0; i < history->wrong_count && !same; i++)
    if (strcmp(history->wrong[i].given, answer->given) == 0) same = &history->wrong[i];
  if (!same) {
    SkillWrong one = {.given = ls_arena_strdup(sum->arena, answer->given)};
    LS_PUSH(history->wrong, history->wrong_count, sum->wrong_room, one);
    same = &history->wrong[history->wrong_count - 1];
  }
  same->said = ls_arena_strdup(sum->arena, answer->said);
  same->count++;
}

static bool add_answer(void *context, const SkillAnswer *answer) {
  Sum *sum = context;
  SkillHistory *history = sum->history;
  int64_t day = skill_day(answer->at);
  bool first = !history->seen && !history->looked;
  history->first_day = first ? day : LS_MIN(history->first_day, day);
  history->last_day = first ? day : LS_MAX(history->last_day, day);
  history->looked += answer->looked;
  if (!answer->mark) return true;
  history->seen++;
  history->right += answer->right;
  history->score += answer->score;
  history->sure += answer->sure == LESSON_SURE;
  history->sure_and_wrong += answer->sure == LESSON_SURE && !answer->right && *answer->given;
  if (!answer->right && *answer->given) count_wrong(sum, answer);
  if (answer->seconds > 0) LS_PUSH(sum->seconds, history->timed, sum->timed_room, answer->seconds);
  return true;
}

static int by_count(const void *a, const void *b) {
  const SkillWrong *left = a, *right = b;
  return left->count != right->count ? right->count - left->count : strcmp(left->given, right->given);
}

static int by_size(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return left < right ? -1 : left > right;
}

static double median(double *numbers, int count) {
  if (!count) return 0;
  qsort(numbers, (size_t)count, sizeof *numbers, by_size);
  return (numbers[(count - 1) / 2] + numbers[count / 2]) / 2;
}

// The list that grew moves to the arena.
static void keep_wrong(Sum *sum) {
  SkillHistory *history = sum->history;
  size_t size = sizeof *history->wrong * (size_t)history->wrong_count;
  if (!history->wrong_count) return;
  qsort(history->wrong, (size_t)history->wrong_count, sizeof *history->wrong, by_count);
  SkillWrong *grown = history->wrong;
  history->wrong = memcpy(ls_arena_alloc(sum->arena, size), grown, size);
  free(grown);
}

double skill_usual_seconds(Progress *progress, const char *skill) {
  enum { LEAST = 3 };
  SkillHistory history;
  LsArena *arena = ls_arena_new();
  skill_history(progress, skill, arena, &history);
  ls_arena_free(arena);
  return history.timed < LEAST ? 0 : history.seconds;
}

bool skill_history(Progress *progress, const char *skill, LsArena *arena, SkillHistory *history) {
  Sum sum = {.history = history, .arena = arena};
  SkillState state;
  *history = (SkillHistory){0};
  skill_log_each(progress, skill, add_answer, &sum);
  skill_state(progress, skill, time(NULL), &state);
  history->right_days = state.right_days;
  history->lapses = state.lapses;
  history->seconds = median(sum.seconds, history->timed);
  keep_wrong(&sum);
  free(sum.seconds);
  return history->seen || history->looked;
}
