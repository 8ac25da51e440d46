// pictures.h: how models look. One function for each row of app/models/models.def; all are pure: the same values and
// rectangle give the same cells.
#ifndef LS_UI_MODELS_PICTURES_H
#define LS_UI_MODELS_PICTURES_H

#include "app/models/model.h"
#include "ui/term/canvas.h"

// What a picture wants: the rows with which it is true, and with which nothing is left out.
typedef struct PictureRoom { int least, whole; } PictureRoom;
#define MODEL(name)                                                                   \
  void model_draw_##name(const ModelValues *values, Canvas *canvas, Rect rect);       \
  PictureRoom model_room_##name(const ModelValues *values, int cols);
#include "app/models/models.def"

void model_draw(const Model *model, const ModelValues *values, Canvas *canvas, Rect rect);
PictureRoom model_room(const Model *model, const ModelValues *values, int cols);

// ---- shared by pictures --------------------------------------------------------------------------------------------

// Cells [from, to) of a bar of `whole` in `width` columns; each end is rounded to a cell, so that pieces join.
void picture_piece(Canvas *canvas, Rect bar, double from, double to, double whole, uint32_t code, Role role);
// A bar of several lines ends with half of one, so that those above and below stand apart.
void picture_bar(Canvas *canvas, Rect bar, uint32_t code, Role role);
// A column of a chart as high as its share of 1, in eighths of a row.
void picture_column(Canvas *canvas, Rect column, double share, Role role);
// A dim title, and brighter words behind it that go where there is no room.
void picture_title(Canvas *canvas, Rect row, const char *title, const char *right);
// The role of things that have to be told apart, one after the other: blocks, streams, warps.
Role picture_set(int index);
uint32_t picture_shade(int index);    // a glyph, so that neighbours differ without colors as well

#endif
