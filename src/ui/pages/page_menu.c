// page_menu.c: the course: keys choose a lesson, open it, or go one of the other ways in.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/pages/menu_page.h"

static const char *row_text(void *context, int row) {
  return ((const MenuPage *)context)->menu.course->lessons[row].title;
}

// ---- the ways besides the lessons ----------------------------------------------------------------------------------

static void list_ways(MenuPage *self) {
  const PageMenu *menu = &self->menu;
  const struct { MenuWay way; bool there; } all[] = {
      {{CMD_OWN, "O", "your own file", "walk through a .cu or .ptx of yours"}, menu->open_own != NULL},
      {{CMD_PRACTICE, "P", "practice", "kernels to write, judged at every save"}, menu->open_practice != NULL},
      {{CMD_QUIZ, "Z", "quiz", "what is due, or one family of questions"}, menu->open_quiz != NULL},
      {{CMD_KERNELS, "K", "kernels", "those of the lectures, to walk through"}, menu->book != NULL},
      {{CMD_MODELS, "M", "models", "pictures without a kernel"}, true},
      {{CMD_CLAIMS, "C", "claims", "the lectures' numbers, and ours"}, menu->open_claims != NULL},
      {{CMD_MUSEUM, "B", "museum", "the lectures' mistakes: find them"}, menu->open_museum != NULL},
  };
  for (int i = 0; i < LS_COUNT(all); i++)
    if (all[i].there) self->ways[self->way_count++] = all[i].way;
}

static Page *open_way(const MenuPage *self, CommandId id) {
  const PageMenu *menu = &self->menu;
  bool there = false;
  for (int i = 0; i < self->way_count; i++) there |= self->ways[i].command == id;
  if (!there) return NULL;
  switch (id) {
    case CMD_OWN: return menu->open_own(menu);
    case CMD_PRACTICE: return menu->open_practice(menu);
    case CMD_QUIZ: return menu->open_quiz(menu);
    case CMD_KERNELS: return page_kernels_new(menu->book);
    case CMD_MODELS: return page_models_new();
    case CMD_CLAIMS: return menu->open_claims(menu, 0);
    case CMD_MUSEUM: return menu->open_museum(menu, 0);
    default: return NULL;
  }
}

static bool is_inside(Rect at, AppKey key) {
  return key.x >= at.x && key.x < at.x + at.w && key.y >= at.y && key.y < at.y + at.h;
}

static CommandId way_at(const MenuPage *self, AppKey key) {
  if (key.code != KEYX_MOUSE || key.button != 1) return CMD_NONE;
  for (int i = 0; i < self->way_count; i++)
    if (is_inside(self->way_at[i], key)) return self->ways[i].command;
  return CMD_NONE;
}

// ---- keys ----------------------------------------------------------------------------------------------------------

static bool menu_key(Page *page, AppKey key) {
  MenuPage *self = (MenuPage *)page;
  glimpse_stop(&self->glimpse);
  CommandId id = way_at(self, key);
  if (id == CMD_NONE) id = command_for_key(key.code, CTX_M);
  page->open = id == CMD_FIND ? page_find_new(&self->menu, "") : open_way(self, id);
  if (page->open) return true;
  ListResult result = list_key(&self->list, key);
  if (result == LIST_OPEN) page->open = page_menu_open(&self->menu, self->list.chosen);
  if (result != LIST_IGNORED) return true;
  if (id == CMD_HELP) page->open = page_help_new(CTX_M);
  page->closed = id == CMD_QUIT;
  return page->open || page->closed;
}

static bool menu_tick(Page *page, double seconds) {
  MenuPage *self = (MenuPage *)page;
  bool changed = glimpse_tick(&self->glimpse, seconds);
  page->ticking = glimpse_waits(&self->glimpse);
  return changed;
}

static void menu_free(Page *page) {
  glimpse_fini(&((MenuPage *)page)->glimpse);
  free(page);
}

static const PageClass menu_class = {menu_page_draw, menu_key, menu_tick, menu_free};

Page *page_menu_new(const PageMenu *menu) {
  MenuPage *self = ls_alloc(sizeof *self);
  self->base.class = &menu_class;
  self->menu = *menu;
  self->list = (List){.count = menu->course->count, .text = row_text, .context = self};
  self->glimpse.book = menu->book;
  list_ways(self);
  const CourseLesson *next = course_next(menu->course, menu->progress);
  if (next) self->list.chosen = (int)(next - menu->course->lessons);
  return &self->base;
}
