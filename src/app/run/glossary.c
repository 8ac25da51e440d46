// glossary.c: finds a word of the course, however it is written.
#include "app/run/glossary.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "app/run/recipe.h"

void glossary_free(Glossary *glossary) {
  if (!glossary) return;
  ls_arena_free(glossary->arena);
  free(glossary);
}

// ---- words as they are compared ------------------------------------------------------------------------------------

// Steps over a word and the blanks after it; as it was if the text begins otherwise or is over then.
static const char *past(const char *text, const char *word) {
  size_t length = strlen(word);
  if (!ls_starts_with(text, word) || text[length] != ' ' || !text[length + 1]) return text;
  return text + length + 1;
}

// Small letters, '-' and '_' as blanks, none at the ends and one between words, no question mark, no plural s.
static char *plain(const char *words, size_t length) {
  LsText out = {0};
  for (size_t i = 0; i < length && words[i]; i++) {
    bool blank = isspace((unsigned char)words[i]) || strchr("-_", words[i]);
    if (strchr("?`*\"", words[i]) || (blank && (!out.length || out.data[out.length - 1] == ' '))) continue;
    ls_text_addc(&out, blank ? ' ' : (char)tolower((unsigned char)words[i]));
  }
  char *text = ls_text_take(&out);
  if (!text) return ls_strdup("");
  size_t end = strlen(text);
  while (end && text[end - 1] == ' ') text[--end] = 0;
  bool plural = end > 2 && text[end - 1] == 's' && text[end - 2] != 's';
  if (plural) text[end - 1] = 0;
  return text;
}

// Without "is a" and the like, which a question begins with.
static const char *asked_for(const char *text) {
  static const char *const begins[] = {"is", "are", "does", "a", "an", "the"};
  for (int i = 0; i < LS_COUNT(begins); i++) text = past(text, begins[i]);
  return text;
}

static bool is_name(const char *name, const char *wanted) {
  char *own = plain(name, strlen(name));
  bool same = strcmp(own, wanted) == 0;
  free(own);
  return same;
}

static bool is_called(const GlossaryTerm *term, const char *wanted) {
  if (is_name(term->name, wanted)) return true;
  for (int i = 0; i < term->also_count; i++)
    if (is_name(term->also[i], wanted)) return true;
  return false;
}

static const GlossaryTerm *look_up(const Glossary *glossary, const char *wanted) {
  for (int i = 0; *wanted && i < glossary->count; i++)
    if (is_called(&glossary->terms[i], wanted)) return &glossary->terms[i];
  return NULL;
}

bool glossary_has(const Glossary *glossary, const char *words, size_t length) {
  char *wanted = plain(words, length);
  bool has = look_up(glossary, wanted) != NULL;
  free(wanted);
  return has;
}

// ---- near ones -----------------------------------------------------------------------------------------------------

// How far a name is from what was asked for; one that has it inside is near, one inside of it a little less.
static int distance(const char *name, const char *wanted) {
  enum { INSIDE = 4 };                     // letters that are no accident
  char *own = plain(name, strlen(name));
  int between = ls_edit_distance(own, wanted);
  if (strlen(wanted) >= INSIDE && strstr(own, wanted)) between = LS_MIN(between, 1);
  if (strlen(own) >= INSIDE && strstr(wanted, own)) between = LS_MIN(between, 2);
  free(own);
  return between;
}

static int term_distance(const GlossaryTerm *term, const char *wanted) {
  int least = distance(term->name, wanted);
  for (int i = 0; i < term->also_count; i++) least = LS_MIN(least, distance(term->also[i], wanted));
  return least;
}

static void fail_unknown(const Glossary *glossary, const char *wanted, LsErr *err) {
  enum { NEAR_ONES = 4 };
  int reach = strlen(wanted) < 3 ? 0 : LS_MIN(1 + (int)strlen(wanted) / 4, 3), listed = 0;
  LsText near = {0};
  for (int far = 0; far <= reach; far++)
    for (int i = 0; i < glossary->count && listed < NEAR_ONES; i++)
      if (term_distance(&glossary->terms[i], wanted) == far)
        ls_text_addf(&near, "%s%s", listed++ ? ", " : "", glossary->terms[i].name);
  ls_fail(err, LS_EREQUEST, "\"%s\" is not in the glossary", LS_QUOTE(wanted));
  if (listed) ls_err_append(err, "Did you mean %s?", ls_text_str(&near));
  ls_text_free(&near);
}

const GlossaryTerm *glossary_find(const Glossary *glossary, const char *words, LsErr *err) {
  char *text = plain(words, strlen(words));
  const char *wanted = asked_for(text);
  const GlossaryTerm *term = look_up(glossary, wanted);
  if (!term) fail_unknown(glossary, wanted, err);
  free(text);
  return term;
}

void glossary_print(const GlossaryTerm *term, LsText *out) {
  ls_text_add(out, term->name);
  if (*term->lesson) ls_text_addf(out, " (%s)", term->lesson);
  ls_text_add(out, ": ");
  for (const char *p = term->says; *p; p++)
    if (*p != '`') ls_text_addc(out, *p);
}

bool glossary_tell(RecipeBook *book, const char *words, LsText *out) {
  LsErr err = {0};
  const Glossary *glossary = book && book->glossary ? book->glossary(book, &err) : NULL;
  const GlossaryTerm *term = glossary ? glossary_find(glossary, words, &err) : NULL;
  if (term) glossary_print(term, out);
  else ls_text_add(out, err.message[0] ? err.message : "there is no glossary here");
  return term != NULL;
}
