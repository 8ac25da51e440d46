// family.c: sums up the skills of a family.
#include "app/course/family.h"

static void add_skill(Progress *progress, const char *skill, int64_t now, FamilyState *state) {
  SkillState one;
  skill_state(progress, skill, now, &one);
  state->boxes[fsrs_box(one.memory)]++;
  state->due += skill_is_due(&one, now);
  state->rest += one.rests;
  state->known_skills += one.right_days >= FAMILY_DAYS;
}

void family_state(Progress *progress, const CourseFamily *family, int64_t now, FamilyState *state) {
  *state = (FamilyState){0};
  for (int i = 0; i < family->skill_count; i++) add_skill(progress, family->skills[i], now, state);
  bool judged = judged_last(progress, family->id, &state->open);
  state->known = state->known_skills == family->skill_count && (judged || !family->open);
}

void family_open_words(const CourseFamily *family, const FamilyState *state, LsText *out) {
  const JudgedAnswer *open = &state->open;
  if (!family->open) return;
  if (!open->count) ls_text_add(out, "not judged yet");
  else ls_text_addf(out, "judged %g of %d, %d word%s", open->points, open->of, open->words,
                    open->words == 1 ? "" : "s");
}
