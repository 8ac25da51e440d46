// class_order.c: orders in which a teacher looks at the skills of a class.
#include <stdlib.h>

#include "app/report/class.h"

double class_share(const ClassSkill *skill) { return skill->seen ? (double)skill->right / (double)skill->seen : -1; }

const char *class_order_name(ClassOrder order) {
  static const char *const names[] = {"worst first", "most answered first", "sure and wrong first", "as in the course"};
  return names[order];
}

typedef struct Place { const ClassSkill *skill; double key; int row; } Place;

// The larger, the later.
static double key_of(const ClassSkill *skill, ClassOrder order) {
  double last = 1e9;
  switch (order) {
    case CLASS_WORST: return skill->seen ? class_share(skill) : last;
    case CLASS_ASKED: return (double)-skill->seen;
    case CLASS_SURE: return skill->seen ? (double)-skill->sure_wrong : last;
    default: return 0;
  }
}

// In doubt more answers are more to go by, then the course's order decides.
static int compare(const void *left, const void *right) {
  const Place *a = left, *b = right;
  if (a->key < b->key || a->key > b->key) return a->key < b->key ? -1 : 1;
  return a->row - b->row;
}

void class_order(const Class *self, ClassOrder order, int *rows) {
  Place *places = ls_alloc(sizeof *places * (size_t)LS_MAX(self->skill_count, 1));
  for (int i = 0; i < self->skill_count; i++)
    places[i] = (Place){&self->skills[i], key_of(&self->skills[i], order), i};
  qsort(places, (size_t)self->skill_count, sizeof *places, compare);
  for (int i = 0; i < self->skill_count; i++) rows[i] = places[i].row;
  free(places);
}
