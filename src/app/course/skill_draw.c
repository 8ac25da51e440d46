// skill_draw.c: which skills are asked next.
#include <stdlib.h>
#include <string.h>

#include "app/course/skills.h"
#include "base/mem.h"
#include "base/random.h"

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

// One window may draw while another one does.
static void count_draw(Progress *progress, const SkillDraw *draw) {
  StoreValue values[] = {store_text(draw->skill), store_integer(draw->times + 1)};
  store_change(progress_store(progress),
               "insert into drawn values (?1, ?2) on conflict (skill) do update set times = max(times, ?2)", values,
               LS_COUNT(values));
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
typedef struct Candidate {
  const char *skill;
  SkillState state;
  Urgency urgency;
  bool other;
  uint64_t chance;
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
  const char *slot = wish->slot ? wish->slot : "";
  ls_text_addf(&name, "%llu/%s/%s/%s/%d", (unsigned long long)seed, wish->lesson, slot, skill, drawn);
  uint64_t hash = ls_hash64(name.data, name.length) * 0x9e3779b97f4a7c15u;   // FNV alone is weak in its high bits
  ls_text_free(&name);
  return hash ^ hash >> 32;
}

static Urgency urgency_of(const SkillState *state, int64_t now) {
  if (!state->seen) return NEW;
  return !skill_is_due(state, now) ? KNOWN : state->failed ? FAILED : DUE;
}

static Candidate candidate(Progress *progress, const SkillWish *wish, int index, uint64_t seed, int64_t now) {
  Candidate made = {.skill = wish->skills[index], .other = index >= wish->needed};
  skill_state(progress, made.skill, now, &made.state);
  made.urgency = urgency_of(&made.state, now);
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

// Leaves what is due, and new ones, as far as the day has room for them; in order already.
static int keep_due(Progress *progress, const SkillWish *wish, int64_t now, Candidate *all) {
  int kept = 0;
  for (int i = 0; i < wish->count && kept < wish->wanted; i++) {
    bool fresh = all[i].urgency == NEW, due = all[i].urgency < NEW;
    if (!due && !(fresh && is_begun(progress, all[i].skill))) continue;
    if (skills_claim(progress, all[i].skill, fresh, wish->sitting, now)) all[kept++] = all[i];
  }
  return kept;
}

int skills_draw(Progress *progress, const SkillWish *wish, int64_t now, SkillDraw *draws) {
  if (wish->slot && has_slot(progress, wish, draws)) return wish->wanted;
  uint64_t seed = skills_seed(progress);
  Candidate *all = ls_alloc(sizeof *all * (size_t)wish->count);
  for (int i = 0; i < wish->count; i++) all[i] = candidate(progress, wish, i, seed, now);
  qsort(all, (size_t)wish->count, sizeof *all, compare);
  int count = wish->due ? keep_due(progress, wish, now, all) : wish->count;
  int wanted = wish->due ? count : wish->wanted;
  for (int i = 0; i < wanted; i++) {
    Candidate *next = &all[i % count];
    draws[i] = (SkillDraw){next->skill, next->state.drawn++};
    count_draw(progress, &draws[i]);
    if (wish->slot) save_draw(progress, wish, i, &draws[i]);
  }
  free(all);
  return wanted;
}
