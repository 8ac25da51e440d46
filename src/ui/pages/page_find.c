// page_find.c: a search over all that the course has: what is typed is looked for at once, Enter opens what was found.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/course/finder.h"
#include "app/models/models.h"
#include "base/mem.h"
#include "ui/pages/list.h"
#include "ui/pages/menu_page.h"
#include "ui/pages/page.h"
#include "ui/views/frame.h"
#include "ui/views/view.h"

typedef struct FindPage {
  Page base;
  PageMenu menu;
  Finder *finder;
  FoundList found;
  List list;
} FindPage;

enum { TOP = 2, KIND_X = 4, NAME_X = 13, TITLE_GAP = 2, WORDS_ROWS = 6, LONGEST_NAME = 24, MOST_W = 100 };

static const FindItem *item_at(const FindPage *self, int row) { return &self->finder->items[self->found.items[row]]; }

static const char *row_text(void *context, int row) { return item_at(context, row)->name; }

static void look(FindPage *self) {
  finder_look(self->finder, self->list.search, &self->found);
  self->list.count = self->found.count;
  self->list.chosen = self->list.top = 0;
}

// ---- the picture ---------------------------------------------------------------------------------------------------

// Of those that are shown, so that titles stand below one another.
static int name_width(const FindPage *self) {
  int width = 0;
  for (int row = self->list.top; list_shows(&self->list, row); row++)
    width = LS_MAX(width, ls_utf8_width(item_at(self, row)->name));
  return LS_MIN(width, LONGEST_NAME);
}

static void draw_row(const FindPage *self, Canvas *canvas, int name_w, int row) {
  const FindItem *item = item_at(self, row);
  int y = self->list.y + row - self->list.top, title_x = NAME_X + name_w + TITLE_GAP;
  bool here = row == self->list.chosen;
  list_mark(&self->list, canvas, 0, canvas->cols, row);
  canvas_text(canvas, KIND_X, y, ROLE_DIM, 0, find_kind_name(item->kind));
  canvas_text_cut(canvas, NAME_X, y, name_w, ROLE_TITLE, here ? STYLE_BOLD : 0, item->name);
  const char *title = *item->title ? item->title : item->about;
  canvas_text_cut(canvas, title_x, y, canvas->cols - title_x - 1, *item->title ? ROLE_TEXT : ROLE_DIM, 0, title);
}

static const char *enter_words(const FindPage *self, const FindItem *item) {
  switch (item->kind) {
    case FIND_LESSON: return self->menu.course->lessons[item->index].file ? "opens the lesson" : "explores its kernels";
    case FIND_TERM: return *item->lesson ? "opens its lesson" : "shows it alone";
    case FIND_KERNEL: return "walks through the kernel";
    case FIND_MODEL: return "opens the model";
    case FIND_CLAIM: return "goes to the claim";
    default: return "goes to the museum";
  }
}

static void draw_chosen(const FindPage *self, Canvas *canvas, Rect rect) {
  const FindItem *item = item_at(self, self->list.chosen);
  LsText head = {0};
  ls_text_addf(&head, "%s%s%s", item->name, *item->title && item->kind != FIND_CLAIM ? "  " : "",
               item->kind != FIND_CLAIM ? item->title : "");
  canvas_rule(canvas, 0, rect.y - 1, canvas->cols, ls_text_str(&head), *item->lesson ? item->lesson : NULL);
  ls_text_free(&head);
  if (item->kind == FIND_CLAIM) rect.y += view_words(canvas, rect, ROLE_TEXT, item->title);
  if (item->kind == FIND_CLAIM) rect.h = canvas->rows - 1 - rect.y;
  view_words(canvas, rect, item->kind == FIND_CLAIM ? ROLE_DIM : ROLE_TEXT, item->about);
}

// As long as nothing is found, what there is to be found.
static void draw_nothing(const FindPage *self, Canvas *canvas) {
  LsText words = {0};
  bool asked = self->list.search[0];
  if (asked) ls_text_addf(&words, "Nothing has the words \"%s\", nor some that are nearly so. ", self->list.search);
  ls_text_add(&words, asked ? "There are" : "Type words, a name or a number: they are looked for in");
  for (int i = 0; i < FIND_KINDS; i++)
    ls_text_addf(&words, "%s %d %s", i == 0 ? "" : i == FIND_KINDS - 1 ? " and" : ",", self->finder->counts[i],
                 find_kind_plural((FindKind)i));
  ls_text_add(&words, ".");
  int width = LS_MIN(canvas->cols - 2 * KIND_X, MOST_W), y = TOP;
  y += canvas_text_wrap(canvas, (Rect){KIND_X, y, width, canvas->rows - y - 1}, 0, ROLE_TEXT, 0, ls_text_str(&words));
  static const char *const tries[] = {"bank conflict", "reduce2", "L08", "C027", "E57", "half a warp"};
  canvas_text(canvas, KIND_X, y + 1, ROLE_DIM, 0, "for example");
  for (int i = 0; i < LS_COUNT(tries); i++) canvas_text(canvas, KIND_X + 13, y + 1 + i, ROLE_TITLE, 0, tries[i]);
  ls_text_free(&words);
}

static void draw_list(FindPage *self, Canvas *canvas) {
  int rows = canvas->rows - TOP - WORDS_ROWS - 2;
  list_place(&self->list, TOP, self->list.count > rows ? rows - 1 : rows);
  int name_w = name_width(self);
  for (int row = self->list.top; list_shows(&self->list, row); row++) draw_row(self, canvas, name_w, row);
  list_count(&self->list, canvas, KIND_X);
  int y = canvas->rows - 1 - WORDS_ROWS;
  draw_chosen(self, canvas, (Rect){KIND_X, y, LS_MIN(canvas->cols - KIND_X - 2, MOST_W), WORDS_ROWS});
}

static void find_draw(Page *page, Canvas *canvas) {
  FindPage *self = (FindPage *)page;
  char right[48] = "", help[64] = "what is it about?";
  if (self->list.search[0])
    snprintf(right, sizeof right, "%s%d found", self->found.nearly ? "nearly so: " : "", self->found.count);
  frame_title(canvas, &(FrameTitle){.crumbs = {"lanescope", "find"}, .crumb_count = 2, .right = right});
  if (self->list.count) draw_list(self, canvas);
  else draw_nothing(self, canvas);
  if (self->list.count)
    snprintf(help, sizeof help, "Enter %s · Esc back", enter_words(self, item_at(self, self->list.chosen)));
  frame_prompt(canvas, "/", self->list.search, help);
}

// ---- keys ----------------------------------------------------------------------------------------------------------

static int lesson_row(const Course *course, const char *id) {
  for (int i = 0; i < course->count; i++)
    if (strcmp(course->lessons[i].id, id) == 0) return i;
  return -1;
}

static Page *open_item(const FindPage *self, const FindItem *item) {
  const PageMenu *menu = &self->menu;
  int row = lesson_row(menu->course, item->lesson);
  if (item->kind == FIND_LESSON || (item->kind == FIND_TERM && row >= 0)) return page_menu_open(menu, row);
  if (item->kind == FIND_KERNEL) return page_recipe_new(menu->book, item->name);
  if (item->kind == FIND_MODEL) return page_model_new(model_named(item->name), NULL);
  if (item->kind == FIND_CLAIM && menu->open_claims) return menu->open_claims(menu, item->index);
  if (item->kind == FIND_MISTAKE && menu->open_museum) return menu->open_museum(menu, item->index);
  return page_message_new(item->name, item->about);
}

static void type(FindPage *self, uint32_t code) {
  char *text = self->list.search;
  size_t length = strlen(text);
  if (code == KEY_BACKSPACE_ && !length) self->base.closed = true;
  else if (code == KEY_BACKSPACE_) do text[--length] = 0; while (length && ((uint8_t)text[length - 1] & 0xc0) == 0x80);
  else if (code >= ' ' && code < KEYX_UP && length + 5 < sizeof self->list.search) ls_utf8_encode(code, text + length);
  else return;
  look(self);
}

// Keys that are letters are typed; the others go through what was found.
static bool find_key(Page *page, AppKey key) {
  FindPage *self = (FindPage *)page;
  if (key.code == KEY_ESC_) {
    page->closed = true;
    return true;
  }
  if (key.code == KEY_BACKSPACE_ || (key.code >= ' ' && key.code < KEYX_UP)) return type(self, key.code), true;
  ListResult result = self->list.count ? list_key(&self->list, key) : LIST_IGNORED;
  if (result == LIST_OPEN) page->open = open_item(self, item_at(self, self->list.chosen));
  return result != LIST_IGNORED;
}

static void find_page_free(Page *page) {
  finder_free(((FindPage *)page)->finder);
  free(page);
}

static const PageClass find_class = {find_draw, find_key, NULL, find_page_free};

Page *page_find_new(const PageMenu *menu, const char *words) {
  LsErr err = {0};
  Finder *finder = finder_new(menu->course, menu->book, &err);
  if (!finder) return page_error_new(&err);
  FindPage *self = ls_alloc(sizeof *self);
  self->base.class = &find_class;
  self->menu = *menu;
  self->finder = finder;
  self->list = (List){.text = row_text, .context = self};
  snprintf(self->list.search, sizeof self->list.search, "%s", words);
  look(self);
  return &self->base;
}
