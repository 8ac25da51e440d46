// pane.h: a model to be played with: its picture, what it says, and its parameters as sliders.
//
// On a page of its own, and beside the text of a lesson.
#ifndef LS_UI_MODELS_PANE_H
#define LS_UI_MODELS_PANE_H

#include "app/keys.h"
#include "app/models/model.h"
#include "ui/term/canvas.h"

typedef struct ModelPane {
  const Model *model;
  ModelValues values, first;        // as it is, and as it was opened
  int chosen;                      // row of the sliders: a parameter, or behind them the script
  bool typing;
  char input[MODEL_SCRIPT], message[512];
  bool playing;
  double waited;                   // seconds since play moved on
  Rect sliders;                    // as last drawn, for clicks; columns stand side by side, from first_row on
  int columns, first_row, slider_x, slider_w;
} ModelPane;

void model_pane_init(ModelPane *pane, const Model *model, const ModelValues *values);   // values NULL: defaults
// bare: the picture and its words alone.
void model_pane_draw(ModelPane *pane, Canvas *canvas, Rect rect, bool bare);
// True if the key meant something: a change of a value, a choice, typing, play.
bool model_pane_key(ModelPane *pane, AppKey key);
bool model_pane_tick(ModelPane *pane, double seconds);   // true if the picture changed; to be called while it plays

#endif
