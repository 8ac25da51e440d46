// skill_log.c: answers as rows of the database of progress.
#include "app/course/skill_log.h"

#include "base/mem.h"

void skill_log_add(Progress *progress, const SkillAnswer *answer) {
  StoreValue values[] = {
      store_text(answer->skill), store_integer(answer->times), store_integer(answer->mark), store_integer(answer->at),
      store_integer(answer->right), store_real(answer->score), store_integer(answer->tips),
      store_integer(answer->sure), store_integer(answer->looked), store_real(answer->seconds),
      store_text(answer->given ? answer->given : ""), store_text(answer->said ? answer->said : "")};
  store_change(progress_store(progress),
               "insert into answered values (null, random() & 0x7fffffffffffffff, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
               " ?10, ?11, ?12)",
               values, LS_COUNT(values));
}

typedef struct Reading { SkillLogEach *each; void *context; } Reading;

static bool take_answer(void *context, const StoreValue *row) {
  const Reading *reading = context;
  SkillAnswer answer = {
      .skill = row[0].text, .times = (int)row[1].integer, .mark = (FsrsMark)row[2].integer, .at = row[3].integer,
      .right = row[4].integer != 0, .score = row[5].real, .tips = (int)row[6].integer, .sure = (int)row[7].integer,
      .looked = row[8].integer != 0, .seconds = row[9].real, .given = row[10].text, .said = row[11].text};
  return reading->each(reading->context, &answer);
}

void skill_log_each(Progress *progress, const char *skill, SkillLogEach *each, void *context) {
  StoreValue values[] = {store_text(skill ? skill : "")};
  Reading reading = {each, context};
  const char *sql = skill ? "select skill, times, mark, at, correct, score, tips, sure, looked, seconds, given, said"
                            " from answered where skill = ?1 order by place"
                          : "select skill, times, mark, at, correct, score, tips, sure, looked, seconds, given, said"
                            " from answered order by skill, place";
  store_ask(progress_store(progress), sql, values, skill ? 1 : 0, take_answer, &reading);
}
