// page_museum.c: the museum of mistakes: its rooms by wing, what each is about; Enter walks in.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/pages/list.h"
#include "ui/pages/page.h"
#include "ui/views/frame.h"

typedef struct MuseumPage {
  Page base;
  Course *course;
  RecipeBook *book;
  LsArena *arena;
  CourseRoom *list;
  List rows;
} MuseumPage;

enum { TOP = 2, BOTTOM = 2, ID_X = 4, TITLE_X = 10, LIST_W = 44, WIDE = 100, NARROW_W = 36, GAP = 2, LABEL_W = 9 };

static const char *row_text(void *context, int row) {
  const MuseumPage *self = context;
  static char text[1024];
  const CourseRoom *room = &self->list[row];
  snprintf(text, sizeof text, "%s %s %s %s %s %s", room->id, room->title, room->wing,
           room->kernel ? room->kernel : room->kind, room->lesson ? room->lesson : "", room->says);
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

static Rect below(Rect rect, int y) { return (Rect){rect.x, y, rect.w, rect.y + rect.h - y}; }

static Rect labeled(Canvas *canvas, Rect rect, const char *label, Role role, const char *words) {
  if (!words || rect.h < 1) return rect;
  canvas_text(canvas, rect.x, rect.y, ROLE_DIM, 0, label);
  Rect beside = {rect.x + LABEL_W, rect.y, rect.w - LABEL_W, rect.h};
  return below(rect, rect.y + LS_MAX(canvas_text_wrap(canvas, beside, 0, role, 0, words), 1));
}

static void draw_chosen(const MuseumPage *self, Canvas *canvas, Rect rect) {
  const CourseRoom *room = &self->list[self->rows.chosen];
  char words[160];
  canvas_text_cut(canvas, rect.x, rect.y, rect.w, ROLE_DIM, 0, room->wing);
  rect = below(rect, rect.y + 2);
  rect = below(rect, rect.y + canvas_text_wrap(canvas, rect, 0, ROLE_TEXT, STYLE_BOLD, room->title) + 1);
  rect = below(rect, rect.y + canvas_text_wrap(canvas, rect, 0, ROLE_TEXT, 0, room->says) + 1);
  snprintf(words, sizeof words, "%s%s%s", room->kernel ? room->kernel : "", room->form ? " --form " : "",
           room->form ? room->form : "");
  rect = labeled(canvas, rect, "kernel", ROLE_ACTIVE, room->kernel ? words : NULL);
  rect = labeled(canvas, rect, "a card", ROLE_TEXT, room->kind);
  rect = labeled(canvas, rect, "lesson", ROLE_TEXT, room->lesson);
  if (!room->kernel) rect = labeled(canvas, below(rect, rect.y + 1), "better", ROLE_TEXT, room->cure);
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
  static const FooterKey keys[] = {{"↑↓", "up down", "choose"}, {"⏎", "enter", "walk in"}, {"/", NULL, "find"},
                                  {"?", NULL, "help"}, {"q", NULL, "back"}};
  if (self->rows.searching) frame_prompt(canvas, "/", self->rows.search, "E57, reduce2, race, L14, a word");
  else frame_keys(canvas, keys, LS_COUNT(keys));
}

static bool museum_key(Page *page, AppKey key) {
  MuseumPage *self = (MuseumPage *)page;
  bool was_searching = self->rows.searching;
  ListResult result = self->rows.count ? list_key(&self->rows, key) : LIST_IGNORED;
  if (result == LIST_OPEN) {
    LsErr err = {0};
    Lesson *lesson = lesson_room(self->course, self->list[self->rows.chosen].id, self->book, &err);
    page->open = lesson ? page_lesson_new(lesson, self->book) : page_error_new(&err);
  }
  if (result != LIST_IGNORED || was_searching) return true;
  CommandId id = command_for_key(key.code, CTX_M);
  if (id == CMD_HELP) page->open = page_help_new(CTX_M);
  page->closed = id == CMD_QUIT || id == CMD_CANCEL;
  return page->closed || page->open;
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
