// glossary.h: what the words of the course mean. script/glossary.c reads them from lessons/glossary.lua.
#ifndef LS_APP_GLOSSARY_H
#define LS_APP_GLOSSARY_H

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"

typedef struct GlossaryTerm {
  const char *name;                        // "bank conflict"
  const char *says;                        // one or two sentences, with `code`
  const char **also; int also_count;       // other names
  const char *lesson;                      // "L11"; "" if it is not of one
} GlossaryTerm;

typedef struct Glossary {
  GlossaryTerm *terms; int count;          // by name
  const char **stressed; int stressed_count;   // emphasis in lessons that brings in no term
  LsArena *arena;                          // owns the texts
} Glossary;
void glossary_free(Glossary *glossary);    // NULL is fine

// A term by its name or another of its names: "wavefront", "Bank-Conflicts", "is a warp?". NULL with names that are
// near.
const GlossaryTerm *glossary_find(const Glossary *glossary, const char *words, LsErr *err);
// The same without a message; words of `length` bytes.
bool glossary_has(const Glossary *glossary, const char *words, size_t length);
// "wavefront (L11): one turn in which ..." without backquotes.
void glossary_print(const GlossaryTerm *term, LsText *out);
// Both at once, with the glossary of a book: the term, or false and why there is none.
struct RecipeBook;
bool glossary_tell(struct RecipeBook *book, const char *words, LsText *out);

#endif
