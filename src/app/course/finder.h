// finder.h: a search over all that the course has: lessons, words, kernels, models, claims, and the lectures' mistakes.
//
// Everything found has a word by which it is called (its name), a title and some text about it. A search is a list of
// words, all of which must occur; the better they fit, the higher it comes: the whole name before a word of it, that
// before a beginning, the name before the title, and that before the text. If nothing has all words, those that are
// nearly written so are found.
//
//   Finder *finder = finder_new(course, book, &err);
//   FoundList found = {0};
//   finder_look(finder, "bank conflict", &found);
//   ... finder->items[found.items[0]] ...
#ifndef LS_APP_FINDER_H
#define LS_APP_FINDER_H

#include "app/course/course.h"
#include "app/run/recipe.h"

typedef enum FindKind { FIND_LESSON, FIND_TERM, FIND_KERNEL, FIND_MODEL, FIND_CLAIM, FIND_MISTAKE, FIND_KINDS
                       } FindKind;
const char *find_kind_name(FindKind kind);     // "lesson", "word", "mistake"
const char *find_kind_plural(FindKind kind);

typedef struct FindItem {
  FindKind kind;
  const char *name;            // "L03", "bank conflict", "reduce2", "C027", "E57"
  const char *title;           // "Warps and SIMT"; "" of a term, whose name says it
  const char *about;           // what is said about it
  const char *more;            // other names and what belongs to it, by which it is found as well
  const char *lesson;          // the lesson that it belongs to; ""
  int index;                   // its place in its list: of the course, of the book, of the claims, of the museum
} FindItem;

typedef struct Finder {
  FindItem *items; int count;
  int counts[FIND_KINDS];
  LsArena *arena;
} Finder;
// Both are borrowed for as long as it lives. NULL if something of the course has a bug.
Finder *finder_new(Course *course, RecipeBook *book, LsErr *err);
void finder_free(Finder *finder);              // NULL is fine

enum { FOUND_MOST = 500 };
typedef struct FoundList { int items[FOUND_MOST]; int count; bool nearly; } FoundList;   // best first
// No words: nothing is found.
void finder_look(const Finder *finder, const char *words, FoundList *found);

#endif
