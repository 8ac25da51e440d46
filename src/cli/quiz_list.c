// quiz_list.c: families, a line or an object each.
#include "cli/quiz_list.h"

#include <time.h>

#include "app/course/day.h"
#include "app/course/doubts.h"
#include "app/course/due.h"
#include "app/course/family.h"
#include "cli/cli.h"
#include "cli/plain.h"

// ---- families ------------------------------------------------------------------------------------------------------

static void add_part(LsText *out, const char *words) { ls_text_addf(out, "%s%s", out->length ? ", " : "", words); }

// "3 skills, 1 due, 2 known, open: judged 5 of 6, 61 words"
static void skills_words(const CourseFamily *family, const FamilyState *state, LsText *out) {
  char words[64];
  if (family->skill_count)
    ls_text_addf(out, "%d skill%s", family->skill_count, family->skill_count == 1 ? "" : "s");
  snprintf(words, sizeof words, "%d due", state->due);
  if (state->due) add_part(out, words);
  snprintf(words, sizeof words, "%d known", state->known_skills);
  if (state->known_skills) add_part(out, words);
  snprintf(words, sizeof words, "%d at rest", state->rest);
  if (state->rest) add_part(out, words);
  if (family->open) add_part(out, "open: ");
  family_open_words(family, state, out);
}

void quiz_list_text(Progress *progress, const CourseFamily *families, int count) {
  LsText today = {0};
  due_today_words(progress, time(NULL), &today);
  for (int i = 0; i < count; i++) {
    FamilyState state;
    LsText words = {0};
    family_state(progress, &families[i], time(NULL), &state);
    skills_words(&families[i], &state, &words);
    plain_print(stdout, "%-5s %-44s %s  %s%s\n", families[i].id, families[i].topic, families[i].lesson,
                state.known ? "known: " : "", ls_text_str(&words));
    ls_text_free(&words);
  }
  plain_print(stdout, "%s\n", ls_text_str(&today));
  ls_text_free(&today);
}

static void json_skill(LsJson *json, Progress *progress, const char *name) {
  SkillState state;
  int64_t now = time(NULL);
  skill_state(progress, name, now, &state);
  ls_json_open(json, '{');
  ls_json_member(json, "id", name);
  ls_json_member_i64(json, "seen", state.seen);
  ls_json_member_i64(json, "right", state.right);
  ls_json_member_i64(json, "right_days", state.right_days);
  ls_json_member_i64(json, "box", fsrs_box(state.memory));
  ls_json_member_bool(json, "due", skill_is_due(&state, now));
  ls_json_member_bool(json, "rests", state.rests);
  ls_json_close(json, '}');
}

static void json_judged(LsJson *json, const JudgedAnswer *open) {
  if (!open->count) return;
  ls_json_open_member(json, "judged", '{');
  ls_json_member_f64(json, "points", open->points);
  ls_json_member_i64(json, "of", open->of);
  ls_json_member_i64(json, "words", open->words);
  ls_json_member_i64(json, "times", open->count);
  ls_json_close(json, '}');
}

static void json_family(LsJson *json, Progress *progress, const CourseFamily *family) {
  FamilyState state;
  family_state(progress, family, time(NULL), &state);
  ls_json_open(json, '{');
  ls_json_member(json, "id", family->id);
  ls_json_member(json, "topic", family->topic);
  ls_json_member(json, "lesson", family->lesson);
  ls_json_member_bool(json, "known", state.known);
  ls_json_member_bool(json, "open", family->open);
  json_judged(json, &state.open);
  ls_json_open_member(json, "skills", '[');
  for (int k = 0; k < family->skill_count; k++) json_skill(json, progress, family->skills[k]);
  ls_json_close(json, ']');
  ls_json_close(json, '}');
}

// What the day asks: so many that are due, and at most so many new ones; and the exam.
static void json_today(LsJson *json, Progress *progress) {
  Due due;
  char date[DAY_TEXT];
  due_count(progress, time(NULL), &due);
  int64_t until = skills_until(progress, time(NULL));
  day_print(until, date);
  ls_json_member_i64(json, "due", due.today);
  ls_json_member_i64(json, "new", due.fresh);
  if (until) ls_json_member(json, "until", date);
}

void quiz_list_json(Progress *progress, const CourseFamily *families, int count) {
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  json_today(&json, progress);
  ls_json_open_member(&json, "families", '[');
  for (int i = 0; i < count; i++) json_family(&json, progress, &families[i]);
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  cli_print_json(&text);
}

// ---- doubts --------------------------------------------------------------------------------------------------------

static bool print_doubt(void *context, const Doubt *doubt) {
  char date[DAY_TEXT];
  day_print(skill_day(doubt->at), date);
  ++*(int *)context;
  plain_print(stdout, "%s  %s, draw %d of seed %llu, answered \"%s\": %s\n", date, doubt->skill, doubt->times,
              (unsigned long long)doubt->seed, doubt->given, doubt->words);
  return true;
}

void quiz_doubts_text(Progress *progress) {
  int count = 0;
  doubts_each(progress, print_doubt, &count);
  if (!count) plain_print(stdout, "No question was held to be wrong; after an answer e does that.\n");
}

static bool json_doubt(void *context, const Doubt *doubt) {
  LsJson *json = context;
  ls_json_open(json, '{');
  ls_json_member(json, "skill", doubt->skill);
  ls_json_member_i64(json, "draw", doubt->times);
  ls_json_member_i64(json, "seed", (int64_t)doubt->seed);
  ls_json_member(json, "given", doubt->given);
  ls_json_member(json, "words", doubt->words);
  ls_json_close(json, '}');
  return true;
}

void quiz_doubts_json(Progress *progress) {
  LsText text = {0};
  LsJson json;
  ls_json_init(&json, &text);
  ls_json_open(&json, '{');
  ls_json_open_member(&json, "doubts", '[');
  doubts_each(progress, json_doubt, &json);
  ls_json_close(&json, ']');
  ls_json_close(&json, '}');
  cli_print_json(&text);
}
