// list_page.h: a page that is a list of things to open: its keys, and the row that says them.
#ifndef LS_UI_LIST_PAGE_H
#define LS_UI_LIST_PAGE_H

#include "ui/pages/list.h"
#include "ui/pages/page.h"

// Moves and searches in the list; open makes the page for the chosen row; ? helps, q closes. As PageClass.key.
bool list_page_key(Page *page, List *rows, AppKey key, Page *(*open)(Page *page));
// What Enter does, and what may be searched for.
void list_page_keys(const List *rows, Canvas *canvas, const char *opens, const char *finds);

#endif
