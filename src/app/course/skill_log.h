// skill_log.h: every answer to a drawn question, as a log that is only added to.
//
// All that is known of a skill follows from its answers in the log (skills.h): nothing else is counted, so two windows
// that answer at once lose nothing, and a kill leaves an answer there or not. Each answer has a number by chance, by
// which it is known when logs are put together.
#ifndef LS_APP_SKILL_LOG_H
#define LS_APP_SKILL_LOG_H

#include "app/course/fsrs.h"
#include "app/course/progress.h"

typedef struct SkillAnswer {
  const char *skill; int times;    // what was asked: the draw of the skill; times -1: not known
  FsrsMark mark;                   // 0: practice, of which the memory learns nothing
  int64_t at;                      // seconds since 1970
  bool right;                      // at once: by the first try, without a tip
  double score;                    // 0 to 1
  int tips, sure;                  // tips seen before; LESSON_SURE ... or 0
  bool looked;                     // at the run, before answering
  double seconds;                  // to the first answer; 0: not known
  const char *given, *said;        // the first answer, and what met it if it was wrong and foreseen; ""
} SkillAnswer;

void skill_log_add(Progress *progress, const SkillAnswer *answer);
// The answers of a skill (NULL: of all, skill by skill), oldest first, until each returns false. Texts are borrowed
// until it returns.
typedef bool SkillLogEach(void *context, const SkillAnswer *answer);
void skill_log_each(Progress *progress, const char *skill, SkillLogEach *each, void *context);

// The table, and the answers of version 2, which knew marks only, or not even these.
#define SKILL_LOG_SCHEMA \
  "create table if not exists answered (place integer primary key, number integer unique not null," \
  " skill text not null, times integer not null, mark integer not null, at integer not null," \
  " correct integer not null, score real not null, tips integer not null, sure integer not null, looked integer not null," \
  " seconds real not null, given text not null, said text not null);" \
  "create index if not exists answered_skill on answered (skill, place);" \
  "create table if not exists graded (skill text not null, mark integer not null, at integer not null);" \
  "create table if not exists skill (id text primary key, drawn integer not null, seen integer not null," \
  " correct integer not null, streak integer not null, failed integer not null, updated integer not null," \
  " due integer not null);" \
  "create table if not exists drawn (skill text primary key, times integer not null);" \
  "insert into answered select null, random() & 0x7fffffffffffffff, skill, -1, mark, at, mark > 1, mark > 1, 0, 0, 0," \
  " 0, '', '' from graded order by rowid;" \
  "insert into answered select null, random() & 0x7fffffffffffffff, id, -1, 3 - 2 * failed, updated, not failed," \
  " not failed, 0, 0, 0, 0, '', '' from skill where seen > 0 and id not in (select skill from answered);" \
  "insert or ignore into drawn select id, drawn from skill;" \
  "delete from graded; delete from skill;"

#endif
