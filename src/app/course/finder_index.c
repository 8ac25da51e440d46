// finder_index.c: gathers what a search looks at.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/course/finder.h"
#include "app/models/models.h"
#include "app/run/glossary.h"

enum { STEP = 64 };

static const char *const kind_names[FIND_KINDS][2] = {
    [FIND_LESSON] = {"lesson", "lessons"}, [FIND_TERM] = {"word", "words"}, [FIND_KERNEL] = {"kernel", "kernels"},
    [FIND_MODEL] = {"model", "models"},    [FIND_CLAIM] = {"claim", "claims"}, [FIND_MISTAKE] = {"mistake", "mistakes"},
};
const char *find_kind_name(FindKind kind) { return kind_names[kind][0]; }
const char *find_kind_plural(FindKind kind) { return kind_names[kind][1]; }

static const char *or_empty(const char *text) { return text ? text : ""; }

static void add(Finder *finder, FindItem item) {
  if (finder->count % STEP == 0)
    finder->items = ls_realloc(finder->items, sizeof *finder->items * (size_t)(finder->count + STEP));
  item.title = or_empty(item.title);
  item.about = or_empty(item.about);
  item.more = or_empty(item.more);
  item.lesson = or_empty(item.lesson);
  finder->items[finder->count++] = item;
  finder->counts[item.kind]++;
}

static void add_list(LsText *text, const char **list, int count) {
  for (int i = 0; i < count; i++) ls_text_addf(text, " %s", list[i]);
}

static const char *kept(Finder *finder, LsText *text) {
  const char *copy = ls_arena_strdup(finder->arena, ls_text_str(text));
  ls_text_free(text);
  return copy;
}

// A lesson is found by the words that it brings in.
static void add_terms_of(LsText *text, const Glossary *glossary, const char *lesson) {
  for (int i = 0; glossary && i < glossary->count; i++)
    if (strcmp(glossary->terms[i].lesson, lesson) == 0) ls_text_addf(text, " %s", glossary->terms[i].name);
}

static void add_lessons(Finder *finder, const Course *course, const Glossary *glossary) {
  for (int i = 0; i < course->count; i++) {
    const CourseLesson *lesson = &course->lessons[i];
    LsText more = {0};
    ls_text_addf(&more, "%s", lesson->name);
    add_list(&more, lesson->kernels, lesson->kernel_count);
    add_list(&more, lesson->covers.claims, lesson->covers.claim_count);
    add_list(&more, lesson->covers.errata, lesson->covers.erratum_count);
    add_terms_of(&more, glossary, lesson->id);
    add(finder, (FindItem){.kind = FIND_LESSON, .name = lesson->id, .title = lesson->title, .about = lesson->glimpse,
                          .more = kept(finder, &more), .lesson = lesson->id, .index = i});
  }
}

static void add_terms(Finder *finder, const Glossary *glossary) {
  for (int i = 0; glossary && i < glossary->count; i++) {
    const GlossaryTerm *term = &glossary->terms[i];
    LsText also = {0}, says = {0};
    add_list(&also, term->also, term->also_count);
    for (const char *at = term->says; *at; at++)
      if (*at != '`') ls_text_addf(&says, "%c", *at);
    add(finder, (FindItem){.kind = FIND_TERM, .name = term->name, .about = kept(finder, &says),
                          .more = kept(finder, &also), .lesson = term->lesson, .index = i});
  }
}

static bool add_kernels(Finder *finder, RecipeBook *book, LsErr *err) {
  for (int i = 0; i < book->kernels(book); i++) {
    const Recipe *recipe = book->get(book, book->name(book, i), err);
    if (!recipe) return false;
    LsText more = {0};
    ls_text_addf(&more, "%s %s", or_empty(recipe->id), or_empty(recipe->topic));
    for (int k = 0; recipe_has_forms(recipe) && k < recipe->form_count; k++)
      ls_text_addf(&more, " %s %s %s", recipe->forms[k].name, or_empty(recipe->forms[k].title),
                   or_empty(recipe->forms[k].erratum));
    add(finder, (FindItem){.kind = FIND_KERNEL, .name = recipe->name, .title = recipe->title, .about = recipe->about,
                          .more = kept(finder, &more), .lesson = recipe->lesson_count ? recipe->lessons[0] : "",
                          .index = i});
  }
  return true;
}

static void add_models(Finder *finder) {
  for (int i = 0; model_at(i); i++) {
    const Recipe *recipe = &model_at(i)->recipe;
    add(finder, (FindItem){.kind = FIND_MODEL, .name = recipe->name, .title = recipe->title, .about = recipe->about,
                          .more = recipe->topic, .index = i});
  }
}

// A claim has no title: its first words are one.
static bool add_claims(Finder *finder, Course *course, LsErr *err) {
  CourseClaim *list = NULL;
  int count = 0;
  if (course->claims && !course->claims(course, finder->arena, &list, &count, err)) return false;
  for (int i = 0; i < count; i++)
    add(finder, (FindItem){.kind = FIND_CLAIM, .name = list[i].id, .title = list[i].says, .about = list[i].why,
                          .more = ls_arena_format(finder->arena, "%s %s %s", list[i].topic, list[i].verdict,
                                                  or_empty(list[i].erratum)),
                          .lesson = list[i].lesson, .index = i});
  return true;
}

// Its cure stays with the room, where it is to be found.
static bool add_mistakes(Finder *finder, Course *course, LsErr *err) {
  CourseRoom *list = NULL;
  int count = 0;
  if (course->museum && !course->museum(course, finder->arena, &list, &count, err)) return false;
  for (int i = 0; i < count; i++)
    add(finder, (FindItem){.kind = FIND_MISTAKE, .name = list[i].id, .title = list[i].title, .about = list[i].says,
                          .more = ls_arena_format(finder->arena, "%s %s %s", list[i].wing, or_empty(list[i].kernel),
                                                  or_empty(list[i].kind)),
                          .lesson = list[i].lesson, .index = i});
  return true;
}

Finder *finder_new(Course *course, RecipeBook *book, LsErr *err) {
  Finder *finder = ls_alloc(sizeof *finder);
  finder->arena = ls_arena_new();
  const Glossary *glossary = book->glossary ? book->glossary(book, err) : NULL;
  add_lessons(finder, course, glossary);
  add_terms(finder, glossary);
  add_models(finder);
  bool ok = (glossary || !book->glossary) && add_kernels(finder, book, err);
  if (ok && add_claims(finder, course, err) && add_mistakes(finder, course, err)) return finder;
  finder_free(finder);
  return NULL;
}

void finder_free(Finder *finder) {
  if (!finder) return;
  ls_arena_free(finder->arena);
  free(finder->items);
  free(finder);
}
