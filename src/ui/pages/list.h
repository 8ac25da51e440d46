// list.h: a chosen row among many: moving, paging, searching as one types, clicking.
#ifndef LS_UI_LIST_H
#define LS_UI_LIST_H

#include "app/commands.h"
#include "ui/term/canvas.h"

typedef struct List {
  int count, chosen;
  int rows, top;             // rows of the window and first row shown, as last drawn
  int y;                     // of the first row on the screen, as last drawn
  bool searching;            // '/' was typed; letters go to `search`
  char search[64];
  const char *(*text)(void *context, int row);   // what a search looks at
  void *context;
} List;

typedef enum ListResult { LIST_IGNORED, LIST_CHANGED, LIST_OPEN } ListResult;

// LIST_OPEN: Return, or a click on the row that is chosen already. Keys that mean nothing to a list are ignored.
ListResult list_key(List *list, AppKey key);
// Makes room for `rows` rows beginning at y, with the chosen one in view. Row i is shown at y + i - top.
void list_place(List *list, int y, int rows);
bool list_shows(const List *list, int row);
// The background and the mark of the chosen row.
void list_mark(const List *list, Canvas *canvas, int x, int w, int row);

// "▾ 4 more" in the row below, if rows are below the window.
void list_count(const List *list, Canvas *canvas, int x);

#endif
