// exam_plan.c: which questions an exam has: families by name, their skills and looks in turn.
#include "app/exam/exam.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/exam/exam_draw.h"

enum { MOST_OF_FAMILY = 20 };

static void name_several(const CourseFamily *families, int count, const char *name, LsErr *err) {
  LsText list = {0};
  for (int i = 0; i < count; i++)
    if (strcasestr(families[i].topic, name)) ls_text_addf(&list, "%s%s (%s)", list.length ? ", " : "", families[i].id,
                                                          families[i].topic);
  ls_fail(err, LS_EREQUEST, "'%s' may be any of these: %s; say which by its id", LS_QUOTE(name), ls_text_str(&list));
  ls_text_free(&list);
}

const CourseFamily *exam_family(const CourseFamily *families, int count, const char *name, LsErr *err) {
  const CourseFamily *found = NULL;
  int like = 0;
  for (int i = 0; i < count; i++) {
    if (strcasecmp(families[i].id, name) == 0 || strcasecmp(families[i].topic, name) == 0) return &families[i];
    if (!*name || !strcasestr(families[i].topic, name)) continue;
    found = &families[i];
    like++;
  }
  if (like == 1) return found;
  if (like > 1) name_several(families, count, name, err);
  else ls_fail(err, LS_EREQUEST, "there is no family '%s'; lanescope quiz --list lists all %d", LS_QUOTE(name), count);
  return NULL;
}

// "3", "open", "3+open" behind the colon; draws < 0: not said.
static bool read_amount(const char *text, int *draws, bool *open) {
  char *plus = strchr(text, '+'), *number = ls_strndup(text, plus ? (size_t)(plus - text) : strlen(text));
  int64_t value = -1;
  bool ok = plus ? strcmp(plus + 1, "open") == 0 : true, alone = !plus && strcmp(text, "open") == 0;
  *open = plus || alone;
  if (!alone) ok = ok && ls_parse_i64(number, &value) && value >= 1 && value <= MOST_OF_FAMILY;
  *draws = alone ? 0 : (int)value;
  free(number);
  return ok;
}

static bool push(Exam *exam, const ExamItem *item, LsErr *err) {
  if (exam->count >= EXAM_ITEMS) return ls_fail(err, LS_EREQUEST, "an exam has %d questions at most", EXAM_ITEMS);
  exam->items[exam->count++] = *item;
  return true;
}

// The skills of a family in an order by chance.
static void mix_skills(const Exam *exam, const CourseFamily *family, int *order) {
  char label[64];
  for (int i = 0; i < family->skill_count; i++) order[i] = i;
  for (int i = family->skill_count - 1; i > 0; i--) {
    snprintf(label, sizeof label, "skills %s %d", family->id, i);
    int other = (int)(exam_number(&exam->seed, label) % (uint64_t)(i + 1)), was = order[i];
    order[i] = order[other];
    order[other] = was;
  }
}

static bool add_draws(Exam *exam, const CourseFamily *family, int draws, LsErr *err) {
  int *order = LS_NEW_ARRAY(exam->arena, int, family->skill_count + 1);
  const char *id = ls_arena_strdup(exam->arena, family->id);
  mix_skills(exam, family, order);
  for (int i = 0; i < draws; i++) {
    const char *skill = family->skills[order[i % family->skill_count]];
    if (!push(exam, &(ExamItem){.family = id, .skill = ls_arena_strdup(exam->arena, skill)}, err)) return false;
  }
  return true;
}

bool exam_add(Exam *exam, const CourseFamily *families, int count, const char *wish, LsErr *err) {
  const char *colon = strrchr(wish, ':');
  char *name = ls_strndup(wish, colon ? (size_t)(colon - wish) : strlen(wish));
  int draws = -1;
  bool open = false, said = !colon || read_amount(colon + 1, &draws, &open);
  const CourseFamily *family = exam_family(families, count, name, err);
  free(name);
  if (!family) return false;
  if (!said) return ls_fail(err, LS_EREQUEST, "'%s': behind the colon stands how many questions, 1 to %d, or open, or "
                            "both as 2+open", LS_QUOTE(wish), MOST_OF_FAMILY);
  bool has = family->skill_count > 0;
  if (draws < 0) draws = has, open = !has;
  if (draws && !has)
    return ls_fail(err, LS_EREQUEST, "%s (%s) has no questions with numbers; %s:open asks its open one", family->id,
                   family->topic, family->id);
  if (open && !family->open)
    return ls_fail(err, LS_EREQUEST, "%s (%s) has no open question", family->id, family->topic);
  for (int i = 0; i < exam->count; i++)
    if (strcmp(exam->items[i].family, family->id) == 0)
      return ls_fail(err, LS_EREQUEST, "%s is named twice; %s:%d asks more of it", family->id, family->id, draws + 1);
  if (!add_draws(exam, family, draws, err)) return false;
  return !open || push(exam, &(ExamItem){.family = ls_arena_strdup(exam->arena, family->id)}, err);
}
