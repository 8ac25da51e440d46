// list.c: the chosen row of a list.
#include "ui/pages/list.h"
#include <string.h>
#include <strings.h>
#include "base/mem.h"

static void choose(List *list, int row) { list->chosen = LS_CLAMP(row, 0, LS_MAX(list->count - 1, 0)); }

static bool contains(const char *text, const char *part) {
  size_t length = strlen(part);
  for (; *text; text++)
    if (strncasecmp(text, part, length) == 0) return true;
  return length == 0;
}

// The next row from `first` on, around the end, that has what is searched; the chosen one if none has.
static void seek(List *list, int first, int direction) {
  for (int i = 0; i < list->count && list->search[0]; i++) {
    int row = (first + direction * i + 2 * list->count) % list->count;
    if (!contains(list->text(list->context, row), list->search)) continue;
    list->chosen = row;
    return;
  }
}

// What is typed is a name more often than a word of a description.
static bool seek_name(List *list) {
  size_t length = strlen(list->search);
  for (int row = 0; row < list->count && length; row++) {
    if (strncasecmp(list->text(list->context, row), list->search, length) != 0) continue;
    list->chosen = row;
    return true;
  }
  return false;
}

static ListResult search_key(List *list, uint32_t code) {
  size_t length = strlen(list->search);
  if (code == KEY_RETURN_ || code == KEY_ESC_) list->searching = false;
  else if (code == KEY_BACKSPACE_ && length) list->search[length - 1] = 0;
  else if (code == KEY_BACKSPACE_) list->searching = false;
  else if (code >= ' ' && code < 127 && length + 1 < sizeof list->search)
    list->search[length] = (char)code, list->search[length + 1] = 0;
  else return LIST_IGNORED;
  if (!seek_name(list)) seek(list, list->chosen, 1);
  return LIST_CHANGED;
}

static ListResult mouse(List *list, AppKey key) {
  if (key.button == 4 || key.button == 5) {
    choose(list, list->chosen + (key.button == 4 ? -1 : 1));
    return LIST_CHANGED;
  }
  int row = key.y - list->y + list->top;
  if (key.button != 1 || key.y < list->y || key.y >= list->y + list->rows || row >= list->count) return LIST_IGNORED;
  if (row == list->chosen) return LIST_OPEN;
  choose(list, row);
  return LIST_CHANGED;
}

ListResult list_key(List *list, AppKey key) {
  if (key.code == KEYX_MOUSE) return mouse(list, key);
  if (list->searching) return search_key(list, key.code);
  switch (command_for_key(key.code, CTX_M)) {
    case CMD_UP: choose(list, list->chosen - 1); break;
    case CMD_DOWN: choose(list, list->chosen + 1); break;
    case CMD_PAGE_UP: choose(list, list->chosen - LS_MAX(list->rows - 1, 1)); break;
    case CMD_PAGE_DOWN: choose(list, list->chosen + LS_MAX(list->rows - 1, 1)); break;
    case CMD_FIRST: choose(list, 0); break;
    case CMD_LAST: choose(list, list->count - 1); break;
    case CMD_EVENT_NEXT: seek(list, list->chosen + 1, 1); break;
    case CMD_EVENT_BACK: seek(list, list->chosen - 1, -1); break;
    case CMD_FIND: list->searching = true; list->search[0] = 0; break;
    case CMD_ENTER: return list->count ? LIST_OPEN : LIST_IGNORED;
    default: return LIST_IGNORED;
  }
  return LIST_CHANGED;
}

void list_place(List *list, int y, int rows) {
  list->y = y;
  list->rows = LS_MAX(rows, 1);
  int last_top = LS_MAX(list->count - list->rows, 0);
  if (list->chosen < list->top) list->top = list->chosen;
  if (list->chosen >= list->top + list->rows) list->top = list->chosen - list->rows + 1;
  list->top = LS_CLAMP(list->top, 0, last_top);
}

bool list_shows(const List *list, int row) {
  return row >= list->top && row < list->top + list->rows && row < list->count;
}

void list_mark(const List *list, Canvas *canvas, int x, int w, int row) {
  if (row != list->chosen) return;
  int y = list->y + row - list->top;
  canvas_background(canvas, (Rect){x, y, w, 1}, ROLE_SELECTED);
  canvas_put(canvas, x + 2, y, 0x25b8, ROLE_CURSOR, 0);
  canvas->cursor_x = x + 2;
  canvas->cursor_y = y;
}

void list_count(const List *list, Canvas *canvas, int x) {
  int below = list->count - list->top - list->rows;
  if (below > 0) canvas_textf(canvas, x, list->y + list->rows, ROLE_DIM, 0, "▾ %d more", below);
}
