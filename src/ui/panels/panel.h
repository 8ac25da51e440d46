// panel.h: the panels of the explorer as a table, and what they share: typing, the chosen row. Each is one file,
// panel_NAME.c.
#ifndef LS_UI_PANEL_H
#define LS_UI_PANEL_H

#include "app/session/session.h"
#include "ui/term/canvas.h"

// For Session.panels: every row PANEL of app/commands.def. Ends with a NULL panel.
extern const SesPanelRow panels[];
#define COMMAND(...)
#define PANEL(ID, name, ...) extern const SesPanel panel_##name;
#include "app/commands.def"

// ---- shared by panels ------------------------------------------------------------------------------------------------

// Where the words of a row begin, behind the mark of the chosen one; between columns.
enum { PANEL_TEXT_X = 4, PANEL_GAP = 2 };

// The text that is typed into the open panel: a character more, one less.
bool panel_printable(uint32_t code);
void panel_type(Session *session, uint32_t code);
void panel_untype(Session *session);
// Background and mark of the chosen row.
void panel_draw_chosen(Canvas *canvas, Rect body, int y);

// Every command with its keys, from commands.def; the whole of rect. `first` is the first row shown.
void panel_help_draw(Canvas *canvas, Rect rect, unsigned contexts, int first);

#endif
