// due.c: counts the skills that are to be asked again, and says so.
#include "app/course/due.h"

#include <stdio.h>
#include <string.h>

enum { SECONDS_OF_DAY = 24 * 60 * 60 };

static bool take_totals(void *context, const StoreValue *row) {
  Due *due = context;
  due->known = (int)row[0].integer;
  due->count = (int)row[1].integer;
  due->next = row[2].integer;
  return false;
}

static bool take_lesson(void *context, const StoreValue *row) {
  Due *due = context;
  if (due->lesson_count == DUE_LESSONS) return false;
  DueLesson *lesson = &due->lessons[due->lesson_count++];
  snprintf(lesson->id, sizeof lesson->id, "%s", row[0].text);
  lesson->count = (int)row[1].integer;
  return true;
}

void due_count(Progress *progress, int64_t now, Due *due) {
  StoreValue values[] = {store_integer(now)};
  Store *store = progress_store(progress);
  *due = (Due){0};
  store_ask(store,
            "select count(*), coalesce(sum(due <= ?1), 0), coalesce(min(case when due > ?1 then due end), 0)"
            " from skill where seen > 0",
            values, 1, take_totals, due);
  store_ask(store,
            "select substr(id, 1, instr(id, '.') - 1) as lesson, count(*) from skill where seen > 0 and due <= ?1"
            " group by lesson order by lesson",
            values, 1, take_lesson, due);
}

static void next_words(const Due *due, int64_t now, LsText *out) {
  int64_t days = (due->next - now + SECONDS_OF_DAY - 1) / SECONDS_OF_DAY;
  ls_text_add(out, "No question is due; the next ones are ");
  if (days <= 1) ls_text_add(out, "within a day");
  else ls_text_addf(out, "in %lld days", (long long)days);
}

void due_words(const Due *due, int64_t now, LsText *out) {
  if (!due->count && due->next) next_words(due, now, out);
  if (!due->count) return;
  ls_text_addf(out, "%d question%s due", due->count, due->count == 1 ? " is" : "s are");
  for (int i = 0; i < due->lesson_count; i++)
    ls_text_addf(out, "%s%s %d", i ? ", " : ": ", due->lessons[i].id, due->lessons[i].count);
}
