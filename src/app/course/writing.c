// writing.c: words of a text, points that are ticked, and rows as they are wrapped.
#include "app/course/writing.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/mem.h"

static const char blanks[] = " \t\n";

// ---- words ---------------------------------------------------------------------------------------------------------

bool writing_word(const char *text, int index, size_t *start, size_t *end) {
  size_t at = strspn(text, blanks);
  for (int i = 0; text[at]; i++) {
    size_t length = strcspn(text + at, blanks);
    if (i == index) {
      *start = at;
      *end = at + length;
      return true;
    }
    at += length;
    at += strspn(text + at, blanks);
  }
  return false;
}

int writing_word_count(const char *text) {
  int count = 0;
  size_t start, end;
  while (writing_word(text, count, &start, &end)) count++;
  return count;
}

int writing_find_word(const char *text, const char *word) {
  size_t start, end;
  for (int i = 0; writing_word(text, i, &start, &end); i++)
    if (strncasecmp(text + start, word, strlen(word)) == 0) return i;
  return -1;
}

// ---- points --------------------------------------------------------------------------------------------------------

double writing_score(const LessonWriting *writing) {
  double score = 0;
  for (int i = 0; i < writing->point_count; i++)
    if (writing->points[i].ticked) score += writing->points[i].word >= 0 ? 1 : 0.5;
  return score;
}

void writing_marks(const LessonWriting *writing, LsText *out) {
  for (int i = 0; i < writing->point_count; i++) {
    const WritingPoint *point = &writing->points[i];
    if (i) ls_text_addc(out, ',');
    if (!point->ticked) ls_text_addc(out, '-');
    else if (point->word < 0) ls_text_addc(out, '*');
    else ls_text_addf(out, "%d", point->word);
  }
}

void writing_take_marks(LessonWriting *writing, const char *marks) {
  for (int i = 0; i < writing->point_count && *marks; i++) {
    char *end;
    long word = strtol(marks, &end, 10);
    bool marked = end > marks && word >= 0;
    writing->points[i].ticked = marked || *marks == '*';
    writing->points[i].word = marked ? (int)word : -1;
    marks += strcspn(marks, ",");
    marks += *marks == ',';
  }
}

// ---- rows ----------------------------------------------------------------------------------------------------------

// Where the row that begins here ends: after its last blank, after the end of its line, or where it is full.
static size_t row_end(const char *text, size_t start, int columns) {
  size_t line = strcspn(text + start, "\n");
  size_t fits = ls_utf8_within(text + start, columns);
  if (fits >= line) return start + line + (text[start + line] == '\n');
  size_t end = start + fits;
  while (end > start && text[end] != ' ' && text[end - 1] != ' ') end--;
  if (end == start) return start + LS_MAX(fits, 1);
  return end + strspn(text + end, " ");
}

int writing_rows(const char *text, int columns, size_t *starts, int limit) {
  size_t at = 0;
  for (int rows = 1;; rows++) {
    if (starts && rows <= limit) starts[rows - 1] = at;
    size_t end = row_end(text, at, LS_MAX(columns, 1));
    bool is_last = !text[end] && (end == at || text[end - 1] != '\n');
    if (is_last) return rows;
    at = end;
  }
}

// ---- rows of the database ------------------------------------------------------------------------------------------

void writing_save(Progress *progress, const char *lesson, const char *name, const LessonWriting *writing) {
  LsText marks = {0};
  writing_marks(writing, &marks);
  StoreValue values[] = {store_text(lesson), store_text(name), store_text(writing->text ? writing->text : ""),
                         store_text(ls_text_str(&marks)), store_real(writing_score(writing)),
                             store_integer(time(NULL))};
  store_change(progress_store(progress), "insert or replace into writing values (?1, ?2, ?3, ?4, ?5, ?6)", values,
               LS_COUNT(values));
  ls_text_free(&marks);
}

typedef struct Row { LsArena *arena; LessonWriting *writing; bool found; } Row;

static bool take_row(void *context, const StoreValue *row) {
  Row *into = context;
  into->writing->text = ls_arena_strdup(into->arena, row[0].text);
  writing_take_marks(into->writing, row[1].text);
  into->found = true;
  return false;
}

bool writing_load(Progress *progress, const char *lesson, const char *name, LsArena *arena, LessonWriting *writing) {
  StoreValue values[] = {store_text(lesson), store_text(name)};
  Row row = {arena, writing, false};
  store_ask(progress_store(progress), "select words, marks from writing where lesson = ?1 and name = ?2", values,
            LS_COUNT(values), take_row, &row);
  return row.found;
}
