// class_text.c: what a class can do, in lines of text.
#include "cli/class_text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "app/report/class_write.h"
#include "cli/plain.h"

enum { WRONG_SHOWN = 3, INDENT = 7 };

static const char *plural(int64_t count) { return count == 1 ? "" : "s"; }

// ---- the head ------------------------------------------------------------------------------------------------------

static void print_not_begun(const Class *class, bool anonymous, FILE *out) {
  int missing = class->student_count - class->begun;
  if (!missing || !class_tells(anonymous, missing)) return;
  LsText names = {0};
  class_not_begun(class, &names);
  if (anonymous) plain_print(out, "not begun: %d students\n", missing);
  else plain_paragraph(out, "not begun: ", ls_text_str(&names), sizeof "not begun: " - 1);
  ls_text_free(&names);
}

static void print_head(const ClassFiles *files, bool anonymous, FILE *out) {
  const Class *class = files->class;
  LsText left_out = {0};
  int answered = 0;
  for (int i = 0; i < class->skill_count; i++) answered += class->skills[i].students > 0;
  plain_print(out, "%d student%s, %" PRId64 " answer%s to %d of %d skills\n", class->student_count,
              plural(class->student_count), class->answers, plural(class->answers), answered, class->skill_count);
  print_not_begun(class, anonymous, out);
  class_left_out(files, &left_out);
  if (left_out.length) plain_paragraph(out, "", ls_text_str(&left_out), 0);
  ls_text_free(&left_out);
}

// ---- skills --------------------------------------------------------------------------------------------------------

static void print_wrong(const ClassWrong *wrong, FILE *out) {
  char label[32];
  LsText text = {0};
  snprintf(label, sizeof label, "%*s%4" PRId64 " x  ", INDENT, "", wrong->count);
  ls_text_addf(&text, "%s%s%s", wrong->given, wrong->says ? " - " : "", wrong->says ? wrong->says : "");
  plain_paragraph(out, label, ls_text_str(&text), INDENT + 8);
  ls_text_free(&text);
}

static void print_doubt(const Class *class, const ClassDoubt *doubt, FILE *out) {
  LsText text = {0};
  ls_text_addf(&text, "%s says that it is wrong: %s (draw %d of seed %s, answered: %s)",
               class->students[doubt->student].who, doubt->words, doubt->draw, doubt->seed,
               *doubt->given ? doubt->given : "nothing");
  plain_paragraph(out, "", ls_text_str(&text), INDENT);
  ls_text_free(&text);
}

static void print_skill(const Class *class, const ClassSkill *skill, bool anonymous, FILE *out) {
  plain_print(out, "\n%4.0f%%  %-14s %s%s%s\n", 100 * class_share(skill), skill->id, skill->family ? skill->family : "",
              skill->family ? ", " : "", skill->topic);
  plain_print(out, "%*s%" PRId64 " answer%s of %d student%s", INDENT, "", skill->seen, plural(skill->seen),
              skill->students, plural(skill->students));
  if (skill->sure_wrong && class_tells(anonymous, skill->sure_wrong_students))
    plain_print(out, "; %" PRId64 " of %" PRId64 " sure ones wrong", skill->sure_wrong, skill->sure);
  int without = class->student_count - skill->students;
  if (without && class_tells(anonymous, without)) plain_print(out, "; %d without an answer", without);
  if (skill->doubts && class_tells(anonymous, skill->doubts))
    plain_print(out, "; %d say%s that a question is wrong", skill->doubts, skill->doubts == 1 ? "s" : "");
  plain_print(out, "\n");
  for (int i = 0, shown = 0; i < skill->wrong_count && shown < WRONG_SHOWN; i++) {
    const ClassWrong *wrong = &class->wrong[skill->first_wrong + i];
    if (!class_tells(anonymous, wrong->students)) continue;
    print_wrong(wrong, out);
    shown++;
  }
  for (int i = 0; i < skill->doubt_count && !anonymous; i++)
    print_doubt(class, &class->doubts[skill->first_doubt + i], out);
}

static void print_exercises(const Class *class, bool anonymous, FILE *out) {
  LsText text = {0};
  for (int i = 0; i < class->exercise_count; i++) {
    const ClassExercise *exercise = &class->exercises[i];
    if (!exercise->tried || !class_tells(anonymous, exercise->passed)) continue;
    ls_text_addf(&text, "%s%s %d of %d", text.length ? ", " : "", exercise->name, exercise->passed, exercise->tried);
  }
  if (text.length) plain_print(out, "\n");
  if (text.length) plain_paragraph(out, "exercises: ", ls_text_str(&text), sizeof "exercises: " - 1);
  ls_text_free(&text);
}

void class_print(const ClassFiles *files, bool anonymous, FILE *out) {
  const Class *class = files->class;
  int *rows = ls_alloc(sizeof *rows * (size_t)LS_MAX(class->skill_count, 1));
  print_head(files, anonymous, out);
  class_order(class, CLASS_WORST, rows);
  int hidden = 0;
  for (int i = 0; i < class->skill_count; i++) {
    const ClassSkill *skill = &class->skills[rows[i]];
    bool told = class_tells(anonymous, skill->students);
    hidden += skill->students && !told;
    if (skill->students && told) print_skill(class, skill, anonymous, out);
  }
  if (hidden) plain_print(out, "\n%d skill%s answered by fewer than %d students: not shown\n", hidden, plural(hidden),
                          CLASS_FEW);
  print_exercises(class, anonymous, out);
  free(rows);
}
