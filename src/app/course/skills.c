// skills.c: skills as rows of the database of progress, and the choice of those that are asked next.
#include "app/course/skills.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/random.h"

enum { SECONDS_OF_DAY = 24 * 60 * 60 };

// ---- rows ----------------------------------------------------------------------------------------------------------

typedef struct StateRow { SkillState state; bool found; } StateRow;

static bool take_state(void *context, const StoreValue *row) {
  SkillState state = {.drawn = (int)row[0].integer, .seen = (int)row[1].integer, .right = (int)row[2].integer,
                      .streak = (int)row[3].integer, .failed = row[4].integer != 0, .updated = row[5].integer,
                      .due = row[6].integer, .memory = {row[7].real, row[8].real}};
  *(StateRow *)context = (StateRow){state, true};
  return false;
}

bool skill_state(Progress *progress, const char *skill, SkillState *state) {
  StoreValue values[] = {store_text(skill)};
  StateRow row = {0};
  store_ask(progress_store(progress),
            "select drawn, seen, correct, streak, failed, updated, due, coalesce(stability, 0), coalesce(difficulty, 0)"
            " from skill left join memory on skill = id where id = ?1",
            values, LS_COUNT(values), take_state, &row);
  *state = row.state;
  return row.found;
}

static void save_state(Progress *progress, const char *skill, const SkillState *state) {
  StoreValue values[] = {store_text(skill), store_integer(state->drawn), store_integer(state->seen),
                         store_integer(state->right), store_integer(state->streak), store_integer(state->failed),
                         store_integer(state->updated), store_integer(state->due)};
  store_change(progress_store(progress), "insert or replace into skill values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
               values, LS_COUNT(values));
}

static void save_mark(Progress *progress, const char *skill, FsrsMark mark, const SkillState *state) {
  StoreValue values[] = {store_text(skill), store_real(state->memory.stability), store_real(state->memory.difficulty),
                         store_integer(mark), store_integer(state->updated)};
  store_change(progress_store(progress),
               "insert or replace into memory values (?1, ?2, ?3); insert into graded values (?1, ?4, ?5)", values,
               LS_COUNT(values));
}

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

static int64_t day_begins(int64_t day, int64_t now) { return day * SECONDS_OF_DAY + DAY_BEGINS - zone(now); }

// ---- answers -------------------------------------------------------------------------------------------------------

static const double wanted_chance = 0.9;

void skill_graded(Progress *progress, const char *skill, FsrsMark mark, int64_t now) {
  SkillState state;
  bool right = mark > FSRS_AGAIN;
  skill_state(progress, skill, &state);
  int days = state.seen ? (int)LS_CLAMP(skill_day(now) - skill_day(state.updated), 0, INT32_MAX) : 0;
  state.memory = fsrs_graded(state.memory, mark, days);
  state.seen++;
  state.right += right;
  state.streak = right ? state.streak + 1 : 0;
  state.failed = !right;
  state.updated = now;
  state.due = right ? day_begins(skill_day(now) + fsrs_interval(state.memory, wanted_chance), now) : now;
  save_state(progress, skill, &state);
  save_mark(progress, skill, mark, &state);
}

static bool take_counts(void *context, const StoreValue *row) {
  *(SkillCounts *)context = (SkillCounts){(int)row[0].integer, (int)row[1].integer, (int)row[2].integer};
  return false;
}

SkillCounts skills_count(Progress *progress, const char *lesson, int64_t now) {
  StoreValue values[] = {store_integer(now), store_text(lesson ? lesson : "")};
  SkillCounts counts = {0};
  store_ask(progress_store(progress),
            "select count(*), sum(failed), sum(due <= ?1) from skill where seen > 0 and"
            " (?2 = '' or substr(id, 1, length(?2) + 1) = ?2 || '.')",
            values, LS_COUNT(values), take_counts, &counts);
  return counts;
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

static bool take_number(void *context, const StoreValue *row) {
  *(int64_t *)context = row[0].integer;
  return false;
}

// The file and not getrandom, which the C library of the portable program is too old for.
static uint64_t new_seed(void) {
  uint32_t bits = 0;
  FILE *file = fopen("/dev/urandom", "rb");
  if (!file || fread(&bits, sizeof bits, 1, file) != 1) bits = (uint32_t)time(NULL);
  if (file) fclose(file);
  return (uint64_t)bits + 1;                 // 0 is none
}

void skills_set_seed(Progress *progress, uint64_t seed) {
  StoreValue values[] = {store_integer((int64_t)seed)};
  store_change(progress_store(progress), "insert or replace into student values ('seed', ?1)", values,
               LS_COUNT(values));
}

uint64_t skills_seed(Progress *progress) {
  int64_t seed = 0;
  store_ask(progress_store(progress), "select value from student where name = 'seed'", NULL, 0, take_number, &seed);
  if (!seed) skills_set_seed(progress, (uint64_t)(seed = (int64_t)new_seed()));
  return (uint64_t)seed;
}

// ---- slots ---------------------------------------------------------------------------------------------------------

typedef struct SlotRows { const SkillWish *wish; SkillDraw *draws; int count; } SlotRows;

static const char *wished(const SkillWish *wish, const char *skill) {
  for (int i = 0; i < wish->count; i++)
    if (strcmp(wish->skills[i], skill) == 0) return wish->skills[i];
  return NULL;
}

// Goes on while the rows are those of the slot in order, and their skills still there.
static bool take_draw(void *context, const StoreValue *row) {
  SlotRows *rows = context;
  const char *skill = wished(rows->wish, row[1].text);
  if (rows->count >= rows->wish->wanted || row[0].integer != rows->count || !skill) return false;
  rows->draws[rows->count++] = (SkillDraw){skill, (int)row[2].integer};
  return true;
}

static bool has_slot(Progress *progress, const SkillWish *wish, SkillDraw *draws) {
  StoreValue values[] = {store_text(wish->lesson), store_text(wish->slot)};
  SlotRows rows = {wish, draws, 0};
  store_ask(progress_store(progress),
            "select place, skill, times from slot where lesson = ?1 and slot = ?2 order by place", values,
            LS_COUNT(values), take_draw, &rows);
  return rows.count == wish->wanted;
}

static void save_draw(Progress *progress, const SkillWish *wish, int place, const SkillDraw *draw) {
  StoreValue values[] = {store_text(wish->lesson), store_text(wish->slot), store_integer(place),
                         store_text(draw->skill), store_integer(draw->times)};
  store_change(progress_store(progress), "insert or replace into slot values (?1, ?2, ?3, ?4, ?5)", values,
               LS_COUNT(values));
}

void skills_forget_slots(Progress *progress, const char *lesson) {
  StoreValue values[] = {store_text(lesson)};
  store_change(progress_store(progress), "delete from slot where lesson = ?1", values, LS_COUNT(values));
}

// ---- the choice ----------------------------------------------------------------------------------------------------

// The lower, the sooner.
typedef enum Urgency { FAILED, DUE, NEW, KNOWN } Urgency;
typedef struct Candidate { const char *skill; SkillState state; Urgency urgency; bool other; uint64_t chance;
                          } Candidate;

static int compare(const void *left, const void *right) {
  const Candidate *a = left, *b = right;
  if (a->urgency != b->urgency) return a->urgency < b->urgency ? -1 : 1;
  if (a->other != b->other) return a->other ? 1 : -1;
  if (a->state.updated != b->state.updated) return a->state.updated < b->state.updated ? -1 : 1;
  return a->chance < b->chance ? -1 : a->chance > b->chance;
}

// The same for a student, a lesson and a slot, as long as nothing was drawn.
static uint64_t chance_of(uint64_t seed, const SkillWish *wish, const char *skill, int drawn) {
  LsText name = {0};
  ls_text_addf(&name, "%llu/%s/%s/%s/%d", (unsigned long long)seed, wish->lesson, wish->slot, skill, drawn);
  uint64_t hash = ls_hash64(name.data, name.length) * 0x9e3779b97f4a7c15u;   // FNV alone is weak in its high bits
  ls_text_free(&name);
  return hash ^ hash >> 32;
}

static Candidate candidate(Progress *progress, const SkillWish *wish, int index, uint64_t seed, int64_t now) {
  Candidate made = {.skill = wish->skills[index], .other = index >= wish->needed};
  skill_state(progress, made.skill, &made.state);
  made.urgency = made.state.failed ? FAILED : !made.state.seen ? NEW : made.state.due <= now ? DUE : KNOWN;
  made.chance = chance_of(seed, wish, made.skill, made.state.drawn);
  return made;
}

static bool is_begun(Progress *progress, const char *skill) {
  char *lesson = ls_strndup(skill, strcspn(skill, "."));
  ProgressLesson place;
  bool begun = progress_lesson(progress, lesson, &place);
  free(lesson);
  return begun;
}

// Leaves what is due, and the first new ones; in order already.
static int keep_due(Progress *progress, const SkillWish *wish, Candidate *all) {
  int kept = 0, fresh = 0;
  for (int i = 0; i < wish->count; i++) {
    bool due = all[i].urgency < NEW;
    bool new = all[i].urgency == NEW && fresh < wish->fresh && is_begun(progress, all[i].skill);
    fresh += new;
    if (due || new) all[kept++] = all[i];
  }
  return kept;
}

int skills_draw(Progress *progress, const SkillWish *wish, int64_t now, SkillDraw *draws) {
  if (has_slot(progress, wish, draws)) return wish->wanted;
  uint64_t seed = skills_seed(progress);
  Candidate *all = ls_alloc(sizeof *all * (size_t)wish->count);
  for (int i = 0; i < wish->count; i++) all[i] = candidate(progress, wish, i, seed, now);
  qsort(all, (size_t)wish->count, sizeof *all, compare);
  int count = wish->due ? keep_due(progress, wish, all) : wish->count;
  int wanted = wish->due ? LS_MIN(count, wish->wanted) : wish->wanted;
  for (int i = 0; i < wanted; i++) {
    Candidate *next = &all[i % count];
    draws[i] = (SkillDraw){next->skill, next->state.drawn++};
    save_state(progress, next->skill, &next->state);
    save_draw(progress, wish, i, &draws[i]);
  }
  free(all);
  return wanted;
}
