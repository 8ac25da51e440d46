// view_shuffle.h: the pane of the warp's exchanges is two files: shuffles, and sets of lanes. Private to them.
#ifndef LS_UI_VIEW_SHUFFLE_H
#define LS_UI_VIEW_SHUFFLE_H

#include "model/model.h"
#include "ui/views/focus/lanerow.h"

// Votes, matches, reductions.
void view_draw_sets(Focus *focus, Rect rect);
void view_room_sets(Focus *focus, FocusRoom *room);

#endif
