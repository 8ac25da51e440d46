// list_panel.h: what panels have in common that list places to go to: rows, the words about the chosen one, keys.
#ifndef LS_UI_LIST_PANEL_H
#define LS_UI_LIST_PANEL_H

#include "ui/panels/panel.h"

typedef struct ListPanel {
  const char *title;
  const char *nothing;                                          // said instead of opening, where there are no rows
  Role role;                                                    // of the first column
  int (*count)(Session *session);
  bool (*row)(Session *session, int row, SesRow *out);
  void (*head)(Session *session, LsText *out);                  // said above the rows, of all of them; NULL: nothing
  void (*words)(Session *session, int row, LsText *out);
  bool (*go)(Session *session, int row);
} ListPanel;

// The footer of all of them.
extern const FooterKey list_panel_keys[];
enum { LIST_PANEL_KEYS = 3 };
bool list_panel_open(Session *session, const ListPanel *list);   // on the last row up to the cursor that is no warning or note
bool list_panel_key(Session *session, const ListPanel *list, uint32_t code);
void list_panel_draw(Session *session, const ListPanel *list, Canvas *canvas, Rect rect);

#endif
