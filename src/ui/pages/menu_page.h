// menu_page.h: what the files of the course's page share: its state, and what is drawn where.
//
//    lessons, one a row             the chosen one in words
//    ── today ──────────────────────────────────────────────
//    what is due, and the ways in besides lessons, each with its key
#ifndef LS_UI_MENU_PAGE_H
#define LS_UI_MENU_PAGE_H

#include "app/course/due.h"
#include "ui/pages/glimpse.h"
#include "ui/pages/list.h"
#include "ui/pages/page.h"

enum { MENU_WAYS = 8 };

// A way in besides the lessons.
typedef struct MenuWay { CommandId command; const char *key, *name, *about; } MenuWay;

typedef struct MenuPage {
  Page base;
  PageMenu menu;
  List list;
  MenuWay ways[MENU_WAYS]; int way_count;   // those that are there
  Rect way_at[MENU_WAYS];                   // as last drawn
  Due due;                                  // as last drawn
  Glimpse glimpse;
} MenuPage;

Page *page_menu_open(const PageMenu *menu, int row);   // the lesson of this row; of a planned one, its first kernel
void menu_page_draw(Page *page, Canvas *canvas);

#endif
