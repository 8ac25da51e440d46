// hunt.c: an exercise made of a recipe with several forms.
#include "app/practice/hunt.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "app/run/run_parts.h"
#include "base/file.h"

enum { FEW_CASES = 12, SHOWN = 2, BUDGET = 1 << 24 };

typedef struct Hunt {
  Exercise exercise;               // first
  RecipeValues values[FEW_CASES];
  char *starter, *reference, *statement;
  const char *lesson, *kernel;
  ExerciseFile other;
} Hunt;

// ---- which rooms ---------------------------------------------------------------------------------------------------

static int form_of(const Recipe *recipe, const char *name) {
  for (int i = 0; name && i < recipe->form_count; i++)
    if (recipe->forms[i].name && strcmp(recipe->forms[i].name, name) == 0) return i;
  return -1;
}

static const char *source_of(const Recipe *recipe, int form) { return recipe->forms[form].source; }

static bool can_be_mended(const CourseRoom *room, const Recipe *recipe) {
  int form = form_of(recipe, room->form);
  if (form < 1 || !recipe->launch || recipe_form_is_bug(&recipe->forms[0])) return false;
  const RecipeForm *bug = &recipe->forms[form];
  bool own_file = strcmp(source_of(recipe, form), source_of(recipe, 0)) != 0;
  return recipe_form_is_bug(bug) && own_file && !bug->define && !recipe->forms[0].define && !bug->expect.on_stack;
}

bool hunt_list(Course *course, RecipeBook *book, HuntList *out, LsErr *err) {
  CourseRoom *rooms;
  int count;
  *out = (HuntList){.arena = ls_arena_new()};
  if (!course->museum(course, out->arena, &rooms, &count, err)) return hunt_list_free(out), false;
  out->rooms = LS_NEW_ARRAY(out->arena, const CourseRoom *, LS_MAX(count, 1));
  for (int i = 0; i < count; i++) {
    const Recipe *recipe = rooms[i].kernel ? book->get(book, rooms[i].kernel, err) : NULL;
    if (rooms[i].kernel && !recipe) return hunt_list_free(out), false;
    if (recipe && can_be_mended(&rooms[i], recipe)) out->rooms[out->count++] = &rooms[i];
  }
  return true;
}

void hunt_list_free(HuntList *list) {
  if (list->arena) ls_arena_free(list->arena);
  *list = (HuntList){0};
}

// ---- cases ---------------------------------------------------------------------------------------------------------

static bool can_launch(const Recipe *recipe, const RecipeValues *values) {
  Launch launch;
  bool ok = recipe->launch(recipe, values, &launch, NULL);
  launch_fini(&launch);
  return ok;
}

static void add_case(Hunt *hunt, RecipeValues values) {
  Exercise *e = &hunt->exercise;
  values.value[0] = 0;             // launched as the right form is
  for (int i = 0; i < e->case_count; i++)
    if (memcmp(&hunt->values[i], &values, sizeof values) == 0) return;
  if (e->case_count < FEW_CASES && can_launch(e->recipe, &values)) hunt->values[e->case_count++] = values;
}

static void choose_cases(Hunt *hunt, int form) {
  const Recipe *recipe = hunt->exercise.recipe;
  RecipeValues values;
  recipe_form_values(recipe, form, &values);
  add_case(hunt, values);
  recipe_defaults(recipe, &values);
  add_case(hunt, values);
  for (int i = 1; i < recipe->param_count; i++) {
    const RecipeParam *param = &recipe->params[i];
    for (int64_t k = 0; k < LS_MAX(param->choice_count, 1); k++) {
      RecipeValues end = values;
      end.value[i] = param->choice_count ? k : param->min;
      add_case(hunt, end);
    }
  }
}

static bool get_case(const Exercise *exercise, uint64_t seed, int index, ExerciseCase *out, LsErr *err) {
  (void)seed;
  (void)err;
  *out = (ExerciseCase){.values = ((const Hunt *)exercise)->values[index], .shown = index < SHOWN};
  return true;
}

static bool say(const Exercise *exercise, const RecipeValues *values, const char *key, const ExerciseTold *told,
                LsText *out, LsErr *err) {
  (void)exercise;
  (void)values;
  (void)key;
  (void)told;
  (void)out;
  (void)err;
  return true;
}

// ---- the exercise --------------------------------------------------------------------------------------------------

static void describe(Hunt *hunt, const CourseRoom *room, const Recipe *recipe) {
  static const uint64_t usual[] = {0, 1, 2, 7};
  Exercise *e = &hunt->exercise;
  hunt->statement = ls_format("%s\n\nThis kernel has a mistake of a lecture. Find it, and mend it: the results have to "
                              "be right, nothing else wrong, at any size and in any order.", room->says);
  hunt->lesson = room->lesson;
  hunt->kernel = recipe->name;
  hunt->other = (ExerciseFile){.name = "reference", .what = room->cure};
  *e = (Exercise){.id = room->id, .name = room->id, .title = room->title, .teaches = room->wing,
                  .statement = hunt->statement, .numbers = "", .lessons = &hunt->lesson,
                  .lesson_count = room->lesson != NULL,
                  .kernels = &hunt->kernel, .others = &hunt->other, .other_count = 1, .shared_bytes = -1,
                  .order_count = LS_COUNT(usual), .budget = BUDGET, .profile = "h200", .recipe = recipe,
                  .starter = hunt->starter, .reference = hunt->reference, .is_hunt = true, .get_case = get_case,
                  .say = say};
  memcpy(e->orders, usual, sizeof usual);
}

static Exercise *make(const CourseRoom *room, const Recipe *recipe, LsErr *err) {
  Hunt *hunt = ls_alloc(sizeof *hunt);
  int form = form_of(recipe, room->form);
  hunt->starter = run_recipe_file(recipe, "kernels", source_of(recipe, form), err);
  hunt->reference = hunt->starter ? run_recipe_file(recipe, "kernels", source_of(recipe, 0), err) : NULL;
  if (!hunt->reference) return hunt_free(&hunt->exercise), NULL;
  describe(hunt, room, recipe);
  hunt->exercise.remarks = recipe->forms[form].expect.faults;
  choose_cases(hunt, form);
  return &hunt->exercise;
}

Exercise *hunt_open(const HuntList *list, const char *id, RecipeBook *book, LsErr *err) {
  for (int i = 0; i < list->count; i++) {
    if (strcasecmp(list->rooms[i]->id, id) != 0) continue;
    const Recipe *recipe = book->get(book, list->rooms[i]->kernel, err);
    return recipe ? make(list->rooms[i], recipe, err) : NULL;
  }
  ls_fail(err, LS_EREQUEST, "there is no kernel to mend for '%s'; lanescope practice --list names those that there are",
          LS_QUOTE(id));
  return NULL;
}

void hunt_free(Exercise *exercise) {
  Hunt *hunt = (Hunt *)exercise;
  if (!hunt) return;
  free(hunt->starter);
  free(hunt->reference);
  free(hunt->statement);
  free(hunt);
}
