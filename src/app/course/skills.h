// skills.h: what a student can do, skill by skill, and which skills are asked next.
//
// A skill ("L03.warps") is a question with numbers that are drawn anew each time; what was drawn is told by the
// student's seed, the skill, and how often it was drawn before. The numbers are drawn once for a place in a lesson (its
// slot), and stay until the lesson is begun anew: a lesson that is taken up again asks what it asked before.
//
// When it is asked again follows from how well it is remembered (fsrs.h): on the day on which the chance of a right
// answer falls to 0.9, at once after a wrong one. A day begins at four in the morning, so that what is asked late in
// the evening is there early on a later day. Before an exam no skill waits longer than to its day, and what is likely
// to be forgotten by then comes in the week before.
//
// A skill that was wrong again on four days rests: asking it more often helps nobody. It comes back when the student
// was in its lesson again, or after a right answer.
//
// All of this follows from the log of answers (skill_log.h).
#ifndef LS_APP_SKILLS_H
#define LS_APP_SKILLS_H

#include "app/course/skill_log.h"
#include "base/mem.h"

enum { SKILL_LAPSES = 4 };     // after which a skill rests
typedef struct SkillState {
  int drawn;                   // how often a question was drawn
  int seen, right;             // answered, and right at once
  int streak;                  // right answers in a row, the last ones
  bool failed;                 // the last answer was wrong
  int right_days;              // days on which it was right at once
  int lapses;                  // days on which it was wrong though it had been asked before
  bool rests;                  // it is not due until it comes back
  int64_t updated, due;        // seconds since 1970: the last answer; when to ask again
  Fsrs memory;                 // after the last answer
} SkillState;

// False if it was never drawn or answered (*state is all zero then).
bool skill_state(Progress *progress, const char *skill, int64_t now, SkillState *state);
bool skill_is_due(const SkillState *state, int64_t now);
double skill_chance(const SkillState *state, int64_t now);   // of a right answer, 0 to 1
// The same of all skills that were answered, in the order of their names, until each returns false.
typedef bool SkillEach(void *context, const char *skill, const SkillState *state);
void skills_each(Progress *progress, int64_t now, SkillEach *each, void *context);

// A question of the skill was answered at this time: wrong is FSRS_AGAIN, after a tip or guessed FSRS_HARD, else right
// FSRS_GOOD; FSRS_EASY if it was sure and fast, too. A clock that runs backwards counts as the same day. The same as
// skill_log_add without the rest of what that knows.
void skill_graded(Progress *progress, const char *skill, FsrsMark mark, int64_t now);
// The number of the day, of those that begin at four in the morning of the student's time zone, and when it begins.
int64_t skill_day(int64_t time);
int64_t skill_day_begins(int64_t day, int64_t now);

// The day of an exam, as the number of a day; 0: there is none, or it is over.
int64_t skills_until(Progress *progress, int64_t now);
void skills_set_until(Progress *progress, int64_t day);      // 0 takes it back

// skill_history.c: what a report tells of a skill. Texts and the list go to the arena.
typedef struct SkillWrong {
  const char *given, *said;    // a wrong first answer, and the last words that met it, "" if nobody foresaw it
  int count;
} SkillWrong;
typedef struct SkillHistory {
  int seen, right, looked;     // answered and marked, right at once; answered after looking, which marks nothing
  double score;                // the sum of all that were marked
  int64_t first_day, last_day; // skill_day of the first and the last answer
  int right_days, lapses;      // as in SkillState
  int sure, sure_and_wrong;    // answers that were given as sure, and those of them that were wrong at first
  int timed; double seconds;   // answers whose time is known, and its median; 0
  SkillWrong *wrong; int wrong_count;   // the commonest first
} SkillHistory;
// The median of the times of a skill, in seconds; 0 as long as they are fewer than three.
double skill_usual_seconds(Progress *progress, const char *skill);
bool skill_history(Progress *progress, const char *skill, LsArena *arena, SkillHistory *history);   // false: none

typedef struct SkillDraw { const char *skill; int times; } SkillDraw;

// skill_draw.c: questions for a slot of a lesson ("recall", "check_1"; NULL: for now only), of these skills, the first
// `needed` of which come before the others.
typedef struct SkillWish {
  const char *lesson, *slot;
  const char *const *skills; int count, needed;
  int wanted;
  bool due;                    // only what failed or is due, and new ones of lessons that were begun, as many as a day
                               // may have
  int64_t sitting;             // due: who asks, a number of its own
} SkillWish;

// Fills draws[0 .. wanted): what the slot already has; else what failed last, then what is due, then what was never
// asked, then the others, oldest first, and saves that. A skill comes twice only if there are fewer than wanted. The
// skills of draws are those of the wish. Returns how many they are: fewer than wanted only where the wish is for what
// is due.
int skills_draw(Progress *progress, const SkillWish *wish, int64_t now, SkillDraw *draws);
// The lesson is begun anew: its slots are drawn again.
void skills_forget_slots(Progress *progress, const char *lesson);

// skill_today.c: a day has so many questions that are due and so many new ones, over all sittings and windows. A
// sitting claims a skill before it asks for it; false: the day has enough, or another sitting asks for it just now.
// What it did not ask it gives back.
enum { SKILL_DUE_A_DAY = 15, SKILL_FRESH_A_DAY = 4 };
bool skills_claim(Progress *progress, const char *skill, bool fresh, int64_t sitting, int64_t now);
void skills_release(Progress *progress, int64_t sitting);
int skills_left(Progress *progress, bool fresh, int64_t now);    // how many the day may still have

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
uint64_t skills_new_seed(void);                          // by chance, from 1 to 2^32
void skills_set_seed(Progress *progress, uint64_t seed);

// The tables of the database, for its plan.
#define SKILLS_SCHEMA \
  SKILL_LOG_SCHEMA \
  "create table if not exists slot (lesson text not null, slot text not null, place integer not null," \
  " skill text not null, times integer not null, primary key (lesson, slot, place));" \
  "create table if not exists asked (day integer not null, skill text not null, fresh integer not null," \
  " sitting integer not null, at integer not null, primary key (day, skill));" \
  "create table if not exists checked (lesson text primary key, correct integer not null, total integer not null," \
  " passed integer not null, at integer not null);" \
  "create table if not exists student (name text primary key, value integer not null);"

#endif
