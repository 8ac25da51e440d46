// panel.h: what opens over the explorer: parameters, choices, the comparison, help.
#ifndef LS_UI_PANEL_H
#define LS_UI_PANEL_H

#include "ui/term/canvas.h"

void panel_params(Session *session, Canvas *canvas, Rect rect);
void panel_list(Session *session, Canvas *canvas, Rect rect);     // faults, or what was printed
void panel_compare_pick(Session *session, Canvas *canvas, Rect rect);
// Every command with its keys, from commands.def; the whole of rect. `first` is the first row shown.
void panel_help(Canvas *canvas, Rect rect, unsigned contexts, int first);

#endif
