// page_museum.c: the museum of mistakes: its rooms by wing, what each is about; Enter walks in.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/pages/column.h"
#include "ui/pages/list_page.h"
#include "ui/views/frame.h"

typedef struct MuseumPage {
  Page base;
  Course *course;
  RecipeBook *book;
  LsArena *arena;
  CourseRoom *list;
  List rows;
} MuseumPage;

enum { TOP = 2, BOTTOM = 2, ID_X = 4, TITLE_X = 10, LIST_W = 44, WIDE = 100, NARROW_W = 38, GAP = 2, LABEL_W = 9 };

// Where it is printed: as the form of its kernel says, else the lecture.
static const char *place_of(const MuseumPage *self, const CourseRoom *room) {
  LsErr err = {0};
  const Recipe *recipe = room->kernel ? self->book->get(self->book, room->kernel, &err) : NULL;
  for (int i = 0; recipe && room->form && i < recipe->form_count; i++) {
    const RecipeForm *form = &recipe->forms[i];
    if (form->name && strcmp(form->name, room->form) == 0 && form->where) return form->where;
  }
  return room->source;
}

static const char *row_text(void *context, int row) {
  const MuseumPage *self = context;
  static char text[1024];
  const CourseRoom *room = &self->list[row];
  const char *place = place_of(self, room);
  snprintf(text, sizeof text, "%s %s %s %s %s %s %s", room->id, room->title, room->wing,
           room->kernel ? room->kernel : room->kind, place ? place : "", room->lesson ? room->lesson : "", room->says);
  return text;
}

// A card does not run, so it is dim.
static void draw_row(MuseumPage *self, Canvas *canvas, int width, int row) {
  const CourseRoom *room = &self->list[row];
  int y = self->rows.y + row - self->rows.top;
  bool here = row == self->rows.chosen;
  list_mark(&self->rows, canvas, 0, width, row);
  canvas_text(canvas, ID_X, y, ROLE_DIM, 0, room->id);
  canvas_text_cut(canvas, TITLE_X, y, width - TITLE_X - 1, room->kernel || here ? ROLE_TEXT : ROLE_DIM,
                  here ? STYLE_BOLD : 0, room->title);
}

static void draw_chosen(const MuseumPage *self, Canvas *canvas, Rect rect) {
  const CourseRoom *room = &self->list[self->rows.chosen];
  char words[160];
  canvas_text_cut(canvas, rect.x, rect.y, rect.w, ROLE_DIM, 0, room->wing);
  rect = column_paragraph(canvas, column_below(rect, 2), ROLE_TEXT, STYLE_BOLD, room->title);
  rect = column_paragraph(canvas, rect, ROLE_TEXT, 0, room->says);
  snprintf(words, sizeof words, "%s%s%s", room->kernel ? room->kernel : "", room->form ? " --form " : "",
           room->form ? room->form : "");
  rect = column_labeled(canvas, rect, LABEL_W, "kernel", ROLE_ACTIVE, words);
  rect = column_labeled(canvas, rect, LABEL_W, "a card", ROLE_TEXT, room->kind);
  rect = column_labeled(canvas, rect, LABEL_W, "from", ROLE_TEXT, place_of(self, room));
  rect = column_labeled(canvas, rect, LABEL_W, "lesson", ROLE_TEXT, room->lesson);
  if (!room->kernel) column_labeled(canvas, column_below(rect, 1), LABEL_W, "better", ROLE_TEXT, room->cure);
}

static void museum_draw(Page *page, Canvas *canvas) {
  MuseumPage *self = (MuseumPage *)page;
  int running = 0, width = canvas->cols >= WIDE ? LIST_W : NARROW_W, rows = canvas->rows - TOP - BOTTOM;
  char right[64];
  for (int i = 0; i < self->rows.count; i++) running += self->list[i].kernel != NULL;
  snprintf(right, sizeof right, "%d rooms, %d cards", running, self->rows.count - running);
  FrameTitle title = {.crumbs = {"lanescope", "museum"}, .crumb_count = 2, .middle = {"find the mistake"},
                      .right = right};
  frame_title(canvas, &title);
  list_place(&self->rows, TOP, self->rows.count > rows ? rows - 1 : rows);
  for (int row = self->rows.top; list_shows(&self->rows, row); row++) draw_row(self, canvas, width, row);
  list_count(&self->rows, canvas, ID_X);
  int x = width + GAP;
  if (self->rows.count) draw_chosen(self, canvas, (Rect){x, TOP, LS_MIN(canvas->cols - x - 2, 76), rows});
  list_page_keys(&self->rows, canvas, "walk in", "E57, reduce2, race, L14, a word");
}

static Page *walk_in(Page *page) {
  const MuseumPage *self = (const MuseumPage *)page;
  LsErr err = {0};
  Lesson *lesson = lesson_room(self->course, self->list[self->rows.chosen].id, self->book, &err);
  return lesson ? page_lesson_new(lesson, self->book) : page_error_new(&err);
}

static bool museum_key(Page *page, AppKey key) {
  return list_page_key(page, &((MuseumPage *)page)->rows, key, walk_in);
}

static void museum_free(Page *page) {
  ls_arena_free(((MuseumPage *)page)->arena);
  free(page);
}

static const PageClass museum_class = {museum_draw, museum_key, NULL, museum_free};

Page *page_museum_new(Course *course, RecipeBook *book, int chosen) {
  LsErr err = {0};
  MuseumPage *self = ls_alloc(sizeof *self);
  self->base.class = &museum_class;
  self->course = course;
  self->book = book;
  self->arena = ls_arena_new();
  int count = 0;
  if (!course->museum(course, self->arena, &self->list, &count, &err)) {
    museum_free(&self->base);
    return page_error_new(&err);
  }
  self->rows = (List){.count = count, .chosen = chosen, .text = row_text, .context = self};
  return &self->base;
}
