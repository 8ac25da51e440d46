// timeline.h: the timeline of a program is two files: the picture, and the page that puts words around it.
#ifndef LS_UI_TIMELINE_H
#define LS_UI_TIMELINE_H

#include "ui/views/view.h"

// Rows and bars below a rule; the session has a schedule with a chart.
void timeline_picture(Session *session, Canvas *canvas, Rect rect);
// Where the page puts its parts. w == 0: no room.
typedef struct TimelineRooms { Rect picture, words, model, steps; } TimelineRooms;
void timeline_rooms(Session *session, Rect rect, TimelineRooms *rooms);
// Row of the model's parameters at a line of its part; -1: none.
int timeline_model_row(const TimelineRooms *rooms, const Session *session, int y);

#endif
