// check_models.h: what a model gives, held against a number that somebody else has published.
#ifndef LS_TESTS_CHECK_MODELS_H
#define LS_TESTS_CHECK_MODELS_H

#include <math.h>

#include "app/models/models.h"
#include "base/mem.h"
#include "check.h"

// says: where the number is from. set: "threads=256 registers=34"; of a script the rest of the line: "ops=r0 r1 w0".
// words: of a fact that is text; NULL: it is a number.
typedef struct ModelClaim { const char *says, *set, *fact; double number; const char *words; } ModelClaim;

static inline bool claim_values(const Model *model, const char *set, ModelValues *values) {
  LsErr err = {0};
  model_defaults(model, values);
  for (const char *p = set; *p; p += strspn(p, " ")) {
    bool script = model->script && strncmp(p, model->script_name, strlen(model->script_name)) == 0;
    size_t length = script ? strlen(p) : strcspn(p, " ");
    char *one = ls_strndup(p, length);
    bool ok = model_set(model, values, one, &err);
    if (!ok) printf("\n%s: %s", one, err.message);
    free(one);
    if (!ok) return false;
    p += length;
  }
  return true;
}

static inline bool same_number(double a, double b) {
  return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fabs(b);
}

static inline void check_claims(const Model *model, const ModelClaim *claims, int count) {
  for (int i = 0; i < count; i++) {
    const ModelClaim *claim = &claims[i];
    ModelValues values;
    ModelFacts facts = {0};
    if (!claim_values(model, claim->set, &values)) {
      CU_FAIL("a value");
      continue;
    }
    model->facts(&values, &facts);
    const ModelFact *fact = fact_find(&facts, claim->fact);
    bool same = fact && fact->is_text == (claim->words != NULL) &&
                (claim->words ? strcmp(fact->text, claim->words) == 0 : same_number(fact->number, claim->number));
    if (!same)
      printf("\n%s: %s %s: %s is %s %.10g, expected %s %.10g\n", claim->says, model->recipe.name, claim->set,
             claim->fact,
             fact ? fact->text : "(nothing)", fact ? fact->number : 0, claim->words ? claim->words : "", claim->number);
    CU_ASSERT(same);
  }
}

// Every parameter at its ends and a step from each, the others as they are at first.
static inline void each_end(const Model *model, void (*look)(void *context, const Model *model,
                                                             const ModelValues *values), void *context) {
  ModelValues values, first;
  model_defaults(model, &first);
  look(context, model, &first);
  for (int i = 0; i < model->recipe.param_count; i++) {
    const RecipeParam *param = &model->recipe.params[i];
    int64_t low = param->choice_count ? 0 : param->min,
        high = param->choice_count ? param->choice_count - 1 : param->max;
    const int64_t tried[] = {low, recipe_step_value(param, low, 1), low + (high - low) / 2, recipe_step_value(param,
        high, -1), high};
    for (int t = 0; t < LS_COUNT(tried); t++) {
      values = first;
      values.numbers.value[i] = tried[t];
      look(context, model, &values);
    }
  }
}

// All parameters at values drawn from their ranges, so that they meet in ways that nobody thought of.
static inline void each_drawn(const Model *model, int count, void (*look)(void *context, const Model *model,
                                                                          const ModelValues *values),
                              void *context) {
  uint64_t state = 88172645463325252u;
  for (int n = 0; n < count; n++) {
    ModelValues values;
    model_defaults(model, &values);
    for (int i = 0; i < model->recipe.param_count; i++) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      values.numbers.value[i] = recipe_value_at(&model->recipe.params[i], (double)(state >> 11) / (double)(1ull << 53));
    }
    look(context, model, &values);
  }
}

#endif
