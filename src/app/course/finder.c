// finder.c: how well things fit some words, and in which order they come.
#include "app/course/finder.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORDS = 8, WORD = 32, LEAST_NEARLY = 5 };

// Points for the best place of a word in a text.
typedef struct Weights { int whole, word, beginning, inside, nearly; } Weights;
static const Weights name_weights = {120, 70, 50, 25, 12}, title_weights = {120, 60, 40, 18, 9},
                     more_weights = {60, 34, 20, 8, 0}, about_weights = {30, 14, 9, 4, 0};
enum { FIRST = 4, SAME = 10 }; // more for the first word of a text; for what is called just so

typedef struct Search { char words[WORDS][WORD]; int count; bool nearly; const char *all; } Search;

static bool is_letter(char c) { return isalnum((unsigned char)c) || (c & 0x80); }

// Words that a question has and an answer may not.
static bool is_small(const char *word) {
  static const char *const small[] = {"a", "an", "and", "are", "do", "does", "how", "in", "is", "it", "of", "on", "the",
                                      "to", "what", "why"};
  for (int i = 0; i < LS_COUNT(small); i++)
    if (strcasecmp(word, small[i]) == 0) return true;
  return false;
}

static void drop_small(Search *search) {
  int kept = 0;
  for (int i = 0; i < search->count; i++)
    if (!is_small(search->words[i])) memmove(search->words[kept++], search->words[i], WORD);
  if (kept) search->count = kept;
}

// "bank_patterns" has two words.
static void split(const char *text, Search *search) {
  while (search->count < WORDS) {
    while (*text && !is_letter(*text)) text++;
    int length = 0;
    char *word = search->words[search->count];
    for (; is_letter(*text); text++)
      if (length + 1 < WORD) word[length++] = *text;
    word[length] = 0;
    if (!length) return;
    search->count++;
  }
}

// A word in the plural finds the singular.
static size_t stem(const char *word) {
  size_t length = strlen(word);
  return length > 3 && tolower((unsigned char)word[length - 1]) == 's' ? length - 1 : length;
}

// At a place of the text where a word begins, which is `length` long.
static int points_at(const char *at, size_t length, const char *word, bool nearly, const Weights *weights) {
  size_t whole = strlen(word), part = stem(word);
  if (length == whole && strncasecmp(at, word, whole) == 0) return weights->word;
  if ((length == part || (length == part + 1 && tolower((unsigned char)at[part]) == 's')) &&
      strncasecmp(at, word, part) == 0)
    return weights->word - 1;
  if (strncasecmp(at, word, part) == 0) return weights->beginning;
  if (!nearly || whole < LEAST_NEARLY || !weights->nearly || length >= WORD) return 0;
  char own[WORD], low[WORD];
  length -= length > whole && tolower((unsigned char)at[length - 1]) == 's';
  for (size_t i = 0; i <= length; i++) own[i] = i < length ? (char)tolower((unsigned char)at[i]) : 0;
  for (size_t i = 0; i <= whole; i++) low[i] = (char)tolower((unsigned char)word[i]);
  return ls_edit_distance(own, low) <= (whole < 8 ? 1 : 2) ? weights->nearly : 0;
}

static int word_points(const char *text, const char *word, bool nearly, const Weights *weights) {
  int best = 0;
  size_t part = stem(word);
  for (const char *at = text; *at;) {
    if (!is_letter(*at)) { at++; continue; }
    size_t length = 0;
    while (is_letter(at[length])) length++;
    int points = points_at(at, length, word, nearly, weights);
    for (size_t i = 1; !points && i + part <= length; i++)
      if (strncasecmp(at + i, word, part) == 0) points = weights->inside;
    best = LS_MAX(best, points && at == text ? points + FIRST : points);
    at += length;
  }
  return best;
}

static bool is_same(const char *text, const Search *search) { return strcasecmp(text, search->all) == 0; }

// The text is what was searched, or its singular or plural, and nothing else.
static bool is_whole(const char *text, const Search *search) {
  const char *word = search->words[0];
  size_t part = stem(word);
  if (is_same(text, search)) return true;
  return search->count == 1 && strncasecmp(text, word, part) == 0 && (!text[part] || strcasecmp(text + part, "s") == 0);
}

static int text_points(const char *text, const Search *search, int word, const Weights *weights) {
  if (search->count == 1 && is_whole(text, search)) return weights->whole;
  return word_points(text, search->words[word], search->nearly, weights);
}

// 0 if a word is missing.
static int points_of(const FindItem *item, const Search *search) {
  static const int of_kind[FIND_KINDS] = {[FIND_LESSON] = 6, [FIND_TERM] = 5, [FIND_KERNEL] = 3, [FIND_MODEL] = 4,
                                          [FIND_MISTAKE] = 1};
  int sum = 0;
  for (int i = 0; i < search->count; i++) {
    int best = text_points(item->name, search, i, &name_weights);
    best = LS_MAX(best, text_points(item->title, search, i, &title_weights));
    best = LS_MAX(best, text_points(item->more, search, i, &more_weights));
    best = LS_MAX(best, text_points(item->about, search, i, &about_weights));
    if (!best) return 0;
    sum += best;
  }
  bool whole = is_whole(item->name, search) || is_whole(item->title, search);
  bool same = is_same(item->name, search) || is_same(item->title, search);
  return sum + of_kind[item->kind] + (whole ? name_weights.whole : 0) + (same ? SAME : 0);
}

typedef struct Ranked { int item, points; } Ranked;

static int by_points(const void *left, const void *right) {
  const Ranked *a = left, *b = right;
  return a->points != b->points ? b->points - a->points : a->item - b->item;
}

static void rank(const Finder *finder, const Search *search, FoundList *found) {
  Ranked *ranked = ls_alloc(sizeof *ranked * (size_t)LS_MAX(finder->count, 1));
  int count = 0;
  for (int i = 0; i < finder->count; i++) {
    int points = points_of(&finder->items[i], search);
    if (points) ranked[count++] = (Ranked){i, points};
  }
  qsort(ranked, (size_t)count, sizeof *ranked, by_points);
  found->count = LS_MIN(count, FOUND_MOST);
  for (int i = 0; i < found->count; i++) found->items[i] = ranked[i].item;
  free(ranked);
}

void finder_look(const Finder *finder, const char *words, FoundList *found) {
  Search search = {.all = words};
  *found = (FoundList){0};
  split(words, &search);
  drop_small(&search);
  if (!search.count) return;
  rank(finder, &search, found);
  if (found->count) return;
  search.nearly = found->nearly = true;
  rank(finder, &search, found);
}
