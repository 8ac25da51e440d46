// family.h: what a student knows of a family of questions: the boxes of its skills, its open question, and whether it
// is known: each skill was right at once on two days, and the open question was judged once.
#ifndef LS_APP_FAMILY_H
#define LS_APP_FAMILY_H

#include "app/course/course.h"
#include "app/course/judged.h"
#include "app/course/skills.h"

enum { FAMILY_DAYS = 2 };          // on which a skill is right, to be known
typedef struct FamilyState {
  int boxes[FSRS_BOXES + 1];       // skills in each of them; in 0 those that were never answered
  int due, rest, known_skills;     // of its skills
  JudgedAnswer open;               // count 0: it was not judged yet
  bool known;
} FamilyState;
void family_state(Progress *progress, const CourseFamily *family, int64_t now, FamilyState *state);
// "judged 5 of 6, 61 words", "not judged yet"; nothing if it has no open question.
void family_open_words(const CourseFamily *family, const FamilyState *state, LsText *out);

#endif
