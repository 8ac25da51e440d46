// footer.h: the last line of the screen.
#ifndef LS_APP_FOOTER_H
#define LS_APP_FOOTER_H

#include "app/commands.h"

// The words of the footer with their keys, as many as fit into cols; x and w for clicks.
typedef struct FooterItem { char keys[24]; const char *word; int x, w; CommandId command; } FooterItem;
enum { FOOTER_ROOM = 24 };
int footer_compute(int cols, unsigned context, bool unicode, FooterItem items[FOOTER_ROOM]);

// A key of a page or panel with keys of its own, and what it does. ascii_keys: without Unicode; NULL: the same.
typedef struct FooterKey { const char *keys, *ascii_keys, *word; } FooterKey;
// Their places in a line of so many columns, as footer_compute gives those of commands (command is the index of the
// key). The last one is the way out, and help before it: what has no room beside them goes.
int footer_place(int cols, bool unicode, const FooterKey *keys, int count, FooterItem items[FOOTER_ROOM]);
// The key that a click on column x stands for; of two, as in "↑↓", the one that was hit, and on the word the second.
// KEY_NONE_: none.
uint32_t footer_key_at(int cols, bool unicode, const FooterKey *keys, int count, int x);

#endif
