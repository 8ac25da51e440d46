// recipe_forms.c: the forms of a recipe, and what is expected of a run of each.
#include <ctype.h>
#include <string.h>

#include "app/run/program_run.h"
#include "script/fields.h"
#include "script/recipe_impl.h"

enum { FORM_LIMIT = 32, WRITTEN_LIMIT = 32, EXPECT_BUDGET = 10000000 };
static const char *const expect_fields[] = {"verdict", "faults", "findings", "coverage", "line", "at", "sched",
                                            "unless",
                                            "quiet", NULL};
static const char *const form_fields[] = {"name", "title", "source", "kernel", "define", "erratum", "where", "expect",
                                          "lecture",
                                          "timing", NULL};

// ---- what is expected ----------------------------------------------------------------------------------------------

static void list_faults(LsText *out) {
  for (int i = 0; i < FAULT_KIND_COUNT; i++) ls_text_addf(out, "%s%s", i ? ", " : "", trace_fault_name((FaultKind)i));
  for (int i = 0; i < PROGRAM_FAULT_COUNT; i++) {
    const char *name = program_fault_def((ProgramFaultKind)i)->name;
    bool known = false;   // one word for both: the host or a kernel reads what nobody wrote
    for (int k = 0; k < FAULT_KIND_COUNT; k++) known |= strcmp(trace_fault_name((FaultKind)k), name) == 0;
    if (!known) ls_text_addf(out, ", %s", name);
  }
}

static void list_findings(LsText *out) {
  for (int i = 0; i < FINDING_KIND_COUNT; i++)
    ls_text_addf(out, "%s%s", i ? ", " : "", finding_def((FindingKind)i)->id);
}

static void fail_name(lua_State *L, const char *what, const char *kind, const char *name, void (*list)(LsText *)) {
  LsText names = {0};
  list(&names);
  lua_pushstring(L, ls_text_str(&names));
  ls_text_free(&names);
  luaL_error(L, "%s: there is no %s '%s'; there are: %s", what, kind, name, lua_tostring(L, -1));
}

static void expect_fault(lua_State *L, RecipeExpect *expect, const char *name, const char *what) {
  uint64_t faults = 0, between = 0;
  for (int i = 0; i < FAULT_KIND_COUNT; i++)
    if (strcmp(trace_fault_name((FaultKind)i), name) == 0) faults |= 1ull << i;
  for (int i = 0; i < PROGRAM_FAULT_COUNT; i++)
    if (strcmp(program_fault_def((ProgramFaultKind)i)->name, name) == 0) between |= 1ull << i;
  if (!faults && !between) fail_name(L, what, "fault", name, list_faults);
  expect->faults |= faults;
  expect->between |= between;
}

static void expect_finding(lua_State *L, RecipeExpect *expect, const char *name, const char *what) {
  for (int i = 0; i < FINDING_KIND_COUNT; i++) {
    if (strcmp(finding_def((FindingKind)i)->id, name) != 0) continue;
    expect->findings |= 1ull << i;
    return;
  }
  fail_name(L, what, "finding", name, list_findings);
}

static RecipeOutcome read_outcome(lua_State *L, int table, const char *what) {
  const char *word = field_string_or(L, table, "verdict", "right", what, NULL);
  for (RecipeOutcome outcome = RECIPE_RIGHT; outcome <= RECIPE_BY_CHANCE; outcome++)
    if (strcmp(recipe_outcome_name(outcome), word) == 0) return outcome;
  luaL_error(L, "%s: the verdict '%s' is none of right, wrong, by chance", what, word);
  return RECIPE_RIGHT;
}

// coverage = { y = 3 }: so many elements of y are written.
static void read_coverage(lua_State *L, int table, RecipeExpect *expect, LsArena *arena, const char *what) {
  if (field_push(L, table, "coverage", LUA_TTABLE, what) != LUA_TNIL) {
    int list = lua_gettop(L);
    expect->written = LS_NEW_ARRAY(arena, RecipeWritten, WRITTEN_LIMIT);
    for (lua_pushnil(L); lua_next(L, list); lua_settop(L, list + 1)) {
      int exact;
      lua_Integer count = lua_tointegerx(L, list + 2, &exact);
      if (lua_type(L, list + 1) != LUA_TSTRING || !exact || count < 0)
        luaL_error(L, "%s: 'coverage' gives the number of written elements by the name of a buffer", what);
      if (expect->written_count == WRITTEN_LIMIT) luaL_error(L, "%s: more than %d buffers", what, WRITTEN_LIMIT);
      const char *buffer = ls_arena_strdup(arena, lua_tostring(L, list + 1));
      expect->written[expect->written_count++] = (RecipeWritten){buffer, (uint64_t)count};
    }
  }
  lua_pop(L, 1);
}

// The table 'expect' of another one: of the recipe, or of a form.
static void read_expect(lua_State *L, int table, RecipeExpect *expect, LsArena *arena, const char *of) {
  char what[128];
  int count;
  snprintf(what, sizeof what, "%.80s: 'expect'", of);
  if (field_push(L, table, "expect", LUA_TTABLE, of) != LUA_TNIL) {
    int at = lua_gettop(L);
    field_check_names(L, at, expect_fields, what);
    expect->outcome = read_outcome(L, at, what);
    const char **names = field_list(L, at, "faults", what, arena, &count, NULL);
    for (int i = 0; i < count; i++) expect_fault(L, expect, names[i], what);
    names = field_list(L, at, "findings", what, arena, &count, NULL);
    for (int i = 0; i < count; i++) expect_finding(L, expect, names[i], what);
    read_coverage(L, at, expect, arena, what);
    expect->line = field_string_or(L, at, "line", NULL, what, arena);
    if (expect->line && !expect->faults) luaL_error(L, "%s names a line, and no fault that is on it", what);
    const char *sched = field_string_or(L, at, "sched", NULL, what, NULL);
    if (sched && strcmp(sched, "stack") != 0) luaL_error(L, "%s: 'sched' can only be \"stack\"", what);
    expect->on_stack = sched != NULL;
    expect->has_unless = field_push(L, at, "unless", LUA_TFUNCTION, what) != LUA_TNIL;
    expect->has_quiet = field_push(L, at, "quiet", LUA_TFUNCTION, what) != LUA_TNIL;
    lua_settop(L, at);
  }
  lua_pop(L, 1);
}

// ---- forms ---------------------------------------------------------------------------------------------------------

static bool is_macro(const char *text) {
  size_t name = strcspn(text, "=");
  if (!name || isdigit((unsigned char)*text)) return false;
  for (const char *p = text; *p; p++)
    if (!isalnum((unsigned char)*p) && *p != '_' && p != text + name) return false;
  return true;
}

// The name is a choice of a parameter, and part of a file's name where recordings are.
static void check_form_name(lua_State *L, const char *name, const char *what) {
  for (const char *p = name; *p; p++)
    if (!isalnum((unsigned char)*p) && !strchr("_-", *p))
      luaL_error(L, "%s: a form's name has letters, digits, - and _ only; 'title' is for people", what);
}

// The kernel of a launch: of the form, or else of the recipe. The steps of a sequence name theirs.
static void check_kernel(lua_State *L, int table, bool is_program, const char *what) {
  int own = lua_getfield(L, table, "kernel"), type = own == LUA_TNIL ? lua_getfield(L, RECIPE_TABLE, "kernel") : own;
  lua_settop(L, -2 - (own == LUA_TNIL));
  if (is_program && own != LUA_TNIL) luaL_error(L, "%s: field 'kernel': the steps of a sequence name their kernels",
                                                what);
  if (!is_program && type != LUA_TSTRING && type != LUA_TFUNCTION)
    luaL_error(L, "%s: field 'kernel' must be the kernel's name or a function that gives it", what);
}

static void read_form(lua_State *L, int table, RecipeForm *form, const RecipeForm *base, LsArena *arena, int number) {
  const char *what = ls_arena_format(arena, "form %d", number);
  form->name = field_string(L, table, "name", what, arena);
  what = ls_arena_format(arena, "form '%s'", form->name);
  check_form_name(L, form->name, what);
  field_check_names(L, table, form_fields, what);
  form->title = field_string_or(L, table, "title", NULL, what, arena);
  form->source = field_string_or(L, table, "source", base->source, what, arena);
  form->define = field_string_or(L, table, "define", NULL, what, arena);
  form->erratum = field_string_or(L, table, "erratum", NULL, what, arena);
  form->where = field_string_or(L, table, "where", NULL, what, arena);
  if (form->define && !is_macro(form->define))
    luaL_error(L, "%s: define is \"NAME\" or \"NAME=VALUE\" of letters, digits and _, not \"%s\"", what, form->define);
  read_expect(L, table, &form->expect, arena, what);
}

// The choice of a form is a parameter like any other, before all others.
static void add_param(lua_State *L, RecipeScript *owner) {
  Recipe *recipe = &owner->recipe;
  for (int i = 0; i < recipe->param_count; i++)
    if (strcmp(recipe->params[i].name, "form") == 0)
      luaL_error(L, "parameter 'form' chooses one of the 'forms': call yours otherwise");
  if (recipe->param_count == RECIPE_PARAM_LIMIT)
    luaL_error(L, "the recipe has more than %d parameters besides its forms", RECIPE_PARAM_LIMIT - 1);
  RecipeParam *params = LS_NEW_ARRAY(owner->arena, RecipeParam, (size_t)recipe->param_count + 2);
  RecipeParam form = {.name = "form", .help = "which form of the kernel", .is_text = true, .step = 1,
                      .max = recipe->form_count - 1, .choice_count = recipe->form_count};
  form.choices = LS_NEW_ARRAY(owner->arena, const char *, (size_t)recipe->form_count);
  for (int i = 0; i < recipe->form_count; i++) form.choices[i] = recipe->forms[i].name;
  params[0] = form;
  for (int i = 0; i < recipe->param_count; i++) params[i + 1] = recipe->params[i];
  recipe->params = params;
  recipe->param_count++;
}

static void read_list(lua_State *L, RecipeScript *owner, const RecipeForm *base) {
  Recipe *recipe = &owner->recipe;
  int list = lua_gettop(L), count = (int)LS_MIN(lua_rawlen(L, list), (lua_Unsigned)FORM_LIMIT + 1);
  if (!count) luaL_error(L, "field 'forms' is an empty list");
  if (count > FORM_LIMIT) luaL_error(L, "the recipe has more than %d forms", FORM_LIMIT);
  recipe->forms = LS_NEW_ARRAY(owner->arena, RecipeForm, (size_t)count);
  for (int i = 0; i < count; i++) {
    if (lua_rawgeti(L, list, i + 1) != LUA_TTABLE) luaL_error(L, "form %d must be a table", i + 1);
    read_form(L, list + 1, &recipe->forms[i], base, owner->arena, i + 1);
    check_kernel(L, list + 1, recipe->sequence, ls_arena_format(owner->arena, "form '%s'", recipe->forms[i].name));
    lua_settop(L, list);
    for (int k = 0; k < i; k++)
      if (strcmp(recipe->forms[k].name, recipe->forms[i].name) == 0)
        luaL_error(L, "two forms are called '%s'", recipe->forms[i].name);
    recipe->form_count++;
  }
}

void recipe_read_forms(lua_State *L, RecipeScript *owner, const char *what) {
  Recipe *recipe = &owner->recipe;
  const char *beside = recipe->folder ? ls_arena_format(owner->arena, "%s.cu", recipe->name) : NULL;
  RecipeForm base = {.source = field_string_or(L, RECIPE_TABLE, "source", beside, what, owner->arena)};
  if (!base.source) luaL_error(L, "%s has no field 'source'", what);
  read_expect(L, RECIPE_TABLE, &base.expect, owner->arena, what);
  lua_getfield(L, RECIPE_TABLE, "expect");
  bool expects = !lua_isnil(L, -1), has_forms = field_push(L, RECIPE_TABLE, "forms", LUA_TTABLE, what) != LUA_TNIL;
  if (has_forms && expects) luaL_error(L, "field 'expect' belongs to the forms: each says what is expected of it");
  if (has_forms) read_list(L, owner, &base);
  lua_pop(L, 2);
  if (has_forms) {
    add_param(L, owner);
    return;
  }
  check_kernel(L, RECIPE_TABLE, recipe->sequence, what);
  recipe->forms = LS_NEW_ARRAY(owner->arena, RecipeForm, 1);
  recipe->forms[0] = base;
  recipe->form_count = 1;
}

// expect = { at = { N = 40 } }, of the recipe or of its forms: once all parameters are known.
void recipe_read_places(lua_State *L, Recipe *recipe) {
  for (int i = 0; i < recipe->form_count; i++) {
    RecipeExpect *expect = &recipe->forms[i].expect;
    RecipeValues values = {.value = {i}};
    lua_settop(L, RECIPE_TABLE);
    recipe_push_form(L, recipe, &values);
    if (lua_getfield(L, -1, "expect") != LUA_TTABLE || lua_getfield(L, -1, "at") == LUA_TNIL) continue;
    recipe_read_values(L, recipe, &expect->at, "at");
    expect->has_at = true;
  }
  lua_settop(L, RECIPE_TABLE);
}

// The table of that name of one at the stack's index; what is not said is as it was.
static void read_sizes(lua_State *L, int table, const Recipe *recipe, int form, const char *name, RecipeSizes *sizes) {
  if (lua_getfield(L, table, name) != LUA_TNIL) {
    recipe_read_values(L, recipe, &sizes->values, name);
    sizes->given = true;
  }
  if (recipe_has_forms(recipe)) sizes->values.value[0] = form;
  lua_settop(L, table);
}

void recipe_read_sizes(lua_State *L, Recipe *recipe) {
  for (int i = 0; i < recipe->form_count; i++) {
    RecipeForm *form = &recipe->forms[i];
    RecipeValues values = {.value = {i}};
    lua_settop(L, RECIPE_TABLE);
    read_sizes(L, RECIPE_TABLE, recipe, i, "lecture", &form->lecture);
    read_sizes(L, RECIPE_TABLE, recipe, i, "timing", &form->timing);
    if (!recipe_has_forms(recipe)) continue;
    recipe_push_form(L, recipe, &values);
    read_sizes(L, RECIPE_TABLE + 1, recipe, i, "lecture", &form->lecture);
    read_sizes(L, RECIPE_TABLE + 1, recipe, i, "timing", &form->timing);
  }
  lua_settop(L, RECIPE_TABLE);
  recipe->lecture = recipe->forms[0].lecture;
  recipe->timing = recipe->forms[0].timing;
}

void recipe_push_form(lua_State *L, const Recipe *recipe, const RecipeValues *values) {
  if (!recipe_has_forms(recipe)) {
    lua_pushvalue(L, RECIPE_TABLE);
    return;
  }
  lua_getfield(L, RECIPE_TABLE, "forms");
  lua_rawgeti(L, -1, recipe_form(recipe, values) - recipe->forms + 1);
  lua_remove(L, -2);
}

// ---- where a bug does not show -------------------------------------------------------------------------------------

typedef struct Asking { const Recipe *recipe; const RecipeValues *values; bool is_right, is_quiet; } Asking;

static bool holds(lua_State *L, const Asking *asking, const char *name) {
  recipe_push_form(L, asking->recipe, asking->values);
  lua_getfield(L, -1, "expect");
  if (lua_getfield(L, -1, name) == LUA_TNIL) return false;
  recipe_push_values(L, asking->recipe, asking->values);
  lua_call(L, 1, 1);
  return lua_toboolean(L, -1);
}

static void unless_body(lua_State *L, void *context) {
  Asking *asking = context;
  recipe_enter(L);
  asking->is_right = holds(L, asking, "unless");
  asking->is_quiet = holds(L, asking, "quiet");
}

bool recipe_run_expect(const Recipe *recipe, const RecipeValues *values, RecipeExpect *expect, LsErr *err) {
  RecipeScript *owner = recipe->script;
  Asking asking = {.recipe = recipe, .values = values};
  *expect = recipe_form(recipe, values)->expect;
  if (!expect->has_unless && !expect->has_quiet) return true;
  pthread_mutex_lock(&owner->lock);
  bool ok = script_run(owner->script, EXPECT_BUDGET, unless_body, &asking, err);
  pthread_mutex_unlock(&owner->lock);
  if (asking.is_right) *expect = (RecipeExpect){.outcome = RECIPE_RIGHT};
  else if (asking.is_quiet) *expect = (RecipeExpect){.outcome = expect->outcome};
  return ok;
}
