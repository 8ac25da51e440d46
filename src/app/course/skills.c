// skills.c: what is known of a skill, from the log of its answers.
#include "app/course/skills.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/random.h"

enum { SECONDS_OF_DAY = 24 * 60 * 60 };

// ---- days ----------------------------------------------------------------------------------------------------------

enum { DAY_BEGINS = 4 * 60 * 60 };

// Seconds that the student's clock is ahead of universal time.
static int64_t zone(int64_t now) {
  time_t time = (time_t)now;
  struct tm local;
  return localtime_r(&time, &local) ? (int64_t)local.tm_gmtoff : 0;
}

int64_t skill_day(int64_t time) {
  int64_t seconds = time + zone(time) - DAY_BEGINS;
  return seconds / SECONDS_OF_DAY - (seconds % SECONDS_OF_DAY < 0);
}

int64_t skill_day_begins(int64_t day, int64_t now) { return day * SECONDS_OF_DAY + DAY_BEGINS - zone(now); }

static bool take_number(void *context, const StoreValue *row) {
  *(int64_t *)context = row[0].integer;
  return false;
}

int64_t skills_until(Progress *progress, int64_t now) {
  int64_t day = 0;
  store_ask(progress_store(progress), "select value from student where name = 'until'", NULL, 0, take_number, &day);
  return day >= skill_day(now) ? day : 0;
}

void skills_set_until(Progress *progress, int64_t day) {
  StoreValue values[] = {store_integer(day)};
  store_change(progress_store(progress), "insert or replace into student values ('until', ?1)", values,
               LS_COUNT(values));
}

// ---- one answer after the other ------------------------------------------------------------------------------------

static const double wanted_chance = 0.9, exam_chance = 0.8;
enum { EXAM_WEEK = 7 };

// What follows from answers so far.
typedef struct Fold { SkillState state; int64_t right_day, wrong_day; } Fold;

static void count_days(Fold *fold, const SkillAnswer *answer, int64_t day) {
  SkillState *state = &fold->state;
  if (answer->right && (!state->right_days || day != fold->right_day)) {
    state->right_days++;
    fold->right_day = day;
  }
  if (answer->mark == FSRS_AGAIN && state->seen && (!state->lapses || day != fold->wrong_day)) {
    state->lapses++;
    fold->wrong_day = day;
  }
}

static void fold_answer(Fold *fold, const SkillAnswer *answer) {
  if (answer->mark < FSRS_AGAIN || answer->mark > FSRS_EASY) return;
  SkillState *state = &fold->state;
  int64_t day = skill_day(answer->at);
  int days = state->seen ? (int)LS_CLAMP(day - skill_day(state->updated), 0, INT32_MAX) : 0;
  bool right = answer->mark > FSRS_AGAIN;
  count_days(fold, answer, day);
  state->memory = fsrs_graded(state->memory, answer->mark, days);
  state->seen++;
  state->right += answer->right;
  state->streak = right ? state->streak + 1 : 0;
  state->failed = !right;
  state->updated = answer->at;
}

// ---- when it is asked again ----------------------------------------------------------------------------------------

// The day on which it is due before an exam: at the latest on that, and where it would be forgotten by then in the week
// before, each day until it would not.
static int64_t day_before_exam(const SkillState *state, int64_t due, int64_t until) {
  int64_t last = skill_day(state->updated);
  bool kept = fsrs_chance(state->memory, (double)(until - last)) >= exam_chance;
  int64_t latest = kept ? until : LS_MAX(until - EXAM_WEEK, last + 1);
  return LS_MIN(due, LS_MIN(latest, until));
}

// An answer of another day than its clock said, which was ahead, is no reason to wait for years.
static int64_t due_of(const SkillState *state, int64_t now, int64_t until) {
  if (state->failed || state->updated > now + SECONDS_OF_DAY) return LS_MIN(state->updated, now);
  int64_t last = skill_day(state->updated), due = last + fsrs_interval(state->memory, wanted_chance);
  if (until && until > last) due = day_before_exam(state, due, until);
  return skill_day_begins(due, now);
}

// The student was not in its lesson since its last lapse.
static bool rests(Progress *progress, const char *skill, const SkillState *state) {
  if (!state->failed || !state->lapses || state->lapses % SKILL_LAPSES) return false;
  ProgressLesson place;
  char *lesson = ls_strndup(skill, strcspn(skill, "."));
  bool read = progress_lesson(progress, lesson, &place) && place.updated >= state->updated;
  free(lesson);
  return !read;
}

static void settle(Progress *progress, const char *skill, int64_t now, int64_t until, SkillState *state) {
  if (!state->seen) return;
  state->due = due_of(state, now, until);
  state->rests = rests(progress, skill, state);
}

bool skill_is_due(const SkillState *state, int64_t now) { return state->seen && !state->rests && state->due <= now; }

double skill_chance(const SkillState *state, int64_t now) {
  return fsrs_chance(state->memory, (double)(skill_day(now) - skill_day(state->updated)));
}

// ---- states --------------------------------------------------------------------------------------------------------

static bool take_answer(void *context, const SkillAnswer *answer) {
  fold_answer(context, answer);
  return true;
}

static int times_drawn(Progress *progress, const char *skill) {
  StoreValue values[] = {store_text(skill)};
  int64_t times = 0;
  store_ask(progress_store(progress), "select times from drawn where skill = ?1", values, 1, take_number, &times);
  return (int)times;
}

bool skill_state(Progress *progress, const char *skill, int64_t now, SkillState *state) {
  Fold fold = {.state.drawn = times_drawn(progress, skill)};
  skill_log_each(progress, skill, take_answer, &fold);
  settle(progress, skill, now, skills_until(progress, now), &fold.state);
  *state = fold.state;
  return state->drawn || state->seen;
}

typedef struct Walk {
  Progress *progress;
  int64_t now, until;
  SkillEach *each; void *context;
  Fold fold; char *skill;
  bool stopped;
} Walk;

static void end_skill(Walk *walk) {
  if (walk->skill && walk->fold.state.seen && !walk->stopped) {
    walk->fold.state.drawn = times_drawn(walk->progress, walk->skill);
    settle(walk->progress, walk->skill, walk->now, walk->until, &walk->fold.state);
    walk->stopped = !walk->each(walk->context, walk->skill, &walk->fold.state);
  }
  free(walk->skill);
  walk->skill = NULL;
  walk->fold = (Fold){0};
}

static bool walk_answer(void *context, const SkillAnswer *answer) {
  Walk *walk = context;
  if (walk->skill && strcmp(walk->skill, answer->skill) != 0) end_skill(walk);
  if (!walk->skill) walk->skill = ls_strdup(answer->skill);
  fold_answer(&walk->fold, answer);
  return !walk->stopped;
}

void skills_each(Progress *progress, int64_t now, SkillEach *each, void *context) {
  Walk walk = {.progress = progress, .now = now, .until = skills_until(progress, now), .each = each,
               .context = context};
  skill_log_each(progress, NULL, walk_answer, &walk);
  end_skill(&walk);
}

void skill_graded(Progress *progress, const char *skill, FsrsMark mark, int64_t now) {
  bool right = mark > FSRS_AGAIN;
  skill_log_add(progress, &(SkillAnswer){.skill = skill, .times = -1, .mark = mark, .at = now, .right = right,
                                         .score = right});
}

static void count_state(const SkillState *state, int64_t now, SkillCounts *counts) {
  counts->known++;
  counts->failed += state->failed;
  counts->due += skill_is_due(state, now);
}

typedef struct Counting { Progress *progress; int64_t now; SkillCounts counts; } Counting;

static bool count_skill(void *context, const char *skill, const SkillState *state) {
  Counting *counting = context;
  (void)skill;
  count_state(state, counting->now, &counting->counts);
  return true;
}

static bool count_named(void *context, const StoreValue *row) {
  Counting *counting = context;
  SkillState state;
  skill_state(counting->progress, row[0].text, counting->now, &state);
  if (state.seen) count_state(&state, counting->now, &counting->counts);
  return true;
}

// Of one lesson only its part of the log is read: its names are between "L03." and "L03/".
SkillCounts skills_count(Progress *progress, const char *lesson, int64_t now) {
  Counting counting = {.progress = progress, .now = now};
  StoreValue values[] = {store_text(lesson ? lesson : "")};
  if (lesson)
    store_ask(progress_store(progress),
              "select distinct skill from answered where skill >= ?1 || '.' and skill < ?1 || '/'", values, 1,
              count_named, &counting);
  else skills_each(progress, now, count_skill, &counting);
  return counting.counts;
}

// ---- checks --------------------------------------------------------------------------------------------------------

typedef struct CheckRow { SkillCheck check; bool found; } CheckRow;

static bool take_check(void *context, const StoreValue *row) {
  *(CheckRow *)context = (CheckRow){{(int)row[0].integer, (int)row[1].integer, row[2].integer != 0}, true};
  return false;
}

bool skills_check(Progress *progress, const char *lesson, SkillCheck *check) {
  StoreValue values[] = {store_text(lesson)};
  CheckRow row = {0};
  store_ask(progress_store(progress), "select correct, total, passed from checked where lesson = ?1", values,
            LS_COUNT(values), take_check, &row);
  *check = row.check;
  return row.found;
}

void skills_save_check(Progress *progress, const char *lesson, const SkillCheck *check, int64_t now) {
  StoreValue values[] = {store_text(lesson), store_integer(check->right), store_integer(check->total),
                         store_integer(check->passed), store_integer(now)};
  store_change(progress_store(progress), "insert or replace into checked values (?1, ?2, ?3, ?4, ?5)", values,
               LS_COUNT(values));
}

// ---- the seed ------------------------------------------------------------------------------------------------------

uint64_t skills_new_seed(void) {
  return (ls_random_bits() & UINT32_MAX) + 1;     // 0 is none
}

void skills_set_seed(Progress *progress, uint64_t seed) {
  StoreValue values[] = {store_integer((int64_t)seed)};
  store_change(progress_store(progress), "insert or replace into student values ('seed', ?1)", values,
               LS_COUNT(values));
}

uint64_t skills_seed(Progress *progress) {
  int64_t seed = 0;
  store_ask(progress_store(progress), "select value from student where name = 'seed'", NULL, 0, take_number, &seed);
  if (!seed) skills_set_seed(progress, (uint64_t)(seed = (int64_t)skills_new_seed()));
  return (uint64_t)seed;
}
