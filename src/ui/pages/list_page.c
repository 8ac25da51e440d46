// list_page.c: the keys of lists of things to open.
#include "ui/pages/list_page.h"

#include "base/mem.h"
#include "ui/views/frame.h"

bool list_page_key(Page *page, List *rows, AppKey key, Page *(*open)(Page *page)) {
  bool was_searching = rows->searching;
  ListResult result = rows->count ? list_key(rows, key) : LIST_IGNORED;
  if (result == LIST_OPEN) page->open = open(page);
  if (result != LIST_IGNORED || was_searching) return true;
  CommandId id = command_for_key(key.code, CTX_M);
  if (id == CMD_HELP) page->open = page_help_new(CTX_M);
  page->closed = id == CMD_QUIT || id == CMD_CANCEL;
  return page->closed || page->open;
}

void list_page_keys(const List *rows, Canvas *canvas, const char *opens, const char *finds) {
  const FooterKey keys[] = {{"↑↓", "up down", "choose"}, {"⏎", "enter", opens}, {"/", NULL, "find"},
                            {"?", NULL, "help"}, {"q", NULL, "back"}};
  if (rows->searching) frame_prompt(canvas, "/", rows->search, finds);
  else frame_keys(canvas, keys, LS_COUNT(keys));
}
