// model.h: a picture without a kernel: parameters, and a pure function of them that gives numbers and sentences.
//
// A model is one const struct in a file of its own and a row of models.def; how it looks is a file of ui/models/ with
// the
// same name. What it shows is a function of its values alone, so the same values give the same numbers on the command
// line, in a lesson and on a page with sliders. Its parameters are those of recipes (recipe.h): ranges, choices,
// messages.
//
//   ModelValues values;
//   model_defaults(model, &values);
//   model_set(model, &values, "threads=128", &err);
//   ModelFacts facts = {0};
//   model->facts(&values, &facts);           // numbers by name: for --json, lessons and tests
#ifndef LS_APP_MODEL_H
#define LS_APP_MODEL_H

#include "app/run/recipe.h"
#include "model/arch.h"

enum { MODEL_SCRIPT = 1024, MODEL_FACTS = 48, MODEL_FACT_TEXT = 200 };

// script: what happens one after the other, "r0 r1 w0"; "" for most models, which have no such text.
typedef struct ModelValues { RecipeValues numbers; char script[MODEL_SCRIPT]; } ModelValues;
static inline int model_int(const ModelValues *values, int param) { return (int)values->numbers.value[param]; }

// A number or a word that a model gives. A number that does not exist (no limit, nothing measured) is NaN.
typedef struct ModelFact {
  char name[32];
  const char *unit;            // "warps", "%"; "" where it is a bare number
  bool is_text;
  double number;
  char text[MODEL_FACT_TEXT];
} ModelFact;
typedef struct ModelFacts { ModelFact list[MODEL_FACTS]; int count; } ModelFacts;
void fact_number(ModelFacts *facts, const char *name, const char *unit, double number);
void fact_text(ModelFacts *facts, const char *name, const char *text);
const ModelFact *fact_find(const ModelFacts *facts, const char *name);   // NULL: there is none

// A key that only this model has, for footer and help.
typedef struct ModelKey { const char *key, *word; } ModelKey;

typedef struct Model Model;
struct Model {
  Recipe recipe;               // name, title, about, topic and parameters; it has no launch
  const char *rules;           // where its rules are from, and what it leaves out
  const char *profile;         // default of the parameter "profile"; NULL: it has none
  int time;                    // parameter that play moves on, from its least value to its end, where it stands at
                               // first; -1: nothing plays
  const char *script_name, *script_help, *script;   // of the text, and its default; NULL: none
  bool (*script_check)(const char *script, LsErr *err);
  void (*facts)(const ModelValues *values, ModelFacts *out);
  void (*words)(const ModelValues *values, LsText *out);      // what is to be seen, in a few sentences
  int64_t (*end)(const ModelValues *values);                  // last `time` that shows something new; NULL: its most
  int64_t (*most)(const ModelValues *values, int param);      // the most of a number that makes sense beside the other
                                                              // values; NULL: its range
  int64_t (*pace)(const ModelValues *values);                 // by how much play moves on; NULL: by its step
  bool (*key)(ModelValues *values, uint32_t code);            // a key of its own; NULL: none
  const ModelKey *keys; int key_count;
};

// The parameter "profile": a row of every table of parameters that wants one.
extern const char *const model_profiles[];
enum { MODEL_PROFILES = 0
#define ARCH(...) + 1
#include "model/arch.def"
#undef ARCH
};
#define MODEL_PROFILE {.name = "profile", .help = "the device", .is_text = true, .max = MODEL_PROFILES - 1, .step = 1, \
                       .choices = (const char **)model_profiles, .choice_count = MODEL_PROFILES}
const ArchProfile *model_profile(int64_t value);

void model_defaults(const Model *model, ModelValues *values);
// Those that a recipe gives its model, over the defaults. False: the model has no such parameter, or no such value.
bool model_of_recipe(const Model *model, const Recipe *recipe, ModelValues *values, LsErr *err);
// NAME=VALUE, also of the script.
bool model_set(const Model *model, ModelValues *values, const char *assignment, LsErr *err);
// "threads=256 registers=34"
void model_print_values(const Model *model, const ModelValues *values, LsText *out);
// The most that a slider of a number goes to, beside the other values. More can be typed, to see what comes of it.
int64_t model_most(const Model *model, const ModelValues *values, int param);
// Value of `time` after this one; the same at the end.
int64_t model_time_after(const Model *model, const ModelValues *values);
// Whether `time` stands at its end; and what has to be done after a change of other values: it stays there, or comes back
// to the end that they have.
bool model_at_end(const Model *model, const ModelValues *values);
void model_changed(const Model *model, ModelValues *values, bool at_end);
// Numbers by name, one a line: "  blocks              6".
void model_print_facts(const ModelFacts *facts, LsText *out);

#endif
