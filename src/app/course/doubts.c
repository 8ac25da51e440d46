// doubts.c: doubts as rows of the database of progress.
#include "app/course/doubts.h"

#include "base/mem.h"

void doubts_add(Progress *progress, const Doubt *doubt) {
  StoreValue values[] = {store_text(doubt->skill), store_integer(doubt->times), store_integer((int64_t)doubt->seed),
                         store_integer(doubt->at), store_text(doubt->given), store_text(doubt->words)};
  store_change(progress_store(progress),
               "insert into doubt values (null, random() & 0x7fffffffffffffff, ?1, ?2, ?3, ?4, ?5, ?6)", values,
               LS_COUNT(values));
}

typedef struct Reading { DoubtEach *each; void *context; } Reading;

static bool take_doubt(void *context, const StoreValue *row) {
  const Reading *reading = context;
  Doubt doubt = {.skill = row[0].text, .times = (int)row[1].integer, .seed = (uint64_t)row[2].integer,
                 .at = row[3].integer, .given = row[4].text, .words = row[5].text};
  return reading->each(reading->context, &doubt);
}

void doubts_each(Progress *progress, DoubtEach *each, void *context) {
  Reading reading = {each, context};
  store_ask(progress_store(progress), "select skill, times, seed, at, given, words from doubt order by place", NULL, 0,
            take_doubt, &reading);
}
