// writing.h: a text in the student's own words, and what it is held against: a model answer with points to tick, or a
// list that was to be told from memory.
//
// A tick counts when the student marks the word of the own text that says it, and half without: that keeps ticks
// honest.
// Nothing here is part of a score.
#ifndef LS_APP_WRITING_H
#define LS_APP_WRITING_H

#include "app/course/progress.h"
#include "base/mem.h"

typedef struct WritingPoint {
  const char *says;            // "the most different words of a bank are the time"
  bool ticked;
  int word;                    // of the text, from 0, that says it; -1: none is marked
} WritingPoint;

typedef struct LessonWriting {
  bool is_list;                // recite: a list from memory, held beside the list itself; no points
  const char *model;           // the model answer, or the list
  WritingPoint *points; int point_count;
  const char *text;            // NULL until it is handed in
} LessonWriting;

enum { WRITING_POINTS = 9 };   // at most

// Words are parted by blanks and ends of lines.
int writing_word_count(const char *text);
bool writing_word(const char *text, int index, size_t *start, size_t *end);   // false if there are fewer
int writing_find_word(const char *text, const char *word);   // one that begins so, in any case; -1
// How many points the text makes: 1 for each that is marked, a half without a mark.
double writing_score(const LessonWriting *writing);
// The ticks as one word, "4,-,*": the word marked, not ticked, ticked without a mark.
void writing_marks(const LessonWriting *writing, LsText *out);
void writing_take_marks(LessonWriting *writing, const char *marks);
// Where rows begin if lines of text are wrapped at blanks to so many columns; returns how many rows there are, at least
// one. A row takes the blanks at which it ends. starts may be NULL, and gets no more than limit.
int writing_rows(const char *text, int columns, size_t *starts, int limit);

// In the database of progress: what was written at a step of a lesson, by its name. Texts go to the arena.
void writing_save(Progress *progress, const char *lesson, const char *name, const LessonWriting *writing);
bool writing_load(Progress *progress, const char *lesson, const char *name, LsArena *arena, LessonWriting *writing);

#define WRITING_SCHEMA \
  "create table if not exists writing (lesson text not null, name text not null, words text not null," \
  " marks text not null, points real not null, at integer not null, primary key (lesson, name));"

#endif
