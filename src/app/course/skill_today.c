// skill_today.c: what is asked on one day: so many that are due and so many new ones, over all sittings and windows.
#include "app/course/skills.h"

enum { SECONDS_OF_HOUR = 60 * 60 };

// A skill counts once a day. A sitting that ended, or is an hour old, holds only what it asked.
void skills_release(Progress *progress, int64_t sitting) {
  StoreValue values[] = {store_integer(sitting)};
  store_change(progress_store(progress),
               "delete from asked where sitting = ?1 and not exists"
               " (select 1 from answered where answered.skill = asked.skill and answered.at >= asked.at)",
               values, LS_COUNT(values));
}

static bool take_count(void *context, const StoreValue *row) {
  *(int *)context = (int)row[0].integer;
  return false;
}

// One statement, so that of two windows only one gets the last one of the day.
bool skills_claim(Progress *progress, const char *skill, bool fresh, int64_t sitting, int64_t now) {
  StoreValue values[] = {store_integer(skill_day(now)), store_text(skill), store_integer(fresh),
                         store_integer(sitting), store_integer(now),
                         store_integer(fresh ? SKILL_FRESH_A_DAY : SKILL_DUE_A_DAY), store_integer(SECONDS_OF_HOUR)};
  int mine = 0;
  store_change(progress_store(progress),
               "insert into asked select ?1, ?2, ?3, ?4, ?5 where"
               " (select count(*) from asked where day = ?1 and fresh = ?3) < ?6"
               " or exists (select 1 from asked where day = ?1 and skill = ?2)"
               " on conflict (day, skill) do update set sitting = ?4, at = ?5 where sitting = ?4"
               " or abs(at - ?5) > ?7"
               " or exists (select 1 from answered where answered.skill = ?2 and answered.at >= asked.at)",
               values, LS_COUNT(values));
  store_ask(progress_store(progress), "select count(*) from asked where day = ?1 and skill = ?2 and sitting = ?4",
            values, LS_COUNT(values), take_count, &mine);
  return mine > 0;
}

int skills_left(Progress *progress, bool fresh, int64_t now) {
  StoreValue values[] = {store_integer(skill_day(now)), store_integer(fresh)};
  int asked = 0;
  store_ask(progress_store(progress), "select count(*) from asked where day = ?1 and fresh = ?2", values,
            LS_COUNT(values), take_count, &asked);
  return LS_MAX((fresh ? SKILL_FRESH_A_DAY : SKILL_DUE_A_DAY) - asked, 0);
}
