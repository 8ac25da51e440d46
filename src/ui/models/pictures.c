// pictures.c: the table of pictures, and what they share.
#include "ui/models/pictures.h"

#include <string.h>

#include "base/mem.h"

typedef struct PictureRow {
  const char *name;
  void (*draw)(const ModelValues *values, Canvas *canvas, Rect rect);
  PictureRoom (*room)(const ModelValues *values, int cols);
} PictureRow;

static const PictureRow pictures[] = {
#define MODEL(name) {#name, model_draw_##name, model_room_##name},
#include "app/models/models.def"
};

static const PictureRow *row_of(const Model *model) {
  for (int i = 0; i < LS_COUNT(pictures); i++)
    if (strcmp(pictures[i].name, model->recipe.name) == 0) return &pictures[i];
  return NULL;
}

void model_draw(const Model *model, const ModelValues *values, Canvas *canvas, Rect rect) {
  const PictureRow *row = row_of(model);
  if (!row || rect.w <= 0 || rect.h <= 0) return;
  Rect old = canvas_clip(canvas, rect);
  row->draw(values, canvas, rect);
  canvas_clip(canvas, old);
}

PictureRoom model_room(const Model *model, const ModelValues *values, int cols) {
  const PictureRow *row = row_of(model);
  return row ? row->room(values, cols) : (PictureRoom){0, 0};
}
