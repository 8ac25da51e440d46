// skills.h: what a student can do, skill by skill, and which skills are asked next.
//
// A skill ("L03.warps") is a question with numbers that are drawn anew each time; what was drawn is told by the
// student's seed, the skill, and how often it was drawn before. The numbers are drawn once for a place in a lesson (its
// slot), and stay until the lesson is begun anew: a lesson that is taken up again asks what it asked before.
//
// When it is asked again follows from how well it is remembered (fsrs.h): on the day on which the chance of a right
// answer falls to 0.9, at once after a wrong one. A day begins at four in the morning, so that what is asked late in
// the
// evening is there early on a later day. All answers are kept, as a log that is only added to.
#ifndef LS_APP_SKILLS_H
#define LS_APP_SKILLS_H

#include "app/course/fsrs.h"
#include "app/course/progress.h"

typedef struct SkillState {
  int drawn;                   // how often a question was drawn
  int seen, right;             // answered, and right at once
  int streak;                  // right answers in a row, the last ones
  bool failed;                 // the last answer was wrong
  int64_t updated, due;        // seconds since 1970: the last answer; when to ask again
  Fsrs memory;                 // after the last answer
} SkillState;

// False if it was never drawn (*state is all zero then).
bool skill_state(Progress *progress, const char *skill, SkillState *state);
// A question of the skill was answered at this time: wrong is FSRS_AGAIN, after a tip or guessed FSRS_HARD, else right
// FSRS_GOOD; FSRS_EASY if it was sure and fast, too. A clock that runs backwards counts as the same day.
void skill_graded(Progress *progress, const char *skill, FsrsMark mark, int64_t now);
// The number of the day, of those that begin at four in the morning of the student's time zone.
int64_t skill_day(int64_t time);

typedef struct SkillDraw { const char *skill; int times; } SkillDraw;

// Questions for a slot of a lesson ("recall", "check_1"), of these skills, the first `needed` of which come before the
// others.
typedef struct SkillWish {
  const char *lesson, *slot;
  const char *const *skills; int count, needed;
  int wanted;
  bool due; int fresh;         // due: only what failed or is due, and so many new ones of lessons that were begun
} SkillWish;

// Fills draws[0 .. wanted): what the slot already has; else what failed last, then what is due, then what was never
// asked, then the others, oldest first, and saves that. A skill comes twice only if there are fewer than wanted. The
// skills of draws are those of the wish. Returns how many they are: fewer than wanted only where the wish is for
// what is
// due.
int skills_draw(Progress *progress, const SkillWish *wish, int64_t now, SkillDraw *draws);
// The lesson is begun anew: its slots are drawn again.
void skills_forget_slots(Progress *progress, const char *lesson);

// Of the skills of a lesson (NULL: of all) that were asked: how many there are, how many failed last, and how many are
// to be asked again by now (those that failed are).
typedef struct SkillCounts { int known, failed, due; } SkillCounts;
SkillCounts skills_count(Progress *progress, const char *lesson, int64_t now);

// What came of a lesson's check, the last time.
typedef struct SkillCheck { int right, total; bool passed; } SkillCheck;
bool skills_check(Progress *progress, const char *lesson, SkillCheck *check);   // false: there was none
void skills_save_check(Progress *progress, const char *lesson, const SkillCheck *check, int64_t now);

// The seed of the student's draws: made once by chance, or set, and kept.
uint64_t skills_seed(Progress *progress);
void skills_set_seed(Progress *progress, uint64_t seed);

// The tables of the database, for its plan.
#define SKILLS_SCHEMA \
  "create table if not exists skill (id text primary key, drawn integer not null, seen integer not null," \
  " correct integer not null, streak integer not null, failed integer not null, updated integer not null," \
  " due integer not null);" \
  "create table if not exists memory (skill text primary key, stability real not null, difficulty real not null);" \
  "create table if not exists graded (skill text not null, mark integer not null, at integer not null);" \
  "create table if not exists slot (lesson text not null, slot text not null, place integer not null," \
  " skill text not null, times integer not null, primary key (lesson, slot, place));" \
  "create table if not exists checked (lesson text primary key, correct integer not null, total integer not null," \
  " passed integer not null, at integer not null);" \
  "create table if not exists student (name text primary key, value integer not null);"

#endif
