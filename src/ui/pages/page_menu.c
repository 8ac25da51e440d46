// page_menu.c: the course: keys choose a lesson, open it, or go one of the other ways in.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/pages/menu_page.h"

static const char *row_text(void *context, int row) {
  const MenuPage *self = context;
  static char text[512];
  const CourseLesson *lesson = &self->menu.course->lessons[row];
  snprintf(text, sizeof text, "%s %s %s %s", lesson->id, lesson->name, lesson->title,
           lesson->glimpse ? lesson->glimpse : "");
  return text;
}

static Page *open_lesson(MenuPage *self) {
  const CourseLesson *lesson = &self->menu.course->lessons[self->list.chosen];
  if (lesson->file && self->menu.open_lesson) return self->menu.open_lesson(&self->menu, lesson);
  if (lesson->kernel_count && self->menu.book) return page_recipe_new(self->menu.book, lesson->kernels[0]);
  return page_message_new(lesson->title, "This lesson is not written yet.");
}

// ---- the ways besides the lessons ----------------------------------------------------------------------------------

static void list_ways(MenuPage *self) {
  const PageMenu *menu = &self->menu;
  const struct { MenuWay way; bool there; } all[] = {
      {{CMD_OWN, "O", "your own file", "walk through a .cu or .ptx of yours"}, menu->open_own != NULL},
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
    case CMD_KERNELS: return page_kernels_new(menu->book);
    case CMD_MODELS: return page_models_new();
    case CMD_CLAIMS: return menu->open_claims(menu);
    case CMD_MUSEUM: return menu->open_museum(menu);
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
  bool was_searching = self->list.searching;
  CommandId id = was_searching ? CMD_NONE : way_at(self, key);
  ListResult result = id == CMD_NONE ? list_key(&self->list, key) : LIST_IGNORED;
  if (result == LIST_OPEN) page->open = open_lesson(self);
  if (result != LIST_IGNORED || was_searching) return true;
  if (id == CMD_NONE) id = command_for_key(key.code, CTX_M);
  page->open = open_way(self, id);
  if (!page->open && id == CMD_HELP) page->open = page_help_new(CTX_M);
  page->closed = id == CMD_QUIT;
  return page->open || page->closed;
}

static void menu_free(Page *page) { free(page); }

static const PageClass menu_class = {menu_page_draw, menu_key, NULL, menu_free};

Page *page_menu_new(const PageMenu *menu) {
  MenuPage *self = ls_alloc(sizeof *self);
  self->base.class = &menu_class;
  self->menu = *menu;
  self->list = (List){.count = menu->course->count, .text = row_text, .context = self};
  list_ways(self);
  const CourseLesson *next = course_next(menu->course, menu->progress);
  if (next) self->list.chosen = (int)(next - menu->course->lessons);
  return &self->base;
}
