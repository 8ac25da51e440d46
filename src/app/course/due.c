// due.c: counts the skills that are to be asked again, and says so.
#include "app/course/due.h"

#include <stdio.h>
#include <string.h>

#include "app/course/day.h"

enum { SECONDS_OF_DAY = 24 * 60 * 60 };

typedef struct Counting { Due *due; int64_t now; } Counting;

// Skills come in the order of their names, and so lesson by lesson.
static void count_in_lesson(Due *due, const char *skill) {
  int length = (int)strcspn(skill, ".");
  DueLesson *last = due->lesson_count ? &due->lessons[due->lesson_count - 1] : NULL;
  bool same = last && (int)strlen(last->id) == length && strncmp(last->id, skill, (size_t)length) == 0;
  if (!same && due->lesson_count == DUE_LESSONS) return;
  if (!same) {
    last = &due->lessons[due->lesson_count++];
    snprintf(last->id, sizeof last->id, "%.*s", length, skill);
  }
  last->count++;
}

static bool count_skill(void *context, const char *skill, const SkillState *state) {
  const Counting *counting = context;
  Due *due = counting->due;
  due->known++;
  due->resting += state->rests;
  if (skill_is_due(state, counting->now)) {
    due->count++;
    count_in_lesson(due, skill);
  } else if (!state->rests && (!due->next || state->due < due->next)) {
    due->next = state->due;
  }
  return true;
}

void due_count(Progress *progress, int64_t now, Due *due) {
  *due = (Due){0};
  skills_each(progress, now, count_skill, &(Counting){due, now});
  due->today = LS_MIN(due->count, skills_left(progress, false, now));
  due->fresh = skills_left(progress, true, now);
}

void due_exam_words(Progress *progress, int64_t now, LsText *out) {
  enum { WEEK = 7 };
  char date[DAY_TEXT];
  int64_t until = skills_until(progress, now), days = until - skill_day(now);
  if (!until) return;
  day_print(until, date);
  if (days <= 1) ls_text_addf(out, "The exam is %s", days ? "tomorrow" : "today");
  else ls_text_addf(out, "The exam is on %s, in %lld days", date, (long long)days);
  ls_text_add(out, days > WEEK ? ": nothing waits longer than that." : ": what would be forgotten by then comes now.");
}

void due_today_words(Progress *progress, int64_t now, LsText *out) {
  Due due;
  due_count(progress, now, &due);
  ls_text_addf(out, "Today %d %s due, and up to %d new.", due.today, due.today == 1 ? "is" : "are", due.fresh);
  if (due.resting)
    ls_text_addf(out, " %d rest%s until you were in the lesson again.", due.resting, due.resting == 1 ? "s" : "");
  if (skills_until(progress, now)) ls_text_add(out, " ");
  due_exam_words(progress, now, out);
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
